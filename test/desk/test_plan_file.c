// Tests of desk/plan/plan_file.h: what a right plan file becomes.
// What is refused, and where: test/desk/broken_plans and test/run_broken.sh.
#include "cmocka_all.h"

#include "desk/design/design_loader.h"
#include "desk/plan/plan_csv.h"
#include "desk/plan/plan_export.h"
#include "desk/plan/plan_file.h"
#include "desk/plan/plan_json.h"
#include "file/json_tree.h"
#include "folder.h"
#include "mistakes.h"

#include <math.h>
#include <unistd.h>

#define ARM  "arm: {preset: frc971-2018}\n"
#define ENDS "[0.3 rad, -0.5 rad], [1.3 rad, 0.9 rad]"

static ib_Arena arena;
static ib_Diagnostics told;

static int forget(void **state)
{
    (void)state;
    ib_arena_reset(&arena);
    return 0;
}

static ib_PlanFile *there(ib_PlanFile *plan)
{
    print_mistakes(&told);
    assert_non_null(plan);
    return plan;
}

static ib_PlanFile *read_with(const char *text, const ib_ScenarioOptions *options)
{
    told = (ib_Diagnostics){.arena = &arena};
    return there(ib_plan_file_read_text("t.yaml", text, strlen(text), options, &told));
}

static ib_PlanFile *read_plan(const char *text)
{
    return read_with(text, NULL);
}

static ib_PlanFile *example_with(const char *name, const ib_Override *overrides, int count)
{
    char path[500];
    ib_ScenarioOptions options = {.overrides = overrides, .override_count = count};
    snprintf(path, sizeof path, "%s/plans/%s", IB_SOURCE_DIR, name);
    told = (ib_Diagnostics){.arena = &arena};
    return there(ib_plan_file_read(path, &options, &told));
}

static ib_PlanFile *example(const char *name)
{
    return example_with(name, NULL, 0);
}

// --------------------------------------------------------------------------------------- reference

// Goal: path A of the reference comes out of its plan file. Method: D6, T = 0.565074982 s to 1e-6
// by reachability and to 5e-4 by the passes; 12 V are kept to 1 mV on the plant, 10 steps in each
// of its cells.
static void path_a_takes_what_the_reference_says(void **state)
{
    (void)state;
    ib_PlanFile *plan = example("arm_path_a.yaml");
    const ib_PlanWay *way = &plan->ways[0];
    assert_int_equal(plan->way_count, 1);
    assert_close(way->best->figures.time, 0.565074982, 1e-6);
    assert_close(way->passes.figures.time, 0.565074982, 5e-4);
    assert_close(way->path.points[way->path.count - 1].s, 1.720465053409, 1e-11);
    assert_true(way->rerun.volts[0] <= 12.001 && way->rerun.volts[1] <= 12.001);
    assert_true(way->rerun.steps >= 10 * (way->path.count - 1));
    assert_true(way->rerun.off[0] < 1e-6 && way->rerun.off[1] < 1e-6);
    ib_plan_file_destroy(plan);
}

// Goal: so does path B, with and without a limit of the accelerations. Method: D6: passes 0.5509 s
// to 5e-4, reachability 0.53888 s to 1e-4; with (40, 60) rad/s^2 the passes take 0.563797655 s at
// N = 800, to 5e-4, and nothing is beyond that ellipse in the fastest motion (1e-4 of it).
static void path_b_takes_what_the_reference_says(void **state)
{
    (void)state;
    ib_PlanFile *plan = example("arm_path_b.yaml");
    const ib_PlanWay *way = &plan->ways[0];
    assert_close(way->passes.figures.time, 0.5509, 5e-4);
    assert_close(way->reach.figures.time, 0.53888, 1e-4);
    assert_true(way->rerun.volts[0] <= 12.001 && way->rerun.volts[1] <= 12.001);
    ib_plan_file_destroy(plan);
    plan = read_plan(ARM "path: {arc: {centre: [-1.2 rad, -1 rad], radius: 2 rad, from: 0.3 rad, "
                         "to: 1.2 rad}}\nlimits: {acceleration: [40 rad/s^2, 60 rad/s^2]}\n");
    way = &plan->ways[0];
    assert_close(way->passes.figures.time, 0.563797655, 5e-4);
    assert_true(way->reach.figures.part[IB_ARM_BINDS_ACCELERATION].value <= 1.0001);
    assert_true(way->reach.figures.time < way->passes.figures.time);
    ib_plan_file_destroy(plan);
}

