// base/number_17.c: 17 digits of a double, exactly rounded: enough for every double to come back.
//
//   |value| = m 2^e,  m < 2^53,  10^k <= |value| < 10^(k+1)
//   the digits are those of the whole number nearest to |value| 10^(16-k) = m 5^(16-k) 2^(e+16-k)
//
// 5^55 is the last power of five below 2^128. Therefore m 5^p is a whole number of at most 181 bits
// and fits three words: a right shift leaves the digits, and the bits shifted out decide the
// rounding, a tie to even. Numbers beyond 1e17, and below 1e-38, are left to printf.
#include "base/number.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { DIGITS = 17, MOST_POWER = 54 };

__extension__ typedef unsigned __int128 Wide;

// 5^p in two words, low first; the square of 5^27 is already too long for one.
static void power_of_five(int p, uint64_t five[2])
{
    static const uint64_t small[] = {UINT64_C(1),
                                     UINT64_C(5),
                                     UINT64_C(25),
                                     UINT64_C(125),
                                     UINT64_C(625),
                                     UINT64_C(3125),
                                     UINT64_C(15625),
                                     UINT64_C(78125),
                                     UINT64_C(390625),
                                     UINT64_C(1953125),
                                     UINT64_C(9765625),
                                     UINT64_C(48828125),
                                     UINT64_C(244140625),
                                     UINT64_C(1220703125),
                                     UINT64_C(6103515625),
                                     UINT64_C(30517578125),
                                     UINT64_C(152587890625),
                                     UINT64_C(762939453125),
                                     UINT64_C(3814697265625),
                                     UINT64_C(19073486328125),
                                     UINT64_C(95367431640625),
                                     UINT64_C(476837158203125),
                                     UINT64_C(2384185791015625),
                                     UINT64_C(11920928955078125),
                                     UINT64_C(59604644775390625),
                                     UINT64_C(298023223876953125),
                                     UINT64_C(1490116119384765625),
                                     UINT64_C(7450580596923828125)};
    int high = p > 27 ? 27 : p;
    Wide product = (Wide)small[high] * small[p - high];
    five[0] = (uint64_t)product;
    five[1] = (uint64_t)(product >> 64);
}

// m 5^p 2^shift as a whole number, rounded; `shift` < 0.
static uint64_t scale(uint64_t m, int p, int shift)
{
    uint64_t five[2], word[3];
    power_of_five(p, five);
    Wide low = (Wide)m * five[0], high = (Wide)m * five[1] + (uint64_t)(low >> 64);
    word[0] = (uint64_t)low;
    word[1] = (uint64_t)high;
    word[2] = (uint64_t)(high >> 64);
    int out = -shift, words = out / 64, bits = out % 64;
    // The result has 57 bits, in two words at most.
    uint64_t at = word[words], above = words < 2 ? word[words + 1] : 0;
    uint64_t whole = bits ? at >> bits | above << (64 - bits) : at;
    // The bit below, then a test for any bits further down.
    int below = out - 1;
    bool half = word[below / 64] >> below % 64 & 1, rest = false;
    for (int i = 0; i < below / 64; i++) rest |= word[i] != 0;
    rest |= (word[below / 64] & ((UINT64_C(1) << below % 64) - 1)) != 0;
    return whole + (half && (rest || (whole & 1)));
}

// The 17 digits of |value|, and the power of ten of the first; false: for printf.
static bool find_digits(double value, uint64_t *digits, int *power)
{
    const uint64_t least = UINT64_C(10000000000000000); // 10^16
    int e;
    uint64_t m = (uint64_t)ldexp(frexp(value, &e), 53);
    e -= 53;
    // log10(2) (e + 53 - 1) <= k < that + 1, by the fraction 1233/4096, slightly too small.
    int top = e + 52, k = top >= 0 ? top * 1233 / 4096 : -((-top * 1233 + 4095) / 4096);
    for (int tries = 0; tries < 3; tries++) {
        int p = DIGITS - 1 - k, shift = e + p;
        if (p < 0 || p > MOST_POWER || shift >= 0 || shift <= -192) return false;
        *digits = scale(m, p, shift);
        *power = k;
        if (*digits >= 10 * least)
            k++; // one digit too many: the estimate was too low
        else if (*digits < least)
            k--;
        else
            return true;
    }
    return false;
}

// Digits with a point in them, or an exponent behind, without zeros at the end, as %g has them.
static int lay_out(const char *digits, int count, int power, char *text)
{
    int used = 0;
    if (power < -4 || power >= DIGITS) {
        text[used++] = digits[0];
        if (count > 1) text[used++] = '.';
        for (int i = 1; i < count; i++) text[used++] = digits[i];
        return used + sprintf(text + used, "e%c%02d", power < 0 ? '-' : '+', abs(power));
    }
    if (power < 0) {
        text[used++] = '0';
        text[used++] = '.';
        for (int i = -1; i > power; i--) text[used++] = '0';
    }
    for (int i = 0; i < count || i <= power; i++) {
        if (i > 0 && i == power + 1) text[used++] = '.';
        text[used++] = i < count ? digits[i] : '0';
    }
    return used;
}

int ib_number_format_17(double value, char text[IB_NUMBER_17])
{
    uint64_t digits;
    int power, used = 0, count = DIGITS;
    if (!isfinite(value)) return 0;
    if (signbit(value)) text[used++] = '-';
    if (value == 0) {
        text[used++] = '0';
        return used;
    }
    if (!find_digits(fabs(value), &digits, &power))
        return snprintf(text, IB_NUMBER_17, "%.17g", value);
    char all[DIGITS];
    for (int i = DIGITS - 1; i >= 0; i--, digits /= 10) all[i] = (char)('0' + digits % 10);
    while (count > 1 && all[count - 1] == '0') count--;
    return used + lay_out(all, count, power, text + used);
}
