// scenario/timeline.c: `[[0 s, 2.7 N], [2.4 s, 1.4 N]]`, or one value from the start on; parts of
// it, or all, repeat: `{repeat: {every: 10 s, times: 14, timeline: [[0 s, 5 V], [2 s, 0 V]]}}`.
#include "base/quote.h"
#include "base/units.h"
#include "base/word.h"
#include "scenario/scenario_inside.h"
#include "scenario/schemas.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    LONGEST_S = 10000000,
    MOST_TIMES = 100000,
    MOST_KNOTS = 1000000, ///< of a timeline, with all that repeats
};

typedef struct Repeat {
    double every;
    int times;
} Repeat;

static const ib_Param repeat_params[] = {
    IB_PARAM_ROW("every", IB_PARAM_NUMBER, "s", NULL, 1e-9, LONGEST_S, NULL, Repeat, every, false,
                 "from the beginning of one pass to that of the next"),
    IB_PARAM_ROW("times", IB_PARAM_COUNT, "1", NULL, 1, MOST_TIMES, NULL, Repeat, times, false,
                 "number of passes"),
};
const ib_Schema ib_repeat_schema = IB_SCHEMA(repeat_params);

bool ib__node_is_repeat(const ib_Node *node)
{
    return node->type == IB_NODE_MAP && ib_node_get(node, "repeat");
}

// The time of a knot, later than the one before it.
static bool read_time(ib_Reader *reader, const ib_Node *node, const ib_Time *before, ib_Time *time)
{
    double seconds;
    if (node->type != IB_NODE_SCALAR) {
        ib_read_text(reader, node, "a time");
        return false;
    }
    if (!ib_read_number(reader, node, "s", false, &seconds)) return false;
    if (!(seconds >= 0 && seconds <= LONGEST_S)) {
        ib_wrong_value(reader, node, "out of range: expected a time, 0 s to 1e7 s, got '%s'",
                       ib_quote(node->text).text);
        return false;
    }
    *time = ib_time_from_seconds(seconds);
    if (before && *time <= *before) {
        ib_wrong_value(reader, node,
                       "expected a time later than the one before it (%.9g s), got "
                       "'%s'",
                       ib_time_to_seconds(*before), ib_quote(node->text).text);
        return false;
    }
    return true;
}

// One of the input's words, or its number.
static bool read_word(ib_Reader *reader, const ib_Node *node, const char *const *words,
                      double *value)
{
    char list[sizeof(ib_WordList) + 8];
    int count = 0;
    bool single = node->type == IB_NODE_SCALAR && node->text[0];
    for (; single && words[count]; count++) {
        *value = count;
        if (strcmp(node->text, words[count]) == 0) return true;
    }
    snprintf(list, sizeof list, "one of %s", ib_word_list(words).text);
    const char *text = ib_read_text(reader, node, list);
    if (!text) return false;
    if (ib_number_read(text, value, NULL) == IB_OK && *value >= 0 && *value < count &&
        *value == floor(*value))
        return true;
    ib_wrong_value(reader, node, "expected %s, got '%s'%s", list, ib_quote(text).text,
                   ib_word_hint(':', text, words).text);
    return false;
}

// An unknown input may have a word or a number.
static bool read_value(ib_Reader *reader, const ib_Node *node, const ib_InputDef *input,
                       double *value)
{
    static const char numeric[] = "+-.0123456789";
    bool scalar = node->type == IB_NODE_SCALAR && node->text[0];
    *value = 0;
    if (input->words) return read_word(reader, node, input->words, value);
    if (!input->unit && scalar && !strchr(numeric, node->text[0])) return true;
    return ib_read_number(reader, node, input->unit, false, value);
}

static bool read_knot(ib_Reader *reader, const ib_Node *knot, const ib_InputDef *input,
                      const ib_Time *before, ib_Time *time, double *value)
{
    if (!ib_check_list(reader, knot, "a knot [time, value]")) return false;
    if (knot->count != 2) {
        ib_wrong_value(reader, knot, "expected a knot [time, value], got a list of %d",
                       knot->count);
        return false;
    }
    bool timed = read_time(reader, knot->first, before, time);
    return read_value(reader, knot->last, input, value) && timed;
}

// -------------------------------------------------------------------------------------------- list

// Knots, as many as there are so far; the room doubles.
typedef struct Knots {
    ib_Reader *reader;
    const ib_InputDef *input;
    ib_Time *times;
    double *values;
    size_t count, room;
} Knots;

static bool add_knot(Knots *knots, const ib_Node *node, ib_Time time, double value)
{
    if (knots->count == knots->room) {
        size_t room = knots->room ? 2 * knots->room : 64;
        ib_Time *times = ib_arena_array(knots->reader->arena, room, sizeof *times);
        double *values = ib_arena_array(knots->reader->arena, room, sizeof *values);
        if (!times || !values) {
            ib_wrong_value(knots->reader, node, "out of memory");
            return false;
        }
        if (knots->count) memcpy(times, knots->times, knots->count * sizeof *times);
        if (knots->count) memcpy(values, knots->values, knots->count * sizeof *values);
        knots->times = times;
        knots->values = values;
        knots->room = room;
    }
    knots->times[knots->count] = time;
    knots->values[knots->count++] = value;
    return true;
}

