// test/robot/test_roomba_plan.c: planned forces are run on the Roomba and must drive
// the drawn path.
//
// The run here shares nothing with the planner but the rate function: RK4 on a 1 ms grid, steps cut
// at switch times, as the simulator does it (or another solver, where a test says so).
#include "cmocka_all.h"

#include "robot/roomba/roomba.h"
#include "solver/solver.h"

#include <stdio.h>
#include <string.h>

#define PI     3.14159265358979323846
#define DEGREE (PI / 180)

enum { MAX_SAMPLES = 60000 };

typedef struct Sample {
    ib_Time t;
    double x[IB_ROOMBA_STATES];
} Sample;

// A robot, a start and a path.
typedef struct Case {
    const char *name;
    double mass, diameter, drag, side_drag, max_force;
    double x, y, heading, speed;
    int count;
    ib_PathElement elements[8];
    ib_PathEnd end;
} Case;

// The circle of the document, then other robots, radii, sides, starts and chains of arcs.
static const Case cases[] = {
    {"document", 2.7, 0.33, 3.4, 1000, 2.7, 0, 0, 0, 0, 3, {{2, 0}, {2 * PI, 1}, {2, 0}}, 0},
    {"heavy, turned, to the right",
     10,
     0.4,
     10,
     3000,
     8,
     3,
     -4,
     2,
     0,
     3,
     {{2, 0}, {2 * PI * 1.5, -1 / 1.5}, {1, 0}},
     IB_PATH_STOP},
    {"light, rolling start",
     1.2,
     0.25,
     1,
     400,
     1.5,
     -1,
     0,
     -1,
     0.4,
     3,
     {{1, 0}, {2 * PI, 0.5}, {2, 0}},
     IB_PATH_COAST},
    {"round the block",
     2.7,
     0.33,
     3.4,
     1000,
     2.7,
     0,
     0,
     0.5,
     0,
     5,
     {{1, 0}, {PI / 4, -2}, {1, 0}, {PI / 4, -2}, {1, 0}},
     IB_PATH_STOP},
    {"an S with no line in it",
     2.7,
     0.33,
     3.4,
     2000,
     3.5,
     0,
     0,
     0,
     0,
     4,
     {{1, 0}, {PI / 2, 1}, {PI / 2, -1}, {1, 0}},
     IB_PATH_STOP},
};
enum { CASES = sizeof cases / sizeof cases[0] };

typedef struct Drive {
    ib_RoombaModel model;
    ib_PathConfig path;
    ib_PathPoint start;
    double state[IB_ROOMBA_STATES];
    ib_Plan plan;
    ib_Arena arena;
    int count;
    Sample *samples;
} Drive;

static void set_up(const Case *c, ib_PathMode mode, Drive *drive)
{
    *drive = (Drive){.start = {.x = c->x, .y = c->y, .course = c->heading}};
    ib_RoombaConfig config = {.mass = c->mass,
                              .diameter = c->diameter,
                              .drag = c->drag,
                              .side_drag = c->side_drag,
                              .max_force = c->max_force};
    ib_roomba_init(&config, &drive->model);
    drive->path = (ib_PathConfig){.count = c->count, .mode = mode, .end = c->end, .blend = 0.05};
    memcpy(drive->path.elements, c->elements, sizeof c->elements);
    drive->state[IB_ROOMBA_X] = c->x;
    drive->state[IB_ROOMBA_Y] = c->y;
    drive->state[IB_ROOMBA_TH] = c->heading;
    drive->state[IB_ROOMBA_VX] = c->speed * ib_cos(c->heading);
    drive->state[IB_ROOMBA_VY] = c->speed * ib_sin(c->heading);
}

static ib_Status make_plan(Drive *drive, ib_Error *error)
{
    return ib_roomba_plan(&drive->model, drive->state, &drive->path, &drive->arena, &drive->plan,
                          error);
}

static double value_at(const ib_Timeline *line, int knot, ib_Time from, double since)
{
    double value = line->values[knot];
    if (!line->linear || knot + 1 == line->count) return value;
    double t = (double)(from - line->times[knot]) / 1e9 + since;
    return value + (line->values[knot + 1] - value) * t /
                       ((double)(line->times[knot + 1] - line->times[knot]) / 1e9);
}

// One step: which forces act and since when.
typedef struct Step {
    const ib_RoombaModel *model;
    const ib_Timeline *lines;
    int knot;
    ib_Time from;
} Step;

