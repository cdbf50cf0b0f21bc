#include "study/sweep_axis.h"

#include "base/quote.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The end of the value that starts at `text`: a comma outside of brackets and quotes, or the end.
static char *value_end(char *text)
{
    int depth = 0;
    char quote = 0;
    for (; *text; text++) {
        if (quote) {
            if (*text == quote) quote = 0;
        } else if (*text == '"' || *text == '\'') {
            quote = *text;
        } else if (*text == '[' || *text == '{') {
            depth++;
        } else if (*text == ']' || *text == '}') {
            depth--;
        } else if (*text == ',' && depth == 0) {
            break;
        }
    }
    return text;
}

// A number and the text of its unit, without the blanks around it. False: no number.
static bool split_number(char *text, double *value, char **unit)
{
    char *end;
    *value = strtod(text, &end);
    if (end == text || !isfinite(*value)) return false;
    end += strspn(end, " ");
    *unit = end;
    for (char *last = end + strlen(end); last > end && last[-1] == ' ';) *--last = '\0';
    return true;
}

// "4..14 by 0.5", cut into its three numbers; false: it is no range.
static bool cut_range(char *text, char *part[3])
{
    char *dots = strstr(text, ".."), *by = dots ? strstr(dots, " by ") : NULL;
    if (!by) return false;
    *dots = *by = '\0';
    part[0] = text;
    part[1] = dots + 2;
    part[2] = by + 4;
    return true;
}

// Values from the first to the last in steps; without a unit the first has that of the others.
static ib_Status read_range(char *part[3], const char *written, ib_Arena *arena, ib_SweepAxis *axis,
                            ib_Error *error)
{
    double number[3];
    char *unit[3];
    for (int i = 0; i < 3; i++)
        if (!split_number(part[i], &number[i], &unit[i]))
            return ib_error_set(error, IB_BAD_INPUT,
                                "'%s' is no range: expected FIRST..LAST by STEP, such as '4..14 by "
                                "0.5' or '20 A..60 A by 10 A'",
                                written);
    const char *last = unit[1];
    if ((unit[0][0] && strcmp(unit[0], last) != 0) || strcmp(unit[2], last) != 0)
        return ib_error_set(error, IB_BAD_INPUT,
                            "'%s' has several units: expected the same of first, last and step",
                            written);
    if (number[1] < number[0])
        return ib_error_set(error, IB_BAD_INPUT, "'%s' ends before it begins", written);
    if (!(number[2] > 0))
        return ib_error_set(error, IB_BAD_INPUT, "'%s': expected a step above 0", written);
    double steps = floor((number[1] - number[0]) / number[2] + 1e-9);
    if (!(steps < IB_SWEEP_MOST_VALUES))
        return ib_error_set(error, IB_BAD_INPUT, "'%s' has %.0f values: expected at most %d",
                            written, steps + 1, IB_SWEEP_MOST_VALUES);
    const char **values = ib_arena_array(arena, (size_t)steps + 1, sizeof *values);
    bool room = values != NULL;
    for (int i = 0; room && i <= (int)steps; i++) {
        values[i] = ib_arena_format(arena, "%.12g%s%s", number[0] + i * number[2],
                                    last[0] ? " " : "", last);
        room = values[i] != NULL;
    }
    if (!room) return ib_error_set(error, IB_FAILED, "out of memory");
    axis->values = values;
    axis->count = (int)steps + 1;
    return IB_OK;
}

static ib_Status read_list(char *rest, ib_Arena *arena, ib_SweepAxis *axis, ib_Error *error)
{
    const char **values = ib_arena_array(arena, strlen(rest) + 1, sizeof *values);
    if (!values) return ib_error_set(error, IB_FAILED, "out of memory");
    axis->values = values;
    for (;;) {
        char *end = value_end(rest);
        values[axis->count++] = rest;
        if (!*end) return IB_OK;
        *end = '\0';
        rest = end + 1;
    }
}

ib_Status ib_sweep_axis_read(const char *text, ib_Arena *arena, ib_SweepAxis *axis, ib_Error *error)
{
    char *copy = ib_arena_text(arena, text), *part[3];
    ib_Override whole;
    *axis = (ib_SweepAxis){0};
    if (!copy || !ib_override_split(copy, &whole) || !whole.yaml[0])
        return ib_error_set(error, IB_BAD_INPUT,
                            "expected PATH=a,b,c or PATH=4..14 by 0.5, got '%s'",
                            ib_quote(text).text);
    axis->path = whole.path;
    char *rest = copy + (whole.yaml - copy);
    const char *written = ib_arena_text(arena, rest);
    if (written && cut_range(rest, part)) return read_range(part, written, arena, axis, error);
    return read_list(rest, arena, axis, error);
}
