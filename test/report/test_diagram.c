// Claims about src/report/diagram/diagram.c.
#include "cmocka_all.h"

#include "report/diagram/diagram.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double r = 0.165;
static const ib_ForceDef forces[] = {
    {"F_l", "drive.left.force", 0, 0.165, 1, 0},     {"F_r", "drive.right.force", 0, -0.165, 1, 0},
    {"F_drag,l", "force.drag.left", 0, 0.165, 1, 0}, {"F_n", "force.side", 0, 0.165, 0, 1},
    {"F_extra", "drive.left.force", 0, 0.165, 1, 0},
};
static const ib_RobotPorts ports = {
    .force_count = 5, .forces = forces, .length = 0.33, .width = 0.33, .round = true};

// Where the views of all diagrams lie.
static ib_Arena arena;

static int forget(void **state)
{
    (void)state;
    ib_arena_reset(&arena);
    return 0;
}

static double nothing(const void *self, const char *name)
{
    (void)self;
    (void)name;
    return 0;
}

static double no_role(const void *self, const char *robot, ib_SignalRole role)
{
    (void)self, (void)robot;
    return role == IB_ROLE_CENTRE_X || role == IB_ROLE_CENTRE_Y ? (double)NAN : 0;
}

static const ib_DiagramSource still = {nothing, no_role, NULL};

// The robot above at rest, without forces.
static ib_Diagram resting(void)
{
    return ib_diagram_from(&ports, "", &still, &arena);
}

static int count_of(const char *text, const char *word)
{
    int count = 0;
    for (; (text = strstr(text, word)); text += strlen(word)) count++;
    return count;
}

// The first line drawn in a colour, as numbers.
static void line_of(const char *svg, const char *colour, double line[4])
{
    for (const char *at = svg; (at = strstr(at, "<line x1=")); at++) {
        const char *end = strchr(at, '>');
        const char *found = strstr(at, colour);
        if (!found || found > end) continue;
        static const char *const names[] = {"x1=\"", "y1=\"", "x2=\"", "y2=\""};
        for (int i = 0; i < 4; i++) line[i] = strtod(strstr(at, names[i]) + 4, NULL);
        return;
    }
    fail_msg("no line in %s", colour);
}

// Goal: values are looked up behind the robot's prefix, or by its name and their role. Method: a
// source that knows three.
static double lookup(const void *self, const char *name)
{
    (void)self;
    return strcmp(name, "red.drive.left.force") == 0 ? 1.5 : NAN;
}

static double role_lookup(const void *self, const char *robot, ib_SignalRole role)
{
    (void)self;
    if (strcmp(robot, "red") != 0) return NAN;
    return role == IB_ROLE_POSE_HEADING ? 0.25 : role == IB_ROLE_VELOCITY_X ? 2 : NAN;
}

static const ib_DiagramSource quiet = {lookup, role_lookup, NULL};

static void values_come_from_the_robots_own_signals(void **state)
{
    (void)state;
    ib_Diagram diagram = ib_diagram_from(&ports, "red", &quiet, &arena);
    assert_true(diagram.forces[0] == 1.5 && diagram.forces[4] == 1.5);
    assert_true(isnan(diagram.forces[1]));
    assert_true(diagram.heading == 0.25 && diagram.velocity_x == 2);
}

// The list has this label with these numbers along t and n; n NaN: with one number alone.
static void list_has(const char *svg, const char *letter, const char *low, double t, double n)
{
    char label[160];
    snprintf(label, sizeof label, "<tspan font-style=\"italic\">%s</tspan>%s%s", letter,
             low[0] ? "<tspan dy=\"4\" font-size=\"13\">" : "</text>", low);
    static const char begin[] = "<text x=\"682\""; // labels of the list begin there
    const char *at = svg;
    while ((at = strstr(at, begin)) && strncmp(strchr(at, '>') + 1, label, strlen(label)) != 0)
        at++;
    if (!at) fail_msg("no %s_%s in the list", letter, low);
    const char *next = strstr(at + 1, "<rect "), *first = strstr(at, "text-anchor");
    assert_close(strtod(strchr(first, '>') + 1, NULL), t, 0);
    const char *second = strstr(first + 1, "text-anchor");
    bool two = second && (!next || second < next);
    assert_int_equal(two, !isnan(n));
    if (two) assert_close(strtod(strchr(second, '>') + 1, NULL), n, 0);
}

