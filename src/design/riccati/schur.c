// design/riccati/schur.c: Riccati equations by LAPACK's ordered Schur forms.
// lapacke.h defines I, so that nothing else may be mixed with it.
#include "design/riccati/schur.h"

#include "base/matrix.h"
#include "design/riccati/riccati_inside.h"
#include "linear/eigen.h"

#include <dlfcn.h>
#include <lapacke.h>
#include <math.h>
#include <pthread.h>
#include <string.h>

enum {
    SIDE = 2 * IB_STATES_MAX,
    WORK = 64 * SIDE, ///< of LAPACK, with room for its blocks
};

// ------------------------------------------------------------------------------------------ LAPACK

// LAPACK, opened at first use: loading it at every start would cost each run 1.5 ms, and only
// continuous equations and second opinions need it.
static struct {
    lapack_int (*dgees)(int, char, char, LAPACK_D_SELECT2, lapack_int, double *, lapack_int,
                        lapack_int *, double *, double *, double *, lapack_int, double *,
                        lapack_int, lapack_logical *);
    lapack_int (*dgges)(int, char, char, char, LAPACK_D_SELECT3, lapack_int, double *, lapack_int,
                        double *, lapack_int, lapack_int *, double *, double *, double *, double *,
                        lapack_int, double *, lapack_int, double *, lapack_int, lapack_logical *);
} lapack;

static void open_lapack(void)
{
    void *library = dlopen("liblapacke.so.3", RTLD_NOW | RTLD_LOCAL);
    void *dgees = library ? dlsym(library, "LAPACKE_dgees_work") : NULL;
    void *dgges = library ? dlsym(library, "LAPACKE_dgges_work") : NULL;
    // POSIX guarantees that these bits are those of the function; ISO C has no cast for it.
    memcpy(&lapack.dgees, &dgees, sizeof dgees);
    memcpy(&lapack.dgges, &dgges, sizeof dgges);
}

static ib_Status need_lapack(ib_Error *error)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, open_lapack);
    if (lapack.dgees && lapack.dgges) return IB_OK;
    return ib_error_set(error, IB_FAILED,
                        "LAPACK is not there, which continuous Riccati equations need: install "
                        "liblapacke");
}

// ---------------------------------------------------------------------------------------- subspace

// The two halves of the stable subspace, n x n each, and X = V U^-1 from U'X = V' (X = X').
// False: U is singular.
static bool quotient(int n, const double *vectors, double *X)
{
    double Ut[IB__NN], column[IB_STATES_MAX];
    int pivot[IB_STATES_MAX];
    // Columns of `vectors` are vectors, 2 n long and stored one after the other: U' is row-major.
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) Ut[i * n + j] = vectors[i * 2 * n + j];
    if (ib_matrix_factor(n, Ut, pivot)) return false;
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) column[i] = vectors[i * 2 * n + n + j];
        ib_matrix_solve(n, Ut, pivot, column);
        for (int i = 0; i < n; i++) X[i * n + j] = column[i];
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            X[i * n + j] = X[j * n + i] = 0.5 * (X[i * n + j] + X[j * n + i]);
    return isfinite(ib_matrix_norm(n, n, X));
}

static lapack_logical decays(const double *re, const double *im)
{
    (void)im;
    return *re < 0;
}

static lapack_logical decays_sampled(const double *re, const double *im, const double *below)
{
    return *re * *re + *im * *im < *below * *below;
}

// The Hamiltonian matrix [F, -G; -H, -F'], by columns.
static bool solve_continuous(const ib__Balanced *b, double *X)
{
    int n = b->n, side = 2 * n;
    double h[SIDE * SIDE], vectors[SIDE * SIDE], re[SIDE], im[SIDE], work[WORK];
    lapack_logical order[SIDE];
    lapack_int stable = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            h[j * side + i] = b->F[i * n + j];
            h[(n + j) * side + i] = -b->G[i * n + j];
            h[j * side + n + i] = -b->H[i * n + j];
            h[(n + j) * side + n + i] = -b->F[j * n + i];
        }
    lapack_int info = lapack.dgees(LAPACK_COL_MAJOR, 'V', 'S', decays, side, h, side, &stable, re,
                                   im, vectors, side, work, WORK, order);
    // side + 2: rounding moved a pole across the axis while they were sorted; `stable` tells.
    return (info == 0 || info == side + 2) && stable == n && quotient(n, vectors, X);
}

