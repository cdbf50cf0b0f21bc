// control/leg/legs_controller.c: all joints of a robot's legs in one loop: goals of the body, of
// feet or of joints become angles, and each joint holds its own. docs/control/legs.md
//   control: {legs: {kind: legs, mode: stand}}
//   inputs: {legs.goal.height: [[0 s, 32 cm], [5 s, 36 cm]]}
#include "base/random.h"
#include "control/controller.h"
#include "control/leg/joint_servo.h"
#include "control/leg/leg_goals.h"
#include "control/leg/leg_wiring.h"

#include <float.h>
#include <string.h>

typedef struct Config {
    ib_WiringConfig wiring;
    ib_Words pressures; ///< sensors of pressures; none: ideally
    int measures;       ///< signals without sensors in the file: IDEAL_ANGLE, IDEAL_STROKE
    int conversion;     ///< from strokes to angles: exact, linear
    int schedule;       ///< of the gains: over the arm, none
    double filter_time, reference_time, washout;
    double bus_period, bus_loss; ///< of the messages that bring joints their goals [s]; 0: at once
    ib_LegGoalsConfig goals;
    ib_JointServoConfig joint[IB_LEG_JOINTS];
} Config;

enum { IDEAL_ANGLE, IDEAL_STROKE };

typedef struct Joint {
    ib_JointServo servo;
    int number;      ///< among the robot's, 3 a leg
    int measurement; ///< its first one
} Joint;

typedef struct Model {
    ib_LegGoals goals;
    double period;
    ib_Time bus_period; ///< 0: goals reach their joints at once
    double bus_loss;
    int count; ///< of joints that it sets
    Joint joints[IB_LEGS_JOINTS];
} Model;

// Its states: goals out of reach so far, cycles begun, the messages sent so far; wanted angles and
// rates of each leg; the same as received by its joints; then each joint's own.
enum {
    UNREACHED,
    CYCLE,
    MESSAGES,
    ANGLES,
    RATES = ANGLES + IB_LEGS_JOINTS,
    HELD_ANGLES = RATES + IB_LEGS_JOINTS,
    HELD_RATES = HELD_ANGLES + IB_LEGS_JOINTS,
    OWN = HELD_RATES + IB_LEGS_JOINTS,
};

static const char *const path_legs[] = {"first", "fl", "fr", "rl", "rr", NULL};

enum { GOAL, ERROR, OUTPUT, SHOWN }; ///< signals of each joint

// ------------------------------------------------------------------------------------------ wiring

static ib_Status add_joint(const Config *config, const ib_ControlSite *site, int number,
                           const ib_ControlPin *command, Model *model, ib_ControlPorts *ports,
                           const char **reads, const char **sets, ib_Error *error)
{
    const ib_LegJoint *told = &site->legs->joints[number];
    const ib_JointServoShared shared = {.period = model->period,
                                        .filter_time = config->filter_time,
                                        .reference_time = config->reference_time,
                                        .washout = config->washout,
                                        .scheduled = config->schedule == 0,
                                        .straight = config->conversion == 1};
    Joint *joint = &model->joints[model->count];
    joint->number = number;
    joint->measurement = ports->measurement_count;
    joint->servo = (ib_JointServo){.valve = strcmp(command->unit, "V") == 0,
                                   .stroke = config->measures == IDEAL_STROKE,
                                   .low = command->low,
                                   .high = command->high};
    ib_Status status =
        ib_leg_wiring_angle(site, &config->wiring.sensors, told, &joint->servo.stroke,
                            &reads[ports->measurement_count], error);
    int which = number % IB_LEG_JOINTS;
    if (status == IB_OK)
        status = ib_joint_servo_init(&config->joint[which], &shared, &told->linkage,
                                     command->neutral, &joint->servo, error);
    if (status == IB_OK && ib_joint_servo_reads(&joint->servo) > 1)
        status = ib_leg_wiring_pressures(site, &config->pressures, told,
                                         &reads[ports->measurement_count + 1], error);
    if (status != IB_OK) return status;
    ports->measurement_count += ib_joint_servo_reads(&joint->servo);
    sets[model->count++] = told->command;
    return IB_OK;
}

