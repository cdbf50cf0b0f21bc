// Tests of desk/design/design_file.h and desk/design/design_json.h: what a right design file
// becomes. What is refused, and where: test/desk/broken and test/run_broken.sh.
#include "claims/control/control_reference.h"
#include "desk/desk_rig.h"
#include "desk/trial/trial_bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ib_Loop again;

// All of `count` values agree with `wanted`, relative to the largest of them.
static void assert_values(const char *what, int count, const double *values, const double *wanted,
                          double tolerance)
{
    double size = 0;
    for (int i = 0; i < count; i++) size = fmax(size, fabs(wanted[i]));
    for (int i = 0; i < count; i++)
        if (!(fabs(values[i] - wanted[i]) <= tolerance * size))
            fail_msg("%s[%d]: %.17g is not %.17g", what, i, values[i], wanted[i]);
}

// ----------------------------------------------------------------------------------------- numbers

// Goal: Tustin's plant is the one that others get. Method: scipy 1.10.1,
// cont2discrete((A, B, C, D), h, 'bilinear') with h = 0.05 and, exact at 30 rad/s, h =
// 2 tan(30 * 0.05 / 2) / 30; its 15 digits to 1e-14.
static void tustin_agrees_with_scipy(void **state)
{
    (void)state;
    static const char plain[] = "plant: {A: [[0, 1], [-40, -2]], B: [[0], [3]], C: [[1, 0.5]], "
                                "D: [[0.25]]}\nperiod: 50 ms\nhold: tustin\n";
    char warped[300];
    ib_DesignFile *file = rig_design(plain);
    const ib_StateSpace *plant = &file->gears[0].design.plant;
    assert_values(
        "A", 4, plant->A,
        (double[]){0.953488372093023, 0.0465116279069767, -1.86046511627907, 0.86046511627907},
        1e-14);
    assert_values("B", 2, plant->B, (double[]){0.00348837209302326, 0.13953488372093}, 1e-14);
    assert_values("C", 2, plant->C, (double[]){0.511627906976744, 0.488372093023256}, 1e-14);
    assert_values("D", 1, plant->D, (double[]){0.286627906976744}, 1e-14);
    ib_design_file_destroy(file);
    snprintf(warped, sizeof warped, "%sprewarp: 30 rad/s\n", plain);
    file = rig_design(warped);
    plant = &file->gears[0].design.plant;
    assert_values(
        "A", 4, plant->A,
        (double[]){0.929912164782867, 0.0564255862629675, -2.2570234505187, 0.817060992256933},
        1e-14);
    assert_values("B", 2, plant->B, (double[]){0.00525658764128493, 0.169276758788902}, 1e-14);
    assert_values("C", 2, plant->C, (double[]){0.40070021976176, 0.482478041195717}, 1e-14);
    assert_values("D", 1, plant->D, (double[]){0.294947483517868}, 1e-14);
    ib_design_file_destroy(file);
}

// Goal: D2 of the reference comes out of its design file. Method: A, B, K and the poles against the
// reference's own digits; 1e-9, which is what the reference promises for rounded motor data.
static void drivetrain_has_the_gains_of_the_reference(void **state)
{
    (void)state;
    ib_DesignFile *file = rig_example("drivetrain.yaml");
    const ib_Design *design = &file->gears[0].design;
    assert_values("A", 16, design->plant.A, ib__drive_A, 1e-9);
    assert_values("B", 8, design->plant.B, ib__drive_B, 1e-9);
    assert_values("K", 8, design->K, ib__drive_K, 1e-9);
    static const double poles[] = {
        0.9561321131, 0.0079347031, 0.9561321131, -0.0079347031, 0.9557678407, 0, 0.9518146042, 0};
    assert_values("poles", 8, &design->poles[0].re, poles, 1e-9);
    assert_true(design->controllability.input.full && design->controllability.output.full &&
                design->stable);
    assert_true(design->riccati.residual < 1e-12);
    ib_design_file_destroy(file);
}

