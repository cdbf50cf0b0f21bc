// plant/mechanism/mechanism.h: plants built from motors, gears and masses, on robots and at the
// design desk, which linearises them. docs/design/mechanism.md has the derivations, one section
// per kind.
//
// A kind knows its mechanics alone: torques on the shafts behind its gears become rates,
//   x' = rate(x, torque)        pure, SI and radians
// The drive of the shafts is outside. At the desk it is a given voltage, and the whole is linear in
// it (ib_mechanism_rate); on a robot it is a bridge on the battery, with limits, losses, stops and
// a brake (plant/actuator/actuator.h).
//
// A kind is one file that ends in one const ib_MechanismKind, and two lines in
// plant/mechanism/mechanism_kinds.c. The use at the desk:
//   ib_MechanismMemory config = {0};
//   ib_schema_default(&kind->params, &config, error), then the file's keys …
//   ib_Mechanism mechanism;
//   ib_mechanism_init(kind, &config, &mechanism, error);
//   ib_MechanismPoint point = mechanism.ports.rest;                       edit point.x
//   ib_mechanism_balance(&mechanism, &point, error);                      finds point.u
//   ib_mechanism_linearise(&mechanism, &point, &plant, error);
#ifndef IB_PLANT_MECHANISM_H
#define IB_PLANT_MECHANISM_H

#include "base/geometry.h"
#include "base/schema.h"
#include "base/signal.h"
#include "linear/state_space.h"

enum {
    IB_MECHANISM_FACTS = 12,   ///< most facts of a kind
    IB_MECHANISM_MEMORY = 272, ///< doubles that hold any kind's config, and any kind's model
    IB_MECHANISM_DRIVES = 2,   ///< most gears of a kind
    IB_MECHANISM_JOINTS = 2,   ///< most places of a kind that move on their own
};

// Room for a config or a model of any kind.
typedef struct ib_MechanismMemory {
    double room[IB_MECHANISM_MEMORY];
} ib_MechanismMemory;

// One state, input or output.
typedef struct ib_MechanismPort {
    const char *name, *unit; ///< unit: SI, as base/units.h reads it
    const char *sentence;    ///< a description for the user
    bool kinematic; ///< of a state: its rate is another state (a position's); a balance lets it run
} ib_MechanismPort;

// The point of linearisation.
typedef struct ib_MechanismPoint {
    double x[IB_STATES_MAX]; ///< states, SI
    double u[IB_INPUTS_MAX]; ///< inputs, SI
} ib_MechanismPoint;

// Some equal motors behind one gear, as seen from its output shaft: see plant/electric/gearmotor.h.
typedef struct ib_GearmotorModel {
    double push;    ///< torque per volt at standstill [N m/V]
    double drag;    ///< torque per speed [N m s]
    double inertia; ///< of the rotors, at the output shaft [kg m^2]
    double voltage; ///< most the input may be [V]
    double Kv;      ///< speed per volt of back-EMF, 1/Ke [rad/(s V)]
    double Kt;      ///< torque per current, the gear's loss taken off [N m/A]
    double R;       ///< of all windings in parallel [ohm]
} ib_GearmotorModel;

// A place of the mechanism that moves: a carriage, an arm, a wheel, an end of a platform.
typedef struct ib_Joint {
    const char *name;    ///< "left" of several; NULL: the only one
    bool turns;          ///< an angle in rad, not a way in m
    int position, speed; ///< the states that these are
    bool unplaced;       ///< its position is no state of the plant
    bool stops;          ///< `travel`, `brake` and `dry_friction` act here
    // Its signals behind the mechanism's name; NULL: "position" and "velocity", behind its own.
    const char *position_name, *speed_name;
} ib_Joint;

