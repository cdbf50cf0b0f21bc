// robot/swerve_drive.c: all modules of a swerve base together: the stick that drives and turns
// them, its effect for routines and paths, and the turns of the rims by the base's motion.
// docs/robot/swerve.md, "The stick"
//
//   symbol    meaning                                                           unit
//   f, l, t   the stick: forward, to the left, turn to the left                 1
//   m_i       command of module i, robot frame, a share of full speed      1
//   R         of the module farthest from the middle                            m
//   s_i       angle of module i                                                 rad
//   e_i       from where its wheel rolls to m_i, the shorter way                rad
#include "robot/swerve.h"

#include "base/extreme.h"
#include "base/maths.h"
#include "robot/axes.h"

#include <math.h>

static const char *const angles[IB_SWERVE_MODULES] = {"module.1.angle", "module.2.angle",
                                                      "module.3.angle", "module.4.angle"};

#define FAINT 0.02 ///< a share of full speed below which a module turns the more slowly

static double reach_of(const double place[2])
{
    return sqrt(place[0] * place[0] + place[1] * place[1]);
}

// ------------------------------------------------------------------------------------------- stick

// The controller of each module turns it by a voltage in proportion to e, which its motor's lag
// makes an oscillator:  q' = (D/J)(k e - q),  damped by 0.71 for k = D/2J:
//   D = N G^2 (Kt Ke/R + b) + c,   volts = e D k/(N G Kt/R)
void ib__swerve_init_drive(ib_SwerveModel *h)
{
    const ib_MotorShaft *s = &h->steer_shaft[0];
    const ib_MotorModel *m = &s->motor;
    double G = s->reduction, D = G * G * (m->Kt * m->Ke * m->per_R + m->viscous);
    D += h->modules.friction;
    double k = 0.5 * D * h->modules.per_whole;
    h->servo = D * k / (G * m->Kt * m->per_R) / IB_COMMAND_SCALE;
    for (int i = 0; i < IB_SWERVE_MODULES; i++) h->reach = ib_max(h->reach, reach_of(h->place[i]));
}

// m_i = (f - t y_i/R, l + t x_i/R), all divided by max(1, max |m_i|), as
// control/driving/mixing.h does;
//   drive = m_i along the wheel,   steer = servo e_i,   e_i within -90 .. 90 degrees:
// a wheel in the opposite direction rolls backwards. At rest modules stay as they are.
void ib__swerve_drive(const ib_SwerveModel *h, ib_Wires *w)
{
    ib_Stick stick = ib_axes_stick(w->input + h->stick);
    double asked[IB_SWERVE_MODULES][2], most = 1;
    if (stick.x == 0 && stick.y == 0 && stick.turn == 0) return;
    for (int i = 0; i < IB_SWERVE_MODULES; i++) {
        asked[i][0] = stick.y + stick.turn * h->place[i][1] / h->reach;
        asked[i][1] = -stick.x - stick.turn * h->place[i][0] / h->reach;
        most = ib_max(most, sqrt(asked[i][0] * asked[i][0] + asked[i][1] * asked[i][1]));
    }
    for (int i = 0; i < IB_SWERVE_MODULES; i++) {
        double s, c, x = asked[i][0] / most, y = asked[i][1] / most;
        ib_sincos(w->x[h->modules.angle[i]], &s, &c);
        double along = c * x + s * y, aside = c * y - s * x, size = sqrt(x * x + y * y);
        double error = ib_atan2(along < 0 ? -aside : aside, fabs(along));
        double *drive = &w->duty[h->drive.bridge + i], *steer = &w->duty[h->steer.bridge + i];
        *drive = ib_max(-1, ib_min(1, *drive + along));
        *steer = ib_max(-1, ib_min(1, *steer + h->servo * error * ib_min(1, size / FAINT)));
    }
}

// -------------------------------------------------------------------------------------- locomotion

// Computed as for a base whose wheels point along the motion: in a turn, across the line to
// the middle.
ib_Status ib__swerve_locomotion(const void *robot, const double *state, double gravity,
                                ib_Locomotion *base, ib_Error *error)
{
    const ib_SwerveModel *h = ib_parts_own(robot);
    const ib_Body *body = &((const ib_PartsModel *)robot)->body;
    double turn[IB_SWERVE_MODULES][IB_AXES];
    for (int i = 0; i < IB_SWERVE_MODULES; i++) {
        double per = 1 / h->rims.radius[i];
        turn[i][0] = turn[i][1] = per;
        turn[i][2] = per * reach_of(h->place[i]);
    }
    const ib_AxesConfig axes = {.shaft = h->drive_shaft,
                                .count = IB_SWERVE_MODULES,
                                .turn = (const double(*)[IB_AXES])turn,
                                .spin = h->rims.spin,
                                .mass = body->mass,
                                .inertia = body->inertia + h->modules.count * h->modules.inertia,
                                .coasts = h->drive.coasts};
    (void)gravity;
    return ib_axes_init(&axes, robot, state, base, error);
}

// Two rows for each module, of a rim that points ahead and of one that points to the left.
const ib_ControlRims *ib__swerve_rims(const ib_SwerveModel *h, const ib_SignalDef *signals,
                                      ib_Arena *arena)
{
    enum { COUNT = IB_SWERVE_MODULES };
    ib_ControlRims *rims = ib_arena_alloc(arena, sizeof *rims);
    ib_WheelRow *rows = ib_arena_array(arena, 2 * COUNT, sizeof *rows);
    ib_RimSignal *shown = ib_arena_array(arena, 2 * COUNT, sizeof *shown);
    if (!rims || !rows || !shown) return NULL;
    for (int i = 0; i < COUNT; i++) {
        double r = h->rims.radius[i], G = h->drive_shaft[i].reduction;
        rows[2 * i] = (ib_WheelRow){1, 0, -h->place[i][1]};
        rows[2 * i + 1] = (ib_WheelRow){0, 1, h->place[i][0]};
        shown[i] = (ib_RimSignal){signals[h->rims.signal[i] + IB_WHEEL_SPEED].name, i, r};
        shown[COUNT + i] =
            (ib_RimSignal){signals[h->drive.signal[i] + IB_MOTOR_SPEED].name, i, r / G};
    }
    *rims = (ib_ControlRims){.count = COUNT,
                             .rows = rows,
                             .angles = angles,
                             .signal_count = 2 * COUNT,
                             .signals = shown};
    return rims;
}
