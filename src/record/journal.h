// record/journal.h: the inputs and parameter changes of a live run, to replay it bit for bit. Each
// has the time of the step at which it took effect: docs/scenario/record.md has the format.
//
// In a recording these are lines of text in the entry "inputs" (IB_JOURNAL_SOURCE). Times are
// nanoseconds, values have 17 digits:
//   1234000000 input left 6.5            from the step at 1.234 s on
//   1500000000 input left neutral        no source sets it any more
//   2000000000 set robot.mass 54.3       a live parameter
//   3000000000 state 0123456789abcdef    hash of the state there: shows where a replay differs
//   9000000000 end 0123456789abcdef      the same, at the end of the run
//   9000000000 failed                    or: the run failed in the step that began there
#ifndef IB_RECORD_JOURNAL_H
#define IB_RECORD_JOURNAL_H

#include "record/log.h"
#include "sim/input/live_input.h"
#include "sim/linearise/variant.h"
#include "sim/run.h"

#define IB_JOURNAL_SOURCE "inputs" ///< name of the entry

enum { IB_JOURNAL_LINE = 160 }; ///< bytes of a line, NUL included

typedef enum ib_JournalType {
    IB_JOURNAL_INPUT,   ///< `index`: input of the model; `value`
    IB_JOURNAL_NEUTRAL, ///< `index`
    IB_JOURNAL_SET,     ///< `index`: live parameter; `value`
    IB_JOURNAL_STATE,   ///< `hash`
    IB_JOURNAL_END,     ///< `hash`
    IB_JOURNAL_FAILED,
} ib_JournalType;

typedef struct ib_JournalEvent {
    ib_JournalType type;
    ib_Time time; ///< of the step behind it
    int index;
    double value; ///< SI
    uint64_t hash;
} ib_JournalEvent;

typedef struct ib_Journal {
    int64_t count;
    const ib_JournalEvent *events;
} ib_Journal;

// One event as a line of text.
void ib_journal_format(const ib_Model *model, const ib_LiveParam *params,
                       const ib_JournalEvent *event, char text[IB_JOURNAL_LINE]);

// The events of a recording, in order. IB_BAD_INPUT: the line and its fault; a recording without
// events is no mistake here (count 0).
ib_Status ib_journal_read(const ib_Log *log, const ib_Model *model, const ib_LiveParam *params,
                          int param_count, ib_Arena *arena, ib_Journal *journal, ib_Error *error);

// Replays a recorded run: the `player` of ib_run with ib_journal_between.
typedef struct ib_JournalPlayer {
    const ib_Journal *journal;
    const ib_LiveParam *params;
    ib_Sim *sim;
    ib_LiveInput live;
    int64_t next;        ///< event
    ib_Variant *variant; ///< the model in use; NULL: the scenario's own
    int64_t checked;     ///< states compared
    int64_t wrong;       ///< of these, different
    ib_Time good, bad;   ///< last time with the same state; first with another
    bool ended;          ///< the recording has an end, and the run reached it
    bool fails;          ///< the recorded run failed, in the step after the last event
    ib_Status status;    ///< of a failed replay, with the reason
    ib_Error error;
    // Receiver of the replay's own journal: gets each event when it takes effect, with the time of
    // its step, and states with their hash in this run. The caller writes the end.
    void (*echo)(void *self, const ib_JournalEvent *event); ///< NULL: none
    void *echo_self;
} ib_JournalPlayer;

// Connects the player to a run that has not begun. `journal`, `params` and the player must keep
// their addresses.
ib_Status ib_journal_player_init(ib_JournalPlayer *player, const ib_Journal *journal,
                                 const ib_LiveParam *params, ib_Sim *sim, ib_Arena *arena,
                                 ib_Error *error);

// Applies the recorded events of this time; returns the time of the next event.
ib_Time ib_journal_between(void *player, ib_Time time);

// Compares the remaining states after the run. The run's model may then be freed.
void ib_journal_player_finish(ib_JournalPlayer *player);
void ib_journal_player_destroy(ib_JournalPlayer *player); ///< after ib_sim_destroy

#endif
