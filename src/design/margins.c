// Symbols: w frequency [rad/s], L what comes back at the cut.
#include "design/margins.h"

#include "base/maths.h"
#include "design/frequency.h"
#include "design/margins_inside.h"

#include <stdlib.h>
#include <string.h>

enum {
    SPACED = 600,  ///< frequencies at equal ratios
    AROUND = 17,   ///< more of them about each resonance
    HALVINGS = 60, ///< to the last bit of a crossing
    SECTIONS = 60, ///< of a minimum
};

#define UNBOUNDED 1e9 ///< |L| from here on is a pole, below its inverse zero

enum { MOST = SPACED + AROUND * IB_MARGINS_POLES };

// ------------------------------------------------------------------ frequencies

static int in_order(const void *a_, const void *b_)
{
    double a = *(const double *)a_, b = *(const double *)b_;
    return a < b ? -1 : a > b ? 1 : 0;
}

// A pole with little damping draws a narrow loop in the plane; points at fractions of its width.
static int add_resonance(double period, ib_Complex pole, double low, double high, double *w)
{
    ib_Complex s = pole;
    if (period > 0) {
        double size = ib_complex_size(pole);
        if (!(size > 0)) return 0;
        s = (ib_Complex){ib_log(size) / period, ib_atan2(pole.im, pole.re) / period};
    }
    int count = 0;
    if (!(s.im > 0) || fabs(s.re) > s.im) return 0;
    for (int k = 0; k < AROUND; k++) {
        double at = s.im + (k - AROUND / 2) * 0.5 * fmax(fabs(s.re), 1e-6 * s.im);
        if (at > low && at < high) w[count++] = at;
    }
    return count;
}

static int choose_frequencies(double period, const ib_Complex *poles, int count, double *w)
{
    double low, high;
    ib_frequency_range(period, poles, count, &low, &high);
    low *= 0.01;
    if (!(period > 0)) high *= 100;
    int found = 0;
    for (; found < SPACED; found++) w[found] = ib_frequency_spaced(low, high, found, SPACED);
    for (int i = 0; i < count; i++) found += add_resonance(period, poles[i], low, high, w + found);
    qsort(w, (size_t)found, sizeof *w, in_order);
    return found;
}

// ------------------------------------------------------------------ one cut

typedef struct Watch {
    const ib__Cut *cut;
    int input;
    double w[3];     ///< the last three frequencies, newest first
    ib_Complex L[3]; ///< there
    int seen;
    ib_Margin *margin;
} Watch;

static ib_Complex at(const Watch *watch, double w)
{
    ib_Complex L;
    ib__cut_back(watch->cut, ib_frequency_point(watch->cut->plant->period, w), watch->input, &L);
    return L;
}

static double over_one(ib_Complex L)
{
    return L.re * L.re + L.im * L.im - 1;
}

static double height(ib_Complex L)
{
    return L.im;
}

static double from_minus_one(ib_Complex L)
{
    return ib_complex_size((ib_Complex){1 + L.re, L.im});
}

// |1 + L| / |1 - L|; 0 at L = -1, 1 on the imaginary axis and at infinity
static double in_disk(ib_Complex L)
{
    double far = ib_complex_size((ib_Complex){1 - L.re, -L.im});
    return far > 0 ? from_minus_one(L) / far : INFINITY;
}

// Where f changes its sign between the two newest points.
static double halve(const Watch *watch, double (*f)(ib_Complex))
{
    double a = watch->w[1], b = watch->w[0];
    bool above = f(watch->L[1]) > 0;
    for (int i = 0; i < HALVINGS; i++) {
        double middle = 0.5 * (a + b);
        if ((f(at(watch, middle)) > 0) == above)
            a = middle;
        else
            b = middle;
    }
    return 0.5 * (a + b);
}

// The golden section of the last three points, the middle one being the lowest.
static double lowest(const Watch *watch, double (*f)(ib_Complex), double *where)
{
    const double golden = 0.6180339887498949;
    double a = watch->w[2], b = watch->w[0];
    double p = b - golden * (b - a), q = a + golden * (b - a);
    double fp = f(at(watch, p)), fq = f(at(watch, q));
    for (int i = 0; i < SECTIONS; i++) {
        if (fp < fq) {
            b = q, q = p, fq = fp;
            p = b - golden * (b - a);
            fp = f(at(watch, p));
        } else {
            a = p, p = q, fp = fq;
            q = a + golden * (b - a);
            fq = f(at(watch, q));
        }
    }
    *where = fp < fq ? p : q;
    return fmin(fp, fq);
}

// L on the negative real axis: a gain of 1/|L| would put it on -1.
static void note_gain(ib_Complex L, double w, ib_Margin *margin)
{
    double size = -L.re;
    if (!(size > 1 / UNBOUNDED && size < UNBOUNDED) || fabs(L.im) > 1e-6 * size) return;
    if (size <= 1 && 1 / size < margin->gain_up) {
        margin->gain_up = 1 / size;
        margin->gain_frequency = w;
    }
    if (size >= 1) margin->gain_down = fmax(margin->gain_down, 1 / size);
}

