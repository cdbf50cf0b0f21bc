// plant/mechanism/two_sided.h: a rigid body that is moved at its two sides: a drivetrain from
// above, a lift from the front.
//
// Symbols: v_l, v_r speeds of the sides, W half their distance, m mass, J inertia about the middle,
// e_l, e_r masses that move with one side alone (its rotors, its counterweight).
//
//   kinetic energy  m/2 ((v_l + v_r)/2)^2 + J/2 ((v_r - v_l)/2W)^2 + e_l/2 v_l^2 + e_r/2 v_r^2
//   so              [F_l; F_r] = [p + e_l  q; q  p + e_r] [v_l'; v_r'],   p, q = m/4 +- J/4W^2
// Limits: e = 0 -> v_l' = (1/m + W^2/J) F_l + (1/m - W^2/J) F_r, as FRC 971 has it; J = m W^2 ->
// the sides do not feel each other.
#ifndef IB_PLANT_MECHANISM_TWO_SIDED_H
#define IB_PLANT_MECHANISM_TWO_SIDED_H

#include "base/formula.h"
#include "base/schema.h"

// Accelerations by a force on the left and on the right [1/kg]; symmetric.
typedef struct ib_TwoSided {
    double left, cross, right;
} ib_TwoSided;

IB_FORMULA ib_TwoSided ib_two_sided(double m, double J, double W, double e_left, double e_right)
{
    double turn = J / (4 * W * W), p = m / 4 + turn, q = m / 4 - turn;
    // p^2 - q^2 = m J/4W^2 without the difference of near numbers.
    double det = m * turn + p * (e_left + e_right) + e_left * e_right;
    return (ib_TwoSided){(p + e_right) / det, -q / det, (p + e_left) / det};
}

// The rows of m and J of a kind, with their defaults, for fields `mass` and `inertia` of a struct
// that its file calls `Config`; `what` and `middle`: body and axis in the description.
#define IB_TWO_SIDED_ROWS(what, middle, mass_, inertia_)                                           \
    IB_NUMBER_ROW("mass", "kg", mass_, 1e-3, 1e6, mass, "mass of " what),                          \
        IB_NUMBER_ROW("inertia", "kg*m^2", inertia_, 1e-6, 1e9, inertia,                           \
                      "moment of inertia of " what " about " middle)

#endif
