// base/mode.h: the meanings of the values 0, 1, 2 … of a mode signal, in words for people. A mode
// is an open breaker, a gear, a stop. The physics that switches declares it; reports list its
// changes, the viewer shows them as they happen.
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
                                               ///< text holds for all larger values
    const ib_ModeMeaning *many; ///< a longer list in their place, such as the steps of a routine:
                                ///< each with a text; NULL: none
    int many_count;
} ib_Mode;

// The number of values with a meaning of their own, at least 1.
int ib_mode_count(const ib_Mode *mode);

// The value as the mode sees it: two values that look the same are no change.
double ib_mode_value(const ib_Mode *mode, double value);

// The index of a value's meaning (value of ib_mode_value): 0 … ib_mode_count - 1; values without a
// meaning have the nearest one's index.
int ib_mode_place(const ib_Mode *mode, double value);

// The meaning of a value (of ib_mode_value); text "" if it has none.
ib_ModeMeaning ib_mode_meaning(const ib_Mode *mode, double value);

// The change as a sentence, with the robot in front and the part before the noun, if given (not
// NULL, not ""): "red: left branch breaker trips", "the arm rod moves". Cut at `size`.
void ib_mode_sentence(ib_ModeMeaning meaning, const char *robot, const char *part, char *text,
                      size_t size);

// "state", "breaker", "brownout", "contact", "limit"; "info", "warning", "error".
const char *ib_mode_kind_name(ib_ModeKind kind);
const char *ib_mode_level_name(ib_ModeLevel level);

#endif
