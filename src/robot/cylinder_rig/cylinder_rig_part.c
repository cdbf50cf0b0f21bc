// robot/cylinder_rig/cylinder_rig_part.c: the rig's signals, and the rig as a part: of a robot of
// its own kind, or of any other as a mechanism.
#include "robot/books.h"
#include "robot/cylinder_rig/cylinder_rig_inside.h"
#include "robot/parts.h"

#include <string.h>

// ----------------------------------------------------------------------------------------- signals

#define BOOK(what, role, form, sentence) IB__BOOK_AS(what, sentence, 0, role, form)

const ib_SignalDef ib__rig_signals[IB_RIG_SIGNALS] = {
    {"cylinder.position", "m", "how far the rod is out", 1e3,
     IB_MEANS(.headline = 1, .shown = "mm")},
    {"cylinder.velocity", "m/s", "speed of the rod, outwards", 1e4, IB_MEANS(.headline = 2)},
    {"cylinder.acceleration", "m/s^2", "acceleration of the rod, outwards", 0},
    {"cylinder.force", "N", "force of the air on the piston, outwards", 0, IB_MEANS(.headline = 2)},
    {"cylinder.friction", "N", "friction of the seals; positive: it holds an extending rod back", 0,
     IB_MEANS(.headline = 3)},
    {"cylinder.stop", "N", "force of a stop, or of what holds the rod, outwards", 0},
    {"cylinder.load", "N",
     "force of the rod on the mass at its end, outwards: what a force sensor shows", 0},
    {"cap.pressure", "Pa", "pressure on the side without the rod, absolute", 0,
     IB_MEANS(.headline = 1, .shown = "kPa")},
    {"cap.temperature", "K", "temperature of the air on the cap side", 0, IB_MEANS(.headline = 3)},
    {"cap.mass", "kg", "air on the cap side", 1e6},
    {"rod.pressure", "Pa", "pressure on the side of the rod, absolute", 0,
     IB_MEANS(.headline = 1, .shown = "kPa")},
    {"rod.temperature", "K", "temperature of the air on the rod side", 0, IB_MEANS(.headline = 3)},
    {"rod.mass", "kg", "air on the rod side", 1e6},
    {"valve.voltage", "V", "voltage of the valve, 0 to 10 V", 0, IB_MEANS(.headline = 2)},
    {"valve.spool", "V", "place of the spool, in volts from the centre", 0},
    {"valve.area.1", "m^2", "effective area of port 1: all its ways together", 0},
    {"valve.area.2", "m^2", "effective area of port 2: all its ways together", 0},
    {"valve.flow.1", "kg/s", "air through port 1 into the cylinder", 0, IB_MEANS(.headline = 3)},
    {"valve.flow.2", "kg/s", "air through port 2 into the cylinder", 0, IB_MEANS(.headline = 3)},
    {"supply.pressure", "Pa", "pressure of the supply at the valve, absolute", 0,
     IB_MEANS(.headline = 3, .shown = "kPa")},
    {"air.used", "kg", "air taken from the supply so far", 1e6,
     IB_MEANS(.form = IB_SUM, .headline = 3)},
    {"air.vented", "kg", "air let out so far, leaks included", 1e6, IB_MEANS(.form = IB_SUM)},
    {"air.error", "kg", "error of the air balance: used - vented - gained", 0},
    BOOK("supply", IB_ROLE_SUPPLIED, IB_SUM, "enthalpy of the air taken from the supply"),
    BOOK("load", IB_ROLE_GIVEN, IB_SUM, "energy given by the force on the rod so far"),
    BOOK("heat", IB_ROLE_GIVEN, IB_SUM, "heat from the cylinder's walls so far"),
    BOOK("start", IB_ROLE_GIVEN, IB_SHOWN, "energy that the run began with"),
    BOOK("air", IB_ROLE_STORED, IB_SHOWN, "internal energy of the air in both chambers"),
    BOOK("kinetic", IB_ROLE_STORED, IB_SHOWN, "kinetic energy of the mass that moves"),
    BOOK("potential", IB_ROLE_STORED, IB_SHOWN,
         "energy of the raised mass, of the rod against the atmosphere and of pressed stops"),
    BOOK("exhaust", IB_ROLE_LOST, IB_SUM, "enthalpy of the air let out so far"),
    BOOK("leak", IB_ROLE_LOST, IB_SUM, "enthalpy of the air leaked so far"),
    {"energy.friction", "J", "energy lost to the seals so far", 0,
     IB_MEANS(.role = IB_ROLE_LOST, .form = IB_SUM, .headline = 3)},
    BOOK("stop", IB_ROLE_LOST, IB_SUM, "energy lost in the stops so far"),
    BOOK("error", IB_ROLE_BALANCE, IB_SHOWN,
         "error of the energy balance: all that came in - all the others"),
    {"cap.work", "J", "work of the cap side's air on the piston so far", 0,
     IB_MEANS(.form = IB_SUM)},
    {"cap.error", "J", "audit of the cap side: energy gained - enthalpy - heat + work", 0},
    {"rod.work", "J", "work of the rod side's air on the piston so far", 0,
     IB_MEANS(.form = IB_SUM)},
    {"rod.error", "J", "audit of the rod side: energy gained - enthalpy - heat + work", 0},
};

