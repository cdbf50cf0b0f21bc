// scenario/routine_follow.c: `follow`, a step along a path: drawn here, or a planner's file.
//   - follow: {path: [line 1 m, arc 50 cm left 90 deg], heading: along}
//   - follow: {path: [[1 m, 0 m], [2 m, 1 m]], from: [0 m, 0 m, 0 deg]}
//   - follow: {file: auto.traj}
#include "base/maths.h"
#include "file/contents.h"
#include "file/json_tree.h"
#include "file/planner.h"
#include "scenario/routine_inside.h"

#include <math.h>
#include <string.h>

#define FAR 0.5 ///< a start farther than this from its path is reported [m]

typedef struct Keys {
    double mirror;
    ib__MoveLimits limits;
} Keys;

static const ib_Param params[] = {
    IB_PARAM_ROW("mirror", IB_PARAM_NUMBER, "m", "0 m", 0, 1000, NULL, Keys, mirror, false,
                 "length of the field along x, across which a file's path is mirrored: for the "
                 "other alliance; 0: it is not"),
    IB__MOVE_LIMITS(Keys),
};
const ib_Schema ib__follow_schema = IB_SCHEMA(params);

static void add_along(ib__Routine *routine, const ib__StepNode *at, const ib_MoveConfig *move,
                      const ib_DrawnPath *drawn)
{
    ib__routine_add(routine, at,
                    (ib_RoutineStep){.kind = IB_STEP_MOVE,
                                     .label = ib__routine_label(routine, "follow", at->node),
                                     .move = *move,
                                     .drawn = drawn});
}

// True if an earlier step has moved the robot.
static bool has_moved(const ib__Routine *routine)
{
    for (int i = 0; i < routine->draft->count; i++)
        if (routine->draft->steps[i].kind == IB_STEP_MOVE) return true;
    return false;
}

static void tell_distance(ib__Routine *routine, const ib_Node *node, double x, double y)
{
    const ib_PathPoint *start = &routine->site->start;
    double dx = x - start->x, dy = y - start->y, way = sqrt(dx * dx + dy * dy);
    if (way > FAR && !has_moved(routine))
        ib_warn_value(routine->reader, node,
                      "begins at (%.3g m, %.3g m), %.3g m from where the robot starts: it drives "
                      "there first",
                      x, y, way);
}

// Moves to the beginning first, as one step with the next one.
static void add_from(ib__Routine *routine, const ib__StepNode *at, const ib_MoveConfig *move,
                     const ib_DrawnPath *drawn, const double from[3])
{
    ib_MoveConfig to = *move;
    tell_distance(routine, at->node, from[0], from[1]);
    int both =
        ib__routine_add(routine, at,
                        (ib_RoutineStep){.kind = IB_STEP_SEQUENCE,
                                         .label = ib__routine_label(routine, "follow", at->node)});
    if (both < 0) return;
    ib__StepNode inside = {at->word, at->node, both, INFINITY};
    to.kind = IB_MOVE_TO;
    to.path = NULL;
    to.x = from[0];
    to.y = from[1];
    to.end = move->end == IB_MOVE_PLANNED || !ib_is_holonomic(routine->site->base) ? IB_MOVE_FACES
                                                                                   : IB_MOVE_KEEPS;
    to.heading = from[2];
    ib__routine_add(
        routine, &inside,
        (ib_RoutineStep){.kind = IB_STEP_MOVE, .label = "to where it begins", .move = to});
    add_along(routine, &inside, move, drawn);
}

// ------------------------------------------------------------------------------------------- drawn

static bool says(const ib_Node *node, const char *word)
{
    return node && node->type == IB_NODE_SCALAR && strcmp(node->text, word) == 0;
}

// Reads the beginning of a path; false: a mistake. `here`: the robot's place then.
static bool read_from(ib__Routine *routine, const ib_Node *node, ib_PathPoint *start, bool *here)
{
    ib_Waypoint point = {0};
    ib_Error error;
    *here = !node || says(node, "here");
    *start = (ib_PathPoint){0};
    if (*here) return true;
    if (node->type != IB_NODE_LIST || node->count != 3) {
        ib_wrong_value(routine->reader, node,
                       "expected 'here', or [x, y, course] such as [0 m, 1 m, 90 deg]");
        return false;
    }
    const char *text[3];
    for (int i = 0; i < 3; i++) {
        text[i] = ib_read_text(routine->reader, ib_node_at(node, i), "a number with its unit");
        if (!text[i]) return false;
    }
    if (ib_path_read_waypoint(text[0], text[1], text[2], &point, &error) != IB_OK) {
        ib_wrong_value(routine->reader, node, "%s", error.text);
        return false;
    }
    *start = (ib_PathPoint){.x = point.x, .y = point.y, .course = point.heading};
    return true;
}

