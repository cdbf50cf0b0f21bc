#include "sim/model.h"

#include "base/extreme.h"
#include "base/hash.h"
#include "sim/contact/field.h"
#include "sim/contact/relief.h"
#include "sim/contact/rider.h"
#include "sim/contact/zones.h"
#include "sim/loop/continuous.h"
#include "sim/loop/control.h"
#include "sim/loop/failure.h"
#include "sim/shared_world.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PARTS = 10000 }; ///< of a step

const ib_SignalDef ib_path_signals[IB_PATH_SIGNALS] = {
    {"path.deviation", "m", "distance from the drawn path", 0, IB_MEANS(.headline = 2)},
};

const ib_SignalDef ib_disturbance_signals[IB_DISTURBANCE_SIGNALS] = {
    {"disturbance.force.x", "N", "sum of the pushes, field x", 0, IB_MEANS(.role = IB_ROLE_PUSH_X)},
    {"disturbance.force.y", "N", "sum of the pushes, field y", 0, IB_MEANS(.role = IB_ROLE_PUSH_Y)},
    {"disturbance.torque", "N*m", "torque of the pushes about the robot's origin", 0,
     IB_MEANS(.role = IB_ROLE_PUSH_TORQUE)},
    {"disturbance.impulse.x", "N*s", "sum of the sudden pushes so far, field x", 0},
    {"disturbance.impulse.y", "N*s", "sum of the sudden pushes so far, field y", 0},
    {"disturbance.slope.x", "m/s^2", "gravity along the tilted floor, field x", 0,
     IB_MEANS(.role = IB_ROLE_SLOPE_X)},
    {"disturbance.slope.y", "m/s^2", "gravity along the tilted floor, field y", 0,
     IB_MEANS(.role = IB_ROLE_SLOPE_Y)},
};

static ib_Status no_memory(ib_Error *error)
{
    return ib_error_set(error, IB_FAILED, "out of memory for the model");
}

// ------------------------------------------------------------------------------------------ robots

// Each robot by itself, as its kind makes it, with the commands of its loops among its inputs.
static ib_Status make_robots(const ib_SimConfig *config, ib_Arena *arena, ib_Robot **result,
                             ib_Error *error)
{
    ib_Robot *robots = ib_arena_array(arena, (size_t)config->robot_count, sizeof *robots);
    if (!robots) return no_memory(error);
    ib_Status status = IB_OK;
    for (int i = 0; status == IB_OK && i < config->robot_count; i++) {
        const ib_RobotConfig *own = &config->robots[i];
        status = ib_robot_init(own->kind, own->config, arena, &robots[i], error);
        for (int k = 0; status == IB_OK && k < own->controller_count; k++)
            status = ib_control_extend(own->controllers[k], arena, &robots[i].ports, error);
    }
    *result = robots;
    return status;
}

static ib_RobotModel place_robot(const ib_RobotConfig *config, const ib_Robot *made)
{
    ib_RobotModel robot = {.name = config->name,
                           .kind = made->kind,
                           .config = config->config,
                           .model = made->model,
                           .ports = made->ports,
                           .timelines = config->inputs,
                           .path = config->path,
                           .path_signal = -1,
                           .body = -1,
                           .contact_signal = -1,
                           .partner = -1,
                           .zone_signal = -1,
                           .ridge_signal = -1,
                           .rider = -1,
                           .legs_signal = -1,
                           .member = -1,
                           .disturbance_signal = -1};
    for (int i = 0; i < config->controller_count; i++) {
        const ib_ControlPorts *loop = &config->controllers[i]->ports;
        if (!loop->path) continue;
        robot.path = loop->path;
        robot.path_start = loop->path_start;
    }
    return robot;
}

