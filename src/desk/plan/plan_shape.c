// desk/plan/plan_shape.c: the shape of a way, before its times: rows of a table, places in joint
// space or in hand space, an arc, or its ends alone.
#include "base/maths.h"
#include "base/quote.h"
#include "desk/plan/plan_inside.h"

#include <math.h>
#include <string.h>

// Default radius of corners: of the joints [rad], of the hand [m].
static const double ROUND = 0.2, HAND_ROUND = 0.05;

// ------------------------------------------------------------------------------------------ points

bool ib__plan_workspace(ib__PlanReader *plan, const ib_Node *node, int count,
                        ib_ArmWorkspace *workspace)
{
    if (!plan->room)
        plan->room = ib_arena_array(plan->reader->arena, IB_PLAN_ROOM, sizeof *plan->room);
    *workspace = (ib_ArmWorkspace){count, IB_PLAN_ROOM, plan->room};
    if (!plan->room) ib_wrong_value(plan->reader, node, "out of memory");
    return plan->room != NULL;
}

bool ib__plan_keep(ib__PlanReader *plan, const ib_Node *node, const ib_ArmWorkspace *workspace,
                   ib__PlanShape *shape)
{
    size_t count = (size_t)workspace->count;
    shape->count = workspace->count;
    shape->points = ib_arena_array(plan->reader->arena, count, sizeof *shape->points);
    if (shape->points)
        memcpy(shape->points, workspace->points, count * sizeof *shape->points);
    else
        ib_wrong_value(plan->reader, node, "out of memory");
    return shape->points != NULL;
}

// Reports an impossible shape at its place.
static bool judge(ib_Reader *reader, const ib_Node *node, ib_Status status, const ib_Error *error)
{
    if (status != IB_OK) ib_wrong_value(reader, node, "%s", error->text);
    return status == IB_OK;
}

// --------------------------------------------------------------------------------------------- arc

typedef struct Arc {
    double centre[2], radius;
} Arc;

//   th = centre + radius (cos p, sin p)
static ib_ArmCurvePoint arc_at(const void *context, double p)
{
    const Arc *arc = context;
    double s, c;
    ib_sincos(p, &s, &c);
    s *= arc->radius;
    c *= arc->radius;
    return (ib_ArmCurvePoint){{arc->centre[0] + c, arc->centre[1] + s}, {-s, c}, {-c, -s}};
}

// arc: {centre: [-1.2 rad, -1 rad], radius: 2 rad, from: 0.3 rad, to: 1.2 rad}
static bool read_arc(ib__PlanReader *plan, const ib_Node *map, ib__PlanShape *shape)
{
    static const char *const keys[] = {"centre", "radius", "from", "to", NULL};
    static const char *const numbers[] = {"radius", "from", "to"};
    ib_Reader *reader = plan->reader;
    Arc arc;
    double ends[2], *values[] = {&arc.radius, &ends[0], &ends[1]};
    ib_Error error;
    if (!ib_check_map(reader, map,
                      "a map such as {centre: [-1.2 rad, -1 rad], radius: 2 rad, "
                      "from: 0.3 rad, to: 1.2 rad}"))
        return false;
    ib_check_keys(reader, map, keys);
    const ib_Node *centre = ib_node_get(map, "centre");
    if (!centre) ib_wrong_gap(reader, map, "'centre' is missing: expected two angles");
    bool good = centre && ib__plan_place(plan, centre, NULL, 0, NULL, arc.centre);
    for (int i = 0; i < 3; i++) {
        const ib_Node *node = ib_node_get(map, numbers[i]);
        if (!node) ib_wrong_gap(reader, map, "'%s' is missing: expected an angle", numbers[i]);
        good &= node && ib__plan_number(reader, node, "rad", i ? -100 : 1e-3, 100, values[i]);
    }
    ib_ArmWorkspace workspace;
    if (!good || !ib__plan_workspace(plan, map, plan->points, &workspace)) return false;
    shape->words = ib_arena_format(reader->arena, "an arc of radius %.6g rad", arc.radius);
    ib_Status status = ib_arm_path_fine(arc_at, &arc, ends[0], ends[1], &workspace, &error);
    return judge(reader, map, status, &error) && ib__plan_keep(plan, map, &workspace, shape);
}

