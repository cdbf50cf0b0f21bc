// test/robot/test_cylinder_review.c: how fast the parts of the cylinder rig are, what that asks of
// a solver, and whether the rig's own choice is right. docs/solver/solver_review.md has the
// whole review.
#include "cylinder_review.h"
#include "cylinder_stand.h"

static void begin(Review *r, double mass, bool inches, ib_SolverKind kind)
{
    review_default(r);
    r->config.piston.mass = mass;
    if (inches) r->config.piston.friction.velocity_unit = 0.0254;
    review_begin(r, kind, 0);
}

// Goal: friction at rest is as fast as reference A7 says, for the rig and for a leg's masses.
// Method: -dF/dv/m at v = 0. A7 prints -4014.52 and -158052.0 1/s at 0.2 kg, and "-350 .. -8 1/s"
// for 2.3 to 105 kg, where F_S k + C_V = 4.5*40 + 0.5 lbf s/m = 802.904 N s/m divided by the mass.
static void friction_is_as_fast_as_the_reference_says(void **state)
{
    (void)state;
    static const struct {
        double mass, lambda;
        bool inches;
    } cases[] = {{0.2, -4014.52, false},       {0.2, -158052.0, true},
                 {2.3, -802.904 / 2.3, false}, {8, -802.904 / 8, false},
                 {14, -802.904 / 14, false},   {105, -802.904 / 105, false}};
    for (int i = 0; i < 6; i++) {
        Review r;
        begin(&r, cases[i].mass, cases[i].inches, IB_RK4);
        double lambda =
            -ib_friction_slope(&r.rig.piston.friction, 0, 0.02, 0) * r.rig.piston.per_mass;
        assert_true(fabs(lambda / cases[i].lambda - 1) < 2e-6); // the printed digits
        review_end(&r);
    }
}

// Goal: the longest stable steps are those of A7, measured.
// Method: friction alone on 0.2 kg; bisection on the step: does a speed of 0.1 um/s die out within
// 4000 steps? Expected: A7's figures, to their four digits.
static void steps_are_stable_up_to_the_reference(void **state)
{
    (void)state;
    static const struct {
        ib_SolverKind kind;
        bool inches;
        double step;
    } cases[] = {{IB_EULER, false, 0.4982e-3},
                 {IB_RK4, false, 0.6938e-3},
                 {IB_DOPRI5, false, 0.8237e-3},
                 {IB_RK4, true, 0.01762e-3},
                 {IB_DOPRI5, true, 0.02092e-3}};
    for (int i = 0; i < 5; i++) {
        Review r;
        begin(&r, 0.2, cases[i].inches, cases[i].kind);
        r.air_held = true;
        review_place(&r, 0.02, 0, 2e5, 2e5, 298, 298);
        double found = review_longest(&r, 0.1 * cases[i].step, 10 * cases[i].step);
        assert_true(fabs(found / cases[i].step - 1) < 3e-4);
        review_end(&r);
    }
}

// Goal: a stiff step is stable however long, on the same start.
// Method: steps of 1 ms and of 0.1 s with friction in in/s (h lambda = -158 and -15805): the speed
// falls to nothing.
static void a_stiff_step_is_never_too_long_to_be_stable(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        Review r;
        begin(&r, 0.2, true, IB_STIFF);
        r.air_held = true;
        review_place(&r, 0.02, 1e-4, 2e5, 2e5, 298, 298);
        for (int k = 0; k < 20; k++) assert_true(review_advance(&r, i ? 0.1 : 1e-3));
        assert_true(fabs(r.state[IB_RIG_VELOCITY]) < 1e-9);
        review_end(&r);
    }
}

