// base/units.h: numbers with units, as robot people write them, to SI and back.
// See docs/scenario/units.md
//
// Angle is a dimension of its own: rpm never becomes Hz, and N*m/rad never becomes N*m by accident.
// Gauge pressures and temperatures with an offset are absolute (Pa, K) after reading.
#ifndef IB_BASE_UNITS_H
#define IB_BASE_UNITS_H

#include "base/number.h"
#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Exponents of the base dimensions.
typedef struct ib_Dimension {
    int8_t length, mass, time, current, temperature, angle, amount;
} ib_Dimension;

typedef struct ib_Quantity {
    double value; ///< in SI
    ib_Dimension dimension;
} ib_Quantity;

typedef enum ib_UnitUse {
    IB_UNIT_PLAIN,      ///< without a prefix
    IB_UNIT_PREFIXED,   ///< also with p n u m k M G in front: "mohm"
    IB_UNIT_DECIMETRIC, ///< with c and d as well: "cm"
    IB_UNIT_UNDECIDED,  ///< psi: a difference of pressures, but no pressure by itself
} ib_UnitUse;

// One unit for `ironbird list units`.
typedef struct ib_UnitInfo {
    const char *name;      ///< as written: "psig"
    const char *si;        ///< the SI unit it turns into: "Pa"
    double factor, offset; ///< si = value * factor + offset
    const char *sentence;  ///< "pressure above one standard atmosphere"
    ib_UnitUse use;
    ib_Scale scale;         ///< `factor` in parts that are exact
    ib_Dimension dimension; ///< of `si`
} ib_UnitInfo;

// Reads "2.7 kg", "5310 rpm", "3.4 N*s^2/m^2", "-40 degF", "12" (a pure number). Plain decimals
// only: hex, nan, inf and unknown units are refused; ambiguous ones ("gal") are refused with a
// hint. "50 psi" is 50 lbf/in^2.
ib_Status ib_quantity_read(const char *text, ib_Quantity *quantity, ib_Error *error);

// Reads text that must have the dimension of `unit` (an SI unit as in a schema; "1" for a pure
// number). The error names the dimension expected: "expected a mass, such as '2.7 kg',
// got '3 m' (a length)".
ib_Status ib_units_read(const char *text, const char *unit, double *value, ib_Error *error);

// The same for a difference of that unit: "5 degF" as a step of temperature is 2.78 K, not 258 K,
// and "5 psi", which ib_units_read refuses as neither gauge nor absolute, is accepted.
ib_Status ib_units_read_difference(const char *text, const char *unit, double *value,
                                   ib_Error *error);

// The dimension of a unit expression such as "N*s^2/m^2".
ib_Status ib_units_dimension(const char *unit, ib_Dimension *dimension, ib_Error *error);
bool ib_dimension_equal(ib_Dimension a, ib_Dimension b);

// "a mass", "a length", "an angular velocity", or the SI unit ("a value in N*s^2/m^2")
// if it has no name. `unit` tells apart two quantities that share a dimension: kg/s is a mass flow,
// N*s/m a damping; NULL: not known.
void ib_dimension_describe(ib_Dimension dimension, const char *unit, char *text, size_t size);

// A value in SI to a unit expression of the same dimension ("rad/s" to "rpm"), for output.
ib_Status ib_units_convert(double value, const char *unit, double *converted, ib_Error *error);

// The same as factor and offset, for conversion elsewhere: converted = value * factor + offset.
ib_Status ib_units_line(const char *unit, double *factor, double *offset, ib_Error *error);

// All units, for `ironbird list units`.
const ib_UnitInfo *ib_units_all(int *count);

#endif
