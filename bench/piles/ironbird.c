// Ironbird as an engine: a simulation with nothing attached, RK4.
#include "engine.h"

#include "robot/planar.h"
#include "robot/tank/tank.h"
#include "sim/sim.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Ironbird {
    ib_Arena arena;
    ib_FieldConfig field;
    ib_SimConfig config;
    ib_Time tank_times[1]; // one knot, at 0
    double tank_volts[1];  // at that knot [V]
    ib_Timeline tank_inputs[IB_TANK_SOLENOIDS];
    ib_Model *model;
    ib_Sim *sim;
    ib_Time until;
} Ironbird;

static void *must(void *memory)
{
    if (!memory) abort();
    return memory;
}

static void stop(const char *what, const char *why)
{
    fprintf(stderr, "bench_piles: %s: %s\n", what, why);
    abort();
}

// -------------------------------------------------------------------------------------- parameters

typedef struct Setting {
    const char *key;
    double value; // SI
} Setting;

static void set_numbers(const ib_Schema *schema, void *config, const Setting *settings, int count)
{
    ib_Error error;
    for (int i = 0; i < count; i++) {
        const ib_Param *param = ib_schema_find(schema, settings[i].key);
        if (!param) stop(settings[i].key, "there is no such parameter");
        if (ib_schema_set_number(param, settings[i].value, config, &error) != IB_OK)
            stop(settings[i].key, error.text);
    }
}

#define SET_NUMBERS(schema, config, ...)                                                           \
    set_numbers(schema, config, (const Setting[]){__VA_ARGS__},                                    \
                (int)(sizeof(const Setting[]){__VA_ARGS__} / sizeof(Setting)))

static void set_texts(const ib_Schema *schema, void *config, const char *const (*pairs)[2])
{
    ib_Error error;
    for (; (*pairs)[0]; pairs++) {
        const ib_Param *param = ib_schema_find(schema, (*pairs)[0]);
        if (!param) stop((*pairs)[0], "there is no such parameter");
        if (ib_schema_set(param, (*pairs)[1], config, &error) != IB_OK)
            stop((*pairs)[0], error.text);
    }
}

// The robot behind a SceneDrive: its motors, on a supply that gives 12 V whatever they draw.
static const char *const tank_settings[][2] = {
    {"drive.motor.voltage", "12 V"},
    {"drive.motor.free_speed", "5310 rpm"},
    {"drive.motor.free_current", "2.7 A"},
    {"drive.motor.stall_torque", "2.429 N*m"},
    {"drive.motor.stall_current", "131.227 A"},
    {"drive.loss", "none"},
    {"wheels.model", "viscous"},
    {"battery.open_circuit", "12 V"},
    {"battery.resistance", "0 ohm"},
    {"battery.constant_voltage", "true"},
    {NULL, NULL},
};

static const ib_RobotKind *kind_of(SceneForm form)
{
    static const char *const names[] = {
        [SCENE_BOX] = "box", [SCENE_BALL] = "ball", [SCENE_ROBOT] = "tank"};
    const ib_RobotKind *kind = ib_robot_kind_find(names[form]);
    if (!kind) stop(names[form], "there is no such kind");
    return kind;
}

static void set_body(const ib_RobotKind *kind, const Scene *scene, const SceneBody *body,
                     void *config)
{
    const ib_Schema *params = &kind->params;
    SET_NUMBERS(params, config, {"mass", body->mass}, {"bumper.friction", scene->friction},
                {"bumper.restitution", scene->restitution});
    SET_NUMBERS(&kind->start, config, {"x", body->x}, {"y", body->y}, {"heading", body->heading});
    switch (body->form) {
    case SCENE_BOX:
        SET_NUMBERS(params, config, {"length", body->length}, {"width", body->width}, {"mu", 0});
        break;
    case SCENE_BALL:
        SET_NUMBERS(params, config, {"diameter", body->length}, {"mu", 0}, {"rolling", 0},
                    {"spinning", 0});
        break;
    case SCENE_ROBOT:
        set_texts(params, config, tank_settings);
        SET_NUMBERS(params, config, {"length", body->length}, {"width", body->width},
                    {"inertia", body->inertia}, {"wheels.side_friction", scene->drive.side});
        break;
    }
}

// ------------------------------------------------------------------------------------------- setup

