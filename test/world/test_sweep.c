// Claims about src/world/sweep.c: sweeps bring the pushes of a pile near the law, always to the
// same bits.
#include "cmocka_all.h"
#include "spread.h"
#include "world/law.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 6, ROWS = 5, BODIES = COLUMNS * ROWS, BONDS = 3 * BODIES };

static const double right = 1e-4;                  // [m/s^2], what world/rest.c allows of a pile
static const double gravity = 9.80665, size = 0.2; // of each box [m]

// Boxes in columns on a floor between two walls: each stands with two points on the one below or on
// the floor, and touches those beside it at their middles.
typedef struct Pile {
    ib_Arena arena;
    ib__LawWorkspace workspace;
    ib__Law law;
    int contacts;
    double mass[BODIES], aside[BODIES]; // [kg]; free acceleration along x [m/s^2]
} Pile;

// A unit push along (nx, ny) at (x, y) of one and minus it on the other.
static ib__Row row_at(double x, double y, double nx, double ny, double other_x, double other_y)
{
    return (ib__Row){{{nx, ny, x * ny - y * nx}, {-nx, -ny, other_y * nx - other_x * ny}}};
}

// `a` is pushed along +y (up) or +x; b: the one below or to the left, -1: floor or wall.
static void add_contact(Pile *pile, int a, int b, bool up, double friction)
{
    ib__Contact *contact = &pile->workspace.contacts[pile->contacts++];
    double h = size / 2, sign = 1;
    *contact = (ib__Contact){.body = {a, b}, .points = up ? 2 : 1, .friction = friction};
    if (up) {
        contact->normal[0] = row_at(h, -h, 0, 1, h, h);
        contact->normal[1] = row_at(-h, -h, 0, 1, -h, h);
        contact->tangent = row_at(h, -h, -1, 0, h, h);
        for (int p = 0; p < 2; p++) contact->vn[p] = b < 0 ? -gravity : 0;
        contact->vt = -(pile->aside[a] - (b < 0 ? 0 : pile->aside[b]));
    } else {
        contact->normal[0] = row_at(-h, 0, sign, 0, h, 0);
        contact->tangent = row_at(-h, 0, 0, sign, h, 0);
        contact->vn[0] = pile->aside[a] - (b < 0 ? 0 : pile->aside[b]);
        contact->vt = b < 0 ? -gravity : 0;
    }
}

// The wall at the right pushes to the left.
static void add_right_wall(Pile *pile, int a, double friction)
{
    ib__Contact *contact = &pile->workspace.contacts[pile->contacts++];
    *contact = (ib__Contact){.body = {a, -1}, .points = 1, .friction = friction};
    contact->normal[0] = row_at(size / 2, 0, -1, 0, 0, 0);
    contact->tangent = row_at(size / 2, 0, 0, -1, 0, 0);
    contact->vn[0] = -pile->aside[a];
    contact->vt = gravity;
}

static void pile_make(Pile *pile, double friction, double lean)
{
    uint64_t seed = 11;
    memset(pile, 0, sizeof *pile);
    assert_true(ib__law_workspace_init(&pile->workspace, BODIES, BONDS, &pile->arena));
    for (int i = 0; i < BODIES; i++) {
        pile->mass[i] = spread(&seed, 0.5, 5);
        pile->aside[i] = lean;
    }
    for (int i = 0; i < BODIES; i++) {
        bool left = i % COLUMNS == 0, last = i % COLUMNS == COLUMNS - 1;
        add_contact(pile, i, i < COLUMNS ? -1 : i - COLUMNS, true, friction);
        add_contact(pile, i, left ? -1 : i - 1, false, friction);
        if (last) add_right_wall(pile, i, friction);
    }
    ib__law_create(&pile->workspace, 0, BODIES, 0, pile->contacts, &pile->law);
    for (int i = 0; i < BODIES; i++) {
        double m = pile->mass[i], W[9] = {1 / m, 0, 0, 0, 1 / m, 0, 0, 0, 6 / (m * size * size)};
        ib__law_root(W, pile->law.root[i]);
    }
    ib__law_renew_rows(&pile->law);
}

// The acceleration of a body under gravity, its push aside and all pushes of contacts, summed anew.
static void acceleration(const Pile *pile, int body, double a[3])
{
    a[0] = pile->aside[body], a[1] = -gravity, a[2] = 0;
    for (int i = 0; i < pile->contacts; i++) {
        const ib__Contact *contact = &pile->workspace.contacts[i];
        for (int s = 0; s < 2; s++) {
            if (contact->body[s] != body) continue;
            const double *t = contact->tangent.on[s];
            double f[3] = {contact->jt * t[0], contact->jt * t[1], contact->jt * t[2]};
            for (int p = 0; p < contact->points; p++)
                for (int k = 0; k < 3; k++) f[k] += contact->jn[p] * contact->normal[p].on[s][k];
            double m = pile->mass[body];
            a[0] += f[0] / m, a[1] += f[1] / m, a[2] += 6 * f[2] / (m * size * size);
        }
    }
}

