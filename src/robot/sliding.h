// robot/sliding.h: a body that slides on the floor on four feet: the common part of box and disc.
// The derivation is in docs/robot/passive.md.
//
//   symbol       meaning                                      unit
//   m, I         mass, inertia about the centre               kg, kg m^2
//   mu, vs       friction with the floor, speed below which   1, m/s
//                it fades
#ifndef IB_ROBOT_SLIDING_H
#define IB_ROBOT_SLIDING_H

#include "base/formula.h"
#include "base/maths.h"
#include "robot/equipment.h"
#include "robot/passive.h"

#include <math.h>

// The values that a kind derives from its config.
typedef struct ib_SlidingConfig {
    double mass, inertia;  ///< of the body alone [kg, kg m^2], > 0
    double foot_x, foot_y; ///< the four points it stands on are (+-foot_x, +-foot_y) [m]
    double mu;             ///< friction with the floor, >= 0
    double slip_speed;     ///< friction is full well above this speed [m/s], > 0
} ib_SlidingConfig;

typedef struct ib_SlidingModel {
    ib_Passive body;
    double mass, inertia;  ///< with its load [kg, kg m^2]
    double mu, per_slip;   ///< 1/vs [s/m]
    double foot_x, foot_y; ///< [m]
    ib_FootDef feet[4];    ///< each with a quarter of the weight
    double fastest;        ///< its friction's rate of decay [1/s] at 1 m/s^2 of gravity
} ib_SlidingModel;

// The rows of floor, sides and mechanisms, for a config struct with these fields; the rows of mass
// and size stand before them.
#define IB_SLIDING_ROWS(config, what)                                                              \
    IB_PARAM_ROW("mu", IB_PARAM_NUMBER, "1", "0.5", 0, 10, NULL, config, mu, true,                 \
                 "friction coefficient with the floor"),                                           \
        IB_PARAM_ROW("slip_speed", IB_PARAM_NUMBER, "m/s", "0.02 m/s", 1e-4, 10, NULL, config,     \
                     slip_speed, false,                                                            \
                     "speed around which the friction fades; below it the " what " creeps"),       \
        IB_BUMPER_ROWS(config, "its sides", false), IB_OUTFIT_ROWS(config)

// A foot: from the middle, and over the floor, field frame.
typedef struct ib_Foot {
    double rx, ry, vx, vy, speed;
} ib_Foot;

IB_FORMULA ib_Foot ib_sliding_foot(const ib_SlidingModel *model, const ib_FloorMotion *m, int i)
{
    double px = i & 1 ? model->foot_x : -model->foot_x;
    double py = i & 2 ? model->foot_y : -model->foot_y;
    ib_Foot foot = {m->c * px - m->s * py, m->s * px + m->c * py, 0, 0, 0};
    foot.vx = m->vx - m->w * foot.ry;
    foot.vy = m->vy + m->w * foot.rx;
    foot.speed = sqrt(foot.vx * foot.vx + foot.vy * foot.vy);
    return foot;
}

// Friction of a foot that bears N:
//   F = -mu N v/|v| tanh(|v|/vs)
// Limits: sliding fast without turning -> mu m g against the motion; turning fast on the spot ->
// mu m g times the distance of the feet; at rest -> 0 (below vs it creeps). Returns -F over v.
IB_FORMULA double ib_sliding_hold(const ib_SlidingModel *model, const ib_Foot *foot, double N)
{
    double most = model->mu * N;
    return foot->speed > 0 ? most * ib_tanh(foot->speed * model->per_slip) / foot->speed
                           : most * model->per_slip;
}

// Floor force on all four feet, with their loads.
IB_FORMULA ib_FloorForce ib_sliding_floor(const ib_SlidingModel *model, const ib_FloorMotion *m,
                                          const double load[4])
{
    ib_FloorForce floor = {0, 0, 0, 0};
    if (model->mu * m->weight == 0) return floor;
    for (int i = 0; i < 4; i++) {
        ib_Foot foot = ib_sliding_foot(model, m, i);
        double force = ib_sliding_hold(model, &foot, load[i]);
        floor.fx -= force * foot.vx;
        floor.fy -= force * foot.vy;
        floor.torque -= force * (foot.rx * foot.vy - foot.ry * foot.vx);
        floor.power += force * foot.speed * foot.speed;
    }
    return floor;
}

// Mass, inertia and feet, with the equipment.
void ib_sliding_init(const ib_SlidingConfig *config, const ib_EquipmentConfig *equipment,
                     ib_SlidingModel *model);

// A body with this outline [m], on its feet; the kind adds its geometry.
void ib_sliding_build(ib_SlidingModel *model, size_t start, double length, double width,
                      const ib_BumperConfig *bumper, ib_Build *build);

#define IB_SLIDING_ENTRIES                                                                         \
    .params.idle = ib_equipment_idle, .signals = &ib_passive_signals, .carries_equipment = true

#endif