// Goal: every vector of the list has its signs, and columns add up: ΣF, and ΣM about the centre.
// Method: by hand, forces at +-0.165 m beside the centre. Braking: -2 N left, -1 N right and 0.5 N
// sideways at the left: ΣM = -0.165 (-2) + 0.165 (-1). A contact of (0, -4) N in the field is
// -4 N along t at a heading of 90 degrees; it is 0.1 m to the right of the centre: 0.4 N m. Where
// its torque is not known, ΣM says so. A pure couple has no ΣF.
static void list_adds_up_with_signs(void **state)
{
    (void)state;
    const double quarter = 1.5707963267948966;
    ib_Diagram diagram = resting();
    diagram.heading = quarter;
    diagram.forces[0] = -2, diagram.forces[1] = -1, diagram.forces[3] = 0.5;
    diagram.contact_y = -4, diagram.contact_torque = 0.4;
    ib_Text svg = {0};
    ib_diagram_draw(&diagram, &svg);
    list_has(svg.bytes, "F", "l", -2, 0);
    list_has(svg.bytes, "F", "n", 0, 0.5);
    list_has(svg.bytes, "F", "contact", -4, 0);
    list_has(svg.bytes, "ΣF", "", -7, 0.5);
    list_has(svg.bytes, "M", "contact", 0.4, NAN);
    list_has(svg.bytes, "ΣM", "", 0.565, NAN);
    assert_null(strstr(svg.bytes, "no contacts"));
    ib_text_destroy(&svg);
    diagram.contact_torque = NAN;
    ib_diagram_draw(&diagram, &svg);
    list_has(svg.bytes, "ΣM", "", 0.165, NAN);
    assert_non_null(strstr(svg.bytes, "no contacts"));
    ib_text_destroy(&svg);

    diagram = resting();
    diagram.forces[0] = -1, diagram.forces[1] = 1;
    ib_diagram_draw(&diagram, &svg);
    list_has(svg.bytes, "ΣF", "", 0, 0);
    list_has(svg.bytes, "ΣM", "", 0.33, NAN);
    ib_text_destroy(&svg);
}

// Goal: a heading can be read after any number of turns. Method: what rounding leaves of 0; 90
// degrees; half a turn to both sides; three turns and 90 degrees; one turn back and 30 degrees.
static void headings_are_readable(void **state)
{
    (void)state;
    const double degree = 3.14159265358979323846 / 180;
    static const struct {
        double heading, shown;
        const char *note;
    } cases[] = {{3e-13, 0, ">deg, heading<"}, {90, 90, ">deg, heading<"},
                 {180, 180, ">deg, heading<"}, {-180.0000001, -180, ">deg, heading<"},
                 {1170, 90, ">deg +3 turns<"}, {-390, -30, ">deg -1 turn<"}};
    for (int i = 0; i < 6; i++) {
        ib_Diagram diagram = resting();
        diagram.heading = cases[i].heading * degree;
        ib_Text svg = {0};
        ib_diagram_draw(&diagram, &svg);
        list_has(svg.bytes, "θ", "", cases[i].shown, NAN);
        assert_non_null(strstr(svg.bytes, cases[i].note));
        ib_text_destroy(&svg);
    }
}

// Goal: an arrow starts where its force acts, points where it points and is as long as it is large.
// Method: heading 90 degrees: the left wheel is at field -x; F_r is half of F_l, so its arrow must
// be half as long; both point up. The arrow's line ends at the neck of its head, 14.4 px (3.2 px
// wide, times 4.5) before the tip.
static void arrows_show_place_direction_and_size(void **state)
{
    (void)state;
    const double quarter = 1.5707963267948966, head = 4.5 * 3.2;
    ib_Diagram diagram = resting();
    diagram.heading = quarter;
    diagram.forces[0] = 2.0;
    diagram.forces[1] = 1.0;
    ib_Text svg = {0};
    ib_diagram_draw(&diagram, &svg);
    double left[4], right[4];
    line_of(svg.bytes, "#d55e00", left);
    line_of(svg.bytes, "#0072b2", right);
    assert_true(left[0] < right[0]);
    assert_close((left[0] + right[0]) / 2, 330, 0.1); // the centre; one decimal is printed
    assert_close(left[2], left[0], 0.1);
    assert_close(right[2], right[0], 0.1);
    double left_length = left[1] - left[3] + head, right_length = right[1] - right[3] + head;
    assert_true(left_length > 0);
    assert_close(left_length, 2 * right_length, 0.3);
    ib_text_destroy(&svg);
}

