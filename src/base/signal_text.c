#include "base/signal_text.h"

#include "base/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Angles that declare no unit for people.
static const char *in_degrees(const char *unit)
{
    static const char *const angles[][2] = {
        {"rad", "deg"}, {"rad/s", "deg/s"}, {"rad/s^2", "deg/s^2"}, {"rad*s", "deg*s"}};
    for (size_t i = 0; i < sizeof angles / sizeof angles[0]; i++)
        if (strcmp(unit, angles[i][0]) == 0) return angles[i][1];
    return NULL;
}

// True if `unit` is SI and of the same quantity as `other`.
static bool fits(const char *unit, const char *other)
{
    double factor, offset;
    ib_Dimension own, others;
    return ib_units_line(unit, &factor, &offset, NULL) == IB_OK && factor == 1 && offset == 0 &&
           ib_units_dimension(unit, &own, NULL) == IB_OK &&
           ib_units_dimension(other, &others, NULL) == IB_OK && ib_dimension_equal(own, others);
}

ib_ShownUnit ib_signal_shown(const ib_SignalMeaning *means, const char *unit)
{
    ib_ShownUnit own = {unit[0] ? unit : "1", 1, 0}, shown = own;
    shown.unit = means->shown ? means->shown : in_degrees(unit);
    if (!shown.unit || (unit[0] && !fits(unit, shown.unit)) ||
        ib_units_line(shown.unit, &shown.factor, &shown.offset, NULL) != IB_OK)
        return own;
    return shown;
}

double ib_signal_value(const ib_ShownUnit *shown, double value)
{
    return value * shown->factor + shown->offset;
}

void ib_signal_number(const ib_ShownUnit *shown, double value, double size,
                      char text[IB_SIGNAL_NUMBER])
{
    double seen = ib_signal_value(shown, value), a = fabs(seen);
    double most = fabs(ib_signal_value(shown, size));
    if (!isfinite(seen))
        snprintf(text, IB_SIGNAL_NUMBER, "-");
    else if (a < 1e-6 * most || a < 1e-9)
        snprintf(text, IB_SIGNAL_NUMBER, "0");
    else if (a >= 9999.5 && a < 1e6)
        snprintf(text, IB_SIGNAL_NUMBER, "%.0f", seen);
    else if (a >= 1e-4 && a < 1e6)
        snprintf(text, IB_SIGNAL_NUMBER, "%.4g", seen);
    else
        snprintf(text, IB_SIGNAL_NUMBER, "%.3e", seen);
}

const char *ib_signal_unit(const ib_ShownUnit *shown)
{
    return strcmp(shown->unit, "1") == 0 ? "" : shown->unit;
}