// The interface of a mechanism, made by `init`: it may depend on the config.
typedef struct ib_MechanismPorts {
    int states, inputs, outputs;
    ib_MechanismPort state[IB_STATES_MAX], input[IB_INPUTS_MAX], output[IB_OUTPUTS_MAX];
    int measured[IB_OUTPUTS_MAX];                   ///< the state that an output is
    double low[IB_INPUTS_MAX], high[IB_INPUTS_MAX]; ///< of the inputs, SI; `rate` does not clamp
    ib_GearmotorModel gear[IB_MECHANISM_DRIVES];    ///< of each input
    int moves[IB_MECHANISM_DRIVES];                 ///< the state that is the speed of its load
    double lever[IB_MECHANISM_DRIVES];      ///< way of that for a radian of its shaft [m], 1
    const char *shaft[IB_MECHANISM_DRIVES]; ///< "joint1": prefix of its motors' signals; NULL: the
                                            ///< input's name
    double gravity;                         ///< as configured [m/s^2]; 0: it feels none
    double mass;                            ///< moving mass with its load [kg]
    double load;                            ///< part of that: load that it may release [kg]
    bool swings;                            ///< its centre of mass moves forward and back
    int joints;
    ib_Joint joint[IB_MECHANISM_JOINTS];
    ib_MechanismPoint rest; ///< all zero; `u` holds it there, against gravity
} ib_MechanismPorts;

// A number worth printing: a motor constant, the top speed, the voltage that holds an arm.
typedef struct ib_MechanismFact {
    const char *name, *unit, *sentence;
    double value; ///< in `unit`, SI
} ib_MechanismFact;

typedef struct ib_MechanismFacts {
    int count;
    ib_MechanismFact items[IB_MECHANISM_FACTS];
} ib_MechanismFacts;

// Its energies, and its losses in bearings and guides.
typedef struct ib_MechanismEnergy {
    double kinetic;   ///< rotors included [J]
    double potential; ///< of weights and springs, 0 at x = 0 [J]
    double friction;  ///< power lost [W], >= 0
} ib_MechanismEnergy;

// Motion of its mass with its joints: momentum along the floor, forward, relative to the base, its
// rate, and momentum upwards. A pull along the floor of 1 N/kg is c_j in joint j.
//   P = sum c_j v_j,   P' = sum c_j v_j' - q,   m z' = sum up_j v_j
typedef struct ib_MechanismSway {
    double c[IB_MECHANISM_JOINTS];  ///< [kg], [kg m]
    double up[IB_MECHANISM_JOINTS]; ///< [kg], [kg m]
    double q;                       ///< [N]
} ib_MechanismSway;

// Place of the piston of a cylinder that moves it (plant/air/air_cylinder.h), and its way for a
// radian of the shaft.
typedef struct ib_PistonPlace {
    double at;    ///< 0 .. stroke [m]
    double ratio; ///< [m]
} ib_PistonPlace;

// Its geometry, on a frame of the robot. ib_draft_name makes names complete.
enum { IB_DRAFT_FRAMES = 4, IB_DRAFT_SOLIDS = 16, IB_DRAFT_TRACES = 2 };
typedef struct ib_MechanismDraft {
    ib_Arena *arena;
    const char *name;  ///< of the mechanism
    const char *mount; ///< the frame it stands on
    ib_FrameDef frames[IB_DRAFT_FRAMES];
    int frame_count;
    ib_SolidDef solids[IB_DRAFT_SOLIDS];
    int solid_count;
    ib_TraceDef traces[IB_DRAFT_TRACES];
    int trace_count;
} ib_MechanismDraft;

struct ib_Build;

