// The tank robot's modes: breakers, brownout, gears, pressure switch, solenoids,
// neutral, limits, battery.
#include "cmocka_all.h"
#include "robot/tank_rig.h"

#include <math.h>

static const double psi = 6894.757293168361; // [Pa], exact to the last digit
static const double atmosphere = 101325;

static double psig(double gauge)
{
    return atmosphere + gauge * psi;
}

// B7's robot on wheels that only roll; with bridges open nothing slows it down.
static void rig_rolling(Rig *rig, double duration)
{
    rig_default(rig, duration);
    rig_set(rig, "wheels.model", "rolling");
    rig_drive(rig, 0, 0);
}

// ---------------------------------------------------------------------------------------- breakers

// CB185-120, slow envelope: current [A], time to trip [s].                       [reference B8, 6]
static const double trip_table[][2] = {{144, 1200}, {162, 600}, {180, 300}, {240, 100}, {300, 50},
                                       {360, 30},   {480, 18},  {600, 10},  {720, 6},   {877, 4}};

static void rig_breaker(Rig *rig)
{
    rig->tank.equipment.power.breaker_on = 1;
    rig_set(rig, "breaker.trip",
            "144 A 1200 s, 162 A 600 s, 180 A 300 s, 240 A 100 s, 300 A 50 s, 360 A 30 s, "
            "480 A 18 s, 600 A 10 s, 720 A 6 s, 877 A 4 s");
}

// Straight lines on log-log paper, by the mathematics of the C library.
static double trip_time(double current)
{
    int i = 0;
    while (i < 8 && current > trip_table[i + 1][0]) i++;
    double share = log(current / trip_table[i][0]) / log(trip_table[i + 1][0] / trip_table[i][0]);
    return trip_table[i][1] * pow(trip_table[i + 1][1] / trip_table[i][1], share);
}

// Goal: at a constant current the breaker trips when its table says. Method: a background current
// as the load: at points of the table and between them.
static void breaker_trips_at_the_time_of_its_table(void **unused)
{
    (void)unused;
    static const double currents[] = {240, 270, 300, 420, 600, 800, 877};
    for (int i = 0; i < 7; i++) {
        Rig rig;
        Crossing trip;
        double expected = trip_time(currents[i]);
        rig_rolling(&rig, expected + 1);
        rig_breaker(&rig);
        rig.tank.equipment.power.background_current = currents[i];
        rig.sim_config.step = IB_SECOND / 50;
        rig_start(&rig);
        rig_watch(&rig, &trip, "breaker.closed", 0.5, "breaker.heat");
        assert_int_equal(rig_finish(&rig), IB_OK);
        assert_int_equal(trip.count, 1);
        assert_close(trip.seconds[0], expected, 1e-9 * expected); // thousands of roundings
        rig_stop(&rig);
    }
}

// Goal: heat follows a changing current. Method: the launch of B7, whose current is 0.5 A + 4 I0
// e^(-t/tau): Simpson's rule over 1/t(I) as long as the current is above 120 A, then cooling with
// 200 s. 0.3 s at 345 A do not trip (reference B8).
static void launch_heats_the_breaker_by_the_integral(void **unused)
{
    (void)unused;
    double I0 = 4 * 86.012655518, tau = 0.27063898562, end = tau * log(I0 / 119.5), heat = 0;
    enum { PARTS = 20000 };
    for (int i = 0; i <= PARTS; i++) {
        double t = end * i / PARTS, weight = i == 0 || i == PARTS ? 1 : i % 2 ? 4 : 2;
        heat += weight / trip_time(0.5 + I0 * exp(-t / tau)) * end / PARTS / 3;
    }
    Rig rig;
    rig_rolling(&rig, 2);
    rig_breaker(&rig);
    rig_drive(&rig, 12, 12);
    rig_run(&rig, 1);
    // corners of the table at 144 .. 300 A are passed within steps of 1 ms
    assert_close(rig_end(&rig, "breaker.heat"), heat * exp(-(2 - end) / 200), 1e-7);
    assert_close(rig_end(&rig, "breaker.closed"), 1, 0);
    rig_stop(&rig);
}

