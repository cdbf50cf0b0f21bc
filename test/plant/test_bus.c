// test/plant/test_bus.c: battery, bridges and other loads meet at one voltage.
#include "cmocka_all.h"

#include "plant/electric/bus.h"
#include "plant/electric/motor.h"
#include "spread.h"

// The CIM and the battery of reference B7.
static const double E7 = 12.0, RB7 = 0.012, OTHER7 = 0.5;
static const double R7 = 12 / 131.227, KE7 = 0.021136315215;

// A bridge without limits.
static ib_Bridge bridge_of(double R, double duty, double emf, double count)
{
    return (ib_Bridge){.duty = duty,
                       .emf = emf,
                       .count = count,
                       .R = R,
                       .per_R = 1 / R,
                       .stator = INFINITY,
                       .supply = INFINITY};
}

// ------------------------------------------------------------------------------------ random cases

enum { MOST = 12 };

typedef struct Case {
    double E, Rb, other, per_volt;
    int count;
    ib_Bridge bridge[MOST];
} Case;

typedef struct Draw {
    uint64_t seed, count;
} Draw;

static double between(Draw *draw, double low, double high)
{
    return low + (high - low) * chance_uniform(draw->seed, 7, draw->count++);
}

static bool chance(Draw *draw, double share)
{
    return between(draw, 0, 1) < share;
}

// Driving, braking and plugging, speeds up to twice what the battery could hold, tight and loose
// limits; a third of the bridges has no stator limit, a third no supply limit, one in ten is open.
// `given`: the share of windings whose current is a state.
static ib_Bridge random_bridge(Draw *draw, double R, double given)
{
    double most = floor(between(draw, 0, 4));
    ib_Bridge b = bridge_of(R, between(draw, -1, 1), between(draw, -24, 24), 1 + most);
    if (chance(draw, 0.2)) b.duty = b.duty < 0 ? -1 : 1;
    if (chance(draw, 0.1)) b.duty = 0;
    if (chance(draw, 0.4)) b.emf *= 0.3;
    if (chance(draw, 0.67)) b.stator = between(draw, 2, 120);
    if (chance(draw, 0.67)) b.supply = between(draw, 2, 80);
    b.open = chance(draw, 0.1);
    b.given = chance(draw, given);
    if (b.given && !b.open) b.current = between(draw, -150, 150);
    return b;
}

// Weak and strong batteries, 1 to 12 bridges with small and large motors.
// Half of the cases have equal motors.
static Case random_case(Draw *draw, double given)
{
    Case c = {.E = between(draw, 6, 14),
              .Rb = chance(draw, 0.1) ? 0 : between(draw, 0.005, 0.1),
              .other = between(draw, 0, 30),
              .per_volt = chance(draw, 0.3) ? between(draw, 0, 2) : 0,
              .count = 1 + (int)between(draw, 0, MOST)};
    double R = between(draw, 0.02, 0.4);
    bool equal = chance(draw, 0.5);
    // As many bridges as there may be, but not much more than one battery can serve.
    c.Rb *= 2.0 / (1 + c.count);
    for (int i = 0; i < c.count; i++)
        c.bridge[i] = random_bridge(draw, equal ? R : between(draw, 0.02, 0.4), given);
    return c;
}

// ---------------------------------------------------------------------- the equation, written anew

// Volts as the intersection of intervals: the stator's, the supply's, the bridge's.
static long double volts_at(const ib_Bridge *b, long double V)
{
    if (b->open) return b->emf;
    long double e = b->emf, R = b->R, reach = b->stator * R;
    if (b->given) {
        long double volts = fminl(fmaxl(b->duty * V, e - reach), e + reach);
        volts = fminl(fmaxl(volts, -V), V);
        return volts * b->current > b->supply * V ? b->supply * V / b->current : volts;
    }
    long double root = sqrtl(0.25L * e * e + R * b->supply * V);
    long double low = fmaxl(e - reach, 0.5L * e - root), high = fminl(e + reach, 0.5L * e + root);
    long double volts = fminl(fmaxl(b->duty * V, low), high);
    return fminl(fmaxl(volts, -V), V);
}

