// Fuzz target: any bytes as an MJCF or URDF file. It is refused at a place, or it is a robot whose
// steps fail with a sentence or give finite numbers.
#include "robot/mjcf/mjcf.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void move(const ib_MjcfConfig *config, const ib_Robot *robot, ib_Arena *arena)
{
    enum { STEPS = 3 };
    const ib_RobotKind *kind = robot->kind;
    int states = robot->ports.state_count, inputs = robot->ports.input_count;
    double *state = ib_arena_array(arena, (size_t)states, sizeof *state);
    double *input = ib_arena_array(arena, (size_t)inputs, sizeof *input);
    double *signals = ib_arena_array(arena, (size_t)robot->ports.signal_count, sizeof *signals);
    void *workspace = kind->integrator->workspace(robot->model, arena);
    IB_ASSERT(state && input && signals && workspace);
    kind->reset(config, robot->model, state);
    for (int i = 0; i < inputs; i++) input[i] = robot->ports.inputs[i].neutral;
    for (int i = 0; i < STEPS; i++) {
        ib_Error error = {.text = ""};
        ib_Status status =
            kind->integrator->advance(robot->model, workspace, state, input, 1e-3, state, &error);
        IB_ASSERT(status == IB_OK || error.text[0]);
        if (status != IB_OK) return;
        kind->integrator->output(robot->model, workspace, state, input, signals);
    }
    const char *text = kind->mjcf(config, robot->model, arena);
    IB_ASSERT(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const ib_RobotKind *kind = &ib_mjcf_kind;
    for (int base = 0; base < 2 && size > 0; base++) {
        ib_Arena arena = {0};
        ib_Error error = {.text = ""};
        ib_Robot robot;
        static ib_MjcfConfig config;
        memset(&config, 0, sizeof config);
        IB_ASSERT(ib_schema_default(&kind->params, &config, &error) == IB_OK);
        IB_ASSERT(ib_schema_default(&kind->start, &config, &error) == IB_OK);
        char *text = ib_arena_text_n(&arena, (const char *)data, size);
        config.model = (ib_FileText){(int)size, "fuzz.xml", text};
        config.base = base;
        int line = 0, column = 0;
        ib_Status status = ib_robot_init(kind, &config, &arena, &robot, &error);
        if (status == IB_OK)
            move(&config, &robot, &arena);
        else
            IB_ASSERT(status != IB_BAD_INPUT || strncmp(error.text, "start.z: ", 9) == 0 ||
                      sscanf(error.text, "model: %d:%d: ", &line, &column) == 2);
        bool urdf = strstr(text, "<robot") != NULL;
        ib_arena_reset(&arena);
        if (!urdf) break;
    }
    return 0;
}
