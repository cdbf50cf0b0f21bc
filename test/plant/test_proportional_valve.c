// test/plant/test_proportional_valve.c: a proportional valve: its laws, its table and its spool.
#include "plant/air/proportional_valve.h"

#include "cmocka_all.h"

#include <string.h>

#define PI  3.14159265358979323846
#define PSI 6894.76 // the thesis's [Pa]

static const double Ps = 65 * PSI, Pe = 15.7 * PSI;

typedef struct Holder {
    ib_ProportionalConfig valve;
} Holder;

// The rows' defaults: a Festo MPYE-5 as measured in appendix B.2, at 50 psig.
static ib_ProportionalConfig thesis(void)
{
    static const ib_Param rows[] = {IB_PROPORTIONAL_ROWS(Holder, valve)};
    static const ib_Schema schema = IB_SCHEMA(rows);
    Holder holder = {0};
    ib_Error error;
    assert_int_equal(ib_schema_default(&schema, &holder, &error), IB_OK);
    return holder.valve;
}

static ib_ProportionalModel make(ib_ProportionalConfig config)
{
    ib_ProportionalModel valve;
    ib_Error error;
    if (ib_proportional_check(&config, &error) != IB_OK) fail_msg("%s", error.text);
    ib_proportional_init(&config, &valve);
    return valve;
}

static ib_ProportionalModel make_thesis(void)
{
    return make(thesis());
}

static ib_PortOpening port_at(const ib_ProportionalModel *valve, int port, double s)
{
    return ib_proportional_open(valve, port, s, ib_proportional_up(s), Ps, Pe);
}

// -------------------------------------------------------------------------------- equivalent areas

// Goal: the table of appendix B.2 gives the polynomials of the reference sheet. Method: its four
// rows of A1, highest power first, printed to 11 digits; 1e-9 relative, for the points span a
// matrix of condition 1e4 after scaling.
static void table_gives_the_polynomials_of_the_reference(void **state)
{
    static const double rows[IB_PORTS][2][5] = {
        {{6.5307870266e-09, 6.3968172792e-08, 1.4896590625e-07, -1.9279139516e-07,
          1.4188897369e-08},
         {8.6189318543e-09, -9.5657067329e-08, 2.8989022179e-07, 7.7469799452e-08,
          4.3778973626e-09}},
        {{9.4077677205e-09, 9.3496755731e-08, 2.3257595576e-07, -2.2246121059e-07,
          1.8682564560e-08},
         {1.3206433010e-08, -1.3024620985e-07, 3.6081938894e-07, -4.3290139303e-08,
          1.4178081771e-08}},
    };
    (void)state;
    ib_ProportionalModel valve = make_thesis();
    for (int port = 0; port < IB_PORTS; port++)
        for (int side = 0; side < 2; side++)
            for (int i = 0; i < 5; i++) {
                double c = rows[port][side][i];
                assert_close(valve.c[port][side][i], c, 1e-9 * fabs(c));
            }
}

