// base/number.h: decimal numbers as written, kept exact until their unit is known.
//
// "1.2 mm" is 12 * 10^-1 in the text and 10^-3 in the unit: added up as whole powers of ten and
// rounded once, it is the double nearest to 0.0012, which 1.2 * 0.001 is not.
#ifndef IB_BASE_NUMBER_H
#define IB_BASE_NUMBER_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { IB_NUMBER_TEXT = 400 }; ///< characters a number may have
#define IB_SPACES " \t\r\n"    ///< allowed around numbers and units

// A number as written: (-1)^negative * digits * 10^power.
typedef struct ib_Decimal {
    char digits[IB_NUMBER_TEXT + 1]; ///< no zeros at either end; "0" for zero
    int length;                      ///< of `digits`
    int power;                       ///< of ten
    bool negative;
} ib_Decimal;

// The factor of a unit: numerator / divisor * 10^power.
typedef struct ib_Scale {
    double numerator, divisor; ///< > 0
    int power;                 ///< of ten
} ib_Scale;

// Reads a plain decimal number, the whole text: sign, digits, point, exponent; nothing else.
ib_Status ib_number_read(const char *text, double *value, ib_Error *error);

// Writes the shortest of 15 to 17 digits that reads back as the same double.
void ib_number_format(double value, char *text, size_t size);

// Writes 17 digits, as printf's "%.17g" does to the byte, in a tenth of its time for numbers of
// usual size; without a NUL. Returns the number of characters. Not finite: nothing is written.
enum { IB_NUMBER_17 = 32 };
int ib_number_format_17(double value, char text[IB_NUMBER_17]);

// Reads the number at the start of `text`; `end` is the text behind it. The error names the fault.
ib_Status ib_decimal_scan(const char *text, ib_Decimal *decimal, const char **end, ib_Error *error);

// digits * 10^power, if one rounding suffices. False: more are needed, and *value is left alone.
bool ib_number_near(uint64_t digits, int power, double *value);

// decimal * scale, within an ulp or two, and correctly rounded if the scale is a power of ten or
// all whole numbers on the way stay below 2^53. Infinite when too large for a double.
double ib_decimal_scale(const ib_Decimal *decimal, ib_Scale scale);

// value / scale: from SI back to the unit.
double ib_scale_divide(double value, ib_Scale scale);

#endif
