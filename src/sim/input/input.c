// sim/input/input.c: everything that comes in from outside, from script, field, disturbances
// and sources.
#include "sim/input/disturbance.h"
#include "sim/input/timeline.h"
#include "sim/sim_inside.h"

#include <string.h>

static void read_timelines(ib_Sim *sim)
{
    for (int i = 0; i < sim->model->robot_count; i++) {
        const ib_RobotModel *robot = &sim->model->robots[i];
        for (int k = 0; robot->timelines && k < robot->ports.input_count; k++) {
            int input = robot->input + k;
            ib_Time until =
                ib_timeline_read(&robot->timelines[k], sim->time, robot->ports.inputs[k].neutral,
                                 &sim->input[input], &sim->slope[input]);
            sim->inputs_until = ib_time_min(sim->inputs_until, until);
        }
    }
}

// Reads the timelines of moving elements.
static void read_movers(ib_Sim *sim)
{
    const ib_Model *model = sim->model;
    for (int i = 0; model->world && i < IB_TRACK_COUNT * model->world->mover_count; i++) {
        int input = model->mover_input + i;
        ib_Time until = ib_timeline_read(&model->mover_timelines[i], sim->time, 0,
                                         &sim->input[input], &sim->slope[input]);
        sim->inputs_until = ib_time_min(sim->inputs_until, until);
    }
}

void ib__sim_read_inputs(ib_Sim *sim)
{
    const ib_Model *model = sim->model;
    for (int i = 0; i < model->input_count; i++) sim->input[i] = model->inputs[i].neutral;
    memset(sim->slope, 0, (size_t)model->input_count * sizeof *sim->slope);
    sim->inputs_until = IB_TIME_NEVER;

    read_timelines(sim);
    read_movers(sim);
    sim->inputs_until =
        ib_time_min(sim->inputs_until, ib_disturbances_read(model, sim->time, sim->input));
    for (int i = 0; i < sim->source_count; i++) {
        const ib_InputSource *source = &sim->sources[i];
        ib_Time until = source->read(source->self, sim->time, sim->input, sim->slope);
        if (!source->live) sim->inputs_until = ib_time_min(sim->inputs_until, until);
    }
    ib__sim_hold(sim, sim->state);
    for (int i = 0; i < model->command_count; i++) ib__sim_clamp(sim, model->commands[i]);

    sim->ramps = false;
    for (int i = 0; i < model->input_count; i++) sim->ramps |= sim->slope[i] != 0;
    sim->system = ib__sim_system(sim);
    sim->guards_known = false;
}