static void show_books(const ib_CylinderRigModel *rig, const double *x, const double *input,
                       double *y)
{
    const int *at = rig->at;
    const double *own = x + rig->state, *air = own + IB_RIG_AIR, *first = rig->begin + IB_RIG_AIR;
    double v = own[IB_RIG_VELOCITY], U = air[IB_CYLINDER_CAP_ENERGY] + air[IB_CYLINDER_ROD_ENERGY];
    double m = air[IB_CYLINDER_CAP_MASS] + air[IB_CYLINDER_ROD_MASS] - first[IB_CYLINDER_CAP_MASS] -
               first[IB_CYLINDER_ROD_MASS];
    y[at[IB_RIG_AIR_ERROR]] = x[at[IB_RIG_USED]] - x[at[IB_RIG_VENTED]] - m * IB_CYLINDER_MASS;
    y[at[IB_RIG_E_START]] = ib_cylinder_rig_stored(rig, rig->begin, 0);
    y[at[IB_RIG_E_AIR]] = U;
    y[at[IB_RIG_E_KINETIC]] = 0.5 * rig->piston.mass * v * v;
    y[at[IB_RIG_E_POTENTIAL]] =
        ib_cylinder_rig_stored(rig, own, ib__rig_gravity(rig, input)) - U - y[at[IB_RIG_E_KINETIC]];
    for (int i = 0; i < IB_SIDES; i++)
        y[at[ib__rig_work(i) + 1]] = air[2 * i + 1] - first[2 * i + 1] - x[rig->gained + i];
}

// Signals of one side: its air, and its port.
static void show_side(const ib_CylinderRigModel *rig, const ib_CylinderRigNow *now, int side,
                      const double *air, double *y)
{
    const ib_ChamberNow *chamber = &now->air.chamber[side];
    const ib_PortOpening *open = &now->open.port[side];
    const int *at = rig->at, port = rig->cylinder.valve.port[side];
    double *own = y + at[side == IB_SIDE_CAP ? IB_RIG_CAP_PRESSURE : IB_RIG_ROD_PRESSURE];
    own[0] = chamber->pressure;
    own[1] = chamber->temperature;
    own[2] = air[2 * side] * IB_CYLINDER_MASS;
    y[at[IB_RIG_AREA + port]] = open->area + open->other_area;
    y[at[IB_RIG_FLOW + port]] = now->air.port[side].mass;
}

static void output(const void *part, const void *notes, const ib_Wires *w, double *y)
{
    const ib_CylinderRigModel *rig = part;
    const int *at = rig->at;
    (void)notes;
    ib_CylinderRigNow now = ib_cylinder_rig_now(rig, w->x, w->input);
    y[at[IB_RIG_ACCELERATION]] = now.piston.acceleration;
    y[at[IB_RIG_FORCE]] = now.force;
    y[at[IB_RIG_FRICTION]] = now.piston.friction;
    y[at[IB_RIG_STOP]] = now.piston.stop;
    y[at[IB_RIG_ROD_LOAD]] = rig->piston.mass * now.piston.acceleration - now.weight - now.load;
    for (int i = 0; i < IB_SIDES; i++) show_side(rig, &now, i, w->x + rig->state + IB_RIG_AIR, y);
    y[at[IB_RIG_VOLTAGE]] = w->input[rig->valve];
    y[at[IB_RIG_SPOOL]] = now.spool;
    y[at[IB_RIG_SUPPLY]] = now.supply;
    show_books(rig, w->x, w->input, y);
}

// ------------------------------------------------------------------------------------------ a part