// The path begins where the robot stands; its inputs come from the plan.
static ib_Status robot_plan(ib_RobotModel *robot, bool planned, double gravity, ib_Arena *arena,
                            ib_Error *error)
{
    if (!planned) return IB_OK;
    bool posed = robot->x_signal >= 0 && robot->y_signal >= 0 && robot->heading_signal >= 0;
    if (!robot->kind->locomotion || !posed)
        return ib_error_set(error, IB_BAD_INPUT, "a %s cannot follow a path", robot->kind->name);
    size_t states = (size_t)robot->ports.state_count, signals = (size_t)robot->ports.signal_count;
    double *state = ib_arena_array(arena, states, sizeof *state);
    double *output = ib_arena_array(arena, signals, sizeof *output);
    double *input = ib_arena_array(arena, (size_t)robot->ports.input_count, sizeof *input);
    if (!state || !output || !input) return no_memory(error);

    robot->kind->reset(robot->config, robot->model, state);
    for (int i = 0; i < robot->ports.input_count; i++) input[i] = robot->ports.inputs[i].neutral;
    ib_robot_output(robot->kind, robot->model, &robot->ports, NULL, state, input, output);
    robot->path_start = (ib_PathPoint){.x = output[robot->x_signal - robot->signal],
                                       .y = output[robot->y_signal - robot->signal],
                                       .course = output[robot->heading_signal - robot->signal]};
    ib_Locomotion base;
    ib_Status status = robot->kind->locomotion(robot->model, state, gravity, &base, error);
    if (status == IB_OK && !base.plan)
        status = ib_error_set(error, IB_BAD_INPUT, "a %s cannot follow a path", robot->kind->name);
    if (status == IB_OK) status = base.plan(&base, state, robot->path, arena, &robot->plan, error);
    if (status != IB_OK) return status;
    // The script sets the inputs that the plan does not.
    size_t inputs = (size_t)robot->ports.input_count;
    ib_Timeline *lines = ib_arena_array(arena, inputs, sizeof *lines);
    if (!lines) return no_memory(error);
    if (robot->timelines) memcpy(lines, robot->timelines, inputs * sizeof *lines);
    for (int i = 0; i < robot->plan.input_count; i++)
        if (robot->plan.timelines[i].count > 0) lines[i] = robot->plan.timelines[i];
    robot->timelines = lines;
    return IB_OK;
}

static ib_Status lay_path(ib_RobotModel *robot, ib_Arena *arena, ib_Error *error)
{
    if (!robot->path) return IB_OK;
    ib_PathPiece *pieces = ib_arena_array(arena, (size_t)robot->path->count, sizeof *pieces);
    if (!pieces) return no_memory(error);
    ib_path_lay(robot->path, robot->path_start, pieces);
    robot->path_pieces = pieces;
    return IB_OK;
}

// ----------------------------------------------------------------------------------------- signals

static int find_signal(const ib_Model *model, const ib_RobotModel *robot, const char *name)
{
    const ib_SignalTable *table = &model->signals;
    size_t prefix = robot->name[0] ? strlen(robot->name) + 1 : 0;
    for (int i = robot->signal; i < table->count; i++)
        if (strlen(table->items[i].name) > prefix && !strcmp(table->items[i].name + prefix, name) &&
            !strncmp(table->items[i].name, robot->name, prefix ? prefix - 1 : 0))
            return i;
    return -1;
}

// The signal of this role among the robot's own, -1: it has none.
static int find_role(const ib_RobotModel *robot, ib_SignalRole role)
{
    for (int i = 0; i < robot->ports.signal_count; i++)
        if (robot->ports.signals[i].means.role == role) return robot->signal + i;
    return -1;
}

// Tells each signal its robot, if robots have names.
static void name_robots(ib_Model *model)
{
    for (int k = 0; k < model->robot_count; k++) {
        const char *robot = model->robots[k].name;
        size_t length = strlen(robot);
        for (int i = 0; length > 0 && i < model->signals.count; i++) {
            ib_SignalDef *def = &model->signals.items[i];
            bool own = strncmp(def->name, robot, length) == 0 && def->name[length] == '.';
            if (own) def->means.robot = robot;
        }
    }
}

