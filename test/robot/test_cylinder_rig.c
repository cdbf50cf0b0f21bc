// test/robot/test_cylinder_rig.c: the cylinder rig against the reference sheet, and under other
// conditions than its own.
#include "robot/cylinder_stand.h"

#define PSI 6894.76 // the thesis's [Pa]

static Stand stand;

// --------------------------------------------------------------------------------- open-loop steps

typedef struct Row {
    double t, x, v, cap, rod, T_cap, T_rod; // [s], [mm], [m/s], [Pa], [K]
} Row;

// Goal: the reference sheet's A4 at every time of a table. Method: rosenbrock at 1e-9, and the
// tolerances of its section F: x 1e-6 m, P 1e-5 relative, T likewise; v, where it gives none, what
// 1e-5 of 8 bar on the piston does in 1 ms, 2e-4 m/s.
static void assert_rows(const Row *rows, int count, double volts)
{
    double at[STAND_ROWS];
    for (int i = 0; i < count; i++) at[i] = rows[i].t;
    at[count - 1] = -1; // the end
    stand_published(&stand, volts, 10);
    stand.at = at;
    stand_run(&stand);
    assert_int_equal(stand.row_count, count);
    for (int i = 0; i < count; i++) {
        assert_close(stand_row(&stand, i, "cylinder.position"), rows[i].x * 1e-3, 1e-6);
        assert_close(stand_row(&stand, i, "cylinder.velocity"), rows[i].v, 2e-4);
        assert_close(stand_row(&stand, i, "cap.pressure"), rows[i].cap, 1e-5 * rows[i].cap);
        assert_close(stand_row(&stand, i, "rod.pressure"), rows[i].rod, 1e-5 * rows[i].rod);
        assert_close(stand_row(&stand, i, "cap.temperature"), rows[i].T_cap, 1e-5 * 300);
        assert_close(stand_row(&stand, i, "rod.temperature"), rows[i].T_rod, 1e-5 * 300);
    }
    stand_stop(&stand);
}

static void slow_step_is_that_of_the_reference(void **unused)
{
    static const Row rows[] = {
        {5.000, 0, 0, 108247.73200, 448159.40000, 306.8716019, 329.7019417},
        {5.010, 0, 0, 119170.04815, 443682.06254, 314.4942047, 328.7574537},
        {5.020, 0, 0, 130092.36430, 439255.77314, 321.1315835, 327.8170183},
        {5.050, 0, 0, 162859.31275, 426276.70121, 336.7322987, 325.0197974},
        {5.100, 0, 0, 217463.32213, 405606.64248, 353.8702897, 320.4366871},
        {5.150, 0, 0, 270678.84139, 386074.14678, 364.7558158, 315.9498375},
        {5.200, 0, 0, 318249.91309, 367609.26628, 371.7408406, 311.5565717},
        {5.300, 1.501012499, 0.0229937137, 336383.84980, 344812.71026, 363.6448335, 305.8938719},
        {5.500, 6.623850957, 0.0278781211, 315287.96041, 317367.64029, 340.1518705, 298.6746986},
        {6.000, 22.610579182, 0.0352562959, 280230.15805, 273884.46890, 313.5759659, 286.1566364},
        {7.000, 44.45, 0, 339757.69955, 111274.07095, 323.8919293, 220.8560906},
        {10.000, 44.45, 0, 389659.61664, 111274.07095, 333.4424631, 220.8560906},
    };
    (void)unused;
    assert_rows(rows, sizeof rows / sizeof *rows, 0.75);
}

