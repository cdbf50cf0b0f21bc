// control/feedback/saturation.h: whether the plant gives less than was asked of it, or only rounds
// it. An integral may not push on against a limit, and must push on through a rounding: the reasons
// are in docs/control/state_feedback.md.
//
//   span = high - low,   without limits 2 largest (the usable range of u, either way),
//   if that is not known either |u|;                                               s = span / 40
//   top    = u + s, at most high;  bottom = u - s, at least low
//   excess = w - top above it, w - bottom below it, else 0
// There is no such play at a limit of its own: u = high -> top = high, excess = w - u. Limits: u =
// w -> 0; u rounded to steps of less than s -> 0; s = 0 -> excess = w - u.
#ifndef IB_CONTROL_FEEDBACK_SATURATION_H
#define IB_CONTROL_FEEDBACK_SATURATION_H

#include <math.h>

#define IB_SATURATION_SHARE 0.025 ///< 1 / 40 of the span

// Play s of an input; negative: its size is unknown, and s is this share of |u|. Zero or infinity
// in `largest` means unknown.
static inline double ib_saturation_play(double low, double high, double largest)
{
    double span = high - low;
    if (isfinite(span)) return IB_SATURATION_SHARE * span;
    return largest > 0 && isfinite(largest) ? IB_SATURATION_SHARE * 2 * largest : -1.0;
}

// Excess of w, the output before its limits, over the plant's known input, u.
static inline double ib_saturation_excess(double w, double u, double low, double high, double play)
{
    double size = u < 0 ? -u : u, s = play < 0 ? IB_SATURATION_SHARE * size : play;
    double top = u + s, bottom = u - s;
    if (top > high) top = u > high ? u : high;
    if (bottom < low) bottom = u < low ? u : low;
    return w > top ? w - top : w < bottom ? w - bottom : 0;
}

#endif
