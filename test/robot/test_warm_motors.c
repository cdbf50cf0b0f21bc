// Motors that warm up, on every robot that has motors: closed forms of a locked motor on the motor
// bench, and the same physics on tank, holonomic base and mechanisms.
#include "cmocka_all.h"

#include "robot/holonomic_rig.h"
#include "sim/linearise/linearise.h"

#include <math.h>

// The CIM of data/motors.yaml.
static const double R0 = 12.0 / 133, a = 0.00393, T0 = 293.15, Ta = 298.15;

static double resistance(double T)
{
    return R0 * (1 + a * (T - T0));
}

// A motor that hardly turns: 0.2 N m take a flywheel of 1e6 kg m^2 to 2e-4 rad/s in 1000 s, which
// is a back-EMF of 4e-6 V.
#define LOCKED                                                                                     \
    "robot: {kind: motor_bench, motor: cim, inertia: 1000000 kg*m^2, current_limit: %s,\n"         \
    "  thermal: {winding_capacity: %g J/K, case_capacity: %g J/K, winding_to_case: 1 K/W,\n"       \
    "    case_to_air: 2 K/W, coefficient: %g 1/K, insulation: 700 degC}}\n"                        \
    "inputs: {command: %g V}\n"                                                                    \
    "run: {duration: 1000 s, step: 10 ms}\n"

// The book of heat closes to 1e-9 of what the windings have turned into heat, that of energy to
// 1e-6 of it, and both have the same of it.
static void check_books(const Run *run, const char *prefix)
{
    char name[64];
    snprintf(name, sizeof name, "%sheat.copper", prefix);
    double copper = see(run, name);
    assert_true(copper > 0);
    snprintf(name, sizeof name, "%sheat.error", prefix);
    assert_close(see(run, name), 0, 1e-9 * copper);
    snprintf(name, sizeof name, "%senergy.copper", prefix);
    assert_close(see(run, name), copper, 0);
    snprintf(name, sizeof name, "%senergy.error", prefix);
    assert_close(see(run, name), 0, 1e-6 * copper);
}

// ------------------------------------------------------------------------------------ closed forms

// Goal: with a resistance that does not change, a constant current warms one mass by an
// exponential. Method: 30 A by a current limit, a = 0:  P = R0 30^2,  tau = 3 K/W 20 J/K = 60 s.
static void constant_current_is_an_exponential(void **state)
{
    (void)state;
    Run run;
    open_run(&run, LOCKED, "30 A", 20.0, 0.0, 0.0, 12.0);
    double P = R0 * 30 * 30;
    for (int i = 1; i <= 5; i++) {
        go(&run, 40 * i);
        assert_close(see(&run, "motor.current"), 30, 1e-9);
        // RK4 at h/tau = 1.7e-4.
        assert_close(see(&run, "motor.temperature"), Ta + 3 * P * (1 - exp(-40 * i / 60.0)), 1e-8);
        check_books(&run, "");
    }
    close_run(&run);
}

// Goal: a constant current ends where the heat that grows with T can leave. Method: fixed point by
// hand,  T = Ta + q (1 + a (T - T0)),  q = I^2 R0 (Rw + Rc)  ->  T = (Ta + q (1 - a T0))/(1 - q a).
static void constant_current_ends_at_its_fixed_point(void **state)
{
    (void)state;
    Run run;
    open_run(&run, LOCKED, "20 A", 5.0, 10.0, a, 12.0);
    double q = 20 * 20 * R0 * 3, T = (Ta + q * (1 - a * T0)) / (1 - q * a);
    go(&run, 1000);
    // The slowest time constant is 61 s: exp(-1000/61) of 190 K.
    assert_close(see(&run, "motor.temperature"), T, 2e-5);
    assert_close(see(&run, "motor.case_temperature"), Ta + (T - Ta) * 2 / 3, 2e-5);
    check_books(&run, "");
    close_run(&run);
}