static void reset(const void *part, const void *config, const ib_Wires *w, double *x)
{
    (void)config, (void)w;
    ib_cylinder_rig_reset(part, x);
}

// On a moving body its mass is a stroke ahead of the piston.
static void offer(const void *part, void *notes, ib_Wires *w)
{
    const ib_CylinderRigModel *rig = part;
    (void)notes;
    if (!rig->body) return;
    double out = rig->cylinder.stroke + w->x[rig->state + IB_RIG_POSITION], m = rig->piston.mass;
    ib_cargo_add(&w->body.cargo, m, rig->place[0] + out * rig->ahead, rig->place[1],
                 rig->place[2] - out * rig->down);
}

// Reaction of its moving mass on a body that turns.
static void push(const void *part, void *notes, ib_Wires *w)
{
    const ib_CylinderRigModel *rig = part;
    const double *own = w->x + rig->state;
    (void)notes;
    if (!rig->body) return;
    double out = rig->cylinder.stroke + own[IB_RIG_POSITION];
    ib_body_recoil(&w->body, rig->place[0] + out * rig->ahead, rig->place[1],
                   rig->piston.mass * rig->ahead * own[IB_RIG_VELOCITY], 0);
}

static void rate(const void *part, const void *notes, ib_Wires *w, double *dx)
{
    (void)notes;
    ib_cylinder_rig_rate(part, w->x, w->input, dx);
}

static void guards(const void *part, const void *notes, const ib_Wires *w, double *margins)
{
    (void)notes;
    ib_cylinder_rig_guard(part, w->x, w->input, margins);
}

static bool settle(const void *part, const void *notes, const ib_Wires *w, double *x)
{
    (void)notes;
    return ib_cylinder_rig_settle(part, w->input, x);
}

static int own_states(const void *part, int *first)
{
    const ib_CylinderRigModel *rig = part;
    *first = rig->state;
    return rig->own_states;
}

static const ib_PartKind cylinder_part = {
    .name = "cylinder",
    .reset = reset,
    .offer = offer,
    .push = push,
    .rate = rate,
    .guards = guards,
    .settle = settle,
    .output = output,
    .own_states = own_states,
    .jacobian = ib_cylinder_rig_jacobian,
    .longest = ib_cylinder_rig_longest,
    .accept_step = ib_cylinder_rig_accept_step,
};

// Neutral is the valve's centre: the piston then rests. A load may be four times the force of
// the supply.
static void declare_inputs(ib_CylinderRigModel *rig, const char *name, ib_Declarations *d)
{
    double most = 4 * rig->supply.pressure * rig->cylinder.side[IB_SIDE_CAP].area;
    ib_declare_input(d,
                     (ib_InputDef){.name = ib_declare_name(d, name, "valve"),
                                   .unit = "V",
                                   .sentence = "voltage of the valve; above its centre the rod "
                                               "goes out",
                                   .role = IB_INPUT_COMMAND,
                                   .required = !name[0],
                                   .neutral = rig->cylinder.valve.centre,
                                   .low = 0,
                                   .high = 10,
                                   .limit = "the valve's range, 0 to 10 V"},
                     &rig->valve);
    ib_declare_input(d,
                     (ib_InputDef){.name = ib_declare_name(d, name, "load"),
                                   .unit = "N",
                                   .sentence = "force on the rod, outwards",
                                   .role = IB_INPUT_COMMAND,
                                   .low = -most,
                                   .high = most,
                                   .limit = "four times the force of the supply's pressure"},
                     &rig->load);
    ib_declare_input(d, ib_gain_input(ib_declare_name(d, name, "supply.pressure")), &rig->factor);
}

