// The motor bench against hand-computed rates, closed forms, the data sheet and its energy book.
#include "cmocka_all.h"
#include "robot/motor_bench.h"
#include "sim/sim.h"

#include <stdlib.h>
#include <string.h>

#define RPM (3.14159265358979323846 / 30)

// The CIM of RoboSim's section 4.2, and its constants to the eleven digits of reference B3.
static const ib_MotorConfig cim = {12, 2.429, 131.227, 5310 * RPM, 2.7, IB_TORQUE_BALANCED};
static const double R = 0.091444596005, Kt = 0.018509910308, Ke = 0.021136315215;
static const double b = 8.9876249137e-05, free_speed = 556.06189969;

typedef struct Rig {
    ib_MotorBenchConfig bench;
    ib_Timeline inputs[IB_BENCH_INPUTS];
    ib_Time times[2];
    double command[2], brake[2];
    ib_RobotConfig robot;
    ib_SimConfig config;
    ib_Arena arena;
    ib_Model *model;
    ib_Sim *sim;
} Rig;

// From rest, 12 V, no brake, J = 1.1e-3, RK4 at 1 ms; edit it, then rig_start.
static void rig_default(Rig *rig)
{
    memset(rig, 0, sizeof *rig);
    ib_Error error;
    if (ib_schema_default(&ib_motor_bench_kind.params, &rig->bench, &error) != IB_OK ||
        ib_schema_default(&ib_motor_bench_kind.start, &rig->bench, &error) != IB_OK)
        abort();
    rig->bench.motor = cim;
    rig->bench.inertia = 1.1e-3;
    rig->times[1] = IB_SECOND;
    rig->command[0] = rig->command[1] = 12;
    rig->config = (ib_SimConfig){.title = "bench",
                                 .robots = &rig->robot,
                                 .robot_count = 1,
                                 .gravity = 9.80665,
                                 .solver = {IB_RK4, 1e-9, 1e-9},
                                 .step = IB_SECOND / 1000,
                                 .duration = 20 * IB_SECOND,
                                 .seed = 1};
}

static void rig_start(Rig *rig)
{
    ib_Error error;
    rig->inputs[IB_BENCH_COMMAND] = (ib_Timeline){2, rig->times, rig->command, false};
    rig->inputs[IB_BENCH_BRAKE] = (ib_Timeline){2, rig->times, rig->brake, false};
    rig->robot = (ib_RobotConfig){.name = "",
                                  .kind = &ib_motor_bench_kind,
                                  .config = &rig->bench,
                                  .inputs = rig->inputs,
                                  .input_count = IB_BENCH_INPUTS};
    if (ib_model_create(&rig->config, &rig->arena, &rig->model, &error) != IB_OK ||
        ib_sim_create(rig->model, &rig->sim, &error) != IB_OK)
        abort();
}

// The place of the state that a signal shows.
static int place(const Rig *rig, const char *name)
{
    const ib_RobotPorts *ports = &rig->model->robots[0].ports;
    for (int i = 0; i < ports->state_count; i++)
        if (ports->states[i].signal && strcmp(ports->states[i].signal, name) == 0) return i;
    fprintf(stderr, "no state %s\n", name);
    abort();
}

static double rig_state(const Rig *rig, const char *name)
{
    return ib_sim_state(rig->sim)[place(rig, name)];
}

// Returns the speed of the shaft.
static double rig_run(Rig *rig, double seconds)
{
    ib_Error error;
    assert_int_equal(ib_sim_advance(rig->sim, ib_time_from_seconds(seconds), &error), IB_OK);
    return rig_state(rig, "motor.speed");
}

// A signal of the state reached, the inputs being those given.
static double rig_signal(const Rig *rig, const char *name, double command, double brake)
{
    double input[IB_BENCH_INPUTS] = {0}, y[64];
    const ib_RobotModel *robot = &rig->model->robots[0];
    int index = ib_signals_find(&rig->model->signals, name);
    assert_true(index >= 0 && robot->ports.signal_count <= 64);
    input[IB_BENCH_COMMAND] = command;
    input[IB_BENCH_BRAKE] = brake;
    input[IB_BENCH_GAIN] = 1;
    ib_robot_output(robot->kind, robot->model, &robot->ports, NULL, ib_sim_state(rig->sim), input,
                    y);
    return y[index];
}

static void rig_stop(Rig *rig)
{
    ib_sim_destroy(rig->sim);
    ib_arena_reset(&rig->arena);
}

// -------------------------------------------------------------------------------------------- rate

