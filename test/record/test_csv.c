// CSV: what is written reads back bit for bit; what others wrote is read or explained.
#include "record/csv.h"
#include "record/csv_cell.h"

#include "cmocka_all.h"
#include "spread.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static ib_Log *parse(const char *text, size_t size)
{
    ib_Log *log = NULL;
    ib_Error error;
    if (ib_log_parse("x.csv", (const unsigned char *)text, size, &log, &error) != IB_OK)
        fail_msg("%s", error.text);
    return log;
}

static uint64_t bits(double value)
{
    uint64_t word;
    memcpy(&word, &value, sizeof word);
    return word;
}

// Goal: every finite double survives as text, and short ones stay short. Method: 20,000 random bit
// patterns and the corners of the format; known texts.
static void numbers_read_back_bit_for_bit(void **state)
{
    (void)state;
    char text[IB_CSV_NUMBER];
    double corners[] = {0.0,
                        -0.0,
                        5e-324,
                        2.2250738585072014e-308,
                        1.7976931348623157e308,
                        1e15,
                        -1e15,
                        123456789012345678.0,
                        0.1,
                        1.0 / 3,
                        9007199254740993.0};
    for (size_t i = 0; i < sizeof corners / sizeof *corners; i++) {
        int length = ib_csv_number(corners[i], text);
        assert_int_equal(length, (int)strlen(text));
        assert_true(bits(strtod(text, NULL)) == bits(corners[i]));
    }
    uint64_t word = 1;
    for (int i = 0; i < 20000; i++) {
        spread_bits(&word);
        uint64_t mixed = word ^ word >> 29;
        double value;
        memcpy(&value, &mixed, sizeof value);
        if (!isfinite(value)) continue;
        ib_csv_number(value, text);
        assert_true(bits(strtod(text, NULL)) == mixed);
    }
    ib_csv_number(0.1, text);
    assert_string_equal(text, "0.1");
    ib_csv_number(-42, text);
    assert_string_equal(text, "-42");
    ib_csv_number(1.0 / 3, text);
    assert_string_equal(text, "0.3333333333333333");
    ib_csv_number((double)NAN, text);
    assert_string_equal(text, "");
}

// Goal: of the texts that read back, the shortest is taken. Method: printf with 15, 16 and 17
// digits as a second opinion, for values of every size that a robot has, and their neighbours.
static void numbers_are_as_short_as_printf_can(void **state)
{
    (void)state;
    uint64_t word = 7;
    for (int i = 0; i < 60000; i++) {
        spread_bits(&word);
        // Few digits, or all of them; from 1e-6 to 1e17; every third a neighbour of a short one.
        double value = i % 2 ? (double)(word >> 40) : (double)(word >> 11);
        value *= (word & 1 ? 1 : -1) * pow(10, (int)(word >> 33 & 31) - 22);
        if (i % 3 == 0) value = nextafter(value, word & 2 ? INFINITY : -INFINITY);
        char text[IB_CSV_NUMBER], expected[IB_CSV_NUMBER];
        for (int digits = 15; digits <= 17; digits++) {
            snprintf(expected, sizeof expected, "%.*g", digits, value);
            if (strtod(expected, NULL) == value) break;
        }
        bool whole = value == floor(value) && fabs(value) < 1e15;
        int length = ib_csv_number(value, text);
        assert_int_equal(length, (int)strlen(text));
        assert_true(bits(strtod(text, NULL)) == bits(value));
        if (!whole) assert_string_equal(text, expected);
    }
}

