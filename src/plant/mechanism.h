// plant/mechanism.h: plants that are built from motors, gears and masses.
// Derivations, one section per kind: docs/design/mechanism.md
//
//   x' = rate(x, u),   y = output(x, u)        pure functions, SI and radians
// A kind is one file that ends in one const ib_MechanismKind, and one line in plant/mechanism.c.
// The use:
//   ib_MechanismMemory config = {0};
//   ib_schema_default(&kind->params, &config, error), then the file's keys …
//   ib_Mechanism mechanism;
//   ib_mechanism_init(kind, &config, &mechanism, error);
//   ib_MechanismPoint point = mechanism.ports.rest;                       edit point.x
//   ib_mechanism_balance(&mechanism, &point, error);                      finds point.u
//   ib_mechanism_linearise(&mechanism, &point, &plant, error);
#ifndef IB_PLANT_MECHANISM_H
#define IB_PLANT_MECHANISM_H

#include "base/schema.h"
#include "linear/state_space.h"

enum {
    IB_MECHANISM_FACTS = 12,  ///< most facts of a kind
    IB_MECHANISM_MEMORY = 48, ///< doubles that hold any kind's config, and any kind's model
};

// Room for a config or a model of any kind.
typedef struct ib_MechanismMemory {
    double room[IB_MECHANISM_MEMORY];
} ib_MechanismMemory;

// One state, input or output.
typedef struct ib_MechanismPort {
    const char *name, *unit; ///< unit: SI, as base/units.h reads it
    const char *sentence;    ///< what it is, for a person
    bool kinematic; ///< of a state: its rate is another state (a position's); a balance lets it run
} ib_MechanismPort;

// Where a plant is linearised.
typedef struct ib_MechanismPoint {
    double x[IB_STATES_MAX];
    double u[IB_INPUTS_MAX];
} ib_MechanismPoint;

// What a mechanism shows to the outside. Made by `init`: it may depend on the config.
typedef struct ib_MechanismPorts {
    int states, inputs, outputs;
    ib_MechanismPort state[IB_STATES_MAX], input[IB_INPUTS_MAX], output[IB_OUTPUTS_MAX];
    double low[IB_INPUTS_MAX], high[IB_INPUTS_MAX]; ///< of the inputs, SI; `rate` does not clamp
    ib_MechanismPoint rest; ///< all zero; `u` is what holds it there, against gravity
} ib_MechanismPorts;

// A number worth printing: a motor constant, the top speed, the voltage that holds an arm.
typedef struct ib_MechanismFact {
    const char *name, *unit, *sentence;
    double value;
} ib_MechanismFact;

typedef struct ib_MechanismKind {
    const char *name;     ///< as in `plant: {kind: …}`
    const char *sentence; ///< what it is, for a person
    ib_Schema params;     ///< keys beside `kind:`
    size_t config_size, model_size;

    // What a range cannot say about a config.
    ib_Status (*check)(const void *config, ib_Error *error);
    // Derives the model and the ports; `ports` is all zero before, its `rest.u` is filled later.
    void (*init)(const void *config, void *model, ib_MechanismPorts *ports);
    void (*rate)(const void *model, const double *x, const double *u, double *xdot);
    void (*output)(const void *model, const double *x, const double *u, double *y);
    // Fills A = d rate/dx, B = d rate/du, C = d output/dx, D = d output/du of `plant`, exactly;
    // they are all zero before.
    void (*jacobian)(const void *model, const double *x, const double *u, ib_StateSpace *plant);
    // At most IB_MECHANISM_FACTS; returns how many.
    int (*facts)(const void *model, ib_MechanismFact *facts);
    // What a sudden event does to the state; NULL: nothing sudden happens to this kind.
    void (*jolt)(const void *model, double *x);
    const char *jolt_sentence; ///< "a ball passes the wheel"; NULL where there is no jolt
} ib_MechanismKind;

// All kinds, NULL-terminated, and the one with this name (or NULL).
extern const ib_MechanismKind *const ib_mechanism_kinds[];
const ib_MechanismKind *ib_mechanism_kind_find(const char *name);

extern const ib_MechanismKind ib_drivetrain_mechanism, ib_elevator_mechanism, ib_flywheel_mechanism,
    ib_single_arm_mechanism, ib_lift_mechanism, ib_two_mass_mechanism, ib_shooter_mechanism;

typedef struct ib_Mechanism {
    const ib_MechanismKind *kind;
    ib_MechanismMemory model;
    ib_MechanismPorts ports;
} ib_Mechanism;

// Checks the config and derives the rest from it. IB_BAD_INPUT: "mass: …" names the key at fault.
ib_Status ib_mechanism_init(const ib_MechanismKind *kind, const void *config,
                            ib_Mechanism *mechanism, ib_Error *error);

// The non-linear physics. Pure, no clamping of u.
void ib_mechanism_rate(const ib_Mechanism *mechanism, const double *x, const double *u,
                       double *xdot);
void ib_mechanism_output(const ib_Mechanism *mechanism, const double *x, const double *u,
                         double *y);

// Finds the inputs that keep point->x as it is: rate(x, u) = 0 in every state but positions, whose
// speed is given by x. IB_BAD_INPUT: none do (the error names the state that goes on changing), or
// x is not finite. Inputs beyond their limits are found all the same: see ports.low, ports.high.
ib_Status ib_mechanism_balance(const ib_Mechanism *mechanism, ib_MechanismPoint *point,
                               ib_Error *error);

// The linear plant about a point, in differences from it: (x - x0)' = A (x - x0) + B (u - u0), with
// the ports' names; continuous.
ib_Status ib_mechanism_linearise(const ib_Mechanism *mechanism, const ib_MechanismPoint *point,
                                 ib_StateSpace *plant, ib_Error *error);

// At most IB_MECHANISM_FACTS; returns how many.
int ib_mechanism_facts(const ib_Mechanism *mechanism, ib_MechanismFact *facts);

#endif
