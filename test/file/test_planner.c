// Tests of file/planner.h: what two planners' files say, and what is wrong in them.
#include "file/file_rig.h"

#include "base/maths.h"
#include "file/planner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FOLDER IB_SOURCE_DIR "/test/fuzz/corpus/planner/"
#define PI     3.14159265358979323846

static const ib_PlannerOptions any = {.base = IB_PLANNED_ANY_DIRECTION};
static const ib_PlannerOptions two = {.base = IB_PLANNED_SIDES};

// A sample file, which is a seed of the fuzz target too, read from the disk.
static ib_PlannedPath load(Rig *rig, const char *name, const ib_PlannerOptions *options)
{
    char file[600];
    ib_PlannedPath path;
    snprintf(file, sizeof file, FOLDER "%s", name);
    if (!ib_planner_read(file, NULL, 0, options, &rig->arena, &path, &rig->diagnostics))
        fail_msg("%s:%d:%d: %s", name, rig->diagnostics.items[0].line,
                 rig->diagnostics.items[0].column, rig->diagnostics.items[0].text);
    assert_int_equal(rig->diagnostics.count, 0);
    return path;
}

// Its text, to be changed.
static char *text_of(const char *name)
{
    static char text[1 << 16];
    char file[600];
    snprintf(file, sizeof file, FOLDER "%s", name);
    FILE *stream = fopen(file, "r");
    assert_non_null(stream);
    size_t length = fread(text, 1, sizeof text - 1, stream);
    fclose(stream);
    text[length] = '\0';
    return text;
}

// The text with the first `old` in it replaced.
static const char *with(const char *name, const char *old, const char *fresh)
{
    static char changed[1 << 17];
    const char *text = text_of(name), *at = strstr(text, old);
    if (!at) fail_msg("%s has no '%s'", name, old);
    snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, fresh, at + strlen(old));
    return changed;
}

static void assert_refused(Rig *rig, const char *name, const char *text, int line, int column,
                           const char *words)
{
    ib_PlannedPath path;
    ib_Diagnostics *d = &rig->diagnostics;
    d->count = d->warning_count = 0;
    assert_false(ib_planner_read(name, text, strlen(text), &any, &rig->arena, &path, d));
    assert_int_equal(path.count, 0);
    for (int i = 0; i < d->count; i++)
        if (d->items[i].line == line && d->items[i].column == column &&
            strcmp(d->items[i].file, name) == 0 && strstr(d->items[i].text, words))
            return;
    print_mistakes(d);
    fail_msg("no mistake at %d:%d with '%s'", line, column, words);
}

static void assert_warned(const Rig *rig, int line, const char *words)
{
    const ib_Diagnostics *d = &rig->diagnostics;
    for (int i = 0; i < d->warning_count; i++)
        if (d->warnings[i].line == line && strstr(d->warnings[i].text, words)) return;
    for (int i = 0; i < d->warning_count; i++)
        print_error("%d: %s\n", d->warnings[i].line, d->warnings[i].text);
    fail_msg("no warning in line %d with '%s'", line, words);
}

// ------------------------------------------------------------------------------------------ Choreo

// Goal: a trajectory of the newest version is what it says: samples, events in their order, splits.
// Method: a line with 2 m/s^2 up and down again, and a heading that passes half a turn.
static void a_swerve_trajectory_is_read(void **state)
{
    Rig *rig = *state;
    ib_PlannedPath path = load(rig, "line_swerve.traj", &two); // the file knows its base
    assert_int_equal(path.base, IB_PLANNED_ANY_DIRECTION);
    assert_int_equal(path.count, 5);
    assert_close(path.duration, 2, 0);
    assert_close(path.length, 2, 1e-12);
    for (double t = 0; t <= 2; t += 0.01) {
        ib_PlannedSample s = ib_planned_at(&path, t);
        assert_close(s.x, t < 1 ? 1 + t * t : 3 - (2 - t) * (2 - t), 1e-12);
        assert_close(s.vx, t < 1 ? 2 * t : 2 * (2 - t), 1e-12);
        assert_close(s.heading, 3 + 0.5 * t, 1e-11); // 12 digits are written
    }
    assert_int_equal(path.event_count, 2);
    assert_string_equal(path.events[0].name, "begin");
    assert_string_equal(path.events[1].name, "raise \"lift\"");
    assert_close(path.events[1].t, 1.5, 0);
    assert_int_equal(path.split_count, 1);
    assert_close(path.splits[0], 1, 0);
    assert_warned(rig, 60, "the event has no time in this file");
}

