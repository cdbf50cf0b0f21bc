// base/mode.h: what the values 0, 1, 2 … of a signal that shows a mode mean to a person.
// A mode is a breaker that is open, a gear, a stop. It is declared beside the physics that
// switches; reports list its changes, the viewer shows them as they happen.
#ifndef IB_BASE_MODE_H
#define IB_BASE_MODE_H

#include <stdbool.h>
#include <stddef.h>

typedef enum ib_ModeKind {
    IB_MODE_STATE, ///< something switched, as it should
    IB_MODE_BREAKER,
    IB_MODE_BROWNOUT,
    IB_MODE_CONTACT,
    IB_MODE_LIMIT, ///< something ran into a stop or a limit
    IB_MODE_KINDS,
} ib_ModeKind;

typedef enum ib_ModeLevel {
    IB_MODE_INFO,
    IB_MODE_WARNING,
    IB_MODE_ERROR,
    IB_MODE_LEVELS
} ib_ModeLevel;

typedef struct ib_ModeMeaning {
    const char *text; ///< "the main breaker trips"; NULL: no such value
    ib_ModeLevel level;
    bool dead; ///< motors behind it have no power
} ib_ModeMeaning;

enum { IB_MODE_MEANINGS = 6 };

typedef struct ib_Mode {
    ib_ModeKind kind;
    bool motion; ///< only between zero and not zero: it stops or begins to move
    ib_ModeMeaning meanings[IB_MODE_MEANINGS]; ///< of the values 0, 1, 2 …; the last one with a
                                               ///< text goes on for all larger values
    const ib_ModeMeaning *many; ///< in their place, where there are more, such as the steps of a
                                ///< routine: each with a text; NULL: there are not
    int many_count;
} ib_Mode;

// How many values have a meaning of their own, at least 1.
int ib_mode_count(const ib_Mode *mode);

// The value as the mode sees it: two values that look the same are no change.
double ib_mode_value(const ib_Mode *mode, double value);

// Which of the meanings a value (of ib_mode_value) has: 0 … ib_mode_count - 1; those that mean
// nothing have the nearest one's place.
int ib_mode_place(const ib_Mode *mode, double value);

// What a value (of ib_mode_value) means; text "" where it means nothing.
ib_ModeMeaning ib_mode_meaning(const ib_Mode *mode, double value);

// What happens as a sentence, with the robot in front and the part before the noun, each where it
// is given (not NULL, not ""): "red: left branch breaker trips", "the arm rod moves". As much as
// `size` has room for.
void ib_mode_sentence(ib_ModeMeaning meaning, const char *robot, const char *part, char *text,
                      size_t size);

// "state", "breaker", "brownout", "contact", "limit"; "info", "warning", "error".
const char *ib_mode_kind_name(ib_ModeKind kind);
const char *ib_mode_level_name(ib_ModeLevel level);

#endif
