// plant/wheel.h: what the floor does to a tank robot's wheels. Derivation: docs/plant/wheel.md
//
// Four contact patches stand at (+-a, +-W) in the robot frame (x forward, y left). A patch slips
// over the floor with
//
//   s = (r_w Omega - u + w y,  -(n + w x))                              [reference B8]
//
// and the floor pushes the robot along s. Four laws, from the simplest to the richest:
//
//   rolling          no side slip (n = 0), wheels geared to the floor: nothing to compute here
//   viscous          side force -K_k n, wheels geared to the floor      [RoboSim 10.3]
//   friction_circle  wheel speed is a state; F = mu Fz s/|s| tanh(|s|/v_s)
//   bristle          the same patch with a spring that remembers: it can hold, mu_static > mu
//
// Symbols: u, n forward and left velocity of the robot's origin [m/s], w yaw rate [rad/s],
//   rim = r_w Omega: speed of the wheels' rim [m/s], W half track, a contact half length [m],
//   Fz load of a patch [N], mu friction coefficient, v_s slip speed [m/s].
#ifndef IB_PLANT_WHEEL_H
#define IB_PLANT_WHEEL_H

#include "base/formula.h"
#include "base/maths.h"
#include "base/status.h"

#include <math.h>

enum { IB_WHEEL_ROLLING, IB_WHEEL_VISCOUS, IB_WHEEL_FRICTION_CIRCLE, IB_WHEEL_BRISTLE };

extern const char *const ib_wheel_models[]; ///< NULL-terminated, in the order of the enum

enum {
    IB_PATCHES = 4,        ///< front left, rear left, front right, rear right
    IB_BRISTLE_STATES = 8, ///< z of the four patches along x, then along y [m]
};

typedef struct ib_WheelConfig {
    int model;                  ///< IB_WHEEL_…
    double side_friction;       ///< K_k, all wheels together [N s/m], >= 0; viscous only
    double mu;                  ///< friction coefficient of a sliding wheel, >= 0
    double mu_static;           ///< of one that holds, >= mu; 0: 1.2 mu; bristle only
    double slip_speed;          ///< v_s: tanh's scale, and the Stribeck speed [m/s], > 0
    double side_scale;          ///< lateral friction as part of mu, 0 .. 1; small for omni wheels
    double contact_half_length; ///< a: half the distance between front and rear patches [m], >= 0
    double inertia_per_side;    ///< of the wheels alone, without rotors [kg m^2], >= 0
    double rolling_resistance;  ///< force over load of a rolling wheel, >= 0
    double com_height;          ///< of the centre of mass [m], >= 0; 0: no weight transfer
    double bristle_deflection;  ///< how far a patch yields before it slides [m], > 0
    double bristle_relax;       ///< v_r: slip at which half the force is direct [m/s], > 0
} ib_WheelConfig;

typedef struct ib_WheelModel {
    ib_WheelConfig config; ///< mu_static resolved
    double half_track;     ///< W [m], > 0
    double per_slip_speed; ///< 1/v_s [s/m]
    double per_length;     ///< 1/a [1/m]; 0 where a = 0
    double per_track;      ///< 1/W [1/m]
    double stiffness;      ///< sigma_0 = mu_static/bristle_deflection: force over load and z [1/m]
} ib_WheelModel;

// A roughtop wheel of B8: friction circle, mu = 1, v_s = 0.1 m/s, a = 0.3 m.
ib_WheelConfig ib_wheel_default(void);
ib_Status ib_wheel_check(const ib_WheelConfig *config, ib_Error *error);
void ib_wheel_init(const ib_WheelConfig *config, double half_track, ib_WheelModel *model);

// The body that the patches carry, for ib_wheel_resolution.
typedef struct ib_WheelCarried {
    double mass;         ///< of the robot [kg]
    double inertia;      ///< about its vertical axis [kg m^2]
    double weight;       ///< M g [N]
    double side_inertia; ///< wheels and reflected rotors of one side [kg m^2]
    double wheel_radius; ///< [m]
} ib_WheelCarried;