// Goal: D3 of the reference comes out of the same file. Method: Q_d, R_d, filter and predictor gain
// and the sizes of the poles against the reference's digits, 1e-9.
static void drivetrain_has_the_filter_of_the_reference(void **state)
{
    (void)state;
    ib_DesignFile *file = rig_example("drivetrain.yaml");
    const ib_Design *design = &file->gears[0].design;
    static const double Rd[] = {1e-8, 0, 0, 1e-8};
    assert_values("Qd", 16, design->Qd, ib__filter_Qd, 1e-9);
    assert_values("Rd", 4, design->Rd, Rd, 1e-9);
    assert_values("M", 8, design->filter_gain, ib__filter_M, 1e-9);
    assert_values("L", 8, design->predictor_gain, ib__filter_L, 1e-9);
    for (int i = 0; i < 4; i++)
        assert_close(hypot(design->kalman_poles[i].re, design->kalman_poles[i].im),
                     ib__filter_poles[i], 1e-9);
    ib_design_file_destroy(file);
}

// Goal: the contract's example gives what an independent solver gives. Method: scipy 1.10.1:
// zero-order hold and Van Loan by expm, solve_discrete_are; K = (R + B'XB)^-1 B'XA. 1e-9 relative:
// scipy's own solution is good to about 1e-12.
static void the_example_agrees_with_scipy(void **state)
{
    (void)state;
    ib_DesignFile *file = rig_design(RIG_MASS "period: 5 ms\n" RIG_LQR RIG_KALMAN);
    const ib_Design *design = &file->gears[0].design;
    assert_values("A", 4, design->plant.A, (double[]){1, 0.00497508312542, 0, 0.99004983374917},
                  1e-12);
    assert_values("B", 2, design->plant.B, (double[]){3.73753118760401e-05, 1.49252493762479e-02},
                  1e-12);
    assert_values("K", 2, design->K, (double[]){77.14199450468362, 12.79717410885551}, 1e-9);
    assert_values("poles", 4, &design->poles[0].re,
                  (double[]){0.96612909083817, 0, 0.83003652192171, 0}, 1e-9);
    assert_values("Qd", 4, design->Qd,
                  (double[]){1.25413556198070e-05, 1.23757260523994e-05, 1.23757260523994e-05,
                             4.95033167331117e-03},
                  1e-12);
    assert_values("M", 2, design->filter_gain, (double[]){0.99926919550301, 17.21229894051304},
                  1e-9);
    assert_values("L", 2, design->predictor_gain, (double[]){1.08490181351158, 17.04103370449591},
                  1e-9);
    assert_non_null(file->loop);
    assert_string_equal(file->loop->name, "t");
    ib_design_file_destroy(file);
}

// Goal: cross weights, discrete plants, integrals and input errors mean what they say. Method: each
// against scipy's solution of the same augmented problem (solve_discrete_are with s for the cross
// weight; [A 0; T Z I] for the integral; expm of [A B; 0 0] for the error), 1e-9 relative.
static void every_block_agrees_with_scipy(void **state)
{
    (void)state;
    ib_DesignFile *file =
        rig_design(RIG_MASS "period: 20 ms\nlqr: {Q: [[5, 1], [1, 2]], R: [[0.5]], "
                            "cross: [[0.3], [0.1]]}\n");
    assert_values("cross", 2, file->gears[0].design.K,
                  (double[]){3.00706082171014, 1.7695977998227}, 1e-9);
    ib_design_file_destroy(file);

    file = rig_design("plant: {A: [[1.1, 0.2, 0], [0, 0.9, 0.3], [0.1, 0, 0.7]], B: [[0, 1], [0.5, "
                      "0], [0, 0.2]], C: [[1, 0, 0], [0, 0, 1]], time: discrete}\nperiod: 10 ms\n"
                      "lqr: {Q: [1, 2, 3], R: [0.5, 2]}\nkalman: {process: [0.1, 0.2, 0.3], "
                      "measurement: [0.01, 0.04]}\n");
    assert_values("discrete K", 6, file->gears[0].design.K,
                  (double[]){0.05816590336602, 1.09025589478222, 0.41730090808741, 0.5788652219322,
                             0.12866044296146, 0.17767439506563},
                  1e-9);
    assert_values("discrete M", 6, file->gears[0].design.filter_gain,
                  (double[]){9.32725993926296e-01, 2.46385409579692e-04, 7.76834227658422e-01,
                             2.14938364266113e-02, 9.85541638318769e-04, 8.88108774502197e-01},
                  1e-9);
    assert_string_equal(file->gears[0].design.plant.state[2], "x3");
    ib_design_file_destroy(file);

    file = rig_design(RIG_MASS "period: 10 ms\nintegral: [x]\n"
                               "lqr: {tolerance: {x: 0.1, v: 0.5, integral_x: 0.2, volts: 10}}\n");
    double gains[] = {file->gears[0].design.K[0], file->gears[0].design.K[1],
                      file->gears[0].design.G[0]};
    assert_values("integral", 3, gains,
                  (double[]){81.1501216812863, 15.72909361256566, 36.59151773820214}, 1e-9);
    assert_int_equal(file->loop->integrals, 1);
    ib_design_file_destroy(file);

    file = rig_design(RIG_MASS "period: 10 ms\n" RIG_LQR
                               "kalman: {process: [0.001, 0.5], measurement: [1e-6]}\n"
                               "input_error: {density: [4]}\n");
    assert_values("input error", 3, file->gears[0].design.filter_gain,
                  (double[]){0.41853066406056, 7.47193472149184, 15.25082733414034}, 1e-9);
    // The loop takes the estimated error away: its gain is 1, and it is no state to be wanted.
    assert_int_equal(file->loop->states, 3);
    assert_true(file->loop->gear[0].K[2] == 1);
    assert_string_equal(file->loop->gear[0].plant.state[2], "error_volts");
    ib_design_file_destroy(file);
}

