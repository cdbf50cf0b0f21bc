// plant/actuator/actuator.c: from the config to the model: checks, constants, places.
#include "plant/actuator/actuator_inside.h"

#include "base/extreme.h"
#include "plant/electric/drivetrain.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SLACK 1e-12 ///< a stop is reached this far behind it [m], [rad], over its size

const char *ib_actuator_idle(const void *config, const char *key)
{
    const ib_MechanismConfig *all = config;
    bool direct = all->act.current == IB_WINDING_QUASI_STATIC;
    bool open = all->act.hook.outer == 0;
    if (strcmp(key, "inductance") == 0 && direct) return "current";
    if (open && (!strcmp(key, "hook.walls.slot") || !strcmp(key, "hook.walls.lip")))
        return "hook.walls.outer";
    if (strncmp(key, "cylinder.valve.", 15) == 0)
        return ib_valve_idle(&all->act.cylinder.valve, key);
    const char *rotor = strstr(key, "motor.rotor_inertia"); // of a joint: "joint1.motor.…"
    return rotor && !all->gear.rotors ? "rotors" : NULL;
}

const char *const ib_actuator_windings[] = {"quasi_static", "implicit", NULL};
const char *const ib_actuator_neutrals[] = {"brake", "coast", NULL};

// ----------------------------------------------------------------------------------------- configs

static const ib_MechanismConfig *common(const ib_MechanismSpec *spec)
{
    const void *config = &spec->config;
    return config;
}

// "left.position" of the start, "position" of the only joint, or by a name of its own.
static void name_start(const ib_Joint *joint, char *text, size_t size)
{
    if (joint->position_name)
        snprintf(text, size, "%s", joint->position_name);
    else
        snprintf(text, size, "%s%sposition", joint->name ? joint->name : "",
                 joint->name ? "." : "");
}

// The config of a joint: its own, or that of the first.
static const ib_JointConfig *joint_of(const ib_MechanismSpec *spec, int joint)
{
    return &common(spec)->act.joint[spec->kind->second_gear ? joint : 0];
}

// Its travel: as given, or as far as its cylinder goes.
static ib_Status resolve_travel(const ib_MechanismSpec *spec, int joint, double travel[2],
                                ib_Error *error)
{
    const ib_ActuatorConfig *act = &common(spec)->act;
    memcpy(travel, joint_of(spec, joint)->travel, sizeof act->joint[0].travel);
    return act->piston ? spec->kind->reach(&spec->config, travel, error) : IB_OK;
}

// The effective config: a cylinder has no rotors, and its stroke is the travel.
static ib_Status resolve_config(const ib_MechanismSpec *spec, ib_MechanismMemory *memory,
                                ib_Error *error)
{
    ib_MechanismConfig config = *common(spec);
    if (config.act.piston) {
        ib_Status status = resolve_travel(spec, 0, config.act.joint[0].travel, error);
        if (status != IB_OK) return status;
        config.gear.rotors = false;
    }
    *memory = spec->config;
    memcpy(memory, &config, sizeof config);
    return IB_OK;
}

// A cylinder in place of motors: not both, and only where it has something to push at.
static ib_Status check_piston(const ib_MechanismSpec *spec, ib_Error *error)
{
    ib_AirCylinderConfig cylinder = common(spec)->act.cylinder;
    ib_Error part;
    if (!common(spec)->act.piston) return IB_OK;
    if (spec->motor_key[0])
        return ib_error_set(error, IB_BAD_INPUT,
                            "%s: it has two drives: expected motors or a cylinder, not both",
                            spec->motor_key);
    cylinder.load = 1;
    if (ib_air_cylinder_check(&cylinder, &part) != IB_OK)
        return ib_error_set(error, IB_BAD_INPUT, "cylinder%.900s",
                            part.text + sizeof "cylinders." - 1);
    return IB_OK;
}

// A hook goes up and down with one joint, which motors move; switches need stops.
static ib_Status check_hook(const ib_ActuatorConfig *act, ib_Error *error)
{
    if (act->hook.on && act->piston)
        return ib_error_set(error, IB_BAD_INPUT,
                            "cylinder: a robot that hangs on its hook is raised by motors: "
                            "expected cylinder: off, or no hook");
    return ib_hook_check(&act->hook, error);
}

