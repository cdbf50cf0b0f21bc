#include "study/sweep/sweep_journal.h"

#include "base/hash.h"
#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char magic[] = "ibsweep1", mark[] = "rows";

enum { HEAD = 40, FRAME = 32 };

static void put_word(unsigned char *at, uint64_t word, int size)
{
    for (int i = 0; i < size; i++) at[i] = (unsigned char)(word >> 8 * i);
}

// Every bit counts: a step of the hash is one to one in its word. Zeros fill the rest of the last
// word, and the length counts as well.
static uint64_t checksum(uint64_t hash, const unsigned char *data, size_t size)
{
    size_t at = 0;
    for (; at + 8 <= size; at += 8) hash = ib_hash_word(hash, ib_bytes_word(data + at, 8));
    if (at < size) hash = ib_hash_word(hash, ib_bytes_word(data + at, (int)(size - at)));
    return ib_hash_word(hash, size);
}

// -------------------------------------------------------------------------------------------- head

static void make_head(const ib_Sweep *sweep, unsigned char head[HEAD])
{
    ib_SweepShape shape = ib_sweep_shape(sweep);
    memcpy(head, magic, 8);
    put_word(head + 8, sweep->identity, 8);
    put_word(head + 16, (uint64_t)sweep->count, 8);
    put_word(head + 24, (uint64_t)shape.columns, 4);
    put_word(head + 28, (uint64_t)shape.expectations, 4);
    put_word(head + 32, checksum(IB_HASH_START, head, 32), 8);
}

// Reads all bytes from a place in the file; false: the file is shorter, or cannot be read.
static bool read_at(int fd, int64_t at, void *data, size_t size)
{
    unsigned char *to = data;
    while (size > 0) {
        ssize_t got = pread(fd, to, size, (off_t)at);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        to += got;
        at += got;
        size -= (size_t)got;
    }
    return true;
}

// Classifies the head of a journal, of which a kill may have left the first part.
static ib_SweepJournalState judge_head(int fd, int64_t size, const ib_Sweep *sweep)
{
    unsigned char own[HEAD], there[HEAD] = {0};
    size_t whole = size < HEAD ? (size_t)size : HEAD;
    make_head(sweep, own);
    if (!read_at(fd, 0, there, whole)) return IB_SWEEP_JOURNAL_ALIEN;
    if (whole < HEAD) {
        bool begun = memcmp(there, magic, whole < 8 ? whole : 8) == 0;
        return begun ? IB_SWEEP_JOURNAL_NONE : IB_SWEEP_JOURNAL_ALIEN;
    }
    if (memcmp(there, own, HEAD) == 0) return IB_SWEEP_JOURNAL_OURS;
    bool valid = memcmp(there, magic, 8) == 0 &&
                 ib_bytes_word(there + 32, 8) == checksum(IB_HASH_START, there, 32);
    return valid ? IB_SWEEP_JOURNAL_OTHER : IB_SWEEP_JOURNAL_ALIEN;
}

// The frame of a block.
typedef struct Frame {
    int rows;
    int64_t first;
    size_t length;
    uint64_t check;
} Frame;

// Reads the frame at a place of a file of `size` bytes with all of its rows; false: none.
static bool read_frame(int fd, int64_t at, int64_t size, unsigned char bytes[FRAME], Frame *frame)
{
    if (size - at < FRAME || !read_at(fd, at, bytes, FRAME)) return false;
    uint64_t rows = ib_bytes_word(bytes + 4, 4), length = ib_bytes_word(bytes + 16, 8);
    *frame = (Frame){.rows = (int)rows,
                     .first = (int64_t)ib_bytes_word(bytes + 8, 8),
                     .length = (size_t)length,
                     .check = ib_bytes_word(bytes + 24, 8)};
    return memcmp(bytes, mark, 4) == 0 && rows >= 1 && rows <= IB_SWEEP_BLOCK_ROWS &&
           length <= IB_SWEEP_BLOCK_SIZE && (int64_t)length <= size - at - FRAME;
}

// The size of a journal, which is a plain file.
static bool find_size(int fd, int64_t *size)
{
    struct stat found;
    if (fstat(fd, &found) != 0 || !S_ISREG(found.st_mode)) return false;
    *size = (int64_t)found.st_size;
    return true;
}