// Goal: a base with sides moves along its heading at the mean of both, in the first version without
// a yaw rate too. Method: an arc of 2 m at 1 m/s.
static void a_differential_trajectory_is_read(void **state)
{
    static const char *const names[] = {"arc_differential.traj", "arc_beta.traj"};
    for (int i = 0; i < 2; i++) {
        ib_PlannedPath path = load(*state, names[i], &any);
        assert_int_equal(path.base, IB_PLANNED_SIDES);
        assert_close(path.length, 2, 1e-6);
        for (double t = 0; t <= 2; t += 0.01) {
            ib_PlannedSample s = ib_planned_at(&path, t);
            assert_close(s.x, 2 * ib_sin(0.5 * t), 1e-6); // of the cubic over 0.2 s
            assert_close(s.y, 2 * (1 - ib_cos(0.5 * t)), 1e-6);
            assert_close(s.yaw_rate, 0.5, 1e-9);
            assert_close(s.vx, ib_cos(0.5 * t), 2e-5);
        }
    }
}

// Goal: the format of 2024 is read: other names, no version, markers with commands. Method: a line.
static void a_trajectory_of_2024_is_read(void **state)
{
    ib_PlannedPath path = load(*state, "line_2024.traj", &any);
    assert_int_equal(path.base, IB_PLANNED_ANY_DIRECTION);
    assert_close(ib_planned_at(&path, 0.8).y, 1.64, 1e-12);
    assert_close(path.samples[1].heading, PI / 2, 1e-15);
    assert_int_equal(path.event_count, 2);
    assert_string_equal(path.events[0].name, "sequential");
    assert_string_equal(path.events[1].name, "shoot");
    assert_close(path.events[1].t, 0.75, 0);
}

// Goal: what is wrong in a .traj is named at its place. Method: one change for each mistake; lines
// 50 to 54 have the samples.
static void mistakes_of_a_trajectory_are_located(void **state)
{
    Rig *rig = *state;
    static const char name[] = "line_swerve.traj";
    assert_refused(rig, name, with(name, "\"version\":3", "\"version\":4"), 3, 12,
                   "version: '4': expected a version of 0 to 3, as Choreo 2025 and 2026 write");
    assert_refused(rig, name, with(name, "\"version\":3,", ""), 1, 1, "'version' is missing");
    assert_refused(rig, name, with(name, "\"version\":3", "\"version\":\"v2031\""), 3, 12,
                   "'v2031': expected a version");
    assert_refused(rig, name, with(name, "{\"t\":0.5, \"x\":1.25,", "{\"t\":0.5,"), 51, 5,
                   "trajectory.samples.1: 'x' is missing: expected a number");
    assert_refused(rig, name, with(name, "\"x\":1.25", "\"x\":\"1.25\""), 51, 19,
                   "trajectory.samples.1.x: expected a number, got '1.25'");
    assert_refused(rig, name, with(name, "\"x\":1.25", "\"x\":null"), 51, 19, "got null");
    assert_refused(rig, name, with(name, "\"x\":1.25", "\"x\":NaN"), 51, 19, "NaN: expected a");
    assert_refused(rig, name, with(name, "\"x\":1.25", "\"x\":1e999"), 51, 19, "1e999");
    assert_refused(rig, name, with(name, "\"x\":1.25", "\"x\":1250"), 51, 19,
                   "expected -1000 to 1000, got 1250");
    assert_refused(rig, name, with(name, "\"t\":1.0", "\"t\":0.5"), 52, 10,
                   "expected a time above that of the sample before, 0.5, got 0.5");
    assert_refused(rig, name, with(name, "\"t\":0.0", "\"t\":0.1"), 50, 10,
                   "expected 0 at the first sample, got 0.1");
    assert_refused(rig, name, with(name, "\"t\":2.0", "\"t\":5000"), 54, 10, "expected 0 to 3600");
    assert_refused(rig, name, with(name, "\"Swerve\"", "\"Tracks\""), 47, 16,
                   "expected \"Swerve\" or \"Differential\"");
    assert_refused(rig, name, with(name, "\"Swerve\"", "\"Differential\""), 50, 5,
                   "'vl' is missing");
    assert_refused(rig, name, with(name, "[0,2]", "[0,5]"), 55, 15,
                   "trajectory.splits.1: expected numbers of samples that rise, 0 to 4");
    assert_refused(rig, name, with(name, "\"name\":\"begin\"", "\"name\":7"), 59, 12,
                   "events.1.name: expected a text in quotes");
    assert_refused(rig, name, "{\"version\": 3, \"trajectory\": {\"samples\": []}}", 1, 42,
                   "no samples: generate the path in Choreo first");
    assert_refused(rig, name, "{\"version\": 3, \"trajectory\": null}", 1, 30, "got null");
    assert_refused(rig, name, "{\"version\": 3, \"trajectory\": {\"samples\": [{}]}}", 1, 42,
                   "expected 2 to 20000 items, got 1");
    assert_refused(rig, name, "{}", 1, 1, "'trajectory' is missing");
}