static const struct {
    double V, data[IB_PORTS], fit[IB_PORTS];
} figure_24[] = {
    {-4.75, {7.6e-07, 1.0925e-06}, {7.60006547e-07, 1.09182420e-06}},
    {-3.75, {7.5e-07, 1.05e-06}, {7.50156719e-07, 1.05344132e-06}},
    {-2.75, {7.15e-07, 9.9e-07}, {7.14086701e-07, 9.82909683e-07}},
    {-1.75, {5.25e-07, 7e-07}, {5.26204140e-07, 7.07403944e-07}},
    {-1.25, {3.75e-07, 5e-07}, {3.78943837e-07, 5.00516341e-07}},
    {-0.75, {2.25e-07, 2.85e-07}, {2.17655575e-07, 2.79885180e-07}},
    {-0.55, {1.65e-07, 1.98e-07}, {1.55241254e-07, 1.96695804e-07}},
    {-0.35, {8.4e-08, 1.19e-07}, {9.72695764e-08, 1.21167045e-07}},
    {-0.15, {3.9e-08, 5.7e-08}, {4.62467532e-08, 5.69739163e-08}},
    {0, {2.2e-08, 1.8e-08}, {1.41888974e-08, 1.86825646e-08}},
    {0.15, {2.1e-08, 1.8e-08}, {2.22024180e-08, 1.53701019e-08}},
    {0.35, {4.2e-08, 3.5e-08}, {6.30319204e-08, 3.78407809e-08}},
    {0.55, {1.1e-07, 6.6e-08}, {1.19551821e-07, 7.90551283e-08}},
    {0.75, {1.8e-07, 1.35e-07}, {1.87915255e-07, 1.33902362e-07}},
    {1.25, {4.125e-07, 3.125e-07}, {3.88380723e-07, 3.01700842e-07}},
    {1.75, {6.125e-07, 4.725e-07}, {5.95912909e-07, 4.69253333e-07}},
    {2.75, {8.8e-07, 6.6e-07}, {9.13275409e-07, 6.70407157e-07}},
    {3.75, {1.05e-06, 6.75e-07}, {1.03148267e-06, 6.69033959e-07}},
    {4.75, {1.045e-06, 7.125e-07}, {1.04886898e-06, 7.13758254e-07}},
};
enum { FIGURE_24 = sizeof figure_24 / sizeof *figure_24 };

// Goal: Figure 24, as a fit and as a table. Method: the reference sheet's columns, nine digits of
// the fits; the table's own rows come back, and half way between two stands their mean.
static void areas_are_those_of_figure_24(void **state)
{
    (void)state;
    ib_ProportionalConfig config = thesis();
    ib_ProportionalModel fit = make(config);
    config.map = IB_MAP_TABLE;
    ib_ProportionalModel table = make(config);
    for (int i = 0; i < FIGURE_24; i++)
        for (int port = 0; port < IB_PORTS; port++) {
            double V = figure_24[i].V, A = figure_24[i].fit[port];
            assert_close(port_at(&fit, port, V).area, A, 1e-8 * A);
            assert_close(port_at(&table, port, V).area, figure_24[i].data[port], 1e-21);
            if (i == 0) continue;
            double middle = 0.5 * (V + figure_24[i - 1].V);
            double mean = 0.5 * (figure_24[i].data[port] + figure_24[i - 1].data[port]);
            assert_close(port_at(&table, port, middle).area, mean, 1e-20);
        }
}

// Goal: both fits are taken on their own side of the centre, though they do not meet there. Method:
// the sheet's 1.4189e-8 and 4.3779e-9 m^2 of port 1; a spool at rest is below.
static void fits_do_not_meet_at_the_centre(void **state)
{
    (void)state;
    ib_ProportionalModel valve = make_thesis();
    assert_close(port_at(&valve, IB_PORT_1, 0).area, 1.4188897369e-08, 1e-17);
    assert_close(port_at(&valve, IB_PORT_1, 1e-15).area, 1.4188897369e-08, 1e-17);
    assert_close(port_at(&valve, IB_PORT_1, 1e-8).area, 4.3778973626e-09, 1e-14);
    assert_close(port_at(&valve, IB_PORT_2, 1e-8).area, 1.4178081771e-08, 1e-14);
}

// Goal: no table makes an area negative. Method: rows that a quartic cannot follow; its fit is
// below 0 somewhere within the range, what the port opens is not.
static void areas_are_never_negative(void **state)
{
    (void)state;
    ib_ProportionalConfig config = thesis();
    for (int i = 0; i < config.areas.count; i++) config.areas.y[0][i] = i % 6 ? 0 : 1e-6;
    ib_ProportionalModel valve = make(config);
    double least = 0;
    for (int i = 0; i <= 1000; i++) {
        double s = -5.25 + 0.01 * i, fit = 0;
        for (int k = 0; k < 5; k++) fit = fit * s + valve.c[0][s > 0][k];
        least = fmin(least, fit);
        assert_close(port_at(&valve, IB_PORT_1, s).area, fmax(fit, 0), 1e-20);
    }
    assert_true(least < -1e-8);
}

