// base/unit_table.h: the table of units and dimensions. For units.c and unit_hints.c only.
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
    const char *unit;    ///< tells apart two quantities of one dimension: the one with this unit;
                         ///< NULL: any
} ib_DimensionInfo;

typedef struct ib_UnitPrefix {
    const char *name;
    int power;      ///< of ten
    ib_UnitUse use; ///< the least use that a unit must allow
} ib_UnitPrefix;

extern const ib_UnitPrefix ib__unit_prefixes[]; ///< ends with a NULL name

// The unit with this name, prefix included; false: none.
bool ib__unit_find(const char *name, ib_UnitTerm *term);

// True if this unit may have this prefix.
bool ib__unit_allows(const ib_UnitInfo *unit, const ib_UnitPrefix *prefix);

// The name and an example of a dimension, of the quantity with `unit` (NULL: any), or NULL if it
// has none.
const ib_DimensionInfo *ib__dimension_find(ib_Dimension dimension, const char *unit);

// Reads a whole unit expression; it may begin with a slash ("/s" behind a number).
ib_Status ib__unit_parse(const char *text, ib_UnitExpression *expression, ib_Error *error);

// a + count b, exponent by exponent; false when one leaves -99 .. 99.
bool ib__dimension_add(ib_Dimension *a, ib_Dimension b, int count);

// ---------------------------------------------------------------------------- hints (unit_hints.c)

// The most likely meaning of the unknown unit `name`, as a sentence that follows "unknown unit
// 'kgg'": ": did you mean 'kg'?". Empty when nothing is near.
void ib__hint_unknown(const char *name, char *hint, size_t size);

// The reason why this unit is refused in any place ("gal"), or NULL.
const char *ib__hint_refused(const char *name);

// The unit to write in a compound instead of one with an offset: "psi" for "psig".
const char *ib__hint_offset(const char *name);

// A hint for a user who wrote `given` instead of `wanted`: ": m is metre; write min for minutes".
// Empty without a hint.
void ib__hint_mismatch(const ib_UnitExpression *given, ib_Dimension wanted, char *hint,
                       size_t size);

#endif
