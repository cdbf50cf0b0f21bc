// control/servo/pva_controller.c: feedback of position, velocity, acceleration and pressure as a
// loop of a robot, sampled or continuous. docs/control/pva.md
//   control: {valve: {kind: pva, sensors: cylinder.position, inputs: valve, offset: 5.25 V,
//             kp: 150 V/m, kv: 5 V*s/m, period: continuous}}
#include "control/servo/pva.h"

#include <math.h>
#include <string.h>

typedef struct Config {
    ib_ServoConfig servo;
    ib_PvaConfig pva;
    ib_Words over; ///< quantity of the schedule; none: the held one
} Config;

typedef struct Model {
    ib_ServoModel servo;
    ib_PvaModel pva;
} Model;

// States of a sampled loop: the servo's, I and l, and the shares of the last output.
enum { OWN = IB_SERVO_STATES, SHARES = OWN + IB_PVA_STATES, STATES = SHARES + 7 };

enum { GOAL, REFERENCE, ERROR, SHOWN_SHARES }; ///< signals; shares as in ib_PvaShares, the output

static const ib_SignalDef own_signals[] = {
    IB_SERVO_SIGNALS,
    {"proportional", "U", "what the error adds to the output", 0},
    {"integral", "U", "what past errors add to the output", 0},
    {"velocity", "U", "what the error of the velocity adds to the output", 0},
    {"acceleration", "U", "what the error of the acceleration adds to the output", 0},
    {"pressure", "U", "what the difference of the pressures adds to the output", 0},
    {"feedforward", "U", "what is added to the output whatever is measured, its offset too", 0},
};

static ib_ServoNeeds needs_of(const Config *config)
{
    const double *gain = config->pva.gain;
    return (ib_ServoNeeds){.velocity = gain[IB_PVA_KV] != 0,
                           .acceleration = gain[IB_PVA_KA] != 0,
                           .pressures = gain[IB_PVA_KPRESSURE] != 0,
                           .schedule = config->over.count > 0 ? config->over.items[0] : NULL,
                           .states = STATES - IB_SERVO_STATES,
                           .rates = IB_PVA_STATES,
                           .signals = {own_signals, sizeof own_signals / sizeof own_signals[0]}};
}

static ib_Status init(const void *config_, const ib_ControlSite *site, ib_Arena *arena,
                      void *model_, ib_ControlPorts *ports, ib_Error *error)
{
    const Config *config = config_;
    Model *model = model_;
    ib_ServoNeeds needs = needs_of(config);
    ib_HoldPins pins;
    const double *gain = config->pva.gain;
    if (config->over.count > 1)
        return ib_error_set(error, IB_BAD_INPUT, "schedule.over: expected one name, got %d",
                            config->over.count);
    ib_Status status =
        ib_servo_init(&config->servo, &needs, site, arena, &model->servo, ports, &pins, error);
    if (status != IB_OK) return status;
    if (gain[IB_PVA_KP] == 0 && gain[IB_PVA_KI] == 0 && gain[IB_PVA_KV] == 0)
        return ib_error_set(error, IB_BAD_INPUT,
                            "it has no gain: expected kp, ki or kv, such as kp: 10 %s/%s",
                            pins.sets.unit, pins.reads.unit);
    return ib_pva_init(&config->pva, model->servo.period, &model->pva, error);
}

static void reset(const void *model, double *state)
{
    (void)model;
    memset(state, 0, STATES * sizeof *state);
}

static void copy_shares(const ib_PvaShares *s, double *shown)
{
    const double shares[] = {s->proportional, s->integral,    s->velocity, s->acceleration,
                             s->pressure,     s->feedforward, s->output};
    memcpy(shown, shares, sizeof shares);
}

// ----------------------------------------------------------------------------------------- sampled

// I <- I + T I';  l by its own filter, l <- l + (p1 - p2 - l) T/(Tw + T), from the first sample on.
static ib_ControlStatus step(const void *model_, const ib_ControlTick *tick, double *state,
                             double *output)
{
    const Model *model = model_;
    double *own = state + OWN, washout = model->pva.config.washout;
    ib_ServoPoint at;
    bool first = state[IB_SERVO_SAMPLES] == 0;
    ib_servo_sample(&model->servo, tick, state, &at);
    if (first) own[IB_PVA_LOW_PASSED] = at.pressure[0] - at.pressure[1];
    ib_PvaShares s = ib_pva_law(&model->pva, &model->servo, &at, own);
    copy_shares(&s, state + SHARES);
    output[0] = s.output;
    own[IB_PVA_INTEGRAL] += at.time * s.rate[IB_PVA_INTEGRAL];
    own[IB_PVA_LOW_PASSED] +=
        s.rate[IB_PVA_LOW_PASSED] * (at.time * washout / (washout + at.time + DBL_MIN));
    return IB_CONTROL_OK;
}

static void show(const void *model, const double *command, const double *state, double *signals)
{
    (void)model;
    signals[GOAL] = command[0];
    signals[REFERENCE] = state[IB_SERVO_REFERENCE];
    signals[ERROR] = state[IB_SERVO_REFERENCE] - state[IB_SERVO_MEASURED];
    memcpy(signals + SHOWN_SHARES, state + SHARES, (STATES - SHARES) * sizeof *signals);
}

// -------------------------------------------------------------------------------------- continuous