// The longest step [s] with which RK4 follows the patches; 0: any (rolling, viscous). See the .c.
double ib_wheel_resolution(const ib_WheelModel *model, const ib_WheelCarried *carried);

// Sum of the floor's forces on the robot, robot frame, about its origin.
typedef struct ib_Patches {
    double fx, fy;      ///< [N]
    double torque;      ///< [N m]
    double left, right; ///< longitudinal force of a side [N]; its wheels feel -r_w times it
    double power;       ///< sum of F . s: what the patches take [W]. Friction circle: all
                        ///< heat, >= 0. Bristle: heat and what the springs store.
    double slip_left, slip_right; ///< mean |s| of a side [m/s] (lateral part times side_scale)
    double load[IB_PATCHES];      ///< Fz [N], >= 0, their sum is the weight
} ib_Patches;

// ------------------------------------------------------------------ two lanes

// The front and the rear patch of a side are the two lanes of a 16-byte vector (NEON, SSE2); both
// sides together keep the arithmetic units busy while each waits for its root and its quotient.
#ifdef __CUDACC__
struct ib__Two {
    double front, rear;
};
#define IB__TWO_OPERATOR(op)                                                                       \
    IB_FORMULA ib__Two operator op(ib__Two a, ib__Two b)                                           \
    {                                                                                              \
        ib__Two r = {a.front op b.front, a.rear op b.rear};                                        \
        return r;                                                                                  \
    }                                                                                              \
    IB_FORMULA ib__Two operator op(double a, ib__Two b)                                            \
    {                                                                                              \
        ib__Two r = {a op b.front, a op b.rear};                                                   \
        return r;                                                                                  \
    }
IB__TWO_OPERATOR(+)
IB__TWO_OPERATOR(-)
IB__TWO_OPERATOR(*)
IB__TWO_OPERATOR(/)

IB_FORMULA double ib__front(ib__Two v)
{
    return v.front;
}

IB_FORMULA double ib__rear(ib__Two v)
{
    return v.rear;
}
#else
typedef double ib__Two __attribute__((vector_size(16)));
typedef uint64_t ib__TwoBits __attribute__((vector_size(16)));

IB_FORMULA double ib__front(ib__Two v)
{
    return v[0];
}

IB_FORMULA double ib__rear(ib__Two v)
{
    return v[1];
}
#endif

IB_FORMULA ib__Two ib__two(double front, double rear)
{
    ib__Two r = {front, rear};
    return r;
}

IB_FORMULA double ib__two_sum(ib__Two v)
{
    return ib__front(v) + ib__rear(v);
}

IB_FORMULA ib__Two ib__two_sqrt(ib__Two v)
{
    return ib__two(sqrt(ib__front(v)), sqrt(ib__rear(v)));
}

// v where it is positive, else 0.
IB_FORMULA ib__Two ib__two_positive(ib__Two v)
{
#ifdef __CUDACC__
    return ib__two(v.front > 0.0 ? v.front : 0.0, v.rear > 0.0 ? v.rear : 0.0);
#else
    return (ib__Two)((ib__TwoBits)v & (ib__TwoBits)(v > 0.0));
#endif
}

// 2^-k from k + IB__ROUND_MAGIC, k >= 0 whole; 0 from k = 61 on.
IB_FORMULA ib__Two ib__two_halvings(ib__Two shifted)
{
#ifdef __CUDACC__
    double last = IB__ROUND_MAGIC + 60.0;
    double a = ib__from_bits((1023 - ib__bits(shifted.front)) << 52);
    double b = ib__from_bits((1023 - ib__bits(shifted.rear)) << 52);
    return ib__two(shifted.front > last ? 0.0 : a, shifted.rear > last ? 0.0 : b);
#else
    ib__TwoBits none = (ib__TwoBits)(shifted > IB__ROUND_MAGIC + 60.0);
    ib__TwoBits power = (1023 - (ib__TwoBits)shifted) << 52;
    return (ib__Two)(power & ~none);
#endif
}

// ------------------------------------------------------------------ tanh(q)/q

