// plant/wheel/tyre.h: the law of a patch of tyre on the floor, from slip to grip (force over load).
// The derivation is in docs/plant/wheel.md.
//
//   friction circle  k = mu s/|s| tanh(|s|/v_s)                                 [reference B8]
//   bristle          the same patch with a spring that remembers: it can hold, mu_static > mu
//
// Every law is a circle: it depends only on the size and the direction of the slip. For a tyre with
// less grip in one direction, the caller scales slip and force along it (plant/wheel/patch.h).
// Patches come in pairs, the lanes of an ib__Two. Callers of these functions are the tank
// (plant/wheel/wheel.h), and robots with any number of patches (plant/wheel/patch.h).
//
// Symbols: s slip over the floor [m/s], k force over load, q = |s|/v_s, z deflection [m].
#ifndef IB_PLANT_WHEEL_TYRE_H
#define IB_PLANT_WHEEL_TYRE_H

#include "base/formula.h"
#include "base/status.h"
#include "base/two.h"

enum { IB_TYRE_CIRCLE, IB_TYRE_BRISTLE };

typedef struct ib_TyreConfig {
    int law;                   ///< IB_TYRE_…
    double mu;                 ///< friction coefficient of a sliding tyre, >= 0; bristle: > 0
    double mu_static;          ///< of one that holds, >= mu; 0: 1.2 mu; bristle only
    double slip_speed;         ///< v_s: tanh's scale, and the Stribeck speed [m/s], > 0
    double rolling_resistance; ///< force over load of a rolling wheel, >= 0
    double bristle_deflection; ///< deflection of a patch before it slides [m], > 0
    double bristle_relax;      ///< v_r: slip at which half the force is direct [m/s], > 0
} ib_TyreConfig;

typedef struct ib_TyreModel {
    int law;                   ///< IB_TYRE_…
    double mu;                 ///< of a sliding tyre
    double mu_static;          ///< of one that holds
    double slip_speed;         ///< v_s [m/s]
    double per_slip_speed;     ///< 1/v_s [s/m]
    double rolling_resistance; ///< force over load
    double bristle_relax;      ///< v_r [m/s]
    double stiffness;          ///< sigma_0 = mu_static/bristle_deflection: k over z [1/m]
} ib_TyreModel;

ib_Status ib_tyre_check(const ib_TyreConfig *config, ib_Error *error);
void ib_tyre_init(const ib_TyreConfig *config, ib_TyreModel *model);

// The fastest rate [1/s] of a slip's decay or a spring's oscillation. loose [m/s^2]: the weight
// times the inverse masses, see the .c.
double ib_tyre_fastest(const ib_TyreModel *model, double loose);

// --------------------------------------------------------------------------------------- tanh(q)/q

// phi = tanh(q)/q for tiny <= q <= 1e12 without a branch. With
//   q = k ln2/2 + y,  |y| <= ln2/4,  S = 2^-k = e^(-k ln2)
// the addition theorem of tanh, tanh(k ln2/2) = (1 - S)/(1 + S), and Lambert's continued fraction
//   tanh y = N/D,  N = y (10395 + 1260 y^2 + 21 y^4),  D = 10395 + 4725 y^2 + 210 y^4 + y^6
// (the next term is below 1e-18), the whole is one division:
//   phi = [(1 - S) D + (1 + S) N] / [((1 + S) D + (1 - S) N) q]
// Limits: q -> 0 gives 1, where k = 0, S = 1; large q gives 1/q, where S = 0. Error below 1e-15.
typedef struct ib__TyrePhi {
    ib__Two above, below; ///< phi = above/below
} ib__TyrePhi;

IB_FORMULA ib__TyrePhi ib__tyre_phi_parts(ib__Two q)
{
    ib__Two shifted = IB__ROUND_MAGIC + 0x1.71547652b82fep+1 * q; // 2/ln2
    ib__Two k = -IB__ROUND_MAGIC + shifted;
    ib__Two y = (q - 0x1.62e42feep-2 * k) - 0x1.a39ef35793c76p-34 * k; // ln2/2 in two parts
    ib__Two S = ib__two_halvings(shifted);
    ib__Two y2 = y * y, y4 = y2 * y2;
    ib__Two N = y * ((10395.0 + 1260.0 * y2) + 21.0 * y4);
    ib__Two D = (10395.0 + 4725.0 * y2) + y4 * (210.0 + y2);
    ib__Two more = 1.0 + S, less = 1.0 - S;
    ib__TyrePhi phi = {less * D + more * N, (more * q) * D + (less * q) * N};
    return phi;
}

