// design/fit/fit_response.c: the speed due to a voltage, and its derivatives to the constants.
//
// In a stretch sgn(v) = s is constant, and the speed is a sum of responses to V, to 1 and to the
// start, each of them exact for a voltage of straight pieces:
//   v = be fV - (ga s + de) f1 + c f0,   f' = -al f + input,   f0 = e^(-al t)
// A position is the integral of each, plus a constant.
#include "design/fit/fit_inside.h"

#include "base/extreme.h"
#include "base/maths.h"
#include "base/matrix.h"

#include <string.h>

enum { VOLTS, ONE, START, RESPONSES };
enum { COLUMNS = 16 };

typedef struct Motion {
    double v, x;
} Motion;

// phi[k] = sum over j of (-z)^j/(j + k)!, that is e^-z, (1 - e^-z)/z, (1 - phi[1])/z,
// (1/2 - phi[2])/z. Near 0 by the series of the last one, without cancellation.
static void weights(double z, double phi[4])
{
    if (fabs(z) > 0.5) {
        phi[0] = ib_exp(-z);
        phi[1] = (1.0 - phi[0]) / z;
        phi[2] = (1.0 - phi[1]) / z;
        phi[3] = (0.5 - phi[2]) / z;
        return;
    }
    double sum = 1.0;
    for (int j = 12; j > 0; j--) sum = 1.0 - sum * z / (j + 3.0);
    phi[3] = sum / 6.0;
    phi[2] = 0.5 - z * phi[3];
    phi[1] = 1.0 - z * phi[2];
    phi[0] = 1.0 - z * phi[1];
}

// Weights of the last two lengths: an even sampling cuts its periods into two parts, the same ones
// within rounding.
typedef struct Lengths {
    double h[2], phi[2][4];
    int next;
} Lengths;

static const double *weights_of(Lengths *lengths, double alpha, double h)
{
    for (int i = 0; i < 2; i++)
        if (fabs(h - lengths->h[i]) <= 1e-12 * h) return lengths->phi[i];
    int place = lengths->next;
    lengths->next = 1 - place;
    lengths->h[place] = h;
    weights(alpha * h, lengths->phi[place]);
    return lengths->phi[place];
}

// One piece of length h with an input that goes from u0 to u1:
//   v+ = phi0 v + h (phi1 u0 + phi2 (u1 - u0))
//   x+ = x + h phi1 v + h^2 (phi2 u0 + phi3 (u1 - u0))
static void advance(Motion *m, const double phi[4], double h, double u0, double u1)
{
    m->x += h * (phi[1] * m->v + h * (phi[2] * u0 + phi[3] * (u1 - u0)));
    m->v = phi[0] * m->v + h * (phi[1] * u0 + phi[2] * (u1 - u0));
}

// ----------------------------------------------------------------------------------------- voltage

// The piece of voltage at `time`: -1 before the first sample, count - 1 after the last.
static int find_piece(const ib__FitVolts *volts, double time)
{
    int low = -1, high = volts->count;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (volts->time[middle] <= time)
            low = middle;
        else
            high = middle;
    }
    return low;
}

// The voltage on the line of a piece.
static double piece_value(const ib__FitVolts *volts, int piece, double time)
{
    if (piece < 0) return volts->value[0];
    if (piece >= volts->count - 1) return volts->value[volts->count - 1];
    double part = (time - volts->time[piece]) / (volts->time[piece + 1] - volts->time[piece]);
    return volts->begin[piece] + part * (volts->end[piece] - volts->begin[piece]);
}

// The end of the piece, at most `to`.
static double piece_end(const ib__FitVolts *volts, int piece, double to)
{
    if (piece >= volts->count - 1 || volts->time[piece + 1] >= to) return to;
    return volts->time[piece + 1];
}

double ib__fit_mean_voltage(const ib__FitVolts *volts, double delay, double t0, double t1)
{
    double from = t0 - delay, to = t1 - delay, sum = 0.0;
    for (int piece = find_piece(volts, from); from < to; piece++) {
        double end = piece_end(volts, piece, to);
        sum +=
            (end - from) * 0.5 * (piece_value(volts, piece, from) + piece_value(volts, piece, end));
        from = end;
    }
    return sum / (t1 - t0);
}

// --------------------------------------------------------------------------------------- responses

