#include "robot/equipment.h"

#include "base/maths.h"

#include <stdio.h>
#include <string.h>

// ------------------------------------------------------------------------------------------ masses

// Refuses a mistake in its start under `start:`, all others in its own map.
static ib_Status refuse(const ib_MechanismSpec *spec, ib_Status status, const ib_Error *part,
                        ib_Error *error)
{
    if (strncmp(part->text, "start.", 6) == 0)
        return ib_error_set(error, status, "start.%s.%.900s", spec->name, part->text + 6);
    return ib_error_set(error, status, "mechanisms.%s.%.900s", spec->name, part->text);
}

// Mass, and inertia about the base's origin with its centre at the place of the start: m (x^2
// + y^2)
static void carry(const ib_MechanismSpec *spec, const ib_Mechanism *mechanism,
                  ib_EquipmentConfig *equipment)
{
    const ib_MechanismPorts *ports = &mechanism->ports;
    const void *config = &spec->config;
    const ib_ActuatorConfig *act = &((const ib_MechanismConfig *)config)->act;
    double x[IB_STATES_MAX] = {0}, centre[3] = {0, 0, 0}, mass = ports->mass;
    for (int j = 0; j < ports->joints; j++)
        if (!ports->joint[j].unplaced) x[ports->joint[j].position] = act->position[j];
    if (spec->kind->centre) spec->kind->centre(&mechanism->model, x, centre);
    if (spec->kind->burden) mass = spec->kind->burden(config, centre);
    double px = act->place[0] + centre[0], py = act->place[1] + centre[1];
    equipment->carried += mass;
    equipment->carried_inertia += mass * (px * px + py * py);
}

// The battery and the scale of a mechanism's command are of two systems, such as 24 V and 12 V.
bool ib_equipment_doubt(const ib_EquipmentConfig *equipment, int index, char *text, size_t size)
{
    const double apart = 1.5; // a full battery of 12 V has up to 14.2 V
    const double battery = equipment->power.battery.open_circuit;
    for (int i = 0; i < equipment->mechanisms.count; i++) {
        const ib_MechanismSpec *spec = &equipment->mechanisms.items[i];
        const ib_MechanismConfig *config = (const void *)&spec->config;
        if (spec->kind->build || config->act.piston) continue;
        double full = ib_max(IB_COMMAND_SCALE, config->gear.voltage);
        if (battery <= apart * full && (full <= IB_COMMAND_SCALE || full <= apart * battery))
            continue;
        if (index-- > 0) continue;
        snprintf(text, size,
                 "mechanisms.%s: a command of %g V is all of the battery's %g V, so that a loop "
                 "designed in volts has %.3g times its gain; write voltage: %.3g V",
                 spec->name, full, battery, battery / full, battery);
        return true;
    }
    return false;
}

ib_Status ib_equipment_carry(ib_EquipmentConfig *equipment, ib_Error *error)
{
    equipment->carried = equipment->carried_inertia = 0;
    for (int i = 0; i < equipment->mechanisms.count; i++) {
        const ib_MechanismSpec *spec = &equipment->mechanisms.items[i];
        ib_Mechanism mechanism = {0};
        ib_Error part;
        bool other = spec->kind->build != NULL;
        ib_Status status =
            other ? spec->kind->check(&spec->config, &part) : ib_mechanism_spec_check(spec, &part);
        if (status == IB_OK && !other)
            status = ib_mechanism_init(spec->kind, &spec->config, &mechanism, &part);
        if (status != IB_OK) return refuse(spec, status, &part, error);
        carry(spec, &mechanism, equipment);
    }
    return IB_OK;
}

bool ib_equipment_feeds(const char *key)
{
    static const char *const supply[] = {"battery.", "background_current", "breaker.",
                                         "branch_breaker.", "brownout."};
    for (int i = 0; i < (int)(sizeof supply / sizeof *supply); i++)
        if (strncmp(key, supply[i], strlen(supply[i])) == 0) return true;
    return false;
}

const char *ib_equipment_supply_idle(const ib_EquipmentConfig *equipment, const char *key)
{
    const char *because = ib_air_idle(&equipment->air, key);
    return because ? because : ib_power_idle(&equipment->power, key);
}

const char *ib_equipment_idle(const void *config, const char *key)
{
    const ib_EquipmentConfig *equipment = config;
    bool alone = equipment->mechanisms.count == 0 && !equipment->air.on;
    if (alone && ib_equipment_feeds(key)) return "mechanisms";
    return ib_equipment_supply_idle(equipment, key);
}
