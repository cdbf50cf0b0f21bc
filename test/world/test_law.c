// Claims about src/world/law.c and pattern.c: what is found for a few bodies obeys the law, and is
// one of the answers that trying every pattern gives.
#include "cmocka_all.h"
#include "spread.h"
#include "world/law.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROBLEMS = IB_ROUNDS(3000, 200) };

enum { BODIES = 3, BONDS = 3, ROWS = 3 * BONDS };

// What a pattern's equations may leave, against the hardest push: eps of firm contacts in
// world/pattern.c, for a row and its neighbour.
static const double firm = 2e-6;

// A few bodies and what touches them, in plain terms.
typedef struct Problem {
    int bodies, contacts;
    double W[BODIES][9];    // inverse masses
    double v[BODIES][3];    // motions before
    int a[BONDS], b[BONDS]; // bodies; b: -1: an element
    int points[BONDS];
    double g[ROWS][2][3]; // rows 3 i, 3 i + 1: normals; 3 i + 2: tangent
    double mu[BONDS];
    int slide[BONDS];
    double wanted[BONDS][2];
} Problem;

// Pushes on all rows, and what comes of them along each.
typedef struct Answer {
    double j[ROWS], after[ROWS];
} Answer;

// --------------------------------------------------------------------------------------- by itself

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void turn(const double *W, const double *g, double *out)
{
    for (int r = 0; r < 3; r++) out[r] = dot(W + 3 * r, g);
}

// What a unit push along row k does along row i.
static double response_of(const Problem *p, int i, int k)
{
    double sum = 0;
    for (int s = 0; s < 2; s++)
        for (int t = 0; t < 2; t++) {
            int from = t ? p->b[k / 3] : p->a[k / 3], to = s ? p->b[i / 3] : p->a[i / 3];
            double Wg[3];
            if (from < 0 || from != to) continue;
            turn(p->W[from], p->g[k][t], Wg);
            sum += dot(p->g[i][s], Wg);
        }
    return sum;
}

static double before(const Problem *p, int i)
{
    double sum = dot(p->g[i][0], p->v[p->a[i / 3]]);
    return p->b[i / 3] < 0 ? sum : sum + dot(p->g[i][1], p->v[p->b[i / 3]]);
}

static bool is_row(const Problem *p, int i)
{
    return i % 3 == 2 || i % 3 < p->points[i / 3];
}

static void find_after(const Problem *p, Answer *response)
{
    for (int i = 0; i < 3 * p->contacts; i++) {
        response->after[i] = before(p, i);
        for (int k = 0; k < 3 * p->contacts; k++)
            if (is_row(p, k) && response->j[k] != 0)
                response->after[i] += response_of(p, i, k) * response->j[k];
    }
}

// -------------------------------------------------------------------------------------------- draw

// Rows of a push along (nx, ny) at (x, y) on bodies at their places.
static void set_row(Problem *p, int row, double place[BODIES][2], double x, double y, double nx,
                    double ny)
{
    for (int s = 0; s < 2; s++) {
        int body = s ? p->b[row / 3] : p->a[row / 3];
        double sign = s ? -1 : 1;
        memset(p->g[row][s], 0, sizeof p->g[row][s]);
        if (body < 0) continue;
        double rx = x - place[body][0], ry = y - place[body][1];
        p->g[row][s][0] = sign * nx;
        p->g[row][s][1] = sign * ny;
        p->g[row][s][2] = sign * (rx * ny - ry * nx);
    }
}

