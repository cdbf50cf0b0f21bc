// plant/air/friction.h: the friction of a piston's seals. Laws and choice: docs/plant/friction.md
//
// All laws give the force against positive motion (extension). A piston that moves is held back by
//
//   F = f(x) D(v) + C_V v         D: dry friction, f: factor near the ends of the stroke
//
// (of bristles f(x) is a factor of the curve g, not of the force).
//
//   Symbols: v velocity [m/s], x position [m], N side load [N], F_S static and F_C Coulomb friction
//            [N], C_V viscous friction [N s/m], v_S sliding speed [m/s], i exponent, k steepness of
//            the tanh [s/m], z mean deflection of the bristles [m]
#ifndef IB_PLANT_AIR_FRICTION_H
#define IB_PLANT_AIR_FRICTION_H

#include "base/formula.h"
#include "base/quick.h"
#include "base/schema.h"
#include "base/status.h"

#include <math.h>
#include <stdbool.h>

typedef enum ib_FrictionLaw {
    IB_FRICTION_NONE,            ///< 0
    IB_FRICTION_COULOMB,         ///< F_C sign(v), sticks up to F_C                  [thesis 4.2.1]
    IB_FRICTION_COULOMB_VISCOUS, ///< F_C sign(v) + C_V v, sticks up to F_S          [thesis 4.2.4]
    IB_FRICTION_VISCOUS,         ///< C_V v                                          [thesis 4.2.5]
    IB_FRICTION_SATURATED,       ///< F_C v/saturation_speed up to F_C, + C_V v
    IB_FRICTION_STRIBECK,        ///< Stribeck's curve with a tanh for the sign      [thesis 4.2.6]
    IB_FRICTION_LUGRE,           ///< bristles: sticks by itself, one state
    IB_FRICTION_SMOOTH,          ///< F_C v/sqrt(v^2 + saturation_speed^2) + C_V v
    IB_FRICTION_LAWS
} ib_FrictionLaw;

extern const char *const ib_friction_laws[]; ///< their names in files, NULL behind the last

#define IB_FRICTION_SAME ((double)INFINITY) ///< as coulomb_retract: that of coulomb_extend

typedef struct ib_FrictionConfig {
    int law;                 ///< ib_FrictionLaw
    int given;               ///< a preset or a map was written; no law asks for it
    double static_force;     ///< F_S [N], >= both F_C
    double coulomb_extend;   ///< F_C for v > 0 [N] (thesis: FcfD)
    double coulomb_retract;  ///< F_C for v < 0 [N] (thesis: FcfU), or IB_FRICTION_SAME
    double viscous;          ///< C_V [N s/m]
    double sliding_speed;    ///< v_S [m/s], > 0
    double exponent;         ///< i, > 0
    double steepness;        ///< k_tanh [s/m], > 0
    double saturation_speed; ///< where `saturated` reaches F_C and `smooth` 0.7 of it [m/s], > 0
    double stiffness;        ///< sigma_0 of the bristles [N/m], > 0
    double damping;          ///< sigma_1 of the bristles [N s/m]
    double velocity_unit;    ///< [m/s]: C_V, v_S, k and saturation_speed count v in this; 0.0254
                             ///< reads constants that were printed for in/s
    double side_coefficient; ///< mu: dry friction per side load
    double end_factor[2];    ///< factor on all dry friction at the cap end (x = 0) and the rod end
    double end_zone;         ///< length over which it fades to 1 [m]; 0: no ends
} ib_FrictionConfig;

// `law` and `whole` choose the way of the calculation. A loop over many pistons of one model runs
// in lanes where it copies the model and writes these two as constants.
typedef struct ib_FrictionModel {
    int law;
    int whole;             ///< i, if it is a whole number up to 15, else 0
    double coulomb[2];     ///< F_C [N], extending and retracting
    double surplus[2];     ///< F_S - F_C [N]
    double hold[2];        ///< breakaway force of a stuck piston [N], 0: does not stick
    double viscous;        ///< C_V [N s/m], v in m/s as all below
    double per_sliding;    ///< 1/v_S [s/m]
    double exponent;       ///< i
    double steepness;      ///< k [s/m]
    double per_saturation; ///< 1/saturation_speed [s/m]
    double saturation;     ///< saturation_speed [m/s]
    double stiffness;      ///< sigma_0 [N/m]
    double damping;        ///< sigma_1 [N s/m]
    double side;           ///< mu
    double excess[2];      ///< end factors - 1
    double per_zone;       ///< 1/end_zone [1/m]
    double stroke;         ///< [m]
} ib_FrictionModel;

