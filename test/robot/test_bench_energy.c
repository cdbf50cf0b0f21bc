// The energy books of mechanisms on a battery that sags: whatever happens, nothing is lost.
#include "cmocka_all.h"
#include "robot/equipment_rig.h"

static Rig rig;

static const Method methods[] = {
    {IB_RK4, 1e-9, 1e-3},
    {IB_DOPRI5, 1e-9, 0.02},
    {IB_ROSENBROCK, 1e-9, 0.02},
    {IB_STIFF, 1e-9, 1e-4}, // which it has to have: L/R is 0.65 ms, and nobody divides its steps
};
enum { METHODS = sizeof methods / sizeof *methods };

// One mechanism, `m`, and what its inputs do.
typedef struct Case {
    const char *what, *kind, *settings;
    struct {
        const char *input;
        bool linear;
        Knot knots[10];
        int count;
    } script[3];
    const char *battery[3][2]; // keys of the supply
    const char *proof;         // a signal that must get beyond 0.9, or the case shows nothing
} Case;

#define LIFT "motors: 2; reduction: 10; drum_radius: 2 cm; mass: 8 kg; friction: 12 N*s/m; "

static const Case cases[] = {
    {"driven, braked by command 0 and back-driven through a lossy gear",
     "elevator",
     LIFT "efficiency: 0.7; position: 1 m",
     {{"m", false, {{0, 9}, {0.6, 0}, {1.2, -3}}, 3}},
     {{0}},
     "m.energy.gear"},
    {"plugged: full voltage against the motion",
     "single_arm",
     "reduction: 60; mass: 3 kg; center: 40 cm; efficiency: 0.8; loss: viscous; friction: 0.1 "
     "N*m*s",
     {{"m", false, {{0, 12}, {0.4, -12}, {0.8, 12}, {1.2, -12}}, 4}},
     {{0}},
     "m.energy.gear"},
    {"coasting in between",
     "single_arm",
     "reduction: 60; mass: 3 kg; center: 40 cm; efficiency: 0.6; neutral: coast; position: 80 deg",
     {{"m", false, {{0, 0}, {0.5, 6}, {0.9, 0}}, 3}},
     {{0}},
     "m.energy.gear"},
    {"limits of current and supply",
     "flywheel",
     "motors: 3; reduction: 2; inertia: 0.02 kg*m^2; current_limit: 40 A; supply_limit: 25 A; "
     "efficiency: 0.9",
     {{"m", false, {{0, 12}, {0.7, -8}, {1.4, 4}}, 3}},
     {{0}},
     "m.energy.gear"},
    {"inductance, and a bridge that opens under current",
     "roller",
     "mass: 2 kg; radius: 6 cm; current: implicit; neutral: coast; efficiency: 0.8",
     {{"m", false, {{0, 12}, {0.05, 0}, {0.3, -12}, {0.35, 0}, {0.6, 5}}, 5}},
     {{0}},
     "m.energy.gear"},
    {"a brake that slips to rest and lets go",
     "elevator",
     LIFT "efficiency: 0.85; brake: 150 N; neutral: coast; position: 1 m",
     {{"m", false, {{0, 10}, {0.4, 0}, {1.4, 8}}, 3},
      {"m.brake", false, {{0.4, 1}, {1, 0}, {1.2, 1}, {1.5, 0}}, 4}},
     {{0}},
     "m.energy.friction"},
    {"dry friction that sticks and slips",
     "turret",
     "inertia: 0.3 kg*m^2; reduction: 40; dry_friction: 4 N*m; efficiency: 0.75",
     {{"m", true, {{0, 0}, {0.3, 3}, {0.6, 0}, {0.9, -3}, {1.3, 2}, {2, 0}}, 6}},
     {{0}},
     "m.energy.friction"},
    {"stops hit from both sides",
     "elevator",
     LIFT "efficiency: 0.7; travel: 0 m, 0.4 m; dry_friction: 6 N",
     {{"m", false, {{0, 12}, {0.5, -6}, {0.8, 12}, {1.2, 0}}, 4}},
     {{0}},
     "m.energy.stop"},
    {"an arm that falls on its stop",
     "single_arm",
     "reduction: 50; mass: 4 kg; center: 50 cm; neutral: coast; travel: -30 deg, 70 deg; "
     "position: 1 rad; friction: 0.2 N*m*s",
     {{"m", false, {{0, 0}, {1, 12}}, 2}},
     {{0}},
     "m.energy.stop"},
    {"balls shot",
     "shooter",
     "motors: 2; inertia: 0.002 kg*m^2; friction: 1e-4 N*m*s; efficiency: 0.9; velocity: 200 rad/s",
     {{"m", false, {{0, 10}}, 1},
      {"m.ball", false, {{0.3, 1}, {0.4, 0}, {0.6, 1}, {0.8, 0}, {1.1, 1}}, 5}},
     {{0}},
     "m.energy.given"},
    {"a platform that tilts and meets its stops one end after the other",
     "lift",
     "mass: 20 kg; efficiency: 0.8; travel: 0 m, 0.5 m; stiffness: 900 N*m/rad; "
     "damping: 20 N*m*s/rad; left.position: 0.3 m; right.position: 0.25 m",
     {{"m.left", false, {{0, 12}, {0.8, -4}, {1.4, 12}}, 3},
      {"m.right", false, {{0, 10}, {0.9, -2}, {1.5, 0}}, 3}},
     {{0}},
     "m.energy.stop"},
    {"a level platform that falls on both stops at once",
     "lift",
     "mass: 20 kg; travel: 0 m, 0.5 m; neutral: coast; left.position: 0.3 m; right.position: 0.3 m",
     {{"m.left", false, {{0, 0}}, 1}},
     {{0}},
     "m.energy.stop"},
    {"a carriage on a belt against its stop",
     "two_mass",
     "damping: 15 N*s/m; travel: -0.2 m, 0.2 m; dry_friction: 9 N; efficiency: 0.8; "
     "friction: 3 N*s/m",
     {{"m", false, {{0, 9}, {0.5, -9}, {1.2, 3}}, 3}},
     {{0}},
     "m.energy.stop"},
    {"a breaker that trips and closes again",
     "flywheel",
     "motors: 1; inertia: 0.3 kg*m^2; current: implicit; inductance: 200 uH; efficiency: 0.9",
     {{"m", false, {{0, 12}, {1, 6}}, 2}},
     {{"branch_breaker.trip", "40 A 10 s, 80 A 0.2 s, 130 A 0.05 s"},
      {"branch_breaker.cooling", "0.3 s"}},
     "branch.m.heat"},
    {"a main breaker that opens for good under current",
     "elevator",
     LIFT "current: implicit; efficiency: 0.8; travel: -1 m, 3 m",
     {{"m", false, {{0, 12}, {1, -4}}, 2}},
     {{"breaker.rating", "10 A"}, {"breaker.trip", "10 A 100 s, 60 A 0.1 s, 250 A 0.02 s"}},
     "breaker.heat"},
    {"brownouts",
     "elevator",
     LIFT "motors: 6; position: 0.2 m; travel: 0 m, 3 m",
     {{"m", false, {{0, 12}, {0.6, -12}}, 2}},
     {{"battery.resistance", "40 mohm"}, {"brownout.hold", "30 ms"}},
     "brownout.stage"},
};
enum { CASES = sizeof cases / sizeof *cases };

