// Tests of plant/actuator/actuator.h: rates and books by hand, gears that never give, layouts,
// starts, refusals. Runs of whole mechanisms are in test/robot/test_bench*.c.
#include "cmocka_all.h"
#include "plant/actuator/actuator.h"
#include "plant/electric/motor_row_now.h"
#include "plant/feed.h"
#include "setting.h"
#include "spread.h"

#include <stdio.h>
#include <string.h>

enum { ROOM = 64 };

static const double R = 12.0 / 133, Kt = 2.42 / 133, g0 = 9.80665;
static const double free_speed = 5310 * 3.14159265358979323846 / 30;
static ib_Error error;

static void write(const ib_Schema *schema, const char *key, const char *text, void *config)
{
    const Setting setting[] = {{key, text}, {NULL, NULL}};
    put_settings(schema, setting, config);
}

// A mechanism with CIMs; settings: pairs of key and text, NULL at their end.
static ib_MechanismSpec spec_of(const char *kind, const char *const *settings)
{
    static const char *const cim[] = {"motor.stall_torque",
                                      "2.42 N*m",
                                      "motor.stall_current",
                                      "133 A",
                                      "motor.free_speed",
                                      "5310 rpm",
                                      "motor.free_current",
                                      "2.7 A",
                                      "motor.rotor_inertia",
                                      "7.75e-5 kg*m^2",
                                      NULL};
    ib_MechanismSpec spec = {.name = "m", .kind = ib_mechanism_kind_find(kind)};
    const ib_Schema *params = &spec.kind->params, *start = &spec.kind->start;
    assert_int_equal(ib_schema_default(params, &spec.config, &error), IB_OK);
    assert_int_equal(ib_schema_default(start, &spec.config, &error), IB_OK);
    for (int i = 0; cim[i]; i += 2) write(params, cim[i], cim[i + 1], &spec.config);
    for (int i = 0; settings && settings[i]; i += 2)
        write(ib_schema_find(start, settings[i]) ? start : params, settings[i], settings[i + 1],
              &spec.config);
    return spec;
}

#define SPEC(kind, ...) spec_of(kind, (const char *const[]){__VA_ARGS__, NULL})

// It stands behind 3 states, 7 inputs, 1 guard and 2 bridges of a base.
static void make(const ib_MechanismSpec *spec, ib_Actuator *a, ib_Declarations *d)
{
    static ib_Arena arena;
    static int base[4];
    ib_arena_reset(&arena);
    *d = (ib_Declarations){.arena = &arena, .signals.arena = &arena};
    ib_declare_states(d, 3, IB_STATE, &base[0]);
    for (int i = 0; i < 7; i++) ib_declare_input(d, (ib_InputDef){0}, &base[1]);
    ib_declare_guards(d, 1, &base[2]);
    ib_declare_bridges(d, 2, &base[3]);
    ib_actuator_init(spec, NULL, a);
    ib_actuator_declare(a, d);
    ib_actuator_declare_signals(a, d);
    assert_true(ib_declare_finish(d));
}

// -------------------------------------------------------------------------------------------- rate

// On the bus `now`, in the gravity g0, without air.
static void rate(const ib_Actuator *a, const double *x, const double *input, const ib_PowerNow *now,
                 double *dx)
{
    static const ib_Feed feed;
    ib_MotorRowNotes motors;
    ib_Wires w = {.x = x, .input = input, .feed = &feed, .power = *now, .gravity = g0, .on = true};
    ib_actuator_offer(a, &w);
    ib__motor_row_push(&a->motors, &motors, &w);
    ib_actuator_rate(a, &motors, &w, dx);
    assert_true(w.draw.taken == 0 && w.draw.vented == 0);
}

