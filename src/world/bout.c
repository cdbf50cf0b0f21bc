// world/bout.c: first as if nothing had friction, which often is all there is to it. Then the
// points in turn, each exactly, until little changes; then all together for the pattern found
// (open, sticking, sliding), which removes what the turns left. Where the turns go round in
// circles, as one linear complementarity problem.
#include "world/bout.h"

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

static double felt(const ib__Bout *bout, const ib__Point *point, const ib__Row *row)
{
    const double *a = bout->change[point->a.body];
    double sum = row->a[0] * a[0] + row->a[1] * a[1] + row->a[2] * a[2];
    if (point->b.body < 0) return sum;
    const double *b = bout->change[point->b.body];
    return sum + (row->b[0] * b[0] + row->b[1] * b[1] + row->b[2] * b[2]);
}

static void add(double *change, const double *unit, double size)
{
    for (int i = 0; i < 3; i++) change[i] += size * unit[i];
}

static void push(ib__Bout *bout, ib__Hit *hit, double jn, double jt)
{
    int a = hit->point->a.body, b = hit->point->b.body;
    add(bout->change[a], hit->by_normal.a, jn);
    add(bout->change[a], hit->by_tangent.a, jt);
    hit->jn += jn;
    hit->jt += jt;
    if (b < 0) return;
    add(bout->change[b], hit->by_normal.b, jn);
    add(bout->change[b], hit->by_tangent.b, jt);
}

// Starts the changes anew from the impulses, so that rounding does not gather.
static void renew(ib__Bout *bout)
{
    memset(bout->change, 0, (size_t)bout->body_count * sizeof *bout->change);
    for (int i = 0; i < bout->count; i++) {
        ib__Hit *hit = &bout->hits[i];
        double jn = hit->jn, jt = hit->jt;
        hit->jn = hit->jt = 0;
        push(bout, hit, jn, jt);
    }
}

double ib__bout_normal_after(const ib__Bout *bout, const ib__Hit *hit)
{
    return hit->vn + felt(bout, hit->point, &hit->normal);
}

double ib__bout_tangent_after(const ib__Bout *bout, const ib__Hit *hit)
{
    return hit->vt + felt(bout, hit->point, &hit->tangent);
}

// ----------------------------------------------------------------------------------- one at a time

// Full friction in the direction `sign`:  (knn + sign mu knt) jn = need.  True when the sliding
// that is left goes the other way.
static bool slides(const ib__Hit *hit, double need, double vt, double sign, double *jn, double *jt)
{
    double mu = hit->point->friction, k = hit->knn + sign * mu * hit->knt;
    if (!(k > DEAF * 1e-3)) return false;
    *jn = need / k;
    *jt = sign * mu * *jn;
    return sign * (vt + hit->knt * *jn + hit->ktt * *jt) <= 0;
}

// The impulse of one point, the others given: vn, vt are its velocities without its own impulse.
static void solve_point(const ib__Hit *hit, double vn, double vt, double *jn, double *jt)
{
    double need = hit->wanted - vn, mu = hit->point->friction;
    *jn = *jt = 0;
    if (!(need > 0) || !(hit->knn > DEAF)) return;
    if (mu > 0 && hit->ktt > DEAF) {
        // Sticking: K j = (need, -vt).
        double det = hit->knn * hit->ktt - hit->knt * hit->knt;
        double n = (hit->ktt * need + hit->knt * vt) / det;
        double t = (-hit->knt * need - hit->knn * vt) / det;
        bool sticks = det > 1e-12 * hit->knn * hit->ktt && n >= 0 && fabs(t) <= mu * n;
        *jn = n;
        *jt = t;
        if (sticks) return;
        double first = vt > 0 ? -1 : 1;
        if (slides(hit, need, vt, first, jn, jt) || slides(hit, need, vt, -first, jn, jt)) return;
    }
    *jn = need / hit->knn;
    *jt = 0;
}

// Largest change of a relative speed.
static double sweep(ib__Bout *bout)
{
    double most = 0;
    for (int i = 0; i < bout->count; i++) {
        ib__Hit *hit = &bout->hits[i];
        double jn, jt;
        double vn = ib__bout_normal_after(bout, hit) - hit->knn * hit->jn - hit->knt * hit->jt;
        double vt = ib__bout_tangent_after(bout, hit) - hit->knt * hit->jn - hit->ktt * hit->jt;
        solve_point(hit, vn, vt, &jn, &jt);
        double dn = jn - hit->jn, dt = jt - hit->jt;
        push(bout, hit, dn, dt);
        most = ib__larger(most, ib__larger(fabs(dn) * hit->knn, fabs(dt) * hit->ktt));
    }
    return most;
}

