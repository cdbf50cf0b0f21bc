#include "scene.h"

#include "base/random.h"
#include "world/field.h"

#include <stdio.h>
#include <stdlib.h>

static const double pi = 3.141592653589793;

static Scene scene_of(const char *key, int count)
{
    Scene scene = {
        .body_count = count, .length = 4, .width = 4, .friction = 0.5, .way = 2, .duration = 4};
    snprintf(scene.key, sizeof scene.key, "%s", key);
    scene.bodies = calloc((size_t)count, sizeof *scene.bodies);
    if (!scene.bodies) abort();
    return scene;
}

static SceneBody box(double length, double width, double mass)
{
    return (SceneBody){.form = SCENE_BOX,
                       .length = length,
                       .width = width,
                       .mass = mass,
                       .inertia = mass * (length * length + width * width) / 12};
}

// ------------------------------------------------------------------------------ rows and the block

static const double side = 0.4, gap = 1e-3; // of a crate, and between two at the start [m]

// Where the i-th crate from a wall stands.
static double station(int i)
{
    return 0.5 * side + gap + i * (side + gap);
}

// Boxes before the wall x = 0; the last one is pushed.
static Scene make_row(int count, double restitution)
{
    char key[24];
    snprintf(key, sizeof key, "row.%d%s", count, restitution > 0 ? ".bouncing" : "");
    Scene scene = scene_of(key, count);
    scene.length = station(count) + 1;
    scene.restitution = restitution;
    for (int i = 0; i < count; i++) {
        scene.bodies[i] = box(side, side, 5);
        scene.bodies[i].x = station(i);
        scene.bodies[i].y = 2;
    }
    scene.bodies[count - 1].fx = -600;
    return scene;
}

enum { BLOCK = 10 };

// A block before the corner at the origin; the boxes of its two outer sides are pushed.
static Scene make_block(void)
{
    Scene scene = scene_of("block", BLOCK * BLOCK);
    scene.length = scene.width = station(BLOCK) + 1;
    for (int i = 0; i < BLOCK * BLOCK; i++) {
        int column = i % BLOCK, line = i / BLOCK;
        scene.bodies[i] = box(side, side, 5);
        scene.bodies[i].x = station(column);
        scene.bodies[i].y = station(line);
        if (column == BLOCK - 1) scene.bodies[i].fx = -60;
        if (line == BLOCK - 1) scene.bodies[i].fy = -60;
    }
    return scene;
}

// ---------------------------------------------------------------------------------------- the heap

enum { HEAP = 60, HEAP_COLUMNS = 10, ROBOTS = 2 };

// Minerals: cubes of 2 in, and balls whose mass is evenly spread.
static SceneBody mineral(int i, int balls)
{
    const double mass = 0.1, cube = 0.0508, diameter = 0.07;
    if (i % 2 == 0) return box(cube, cube, mass);
    if (!balls) return box(diameter, diameter, mass);
    return (SceneBody){.form = SCENE_BALL,
                       .length = diameter,
                       .width = diameter,
                       .mass = mass,
                       .inertia = 0.4 * mass * 0.25 * diameter * diameter};
}

// The tank's four motors at its rims, with W the half track:               [docs/plant/motor.md]
//   push = 4 G Kt V/(R r),   drag = 4 G^2 Kt Ke/(R r^2),   turn = drag W^2
// Kt = Ts/Is, R = 12 V/Is, and Ke = (12 V - R If)/wf of the data sheet.
static SceneDrive drive_of(double volts)
{
    const double stall_torque = 2.429, stall_current = 131.227, free_current = 2.7;
    const double free_speed = 5310 * pi / 30, reduction = 10.71, radius = 0.0762, half_track = 0.3;
    double resistance = 12 / stall_current;
    double emf = (12 - resistance * free_current) / free_speed;
    double per_volt = 4 * reduction * stall_torque / stall_current / (resistance * radius);
    double drag = per_volt * emf * reduction / radius;
    return (SceneDrive){volts, per_volt * volts, drag, 200, drag * half_track * half_track};
}

static SceneBody robot(double x, double y, double heading)
{
    SceneBody body = box(0.8, 0.6, 60);
    body.form = SCENE_ROBOT;
    body.x = x;
    body.y = y;
    body.heading = heading;
    return body;
}

// Minerals lie about in the corner; one robot pushes them along each wall.
static Scene make_heap(int balls)
{
    Scene scene = scene_of(balls ? "heap" : "heap.cubes", HEAP + ROBOTS);
    scene.drive = drive_of(3);
    scene.way = 4;
    scene.duration = 8;
    for (int i = 0; i < HEAP; i++) {
        SceneBody *body = &scene.bodies[i];
        *body = mineral(i, balls);
        // Cells of 0.11 m hold a cube of 0.07 m that is turned anyhow.
        body->x = 0.1 + 0.11 * (i % HEAP_COLUMNS) + 5e-3 * ib_random_uniform(1, 0, (uint64_t)i);
        body->y = 0.1 + 0.11 * (i / HEAP_COLUMNS) + 5e-3 * ib_random_uniform(1, 1, (uint64_t)i);
        body->heading = 0.5 * pi * ib_random_uniform(1, 2, (uint64_t)i);
    }
    scene.bodies[HEAP] = robot(1.8, 0.36, pi);
    scene.bodies[HEAP + 1] = robot(0.36, 1.4, -0.5 * pi);
    return scene;
}

// --------------------------------------------------------------------------------------------- all

static void put_walls(Scene *scene)
{
    ib_FieldConfig field = ib_field_default();
    ib_field_rectangle(&field, 0, 0, scene->length, scene->width);
    for (int i = 0; i < SCENE_WALLS; i++) {
        ib_field_wall(&field, i, scene->wall_x[i], scene->wall_y[i]);
        for (int k = 0; k < 4; k++) {
            scene->wall_x[i][k] += field.corner_x[i];
            scene->wall_y[i][k] += field.corner_y[i];
        }
    }
}

Scene scene_make(int number, int balls)
{
    static const int rows[] = {1, 8, 16, 32, 64, 128};
    const int row_count = sizeof rows / sizeof rows[0];
    Scene scene = {.body_count = 0};
    if (number < row_count) scene = make_row(rows[number], 0);
    if (number == row_count) scene = make_row(32, 0.3);
    if (number == row_count + 1) scene = make_block();
    if (number == row_count + 2) scene = make_heap(balls);
    if (scene.body_count > 0) put_walls(&scene);
    return scene;
}

void scene_free(Scene *scene)
{
    free(scene->bodies);
}
