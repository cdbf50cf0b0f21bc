#include "sim/geometry.h"

#include "base/extreme.h"
#include "base/maths.h"
#include "robot/solid.h"
#include "sim/contact/field.h"
#include "sim/contact/relief.h"
#include "sim/ways.h"

#include <math.h>
#include <string.h>

#define ROW_DISTANCE   0.6 ///< between two robots that stand still for ever, of unknown width [m]
#define OUTLINE_HEIGHT 0.3 ///< of a robot drawn as its outline, of its shorter side

enum { CONTACT_ARROWS = IB_CONTACT_SLOTS + 1 }; ///< of a robot, with that of its last hit
enum { WALL_COLOUR = 0x9fb6cc, OBSTACLE_COLOUR = 0xa9a294, MOVER_COLOUR = 0xd08c2e };
enum { RIDGE_COLOUR = 0xb7a58a, RIDGE_TERRACES = 3 };

// Tables that grow; there is room for all that will come.
typedef struct Scene {
    ib_Arena *arena;
    ib_FrameDef *frames;
    ib_SolidDef *solids;
    ib_ArrowDef *arrows;
    ib_MarkDef *marks;
    const ib_AreaDef *areas; // whole
    int area_count;
    ib_WayDef *ways;
    ib_TraceDef *traces;
    int frame_count, solid_count, arrow_count, mark_count, way_count, trace_count;
    bool failed; // out of memory
} Scene;

static void make_room(Scene *scene, int frames, int solids, int arrows, int marks, int traces)
{
    ib_Arena *arena = scene->arena;
    scene->frames = ib_arena_array(arena, (size_t)frames, sizeof *scene->frames);
    scene->solids = ib_arena_array(arena, (size_t)solids, sizeof *scene->solids);
    scene->arrows = ib_arena_array(arena, (size_t)arrows, sizeof *scene->arrows);
    scene->marks = ib_arena_array(arena, (size_t)marks, sizeof *scene->marks);
    scene->traces = ib_arena_array(arena, (size_t)traces, sizeof *scene->traces);
    scene->failed =
        !scene->frames || !scene->solids || !scene->arrows || !scene->marks || !scene->traces;
}

static const ib_Geometry *finish(const Scene *scene)
{
    ib_Geometry *made = scene->failed ? NULL : ib_arena_alloc(scene->arena, sizeof *made);
    if (made)
        *made = (ib_Geometry){.frames = scene->frames,
                              .frame_count = scene->frame_count,
                              .solids = scene->solids,
                              .solid_count = scene->solid_count,
                              .arrows = scene->arrows,
                              .arrow_count = scene->arrow_count,
                              .marks = scene->marks,
                              .mark_count = scene->mark_count,
                              .areas = scene->areas,
                              .area_count = scene->area_count,
                              .ways = scene->ways,
                              .way_count = scene->way_count,
                              .traces = scene->traces,
                              .trace_count = scene->trace_count};
    return made;
}

// "red" and "pose.x" become "red.pose.x"; without prefix, or without a name: unchanged.
static const char *join(Scene *scene, const char *prefix, char between, const char *name)
{
    if (!name || !prefix[0]) return name;
    const char *whole = ib_arena_format(scene->arena, "%s%c%s", prefix, between, name);
    scene->failed |= !whole;
    return whole;
}

// ------------------------------------------------------------------------------------------- field

static void add_walls(Scene *scene, const ib_FieldConfig *field)
{
    for (int i = 0; i < field->corner_count; i++) {
        double x[4], y[4];
        ib_field_wall(field, i, x, y);
        double dx = x[1] - x[0], dy = y[1] - y[0];
        scene->solids[scene->solid_count++] = (ib_SolidDef){
            .name = "wall",
            .form = IB_SOLID_BOX,
            .place = {field->corner_x[i] + (x[0] + x[2]) / 2,
                      field->corner_y[i] + (y[0] + y[2]) / 2, field->height / 2},
            .attitude = {ib_atan2(dy, dx), 0, 0},
            .size = {sqrt(dx * dx + dy * dy), IB_WALL_THICKNESS, field->height},
            .colour = WALL_COLOUR,
            .opacity = 0.35,
        };
    }
}

