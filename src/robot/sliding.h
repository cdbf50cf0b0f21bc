// robot/sliding.h: a body that slides on the floor on four feet: what box and disc share.
// The derivation is in docs/box.md.
//
//   symbol       meaning                                      unit
//   m, I         mass, inertia about the centre               kg, kg m^2
//   mu, vs       friction with the floor, speed below which   1, m/s
//                it fades
#ifndef IB_ROBOT_SLIDING_H
#define IB_ROBOT_SLIDING_H

#include "base/formula.h"
#include "base/maths.h"
#include "robot/outfit.h"
#include "robot/passive.h"

#include <math.h>

// What a kind works out from its config.
typedef struct ib_SlidingConfig {
    double mass, inertia;  ///< of the body alone [kg, kg m^2], > 0
    double foot_x, foot_y; ///< the four points it stands on are (+-foot_x, +-foot_y) [m]
    double mu;             ///< friction with the floor, >= 0
    double slip_speed;     ///< friction is full well above this speed [m/s], > 0
} ib_SlidingConfig;

typedef struct ib_SlidingModel {
    ib_Passive body;
    double mass, inertia;  ///< with what it carries [kg, kg m^2]
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

// Friction of the four feet, each with a quarter of the weight:
//   F = -mu m g/4  v/|v| tanh(|v|/vs)
// Limits: sliding fast without turning -> mu m g against the motion; turning fast on the spot ->
// mu m g times the distance of the feet; at rest -> 0 (below vs it creeps).
IB_FORMULA ib_FloorForce ib_sliding_floor(const ib_SlidingModel *model, const ib_FloorMotion *m)
{
    ib_FloorForce floor = {0, 0, 0, 0};
    double quarter = 0.25 * model->mu * m->weight;
    if (quarter == 0) return floor;
    for (int i = 0; i < 4; i++) {
        double px = i & 1 ? model->foot_x : -model->foot_x;
        double py = i & 2 ? model->foot_y : -model->foot_y;
        double rx = m->c * px - m->s * py, ry = m->s * px + m->c * py;
        double vx = m->vx - m->w * ry, vy = m->vy + m->w * rx;
        double speed = sqrt(vx * vx + vy * vy);
        double force = speed > 0 ? quarter * ib_tanh(speed * model->per_slip) / speed
                                 : quarter * model->per_slip;
        floor.fx -= force * vx;
        floor.fy -= force * vy;
        floor.torque -= force * (rx * vy - ry * vx);
        floor.power += force * speed * speed;
    }
    return floor;
}

// Mass, inertia and feet, with what stands on it.
void ib_sliding_init(const ib_SlidingConfig *config, const ib_OutfitConfig *outfit,
                     ib_SlidingModel *model);

// A body with this outline [m], on its feet; the kind adds its look.
void ib_sliding_build(ib_SlidingModel *model, size_t start, double length, double width,
                      const ib_BumperConfig *bumper, ib_Build *build);

#define IB_SLIDING_ENTRIES                                                                         \
    .params.idle = ib_outfit_idle, .signals = &ib_passive_signals, .outfits = true

#endif
