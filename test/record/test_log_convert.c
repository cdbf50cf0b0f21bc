// Claims about src/record/log_convert.c: what is converted in pieces is what is converted whole.
// The twin is ib_log_read and ib_log_write, which have all of a log in memory.
#include "cmocka_all.h"

#include "base/output_part.h"
#include "record/log_convert.h"
#include "spread.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[64];

typedef struct Random {
    uint64_t seed, index;
} Random;

static uint64_t below(Random *random, uint64_t limit)
{
    return chance_bits(random->seed, 0, random->index++) % limit;
}

typedef struct Paths {
    char from[96], whole[96], pieces[96];
} Paths;

static Paths paths_of(const char *from, const char *to)
{
    Paths paths;
    snprintf(paths.from, sizeof paths.from, "%s/from.%s", folder, from);
    snprintf(paths.whole, sizeof paths.whole, "%s/whole.%s", folder, to);
    snprintf(paths.pieces, sizeof paths.pieces, "%s/pieces.%s", folder, to);
    return paths;
}

static void put_file(const char *path, const void *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static ib_Bytes get_file(const char *path)
{
    ib_Bytes bytes = {0};
    FILE *file = fopen(path, "rb");
    if (!file) return bytes;
    unsigned char part[4096];
    for (size_t got; (got = fread(part, 1, sizeof part, file)) > 0;)
        ib_bytes_put(&bytes, part, got);
    fclose(file);
    return bytes;
}

// Both ways have the same end, the same words for it, the same bytes and the same things to tell.
static void expect_same(const Paths *paths, const ib__ConvertLimits *limits)
{
    ib_Error whole_error = {0}, pieces_error = {0};
    ib_Log *whole = NULL, *pieces = NULL;
    unlink(paths->whole);
    unlink(paths->pieces);
    ib_Status status = ib_log_read(paths->from, &whole, &whole_error);
    bool read = status == IB_OK;
    if (read) status = ib_log_write(whole, paths->whole, &whole_error);
    ib_Status said =
        ib__log_convert_within(paths->from, paths->pieces, limits, &pieces, &pieces_error);
    assert_string_equal(pieces_error.text, whole_error.text);
    assert_int_equal(said, status);
    ib_Bytes a = get_file(paths->whole), b = get_file(paths->pieces);
    assert_int_equal(a.count, b.count);
    if (a.count) assert_memory_equal(a.data, b.data, a.count);
    ib_bytes_free(&a);
    ib_bytes_free(&b);
    if (read) {
        assert_int_equal(pieces->truncated, whole->truncated);
        assert_int_equal(pieces->whole_size, whole->whole_size);
        assert_int_equal(pieces->event_count, whole->event_count);
        assert_int_equal(pieces->back_line, whole->back_line);
        assert_int_equal(pieces->unread_count, whole->unread_count);
    }
    ib_log_destroy(whole);
    ib_log_destroy(pieces);
    unlink(paths->whole);
    unlink(paths->pieces);
}

static const char *const formats[] = {"csv", "wpilog"};
static const ib__ConvertLimits few[] = {
    {.room = 1, .window = 64, .block = 32},
    {.room = 7, .window = 100, .block = 1},
    {.room = 100, .window = 4096, .block = 300},
    {.room = 1 << 18, .window = 1 << 20, .block = 1 << 16},
};
enum { FEW = sizeof few / sizeof few[0] };

static void expect_same_everywhere(const char *from, const void *data, size_t size)
{
    for (int to = 0; to < 2; to++) {
        Paths paths = paths_of(from, formats[to]);
        put_file(paths.from, data, size);
        for (int i = 0; i < FEW; i++) expect_same(&paths, &few[i]);
        unlink(paths.from);
    }
}

// --------------------------------------------------------------------------------------- the files

// Times in order, nearly in order, in no order, and all but a few the same.
typedef enum Order { SORTED, NEARLY, SHUFFLED, CROWDED, ORDERS } Order;

static int64_t some_time(Random *random, Order order, int i)
{
    int by = (int)below(random, 40);
    switch (order) {
    case SORTED:
        return i / 3;
    case NEARLY:
        return by == 0 && i > 20 ? i / 3 - 5 : i / 3;
    case SHUFFLED:
        return (int64_t)below(random, 60);
    default:
        return by == 0 ? i : 9;
    }
}

enum { SAMPLES = 400 };

// Numbers, a flag, an array, two sources of texts, a fact that is said twice, an id that is used
// again and a type that nobody reads.
static ib_Bytes make_wpilog(uint64_t seed, Order order)
{
    Random random = {seed, 0};
    ib_Bytes bytes = {0};
    ib_wpilog_put_header("", &bytes);
    ib_wpilog_put_start(1, "pose.x", "double", "{\"unit\":\"m\"}", &bytes);
    ib_wpilog_put_start(2, "flag", "boolean", "", &bytes);
    ib_wpilog_put_start(3, "list", "double[]", "", &bytes);
    ib_wpilog_put_start(4, "messages", "string", "", &bytes);
    ib_wpilog_put_start(5, "others", "string", "", &bytes);
    ib_wpilog_put_start(6, "/Metadata/title", "string", "", &bytes);
    ib_wpilog_put_start(7, "thing", "proto:Thing", "", &bytes);
    ib_wpilog_put_text(6, 0, "first", &bytes);
    static const char *const texts[] = {"info: a", "error: b", "c", "warning: \xc3\xa9"};
    for (int i = 0; i < SAMPLES; i++) {
        uint64_t micros = (uint64_t)(1000 * some_time(&random, order, i));
        double value = (double)i / 7, list[3] = {value, -value, 1e-300 * value};
        unsigned char flag = (unsigned char)(i % 2);
        if (i == 150) ib_wpilog_put_start(1, "pose.y", "double", "", &bytes);
        if (i == 200) ib_wpilog_put_text(6, 0, "second", &bytes);
        switch (below(&random, 6)) {
        case 0:
            ib_wpilog_put_record(2, micros, &flag, 1, &bytes);
            break;
        case 1:
            ib_wpilog_put_record(3, micros, list, 8 * below(&random, 4), &bytes);
            break;
        case 2:
            ib_wpilog_put_text(4 + (uint32_t)below(&random, 2), micros, texts[i % 4], &bytes);
            break;
        case 3:
            ib_wpilog_put_text(7, micros, "\x08\x01", &bytes);
            break;
        default:
            ib_wpilog_put_double(1, micros, value, &bytes);
        }
    }
    assert_false(bytes.failed);
    return bytes;
}

// Times are milliseconds or, of odd seeds, nanoseconds: neighbours with nothing between them.
static ib_Bytes make_csv(uint64_t seed, Order order)
{
    Random random = {seed, 0};
    static const char *const cells[] = {
        "",        "0",    "1",   "-2.5", "1e-7",  "null", "nan",
        "1e300",   "true", "0.1", " 7 ",  "\"3\"", "-0.0", "123456789012345678901234567890",
        "4.9e-324"};
    ib_Bytes bytes = {0};
    ib_bytes_put_text(&bytes, "pose.x [m],Timestamp,breaker.closed [1],\"a,b\"\n");
    for (int i = 0; i < SAMPLES / 4; i++) {
        char row[200];
        const char *some[3];
        for (int k = 0; k < 3; k++) some[k] = cells[below(&random, sizeof cells / sizeof *cells)];
        snprintf(row, sizeof row, "%s,%.9f,%s,%s\n", some[0],
                 (double)some_time(&random, order, i) / (seed % 2 ? 1e9 : 1e3),
                 i % 5 ? "1" : some[1], some[2]);
        ib_bytes_put_text(&bytes, row);
    }
    assert_false(bytes.failed);
    return bytes;
}

// ------------------------------------------------------------------------------------------ claims

// Goal: small memory changes no byte. Method: logs of both formats into both formats, with times in
// four kinds of order, in room for 1 to all samples, against the conversion in memory.
static void pieces_make_the_same_bytes(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 4; seed++)
        for (int order = 0; order < ORDERS; order++) {
            ib_Bytes log = make_wpilog(seed, (Order)order), table = make_csv(seed, (Order)order);
            expect_same_everywhere("wpilog", log.data, log.count);
            expect_same_everywhere("csv", table.data, table.count);
            ib_bytes_free(&log);
            ib_bytes_free(&table);
        }
}

