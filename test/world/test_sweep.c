// Claims about src/world/sweep.c: sweeps bring the pushes of a heap near the law, always to the
// same bits.
#include "cmocka_all.h"
#include "spread.h"
#include "world/law.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 6, ROWS = 5, BODIES = COLUMNS * ROWS, BONDS = 3 * BODIES };

static const double right = 1e-4;                  // [m/s^2], what world/rest.c allows of a heap
static const double gravity = 9.80665, size = 0.2; // of each box [m]

// Boxes in columns on a floor between two walls: each stands with two points on the one below or on
// the floor, and touches those beside it at their middles.
typedef struct Heap {
    ib_Arena arena;
    ib__LawRoom room;
    ib__Law law;
    int bonds;
    double mass[BODIES], aside[BODIES]; // [kg]; free acceleration along x [m/s^2]
} Heap;

// A unit push along (nx, ny) at (x, y) of one and minus it on the other.
static ib__Row row_at(double x, double y, double nx, double ny, double other_x, double other_y)
{
    return (ib__Row){{{nx, ny, x * ny - y * nx}, {-nx, -ny, other_y * nx - other_x * ny}}};
}

// `a` is pushed along +y (up) or +x; b: the one below or to the left, -1: floor or wall.
static void add_bond(Heap *heap, int a, int b, bool up, double friction)
{
    ib__Bond *bond = &heap->room.bonds[heap->bonds++];
    double h = size / 2, sign = 1;
    *bond = (ib__Bond){.body = {a, b}, .points = up ? 2 : 1, .friction = friction};
    if (up) {
        bond->normal[0] = row_at(h, -h, 0, 1, h, h);
        bond->normal[1] = row_at(-h, -h, 0, 1, -h, h);
        bond->tangent = row_at(h, -h, -1, 0, h, h);
        for (int p = 0; p < 2; p++) bond->vn[p] = b < 0 ? -gravity : 0;
        bond->vt = -(heap->aside[a] - (b < 0 ? 0 : heap->aside[b]));
    } else {
        bond->normal[0] = row_at(-h, 0, sign, 0, h, 0);
        bond->tangent = row_at(-h, 0, 0, sign, h, 0);
        bond->vn[0] = heap->aside[a] - (b < 0 ? 0 : heap->aside[b]);
        bond->vt = b < 0 ? -gravity : 0;
    }
}

// The wall at the right pushes to the left.
static void add_right_wall(Heap *heap, int a, double friction)
{
    ib__Bond *bond = &heap->room.bonds[heap->bonds++];
    *bond = (ib__Bond){.body = {a, -1}, .points = 1, .friction = friction};
    bond->normal[0] = row_at(size / 2, 0, -1, 0, 0, 0);
    bond->tangent = row_at(size / 2, 0, 0, -1, 0, 0);
    bond->vn[0] = -heap->aside[a];
    bond->vt = gravity;
}

static void heap_make(Heap *heap, double friction, double lean)
{
    uint64_t seed = 11;
    memset(heap, 0, sizeof *heap);
    assert_true(ib__law_room_init(&heap->room, BODIES, BONDS, &heap->arena));
    for (int i = 0; i < BODIES; i++) {
        heap->mass[i] = spread(&seed, 0.5, 5);
        heap->aside[i] = lean;
    }
    for (int i = 0; i < BODIES; i++) {
        bool left = i % COLUMNS == 0, last = i % COLUMNS == COLUMNS - 1;
        add_bond(heap, i, i < COLUMNS ? -1 : i - COLUMNS, true, friction);
        add_bond(heap, i, left ? -1 : i - 1, false, friction);
        if (last) add_right_wall(heap, i, friction);
    }
    ib__law_create(&heap->room, 0, BODIES, 0, heap->bonds, &heap->law);
    for (int i = 0; i < BODIES; i++) {
        double m = heap->mass[i], W[9] = {1 / m, 0, 0, 0, 1 / m, 0, 0, 0, 6 / (m * size * size)};
        ib__law_root(W, heap->law.root[i]);
    }
    ib__law_renew_rows(&heap->law);
}

// The acceleration of a body under gravity, its push aside and all pushes of bonds, summed anew.
static void acceleration(const Heap *heap, int body, double a[3])
{
    a[0] = heap->aside[body], a[1] = -gravity, a[2] = 0;
    for (int i = 0; i < heap->bonds; i++) {
        const ib__Bond *bond = &heap->room.bonds[i];
        for (int s = 0; s < 2; s++) {
            if (bond->body[s] != body) continue;
            const double *t = bond->tangent.on[s];
            double f[3] = {bond->jt * t[0], bond->jt * t[1], bond->jt * t[2]};
            for (int p = 0; p < bond->points; p++)
                for (int k = 0; k < 3; k++) f[k] += bond->jn[p] * bond->normal[p].on[s][k];
            double m = heap->mass[body];
            a[0] += f[0] / m, a[1] += f[1] / m, a[2] += 6 * f[2] / (m * size * size);
        }
    }
}