// The thesis's Stribeck-tanh law, v in m/s: F_S 4.5 lbf, F_C 3 lbf, C_V 0.5 lbf s/m, v_S 0.1 m/s,
// i 5, k 40 s/m. Bristles of 1e5 N/m and 200 N s/m are an estimate.
ib_FrictionConfig ib_friction_default(void);
ib_Status ib_friction_check(const ib_FrictionConfig *config, ib_Error *error);
void ib_friction_init(const ib_FrictionConfig *config, double stroke, ib_FrictionModel *friction);

// True if the law is discontinuous at v = 0. The caller then keeps a mode: stuck, or sliding
// one way.
bool ib_friction_sticks(const ib_FrictionModel *friction);
// True if it has the bristles' deflection as a state.
bool ib_friction_bristles(const ib_FrictionModel *friction);

// The largest dF/dv at any speed and place [N s/m], of laws without a jump.
double ib_friction_steepest(const ib_FrictionModel *friction, double side);

// Longest step for RK4 [s] of a mass that slides at up to `speed` [m/s] under a side load.
double ib_friction_resolution(const ib_FrictionModel *friction, double mass, double speed,
                              double side);

// ------------------------------------------------------------------------------------------- parts

// 1 at u = 0, 0 from u = 1 on, flat at both:  (1 - u)^2 (1 + 2 u)
IB_FORMULA double ib__friction_fade(double u)
{
    double above = u > 0 ? u : 0, w = above < 1 ? above : 1, left = 1 - w;
    return left * left * (1 + 2 * w);
}

// f(x) = 1 + (f_cap - 1) fade(x/zone) + (f_rod - 1) fade((stroke - x)/zone)
IB_FORMULA double ib_friction_factor(const ib_FrictionModel *f, double x)
{
    if (f->excess[0] == 0 && f->excess[1] == 0) return 1;
    double cap = ib__friction_fade(x * f->per_zone);
    double rod = ib__friction_fade((f->stroke - x) * f->per_zone);
    return 1 + f->excess[0] * cap + f->excess[1] * rod;
}

// The sign of v, smoothed: 0.7 at v = creep, 1 - (creep/v)^2/2 far above.
IB_FORMULA double ib_friction_smooth(double v, double creep)
{
    return v / sqrt(v * v + creep * creep);
}

// A value for extending and one for retracting: that of `direction`, whose sign counts.
IB_FORMULA double ib__friction_side(const double pair[2], double direction)
{
    double out = pair[0], back = pair[1];
    return direction < 0 ? back : out;
}

// f(x) (F_C + mu N)
IB_FORMULA double ib__friction_coulomb(const ib_FrictionModel *f, double direction, double x,
                                       double side)
{
    double dry = ib__friction_side(f->coulomb, direction) + f->side * side;
    return ib_friction_factor(f, x) * dry;
}

// u^n for a whole number n to 15, by squares. Only those that are needed are made: of a small u
// the others would be subnormal.
IB_FORMULA double ib__friction_power(double u, int n)
{
    double u2 = u * u, r4 = n & 4 ? u2 : 1, r8 = n & 8 ? u2 * u2 : 1;
    return ((n & 1 ? u : 1) * (n & 2 ? u2 : 1)) * ((r4 * r4) * (r8 * r8));
}

// s = (|v|/v_S)^i: the static share of the curve is e^-s, nothing from s = 700 on.
IB_FORMULA double ib__friction_slip(const ib_FrictionModel *f, double v)
{
    double u = fabs(v) * f->per_sliding;
    double s = f->whole ? ib__friction_power(u, f->whole) : ib_quick_power(u, f->exponent);
    return s < 700 ? s : 700;
}

// Stribeck's curve, without its sign: g = f(x) (F_C + mu N + (F_S - F_C) e^-s) > 0
IB_FORMULA double ib__friction_curve(const ib_FrictionModel *f, double v, double x, double side)
{
    double surplus = ib__friction_side(f->surplus, v) * ib_quick_decay(ib__friction_slip(f, v));
    double dry = ib__friction_side(f->coulomb, v) + f->side * side + surplus;
    return ib_friction_factor(f, x) * dry;
}

// ---------------------------------------------------------------------------------------- sticking

// A piston that slides one way, +1 or -1, also where v is 0 or has crossed it by rounding:
//   F = f(x) (F_C + mu N) direction + C_V v
IB_FORMULA double ib_friction_sliding(const ib_FrictionModel *f, double v, double direction,
                                      double x, double side)
{
    return direction * ib__friction_coulomb(f, direction, x, side) + f->viscous * v;
}

// Breakaway force of a stuck piston in that direction: f(x) (F_S + mu N), by Coulomb's law with
// F_C; 0 for laws that are functions of v.
IB_FORMULA double ib_friction_breakaway(const ib_FrictionModel *f, double direction, double x,
                                        double side)
{
    double hold = ib__friction_side(f->hold, direction);
    return hold > 0 ? ib_friction_factor(f, x) * (hold + f->side * side) : 0;
}

