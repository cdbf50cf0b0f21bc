// Logs of other programs: values, arrays and structs become signals, and what does not is named.
#include "cmocka_all.h"
#include "record/wpilog_rig.h"

#include <stdio.h>
#include <string.h>

static ib_Log *parse(ib_Bytes *bytes)
{
    ib_Log *log = rig_parse(bytes);
    ib_bytes_free(bytes);
    return log;
}

static const ib_LogSeries *find(const ib_Log *log, const char *name)
{
    const ib_LogSeries *series = ib_log_find(log, name);
    if (!series) fail_msg("no signal %s", name);
    return series;
}

// Every value of a series, with its unit.
static void check(const ib_Log *log, const char *name, const char *unit, int count,
                  const double *values)
{
    const ib_LogSeries *series = find(log, name);
    assert_string_equal(series->unit, unit);
    assert_int_equal(series->count, count);
    for (int i = 0; i < count; i++) assert_true(series->values[i] == values[i]);
}

// Goal: logs of real robots are read. Method: every plain type, unknown types, new metadata, a
// finished entry whose name and number are used again, times out of order.
static void foreign_logs_are_read(void **state)
{
    (void)state;
    ib_Bytes bytes = {0};
    float single = 0.75f;
    ib_wpilog_put_header("from elsewhere", &bytes);
    ib_wpilog_put_start(70000, "/a", "int64", "{\"source\":\"NT\",\"unit\":\"lb\"}", &bytes);
    ib_wpilog_put_start(2, "b", "float", "", &bytes);
    ib_wpilog_put_start(3, "c", "boolean", "not json", &bytes);
    ib_wpilog_put_start(4, "d", "string", "", &bytes);
    ib_wpilog_put_start(5, "e", "double[]", "", &bytes);
    ib_wpilog_put_start(6, "f", "proto:Thing", "", &bytes);
    rig_put_int64(70000, 3000000, -3, &bytes);
    rig_put_int64(70000, 1000000, 1, &bytes);
    ib_wpilog_put_record(2, 0, &single, 4, &bytes);
    ib_wpilog_put_record(3, 0, "\x01", 1, &bytes);
    ib_wpilog_put_record(3, 1, "\x00", 1, &bytes);
    ib_wpilog_put_text(4, 9, "warning: raw", &bytes);
    ib_wpilog_put_record(5, 0, "sixteen bytes ok", 16, &bytes);
    ib_wpilog_put_record(6, 0, "?", 1, &bytes);
    static const char set_metadata[] = "\x02\x70\x11\x01\x00\x0c\x00\x00\x00{\"unit\":\"N\"}";
    ib_wpilog_put_record(0, 0, set_metadata, sizeof set_metadata - 1, &bytes);
    ib_wpilog_put_record(0, 4, "\x01\x70\x11\x01\x00", 5, &bytes); // Finish of entry 70000
    ib_wpilog_put_start(70000, "b", "double", "", &bytes);
    ib_wpilog_put_double(70000, 2, 0.5, &bytes);
    ib_wpilog_put_start(7, "a", "int64", "", &bytes);
    rig_put_int64(7, 2000000, 2, &bytes);

    ib_Log *log = parse(&bytes);
    assert_int_equal(log->series_count, 3 + 2); // the array has two elements
    const ib_LogSeries *a = ib_log_find(log, "a"), *b = ib_log_find(log, "b"),
                       *c = ib_log_find(log, "c");
    assert_true(a && b && c);
    const double a_values[] = {1, 2, -3}, b_values[] = {0.75, 0.5}, c_values[] = {1, 0};
    assert_int_equal(a->count, 3);
    assert_memory_equal(a->values, a_values, sizeof a_values);
    assert_true(a->times[0] == IB_SECOND && a->times[2] == 3 * IB_SECOND);
    assert_string_equal(a->unit, "N");
    assert_int_equal(b->count, 2);
    assert_memory_equal(b->values, b_values, sizeof b_values);
    assert_memory_equal(c->values, c_values, sizeof c_values);
    assert_int_equal(log->event_count, 1);
    assert_string_equal(log->events[0].text, "warning: raw");
    assert_int_equal(log->events[0].level, IB_LEVEL_INFO);
    ib_log_destroy(log);
}