// Its form about its own origin; rounded corners make a polygon of it.
static ib_SolidDef element_solid(Scene *scene, const ib_ElementConfig *element)
{
    ib_SolidDef solid = {.name = element->name, .colour = OBSTACLE_COLOUR};
    double h = element->height;
    if (element->form == IB_ELEMENT_DISC) {
        solid.form = IB_SOLID_CYLINDER;
        solid.place[2] = h / 2;
        memcpy(solid.size, (double[3]){element->radius, h, h}, sizeof solid.size);
        return solid;
    }
    if (element->form == IB_ELEMENT_BOX && !(element->radius > 0)) {
        solid.form = IB_SOLID_BOX;
        solid.place[2] = h / 2;
        memcpy(solid.size, (double[3]){element->length, element->width, h}, sizeof solid.size);
        return solid;
    }
    ib_Shape shape = ib_element_shape(element);
    ib_Placed placed;
    double *x = ib_arena_array(scene->arena, IB_OUTLINE_POINTS, sizeof *x);
    double *y = ib_arena_array(scene->arena, IB_OUTLINE_POINTS, sizeof *y);
    scene->failed |= !x || !y;
    if (scene->failed) return solid;
    ib_shape_place(&shape, 0, 0, 0, &placed);
    solid.form = IB_SOLID_POLYGON;
    solid.size[0] = solid.size[1] = solid.size[2] = h;
    solid.corner_count = ib_shape_outline(&placed, x, y);
    solid.corner_x = x;
    solid.corner_y = y;
    return solid;
}

// An offset from the place at rest as the run begins.
static double first_offset(const ib_FieldTrack *track)
{
    return track->count > 0 ? track->values[0] : 0;
}

// Moving elements stand on a frame that their signals move: these are the whole place, not an
// offset from rest. With contacts off there are no signals, and the element stays at its start.
static void add_element(Scene *scene, const ib_Model *model, const ib_ElementConfig *element)
{
    static const char *const parts[] = {"x", "y", "heading"};
    ib_SolidDef solid = element_solid(scene, element);
    const char *name = join(scene, "field", '.', element->name), *signals[3];
    bool moves = ib_element_moves(element);
    for (int i = 0; i < 3 && !scene->failed; i++) signals[i] = join(scene, name, '.', parts[i]);
    if (scene->failed) return;
    if (moves && ib_signals_find(&model->signals, signals[0]) >= 0) {
        scene->frames[scene->frame_count++] = (ib_FrameDef){
            .name = name, .move = {signals[0], signals[1], NULL}, .turn = {signals[2], NULL, NULL}};
        solid.frame = name;
    } else {
        solid.place[0] = element->x + first_offset(&element->move[IB_TRACK_X]);
        solid.place[1] = element->y + first_offset(&element->move[IB_TRACK_Y]);
        solid.attitude[0] = element->heading + first_offset(&element->move[IB_TRACK_HEADING]);
    }
    if (moves) solid.colour = MOVER_COLOUR;
    scene->solids[scene->solid_count++] = solid;
}

// A ridge as terraces, each as high as the ridge is at its edge.
static void add_ridge(Scene *scene, const ib_Ridge *ridge, const char *name)
{
    for (int level = 1; level <= RIDGE_TERRACES; level++) {
        double slope[2], reach = ridge->half * level / (RIDGE_TERRACES + 1);
        const ib_RidgeBar *bar = &ridge->bars[0];
        double along = bar->length / 2, across = reach;
        double height = ib_ridge_height(ridge, bar->x + along * bar->tx - across * bar->ty,
                                        bar->y + along * bar->ty + across * bar->tx, slope);
        for (int part = 0; part < ib_ridge_parts(ridge); part++) {
            double *x = ib_arena_array(scene->arena, IB_RIDGE_OUTLINE, sizeof *x);
            double *y = ib_arena_array(scene->arena, IB_RIDGE_OUTLINE, sizeof *y);
            scene->failed |= !x || !y;
            if (scene->failed) return;
            ib_SolidDef solid = {.name = name,
                                 .form = IB_SOLID_POLYGON,
                                 .size = {height, height, height},
                                 .corner_count = ib_ridge_outline(ridge, part, reach, x, y),
                                 .corner_x = x,
                                 .corner_y = y,
                                 .colour = RIDGE_COLOUR};
            scene->solids[scene->solid_count++] = solid;
        }
    }
}

