#include "lean.h"

#include "clock.h"
#include "robot/tank_rig.h"

#include <math.h>

enum { SETTLE = 1000, STEPS = 2000 }; // of 1 ms, before and in a round

const char *const lean_names[LEAN_CASES] = {"driving", "leaning"};

// The kit's robot on rolling wheels at full voltage in a hall of 100 m, whose far wall it does not
// reach; or 1 mm before the wall.
static void start(Rig *rig, ib_FieldConfig *field, LeanCase which)
{
    rig_default(rig, 1e6);
    rig_set(rig, "wheels.model", "rolling");
    rig_drive(rig, 12, 12);
    *field = ib_field_default();
    ib_field_rectangle(field, 0, 0, 100, 10);
    rig->sim_config.field = field;
    rig->tank.planar.x = which == LEAN_DRIVING ? 1 : 100 - 0.4 - 1e-3;
    rig->tank.planar.y = 5;
    rig_start(rig);
}

static double advance(Rig *rig, int steps)
{
    double begin = clock_now();
    ib_Time until = ib_sim_time(rig->sim) + steps * rig->sim_config.step;
    if (ib_sim_advance(rig->sim, until, &rig->error) != IB_OK) abort();
    return clock_now() - begin;
}

void lean_measure(int rounds, double step[LEAN_CASES])
{
    for (int which = 0; which < LEAN_CASES; which++) step[which] = INFINITY;
    for (int round = 0; round < rounds; round++)
        for (int which = 0; which < LEAN_CASES; which++) {
            Rig rig;
            ib_FieldConfig field;
            start(&rig, &field, (LeanCase)which);
            advance(&rig, SETTLE);
            step[which] = fmin(step[which], advance(&rig, STEPS) / STEPS);
            rig_stop(&rig);
        }
}

void lean_run(LeanCase which)
{
    Rig rig;
    ib_FieldConfig field;
    start(&rig, &field, which);
    advance(&rig, SETTLE + STEPS);
    rig_stop(&rig);
}
