// control/leg/walk_controller.c: the legs of a robot that walks, in one loop: keys, wiring, signals
// (the law is control/leg/walk.h). docs/control/walk.md
//   control: {legs: {kind: walk, gait: crawl}}
//   inputs: {legs.goal.velocity.forward: [[1 s, 8 cm/s], [26 s, 0 cm/s]]}
#include "base/extreme.h"
#include "control/controller.h"
#include "control/leg/crawl_load.h"
#include "control/leg/leg_wiring.h"
#include "control/leg/walk_signals.h"

#include <math.h>
#include <string.h>

#define SPEED 0.08 ///< of the crawl by which a load is judged before the run [m/s]

typedef struct Config {
    ib_WiringConfig wiring;
    ib_Words pressures, attitude, contacts;
    int touch; ///< TOUCH_TORQUES, TOUCH_FORCE
    ib_WalkConfig walk;
    ib_ForceServoConfig servo;
} Config;

enum { TOUCH_TORQUES, TOUCH_FORCE };

typedef struct Model {
    ib_Walk walk;
    int count;                     ///< of outputs
    int joint[IB_LEGS_JOINTS];     ///< that each output sets
    int pressures[IB_LEGS_JOINTS]; ///< measurement of each joint's first one; 0: none
    bool stroke[IB_LEGS_JOINTS];   ///< its first measurement is a stroke
    int attitude;                  ///< measurements: pitch, roll, heading
    int weight;                    ///< of the feet; 0: by torques
    double switched[IB_LEG_LEGS];  ///< weight that a switch stands for [N]; 0: it is no switch
} Model;

static const char *const gait_words[] = {"crawl", "trot", NULL};
static const char *const switch_words[] = {"off", "on", NULL};
static const char *const touch_words[] = {"torques", "force", NULL};

static const ib_ControlCommand goals[IB__WALK_GOALS] = {
    [IB_WALK_FORWARD] = {.name = "goal.velocity.forward",
                         .unit = "m/s",
                         .sentence = "wanted speed of the body; all three 0: it stands",
                         .axis = IB_DRIVES_FORWARD},
    [IB_WALK_LEFT] = {.name = "goal.velocity.left",
                      .unit = "m/s",
                      .sentence = "wanted speed of the body to its left; less where it turns, too",
                      .axis = IB_DRIVES_LEFT},
    [IB_WALK_TURN] = {.name = "goal.velocity.turn",
                      .unit = "rad/s",
                      .sentence = "wanted rate of its heading, counter-clockwise",
                      .axis = IB_DRIVES_TURN_LEFT},
    [IB__WALK_HEIGHT] = {.name = "goal.height",
                         .unit = "m",
                         .sentence = "wanted height of the body above the centres of its feet",
                         .low = -10,
                         .high = 10},
    [IB__WALK_PITCH] = {.name = "goal.pitch",
                        .unit = "rad",
                        .sentence =
                            "wanted pitch over the plane of its feet; positive: the front dips",
                        .low = -0.5,
                        .high = 0.5},
    [IB__WALK_ROLL] = {.name = "goal.roll",
                       .unit = "rad",
                       .sentence =
                           "wanted roll over the plane of its feet; positive: the right side dips",
                       .low = -0.5,
                       .high = 0.5},
    [IB__WALK_GAIT] = {.name = "goal.gait",
                       .unit = "1",
                       .sentence = "wanted gait; the body stops for it, where all feet stand",
                       .low = 0,
                       .high = IB_GAITS - 1,
                       .words = gait_words},
};

// ------------------------------------------------------------------------------------------ wiring

// A joint's measurements, and its output: a valve, a servo, or none.
static ib_Status add_joint(const Config *config, const ib_ControlSite *site, int number,
                           Model *model, ib_ControlPorts *ports, const char **reads,
                           const char **sets, ib_Error *error)
{
    const ib_LegJoint *told = &site->legs->joints[number];
    const ib_ControlPin *command = told->command ? ib_site_command(site, told->command) : NULL;
    ib_WalkJoint *joint = &model->walk.joints[number];
    bool valve = command && told->area[0] > 0 && strcmp(command->unit, "V") == 0;
    if (!valve && (!command || strcmp(command->unit, "rad") != 0))
        return ib_error_set(error, IB_BAD_INPUT,
                            "joint %s has neither a valve nor a servo that nobody sets yet",
                            told->name);
    *joint = (ib_WalkJoint){
        .valve = valve, .low = command->low, .high = command->high, .linkage = told->linkage};
    ib_force_servo_init(&config->servo, site->legs, number, command->neutral, command->low,
                        command->high, &joint->servo);
    sets[model->count] = told->command;
    model->joint[model->count++] = number;
    ib_Status status = ib_leg_wiring_angle(site, &config->wiring.sensors, told,
                                           &model->stroke[number], &reads[number], error);
    if (status != IB_OK || !valve) return status;
    model->pressures[number] = ports->measurement_count;
    ports->measurement_count += 2;
    return ib_leg_wiring_pressures(site, &config->pressures, told, &reads[model->pressures[number]],
                                   error);
}