// Goal: a trip latches: no voltage, no current, the robot coasts. Method: a breaker that trips
// soon at full throttle; afterwards speed and heading stay to the last bit, with brake or coast.
static void tripped_breaker_latches_and_the_robot_coasts(void **unused)
{
    (void)unused;
    for (int neutral = IB_NEUTRAL_BRAKE; neutral <= IB_NEUTRAL_COAST; neutral++)
        for (int current = IB_CURRENT_QUASI_STATIC; current <= IB_CURRENT_IMPLICIT; current++) {
            Rig rig;
            rig_rolling(&rig, 2);
            rig.tank.equipment.power.breaker_on = 1;
            rig.tank.neutral = neutral;
            rig.tank.current = current;
            rig_set(&rig, "breaker.trip", "120 A 0.1 s, 480 A 0.02 s");
            rig_set(&rig, "breaker.cooling", "0.1 s");
            rig_drive(&rig, 12, 12);
            rig_run(&rig, 0.1);
            double speed = rig_at(&rig, 0.5, "velocity.forward");
            assert_true(speed > 0.2);
            for (int i = 5; i < rig.rows.count; i++) {
                assert_close(rig_row(&rig, i, "breaker.closed"), 0, 0);
                assert_close(rig_row(&rig, i, "battery.voltage"), 0, 0);
                assert_close(rig_row(&rig, i, "battery.current"), 0, 0);
                assert_close(rig_row(&rig, i, "drive.left.current"), 0, 0);
                assert_close(rig_row(&rig, i, "velocity.forward"), speed, 0);
            }
            assert_true(rig_end(&rig, "breaker.heat") < 0.01); // cold again, and still open
            rig_stop(&rig);
        }
}

// Goal: branch breakers trip by what a motor draws and close again by themselves. Method: a supply
// limit of 80 A holds the current of a heavy robot's motors: 10 s by their table, and 20 s
// ln(1/0.3) later they have cooled to 0.3.
static void branch_breakers_trip_and_reset(void **unused)
{
    (void)unused;
    Rig rig;
    Crossing branch;
    rig_rolling(&rig, 36);
    rig.tank.equipment.power.branch_on = 1;
    rig_set(&rig, "mass", "10000 kg");
    rig_set(&rig, "battery.resistance", "0 ohm");
    rig_set(&rig, "drive.supply_limit", "80 A");
    rig_drive(&rig, 12, 12);
    rig_start(&rig);
    rig_watch(&rig, &branch, "branch.right.closed", 0.5, "branch.right.heat");
    assert_int_equal(rig_finish(&rig), IB_OK);
    assert_int_equal(branch.count, 2);
    assert_close(branch.seconds[0], 10, 1e-8);
    assert_close(branch.seconds[1], 10 + 20 * log(1 / 0.3), 1e-7);
    rig_stop(&rig);
}

// ---------------------------------------------------------------------------------------- brownout

// Six CIMs on 30 mohm: 12 V at stall pull the bus to 4 V.
static void rig_weak(Rig *rig, double duration)
{
    rig_rolling(rig, duration);
    rig->tank.equipment.power.brownout_on = 1;
    rig_set(rig, "mass", "150 kg");
    rig_set(rig, "drive.motors_per_side", "3");
    rig_set(rig, "battery.resistance", "30 mohm");
}

