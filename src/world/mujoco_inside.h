// world/mujoco_inside.h: declarations shared by the files that know MuJoCo's header. Internal
// to them.
#ifndef IB_WORLD_MUJOCO_INSIDE_H
#define IB_WORLD_MUJOCO_INSIDE_H

#include "world/mujoco.h"

#include <mujoco/mujoco.h>

struct ib_Mujoco {
    mjModel *model;
    ib_MujocoSizes sizes;
};

struct ib_MujocoWorkspace {
    mjModel model; ///< the shared one's struct, with a step and gravity of its own; its arrays stay
    mjData *data;
    const ib_Mujoco *of; ///< whose state is placed; NULL: none is; of a share: the whole's model
    double *placed;      ///< the state that is placed, under
    double gravity[3];   ///< this gravity
    // The friction of the velocities if set by the caller; else the shared model's.
    const ib_Mujoco *held;     ///< owner of these velocities; NULL: none
    double *damping, *loss;    ///< one for each velocity
    ib_MujocoWorkspace *whole; ///< of which it is a share; NULL: it is no share
    ib_MujocoShare share;      ///< zeros: it is no share
};

#endif