static void prepare(const Case *c, const Method *method, double duration)
{
    rig_default(&rig, &ib_bench_kind, duration);
    rig_solver(&rig, method->solver, method->tolerance, method->step);
    rig_set(&rig, "battery.resistance", "15 mohm");
    rig_set(&rig, "background_current", "0.5 A");
    ib_PowerConfig *power = &((ib_EquipmentConfig *)rig.config)->power;
    for (int i = 0; i < 3 && c->battery[i][0]; i++) {
        rig_set(&rig, c->battery[i][0], c->battery[i][1]);
        power->breaker_on |= !strncmp(c->battery[i][0], "breaker", 7);
        power->branch_on |= !strncmp(c->battery[i][0], "branch", 6);
        power->brownout_on |= !strncmp(c->battery[i][0], "brownout", 8);
    }
    rig_add(&rig, "m", c->kind, c->settings);
    for (int i = 0; i < 3 && c->script[i].input; i++)
        rig_input(&rig, c->script[i].input, c->script[i].linear, c->script[i].knots,
                  c->script[i].count);
}

// What has flowed until a row: through the bus and into every account.
static double flowed(int row)
{
    static const char *const accounts[] = {
        "m.energy.electric", "m.energy.copper",   "m.energy.loss",  "m.energy.gear",
        "m.energy.friction", "m.energy.stop",     "m.energy.given", "m.energy.kinetic",
        "m.energy.magnetic", "m.energy.potential"};
    double sum = 0;
    for (int i = 0; i < 10; i++) sum += fabs(rig_row(&rig, row, accounts[i]));
    return sum;
}

// The worst error of both books over what had flowed by then.
static double book_error(const char *what)
{
    static const char *const losses[] = {"m.energy.copper", "m.energy.gear", "m.energy.friction",
                                         "m.energy.stop", "m.energy.loss"};
    double most = 0, worst = 0;
    for (int row = 0; row < rig.rows.count; row++) {
        most = fmax(most, flowed(row));
        double own = fabs(rig_row(&rig, row, "m.energy.error"));
        double all = fabs(rig_row(&rig, row, "energy.error"));
        if (most > 0) worst = fmax(worst, fmax(own, all) / most);
        for (int j = 0; row > 0 && j < 5; j++) {
            double more = rig_row(&rig, row, losses[j]) - rig_row(&rig, row - 1, losses[j]);
            if (!(more >= -1e-12 * most)) fail_msg("%s: %s gives %g J", what, losses[j], -more);
        }
    }
    return worst;
}

