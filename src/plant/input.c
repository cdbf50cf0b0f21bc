// plant/input.c: the inputs that every robot has, and those of a kind that several parts have.
#include "plant/input.h"

#include <stddef.h>

const char *const ib_switch_words[] = {"off", "on", NULL};

#define ENVIRONMENT(name_, unit_, sentence_)                                                       \
    {                                                                                              \
        .name = name_, .unit = unit_, .sentence = sentence_, .role = IB_INPUT_ENVIRONMENT,         \
        .low = -1e9, .high = 1e9                                                                   \
    }

const ib_InputDef ib_environment_inputs[IB_ENVIRONMENT_COUNT] = {
    ENVIRONMENT("push.x", "N", "sum of the forces that push the robot, field x"),
    ENVIRONMENT("push.y", "N", "sum of the forces that push the robot, field y"),
    ENVIRONMENT("push.cross", "N*m", "torque of the pushes at heading 0"),
    ENVIRONMENT("push.dot", "N*m", "torque of the pushes at heading -90 degrees"),
    ENVIRONMENT("slope.x", "m/s^2", "gravity along a tilted floor, field x"),
    ENVIRONMENT("slope.y", "m/s^2", "gravity along a tilted floor, field y"),
    {.name = "gravity",
     .unit = "m/s^2",
     .sentence = "gravity of the field, which presses the robot to the floor",
     .role = IB_INPUT_ENVIRONMENT,
     .neutral = 9.80665,
     .low = 0,
     .high = 1e3},
};

ib_InputDef ib_gain_input(const char *signal)
{
    return (ib_InputDef){.name = signal,
                         .unit = "1",
                         .sentence = "factor on this signal",
                         .role = IB_INPUT_GAIN,
                         .neutral = 1,
                         .low = -1e3,
                         .high = 1e3};
}

ib_InputDef ib_number_input(const char *name, const char *unit, const char *sentence, double low,
                            double high, const char *limit)
{
    return (ib_InputDef){.name = name,
                         .unit = unit,
                         .sentence = sentence,
                         .role = IB_INPUT_COMMAND,
                         .low = low,
                         .high = high,
                         .limit = limit};
}

ib_InputDef ib_word_input(const char *name, const char *sentence, const char *const *words)
{
    int count = 0;
    while (words[count]) count++;
    return (ib_InputDef){.name = name,
                         .unit = "1",
                         .sentence = sentence,
                         .role = IB_INPUT_COMMAND,
                         .high = count - 1,
                         .words = words,
                         .held = true};
}
