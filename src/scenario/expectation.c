#include "scenario/expectation.h"

#include "base/units.h"

#include <ctype.h>
#include <float.h>
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
    if (!error) return IB_BAD_INPUT;
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

// VALUE, or VALUE +- TOLERANCE after an equals sign. Without a unit both must be numbers at least.
static ib_Status read_value(const char *text, const char *unit, ib_Expectation *e, ib_Error *error)
{
    char value[WORD], tolerance[WORD];
    const char *sign = strstr(text, "+-"), *letter = strstr(text, "\xc2\xb1"); // the letter +-
    if (!sign) sign = letter;
    if ((sign != NULL) != (e->relation == IB_EQUAL))
        return ib_error_set(error, IB_BAD_INPUT,
                            sign ? "a tolerance goes with '=' only"
                                 : "'=' needs a tolerance, such as '= 1.305 m +- 1 mm'");
    if (!take(text, sign ? sign : text + strlen(text), value, sizeof value) ||
        (sign && !take(sign + 2, text + strlen(text), tolerance, sizeof tolerance)))
        return ib_error_set(error, IB_BAD_INPUT, "'%.40s…' is too long for a value", text);
    ib_Quantity any;
    if (!unit) {
        ib_Status first = ib_quantity_read(value, &any, error);
        return first == IB_OK && sign ? ib_quantity_read(tolerance, &any, error) : first;
    }
    ib_Status status = ib_units_read(value, unit, &e->value, error);
    if (status == IB_OK && sign)
        status = ib_units_read_difference(tolerance, unit, &e->tolerance, error);
    if (status == IB_OK && sign && !(e->tolerance >= 0))
        return ib_error_set(error, IB_BAD_INPUT, "the tolerance '%s' is negative", tolerance);
    return status;
}

// The parts of a sentence: when and relation, the signal's name, and where the value begins.
static ib_Status split(const char *text, ib_Expectation *e, char name[WORD], const char **value,
                       ib_Error *error)
{
    char when[WORD];
    const char *colon = strchr(text, ':');
    const char *sign = colon ? find_relation(colon + 1, value, &e->relation) : NULL;
    if (!sign || !take(text, colon, when, sizeof when) || !take(colon + 1, sign, name, WORD) ||
        !name[0])
        return ib_error_set(error, IB_BAD_INPUT,
                            "'%.200s' is no expectation: expected 'WHEN: SIGNAL RELATION VALUE', "
                            "such as 'at 2 s: pose.x = 1.305 m +- 1 mm'",
                            text);
    return read_when(when, e, error);
}

ib_Status ib_expectation_check_form(const char *text, ib_Expectation *e, ib_Error *error)
{
    char name[WORD];
    const char *after = NULL;
    *e = (ib_Expectation){.text = NULL};
    ib_Status status = split(text, e, name, &after, error);
    return status == IB_OK ? read_value(after, NULL, e, error) : status;
}

