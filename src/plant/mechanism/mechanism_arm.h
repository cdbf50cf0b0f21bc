// plant/mechanism/mechanism_arm.h: a mechanism of `kind: arm` as planners know it.
#ifndef IB_PLANT_MECHANISM_ARM_H
#define IB_PLANT_MECHANISM_ARM_H

#include "plant/mechanism/mechanism.h"
#include "plant/two_link.h"

typedef struct ib_ArmParts {
    ib_TwoLink link;    ///< with its load, rotors included
    double friction[2]; ///< of the joints [N m s]
} ib_ArmParts;

// False: another kind.
bool ib_mechanism_arm(const ib_Mechanism *mechanism, ib_ArmParts *parts);

#endif
