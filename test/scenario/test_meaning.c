// What the signals of whole robots mean: words, units, roles, books and loads, as declared beside
// the physics and gathered by the model.
#include "cmocka_all.h"

#include "base/units.h"
#include "scenario/given.h"
#include "sim/run.h"

#include <string.h>

#define TANK "kind: tank, battery: {preset: es17-12-match, start: 60 %}, "
#define LIFT "lift: {kind: elevator, motor: neo, mass: 6 kg, travel: [0 m, 0.3 m], brake: 50 N}"
#define RUN  "run: {duration: 0.6 s, step: 1 ms}\n"

// Robots that have everything between them, and runs in which much happens.
static const char *const texts[] = {
    // Two tanks that hit each other: a breaker that trips, a brownout, air, motors that feed back.
    "robots:\n"
    "  red: {" TANK "drive: {motor: cim, motors_per_side: 2, current: implicit},\n"
    "        breaker: {rating: 20 A, trip: [[20 A, 60 s], [60 A, 0.05 s]]},\n"
    "        branch_breaker: snap-40, air: frc-2-tanks,\n"
    "        start: {x: 0 m}, inputs: {left: 12 V, right: 12 V}}\n"
    "  blue: {" TANK "drive: {motor: cim, motors_per_side: 2}, brownout: roborio2,\n"
    "         wheels: {model: friction_circle}, start: {x: 1.2 m, heading: 180 deg},\n"
    "         inputs: {left: [[0 s, 12 V], [0.3 s, 2 V]], right: 12 V}}\n" RUN,
    // Mechanisms on a tank, on a bench with air, on a box and on a Roomba.
    "robot: {" TANK "drive: {motor: cim, motors_per_side: 3}, brownout: roborio2,\n"
    "        branch_breaker: snap-40, mechanisms: {" LIFT ",\n"
    "        shot: {kind: shooter, motor: falcon-500, current: implicit}}}\n"
    "inputs: {left: 12 V, right: [[0 s, 12 V], [0.3 s, -12 V]], shot: 12 V,\n"
    "         lift: [[0 s, 12 V], [0.4 s, -6 V]]}\n" RUN,
    "robot: {kind: bench, battery: es17-12-match, air: frc-2-tanks, mechanisms: {" LIFT ",\n"
    "        ram: {kind: elevator, mass: 4 kg, cylinder: {bore: 1 in, stroke: 20 cm}}}}\n"
    "inputs: {lift: 12 V, ram: [[0.1 s, on], [0.4 s, off]]}\n" RUN,
    "robot: {kind: box, mechanisms: {" LIFT "}}\n"
    "start: {velocity: {x: 1 m/s}}\n"
    "inputs: {lift: 12 V}\n" RUN,
    "robot: {kind: roomba, mechanisms: {" LIFT "}}\n"
    "inputs: {left: 2 N, right: 1 N, lift: 12 V}\n" RUN,
    // The motor bench, with everything that takes energy.
    "robot: {kind: motor_bench, current: implicit, supply: {resistance: 50 mohm},\n"
    "        bearing: {viscous: 1 mN*m*s, coulomb: 10 mN*m}}\n"
    "start: {speed: 900 rpm}\n"
    "inputs: {command: [[0 s, 12 V], [0.3 s, -6 V]], brake: 0.2 N*m}\n" RUN,
};
enum { TEXTS = sizeof texts / sizeof texts[0] };

// ------------------------------------------------------------------------------------------- words

