// robot/tank/tank_published.c: `equations: published`: RoboSim's formulas as printed, with their
// mistakes. Their effects: docs/reference/errata.md#tank
//
// Only 0/0 of (10.3a) at rest is taken as 0, since a NaN on the first step would show nothing.
// R of the document is the wheel's speed over the motor's, 1/G. The state keeps the robot-frame
// velocity of the corrected model; the document's field-frame accelerations are turned into it.
#include "robot/tank/tank.h"

#include "base/maths.h"
#include "plant/electric/motor_row_now.h"
#include "plant/wheel/sides_now.h"
#include "robot/body_now.h"

#include <math.h>

// (10.5) with 2 pi where 2 belongs: the motors seem to turn pi times too fast. Its wheels have no
// speed of their own.
void ib__tank_publish(ib_TankModel *t)
{
    t->shafts[0].reduction = t->shafts[1].reduction =
        0.5 * 6.283185307179586 * t->sides.drive.reduction[0];
    t->sides.slips = false;
    if (t->sides.law != IB_WHEEL_VISCOUS) t->sides.law = IB_WHEEL_ROLLING;
}

// (9a) adds the currents of both sides with their signs, for any duty. Without inductance the loop
// of (5.1), (9a), (9b) is solved; with it the currents are known.
static void solve_bus(const ib_PartsModel *r, const double speed[2], ib_Wires *w)
{
    const ib_TankModel *t = r->own;
    const ib_MotorModel *m = &t->shafts[0].motor;
    const double *x = w->x, *duty = &w->duty[t->motors.bridge];
    double N = t->shafts[0].motors, E = w->power.E, Rb = r->feed.power.battery.resistance;
    double other = w->power.other + r->feed.power.background;
    ib_Bus *bus = &w->power.bus;
    if (t->motors.current >= 0) {
        bus->current = N * (x[t->motors.current] + x[t->motors.current + 1]) + other;
    } else {
        double emf = m->Ke * (speed[0] + speed[1]), both = duty[0] + duty[1];
        double V = (E - Rb * (other - N * emf * m->per_R)) / (1 + Rb * N * both * m->per_R);
        bus->current = N * (both * V - emf) * m->per_R + other;
    }
    bus->voltage = E - Rb * bus->current;
    bus->collapsed = false;
    for (int i = 0; i < 2; i++) {
        double u = duty[i] * bus->voltage;
        double I =
            t->motors.current >= 0 ? x[t->motors.current + i] : ib_motor_current(m, u, speed[i]);
        bus->bridge[t->motors.bridge + i] = (ib_BridgeResult){u, I, I};
        w->bridge[t->motors.bridge + i].open = false;
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

// The compressor's current, at the voltage of a battery that nothing loads.
static double compressor(const ib_Feed *feed, ib_Wires *w)
{
    if (!feed->breathes) return 0;
    w->asked.voltage = w->power.E;
    if (!ib_air_running(w->x + feed->air_state, &w->asked)) return 0;
    return ib_load_current(ib_air_load(&feed->air, w->x + feed->air_state, &w->asked, w->power.E),
                           w->power.E);
}

// (10.1), (10.2) with a lever of D where D/2 belongs; (10.3c), (10.4a-c).
static void push_body(const ib_TankModel *t, const double T[2], ib_SidesNotes *wheels, ib_Wires *w)
{
    ib_BodyWires *b = &w->body;
    const ib_Twist *v = &b->v;
    const double *input = w->input;
    double each = t->shafts[0].motors * t->sides.drive.reduction[0] / (2 * t->sides.drive.radius);
    double vx = v->u * b->c - v->n * b->s, vy = v->u * b->s + v->n * b->c;
    double side = -side_speed(vx, vy, w->x[IB_TANK_TH]) * t->sides.wheel.config.side_friction;
    double px = input[IB_PUSH_X] * b->c + input[IB_PUSH_Y] * b->s;
    double py = input[IB_PUSH_Y] * b->c - input[IB_PUSH_X] * b->s;
    double turn = ib_push_torque(input, b->c, b->s);
    for (int i = 0; i < 2; i++)
        wheels->rim[i] = w->speed[t->sides.shaft + i] * t->sides.drive.radius;
    wheels->floor.left = T[0] * each;
    wheels->floor.right = T[1] * each;
    wheels->power = -side * v->n;
    b->side = v->w * v->u * t->mass - py;
    b->pushed = px * v->u + py * v->n + turn * v->w;
    b->force.fx = wheels->floor.left + wheels->floor.right + px;
    b->force.fy = side + py;
    b->force.torque = (wheels->floor.right - wheels->floor.left) * t->sides.wheel.half_track + turn;
}

static void solve(const ib_PartsModel *r, ib_SidesNotes *wheels, ib_MotorRowNotes *motors,
                  ib_Wires *w)
{
    const ib_TankModel *t = r->own;
    double command[2];
    ib__tank_commands(w->input, command);
    ib__sides_offer(&t->sides, IB_WHEEL_ROLLING, wheels, w);
    for (int i = 0; i < 2; i++) {
        w->duty[t->motors.bridge + i] = command[i] * (1 / IB_COMMAND_SCALE);
        w->turns[t->motors.bridge + i] = t->shafts[i].reduction * w->speed[t->sides.shaft + i];
    }
    w->power.E = r->feed.power.battery.open_circuit;
    w->power.other = compressor(&r->feed, w);
    solve_bus(r, &w->turns[t->motors.bridge], w);
    *motors = (ib_MotorRowNotes){0};
    for (int i = 0; i < 2; i++)
        motors->torque[i] =
            t->shafts[i].motor.Kt * w->power.bus.bridge[t->motors.bridge + i].current;
    push_body(t, motors->torque, wheels, w);
}

void ib__tank_published_solve(const void *robot, ib_Wires *w, char *notes)
{
    const ib_PartsModel *r = robot;
    solve(r, (void *)(notes + r->parts[IB__TANK_SIDES].notes),
          (void *)(notes + r->parts[IB__TANK_MOTORS].notes), w);
}

// (4.2e) is the rate of a row of motors under Euler's method; (4.1c) is the step that Euler makes
// of this.
static void rate_implicit(const ib_TankModel *t, const ib_Wires *w, double *dx)
{
    const ib_MotorRow *row = &t->motors;
    for (int i = 0; i < 2; i++) {
        double I = w->x[row->current + i];
        double speed = w->turns[row->bridge + i];
        double next =
            ib_motor_current_implicit(&t->shafts[i].motor, row->inductance, t->period,
                                      w->power.bus.bridge[row->bridge + i].volts, I, speed);
        dx[row->current + i] = (next - I) / t->period;
    }
}

void ib__tank_published_rate(const void *robot, const double *x, const double *input, double *dx,
                             double *guards)
{
    const ib_PartsModel *r = robot;
    const ib_TankModel *t = r->own;
    ib_SidesNotes wheels;
    ib_MotorRowNotes motors;
    ib_Wires w;
    ib__begin_wires(r, x, input, &w);
    solve(r, &wheels, &motors, &w);
    ib__accelerate_body(&r->body, &w.body);
    ib__clear_sums(r, dx);
    ib__rate_body(&r->body, x, &w.body, dx);
    dx[t->sides.tyre] += wheels.power;
    ib__motor_row_rate(&t->motors, &motors, &w, dx);
    if (t->current == IB_CURRENT_IMPLICIT) rate_implicit(t, &w, dx);
    ib_feed_rate(&r->feed, &w, dx);
    if (guards) ib_feed_guards(&r->feed, &w, guards);
}