static void rate(const void *context, double t, const double *x, double *dx)
{
    const Step *s = context;
    double input[IB_ROOMBA_INPUTS] = {0};
    for (int i = IB_ROOMBA_GAIN_LEFT; i < IB_ROOMBA_INPUTS; i++) input[i] = 1;
    input[IB_ROOMBA_LEFT] = value_at(&s->lines[IB_ROOMBA_LEFT], s->knot, s->from, t);
    input[IB_ROOMBA_RIGHT] = value_at(&s->lines[IB_ROOMBA_RIGHT], s->knot, s->from, t);
    ib_roomba_rate(s->model, x, input, dx);
}

// Runs the plan and 1 s beyond its end.
static void run(Drive *drive, ib_SolverKind kind)
{
    ib_SolverConfig config = ib_solver_default();
    config.kind = kind;
    ib_Solver *solver = ib_solver_create(&config, IB_ROOMBA_STATES, &drive->arena);
    drive->samples = ib_arena_array(&drive->arena, MAX_SAMPLES, sizeof *drive->samples);
    assert_non_null(solver);
    assert_non_null(drive->samples);
    Step step = {.model = &drive->model, .lines = drive->plan.timelines};
    ib_System system = {.count = IB_ROOMBA_STATES, .rate = rate, .context = &step};
    const ib_Timeline *left = &drive->plan.timelines[IB_ROOMBA_LEFT];
    Sample now = {0}, next;
    memcpy(now.x, drive->state, sizeof now.x);
    drive->count = 0;
    drive->samples[drive->count++] = now;
    while (now.t < drive->plan.end + IB_SECOND) {
        while (step.knot + 1 < left->count && left->times[step.knot + 1] <= now.t) step.knot++;
        next.t = ib_time_next(now.t, IB_SECOND / 1000);
        if (step.knot + 1 < left->count) next.t = ib_time_min(next.t, left->times[step.knot + 1]);
        step.from = now.t;
        assert_int_equal(
            ib_solver_step(solver, &system, ib_time_to_seconds(next.t - now.t), now.x, next.x), 0);
        now = next;
        assert_true(drive->count < MAX_SAMPLES);
        drive->samples[drive->count++] = now;
    }
}

static double fact(const ib_Plan *plan, const char *name)
{
    for (int i = 0; i < plan->fact_count; i++)
        if (!strcmp(plan->facts[i].name, name)) return plan->facts[i].value;
    fail_msg("no fact '%s'", name);
    return 0;
}

static ib_Time begins(const Drive *drive, int element)
{
    char name[40];
    if (element == drive->path.count) return drive->plan.end;
    snprintf(name, sizeof name, "element.%d.start", element + 1);
    return ib_time_from_seconds(fact(&drive->plan, name));
}

static const Sample *sample_at(const Drive *drive, ib_Time t)
{
    for (int i = 0; i < drive->count; i++)
        if (drive->samples[i].t >= t) return &drive->samples[i];
    return &drive->samples[drive->count - 1];
}

// The drawn pose at the start of an element.
static ib_PathPoint drawn(const Drive *drive, int element)
{
    double s = 0;
    for (int i = 0; i < element; i++) s += drive->path.elements[i].length;
    return ib_path_point(&drive->path, drive->start, s);
}

static double distance(const Sample *s, double x, double y)
{
    double dx = s->x[IB_ROOMBA_X] - x, dy = s->x[IB_ROOMBA_Y] - y;
    return sqrt(dx * dx + dy * dy);
}

static double speed_of(const Sample *s)
{
    double vx = s->x[IB_ROOMBA_VX], vy = s->x[IB_ROOMBA_VY];
    return sqrt(vx * vx + vy * vy);
}

// Direction of travel minus `course`, in -pi .. pi.
static double course_error(const Sample *s, double course)
{
    double c = ib_cos(course), n = ib_sin(course);
    double vx = s->x[IB_ROOMBA_VX], vy = s->x[IB_ROOMBA_VY];
    return ib_atan2(vy * c - vx * n, vx * c + vy * n);
}

static void forces_stay_within_the_limit(const Drive *drive)
{
    for (int side = IB_ROOMBA_LEFT; side <= IB_ROOMBA_RIGHT; side++) {
        const ib_Timeline *line = &drive->plan.timelines[side];
        assert_true(line->count > 1);
        assert_int_equal(line->times[0], 0);
        for (int i = 0; i < line->count; i++) {
            assert_true(fabs(line->values[i]) <= drive->model.max_force);
            if (i > 0) assert_true(line->times[i] > line->times[i - 1]);
        }
        assert_close(line->values[line->count - 1], 0, 0);
    }
}