static void draw_contact(uint64_t *seed, Problem *p, int i, double place[BODIES][2])
{
    double angle = spread(seed, 0, 6.3), nx = cos(angle), ny = sin(angle);
    double x = spread_signed(seed), y = spread_signed(seed), apart = spread(seed, 0.1, 1);
    // The first contacts make one island of all bodies.
    bool joins = i < p->bodies - 1;
    p->a[i] = joins ? i : (int)spread(seed, 0, p->bodies);
    p->b[i] = joins ? i + 1 : (int)spread(seed, 0, p->bodies + 1) - 1;
    if (p->b[i] == p->a[i]) p->b[i] = -1;
    p->points[i] = spread(seed, 0, 1) < 0.5 ? 1 : 2;
    p->mu[i] = spread(seed, 0, 1) < 0.25 ? 0 : spread(seed, 0, 1.5);
    p->slide[i] = 0;
    set_row(p, 3 * i, place, x, y, nx, ny);
    set_row(p, 3 * i + 1, place, x - apart * ny, y + apart * nx, nx, ny);
    set_row(p, 3 * i + 2, place, x, y, -ny, nx);
    for (int k = 0; k < 2; k++)
        p->wanted[i][k] = fmax(0, -before(p, 3 * i + k)) * fmax(0, spread_signed(seed));
}

// One to three bodies of 0.1 to 10 kg; some on axles, which move along one direction only.
static void draw_problem(uint64_t *seed, Problem *p)
{
    double place[BODIES][2];
    memset(p, 0, sizeof *p);
    p->contacts = 1 + (int)spread(seed, 0, BONDS);
    p->bodies = 1 + (int)spread(seed, 0, fmin(BODIES, p->contacts + 1));
    for (int i = 0; i < p->bodies; i++) {
        double mass = 0.1 * exp(spread(seed, 0, log(100))), angle = spread(seed, 0, 6.3);
        double c = cos(angle), s = sin(angle), side = spread(seed, 0, 1) < 0.15 ? 0 : 1;
        double inertia = mass * spread(seed, 0.05, 0.5);
        double W[9] = {(c * c + side * s * s) / mass,
                       c * s * (1 - side) / mass,
                       0,
                       c * s * (1 - side) / mass,
                       (s * s + side * c * c) / mass,
                       0,
                       0,
                       0,
                       1 / inertia};
        memcpy(p->W[i], W, sizeof W);
        for (int k = 0; k < 2; k++) place[i][k] = spread_signed(seed);
        double along = spread_signed(seed), across = side * spread_signed(seed);
        p->v[i][0] = c * along - s * across;
        p->v[i][1] = s * along + c * across;
        p->v[i][2] = spread_signed(seed);
    }
    for (int i = 0; i < p->contacts; i++) draw_contact(seed, p, i, place);
}

// ----------------------------------------------------------------------------------------- the law

typedef struct Bench {
    ib_Arena arena;
    ib__LawWorkspace workspace;
    ib__Law law;
} Bench;

static void bench_init(Bench *bench)
{
    memset(bench, 0, sizeof *bench);
    assert_true(ib__law_workspace_init(&bench->workspace, BODIES, BONDS, &bench->arena));
}

// Solves it from a pattern: bits of a number.
static bool solve(Bench *bench, const Problem *p, unsigned pattern, Answer *response)
{
    for (int i = 0; i < p->contacts; i++) {
        ib__Contact *contact = &bench->workspace.contacts[i];
        *contact = (ib__Contact){.body = {p->a[i], p->b[i]},
                                 .points = p->points[i],
                                 .friction = p->mu[i],
                                 .slide = p->slide[i],
                                 .vt = before(p, 3 * i + 2)};
        memcpy(contact->tangent.on, p->g[3 * i + 2], sizeof contact->tangent.on);
        for (int k = 0; k < contact->points; k++) {
            memcpy(contact->normal[k].on, p->g[3 * i + k], sizeof contact->normal[k].on);
            contact->vn[k] = before(p, 3 * i + k);
            contact->wanted[k] = p->wanted[i][k];
            contact->is.closed[k] = pattern >> (2 * i + k) & 1;
        }
        contact->is.grip = (ib__Grip)((pattern >> (8 + 2 * i) & 3) % 3);
    }
    ib__law_create(&bench->workspace, 0, p->bodies, 0, p->contacts, &bench->law);
    for (int i = 0; i < p->bodies; i++) ib__law_root(p->W[i], bench->law.root[i]);
    ib__law_renew_rows(&bench->law);
    bool good = ib__law_solve(&bench->law);
    *response = (Answer){.j = {0}};
    for (int i = 0; i < p->contacts; i++) {
        for (int k = 0; k < p->points[i]; k++)
            response->j[3 * i + k] = bench->workspace.contacts[i].jn[k];
        response->j[3 * i + 2] = bench->workspace.contacts[i].jt;
    }
    find_after(p, response);
    return good;
}

