// design/margins/margins.c: gain, phase and delay margins of a loop that is cut at one input.
// Symbols: w frequency [rad/s], L the loop transfer function at the cut.
#include "design/margins/margins.h"

#include "base/extreme.h"
#include "base/maths.h"
#include "design/frequency.h"
#include "design/margins/late_loop.h"
#include "design/margins/open_loop.h"

#include <stdlib.h>
#include <string.h>

enum {
    HALVINGS = 60, ///< to the last bit of a crossing
    SECTIONS = 60, ///< of a minimum
};

#define UNBOUNDED 1e9 ///< |L| beyond this is a pole, below its inverse zero

// ------------------------------------------------------------------------------------- frequencies

static int in_order(const void *a_, const void *b_)
{
    double a = *(const double *)a_, b = *(const double *)b_;
    return a < b ? -1 : a > b ? 1 : 0;
}

// Adds points at fractions of the width of a narrow resonance, due to a pole with little damping.
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
    for (int k = 0; k < IB__AROUND; k++) {
        double at = s.im + (k - IB__AROUND / 2) * 0.5 * ib_max(fabs(s.re), 1e-6 * s.im);
        if (at > low && at < high) w[count++] = at;
    }
    return count;
}

int ib__margins_frequencies(double period, const ib_Complex *poles, int count, double *w)
{
    double low, high;
    ib_frequency_range(period, poles, count, &low, &high);
    low *= 0.01;
    if (!(period > 0)) high *= 100;
    int found = 0;
    for (; found < IB__SPACED; found++)
        w[found] = ib_frequency_spaced(low, high, found, IB__SPACED);
    for (int i = 0; i < count; i++) found += add_resonance(period, poles[i], low, high, w + found);
    qsort(w, (size_t)found, sizeof *w, in_order);
    return found;
}

// ----------------------------------------------------------------------------------------- one cut

typedef struct Watch {
    const ib__Cut *cut;
    double w[3];     ///< the last three frequencies, newest first
    ib_Complex L[3]; ///< there
    int seen;
    ib_Margin *margin;
} Watch;

static ib_Complex at(const Watch *watch, double w)
{
    return ib__cut_back(watch->cut, ib_frequency_point(watch->cut->period, w));
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

// The frequency at which f changes its sign between the two newest points.
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

// The minimum by golden section within the last three points, the middle one being the lowest.
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
    return ib_min(fp, fq);
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
    if (size >= 1) margin->gain_down = ib_max(margin->gain_down, 1 / size);
}

// L on the unit circle: the angle to -1, and the delay that turns L there (clockwise).
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
    margin->modulus = ib_min(margin->modulus, modulus);
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

// At half the sampling rate a delay of the part f of a period leaves (1 - f) L + f L / z = (1 - 2
// f) L, real: with |L| > 1 this reaches -1 within the period, though |L| is not 1 anywhere near.
static void look_at_half_rate(const Watch *watch, double w)
{
    double period = watch->cut->period, L = at(watch, w).re, delay = 0.5 * (1 + 1 / L) * period;
    if (!(fabs(L) > 1) || delay >= watch->margin->delay) return;
    watch->margin->delay = delay;
    watch->margin->delay_frequency = w;
}

// True if a pole is at z = 1 (s = 0), where L has no value. The second of a pair may deviate by the
// root of rounding.
static bool has_integrator(double period, const ib_Complex *poles, int count)
{
    for (int i = 0; i < count; i++) {
        ib_Complex off = {poles[i].re - (period > 0 ? 1 : 0), poles[i].im};
        if (ib_complex_size(off) < 1e-8) return true;
    }
    return false;
}