static void fast_step_is_that_of_the_reference(void **unused)
{
    static const Row rows[] = {
        {5.000, 0, 0, 108247.73200, 448159.40000, 306.8716019, 329.7019417},
        {5.010, 0, 0, 148056.94393, 436042.85957, 330.3618557, 327.1301352},
        {5.020, 0, 0, 187866.15585, 424299.25949, 345.6052468, 324.5883035},
        {5.050, 0, 0, 305903.76438, 391179.89467, 370.1132006, 317.1380609},
        {5.100, 2.704120968, 0.1891587441, 357493.79989, 363316.34109, 358.8995794, 310.4835768},
        {5.150, 7.385726137, 0.2245529788, 341500.93359, 352336.31014, 340.0723300, 307.7200037},
        {5.200, 11.744342267, 0.1691001953, 341882.11906, 337960.55178, 331.9013864, 304.0261408},
        {5.300, 23.048990899, 0.0217367696, 312609.01247, 333628.86587, 315.1009328, 302.7459061},
        {5.500, 44.45, 0, 304892.23163, 306742.63431, 306.7670567, 295.0749111},
        {6.000, 44.45, 0, 445133.06105, 108379.63559, 334.6774124, 219.1992236},
        {7.000, 44.45, 0, 445133.06105, 108379.63559, 334.6774124, 219.1992236},
        {10.000, 44.45, 0, 445133.06105, 108379.63559, 334.6774124, 219.1992236},
    };
    (void)unused;
    assert_rows(rows, sizeof rows / sizeof *rows, 1.25);
}

// When the piston leaves the retracted stop and when it reaches the other one.
typedef struct Stroke {
    double release, hit;
} Stroke;

// From 5 s on. A piston leaves a stop where the stop's force becomes 0, and is at one where it has
// come within a nanometre.
static Stroke stroke_of(void)
{
    Crossing force, far;
    stand_start(&stand);
    stand_watch(&stand, &force, "cylinder.stop", 1e-7);
    stand_watch(&stand, &far, "cylinder.position", stand.whole.rig.cylinder.stroke - 1e-9);
    if (stand_finish(&stand) != IB_OK) fail_msg("%s", stand.error.text);
    Stroke stroke = {0, 0};
    for (int i = 0; i < force.count && stroke.release == 0; i++)
        if (force.seconds[i] > 5) stroke.release = force.seconds[i];
    for (int i = 0; i < far.count && stroke.hit == 0; i++)
        if (far.seconds[i] > 5) stroke.hit = far.seconds[i];
    stand_stop(&stand);
    return stroke;
}

// Goal: instants of stops. Method: A4's events with printed equations and 5.500275111 s with the
// corrected factor (its "k_exact", the choke ratio making less than 1e-9 s), 1e-6 s as section F
// has it; T10's lower stop 0.056199807 s.
static void stops_are_left_and_reached_on_time(void **unused)
{
    static const struct {
        double volts, release, hit;
    } rows[] = {{0.75, 5.2104032749, 6.5804610993}, {1.25, 5.0599688080, 5.4999887645}};
    (void)unused;
    for (int i = 0; i < 2; i++) {
        stand_published(&stand, rows[i].volts, 7);
        Stroke stroke = stroke_of();
        assert_close(stroke.release, rows[i].release, 1e-6);
        assert_close(stroke.hit, rows[i].hit, 1e-6);
    }
    stand_default(&stand, 6);
    stand_step(&stand, 1.25);
    assert_close(stroke_of().hit, 5.500275111, 1e-6);

    Crossing low;
    stand_published(&stand, 1.25, 0.1);
    stand_start(&stand);
    stand_watch(&stand, &low, "cylinder.position", 1e-9);
    assert_int_equal(stand_finish(&stand), IB_OK);
    assert_true(low.count >= 1);
    assert_close(low.seconds[0], 0.056199807, 1e-8);
    stand_stop(&stand);
}

// Goal: a fixed step without a look at tolerances is close, too. Method: rk4, which divides 1 ms as
// the rig asks, at the times of A4's fast step: 20 um and 1e-4 of the pressures.
static void rk4_is_within_20_um(void **unused)
{
    static const double at[] = {5.1, 5.2, 5.3, 6, -1};
    static const double x[] = {2.704120968, 11.744342267, 23.048990899, 44.45};
    static const double cap[] = {357493.79989, 341882.11906, 312609.01247, 445133.06105};
    (void)unused;
    stand_published(&stand, 1.25, 6.5);
    stand_solver(&stand, IB_RK4, 1e-6, 1e-3);
    stand.at = at;
    stand_run(&stand);
    for (int i = 0; i < 4; i++) {
        assert_close(stand_row(&stand, i, "cylinder.position"), x[i] * 1e-3, 20e-6);
        assert_close(stand_row(&stand, i, "cap.pressure"), cap[i], 1e-4 * cap[i]);
    }
    stand_stop(&stand);
}

