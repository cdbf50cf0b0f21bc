// control/leg/leg_wiring.h: the measurements of legs by name: sensors of the file's lists, or the
// robot's own signals, sampled ideally. docs/control/legs.md
#ifndef IB_CONTROL_LEG_WIRING_H
#define IB_CONTROL_LEG_WIRING_H

#include "control/site.h"

// Refuses names in a list that are no sensors of a joint's angle or stroke, or of its pressures.
ib_Status ib_leg_wiring_check(const ib_ControlSite *site, const char *key, const ib_Words *given,
                              bool pressures, ib_Error *error);

// The measurement of a joint's angle or stroke. `stroke`: what is wanted without sensors; then
// whether it is one.
ib_Status ib_leg_wiring_angle(const ib_ControlSite *site, const ib_Words *given,
                              const ib_LegJoint *joint, bool *stroke, const char **name,
                              ib_Error *error);

// The measurements of both pressures of its cylinder.
ib_Status ib_leg_wiring_pressures(const ib_ControlSite *site, const ib_Words *given,
                                  const ib_LegJoint *joint, const char **names, ib_Error *error);

// A sensor or a signal of the robot that a list names under a key, with its unit; an empty list
// names `ideal`.
ib_Status ib_leg_wiring_named(const ib_ControlSite *site, const char *key, const ib_Words *given,
                              int index, const char *ideal, ib_ControlPin *pin, ib_Error *error);

#endif