// Goal: each pass only takes away, and the answer begins and ends at rest. Method: on path B, at
// every point.
static void passes_come_one_below_the_other(void **state)
{
    (void)state;
    ib_PlanFile *plan = example("arm_path_b.yaml");
    const ib_PlanPasses *lines = &plan->ways[0].lines;
    int last = plan->ways[0].path.count - 1;
    for (int i = 0; i <= last; i++) {
        assert_true(lines->backward[i] <= lines->curvature[i]);
        assert_true(lines->forward[i] <= lines->backward[i]);
    }
    assert_true(lines->forward[0] == 0 && lines->forward[last] == 0);
    assert_true(lines->curvature[last] > 1 && lines->backward[0] > 1);
    ib_plan_file_destroy(plan);
}

// Goal: the search is worth its while where obstacles are. Method: the scene with two discs: 15 %
// less time than the passes on the shortest detour with corners of 0.2 rad, clear of both discs
// everywhere by the width of the hand, and within 12.001 V on the plant.
static void the_search_beats_the_detour(void **state)
{
    (void)state;
    ib_PlanFile *plan = example("arm_two_discs.yaml");
    const ib_PlanWay *way = &plan->ways[0];
    assert_true(way->search.given);
    assert_close(way->search.detour_radius, 0.2, 1e-12);
    assert_true(way->best->figures.time <= 0.85 * way->search.detour_passes);
    assert_true(way->near.least >= -IB_ARM_SCENE_EXACT);
    for (int i = 0; i < way->path.count; i++) {
        double hand[2];
        ib_two_link_hand(&plan->plan.plant.link, way->path.points[i].th, hand);
        for (int k = 0; k < plan->plan.scene.discs; k++) {
            const ib_ArmDisc *disc = &plan->plan.scene.disc[k];
            double x = hand[0] - disc->place[0], z = hand[1] - disc->place[1];
            assert_true(sqrt(x * x + z * z) >= disc->radius + 0.05 - 1e-9);
        }
    }
    assert_true(way->rerun.volts[0] <= 12.001 && way->rerun.volts[1] <= 12.001);

    // Kept as rows it is the same path, from goal to goal, and nothing is searched: the points to
    // the last digit, lengths between them, and so the time, to 1e-9 of it.
    ib_Error error;
    assert_int_equal(ib_plan_rows_write(way, in_folder("found.csv").text, &error), IB_OK);
    const char *rows = ib_arena_format(&arena, "{rows: %s}", in_folder("found.csv").text);
    const ib_Override kept[] = {{"path", rows}, {"method", "reach"}};
    ib_PlanFile *again = example_with("arm_two_discs.yaml", kept, 2);
    const ib_PlanWay *same = &again->ways[0];
    assert_false(same->search.given);
    assert_int_equal(same->path.count, way->path.count);
    assert_string_equal(again->plan.goals[same->from].name, "low");
    assert_string_equal(again->plan.goals[same->to].name, "high");
    for (int i = 0; i < way->path.count; i++)
        assert_memory_equal(same->path.points[i].th, way->path.points[i].th, 2 * sizeof(double));
    assert_close(same->best->figures.time, way->best->figures.time, 1e-9);
    ib_plan_file_destroy(again);
    ib_plan_file_destroy(plan);
}

// ------------------------------------------------------------------------------------------- paths