// True if the torques of every leg are known by pressures.
static bool knows_torques(const Model *model)
{
    for (int i = 0; i < IB_LEGS_JOINTS; i++)
        if (!model->walk.joints[i].valve) return false;
    return true;
}

// A measurement that a list names, in one of these units; `second`: it is in the second one.
static ib_Status add_named(const ib_ControlSite *site, const char *key, const ib_Words *given,
                           int index, const char *ideal, const char *const *units, bool *second,
                           ib_ControlPorts *ports, const char **reads, ib_Error *error)
{
    ib_ControlPin pin;
    ib_Status status = ib_leg_wiring_named(site, key, given, index, ideal, &pin, error);
    if (second) *second = false;
    if (status != IB_OK) return status;
    reads[ports->measurement_count++] = pin.name;
    for (int i = 0; units[i]; i++) {
        if (pin.unit && strcmp(pin.unit, units[i]) != 0) continue;
        if (second) *second = pin.unit && i == 1;
        return IB_OK;
    }
    return ib_error_set(error, IB_BAD_INPUT, "%s: '%s' is in %s: expected %s%s", key, pin.name,
                        pin.unit, units[0], units[1] ? ", or a switch of 0 and 1" : "");
}

static ib_Status add_whole(const Config *config, const ib_ControlSite *site, Model *model,
                           ib_ControlPorts *ports, const char **reads, ib_Error *error)
{
    const ib_Words *attitude = &config->attitude, *contacts = &config->contacts;
    ib_Status status = IB_OK;
    if (attitude->count != 0 && attitude->count != 3)
        return ib_error_set(error, IB_BAD_INPUT,
                            "attitude: expected three names, of pitch, roll and heading, got %d",
                            attitude->count);
    if (contacts->count != 0 && contacts->count != IB_LEG_LEGS)
        return ib_error_set(error, IB_BAD_INPUT, "contacts: expected four names, one a leg, got %d",
                            contacts->count);
    model->attitude = ports->measurement_count;
    for (int i = 0; status == IB_OK && i < 3; i++)
        status = add_named(site, "attitude", attitude, i, site->legs->attitude[i],
                           (const char *const[]){"rad", NULL}, NULL, ports, reads, error);
    if (contacts->count == 0 && config->touch == TOUCH_TORQUES && knows_torques(model))
        return status;
    model->weight = ports->measurement_count;
    for (int i = 0; status == IB_OK && i < IB_LEG_LEGS; i++) {
        bool binary;
        status = add_named(site, "contacts", contacts, i, site->legs->forces[i],
                           (const char *const[]){"N", "1", NULL}, &binary, ports, reads, error);
        model->switched[i] = binary ? model->walk.mass * model->walk.gravity / IB_LEG_LEGS : 0;
    }
    return status;
}

// Measurements: twelve angles, then pressures, attitude, weights.
static ib_Status wire(const Config *config, const ib_ControlSite *site, ib_Arena *arena,
                      Model *model, ib_ControlPorts *ports, ib_Error *error)
{
    const char **reads = ib_arena_array(arena, 3 * IB_LEGS_JOINTS + 3 + IB_LEG_LEGS, sizeof *reads);
    const char **sets = ib_arena_array(arena, IB_LEGS_JOINTS, sizeof *sets);
    if (!reads || !sets) return ib_error_set(error, IB_FAILED, "out of memory for a controller");
    ib_Status status = ib_leg_wiring_check(site, "sensors", &config->wiring.sensors, false, error);
    if (status == IB_OK)
        status = ib_leg_wiring_check(site, "pressures", &config->pressures, true, error);
    ports->measurement_count = IB_LEGS_JOINTS;
    for (int i = 0; status == IB_OK && i < IB_LEGS_JOINTS; i++)
        status = add_joint(config, site, i, model, ports, reads, sets, error);
    if (status == IB_OK) status = add_whole(config, site, model, ports, reads, error);
    ports->measurements = reads;
    ports->outputs = sets;
    ports->output_count = model->count;
    return status;
}

