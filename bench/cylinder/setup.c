#include "setup.h"

#include <math.h>
#include <string.h>

ib_CylinderRigConfig setup_rig(const Pair *pairs)
{
    const ib_MechanismKind *kind = &ib_cylinder_mechanism;
    ib_RigPartConfig part = {0};
    ib_Error error;
    if (ib_schema_default(&kind->params, &part, &error) != IB_OK ||
        ib_schema_default(&kind->start, &part, &error) != IB_OK)
        give_up(error.text);
    part.rig.gravity = 9.81;
    for (; pairs && pairs->key; pairs++) {
        const ib_Param *param = ib_schema_find(&kind->params, pairs->key);
        if (!param) param = ib_schema_find(&kind->start, pairs->key);
        if (!param || ib_schema_set(param, pairs->text, &part, &error) != IB_OK)
            give_up(pairs->key);
    }
    return part.rig;
}

void setup_lane(const ib_CylinderRigModel *rig, ib_RamLanes *lanes)
{
    double state[64];
    int lane = ib_lanes_add(lanes, &rig->ram, &rig->friction, rig->mass);
    ib_cylinder_rig_reset(rig, state);
    for (int i = 0; i < IB_LANE_STATES; i++) lanes->y[i][lane] = state[i];
    lanes->push[lane] = rig->mass * rig->gravity * rig->down;
}

// ---------------------------------------------------------------------------------------- commands

// 5 s of opposite saturation, then 1 V from the centre. [facts of T10]
static void command_t10(int number, Commands *commands)
{
    (void)number;
    for (int i = 0; i < MILLISECONDS; i++) commands->volts[i] = i < 5000 ? 0 : 6.25;
}

// What a proportional controller says at 1 kHz, who makes the rod follow a sine of 10 mm about the
// middle of its stroke: it moves all the time and meets no stop.
static void command_moving(int number, Commands *commands)
{
    ib_CylinderRigConfig config =
        setup_rig((Pair[]){{"position", "22 mm"}, {"cap.pressure", "280 kPa"}, {NULL, NULL}});
    ib_CylinderRigModel rig;
    ib_RamLanes lanes = {0};
    ib_cylinder_rig_init(&config, &rig);
    setup_lane(&rig, &lanes);
    for (int i = 0; i < MILLISECONDS; i++) {
        double goal = 0.022 + 0.010 * sin(0.006 * i + 0.5 * number);
        double volts = 5.5 + 153 * (goal - lanes.y[IB_LANE_POSITION][0]);
        commands->volts[i] = fmin(fmax(volts, 0), 10);
        ib_lanes_open(&lanes, 0, commands->volts[i] - rig.ram.valve.centre, rig.supply.pressure);
        ib_lanes_step(&lanes, 1e-3, 2);
    }
}

Course courses[COURSES] = {
    [COURSE_MOVING] = {"moving",
                       command_moving,
                       {{"position", "22 mm"}, {"cap.pressure", "280 kPa"}}},
    [COURSE_T10] = {"t10", command_t10, {{NULL, NULL}}},
};
void courses_fill(void)
{
    for (int i = 0; i < COURSES; i++)
        for (int j = 0; j < CYLINDERS; j++) courses[i].command(j, &courses[i].of[j]);
}

// -------------------------------------------------------------------------- through the simulation

void setup_sim(Sim *sim, const Pair *pairs, const Course *course)
{
    memset(sim, 0, sizeof *sim);
    sim->whole.rig = setup_rig(pairs);
    for (const Pair *p = course->start; p->key; p++) {
        ib_Error error;
        const ib_Param *param = ib_schema_find(&ib_cylinder_rig_kind.start, p->key);
        if (ib_schema_set(param, p->text, &sim->whole, &error) != IB_OK) give_up(error.text);
    }
    sim->robot = (ib_RobotConfig){.name = "",
                                  .kind = &ib_cylinder_rig_kind,
                                  .config = &sim->whole,
                                  .inputs = sim->inputs,
                                  .input_count = IB_RIG_INPUTS};
    sim->config = (ib_SimConfig){.title = "cylinder",
                                 .robots = &sim->robot,
                                 .robot_count = 1,
                                 .gravity = 9.80665,
                                 .solver = {IB_STIFF, 1e-6, 1e-9},
                                 .step = IB_SECOND / 1000,
                                 .duration = 10 * IB_SECOND,
                                 .seed = 1};
    int count = 0;
    const double *volts = course->of[0].volts;
    for (int i = 0; i < MILLISECONDS; i++) {
        if (i > 0 && volts[i] == volts[i - 1]) continue;
        sim->times[count] = i * (IB_SECOND / 1000);
        sim->values[count++] = volts[i];
    }
    sim->inputs[IB_RIG_VALVE] = (ib_Timeline){count, sim->times, sim->values, false};
}
