#include "robot/axes.h"

#include "base/extreme.h"

#include <math.h>

int ib_axes_declare(ib_Declarations *d)
{
    static const struct {
        const char *name, *sentence;
        ib_DriveAxis axis;
    } sticks[] = {
        {"stick.x", "command to move to the right, -1 to 1", IB_DRIVES_RIGHT},
        {"stick.y", "command to move forward, -1 to 1", IB_DRIVES_FORWARD},
        {"turn", "command to turn to the right, -1 to 1", IB_DRIVES_TURN_RIGHT},
    };
    int first = d->input_count;
    for (int i = 0; i < 3; i++) {
        ib_InputDef stick =
            ib_number_input(sticks[i].name, "1", sticks[i].sentence, -1, 1, "-1 to 1");
        stick.axis = sticks[i].axis;
        ib_declare_input(d, stick, NULL);
    }
    ib_InputDef frame = ib_number_input(
        "stick.frame", "rad",
        "heading by which the stick is turned back: that of the robot in the driver's eyes, for "
        "field-oriented driving",
        -1e6, 1e6, NULL);
    frame.for_loops = true;
    ib_declare_input(d, frame, NULL);
    return first;
}

ib_Status ib_axes_init(const ib_AxesConfig *config, const ib_PartsModel *robot, const double *state,
                       ib_Locomotion *base, ib_Error *error)
{
    static const struct {
        const char *name, *command;
        double sign;
    } rows[IB_AXES] = {
        {"forward", "stick.y", 1}, {"sideways", "stick.x", -1}, {"turning", "turn", -1}};
    const ib_PowerModel *power = &robot->feed.power;
    const ib_MotorShaft *shaft = config->shaft;
    const ib_MotorModel *m = &shaft->motor;
    double G = shaft->reduction, charge = ib_power_charge(power, state, state[power->books.used]);
    double V = ib_battery_open_circuit(&power->battery, charge);
    double fastest = (m->Kt * V - m->R * m->coulomb) / (m->Kt * m->Ke + m->R * m->viscous);
    double damping = shaft->motors * G * G * (m->Kt * m->Ke * m->per_R + m->viscous);
    ib_AxisDrive axes[IB_AXES];
    for (int k = 0; k < IB_AXES; k++) {
        double most = 0, squares = 0, mass = k < 2 ? config->mass : config->inertia;
        for (int i = 0; i < config->count; i++) {
            double t = config->turn[i][k];
            most = ib_max(most, fabs(t));
            squares += t * t;
            mass += config->spin[i] * t * t;
        }
        if (!(most > 1e-9))
            return ib_error_set(error, IB_BAD_INPUT, "no motor moves it %s", rows[k].name);
        axes[k] = (ib_AxisDrive){.command = rows[k].command,
                                 .sign = rows[k].sign,
                                 .top = fastest / (G * most),
                                 .lag = mass / (damping * squares),
                                 .coasts = config->coasts};
    }
    ib_locomotion_of_axes(axes, base);
    return IB_OK;
}
