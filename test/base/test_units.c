// Units: definitions, exactness, refusals and their hints.
#include "base/units.h"

#include "cmocka_all.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct Case {
    const char *text, *unit;
    double value;
} Case;

typedef struct Refusal {
    const char *text, *unit;
    const char *says; ///< must be part of the message
} Refusal;

static double read_or_fail(const char *text, const char *unit)
{
    ib_Error error = {0};
    double value = NAN;
    if (ib_units_read(text, unit, &value, &error)) fail_msg("'%s': %s", text, error.text);
    return value;
}

static void assert_near(const Case *cases, size_t count, double relative)
{
    for (size_t i = 0; i < count; i++) {
        double value = read_or_fail(cases[i].text, cases[i].unit);
        if (fabs(value - cases[i].value) > relative * fabs(cases[i].value))
            fail_msg("'%s': %.17g, not %.17g", cases[i].text, value, cases[i].value);
    }
}

static void assert_refused(const Refusal *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        ib_Error error = {0};
        double value = 77;
        ib_Status status = ib_units_read(cases[i].text, cases[i].unit, &value, &error);
        if (status != IB_BAD_INPUT) fail_msg("'%s' was read as %.17g", cases[i].text, value);
        if (value != 77) fail_msg("'%s' was refused, but the value changed", cases[i].text);
        if (!strstr(error.text, cases[i].says))
            fail_msg("'%s': '%s' does not say '%s'", cases[i].text, error.text, cases[i].says);
    }
}

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

// Goal: the published conversions hold. Method: figures of NIST SP 811 and of the project's facts,
// to the digits they are printed with.
static void published_conversions_hold(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"120 lb", "kg", 54.4310844},    {"50 psia", "Pa", 344737.8647},
        {"6 in", "m", 0.1524},           {"5310 rpm", "rad/s", 556.0619},
        {"70 degF", "K", 294.2611},      {"50 psig", "Pa", 446062.86},
        {"1 lbf", "N", 4.448221615},     {"1 cfm", "m^3/s", 4.719474e-4},
        {"1 hp", "W", 745.69987},        {"1 slug", "kg", 14.59390},
        {"1 oz-in", "N*m", 7.061552e-3}, {"1 lbf-ft", "N*m", 1.355818},
        {"1 ft-lbf", "J", 1.355818},     {"1 in-lbf", "N*m", 0.1129848},
        {"1 inHg", "Pa", 3386.389},      {"1 mmHg", "Pa", 133.3224},
        {"1 oz", "kg", 0.02834952},      {"1 ozf", "N", 0.2780139},
        {"1 mi", "m", 1609.344},         {"1 yd", "m", 0.9144},
        {"1 mph", "m/s", 0.44704},       {"1 kgf", "N", 9.80665},
        {"1 kgf-cm", "N*m", 0.0980665},  {"1 grad", "rad", 0.01570796},
        {"1 lbf/in^2", "Pa", 6894.757},  {"1 lbf*s^2/ft", "kg", 14.59390},
        {"1 psi/s", "Pa/s", 6894.757},   {"437 rpm/V", "rad/s/V", 45.76253},
        {"0 degC", "K", 273.15},         {"-40 degF", "K", 233.15},
        {"1 barg", "Pa", 201325},        {"100 kPag", "Pa", 201325},
        {"1 atm", "Pa", 101325},         {"1013.25 mbar", "Pa", 101325},
        {"1013.25 hPa", "Pa", 101325},   {"18 Ah", "A*s", 64800},
        {"1 kWh", "J", 3.6e6},           {"0.574 L", "m^3", 0.574e-3},
        {"60 L/min", "m^3/s", 1e-3},
    };
    assert_near(cases, COUNT(cases), 1e-6); // seven digits are printed in the sources
}

