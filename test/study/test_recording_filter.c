// A signal of a recording that is filtered both ways.
#include "cmocka_all.h"
#include "study/recording.h"
#include "study/recording_filter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 4000 };
static const double pi = 3.14159265358979323846;

// A CSV of two signals: 2 Hz and a tenth as much of 40 Hz; the same again. Times are rounded to
// microseconds, as in every file; `skip`: a row that is left out, or -1.
static ib_Log *make(double rate, int skip)
{
    static char text[COUNT * 80];
    char *to = text;
    ib_Log *log = NULL;
    ib_Error error;
    to += sprintf(to, "Timestamp,a [Pa],b [Pa]\n");
    for (int i = 0; i < COUNT; i++) {
        double t = i / rate, y = sin(2 * pi * 2 * t) + 0.1 * sin(2 * pi * 40 * t);
        if (i != skip) to += sprintf(to, "%.6f,%.12f,%.12f\n", t, y, y);
    }
    if (ib_log_parse("x.csv", (const unsigned char *)text, (size_t)(to - text), &log, &error) !=
        IB_OK)
        fail_msg("%s", error.text);
    return log;
}

// Goal: the signal that is named, and no other, loses what is fast and is not late. Method: a
// Butterworth filter of order 4 at 10 Hz, both ways: |H|^2 = 1/(1 + (W/Wc)^8) with W = tan(pi f/fs)
// is 1 - 2.6e-6 at 2 Hz and 1.4e-5 at 40 Hz. At 1 kHz, and at 300 Hz, whose times are rounded. Half
// a microsecond is 6e-6 of the sine, so 2e-5.
static void a_signal_loses_what_is_fast(void **unused)
{
    (void)unused;
    static const double rates[] = {1000, 300};
    for (int k = 0; k < 2; k++) {
        ib_Log *log = make(rates[k], -1);
        ib_Error error;
        if (ib_recording_filter(log, "a={filter: butterworth, order: 4, cutoff: 10 Hz}", &error) !=
            IB_OK)
            fail_msg("%s", error.text);
        const ib_LogSeries *a = ib_log_find(log, "a"), *b = ib_log_find(log, "b");
        assert_int_equal(a->count, COUNT);
        for (int i = 0; i < COUNT; i++) {
            double t = i / rates[k], slow = sin(2 * pi * 2 * t);
            if (i > 1000 && i < 3000) assert_close(a->values[i], slow, 2e-5);
            assert_close(b->values[i], slow + 0.1 * sin(2 * pi * 40 * t), 1e-12);
        }
        ib_log_destroy(log);
    }
}

// Goal: a log says of itself what was filtered. Method: one signal, then a second one; the first
// fact of the run stays.
static void what_was_filtered_is_noted(void **unused)
{
    (void)unused;
    static const char *const texts[] = {"b={filter: butterworth, order: 2, cutoff: 10 Hz}",
                                        "a={filter: butterworth, order: 2, cutoff: 10 Hz}"};
    static const char *const noted[] = {"b", "b, a"};
    ib_LogFact title[] = {{"title", "two sines"}};
    ib_Log *log = make(1000, -1);
    ib_Error error;
    log->facts = title, log->fact_count = 1;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(ib_recording_filter(log, texts[i], &error), IB_OK);
        assert_int_equal(log->fact_count, 2);
        assert_string_equal(ib_recording_fact(log, "title"), "two sines");
        assert_string_equal(ib_recording_fact(log, IB_FACT_FILTERED), noted[i]);
    }
    ib_log_destroy(log);
}

static void refuses(ib_Log *log, const char *text, const char *words)
{
    ib_Error error;
    assert_int_equal(ib_recording_filter(log, text, &error), IB_BAD_INPUT);
    if (!strstr(error.text, words)) fail_msg("'%s' not in: %s", words, error.text);
}

// Goal: what cannot be filtered is refused with its reason. Method: each once, such as a lost row.
static void what_cannot_be_filtered_is_refused(void **unused)
{
    (void)unused;
    ib_Log *log = make(1000, -1), *torn = make(1000, 700);
    refuses(log, "a", "expected SIGNAL=");
    refuses(log, "={}", "expected SIGNAL=");
    refuses(log, "c={filter: butterworth, order: 4, cutoff: 10 Hz}", "no signal 'c'");
    refuses(log, "a={}", "'filter' is missing");
    refuses(log, "a=10 Hz", "a: expected a map");
    refuses(log, "a={filter: butterworth, order: 4, cutoff: 10 m}", "expected a frequency");
    refuses(log, "a={filter: butterworth, order: 4, cutoff: 600 Hz}", "cutoff: expected a freq");
    refuses(torn, "a={filter: butterworth, order: 4, cutoff: 10 Hz}", "not evenly spaced");
    torn->series[0].count = 10;
    refuses(torn, "a={filter: butterworth, order: 4, cutoff: 10 Hz}", "needs more than 12");
    torn->series[0].count = 1;
    refuses(torn, "a={filter: butterworth, order: 4, cutoff: 10 Hz}", "no samples over time");
    ib_log_destroy(log);
    ib_log_destroy(torn);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_signal_loses_what_is_fast),
        cmocka_unit_test(what_was_filtered_is_noted),
        cmocka_unit_test(what_cannot_be_filtered_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