// Element `i`, an arc: met within 1 mm and 0.1 deg at both ends, on the circle within 5 mm from
// 0.5 s after its start.
static void arc_is_met(const Drive *drive, int i)
{
    const ib_PathElement *e = &drive->path.elements[i];
    for (int end = 0; end < 2; end++) {
        ib_PathPoint at = drawn(drive, i + end);
        const Sample *s = sample_at(drive, begins(drive, i + end));
        assert_int_equal(s->t, begins(drive, i + end));
        assert_true(distance(s, at.x, at.y) <= 1e-3);
        assert_true(fabs(course_error(s, at.course)) <= 0.1 * DEGREE);
    }
    ib_PathPoint at = drawn(drive, i);
    ib_Time from = begins(drive, i) + IB_SECOND / 2, to = begins(drive, i + 1);
    double cx = at.x - ib_sin(at.course) / e->curvature;
    double cy = at.y + ib_cos(at.course) / e->curvature;
    for (int n = 0; n < drive->count; n++) {
        const Sample *s = &drive->samples[n];
        if (s->t < from || s->t > to) continue;
        assert_close(distance(s, cx, cy), 1 / fabs(e->curvature), 5e-3);
    }
}

// The end: at rest there, or there with speed and no force any more.
static void end_is_met(const Drive *drive, double place, double rest)
{
    ib_PathPoint at = drawn(drive, drive->path.count);
    const Sample *s = sample_at(drive, drive->plan.end);
    assert_true(distance(s, at.x, at.y) <= place);
    assert_close(speed_of(s), fact(&drive->plan, "end.speed"), 1e-6);
    if (drive->path.end == IB_PATH_STOP) assert_true(speed_of(s) <= rest);
    // Coasting without force only ever gets slower.
    const Sample *later = &drive->samples[drive->count - 1];
    assert_true(speed_of(later) <= speed_of(s) + 1e-8);
}

// No plan may beat the lower bound; the document's path comes within 15 % of it.
static void bound_holds(const Drive *drive, bool document)
{
    double bound = fact(&drive->plan, "bound");
    assert_true(bound > 0 && fact(&drive->plan, "duration") > bound);
    if (document) assert_true(fact(&drive->plan, "ratio") < 1.15);
}

// Goal: schedules meet every arc and end straight, for the document's path and four others. Method:
// RK4, 1 ms; all tolerances are those of the task: 1 mm, 0.1 deg, 5 mm after 0.5 s, 1e-3 rad/s.
// 1e-6 m/s at the end: a nanosecond of braking is 1e-8 m/s.
static void schedules_drive_the_drawn_path(void **state)
{
    (void)state;
    for (int n = 0; n < CASES; n += IB_ROUNDS(1, 2)) {
        Drive drive;
        ib_Error error = {0};
        set_up(&cases[n], IB_PATH_SCHEDULE, &drive);
        if (make_plan(&drive, &error)) fail_msg("%s: %s", cases[n].name, error.text);
        run(&drive, IB_RK4);
        forces_stay_within_the_limit(&drive);
        int last = drive.path.count - 1;
        for (int i = 0; i <= last; i++)
            if (drive.path.elements[i].curvature != 0) arc_is_met(&drive, i);
        ib_Time straight = begins(&drive, last);
        for (int i = 0; i < drive.count; i++)
            if (drive.samples[i].t >= straight)
                assert_true(fabs(drive.samples[i].x[IB_ROOMBA_W]) < 1e-3);
        end_is_met(&drive, 1e-3, 1e-6);
        bound_holds(&drive, n == 0);
        ib_arena_reset(&drive.arena);
    }
}

// Goal: on the document's circle the robot turns with the drawn radius, not only near it. Method:
// v/|w|, from 0.5 s after the start until 0.5 s before the end, where it prepares for the line.
static void the_steady_circle_has_the_drawn_radius(void **state)
{
    (void)state;
    Drive drive;
    set_up(&cases[0], IB_PATH_SCHEDULE, &drive);
    assert_int_equal(make_plan(&drive, NULL), IB_OK);
    run(&drive, IB_RK4);
    ib_Time from = begins(&drive, 1) + IB_SECOND / 2, to = begins(&drive, 2) - IB_SECOND / 2;
    int seen = 0;
    for (int i = 0; i < drive.count; i++) {
        const Sample *s = &drive.samples[i];
        if (s->t < from || s->t > to) continue;
        assert_close(speed_of(s) / fabs(s->x[IB_ROOMBA_W]), 1, 1e-5);
        seen++;
    }
    assert_true(seen > 7000);
    // The first switch of the document's path is where the closed form has gone 2 m.
    double top = sqrt(2.7 / 3.4), tau = 2.7 * top / 5.4, cosh2 = exp(2 / (top * tau));
    assert_close(fact(&drive.plan, "switch.1"), tau * acosh(cosh2), 1e-9);
    ib_arena_reset(&drive.arena);
}

