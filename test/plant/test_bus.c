// test/plant/test_bus.c: battery, bridges and other loads meet at one voltage.
#include "cmocka_all.h"

#include "base/random.h"
#include "plant/bus.h"
#include "plant/motor.h"

// The CIM and the battery of reference B7.
static const double E7 = 12.0, RB7 = 0.012, OTHER7 = 0.5;
static const double R7 = 12 / 131.227, KE7 = 0.021136315215;

static ib_Bridge bridge_of(double duty, double emf, double count)
{
    return (ib_Bridge){
        .duty = duty, .emf = emf, .count = count, .stator = INFINITY, .supply = INFINITY};
}

// ------------------------------------------------------------------ random cases

typedef struct Case {
    double E, Rb, R, other;
    ib_Bridge bridge[2];
    double current[2]; ///< for ib_bus_given
} Case;

typedef struct Draw {
    uint64_t seed, count;
} Draw;

static double between(Draw *draw, double low, double high)
{
    return low + (high - low) * ib_random_uniform(draw->seed, 7, draw->count++);
}

// Weak and strong batteries, small and large motors, driving, braking and plugging, speeds up to
// twice what the battery could hold, tight and loose limits; a third of the bridges has no stator
// limit, a third no supply limit, one in ten is open.
static Case random_case(Draw *draw)
{
    Case c = {.E = between(draw, 6, 14),
              .Rb = between(draw, 0, 1) < 0.1 ? 0 : between(draw, 0.005, 0.1),
              .R = between(draw, 0.02, 0.4),
              .other = between(draw, 0, 30)};
    for (int i = 0; i < 2; i++) {
        c.bridge[i] =
            bridge_of(between(draw, -1, 1), between(draw, -24, 24), 1 + floor(between(draw, 0, 4)));
        if (between(draw, 0, 1) < 0.2) c.bridge[i].duty = c.bridge[i].duty < 0 ? -1 : 1;
        if (between(draw, 0, 1) < 0.1) c.bridge[i].duty = 0;
        if (between(draw, 0, 1) < 0.4) c.bridge[i].emf *= 0.3;
        if (between(draw, 0, 1) < 0.67) c.bridge[i].stator = between(draw, 2, 120);
        if (between(draw, 0, 1) < 0.67) c.bridge[i].supply = between(draw, 2, 80);
        c.bridge[i].open = between(draw, 0, 1) < 0.1;
        c.current[i] = c.bridge[i].open ? 0 : between(draw, -150, 150);
    }
    return c;
}

// ------------------------------------------------------------------ the equation, written anew

// Volts as the intersection of intervals: the stator's, the supply's, the bridge's.
static double volts_at(const ib_Bridge *b, double R, double V)
{
    if (b->open) return b->emf;
    double root = sqrt(0.25 * b->emf * b->emf + R * b->supply * V);
    double low = fmax(b->emf - b->stator * R, 0.5 * b->emf - root);
    double high = fmin(b->emf + b->stator * R, 0.5 * b->emf + root);
    double volts = fmin(fmax(b->duty * V, low), high);
    return fmin(fmax(volts, -V), V);
}

static double volts_given(const ib_Bridge *b, double R, double V, double current)
{
    if (b->open) return b->emf;
    double volts = fmin(fmax(b->duty * V, b->emf - b->stator * R), b->emf + b->stator * R);
    volts = fmin(fmax(volts, -V), V);
    return volts * current > b->supply * V ? b->supply * V / current : volts;
}

// V - E + Rb (other + sum n u I / V), which the bus voltage makes 0.
static double residual(const Case *c, bool given, double V)
{
    double power = 0;
    for (int i = 0; i < 2; i++) {
        const ib_Bridge *b = &c->bridge[i];
        if (b->open) continue;
        double u = given ? volts_given(b, c->R, V, c->current[i]) : volts_at(b, c->R, V);
        power += b->count * u * (given ? c->current[i] : (u - b->emf) / c->R);
    }
    return V - c->E + c->Rb * (c->other + power / V);
}

// The highest sign change on a dense grid, closed in by bisection; 0: none found.
static double scan(const Case *c, bool given)
{
    double top = c->E + 1;
    for (int i = 0; i < 2; i++)
        top += c->Rb * c->bridge[i].count *
               (given ? fabs(c->current[i]) : fabs(c->bridge[i].emf) / c->R);
    enum { GRID = 1000 };
    for (int k = GRID - 1; k >= 0; k--) {
        double low = top * (k > 0 ? k : 1e-9) / GRID, high = top * (k + 1) / GRID;
        if (residual(c, given, low) > 0) continue;
        for (int i = 0; i < 60; i++) {
            double middle = 0.5 * (low + high);
            if (residual(c, given, middle) > 0)
                high = middle;
            else
                low = middle;
        }
        return 0.5 * (low + high);
    }
    return 0;
}

