// test/sim/pile_scene.h: random piles and shots by number. docs/world/world.md has the law that
// they try.
#ifndef IB_TEST_PILE_SCENE_H
#define IB_TEST_PILE_SCENE_H

#include "sim/pile.h"

typedef enum SceneKind { SCENE_CROWD, SCENE_CORNER, SCENE_RACK, SCENE_SHOT, SCENE_KINDS } SceneKind;

// What the draws of one scene share.
typedef struct Scene {
    Dice dice;
    Pile *pile;
    SceneKind kind;
    int count;               // bodies that are wanted
    double duration;         // [s]
    double size, mass;       // of a usual body [m, kg]
    double spread;           // bodies are up to this factor larger or smaller
    double length, width;    // of the room [m]
    double focus_x, focus_y; // where all is pushed to
} Scene;

// ------------------------------------------------------------------------------------------ bodies

static inline double scene_within(double low, double x, double high)
{
    return fmin(high, fmax(low, x));
}

static inline double scene_size(Scene *scene)
{
    double factor = draw_size(&scene->dice, 1 / scene->spread, scene->spread);
    return scene_within(0.02, scene->size * factor, 1.5);
}

static inline double scene_mass(Scene *scene)
{
    double factor = draw_size(&scene->dice, 1 / scene->spread, scene->spread);
    return scene_within(1e-3, scene->mass * factor * factor, 60);
}

static inline void scene_body(Scene *scene)
{
    Dice *dice = &scene->dice;
    ib_BumperConfig bumper = draw_bumper(dice, 1.5);
    double mu = chance(dice, 0.4) ? 0 : draw(dice, 0, 1), kind = draw(dice, 0, 1);
    double mass = scene_mass(scene), size = scene_size(scene);
    if (kind < 0.6) {
        double width = scene_within(0.02, size * draw_size(dice, 0.25, 1), 1.5);
        pile_box(scene->pile, mass, size, width, mu, bumper);
    } else if (kind < 0.8) {
        pile_disc(scene->pile, mass, size, mu, bumper);
    } else {
        pile_ball(scene->pile, mass, size, mu, bumper);
    }
}

// Twins of the first body.
static inline void scene_twin(Scene *scene)
{
    const PileBody *first = &scene->pile->bodies[0];
    const PileConfig *config = &first->config;
    const ib_RobotKind *kind = scene->pile->robots[0].kind;
    if (kind == &ib_box_kind)
        pile_box(scene->pile, first->mass, config->box.length, config->box.width, config->box.mu,
                 config->box.bumper);
    else if (kind == &ib_disc_kind)
        pile_disc(scene->pile, first->mass, config->disc.diameter, config->disc.mu,
                  config->disc.bumper);
    else
        pile_ball(scene->pile, first->mass, config->ball.diameter, config->ball.mu,
                  config->ball.bumper);
}

// Voltages that change twice.
static inline void scene_tank(Scene *scene)
{
    Dice *dice = &scene->dice;
    int wheels = (int)draw(dice, IB_WHEEL_ROLLING, IB_WHEEL_BRISTLE + 1);
    Rig *rig = &scene->pile->tanks[scene->pile->tank_count];
    double length = draw(dice, 0.4, 1);
    pile_tank(scene->pile, wheels, length, draw_bumper(dice, 1.5));
    rig->tank.neutral = chance(dice, 0.5) ? IB_NEUTRAL_COAST : IB_NEUTRAL_BRAKE;
    for (int side = IB_TANK_LEFT; side <= IB_TANK_RIGHT; side++) {
        Knot knots[3] = {{0, draw(dice, -12, 12)}};
        for (int i = 1; i < 3; i++)
            knots[i] =
                (Knot){scene->duration * (i + draw(dice, -0.4, 0.4)) / 3, draw(dice, -12, 12)};
        rig_input(rig, side, chance(dice, 0.3), knots, 3);
    }
}

static inline int scene_body_count(Dice *dice)
{
    double share = draw(dice, 0, 1);
    if (share < 0.75) return (int)draw(dice, 2, 7);
    if (share < 0.95) return (int)draw(dice, 7, 14);
    return (int)draw(dice, 14, 41);
}

