#include "record/recorder.h"

#include "base/quote.h"
#include "base/ring.h"
#include "base/thread.h"
#include "record/journal.h"
#include "record/row_file.h"

#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    RING_SIZE = 4 << 20, ///< bytes
    RING_MIN = 64,       ///< rows of any length
    MESSAGE_SLOTS = 1024,
    WRITE_PERIOD = 20, ///< ms; 50 are guaranteed: the rest is for the scheduler and the disk
    SYNC_PERIOD = 200, ///< ms; 250 are guaranteed
    FULL_WAIT = 100,   ///< us between checks of a full ring
};

typedef struct Row {
    ib_Time time;
    double values[];
} Row;

enum { MESSAGES, INPUTS }; ///< sources

typedef struct Message {
    ib_Time time;
    int64_t after; ///< rows taken before it: its place in the files
    int source;
    ib_LogLevel level;
    char text[IB_RECORDER_MESSAGE];
} Message;

typedef struct File {
    ib_RowFile rows;
    _Atomic int failure; ///< errno of the first failure, for the run's thread; 0: none
} File;

struct ib_Recorder {
    ib_Arena arena;
    ib_Ring rows, messages;
    const int *gather; ///< index of the signal at each place of a row
    int gather_count;
    ib_Time every, last; ///< last: time of the newest row, -1: none
    bool realtime, inputs;
    const volatile sig_atomic_t *stopped; ///< the run's flag; NULL: none
    File files[IB_RECORDER_MAX_FILES];
    int file_count;
    pthread_t thread;
    sem_t wake;
    _Atomic bool awake; ///< `wake` has been posted and not yet been waited for
    _Atomic bool stop;
    int64_t taken;                  ///< rows put into their ring by the run's thread
    int64_t dropped, lost_messages; ///< counted by the run's thread, read after the join
    int64_t lost_inputs;            ///< of the lost messages
    int64_t row_count;              ///< counted by the recorder's thread
};

// ---------------------------------------------------------------------------------- the run's side

static void wake(ib_Recorder *recorder)
{
    if (!atomic_exchange(&recorder->awake, true)) sem_post(&recorder->wake);
}

// A free slot, or NULL: the row or message is dropped.
static void *claim(ib_Recorder *recorder, ib_Ring *ring)
{
    void *slot = ib_ring_claim(ring);
    while (!slot && !recorder->realtime) {
        wake(recorder);
        nanosleep(&(struct timespec){.tv_nsec = FULL_WAIT * 1000}, NULL);
        slot = ib_ring_claim(ring);
    }
    return slot;
}

static void push_row(ib_Recorder *recorder, ib_Time time, const double *signals)
{
    Row *row = claim(recorder, &recorder->rows);
    if (!row) {
        recorder->dropped++;
        return;
    }
    row->time = time;
    for (int i = 0; i < recorder->gather_count; i++) row->values[i] = signals[recorder->gather[i]];
    ib_ring_publish(&recorder->rows);
    recorder->taken++;

    // A run faster than real time fills the ring before the writer wakes up by itself.
    if (!recorder->realtime && ib_ring_used(&recorder->rows) > recorder->rows.capacity / 2)
        wake(recorder);
}

static ib_Time sample(void *self, ib_Time time, const double *signals)
{
    ib_Recorder *recorder = self;
    // The end of a run may come twice: as the end and as a multiple of `every`.
    if (time != recorder->last) push_row(recorder, time, signals);
    recorder->last = time;
    // A run checks its flag between steps, and one step may have millions of rows: after a stop
    // only the end is recorded.
    if (recorder->stopped && *recorder->stopped) return IB_TIME_NEVER;
    return recorder->every ? ib_time_next(time, recorder->every) : IB_TIME_NEVER;
}

ib_Probe ib_recorder_probe(ib_Recorder *recorder)
{
    return (ib_Probe){
        .self = recorder, .each_step = recorder->every == 0, .sample = sample, .at_end = true};
}

static void push_text(ib_Recorder *recorder, ib_Time time, int source, ib_LogLevel level,
                      const char *text)
{
    Message *message = claim(recorder, &recorder->messages);
    if (!message) {
        recorder->lost_messages++;
        recorder->lost_inputs += source == INPUTS;
        return;
    }
    // The cut is between characters: a byte 10xxxxxx continues the one before it.
    size_t length = strnlen(text, IB_RECORDER_MESSAGE - 1);
    while (length && ((unsigned char)text[length] & 0xc0) == 0x80) length--;
    message->time = time;
    message->after = recorder->taken;
    message->source = source;
    message->level = level;
    memcpy(message->text, text, length);
    message->text[length] = '\0';
    ib_ring_publish(&recorder->messages);
}