// ------------------------------------------------------------------------------------------- judge

// The largest speed that a push changes by itself: what rounding and eps are measured by.
static double hardest(const Problem *p, const Answer *response)
{
    double most = 1e-3;
    for (int i = 0; i < 3 * p->contacts; i++) {
        if (!is_row(p, i)) continue;
        most = fmax(most, fabs(before(p, i)));
        most = fmax(most, fabs(response->j[i]) * response_of(p, i, i));
    }
    return most;
}

// By how much a contact breaks the law, in speeds. Where a body cannot be moved along a row,
// nothing can be wanted there.
static double contact_wrong(const Problem *p, int i, const Answer *response)
{
    const double *j = response->j + 3 * i, *after = response->after + 3 * i;
    double wrong = 0, sum = 0, kt = response_of(p, 3 * i + 2, 3 * i + 2);
    for (int k = 0; k < p->points[i]; k++) {
        double kn = response_of(p, 3 * i + k, 3 * i + k), more = after[k] - p->wanted[i][k];
        if (kn < 1e-9) continue;
        // One of the two is 0 and neither is less.
        wrong = fmax(wrong, fabs(fmin(more, j[k] * kn)));
        sum += j[k];
    }
    if (kt < 1e-9) return wrong;
    double reach = p->mu[i] * sum, slide = p->slide[i] != 0 ? p->slide[i] : after[2];
    wrong = fmax(wrong, (fabs(j[2]) - reach) * kt);
    // Sliding up, the rub is -reach; down, +reach; what is not at its limit does not slide.
    double lacking = slide > 0 ? j[2] + reach : reach - j[2];
    if (p->slide[i] != 0) return fmax(wrong, lacking * kt);
    return fmax(wrong, fmin(fabs(after[2]), lacking * kt));
}

static double law_wrong(const Problem *p, const Answer *response)
{
    double most = 0;
    for (int i = 0; i < p->contacts; i++) most = fmax(most, contact_wrong(p, i, response));
    return most;
}

// ----------------------------------------------------------------------------------- every pattern

