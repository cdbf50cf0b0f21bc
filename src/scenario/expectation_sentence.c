// scenario/expectation_sentence.c: "at 2 s: pose.x = 1.3 m +- 1 mm", read.
#include "base/units.h"
#include "scenario/sentence.h"

#include <math.h>
#include <string.h>

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
        return words[i].timed ? ib__sentence_time(text + length, &e->time, error) : IB_OK;
    }
    return ib_error_set(error, IB_BAD_INPUT,
                        "'%s' says no time: expected 'always', 'never', 'at 2 s', 'at end', "
                        "'before 2 s' or 'after 2 s' before the colon",
                        text);
}

// VALUE, or VALUE +- TOLERANCE after an equals sign. Without a unit both must be plain numbers.
static ib_Status read_value(const char *text, const char *unit, ib_Expectation *e, ib_Error *error)
{
    char value[IB__WORD], tolerance[IB__WORD];
    const char *sign = strstr(text, "+-"), *letter = strstr(text, "\xc2\xb1"); // the letter +-
    if (!sign) sign = letter;
    if ((sign != NULL) != (e->relation == IB_EQUAL))
        return ib_error_set(error, IB_BAD_INPUT,
                            sign ? "a tolerance goes with '=' only"
                                 : "'=' needs a tolerance, such as '= 1.305 m +- 1 mm'");
    if (!ib__sentence_take(text, sign ? sign : text + strlen(text), value, sizeof value) ||
        (sign && !ib__sentence_take(sign + 2, text + strlen(text), tolerance, sizeof tolerance)))
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
static ib_Status split(const char *text, ib_Expectation *e, char name[IB__WORD], const char **value,
                       ib_Error *error)
{
    char when[IB__WORD];
    const char *colon = strchr(text, ':');
    const char *sign = colon ? ib__sentence_relation(colon + 1, value, &e->relation) : NULL;
    if (!sign || !ib__sentence_take(text, colon, when, sizeof when) ||
        !ib__sentence_take(colon + 1, sign, name, IB__WORD) || !name[0])
        return ib_error_set(error, IB_BAD_INPUT,
                            "'%.200s' is no expectation: expected 'WHEN: SIGNAL RELATION VALUE', "
                            "such as 'at 2 s: pose.x = 1.305 m +- 1 mm'",
                            text);
    return read_when(when, e, error);
}

ib_Status ib_expectation_check_form(const char *text, ib_Expectation *e, ib_Error *error)
{
    char name[IB__WORD];
    const char *after = NULL;
    *e = (ib_Expectation){.text = NULL};
    ib_Status status = split(text, e, name, &after, error);
    return status == IB_OK ? read_value(after, NULL, e, error) : status;
}

ib_Status ib_expectation_read(const char *text, const ib_SignalTable *signals, ib_Arena *arena,
                              ib_Expectation *e, ib_Error *error)
{
    char name[IB__WORD];
    const char *after = NULL;
    *e = (ib_Expectation){.text = ib_arena_text(arena, text), .seen = NAN, .seen_at = NAN};
    if (!e->text) return ib_error_set(error, IB_FAILED, "out of memory");
    ib_Status status = split(text, e, name, &after, error);
    if (status == IB_OK) status = ib__sentence_signal(name, signals, arena, &e->signal, error);
    if (status != IB_OK) return status;
    return read_value(after, signals->items[e->signal].unit, e, error);
}
