#include "base/number.h"

#include "base/quote.h"
#include "base/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

// ---------------------------------------------------------------------------------------- scanning

// Appends the digits at `text` (those of the fraction lower the power), without leading zeros.
static const char *scan_digits(const char *text, bool fraction, ib_Decimal *decimal)
{
    for (; is_digit(*text); text++) {
        if (fraction) decimal->power--;
        if (decimal->length == 0 && *text == '0') continue;
        decimal->digits[decimal->length++] = *text;
    }
    return text;
}

// "e-3" lowers the power; an e without digits is no exponent (it may begin a unit).
static const char *scan_exponent(const char *text, ib_Decimal *decimal)
{
    enum { BEYOND = 10000 }; // exponents beyond this one overflow or vanish anyway
    const char *at = text;
    if (*at != 'e' && *at != 'E') return text;
    at++;
    bool down = *at == '-';
    if (*at == '+' || *at == '-') at++;
    if (!is_digit(*at)) return text;

    int exponent = 0;
    for (; is_digit(*at); at++)
        if (exponent < BEYOND) exponent = 10 * exponent + (*at - '0');
    decimal->power += down ? -exponent : exponent;
    return at;
}

// Zeros at the end move into the power, so that "120.000" is 12 * 10^1.
static void trim_zeros(ib_Decimal *decimal)
{
    while (decimal->length && decimal->digits[decimal->length - 1] == '0') {
        decimal->length--;
        decimal->power++;
    }
    if (decimal->length == 0) {
        decimal->digits[decimal->length++] = '0';
        decimal->power = 0;
    }
    decimal->digits[decimal->length] = '\0';
}

// Refuses characters right behind a number that do not belong to a plain decimal.
static ib_Status check_end(const char *text, const char *start, const char *end, ib_Error *error)
{
    if (*end == '\0' || *end == ' ') return IB_OK; // the usual case
    ib_Quote quote = ib_quote(text);
    if (*end == ',' && is_digit(end[1]))
        return ib_error_set(error, IB_BAD_INPUT,
                            "a comma in the number '%s': write a point for decimals (1.5), and "
                            "nothing between thousands (1000)",
                            quote.text);
    if (*end == '_')
        return ib_error_set(error, IB_BAD_INPUT,
                            "'%s' has an underscore in the number: write plain digits", quote.text);
    bool zero = end == start + 1 && *start == '0';
    if (zero && *end && strchr("xXbo", *end) && strspn(end + 1, "0123456789abcdefABCDEF") &&
        strncmp(end, "bar", 3) != 0)
        return ib_error_set(error, IB_BAD_INPUT, "'%s' is not a plain decimal number", quote.text);
    if (*end == '.')
        return ib_error_set(error, IB_BAD_INPUT, "'%s' has a second point in the number",
                            quote.text);
    return IB_OK;
}

ib_Status ib_decimal_scan(const char *text, ib_Decimal *decimal, const char **end, ib_Error *error)
{
    const char *at = text;
    decimal->length = decimal->power = 0;
    decimal->negative = *at == '-';
    if (*at == '+' || *at == '-') at++;

    // The length is checked first: the code below relies on it.
    const char *start = at;
    if (strspn(start, "0123456789.") > IB_NUMBER_TEXT)
        return ib_error_set(error, IB_BAD_INPUT, "a number of more than %d characters",
                            IB_NUMBER_TEXT);
    at = scan_digits(at, false, decimal);
    int digits = (int)(at - start);
    if (*at == '.') {
        const char *point = at++;
        at = scan_digits(at, true, decimal);
        digits += (int)(at - point - 1);
    }
    if (digits == 0)
        return ib_error_set(error, IB_BAD_INPUT, "'%s' does not begin with a plain decimal number",
                            ib_quote(text).text);

    at = scan_exponent(at, decimal);
    if (at - text > IB_NUMBER_TEXT)
        return ib_error_set(error, IB_BAD_INPUT, "a number of more than %d characters",
                            IB_NUMBER_TEXT);
    trim_zeros(decimal);
    *end = at;
    return check_end(text, start, at, error);
}

