// plant/mechanism/mechanism_kinds.c: the list of all kinds of mechanisms.
#include "plant/mechanism/mechanism.h"

#include <string.h>

// A kind has a line in each of the two lists.
extern const ib_MechanismKind ib_drivetrain_mechanism;
extern const ib_MechanismKind ib_elevator_mechanism;
extern const ib_MechanismKind ib_flywheel_mechanism;
extern const ib_MechanismKind ib_single_arm_mechanism;
extern const ib_MechanismKind ib_arm_mechanism;
extern const ib_MechanismKind ib_turret_mechanism;
extern const ib_MechanismKind ib_lift_mechanism;
extern const ib_MechanismKind ib_two_mass_mechanism;
extern const ib_MechanismKind ib_shooter_mechanism;
extern const ib_MechanismKind ib_roller_mechanism;

// clang-format off
const ib_MechanismKind *const ib_mechanism_kinds[] = {
    &ib_drivetrain_mechanism,
    &ib_elevator_mechanism,
    &ib_flywheel_mechanism,
    &ib_single_arm_mechanism,
    &ib_arm_mechanism,
    &ib_turret_mechanism,
    &ib_lift_mechanism,
    &ib_two_mass_mechanism,
    &ib_shooter_mechanism,
    &ib_roller_mechanism,
    NULL,
};
// clang-format on

const ib_MechanismKind *ib_mechanism_kind_find(const char *name)
{
    for (int i = 0; ib_mechanism_kinds[i]; i++)
        if (strcmp(ib_mechanism_kinds[i]->name, name) == 0) return ib_mechanism_kinds[i];
    return NULL;
}
