// control/feedback/impedance_controller.c: a cylinder that behaves like a spring and a damper
// around its goal: a force is wanted, and two pressures say which there
// is. docs/control/impedance.md
//   control: {valve: {kind: impedance, sensors: cylinder.position, inputs: valve, offset: 5.25 V,
//             pressures: [cap.pressure, rod.pressure], area: {cap: 5.6 cm^2, rod: 4.9 cm^2},
//             stiffness: 2 N/mm, damping: 20 N*s/m, gain: 0.05 V/N}}
//
//   F  = F0 + K (r - x) + D (r' - v)                       wanted
//   Fm = p1 A1 - p2 A2 - pa (A1 - A2)                      measured; the rod is A1 - A2
//   u  = u0 + kf (F - Fm) + kq v,   within its limits
// Limits: kf -> infinity: Fm = F; K = D = 0: a force loop; kf = 0: no feedback at all.
#include "control/servo/servo.h"

#include <string.h>

typedef struct Config {
    ib_ServoConfig servo;
    double stiffness, damping, force; ///< K [N/m], D [N s/m], F0 [N]
    double gain, flow;                ///< kf [U/N], kq [U s/m]
    double areas[2], atmosphere;      ///< A1, A2 [m^2], pa [Pa]
} Config;

typedef struct Model {
    ib_ServoModel servo;
    double stiffness, damping, force, gain, flow, areas[2], atmosphere;
} Model;

enum { VALUES = 3 }; ///< both forces and the output

static const ib_SignalDef own_signals[] = {
    IB_SERVO_SIGNALS,
    {"wanted_force", "N", "force that spring and damper ask for", 0},
    {"measured_force", "N", "force of the gas on the piston, by the pressures", 0},
};

// Both forces and the output.
static void act(const void *model_, const ib_ServoPoint *at, double *values)
{
    const Model *model = model_;
    const double *r = at->wanted, *y = at->measured, *p = at->pressure, *area = model->areas;
    values[0] = model->force + model->stiffness * (r[0] - y[0]) + model->damping * (r[1] - y[1]);
    values[1] = p[0] * area[0] - p[1] * area[1] - model->atmosphere * (area[0] - area[1]);
    values[2] =
        ib_servo_limit(&model->servo, model->servo.offset + model->gain * (values[0] - values[1]) +
                                          model->flow * y[1]);
}

static ib_ServoNeeds needs_of(const Config *config)
{
    return (ib_ServoNeeds){.velocity = config->damping != 0 || config->flow != 0,
                           .pressures = true,
                           .states = VALUES,
                           .act = act,
                           .signals = {own_signals, sizeof own_signals / sizeof own_signals[0]}};
}

static ib_Status init(const void *config_, const ib_ControlSite *site, ib_Arena *arena,
                      void *model_, ib_ControlPorts *ports, ib_Error *error)
{
    const Config *config = config_;
    Model *model = model_;
    ib_ServoNeeds needs = needs_of(config);
    ib_HoldPins pins;
    *model = (Model){.stiffness = config->stiffness,
                     .damping = config->damping,
                     .force = config->force,
                     .gain = config->gain,
                     .flow = config->flow,
                     .areas = {config->areas[0], config->areas[1]},
                     .atmosphere = config->atmosphere};
    ib_Status status =
        ib_servo_init(&config->servo, &needs, site, arena, &model->servo, ports, &pins, error);
    if (status != IB_OK) return status;
    if (strcmp(pins.reads.unit, "m") != 0)
        return ib_error_set(error, IB_BAD_INPUT,
                            "it holds '%s', which is in %s: expected a position in m, where a "
                            "stiffness is in N/m",
                            pins.reads.name, pins.reads.unit);
    if (config->areas[1] > config->areas[0])
        return ib_error_set(
            error, IB_BAD_INPUT,
            "area.rod: %g m^2 is more than area.cap, %g m^2: expected the ring that "
            "the rod leaves",
            config->areas[1], config->areas[0]);
    return IB_OK;
}

static const ib_Param params[] = {
    IB_SERVO_ROWS(Config, servo),
    IB__SERVO("stiffness", IB_PARAM_NUMBER, "N/m", NULL, 0, IB_SERVO_MOST, NULL, Config, stiffness,
              "force for each unit of distance from the goal"),
    IB__SERVO("damping", IB_PARAM_NUMBER, "N*s/m", "0 N*s/m", 0, IB_SERVO_MOST, NULL, Config,
              damping, "force against each unit of velocity"),
    IB_SERVO_NUMBER("force", "N", Config, force, "force at the goal, such as against a weight"),
    IB__SERVO("gain", IB_PARAM_NUMBER, "U/N", NULL, -IB_SERVO_MOST, IB_SERVO_MOST, NULL, Config,
              gain, "output for each unit of force that is missing"),
    IB_SERVO_NUMBER("flow", "U*s/Y", Config, flow,
                    "output for each unit of velocity: the gas that a moving piston takes"),
    IB__SERVO("area.cap", IB_PARAM_NUMBER, "m^2", NULL, 1e-9, 1e3, NULL, Config, areas[0],
              "area of the piston, on which the first pressure acts"),
    IB__SERVO("area.rod", IB_PARAM_NUMBER, "m^2", NULL, 1e-9, 1e3, NULL, Config, areas[1],
              "area on the rod's side, on which the second one acts"),
    IB__SERVO("atmosphere", IB_PARAM_NUMBER, "Pa", "101325 Pa", 0, 1e9, NULL, Config, atmosphere,
              "pressure outside, on the rod"),
};

static const char *idle(const void *config, const char *key)
{
    ib_ServoNeeds needs = needs_of(config);
    return ib_servo_idle(&((const Config *)config)->servo, &needs, key);
}

const ib_ControllerKind ib_impedance_kind = {
    .name = "impedance",
    .sentence = "a cylinder that yields like a spring and a damper, by its pressures",
    .docs = "docs/control/impedance.md",
    IB_CONTROLLER_TABLES(Config, Model),
    .params.idle = idle,
    IB_SERVO_ACT_FUNCTIONS,
};
