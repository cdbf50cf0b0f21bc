// test/control/test_detour.c: the shortest way around obstacles whose places are known.
#include "cmocka_all.h"

#include "control/path/detour.h"
#include "spread.h"

#include <math.h>
#include <stdlib.h>

#define PI 3.14159265358979323846

typedef struct Scene {
    ib_Arena arena;
    ib_Detour detour;
    ib_DetourConfig config;
} Scene;

static void open_scene(Scene *scene, const ib_Obstacle *obstacles, int count, double clearance)
{
    ib_Error error;
    ib_arena_reset(&scene->arena);
    scene->config.obstacles = obstacles;
    scene->config.obstacle_count = count;
    scene->config.clearance = clearance;
    ib_Status status = ib_detour_init(&scene->config, &scene->arena, &scene->detour, &error);
    assert_int_equal(status, IB_OK);
}

// Length of the way that was found [m]; -1: none. Its points in `points`, both ends included.
static double find(const Scene *scene, double x, double y, double to_x, double to_y,
                   double points[IB_DETOUR_VIAS + 2][2], int *count)
{
    double from[2] = {x, y}, to[2] = {to_x, to_y}, all = 0;
    int vias = ib_detour_find(&scene->detour, from, to, points + 1);
    if (vias < 0) return -1;
    points[0][0] = x, points[0][1] = y;
    points[vias + 1][0] = to_x, points[vias + 1][1] = to_y;
    *count = vias + 2;
    for (int i = 1; i < *count; i++)
        all += hypot(points[i][0] - points[i - 1][0], points[i][1] - points[i - 1][1]);
    return all;
}

static double length_of(const Scene *scene, double x, double y, double to_x, double to_y)
{
    double points[IB_DETOUR_VIAS + 2][2];
    int count;
    return find(scene, x, y, to_x, to_y, points, &count);
}

static ib_Obstacle box(double x, double y, double half_length, double half_width)
{
    return (ib_Obstacle){.count = 4,
                         .x = {x - half_length, x + half_length, x + half_length, x - half_length},
                         .y = {y - half_width, y - half_width, y + half_width, y + half_width}};
}

// Goal: without anything in between a way is straight. Method: no obstacle; one beside the way; one
// of which only the clearance touches it.
static void a_free_way_is_straight(void **unused)
{
    (void)unused;
    ib_Obstacle beside = box(0, 1, 0.5, 0.49);
    Scene scene = {0};
    open_scene(&scene, &beside, 0, 0.25);
    assert_float_equal(length_of(&scene, -2, 0, 2, 0), 4, 1e-15);
    open_scene(&scene, &beside, 1, 0.5);
    assert_float_equal(length_of(&scene, -2, 0, 2, 0), 4, 1e-15);
    open_scene(&scene, &beside, 1, 0.52);
    assert_true(length_of(&scene, -2, 0, 2, 0) > 4);
    ib_arena_reset(&scene.arena);
}

// Goal: around a disc the way is the shortest, but for the octagon. Method: the closed form, two
// tangents and an arc; the octagon is 1/cos(22.5 deg) - 1 = 8.2 % out at its corners, and less than
// 5.5 % longer than the circle.
static void around_a_disc_it_is_tangents_and_an_arc(void **unused)
{
    (void)unused;
    ib_Obstacle disc = {.count = 1, .x = {0.3}, .y = {-0.1}, .radius = 0.2};
    Scene scene = {0};
    open_scene(&scene, &disc, 1, 0.3);
    for (int i = 0; i < 40; i++) {
        double a = 0.157 * i, r = 0.5, far = 2;
        double x = 0.3 + far * cos(a), y = -0.1 + far * sin(a);
        double arc = PI - 2 * acos(r / far), tangents = 2 * sqrt(far * far - r * r);
        double found = length_of(&scene, x, y, 0.6 - x, -0.2 - y);
        assert_true(found >= tangents + r * arc);
        assert_true(found <= tangents + 1.0548 * r * arc + 0.01 * r);
    }
    ib_arena_reset(&scene.arena);
}

