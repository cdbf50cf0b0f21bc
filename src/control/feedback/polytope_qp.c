// control/feedback/polytope_qp.c: the rule of polytopes in up to six dimensions, as three small
// problems. Each is a least-squares problem with half-spaces as limits, and starts from the
// feasible point of the one before:
//   inside    min s^2          over  H q - s <= k    a point of the region, or there is none
//   nearest   min |N q - c|^2  over  H q <= k        as near to the affine set as can be
//   best      min |q - dot|^2  over  H q <= k and what is tight in `nearest`
// Symbols: N q = c is the affine set with orthonormal rows; E q = f stands for s = 0 or N q = c.
// A face is the set of half-spaces that hold as equations; u its orthonormal rows.
// [Nocedal, Wright, Numerical Optimization, 16.5]
#include "base/extreme.h"
#include "control/feedback/polytope_inside.h"

#include <float.h>
#include <stddef.h>

enum {
    AXES = IB_POLYTOPE_AXES + 1, ///< with the slack s of the first problem
    EXCHANGES = 500,             ///< of half-spaces; the most seen is 25
    SWEEPS = 30,                 ///< of rotations; the most needed is about 6
};

#define TOLERANCE IB_POLYTOPE_TOLERANCE

typedef struct Row {
    double a[AXES], b;
} Row;

typedef struct Problem {
    int axes;
    int sides;
    Row side[IB_POLYTOPE_SIDES]; ///< a q <= b
    int fixed;
    Row fix[2 * AXES]; ///< a q = b, always
    int rows;
    Row row[AXES]; ///< E q = f, as well as can be; rows = 0: q = goal
    double goal[AXES];
    double rounding; ///< least error of a distance
} Problem;

// Equations a_i q = b_i with a_i = sum_j r[i][j] u_j, so that u_j q = value_j.
typedef struct Face {
    int count;
    int side[AXES]; ///< number of the half-space; -1: one of `fix`
    double u[AXES][AXES], value[AXES];
    double r[AXES][AXES];
} Face;

