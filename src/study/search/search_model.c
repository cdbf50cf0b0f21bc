#include "study/search/search_model.h"

#include "base/extreme.h"
#include "base/matrix.h"

#include <math.h>
#include <string.h>

// The terms 1, z_i, z_i z_j of a point.
static int terms_of(const ib__SearchModel *model, const double *x, double *t)
{
    int n = model->n, count = 0;
    double z[IB_SEARCH_MOST_VARIABLES];
    t[count++] = 1;
    for (int i = 0; i < n; i++) t[count++] = z[i] = (x[i] - model->centre[i]) / model->reach[i];
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) t[count++] = z[i] * z[j];
    return count;
}

static double sum(const ib__SearchModel *model, const double *c, const double *t)
{
    double total = 0;
    for (int i = 0; i < model->terms; i++) total += c[i] * t[i];
    return total;
}

// Normal equations of a least squares fit:  A c = b,  A = sum w t t',  b = sum w t y
typedef struct Normal {
    double A[IB__MODEL_TERMS * IB__MODEL_TERMS], b[IB__MODEL_TERMS];
} Normal;

static void add_row(Normal *normal, int terms, const double *t, double y, double weight)
{
    for (int i = 0; i < terms; i++) {
        normal->b[i] += weight * t[i] * y;
        for (int j = 0; j < terms; j++) normal->A[i * terms + j] += weight * t[i] * t[j];
    }
}

// A ridge keeps the solution small where there are fewer points than terms.
static void solve(Normal *normal, int n, int terms, double *c)
{
    int pivot[IB__MODEL_TERMS];
    double total = normal->A[0];
    for (int i = 0; i < terms; i++)
        normal->A[i * terms + i] += (i == 0 ? 1e-12 : i <= n ? 1e-8 : 1e-6) * total;
    if (ib_matrix_factor(terms, normal->A, pivot))
        memset(normal->b, 0, sizeof normal->b);
    else
        ib_matrix_solve(terms, normal->A, pivot, normal->b);
    for (int i = 0; i < terms; i++) c[i] = normal->b[i];
}

// 1 at the centre, 1/8 at distance 1, then as 1/|z|^6.
static double weight_of(const ib__SearchModel *model, const double *t)
{
    double square = 0;
    for (int i = 1; i <= model->n; i++) square += t[i] * t[i];
    return 1 / ((1 + square) * (1 + square) * (1 + square));
}

static void fit_values(ib__SearchModel *model, const ib_Search *search, int branch)
{
    Normal normal = {0};
    double t[IB__MODEL_TERMS];
    for (int i = 0; i < search->told; i++) {
        const ib__SearchPoint *point = &search->points[i];
        if (point->branch != branch || !isfinite(point->score.value)) continue;
        terms_of(model, point->x, t);
        add_row(&normal, model->terms, t, point->score.value, weight_of(model, t));
    }
    solve(&normal, model->n, model->terms, model->value);
}

// True if a point that is not allowed lies in the doubled box. Farther ones tell nothing about it.
static bool is_barred_near(const ib__SearchModel *model, const ib_Search *search, int branch)
{
    for (int i = 0; i < search->told; i++) {
        const ib__SearchPoint *point = &search->points[i];
        bool near = point->branch == branch && point->score.violation > 0;
        for (int k = 0; k < model->n && near; k++)
            near = fabs(point->x[k] - model->centre[k]) <= 2 * model->reach[k];
        if (near) return true;
    }
    return false;
}

// The largest violation that is known.
static double largest_violation(const ib_Search *search)
{
    double largest = 0;
    for (int i = 0; i < search->told; i++)
        if (isfinite(search->points[i].score.violation))
            largest = ib_max(largest, search->points[i].score.violation);
    return largest;
}

// Where no violation is known the fit parts 1, not allowed, from -1, allowed. An allowed point
// takes part only where the model has more than that, one of unknown violation where it has less:
// so the fit is made again by what the fit before has there.
static void fit_violations(ib__SearchModel *model, const ib_Search *search, int branch)
{
    double t[IB__MODEL_TERMS], largest = largest_violation(search);
    double unknown = largest > 0 ? 2 * largest : 1, allowed = largest > 0 ? 0 : -1;
    for (int round = 0; round < 6; round++) {
        Normal normal = {0};
        for (int i = 0; i < search->told; i++) {
            const ib__SearchPoint *point = &search->points[i];
            double y = point->score.violation;
            if (point->branch != branch) continue;
            terms_of(model, point->x, t);
            double now = round == 0 ? NAN : sum(model, model->violation, t);
            if ((y == 0 && now < allowed) || (y == INFINITY && now > unknown)) continue;
            y = y == 0 ? allowed : y == INFINITY ? unknown : y;
            add_row(&normal, model->terms, t, y, weight_of(model, t));
        }
        solve(&normal, model->n, model->terms, model->violation);
    }
}

void ib__search_model_fit(ib__SearchModel *model, const ib_Search *search, int branch,
                          const double *centre, double radius)
{
    int n = search->axis_count;
    *model = (ib__SearchModel){.n = n, .terms = (n + 1) * (n + 2) / 2};
    for (int i = 0; i < n; i++) {
        model->centre[i] = centre[i];
        double step = 1.0 / search->ladders[search->axes[i]].last;
        model->reach[i] = radius < 0.25 * step ? radius : ib_max(radius, step);
    }
    fit_values(model, search, branch);
    model->barred = is_barred_near(model, search, branch);
    if (model->barred) fit_violations(model, search, branch);
}

ib_SearchScore ib__search_model_at(const ib__SearchModel *model, const double *x)
{
    double t[IB__MODEL_TERMS];
    terms_of(model, x, t);
    return (ib_SearchScore){
        .violation = model->barred ? sum(model, model->violation, t) : -INFINITY,
        .value = sum(model, model->value, t),
    };
}

double ib__search_model_slope(const ib__SearchModel *model)
{
    double square = 0;
    for (int i = 1; i <= model->n; i++) square += model->violation[i] * model->violation[i];
    return sqrt(square);
}
