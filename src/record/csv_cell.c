#include "record/csv_cell.h"

#include "base/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// A plain number as written: digits 10^power.
typedef struct Decimal {
    uint64_t digits;
    int count; ///< of the digits, without zeros in front
    int power;
    bool negative;
} Decimal;

static const char *read_digits(const char *at, const char *end, Decimal *decimal, int *seen)
{
    for (; at < end && *at >= '0' && *at <= '9'; at++, ++*seen) {
        if (decimal->count < 18) decimal->digits = 10 * decimal->digits + (uint64_t)(*at - '0');
        decimal->count += decimal->count > 0 || *at != '0';
    }
    return at;
}

// "-1.5", "2e-05". False: no number, or one in another form, for the caller to decide. True: it
// is finite.
static bool read_decimal(const char *text, size_t length, Decimal *decimal)
{
    const char *at = text, *end = text + length;
    int whole = 0, places = 0, digits = 0, power = 0;
    *decimal = (Decimal){0};
    if (length > 200) return false;
    if (at < end && (*at == '-' || *at == '+')) decimal->negative = *at++ == '-';
    at = read_digits(at, end, decimal, &whole);
    if (at < end && *at == '.') at = read_digits(at + 1, end, decimal, &places);
    if (whole + places == 0) return false;
    if (at < end) {
        if (*at != 'e' && *at != 'E') return false;
        bool down = ++at < end && *at == '-';
        if (at < end && (*at == '-' || *at == '+')) at++;
        for (; at < end && *at >= '0' && *at <= '9' && digits < 3; at++, digits++)
            power = 10 * power + (*at - '0');
        if (at < end || digits == 0 || digits == 3) return false;
        if (down) power = -power;
    }
    decimal->power = power - places;
    return true;
}

// False: it needs more than one rounding, and strtod.
static bool is_near(const Decimal *decimal, double *value)
{
    if (decimal->count > 18 || !ib_number_near(decimal->digits, decimal->power, value))
        return false;
    if (decimal->negative) *value = -*value;
    return true;
}

static bool is_word(const char *text, const char *const *words)
{
    for (; *words; words++)
        if (strcasecmp(text, *words) == 0) return true;
    return false;
}

ib__CellSays ib__cell_value(const char *cell, size_t length, double *value)
{
    static const char *const not_finite[] = {"nan",      "-nan",      "inf", "-inf",
                                             "infinity", "-infinity", NULL};
    if (length == 0) return IB__CELL_EMPTY;
    if (length > IB__CELL_MAX) return IB__CELL_NONSENSE;
    Decimal decimal;
    if (read_decimal(cell, length, &decimal) && is_near(&decimal, value)) return IB__CELL_NUMBER;
    char text[IB__CELL_MAX + 1];
    memcpy(text, cell, length);
    text[length] = '\0';

    // Hexadecimal and other forms known to strtod are not numbers here.
    if (strspn(text, "+-.0123456789eE") == length) {
        char *end;
        *value = strtod(text, &end);
        return *end == '\0' && isfinite(*value) ? IB__CELL_NUMBER : IB__CELL_NONSENSE;
    }
    if (strcasecmp(text, "null") == 0) return IB__CELL_EMPTY;
    if (is_word(text, not_finite)) return IB__CELL_HOLE;
    *value = strcasecmp(text, "true") == 0;
    return *value != 0 || strcasecmp(text, "false") == 0 ? IB__CELL_NUMBER : IB__CELL_NONSENSE;
}

bool ib__cell_is_number(const char *text, size_t length)
{
    Decimal decimal;
    return read_decimal(text, length, &decimal);
}

// Seconds to nanoseconds, digit by digit: a double holds a nanosecond only for the first 52 days.
bool ib__cell_time(const char *text, size_t length, ib_Time *time)
{
    const char *at = text, *end = text + length;
    bool negative = at < end && *at == '-';
    if (negative) at++;
    int64_t seconds = 0, ns = 0;
    int digits = 0, place = 0;
    for (; at < end && *at >= '0' && *at <= '9' && digits < 11; at++, digits++)
        seconds = 10 * seconds + (*at - '0');
    if (at < end && *at == '.') {
        for (at++; at < end && *at >= '0' && *at <= '9' && place < 9; at++, place++)
            ns = 10 * ns + (*at - '0');
    }
    if (at == end && digits + place > 0 && seconds <= 9000000000) {
        for (; place < 9; place++) ns *= 10;
        *time = (seconds * IB_SECOND + ns) * (negative ? -1 : 1);
        return true;
    }
    // An exponent or more digits than nanoseconds.
    double value;
    if (ib__cell_value(text, length, &value) != IB__CELL_NUMBER || fabs(value) > 9e9) return false;
    *time = ib_time_from_seconds(value);
    return true;
}
