// linear/filter.h: a digital low-pass filter, made of sections of second order.
// Butterworth and Chebyshev of the second kind, by the bilinear transform; forward as a sensor runs
// it, and both ways for a whole recording, without any phase. The derivation is
// in docs/sensor/sensor.md.
//
//   butterworth  |H|^2 = 1/(1 + (W/Wc)^(2 N))                    flat at 0, -3 dB at the cutoff
//   chebyshev2   |H|^2 = 1/(1 + (10^(A/10) - 1)/T_N(Ws/W)^2)     flat at 0, at most -A dB from the
//                                                                edge of the stop band on
// with W = tan(pi f/fs), f a frequency, fs the sample rate, T_N the Chebyshev polynomial.
#ifndef IB_LINEAR_FILTER_H
#define IB_LINEAR_FILTER_H

#include "base/schema.h"
#include "base/status.h"

#include <stdint.h>

enum { IB_FILTER_NONE, IB_FILTER_BUTTERWORTH, IB_FILTER_CHEBYSHEV2 };
enum { IB_FILTER_ORDER = 16 }; ///< the highest

extern const char *const ib_filter_kinds[]; ///< NULL-terminated

// Either order and cutoff, or the edges of the two bands, from which the least order follows; 0:
// not given.
typedef struct ib_FilterConfig {
    int kind;           ///< IB_FILTER_NONE …
    int order;          ///< 1 .. IB_FILTER_ORDER
    double cutoff;      ///< butterworth: -3 dB; chebyshev2: edge of the stop band [Hz], > 0
    double pass, stop;  ///< edges of the bands [Hz], 0 < pass < stop
    double ripple;      ///< largest loss up to `pass` [dB], > 0
    double attenuation; ///< least loss from the edge of the stop band on [dB], > 0
} ib_FilterConfig;

// The keys of a filter, for a struct that has an ib_FilterConfig at this offset.
#define IB_FILTER_ROW(key, type, unit, fallback, max, detail, base, field, sentence)               \
    {                                                                                              \
        key, type, unit, fallback, 0, max, detail, (base) + offsetof(ib_FilterConfig, field),      \
            false, sentence                                                                        \
    }
#define IB_FILTER_ROWS(base)                                                                       \
    IB_FILTER_ROW("filter", IB_PARAM_CHOICE, "1", "none", 2, ib_filter_kinds, base, kind,          \
                  "digital low-pass filter of the samples"),                                       \
        IB_FILTER_ROW("order", IB_PARAM_COUNT, "1", "0", IB_FILTER_ORDER, NULL, base, order,       \
                      "order of the filter, 1 to 16"),                                             \
        IB_FILTER_ROW("cutoff", IB_PARAM_NUMBER, "1/s", "0 Hz", 1e9, NULL, base, cutoff,           \
                      "frequency at -3 dB; of chebyshev2 the edge of its stop band"),              \
        IB_FILTER_ROW("pass", IB_PARAM_NUMBER, "1/s", "0 Hz", 1e9, NULL, base, pass,               \
                      "instead of order and cutoff: end of the band that it lets pass"),           \
        IB_FILTER_ROW("stop", IB_PARAM_NUMBER, "1/s", "0 Hz", 1e9, NULL, base, stop,               \
                      "with pass: begin of the band that it stops"),                               \
        IB_FILTER_ROW("ripple", IB_PARAM_NUMBER, "1", "0", 100, NULL, base, ripple,                \
                      "with pass: the most that is lost in that band, in dB"),                     \
        IB_FILTER_ROW("attenuation", IB_PARAM_NUMBER, "1", "0", 300, NULL, base, attenuation,      \
                      "the least that is lost in the stop band, in dB")

// (1 + r m S^2)/(1 + k sqrt(m) S + m S^2) with S = s/Wc, by trapezoids: g = Wc/sqrt(m) and
//   a1 = 1/(1 + g (g + k)),   a2 = g a1,   a3 = g a2
typedef struct ib_FilterSection {
    double a1, a2, a3, k, r;
} ib_FilterSection;

typedef struct ib_Filter {
    int order;    ///< also the count of doubles in its memory; 0: everything passes
    double first; ///< g/(1 + g) of its section of first order; 0: the order is even
    ib_FilterSection sections[IB_FILTER_ORDER / 2]; ///< order/2 of them
} ib_Filter;

// Derives the filter for samples at `rate` [Hz]. IB_BAD_INPUT names the key at fault, or "" where
// one is missing.
ib_Status ib_filter_init(const ib_FilterConfig *config, double rate, ib_Filter *filter,
                         const char **key, ib_Error *error);

// The least order that meets the edges of a config, as a real number: the order is the next
// whole one.
double ib_filter_least_order(const ib_FilterConfig *config, double rate);

// Sets the filter's memory, of `order` doubles, to the steady state of input `value`.
void ib_filter_settle(const ib_Filter *filter, double value, double *memory);

// The output for one sample.
double ib_filter_step(const ib_Filter *filter, double u, double *memory);

// Filters all samples in place, forward and then backward: no phase, and |H|^2 for |H|. The ends
// are continued by 3 `order` samples mirrored in the end point, where the filter begins settled.
// IB_BAD_INPUT: there are no more than 3 `order` samples.
ib_Status ib_filter_both_ways(const ib_Filter *filter, double *samples, int64_t count,
                              ib_Error *error);

#endif