// Along a row of two bodies that accelerate so.
static double opening(const Heap *heap, const ib__Bond *bond, const ib__Row *row)
{
    double sum = 0;
    for (int s = 0; s < 2; s++) {
        double a[3];
        if (bond->body[s] < 0) continue;
        acceleration(heap, bond->body[s], a);
        for (int k = 0; k < 3; k++) sum += row->on[s][k] * a[k];
    }
    return sum;
}

// By how much a bond breaks the law [m/s^2].
static double wrong(const Heap *heap, const ib__Bond *bond)
{
    double most = 0, reach = 0;
    for (int p = 0; p < bond->points; p++) {
        double open = opening(heap, bond, &bond->normal[p]);
        assert_true(bond->jn[p] >= 0);
        most = fmax(most, fabs(fmin(open, bond->jn[p] * bond->kn[p])));
        reach += bond->friction * bond->jn[p];
    }
    double slide = opening(heap, bond, &bond->tangent);
    double lacking = slide > 0 ? bond->jt + reach : reach - bond->jt;
    assert_true(fabs(bond->jt) <= reach * (1 + 1e-12));
    if (bond->friction == 0) return most;
    return fmax(most, fmin(fabs(slide), lacking * bond->kt));
}

static double heap_wrong(const Heap *heap)
{
    double most = 0;
    for (int i = 0; i < heap->bonds; i++) most = fmax(most, wrong(heap, &heap->room.bonds[i]));
    return most;
}

// Goal: sweeps that say that a heap is right to 1e-4 m/s^2 have it so. Method: 30 boxes between
// walls, leaning to one side, with friction and without; accelerations from the pushes anew. A
// sweep says what it has changed itself: what that leaves elsewhere is of the same size.
static void swept_heap_is_right(void **unused)
{
    (void)unused;
    static const double frictions[] = {0, 0.4, 1};
    for (int f = 0; f < 3; f++)
        for (int lean = 0; lean < 2; lean++) {
            Heap heap;
            heap_make(&heap, frictions[f], 4.0 * lean);
            assert_true(ib__law_is_heap(&heap.law));
            assert_true(ib__law_sweep(&heap.law, 100000, right));
            if (getenv("IB_SHOW")) print_error("wrong by %.3g m/s^2\n", heap_wrong(&heap));
            assert_true(heap_wrong(&heap) <= 3 * right);
            ib_arena_reset(&heap.arena);
        }
}

// Goal: the floor bears what stands on it. Method: without friction each column is alone: the floor
// pushes with the weight of its boxes, but for 1e-4 m/s^2 of error in each.
static void floor_bears_the_columns(void **unused)
{
    (void)unused;
    Heap heap;
    heap_make(&heap, 0, 0);
    assert_true(ib__law_sweep(&heap.law, 100000, right));
    for (int i = 0; i < heap.bonds; i++) {
        const ib__Bond *bond = &heap.room.bonds[i];
        if (bond->body[1] >= 0 || bond->points < 2) continue;
        double mass = 0;
        for (int k = bond->body[0]; k < BODIES; k += COLUMNS) mass += heap.mass[k];
        assert_close(bond->jn[0] + bond->jn[1], mass * gravity, 3 * ROWS * right * mass);
    }
    ib_arena_reset(&heap.arena);
}

// Goal: the same heap ends with the same bits, and one that is right is left as it is. Method:
// twice from nothing, then once more from the end.
static void sweeps_are_the_same_to_the_bit(void **unused)
{
    (void)unused;
    Heap heaps[2];
    for (int i = 0; i < 2; i++) {
        heap_make(&heaps[i], 0.4, 4);
        assert_true(ib__law_sweep(&heaps[i].law, 100000, right));
    }
    ib__law_sweep(&heaps[1].law, 0, right);
    for (int i = 0; i < heaps[0].bonds; i++) {
        const ib__Bond *a = &heaps[0].room.bonds[i], *b = &heaps[1].room.bonds[i];
        assert_memory_equal(a->jn, b->jn, sizeof a->jn);
        assert_memory_equal(&a->jt, &b->jt, sizeof a->jt);
    }
    for (int i = 0; i < 2; i++) ib_arena_reset(&heaps[i].arena);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(swept_heap_is_right),
        cmocka_unit_test(floor_bears_the_columns),
        cmocka_unit_test(sweeps_are_the_same_to_the_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
