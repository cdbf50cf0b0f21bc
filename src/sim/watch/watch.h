// sim/watch/watch.h: the interface of sim/watch/watch_filter.c, which selects pieces, and
// sim/watch/watch.c, which examines them. Internal to sim/.
#ifndef IB_SIM_WATCH_WATCH_H
#define IB_SIM_WATCH_WATCH_H

#include "sim/sim_inside.h"

#include <float.h>

enum { IB__WATCH_WIDTH = IB__WATCH_PARTS + 1 }; ///< margins of one watch in ib_Sim.watch_margins

// Into how many parts a piece is divided.
static inline int ib__watch_parts(const ib_Sim *sim)
{
    return sim->adaptive ? IB__WATCH_PARTS : 2;
}

static inline double ib__watch_time(const ib__Piece *piece, int part, int parts)
{
    return part == parts ? piece->length : piece->length * part / parts;
}

// The margin of the signals at hand; exactly zero is put on the side where it counts.
static inline double ib__watch_margin(const ib_Watch *watch, const double *signals)
{
    double g = watch->margin(watch->self, signals);
    return g == 0 && watch->zero != 0 ? watch->zero * DBL_MIN : g;
}

// The same of signals that were not only guessed at, `seconds` since the start of the run.
static inline double ib__watch_evaluate(const ib_Watch *watch, double seconds,
                                        const double *signals)
{
    double g = ib__watch_margin(watch, signals);
    if (watch->looked) watch->looked(watch->self, seconds, signals);
    return g;
}

// True if robots' own states suffice for the signals of `only` (NULL: of all that are `closer`).
// Those robots are then sim->looked_at.
bool ib__watch_choose(ib_Sim *sim, const struct ib__Watched *only);

// The state `t` seconds into a piece by a step of the method, as far as `only` looks at it; where
// that is NULL, as all do that are `closer`.
const double *ib__watch_state(ib_Sim *sim, const ib__Piece *piece, double t,
                              const struct ib__Watched *only);

// Signals of a watch in a state, `t` seconds into the step, into sim->look_signals; and those of
// all that are `closer`. Other signals stay unchanged.
void ib__watch_find(ib_Sim *sim, const struct ib__Watched *watched, const double *state, double t);
void ib__watch_find_closer(ib_Sim *sim, const double *state, double t);

// True if the sign has changed between two margins.
static inline bool ib__watch_differ(double a, double b)
{
    return (a < 0) != (b < 0);
}

// The margin at the start of a piece: a switch of an input or a jump may have changed its sign.
static inline void ib__watch_start(const struct ib__Watched *watched, double seconds,
                                   const double *signals, double g)
{
    const ib_Watch *watch = &watched->watch;
    if (watched->sign != 0 && (g < 0) != (watched->sign < 0))
        watch->crossed(watch->self, seconds, signals, g >= 0);
}

// Samples the inside of the piece, by steps of the method itself, for every watch that is `closer`,
// whose margins at its ends are known, and reports each change of sign.
void ib__watch_closely(ib_Sim *sim, const ib__Piece *piece);

#endif
