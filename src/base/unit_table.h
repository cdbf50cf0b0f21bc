// base/unit_table.h: which units and dimensions there are. For units.c and unit_hints.c only.
#ifndef IB_BASE_UNIT_TABLE_H
#define IB_BASE_UNIT_TABLE_H

#include "base/units.h"

enum { IB_UNIT_NAME = 32, IB_UNIT_TERMS = 12, IB_UNIT_TEXT = 200 };

// One factor of a compound unit: "ms^2" is {s, -3, 2}.
typedef struct ib_UnitTerm {
    const ib_UnitInfo *unit;
    int prefix;   ///< power of ten
    int exponent; ///< -9 .. 9, not 0
} ib_UnitTerm;

// A unit expression, read.
typedef struct ib_UnitExpression {
    ib_UnitTerm terms[IB_UNIT_TERMS];
    int count; ///< 0: a pure number
    ib_Scale scale;
    ib_Dimension dimension;
} ib_UnitExpression;

// A dimension that has a name.
typedef struct ib_DimensionInfo {
    ib_Dimension dimension;
    const char *name;    ///< "a mass"
    const char *example; ///< "2.7 kg"
    const char *unit;    ///< of two things that share a dimension, the one that is counted in this
                         ///< unit; NULL: any
} ib_DimensionInfo;

typedef struct ib_UnitPrefix {
    const char *name;
    int power;      ///< of ten
    ib_UnitUse use; ///< the least a unit must allow
} ib_UnitPrefix;

extern const ib_UnitPrefix ib__unit_prefixes[]; ///< ends with a NULL name

// The unit with this name, prefix included; false when there is none.
bool ib__unit_find(const char *name, ib_UnitTerm *term);

// May this unit stand behind this prefix?
bool ib__unit_allows(const ib_UnitInfo *unit, const ib_UnitPrefix *prefix);

// The name and an example of a dimension, of what is counted in `unit` (NULL: whatever it is), or
// NULL when it has none.
const ib_DimensionInfo *ib__dimension_find(ib_Dimension dimension, const char *unit);

// Reads a whole unit expression; it may begin with a slash ("/s" behind a number).
ib_Status ib__unit_parse(const char *text, ib_UnitExpression *expression, ib_Error *error);

// a + count b, exponent by exponent; false when one leaves -99 .. 99.
bool ib__dimension_add(ib_Dimension *a, ib_Dimension b, int count);

// ---------------------------------------------------------------------------- hints (unit_hints.c)

// What a person who wrote the unknown unit `name` most likely meant, as a sentence that follows
// "unknown unit 'kgg'": ": did you mean 'kg'?". Empty when nothing is near.
void ib__hint_unknown(const char *name, char *hint, size_t size);

// Why this unit may not stand, whatever is expected ("gal"), or NULL.
const char *ib__hint_refused(const char *name);

// What to write in a compound instead of a unit with an offset: "psi" for "psig".
const char *ib__hint_offset(const char *name);

// What helps someone who wrote `given` where `wanted` was expected: ": m is metre; write min for
// minutes". Empty when there is nothing to say.
void ib__hint_mismatch(const ib_UnitExpression *given, ib_Dimension wanted, char *hint,
                       size_t size);

#endif