// ------------------------------------------------------------------------------ functions of speed

// The force of a law that is a function of v. For Coulomb's laws that of sliding, for LuGre's that
// of steady sliding; 0 at v = 0.
//   stribeck:   F = g(v) tanh(k v) + C_V v
//   saturated:  F = f(x) (F_C + mu N) min(max(v/v_sat, -1), 1) + C_V v
//   smooth:     F = f(x) (F_C + mu N) v/sqrt(v^2 + v_sat^2) + C_V v
IB_FORMULA double ib_friction_force(const ib_FrictionModel *f, double v, double x, double side)
{
    double sign = (double)(v > 0) - (double)(v < 0);
    double drag = f->viscous * v;
    switch (f->law) {
    case IB_FRICTION_COULOMB:
    case IB_FRICTION_COULOMB_VISCOUS:
        return ib__friction_coulomb(f, v, x, side) * sign + drag;
    case IB_FRICTION_SATURATED: {
        double rise = v * f->per_saturation, most = rise < 1 ? rise : 1;
        double share = most > -1 ? most : -1;
        return ib__friction_coulomb(f, v, x, side) * share + drag;
    }
    case IB_FRICTION_SMOOTH:
        return ib__friction_coulomb(f, v, x, side) * ib_friction_smooth(v, f->saturation) + drag;
    case IB_FRICTION_STRIBECK:
        return ib__friction_curve(f, v, x, side) * ib_quick_tanh(f->steepness * v) + drag;
    case IB_FRICTION_LUGRE:
        return ib__friction_curve(f, v, x, side) * sign + drag;
    default:
        return drag;
    }
}

// -dg/d|v| of Stribeck's curve:  f(x) (F_S - F_C) e^-s i s/|v| 0 at v = 0: by the formula for i >
// 1, by definition for i <= 1.
IB_FORMULA double ib__friction_fall(const ib_FrictionModel *f, double v, double x)
{
    double s = ib__friction_slip(f, v), speed = fabs(v) > 1e-300 ? fabs(v) : 1e-300;
    double surplus = ib__friction_side(f->surplus, v) * ib_quick_decay(s);
    return ib_friction_factor(f, x) * surplus * f->exponent * (s / speed);
}

// dF/dv of Stribeck's law, t = tanh(k v):  g k (1 - t^2) - |t| fall + C_V
IB_FORMULA double ib__friction_stribeck_slope(const ib_FrictionModel *f, double v, double x,
                                              double side)
{
    double t = ib_quick_tanh(f->steepness * v), g = ib__friction_curve(f, v, x, side);
    double rise = g * f->steepness * (1 - t * t);
    return rise - fabs(t) * ib__friction_fall(f, v, x) + f->viscous;
}

// dF/dv of the above. At a corner (saturated) and at a jump (sign of v), that of the flatter side.
IB_FORMULA double ib_friction_slope(const ib_FrictionModel *f, double v, double x, double side)
{
    switch (f->law) {
    case IB_FRICTION_SATURATED: {
        double steep = fabs(v) * f->per_saturation < 1 ? f->per_saturation : 0;
        return ib__friction_coulomb(f, v, x, side) * steep + f->viscous;
    }
    case IB_FRICTION_SMOOTH: {
        // c^2/(v^2 + c^2)^(3/2), c = saturation_speed
        double c = f->saturation, square = v * v + c * c;
        return ib__friction_coulomb(f, v, x, side) * (c * c / (square * sqrt(square))) + f->viscous;
    }
    case IB_FRICTION_STRIBECK:
        return ib__friction_stribeck_slope(f, v, x, side);
    case IB_FRICTION_LUGRE:
        return f->viscous - ib__friction_fall(f, v, x);
    default:
        return f->viscous;
    }
}

// ---------------------------------------------------------------------------------------- bristles

typedef struct ib_FrictionBristle {
    double force; ///< against positive motion [N]
    double rate;  ///< z' [m/s]
} ib_FrictionBristle;

// Canudas de Wit, Olsson, Astrom and Lischinsky (1995): seals as bristles that bend and slip.
//   z' = v - sigma_0 |v| z/g,   g = f(x) g(v)
//   F  = sigma_0 z + sigma_1(v) z' + C_V v
// The law can create energy at a constant sigma_1: a bristle that springs back fast pulls along. It
// is passive, with sigma_0 z^2/2 stored, if sigma_1 <= 4 g/|v| (docs/plant/friction.md). Therefore
//   sigma_1(v) = sigma_1/(1 + sigma_1 |v|/(4 g))
// which is sigma_1 where the bristles only bend, and below the bound at any speed.
IB_FORMULA ib_FrictionBristle ib_friction_lugre(const ib_FrictionModel *f, double v, double z,
                                                double x, double side)
{
    double g = ib__friction_curve(f, v, x, side), pace = fabs(v) / g;
    double rate = v - f->stiffness * pace * z;
    double damping = f->damping / (1 + 0.25 * f->damping * pace);
    ib_FrictionBristle bristle;
    bristle.force = f->stiffness * z + damping * rate + f->viscous * v;
    bristle.rate = rate;
    return bristle;
}

