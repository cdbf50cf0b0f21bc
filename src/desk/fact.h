// desk/fact.h: one number with its words, said once for everyone who prints it.
// The words are what JSON calls it, what people call it, in which unit they read it, and what
// stands in its place where there is none.
//
// A table of facts is of one struct: each fact knows where in it its double stands.
#ifndef IB_DESK_FACT_H
#define IB_DESK_FACT_H

#include <stdbool.h>
#include <stddef.h>

// Which JSON has it.
enum {
    IB_TOLD_FILE = 1,  ///< that of `ironbird design --json`
    IB_TOLD_TRIAL = 2, ///< the trial in it, where nothing disturbs
    IB_TOLD_PAGE = 4,  ///< what the page of `ironbird serve` is answered
};

typedef struct ib_Fact {
    const char *key;       ///< in JSON; NULL: the end of the table
    unsigned told;         ///< IB_TOLD_…
    size_t at;             ///< of its double in the struct
    const char *title;     ///< for people; NULL: they are not told it
    const char *heading;   ///< the title in a report; NULL: the same
    const char *unit;      ///< in which people read it; NULL: that of the state or input it is of
    double scale;          ///< from SI to that unit; 0: none
    const char *otherwise; ///< in the place of what is not finite; NULL: a dash
    bool open;             ///< 0 is no bound: as if it were not finite
} ib_Fact;

const ib_Fact *ib_fact_find(const ib_Fact *table, const char *key); ///< it is there
double ib_fact_value(const ib_Fact *fact, const void *of);          ///< SI, as JSON has it
double ib_fact_shown(const ib_Fact *fact, const void *of);          ///< as people read it
const char *ib_fact_otherwise(const ib_Fact *fact);
const char *ib_fact_heading(const ib_Fact *fact);

// The unit for people: as it is; "" for a pure number ("1") or one not known (NULL).
const char *ib_unit_shown(const char *unit);

#endif