// Goal: the pressures of Figure 23. Method: the reference sheet's table, P2(Vc) = P1(-Vc), printed
// to 1e-9 psia.
static void pressures_are_those_of_figure_23(void **state)
{
    static const double psia[] = {
        15.700035740, 15.700171925, 15.700827032, 15.703978165, 15.719130991, 15.791893321,
        16.138933183, 17.742194926, 24.184672905, 40.350000000, 56.515327095, 62.957805074,
        64.561066817, 64.908106679, 64.980869009, 64.996021835, 64.999172968,
    };
    (void)state;
    ib_ProportionalModel valve = make_thesis();
    for (int i = 0; i < 17; i++) {
        double V = -2 + 0.25 * i;
        assert_close(port_at(&valve, IB_PORT_2, V).pressure / PSI, psia[i], 1e-9);
        assert_close(port_at(&valve, IB_PORT_1, V).pressure / PSI, psia[16 - i], 1e-9);
    }
}

// Goal: the other curves of the pressure. Method: a straight line from Pe at -0.75 V to Ps at 1.25
// V; a switch at the centre.
static void pressure_may_be_straight_or_a_switch(void **state)
{
    (void)state;
    ib_ProportionalConfig config = thesis();
    config.curve = IB_CURVE_LINEAR;
    ib_ProportionalModel line = make(config);
    config.curve = IB_CURVE_SWITCH;
    ib_ProportionalModel sudden = make(config);
    for (int i = 0; i <= 100; i++) {
        double V = -2.5 + 0.05 * i, part = fmin(fmax((V + 0.75) / 2, 0), 1);
        double P = Pe + (Ps - Pe) * part;
        assert_close(port_at(&line, IB_PORT_2, V).pressure, P, 1e-9 * Ps);
        assert_close(port_at(&line, IB_PORT_1, -V).pressure, P, 1e-9 * Ps);
        bool up = V > 1e-9;
        assert_close(port_at(&sudden, IB_PORT_2, V).pressure, up ? Ps : Pe, 1e-9);
        assert_close(port_at(&sudden, IB_PORT_1, V).pressure, up ? Pe : Ps, 1e-9);
    }
}

// -------------------------------------------------------------------------------------- other laws

// Goal: the linear law. Method: c_d (2e-7 m^2 + 2e-6 m^2/V |Vc|), c_d .12 at the rod and .09 at the
// cap; supply on one side of the centre, exhaust on the other; `swapped` turns both round.
static void linear_law_is_a_line_and_an_offset(void **state)
{
    (void)state;
    for (int swapped = 0; swapped < 2; swapped++) {
        ib_ProportionalConfig config = thesis();
        config.law = IB_PROPORTIONAL_LINEAR;
        config.swapped = swapped;
        ib_ProportionalModel valve = make(config);
        assert_int_equal(valve.port[IB_SIDE_CAP], swapped ? IB_PORT_1 : IB_PORT_2);
        for (double V = -5; V <= 4.5; V += 0.5) {
            double area = 2e-7 + 2e-6 * fabs(V);
            ib_PortOpening cap = port_at(&valve, valve.port[IB_SIDE_CAP], V);
            ib_PortOpening rod = port_at(&valve, valve.port[IB_SIDE_ROD], V);
            assert_close(cap.area, 0.09 * area, 1e-20);
            assert_close(rod.area, 0.12 * area, 1e-20);
            bool fed = (V > 0) != swapped;
            assert_close(cap.pressure, fed ? Ps : Pe, 0);
            assert_close(rod.pressure, fed ? Pe : Ps, 0);
            assert_close(cap.fed, fed, 0);
        }
    }
}