// V - E + Rb (other + per_volt V + sum n u I / V), which the bus voltage makes 0.
static long double residual(const Case *c, long double V)
{
    long double power = 0;
    for (int i = 0; i < c->count; i++) {
        const ib_Bridge *b = &c->bridge[i];
        if (b->open) continue;
        long double u = volts_at(b, V);
        power += b->count * u * (b->given ? (long double)b->current : (u - b->emf) / b->R);
    }
    return V - c->E + c->Rb * (c->other + c->per_volt * V + power / V);
}

static long double bisect(const Case *c, long double low, long double high)
{
    for (int i = 0; i < 80; i++) {
        long double middle = 0.5L * (low + high);
        if (residual(c, middle) > 0)
            high = middle;
        else
            low = middle;
    }
    return 0.5L * (low + high);
}

// The least value between two voltages, by thirds.
static long double dip(const Case *c, long double low, long double high)
{
    for (int i = 0; i < 60; i++) {
        long double a = low + (high - low) / 3, b = high - (high - low) / 3;
        if (residual(c, a) < residual(c, b))
            high = b;
        else
            low = a;
    }
    return 0.5L * (low + high);
}

// The highest solution by brute force: the highest cell of a grid with a change of sign, or with a
// dip below zero between two positive ends; 0: none.
static long double search(const Case *c)
{
    enum { GRID = 200 };
    long double top = c->E + 1, f[GRID + 1];
    for (int i = 0; i < c->count; i++) {
        const ib_Bridge *b = &c->bridge[i];
        top += c->Rb * b->count * fabs(b->given ? b->current : b->emf / b->R);
    }
    for (int k = GRID; k >= 0; k--) {
        long double low = top * (k > 0 ? k : 1e-9L) / GRID;
        f[k] = residual(c, low);
        if (k < GRID && f[k] <= 0) return bisect(c, low, top * (k + 1) / GRID);
        if (k > GRID - 2 || f[k + 1] >= f[k] || f[k + 1] >= f[k + 2]) continue;
        long double least = dip(c, low, top * (k + 2) / GRID);
        if (residual(c, least) <= 0) return bisect(c, least, top * (k + 2) / GRID);
    }
    return 0;
}

// ------------------------------------------------------------------------ what every solution owes

// Powers and limits of one bridge. Tolerances: rounding of products of a few hundred volt amperes.
static void check_bridge(const ib_Bridge *b, const ib_BridgeResult *r, double V)
{
    double size = 1 + fabs(r->volts * r->current);
    assert_close(V * r->drawn, b->open ? 0 : r->volts * r->current, 1e-11 * size);
    if (b->open) {
        assert_true(r->current == 0 && r->drawn == 0 && r->volts == b->emf);
        return;
    }
    assert_true(fabs(r->volts) <= V * (1 + 1e-12) + 1e-12);
    assert_true(r->drawn <= b->supply * (1 + 1e-12));
    if (b->given) {
        assert_true(r->current == b->current);
        return;
    }
    assert_close(r->current * b->R, r->volts - b->emf, 1e-12 * (1 + fabs(b->emf)));
    // Beyond the stator limit only where the bridge is at its end and the motor outruns it.
    if (fabs(r->current) > b->stator * (1 + 1e-12)) {
        assert_close(fabs(r->volts), V, 1e-12 * V);
        assert_true(r->volts * r->current < 0);
    }
}

// Power that leaves the chemistry = heat in the battery + power of all loads.
static void check_power(const Case *c, const ib_Bus *bus)
{
    double loads = bus->voltage * (c->other + c->per_volt * bus->voltage), size = loads;
    for (int i = 0; i < c->count; i++) {
        double load = c->bridge[i].count * bus->voltage * bus->bridge[i].drawn;
        loads += load;
        size += fabs(load);
    }
    double heat = c->Rb * bus->current * bus->current;
    double given = c->E * bus->current;
    assert_close(given, heat + loads, 1e-11 * (1 + fabs(given) + heat + size));
}