// --------------------------------------------------------------------------------------- its ports

static bool make_commands(const Model *model, const ib_ControlSite *site, ib_Arena *arena,
                          ib_ControlPorts *ports)
{
    ib_ControlCommand *commands = ib_arena_array(arena, IB__WALK_GOALS, sizeof *commands);
    if (!commands) return false;
    memcpy(commands, goals, sizeof goals);
    commands[IB__WALK_HEIGHT].neutral = model->walk.height;
    commands[IB__WALK_HEIGHT].low = 0.6 * model->walk.height;
    commands[IB__WALK_HEIGHT].high = 1.2 * model->walk.height;
    commands[IB__WALK_GAIT].neutral = model->walk.config.gait;
    for (int k = IB_WALK_FORWARD; k <= IB_WALK_TURN; k++) {
        for (int i = 0; i < IB_GAITS; i++)
            commands[k].high = ib_max(commands[k].high, model->walk.gaits[i][0].most[k]);
        commands[k].low = -commands[k].high;
    }
    for (int i = 0; i < IB__WALK_GOALS; i++) {
        commands[i].kept = i >= IB__WALK_HEIGHT; // who lets go of the stick stops the body
        commands[i].name = ib_site_name(site, arena, goals[i].name);
        if (!commands[i].name) return false;
    }
    ports->commands = commands;
    ports->command_count = IB__WALK_GOALS;
    return true;
}

// Warns of a body that its cylinders do not hold in each phase of the gait; false: out of memory.
static bool doubt(const Config *config, const ib_ControlSite *site, const ib_Walk *walk,
                  ib_Arena *arena, ib_ControlPorts *ports)
{
    const ib_ControlLegs *legs = site->legs;
    const ib_Gait *gait = &walk->gaits[IB_GAIT_CRAWL][0];
    ib_CrawlConfig crawl = {.gait = *gait,
                            .stride = isinf(config->walk.cycle) ? gait->stride
                                                                : SPEED * config->walk.cycle,
                            .width = config->walk.width,
                            .torque_cost = config->walk.stance.torque_cost};
    double angles[IB_LEGS_JOINTS];
    ib_CrawlLoad load;
    ib_Error error;
    if (config->walk.gait != IB_GAIT_CRAWL) return true;
    for (int i = 0; i < IB_LEGS_JOINTS; i++) angles[i] = legs->joints[i].start;
    if (ib_crawl_load(legs, &crawl, angles, &load, &error) != IB_OK) return true;
    if (!load.reaches) {
        ports->note = "crawling from its start, a joint of a leg that stands comes to its end: its "
                      "feet will not be where they should. 'ironbird list loads' shows stances "
                      "with room";
        return true;
    }
    if (!(load.crawls.mass < legs->mass)) return true;
    ports->note = ib_arena_format(
        arena,
        "crawling at 8 cm/s from its start, its cylinders hold a body of %.3g kg at most, and it "
        "has one of %.3g kg: joint %s is too weak, with %.3g kPa. 'ironbird list loads' shows what "
        "other stances hold; more pressure helps, too",
        load.crawls.mass > 0 ? load.crawls.mass : 0, legs->mass,
        legs->joints[IB_LEG_JOINTS * load.crawls.leg + load.crawls.joint].name,
        1e-3 * legs->supply);
    return ports->note != NULL;
}

// All feet stand as a cycle begins, and a crawl's body shifts before feet lift that it knows.
static ib_Status check_phases(const ib_WalkConfig *walk, const ib_Gait *gait, ib_Error *error)
{
    static const char *const legs[IB_LEG_LEGS] = {"fl", "fr", "rl", "rr"};
    double last = isinf(walk->duty) ? IB_TROT_DUTY : walk->duty;
    if (walk->gait == IB_GAIT_CRAWL && !isinf(walk->duty) && walk->duty < IB_CRAWL_DUTY)
        return ib_error_set(error, IB_BAD_INPUT,
                            "duty: %g: expected %g or more, since a crawl lifts one foot at a time",
                            walk->duty, IB_CRAWL_DUTY);
    if (walk->gait == IB_GAIT_TROT && !isinf(walk->cycle) &&
        !(walk->cycle >= 0.3 && walk->cycle <= 1))
        return ib_error_set(
            error, IB_BAD_INPUT,
            "cycle: %g s: a trot of that cycle falls: expected 0.3 s to 1 s, or auto", walk->cycle);
    for (int i = 0; i < IB_LEG_LEGS; i++) {
        if (isinf(walk->phase[i])) continue;
        if (walk->gait == IB_GAIT_CRAWL)
            return ib_error_set(error, IB_BAD_INPUT,
                                "phase.%s: a crawl has an order of its own: expected gait: trot",
                                legs[i]);
        if (walk->phase[i] > last)
            return ib_error_set(error, IB_BAD_INPUT,
                                "phase.%s: %g: expected at most the duty, %g: a foot that lifts "
                                "later would still swing as the next cycle begins",
                                legs[i], walk->phase[i], last);
    }
    if (ib_gait_most_in_air(gait) > 2)
        return ib_error_set(error, IB_BAD_INPUT,
                            "phase: three feet or more would be in the air at once: expected other "
                            "phases, or a greater duty");
    return IB_OK;
}

