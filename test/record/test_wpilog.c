// WPILOG: the documented bytes, a bit-exact round trip, and what others make of it.
#include "cmocka_all.h"
#include "record/metadata.h"
#include "record/wpilog_rig.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Goal: headers and records are those of the format's document. Method: its own examples: an empty
// header, and int64 3 at 1 s of entry 1.
static void bytes_are_those_of_the_specification(void **state)
{
    (void)state;
    static const unsigned char header[] = {0x57, 0x50, 0x49, 0x4c, 0x4f, 0x47,
                                           0x00, 0x01, 0x00, 0x00, 0x00, 0x00};
    static const unsigned char record[] = {0x20, 0x01, 0x08, 0x40, 0x42, 0x0f, 0x03,
                                           0,    0,    0,    0,    0,    0,    0};
    // Start of entry 1, "test", "int64", no metadata: lengths as u32 before each text.
    static const unsigned char start[] = {0x00, 0x00, 0x1a, 0x00, 0x00, 1,   0,   0, 0, 4,
                                          0,    0,    0,    't',  'e',  's', 't', 5, 0, 0,
                                          0,    'i',  'n',  't',  '6',  '4', 0,   0, 0, 0};
    ib_Bytes bytes = {0};
    ib_wpilog_put_header("", &bytes);
    assert_int_equal(bytes.count, sizeof header);
    assert_memory_equal(bytes.data, header, sizeof header);
    bytes.count = 0;
    rig_put_int64(1, 1000000, 3, &bytes);
    assert_int_equal(bytes.count, sizeof record);
    assert_memory_equal(bytes.data, record, sizeof record);
    bytes.count = 0;
    ib_wpilog_put_start(1, "test", "int64", "", &bytes);
    assert_int_equal(bytes.count, sizeof start);
    assert_memory_equal(bytes.data, start, sizeof start);
    ib_bytes_free(&bytes);
}

// Goal: long numbers take more bytes, with the bit field saying so. Method: an entry of 3 bytes, a
// payload size of 2 and a time of 8, by hand.
static void bit_field_holds_the_lengths(void **state)
{
    (void)state;
    char payload[300] = "";
    ib_Bytes bytes = {0};
    ib_wpilog_put_record(0x030201, 0x8877665544332211, payload, sizeof payload, &bytes);
    static const unsigned char prefix[] = {0x02 | 1 << 2 | 7 << 4,
                                           1,
                                           2,
                                           3,
                                           0x2c,
                                           0x01,
                                           0x11,
                                           0x22,
                                           0x33,
                                           0x44,
                                           0x55,
                                           0x66,
                                           0x77,
                                           0x88};
    assert_int_equal(bytes.count, sizeof prefix + sizeof payload);
    assert_memory_equal(bytes.data, prefix, sizeof prefix);
    ib_bytes_free(&bytes);
}

static void same_text(const char *a, const char *b)
{
    assert_int_equal(a == NULL, b == NULL);
    if (a) assert_string_equal(a, b);
}

static void check_meaning(const ib_SignalMeaning *a, const ib_SignalMeaning *b)
{
    assert_int_equal(a->role, b->role);
    assert_int_equal(a->headline, b->headline);
    same_text(a->shown, b->shown);
    same_text(a->part, b->part);
    same_text(a->robot, b->robot);
    assert_int_equal(a->mode == NULL, b->mode == NULL);
    if (!a->mode) return;
    assert_int_equal(a->mode->kind, b->mode->kind);
    assert_int_equal(a->mode->motion, b->mode->motion);
    for (int i = 0; i < IB_MODE_MEANINGS; i++) {
        same_text(a->mode->meanings[i].text, b->mode->meanings[i].text);
        assert_int_equal(a->mode->meanings[i].level, b->mode->meanings[i].level);
        assert_int_equal(a->mode->meanings[i].dead, b->mode->meanings[i].dead);
    }
}

