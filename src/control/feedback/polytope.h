// control/feedback/polytope.h: the best goal that can be had: in a region, on a line, near a dot.
// Derivation and picture: docs/control/polytope.md
//
//   region  { q : H q <= k }    allowed by the voltages; may be unbounded, a segment, one point
//   line    { q : K q = w }     exact condition: a constant radius of turn
//   dot     d                   the driver's wish
// If the line meets the region: the point of both that is nearest to the dot. Else: the points of
// the region nearest to the line, and of these the one nearest to the dot. Distances are Euclidean;
// the length of a row of H or K does not matter.
//
// Nothing allocates, prints or loops without a bound. The same bits on every machine.
#ifndef IB_CONTROL_FEEDBACK_POLYTOPE_H
#define IB_CONTROL_FEEDBACK_POLYTOPE_H

#include <stdbool.h>

enum {
    IB_POLYTOPE_SIDES = 32, ///< most half-spaces of a region, and most points of a hull
    IB_POLYTOPE_AXES = 6,   ///< most coordinates of a point
};

// Half-spaces that contradict each other by less than this, relative to how far they are from the
// origin (or by 1e-15 of how far the farthest is), count as touching; lines with a smaller sine
// between them count as parallel. The answer may exceed a half-space by as much.
#define IB_POLYTOPE_TOLERANCE 1e-12

typedef enum ib_PolytopeOutcome {
    IB_POLYTOPE_OK,         ///< done; of a goal: it lies on the line
    IB_POLYTOPE_OFF_LINE,   ///< done; the line misses the region
    IB_POLYTOPE_EMPTY,      ///< no point lies in all half-spaces
    IB_POLYTOPE_NO_LINE,    ///< a row of K is zero, or rows contradict each other
    IB_POLYTOPE_NOT_FINITE, ///< NaN or infinite; only k may be +infinity: no limit
    IB_POLYTOPE_TOO_LARGE,  ///< more half-spaces, points, rows or axes than there is room for
    IB_POLYTOPE_UNSOLVED,   ///< exchanges ran out (general form only; not seen yet)
} ib_PolytopeOutcome;

// "the region is empty: no point lies in all half-spaces". Static text, for an error message.
const char *ib_polytope_outcome_text(ib_PolytopeOutcome outcome);

// -------------------------------------------------------------------- in the plane, in closed form

// The rule in the plane. H: sides x 2, row-major; k: sides; a zero row with k >= 0 is no limit.
// `answer` is written with IB_POLYTOPE_OK and IB_POLYTOPE_OFF_LINE only. `answer` may be `dot`.
ib_PolytopeOutcome ib_polytope2_coerce(int sides, const double *H, const double *k,
                                       const double K[2], double w, const double dot[2],
                                       double answer[2]);

// The part of a line within a region: the points foot + t along, low <= t <= high.
typedef struct ib_PolytopeChord {
    double foot[2];   ///< the point of the line nearest to the origin
    double along[2];  ///< unit vector, K turned by a quarter to the left
    double low, high; ///< low <= high; may be infinite
} ib_PolytopeChord;

// IB_POLYTOPE_OFF_LINE: the line misses the region, or there is no region; `chord` is then spoilt.
ib_PolytopeOutcome ib_polytope2_chord(int sides, const double *H, const double *k,
                                      const double K[2], double w, ib_PolytopeChord *chord);

// The corners of a region, counter-clockwise; of an unbounded one from its open end to its open
// end. `vertices` has room for `sides` points (x, y). Corners nearer to each other than 1e-9 of
// their distance from the origin, or 1e-12 of how far the farthest side is, are one. A segment has
// two, a half-plane or a strip none.
ib_PolytopeOutcome ib_polytope2_vertices(int sides, const double *H, const double *k,
                                         double *vertices, int *count, bool *bounded);

// The smallest region that holds all points (x, y), in any order, one or more: half-planes with
// unit rows, counter-clockwise. H and k have room for max(points, 4). A point or a segment gets 4.
ib_PolytopeOutcome ib_polytope2_hull(int points, const double *vertices, int *sides, double *H,
                                     double *k);

// ------------------------------------------------------------------------- in up to six dimensions

// The rule for an affine set of any dimension: K: rows x axes, 0 <= rows <= axes (a point to the
// whole space), rows may repeat each other. The case rows = 0: the point of the region nearest to
// the dot. The active-set method agrees in the plane with ib_polytope2_coerce, which is faster.
ib_PolytopeOutcome ib_polytope_coerce(int axes, int sides, const double *H, const double *k,
                                      int rows, const double *K, const double *w, const double *dot,
                                      double *answer);

#endif