// Valves and servos are set; an undriven joint, or a torque, is not.
static ib_Status add_joints(const Config *config, const ib_ControlSite *site, ib_Arena *arena,
                            Model *model, ib_ControlPorts *ports, ib_Error *error)
{
    const char **reads = ib_arena_array(arena, 3 * IB_LEGS_JOINTS, sizeof *reads);
    const char **sets = ib_arena_array(arena, IB_LEGS_JOINTS, sizeof *sets);
    if (!reads || !sets) return ib_error_set(error, IB_FAILED, "out of memory for a controller");
    for (int i = 0; i < IB_LEG_JOINTS * site->legs->count; i++) {
        const char *name = site->legs->joints[i].command;
        const ib_ControlPin *command = name ? ib_site_command(site, name) : NULL;
        if (!command || (strcmp(command->unit, "V") != 0 && strcmp(command->unit, "rad") != 0))
            continue;
        ib_Status status = add_joint(config, site, i, command, model, ports, reads, sets, error);
        if (status != IB_OK) return status;
    }
    if (model->count == 0)
        return ib_error_set(error, IB_BAD_INPUT,
                            "no joint has a valve or a servo that nobody sets yet");
    ports->measurements = reads;
    ports->outputs = sets;
    ports->output_count = model->count;
    return IB_OK;
}

// --------------------------------------------------------------------------------------- its ports

static const ib_ControlCommand stand_goals[IB_STAND_GOALS] = {
    [IB_STAND_HEIGHT] = {.name = "goal.height",
                         .unit = "m",
                         .sentence = "wanted height of the body above the centres of its feet",
                         .low = -10,
                         .high = 10},
    [IB_STAND_FORWARD] = {.name = "goal.forward",
                          .unit = "m",
                          .sentence = "how far forward the body shall be of where it starts",
                          .low = -10,
                          .high = 10},
    [IB_STAND_LEFT] = {.name = "goal.left",
                       .unit = "m",
                       .sentence = "how far to the left the body shall be of where it starts",
                       .low = -10,
                       .high = 10},
    [IB_STAND_PITCH] = {.name = "goal.pitch",
                        .unit = "rad",
                        .sentence = "wanted pitch of the body; positive: the front dips",
                        .low = -1.6,
                        .high = 1.6},
    [IB_STAND_ROLL] = {.name = "goal.roll",
                       .unit = "rad",
                       .sentence = "wanted roll of the body; positive: the right side dips",
                       .low = -1.6,
                       .high = 1.6},
};

// Goal number `i` of feet or angles: "goal.fr.x", "goal.fr.alpha".
static bool name_goal(const Model *model, const ib_ControlLegs *legs, int i, ib_Arena *arena,
                      ib_ControlCommand *command)
{
    static const char *const axes[] = {"x", "y", "z"};
    const ib_LegGoals *goals = &model->goals;
    int leg = i / IB_LEG_JOINTS, part = i % IB_LEG_JOINTS;
    bool angles = goals->mode == IB_LEGS_ANGLES;
    double foot[3];
    ib_leg_foot(&goals->leg_model, goals->angles[leg], foot);
    if (goals->frame == IB_FEET_IN_BODY) memcpy(foot, goals->feet[leg], sizeof foot);
    *command = (ib_ControlCommand){
        .name = ib_arena_format(arena, "goal.%s.%s", legs->names[leg],
                                angles ? ib_leg_joints[part] : axes[part]),
        .unit = angles ? "rad" : "m",
        .sentence =
            angles ? ib_arena_format(arena, "wanted %s", legs->joints[i].angle)
                   : ib_arena_format(arena,
                                     "wanted place of the foot in the frame of "
                                     "%s, along %s",
                                     goals->frame == IB_FEET_IN_BODY ? "the body" : "its shoulder",
                                     axes[part]),
        .neutral = angles ? goals->angles[leg][part] : foot[part],
        .low = angles ? legs->leg_model.range[part][0] : -10,
        .high = angles ? legs->leg_model.range[part][1] : 10};
    return command->name && command->sentence;
}

static bool make_commands(const Model *model, const ib_ControlSite *site, ib_Arena *arena,
                          ib_ControlPorts *ports)
{
    int count = ib_leg_goals_count(&model->goals);
    ib_ControlCommand *commands = ib_arena_array(arena, (size_t)count + 1, sizeof *commands);
    if (!commands) return false;
    for (int i = 0; i < count; i++) {
        if (model->goals.mode == IB_LEGS_STAND)
            commands[i] = stand_goals[i];
        else if (!name_goal(model, site->legs, i, arena, &commands[i]))
            return false;
        commands[i].kept = true;
        commands[i].name = ib_site_name(site, arena, commands[i].name);
        if (!commands[i].name) return false;
    }
    if (model->goals.mode == IB_LEGS_STAND) commands[IB_STAND_HEIGHT].neutral = model->goals.below;
    ports->commands = commands;
    ports->command_count = count;
    return true;
}