static void check_table(const ib_Log *log)
{
    assert_false(log->truncated);
    assert_int_equal(log->series_count, RIG_COLUMNS);
    for (int i = 0; i < RIG_COLUMNS; i++) {
        const ib_LogSeries *series = &log->series[i];
        assert_string_equal(series->name, rig_columns[i].name);
        assert_string_equal(series->unit, rig_columns[i].unit);
        assert_string_equal(series->sentence, rig_columns[i].sentence);
        check_meaning(&series->means, &rig_columns[i].means);
        assert_int_equal(series->count, RIG_ROWS);
        for (int row = 0; row < RIG_ROWS; row++) {
            double expected = rig_value(row, i);
            assert_true(series->times[row] == row * 10000000);
            assert_memory_equal(&series->values[row], &expected, sizeof expected);
        }
    }
    assert_int_equal(log->fact_count, 2);
    for (int i = 0; i < 2; i++) {
        assert_string_equal(log->facts[i].key, rig_facts[i].key);
        assert_string_equal(log->facts[i].value, rig_facts[i].value);
    }
    assert_int_equal(log->event_count, 2);
    assert_string_equal(log->sources[log->events[0].source], "messages");
    assert_string_equal(log->events[0].text, "warning: not one");
    assert_int_equal(log->events[0].level, IB_LEVEL_INFO);
    assert_string_equal(log->events[1].text, "left was clamped");
    assert_int_equal(log->events[1].level, IB_LEVEL_WARNING);
    assert_true(log->events[1].time == 20000000);
}

// Goal: all that was written comes back, bit for bit. Method: two robots, odd texts, a NaN; then
// through files once more.
static void round_trip_is_bit_exact(void **state)
{
    (void)state;
    ib_Bytes bytes = rig_table();
    ib_Log *log = rig_parse(&bytes);
    check_table(log);

    log = rig_through_file(log);
    check_table(log);
    ib_log_destroy(log);
    ib_bytes_free(&bytes);
}

static size_t find_bytes(const ib_Bytes *bytes, const char *text)
{
    const unsigned char *at = memmem(bytes->data, bytes->count, text, strlen(text));
    assert_non_null(at);
    return (size_t)(at - bytes->data);
}

static ib_Log *parse_metadata(const char *name, const char *metadata)
{
    ib_Bytes bytes = {0};
    ib_wpilog_put_header("", &bytes);
    ib_wpilog_put_start(1, name, "double", metadata, &bytes);
    ib_wpilog_put_double(1, 0, 1.0, &bytes);
    ib_Log *log = rig_parse(&bytes);
    ib_bytes_free(&bytes);
    assert_int_equal(log->series_count, 1);
    return log;
}

// Goal: a run of less than a second opens in AdvantageScope, which drops every entry that is
// finished within a second of its start. Method: all control records of a log of 20 ms start one.
static void no_entry_is_ever_finished(void **state)
{
    (void)state;
    ib_Bytes bytes = rig_table();
    int starts = 0;
    for (size_t at = 12 + strlen("Ironbird"); at < bytes.count;) {
        unsigned char field = bytes.data[at];
        size_t id = (size_t)(field & 3) + 1, length = (size_t)(field >> 2 & 3) + 1,
               prefix = 1 + id + length + (size_t)(field >> 4 & 7) + 1;
        if (ib_bytes_word(bytes.data + at + 1, (int)id) == 0) {
            assert_int_equal(bytes.data[at + prefix], 0);
            starts++;
        }
        at += prefix + (size_t)ib_bytes_word(bytes.data + at + 1 + id, (int)length);
    }
    assert_int_equal(starts, RIG_COLUMNS + 2 + 1 + 3 + 2); // poses, messages, schemas, facts
    ib_bytes_free(&bytes);
}

// Goal: AdvantageScope knows the unit of every signal for which it has one. Method: its own words
// (src/shared/units.ts there) beside ours, of which it knows only the shortest; none where it has
// none, since it would take any other for the name of nothing.
static void units_are_also_in_words_that_others_know(void **state)
{
    (void)state;
    static const char *const words[][2] = {
        {"m", "meters"},
        {"rad", "radians"},
        {"m/s", "meters per second"},
        {"rad/s", "radians per second"},
        {"m/s^2", "meters per second squared"},
        {"A", "amps"},
        {"V", "volts"},
        {"W", "watts"},
        {"J", "joules"},
        {"K", "kelvin"},
    };
    enum { WORDS = sizeof words / sizeof words[0] };
    ib_SignalDef signals[WORDS + 1] = {[WORDS] = {"force", "N", "", 0}};
    for (int i = 0; i < WORDS; i++) signals[i] = (ib_SignalDef){"a", words[i][0], "", 0};
    const ib_WpilogLayout scope = {.columns = signals, .column_count = WORDS + 1};
    ib_Bytes bytes = {0};
    ib_wpilog_put_layout(&scope, NULL, 0, &bytes);
    for (int i = 0; i < WORDS; i++) {
        char pair[96];
        snprintf(pair, sizeof pair, "{\"unit\":\"%s\",\"units\":\"%s\",\"sentence\"", words[i][0],
                 words[i][1]);
        find_bytes(&bytes, pair);
    }
    find_bytes(&bytes, "{\"unit\":\"N\",\"sentence\"");
    ib_bytes_free(&bytes);
}