// Along a row of two bodies that accelerate so.
static double opening(const Pile *pile, const ib__Contact *contact, const ib__Row *row)
{
    double sum = 0;
    for (int s = 0; s < 2; s++) {
        double a[3];
        if (contact->body[s] < 0) continue;
        acceleration(pile, contact->body[s], a);
        for (int k = 0; k < 3; k++) sum += row->on[s][k] * a[k];
    }
    return sum;
}

// By how much a contact breaks the law [m/s^2].
static double wrong(const Pile *pile, const ib__Contact *contact)
{
    double most = 0, reach = 0;
    for (int p = 0; p < contact->points; p++) {
        double open = opening(pile, contact, &contact->normal[p]);
        assert_true(contact->jn[p] >= 0);
        most = fmax(most, fabs(fmin(open, contact->jn[p] * contact->kn[p])));
        reach += contact->friction * contact->jn[p];
    }
    double slide = opening(pile, contact, &contact->tangent);
    double lacking = slide > 0 ? contact->jt + reach : reach - contact->jt;
    assert_true(fabs(contact->jt) <= reach * (1 + 1e-12));
    if (contact->friction == 0) return most;
    return fmax(most, fmin(fabs(slide), lacking * contact->kt));
}

static double pile_wrong(const Pile *pile)
{
    double most = 0;
    for (int i = 0; i < pile->contacts; i++)
        most = fmax(most, wrong(pile, &pile->workspace.contacts[i]));
    return most;
}

// Goal: sweeps that say that a pile is right to 1e-4 m/s^2 have it so. Method: 30 boxes between
// walls, leaning to one side, with friction and without; accelerations from the pushes anew. A
// sweep says what it has changed itself: what that leaves elsewhere is of the same size.
static void swept_pile_is_right(void **unused)
{
    (void)unused;
    static const double frictions[] = {0, 0.4, 1};
    for (int f = 0; f < 3; f++)
        for (int lean = 0; lean < 2; lean++) {
            Pile pile;
            pile_make(&pile, frictions[f], 4.0 * lean);
            assert_true(ib__law_is_pile(&pile.law));
            assert_true(ib__law_sweep(&pile.law, 100000, right));
            if (getenv("IB_SHOW")) print_error("wrong by %.3g m/s^2\n", pile_wrong(&pile));
            assert_true(pile_wrong(&pile) <= 3 * right);
            ib_arena_reset(&pile.arena);
        }
}

// Goal: the floor bears what stands on it. Method: without friction each column is alone: the floor
// pushes with the weight of its boxes, but for 1e-4 m/s^2 of error in each.
static void floor_bears_the_columns(void **unused)
{
    (void)unused;
    Pile pile;
    pile_make(&pile, 0, 0);
    assert_true(ib__law_sweep(&pile.law, 100000, right));
    for (int i = 0; i < pile.contacts; i++) {
        const ib__Contact *contact = &pile.workspace.contacts[i];
        if (contact->body[1] >= 0 || contact->points < 2) continue;
        double mass = 0;
        for (int k = contact->body[0]; k < BODIES; k += COLUMNS) mass += pile.mass[k];
        assert_close(contact->jn[0] + contact->jn[1], mass * gravity, 3 * ROWS * right * mass);
    }
    ib_arena_reset(&pile.arena);
}

// Goal: the same pile ends with the same bits, and one that is right is left as it is. Method:
// twice from nothing, then once more from the end.
static void sweeps_are_the_same_to_the_bit(void **unused)
{
    (void)unused;
    Pile piles[2];
    for (int i = 0; i < 2; i++) {
        pile_make(&piles[i], 0.4, 4);
        assert_true(ib__law_sweep(&piles[i].law, 100000, right));
    }
    ib__law_sweep(&piles[1].law, 0, right);
    for (int i = 0; i < piles[0].contacts; i++) {
        const ib__Contact *a = &piles[0].workspace.contacts[i],
                          *b = &piles[1].workspace.contacts[i];
        assert_memory_equal(a->jn, b->jn, sizeof a->jn);
        assert_memory_equal(&a->jt, &b->jt, sizeof a->jt);
    }
    for (int i = 0; i < 2; i++) ib_arena_reset(&piles[i].arena);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(swept_pile_is_right),
        cmocka_unit_test(floor_bears_the_columns),
        cmocka_unit_test(sweeps_are_the_same_to_the_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