// Goal: two samples of one instant, which rounding makes of a short step, are one. Method: the same
// sample twice.
static void a_sample_of_the_same_instant_is_left_out(void **state)
{
    Rig *rig = *state;
    ib_PlannedPath path;
    static const char name[] = "line_swerve.traj";
    const char *text = with(name, "    {\"t\":1.0,",
                            "    {\"t\":1.0, \"x\":2.0, \"y\":1.0, \"heading\":3.5, \"vx\":2.0, "
                            "\"vy\":0.0, \"omega\":0.5},\n    {\"t\":1.0,");
    assert_true(
        ib_planner_read(name, text, strlen(text), &any, &rig->arena, &path, &rig->diagnostics));
    assert_int_equal(path.count, 5);
    assert_close(path.splits[0], 1, 0);
}

// ------------------------------------------------------------------------------------- PathPlanner

// Goal: the time of a line is that of its trapezoid, v/a + s/v, for any base and for the format of
// 2024, where it is driven backwards. Method: v = 2, a = 3, s = 4; 1e-4 s for cells of 1 cm.
static void a_line_takes_the_time_of_a_trapezoid(void **state)
{
    Rig *rig = *state;
    ib_PlannedPath path = load(rig, "line.path", &any);
    assert_close(path.duration, 2.0 / 3 + 2, 1e-4);
    assert_int_equal(path.event_count, 1);
    assert_string_equal(path.events[0].name, "half way");
    assert_close(ib_planned_at(&path, path.events[0].t).x, 3, 1e-9);

    path = load(rig, "line_2024.path", &two);
    assert_int_equal(path.base, IB_PLANNED_SIDES);
    assert_close(path.duration, 2.0 / 3 + 2, 1e-4);
    assert_close(path.samples[0].heading, PI, 1e-12);
    assert_true(ib_planned_at(&path, 1).vx > 1.9);
    assert_int_equal(rig->diagnostics.warning_count, 0);
    load(rig, "line_2024.path", &any);
    assert_warned(rig, 1, "begins at rest with heading 0");
    assert_warned(rig, 56, "only a base with sides drives a path backwards");
}

// Goal: zones, headings, events and the speeds at both ends are where the file has them. Method:
// read off the samples of a bend; the zone lies between the two events.
static void a_bend_has_all_that_its_file_says(void **state)
{
    ib_PlannedPath path = load(*state, "bend.path", &any);
    const ib_PlannedSample *first = &path.samples[0], *last = &path.samples[path.count - 1];
    assert_close(first->vx, 0.5, 1e-12);
    assert_close(last->vx, 1, 1e-12);
    assert_close(last->x, 5, 1e-12);
    assert_close(last->y, 4, 1e-12);
    assert_close(last->heading, -PI, 1e-12);
    assert_int_equal(path.event_count, 2);
    assert_string_equal(path.events[0].name, "look");
    assert_string_equal(path.events[1].name, "lower");
    assert_true(path.events[1].until > path.events[1].t &&
                path.events[0].until == path.events[0].t);
    for (double t = path.events[0].t; t <= path.events[1].t; t += 0.001) {
        ib_PlannedSample s = ib_planned_at(&path, t);
        assert_true(sqrt(s.vx * s.vx + s.vy * s.vy) <= 0.8 + 1e-4);
    }
    // At 1.2 the curve is 1/8 of its cubic behind the waypoint: (1 - u)^3 … u^3 at u = 0.2.
    ib_PlannedSample edge = ib_planned_at(&path, path.events[1].t);
    assert_close(edge.x, 0.512 * 3 + 0.384 * 3 + 0.096 * 4 + 0.008 * 5, 1e-9);
    assert_close(edge.y, 0.512 * 1.5 + 0.384 * 2.5 + 0.096 * 4 + 0.008 * 4, 1e-9);
}

// Goal: a zone that points at a place is read with its offset. Method: half way the place is to the
// left, at 90 deg, and the offset has as much.
static void a_zone_points_at_a_place(void **state)
{
    Rig *rig = *state;
    ib_PlannedPath path = load(rig, "aim.path", &any);
    assert_close(ib_planned_at(&path, path.events[0].t).heading, PI, 1e-6);
    assert_refused(rig, "aim.path", with("aim.path", "\"rotationOffset\"", "\"offset\""), 34, 5,
                   "pointTowardsZones.0: 'rotationOffset' is missing: expected a number");
    assert_refused(rig, "aim.path", with("aim.path", "\"y\": 3.0", "\"y\": true"), 37, 14,
                   "pointTowardsZones.0.fieldPosition.y: expected a number, got 'true'");
}