// Goal: a chamber through a wide open valve is as fast as A7 says.
// Method: eigenvalues of the exact Jacobian 1 mm from the retracted end at 0 V, within the laminar
// zone of the exhaust: -9640 1/s (0.9999) and -3080 1/s (0.999), printed to three digits.
static void an_open_valve_is_as_fast_as_the_reference_says(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        double wanted = i ? -3080 : -9640, nearest = INFINITY;
        ib_Complex values[6];
        Review r;
        review_default(&r);
        review_set(&r, "orifice.laminar", i ? "0.999" : "0.9999");
        review_begin(&r, IB_RK4, 0);
        review_place(&r, 0.001, 0, 108248, 448159, 298, 298);
        review_eigenvalues(&r, values);
        for (int k = 0; k < 6; k++)
            if (values[k].im == 0) nearest = fmin(nearest, fabs(values[k].re - wanted));
        assert_true(nearest < 5);
        review_end(&r);
    }
}

// Goal: the piston between its cushions swings at 41.5 Hz, and grows on the falling branch of the
// friction's curve: A7's -9.0 +- 260.8i at 0.2 m/s, and +155 and +426 1/s at 0.09 m/s.
// Method: exact Jacobian at mid-stroke with pressures and temperatures of the +1.25 V step at 5.2 s
// (A4); A7 does not name its own. Here the states are mass and energy of the air. Away from a
// balance a change of states changes the eigenvalues: in pressures the damping is 1.2 1/s more, as
// test/sim/test_linearise_cylinder.c shows.
// Check by hand:  w^2 = k (P_c A_c/(x + 12 mm) + P_r A_r/(s - x + 18 mm))/m
//   = 1.4 (341882.12 * 0.0163850 + 337960.55 * 0.0121695)/0.2 = 68001 1/s^2, w = 260.77 1/s
static void the_piston_swings_and_grows_as_the_reference_says(void **state)
{
    (void)state;
    ib_Complex at[2][6];
    for (int i = 0; i < 2; i++) {
        Review r;
        begin(&r, 0.2, false, IB_RK4);
        r.input[IB_RIG_VALVE] = 6.25;
        review_place(&r, 0.022225, i ? 0.09 : 0.2, 341882.11906, 337960.55178, 331.9013864,
                     304.0261408);
        review_eigenvalues(&r, at[i]);
        review_end(&r);
    }
    assert_true(fabs(at[0][0].im - 260.8) < 0.3 && fabs(at[0][0].im - 260.77) < 0.3);
    assert_true(fabs(at[0][0].re + 9.0) < 1.5);
    assert_true(at[1][0].im == 0 && at[1][1].im == 0);
    assert_true(fabs(at[1][0].re - 426) < 2 && fabs(at[1][1].re - 155) < 3);
    // The two of the falling branch: their product is the spring's w^2, to what the valve takes.
    assert_true(fabs(at[1][0].re * at[1][1].re / (260.77 * 260.77) - 1) < 0.06);
}

typedef struct Rest {
    double speed, way;
} Rest;

static Rest at_rest(ib_SolverKind kind, double h)
{
    Review r;
    double low = 1, high = -1;
    Rest rest = {0};
    review_default(&r);
    r.closed = r.plain = true;
    r.kp = 152.93, r.kd = 5, r.goal = 0.01;
    review_begin(&r, kind, 0);
    for (int64_t k = 0; k < llround(5 / h); k++) {
        if ((double)k * h > 2 - 1e-9) r.goal = 0.03;
        assert_true(review_advance(&r, h));
        if ((double)k * h < 4) continue;
        low = fmin(low, r.state[IB_RIG_POSITION]);
        high = fmax(high, r.state[IB_RIG_POSITION]);
        rest.speed = fmax(rest.speed, fabs(r.state[IB_RIG_VELOCITY]));
    }
    rest.way = high - low;
    review_end(&r);
    return rest;
}