// Goal: arrays are read, each element as a signal that has a sample wherever the array is so long.
// Method: all four types, by hand; one that grows, shrinks and is empty once.
static void arrays_become_a_signal_for_each_element(void **state)
{
    (void)state;
    const double two[] = {0.5, -1}, three[] = {1, 2, 3};
    const float halves[] = {0.5f, 1.5f};
    const int64_t whole[] = {-7, 9};
    ib_Bytes bytes = {0};
    ib_wpilog_put_header("", &bytes);
    ib_wpilog_put_start(1, "/arm/goal", "double[]", "{\"unit\":\"rad\"}", &bytes);
    ib_wpilog_put_start(2, "f", "float[]", "", &bytes);
    ib_wpilog_put_start(3, "i", "int64[]", "", &bytes);
    ib_wpilog_put_start(4, "b", "boolean[]", "", &bytes);
    ib_wpilog_put_record(1, 0, two, sizeof two, &bytes);
    ib_wpilog_put_record(1, 1, three, sizeof three, &bytes);
    ib_wpilog_put_record(1, 2, NULL, 0, &bytes);
    ib_wpilog_put_record(1, 3, two, 8, &bytes);
    ib_wpilog_put_record(2, 0, halves, sizeof halves, &bytes);
    ib_wpilog_put_record(3, 0, whole, sizeof whole, &bytes);
    ib_wpilog_put_record(4, 0, "\x01\x00", 2, &bytes);
    ib_Log *log = parse(&bytes);
    assert_int_equal(log->series_count, 3 + 2 + 2 + 2);
    check(log, "arm.goal.0", "rad", 3, (double[]){0.5, 1, 0.5});
    check(log, "arm.goal.1", "rad", 2, (double[]){-1, 2});
    check(log, "arm.goal.2", "rad", 1, (double[]){3});
    assert_true(find(log, "arm.goal.2")->times[0] == 1000);
    check(log, "f.1", "", 1, (double[]){1.5});
    check(log, "i.0", "", 1, (double[]){-7});
    check(log, "b.0", "", 1, (double[]){1});
    assert_true(find(log, "b.1")->means.binary);
    assert_int_equal(log->unread_count, 0);
    ib_log_destroy(log);
}

static void put_geometry(ib_Bytes *bytes)
{
    const double pose[] = {1, 2, 0.5}, poses[] = {3, 4, 0.25, 5, 6, 0.125};
    ib_wpilog_put_header("", bytes);
    ib_wpilog_put_start(1, "/Odometry/Robot", "struct:Pose2d", "", bytes);
    ib_wpilog_put_start(2, "/Vision/Poses", "struct:Pose2d[]", "", bytes);
    ib_wpilog_put_start(3, "/Point", "struct:Translation2d", "", bytes);
    ib_wpilog_put_start(4, "/Turn", "struct:Rotation2d[]", "", bytes);
    ib_wpilog_put_start(5, "/Own", "struct:Own", "", bytes);
    ib_wpilog_put_start(6, "/.schema/struct:Own", "structschema", "", bytes);
    ib_wpilog_put_record(1, 0, pose, sizeof pose, bytes);
    ib_wpilog_put_record(2, 0, poses, sizeof poses, bytes);
    ib_wpilog_put_record(3, 0, poses, 16, bytes);
    ib_wpilog_put_record(4, 0, poses, 16, bytes);
    ib_wpilog_put_text(6, 0, "int8 a;bool b", bytes);
    ib_wpilog_put_record(5, 0, "\xff\x01", 2, bytes);
}

