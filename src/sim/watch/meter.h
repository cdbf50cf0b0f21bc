// sim/watch/meter.h: the use of every load of a supply, summed step by step, and its current at the
// supply's lowest voltage. A thinned recording would miss the peaks.
#ifndef IB_SIM_WATCH_METER_H
#define IB_SIM_WATCH_METER_H

#include "sim/sim.h"

typedef struct ib_LoadSum {
    double charge;   ///< drawn, less the charge fed back [A s]
    double fed_back; ///< [A s], >= 0
    double energy;   ///< charge times the supply's voltage [J]; NaN: that is not known
} ib_LoadSum;

// Adds a span of `seconds` in which current and voltage are straight lines from `from` to `to`.
void ib_load_add(ib_LoadSum *sum, double from, double to, double volts_from, double volts_to,
                 double seconds);

typedef struct ib_MeterItem {
    int signal; ///< a load's current, or the supply's
    int supply; ///< index of its supply; -1: none
    ib_LoadSum sum;
    double last, last_volts; ///< at the last look
    double at_lowest;        ///< current at the supply's lowest voltage
} ib_MeterItem;

typedef struct ib_MeterSupply {
    int voltage; ///< signal
    double lowest;
} ib_MeterSupply;

typedef struct ib_Meter {
    int count; ///< 0: no robot has a supply
    ib_MeterItem *items;
    int supply_count;
    ib_MeterSupply *supplies;
    bool sums; ///< with the use of every load; else with their currents at the lowest voltage alone
    ib_Time time; ///< of the last look; IB_TIME_NEVER: none so far
} ib_Meter;

// Meter of all loads and supplies among the signals, memory from `arena`; attach with
// ib_sim_probe(sim, ib_meter_probe(meter)). Without `sums` a step costs a comparison a supply.
ib_Status ib_meter_create(const ib_SignalTable *signals, bool sums, ib_Arena *arena,
                          ib_Meter **meter, ib_Error *error);
ib_Probe ib_meter_probe(ib_Meter *meter);

#endif
