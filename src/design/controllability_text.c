// design/controllability_text.c: uncontrollable and unobservable modes in words. Symbols: l an
// eigenvalue, w a left eigenvector of the remaining part (w' A = l w'). For inputs w' x is the
// uncontrollable quantity; for outputs, where A stands for A', w is the shape of the
// unobservable motion.
#include "design/controllability_text.h"

#include "linear/singular.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { N = IB_STATES_MAX };

#define SAME      1e-6 ///< of the plant's size: nearer eigenvalues count as equal
#define INVISIBLE 1e-6 ///< of the largest: shares in a mode below this are rounding

// -------------------------------------------------------------------------------------- directions

// The left null vectors of rest - l I, in the balanced states, as rows of w; for complex l the
// shares |w_i| of the states, one row. Returns their number.
static int find_directions(int n, int k, const double *rest, const double *Q, ib_Complex l,
                           double norm, double *w)
{
    double a[2 * N * 2 * N], u[2 * N * 2 * N], sigma[2 * N];
    int parts = l.im != 0 ? 2 : 1, size = parts * k, found = 0;
    memset(a, 0, sizeof a);
    for (int part = 0; part < parts; part++)
        for (int i = 0; i < k; i++) {
            double *row = a + (part * k + i) * size;
            for (int j = 0; j < k; j++) row[part * k + j] = rest[i * k + j] - (i == j ? l.re : 0);
            if (parts == 2) row[(1 - part) * k + i] = part == 0 ? l.im : -l.im;
        }
    ib_singular_values(size, size, a, u, sigma);
    int from = size - 1;
    while (parts == 1 && from > 0 && sigma[from - 1] <= SAME * norm) from--;
    for (int v = from; v < size; v++) {
        for (int i = 0; i < n; i++) {
            double re = 0, im = 0;
            for (int j = 0; j < k; j++) {
                re += Q[i * n + n - k + j] * u[j * size + v];
                if (parts == 2) im += Q[i * n + n - k + j] * u[(k + j) * size + v];
            }
            w[found * n + i] = parts == 2 ? sqrt(re * re + im * im) : re;
        }
        found++;
    }
    return found;
}

static int largest(int n, const double *row)
{
    int best = 0;
    for (int i = 1; i < n; i++)
        if (fabs(row[i]) > fabs(row[best]) * (1 + INVISIBLE)) best = i;
    return best;
}

// Combines several vectors so that each has a state of its own: as few names as possible.
static void separate(int n, int count, double *w)
{
    for (int v = 0; v < count; v++) {
        int own = largest(n, w + v * n);
        double pivot = w[v * n + own];
        if (pivot == 0) continue;
        for (int i = 0; i < n; i++) w[v * n + i] /= pivot;
        for (int other = 0; other < count; other++) {
            double factor = w[other * n + own];
            if (other == v || factor == 0) continue;
            for (int i = 0; i < n; i++) w[other * n + i] -= factor * w[v * n + i];
        }
    }
}

// ------------------------------------------------------------------------------------------- words

static void append(char *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void append(char *text, const char *format, ...)
{
    size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, IB_CONTROLLABILITY_TEXT - used, format, arguments);
    va_end(arguments);
}

// "v - 0.5 x": the state with the largest share first.
static void append_sum(int n, const double *c, int first, ib_ControllabilityTexts texts, char *text)
{
    append(text, "%s", texts.names[first]);
    for (int i = 0; i < n; i++) {
        if (i == first || c[i] == 0) continue;
        double factor = c[i] / c[first];
        append(text, factor < 0 ? " - " : " + ");
        if (fabs(fabs(factor) - 1) > INVISIBLE) append(text, "%.4g ", fabs(factor));
        append(text, "%s", texts.names[i]);
    }
}

// "x : v = 1 : -0.5": the ratio of their motions.
static void append_ratio(int n, const double *c, int first, ib_ControllabilityTexts texts,
                         char *text)
{
    append(text, "%s", texts.names[first]);
    int count = 0;
    for (int i = 0; i < n; i++)
        if (i != first && c[i] != 0) append(text, " : %s", texts.names[i]), count++;
    if (count == 0) return;
    append(text, " = 1");
    for (int i = 0; i < n; i++)
        if (i != first && c[i] != 0) append(text, " : %.4g", c[i] / c[first]);
}

static void append_names(int n, const double *c, ib_ControllabilityTexts texts, char *text)
{
    const char *before = "in ";
    for (int i = 0; i < n; i++) {
        if (c[i] == 0) continue;
        append(text, "%s%s", before, texts.names[i]);
        before = ", ";
    }
}

static void append_mode(int n, const double *w, const double *scale, ib_Complex l, double norm,
                        ib_ControllabilityTexts texts, char *text)
{
    double c[N];
    double least = INVISIBLE * fabs(w[largest(n, w)]);
    for (int i = 0; i < n; i++) c[i] = fabs(w[i]) > least ? w[i] / scale[i] : 0;
    int first = largest(n, c);
    append(text, "%sthe mode at %.6g", text[0] ? "; " : "", fabs(l.re) > 1e-9 * norm ? l.re : 0.0);
    if (l.im != 0) append(text, " +- %.6gi", l.im);
    append(text, " (");
    if (l.im != 0)
        append_names(n, c, texts, text);
    else if (texts.seen)
        append_ratio(n, c, first, texts, text);
    else
        append_sum(n, c, first, texts, text);
    append(text, texts.seen ? ") does not show in any output" : ") cannot be moved by any input");
}

void ib_controllability_describe(int n, int k, const double *rest, const double *Q,
                                 const double *scale, double norm, ib_ControllabilityTexts texts,
                                 ib_ControllabilitySide *side)
{
    double w[N * N];
    bool told[N] = {false};
    for (int i = 0; i < k; i++) {
        ib_Complex l = side->mode[i];
        if (told[i] || l.im < 0) continue;
        // Eigenvalues that are equal within rounding share one sentence.
        for (int j = i; j < k; j++)
            if (ib_complex_size(ib_complex_subtract(side->mode[j], l)) <= SAME * norm)
                told[j] = true;
        if (l.im <= SAME * norm) l.im = 0;
        int count = find_directions(n, k, rest, Q, l, norm, w);
        separate(n, count, w);
        for (int v = 0; v < count; v++)
            append_mode(n, w + v * n, scale, l, norm, texts, side->text);
    }
}