// Goal: what the robot can do counts beside the file, and alone where the file has no limits.
// Method: the line with 1 m/s and 2 m/s^2: 1/2 + 4 s.
static void the_robot_limits_a_path_too(void **state)
{
    Rig *rig = *state;
    ib_PlannedPath path;
    ib_PlannerOptions robot = {.base = IB_PLANNED_SIDES, .robot = {1, 2, 0, 0}};
    path = load(rig, "line.path", &robot);
    assert_close(path.duration, 4.5, 1e-4);
    const char *text = with("line.path", "\"unlimited\": false", "\"unlimited\": true");
    assert_true(ib_planner_read("line.path", text, strlen(text), &robot, &rig->arena, &path,
                                &rig->diagnostics));
    assert_close(path.duration, 4.5, 1e-4);
    assert_refused(rig, "line.path", text, 48, 18, "what it can do is not known here");
}

// Goal: speeds at the ends that the limits do not allow are lowered, and said. Method: 9 m/s.
static void a_speed_that_is_not_allowed_is_lowered(void **state)
{
    Rig *rig = *state;
    ib_PlannedPath path;
    const char *text = with("line.path", "\"velocity\": 0", "\"velocity\": 9");
    assert_true(ib_planner_read("line.path", text, strlen(text), &any, &rig->arena, &path,
                                &rig->diagnostics));
    assert_close(path.samples[path.count - 1].vx, 2, 1e-12);
    assert_warned(rig, 51, "the limits allow 2 m/s at most");
}

// Goal: what is wrong in a .path is named at its place. Method: one change for each mistake.
static void mistakes_of_a_path_are_located(void **state)
{
    Rig *rig = *state;
    static const char name[] = "line.path", bend[] = "bend.path";
    assert_refused(rig, name, with(name, "\"2025.0\"", "\"2031.0\""), 2, 14,
                   "'2031.0': expected a version of \"2025.0\" or 1.0");
    assert_refused(rig, name, with(name, "  \"version\": \"2025.0\",\n", ""), 1, 1,
                   "'version' is missing: expected \"2025.0\" or 1.0");
    assert_refused(rig, name, with(name, "\"anchor\"", "\"anchorPoint\""), 4, 5,
                   "waypoints.0: 'anchor' is missing: expected a point {x, y}");
    assert_refused(rig, name, with(name, "\"nextControl\": {", "\"nextControl\": null, \"no\": {"),
                   10, 22, "waypoints.0.nextControl: expected a point {x, y}, got null");
    assert_refused(rig, name, with(name, "\"x\": 5.0", "\"x\": 1.0"), 17, 5,
                   "waypoints.1: on the spot of the waypoint before");
    assert_refused(rig, name, with(name, "\"x\": 2.0", "\"x\": 1.0"), 4, 5,
                   "waypoints.0: a control point on its waypoint");
    assert_refused(rig, name, with(name, "\"x\": 5.0", "\"x\": []"), 19, 14,
                   "waypoints.1.anchor.x: expected a number, got a list");
    assert_refused(rig, name, with(name, "\"maxVelocity\": 2.0", "\"maxVelocity\": 0"), 43, 20,
                   "globalConstraints.maxVelocity: expected 0.001 to 1000, got 0");
    assert_refused(rig, name, with(name, "\"goalEndState\"", "\"goal\""), 1, 1,
                   "'goalEndState' is missing");
    assert_refused(rig, name, with(name, "\"reversed\": false", "\"reversed\": 0"), 54, 15,
                   "reversed: expected true or false");
    assert_refused(rig, bend, with(bend, "\"y\": 2.5", "\"y\": 1.4"), 17, 5,
                   "waypoints.1: a corner of 180 deg");
    assert_refused(rig, bend,
                   with(bend, "\"maxWaypointRelativePos\": 1.2", "\"maxWaypointRelativePos\": 0.1"),
                   61, 33, "expected a position at or behind the zone's first, 0.8");
    assert_refused(rig, name, "{\"version\": \"2025.0\", \"waypoints\": []}", 1, 36,
                   "expected 2 to 200 items, got 0");
}

// ---------------------------------------------------------------------------------------- any file

