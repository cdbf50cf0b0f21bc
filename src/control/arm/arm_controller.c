// control/arm/arm_controller.c: an arm goes to named goals, by its encoders, as fast as its plan
// says. docs/control/arm_follow.md
//   control: {arm: {kind: arm_path, plan: ../plans/arm.yaml, sensors: [shoulder, elbow]}}
//   inputs:  {arm.goal: [[0 s, home], [1 s, score]]}
#include "base/extreme.h"
#include "control/arm/arm_follow.h"
#include "control/arm/arm_ports.h"
#include "control/arm/arm_way.h"
#include "plant/electric/power.h"

#include <math.h>
#include <string.h>

typedef struct Config {
    ib_WiringConfig wiring;
    ib_Words battery;
    double volts, position, velocity, effort;
    double encoder, speed, error;
} Config;

typedef struct Model {
    ib_ArmFollower follower;
    bool supply;  ///< measured behind the encoders
    double range; ///< of a command, either way [V]
} Model;

// ----------------------------------------------------------------------------------------- signals

enum {
    S_GOAL,                  ///< th1, w1, th2, w2
    S_HAND = S_GOAL + 4,     ///< x, z
    S_ESTIMATE = S_HAND + 2, ///< th1, w1, th2, w2, e1, e2
    S_ERROR = S_ESTIMATE + IB_ARM_X,
    S_OFF = S_ERROR + 2, ///< of the hand
    S_PACE,
    S_SATURATED,
    S_REPLANS,
    S_MODE,
    S_COUNT,
};

static const ib_ModeMeaning meanings[IB_ARM_MODES] = {
    [IB_ARM_WAITS] = {"the arm waits for its encoders"},
    [IB_ARM_RESTS] = {"the arm rests at its goal"},
    [IB_ARM_FOLLOWS] = {"the arm follows a way"},
    [IB_ARM_JOINS] = {"the arm turns to another goal in mid-motion"},
    [IB_ARM_BRAKES] = {"the arm brakes along its way, to go to another goal"},
    [IB_ARM_FINISHES] = {"the arm goes to the end of its way first, to go to another goal"},
    [IB_ARM_BLOCKED] = {"the arm stays: no free way leads to its goal", IB_MODE_WARNING},
};
static const ib_Mode mode = {.kind = IB_MODE_STATE, .many = meanings, .many_count = IB_ARM_MODES};

static const ib_SignalDef signals[S_COUNT] = {
    [S_GOAL] = {"goal.theta1", "rad", "angle of the first link that is wanted now", 0,
                IB_MEANS(.shown = "deg")},
    {"goal.omega1", "rad/s", "its rate that is wanted now", 0},
    {"goal.theta2", "rad", "angle of the second link that is wanted now", 0,
     IB_MEANS(.shown = "deg")},
    {"goal.omega2", "rad/s", "its rate that is wanted now", 0},
    [S_HAND] = {"hand.goal.x", "m", "where the hand is wanted now, forward of the first joint", 0},
    {"hand.goal.z", "m", "where the hand is wanted now, above the first joint", 0},
    [S_ESTIMATE] = {"estimate.theta1", "rad", "angle of the first link by its filter", 0,
                    IB_MEANS(.shown = "deg")},
    {"estimate.omega1", "rad/s", "its rate by its filter", 0},
    {"estimate.theta2", "rad", "angle of the second link by its filter", 0,
     IB_MEANS(.shown = "deg")},
    {"estimate.omega2", "rad/s", "its rate by its filter", 0},
    {"estimate.volts1", "V", "what the first motors seem to get beyond their voltage", 0},
    {"estimate.volts2", "V", "what the second motors seem to get beyond their voltage", 0},
    [S_ERROR] = {"error.theta1", "rad",
                 "how far the first link is off what is wanted, by its filter", 0,
                 IB_MEANS(.shown = "deg")},
    {"error.theta2", "rad", "how far the second link is off what is wanted, by its filter", 0,
     IB_MEANS(.shown = "deg")},
    [S_OFF] = {"error.hand", "m", "how far the hand is from where it is wanted, by its filter", 0},
    [S_PACE] = {"pace", "1", "how fast the way goes on: 1 as planned, 0 it waits for the arm", 0},
    [S_SATURATED] = {"saturated", "1", "1: the voltages were cut at their limit", 0,
                     IB_MEANS(.binary = true)},
    [S_REPLANS] = {"replans", "1", "how many ways it planned itself so far", 0},
    [S_MODE] = {"mode", "1",
                "0: waits for its encoders, 1: rests, 2: follows a way, 3: joined one in "
                "mid-motion, 4: brakes first, 5: finishes its way first, 6: is blocked",
                0, IB_MEANS(.mode = &mode, .warns = true)},
};

