// Claims about src/sim/contact/zones.c: signals of who is in which zone.
#include "cmocka_all.h"
#include "sim/yard.h"

// A yard with a box of 0.2 m on its way along x at 1 m/s, and zones around x = 0.5.
static Yard yard;
static ib_ZoneConfig zones[3];

static void lay_zones(void)
{
    static const char *const names[] = {"middle", "edge", "still"};
    for (int i = 0; i < 3; i++) {
        zones[i] = (ib_ZoneConfig){.area_count = 1, .outline = i == 1, .at_rest = i == 2};
        snprintf(zones[i].name, sizeof zones[i].name, "%s", names[i]);
        zones[i].areas[0] = ib_element_default(&yard.field);
        zones[i].areas[0].x = 0.5;
        zones[i].areas[0].length = 0.2;
    }
    yard.field.zones = zones;
    yard.field.zone_count = 3;
}

static void slide_through(double mu)
{
    yard_default(&yard, 1.5);
    ib_BoxConfig *box = yard_box(&yard, 1, 0.2, 0.1);
    box->planar.velocity_x = 1;
    box->mu = mu;
    lay_zones();
}

static double first_time(const char *signal, double value)
{
    for (int row = 0; row < yard.rig.rows.count; row++)
        if (yard_row(&yard, row, 0, signal) == value) return yard.rig.rows.t[row];
    return -1;
}

static double last_time(const char *signal, double value)
{
    for (int row = yard.rig.rows.count - 1; row >= 0; row--)
        if (yard_row(&yard, row, 0, signal) == value) return yard.rig.rows.t[row];
    return -1;
}

// Goal: a body is in a zone from when it enters to when it leaves. Method: on ice x = t; its middle
// is inside for 0.4 <= t <= 0.6, its outline of +- 0.1 m for 0.3 <= t <= 0.7, to a step of 1 ms; it
// never stands.
static void signals_follow_a_body_through(void **state)
{
    (void)state;
    slide_through(0);
    rig_run(&yard.rig, 1e-3);
    assert_close(first_time("in_middle", 1), 0.4, 1.001e-3);
    assert_close(last_time("in_middle", 1), 0.6, 1.001e-3);
    assert_close(first_time("in_edge", 1), 0.3, 1.001e-3);
    assert_close(last_time("in_edge", 1), 0.7, 1.001e-3);
    assert_true(first_time("in_still", 1) < 0);
    for (int row = 0; row < yard.rig.rows.count; row++)
        assert_true(yard_row(&yard, row, 0, "in_edge") >= yard_row(&yard, row, 0, "in_middle"));
    rig_stop(&yard.rig);
}

// Goal: at rest is told when it stands, not before. Method: friction, a = mu g = 1 m/s^2, stops the
// box in the zone, after 0.5 m. The floor's friction fades as tanh(v/s), s = 20 mm/s
// (docs/robot/passive.md): v falls to v1 at s/a ln(sinh(v0/s)/sinh(v1/s)), of which v0/s - ln 2 is
// the first logarithm.
static void rest_is_told_when_it_stands(void **state)
{
    (void)state;
    slide_through(1 / 9.80665);
    rig_run(&yard.rig, 1e-3);
    double stands = 1 - 0.02 * (log(2) + log(sinh(IB_ZONE_STILL / 0.02)));
    assert_close(first_time("in_still", 1), stands, 1.1e-3);
    assert_true(first_time("in_still", 1) > first_time("in_middle", 1));
    assert_true(yard_end(&yard, 0, "in_still") == 1 && yard_end(&yard, 0, "in_middle") == 1);
    rig_stop(&yard.rig);
}

// Goal: zones take part in nothing: with them a run has the same hash, without contacts they show
// all the same. Method: three runs of the same box, one without zones, one among ghosts.
static void zones_change_nothing(void **state)
{
    (void)state;
    uint64_t hashes[3];
    for (int i = 0; i < 3; i++) {
        slide_through(0.05);
        yard_box(&yard, 1, 0.2, 0.1)->planar.y = 5;
        if (i == 1) yard.field.zone_count = 0;
        yard.rig.sim_config.ghosts = i == 2;
        rig_run(&yard.rig, 1e-3);
        hashes[i] = ib_sim_hash(yard.rig.sim);
        int found = ib_signals_find(&yard.rig.model->signals, "b0.in_middle");
        assert_int_equal(found >= 0, i != 1);
        // x = t - mu g t^2/2 = 0.4 m
        double a = 0.05 * 9.80665, t = (1 - sqrt(1 - 2 * a * 0.4)) / a;
        if (i == 2) assert_close(first_time("in_middle", 1), t, 1.001e-3);
        rig_stop(&yard.rig);
    }
    assert_true(hashes[0] == hashes[1]);
}

// Goal: entering and leaving have words, with the zone's name. Method: the meanings of the signals.
static void changes_have_words(void **state)
{
    (void)state;
    slide_through(0);
    rig_run(&yard.rig, 1e-3);
    const ib_SignalDef *all = yard.rig.model->signals.items;
    const ib_SignalDef *edge = &all[yard_signal(&yard, 0, "in_edge")];
    const ib_SignalDef *still = &all[yard_signal(&yard, 0, "in_still")];
    assert_true(edge->means.binary && still->means.binary);
    assert_string_equal(edge->sentence, "1: its outline touches edge");
    assert_string_equal(ib_mode_meaning(edge->means.mode, 1).text, "it enters edge");
    assert_string_equal(ib_mode_meaning(edge->means.mode, 0).text, "it leaves edge");
    assert_string_equal(ib_mode_meaning(still->means.mode, 1).text, "it comes to rest in still");
    rig_stop(&yard.rig);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(signals_follow_a_body_through),
        cmocka_unit_test(rest_is_told_when_it_stands),
        cmocka_unit_test(zones_change_nothing),
        cmocka_unit_test(changes_have_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
