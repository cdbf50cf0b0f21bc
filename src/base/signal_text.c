#include "base/signal_text.h"

#include "base/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double for_people(const ib_SignalMeaning *means, double value)
{
    double converted;
    if (!means->shown || ib_units_convert(value, means->shown, &converted, NULL) != IB_OK)
        return value;
    return converted;
}

void ib_signal_number(const ib_SignalMeaning *means, double value, double size,
                      char text[IB_SIGNAL_NUMBER])
{
    double shown = for_people(means, value), most = fabs(for_people(means, size)), a = fabs(shown);
    if (!isfinite(shown))
        snprintf(text, IB_SIGNAL_NUMBER, "-");
    else if (a < 1e-6 * most || a < 1e-9)
        snprintf(text, IB_SIGNAL_NUMBER, "0");
    else if (a >= 9999.5 && a < 1e6)
        snprintf(text, IB_SIGNAL_NUMBER, "%.0f", shown);
    else if (a >= 1e-4 && a < 1e6)
        snprintf(text, IB_SIGNAL_NUMBER, "%.4g", shown);
    else
        snprintf(text, IB_SIGNAL_NUMBER, "%.3e", shown);
}

const char *ib_signal_unit(const ib_SignalMeaning *means, const char *unit)
{
    if (means->shown) unit = means->shown;
    return strcmp(unit, "1") == 0 ? "" : unit;
}