// Goal: what a step that is too long makes up, as A7 tells: at 1 ms DoPri5 shows 13.3 mm/s of a
// piston that stands still; at 640 Hz it chatters with 0.09 m/s and 0.63 mm; at 0.5 ms it is clean.
// Method: the closed loop of A5, 2 s after its second step, in plain steps without events, as the
// thesis's program made them. Chatter is not periodic, and its size depends on the last bit: the
// speed within a third, the way within a factor of 2.5. A stiff step of the same lengths is clean.
static void a_long_explicit_step_makes_up_motion(void **state)
{
    (void)state;
    Rest one = at_rest(IB_DOPRI5, 1e-3), thesis = at_rest(IB_DOPRI5, 1.0 / 640);
    Rest half = at_rest(IB_DOPRI5, 5e-4);
    assert_true(fabs(one.speed - 0.0133) < 2e-4 && one.way < 1e-4); // at 13 mm/s it would be 13 mm
    assert_true(fabs(thesis.speed / 0.09 - 1) < 0.34 && thesis.way > 0.4e-3 && thesis.way < 1.6e-3);
    assert_true(half.speed < 1e-3);
    assert_true(at_rest(IB_STIFF, 1e-3).speed < 1e-3);
    assert_true(at_rest(IB_STIFF, 1.0 / 640).speed < 1e-3);
}

// ------------------------------------------------------------------------------------- the default

typedef struct Choice {
    const char *mass, *key, *text, *key_2, *text_2;
} Choice;

static const Choice choices[] = {
    {"0.2 kg", NULL, NULL, NULL, NULL},
    {"2.3 kg", NULL, NULL, NULL, NULL},
    {"8 kg", NULL, NULL, NULL, NULL},
    {"105 kg", NULL, NULL, NULL, NULL},
    {"0.2 kg", "friction.velocity_unit", "1 in/s", NULL, NULL},
    {"2.3 kg", "friction.velocity_unit", "1 in/s", NULL, NULL},
    {"0.2 kg", "friction.law", "lugre", NULL, NULL},
    {"0.2 kg", "friction.law", "saturated", NULL, NULL},
    {"0.2 kg", "friction.law", "saturated", "friction.saturation_speed", "1 mm/s"},
    {"0.2 kg", "valve.spool.dynamics", "second", NULL, NULL},
    {"0.2 kg", "heat.law", "walls", "heat.coefficient", "1000 W/(m^2*K)"},
    {"0.2 kg", "supply.volume", "5 cm^3", NULL, NULL},
    {"0.2 kg", "stops.law", "compliant", NULL, NULL},
    {"0.2 kg", "stops.restitution", "0.5", NULL, NULL},
    {"0.2 kg", "orifice.law", "iso_6358", "orifice.laminar", "0.999"},
    {"0.2 kg", "valve.law", "linear", NULL, NULL},
};
enum { CHOICES = sizeof choices / sizeof choices[0], LOOKS = 60 };

// Runs a stand by the rig's own choice of solver at `step`, or, where that is 0, by a tight
// rosenbrock; looks at it LOOKS times, `every` from `from` on.
static void look(Stand *stand, double step, double from, double every, double rows[LOOKS][4])
{
    double at[LOOKS + 2];
    ib_SolverConfig wish = {IB_ROSENBROCK, 1e-10, 1e-9};
    if (step > 0) ib_cylinder_rig_kind.solver(&stand->whole, &wish);
    stand_solver(stand, wish.kind, wish.tolerance, step > 0 ? step : 0.1);
    for (int i = 0; i < LOOKS; i++) at[i] = from + every * (i + 1);
    at[LOOKS] = at[LOOKS + 1] = -1; // and one for the end
    stand->at = at;
    stand_run(stand);
    for (int i = 0; i < LOOKS; i++) {
        rows[i][0] = stand_row(stand, i, "cylinder.position");
        rows[i][1] = stand_row(stand, i, "cap.pressure");
        rows[i][2] = stand_row(stand, i, "rod.pressure");
        rows[i][3] = stand_row(stand, i, "energy.error");
    }
    stand_stop(stand);
}

// A run to +1.25 V with looks every 25 ms.
static void look_at(const Choice *choice, double step, double rows[LOOKS][4])
{
    Stand *stand = malloc(sizeof *stand);
    assert_non_null(stand);
    stand_default(stand, 6.6);
    stand_set(stand, "mass", choice->mass);
    if (stand->whole.rig.piston.mass > 1)
        stand->whole.rig.orientation = 0; // a leg's mass has no weight here
    if (choice->key) stand_set(stand, choice->key, choice->text);
    if (choice->key_2) stand_set(stand, choice->key_2, choice->text_2);
    stand_step(stand, 1.25);
    look(stand, step, 5, 0.025, rows);
    free(stand);
}

