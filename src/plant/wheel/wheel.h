// plant/wheel/wheel.h: floor forces on a tank robot's wheels. Derivation: docs/plant/wheel.md
//
// The law of a patch is in plant/wheel/tyre.h, the sums over any number of patches are in
// plant/wheel/patch.h. Here is the case that the tank needs, with the same bits
// (docs/performance.md). Four contact patches on two rims stand at (+-a, +-W) in the robot frame (x
// forward, y left). A patch slips over the floor with
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
#ifndef IB_PLANT_WHEEL_WHEEL_H
#define IB_PLANT_WHEEL_WHEEL_H

#include "base/formula.h"
#include "base/status.h"
#include "base/two.h"
#include "plant/wheel/tyre.h"
#include "plant/wheel/weight.h"

#include <math.h>

enum { IB_WHEEL_ROLLING, IB_WHEEL_VISCOUS, IB_WHEEL_FRICTION_CIRCLE, IB_WHEEL_BRISTLE };

extern const char *const ib_wheel_models[]; ///< NULL-terminated, in the order of the enum

enum {
    IB_WHEEL_PATCHES = 4,  ///< front left, rear left, front right, rear right
    IB_BRISTLE_STATES = 8, ///< z of the four patches along x, then along y [m]
};

typedef struct ib_WheelConfig {
    int model;                  ///< IB_WHEEL_…
    double side_friction;       ///< K_k, all wheels together [N s/m], >= 0; viscous only
    ib_TyreConfig tyre;         ///< of every wheel; its law is the model's
    double side_scale;          ///< lateral friction as part of mu, 0 .. 1; small for omni wheels
    double contact_half_length; ///< a: half the distance between front and rear patches [m], >= 0
    double inertia_per_side;    ///< of the wheels alone, without rotors [kg m^2], >= 0
    double com_height;          ///< of the centre of mass [m], >= 0; 0: no weight transfer. Laws
                                ///< take it from the ib_Weight that the robot hands them
} ib_WheelConfig;

typedef struct ib_WheelModel {
    ib_WheelConfig config; ///< as given; of the tyre the laws read `tyre`
    ib_TyreModel tyre;     ///< of every wheel
    double half_track;     ///< W [m], > 0
    double per_length;     ///< 1/a [1/m]; 0 where a = 0
    double per_track;      ///< 1/W [1/m]
} ib_WheelModel;

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
typedef struct ib_WheelForces {
    double fx, fy;      ///< [N]
    double torque;      ///< [N m]
    double left, right; ///< longitudinal force of a side [N]; its wheels feel -r_w times it
    double power;       ///< sum of F . s: power of the patches [W]. Friction circle: all heat, >=
                        ///< 0. Bristle: heat and stored energy.
    double slip_left, slip_right;  ///< mean |s| of a side [m/s] (lateral part times side_scale)
    double load[IB_WHEEL_PATCHES]; ///< Fz [N], >= 0, their sum is the weight
} ib_WheelForces;

// --------------------------------------------------------------------------------- without patches

// Side force of the viscous law, F = -K_k n [N].                       [RoboSim 10.3c]
IB_FORMULA double ib_wheel_side_force(const ib_WheelModel *m, double n)
{
    return -m->config.side_friction * n;
}

// Rolling resistance of wheels under `load` [N], as a force on their rim [N].
IB_FORMULA double ib_wheel_rolling_force(const ib_WheelModel *m, double rim, double load)
{
    return ib_tyre_rolling_force(&m->tyre, rim, load);
}

// ---------------------------------------------------------------------------- loads of the patches

// Loads by plant/wheel/weight.h's rule, in closed form, from the centre of pressure, which stands
// at (a dx, W dy): signs e = +1 front, -1 rear and d = +1 left, -1 right,
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

IB_FORMULA void ib_wheel_loads(double weight, double dx, double dy, double load[IB_WHEEL_PATCHES])
{
    ib__Two left, right;
    ib__wheel_loads(weight, dx, dy, &left, &right);
    load[0] = ib__first(left);
    load[1] = ib__second(left);
    load[2] = ib__first(right);
    load[3] = ib__second(right);
}

// Forces over load of the patches, the front and the rear patch of a side in one ib__Two.
typedef struct ib__WheelGrip {
    ib__TyreGrip left, right;
} ib__WheelGrip;

// Relation of the centre of pressure (a dx, W dy) and a lean (gx, gy) of the weight: M (dx, dy) = g
// as long as all four carry; (xt, yt) is the share of a corner's lift t in its two lines.
typedef struct ib__WheelLean {
    double gx, gy;
    double xx, xy, yx, yy; // M
    double xt, yt;
} ib__WheelLean;

// A robot that would tip before it slides has a determinant near zero, which is bounded below; its
// loads end at the edge anyway.
IB_FORMULA double ib__wheel_per(double det)
{
    return 1.0 / (det > 0.1 ? det : 0.1);
}

