#include "control/leg/leg_wiring.h"

#include <stdio.h>
#include <string.h>

// The sensor of a list that measures this signal; NULL: none does.
static const ib_ControlPin *measuring(const ib_ControlSite *site, const ib_Words *given,
                                      const char *signal)
{
    ib_ControlPin pin;
    ib_Error error;
    for (int i = 0; signal && i < given->count; i++) {
        if (ib_site_sensor(site, "", given->items[i], &pin, &error) != IB_OK) continue;
        for (int k = 0; k < site->sensor_count; k++)
            if (site->sensors[k].name == pin.name && strcmp(pin.signal, signal) == 0)
                return &site->sensors[k];
    }
    return NULL;
}

// Every name of a list is a sensor, and of something that a joint has.
ib_Status ib_leg_wiring_check(const ib_ControlSite *site, const char *key, const ib_Words *given,
                              bool pressures, ib_Error *error)
{
    for (int i = 0; i < given->count; i++) {
        char place[48];
        ib_ControlPin pin;
        bool known = false;
        snprintf(place, sizeof place, given->count > 1 ? "%s.%d" : "%s", key, i);
        ib_Status status = ib_site_sensor(site, place, given->items[i], &pin, error);
        if (status != IB_OK) return status;
        for (int k = 0; k < IB_LEG_JOINTS * site->legs->count; k++) {
            const ib_LegJoint *joint = &site->legs->joints[k];
            const char *names[2] = {pressures ? joint->pressures[0] : joint->angle,
                                    pressures ? joint->pressures[1] : joint->stroke};
            for (int n = 0; n < 2; n++) known |= names[n] && strcmp(names[n], pin.signal) == 0;
        }
        if (!known)
            return ib_error_set(error, IB_BAD_INPUT, "%s: '%s' measures %s: expected %s of a joint",
                                place, given->items[i], pin.signal,
                                pressures ? "a pressure" : "the angle or the stroke");
    }
    return IB_OK;
}

ib_Status ib_leg_wiring_angle(const ib_ControlSite *site, const ib_Words *given,
                              const ib_LegJoint *joint, bool *stroke, const char **name,
                              ib_Error *error)
{
    if (given->count == 0) {
        *stroke = *stroke && joint->stroke;
        *name = *stroke ? joint->stroke : joint->angle;
        return IB_OK;
    }
    const ib_ControlPin *angle = measuring(site, given, joint->angle);
    const ib_ControlPin *rod = angle ? NULL : measuring(site, given, joint->stroke);
    if (!angle && !rod)
        return ib_error_set(error, IB_BAD_INPUT,
                            "sensors: none of them measures %s%s%s: expected one for every joint, "
                            "or no sensors at all",
                            joint->angle, joint->stroke ? " or " : "",
                            joint->stroke ? joint->stroke : "");
    *stroke = rod != NULL;
    *name = rod ? rod->name : angle->name;
    return IB_OK;
}

ib_Status ib_leg_wiring_pressures(const ib_ControlSite *site, const ib_Words *given,
                                  const ib_LegJoint *joint, const char **names, ib_Error *error)
{
    for (int i = 0; i < 2; i++) {
        const ib_ControlPin *pin = measuring(site, given, joint->pressures[i]);
        if (given->count > 0 && !pin)
            return ib_error_set(error, IB_BAD_INPUT,
                                "pressures: none of them measures %s: expected two for every "
                                "joint, or none at all",
                                joint->pressures[i]);
        names[i] = pin ? pin->name : joint->pressures[i];
    }
    return IB_OK;
}

ib_Status ib_leg_wiring_named(const ib_ControlSite *site, const char *key, const ib_Words *given,
                              int index, const char *ideal, ib_ControlPin *pin, ib_Error *error)
{
    const char *wanted = given->count > 0 ? given->items[index] : ideal;
    for (int i = 0; i < site->signal_count; i++) {
        const ib_SignalDef *signal = &site->signals[i];
        if (strcmp(signal->name, wanted) != 0) continue;
        *pin = (ib_ControlPin){.name = signal->name, .unit = signal->unit};
        return IB_OK;
    }
    return ib_site_sensor(site, key, wanted, pin, error);
}