// The inputs that disturbances of this robot scale or push, each once.
static int *scaled_inputs(const ib_Model *model, int index, ib_Arena *arena, int *count)
{
    const ib_RobotModel *robot = &model->robots[index];
    int *scaled = ib_arena_array(arena, (size_t)robot->ports.input_count, sizeof *scaled);
    *count = 0;
    for (int i = 0; scaled && i < robot->ports.input_count; i++) {
        bool used = false;
        for (int k = 0; k < model->config->disturbance_count; k++) {
            const ib_Disturbance *d = &model->config->disturbances[k];
            ib_InputRole role = robot->ports.inputs[i].role;
            bool scales = d->type == IB_DISTURBANCE_SCALE && role == IB_INPUT_GAIN;
            bool pushes = d->type == IB_DISTURBANCE_PART && role == IB_INPUT_PUSH;
            used |= (scales || pushes) && (d->robot < 0 || d->robot == index) &&
                    !strcmp(d->signal, robot->ports.inputs[i].name);
        }
        if (used) scaled[(*count)++] = i;
    }
    return scaled;
}

static ib_Status add_robot_signals(ib_Model *model, int index, ib_Arena *arena, ib_Error *error)
{
    ib_RobotModel *robot = &model->robots[index];
    ib_SignalTable *table = &model->signals;
    robot->signal =
        ib_signals_add(table, robot->name, robot->ports.signals, robot->ports.signal_count);
    if (robot->signal < 0) return no_memory(error);
    robot->x_signal = find_role(robot, IB_ROLE_POSE_X);
    robot->y_signal = find_role(robot, IB_ROLE_POSE_Y);
    robot->heading_signal = find_role(robot, IB_ROLE_POSE_HEADING);

    if (robot->path) {
        robot->path_signal = ib_signals_add(table, robot->name, ib_path_signals, IB_PATH_SIGNALS);
        if (robot->path_signal < 0) return no_memory(error);
    }
    if (model->config->disturbance_count == 0) return IB_OK;

    robot->disturbance_signal =
        ib_signals_add(table, robot->name, ib_disturbance_signals, IB_DISTURBANCE_SIGNALS);
    robot->scaled = scaled_inputs(model, index, arena, &robot->scaled_count);
    if (robot->disturbance_signal < 0 || !robot->scaled) return no_memory(error);
    for (int i = 0; i < robot->scaled_count; i++) {
        const ib_InputDef *input = &robot->ports.inputs[robot->scaled[i]];
        bool push = input->role == IB_INPUT_PUSH;
        ib_SignalDef signal = {
            ib_arena_format(arena, "disturbance.%s.%s", push ? "push" : "scale", input->name),
            push ? input->unit : "1",
            push ? "force or torque that pushes on it from outside"
                 : "factor on the signal of that name",
            0};
        if (!signal.name || ib_signals_add(table, robot->name, &signal, 1) < 0)
            return no_memory(error);
    }
    return IB_OK;
}

static ib_Status add_sensors(ib_Model *model, int index, ib_Arena *arena, ib_Error *error)
{
    const ib_RobotConfig *config = &model->config->robots[index];
    const ib_RobotModel *robot = &model->robots[index];
    for (int i = 0; i < config->sensor_count; i++) {
        ib_SensorModel *sensor = &model->sensors[model->sensor_count];
        const ib_SensorConfig *c = &config->sensors[i];
        int truth = find_signal(model, robot, c->signal);
        if (truth < 0)
            return ib_error_set(error, IB_BAD_INPUT,
                                "sensor '%s' measures '%s', which a %s does not have", c->name,
                                c->signal, robot->kind->name);
        ib_SignalDef signal = {ib_arena_format(arena, "sensor.%s", c->name),
                               c->unit ? c->unit : model->signals.items[truth].unit,
                               ib_arena_format(arena, "%s %s", c->signal, ib_sensor_kind(c)->shows),
                               0};
        signal.means.binary = ib_sensor_kind(c)->binary;
        if (!c->unit) signal.means.shown = model->signals.items[truth].means.shown;
        *sensor = (ib_SensorModel){.config = c, .robot = index, .truth = truth};
        sensor->signal = ib_signals_add(&model->signals, robot->name, &signal, 1);
        if (!signal.name || !signal.sentence || sensor->signal < 0) return no_memory(error);
        sensor->stream = ib_hash_text(IB_HASH_START, model->signals.items[sensor->signal].name);
        model->sensor_count++;
    }
    return IB_OK;
}

// ------------------------------------------------------------------------------------------ arrays

