// scenario/plugin_world.c: numbers of a robot by name, for plug-ins: docs/control/plugin.md
#include "scenario/control.h"

#include <stdio.h>

enum { NAME = 128 };

static void add_inputs(const ib_RobotPorts *ports, ib_NumberList *list)
{
    for (int i = 0; i < ports->input_count; i++) {
        const ib_InputDef *input = &ports->inputs[i];
        if (input->role != IB_INPUT_COMMAND && input->role != IB_INPUT_CONTROLLED) continue;
        ib_number_list_add(list, input->neutral, "input", input->name, "neutral");
        ib_number_list_add(list, input->low, "input", input->name, "low");
        ib_number_list_add(list, input->high, "input", input->name, "high");
    }
}

static void add_point(ib_NumberList *list, const char *group, const char *part,
                      const double place[3])
{
    static const char *const axes[] = {"x", "y", "z"};
    for (int k = 0; k < 3; k++) ib_number_list_add(list, place[k], group, part, axes[k]);
}

static void add_joint(const ib_ControlLegs *legs, int number, ib_NumberList *list)
{
    const ib_LegJoint *joint = &legs->joints[number];
    const ib_LinkageModel *linkage = &joint->linkage;
    const struct {
        const char *name;
        double value;
        bool of_cylinder;
    } rows[] = {
        {"start", joint->start, false},
        {"low", legs->leg_model.range[number % IB_LEG_JOINTS][0], false},
        {"high", legs->leg_model.range[number % IB_LEG_JOINTS][1], false},
        {"area.cap", joint->area[0], true},
        {"area.rod", joint->area[1], true},
        {"outside", joint->outside, true},
        {"linkage.l1", linkage->l1, false},
        {"linkage.l2", linkage->l2, false},
        {"linkage.l3", linkage->l3, false},
        {"linkage.offset", linkage->offset, false},
        {"linkage.sign", linkage->sign, false},
        {"linkage.stroke", linkage->stroke, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (!rows[i].of_cylinder || joint->area[0] > 0)
            ib_number_list_add(list, rows[i].value, "leg", joint->name, rows[i].name);
}

static void add_legs(const ib_ControlLegs *legs, ib_NumberList *list)
{
    static const char *const links[] = {"coxa", "femur", "tibia"};
    char name[NAME];
    double mass = legs->mass;
    for (int i = 0; i < IB_LEG_JOINTS; i++) {
        mass += legs->count * legs->leg_model.mass[i];
        ib_number_list_add(list, legs->leg_model.mass[i], "link", links[i], "mass");
        add_point(list, "link", links[i], legs->leg_model.centre[i]);
    }
    ib_number_list_add(list, mass, "robot", "", "mass");
    ib_number_list_add(list, legs->gravity, "legs", "", "gravity");
    ib_number_list_add(list, legs->count, "legs", "", "count");
    ib_number_list_add(list, legs->foot_radius, "legs", "", "foot_radius");
    ib_number_list_add(list, legs->supply, "legs", "", "supply");
    ib_number_list_add(list, legs->exhaust, "legs", "", "exhaust");
    for (int i = 0; i < legs->count; i++) {
        snprintf(name, sizeof name, "%s.shoulder", legs->names[i]);
        add_point(list, "leg", name, legs->shoulders[i].place);
        for (int k = 0; k < 9; k++) {
            char place[16];
            snprintf(place, sizeof place, "turn.%d", k);
            ib_number_list_add(list, legs->shoulders[i].turn[k], "leg", name, place);
        }
    }
    for (int i = 0; i < IB_LEG_JOINTS * legs->count; i++) add_joint(legs, i, list);
}

const ib_NumberList *ib__find_plugin_world(const ib__LoopReader *loop)
{
    const ib__Robot *robot = loop->robot;
    ib_NumberList *list = ib_arena_alloc(loop->reader->arena, sizeof *list);
    if (!list) return NULL;
    *list = (ib_NumberList){.arena = loop->reader->arena};
    ib_number_list_add_schema(list, &robot->config.kind->params, "", robot->config.config);
    ib_number_list_add_schema(list, &robot->config.kind->start, "start.", robot->config.config);
    ib_number_list_add(list, loop->scenario->gravity, "field", "", "gravity");
    add_inputs(&robot->made.ports, list);
    if (robot->made.ports.legs) add_legs(robot->made.ports.legs, list);
    return list->failed ? NULL : list;
}