// ------------------------------------------------------------------------------------------- ports

// Duration of each of the plan's ways.
static bool tell(const ib_ArmPlan *plan, ib_Arena *arena, ib_ControlPorts *ports)
{
    ib_ControlFact *facts = ib_arena_array(arena, (size_t)plan->track_count, sizeof *facts);
    bool good = facts != NULL;
    for (int i = 0; good && i < plan->track_count; i++) {
        const ib_ArmTrack *track = &plan->tracks[i];
        const char *from = plan->goals[track->from].name, *to = plan->goals[track->to].name;
        facts[i] = (ib_ControlFact){
            .name = ib_arena_format(arena, "%s_to_%s", from, to),
            .unit = "s",
            .value = track->timing.t[track->path.count - 1],
            .sentence = ib_arena_format(arena, "planned time from '%s' to '%s'", from, to)};
        good = facts[i].name && facts[i].sentence;
    }
    ports->fact_count = plan->track_count;
    ports->facts = facts;
    return good;
}

// Fewer volts than the plan counts on are met with a slower pace: the note has that of the slowest
// way. There is no note if all ways keep their plan. False without memory.
static bool note_volts(const ib_ArmFollower *follower, ib_Arena *arena, ib_ControlPorts *ports)
{
    const ib_ArmPlan *plan = follower->plan;
    double volts = follower->config.volts, counts = 0, slowest = 1;
    double *state = ib_arena_array(arena, IB_ARM_FOLLOW_STATES, sizeof *state);
    int which = 0;
    if (!state) return false;
    for (int i = 0; i < 2; i++)
        if (isfinite(plan->limits.volts[i])) counts = ib_max(counts, plan->limits.volts[i]);
    for (int i = 0; i < plan->track_count; i++) {
        state[IB_ARM_FOLLOW_TRACK] = i;
        double pace = ib__arm_way_ceiling(follower, state, volts);
        if (pace < slowest) slowest = pace, which = i;
    }
    if (!(volts < counts && slowest < 1)) return true;
    const ib_ArmTrack *track = &plan->tracks[which];
    double duration = track->timing.t[track->path.count - 1];
    ports->note = ib_arena_format(
        arena,
        "volts: it asks for %.4g V at most, and its plan counts on %.4g V: from '%s' to '%s' it "
        "takes about %.3g s instead of %.3g s%s",
        volts, counts, plan->goals[track->from].name, plan->goals[track->to].name,
        duration / slowest, duration,
        slowest > 0.1 ? "" : ", if they move it at all; expected more, or a plan for fewer");
    return ports->note != NULL;
}

#define DISC_THICKNESS 0.06 ///< of an obstacle in pictures; plans know none [m]
enum { DISC_COLOUR = 0xb0785a };