// Goal: poles come out where they were asked for, as a list, as maps and as texts. Method: the
// three ways to write them give the same gain; the closed loop's poles are those.
static void poles_can_be_written_in_four_ways(void **state)
{
    (void)state;
    static const char *const ways[] = {
        "poles: [0.8+0.1i, 0.8-0.1i]\n", "poles: [{re: 0.8, im: -0.1}, {re: 0.8, im: 0.1}]\n",
        "lqr: {poles: [0.8 + 0.1i, 0.8 - 0.1i]}\n", "poles: [0.8+0.1j, 0.8-0.1j]\n"};
    for (int i = 0; i < 4; i++) {
        char text[500];
        snprintf(text, sizeof text, RIG_MASS "period: 5 ms\n%s", ways[i]);
        ib_DesignFile *file = rig_design(text);
        const ib_Design *design = &file->gears[0].design;
        assert_close(design->poles[0].re, 0.8, 1e-12);
        assert_close(design->poles[0].im, 0.1, 1e-12);
        assert_false(design->weighted);
        ib_design_file_destroy(file);
    }
}

// Goal: a loop over the speeds leaves the positions alone. Method: the columns of the positions are
// exactly zero, the others are those of the plant without positions.
static void a_loop_over_speeds_does_not_know_positions(void **state)
{
    (void)state;
    ib_DesignFile *all =
        rig_design(RIG_MASS "period: 5 ms\nlqr: {states: [v], tolerance: {v: 0.95, "
                            "volts: 12}}\n");
    ib_DesignFile *part = rig_design("plant: {A: [[-2]], B: [[3]]}\nperiod: 5 ms\nlqr: {tolerance: "
                                     "{x1: 0.95, u1: 12}}\n");
    assert_true(all->gears[0].design.K[0] == 0);
    assert_close(all->gears[0].design.K[1], part->gears[0].design.K[0], 1e-12);
    assert_int_equal(all->gears[0].design.pole_count, 1);
    ib_design_file_destroy(all);
    ib_design_file_destroy(part);
}

// Goal: every row of D4 comes out of a design file. Method: the reference's table, exactly (the
// answers are short decimals; 1e-12 for their rounding).
static void polytopes_answer_as_the_reference(void **state)
{
    (void)state;
    for (int i = 0; i < IB__GOAL_CASES; i++) {
        const ib__GoalCase *row = &ib__goal_cases[i];
        const double *H = row->H, *k = row->k;
        char text[600];
        snprintf(text, sizeof text,
                 RIG_MASS "period: 5 ms\npolytope: {H: [[%g, %g], [%g, %g], [%g, %g], [%g, %g]], "
                          "k: [%g, %g, %g, %g], line: {K: [%g, %g], w: %g}, dot: [%g, %g]}\n",
                 H[0], H[1], H[2], H[3], H[4], H[5], H[6], H[7], k[0], k[1], k[2], k[3], row->K[0],
                 row->K[1], row->w, row->dot[0], row->dot[1]);
        ib_DesignFile *file = rig_design(text);
        const ib_DesignPolytope *goal = &file->gears[0].polytope;
        assert_values("answer", 2, goal->answer, row->answer, 1e-12);
        assert_int_equal(goal->on_line, row->on_line);
        ib_design_file_destroy(file);
    }
}