// ------------------------------------------------------------------------------------ all together

// One unknown impulse: along the normal (with the full friction where it slides) or the tangent.
typedef struct Unknown {
    int hit;
    bool tangent;
    double share; ///< of jt in jn, where it slides
} Unknown;

static int unknowns_of(const ib__Bout *bout, Unknown *unknowns)
{
    int count = 0;
    for (int i = 0; i < bout->count; i++) {
        const ib__Hit *hit = &bout->hits[i];
        if (!(hit->jn > 0)) continue;
        double limit = hit->point->friction * hit->jn;
        bool full = limit > 0 && fabs(hit->jt) >= limit * (1 - 1e-9);
        bool sticks = limit > 0 && hit->ktt > DEAF && !full;
        unknowns[count++] = (Unknown){i, false, full ? copysign(hit->point->friction, hit->jt) : 0};
        if (sticks) unknowns[count++] = (Unknown){i, true, 0};
    }
    return count;
}

// What the unknown pushes along.
static ib__Row unknown_row(const ib__Bout *bout, const Unknown *unknown)
{
    const ib__Hit *hit = &bout->hits[unknown->hit];
    if (unknown->tangent) return hit->tangent;
    ib__Row row = hit->normal;
    for (int i = 0; i < 3; i++) {
        row.a[i] += unknown->share * hit->tangent.a[i];
        row.b[i] += unknown->share * hit->tangent.b[i];
    }
    return row;
}

// The answers of all unknowns to each other. A little more on the diagonal leads, where points
// share a load that fewer could carry, to the solution nearest to the one at hand.
static void fill_answers(const ib__Bout *bout, const Unknown *unknowns, int n, double *A)
{
    for (int k = 0; k < n; k++) {
        const ib__Point *of = bout->hits[unknowns[k].hit].point;
        ib__Row cause = unknown_row(bout, &unknowns[k]);
        ib__Row change = ib__row_change(&cause, of, bout->inverse_mass);
        for (int i = 0; i < n; i++) {
            const ib__Hit *hit = &bout->hits[unknowns[i].hit];
            const ib__Row *row = unknowns[i].tangent ? &hit->tangent : &hit->normal;
            A[i * n + k] = ib__row_felt(row, hit->point, &change, of);
        }
    }
    for (int i = 0; i < n; i++) {
        const ib__Hit *hit = &bout->hits[unknowns[i].hit];
        A[i * n + i] += NEARNESS * (unknowns[i].tangent ? hit->ktt : hit->knn);
    }
}

// What is left to do for each unknown; the largest.
static double missing(const ib__Bout *bout, const Unknown *unknowns, int n, double *b)
{
    double most = 0;
    for (int i = 0; i < n; i++) {
        const ib__Hit *hit = &bout->hits[unknowns[i].hit];
        b[i] = unknowns[i].tangent ? -ib__bout_tangent_after(bout, hit)
                                   : hit->wanted - ib__bout_normal_after(bout, hit);
        most = ib__larger(most, fabs(b[i]));
    }
    return most;
}

static void solve_pattern(ib__Bout *bout)
{
    Unknown unknowns[IB__UNKNOWNS];
    double A[IB__UNKNOWNS * IB__UNKNOWNS], b[IB__UNKNOWNS];
    ib__Order order;
    int n = unknowns_of(bout, unknowns);
    for (int i = 0; i < n; i++) {
        ib__Hit *hit = &bout->hits[unknowns[i].hit];
        if (unknowns[i].share != 0) hit->jt = unknowns[i].share * hit->jn;
    }
    renew(bout);
    for (int pass = 0; pass < PASSES; pass++) {
        if (missing(bout, unknowns, n, b) <= ACCURATE / 50 * bout->speed) return;
        if (pass == 0) fill_answers(bout, unknowns, n, A);
        if (pass == 0) ib__linear_factor(n, n, A, &order);
        ib__linear_apply(n, n, A, &order, b);
        for (int i = 0; i < n; i++) {
            ib__Hit *hit = &bout->hits[unknowns[i].hit];
            bool tangent = unknowns[i].tangent;
            push(bout, hit, tangent ? 0 : b[i], tangent ? b[i] : b[i] * unknowns[i].share);
        }
        renew(bout);
    }
}

