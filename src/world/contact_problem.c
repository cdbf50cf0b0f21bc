// world/contact_problem.c: first as if nothing had friction, which often is all there is to it.
// Then the points in turn, each exactly, until little changes; then all together for the pattern
// found (open, sticking, sliding), which removes what the turns left. Where the turns go round in
// circles, as one linear complementarity problem.
#include "world/contact_problem.h"

#include "world/complementarity.h"

#include <math.h>
#include <string.h>

enum { PASSES = 4 }; ///< of a pattern's solution

#define NEARNESS 1e-9  ///< against a point's own answer
#define DEAF     1e-12 ///< an answer below this [1/kg] is none
#define SETTLED  1e-16 ///< change in a sweep, against the speeds at hand, that is none
#define WEDGED   1e5   ///< a push that is no solution, against what the point alone would need
#define ROUGH    1e-9  ///< the same for the last resort
#define ACCURATE 1e-13 ///< what the pattern's solution may violate, against the speeds at hand

// ----------------------------------------------------------------------------------------- changes

static double felt(const ib__ContactProblem *problem, const ib__Point *point, const ib__Row *row)
{
    const double *a = problem->change[point->a.body];
    double sum = row->a[0] * a[0] + row->a[1] * a[1] + row->a[2] * a[2];
    if (point->b.body < 0) return sum;
    const double *b = problem->change[point->b.body];
    return sum + (row->b[0] * b[0] + row->b[1] * b[1] + row->b[2] * b[2]);
}

static void add(double *change, const double *unit, double size)
{
    for (int i = 0; i < 3; i++) change[i] += size * unit[i];
}

static void push(ib__ContactProblem *problem, ib__Touch *touch, double jn, double jt)
{
    int a = touch->point->a.body, b = touch->point->b.body;
    add(problem->change[a], touch->by_normal.a, jn);
    add(problem->change[a], touch->by_tangent.a, jt);
    touch->jn += jn;
    touch->jt += jt;
    if (b < 0) return;
    add(problem->change[b], touch->by_normal.b, jn);
    add(problem->change[b], touch->by_tangent.b, jt);
}

// Starts the changes anew from the impulses, so that rounding does not gather.
static void renew(ib__ContactProblem *problem)
{
    memset(problem->change, 0, (size_t)problem->body_count * sizeof *problem->change);
    for (int i = 0; i < problem->count; i++) {
        ib__Touch *touch = &problem->touches[i];
        double jn = touch->jn, jt = touch->jt;
        touch->jn = touch->jt = 0;
        push(problem, touch, jn, jt);
    }
}

double ib__contact_problem_normal_after(const ib__ContactProblem *problem, const ib__Touch *touch)
{
    return touch->vn + felt(problem, touch->point, &touch->normal);
}

double ib__contact_problem_tangent_after(const ib__ContactProblem *problem, const ib__Touch *touch)
{
    return touch->vt + felt(problem, touch->point, &touch->tangent);
}

// ----------------------------------------------------------------------------------- one at a time

// Full friction in the direction `sign`:  (knn + sign mu knt) jn = need.  True when the sliding
// that is left goes the other way.
static bool slides(const ib__Touch *touch, double need, double vt, double sign, double *jn,
                   double *jt)
{
    double mu = touch->point->friction, k = touch->knn + sign * mu * touch->knt;
    if (!(k > DEAF * 1e-3)) return false;
    *jn = need / k;
    *jt = sign * mu * *jn;
    return sign * (vt + touch->knt * *jn + touch->ktt * *jt) <= 0;
}

// The impulse of one point, the others given: vn, vt are its velocities without its own impulse.
static void solve_point(const ib__Touch *touch, double vn, double vt, double *jn, double *jt)
{
    double need = touch->wanted - vn, mu = touch->point->friction;
    *jn = *jt = 0;
    if (!(need > 0) || !(touch->knn > DEAF)) return;
    if (mu > 0 && touch->ktt > DEAF) {
        // Sticking: K j = (need, -vt).
        double det = touch->knn * touch->ktt - touch->knt * touch->knt;
        double n = (touch->ktt * need + touch->knt * vt) / det;
        double t = (-touch->knt * need - touch->knn * vt) / det;
        bool sticks = det > 1e-12 * touch->knn * touch->ktt && n >= 0 && fabs(t) <= mu * n;
        *jn = n;
        *jt = t;
        if (sticks) return;
        double first = vt > 0 ? -1 : 1;
        if (slides(touch, need, vt, first, jn, jt) || slides(touch, need, vt, -first, jn, jt))
            return;
    }
    *jn = need / touch->knn;
    *jt = 0;
}

