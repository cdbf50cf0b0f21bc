// robot/axes.h: the stick of a base that goes any way, a command for each axis; and its effect, top
// speed and lag, for routines and paths. Derivation: docs/control/locomotion.md
//
//   symbol   meaning                                                            unit
//   t_ik     turn of rim i for each m/s or rad/s of axis k                   rad/m, 1
//   V        of the bus, as the battery stands there                            V
//   w_max    of a motor at V:  (Kt V - R T0)/(Kt Ke + R b)                      rad/s
//
// Full stick along axis k turns the rims by outputs t_ik/max |t_ik|, so that
//   top = w_max/(G max |t_ik|),    lag = m_k/d_k,    d_k = sum N G^2 (Kt Ke/R + b) t_ik^2
// with m_k the mass or inertia along it, rims and rotors included. If the columns of t are
// orthogonal, as those of all presets are, axes do not mix.
#ifndef IB_ROBOT_AXES_H
#define IB_ROBOT_AXES_H

#include "control/driving/stick.h"
#include "plant/electric/motor_row.h"
#include "robot/parts.h"

typedef struct ib_AxesConfig {
    const ib_MotorShaft *shaft;    ///< of every rim
    int count;                     ///< of rims
    const double (*turn)[IB_AXES]; ///< t_ik
    const double *spin;            ///< inertia of each rim, rotors included [kg m^2]
    double mass, inertia;          ///< of the body [kg, kg m^2]
    bool coasts;                   ///< a command of 0 lets it roll on
} ib_AxesConfig;

// The inputs of a stick: stick.x, stick.y, turn, stick.frame.
enum { IB_AXES_INPUTS = 4 };

// Declares them; the place of the first.
int ib_axes_declare(ib_Declarations *d);

// The stick as the robot sees it: turned back by the heading of the driver's frame.
static inline ib_Stick ib_axes_stick(const double input[IB_AXES_INPUTS])
{
    ib_Stick stick = {input[0], input[1], input[2]};
    return input[3] != 0 ? ib_stick_in_frame(&stick, input[3]) : stick;
}

// The response of the axes.
ib_Status ib_axes_init(const ib_AxesConfig *config, const ib_PartsModel *robot, const double *state,
                       ib_Locomotion *base, ib_Error *error);

#endif
