// Claims about src/base/signal_text.c.
#include "cmocka_all.h"

#include "base/signal_text.h"

// Goal: four digits in people's units, and no rounding noise. Method: by hand: pi is 180 deg, one
// standard atmosphere 0 psig, 100 pi rad/s 3000 rpm, 3600 A s 1 A h.
static void people_read_four_digits(void **state)
{
    (void)state;
    static const struct {
        const char *shown, *unit;
        double value, size;
        const char *text;
    } expected[] = {
        {NULL, "m", 1.3051829, 2, "1.305"},
        {NULL, "m", -0.00012346, 1, "-0.0001235"},
        {NULL, "m", 12345.6, 2e4, "12346"},
        {NULL, "m", 9999.96, 1e4, "10000"},
        {NULL, "m", 2.5e7, 3e7, "2.500e+07"},
        {NULL, "m", 0, 0, "0"},
        {NULL, "m", -3.9e-112, 3.9e-112, "0"}, // all that it ever was
        {NULL, "m", 4.2e-7, 1, "0"},
        {NULL, "m", 4.2e-7, 1e-6, "4.200e-07"},
        {NULL, "m", NAN, 1, "-"},
        {NULL, "m", INFINITY, 1, "-"},
        {"deg", "rad", 3.141592653589793, 4, "180"},
        {"rpm", "rad/s", 314.1592653589793, 400, "3000"},
        {"psig", "Pa", 101325, 101325, "0"},
        {"psig", "Pa", 894223.0, 894223, "115"},
        {"A*h", "A*s", 3600, 3600, "1"},
    };
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        char text[IB_SIGNAL_NUMBER];
        ib_SignalMeaning means = {.shown = expected[i].shown};
        const ib_ShownUnit unit = ib_signal_shown(&means, expected[i].unit);
        ib_signal_number(&unit, expected[i].value, expected[i].size, text);
        assert_string_equal(text, expected[i].text);
    }
}

// Goal: the unit beside the number is that of the number; angles are in degrees unless they say
// otherwise; what cannot be shown as declared is shown as it stands. Method: 2 of each unit, by
// hand: 2 m are 2000 mm, 2 rad are 360/pi degrees, 2 rad/s are 60/pi revolutions a minute, 2 Pa are
// 0.002 kPa. Values in feet are not SI, a mass is no length, and nobody knows smoots.
static void units_go_with_numbers(void **state)
{
    (void)state;
    static const double pi = 3.14159265358979323846;
    const struct {
        const char *shown, *unit, *text;
        double value;
    } cases[] = {
        {NULL, "m/s", "m/s", 2},
        {NULL, "1", "", 2},
        {NULL, "", "", 2},
        {"mm", "m", "mm", 2000},
        {"kPa", "Pa", "kPa", 0.002},
        {"mm", "", "mm", 2000}, // a table that names no units is SI
        {"deg", "rad", "deg", 360 / pi},
        {"rpm", "rad/s", "rpm", 60 / pi},
        {NULL, "rad", "deg", 360 / pi},
        {NULL, "rad/s", "deg/s", 360 / pi},
        {NULL, "rad/s^2", "deg/s^2", 360 / pi},
        {NULL, "rad*s", "deg*s", 360 / pi},
        {"rad", "rad", "rad", 2},
        {"mm", "ft", "ft", 2},
        {"mm", "kg", "kg", 2},
        {"smoot", "m", "m", 2},
        {"mm", "smoot", "smoot", 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const ib_SignalMeaning means = {.shown = cases[i].shown};
        const ib_ShownUnit unit = ib_signal_shown(&means, cases[i].unit);
        assert_string_equal(ib_signal_unit(&unit), cases[i].text);
        // Two roundings: of the factor and of the product.
        assert_close(ib_signal_value(&unit, 2), cases[i].value, 4e-16 * cases[i].value);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(people_read_four_digits),
        cmocka_unit_test(units_go_with_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