// Gauss with full pivots. False: it is singular.
static bool eliminate(int n, double A[ROWS][ROWS + 1], double *x)
{
    int column[ROWS];
    double largest = 0;
    for (int i = 0; i < n; i++) column[i] = i;
    for (int k = 0; k < n; k++) {
        int row = k, best = k;
        for (int r = k; r < n; r++)
            for (int c = k; c < n; c++)
                if (fabs(A[r][column[c]]) > fabs(A[row][column[best]])) row = r, best = c;
        int swapped = column[k];
        column[k] = column[best], column[best] = swapped;
        double pivot = A[row][column[k]];
        largest = fmax(largest, fabs(pivot));
        if (!(fabs(pivot) > 1e-9 * largest)) return false;
        for (int c = 0; c <= n; c++) {
            double swap = A[k][c];
            A[k][c] = A[row][c], A[row][c] = swap;
        }
        for (int r = k + 1; r < n; r++) {
            double factor = A[r][column[k]] / pivot;
            for (int c = 0; c <= n; c++) A[r][c] -= factor * A[k][c];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        double sum = A[k][n];
        for (int c = k + 1; c < n; c++) sum -= A[k][column[c]] * x[column[c]];
        x[column[k]] = sum / A[k][column[k]];
    }
    return true;
}

// A contact's part of a pattern: which points push (2 bits), and 0 stick, 1 up, 2 down.
typedef struct Part {
    int closed, grip;
} Part;

// The pushes of a pattern. False: they are not determined.
static bool try_pattern(const Problem *p, const Part *parts, Answer *response)
{
    int row[ROWS], n = 0;
    double A[ROWS][ROWS + 1], x[ROWS];
    for (int i = 0; i < p->contacts; i++) {
        for (int k = 0; k < p->points[i]; k++)
            if (parts[i].closed >> k & 1) row[n++] = 3 * i + k;
        if (parts[i].closed && parts[i].grip == 0 && p->mu[i] > 0) row[n++] = 3 * i + 2;
    }
    for (int r = 0; r < n; r++) {
        A[r][n] = (row[r] % 3 < 2 ? p->wanted[row[r] / 3][row[r] % 3] : 0) - before(p, row[r]);
        for (int c = 0; c < n; c++) {
            int i = row[c] / 3;
            double share = parts[i].grip == 1 ? -p->mu[i] : parts[i].grip == 2 ? p->mu[i] : 0;
            A[r][c] = response_of(p, row[r], row[c]);
            if (row[c] % 3 < 2) A[r][c] += share * response_of(p, row[r], 3 * i + 2);
        }
    }
    if (!eliminate(n, A, x)) return false;
    *response = (Answer){.j = {0}};
    for (int c = 0; c < n; c++) {
        int i = row[c] / 3;
        response->j[row[c]] += x[c];
        if (row[c] % 3 < 2 && parts[i].grip != 0)
            response->j[3 * i + 2] += (parts[i].grip == 1 ? -p->mu[i] : p->mu[i]) * x[c];
    }
    find_after(p, response);
    return true;
}

// All answers that obey the law, of all patterns: calls `see` for each.
typedef struct Search {
    const Problem *problem;
    const Answer *found; // by the program
    double nearest;      // of its motions to any answer's, against the hardest push
    int responses;
} Search;

static void see(Search *search, const Answer *response)
{
    const Problem *p = search->problem;
    double most = hardest(p, response), off = 0;
    if (law_wrong(p, response) > 1e-9 * most) return;
    search->responses++;
    for (int i = 0; i < 3 * p->contacts; i++)
        if (is_row(p, i)) off = fmax(off, fabs(response->after[i] - search->found->after[i]));
    search->nearest = fmin(search->nearest, off / most);
}

static void try_all(Search *search, Part *parts, int contact)
{
    const Problem *p = search->problem;
    Answer response;
    if (contact == p->contacts) {
        if (try_pattern(p, parts, &response)) see(search, &response);
        return;
    }
    for (int closed = 0; closed < 1 << p->points[contact]; closed++)
        for (int grip = 0; grip < (closed && p->mu[contact] > 0 ? 3 : 1); grip++) {
            if (closed && p->mu[contact] > 0 && p->slide[contact] != 0 &&
                grip != (p->slide[contact] > 0 ? 1 : 2))
                continue;
            parts[contact] = (Part){closed, grip};
            try_all(search, parts, contact + 1);
        }
}

// ------------------------------------------------------------------------------------------ claims

typedef struct Count {
    int problems, solved, missed; // missed: an answer is there and was not found
    double wrong, off;            // of what was found: by the law, from the nearest answer
} Count;

// How far pushes are from what can be: none pulls, none rubs more than it may or along its slide;
// against the hardest.
static double impossible(const Problem *p, const Answer *response)
{
    double most = 0, largest = 1e-12;
    for (int i = 0; i < p->contacts; i++) {
        const double *j = response->j + 3 * i;
        double sum = 0;
        for (int k = 0; k < p->points[i]; k++) {
            most = fmax(most, -j[k]);
            largest = fmax(largest, fabs(j[k]));
            sum += j[k];
        }
        most = fmax(most, fabs(j[2]) - p->mu[i] * sum);
        if (p->slide[i] != 0) most = fmax(most, p->slide[i] * j[2]);
    }
    return most / largest;
}

static void check(Bench *bench, int number, const Problem *p, unsigned pattern, Count *count)
{
    Answer response;
    Part parts[BONDS];
    bool good = solve(bench, p, pattern, &response);
    Search search = {p, &response, INFINITY, 0};
    try_all(&search, parts, 0);
    double wrong = law_wrong(p, &response) / hardest(p, &response);
    count->problems++;
    count->solved += good;
    count->missed += !good && search.responses > 0;
    if (!(impossible(p, &response) <= firm))
        fail_msg("problem %d: pushes that cannot be, by %.3g", number, impossible(p, &response));
    if (!good) return;
    if (wrong > firm || (search.responses > 0 && search.nearest > firm))
        print_error("problem %d: wrong by %.3g, %.3g from the nearest of %d answers\n", number,
                    wrong, search.nearest, search.responses);
    count->wrong = fmax(count->wrong, wrong);
    if (search.responses > 0) count->off = fmax(count->off, search.nearest);
}

// IB_LAWS problems from number IB_FIRST on; some contacts slide as they are for `slides`.
static Count check_all(bool slides)
{
    const char *wanted = getenv("IB_LAWS"), *first = getenv("IB_FIRST");
    int count = wanted ? atoi(wanted) : PROBLEMS, from = first ? atoi(first) : 0;
    Bench bench;
    Count seen = {0};
    bench_init(&bench);
    for (int i = from; i < from + count; i++) {
        uint64_t seed = (uint64_t)i * 7919 + 1;
        Problem p;
        for (int k = 0; k < 10; k++) spread(&seed, 0, 1);
        draw_problem(&seed, &p);
        unsigned pattern = (unsigned)spread(&seed, 0, 65536);
        for (int k = 0; k < p.contacts && slides; k++)
            p.slide[k] = p.mu[k] > 0 ? (int)spread(&seed, 0, 3) - 1 : 0;
        check(&bench, i, &p, pattern, &seen);
    }
    ib_arena_reset(&bench.arena);
    if (getenv("IB_SHOW"))
        print_error("%d problems, %d solved, %d missed; wrong by %.3g, off by %.3g\n",
                    seen.problems, seen.solved, seen.missed, seen.wrong, seen.off);
    return seen;
}

// Goal: of a few bodies the pushes that are found obey the law, and the motion is one that trying
// every pattern finds too. Method: random bodies, some on axles, with up to three contacts of one
// or two points, from random patterns. A search that finds nothing says so; where there is an
// answer, that is very rare: 5 of 129 000 problems of 43 seeds, 2 of them in one seed.
static void few_bodies_obey_the_law(void **unused)
{
    (void)unused;
    Count seen = check_all(false);
    assert_true(seen.wrong <= firm && seen.off <= firm);
    assert_true(seen.missed <= 1 + seen.problems / 1000);
    assert_true(seen.solved >= seen.problems * 9 / 10);
}

// Goal: friction is against a slide that is there, also where no pattern is right. Method: the same
// with contacts that slide as they are, which may have no answer at all.
static void friction_is_against_the_slide(void **unused)
{
    (void)unused;
    Count seen = check_all(true);
    assert_true(seen.wrong <= firm && seen.off <= firm);
    assert_true(seen.solved >= seen.problems * 3 / 4);
}

// A row along x: 60 kg, 1 g and 10 kg, each an edge on the next, the last one on a wall; the first
// is pushed with `force`.
static Problem press_row(double force)
{
    static const double masses[BODIES] = {60, 1e-3, 10};
    double place[BODIES][2] = {{0, 0}, {1, 0}, {2, 0}};
    Problem p = {.bodies = 3, .contacts = 3, .b = {1, 2, -1}};
    for (int i = 0; i < 3; i++) {
        p.W[i][0] = p.W[i][4] = 1 / masses[i];
        p.W[i][8] = 6 / masses[i];
        p.a[i] = i;
        p.points[i] = 2;
        p.mu[i] = 0.5;
        set_row(&p, 3 * i, place, i + 0.5, -0.05, -1, 0);
        set_row(&p, 3 * i + 1, place, i + 0.5, 0.05, -1, 0);
        set_row(&p, 3 * i + 2, place, i + 0.5, 0, 0, -1);
    }
    p.v[0][0] = force / masses[0];
    return p;
}

// Goal: a gram between 60 kg and 10 kg passes on what they push, to rounding. Method: a row at a
// wall; each contact bears the whole force, half of it a point. The gram answers 1e5 times more
// than it moves: rounding is 1e-15 of that.
static void light_body_passes_the_push_on(void **unused)
{
    (void)unused;
    Bench bench;
    Answer response;
    Problem p = press_row(540);
    bench_init(&bench);
    for (unsigned pattern = 0; pattern < 64; pattern += 21) {
        assert_true(solve(&bench, &p, pattern, &response));
        for (int i = 0; i < 9; i++) {
            assert_close(response.j[i], i % 3 < 2 ? 270 : 0, 1e-8);
            assert_close(response.after[i], 0, 4e-15 * hardest(&p, &response));
        }
    }
    ib_arena_reset(&bench.arena);
}

// Goal: a pattern that is followed gives pushes of any sign, as differences need them. Method: the
// same row, pulled after it was pressed: all that held, holds with the opposite sign.
static void pattern_is_followed_whatever_the_signs(void **unused)
{
    (void)unused;
    Bench bench;
    Answer response;
    Problem pressed = press_row(540), pulled = press_row(-60);
    bench_init(&bench);
    assert_true(solve(&bench, &pressed, 63, &response));
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 2; k++) bench.workspace.contacts[i].vn[k] = before(&pulled, 3 * i + k);
    ib__law_follow(&bench.law);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 2; k++) assert_close(bench.workspace.contacts[i].jn[k], -30, 1e-5);
    ib_arena_reset(&bench.arena);
}