// Goal: structs are read, the log's own ones as it describes them, before they are used. A pose is
// that of a robot with its name; elements of an array are not. Method: by hand; then the same log
// through a file of ours, where nothing is more and nothing is less.
static void structs_become_signals(void **state)
{
    (void)state;
    ib_Bytes bytes = {0};
    put_geometry(&bytes);
    ib_Log *log = parse(&bytes);
    for (int pass = 0; pass < 2; pass++) {
        assert_int_equal(log->series_count, 3 + 6 + 2 + 2 + 2);
        check(log, "Odometry.Robot.heading", "rad", 1, (double[]){0.5});
        check(log, "Vision.Poses.0.x", "m", 1, (double[]){3});
        check(log, "Vision.Poses.1.heading", "rad", 1, (double[]){0.125});
        check(log, "Point.y", "m", 1, (double[]){4});
        check(log, "Turn.1", "rad", 1, (double[]){4});
        check(log, "Own.a", "", 1, (double[]){-1});
        assert_true(find(log, "Own.b")->means.binary);
        const ib_SignalMeaning *means = &find(log, "Odometry.Robot.x")->means;
        assert_int_equal(means->role, IB_ROLE_POSE_X);
        assert_string_equal(means->robot, "Odometry.Robot");
        assert_int_equal(find(log, "Vision.Poses.0.x")->means.role, IB_ROLE_NONE);
        assert_int_equal(log->unread_count, 0);
        if (pass) break;
        log = rig_through_file(log);
    }
    ib_log_destroy(log);
}

// Goal: what is not read is named once for each type, with counts. Method: two entries of a type
// that nobody knows, one of a struct that nobody describes, one that has no records and is no loss;
// an array that is too long, of which the first elements are there.
static void what_is_not_read_is_named(void **state)
{
    (void)state;
    static double many[IB_LOG_MAX_ELEMENTS + 3];
    for (int i = 0; i < IB_LOG_MAX_ELEMENTS + 3; i++) many[i] = i;
    ib_Bytes bytes = {0};
    ib_wpilog_put_header("", &bytes);
    ib_wpilog_put_start(1, "/a/b", "proto:Thing", "", &bytes);
    ib_wpilog_put_start(2, "c", "proto:Thing", "", &bytes);
    ib_wpilog_put_start(3, "d", "struct:Nobody[]", "", &bytes);
    ib_wpilog_put_start(4, "e", "msgpack", "", &bytes);
    ib_wpilog_put_start(5, "f", "double[]", "", &bytes);
    for (uint32_t i = 0; i < 3; i++) ib_wpilog_put_record(1, i, "?", 1, &bytes);
    ib_wpilog_put_record(2, 0, "?", 1, &bytes);
    ib_wpilog_put_record(3, 0, "?", 1, &bytes);
    ib_wpilog_put_record(5, 0, many, sizeof many, &bytes);
    ib_Log *log = parse(&bytes);
    static const ib_LogUnread expected[] = {{IB_UNREAD_TYPE, "proto:Thing", "a.b", 2, 4},
                                            {IB_UNREAD_TYPE, "struct:Nobody[]", "d", 1, 1},
                                            {IB_UNREAD_LONG, "double[]", "f", 1, 1}};
    assert_int_equal(log->unread_count, 3);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(log->unread[i].reason, expected[i].reason);
        assert_string_equal(log->unread[i].type, expected[i].type);
        assert_string_equal(log->unread[i].example, expected[i].example);
        assert_int_equal(log->unread[i].entries, expected[i].entries);
        assert_int_equal(log->unread[i].records, expected[i].records);
    }
    assert_int_equal(log->series_count, IB_LOG_MAX_ELEMENTS);
    check(log, "f.255", "", 1, (double[]){255});
    ib_log_destroy(log);
}