static bool make_signals(const Model *model, const ib_ControlSite *site, ib_Arena *arena,
                         ib_ControlPorts *ports)
{
    static const ib_SignalDef whole[] = {
        {"unreached", "1", "goals of feet are out of reach; counted so far, one a leg and tick", 0,
         IB_MEANS(.headline = 3, .warns = true)},
        {"cycle", "1", "cycles of the path that have begun", 0},
    };
    static const ib_SignalDef own[SHOWN] = {
        [GOAL] = {"goal", "rad", "angle that the joint shall have now", 0,
                  IB_MEANS(.shown = "deg")},
        [ERROR] = {"error", "rad", "what is missing of it, as it is measured", 0,
                   IB_MEANS(.shown = "deg")},
        [OUTPUT] = {"output", "V", "what the joint's drive is told", 0},
    };
    int legs = site->legs->count, count = 0;
    ib_SignalDef *signals =
        ib_arena_array(arena, (size_t)(2 + legs + SHOWN * model->count), sizeof *signals);
    if (!signals) return false;
    for (int i = 0; i < 2; i++) signals[count++] = whole[i];
    for (int i = 0; i < legs; i++)
        signals[count++] =
            (ib_SignalDef){ib_arena_format(arena, "%s.foot.error", site->legs->names[i]), "m",
                           "distance of the foot from where its goals have it, by its angles", 0,
                           IB_MEANS(.shown = "mm", .headline = 2)};
    for (int i = 0; i < SHOWN * model->count; i++) {
        const Joint *joint = &model->joints[i / SHOWN];
        signals[count] = own[i % SHOWN];
        signals[count].name = ib_arena_format(
            arena, "%s.%s", site->legs->joints[joint->number].name, own[i % SHOWN].name);
        if (i % SHOWN == OUTPUT && !joint->servo.valve) signals[count].unit = "rad";
        count++;
    }
    for (int i = 0; i < count; i++)
        if (!signals[i].name) return false;
    ports->signals = signals;
    ports->signal_count = count;
    return true;
}

// The number of the leg that a word of `foot_path.leg` names; -1: the robot has none such.
static int find_leg(const ib_ControlLegs *legs, int word)
{
    if (word == 0) return 0;
    for (int i = 0; i < legs->count; i++)
        if (strcmp(legs->names[i], path_legs[word]) == 0) return i;
    return -1;
}

static ib_Status init(const void *config_, const ib_ControlSite *site, ib_Arena *arena,
                      void *model_, ib_ControlPorts *ports, ib_Error *error)
{
    const Config *config = config_;
    Model *model = model_;
    if (!site->legs)
        return ib_error_set(error, IB_BAD_INPUT,
                            "kind: this robot has no legs: expected one such as kind quadruped");
    *model = (Model){.period = config->wiring.period,
                     .bus_period = ib_time_from_seconds(config->bus_period),
                     .bus_loss = config->bus_loss};
    ib_LegGoalsConfig goals = config->goals;
    goals.leg = find_leg(site->legs, goals.leg);
    if (goals.leg < 0 && goals.mode == IB_LEGS_PATH)
        return ib_error_set(error, IB_BAD_INPUT, "foot_path.leg: the robot has no leg '%s'",
                            path_legs[config->goals.leg]);
    ib_Status status = ib_leg_goals_init(&goals, site->legs, &model->goals, error);
    if (status == IB_OK)
        status = ib_leg_wiring_check(site, "sensors", &config->wiring.sensors, false, error);
    if (status == IB_OK)
        status = ib_leg_wiring_check(site, "pressures", &config->pressures, true, error);
    if (status == IB_OK) status = add_joints(config, site, arena, model, ports, error);
    if (status != IB_OK) return status;
    ports->state_count = OWN + IB_JOINT_SERVO_STATES * model->count;
    if (!make_commands(model, site, arena, ports) || !make_signals(model, site, arena, ports))
        return ib_error_set(error, IB_FAILED, "out of memory for a controller");
    return IB_OK;
}

