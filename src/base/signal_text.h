// base/signal_text.h: a signal's value as people read it: four digits, in the unit they use.
//
// All who show signals to people (terminal, reports, plots, the viewer) choose the unit here. What
// programs read (JSON, CSV, WPILOG) is SI and asks nobody.
#ifndef IB_BASE_SIGNAL_TEXT_H
#define IB_BASE_SIGNAL_TEXT_H

#include "base/signal.h"

enum { IB_SIGNAL_NUMBER = 24 };

// How values are shown: shown = value * factor + offset.
typedef struct ib_ShownUnit {
    const char *unit; ///< "deg", "1" of a pure number; the signal's own text, or one that stays
    double factor, offset;
} ib_ShownUnit;

// The unit for people of a signal that is in `unit` ("": not known, then it is taken as SI): the
// one that it declares; else degrees for angles; else its own. One that nobody knows, or that is of
// another quantity, as a recording of somebody else may name, is none; and what is not in SI is
// shown as it stands.
ib_ShownUnit ib_signal_shown(const ib_SignalMeaning *means, const char *unit);

double ib_signal_value(const ib_ShownUnit *shown, double value);

// `value` (SI) in the unit for people; "-" where it is not finite. What is smaller than a millionth
// of `size`, the largest that the signal ever was (SI), or than 1e-9, is the rounding of a zero.
void ib_signal_number(const ib_ShownUnit *shown, double value, double size,
                      char text[IB_SIGNAL_NUMBER]);

// The unit of that number, as it is printed: "" of a pure number.
const char *ib_signal_unit(const ib_ShownUnit *shown);

#endif