// Goal: in each case the book of the mechanism and that of the robot balance to 1e-6 of what
// flowed, and no account that only loses ever gives. Method: signals energy.error, all solvers;
// RK4 at 1 ms leaves up to 9e-7, where a lossy gear is thrown from stop to stop.
static void books_balance(void **unused)
{
    (void)unused;
    for (int k = 0; k < CASES; k++)
        for (int i = IB_ROUNDS(0, k % METHODS); i < METHODS; i += IB_ROUNDS(1, METHODS)) {
            prepare(&cases[k], &methods[i], 2);
            rig_run(&rig, 0.01);
            assert_true(rig_size(&rig, cases[k].proof) > 0.9);
            double worst = book_error(cases[k].what);
            if (!(worst <= (ib_solver_adaptive(methods[i].solver) ? 1e-8 : 1e-6)))
                fail_msg("%s, solver %d: the book is off by %g", cases[k].what, i, worst);
            rig_stop(&rig);
        }
}

// Goal: driven backwards, nothing grows: what moves and what is fed back is at most what it began
// with and was given. Method: a motor with Ke = Kt (0.02), so that no account is left but the
// gear's; a load falls against its motors, braked by command 0, plugged, at a duty that feeds back.
static void nothing_grows_when_driven_backwards(void **unused)
{
    (void)unused;
    const double volts[] = {0, 6, -6, -2, 1};
    const char *const etas[] = {"1", "0.7", "0.3"};
    for (int k = 0; k < 15; k++) {
        char settings[400];
        snprintf(settings, sizeof settings,
                 "motor.stall_torque: 2.4 N*m; motor.stall_current: 120 A; motor.free_speed: 600 "
                 "rad/s; motor.free_current: 0 A; reduction: 6; mass: 9 kg; efficiency: %s; "
                 "position: 5 m; velocity: -4 m/s",
                 etas[k / 5]);
        rig_default(&rig, &ib_bench_kind, 1);
        rig_solver(&rig, IB_DOPRI5, 1e-11, 0.02);
        rig_set(&rig, "battery.resistance", "15 mohm");
        rig_add(&rig, "m", "elevator", settings);
        rig_hold(&rig, "m", volts[k % 5]);
        rig_run(&rig, 0.01);
        double begun =
            rig_row(&rig, 0, "m.energy.kinetic") + rig_row(&rig, 0, "m.energy.potential");
        for (int row = 1; row < rig.rows.count; row++) {
            double has =
                rig_row(&rig, row, "m.energy.kinetic") + rig_row(&rig, row, "m.energy.potential");
            double given = rig_row(&rig, row, "m.energy.electric"); // negative: fed back
            assert_close(rig_row(&rig, row, "m.energy.conversion"), 0, 1e-9);
            assert_true(has - given <= begun + 1e-9 * begun);
        }
        rig_stop(&rig);
    }
}

// Goal: coarse fixed steps do not make a lossy gear run away that brakes its load. Method: a light
// wheel, eta down to 0.1, so that the brake is up to 100 times as fast as the desk's drag says; 0.1
// s steps, which are divided as the mechanism asks: it slows down all the time,
// within 1 % of a fine run.
static void lossy_gear_is_stable_at_coarse_steps(void **unused)
{
    (void)unused;
    const char *const etas[] = {"1", "0.5", "0.2", "0.1"};
    for (int k = 0; k < 4; k++) {
        double speed[2][11];
        for (int fine = 0; fine < 2; fine++) {
            char settings[200];
            snprintf(settings, sizeof settings,
                     "inertia: 2e-4 kg*m^2; rotors: false; efficiency: %s; velocity: 500 rad/s",
                     etas[k]);
            rig_default(&rig, &ib_bench_kind, 0.5);
            rig_solver(&rig, fine ? IB_DOPRI5 : IB_RK4, 1e-10, 0.1);
            rig_add(&rig, "m", "flywheel", settings);
            rig_run(&rig, 0.05);
            for (int row = 0; row < 11; row++) speed[fine][row] = rig_row(&rig, row, "m.velocity");
            rig_stop(&rig);
        }
        for (int row = 1; row < 11; row++) {
            assert_true(speed[0][row] > 0 && speed[0][row] < speed[0][row - 1]);
            assert_close(speed[0][row], speed[1][row], 0.01 * speed[1][row]);
        }
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        ib_plain_test(books_balance),
        cmocka_unit_test(nothing_grows_when_driven_backwards),
        cmocka_unit_test(lossy_gear_is_stable_at_coarse_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