// ------------------------------------------------------------------------------------------- files

// Goal: a schedule is the file with each gear's entries laid over it. Method: each gear against a
// file of its own that says the same; the loop has a gear for each.
static void gears_are_designed_each_on_its_own(void **state)
{
    (void)state;
    ib_DesignFile *file =
        rig_design(RIG_MASS "period: 5 ms\n" RIG_LQR "schedule:\n"
                            "  low: {plant: {B: [[0], [6]]}, lqr: {tolerance: {x: "
                            "0.12, v: 1.0}}}\n"
                            "  high: {}\n");
    ib_DesignFile *low = rig_design(
        "plant: {A: [[0, 1], [0, -2]], B: [[0], [6]], C: [[1, 0]], inputs: [volts], "
        "states: [x, v]}\nperiod: 5 ms\nlqr: {tolerance: {x: 0.12, v: 1.0, volts: 12}}\n");
    assert_int_equal(file->gear_count, 2);
    assert_string_equal(file->gears[0].design.name, "low");
    assert_values("low", 2, file->gears[0].design.K, low->gears[0].design.K, 0);
    assert_values("high", 2, file->gears[1].design.K,
                  (double[]){77.14199450468362, 12.79717410885551}, 1e-9);
    assert_int_equal(file->loop->gears, 2);
    assert_true(file->loop->fade > 0 && file->loop->fade < 1);
    ib_design_file_destroy(file);
    ib_design_file_destroy(low);
}

// Goal: a check that fails is found, with the value and the gear where it is worst. Method: limits
// just above and below what the closed loop's poles give by hand: 0.96612909 a period of 5 ms
// settles to 2 % in ln(0.02)/ln(0.96612909) periods, 0.5677 s.
static void checks_are_judged(void **state)
{
    (void)state;
    ib_DesignFile *file = rig_design(
        RIG_MASS "period: 5 ms\n" RIG_LQR "check: {stable: true, damping: 0.99, settling: 0.56 s, "
                 "residual: 1e-12, phase_margin: 60 deg}\n");
    assert_int_equal(file->check_count, 5);
    for (int i = 0; i < file->check_count; i++) {
        const ib_DesignCheck *check = &file->checks[i];
        assert_int_equal(check->passed, check->what != IB_DESIGN_SETTLING);
        if (check->what == IB_DESIGN_SETTLING) assert_close(check->found, 0.5677, 1e-4);
        if (check->what == IB_DESIGN_SETTLING)
            assert_true(check->place.line == 5 && check->place.column == 38);
    }
    ib_design_file_destroy(file);
}

// Goal: a mode that dies out by itself may stay where the file says so. Method: the same plant with
// and without check: {controllable: false}.
static void a_known_uncontrollable_mode_is_accepted(void **state)
{
    (void)state;
    static const char plain[] = "plant: {A: [[0, 0], [0, -2]], B: [[1], [0]]}\nperiod: 5 ms\n"
                                "lqr: {tolerance: {x1: 1, x2: 1, u1: 1}}\n";
    char known[300];
    assert_null(rig_read(plain));
    snprintf(known, sizeof known, "%scheck: {controllable: false}\n", plain);
    ib_DesignFile *file = rig_design(known);
    assert_false(file->gears[0].design.controllability.input.full);
    assert_true(file->gears[0].design.stable && file->checks[0].passed);
    ib_design_file_destroy(file);
}

