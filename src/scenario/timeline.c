// scenario/timeline.c: `[[0 s, 2.7 N], [2.4 s, 1.4 N]]`, or one value from the start on.
#include "base/quote.h"
#include "base/units.h"
#include "base/word.h"
#include "scenario/scenario_inside.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST_S = 10000000 };

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

// A list of knots, or one value from the start on.
void ib__read_timeline(ib_Reader *reader, const ib_Node *node, const ib_InputDef *input,
                       ib_Timeline *timeline)
{
    bool list = node->type == IB_NODE_LIST;
    if (list && node->count == 0) {
        ib_wrong_value(reader, node, "an empty timeline: expected [[time, value], …]");
        return;
    }
    size_t count = list ? (size_t)node->count : 1;
    ib_Time *times = ib_arena_array(reader->arena, count, sizeof *times);
    double *values = ib_arena_array(reader->arena, count, sizeof *values);
    if (!times || !values) {
        ib_wrong_value(reader, node, "out of memory");
        return;
    }
    bool good = true;
    const ib_Time *before = NULL;
    if (!list) good = read_value(reader, node, input, &values[0]);
    for (const ib_Node *knot = list ? node->first : NULL; knot; knot = knot->next) {
        int i = knot->index;
        bool fine = read_knot(reader, knot, input, before, &times[i], &values[i]);
        if (fine) before = &times[i];
        good &= fine;
    }
    if (!good) return;
    timeline->times = times;
    timeline->values = values;
    timeline->count = (int)count;
}

// With straight lines the first knot after the end still sets the end of the last line.
void ib__warn_of_late_knots(ib_Reader *reader, const ib_Node *node, const ib_Timeline *timeline,
                            ib_Time duration)
{
    int first = 0;
    while (first < timeline->count && timeline->times[first] <= duration) first++;
    if (timeline->linear && first > 0) first++;
    int late = timeline->count - first;
    if (duration == 0 || late <= 0 || node->type != IB_NODE_LIST) return;
    ib_warn_value(reader, ib_node_at(node, first),
                  "%s after the end of the run, %g s, and %s no effect",
                  late == 1 ? "is" : "this knot and what follows are", ib_time_to_seconds(duration),
                  late == 1 ? "has" : "have");
}