// Rows of path B as a CSV file, and a plan of them.
static ib_PlanFile *plan_rows(const char *header, double per_rad, int rows, const char *more)
{
    char csv[] = "/tmp/ironbird_rows_XXXXXX", text[900];
    int handle = mkstemp(csv);
    FILE *file = handle >= 0 ? fdopen(handle, "w") : NULL;
    assert_non_null(file);
    fprintf(file, "%s\n", header);
    for (int k = 0; k < rows; k++) {
        double p = 0.3 + 0.9 * k / (rows - 1), s = sin(p), c = cos(p);
        fprintf(file, "%.12g,%.12g,%.12g,%.12g,%.12g,%.12g\n", per_rad * (-1.2 + 2 * c), -s, -c / 2,
                per_rad * (-1 + 2 * s), c, -s / 2);
    }
    fclose(file);
    snprintf(text, sizeof text, ARM "path: {rows: %s}\n%s", csv, more);
    ib_PlanFile *plan = read_plan(text);
    remove(csv);
    return plan;
}

#define COLUMNS "theta1,omega1,alpha1,theta2,omega2,alpha2"

// Goal: a path as rows of a table is the path, however few they are. Method: path B in 2, 4 and 10
// rows, and in 4096, the most: times of its 800 points by the passes (0.550856 s) and by
// reachability (0.538891 s), as docs/design/plan.md has them; 1e-5, and of 2 rows, 1.8 rad
// apart, 2e-3. `points` counts for rows, too.
static void rows_are_a_path(void **state)
{
    (void)state;
    static const int counts[] = {2, 4, 10, 4096};
    for (int n = 0; n < 4; n++) {
        ib_PlanFile *plan = plan_rows(COLUMNS, 1, counts[n], n < 3 ? "" : "points: 800\n");
        const ib_PlanWay *way = &plan->ways[0];
        assert_int_equal(way->path.count, 800);
        assert_close(way->reach.figures.time, 0.538891, n == 0 ? 2e-3 : 1e-5);
        assert_close(way->passes.figures.time, 0.550856, n == 0 ? 2e-3 : 1e-5);
        assert_true(way->rerun.drift.value < 1e-4);
        ib_plan_file_destroy(plan);
    }
    ib_PlanFile *plan = plan_rows(COLUMNS, 1, 1000, "");
    assert_int_equal(plan->ways[0].path.count, 1000);
    ib_plan_file_destroy(plan);
}

// Goal: units in a table's header count, and a mark of the encoding does not. Method: path B in
// degrees is 1.8 rad long, too (1e-9: twelve digits); the mark as some programs write it.
static void units_of_a_table_count(void **state)
{
    (void)state;
    static const char *const headers[] = {
        "theta1 [deg],omega1 [1],alpha1 [1/rad],theta2 [deg],omega2,alpha2",
        "\xef\xbb\xbf" COLUMNS,
    };
    for (int n = 0; n < 2; n++) {
        ib_PlanFile *plan = plan_rows(headers[n], n == 0 ? 180 / 3.14159265358979 : 1, 181, "");
        const ib_ArmPath *path = &plan->ways[0].path;
        assert_close(path->points[path->count - 1].s, 1.8, 1e-9);
        ib_plan_file_destroy(plan);
    }
}

// ------------------------------------------------------------------------------------------- truth

// Goal: what is certified can be driven. Method: a corner of 1 mrad, which 800 points at equal
// distances leap over (the plan then took 0.632 s and the plant ended 0.47 rad off): it takes more
// time than that, and the plant follows to 1e-3 rad.
static void a_sharp_corner_is_driven(void **state)
{
    (void)state;
    ib_PlanFile *plan =
        read_plan(ARM "path: {joints: [[0 rad, 0 rad], [1 rad, 0 rad], [1 rad, 1 rad]], "
                      "round: 1 mrad}\n");
    const ib_PlanWay *way = &plan->ways[0];
    assert_true(way->path.count > 800 && way->best->figures.time > 0.7);
    assert_true(way->rerun.off[0] < 1e-3 && way->rerun.off[1] < 1e-3);
    assert_int_equal(plan->yaml.warning_count, 0);
    ib_plan_file_destroy(plan);
}

