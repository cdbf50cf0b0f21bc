// robot/tank/tank_published.c: `equations: published`: RoboSim's formulas as printed, with their
// mistakes. What each of them does: docs/robosim_errata.md
//
// Only 0/0 of (10.3a) at rest is taken as 0, since a NaN on the first step would show nothing.
// R of the document is the wheel's speed over the motor's, 1/G. The state keeps the robot-frame
// velocity of the corrected model; the document's field-frame accelerations are turned into it.
#include "robot/tank/tank_inside.h"

#include "base/maths.h"

#include <math.h>
#include <string.h>

typedef struct Published {
    double V;          // 5.1
    double draw;       // 9a
    double w[2];       // 10.5
    double I[2], T[2]; // 4.1 or 4.2
    double volts[2];   // 9b
} Published;

// (10.5) with 2 pi where 2 belongs: the motors seem to turn pi times too fast.
static void speeds(const ib_TankModel *t, const double *x, Published *p)
{
    double turn = x[IB_TANK_W] * t->half_track, D = 2 * t->drive.radius;
    double per = 6.283185307179586 * t->drive.reduction[0] / D;
    p->w[0] = (x[IB_TANK_U] - turn) * per;
    p->w[1] = (x[IB_TANK_U] + turn) * per;
}

// (9a) adds the currents of both sides with their signs, whatever the duty. Without inductance the
// loop of (5.1), (9a), (9b) is solved; with it the currents are known.
static void voltage(const ib_TankModel *t, const double *x, const double duty[2], double other,
                    Published *p)
{
    double N = t->drive.motors, E = t->power.battery.open_circuit, Rb = t->power.battery.resistance;
    const ib_MotorModel *m = &t->motor;
    if (t->current_state >= 0) {
        p->draw = N * (x[t->current_state] + x[t->current_state + 1]) + other;
    } else {
        double emf = m->Ke * (p->w[0] + p->w[1]), both = duty[0] + duty[1];
        double V = (E - Rb * (other - N * emf * m->per_R)) / (1 + Rb * N * both * m->per_R);
        p->draw = N * (both * V - emf) * m->per_R + other;
    }
    p->V = E - Rb * p->draw;
    for (int i = 0; i < 2; i++) {
        p->volts[i] = duty[i] * p->V;
        p->I[i] = t->current_state >= 0 ? x[t->current_state + i]
                                        : ib_motor_current(m, p->volts[i], p->w[i]);
        p->T[i] = m->Kt * p->I[i];
    }
}

// (10.3a, b):  atan2(Vy/Vx) - th, and 0/0 is 0. Infinite ratios are right angles.
static double side_speed(double vx, double vy, double heading)
{
    double ratio = vx != 0 ? vy / vx : 0;
    double angle = vx != 0 || vy == 0 ? ib_atan(ratio)
                   : vy > 0           ? 1.5707963267948966
                                      : -1.5707963267948966;
    return sqrt(vx * vx + vy * vy) * ib_sin(angle - heading);
}

static double compressor(const ib_TankModel *t, const double *x, const double *input,
                         ib_AirInput *air)
{
    if (t->air_state < 0) return 0;
    ib__tank_air_input(t, input, ib_power_on(&t->power, x), air);
    air->voltage = t->power.battery.open_circuit;
    if (!ib_air_running(x + t->air_state + 1, air)) return 0;
    ib_Load load = ib_air_load(&t->air, x + t->air_state + 1, air, air->voltage);
    return ib_load_current(load, air->voltage);
}