// `heading: 90 deg`, `along` or `keep`; only `along` for two sides.
static bool read_heading(ib__Routine *routine, const ib_Node *node, ib_MoveConfig *move)
{
    bool sides = !ib_is_holonomic(routine->site->base), along = says(node, "along");
    move->end = along || sides ? IB_MOVE_PLANNED : IB_MOVE_KEEPS;
    if (!node || along) return true;
    if (sides) {
        ib_wrong_value(routine->reader, node,
                       "a base with two sides looks along its path: leave 'heading' out");
        return false;
    }
    if (says(node, "keep")) return true;
    move->end = IB_MOVE_FACES;
    return ib_read_number(routine->reader, node, "rad", false, &move->heading);
}

static void read_drawn(ib__Routine *routine, const ib__StepNode *at, ib_MoveConfig *move)
{
    ib_Reader *reader = routine->reader;
    const ib_Node *path = ib_node_get(at->node, "path");
    ib_DrawnPath *drawn = ib_arena_alloc(reader->arena, sizeof *drawn);
    ib_Error error;
    int before = ib_diagnostics_seen(reader->diagnostics);
    if (!drawn) return;
    ib__read_path(reader, path, &drawn->path);
    if (!read_heading(routine, ib_node_get(at->node, "heading"), move) ||
        !read_from(routine, ib_node_get(at->node, "from"), &drawn->start, &move->here) ||
        ib_diagnostics_seen(reader->diagnostics) > before)
        return;
    if (ib_path_join(&drawn->path, drawn->start, &error) != IB_OK) {
        ib_wrong_value(reader, path, "%s", error.text);
        return;
    }
    drawn->along = move->end == IB_MOVE_PLANNED;
    if (move->here) {
        add_along(routine, at, move, drawn);
        return;
    }
    double from[3] = {drawn->start.x, drawn->start.y, drawn->start.course};
    add_from(routine, at, move, drawn, from);
}

// --------------------------------------------------------------------------------------- from file

// The field seen by the other alliance: mirrored in x, or turned by half a turn.
static bool flip(ib__Routine *routine, const ib_Node *map, double mirror, ib_PlannedPath *path)
{
    const ib_Node *rotate = ib_node_get(map, "rotate");
    double length = 0, width = 0;
    if (rotate && !ib_read_pair(routine->reader, rotate, "m", "[16.54 m, 8.07 m]", &length, &width))
        return false;
    if (rotate && mirror > 0) {
        ib_wrong_value(routine->reader, rotate, "'mirror' and 'rotate': expected one of both");
        return false;
    }
    if (!rotate && !(mirror > 0)) return true;
    ib_PlannedSample *samples =
        ib_arena_array(routine->reader->arena, (size_t)path->count, sizeof *samples);
    for (int i = 0; samples && i < path->count; i++) {
        ib_PlannedSample s = path->samples[i];
        s.x = (rotate ? length : mirror) - s.x;
        s.vx = -s.vx;
        if (rotate) s.y = width - s.y, s.vy = -s.vy;
        s.heading = rotate ? s.heading + M_PI : M_PI - s.heading;
        if (!rotate) s.yaw_rate = -s.yaw_rate;
        samples[i] = s;
    }
    path->samples = samples;
    return samples != NULL;
}

// Returns the lesser of the robot's limit and the step's.
static double least(double can, double asked)
{
    return asked > 0 && (!(can > 0) || asked < can) ? asked : can;
}

static ib_PlannerOptions options_of(const ib_Locomotion *base, const ib__MoveLimits *limits)
{
    return (ib_PlannerOptions){
        .base = ib_is_holonomic(base) ? IB_PLANNED_ANY_DIRECTION : IB_PLANNED_SIDES,
        .robot = {.speed = least(base->top[0], limits->speed),
                  .acceleration = least(base->quick[0], limits->acceleration),
                  .yaw_rate = least(base->top[2], limits->turn_speed),
                  .yaw_quicker = least(base->quick[2], limits->turn_acceleration)}};
}