// Goal: the definitions are exact. Method: decimal definitions and identities between units, to
// 3 ulp (one rounding each for the number, the factor and the product).
static void definitions_are_exact_to_three_ulp(void **state)
{
    (void)state;
    const double pi = 3.14159265358979323846;
    const Case cases[] = {
        {"1 lbf", "N", 0.45359237 * 9.80665},
        {"1 psia", "Pa", 0.45359237 * 9.80665 / (0.0254 * 0.0254)},
        {"1 hp", "W", 550 * 0.3048 * 0.45359237 * 9.80665},
        {"1 slug", "kg", 0.45359237 * 9.80665 / 0.3048},
        {"1 lbf-ft", "N*m", 0.45359237 * 9.80665 * 0.3048},
        {"16 oz-in", "N*m", 0.45359237 * 9.80665 * 0.0254},
        {"16 in-oz", "N*m", 0.45359237 * 9.80665 * 0.0254},
        {"1 cfm", "m^3/s", 0.3048 * 0.3048 * 0.3048 / 60},
        {"1 inHg", "Pa", 0.0254 * 13595.1 * 9.80665},
        {"1 rpm", "rad/s", 2 * pi / 60},
        {"1 rev/min", "rad/s", 2 * pi / 60},
        {"360 deg", "rad", 2 * pi},
        {"400 grad", "rad", 2 * pi},
        {"212 degF", "K", 373.15},
        {"0 psig", "Pa", 101325},
    };
    assert_near(cases, COUNT(cases), 3 * 0x1p-52);
}

// Goal: decimals stay what was written. Method: equality with the C compiler's reading of the SI
// value, bit for bit.
static void decimal_units_are_correctly_rounded(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"0.1524 m", "m", 0.1524},
        {"2.4 s", "s", 2.4},
        {"5 ms", "s", 0.005},
        {"1.2 mm", "m", 0.0012},
        {"33 cm", "m", 0.33},
        {"2.7 kg", "kg", 2.7},
        {"2700 g", "kg", 2.7},
        {"150 kPa", "Pa", 150e3},
        {"0.1 us", "s", 1e-7},
        {"3.3 kHz", "1/s", 3300},
        {"12.7 V", "V", 12.7},
        {"15 mohm", "ohm", 0.015},
        {"90 uH", "H", 90e-6},
        {"0.574 L", "m^3", 574e-6},
        {"2.2 mL", "m^3", 2.2e-6},
        {"6 in", "m", 0.1524},
        {"1.2 in", "m", 0.03048},
        {"120 lb", "kg", 54.4310844},
        {"1.5 bar", "Pa", 150000},
        {"0.7 mAh", "A*s", 2.52},
        {"37 %", "1", 0.37},
        {"3.3 mm/s", "m/s", 0.0033},
        {"4.7 km/h", "m/s", 4.7 / 3.6},
        {"0.1 m", "m", 0.1},
        {"-0.3 m", "m", -0.3},
        {".5 m", "m", 0.5},
        {"5. m", "m", 5},
        {"1e-3 m", "m", 1e-3},
        {"1E3 m", "m", 1e3},
        {"+7 m", "m", 7},
        {"120.000 mm", "m", 0.12},
        {"90 deg", "rad", 1.5707963267948966},
        {"123456789012345678901234567890 m", "m", 123456789012345678901234567890.0},
        {"0.1000000000000000055511151231257827021181583404541015625 m", "m", 0.1},
    };
    assert_near(cases, COUNT(cases), 0);
}

// Goal: spaces do not matter. Method: one quantity in several layouts.
static void spaces_do_not_matter(void **state)
{
    (void)state;
    static const char *const texts[] = {"3.4 N*s^2/m^2", "3.4N*s^2/m^2", "  3.4   N * s^2 / m^2  ",
                                        "3.4\tN*s^2/m^2\n"};
    for (size_t i = 0; i < COUNT(texts); i++)
        assert_true(read_or_fail(texts[i], "N*s^2/m^2") == 3.4);
    assert_true(read_or_fail("5/s", "1/s") == 5 && read_or_fail("5 1/s", "Hz") == 5 &&
                read_or_fail("5 s^-1", "1/s") == 5 && read_or_fail("5 / s", "1/s") == 5);
}

// Goal: a wrong dimension says what was expected and what was given. Method: the sentence.
static void wrong_dimension_is_named(void **state)
{
    (void)state;
    static const Refusal cases[] = {
        {"3 m", "kg", "expected a mass, such as '2.7 kg', got '3 m' (a length)"},
        {"2.7", "kg", "a unit is missing: expected a mass, such as '2.7 kg', got '2.7'"},
        {"0", "rad", "a unit is missing: expected an angle"},
        {"3 m", "1", "expected a pure number, such as '0.5', got '3 m' (a length)"},
        {"5 kg", "N*s^2/m^2", "expected a value in N*s^2/m^2, such as '1 N*s^2/m^2', got '5 kg'"},
        {"5 kg^2*m", "kg", "(a value in kg^2*m)"},
        {"5 1/K^2", "kg", "(a value in 1/K^2)"},
    };
    assert_refused(cases, COUNT(cases));
}