// Goal: times are exact to the nanosecond. Method: written texts by hand, and times far beyond the
// 2^53 ns that a double holds, through a file.
static void times_are_exact_to_the_nanosecond(void **state)
{
    (void)state;
    static const struct {
        ib_Time time;
        const char *text;
    } cases[] = {{0, "0"},
                 {10000000, "0.01"},
                 {1, "0.000000001"},
                 {-1500000000, "-1.5"},
                 {8999999999999999999, "8999999999.999999999"},
                 {10 * IB_SECOND, "10"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[IB_CSV_NUMBER], table[100];
        int length = ib_csv_time(cases[i].time, text);
        assert_int_equal(length, (int)strlen(text));
        assert_string_equal(text, cases[i].text);
        int size = snprintf(table, sizeof table, "time [s],a\n%s,1\n", text);
        ib_Log *log = parse(table, (size_t)size);
        assert_true(log->series[0].times[0] == cases[i].time);
        ib_log_destroy(log);
    }
    static const char others[] = "t,a\n1.5e-3,1\n0.0000000014,2\n+2,3\n.5,4\n";
    ib_Log *log = parse(others, strlen(others));
    const ib_Time expected[] = {1, 1500000, 500000000, 2000000000};
    assert_int_equal(log->series[0].count, 4);
    assert_memory_equal(log->series[0].times, expected, sizeof expected);
    ib_log_destroy(log);
}

static const ib_SignalDef columns[] = {
    {"pose.x", "m", "", 0}, {"odd, \"quoted\"\nname", "m/s", "", 0},
    {"bare", "", "", 0},    {"brackets [not a unit]", "", "", 0},
    {" edge ", "1", "", 0},
};

enum { COLUMNS = sizeof columns / sizeof *columns };

// Goal: the table looks as documented. Method: bytes by hand, RFC 4180 quoting included.
static void table_has_documented_bytes(void **state)
{
    (void)state;
    ib_Bytes bytes = {0};
    const double values[] = {0.25, (double)NAN, -1, (double)INFINITY, 1e-7};
    const bool present[] = {true, true, false, true, true};
    ib_csv_put_header(columns, COLUMNS, &bytes);
    ib_csv_put_row(10000000, values, NULL, COLUMNS, &bytes);
    ib_csv_put_row(20000000, values, present, COLUMNS, &bytes);
    ib_bytes_put(&bytes, "", 1);
    assert_string_equal(bytes.data, "Timestamp,pose.x [m],\"odd, \"\"quoted\"\"\nname [m/s]\",bare,"
                                    "brackets [not a unit] [],\" edge  [1]\"\n"
                                    "0.01,0.25,,-1,,1e-07\n"
                                    "0.02,0.25,,,,1e-07\n");
    ib_bytes_free(&bytes);
}

// Goal: names, units and values come back. Method: odd names; a missing and a not finite value
// leave no sample.
static void table_reads_back(void **state)
{
    (void)state;
    ib_Bytes bytes = {0};
    const double values[] = {0.1, (double)NAN, -1, 3, 1.0 / 3};
    ib_csv_put_header(columns, COLUMNS, &bytes);
    for (int i = 0; i < 100; i++) ib_csv_put_row(i * 5000000, values, NULL, COLUMNS, &bytes);
    ib_Log *log = parse((const char *)bytes.data, bytes.count);
    assert_false(log->truncated);
    assert_int_equal(log->series_count, COLUMNS);
    for (int i = 0; i < COLUMNS; i++) {
        const ib_LogSeries *series = ib_log_find(log, columns[i].name);
        assert_non_null(series);
        assert_string_equal(series->unit, columns[i].unit);
        assert_int_equal(series->count, i == 1 ? 0 : 100);
        for (int64_t k = 0; k < series->count; k++) {
            assert_true(series->times[k] == k * 5000000);
            assert_true(bits(series->values[k]) == bits(values[i]));
        }
    }
    ib_log_destroy(log);
    ib_bytes_free(&bytes);
}

// Goal: a name from a recording of others is no formula to a spreadsheet and no command to a
// terminal, and a name of plain characters comes back. Method: bytes by hand; apostrophes in front.
static void names_of_others_are_harmless(void **state)
{
    (void)state;
    static const ib_SignalDef odd[] = {
        {"=cmd()", "V", "", 0},
        {"'=cmd()", "", "", 0},
        {"-1", "", "", 0},
        {"@a,b", "", "", 0},
        {"\tx", "", "", 0},
        {"it's", "", "", 0},
        {"\x1b[31mred\x07\xc2\x9b\xff", "\x1b", "", 0},
    };
    enum { ODD = sizeof odd / sizeof odd[0] };
    ib_Bytes bytes = {0};
    ib_csv_put_header(odd, ODD, &bytes);
    ib_bytes_put(&bytes, "0,1,1,1,1,1,1,1\n", 17);
    assert_string_equal(bytes.data, "Timestamp,'=cmd() [V],''=cmd(),'-1,\"'@a,b\",\"'\tx\",it's,"
                                    "\\x1b[31mred\\x07\\xc2\\x9b\\xff [\\x1b]\n"
                                    "0,1,1,1,1,1,1,1\n");
    ib_Log *log = parse((const char *)bytes.data, bytes.count - 1);
    assert_int_equal(log->series_count, ODD);
    for (int i = 0; i < ODD - 1; i++) assert_non_null(ib_log_find(log, odd[i].name));
    ib_log_destroy(log);
    ib_bytes_free(&bytes);
}

// Goal: a table, which says no more than names and units, is taken at them. Method: a robot's pose,
// a mode, a name in another unit.
static void names_are_taken_at_their_word(void **state)
{
    (void)state;
    static const char text[] = "t,red.pose.x [m],red.pose.heading [rad],breaker.closed [1],"
                               "battery.voltage [mV]\n0,1,2,3,4\n";
    ib_Log *log = parse(text, strlen(text));
    assert_int_equal(log->series[0].means.role, IB_ROLE_POSE_X);
    assert_string_equal(log->series[0].means.robot, "red");
    assert_string_equal(log->series[1].means.shown, "deg");
    assert_non_null(log->series[2].means.mode);
    assert_null(log->series[2].means.robot);
    assert_int_equal(log->series[3].means.role, IB_ROLE_NONE);
    ib_log_destroy(log);
}

// Goal: tables of other programs are read. Method: their names of time, its place, line ends, a
// byte order mark, no last line end, words for numbers, rows out of order.
static void foreign_tables_are_read(void **state)
{
    (void)state;
    static const char *const tables[] = {
        "t,a\n0,1\n1,2\n",
        "Timestamp,a\r\n0,1\r\n1,2\r\n",
        "Timestamp,a\n0,1\n1,2", // AdvantageScope ends its tables without a line end
        "\xef\xbb\xbftime,a\n0,1\n1,2",
        "a,Time\n1,0\n2,1\n",
        "TIME [s], a \n 0 , 1 \n\n1,\"2\"\n\n",
        "time,a,b\n0,true,nan\n0.5,,null\n1,2.0,inf",
        "t,a\n1,2\n0,1\n",
    };
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        ib_Log *log = parse(tables[i], strlen(tables[i]));
        const ib_LogSeries *series = ib_log_find(log, "a");
        assert_non_null(series);
        assert_int_equal(series->count, 2);
        assert_true(series->times[0] == 0 && series->times[1] == IB_SECOND);
        assert_true(series->values[0] == 1 && series->values[1] == 2);
        assert_false(log->truncated);
        ib_log_destroy(log);
    }
}

