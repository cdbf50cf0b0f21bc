// base/signal_text.h: a signal's value as people read it: four digits, in the unit they use.
#ifndef IB_BASE_SIGNAL_TEXT_H
#define IB_BASE_SIGNAL_TEXT_H

#include "base/signal.h"

enum { IB_SIGNAL_NUMBER = 24 };

// `value` (SI) in the unit for people; "-" where it is not finite. What is smaller than a millionth
// of `size`, the largest that the signal ever was (SI), or than 1e-9, is the rounding of a zero.
void ib_signal_number(const ib_SignalMeaning *means, double value, double size,
                      char text[IB_SIGNAL_NUMBER]);

// The unit of that number: the one for people, or else the signal's own; "" of a pure number.
const char *ib_signal_unit(const ib_SignalMeaning *means, const char *unit);

#endif
