// test/plant/test_power.c: battery, breakers, brownout and any number of bridges as one part.
#include "cmocka_all.h"

#include "plant/feed.h"
#include "spread.h"

#include <stdlib.h>
#include <string.h>

enum { ROOM = 64 };

// A supply on its own: 12 V behind 20 mohm, everything on, three bridges.
typedef struct Supply {
    ib_PowerConfig config;
    ib_Feed feed;
    int states, guards;
    double x[ROOM], dx[ROOM], g[ROOM];
} Supply;

static ib_PowerConfig config_of(bool all)
{
    ib_BreakerConfig breaker = {
        .rating = 40,
        .trip = {.count = 2, .x = {40, 160}, .y = {{1000, 1}}},
        .cooling = 20,
        .reset = 0.3,
        .ambient = 298.15,
    };
    return (ib_PowerConfig){
        .battery = {.open_circuit = 12,
                    .resistance = 0.02,
                    .capacity = 17 * 3600,
                    .constant_voltage = true,
                    .empty = 8,
                    .rate_exponent = all ? 1.2 : 1},
        .charge = 0.75,
        .background_current = 2,
        .breaker_on = all,
        .breaker = breaker,
        .branch_on = all,
        .branch = breaker,
        .brownout_on = all,
        .brownout = {.droop = 6.8,
                     .off = 6.3,
                     .on = 7.5,
                     .blackout = 4.5,
                     .reboot = 4.65,
                     .delay = 1e-3,
                     .hold = 0.02,
                     .boot = 20},
    };
}

static ib_Arena arena; // of the last supply

static void supply_init(Supply *s, bool all, int bridges)
{
    static const ib_SignalDef book[] = {
        {"energy.battery", "J", "given", 0, IB_MEANS(.role = IB_ROLE_SUPPLIED, .form = IB_SUM)},
        {"energy.resistance", "J", "lost", 0, IB_MEANS(.role = IB_ROLE_LOST, .form = IB_SUM)},
        {"energy.background", "J", "used", 0, IB_MEANS(.role = IB_ROLE_LOST, .form = IB_SUM)}};
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"};
    ib_Error error;
    int before;
    ib_arena_reset(&arena);
    ib_Declarations d = {.arena = &arena, .signals = {.arena = &arena}};
    memset(s, 0, sizeof *s);
    s->config = config_of(all);
    assert_int_equal(ib_power_check(&s->config, &error), IB_OK);
    ib_declare_states(&d, 3, IB_STATE, &before); // a robot that has three of its own before
    ib_feed_init(&s->config, &s->feed);
    ib_feed_declare_power(&s->config, &s->feed, &d);
    ib_declare(&d, "", NULL, book, 3, NULL);
    ib_feed_declare_book(&s->feed, &d);
    for (int i = 0; i < bridges; i++) ib_feed_declare_branch(&s->config, &s->feed, i, names[i], &d);
    assert_true(ib_declare_finish(&d));
    s->states = d.state_count;
    s->guards = d.guard_count;
    assert_true(s->states <= ROOM && s->guards <= ROOM);
    ib_feed_reset(&s->feed, s->x);
}

static void rate_supply(Supply *s, const ib_PowerNow *now)
{
    const ib_Wires wires = {.x = s->x, .feed = &s->feed, .power = *now};
    ib_feed_rate(&s->feed, &wires, s->dx);
}

static ib_Bridge bridge_of(double duty, double emf)
{
    return (ib_Bridge){.duty = duty,
                       .emf = emf,
                       .count = 2,
                       .R = 0.1,
                       .per_R = 10,
                       .stator = INFINITY,
                       .supply = INFINITY};
}

// A load of 5 A above 9 V, in proportion below.
static ib_Load load_at(const void *self, double volts)
{
    (void)self;
    return volts < 9 ? (ib_Load){0, 5.0 / 9, -INFINITY, 9} : (ib_Load){5, 0, 9, INFINITY};
}