// Goal: the rate is Newton's and Kirchhoff's. Method: by hand at w = 200 rad/s, 6 V of 12 through
// 10 mohm, brake 0.3 N m, bearing 1e-4 N m s and 0.02 N m; at 200 rad/s every tanh is 1:
//   V = (R 12 + Rs 0.5 Ke w)/(R + 0.25 Rs),  u = V/2,  I = (u - Ke w)/R,  T = Kt I - b w
static void rate_matches_hand_computation(void **unused)
{
    (void)unused;
    Rig rig;
    rig_default(&rig);
    rig.bench.resistance = 0.01;
    rig.bench.bearing_viscous = 1e-4;
    rig.bench.bearing_coulomb = 0.02;
    rig_start(&rig);
    const ib_RobotModel *robot = &rig.model->robots[0];
    double state[16] = {0}, rate[16];
    assert_true(robot->ports.state_count <= 16);
    state[place(&rig, "motor.speed")] = 200;
    double input[IB_BENCH_INPUTS] = {0};
    input[IB_BENCH_COMMAND] = 6;
    input[IB_BENCH_BRAKE] = 0.3;
    input[IB_BENCH_GAIN] = 1;
    robot->kind->rate(robot->model, state, input, rate);
    double V = (R * 12 + 0.01 * 0.5 * Ke * 200) / (R + 0.25 * 0.01);
    double I = (0.5 * V - Ke * 200) / R, T = Kt * I - b * 200;
    // Ten digits of the constants, and differences of like numbers.
    assert_close(rate[place(&rig, "motor.speed")], (T - 0.3 - 0.02 - 1e-4 * 200) / 1.1e-3, 1e-6);
    assert_close(rate[place(&rig, "motor.angle")], 200, 0);
    assert_close(rate[place(&rig, "energy.supply")], 12 * 0.5 * I, 1e-7);
    assert_close(rate[place(&rig, "energy.resistance")], 0.01 * 0.25 * I * I, 1e-8);
    assert_close(rate[place(&rig, "energy.brake")], 60, 1e-12);
    assert_close(rate[place(&rig, "energy.bearing")], (0.02 + 0.02) * 200, 1e-12);
    rig_stop(&rig);
}

// ------------------------------------------------------------------------------------ closed forms

// Goal: a spin-up without inductance is one exponential. Method: w = wf (1 - e^(-t/tau)) with
// tau = J R/(Kt Ke + R b), at eleven-digit constants; RK4 at 1 ms adds less than 1e-10.
static void spin_up_is_an_exponential(void **unused)
{
    (void)unused;
    Rig rig;
    rig_default(&rig);
    rig_start(&rig);
    double tau = 1.1e-3 * R / (Kt * Ke + R * b);
    for (int i = 1; i <= 10; i++) {
        double t = 0.1 * i, w = rig_run(&rig, t);
        assert_close(w, free_speed * (1 - exp(-t / tau)), 1e-7);
    }
    rig_stop(&rig);
}

// Goal: with inductance it is two exponentials. Method: the roots s of
//   L J s^2 + (R J + L b) s + (R b + Kt Ke) = 0
//   w = wf + (s2 e^(s1 t) - s1 e^(s2 t)) wf/(s1 - s2)
// against RK4 at 10 us, whose error is 32 (h/tau)^5/120 of 131 A: 3e-8 A.
static void spin_up_with_inductance_is_two_exponentials(void **unused)
{
    (void)unused;
    const double L = 59e-6, J = 1.1e-3;
    Rig rig;
    rig_default(&rig);
    rig.bench.current = IB_BENCH_IMPLICIT;
    rig.bench.inductance = L;
    rig.config.step = IB_SECOND / 100000;
    rig_start(&rig);
    double p = R / L + b / J, q = (R * b + Kt * Ke) / (L * J), root = sqrt(p * p - 4 * q);
    double s2 = -(p + root) / 2, s1 = q / s2, A = free_speed / (s1 - s2);
    const double times[] = {0.001, 0.002, 0.005, 0.05, 0.5};
    for (int i = 0; i < 5; i++) {
        double t = times[i], e1 = exp(s1 * t), e2 = exp(s2 * t);
        double w = free_speed + A * (s2 * e1 - s1 * e2), dw = A * s1 * s2 * (e1 - e2);
        assert_close(rig_run(&rig, t), w, 1e-6);
        assert_close(rig_state(&rig, "motor.current"), (J * dw + b * w) / Kt, 1e-6);
    }
    rig_stop(&rig);
}

