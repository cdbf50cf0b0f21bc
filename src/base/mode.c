#include "base/mode.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

double ib_mode_value(const ib_Mode *mode, double value)
{
    return mode->motion ? value != 0 : value;
}

int ib_mode_count(const ib_Mode *mode)
{
    if (mode->many) return mode->many_count;
    int count = 1;
    while (count < IB_MODE_MEANINGS && mode->meanings[count].text) count++;
    return count;
}

int ib_mode_place(const ib_Mode *mode, double value)
{
    int last = ib_mode_count(mode) - 1, place = 0;
    while (place < last && value > place) place++;
    return place;
}

ib_ModeMeaning ib_mode_meaning(const ib_Mode *mode, double value)
{
    const ib_ModeMeaning *meanings = mode->many ? mode->many : mode->meanings;
    if (!(value >= 0) || value != floor(value) || !meanings[0].text)
        return (ib_ModeMeaning){.text = ""};
    return meanings[ib_mode_place(mode, value)];
}

void ib_mode_sentence(ib_ModeMeaning meaning, const char *robot, const char *part, char *text,
                      size_t size)
{
    bool named = robot && robot[0], several = part && part[0];
    int article = several && strncmp(meaning.text, "the ", 4) == 0 ? 4 : 0;
    snprintf(text, size, "%s%s%.*s%s%s%s", named ? robot : "", named ? ": " : "", article,
             meaning.text, several ? part : "", several ? " " : "", meaning.text + article);
}

const char *ib_mode_kind_name(ib_ModeKind kind)
{
    static const char *const names[IB_MODE_KINDS] = {
        [IB_MODE_STATE] = "state",       [IB_MODE_BREAKER] = "breaker",
        [IB_MODE_BROWNOUT] = "brownout", [IB_MODE_CONTACT] = "contact",
        [IB_MODE_LIMIT] = "limit",
    };
    return names[kind];
}

const char *ib_mode_level_name(ib_ModeLevel level)
{
    static const char *const names[IB_MODE_LEVELS] = {
        [IB_MODE_INFO] = "info", [IB_MODE_WARNING] = "warning", [IB_MODE_ERROR] = "error"};
    return names[level];
}