// Goal: no two states share a place, none is left without one and none of the robot's own is
// touched. Method: give every state of the part its rate and count what was written.
static void every_state_has_a_place_of_its_own(void **state)
{
    (void)state;
    Supply s;
    ib_PowerNow now;
    const ib_Bridge bridge[3] = {bridge_of(1, 0), bridge_of(0.5, 3), bridge_of(-1, 2)};
    supply_init(&s, true, 3);
    // used, three energies, charge, two of the breaker, two of the brownout, two of each branch.
    assert_int_equal(s.states, 3 + 4 + 1 + 2 + 2 + 3 * 2);
    assert_int_equal(s.guards, 1 + 1 + 3);
    for (int i = 0; i < ROOM; i++) s.dx[i] = s.g[i] = NAN;
    ib_power_solve(&s.feed.power, s.x, bridge, 3, NULL, &now);
    rate_supply(&s, &now);
    ib_power_breaker_margins(&s.feed.power, s.x, s.g);
    s.g[s.feed.power.brownout_guard] =
        ib_power_brownout_margin(&s.feed.power, s.x, now.bus.voltage);
    for (int i = 0; i < ROOM; i++) {
        assert_int_equal(isnan(s.dx[i]) == 0, i >= 3 && i < s.states);
        assert_int_equal(isnan(s.g[i]) == 0, i < s.guards);
    }
}

// Goal: the book balances at every instant: E I = Rb I^2 + V background + V other + sum n u I.
// Method: 1000 random instants of 1 to 12 bridges with another load; rounding.
static void the_book_balances(void **state)
{
    (void)state;
    uint64_t k = 0;
    for (int n = 0; n < 1000; n++) {
        int count = 1 + n % 12;
        Supply s;
        ib_PowerNow now;
        ib_Bridge bridge[12];
        ib_OtherLoad load = {load_at, NULL};
        supply_init(&s, n % 2, count);
        for (int i = 0; i < count; i++) {
            bridge[i] =
                bridge_of(2 * chance_uniform(1, 2, k) - 1, 10 * chance_uniform(1, 3, k) - 5);
            if (n % 3) bridge[i].stator = 40;
            bridge[i].count = 1;
            k++;
        }
        ib_power_solve(&s.feed.power, s.x, bridge, count, &load, &now);
        if (now.bus.collapsed) continue;
        rate_supply(&s, &now);
        const ib_PowerBooks *b = &s.feed.power.books;
        double V = now.bus.voltage, taken = s.dx[b->resistance] + s.dx[b->background];
        assert_close(now.other, V < 9 ? V * 5 / 9 : 5, 1e-12);
        taken += V * now.other;
        for (int i = 0; i < count; i++)
            taken += bridge[i].count * now.bus.bridge[i].volts * now.bus.bridge[i].current;
        assert_close(s.dx[b->battery], taken, 1e-10 * (fabs(taken) + 1000));
        assert_close(s.dx[b->used], now.bus.current, 0);
    }
}

// Goal: a breaker of a bridge heats by that bridge's own current. Method: one of three stalls, at
// 100 A of the 40 A that it carries; the table's 160 A trip in 1 s, so it heats, the others do not.
static void each_branch_heats_by_its_own_current(void **state)
{
    (void)state;
    Supply s;
    ib_PowerNow now;
    ib_Bridge bridge[3] = {bridge_of(0, 0), bridge_of(1, 0), bridge_of(0.2, 0)};
    for (int i = 0; i < 3; i++) bridge[i].count = 1;
    supply_init(&s, true, 3);
    ib_power_solve(&s.feed.power, s.x, bridge, 3, NULL, &now);
    rate_supply(&s, &now);
    assert_true(now.bus.bridge[1].drawn > 90);
    for (int i = 0; i < 3; i++) {
        double heat = s.dx[s.feed.power.branch_state[i] + IB_BREAKER_HEAT];
        if (i == 1)
            assert_close(heat, ib_breaker_heating(&s.feed.power.branch, now.bus.bridge[1].drawn),
                         0);
        else
            assert_true(heat == 0);
    }
    // At 1 it opens: that bridge alone is cut off.
    s.x[s.feed.power.branch_state[1] + IB_BREAKER_HEAT] = 1;
    assert_true(ib_power_settle_breakers(&s.feed.power, s.x));
    assert_false(ib_power_settle_breakers(&s.feed.power, s.x));
    assert_false(ib_power_reaches(&s.feed.power, s.x, 1));
    assert_true(ib_power_reaches(&s.feed.power, s.x, 0) && ib_power_reaches(&s.feed.power, s.x, 2));
}