// phi = tanh(q)/q for tiny <= q <= 1e12 without a branch. With
//   q = k ln2/2 + y,  |y| <= ln2/4,  S = 2^-k = e^(-k ln2)
// the addition theorem of tanh, tanh(k ln2/2) = (1 - S)/(1 + S), and Lambert's continued fraction
//   tanh y = N/D,  N = y (10395 + 1260 y^2 + 21 y^4),  D = 10395 + 4725 y^2 + 210 y^4 + y^6
// (the next term is below 1e-18), the whole is one division:
//   phi = [(1 - S) D + (1 + S) N] / [((1 + S) D + (1 - S) N) q]
// Limits: q -> 0 gives 1, where k = 0, S = 1; large q gives 1/q, where S = 0. Error below 1e-15.
typedef struct ib__Phi {
    ib__Two above, below; ///< phi = above/below
} ib__Phi;

IB_FORMULA ib__Phi ib__wheel_phi_parts(ib__Two q)
{
    ib__Two shifted = IB__ROUND_MAGIC + 0x1.71547652b82fep+1 * q; // 2/ln2
    ib__Two k = -IB__ROUND_MAGIC + shifted;
    ib__Two y = (q - 0x1.62e42feep-2 * k) - 0x1.a39ef35793c76p-34 * k; // ln2/2 in two parts
    ib__Two S = ib__two_halvings(shifted);
    ib__Two y2 = y * y, y4 = y2 * y2;
    ib__Two N = y * ((10395.0 + 1260.0 * y2) + 21.0 * y4);
    ib__Two D = (10395.0 + 4725.0 * y2) + y4 * (210.0 + y2);
    ib__Two more = 1.0 + S, less = 1.0 - S;
    ib__Phi phi = {less * D + more * N, (more * q) * D + (less * q) * N};
    return phi;
}

IB_FORMULA ib__Two ib__wheel_phi(ib__Two q)
{
    ib__Phi phi = ib__wheel_phi_parts(q);
    return phi.above / phi.below;
}

// The square root of z >= 0, kept above zero so that phi need not know 0/0; exact from 1e-280 on.
IB_FORMULA ib__Two ib__wheel_root(ib__Two z)
{
    return ib__two_sqrt(0x1p-1000 + z);
}

// ------------------------------------------------------------------ without patches

// Side force of the viscous law, F = -K_k n [N].                       [RoboSim 10.3c]
IB_FORMULA double ib_wheel_side_force(const ib_WheelModel *m, double n)
{
    return -m->config.side_friction * n;
}

// Rolling resistance of wheels under `load` [N] at the rim's speed, as a force on the rim [N]:
//   -c_rr load tanh(rim/v_s). It takes the power -F rim >= 0.
IB_FORMULA double ib_wheel_rolling_force(const ib_WheelModel *m, double rim, double load)
{
    double x = rim * m->per_slip_speed;
    double phi = ib__front(ib__wheel_phi(ib__wheel_root(ib__two(x * x, 1.0))));
    return -m->config.rolling_resistance * load * x * phi;
}

// ------------------------------------------------------------------ loads of the patches

// Loads from the centre of pressure, which stands at (a dx, W dy): signs e = +1 front, -1 rear and
// d = +1 left, -1 right,
//   Fz = weight/4 (1 + e dx + d dy + e d t),   t = sign(dx dy) max(0, |dx| + |dy| - 1)
// Within the diamond |dx| + |dy| <= 1 all four carry. Beyond it the far corner is in the air and
// t keeps it at zero; the moments about both axes stay right up to the edge of the rectangle, where
// a real robot starts to tip. Beyond that dx and dy stay at the edge.
IB_FORMULA void ib__wheel_loads(double weight, double dx, double dy, ib__Two *left, ib__Two *right)
{
    dx = dx > 1.0 ? 1.0 : dx < -1.0 ? -1.0 : dx;
    dy = dy > 1.0 ? 1.0 : dy < -1.0 ? -1.0 : dy;
    double over = (fabs(dx) + fabs(dy)) - 1.0;
    double lift = over > 0.0 ? over : 0.0;
    double t = (dx < 0.0) == (dy < 0.0) ? lift : -lift;
    double quarter = 0.25 * weight;
    ib__Two ends = ib__two(1.0 + dx, 1.0 - dx), sides = ib__two(dy + t, dy - t);
    *left = ib__two_positive(quarter * (ends + sides));
    *right = ib__two_positive(quarter * (ends - sides));
}