void ib_recorder_message(ib_Recorder *recorder, ib_Time time, ib_LogLevel level, const char *text)
{
    push_text(recorder, time, MESSAGES, level, text);
}

void ib_recorder_input(ib_Recorder *recorder, ib_Time time, const char *line)
{
    IB_ASSERT(recorder->inputs);
    push_text(recorder, time, INPUTS, IB_LEVEL_INFO, line);
}

static ib_Status check_inputs(const ib_Recorder *recorder, ib_Error *error)
{
    if (recorder->lost_inputs == 0) return IB_OK;
    return ib_error_set(error, IB_FAILED,
                        "'%s' cannot be replayed: the disk is too slow, %lld live input%s lost",
                        recorder->files[0].rows.sink.path, (long long)recorder->lost_inputs,
                        recorder->lost_inputs == 1 ? " was" : "s were");
}

ib_Status ib_recorder_check(const ib_Recorder *recorder, ib_Error *error)
{
    for (int i = 0; i < recorder->file_count; i++) {
        const File *file = &recorder->files[i];
        int failure = atomic_load_explicit(&file->failure, memory_order_relaxed);
        if (failure)
            return ib_error_set(error, IB_FAILED, "cannot write '%s': %s", file->rows.sink.path,
                                strerror(failure));
    }
    return check_inputs(recorder, error);
}

// --------------------------------------------------------------------------- the recorder's thread

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void show_failures(ib_Recorder *recorder)
{
    for (int i = 0; i < recorder->file_count; i++) {
        File *file = &recorder->files[i];
        atomic_store_explicit(&file->failure, file->rows.sink.failure, memory_order_relaxed);
    }
}

static void write_files(ib_Recorder *recorder)
{
    for (int i = 0; i < recorder->file_count; i++) ib__row_file_write(&recorder->files[i].rows);
}

static void sync_files(ib_Recorder *recorder)
{
    for (int i = 0; i < recorder->file_count; i++) ib__row_file_sync(&recorder->files[i].rows);
}

static void format_row(ib_Recorder *recorder, const Row *row)
{
    for (int i = 0; i < recorder->file_count; i++)
        ib__row_file_row(&recorder->files[i].rows, row->time, row->values, NULL);
    recorder->row_count++;
}

static void format_message(ib_Recorder *recorder, const Message *message)
{
    for (int i = 0; i < recorder->file_count; i++)
        ib__row_file_message(&recorder->files[i].rows, message->time, message->source,
                             message->level, message->text);
}

// Formats the first of `*count` messages while they belong in front of the next row.
static void format_due(ib_Recorder *recorder, uint64_t *count)
{
    for (; *count; --*count) {
        const Message *message = ib_ring_front(&recorder->messages);
        if (message->after > recorder->row_count) return;
        format_message(recorder, message);
        ib_ring_release(&recorder->messages);
    }
}

// Formats the rows and messages waiting at the call; later arrivals wait for the next call, so that
// writing and syncing keep their periods. A message follows the rows taken before it, independent
// of this thread's timing: the same run gives the same bytes. Rows are counted first, so that no
// message in front of one of them is missed.
static void format_waiting(ib_Recorder *recorder)
{
    uint64_t rows = ib_ring_waiting(&recorder->rows);
    uint64_t messages = ib_ring_waiting(&recorder->messages);
    for (; rows; rows--) {
        format_due(recorder, &messages);
        format_row(recorder, ib_ring_front(&recorder->rows));
        ib_ring_release(&recorder->rows);
    }
    format_due(recorder, &messages);
}

static void wait_for_work(ib_Recorder *recorder)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += WRITE_PERIOD * 1000000;
    if (until.tv_nsec >= IB_SECOND) {
        until.tv_sec++;
        until.tv_nsec -= IB_SECOND;
    }
    sem_clockwait(&recorder->wake, CLOCK_MONOTONIC, &until);
    atomic_store(&recorder->awake, false);
}

static void *write_until_stopped(void *self)
{
    ib_Recorder *recorder = self;
    int64_t synced = now_ms();
    for (bool last = false; !last;) {
        // The stop is read before the rings: after it nothing can be added to them.
        last = atomic_load_explicit(&recorder->stop, memory_order_acquire);
        format_waiting(recorder);
        write_files(recorder);
        if (now_ms() - synced >= SYNC_PERIOD) {
            sync_files(recorder);
            synced = now_ms();
        }
        show_failures(recorder);
        if (!last && ib_ring_waiting(&recorder->rows) < recorder->rows.capacity / 2)
            wait_for_work(recorder);
    }
    return NULL;
}