// Goal: what a person is told, how loud and of what kind, with robot and part. Method: by hand:
// losing all power or the outputs is an error, losing a part or a sag a warning, a hit is news.
static void modes_have_words_kind_and_level(void **state)
{
    (void)state;
    static const struct {
        int text;
        const char *signal;
        double value;
        const char *sentence, *kind, *level;
        bool dead;
    } expected[] = {
        {0, "red.breaker.closed", 0, "red: the main breaker trips", "breaker", "error", true},
        {0, "red.breaker.closed", 1, "red: the main breaker closes", "breaker", "info", false},
        {0, "red.branch.left.closed", 0, "red: left branch breaker trips", "breaker", "warning",
         true},
        {0, "blue.brownout.stage", 0, "blue: supply is fine again", "brownout", "info", false},
        {0, "blue.brownout.stage", 1, "blue: brownout: the servo rail sags", "brownout", "warning",
         false},
        {0, "blue.brownout.stage", 2, "blue: brownout: outputs off", "brownout", "error", true},
        {0, "blue.brownout.stage", 3, "blue: blackout: the controller is off", "brownout", "error",
         true},
        {0, "blue.brownout.stage", 4, "blue: the controller boots", "brownout", "warning", true},
        {0, "red.battery.collapsed", 1, "red: no voltage serves all loads", "brownout", "error",
         false},
        {0, "red.contact.hits", 17, "red: a hit", "contact", "info", false},
        {0, "blue.contact.touching", 0, "blue: it comes free", "contact", "info", false},
        {0, "red.compressor.running", 1, "red: the compressor starts", "state", "info", false},
        {1, "branch.lift.closed", 1, "lift branch breaker closes again", "breaker", "info", false},
        {1, "lift.mode", 1, "lift is at its low stop", "state", "info", false},
        {1, "lift.mode", 2, "lift is at its high stop", "state", "info", false},
        {1, "lift.mode", 3, "lift is held", "state", "info", false},
    };
    ib_Scenario *scenario = NULL;
    char text[96];
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        if (i == 0 || expected[i].text != expected[i - 1].text) {
            ib_scenario_destroy(scenario);
            scenario = given(texts[expected[i].text]);
        }
        const ib_SignalTable *table = &scenario->model->signals;
        int at = ib_signals_find(table, expected[i].signal);
        if (at < 0) fail_msg("no %s", expected[i].signal);
        const ib_SignalMeaning *means = &table->items[at].means;
        assert_non_null(means->mode);
        ib_ModeMeaning meaning = ib_mode_meaning(means->mode, expected[i].value);
        ib_mode_sentence(meaning, means->robot, means->part, text, sizeof text);
        assert_string_equal(text, expected[i].sentence);
        assert_string_equal(ib_mode_kind_name(means->mode->kind), expected[i].kind);
        assert_string_equal(ib_mode_level_name(meaning.level), expected[i].level);
        assert_int_equal(meaning.dead, expected[i].dead);
    }
    ib_scenario_destroy(scenario);
}

// Goal: a cylinder's rod stands and moves, whichever it is. Method: one called arm.
static void rods_are_named(void **state)
{
    (void)state;
    ib_Scenario *scenario =
        given("robot: {" TANK "drive: {motor: cim}, air: {preset: frc-2-tanks,\n"
              "        cylinders: {arm: {}}}}\n"
              "inputs: {left: 0 V, right: 0 V}\n" RUN);
    const ib_SignalTable *table = &scenario->model->signals;
    int at = ib_signals_find(table, "cylinder.arm.velocity");
    assert_true(at >= 0);
    const ib_SignalMeaning *means = &table->items[at].means;
    char text[64];
    double value = ib_mode_value(means->mode, -0.3);
    ib_mode_sentence(ib_mode_meaning(means->mode, value), NULL, means->part, text, sizeof text);
    assert_string_equal(text, "the arm rod moves");
    ib_scenario_destroy(scenario);
}

// ------------------------------------------------------------------------------------------ tables

static bool may_be_several(ib_SignalRole role)
{
    return role == IB_ROLE_NONE || ib_role_books(role) || role == IB_ROLE_LOAD ||
           role == IB_ROLE_MOTOR_VOLTAGE || role == IB_ROLE_MOTOR_MOTION ||
           role == IB_ROLE_MOTOR_SLIP;
}

// Goal: a robot has a role once, people's units are of the same kind as the signal's own, ranks are
// 1 to 3, and some signals are headlines, not many. Method: all signals of all robots above.
static void tables_are_sound(void **state)
{
    (void)state;
    for (int k = 0; k < TEXTS; k++) {
        ib_Scenario *scenario = given(texts[k]);
        const ib_SignalTable *table = &scenario->model->signals;
        int headlines = 0;
        for (int i = 0; i < table->count; i++) {
            const ib_SignalDef *def = &table->items[i];
            ib_Dimension own, shown;
            assert_true(def->means.headline >= 0 && def->means.headline <= 3);
            headlines += def->means.headline > 0;
            if (def->means.shown) {
                assert_int_equal(ib_units_dimension(def->unit, &own, NULL), IB_OK);
                assert_int_equal(ib_units_dimension(def->means.shown, &shown, NULL), IB_OK);
                if (!ib_dimension_equal(own, shown)) fail_msg("%s", def->name);
            }
            if (may_be_several(def->means.role)) continue;
            const char *robot = def->means.robot ? def->means.robot : "";
            if (ib_signals_role(table, robot, def->means.role) != i)
                fail_msg("%s has the role of another", def->name);
        }
        int robots = scenario->model->robot_count;
        assert_true(headlines >= 4 * robots && headlines <= 16 * robots);
        ib_scenario_destroy(scenario);
    }
}