static ib_RobotConfig *make_robots(Ironbird *self, const Scene *scene)
{
    size_t count = (size_t)scene->body_count;
    ib_RobotConfig *robots = must(ib_arena_array(&self->arena, count, sizeof *robots));
    for (int i = 0; i < scene->body_count; i++) {
        const ib_RobotKind *kind = kind_of(scene->bodies[i].form);
        void *config = must(ib_arena_alloc(&self->arena, kind->config_size));
        ib_Error error;
        if (ib_schema_default(&kind->params, config, &error) != IB_OK ||
            ib_schema_default(&kind->start, config, &error) != IB_OK)
            stop(kind->name, error.text);
        set_body(kind, scene, &scene->bodies[i], config);
        robots[i] = (ib_RobotConfig){
            .name = must(ib_arena_format(&self->arena, "b%d", i)), .kind = kind, .config = config};
        if (scene->bodies[i].form != SCENE_ROBOT) continue;
        robots[i].inputs = self->tank_inputs;
        robots[i].input_count = IB_TANK_SOLENOIDS;
    }
    return robots;
}

static void make_pushes(Ironbird *self, const Scene *scene)
{
    size_t count = (size_t)scene->body_count;
    ib_Disturbance *pushes = must(ib_arena_array(&self->arena, count, sizeof *pushes));
    self->config.disturbances = pushes;
    for (int i = 0; i < scene->body_count; i++) {
        const SceneBody *body = &scene->bodies[i];
        if (body->fx == 0 && body->fy == 0) continue;
        pushes[self->config.disturbance_count++] =
            (ib_Disturbance){.type = IB_DISTURBANCE_FORCE,
                             .robot = i,
                             .until = IB_TIME_NEVER,
                             .size = hypot(body->fx, body->fy),
                             .direction = atan2(body->fy, body->fx)};
    }
}

static void *create(const Scene *scene)
{
    Ironbird *self = must(calloc(1, sizeof *self));
    ib_Error error;
    self->field = ib_field_default();
    ib_field_rectangle(&self->field, 0, 0, scene->length, scene->width);
    self->field.friction = scene->friction;
    self->field.restitution = scene->restitution;
    self->tank_volts[0] = scene->drive.volts;
    self->tank_inputs[IB_TANK_LEFT] = self->tank_inputs[IB_TANK_RIGHT] =
        (ib_Timeline){1, self->tank_times, self->tank_volts, false};
    self->config = (ib_SimConfig){.title = scene->key,
                                  .robots = make_robots(self, scene),
                                  .robot_count = scene->body_count,
                                  .gravity = 9.80665,
                                  .field = &self->field,
                                  .solver = {IB_RK4, 1e-9, 1e-9},
                                  .step = ib_time_from_seconds(SCENE_STEP),
                                  .duration = ib_time_from_seconds(scene->duration),
                                  .seed = 1};
    make_pushes(self, scene);
    if (ib_model_create(&self->config, &self->arena, &self->model, &error) == IB_OK &&
        ib_model_overlap(self->model, &error) < 0 &&
        ib_sim_create(self->model, &self->sim, &error) == IB_OK)
        return self;
    fprintf(stderr, "bench_piles: %s: %s\n", scene->key, error.text);
    ib_arena_reset(&self->arena);
    free(self);
    return NULL;
}

// --------------------------------------------------------------------------------------------- run

static bool advance(void *self_, int steps)
{
    Ironbird *self = self_;
    ib_Error error;
    self->until += steps * self->config.step;
    if (ib_sim_advance(self->sim, self->until, &error) == IB_OK) return true;
    fprintf(stderr, "bench_piles: %s: %s\n", self->config.title, error.text);
    return false;
}

static void look(void *self_, EnginePose *poses)
{
    const Ironbird *self = self_;
    const double *state = ib_sim_state(self->sim);
    for (int i = 0; i < self->model->robot_count; i++) {
        const ib_RobotModel *robot = &self->model->robots[i];
        ib_Motion motion;
        ib_planar_motion(robot->ports.planar, state + robot->state, NULL, &motion);
        poses[i] = (EnginePose){motion.x, motion.y, motion.heading};
    }
}

static int touches(void *self_, EngineTouch *touches, int most)
{
    const Ironbird *self = self_;
    const ib_Model *model = self->model;
    const double *rest = ib_sim_state(self->sim) + model->rest_state;
    int count = (int)rest[0];
    int found = 0;
    for (int i = 0; i < count && found < most; i++) {
        if (rest[1 + i * IB_REST_STATES + IB_REST_CLOSED] == 0) continue; // it does not push
        int pair = (int)rest[1 + i * IB_REST_STATES + IB_REST_PAIR];
        ib_Pair two = ib_world_pair(model->world, pair);
        touches[found].body = model->body_robots[two.body];
        touches[found++].other =
            two.other >= 0 ? model->body_robots[two.other] : model->robot_count + two.element;
    }
    return found;
}

static void destroy(void *self_)
{
    Ironbird *self = self_;
    ib_sim_destroy(self->sim);
    ib_arena_reset(&self->arena);
    free(self);
}

const Engine engine_ironbird = {"ironbird", create, advance, look, touches, destroy};