// A robot's states for the solver; its sums, if any, stand after all others. On ridges the rates
// depend on its place, which may be among the sums.
static ib_Block block_of(const ib_Model *model, const ib_RobotModel *robot)
{
    const ib_RobotPorts *ports = &robot->ports;
    int from = robot->state, to = from + ports->state_count;
    // A continuous loop's states are one with the robot's, and it may measure any signal.
    bool ruled = ib__continuous_end(model, robot, &to);
    if (ports->sum_from == ports->sum_to || model->relief || ruled)
        return (ib_Block){from, to, to, to};
    return (ib_Block){from, to, from + ports->sum_from, from + ports->sum_to};
}

// Gives every robot and sensor its share of the state, input and guard arrays.
static ib_Status lay_out(ib_Model *model, ib_Arena *arena, ib_Error *error)
{
    for (int i = 0; i < model->robot_count; i++) {
        ib_RobotModel *robot = &model->robots[i];
        robot->state = model->state_count;
        robot->input = model->input_count;
        robot->guard = model->guard_count;
        model->state_count += robot->ports.state_count;
        ib__continuous_lay_out(model, i);
        model->input_count += robot->ports.input_count;
        model->guard_count += robot->ports.guard_count;
    }
    model->robot_state_count = model->state_count;
    model->blocks = ib_arena_array(arena, (size_t)model->robot_count, sizeof *model->blocks);
    if (!model->blocks) return no_memory(error);
    for (int i = 0; i < model->robot_count; i++)
        model->blocks[i] = block_of(model, &model->robots[i]);
    for (int i = 0; i < model->robot_count; i++) {
        model->robots[i].impulse = model->input_count;
        model->input_count += 2;
    }
    for (int i = 0; i < model->sensor_count; i++) {
        const ib_SensorConfig *config = model->sensors[i].config;
        model->sensors[i].state =
            config->channel > 0 ? model->sensors[i - 1].state + 1 : model->state_count;
        model->state_count += ib_sensor_states(config);
        model->sensors[i].gain = model->input_count++;
    }
    ib__control_lay_out(model);
    ib_Status status = ib__field_lay_out(model, arena, error);
    ib__riders_lay_out(model);
    ib__failure_lay_out(model);
    model->step_state = model->state_count++;
    return status;
}

static ib_Status fill_inputs(ib_Model *model, ib_Arena *arena, ib_Error *error)
{
    ib_InputDef *inputs = ib_arena_array(arena, (size_t)model->input_count, sizeof *inputs);
    int *commands = ib_arena_array(arena, (size_t)model->input_count, sizeof *commands);
    if (!inputs || !commands) return no_memory(error);
    for (int i = 0; i < model->input_count; i++)
        inputs[i] = (ib_InputDef){.name = "impulse",
                                  .unit = "N*s", // and the offsets of moving elements
                                  .sentence = "sum of the sudden pushes",
                                  .role = IB_INPUT_ENVIRONMENT,
                                  .low = -DBL_MAX,
                                  .high = DBL_MAX};
    for (int i = 0; i < model->robot_count; i++) {
        const ib_RobotModel *robot = &model->robots[i];
        memcpy(inputs + robot->input, robot->ports.inputs,
               (size_t)robot->ports.input_count * sizeof *inputs);
        inputs[robot->input + IB_GRAVITY].neutral = model->config->gravity;
    }
    for (int i = 0; i < model->sensor_count; i++)
        inputs[model->sensors[i].gain] = (ib_InputDef){.name = model->sensors[i].config->name,
                                                       .unit = "1",
                                                       .sentence = "factor on the sensor",
                                                       .role = IB_INPUT_GAIN,
                                                       .neutral = 1,
                                                       .low = -DBL_MAX,
                                                       .high = DBL_MAX};
    for (int i = 0; i < model->input_count; i++)
        if (inputs[i].role == IB_INPUT_COMMAND || inputs[i].role == IB_INPUT_CONTROLLED)
            commands[model->command_count++] = i;
    model->inputs = inputs;
    model->commands = commands;
    return IB_OK;
}

