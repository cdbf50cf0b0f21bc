// control/servo/servo.h: the common part of kinds that move one position by one output, with its
// motion as feedback: pva, sliding_mode, impedance. docs/control/servo.md
//
// The reference, r r' r", and the measurements, x v a and two pressures.
//   goal g, with its slope g' where a script ramps it;  reference_time tau
//   tau = 0:  r = g, r' = g', r" = 0
//   else      r" = (g - r)/tau^2 - 2 r'/tau       critically damped, from where the plant is found
// v and a are signals or sensors, where they are named; in a continuous loop also the neighbours of
// the position (cylinder.position, .velocity, .acceleration). Else they are filtered differences,
// over n periods T where n - 1 samples are missing:
//   v <- (Tf v + (x - x_before))/(Tf + n T),     a <- (Tf a + (v - v_before))/(Tf + n T)
// The reference over a period is exact for a held g:  with d = r - g, z = r' + d/tau, f
// = e^(-T/tau)
//   d <- f (d + T z),   r' <- f (r' - T z/tau)
// Limits: tau -> 0: r = g; Tf = 0: plain differences.
#ifndef IB_CONTROL_SERVO_SERVO_H
#define IB_CONTROL_SERVO_SERVO_H

#include "control/servo/hold.h"

// The first member of such a kind's config. Its rows: IB_SERVO_ROWS.
typedef struct ib_ServoConfig {
    ib_WiringConfig wiring;
    ib_Words velocity, acceleration; ///< sensors or signals; none: by name, or by differences
    ib_Words pressures;              ///< two of them; none: it reads no pressures
    double filter_time;              ///< Tf [s]
    double reference_time;           ///< tau [s]
    double offset;                   ///< output where nothing is wanted [U]; infinite: neutral
    double limits[2];                ///< of the output [U]; infinite: the range of the input
} ib_ServoConfig;

typedef struct ib_ServoPoint ib_ServoPoint;

// The output of a kind that remembers nothing of its own, as a function of the instant: `values` to
// show, the last of which is the output.
typedef void ib_ServoAct(const void *model, const ib_ServoPoint *at, double *values);

enum { IB_SERVO_VALUES = 8 }; ///< most of them

// Quantities used by the kind, by its config, and its own ones.
typedef struct ib_ServoNeeds {
    bool velocity, acceleration, pressures;
    const char *schedule; ///< a sensor or signal in the unit of the position; NULL: none
    int states, rates;    ///< of a sampled and of a continuous loop, behind those of the servo
    ib_ServoAct *act;     ///< NULL: it remembers something; else `states` is the number of values
    ib_SignalRows signals;
} ib_ServoNeeds;

// Immutable, shared by threads.
typedef struct ib_ServoModel {
    bool continuous;
    double period; ///< T [s]
    double filter_time, reference_time, fade;
    double offset, limits[2];
    int velocity, acceleration, pressures, schedule; ///< numbers of measurements; -1: none
    ib_ServoAct *act;
    int values;
} ib_ServoModel;

// An instant of the loop.
struct ib_ServoPoint {
    double wanted[3];   ///< r, r', r"
    double measured[3]; ///< x, v, a
    double pressure[2]; ///< [Pa]
    double schedule;    ///< x, or another quantity of the schedule
    double time;        ///< since the last good sample [s]; 0: this one is missing
};

// States of a sampled one, before the kind's own.
enum {
    IB_SERVO_SAMPLES, ///< good ones so far, up to 3
    IB_SERVO_MISSED,  ///< in a row
    IB_SERVO_MEASURED,
    IB_SERVO_REFERENCE = IB_SERVO_MEASURED + 3,
    IB_SERVO_PRESSURE = IB_SERVO_REFERENCE + 3,
    IB_SERVO_SCHEDULE = IB_SERVO_PRESSURE + 2,
    IB_SERVO_STATES,
};

// Model and ports (control/servo/hold.h). A continuous one has 2 states of its own where it has a
// reference: r and r', before the kind's.
ib_Status ib_servo_init(const ib_ServoConfig *config, const ib_ServoNeeds *needs,
                        const ib_ControlSite *site, ib_Arena *arena, ib_ServoModel *model,
                        ib_ControlPorts *ports, ib_HoldPins *pins, ib_Error *error);

// One tick of a sampled loop; a NAN is a missing sample.
void ib_servo_sample(const ib_ServoModel *model, const ib_ControlTick *tick, double *state,
                     ib_ServoPoint *point);
// The point of the last tick.
void ib_servo_last(const ib_ServoModel *model, const double *state, ib_ServoPoint *point);

