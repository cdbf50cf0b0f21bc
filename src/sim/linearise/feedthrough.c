// sim/linearise/feedthrough.c: direct feedthrough from a continuous loop's output to such a
// loop's measurement.
#include "sim/loop/control.h"

#include <math.h>
#include <string.h>

enum { LEVELS = 3, SETTLINGS = 100 };

// A robot at t = 0, for trials.
typedef struct Trial {
    const ib_Robot *robot;
    double *start, *state, *input, *signals, *others;
} Trial;

static bool open_trial(const ib_Robot *robot, const void *config, double gravity, ib_Arena *arena,
                       Trial *trial)
{
    const ib_RobotPorts *ports = &robot->ports;
    trial->robot = robot;
    trial->start = ib_arena_array(arena, (size_t)ports->state_count, sizeof(double));
    trial->state = ib_arena_array(arena, (size_t)ports->state_count, sizeof(double));
    trial->input = ib_arena_array(arena, (size_t)ports->input_count, sizeof(double));
    trial->signals = ib_arena_array(arena, (size_t)ports->signal_count, sizeof(double));
    trial->others = ib_arena_array(arena, (size_t)ports->signal_count, sizeof(double));
    if (!trial->start || !trial->state || !trial->input || !trial->signals || !trial->others)
        return false;
    robot->kind->reset(config, robot->model, trial->start);
    for (int i = 0; i < ports->input_count; i++) trial->input[i] = ports->inputs[i].neutral;
    trial->input[IB_GRAVITY] = gravity;
    return true;
}

// Trial values of an input: the ends of its range and its neutral value.
static double level(const ib_InputDef *input, int number)
{
    double low = input->low > -1e100 ? input->low : input->neutral - 1;
    double high = input->high < 1e100 ? input->high : input->neutral + 1;
    return number == 0 ? low : number == 1 ? high : input->neutral;
}

// True if the signal follows this input with the state held. Tried from the start, and from the
// modes that each end of the range leads to: a part at a stop, or sticking, does not respond.
static bool follows(const Trial *trial, int input, int signal)
{
    const ib_Robot *robot = trial->robot;
    const ib_InputDef *def = &robot->ports.inputs[input];
    size_t size = (size_t)robot->ports.state_count * sizeof *trial->state;
    bool found = false;
    for (int from = 0; from < LEVELS && !found; from++) {
        memcpy(trial->state, trial->start, size);
        trial->input[input] = level(def, from);
        for (int i = 0; robot->kind->settle && i < SETTLINGS; i++)
            if (!robot->kind->settle(robot->model, trial->input, trial->state)) break;
        ib_robot_output(robot->kind, robot->model, &robot->ports, NULL, trial->state, trial->input,
                        trial->signals);
        for (int to = 0; to < LEVELS && !found; to++) {
            trial->input[input] = level(def, to);
            ib_robot_output(robot->kind, robot->model, &robot->ports, NULL, trial->state,
                            trial->input, trial->others);
            double a = trial->signals[signal], b = trial->others[signal];
            found = a != b && (isfinite(a) || isfinite(b));
        }
    }
    trial->input[input] = def->neutral;
    return found;
}

static ib_Status try_all(const ib_ControlPorts *reads, const ib_ControlPorts *sets,
                         const Trial *trial, ib_Error *error)
{
    const ib_RobotPorts *ports = &trial->robot->ports;
    for (int input = 0; input < ports->input_count; input++)
        for (int signal = 0; signal < ports->signal_count; signal++) {
            bool set = false, read = false;
            for (int i = 0; i < sets->output_count; i++)
                set |= strcmp(ports->inputs[input].name, sets->outputs[i]) == 0;
            for (int i = 0; set && i < reads->measurement_count; i++)
                read |= strcmp(ports->signals[signal].name, reads->measurements[i]) == 0;
            if (read && follows(trial, input, signal))
                return ib_error_set(error, IB_BAD_INPUT,
                                    "period: '%s', which it reads, follows '%s' at once: read and "
                                    "set at every instant, they would be one equation. Expected a "
                                    "time, such as 1 ms",
                                    ports->signals[signal].name, ports->inputs[input].name);
        }
    return IB_OK;
}

ib_Status ib_control_try(const ib_Controller *reads, const ib_Controller *sets,
                         const ib_Robot *robot, const void *config, double gravity, ib_Error *error)
{
    if (robot->kind->integrator)
        return ib_error_set(error, IB_BAD_INPUT,
                            "period: a %s moves by steps, and no loop can act at every instant of "
                            "one. Expected a time, such as 1 ms",
                            robot->kind->name);
    ib_Arena arena = {0};
    Trial trial;
    ib_Status status = open_trial(robot, config, gravity, &arena, &trial)
                           ? try_all(&reads->ports, &sets->ports, &trial, error)
                           : ib_error_set(error, IB_FAILED, "out of memory for a controller");
    ib_arena_reset(&arena);
    return status;
}
