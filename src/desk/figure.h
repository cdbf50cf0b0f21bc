// desk/figure.h: one number with its words, said once for everyone who prints it.
// The words are what JSON calls it, what people call it, in which unit they read it, and what
// stands in its place where there is none.
//
// A table of figures is of one struct: each figure knows where in it its double stands.
#ifndef IB_DESK_FIGURE_H
#define IB_DESK_FIGURE_H

#include <stdbool.h>
#include <stddef.h>

// Which JSON has it.
enum {
    IB_TOLD_FILE = 1,  ///< that of `ironbird design --json`
    IB_TOLD_TRIAL = 2, ///< the trial in it, where nothing disturbs
    IB_TOLD_PAGE = 4,  ///< what the page of `ironbird serve` is answered
};

typedef struct ib_Figure {
    const char *key;       ///< in JSON; NULL: the end of the table
    unsigned told;         ///< IB_TOLD_…
    size_t at;             ///< of its double in the struct
    const char *title;     ///< for people; NULL: they are not told it
    const char *heading;   ///< the title in a report; NULL: the same
    const char *unit;      ///< in which people read it; NULL: that of the state or input it is of
    double scale;          ///< from SI to that unit; 0: none
    const char *otherwise; ///< in the place of what is not finite; NULL: a dash
    bool open;             ///< 0 is no bound: as if it were not finite
} ib_Figure;

const ib_Figure *ib_figure_find(const ib_Figure *table, const char *key); ///< it is there
double ib_figure_value(const ib_Figure *figure, const void *of);          ///< SI, as JSON has it
double ib_figure_shown(const ib_Figure *figure, const void *of);          ///< as people read it
const char *ib_figure_otherwise(const ib_Figure *figure);
const char *ib_figure_heading(const ib_Figure *figure);

const char *ib_unit_shown(const char *unit); ///< "": there is none ("1"), or nobody knows it (NULL)

#endif