// What the test met, so that it cannot prove little unseen.
typedef struct Met {
    int limited, collapsed, open, fed, steep;
} Met;

// The highest solution to 1e-12 of the battery's voltage. Where two solutions nearly meet the
// equation is flat, and rounding of 1e-15 of its terms moves the solution by that over its slope.
static void check_voltage(const Case *c, const ib_Bus *bus, Met *met)
{
    double V = bus->voltage, found = (double)search(c), step = 1e-6 * V;
    double slope = (double)(residual(c, V + step) - residual(c, V - step)) / (2 * step);
    double size = c->E + c->Rb * c->other;
    for (int i = 0; i < c->count; i++)
        size += c->Rb * c->bridge[i].count * fabs(bus->bridge[i].drawn);
    double room = 1e-12 * c->E + 1e-14 * size / fmax(slope, 1e-9);
    met->steep += room < 2e-12 * c->E;
    assert_close(V, found, room);
}

static void check_case(const Case *c, Met *met)
{
    ib_Bus bus;
    ib_bus_solve(c->E, c->Rb, c->other, c->per_volt, c->bridge, c->count, &bus);
    if (bus.collapsed) {
        met->collapsed++;
        assert_true(search(c) == 0 && bus.voltage == 0);
        assert_close(c->Rb * bus.current, c->E, 1e-12 * c->E);
        return;
    }
    assert_close(bus.voltage, c->E - c->Rb * bus.current, 1e-12 * (c->E + bus.voltage));
    check_voltage(c, &bus, met);
    for (int i = 0; i < c->count; i++) {
        const ib_Bridge *b = &c->bridge[i];
        check_bridge(b, &bus.bridge[i], bus.voltage);
        double u = (double)volts_at(b, bus.voltage);
        assert_close(bus.bridge[i].volts, u, 1e-9);
        met->limited += !b->open && fabs(u - b->duty * bus.voltage) > 1e-9;
        met->open += b->open;
        met->fed += bus.bridge[i].drawn < 0;
    }
    check_power(c, &bus);
}

// ------------------------------------------------------------------------------------------- tests

// Goal: a load that is not a number, of a state that ran away, is no bug of the bus. Method: such a
// load beside a motor: it comes back, whatever it says.
static void load_that_is_no_number_is_borne(void **state)
{
    (void)state;
    ib_Bridge bridge[1] = {bridge_of(R7, 1, 0, 2)};
    ib_Bus bus;
    ib_bus_solve(E7, RB7, 0, NAN, bridge, 1, &bus);
    assert_true(bus.collapsed || !(bus.voltage > E7));
}

// Goal: the stall of reference B7 to its printed digits. Method: full duty, no speed.
static void stall_sags_as_in_the_reference(void **state)
{
    (void)state;
    ib_Bridge bridge[2] = {bridge_of(R7, 1, 0, 2), bridge_of(R7, 1, 0, 2)};
    ib_Bus bus;
    ib_bus_solve(E7, RB7, OTHER7, 0, bridge, 2, &bus);
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
            bridge_of(R7, rows[i].left / 12, KE7 * G * (rows[i].u - turn) / radius, 2),
            bridge_of(R7, rows[i].right / 12, KE7 * G * (rows[i].u + turn) / radius, 2),
        };
        ib_Bus bus;
        ib_bus_solve(E7, RB7, OTHER7, 0, bridge, 2, &bus);
        assert_close(bus.voltage, rows[i].V, 1e-8);
        assert_close(bus.current, rows[i].I_draw, 1e-6);
        assert_close(bus.bridge[0].current, rows[i].I_left, 1e-7);
        assert_close(bus.bridge[1].current, rows[i].I_right, 1e-7);
    }
}