// A body on a ridge is drawn at the mean height of its feet.
static void lift(Scene *scene, const ib_Model *model, const ib_RobotModel *robot, int from)
{
    for (int i = from; i < scene->frame_count && robot->ridge_signal >= 0; i++)
        if (scene->frames[i].body && !scene->frames[i].move[2])
            scene->frames[i].move[2] =
                model->signals.items[robot->ridge_signal + IB_RIDGE_HEIGHT].name;
}

// ------------------------------------------------------------------------------------------ robots

static bool has_signal(const ib_RobotPorts *ports, const char *name)
{
    for (int i = 0; i < ports->signal_count; i++)
        if (strcmp(ports->signals[i].name, name) == 0) return true;
    return false;
}

// The outline as a box or a disc with a front mark, moved by those signals of a pose that there
// are. A robot without an outline has only the frame.
static const ib_Geometry *outline_look(const ib_RobotPorts *ports, ib_Arena *arena)
{
    double l = ports->length, w = ports->round ? l : ports->width,
           h = OUTLINE_HEIGHT * ib_min(l, w);
    double corners[2][IB_SOLID_FRONT_CORNERS];
    ib_FrameDef body = ib_frame_body;
    for (int i = 0; i < 2; i++)
        if (!has_signal(ports, body.move[i])) body.move[i] = NULL;
    if (!has_signal(ports, body.turn[0])) body.turn[0] = NULL;
    ib_SolidDef solids[] = {
        {.name = "outline",
         .frame = "body",
         .form = ports->round ? IB_SOLID_CYLINDER : IB_SOLID_BOX,
         .place = {0, 0, h / 2},
         .size = {l, w, h},
         .colour = IB_COLOUR_METAL},
        ib_solid_front(0.46 * l, 0.4 * l, 0.4 * w, h, corners),
    };
    if (ports->round) memcpy(solids[0].size, (double[3]){l / 2, h, h}, sizeof solids[0].size);
    ib_ArrowDef velocity = ib_arrow_velocity(h);
    bool moves = has_signal(ports, velocity.signal[0]) && has_signal(ports, velocity.signal[1]);
    ib_Geometry geometry = {.frames = &body,
                            .frame_count = 1,
                            .solids = solids,
                            .solid_count = l > 0 && w > 0 ? 2 : 0,
                            .arrows = &velocity,
                            .arrow_count = moves};
    return ib_geometry_keep(&geometry, arena);
}

static bool has_arrow(const ib_Geometry *geometry, const char *signal)
{
    for (int i = 0; i < geometry->arrow_count; i++)
        for (int k = 0; k < 3; k++)
            if (geometry->arrows[i].signal[k] && strcmp(geometry->arrows[i].signal[k], signal) == 0)
                return true;
    return false;
}

static void add_frames(Scene *scene, const ib_Geometry *geometry, const char *name, double aside)
{
    for (int i = 0; i < geometry->frame_count; i++) {
        ib_FrameDef *frame = &scene->frames[scene->frame_count++];
        *frame = geometry->frames[i];
        if (!frame->parent) frame->place[1] += aside;
        frame->name = join(scene, name, '.', frame->name);
        frame->parent = join(scene, name, '.', frame->parent);
        for (int k = 0; k < 3; k++) {
            frame->move[k] = join(scene, name, '.', frame->move[k]);
            frame->turn[k] = join(scene, name, '.', frame->turn[k]);
        }
    }
}

// Bumpers show the alliance: a robot that is called after a colour wears it.
static void add_solids(Scene *scene, const ib_Geometry *geometry, const char *name, double aside)
{
    uint32_t colour;
    bool coloured = ib_colour_named(name, &colour);
    for (int i = 0; i < geometry->solid_count; i++) {
        ib_SolidDef *solid = &scene->solids[scene->solid_count++];
        *solid = geometry->solids[i];
        if (!solid->frame) solid->place[1] += aside;
        if (coloured && solid->livery) solid->colour = colour;
        solid->name = join(scene, name, ' ', solid->name);
        solid->frame = join(scene, name, '.', solid->frame);
        solid->tint = join(scene, name, '.', solid->tint);
    }
}

static void add_arrow(Scene *scene, const ib_ArrowDef *arrow, const char *name)
{
    ib_ArrowDef *own = &scene->arrows[scene->arrow_count++];
    *own = *arrow;
    own->name = join(scene, name, ' ', own->name);
    own->frame = join(scene, name, '.', own->frame);
    own->since = join(scene, name, '.', own->since);
    for (int k = 0; k < 3; k++) {
        own->signal[k] = join(scene, name, '.', own->signal[k]);
        own->move[k] = join(scene, name, '.', own->move[k]);
    }
}