// Goal: a file that is cut off anywhere, also with zeros behind it, ends as in memory.
// Method: cut at every 37th byte.
static void cut_files_end_as_in_memory(void **state)
{
    (void)state;
    for (int format = 0; format < 2; format++) {
        ib_Bytes file = format ? make_wpilog(5, NEARLY) : make_csv(5, NEARLY);
        Paths paths = paths_of(formats[format], "csv");
        for (size_t size = 0; size < file.count; size += 37) {
            put_file(paths.from, file.data, size);
            expect_same(&paths, &few[1]);
            unsigned char *zeros = calloc(1, size + 300);
            memcpy(zeros, file.data, size);
            put_file(paths.from, zeros, size + 300);
            expect_same(&paths, &few[1]);
            free(zeros);
        }
        unlink(paths.from);
        ib_bytes_free(&file);
    }
}

// Goal: a broken file is refused, or read, as in memory, with the same words. Method: 400 files of
// each format with 1 to 3 bytes that are others.
static void broken_files_end_as_in_memory(void **state)
{
    (void)state;
    Random random = {11, 0};
    for (int format = 0; format < 2; format++) {
        ib_Bytes file = format ? make_wpilog(6, SHUFFLED) : make_csv(6, SHUFFLED);
        Paths paths = paths_of(formats[format], "wpilog");
        unsigned char *broken = malloc(file.count);
        for (int i = 0; i < 400; i++) {
            memcpy(broken, file.data, file.count);
            for (uint64_t k = 1 + below(&random, 3); k; k--)
                broken[below(&random, file.count)] =
                    format ? (unsigned char)below(&random, 256)
                           : (unsigned char)"\",\n .0-x"[below(&random, 8)];
            put_file(paths.from, broken, file.count);
            expect_same(&paths, &few[i % FEW]);
        }
        unlink(paths.from);
        free(broken);
        ib_bytes_free(&file);
    }
}