// Largest change of a relative speed.
static double sweep(ib__ContactProblem *problem)
{
    double most = 0;
    for (int i = 0; i < problem->count; i++) {
        ib__Touch *touch = &problem->touches[i];
        double jn, jt;
        double vn = ib__contact_problem_normal_after(problem, touch) - touch->knn * touch->jn -
                    touch->knt * touch->jt;
        double vt = ib__contact_problem_tangent_after(problem, touch) - touch->knt * touch->jn -
                    touch->ktt * touch->jt;
        solve_point(touch, vn, vt, &jn, &jt);
        double dn = jn - touch->jn, dt = jt - touch->jt;
        push(problem, touch, dn, dt);
        most = ib__larger(most, ib__larger(fabs(dn) * touch->knn, fabs(dt) * touch->ktt));
    }
    return most;
}

// ------------------------------------------------------------------------------------ all together

// One unknown impulse: along the normal (with the full friction where it slides) or the tangent.
typedef struct Unknown {
    int touch;
    bool tangent;
    double share; ///< of jt in jn, where it slides
} Unknown;

static int unknowns_of(const ib__ContactProblem *problem, Unknown *unknowns)
{
    int count = 0;
    for (int i = 0; i < problem->count; i++) {
        const ib__Touch *touch = &problem->touches[i];
        if (!(touch->jn > 0)) continue;
        double limit = touch->point->friction * touch->jn;
        bool full = limit > 0 && fabs(touch->jt) >= limit * (1 - 1e-9);
        bool sticks = limit > 0 && touch->ktt > DEAF && !full;
        unknowns[count++] =
            (Unknown){i, false, full ? copysign(touch->point->friction, touch->jt) : 0};
        if (sticks) unknowns[count++] = (Unknown){i, true, 0};
    }
    return count;
}

// What the unknown pushes along.
static ib__Row unknown_row(const ib__ContactProblem *problem, const Unknown *unknown)
{
    const ib__Touch *touch = &problem->touches[unknown->touch];
    if (unknown->tangent) return touch->tangent;
    ib__Row row = touch->normal;
    for (int i = 0; i < 3; i++) {
        row.a[i] += unknown->share * touch->tangent.a[i];
        row.b[i] += unknown->share * touch->tangent.b[i];
    }
    return row;
}

// The answers of all unknowns to each other. A little more on the diagonal leads, where points
// share a load that fewer could carry, to the solution nearest to the one at hand.
static void fill_answers(const ib__ContactProblem *problem, const Unknown *unknowns, int n,
                         double *A)
{
    for (int k = 0; k < n; k++) {
        const ib__Point *of = problem->touches[unknowns[k].touch].point;
        ib__Row cause = unknown_row(problem, &unknowns[k]);
        ib__Row change = ib__row_change(&cause, of, problem->inverse_mass);
        for (int i = 0; i < n; i++) {
            const ib__Touch *touch = &problem->touches[unknowns[i].touch];
            const ib__Row *row = unknowns[i].tangent ? &touch->tangent : &touch->normal;
            A[i * n + k] = ib__row_felt(row, touch->point, &change, of);
        }
    }
    for (int i = 0; i < n; i++) {
        const ib__Touch *touch = &problem->touches[unknowns[i].touch];
        A[i * n + i] += NEARNESS * (unknowns[i].tangent ? touch->ktt : touch->knn);
    }
}

// What is left to do for each unknown; the largest.
static double missing(const ib__ContactProblem *problem, const Unknown *unknowns, int n, double *b)
{
    double most = 0;
    for (int i = 0; i < n; i++) {
        const ib__Touch *touch = &problem->touches[unknowns[i].touch];
        b[i] = unknowns[i].tangent
                   ? -ib__contact_problem_tangent_after(problem, touch)
                   : touch->wanted - ib__contact_problem_normal_after(problem, touch);
        most = ib__larger(most, fabs(b[i]));
    }
    return most;
}

