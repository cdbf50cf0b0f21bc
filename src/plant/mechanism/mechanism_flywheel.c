// plant/mechanism/mechanism_flywheel.c: a wheel on a gear, kept at a speed. It has
// the mechanics of plant/mechanism/spinner.h.
#include "base/extreme.h"
#include "plant/mechanism/spinner.h"

#include <math.h>

typedef struct Config {
    ib_GearmotorConfig gear;
    ib_ActuatorConfig act;
    double inertia;  ///< of the wheel [kg m^2]
    double friction; ///< of its bearings and the air [N m s]
} Config;

static const ib_Param params[] = {
    IB_GEARMOTOR_ROWS("motors", "1", "1", "true"),
    IB_NUMBER_ROW("inertia", "kg*m^2", "0.002 kg*m^2", 1e-9, 1e6, inertia,
                  "moment of inertia of the wheel"),
    IB_TURN_FRICTION_ROW("bearings and air"),
    IB_ACTUATOR_ROWS(Config, "N*m"),
};

static const ib_Param start[] = {IB_START_VELOCITY("velocity", "rad/s", Config, 0)};

static void init(const void *config_, void *model, ib_MechanismPorts *ports)
{
    const Config *config = config_;
    ib_spinner_init(&config->gear, config->inertia, config->friction, false, model, ports);
}

// Its size is that of a steel disc of its inertia, 2 cm thick:  J = pi/2 rho t r^4.
static void geometry(const void *config_, ib_MechanismDraft *draft)
{
    const Config *config = config_;
    ib_draft_wheel(draft, ib_max(sqrt(sqrt(config->inertia / 247)), 0.03), 0.02);
}

const ib_MechanismKind ib_flywheel_mechanism = {
    .name = "flywheel",
    .sentence = "a wheel that is kept at a speed",
    IB_MECHANISM_TABLES(Config, ib_Spinner, IB_ACTUATOR_ROW_COUNT),
    .init = init,
    IB_SPINNER_FUNCTIONS,
    .facts = ib_spinner_facts,
    .geometry = geometry,
};