// Goal: a table of ours is known by its first row, of now and of older versions, so that a last row
// without its line end is left out: 2 may have been 2.5. Method: both; one of another program that
// calls the time so too, but has no units.
static void own_tables_are_known_by_their_first_row(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int count;
    } cases[] = {{"Timestamp,a [m]\n0,1\n1,2", 1},
                 {"time [s],a [m]\n0,1\n1,2", 1},
                 {"Timestamp,a\n0,1\n1,2", 2}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ib_Log *log = parse(cases[i].text, strlen(cases[i].text));
        assert_int_equal(log->series[0].count, cases[i].count);
        assert_int_equal(log->truncated, cases[i].count == 1);
        ib_log_destroy(log);
    }
}

// Goal: what is left out of a series, or moved in it, is known. Method: nan and inf among numbers,
// beside nothing and null; a clock that goes back from 3 s to 2 s and to 1 s, which are late, and
// then shows 3 s again, which is not.
static void holes_and_late_samples_are_known(void **state)
{
    (void)state;
    const char *text = "t,a,b\n0,10,1\n3,30,2\n2,20,inf\n3,31,3\n4,,-inf\n1,40,null\n"
                       "3,nan,4\n2.5,Nan,5\n";
    static const ib_Time times[] = {0, IB_SECOND, 2 * IB_SECOND, 3 * IB_SECOND, 3 * IB_SECOND};
    static const double values[] = {10, 40, 20, 30, 31};
    static const bool late[] = {false, true, true, false, false};
    ib_Log *log = parse(text, strlen(text));
    const ib_LogSeries *a = &log->series[0], *b = &log->series[1];
    const ib_LogFlaws *of_a = &log->flaws[0], *of_b = &log->flaws[1];
    assert_int_equal(a->count, 5);
    assert_memory_equal(a->times, times, sizeof times);
    assert_memory_equal(a->values, values, sizeof values);
    assert_non_null(of_a->late);
    for (int i = 0; i < 5; i++) assert_int_equal(of_a->late[i], late[i]);
    assert_int_equal(of_a->hole_count, 2);
    assert_true(of_a->hole_times[0] == 5 * IB_SECOND / 2 && of_a->hole_times[1] == 3 * IB_SECOND);
    assert_int_equal(b->count, 5);
    assert_int_equal(of_b->hole_count, 2);
    assert_true(of_b->hole_times[0] == 2 * IB_SECOND && of_b->hole_times[1] == 4 * IB_SECOND);
    ib_log_destroy(log);

    log = parse("b,t,a\ninf,0,1\n,1,1\n,1,2\n", 25);
    assert_null(log->flaws[1].late);
    assert_int_equal(log->flaws[0].hole_count, 1);
    assert_int_equal(log->flaws[1].hole_count, 0);
    ib_log_destroy(log);
}

