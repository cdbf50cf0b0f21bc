// control/feedback/sliding_mode_controller.c: a servo that is driven onto a surface of its error
// and slides along it to the goal, for any plant within limits. docs/control/sliding_mode.md
//   control: {valve: {kind: sliding_mode, sensors: cylinder.position, inputs: valve,
//             offset: 5.25 V, frequency: 40 rad/s, gain: 2 V, layer: 2 mm}}
//
//   e = r - x, its rates from r' - v and r" - a
//   s = e + (2 zeta/w) e' + e"/w^2    (order 2),   s = e + e'/w    (order 1)      in units of x
//   q = e' + (2 zeta/w) e"            (order 2),   q = e'          (order 1)
//   u = u0 + k sat(s/phi) + kv v + ka a + kq q,    within its limits;   sat: s/phi, at most 1
// The error on s = 0 decays like that of a second-order (first-order) system of the frequency w.
// Limits: phi -> 0: a relay; |s| < phi: linear feedback with the gain k/phi.
#include "base/extreme.h"
#include "control/servo/servo.h"

#include <math.h>
#include <string.h>

typedef struct Config {
    ib_ServoConfig servo;
    int order;
    double frequency, damping;            ///< w [1/s], zeta
    double gain, layer;                   ///< k [U], phi [Y]
    double velocity, acceleration, slide; ///< kv [U s/Y], ka [U s^2/Y], kq [U s/Y]
} Config;

typedef struct Model {
    ib_ServoModel servo;
    double rate, bend; ///< of e' and e" in s: 2 zeta/w and 1/w^2, or 1/w and 0 [s, s^2]
    double lead;       ///< of e" in q [s]
    double gain, layer, velocity, acceleration, slide;
} Model;

enum { VALUES = 4 }; ///< the surface, two shares and the output

static const ib_SignalDef own_signals[] = {
    IB_SERVO_SIGNALS,
    {"surface", "Y", "distance from the surface on which the error dies by itself", 0},
    {"switching", "U", "what drives it to the surface", 0},
    {"equivalent", "U", "what would keep it there, its offset too", 0},
};

// s, the two shares of the output, and the output.
static void act(const void *model_, const ib_ServoPoint *at, double *values)
{
    const Model *model = model_;
    const double *r = at->wanted, *y = at->measured;
    double e = r[0] - y[0], de = r[1] - y[1], dde = r[2] - y[2];
    double s = e + model->rate * de + model->bend * dde;
    double part = ib_max(-1, ib_min(1, s / model->layer));
    values[0] = s;
    values[1] = model->gain * part;
    values[2] = model->servo.offset + model->velocity * y[1] + model->acceleration * y[2] +
                model->slide * (de + model->lead * dde);
    values[3] = ib_servo_limit(&model->servo, values[1] + values[2]);
}

static ib_ServoNeeds needs_of(const Config *config)
{
    return (ib_ServoNeeds){.velocity = true,
                           .acceleration = config->order == 2 || config->acceleration != 0,
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
    bool second = config->order == 2;
    double w = config->frequency, two = 2 * config->damping / w;
    *model = (Model){.rate = second ? two : 1 / w,
                     .bend = second ? 1 / (w * w) : 0,
                     .lead = second ? two : 0,
                     .gain = config->gain,
                     .layer = config->layer,
                     .velocity = config->velocity,
                     .acceleration = config->acceleration,
                     .slide = config->slide};
    return ib_servo_init(&config->servo, &needs, site, arena, &model->servo, ports, &pins, error);
}

static const ib_Param params[] = {
    IB_SERVO_ROWS(Config, servo),
    IB__SERVO("order", IB_PARAM_COUNT, "1", "2", 1, 2, NULL, Config, order,
              "highest rate of the error in the surface: 1, its velocity; 2, its acceleration"),
    IB__SERVO("frequency", IB_PARAM_NUMBER, "rad/s", NULL, 1e-6, 1e9, NULL, Config, frequency,
              "how fast the error dies on the surface"),
    IB__SERVO("damping", IB_PARAM_NUMBER, "1", "1", 0, 1e6, NULL, Config, damping,
              "damping ratio of the error on the surface, of order 2"),
    IB__SERVO("gain", IB_PARAM_NUMBER, "U", NULL, -IB_SERVO_MOST, IB_SERVO_MOST, NULL, Config, gain,
              "output that drives to the surface from outside of its layer"),
    IB__SERVO("layer", IB_PARAM_NUMBER, "Y", NULL, 1e-12, IB_SERVO_MOST, NULL, Config, layer,
              "distance from the surface within which the output is in proportion: none chatters"),
    IB_SERVO_NUMBER("equivalent.velocity", "U*s/Y", Config, velocity,
                    "output that each unit of the measured velocity takes"),
    IB_SERVO_NUMBER("equivalent.acceleration", "U*s^2/Y", Config, acceleration,
                    "output that each unit of the measured acceleration takes"),
    IB_SERVO_NUMBER("equivalent.slide", "U*s/Y", Config, slide,
                    "output for each unit of speed at which the error would leave the surface"),
};

static const char *idle(const void *config_, const char *key)
{
    const Config *config = config_;
    ib_ServoNeeds needs = needs_of(config);
    if (strcmp(key, "damping") == 0) return config->order == 1 ? "order" : NULL;
    return ib_servo_idle(&config->servo, &needs, key);
}

const ib_ControllerKind ib_sliding_mode_kind = {
    .name = "sliding_mode",
    .sentence = "a servo that slides to its goal along a surface of its error",
    .docs = "docs/control/sliding_mode.md",
    IB_CONTROLLER_TABLES(Config, Model),
    .params.idle = idle,
    IB_SERVO_ACT_FUNCTIONS,
};