// ------------------------------------------------------------------ what every solution owes

// Powers and limits of one bridge. Tolerances: rounding of products of a few hundred volt amperes.
static void check_bridge(const Case *c, int i, const ib_Bus *bus, bool given)
{
    const ib_Bridge *b = &c->bridge[i];
    const ib_BridgeResult *r = &bus->bridge[i];
    double size = 1 + fabs(r->volts * r->current);
    assert_close(bus->voltage * r->drawn, b->open ? 0 : r->volts * r->current, 1e-11 * size);
    if (b->open) {
        assert_true(r->current == 0 && r->drawn == 0 && r->volts == b->emf);
        return;
    }
    assert_true(fabs(r->volts) <= bus->voltage * (1 + 1e-12) + 1e-12);
    assert_true(r->drawn <= b->supply * (1 + 1e-12));
    if (given) {
        assert_true(r->current == c->current[i]);
        return;
    }
    assert_close(r->current * c->R, r->volts - b->emf, 1e-12 * (1 + fabs(b->emf)));
    // Beyond the stator limit only where the bridge is at its end and the motor outruns it.
    if (fabs(r->current) > b->stator * (1 + 1e-12)) {
        assert_close(fabs(r->volts), bus->voltage, 1e-12 * bus->voltage);
        assert_true(r->volts * r->current < 0);
    }
}

// Power that leaves the chemistry = heat in the battery + power of all loads.
static void check_power(const Case *c, const ib_Bus *bus)
{
    double loads = bus->voltage * c->other;
    for (int i = 0; i < 2; i++) loads += c->bridge[i].count * bus->voltage * bus->bridge[i].drawn;
    double heat = c->Rb * bus->current * bus->current;
    double given = c->E * bus->current;
    assert_close(given, heat + loads, 1e-11 * (1 + fabs(given) + heat + fabs(loads)));
}

static void check_case(const Case *c, bool given, int *limited, int *collapsed)
{
    ib_Bus bus = given ? ib_bus_given(c->E, c->Rb, c->R, c->other, c->bridge, c->current)
                       : ib_bus_solve(c->E, c->Rb, c->R, c->other, c->bridge);
    double found = scan(c, given);
    if (bus.collapsed) {
        (*collapsed)++;
        assert_true(found == 0 && bus.voltage == 0);
        assert_close(c->Rb * bus.current, c->E, 1e-12 * c->E);
        return;
    }
    assert_close(bus.voltage, c->E - c->Rb * bus.current, 1e-12 * (c->E + bus.voltage));
    // The scan may miss two roots within one of its cells; then ours is higher, and a root.
    if (fabs(bus.voltage - found) > 1e-9) {
        assert_true(bus.voltage > found);
        assert_close(residual(c, given, bus.voltage), 0, 1e-9);
    }
    for (int i = 0; i < 2; i++) {
        check_bridge(c, i, &bus, given);
        double u = given ? volts_given(&c->bridge[i], c->R, bus.voltage, c->current[i])
                         : volts_at(&c->bridge[i], c->R, bus.voltage);
        assert_close(bus.bridge[i].volts, u, 1e-9);
        *limited += !c->bridge[i].open && fabs(u - c->bridge[i].duty * bus.voltage) > 1e-9;
    }
    check_power(c, &bus);
}

// ------------------------------------------------------------------ tests

// Goal: the stall of reference B7 to its printed digits. Method: full duty, no speed.
static void stall_sags_as_in_the_reference(void **state)
{
    (void)state;
    ib_Bridge bridge[2] = {bridge_of(1, 0, 2), bridge_of(1, 0, 2)};
    ib_Bus bus = ib_bus_plain(E7, RB7, R7, 1 / (R7), OTHER7, bridge);
    assert_close(bus.voltage, 7.8653925352, 1e-10);
    assert_close(bus.current, 344.55062207, 1e-8);
    assert_close(bus.bridge[0].current, 86.012655518, 1e-9);
    assert_close(bus.bridge[1].current, 86.012655518, 1e-9);
}