// Goal: at constant voltage it ends where V^2/R(T) leaves. Method: fixed point by hand,
//   (T - Ta) (1 + a (T - T0)) = V^2/R0 (Rw + Rc), a quadratic in T.
static void constant_voltage_ends_at_its_fixed_point(void **state)
{
    (void)state;
    Run run;
    open_run(&run, LOCKED, "off", 5.0, 10.0, a, 1.0); // 1 V of duty: 1/12 of 12 V
    double q = 1 / R0 * 3, b = 1 - a * (T0 + Ta), c = -Ta * (1 - a * T0) - q;
    double T = (-b + sqrt(b * b - 4 * a * c)) / (2 * a);
    go(&run, 1000);
    assert_close(see(&run, "motor.temperature"), T, 1e-3); // 4e-6 V of 1 V, twice, of 29 K
    assert_close(see(&run, "motor.current"), 1 / resistance(T), 1e-4);
    check_books(&run, "");
    close_run(&run);
}

// Goal: a stalled motor's current falls as its winding warms up. Method: an integration of the
// test's own, Heun's at 1 ms, of  Cw T' = V^2/R(T) - (T - Tc)/Rw  and the case's equation.
static void stall_current_falls_with_time(void **state)
{
    (void)state;
    Run run;
    open_run(&run, LOCKED, "off", 60.0, 450.0, a, 4.0);
    double x[2] = {Ta, Ta}, last = 1e9, h = 1e-3;
    assert_close(see(&run, "motor.current"), 4 / resistance(Ta), 1e-9);
    for (int second = 1; second <= 100; second++) {
        for (int n = 0; n < 1000; n++) {
            double k[2][2], y[2] = {x[0], x[1]};
            for (int s = 0; s < 2; s++) {
                k[s][0] = (16 / resistance(y[0]) - (y[0] - y[1])) / 60;
                k[s][1] = ((y[0] - y[1]) - (y[1] - Ta) / 2) / 450;
                for (int i = 0; i < 2; i++) y[i] = x[i] + h * k[0][i];
            }
            for (int i = 0; i < 2; i++) x[i] += 0.5 * h * (k[0][i] + k[1][i]);
        }
        go(&run, second);
        double current = see(&run, "motor.current");
        assert_true(current < last);
        last = current;
        // It turns: a back-EMF of up to 2e-6 V of 4 V.
        assert_close(see(&run, "motor.temperature"), x[0], 2e-4);
        assert_close(see(&run, "motor.case_temperature"), x[1], 2e-4);
        assert_close(current, 4 / resistance(x[0]), 5e-5);
    }
    // It is no trifle: more than a quarter of the current has gone.
    assert_true(last < 0.75 * 4 / R0);
    check_books(&run, "");
    close_run(&run);
}

// Goal: with inductance, too. Method: after many of L/R = 0.6 ms the current is the quasi-static
// one of the temperature that is shown, less by what the change takes, L I'.
static void inductive_winding_warms_up(void **state)
{
    (void)state;
    Run run;
    open_run(&run, "robot: {kind: motor_bench, motor: cim, inertia: 1000000 kg*m^2,\n"
                   "  current: implicit, thermal: {preset: cim, winding_capacity: 10 J/K}}\n"
                   "inputs: {command: 4 V}\n"
                   "run: {duration: 10 s}\n");
    go(&run, 5);
    double T = see(&run, "motor.temperature");
    assert_true(T > 350);
    assert_close(see(&run, "motor.current"), 4 / resistance(T), 1e-2);
    check_books(&run, "");
    close_run(&run);
}

// -------------------------------------------------------------------------------------- each robot

// Motors that are at 120 degC when the run begins have 1.393 R0. A robot at rest, on a battery
// without resistance, then draws d 12 V/(1.393 R0), and its books close as it drives.
static void check_drive(const char *robot, const char *motor, double duty, double seconds)
{
    Run run;
    char name[64];
    open_run(&run, "%s", robot);
    snprintf(name, sizeof name, "%s.current", motor);
    assert_close(see(&run, name), duty * 12 / (1.393 * R0), 1e-9);
    snprintf(name, sizeof name, "%s.temperature", motor);
    assert_close(see(&run, name), 393.15, 1e-9);
    go(&run, seconds);
    assert_true(see(&run, name) > 393.15);
    check_books(&run, "");
    close_run(&run);
}

#define STIFF "battery: {open_circuit: 12 V, resistance: 0 ohm, constant_voltage: true}"
#define HOT   "thermal: {preset: cim, start: 120 degC, air: 120 degC}"

