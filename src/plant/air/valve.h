// plant/air/valve.h: the flow of air through a valve, after ISO 6358.
// Derivation: docs/plant/orifice.md
//
// Two numbers from the data sheet say it all: C, the sonic conductance, and b, the critical
// pressure ratio. The law is that of plant/air/orifice.h.
#ifndef IB_PLANT_AIR_VALVE_H
#define IB_PLANT_AIR_VALVE_H

#include "base/status.h"
#include "plant/air/orifice.h"

#include <math.h>

typedef struct ib_ValveConfig {
    double C;            ///< sonic conductance [m^3/(s Pa)] of reference air (ANR), > 0;
                         ///< 1 dm^3/(s bar) = 1e-8. Not used where one of the last three is given
    double b;            ///< critical pressure ratio, 0 .. 0.8
    double laminar;      ///< pressure ratio above which the flow fades smoothly to 0, b < … < 1
    double m;            ///< subsonic index, 0.3 .. 1; 0.5 in most data sheets
    double Cv;           ///< instead of C: water in US gallons per minute at 1 psi; 0: not given
    double Kv;           ///< instead of C: water in m^3/h at 1 bar; 0: not given
    double nominal_flow; ///< instead of C: air from 6 to 5 bar [m^3/s]; 0: not given
} ib_ValveConfig;

ib_Status ib_valve_check(const ib_ValveConfig *config, ib_Error *error);

// Two restrictions in a row: 1/C^2 = 1/C1^2 + 1/C2^2 (the usual rule; exact where both are far from
// choking). Infinity stands for no restriction.
double ib_valve_series(double C1, double C2);

// C for any form of input: docs/plant/orifice.md#what-a-data-sheet-says
double ib_valve_conductance(const ib_ValveConfig *config);

// -------------------------------------------------------------------------------------- parameters

extern const char *const ib_valve_sizes[]; ///< keys of its size: a file has one of them

// A size of 0 that a file gives has no effect: `key` itself; NULL: it has, or is none.
const char *ib_valve_idle(const ib_ValveConfig *config, const char *key);

// row(config, key, unit, fallback, min, max, detail, field, sentence): all are numbers.
#define IB_VALVE_ROWS(row, config)                                                                 \
    row(config, "valve.C", "m^3/(s*Pa)", "1.2 dm^3/(s*bar)", 1e-12, 1e-3, ib_valve_sizes, valve.C, \
        "sonic conductance of the valve (ISO 6358)"),                                              \
        row(config, "valve.Cv", "1", "0", 0, 1e4, ib_valve_sizes, valve.Cv,                        \
            "instead of C: water in US gallons per minute at 1 psi; 0: not given"),                \
        row(config, "valve.Kv", "1", "0", 0, 1e4, ib_valve_sizes, valve.Kv,                        \
            "instead of C: water in cubic metres per hour at 1 bar; 0: not given"),                \
        row(config, "valve.nominal_flow", "m^3/s", "0 L/min", 0, 1e3, ib_valve_sizes,              \
            valve.nominal_flow,                                                                    \
            "instead of C: air (DIN 1343) that passes from 6 bar to 5 bar, gauge; 0: not given"),  \
        row(config, "valve.b", "1", "0.3", 0, 0.8, NULL, valve.b,                                  \
            "critical pressure ratio of the valve (ISO 6358)"),                                    \
        row(config, "valve.m", "1", "0.5", 0.3, 1, NULL, valve.m,                                  \
            "subsonic index of the valve (ISO 6358)"),                                             \
        row(config, "valve.laminar", "1", "0.98", 0.5, 0.999999, NULL, valve.laminar,              \
            "pressure ratio above which the flow through the valve is laminar")
enum { IB_VALVE_ROW_COUNT = 7 };

#endif