// Goal: units that are often mixed up are told apart. Method: each mix-up and its hint.
static void mixed_up_units_get_a_hint(void **state)
{
    (void)state;
    static const Refusal cases[] = {
        {"3 m", "s", "m is metre; write min for minutes"},
        {"10 m/m", "m/s", "m is metre; write min for minutes"},
        {"120 lb", "N", "write lbf"},
        {"5 lb/in", "N/m", "write lbf"},
        {"5 oz", "N", "write ozf"},
        {"5 lbf", "kg", "write lb "},
        {"5 kg*cm", "N*m", "write kgf"},
        {"20 F", "K", "degF"},
        {"20 C", "K", "degC"},
        {"20 deg", "K", "degC"},
        {"2 g", "m/s^2", "9.80665 m/s^2"},
        {"5 nm", "N*m", "N*m"},
        {"2 H", "s", "write h"},
        {"18 Ah", "J", "write Wh"},
        {"200 Hz", "rad/s", "write rpm, rev/s or rad/s"},
        {"5310 rpm", "Hz", "write Hz"},
        {"5 rev/s", "1/s", "write Hz"},
        {"5 rad/s", "1/s", "angle is a dimension of its own"},
        {"5 N*m", "N*m/rad", "angle is a dimension of its own"},
        {"50 psi", "Pa", "write psig (above the atmosphere) or psia (absolute)"},
        {"6 bar gauge", "Pa", "'gauge' is no unit: psig, barg, kPag count from the atmosphere"},
    };
    assert_refused(cases, COUNT(cases));
}

// Goal: an unknown unit leads to the known one.
// Method: slips, wrong case, words, missing operators.
static void unknown_unit_gets_a_suggestion(void **state)
{
    (void)state;
    static const Refusal cases[] = {
        {"5 kgg", "kg", "did you mean 'kg'?"},
        {"5 KG", "kg", "did you mean 'kg'?"},
        {"5 Kg", "kg", "did you mean 'kg'?"},
        {"5 PSI", "Pa", "did you mean 'psi'?"},
        {"5 NM", "N*m", "'Nm'"},
        {"5 RPM", "rad/s", "did you mean 'rpm'?"},
        {"5 degc", "K", "did you mean 'degC'?"},
        {"5 rmp", "rad/s", "did you mean 'rpm'?"},
        {"5 pisg", "Pa", "did you mean 'psig'?"},
        {"5 sec", "s", "write 's'"},
        {"5 lbs", "kg", "write 'lb'"},
        {"5 N-m", "N*m", "write 'N*m'"},
        {"5 kgm", "kg*m", "write 'kg*m'"},
        {"5 m2", "m^2", "write 'm^2'"},
        {"5 \xc2\xb5m", "m", "u for micro"},
        {"5 N m", "N*m", "write * or / in front of 'm'"},
        {"5 gal", "m^3", "3.785411784 L"},
        {"5 scfm", "m^3/s", "standard conditions"},
        {"5 ton", "kg", "ambiguous"},
        {"5 qqqqq", "m", "unknown unit 'qqqqq'; expected a length"},
        {"5 N/(m*s", "N/m/s", "brackets in a unit that do not match"},
        {"5 N/m*s)", "N*s/m", "brackets in a unit that do not match"},
        {"5 N(m)", "N*m", "no * or / in front"},
        {"5 N/((((((m))))))", "N/m", "brackets"},
        {"5 N/()", "N/m", "brackets"},
        {"5 m**2", "m^2", "a power is written m^2"},
        {"5 m^2.5", "m", "whole number"},
        {"5 m^0", "1", "whole number"},
        {"5 m^10", "m", "whole number"},
        {"5 m*", "m", "a unit is missing behind an operator"},
        {"5 */m", "m", "in a unit"},
        {"5 kg;", "kg", "not part of a unit"},
        {"5 2*m", "m", "not part of a unit"},
    };
    assert_refused(cases, COUNT(cases));
}

