// control/leg/walk_signals.c: what a robot that walks shows of itself, and its legs as a base for
// routines and paths. docs/control/walk.md
#include "control/leg/walk_signals.h"

#include <string.h>

#define GAIN 1.0 ///< of a law that tracks a way: a body on legs sways with its steps [1/s]

static const ib_Mode foot_mode = {
    .kind = IB_MODE_CONTACT,
    .meanings = {[IB_FOOT_SWINGS] = {"the foot swings"},
                 [IB_FOOT_SEARCHES] = {"the foot searches for ground"},
                 [IB_FOOT_STANDS] = {"the foot stands"}}};

static const ib_Mode gait_mode = {
    .kind = IB_MODE_STATE,
    .meanings = {
        [IB_GAIT_CRAWL] = {"the gait is a crawl"}, [IB_GAIT_TROT] = {"the gait is a trot"}}};

static const ib_Mode fall_mode = {
    .kind = IB_MODE_STATE,
    .meanings = {
        [IB_FALL_UPRIGHT] = {"the robot is upright"},
        [IB_FALL_FALLS] = {"the robot falls: its valves go to their middle", IB_MODE_WARNING},
        [IB_FALL_LIES] = {"the robot lies", IB_MODE_WARNING},
        [IB_FALL_TURNS] = {"the robot turns onto its belly"},
        [IB_FALL_RISES] = {"the robot rises"},
        [IB_FALL_CANNOT] = {"the robot cannot get up: five tries have failed", IB_MODE_ERROR}}};

// The words of a fall; with the reason, if its cylinders are too weak to lift it.
static const ib_Mode *tell_fall(const ib_Walk *walk, ib_Arena *arena)
{
    if (!(walk->lift < walk->share)) return &fall_mode;
    ib_Mode *mode = ib_arena_alloc(arena, sizeof *mode);
    if (!mode) return NULL;
    *mode = fall_mode;
    mode->meanings[IB_FALL_CANNOT].text = ib_arena_format(
        arena,
        "the robot cannot get up: on the floor a foot lifts %.3g N, and %.3g N are its share of "
        "the weight, with friction: more pressure or less mass would do",
        walk->lift, walk->share);
    return mode->meanings[IB_FALL_CANNOT].text ? mode : NULL;
}

enum {
    PLACE_X,
    PLACE_Y,
    HEADING,
    WAY_FORWARD,
    WAY_LEFT,
    GOAL_FORWARD,
    GOAL_LEFT,
    GOAL_TURN,
    ACTING,
    MARGIN,
    PHASE,
    WALKS,
    FALL,
    FALLS,
    RISES,
    UNREACHED,
    STUMBLES,
    SLIPS,
    WEAK,
    STUCK,
    PITCH_RATE,
    ROLL_RATE,
    WHOLE
};
enum { STATE, FELT, WANTED, MISS, OF_FOOT };

static const ib_SignalDef whole[WHOLE] = {
    [PLACE_X] = {"place.x", "m", "way of the body by its legs, field frame", 0},
    [PLACE_Y] = {"place.y", "m", "way of the body by its legs, field frame", 0},
    [HEADING] = {"heading", "rad", "the heading that it measures", 0, IB_MEANS(.shown = "deg")},
    [WAY_FORWARD] = {"way.forward", "m", "way of the body by its legs, forward, so far", 0},
    [WAY_LEFT] = {"way.left", "m", "the same to its left, without the gait's own shift", 0},
    [GOAL_FORWARD] = {"twist.forward", "m/s",
                      "goal of the velocity as it acts: within the gait's bounds, on its ramp", 0},
    [GOAL_LEFT] = {"twist.left", "m/s", "the same, to the left", 0},
    [GOAL_TURN] = {"twist.turn", "rad/s", "the same, of the turn", 0},
    [ACTING] = {"gait", "1", "0: it crawls, 1: it trots", 0, IB_MEANS(.mode = &gait_mode)},
    [MARGIN] = {"margin", "m",
                "static stability margin: distance of the centre of mass from "
                "the edge of the polygon of the feet that stand; negative: outside",
                0, IB_MEANS(.shown = "mm", .headline = 2)},
    [PHASE] = {"phase", "1", "phase of the gait, 0 to 1", 0},
    [WALKS] = {"walks", "1", "1: it walks, 0: it stands", 0, IB_MEANS(.binary = true)},
    [FALL] = {"fall", "1",
              "0: it is upright, 1: it falls, its valves in the middle, 2: it lies, 3: it "
              "turns onto its belly, 4: it rises, 5: it cannot get up",
              0, IB_MEANS(.mode = &fall_mode)},
    [FALLS] = {"falls", "1",
               "falls of the robot, seen by a lean of more than 0.6 rad, or as it lay low; so far",
               0, IB_MEANS(.headline = 3, .warns = true)},
    [RISES] = {"rises", "1", "times that it has got up again, so far", 0},
    [UNREACHED] = {"unreached", "1",
                   "goals of feet are out of reach by more than 6 degrees of a joint; counted "
                   "so far, one a leg and tick",
                   0, IB_MEANS(.headline = 3, .warns = true)},
    [STUMBLES] = {"stumbles", "1", "swings that met a wall and began anew, so far", 0},
    [SLIPS] = {"slips", "1", "feet have slid by more than 2 cm under load; counted so far", 0,
               IB_MEANS(.headline = 3, .warns = true)},
    [WEAK] = {"weak", "1",
              "cylinders have been 40 N off their force for 0.3 s, or had more to carry than "
              "their supply gives: a valve sticks, the supply is low, or the load too heavy; "
              "counted so far",
              0, IB_MEANS(.headline = 3, .warns = true)},
    [STUCK] = {"stuck", "1",
               "the body has fallen 20 cm behind its goals: something is in its way, or they "
               "are too fast; counted so far",
               0, IB_MEANS(.warns = true)},
    [PITCH_RATE] = {"pitch_rate", "rad/s", "rate of the pitch, as measured", 0,
                    IB_MEANS(.shown = "deg/s")},
    [ROLL_RATE] = {"roll_rate", "rad/s", "rate of the roll, as measured", 0,
                   IB_MEANS(.shown = "deg/s")},
};
static const ib_SignalDef of_foot[OF_FOOT] = {
    [STATE] = {"foot.state", "1", "0: the foot swings, 1: it searches for ground, 2: it stands", 0,
               IB_MEANS(.mode = &foot_mode)},
    [FELT] = {"foot.felt", "N",
              "force of the ground on the foot, upwards, by torques or a "
              "sensor",
              0},
    [WANTED] = {"foot.wanted", "N", "the foot's share of the weight", 0},
    [MISS] = {"foot.error", "m", "distance of a standing foot from its target, by its angles", 0,
              IB_MEANS(.shown = "mm")},
};

