// control/routine/routine_controller.c: an autonomous routine drives a base and sets other inputs,
// from its encoders and gyro. docs/control/routine.md
//   control: {routine: [{drive: {forward: 1 m}}, {turn: 90 deg}], sensors: [left, right, gyro]}
#include "base/extreme.h"
#include "base/maths.h"
#include "control/controller.h"
#include "control/odometry/rim_reader.h"
#include "control/routine/routine_tell.h"

#include <math.h>
#include <string.h>

#define CALM 0.8 ///< part of that rate which it is asked for

typedef struct Config {
    ib_WiringConfig wiring;
    double speed, acceleration, turn_speed, turn_acceleration;
    double near, near_angle, settle;
    double turned;    ///< places of the field are turned by this about its origin [rad]
    double clearance; ///< of a detour [m]; 0: the robot's own
    ib_Words tracking;
} Config;

typedef struct Model {
    ib_RoutineConfig routine;
    const ib_Locomotion *base; ///< NULL: nothing moves
    ib_OdometryModel odometry;
    ib_RimReader rims; ///< where something moves
    double x, y, heading;
    int moving; ///< commands that move it, before the outputs that steps set
    ib_RoutineTale tale;
} Model;

// Commands; those of the plan last: a routine without moves has none.
enum {
    S_STEP = IB_RIM_SIGNALS,
    S_LATE,
    S_ENDED,
    S_GOAL_X,
    S_GOAL_Y,
    S_PLAN_X,
    S_PLAN_Y,
    S_PLAN_HEADING,
    S_PLAN_MISS,
    S_COUNT,
};

static const ib_SignalDef signals[S_COUNT] = {
    IB_RIM_SIGNAL_ROWS,
    [S_STEP] = {"step", "1", "the step that runs, as the routine counts them; 0: none", 1e4,
                IB_MEANS(.role = IB_ROLE_STEP)},
    [S_LATE] = {"late", "1", "the step whose time was out last; 0: none", 1e4,
                IB_MEANS(.role = IB_ROLE_LATE_STEP)},
    [S_ENDED] = {"ended", "s", "when the routine had ended, since it began; 0: it has not", 1e9},
    [S_GOAL_X] = {"goal.x", "m", "where the move that runs shall end, field x", 1e7},
    [S_GOAL_Y] = {"goal.y", "m", "the same, field y", 1e7},
    [S_PLAN_X] = {"plan.x", "m", "where the move that runs should be by now, field x", 1e7,
                  IB_MEANS(.role = IB_ROLE_PLAN_X)},
    [S_PLAN_Y] = {"plan.y", "m", "the same, field y", 1e7, IB_MEANS(.role = IB_ROLE_PLAN_Y)},
    [S_PLAN_HEADING] = {"plan.heading", "rad", "the same, heading", 1e7,
                        IB_MEANS(.role = IB_ROLE_PLAN_HEADING, .shown = "deg")},
    [S_PLAN_MISS] = {"plan.miss", "m", "how far it takes the robot to be from there", 1e7},
};

// ------------------------------------------------------------------------------------------ wiring

static bool has_moves(const ib_RoutineDraft *draft)
{
    for (int i = 0; i < draft->count; i++)
        if (draft->steps[i].kind == IB_STEP_MOVE) return true;
    return false;
}

static double given(double own, double whole)
{
    return own > 0 ? own : whole;
}

// The fastest that a base goes the way of a move; of one whose directions share a bound, and of a
// move that turns or whose way is not known, the slowest direction counts.
static double fastest(const ib_Locomotion *base, const ib_MoveConfig *move)
{
    double way = fabs(move->x) + fabs(move->y);
    if (!(base->axes[0].quick > 0)) return base->top[0];
    if (move->kind != IB_MOVE_AHEAD || move->end != IB_MOVE_KEEPS || !(way > 0))
        return ib_min(base->top[0], base->top[1]);
    double length = sqrt(move->x * move->x + move->y * move->y);
    return length / (fabs(move->x) / base->top[0] + fabs(move->y) / base->top[1]);
}