// Goal: only plain decimals are numbers.
// Method: every other spelling that strtod or a person knows.
static void only_plain_decimals_are_numbers(void **state)
{
    (void)state;
    static const Refusal cases[] = {
        {"0x10 m", "m", "plain decimal"},  {"nan m", "m", "plain decimal"},
        {"inf m", "m", "plain decimal"},   {"-inf", "m", "plain decimal"},
        {"NAN", "m", "plain decimal"},     {"infinity m", "m", "plain decimal"},
        {"", "m", "plain decimal"},        {"m", "m", "plain decimal"},
        {". m", "m", "plain decimal"},     {"--5 m", "m", "plain decimal"},
        {"+ 5 m", "m", "plain decimal"},   {"1_000 m", "m", "underscore"},
        {"1,5 m", "m", "write a point"},   {"1.2.3 m", "m", "second point"},
        {"1e400 m", "m", "too large"},     {"-1e99999999999 m", "m", "too large"},
        {"1e306 km", "m", "too large"},    {"0x1p3 m", "m", "plain decimal"},
        {"5e m", "m", "unknown unit 'e'"},
    };
    assert_refused(cases, COUNT(cases));

    char text[1000] = "";
    memset(text, '1', 500);
    double value;
    ib_Error error;
    assert_int_equal(ib_number_read(text, &value, &error), IB_BAD_INPUT);
    memset(text, '0', 500);
    assert_int_equal(ib_number_read(text, &value, &error), IB_BAD_INPUT);
    text[400] = '\0';
    assert_int_equal(ib_number_read(text, &value, &error), IB_OK);
    assert_true(value == 0);
    assert_int_equal(ib_number_read("1e-400", &value, &error), IB_OK);
    assert_true(value == 0);
    assert_int_equal(ib_number_read("4.9e-324", &value, &error), IB_OK);
    assert_true(value == 0x1p-1074);
    assert_int_equal(ib_number_read("5 m", &value, &error), IB_BAD_INPUT);
    assert_int_equal(ib_number_read(" -12.5e1 ", &value, &error), IB_OK);
    assert_true(value == -125);
}

// Goal: offsets count for levels, not for differences, and never in a compound. Method: both ways
// of reading the same text.
static void offsets_count_for_levels_only(void **state)
{
    (void)state;
    double value;
    ib_Error error;
    assert_int_equal(ib_units_read_difference("9 degF", "K", &value, &error), IB_OK);
    assert_true(value == 5);
    assert_int_equal(ib_units_read_difference("20 degC", "K", &value, &error), IB_OK);
    assert_true(value == 20);
    assert_int_equal(ib_units_read_difference("5 psi", "Pa", &value, &error), IB_OK);
    assert_true(fabs(value - 34473.78646584) < 1e-7); // the digits of 5 psi given here
    assert_int_equal(ib_units_read_difference("-5 psig", "Pa", &value, &error), IB_OK);
    assert_true(fabs(value + 34473.78646584) < 1e-7);
    assert_int_equal(ib_units_read_difference("5 kg", "Pa", &value, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "a pressure difference, such as '5 psi'"));

    static const Refusal cases[] = {
        {"5 degC/s", "K/s", "write K"},       {"5 degF/s", "K/s", "5/9 K"},
        {"5 psig/s", "Pa/s", "write psi"},    {"5 W/degC", "W/K", "write K"},
        {"5 psig^2", "Pa^2", "write psi"},    {"-500 degF", "K", "below absolute zero"},
        {"-15 psig", "Pa", "below a vacuum"},
    };
    assert_refused(cases, COUNT(cases));
}

// Goal: torque and energy are one dimension, torque per angle is another.
// Method: dimensions of expressions compared.
static void angle_is_a_dimension(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b;
        bool equal;
    } cases[] = {
        {"N*m", "J", true},        {"N*m/rad", "J", false},      {"rad/s", "1/s", false},
        {"rpm", "rad/s", true},    {"Hz", "1/s", true},          {"rad/rad", "1", true},
        {"V*A", "W", true},        {"N*s^2/m^2", "kg/m", true},  {"V*s", "N*m/A", true},
        {"ohm*A^2", "W", true},    {"F*ohm", "s", true},         {"H*A/s", "V", true},
        {"%", "1", true},          {"C", "A*s", true},           {"V*s/rad", "N*m/A", false},
        {"J/mol/K", "J/K", false}, {"mol*J/mol/K", "J/K", true},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        ib_Dimension a, b;
        assert_int_equal(ib_units_dimension(cases[i].a, &a, NULL), IB_OK);
        assert_int_equal(ib_units_dimension(cases[i].b, &b, NULL), IB_OK);
        if (ib_dimension_equal(a, b) != cases[i].equal)
            fail_msg("%s and %s", cases[i].a, cases[i].b);
    }
}

