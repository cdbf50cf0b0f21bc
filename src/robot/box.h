// robot/box.h: a box on the floor, to be pushed: no drive, floor friction, an energy book.
// The derivation is in docs/box.md.
//
//   symbol       meaning                                      unit
//   x, y, th     centre and heading, field frame              m, m, rad
//   vx, vy, w    velocity and yaw rate, field frame           m/s, m/s, rad/s
//   m, I         mass, inertia about the centre               kg, kg m^2
//   mu, vs       friction with the floor, speed below which   1, m/s
//                it fades
#ifndef IB_ROBOT_BOX_H
#define IB_ROBOT_BOX_H

#include "base/formula.h"
#include "base/maths.h"
#include "robot/outfit.h"
#include "robot/planar.h"

#include <math.h>

typedef struct ib_BoxConfig {
    ib_OutfitConfig outfit;
    double mass;            ///< [kg], > 0
    double length, width;   ///< [m], > 0
    double mu;              ///< friction with the floor, >= 0
    double slip_speed;      ///< friction is full well above this speed [m/s], > 0
    ib_BumperConfig bumper; ///< its sides
    ib_PlanarConfig planar;
} ib_BoxConfig;

typedef struct ib_BoxModel {
    ib_PlanarModel planar;
    double mass, inertia;  ///< [kg, kg m^2]
    double mu, per_slip;   ///< 1/vs [s/m]
    double foot_x, foot_y; ///< the four points it stands on are (+-foot_x, +-foot_y) [m]
    double fastest;        ///< its friction's rate of decay [1/s] at 1 m/s^2 of gravity
} ib_BoxModel;

enum {
    IB_BOX_E_FLOOR = IB_PLANAR_STATES, ///< energy lost to the floor [J]
    IB_BOX_E_COLLISION,                ///< energy given away in contacts [J]
    IB_BOX_E_PUSH,                     ///< energy given by pushes and slopes [J]
    IB_BOX_STATES,
};

// What the floor does to the box.
typedef struct ib_BoxFloor {
    double fx, fy, torque; ///< on the box, field frame, about its centre [N, N, N m]
    double power;          ///< lost [W], >= 0
} ib_BoxFloor;

// Friction of the four feet, each with a quarter of the weight:
//   F = -mu m g/4  v/|v| tanh(|v|/vs)
// The feet stand at the box's radius of gyration, (l, w)/sqrt(12): a uniform box has there what it
// has everywhere on the average.
// Limits: sliding fast without turning -> mu m g against the motion;
// at rest -> 0 (below vs it creeps).
IB_FORMULA ib_BoxFloor ib_box_floor(const ib_BoxModel *box, const double *state, double gravity)
{
    ib_BoxFloor floor = {0, 0, 0, 0};
    double s, c, quarter = 0.25 * box->mu * box->mass * gravity, w = state[IB_PLANAR_W];
    ib_sincos(state[IB_PLANAR_TH], &s, &c);
    for (int i = 0; i < 4; i++) {
        double px = i & 1 ? box->foot_x : -box->foot_x, py = i & 2 ? box->foot_y : -box->foot_y;
        double rx = c * px - s * py, ry = s * px + c * py;
        double vx = state[IB_PLANAR_VX] - w * ry, vy = state[IB_PLANAR_VY] + w * rx;
        double speed = sqrt(vx * vx + vy * vy);
        double force =
            speed > 0 ? quarter * ib_tanh(speed * box->per_slip) / speed : quarter * box->per_slip;
        floor.fx -= force * vx;
        floor.fy -= force * vy;
        floor.torque -= force * (rx * vy - ry * vx);
        floor.power += force * speed * speed;
    }
    return floor;
}

extern const ib_RobotKind ib_box_kind;

void ib_box_init(const ib_BoxConfig *config, ib_BoxModel *model);

#endif