// Goal: a base may stand closer to an obstacle than it would pass it, and does not go through it
// to the other side. Method: both sides of a box, 10 cm from it, with a clearance of 30 cm.
static void who_stands_close_leaves_outwards(void **unused)
{
    (void)unused;
    ib_Obstacle lander = box(0, 0, 0.4, 0.4);
    Scene scene = {0};
    double points[IB_DETOUR_VIAS + 2][2];
    int count;
    open_scene(&scene, &lander, 1, 0.3);
    assert_float_equal(length_of(&scene, 0.5, 0, 3, 0), 2.5, 1e-15);
    assert_float_equal(length_of(&scene, 3, 0, 0.5, 0), 2.5, 1e-15);
    double way = find(&scene, 0.5, 0.1, -0.5, 0.1, points, &count);
    assert_true(way > 1.0 + 2 * 0.5);
    for (int i = 1; i + 1 < count; i++)
        assert_true(fmax(fabs(points[i][0]), fabs(points[i][1])) >= 0.7 - 1e-9);
    ib_arena_reset(&scene.arena);
}

// Goal: where there is no way, none is told. Method: four boards around the start; then a gap as
// wide as twice the clearance.
static void no_way_is_no_way(void **unused)
{
    (void)unused;
    ib_Obstacle boards[] = {box(1, 0, 0.05, 1.05), box(-1, 0, 0.05, 1.05), box(0, -1, 1.05, 0.05),
                            box(-0.6, 1, 0.45, 0.05), box(0.6, 1, 0.45, 0.05)};
    Scene scene = {0};
    open_scene(&scene, boards, 5, 0.16);
    assert_true(length_of(&scene, 0, 0, 0, 3) == -1);
    open_scene(&scene, boards, 5, 0.14);
    assert_float_equal(length_of(&scene, 0, 0, 0, 3), 3, 1e-9);
    assert_true(length_of(&scene, 0, 0, 0, -3) > 5);
    ib_arena_reset(&scene.arena);
}

// Goal: a way stays within walls that turn inwards. Method: an L of walls whose inner corner is a
// box as well: around it, not across.
static void walls_that_turn_inwards_are_kept(void **unused)
{
    (void)unused;
    static const double x[] = {0, 4, 4, 2, 2, 0}, y[] = {0, 0, 2, 2, 4, 4};
    ib_Obstacle corner = box(3, 3, 1, 1);
    Scene scene = {.config = {.wall_count = 6, .wall_x = x, .wall_y = y}};
    open_scene(&scene, &corner, 1, 0.3);
    double way = length_of(&scene, 1, 3.5, 3.5, 1);
    assert_true(way > 2 * hypot(1.5, 1) && way < 2 * 2.5);
    ib_arena_reset(&scene.arena);
}

// -------------------------------------------------------------------------------- a grid beside it

enum { GRID = 81 };
#define SIDE 4.0 ///< of the square that the grid covers [m]

// Distance of a point from an obstacle's corners and edges; 0 inside.
static double distance(const ib_Obstacle *o, double x, double y)
{
    double least = INFINITY;
    bool inside = o->count > 2;
    for (int i = 0, k = o->count - 1; i < o->count; k = i++) {
        double ex = o->x[i] - o->x[k], ey = o->y[i] - o->y[k], px = x - o->x[k], py = y - o->y[k];
        double all = ex * ex + ey * ey,
               t = all > 0 ? fmax(0, fmin(1, (px * ex + py * ey) / all)) : 0;
        least = fmin(least, hypot(px - t * ex, py - t * ey));
        if (ex * py - ey * px < 0) inside = false;
    }
    return inside ? 0 : fmax(0, least - o->radius);
}

static bool is_open(const ib_DetourConfig *config, double x, double y, double clearance)
{
    for (int i = 0; i < config->obstacle_count; i++)
        if (distance(&config->obstacles[i], x, y) < clearance) return false;
    return true;
}