// A body that turns about a corner which sticks to a wall, while another one, 10 cm above it but
// for `lean` rad, slides along a second wall. Full friction there turns the body back, and so
// closes the gap by `lean` of what the push does to itself. That gap is wanted to close, too.
static Problem lean_into_corner(double lean)
{
    double place[BODIES][2] = {{-0.1, 0.05}};
    Problem p = {.bodies = 1,
                 .contacts = 2,
                 .W = {{1, 0, 0, 0, 1, 0, 0, 0, 200}},
                 .v = {{5, 4, 400}},
                 .b = {-1, -1},
                 .points = {1, 1},
                 .mu = {1.75, 1.75},
                 .slide = {0, -1},
                 .wanted = {{0}, {-0.05 * lean}}};
    set_row(&p, 0, place, 0, 0, -1, 0);
    set_row(&p, 2, place, 0, 0, 0, -1);
    set_row(&p, 3, place, -0.1 * lean, 0.1, 0, -1);
    set_row(&p, 5, place, -0.1 * lean, 0.1, 1, 0);
    return p;
}

// Goal: differences are taken of the very pushes that were found, however near a pattern is to
// locking. Method: pushes that are followed to where they were found are the same. With contacts
// 100 times softer than those of the search they were not, by factors.
static void pattern_that_nearly_locks_is_followed(void **unused)
{
    (void)unused;
    Bench bench;
    bench_init(&bench);
    for (double lean = 1e-3; lean > 1e-8; lean *= 0.8) {
        Answer response;
        Problem p = lean_into_corner(lean);
        assert_true(solve(&bench, &p, 5, &response));
        // It turns back with 0.5 rad/s^2 about the first corner, where its inertia is 0.0175 kg m^2
        // and the free motion has a torque of 1.35 N m.
        double push = (1.35 + 0.0175 * 0.5) / (0.1 * (1.75 - lean));
        if (lean > 1e-6) assert_close(response.j[3], push, 1e-6);
        ib__law_follow(&bench.law);
        for (int i = 0; i < 2; i++) {
            assert_close(bench.workspace.contacts[i].jn[0], response.j[3 * i],
                         1e-9 * response.j[0]);
            assert_close(bench.workspace.contacts[i].jt, response.j[3 * i + 2],
                         1e-9 * response.j[0]);
        }
    }
    ib_arena_reset(&bench.arena);
}

