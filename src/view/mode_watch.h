// view/mode_watch.h: notices changes of mode signals during a run.
//
// It takes notes at every step; the texts are made between the steps. A chattering signal reports
// each of its meanings twice a second. Every change is counted; the count and the last meaning are
// reported at the end of the second.
#ifndef IB_VIEW_MODE_WATCH_H
#define IB_VIEW_MODE_WATCH_H

#include "base/signal.h"
#include "sim/watch/probe.h"
#include "view/feed.h"

enum {
    IB_MODE_WATCH_ROOM = 64, ///< changes between two readings; more are only counted
    IB_MODE_WATCH_RATE = 2,  ///< changes of one signal to one meaning in a second of wall time
};

// The changes of a signal to one of its meanings.
typedef struct ib_WatchedMeaning {
    ib_Time time; ///< of the last one
    double value; ///< then
    int times;    ///< total so far
    int told;     ///< since `since`
    bool untold;  ///< the last one is unreported
} ib_WatchedMeaning;

typedef struct ib_WatchedMode {
    int signal;
    ib_SignalMeaning means;      ///< with a mode
    double value;                ///< value of ib_mode_value; NAN: none yet
    int64_t since;               ///< wall clock at which the second began [ns]
    ib_WatchedMeaning *meanings; ///< by ib_mode_place
    int meaning_count;
} ib_WatchedMode;

typedef struct ib_ModeNote {
    int item; ///< index into `items`
    ib_Time time;
    double value; ///< the new one
    int times;    ///< number of changes to this meaning, this one included
} ib_ModeNote;

typedef struct ib_ModeWatch {
    ib_WatchedMode *items;
    int count;
    bool several; ///< the modes are those of more than one robot
    int64_t wall; ///< present wall clock, set by the loop: a step reads no clock
    ib_ModeNote notes[IB_MODE_WATCH_ROOM];
    int note_count;
} ib_ModeWatch;

ib_Status ib_mode_watch_init(ib_ModeWatch *watch, const ib_SignalTable *signals, ib_Arena *arena,
                             ib_Error *error);
ib_Probe ib_mode_watch_probe(ib_ModeWatch *watch);

// Takes notes of the last omitted changes, of signals whose second is over; of `all` of them at the
// end of a run. The notes are then in order of time. Called between steps.
void ib_mode_watch_catch_up(ib_ModeWatch *watch, bool all);

// Note number `index` as an event (all but its run); false: it has no meaning for people.
// `note_count = 0` then clears all notes. Called between steps.
bool ib_mode_watch_event(const ib_ModeWatch *watch, int index, ib_FeedEvent *event);

// Writes "red: a hit" into the text of an event; the robot only if modes are of `several`.
void ib_mode_text(const ib_SignalMeaning *means, bool several, ib_ModeMeaning meaning,
                  char text[IB_FEED_TEXT]);

#endif