static double worst_deviation(const Drive *drive)
{
    double worst = 0;
    for (int i = 0; i < drive->count && drive->samples[i].t <= drive->plan.end; i++) {
        const double *x = drive->samples[i].x;
        worst = fmax(worst,
                     ib_path_distance(&drive->path, drive->start, x[IB_ROOMBA_X], x[IB_ROOMBA_Y]));
    }
    return worst;
}

// Goal: inverse forces follow the drawn path within 2 mm, here even inside the blends, and stop at
// its end. Method: RK4, 1 ms, as above. 1 mm/s at the end: forces are knots of 1 ms,
// 2 N/2.7 kg/1 ms.
static void inverse_forces_follow_the_drawn_path(void **state)
{
    (void)state;
    for (int n = 0; n < CASES; n += IB_ROUNDS(1, 2)) {
        Drive drive;
        ib_Error error = {0};
        set_up(&cases[n], IB_PATH_INVERSE, &drive);
        if (make_plan(&drive, &error)) fail_msg("%s: %s", cases[n].name, error.text);
        run(&drive, IB_RK4);
        forces_stay_within_the_limit(&drive);
        assert_true(worst_deviation(&drive) <= 2e-3);
        assert_close(fact(&drive.plan, "deviation"), worst_deviation(&drive), 1e-4);
        end_is_met(&drive, 1e-3, 1e-3);
        bound_holds(&drive, n == 0);
        ib_arena_reset(&drive.arena);
    }
}

// Goal: inverse forces are continuous: no jump but the last, when the wheels let go. Method: from
// one millisecond to the next they change by less than a tenth of what the wheels have.
static void inverse_forces_are_continuous(void **state)
{
    (void)state;
    Drive drive;
    set_up(&cases[0], IB_PATH_INVERSE, &drive);
    assert_int_equal(make_plan(&drive, NULL), IB_OK);
    for (int side = IB_ROOMBA_LEFT; side <= IB_ROOMBA_RIGHT; side++) {
        const ib_Timeline *line = &drive.plan.timelines[side];
        assert_true(line->linear);
        for (int i = 1; i < line->count - 1; i++)
            assert_close(line->values[i], line->values[i - 1], 0.27);
    }
    ib_arena_reset(&drive.arena);
}

// Goal: a robot can start and stop on an arc. Method: a lone circle, driven both ways; 5 mm and 2
// mm from the drawn path all the way, and at rest within 1.5 mm of its end (inverse forces brake on
// a chord that leaves the arc by 1.2 mm).
// A schedule once came to rest by way of 12 mm beyond the end.
static void a_lone_circle_is_driven_to_rest(void **state)
{
    (void)state;
    Case circle = cases[0];
    circle.count = 1;
    circle.elements[0] = circle.elements[1];
    for (int mode = 0; mode < 2; mode++) {
        Drive drive;
        set_up(&circle, (ib_PathMode)mode, &drive);
        assert_int_equal(make_plan(&drive, NULL), IB_OK);
        run(&drive, IB_RK4);
        forces_stay_within_the_limit(&drive);
        assert_true(worst_deviation(&drive) <= (mode == IB_PATH_SCHEDULE ? 5e-3 : 2e-3));
        end_is_met(&drive, 1.5e-3, 1e-3);
        ib_arena_reset(&drive.arena);
    }
}

// Goal: the plan does not lean on one solver. Method: both modes with steps of dopri5; same 2 mm.
static void another_solver_drives_the_same_path(void **state)
{
    (void)state;
    for (int mode = 0; mode < 2; mode++) {
        Drive drive;
        set_up(&cases[0], (ib_PathMode)mode, &drive);
        assert_int_equal(make_plan(&drive, NULL), IB_OK);
        run(&drive, IB_DOPRI5);
        if (mode == IB_PATH_SCHEDULE) arc_is_met(&drive, 1);
        if (mode == IB_PATH_INVERSE) assert_true(worst_deviation(&drive) <= 2e-3);
        end_is_met(&drive, 1e-3, 1e-3);
        ib_arena_reset(&drive.arena);
    }
}

