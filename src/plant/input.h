// plant/input.h: an input of a robot or of a part of one: who sets it, within which range.
#ifndef IB_PLANT_INPUT_H
#define IB_PLANT_INPUT_H

#include "plant/environment.h"
#include "plant/wheel/drive_axis.h"

#include <stdbool.h>

typedef enum ib_InputRole {
    IB_INPUT_ENVIRONMENT, ///< pushes and slopes; every robot's first IB_ENVIRONMENT_COUNT inputs
    IB_INPUT_COMMAND,     ///< what a driver or a script sets
    IB_INPUT_CONTROLLED,  ///< what the robot's controller sets, or leaves neutral
    IB_INPUT_PUSH, ///< a force or torque on the part of this name, for `disturbances: {on: …}`
    IB_INPUT_GAIN, ///< a factor on the signal of the same name, for `disturbances: {signal, scale}`
} ib_InputRole;

typedef struct ib_InputDef {
    const char *name;     ///< key in `inputs:` for a command, signal name for a gain
    const char *unit;     ///< SI
    const char *sentence; ///< what it is, for a person
    ib_InputRole role;
    bool required;            ///< must be given by the scenario (or by `control:`)
    double neutral;           ///< value when nobody sets it
    double low, high;         ///< clamped to this range, with a warning once
    const char *limit;        ///< the parameter that sets the range, for that warning; NULL: none
    const char *const *words; ///< NULL-terminated names of the values 0, 1, 2 …; NULL: a number
    bool held;         ///< a switch or a mass: always holds its value to the next knot, never ramps
    bool kept;         ///< a goal: stays as it is when the driver lets go
    bool button;       ///< a switch that is neutral again when nobody presses it
    bool for_loops;    ///< what a loop or a script sets: no driver's hand is offered it
    ib_DriveAxis axis; ///< what a driver's hand does for it
    const char *also[2]; ///< other names for it; NULL: none
    int set; ///< inputs of one set belong together and exclude other sets (left and right, or
             ///< throttle and turn); 0: belongs to none
} ib_InputDef;

// Those of every robot, its first: pushes, slopes, gravity.
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
