// desk/plan/plan_arm.c: `arm:`, the mechanism of a plan, and its `limits:`.
//   arm: {preset: frc971-2018, load: 2 kg}
//   arm: {robot: ../robots/lifter.yaml, mechanism: arm}
#include "base/extreme.h"
#include "base/quote.h"
#include "desk/design/design_inside.h"
#include "desk/plan/plan_inside.h"
#include "plant/mechanism/mechanism_arm.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// --------------------------------------------------------------------------------------- mechanism

// Takes motors, gear, stops and friction of one joint. A limit of one motor's current becomes one
// of the plan.
static void take_joint(ib_PlanFile *file, const ib_MechanismSpec *spec, int i)
{
    const void *config = &spec->config, *other = (const char *)config + spec->kind->second_gear;
    const ib_GearmotorConfig *gear = i ? other : config;
    const ib_ActuatorConfig *act = &((const ib_MechanismConfig *)config)->act;
    file->plan.plant.reduction[i] = gear->reduction;
    file->plan.limits.current[i] = gear->count * act->shaft[i].current_limit;
    file->plan.scene.low[i] =
        isfinite(act->joint[i].travel[0]) ? act->joint[i].travel[0] : -INFINITY;
    file->plan.scene.high[i] =
        isfinite(act->joint[i].travel[1]) ? act->joint[i].travel[1] : INFINITY;
}

// Takes the planner's model of the arm, and its stops.
static bool take_mechanism(ib__PlanReader *plan, const ib_Node *node, const ib_MechanismSpec *spec)
{
    ib_PlanFile *file = plan->plan;
    ib_Mechanism mechanism;
    ib_ArmParts parts;
    ib_Error error;
    if (ib_mechanism_init(spec->kind, &spec->config, &mechanism, &error) != IB_OK) {
        ib__refuse_mechanism(plan->reader, node, error.text);
        return false;
    }
    if (!ib_mechanism_arm(&mechanism, &parts)) {
        ib_wrong_value(plan->reader, node,
                       "is of kind '%s': expected an arm of two links, kind arm", spec->kind->name);
        return false;
    }
    file->plan.plant.link = parts.link;
    file->plan.plant.gravity = mechanism.ports.gravity;
    file->plan.scene = ib_arm_scene_default(&parts.link);
    for (int i = 0; i < 2; i++) {
        file->plan.plant.gear[i] = mechanism.ports.gear[i];
        file->plan.plant.gear[i].drag += parts.friction[i];
        take_joint(file, spec, i);
    }
    return true;
}

// {preset: frc971-2018, …}: the keys of the mechanism itself.
static bool read_own(ib__PlanReader *plan, const ib_Node *map)
{
    static const char *const others[] = {"kind", NULL};
    ib_Reader *reader = plan->reader;
    const ib_Node *kind = ib_node_get(map, "kind"), *preset = ib_node_get(map, "preset");
    ib_MechanismSpec spec = {.kind = ib_mechanism_kind_find("arm"), .own_gravity = true};
    IB_ASSERT(spec.kind);
    if (kind && ib_read_text(reader, kind, "arm") && strcmp(kind->text, "arm") != 0) {
        ib_wrong_value(reader, kind, "expected arm, an arm of two links, got '%s'",
                       ib_quote(kind->text).text);
        return false;
    }
    bool named = preset && preset->type == IB_NODE_SCALAR && preset->text[0];
    plan->plan->arm = named ? ib_arena_text(reader->arena, preset->text) : "an arm of two links";
    int before = ib_diagnostics_seen(reader->diagnostics);
    ib_read_schema(reader, map, &spec.kind->params, others, &spec.config);
    // With stand-ins for wrong values a further message would only confuse.
    return ib_diagnostics_seen(reader->diagnostics) == before && take_mechanism(plan, map, &spec);
}

// {robot: FILE, mechanism: NAME}: a robot's arm.
static bool read_robots(ib__PlanReader *plan, const ib_Node *map)
{
    static const char *const keys[] = {"robot", "mechanism", NULL};
    ib_Reader *reader = plan->reader;
    const ib_Node *name = ib_node_get(map, "mechanism"), *robot = ib_node_get(map, "robot");
    ib_check_keys(reader, map, keys);
    if (!name) {
        ib_wrong_gap(reader, map, "'mechanism' is missing: expected the name of the robot's arm");
        return false;
    }
    ib_Scenario *home = ib__read_design_home(reader, robot);
    const ib_MechanismSpec *spec =
        home ? ib__find_mechanism(reader, name, &home->sim.robots[0]) : NULL;
    bool good = spec && take_mechanism(plan, name, spec);
    ib_scenario_destroy(home);
    plan->plan->arm =
        good ? ib_arena_format(reader->arena, "%s of %s", name->text, robot->text) : NULL;
    return plan->plan->arm != NULL;
}

