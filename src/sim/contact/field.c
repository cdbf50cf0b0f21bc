// sim/contact/field.c: the field and the robots' bodies as one world of contacts, part of
// the model.
#include "sim/contact/field.h"

#include "robot/planar.h"
#include "sim/contact/partners.h"
#include "sim/shared_world.h"

static const ib_Mode hit_mode = {
    .kind = IB_MODE_CONTACT,
    .meanings = {{"no hit so far", IB_MODE_INFO}, {"a hit", IB_MODE_INFO}}};
static const ib_Mode touch_mode = {
    .kind = IB_MODE_CONTACT,
    .meanings = {{"it comes free", IB_MODE_INFO}, {"it rests on something", IB_MODE_INFO}}};

// clang-format off
#define SLOT(k, nth)                                                                               \
    [IB_CONTACT_SLOT + (k - 1) * IB_SLOT_SIGNALS] =                                                \
    {"contact." #k ".x", "m", "place of the " nth " point that pushes it, field x", 0},            \
    {"contact." #k ".y", "m", "place of the " nth " point that pushes it, field y", 0},            \
    {"contact." #k ".normal", "N", "push at the " nth " point, across the surfaces", 0},           \
    {"contact." #k ".friction", "N",                                                               \
     "force at the " nth " point along the surfaces; positive: to the left of the normal", 0},     \
    {"contact." #k ".force.x", "N", "whole force at the " nth " point, field x", 0},               \
    {"contact." #k ".force.y", "N", "whole force at the " nth " point, field y", 0},               \
    {"contact." #k ".power", "W", "what friction at the " nth " point takes of both that touch", 0}

const ib_SignalDef ib_contact_signals[IB_CONTACT_SIGNALS] = {
    [IB_CONTACT_HITS] = {"contact.hits", "1", "times that the outline has hit something", 0,
                         IB_MEANS(.headline = 3, .mode = &hit_mode)},
    [IB_CONTACT_IMPULSE] = {"contact.impulse", "N*s", "size of the impulse of the last hit", 0},
    [IB_CONTACT_TOUCHING] = {"contact.touching", "1", "1: it rests on something", 0,
                             IB_MEANS(.mode = &touch_mode, .binary = true)},
    [IB_CONTACT_FORCE] = {"contact.force", "N",
                          "size of the sum of the forces where it rests on something", 0,
                          IB_MEANS(.role = IB_ROLE_CONTACT_FORCE)},
    [IB_CONTACT_FORCE_X] = {"contact.force.x", "N",
                            "sum of the forces where it rests on something, field x", 0,
                            IB_MEANS(.role = IB_ROLE_CONTACT_X)},
    [IB_CONTACT_FORCE_Y] = {"contact.force.y", "N",
                            "sum of the forces where it rests on something, field y", 0,
                            IB_MEANS(.role = IB_ROLE_CONTACT_Y)},
    [IB_CONTACT_TORQUE] = {"contact.torque", "N*m",
                           "torque of the forces where it rests on something about its origin", 0,
                           IB_MEANS(.role = IB_ROLE_CONTACT_TORQUE)},
    [IB_CONTACT_COUNT] = {"contact.count", "1", "points at which something pushes it", 0},
    [IB_CONTACT_HIT_X] = {"contact.hit.x", "m", "place of the last hit, field x", 0},
    [IB_CONTACT_HIT_Y] = {"contact.hit.y", "m", "place of the last hit, field y", 0},
    [IB_CONTACT_HIT_IMPULSE_X] = {"contact.hit.impulse.x", "N*s",
                                  "impulse of the last hit, field x", 0},
    [IB_CONTACT_HIT_IMPULSE_Y] = {"contact.hit.impulse.y", "N*s",
                                  "impulse of the last hit, field y", 0},
    [IB_CONTACT_HIT_TAKEN] = {"contact.hit.taken", "J",
                              "kinetic energy that the last hit took from it; what another robot "
                              "got is taken, what it got itself counts negative", 0},
    [IB_CONTACT_HIT_TIME] = {"contact.hit.time", "s", "time of the last hit", 0},
    SLOT(1, "first"), SLOT(2, "second"), SLOT(3, "third"), SLOT(4, "fourth"),
};
#undef SLOT
// clang-format on

static const ib_SignalDef mover_signals[] = {
    {"x", "m", "place of this element of the field, x", 0},
    {"y", "m", "place of this element of the field, y", 0},
    {"heading", "rad", "direction of this element of the field", 0, IB_MEANS(.shown = "deg")},
};

ib_Shape ib__field_outline(const ib_RobotPorts *ports)
{
    bool outlined = ports->length > 0 && (ports->round || ports->width > 0);
    if (!outlined) return (ib_Shape){0};
    return ports->round ? ib_shape_disc(ports->length / 2)
                        : ib_shape_box(ports->length, ports->width);
}

static ib_BodyConfig body_of(const ib_RobotPorts *ports)
{
    return (ib_BodyConfig){.shape = ib__field_outline(ports),
                           .restitution = ports->restitution,
                           .yield_speed = ports->yield_speed,
                           .friction = ports->friction,
                           .upright = ports->upright};
}

// Gives a number to each robot that can touch something; how many there are.
static int number_bodies(ib_Model *model)
{
    int count = 0;
    for (int i = 0; i < model->robot_count; i++) {
        ib_RobotModel *robot = &model->robots[i];
        bool outlined = ib__field_outline(&robot->ports).count > 0;
        bool touches = robot->ports.planar && outlined && !model->config->ghosts;
        robot->contact_signal = -1;
        robot->body = touches ? count++ : -1;
    }
    return count;
}

// True if an object of the field stops a robot.
static bool stands(const ib_FieldConfig *field)
{
    return field && (field->corner_count > 0 || field->element_count > 0);
}

// True if elements move, for robots of a world that is shared, which meet them there.
static bool moves_alone(const ib_Model *model)
{
    const ib_FieldConfig *field = model->config->field;
    bool shares = false, moves = false;
    for (int i = 0; i < model->robot_count; i++) shares |= model->robots[i].kind->shares;
    for (int i = 0; field && i < field->element_count; i++)
        moves |= ib_element_moves(&field->elements[i]);
    return shares && moves && !model->config->ghosts;
}

// The world, if there is something to touch: a field, or a second body.
ib_Status ib__field_create(ib_Model *model, ib_Arena *arena, ib_Error *error)
{
    const ib_FieldConfig *field = model->config->field;
    bool standing = stands(field);
    int count = number_bodies(model);
    if (count == 0 && !moves_alone(model)) return IB_OK;
    if (count == 1 && !standing) return IB_OK;
    ib_BodyConfig *bodies = ib_arena_array(arena, (size_t)count, sizeof *bodies);
    ib_FieldConfig *empty = standing ? NULL : ib_arena_alloc(arena, sizeof *empty);
    model->body_robots = ib_arena_array(arena, (size_t)count, sizeof *model->body_robots);
    if (!bodies || !model->body_robots || (!standing && !empty))
        return ib_error_set(error, IB_FAILED, "out of memory for the field");
    for (int i = 0; i < model->robot_count; i++) {
        const ib_RobotModel *robot = &model->robots[i];
        if (robot->body < 0) continue;
        bodies[robot->body] = body_of(&robot->ports);
        model->body_robots[robot->body] = i;
    }
    if (empty) *empty = ib_field_default();
    ib_Status status =
        ib_world_create(standing ? field : empty, bodies, count, arena, &model->world, error);
    for (int i = 0; status == IB_OK && i < count; i++)
        model->world->absent[i] = model->robots[model->body_robots[i]].rider >= 0;
    return status;
}

// The element that moves as number `mover`.
static const ib_ElementConfig *mover_config(const ib_Model *model, int mover)
{
    const ib_World *world = model->world;
    for (int i = 0; i < world->element_count; i++)
        if (world->elements[i].mover == mover)
            return &model->config->field->elements[world->elements[i].config];
    return NULL;
}

ib_Status ib__field_signals(ib_Model *model, ib_Arena *arena, ib_Error *error)
{
    if (!model->world) return IB_OK;
    int good = 0;
    for (int i = 0; i < model->robot_count; i++) {
        ib_RobotModel *robot = &model->robots[i];
        if (robot->body < 0) continue;
        robot->contact_signal =
            ib_signals_add(&model->signals, robot->name, ib_contact_signals, IB_CONTACT_SIGNALS);
        good |= robot->contact_signal;
    }
    ib_Status status = ib__partners_create(model, arena, error);
    if (status != IB_OK) return status;
    model->mover_signal = model->signals.count;
    for (int i = 0; i < model->world->mover_count; i++) {
        const char *prefix = ib_arena_format(arena, "field.%s", mover_config(model, i)->name);
        good |=
            prefix ? ib_signals_add(&model->signals, prefix, mover_signals, IB_TRACK_COUNT) : -1;
    }
    return good < 0 ? ib_error_set(error, IB_FAILED, "out of memory for the field") : IB_OK;
}

// All bodies at the start, and the movers where their timelines begin.
typedef struct Start {
    ib_BodyState *bodies, *movers;
} Start;

static void start_body(const ib_RobotModel *robot, ib_Arena *arena, ib_BodyState *body)
{
    double *state = ib_arena_array(arena, (size_t)robot->ports.state_count, sizeof *state);
    ib_Motion m;
    if (!state) return;
    robot->kind->reset(robot->config, robot->model, state);
    ib_planar_motion(robot->ports.planar, state, NULL, &m);
    *body = (ib_BodyState){.x = m.x, .y = m.y, .heading = m.heading};
}

// False: out of memory.
static bool find_start(const ib_Model *model, ib_Arena *arena, Start *start)
{
    const ib_World *world = model->world;
    start->bodies = ib_arena_array(arena, (size_t)world->body_count, sizeof *start->bodies);
    start->movers = ib_arena_array(arena, (size_t)world->mover_count, sizeof *start->movers);
    if (!start->bodies || !start->movers) return false;
    for (int i = 0; i < world->body_count; i++)
        start_body(&model->robots[model->body_robots[i]], arena, &start->bodies[i]);
    for (int i = 0; i < world->mover_count; i++) {
        const ib_Timeline *track = &model->mover_timelines[i * IB_TRACK_COUNT];
        double at[IB_TRACK_COUNT];
        for (int k = 0; k < IB_TRACK_COUNT; k++) at[k] = track[k].count ? track[k].values[0] : 0;
        start->movers[i] = (ib_BodyState){.x = at[0], .y = at[1], .heading = at[2]};
    }
    return true;
}

// Without a field, robots that start inside each other are meant for comparison, not for collision:
// they pass through each other for the whole run.
static void let_through(ib_Model *model, ib_Arena *arena)
{
    Start start;
    ib_World *world = model->world;
    if (!find_start(model, arena, &start)) return;
    for (int i = world->body_count * world->element_count; i < world->pair_count; i++) {
        ib_Pair pair = ib_world_pair(world, i);
        if (world->absent[pair.body] || world->absent[pair.other]) continue;
        if (ib_world_gap(world, i, start.bodies, start.movers) < -IB_CONTACT_GAP)
            ib_world_ignore(world, pair.body, pair.other);
    }
}

ib_Status ib__field_lay_out(ib_Model *model, ib_Arena *arena, ib_Error *error)
{
    if (!model->world) return IB_OK;
    const ib_World *world = model->world;
    model->hit_state = model->state_count;
    model->state_count += IB_HIT_STATES * world->body_count;
    ib__partners_lay_out(model);
    model->tally_state = model->state_count;
    model->state_count += IB_TALLY_STATES;
    model->rest_state = model->state_count;
    model->state_count += 1 + IB_REST_STATES * world->rest_room;
    model->mover_input = model->input_count;
    model->input_count += IB_TRACK_COUNT * world->mover_count;

    size_t count = (size_t)(IB_TRACK_COUNT * world->mover_count);
    ib_Timeline *timelines = ib_arena_array(arena, count, sizeof *timelines);
    if (!timelines) return ib_error_set(error, IB_FAILED, "out of memory for the field");
    for (size_t i = 0; i < count; i++) {
        const ib_FieldTrack *track =
            &mover_config(model, (int)i / IB_TRACK_COUNT)->move[i % IB_TRACK_COUNT];
        timelines[i] = (ib_Timeline){track->count, track->times, track->values, true};
    }
    model->mover_timelines = timelines;
    if (!stands(model->config->field)) let_through(model, arena);
    return IB_OK;
}

// --------------------------------------------------------------------------------------- the start

const char *ib__field_body_name(const ib_Model *model, int body)
{
    const char *name = model->robots[model->body_robots[body]].name;
    return name[0] ? name : "the robot";
}

const char *ib__field_element_name(const ib_Model *model, int element)
{
    int config = model->world->elements[element].config;
    return config < 0 ? "a wall of the field" : model->config->field->elements[config].name;
}

// The body that starts on the wrong side of the walls; -1: none.
static int find_outside(const ib_Model *model, const ib_BodyState *bodies)
{
    const ib_FieldConfig *field = model->config->field;
    for (int i = 0; field && i < model->world->body_count; i++)
        if (!model->world->absent[i] && !ib_field_within(field, bodies[i].x, bodies[i].y)) return i;
    return -1;
}

static int refuse_outside(const ib_Model *model, int body, const ib_BodyState *at, ib_Error *error)
{
    ib_error_set(error, IB_BAD_INPUT,
                 "%s starts outside the walls, at (%.4g m, %.4g m): expected a start inside "
                 "them, or field: {contact: false}",
                 ib__field_body_name(model, body), at->x, at->y);
    return model->body_robots[body];
}

static int refuse_inside(const ib_Model *model, int pair, double depth, ib_Error *error)
{
    ib_Pair who = ib_world_pair(model->world, pair);
    int robot = model->body_robots[who.body];
    const ib_RobotPorts *ports = &model->robots[robot].ports;
    ib_error_set(error, IB_BAD_INPUT,
                 "%s starts inside %s, %.3g m deep: expected a start with its whole outline (%.4g "
                 "m long, %.4g m wide) clear of it, or field: {contact: false}",
                 ib__field_body_name(model, who.body),
                 who.other >= 0 ? ib__field_body_name(model, who.other)
                                : ib__field_element_name(model, who.element),
                 depth, ports->length, ports->width);
    return robot;
}

bool ib_model_has_room(const ib_FieldConfig *field, const ib_RobotPorts *ports, double x, double y,
                       double heading, ib_Arena *arena)
{
    ib_BodyConfig body = body_of(ports);
    ib_BodyState at = {.x = x, .y = y, .heading = heading};
    ib_World *world;
    ib_Error error;
    double depth;
    if (!ib_field_within(field, x, y)) return false;
    if (ib_world_create(field, &body, 1, arena, &world, &error) != IB_OK) return true;
    ib_BodyState *movers = ib_arena_array(arena, (size_t)world->mover_count, sizeof *movers);
    if (world->mover_count > 0 && !movers) return true;
    return ib_world_overlap(world, &at, movers, &depth) < 0;
}

int ib_model_overlap(const ib_Model *model, ib_Error *error)
{
    ib_Arena arena = {0};
    Start start;
    double depth = 0;
    int found = -1;
    if (model->world && find_start(model, &arena, &start)) {
        int pair = ib_world_overlap(model->world, start.bodies, start.movers, &depth);
        int outside = pair < 0 ? find_outside(model, start.bodies) : -1;
        if (outside >= 0) found = refuse_outside(model, outside, &start.bodies[outside], error);
        if (pair >= 0) found = refuse_inside(model, pair, depth, error);
    }
    ib_arena_reset(&arena);
    return found < 0 ? ib__shared_overlap(model, error) : found;
}