// Goal: the rate is Newton's with the gear's loss, friction and brake, and every power is booked.
// Method: a carriage that rises at 0.6 m/s by hand: 2 motors at 30 A on a bus of 11 V, 12:1 with
// eta = 0.8, drum 2.5 cm, 7 kg, guides 15 N s/m, dry friction 20 N, a gain of 0.9 on the torque.
static void rate_matches_hand_computation(void **state)
{
    (void)state;
    ib_MechanismSpec spec = SPEC("elevator", "motors", "2", "reduction", "12", "drum_radius",
                                 "2.5 cm", "mass", "7 kg", "friction", "15 N*s/m", "dry_friction",
                                 "20 N", "efficiency", "0.8", "loss", "viscous");
    ib_Actuator a;
    ib_Declarations places;
    make(&spec, &a, &places);
    double x[ROOM] = {0}, dx[ROOM] = {0}, input[ROOM] = {0}, v = 0.6, w = 12 * v / 0.025;
    x[a.speed[0]] = v;
    x[a.mode[0]] = IB_JOINT_FORWARD;
    input[a.motors.gain] = 0.9;
    ib_PowerNow now = {.E = 12, .bus = {.voltage = 11}};
    now.bus.bridge[a.motors.bridge] =
        (ib_BridgeResult){.volts = 8, .current = 30, .drawn = 8 * 30 / 11.0};
    rate(&a, x, input, &now, dx);

    double Ke = (12 - 2.7 * R) / free_speed, b = Kt * 2.7 / free_speed;
    double whole = Kt * 30 - b * w, T = 0.9 * whole, e = 1 - 0.2 * w / (w + 10);
    double F = 2 * 12 * T * e / 0.025 - 7 * g0 - 15 * v - 20, all = 7 + 2 * 144 * 7.75e-5 / 6.25e-4;
    const double *books = dx + a.books;
    assert_close(dx[a.position[0]], v, 0);
    assert_close(dx[a.speed[0]], F / all, 1e-12);
    assert_close(dx[a.mode[0]], 0, 0);
    assert_close(books[IB_ACTUATOR_ELECTRIC], 2 * 8 * 30, 1e-10);
    assert_close(books[IB_ACTUATOR_COPPER], 2 * R * 900, 1e-10);
    assert_close(books[IB_ACTUATOR_CONVERSION], 2 * (Ke - Kt) * 30 * w, 1e-10);
    assert_close(books[IB_ACTUATOR_LOSS], 2 * (b * w + 0.1 * whole) * w, 1e-10);
    assert_close(books[IB_ACTUATOR_GEAR], 2 * T * w * (1 - e), 1e-10);
    assert_close(books[IB_ACTUATOR_FRICTION], 15 * v * v + 20 * v, 1e-12);
    assert_close(books[IB_ACTUATOR_STOP], 0, 0);
}

// Goal: a gear takes its share both ways and never gives: driven it passes on eta, back-driven the
// load has to bring 1/eta of what the motor takes. Method: random speeds and currents; P is the
// motor's power, T w what the shaft gets; far from rest the closed form, everywhere T w <= P.
static void gear_never_gives_energy(void **state)
{
    (void)state;
    ib_MechanismSpec spec = SPEC("turret", "reduction", "30", "efficiency", "0.7");
    ib_Actuator a;
    ib_Declarations places;
    make(&spec, &a, &places);
    for (uint64_t i = 0; i < 2000; i++) {
        double x[ROOM] = {0}, dx[ROOM] = {0}, input[ROOM] = {0};
        double size = i % 2 ? 40 : 0.2, w = size * (2 * chance_uniform(1, 0, i) - 1);
        double I = 100 * (2 * chance_uniform(1, 1, i) - 1), wm = 30 * w, P = Kt * I * wm;
        x[a.speed[0]] = w;
        input[a.motors.gain] = 1;
        ib_PowerNow now = {.E = 12, .bus = {.voltage = 12}};
        now.bus.bridge[a.motors.bridge] = (ib_BridgeResult){.current = I};
        rate(&a, x, input, &now, dx);
        double inertia = 0.2 + 900 * 7.75e-5, got = dx[a.speed[0]] * inertia * w;
        double share = fabs(wm) / (fabs(wm) + 10);
        double e = P > 0 ? 1 - 0.3 * share : 1 + (1 / 0.7 - 1) * share;
        assert_close(got, P * e, 1e-12 * (1 + fabs(P)));
        assert_true(got <= P + 1e-12 * fabs(P));
        assert_close(dx[a.books + IB_ACTUATOR_GEAR], P - got, 1e-12 * (1 + fabs(P)));
    }
}

// Goal: in a bridge that coasts nothing flows, to the bit, at any speed. Method: an inductive
// winding; a back-EMF that is computed in two ways would leave a rounding over L.
static void open_winding_carries_nothing(void **state)
{
    (void)state;
    ib_MechanismSpec spec =
        SPEC("roller", "current", "implicit", "neutral", "coast", "reduction", "3.7");
    ib_PowerConfig config = {.battery = {.open_circuit = 12, .capacity = 6e4, .rate_exponent = 1},
                             .charge = 1};
    ib_Feed feed;
    ib_Actuator a;
    ib_Declarations places;
    make(&spec, &a, &places);
    config.battery.constant_voltage = true;
    ib_feed_init(&config, &feed);
    feed.power.books = (ib_PowerBooks){0, 1, 2, 2};
    for (uint64_t i = 0; i < 1000; i++) {
        double x[ROOM] = {0}, dx[ROOM] = {0}, input[ROOM] = {0};
        ib_Wires w = {.x = x, .input = input, .feed = &feed, .on = true};
        ib_PowerNow now;
        for (int k = 0; k < 2; k++) w.bridge[k].open = true;
        x[a.speed[0]] = 500 * (2 * chance_uniform(2, 0, i) - 1);
        input[a.motors.gain] = 1;
        ib_actuator_offer(&a, &w);
        assert_true(w.bridge[a.motors.bridge].open && w.bridge[a.motors.bridge].given);
        ib_power_solve(&feed.power, x, w.bridge, 3, NULL, &now);
        rate(&a, x, input, &now, dx);
        assert_close(dx[a.motors.current], 0, 0);
        assert_close(dx[a.books + IB_ACTUATOR_ELECTRIC], 0, 0);
    }
    // One that opens under current burns what it holds, L I^2/2.
    double x[ROOM] = {0};
    ib_Wires w = {.x = x, .power = {.E = 12}};
    w.bridge[a.motors.bridge].open = true;
    x[a.motors.current] = 20;
    assert_true(ib_motor_row_settle(&a.motors, &w, x));
    assert_close(x[a.motors.current], 0, 0);
    assert_close(x[a.books + IB_ACTUATOR_COPPER], 0.5 * 59e-6 * 400, 1e-15);
    assert_false(ib_motor_row_settle(&a.motors, &w, x));
}