void ib__tank_published_rate(const ib_TankModel *t, const double *x, const double *input,
                             double *dx)
{
    double command[2], c, s, N = t->drive.motors;
    ib_AirInput air = {0};
    Published p;
    ib__tank_commands(input, command);
    double duty[2] = {command[0] * (1 / IB_COMMAND_SCALE), command[1] * (1 / IB_COMMAND_SCALE)};
    double Icomp = compressor(t, x, input, &air);
    speeds(t, x, &p);
    voltage(t, x, duty, Icomp + t->power.background, &p);
    ib_sincos(x[IB_TANK_TH], &s, &c);
    double u = x[IB_TANK_U], n = x[IB_TANK_N], w = x[IB_TANK_W];
    double vx = u * c - n * s, vy = u * s + n * c;

    // (10.1), (10.2) with a lever of D where D/2 belongs; (10.3c), (10.4a-c).
    double lever = t->drive.reduction[0] / (2 * t->drive.radius);
    double force = (p.T[0] + p.T[1]) * N * lever;
    double side = -side_speed(vx, vy, x[IB_TANK_TH]) * t->wheel.config.side_friction;
    memset(dx, 0, (size_t)t->state_count * sizeof *dx);
    dx[IB_TANK_TH] = w;
    dx[IB_TANK_X] = vx;
    dx[IB_TANK_Y] = vy;
    double px = input[IB_PUSH_X] * c + input[IB_PUSH_Y] * s;
    double py = input[IB_PUSH_Y] * c - input[IB_PUSH_X] * s, turn = ib_push_torque(input, c, s);
    dx[IB_TANK_U] = (force + px) * t->planar.per_mass + w * n;
    dx[IB_TANK_N] = (side + py) * t->planar.per_mass - w * u;
    dx[IB_TANK_W] = ((p.T[1] - p.T[0]) * N * t->half_track * lever + turn) * t->planar.per_inertia;

    // (4.2e) is this rate under Euler's method; (4.1c) is the step that Euler makes of the second.
    for (int i = 0; t->current_state >= 0 && i < 2; i++)
        dx[t->current_state + i] =
            t->current == IB_CURRENT_EXPLICIT
                ? ib_motor_current_rate(&t->motor, t->inductance, p.volts[i], p.I[i], p.w[i])
                : (ib_motor_current_implicit(&t->motor, t->inductance, t->period, p.volts[i],
                                             p.I[i], p.w[i]) -
                   p.I[i]) /
                      t->period;
    dx[IB_TANK_USED] = p.draw;
    dx[IB_TANK_E_BATTERY] = t->power.battery.open_circuit * p.draw;
    dx[IB_TANK_E_RESISTANCE] = t->power.battery.resistance * p.draw * p.draw;
    dx[IB_TANK_E_BACKGROUND] = p.V * t->power.background;
    dx[IB_TANK_E_COPPER] = N * t->motor.R * (p.I[0] * p.I[0] + p.I[1] * p.I[1]);
    dx[IB_TANK_E_CONVERSION] = N * (ib_motor_conversion(&t->motor, p.I[0], p.w[0]) +
                                    ib_motor_conversion(&t->motor, p.I[1], p.w[1]));
    dx[IB_TANK_E_TYRE] = -side * n;
    dx[IB_TANK_E_PUSH] = px * u + py * n + turn * w;
    if (t->air_state >= 0) {
        dx[t->air_state] = p.V * Icomp;
        ib_air_rate(&t->air, x + t->air_state + 1, &air, dx + t->air_state + 1);
    }
}

void ib__tank_published_now(const ib_TankModel *t, const double *x, const double *input,
                            ib_TankNow *now)
{
    Published p;
    ib__tank_commands(input, now->command);
    double duty[2] = {now->command[0] * (1 / IB_COMMAND_SCALE),
                      now->command[1] * (1 / IB_COMMAND_SCALE)};
    now->power.other = compressor(t, x, input, now->air);
    now->power.E = t->power.battery.open_circuit;
    speeds(t, x, &p);
    voltage(t, x, duty, now->power.other + t->power.background, &p);
    now->power.bus.voltage = p.V;
    now->power.bus.current = p.draw;
    now->power.bus.collapsed = false;
    double turn = x[IB_TANK_W] * t->half_track;
    for (int i = 0; i < 2; i++) {
        now->power.bus.bridge[i] = (ib_BridgeResult){p.volts[i], p.I[i], p.I[i]};
        now->speed[i] = p.w[i];
        now->torque[i] = p.T[i];
        now->rim[i] = x[IB_TANK_U] + (i ? turn : -turn);
    }
}