static bool add_one(Knots *knots, const ib_Node *node)
{
    ib_Time time;
    double value;
    const ib_Time *before = knots->count ? &knots->times[knots->count - 1] : NULL;
    return read_knot(knots->reader, node, knots->input, before, &time, &value) &&
           add_knot(knots, node, time, value);
}

// The passes behind the first one, of the knots from `first` on.
static bool add_passes(Knots *knots, const ib_Node *node, size_t first, ib_Time every, int times)
{
    size_t each = knots->count - first;
    if (each * (size_t)times > MOST_KNOTS) {
        ib_wrong_value(knots->reader, ib_node_get(node, "times"),
                       "%zu knots %d times are too many: expected at most %d in all", each, times,
                       MOST_KNOTS);
        return false;
    }
    for (int k = 1; k < times; k++)
        for (size_t i = 0; i < each; i++)
            if (!add_knot(knots, node, knots->times[first + i] + k * every,
                          knots->values[first + i]))
                return false;
    return true;
}

// {repeat: {every: 10 s, times: 14, timeline: [[4.2 s, 5 V], …]}}: the times are of the first pass.
static bool add_repeat(Knots *knots, const ib_Node *outer)
{
    static const char *const all[] = {"repeat", NULL}, *const others[] = {"timeline", NULL};
    static const char form[] = "a timeline such as [[0 s, 5 V], [2 s, 0 V]]";
    ib_Reader *reader = knots->reader;
    const ib_Node *node = ib_node_get(outer, "repeat");
    Repeat repeat = {0};
    size_t first = knots->count;
    ib_check_keys(reader, outer, all);
    if (!ib_check_map(reader, node, "a map with every, times and timeline")) return false;
    ib_read_schema(reader, node, &ib_repeat_schema, others, &repeat);
    const ib_Node *list = ib_node_get(node, "timeline"), *every = ib_node_get(node, "every");
    if (!list) ib_wrong_gap(reader, node, "'timeline' is missing: expected %s", form);
    if (!list || !ib_check_list(reader, list, form)) return false;
    if (list->count == 0) ib_wrong_value(reader, list, "an empty timeline: expected %s", form);
    bool good = list->count > 0 && repeat.every > 0 && repeat.times > 0;
    for (const ib_Node *knot = list->first; knot; knot = knot->next) good &= add_one(knots, knot);
    if (!good) return false;
    ib_Time period = ib_time_from_seconds(repeat.every);
    ib_Time span = knots->times[knots->count - 1] - knots->times[first];
    if (repeat.times > 1 && period <= span) {
        ib_wrong_value(reader, every,
                       "a pass takes %.9g s, from its first knot to its last: expected more, so "
                       "that the next begins behind it",
                       ib_time_to_seconds(span));
        return false;
    }
    return add_passes(knots, node, first, period, repeat.times);
}

// A list of knots and of parts that repeat, one such part, or one value from the start on.
void ib__read_timeline(ib_Reader *reader, const ib_Node *node, const ib_InputDef *input,
                       ib_Timeline *timeline)
{
    bool list = node->type == IB_NODE_LIST;
    if (list && node->count == 0) {
        ib_wrong_value(reader, node, "an empty timeline: expected [[time, value], …]");
        return;
    }
    bool good = true;
    Knots knots = {.reader = reader, .input = input};
    if (ib__node_is_repeat(node)) {
        good = add_repeat(&knots, node);
    } else if (!list) {
        double value;
        good = read_value(reader, node, input, &value) && add_knot(&knots, node, 0, value);
    }
    for (const ib_Node *part = list ? node->first : NULL; part; part = part->next)
        good &= ib__node_is_repeat(part) ? add_repeat(&knots, part) : add_one(&knots, part);
    if (!good) return;
    timeline->times = knots.times;
    timeline->values = knots.values;
    timeline->count = (int)knots.count;
}

// With straight lines the first knot after the end still sets the end of the last line.
void ib__warn_of_late_knots(ib_Reader *reader, const ib_Node *node, const ib_Timeline *timeline,
                            ib_Time duration)
{
    int first = 0;
    while (first < timeline->count && timeline->times[first] <= duration) first++;
    if (timeline->linear && first > 0) first++;
    int late = timeline->count - first;
    bool repeats = ib__node_is_repeat(node), list = node->type == IB_NODE_LIST;
    for (const ib_Node *part = list ? node->first : NULL; part; part = part->next)
        repeats |= ib__node_is_repeat(part);
    if (duration == 0 || late <= 0 || !(list || repeats)) return;
    if (repeats) {
        ib_warn_value(reader, node, "%d of its %d knots are after the end of the run, %g s", late,
                      timeline->count, ib_time_to_seconds(duration));
        return;
    }
    ib_warn_value(reader, ib_node_at(node, first),
                  "%s after the end of the run, %g s, and %s no effect",
                  late == 1 ? "is" : "this knot and what follows are", ib_time_to_seconds(duration),
                  late == 1 ? "has" : "have");
}