// Goal: the printed rows of reference B7 hold between their own columns: speeds in, currents and
// voltage out. Method: straight at 0.1 s, turn at 0.1 s, arc at 5 s; the rows have 11 digits.
static void rows_of_the_reference_are_reproduced(void **state)
{
    (void)state;
    const struct {
        double left, right, u, omega, I_left, I_right, I_draw, V;
    } rows[] = {
        {12, 12, 1.2472187466, 0, 59.441850147, 59.441850147, 238.26740059, 9.1407911929},
        {12, -12, 0, -4.9135882955, 54.608862409, -54.608862409, 218.93544964, 9.3727746044},
        {12, 6, 1.8384106332, -3.0631755661, 29.837333376, 29.837333451, 90.012000204,
         10.919855998},
    };
    const double G = 10.71, radius = 0.0762, W = 0.3;
    for (int i = 0; i < 3; i++) {
        double turn = rows[i].omega * W;
        ib_Bridge bridge[2] = {
            bridge_of(rows[i].left / 12, KE7 * G * (rows[i].u - turn) / radius, 2),
            bridge_of(rows[i].right / 12, KE7 * G * (rows[i].u + turn) / radius, 2),
        };
        ib_Bus bus = ib_bus_solve(E7, RB7, R7, OTHER7, bridge);
        assert_close(bus.voltage, rows[i].V, 1e-8);
        assert_close(bus.current, rows[i].I_draw, 1e-6);
        assert_close(bus.bridge[0].current, rows[i].I_left, 1e-7);
        assert_close(bus.bridge[1].current, rows[i].I_right, 1e-7);
    }
}

// Goal: without limits the general solver is the plain one, bit for bit. Method: random cases.
static void without_limits_both_agree(void **state)
{
    (void)state;
    Draw draw = {.seed = 5};
    for (int n = 0; n < 5000; n++) {
        Case c = random_case(&draw);
        for (int i = 0; i < 2; i++) c.bridge[i] = bridge_of(c.bridge[i].duty, c.bridge[i].emf, 2);
        ib_Bus plain = ib_bus_plain(c.E, c.Rb, c.R, 1 / (c.R), c.other, c.bridge);
        ib_Bus bus = ib_bus_solve(c.E, c.Rb, c.R, c.other, c.bridge);
        if (plain.voltage < 0) {
            assert_true(bus.collapsed);
            continue;
        }
        assert_true(bus.voltage == plain.voltage && bus.current == plain.current);
        assert_memory_equal(bus.bridge, plain.bridge, sizeof bus.bridge);
    }
}

// Goal: the solver finds the highest voltage, balances power and holds limits. Method: 10 000
// random cases against a dense scan with bisection of the same equation, written anew; at least
// a third of them must have met a limit and some must have collapsed, or the test proves little.
static void random_cases_agree_with_bisection(void **state)
{
    (void)state;
    Draw draw = {.seed = 1};
    int limited = 0, collapsed = 0;
    for (int n = 0; n < 10000; n++) {
        Case c = random_case(&draw);
        check_case(&c, false, &limited, &collapsed);
    }
    assert_true(limited > 3333);
    assert_true(collapsed > 10);
}

// Goal: the same with the currents given. Method: as above.
static void given_currents_agree_with_bisection(void **state)
{
    (void)state;
    Draw draw = {.seed = 2};
    int limited = 0, collapsed = 0;
    for (int n = 0; n < 10000; n++) {
        Case c = random_case(&draw);
        check_case(&c, true, &limited, &collapsed);
    }
    assert_true(limited > 3333);
    assert_true(collapsed > 10);
}

// Goal: the two variants agree where the inductance has settled. Method: give ib_bus_given the
// currents that ib_bus_solve found: the bus voltage is then a solution of both, and the same one
// unless several exist (a given current draws the same at every voltage).
static void settled_currents_give_the_same_bus(void **state)
{
    (void)state;
    Draw draw = {.seed = 3};
    int same = 0, all = 0;
    for (int n = 0; n < 3000; n++) {
        Case c = random_case(&draw);
        ib_Bus solved = ib_bus_solve(c.E, c.Rb, c.R, c.other, c.bridge);
        if (solved.collapsed) continue;
        double current[2] = {solved.bridge[0].current, solved.bridge[1].current};
        ib_Bus given = ib_bus_given(c.E, c.Rb, c.R, c.other, c.bridge, current);
        all++;
        assert_true(given.voltage >= solved.voltage - 1e-7);
        same += fabs(given.voltage - solved.voltage) < 1e-7;
    }
    assert_true(same > 0.9 * all);
}

// Goal: a stator limit at stall is a load of constant power. Method: by hand: 2 motors, limit
// 40 A, R = 0.1 ohm: u = 4 V, 320 W; V^2 - 12 V + 0.02 320 = 0 -> V = 6 + sqrt(29.6).
static void stator_limit_draws_constant_power(void **state)
{
    (void)state;
    ib_Bridge bridge[2] = {bridge_of(1, 0, 2), bridge_of(0, 0, 0)};
    bridge[0].stator = 40;
    ib_Bus bus = ib_bus_solve(12, 0.02, 0.1, 0, bridge);
    assert_close(bus.voltage, 6 + sqrt(29.6), 1e-13);
    assert_close(bus.bridge[0].current, 40, 0);
    assert_close(bus.bridge[0].volts, 4, 1e-15);
    assert_close(bus.current, 320 / bus.voltage, 1e-12);
}