// Goal: a file of another sort is refused with a hint. Method: one of each, by content and name.
static void other_files_are_refused_with_a_hint(void **state)
{
    Rig *rig = *state;
    assert_refused(rig, "a.auto", "{\"version\": \"2025.0\", \"command\": {}}", 1, 1, "a routine");
    assert_refused(rig, "a.chor", "{\"version\": 2, \"variables\": {}}", 1, 1,
                   "a project of Choreo");
    assert_refused(rig, "a.json", "{\"version\": 2}", 1, 1, "no planner's file");
    assert_refused(rig, "a.path", "{\"version\": \"2025.0\"}", 1, 1, "'waypoints' is missing");
    assert_refused(rig, "a.path", "[1]", 1, 1, "expected a map, as planners write it");
    assert_refused(rig, "a.path", "", 1, 1, "expected a value, got the end of the file");
    ib_PlannedPath path;
    rig->diagnostics.count = 0;
    assert_false(
        ib_planner_read("no/such.traj", NULL, 0, &any, &rig->arena, &path, &rig->diagnostics));
    assert_non_null(strstr(rig->diagnostics.items[0].text, "cannot open 'no/such.traj'"));
}

// Goal: the largest trajectory that is allowed is read, one more is not. Method: 20000 and 20001
// samples of a robot that stands, more than 1 MiB.
static void the_largest_file_is_read(void **state)
{
    Rig *rig = *state;
    size_t room = 4 << 20, used = 0;
    char *text = malloc(room);
    assert_non_null(text);
    ib_PlannedPath path;
    for (int count = IB_PLANNED_SAMPLES; count <= IB_PLANNED_SAMPLES + 1; count++) {
        used = (size_t)snprintf(text, room, "{\"version\":3,\"trajectory\":{\"samples\":[");
        for (int i = 0; i < count; i++)
            used += (size_t)snprintf(text + used, room - used,
                                     "%s{\"t\":%.2f,\"x\":1.0,\"y\":2.0,\"heading\":0.0,"
                                     "\"vx\":0.0,\"vy\":0.0,\"omega\":0.0}",
                                     i ? ",\n" : "", 0.02 * i);
        used += (size_t)snprintf(text + used, room - used, "]}}");
        assert_true(used > 1 << 20 && used < room);
        rig->diagnostics.count = 0;
        bool good =
            ib_planner_read("large.traj", text, used, &any, &rig->arena, &path, &rig->diagnostics);
        assert_int_equal(good, count == IB_PLANNED_SAMPLES);
        assert_int_equal(path.count, good ? count : 0);
    }
    assert_non_null(strstr(rig->diagnostics.items[0].text, "expected 2 to 20000 items, got 20001"));
    free(text);
}

// Goal: a file that is cut, or has a wrong bit, is read or refused, and nothing else. Method: every
// cut and every eighth bit of each sample file; a third of them under a sanitizer, which also has
// a fuzz target for these files.
static void cuts_and_bit_flips_are_harmless(void **state)
{
    static const char *const names[] = {"line_swerve.traj", "arc_beta.traj", "line_2024.traj",
                                        "bend.path", "line_2024.path"};
    Rig *rig = *state;
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
        char *text = text_of(names[n]);
        size_t length = strlen(text);
        for (size_t i = 0; i < 2 * length; i += IB_ROUNDS(1, 3)) {
            bool cut = i < length;
            size_t size = cut ? i : length, at = i - length;
            char *copy = malloc(size + 1);
            assert_non_null(copy);
            memcpy(copy, text, size);
            if (!cut) copy[at] = (char)(copy[at] ^ (1 << at % 8));
            ib_PlannedPath path;
            rig->diagnostics.count = rig->diagnostics.warning_count = 0;
            bool good =
                ib_planner_read(names[n], copy, size, &any, &rig->arena, &path, &rig->diagnostics);
            assert_true(good ? path.count >= 2 : rig->diagnostics.count > 0);
            free(copy);
            ib_arena_reset(&rig->arena);
        }
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_swerve_trajectory_is_read),
        CASE(a_differential_trajectory_is_read),
        CASE(a_trajectory_of_2024_is_read),
        CASE(mistakes_of_a_trajectory_are_located),
        CASE(a_sample_of_the_same_instant_is_left_out),
        CASE(a_line_takes_the_time_of_a_trapezoid),
        CASE(a_bend_has_all_that_its_file_says),
        CASE(a_zone_points_at_a_place),
        CASE(the_robot_limits_a_path_too),
        CASE(a_speed_that_is_not_allowed_is_lowered),
        CASE(mistakes_of_a_path_are_located),
        CASE(other_files_are_refused_with_a_hint),
        CASE(the_largest_file_is_read),
        CASE(cuts_and_bit_flips_are_harmless),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