// Goal: points that are too few for their path are told, and an open loop that is unstable is not
// held against a plan. Method: 300 rad in 800 points, 0.375 rad apart: a warning; 1 mrad/s, for
// which the arm stands up for 20 min: the run on the plant is lost after some of them, and begun
// anew every 0.1 s it stays within 1e-6 rad.
static void few_points_and_long_runs_are_told(void **state)
{
    (void)state;
    ib_PlanFile *plan = read_plan(ARM "path: {joints: [[0 rad, 0 rad], [300 rad, 0 rad]]}\n");
    assert_int_equal(plan->yaml.warning_count, 1);
    assert_non_null(strstr(plan->yaml.warnings[0].text, "are up to 0.375 rad long"));
    ib_plan_file_destroy(plan);
    plan = read_plan(ARM "limits: {speed: 1 mrad/s}\npath: {joints: [" ENDS "]}\n");
    const ib_ArmRerun *rerun = &plan->ways[0].rerun;
    assert_true(rerun->ran > 1 && rerun->ran < 0.5 * plan->ways[0].best->figures.time);
    assert_true(isfinite(rerun->missed[0]) && rerun->off[0] < 1 && rerun->off[1] < 1);
    assert_true(rerun->drift.value < 1e-6);
    ib_plan_file_destroy(plan);
}

// Joint, motor and link of an arm that its own drag all but stops.
typedef struct WeakJoint {
    double torque, current, speed, free, rotor; ///< [N m], [A], [rad/s], [A], [kg m^2]
    int motors;
    double reduction, efficiency, friction;
    double length, center, mass, inertia; ///< [m], [m], [kg], [kg m^2]
} WeakJoint;

static const char *write_joint(const WeakJoint *joint, int number)
{
    static char text[600];
    snprintf(
        text, sizeof text,
        "  joint%d: {motor: {stall_torque: %g N*m, stall_current: %g A, free_speed: %g rad/s, "
        "free_current: %g A, rotor_inertia: %g kg*m^2, torque_constant: balanced}, motors: %d, "
        "reduction: %g, efficiency: %g, friction: %g N*m*s}\n"
        "  link%d: {length: %g m, center: %g m, mass: %g kg, inertia: %g kg*m^2}\n",
        number, joint->torque, joint->current, joint->speed, joint->free, joint->rotor,
        joint->motors, joint->reduction, joint->efficiency, joint->friction, number, joint->length,
        joint->center, joint->mass, joint->inertia);
    return text;
}