static ib_Status init(const void *config_, const ib_ControlSite *site, ib_Arena *arena,
                      void *model_, ib_ControlPorts *ports, ib_Error *error)
{
    const Config *config = config_;
    Model *model = model_;
    if (!site->legs || site->legs->count != IB_LEG_LEGS)
        return ib_error_set(error, IB_BAD_INPUT,
                            "kind: this robot has no four legs: expected one such as kind "
                            "quadruped with legs: all");
    ib_WalkConfig walk = config->walk;
    walk.period = config->wiring.period;
    if (isinf(walk.mass)) walk.mass = site->legs->mass;
    *model = (Model){.count = 0};
    ib_walk_init(&walk, site->legs, &model->walk);
    ib_Status status = check_phases(&config->walk, &model->walk.gaits[walk.gait][0], error);
    if (status != IB_OK) return status;
    status = wire(config, site, arena, model, ports, error);
    if (status != IB_OK) return status;
    ports->state_count = IB_WALK_STATES;
    if (!make_commands(model, site, arena, ports) ||
        !ib__walk_signals(&model->walk, site, arena, ports) ||
        !ib__walk_base(&model->walk, site, arena, ports) ||
        !doubt(config, site, &model->walk, arena, ports))
        return ib_error_set(error, IB_FAILED, "out of memory for a controller");
    return IB_OK;
}

// --------------------------------------------------------------------------------------------- run

static void reset(const void *model_, double *state)
{
    const Model *model = model_;
    ib_walk_reset(&model->walk, (ib_WalkState *)state);
}

static void sense(const Model *model, const ib_ControlTick *tick, ib_WalkSenses *senses)
{
    const double *y = tick->measurement, *goal = tick->command;
    for (int i = 0; i < IB_LEGS_JOINTS; i++) {
        const ib_WalkJoint *joint = &model->walk.joints[i];
        senses->angle[i] = model->stroke[i] ? ib_linkage_angle(&joint->linkage, y[i]) : y[i];
        senses->push[i] =
            joint->valve ? ib_force_servo_felt(&joint->servo, y + model->pressures[i]) : 0;
    }
    for (int i = 0; i < IB_LEG_LEGS; i++)
        senses->weight[i] = model->weight == 0       ? NAN
                            : model->switched[i] > 0 ? model->switched[i] * y[model->weight + i]
                                                     : y[model->weight + i];
    senses->pitch = y[model->attitude];
    senses->roll = y[model->attitude + 1];
    senses->heading = y[model->attitude + 2];
    memcpy(senses->twist, goal + IB_WALK_FORWARD, sizeof senses->twist);
    senses->height = goal[IB__WALK_HEIGHT];
    memcpy(senses->tilt, goal + IB__WALK_PITCH, sizeof senses->tilt);
    senses->gait = rint(goal[IB__WALK_GAIT]);
}

static ib_ControlStatus step(const void *model_, const ib_ControlTick *tick, double *state,
                             double *output)
{
    const Model *model = model_;
    ib_WalkSenses senses;
    double all[IB_LEGS_JOINTS];
    sense(model, tick, &senses);
    ib_walk_step(&model->walk, &senses, (ib_WalkState *)state, all);
    for (int i = 0; i < model->count; i++) output[i] = all[model->joint[i]];
    return IB_CONTROL_OK;
}

static void show(const void *model, const double *command, const double *state, double *signals)
{
    (void)model;
    (void)command;
    ib__walk_show((const ib_WalkState *)state, signals);
}

// ---------------------------------------------------------------------------------------- in files