// Goal: words of others become units of ours, so that axes and roles are right. Method: metadata as
// WPILib and AdvantageKit write it; ours counts where there are both.
static void units_of_others_are_understood(void **state)
{
    (void)state;
    static const char *const expected[][2] = {
        {"{\"units\":\"meters per second\"}", "m/s"},
        {"{\"unit\":\"Meter per Second\",\"source\":\"x\"}", "m/s"},
        {"{\"unit\":\"Amp\"}", "A"},
        {"{\"units\":\"degrees\"}", "degrees"},
        {"{\"units\":\"meters\",\"unit\":\"ft\"}", "ft"},
        {"{\"unit\":\"ft\",\"units\":\"meters\"}", "ft"},
    };
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        ib_Log *log = parse_metadata("speed", expected[i][0]);
        assert_string_equal(log->series[0].unit, expected[i][1]);
        ib_log_destroy(log);
    }
}

// Goal: what is no or yes is a boolean to others and 0 or 1 to us, as it was when it was written as
// a double; through a file once more. Method: both, and one that is called binary and is not.
static void yes_and_no_are_booleans(void **state)
{
    (void)state;
    static const ib_SignalDef signals[] = {
        {"gripper.closed", "1", "", 0, IB_MEANS(.binary = true)},
        {"older.closed", "1", "", 0},
    };
    const ib_WpilogLayout two = {.columns = signals, .column_count = 2};
    ib_Bytes bytes = {0};
    ib_wpilog_put_layout(&two, NULL, 0, &bytes);
    for (int row = 0; row < 3; row++)
        ib_wpilog_put_row(&two, row * 1000, (double[]){row % 2, row % 2}, NULL, &bytes);
    ib_wpilog_put_row(&two, 9000, (double[]){(double)NAN, 0}, NULL, &bytes);
    find_bytes(&bytes, "\x0e\x00\x00\x00gripper/closed\x07\x00\x00\x00"
                       "boolean");
    find_bytes(&bytes, "\x0c\x00\x00\x00older/closed\x06\x00\x00\x00"
                       "double");

    ib_Log *log = rig_parse(&bytes);
    const double expected[] = {0, 1, 0};
    for (int pass = 0; pass < 2; pass++) {
        assert_int_equal(log->series_count, 2);
        assert_int_equal(log->series[0].count, 3); // what is not a number is neither
        assert_memory_equal(log->series[0].values, expected, sizeof expected);
        assert_memory_equal(log->series[1].values, expected, sizeof expected);
        assert_true(log->series[0].means.binary && !log->series[1].means.binary);
        if (pass == 0) log = rig_through_file(log);
    }
    log->series[0].values[1] = 0.5;
    log = rig_through_file(log);
    assert_true(log->series[0].values[1] == 0.5);
    ib_log_destroy(log);
    ib_bytes_free(&bytes);
}

// Goal: AdvantageScope finds poses and their schemas, nested types first. Method: order of the
// names and schema texts in the file; the 24 payload bytes of one pose.
static void poses_are_structs_with_schemas(void **state)
{
    (void)state;
    ib_Bytes bytes = rig_table();
    size_t rotation = find_bytes(&bytes, "/.schema/struct:Rotation2d\x0c");
    size_t translation = find_bytes(&bytes, "/.schema/struct:Translation2d\x0c");
    size_t pose = find_bytes(&bytes, "/.schema/struct:Pose2d\x0c");
    size_t entry = find_bytes(&bytes, "red/Pose\x0d");
    assert_true(rotation < translation && translation < pose && pose < entry);
    find_bytes(&bytes, "structschema");
    find_bytes(&bytes, "double x;double y");
    find_bytes(&bytes, "Translation2d translation;Rotation2d rotation");
    find_bytes(&bytes, "drive/left/current");

    // Columns are entries 1 to 8, so the red robot's pose is entry 10: its record at t = 0.
    double parts[] = {rig_value(0, 3), rig_value(0, 6), rig_value(0, 5)};
    unsigned char record[28] = {0x00, 10, 24, 0};
    memcpy(record + 4, parts, sizeof parts); // little endian, as every machine this is tested on
    assert_non_null(memmem(bytes.data, bytes.count, record, sizeof record));
    ib_bytes_free(&bytes);
}