// Goal: the data sheet's free point, with either loss; without one the published 5421.5 rpm, 0 A.
// Method: run to the end (20 s: 80 time constants) and compare with data sheet and reference B3.
static void free_point_is_the_data_sheets(void **unused)
{
    (void)unused;
    const double speed[] = {567.743, 5310 * RPM, 5310 * RPM}, current[] = {0, 2.7, 2.7};
    for (int loss = IB_LOSS_NONE; loss <= IB_LOSS_COULOMB; loss++) {
        Rig rig;
        rig_default(&rig);
        rig.bench.loss = loss;
        rig_start(&rig);
        double w = rig_run(&rig, 20);
        assert_close(w, speed[loss], loss == IB_LOSS_NONE ? 5e-4 : 1e-9); // printed digits
        assert_close(rig_signal(&rig, "motor.current", 12, 0), current[loss], 1e-9);
        if (loss == IB_LOSS_NONE) assert_close(w / RPM, 5421.55, 5e-3);
        rig_stop(&rig);
    }
}

// Goal: a brake beyond the stall torque stops the motor at the stall point. Method: B = 2 stall
// torques; the creep is w = atanh(1/2) rad/s, a thousandth of the free speed.
static void brake_holds_the_motor_at_its_stall_point(void **unused)
{
    (void)unused;
    Rig rig;
    rig_default(&rig);
    rig.brake[0] = rig.brake[1] = 2 * 2.429;
    rig_start(&rig);
    double w = rig_run(&rig, 5);
    assert_close(w, 0.5493, 1e-3);
    assert_close(rig_signal(&rig, "motor.torque", 12, 2 * 2.429), 2.429, 0.003);
    assert_close(rig_signal(&rig, "motor.current", 12, 2 * 2.429), 131.227, 0.2);
    rig_stop(&rig);
}

// ---------------------------------------------------------------------------------------- the book

// Goal: energy is accounted for, whatever is fitted. Method: run up, then full reverse against a
// brake at 1 s, with each kind of current and loss, a weak supply and bearings; the error stays
// below 1e-8 of what the supply gave (dopri5 at 1e-10), below 1e-6 with RK4 in steps of 0.1 ms,
// which meet a dry torque that turns within 0.6 ms.
static void energy_book_balances(void **unused)
{
    (void)unused;
    for (int kind = 0; kind < 12; kind++) {
        bool fixed = kind >= 6;
        Rig rig;
        rig_default(&rig);
        rig.bench.current = kind & 1 ? IB_BENCH_IMPLICIT : IB_BENCH_QUASI_STATIC;
        rig.bench.loss = kind % 6 / 2;
        rig.bench.resistance = 0.02;
        rig.bench.bearing_viscous = 2e-5;
        rig.bench.bearing_coulomb = 0.01;
        rig.bench.speed = -50;
        rig.command[1] = -12;
        rig.brake[1] = 0.5;
        rig.config.solver = (ib_SolverConfig){fixed ? IB_RK4 : IB_DOPRI5, 1e-10, 1e-10};
        if (fixed) rig.config.step = IB_SECOND / 10000;
        rig_start(&rig);
        const double times[] = {0.5, 1, 1.2, 3};
        for (int i = 0; i < 4; i++) {
            rig_run(&rig, times[i]);
            double given = rig_signal(&rig, "energy.supply", 0, 0);
            assert_true(given > 100);
            assert_close(rig_signal(&rig, "energy.error", 0, 0), 0, (fixed ? 1e-6 : 1e-8) * given);
        }
        rig_stop(&rig);
    }
}

// Speed and what is missing in the book [J] after 0.5 s from rest, the current a state of its own
// (L/R = 0.65 ms), by `stiff` in steps of `step` [s]; 0: by dopri5 at 1e-12.
static double winding_run(double step, double *missing)
{
    Rig rig;
    rig_default(&rig);
    rig.bench.current = IB_BENCH_IMPLICIT;
    rig.bench.resistance = 0.02;
    rig.bench.bearing_viscous = 2e-5;
    rig.command[1] = -12;
    rig.times[1] = IB_SECOND / 4;
    rig.config.duration = IB_SECOND / 2;
    rig.config.solver = (ib_SolverConfig){step > 0 ? IB_STIFF : IB_DOPRI5, 1e-12, 1e-9};
    if (step > 0) rig.config.step = ib_time_from_seconds(step);
    rig_start(&rig);
    assert_int_equal(rig.model->step, rig.config.step); // no resolution of explicit methods
    double speed = rig_run(&rig, 0.5);
    *missing = rig_signal(&rig, "energy.error", 0, 0);
    rig_stop(&rig);
    return speed;
}

