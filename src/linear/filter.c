#include "linear/filter.h"

#include "base/extreme.h"
#include "base/maths.h"

#include <math.h>

//   symbol    meaning                                                     unit
//   f, fs     frequency, sample rate                                      Hz
//   W         tan(pi f/fs): f after the bilinear transform                1
//   N         order                                                       1
//   A, R      attenuation, ripple                                         dB
//   th        angle of a pole, (2 k - 1) pi/(2 N)                         rad
//   S         s/Wc, or s/Ws                                               1

const char *const ib_filter_kinds[] = {"none", "butterworth", "chebyshev2", NULL};

static const double PI = 3.14159265358979323846, LN_10 = 2.30258509299404568402;

// ---------------------------------------------------------------------------------------- formulas

// s = (z - 1)/(z + 1) takes the circle of all frequencies below fs/2 to the whole axis: a frequency
// f of the samples is W = tan(pi f/fs) of the continuous filter.
static double prewarp(double frequency, double rate)
{
    double s, c;
    ib_sincos(PI * frequency / rate, &s, &c);
    return s / c;
}

// 10^(a/10) - 1: power lost over power left. a [dB].
static double loss(double a)
{
    return ib_exp(a * LN_10 / 10) - 1;
}

static double acosh_of(double x)
{
    return ib_log(x + sqrt(x * x - 1));
}

// sinh of asinh(x)/n.
static double sinh_part(double x, int n)
{
    double e = ib_exp(ib_log(x + sqrt(x * x + 1)) / n);
    return 0.5 * (e - 1 / e);
}

// With d = sqrt((10^(A/10) - 1)/(10^(R/10) - 1)) and w = Ws/Wp:
//   butterworth  N >= ln d/ln w
//   chebyshev2   N >= acosh d/acosh w
double ib_filter_least_order(const ib_FilterConfig *config, double rate)
{
    double w = prewarp(config->stop, rate) / prewarp(config->pass, rate);
    double d = sqrt(loss(config->attenuation) / loss(config->ripple));
    return config->kind == IB_FILTER_BUTTERWORTH ? ib_log(d) / ib_log(w)
                                                 : acosh_of(d) / acosh_of(w);
}

// 1 + 2 b S + m S^2 below, 1 + c2 S^2 above, S = s/W.
static ib_FilterSection make_section(double W, double b, double m, double c2)
{
    double root = sqrt(m), g = W / root, k = 2 * b / root;
    double a1 = 1 / (1 + g * (g + k));
    return (ib_FilterSection){.a1 = a1, .a2 = g * a1, .a3 = g * (g * a1), .k = k, .r = c2 / m};
}

// The poles of Butterworth lie on a circle: 1 + 2 sin(th) S + S^2 is a pair of them. Those of
// Chebyshev's second kind are the inverses of points on an ellipse with the half axes sinh and cosh
// of mu = asinh(sqrt(10^(A/10) - 1))/N, and its zeros stand on the axis at 1/cos(th):
//   (1 + cos^2(th) S^2)/(1 + 2 sinh(mu) sin(th) S + (sinh^2(mu) + cos^2(th)) S^2)
// Both are 1 at S = 0. An odd order has one pole more, at th = pi/2. The sections are in the order
// of their resonance, so that none is driven harder than necessary.
static void make_sections(int kind, int order, double W, double attenuation, ib_Filter *filter)
{
    bool circle = kind == IB_FILTER_BUTTERWORTH;
    double axis = circle ? 1 : sinh_part(sqrt(loss(attenuation)), order);
    *filter = (ib_Filter){.order = order};
    if (order % 2) filter->first = W / axis / (1 + W / axis);
    for (int i = 0; i < order / 2; i++) {
        double s, c;
        ib_sincos((2 * (order / 2 - i) - 1) * PI / (2 * order), &s, &c);
        filter->sections[i] = circle ? make_section(W, s, 1, 0)
                                     : make_section(W, axis * s, axis * axis + c * c, c * c);
    }
}

// -------------------------------------------------------------------------------------------- keys

static ib_Status refuse(const char **key, const char *at, ib_Error *error, const char *text)
{
    *key = at;
    return ib_error_set(error, IB_BAD_INPUT, "%s", text);
}