// ----------------------------------------------------------------------------------------- scaling

// Powers of ten up to 22 and whole numbers of 15 digits, or up to 2^53, are exact doubles.
enum { EXACT_DIGITS = 15, EXACT_POWER = 22 };
static const double tens[EXACT_POWER + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                             1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                             1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

bool ib_number_near(uint64_t digits, int power, double *value)
{
    if (digits > UINT64_C(1) << 53 || power > EXACT_POWER || power < -EXACT_POWER) return false;
    *value = power < 0 ? (double)digits / tens[-power] : (double)digits * tens[power];
    return true;
}

// The nearest double to digits * 10^power. If both are exact, their product or quotient is rounded
// once, correctly. Otherwise strtod rounds correctly: the text has no decimal point, so that no
// locale matters.
static double decimal_round(const ib_Decimal *decimal, int power)
{
    uint64_t whole = 0;
    double value;
    for (int i = 0; i < decimal->length && decimal->length <= EXACT_DIGITS; i++)
        whole = 10 * whole + (uint64_t)(decimal->digits[i] - '0');
    if (decimal->length <= EXACT_DIGITS && ib_number_near(whole, power, &value)) return value;
    char text[IB_NUMBER_TEXT + 32];
    snprintf(text, sizeof text, "%se%d", decimal->digits, power);
    return strtod(text, NULL);
}

double ib_decimal_scale(const ib_Decimal *decimal, ib_Scale scale)
{
    int power = decimal->power + scale.power;

    double value;
    if (scale.numerator == 1 && scale.divisor == 1)
        value = decimal_round(decimal, power);
    else if (decimal->length > EXACT_DIGITS || power > EXACT_POWER || power < -EXACT_POWER)
        value = decimal_round(decimal, power) * scale.numerator / scale.divisor;
    else if (power < 0)
        value = decimal_round(decimal, 0) * scale.numerator / (scale.divisor * tens[-power]);
    else
        value = decimal_round(decimal, 0) * scale.numerator * tens[power] / scale.divisor;
    return decimal->negative ? -value : value;
}

double ib_scale_divide(double value, ib_Scale scale)
{
    // Multiplication comes before division, so that 0.0254 m * 10^4 / 254 is 1 in exactly.
    double result = value * scale.divisor;
    int power = -scale.power;
    for (; power > EXACT_POWER; power -= EXACT_POWER) result *= tens[EXACT_POWER];
    if (power > 0) result *= tens[power];
    result /= scale.numerator;
    for (; power < -EXACT_POWER; power += EXACT_POWER) result /= tens[EXACT_POWER];
    return power < 0 ? result / tens[-power] : result;
}

// ----------------------------------------------------------------------------------- plain numbers

ib_Status ib_number_read(const char *text, double *value, ib_Error *error)
{
    ib_Decimal decimal;
    const char *end;
    text += strspn(text, IB_SPACES);
    ib_Status status = ib_decimal_scan(text, &decimal, &end, error);
    if (status) return status;
    if (end[strspn(end, IB_SPACES)])
        return ib_error_set(error, IB_BAD_INPUT, "expected a number and nothing else, got '%s'",
                            ib_quote(text).text);

    double result = ib_decimal_scale(&decimal, (ib_Scale){1, 1, 0});
    if (!isfinite(result))
        return ib_error_set(error, IB_BAD_INPUT, "'%s' is too large", ib_quote(text).text);
    *value = result;
    return IB_OK;
}

void ib_number_format(double value, char *text, size_t size)
{
    // 15 digits suffice for most numbers that a person wrote, 17 for all.
    char shortest[40];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(shortest, sizeof shortest, "%.*g", digits, value);
        if (strtod(shortest, NULL) == value) break;
    }
    snprintf(text, size, "%s", shortest);
}