// Does every point keep the law, but for rounding?
static bool is_solved(const ib__Bout *bout, double accuracy)
{
    double allowed = accuracy * bout->speed;
    for (int i = 0; i < bout->count; i++) {
        const ib__Hit *hit = &bout->hits[i];
        if (!(hit->knn > DEAF)) continue;
        if (!(hit->jn * hit->knn < WEDGED * bout->speed)) return false;
        double vn = ib__bout_normal_after(bout, hit) - hit->wanted,
               vt = ib__bout_tangent_after(bout, hit);
        double mu = hit->point->friction, spare = mu * hit->jn - fabs(hit->jt);
        if (vn < -allowed || hit->jn * hit->knn < -allowed) return false;
        if (vn > allowed && hit->jn * hit->knn > allowed) return false;
        if (spare * hit->ktt < -allowed) return false;
        bool slips = fabs(vt) > allowed && hit->ktt > DEAF && mu > 0;
        if (slips && (spare * hit->ktt > allowed || hit->jt * vt > 0)) return false;
    }
    return true;
}

// ------------------------------------------------------------------------------------ if all fails

// Turns may go round in circles where friction wedges a body in. The same law as one linear
// complementarity problem, which has a solution:
// for each point jn, jt = jp - jm and the speed s of sliding,
//   0 <= jn _|_ vn+ - wanted,   0 <= jp _|_ s + vt+,   0 <= jm _|_ s - vt+,   0
//   <= s _|_ mu jn - jp
//   - jm
static bool solve_as_one(ib__Bout *bout)
{
    enum { PARTS = 4, POINTS = IB__LEMKE_MOST / PARTS };
    double M[IB__LEMKE_MOST * IB__LEMKE_MOST], q[IB__LEMKE_MOST], z[IB__LEMKE_MOST], scale = 0;
    int count = bout->count, n = PARTS * count;
    if (count < 1 || count > POINTS) return false;
    for (int i = 0; i < count; i++) scale = ib__larger(scale, bout->hits[i].knn);
    memset(M, 0, sizeof M);
    for (int i = 0; i < count; i++) {
        const ib__Hit *hit = &bout->hits[i];
        const ib__Row *rows[2] = {&hit->normal, &hit->tangent};
        double *at = M + PARTS * i * n;
        for (int k = 0; k < count; k++) {
            const ib__Hit *cause = &bout->hits[k];
            const ib__Row *causes[2] = {&cause->normal, &cause->tangent};
            double K[2][2];
            for (int r = 0; r < 2; r++)
                for (int c = 0; c < 2; c++)
                    K[r][c] = ib__row_answer(rows[r], hit->point, causes[c], cause->point,
                                             bout->inverse_mass) /
                              scale;
            for (int r = 0; r < 3; r++)
                for (int c = 0; c < 3; c++)
                    at[r * n + PARTS * k + c] =
                        (r == 2 ? -1 : 1) * (c == 2 ? -1 : 1) * K[r > 0][c > 0];
        }
        at[n + PARTS * i + 3] = at[2 * n + PARTS * i + 3] = 1;
        at[3 * n + PARTS * i] = hit->point->friction;
        at[3 * n + PARTS * i + 1] = at[3 * n + PARTS * i + 2] = -1;
        q[PARTS * i] = (hit->vn - hit->wanted) / bout->speed;
        q[PARTS * i + 1] = hit->vt / bout->speed;
        q[PARTS * i + 2] = -hit->vt / bout->speed;
        q[PARTS * i + 3] = 0;
    }
    if (!ib__lemke(n, M, q, z)) return false;
    for (int i = 0; i < count; i++) {
        bout->hits[i].jn = z[PARTS * i] * bout->speed / scale;
        bout->hits[i].jt = (z[PARTS * i + 1] - z[PARTS * i + 2]) * bout->speed / scale;
    }
    renew(bout);
    return true;
}

