#include "sim/mode.h"

#include "base/signal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const ib_Mode modes[] = {
    {"brownout.stage",
     false,
     IB_MODE_BROWNOUT,
     {{"supply is fine again", IB_MODE_INFO},
      {"brownout: the servo rail sags", IB_MODE_WARNING},
      {"brownout: outputs off", IB_MODE_ERROR},
      {"blackout: the controller is off", IB_MODE_ERROR},
      {"the controller boots", IB_MODE_WARNING}}},
    {"breaker.closed",
     false,
     IB_MODE_BREAKER,
     {{"the main breaker trips", IB_MODE_ERROR}, {"the main breaker closes", IB_MODE_INFO}}},
    {"branch.*.closed",
     false,
     IB_MODE_BREAKER,
     {{"branch breaker trips", IB_MODE_WARNING}, {"branch breaker closes again", IB_MODE_INFO}}},
    {"battery.collapsed",
     false,
     IB_MODE_BROWNOUT,
     {{"the supply is back", IB_MODE_INFO}, {"no voltage serves all loads", IB_MODE_ERROR}}},
    {"compressor.running",
     false,
     IB_MODE_STATE,
     {{"the compressor stops", IB_MODE_INFO}, {"the compressor starts", IB_MODE_INFO}}},
    {"drive.gear",
     false,
     IB_MODE_STATE,
     {{"first gear", IB_MODE_INFO}, {"second gear", IB_MODE_INFO}}},
    {"contact.hits",
     false,
     IB_MODE_CONTACT,
     {{"no hit so far", IB_MODE_INFO}, {"a hit", IB_MODE_INFO}}},
    {"contact.touching",
     false,
     IB_MODE_CONTACT,
     {{"it comes free", IB_MODE_INFO}, {"it rests on something", IB_MODE_INFO}}},
    {"cylinder.*.velocity",
     true,
     IB_MODE_STATE,
     {{"the rod stands", IB_MODE_INFO}, {"the rod moves", IB_MODE_INFO}}},
};
enum { MODES = sizeof modes / sizeof modes[0] };

const ib_Mode *ib_mode_of(const char *signal)
{
    for (int i = 0; i < MODES; i++) {
        char behind[64];
        snprintf(behind, sizeof behind, "*.%s", modes[i].pattern);
        if (ib_signals_match(modes[i].pattern, signal) || ib_signals_match(behind, signal))
            return &modes[i];
    }
    return NULL;
}

// Where the pattern begins: at the start or behind a point.
static const char *tail_of(const ib_Mode *mode, const char *signal)
{
    const char *tail = signal;
    while (!ib_signals_match(mode->pattern, tail)) {
        const char *point = strchr(tail, '.');
        if (!point) return signal;
        tail = point + 1;
    }
    return tail;
}

int ib_mode_robot(const ib_Mode *mode, const char *signal)
{
    const char *tail = tail_of(mode, signal);
    return tail > signal ? (int)(tail - signal) - 1 : 0;
}

// The part that stands for * belongs before the noun: "left branch breaker trips", "the arm rod
// moves".
void ib_mode_sentence(const ib_Mode *mode, const char *signal, bool several, ib_ModeMeaning meaning,
                      char *text, size_t size)
{
    int robot = several ? ib_mode_robot(mode, signal) : 0;
    const char *star = strchr(mode->pattern, '*'), *part = "";
    int length = 0;
    if (star) {
        part = tail_of(mode, signal) + (star - mode->pattern);
        length = (int)(strlen(part) - strlen(star + 1));
    }
    int article = strncmp(meaning.text, "the ", 4) == 0 ? 4 : 0;
    snprintf(text, size, "%.*s%s%.*s%.*s%s%s", robot, signal, robot ? ": " : "", article,
             meaning.text, length, part, length ? " " : "", meaning.text + article);
}

double ib_mode_value(const ib_Mode *mode, double value)
{
    return mode->motion ? value != 0 : value;
}

ib_ModeMeaning ib_mode_meaning(const ib_Mode *mode, double value)
{
    int last = 0;
    while (last + 1 < IB_MODE_MEANINGS && mode->meanings[last + 1].text) last++;
    if (!(value >= 0) || value != floor(value)) return (ib_ModeMeaning){"", IB_MODE_INFO};
    return mode->meanings[value < last ? (int)value : last];
}

const char *ib_mode_kind_name(ib_ModeKind kind)
{
    static const char *const names[] = {
        [IB_MODE_STATE] = "state",       [IB_MODE_BREAKER] = "breaker",
        [IB_MODE_BROWNOUT] = "brownout", [IB_MODE_CONTACT] = "contact",
        [IB_MODE_LIMIT] = "limit",
    };
    return names[kind];
}

const char *ib_mode_level_name(ib_ModeLevel level)
{
    static const char *const names[] = {
        [IB_MODE_INFO] = "info", [IB_MODE_WARNING] = "warning", [IB_MODE_ERROR] = "error"};
    return names[level];
}
