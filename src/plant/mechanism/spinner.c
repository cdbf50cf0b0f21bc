#include "plant/mechanism/spinner.h"

static const ib_MechanismPort states[2] = {
    {"angle", "rad", "angle by which it has turned", true},
    {"speed", "rad/s", "angular speed at which it turns", false},
};

void ib_spinner_init(const ib_GearmotorConfig *gear, double inertia, double friction, bool angle,
                     ib_Spinner *s, ib_MechanismPorts *ports)
{
    ib_gearmotor_init(gear, &s->gear);
    s->inertia = inertia + s->gear.inertia;
    s->friction = friction;
    s->speed = angle;
    ib_mechanism_add_joint(ports, (ib_Joint){.turns = true, .unplaced = !angle, .stops = true},
                           states + !angle);
    ib_mechanism_measure(ports, 0);
    ib_gearmotor_input(&s->gear, angle, 1, ports);
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

void ib_spinner_facts(const void *model, ib_MechanismFacts *f)
{
    const ib_Spinner *s = model;
    double drag = s->gear.drag + s->friction;
    ib_gearmotor_facts(&s->gear, f);
    ib_fact_add(f, "top_speed", "rad/s", "speed at which it stays under full voltage",
                s->gear.push * s->gear.voltage / drag);
    ib_fact_add(f, "time_constant", "s", "time constant of running up and down", s->inertia / drag);
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
