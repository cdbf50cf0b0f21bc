// Claims about src/world/support.c: what holds a body that stands still is linear in its load.
#include "cmocka_all.h"
#include "spread.h"
#include "stage.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { LOADS = 400, NEAR = 10 };

// A box of 2 kg, 0.8 x 0.6 m, flat in the corner of a room, or on a wall alone.
typedef struct Held {
    Stage stage;
    ib_BodyState body;
    double inverse_mass[9];
} Held;

static void hold_box(Held *held, bool corner, double friction)
{
    ib_FieldConfig field = ib_field_default();
    ib_BodyConfig box = {.shape = ib_shape_box(0.8, 0.6), .friction = friction};
    ib_field_rectangle(&field, 0, 0, 4, 4);
    field.friction = friction;
    stage_set(&held->stage, &field, &box, 1);
    // It comes slowly, so that it rests at once.
    held->body = (ib_BodyState){.x = corner ? 0.4 : 2, .y = 0.3, .vx = -0.01, .vy = -0.01};
    for (int i = 0; i < 9; i++) held->inverse_mass[i] = 0;
    held->inverse_mass[0] = held->inverse_mass[4] = 1 / 2.0;
    held->inverse_mass[8] = 12 / (2.0 * (0.8 * 0.8 + 0.6 * 0.6));
    ib_Impact impact;
    stage_hit(&held->stage, &held->body, held->inverse_mass, &impact);
    assert_int_equal(held->stage.rests.count, corner ? 2 : 1);
    held->body.vx = held->body.vy = 0;
}

static void stand(Held *held)
{
    ib_world_ready(held->stage.world, held->stage.workspace, &held->body, NULL, held->inverse_mass,
                   &held->stage.rests);
}

static ib_Push force_under(Held *held, const double load[3])
{
    ib_Push free = {load[0], load[1], load[2]}, force = {0, 0, 0};
    ib_world_rest(held->stage.world, held->stage.workspace, &held->body, NULL, &free,
                  held->inverse_mass, &force);
    return force;
}

static double along(const double *row, const double *load)
{
    return row[0] * load[0] + row[1] * load[1] + row[2] * load[2];
}

// Do the forms allow this load, but for rounding? Where friction is full, a form is 0 for all.
static bool allows(const ib_Support *support, const double *load)
{
    bool good = true;
    for (int i = 0; i < support->form_count; i++) good &= along(support->forms[i], load) >= -1e-9;
    return good;
}

// Does this force keep it where it is under the load?
static bool is_held(const Held *held, const double *load, ib_Push force)
{
    double left = fabs(load[0] + force.x * held->inverse_mass[0]) +
                  fabs(load[1] + force.y * held->inverse_mass[4]) +
                  fabs(load[2] + force.turn * held->inverse_mass[8]);
    return left <= 1e-9 * (fabs(load[0]) + fabs(load[1]) + fabs(load[2]));
}

// The map must give the force that the law gives.
static void compare(Held *held, const ib_Support *support, const double *load)
{
    ib_Push force = force_under(held, load);
    assert_true(is_held(held, load, force));
    double size = 1e-3 + fabs(force.x) + fabs(force.y) + fabs(force.turn);
    assert_close(along(support->force, load), force.x, 1e-7 * size);
    assert_close(along(support->force + 3, load), force.y, 1e-7 * size);
    assert_close(along(support->force + 6, load), force.turn, 1e-7 * size);
}

// Loads near one for which the pattern was found: returns how many the forms allow.
static int compare_near(Held *held, uint64_t *seed, const double *load)
{
    ib_Support support;
    int count = 0;
    stand(held);
    ib_Push force = force_under(held, load);
    ib_world_remember(held->stage.workspace, &held->stage.rests);
    for (int i = 0; i < held->stage.rests.count; i++) held->stage.rests.items[i].slide = 0;
    stand(held);
    if (!is_held(held, load, force)) return 0;
    if (!ib_world_support(held->stage.world, held->stage.workspace, &held->stage.rests, 0,
                          &support))
        return 0;
    stand(held);
    for (int i = 0; i < NEAR; i++) {
        double near[3], scale = spread(seed, 0.1, 3);
        for (int k = 0; k < 3; k++) near[k] = scale * (load[k] + 0.3 * spread_signed(seed));
        if (!allows(&support, near)) continue;
        compare(held, &support, near);
        count++;
    }
    return count;
}

