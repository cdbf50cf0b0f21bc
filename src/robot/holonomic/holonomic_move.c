// robot/holonomic/holonomic_move.c: what a command for each axis does, for whoever moves the base.
//
//   symbol   meaning                                                            unit
//   t_ik     what rim i turns for each m/s or rad/s of axis k                   rad/m, 1
//   V        of the bus, as the battery stands there                            V
//   w_max    of a motor at V:  (Kt V - R T0)/(Kt Ke + R b)                      rad/s
//
// Full stick along axis k turns the rims by outputs t_ik/max |t_ik|, so that
//   top = w_max/(G max |t_ik|),    lag = m_k/d_k,    d_k = sum N G^2 (Kt Ke/R + b) t_ik^2
// with m_k the mass or inertia along it, rims and rotors included. Where the columns of t are at
// right angles to each other, as those of all presets are, axes do not mix.
#include "base/extreme.h"
#include "robot/holonomic/holonomic.h"
#include "robot/parts.h"

#include <math.h>

static const struct {
    const char *command;
    double sign;
} axis_rows[IB_MOVER_AXES] = {{"stick.y", 1}, {"stick.x", -1}, {"turn", -1}};

ib_Status ib__holonomic_move(const void *model, const double *state, ib_AxisDrive axes[3],
                             ib_Error *error)
{
    static const char *const names[] = {"forward", "sideways", "turning"};
    const ib_HolonomicModel *h = ib_parts_own(model);
    const ib_PowerModel *power = &((const ib_PartsModel *)model)->feed.power;
    const ib_MotorShaft *shaft = &h->shafts[0];
    const ib_MotorModel *m = &shaft->motor;
    double G = shaft->reduction, charge = ib_power_charge(power, state, state[power->books.used]);
    double V = ib_battery_open_circuit(&power->battery, charge);
    double fastest = (m->Kt * V - m->R * m->coulomb) / (m->Kt * m->Ke + m->R * m->viscous);
    double damping = shaft->motors * G * G * (m->Kt * m->Ke * m->per_R + m->viscous);
    for (int k = 0; k < IB_MOVER_AXES; k++) {
        double most = 0, squares = 0, mass = k < 2 ? h->mass : h->inertia;
        for (int i = 0; i < h->rims.count; i++) {
            double t = h->rims.layout.turn[i][k];
            most = ib_max(most, fabs(t));
            squares += t * t;
            mass += h->rims.spin[i] * t * t;
        }
        if (!(most > 1e-9))
            return ib_error_set(error, IB_BAD_INPUT, "no motor moves it %s", names[k]);
        axes[k] = (ib_AxisDrive){.command = axis_rows[k].command,
                                 .sign = axis_rows[k].sign,
                                 .top = fastest / (G * most),
                                 .lag = mass / (damping * squares),
                                 .coasts = h->motors.coasts};
    }
    return IB_OK;
}