// Goal: what is wrong is said with line and column. Method: one mistake each, text by hand.
static void mistakes_are_named_by_line_and_column(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"", "x.csv:1:1: the file is empty"},
        {"a,b\n1,2\n",
         "x.csv:1:1: no time column: expected one called 'Timestamp', 'time [s]', 'time' "
         "or 't', got 'a' first"},
        {"time [ms],a\n", "x.csv:1:1: the time must be in seconds, got 'ms'"},
        {"t,a,a [m]\n", "x.csv:1:3: 'a' is already the name of column 2"},
        {"t,a\n0,1\n1,zwei\n", "x.csv:3:2: a: expected a number, got 'zwei'"},
        {"t,a\n0,0x10\n", "x.csv:2:2: a: expected a number, got '0x10'"},
        {"t,a\n0,1e999\n", "x.csv:2:2: a: expected a number, got '1e999'"},
        {"t,a\n,1\n", "x.csv:2:1: t: expected a time in seconds, got ''"},
        {"t,a\n1e10,1\n", "x.csv:2:1: t: expected a time in seconds, got '1e10'"},
        {"t,a\n0\n", "x.csv:2:1: expected 2 cells as in the first row, got 1"},
        {"t,a\n\n\n0,1,2\n", "x.csv:4:3: expected 2 cells as in the first row, got 3"},
        {"t,\"a\nb\"\n0,\"1\"x\n", "x.csv:3:2: text after a closing quote"},
        {"time [s],pose.x [m", "x.csv:1:2: the file ends inside its first row"},
        {"Timestamp,pose.x [m", "x.csv:1:2: the file ends inside its first row"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ib_Log *log;
        ib_Error error = {0};
        assert_int_equal(ib_log_parse("x.csv", (const unsigned char *)cases[i][0],
                                      strlen(cases[i][0]), &log, &error),
                         IB_BAD_INPUT);
        assert_null(log);
        assert_string_equal(error.text, cases[i][1]);
    }
}

// Goal: a table cut anywhere keeps exactly its whole rows. Method: cut at every byte, and with a
// tail of zeros as after a power cut; the rows are counted by their line ends.
static void cut_tables_keep_their_whole_rows(void **state)
{
    (void)state;
    ib_Bytes bytes = {0};
    ib_csv_put_header(columns, 1, &bytes);
    size_t header = bytes.count;
    for (int i = 0; i < 20; i++) ib_csv_put_row(i * 1000, &(double){i / 7.0}, NULL, 1, &bytes);
    for (size_t size = 0; size < bytes.count; size++) {
        for (int zeros = 0; zeros < 2; zeros++) {
            unsigned char *cut = calloc(1, bytes.count);
            memcpy(cut, bytes.data, size);
            ib_Log *log;
            ib_Error error;
            ib_Status status = ib_log_parse("x.csv", cut, zeros ? bytes.count : size, &log, &error);
            assert_true(size < header || status == IB_OK);
            int64_t rows = 0;
            for (size_t i = header; i < size; i++) rows += cut[i] == '\n';
            // "t" and "time" are first rows of their own, with nothing below them.
            if (size < header && log) assert_int_equal(log->series_count, 0);
            if (size >= header) {
                assert_int_equal(log->series[0].count, rows);
                assert_int_equal(log->truncated, zeros || cut[size - 1] != '\n');
                for (int64_t i = 0; i < rows; i++)
                    assert_true(log->series[0].values[i] == (double)i / 7.0);
            }
            ib_log_destroy(log);
            free(cut);
        }
    }
    ib_bytes_free(&bytes);
}

