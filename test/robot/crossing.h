// test/robot/crossing.h: a watch that keeps the instants at which one signal crosses a level, and
// what was seen there.
#ifndef IB_TEST_CROSSING_H
#define IB_TEST_CROSSING_H

#include "sim/sim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CROSSINGS = 32, CROSSING_SIGNALS = 128 };

typedef struct Crossing {
    int signal;
    double level;
    int way; // 1: those that rise count, 0: those that fall, -1: both
    int shown, width;
    int count;
    double seconds[CROSSINGS];        // of the first ones; < 0: not yet
    double values[CROSSINGS];         // of the signal `shown` there
    double signals[CROSSING_SIGNALS]; // the first ones of all, at the first one
} Crossing;

static inline double crossing_margin(const void *self, const double *signals)
{
    const Crossing *crossing = self;
    return signals[crossing->signal] - crossing->level;
}

static inline void crossing_seen(void *self, double seconds, const double *signals, bool rising)
{
    Crossing *crossing = self;
    if (crossing->way >= 0 && rising != (crossing->way == 1)) return;
    if (crossing->count == 0)
        memcpy(crossing->signals, signals, (size_t)crossing->width * sizeof *signals);
    if (crossing->count < CROSSINGS) {
        crossing->seconds[crossing->count] = seconds;
        crossing->values[crossing->count] = signals[crossing->shown];
    }
    crossing->count++;
}

// Of a run that has not begun.
static inline void crossing_watch(Crossing *crossing, const ib_Model *model, ib_Sim *sim,
                                  const char *signal, double level)
{
    ib_Error error = {.text = "no such signal"};
    int count = model->signals.count, width = count < CROSSING_SIGNALS ? count : CROSSING_SIGNALS;
    int at = ib_signals_find(&model->signals, signal);
    *crossing = (Crossing){.signal = at, .level = level, .way = -1, .shown = at, .width = width};
    for (int i = 0; i < CROSSINGS; i++) crossing->seconds[i] = -1;
    ib_Watch watch = {.self = crossing, .margin = crossing_margin, .crossed = crossing_seen};
    if (at >= 0 && ib_sim_watch(sim, watch, &error) == IB_OK) return;
    fprintf(stderr, "crossing of %s: %s\n", signal, error.text);
    abort();
}

#endif
