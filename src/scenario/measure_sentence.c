// scenario/measure_sentence.c: "first pose.x > 8 m from 1 s", read.
#include "base/units.h"
#include "scenario/measure.h"
#include "scenario/sentence.h"

#include <string.h>

static const struct {
    const char *word;
    ib_MeasureKind kind;
} kinds[] = {{"min ", IB_MEASURE_MIN}, {"max ", IB_MEASURE_MAX},     {"mean ", IB_MEASURE_MEAN},
             {"rms ", IB_MEASURE_RMS}, {"final ", IB_MEASURE_FINAL}, {"first ", IB_MEASURE_FIRST}};

// The last of ` word ` in the text, with the text behind it in `after`; NULL: it is not there.
static const char *find_word(const char *text, const char *word, const char **after)
{
    const char *last = NULL;
    for (const char *at = text; (at = strstr(at, word)) != NULL; at++) last = at;
    if (last) *after = last + strlen(word);
    return last;
}

// Takes "from T" and "to T" off the end of the text.
static ib_Status read_window(char *text, ib_Measure *m, ib_Error *error)
{
    static const char *const words[] = {" to ", " from "};
    ib_Time *times[] = {&m->to, &m->from};
    m->from = 0;
    m->to = IB_TIME_NEVER;
    for (int i = 0; i < 2; i++) {
        const char *after;
        char *at = (char *)find_word(text, words[i], &after);
        if (!at) continue;
        ib_Status status = ib__sentence_time(after, times[i], error);
        if (status != IB_OK) return status;
        *at = '\0';
    }
    if (m->from >= m->to)
        return ib_error_set(error, IB_BAD_INPUT,
                            "'%s' ends before it begins: expected from T to a "
                            "later T",
                            m->text);
    if (m->kind == IB_MEASURE_FINAL && (m->from > 0 || m->to < IB_TIME_NEVER))
        return ib_error_set(error, IB_BAD_INPUT, "'%s': the final value has no from and to",
                            m->text);
    return IB_OK;
}

ib_Status ib_measure_read(const char *text, const ib_SignalTable *signals, ib_Arena *arena,
                          ib_Measure *m, ib_Error *error)
{
    char rest[2 * IB__WORD], name[IB__WORD];
    const char *value = NULL, *sign = NULL;
    *m = (ib_Measure){.text = ib_arena_text(arena, text)};
    if (!m->text) return ib_error_set(error, IB_FAILED, "out of memory");
    size_t i = 0, count = sizeof kinds / sizeof kinds[0], skip = strspn(text, " ");
    while (i < count && strncmp(text + skip, kinds[i].word, strlen(kinds[i].word)) != 0) i++;
    if (i == count || !ib__sentence_take(text + skip + strlen(kinds[i].word), text + strlen(text),
                                         rest, sizeof rest))
        return ib_error_set(error, IB_BAD_INPUT,
                            "'%.200s' is no measure: expected min, max, mean, rms or final and a "
                            "signal, such as 'min battery.voltage', 'max abs lift.error from 1 s "
                            "to 3 s', or 'first pose.x > 8 m'",
                            text);
    m->kind = kinds[i].kind;
    ib_Status status = read_window(rest, m, error);
    if (status != IB_OK) return status;
    sign = ib__sentence_relation(rest, &value, &m->relation);
    bool first = m->kind == IB_MEASURE_FIRST;
    if (first != (sign != NULL) || (sign && m->relation == IB_EQUAL))
        return ib_error_set(error, IB_BAD_INPUT,
                            first ? "'%s' says not when: expected <, <=, > or >= and a value, such "
                                    "as 'first pose.x > 8 m'"
                                  : "'%s': a relation goes with 'first' only",
                            m->text);
    const char *begin = rest;
    m->absolute = strncmp(rest, "abs ", 4) == 0;
    if (m->absolute) begin += 4;
    if (!ib__sentence_take(begin, sign ? sign : rest + strlen(rest), name, sizeof name))
        return ib_error_set(error, IB_BAD_INPUT, "'%.40s…' is too long for a signal", begin);
    status = ib__sentence_signal(name, signals, arena, &m->signal, error);
    if (status != IB_OK || !first) return status;
    return ib_units_read(value, signals->items[m->signal].unit, &m->value, error);
}