static inline void scene_bodies(Scene *scene)
{
    Dice *dice = &scene->dice;
    double robots = draw(dice, 0, 1);
    scene->size = draw_size(dice, 0.04, 0.8);
    scene->mass = draw_size(dice, 1e-2, 20);
    scene->spread = chance(dice, 0.3) ? 30 : draw(dice, 1, 3);
    if (scene->kind == SCENE_RACK) {
        scene_body(scene);
        for (int i = 1; i < scene->count; i++) scene_twin(scene);
        return;
    }
    if (scene->kind == SCENE_SHOT) scene_body(scene); // the shot comes first
    for (int i = 0; i < (robots < 0.05 ? 2 : robots < 0.3 ? 1 : 0); i++) scene_tank(scene);
    for (int i = 0; i < scene->count; i++) scene_body(scene);
}

// ------------------------------------------------------------------------------------------- field

// A convex room about the middle of its rectangle; its corners may be sharp.
static inline void scene_polygon(Scene *scene)
{
    ib_FieldConfig *field = &scene->pile->field;
    int count = 3 + (int)draw(&scene->dice, 0, 4);
    for (int i = 0; i < count; i++) {
        double angle = 6.283185307179586 * (i + draw(&scene->dice, -0.3, 0.3)) / count;
        field->corner_x[i] = scene->length * (0.5 + 0.7 * ib_cos(angle));
        field->corner_y[i] = scene->width * (0.5 + 0.7 * ib_sin(angle));
    }
    field->corner_count = count;
}

// A room a few times as large as what is in it; for a few there is none.
static inline void scene_workspace(Scene *scene)
{
    Dice *dice = &scene->dice;
    ib_FieldConfig *field = &scene->pile->field;
    double area = 0, reach = 0, shape = draw(dice, 0, 1);
    for (int i = 0; i < scene->pile->count; i++) {
        double r = outline_reach(&scene->pile->bodies[i].outline);
        area += 3 * r * r;
        reach = fmax(reach, r);
    }
    double side = sqrt(area / draw(dice, 0.15, 0.7)), stretch = draw_size(dice, 0.4, 2.5);
    scene->length = fmax(side * stretch, 2.2 * reach);
    scene->width = fmax(side / stretch, 2.2 * reach);
    field->restitution = chance(dice, 0.5) ? 0 : draw(dice, 0, 1);
    field->friction = chance(dice, 0.2) ? 0 : draw(dice, 0, 1.5);
    if (shape < 0.65)
        ib_field_rectangle(field, 0, 0, scene->length, scene->width);
    else if (shape < 0.9)
        scene_polygon(scene);
}

// A post, a block, a wedge of three corners, or a thin plate.
static inline void scene_element(Scene *scene, const char *name)
{
    Dice *dice = &scene->dice;
    double form = draw(dice, 0, 1), small = fmin(scene->length, scene->width);
    double size = scene_within(0.02, small * draw_size(dice, 0.02, 0.4), 1.5);
    Outline outline;
    if (form < 0.35)
        outline = outline_disc(fmax(0.01, size / 2));
    else if (form < 0.6)
        outline = outline_box(size, fmax(0.02, size * draw(dice, 0.2, 1)));
    else if (form < 0.8)
        outline = (Outline){3, {0, 1.5 * size, draw(dice, -1, 1) * size}, {0, 0, size}, 0};
    else
        outline = outline_box(3 * size, 0.02);
    double x = draw(dice, 0, scene->length), y = draw(dice, 0, scene->width);
    ib_ElementConfig *e = pile_element(scene->pile, name, x, y, draw_heading(dice), &outline);
    e->restitution = chance(dice, 0.5) ? 0 : draw(dice, 0, 1);
    e->friction = chance(dice, 0.2) ? 0 : draw(dice, 0, 1.5);
}

// Up to 2 m/s or 4 rad/s: a faster one squeezes bodies out as from a gun.
static inline void scene_gate(Scene *scene)
{
    Dice *dice = &scene->dice;
    int track = (int)draw(dice, 0, IB_TRACK_COUNT);
    double fastest = track == IB_TRACK_HEADING ? 4 : 2;
    Knot knots[3] = {{draw(dice, 0, scene->duration / 3), 0}};
    for (int i = 1; i < 3; i++) {
        double length = scene->duration * draw(dice, 0.1, 0.5);
        double way = fastest * length * draw(dice, -1, 1);
        knots[i] = (Knot){knots[i - 1].t + length, knots[i - 1].value + way};
    }
    scene_element(scene, "gate");
    pile_move(scene->pile, track, knots, 3);
}

