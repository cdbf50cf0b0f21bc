// plant/mechanism/mechanism_turret.c: a body that turns about an upright axis, with its angle. Its
// mechanics: plant/mechanism/spinner.h.
#include "base/extreme.h"
#include "plant/mechanism/spinner.h"

#include <math.h>

typedef struct Config {
    ib_GearmotorConfig gear;
    ib_ActuatorConfig act;
    double inertia;  ///< about its axis [kg m^2]
    double mass;     ///< [kg]
    double friction; ///< of its bearing [N m s]
} Config;

static const ib_Param params[] = {
    IB_GEARMOTOR_ROWS("motors", "1", "50", "true"),
    IB_NUMBER_ROW("inertia", "kg*m^2", "0.2 kg*m^2", 1e-9, 1e6, inertia,
                  "moment of inertia about its axis"),
    IB_NUMBER_ROW("mass", "kg", "5 kg", 0, 1e4, mass,
                  "mass of what turns; at the desk it has no effect"),
    IB_TURN_FRICTION_ROW("its bearing"),
    IB_TRAVEL_ROWS(Config, "rad", "N*m"),
};

static const ib_Param start[] = {
    IB_START_POSITION("position", "rad", Config, 0),
    IB_START_VELOCITY("velocity", "rad/s", Config, 0),
};

static void init(const void *config_, void *model, ib_MechanismPorts *ports)
{
    const Config *config = config_;
    ib_spinner_init(&config->gear, config->inertia, config->friction, true, model, ports);
    ports->mass = config->mass;
}

static void facts(const void *model, ib_MechanismFacts *f)
{
    const ib_GearmotorModel *gear = &((const ib_Spinner *)model)->gear;
    ib_spinner_facts(model, f);
    ib_fact_add(f, "stall_torque", "N*m",
                "torque of the motors at the turret, at full voltage and at rest",
                gear->push * gear->voltage);
}

// A disc of its inertia and mass, with a barrel that points forward at 0:  J = m r^2/2.
static void geometry(const void *config_, ib_MechanismDraft *draft)
{
    const Config *config = config_;
    double r = config->mass > 0 ? sqrt(2 * config->inertia / config->mass) : 0.2;
    r = ib_min(ib_max(r, 0.05), 0.4);
    ib_FrameDef *frame = ib_draft_frame(draft, "turret");
    frame->turn[0] = ib_draft_name(draft, "position");
    ib_SolidDef *disc =
        ib_draft_solid(draft, "turret", "turret", IB_SOLID_CYLINDER, IB_COLOUR_METAL);
    disc->size[0] = r;
    disc->size[1] = disc->size[2] = 0.2 * r;
    ib_draft_box(draft, "barrel", "turret", (double[]){0.6 * r, 0, 0.25 * r},
                 (double[]){1.2 * r, 0.3 * r, 0.3 * r}, IB_COLOUR_LOAD);
}

const ib_MechanismKind ib_turret_mechanism = {
    .name = "turret",
    .sentence = "something that turns about an upright axis",
    IB_MECHANISM_TABLES(Config, ib_Spinner, IB_TRAVEL_ROW_COUNT),
    .init = init,
    IB_SPINNER_FUNCTIONS,
    .facts = facts,
    .geometry = geometry,
};
