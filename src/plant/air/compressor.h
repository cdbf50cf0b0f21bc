// plant/air/compressor.h: an electric air compressor given by its data sheet's table.
// The derivation is in docs/plant/compressor.md.
//
// A table lists free air (the volume taken in at one atmosphere) and current over the pressure in
// the tanks, at one supply voltage or at two. The curves have a corner at every row. A step across
// a corner would lose the solver's order, so the row in use is a mode of the state: inside a row
// all is a straight line, and the margin of the row ends the step at the corner.
#ifndef IB_PLANT_AIR_COMPRESSOR_H
#define IB_PLANT_AIR_COMPRESSOR_H

#include "base/formula.h"
#include "base/schema.h"
#include "base/status.h"
#include "base/table.h"

#include <math.h>

typedef struct ib_CompressorCurve {
    double voltage;  ///< at which it was measured [V], > 0
    ib_Table points; ///< absolute pressure [Pa] -> free air [m^3/s], current [A]; at least 2 rows;
                     ///< count 0: this curve is not given
} ib_CompressorCurve;

typedef struct ib_CompressorConfig {
    ib_CompressorCurve low;  ///< must be given
    ib_CompressorCurve high; ///< at a higher voltage; may be missing:
                             ///< then voltage has no effect above `cutoff`
    double cutoff;           ///< below this voltage the current falls in proportion [V],
                             ///< > 0, <= low.voltage
} ib_CompressorConfig;

enum { IB_COMPRESSOR_LINES = 2 * IB_TABLE_ROWS + 1 };

// Flow and current between two corners: y = y0 + slope (P - from), [0] of the low and [1]
// of the high curve.
typedef struct ib_CompressorLine {
    double from;                         ///< pressure at the corner [Pa]
    double flow[2], flow_slope[2];       ///< [m^3/s], [m^3/(s Pa)]
    double current[2], current_slope[2]; ///< [A], [A/Pa]
} ib_CompressorLine;

typedef struct ib_CompressorModel {
    int count;                            ///< lines; the first and the last are level
    double edge[IB_COMPRESSOR_LINES + 1]; ///< line i holds from edge[i] to edge[i + 1] [Pa]; the
                                          ///< ends are infinite
    ib_CompressorLine line[IB_COMPRESSOR_LINES];
    double low;       ///< voltage of the low curve [V]
    double per_span;  ///< 1/(high - low) [1/V]; 0 with a single curve
    double knee;      ///< below this voltage the flow falls in proportion [V]
    double cutoff;    ///< below this voltage the current falls in proportion [V]
    double flow_most; ///< the largest flow of any row and curve [m^3/s]
} ib_CompressorModel;

ib_Status ib_compressor_check(const ib_CompressorConfig *config, ib_Error *error);
void ib_compressor_init(const ib_CompressorConfig *config, ib_CompressorModel *compressor);

// ---------------------------------------------------------------------------------- the row in use

#define IB_COMPRESSOR_SLACK 1e-6 ///< a line holds this far beyond its ends [Pa]: no row chatters

// The line for a pressure.
IB_FORMULA int ib_compressor_row(const ib_CompressorModel *compressor, double pressure)
{
    int row = 0;
    for (int i = 1; i < compressor->count; i++) row += compressor->edge[i] <= pressure;
    return row;
}

// Positive as long as the pressure is within the line [Pa].
IB_FORMULA double ib_compressor_margin(const ib_CompressorModel *compressor, int row,
                                       double pressure)
{
    double below = pressure - compressor->edge[row], above = compressor->edge[row + 1] - pressure;
    return (below < above ? below : above) + IB_COMPRESSOR_SLACK;
}

// -------------------------------------------------------------------------------- flow and current