// ------------------------------------------------------------------------------------------ places

// round: 0.2 rad (of the hand: 5 cm) or smooth: spline; not both.
static bool read_corners(ib_Reader *reader, const ib_Node *map, bool hand, double *radius,
                         bool *smooth)
{
    static const char *const words[] = {"spline", NULL};
    const ib_Node *round = ib_node_get(map, "round"), *spline = ib_node_get(map, "smooth");
    *radius = hand ? HAND_ROUND : ROUND;
    *smooth = spline != NULL;
    if (round && spline) {
        ib_wrong_key(reader, spline, "corners are rounded already: expected 'round' or 'smooth'");
        return false;
    }
    if (spline) return ib_read_word(reader, spline, words) != NULL;
    return !round || ib__plan_number(reader, round, hand ? "m" : "rad", 1e-3, 100, radius);
}

// The elbow keeps its side on a straight line: a place without a bend is reached with the elbow on
// the side of the place before.
static void keep_side(const ib_TwoLink *arm, const ib_Node *node, const double before[2],
                      double th[2])
{
    const double turn = 6.283185307179586;
    double hand[2], beyond, side = ib_sin(before[0] - before[1]);
    bool free = ib_node_get(node, "x") && !ib_node_get(node, "bend");
    if (!free || side * ib_sin(th[0] - th[1]) >= 0) return;
    ib_two_link_hand(arm, th, hand);
    ib_two_link_reach(arm, hand, side < 0 ? -1 : 1, th, &beyond);
    for (int i = 0; i < 2; i++) th[i] += turn * round((before[i] - th[i]) / turn);
}

// joints: [[0.3 rad, -0.5 rad], …] and hand: [{x: 1 m, z: 50 cm}, …]; `straight`: the hand moves on
// straight lines.
static bool read_list(ib__PlanReader *plan, const ib_Node *list, int bend, bool straight,
                      ib_ArmPlaces *places)
{
    ib_Reader *reader = plan->reader;
    bool good = true;
    if (!ib_check_list(reader, list, "a list of places")) return false;
    if (list->count < 2 || list->count > IB_ARM_PLACES) {
        ib_wrong_value(reader, list, "expected 2 to %d places, got %d", IB_ARM_PLACES, list->count);
        return false;
    }
    for (const ib_Node *node = list->first; node; node = node->next) {
        int at = node->index, goal;
        const double *before = at && good ? places->th[at - 1] : NULL;
        good &= ib__plan_place(plan, node, before, bend, &goal, places->th[at]);
        if (good && before && straight && !bend && node->type == IB_NODE_MAP)
            keep_side(&plan->plan->plan.plant.link, node, before, places->th[at]);
    }
    places->count = list->count;
    return good;
}

