// plant/wheel/weight.c: loads of any number of points, without lag. See the header.
//
// Symbols: c centre of pressure, m mean of the points that carry, n their number,
// k force over load.
#include "plant/wheel/weight.h"

#include "base/status.h"

#include <math.h>
#include <stdbool.h>

typedef struct Points {
    int count;
    const double *x, *y, *kx, *ky;
    bool carries[IB_MAX_POINTS];
} Points;

// The points that carry, as far as loads need them.
typedef struct Stand {
    double share;         // 1/n
    double mx, my;        // m [m]
    double kx, ky;        // mean of k
    double pxx, pxy, pyy; // P: inverse of the sum of (p - m) (p - m)^T [1/m^2]
    double sxx, sxy;      // sum of kx (p - m) [m]
    double syx, syy;      // sum of ky (p - m)
    bool line;            // they stand on one line, or at one place
} Stand;

// P of the plane of least squares. Points on a line leave the tilt across it open: none is taken.
static void invert(double cxx, double cxy, double cyy, Stand *s)
{
    double det = cxx * cyy - cxy * cxy, trace = cxx + cyy;
    s->line = !(det > 1e-10 * trace * trace);
    double per = s->line ? (trace > 0 ? 1 / (trace * trace) : 0) : 1 / det;
    s->pxx = (s->line ? cxx : cyy) * per;
    s->pxy = (s->line ? cxy : -cxy) * per;
    s->pyy = (s->line ? cyy : cxx) * per;
}

static Stand stand_on(const Points *p)
{
    Stand s = {0};
    double n = 0, cxx = 0, cxy = 0, cyy = 0;
    for (int i = 0; i < p->count; i++) {
        if (!p->carries[i]) continue;
        n += 1;
        s.mx += p->x[i];
        s.my += p->y[i];
        s.kx += p->kx ? p->kx[i] : 0;
        s.ky += p->ky ? p->ky[i] : 0;
    }
    s.share = 1 / n;
    s.mx *= s.share;
    s.my *= s.share;
    s.kx *= s.share;
    s.ky *= s.share;
    for (int i = 0; i < p->count; i++) {
        if (!p->carries[i]) continue;
        double x = p->x[i] - s.mx, y = p->y[i] - s.my;
        double kx = p->kx ? p->kx[i] : 0, ky = p->ky ? p->ky[i] : 0;
        cxx += x * x;
        cxy += x * y;
        cyy += y * y;
        s.sxx += kx * x;
        s.sxy += kx * y;
        s.syx += ky * x;
        s.syy += ky * y;
    }
    invert(cxx, cxy, cyy, &s);
    return s;
}

// The tilt T of the plane, Fz/weight = 1/n + (p - m) . T, for a centre of mass at m + (gx, gy).
// With T = P (c - m) and the centre of pressure moved by the forces of these loads,
//   c - m = g - h (k_mean + S T)   ->   (1 + h S P) (c - m) = g - h k_mean
// A robot that would tip before it slides has a determinant near zero, which is bounded below; its
// loads end at the edge anyway. (gx, gy) has h k_mean taken off already.
static void tilt(const Stand *s, double h, double gx, double gy, double *tx, double *ty)
{
    double xx = 1 + h * (s->sxx * s->pxx + s->sxy * s->pxy);
    double xy = h * (s->sxx * s->pxy + s->sxy * s->pyy);
    double yx = h * (s->syx * s->pxx + s->syy * s->pxy);
    double yy = 1 + h * (s->syx * s->pxy + s->syy * s->pyy);
    double det = xx * yy - xy * yx, per = 1 / (det > 0.1 ? det : 0.1);
    double cx = (gx * yy - gy * xy) * per, cy = (xx * gy - yx * gx) * per;
    *tx = s->pxx * cx + s->pxy * cy;
    *ty = s->pxy * cx + s->pyy * cy;
}

// A line of loads over the way of the centre of mass, t = 0 .. 1.
typedef struct Way {
    double at_start, slope; // of Fz/weight
} Way;

