// sim/input/clamp.c: commands are kept within their ranges, ramps as well.
#include "sim/sim_inside.h"

#include <math.h>

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

// Remaining length of the present ramps, up to the end of the run [s].
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