// Goal: weak arms get where they can hold still all the way, as fast as they can. Method: two that
// reachability alone finds no plan for, and one for which it finds 72 s. Times: a computation in
// numpy of its own, 20 000 steps of Euler, implicit backwards and forwards; with half of them it
// differs by 1e-3, and cells of a plan at a switch cost a few 1e-3: 1 % in all.
static void weak_arms_get_there(void **state)
{
    static const struct {
        const char *loss, *limits, *path;
        double time;
        WeakJoint joint[2];
    } arms[] = {
        {"viscous",
         "[0.853 V, 0.183 V]",
         "[1.45 rad, 1.47 rad], [2.9 rad, 0.372 rad]",
         52.189,
         {{1.83, 90, 635, 1.01, 7.71e-5, 2, 105, 0.856, 0.242, 1.19, 0.431, 1.06, 0.0661},
          {1.91, 87.8, 535, 0.539, 2.75e-5, 2, 92.3, 0.994, 0.949, 0.713, 0.392, 1.24, 0.0294}}},
        {"none",
         "[0.881 V, 0.444 V]",
         "[1.07 rad, -2.46 rad], [2.8 rad, -1.14 rad]",
         16.185,
         {{2.78, 152, 601, 0.728, 2.43e-5, 2, 107, 0.906, 1.38, 1.15, 0.495, 1.25, 0.127},
          {1.83, 106, 568, 0.534, 2.76e-5, 1, 89.1, 0.825, 0.823, 1.01, 0.53, 0.667, 0.0354}}},
        {"viscous",
         "[0.959 V, 0.247 V]",
         "[-2.37 rad, -1.19 rad], [-1.63 rad, 0.589 rad]",
         41.345,
         {{2.94, 101, 596, 2.38, 7.05e-5, 2, 84.6, 0.814, 0.552, 0.949, 0.596, 1.03, 0.0717},
          {2.62, 140, 472, 1.41, 6.49e-5, 1, 91.5, 0.95, 0.441, 0.729, 0.405, 1.16, 0.0255}}},
    };
    (void)state;
    for (int k = 0; k < 3; k++) {
        char text[2000];
        int used = snprintf(text, sizeof text, "arm:\n  loss: %s\n", arms[k].loss);
        for (int i = 0; i < 2; i++)
            used += snprintf(text + used, sizeof text - (size_t)used, "%s",
                             write_joint(&arms[k].joint[i], i + 1));
        snprintf(text + used, sizeof text - (size_t)used,
                 "limits: {voltage: %s}\npath: {joints: [%s]}\n", arms[k].limits, arms[k].path);
        ib_PlanFile *plan = read_plan(text);
        const ib_ArmFigures *figures = &plan->ways[0].best->figures;
        assert_close(figures->time / arms[k].time, 1, 0.01);
        assert_true(figures->part[ib_arm_figures_tightest(figures)].value <= 1 + 1e-4);
        assert_int_equal(plan->yaml.warning_count, 0);
        ib_plan_file_destroy(plan);
    }
}

// Goal: places of the hand are reached as asked. Method: forward kinematics of both ends; the elbow
// that is up is above the line from the first joint to the hand, the other below.
static void places_of_the_hand_are_reached(void **state)
{
    (void)state;
    static const char *const bends[] = {"up", "down"};
    for (int k = 0; k < 2; k++) {
        char text[300];
        double hand[2], elbow[2];
        snprintf(text, sizeof text,
                 ARM "path: {hand: [{x: 1 m, z: 1 m}, {x: 150 cm, z: 50 cm}], bend: %s}\n",
                 bends[k]);
        ib_PlanFile *plan = read_plan(text);
        const ib_ArmPath *path = &plan->ways[0].path;
        const ib_TwoLink *arm = &plan->plan.plant.link;
        ib_two_link_hand(arm, path->points[0].th, hand);
        ib_two_link_elbow(arm, path->points[0].th, elbow);
        assert_close(hand[0], 1, 1e-12);
        assert_close(hand[1], 1, 1e-12);
        assert_true((elbow[1] > elbow[0]) == (k == 0)); // the line to (1, 1) is z = x
        ib_two_link_hand(arm, path->points[path->count - 1].th, hand);
        assert_close(hand[0], 1.5, 1e-12);
        assert_close(hand[1], 0.5, 1e-12);
        ib_plan_file_destroy(plan);
    }
}

