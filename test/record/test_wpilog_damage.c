// A damaged WPILOG: what is whole in it is read, and what is wrong is named by its byte.
#include "cmocka_all.h"
#include "record/wpilog_rig.h"

#include <stdlib.h>
#include <string.h>

// Goal: a log cut anywhere keeps every record that is whole, and no other. Method: cut at every
// byte; samples are counted by walking over the records of the uncut file; likewise with the rest
// filled with zeros, where the last record may be whole except for zeros of its own.
static void cut_logs_keep_their_whole_records(void **state)
{
    (void)state;
    ib_Bytes bytes = rig_table();
    size_t header = 12 + strlen("Ironbird"), next = header;
    int64_t whole = 0;
    for (size_t size = 0; size < bytes.count; size++) {
        // Past the end of the next record? All records of this file have one byte of entry number.
        const unsigned char *record = bytes.data + next;
        size_t prefix = 3 + (size_t)(record[0] >> 2 & 3) + (size_t)(record[0] >> 4 & 7) + 1;
        size_t length = prefix + (size_t)ib_bytes_word(record + 2, (record[0] >> 2 & 3) + 1);
        if (size >= header && size == next + length) {
            whole += record[1] >= 1 && record[1] <= RIG_COLUMNS;
            next += length;
        }
        unsigned char *cut = calloc(1, bytes.count);
        memcpy(cut, bytes.data, size);
        for (int zeros = 0; zeros < 2; zeros++) {
            ib_Log *log;
            ib_Error error;
            ib_Status status =
                ib_log_parse("x.wpilog", cut, zeros ? bytes.count : size, &log, &error);
            if (!zeros) assert_int_equal(status, size < header ? IB_BAD_INPUT : IB_OK);
            if (!zeros && log) {
                assert_int_equal(log->whole_size, next);
                assert_int_equal(log->truncated, size != next);
                int64_t count = 0;
                for (int i = 0; i < log->series_count; i++)
                    if (strstr(log->series[i].name, "Pose") == NULL) count += log->series[i].count;
                if (log->series_count == RIG_COLUMNS) assert_int_equal(count, whole);
            }
            ib_log_destroy(log);
        }
        free(cut);
    }
    ib_bytes_free(&bytes);
}

// Goal: a zero-filled tail after whole records is a cut, not an error. Method: 1 to 100 zeros.
static void zeros_at_the_end_are_a_cut(void **state)
{
    (void)state;
    ib_Bytes bytes = rig_table();
    size_t size = bytes.count;
    for (int i = 0; i < 100; i++) {
        ib_bytes_put_char(&bytes, '\0');
        ib_Log *log = rig_parse(&bytes);
        assert_true(log->truncated);
        assert_int_equal(log->whole_size, size);
        assert_int_equal(log->series[0].count, RIG_ROWS);
        ib_log_destroy(log);
    }
    ib_bytes_free(&bytes);
}

// Goal: no flipped bit does harm. Method: every bit of a log once; it is read or refused with a
// text, and what is read is in order.
static void flipped_bits_do_no_harm(void **state)
{
    (void)state;
    ib_Bytes bytes = rig_table();
    for (size_t i = 0; i < 8 * bytes.count; i++) {
        bytes.data[i / 8] ^= (unsigned char)(1 << i % 8);
        ib_Log *log;
        ib_Error error = {0};
        ib_Status status = ib_log_parse("x.wpilog", bytes.data, bytes.count, &log, &error);
        if (status != IB_OK) {
            assert_int_equal(status, IB_BAD_INPUT);
            assert_non_null(strstr(error.text, "x.wpilog: byte "));
        }
        for (int k = 0; log && k < log->series_count; k++)
            for (int64_t n = 1; n < log->series[k].count; n++)
                assert_true(log->series[k].times[n - 1] <= log->series[k].times[n]);
        ib_log_destroy(log);
        bytes.data[i / 8] ^= (unsigned char)(1 << i % 8);
    }
    ib_bytes_free(&bytes);
}

// Goal: what is wrong is said with its byte. Method: one mistake each, offsets by hand.
static void mistakes_are_named_by_byte(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t size;
        const char *text;
    } cases[] = {
        {"", 0, "x.wpilog: byte 0: the file is empty"},
        {"time,a\n0,1\n\n\n", 13,
         "x.wpilog: byte 0: not a WPILOG file: it does not begin with 'WPILOG'"},
        {"WPILOG\0", 7, "x.wpilog: byte 7: the file ends inside its header"},
        {"WPILOG\0\1\5\0\0\0abc", 15, "x.wpilog: byte 15: the file ends inside its header"},
        {"WPILOG\0\2\0\0\0\0", 12, "x.wpilog: byte 6: not version 1 of the WPILOG format"},
        {"WPILOG\0\1\0\0\0\0\0\7\1\0x", 17,
         "x.wpilog: byte 12: a record of entry 7, which was never started"},
        {"WPILOG\0\1\0\0\0\0\x80\0\0\0", 16, "x.wpilog: byte 12: not a record: bit 7 is set"},
        {"WPILOG\0\1\0\0\0\0\0\0\5\0\3\1\0\0\0", 21,
         "x.wpilog: byte 12: a control record of unknown type"},
        {"WPILOG\0\1\0\0\0\0\0\0\x9\0\0\1\0\0\0\xff\xff\xff\xff", 25,
         "x.wpilog: byte 12: the start of an entry has a wrong length inside"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ib_Log *log;
        ib_Error error = {0};
        assert_int_equal(ib_log_parse("x.wpilog", (const unsigned char *)cases[i].bytes,
                                      cases[i].size, &log, &error),
                         IB_BAD_INPUT);
        assert_string_equal(error.text, cases[i].text);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cut_logs_keep_their_whole_records),
        cmocka_unit_test(zeros_at_the_end_are_a_cut),
        cmocka_unit_test(flipped_bits_do_no_harm),
        cmocka_unit_test(mistakes_are_named_by_byte),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
