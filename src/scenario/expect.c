#include "scenario/expect.h"

#include "base/units.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// ----------------------------------------------------------------------------------------- reading

enum { WORD = 128 };

static const char *skip_space(const char *text)
{
    while (isspace((unsigned char)*text)) text++;
    return text;
}

// Copies text up to `end` without the white space around it. False when it does not fit.
static bool take(const char *begin, const char *end, char *word, size_t size)
{
    begin = skip_space(begin);
    while (end > begin && isspace((unsigned char)end[-1])) end--;
    if (end < begin || (size_t)(end - begin) >= size) return false;
    memcpy(word, begin, (size_t)(end - begin));
    word[end - begin] = '\0';
    return true;
}

static ib_Status read_time(const char *text, ib_Time *time, ib_Error *error)
{
    double seconds;
    ib_Status status = ib_units_read(text, "s", &seconds, error);
    if (status != IB_OK) return status;
    if (seconds < 0 || seconds > 1e7)
        return ib_error_set(error, IB_BAD_INPUT, "the time '%s' is not within 0 s to 1e7 s", text);
    *time = ib_time_from_seconds(seconds);
    return IB_OK;
}

static ib_Status read_when(const char *text, ib_Expectation *e, ib_Error *error)
{
    static const struct {
        const char *word;
        ib_When when;
        bool timed;
    } words[] = {{"always", IB_WHEN_ALWAYS, false}, {"never", IB_WHEN_NEVER, false},
                 {"at end", IB_WHEN_END, false},    {"at ", IB_WHEN_AT, true},
                 {"before ", IB_WHEN_BEFORE, true}, {"after ", IB_WHEN_AFTER, true}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t length = strlen(words[i].word);
        if (!words[i].timed && strcmp(text, words[i].word) != 0) continue;
        if (words[i].timed && strncmp(text, words[i].word, length) != 0) continue;
        e->when = words[i].when;
        return words[i].timed ? read_time(text + length, &e->time, error) : IB_OK;
    }
    return ib_error_set(error, IB_BAD_INPUT,
                        "'%s' says no time: expected 'always', 'never', 'at 2 s', 'at end', "
                        "'before 2 s' or 'after 2 s' before the colon",
                        text);
}

// The relation sign, and where the text after it begins.
static const char *find_relation(const char *text, const char **after, ib_Relation *relation)
{
    const char *sign = strpbrk(text, "<>=");
    if (!sign) return NULL;
    bool equal = sign[0] != '=' && sign[1] == '=';
    *after = sign + (equal ? 2 : 1);
    *relation = sign[0] == '='   ? IB_EQUAL
                : sign[0] == '<' ? (equal ? IB_AT_MOST : IB_LESS)
                                 : (equal ? IB_AT_LEAST : IB_GREATER);
    return sign;
}

static ib_Status find_signal(const char *name, const ib_SignalTable *signals, ib_Arena *arena,
                             int *index, ib_Error *error)
{
    *index = ib_signals_find(signals, name);
    if (*index >= 0) return IB_OK;
    const char **names = ib_arena_array(arena, (size_t)signals->count + 1, sizeof *names);
    for (int i = 0; names && i < signals->count; i++) names[i] = signals->items[i].name;
    const char *near = names ? ib_nearest_word(name, names) : NULL;
    if (near)
        return ib_error_set(error, IB_BAD_INPUT, "there is no signal '%s'; did you mean '%s'?",
                            name, near);
    return ib_error_set(error, IB_BAD_INPUT,
                        "there is no signal '%s'; 'ironbird list signals' prints all of them",
                        name);
}