// The frame that the robot's own points are given in: the first one that is a body.
static const char *body_frame(const ib_Geometry *geometry)
{
    for (int i = 0; i < geometry->frame_count; i++)
        if (geometry->frames[i].body) return geometry->frames[i].name;
    return NULL;
}

// Forces of the ports that the robot's own table does not show; two at different places may be
// of one signal.
static void add_forces(Scene *scene, const ib_RobotPorts *ports, const ib_Geometry *geometry,
                       const char *name)
{
    for (int i = 0; i < ports->force_count; i++) {
        const ib_ForceDef *force = &ports->forces[i];
        if (force->in_field || has_arrow(geometry, force->signal)) continue;
        ib_ArrowDef arrow = {
            .name = force->label,
            .frame = body_frame(geometry),
            .kind = IB_ARROW_FORCE,
            .place = {force->x, force->y, IB_FORCE_ARROW_HEIGHT},
            .signal = {force->signal, force->side, NULL},
            .along = {{force->along_x, force->along_y, 0}, {-force->along_y, force->along_x, 0}}};
        add_arrow(scene, &arrow, name);
    }
}

// Adds a trace without its signals.
static ib_TraceDef *add_trace(Scene *scene, const ib_TraceDef *trace, const char *name)
{
    ib_TraceDef *own = &scene->traces[scene->trace_count++];
    *own = *trace;
    own->name = join(scene, name, ' ', own->name);
    own->frame = join(scene, name, '.', own->frame);
    return own;
}

static void add_mark(Scene *scene, const ib_MarkDef *mark, const char *name)
{
    ib_MarkDef *own = &scene->marks[scene->mark_count++];
    ib_SoleDef *feet = ib_arena_array(scene->arena, (size_t)mark->foot_count, sizeof *feet);
    *own = *mark;
    own->name = join(scene, name, ' ', own->name);
    own->frame = join(scene, name, '.', own->frame);
    for (int k = 0; k < 3; k++) own->move[k] = join(scene, name, '.', own->move[k]);
    scene->failed |= !feet;
    for (int i = 0; feet && i < mark->foot_count; i++) {
        feet[i] = mark->feet[i];
        feet[i].load = join(scene, name, '.', feet[i].load);
        for (int k = 0; k < 3; k++) feet[i].move[k] = join(scene, name, '.', feet[i].move[k]);
    }
    own->feet = feet;
}

static void add_robot(Scene *scene, const ib_RobotPorts *ports, const ib_Geometry *geometry,
                      const char *name, double aside)
{
    add_frames(scene, geometry, name, aside);
    add_solids(scene, geometry, name, aside);
    for (int i = 0; i < geometry->arrow_count; i++) add_arrow(scene, &geometry->arrows[i], name);
    add_forces(scene, ports, geometry, name);
    for (int i = 0; i < geometry->mark_count; i++) add_mark(scene, &geometry->marks[i], name);
    for (int i = 0; i < geometry->trace_count; i++) {
        ib_TraceDef *trace = add_trace(scene, &geometry->traces[i], name);
        for (int k = 0; k < 3; k++) trace->move[k] = join(scene, name, '.', trace->move[k]);
    }
}

static double outline_height(const ib_RobotPorts *ports)
{
    return OUTLINE_HEIGHT * ib_min(ports->length, ports->round ? ports->length : ports->width);
}

// Pushes are known in the field's directions: a frame that moves with the robot and does not turn.
static void add_push(Scene *scene, const ib_Model *model, const ib_RobotModel *robot)
{
    static const ib_ArrowDef push = {.name = "F_push",
                                     .frame = "push",
                                     .kind = IB_ARROW_FORCE,
                                     .signal = {"disturbance.force.x", "disturbance.force.y", NULL},
                                     .along = {{1, 0, 0}, {0, 1, 0}}};
    if (robot->disturbance_signal < 0 || robot->x_signal < 0 || robot->y_signal < 0) return;
    scene->frames[scene->frame_count++] =
        (ib_FrameDef){.name = join(scene, robot->name, '.', "push"),
                      .place = {0, 0, outline_height(&robot->ports)},
                      .move = {model->signals.items[robot->x_signal].name,
                               model->signals.items[robot->y_signal].name, NULL}};
    add_arrow(scene, &push, robot->name);
}