IB_FORMULA void ib_wheel_loads(double weight, double dx, double dy, double load[IB_PATCHES])
{
    ib__Two left, right;
    ib__wheel_loads(weight, dx, dy, &left, &right);
    load[0] = ib__front(left);
    load[1] = ib__rear(left);
    load[2] = ib__front(right);
    load[3] = ib__rear(right);
}

// Forces over load of the patches, lateral ones still in scaled coordinates (see ib__wheel_sum).
typedef struct ib__Grip {
    ib__Two left_x, right_x, left_y, right_y;
} ib__Grip;

// Weight transfer without lag. The floor's forces F act at the floor, the mass sits at height h, so
// that the centre of pressure moves back by h Fx/weight and aside by h Fy/weight (pushes and
// gravity on a slope act at the centre of mass and do not move it). F is linear in the loads, and
// these in dx, dy; with e, d as above and sums over the patches' forces over load kx, ky:
//   dx = x_com/a - h/(4a) (A0 + A1 dx + A2 dy),  A0 = sum kx, A1 = sum e kx, A2 = sum d kx
//   dy = y_com/W - h/(4W) (B0 + B1 dx + B2 dy),  B the same with ky
// A robot that would tip before it slides has a determinant near zero, which is bounded below; its
// loads end at the edge anyway. On entry dx, dy are those at rest.
IB_FORMULA void ib__wheel_transfer(const ib_WheelModel *m, const ib__Grip *k, double *dx,
                                   double *dy)
{
    double a = 0.25 * m->config.com_height * m->per_length;
    double b = 0.25 * m->config.com_height * m->per_track;
    ib__Two x_sum = k->left_x + k->right_x, x_less = k->left_x - k->right_x;
    ib__Two y_sum = k->left_y + k->right_y, y_less = k->left_y - k->right_y;
    double xx = 1.0 + a * (ib__front(x_sum) - ib__rear(x_sum)), xy = a * ib__two_sum(x_less);
    double yx = b * (ib__front(y_sum) - ib__rear(y_sum)), yy = 1.0 + b * ib__two_sum(y_less);
    double det = xx * yy - xy * yx;
    double per_det = 1.0 / (det > 0.1 ? det : 0.1);
    double gx = *dx - a * ib__two_sum(x_sum), gy = *dy - b * ib__two_sum(y_sum);
    *dx = (gx * yy - gy * xy) * per_det;
    *dy = (xx * gy - yx * gx) * per_det;
}

// ------------------------------------------------------------------ slips and sums

// Slips of the patches: along x those of the two sides, along y those of the two ends [m/s].
typedef struct ib__Slip {
    double left, right, front, rear;
} ib__Slip;

IB_FORMULA ib__Slip ib__wheel_slip(const ib_WheelModel *m, double u, double n, double w,
                                   double rim_left, double rim_right)
{
    double turn = w * m->half_track, swing = w * m->config.contact_half_length;
    ib__Slip s = {(rim_left - u) + turn, (rim_right - u) - turn, -(n + swing), -(n - swing)};
    return s;
}