// Goal: bridges that nothing limits are the general ones. Method: 1 to 12 of them, every second
// time with windings of their own: the same bits. Every third time another load grows with the
// voltage; its current is added at another place: 4 roundings of the sum.
static void free_bridges_are_the_general_ones(void **state)
{
    (void)state;
    Draw draw = {.seed = 6};
    for (int n = 0; n < 5000; n++) {
        double E = between(&draw, 6, 14), Rb = between(&draw, 0.005, 0.1);
        double other = between(&draw, 0, 30), R = between(&draw, 0.02, 1);
        ib_Bridge bridge[12];
        int count = 1 + n % 12;
        for (int i = 0; i < count; i++)
            bridge[i] = bridge_of(n % 2 ? R : between(&draw, 0.02, 1), between(&draw, -1, 1),
                                  between(&draw, -24, 24), 1 + i % 3);
        ib_Bus free, bus;
        double slope = n % 3 ? 0 : between(&draw, 0, 2);
        ib_BusSums sums = ib_bus_sums(bridge, count);
        double V = ib_bus_voltage(E, Rb, other, slope, &sums);
        ib_bus_solve(E, Rb, other, slope, bridge, count, &bus);
        assert_true((V >= 0) == !bus.collapsed);
        if (bus.collapsed) continue;
        ib_bus_free(V, other + slope * V, bridge, count, &free);
        double size = other + slope * V;
        for (int i = 0; i < count; i++) size += fabs(bridge[i].count * free.bridge[i].drawn);
        assert_close(free.current, bus.current, slope > 0 ? 4 * 2.3e-16 * size : 0);
        assert_true(bus.voltage == free.voltage);
        assert_memory_equal(bus.bridge, free.bridge, (size_t)count * sizeof bus.bridge[0]);
    }
}

// Goal: the solver finds the highest voltage to 1e-12, balances power and holds limits, for 1 to 12
// bridges. Method: 4000 random cases against a brute-force search of the same equation, written
// anew in long double. Many must have met a limit, fed back and coasted, and some must have
// collapsed, or the test proves little.
static void random_cases_agree_with_brute_force(void **state)
{
    (void)state;
    enum { CASES = IB_ROUNDS(4000, 1000) };
    Draw draw = {.seed = 1};
    Met met = {0};
    for (int n = 0; n < CASES; n++) {
        Case c = random_case(&draw, 0);
        check_case(&c, &met);
    }
    assert_true(met.limited > 2 * CASES && met.fed > CASES && met.open > CASES / 2);
    assert_true(met.collapsed > CASES / 500 && met.steep > CASES / 100 * 99);
}

// Goal: the same where some or all currents are given. Method: as above, half of the windings.
static void given_currents_agree_with_brute_force(void **state)
{
    (void)state;
    enum { CASES = IB_ROUNDS(3000, 600) };
    Draw draw = {.seed = 2};
    Met met = {0};
    for (int n = 0; n < CASES; n++) {
        Case c = random_case(&draw, n % 2 ? 0.5 : 1);
        check_case(&c, &met);
    }
    assert_true(met.limited > CASES / 3 * 5 && met.fed > CASES && met.open > CASES / 2);
    assert_true(met.collapsed > CASES / 300 && met.steep > CASES / 6 * 5);
}

// Goal: given and following currents agree where the inductance has settled. Method: give the
// currents that were found: the bus voltage is then a solution of both, and the same one unless
// several exist (a given current draws the same at every voltage).
static void settled_currents_give_the_same_bus(void **state)
{
    (void)state;
    Draw draw = {.seed = 3};
    int same = 0, all = 0;
    for (int n = 0; n < 3000; n++) {
        Case c = random_case(&draw, 0);
        ib_Bus solved, given;
        ib_bus_solve(c.E, c.Rb, c.other, c.per_volt, c.bridge, c.count, &solved);
        if (solved.collapsed) continue;
        for (int i = 0; i < c.count; i++) {
            c.bridge[i].given = true;
            c.bridge[i].current = solved.bridge[i].current;
        }
        ib_bus_solve(c.E, c.Rb, c.other, c.per_volt, c.bridge, c.count, &given);
        all++;
        assert_true(given.voltage >= solved.voltage - 1e-7);
        same += fabs(given.voltage - solved.voltage) < 1e-7;
    }
    assert_true(same > 0.9 * all);
}

