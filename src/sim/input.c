// sim/input.c: everything that comes in through the one door, and the limits put on it.
#include "sim/disturbance.h"
#include "sim/inside.h"
#include "sim/timeline.h"

#include <math.h>
#include <string.h>

// Notes the first time that an input could not be taken as it was.
static void note_clamp(ib_Sim *sim, int input, double wanted, double used)
{
    if (sim->clamped[input]) return;
    sim->clamped[input] = true;
    sim->clamps[sim->clamp_count++] = (ib_Clamp){input, sim->time, wanted, used};
}

// The last whole nanosecond before a ramp reaches a limit; never, where that is beyond any run.
static ib_Time ramp_end(const ib_Sim *sim, double room, double slope)
{
    double seconds = room / slope;
    return seconds > 1e8 ? IB_TIME_NEVER : sim->time + (ib_Time)floor(seconds * 1e9);
}

// How long the ramps read now go on, as far as the run does [s].
static double ramp_rest(const ib_Sim *sim)
{
    ib_Time until = ib_time_min(sim->inputs_until, sim->model->config->duration);
    return until > sim->time ? ib_time_to_seconds(until - sim->time) : 0;
}

void ib__sim_clamp(ib_Sim *sim, int input)
{
    const ib_InputDef *def = &sim->model->inputs[input];
    double *value = &sim->input[input], *slope = &sim->slope[input];
    if (!isfinite(*value) || !isfinite(*slope)) {
        note_clamp(sim, input, *value, def->neutral);
        *value = def->neutral;
        *slope = 0;
        return;
    }
    double limit = *value > def->high || (*value == def->high && *slope > 0) ? def->high : def->low;
    bool beyond = *value > def->high || *value < def->low;
    bool leaving = (*value >= def->high && *slope > 0) || (*value <= def->low && *slope < 0);
    if (beyond || leaving) {
        note_clamp(sim, input, beyond ? *value : limit + *slope * ramp_rest(sim), limit);
        // A ramp that comes back into the range is taken up again when it does.
        if (beyond && !leaving && *slope != 0) {
            ib_Time until = ramp_end(sim, limit - *value, *slope);
            if (until != IB_TIME_NEVER) until++;
            sim->inputs_until = ib_time_min(sim->inputs_until, until);
        }
        *value = limit;
        *slope = 0;
    } else if (*slope != 0) {
        double room = (*slope > 0 ? def->high : def->low) - *value;
        ib_Time until = ramp_end(sim, room, *slope);
        if (until > sim->time) {
            sim->inputs_until = ib_time_min(sim->inputs_until, until);
        } else {
            // Less than a nanosecond away from the limit: held there. A ramp that ends at the limit
            // (within its rounding, 2 ns) is no mistake, one that goes on is.
            double rest = ramp_rest(sim);
            if (rest > room / *slope + 2e-9)
                note_clamp(sim, input, *value + *slope * rest, *value + room);
            *value += room;
            *slope = 0;
        }
    }
}

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

// What moves on the field, by its own timelines.
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