// Goal: a pose becomes signals only where there are none. Method: "Pose" with and without pose.x;
// a foreign name.
static void poses_expand_where_plain_signals_are_absent(void **state)
{
    (void)state;
    unsigned char pose[24] = {0};
    double x = 1.5;
    memcpy(pose, &x, sizeof x);
    ib_Bytes bytes = {0};
    ib_wpilog_put_header("", &bytes);
    ib_wpilog_put_start(1, "red/Pose", "struct:Pose2d", "", &bytes);
    ib_wpilog_put_start(2, "/Odometry/Robot", "struct:Pose2d", "", &bytes);
    ib_wpilog_put_start(3, "Pose", "struct:Pose2d", "", &bytes);
    ib_wpilog_put_start(4, "pose/y", "double", "", &bytes);
    for (uint32_t i = 1; i <= 3; i++) ib_wpilog_put_record(i, 5, pose, sizeof pose, &bytes);
    ib_wpilog_put_double(4, 5, 2, &bytes);
    ib_Log *log = rig_parse(&bytes);
    static const char *const names[] = {"red.pose.x",
                                        "red.pose.y",
                                        "red.pose.heading",
                                        "Odometry.Robot.x",
                                        "Odometry.Robot.y",
                                        "Odometry.Robot.heading",
                                        "pose.y"};
    assert_int_equal(log->series_count, 7);
    for (int i = 0; i < 7; i++) {
        assert_string_equal(log->series[i].name, names[i]);
        assert_int_equal(log->series[i].count, 1);
    }
    assert_true(log->series[0].values[0] == 1.5 && log->series[3].values[0] == 1.5);
    assert_string_equal(log->series[2].unit, "rad");
    ib_log_destroy(log);
    ib_bytes_free(&bytes);
}

// Goal: what an entry says of its meaning counts, its name only where it says nothing; what is not
// understood means nothing and does no harm. Method: metadata by hand: of an older recording, of a
// new one, of none, and broken in many ways.
static void meaning_is_what_the_entry_says(void **state)
{
    (void)state;
    static const struct {
        const char *metadata;
        ib_SignalRole role;
        int headline;
        const char *words; // of the value 0; NULL: no mode
    } expected[] = {
        {"{\"unit\":\"m\",\"sentence\":\"an older one\"}", IB_ROLE_POSE_X, 2, NULL},
        {"", IB_ROLE_POSE_X, 2, NULL},
        {"{\"unit\":\"m\",\"role\":\"\"}", IB_ROLE_NONE, 0, NULL},
        {"{\"role\":\"load\",\"headline\":\"1\",\"new\":{\"role\":\"x\"}}", IB_ROLE_LOAD, 1, NULL},
        {"{\"role\":\"king\",\"headline\":\"many\",\"mode\":\"odd\"}", IB_ROLE_NONE, 0, NULL},
        {"{\"role\":\"\",\"mode.0\":\"loud: no\",\"mode.9\":\"info: far\"}", IB_ROLE_NONE, 0, NULL},
        {"{\"role\":\"\",\"mode\":\"limit\",\"mode.0\":\"error: a: b\"}", IB_ROLE_NONE, 0, "a: b"},
        {"{\"role\":\"\",\"mode.1\":\"info: no first\"}", IB_ROLE_NONE, 0, NULL},
        {"{\"role\":\"load\",\"headline\":\"3", IB_ROLE_LOAD, 0, NULL}, // cut
    };
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        ib_Log *log = parse_metadata("pose.x", expected[i].metadata);
        const ib_SignalMeaning *means = &log->series[0].means;
        assert_int_equal(means->role, expected[i].role);
        assert_int_equal(means->headline, expected[i].headline);
        assert_int_equal(means->mode != NULL, expected[i].words != NULL);
        if (means->mode)
            assert_string_equal(ib_mode_meaning(means->mode, 0).text, expected[i].words);
        ib_log_destroy(log);
    }
}

