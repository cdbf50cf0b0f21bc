#include "design/export/export_text.h"

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_TEXT = 40, PER_LINE = 4, TERMS_PER_LINE = 3 };

ib_Export ib__export_start(const ib_Loop *loop, const ib_ExportOptions *options, FILE *file)
{
    ib_Export out = {.loop = loop, .single = options->single, .file = file};
    memcpy(out.name, options->name[0] ? options->name : loop->name, sizeof out.name);
    for (int i = 0; out.name[i]; i++) out.upper[i] = (char)toupper((unsigned char)out.name[i]);
    return out;
}

void ib__export_text(const ib_Export *out, const char *text)
{
    for (const char *c = text; *c; c++) {
        if (*c == '$') {
            fputs(out->name, out->file);
        } else if (*c == '@') {
            fputs(out->upper, out->file);
        } else {
            fputc(*c, out->file);
        }
    }
}

// The fewest decimal digits that read back as the number: at most 17 for a double, 9 for a float.
static void number_text(bool single, double value, char text[NUMBER_TEXT])
{
    double largest = single ? (double)FLT_MAX : DBL_MAX;
    IB_ASSERT(!isnan(value));
    if (fabs(value) > largest) value = copysign(largest, value);
    if (single) value = (double)(float)value;
    for (int digits = single ? 6 : 15; digits <= (single ? 9 : 17); digits++) {
        snprintf(text, NUMBER_TEXT - 4, "%.*g", digits, value);
        if (single ? (double)strtof(text, NULL) == value : strtod(text, NULL) == value) break;
    }
    if (!strpbrk(text, ".e")) strcat(text, ".0");
    if (single) strcat(text, "f");
}

void ib__export_number(const ib_Export *out, double value)
{
    char text[NUMBER_TEXT];
    number_text(out->single, value, text);
    fputs(text, out->file);
}

void ib__export_double(const ib_Export *out, double value)
{
    char text[NUMBER_TEXT];
    number_text(false, value, text);
    fputs(text, out->file);
}

bool ib__export_is_goal(const ib_Loop *loop, int state)
{
    static const char error[] = "error_";
    return strncmp(loop->gear[0].plant.state[state], error, sizeof error - 1) != 0;
}

void ib__export_table(const ib_Export *out, int groups, int size, int outer, int inner,
                      const double *a)
{
    fputc('{', out->file);
    for (int g = 0; g < groups; g++) {
        fputs(g > 0 ? ",\n     {" : "{", out->file);
        for (int k = 0; k < size; k++) {
            if (k > 0) fputs(k % PER_LINE == 0 ? ",\n      " : ", ", out->file);
            ib__export_number(out, a[g * outer + k * inner]);
        }
        fputc('}', out->file);
    }
    fputc('}', out->file);
}

void ib__export_product(const ib_Export *out, const char *a, const char *v, int count)
{
    fputc('(', out->file);
    for (int j = 0; j < count; j++) {
        if (j > 0) fputs(j % TERMS_PER_LINE == 0 ? " +\n            " : " + ", out->file);
        fprintf(out->file, "%s[%d][i] * %s[%d]", a, j, v, j);
    }
    fputc(')', out->file);
}