// Goal: a mechanism is balanced at its point, and its loop holds it there. Method: the elevator's
// voltage against gravity is m g r R / (G n Kt), by hand from the data sheet of a CIM; at its start
// with the goal at its start the loop gives that voltage, and its limits are the motors' own.
static void a_mechanism_is_balanced_at_its_point(void **state)
{
    (void)state;
    ib_DesignFile *file = rig_example("elevator.yaml");
    // per motor R = 12 V / 133 A, Kt = 2.42 N m / 133 A; two of them, reduction 10, drum 2 cm, 8 kg
    double hold = 8 * 9.80665 * 0.02 / (2 * 10 * 2.42 / 12);
    assert_close(file->gears[0].config.u0[0], hold, 1e-12);
    assert_close(file->loop->gear[0].hold[0], hold, 1e-12);
    assert_true(file->loop->low[0] == -12 && file->loop->high[0] == 12);
    assert_string_equal(file->name, "elevator");
    assert_true(file->single && file->loop->feedforward);
    ib_design_file_destroy(file);
}

// Goal: every example is right and passes its own checks. Method: read them all.
static void all_examples_pass_their_checks(void **state)
{
    (void)state;
    static const char *const names[] = {"drivetrain.yaml", "drivetrain_gears.yaml",
                                        "elevator.yaml",   "flywheel.yaml",
                                        "matrices.yaml",   "robot.yaml",
                                        "shooter.yaml",    "single_arm.yaml",
                                        "two_mass.yaml",   "drive.yaml",
                                        "servo.yaml",      "lift.yaml"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        ib_DesignFile *file = rig_example(names[i]);
        for (int k = 0; k < file->check_count; k++)
            if (!file->checks[k].passed)
                fail_msg("%s: %s", names[i], ib_design_limit_names[file->checks[k].what]);
        assert_non_null(file->loop);
        ib_design_file_destroy(file);
    }
}

// -------------------------------------------------------------------------------------------- JSON

// Goal: a loop comes back from its JSON as it was, every bit. Method: write, read, compare all of
// it, for a loop with gears, with integrals and with input errors.
static void a_loop_survives_json(void **state)
{
    (void)state;
    static const char *const names[] = {"drivetrain_gears.yaml", "flywheel.yaml", "elevator.yaml"};
    for (int i = 0; i < 3; i++) {
        ib_Error error;
        size_t length;
        ib_DesignFile *file = rig_example(names[i]);
        char *text = rig_json(file, &length);
        if (ib_design_json_read_text(text, length, &again, &error) != IB_OK)
            fail_msg("%s: %s", names[i], error.text);
        assert_memory_equal(&again, file->loop, sizeof again);
        free(text);
        ib_design_file_destroy(file);
    }
}

// Goal: an integral knows the size of a rounding from limits, or else from how much of an input is
// meant to be used, and where neither is said a warning asks for it. Method: the loop's numbers,
// and the warning's place; the widest of the gears counts. It comes back from JSON.
static void an_integral_asks_how_much_there_is(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double largest;
        int warnings;
    } files[] = {
        {"lqr: {tolerance: {x: 0.1, v: 0.5, integral_x: 0.2, volts: 10}}\nintegral: [x]\n", 10, 0},
        {"lqr: {tolerance: {x: 0.1, v: 0.5, integral_x: 0.2, volts: 10}}\nintegral: [x]\n"
         "schedule: {low: {}, high: {lqr: {tolerance: {volts: 12}}}}\n",
         12, 0},
        {"poles: [0.9, 0.8, 0.7]\nintegral: [x]\nlimits: {volts: [-12, 12]}\n", 0, 0},
        {"poles: [0.9, 0.8, 0.7]\nintegral: [x]\n", 0, 1},
        {"lqr: {Q: [1, 1, 1], R: [1]}\nintegral: [x]\n", 0, 1},
        {"poles: [0.9, 0.8]\n", 0, 0},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char text[600];
        size_t length;
        ib_Error error;
        snprintf(text, sizeof text, RIG_MASS "period: 10 ms\n%s", files[i].text);
        ib_DesignFile *file = rig_design(text);
        assert_true(file->loop->largest[0] == files[i].largest);
        assert_int_equal(file->yaml.warning_count, files[i].warnings);
        if (files[i].warnings) {
            assert_int_equal(file->yaml.warnings[0].line, 5);
            assert_non_null(
                strstr(file->yaml.warnings[0].text, "limits: {volts: [lowest, highest]}"));
        }
        char *json = rig_json(file, &length);
        assert_int_equal(ib_design_json_read_text(json, length, &again, &error), IB_OK);
        assert_memory_equal(&again, file->loop, sizeof again);
        free(json);
        ib_design_file_destroy(file);
    }
}