typedef struct Shift {
    const char *key, *value;
    double volts, release, hit;
} Shift;

static void assert_shifts(const Shift *rows, int count)
{
    for (int i = 0; i < count; i++) {
        stand_published(&stand, rows[i].volts, 5.1 + rows[i].hit);
        stand.sim_config.solver.tolerance = 1e-8;
        if (rows[i].key[0] == 'h') stand_set(&stand, "heat.law", "walls");
        stand_set(&stand, rows[i].key, rows[i].value);
        Stroke stroke = stroke_of();
        assert_close(stroke.release - 5, rows[i].release, 2e-6);
        assert_close(stroke.hit - 5, rows[i].hit, 2e-6);
    }
}

// Goal: heat of the walls shifts the stroke as the reference sheet says. Method: its A8 (six digits
// of a second after the step), printed equations: 2e-6 s.
static void heat_shifts_the_stroke(void **unused)
{
    static const Shift rows[] = {
        {"heat.coefficient", "60 W/(m^2*K)", 0.75, 0.256091, 1.720949},
        {"heat.coefficient", "60 W/(m^2*K)", 1.25, 0.065178, 0.540003},
        {"heat.coefficient", "200 W/(m^2*K)", 0.75, 0.282102, 1.719673},
        {"heat.coefficient", "200 W/(m^2*K)", 1.25, 0.072227, 0.544661},
        {"heat.coefficient", "1000 W/(m^2*K)", 0.75, 0.294438, 1.717833},
        {"heat.coefficient", "1000 W/(m^2*K)", 1.25, 0.081298, 0.535776},
    };
    (void)unused;
    assert_shifts(rows, sizeof rows / sizeof *rows);
}

// Goal: and so does a spool that lags, 100 Hz, damping 1. Method: A8 again. The spool begins where
// the first command wants it.
static void spool_shifts_the_stroke(void **unused)
{
    static const Shift rows[] = {
        {"valve.spool.dynamics", "second", 0.75, 0.218728, 1.588017},
        {"valve.spool.dynamics", "second", 1.25, 0.067705, 0.507621},
        {"valve.spool.dynamics", "second", 3, 0.024402, 0.161743},
    };
    (void)unused;
    assert_shifts(rows, sizeof rows / sizeof *rows);
}

// -------------------------------------------------------------------------------- other conditions

// Goal: a rod that is held ends at the pressures of Figure 23. Method: the reference sheet's table
// in psia, 1e-6 of it after 4 s; the stop bears the net force of A1.
static void locked_rod_ends_at_figure_23(void **unused)
{
    static const struct {
        double volts, cap, rod, force;
    } rows[] = {{0.5, 40.35, 17.742194926, 90.8677}, {0.75, 56.515327095, 16.138933183, 158.7807}};
    (void)unused;
    for (int i = 0; i < 2; i++) {
        stand_default(&stand, 8);
        stand_set(&stand, "locked", "true");
        stand_set(&stand, "position", "20 mm");
        stand_hold(&stand, 5 + rows[i].volts);
        stand_run(&stand);
        assert_close(stand_end(&stand, "cap.pressure") / PSI, rows[i].cap, 1e-6 * 65);
        assert_close(stand_end(&stand, "rod.pressure") / PSI, rows[i].rod, 1e-6 * 65);
        assert_close(stand_end(&stand, "cylinder.stop"), -rows[i].force, 1e-3);
        assert_close(stand_end(&stand, "cylinder.position"), 0.02, 1e-14);
        stand_stop(&stand);
    }
}

