// robot/robot.c: a robot as made by its config: its base and its equipment.
#include "robot/kind.h"
#include "robot/parts.h"

#include <string.h>

static ib_Status no_memory(ib_Error *error)
{
    return ib_error_set(error, IB_FAILED, "out of memory for the robot");
}

// Initializes a plant that is not made of parts.
static ib_Status init_plant(const ib_RobotKind *kind, const void *config, ib_Arena *arena,
                            ib_Robot *robot, ib_Error *error)
{
    *robot = (ib_Robot){.kind = kind, .model = ib_arena_alloc(arena, kind->model_size)};
    if (!robot->model) return no_memory(error);
    ib_Status status = kind->check ? kind->check(config, error) : IB_OK;
    return status == IB_OK ? kind->init(config, arena, robot->model, &robot->ports, error) : status;
}

ib_Status ib_robot_init(const ib_RobotKind *kind, const void *config, ib_Arena *arena,
                        ib_Robot *robot, ib_Error *error)
{
    ib_RobotPorts *ports = &robot->ports;
    ib_Status status = kind->build ? ib_parts_init(kind, config, arena, robot, error)
                                   : init_plant(kind, config, arena, robot, error);
    if (status != IB_OK) return status;
    if (!ports->inputs) {
        ports->inputs = ib_environment_inputs;
        ports->input_count = IB_ENVIRONMENT_COUNT;
    }
    IB_ASSERT(ports->input_count >= IB_ENVIRONMENT_COUNT);
    for (int i = 0; ports->states && i < ports->state_count; i++) // or a misspelt name
        IB_ASSERT(!ports->states[i].signal || ib_robot_shown(ports, i) >= 0);
    bool done = ib_balances_init(ports->signals, ports->signal_count, arena, &ports->balances);
    return done ? IB_OK : no_memory(error);
}

void ib_robot_output(const ib_RobotKind *kind, const void *model, const ib_RobotPorts *ports,
                     void *workspace, const double *state, const double *input, double *signals)
{
    if (kind->integrator)
        kind->integrator->output(model, workspace, state, input, signals);
    else
        kind->output(model, state, input, signals);
    ib_balances_output(&ports->balances, signals);
}

void ib_robot_ask_solver(const ib_RobotKind *kind, const void *config, ib_SolverConfig *solver)
{
    static const int stiffness[] = {[IB_DOPRI5] = 1, [IB_STIFF] = 2, [IB_ROSENBROCK] = 3};
    ib_SolverConfig wish = *solver;
    wish.kind = IB_RK4;
    if (kind->solver) kind->solver(config, &wish);
    if (stiffness[wish.kind] > stiffness[solver->kind]) *solver = wish;
}

int ib_robot_shown(const ib_RobotPorts *ports, int state)
{
    const char *name = ports->states ? ports->states[state].signal : NULL;
    for (int i = 0; name && i < ports->signal_count; i++) {
        const char *own = ports->signals[i].name;
        if (own == name || (own[0] == name[0] && strcmp(own, name) == 0)) return i;
    }
    return -1;
}

bool ib_robot_driven(const ib_RobotPorts *ports)
{
    for (int i = 0; i < ports->input_count; i++)
        if (ports->inputs[i].role == IB_INPUT_COMMAND ||
            ports->inputs[i].role == IB_INPUT_CONTROLLED)
            return true;
    return false;
}