// --------------------------------------------------------------------------------------------- run

static void reset(const void *model_, double *state)
{
    const Model *model = model_;
    memcpy(state + ANGLES, model->goals.angles, sizeof model->goals.angles);
    memcpy(state + HELD_ANGLES, model->goals.angles, sizeof model->goals.angles);
}

// Present goals of each leg, with rates from the goals one period later. Out of reach each joint
// rests within its range.
static void find_goals(const Model *model, const ib_ControlTick *tick, double *state)
{
    double later[IB_LEGS_JOINTS], t = ib_time_to_seconds(tick->time), T = model->period;
    int count = ib_leg_goals_count(&model->goals);
    for (int i = 0; i < count; i++)
        later[i] = tick->command[i] + (tick->slope ? T * tick->slope[i] : 0);
    for (int leg = 0; leg < model->goals.count; leg++) {
        double now[IB_LEG_JOINTS], then[IB_LEG_JOINTS];
        double *angle = state + ANGLES + IB_LEG_JOINTS * leg;
        double *rate = state + RATES + IB_LEG_JOINTS * leg;
        bool reached = ib_leg_goals_at(&model->goals, tick->command, t, leg, now);
        bool moves = reached && ib_leg_goals_at(&model->goals, later, t + T, leg, then);
        state[UNREACHED] += !reached;
        memcpy(angle, now, sizeof now);
        for (int j = 0; j < IB_LEG_JOINTS; j++) rate[j] = moves ? (then[j] - now[j]) / T : 0;
    }
    state[CYCLE] = ib_leg_goals_cycle(&model->goals, t);
}

// A bus brings every joint its goal, message by message; a joint whose message is lost keeps the
// one before. Losses are a function of the joint and of the number of the message, the same in
// every run.
static void send_goals(const Model *model, const ib_ControlTick *tick, double *state)
{
    static const uint64_t seed = 3;
    double number = model->bus_period > 0 ? (double)(tick->time / model->bus_period) + 1 : 0;
    if (model->bus_period > 0 && number == state[MESSAGES]) return;
    state[MESSAGES] = number;
    for (int i = 0; i < model->count; i++) {
        int at = model->joints[i].number;
        if (model->bus_loss > 0 &&
            ib_random_uniform(seed, (uint64_t)at, (uint64_t)number) < model->bus_loss)
            continue;
        state[HELD_ANGLES + at] = state[ANGLES + at];
        state[HELD_RATES + at] = state[RATES + at];
    }
}

static ib_ControlStatus step(const void *model_, const ib_ControlTick *tick, double *state,
                             double *output)
{
    const Model *model = model_;
    find_goals(model, tick, state);
    send_goals(model, tick, state);
    for (int i = 0; i < model->count; i++) {
        const Joint *joint = &model->joints[i];
        output[i] = ib_joint_servo_step(
            &joint->servo, state[HELD_ANGLES + joint->number], state[HELD_RATES + joint->number],
            tick->measurement + joint->measurement, state + OWN + IB_JOINT_SERVO_STATES * i);
    }
    return IB_CONTROL_OK;
}

// Distance of a foot from its goal. Joints of others are taken to be at their goals.
static double foot_error(const Model *model, const double *state, int leg)
{
    double wanted[3], is[3], angle[IB_LEG_JOINTS], sum = 0;
    memcpy(angle, state + ANGLES + IB_LEG_JOINTS * leg, sizeof angle);
    ib_leg_foot(&model->goals.leg_model, angle, wanted);
    for (int i = 0; i < model->count; i++) {
        const Joint *joint = &model->joints[i];
        const double *own = state + OWN + IB_JOINT_SERVO_STATES * i;
        if (joint->number / IB_LEG_JOINTS == leg && own[IB_SERVO_SAMPLES] > 0)
            angle[joint->number % IB_LEG_JOINTS] = ib_joint_servo_measured(own);
    }
    ib_leg_foot(&model->goals.leg_model, angle, is);
    for (int k = 0; k < 3; k++) sum += (wanted[k] - is[k]) * (wanted[k] - is[k]);
    return sqrt(sum);
}