// Missing values of a move are the routine's, and missing ones of that 0.6 of the base's top.
static void fill_move(const Config *config, const ib_Locomotion *base, ib_MoveConfig *move)
{
    move->speed = given(move->speed, given(config->speed, 0.6 * fastest(base, move)));
    move->acceleration = given(move->acceleration, config->acceleration);
    move->turn_speed = given(move->turn_speed, given(config->turn_speed, 0.5 * base->top[2]));
    move->turn_quickness = given(move->turn_quickness, config->turn_acceleration);
    // A base that follows its commands so fast and no faster.
    if (base->axes[0].quick > 0)
        move->acceleration = ib_min(move->acceleration, CALM * base->axes[0].quick);
    if (base->axes[2].quick > 0)
        move->turn_quickness = ib_min(move->turn_quickness, CALM * base->axes[2].quick);
    move->near = given(move->near, config->near);
    move->near_angle = given(move->near_angle, config->near_angle);
}

// Angles and places in the field's frame, seen from the other side of the field.
static void turn_move(double angle, ib_MoveConfig *move)
{
    double s, c, x = move->x, y = move->y;
    ib_sincos(angle, &s, &c);
    if (move->kind == IB_MOVE_TO || move->kind == IB_MOVE_BY) {
        move->x = c * x - s * y;
        move->y = s * x + c * y;
    }
    if (move->end == IB_MOVE_FACES) move->heading += angle;
}

// The same of a path: a copy of its samples.
static ib_Status turn_path(double angle, ib_Arena *arena, ib_MoveConfig *move, ib_Error *error)
{
    const ib_PlannedPath *path = move->path;
    ib_PlannedPath *turned = ib_arena_alloc(arena, sizeof *turned);
    ib_PlannedSample *samples = ib_arena_array(arena, (size_t)path->count, sizeof *samples);
    if (!turned || !samples) return ib_error_set(error, IB_FAILED, "out of memory for a path");
    for (int i = 0; i < path->count; i++)
        samples[i] = ib_planned_laid(&path->samples[i], 0, 0, angle);
    *turned = *path;
    turned->samples = samples;
    move->path = turned;
    return IB_OK;
}

// A drawn path is planned with the limits of its step, which are known now.
static ib_Status plan_move(const ib_RoutineStep *step, ib_Arena *arena, ib_MoveConfig *move,
                           ib_Error *error)
{
    ib_PlanLimits limits = {move->speed, move->acceleration, move->turn_speed,
                            move->turn_quickness};
    ib_PlannedPath *path = ib_arena_alloc(arena, sizeof *path);
    ib_Error reason;
    if (!path) return ib_error_set(error, IB_FAILED, "out of memory for a path");
    move->path = path;
    if (ib_drawn_plan(step->drawn, &limits, arena, path, &reason) == IB_OK) return IB_OK;
    return ib_error_set(error, IB_BAD_INPUT, "routine: line %d: %s: %.300s", step->line,
                        step->label, reason.text);
}

// Obstacles of the field, if a step drives around them.
static ib_Status find_around(const Config *config, const ib_ControlSite *site, ib_Arena *arena,
                             const ib_Detour **around, ib_Error *error)
{
    bool asked = false;
    *around = NULL;
    for (int i = 0; i < site->routine->count; i++) asked |= site->routine->steps[i].move.detours;
    if (!asked || !site->obstacles) return IB_OK;
    ib_Detour *detour = ib_arena_alloc(arena, sizeof *detour);
    if (!detour) return ib_error_set(error, IB_FAILED, "out of memory for a detour");
    ib_DetourConfig obstacles = *site->obstacles;
    if (config->clearance > 0) obstacles.clearance = config->clearance;
    *around = detour;
    return ib_detour_init(&obstacles, arena, detour, error);
}

