// design/analysis/analysis_bode.c: the open loop of a design over frequency.
#include "base/maths.h"
#include "design/analysis/analysis_inside.h"

#include <math.h>

static const double two_pi = 6.283185307179586;

ib_Status ib_analysis_bode(const ib_AnalysisConfig *config, const ib_Design *design, int input,
                           ib_BodePoint *points, int count, ib_Error *error)
{
    ib__OpenLoop open;
    ib__Cut cut;
    ib_Status status = ib__analysis_open(config, design, &open, error);
    if (status == IB_OK) status = ib__cut_make(&open, input, &cut, error);
    if (status != IB_OK) return status;
    for (int k = 0; k < count; k++) {
        ib_Complex L = ib__cut_back(&cut, ib_frequency_point(config->period, points[k].frequency));
        double phase = ib_atan2(L.im, L.re);
        if (k == 0 && phase > 0) phase -= two_pi;
        // Unwraps the phase to the one nearest to the last.
        if (k > 0) phase += two_pi * rint((points[k - 1].phase - phase) / two_pi);
        points[k].size = ib_complex_size(L);
        points[k].phase = phase;
    }
    return IB_OK;
}