typedef struct ib_MechanismKind {
    const char *name;     ///< as in `plant: {kind: …}` and in `mechanisms: {lift: {kind: …}}`
    const char *sentence; ///< a description for the user
    ib_Schema params;     ///< keys beside `kind:`, fields of a config struct that begins
                          ///< with an ib_GearmotorConfig (plant/electric/gearmotor.h)
    int desk_params;      ///< number of the desk's parameters, from the first; 0: all
    ib_Schema start;      ///< keys of a robot's `start: {lift: {…}}`; none: it stays at the desk
    size_t config_size, model_size;
    // Offset of the ib_GearmotorConfig of the second shaft in its config, whose joint then has
    // stops, friction and limits of its own as well (voltage, loss and rotors are the first's); 0:
    // both have those of the first.
    size_t second_gear;

    // Checks of a config beyond ranges, except its motor and gear, which are checked anyway.
    // NULL: none.
    ib_Status (*check)(const void *config, ib_Error *error);
    // Derives the model and the ports; `ports` is all zero before, its `rest.u` is filled later.
    void (*init)(const void *config, void *model, ib_MechanismPorts *ports);
    // `torque`: on each shaft [N m]; g: gravity [m/s^2].
    void (*rate)(const void *model, const double *x, const double *torque, double g, double *xdot);
    // Outputs that are no states, behind the others. NULL: none.
    void (*output)(const void *model, const double *x, double *y);
    // Adds them, by ib_fact_add. NULL: none.
    void (*facts)(const void *model, ib_MechanismFacts *facts);
    // Effect of a sudden event on the state; NULL: none.
    void (*jolt)(const void *model, double *x);
    const char *jolt_name;     ///< its input on a robot: "ball"
    const char *jolt_sentence; ///< "a ball passes the wheel"; NULL where there is no jolt

    // Further functions for a robot; a kind for the desk alone has none of these.
    void (*energy)(const void *model, const double *x, double g, ib_MechanismEnergy *energy);
    // Acceleration of joint i by a unit force (torque) on joint j, at [i][j]; symmetric [1/kg],
    // [1/(kg m^2)].
    void (*mobility)(const void *model, const double *x,
                     double matrix[IB_MECHANISM_JOINTS][IB_MECHANISM_JOINTS]);
    // Centre of mass of its moving part, from its mounting place: forward, left, up [m]. NULL: 0.
    void (*centre)(const void *model, const double *x, double place[3]);
    // A copy of the model that holds `mass` [kg] in place of ports.load. NULL: it holds nothing.
    void (*carry)(const void *model, double mass, void *loaded);
    // Sway; all zero before. NULL: its centre of mass does not move.
    void (*sway)(const void *model, const double *x, ib_MechanismSway *sway);
    // Further signals, and their values. NULL: none.
    const ib_SignalRows *shows;
    void (*show)(const void *model, const double *x, double *values);
    // The piston, and the travel that its stroke allows: both ends, within `travel` where that is
    // given, refused where it cannot be. NULL: no cylinder can move this kind.
    void (*piston)(const void *config, const double *x, ib_PistonPlace *place);
    ib_Status (*reach)(const void *config, double travel[2], ib_Error *error);
    // Look; NULL: not shown.
    void (*geometry)(const void *config, ib_MechanismDraft *draft);

    // Replaces all but tables and `check` for a part without motors or pistons of a mechanism
    // (robot/equipment_kinds.c): declares it under its name and adds it to the robot.
    ib_Status (*build)(const void *config, const char *name, struct ib_Build *build,
                       ib_Error *error);
    // Its mass [kg], and its centre at the start, from the mounting place [m].
    double (*burden)(const void *config, double centre[3]);
} ib_MechanismKind;

// Rows of a kind's table. First its tables `params`, whose last `robot_rows` rows the desk does not
// know, and `start`, and the sizes of its structs.
#define IB_MECHANISM_TABLES(config, model, robot_rows)                                             \
    .params = IB_SCHEMA(params), .params.idle = ib_actuator_idle,                                  \
    .desk_params = sizeof params / sizeof params[0] - (robot_rows), .start = IB_SCHEMA(start),     \
    .config_size = sizeof(config), .model_size = sizeof(model)
// Initialisers by functions named like their entries: the desk's, and those for a robot.
#define IB_MECHANISM_FUNCTIONS       .init = init, .rate = rate, .facts = facts
#define IB_MECHANISM_ROBOT_FUNCTIONS .energy = energy, .mobility = mobility, .geometry = geometry

// All kinds, NULL-terminated, and the one with this name (or NULL).
extern const ib_MechanismKind *const ib_mechanism_kinds[];
const ib_MechanismKind *ib_mechanism_kind_find(const char *name);

// Functions for `init`: add a joint with its states, its place (unless that is no state) and its
// speed, at the end; add an output that is a state.
void ib_mechanism_add_joint(ib_MechanismPorts *ports, ib_Joint joint,
                            const ib_MechanismPort *states);
void ib_mechanism_measure(ib_MechanismPorts *ports, int state);
void ib_fact_add(ib_MechanismFacts *facts, const char *name, const char *unit, const char *sentence,
                 double value);