// Goal: forces that are zero or not known are listed, not drawn. Method: only F_l acts; one arrow
// for it beside the four axes, and all five labels in the list.
static void zero_forces_are_listed_only(void **state)
{
    (void)state;
    ib_Diagram diagram = resting();
    diagram.time = 1.5;
    diagram.disturbed = false;
    diagram.forces[0] = 2.7;
    diagram.forces[3] = NAN;
    ib_Text svg = {0};
    ib_diagram_draw(&diagram, &svg);
    assert_int_equal(count_of(svg.bytes, "<line "), 4 + 1);
    assert_int_equal(count_of(svg.bytes, ">zero</text>"), 3);
    assert_int_equal(count_of(svg.bytes, ">not recorded</text>"), 1);
    assert_int_equal(count_of(svg.bytes, "at rest"), 1);
    assert_non_null(strstr(svg.bytes, "at 1.5 s"));
    ib_text_destroy(&svg);
}

// Goal: two forces at one point in one direction are both seen. Method: F_l and F_extra, equal; the
// lines must be at least 10 px apart.
static void arrows_at_one_point_stand_side_by_side(void **state)
{
    (void)state;
    ib_Diagram diagram = resting();
    diagram.forces[0] = diagram.forces[4] = 2;
    ib_Text svg = {0};
    ib_diagram_draw(&diagram, &svg);
    double first[4], second[4];
    line_of(svg.bytes, "#d55e00", first);
    line_of(svg.bytes, "#a86f00", second);
    assert_true(fabs(first[1] - second[1]) >= 10);
    assert_close(first[0], second[0], 0.1);
    ib_text_destroy(&svg);
}

// Two wheels that roll at 30 degrees, and one that slides by itself.
static const ib_ForceDef parts[] = {
    {"F_1", "a", 0.2, 0.1, 0.8, 0.6, "b"},
    {"F_2", "c", -0.2, 0.1, 0.8, 0.6, "d"},
    {"F_3", "e", 0, -0.1, 0, 1, "f", .in_field = true},
};
static const ib_RobotPorts wheels = {
    .force_count = 3, .forces = parts, .length = 0.5, .width = 0.5};

static double parts_lookup(const void *self, const char *name)
{
    (void)self;
    static const double values[] = {3, 4, -5, 0, 1, 2};
    return name[1] ? 0 : values[name[0] - 'a'];
}

// Goal: a force in two parts is one arrow, one line of the list and counts as a whole. Method: by
// hand. 3 N along (0.8, 0.6) and 4 N to the left of it, (-0.6, 0.8), are (0, 5) N; -5 N along alone
// are (-4, -3) N; in the field 1 N along y and 2 N to the left of that are (-2, 1) N, at a heading
// of 90 degrees (1, 2) N. ΣM = 0.2 5 + (-0.2 (-3) - 0.1 (-4)) + 0.1 1. The arrow of F_1 points to
// the left of the robot, so to the left of the picture.
static void two_parts_are_one_force(void **state)
{
    (void)state;
    ib_Diagram diagram =
        ib_diagram_from(&wheels, "", &(ib_DiagramSource){parts_lookup, no_role, NULL}, &arena);
    diagram.heading = 1.5707963267948966;
    ib_Text svg = {0};
    ib_diagram_draw(&diagram, &svg);
    list_has(svg.bytes, "F", "1", 0, 5);
    list_has(svg.bytes, "F", "2", -4, -3);
    list_has(svg.bytes, "F", "3", 1, 2);
    list_has(svg.bytes, "ΣF", "", -3, 4);
    list_has(svg.bytes, "ΣM", "", 2.1, NAN);
    assert_non_null(strstr(svg.bytes, "M(floor)")); // which may turn what slides
    assert_int_equal(count_of(svg.bytes, "<line "), 4 + 3);
    double first[4];
    line_of(svg.bytes, "#d55e00", first);
    assert_true(first[2] < first[0] - 100);
    assert_close(first[3], first[1], 0.1); // one decimal is printed
    ib_text_destroy(&svg);

    // Without one of its parts it is not known.
    diagram.sides[0] = NAN;
    ib_diagram_draw(&diagram, &svg);
    assert_int_equal(count_of(svg.bytes, ">not recorded</text>"), 1);
    assert_int_equal(count_of(svg.bytes, "<line "), 4 + 2);
    ib_text_destroy(&svg);
}