#define ROW(key, type, unit, fallback, min, max, detail, field, sentence)                          \
    IB_PARAM_ROW(key, type, unit, fallback, min, max, detail, Config, field, false, sentence)
#define PHASE(leg, which)                                                                          \
    ROW("phase." leg, IB_PARAM_LIMIT, "1", "auto", 0, 1, "auto", walk.phase[which],                \
        "phase of a trot in which this foot lifts; auto: that of the diagonal pairs")
#define JOINT(key, which, kp_, kd_)                                                                \
    IB_NUMBER_ROW(key ".kp", "N*m/rad", kp_, 0, 1e5, walk.kp[which],                               \
                  "torque for an error of the angle"),                                             \
        IB_NUMBER_ROW(key ".kd", "N*m*s/rad", kd_, 0, 1e5, walk.kd[which],                         \
                      "torque for an error of the rate")

static const ib_Param params[] = {
    ROW("sensors", IB_PARAM_WORDS, "1", NULL, 0, 0, NULL, wiring.sensors,
        "names of robot.sensors: one of each joint, of its angle or of its cylinder's stroke, in "
        "any order; none: angles, sampled ideally"),
    ROW("pressures", IB_PARAM_WORDS, "1", NULL, 0, 0, NULL, pressures,
        "the same of both pressures of each cylinder; none: sampled ideally"),
    ROW("attitude", IB_PARAM_WORDS, "1", NULL, 0, 0, NULL, attitude,
        "sensors or signals of pitch, roll and heading, in this order; none: the pose, sampled "
        "ideally"),
    ROW("contacts", IB_PARAM_WORDS, "1", NULL, 0, 0, NULL, contacts,
        "sensors or signals of the force on each foot, upwards, in the order of the legs; none: as "
        "`touch` says"),
    ROW("touch", IB_PARAM_CHOICE, "1", "torques", 0, 0, touch_words, touch,
        "how a foot feels the ground without `contacts`: by the torques that pressures and "
        "linkages tell, or by its force, sampled ideally, as robots without cylinders do"),
    ROW("period", IB_PARAM_NUMBER, "s", "1 ms", 1e-6, 1000, NULL, wiring.period,
        "time between two samples"),
    ROW("latency", IB_PARAM_NUMBER, "s", "0 s", 0, 1000, NULL, wiring.latency,
        "time from a sample until what follows from it acts, at most 100 periods"),
    ROW("output_bits", IB_PARAM_COUNT, "1", "0", 0, IB_CONVERTER_BITS, NULL, wiring.output_bits,
        "bits of the D/A converter over the range of what it sets; 0: no steps"),
    ROW("mass", IB_PARAM_LIMIT, "kg", "told", 1e-3, 1e4, "told", walk.mass,
        "mass of the body without legs, as the loop takes it to be; told: the robot's own"),
    ROW("rise", IB_PARAM_CHOICE, "1", "on", 0, 0, switch_words, walk.rise,
        "whether it gets up again after a fall"),
    ROW("rise_after", IB_PARAM_NUMBER, "s", "0.5 s", 0, 1000, NULL, walk.rise_after,
        "rest of a robot that has fallen, until it gets up"),
    ROW("gait", IB_PARAM_CHOICE, "1", "crawl", 0, 0, gait_words, walk.gait, "order of the steps"),
    ROW("duty", IB_PARAM_LIMIT, "1", "auto", 0.5, 0.99, "auto", walk.duty,
        "part of a cycle that each foot stands; auto: the gait's own"),
    PHASE("fl", IB_LEG_FL),
    PHASE("fr", IB_LEG_FR),
    PHASE("rl", IB_LEG_RL),
    PHASE("rr", IB_LEG_RR),
    ROW("cycle", IB_PARAM_LIMIT, "s", "auto", 0.1, 100, "auto", walk.cycle,
        "time in which each foot steps once; auto: stride over speed, within the gait's bounds"),
    ROW("stride", IB_PARAM_LIMIT, "m", "auto", 1e-3, 0.5, "auto", walk.stride,
        "cycle auto: way of the ground in a cycle; auto: the gait's own"),
    IB_NUMBER_ROW("width", "m", "7 cm", 1e-3, 1, walk.width,
                  "shift of the body to the side away from the feet that step next"),
    ROW("lift", IB_PARAM_LIMIT, "m", "auto", 0, 0.25, "auto", walk.lift,
        "height of a step; auto: the gait's own"),
    ROW("acceleration", IB_PARAM_LIMIT, "m/s^2", "auto", 1e-6, 100, "auto", walk.acceleration[0],
        "of the goals' velocities, on the way to a new one; auto: the gait's own"),
    ROW("turn_acceleration", IB_PARAM_LIMIT, "rad/s^2", "auto", 1e-6, 100, "auto",
        walk.acceleration[1], "of the goal's turn; auto: the gait's own"),
    ROW("ramp", IB_PARAM_LIMIT, "s", "auto", 1e-3, 10, "auto", walk.ramp,
        "time in which a foot gives its load away, before it lifts, and takes it again; auto: the "
        "gait's own"),
    IB_NUMBER_ROW("landing", "N", "12 N", 0, 1e3, walk.landing,
                  "force that tells a landing, after half a swing"),
    ROW("sink", IB_PARAM_LIMIT, "m/s", "auto", 0, 10, "auto", walk.sink,
        "speed of a foot that finds no ground, downwards; auto: the gait's own"),
    IB_NUMBER_ROW("depth", "m", "10 cm", 0, 10, walk.depth, "how far below the others it searches"),
    IB_NUMBER_ROW("press", "m", "10 mm", 0, 1, walk.press,
                  "depth below the ground at which a swing aims"),
    IB_NUMBER_ROW("give", "m", "15 mm", 1e-4, 1, walk.give,
                  "a searching foot so far above its target has landed, too"),
    IB_NUMBER_ROW("heading_gain", "1/s", "0.5 1/s", 0, 100, walk.heading_gain,
                  "turn for an error of the heading"),
    IB_NUMBER_ROW("place_gain", "1/s", "0.5 1/s", 0, 100, walk.place_gain,
                  "velocity for an error of the place by the legs, at most 2 cm/s"),
    ROW("level_time", IB_PARAM_LIMIT, "s", "auto", 1e-3, 1e6, "auto", walk.level_time,
        "time in which height and plane of the feet return to their goals; auto: the gait's own"),
    ROW("damping", IB_PARAM_LIMIT, "N*s/m", "auto", 0, 1e6, "auto", walk.damping,
        "force against an error of the body's velocity; auto: the gait's own"),
    IB_NUMBER_ROW("torque_cost", "1/m^2", "10 1/m^2", 0, 1e6, walk.stance.torque_cost,
                  "cost of torques beside that of forces, as feet share the weight"),
    IB_NUMBER_ROW("friction", "1", "0.5", 0, 100, walk.stance.friction,
                  "most force along the ground, in parts of that into it"),
    JOINT("alpha", IB_LEG_ALPHA, "40 N*m/rad", "3 N*m*s/rad"),
    JOINT("beta", IB_LEG_BETA, "30 N*m/rad", "1.2 N*m*s/rad"),
    JOINT("gamma", IB_LEG_GAMMA, "20 N*m/rad", "0.6 N*m*s/rad"),
    IB_NUMBER_ROW("swing_gain", "1", "0.7", 0, 100, walk.swing_gain,
                  "part of these gains for a foot in the air"),
    IB_NUMBER_ROW("force.gain", "V/N", "0.03 V/N", 0, 10, servo.gain,
                  "valve's voltage for an error of a cylinder's force"),
    IB_NUMBER_ROW("force.dead_band", "N", "2 N", 0, 1e4, servo.dead_band,
                  "error of the force that is left as it is"),
    IB_NUMBER_ROW("force.feedforward", "V*s/m", "8 V*s/m", 0, 1e4, servo.feed,
                  "valve's voltage for the wanted speed of the rod"),
    IB_NUMBER_ROW("force.most", "1", "0.89", 0, 1, servo.most,
                  "part of the supply's force that a cylinder is asked for at most"),
    IB_NUMBER_ROW("filter_time", "s", "10 ms", 0, 1e6, walk.filter_time,
                  "time constant of the low-pass filter of rates, which are found by differences"),
};

static const char *idle(const void *config_, const char *key)
{
    const Config *config = config_;
    if (strcmp(key, "stride") == 0 && !isinf(config->walk.cycle)) return "cycle";
    return strcmp(key, "touch") == 0 && config->contacts.count > 0 ? "contacts" : NULL;
}

const ib_ControllerKind ib_walk_kind = {
    .name = "walk",
    .sentence = "a robot on four legs that walks: its feet share the weight, step by step",
    .docs = "docs/control/walk.md",
    IB_CONTROLLER_TABLES(Config, Model),
    .params.idle = idle,
    IB_CONTROLLER_FUNCTIONS,
};