static ib_Status find_steps(const Config *config, const ib_ControlSite *site, ib_Arena *arena,
                            Model *model, ib_Error *error)
{
    const ib_RoutineDraft *draft = site->routine;
    const ib_Detour *around;
    ib_Status found = find_around(config, site, arena, &around, error);
    if (found != IB_OK) return found;
    ib_RoutineStep *steps = ib_arena_array(arena, (size_t)draft->count, sizeof *steps);
    if (!steps) return ib_error_set(error, IB_FAILED, "out of memory for the routine");
    memcpy(steps, draft->steps, (size_t)draft->count * sizeof *steps);
    for (int i = 0; i < draft->count; i++) {
        if (steps[i].kind != IB_STEP_MOVE) continue;
        ib_MoveConfig *move = &steps[i].move;
        fill_move(config, model->base, move);
        if (move->detours) move->around = around;
        ib_Status status = steps[i].drawn ? plan_move(&steps[i], arena, move, error) : IB_OK;
        if (config->turned != 0) turn_move(config->turned, move);
        if (status == IB_OK && config->turned != 0 && move->path && !move->here)
            status = turn_path(config->turned, arena, move, error);
        if (status != IB_OK) return status;
    }
    model->routine = (ib_RoutineConfig){.period = config->wiring.period,
                                        .count = draft->count,
                                        .steps = steps,
                                        .reading_count = draft->reading_count,
                                        .output_count = draft->output_count,
                                        .outputs = draft->neutral};
    return ib_routine_check(&model->routine, error);
}

static ib_Status find_motion(const Config *config, const ib_ControlSite *site, Model *model,
                             ib_Error *error)
{
    model->x = site->start.x; // a team knows where it puts its robot down
    model->y = site->start.y;
    model->heading = site->start.course;
    if (!has_moves(site->routine)) return IB_OK;
    if (site->unmoved) return ib_error_set(error, IB_BAD_INPUT, "routine: %s", site->unmoved);
    model->base = site->base;
    model->moving = site->base->count;
    ib_OdometryConfig odometry = {
        .period = config->wiring.period, .filter = 0.02, .settle = config->settle};
    const ib_RimReaderConfig reads = {.sensors = &config->wiring.sensors,
                                      .tracking = &config->tracking};
    return ib_rim_reader_init(&reads, site, &odometry, &model->rims, &model->odometry, error);
}

// Its rows, with words for its own steps.
static const ib_SignalDef *own_signals(const Model *model, ib_Arena *arena)
{
    ib_SignalDef *own = ib_arena_array(arena, S_COUNT, sizeof *own);
    if (!own) return NULL;
    memcpy(own, signals, sizeof signals);
    own[S_STEP].means.mode = &model->tale.current;
    own[S_LATE].means.mode = &model->tale.late;
    return own;
}

// The planned way.
static ib_Status find_way(const Model *model, ib_Arena *arena, ib_ControlPorts *ports,
                          ib_Error *error)
{
    if (!model->moving) return IB_OK;
    ib_BasePose start = {.x = model->x, .y = model->y, .heading = model->heading};
    ib_Arena scratch = {0};
    ib_WayPoint *way = NULL, *points = ib_arena_array(&scratch, IB_OUTLINE_MOST, sizeof *points);
    int count = points ? ib_routine_outline(model->routine.steps, model->base, &start, points,
                                            IB_OUTLINE_MOST)
                       : 0;
    if (points) way = ib_arena_array(arena, (size_t)count, sizeof *way);
    if (way) memcpy(way, points, (size_t)count * sizeof *way);
    ib_arena_reset(&scratch);
    if (!way) return ib_error_set(error, IB_FAILED, "out of memory for the way of a routine");
    ports->way_count = count;
    ports->way = way;
    return IB_OK;
}

