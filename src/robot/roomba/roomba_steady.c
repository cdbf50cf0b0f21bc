// robot/roomba/roomba_steady.c: the motions a plan is made of: steady circles, constant forces,
// full force straight on.
#include "base/extreme.h"
#include "robot/roomba/roomba_plan.h"

#include <math.h>

// On a circle the side drag turns the velocity:     m v^2 k cos b = -2 kn v^2 sin b |sin b|
// With u = |sin b| this is K u^2 = |k| sqrt(1 - u^2), so
//   u^2 = 2 k^2 / (k^2 + sqrt(k^4 + 4 K^2 k^2))
// and the wheels carry   Fr + Fl = -m w vn + kd (vr|vr| + vl|vl|),   Fr - Fl = kd (vr|vr| - vl|vl|)
// Limits: k = 0 -> u = 0 and each wheel carries kd v^2; kn -> infinity -> no slip.
ib__RoombaCircle ib__roomba_circle(const ib_RoombaModel *model, double k)
{
    ib__RoombaCircle c = {.vt = 1};
    double big_k = 2 * model->kn / model->m;
    if (k != 0) {
        double k2 = k * k;
        double u2 = 2 * k2 / (k2 + sqrt(k2 * k2 + 4 * big_k * big_k * k2));
        c = (ib__RoombaCircle){.vt = sqrt(1 - u2), .vn = copysign(sqrt(u2), -k), .w = k};
    }
    double vl = c.vt - model->r * c.w, vr = c.vt + model->r * c.w;
    double dl = model->kd * vl * fabs(vl), dr = model->kd * vr * fabs(vr);
    double push = 0.5 * (-model->m * c.w * c.vn);
    c.left = dl + push;
    c.right = dr + push;
    double most = ib_max(fabs(c.left), fabs(c.right));
    c.top = most > 0 ? sqrt(model->max_force / most) : INFINITY;
    return c;
}

// Linearised, vn' = -2 K |vn| vn.
double ib__roomba_settling(const ib_RoombaModel *model, double k, double v)
{
    return 4 * model->kn / model->m * fabs(ib__roomba_circle(model, k).vn) * v;
}

//   x1 = x0 + h/6 (k1 + 2 k2 + 2 k3 + k4)
void ib__roomba_step(const ib_RoombaModel *model, double force[3][2], double h, double *state)
{
    static const double at[] = {0, 0.5, 0.5, 1}, weight[] = {1, 2, 2, 1};
    static const int of[] = {0, 1, 1, 2};
    double input[IB_ROOMBA_INPUTS] = {0}, rate[IB_ROOMBA_STATES] = {0};
    double x[IB_ROOMBA_STATES], sum[IB_ROOMBA_STATES] = {0};
    for (int i = IB_ROOMBA_GAIN_LEFT; i < IB_ROOMBA_INPUTS; i++) input[i] = 1;
    for (int s = 0; s < 4; s++) {
        input[IB_ROOMBA_LEFT] = force[of[s]][0];
        input[IB_ROOMBA_RIGHT] = force[of[s]][1];
        for (int i = 0; i < IB_ROOMBA_STATES; i++) x[i] = state[i] + at[s] * h * rate[i];
        ib_roomba_rate(model, x, input, rate);
        for (int i = 0; i < IB_ROOMBA_STATES; i++) sum[i] += weight[s] * rate[i];
    }
    for (int i = 0; i < IB_ROOMBA_STATES; i++) state[i] += h / 6 * sum[i];
}

void ib__roomba_drive(const ib_RoombaModel *model, double left, double right, double duration,
                      double step, double *state)
{
    double force[3][2] = {{left, right}, {left, right}, {left, right}};
    int steps = (int)ceil(duration / step);
    for (int n = 0; n < steps; n++) ib__roomba_step(model, force, duration / steps, state);
}

// Both wheels with F, from speed v0 over a distance s, with vt^2 = F/kd and tau = m vt/(2 F):
//   v1^2 = vt^2 + (v0^2 - vt^2) exp(-4 kd s/m),   t = s/vt + tau ln((vt + v1)/(vt + v0))
// Limits: kd = 0 -> v1^2 = v0^2 + 4 F s/m; from rest -> s = vt tau ln cosh(t/tau).
double ib__roomba_speed_up(const ib_RoombaModel *model, double kd, double v0, double s, double *t)
{
    double f = model->max_force, m = model->m;
    if (kd == 0) {
        double v1 = sqrt(v0 * v0 + 4 * f * s / m);
        *t = (v1 - v0) * m / (2 * f);
        return v1;
    }
    double top2 = f / kd, top = sqrt(top2);
    double v1 = sqrt(ib_max(0, top2 + (v0 * v0 - top2) * ib_exp(-4 * kd * s / m)));
    *t = s / top + m * top / (2 * f) * ib_log((top + v1) / (top + v0));
    return v1;
}