// Goal: an open main breaker leaves nothing, a brownout switches outputs off and nothing else.
// Method: set the modes and ask.
static void modes_say_what_obeys(void **state)
{
    (void)state;
    Supply s;
    ib_PowerNow now;
    const ib_Bridge bridge = bridge_of(1, 5);
    supply_init(&s, true, 1);
    assert_true(ib_power_on(&s.feed.power, s.x));
    s.x[s.feed.power.breaker_state + IB_BREAKER_CLOSED] = 0;
    ib_power_solve(&s.feed.power, s.x, &bridge, 1, NULL, &now);
    assert_true(now.E == 0 && now.bus.voltage == 0 && now.bus.current == 0);
    assert_false(ib_power_on(&s.feed.power, s.x) || ib_power_fed(&s.feed.power, s.x));

    supply_init(&s, true, 1);
    assert_true(ib_power_settle_brownout(&s.feed.power, 6.5, s.x)); // droop
    assert_true(ib_power_on(&s.feed.power, s.x));
    s.x[s.feed.power.brownout_state + IB_BROWNOUT_TIMER] = 0.01;
    assert_true(ib_power_settle_brownout(&s.feed.power, 6.2, s.x)); // low: the delay begins
    assert_true(ib_power_on(&s.feed.power, s.x));
    assert_false(ib_power_settle_brownout(&s.feed.power, 6.2, s.x));
    s.x[s.feed.power.brownout_state + IB_BROWNOUT_TIMER] = 0.01;
    assert_true(ib_power_settle_brownout(&s.feed.power, 6.2, s.x)); // outputs off
    assert_true(ib_power_fed(&s.feed.power, s.x) && !ib_power_on(&s.feed.power, s.x));
    assert_true(s.x[s.feed.power.brownout_state + IB_BROWNOUT_TIMER] == 0);
}

// Goal: what the config leaves off has no states, and the charge is then counted. Method: 17 A h of
// 12 V used by a tenth.
static void what_is_off_has_no_state(void **state)
{
    (void)state;
    Supply s;
    supply_init(&s, false, 3);
    assert_int_equal(s.states, 3 + 4);
    assert_int_equal(s.guards, 0);
    assert_close(ib_power_charge(&s.feed.power, s.x, 0.1 * 17 * 3600), 0.65, 1e-15);
    assert_true(ib_power_on(&s.feed.power, s.x) && ib_power_reaches(&s.feed.power, s.x, 2));
}

// Goal: refusals name the part's key. Method: one wrong value in each.
static void refusals_name_the_part(void **state)
{
    (void)state;
    ib_Error error;
    ib_PowerConfig wrong[4] = {config_of(true), config_of(true), config_of(true), config_of(true)};
    static const char *const begins[4] = {"battery.", "breaker.", "branch_breaker.", "brownout."};
    wrong[0].battery.constant_voltage = false;
    wrong[0].battery.empty = 20;
    wrong[1].breaker.rating = -1;
    wrong[2].branch.cooling = -1;
    wrong[3].brownout.off = 20;
    for (int i = 0; i < 4; i++) {
        assert_int_equal(ib_power_check(&wrong[i], &error), IB_BAD_INPUT);
        assert_memory_equal(error.text, begins[i], strlen(begins[i]));
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_state_has_a_place_of_its_own),
        cmocka_unit_test(the_book_balances),
        cmocka_unit_test(each_branch_heats_by_its_own_current),
        cmocka_unit_test(modes_say_what_obeys),
        cmocka_unit_test(what_is_off_has_no_state),
        cmocka_unit_test(refusals_name_the_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
