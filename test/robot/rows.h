// test/robot/rows.h: what was seen of a run, sample by sample.
#ifndef IB_TEST_ROWS_H
#define IB_TEST_ROWS_H

#include "sim/sim.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Rows {
    double every;    // time between two samples [s]; 0: as the rig says
    int count, room; // samples so far
    double *signals; // all of each, one sample behind the other
    double *t;       // when [s]
} Rows;

static inline void rows_add(Rows *rows, const ib_Model *model, ib_Time time, const double *signals)
{
    size_t width = (size_t)model->signals.count;
    if (rows->count == rows->room) {
        rows->room = rows->room ? 2 * rows->room : 64;
        rows->signals = realloc(rows->signals, (size_t)rows->room * width * sizeof *rows->signals);
        rows->t = realloc(rows->t, (size_t)rows->room * sizeof *rows->t);
        if (!rows->signals || !rows->t) abort();
    }
    memcpy(rows->signals + (size_t)rows->count * width, signals, width * sizeof *signals);
    rows->t[rows->count++] = ib_time_to_seconds(time);
}

static inline void rows_free(Rows *rows)
{
    free(rows->signals);
    free(rows->t);
}

static inline int rows_signal(const ib_Model *model, const char *name)
{
    int signal = ib_signals_find(&model->signals, name);
    if (signal >= 0) return signal;
    fprintf(stderr, "no signal %s\n", name);
    abort();
}

// A signal in one sample.
static inline double rows_value(const Rows *rows, const ib_Model *model, int row, const char *name)
{
    size_t width = (size_t)model->signals.count;
    return rows->signals[(size_t)row * width + (size_t)rows_signal(model, name)];
}

// The largest value of a signal (way 1), or of its negative (-1).
static inline double rows_most(const Rows *rows, const ib_Model *model, const char *name, int way)
{
    double most = -INFINITY;
    if (rows->count == 0) abort(); // nobody looked
    for (int i = 0; i < rows->count; i++) most = fmax(most, way * rows_value(rows, model, i, name));
    return most;
}

#endif