// Goal: the hand goes straight from place to place, and past a corner. Method: forward kinematics,
// four times a cell. Points are on their line to rounding; between them the path is a cubic over
// 2 mrad: 1e-7 m. A corner of 45 deg with r = 10 cm passes its place at r (1/cos 22.5 deg - 1) =
// 8.2 mm if it were an arc, a fifth more with its ramps, and is nowhere farther from both lines.
static void the_hand_goes_straight(void **state)
{
    (void)state;
    ib_PlanFile *plan =
        read_plan(ARM "paths:\n  line: {hand: [{x: 1 m, z: 1 m}, {x: 150 cm, z: 50 cm}]}\n"
                      "  corner: {hand: [{x: 1 m, z: 1 m}, {x: 150 cm, z: 50 cm}, {x: 150 cm, z: 0 "
                      "m}], round: 10 cm}\n");
    double nearest = INFINITY;
    for (int k = 0; k < 2; k++) {
        const ib_ArmPath *path = &plan->ways[k].path;
        for (int i = 0; i < 4 * (path->count - 1); i++) {
            const ib_ArmPoint *a = &path->points[i / 4];
            ib_ArmPoint at = ib_arm_path_within(a, a + 1, 0.25 * (i % 4));
            double hand[2];
            ib_two_link_hand(&plan->plan.plant.link, at.th, hand);
            double first = fabs(2 - hand[0] - hand[1]) / sqrt(2), second = fabs(1.5 - hand[0]);
            if (k == 0) assert_true(first < (i % 4 ? 1e-7 : 1e-12));
            if (k == 1) assert_true(fmin(first, second) < 0.01);
            if (k == 1) nearest = fmin(nearest, hypot(hand[0] - 1.5, hand[1] - 0.5));
        }
    }
    assert_true(nearest > 0.0082 && nearest < 0.0099);
    ib_plan_file_destroy(plan);
}

// Goal: so does one that begins or ends with the arm nearly stretched, where the joints turn fast.
// Method: 2.2361 m of the 2.2365 m that the links reach; points are on z = 1 m + (x - 2 m)/4
// to rounding, and one behind the other.
static void the_hand_goes_straight_from_a_stretched_arm(void **state)
{
    (void)state;
    ib_PlanFile *plan =
        read_plan(ARM "paths:\n  in: {hand: [{x: 2 m, z: 1 m}, {x: 120 cm, z: 80 cm}]}\n"
                      "  out: {hand: [{x: 120 cm, z: 80 cm}, {x: 2 m, z: 1 m}]}\n");
    for (int k = 0; k < 2; k++) {
        const ib_ArmPath *path = &plan->ways[k].path;
        double last = k == 0 ? 2 : 1.2, sign = k == 0 ? -1 : 1;
        for (int i = 0; i < path->count; i++) {
            double hand[2];
            ib_two_link_hand(&plan->plan.plant.link, path->points[i].th, hand);
            assert_close(hand[1], 1 + (hand[0] - 2) / 4, 1e-12);
            assert_true(i == 0 || sign * (hand[0] - last) > 0);
            last = hand[0];
        }
        assert_close(last, k == 0 ? 1.2 : 2, 1e-12);
    }
    ib_plan_file_destroy(plan);
}

// Goal: corners are rounded, splines pass through their places. Method: a way of three places; the
// spline is at the middle one somewhere (1e-3 rad, the distance of two points), the other stays
// away from it by what a corner cuts off, and is shorter.
static void corners_are_rounded_and_splines_are_not(void **state)
{
    (void)state;
    static const char *const kinds[] = {"round: 0.3 rad", "smooth: spline"};
    double nearest[2], length[2];
    for (int k = 0; k < 2; k++) {
        char text[300];
        snprintf(text, sizeof text,
                 ARM "points: 2000\npath: {joints: [[0 rad, 0 rad], [1 rad, 0 rad], "
                     "[1 rad, 1 rad]], %s}\n",
                 kinds[k]);
        ib_PlanFile *plan = read_plan(text);
        const ib_ArmPath *path = &plan->ways[0].path;
        nearest[k] = INFINITY;
        for (int i = 0; i < path->count; i++)
            nearest[k] = fmin(nearest[k], hypot(path->points[i].th[0] - 1, path->points[i].th[1]));
        length[k] = path->points[path->count - 1].s;
        ib_plan_file_destroy(plan);
    }
    assert_true(nearest[0] > 0.05 && nearest[0] < 0.3);
    assert_true(nearest[1] < 1e-3);
    assert_true(length[0] < 2 && length[1] > sqrt(2.0));
}

// ------------------------------------------------------------------------------------------ limits