// Goal: a file without `solver:` is right to 20 um and to 1e-4 of the pressures, at 1 kHz and at
// 640 Hz, for the rig, a leg's masses and every law that could be hard on a step.
// Method: runs with the rig's own choice of solver, against rosenbrock at 1e-10.
static void the_default_is_right_with_every_law(void **state)
{
    (void)state;
    for (int i = 0; i < CHOICES; i += IB_ROUNDS(1, 5)) {
        double truth[LOOKS][4], rows[LOOKS][4];
        look_at(&choices[i], 0, truth);
        for (int fast = 0; fast < 2; fast++) {
            look_at(&choices[i], fast ? 1e-3 : 1.0 / 640, rows);
            for (int k = 0; k < LOOKS; k++) {
                bool good = fabs(rows[k][0] - truth[k][0]) < 20e-6 &&
                            fabs(rows[k][1] / truth[k][1] - 1) < 1e-4 &&
                            fabs(rows[k][2] / truth[k][2] - 1) < 1e-4;
                if (!good)
                    fail_msg("%s %s %s at %d Hz, %g s: x off by %g m, pressures by %g and %g",
                             choices[i].mass, choices[i].key ? choices[i].key : "",
                             choices[i].key ? choices[i].text : "", fast ? 1000 : 640,
                             5 + 0.025 * (k + 1), rows[k][0] - truth[k][0],
                             rows[k][1] / truth[k][1] - 1, rows[k][2] / truth[k][2] - 1);
            }
        }
    }
}

// What is hard at the start of a run, beside the rig itself: where a valve is wide open, flows
// cease to be choked within a step, and the piston passes stops, cushions and zones of its seals.
static const struct {
    const char *key, *text, *key_2, *text_2, *key_3, *text_3;
} starts[] = {
    {NULL, NULL, NULL, NULL, NULL, NULL},
    {"supply.pressure", "30 psig", NULL, NULL, NULL, NULL},
    {"valve.swapped", "true", NULL, NULL, NULL, NULL},
    {"friction.ends.cap", "3", "friction.ends.rod", "2", "friction.end_zone", "8 mm"},
    {"cushion.length", "10 mm", NULL, NULL, NULL, NULL},
    {"stops.law", "compliant", "friction.law", "none", NULL, NULL},
    {"valve.law", "holes", NULL, NULL, NULL, NULL},
    {"mass", "2.3 kg", NULL, NULL, NULL, NULL},
};

static void look_at_start(int number, bool own, double rows[LOOKS][4])
{
    Stand *stand = malloc(sizeof *stand);
    const char *const *words = &starts[number].key;
    assert_non_null(stand);
    stand_default(stand, 0.13);
    for (int i = 0; i < 6 && words[i]; i += 2) stand_set(stand, words[i], words[i + 1]);
    stand_hold(stand, 0);
    look(stand, own ? 1e-3 : 0, 0, 2e-3, rows);
    free(stand);
}

// Goal: a file without `solver:` is right from its first step on: to 20 um, 3e-4 of the pressures
// and 1e-4 J of the book. Method: the first 0.12 s of a wide open valve, from the thesis's start,
// against rosenbrock at 1e-10. (Steps that are not made again where their own error is above 1e-4
// were off by 60 to 80 um, by 3e-3 to 4e-3 and by 1e-3 to 7e-3 J.)
static void the_default_is_right_from_the_start(void **state)
{
    (void)state;
    for (int i = 0; i < (int)(sizeof starts / sizeof starts[0]); i++) {
        double truth[LOOKS][4], rows[LOOKS][4], most[4] = {0};
        look_at_start(i, false, truth);
        look_at_start(i, true, rows);
        for (int k = 0; k < LOOKS; k++) {
            most[0] = fmax(most[0], fabs(rows[k][0] - truth[k][0]));
            most[1] = fmax(most[1], fabs(rows[k][1] / truth[k][1] - 1));
            most[2] = fmax(most[2], fabs(rows[k][2] / truth[k][2] - 1));
            most[3] = fmax(most[3], fabs(rows[k][3]));
        }
        print_message("  %s: %.2g m, %.2g, %.2g, %.2g J\n", starts[i].key ? starts[i].key : "rig",
                      most[0], most[1], most[2], most[3]);
        assert_true(most[0] < 20e-6 && most[1] < 3e-4 && most[2] < 3e-4 && most[3] < 1e-4);
    }
}

