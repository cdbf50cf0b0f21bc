// robot/loose.h: a loose body in the world of robots on legs: a box, a puck or a ball that MuJoCo
// moves. On a floor without legs these are planar (robot/passive.h). docs/robot/passive.md
#ifndef IB_ROBOT_LOOSE_H
#define IB_ROBOT_LOOSE_H

#include "base/geometry.h"
#include "robot/planar.h"
#include "robot/rigid/rigid.h"

typedef enum ib_LooseForm { IB_LOOSE_BOX, IB_LOOSE_PUCK, IB_LOOSE_BALL } ib_LooseForm;

// As of its kind's config.
typedef struct ib_Loose {
    ib_LooseForm form;
    double mass;              ///< [kg], > 0
    double size[3];           ///< length, width, height; a round one: twice its diameter, too [m]
    double inertia[3];        ///< about its middle and its own axes [kg m^2], > 0
    double mu;                ///< friction, of two that touch the greater; >= 0
    double rolling, spinning; ///< of a ball: resistance over weight, and over weight and radius
    ib_PlanarConfig start;
    bool rolls; ///< it begins without slip
} ib_Loose;

typedef struct ib_LooseModel {
    ib_Rigid rigid;
    ib_Loose is;
} ib_LooseModel;

// An even box, puck or ball of this size has this inertia.
void ib_loose_spread(ib_Loose *loose);

// `solids` are its look, on the frame "body", above the floor that it stands on.
enum { IB_LOOSE_SOLIDS = 4 }; ///< at most
ib_Status ib_loose_build(const ib_Loose *loose, const ib_SolidDef *solids, int count,
                         ib_Build *build, ib_LooseModel *model, ib_Error *error);

// The key itself if it has no effect on a loose body there (ib_Schema.idle).
const char *ib_loose_idle(const void *config, const char *key);

// Refuses equipment, which a loose body does not carry there.
ib_Status ib_loose_check(const ib_EquipmentConfig *equipment, ib_Error *error);

// Entries of its kind's table.
#define IB_LOOSE_ENTRIES                                                                           \
    .params.idle = ib_loose_idle, .integrator = &ib_rigid_integrator, .shares = true,              \
    .mjcf = ib_rigid_mjcf

#endif
