// report/plot/drawing.h: signals of a recording as a plot. docs/report/plots.md The config has the
// signals, their axis, and measured points over them.
#ifndef IB_REPORT_PLOT_DRAWING_H
#define IB_REPORT_PLOT_DRAWING_H

#include "base/arena.h"
#include "record/log.h"
#include "report/plot/plot.h"

typedef struct ib_DrawingConfig {
    const ib_Log *log;                  ///< the recording
    const ib_Log *points;               ///< measured values over its curves; NULL: none
    const char *log_file, *points_file; ///< as they are called in messages
    const char *const *patterns;        ///< of the signals to draw, in this order
    int pattern_count;                  ///< 0 for a trajectory, which finds its own
    const char *robot;                  ///< whose trajectory; "": of the only one
    ib_PlotKind kind;
    bool xy;          ///< the first signal is x of the others
    ib_Time from, to; ///< earlier and later values are left out
} ib_DrawingConfig;

ib_DrawingConfig ib_drawing_default(void); ///< curves over all of the time

// Makes a plot, with the recording's own title, in the arena; the logs must outlive it.
// IB_BAD_INPUT: the recording lacks a requested signal.
ib_Status ib_drawing_make(const ib_DrawingConfig *config, ib_Arena *arena, ib_Plot *plot,
                          ib_Error *error);

#endif