static ib_Status fill_ports(const ib_RoutineDraft *draft, const Model *model, ib_Arena *arena,
                            ib_ControlPorts *ports, ib_Error *error)
{
    int reads = model->rims.count + draft->reading_count,
        sets = model->moving + draft->output_count;
    const char **readings = ib_arena_array(arena, (size_t)reads, sizeof *readings);
    const char **outputs = ib_arena_array(arena, (size_t)sets, sizeof *outputs);
    ib_Gather *gathers = ib_arena_array(arena, (size_t)reads, sizeof *gathers);
    const ib_SignalDef *shown = own_signals(model, arena);
    if (!readings || !outputs || !gathers || !shown)
        return ib_error_set(error, IB_FAILED, "out of memory");
    for (int i = 0; i < reads; i++)
        readings[i] =
            i < model->rims.count ? model->rims.reads[i] : draft->readings[i - model->rims.count];
    for (int i = 0; i < reads; i++)
        gathers[i] = i < model->rims.count ? model->rims.gathers[i] : IB_GATHER_NONE;
    for (int i = 0; i < sets; i++)
        outputs[i] =
            i < model->moving ? model->base->commands[i] : draft->outputs[i - model->moving];
    *ports = (ib_ControlPorts){.state_count =
                                   IB_ODOMETRY_STATES + ib_routine_state_count(&model->routine),
                               .measurement_count = reads,
                               .measurements = readings,
                               .gathers = gathers,
                               .output_count = sets,
                               .outputs = outputs,
                               .signal_count = model->moving ? S_COUNT : S_PLAN_X,
                               .signals = shown,
                               .step_count = model->tale.count,
                               .odometry = model->moving > 0};
    return find_way(model, arena, ports, error);
}

static ib_Status init(const void *config_, const ib_ControlSite *site, ib_Arena *arena,
                      void *model_, ib_ControlPorts *ports, ib_Error *error)
{
    const Config *config = config_;
    Model *model = model_;
    if (config->wiring.inputs.count > 0)
        return ib_error_set(error, IB_BAD_INPUT,
                            "inputs: its steps say what it sets: leave it out");
    IB_ASSERT(site->routine);
    ib_Status status = find_motion(config, site, model, error);
    if (status == IB_OK) status = find_steps(config, site, arena, model, error);
    if (status == IB_OK)
        status = ib_routine_tale_init(model->routine.steps, model->routine.count, arena,
                                      &model->tale, error);
    return status == IB_OK ? fill_ports(site->routine, model, arena, ports, error) : status;
}

// -------------------------------------------------------------------------------------- one period

static double *routine_state(double *state)
{
    return state + IB_ODOMETRY_STATES;
}

static void reset(const void *model_, double *state)
{
    const Model *model = model_;
    ib_odometry_reset(model->x, model->y, model->heading, state);
    ib_routine_reset(&model->routine, routine_state(state));
}

static ib_ControlStatus step(const void *model_, const ib_ControlTick *tick, double *state,
                             double *output)
{
    const Model *model = model_;
    double *routine = routine_state(state);
    ib_AxisMotion motion;
    if (model->moving)
        ib_rim_reader_step(&model->rims, &model->odometry, tick->measurement, tick->sum, state);
    bool settles = model->moving && ib_odometry_settles(&model->odometry, state);
    ib_BasePose pose = ib_odometry_pose(state);
    memset(&motion, 0, sizeof motion);
    if (!settles)
        ib_routine_tick(&model->routine, model->base, &pose, tick->measurement + model->rims.count,
                        routine, &motion);
    if (model->moving) ib_locomotion_command(model->base, &motion, output);
    memcpy(output + model->moving, routine + IB_ROUTINE_HELD,
           (size_t)model->routine.output_count * sizeof *output);
    return IB_CONTROL_OK;
}