// The lean grows from nothing to g, and (dx, dy) goes straight ahead until it leaves the diamond,
// where the corner behind it lifts off. From there on the lift counts, with the signs sx, sy of
// dx, dy:
//   t = sy dx + sx dy - sx sy   ->   M' = M + [xt sy, xt sx; yt sy, yt sx]
// so that it goes on in another direction. At an edge a second corner lifts off: two wheels on a
// line carry, and (dx, dy) follows that line. Limits: xt = yt = 0: M' = M. Three loads: statics. On
// entry dx, dy are those of four carrying wheels, beyond the diamond.
IB_FORMULA void ib__wheel_lift(const ib__WheelLean *l, double *dx, double *dy)
{
    double sx = *dx < 0.0 ? -1.0 : 1.0, sy = *dy < 0.0 ? -1.0 : 1.0;
    double part = 1.0 / (fabs(*dx) + fabs(*dy)), rest = 1.0 - part;
    double x = part * *dx, y = part * *dy;
    double xx = l->xx + l->xt * sy, xy = l->xy + l->xt * sx;
    double yx = l->yx + l->yt * sy, yy = l->yy + l->yt * sx;
    double per_det = ib__wheel_per(xx * yy - xy * yx);
    double go_x = rest * (l->gx * yy - l->gy * xy) * per_det;
    double go_y = rest * (xx * l->gy - yx * l->gx) * per_det;
    double to_x = sx * (x + go_x) > 1.0 ? (1.0 - sx * x) / (sx * go_x) : 1.0;
    double to_y = sy * (y + go_y) > 1.0 ? (1.0 - sy * y) / (sy * go_y) : 1.0;
    *dx = x + go_x;
    *dy = y + go_y;
    if (to_x < to_y) {
        *dx = sx;
        *dy = y + to_x * go_y + (1.0 - to_x) * rest * l->gy * ib__wheel_per(yy);
    } else if (to_y < 1.0) {
        *dx = x + to_y * go_x + (1.0 - to_y) * rest * l->gx * ib__wheel_per(xx);
        *dy = sy;
    }
}

// Weight transfer without lag. The floor's forces F act at the floor, the mass sits at height h, so
// that the centre of pressure moves back by h Fx/weight and aside by h Fy/weight (pushes and
// gravity on a slope act at the centre of mass and do not move it). F is linear in the loads, and
// these in dx, dy, t; with e, d as above and sums over the patches' forces over load kx, ky:
//   dx = x_com/a - h/(4a) (A0 + A1 dx + A2 dy + A3 t)
//   A0 = sum kx, A1 = sum e kx, A2 = sum d kx, A3 = sum e d kx
//   dy = y_com/W - h/(4W) (B0 + B1 dx + B2 dy + B3 t),  B the same with ky
// On entry dx, dy are those at rest.
IB_FORMULA void ib__wheel_transfer(const ib_WheelModel *m, const ib__WheelGrip *k, double height,
                                   double *dx, double *dy)
{
    double a = 0.25 * height * m->per_length, b = 0.25 * height * m->per_track;
    ib__Two x_sum = k->left.x + k->right.x, x_less = k->left.x - k->right.x;
    ib__Two y_sum = k->left.y + k->right.y, y_less = k->left.y - k->right.y;
    double xx = 1.0 + a * (ib__first(x_sum) - ib__second(x_sum)), xy = a * ib__two_sum(x_less);
    double yx = b * (ib__first(y_sum) - ib__second(y_sum)), yy = 1.0 + b * ib__two_sum(y_less);
    double per_det = ib__wheel_per(xx * yy - xy * yx);
    double gx = *dx - a * ib__two_sum(x_sum), gy = *dy - b * ib__two_sum(y_sum);
    *dx = (gx * yy - gy * xy) * per_det;
    *dy = (xx * gy - yx * gx) * per_det;
    if (fabs(*dx) + fabs(*dy) > 1.0) {
        double xt = a * (ib__first(x_less) - ib__second(x_less));
        double yt = b * (ib__first(y_less) - ib__second(y_less));
        ib__WheelLean lean = {gx, gy, xx, xy, yx, yy, xt, yt};
        ib__wheel_lift(&lean, dx, dy);
    }
}

// ---------------------------------------------------------------------------------- slips and sums

// Slips of the patches: along x those of the two sides, along y those of the two ends [m/s].
typedef struct ib__WheelSlip {
    double left, right, front, rear;
} ib__WheelSlip;

IB_FORMULA ib__WheelSlip ib__wheel_slip(const ib_WheelModel *m, double u, double n, double w,
                                        double rim_left, double rim_right)
{
    double turn = w * m->half_track, swing = w * m->config.contact_half_length;
    ib__WheelSlip s = {(rim_left - u) + turn, (rim_right - u) - turn, -(n + swing), -(n - swing)};
    return s;
}

