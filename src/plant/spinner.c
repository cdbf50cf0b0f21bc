#include "plant/spinner.h"

void ib_spinner_init(const ib_GearmotorConfig *gear, double inertia, double friction, bool angle,
                     ib_Spinner *s, ib_MechanismPorts *ports)
{
    ib_gearmotor_init(gear, &s->gear);
    s->inertia = inertia + s->gear.inertia;
    s->friction = friction;
    s->speed = angle;
    ports->joints = 1;
    ports->joint[0] =
        (ib_Joint){.turns = true, .unplaced = !angle, .position = 0, .speed = angle, .stops = true};
    ports->states = angle + 1;
    if (angle)
        ports->state[0] = (ib_MechanismPort){"angle", "rad", "angle by which it has turned", true};
    ports->state[angle] =
        (ib_MechanismPort){"speed", "rad/s", "angular speed at which it turns", false};
    ports->outputs = 1;
    ports->output[0] = ports->state[0];
    ib_gearmotor_input(&s->gear, ports);
}

void ib_spinner_shafts(const void *model, const double *x, double *w)
{
    w[0] = x[((const ib_Spinner *)model)->speed];
}

//   th' = w,   J w' = T - c w
void ib_spinner_rate(const void *model, const double *x, const double *torque, double g,
                     double *xdot)
{
    const ib_Spinner *s = model;
    double w = x[s->speed];
    (void)g;
    xdot[0] = w;
    xdot[s->speed] = (torque[0] - s->friction * w) / s->inertia;
}

void ib_spinner_output(const void *model, const double *x, const double *u, double *y)
{
    (void)model, (void)u;
    y[0] = x[0];
}

int ib_spinner_facts(const void *model, ib_MechanismFact *fact)
{
    const ib_Spinner *s = model;
    int count = ib_gearmotor_facts(&s->gear, fact);
    double drag = s->gear.drag + s->friction;
    fact[count++] =
        (ib_MechanismFact){"top_speed", "rad/s", "speed at which it stays under full voltage",
                           s->gear.push * s->gear.voltage / drag};
    fact[count++] = (ib_MechanismFact){"time_constant", "s", "time constant of running up and down",
                                       s->inertia / drag};
    return count;
}

void ib_spinner_energy(const void *model, const double *x, double g, ib_MechanismEnergy *e)
{
    const ib_Spinner *s = model;
    double w = x[s->speed];
    (void)g;
    e->kinetic = 0.5 * s->inertia * w * w;
    e->potential = 0;
    e->friction = s->friction * w * w;
}

void ib_spinner_mobility(const void *model, const double *x, double matrix[2][2])
{
    (void)x;
    matrix[0][0] = 1 / ((const ib_Spinner *)model)->inertia;
}