// The symplectic pencil [F, 0; -H, I] - z [I, G; 0, F'], by columns.
static bool solve_discrete(const ib__Balanced *b, double *X)
{
    int n = b->n, side = 2 * n;
    double p[SIDE * SIDE] = {0}, q[SIDE * SIDE] = {0}, left[1], vectors[SIDE * SIDE];
    double re[SIDE], im[SIDE], below[SIDE], work[WORK];
    lapack_logical order[SIDE];
    lapack_int stable = 0;
    for (int i = 0; i < n; i++) {
        p[(n + i) * side + n + i] = q[i * side + i] = 1;
        for (int j = 0; j < n; j++) {
            p[j * side + i] = b->F[i * n + j];
            p[j * side + n + i] = -b->H[i * n + j];
            q[(n + j) * side + i] = b->G[i * n + j];
            q[(n + j) * side + n + i] = b->F[j * n + i];
        }
    }
    lapack_int info =
        lapack.dgges(LAPACK_COL_MAJOR, 'N', 'V', 'S', decays_sampled, side, p, side, q, side,
                     &stable, re, im, below, left, 1, vectors, side, work, WORK, order);
    return (info == 0 || info == side + 2) && stable == n && quotient(n, vectors, X);
}

// -------------------------------------------------------------------------------------- evaluation

// K = R^-1 (B'X + N') and the residual.
static bool evaluate(const ib__Balanced *b, ib__Candidate *c)
{
    int n = b->n, m = b->m;
    double Bt[IB__NM], part[IB__NN];
    ib_matrix_transpose(n, m, b->B, Bt);
    ib__times(m, n, n, Bt, c->X, c->K);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) c->K[i * n + j] += b->N[j * m + i];
    ib__cholesky_forward(m, n, b->L, c->K);
    ib__cholesky_back(m, n, b->L, c->K);
    ib__times(n, m, n, b->B, c->K, part);
    ib_matrix_add(n, n, b->A, -1, part, c->closed);
    ib__times(n, n, n, c->X, c->closed, part);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) c->residual[i * n + j] = part[i * n + j] + part[j * n + i];
    return ib__riccati_judge(b, c->X, c);
}

// ----------------------------------------------------------------------------------------- solvers

static bool is_stable(int n, const double *closed, bool continuous)
{
    ib_Complex poles[IB_STATES_MAX];
    if (ib_eigenvalues(n, closed, poles, NULL) != IB_OK) return false;
    for (int i = 0; i < n; i++) {
        double re = poles[i].re, im = poles[i].im;
        if (continuous ? re >= 0 : re * re + im * im >= 1) return false;
    }
    return true;
}

static ib_Status solve(const ib_Riccati *p, bool continuous, double *X, double *K,
                       ib_RiccatiAccuracy *accuracy, ib_Error *error)
{
    const double good = 1e-6;
    ib__Balanced b;
    ib__Candidate c;
    c.relative = INFINITY;
    *accuracy = (ib_RiccatiAccuracy){.residual = INFINITY, .method = "schur"};
    ib_Status status = need_lapack(error);
    if (status == IB_OK) status = ib__riccati_prepare(p, &b, error);
    if (status != IB_OK) return status;
    bool found = continuous ? solve_continuous(&b, c.X) && evaluate(&b, &c)
                            : solve_discrete(&b, c.X) && ib__riccati_evaluate(&b, &c);
    if (found && c.relative < good && is_stable(b.n, c.closed, continuous)) {
        accuracy->residual = c.relative;
        return ib__riccati_finish(&b, &c, X, K, error);
    }
    status = ib__riccati_check_modes(p, &b, continuous, 1e-8, 1e-6, error);
    if (status != IB_OK) return status;
    return ib_error_set(error, IB_FAILED, "no solution that makes the loop stable was found");
}

ib_Status ib_care(const ib_Riccati *p, double *X, double *K, ib_RiccatiAccuracy *accuracy,
                  ib_Error *error)
{
    return solve(p, true, X, K, accuracy, error);
}

ib_Status ib_dare_schur(const ib_Riccati *p, double *X, double *K, ib_RiccatiAccuracy *accuracy,
                        ib_Error *error)
{
    return solve(p, false, X, K, accuracy, error);
}