// Goal: every unit of the table is read, and converts back. Method: "2 <name>" against the table's
// factor and offset, then back to 2, within 4 ulp of the largest number on the way.
static void every_listed_unit_goes_both_ways(void **state)
{
    (void)state;
    int count;
    const ib_UnitInfo *units = ib_units_all(&count);
    assert_true(count > 60);
    for (int i = 0; i < count; i++) {
        char text[64];
        ib_Quantity quantity;
        ib_Dimension si;
        double back;
        snprintf(text, sizeof text, "2 %s", units[i].name);
        assert_int_equal(ib_quantity_read(text, &quantity, NULL), IB_OK);
        assert_int_equal(ib_units_dimension(units[i].si, &si, NULL), IB_OK);
        assert_true(ib_dimension_equal(si, quantity.dimension));
        double expected = 2 * units[i].factor + units[i].offset;
        assert_true(fabs(quantity.value - expected) <= 4 * 0x1p-52 * expected);

        assert_int_equal(ib_units_convert(quantity.value, units[i].name, &back, NULL), IB_OK);
        assert_true(fabs(back - 2) <= 4 * 0x1p-52 * (2 + expected / units[i].factor));
        double factor, offset;
        assert_int_equal(ib_units_line(units[i].name, &factor, &offset, NULL), IB_OK);
        assert_true(fabs(quantity.value * factor + offset - 2) <=
                    4 * 0x1p-52 * (2 + expected / units[i].factor));
        for (int k = 0; k < i; k++) assert_string_not_equal(units[i].name, units[k].name);
        assert_true(strlen(units[i].sentence) > 2);
    }
    double ms, inches, none;
    assert_int_equal(ib_units_line("furlong", &ms, &none, NULL), IB_BAD_INPUT);
    assert_int_equal(ib_units_convert(0.005, "ms", &ms, NULL), IB_OK);
    assert_int_equal(ib_units_convert(0.0254, "in", &inches, NULL), IB_OK);
    assert_true(ms == 5 && inches == 1);
    assert_int_equal(ib_units_convert(1, "furlong", &ms, NULL), IB_BAD_INPUT);
}

// Goal: SI prefixes stand where they should and nowhere else. Method: each prefix, and refusals.
static void prefixes_scale_by_powers_of_ten(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"3 pF", "F", 3e-12}, {"3 nF", "F", 3e-9}, {"3 uF", "F", 3e-6},     {"3 mF", "F", 3e-3},
        {"3 cm", "m", 3e-2},  {"3 dm", "m", 3e-1}, {"3 km", "m", 3e3},      {"3 MPa", "Pa", 3e6},
        {"3 GPa", "Pa", 3e9}, {"3 min", "s", 180}, {"3 mrad", "rad", 3e-3},
    };
    assert_near(cases, COUNT(cases), 0);
    static const Refusal none[] = {
        {"3 cs", "s", "unknown unit"},    {"3 kin", "m", "unknown unit"},
        {"3 mlb", "kg", "unknown unit"},  {"3 mmm", "m", "unknown unit"},
        {"3 kpsi", "Pa", "unknown unit"},
    };
    assert_refused(none, COUNT(none));
}

// Goal: a message is one short line whatever was written. Method: long, binary and broken texts.
static void messages_stay_one_line(void **state)
{
    (void)state;
    static char text[5000];
    ib_Error error;
    ib_Quantity quantity;
    for (int c = 1; c < 256; c++) {
        if (strchr(IB_SPACES, c)) continue; // "5" and spaces is a pure number
        memset(text, c, sizeof text - 1);
        memcpy(text, "5 ", 2);
        assert_int_equal(ib_quantity_read(text, &quantity, &error), IB_BAD_INPUT);
        assert_true(strlen(error.text) < 400);
        for (const char *at = error.text; *at; at++) assert_true((unsigned char)*at >= 0x20);
        memset(text, c, 40);
        text[40] = '\0';
        if (ib_units_read(text, "kg", &quantity.value, &error))
            for (const char *at = error.text; *at; at++) assert_true((unsigned char)*at >= 0x20);
    }
    // Powers multiply up to the limit and are refused beyond it, rather than wrapping round.
    assert_int_equal(
        ib_quantity_read("5 m^9*m^9*m^9*m^9*m^9*m^9*m^9*m^9*m^9*m^9*m^9", &quantity, &error),
        IB_OK);
    assert_int_equal(quantity.dimension.length, 99);
    assert_int_equal(
        ib_quantity_read("5 m^9*m^9*m^9*m^9*m^9*m^9*m^9*m^9*m^9*m^9*m^9*m", &quantity, &error),
        IB_BAD_INPUT);
    assert_int_equal(ib_quantity_read("5 mi^9*mi^9*mi^9*mi^9*mi^9*mi^9", &quantity, NULL),
                     IB_BAD_INPUT);
}