static const char *const colours[] = {"#d55e00", "#0072b2", "#b4528a", "#4d4d4d", "#a86f00"};

// The tip of the arrow in a colour: the first corner of its head.
static void tip_of(const char *svg, const char *colour, double tip[2])
{
    char fill[32];
    snprintf(fill, sizeof fill, "fill=\"%s\"/>", colour);
    for (const char *at = svg; (at = strstr(at, "<polygon points=\"")); at++) {
        const char *found = strstr(at, fill);
        if (!found || found > strchr(at, '>')) continue;
        char *rest;
        tip[0] = strtod(at + 17, &rest);
        tip[1] = strtod(rest + 1, NULL);
        return;
    }
    fail_msg("no arrow in %s", colour);
}

// How far a point is from the drawn label in a colour, which is 80 px wide and 20 px high.
static double from_label(const char *svg, const char *colour, const double point[2])
{
    char fill[32];
    snprintf(fill, sizeof fill, "fill=\"%s\" stroke=\"#ffffff\"", colour);
    const char *at = strstr(svg, fill);
    assert_non_null(at);
    while (strncmp(at, "<text x=\"", 9) != 0) at--;
    double x = strtod(at + 9, NULL), y = strtod(strstr(at, "y=\"") + 3, NULL) - 6;
    return hypot(fmax(0, fabs(point[0] - x) - 40), fmax(0, fabs(point[1] - y) - 10));
}

// Goal: each of five wheels has its own colour, and a label stands nearer to its own arrow's tip
// than to another's. Method: five wheels whose arrows end close to each other, at headings all
// around; the label of each colour, and the tips of all. 1.2 px: slack of the law, and rounding.
static void labels_and_colours_tell_wheels_apart(void **state)
{
    (void)state;
    static const ib_ForceDef five[] = {
        {"F_1", "a", 0.2, 0.1, -0.8, -0.6}, {"F_2", "b", -0.2, 0.12, 0.8, -0.6},
        {"F_3", "c", -0.16, 0.2, 0, -1},    {"F_4", "d", 0.1, 0.2, 0.6, 0.8},
        {"F_5", "e", 0.2, 0.2, 0, 1},
    };
    static const ib_RobotPorts close = {
        .force_count = 5, .forces = five, .length = 0.5, .width = 0.5};
    ib_Diagram diagram = ib_diagram_from(&close, "", &still, &arena);
    for (int i = 0; i < 5; i++) diagram.forces[i] = 10;
    for (int turn = 0; turn < 24; turn++) {
        diagram.heading = turn * 0.2617993877991494;
        ib_Text svg = {0};
        ib_diagram_draw(&diagram, &svg);
        double tips[5][2];
        for (int i = 0; i < 5; i++) tip_of(svg.bytes, colours[i], tips[i]);
        for (int i = 0; i < 5; i++)
            for (int k = 0; k < 5; k++)
                assert_true(from_label(svg.bytes, colours[i], tips[i]) <
                            from_label(svg.bytes, colours[i], tips[k]) + 1.2);
        ib_text_destroy(&svg);
    }
}