static inline void scene_field(Scene *scene)
{
    static const char *const names[] = {"first", "second", "third"};
    Dice *dice = &scene->dice;
    scene_workspace(scene);
    for (int i = (int)draw(dice, 0, 4) - 1; i >= 0; i--) scene_element(scene, names[i]);
    if (chance(dice, 0.15)) scene_gate(scene);
    bool middle = scene->kind == SCENE_CROWD || scene->pile->field.corner_count == 0;
    int corner = (int)draw(dice, 0, fmax(1, scene->pile->field.corner_count));
    scene->focus_x = middle ? scene->length / 2 : scene->pile->field.corner_x[corner];
    scene->focus_y = middle ? scene->width / 2 : scene->pile->field.corner_y[corner];
}

// --------------------------------------------------------------------------------------- placement

// Less than what counts as a touch, or more.
static inline double scene_air(Scene *scene)
{
    return chance(&scene->dice, 0.5) ? 1e-10 : draw_size(&scene->dice, 1e-9, 1e-2);
}

// Somewhere, then towards the focus until it touches. False: no place was found.
static inline bool scene_drop(Scene *scene, int body)
{
    Dice *dice = &scene->dice;
    ib_PlanarConfig *planar = scene->pile->bodies[body].planar;
    for (int tries = 0; tries < 40; tries++) {
        double x = draw(dice, 0, scene->length), y = draw(dice, 0, scene->width);
        if (!pile_put(scene->pile, body, x, y, draw_heading(dice), 1e-9)) continue;
        double course = ib_atan2(scene->focus_y - y, scene->focus_x - x);
        if (chance(dice, 0.3)) course = draw_heading(dice);
        if (scene->kind != SCENE_CROWD || chance(dice, 0.5))
            pile_slide(scene->pile, body, course, scene->length + scene->width, scene_air(scene));
        return pile_put(scene->pile, body, planar->x, planar->y, planar->heading, 0);
    }
    return false;
}

// Rows of equal bodies side by side, or like bricks.
static inline bool scene_stack(Scene *scene, int body, int columns, bool bricks, double air)
{
    const Outline *own = &scene->pile->bodies[0].outline;
    bool disc = own->count == 1;
    double length = disc ? 2 * own->radius : 2 * own->x[1];
    double width = disc ? 2 * own->radius : 2 * own->y[2];
    int row = body / columns, column = body % columns;
    double x = 0.5 * length + air + column * (length + air), lift = width + air;
    if (bricks && row % 2) x += 0.5 * (length + air);
    if (bricks && disc) lift *= sqrt(0.75) * (1 + 1e-9);
    return pile_put(scene->pile, body, x, 0.5 * width + air + row * lift, 0, 0);
}

// Those that find no place are left out.
static inline void scene_place(Scene *scene)
{
    Pile *pile = scene->pile;
    int columns = 1 + (int)draw(&scene->dice, 0, pile->count), placed = 0;
    bool bricks = chance(&scene->dice, 0.5);
    double air = scene_air(scene);
    while (placed < pile->count &&
           (scene->kind == SCENE_RACK ? scene_stack(scene, placed, columns, bricks, air)
                                      : scene_drop(scene, placed)))
        placed++;
    pile->count = pile->config.robot_count = placed;
}

// ------------------------------------------------------------------------------------------ motion

static inline void scene_throw(Scene *scene, int body)
{
    Dice *dice = &scene->dice;
    ib_PlanarConfig *planar = scene->pile->bodies[body].planar;
    double speed = chance(dice, 0.3) ? 0 : draw_size(dice, 0.01, 5), course = draw_course(dice);
    if (chance(dice, 0.6))
        course = ib_atan2(scene->focus_y - planar->y, scene->focus_x - planar->x);
    planar->velocity_x = speed * ib_cos(course);
    planar->velocity_y = speed * ib_sin(course);
    planar->velocity_heading = chance(dice, 0.5) ? 0 : draw(dice, -5, 5);
}