// Free air [m^3/s] of the running compressor:
//   V >= low:  F = F_low + (F_high - F_low) (V - low)/(high - low)     between the curves, beyond
//   V < low:   F = F_low V/low                                         as the motor's speed
// Flow with one curve F = F_low down to `cutoff`, then in proportion. Never negative.
IB_FORMULA double ib_compressor_flow(const ib_CompressorModel *compressor, int row, double pressure,
                                     double volts)
{
    const ib_CompressorLine *line = &compressor->line[row];
    double dP = pressure - line->from;
    double low = line->flow[0] + line->flow_slope[0] * dP;
    double high = line->flow[1] + line->flow_slope[1] * dP;
    double flow = volts >= compressor->knee
                      ? low + (high - low) * (volts - compressor->low) * compressor->per_span
                      : low * (volts / compressor->knee);
    return flow > 0 ? flow : 0;
}

// The current as a straight line of the bus voltage, I = at_zero + per_volt V, for from <= V <= to.
// The bus (plant/electric/bus.h) solves with a line directly, without iteration inside a piece;
// there are at most three pieces.
typedef struct ib_Load {
    double at_zero, per_volt; ///< [A], [A/V]
    double from, to;          ///< [V]
} ib_Load;

// The piece of the current's line that holds at `volts`:
//   V >= low:     I_low + (I_high - I_low) (V - low)/(high - low)
//   V >= cutoff:  I_low                        the torque is set by the pressure
//   below:        I_low V/cutoff
// The load is continuous; with one curve its first part has no slope.
IB_FORMULA ib_Load ib_compressor_load(const ib_CompressorModel *compressor, int row,
                                      double pressure, double volts)
{
    const ib_CompressorLine *line = &compressor->line[row];
    double dP = pressure - line->from;
    double low = line->current[0] + line->current_slope[0] * dP;
    double high = line->current[1] + line->current_slope[1] * dP;
    double slope = (high - low) * compressor->per_span;
    ib_Load load = {low - slope * compressor->low, slope, compressor->low, INFINITY};
    if (volts < compressor->low) load = (ib_Load){low, 0, compressor->cutoff, compressor->low};
    if (volts < compressor->cutoff)
        load = (ib_Load){0, low / compressor->cutoff, -INFINITY, compressor->cutoff};
    return load;
}

// Nothing is drawn, at any voltage.
IB_FORMULA ib_Load ib_load_none(void)
{
    ib_Load load = {0, 0, -INFINITY, INFINITY};
    return load;
}

IB_FORMULA double ib_load_current(ib_Load load, double volts)
{
    return load.at_zero + load.per_volt * volts;
}

// -------------------------------------------------------------------------------------- parameters

extern const ib_TableDef ib_compressor_delivery; ///< pressure, free air, current

// Under a key such as "air.compressor", which is a preset of data/compressors.yaml, for a config
// struct with an ib_CompressorConfig in `part`.
#define IB_COMPRESSOR_ROWS(key, config, part)                                                      \
    IB_NUMBER_OF(key ".low.voltage", "V", "12 V", 0.1, 1e3, config, part.low.voltage,              \
                 "voltage at which low.points were measured"),                                     \
        IB_ROW(key ".low.points", IB_PARAM_TABLE, "1", "", 0, 0, &ib_compressor_delivery, config,  \
               part.low.points, "the compressor's first curve: pressure -> free air, current"),    \
        IB_NUMBER_OF(key ".high.voltage", "V", "13.8 V", 0.1, 1e3, config, part.high.voltage,      \
                     "voltage at which high.points were measured"),                                \
        IB_ROW(key ".high.points", IB_PARAM_TABLE, "1", "", 0, 0, &ib_compressor_delivery, config, \
               part.high.points,                                                                   \
               "the compressor's second curve: pressure -> free air, current; empty: "             \
               "voltage has no effect"),                                                           \
        IB_NUMBER_OF(key ".cutoff", "V", "6 V", 0.1, 1e3, config, part.cutoff,                     \
                     "voltage below which the compressor's current falls in proportion")

#endif