// ------------------------------------------------------------------------------------------ create

static ib_LogFormat format_of(const ib_RecorderConfig *config, int path)
{
    ib_LogFormat said = config->formats ? config->formats[path] : IB_LOG_UNKNOWN;
    return said != IB_LOG_UNKNOWN ? said : ib_log_format(config->paths[path]);
}

static ib_Status check_config(const ib_RecorderConfig *config, ib_Error *error)
{
    if (config->path_count < 1 || config->path_count > IB_RECORDER_MAX_FILES)
        return ib_error_set(error, IB_BAD_INPUT, "a recording goes to 1 to %d files, not %d",
                            IB_RECORDER_MAX_FILES, config->path_count);
    if (config->every < 0)
        return ib_error_set(error, IB_BAD_INPUT, "the time between records must not be negative");
    if (config->signals->count > IB_LOG_MAX_SIGNALS)
        return ib_error_set(error, IB_BAD_INPUT, "more than %d signals", IB_LOG_MAX_SIGNALS);
    for (int i = 0; config->selected && i < config->selected_count; i++)
        IB_ASSERT(config->selected[i] >= 0 && config->selected[i] < config->signals->count);
    for (int i = 0; i < config->path_count; i++)
        if (format_of(config, i) == IB_LOG_UNKNOWN)
            return ib_error_set(error, IB_BAD_INPUT,
                                "cannot tell the format of '%s': expected a name that ends in .csv "
                                "or .wpilog",
                                ib_quote(config->paths[i]).text);
    return IB_OK;
}

// The place of a signal in the row, added if missing.
static int place_signal(int *gather, int *count, int signal)
{
    for (int i = 0; i < *count; i++)
        if (gather[i] == signal) return i;
    gather[*count] = signal;
    return (*count)++;
}

// A row holds the selected signals first and then the other poses: WPILOG shows every robot on
// its field.
static ib_Status plan_row(const ib_RecorderConfig *config, ib_Recorder *recorder,
                          ib_WpilogLayout *layout, ib_Error *error)
{
    ib_Arena *arena = &recorder->arena;
    int all = config->signals->count;
    int selected = config->selected ? config->selected_count : all;
    ib_SignalDef *columns = ib_arena_array(arena, (size_t)selected, sizeof *columns);
    int *gather = ib_arena_array(arena, (size_t)(selected + all), sizeof *gather);
    ib_PosePlaces *poses = NULL;
    int pose_count = ib__poses_find(config->signals->items, all, arena, &poses);
    if (!columns || !gather || pose_count < 0)
        return ib_error_set(error, IB_FAILED, "out of memory for a recording");

    recorder->gather = gather;
    recorder->gather_count = selected;
    for (int i = 0; i < selected; i++) {
        gather[i] = config->selected ? config->selected[i] : i;
        columns[i] = config->signals->items[gather[i]];
    }
    for (int i = 0; i < pose_count; i++) {
        poses[i].x = place_signal(gather, &recorder->gather_count, poses[i].x);
        poses[i].y = place_signal(gather, &recorder->gather_count, poses[i].y);
        poses[i].heading = place_signal(gather, &recorder->gather_count, poses[i].heading);
    }
    static const char *const sources[] = {[MESSAGES] = "messages", [INPUTS] = IB_JOURNAL_SOURCE};
    *layout =
        (ib_WpilogLayout){columns, selected, poses, pose_count, sources, config->inputs ? 2 : 1};

    size_t row = sizeof(Row) + (size_t)recorder->gather_count * sizeof(double);
    size_t capacity = RING_SIZE / row > RING_MIN ? RING_SIZE / row : RING_MIN;
    if (!ib_ring_init(&recorder->rows, arena, row, capacity) ||
        !ib_ring_init(&recorder->messages, arena, sizeof(Message), MESSAGE_SLOTS))
        return ib_error_set(error, IB_FAILED, "out of memory for a recording");
    return IB_OK;
}

