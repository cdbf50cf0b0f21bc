#include "record/csv.h"

#include "base/utf8.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ----------------------------------------------------------------------------------------- numbers

__extension__ typedef unsigned __int128 Wide;

enum { POWERS = 20, WHOLE_MIN = -3, WHOLE_MAX = 15 };

static const uint64_t powers_of_ten[POWERS] = {
    1,
    10,
    100,
    1000,
    10000,
    100000,
    1000000,
    10000000,
    100000000,
    1000000000,
    10000000000,
    100000000000,
    1000000000000,
    10000000000000,
    100000000000000,
    1000000000000000,
    10000000000000000,
    100000000000000000,
    1000000000000000000,
    10000000000000000000u,
};

// Writes decimal * 10^-places without zeros at its end.
static int put_decimal(bool negative, uint64_t decimal, int places, char *text)
{
    for (; places > 0 && decimal % 10 == 0; places--) decimal /= 10;
    char reversed[24];
    int count = 0, at = 0;
    for (; decimal || count == 0; decimal /= 10) reversed[count++] = (char)('0' + decimal % 10);
    int whole = count - places; // digits before the point
    if (negative) text[at++] = '-';
    if (whole <= 0) {
        text[at++] = '0';
        text[at++] = '.';
        for (; whole < 0; whole++) text[at++] = '0';
        whole = -1; // the point is there
    }
    for (int i = 0; i < count; i++) {
        if (i == whole) text[at++] = '.';
        text[at++] = reversed[count - 1 - i];
    }
    text[at] = '\0';
    return at;
}

