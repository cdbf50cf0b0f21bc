#include "control/path/blend.h"

#include "base/extreme.h"

#include <math.h>
#include <stdbool.h>

enum { PANELS = 128, NEWTON_STEPS = 12 };

#define SHORTEST 5e-3   ///< least length of a blend [m]
#define CHORD    1.2e-3 ///< largest deviation of a braking line from the last arc [m]
#define SHIFT    5e-4   ///< largest shift of the path by blends [m]

// The root of the curvature over a blend, x = 0 .. 1, from rho to 1 (rho = root before/root after,
// -1 <= rho < 1):
//   w = p + (rho + (1 - rho) S(x) - p)(1 + c x^3 (1 - x)^3),   S = x^3 (10 - 15 x + 6 x^2)
// with the pivot p = max(rho, 0), so that the hump c never carries a root across zero.
static double root(double rho, double hump, double x)
{
    double s = x * x * x * (10 + x * (6 * x - 15)), y = x * (1 - x);
    double pivot = ib_max(rho, 0);
    return pivot + (rho + (1 - rho) * s - pivot) * (1 + hump * y * y * y);
}

// Errors of the blend in turn and in its first moment, for a jump at x0:
//   integral of k - k_drawn,   integral of x (k - k_drawn)
static void misses(double rho, double hump, double x0, double *turn, double *moment)
{
    double before = rho * fabs(rho);
    *turn = -(before * x0 + 1 - x0);
    *moment = -0.5 * (before * x0 * x0 + 1 - x0 * x0);
    for (int i = 0; i <= PANELS; i++) {
        double x = (double)i / PANELS, w = root(rho, hump, x);
        double weight = (i == 0 || i == PANELS ? 1 : i % 2 ? 4 : 2) / (3.0 * PANELS);
        *turn += weight * w * fabs(w);
        *moment += weight * w * fabs(w) * x;
    }
}

// Newton's method for the hump and the place of the jump; converges in 5 steps for every rho.
static void shape(double rho, double *hump, double *x0)
{
    *hump = 25;
    *x0 = 0.45;
    for (int n = 0; n < NEWTON_STEPS; n++) {
        double t, m, th, mh, tx, mx;
        misses(rho, *hump, *x0, &t, &m);
        misses(rho, *hump + 1e-4, *x0, &th, &mh);
        misses(rho, *hump, *x0 + 1e-6, &tx, &mx);
        th = (th - t) / 1e-4, mh = (mh - m) / 1e-4;
        tx = (tx - t) / 1e-6, mx = (mx - m) / 1e-6;
        double det = th * mx - tx * mh;
        if (det == 0) return;
        *hump -= (t * mx - tx * m) / det;
        *x0 -= (th * m - t * mh) / det;
    }
}

static double ratio(double small, double large)
{
    return copysign(sqrt(fabs(small / large)), small * large);
}

// The same with the jump at x = 0, where only the turn can be had.
static double shape_at_start(void)
{
    double hump = 50;
    for (int n = 0; n < NEWTON_STEPS; n++) {
        double t, m, th, mh;
        misses(0, hump, 0, &t, &m);
        misses(0, hump + 1e-4, 0, &th, &mh);
        hump -= t * 1e-4 / (th - t);
    }
    return hump;
}

// Blend without a hump: the place of the jump follows from the turn. Gentler, but the path
// continues beside the drawn one, by `shift` times curvature and length^2.
static double shape_plain(double rho, double *shift)
{
    double turn, moment, before = rho * fabs(rho);
    misses(rho, 0, 0, &turn, &moment);
    double x0 = -turn / (1 - before);
    misses(rho, 0, x0, &turn, &moment);
    *shift = fabs(moment);
    return x0;
}

// A blend for the jump from curvature `before` to `after` at distance s.
static ib_Blend make(double before, double after, double s, double length, bool plain,
                     double *shift)
{
    ib_Blend blend = {.length = length, .before = before, .after = after, .forward = 1};
    if (fabs(before) > fabs(after)) blend.forward = -1;
    double small = blend.forward > 0 ? before : after, large = blend.forward > 0 ? after : before;
    double rho = ratio(small, large), x0;
    if (plain) {
        x0 = shape_plain(rho, shift);
        *shift *= fabs(large) * length * length;
    } else {
        shape(rho, &blend.hump, &x0);
        *shift = 0;
    }
    blend.start = s - length * (blend.forward > 0 ? x0 : 1 - x0);
    return blend;
}

// The last arc ends in a short line.
static void end_straight(ib_PathConfig *path)
{
    ib_PathElement *last = &path->elements[path->count - 1];
    if (path->end != IB_PATH_STOP || last->curvature == 0 || path->count == IB_PATH_MAX) return;
    double line = ib_min(0.1, sqrt(2 * CHORD / fabs(last->curvature)));
    line = ib_min(line, 0.5 * last->length);
    last->length -= line;
    path->elements[path->count++] = (ib_PathElement){.length = line};
}

// All jumps between elements; returns how far they may shift the path in all.
static double blend_jumps(ib_BlendedPath *blended, double wanted, bool plain)
{
    const ib_PathElement *e = blended->path.elements;
    double s = 0, shifts = 0, shift;
    for (int i = 1; i < blended->path.count; i++) {
        s += e[i - 1].length;
        if (e[i].curvature == e[i - 1].curvature) continue;
        double length = ib_min(wanted, 0.6 * ib_min(e[i - 1].length, e[i].length));
        blended->blends[i] = make(e[i - 1].curvature, e[i].curvature, s, length, plain, &shift);
        shifts += shift;
    }
    return shifts;
}

void ib_blend_path(const ib_PathConfig *path, int moving, ib_BlendedPath *blended)
{
    *blended = (ib_BlendedPath){.path = *path};
    end_straight(&blended->path);
    const ib_PathElement *first = blended->path.elements;
    double wanted = ib_max(path->blend, SHORTEST);
    if (moving && first->curvature != 0) {
        // The path shifts at the start by 0.14 k length^2, the unreachable moment.
        double length = ib_min(wanted, sqrt(SHIFT / (0.14 * fabs(first->curvature))));
        blended->blends[0] = (ib_Blend){.length = ib_min(length, 0.35 * first->length),
                                        .after = first->curvature,
                                        .hump = shape_at_start(),
                                        .forward = 1};
    }
    if (blend_jumps(blended, wanted, true) > SHIFT) blend_jumps(blended, wanted, false);
}

static double inside(const ib_Blend *blend, double x)
{
    bool forward = blend->forward > 0;
    double small = forward ? blend->before : blend->after;
    double large = forward ? blend->after : blend->before;
    double w = root(ratio(small, large), blend->hump, forward ? x : 1 - x);
    return large * w * fabs(w);
}

double ib_blend_curvature(const ib_BlendedPath *blended, double s)
{
    const ib_PathConfig *path = &blended->path;
    double end = 0;
    for (int i = 0; i < path->count; i++) {
        const ib_Blend *blend = &blended->blends[i];
        if (blend->length > 0 && s >= blend->start && s <= blend->start + blend->length)
            return inside(blend, (s - blend->start) / blend->length);
        end += path->elements[i].length;
        // The next blend may begin before its element does.
        const ib_Blend *next = &blended->blends[i + 1];
        bool blends = i + 1 < path->count && next->length > 0;
        if (s < (blends ? next->start : end)) return path->elements[i].curvature;
    }
    return path->elements[path->count - 1].curvature;
}