static ib_Status refuse_missing(const char **key, ib_Error *error, const char *missing,
                                const char *expected)
{
    *key = "";
    return ib_error_set(error, IB_BAD_INPUT, "'%s' is missing: expected %s", missing, expected);
}

static ib_Status refuse_fast(const char **key, const char *at, double rate, ib_Error *error)
{
    *key = at;
    return ib_error_set(error, IB_BAD_INPUT,
                        "expected a frequency below half the sample rate, %g Hz", rate / 2);
}

// Without a filter its keys have no meaning.
static ib_Status check_none(const ib_FilterConfig *config, const char **key, ib_Error *error)
{
    const struct {
        const char *key;
        double value;
    } given[] = {{"order", config->order},   {"cutoff", config->cutoff},
                 {"pass", config->pass},     {"stop", config->stop},
                 {"ripple", config->ripple}, {"attenuation", config->attenuation}};
    for (int i = 0; i < 6; i++)
        if (given[i].value != 0)
            return refuse(key, given[i].key, error,
                          "there is no filter: expected 'filter: butterworth' or 'chebyshev2' "
                          "beside it");
    return IB_OK;
}

static ib_Status check_edges(const ib_FilterConfig *config, double rate, const char **key,
                             ib_Error *error)
{
    if (config->order > 0 || config->cutoff > 0)
        return refuse(key, config->order > 0 ? "order" : "cutoff", error,
                      "the filter is given twice: expected either order and cutoff, or pass, stop, "
                      "ripple and attenuation");
    if (!(config->pass > 0)) return refuse_missing(key, error, "pass", "the end of the pass band");
    if (!(config->stop > 0))
        return refuse_missing(key, error, "stop", "the begin of the stop band");
    if (!(config->pass < config->stop))
        return refuse(key, "pass", error, "expected a frequency below that of stop");
    if (!(config->stop < rate / 2)) return refuse_fast(key, "stop", rate, error);
    if (!(config->ripple > 0))
        return refuse_missing(key, error, "ripple", "the most that is lost up to pass, in dB");
    if (!(config->attenuation > 0))
        return refuse_missing(key, error, "attenuation",
                              "the least that is lost from stop on, in dB");
    if (!(config->ripple < config->attenuation))
        return refuse(key, "ripple", error, "expected less than the attenuation");
    return IB_OK;
}

static ib_Status check_order(const ib_FilterConfig *config, double rate, const char **key,
                             ib_Error *error)
{
    bool equal = config->kind == IB_FILTER_CHEBYSHEV2;
    if (config->order == 0 && config->cutoff == 0)
        return refuse_missing(key, error, "cutoff",
                              "order and cutoff, or pass, stop, ripple and attenuation");
    if (config->order < 1 || config->order > IB_FILTER_ORDER)
        return refuse(key, "order", error, "expected an order, 1 to 16");
    if (!(config->cutoff > 0))
        return refuse_missing(key, error, "cutoff", "the frequency up to which it lets pass");
    if (!(config->cutoff < rate / 2)) return refuse_fast(key, "cutoff", rate, error);
    if (config->ripple > 0)
        return refuse(key, "ripple", error, "expected pass and stop beside it, not order");
    if (config->attenuation > 0 && !equal)
        return refuse(key, "attenuation", error,
                      "of a butterworth filter the order says it: leave this key out, or write "
                      "pass and stop");
    if (!(config->attenuation > 0) && equal)
        return refuse_missing(key, error, "attenuation",
                              "the least that is lost from cutoff on, in dB");
    return IB_OK;
}