// Goal: a printed number reads back as itself, and briefly. Method: awkward doubles.
static void printed_numbers_read_back(void **state)
{
    (void)state;
    static const double values[] = {0, 0.1, 2.7, 1.0 / 3, 1e300, 5e-324, -123456.789, 0x1p53 + 2};
    char text[40];
    for (size_t i = 0; i < COUNT(values); i++) {
        double back;
        ib_number_format(values[i], text, sizeof text);
        assert_int_equal(ib_number_read(text, &back, NULL), IB_OK);
        assert_true(back == values[i]);
    }
    ib_number_format(2.7, text, sizeof text);
    assert_string_equal(text, "2.7");
}

// Goal: a bracket divides by all that is in it. Method: the same value with and without, to the
// bit; a sonic conductance as ISO 6358 writes it.
static void brackets_divide_by_all_in_them(void **state)
{
    (void)state;
    static const char *const pairs[][3] = {
        {"1.2 dm^3/(s*bar)", "1.2 dm^3/s/bar", "m^3/s/Pa"},
        {"3 L/(s*bar)", "3 L/s/bar", "m^3/(s*Pa)"},
        {"2 N/(m/s)", "2 N*s/m", "N*s/m"},
        {"2 (N*s)/m", "2 N*s/m", "N*s/m"},
        {"7 J/(kg*(K*s/m))", "7 J/kg/K/s*m", "J*m/kg/K/s"},
        {"7 /(s*m)*kg", "7 kg/s/m", "kg/(s*m)"},
    };
    for (size_t i = 0; i < COUNT(pairs); i++)
        assert_true(read_or_fail(pairs[i][0], pairs[i][2]) ==
                    read_or_fail(pairs[i][1], pairs[i][2]));
    assert_true(read_or_fail("1 dm^3/(s*bar)", "m^3/(s*Pa)") == 1e-8);
    assert_true(read_or_fail("17 A*h", "A*s") == 61200);
}

// Goal: what was read before is read as it was, and a refusal as often as it is asked for. Method:
// numbers in units, differences among them, twice and in two orders; beside each the same text with
// so many spaces behind it that it is not kept.
static void texts_read_again_give_the_same_bits(void **state)
{
    (void)state;
    static const char *const units[] = {"m", "N*s^2/m^2", "K", "Pa", "1"};
    static const char *const given[] = {"ft", "lbf*s^2/ft^2", "degF", "psig", "%"};
    for (int n = 0; n < 4000; n++) {
        int i = n < 2000 ? n : 3999 - n, k = i % 5;
        char text[40], longer[100];
        double value = NAN, plain = NAN;
        ib_Error error = {0}, refusal = {0};
        bool difference = k == 2 && i % 2;
        snprintf(text, sizeof text, "%.6g %s", 0.37 * (i / 2) * (i / 2), given[k]);
        snprintf(longer, sizeof longer, "%-60s", text);
        ib_Status (*read)(const char *, const char *, double *, ib_Error *) =
            difference ? ib_units_read_difference : ib_units_read;
        assert_int_equal(read(text, units[k], &value, &error), IB_OK);
        assert_int_equal(read(longer, units[k], &plain, &error), IB_OK);
        assert_memory_equal(&value, &plain, sizeof value);
        const char *wrong = k == 0 ? "kg" : "m";
        assert_int_equal(read(text, wrong, &value, &error), IB_BAD_INPUT);
        assert_int_equal(read(text, wrong, &value, &refusal), IB_BAD_INPUT);
        assert_string_equal(error.text, refusal.text);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_conversions_hold),
        cmocka_unit_test(definitions_are_exact_to_three_ulp),
        cmocka_unit_test(decimal_units_are_correctly_rounded),
        cmocka_unit_test(spaces_do_not_matter),
        cmocka_unit_test(wrong_dimension_is_named),
        cmocka_unit_test(mixed_up_units_get_a_hint),
        cmocka_unit_test(unknown_unit_gets_a_suggestion),
        cmocka_unit_test(only_plain_decimals_are_numbers),
        cmocka_unit_test(offsets_count_for_levels_only),
        cmocka_unit_test(angle_is_a_dimension),
        cmocka_unit_test(every_listed_unit_goes_both_ways),
        cmocka_unit_test(prefixes_scale_by_powers_of_ten),
        cmocka_unit_test(messages_stay_one_line),
        cmocka_unit_test(printed_numbers_read_back),
        cmocka_unit_test(brackets_divide_by_all_in_them),
        cmocka_unit_test(texts_read_again_give_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
