// plant/input.h: an input of a robot or of a part of one: its source and its range.
#ifndef IB_PLANT_INPUT_H
#define IB_PLANT_INPUT_H

#include "plant/drive_axis.h"
#include "plant/environment.h"

#include <stdbool.h>

typedef enum ib_InputRole {
    IB_INPUT_ENVIRONMENT, ///< pushes and slopes; every robot's first IB_ENVIRONMENT_COUNT inputs
    IB_INPUT_COMMAND,     ///< set by a driver or a script
    IB_INPUT_CONTROLLED,  ///< set by the robot's controller, or neutral
    IB_INPUT_PUSH, ///< a force or torque on the part of this name, for `disturbances: {on: …}`
    IB_INPUT_GAIN, ///< a factor on the signal of the same name, for `disturbances: {signal, scale}`
} ib_InputRole;

typedef struct ib_InputDef {
    const char *name;     ///< key in `inputs:` for a command, signal name for a gain
    const char *unit;     ///< SI
    const char *sentence; ///< a description for the user
    ib_InputRole role;
    bool required;            ///< must be given by the scenario (or by `control:`)
    double neutral;           ///< value if not set
    double low, high;         ///< clamped to this range, with a warning once
    const char *limit;        ///< the parameter that sets the range, for that warning; NULL: none
    const char *const *words; ///< NULL-terminated names of the values 0, 1, 2 …; NULL: a number
    bool held;         ///< a switch or a mass: always holds its value to the next knot, never ramps
    bool kept;         ///< a goal: keeps its value when the driver lets go
    bool button;       ///< a switch that is neutral again when released
    bool for_loops;    ///< set by a loop or a script: not offered to a driver
    ib_DriveAxis axis; ///< the driver's control for it
    const char *also[2]; ///< other names for it; NULL: none
    int set; ///< inputs of one set belong together and exclude other sets (left and right, or
             ///< throttle and turn); 0: belongs to none
} ib_InputDef;

// Inputs of every robot, the first ones: pushes, slopes, gravity.
extern const ib_InputDef ib_environment_inputs[IB_ENVIRONMENT_COUNT];

// A factor on the signal of this name, for `disturbances: {signal, scale}`.
ib_InputDef ib_gain_input(const char *signal);

// A number that a driver or a script sets, within a range that has a name.
ib_InputDef ib_number_input(const char *name, const char *unit, const char *sentence, double low,
                            double high, const char *limit);

// One that is one of some words and keeps its value to the next knot.
ib_InputDef ib_word_input(const char *name, const char *sentence, const char *const *words);

extern const char *const ib_switch_words[]; ///< off, on

#endif
