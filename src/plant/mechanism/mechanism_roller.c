// plant/mechanism/mechanism_roller.c: a roller of an intake, a feeder, a conveyor: a thin tube on a
// gear. Its mechanics: plant/mechanism/spinner.h.
#include "plant/mechanism/spinner.h"

typedef struct Config {
    ib_GearmotorConfig gear;
    ib_ActuatorConfig act;
    double mass;     ///< m [kg]
    double radius;   ///< r [m]
    double length;   ///< of the drawn tube [m]
    double friction; ///< of its bearings [N m s]
} Config;

typedef struct Model {
    ib_Spinner spinner;
    double radius; ///< r [m]
} Model;

static const ib_Param params[] = {
    IB_GEARMOTOR_ROWS("motors", "1", "4", "true"),
    IB_NUMBER_ROW("mass", "kg", "0.5 kg", 1e-6, 1e4, mass, "mass of the roller, a thin tube"),
    IB_NUMBER_ROW("radius", "m", "2.5 cm", 1e-4, 10, radius, "radius of the roller"),
    IB_NUMBER_ROW("length", "m", "50 cm", 1e-3, 10, length, "length of the roller as it is drawn"),
    IB_TURN_FRICTION_ROW("its bearings"),
    IB_ACTUATOR_ROWS(Config, "N*m"),
};

static const ib_Param start[] = {IB_START_VELOCITY("velocity", "rad/s", Config, 0)};

//   J = m r^2 + rotors
static void init(const void *config_, void *model, ib_MechanismPorts *ports)
{
    const Config *config = config_;
    Model *m = model;
    double inertia = config->mass * config->radius * config->radius;
    ib_spinner_init(&config->gear, inertia, config->friction, false, &m->spinner, ports);
    m->radius = config->radius;
    ports->mass = config->mass;
}

static void facts(const void *model, ib_MechanismFacts *f)
{
    const Model *m = model;
    const ib_Spinner *s = &m->spinner;
    double top = s->gear.push * s->gear.voltage / (s->gear.drag + s->friction);
    ib_spinner_facts(model, f);
    ib_fact_add(f, "surface_speed", "m/s", "speed of its surface at the top speed",
                m->radius * top);
}

static void geometry(const void *config_, ib_MechanismDraft *draft)
{
    const Config *config = config_;
    ib_draft_wheel(draft, config->radius, config->length);
}

const ib_MechanismKind ib_roller_mechanism = {
    .name = "roller",
    .sentence = "a roller that draws something in",
    IB_MECHANISM_TABLES(Config, Model, IB_ACTUATOR_ROW_COUNT),
    .init = init,
    IB_SPINNER_FUNCTIONS,
    .facts = facts,
    .geometry = geometry,
};