// Goal: stages come at their voltages, outputs go off for `hold` and come back. Method: a ramp that
// goes too far and back; the stage is a droop below 6.8 V, and below 6.3 V for no longer than
// `delay`; outputs return 20 ms after they went off, and the robot drives at the end.
static void brownout_goes_through_its_stages_and_recovers(void **unused)
{
    (void)unused;
    static const Knot volts[] = {{0, 0}, {0.1, 9.2}, {0.105, 5}, {1.5, 5}};
    Rig rig;
    Crossing droop, off;
    rig_weak(&rig, 1.5);
    rig_input(&rig, IB_TANK_LEFT, true, volts, 4);
    rig_input(&rig, IB_TANK_RIGHT, true, volts, 4);
    rig.rows.every = 0.001;
    rig_start(&rig);
    rig_watch(&rig, &droop, "brownout.stage", 0.5, "battery.voltage");
    rig_watch(&rig, &off, "brownout.stage", 1.5, "battery.voltage");
    assert_int_equal(rig_finish(&rig), IB_OK);
    assert_int_equal(droop.count, 2);
    assert_int_equal(off.count, 2);
    int first_off = -1, low = 0;
    for (int i = 0; i < rig.rows.count && first_off < 0; i++)
        if (rig_row(&rig, i, "brownout.stage") == IB_BROWNOUT_DISABLED) first_off = i;
    assert_true(rig_row(&rig, first_off - 1, "brownout.stage") == IB_BROWNOUT_DROOP);
    for (int i = 0; i < rig.rows.count; i++) {
        double V = rig_row(&rig, i, "battery.voltage"), stage = rig_row(&rig, i, "brownout.stage");
        if (stage == IB_BROWNOUT_FINE) assert_true(V > 6.8 - 1e-9);
        if (stage == IB_BROWNOUT_DROOP) assert_true(V < 6.85 + 1e-9);
        low += stage == IB_BROWNOUT_DROOP && V <= 6.3;
        if (stage == IB_BROWNOUT_DISABLED) {
            assert_close(rig_row(&rig, i, "drive.left.voltage"), 0, 0); // brake: shorted
            assert_close(rig_row(&rig, i, "battery.current"), 0.5, 0);
        }
    }
    assert_int_equal(low, 1); // one of the rows, which are as far apart as the delay is long
    assert_close(off.seconds[1] - off.seconds[0], 0.02, 1e-9);
    assert_close(rig_end(&rig, "brownout.stage"), IB_BROWNOUT_FINE, 0);
    assert_true(rig_end(&rig, "velocity.forward") > 0.5);
    rig_stop(&rig);
}

// Goal: stages begin at their voltages to the last bits, and the delay is counted from `off`.
// Method: the same ramp without brownout is a closed book of voltages: where it crosses 6.8 V the
// droop must begin, and 7 ms after it crosses 6.3 V outputs go off.
static void stages_begin_where_the_voltage_crosses(void **unused)
{
    (void)unused;
    double times[2][2];
    for (int on = 0; on < 2; on++) {
        Rig rig;
        Crossing first, second;
        rig_weak(&rig, 0.5);
        rig.tank.equipment.power.brownout_on = on;
        rig.tank.equipment.power.brownout.delay = 0.007;
        rig_input(&rig, IB_TANK_LEFT, true, (Knot[]){{0, 0}, {0.15, 12}}, 2);
        rig_input(&rig, IB_TANK_RIGHT, true, (Knot[]){{0, 0}, {0.15, 12}}, 2);
        rig_start(&rig);
        rig_watch(&rig, &first, on ? "brownout.stage" : "battery.voltage", on ? 0.5 : 6.8,
                  "battery.voltage");
        rig_watch(&rig, &second, on ? "brownout.stage" : "battery.voltage", on ? 1.5 : 6.3,
                  "battery.voltage");
        assert_int_equal(rig_finish(&rig), IB_OK);
        assert_true(first.count > 0 && second.count > 0);
        times[on][0] = first.seconds[0];
        times[on][1] = second.seconds[0];
        rig_stop(&rig);
    }
    assert_close(times[1][0], times[0][0], 1e-9); // RK4 with a cut and without
    assert_close(times[1][1], times[0][1] + 0.007, 1e-9);
    assert_true(times[0][1] - times[0][0] > 0.002);
}