static void solve_pattern(ib__ContactProblem *problem)
{
    Unknown unknowns[IB__UNKNOWNS];
    double A[IB__UNKNOWNS * IB__UNKNOWNS], b[IB__UNKNOWNS];
    ib__Order order;
    int n = unknowns_of(problem, unknowns);
    for (int i = 0; i < n; i++) {
        ib__Touch *touch = &problem->touches[unknowns[i].touch];
        if (unknowns[i].share != 0) touch->jt = unknowns[i].share * touch->jn;
    }
    renew(problem);
    for (int pass = 0; pass < PASSES; pass++) {
        if (missing(problem, unknowns, n, b) <= ACCURATE / 50 * problem->speed) return;
        if (pass == 0) fill_answers(problem, unknowns, n, A);
        if (pass == 0) ib__linear_factor(n, n, A, &order);
        ib__linear_apply(n, n, A, &order, b);
        for (int i = 0; i < n; i++) {
            ib__Touch *touch = &problem->touches[unknowns[i].touch];
            bool tangent = unknowns[i].tangent;
            push(problem, touch, tangent ? 0 : b[i], tangent ? b[i] : b[i] * unknowns[i].share);
        }
        renew(problem);
    }
}

// Does every point keep the law, but for rounding?
static bool is_solved(const ib__ContactProblem *problem, double accuracy)
{
    double allowed = accuracy * problem->speed;
    for (int i = 0; i < problem->count; i++) {
        const ib__Touch *touch = &problem->touches[i];
        if (!(touch->knn > DEAF)) continue;
        if (!(touch->jn * touch->knn < WEDGED * problem->speed)) return false;
        double vn = ib__contact_problem_normal_after(problem, touch) - touch->wanted,
               vt = ib__contact_problem_tangent_after(problem, touch);
        double mu = touch->point->friction, spare = mu * touch->jn - fabs(touch->jt);
        if (vn < -allowed || touch->jn * touch->knn < -allowed) return false;
        if (vn > allowed && touch->jn * touch->knn > allowed) return false;
        if (spare * touch->ktt < -allowed) return false;
        bool slips = fabs(vt) > allowed && touch->ktt > DEAF && mu > 0;
        if (slips && (spare * touch->ktt > allowed || touch->jt * vt > 0)) return false;
    }
    return true;
}

// ------------------------------------------------------------------------------------ if all fails

// Turns may go round in circles where friction wedges a body in. The same law as one linear
// complementarity problem, which has a solution: for each point jn, jt = jp - jm and the speed
// s of sliding,
//   0 <= jn _|_ vn+ - wanted,   0 <= jp _|_ s + vt+,   0 <= jm _|_ s - vt+,   0
//   <= s _|_ mu jn - jp
//   - jm
static bool solve_as_one(ib__ContactProblem *problem)
{
    enum { PARTS = 4, POINTS = IB__LEMKE_MOST / PARTS };
    double M[IB__LEMKE_MOST * IB__LEMKE_MOST], q[IB__LEMKE_MOST], z[IB__LEMKE_MOST], scale = 0;
    int count = problem->count, n = PARTS * count;
    if (count < 1 || count > POINTS) return false;
    for (int i = 0; i < count; i++) scale = ib__larger(scale, problem->touches[i].knn);
    memset(M, 0, sizeof M);
    for (int i = 0; i < count; i++) {
        const ib__Touch *touch = &problem->touches[i];
        const ib__Row *rows[2] = {&touch->normal, &touch->tangent};
        double *at = M + PARTS * i * n;
        for (int k = 0; k < count; k++) {
            const ib__Touch *cause = &problem->touches[k];
            const ib__Row *causes[2] = {&cause->normal, &cause->tangent};
            double K[2][2];
            for (int r = 0; r < 2; r++)
                for (int c = 0; c < 2; c++)
                    K[r][c] = ib__row_answer(rows[r], touch->point, causes[c], cause->point,
                                             problem->inverse_mass) /
                              scale;
            for (int r = 0; r < 3; r++)
                for (int c = 0; c < 3; c++)
                    at[r * n + PARTS * k + c] =
                        (r == 2 ? -1 : 1) * (c == 2 ? -1 : 1) * K[r > 0][c > 0];
        }
        at[n + PARTS * i + 3] = at[2 * n + PARTS * i + 3] = 1;
        at[3 * n + PARTS * i] = touch->point->friction;
        at[3 * n + PARTS * i + 1] = at[3 * n + PARTS * i + 2] = -1;
        q[PARTS * i] = (touch->vn - touch->wanted) / problem->speed;
        q[PARTS * i + 1] = touch->vt / problem->speed;
        q[PARTS * i + 2] = -touch->vt / problem->speed;
        q[PARTS * i + 3] = 0;
    }
    if (!ib__lemke(n, M, q, z)) return false;
    for (int i = 0; i < count; i++) {
        problem->touches[i].jn = z[PARTS * i] * problem->speed / scale;
        problem->touches[i].jt = (z[PARTS * i + 1] - z[PARTS * i + 2]) * problem->speed / scale;
    }
    renew(problem);
    return true;
}

