#include "sim/input/live_input.h"

ib_Status ib_live_input_init(const ib_Model *model, ib_Arena *arena, ib_LiveInput *live,
                             ib_Error *error)
{
    size_t count = (size_t)model->input_count;
    *live = (ib_LiveInput){.count = model->input_count};
    live->values = ib_arena_array(arena, count, sizeof *live->values);
    live->given = ib_arena_array(arena, count, sizeof *live->given);
    if (live->values && live->given) return IB_OK;
    return ib_error_set(error, IB_FAILED, "out of memory for live inputs");
}

bool ib_live_input_open(const ib_Model *model, int input)
{
    for (int i = 0; i < model->robot_count; i++) {
        const ib_RobotModel *robot = &model->robots[i];
        int own = input - robot->input;
        if (own < 0 || own >= robot->ports.input_count) continue;
        bool scripted = robot->timelines && robot->timelines[own].count > 0;
        return model->config->robots[i].viewer && !scripted &&
               robot->ports.inputs[own].role == IB_INPUT_COMMAND;
    }
    return false;
}

static ib_Time read(void *self, ib_Time time, double *input, double *slope)
{
    const ib_LiveInput *live = self;
    (void)time;
    for (int i = 0; i < live->count; i++) {
        if (!live->given[i]) continue;
        input[i] = live->values[i];
        slope[i] = 0;
    }
    return IB_TIME_NEVER;
}

ib_InputSource ib_live_input_source(ib_LiveInput *live)
{
    return (ib_InputSource){.self = live, .read = read, .live = true};
}