// Discs to go round and the way that the hand should take, where the arm stands.
static bool draw(const ib_ControlSite *site, ib_Arena *arena, ib_ControlPorts *ports)
{
    const ib_ArmPlan *plan = site->plan;
    const ib_ArmScene *scene = &plan->scene;
    if (!site->part || !site->part->frame) return true;
    ib_Geometry *geometry = ib_arena_alloc(arena, sizeof *geometry);
    ib_SolidDef *discs = ib_arena_array(arena, (size_t)scene->discs, sizeof *discs);
    ib_TraceDef *way = ib_arena_alloc(arena, sizeof *way);
    if (!geometry || !discs || !way) return false;
    for (int i = 0; i < scene->discs; i++) {
        const ib_ArmDisc *disc = &scene->disc[i];
        discs[i] = (ib_SolidDef){.name = disc->name,
                                 .frame = site->part->frame,
                                 .form = IB_SOLID_CYLINDER,
                                 .place = {disc->place[0], 0, disc->place[1]},
                                 .attitude = {0, 0, IB_SOLID_LYING},
                                 .size = {disc->radius, DISC_THICKNESS, DISC_THICKNESS},
                                 .colour = DISC_COLOUR,
                                 .opacity = 0.5};
    }
    const ib_TwoLink *arm = &plan->plant.link;
    *way = (ib_TraceDef){.name =
                             ib_arena_format(arena, "%s: wanted way of the hand", site->part->name),
                         .frame = site->part->frame,
                         .move = {signals[S_HAND].name, NULL, signals[S_HAND + 1].name},
                         .reach = arm->length[0] + arm->length[1],
                         .wanted = true};
    *geometry = (ib_Geometry){
        .solids = discs, .solid_count = scene->discs, .traces = way, .trace_count = 1};
    ports->geometry = geometry;
    return way->name != NULL;
}

static ib_Status init(const void *config_, const ib_ControlSite *site, ib_Arena *arena,
                      void *model_, ib_ControlPorts *ports, ib_Error *error)
{
    const Config *config = config_;
    Model *model = model_;
    ib_ArmFollowConfig follow = ib_arm_follow_default();
    follow.period = config->wiring.period;
    follow.volts = config->volts;
    for (int i = 0; i < 2; i++) {
        follow.weights.position[i] = config->position;
        follow.weights.velocity[i] = config->velocity;
        follow.weights.volts[i] = config->effort;
        follow.ekf.encoder[i] = config->encoder;
    }
    follow.ekf.speed = config->speed;
    follow.ekf.error = config->error;
    follow.ekf.largest = config->volts;
    model->supply = config->battery.count > 0;
    model->range = INFINITY;
    ib_Status status = ib__arm_open(&config->wiring, &config->battery, site, false, arena,
                                    &model->range, ports, error);
    follow.volts = ib_min(follow.volts, model->range);
    if (status == IB_OK)
        status = ib_arm_follow_init(&follow, site->plan, arena, &model->follower, error);
    if (status != IB_OK) return status;
    ports->state_count = IB_ARM_FOLLOW_STATES;
    ports->signal_count = S_COUNT;
    ports->signals = signals;
    bool good = tell(site->plan, arena, ports) && note_volts(&model->follower, arena, ports) &&
                draw(site, arena, ports);
    return good ? IB_OK : ib__arm_no_memory(error);
}

// -------------------------------------------------------------------------------------- one period

static void reset(const void *model, double *state)
{
    ib_arm_follow_reset(&((const Model *)model)->follower, state);
}

// A battery is not that empty: its sensor is wrong [V].
static const double EMPTY = 1;

// The follower computes volts at the motors. A command is a share of the battery's voltage, on a
// scale of 12 V, or of the mechanism's `voltage` above that: it equals volts only if the battery
// has as many, which is assumed without a measurement.
static ib_ControlStatus step(const void *model_, const ib_ControlTick *tick, double *state,
                             double *output)
{
    const Model *model = model_;
    int goal = ib__arm_goal(model->follower.plan, tick->command[0]);
    bool known = model->supply && tick->measurement[2] > EMPTY;
    double full = ib_max(IB_COMMAND_SCALE, model->range);
    double scale = known ? full / tick->measurement[2] : 1;
    double supply = known ? model->range / scale : NAN;
    ib_arm_follow_step(&model->follower, tick->measurement, goal, supply, state, output);
    for (int i = 0; known && i < 2; i++)
        output[i] = ib_min(ib_max(output[i] * scale, -model->range), model->range);
    return IB_CONTROL_OK;
}