// Goal: a loop whose JSON was written before it told how much of an input is used still runs.
// Method: a file of then; what is not told is not known.
static void an_older_json_is_read(void **state)
{
    (void)state;
    ib_Error error;
    const char *path = IB_SOURCE_DIR "/test/fuzz/corpus/design/flywheel.json";
    assert_int_equal(ib_design_json_read(path, &again, &error), IB_OK);
    assert_true(again.integrals == 1 && again.largest[0] == 0);
}

// Goal: no cut and no flipped bit of a JSON does harm. Method: read every prefix in steps, and the
// text with each of many bytes changed: it is refused with words, or it is a sound loop.
static void spoilt_json_is_refused(void **state)
{
    (void)state;
    ib_Error error;
    size_t length;
    ib_DesignFile *file = rig_example("flywheel.yaml");
    char *text = rig_json(file, &length);
    for (size_t cut = 0; cut + 2 < length; cut += 29) {
        error.text[0] = '\0';
        assert_int_equal(ib_design_json_read_text(text, cut, &again, &error), IB_BAD_INPUT);
        assert_true(error.text[0] != '\0');
    }
    for (size_t i = 0; i < length; i += 13)
        for (int bit = 0; bit < 7; bit += 3) {
            text[i] = (char)(text[i] ^ (1 << bit));
            error.text[0] = '\0';
            ib_Status status = ib_design_json_read_text(text, length, &again, &error);
            assert_true(status == IB_OK ? ib_loop_check(&again, &error) == IB_OK
                                        : error.text[0] != '\0');
            text[i] = (char)(text[i] ^ (1 << bit));
        }
    free(text);
    ib_design_file_destroy(file);
}

// Goal: a design without feedback has no loop, and says so when one is wanted. Method: the plant
// alone; its JSON has the plant's matrices and null for every block that was not asked for.
static void a_plant_alone_has_no_loop(void **state)
{
    (void)state;
    ib_Error error;
    size_t length;
    ib_DesignFile *file = rig_design(RIG_MASS "period: 5 ms\n");
    assert_null(file->loop);
    char *text = rig_json(file, &length);
    assert_non_null(strstr(text, "\"K\":null"));
    assert_non_null(strstr(text, "\"poles\":null"));
    assert_non_null(strstr(text, "\"kalman_gain\":null"));
    assert_non_null(strstr(text, "\"polytope\":null"));
    assert_non_null(strstr(text, "\"margins\":null"));
    assert_non_null(strstr(text, "\"riccati_residual\":null"));
    assert_int_equal(ib_design_json_read_text(text, length, &again, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "there is no loop"));
    free(text);
    ib_design_file_destroy(file);
}

// What is asserted at every tick of a trial, and what the last quarter of it comes to.
typedef struct Watch {
    const ib_DesignFile *file;
    const ib_Trial *trial;
    int ticks, late, saturated;
    double sum[IB_STATES_MAX]; // of deviations from the goal, late
} Watch;

static void watch_tick(void *self, const ib_TrialTick *tick)
{
    Watch *watch = self;
    const ib_Loop *loop = watch->file->loop;
    int states = watch->file->gears[0].config.plant.states;
    bool late = tick->t > 0.75 * watch->trial->duration, at_limit = false;
    for (int i = 0; i < loop->inputs; i++) {
        assert_true(tick->u[i] >= loop->low[i] && tick->u[i] <= loop->high[i]);
        at_limit |= tick->u[i] == loop->low[i] || tick->u[i] == loop->high[i];
    }
    for (int i = 0; i < loop->states; i++) assert_true(isfinite(tick->estimate[i]));
    watch->ticks++;
    watch->saturated += at_limit;
    watch->late += late;
    for (int i = 0; late && i < states; i++) watch->sum[i] += tick->x[i] - watch->trial->goal[i];
}