// An arrow in the field whose place and parts are two signals each, the first one and the next.
static ib_ArrowDef arrow_at(const char *name, ib_ArrowKind kind, int place, int part, double height)
{
    const ib_SignalDef *rows = ib_contact_signals;
    return (ib_ArrowDef){.name = name,
                         .kind = kind,
                         .place = {0, 0, height},
                         .move = {rows[place].name, rows[place + 1].name, NULL},
                         .signal = {rows[part].name, rows[part + 1].name, NULL},
                         .along = {{1, 0, 0}, {0, 1, 0}}};
}

// Adds the forces at its contacts, and the impulse of its last hit.
static void add_contacts(Scene *scene, const ib_RobotModel *robot, double height)
{
    static const char *const names[IB_CONTACT_SLOTS] = {"F_contact,1", "F_contact,2", "F_contact,3",
                                                        "F_contact,4"};
    if (robot->contact_signal < 0) return;
    for (int i = 0; i < IB_CONTACT_SLOTS; i++) {
        int slot = IB_CONTACT_SLOT + IB_SLOT_SIGNALS * i;
        ib_ArrowDef force =
            arrow_at(names[i], IB_ARROW_FORCE, slot + IB_SLOT_X, slot + IB_SLOT_FORCE_X, height);
        add_arrow(scene, &force, robot->name);
    }
    ib_ArrowDef hit =
        arrow_at("J_hit", IB_ARROW_IMPULSE, IB_CONTACT_HIT_X, IB_CONTACT_HIT_IMPULSE_X, height);
    hit.since = ib_contact_signals[IB_CONTACT_HIT_TIME].name;
    add_arrow(scene, &hit, robot->name);
}

// Height of the lowest of all outlines: there the forces of a pair begin at one point.
static double contact_height(const ib_Model *model)
{
    double height = IB_FIELD_HEIGHT;
    for (int i = 0; i < model->robot_count; i++)
        if (model->robots[i].contact_signal >= 0)
            height = ib_min(height, outline_height(&model->robots[i].ports));
    return height;
}

const ib_Geometry *ib_robot_geometry(const ib_RobotPorts *ports, const char *name, ib_Arena *arena)
{
    const ib_Geometry *geometry = ports->geometry ? ports->geometry : outline_look(ports, arena);
    if (!geometry) return NULL;
    Scene scene = {.arena = arena};
    make_room(&scene, geometry->frame_count, geometry->solid_count,
              geometry->arrow_count + ports->force_count, geometry->mark_count,
              geometry->trace_count);
    if (!scene.failed) add_robot(&scene, ports, geometry, name, 0);
    return finish(&scene);
}

// ------------------------------------------------------------------------------------------- model

// The signal of a loop with this role; NULL: it has none.
static const char *loop_signal(const ib_Model *model, int control, ib_SignalRole role)
{
    if (control < 0) return NULL;
    const ib_ControlModel *loop = &model->controls[control];
    for (int i = 0; i < loop->controller->ports.signal_count; i++) {
        const ib_SignalDef *signal = &model->signals.items[loop->signal + i];
        if (signal->means.role == role) return signal->name;
    }
    return NULL;
}

// Adds the planned ways of robots.
static void add_ways(Scene *scene, const ib_Model *model, const ib_Geometry *const *looks)
{
    int count;
    const ib_Way *ways = ib_model_ways(model, scene->arena, &count);
    scene->ways = ib_arena_array(scene->arena, (size_t)count, sizeof *scene->ways);
    scene->failed |= !scene->ways;
    for (int i = 0; !scene->failed && i < count; i++) {
        const ib_Way *way = &ways[i];
        const char *robot = model->robots[way->robot].name;
        scene->ways[scene->way_count++] =
            (ib_WayDef){.name = join(scene, robot, ' ', "planned way"),
                        .body = join(scene, robot, '.', body_frame(looks[way->robot])),
                        .count = way->count,
                        .x = way->x,
                        .y = way->y,
                        .now = {loop_signal(model, way->control, IB_ROLE_PLAN_X),
                                loop_signal(model, way->control, IB_ROLE_PLAN_Y)}};
    }
}