// Goal: pushes and slopes are forces on the robot like others. Method: field force (0, 3) N with a
// torque of 0.15 N m about the centre acts on the line x = 0.05 m; a push this large is the longest
// arrow; the outline of 0.33 m is 230 px wide. Slope: gravity towards -x. Lines end at the neck of
// the head, 14.4 px before the tip.
static void pushes_and_slopes_are_drawn(void **state)
{
    (void)state;
    const double head = 4.5 * 3.2, per_metre = 230 / 0.33;
    ib_Diagram diagram = resting();
    diagram.heading = 0.7; // pushes are in the field's frame
    diagram.forces[0] = 1.5;
    diagram.push_y = 3;
    diagram.push_torque = 0.15;
    diagram.slope_x = -0.5;
    ib_Text svg = {0};
    ib_diagram_draw(&diagram, &svg);
    double push[4], slope[4], left[4];
    line_of(svg.bytes, "#5e3c99", push);
    line_of(svg.bytes, "#7a4419", slope);
    line_of(svg.bytes, "#d55e00", left);
    assert_close(push[0], 330 + 0.05 * per_metre, 0.1); // one decimal is printed
    assert_close(push[1], 310, 0.1);
    assert_close(push[2], push[0], 0.1);
    double length = push[1] - push[3] + head, dx = left[2] - left[0], dy = left[3] - left[1];
    assert_close(length, 2 * (sqrt(dx * dx + dy * dy) + head), 0.4);
    assert_close(slope[0], 330, 0.1);
    assert_true(slope[2] < slope[0] - 20);
    assert_close(slope[3], slope[1], 0.1);
    // 3 N (sin, cos) of 0.7 rad, and -0.5 m/s² (cos, -sin) of it; four digits are printed.
    list_has(svg.bytes, "F", "push", 1.933, 2.295);
    list_has(svg.bytes, "M", "push", 0.15, NAN);
    list_has(svg.bytes, "a", "slope", -0.3824, 0.3221);
    ib_text_destroy(&svg);

    // A line of action far outside: at the centre, with the torque in the list.
    diagram.push_torque = 3;
    ib_diagram_draw(&diagram, &svg);
    line_of(svg.bytes, "#5e3c99", push);
    assert_close(push[0], 330, 0.1);
    list_has(svg.bytes, "M", "push", 3, NAN);
    ib_text_destroy(&svg);
}

// Goal: a robot with masses off its middle has its centre of mass drawn and listed, a slope pulls
// there, and torques are about it. Method: by hand, C at (0.1, -0.05) m, heading 90 degrees: field
// (0.05, 0.1) m. F_l = 2 N at y = 0.165 m: -2 (0.165 + 0.05) = -0.43 N m. A push of (0, 3) N in the
// field with 0.2 N m about the origin: 0.2 - 0.05 3 = 0.05 N m. 230 px are 0.33 m.
static void centre_of_mass_is_drawn_and_moments_are_about_it(void **state)
{
    (void)state;
    const double per_metre = 230 / 0.33;
    ib_Diagram diagram = resting();
    ib_Text svg = {0};
    ib_diagram_draw(&diagram, &svg);
    assert_null(strstr(svg.bytes, "centre of mass"));
    assert_non_null(strstr(svg.bytes, "= I α"));
    ib_text_destroy(&svg);

    diagram.heading = 1.5707963267948966;
    diagram.uneven = true;
    diagram.centre_x = 0.1, diagram.centre_y = -0.05;
    diagram.forces[0] = 2;
    diagram.push_y = 3, diagram.push_torque = 0.2;
    diagram.slope_x = 1;
    ib_diagram_draw(&diagram, &svg);
    double slope[4];
    char mark[64];
    line_of(svg.bytes, "#7a4419", slope);
    assert_close(slope[0], 330 + 0.05 * per_metre, 0.1); // one decimal is printed
    assert_close(slope[1], 310 - 0.1 * per_metre, 0.1);
    snprintf(mark, sizeof mark, "cx=\"%.1f\" cy=\"%.1f\" r=\"7\"", slope[0], slope[1]);
    assert_non_null(strstr(svg.bytes, mark));
    list_has(svg.bytes, "C", "", 0.1, -0.05);
    list_has(svg.bytes, "M", "push", 0.05, NAN);
    list_has(svg.bytes, "ΣM", "C", -0.38, NAN);
    assert_null(strstr(svg.bytes, "= I α"));
    ib_text_destroy(&svg);
}

// Goal: disturbances are found by their roles, and only where there are any. Method: a source with
// and without them.
static double disturbed_lookup(const void *self, const char *robot, ib_SignalRole role)
{
    (void)self, (void)robot;
    bool one = role >= IB_ROLE_PUSH_X && role <= IB_ROLE_SLOPE_Y;
    return one ? (double)(role - IB_ROLE_PUSH_X) + 1 : (double)NAN;
}

static const ib_DiagramSource pushed = {lookup, disturbed_lookup, NULL};

static void disturbances_come_from_the_robots_own_signals(void **state)
{
    (void)state;
    ib_Diagram diagram = ib_diagram_from(&ports, "red", &pushed, &arena);
    assert_true(diagram.disturbed && diagram.push_x == 1 && diagram.push_y == 2);
    assert_true(diagram.push_torque == 3 && diagram.slope_x == 4 && diagram.slope_y == 5);
    assert_false(ib_diagram_from(&ports, "red", &quiet, &arena).disturbed);
}