// The rows that the desk knows.
ib_Schema ib_mechanism_desk_schema(const ib_MechanismKind *kind);

typedef struct ib_Mechanism {
    const ib_MechanismKind *kind;
    ib_MechanismMemory model;
    ib_MechanismPorts ports;
} ib_Mechanism;

// Speeds of the shafts behind the gears, one for each input [rad/s].
static inline void ib_mechanism_shafts(const ib_Mechanism *mechanism, const double *x, double *w)
{
    const ib_MechanismPorts *ports = &mechanism->ports;
    for (int i = 0; i < ports->inputs; i++) w[i] = x[ports->moves[i]] / ports->lever[i];
}

// The forces on its joints equivalent to these inputs [V]: a(u) - a(0) = M F. For kinds
// with `mobility`.
void ib_mechanism_force(const ib_Mechanism *mechanism, const double *x, const double *u,
                        double force[IB_MECHANISM_JOINTS]);

// Checks the config and derives the rest from it. IB_BAD_INPUT: "mass: …" names the key at fault.
ib_Status ib_mechanism_init(const ib_MechanismKind *kind, const void *config,
                            ib_Mechanism *mechanism, ib_Error *error);

// The non-linear physics under voltages that are at hand: T = push V - drag w on each shaft. Pure,
// no clamping of u.
void ib_mechanism_rate(const ib_Mechanism *mechanism, const double *x, const double *u,
                       double *xdot);
void ib_mechanism_output(const ib_Mechanism *mechanism, const double *x, double *y);

// A = d rate/dx, B = d rate/du, C = d output/dx, D = d output/du of `plant`, whose sizes are set:
// differences of the functions above, to 1e-13 of a row's sum.
void ib_mechanism_slopes(const ib_Mechanism *mechanism, const ib_MechanismPoint *point,
                         ib_StateSpace *plant);

// Finds the inputs that hold point->x: rate(x, u) = 0 in every state but positions, whose speed is
// given by x. IB_BAD_INPUT: none do (the error names the state that keeps changing), or x is not
// finite. Inputs beyond their limits are found all the same: see ports.low, ports.high.
ib_Status ib_mechanism_balance(const ib_Mechanism *mechanism, ib_MechanismPoint *point,
                               ib_Error *error);

// The linear plant about a point, in differences from it: (x - x0)' = A (x - x0) + B (u - u0), with
// the ports' names; continuous.
ib_Status ib_mechanism_linearise(const ib_Mechanism *mechanism, const ib_MechanismPoint *point,
                                 ib_StateSpace *plant, ib_Error *error);

// Empty where its kind has none.
void ib_mechanism_facts(const ib_Mechanism *mechanism, ib_MechanismFacts *facts);
// The value of one of them; NAN: there is none of this name.
double ib_mechanism_fact(const ib_Mechanism *mechanism, const char *name);

// ------------------------------------------------------------------------------------------- looks

// "lift.carriage" for "carriage": a frame's or a signal's complete name; NULL without memory.
const char *ib_draft_name(ib_MechanismDraft *draft, const char *name);
ib_FrameDef *ib_draft_frame(ib_MechanismDraft *draft, const char *name);
// A solid on a frame of the draft, or on the mount where `frame` is NULL.
ib_SolidDef *ib_draft_solid(ib_MechanismDraft *draft, const char *name, const char *frame,
                            ib_SolidForm form, uint32_t colour);
// The same as a box around its centre, and as a cylinder across the robot.
ib_SolidDef *ib_draft_box(ib_MechanismDraft *draft, const char *name, const char *frame,
                          const double place[3], const double size[3], uint32_t colour);
ib_SolidDef *ib_draft_axle(ib_MechanismDraft *draft, const char *name, const char *frame,
                           double radius, double length, uint32_t colour);
// A point on the mount that leaves a line where it has been: the legend has "NAME: label".
ib_TraceDef *ib_draft_trace(ib_MechanismDraft *draft, const char *label);

// A wheel on a lying axle across the robot, with a spoke that shows how it turns by `position`.
void ib_draft_wheel(ib_MechanismDraft *draft, double radius, double length);

#endif
