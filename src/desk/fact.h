// desk/fact.h: one number with its words, defined once for all printers: its key in JSON, its title
// and unit for people, and the text for a missing value.
//
// A table of facts belongs to one struct: each fact has the offset of its double in it.
#ifndef IB_DESK_FACT_H
#define IB_DESK_FACT_H

#include <stdbool.h>
#include <stddef.h>

// The JSON outputs with a fact.
enum {
    IB_TOLD_FILE = 1,  ///< `ironbird design --json`
    IB_TOLD_TRIAL = 2, ///< the undisturbed trial in it
    IB_TOLD_PAGE = 4,  ///< the answers to the page of `ironbird serve`
};

typedef struct ib_Fact {
    const char *key;       ///< in JSON; NULL: the end of the table
    unsigned told;         ///< IB_TOLD_…
    size_t at;             ///< of its double in the struct
    const char *title;     ///< for people; NULL: not shown
    const char *heading;   ///< the title in a report; NULL: the same
    const char *unit;      ///< for people; NULL: that of its state or input
    double scale;          ///< from SI to that unit; 0: none
    const char *otherwise; ///< text for a value that is not finite; NULL: a dash
    bool open;             ///< 0 means no bound, like a value that is not finite
} ib_Fact;

const ib_Fact *ib_fact_find(const ib_Fact *table, const char *key); ///< it is there
double ib_fact_value(const ib_Fact *fact, const void *of);          ///< SI, as in JSON
double ib_fact_shown(const ib_Fact *fact, const void *of);          ///< in the unit for people
const char *ib_fact_otherwise(const ib_Fact *fact);
const char *ib_fact_heading(const ib_Fact *fact);

// The unit for people: unchanged; "" for a pure number ("1") or an unknown one (NULL).
const char *ib_unit_shown(const char *unit);

#endif