// ------------------------------------------------------------------------------------------ layout

// Goal: every kind takes what it needs, in one piece, and shows each of its states but the switch
// of a ball. Method: all options on; the places grow by what was taken.
static void parts_take_their_places(void **state)
{
    (void)state;
    for (int k = 0; ib_mechanism_kinds[k]; k++) {
        const ib_MechanismKind *kind = ib_mechanism_kinds[k];
        if (kind->start.count == 0) continue;
        ib_MechanismSpec spec = SPEC(kind->name, "current", "implicit", "dry_friction",
                                     kind == ib_mechanism_kind_find("elevator") ||
                                             kind == ib_mechanism_kind_find("lift") ||
                                             kind == ib_mechanism_kind_find("two_mass")
                                         ? "1 N"
                                         : "1 N*m");
        ib_Actuator a;
        ib_Declarations places;
        make(&spec, &a, &places);
        assert_int_equal(places.bridge_count, 2 + a.drive_count);
        assert_int_equal(places.input_count, 7 + 2 * a.drive_count + a.joint_count +
                                                 (kind->jolt != NULL) + (kind->carry != NULL));
        int modes = 0, hidden = 0;
        for (int j = 0; j < a.joint_count; j++) modes += a.mode[j] >= 0;
        assert_int_equal(places.guard_count, 1 + modes);
        for (int i = 0; i < places.state_count; i++) hidden += i >= 3 && places.shown[i] < 0;
        assert_int_equal(hidden, kind->jolt != NULL);
        ib_SignalTable table = places.signals;
        for (int i = 0; i < table.count; i++)
            for (int j = 0; j < i; j++)
                assert_string_not_equal(table.items[i].name, table.items[j].name);
    }
}

// Goal: the longest step of a fixed-step solver is half of the fastest time constant, that of a
// gear driven backwards included. Method: J/drag of a wheel by hand; eta = 0.5 brakes four times as
// fast as the desk's drag says; a winding has L/(R + N Rb)/8.
static void resolution_is_that_of_the_fastest_part(void **state)
{
    (void)state;
    const char *const eta[] = {"1", "0.5"};
    double Ke = (12 - 2.7 * R) / free_speed, drag = 2 * 9 * Kt * Ke / R, J = 0.001;
    for (int k = 0; k < 2; k++) {
        ib_MechanismSpec spec = SPEC("flywheel", "motors", "2", "reduction", "3", "inertia",
                                     "0.001 kg*m^2", "rotors", "false", "efficiency", eta[k]);
        ib_Actuator a;
        ib_Declarations places;
        make(&spec, &a, &places);
        assert_close(ib_actuator_resolution(&a, 0.01), 0.5 * J / drag * (k ? 0.5 : 1), 1e-12);
    }
    ib_MechanismSpec spec = SPEC("flywheel", "motors", "2", "current", "implicit");
    ib_Actuator a;
    ib_Declarations places;
    make(&spec, &a, &places);
    assert_close(ib_actuator_resolution(&a, 0.01), 59e-6 / (R + 0.02) / 8, 1e-12);
}