// Goal: gravity acts along the rod. Method: without friction and with both chambers open to one
// pressure the mass falls with g sin(angle): down, level, up, in the first millisecond.
static void orientation_turns_gravity(void **unused)
{
    static const struct {
        const char *angle;
        double along;
    } rows[] = {{"-90 deg", 1}, {"0 deg", 0}, {"90 deg", -1}, {"-30 deg", 0.5}};
    (void)unused;
    for (int i = 0; i < 4; i++) {
        stand_default(&stand, 1e-6);
        stand_set(&stand, "friction.law", "none");
        stand_set(&stand, "orientation", rows[i].angle);
        stand_set(&stand, "position", "20 mm");
        stand_set(&stand, "cap.pressure", "101352.972 Pa");
        stand_set(&stand, "rod.pressure", "101352.972 Pa");
        stand_hold(&stand, 5.25);
        stand_run(&stand);
        assert_close(stand_end(&stand, "cylinder.velocity"), 9.81e-6 * rows[i].along, 1e-9);
        stand_stop(&stand);
    }
}

// Goal: swapped ports are the mirrored command. Method: with areas and pressures that are their own
// mirror image (straight edges, one discharge coefficient) a swapped valve at -Vc does what a
// straight one does at +Vc.
static void swapped_ports_mirror_the_command(void **unused)
{
    double x[2], P[2];
    (void)unused;
    for (int swapped = 0; swapped < 2; swapped++) {
        stand_default(&stand, 0.08);
        stand_set(&stand, "valve.law", "spool");
        stand_set(&stand, "valve.centre", "5 V");
        stand_set(&stand, "valve.discharge.rod", "0.1");
        stand_set(&stand, "valve.discharge.cap", "0.1");
        stand_set(&stand, "valve.swapped", swapped ? "true" : "false");
        stand_hold(&stand, swapped ? 6 : 4);
        stand_run(&stand);
        x[swapped] = stand_end(&stand, "cylinder.position");
        P[swapped] = stand_end(&stand, "cap.pressure");
        stand_stop(&stand);
    }
    assert_true(x[0] < 0.04);
    assert_close(x[1], x[0], 1e-12);
    assert_close(P[1], P[0], 1e-6);
}

// Goal: air that a piston pushes into a line cannot leave through the regulator, and a supply that
// never changes keeps its pressure. Method: 100 kg thrown at 1 m/s into the rod side, which is open
// to the supply; a line's pressure rises above its setting by the air that it got.
static void line_takes_air_back(void **unused)
{
    static const char *const volumes[] = {"0 m^3", "50 mL"};
    (void)unused;
    for (int i = 0; i < 2; i++) {
        stand_default(&stand, 0.03);
        stand_set(&stand, "mass", "100 kg");
        stand_set(&stand, "velocity", "1 m/s");
        stand_set(&stand, "position", "10 mm");
        stand_set(&stand, "supply.volume", volumes[i]);
        stand_hold(&stand, 0);
        stand_run(&stand);
        double above = stand_end(&stand, "supply.pressure") / 448159.4 - 1;
        assert_true(stand_end(&stand, "air.used") < 0); // given back
        assert_true(i ? above > 0.01 : above == 0);
        // With R T/V: what was given back is what the line holds more.
        double kept = above * 448159.4 * 50e-6 / (287 * 298);
        if (i) assert_close(kept, -stand_end(&stand, "air.used"), 1e-6 * kept);
        stand_stop(&stand);
    }
}

// ------------------------------------------------------------------------------------------- check