// Goal: a mode with many meanings comes back from its metadata as it was; values behind a gap do
// not count, nor do those of a mode whose first ones are missing. Method: twenty steps written and
// read; by hand one without its number 8, and one without its number 3.
static void many_meanings_come_back(void **state)
{
    (void)state;
    enum { STEPS = 20 };
    ib_ModeMeaning words[STEPS];
    char texts[STEPS][16], json[512];
    for (int i = 0; i < STEPS; i++) {
        snprintf(texts[i], sizeof texts[i], "step %d: \"go\"", i);
        words[i] = (ib_ModeMeaning){texts[i], i == 7 ? IB_MODE_WARNING : IB_MODE_INFO, false};
    }
    ib_Mode mode = {.kind = IB_MODE_STATE, .many = words, .many_count = STEPS};
    ib_SignalMeaning means = {.role = IB_ROLE_STEP, .mode = &mode};
    ib_Bytes bytes = {0};
    ib__metadata_put("1", "which", &means, &bytes);
    ib_bytes_put(&bytes, "", 1);
    assert_false(bytes.failed);
    ib_Log *log = parse_metadata("step", (const char *)bytes.data);
    const ib_SignalMeaning *read = &log->series[0].means;
    assert_int_equal(read->role, IB_ROLE_STEP);
    assert_int_equal(ib_mode_count(read->mode), STEPS);
    for (int i = 0; i < STEPS; i++) {
        assert_string_equal(ib_mode_meaning(read->mode, i).text, texts[i]);
        assert_int_equal(ib_mode_meaning(read->mode, i).level, words[i].level);
    }
    ib_log_destroy(log);
    ib_bytes_free(&bytes);
    for (int gap = 3; gap <= 8; gap += 5) {
        int length = snprintf(json, sizeof json, "{\"role\":\"step\"");
        for (int i = 0; i < 12; i++)
            if (i != gap)
                length += snprintf(json + length, sizeof json - (size_t)length,
                                   ",\"mode.%d\":\"info: %d\"", i, i);
        snprintf(json + length, sizeof json - (size_t)length, "}");
        log = parse_metadata("step", json);
        assert_int_equal(ib_mode_count(log->series[0].means.mode), gap);
        ib_log_destroy(log);
    }
}

// Goal: a row has the bytes of its records one by one. Method: 300 columns, so that entries need
// one byte and two, at times that need one to seven bytes.
static void rows_are_records_one_by_one(void **state)
{
    (void)state;
    enum { COLUMNS = 300 };
    static ib_SignalDef columns[COLUMNS];
    static double values[COLUMNS];
    static bool present[COLUMNS];
    for (int i = 0; i < COLUMNS; i++) {
        columns[i] = (ib_SignalDef){.name = "x", .unit = "", .sentence = ""};
        values[i] = i / 7.0 - 3;
        present[i] = i % 5 != 0;
    }
    const ib_WpilogLayout layout = {.columns = columns, .column_count = COLUMNS};
    for (ib_Time time = 0; time < IB_TIME_NEVER / 300; time = 300 * time + 1000) {
        ib_Bytes row = {0}, records = {0};
        ib_wpilog_put_row(&layout, time, values, present, &row);
        for (int i = 0; i < COLUMNS; i++)
            if (present[i])
                ib_wpilog_put_double((uint32_t)i + 1, ib_wpilog_micros(time), values[i], &records);
        assert_int_equal(row.count, records.count);
        assert_memory_equal(row.data, records.data, row.count);
        ib_bytes_free(&row);
        ib_bytes_free(&records);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_records_one_by_one),
        cmocka_unit_test(bytes_are_those_of_the_specification),
        cmocka_unit_test(bit_field_holds_the_lengths),
        cmocka_unit_test(round_trip_is_bit_exact),
        cmocka_unit_test(no_entry_is_ever_finished),
        cmocka_unit_test(units_are_also_in_words_that_others_know),
        cmocka_unit_test(units_of_others_are_understood),
        cmocka_unit_test(yes_and_no_are_booleans),
        cmocka_unit_test(poses_are_structs_with_schemas),
        cmocka_unit_test(poses_expand_where_plain_signals_are_absent),
        cmocka_unit_test(many_meanings_come_back),
        cmocka_unit_test(meaning_is_what_the_entry_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