static void law(const void *model_, const ib_ControlInstant *now, const double *state,
                double *output, double *rate)
{
    const Model *model = model_;
    int own = ib_servo_rates(&model->servo);
    ib_ServoPoint at;
    ib_servo_now(&model->servo, now, state, &at);
    ib_PvaShares s = ib_pva_law(&model->pva, &model->servo, &at, state + own);
    ib_servo_rate(&model->servo, &at, rate);
    memcpy(rate + own, s.rate, sizeof s.rate);
    output[0] = s.output;
}

static void start(const void *model_, const ib_ControlInstant *now, double *state)
{
    const Model *model = model_;
    ib_ServoPoint at;
    ib_servo_start(&model->servo, now, state);
    ib_servo_now(&model->servo, now, state, &at);
    state[ib_servo_rates(&model->servo) + IB_PVA_LOW_PASSED] = at.pressure[0] - at.pressure[1];
}

static void law_show(const void *model_, const ib_ControlInstant *now, const double *state,
                     double *signals)
{
    const Model *model = model_;
    ib_ServoPoint at;
    ib_servo_now(&model->servo, now, state, &at);
    ib_PvaShares s =
        ib_pva_law(&model->pva, &model->servo, &at, state + ib_servo_rates(&model->servo));
    signals[GOAL] = now->command[0];
    signals[REFERENCE] = at.wanted[0];
    signals[ERROR] = at.wanted[0] - at.measured[0];
    copy_shares(&s, signals + SHOWN_SHARES);
}

// ---------------------------------------------------------------------------------------- in files

static const ib_TableDef factors = {2, {"Y", "1"}, 1};

#define GAIN(key, unit, which, sentence)                                                           \
    IB_SERVO_NUMBER(key, unit, Config, pva.gain[IB_PVA_##which], sentence)
#define TIME(key, field, sentence)                                                                 \
    IB__SERVO(key, IB_PARAM_NUMBER, "s", "0 s", 0, 1e6, NULL, Config, pva.field, sentence)
#define FACTOR(key, which, sentence)                                                               \
    IB__SERVO(key, IB_PARAM_TABLE, "1", "", -1e6, 1e6, &factors, Config,                           \
              pva.factor[IB_PVA_##which], sentence)

static const ib_Param params[] = {
    IB_SERVO_ROWS(Config, servo),
    GAIN("kp", "U/Y", KP, "output for an error of the position"),
    GAIN("ki", "U/(Y*s)", KI, "output that an error adds in every second"),
    GAIN("kv", "U*s/Y", KV, "output for an error of the velocity"),
    GAIN("ka", "U*s^2/Y", KA, "output for an error of the acceleration"),
    GAIN("kpressure", "U/Pa", KPRESSURE, "output against the difference of the pressures"),
    TIME("pressure_washout", washout,
         "time in which a difference of the pressures that lasts is forgotten; 0: never"),
    TIME("tracking_time", tracking_time,
         "time in which the integral gives way to a limit; 0: from the gains"),
    IB_SERVO_NUMBER("feedforward.static", "U", Config, pva.feed_static,
                    "output against friction, in the direction of the wanted velocity"),
    IB_SERVO_NUMBER("feedforward.velocity", "U*s/Y", Config, pva.feed_velocity,
                    "output for each unit of the wanted velocity"),
    IB_SERVO_NUMBER("feedforward.acceleration", "U*s^2/Y", Config, pva.feed_acceleration,
                    "output for each unit of the wanted acceleration"),
    IB__SERVO("schedule.over", IB_PARAM_WORDS, "1", NULL, 0, 0, NULL, Config, over,
              "sensor or signal that the factors go by, in the unit of what it holds; none: what "
              "it holds"),
    FACTOR("schedule.kp", KP, "[[value, factor], …] on kp, linear between rows"),
    FACTOR("schedule.ki", KI, "the same on ki"),
    FACTOR("schedule.kv", KV, "the same on kv"),
    FACTOR("schedule.ka", KA, "the same on ka"),
    FACTOR("schedule.kpressure", KPRESSURE, "the same on kpressure"),
};

static const char *idle(const void *config_, const char *key)
{
    static const char *const keys[IB_PVA_GAINS] = {"kp", "ki", "kv", "ka", "kpressure"};
    const Config *config = config_;
    ib_ServoNeeds needs = needs_of(config);
    int tables = 0;
    for (int i = 0; i < IB_PVA_GAINS; i++) {
        tables += config->pva.factor[i].count > 0;
        if (strncmp(key, "schedule.", 9) == 0 && strcmp(key + 9, keys[i]) == 0)
            return config->pva.gain[i] == 0 ? keys[i] : NULL;
    }
    if (strcmp(key, "schedule.over") == 0) return tables > 0 ? NULL : key;
    if (strcmp(key, "tracking_time") == 0) return config->pva.gain[IB_PVA_KI] == 0 ? "ki" : NULL;
    if (strcmp(key, "pressure_washout") == 0) return needs.pressures ? NULL : "kpressure";
    return ib_servo_idle(&config->servo, &needs, key);
}

const ib_ControllerKind ib_pva_kind = {
    .name = "pva",
    .sentence = "feedback of position, velocity and acceleration, and of pressures, for a servo",
    .docs = "docs/control/pva.md",
    IB_CONTROLLER_TABLES(Config, Model),
    .params.idle = idle,
    IB_CONTROLLER_FUNCTIONS,
    IB_CONTROLLER_LAW,
};
