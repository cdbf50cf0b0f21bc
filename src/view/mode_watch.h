// view/mode_watch.h: notices where signals that show a mode change while a run goes on.
//
// It looks at every step and only takes notes there; the texts are made between the steps. Where a
// signal chatters each of its meanings is heard twice a second. Every change is counted, and how
// often it was and where it has come to is told when the second is over.
#ifndef IB_VIEW_MODE_WATCH_H
#define IB_VIEW_MODE_WATCH_H

#include "base/signal.h"
#include "sim/probe.h"
#include "view/feed.h"

enum {
    IB_MODE_WATCH_ROOM = 64, ///< changes between two looks; more are only counted
    IB_MODE_WATCH_RATE = 2,  ///< changes of one signal to one meaning in a second of wall time
};

// The changes of a signal to one of its meanings.
typedef struct ib_WatchedMeaning {
    ib_Time time; ///< of the last one
    double value; ///< then
    int times;    ///< so far
    int told;     ///< since `since`
    bool untold;  ///< the last one has not been told
} ib_WatchedMeaning;

typedef struct ib_WatchedMode {
    int signal;
    ib_SignalMeaning means;      ///< with a mode
    double value;                ///< as the mode sees it; NAN: not seen yet
    int64_t since;               ///< wall clock at which the second began [ns]
    ib_WatchedMeaning *meanings; ///< by ib_mode_place
    int meaning_count;
} ib_WatchedMode;

typedef struct ib_ModeNote {
    int item; ///< index into `items`
    ib_Time time;
    double value; ///< the new one
    int times;    ///< how often it has come to this meaning, this time included
} ib_ModeNote;

typedef struct ib_ModeWatch {
    ib_WatchedMode *items;
    int count;
    bool several; ///< the modes are those of more than one robot
    int64_t wall; ///< now, set by the loop: no look at the clock inside a step
    ib_ModeNote notes[IB_MODE_WATCH_ROOM];
    int note_count;
} ib_ModeWatch;

ib_Status ib_mode_watch_init(ib_ModeWatch *watch, const ib_SignalTable *signals, ib_Arena *arena,
                             ib_Error *error);
ib_Probe ib_mode_watch_probe(ib_ModeWatch *watch);

// Between steps: takes notes of the last changes that were left out, of signals whose second is
// over; of `all` of them at the end of a run. The notes are then in order of time.
void ib_mode_watch_catch_up(ib_ModeWatch *watch, bool all);

// Between steps: note number `index` as an event (all of it but its run); false: it means
// nothing to a person. Then all notes are cleared with `note_count = 0`.
bool ib_mode_watch_event(const ib_ModeWatch *watch, int index, ib_FeedEvent *event);

// "red: a hit" into the text of an event; the robot only where modes are of `several`.
void ib_mode_text(const ib_SignalMeaning *means, bool several, ib_ModeMeaning meaning,
                  char text[IB_FEED_TEXT]);

#endif
