// report/sweep_slice.h: what of a sweep is on its picture: up to two axes, the values that all
// others have there, and the measures. Internal to src/report.
#ifndef IB_REPORT_SWEEP_SLICE_H
#define IB_REPORT_SWEEP_SLICE_H

#include "study/sweep/sweep_best.h"

enum { IB_SLICE_MEASURES = 6, IB_SLICE_HEADLINES = 3 }; ///< at most, asked for and not

// An axis of the sweep in the order of the picture: numbers ascend, words stay as they were given.
typedef struct ib_SliceAxis {
    const char *path;
    const char *unit; ///< of the numbers, as written; NULL: none
    int count;
    const int *order;         ///< of each place on the picture the number of its value
    const double *numbers;    ///< NULL: words
    const char *const *words; ///< the values as they were given
    bool logarithmic;         ///< the numbers grow evenly in ratio, by 100 or more in all
    int64_t stride;           ///< points from one value of the axis to its next
} ib_SliceAxis;

// Numbers are distinct quantities of one unit; all else is words. False: out of memory.
bool ib__slice_axis(const ib_SweepAxis *axis, ib_Arena *arena, ib_SliceAxis *drawn);

typedef enum ib_SliceMark { IB_SLICE_PLAIN, IB_SLICE_TIE, IB_SLICE_BEST } ib_SliceMark;

typedef struct ib_SweepSlice {
    const ib_Sweep *sweep;
    const ib_SweepPoints *points;
    const ib_SweepBest *best;       ///< NULL: none was asked for
    ib_SliceAxis axis[2];           ///< the last two that vary
    int axes;                       ///< how many of them; 0: the seeds alone vary
    int fixed[IB_SWEEP_MAX_AXES];   ///< of each axis the value that it has beside the slice
    bool drawn[IB_SWEEP_MAX_AXES];  ///< the axis is one of the picture
    int64_t first;                  ///< the slice's first point
    int64_t whole;                  ///< points that have all of their runs
    const unsigned char *marks;     ///< of each point, an ib_SliceMark
    int columns[IB_SLICE_MEASURES]; ///< of the measures
    int measures;
} ib_SweepSlice;

// The axes of a plan's picture. IB_BAD_INPUT: nothing varies.
ib_Status ib__slice_axes(const ib_SweepPlan *plan, ib_Arena *arena, ib_SweepSlice *slice,
                         ib_Error *error);

// All of it. Other axes have the values of the best point, or their first. IB_BAD_INPUT with the
// reason if there is nothing to draw.
ib_Status ib__slice(const ib_Sweep *sweep, const ib_SweepPoints *points, const ib_SweepBest *best,
                    ib_Arena *arena, ib_SweepSlice *slice, ib_Error *error);

// A measure of one point of the slice, in the unit for people; NAN: none.
typedef struct ib_SliceValue {
    double mean, low, high; ///< over its seeds, and one standard deviation below and above
    bool done;              ///< all of its runs were made
    bool allowed;           ///< all of them as expected and with a value
    ib_SliceMark mark;
} ib_SliceValue;

// Of any point of a sweep, without its mark.
ib_SliceValue ib__point_value(const ib_Sweep *sweep, const ib_SweepPoints *points, int column,
                              int64_t point);

// The unit of a column for people; NULL: none.
const char *ib__column_unit(const ib_SweepColumn *column);

// The legend's words for points that are not allowed.
const char *ib__words_of_out(const ib_SweepPoints *points);

// The height at which points without a value stand, above values of this range: what never happened
// took longest.
double ib__above(double low, double high);

// The point at place i of the first axis and j of the second, 0 where there is none.
int64_t ib__slice_point(const ib_SweepSlice *slice, int i, int j);
ib_SliceValue ib__slice_value(const ib_SweepSlice *slice, int column, int64_t point);

// A run's value of a column, in the unit for people.
double ib__slice_run(const ib_SweepSlice *slice, int column, int64_t run);

#endif