// Advances from one sample to the next, cut at the corners of the voltage.
static int advance_sample(const ib__FitVolts *volts, double alpha, double from, double to,
                          int piece, Lengths *lengths, Motion motion[RESPONSES])
{
    while (from < to) {
        double end = piece_end(volts, piece, to), h = end - from;
        const double *phi = weights_of(lengths, alpha, h);
        advance(&motion[VOLTS], phi, h, piece_value(volts, piece, from),
                piece_value(volts, piece, end));
        advance(&motion[ONE], phi, h, 1.0, 1.0);
        advance(&motion[START], phi, h, 0.0, 0.0);
        from = end;
        if (end < to || (piece + 1 < volts->count && volts->time[piece + 1] <= to)) piece++;
    }
    return piece;
}

// Columns VOLTS, ONE and START of a stretch, `f` having `count` rows by columns.
static void respond(const ib__FitSamples *samples, const ib__FitStretch *stretch, double alpha,
                    double delay, double *const f[RESPONSES])
{
    const ib__FitVolts *volts = &samples->volts[stretch->log];
    const double *time = samples->time + stretch->first;
    Motion motion[RESPONSES] = {[START] = {1.0, 0.0}};
    Lengths lengths = {.h = {-1.0, -1.0}};
    int piece = find_piece(volts, time[0] - delay);
    for (int i = 0; i < stretch->count; i++) {
        if (i > 0)
            piece = advance_sample(volts, alpha, time[i - 1] - delay, time[i] - delay, piece,
                                   &lengths, motion);
        for (int j = 0; j < RESPONSES; j++)
            f[j][i] = samples->of_position ? motion[j].x : motion[j].v;
    }
}

// -------------------------------------------------------------------------------- normal equations

static double dot(int count, const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < count; i++) sum += a[i] * b[i];
    return sum;
}

// a -= (q'a) q, and returns q'a.
static double remove_part(int count, const double *q, double *a)
{
    double part = dot(count, q, a);
    for (int i = 0; i < count; i++) a[i] -= part * q[i];
    return part;
}

// An orthonormal basis of the unknown start: of f0 and, for a position, of 1. Returns its size;
// scale: length of f0, which comes last, without the others' parts.
static int start_basis(const ib__FitSamples *samples, int count, const double *f0, double *q[2],
                       double *scale)
{
    int size = 0;
    if (samples->of_position) {
        for (int i = 0; i < count; i++) q[0][i] = 1.0 / sqrt((double)count);
        size = 1;
    }
    memcpy(q[size], f0, (size_t)count * sizeof *f0);
    for (int j = 0; j < size; j++) remove_part(count, q[j], q[size]);
    *scale = sqrt(dot(count, q[size], q[size]));
    if (!(*scale > 0.0)) return size;
    for (int i = 0; i < count; i++) q[size][i] /= *scale;
    return size + 1;
}

// The columns of one stretch, in the scratch memory.
typedef struct Columns {
    double *f[RESPONSES], *above[RESPONSES], *below[RESPONSES];
    double *q[2];
    double *J[4]; ///< be, ga s + de, al, d
    double *r;
} Columns;

static Columns share_out(const ib__FitScratch *scratch, int count)
{
    double *next = scratch->columns;
    Columns c;
    double **all[COLUMNS - 1];
    int size = 0;
    for (int j = 0; j < RESPONSES; j++) {
        all[size++] = &c.f[j];
        all[size++] = &c.above[j];
        all[size++] = &c.below[j];
    }
    for (int j = 0; j < 2; j++) all[size++] = &c.q[j];
    for (int j = 0; j < 4; j++) all[size++] = &c.J[j];
    for (int j = 0; j < size; j++, next += count) *all[j] = next;
    c.r = next;
    return c;
}