// Goal: four edges. Method: with underlap both ways of a port are open about the centre, in
// proportion to how far the spool is past each edge, up to `full`; with overlap neither is.
static void spool_opens_by_its_edges(void **state)
{
    (void)state;
    const double laps[] = {0.25, 0, -0.5};
    for (int k = 0; k < 3; k++) {
        ib_ProportionalConfig config = thesis();
        config.law = IB_PROPORTIONAL_SPOOL;
        config.lap = laps[k];
        config.full = 3;
        ib_ProportionalModel valve = make(config);
        for (double V = -5; V <= 4.5; V += 0.125) {
            double up = fmin(fmax(V + laps[k], 0), 3), down = fmin(fmax(laps[k] - V, 0), 3);
            ib_PortOpening cap = port_at(&valve, IB_PORT_2, V), rod = port_at(&valve, IB_PORT_1, V);
            assert_close(cap.area, 0.09 * 2e-6 * up, 1e-20);
            assert_close(cap.other_area, 0.09 * 2e-6 * down, 1e-20);
            assert_close(rod.area, 0.12 * 2e-6 * down, 1e-20);
            assert_close(rod.other_area, 0.12 * 2e-6 * up, 1e-20);
            assert_close(cap.pressure, Ps, 0);
            assert_close(cap.other_pressure, Pe, 0);
        }
    }
}

// Goal: the area of N round holes. Method: closed forms of a segment: nothing at depth 0, half at a
// radius, all at a diameter; at half a radius r^2 (pi/3 - sqrt(3)/4), at 3/2 the rest of it. No
// lap, 0.3 mm/V and 1.5 mm holes: 2.5 V to the radius.
static void holes_are_uncovered_as_segments(void **state)
{
    (void)state;
    ib_ProportionalConfig config = thesis();
    config.law = IB_PROPORTIONAL_HOLES;
    config.lap = 0;
    config.centre = 3;
    ib_ProportionalModel valve = make(config);
    double r = 0.75e-3, all = 0.09 * 5 * PI * r * r;
    double part = (PI / 3 - sqrt(3) / 4) / PI;
    const double depths[][2] = {{0, 0}, {0.5, part}, {1, 0.5}, {1.5, 1 - part},
                                {2, 1}, {2.2, 1},    {-0.3, 0}};
    for (size_t i = 0; i < sizeof depths / sizeof *depths; i++) {
        double V = depths[i][0] * r / 0.3e-3;
        assert_close(port_at(&valve, IB_PORT_2, V).area, depths[i][1] * all, 1e-15 * 5e-6);
        assert_close(port_at(&valve, IB_PORT_2, -V).other_area, depths[i][1] * all, 1e-15 * 5e-6);
    }
}

// Goal: the two rules of lost flow. Method: of the port that is fed it is taken, to the other it is
// given; the constant one always, that of the band within 0.75 V of the centre, fading out from
// 0.675 V on.
static void lost_flow_follows_its_rule(void **state)
{
    (void)state;
    for (int rule = IB_LOST_NONE; rule <= IB_LOST_BAND; rule++) {
        ib_ProportionalConfig config = thesis();
        config.lost = rule;
        ib_ProportionalModel valve = make(config);
        for (double V = -4.5; V <= 4.6; V += 0.2) {
            double part = fabs(V) < 0.69 ? 1 : fabs(V) < 0.71 ? (0.75 - 0.7) / 0.075 : 0;
            double lost = (rule == IB_LOST_CONSTANT ? 1
                           : rule == IB_LOST_BAND   ? part
                                                    : 0) *
                          (V > 0 ? 2e-5 : -2e-5);
            assert_close(port_at(&valve, IB_PORT_2, V).lost, lost, 1e-17);
            assert_close(port_at(&valve, IB_PORT_1, V).lost, -lost, 1e-17);
        }
    }
}

// ------------------------------------------------------------------------------------------- spool

// Goal: how the spool follows. Method: rates by hand with w = 2 pi 100; counts of states.
static void spool_follows_by_its_order(void **state)
{
    (void)state;
    ib_ProportionalConfig config = thesis();
    double w = 200 * PI, spool[2] = {0.5, 30}, rate[2] = {7, 7};
    assert_int_equal(ib_proportional_states(&(ib_ProportionalModel){0}), 0);
    config.dynamics = IB_SPOOL_FIRST;
    ib_ProportionalModel first = make(config);
    assert_int_equal(ib_proportional_states(&first), 1);
    ib_proportional_rate(&first, 2, spool, rate);
    assert_close(rate[0], w * 1.5, 1e-10);
    assert_close(rate[1], 7, 0);
    config.dynamics = IB_SPOOL_SECOND;
    config.damping = 0.7;
    ib_ProportionalModel second = make(config);
    assert_int_equal(ib_proportional_states(&second), 2);
    ib_proportional_rate(&second, 2, spool, rate);
    assert_close(rate[0], 30, 0);
    assert_close(rate[1], w * w * 1.5 - 1.4 * w * 30, 1e-8);
    assert_close(ib_proportional_command(&second, 6), 0.75, 0);
}

