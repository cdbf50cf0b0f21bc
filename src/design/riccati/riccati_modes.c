// design/riccati/riccati_modes.c: the mode of a plant that prevents a stabilising solution of a
// Riccati equation.
#include "base/extreme.h"
#include "base/matrix.h"
#include "base/quote.h"
#include "design/riccati/riccati_inside.h"
#include "linear/eigen.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { COLUMNS = 2 * IB_STATES_MAX, ROWS = 2 * COLUMNS };

// The system M w = 0 for w, rows x columns, and the present order of its columns.
typedef struct Kernel {
    int rows, columns;
    double M[ROWS][COLUMNS];
    int order[COLUMNS];
} Kernel;

// [A - l I, B]' as a real matrix. With l = p + iq and w = a + ib, w'A = l w' and w'B = 0 read
//   (A - p I)' a + q b = 0,   (A - p I)' b - q a = 0,   B'a = 0,   B'b = 0
// B is n x m. With A' in the place of A it is the same for A v = l v, B'v = 0.
static void fill(Kernel *k, int n, int m, const double *A, const double *B, ib_Complex l)
{
    int halves = l.im != 0 ? 2 : 1;
    *k = (Kernel){.rows = halves * (n + m), .columns = halves * n};
    for (int j = 0; j < k->columns; j++) k->order[j] = j;
    for (int half = 0; half < halves; half++) {
        for (int i = 0; i < n; i++) {
            double *row = k->M[half * (n + m) + i];
            for (int j = 0; j < n; j++) row[half * n + j] = A[j * n + i] - (i == j ? l.re : 0);
            if (halves == 2) row[(1 - half) * n + i] = half ? -l.im : l.im;
        }
        for (int i = 0; i < m; i++)
            for (int j = 0; j < n; j++) k->M[half * (n + m) + n + i][half * n + j] = B[j * m + i];
    }
}

static void swap_columns(Kernel *k, int from, int to)
{
    for (int i = 0; i < k->rows; i++) {
        double held = k->M[i][from];
        k->M[i][from] = k->M[i][to];
        k->M[i][to] = held;
    }
    int held = k->order[from];
    k->order[from] = k->order[to];
    k->order[to] = held;
}

// Elimination with the largest pivot of all, except the last column: its remainder, over the size
// of M, is the distance of M from having a w with M w = 0; that w is returned.
static double nearest_kernel(Kernel *k, double *w)
{
    double size = DBL_MIN, left = 0;
    int last = k->columns - 1;
    for (int step = 0; step <= last; step++) {
        int r = step, c = step;
        for (int i = step; i < k->rows; i++)
            for (int j = step; j <= last; j++)
                if (fabs(k->M[i][j]) > fabs(k->M[r][c])) r = i, c = j;
        left = fabs(k->M[r][c]);
        if (step == 0) size = ib_max(left, size);
        // A pair of zeros ends the elimination at its first one.
        if (left <= 1e-14 * size) last = step;
        if (step == last) break;
        for (int j = 0; j < k->columns; j++) {
            double held = k->M[step][j];
            k->M[step][j] = k->M[r][j];
            k->M[r][j] = held;
        }
        swap_columns(k, step, c);
        for (int i = step + 1; i < k->rows; i++) {
            double factor = k->M[i][step] / k->M[step][step];
            for (int j = step; j < k->columns; j++) k->M[i][j] -= factor * k->M[step][j];
        }
    }
    for (int j = 0; j < k->columns; j++) w[j] = 0;
    w[k->order[last]] = 1;
    for (int i = last - 1; i >= 0; i--) {
        double sum = 0;
        for (int j = i + 1; j <= last; j++) sum += k->M[i][j] * w[k->order[j]];
        w[k->order[i]] = -sum / k->M[i][i];
    }
    return left / size;
}

// A mode that prevents a solution, and its distance from doing so exactly.
typedef struct Culprit {
    bool unseen; ///< by the weights; otherwise uncontrollable
    double distance;
    ib_Complex pole;
    double share[IB_STATES_MAX]; ///< of each state
} Culprit;

static void suspect(const ib__Balanced *b, ib_Complex pole, bool unseen, Culprit *worst)
{
    int n = b->n;
    double Ft[IB__NN], w[COLUMNS];
    Kernel kernel;
    ib_matrix_transpose(n, n, b->F, Ft);
    if (unseen)
        fill(&kernel, n, n, Ft, b->H, pole);
    else
        fill(&kernel, n, b->m, b->F, b->E, pole);
    double distance = nearest_kernel(&kernel, w);
    if (!(distance < worst->distance)) return;
    worst->unseen = unseen;
    worst->distance = distance;
    worst->pole = pole;
    for (int i = 0; i < n; i++) {
        double other = pole.im != 0 ? w[n + i] : 0;
        worst->share[i] = sqrt(w[i] * w[i] + other * other);
    }
}

