#include "scenario/sentence.h"

#include "base/units.h"
#include "base/word.h"

#include <ctype.h>
#include <string.h>

static const char *skip_space(const char *text)
{
    while (isspace((unsigned char)*text)) text++;
    return text;
}

bool ib__sentence_take(const char *begin, const char *end, char *word, size_t size)
{
    begin = skip_space(begin);
    while (end > begin && isspace((unsigned char)end[-1])) end--;
    if (end < begin || (size_t)(end - begin) >= size) return false;
    memcpy(word, begin, (size_t)(end - begin));
    word[end - begin] = '\0';
    return true;
}

ib_Status ib__sentence_time(const char *text, ib_Time *time, ib_Error *error)
{
    double seconds;
    ib_Status status = ib_units_read(text, "s", &seconds, error);
    if (status != IB_OK) return status;
    if (seconds < 0 || seconds > 1e7)
        return ib_error_set(error, IB_BAD_INPUT, "the time '%s' is not within 0 s to 1e7 s", text);
    *time = ib_time_from_seconds(seconds);
    return IB_OK;
}

const char *ib__sentence_relation(const char *text, const char **after, ib_Relation *relation)
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

ib_Status ib__sentence_signal(const char *name, const ib_SignalTable *signals, ib_Arena *arena,
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