// Lateral slips and lateral forces are both multiplied by side_scale. In between every law is a
// circle, so that outside the force stays in the ellipse
//   Fx^2 + (Fy/scale)^2 <= (mu Fz)^2
// and points where it takes the most power. Here: loads, forces, sums and power F . s.
IB_FORMULA ib_WheelForces ib__wheel_sum(const ib_WheelModel *m, const ib__WheelSlip *s,
                                        ib__WheelGrip k, const ib_Weight *weight)
{
    ib_WheelForces p;
    k.left.y = m->config.side_scale * k.left.y;
    k.right.y = m->config.side_scale * k.right.y;
    double dx = weight->x * m->per_length, dy = weight->y * m->per_track;
    double quarter = 0.25 * weight->force;
    ib__Two left = ib__two(quarter, quarter), right = left;
    if (weight->height > 0.0) ib__wheel_transfer(m, &k, weight->height, &dx, &dy);
    if (dx != 0.0 || dy != 0.0) ib__wheel_loads(weight->force, dx, dy, &left, &right);
    p.load[0] = ib__first(left);
    p.load[1] = ib__second(left);
    p.load[2] = ib__first(right);
    p.load[3] = ib__second(right);
    ib__Two side = k.left.y * left + k.right.y * right;
    p.left = ib__two_sum(k.left.x * left);
    p.right = ib__two_sum(k.right.x * right);
    p.fx = p.left + p.right;
    p.fy = ib__two_sum(side);
    p.torque = m->config.contact_half_length * (ib__first(side) - ib__second(side)) +
               m->half_track * (p.right - p.left);
    p.power = (p.left * s->left + p.right * s->right) +
              (ib__first(side) * s->front + ib__second(side) * s->rear);
    return p;
}

// --------------------------------------------------------------------------------- friction circle

typedef struct ib_WheelCircle {
    ib__WheelSlip slip;       ///< [m/s]
    ib__TyreSlip left, right; ///< over v_s, lateral ones times side_scale
} ib_WheelCircle;

// The first half of the law: slips and their sizes. ib_wheel_circle_end makes forces of them; why
// there are two halves: docs/performance.md
IB_FORMULA ib_WheelCircle ib_wheel_circle_begin(const ib_WheelModel *m, double u, double n,
                                                double w, double rim_left, double rim_right)
{
    ib_WheelCircle c;
    c.slip = ib__wheel_slip(m, u, n, w, rim_left, rim_right);
    double per = m->tyre.per_slip_speed, left = c.slip.left * per, right = c.slip.right * per;
    ib__Two ends = (m->config.side_scale * per) * ib__two(c.slip.front, c.slip.rear);
    c.left = ib__tyre_slip(ib__two(left, left), ends);
    c.right = ib__tyre_slip(ib__two(right, right), ends);
    return c;
}

IB_FORMULA ib_WheelForces ib_wheel_circle_end(const ib_WheelModel *m, const ib_WheelCircle *c,
                                              const ib_Weight *weight)
{
    ib__WheelGrip k;
    ib__tyre_circle(&m->tyre, &c->left, &c->right, &k.left, &k.right);
    ib_WheelForces p = ib__wheel_sum(m, &c->slip, k, weight);
    p.slip_left = 0.5 * m->tyre.slip_speed * ib__two_sum(c->left.q);
    p.slip_right = 0.5 * m->tyre.slip_speed * ib__two_sum(c->right.q);
    return p;
}

IB_FORMULA ib_WheelForces ib_wheel_friction_circle(const ib_WheelModel *m, double u, double n,
                                                   double w, double rim_left, double rim_right,
                                                   const ib_Weight *weight)
{
    ib_WheelCircle c = ib_wheel_circle_begin(m, u, n, w, rim_left, rim_right);
    return ib_wheel_circle_end(m, &c, weight);
}

// ----------------------------------------------------------------------------------------- bristle

// z and dz: front left, rear left, front right, rear right along x, then the same along y.
IB_FORMULA ib_WheelForces ib_wheel_bristle(const ib_WheelModel *m, double u, double n, double w,
                                           double rim_left, double rim_right,
                                           const ib_Weight *weight,
                                           const double z[IB_BRISTLE_STATES],
                                           double dz[IB_BRISTLE_STATES])
{
    ib__WheelSlip s = ib__wheel_slip(m, u, n, w, rim_left, rim_right);
    ib__Two ends = m->config.side_scale * ib__two(s.front, s.rear);
    ib__TyreBristle left = ib__tyre_bristle(&m->tyre, ib__two(s.left, s.left), ends,
                                            ib__two(z[0], z[1]), ib__two(z[4], z[5]));
    ib__TyreBristle right = ib__tyre_bristle(&m->tyre, ib__two(s.right, s.right), ends,
                                             ib__two(z[2], z[3]), ib__two(z[6], z[7]));
    ib__Two rates[4] = {left.zx, right.zx, left.zy, right.zy};
    for (int i = 0; i < 4; i++) {
        dz[2 * i] = ib__first(rates[i]);
        dz[2 * i + 1] = ib__second(rates[i]);
    }
    ib__WheelGrip k = {left.grip, right.grip};
    ib_WheelForces p = ib__wheel_sum(m, &s, k, weight);
    p.slip_left = 0.5 * ib__two_sum(left.slip);
    p.slip_right = 0.5 * ib__two_sum(right.slip);
    return p;
}

#endif
