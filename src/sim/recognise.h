// sim/recognise.h: the meaning of a signal of which only the name is known, as in a CSV, or in a
// recording of another program.
//
// New recordings carry the meaning of each signal (docs/scenario/record.md); this is for all
// others, and the only place where a name stands for a meaning.
// The names are those of the tables that declare them.
#ifndef IB_SIM_RECOGNISE_H
#define IB_SIM_RECOGNISE_H

#include "base/signal.h"

// Finds a signal of this name, in this unit ("": not known), alone or after a robot's name
// ("red.pose.x"), and returns its meaning, with robot and part as texts in `arena`; false: there is
// none, or no memory. Entries of books are not found: a name alone does not determine the book.
bool ib_signal_recognise(const char *name, const char *unit, ib_Arena *arena,
                         ib_SignalMeaning *means);

#endif
