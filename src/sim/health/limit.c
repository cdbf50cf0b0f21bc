#include "sim/health/limit.h"

ib_Status ib__limit_refuse(const ib_Sim *sim, const double *state, double after, ib_Error *error)
{
    const ib_Model *model = sim->model;
    int bad = 0, count = model->robot_state_count;
    while (bad < count - 1 && fabs(state[bad]) <= model->state_limit[bad]) bad++;
    int signal = model->state_signal[bad];
    const ib_SignalDef *def = signal < 0 ? NULL : &model->signals.items[signal];
    return ib_error_set(
        error, IB_FAILED,
        "%s = %g%s%s at %.9g s is %s (limit %g); last good value %.9g at %.9g s. %s",
        def ? def->name : "a state", isnan(state[bad]) ? (double)NAN : state[bad], def ? " " : "",
        def ? def->unit : "", ib_time_to_seconds(sim->time) + after,
        isfinite(state[bad]) ? "beyond what is plausible" : "not finite", model->state_limit[bad],
        sim->state[bad], ib_time_to_seconds(sim->time) + sim->piece_from,
        sim->adaptive ? "Its equations run away"
                      : "The step may be too long for this robot, or its equations run away");
}