// Goal: limits count, and a battery that sags costs time. Method: a lower limit makes the same way
// slower; each is kept to 1e-4 and used to 0.1 %.
static void limits_are_kept_and_used(void **state)
{
    (void)state;
    static const struct {
        const char *limits;
        ib_ArmBinding binds;
    } cases[] = {
        {"voltage: 9 V", IB_ARM_BINDS_VOLTS1},
        {"current: [90 A, 200 A]", IB_ARM_BINDS_CURRENT1},
        {"speed: [2 rad/s, 9 rad/s]", IB_ARM_BINDS_SPEED1},
        {"acceleration: [12 rad/s^2, 16 rad/s^2]", IB_ARM_BINDS_ACCELERATION},
        {"battery: {voltage: 12 V, resistance: 20 mohm}", IB_ARM_BINDS_BATTERY},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[300];
        snprintf(text, sizeof text, ARM "limits: {%s}\npath: {joints: [" ENDS "]}\n",
                 cases[i].limits);
        ib_PlanFile *plan = read_plan(text);
        const ib_ArmFigures *figures = &plan->ways[0].best->figures;
        double part = figures->part[cases[i].binds].value;
        if (!(part <= 1.0001 && part >= 0.999))
            fail_msg("%s: %.9g of it is used", cases[i].limits, part);
        assert_true(figures->time > 0.565074982 + 1e-3);
        assert_true(figures->binds[cases[i].binds] > 0.05);
        ib_plan_file_destroy(plan);
    }
}

// Goal: --set changes a plan. Method: path A with 6 V by an override.
static void overrides_change_a_plan(void **state)
{
    (void)state;
    const ib_Override overrides[] = {{"limits.voltage", "6 V"}, {"points", "101"}};
    ib_ScenarioOptions options = {.overrides = overrides, .override_count = 2};
    ib_PlanFile *plan = read_with(ARM "path: {joints: [" ENDS "]}\n", &options);
    assert_int_equal(plan->ways[0].path.count, 101);
    assert_true(fabs(plan->ways[0].best->figures.volts[0].value) < 6.001);
    ib_plan_file_destroy(plan);
}

// ------------------------------------------------------------------------------------------- goals

#define SEVERAL                                                                                    \
    ARM "points: 100\ngoals: {low: [0.3 rad, -0.5 rad], high: [1.3 rad, 0.9 rad]}\n"               \
        "paths:\n  out: {from: low, to: high}\n  back: {from: high, to: low, method: passes}\n"    \
        "  aside: {joints: [high, [1 rad, 1.5 rad]]}\n"                                            \
        "obstacles: [{name: post, x: 3 m, z: 0 m, radius: 10 cm}]\n"

// Goal: a follower gets what was planned. Method: ways between named goals; the end that has no
// name gets one; ways begin and end where their goals are.
static void ways_lead_from_goal_to_goal(void **state)
{
    (void)state;
    ib_PlanFile *plan = read_plan(SEVERAL);
    const ib_ArmPlan *made = &plan->plan;
    ib_Error error;
    assert_int_equal(made->track_count, 3);
    assert_int_equal(made->goal_count, 3);
    assert_string_equal(made->goals[0].name, "low");
    assert_string_equal(made->goals[2].name, "aside_end");
    assert_true(made->tracks[1].from == 1 && made->tracks[1].to == 0);
    assert_true(made->tracks[2].from == 1 && made->tracks[2].to == 2);
    assert_ptr_equal(plan->ways[1].best, &plan->ways[1].passes);
    assert_ptr_equal(ib_plan_way_find(plan, "aside"), &plan->ways[2]);
    assert_null(ib_plan_way_find(plan, "nowhere"));
    assert_int_equal(ib_arm_plan_check(made, &error), IB_OK);
    ib_plan_file_destroy(plan);
}