static void tank_has_warm_motors(void **state)
{
    (void)state;
    check_drive("robot: {kind: tank, drive: {motor: cim, " HOT "}, " STIFF "}\n"
                "inputs: {left: 6 V, right: -3 V}\nrun: {duration: 2 s}\n",
                "drive.left", 0.5, 1);
    check_drive("robot: {kind: tank, drive: {motor: cim, " HOT "}, " STIFF "}\n"
                "inputs: {left: 6 V, right: -3 V}\nrun: {duration: 2 s}\n",
                "drive.right", -0.25, 1);
}

static void holonomic_base_has_warm_motors(void **state)
{
    (void)state;
    check_drive("robot: {kind: holonomic, drive: {motor: cim, " HOT "}, " STIFF "}\n"
                "inputs: {turn: 0.5}\nrun: {duration: 2 s}\n",
                "motor.3", -0.5, 1);
}

// A bridge that opens under current burns what the winding's inductance holds: it is in both books.
static void windings_that_are_cut_off_keep_their_heat(void **state)
{
    (void)state;
    Run run;
    open_run(&run, "robot:\n"
                   "  kind: tank\n"
                   "  drive: {motor: cim, current: implicit, neutral: coast, " HOT "}\n"
                   "  " STIFF "\n"
                   "inputs: {left: [[0 s, 12 V], [0.2 s, 0 V], [0.3 s, 12 V], [0.4 s, 0 V]],\n"
                   "  right: [[0 s, 12 V], [0.1 s, 0 V], [0.3 s, 8 V], [0.5 s, 0 V]]}\n"
                   "run: {duration: 1 s}\n");
    go(&run, 1);
    check_books(&run, "");
    assert_true(see(&run, "drive.left.temperature") > see(&run, "drive.right.temperature"));
    close_run(&run);
}

// Goal: every mechanism's motors warm up. Method: each kind on one bench, 3 V; the books of each.
static void all_mechanisms_have_warm_motors(void **state)
{
    (void)state;
    static const char *const kinds[] = {"elevator", "single_arm", "turret",  "flywheel",
                                        "shooter",  "roller",     "two_mass"};
    for (int i = 0; i < (int)(sizeof kinds / sizeof *kinds); i++) {
        Run run;
        open_run(&run,
                 "robot: {kind: bench, " STIFF ", mechanisms: {one: {kind: %s, motor: cim, " HOT
                 "}}}\ninputs: {one: 3 V}\nrun: {duration: 1 s}\n",
                 kinds[i]);
        assert_close(see(&run, "one.current"), 3 / (1.393 * R0), 1e-9);
        go(&run, 1);
        assert_true(see(&run, "one.temperature") > 393.15);
        check_books(&run, "one.");
        close_run(&run);
    }
}

// Goal: the two winches of a lift have temperatures of their own. Method: 4 V and 2 V.
static void winches_warm_up_apart(void **state)
{
    (void)state;
    Run run;
    open_run(&run, "robot: {kind: bench, " STIFF
                   ", mechanisms: {platform: {kind: lift, motor: cim, " HOT "}}}\n"
                   "inputs: {platform.left: 4 V, platform.right: 2 V}\nrun: {duration: 1 s}\n");
    assert_close(see(&run, "platform.left.current"), 4 / (1.393 * R0), 1e-9);
    assert_close(see(&run, "platform.right.current"), 2 / (1.393 * R0), 1e-9);
    go(&run, 0.5);
    check_books(&run, "platform.");
    assert_true(see(&run, "platform.left.temperature") > see(&run, "platform.right.temperature"));
    close_run(&run);
}

// Goal: a mechanism on a base, one bus, and each its own book. Method: a tank with a lift.
static void base_and_mechanism_have_books_of_their_own(void **state)
{
    (void)state;
    Run run;
    open_run(&run, "robot:\n"
                   "  kind: tank\n"
                   "  drive: {motor: cim, thermal: cim}\n"
                   "  mechanisms: {lift: {kind: elevator, motor: cim, thermal: 775pro,\n"
                   "    travel: [0 m, 1 m]}}\n"
                   "inputs: {left: 8 V, right: 6 V, lift: 6 V}\nrun: {duration: 2 s}\n");
    go(&run, 1.5);
    check_books(&run, "");
    check_books(&run, "lift.");
    close_run(&run);
}