static ib_Status check_switches(const ib_MechanismSpec *spec, ib_Error *error)
{
    static const char *const own[IB_MECHANISM_JOINTS] = {"joint1.", "joint2."};
    for (int j = 0; j < IB_MECHANISM_JOINTS; j++) {
        const ib_JointConfig *joint = joint_of(spec, j);
        bool stops = isfinite(joint->travel[0]) || common(spec)->act.piston;
        if (stops || !isfinite(joint->limit_switch)) continue;
        return ib_error_set(error, IB_BAD_INPUT,
                            "%slimit_switches: it has no stops that could close them: expected "
                            "travel: [low, high] beside it, or off",
                            spec->kind->second_gear ? own[j] : "");
    }
    return IB_OK;
}

ib_Status ib_mechanism_spec_check(const ib_MechanismSpec *spec, ib_Error *error)
{
    const ib_ActuatorConfig *act = &common(spec)->act;
    ib_MechanismMemory memory;
    ib_Mechanism mechanism;
    double travel[2];
    char key[64];
    ib_Status status = check_piston(spec, error);
    if (status == IB_OK) status = resolve_config(spec, &memory, error);
    if (status == IB_OK) status = ib_mechanism_init(spec->kind, &memory, &mechanism, error);
    if (status == IB_OK)
        status = ib_error_under("thermal.", ib_thermal_check(&act->thermal, error), error);
    if (status == IB_OK) status = check_hook(act, error);
    if (status == IB_OK) status = check_switches(spec, error);
    if (status != IB_OK) return status;
    for (int j = 0; j < mechanism.ports.joints; j++) {
        const ib_Joint *joint = &mechanism.ports.joint[j];
        status = resolve_travel(spec, j, travel, error);
        if (status != IB_OK) return status;
        double at = act->position[j];
        const char *unit = joint->turns ? "rad" : "m";
        if (!joint->stops || joint->unplaced) continue;
        if (at >= travel[0] && at <= travel[1]) continue;
        name_start(joint, key, sizeof key);
        return ib_error_set(error, IB_BAD_INPUT,
                            "start.%s: %g %s is beyond a stop: expected %g to %g %s, its travel",
                            key, at, unit, travel[0], travel[1], unit);
    }
    return IB_OK;
}

void ib_mechanism_spec_start(ib_MechanismSpec *spec, int joint, double wanted)
{
    void *config = &spec->config;
    ib_ActuatorConfig *act = &((ib_MechanismConfig *)config)->act;
    double travel[2];
    if (resolve_travel(spec, joint, travel, NULL) != IB_OK) return; // reported by the check
    act->position[joint] = ib_min(ib_max(wanted, travel[0]), travel[1]);
}

// ------------------------------------------------------------------------------------------- model

const ib_PresetDef ib_piston_presets = {.off = true};

static void init_piston(const ib_AirModel *air, ib_Actuator *a)
{
    ib_AirCylinderConfig cylinder = a->config.cylinder;
    IB_ASSERT(air);
    cylinder.load = 1;
    ib_air_cylinder_init(&cylinder, air->temperature, air->regulator_conductance, &a->cylinder);
}

// Motors and gear of one shaft.
static void init_drive(const ib_GearmotorConfig *gear, ib_MotorShaft *drive)
{
    ib_motor_init(&gear->motor, gear->loss, &drive->motor);
    drive->motors = gear->count;
    drive->reduction = gear->reduction;
    drive->lost = 1 - gear->efficiency;
    drive->gained = 1 / gear->efficiency - 1;
}

// The second shaft and joint: with keys of their own, or as the first.
static void init_second(const ib_MechanismSpec *spec, ib_Actuator *a)
{
    const char *config = (const void *)&spec->config;
    if (spec->kind->second_gear) {
        ib_GearmotorConfig second;
        memcpy(&second, config + spec->kind->second_gear, sizeof second);
        second.loss = common(spec)->gear.loss;
        init_drive(&second, &a->drive[1]);
        return;
    }
    a->drive[1] = a->drive[0];
    a->config.joint[1] = a->config.joint[0];
    a->config.shaft[1] = a->config.shaft[0];
}