// Goal: `stiff` follows a motor in steps longer than its winding's L/R, of which RK4 would need
// eight, and resolves the winding with its order in shorter ones; the book of energy closes.
// Method: run up and full reverse, against dopri5 at 1e-12 (of another family, right to 1e-9 here).
// Halving a step of an eighth of L/R takes a 16th of the error; a 5th is asked for, and of the
// book, which has the squares of currents, a 10th. In steps of 1.5 L/R what the current does after
// a jump is passed over, but not its end: the speed is right to 1e-6, and the book misses no more
// than the winding holds, L I^2/2 = 1.3 J at the 207 A of the reversal, (12 + 11) V/(R + 20 mohm).
static void stiff_steps_over_the_winding(void **unused)
{
    (void)unused;
    double book[4], exact = winding_run(0, &book[0]);
    double coarse = winding_run(1e-3, &book[1]), fine = winding_run(1e-4, &book[2]);
    double finer = winding_run(5e-5, &book[3]);
    print_message("  off by %.2g, %.2g, %.2g rad/s; books by %.2g, %.2g, %.2g J\n", coarse - exact,
                  fine - exact, finer - exact, book[1], book[2], book[3]);
    assert_close(coarse, exact, 1e-6);
    assert_true(fabs(finer - exact) < 0.2 * fabs(fine - exact) + 1e-9);
    assert_true(fabs(book[1]) < 1.3 && fabs(book[3]) < 0.1 * fabs(book[2]) + 1e-9);
}

// Goal: the limits of plant/electric/bus.h hold on the bench. Method: 40 A of stator limit from
// rest: the torque is Kt 40 A until the back-EMF takes over.
static void current_limit_holds(void **unused)
{
    (void)unused;
    Rig rig;
    rig_default(&rig);
    rig.bench.current_limit = 40;
    rig_start(&rig);
    double w = rig_run(&rig, 0.1);
    assert_close(rig_signal(&rig, "motor.current", 12, 0), 40, 1e-9);
    // J w' = Kt 40 - b w
    assert_close(w, Kt * 40 / b * (1 - exp(-b * 0.1 / 1.1e-3)), 1e-7);
    rig_stop(&rig);
}

// Goal: (4.2e) diverges beyond 2 L/R = 1.29 ms and not below. Method: Euler at 50 ms ends with an
// error that names the current; at 1 ms the free point is reached.
static void explicit_current_diverges_at_50_ms(void **unused)
{
    (void)unused;
    for (int i = 0; i < 2; i++) {
        Rig rig;
        ib_Error error;
        rig_default(&rig);
        rig.bench.current = IB_BENCH_EXPLICIT;
        rig.config.solver.kind = IB_EULER;
        rig.config.step = i ? IB_SECOND / 1000 : IB_SECOND / 20;
        rig_start(&rig);
        ib_Status status = ib_sim_advance(rig.sim, 10 * IB_SECOND, &error);
        if (i) {
            assert_int_equal(status, IB_OK);
            assert_close(rig_state(&rig, "motor.speed"), free_speed, 1e-6);
        } else {
            assert_int_not_equal(status, IB_OK);
            assert_non_null(strstr(error.text, "motor.current"));
        }
        rig_stop(&rig);
    }
}

// Goal: an impossible bench is refused with the key at fault. Method: no inertia; free current
// above the stall current.
static void impossible_benches_are_refused(void **unused)
{
    (void)unused;
    Rig rig;
    ib_Error error;
    rig_default(&rig);
    rig.bench.inertia = 0;
    assert_int_equal(ib_motor_bench_kind.check(&rig.bench, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "inertia:"));
    rig.bench.rotor_inertia = 1e-4;
    assert_int_equal(ib_motor_bench_kind.check(&rig.bench, &error), IB_OK);
    rig.bench.motor.free_current = 140;
    assert_int_equal(ib_motor_bench_kind.check(&rig.bench, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "motor.free_current:"));
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rate_matches_hand_computation),
        cmocka_unit_test(spin_up_is_an_exponential),
        cmocka_unit_test(spin_up_with_inductance_is_two_exponentials),
        cmocka_unit_test(free_point_is_the_data_sheets),
        cmocka_unit_test(brake_holds_the_motor_at_its_stall_point),
        cmocka_unit_test(energy_book_balances),
        cmocka_unit_test(stiff_steps_over_the_winding),
        cmocka_unit_test(current_limit_holds),
        cmocka_unit_test(explicit_current_diverges_at_50_ms),
        cmocka_unit_test(impossible_benches_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