// The usual range, 1e-4 <= |value| < 1e15, ten times as fast as printf. With value = m 2^-s, the
// decimal of n digits is d 10^-j with d = round(m 10^j / 2^s), and it reads back as the same double
// when it is nearer to m than half a step, or at half a step from an even m:
//   |d 2^s - m 10^j| < 10^j / 2
// All of these are whole numbers below 2^120. A power of two has a smaller step below: printf
// handles it. Returns 0 for values outside the usual range.
static int put_usual(double value, char *text)
{
    double size = fabs(value);
    if (!(size >= 1e-4 && size < 1e15)) return 0;
    uint64_t word;
    memcpy(&word, &size, sizeof word);
    uint64_t m = (word & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
    int s = 1075 - (int)(word >> 52);
    if (m == UINT64_C(1) << 52) return 0;

    // 10^(whole - 1) <= size < 10^whole; n - whole <= POWERS follows.
    int whole = WHOLE_MIN;
    while (whole < WHOLE_MAX &&
           size >= (whole < 0 ? 1.0 / (double)powers_of_ten[-whole] : (double)powers_of_ten[whole]))
        whole++;
    for (int n = 15;; n++) {
        int j = n - whole;
        Wide scale = j < POWERS ? powers_of_ten[j] : (Wide)powers_of_ten[POWERS - 1] * 10;
        Wide exact = m * scale, half = (Wide)1 << (s - 1);
        Wide d = exact >> s, rest = exact - (d << s);
        if (rest > half || (rest == half && d % 2)) d++;
        Wide miss = d << s > exact ? (d << s) - exact : rest;
        if (n == 17 || 2 * miss < scale || (2 * miss == scale && m % 2 == 0))
            return put_decimal(value < 0, (uint64_t)d, j, text);
    }
}

int ib_csv_number(double value, char text[IB_CSV_NUMBER])
{
    text[0] = '\0';
    if (!isfinite(value)) return 0;

    // Whole numbers, often a 0 or a flag, need no search for digits; -0.0 does.
    if (value == floor(value) && fabs(value) < 1e15 && (value != 0 || !signbit(value)))
        return put_decimal(value < 0, (uint64_t)fabs(value), 0, text);

    int length = put_usual(value, text);
    for (int digits = 15; length == 0; digits++) {
        int tried = snprintf(text, IB_CSV_NUMBER, "%.*g", digits, value);
        if (digits == 17 || strtod(text, NULL) == value) length = tried;
    }
    return length;
}

int ib_csv_time(ib_Time time, char text[IB_CSV_NUMBER])
{
    // Unsigned, since the smallest time has no positive twin.
    uint64_t ns = time < 0 ? 0 - (uint64_t)time : (uint64_t)time;
    return put_decimal(time < 0, ns, 9, text);
}

// A cell with a comma, a quote, a line end or a space at its edge goes between quotes,
// its own quotes doubled.
static void put_cell(const char *text, ib_Bytes *bytes)
{
    size_t length = strlen(text);
    bool edge = length && (text[0] == ' ' || text[length - 1] == ' ');
    if (!edge && !strpbrk(text, ",\"\r\n\t")) {
        ib_bytes_put(bytes, text, length);
        return;
    }
    ib_bytes_put_char(bytes, '"');
    for (; *text; text++) {
        if (*text == '"') ib_bytes_put_char(bytes, '"');
        ib_bytes_put_char(bytes, *text);
    }
    ib_bytes_put_char(bytes, '"');
}

// A spreadsheet takes a cell that begins with such a character for a formula: an apostrophe in
// front marks it as text. The check skips apostrophes, so that a name may itself begin with one.
bool ib_csv_needs_guard(const char *name)
{
    name += strspn(name, "'");
    return *name && strchr(IB_CSV_FORMULA, *name);
}

// Line ends and tabs stand between quotes; other control characters, and bytes that are no
// character, are written by their number: \x1b.
static void put_tame(const char *text, ib_Bytes *bytes)
{
    size_t length;
    for (size_t left = strlen(text); left > 0; text += length, left -= length) {
        length = ib_utf8_character(text, left);
        bool wild = length == 0 || (ib_utf8_is_control(text, length) && !strchr("\t\r\n", *text));
        if (length == 0) length = 1;
        for (size_t i = 0; wild && i < length; i++) {
            char number[8];
            snprintf(number, sizeof number, "\\x%02x", (unsigned char)text[i]);
            ib_bytes_put_text(bytes, number);
        }
        if (!wild) ib_bytes_put(bytes, text, length);
    }
}

// "name [unit]"; empty brackets follow a name that looks like one with a unit.
static void put_column(const ib_SignalDef *column, ib_Bytes *bytes)
{
    size_t length = strlen(column->name);
    ib_Bytes text = {0};
    if (ib_csv_needs_guard(column->name)) ib_bytes_put_char(&text, '\'');
    put_tame(column->name, &text);
    if (column->unit[0] || (length && column->name[length - 1] == ']')) {
        ib_bytes_put_text(&text, " [");
        put_tame(column->unit, &text);
        ib_bytes_put_char(&text, ']');
    }
    ib_bytes_put_char(&text, '\0');
    if (text.failed)
        bytes->failed = true;
    else
        put_cell((const char *)text.data, bytes);
    ib_bytes_free(&text);
}

void ib_csv_put_header(const ib_SignalDef *columns, int count, ib_Bytes *bytes)
{
    ib_bytes_put_text(bytes, IB_CSV_TIME);
    for (int i = 0; i < count; i++) {
        ib_bytes_put_char(bytes, ',');
        put_column(&columns[i], bytes);
    }
    ib_bytes_put_char(bytes, '\n');
}

void ib_csv_put_row(ib_Time time, const double *values, const bool *present, int count,
                    ib_Bytes *bytes)
{
    // Room is reserved once, and the text is written in place.
    if (!ib_bytes_reserve(bytes, (size_t)(count + 1) * IB_CSV_NUMBER)) return;
    char *begin = (char *)bytes->data, *to = begin + bytes->count;
    to += ib_csv_time(time, to);
    for (int i = 0; i < count; i++) {
        *to++ = ',';
        if (!present || present[i]) to += ib_csv_number(values[i], to);
    }
    *to++ = '\n';
    bytes->count = (size_t)(to - begin);
}