// At a body, an element or a corner, up to 50 m/s and 100 rad/s.
static inline void scene_shoot(Scene *scene)
{
    Dice *dice = &scene->dice;
    const Pile *pile = scene->pile;
    ib_PlanarConfig *planar = pile->bodies[0].planar;
    double x = scene->focus_x, y = scene->focus_y, target = draw(dice, 0, 1);
    double speed = draw_size(dice, 2, 50), off = draw(dice, -0.5, 0.5) * scene->size;
    if (target < 0.5 && pile->count > 1) {
        const ib_PlanarConfig *other = pile->bodies[1 + (int)draw(dice, 0, pile->count - 1)].planar;
        x = other->x, y = other->y;
    } else if (target < 0.8 && pile->field.element_count > 0) {
        const ib_ElementConfig *e = &pile->field.elements[pile->field.element_count - 1];
        x = e->x, y = e->y;
    }
    double course = ib_atan2(y + off - planar->y, x - off - planar->x);
    planar->velocity_x = speed * ib_cos(course);
    planar->velocity_y = speed * ib_sin(course);
    planar->velocity_heading = chance(dice, 0.3) ? 0 : draw(dice, -100, 100);
}

// A push beside the middle turns with what it spins: long steps would not follow that.
static inline bool scene_is_coarse(const Scene *scene)
{
    const ib_SimConfig *config = &scene->pile->config;
    return !ib_solver_adaptive(config->solver.kind) && config->step > IB_SECOND / 200;
}

// Pushes on single bodies that come and go, and a floor that slopes towards the focus.
static inline void scene_pushes(Scene *scene)
{
    Dice *dice = &scene->dice;
    const Pile *pile = scene->pile;
    double until = scene->duration;
    for (int i = (int)draw(dice, 0, fmin(7, 1 + pile->count)); i > 0; i--) {
        int body = (int)draw(dice, 0, pile->count);
        double arm = chance(dice, 0.5) ? 0 : 0.5 * outline_thickness(&pile->bodies[body].outline);
        double off = scene_is_coarse(scene) ? 0 : arm;
        double from = chance(dice, 0.5) ? 0 : draw(dice, 0, until);
        pile_push(
            scene->pile,
            (ib_Disturbance){.type = IB_DISTURBANCE_FORCE,
                             .robot = body,
                             .at = ib_time_from_seconds(from),
                             .until = ib_time_from_seconds(from + draw(dice, 0, until)),
                             .size = 9.81 * pile->bodies[body].mass * draw_size(dice, 0.1, 20),
                             .direction = draw_course(dice),
                             .x = draw(dice, -off, off),
                             .y = draw(dice, -off, off)});
    }
    if (!chance(dice, scene->kind == SCENE_CROWD ? 0.3 : 0.8)) return;
    double course = ib_atan2(scene->focus_y - scene->width / 2, scene->focus_x - scene->length / 2);
    pile_push(scene->pile,
              (ib_Disturbance){.type = IB_DISTURBANCE_TILT,
                               .robot = -1,
                               .until = ib_time_from_seconds(draw(dice, 0.3, 2) * until),
                               .size = draw(dice, 0, 1),
                               .direction = chance(dice, 0.7) ? course : draw_course(dice)});
}

// ------------------------------------------------------------------------------------------- whole

enum { SCENE_FEW = 12 };

// Short for many bodies, and for rosenbrock, whose Jacobian has a column for each of their states.
static inline double scene_duration(Scene *scene)
{
    double length = draw(&scene->dice, 0.1, 0.6) * fmin(1, 8.0 / scene->count);
    return scene->pile->config.solver.kind == IB_ROSENBROCK ? 0.25 * length : length;
}

static inline void scene_make(int seed, Pile *pile, Scene *scene)
{
    *scene = (Scene){.dice = {17, seed, 0}, .pile = pile};
    Dice *dice = &scene->dice;
    scene->kind = (SceneKind)draw(dice, 0, SCENE_KINDS);
    scene->count = scene_body_count(dice);
    pile_default(pile, 1);
    pile->config.solver.kind = (ib_SolverKind)draw(dice, IB_EULER, IB_ROSENBROCK + 1);
    if (pile->config.solver.kind == IB_ROSENBROCK && scene->count > SCENE_FEW)
        scene->count = SCENE_FEW; // each try of a step asks for a rate per state
    pile->config.solver.tolerance = draw_size(dice, 1e-9, 1e-6);
    pile->config.step = ib_time_from_seconds(draw_size(dice, 1e-4, 20e-3));
    scene->duration = scene_duration(scene);
    pile->config.duration = ib_time_from_seconds(scene->duration);
    scene_bodies(scene);
    scene_field(scene);
    scene_place(scene);
    for (int i = 0; i < pile->count; i++) scene_throw(scene, i);
    if (scene->kind == SCENE_SHOT && pile->count > 0) scene_shoot(scene);
    if (pile->count > 0) scene_pushes(scene);
}

#endif