// L on the unit circle: the angle to -1, and the time in which a delay turns L there (clockwise).
static void note_phase(ib_Complex L, double w, ib_Margin *margin)
{
    double angle = ib_atan2(-L.im, -L.re), lag = angle < 0 ? angle + 2 * M_PI : angle;
    if (fabs(angle) < margin->phase) {
        margin->phase = fabs(angle);
        margin->phase_frequency = w;
    }
    if (lag / w < margin->delay) {
        margin->delay = lag / w;
        margin->delay_frequency = w;
    }
}

static void note_nearness(double disk, double modulus, double w, ib_Margin *margin)
{
    if (2 * disk < margin->disk) {
        margin->disk = 2 * disk;
        margin->disk_frequency = w;
    }
    margin->modulus = fmin(margin->modulus, modulus);
}

// The next frequency: crossings since the last one, and minima at the last one.
static void look(Watch *watch, double w)
{
    ib_Complex L = at(watch, w);
    watch->w[2] = watch->w[1], watch->L[2] = watch->L[1];
    watch->w[1] = watch->w[0], watch->L[1] = watch->L[0];
    watch->w[0] = w, watch->L[0] = L;
    note_nearness(in_disk(L), from_minus_one(L), w, watch->margin);
    if (++watch->seen < 2) return;
    if ((over_one(L) > 0) != (over_one(watch->L[1]) > 0)) {
        double where = halve(watch, over_one);
        note_phase(at(watch, where), where, watch->margin);
    }
    if ((L.im > 0) != (watch->L[1].im > 0)) {
        double where = halve(watch, height);
        note_gain(at(watch, where), where, watch->margin);
    }
    if (watch->seen < 3) return;
    double (*const measure[2])(ib_Complex) = {in_disk, from_minus_one};
    for (int k = 0; k < 2; k++) {
        double middle = measure[k](watch->L[1]), where;
        if (middle > measure[k](watch->L[0]) || middle > measure[k](watch->L[2])) continue;
        double least = lowest(watch, measure[k], &where);
        if (k == 0)
            note_nearness(least, INFINITY, where, watch->margin);
        else
            note_nearness(INFINITY, least, where, watch->margin);
    }
}

// At both ends of the axis L is real.
static void look_at_end(const Watch *watch, double w)
{
    ib_Complex L = at(watch, w);
    note_gain(L, w, watch->margin);
    if (ib_complex_size(L) < UNBOUNDED)
        note_nearness(in_disk(L), from_minus_one(L), w, watch->margin);
}

static void find_one(const ib__Cut *cut, int input, const double *w, int count, ib_Margin *margin)
{
    *margin = (ib_Margin){
        .gain_up = INFINITY, .phase = INFINITY, .delay = INFINITY, .disk = 2, .modulus = INFINITY};
    Watch watch = {.cut = cut, .input = input, .margin = margin};
    look_at_end(&watch, 0);
    for (int k = 0; k < count; k++) look(&watch, w[k]);
    look_at_end(&watch, w[count - 1] * (cut->plant->period > 0 ? 1 : 1e6));
    margin->disk_gain = margin->disk < 2 ? (2 + margin->disk) / (2 - margin->disk) : INFINITY;
    margin->disk_phase = 2 * ib_atan(margin->disk / 2);
}

// ------------------------------------------------------------------ loops

static ib_Status find(const ib__Cut *cut, ib_Margins *margins, ib_Error *error)
{
    ib_Complex poles[IB_MARGINS_POLES];
    double w[MOST];
    int count;
    memset(margins, 0, sizeof *margins);
    margins->inputs = cut->plant->inputs;
    ib_Status status = ib__cut_poles(cut, poles, &count, &margins->stable, error);
    if (status != IB_OK || !margins->stable) return status;
    count = choose_frequencies(cut->plant->period, poles, count, w);
    for (int i = 0; i < margins->inputs; i++) find_one(cut, i, w, count, &margins->input[i]);
    return IB_OK;
}

ib_Status ib_margins_open(const ib_StateSpace *loop, ib_Margins *margins, ib_Error *error)
{
    ib__Cut cut = {.plant = loop};
    ib_Status status = ib_state_space_check(loop, error);
    if (status != IB_OK) return status;
    if (loop->inputs != loop->outputs || loop->inputs == 0)
        return ib_error_set(error, IB_BAD_INPUT,
                            "a loop has as many outputs as inputs, here %d and %d", loop->outputs,
                            loop->inputs);
    return find(&cut, margins, error);
}

ib_Status ib_margins_feedback(const ib_StateSpace *plant, const double *K, ib_Margins *margins,
                              ib_Error *error)
{
    ib__Cut cut = {.plant = plant, .K = K};
    ib_Status status = ib_state_space_check(plant, error);
    return status == IB_OK ? find(&cut, margins, error) : status;
}

ib_Status ib_margins_loop(const ib_Loop *loop, int gear, ib_Margins *margins, ib_Error *error)
{
    ib_Status status = ib_loop_check(loop, error);
    if (status != IB_OK) return status;
    IB_ASSERT(gear >= 0 && gear < loop->gears);
    const ib_LoopGear *g = &loop->gear[gear];
    ib__Cut cut = {.plant = &g->plant, .K = g->K, .loop = loop, .gear = g};
    return find(&cut, margins, error);
}