static ib_Status fill_limits(ib_Model *model, ib_Arena *arena, ib_Error *error)
{
    size_t count = (size_t)model->robot_state_count;
    double *limits = ib_arena_array(arena, count, sizeof *limits);
    int *shown = ib_arena_array(arena, count, sizeof *shown);
    if (!limits || !shown) return no_memory(error);
    for (int i = 0; i < model->robot_count; i++) {
        const ib_RobotModel *robot = &model->robots[i];
        for (int k = 0; k < robot->ports.state_count; k++) {
            int signal = ib_robot_shown(&robot->ports, k);
            double limit = signal < 0 ? 0 : robot->ports.signals[signal].limit;
            limits[robot->state + k] = limit > 0 ? limit : DBL_MAX;
            shown[robot->state + k] = signal < 0 ? -1 : robot->signal + signal;
        }
    }
    ib__continuous_limits(model, limits, shown);
    model->state_limit = limits;
    model->state_signal = shown;
    return IB_OK;
}

// A robot that has an external integrator has no part in a solver's error or Jacobian.
static ib_Status check_solver(ib_Model *model, ib_Error *error)
{
    ib_SolverKind solver = model->config->solver.kind;
    const char *kind = NULL;
    for (int i = 0; i < model->robot_count; i++) {
        if (!model->robots[i].kind->integrator) continue;
        model->external_count++;
        kind = model->robots[i].kind->name;
    }
    if (!kind || !(ib_solver_adaptive(solver) || ib_solver_implicit(solver))) return IB_OK;
    return ib_error_set(error, IB_BAD_INPUT,
                        "run.solver: a %s moves by steps of its own, of run.step; expected none, "
                        "or euler or rk4 for other robots beside it",
                        kind);
}

// Worlds with contacts have matrices for the most that there may be.
static ib_Status check_memory(const ib_Model *model, ib_Error *error)
{
    const size_t most = (size_t)1 << 30;
    size_t all = 0;
    for (int i = 0; i < model->robot_count; i++)
        if (model->robots[i].member < 0) all += model->robots[i].ports.memory;
    all += ib__shared_memory(model);
    if (all <= most) return IB_OK;
    return ib_error_set(error, IB_BAD_INPUT,
                        "a simulation of the %d robots needs %zu MiB: expected at most %zu; fewer "
                        "robots, or less njmax, nconmax or nstack of an MJCF file, may help",
                        model->robot_count, all >> 20, most >> 20);
}

// The longest step that a robot takes [s]; 0: any.
static double resolution_of(const ib_Model *model, const ib_RobotPorts *ports)
{
    if (ib_solver_implicit(model->config->solver.kind)) return ports->resolution_stiff;
    if (ports->step > 0) return ports->resolution;
    // Friction with the floor is stiffer where gravity is stronger.
    double gravity = ib_max(model->config->gravity, 9.80665);
    return ports->resolution * (9.80665 / gravity);
}

// The config's step, or the longest equal part of it in whole nanoseconds that every robot takes.
static ib_Time divide_step(ib_Model *model)
{
    ib_Time step = model->config->step;
    ib_SolverKind solver = model->config->solver.kind;
    if (ib_solver_adaptive(solver)) return step;
    double resolution = ib_time_to_seconds(step);
    for (int i = 0; i < model->robot_count; i++) {
        double own = resolution_of(model, &model->robots[i].ports);
        if (own > 0 && own < resolution) resolution = own;
        model->sudden |= model->robots[i].kind->longest && !ib_solver_implicit(solver);
    }
    double wanted = ceil(ib_time_to_seconds(step) / resolution * (1 - 1e-12));
    model->coarse = wanted > MOST_PARTS;
    ib_Time least = wanted < MOST_PARTS ? (ib_Time)wanted : MOST_PARTS, parts = least;
    while (parts < 2 * least && step % parts != 0) parts++;
    return step > parts ? step / parts : 1;
}