void ib__contact_problem_solve_without_friction(ib__ContactProblem *problem)
{
    double M[IB_WORLD_POINTS * IB_WORLD_POINTS], q[IB_WORLD_POINTS], z[IB_WORLD_POINTS];
    int rows[IB_WORLD_POINTS], n = 0;
    for (int i = 0; i < problem->count; i++) {
        problem->touches[i].jn = problem->touches[i].jt = 0;
        if (problem->touches[i].knn > DEAF) rows[n++] = i;
    }
    for (int k = 0; k < n; k++) {
        const ib__Touch *cause = &problem->touches[rows[k]];
        q[k] = cause->vn - cause->wanted;
        for (int i = 0; i < n; i++)
            M[i * n + k] =
                ib__row_felt(&problem->touches[rows[i]].normal, problem->touches[rows[i]].point,
                             &cause->by_normal, cause->point);
    }
    // Points that share a load make M singular. A little more on its diagonal, taken back in the
    // next pass, leads to a solution all the same.
    for (int i = 0; i < n; i++) z[i] = 0;
    for (int pass = 0; pass < 3 && n > 0; pass++) {
        double D[IB_WORLD_POINTS * IB_WORLD_POINTS], p[IB_WORLD_POINTS];
        memcpy(D, M, (size_t)(n * n) * sizeof *D);
        for (int i = 0; i < n; i++) {
            p[i] = q[i] - 1e-10 * M[i * n + i] * z[i];
            D[i * n + i] += 1e-10 * M[i * n + i];
        }
        ib__complementarity(n, D, p, z);
    }
    for (int i = 0; i < n; i++) problem->touches[rows[i]].jn = z[i];
    renew(problem);
}

// ------------------------------------------------------------------------------------------- start

// The pushes of two points without friction:  K jn >= need,  jn >= 0. By cases: both, one, none.
static void start_two(ib__ContactProblem *problem)
{
    ib__Touch *one = &problem->touches[0], *two = &problem->touches[1];
    double a = one->knn, d = two->knn, p = one->wanted - one->vn, q = two->wanted - two->vn;
    double b =
        ib__row_answer(&one->normal, one->point, &two->normal, two->point, problem->inverse_mass);
    double det = a * d - b * b, j = d * p - b * q, k = a * q - b * p;
    if (det > 1e-6 * a * d && j >= 0 && k >= 0) {
        one->jn = j / det;
        two->jn = k / det;
    } else if (a > DEAF && p > 0 && b * p >= a * q) {
        one->jn = p / a;
    } else if (d > DEAF && q > 0) {
        two->jn = q / d;
    }
}