// Goal: steps that are made again are few. Method: rate calls of each millisecond of a run, the
// opening and a step of 1.25 V: 12 in 95 of 100, 150 where a stop is met or left, and 400 at most,
// in the first one: sixteen halves of a step, each with a Jacobian by differences, and what was
// tried before.
static void few_steps_are_made_again(void **state)
{
    (void)state;
    Stand *stand = malloc(sizeof *stand);
    assert_non_null(stand);
    stand_default(stand, 2);
    stand_solver(stand, IB_STIFF, 1e-6, 1e-3);
    stand_input(stand, IB_RIG_VALVE, false, (Knot[]){{0, 0}, {1, 6.25}}, 2);
    stand_start(stand);
    int plain = 0, most = 0;
    for (int k = 1; k <= 2000; k++) {
        int64_t before = ib_sim_solver_counts(stand->sim).evaluations;
        assert_int_equal(ib_sim_advance(stand->sim, k * (IB_SECOND / 1000), &stand->error), IB_OK);
        int calls = (int)(ib_sim_solver_counts(stand->sim).evaluations - before);
        plain += calls <= 14;
        most = calls > most ? calls : most;
    }
    print_message("  %d of 2000 plain, at most %d calls\n", plain, most);
    assert_true(plain > 1900 && most < 400);
    stand_stop(stand);
    free(stand);
}

// Goal: the default's cost is known beforehand: 12 rate calls a millisecond for the rig, 6 for a
// leg's masses, whatever happens, but for the step in which a stop is met (and for those that a run
// makes again, above).
// Method: the solver's own count over every step of a stroke. Where air comes back (the cap side
// below the exhaust's pressure at the start, a chamber that a heavy mass presses above the
// supply's), the Jacobian is by differences: 8 calls more.
static void the_default_has_a_fixed_cost(void **state)
{
    (void)state;
    static const double masses[] = {0.2, 2.3, 8, 14, 105};
    for (int i = 0; i < 5; i++) {
        Review r;
        begin(&r, masses[i], false, IB_STIFF);
        int parts = (int)ceil(1e-3 / ib_cylinder_rig_resolution_stiff(&r.rig));
        assert_int_equal(parts, i == 0 ? 2 : 1);
        int events = 0;
        for (int k = 0; k < 5600; k++) {
            r.input[IB_RIG_VALVE] = k < 5000 ? 0 : 6.25;
            if (k == 5000) review_settle(&r);
            for (int p = 0; p < parts; p++) {
                int64_t steps = r.steps, before = ib_solver_work(r.solver).evaluations;
                assert_true(review_advance(&r, 1e-3 / parts));
                int64_t calls = ib_solver_work(r.solver).evaluations - before;
                events += r.steps != steps + 1;
                if (r.steps == steps + 1)
                    assert_true(calls == 6 || (calls == 14 && (i > 0 || k < 5000)));
            }
        }
        assert_true(events <= 5); // both stops: met and left
        review_end(&r);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(friction_is_as_fast_as_the_reference_says),
        ib_plain_test(steps_are_stable_up_to_the_reference),
        cmocka_unit_test(a_stiff_step_is_never_too_long_to_be_stable),
        cmocka_unit_test(an_open_valve_is_as_fast_as_the_reference_says),
        cmocka_unit_test(the_piston_swings_and_grows_as_the_reference_says),
        cmocka_unit_test(a_long_explicit_step_makes_up_motion),
        ib_plain_test(the_default_is_right_with_every_law),
        ib_plain_test(the_default_is_right_from_the_start),
        cmocka_unit_test(few_steps_are_made_again),
        cmocka_unit_test(the_default_has_a_fixed_cost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