// VALUE, or VALUE +- TOLERANCE after an equals sign.
static ib_Status read_value(const char *text, const char *unit, ib_Expectation *e, ib_Error *error)
{
    char value[WORD], tolerance[WORD];
    const char *sign = strstr(text, "+-");
    if ((sign != NULL) != (e->relation == IB_EQUAL))
        return ib_error_set(error, IB_BAD_INPUT,
                            sign ? "a tolerance goes with '=' only"
                                 : "'=' needs a tolerance, such as '= 1.305 m +- 1 mm'");
    if (!take(text, sign ? sign : text + strlen(text), value, sizeof value) ||
        (sign && !take(sign + 2, text + strlen(text), tolerance, sizeof tolerance)))
        return ib_error_set(error, IB_BAD_INPUT, "'%.40s…' is too long for a value", text);
    ib_Status status = ib_units_read(value, unit, &e->value, error);
    if (status == IB_OK && sign)
        status = ib_units_read_difference(tolerance, unit, &e->tolerance, error);
    if (status == IB_OK && sign && !(e->tolerance >= 0))
        return ib_error_set(error, IB_BAD_INPUT, "the tolerance '%s' is negative", tolerance);
    return status;
}

ib_Status ib_expect_read(const char *text, const ib_SignalTable *signals, ib_Arena *arena,
                         ib_Expectation *e, ib_Error *error)
{
    char when[WORD], name[WORD];
    *e = (ib_Expectation){.text = ib_arena_text(arena, text), .seen = NAN, .seen_at = NAN};
    if (!e->text) return ib_error_set(error, IB_FAILED, "out of memory");
    const char *colon = strchr(text, ':'), *after = NULL;
    const char *sign = colon ? find_relation(colon + 1, &after, &e->relation) : NULL;
    if (!sign || !take(text, colon, when, sizeof when) ||
        !take(colon + 1, sign, name, sizeof name) || !name[0])
        return ib_error_set(error, IB_BAD_INPUT,
                            "'%.200s' is no expectation: expected 'WHEN: SIGNAL RELATION VALUE', "
                            "such as 'at 2 s: pose.x = 1.305 m +- 1 mm'",
                            text);
    ib_Status status = read_when(when, e, error);
    if (status == IB_OK) status = find_signal(name, signals, arena, &e->signal, error);
    if (status != IB_OK) return status;
    return read_value(after, signals->items[e->signal].unit, e, error);
}

// ----------------------------------------------------------------------------------------- judging

static double margin_of(const ib_Expectation *e, double y)
{
    switch (e->relation) {
    case IB_EQUAL:
        return e->tolerance - fabs(y - e->value);
    case IB_LESS:
    case IB_AT_MOST:
        return e->value - y;
    case IB_GREATER:
    case IB_AT_LEAST:
        break;
    }
    return y - e->value;
}

// Does the sentence hold for this value? `<` and `>` do not hold at the edge.
static bool holds(const ib_Expectation *e, double y)
{
    double margin = margin_of(e, y);
    return e->relation == IB_LESS || e->relation == IB_GREATER ? margin > 0 : margin >= 0;
}

static void decide(ib_Expectation *e, bool passed, double seconds, double y)
{
    e->decided = true;
    e->passed = passed;
    e->seen = y;
    e->seen_at = seconds;
}

// Is this instant one that the sentence speaks of?
static bool concerns(const ib_Expectation *e, double seconds)
{
    if (e->when == IB_WHEN_AFTER) return seconds >= ib_time_to_seconds(e->time);
    return e->when != IB_WHEN_BEFORE || seconds <= ib_time_to_seconds(e->time);
}

// A value seen at some instant: `before` is fulfilled by the first that holds, the others are
// broken by the first that does not; until then the value with the smallest margin is kept to be
// shown.
static void see(ib_Expectation *e, double seconds, double y)
{
    if (e->decided || !concerns(e, seconds)) return;
    bool held = holds(e, y);
    double sense = e->when == IB_WHEN_NEVER ? -1 : 1; // for `never`, near to holding is bad
    if (e->when == IB_WHEN_BEFORE) {
        if (held) decide(e, true, seconds, y);
    } else if (held == (e->when == IB_WHEN_NEVER)) {
        decide(e, false, seconds, y);
    }
    bool worse = isnan(e->seen) || sense * margin_of(e, y) < sense * margin_of(e, e->seen);
    if (!e->decided && (worse || e->when == IB_WHEN_BEFORE)) {
        e->seen = y;
        e->seen_at = seconds;
    }
}