// Goal: the order of the bridges does not matter, and a bridge of two motors is two of one. Method:
// random cases turned round, and with a bridge split; the tolerance is that of other sums.
static void order_and_grouping_do_not_matter(void **state)
{
    (void)state;
    Draw draw = {.seed = 4};
    for (int n = 0; n < 2000; n++) {
        Case c = random_case(&draw, 0.2), other = c;
        ib_Bus bus, turned;
        for (int i = 0; i < c.count; i++) other.bridge[i] = c.bridge[c.count - 1 - i];
        if (c.count < MOST) {
            double whole = other.bridge[0].count;
            other.bridge[c.count] = other.bridge[0];
            other.bridge[0].count = 0.25 * whole;
            other.bridge[other.count++].count = 0.75 * whole;
        }
        ib_bus_solve(c.E, c.Rb, c.other, c.per_volt, c.bridge, c.count, &bus);
        ib_bus_solve(c.E, c.Rb, c.other, c.per_volt, other.bridge, other.count, &turned);
        assert_int_equal(bus.collapsed, turned.collapsed);
        Met met = {0};
        if (fabs(bus.voltage - turned.voltage) > 1e-10) check_voltage(&c, &turned, &met);
    }
}

// Goal: a stator limit at stall is a load of constant power. Method: by hand: 2 motors, limit
// 40 A, R = 0.1 ohm: u = 4 V, 320 W; V^2 - 12 V + 0.02 320 = 0 -> V = 6 + sqrt(29.6).
static void stator_limit_draws_constant_power(void **state)
{
    (void)state;
    ib_Bridge bridge = bridge_of(0.1, 1, 0, 2);
    bridge.stator = 40;
    ib_Bus bus;
    ib_bus_solve(12, 0.02, 0, 0, &bridge, 1, &bus);
    assert_close(bus.voltage, 6 + sqrt(29.6), 1e-13);
    assert_close(bus.bridge[0].current, 40, 0);
    assert_close(bus.bridge[0].volts, 4, 1e-15);
    assert_close(bus.current, 320 / bus.voltage, 1e-12);
}

// Goal: a supply limit draws exactly its current. Method: by hand at stall: u^2/R = p V.
static void supply_limit_draws_its_current(void **state)
{
    (void)state;
    ib_Bridge bridge = bridge_of(0.1, -1, 0, 3);
    bridge.supply = 30;
    ib_Bus bus;
    ib_bus_solve(12, 0.02, 10, 0, &bridge, 1, &bus);
    assert_close(bus.voltage, 12 - 0.02 * 100, 1e-14);
    assert_close(bus.bridge[0].volts, -sqrt(0.1 * 30 * 10), 1e-14);
    assert_close(bus.bridge[0].current, -sqrt(30 * 10 / 0.1), 1e-12);
    assert_true(bus.bridge[0].drawn == 30);
}

// Goal: of three solutions the highest is taken. Method: E = 12, R = 0.1, N Rb = 0.2,
// limit 41 A: at full duty 4 V serve 40 A, but V^2 - 12 V + 0.2 0.1 41^2 = 0 has
// 7.54 V too (docs/plant/bus.md).
static void highest_of_three_solutions_is_taken(void **state)
{
    (void)state;
    ib_Bridge bridge = bridge_of(0.1, 1, 0, 2);
    bridge.stator = 41;
    ib_Bus bus;
    ib_bus_solve(12, 0.1, 0, 0, &bridge, 1, &bus);
    assert_close(bus.voltage, 6 + sqrt(36 - 33.62), 1e-12);
    bridge.stator = 43; // above 42.4 A the limit can never be met
    ib_bus_solve(12, 0.1, 0, 0, &bridge, 1, &bus);
    assert_close(bus.voltage, 4, 1e-12);
    assert_close(bus.bridge[0].current, 40, 1e-12);
}