// Goal: full throttle on a weak battery stutters: on for `delay`, off for `hold`, until the robot
// is fast enough. Method: 12/12 V from standstill; the first cycles take 1 ms and 20 ms exactly,
// and at the end the motors stay on.
static void full_throttle_stutters_until_the_robot_is_fast(void **unused)
{
    (void)unused;
    Rig rig;
    Crossing off;
    rig_weak(&rig, 8);
    rig_set(&rig, "drive.neutral", "coast");
    rig_drive(&rig, 12, 12);
    rig.rows.every = 0.1;
    rig_start(&rig);
    rig_watch(&rig, &off, "brownout.stage", 1.5, "velocity.forward");
    assert_int_equal(rig_finish(&rig), IB_OK);
    assert_true(off.count > 20);
    assert_close(off.seconds[0], 0.001, 1e-9);
    for (int i = 1; i < 20; i++)
        assert_close(off.seconds[i] - off.seconds[i - 1], i % 2 ? 0.02 : 0.001, 1e-9);
    assert_close(rig_end(&rig, "brownout.stage"), IB_BROWNOUT_FINE, 0);
    assert_true(rig_end(&rig, "velocity.forward") > 2);
    rig_stop(&rig);
}

// Goal: without power the controller goes down. Method: a breaker that trips; the stage is black
// until the end, and before it no stage was bad.
static void tripped_breaker_takes_the_controller_down(void **unused)
{
    (void)unused;
    Rig rig;
    rig_rolling(&rig, 1);
    rig.tank.equipment.power.breaker_on = rig.tank.equipment.power.brownout_on = 1;
    rig_set(&rig, "breaker.trip", "120 A 0.1 s, 480 A 0.02 s");
    rig_drive(&rig, 12, 12);
    rig_run(&rig, 0.01);
    assert_close(rig_at(&rig, 0.01, "brownout.stage"), IB_BROWNOUT_FINE, 0);
    assert_close(rig_end(&rig, "breaker.closed"), 0, 0);
    assert_close(rig_end(&rig, "brownout.stage"), IB_BROWNOUT_BLACK, 0);
    rig_stop(&rig);
}

// ------------------------------------------------------------------------------------------- gears

// Goal: the input `gear` shifts at once. Method: motor speed over robot speed is G/r of the gear.
static void gear_follows_its_input(void **unused)
{
    (void)unused;
    Rig rig;
    rig_rolling(&rig, 1);
    rig_set(&rig, "drive.reduction_high", "4.5");
    rig_drive(&rig, 12, 12);
    rig_input(&rig, IB_TANK_GEAR, false, (Knot[]){{0, 0}, {0.5, 1}}, 2);
    rig_run(&rig, 0.1);
    for (int i = 1; i < rig.rows.count; i++) {
        double gear = rig_row(&rig, i, "drive.gear"), speed = rig_row(&rig, i, "velocity.forward");
        assert_close(gear, rig.rows.t[i] >= 0.5 - 1e-9, 0);
        assert_close(rig_row(&rig, i, "drive.left.speed"),
                     speed * (gear > 0.5 ? 4.5 : 10.71) / 0.0762, 1e-9);
    }
    rig_stop(&rig);
}

// Goal: a cylinder shifts when it has passed two thirds of its stroke, and back at one third.
// Method: the solenoid of a cylinder named shifter, on and off;
// a watch on the gear sees where the cylinder stands.
static void gear_follows_the_shifting_cylinder(void **unused)
{
    (void)unused;
    Rig rig;
    Crossing gear;
    rig_rolling(&rig, 2);
    rig_set(&rig, "drive.reduction_high", "4.5");
    rig_set(&rig, "drive.shift_by", "cylinder");
    rig_air(&rig);
    rig_set(&rig, "air.start", "100 psig");
    double stroke = rig_cylinder(&rig, "shifter")->stroke;
    rig_drive(&rig, 6, 6);
    rig_input(&rig, IB_TANK_SOLENOIDS, false, (Knot[]){{0, 0}, {0.3, 1}, {1.2, 0}}, 3);
    rig_start(&rig);
    rig_watch(&rig, &gear, "drive.gear", 0.5, "cylinder.shifter.position");
    assert_int_equal(rig_finish(&rig), IB_OK);
    assert_int_equal(gear.count, 2);
    assert_true(gear.seconds[0] > 0.3 && gear.seconds[0] < 1.2 && gear.seconds[1] > 1.2);
    assert_close(gear.values[0], stroke * 2 / 3, 1e-9);
    assert_close(gear.values[1], stroke / 3, 1e-9);
    rig_stop(&rig);
}