// Goal: arrays never keep a log from being read: those for which there is no room are left out, and
// plain signals come first. Method: more arrays than signals are allowed, a plain one behind them;
// types without end share the last row of what is not read.
static void many_arrays_leave_the_plain_signals(void **state)
{
    (void)state;
    static double many[IB_LOG_MAX_ELEMENTS];
    enum { ARRAYS = IB_LOG_MAX_SIGNALS / IB_LOG_MAX_ELEMENTS + 2, TYPES = 100 };
    ib_Bytes bytes = {0};
    ib_wpilog_put_header("", &bytes);
    for (uint32_t i = 1; i <= ARRAYS; i++) {
        char name[16];
        snprintf(name, sizeof name, "array%u", i);
        ib_wpilog_put_start(i, name, "double[]", "", &bytes);
        ib_wpilog_put_record(i, 0, many, sizeof many, &bytes);
    }
    ib_wpilog_put_start(1000, "plain", "double", "", &bytes);
    ib_wpilog_put_double(1000, 0, 1.5, &bytes);
    for (uint32_t i = 0; i < TYPES; i++) {
        char type[16];
        snprintf(type, sizeof type, "odd%u", i);
        ib_wpilog_put_start(2000 + i, type, type, "", &bytes);
        ib_wpilog_put_record(2000 + i, 0, "?", 1, &bytes);
    }
    ib_Log *log = parse(&bytes);
    check(log, "plain", "", 1, (double[]){1.5});
    assert_true(log->series_count <= IB_LOG_MAX_SIGNALS);
    assert_int_equal(log->series_count, (ARRAYS - 2) * IB_LOG_MAX_ELEMENTS + 1);
    assert_int_equal(log->unread_count, IB_LOG_MAX_UNREAD);
    int entries = 0;
    for (int i = 0; i < log->unread_count; i++) entries += log->unread[i].entries;
    assert_int_equal(entries, 2 + TYPES);
    assert_int_equal(log->unread[0].reason, IB_UNREAD_MANY);
    assert_int_equal(log->unread[0].entries, 2);
    ib_log_destroy(log);
}

// Goal: a record of a wrong size costs nothing but itself, and is counted. Method: 3 bytes between
// two whole records of a plain number, an array, a struct and an array of structs.
static void records_of_a_wrong_size_are_passed_over(void **state)
{
    (void)state;
    static const struct {
        const char *type, *series;
        size_t size;
    } cases[] = {{"double", "a", 8},
                 {"double[]", "a.1", 16},
                 {"struct:Pose2d", "a.x", 24},
                 {"struct:Pose2d[]", "a.0.y", 24}};
    static const double numbers[] = {1.5, 1.5, 0};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ib_Bytes bytes = {0};
        ib_wpilog_put_header("", &bytes);
        ib_wpilog_put_start(1, "a", cases[i].type, "", &bytes);
        ib_wpilog_put_start(2, "b", "double", "", &bytes);
        ib_wpilog_put_record(1, 0, numbers, cases[i].size, &bytes);
        ib_wpilog_put_record(1, 1000000, "odd", 3, &bytes);
        ib_wpilog_put_double(2, 1000000, 7, &bytes);
        ib_wpilog_put_record(1, 2000000, numbers, cases[i].size, &bytes);
        ib_Log *log = parse(&bytes);
        check(log, cases[i].series, strchr(cases[i].series, '.') && i > 1 ? "m" : "", 2,
              (double[]){1.5, 1.5});
        assert_int_equal(ib_log_find(log, cases[i].series)->times[1], 2 * IB_SECOND);
        check(log, "b", "", 1, (double[]){7});
        assert_int_equal(log->unread_count, 1);
        assert_int_equal(log->unread[0].reason, IB_UNREAD_SIZE);
        assert_int_equal(log->unread[0].records, 1);
        assert_string_equal(log->unread[0].example, "a");
        ib_log_destroy(log);
    }
}

