// study/search/search_inside.h: the points of a search, and the ways that choose them.
//
// Each variable has places 0 .. last: the choices of a list, the decimals of a continuous one. As
// a fraction of `last` a place is a number 0 .. 1, in which all ways reckon.
//
// Words have no order to reckon with. So each combination of words has a branch, a search of its
// own through the variables with an order, its axes; the worse branches are given up.
#ifndef IB_STUDY_SEARCH_SEARCH_INSIDE_H
#define IB_STUDY_SEARCH_SEARCH_INSIDE_H

#include "study/search/search.h"

// Points of a branch in a batch, and in its first batch at most.
enum { IB__SEARCH_BATCH = 8, IB__SEARCH_FIRST = 8 * (IB_SEARCH_MOST_VARIABLES + 1) };

typedef struct ib__Place {
    int of[IB_SEARCH_MOST_VARIABLES]; ///< each variable
} ib__Place;

// The places of a variable; of a continuous one 1 .. last - 1 are multiples of 10^-decimals, from
// `first` + 1 on.
typedef struct ib__Ladder {
    int last, decimals;
    double first;
} ib__Ladder;

typedef struct ib__SearchPoint {
    ib__Place place;
    double values[IB_SEARCH_MOST_VARIABLES]; ///< as the caller sees it
    double x[IB_SEARCH_MOST_VARIABLES];      ///< of each axis, 0 .. 1
    int branch;
    bool begun; ///< a region has begun here
    ib_SearchScore score;
    double expected; ///< value by the model of a region
} ib__SearchPoint;

// A box round the best point of a valley, in which a model is trusted.
typedef struct ib__Region {
    int number;       ///< 1: the first one; 0: none yet
    int best, before; ///< its best point, now and before the last batch
    double radius;    ///< half the side of the box
} ib__Region;

typedef struct ib__Branch {
    ib__Place words;   ///< its own; 0 of other variables
    int first;         ///< wanted size of its first batch
    int from, to;      ///< points of its first batch: from <= i < to; 0, 0: not asked yet
    int batch;         ///< first point of its last batch
    int best, before;  ///< its best point, now and before the last batch; -1: none
    ib__Region region; ///< of several axes
    bool resolved, given_up;
} ib__Branch;

struct ib_Search {
    int variable_count;
    ib_SearchVariable variables[IB_SEARCH_MOST_VARIABLES];
    ib__Ladder ladders[IB_SEARCH_MOST_VARIABLES];
    int axis_count, axes[IB_SEARCH_MOST_VARIABLES]; ///< variables with an order
    int branch_count, rounds;
    ib__Branch *branches;
    int count, told, most;
    ib__SearchPoint *points;
    int *order, *parts; ///< memory for a line: its points, and the parts of their gaps
    ib_SearchEnd end;
};

// ------------------------------------------------------------------------------------------ points

ib__Ladder ib__search_ladder(const ib_SearchVariable *variable);

// The place nearest to x, with the branch's words; x becomes that place.
ib__Place ib__search_place(const ib_Search *search, const ib__Branch *branch, double *x);

// The largest distance along an axis.
double ib__search_distance(int n, const double *x, const double *y);

// Adds a point to the batch. NULL: it was asked before, or the budget is spent.
ib__SearchPoint *ib__search_add(ib_Search *search, int branch, ib__Place place);

// ------------------------------------------------------------------------------------------ scores

// A score that is no number is infinitely far from being allowed.
ib_SearchScore ib__search_tidy(ib_SearchScore score);

// The fall from a score to a better one: of the violation, or of the value where `to` is allowed;
// infinite if it came to be allowed. And a score after such a fall.
double ib__search_fall(ib_SearchScore from, ib_SearchScore to);
ib_SearchScore ib__search_fallen(ib_SearchScore score, double fall);

// The measure of what is much: from the best to the median of the allowed values in the first batch
// of a branch; 0: none.
double ib__search_scale(const ib_Search *search, int branch);

// -------------------------------------------------------------------------------------------- ways

// Add the next batch of a branch with one axis, or with several; none: the branch is resolved.
void ib__search_line(ib_Search *search, int branch);
void ib__search_region(ib_Search *search, int branch);

#endif