// "(v, x)": the states of the mode, largest share first, four at most.
static void name_states(const ib_Riccati *p, Culprit *c, char *text, size_t size)
{
    double most = 0;
    size_t used = 0;
    text[0] = 0;
    for (int count = 0; count < 4; count++) {
        int best = 0;
        for (int i = 1; i < p->states; i++)
            if (c->share[i] > c->share[best]) best = i;
        if (count == 0) most = c->share[best];
        if (!(c->share[best] > 0.01 * most)) break;
        c->share[best] = 0;
        char number[16];
        snprintf(number, sizeof number, "x%d", best + 1);
        int length = snprintf(text + used, size - used, "%s%s", count ? ", " : "",
                              ib_quote(p->names ? p->names[best] : number).text);
        used += (size_t)length;
    }
}

static ib_Status refuse(const ib_Riccati *p, Culprit *c, ib_Error *error)
{
    char pole[64], states[4 * (IB_STATE_NAME + 2) + 1];
    snprintf(pole, sizeof pole, c->pole.im != 0 ? "%.6g +- %.6gi" : "%.6g", c->pole.re,
             fabs(c->pole.im));
    name_states(p, c, states, sizeof states);
    if (c->unseen)
        return ib_error_set(error, IB_BAD_INPUT,
                            p->filter ? "not stabilisable: no process noise reaches the mode at %s "
                                        "(%s), which does not decay by itself"
                                      : "not detectable: no weight sees the mode at %s (%s), which "
                                        "does not decay by itself",
                            pole, states);
    return ib_error_set(error, IB_BAD_INPUT,
                        p->filter ? "not detectable: no output sees the mode at %s (%s)"
                                  : "not stabilisable: no input moves the mode at %s (%s)",
                        pole, states);
}

// The strength of inputs and states relative to their weights: the square root of |B R^-1 B'| |Q|.
// Very far from 1, all results about modes are rounding.
static double strength(const ib__Balanced *b)
{
    return ib_matrix_norm(b->n, b->m, b->E) * sqrt(ib_matrix_norm(b->n, b->n, b->H));
}

static double largest(int count, const double *a)
{
    double most = 0;
    for (int i = 0; i < count; i++) most = ib_max(most, fabs(a[i]));
    return most;
}

static ib_Status refuse_scale(const ib_Riccati *p, ib_Error *error)
{
    int n = p->states, m = p->inputs;
    return ib_error_set(error, IB_BAD_INPUT,
                        "no solution was found: the scales are too far apart, the elements of %s "
                        "reach %.3g, of %s %.3g, of %s %.3g: choose other units or weights",
                        p->filter ? "C" : "B", largest(n * m, p->B),
                        p->filter ? "the process noise" : "Q", largest(n * n, p->Q),
                        p->filter ? "the measurement noise" : "R", largest(m * m, p->R));
}

// Poles that do not decay must be controllable, and those that neither grow nor decay must be
// weighted.                                       [Popov, Belevitch, Hautus]
ib_Status ib__riccati_check_modes(const ib_Riccati *p, const ib__Balanced *b, bool continuous,
                                  double limit, double band, ib_Error *error)
{
    ib_Complex poles[IB_STATES_MAX];
    Culprit worst = {.distance = INFINITY};
    ib_Status status = ib_eigenvalues(b->n, b->F, poles, error);
    if (status != IB_OK) return status;
    double size = continuous ? ib_matrix_norm(b->n, b->n, b->F) : 1;
    for (int i = 0; i < b->n; i++) {
        double re = poles[i].re, im = poles[i].im;
        double beyond = continuous ? re : sqrt(re * re + im * im) - 1;
        if (im < 0 || beyond < -band * size) continue;
        suspect(b, poles[i], false, &worst);
        if (beyond <= band * size) suspect(b, poles[i], true, &worst);
    }
    if (!(worst.distance < limit)) return IB_OK;
    double scale = strength(b);
    bool usual = scale == 0 || (scale > 1e-30 && scale < 1e30);
    return usual ? refuse(p, &worst, error) : refuse_scale(p, error);
}

ib_Status ib__riccati_refuse(const ib_Riccati *p, const ib__Balanced *b, ib_Error *error)
{
    ib_Complex poles[IB_STATES_MAX];
    int growing = 0; // poles are sorted by falling magnitude
    double sizes[IB_STATES_MAX] = {0};
    if (ib_eigenvalues(b->n, b->F, poles, NULL) == IB_OK)
        for (int i = 0; i < b->n; i++)
            sizes[i] = sqrt(poles[i].re * poles[i].re + poles[i].im * poles[i].im);
    while (growing < b->n && sizes[growing] > 1) growing++;
    double scale = strength(b);
    if (scale > 0 && !(scale > 1e-12 && scale < 1e12)) return refuse_scale(p, error);
    if (growing <= b->m)
        return ib_error_set(error, IB_FAILED, "no solution that makes the loop stable was found");
    return ib_error_set(error, IB_FAILED,
                        "no solution that makes the loop stable was found with 31 digits: %d modes "
                        "grow by themselves, by up to %.4g times a period, and %d %s must %s them "
                        "all: sample faster, or add %s",
                        growing, sizes[0], b->m,
                        p->filter ? (b->m > 1 ? "outputs" : "output")
                                  : (b->m > 1 ? "inputs" : "input"),
                        p->filter ? "tell" : "hold", p->filter ? "outputs" : "inputs");
}