IB_FORMULA ib__Two ib__tyre_phi(ib__Two q)
{
    ib__TyrePhi phi = ib__tyre_phi_parts(q);
    return phi.above / phi.below;
}

// The square root of z >= 0, kept above zero so that phi need not know 0/0; exact from 1e-134 on,
// where a slip is nothing. The fourth power of the root is no subnormal number.
IB_FORMULA ib__Two ib__tyre_root(ib__Two z)
{
    return ib__two_sqrt(0x1p-500 + z);
}

// Rolling resistance of wheels under `load` [N] at the rim's speed, as a force on the rim [N]:
//   -c_rr load tanh(rim/v_s). It takes the power -F rim >= 0.
IB_FORMULA double ib_tyre_rolling_force(const ib_TyreModel *t, double rim, double load)
{
    double x = rim * t->per_slip_speed;
    double phi = ib__first(ib__tyre_phi(ib__tyre_root(ib__two(x * x, 1.0))));
    return -t->rolling_resistance * load * x * phi;
}

// --------------------------------------------------------------------------------- friction circle

// Force over load of two patches.
typedef struct ib__TyreGrip {
    ib__Two x, y;
} ib__TyreGrip;

// Slip over v_s of two patches, and its size.
typedef struct ib__TyreSlip {
    ib__Two x, y, q;
} ib__TyreSlip;

IB_FORMULA ib__TyreSlip ib__tyre_slip(ib__Two x, ib__Two y)
{
    ib__TyreSlip s = {x, y, ib__tyre_root(x * x + y * y)};
    return s;
}

// k = mu (s/v_s) phi(|s|/v_s).                                         [reference B8]
// Two pairs share one division: docs/performance.md
IB_FORMULA void ib__tyre_circle(const ib_TyreModel *t, const ib__TyreSlip *a, const ib__TyreSlip *b,
                                ib__TyreGrip *grip_a, ib__TyreGrip *grip_b)
{
    ib__TyrePhi p = ib__tyre_phi_parts(a->q), r = ib__tyre_phi_parts(b->q);
    ib__Two per = 1.0 / (p.below * r.below);
    ib__Two phi_a = (p.above * r.below) * per, phi_b = (r.above * p.below) * per;
    grip_a->x = (t->mu * a->x) * phi_a;
    grip_a->y = (t->mu * a->y) * phi_a;
    grip_b->x = (t->mu * b->x) * phi_b;
    grip_b->y = (t->mu * b->y) * phi_b;
}

// ----------------------------------------------------------------------------------------- bristle

// A patch with a spring (LuGre type), z its deflection, s its slip:
//   g  = mu + (mu_static - mu) / (1 + x^2 + x^4/2),  x = |s|/v_s      Stribeck curve
//   f  = v_r/(v_r + |s|)
//   z' = f (s - sigma_0 |s|/g z)
//   k  = f sigma_0 z + (1 - f) g s/|s|
// Steady slip: sigma_0 z = g s/|s|, so k = g along s. Slow slip: f -> 1, a spring with the
// damper g/v_r beside it. Fast slip: f -> 0, plain sliding friction; the rate of z stays below
// sigma_0 v_r/g however fast the robot slides, so that a fixed step can follow.
// Passive: with the store V = Fz sigma_0 z^2/2 and a constant load,
//   F . s - V' = Fz |s| [(1 - f) g + f (sigma_0 z)^2/g] >= 0
// (LuGre's damping term sigma_1 z' would not do: it can create energy when the slip reverses.)
typedef struct ib__TyreBristle {
    ib__TyreGrip grip;
    ib__Two zx, zy; ///< rates of z [m/s]
    ib__Two slip;   ///< |s| [m/s]
} ib__TyreBristle;

IB_FORMULA ib__TyreBristle ib__tyre_bristle(const ib_TyreModel *t, ib__Two sx, ib__Two sy,
                                            ib__Two zx, ib__Two zy)
{
    ib__TyreBristle b;
    b.slip = ib__two_sqrt(sx * sx + sy * sy);
    ib__Two x = t->per_slip_speed * b.slip, x2 = x * x;
    ib__Two g = t->mu + (t->mu_static - t->mu) / (1.0 + x2 * (1.0 + 0.5 * x2));
    ib__Two part = 1.0 / (t->bristle_relax + b.slip), f = t->bristle_relax * part;
    ib__Two decay = (t->stiffness * b.slip) / g, direct = g * part;
    ib__Two spring = t->stiffness * f;
    b.zx = f * (sx - decay * zx);
    b.zy = f * (sy - decay * zy);
    b.grip.x = spring * zx + sx * direct;
    b.grip.y = spring * zy + sy * direct;
    return b;
}

#endif