// Goal: a spool that swings past its range opens no further. Method: places beyond 0 and 10 V.
static void spool_opens_no_further_than_its_range(void **state)
{
    (void)state;
    ib_ProportionalModel valve = make_thesis();
    assert_close(ib_proportional_place(&valve, -9), -5.25, 0);
    assert_close(ib_proportional_place(&valve, 9), 4.75, 0);
    assert_close(ib_proportional_place(&valve, 1.5), 1.5, 0);
}

// ------------------------------------------------------------------------------------------- check

// Goal: what cannot be is refused with the key's name. Method: a table without a row at 0 V, one
// with too few rows below it, an overlap that never opens, cut-offs that are one.
static void wrong_numbers_are_refused(void **state)
{
    (void)state;
    static const struct {
        int law, map;
        double shift, lap;
        int rows;
        const char *words;
    } cases[] = {
        {IB_PROPORTIONAL_EQUIVALENT, IB_MAP_POLYNOMIAL, 0.01, 0, 19, "valve.areas"},
        {IB_PROPORTIONAL_EQUIVALENT, IB_MAP_POLYNOMIAL, 0, 0, 13, "valve.areas"},
        {IB_PROPORTIONAL_SPOOL, IB_MAP_TABLE, 0, -6, 19, "valve.lap"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ib_ProportionalConfig config = thesis();
        ib_Error error;
        config.law = cases[i].law;
        config.map = cases[i].map;
        config.lap = cases[i].lap;
        config.areas.count = cases[i].rows;
        for (int k = 0; k < config.areas.count; k++) config.areas.x[k] += cases[i].shift;
        assert_int_equal(ib_proportional_check(&config, &error), IB_BAD_INPUT);
        if (!strstr(error.text, cases[i].words)) fail_msg("%s", error.text);
    }
}

// Goal: keys that do nothing say which one keeps them from it. Method: one of each group.
static void idle_keys_name_what_silences_them(void **state)
{
    (void)state;
    ib_ProportionalConfig config = thesis();
    assert_null(ib_proportional_idle(&config, "valve.areas"));
    assert_string_equal(ib_proportional_idle(&config, "valve.slope"), "valve.law");
    assert_string_equal(ib_proportional_idle(&config, "valve.lost.flow"), "valve.lost.rule");
    assert_string_equal(ib_proportional_idle(&config, "valve.spool.damping"),
                        "valve.spool.dynamics");
    config.law = IB_PROPORTIONAL_SPOOL;
    config.dynamics = IB_SPOOL_SECOND;
    assert_string_equal(ib_proportional_idle(&config, "valve.areas"), "valve.law");
    assert_string_equal(ib_proportional_idle(&config, "valve.lost.flow"), "valve.lost.rule");
    assert_null(ib_proportional_idle(&config, "valve.slope"));
    assert_null(ib_proportional_idle(&config, "valve.spool.damping"));
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_gives_the_polynomials_of_the_reference),
        cmocka_unit_test(areas_are_those_of_figure_24),
        cmocka_unit_test(fits_do_not_meet_at_the_centre),
        cmocka_unit_test(areas_are_never_negative),
        cmocka_unit_test(pressures_are_those_of_figure_23),
        cmocka_unit_test(pressure_may_be_straight_or_a_switch),
        cmocka_unit_test(linear_law_is_a_line_and_an_offset),
        cmocka_unit_test(spool_opens_by_its_edges),
        cmocka_unit_test(holes_are_uncovered_as_segments),
        cmocka_unit_test(lost_flow_follows_its_rule),
        cmocka_unit_test(spool_follows_by_its_order),
        cmocka_unit_test(spool_opens_no_further_than_its_range),
        cmocka_unit_test(wrong_numbers_are_refused),
        cmocka_unit_test(idle_keys_name_what_silences_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