// Goal: series with different times share one table. Method: write a log made by hand, compare the
// text, read it back.
static void different_times_leave_empty_cells(void **state)
{
    (void)state;
    char path[] = "ib_test_csv_XXXXXX.csv";
    int fd = mkstemps(path, 4);
    assert_true(fd >= 0);
    close(fd);
    ib_Time a_times[] = {0, IB_SECOND, IB_SECOND, 3 * IB_SECOND},
            b_times[] = {IB_SECOND / 2, IB_SECOND};
    double a[] = {1, 2, 3, 4}, b[] = {5, 6};
    ib_LogSeries series[] = {{"a", "m", "", 4, a_times, a}, {"b", "s", "", 2, b_times, b}};
    ib_Log log = {.series = series, .series_count = 2};
    ib_Error error;
    assert_int_equal(ib_log_write(&log, path, &error), IB_OK);

    char text[200] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_true(fread(text, 1, sizeof text - 1, file) > 0);
    fclose(file);
    assert_string_equal(text, "Timestamp,a [m],b [s]\n0,1,\n0.5,,5\n1,2,6\n1,3,\n3,4,\n");

    ib_Log *again;
    assert_int_equal(ib_log_read(path, &again, &error), IB_OK);
    assert_int_equal(again->series[0].count, 4);
    assert_memory_equal(again->series[0].times, a_times, sizeof a_times);
    assert_memory_equal(again->series[0].values, a, sizeof a);
    assert_memory_equal(again->series[1].times, b_times, sizeof b_times);
    ib_log_destroy(again);
    unlink(path);
    assert_int_equal(ib_log_write(&log, "x.txt", &error), IB_BAD_INPUT);
    assert_int_equal(ib_log_read("no/such/file.csv", &again, &error), IB_BAD_INPUT);
    assert_string_equal(error.text, "cannot open 'no/such/file.csv': No such file or directory");
}

// Goal: a cell is read as C's strtod reads it, to the bit. Method: 20000 numbers of 1 to 19 digits
// with a point anywhere and powers of ten on both sides of what one rounding is enough for.
static void cells_are_read_as_strtod_does(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 20000; i++) {
        char text[64];
        uint64_t some = chance_bits(1, 0, i), more = chance_bits(1, 1, i);
        for (uint64_t cut = more % 19; cut; cut--) some /= 10;
        uint64_t point = 1;
        for (uint64_t places = more / 19 % 8; places; places--) point *= 10;
        int length = snprintf(text, sizeof text, "%s%llu.%0*llu", more % 3 ? "" : "-",
                              (unsigned long long)(some / point), (int)(more / 19 % 8),
                              (unsigned long long)(some % point));
        if (more % 2)
            snprintf(text + length, sizeof text - (size_t)length, "e%d", (int)(more % 61) - 30);
        double value;
        assert_int_equal(ib__cell_value(text, strlen(text), &value), IB__CELL_NUMBER);
        assert_true(ib__cell_is_number(text, strlen(text)));
        if (bits(value) != bits(strtod(text, NULL))) fail_msg("%s is read as %.17g", text, value);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_are_read_as_strtod_does),
        cmocka_unit_test(numbers_read_back_bit_for_bit),
        cmocka_unit_test(numbers_are_as_short_as_printf_can),
        cmocka_unit_test(times_are_exact_to_the_nanosecond),
        cmocka_unit_test(table_has_documented_bytes),
        cmocka_unit_test(table_reads_back),
        cmocka_unit_test(names_of_others_are_harmless),
        cmocka_unit_test(names_are_taken_at_their_word),
        cmocka_unit_test(foreign_tables_are_read),
        cmocka_unit_test(own_tables_are_known_by_their_first_row),
        cmocka_unit_test(holes_and_late_samples_are_known),
        cmocka_unit_test(mistakes_are_named_by_line_and_column),
        cmocka_unit_test(cut_tables_keep_their_whole_rows),
        cmocka_unit_test(different_times_leave_empty_cells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
