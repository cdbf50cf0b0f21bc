// design/arm/arm_evolve.c: CMA-ES with Cholesky's factor instead of the root of the covariance.
//
// Symbols as in the tutorial: n numbers, lambda children, mu parents with weights w_i, mu_eff,
// c_sigma, d_sigma, c_c, c_1, c_mu; y = L z the step of a child, y_w the mean of the parents'.
#include "design/arm/arm_evolve.h"

#include "base/extreme.h"
#include "base/maths.h"
#include "base/random.h"
#include "base/status.h"

#include <math.h>

enum {
    MOST = IB_EVOLVE_MOST,
    LAMBDA = IB_EVOLVE_LITTER,
    MU = LAMBDA / 2,
};

// Rates of learning, from n alone.
typedef struct Rates {
    double w[MU], mu_eff;
    double c_sigma, d_sigma, c_c, c_1, c_mu;
    double usual; ///< mean length of a normal vector of n numbers
} Rates;

static Rates rates_of(int n)
{
    Rates r = {0};
    double sum = 0, squares = 0, m = n;
    for (int i = 0; i < MU; i++) {
        r.w[i] = ib_log(MU + 0.5) - ib_log(i + 1);
        sum += r.w[i];
    }
    for (int i = 0; i < MU; i++) {
        r.w[i] /= sum;
        squares += r.w[i] * r.w[i];
    }
    double e = r.mu_eff = 1 / squares;
    r.c_sigma = (e + 2) / (m + e + 5);
    r.d_sigma = 1 + r.c_sigma + 2 * ib_max(sqrt((e - 1) / (m + 1)) - 1, 0);
    r.c_c = (4 + e / m) / (m + 4 + 2 * e / m);
    r.c_1 = 2 / ((m + 1.3) * (m + 1.3) + e);
    r.c_mu = ib_min(1 - r.c_1, 2 * (e - 2 + 1 / e) / ((m + 2) * (m + 2) + e));
    r.usual = sqrt(m) * (1 - 1 / (4 * m) + 1 / (21 * m * m));
    return r;
}

bool ib_worth_better(ib_Worth one, ib_Worth other)
{
    if (one.breach > 0 || other.breach > 0) return one.breach < other.breach;
    return one.value < other.value;
}

static void begin(ib_Evolve *evolve, double sigma)
{
    int n = evolve->n;
    evolve->sigma = sigma;
    evolve->generation = 0;
    for (int i = 0; i < n; i++) {
        evolve->mean[i] = evolve->best[i];
        evolve->way[i] = evolve->stride[i] = 0;
        for (int j = 0; j < n; j++) evolve->C[i][j] = evolve->L[i][j] = i == j;
    }
}

void ib_evolve_init(ib_Evolve *evolve, int n, const double *x, double sigma, uint64_t seed,
                    ib_WorthFunction *worth, void *context)
{
    IB_ASSERT(n >= 1 && n <= MOST && sigma > 0);
    *evolve = (ib_Evolve){.n = n, .seed = seed, .first = sigma};
    for (int i = 0; i < n; i++) evolve->best[i] = x[i];
    evolve->worth = worth(context, x);
    begin(evolve, sigma);
}

// C = L L'. False: after rounding C is no longer positive definite.
static bool factor(ib_Evolve *evolve)
{
    int n = evolve->n;
    for (int j = 0; j < n; j++) {
        double rest = evolve->C[j][j];
        for (int k = 0; k < j; k++) rest -= evolve->L[j][k] * evolve->L[j][k];
        if (!(rest > 0)) return false;
        double pivot = evolve->L[j][j] = sqrt(rest);
        for (int i = j + 1; i < n; i++) {
            double sum = evolve->C[i][j];
            for (int k = 0; k < j; k++) sum -= evolve->L[i][k] * evolve->L[j][k];
            evolve->L[i][j] = sum / pivot;
        }
    }
    return true;
}

// -------------------------------------------------------------------------------------- generation

typedef struct Child {
    double z[MOST], y[MOST];
    ib_Worth worth;
} Child;

static void draw(ib_Evolve *evolve, Child *child, ib_WorthFunction *worth, void *context)
{
    int n = evolve->n;
    double x[MOST];
    for (int i = 0; i < n; i++) {
        child->z[i] = ib_random_normal(evolve->seed, 0, evolve->draw++);
        child->y[i] = 0;
        for (int j = 0; j <= i; j++) child->y[i] += evolve->L[i][j] * child->z[j];
        x[i] = evolve->mean[i] + evolve->sigma * child->y[i];
    }
    child->worth = worth(context, x);
    if (!ib_worth_better(child->worth, evolve->worth)) return;
    evolve->worth = child->worth;
    for (int i = 0; i < n; i++) evolve->best[i] = x[i];
}