static void show(const void *model_, const double *command, const double *state, double *signals)
{
    const Model *model = model_;
    (void)command;
    *signals++ = state[UNREACHED];
    *signals++ = state[CYCLE];
    for (int i = 0; i < model->goals.count; i++) *signals++ = foot_error(model, state, i);
    for (int i = 0; i < model->count; i++, signals += SHOWN) {
        const double *own = state + OWN + IB_JOINT_SERVO_STATES * i;
        signals[GOAL] = ib_joint_servo_wanted(own);
        signals[ERROR] = ib_joint_servo_wanted(own) - ib_joint_servo_measured(own);
        signals[OUTPUT] = own[IB_JOINT_SERVO_OUTPUT];
    }
}

// ---------------------------------------------------------------------------------------- in files

static const char *const modes[] = {"stand", "angles", "feet", "foot_path", NULL};
static const char *const frames[] = {"body", "shoulder", NULL};
static const char *const measured[] = {"angle", "stroke", NULL};
static const char *const conversions[] = {"exact", "linear", NULL};
static const char *const schedules[] = {"arm", "off", NULL};

#define ROW(key, type, unit, fallback, min, max, detail, field, sentence)                          \
    IB_PARAM_ROW(key, type, unit, fallback, min, max, detail, Config, field, false, sentence)
#define CHOICE(key, fallback, words, field, sentence)                                              \
    ROW(key, IB_PARAM_CHOICE, "1", fallback, 0, 0, words, field, sentence)
#define GAIN(key, unit, fallback, which, gain_, sentence)                                          \
    ROW(key, IB_PARAM_NUMBER, unit, fallback, 0, 1e6, NULL, joint[which].gain[gain_], sentence)
#define JOINT(key, which, kp, ki, kv, ka, kpressure, feed_)                                        \
    GAIN(key ".kp", "V/rad", kp, which, IB_PVA_KP, "output for an error of the angle"),            \
        GAIN(key ".ki", "V/(rad*s)", ki, which, IB_PVA_KI,                                         \
             "output that an error adds in every second"),                                         \
        GAIN(key ".kv", "V*s/rad", kv, which, IB_PVA_KV, "output for an error of the rate"),       \
        GAIN(key ".ka", "V*s^2/rad", ka, which, IB_PVA_KA,                                         \
             "output for an error of the acceleration"),                                           \
        GAIN(key ".kpressure", "V/Pa", kpressure, which, IB_PVA_KPRESSURE,                         \
             "output against the difference of the pressures"),                                    \
        ROW(key ".feedforward", IB_PARAM_NUMBER, "V*s/rad", feed_, 0, 1e6, NULL,                   \
            joint[which].feed, "output for the wanted rate, whatever is measured")