// With a whole order, the stop band is met exactly and the pass band with a margin:
//   butterworth  Wc = Ws/(10^(A/10) - 1)^(1/(2 N))
//   chebyshev2   the edge is Ws itself
static ib_Status init_edges(const ib_FilterConfig *config, double rate, ib_Filter *filter,
                            const char **key, ib_Error *error)
{
    ib_Status status = check_edges(config, rate, key, error);
    if (status != IB_OK) return status;
    // An order within rounding of a whole number is that number.
    double least = ib_filter_least_order(config, rate), order = ib_max(1, ceil(least - 1e-9));
    if (!(order <= IB_FILTER_ORDER)) {
        *key = "pass";
        return ib_error_set(error, IB_BAD_INPUT,
                            "the bands are too close to each other: they need a filter of order "
                            "%.0f, expected at most %d",
                            order, IB_FILTER_ORDER);
    }
    double W = prewarp(config->stop, rate);
    if (config->kind == IB_FILTER_BUTTERWORTH)
        W *= ib_exp(-ib_log(loss(config->attenuation)) / (2 * order));
    make_sections(config->kind, (int)order, W, config->attenuation, filter);
    return IB_OK;
}

ib_Status ib_filter_init(const ib_FilterConfig *config, double rate, ib_Filter *filter,
                         const char **key, ib_Error *error)
{
    *key = "";
    *filter = (ib_Filter){0};
    if (config->kind == IB_FILTER_NONE) return check_none(config, key, error);
    if (config->pass > 0 || config->stop > 0) return init_edges(config, rate, filter, key, error);
    ib_Status status = check_order(config, rate, key, error);
    if (status == IB_OK)
        make_sections(config->kind, config->order, prewarp(config->cutoff, rate),
                      config->attenuation, filter);
    return status;
}

// --------------------------------------------------------------------------------------------- run

// The memory is that of the trapezoids' integrators: the output of first order; the rate and the
// output of second order, each half a step ahead. A constant input passes unchanged, to the bit.
void ib_filter_settle(const ib_Filter *filter, double value, double *memory)
{
    int odd = filter->order % 2;
    if (odd) memory[0] = value;
    for (int i = odd; i < filter->order; i += 2) {
        memory[i] = 0;
        memory[i + 1] = value;
    }
}

// dv/dt = g (u - v), both at the middle of the step.
static double step_first(double share, double u, double *v)
{
    double half = share * (u - *v), y = *v + half;
    *v = y + half;
    return y;
}

//   d low/dt = g band,   d band/dt = g high,   high = u - k band - low,   y = low + r high
// all of them at the middle of the step.
static double step_section(const ib_FilterSection *f, double u, double *v)
{
    double rest = u - v[1];
    double band = f->a1 * v[0] + f->a2 * rest, low = v[1] + (f->a2 * v[0] + f->a3 * rest);
    v[0] = 2 * band - v[0];
    v[1] = 2 * low - v[1];
    return low + f->r * ((u - low) - f->k * band);
}

double ib_filter_step(const ib_Filter *filter, double u, double *memory)
{
    int odd = filter->order % 2;
    if (odd) u = step_first(filter->first, u, memory);
    for (int i = 0; i < filter->order / 2; i++)
        u = step_section(&filter->sections[i], u, memory + odd + 2 * i);
    return u;
}

// Beyond its ends the recording continues as its mirror image through the end point, 2 x_0 - x_k,
// which continues a slope straight.
ib_Status ib_filter_both_ways(const ib_Filter *filter, double *samples, int64_t count,
                              ib_Error *error)
{
    double memory[IB_FILTER_ORDER], behind[3 * IB_FILTER_ORDER];
    int more = 3 * filter->order;
    if (count <= more)
        return ib_error_set(error, IB_BAD_INPUT,
                            "%lld samples: a filter of order %d both ways needs more than %d",
                            (long long)count, filter->order, more);
    double first = samples[0], last = samples[count - 1];
    for (int k = 0; k < more; k++) behind[k] = 2 * last - samples[count - 2 - k];

    ib_filter_settle(filter, 2 * first - samples[more], memory);
    for (int k = more; k > 0; k--) ib_filter_step(filter, 2 * first - samples[k], memory);
    for (int64_t i = 0; i < count; i++) samples[i] = ib_filter_step(filter, samples[i], memory);
    for (int k = 0; k < more; k++) behind[k] = ib_filter_step(filter, behind[k], memory);

    if (more > 0) ib_filter_settle(filter, behind[more - 1], memory);
    for (int k = more - 1; k >= 0; k--) ib_filter_step(filter, behind[k], memory);
    for (int64_t i = count - 1; i >= 0; i--)
        samples[i] = ib_filter_step(filter, samples[i], memory);
    return IB_OK;
}