ib_Status ib_expectation_read(const char *text, const ib_SignalTable *signals, ib_Arena *arena,
                              ib_Expectation *e, ib_Error *error)
{
    char name[WORD];
    const char *after = NULL;
    *e = (ib_Expectation){.text = ib_arena_text(arena, text), .seen = NAN, .seen_at = NAN};
    if (!e->text) return ib_error_set(error, IB_FAILED, "out of memory");
    ib_Status status = split(text, e, name, &after, error);
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

// The end of a piece is a sum of seconds, which rounds: what ends at the time that the sentence
// names ends no later than this.
static double latest_end(const ib_Expectation *e)
{
    return ib_time_to_seconds(e->time) * (1 + 4 * DBL_EPSILON);
}

// Is this instant one that the sentence speaks of?
static bool concerns(const ib_Expectation *e, double seconds)
{
    if (e->when == IB_WHEN_AFTER) return seconds >= ib_time_to_seconds(e->time);
    return e->when != IB_WHEN_BEFORE || seconds <= latest_end(e);
}

// The earliest of all that would decide it: looks are not in order of time.
static void decide(ib_Expectation *e, bool passed, double seconds, double y)
{
    if (e->decided && !(seconds < e->seen_at)) return;
    e->decided = true;
    e->passed = passed;
    e->seen = y;
    e->seen_at = seconds;
}

// The value that is worst for the sentence: with the smallest margin, or for `never` the largest.
// For `before`, which waits for the best, the best.
static bool is_worse(const ib_Expectation *e, double margin)
{
    bool best = e->when == IB_WHEN_NEVER || e->when == IB_WHEN_BEFORE;
    if (best ? margin > e->worst_margin : margin < e->worst_margin) return true;
    return isnan(e->worst);
}

static void keep_worst(ib_Expectation *e, double seconds, double y)
{
    double margin = margin_of(e, y);
    bool earlier = margin == e->worst_margin && seconds < e->worst_at;
    if (!is_worse(e, margin) && !earlier) return;
    e->worst = y;
    e->worst_margin = margin;
    e->worst_at = seconds;
}

// A value seen at some instant: `before` is fulfilled by the first that holds, the others are
// broken by the first that does not.
static void see(ib_Expectation *e, double seconds, double y)
{
    if (!concerns(e, seconds)) return;
    keep_worst(e, seconds, y);
    bool held = holds(e, y);
    if (e->when == IB_WHEN_BEFORE && held) decide(e, true, seconds, y);
    if (e->when != IB_WHEN_BEFORE && held == (e->when == IB_WHEN_NEVER))
        decide(e, false, seconds, y);
}

static ib_Time sample_then(void *self, ib_Time time, const double *signals)
{
    ib_Expectation *e = self;
    see(e, ib_time_to_seconds(time), signals[e->signal]);
    return IB_TIME_NEVER;
}

static ib_Time sample_at(void *self, ib_Time time, const double *signals)
{
    ib_Expectation *e = self;
    double y = signals[e->signal];
    e->worst = y;
    e->worst_at = ib_time_to_seconds(time);
    decide(e, holds(e, y), e->worst_at, y);
    return IB_TIME_NEVER;
}

static double margin(const void *self, const double *signals)
{
    const ib_Expectation *e = self;
    return margin_of(e, signals[e->signal]);
}

// What decides first is worse than all before it, unless it is not a number; crossed() tells the
// instant where the margin changes its sign on the way there.
static void looked(void *self, double seconds, const double *signals)
{
    ib_Expectation *e = self;
    double y = signals[e->signal], margin = margin_of(e, y);
    if (is_worse(e, margin) || isnan(margin)) see(e, seconds, y);
}

static bool wants(const void *self, double seconds, double margin)
{
    const ib_Expectation *e = self;
    return concerns(e, seconds) && is_worse(e, margin);
}

// Nothing of all that concerns it, or nothing can change any more. What comes just before a switch
// is no part of `after` it.
static bool sleeps(const void *self, double from, double to)
{
    const ib_Expectation *e = self;
    if (e->when == IB_WHEN_AFTER) return to <= latest_end(e);
    return e->when == IB_WHEN_BEFORE && (e->decided || from > ib_time_to_seconds(e->time));
}

// The margin changes sign here: from now on the sentence holds (rising), or no longer does.
static void crossed(void *self, double seconds, const double *signals, bool rising)
{
    ib_Expectation *e = self;
    if (!concerns(e, seconds)) return;
    keep_worst(e, seconds, signals[e->signal]);
    bool fulfils = e->when == IB_WHEN_BEFORE && rising;
    bool breaks = e->when != IB_WHEN_BEFORE && rising == (e->when == IB_WHEN_NEVER);
    if (fulfils || breaks) decide(e, fulfils, seconds, signals[e->signal]);
}

// A window y = v +- d may be passed within one step; y - v changes sign then. That concerns those
// who wait for it, or must not see it; of `always` and `after` its middle decides nothing.
static double distance(const void *self, const double *signals)
{
    const ib_Expectation *e = self;
    return signals[e->signal] - e->value;
}

static void met(void *self, double seconds, const double *signals, bool rising)
{
    ib_Expectation *e = self;
    (void)rising;
    see(e, seconds, signals[e->signal]);
}

ib_Status ib_expectation_attach(ib_Expectation *e, ib_Sim *sim, ib_Error *error)
{
    e->decided = e->passed = false;
    e->seen = e->seen_at = e->worst = e->worst_at = e->worst_margin = NAN;
    if (e->when == IB_WHEN_AT)
        return ib_sim_probe(sim, (ib_Probe){.self = e, .next = e->time, .sample = sample_at},
                            error);
    if (e->when == IB_WHEN_END)
        return ib_sim_probe(
            sim, (ib_Probe){.self = e, .next = IB_TIME_NEVER, .sample = sample_at, .at_end = true},
            error);
    // All is seen by the watch, but for what inputs that switch there make of these instants.
    bool timed = e->when == IB_WHEN_AFTER || e->when == IB_WHEN_BEFORE;
    ib_Probe then = {
        .self = e, .next = timed ? e->time : IB_TIME_NEVER, .sample = sample_then, .at_end = true};
    ib_Status status = ib_sim_probe(sim, then, error);
    // Where exactly zero counts: `<=` holds there, `<` does not.
    int zero = e->relation == IB_LESS || e->relation == IB_GREATER ? -1 : +1;
    ib_Watch watch = {
        e, margin, crossed, zero, looked, wants, timed ? sleeps : NULL, e->signal + 1};
    if (status == IB_OK) status = ib_sim_watch(sim, watch, error);
    bool passing = e->when == IB_WHEN_BEFORE || e->when == IB_WHEN_NEVER;
    if (status == IB_OK && e->relation == IB_EQUAL && passing)
        status = ib_sim_watch(
            sim, (ib_Watch){e, distance, met, 0, NULL, NULL, sleeps, e->signal + 1}, error);
    return status;
}

void ib_expectation_finish(ib_Expectation *e, bool complete)
{
    // What nothing has decided: `always`, `never` and `after` hold,
    // but only if the run came to its end.
    bool lasting =
        e->when == IB_WHEN_ALWAYS || e->when == IB_WHEN_NEVER || e->when == IB_WHEN_AFTER;
    if (e->when == IB_WHEN_END && !complete) e->decided = e->passed = false;
    if (!complete || e->decided) return;
    decide(e, lasting && !isnan(e->worst), e->worst_at, e->worst);
}

bool ib_expectation_failed(const ib_Expectation *e, ib_Time time)
{
    if (e->decided) return !e->passed;
    return e->when == IB_WHEN_BEFORE && time > e->time;
}

// "too high", "too low", or how the value misses the window.
static const char *which_way(const ib_Expectation *e)
{
    bool never = e->when == IB_WHEN_NEVER;
    switch (e->relation) {
    case IB_EQUAL:
        return never ? "inside" : e->worst > e->value ? "too high" : "too low";
    case IB_LESS:
    case IB_AT_MOST:
        return never ? "too low" : "too high";
    default:
        return never ? "too high" : "too low";
    }
}

// ", 4.5 m too high; broken first at 1 s". A value at the limit of < or > misses it by nothing.
static void explain_miss(const ib_Expectation *e, const char *unit, double worst_at, double seen_at,
                         char *text, size_t size)
{
    double off = fabs(margin_of(e, e->worst));
    int used = off > 0 ? snprintf(text, size, ", %.3g%s %s", off, unit, which_way(e))
                       : snprintf(text, size, ", exactly the limit");
    if (used < 0 || (size_t)used >= size || worst_at == seen_at) return;
    snprintf(text + used, size - (size_t)used, "; broken first at %.10g s", seen_at);
}

void ib_expectation_explain(const ib_Expectation *e, const ib_SignalTable *signals, char *text,
                            size_t size)
{
    const ib_SignalDef *def = &signals->items[e->signal];
    if (!e->decided || isnan(e->worst_at)) {
        snprintf(text, size, "%s: not decided, the run ended before", def->name);
        return;
    }
    if (!e->passed && isnan(e->seen)) {
        snprintf(text, size, "%s was not a number at %.10g s", def->name, e->seen_at);
        return;
    }
    double off = fabs(margin_of(e, e->worst));
    // A pure number stands alone.
    bool pure = strcmp(def->unit, "1") == 0;
    char unit[64] = "";
    if (!pure) snprintf(unit, sizeof unit, " %s", def->unit);
    // Times are shown to the picosecond: an instant just past a step's start is that start.
    double seen_at = rint(e->seen_at * 1e12) / 1e12, worst_at = rint(e->worst_at * 1e12) / 1e12;
    bool before = e->when == IB_WHEN_BEFORE;
    int used = snprintf(text, size, "%s was %.10g%s at %.10g s", def->name,
                        before && e->passed ? e->seen : e->worst, unit,
                        before && e->passed ? seen_at : worst_at);
    if (used < 0 || (size_t)used >= size) return;
    text += used;
    size -= (size_t)used;
    if (before && e->passed)
        snprintf(text, size, ", %.3g s to spare", ib_time_to_seconds(e->time) - e->seen_at);
    else if (before && off > 0)
        snprintf(text, size, " at best, %.3g%s missing", off, unit);
    else if (before)
        snprintf(text, size, " at best, exactly the limit");
    else if (e->passed)
        snprintf(text, size, ", %.3g%s to spare", off, unit);
    else
        explain_miss(e, unit, worst_at, seen_at, text, size);
}