// The bristles' deflection after t at a constant speed, at the place x: exactly.
double ib_friction_bend(const ib_FrictionModel *friction, double v, double z, double x, double side,
                        double t);

// -------------------------------------------------------------------------------------- parameters

extern const ib_PresetDef ib_friction_presets; ///< the entries of data/frictions.yaml

// Says which key keeps "friction.…" from acting, as ib_Schema.idle does; NULL: it acts.
const char *ib_friction_idle(const ib_FrictionConfig *config, const char *key);

enum { IB_FRICTION_ROW_COUNT = 17 };

// Rows for a config struct that holds an ib_FrictionConfig in `friction`.
#define IB_FRICTION_ROWS(config, friction)                                                         \
    IB_ROW("friction", IB_PARAM_PRESET, "1", "thesis-stribeck", 0, 0, &ib_friction_presets,        \
           config, friction.given,                                                                 \
           "friction of the piston's seals: a preset of data/frictions.yaml or a map"),            \
        IB_CHOICE_OF("friction.law", "stribeck", ib_friction_laws, config, friction.law,           \
                     "how the force depends on the speed"),                                        \
        IB_NUMBER_OF("friction.static", "N", "4.5 lbf", 0, 1e6, config, friction.static_force,     \
                     "F_S, which breaks a resting piston away; not less than `coulomb`"),          \
        IB_NUMBER_OF("friction.coulomb", "N", "3 lbf", 0, 1e6, config, friction.coulomb_extend,    \
                     "F_C, dry friction of a piston that slides"),                                 \
        IB_ROW("friction.coulomb_retract", IB_PARAM_LIMIT, "N", "same", 0, 1e6, "same", config,    \
               friction.coulomb_retract,                                                           \
               "F_C of a piston that retracts, where it differs; same: that of `coulomb`"),        \
        IB_NUMBER_OF("friction.viscous", "N*s/m", "0.5 lbf*s/m", 0, 1e6, config, friction.viscous, \
                     "C_V, viscous friction: force over speed"),                                   \
        IB_NUMBER_OF("friction.sliding_speed", "m/s", "0.1 m/s", 1e-6, 1e3, config,                \
                     friction.sliding_speed,                                                       \
                     "v_S, speed at which friction has fallen from F_S towards F_C"),              \
        IB_NUMBER_OF("friction.exponent", "1", "5", 0.1, 100, config, friction.exponent,           \
                     "i, how suddenly it falls there"),                                            \
        IB_NUMBER_OF("friction.steepness", "s/m", "40 s/m", 1e-3, 1e6, config, friction.steepness, \
                     "k_tanh, how steeply friction rises from rest"),                              \
        IB_NUMBER_OF("friction.saturation_speed", "m/s", "0.01 m/s", 1e-6, 1e3, config,            \
                     friction.saturation_speed,                                                    \
                     "speed at which `saturated` reaches F_C, and `smooth` 0.7 of it"),            \
        IB_NUMBER_OF("friction.stiffness", "N/m", "1e5 N/m", 1, 1e9, config, friction.stiffness,   \
                     "sigma_0, force over deflection of a piston that has not broken away"),       \
        IB_NUMBER_OF("friction.damping", "N*s/m", "200 N*s/m", 0, 1e6, config, friction.damping,   \
                     "sigma_1, of that deflection; it fades where it would make energy"),          \
        IB_NUMBER_OF("friction.velocity_unit", "m/s", "1 m/s", 1e-4, 1e3, config,                  \
                     friction.velocity_unit,                                                       \
                     "1 in/s: viscous, sliding_speed, steepness and saturation_speed are "         \
                     "numbers for speeds in in/s, though written with m"),                         \
        IB_NUMBER_OF("friction.side_coefficient", "1", "0", 0, 10, config,                         \
                     friction.side_coefficient, "dry friction per side load on the rod"),          \
        IB_NUMBER_OF("friction.ends.cap", "1", "1", 0, 100, config, friction.end_factor[0],        \
                     "factor on all dry friction at the retracted end"),                           \
        IB_NUMBER_OF("friction.ends.rod", "1", "1", 0, 100, config, friction.end_factor[1],        \
                     "factor on all dry friction at the extended end"),                            \
        IB_NUMBER_OF("friction.end_zone", "m", "0 m", 0, 10, config, friction.end_zone,            \
                     "length over which these factors fade to 1; 0 m: they do nothing")

#endif