// When a rod that is pushed out reaches its stop, and when it is back at the other one: its speed
// falls through 1 mm/s there.
static void rod_run(ib_SolverKind solver, double step, Crossing *stops)
{
    Rig rig;
    rig_rolling(&rig, 2);
    rig_air(&rig);
    rig_set(&rig, "air.start", "100 psig");
    rig_cylinder(&rig, "arm");
    rig_input(&rig, IB_TANK_SOLENOIDS, false, (Knot[]){{0, 0}, {0.3, 1}, {1.2, 0}}, 3);
    rig.sim_config.solver = (ib_SolverConfig){solver, 1e-11, 1e-9};
    rig.sim_config.step = ib_time_from_seconds(step);
    rig_start(&rig);
    rig_watch(&rig, &stops[0], "cylinder.arm.velocity", 1e-3, "cylinder.arm.position");
    rig_watch(&rig, &stops[1], "cylinder.arm.velocity", -1e-3, "cylinder.arm.position");
    assert_int_equal(rig_finish(&rig), IB_OK);
    assert_int_equal(stops[0].count, 2);
    assert_int_equal(stops[1].count, 2);
    rig_stop(&rig);
}

// Goal: `stiff` finds the instants at which a rod meets its stops, as exactly as its steps are.
// Method: a rod that goes out and back, beside rosenbrock at 1e-11. A quarter of the step takes at
// best a 256th of the error; from 2 ms on, no less than what the chambers need to settle, a 10th is
// asked for. At 0.5 ms a rod of 1 m/s is to be right to 1 um: 1e-6 s.
static void stops_are_met_on_time_by_stiff_steps(void **unused)
{
    (void)unused;
    Crossing exact[2], long_steps[2], short_steps[2];
    rod_run(IB_ROSENBROCK, 0.05, exact);
    rod_run(IB_STIFF, 2e-3, long_steps);
    rod_run(IB_STIFF, 5e-4, short_steps);
    for (int i = 0; i < 2; i++) {
        double met = exact[i].seconds[1];
        double first = fabs(long_steps[i].seconds[1] - met);
        double second = fabs(short_steps[i].seconds[1] - met);
        print_message("  stop at %.9g s: off by %.2g s at 2 ms, %.2g s at 0.5 ms\n", met, first,
                      second);
        assert_true(second < 1e-6 && second < first / 10);
        assert_close(short_steps[i].values[1], exact[i].values[1], 1e-9); // the stop
    }
}

// --------------------------------------------------------------------------------------------- air

// Goal: the pressure switch closes at 95 psig and opens at 115 psig. Method: tanks from 90 psig
// with a leak of 8 L/min; a watch on the compressor sees the pressures.
static void pressure_switch_has_its_hysteresis(void **unused)
{
    (void)unused;
    Rig rig;
    Crossing running;
    rig_rolling(&rig, 60);
    rig_air(&rig);
    rig_set(&rig, "air.start", "90 psig");
    rig_set(&rig, "air.leak", "0.5 L/min");
    rig.sim_config.step = IB_SECOND / 100;
    rig_start(&rig);
    rig_watch(&rig, &running, "compressor.running", 0.5, "air.pressure");
    assert_int_equal(rig_finish(&rig), IB_OK);
    assert_true(running.count >= 3);
    for (int i = 0; i < running.count && i < 32; i++)
        assert_close(running.values[i], psig(i % 2 ? 95 : 115), 1e-3); // [Pa]
    rig_stop(&rig);
}

// Goal: recovery from 95 to 115 psig takes 8.8170788847 s (reference B6). Method: start at 95 psig
// with the compressor on a bus that hardly sags: the table knows no voltage.
static void compressor_recovers_in_the_time_of_reference_b6(void **unused)
{
    (void)unused;
    Rig rig;
    Crossing running;
    rig_rolling(&rig, 12);
    rig_air(&rig);
    rig_set(&rig, "air.start", "94.999999999 psig");
    rig_start(&rig);
    rig_watch(&rig, &running, "compressor.running", 0.5, "air.pressure");
    assert_int_equal(rig_finish(&rig), IB_OK);
    assert_int_equal(running.count, 1);
    assert_close(running.seconds[0], 8.8170788847, 2e-8); // B6's psi and cfm have ten digits
    rig_stop(&rig);
}

