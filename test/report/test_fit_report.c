// Claims about src/report/fit_report.c: the page of a fit.
#include "cmocka_all.h"

#include "report/fit_report.h"

#include <string.h>

enum { SAMPLES = 400 };

static ib_FitLeft left[SAMPLES];

// A fit of two recordings in two stretches, whose rest swings with a period of 8 samples.
static ib_FitMotor swinging_fit(void)
{
    ib_FitMotor fit = {.kS = {0.25, 0.01, true, true},
                       .kV = {2.0, 0.1, true, true},
                       .kA = {0.5, INFINITY, true, false},
                       .missing = IB_FIT_NO_DYNAMIC | IB_FIT_STAMPS,
                       .used = SAMPLES,
                       .total = SAMPLES + 7,
                       .stretches = 2,
                       .period = 0.01,
                       .rms = 0.7,
                       .quantum = 0.5,
                       .left = left};
    fit.dropped[IB_FIT_TURN] = 7;
    for (int i = 0; i < SAMPLES; i++)
        left[i] = (ib_FitLeft){.time = 0.01 * (i % 200),
                               .motion = 3.0,
                               .residual = cos(0.25 * 3.14159265358979323846 * i),
                               .log = i / 200,
                               .first = i % 200 == 0};
    return fit;
}

// Goal: the correlation that is drawn is that of neighbours in a stretch. Method: cos(pi i/4); k
// samples apart it is cos(pi k/4), for the pairs that there are, 200 - k of each 200.
static void correlation_is_that_of_neighbours(void **state)
{
    (void)state;
    ib_FitMotor fit = swinging_fit();
    for (int lag = 0; lag <= 16; lag += 4) {
        double pairs = (200.0 - lag) / 200.0, sign = lag / 4 % 2 ? -1.0 : 1.0;
        assert_close(ib_fit_correlation(&fit, lag), sign * pairs, 1e-12);
    }
    assert_close(ib_fit_correlation(&fit, 200), 0.0, 0.0);
}

static void assert_says(const ib_Text *html, const char *words)
{
    if (!strstr(html->bytes, words)) fail_msg("the page does not say '%s'", words);
}

// Goal: the page carries all that the table carries, and the pictures. Method: flags, dropped
// samples, what is not determined, three figures with labelled axes; a refusal has its reason and
// the pictures, but no constants.
static void page_shows_constants_flags_and_rest(void **state)
{
    (void)state;
    static const ib_FitSignals signals = {"volts", "speed <1>", "m/s", false};
    for (int refused = 0; refused < 2; refused++) {
        ib_FitMotor fit = swinging_fit();
        ib_FitReport report = {&fit,    &signals, refused ? "friction does not push" : NULL,
                               "a.csv", "0",      "today"};
        ib_Text html = {0};
        ib_Error error;
        assert_int_equal(ib_fit_report_render(&report, &html, &error), IB_OK);
        assert_says(&html, "speed &lt;1&gt; over volts");
        assert_says(&html, ib_fit_missing_text(IB_FIT_NO_DYNAMIC));
        assert_says(&html, "may have come at any time between two of its samples");
        assert_says(&html, "robot turned");
        assert_says(&html, "multiples of 0.5");
        assert_says(&html, "left over [m/s]");
        assert_says(&html, "velocity [m/s]");
        assert_says(&html, "correlation of what is left");
        assert_true((strstr(html.bytes, "not determined)") != NULL) == !refused);
        assert_true((strstr(html.bytes, "friction does not push") != NULL) == refused);
        ib_text_destroy(&html);
    }
}

// Goal: a fit that never began is a page, too. Method: no samples.
static void page_without_a_fit_says_why(void **state)
{
    (void)state;
    static const ib_FitSignals signals = {"volts", "speed", "m/s", false};
    ib_FitMotor fit = {.total = 3};
    ib_FitReport report = {&fit, &signals, "3 samples are too few", "a.csv", "0", "today"};
    ib_Text html = {0};
    ib_Error error;
    assert_int_equal(ib_fit_report_render(&report, &html, &error), IB_OK);
    assert_says(&html, "3 samples are too few");
    assert_says(&html, "nothing was fitted");
    ib_text_destroy(&html);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(correlation_is_that_of_neighbours),
        cmocka_unit_test(page_shows_constants_flags_and_rest),
        cmocka_unit_test(page_without_a_fit_says_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