// Goal: a supply limit draws exactly its current. Method: by hand at stall: u^2/R = p V.
static void supply_limit_draws_its_current(void **state)
{
    (void)state;
    ib_Bridge bridge[2] = {bridge_of(-1, 0, 3), bridge_of(0, 0, 0)};
    bridge[0].supply = 30;
    ib_Bus bus = ib_bus_solve(12, 0.02, 0.1, 10, bridge);
    assert_close(bus.voltage, 12 - 0.02 * 100, 1e-14);
    assert_close(bus.bridge[0].volts, -sqrt(0.1 * 30 * 10), 1e-14);
    assert_close(bus.bridge[0].current, -sqrt(30 * 10 / 0.1), 1e-12);
    assert_true(bus.bridge[0].drawn == 30);
}

// Goal: of three solutions the highest is taken. Method: E = 12, R = 0.1, N Rb = 0.2, limit 41 A:
// at full duty 4 V serve 40 A, but V^2 - 12 V + 0.2 0.1 41^2 = 0 has 7.54 V too
// (docs/plant/bus.md).
static void highest_of_three_solutions_is_taken(void **state)
{
    (void)state;
    ib_Bridge bridge[2] = {bridge_of(1, 0, 2), bridge_of(0, 0, 0)};
    bridge[0].stator = 41;
    ib_Bus bus = ib_bus_solve(12, 0.1, 0.1, 0, bridge);
    assert_close(bus.voltage, 6 + sqrt(36 - 33.62), 1e-12);
    bridge[0].stator = 43; // above 42.4 A the limit can never be met
    bus = ib_bus_solve(12, 0.1, 0.1, 0, bridge);
    assert_close(bus.voltage, 4, 1e-12);
    assert_close(bus.bridge[0].current, 40, 1e-12);
}

// Goal: braking lifts the bus above the battery and charges it. Method: half duty at full speed.
static void braking_charges_the_battery(void **state)
{
    (void)state;
    ib_Bridge bridge[2] = {bridge_of(0.5, 11, 2), bridge_of(0.5, 11, 2)};
    ib_Bus bus = ib_bus_solve(12, 0.012, R7, 0.5, bridge);
    assert_true(bus.voltage > 12 && bus.current < 0);
    assert_true(bus.bridge[0].current < 0 && bus.bridge[0].drawn < 0);
}

// Goal: nothing feeds the bus: no voltage, no current, motors coast. Method: E = 0, both variants.
static void open_breaker_leaves_nothing(void **state)
{
    (void)state;
    ib_Bridge bridge[2] = {bridge_of(1, 5, 2), bridge_of(-1, -3, 2)};
    double current[2] = {0, 0};
    ib_Bus bus[2] = {ib_bus_solve(0, 0.012, R7, 0.5, bridge),
                     ib_bus_given(0, 0.012, R7, 0.5, bridge, current)};
    for (int k = 0; k < 2; k++) {
        assert_true(bus[k].voltage == 0 && bus[k].current == 0 && !bus[k].collapsed);
        for (int i = 0; i < 2; i++) {
            assert_true(bus[k].bridge[i].current == 0 && bus[k].bridge[i].drawn == 0);
            assert_true(bus[k].bridge[i].volts == bridge[i].emf);
        }
    }
}

// Goal: too much load is named, not hidden. Method: other loads of 1100 A on 12 V, 12 mohm, then
// motors plugged so hard that they alone would pull the bus below zero.
static void overload_is_named(void **state)
{
    (void)state;
    ib_Bridge still[2] = {bridge_of(1, 0, 2), bridge_of(1, 0, 2)};
    ib_Bus bus = ib_bus_solve(12, 0.012, R7, 1100, still);
    assert_true(bus.collapsed && bus.voltage == 0);
    assert_close(bus.current, 1000, 1e-12);
    ib_Bridge plugged[2] = {bridge_of(1, -24, 4), bridge_of(1, -24, 4)};
    bus = ib_bus_solve(12, 0.02, R7, 0, plugged);
    assert_true(bus.collapsed && bus.voltage == 0);
    assert_close(bus.bridge[0].current, 24 / R7, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stall_sags_as_in_the_reference),
        cmocka_unit_test(rows_of_the_reference_are_reproduced),
        cmocka_unit_test(without_limits_both_agree),
        cmocka_unit_test(random_cases_agree_with_bisection),
        cmocka_unit_test(given_currents_agree_with_bisection),
        cmocka_unit_test(settled_currents_give_the_same_bus),
        cmocka_unit_test(stator_limit_draws_constant_power),
        cmocka_unit_test(supply_limit_draws_its_current),
        cmocka_unit_test(highest_of_three_solutions_is_taken),
        cmocka_unit_test(braking_charges_the_battery),
        cmocka_unit_test(open_breaker_leaves_nothing),
        cmocka_unit_test(overload_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