// A body of 60 kg on wheels that do not slip sideways has its side at a wall. It slides forward,
// and its rear corner would turn into the wall with 2.5 m/s^2. Both corners come closer by
// 3e-9 m/s^2, since the wheels are not quite along the wall: no force can end that.
static Problem slide_beside_wall(void)
{
    double place[BODIES][2] = {{0, 0}};
    Problem p = {.bodies = 1,
                 .contacts = 1,
                 .W = {{1 / 60.0, 0, 0, 0, 0, 0, 0, 0, 1 / 3.0}},
                 .v = {{7, -3e-9, 2.5 / 0.22}},
                 .b = {-1},
                 .points = {2},
                 .mu = {0.7},
                 .slide = {1}};
    set_row(&p, 0, place, -0.22, -0.33, 0, 1);
    set_row(&p, 1, place, 0.22, -0.33, 0, 1);
    set_row(&p, 2, place, 0, -0.33, 1, 0);
    return p;
}

// Goal: of several patterns that are right the wide search takes one that springs would hold.
// Method: friction turns the body's front towards the wall. It helps a push at the rear: 75.6 N do.
// At the front it turns by 0.7 * 0.33 N m for each N, which itself turns back by 0.22 N m: 3100 N
// would be right, too, but a bit more presses the corner into the wall, which asks for more still.
static void push_that_presses_itself_is_not_found(void **unused)
{
    (void)unused;
    Bench bench;
    Answer response;
    Problem p = slide_beside_wall();
    bench_init(&bench);
    assert_true(solve(&bench, &p, 3, &response)); // from both corners, as a touch begins
    assert_close(response.j[0], 2.5 * 3 / (0.22 * (0.22 + 0.7 * 0.33)), 1e-4);
    assert_close(response.j[1], 0, 1e-9);
    assert_close(response.j[2], -0.7 * response.j[0], 1e-9);
    ib_arena_reset(&bench.arena);
}