ib_SweepJournalState ib_sweep_journal_examine(const char *path, const ib_Sweep *sweep,
                                              int64_t *held, int64_t *runs)
{
    int64_t size;
    *held = *runs = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return errno == ENOENT ? IB_SWEEP_JOURNAL_NONE : IB_SWEEP_JOURNAL_ALIEN;
    ib_SweepJournalState state =
        find_size(fd, &size) ? judge_head(fd, size, sweep) : IB_SWEEP_JOURNAL_ALIEN;
    if (state != IB_SWEEP_JOURNAL_ALIEN && flock(fd, LOCK_SH | LOCK_NB) != 0 &&
        errno == EWOULDBLOCK)
        state = IB_SWEEP_JOURNAL_BUSY;
    bool counted = state == IB_SWEEP_JOURNAL_OURS || state == IB_SWEEP_JOURNAL_OTHER;
    unsigned char bytes[FRAME];
    Frame frame;
    if (counted && read_at(fd, 16, bytes, 8)) *runs = (int64_t)ib_bytes_word(bytes, 8);
    for (int64_t at = HEAD; counted && read_frame(fd, at, size, bytes, &frame);) {
        if (frame.first != *held) break;
        *held += frame.rows;
        at += FRAME + (int64_t)frame.length;
    }
    close(fd);
    return state;
}

// ---------------------------------------------------------------------------------------- and open

// Writes all bytes at the end of the valid part, or nothing valid.
static ib_Status write_end(ib_SweepJournal *journal, const void *data, size_t size, ib_Error *error)
{
    const unsigned char *from = data;
    int64_t at = journal->size;
    for (size_t left = size; left > 0;) {
        ssize_t put = pwrite(journal->fd, from, left, (off_t)at);
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0)
            return ib_error_set(error, IB_FAILED, "cannot write '%s': %s", journal->path,
                                strerror(put < 0 ? errno : EIO));
        from += put;
        at += put;
        left -= (size_t)put;
    }
    journal->size = at;
    return IB_OK;
}

static ib_Status begin_anew(ib_SweepJournal *journal, const ib_Sweep *sweep, ib_Error *error)
{
    unsigned char head[HEAD];
    make_head(sweep, head);
    journal->writing = true;
    if (ftruncate(journal->fd, 0) != 0)
        return ib_error_set(error, IB_FAILED, "cannot empty '%s': %s", journal->path,
                            strerror(errno));
    return write_end(journal, head, HEAD, error);
}

static ib_Status open_kept(ib_SweepJournal *journal, const ib_Sweep *sweep, bool keep,
                           ib_Error *error)
{
    int64_t size;
    if (!find_size(journal->fd, &size))
        return ib_error_set(error, IB_BAD_INPUT, "'%s' is not a plain file: a journal must be one",
                            journal->path);
    ib_SweepJournalState state = judge_head(journal->fd, size, sweep);
    if (state == IB_SWEEP_JOURNAL_ALIEN)
        return ib_error_set(error, IB_BAD_INPUT,
                            "'%s' is no journal of a sweep: expected another name, or no such file",
                            journal->path);
    if (!keep || state == IB_SWEEP_JOURNAL_NONE) return begin_anew(journal, sweep, error);
    if (state == IB_SWEEP_JOURNAL_OTHER)
        return ib_error_set(error, IB_BAD_INPUT,
                            "'%s' is of another sweep: its scenario (or a file that it names), its "
                            "options or the version of ironbird were others. Remove it, or "
                            "name another journal",
                            journal->path);
    journal->size = HEAD;
    return IB_OK;
}

ib_Status ib_sweep_journal_open(ib_SweepJournal *journal, const char *path, const ib_Sweep *sweep,
                                bool keep, ib_Error *error)
{
    *journal = (ib_SweepJournal){
        .path = strdup(path), .fd = -1, .shape = ib_sweep_shape(sweep), .runs = sweep->count};
    if (!journal->path) return ib_error_set(error, IB_FAILED, "out of memory for the journal");
    journal->fd = ib_output_claim(path, O_RDWR | O_CREAT | O_NONBLOCK);
    ib_Status status = IB_OK;
    if (journal->fd < 0) status = ib_output_failed(path, errno, IB_BAD_INPUT, error);
    if (status == IB_OK) status = open_kept(journal, sweep, keep, error);
    if (status != IB_OK) ib_sweep_journal_close(journal, false);
    return status;
}