// r and the projected columns fV, f1 of a stretch; returns c, the start's part of the speed.
static double project(const ib__FitSamples *samples, const ib__FitStretch *stretch,
                      const ib__FitPoint *point, double alpha, const Columns *c)
{
    int n = stretch->count;
    double scale, start = 0.0, per = 1.0 / point->k[IB__FIT_KA];
    double steady = (stretch->sign * point->k[IB__FIT_KS] + point->k[IB__FIT_KG]) * per;
    respond(samples, stretch, alpha, point->k[IB__FIT_DELAY], c->f);
    int size = start_basis(samples, n, c->f[START], (double *[]){c->q[0], c->q[1]}, &scale);
    for (int i = 0; i < n; i++) {
        c->r[i] = samples->y[stretch->first + i] - per * c->f[VOLTS][i] + steady * c->f[ONE][i];
        c->J[0][i] = c->f[VOLTS][i];
        c->J[1][i] = -c->f[ONE][i];
    }
    for (int j = 0; j < size; j++) {
        double part = remove_part(n, c->q[j], c->r);
        if (j == (samples->of_position ? 1 : 0)) start = part / scale;
        remove_part(n, c->q[j], c->J[0]);
        remove_part(n, c->q[j], c->J[1]);
    }
    return start;
}

// Columns of al and d, by differences to both sides.
static void differentiate(const ib__FitSamples *samples, const ib__FitStretch *stretch,
                          const ib__FitPoint *point, double alpha, double start, const Columns *c)
{
    int n = stretch->count;
    double delay = point->k[IB__FIT_DELAY], per = 1.0 / point->k[IB__FIT_KA];
    double steady = (stretch->sign * point->k[IB__FIT_KS] + point->k[IB__FIT_KG]) * per;
    double step = 1e-5 * (fabs(alpha) + 1.0 / samples->span), shift = 1e-3 * samples->period;

    respond(samples, stretch, alpha + step, delay, c->above);
    respond(samples, stretch, alpha - step, delay, c->below);
    for (int i = 0; i < n; i++)
        c->J[2][i] = (per * (c->above[VOLTS][i] - c->below[VOLTS][i]) -
                      steady * (c->above[ONE][i] - c->below[ONE][i]) +
                      start * (c->above[START][i] - c->below[START][i])) /
                     (2.0 * step);
    respond(samples, stretch, alpha, delay + shift, c->above);
    respond(samples, stretch, alpha, delay - shift, c->below);
    for (int i = 0; i < n; i++)
        c->J[3][i] = per * (c->above[VOLTS][i] - c->below[VOLTS][i]) / (2.0 * shift);
    for (int j = 0; j < (samples->of_position ? 2 : 1); j++) {
        remove_part(n, c->q[j], c->J[2]);
        remove_part(n, c->q[j], c->J[3]);
    }
}

// From (be, ga s + de, al, d) to (kS, kV, kA, kG, d):
//   d/dkS = s J1/kA,  d/dkV = J2/kA,  d/dkG = J1/kA,
//   d/dkA = -(J0 + (kS s + kG) J1 + kV J2)/kA^2
static void add_rows(const ib__FitPoint *point, const ib__FitStretch *stretch, const Columns *c,
                     double *rows, ib__FitNormal *normal)
{
    const double *k = point->k;
    double per = 1.0 / k[IB__FIT_KA], steady = stretch->sign * k[IB__FIT_KS] + k[IB__FIT_KG];
    for (int i = 0; i < stretch->count; i++) {
        double row[IB__FIT_COUNT] = {
            [IB__FIT_KS] = stretch->sign * c->J[1][i] * per,
            [IB__FIT_KV] = c->J[2][i] * per,
            [IB__FIT_KA] =
                -(c->J[0][i] + steady * c->J[1][i] + k[IB__FIT_KV] * c->J[2][i]) * per * per,
            [IB__FIT_KG] = c->J[1][i] * per,
            [IB__FIT_DELAY] = c->J[3][i],
        };
        if (rows) memcpy(rows + i * IB__FIT_COUNT, row, sizeof row);
        for (int a = 0; a < IB__FIT_COUNT; a++) {
            normal->g[a] += row[a] * c->r[i];
            for (int b = 0; b < IB__FIT_COUNT; b++)
                normal->H[a * IB__FIT_COUNT + b] += row[a] * row[b];
        }
    }
}

static double spread(int count, const double *y)
{
    double mean = 0.0, sum = 0.0;
    for (int i = 0; i < count; i++) mean += y[i] / count;
    for (int i = 0; i < count; i++) sum += (y[i] - mean) * (y[i] - mean);
    return sum;
}