// Goal: the sign of a determinant is known. Method: the six orders of three rows, of which three
// are even, with none to three rows turned around.
static void sign_of_a_determinant_is_known(void **unused)
{
    (void)unused;
    static const int orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1},
                                     {0, 2, 1}, {1, 0, 2}, {2, 1, 0}};
    Bench bench;
    Answer response;
    Problem p = slide_beside_wall();
    bench_init(&bench);
    assert_true(solve(&bench, &p, 3, &response));
    ib__Skyline *system = &bench.law.system;
    for (int k = 0; k < 24; k++) {
        const int *order = orders[k % 6], turned = k / 6;
        ib__skyline_clear(system);
        for (int i = 0; i < 3; i++) {
            double row[3] = {i == 0, i == 1, i == 2}, to[3] = {0};
            to[order[i]] = i < turned ? -1 : 1;
            for (int c = 0; c < 3; c++) to[c] -= row[c]; // what was there
            ib__skyline_add(system, 0, 0, 1, row, to);
        }
        ib__skyline_factor(system, false);
        assert_true(ib__skyline_is_positive(system) == ((k % 6 < 3) == (turned % 2 == 0)));
    }
    ib_arena_reset(&bench.arena);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(light_body_passes_the_push_on),
        cmocka_unit_test(pattern_is_followed_whatever_the_signs),
        cmocka_unit_test(pattern_that_nearly_locks_is_followed),
        cmocka_unit_test(push_that_presses_itself_is_not_found),
        cmocka_unit_test(sign_of_a_determinant_is_known),
        cmocka_unit_test(few_bodies_obey_the_law),
        cmocka_unit_test(friction_is_against_the_slide),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