// Goal: the loader hands out a plan that outlives its file. Method: a copy, compared and checked
// after the original's memory is gone (the sanitizers watch).
static void a_copy_outlives_its_file(void **state)
{
    (void)state;
    ib_PlanFile *plan = read_plan(SEVERAL);
    const ib_ArmPlan *copy = ib_plan_copy(&plan->plan, &arena);
    double time = plan->ways[0].best->figures.time;
    ib_Error error;
    ib_plan_file_destroy(plan);
    assert_non_null(copy);
    assert_int_equal(ib_arm_plan_check(copy, &error), IB_OK);
    assert_string_equal(copy->scene.disc[0].name, "post");
    const ib_ArmTrack *track = &copy->tracks[0];
    assert_close(track->timing.t[track->path.count - 1], time, 0);
}

// ------------------------------------------------------------------------------------------- files

// Goal: JSON is whole, and has the figures. Method: it is parsed, and a number of it compared.
static void json_has_the_figures(void **state)
{
    (void)state;
    ib_PlanFile *plan = read_plan(SEVERAL);
    char *text = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);
    assert_non_null(file);
    ib_plan_json_write(plan, file);
    fclose(file);
    told = (ib_Diagnostics){.arena = &arena};
    const ib_Node *root = ib_json_tree_read("t.json", text, length, &arena, &told);
    assert_non_null(root);
    const ib_Node *time = ib_node_find(root, "paths.0.time_s");
    assert_non_null(time);
    assert_close(strtod(time->text, NULL), plan->ways[0].best->figures.time, 0);
    assert_non_null(ib_node_find(root, "paths.1.passes.limits.volts1.binds"));
    free(text);
    ib_plan_file_destroy(plan);
}

// Goal: the CSV has the way, row by row. Method: its first and its last row against the ends.
static void csv_has_the_way(void **state)
{
    (void)state;
    char path[] = "/tmp/ironbird_plan_XXXXXX", line[1000], last[1000] = "";
    int handle = mkstemp(path), rows = 0;
    ib_Error error;
    assert_true(handle >= 0 && close(handle) == 0);
    ib_PlanFile *plan = read_plan(SEVERAL);
    assert_int_equal(ib_plan_csv_write(plan, &plan->ways[0], path, &error), IB_OK);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        double t, s, v, th, w;
        if (rows++ == 1) {
            assert_int_equal(sscanf(line, "%lf,%lf,%lf,%lf,%lf", &t, &s, &v, &th, &w), 5);
            assert_true(t == 0 && s == 0 && v == 0);
            assert_close(th, 0.3, 1e-15);
        }
        memcpy(last, line, sizeof last);
    }
    double time = strtod(last, NULL);
    assert_int_equal(rows, 1 + plan->ways[0].path.count);
    assert_close(time, plan->ways[0].best->figures.time, 1e-15);
    fclose(file);
    remove(path);
    ib_plan_file_destroy(plan);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(path_a_takes_what_the_reference_says),
        cmocka_unit_test(path_b_takes_what_the_reference_says),
        cmocka_unit_test(passes_come_one_below_the_other),
        cmocka_unit_test_setup_teardown(the_search_beats_the_detour, make_folder, remove_folder),
        cmocka_unit_test(rows_are_a_path),
        cmocka_unit_test(units_of_a_table_count),
        cmocka_unit_test(a_sharp_corner_is_driven),
        cmocka_unit_test(few_points_and_long_runs_are_told),
        cmocka_unit_test(weak_arms_get_there),
        cmocka_unit_test(places_of_the_hand_are_reached),
        cmocka_unit_test(the_hand_goes_straight),
        cmocka_unit_test(the_hand_goes_straight_from_a_stretched_arm),
        cmocka_unit_test(corners_are_rounded_and_splines_are_not),
        cmocka_unit_test(limits_are_kept_and_used),
        cmocka_unit_test(overrides_change_a_plan),
        cmocka_unit_test(ways_lead_from_goal_to_goal),
        cmocka_unit_test(a_copy_outlives_its_file),
        cmocka_unit_test(json_has_the_figures),
        cmocka_unit_test(csv_has_the_way),
    };
    return cmocka_run_group_tests(tests, NULL, forget);
}