static bool read_places(ib__PlanReader *plan, const ib_Node *map, const ib_Node *list,
                        ib__PlanShape *shape)
{
    ib_Reader *reader = plan->reader;
    const ib_Node *bent = ib_node_get(map, "bend");
    ib_ArmPlaces *places = ib_arena_alloc(reader->arena, sizeof *places);
    bool hand = strcmp(list->key, "hand") == 0, smooth;
    bool good = read_corners(reader, map, hand, &shape->round, &smooth);
    int bend = bent ? ib__plan_bend(reader, bent) : 0;
    ib_Error error;
    if (!places) ib_wrong_value(reader, list, "out of memory");
    good &= places && read_list(plan, list, bend, hand && !smooth, places) && (!bent || bend);
    ib_ArmWorkspace workspace;
    // The hand of an unreadable arm is unknown.
    if (!good || (hand && !plan->arm)) return false;
    if (!ib__plan_workspace(plan, list, plan->points, &workspace)) return false;
    const char *corners = places->count > 2 ? " with round corners" : "";
    shape->words = ib_arena_format(reader->arena, "%d places, %s%s", places->count,
                                   smooth ? "a spline"
                                   : hand ? "the hand straight"
                                          : "straight",
                                   smooth ? "" : corners);
    ib_Status status;
    if (hand && !smooth)
        status = ib_arm_shape_hand_fine(&plan->plan->plan.plant.link, places, shape->round,
                                        &workspace, &error);
    else if (places->count == 2)
        status = ib_arm_path_straight(places->th[0], places->th[1], workspace.count,
                                      workspace.points, &error);
    else if (smooth)
        status = ib_arm_shape_spline_fine(places, NULL, NULL, &workspace, &error);
    else
        status = ib_arm_shape_rounded_fine(places, shape->round, &workspace, &error);
    return judge(reader, list, status, &error) && ib__plan_keep(plan, list, &workspace, shape);
}

// ---------------------------------------------------------------------------------------- its ends

// from: home, to: [1.3 rad, 0.9 rad]
static bool read_ends(ib__PlanReader *plan, const ib_Node *map, ib__PlanShape *shape)
{
    static const char *const keys[] = {"from", "to"};
    ib_Reader *reader = plan->reader;
    bool smooth, good = read_corners(reader, map, false, &shape->round, &smooth);
    if (smooth) {
        ib_wrong_key(reader, ib_node_get(map, "smooth"),
                     "is for a list of places: expected 'round', or method: optimise");
        good = false;
    }
    for (int i = 0; i < 2; i++) {
        const ib_Node *node = ib_node_get(map, keys[i]);
        int goal;
        if (!node)
            ib_wrong_gap(reader, map, "'%s' is missing: expected a goal or a place", keys[i]);
        good &= node && ib__plan_place(plan, node, i && good ? shape->ends[0] : NULL, 0, &goal,
                                       shape->ends[i]);
    }
    if (good && hypot(shape->ends[1][0] - shape->ends[0][0],
                      shape->ends[1][1] - shape->ends[0][1]) < 1e-6) {
        ib_wrong_value(reader, ib_node_get(map, "to"),
                       "is where it begins: expected another place");
        good = false;
    }
    shape->open = true;
    shape->words = "from one place to another";
    return good;
}

bool ib__plan_shape(ib__PlanReader *plan, const ib_Node *node, ib__PlanShape *shape)
{
    static const char *const keys[] = {"rows",  "joints", "hand", "arc",    "from", "to",
                                       "round", "smooth", "bend", "method", NULL};
    static const char *const shapes[] = {"rows", "joints", "hand", "arc", "from"};
    ib_Reader *reader = plan->reader;
    const ib_Node *given = NULL;
    *shape = (ib__PlanShape){.node = node};
    if (!ib_check_map(reader, node, "a map with rows, joints, hand or arc, or with from and to"))
        return false;
    ib_check_keys(reader, node, keys);
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        const ib_Node *found = ib_node_get(node, shapes[i]);
        if (!found) continue;
        if (given) {
            ib_wrong_key(reader, found, "'%s' says already where it goes: expected one of them",
                         given->key);
            return false;
        }
        given = found;
    }
    if (!given && ib_node_get(node, "to")) return read_ends(plan, node, shape);
    if (!given) {
        ib_wrong_gap(reader, node,
                     "says nowhere to go: expected rows, joints, hand or arc, or from and to");
        return false;
    }
    if (strcmp(given->key, "rows") == 0) return ib__plan_rows(plan, given, shape);
    if (strcmp(given->key, "arc") == 0) return read_arc(plan, given, shape);
    if (strcmp(given->key, "from") == 0) return read_ends(plan, node, shape);
    return read_places(plan, node, given, shape);
}