// Goal: `off` and a brownout stop the compressor; a brownout lets go of every solenoid. Method: a
// cylinder that is held out goes back in while outputs are off, and out again afterwards.
static void brownout_lets_go_of_solenoids_and_compressor(void **unused)
{
    (void)unused;
    Rig rig;
    rig_weak(&rig, 4);
    rig_air(&rig);
    rig_set(&rig, "air.start", "90 psig");
    rig_set(&rig, "brownout.hold", "1 s");
    double stroke = rig_cylinder(&rig, "arm")->stroke;
    rig_hold(&rig, IB_TANK_SOLENOIDS, 1);
    rig_input(&rig, IB_TANK_LEFT, false, (Knot[]){{0, 0}, {1, 12}, {1.1, 0}}, 3);
    rig_input(&rig, IB_TANK_RIGHT, false, (Knot[]){{0, 0}, {1, 12}, {1.1, 0}}, 3);
    rig_input(&rig, IB_TANK_COMPRESSOR, false,
              (Knot[]){{0, IB_COMPRESSOR_AUTO}, {3.5, IB_COMPRESSOR_OFF}}, 2);
    rig_run(&rig, 0.05);
    assert_close(rig_at(&rig, 0.95, "cylinder.arm.position"), stroke, 1e-6);
    assert_close(rig_at(&rig, 0.95, "compressor.running"), 1, 0);
    assert_close(rig_at(&rig, 1.9, "cylinder.arm.position"), 0, 1e-6);
    assert_close(rig_at(&rig, 1.9, "compressor.running"), 0, 0);
    assert_close(rig_at(&rig, 1.9, "compressor.current"), 0, 0);
    assert_close(rig_at(&rig, 3.4, "cylinder.arm.position"), stroke, 1e-6);
    assert_close(rig_at(&rig, 3.4, "compressor.running"), 1, 0);
    assert_close(rig_end(&rig, "compressor.running"), 0, 0);
    rig_stop(&rig);
}

// ------------------------------------------------------------------------------ neutral and limits

// Goal: neutral brakes with shorted motors or coasts. Method: from 2 m/s; brake: v = 2 e^(-t/tau)
// with tau = M R r^2/(4 G^2 Kt Ke); coast: 2 m/s.
static void neutral_brakes_or_coasts(void **unused)
{
    (void)unused;
    double R = 12 / 131.227, Kt = 2.429 / 131.227;
    double Ke = (12 - 2.7 * R) / (5310 * 2 * 3.14159265358979323846 / 60);
    double tau = 60 * R * 0.0762 * 0.0762 / (4 * 10.71 * 10.71 * Kt * Ke);
    for (int neutral = IB_NEUTRAL_BRAKE; neutral <= IB_NEUTRAL_COAST; neutral++) {
        Rig rig;
        rig_rolling(&rig, 0.5);
        rig.tank.neutral = neutral;
        rig.tank.planar.velocity_x = 2;
        rig_run(&rig, 0.1);
        for (int i = 0; i < rig.rows.count; i++) {
            double v = neutral == IB_NEUTRAL_BRAKE ? 2 * exp(-rig.rows.t[i] / tau) : 2;
            assert_close(rig_row(&rig, i, "velocity.forward"), v, 1e-9);
            assert_close(rig_row(&rig, i, "battery.current"), 0.5, 0);
        }
        rig_stop(&rig);
    }
}