// Adds a loop's part to the geometry of its robot; a signal of its own by its whole name.
static void add_loop(Scene *scene, const ib_Model *model, const ib_ControlModel *loop)
{
    const ib_ControlPorts *ports = &loop->controller->ports;
    const char *robot = model->robots[loop->robot].name;
    if (!ports->geometry) return;
    add_solids(scene, ports->geometry, robot, 0);
    for (int i = 0; i < ports->geometry->trace_count; i++) {
        ib_TraceDef *trace = add_trace(scene, &ports->geometry->traces[i], robot);
        for (int k = 0; k < 3; k++)
            for (int s = 0; trace->move[k] && s < ports->signal_count; s++)
                if (strcmp(ports->signals[s].name, ports->geometry->traces[i].move[k]) == 0)
                    trace->move[k] = model->signals.items[loop->signal + s].name;
    }
}

static bool goes_about(const ib_RobotModel *robot)
{
    return robot->x_signal >= 0 || robot->y_signal >= 0;
}

// Width of the boxes on a look's body: its foot. 0: there are none.
static double foot_width(const ib_Geometry *geometry)
{
    double widest = 0;
    for (int i = 0; i < geometry->solid_count; i++) {
        const ib_SolidDef *solid = &geometry->solids[i];
        bool foot = geometry->frame_count > 0 && geometry->frames[0].body && solid->frame &&
                    strcmp(solid->frame, geometry->frames[0].name) == 0;
        if (foot && solid->form == IB_SOLID_BOX) widest = ib_max(widest, solid->size[1]);
    }
    return widest;
}

// Between those that stand still for ever: once more as wide as the widest of them.
static double row_distance(const ib_Model *model, const ib_Geometry *const *looks)
{
    double widest = 0;
    for (int i = 0; i < model->robot_count; i++)
        if (!goes_about(&model->robots[i])) widest = ib_max(widest, foot_width(looks[i]));
    return widest > 0 ? 2 * widest : ROW_DISTANCE;
}

const ib_Geometry *ib_model_geometry(const ib_Model *model, ib_Arena *arena)
{
    const ib_FieldConfig *field = model->config->field;
    Scene scene = {.arena = arena};
    int frames = 0, solids = 0, arrows = 0, marks = 0, traces = 0;
    size_t robots = (size_t)model->robot_count;
    const ib_Geometry **looks = ib_arena_array(arena, robots, sizeof *looks);
    if (!looks) return NULL;
    for (int i = 0; i < model->robot_count; i++) {
        const ib_RobotPorts *ports = &model->robots[i].ports;
        looks[i] = ports->geometry ? ports->geometry : outline_look(ports, arena);
        if (!looks[i]) return NULL;
        frames += looks[i]->frame_count + 1; // of its pushes
        solids += looks[i]->solid_count;
        arrows += looks[i]->arrow_count + ports->force_count + 1 + CONTACT_ARROWS; // a push
        marks += looks[i]->mark_count;
        traces += looks[i]->trace_count;
    }
    for (int i = 0; i < model->control_count; i++) {
        const ib_Geometry *geometry = model->controls[i].controller->ports.geometry;
        if (geometry) solids += geometry->solid_count;
        if (geometry) traces += geometry->trace_count;
    }
    if (field) {
        frames += field->element_count;
        solids += field->corner_count + field->element_count;
    }
    const ib__Relief *relief = model->relief;
    for (int i = 0; relief && i < relief->count; i++)
        solids += RIDGE_TERRACES * ib_ridge_parts(&relief->ridges[i]);
    make_room(&scene, frames, solids, arrows, marks, traces);
    if (scene.failed) return NULL;

    for (int i = 0; relief && i < relief->count; i++)
        add_ridge(&scene, &relief->ridges[i], field->ridges[i].name);
    if (field) add_walls(&scene, field);
    if (field) scene.areas = ib_zone_pictures(field, arena, &scene.area_count);
    for (int i = 0; field && i < field->element_count; i++)
        add_element(&scene, model, &field->elements[i]);
    double height = contact_height(model), distance = row_distance(model, looks);
    int still = 0;
    for (int i = 0; i < model->robot_count; i++) {
        const ib_RobotModel *robot = &model->robots[i];
        bool moves = goes_about(robot);
        double aside = moves ? 0 : -distance * still++;
        int first = scene.frame_count;
        add_robot(&scene, &robot->ports, looks[i], robot->name, aside);
        lift(&scene, model, robot, first);
        add_push(&scene, model, robot);
        add_contacts(&scene, robot, height);
    }
    for (int i = 0; i < model->control_count; i++) add_loop(&scene, model, &model->controls[i]);
    add_ways(&scene, model, looks);
    return finish(&scene);
}