// The same at an instant of a continuous one; the rates of the reference; its start; and how many
// states it has.
void ib_servo_now(const ib_ServoModel *model, const ib_ControlInstant *now, const double *state,
                  ib_ServoPoint *point);
void ib_servo_rate(const ib_ServoModel *model, const ib_ServoPoint *point, double *rate);
void ib_servo_start(const ib_ServoModel *model, const ib_ControlInstant *now, double *state);
static inline int ib_servo_rates(const ib_ServoModel *model)
{
    return model->reference_time > 0 ? 2 : 0;
}

// Functions of the table of a kind with an `act`, sampled and continuous (servo_act.c). Its model
// begins with an ib_ServoModel. Signals: goal, reference, error, values.
void ib_servo_act_reset(const void *model, double *state);
ib_ControlStatus ib_servo_act_step(const void *model, const ib_ControlTick *tick, double *state,
                                   double *output);
void ib_servo_act_show(const void *model, const double *command, const double *state,
                       double *signals);
void ib_servo_act_law(const void *model, const ib_ControlInstant *now, const double *state,
                      double *output, double *rate);
void ib_servo_act_start(const void *model, const ib_ControlInstant *now, double *state);
void ib_servo_act_law_show(const void *model, const ib_ControlInstant *now, const double *state,
                           double *signals);
#define IB_SERVO_ACT_FUNCTIONS                                                                     \
    .init = init, .reset = ib_servo_act_reset, .step = ib_servo_act_step,                          \
    .show = ib_servo_act_show, .law = ib_servo_act_law, .start = ib_servo_act_start,               \
    .law_show = ib_servo_act_law_show

// The first signals of every kind, behind the goal.
#define IB_SERVO_SIGNALS                                                                           \
    {"reference", "Y", "where it wants to be now, on the way to the goal", 0},                     \
    {                                                                                              \
        "error", "Y", "what is missing of it, as it is measured", 0                                \
    }

// w within the limits.
static inline double ib_servo_limit(const ib_ServoModel *model, double w)
{
    return w < model->limits[0] ? model->limits[0] : w > model->limits[1] ? model->limits[1] : w;
}

// ---------------------------------------------------------------------------------------- in files

#define IB_SERVO_MOST 1e100 ///< of a gain, as a PID's: products with it are finite
#define IB__SERVO(key, type, unit, fallback, min, max, detail, config, field, sentence)            \
    IB_PARAM_ROW(key, type, unit, fallback, min, max, detail, config, field, false, sentence)
#define IB_SERVO_NUMBER(key, unit, config, field, sentence)                                        \
    IB__SERVO(key, IB_PARAM_NUMBER, unit, "0 " unit, -IB_SERVO_MOST, IB_SERVO_MOST, NULL, config,  \
              field, sentence)

#define IB_SERVO_ROWS(config, servo)                                                               \
    IB_WIRING_ROWS, IB_PERIOD_OR_CONTINUOUS_ROW,                                                   \
        IB__SERVO("velocity", IB_PARAM_WORDS, "1", NULL, 0, 0, NULL, config, servo.velocity,       \
                  "sensor or signal of the velocity; none: a continuous loop takes the signal "    \
                  "beside the position's, a sampled one differences"),                             \
        IB__SERVO("acceleration", IB_PARAM_WORDS, "1", NULL, 0, 0, NULL, config,                   \
                  servo.acceleration, "the same of the acceleration"),                             \
        IB__SERVO("pressures", IB_PARAM_WORDS, "1", NULL, 0, 0, NULL, config, servo.pressures,     \
                  "two sensors or signals: [the one that pushes, the one that pushes back]"),      \
        IB__SERVO("filter_time", IB_PARAM_NUMBER, "s", "0 s", 0, 1e6, NULL, config,                \
                  servo.filter_time,                                                               \
                  "time constant of the low-pass filter of what is found by differences"),         \
        IB__SERVO("reference_time", IB_PARAM_NUMBER, "s", "0 s", 0, 1e6, NULL, config,             \
                  servo.reference_time,                                                            \
                  "time constant of the way to a goal that steps: it has a velocity and an "       \
                  "acceleration then; 0: none"),                                                   \
        IB_OFFSET_ROW(config, servo.offset),                                                       \
        IB__SERVO("limits", IB_PARAM_SPAN, "U", "off", -DBL_MAX, DBL_MAX, NULL, config,            \
                  servo.limits,                                                                    \
                  "[low, high]: least and most output; off: the range of what it sets")

// Keys of IB_SERVO_ROWS that do nothing beside these others (ib_Schema.idle).
const char *ib_servo_idle(const ib_ServoConfig *config, const ib_ServoNeeds *needs,
                          const char *key);

#endif