// Goal: current limits hold at every instant. Method: launch, reversal and spin with stator 40 A
// and supply 25 A a motor, looked at every millisecond; without inductance exactly,
// and both limits act.
static void current_limits_hold(void **unused)
{
    (void)unused;
    Rig rig;
    rig_rolling(&rig, 3);
    rig_set(&rig, "drive.current_limit", "40 A");
    rig_set(&rig, "drive.supply_limit", "25 A");
    rig_input(&rig, IB_TANK_LEFT, false, (Knot[]){{0, 12}, {1, -12}, {2, 12}}, 3);
    rig_input(&rig, IB_TANK_RIGHT, false, (Knot[]){{0, 12}, {1, -12}, {2, -12}}, 3);
    rig_run(&rig, 0.001);
    double most = 0, drawn = 0;
    for (int i = 0; i < rig.rows.count; i++) {
        double left = rig_row(&rig, i, "drive.left.current");
        double right = rig_row(&rig, i, "drive.right.current");
        most = fmax(most, fmax(fabs(left), fabs(right)));
        drawn = fmax(drawn, rig_row(&rig, i, "battery.current"));
    }
    assert_close(most, 40, 1e-9);
    assert_close(drawn, 4 * 25 + 0.5, 1e-9);
    rig_stop(&rig);
}

// ----------------------------------------------------------------------------------------- battery

// Goal: charge falls with the rate effect, and the voltage with the charge. Method: 34 A from a 17
// A h battery are 40 times the 20 h rate: dq/dt = -34 40^0.15/61200; the curve is a straight line.
static void charge_falls_with_the_rate_effect(void **unused)
{
    (void)unused;
    Rig rig;
    rig_rolling(&rig, 600);
    rig_set(&rig, "battery.constant_voltage", "false");
    rig_set(&rig, "battery.open_circuit", "13 V");
    rig_set(&rig, "battery.rate_exponent", "1.15");
    rig_set(&rig, "battery.curve", "0 0, 1 1");
    rig_set(&rig, "background_current", "34 A");
    rig.sim_config.step = IB_SECOND;
    rig_run(&rig, 600);
    double charge = 1 - 600 * 34 * pow(40, 0.15) / (17 * 3600);
    assert_close(rig_end(&rig, "battery.charge"), charge, 1e-12);
    assert_close(rig_end(&rig, "battery.used"), 600 * 34, 1e-8);
    assert_close(rig_end(&rig, "battery.voltage"), 8 + 5 * charge - 0.012 * 34, 1e-11);
    rig_stop(&rig);
}

// Goal: loads that no voltage can serve have a name. Method: 2000 A from a battery whose short
// circuit gives 1000 A.
static void impossible_load_is_called_collapsed(void **unused)
{
    (void)unused;
    for (int i = 0; i < 2; i++) {
        Rig rig;
        rig_rolling(&rig, 0.1);
        rig.tank.equipment.power.background_current = i ? 900 : 2000;
        rig_run(&rig, 0.1);
        assert_close(rig_end(&rig, "battery.collapsed"), i ? 0 : 1, 0);
        assert_close(rig_end(&rig, "battery.voltage"), i ? 12 - 0.012 * 900 : 0, 1e-12);
        rig_stop(&rig);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(breaker_trips_at_the_time_of_its_table),
        cmocka_unit_test(launch_heats_the_breaker_by_the_integral),
        cmocka_unit_test(tripped_breaker_latches_and_the_robot_coasts),
        cmocka_unit_test(branch_breakers_trip_and_reset),
        cmocka_unit_test(brownout_goes_through_its_stages_and_recovers),
        cmocka_unit_test(stages_begin_where_the_voltage_crosses),
        cmocka_unit_test(full_throttle_stutters_until_the_robot_is_fast),
        cmocka_unit_test(tripped_breaker_takes_the_controller_down),
        cmocka_unit_test(gear_follows_its_input),
        cmocka_unit_test(gear_follows_the_shifting_cylinder),
        cmocka_unit_test(stops_are_met_on_time_by_stiff_steps),
        cmocka_unit_test(pressure_switch_has_its_hysteresis),
        cmocka_unit_test(compressor_recovers_in_the_time_of_reference_b6),
        cmocka_unit_test(brownout_lets_go_of_solenoids_and_compressor),
        cmocka_unit_test(neutral_brakes_or_coasts),
        cmocka_unit_test(current_limits_hold),
        cmocka_unit_test(charge_falls_with_the_rate_effect),
        cmocka_unit_test(impossible_load_is_called_collapsed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