// Everything but the plans of the paths, from robots that are made.
static ib_Status derive(const ib_SimConfig *config, const ib_Robot *robots, ib_Arena *arena,
                        ib_Model **result, ib_Error *error)
{
    ib_Model *model = ib_arena_alloc(arena, sizeof *model);
    if (!model) return no_memory(error);
    model->config = config;
    model->signals.arena = arena;
    model->robot_count = config->robot_count;
    model->robots = ib_arena_array(arena, (size_t)config->robot_count, sizeof *model->robots);
    size_t sensors = 0;
    for (int i = 0; i < config->robot_count; i++) sensors += (size_t)config->robots[i].sensor_count;
    model->sensors = ib_arena_array(arena, sensors, sizeof *model->sensors);
    if (!model->robots || !model->sensors) return no_memory(error);

    // The table must be complete before a path is planned, since the plan starts from pose signals.
    ib_Status status = IB_OK;
    for (int i = 0; i < model->robot_count; i++)
        model->robots[i] = place_robot(&config->robots[i], &robots[i]);
    for (int i = 0; status == IB_OK && i < model->robot_count; i++)
        status = add_robot_signals(model, i, arena, error);
    for (int i = 0; status == IB_OK && i < model->robot_count; i++)
        status = add_sensors(model, i, arena, error);
    if (status == IB_OK) status = ib__control_create(model, arena, error);
    if (status == IB_OK) status = ib__riders_create(model, arena, error);
    if (status == IB_OK) status = ib__field_create(model, arena, error);
    if (status == IB_OK) status = ib__field_signals(model, arena, error);
    if (status == IB_OK) status = ib__zones_create(model, arena, error);
    if (status == IB_OK) status = ib__relief_create(model, arena, error);
    if (status == IB_OK) status = ib__shared_create(model, arena, error);
    if (status == IB_OK) name_robots(model);
    if (status == IB_OK) status = lay_out(model, arena, error);
    if (status == IB_OK) status = ib__control_connect(model, arena, error);
    if (status != IB_OK) return status;
    status = check_solver(model, error);
    if (status == IB_OK) status = check_memory(model, error);
    if (status != IB_OK) return status;
    model->step = divide_step(model);
    model->known = !model->relief;
    for (int i = 0; i < model->robot_count; i++) {
        model->known &= model->robots[i].kind->jacobian != NULL;
        model->judged |=
            model->robots[i].kind->accept_step != NULL && !ib_solver_adaptive(config->solver.kind);
    }
    model->sudden |= model->relief != NULL; // nothing jumps over a ridge
    if ((status = fill_inputs(model, arena, error)) != IB_OK) return status;
    if ((status = fill_limits(model, arena, error)) != IB_OK) return status;
    model->unplanned = -1;
    *result = model;
    return IB_OK;
}

ib_Status ib_model_wire(const ib_SimConfig *config, const ib_Robot *robots, ib_Arena *arena,
                        ib_Model **result, ib_Error *error)
{
    ib_Model *model;
    ib_Status status = derive(config, robots, arena, &model, error);
    if (status != IB_OK) return status;
    *result = model;
    for (int i = 0; status == IB_OK && i < model->robot_count; i++) {
        status = robot_plan(&model->robots[i], config->robots[i].path != NULL, config->gravity,
                            arena, error);
        if (status == IB_OK) status = lay_path(&model->robots[i], arena, error);
        if (status != IB_OK) model->unplanned = i;
    }
    return status;
}

ib_Status ib_model_create(const ib_SimConfig *config, ib_Arena *arena, ib_Model **result,
                          ib_Error *error)
{
    ib_Robot *robots;
    ib_Status status = make_robots(config, arena, &robots, error);
    return status == IB_OK ? ib_model_wire(config, robots, arena, result, error) : status;
}

ib_Status ib__model_vary(const ib_Model *from, const ib_SimConfig *config, ib_Arena *arena,
                         ib_Model **result, ib_Error *error)
{
    ib_Model *model;
    ib_Robot *robots;
    ib_Status status = make_robots(config, arena, &robots, error);
    if (status == IB_OK) status = derive(config, robots, arena, &model, error);
    if (status != IB_OK) return status;
    for (int i = 0; status == IB_OK && i < model->robot_count; i++) {
        model->robots[i].plan = from->robots[i].plan;
        model->robots[i].timelines = from->robots[i].timelines;
        model->robots[i].path_start = from->robots[i].path_start;
        status = lay_path(&model->robots[i], arena, error);
    }
    *result = model;
    return status;
}