// The centre of mass moves from the place of equal loads, start, to its own:
//   g(t) = start + t (goal - start) - m - h k_mean
static void ways(const Points *p, const Stand *s, const ib_Weight *w, const Stand *all, Way *way)
{
    double h = w->height, start_x = all->mx + h * all->kx, start_y = all->my + h * all->ky;
    double tx, ty, slope_x, slope_y;
    tilt(s, h, start_x - s->mx - h * s->kx, start_y - s->my - h * s->ky, &tx, &ty);
    tilt(s, h, w->x - start_x, w->y - start_y, &slope_x, &slope_y);
    for (int i = 0; i < p->count; i++) {
        double x = p->x[i] - s->mx, y = p->y[i] - s->my;
        way[i] = (Way){s->share + (x * tx + y * ty), x * slope_x + y * slope_y};
    }
}

// The first point that lifts off or comes down before t = 1, or -1; *when: then.
static int next_change(const Points *p, const Way *way, bool may_return, double *when)
{
    int change = -1;
    *when = 1;
    for (int i = 0; i < p->count; i++) {
        double end = way[i].at_start + way[i].slope;
        bool changes = p->carries[i] ? end < 0 : may_return && end > 0 && way[i].slope > 0;
        if (!changes) continue;
        // A negative load that would still fall is a jump of the bound in tilt(): its point lifts
        // off at once.
        double zero = p->carries[i] && !(way[i].slope < 0) ? 0 : -way[i].at_start / way[i].slope;
        if (!(zero < *when)) continue;
        *when = zero;
        change = i;
    }
    return change;
}

// The carrying points are on a line since point `out` has lifted off. The robot then turns about
// that line, away from `out`, until the first of the points over there comes down; -1: there is
// none, it tips.
static int first_down(const Points *p, const Stand *s, const Way *way, int out, double when)
{
    // The line's direction is the longer column of P; its normal points away from `out`.
    bool along_x = s->pxx > s->pyy;
    double nx = along_x ? -s->pxy : -s->pyy, ny = along_x ? s->pxx : s->pxy;
    double side = (p->x[out] - s->mx) * nx + (p->y[out] - s->my) * ny, least = 0;
    int down = -1;
    for (int i = 0; i < p->count; i++) {
        double away = (p->x[i] - s->mx) * nx + (p->y[i] - s->my) * ny;
        if (p->carries[i] || !(away * side < 0)) continue;
        double turn = -(way[i].at_start + way[i].slope * when) / fabs(away);
        if (down >= 0 && !(turn < least)) continue;
        least = turn;
        down = i;
    }
    return down;
}

// Loads are linear on the way as long as the same points carry: from one change to the next it ends
// at the goal. (To take out those that pull, all at once or the worst one first, is shorter and can
// end with the wrong ones where some stand amid the others.) After 2 n changes nothing comes down
// any more, so that n more are the last; one point alone carries all.
void ib_weight_loads(const ib_Weight *weight, int count, const double *x, const double *y,
                     const double *kx, const double *ky, double *load)
{
    IB_ASSERT(count > 0 && count <= IB_MAX_POINTS);
    Points points = {.count = count, .x = x, .y = y, .kx = kx, .ky = ky};
    Way way[IB_MAX_POINTS];
    for (int i = 0; i < count; i++) points.carries[i] = true;
    Stand all = stand_on(&points), stand = all;
    for (int round = 0; round < 3 * count; round++) {
        bool may_return = round < 2 * count && !stand.line;
        double when;
        ways(&points, &stand, weight, &all, way);
        int change = next_change(&points, way, may_return, &when);
        if (change < 0) break;
        points.carries[change] = !points.carries[change];
        stand = stand_on(&points);
        int down = may_return && stand.line ? first_down(&points, &stand, way, change, when) : -1;
        if (down < 0) continue;
        points.carries[down] = true;
        stand = stand_on(&points);
    }
    for (int i = 0; i < count; i++) {
        double part = way[i].at_start + way[i].slope;
        load[i] = points.carries[i] && part > 0 ? weight->force * part : 0;
    }
}
