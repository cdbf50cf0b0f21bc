// report/events.h: the moments at which something switched, found in the signals that show modes.
#ifndef IB_REPORT_EVENTS_H
#define IB_REPORT_EVENTS_H

#include "report/report.h"

enum { IB_EVENTS_SHOWN = 50 };

typedef struct ib_ModeChange {
    ib_Time time;               ///< of the first sample with the new value
    const ib_LogSeries *series; ///< the signal
    int nth;                    ///< 0: the first change of this signal, 1: the second …
    double before, after;       ///< its values
    ib_ModeMeaning meaning;     ///< of the new value, for a person; text "": none is known
} ib_ModeChange;

// All changes in the signals that are known to show modes and counts, in order of time; `count`
// says how many. A mode that came and went between two samples is not seen.
// NULL: none, or no memory.
const ib_ModeChange *ib_mode_changes(ib_SeriesSet series, ib_Arena *arena, int *count);

// The section of a report: a table of at most IB_EVENTS_SHOWN, and how many more there are of
// which. Of signals that change often only the first changes are shown, so that none that is rare
// is left out.
void ib__events_write(const ib_Report *report, ib_Text *html);

// Does any of the recorded signals show a mode?
bool ib__events_present(const ib_Report *report);

#endif