// Goal: mass and its centre go with the joints. Method: an arm of 3 kg, 0.4 m, at 30 degrees on a
// post; a platform of 20 kg with 6 kg of counterweights that sink as it rises;
// a wheel weighs nothing.
static void cargo_moves_with_the_joints(void **state)
{
    (void)state;
    ib_MechanismSpec arm = SPEC("single_arm", "mass", "3 kg", "center", "40 cm", "place.x", "10 cm",
                                "place.y", "-20 cm", "place.z", "50 cm");
    ib_MechanismSpec pad = SPEC("lift", "mass", "20 kg", "counterweight", "6 kg", "place.z", "1 m");
    ib_MechanismSpec wheel = SPEC("flywheel", "place.z", "1 m");
    ib_Actuator a;
    ib_Declarations places;
    ib_Cargo cargo = {0};
    double x[ROOM] = {0};
    make(&arm, &a, &places);
    x[a.position[0]] = 3.14159265358979323846 / 6;
    ib_actuator_cargo(&a, x, &cargo);
    assert_close(cargo.mass, 3, 0);
    assert_close(cargo.x, 3 * (0.1 + 0.4 * sqrt(0.75)), 1e-15);
    assert_close(cargo.y, -0.6, 1e-15);
    assert_close(cargo.z, 3 * (0.5 + 0.2), 1e-15);
    cargo = (ib_Cargo){0};
    make(&pad, &a, &places);
    x[a.position[0]] = 0.2;
    x[a.position[1]] = 0.4;
    ib_actuator_cargo(&a, x, &cargo);
    assert_close(cargo.mass, 26, 0);
    assert_close(cargo.z, 26 * 1 + 20 * 0.3 - 6 * 0.3, 1e-13);
    make(&wheel, &a, &places);
    ib_actuator_cargo(&a, x, &cargo);
    assert_close(cargo.mass, 26, 0);
}

// ------------------------------------------------------------------------------------------ starts

// Goal: an arm that a cylinder moves has no rotors, and without them it must have an inertia of its
// own. Method: a mass in the joint is refused, moved by motors it is not; an inertia helps.
static void inertia_of_rotors_is_none_of_a_cylinder(void **state)
{
    (void)state;
    ib_MechanismSpec motors = SPEC("single_arm", "center", "0 m");
    assert_int_equal(ib_mechanism_spec_check(&motors, &error), IB_OK);
    ib_MechanismSpec air =
        SPEC("single_arm", "center", "0 m", "cylinder", "on", "cylinder.stroke", "10 cm");
    assert_int_equal(ib_mechanism_spec_check(&air, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "inertia: nothing has inertia about the joint"));
    ib_MechanismSpec heavy = SPEC("single_arm", "center", "0 m", "cylinder", "on",
                                  "cylinder.stroke", "10 cm", "inertia", "0.1 kg*m^2");
    ib_mechanism_spec_start(&heavy, 0, 0);
    assert_int_equal(ib_mechanism_spec_check(&heavy, &error), IB_OK);
}

// Goal: a start that was not given is 0 or the nearer stop, one beyond a stop is refused by its
// key. Method: travels on either side of 0; both ends of a platform;
// only the carriage of a belt has stops.
static void starts_lie_between_the_stops(void **state)
{
    (void)state;
    const struct {
        const char *travel;
        double start;
    } cases[] = {{"-1 m, 2 m", 0}, {"0.5 m, 2 m", 0.5}, {"-3 m, -2 m", -2}, {"off", 0}};
    for (int k = 0; k < 4; k++) {
        ib_MechanismSpec spec = SPEC("elevator", "travel", cases[k].travel);
        ib_mechanism_spec_start(&spec, 0, 0);
        const void *config = &spec.config;
        assert_close(((const ib_MechanismConfig *)config)->act.position[0], cases[k].start, 0);
        assert_int_equal(ib_mechanism_spec_check(&spec, &error), IB_OK);
    }
    ib_MechanismSpec high = SPEC("elevator", "travel", "0 m, 1 m", "position", "1.5 m");
    assert_int_equal(ib_mechanism_spec_check(&high, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "start.position: 1.5 m is beyond a stop: expected 0 to 1"));
    ib_MechanismSpec end = SPEC("lift", "travel", "0 m, 1 m", "right.position", "-1 mm");
    assert_int_equal(ib_mechanism_spec_check(&end, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "start.right.position: -0.001 m is beyond a stop"));
    ib_MechanismSpec pulley = SPEC("two_mass", "travel", "0 m, 1 m", "motor.position", "1.1 m");
    assert_int_equal(ib_mechanism_spec_check(&pulley, &error), IB_OK);
    ib_MechanismSpec arm = SPEC("single_arm", "inertia", "0.01 kg*m^2");
    assert_int_equal(ib_mechanism_spec_check(&arm, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "inertia: "));
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rate_matches_hand_computation),
        cmocka_unit_test(gear_never_gives_energy),
        cmocka_unit_test(open_winding_carries_nothing),
        cmocka_unit_test(parts_take_their_places),
        cmocka_unit_test(resolution_is_that_of_the_fastest_part),
        cmocka_unit_test(cargo_moves_with_the_joints),
        cmocka_unit_test(inertia_of_rotors_is_none_of_a_cylinder),
        cmocka_unit_test(starts_lie_between_the_stops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