// The turns start from the pushes without friction, so that friction on which the motion does not
// depend (of wheels that cannot slip sideways) stays 0. More than two points that bounce are left
// to the turns.
static void start(ib__ContactProblem *problem)
{
    bool bounces = false;
    for (int i = 0; i < problem->count; i++) {
        bounces |= problem->touches[i].wanted > 0;
        problem->touches[i].jn = problem->touches[i].jt = 0;
    }
    if (problem->count == 1 && problem->touches[0].knn > DEAF)
        problem->touches[0].jn =
            ib__larger(0, problem->touches[0].wanted - problem->touches[0].vn) /
            problem->touches[0].knn;
    if (problem->count == 2) start_two(problem);
    if (problem->count > 2 && !bounces)
        ib__contact_problem_solve_without_friction(problem);
    else
        renew(problem);
}

// ------------------------------------------------------------------------------------------- solve

static bool polish(ib__ContactProblem *problem)
{
    double jn[IB_WORLD_POINTS], jt[IB_WORLD_POINTS];
    for (int i = 0; i < problem->count; i++) {
        jn[i] = problem->touches[i].jn;
        jt[i] = problem->touches[i].jt;
    }
    solve_pattern(problem);
    if (is_solved(problem, ACCURATE)) return true;
    for (int i = 0; i < problem->count; i++) {
        problem->touches[i].jn = jn[i];
        problem->touches[i].jt = jt[i];
    }
    renew(problem);
    return false;
}

bool ib__contact_problem_solve(ib__ContactProblem *problem)
{
    static const int sweeps[] = {0, 2, 16, 64, 128};
    problem->speed = 0;
    for (int i = 0; i < problem->count; i++) {
        const ib__Touch *touch = &problem->touches[i];
        problem->speed = ib__larger(problem->speed, ib__larger(fabs(touch->vn), fabs(touch->vt)));
    }
    start(problem);
    if (problem->speed == 0 || is_solved(problem, ACCURATE)) return true;
    for (size_t round = 0; round < sizeof sweeps / sizeof *sweeps; round++) {
        double moved = INFINITY;
        for (int i = 0; i < sweeps[round] && moved > SETTLED * problem->speed; i++)
            moved = sweep(problem);
        if (polish(problem)) return true;
    }
    if (!solve_as_one(problem)) return false;
    return polish(problem) || is_solved(problem, ROUGH);
}

void ib__contact_problem_turn(ib__ContactProblem *problem, ib__Touch *touch, const ib__Row *tangent)
{
    const ib__Point *p = touch->point;
    touch->tangent = *tangent;
    touch->by_tangent = ib__row_change(tangent, p, problem->inverse_mass);
    touch->knt = ib__row_felt(&touch->normal, p, &touch->by_tangent, p);
    touch->ktt = ib__row_felt(&touch->tangent, p, &touch->by_tangent, p);
}

void ib__contact_problem_init(const ib__Point *points, int count, const double *inverse_mass,
                              int body_count, ib__ContactProblem *problem)
{
    problem->count = count;
    problem->inverse_mass = inverse_mass;
    problem->body_count = body_count;
    for (int i = 0; i < count; i++) {
        const ib__Point *p = &points[i];
        ib__Touch *touch = &problem->touches[i];
        touch->point = p;
        touch->normal = ib__point_row(p, p->nx, p->ny);
        touch->by_normal = ib__row_change(&touch->normal, p, inverse_mass);
        touch->knn = ib__row_felt(&touch->normal, p, &touch->by_normal, p);
        ib__Row tangent = ib__point_row(p, -p->ny, p->nx);
        ib__contact_problem_turn(problem, touch, &tangent);
    }
}

void ib__contact_problem_collect(const ib__ContactProblem *problem, ib_Push *pushes)
{
    for (int i = 0; i < problem->count; i++) {
        const ib__Touch *touch = &problem->touches[i];
        for (int side = 0; side < 2; side++) {
            int body = side ? touch->point->b.body : touch->point->a.body;
            if (body < 0) continue;
            const double *n = side ? touch->normal.b : touch->normal.a;
            const double *t = side ? touch->tangent.b : touch->tangent.a;
            pushes[body].x += touch->jn * n[0] + touch->jt * t[0];
            pushes[body].y += touch->jn * n[1] + touch->jt * t[1];
            pushes[body].turn += touch->jn * n[2] + touch->jt * t[2];
        }
    }
}