// `poles`: of the closed loop, `count` of them, with room for those of the cut one.
static ib_Status find_one(const ib__Cut *cut, ib_Complex *poles, int count, ib_Margin *margin,
                          ib_Error *error)
{
    double w[IB__FREQUENCIES];
    *margin = (ib_Margin){
        .gain_up = INFINITY, .phase = INFINITY, .delay = INFINITY, .disk = 2, .modulus = INFINITY};
    Watch watch = {.cut = cut, .margin = margin};
    ib_Complex *own = poles + count;
    ib_Status status = cut->states ? ib_eigenvalues(cut->states, cut->H, own, error) : IB_OK;
    if (status != IB_OK) return status;
    int points = ib__margins_frequencies(cut->period, poles, count + cut->states, w);
    if (!has_integrator(cut->period, own, cut->states)) look_at_end(&watch, 0);
    for (int k = 0; k < points; k++) look(&watch, w[k]);
    look_at_end(&watch, w[points - 1] * (cut->period > 0 ? 1 : 1e6));
    if (cut->period > 0) look_at_half_rate(&watch, w[points - 1]);
    margin->disk_gain = margin->disk < 2 ? (2 + margin->disk) / (2 - margin->disk) : INFINITY;
    margin->disk_phase = 2 * ib_atan(margin->disk / 2);
    return IB_OK;
}

// ------------------------------------------------------------------------------------------- loops

// The delay margin of a held input differs from that of a sinusoid and is computed separately.
static ib_Status find_delays(const ib__LoopParts *parts, ib_Complex *poles, int count,
                             ib_Margins *margins, ib_Error *error)
{
    ib_Status status = IB_OK;
    for (int i = 0; status == IB_OK && i < margins->inputs; i++) {
        ib_Margin *margin = &margins->input[i];
        status = ib__late_margin(parts, i, poles, count, &margin->delay, &margin->delay_frequency,
                                 error);
    }
    margins->delay = margins->input[0].delay;
    margins->delay_frequency = margins->input[0].delay_frequency;
    if (status == IB_OK && margins->inputs > 1)
        status = ib__late_margin(parts, -1, poles, count, &margins->delay,
                                 &margins->delay_frequency, error);
    return status;
}

ib_Status ib__margins_find(const ib__OpenLoop *open, const ib__LoopParts *parts,
                           ib_Margins *margins, ib_Error *error)
{
    ib_Complex poles[IB_MARGINS_POLES];
    ib__Cut cut;
    memset(margins, 0, sizeof *margins);
    margins->inputs = open->inputs;
    ib_Status status = ib__open_poles(open, poles, &margins->stable, error);
    if (status != IB_OK || !margins->stable) return status;
    margins->delay = INFINITY;
    for (int i = 0; status == IB_OK && i < open->inputs; i++) {
        ib_Margin *margin = &margins->input[i];
        status = ib__cut_make(open, i, &cut, error);
        if (status == IB_OK) status = find_one(&cut, poles, open->states, margin, error);
    }
    if (status == IB_OK && parts && open->period > 0)
        status = find_delays(parts, poles, open->states, margins, error);
    return status;
}

ib_Status ib_margins_open(const ib_StateSpace *loop, ib_Margins *margins, ib_Error *error)
{
    ib__OpenLoop open;
    ib_Status status = ib_state_space_check(loop, error);
    if (status != IB_OK) return status;
    if (loop->inputs != loop->outputs || loop->inputs == 0)
        return ib_error_set(error, IB_BAD_INPUT,
                            "a loop has as many outputs as inputs, here %d and %d", loop->outputs,
                            loop->inputs);
    ib__open_plant(loop, &open);
    return ib__margins_find(&open, NULL, margins, error);
}

ib_Status ib_margins_feedback(const ib_StateSpace *plant, const double *K, ib_Margins *margins,
                              ib_Error *error)
{
    ib__OpenLoop open;
    ib__LoopParts parts;
    ib_Status status = ib_state_space_check(plant, error);
    if (status != IB_OK) return status;
    ib__parts_of_feedback(plant, K, &parts);
    status = ib__open_parts(&parts, &open, error);
    return status == IB_OK ? ib__margins_find(&open, &parts, margins, error) : status;
}

ib_Status ib_margins_loop(const ib_Loop *loop, int gear, ib_Margins *margins, ib_Error *error)
{
    ib_Status status = ib_loop_check(loop, error);
    if (status != IB_OK) return status;
    IB_ASSERT(gear >= 0 && gear < loop->gears);
    ib__OpenLoop open;
    ib__LoopParts parts;
    ib__parts_of_gear(loop, &loop->gear[gear], &parts);
    status = ib__open_parts(&parts, &open, error);
    return status == IB_OK ? ib__margins_find(&open, &parts, margins, error) : status;
}