// Goal: the lower bound is tight where it must be. Method: a single line driven without stopping
// takes exactly the closed form.
static void the_lower_bound_of_a_line_is_the_closed_form(void **state)
{
    (void)state;
    Case line = {"line", 2.7, 0.33, 3.4, 1000, 2.7, 0, 0, 0, 0, 1, {{3, 0}}, IB_PATH_COAST};
    Drive drive;
    set_up(&line, IB_PATH_SCHEDULE, &drive);
    assert_int_equal(make_plan(&drive, NULL), IB_OK);
    double top = sqrt(2.7 / 3.4), tau = 2.7 * top / 5.4;
    double expected = tau * acosh(exp(3 / (top * tau)));
    assert_close(fact(&drive.plan, "duration"), expected, 2e-9);
    // Crabbing could save 4/27 (kd/kn)^2 of the drag, 2e-6 of it.
    assert_close(fact(&drive.plan, "bound"), expected, 1e-5);
    ib_arena_reset(&drive.arena);
}

// Goal: the same plan twice has the same bits. Method: compare all knots.
static void planning_twice_gives_the_same_bits(void **state)
{
    (void)state;
    for (int mode = 0; mode < 2; mode++) {
        Drive a, b;
        set_up(&cases[0], (ib_PathMode)mode, &a);
        set_up(&cases[0], (ib_PathMode)mode, &b);
        assert_int_equal(make_plan(&a, NULL), IB_OK);
        assert_int_equal(make_plan(&b, NULL), IB_OK);
        const ib_Timeline *p = &a.plan.timelines[IB_ROOMBA_LEFT];
        const ib_Timeline *q = &b.plan.timelines[IB_ROOMBA_LEFT];
        assert_int_equal(p->count, q->count);
        assert_memory_equal(p->times, q->times, (size_t)p->count * sizeof *p->times);
        assert_memory_equal(p->values, q->values, (size_t)p->count * sizeof *p->values);
        ib_arena_reset(&a.arena);
        ib_arena_reset(&b.arena);
    }
}

static void refuses(const Drive *drive, ib_PathMode mode, const char *word)
{
    Drive copy = *drive;
    ib_Error error = {0};
    copy.path.mode = mode;
    assert_int_equal(make_plan(&copy, &error), IB_BAD_INPUT);
    if (!strstr(error.text, word)) fail_msg("'%s' lacks '%s'", error.text, word);
    ib_arena_reset(&copy.arena);
}

// Goal: what cannot be driven is refused in words. Method: one obstacle at a time.
static void impossible_paths_are_refused(void **state)
{
    (void)state;
    Drive drive;
    set_up(&cases[0], IB_PATH_SCHEDULE, &drive);
    Drive bad = drive;
    bad.state[IB_ROOMBA_VY] = 0.1;
    refuses(&bad, IB_PATH_SCHEDULE, "straight ahead");
    bad = drive;
    bad.state[IB_ROOMBA_VX] = -0.1;
    refuses(&bad, IB_PATH_INVERSE, "straight ahead");
    bad = drive;
    bad.model.drag_arm_left = -bad.model.drag_arm_left;
    refuses(&bad, IB_PATH_SCHEDULE, "corrected");
    bad = drive;
    bad.path.elements[1].curvature = 1 / 0.004;
    refuses(&bad, IB_PATH_INVERSE, "too tight");
    bad = drive;
    bad.path.elements[1].curvature = 1 / 0.05;
    refuses(&bad, IB_PATH_SCHEDULE, "element 2");
    bad = drive;
    bad.path.count = 0;
    refuses(&bad, IB_PATH_SCHEDULE, "1 to 64");
    bad = drive;
    bad.path.elements[0].length = 0.01;
    bad.state[IB_ROOMBA_VX] = 3;
    refuses(&bad, IB_PATH_INVERSE, "too fast");
    refuses(&bad, IB_PATH_SCHEDULE, "element");
    bad = drive;
    bad.path.blend = -1;
    refuses(&bad, IB_PATH_INVERSE, "blend");
    // 3000 years of driving: beyond the clock, and refused before anything is searched for.
    bad = drive;
    bad.model.max_force = 1e-6;
    bad.model.kd = 1e6;
    bad.path.elements[0].length = 1e5;
    refuses(&bad, IB_PATH_SCHEDULE, "at most 2e+04 s");
    refuses(&bad, IB_PATH_INVERSE, "at most 2e+04 s");
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(schedules_drive_the_drawn_path),
        cmocka_unit_test(the_steady_circle_has_the_drawn_radius),
        cmocka_unit_test(inverse_forces_follow_the_drawn_path),
        cmocka_unit_test(inverse_forces_are_continuous),
        cmocka_unit_test(a_lone_circle_is_driven_to_rest),
        cmocka_unit_test(another_solver_drives_the_same_path),
        cmocka_unit_test(the_lower_bound_of_a_line_is_the_closed_form),
        cmocka_unit_test(planning_twice_gives_the_same_bits),
        ib_plain_test(impossible_paths_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