// Goal: the robot is drawn from its geometry table, upper solids over lower ones, what is covered
// left out. Method: a plate of 0.4 m x 0.2 m with a red mast above its middle and a block below it,
// heading 90 degrees: 230 px are 0.4 m, so that the plate's front corners are at 310 - 115, +-57.5
// beside 330; red is made 0.7 paler: 255, 178, 178.
static void solids_are_drawn_from_above(void **state)
{
    (void)state;
    static const ib_FrameDef body = {.name = "body", .turn = {"pose.heading"}, .body = true};
    static const ib_SolidDef solids[] = {
        {"mast", "body", IB_SOLID_CYLINDER, {0, 0, 0.5}, {0}, {0.01, 1, 1}, .colour = 0xff0000},
        {"plate", "body", IB_SOLID_BOX, {0, 0, 0.3}, {0}, {0.4, 0.2, 0.1}, .colour = 0},
        {"block", "body", IB_SOLID_BOX, {0, 0, 0.1}, {0}, {0.1, 0.1, 0.1}, .colour = 0x00ff00},
    };
    static const ib_Geometry geometry = {
        .frames = &body, .frame_count = 1, .solids = solids, .solid_count = 3};
    static const ib_RobotPorts cart = {.geometry = &geometry};
    ib_Diagram diagram = ib_diagram_from(&cart, "", &still, &arena);
    diagram.heading = 1.5707963267948966;
    ib_Text svg = {0};
    ib_diagram_draw(&diagram, &svg);
    const char *plate = strstr(svg.bytes, "fill=\"#b2b2b2\""), *mast;
    assert_non_null(plate);
    mast = strstr(svg.bytes, "fill=\"#ffb2b2\"");
    assert_true(mast && mast > plate);
    assert_null(strstr(svg.bytes, "fill=\"#b2ffb2\""));
    assert_non_null(strstr(svg.bytes, "387.5,195.0 "));
    assert_non_null(strstr(svg.bytes, "272.5,195.0 "));
    ib_text_destroy(&svg);
}

// Goal: hostile labels stay text, and no size breaks the drawing. Method: a label of markup, forces
// from 1e-300 to 1e300, a robot without size; no NaN or infinity may appear in the SVG.
static void hostile_labels_and_sizes_are_harmless(void **state)
{
    (void)state;
    ib_ForceDef hostile = {"<b>\"_&x", "f", 0, r, 1, 0};
    ib_RobotPorts point = {.force_count = 1, .forces = &hostile};
    const double sizes[] = {1e-300, 1e300, -1, 0, NAN, INFINITY};
    for (int i = 0; i < 6; i++) {
        ib_Diagram diagram = {.title = "<script>", .time = 0, .ports = &point};
        diagram.forces[0] = sizes[i];
        diagram.velocity_x = sizes[i];
        diagram.disturbed = true;
        diagram.push_x = diagram.push_torque = diagram.slope_y = sizes[i];
        ib_Text svg = {0};
        ib_diagram_draw(&diagram, &svg);
        assert_null(strstr(svg.bytes, "<script"));
        assert_null(strstr(svg.bytes, "<b>"));
        assert_null(strstr(svg.bytes, "=\"nan"));
        assert_null(strstr(svg.bytes, "=\"-nan"));
        assert_null(strstr(svg.bytes, "=\"inf"));
        assert_non_null(strstr(svg.bytes, "</svg>"));
        ib_text_destroy(&svg);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_come_from_the_robots_own_signals),
        cmocka_unit_test(arrows_show_place_direction_and_size),
        cmocka_unit_test(list_adds_up_with_signs),
        cmocka_unit_test(headings_are_readable),
        cmocka_unit_test(zero_forces_are_listed_only),
        cmocka_unit_test(arrows_at_one_point_stand_side_by_side),
        cmocka_unit_test(two_parts_are_one_force),
        cmocka_unit_test(labels_and_colours_tell_wheels_apart),
        cmocka_unit_test(pushes_and_slopes_are_drawn),
        cmocka_unit_test(centre_of_mass_is_drawn_and_moments_are_about_it),
        cmocka_unit_test(disturbances_come_from_the_robots_own_signals),
        cmocka_unit_test(solids_are_drawn_from_above),
        cmocka_unit_test(hostile_labels_and_sizes_are_harmless),
    };
    return cmocka_run_group_tests(tests, NULL, forget);
}