static ib_Time sample_each_step(void *self, ib_Time time, const double *signals)
{
    ib_Expectation *e = self;
    see(e, ib_time_to_seconds(time), signals[e->signal]);
    return IB_TIME_NEVER;
}

static ib_Time sample_at(void *self, ib_Time time, const double *signals)
{
    ib_Expectation *e = self;
    e->decided = true;
    e->seen = signals[e->signal];
    e->seen_at = ib_time_to_seconds(time);
    e->passed = holds(e, e->seen);
    return IB_TIME_NEVER;
}

static ib_Time sample_end(void *self, ib_Time time, const double *signals)
{
    ib_Expectation *e = self;
    e->seen = signals[e->signal];
    e->seen_at = ib_time_to_seconds(time);
    return IB_TIME_NEVER;
}

static double margin(const void *self, const double *signals)
{
    const ib_Expectation *e = self;
    return margin_of(e, signals[e->signal]);
}

// The margin changes sign here: from now on the sentence holds (rising), or no longer does.
static void crossed(void *self, double seconds, const double *signals, bool rising)
{
    ib_Expectation *e = self;
    bool fulfils = e->when == IB_WHEN_BEFORE && rising;
    bool breaks = e->when != IB_WHEN_BEFORE && rising == (e->when == IB_WHEN_NEVER);
    if (!e->decided && concerns(e, seconds) && (fulfils || breaks))
        decide(e, fulfils, seconds, signals[e->signal]);
}

ib_Status ib_expect_attach(ib_Expectation *e, ib_Sim *sim, ib_Error *error)
{
    e->decided = e->passed = false;
    e->seen = e->seen_at = NAN;
    if (e->when == IB_WHEN_AT)
        return ib_sim_observe(sim, (ib_Observer){e, e->time, false, sample_at}, error);
    if (e->when == IB_WHEN_END)
        return ib_sim_observe(sim, (ib_Observer){e, IB_TIME_NEVER, true, sample_end}, error);
    bool timed = e->when == IB_WHEN_AFTER || e->when == IB_WHEN_BEFORE;
    ib_Time first = timed ? e->time : IB_TIME_NEVER;
    ib_Status status = ib_sim_observe(sim, (ib_Observer){e, first, true, sample_each_step}, error);
    return status == IB_OK ? ib_sim_watch(sim, (ib_Watch){e, margin, crossed}, error) : status;
}

void ib_expect_finish(ib_Expectation *e, ib_Time end)
{
    if (e->decided) return;
    // Nothing decided against `always`, `never` or `after` until the end; `at` beyond the end was
    // not seen.
    bool reached = !isnan(e->seen);
    if (e->when == IB_WHEN_END)
        e->passed = reached && holds(e, e->seen);
    else if (e->when == IB_WHEN_AFTER)
        e->passed = reached && e->time <= end;
    else
        e->passed = reached && (e->when == IB_WHEN_ALWAYS || e->when == IB_WHEN_NEVER);
    e->decided = true;
}

void ib_expect_explain(const ib_Expectation *e, const ib_SignalTable *signals, char *text,
                       size_t size)
{
    const ib_SignalDef *def = &signals->items[e->signal];
    if (isnan(e->seen_at)) {
        snprintf(text, size, "%s was not seen: the run ended before", def->name);
        return;
    }
    double margin = margin_of(e, e->seen);
    double off = e->when == IB_WHEN_NEVER ? margin : -margin;
    if (e->passed)
        snprintf(text, size, "%s was %.10g %s at %.10g s, %.3g %s to spare", def->name, e->seen,
                 def->unit, e->seen_at, fabs(off), def->unit);
    else if (e->when == IB_WHEN_BEFORE)
        snprintf(text, size, "%s did not get there: %.10g %s at %.10g s, %.3g %s missing",
                 def->name, e->seen, def->unit, e->seen_at, fabs(off), def->unit);
    else
        snprintf(text, size, "%s was %.10g %s at %.10g s, off by %.3g %s", def->name, e->seen,
                 def->unit, e->seen_at, fabs(off), def->unit);
}