// ------------------------------------------------------------------------------------ all the rest

// Goal: off takes no state. Method: count them.
static void off_takes_no_state(void **state)
{
    (void)state;
    static const char *const words[] = {"off", "cim", "{preset: cim, case_capacity: 0 J/K}"};
    static const int more[] = {0, 2 * 2 + 1, 2 + 1};
    int counts[3];
    for (int i = 0; i < 3; i++) {
        Run run;
        open_run(&run,
                 "robot: {kind: tank, drive: {thermal: %s}}\n"
                 "inputs: {throttle: 0}\nrun: {duration: 1 s}\n",
                 words[i]);
        counts[i] = run.scenario->model->robots[0].ports.state_count;
        assert_int_equal(counts[i] - counts[0], more[i]);
        close_run(&run);
    }
}

// Goal: a linear plant has the resistance of the winding as it is, which is held. Method: the slope
// of a flywheel's speed with voltage, N G Kt/(R J), hot over cold: 1/1.393.
static void linear_plant_holds_the_temperature(void **state)
{
    (void)state;
    static const char *const inputs[] = {"wheel"}, *const states[] = {"wheel.velocity"};
    double slope[2];
    for (int i = 0; i < 2; i++) {
        Run run;
        ib_Linearisation linear;
        ib_Error error;
        open_run(&run,
                 "robot: {kind: bench, " STIFF
                 ", mechanisms: {wheel: {kind: flywheel, motor: cim, %s}}}\n"
                 "inputs: {wheel: 2 V}\nrun: {duration: 1 s}\n",
                 i ? HOT : "thermal: off");
        ib_LineariseQuery query = {
            .states = states, .state_count = 1, .inputs = inputs, .input_count = 1};
        assert_int_equal(ib_linearise(run.scenario->model, &query, &linear, &error), IB_OK);
        slope[i] = linear.plant.B[0];
        bool held = false;
        for (int k = 0; k < linear.held_count && k < IB_HELD_MAX; k++)
            held |= strcmp(linear.held[k], "wheel.temperature") == 0;
        assert_int_equal(held, i);
        close_run(&run);
    }
    assert_close(slope[1] * 1.393 / slope[0], 1, 1e-9);
}

// Goal: a run can be taken up anywhere. Method: the state at 0.3 s, put into another simulation of
// the same model, ends in the same bits as the run that went on.
static void warm_run_is_restored_to_the_bit(void **state)
{
    (void)state;
    Run run, other;
    static const char text[] = "robot: {kind: holonomic, drive: {motor: cim, thermal: 775pro}}\n"
                               "inputs: {stick.x: 0.5, turn: 0.2}\nrun: {duration: 1 s}\n";
    open_run(&run, "%s", text);
    open_run(&other, "%s", text);
    int count = run.scenario->model->state_count;
    go(&run, 0.3);
    ib_sim_restore(other.sim, ib_sim_time(run.sim), ib_sim_steps(run.sim), ib_sim_state(run.sim));
    go(&run, 1);
    go(&other, 1);
    assert_memory_equal(ib_sim_state(run.sim), ib_sim_state(other.sim),
                        (size_t)count * sizeof(double));
    close_run(&run);
    close_run(&other);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constant_current_is_an_exponential),
        cmocka_unit_test(constant_current_ends_at_its_fixed_point),
        cmocka_unit_test(constant_voltage_ends_at_its_fixed_point),
        cmocka_unit_test(stall_current_falls_with_time),
        cmocka_unit_test(inductive_winding_warms_up),
        cmocka_unit_test(tank_has_warm_motors),
        cmocka_unit_test(holonomic_base_has_warm_motors),
        cmocka_unit_test(windings_that_are_cut_off_keep_their_heat),
        cmocka_unit_test(all_mechanisms_have_warm_motors),
        cmocka_unit_test(winches_warm_up_apart),
        cmocka_unit_test(base_and_mechanism_have_books_of_their_own),
        cmocka_unit_test(off_takes_no_state),
        cmocka_unit_test(linear_plant_holds_the_temperature),
        cmocka_unit_test(warm_run_is_restored_to_the_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