// The motors of all shafts, where there is no cylinder.
static void init_motors(const ib_ActuatorConfig *config, ib_Actuator *a)
{
    a->motors = (ib_MotorRow){.count = config->piston ? 0 : a->drive_count,
                              .magnetic = -1,
                              .shafts = a->drive,
                              .coasts = config->neutral == IB_ACTUATOR_COASTS,
                              .current = -1};
    if (config->current == IB_WINDING_IMPLICIT) a->motors.inductance = config->inductance;
    ib_thermal_init(&config->thermal, &a->motors.thermal);
    for (int i = 0; i < a->motors.count; i++) {
        a->drive[i].stator = config->shaft[i].current_limit;
        a->drive[i].supply = config->shaft[i].supply_limit;
    }
}

// Finds a joint's stops, and its modes of rest.
static void init_stops(ib_Actuator *a, int j)
{
    ib_JointConfig *joint = &a->config.joint[j];
    for (int i = 0; i < 2; i++) {
        double slack = SLACK * (1 + fabs(joint->travel[i]));
        a->travel[j][i] = joint->travel[i] + (i ? slack : -slack);
    }
    a->stands[j] = isfinite(joint->travel[0]) || joint->brake > 0 || joint->dry_friction > 0;
    a->stops |= a->stands[j];
}

void ib_actuator_init(const ib_MechanismSpec *spec, const ib_AirModel *air, ib_Actuator *a)
{
    const ib_MechanismConfig *config = common(spec);
    memset(a, 0, sizeof *a);
    a->name = spec->name;
    a->own_gravity = spec->own_gravity;
    ib_Status status = resolve_config(spec, &a->memory, NULL);
    if (status == IB_OK) status = ib_mechanism_init(spec->kind, &a->memory, &a->mechanism, NULL);
    IB_ASSERT(status == IB_OK);
    memcpy(&a->config, (const char *)&a->memory + offsetof(ib_MechanismConfig, act),
           sizeof a->config);
    if (a->config.piston) init_piston(air, a);
    a->joint_count = a->mechanism.ports.joints;
    a->drive_count = a->mechanism.ports.inputs;
    init_drive(&config->gear, &a->drive[0]);
    init_second(spec, a);
    init_motors(&a->config, a);
    for (int i = 0; i < a->drive_count; i++)
        a->share[i] = 1 / ib_max(IB_COMMAND_SCALE, a->mechanism.ports.gear[i].voltage);
    ib_hook_init(&config->act.hook, a->mechanism.ports.mass, config->act.place, &a->hook);
    bool places = false; // something has a place that stops could bound
    for (int j = 0; j < a->joint_count; j++) places |= !a->mechanism.ports.joint[j].unplaced;
    for (int j = 0; j < IB_MECHANISM_JOINTS; j++) {
        double *travel = a->config.joint[j].travel;
        for (int i = 0; i < 2 && !places; i++) travel[i] = i ? INFINITY : -INFINITY;
        init_stops(a, j);
    }
}

void ib_actuator_carry(ib_Actuator *a, const ib_HookCarrier *carrier)
{
    if (a->hook.on) ib_hook_carry(carrier, &a->hook);
}

ib_Status ib_actuator_begin(ib_Actuator *a, const double *x, ib_Error *error)
{
    ib_HookNow now;
    if (!a->hook.on) return IB_OK;
    double height = x[a->hooked + IB_HOOK_HEIGHT];
    ib_actuator_hook(a, x, &now);
    a->begun[0] = height;
    a->begun[1] = now.stored;
    if (!a->config.hook.hanging) return IB_OK;
    if (now.distance > a->config.hook.reach)
        return ib_error_set(error, IB_BAD_INPUT,
                            "start.hanging: its hook is %.4g m from the bracket, whose reach is "
                            "%.4g m: expected a start of the robot below the bracket",
                            now.distance, a->config.hook.reach);
    if (height < a->config.hook.floor_sag)
        return ib_error_set(error, IB_BAD_INPUT,
                            "start.hanging: at %.4g m the robot would stand on the floor: expected "
                            "a position below %.4g m",
                            a->config.position[0],
                            a->config.position[0] + height - a->config.hook.floor_sag);
    return IB_OK;
}