// Sorts the best first; equal ones keep their order.
static void sort(const Child *children, int *order)
{
    for (int k = 0; k < LAMBDA; k++) {
        int at = k;
        for (; at > 0 && ib_worth_better(children[k].worth, children[order[at - 1]].worth); at--)
            order[at] = order[at - 1];
        order[at] = k;
    }
}

//   p_sigma <- (1 - c_sigma) p_sigma + sqrt(c_sigma (2 - c_sigma) mu_eff) z_w
//   sigma <- sigma exp(c_sigma/d_sigma (|p_sigma|/usual - 1))
//   p_c <- (1 - c_c) p_c + h sqrt(c_c (2 - c_c) mu_eff) y_w
// h = 0 while sigma grows quickly. Returns the part that p_c then lacks.
static double follow(ib_Evolve *evolve, const Rates *r, const double *z_w, const double *y_w)
{
    int n = evolve->n;
    double size = 0, fade = 1, cs = r->c_sigma, cc = r->c_c;
    for (int i = 0; i < n; i++) {
        evolve->mean[i] += evolve->sigma * y_w[i];
        evolve->stride[i] = (1 - cs) * evolve->stride[i] + sqrt(cs * (2 - cs) * r->mu_eff) * z_w[i];
        size += evolve->stride[i] * evolve->stride[i];
    }
    size = sqrt(size);
    for (int k = 0; k < 2 * (evolve->generation + 1) && fade > 1e-12; k++) fade *= 1 - cs;
    bool h = size / sqrt(1 - fade) < (1.4 + 2.0 / (n + 1)) * r->usual;
    for (int i = 0; i < n; i++)
        evolve->way[i] =
            (1 - cc) * evolve->way[i] + (h ? sqrt(cc * (2 - cc) * r->mu_eff) * y_w[i] : 0);
    evolve->sigma *= ib_exp(ib_min(cs / r->d_sigma * (size / r->usual - 1), 1));
    return h ? 0 : cc * (2 - cc);
}

//   C <- (1 - c_1 - c_mu + lack) C + c_1 p_c p_c' + c_mu sum w_i y_i y_i'
static void learn(ib_Evolve *evolve, const Rates *r, const Child *children, const int *order,
                  double lack)
{
    int n = evolve->n;
    double kept = 1 - r->c_1 - r->c_mu + r->c_1 * lack;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double sum = 0;
            for (int k = 0; k < MU; k++)
                sum += r->w[k] * children[order[k]].y[i] * children[order[k]].y[j];
            evolve->C[i][j] =
                kept * evolve->C[i][j] + r->c_1 * evolve->way[i] * evolve->way[j] + r->c_mu * sum;
            evolve->C[j][i] = evolve->C[i][j];
        }
}

static double largest_step(const ib_Evolve *evolve)
{
    double most = 0;
    for (int i = 0; i < evolve->n; i++) most = ib_max(most, evolve->C[i][i]);
    return evolve->sigma * sqrt(most);
}

void ib_evolve_run(ib_Evolve *evolve, int count, ib_WorthFunction *worth, void *context)
{
    int n = evolve->n, order[LAMBDA];
    Rates rates = rates_of(n);
    Child children[LAMBDA];
    for (int done = 0; done + LAMBDA <= count; done += LAMBDA) {
        double z_w[MOST] = {0}, y_w[MOST] = {0};
        for (int k = 0; k < LAMBDA; k++) draw(evolve, &children[k], worth, context);
        sort(children, order);
        for (int k = 0; k < MU; k++)
            for (int i = 0; i < n; i++) {
                z_w[i] += rates.w[k] * children[order[k]].z[i];
                y_w[i] += rates.w[k] * children[order[k]].y[i];
            }
        double lack = follow(evolve, &rates, z_w, y_w);
        learn(evolve, &rates, children, order, lack);
        evolve->generation++;
        double step = largest_step(evolve);
        if (!factor(evolve) || !(step > 1e-4 * evolve->first) || step > 1e4 * evolve->first)
            begin(evolve, 0.5 * evolve->first);
    }
}