static void show(const void *model_, const double *command, const double *state, double *y)
{
    const ib_TwoLink *arm = &((const Model *)model_)->follower.plan->plant.link;
    const double *wanted = state + IB_ARM_FOLLOW_REFERENCE, *x = state + IB_ARM_FOLLOW_X;
    double goal[2] = {wanted[IB_ARM_TH1], wanted[IB_ARM_TH2]};
    double now[2] = {x[IB_ARM_TH1], x[IB_ARM_TH2]}, hand[2];
    (void)command;
    memcpy(y + S_GOAL, wanted, IB_ARM_FED * sizeof *y);
    memcpy(y + S_ESTIMATE, x, IB_ARM_X * sizeof *y);
    ib_two_link_hand(arm, goal, y + S_HAND);
    ib_two_link_hand(arm, now, hand);
    for (int i = 0; i < 2; i++) {
        y[S_ERROR + i] = now[i] - goal[i];
        hand[i] -= y[S_HAND + i];
    }
    y[S_OFF] = sqrt(hand[0] * hand[0] + hand[1] * hand[1]);
    y[S_PACE] = state[IB_ARM_FOLLOW_PACE];
    y[S_SATURATED] = state[IB_ARM_FOLLOW_SATURATED];
    y[S_REPLANS] = state[IB_ARM_FOLLOW_REPLANS];
    y[S_MODE] = state[IB_ARM_FOLLOW_MODE];
}

// -------------------------------------------------------------------------------------------- kind

#define NUMBER(key, unit, fallback, low, high, field, sentence)                                    \
    IB_PARAM_ROW(key, IB_PARAM_NUMBER, unit, fallback, low, high, NULL, Config, field, false,      \
                 sentence)

static const ib_Param params[] = {
    IB_WIRING_ROWS_OF("the angles of both links: names of robot.sensors, or of signals, sampled "
                      "ideally; none: ideally"),
    IB_PARAM_ROW("period", IB_PARAM_NUMBER, "s", "5 ms", 1e-4, 0.05, NULL, ib_WiringConfig, period,
                 false, "time between two samples"),
    IB_PARAM_ROW(
        "battery", IB_PARAM_WORDS, "1", NULL, 0, 0, NULL, Config, battery, false,
        "the sensor of the battery's voltage: what it asks for is given by it, and no more "
        "than there is; none: 12 V are taken for granted"),
    NUMBER("volts", "V", "12 V", 1e-3, 1e4, volts, "largest voltage that it asks for, at a motor"),
    NUMBER("weights.position", "rad", "0.05 rad", 1e-6, 1e3, position,
           "error of an angle that is worth as much as weights.volts"),
    NUMBER("weights.velocity", "rad/s", "1 rad/s", 1e-6, 1e3, velocity,
           "error of a rate that is worth as much as weights.volts"),
    NUMBER("weights.volts", "V", "12 V", 1e-6, 1e4, effort,
           "voltage that is worth as much as an error of weights.position"),
    NUMBER("filter.encoder", "rad", "1 mrad", 1e-9, 10, encoder,
           "noise of a sample of an angle: its standard deviation"),
    NUMBER("filter.velocity", "rad/s", "0.3 rad/s", 0, 1e3, speed,
           "how far a rate wanders off the model in a second: standard deviation"),
    NUMBER("filter.volts", "V", "3 V", 0, 1e4, error,
           "how far the voltage that the model lacks wanders in a second: standard deviation"),
};

const ib_ControllerKind ib_arm_path_kind = {
    .name = "arm_path",
    .sentence = "an arm of two links goes to named goals as its plan says, from its encoders",
    .docs = "docs/control/arm_follow.md",
    IB_CONTROLLER_TABLES(Config, Model),
    .planned = true,
    IB_CONTROLLER_FUNCTIONS,
};