static double inner(int n, const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

static void add_scaled(int n, double factor, const double *b, double *a)
{
    for (int i = 0; i < n; i++) a[i] += factor * b[i];
}

static double length(int n, const double *a)
{
    return sqrt(inner(n, a, a));
}

// ---------------------------------------------------------------------------------------- the face

// Removes the component of v along the face's rows; twice, since the first time leaves rounding
// errors as large as those of the removed part. The coefficients add up in r, which may be NULL.
static void project(int n, const Face *face, double *v, double *r)
{
    for (int pass = 0; pass < 2; pass++) {
        for (int j = 0; j < face->count; j++) {
            double share = inner(n, face->u[j], v);
            add_scaled(n, -share, face->u[j], v);
            if (r) r[j] += share;
        }
    }
}

// One equation more, by Gram and Schmidt. Returns false, and leaves it out,
// where it follows from the others.
static bool face_add(int n, Face *face, const Row *row, int side)
{
    int last = face->count;
    if (last == n) return false;
    double *u = face->u[last], *r = face->r[last];
    for (int i = 0; i < n; i++) u[i] = row->a[i];
    for (int j = 0; j < n; j++) r[j] = 0.0;
    project(n, face, u, r);
    double size = length(n, u);
    if (size <= TOLERANCE) return false;
    for (int i = 0; i < n; i++) u[i] /= size;
    r[last] = size;
    face->value[last] = (row->b - inner(last, r, face->value)) / size;
    face->side[last] = side;
    face->count++;
    return true;
}

// The face without its equation `which`; -1: with all.
static void face_drop(const Problem *problem, Face *face, int which)
{
    Face before = *face;
    face->count = 0;
    for (int i = 0; i < problem->fixed; i++) face_add(problem->axes, face, &problem->fix[i], -1);
    for (int j = 0; j < before.count; j++) {
        int side = before.side[j];
        if (side >= 0 && j != which) face_add(problem->axes, face, &problem->side[side], side);
    }
}

// ------------------------------------------------------------------------------------ the way down

// (x, y) <- (c x - s y, s x + c y)
static void rotate(double c, double s, double *x, double *y)
{
    double held = *x;
    *x = c * held - s * *y;
    *y = s * held + c * *y;
}

// Turns two columns, and the targets along each, until they are orthogonal. Returns false: they
// were.  [one-sided Jacobi; Golub, Van Loan, 8.6.3]
static bool turn_pair(int n, double *x, double *y, double *wanted_x, double *wanted_y)
{
    double xx = inner(n, x, x), yy = inner(n, y, y), xy = inner(n, x, y);
    if (fabs(xy) <= DBL_EPSILON * sqrt(xx * yy)) return false;
    double zeta = (yy - xx) / (2.0 * xy);
    double t = copysign(1.0, zeta) / (fabs(zeta) + sqrt(1.0 + zeta * zeta));
    double c = 1.0 / sqrt(1.0 + t * t), s = c * t;
    for (int i = 0; i < n; i++) rotate(c, s, &x[i], &y[i]);
    rotate(c, s, wanted_x, wanted_y);
    return true;
}

static void make_orthogonal(int n, int columns, double (*m)[AXES], double *wanted)
{
    bool turned = true;
    for (int sweep = 0; sweep < SWEEPS && turned; sweep++) {
        turned = false;
        for (int i = 0; i < columns; i++)
            for (int j = i + 1; j < columns; j++)
                if (turn_pair(n, m[i], m[j], &wanted[i], &wanted[j])) turned = true;
    }
}

// The shortest p along the face that minimises |E (q + p) - f|. With M = E P, P onto the face:
//   p = M^+ (f - E q),   by the singular values of M; those below TOLERANCE are parallels
// Returns how far f - E q is from zero.
static double way_to_rows(const Problem *problem, const Face *face, const double *q, double *p)
{
    int n = problem->axes;
    double m[AXES][AXES], wanted[AXES], square = 0.0;
    for (int j = 0; j < problem->rows; j++) {
        for (int i = 0; i < n; i++) m[j][i] = problem->row[j].a[i];
        project(n, face, m[j], NULL);
        wanted[j] = problem->row[j].b - inner(n, problem->row[j].a, q);
        square += wanted[j] * wanted[j];
    }
    make_orthogonal(n, problem->rows, m, wanted);
    for (int i = 0; i < n; i++) p[i] = 0.0;
    for (int j = 0; j < problem->rows; j++) {
        double sigma2 = inner(n, m[j], m[j]);
        if (sigma2 > TOLERANCE * TOLERANCE) add_scaled(n, wanted[j] / sigma2, m[j], p);
    }
    return sqrt(square);
}

// The step p from q, which is projected to the face first, to the lowest point of the face. Returns
// false if no gain is left: E q = f.
static bool way_down(const Problem *problem, const Face *face, double *q, double *p)
{
    int n = problem->axes;
    for (int j = 0; j < face->count; j++)
        add_scaled(n, face->value[j] - inner(n, face->u[j], q), face->u[j], q);
    double size = length(n, q), left = 1.0;
    if (problem->rows > 0) {
        left = way_to_rows(problem, face, q, p);
        for (int j = 0; j < problem->rows; j++) size += fabs(problem->row[j].b);
        if (left <= 4.0 * DBL_EPSILON * size) return false;
    } else {
        for (int i = 0; i < n; i++) p[i] = problem->goal[i] - q[i];
        size += length(n, problem->goal);
    }
    // A step of rounding errors alone has no direction.
    project(n, face, p, NULL);
    if (face->count == n || length(n, p) <= 4.0 * DBL_EPSILON * size)
        for (int i = 0; i < n; i++) p[i] = 0.0;
    return true;
}

// The part of p up to the first half-space: the lowest of
//   (b - a q)/(a p)   where a p > 0
// Among equals the one with the lowest number is taken, as everywhere here: this prevents cycles at
// points where many meet. [Bland 1977]  Returns its number, -1: all of p.
static int first_stop(const Problem *problem, const double *q, const double *p, double *share)
{
    int n = problem->axes, stop = -1;
    double size = length(n, p);
    *share = 1.0;
    for (int i = 0; i < problem->sides; i++) {
        const Row *side = &problem->side[i];
        double speed = inner(n, side->a, p);
        if (speed <= TOLERANCE * size) continue;
        double room = ib_max(side->b - inner(n, side->a, q), 0.0);
        if (room < *share * speed) {
            *share = room / speed;
            stop = i;
        }
    }
    return stop;
}

// Descent of the target, at the lowest point of the face, in the direction that leaves half-space j
// alone and along the others, away from the region: e_j = sum_i x_i u_i with r x = (0 .. 1 .. 0),
//   push_j = -g e_j/|e_j|,   g: the slope of the target
// Positive: the half-space holds q back. As a sine it has the same error for any sharpness of the
// corner. Returns the size of g.
static double pushes(const Problem *problem, const Face *face, const double *q, double *push)
{
    int n = problem->axes;
    double g[AXES] = {0}, along[AXES], x[AXES];
    for (int j = 0; j < problem->rows; j++)
        add_scaled(n, inner(n, problem->row[j].a, q) - problem->row[j].b, problem->row[j].a, g);
    for (int i = 0; i < n && problem->rows == 0; i++) g[i] = q[i] - problem->goal[i];
    for (int j = 0; j < face->count; j++) along[j] = inner(n, g, face->u[j]);
    for (int j = 0; j < face->count; j++) {
        for (int i = 0; i < face->count; i++)
            x[i] = ((i == j ? 1.0 : 0.0) - inner(i, face->r[i], x)) / face->r[i][i];
        push[j] = -inner(face->count, along, x) / length(face->count, x);
    }
    return length(n, g);
}

// The half-space of the face with the lowest number that pulls instead of pushing; -1: none.
static int first_pull(const Face *face, const double *push, double slope)
{
    int which = -1;
    for (int j = 0; j < face->count; j++) {
        if (face->side[j] < 0 || push[j] >= -TOLERANCE * slope) continue;
        if (which < 0 || face->side[j] < face->side[which]) which = j;
    }
    return which;
}

// The lowest point, from the feasible point q. `tight`: half-spaces that push at the end: all
// lowest points lie on those.
static bool descend(const Problem *problem, double *q, bool *tight)
{
    Face face = {0};
    double p[AXES], push[AXES], share;
    for (int i = 0; i < problem->sides; i++) tight[i] = false;
    face_drop(problem, &face, -1);
    for (int exchange = 0; exchange < EXCHANGES; exchange++) {
        if (!way_down(problem, &face, q, p)) return true;
        int stop = first_stop(problem, q, p, &share);
        add_scaled(problem->axes, share, p, q);
        if (stop >= 0) {
            face_add(problem->axes, &face, &problem->side[stop], stop);
            continue;
        }
        double slope = pushes(problem, &face, q, push);
        int which = first_pull(&face, push, slope);
        if (which >= 0) {
            face_drop(problem, &face, which);
            continue;
        }
        for (int j = 0; j < face.count; j++)
            if (face.side[j] >= 0) tight[face.side[j]] = push[j] > TOLERANCE * slope;
        return true;
    }
    return false;
}

// ------------------------------------------------------------------------------ the three problems

static bool is_inside(const Problem *problem, const double *q)
{
    double reach = length(problem->axes, q);
    for (int i = 0; i < problem->sides; i++) {
        const Row *side = &problem->side[i];
        double over = inner(problem->axes, side->a, q) - side->b;
        if (over > TOLERANCE * (reach + fabs(side->b)) + problem->rounding) return false;
    }
    return true;
}

// q: a point of the region, near the origin.
static ib_PolytopeOutcome find_inside(const Problem *region, double *q)
{
    Problem problem = *region;
    bool tight[IB_POLYTOPE_SIDES];
    int s = problem.axes++;
    for (int i = 0; i <= s; i++) q[i] = 0.0;
    for (int i = 0; i < problem.sides; i++) {
        problem.side[i].a[s] = -1.0;
        q[s] = ib_max(q[s], -problem.side[i].b);
    }
    if (q[s] == 0.0) return IB_POLYTOPE_OK;
    problem.rows = 1;
    problem.row[0] = (Row){0};
    problem.row[0].a[s] = 1.0;
    if (!descend(&problem, q, tight)) return IB_POLYTOPE_UNSOLVED;
    return is_inside(region, q) ? IB_POLYTOPE_OK : IB_POLYTOPE_EMPTY;
}

// q: of the region's points nearest to the affine set the one nearest to the dot;
// from any point of the region.
static ib_PolytopeOutcome find_best(const Problem *region, const double *dot, double *q)
{
    Problem problem = *region;
    int n = problem.axes;
    bool tight[IB_POLYTOPE_SIDES];
    double off = 0.0, size = length(n, q);
    if (problem.rows > 0 && !descend(&problem, q, tight)) return IB_POLYTOPE_UNSOLVED;
    for (int j = 0; j < problem.rows; j++) {
        off = ib_max(off, fabs(inner(n, problem.row[j].a, q) - problem.row[j].b));
        size = ib_max(size, fabs(problem.row[j].b));
    }
    bool met = off <= TOLERANCE * ib_max(size, length(n, q)) + problem.rounding;

    // Nearest points all have the same N q and lie on the half-spaces that push.
    for (int i = 0; i < problem.sides && !met; i++)
        if (tight[i] && problem.fixed < AXES) problem.fix[problem.fixed++] = problem.side[i];
    for (int j = 0; j < problem.rows; j++) {
        Row *fix = &problem.fix[problem.fixed++];
        *fix = problem.row[j];
        if (!met) fix->b = inner(n, fix->a, q);
    }
    problem.rows = 0;
    for (int i = 0; i < n; i++) problem.goal[i] = dot[i];
    if (!descend(&problem, q, tight)) return IB_POLYTOPE_UNSOLVED;
    return met ? IB_POLYTOPE_OK : IB_POLYTOPE_OFF_LINE;
}

// ----------------------------------------------------------------------------------------- reading

static ib_PolytopeOutcome read_region(int sides, const double *H, const double *k, Problem *problem)
{
    for (int i = 0; i < sides; i++) {
        Row *next = &problem->side[problem->sides];
        ib_PolytopeOutcome outcome =
            ib__polytope_side(problem->axes, &H[problem->axes * i], k[i], next->a, &next->b);
        if (outcome == IB_POLYTOPE_OFF_LINE) continue;
        if (outcome != IB_POLYTOPE_OK) return outcome;
        problem->rounding = ib_max(problem->rounding, IB__POLYTOPE_ROUNDING * fabs(next->b));
        problem->sides++;
    }
    return IB_POLYTOPE_OK;
}

// K q = w with orthonormal rows. A row that follows from the others must agree with them.
static ib_PolytopeOutcome read_affine(int rows, const double *K, const double *w, Problem *problem)
{
    int n = problem->axes;
    Face face = {0};
    if (!ib__polytope_finite(rows * n, K) || !ib__polytope_finite(rows, w))
        return IB_POLYTOPE_NOT_FINITE;
    for (int i = 0; i < rows; i++) {
        Row row = {0};
        if (!ib__polytope_unit(n, &K[i * n], w[i], row.a, &row.b)) return IB_POLYTOPE_NO_LINE;
        if (!ib__polytope_finite(1, &row.b)) return IB_POLYTOPE_NOT_FINITE;
        if (face_add(n, &face, &row, i)) continue;
        double miss = row.b, gives = fabs(row.b);
        for (int j = 0; j < face.count; j++) {
            double share = inner(n, face.u[j], row.a);
            miss -= share * face.value[j];
            gives += fabs(share * face.value[j]);
        }
        if (fabs(miss) > TOLERANCE * gives) return IB_POLYTOPE_NO_LINE;
    }
    problem->rows = face.count;
    for (int j = 0; j < face.count; j++) {
        for (int i = 0; i < n; i++) problem->row[j].a[i] = face.u[j][i];
        problem->row[j].b = face.value[j];
    }
    return IB_POLYTOPE_OK;
}

ib_PolytopeOutcome ib_polytope_coerce(int axes, int sides, const double *H, const double *k,
                                      int rows, const double *K, const double *w, const double *dot,
                                      double *answer)
{
    Problem region = {.axes = axes};
    double q[AXES];
    if (axes < 1 || axes > IB_POLYTOPE_AXES || sides < 0 || sides > IB_POLYTOPE_SIDES || rows < 0 ||
        rows > axes)
        return IB_POLYTOPE_TOO_LARGE;
    ib_PolytopeOutcome outcome = read_region(sides, H, k, &region);
    if (outcome == IB_POLYTOPE_OK) outcome = read_affine(rows, K, w, &region);
    if (outcome == IB_POLYTOPE_OK && !ib__polytope_finite(axes, dot))
        outcome = IB_POLYTOPE_NOT_FINITE;
    if (outcome == IB_POLYTOPE_OK) outcome = find_inside(&region, q);
    if (outcome == IB_POLYTOPE_OK) outcome = find_best(&region, dot, q);
    if (outcome > IB_POLYTOPE_OFF_LINE) return outcome;
    for (int i = 0; i < axes; i++) answer[i] = q[i];
    return outcome;
}
