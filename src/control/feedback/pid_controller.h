// control/feedback/pid_controller.h: a PID on one measurement and one output, as kinds pid and
// profiled are. Y is the unit of the measurement, U that of the output.
#ifndef IB_CONTROL_FEEDBACK_PID_CONTROLLER_H
#define IB_CONTROL_FEEDBACK_PID_CONTROLLER_H

#include "control/feedback/pid.h"
#include "control/servo/hold.h"

// The first member of such a kind's config.
// Its rows: IB_WIRING_ROWS, IB_PERIOD_ROW, IB_OFFSET_ROW, IB_PID_ROWS, IB_PID_COSINE_ROW.
typedef struct ib_PidControllerConfig {
    ib_WiringConfig wiring;
    ib_PidConfig pid;
    double offset; ///< output at no error [U], a constant of its feed-forward; infinite: neutral
    double cosine; ///< output that carries a weight at the measured angle 0 [U]
} ib_PidControllerConfig;

#define IB_PID_COSINE_ROW(config, field)                                                           \
    IB_PARAM_ROW("feedforward.cosine", IB_PARAM_NUMBER, "U", "0 U", -DBL_MAX, DBL_MAX, NULL,       \
                 config, field, false,                                                             \
                 "output times the cosine of the measured angle: what carries an arm")

typedef struct ib_PidControllerModel {
    ib_PidModel pid;
    double cosine; ///< as in the config [U]
    bool turns;    ///< an angle is measured
} ib_PidControllerModel;

// Signals of a PID: its own, the last or the only ones, and the output after them.
#define IB_PID_SIGNAL_ROWS                                                                         \
    {"proportional", "U", "what the error adds to the output", 0},                                 \
        {"integral", "U", "what past errors add to the output", 0},                                \
        {"derivative", "U", "what the rate of change adds to the output", 0},                      \
    {                                                                                              \
        "feedforward", "U", "what is added to the output whatever is measured, its offset too", 0  \
    }
enum {
    IB_PID_SHOWN_PROPORTIONAL,
    IB_PID_SHOWN_INTEGRAL,
    IB_PID_SHOWN_DERIVATIVE,
    IB_PID_SHOWN_FEEDFORWARD,
    IB_PID_SHOWN_OUTPUT,
    IB_PID_SHOWN,
};

// Model and ports (control/servo/hold.h). `hold` counts the PID's states and signals too:
// behind those of the kind.
ib_Status ib_pid_controller_init(const ib_PidControllerConfig *config, const ib_ControlSite *site,
                                 const ib_HoldConfig *hold, ib_Arena *arena,
                                 ib_PidControllerModel *model, ib_ControlPorts *ports,
                                 ib_Error *error);

// One tick: the output [U] that brings `measured` [Y] to `wanted`, a goal or a point of a profile.
double ib_pid_controller_step(const ib_PidControllerModel *model, const ib_ProfilePoint *wanted,
                              double measured, double *state);
void ib_pid_controller_show(const ib_PidControllerModel *model, const double *state, double *shown);

#endif