// Goal: the loops of the examples hold their limits at every tick with sensor noise, saturation and
// a disturbance on the inputs, and come to their goals. Method: trials on the mechanisms, noise as
// their filters expect it, 0.5 V on every input from a third of the time on; the mean of the last
// quarter lies within the tolerance that the weights say, 1/sqrt(Q_ii).
static void loops_hold_their_limits_with_noise_and_a_push(void **state)
{
    (void)state;
    static const char *const names[] = {"drivetrain.yaml", "elevator.yaml", "flywheel.yaml",
                                        "servo.yaml",      "shooter.yaml",  "single_arm.yaml",
                                        "two_mass.yaml",   "lift.yaml"};
    int saturated = 0;
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        ib_DesignFile *file = rig_example(names[k]);
        const ib_DesignGear *gear = &file->gears[0];
        ib_Error error;
        ib_Trial trial = {.loop = file->loop,
                          .duration = 3 * file->trial.duration,
                          .push_at = file->trial.duration,
                          .seed = k};
        memcpy(trial.start, file->trial.start, sizeof trial.start);
        memcpy(trial.goal, file->trial.goal, sizeof trial.goal);
        int outputs = gear->design.plant.outputs, n = gear->config.plant.states;
        for (int i = 0; gear->design.kalman && i < outputs; i++)
            trial.noise[i] = sqrt(gear->design.Rd[i * outputs + i]);
        for (int i = 0; i < file->loop->inputs; i++) trial.push[i] = 0.5;
        Watch watch = {.file = file, .trial = &trial};
        assert_int_equal(ib_trial_bench_run(file, &trial, watch_tick, &watch, NULL, &error), IB_OK);
        int weights = (gear->config.over ? gear->config.over : n) + gear->config.integrals;
        for (int i = 0; i < n && !gear->config.over; i++) {
            double weight = gear->config.Q[i * weights + i];
            if (weight > 0 && fabs(watch.sum[i]) / watch.late >= 1 / sqrt(weight))
                fail_msg("%s: %s is off by %g", names[k], gear->config.plant.state[i],
                         watch.sum[i] / watch.late);
        }
        saturated += watch.saturated;
        ib_design_file_destroy(file);
    }
    assert_true(saturated > 20); // limits were put to the test
}

// Goal: all mistakes of a file are found in one pass. Method: five of them in different blocks.
static void all_mistakes_are_found_in_one_pass(void **state)
{
    (void)state;
    static const char text[] = "plant: {A: [[0, 1], [0, x]], B: [[0], [3]]}\nperiod: 0 s\n"
                               "kalman: {process: [[1, 2], [3, 1]], measurement: [1]}\n"
                               "poles: [2]\nlatencey: 1\n";
    assert_null(rig_read(text));
    assert_int_equal(rig_told.count, 5);
    for (int i = 0; i < 5; i++) assert_int_equal(rig_told.items[i].line, i + 1);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drivetrain_has_the_gains_of_the_reference),
        cmocka_unit_test(drivetrain_has_the_filter_of_the_reference),
        cmocka_unit_test(the_example_agrees_with_scipy),
        cmocka_unit_test(every_block_agrees_with_scipy),
        cmocka_unit_test(tustin_agrees_with_scipy),
        cmocka_unit_test(poles_can_be_written_in_four_ways),
        cmocka_unit_test(a_loop_over_speeds_does_not_know_positions),
        cmocka_unit_test(polytopes_answer_as_the_reference),
        cmocka_unit_test(gears_are_designed_each_on_its_own),
        cmocka_unit_test(checks_are_judged),
        cmocka_unit_test(a_known_uncontrollable_mode_is_accepted),
        cmocka_unit_test(a_mechanism_is_balanced_at_its_point),
        cmocka_unit_test(all_examples_pass_their_checks),
        cmocka_unit_test(a_loop_survives_json),
        cmocka_unit_test(an_integral_asks_how_much_there_is),
        cmocka_unit_test(an_older_json_is_read),
        cmocka_unit_test(spoilt_json_is_refused),
        cmocka_unit_test(a_plant_alone_has_no_loop),
        cmocka_unit_test(loops_hold_their_limits_with_noise_and_a_push),
        cmocka_unit_test(all_mistakes_are_found_in_one_pass),
    };
    return cmocka_run_group_tests(tests, NULL, rig_forget);
}
