// base/balance.h: the residuals of a robot's energy balances, from the roles of their entries.
//
//   balance = all given - (all stored + all lost) + the balances of its parts
//
// Names define a balance (base/signal.h): `energy.error` balances `energy.*` and adds
// `lift.energy.error`. A kind outputs the entries and leaves the residual alone.
#ifndef IB_BASE_BALANCE_H
#define IB_BASE_BALANCE_H

#include "base/signal.h"

// One entry after the other, as they stand among the signals.
typedef struct ib_Entries {
    const int *items; ///< signals
    int count;
} ib_Entries;

typedef struct ib_Balance {
    int signal;
    ib_Entries given, taken, parts;
} ib_Balance;

typedef struct ib_Balances {
    const ib_Balance *items; ///< parts before their robot
    int count;
} ib_Balances;

// False: there is no memory.
bool ib_balances_init(const ib_SignalDef *signals, int count, ib_Arena *arena,
                      ib_Balances *balances);

// Fills in all of them.
void ib_balances_output(const ib_Balances *balances, double *signals);

#endif