void ib_actuator_reset(const ib_Actuator *a, double working, double *x)
{
    for (int j = 0; j < a->joint_count; j++) {
        x[a->position[j]] = a->config.position[j];
        x[a->speed[j]] = a->config.velocity[j];
        if (a->mode[j] < 0 || a->config.velocity[j] != 0) continue;
        // At a stop it rests until a force takes it away.
        const double *travel = a->config.joint[j].travel;
        if (a->config.position[j] == travel[0]) x[a->mode[j]] = IB_JOINT_LOW;
        if (a->config.position[j] == travel[1]) x[a->mode[j]] = IB_JOINT_HIGH;
    }
    if (a->chambers >= 0)
        ib_air_cylinder_fill(&a->cylinder, ib_max(working, IB_ATMOSPHERE),
                             ib__actuator_piston(a, x).at, x + a->chambers);
    ib_thermal_reset(&a->motors.thermal, x);
    if (a->held >= 0) x[a->held] = a->mechanism.ports.load;
    if (a->hook.on)
        ib_hook_reset(&a->hook, a->config.hook.hanging, x, a->config.position[0], x + a->hooked);
}

#define PISTON_PRESSURE 1e6 ///< the most that a cylinder is taken to be under, for its steps [Pa]

// A mass between two cushions of air, and its valves.
static double piston_resolution(const ib_Actuator *a)
{
    double x[IB_STATES_MAX] = {0}, M[2][2], shortest = INFINITY;
    for (int i = 0; i < 2; i++) { // at both ends; the load that the piston feels there
        ib_PistonPlace place;
        x[a->mechanism.ports.joint[0].position] = a->config.joint[0].travel[i];
        a->mechanism.kind->piston(&a->memory, x, &place);
        a->mechanism.kind->mobility(&a->mechanism.model, x, M);
        double per_shaft = 1 / a->mechanism.ports.lever[0]; // radians of it for a unit of way
        double per_mass = M[0][0] * place.ratio * place.ratio * per_shaft * per_shaft;
        shortest =
            ib_min(shortest, ib_air_cylinder_resolution(&a->cylinder, per_mass, PISTON_PRESSURE));
    }
    return shortest;
}

// The shortest time constant [s]: of the winding with the battery behind it, L/(R + N Rb), of its
// temperature, of the motors that brake their own load, 1/(drag mobility), and of masses on
// springs. The desk's drag has the gear's eta as a factor; a gear that is driven backwards
// has 1/eta.
double ib_actuator_resolution(const ib_Actuator *a, double resistance)
{
    if (a->chambers >= 0) return piston_resolution(a);
    const ib_MechanismPorts *ports = &a->mechanism.ports;
    ib_StateSpace plant = ib_state_space_default(ports->states, ports->inputs, ports->outputs);
    double shortest = INFINITY, back = 0, motors = 0;
    for (int i = 0; i < a->drive_count; i++) motors += a->drive[i].motors;
    for (int i = 0; i < a->drive_count; i++) {
        const ib_MotorShaft *drive = &a->drive[i];
        double volts = ports->gear[i].voltage, most = volts * volts * drive->motor.per_R;
        shortest = ib_min(shortest, ib_thermal_resolution(&a->motors.thermal, most));
        back = ib_max(back, (1 + drive->gained) * (1 + drive->gained));
        if (a->motors.current >= 0) {
            double R = drive->motor.R + motors * resistance;
            shortest = ib_min(shortest, a->config.inductance / R / 8);
        }
    }
    ib_mechanism_slopes(&a->mechanism, &ports->rest, &plant);
    // |A| in the norm of rows bounds the fastest mode, where ways are counted in the way of a mode:
    // of each pair (x, v) the rate is the larger of |A_vv| and sqrt |A_vx|.
    for (int i = 0; i < ports->states; i++) {
        double own = 0, spring = 0;
        for (int k = 0; k < ports->states; k++) {
            double entry = fabs(plant.A[i * ports->states + k]);
            if (ports->state[i].kinematic) continue;
            if (ports->state[k].kinematic)
                spring += entry;
            else
                own += entry;
        }
        double rate = ib_max(back * own, 2 * sqrt(spring));
        if (rate > 0) shortest = ib_min(shortest, 0.5 / rate);
    }
    if (a->hook.on) {
        double M[IB_MECHANISM_JOINTS][IB_MECHANISM_JOINTS];
        a->mechanism.kind->mobility(&a->mechanism.model, ports->rest.x, M);
        shortest = ib_min(shortest, ib_hook_resolution(&a->hook, 1 / M[0][0]));
    }
    return isfinite(shortest) ? shortest : 0;
}
