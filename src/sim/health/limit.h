// sim/health/limit.h: is a state one that the run may go on with? Internal to sim/.
#ifndef IB_SIM_HEALTH_LIMIT_H
#define IB_SIM_HEALTH_LIMIT_H

#include "base/two.h"
#include "sim/sim_inside.h"

#include <math.h>

// True if every state is within its limits; false for NaN.
static inline bool ib__limit_holds(const double *state, const double *limit, int count)
{
    ib__TwoBits good = {UINT64_MAX, UINT64_MAX};
    int i = 0;
    for (; i + 2 <= count; i += 2) {
        ib__TwoOf x = *(const ib__TwoOf *)(state + i), most = *(const ib__TwoOf *)(limit + i);
        good &= (ib__TwoBits)(x <= most) & (ib__TwoBits)(x >= -most);
    }
    return (i == count || fabs(state[i]) <= limit[i]) && ib__are_both(good);
}

// Names the first state that is beyond its limit, `after` seconds into the step.
ib_Status ib__limit_refuse(const ib_Sim *sim, const double *state, double after, ib_Error *error);

// Refuses a state that is not finite or not plausible, `after` seconds into the step: there is
// never a silent reset.
static inline ib_Status ib__limit_check(const ib_Sim *sim, const double *state, double after,
                                        ib_Error *error)
{
    if (ib__limit_holds(state, sim->model->state_limit, sim->model->robot_state_count))
        return IB_OK;
    return ib__limit_refuse(sim, state, after, error);
}

#endif
