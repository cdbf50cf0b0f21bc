// test/design/riccati_rig.h: random Riccati problems, and SLICOT beside them.
#ifndef IB_TEST_RICCATI_RIG_H
#define IB_TEST_RICCATI_RIG_H

#include "base/matrix.h"
#include "design/riccati/riccati.h"
#include "spread.h"

#include <math.h>
#include <string.h>

enum { RIG_STATES = 12, RIG_INPUTS = 4, RIG_SQUARE = RIG_STATES * RIG_STATES };

// A problem with the memory of its matrices.
typedef struct Rig {
    double A[RIG_SQUARE], B[RIG_STATES * RIG_INPUTS], Q[RIG_SQUARE];
    double R[RIG_INPUTS * RIG_INPUTS], N[RIG_STATES * RIG_INPUTS];
    ib_Riccati problem;
} Rig;

// Draws numbers of -1 to 1.
typedef struct RigDice {
    uint64_t seed, index;
} RigDice;

static inline double rig_draw(RigDice *dice)
{
    return 2 * chance_uniform(dice->seed, 0, dice->index++) - 1;
}

static inline void rig_draw_all(RigDice *dice, int count, double *to)
{
    for (int i = 0; i < count; i++) to[i] = rig_draw(dice);
}

static inline void rig_bind(Rig *rig, int n, int m, bool cross)
{
    rig->problem = (ib_Riccati){.states = n,
                                .inputs = m,
                                .A = rig->A,
                                .B = rig->B,
                                .Q = rig->Q,
                                .R = rig->R,
                                .N = cross ? rig->N : NULL};
}

// a <- diag(row) a diag(column)
static inline void rig_scale(int rows, int columns, const double *row, const double *column,
                             double *a)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) a[i * columns + j] *= row[i] * column[j];
}

// w = m m' + least I, n x n
static inline void rig_weight(RigDice *dice, int n, double least, double *w)
{
    double m[RIG_SQUARE], t[RIG_SQUARE];
    rig_draw_all(dice, n * n, m);
    ib_matrix_transpose(n, n, m, t);
    ib_matrix_multiply(n, n, n, m, t, w);
    for (int i = 0; i < n; i++) w[i * n + i] += least;
}

// A full random problem: elements of A of -grown to grown (poles to about grown sqrt(n / 3)), Q
// definite, R dense and definite, small cross weights; then each state and input in units of its
// own, of 10^-decades to 10^decades.
static inline void rig_random(RigDice *dice, int n, int m, double grown, double decades, bool cross,
                              Rig *rig)
{
    double unit[RIG_STATES], back[RIG_STATES], input[RIG_INPUTS];
    rig_draw_all(dice, n * n, rig->A);
    rig_draw_all(dice, n * m, rig->B);
    rig_draw_all(dice, n * m, rig->N);
    for (int i = 0; i < n * n; i++) rig->A[i] *= grown;
    for (int i = 0; i < n * m; i++) rig->N[i] *= 0.01;
    rig_weight(dice, n, 0.1, rig->Q);
    rig_weight(dice, m, 0.1, rig->R);
    for (int i = 0; i < n; i++) back[i] = 1 / (unit[i] = pow(10, decades * rig_draw(dice)));
    for (int i = 0; i < m; i++) input[i] = pow(10, decades * rig_draw(dice));
    rig_scale(n, n, unit, back, rig->A);
    rig_scale(n, m, unit, input, rig->B);
    rig_scale(n, n, back, back, rig->Q);
    rig_scale(m, m, input, input, rig->R);
    rig_scale(n, m, back, input, rig->N);
    rig_bind(rig, n, m, cross);
}

// A drive train with its place on the field: x, y, heading, speeds of both sides, about 2 m/s
// ahead, sampled at 20 ms to second order; the sizes of the public DARE benchmarks.
static inline void rig_drive(Rig *rig)
{
    const double T = 0.02, tolerance[5] = {0.0625, 0.125, 2.5, 0.95, 0.95};
    const double a[25] = {0,      0,     0, 0.5, 0.5, 0,     0,      2, 0, 0, 0,      0,    0,
                          -1.625, 1.625, 0, 0,   0,   -2.36, 0.0855, 0, 0, 0, 0.0855, -2.36};
    const double b[10] = {0, 0, 0, 0, 0, 0, 1.006, -0.0364, -0.0364, 1.006};
    double aa[25], ab[10];
    memset(rig, 0, sizeof *rig);
    ib_matrix_multiply(5, 5, 5, a, a, aa);
    ib_matrix_multiply(5, 5, 2, a, b, ab);
    for (int i = 0; i < 25; i++) rig->A[i] = (i % 6 == 0 ? 1 : 0) + T * a[i] + 0.5 * T * T * aa[i];
    for (int i = 0; i < 10; i++) rig->B[i] = T * b[i] + 0.5 * T * T * ab[i];
    for (int i = 0; i < 5; i++) rig->Q[i * 6] = 1 / (tolerance[i] * tolerance[i]);
    rig->R[0] = rig->R[3] = 1.0 / 144;
    rig_bind(rig, 5, 2, false);
}

#ifdef IB_HAVE_SLICOT
// Fortran: the six letters' lengths come last.
void sb02od_(const char *dico, const char *jobb, const char *fact, const char *uplo,
             const char *jobl, const char *sort, const int *n, const int *m, const int *p,
             const double *a, const int *lda, const double *b, const int *ldb, const double *q,
             const int *ldq, const double *r, const int *ldr, const double *l, const int *ldl,
             double *rcond, double *x, const int *ldx, double *alfar, double *alfai, double *beta,
             double *s, const int *lds, double *t, const int *ldt, double *u, const int *ldu,
             const double *tol, int *iwork, double *dwork, const int *ldwork, int *bwork, int *info,
             size_t, size_t, size_t, size_t, size_t, size_t);

// X of the problem by SLICOT's SB02OD; its INFO, 0: done.
static inline int rig_slicot(const ib_Riccati *p, double *X)
{
    enum { SIDE = 2 * RIG_STATES, ALL = SIDE + RIG_INPUTS, WORK = 40 * ALL };
    int n = p->states, m = p->inputs, none = 0, side = 2 * n, all = 2 * n + m, work = WORK;
    int iwork[SIDE], bwork[SIDE], info = 0;
    double At[RIG_SQUARE], Bt[RIG_STATES * RIG_INPUTS], Nt[RIG_STATES * RIG_INPUTS] = {0};
    double rcond, re[SIDE], im[SIDE], below[SIDE], s[ALL * ALL], t[ALL * SIDE], u[SIDE * SIDE];
    double dwork[WORK], tol = 0;
    // By columns; symmetric matrices are the same both ways.
    ib_matrix_transpose(n, n, p->A, At);
    ib_matrix_transpose(n, m, p->B, Bt);
    if (p->N) ib_matrix_transpose(n, m, p->N, Nt);
    sb02od_("D", "B", "N", "U", p->N ? "N" : "Z", "S", &n, &m, &none, At, &n, Bt, &n, p->Q, &n,
            p->R, &m, Nt, &n, &rcond, X, &n, re, im, below, s, &all, t, &all, u, &side, &tol, iwork,
            dwork, &work, bwork, &info, 1, 1, 1, 1, 1, 1);
    return info;
}
#endif

#endif