bool ib__plan_arm(ib__PlanReader *plan)
{
    static const char expected[] = "a map of an arm, such as {preset: frc971-2018}, or with robot "
                                   "and mechanism";
    ib_Reader *reader = plan->reader;
    const ib_Node *node = ib_node_get(plan->root, "arm");
    if (!node) {
        ib_diagnostics_add(reader->diagnostics, (ib_Place){reader->file, 1, 1},
                           "'arm' is missing: expected %s", expected);
        return false;
    }
    if (!ib_check_map(reader, node, expected)) return false;
    return ib_node_get(node, "robot") ? read_robots(plan, node) : read_own(plan, node);
}

// ------------------------------------------------------------------------------------------ limits

// battery: {voltage: 12.6 V, resistance: 20 mohm}
static void read_battery(ib_Reader *reader, const ib_Node *node, ib_ArmLimits *limits)
{
    static const char *const keys[] = {"voltage", "resistance", NULL};
    if (!ib_check_map(reader, node, "a map such as {voltage: 12.6 V, resistance: 20 mohm}")) return;
    const ib_Node *voltage = ib_node_get(node, "voltage");
    const ib_Node *resistance = ib_node_get(node, "resistance");
    ib_check_keys(reader, node, keys);
    if (voltage)
        ib__plan_number(reader, voltage, "V", 1e-3, 1e4, &limits->battery);
    else
        ib_wrong_gap(reader, node, "'voltage' is missing: expected one such as 12.6 V");
    if (resistance)
        ib__plan_number(reader, resistance, "ohm", 0, 1e3, &limits->resistance);
    else
        ib_wrong_gap(reader, node, "'resistance' is missing: expected one such as 20 mohm");
}

// travel1: [-1 rad, 2 rad], within the stops of the arm itself.
static void read_travel(ib_Reader *reader, const ib_Node *node, double *low, double *high)
{
    double from, to;
    if (!ib_read_pair(reader, node, "rad", "[-1 rad, 2 rad]", &from, &to)) return;
    if (!(from < to)) {
        ib_wrong_value(reader, node, "expected the lower end first, got %.6g rad, %.6g rad", from,
                       to);
        return;
    }
    if (from < *low || to > *high) {
        ib_wrong_value(reader, node, "goes beyond the stops of the arm, %.6g rad and %.6g rad",
                       *low, *high);
        return;
    }
    *low = from;
    *high = to;
}

void ib__plan_limits(ib__PlanReader *plan)
{
    static const char *const keys[] = {"voltage", "acceleration", "current", "speed", "battery",
                                       "travel1", "travel2",      "elbow",   NULL};
    ib_Reader *reader = plan->reader;
    ib_ArmLimits *limits = &plan->plan->plan.limits;
    ib_ArmScene *scene = &plan->plan->plan.scene;
    const ib_Node *map = ib_node_get(plan->root, "limits");
    for (int i = 0; i < 2; i++) {
        limits->acceleration[i] = limits->speed[i] = INFINITY;
        if (!plan->arm) limits->current[i] = INFINITY;
        limits->volts[i] = plan->plan->plan.plant.gear[i].voltage;
    }
    const struct {
        const char *key, *unit, *example;
        double low, high;
        double *values;
    } rows[] = {
        {"voltage", "V", "[12 V, 10 V]", 1e-3, 1e4, limits->volts},
        {"acceleration", "rad/s^2", "[40 rad/s^2, 60 rad/s^2]", 1e-3, 1e6, limits->acceleration},
        {"current", "A", "[80 A, 40 A]", 1e-3, 1e5, limits->current},
        {"speed", "rad/s", "[4 rad/s, 6 rad/s]", 1e-3, 1e4, limits->speed},
    };
    if (map && ib_check_map(reader, map, "a map with keys such as voltage and acceleration")) {
        const ib_Node *battery = ib_node_get(map, "battery");
        const ib_Node *elbow = ib_node_get(map, "elbow");
        ib_check_keys(reader, map, keys);
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            const ib_Node *node = ib_node_get(map, rows[i].key);
            if (node)
                ib__plan_both(reader, node, rows[i].unit, rows[i].low, rows[i].high,
                              rows[i].example, rows[i].values);
        }
        for (int i = 0; i < 2; i++) {
            const ib_Node *travel = ib_node_get(map, i ? "travel2" : "travel1");
            if (travel) read_travel(reader, travel, &scene->low[i], &scene->high[i]);
        }
        if (elbow) read_travel(reader, elbow, &scene->elbow_low, &scene->elbow_high);
        if (battery) read_battery(reader, battery, limits);
    }
    if (!(limits->battery > 0)) limits->battery = ib_max(limits->volts[0], limits->volts[1]);
}