// ------------------------------------------------------------------------------------------- books

typedef struct Check {
    const ib_SignalTable *table;
    int steps, books, loads;
    int dead, back; // rows in which something had no power, in which something was fed back
} Check;

// given = stored + lost + balance, to the rounding of a sum.
static void check_book(const ib_SignalTable *table, const double *y, int balance)
{
    const char *name = table->items[balance].name;
    size_t stem = ib_signal_stem(name);
    double sum = -y[balance], size = 0;
    int given = 0;
    for (int i = 0; i < table->count; i++) {
        const ib_SignalDef *def = &table->items[i];
        if (ib_signal_stem(def->name) != stem || strncmp(def->name, name, stem) != 0) continue;
        bool gives = ib_role_gives(def->means.role);
        bool takes = def->means.role == IB_ROLE_STORED || def->means.role == IB_ROLE_LOST;
        given += gives;
        size += gives || takes ? fabs(y[i]) : 0;
        sum += gives ? y[i] : takes ? -y[i] : 0;
    }
    assert_true(given > 0);
    // A robot's balance has those of its mechanisms in it, which are small.
    if (!(fabs(sum) <= 1e-9 * size + 1e-3)) fail_msg("%s: %g of %g J", name, sum, size);
}

// current = sum of all loads, to the rounding of a sum.
static void check_supply(const ib_SignalTable *table, const double *y, int current)
{
    const char *robot = table->items[current].means.robot;
    double sum = 0, size = 0;
    int loads = 0;
    for (int i = 0; i < table->count; i++) {
        const ib_SignalMeaning *means = &table->items[i].means;
        if (means->role != IB_ROLE_LOAD || !ib_meaning_is_of(means, robot)) continue;
        loads++;
        sum += y[i];
        size += fabs(y[i]);
    }
    if (loads == 0) return;
    if (!(fabs(sum - y[current]) <= 1e-12 * (size + 1)))
        fail_msg("%s is %.17g A, its loads draw %.17g A", table->items[current].name, y[current],
                 sum);
}

static ib_Time check_row(void *self, ib_Time time, const double *signals)
{
    Check *check = self;
    (void)time;
    check->steps++;
    for (int i = 0; i < check->table->count; i++) {
        ib_SignalRole role = check->table->items[i].means.role;
        if (role == IB_ROLE_BALANCE) check_book(check->table, signals, i), check->books++;
        const ib_Mode *mode = check->table->items[i].means.mode;
        check->dead += mode && ib_mode_meaning(mode, signals[i]).dead;
        check->back += role == IB_ROLE_LOAD && signals[i] < -1;
        if (role == IB_ROLE_SUPPLY_CURRENT) check_supply(check->table, signals, i), check->loads++;
    }
    return IB_TIME_NEVER;
}

// Goal: the roles of a book make it close, and the loads make up the current, at every step:
// through a tripped breaker, a brownout, regeneration, windings with inductance, air, stops.
// Method: all runs above.
static void books_and_loads_add_up(void **state)
{
    (void)state;
    int dead = 0, back = 0;
    for (int k = 0; k < TEXTS; k++) {
        ib_Scenario *scenario = given(texts[k]);
        Check check = {.table = &scenario->model->signals};
        ib_Sim *sim;
        ib_Error error;
        ib_RunResult result;
        ib_Probe probe = {
            .self = &check, .next = IB_TIME_NEVER, .each_step = true, .sample = check_row};
        assert_int_equal(ib_sim_create(scenario->model, &sim, &error), IB_OK);
        assert_int_equal(ib_sim_probe(sim, probe, &error), IB_OK);
        ib_RunOptions options = {.realtime = false};
        assert_int_equal(ib_run(sim, &options, &result, &error), IB_OK);
        assert_true(check.steps >= 600 && check.books >= 600 && check.loads >= 600);
        dead += check.dead;
        back += check.back;
        ib_sim_destroy(sim);
        ib_scenario_destroy(scenario);
    }
    assert_true(dead > 0 && back > 0);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modes_have_words_kind_and_level),
        cmocka_unit_test(rods_are_named),
        cmocka_unit_test(tables_are_sound),
        cmocka_unit_test(books_and_loads_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
