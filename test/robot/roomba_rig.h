// test/robot/roomba_rig.h: a Roomba, its script of wheel forces and a run,
// in one struct on the stack.
#ifndef IB_TEST_ROOMBA_RIG_H
#define IB_TEST_ROOMBA_RIG_H

#include "robot/crossing.h"
#include "robot/script.h"

#include "robot/roomba/roomba.h"

#include <stdlib.h>
#include <string.h>

typedef struct Segment {
    double from, left, right; // [s, N, N]
} Segment;

typedef struct Rig {
    ib_RoombaConfig roomba;
    ib_SimConfig sim_config;
    ib_RobotConfig robot;
    ib_Timeline inputs[IB_ROOMBA_INPUTS];
    ib_Time times[16];
    double left[16], right[16];
    ib_Arena arena;
    ib_Model *model;
    ib_Sim *sim;
} Rig;

// The document's Roomba with RK4 at 1 ms; edit it, then rig_start.
static inline void rig_default(Rig *rig, const Segment *segments, int count, double duration)
{
    memset(rig, 0, sizeof *rig);
    ib_Error error;
    if (ib_schema_default(&ib_roomba_kind.params, &rig->roomba, &error) != IB_OK ||
        ib_schema_default(&ib_roomba_kind.start, &rig->roomba, &error) != IB_OK)
        abort();
    for (int i = 0; i < count; i++) {
        rig->times[i] = ib_time_from_seconds(segments[i].from);
        rig->left[i] = segments[i].left;
        rig->right[i] = segments[i].right;
    }
    rig->inputs[IB_ROOMBA_LEFT] = (ib_Timeline){count, rig->times, rig->left, false};
    rig->inputs[IB_ROOMBA_RIGHT] = (ib_Timeline){count, rig->times, rig->right, false};
    rig->robot = (ib_RobotConfig){.name = "",
                                  .kind = &ib_roomba_kind,
                                  .config = &rig->roomba,
                                  .inputs = rig->inputs,
                                  .input_count = IB_ROOMBA_INPUTS};
    rig->sim_config = script_run(&rig->robot, duration);
}

static inline void rig_start(Rig *rig)
{
    ib_Error error;
    if (ib_model_create(&rig->sim_config, &rig->arena, &rig->model, &error) != IB_OK ||
        ib_sim_create(rig->model, &rig->sim, &error) != IB_OK)
        abort();
}

static inline void rig_stop(Rig *rig)
{
    ib_sim_destroy(rig->sim);
    ib_arena_reset(&rig->arena);
}

// Steps until `seconds`, which must be on the grid or on a switch of the script.
static inline const double *rig_run(Rig *rig, double seconds)
{
    ib_Error error;
    ib_Time until = ib_time_from_seconds(seconds);
    if (ib_sim_advance(rig->sim, until, &error) != IB_OK) return NULL;
    return ib_sim_time(rig->sim) == until ? ib_sim_state(rig->sim) : NULL;
}

// 1: where it rises, 0: where it falls, -1: either.
static inline void rig_watch(Rig *rig, Crossing *crossing, const char *signal, double level,
                             int rising)
{
    crossing_watch(crossing, rig->model, rig->sim, signal, level);
    crossing->way = rising;
}

#endif