// `name`: of a part; "": of the robot itself.
static void declare(ib_CylinderRigModel *rig, const char *name, ib_Declarations *d)
{
    static const struct {
        int state, signal; // that may stand for it in a linear plant
    } air[] = {{IB_CYLINDER_CAP_ENERGY, IB_RIG_CAP_PRESSURE},
               {IB_CYLINDER_CAP_MASS, IB_RIG_CAP_PRESSURE + 1},
               {IB_CYLINDER_ROD_ENERGY, IB_RIG_ROD_PRESSURE},
               {IB_CYLINDER_ROD_MASS, IB_RIG_ROD_PRESSURE + 1}};
    int first = d->signals.count, *own = &rig->state;
    declare_inputs(rig, name, d);
    ib_declare_states(d, rig->own_states, IB_STATE, own);
    ib_declare(d, name, name[0] ? name : NULL, ib__rig_signals, IB_RIG_SIGNALS, rig->at);
    ib_declare_states(d, 2, IB_SUM, &rig->gained);
    ib_declare_guards(d, IB_RIG_GUARDS, &rig->guard);
    ib_declare_shown(d, own, IB_RIG_POSITION, first + IB_RIG_POSITION);
    ib_declare_shown(d, own, IB_RIG_VELOCITY, first + IB_RIG_VELOCITY);
    if (rig->spool >= 0) ib_declare_shown(d, own, rig->spool, first + IB_RIG_SPOOL);
    for (int i = 0; i < IB_CYLINDER_STATES; i++)
        ib_declare_stands_for(d, own, IB_RIG_AIR + air[i].state, first + air[i].signal);
    if (rig->line) ib_declare_stands_for(d, own, rig->line_mass, first + IB_RIG_SUPPLY);
}

void ib__rig_add(ib_CylinderRigModel *rig, const char *name, ib_Build *build)
{
    declare(rig, name, build->d);
    ib_build_part(build, &cylinder_part, rig);
    ib_build_step(build, ib_cylinder_rig_resolution(rig), ib_cylinder_rig_resolution_stiff(rig));
}

// ------------------------------------------------------------------------------------- a mechanism

const char *const ib__rig_equations[] = {"corrected", "published", NULL};
const char *const ib__rig_stops[] = {"rigid", "compliant", NULL};

static const ib_Param part_params[] = {RIG_ROWS(ib_RigPartConfig), IB_PLACE_ROWS(ib_RigPartConfig)};
static const ib_Param part_start[] = {START_ROWS(ib_RigPartConfig)};

// Keys without effect beside the others.
const char *ib__rig_idle(const ib_CylinderRigConfig *config, const char *key)
{
    bool rigid = config->piston.stops == IB_STOPS_RIGID;
    if (strcmp(key, "stops.restitution") == 0) return rigid ? NULL : "stops.law";
    if (strcmp(key, "stops.stiffness") == 0 || strcmp(key, "stops.damping") == 0)
        return rigid ? "stops.law" : NULL;
    if (strcmp(key, "side_load") == 0)
        return config->piston.friction.side_coefficient > 0 ? NULL : "friction.side_coefficient";
    if (strncmp(key, "friction", 8) == 0) return ib_friction_idle(&config->piston.friction, key);
    if (strncmp(key, "supply.", 7) == 0) return ib_supply_idle(&config->supply, key);
    return ib_cylinder_idle(&config->cylinder, key);
}

static const char *part_idle(const void *config, const char *key)
{
    return ib__rig_idle(&((const ib_RigPartConfig *)config)->rig, key);
}

static ib_Status part_check(const void *config, ib_Error *error)
{
    return ib_cylinder_rig_check(&((const ib_RigPartConfig *)config)->rig, error);
}

// Its mass, and where that is at the start.
static double burden(const void *config_, double centre[3])
{
    const ib_RigPartConfig *config = config_;
    const ib_CylinderRigConfig *rig = &config->rig;
    double stroke = rig->cylinder.stroke, out = stroke + ib_min(rig->position, stroke);
    centre[0] = out * ib_cos(rig->orientation);
    centre[2] = out * ib_sin(rig->orientation);
    return rig->piston.mass;
}

static ib_Status build_part(const void *config_, const char *name, ib_Build *build, ib_Error *error)
{
    const ib_RigPartConfig *config = config_;
    ib_CylinderRigModel *rig = ib_arena_alloc(build->arena, sizeof *rig);
    if (!rig) return ib_error_set(error, IB_FAILED, "out of memory for the cylinder");
    ib_cylinder_rig_init(&config->rig, rig);
    memcpy(rig->place, config->act.place, sizeof rig->place);
    if (build->robot->body.moves) rig->body = &build->robot->body.planar;
    ib__rig_add(rig, name, build);
    return IB_OK;
}

const ib_MechanismKind ib_cylinder_mechanism = {
    .name = "cylinder",
    .sentence = "the cylinder of a rig: supply, proportional valve, friction, a mass on its rod",
    .params = IB_SCHEMA(part_params),
    .params.idle = part_idle,
    .params.presets = "cylinder_rigs",
    .start = IB_SCHEMA(part_start),
    .config_size = sizeof(ib_RigPartConfig),
    .check = part_check,
    .burden = burden,
    .build = build_part,
};
