// Claims about src/base/signal_text.c.
#include "cmocka_all.h"

#include "base/signal_text.h"

// Goal: four digits in people's units, and no rounding noise. Method: by hand: pi is 180 deg, one
// standard atmosphere 0 psig, 100 pi rad/s 3000 rpm, 3600 A s 1 A h.
static void people_read_four_digits(void **state)
{
    (void)state;
    static const struct {
        const char *shown;
        double value, size;
        const char *text;
    } expected[] = {
        {NULL, 1.3051829, 2, "1.305"},
        {NULL, -0.00012346, 1, "-0.0001235"},
        {NULL, 12345.6, 2e4, "12346"},
        {NULL, 9999.96, 1e4, "10000"},
        {NULL, 2.5e7, 3e7, "2.500e+07"},
        {NULL, 0, 0, "0"},
        {NULL, -3.9e-112, 3.9e-112, "0"}, // all that it ever was
        {NULL, 4.2e-7, 1, "0"},
        {NULL, 4.2e-7, 1e-6, "4.200e-07"},
        {NULL, NAN, 1, "-"},
        {NULL, INFINITY, 1, "-"},
        {"deg", 3.141592653589793, 4, "180"},
        {"rpm", 314.1592653589793, 400, "3000"},
        {"psig", 101325, 101325, "0"},
        {"psig", 894223.0, 894223, "115"},
        {"A*h", 3600, 3600, "1"},
    };
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        char text[IB_SIGNAL_NUMBER];
        ib_SignalMeaning means = {.shown = expected[i].shown};
        ib_signal_number(&means, expected[i].value, expected[i].size, text);
        assert_string_equal(text, expected[i].text);
    }
}

// Goal: the unit beside the number is that of the number. Method: with and without one for people.
static void units_go_with_numbers(void **state)
{
    (void)state;
    const ib_SignalMeaning plain = {.role = IB_ROLE_NONE}, angle = {.shown = "deg"};
    assert_string_equal(ib_signal_unit(&plain, "m/s"), "m/s");
    assert_string_equal(ib_signal_unit(&plain, "1"), "");
    assert_string_equal(ib_signal_unit(&angle, "rad"), "deg");
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(people_read_four_digits),
        cmocka_unit_test(units_go_with_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