// Lateral slips come into the laws times side_scale, and lateral forces go out times side_scale. In
// between every law is a circle, so that outside the force stays in the ellipse
//   Fx^2 + (Fy/scale)^2 <= (mu Fz)^2
// and points where it takes the most power. Here: loads, forces, sums and power F . s.
IB_FORMULA ib_Patches ib__wheel_sum(const ib_WheelModel *m, const ib__Slip *s, ib__Grip k,
                                    double weight, double x_com, double y_com)
{
    ib_Patches p;
    k.left_y = m->config.side_scale * k.left_y;
    k.right_y = m->config.side_scale * k.right_y;
    double dx = x_com * m->per_length, dy = y_com * m->per_track, quarter = 0.25 * weight;
    ib__Two left = ib__two(quarter, quarter), right = left;
    if (m->config.com_height > 0.0) ib__wheel_transfer(m, &k, &dx, &dy);
    if (dx != 0.0 || dy != 0.0) ib__wheel_loads(weight, dx, dy, &left, &right);
    p.load[0] = ib__front(left);
    p.load[1] = ib__rear(left);
    p.load[2] = ib__front(right);
    p.load[3] = ib__rear(right);
    ib__Two side = k.left_y * left + k.right_y * right;
    p.left = ib__two_sum(k.left_x * left);
    p.right = ib__two_sum(k.right_x * right);
    p.fx = p.left + p.right;
    p.fy = ib__two_sum(side);
    p.torque = m->config.contact_half_length * (ib__front(side) - ib__rear(side)) +
               m->half_track * (p.right - p.left);
    p.power = (p.left * s->left + p.right * s->right) +
              (ib__front(side) * s->front + ib__rear(side) * s->rear);
    return p;
}

// ------------------------------------------------------------------ friction circle

// Slips over v_s, lateral ones times side_scale, and their sizes.
typedef struct ib_WheelCircle {
    ib__Slip slip;
    double left, right; ///< along x, of the two sides
    ib__Two ends;       ///< along y, front and rear
    ib__Two q_left, q_right;
} ib_WheelCircle;

// The first half, up to the roots. A caller who has other work does it between the halves: a
// processor does not look far enough ahead to find it behind the second one.
IB_FORMULA ib_WheelCircle ib_wheel_circle_begin(const ib_WheelModel *m, double u, double n,
                                                double w, double rim_left, double rim_right)
{
    ib_WheelCircle c;
    c.slip = ib__wheel_slip(m, u, n, w, rim_left, rim_right);
    c.left = c.slip.left * m->per_slip_speed;
    c.right = c.slip.right * m->per_slip_speed;
    c.ends = (m->config.side_scale * m->per_slip_speed) * ib__two(c.slip.front, c.slip.rear);
    ib__Two ends2 = c.ends * c.ends;
    c.q_left = ib__wheel_root(c.left * c.left + ends2);
    c.q_right = ib__wheel_root(c.right * c.right + ends2);
    return c;
}

// F = mu Fz (s/v_s) phi(|s|/v_s) in every patch.                       [reference B8]
// weight [N]; (x_com, y_com): the centre of mass in the robot frame [m].
IB_FORMULA ib_Patches ib_wheel_circle_end(const ib_WheelModel *m, const ib_WheelCircle *c,
                                          double weight, double x_com, double y_com)
{
    double mu = m->config.mu;
    // One division for both sides: it is the dearest operation of all.
    ib__Phi a = ib__wheel_phi_parts(c->q_left), b = ib__wheel_phi_parts(c->q_right);
    ib__Two per = 1.0 / (a.below * b.below);
    ib__Two phi_left = (a.above * b.below) * per, phi_right = (b.above * a.below) * per;
    ib__Two mu_ends = mu * c->ends;
    ib__Grip k = {(mu * c->left) * phi_left, (mu * c->right) * phi_right, mu_ends * phi_left,
                  mu_ends * phi_right};
    ib_Patches p = ib__wheel_sum(m, &c->slip, k, weight, x_com, y_com);
    p.slip_left = 0.5 * m->config.slip_speed * ib__two_sum(c->q_left);
    p.slip_right = 0.5 * m->config.slip_speed * ib__two_sum(c->q_right);
    return p;
}

IB_FORMULA ib_Patches ib_wheel_friction_circle(const ib_WheelModel *m, double u, double n, double w,
                                               double rim_left, double rim_right, double weight,
                                               double x_com, double y_com)
{
    ib_WheelCircle c = ib_wheel_circle_begin(m, u, n, w, rim_left, rim_right);
    return ib_wheel_circle_end(m, &c, weight, x_com, y_com);
}

// ------------------------------------------------------------------ bristle

