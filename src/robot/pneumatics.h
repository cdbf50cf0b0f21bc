// robot/pneumatics.h: the air of a robot whose base has none of its own.
// Compressor, tanks and named cylinders (plant/air.h) are among the robot's states, inputs, signals
// and guards.
#ifndef IB_ROBOT_PNEUMATICS_H
#define IB_ROBOT_PNEUMATICS_H

#include "plant/feed.h"
#include "robot/kind.h"

typedef struct ib_Pneumatics {
    ib_AirModel air;
    const ib_AirConfig *config;
    // Where its parts lie among the robot's.
    int state;  ///< energy that the compressor used [J], then the air's own
    int guard;  ///< the air's margins
    int input;  ///< compressor, then a solenoid for each cylinder
    int signal; ///< energy.compressor, then the air's own
} ib_Pneumatics;

void ib_pneumatics_init(const ib_AirConfig *config, ib_Pneumatics *p);
void ib_pneumatics_lay_out(ib_Pneumatics *p, ib_Places *places);
void ib_pneumatics_reset(const ib_Pneumatics *p, double *x);

// x, dx, input, guards and signals are the robot's whole arrays; `on`: outputs follow
// their commands.
ib_Load ib_pneumatics_load(const ib_Pneumatics *p, const double *x, const double *input, bool on,
                           double volts);
void ib_pneumatics_rate(const ib_Pneumatics *p, const double *x, const double *input, bool on,
                        const ib_PowerNow *power, const ib_AirDraw *draw, double *dx);
void ib_pneumatics_guards(const ib_Pneumatics *p, const double *x, const double *input, bool on,
                          double *guards);
bool ib_pneumatics_settle(const ib_Pneumatics *p, const double *input, bool on, double *x);
void ib_pneumatics_output(const ib_Pneumatics *p, const double *x, const double *input, bool on,
                          const ib_PowerNow *power, double *signals);

// False without memory.
bool ib_pneumatics_inputs(const ib_Pneumatics *p, ib_Arena *arena, ib_InputDef *inputs);
bool ib_pneumatics_signals(ib_Pneumatics *p, ib_SignalTable *table);

#endif
