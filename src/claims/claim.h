// claims/claim.h: the claims of a source document, and their verdicts.
//
// The verdict follows from the numbers by the claim's own rule; it is never written down. Only the
// expected verdict is written down, so that a change of the physics shows.
#ifndef IB_CLAIMS_CLAIM_H
#define IB_CLAIMS_CLAIM_H

#include <math.h>
#include <stdbool.h>

enum {
    IB_CLAIM_FORMS = 3, ///< of the equations: corrected and up to two published ones
    IB_NO_ROW = 0,      ///< no computed value: a document's own rows begin at 1
};

typedef enum ib_Verdict {
    IB_VERDICT_HOLDS,
    IB_VERDICT_NEARLY,  ///< called "approximately"
    IB_VERDICT_FALSE,   ///< called "does not hold"
    IB_VERDICT_UNKNOWN, ///< the value could not be computed
    IB_VERDICTS,
} ib_Verdict;

// The claimed value, and its tolerances:
//   holds           -below <= computed - published <= above
//   approximately   |computed - published| <= nearly
//   does not hold   otherwise
typedef struct ib_ClaimRule {
    double published;            ///< the value, in the unit of the claim
    double below, above, nearly; ///< distances from it, in the same unit, >= 0; may be infinite
    int row, form; ///< row > 0: `published` is the computed value of this row and form instead
} ib_ClaimRule;

typedef struct ib_Claim {
    const char *claim; ///< the statement, for people
    const char *where; ///< section, figure or equation of the document
    const char *unit;  ///< of all numbers
    ib_ClaimRule rule;
    int row;  ///< of the computed value
    int form; ///< … and its form, the first by default
    ib_Verdict expected;
    const char *note;           ///< the reason; "": none
    const char *published_unit; ///< the printed unit of a claim about a unit, `unit` being right;
                                ///< NULL: about a number
    const char *made_of;        ///< … and its quantities: "N/m*s/m*s" for N/(m/s)/(m/s)
} ib_Claim;

// One computed value under each form of the equations; NAN: none.
typedef struct ib_ClaimValue {
    double form[IB_CLAIM_FORMS];
} ib_ClaimValue;

// The values and the verdict of one claim.
typedef struct ib_Judgement {
    double published, computed; ///< NAN for a claim about a unit
    ib_Verdict verdict;
    bool ok; ///< as expected
} ib_Judgement;

ib_Judgement ib_claim_judge(const ib_Claim *claim, const ib_ClaimValue *values);

const char *ib_verdict_name(ib_Verdict verdict);

// ---------------------------------------------------------------------------- to write claims with

// A printed number holds if the computed one rounds to it, `digit` being the unit of its last
// digit, and holds approximately within 5 %.
#define IB_PRINTED(value, digit)                                                                   \
    {                                                                                              \
        value, (digit) / 2.0, (digit) / 2.0, 0.05 * ((value) < 0 ? -(value) : (value)), 0, 0       \
    }
// Limits of its own, for "holds" and for "approximately".
#define IB_NEAR(value, holds, nearly)                                                              \
    {                                                                                              \
        value, holds, holds, nearly, 0, 0                                                          \
    }
// A bound: the number must be no more, or no less, than this one.
#define IB_AT_MOST(value)                                                                          \
    {                                                                                              \
        value, INFINITY, 0, 0, 0, 0                                                                \
    }
#define IB_AT_LEAST(value)                                                                         \
    {                                                                                              \
        value, 0, INFINITY, 0, 0, 0                                                                \
    }
// The value of one form of the equations must equal the computed value.
#define IB_EQUATION(form, row, tolerance)                                                          \
    {                                                                                              \
        0, tolerance, tolerance, 0, row, form                                                      \
    }
#define IB_CLAIM(what, place, si, rule_, row_, verdict, why)                                       \
    {                                                                                              \
        .claim = (what), .where = (place), .unit = (si), .rule = rule_, .row = (row_),             \
        .expected = IB_VERDICT_##verdict, .note = (why)                                            \
    }
// A claim about a unit: as printed, as it must be, and its quantities.
#define IB_UNIT_CLAIM(what, place, printed, si, parts, verdict, why)                               \
    {                                                                                              \
        .claim = (what), .where = (place), .unit = (si), .expected = IB_VERDICT_##verdict,         \
        .note = (why), .published_unit = (printed), .made_of = (parts)                             \
    }
#define IB_CLAIM_COUNT(array) (int)(sizeof(array) / sizeof(array)[0])

#endif