// Goal: what cannot be is refused with the key's name. Method: a start beyond the stroke, a warm
// start of air that keeps its temperature, a source below the supply.
static void wrong_numbers_are_refused(void **unused)
{
    static const char *const rows[][4] = {
        {"position", "50 mm", NULL, "start.position"},
        {"heat.law", "isothermal", "cap.temperature", "start.cap.temperature"},
        {"supply.volume", "1 L", "supply.source", "supply.source"},
        {"rod", "2 in", NULL, "rod: "},
        {"friction.static", "1 N", NULL, "friction.static"},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ib_Error error;
        stand_default(&stand, 1);
        stand_set(&stand, rows[i][0], rows[i][1]);
        if (i == 1) stand_set(&stand, rows[i][2], "350 K");
        if (i == 2) stand_set(&stand, rows[i][2], "2 bar");
        assert_int_equal(ib_cylinder_rig_check(&stand.whole.rig, &error), IB_BAD_INPUT);
        if (!strstr(error.text, rows[i][3])) fail_msg("%s", error.text);
    }
}

// Goal: a piston that rests in a compliant stop rests under rk4, too. Method: 50 g, 5 mm deep,
// damped by the stop with k a d = 1600 N*s/m and by viscous friction with as much: rk4 is stable
// while the step times both over the mass is below 2.785, and what the rig allows must be.
static void stop_and_friction_damp_together(void **unused)
{
    (void)unused;
    ib_CylinderRigModel model;
    stand_default(&stand, 1);
    ib_CylinderRigConfig *rig = &stand.whole.rig;
    rig->piston.mass = 0.05;
    rig->piston.stops = 1;
    rig->piston.stop_stiffness = 4e5;
    rig->piston.stop_damping = 0.8;
    rig->piston.friction.law = IB_FRICTION_COULOMB_VISCOUS;
    rig->piston.friction.viscous = 1600;
    ib_cylinder_rig_init(rig, &model);
    double state[64] = {0};
    assert_true(model.piston.compliant && model.state_count <= 64);
    ib_cylinder_rig_reset(&model, state);
    state[IB_RIG_POSITION] = -0.005;
    double step = fmin(ib_cylinder_rig_resolution(&model), ib_cylinder_rig_longest(&model, state));
    assert_true(step * (1600 + 1600) / 0.05 < 2.785);
}

// Goal: a step turns the mass on the spring of a compliant stop by no more than the method follows:
// by 0.4 rad an L-stable one, by 0.3 rad rk4. Method: k = 9e5 N/m and m = 0.1 kg swing with
// sqrt(k/m) = 3000 rad/s, faster than all else here: with rigid stops steps may be longer. A few
// roundings of the root.
static void a_compliant_stop_limits_the_step(void **unused)
{
    (void)unused;
    ib_CylinderRigModel model;
    stand_default(&stand, 1);
    ib_CylinderRigConfig *rig = &stand.whole.rig;
    rig->piston.mass = 0.1;
    rig->piston.stop_stiffness = 9e5;
    for (rig->piston.stops = 0; rig->piston.stops < 2; rig->piston.stops++) {
        ib_cylinder_rig_init(rig, &model);
        double stiff = ib_cylinder_rig_resolution_stiff(&model);
        double plain = ib_cylinder_rig_resolution(&model);
        assert_int_equal(model.piston.compliant, rig->piston.stops);
        if (!model.piston.compliant) {
            assert_true(stiff > 0.4 / 3000 && plain > 0.3 / 3000);
            continue;
        }
        assert_close(stiff, 0.4 / 3000, 1e-14 * stiff);
        assert_close(plain, 0.3 / 3000, 1e-14 * plain);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slow_step_is_that_of_the_reference),
        cmocka_unit_test(fast_step_is_that_of_the_reference),
        cmocka_unit_test(stops_are_left_and_reached_on_time),
        cmocka_unit_test(rk4_is_within_20_um),
        cmocka_unit_test(heat_shifts_the_stroke),
        cmocka_unit_test(spool_shifts_the_stroke),
        cmocka_unit_test(locked_rod_ends_at_figure_23),
        cmocka_unit_test(orientation_turns_gravity),
        cmocka_unit_test(swapped_ports_mirror_the_command),
        cmocka_unit_test(line_takes_air_back),
        cmocka_unit_test(wrong_numbers_are_refused),
        cmocka_unit_test(stop_and_friction_damp_together),
        cmocka_unit_test(a_compliant_stop_limits_the_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