// Goal: braking lifts the bus above the battery and charges it. Method: half duty at full speed.
static void braking_charges_the_battery(void **state)
{
    (void)state;
    ib_Bridge bridge[2] = {bridge_of(R7, 0.5, 11, 2), bridge_of(R7, 0.5, 11, 2)};
    ib_Bus bus;
    ib_bus_solve(12, 0.012, 0.5, 0, bridge, 2, &bus);
    assert_true(bus.voltage > 12 && bus.current < 0);
    assert_true(bus.bridge[0].current < 0 && bus.bridge[0].drawn < 0);
}

// Goal: nothing feeds the bus: no voltage, no current, motors coast. Method: E = 0.
static void open_breaker_leaves_nothing(void **state)
{
    (void)state;
    ib_Bridge bridge[2] = {bridge_of(R7, 1, 5, 2), bridge_of(R7, -1, -3, 2)};
    bridge[1].given = true;
    ib_Bus bus;
    ib_bus_solve(0, 0.012, 0.5, 0, bridge, 2, &bus);
    assert_true(bus.voltage == 0 && bus.current == 0 && !bus.collapsed);
    for (int i = 0; i < 2; i++) {
        assert_true(bus.bridge[i].current == 0 && bus.bridge[i].drawn == 0);
        assert_true(bus.bridge[i].volts == bridge[i].emf);
    }
}

// Goal: too much load is named, not hidden. Method: other loads of 1100 A on 12 V, 12 mohm, then
// motors plugged so hard that they alone would pull the bus below zero.
static void overload_is_named(void **state)
{
    (void)state;
    ib_Bridge still[2] = {bridge_of(R7, 1, 0, 2), bridge_of(R7, 1, 0, 2)};
    ib_Bus bus;
    ib_bus_solve(12, 0.012, 1100, 0, still, 2, &bus);
    assert_true(bus.collapsed && bus.voltage == 0);
    assert_close(bus.current, 1000, 1e-12);
    ib_Bridge plugged[2] = {bridge_of(R7, 1, -24, 4), bridge_of(R7, 1, -24, 4)};
    ib_bus_solve(12, 0.02, 0, 0, plugged, 2, &bus);
    assert_true(bus.collapsed && bus.voltage == 0);
    assert_close(bus.bridge[0].current, 24 / R7, 1e-9);
}

// Goal: a bus without motors is a battery with its other loads. Method: 1 - 0.01 20 of 12 V.
static void no_bridges_is_a_plain_battery(void **state)
{
    (void)state;
    ib_Bus bus;
    ib_bus_solve(12, 0.01, 20, 0, NULL, 0, &bus);
    assert_true(!bus.collapsed && bus.current == 20);
    assert_close(bus.voltage, 11.8, 1e-15 * 12);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stall_sags_as_in_the_reference),
        cmocka_unit_test(rows_of_the_reference_are_reproduced),
        cmocka_unit_test(free_bridges_are_the_general_ones),
        cmocka_unit_test(random_cases_agree_with_brute_force),
        cmocka_unit_test(given_currents_agree_with_brute_force),
        cmocka_unit_test(settled_currents_give_the_same_bus),
        cmocka_unit_test(order_and_grouping_do_not_matter),
        cmocka_unit_test(stator_limit_draws_constant_power),
        cmocka_unit_test(supply_limit_draws_its_current),
        cmocka_unit_test(highest_of_three_solutions_is_taken),
        cmocka_unit_test(braking_charges_the_battery),
        cmocka_unit_test(load_that_is_no_number_is_borne),
        cmocka_unit_test(open_breaker_leaves_nothing),
        cmocka_unit_test(overload_is_named),
        cmocka_unit_test(no_bridges_is_a_plain_battery),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