// Reads the file that `node` names; NULL: mistakes, in it or here.
static ib_PlannedPath *load(ib__Routine *routine, const ib_Node *node, const ib__MoveLimits *limits)
{
    ib_Reader *reader = routine->reader;
    ib_Arena scratch = {0};
    ib_Error error;
    size_t length;
    const char *name = ib_read_text(reader, node, "the name of a planner's file");
    const char *file = name ? ib_resolve(reader, node) : NULL;
    ib_PlannedPath *path = ib_arena_alloc(reader->arena, sizeof *path);
    if (!file || !path) return NULL;
    const char *text =
        ib_contents_load_large(file, IB_JSON_MAX_SIZE >> 20, &scratch, &length, &error);
    if (!text) ib_wrong_value(reader, node, "%s", error.text);
    ib_PlannerOptions options = options_of(routine->site->base, limits);
    bool good = text && ib_planner_read(file, text, length, &options, reader->arena, path,
                                        reader->diagnostics);
    ib_arena_reset(&scratch);
    return good && ib_add_file(reader, file) ? path : NULL;
}

static void read_file(ib__Routine *routine, const ib__StepNode *at, const ib_Node *node,
                      const Keys *keys, ib_MoveConfig *move)
{
    static const char *const drawn[] = {"from", "heading"};
    ib_Reader *reader = routine->reader;
    for (int i = 0; i < 2; i++) {
        const ib_Node *key = ib_node_get(at->node, drawn[i]);
        if (key) ib_wrong_key(reader, key, "a file says this itself: leave it out");
        if (key) return;
    }
    ib_PlannedPath *path = load(routine, node, &keys->limits);
    if (!path || !flip(routine, at->node, keys->mirror, path)) return;
    if (path->base == IB_PLANNED_ANY_DIRECTION && !ib_is_holonomic(routine->site->base)) {
        ib_wrong_value(reader, node,
                       "was made for a base that goes any way, such as swerve, and this one has "
                       "two sides: expected a path for a differential drive, or drive {to: …}");
        return;
    }
    if (path->event_count > 0)
        ib_warn_value(reader, node, "its %d event%s nothing here: 'parallel' and 'set' can",
                      path->event_count, path->event_count == 1 ? " does" : "s do");
    const ib_PlannedSample *first = &path->samples[0];
    double from[3] = {first->x, first->y, first->heading};
    move->path = path;
    move->end = IB_MOVE_PLANNED;
    add_from(routine, at, move, NULL, from);
}

// ------------------------------------------------------------------------------------------- whole

void ib__read_follow(ib__Routine *routine, const ib__StepNode *at)
{
    ib_Reader *reader = routine->reader;
    bool map = at->node->type == IB_NODE_MAP;
    Keys keys = {0};
    int before = ib_diagnostics_seen(reader->diagnostics);
    if (map)
        ib_read_schema(reader, at->node, at->word->schema, ib__routine_others(routine, at->word),
                       &keys);
    const ib_Node *path = ib_node_get(at->node, "path");
    const ib_Node *file = map ? ib_node_get(at->node, "file") : at->node;
    const ib_Node *rotate = ib_node_get(at->node, "rotate");
    if (ib_diagnostics_seen(reader->diagnostics) > before) return;
    if (routine->site->unmoved) {
        ib_wrong_value(reader, at->node, "%s", routine->site->unmoved);
        return;
    }
    if ((path != NULL) + (file != NULL) != 1)
        ib_wrong_value(reader, at->node,
                       "expected one of 'path' (a list such as [line 1 m, arc 50 cm left 90 deg]) "
                       "and 'file' (a .traj or .path)");
    else if (path && (rotate || keys.mirror > 0))
        ib_wrong_key(reader, rotate ? rotate : ib_node_get(at->node, "mirror"),
                     "only a file's path is flipped: leave it out");
    ib_MoveConfig move = ib__move_of(&keys.limits);
    move.kind = IB_MOVE_PATH;
    if (ib_diagnostics_seen(reader->diagnostics) > before) return;
    if (path)
        read_drawn(routine, at, &move);
    else
        read_file(routine, at, file, &keys, &move);
}