void ib__fit_normal(const ib__FitSamples *samples, const ib__FitScratch *scratch,
                    const ib__FitPoint *point, const ib__FitRest *rest, ib__FitNormal *normal)
{
    double alpha = point->k[IB__FIT_KV] / point->k[IB__FIT_KA];
    memset(normal, 0, sizeof *normal);
    for (int j = 0; j < samples->stretch_count; j++) {
        const ib__FitStretch *stretch = &samples->stretches[j];
        Columns c = share_out(scratch, stretch->count);
        double start = project(samples, stretch, point, alpha, &c);
        differentiate(samples, stretch, point, alpha, start, &c);
        double *rows = rest ? rest->rows + (size_t)stretch->first * IB__FIT_COUNT : NULL;
        add_rows(point, stretch, &c, rows, normal);
        normal->rest += dot(stretch->count, c.r, c.r);
        normal->whole += spread(stretch->count, samples->y + stretch->first);
        if (rest)
            memcpy(rest->residual + stretch->first, c.r, (size_t)stretch->count * sizeof *c.r);
    }
}

// An earlier jump of 1 V adds its impulse response for each second:
//   v: e^(-al s)/kA,   x: (1 - e^(-al s))/(al kA),   s = t - delay - time > 0
void ib__fit_jump_column(const ib__FitSamples *samples, const ib__FitScratch *scratch,
                         const ib__FitPoint *point, const ib__FitStretch *stretch, double time,
                         double *column)
{
    int n = stretch->count;
    double scale, alpha = point->k[IB__FIT_KV] / point->k[IB__FIT_KA], phi[4];
    Columns c = share_out(scratch, n);
    for (int i = 0; i < n; i++) {
        double since = samples->time[stretch->first + i] - point->k[IB__FIT_DELAY] - time;
        weights(alpha * ib_max(since, 0.0), phi);
        double response = samples->of_position ? since * phi[1] : phi[0];
        column[i] = since > 0.0 ? response / point->k[IB__FIT_KA] : 0.0;
    }
    respond(samples, stretch, alpha, point->k[IB__FIT_DELAY], c.f);
    int size = start_basis(samples, n, c.f[START], (double *[]){c.q[0], c.q[1]}, &scale);
    for (int j = 0; j < size; j++) remove_part(n, c.q[j], column);
}

// ---------------------------------------------------------------------------------- linear problem

// With al and d given the speed is linear in be, ga, de.
double ib__fit_linear(const ib__FitSamples *samples, const ib__FitScratch *scratch,
                      double time_constant, double delay, bool gravity, ib__FitPoint *point)
{
    double H[9] = {0}, g[3] = {0}, rest = 0.0, alpha = 1.0 / time_constant;
    ib__FitPoint zero = {.k = {[IB__FIT_KA] = INFINITY, [IB__FIT_DELAY] = delay}};
    for (int j = 0; j < samples->stretch_count; j++) {
        const ib__FitStretch *stretch = &samples->stretches[j];
        Columns c = share_out(scratch, stretch->count);
        int n = stretch->count;
        project(samples, stretch, &zero, alpha, &c);
        double vv = dot(n, c.J[0], c.J[0]), vf = dot(n, c.J[0], c.J[1]), s = stretch->sign;
        double ff = dot(n, c.J[1], c.J[1]), rv = dot(n, c.r, c.J[0]), rf = dot(n, c.r, c.J[1]);
        double add[9] = {vv, s * vf, vf, s * vf, ff, s * ff, vf, s * ff, ff};
        ib_matrix_add(3, 3, H, 1.0, add, H);
        ib_matrix_add(1, 3, g, 1.0, (double[]){rv, s * rf, rf}, g);
        rest += dot(n, c.r, c.r);
    }
    // A share of the diagonal keeps it solvable with motion in one direction only.
    for (int i = 0; i < 3; i++) H[i * 4] *= 1.0 + 1e-12;
    if (!gravity) H[2] = H[5] = H[6] = H[7] = g[2] = 0.0, H[8] = 1.0;
    double x[3];
    int pivot[3];
    memcpy(x, g, sizeof x);
    if (ib_matrix_factor(3, H, pivot)) return INFINITY;
    ib_matrix_solve(3, H, pivot, x);
    if (!(x[0] > 0.0)) return INFINITY;
    *point = (ib__FitPoint){{x[1] / x[0], alpha / x[0], 1.0 / x[0], x[2] / x[0], delay}};
    return rest - dot(3, g, x);
}