// Goal: an entry of which no record has the right size has no samples. Method: 12 bytes of doubles,
// 23 of a pose, 7 of a number.
static void entries_of_wrong_sizes_alone_are_empty(void **state)
{
    (void)state;
    static const char *const types[] = {"double[]", "struct:Pose2d", "double"};
    static const size_t sizes[] = {12, 23, 7};
    for (int i = 0; i < 3; i++) {
        ib_Bytes bytes = {0};
        ib_wpilog_put_header("", &bytes);
        ib_wpilog_put_start(1, "a", types[i], "", &bytes);
        ib_wpilog_put_record(1, 0, "twelve bytes, or three and twenty", sizes[i], &bytes);
        ib_Log *log = parse(&bytes);
        for (int k = 0; k < log->series_count; k++) assert_int_equal(log->series[k].count, 0);
        assert_int_equal(log->unread_count, 1);
        assert_int_equal(log->unread[0].reason, IB_UNREAD_SIZE);
        ib_log_destroy(log);
    }
}

// Goal: entries of NetworkTables are named as others are, and their descriptions of structs count.
// Method: the names that a roboRIO writes, "NT:" before a path.
static void entries_of_networktables_have_dotted_names(void **state)
{
    (void)state;
    static const double numbers[] = {1, 2};
    ib_Bytes bytes = {0};
    ib_wpilog_put_header("", &bytes);
    ib_wpilog_put_start(1, "NT:/.schema/struct:Odd", "structschema", "", &bytes);
    ib_wpilog_put_record(1, 0, "double left;double right", 24, &bytes);
    ib_wpilog_put_start(2, "NT:/arr", "double[]", "", &bytes);
    ib_wpilog_put_record(2, 0, numbers, sizeof numbers, &bytes);
    ib_wpilog_put_start(3, "NT:/drive/odd", "struct:Odd", "", &bytes);
    ib_wpilog_put_record(3, 0, numbers, sizeof numbers, &bytes);
    ib_Log *log = parse(&bytes);
    check(log, "NT.arr.1", "", 1, (double[]){2});
    check(log, "NT.drive.odd.right", "", 1, (double[]){2});
    assert_int_equal(log->unread_count, 0);
    ib_log_destroy(log);
}

// Goal: cut arrays and structs are kept as far as they are whole, and no flipped bit does harm.
// Method: every cut and every bit of a log of structs.
static void broken_arrays_do_no_harm(void **state)
{
    (void)state;
    ib_Bytes bytes = {0};
    put_geometry(&bytes);
    for (size_t i = 12; i <= bytes.count; i++) {
        ib_Log *log;
        ib_Error error;
        assert_int_equal(ib_log_parse("x.wpilog", bytes.data, i, &log, &error), IB_OK);
        ib_log_destroy(log);
    }
    for (size_t i = 0; i < 8 * bytes.count; i++) {
        bytes.data[i / 8] ^= (unsigned char)(1 << i % 8);
        ib_Log *log;
        ib_Error error = {0};
        if (ib_log_parse("x.wpilog", bytes.data, bytes.count, &log, &error) != IB_OK)
            assert_non_null(strstr(error.text, "x.wpilog: byte "));
        ib_log_destroy(log);
        bytes.data[i / 8] ^= (unsigned char)(1 << i % 8);
    }
    ib_bytes_free(&bytes);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(foreign_logs_are_read),
        cmocka_unit_test(arrays_become_a_signal_for_each_element),
        cmocka_unit_test(structs_become_signals),
        cmocka_unit_test(what_is_not_read_is_named),
        cmocka_unit_test(many_arrays_leave_the_plain_signals),
        cmocka_unit_test(records_of_a_wrong_size_are_passed_over),
        cmocka_unit_test(entries_of_wrong_sizes_alone_are_empty),
        cmocka_unit_test(entries_of_networktables_have_dotted_names),
        cmocka_unit_test(broken_arrays_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