void ib__bout_solve_without_friction(ib__Bout *bout)
{
    double M[IB_WORLD_POINTS * IB_WORLD_POINTS], q[IB_WORLD_POINTS], z[IB_WORLD_POINTS];
    int rows[IB_WORLD_POINTS], n = 0;
    for (int i = 0; i < bout->count; i++) {
        bout->hits[i].jn = bout->hits[i].jt = 0;
        if (bout->hits[i].knn > DEAF) rows[n++] = i;
    }
    for (int k = 0; k < n; k++) {
        const ib__Hit *cause = &bout->hits[rows[k]];
        q[k] = cause->vn - cause->wanted;
        for (int i = 0; i < n; i++)
            M[i * n + k] = ib__row_felt(&bout->hits[rows[i]].normal, bout->hits[rows[i]].point,
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
    for (int i = 0; i < n; i++) bout->hits[rows[i]].jn = z[i];
    renew(bout);
}

// ------------------------------------------------------------------------------------------- start

// The pushes of two points without friction:  K jn >= need,  jn >= 0. By cases: both, one, none.
static void start_two(ib__Bout *bout)
{
    ib__Hit *one = &bout->hits[0], *two = &bout->hits[1];
    double a = one->knn, d = two->knn, p = one->wanted - one->vn, q = two->wanted - two->vn;
    double b =
        ib__row_answer(&one->normal, one->point, &two->normal, two->point, bout->inverse_mass);
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
static void start(ib__Bout *bout)
{
    bool bounces = false;
    for (int i = 0; i < bout->count; i++) {
        bounces |= bout->hits[i].wanted > 0;
        bout->hits[i].jn = bout->hits[i].jt = 0;
    }
    if (bout->count == 1 && bout->hits[0].knn > DEAF)
        bout->hits[0].jn =
            ib__larger(0, bout->hits[0].wanted - bout->hits[0].vn) / bout->hits[0].knn;
    if (bout->count == 2) start_two(bout);
    if (bout->count > 2 && !bounces)
        ib__bout_solve_without_friction(bout);
    else
        renew(bout);
}

// ------------------------------------------------------------------------------------------- solve

static bool polish(ib__Bout *bout)
{
    double jn[IB_WORLD_POINTS], jt[IB_WORLD_POINTS];
    for (int i = 0; i < bout->count; i++) {
        jn[i] = bout->hits[i].jn;
        jt[i] = bout->hits[i].jt;
    }
    solve_pattern(bout);
    if (is_solved(bout, ACCURATE)) return true;
    for (int i = 0; i < bout->count; i++) {
        bout->hits[i].jn = jn[i];
        bout->hits[i].jt = jt[i];
    }
    renew(bout);
    return false;
}

bool ib__bout_solve(ib__Bout *bout)
{
    static const int sweeps[] = {0, 2, 16, 64, 128};
    bout->speed = 0;
    for (int i = 0; i < bout->count; i++) {
        const ib__Hit *hit = &bout->hits[i];
        bout->speed = ib__larger(bout->speed, ib__larger(fabs(hit->vn), fabs(hit->vt)));
    }
    start(bout);
    if (bout->speed == 0 || is_solved(bout, ACCURATE)) return true;
    for (size_t round = 0; round < sizeof sweeps / sizeof *sweeps; round++) {
        double moved = INFINITY;
        for (int i = 0; i < sweeps[round] && moved > SETTLED * bout->speed; i++)
            moved = sweep(bout);
        if (polish(bout)) return true;
    }
    if (!solve_as_one(bout)) return false;
    return polish(bout) || is_solved(bout, ROUGH);
}

void ib__bout_turn(ib__Bout *bout, ib__Hit *hit, const ib__Row *tangent)
{
    const ib__Point *p = hit->point;
    hit->tangent = *tangent;
    hit->by_tangent = ib__row_change(tangent, p, bout->inverse_mass);
    hit->knt = ib__row_felt(&hit->normal, p, &hit->by_tangent, p);
    hit->ktt = ib__row_felt(&hit->tangent, p, &hit->by_tangent, p);
}

void ib__bout_init(const ib__Point *points, int count, const double *inverse_mass, int body_count,
                   ib__Bout *bout)
{
    bout->count = count;
    bout->inverse_mass = inverse_mass;
    bout->body_count = body_count;
    for (int i = 0; i < count; i++) {
        const ib__Point *p = &points[i];
        ib__Hit *hit = &bout->hits[i];
        hit->point = p;
        hit->normal = ib__point_row(p, p->nx, p->ny);
        hit->by_normal = ib__row_change(&hit->normal, p, inverse_mass);
        hit->knn = ib__row_felt(&hit->normal, p, &hit->by_normal, p);
        ib__Row tangent = ib__point_row(p, -p->ny, p->nx);
        ib__bout_turn(bout, hit, &tangent);
    }
}

void ib__bout_collect(const ib__Bout *bout, ib_Push *pushes)
{
    for (int i = 0; i < bout->count; i++) {
        const ib__Hit *hit = &bout->hits[i];
        for (int side = 0; side < 2; side++) {
            int body = side ? hit->point->b.body : hit->point->a.body;
            if (body < 0) continue;
            const double *n = side ? hit->normal.b : hit->normal.a;
            const double *t = side ? hit->tangent.b : hit->tangent.a;
            pushes[body].x += hit->jn * n[0] + hit->jt * t[0];
            pushes[body].y += hit->jn * n[1] + hit->jt * t[1];
            pushes[body].turn += hit->jn * n[2] + hit->jt * t[2];
        }
    }
}
