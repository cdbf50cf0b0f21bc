// sim/linearise/variant.h: live parameters: a model like another one, with some constants changed.
// Robots, states, inputs and signals are the same, so that a run can go on with it: ib_sim_change.
#ifndef IB_SIM_LINEARISE_VARIANT_H
#define IB_SIM_LINEARISE_VARIANT_H

#include "sim/model.h"

// A parameter that may change while running.
typedef struct ib_LiveParam {
    const char *path; ///< as in the scenario: "robot.mass", "robots.red.mass"
    int robot;
    const ib_Param *param; ///< a number
} ib_LiveParam;

// Every live parameter of the robots of a model, in the order of their schemas. NULL without memory
// or where there are none.
const ib_LiveParam *ib_live_params(const ib_Model *model, ib_Arena *arena, int *count);

// Its value in this model, in SI.
double ib_live_param_value(const ib_Model *model, const ib_LiveParam *param);

typedef struct ib_Setting {
    const ib_LiveParam *param;
    double value; ///< SI
} ib_Setting;

typedef struct ib_Variant {
    ib_Arena arena; ///< owns all that follows
    ib_SimConfig config;
    ib_Model *model;
} ib_Variant;

// A copy of `from` with these parameters changed, checked together; plans of paths stay unchanged.
// The scenario of `from` must outlive it, `from` itself need not. IB_BAD_INPUT: a value is out of
// range, contradicts others, or would change the robot's parts.
ib_Status ib_variant_create(const ib_Model *from, const ib_Setting *settings, int count,
                            ib_Variant **variant, ib_Error *error);
void ib_variant_destroy(ib_Variant *variant); ///< NULL is fine

#endif
