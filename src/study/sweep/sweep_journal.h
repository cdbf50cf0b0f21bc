// study/sweep/sweep_journal.h: the finished runs of a sweep on disk, so that it can continue after
// a kill.
//
// The file is append-only. A head identifies the sweep; blocks of rows follow, in the order of the
// list and without a gap. Each is written at once and has its length and a checksum: a block left
// incomplete by a kill, a full disk or a power cut is recognised, and cut off by the next sweep.
// All numbers are little endian.
//
//   head    "ibsweep1"        8
//           identity          8   of the sweep: ib_Sweep.identity
//           runs              8   on the list
//           columns           4
//           expectations      4
//           checksum          8   of the 32 bytes before it
//   block   "rows"            4
//           number of rows    4   1 .. IB_SWEEP_BLOCK_ROWS
//           first             8   its first run
//           length            8   of the rows [bytes]
//           checksum          8   of the 24 bytes before it and of the rows
//           rows                  study/sweep/sweep_row.h
#ifndef IB_STUDY_SWEEP_SWEEP_JOURNAL_H
#define IB_STUDY_SWEEP_SWEEP_JOURNAL_H

#include "study/sweep/sweep_row.h"

enum {
    IB_SWEEP_BLOCK_ROWS = 4096,    ///< of a block, at most
    IB_SWEEP_BLOCK_SIZE = 1 << 26, ///< bytes of its rows, at most
};

typedef struct ib_SweepJournal {
    char *path;
    int fd; ///< -1: not open
    ib_SweepShape shape;
    int64_t runs; ///< on the list
    int64_t held; ///< runs read or written so far: the first ones of the list
    int64_t size; ///< bytes up to their end
    int64_t cut;  ///< bytes cut off behind them
    bool writing; ///< everything was read: new blocks are appended
    ib_Bytes block;
} ib_SweepJournal;

// The state of the file at a path.
typedef enum ib_SweepJournalState {
    IB_SWEEP_JOURNAL_NONE,  ///< nothing, or a file with only a part of a head
    IB_SWEEP_JOURNAL_OTHER, ///< of another sweep, or of another version of the program
    IB_SWEEP_JOURNAL_OURS,  ///< of this sweep
    IB_SWEEP_JOURNAL_BUSY,  ///< a sweep is writing it, this one or another
    IB_SWEEP_JOURNAL_ALIEN, ///< no journal
} ib_SweepJournalState;

// Examines a journal without changing it. `held`: number of finished runs in consecutive blocks;
// their checksums are verified later. `runs`: on its list.
ib_SweepJournalState ib_sweep_journal_examine(const char *path, const ib_Sweep *sweep,
                                              int64_t *held, int64_t *runs);

// IB_BAD_INPUT if it has finished runs, of this sweep or another, which a new one would lose.
// `option`: with which another one is named.
ib_Status ib_sweep_journal_free(const char *path, const ib_Sweep *sweep, const char *option,
                                ib_Error *error);

// Opens the journal, to read its blocks first (`keep`), or empties it. No other process may have it
// open. IB_BAD_INPUT or IB_FAILED with the reason: also if `keep` finds another sweep's.
ib_Status ib_sweep_journal_open(ib_SweepJournal *journal, const char *path, const ib_Sweep *sweep,
                                bool keep, ib_Error *error);

// The next block: its rows and their number. False: no more; the tail behind the last is cut off,
// and blocks can be appended.
bool ib_sweep_journal_next(ib_SweepJournal *journal, const unsigned char **rows, size_t *length,
                           int *count);

// Appends a block.
ib_Status ib_sweep_journal_append(ib_SweepJournal *journal, const ib_Bytes *rows, int count,
                                  ib_Error *error);

// Closes the journal; `remove`: deletes it, too.
void ib_sweep_journal_close(ib_SweepJournal *journal, bool remove);

#endif