static const ib_Param params[] = {
    ROW("sensors", IB_PARAM_WORDS, "1", NULL, 0, 0, NULL, wiring.sensors,
        "names of robot.sensors: one of each joint, of its angle or of its cylinder's stroke, in "
        "any order; none: sampled ideally"),
    ROW("pressures", IB_PARAM_WORDS, "1", NULL, 0, 0, NULL, pressures,
        "the same of both pressures of each cylinder; none: sampled ideally"),
    CHOICE("measures", "angle", measured, measures,
           "what is sampled where no sensors are named; strokes become angles by the linkages"),
    CHOICE("conversion", "exact", conversions, conversion,
           "how strokes become angles: by the triangle, or by a straight line between the ends"),
    ROW("period", IB_PARAM_NUMBER, "s", "1 ms", 1e-6, 1000, NULL, wiring.period,
        "time between two samples"),
    ROW("latency", IB_PARAM_NUMBER, "s", "0 s", 0, 1000, NULL, wiring.latency,
        "time from a sample until what follows from it acts, at most 100 periods"),
    ROW("output_bits", IB_PARAM_COUNT, "1", "0", 0, IB_CONVERTER_BITS, NULL, wiring.output_bits,
        "bits of the D/A converter over the range of what it sets; 0: no steps"),
    CHOICE("mode", "stand", modes, goals.mode,
           "what goals are: of the body; angles; places of feet; or a path that one foot drives"),
    CHOICE("frame", "body", frames, goals.frame,
           "in which goals of feet are told: x forward, y left, z up; or that of each shoulder"),
    CHOICE("foot_path.leg", "first", path_legs, goals.leg, "the leg that drives the path"),
    IB_NUMBER_ROW("foot_path.start", "s", "2 s", 0, 1e6, goals.start,
                  "when it begins; until then the foot goes to its rear end"),
    IB_NUMBER_ROW("foot_path.length", "m", "20 cm", 1e-6, 10, goals.length,
                  "of the drag along the ground; its middle is where the foot starts"),
    IB_NUMBER_ROW("foot_path.height", "m", "6 cm", 0, 10, goals.height, "of the arc in the air"),
    IB_NUMBER_ROW("foot_path.duty", "1", "0.6", 1e-3, 0.999, goals.duty,
                  "part of a period that the foot is dragged"),
    IB_NUMBER_ROW("foot_path.slow", "s", "4 s", 0, 1e6, goals.slow,
                  "period of slow cycles; 0: none"),
    IB_NUMBER_ROW("foot_path.medium", "s", "2 s", 0, 1e6, goals.medium,
                  "period of the cycles after these; 0: none"),
    IB_NUMBER_ROW("foot_path.fast", "s", "1 s", 0, 1e6, goals.fast,
                  "period of the last cycles; 0: none"),
    ROW("foot_path.cycles", IB_PARAM_COUNT, "1", "3", 1, 1000000, NULL, goals.cycles,
        "cycles of each period"),
    JOINT("alpha", IB_LEG_ALPHA, "45 V/rad", "8 V/(rad*s)", "3 V*s/rad", "0 V*s^2/rad",
          "1.6e-5 V/Pa", "1 V*s/rad"),
    JOINT("beta", IB_LEG_BETA, "40 V/rad", "8 V/(rad*s)", "1.2 V*s/rad", "0 V*s^2/rad",
          "1.6e-5 V/Pa", "0.6 V*s/rad"),
    JOINT("gamma", IB_LEG_GAMMA, "25 V/rad", "6 V/(rad*s)", "0.5 V*s/rad", "0 V*s^2/rad",
          "2.2e-5 V/Pa", "0.5 V*s/rad"),
    CHOICE("schedule", "arm", schedules, schedule,
           "gains in proportion to the arm of the cylinder at the joint, as long as it is where it "
           "is longest; or as they are"),
    IB_NUMBER_ROW("pressure_washout", "s", "0.5 s", 0, 1e6, washout,
                  "time in which a difference of the pressures that lasts is forgotten; 0: never"),
    IB_NUMBER_ROW("filter_time", "s", "5 ms", 0, 1e6, filter_time,
                  "time constant of the low-pass filter of rates, which are found by differences"),
    IB_NUMBER_ROW("reference_time", "s", "0 s", 0, 1e6, reference_time,
                  "time constant of the way to a goal that steps; 0: none"),
    IB_NUMBER_ROW("bus.period", "s", "0 s", 0, 1000, bus_period,
                  "time between two messages that bring the joints their goals; 0: goals are "
                  "there at once"),
    IB_NUMBER_ROW("bus.loss", "1", "0", 0, 1, bus_loss,
                  "probability that such a message is lost: the joint keeps the goal before"),
};

static const char *idle(const void *config_, const char *key)
{
    const Config *config = config_;
    bool path = config->goals.mode == IB_LEGS_PATH, pressed = false, strokes = false;
    for (int i = 0; i < IB_LEG_JOINTS; i++) pressed |= config->joint[i].gain[IB_PVA_KPRESSURE] != 0;
    strokes = config->wiring.sensors.count > 0 || config->measures == IDEAL_STROKE;
    if (strncmp(key, "foot_path.", 10) == 0) return path ? NULL : "mode";
    if (strcmp(key, "bus.loss") == 0) return config->bus_period > 0 ? NULL : "bus.period";
    if (strcmp(key, "frame") == 0) return config->goals.mode == IB_LEGS_FEET ? NULL : "mode";
    if (strcmp(key, "measures") == 0) return config->wiring.sensors.count > 0 ? "sensors" : NULL;
    if (strcmp(key, "conversion") == 0) return strokes ? NULL : "measures";
    if (strcmp(key, "pressures") == 0 || strcmp(key, "pressure_washout") == 0)
        return pressed ? NULL : "alpha.kpressure";
    return NULL;
}

const ib_ControllerKind ib_legs_kind = {
    .name = "legs",
    .sentence = "all joints of a robot's legs: a body that stands, feet at places, a foot that "
                "walks along a path",
    .docs = "docs/control/legs.md",
    IB_CONTROLLER_TABLES(Config, Model),
    .params.idle = idle,
    IB_CONTROLLER_FUNCTIONS,
};