// --------------------------------------------------------------------------------- read and append

// Removes a block that the last kill has left incomplete.
static void cut_tail(ib_SweepJournal *journal, int64_t size)
{
    journal->writing = true;
    journal->cut = size - journal->size;
    // A tail that cannot be cut is overwritten: the file then ends with an invalid block.
    if (journal->cut > 0 && ftruncate(journal->fd, (off_t)journal->size) != 0) journal->cut = 0;
}

bool ib_sweep_journal_next(ib_SweepJournal *journal, const unsigned char **rows, size_t *length,
                           int *count)
{
    unsigned char bytes[FRAME];
    Frame frame;
    int64_t size = journal->size;
    if (journal->writing || !find_size(journal->fd, &size)) return false;
    bool good = read_frame(journal->fd, journal->size, size, bytes, &frame) &&
                frame.first == journal->held && frame.rows <= journal->runs - journal->held;
    journal->block.count = 0;
    good = good && ib_bytes_reserve(&journal->block, frame.length + 1) &&
           read_at(journal->fd, journal->size + FRAME, journal->block.data, frame.length) &&
           frame.check ==
               checksum(checksum(IB_HASH_START, bytes, 24), journal->block.data, frame.length);
    if (!good) {
        cut_tail(journal, size);
        return false;
    }
    *rows = journal->block.data;
    *length = frame.length;
    *count = frame.rows;
    journal->size += FRAME + (int64_t)frame.length;
    journal->held += frame.rows;
    return true;
}

ib_Status ib_sweep_journal_append(ib_SweepJournal *journal, const ib_Bytes *rows, int count,
                                  ib_Error *error)
{
    unsigned char frame[FRAME];
    IB_ASSERT(journal->writing && count >= 1 && count <= IB_SWEEP_BLOCK_ROWS);
    IB_ASSERT(rows->count <= IB_SWEEP_BLOCK_SIZE);
    memcpy(frame, mark, 4);
    put_word(frame + 4, (uint64_t)count, 4);
    put_word(frame + 8, (uint64_t)journal->held, 8);
    put_word(frame + 16, rows->count, 8);
    put_word(frame + 24, checksum(checksum(IB_HASH_START, frame, 24), rows->data, rows->count), 8);
    journal->block.count = 0;
    journal->block.failed = false;
    ib_bytes_put(&journal->block, frame, FRAME);
    ib_bytes_put(&journal->block, rows->data, rows->count);
    if (journal->block.failed)
        return ib_error_set(error, IB_FAILED, "out of memory for the journal");
    ib_Status status = write_end(journal, journal->block.data, journal->block.count, error);
    if (status == IB_OK) journal->held += count;
    return status;
}

void ib_sweep_journal_close(ib_SweepJournal *journal, bool remove)
{
    if (remove && journal->path && journal->fd >= 0) unlink(journal->path);
    if (journal->fd >= 0) close(journal->fd);
    ib_bytes_free(&journal->block);
    free(journal->path);
    *journal = (ib_SweepJournal){.fd = -1};
}

ib_Status ib_sweep_journal_free(const char *path, const ib_Sweep *sweep, const char *option,
                                ib_Error *error)
{
    int64_t held, runs;
    ib_SweepJournalState state = ib_sweep_journal_examine(path, sweep, &held, &runs);
    if (held == 0) return IB_OK;
    if (state == IB_SWEEP_JOURNAL_OURS)
        return ib_error_set(error, IB_BAD_INPUT,
                            "'%s' has %" PRId64 " of the %" PRId64 " runs of this sweep: --resume "
                            "goes on there; to begin anew, remove it",
                            path, held, sweep->count);
    return ib_error_set(error, IB_BAD_INPUT,
                        "'%s' has %" PRId64 " of the %" PRId64
                        " runs of another sweep (its scenario, its options or the version of "
                        "ironbird were others): its own command with --resume goes on there; to "
                        "begin anew, remove it, or name another %s",
                        path, held, runs, option);
}
