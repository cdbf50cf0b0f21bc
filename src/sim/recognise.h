// sim/recognise.h: what a signal means of which only the name is known.
// So it is in a CSV, or in a recording of a program that says no more.
//
// New recordings carry the meaning of each signal (docs/record.md); this is for all others, and the
// only place where a name stands for a meaning.
// The names are those of the tables that declare them.
#ifndef IB_SIM_RECOGNISE_H
#define IB_SIM_RECOGNISE_H

#include "base/signal.h"

// Is there a signal so called, in this unit ("": not known), alone or behind a robot's name
// ("red.pose.x")? Then what it means, with robot and part as texts in `arena`; false: there is
// none, or no memory. Entries of books are not told: a name alone does not say whose book.
bool ib_signal_recognise(const char *name, const char *unit, ib_Arena *arena,
                         ib_SignalMeaning *means);

#endif
