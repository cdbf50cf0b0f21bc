// cli/verify.h: a document's claims beside what the program computes, and the verdicts.
//
// A document is a const table of claims in groups and one function that computes every value the
// table refers to. The verdict follows from the numbers by the claim's own rule; it is never
// written down. What is written down is the verdict that is expected,
// so that a change of the physics shows.
#ifndef IB_CLI_VERIFY_H
#define IB_CLI_VERIFY_H

#include "report/plot.h"

#include <stdbool.h>
#include <stdio.h>

enum { VERIFY_FORMS = 3 }; ///< corrected equations and up to two published forms

typedef enum Verdict {
    VERDICT_HOLDS,
    VERDICT_NEARLY,  ///< printed as "approximately"
    VERDICT_FALSE,   ///< printed as "does not hold"
    VERDICT_UNKNOWN, ///< the value could not be computed
} Verdict;

// What is claimed, and how near is near enough:
//   holds           -below <= computed - published <= above
//   approximately   |computed - published| <= nearly
//   does not hold   otherwise
typedef struct Rule {
    double published;
    double below, above, nearly;
    int row, form; ///< row > 0: `published` is the computed value of this row and form instead
} Rule;

typedef struct Claim {
    const char *claim; ///< what is claimed, for a person
    const char *where; ///< section, figure or equation of the document
    const char *unit;
    Rule rule;
    int row;  ///< of the computed value
    int form; ///< … and its form, the first by default
    Verdict expected;
    const char *note;           ///< why it is so; "": nothing to say
    const char *published_unit; ///< a claim about a unit, as printed, `unit` being right; NULL:
                                ///< about a number
    const char *made_of; ///< … and the quantities it is made of: "N/m*s/m*s" for N/(m/s)/(m/s)
} Claim;

typedef struct ClaimGroup {
    const char *title;
    const char *heading; ///< of the column with the published values
    const Claim *claims;
    int count;
} ClaimGroup;

// One computed value under each form of the equations; NAN: there is none.
typedef struct Found {
    double form[VERIFY_FORMS];
} Found;

// What a document shows beside its claims: a table whose cells are made one by one.
typedef struct SideTable {
    const char *title;
    const char *const *headings; ///< NULL-terminated; one over numbers begins with '#'
    // Writes a cell; false: there is no such row.
    bool (*cell)(const Found *found, int row, int column, char *text, size_t size);
} SideTable;

typedef struct Document {
    const char *name;                ///< as in `ironbird verify NAME`
    const char *title;               ///< of the document
    const char *forms[VERIFY_FORMS]; ///< headings of the computed values; NULL: no such column
    const char *remark;              ///< below the table
    const ClaimGroup *groups;
    int group_count;
    int row_count;
    ib_Status (*compute)(Found *found, ib_Error *error); ///< fills `row_count` rows, all NAN before
    const SideTable *table;                              ///< before the claims; NULL: none
    // Appends the figures of a report, numbered from 1 on; NULL: none. A figure that cannot be
    // drawn says why.
    void (*figures)(const Found *found, ib_Text *html);
} Document;

extern const Document roomba_document, motor_document, tank_document;

// ---------------------------------------------------------------------------- to write claims with

// A number as printed holds when the computed one rounds to it, `digit` being the unit of its last
// digit, and holds approximately within 5 %.
#define PRINTED(value, digit)                                                                      \
    {                                                                                              \
        value, (digit) / 2.0, (digit) / 2.0, 0.05 * ((value) < 0 ? -(value) : (value)), 0, 0       \
    }
// Limits of its own, for "holds" and for "approximately".
#define NEAR(value, holds, nearly)                                                                 \
    {                                                                                              \
        value, holds, holds, nearly, 0, 0                                                          \
    }
// What one form of the equations gives must be what the computed value is.
#define EQUATION(form, row, tolerance)                                                             \
    {                                                                                              \
        0, tolerance, tolerance, 0, row, form                                                      \
    }
#define CLAIM(what, place, si, rule_, row_, verdict, why)                                          \
    {                                                                                              \
        .claim = (what), .where = (place), .unit = (si), .rule = rule_, .row = (row_),             \
        .expected = VERDICT_##verdict, .note = (why)                                               \
    }
#define COUNT(array) (int)(sizeof(array) / sizeof(array)[0])

// The values and the verdict of one claim.
typedef struct Judgement {
    double published, computed;
    Verdict verdict;
    bool ok; ///< as expected
} Judgement;

Judgement claim_judge(const Claim *claim, const Found *found);

// Both return the number of verdicts that are not the expected ones.
int document_print(const Document *document, const Found *found, FILE *file);
int document_print_json(const Document *document, const Found *found, FILE *file);

// The same as one HTML page, with the document's figures.
ib_Status document_write_report(const Document *document, const Found *found, const char *path,
                                ib_Error *error);

const char *verdict_name(Verdict verdict);

// Appends one figure of a report; one that cannot be drawn says why.
void verify_figure(const ib_Plot *plot, int number, ib_Text *html);

#endif
