#include "study/sweep/sweep_options.h"

#include "base/quote.h"

#include <inttypes.h>
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

ib_Status ib_sweep_range_read(char *part[], int count, const char *written, double number[],
                              const char **unit, ib_Error *error)
{
    char *units[IB_SWEEP_RANGE] = {0};
    for (int i = 0; i < count; i++)
        if (!split_number(part[i], &number[i], &units[i]))
            return ib_error_set(
                error, IB_BAD_INPUT,
                "'%s' is no range: expected %s, such as '4..14%s' or '20 A..60 A%s'", written,
                count == 2 ? "FIRST..LAST" : "FIRST..LAST by STEP", count == 2 ? "" : " by 0.5",
                count == 2 ? "" : " by 10 A");
    *unit = units[1];
    bool one = !units[0][0] || strcmp(units[0], *unit) == 0;
    for (int i = 2; i < count; i++) one &= strcmp(units[i], *unit) == 0;
    if (!one)
        return ib_error_set(error, IB_BAD_INPUT,
                            "'%s' has several units: expected the same of all its numbers",
                            written);
    if (number[1] < number[0])
        return ib_error_set(error, IB_BAD_INPUT, "'%s' ends before it begins", written);
    return IB_OK;
}

// "4..14 by 0.5", cut into its three numbers; false: it is no range.
static bool cut_range(char *text, char *part[IB_SWEEP_RANGE])
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
static ib_Status read_range(char *part[], const char *written, ib_Arena *arena, ib_SweepAxis *axis,
                            ib_Error *error)
{
    double number[IB_SWEEP_RANGE];
    const char *unit;
    ib_Status status = ib_sweep_range_read(part, IB_SWEEP_RANGE, written, number, &unit, error);
    if (status != IB_OK) return status;
    if (!(number[2] > 0))
        return ib_error_set(error, IB_BAD_INPUT, "'%s': expected a step above 0", written);
    double steps = floor((number[1] - number[0]) / number[2] + 1e-9);
    if (!(steps < IB_SWEEP_MOST_VALUES))
        return ib_error_set(error, IB_BAD_INPUT, "'%s' has %.0f values: expected at most %d",
                            written, steps + 1, IB_SWEEP_MOST_VALUES);
    const char **values = ib_arena_array(arena, (size_t)steps + 1, sizeof *values);
    bool room = values != NULL;
    for (int i = 0; room && i <= (int)steps; i++) {
        values[i] = ib_sweep_number_text(number[0] + i * number[2], unit, arena);
        room = values[i] != NULL;
    }
    if (!room) return ib_error_set(error, IB_FAILED, "out of memory");
    axis->values = values;
    axis->count = (int)steps + 1;
    return IB_OK;
}

const char *ib_sweep_number_text(double number, const char *unit, ib_Arena *arena)
{
    return ib_arena_format(arena, "%.12g%s%s", number, unit[0] ? " " : "", unit);
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
    char *copy = ib_arena_text(arena, text), *part[IB_SWEEP_RANGE];
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
    char *end = rest;
    if (written) strtod(rest, &end);
    if (end > rest && strstr(rest, "..") && !strpbrk(rest, ",[{"))
        return ib_error_set(error, IB_BAD_INPUT, "'%s' needs a step: expected '%s by 0.5'", written,
                            written);
    return read_list(rest, arena, axis, error);
}

ib_Status ib_sweep_axis_add(ib_SweepPlan *plan, const char *text, ib_Arena *arena, ib_Error *error)
{
    ib_SweepAxis axis;
    if (plan->axis_count == IB_SWEEP_MAX_AXES)
        return ib_error_set(error, IB_BAD_INPUT, "expected at most %d", IB_SWEEP_MAX_AXES);
    ib_Status status = ib_sweep_axis_read(text, arena, &axis, error);
    for (int i = 0; i < plan->axis_count && status == IB_OK; i++)
        if (strcmp(plan->axes[i].path, axis.path) == 0)
            return ib_error_set(error, IB_BAD_INPUT,
                                "%s is there twice; write all its values after one --over",
                                axis.path);
    if (status == IB_OK) plan->axes[plan->axis_count++] = axis;
    return status;
}

// ------------------------------------------------------------------------------------------- seeds

// Reads the digits of a whole number at the start of `text`; `end` is the rest. False: none, or
// beyond `most`.
static bool read_digits(const char *text, uint64_t most, uint64_t *value, const char **end)
{
    uint64_t sum = 0;
    const char *c = text;
    for (; *c >= '0' && *c <= '9'; c++) {
        sum = 10 * sum + (uint64_t)(*c - '0');
        if (sum > most) return false;
    }
    *value = sum;
    *end = c;
    return c != text;
}

ib_Status ib_sweep_seeds_read(const char *text, ib_SweepPlan *plan, ib_Error *error)
{
    const uint64_t largest = UINT64_C(1) << 53; // of run.seed, too
    const char *end;
    uint64_t first, last;
    bool good = read_digits(text, UINT64_MAX / 10 - 1, &first, &end);
    last = first;
    if (good && !strncmp(end, "..", 2))
        good = read_digits(end + 2, UINT64_MAX / 10 - 1, &last, &end);
    // Digits that are too many to be read are a seed that is too large.
    bool digits = strspn(text, "0123456789.") == strlen(text) && text[0] != '.';
    if ((good && !*end && (first > largest || last > largest)) || (!good && digits && *text))
        return ib_error_set(error, IB_BAD_INPUT, "a seed is at most %" PRIu64 " (2^53), got '%s'",
                            largest, text);
    if (good && !*end && last < first)
        return ib_error_set(error, IB_BAD_INPUT,
                            "'%s' ends before it begins: expected a range such as 0..49", text);
    if (!good || *end)
        return ib_error_set(error, IB_BAD_INPUT, "expected a range such as 0..49, got '%s'", text);
    plan->has_seeds = true;
    plan->first_seed = first;
    plan->seed_count = (int64_t)(last - first) + 1;
    return IB_OK;
}

// ---------------------------------------------------------------------------------------- measures

ib_Status ib_sweep_measure_add(ib_SweepPlan *plan, const char *text, ib_Error *error)
{
    for (int i = 0; i < plan->measure_count; i++)
        if (strcmp(plan->measures[i], text) == 0)
            return ib_error_set(error, IB_BAD_INPUT, "'%s' is there twice", text);
    if (plan->measure_count == IB_SWEEP_MAX_MEASURES)
        return ib_error_set(error, IB_BAD_INPUT, "expected at most %d measures",
                            IB_SWEEP_MAX_MEASURES);
    plan->measures[plan->measure_count++] = text;
    return IB_OK;
}

ib_Status ib_sweep_best_read(const char *text, ib_SweepPlan *plan, int *measure, bool *largest,
                             ib_Error *error)
{
    static const char *const words[] = {"largest ", "smallest "};
    *largest = strncmp(text, words[0], strlen(words[0])) == 0;
    for (int i = 0; i < 2; i++)
        if (strncmp(text, words[i], strlen(words[i])) == 0) text += strlen(words[i]);
    for (*measure = 0; *measure < plan->measure_count; ++*measure)
        if (strcmp(plan->measures[*measure], text) == 0) return IB_OK;
    return ib_sweep_measure_add(plan, text, error);
}
