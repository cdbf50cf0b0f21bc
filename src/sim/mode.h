// sim/mode.h: signals that show a mode, and what their values mean to a person. Reports list the
// changes, the viewer shows them as they happen.
#ifndef IB_SIM_MODE_H
#define IB_SIM_MODE_H

#include <stdbool.h>
#include <stddef.h>

typedef enum ib_ModeKind {
    IB_MODE_STATE, ///< something switched, as it should
    IB_MODE_BREAKER,
    IB_MODE_BROWNOUT,
    IB_MODE_CONTACT,
    IB_MODE_LIMIT, ///< something ran into a stop or a limit
} ib_ModeKind;

typedef enum ib_ModeLevel { IB_MODE_INFO, IB_MODE_WARNING, IB_MODE_ERROR } ib_ModeLevel;

typedef struct ib_ModeMeaning {
    const char *text;
    ib_ModeLevel level;
} ib_ModeMeaning;

enum { IB_MODE_MEANINGS = 6 };

typedef struct ib_Mode {
    const char *pattern; ///< of the signal's name behind a robot's prefix: "branch.*.closed"
    bool motion;         ///< only between zero and not zero: it stops or begins to move
    ib_ModeKind kind;
    ib_ModeMeaning meanings[IB_MODE_MEANINGS]; ///< of the values 0, 1, 2 …; the last one with a
                                               ///< text goes on for all larger values
} ib_Mode;

// The mode that the signal with this whole name shows, or NULL.
const ib_Mode *ib_mode_of(const char *signal);

// How many characters of the name of a mode's signal are the robot's: 3 of "red.breaker.closed".
int ib_mode_robot(const ib_Mode *mode, const char *signal);

// What happens as a sentence, its robot in front where there are `several` and with what the mode's
// pattern leaves open: "red: left branch breaker trips". As much as `size` has room for.
void ib_mode_sentence(const ib_Mode *mode, const char *signal, bool several, ib_ModeMeaning meaning,
                      char *text, size_t size);

// The value as the mode sees it: two values that look the same are no change.
double ib_mode_value(const ib_Mode *mode, double value);

// What a value (of ib_mode_value) means; text "" where it means nothing.
ib_ModeMeaning ib_mode_meaning(const ib_Mode *mode, double value);

// "state", "breaker", "brownout", "contact", "limit"; "info", "warning", "error".
const char *ib_mode_kind_name(ib_ModeKind kind);
const char *ib_mode_level_name(ib_ModeLevel level);

#endif
