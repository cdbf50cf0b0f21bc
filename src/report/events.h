// report/events.h: the times of switches, and those of repeated ones.
#ifndef IB_REPORT_EVENTS_H
#define IB_REPORT_EVENTS_H

#include "report/report.h"

enum {
    IB_EVENTS_SHOWN = 50,
    IB_EVENTS_REPEATS = 4, ///< the same change so often in a row is one entry
};
#define IB_EVENTS_PAUSE IB_SECOND ///< behind a longer one the row begins anew

// A change of a mode, or the same change again and again.
typedef struct ib_ModeEvent {
    int signal;             ///< as in its changes
    ib_ModeMeaning meaning; ///< of the new value; text "": unknown
    ib_Time first, last;
    int count;                 ///< >= 1
    ib_Time shortest, longest; ///< time from one to the next; 0 where there is one
    double before, after;      ///< of the first change and of the last
    double others;             ///< before all but the first; NaN: they differ, or there is but one
    bool grows;                ///< `after` was not always the same: a count
} ib_ModeEvent;

// All changes in the samples of signals that show modes, in order of time: `signal` is the place in
// the set, `count` says how many. A mode that came and went between two samples is not seen.
// NULL: none, or no memory.
const ib_ModeChange *ib_mode_changes(ib_SeriesSet series, ib_Arena *arena, int *count);

// Changes in order of time as events, in order of their first times. Changes of one signal to the
// same meaning are one event if there are at least IB_EVENTS_REPEATS, each at most IB_EVENTS_PAUSE
// after the one before. `means`: meaning of each signal. NULL: none, or no memory.
const ib_ModeEvent *ib_mode_events(const ib_ModeChange *changes, int change_count,
                                   const ib_SignalMeaning *const *means, int signal_count,
                                   ib_Arena *arena, int *count);

// "334 times, every 21 ms", "12 times, every 18 to 35 ms"; "" of a single change.
void ib_mode_event_rhythm(const ib_ModeEvent *event, char *text, size_t size);

// The value before: "2", "0, then 2", "several"; for a count the first one.
void ib_mode_event_before(const ib_ModeEvent *event, char *text, size_t size);

// The section of a report: a table of at most IB_EVENTS_SHOWN, and the number of further changes of
// each signal. Signals that change often show only their first events, so that rare ones are not
// left out.
void ib__events_write(const ib_Report *report, ib_Text *html);

// True if any of the signals shows a mode.
bool ib__events_present(const ib_Report *report);

#endif
