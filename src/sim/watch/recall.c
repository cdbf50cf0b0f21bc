// sim/watch/recall.c: the watches' signals at the end of the last piece, for another evaluation of
// the same state.
#include "sim/sim_inside.h"

#include <string.h>

bool ib__watch_filter_same(const double *a, const double *b, int count)
{
    return memcmp(a, b, (size_t)count * sizeof *a) == 0;
}

// True if the state is the one of `end`. The counts of the tally are in no signal, nor is the
// solver's proposed step, which comes last; after the resting pairs there are zeros.
bool ib__watch_filter_is_of(const ib_Sim *sim, const double *state)
{
    const ib_Model *model = sim->model;
    const double *seen = sim->watch_filter.state;
    if (!model->world) return ib__watch_filter_same(state, seen, model->step_state);
    int rest = model->rest_state, behind = rest + 1 + IB_REST_STATES * model->world->rest_room;
    return ib__watch_filter_same(state, seen, model->tally_state) &&
           ib__watch_filter_same(state + rest, seen + rest,
                                 1 + IB_REST_STATES * (int)state[rest]) &&
           ib__watch_filter_same(state + behind, seen + behind, model->step_state - behind);
}

const double *ib__watch_filter_recall(const ib_Sim *sim, const double *input)
{
    const struct ib__WatchFilter *filter = &sim->watch_filter;
    bool now = filter->known && ib__watch_filter_is_of(sim, sim->state) &&
               ib__watch_filter_same(input, filter->input, sim->model->input_count);
    return now ? filter->end : NULL;
}