// A patch with a spring (LuGre type), z its deflection, s its slip:
//   g  = mu + (mu_static - mu) / (1 + x^2 + x^4/2),  x = |s|/v_s      Stribeck curve
//   f  = v_r/(v_r + |s|)
//   z' = f (s - sigma_0 |s|/g z)
//   F  = Fz [f sigma_0 z + (1 - f) g s/|s|]
// Steady slip: sigma_0 z = g s/|s|, so F = g Fz along s. Slow slip: f -> 1, a spring with the
// damper g/v_r beside it. Fast slip: f -> 0, plain sliding friction; the rate of z stays below
// sigma_0 v_r/g however fast the robot slides, so that a fixed step can follow.
// Passive: with the store V = Fz sigma_0 z^2/2 and a constant load,
//   F . s - V' = Fz |s| [(1 - f) g + f (sigma_0 z)^2/g] >= 0
// (LuGre's damping term sigma_1 z' would not do: it can create energy when the slip reverses.)
typedef struct ib__Bristle {
    ib__Two kx, ky; ///< force over load
    ib__Two zx, zy; ///< rates of z
    ib__Two slip;   ///< |s| [m/s]
} ib__Bristle;

IB_FORMULA ib__Bristle ib__wheel_bristle_side(const ib_WheelModel *m, double sx, ib__Two sy,
                                              ib__Two zx, ib__Two zy)
{
    const ib_WheelConfig *c = &m->config;
    ib__Bristle b;
    b.slip = ib__two_sqrt(sx * sx + sy * sy);
    ib__Two x = m->per_slip_speed * b.slip, x2 = x * x;
    ib__Two g = c->mu + (c->mu_static - c->mu) / (1.0 + x2 * (1.0 + 0.5 * x2));
    ib__Two part = 1.0 / (c->bristle_relax + b.slip), f = c->bristle_relax * part;
    ib__Two decay = (m->stiffness * b.slip) / g, direct = g * part;
    ib__Two spring = m->stiffness * f;
    b.zx = f * (sx - decay * zx);
    b.zy = f * (sy - decay * zy);
    b.kx = spring * zx + sx * direct;
    b.ky = spring * zy + sy * direct;
    return b;
}

// z and dz: front left, rear left, front right, rear right along x, then the same along y.
IB_FORMULA ib_Patches ib_wheel_bristle(const ib_WheelModel *m, double u, double n, double w,
                                       double rim_left, double rim_right, double weight,
                                       double x_com, double y_com,
                                       const double z[IB_BRISTLE_STATES],
                                       double dz[IB_BRISTLE_STATES])
{
    ib__Slip s = ib__wheel_slip(m, u, n, w, rim_left, rim_right);
    ib__Two ends = m->config.side_scale * ib__two(s.front, s.rear);
    ib__Bristle left =
        ib__wheel_bristle_side(m, s.left, ends, ib__two(z[0], z[1]), ib__two(z[4], z[5]));
    ib__Bristle right =
        ib__wheel_bristle_side(m, s.right, ends, ib__two(z[2], z[3]), ib__two(z[6], z[7]));
    ib__Two rates[4] = {left.zx, right.zx, left.zy, right.zy};
    for (int i = 0; i < 4; i++) {
        dz[2 * i] = ib__front(rates[i]);
        dz[2 * i + 1] = ib__rear(rates[i]);
    }
    ib__Grip k = {left.kx, right.kx, left.ky, right.ky};
    ib_Patches p = ib__wheel_sum(m, &s, k, weight, x_com, y_com);
    p.slip_left = 0.5 * ib__two_sum(left.slip);
    p.slip_right = 0.5 * ib__two_sum(right.slip);
    return p;
}

// What the springs hold: V = sum of Fz sigma_0 z^2/2 [J].
IB_FORMULA double ib_wheel_bristle_energy(const ib_WheelModel *m, const double load[IB_PATCHES],
                                          const double z[IB_BRISTLE_STATES])
{
    double sum = 0;
    for (int i = 0; i < IB_PATCHES; i++)
        sum += load[i] * (z[i] * z[i] + z[i + IB_PATCHES] * z[i + IB_PATCHES]);
    return 0.5 * m->stiffness * sum;
}

#endif
