// scenario/expectation_sentence.c: "at 2 s: pose.x = 1.3 m +- 1 mm", read.
#include "base/units.h"
#include "base/word.h"
#include "scenario/expectation.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

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

// VALUE, or VALUE +- TOLERANCE after an equals sign. Without a unit both must be plain numbers.
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
