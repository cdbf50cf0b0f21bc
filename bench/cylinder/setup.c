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

// ---------------------------------------------------------------------------------------- commands

// 5 s of opposite saturation, then 1 V from the centre. [facts of T10]
static void command_t10(double *volts)
{
    for (int i = 0; i < MILLISECONDS; i++) volts[i] = i < 5000 ? 0 : 6.25;
}

typedef struct Loop {
    ib_CylinderRigModel rig;
    double state[64], input[IB_RIG_INPUTS];
} Loop;

static void rate_of(const void *context, double t, const double *x, double *dx)
{
    const Loop *loop = context;
    (void)t;
    ib_cylinder_rig_rate(&loop->rig, x, loop->input, dx);
}

// What a proportional controller says at 1 kHz, who makes the rod follow a sine of 10 mm about the
// middle of its stroke: it moves all the time and meets no stop.
static void command_moving(double *volts)
{
    ib_CylinderRigConfig config =
        setup_rig((Pair[]){{"position", "22 mm"}, {"cap.pressure", "280 kPa"}, {NULL, NULL}});
    Loop loop = {.input = {[IB_RIG_GAIN] = 1}};
    ib_Arena arena = {0};
    ib_cylinder_rig_init(&config, &loop.rig);
    ib_cylinder_rig_reset(&loop.rig, loop.state);
    ib_System system = {
        .count = loop.rig.state_count, .rate = rate_of, .context = &loop, .steady = true};
    ib_SolverConfig stiff = {IB_STIFF, 1e-6, 1e-9};
    ib_Solver *solver = ib_solver_create(&stiff, system.count, &arena);
    for (int i = 0; solver && i < 2 * MILLISECONDS; i++) {
        double goal = 0.022 + 0.010 * sin(0.003 * (i & ~1)), next[64];
        if (i % 2 == 0)
            volts[i / 2] = fmin(fmax(5.5 + 153 * (goal - loop.state[IB_RIG_POSITION]), 0), 10);
        loop.input[IB_RIG_VALVE] = volts[i / 2];
        while (ib_cylinder_rig_settle(&loop.rig, loop.input, loop.state)) continue;
        if (ib_solver_step(solver, &system, 0.5e-3, loop.state, next) != 0) give_up("moving");
        memcpy(loop.state, next, sizeof next);
    }
    ib_arena_reset(&arena);
}

Course courses[COURSES] = {
    [COURSE_MOVING] = {"moving",
                       command_moving,
                       {{"position", "22 mm"}, {"cap.pressure", "280 kPa"}}},
    [COURSE_T10] = {"t10", command_t10, {{NULL, NULL}}},
};
void courses_fill(void)
{
    for (int i = 0; i < COURSES; i++) courses[i].command(courses[i].volts);
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
    const double *volts = course->volts;
    for (int i = 0; i < MILLISECONDS; i++) {
        if (i > 0 && volts[i] == volts[i - 1]) continue;
        sim->times[count] = i * (IB_SECOND / 1000);
        sim->values[count++] = volts[i];
    }
    sim->inputs[IB_RIG_VALVE] = (ib_Timeline){count, sim->times, sim->values, false};
}