bool ib__walk_signals(const ib_Walk *walk, const ib_ControlSite *site, ib_Arena *arena,
                      ib_ControlPorts *ports)
{
    int count = WHOLE;
    ib_SignalDef *signals = ib_arena_array(arena, WHOLE + OF_FOOT * IB_LEG_LEGS, sizeof *signals);
    if (!signals) return false;
    memcpy(signals, whole, sizeof whole);
    if (!(signals[FALL].means.mode = tell_fall(walk, arena))) return false;
    for (int i = 0; i < IB_LEG_LEGS; i++)
        for (int k = 0; k < OF_FOOT; k++) {
            signals[count] = of_foot[k];
            signals[count].name =
                ib_arena_format(arena, "%s.%s", site->legs->names[i], of_foot[k].name);
            if (!signals[count++].name) return false;
        }
    ports->signals = signals;
    ports->signal_count = count;
    return true;
}

void ib__walk_show(const ib_WalkState *s, double *signals)
{
    signals[PLACE_X] = s->place[0];
    signals[PLACE_Y] = s->place[1];
    signals[HEADING] = s->tilt[2];
    signals[WAY_FORWARD] = s->way[0];
    signals[WAY_LEFT] = s->way[1] - s->shift[0];
    memcpy(signals + GOAL_FORWARD, s->twist, sizeof s->twist);
    signals[ACTING] = s->gait;
    signals[MARGIN] = s->margin;
    signals[PHASE] = s->phase;
    signals[WALKS] = s->walks;
    signals[FALL] = s->fall.mode;
    signals[FALLS] = s->fall.falls;
    signals[RISES] = s->fall.rises;
    signals[UNREACHED] = s->unreached;
    signals[STUMBLES] = s->stumbles;
    signals[SLIPS] = s->slips;
    signals[WEAK] = s->weak;
    signals[STUCK] = s->stuck;
    signals[PITCH_RATE] = s->rate[0];
    signals[ROLL_RATE] = s->rate[1];
    signals += WHOLE;
    for (int i = 0; i < IB_LEG_LEGS; i++, signals += OF_FOOT) {
        signals[STATE] = s->foot[i].state;
        signals[FELT] = s->foot[i].felt;
        signals[WANTED] = s->foot[i].wanted;
        signals[MISS] = s->foot[i].miss;
    }
}

bool ib__walk_base(const ib_Walk *walk, const ib_ControlSite *site, ib_Arena *arena,
                   ib_ControlPorts *ports)
{
    static const ib_WheelRow rows[2] = {{.forward = 1}, {.left = 1}};
    static const int ways[3] = {WAY_FORWARD, WAY_LEFT, HEADING};
    const ib_Gait *gait = &walk->gaits[walk->config.gait][0];
    ib_Locomotion *base = ib_arena_alloc(arena, sizeof *base);
    ib_ControlRims *rims = ib_arena_alloc(arena, sizeof *rims);
    ib_RimSignal *signals = ib_arena_array(arena, 2, sizeof *signals);
    const char *names[3];
    if (!base || !rims || !signals) return false;
    for (int k = 0; k < 3; k++) {
        names[k] = ib_arena_format(arena, "control.%s%s%s", site->loop, site->loop[0] ? "." : "",
                                   ports->signals[ways[k]].name);
        if (!names[k]) return false;
    }
    ib_AxisDrive axes[IB_AXES];
    for (int k = 0; k < IB_AXES; k++)
        axes[k] = (ib_AxisDrive){.command = ports->commands[IB_WALK_FORWARD + k].name,
                                 .sign = 1,
                                 .top = gait->most[k],
                                 .unit = gait->most[k],
                                 .quick = gait->acceleration[k == IB_WALK_TURN]};
    ib_locomotion_of_axes(axes, base);
    base->gain = GAIN;

    for (int i = 0; i < 2; i++) signals[i] = (ib_RimSignal){names[i], i, 1};
    *rims = (ib_ControlRims){
        .count = 2, .rows = rows, .signal_count = 2, .signals = signals, .heading = names[2]};
    ports->base = base;
    ports->rims = rims;
    return true;
}
