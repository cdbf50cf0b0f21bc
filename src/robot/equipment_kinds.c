// robot/equipment_kinds.c: the kinds for `mechanisms:`.
#include "robot/cylinder_rig/cylinder_rig.h"
#include "robot/equipment.h"

#include <stdio.h>
#include <string.h>

// Kinds beside the desk's mechanisms.
static const ib_MechanismKind *const others[] = {&ib_cylinder_mechanism, NULL};

const ib_MechanismKind *ib_equipment_kind_find(const char *name)
{
    const ib_MechanismKind *kind = ib_mechanism_kind_find(name);
    for (int i = 0; !kind && others[i]; i++)
        if (strcmp(others[i]->name, name) == 0) kind = others[i];
    return kind;
}

static const ib_Schema *choose(const char *name, void *item)
{
    ib_MechanismSpec *spec = item;
    const ib_MechanismKind *kind = ib_equipment_kind_find(name);
    if (!kind || kind->start.count == 0) return NULL;
    spec->kind = kind;
    return &kind->params;
}

static const ib_Schema *schema_of(const void *item)
{
    return &((const ib_MechanismSpec *)item)->kind->params;
}

// The names of kinds for robots, one after the other.
static const char *kind_name(int index)
{
    for (int i = 0; ib_mechanism_kinds[i]; i++)
        if (ib_mechanism_kinds[i]->start.count > 0 && index-- == 0)
            return ib_mechanism_kinds[i]->name;
    for (int i = 0; others[i]; i++)
        if (index-- == 0) return others[i]->name;
    return NULL;
}

// Keys of a motor and its gear mean that it has one.
static void note_given(void *item, const char *key)
{
    static const char *const motor[] = {
        "motor",         "motors",       "motors_per_side", "reduction", "efficiency",
        "voltage",       "loss",         "rotors",          "current",   "inductance",
        "current_limit", "supply_limit", "neutral",         "thermal",   NULL};
    ib_MechanismSpec *spec = item;
    if (strcmp(key, "gravity") == 0) spec->own_gravity = true;
    for (int i = 0; motor[i]; i++)
        if (strcmp(key, motor[i]) == 0)
            snprintf(spec->motor_key, sizeof spec->motor_key, "%s", key);
}

static const ib_KindedDef kinds = {"a kind of mechanism",
                                   choose,
                                   schema_of,
                                   kind_name,
                                   note_given,
                                   offsetof(ib_MechanismSpec, config)};

const ib_NamedDef ib_equipment_mechanisms = {
    .offset = offsetof(ib_MechanismSet, items) - offsetof(ib_MechanismSet, count),
    .size = sizeof(ib_MechanismSpec),
    .most = IB_MECHANISMS_MAX,
    .kinds = &kinds,
};