// The shortest way on a grid of points with 16 neighbours each, which is at most 2.8 % longer than
// it need be, by repeated relaxation; infinite: none.
static double grid_way(const ib_DetourConfig *config, int from, int to, double clearance)
{
    static const int steps[16][2] = {{1, 0},  {-1, 0},  {0, 1},   {0, -1}, {1, 1},  {1, -1},
                                     {-1, 1}, {-1, -1}, {1, 2},   {2, 1},  {-1, 2}, {-2, 1},
                                     {1, -2}, {2, -1},  {-1, -2}, {-2, -1}};
    static double way[GRID * GRID];
    static bool open[GRID * GRID];
    double h = SIDE / (GRID - 1);
    for (int i = 0; i < GRID * GRID; i++) {
        way[i] = INFINITY;
        open[i] = is_open(config, i % GRID * h, i / GRID * h, clearance);
    }
    way[from] = 0;
    for (bool again = true; again;) {
        again = false;
        for (int n = 0; n < 2 * GRID * GRID; n++) { // to and fro
            int i = n < GRID * GRID ? n : 2 * GRID * GRID - 1 - n;
            if (!open[i] || !isfinite(way[i])) continue;
            for (int k = 0; k < 16; k++) {
                int x = i % GRID + steps[k][0], y = i / GRID + steps[k][1], q = y * GRID + x;
                double next = way[i] + h * hypot(steps[k][0], steps[k][1]);
                if (x < 0 || y < 0 || x >= GRID || y >= GRID || !open[q]) continue;
                if (next >= way[q] - 1e-12) continue;
                way[q] = next;
                again = true;
            }
        }
    }
    return way[to];
}

// Goal: in any scene the way keeps its clearance and is no longer than another way. Method: random
// boxes and discs; points along the way against distances from the outlines; its length against a
// grid's, with the obstacles grown by the octagons' 8.3 %, so that the grid's way is one of those
// that the hulls allow.
static void ways_through_random_scenes_are_short_and_clear(void **unused)
{
    (void)unused;
    double clearance = 0.25, h = SIDE / (GRID - 1);
    int found = 0;
    uint64_t seed = 17;
    for (int scene_number = 0; scene_number < 60; scene_number++) {
        ib_Obstacle obstacles[6];
        Scene scene = {0};
        double points[IB_DETOUR_VIAS + 2][2];
        int count = 0;
        for (int i = 0; i < 6; i++) {
            double x = spread(&seed, 0.5, 3.5), y = spread(&seed, 0.5, 3.5);
            obstacles[i] = box(x, y, spread(&seed, 0.05, 0.5), spread(&seed, 0.05, 0.5));
            if (i % 3 == 0)
                obstacles[i] = (ib_Obstacle){
                    .count = 1, .x = {x}, .y = {y}, .radius = spread(&seed, 0.05, 0.4)};
        }
        open_scene(&scene, obstacles, 6, clearance);
        int from = (int)spread(&seed, 0, GRID - 1) * GRID,
            to = (int)spread(&seed, 0, GRID - 1) * GRID + GRID - 1;
        double x = from % GRID * h, y = from / GRID * h, tx = to % GRID * h, ty = to / GRID * h;
        double most = clearance * 1.0824 + 0.03;
        if (!is_open(&scene.config, x, y, most) || !is_open(&scene.config, tx, ty, most)) {
            ib_arena_reset(&scene.arena);
            continue;
        }
        double way = find(&scene, x, y, tx, ty, points, &count);
        double other = grid_way(&scene.config, from, to, most);
        if (isfinite(other)) assert_true(way >= 0 && way <= other + 1e-9);
        found += way >= 0;
        for (int i = 1; way >= 0 && i < count; i++)
            for (int k = 0; k <= 200; k++) {
                double t = k / 200.0, px = points[i - 1][0] + t * (points[i][0] - points[i - 1][0]);
                double py = points[i - 1][1] + t * (points[i][1] - points[i - 1][1]);
                assert_true(is_open(&scene.config, px, py, clearance - 2e-6));
            }
        ib_arena_reset(&scene.arena);
    }
    assert_true(found >= 30);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_free_way_is_straight),
        cmocka_unit_test(around_a_disc_it_is_tangents_and_an_arc),
        cmocka_unit_test(who_stands_close_leaves_outwards),
        cmocka_unit_test(no_way_is_no_way),
        cmocka_unit_test(walls_that_turn_inwards_are_kept),
        cmocka_unit_test(ways_through_random_scenes_are_short_and_clear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