// Goal: forces in the state that a room was made ready for are those of any state, to the bit, and
// so are their points. Method: random loads on a box in a corner, by both calls.
static void forces_where_it_is_ready_are_the_same(void **unused)
{
    (void)unused;
    Held held;
    uint64_t seed = 7;
    hold_box(&held, true, 0.3);
    for (int i = 0; i < 100; i++) {
        double load[3];
        for (int k = 0; k < 3; k++) load[k] = 5 * spread_signed(&seed);
        ib_Push free = {load[0], load[1], load[2]}, force = {0, 0, 0};
        ib_PushPoint points[2][2 * IB_PAIR_POINTS];
        stand(&held);
        ib_Push plain = force_under(&held, load);
        int count = ib_world_points(held.stage.world, held.stage.workspace, points[0]);
        stand(&held);
        ib_world_rest_ready(held.stage.world, held.stage.workspace, &held.body, &free,
                            held.inverse_mass, &force);
        assert_memory_equal(&force, &plain, sizeof force);
        assert_int_equal(ib_world_points(held.stage.world, held.stage.workspace, points[1]), count);
        assert_memory_equal(points[1], points[0], (size_t)count * sizeof points[0][0]);
    }
    stage_end(&held.stage);
}

// Goal: as long as the forms say so, the linear map is the law. Method: random loads against which
// a box in a corner and at a wall is held, with much and with little friction; the forces of
// ib_world_rest under loads near them.
static void linear_map_is_the_law(void **unused)
{
    (void)unused;
    static const double frictions[] = {0, 0.3, 1.2};
    uint64_t seed = 5;
    for (int c = 0; c < 2; c++)
        for (int f = c ? 0 : 1; f < 3; f++) { // a wall alone holds nothing without friction
            Held held;
            int compared = 0;
            hold_box(&held, c, frictions[f]);
            for (int i = 0; i < LOADS; i++) {
                double load[3] = {spread(&seed, -10, 2), spread(&seed, -10, 2),
                                  8 * spread_signed(&seed)};
                compared += compare_near(&held, &seed, load);
            }
            if (getenv("IB_SHOW")) print_error("%d loads compared\n", compared);
            assert_true(compared > LOADS / 8);
            stage_end(&held.stage);
        }
}

// Goal: a box flat in a corner with enough friction is held under a load into it, with the force
// that statics asks for. Method: the map for a pattern in which all sticks: W force a = -a.
static void corner_holds_what_is_pressed_into_it(void **unused)
{
    (void)unused;
    Held held;
    ib_Support support;
    const double load[3] = {-6, -9, 0.5};
    hold_box(&held, true, 0.5);
    stand(&held);
    force_under(&held, load);
    ib_world_remember(held.stage.workspace, &held.stage.rests);
    stand(&held);
    assert_true(
        ib_world_support(held.stage.world, held.stage.workspace, &held.stage.rests, 0, &support));
    assert_true(allows(&support, load));
    assert_close(along(support.force, load), 2 * 6, 1e-7);
    assert_close(along(support.force + 3, load), 2 * 9, 1e-7);
    assert_close(along(support.force + 6, load), -0.5 / held.inverse_mass[8], 1e-7);
    const double away[3] = {6, -9, 0}; // out of the corner
    assert_false(allows(&support, away));
    stage_end(&held.stage);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_where_it_is_ready_are_the_same),
        cmocka_unit_test(linear_map_is_the_law),
        cmocka_unit_test(corner_holds_what_is_pressed_into_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
