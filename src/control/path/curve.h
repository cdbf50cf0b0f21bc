// control/path/curve.h: a piece of a smooth curve in the plane, a quintic with given ends.
// The derivation is in docs/control/path.md.
//
//   p(q) = c0 + c1 q + … + c5 q^5,   q = 0 .. span, about the way along it [m]
#ifndef IB_CONTROL_PATH_CURVE_H
#define IB_CONTROL_PATH_CURVE_H

enum { IB_CURVE_SAMPLES = 33 }; ///< of a curve, both ends among them

typedef struct ib_Curve {
    double x[6], y[6]; ///< c0 … c5 [m]
    double span;       ///< q at its end [m], > 0
} ib_Curve;

// A point with the first and second derivatives with respect to q.
typedef struct ib_CurvePoint {
    double x, y, dx, dy, ddx, ddy;
} ib_CurvePoint;

// The curve from one point to the other, with the derivatives of both.
ib_Curve ib_curve_join(const ib_CurvePoint *from, const ib_CurvePoint *to, double span);

ib_CurvePoint ib_curve_point(const ib_Curve *curve, double q);

// Curvature, left positive [1/m]. It is not finite at a cusp, dx = dy = 0.
double ib_curve_curvature(const ib_CurvePoint *point);

// The way from q = 0 to q [m], and the q after a way s, within its ends.
double ib_curve_length(const ib_Curve *curve, double q);
double ib_curve_find(const ib_Curve *curve, double s);

// Turn of its direction from q = 0 to q [rad], whole turns included.
double ib_curve_turn(const ib_Curve *curve, double q);

// The least |dp/dq| along it: near 0 it has a cusp.
double ib_curve_pace(const ib_Curve *curve);

// Points of it at equal steps of q, x and y in turns [m].
void ib_curve_sample(const ib_Curve *curve, double samples[2 * IB_CURVE_SAMPLES]);

// The distance from (x, y) to its nearest point [m], with its samples.
double ib_curve_distance(const ib_Curve *curve, const double samples[2 * IB_CURVE_SAMPLES],
                         double x, double y);

#endif
