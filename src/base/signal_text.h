// base/signal_text.h: a signal's value as people read it: four digits, in the unit they use.
//
// All displays for people (terminal, reports, plots, the viewer) choose the unit here. Output for
// programs (JSON, CSV, WPILOG) is always SI.
#ifndef IB_BASE_SIGNAL_TEXT_H
#define IB_BASE_SIGNAL_TEXT_H

#include "base/signal.h"

enum { IB_SIGNAL_NUMBER = 24 };

// The conversion to the shown unit: shown = value * factor + offset.
typedef struct ib_ShownUnit {
    const char *unit; ///< "deg", "1" of a pure number; the signal's own text, or static
    double factor, offset;
} ib_ShownUnit;

// The unit for people of a signal that is in `unit` ("": not known, taken as SI): the one that it
// declares; else degrees for angles; else its own. A declared unit that is unknown or of another
// quantity, as in a foreign recording, is ignored; a signal that is not in SI is shown unchanged.
ib_ShownUnit ib_signal_shown(const ib_SignalMeaning *means, const char *unit);

double ib_signal_value(const ib_ShownUnit *shown, double value);

// `value` (SI) in the unit for people; "-" if it is not finite. A value below a millionth of
// `size`, the signal's largest magnitude (SI), or below 1e-9 is shown as zero.
void ib_signal_number(const ib_ShownUnit *shown, double value, double size,
                      char text[IB_SIGNAL_NUMBER]);

// The unit of that number, as it is printed: "" of a pure number.
const char *ib_signal_unit(const ib_ShownUnit *shown);

#endif
