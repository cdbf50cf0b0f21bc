// view/playback.h: a recording for the player. It gives the values at any time, the events in
// order, and any span of a signal with fewer points.
#ifndef IB_VIEW_PLAYBACK_H
#define IB_VIEW_PLAYBACK_H

#include "base/mode.h"
#include "record/log.h"
#include "view/feed.h"

// An event: a line of the recording's text, or a change of a mode.
typedef struct ib_PlaybackEvent {
    ib_Time time;
    const ib_LogEvent *line; ///< NULL: a change
    int series;              ///< of a change
    double value;            ///< of a change: value of ib_mode_value
    int times;               ///< of a change: number of changes to this meaning, this one included
} ib_PlaybackEvent;

typedef struct ib_Playback {
    const ib_Log *log;
    ib_Time begin, end;       ///< first and last sample of all
    ib_Time step;             ///< between samples, of the series with most of them; > 0
    bool several;             ///< the modes are those of more than one robot
    ib_PlaybackEvent *events; ///< by time
    int64_t event_count;
} ib_Playback;

// IB_BAD_INPUT: no signal has a sample.
ib_Status ib_playback_init(ib_Playback *playback, const ib_Log *log, ib_Arena *arena,
                           ib_Error *error);

// All series at `time`; NAN before the first sample of one.
void ib_playback_row(const ib_Playback *playback, ib_Time time, double *values);

// The first event later than `time`; event_count: none.
int64_t ib_playback_event_after(const ib_Playback *playback, ib_Time time);

// Kind, level and text of an event; false: it has no meaning for people.
bool ib_playback_describe(const ib_Playback *playback, int64_t event, ib_FeedEvent *out);

// The samples of one series in from <= time <= to, at most `rows` (>= 2) of them (view/samples.h).
// Times are seconds since `begin`. Returns their number.
int ib_playback_history(const ib_Playback *playback, int series, ib_Time from, ib_Time to, int rows,
                        ib_Samples samples);

#endif
