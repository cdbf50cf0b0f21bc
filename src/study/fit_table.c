#include "study/fit_table.h"

#include <stdio.h>

void ib_fit_table(const ib_FitMotor *fit, const ib_FitSignals *signals,
                  ib_FitLine lines[IB_FIT_LINES])
{
    lines[0] = (ib_FitLine){"kS", "V", &fit->kS, "friction that does not depend on speed"};
    lines[1] = (ib_FitLine){"kV", "", &fit->kV, "to keep a speed"};
    lines[2] = (ib_FitLine){"kA", "", &fit->kA, "to change it"};
    lines[3] = (ib_FitLine){"kG", "V", &fit->kG, "to hold the weight"};
    lines[4] = (ib_FitLine){"delay", "s", &fit->delay, "from voltage to motion"};
    snprintf(lines[1].unit, sizeof lines[1].unit, "V/(%s)", signals->unit);
    snprintf(lines[2].unit, sizeof lines[2].unit, "V/(%s^2)", signals->unit);
}

bool ib_fit_serves_design(const ib_FitMotor *fit)
{
    return fit->kA.determined && fit->kV.determined && !(fit->missing & IB_FIT_WEIGHT);
}

bool ib_fit_is_rounded(const ib_FitMotor *fit)
{
    return fit->quantum > 1e-3 * fit->rms;
}