// Goal: what can be read once only is converted too. Method: a pipe that holds all of a table.
static void a_pipe_is_converted(void **state)
{
    (void)state;
    Paths paths = paths_of("csv", "wpilog");
    ib_Bytes table = make_csv(3, SORTED);
    put_file(paths.from, table.data, table.count);
    ib_Log *log;
    ib_Error error = {0};
    assert_int_equal(ib_log_convert(paths.from, paths.whole, &log, &error), IB_OK);
    ib_log_destroy(log);

    // A pipe takes 4096 bytes before anybody reads.
    int ends[2];
    char name[32];
    assert_true(table.count <= 4096);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], table.data, table.count), table.count);
    close(ends[1]);
    snprintf(name, sizeof name, "/dev/fd/%d", ends[0]);
    assert_int_equal(ib_log_convert(name, paths.pieces, &log, &error), IB_OK);
    ib_log_destroy(log);
    close(ends[0]);
    ib_Bytes a = get_file(paths.whole), b = get_file(paths.pieces);
    assert_true(a.count > 0);
    assert_int_equal(a.count, b.count);
    assert_memory_equal(a.data, b.data, a.count);
    ib_bytes_free(&a);
    ib_bytes_free(&b);
    ib_bytes_free(&table);
    unlink(paths.from);
    unlink(paths.whole);
    unlink(paths.pieces);
}

// ----------------------------------------------------------------------------------------- stopped

static char part[128]; ///< of the file that a child writes

static void on_alarm(int number)
{
    (void)number;
    raise(SIGINT);
}

// What Ctrl-C does, once the conversion has begun to write.
static void stop_while_writing(int number)
{
    (void)number;
    if (access(part, F_OK) != 0) return;
    ib_output_part_abandon(STDERR_FILENO);
    _exit(130);
}

static void convert_and_be_stopped(const char *from, const char *to)
{
    struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
    struct sigaction stop = {.sa_handler = stop_while_writing, .sa_flags = SA_RESTART};
    struct itimerval timer = {{0, 200}, {0, 200}};
    ib_Log *log;
    ib_Error error;
    snprintf(part, sizeof part, "%s.part-%ld", to, (long)getpid());
    dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
    sigaction(SIGALRM, &action, NULL);
    sigaction(SIGINT, &stop, NULL);
    setitimer(ITIMER_REAL, &timer, NULL);
    _exit(ib_log_convert(from, to, &log, &error) == IB_OK ? 0 : 1);
}

// Goal: a conversion that is stopped leaves its output as it was, not cut. Method: a table of
// 100 000 rows becomes a CSV in a child that is stopped as soon as it writes; the file was there,
// and was not.
static void a_stopped_conversion_leaves_no_cut_file(void **state)
{
    (void)state;
    Paths paths = paths_of("csv", "csv");
    ib_Bytes rows = {0};
    char line[32];
    ib_bytes_put(&rows, "Timestamp,a [m]\n", 16);
    for (int i = 0; i < 100000; i++)
        ib_bytes_put(&rows, line, (size_t)snprintf(line, sizeof line, "%d.5,%d\n", i, i));
    put_file(paths.from, rows.data, rows.count);
    ib_bytes_free(&rows);
    for (int there = 0; there < 2; there++) {
        int status;
        unlink(paths.pieces);
        if (there) put_file(paths.pieces, "as it was", 9);
        pid_t child = fork();
        if (child == 0) convert_and_be_stopped(paths.from, paths.pieces);
        assert_true(waitpid(child, &status, 0) == child && WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 130);
        ib_Bytes left = get_file(paths.pieces);
        assert_int_equal(left.count, there ? 9 : 0);
        assert_int_equal(access(paths.pieces, F_OK), there ? 0 : -1);
        ib_bytes_free(&left);
        snprintf(part, sizeof part, "%s.part-%ld", paths.pieces, (long)child);
        assert_int_equal(access(part, F_OK), -1);
    }
    unlink(paths.pieces);
    unlink(paths.from);
}

static int make_folder(void **state)
{
    (void)state;
    // Thousands of files are written and synced: in memory that is at once.
    const char *base = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%.32s/ib_log_convert_XXXXXX", base ? base : "/tmp");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_make_the_same_bytes),
        cmocka_unit_test(cut_files_end_as_in_memory),
        cmocka_unit_test(broken_files_end_as_in_memory),
        cmocka_unit_test(a_pipe_is_converted),
        cmocka_unit_test(a_stopped_conversion_leaves_no_cut_file),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