static void show(const void *model_, const double *command, const double *state, double *shown)
{
    const Model *model = model_;
    const double *routine = state + IB_ODOMETRY_STATES;
    (void)command;
    int current = ib_routine_current(&model->routine, routine);
    int late = ib_routine_timed_out(&model->routine, routine);
    ib_BasePose pose = ib_odometry_pose(state);
    ib_rim_reader_show(state, shown);
    shown[S_STEP] = current < 0 ? 0 : model->tale.number[current];
    shown[S_LATE] = late < 0 ? 0 : model->tale.number[late];
    shown[S_ENDED] = ib_routine_ended(&model->routine, routine);
    shown[S_GOAL_X] = pose.x;
    shown[S_GOAL_Y] = pose.y;
    if (!model->moving) return;
    double plan[3] = {pose.x, pose.y, pose.heading};
    if (current >= 0 && model->routine.steps[current].kind == IB_STEP_MOVE) {
        const double *move =
            ib_routine_step_state(&model->routine, routine, current) + IB_STEP_MOTION;
        shown[S_GOAL_X] = move[IB_MOVE_GOAL];
        shown[S_GOAL_Y] = move[IB_MOVE_GOAL + 1];
        ib_move_reference(&model->routine.steps[current].move, model->base, &pose,
                          model->routine.period, move, plan);
    }
    double dx = plan[0] - pose.x, dy = plan[1] - pose.y;
    memcpy(shown + S_PLAN_X, plan, sizeof plan);
    shown[S_PLAN_MISS] = sqrt(dx * dx + dy * dy);
}

static void tell(const void *model_, const double *state, int index, ib_ControlStep *step)
{
    const Model *model = model_;
    ib_BasePose pose = ib_odometry_pose(state);
    ib_routine_tell(&model->tale, &model->routine, model->base, &pose, state + IB_ODOMETRY_STATES,
                    index, step);
}

static const ib_Param params[] = {
    IB_WIRING_ROWS_OF("one of each rim in the order of the motors, and a gyro; without it the rims "
                      "ideally, and a sensor called gyro or, of two sides that slip, the yaw rate"),
    IB_PERIOD_ROW,
    IB_NUMBER_ROW("speed", "m/s", "0 m/s", 0, 100, speed,
                  "how fast it drives; 0: 0.6 of the fastest"),
    IB_NUMBER_ROW("acceleration", "m/s^2", "1 m/s^2", 1e-3, 1000, acceleration,
                  "how fast it gets faster and slower"),
    IB_NUMBER_ROW("turn_speed", "rad/s", "0 rad/s", 0, 100, turn_speed,
                  "how fast it turns; 0: half of the fastest"),
    IB_NUMBER_ROW("turn_acceleration", "rad/s^2", "6 rad/s^2", 1e-3, 1000, turn_acceleration,
                  "how fast turning gets faster and slower"),
    IB_NUMBER_ROW("near", "m", "2 cm", 1e-4, 10, near, "what is near enough to a place"),
    IB_NUMBER_ROW("near_angle", "rad", "2 deg", 1e-4, 3, near_angle,
                  "what is near enough to a heading"),
    IB_NUMBER_ROW("turned", "rad", "0 rad", -1e4, 1e4, turned,
                  "what its steps say of the field, turned about its origin: 180 deg for the other "
                  "alliance"),
    IB_NUMBER_ROW(
        "clearance", "m", "0 m", 0, 100, clearance,
        "of the robot's middle from obstacles that it drives around; 0: half its diagonal "
        "and 3 cm"),
    IB_PARAM_ROW("tracking", IB_PARAM_WORDS, "1", NULL, 0, 0, NULL, Config, tracking, false,
                 "sensors of two free wheels, one that rolls ahead on the robot's x axis and one "
                 "that rolls to the left on its y axis; they stand for the rims"),
    IB_NUMBER_ROW("settle", "s", "0 s", 0, 100, settle,
                  "time of rest at the start, in which the gyro's bias is found"),
};

const ib_ControllerKind ib_routine_kind = {
    .name = "routine",
    .sentence = "an autonomous routine: steps that drive, turn, wait, set and repeat",
    .docs = "docs/control/routine.md",
    IB_CONTROLLER_TABLES(Config, Model),
    .routines = true,
    IB_CONTROLLER_FUNCTIONS,
    .shows_slowly = true, // the profile of the move is found anew
    .tell = tell,
};
