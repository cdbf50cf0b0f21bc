// scenario/routine_moves.c: steps that move the base: drive, turn, hold.
#include "base/quote.h"
#include "scenario/routine_inside.h"

#include <string.h>

typedef struct Keys {
    double forward, left, x, y, by, time;
    bool around;
    ib__MoveLimits limits;
} Keys;

#define ROW(key, unit, high, field, sentence)                                                      \
    IB_PARAM_ROW(key, IB_PARAM_NUMBER, unit, "0 " unit, -(high), high, NULL, Keys, field, false,   \
                 sentence)

static const ib_Param drive_params[] = {
    ROW("forward", "m", 1e4, forward, "a way along the robot's own heading"),
    ROW("left", "m", 1e4, left, "a way to the robot's left"),
    ROW("x", "m", 1e4, x, "a way along the field's x"),
    ROW("y", "m", 1e4, y, "a way along the field's y"),
    IB_PARAM_ROW("around", IB_PARAM_FLAG, "1", "false", 0, 1, NULL, Keys, around, false,
                 "around what stands on the field, by the shortest way"),
    IB__MOVE_LIMITS(Keys),
};
static const ib_Param turn_params[] = {
    ROW("by", "rad", 1e4, by, "how far, to the left"),
    IB__MOVE_LIMITS(Keys),
};
static const ib_Param hold_params[] = {
    IB_PARAM_ROW("for", IB_PARAM_NUMBER, "s", NULL, 0, 1e6, NULL, Keys, time, false, "how long"),
};
const ib_Schema ib__drive_schema = IB_SCHEMA(drive_params);
const ib_Schema ib__turn_schema = IB_SCHEMA(turn_params);
const ib_Schema ib__hold_schema = IB_SCHEMA(hold_params);

ib_MoveConfig ib__move_of(const ib__MoveLimits *limits)
{
    return (ib_MoveConfig){.kind = IB_MOVE_AHEAD,
                           .speed = limits->speed,
                           .acceleration = limits->acceleration,
                           .turn_speed = limits->turn_speed,
                           .turn_quickness = limits->turn_acceleration,
                           .near = limits->near,
                           .near_angle = limits->near_angle};
}

static void add_move(ib__Routine *routine, const ib__StepNode *at, const ib_MoveConfig *move)
{
    ib__routine_add(routine, at,
                    (ib_RoutineStep){.kind = IB_STEP_MOVE,
                                     .label = ib__routine_label(routine, at->word->name, at->node),
                                     .move = *move});
}

// `heading: 90 deg`, or `any`.
static void read_heading(ib__Routine *routine, const ib_Node *node, ib_MoveConfig *move)
{
    if (!node) return;
    bool any = node->type == IB_NODE_SCALAR && strcmp(node->text, "any") == 0;
    move->end = any ? IB_MOVE_ANY_WAY : IB_MOVE_FACES;
    if (!any) ib_read_number(routine->reader, node, "rad", false, &move->heading);
}

void ib__read_drive(ib__Routine *routine, const ib__StepNode *at)
{
    ib_Reader *reader = routine->reader;
    const ib_Node *node = at->node;
    if (!ib_check_map(reader, node, "a map such as {forward: 1 m} or {to: [1 m, 2 m]}")) return;
    Keys keys = {0};
    int before = ib_diagnostics_seen(reader->diagnostics);
    ib_read_schema(reader, node, at->word->schema, ib__routine_others(routine, at->word), &keys);
    ib_MoveConfig move = ib__move_of(&keys.limits);
    move.detours = keys.around;
    if (keys.around && !routine->site->obstacles)
        ib_warn_key(reader, ib_node_get(node, "around"),
                    "has no effect where nothing stands on the field");
    const ib_Node *to = ib_node_get(node, "to");
    bool own = ib_node_get(node, "forward") || ib_node_get(node, "left");
    bool field = ib_node_get(node, "x") || ib_node_get(node, "y");
    read_heading(routine, ib_node_get(node, "heading"), &move);
    if ((to != NULL) + own + field != 1 && ib_diagnostics_seen(reader->diagnostics) == before)
        ib_wrong_value(reader, node,
                       "expected one of: 'forward' and 'left' (the robot's), 'x' and 'y' (a way on "
                       "the field), 'to' (a point of it)");
    move.x = own ? keys.forward : keys.x;
    move.y = own ? keys.left : keys.y;
    if (field) move.kind = IB_MOVE_BY;
    if (to) {
        move.kind = IB_MOVE_TO;
        ib_read_pair(reader, to, "m", "[1 m, 2 m]", &move.x, &move.y);
    }
    add_move(routine, at, &move);
}

// Refuses "90 deg left": the sign of an angle is its side.
static bool refuse_side(ib_Reader *reader, const ib_Node *node)
{
    const char *side = node->type == IB_NODE_SCALAR ? strrchr(node->text, ' ') : NULL;
    if (!side || (strcmp(side, " left") != 0 && strcmp(side, " right") != 0)) return false;
    ib_wrong_value(reader, node,
                   "angles count to the left: write 90 deg, and -90 deg to the right, got '%s'",
                   ib_quote(node->text).text);
    return true;
}

void ib__read_turn(ib__Routine *routine, const ib__StepNode *at)
{
    ib_Reader *reader = routine->reader;
    const ib_Node *node = at->node;
    Keys keys = {0};
    bool map = node->type == IB_NODE_MAP && !ib_node_is_random(node);
    if (map)
        ib_read_schema(reader, node, at->word->schema, ib__routine_others(routine, at->word),
                       &keys);
    else if (refuse_side(reader, node) || !ib_read_number(reader, node, "rad", false, &keys.by))
        return;
    ib_MoveConfig move = ib__move_of(&keys.limits);
    const ib_Node *to = map ? ib_node_get(node, "to") : NULL;
    bool by = !map || ib_node_get(node, "by");
    if (by == (to != NULL))
        ib_wrong_value(reader, node,
                       "expected one of 'by' (an angle, to the left) and 'to' (a "
                       "heading)");
    move.end = to ? IB_MOVE_FACES : IB_MOVE_TURNS;
    move.heading = keys.by;
    if (to) ib_read_number(reader, to, "rad", false, &move.heading);
    add_move(routine, at, &move);
}

void ib__read_hold(ib__Routine *routine, const ib__StepNode *at)
{
    Keys keys = {0};
    if (at->node->type == IB_NODE_MAP && !ib_node_is_random(at->node))
        ib_read_schema(routine->reader, at->node, at->word->schema, NULL, &keys);
    else if (!ib__routine_time(routine, at->node, &keys.time))
        return;
    ib_MoveConfig move = {.kind = IB_MOVE_HOLD, .time = keys.time};
    add_move(routine, at, &move);
}