// Creates a file with its header in it: it can be read however early the run is killed.
static ib_Status open_file(const ib_RecorderConfig *config, ib_Recorder *recorder,
                           const ib_WpilogLayout *layout, int index, ib_Error *error)
{
    const char *path = config->paths[index];
    ib_RowFile *file = &recorder->files[recorder->file_count].rows;
    const ib_Packer packer = {format_of(config, index), *layout};
    char *copy = ib_arena_text(&recorder->arena, path);
    if (!copy) return ib_error_set(error, IB_FAILED, "out of memory for a recording");
    ib_Status status = ib__row_file_create(copy, false, &packer, &recorder->arena, file, error);
    if (status != IB_OK) return status;
    recorder->file_count++;
    ib__row_file_begin(file, config->facts, config->fact_count);
    if (file->sink.failure) return ib__row_file_close(file, error);

    // Reserves all memory for formatting.
    size_t messages = MESSAGE_SLOTS * (sizeof(Message) + IB_WPILOG_RECORD);
    size_t end = 32 * (size_t)(recorder->gather_count + layout->pose_count + 1);
    size_t room = IB_BLOCK_SIZE + ib__packer_row_limit(&packer) + messages + end;
    if (!ib_bytes_reserve(&file->bytes, room))
        return ib_error_set(error, IB_FAILED, "out of memory for a recording");
    return IB_OK;
}

static void destroy(ib_Recorder *recorder)
{
    for (int i = 0; i < recorder->file_count; i++)
        ib__row_file_close(&recorder->files[i].rows, NULL);
    sem_destroy(&recorder->wake);
    ib_arena_reset(&recorder->arena);
    free(recorder);
}

ib_Status ib_recorder_create(const ib_RecorderConfig *config, ib_Recorder **recorder,
                             ib_Error *error)
{
    *recorder = NULL;
    ib_Status status = check_config(config, error);
    if (status != IB_OK) return status;
    size_t size = (sizeof(ib_Recorder) + 63) / 64 * 64;
    ib_Recorder *made = aligned_alloc(64, size);
    if (!made) return ib_error_set(error, IB_FAILED, "out of memory for a recording");
    memset(made, 0, size);
    made->every = config->every;
    made->realtime = config->realtime;
    made->inputs = config->inputs;
    made->stopped = config->stop;
    made->last = -1;
    sem_init(&made->wake, 0, 0);

    ib_WpilogLayout layout = {0};
    status = plan_row(config, made, &layout, error);
    for (int i = 0; status == IB_OK && i < config->path_count; i++)
        status = open_file(config, made, &layout, i, error);
    // In a thread with blocked signals, a full quota or a closed pipe is an errno.
    int failure = status == IB_OK ? ib_thread_start(&made->thread, write_until_stopped, made) : 0;
    if (failure)
        status = ib_error_set(error, IB_FAILED, "cannot start the recorder's thread: %s",
                              strerror(failure));
    if (status != IB_OK) {
        destroy(made);
        return status;
    }
    *recorder = made;
    return IB_OK;
}

// ------------------------------------------------------------------------------------------- close

// The last message: the number of dropped rows and messages.
static void put_dropped(ib_Recorder *recorder)
{
    if (recorder->dropped == 0 && recorder->lost_messages == 0) return;
    Message message = {.time = recorder->last < 0 ? 0 : recorder->last, .level = IB_LEVEL_WARNING};
    snprintf(message.text, sizeof message.text,
             "the files could not keep up: %lld rows and %lld messages were dropped",
             (long long)recorder->dropped, (long long)recorder->lost_messages);
    format_message(recorder, &message);
}

// Closes the files; the error has one sentence per failed file.
static ib_Status close_files(ib_Recorder *recorder, ib_Error *error)
{
    ib_Status status = IB_OK;
    char text[IB_ERROR_TEXT] = "";
    size_t used = 0;
    for (int i = 0; i < recorder->file_count; i++) {
        ib_Error failure;
        if (ib__row_file_close(&recorder->files[i].rows, &failure) == IB_OK) continue;
        status = IB_FAILED;
        int length =
            snprintf(text + used, sizeof text - used, "%s%s", used ? "; " : "", failure.text);
        used += (size_t)length;
        if (used >= sizeof text) break;
    }
    return status == IB_OK ? IB_OK : ib_error_set(error, status, "%s", text);
}

ib_Status ib_recorder_close(ib_Recorder *recorder, ib_RecorderCounts *counts, ib_Error *error)
{
    atomic_store_explicit(&recorder->stop, true, memory_order_release);
    wake(recorder);
    pthread_join(recorder->thread, NULL);
    put_dropped(recorder);
    ib_Status status = close_files(recorder, error);
    if (status == IB_OK) status = check_inputs(recorder, error);
    if (counts)
        *counts =
            (ib_RecorderCounts){recorder->row_count, recorder->dropped, recorder->lost_messages};
    destroy(recorder);
    return status;
}
