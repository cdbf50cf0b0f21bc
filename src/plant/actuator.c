#include "plant/actuator.h"

#include "base/maths.h"
#include "plant/drivetrain.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SLACK 1e-12 ///< a stop is reached this far behind it [m], [rad], over its size
#define STICK 1e-9  ///< what is held lets go at this force beyond [N], [N m]
#define CREEP 1e-12 ///< a slide ends at this speed backwards [m/s], [rad/s]

const char *const ib_actuator_windings[] = {"quasi_static", "implicit", NULL};
const char *const ib_actuator_neutrals[] = {"brake", "coast", NULL};

// ----------------------------------------------------------------------------------------- configs

static const ib_MechanismConfig *common(const ib_MechanismSpec *spec)
{
    const void *config = &spec->config;
    return config;
}

// "left.position" of the start, or "position" of the only joint.
static void name_start(const ib_Joint *joint, char *text, size_t size)
{
    snprintf(text, size, "%s%sposition", joint->name ? joint->name : "", joint->name ? "." : "");
}

// Its travel: as given, or as far as its cylinder goes.
static ib_Status resolve_travel(const ib_MechanismSpec *spec, double travel[2], ib_Error *error)
{
    const ib_ActuatorConfig *act = &common(spec)->act;
    memcpy(travel, act->travel, sizeof act->travel);
    return act->piston.on ? spec->kind->reach(&spec->config, travel, error) : IB_OK;
}

// A cylinder in place of motors: not both, and only where it has something to push at.
static ib_Status check_piston(const ib_MechanismSpec *spec, ib_Error *error)
{
    const ib_PistonConfig *piston = &common(spec)->act.piston;
    ib_Error part;
    if (!piston->on) return IB_OK;
    if (spec->motor_key[0])
        return ib_error_set(error, IB_BAD_INPUT,
                            "%s: it has two drives: expected motors or a cylinder, not both",
                            spec->motor_key);
    ib_CylinderConfig cylinder = piston->cylinder;
    cylinder.load = 1;
    if (ib_cylinder_check(&cylinder, &part) != IB_OK)
        return ib_error_set(error, IB_BAD_INPUT, "cylinder%.900s",
                            part.text + sizeof "cylinders." - 1);
    return IB_OK;
}

ib_Status ib_mechanism_spec_check(const ib_MechanismSpec *spec, ib_Error *error)
{
    const ib_ActuatorConfig *act = &common(spec)->act;
    ib_Mechanism mechanism;
    double travel[2];
    char key[64];
    ib_Status status = check_piston(spec, error);
    if (status == IB_OK) status = ib_mechanism_init(spec->kind, &spec->config, &mechanism, error);
    if (status == IB_OK) status = resolve_travel(spec, travel, error);
    if (status != IB_OK) return status;
    for (int j = 0; j < mechanism.ports.joints; j++) {
        const ib_Joint *joint = &mechanism.ports.joint[j];
        double at = act->position[j];
        const char *unit = joint->turns ? "rad" : "m";
        if (!joint->stops || !joint->position) continue;
        if (at >= travel[0] && at <= travel[1]) continue;
        name_start(joint, key, sizeof key);
        return ib_error_set(error, IB_BAD_INPUT,
                            "start.%s: %g %s is beyond a stop: expected %g to %g %s, its travel",
                            key, at, unit, travel[0], travel[1], unit);
    }
    return IB_OK;
}

void ib_mechanism_spec_start(ib_MechanismSpec *spec, int joint)
{
    void *config = &spec->config;
    ib_ActuatorConfig *act = &((ib_MechanismConfig *)config)->act;
    double travel[2];
    if (resolve_travel(spec, travel, NULL) != IB_OK) return; // told where it is checked
    act->position[joint] = fmin(fmax(0, travel[0]), travel[1]);
}

// ------------------------------------------------------------------------------------------- model

// A cylinder at work: no rotors turn, and the stroke is the travel.
static void init_piston(const ib_MechanismSpec *spec, const ib_AirModel *air, ib_Actuator *a)
{
    void *memory = &a->memory;
    ib_MechanismConfig *config = memory;
    ib_CylinderConfig cylinder = config->act.piston.cylinder;
    ib_Status status = resolve_travel(spec, a->config.travel, NULL);
    IB_ASSERT(status == IB_OK && air);
    config->gear.rotors = false;
    memcpy(config->act.travel, a->config.travel, sizeof a->config.travel);
    cylinder.load = 1;
    ib_cylinder_init(&cylinder, air->temperature, air->regulator_conductance, &a->cylinder);
}

void ib_actuator_init(const ib_MechanismSpec *spec, const ib_AirModel *air, ib_Actuator *a)
{
    const ib_MechanismConfig *config = common(spec);
    memset(a, 0, sizeof *a);
    a->name = spec->name;
    a->own_gravity = spec->own_gravity;
    a->config = config->act;
    a->memory = spec->config;
    if (config->act.piston.on) init_piston(spec, air, a);
    ib_Status status = ib_mechanism_init(spec->kind, &a->memory, &a->mechanism, NULL);
    IB_ASSERT(status == IB_OK);
    a->joint_count = a->mechanism.ports.joints;
    a->drive_count = a->mechanism.ports.inputs;
    a->bridges = config->act.piston.on ? 0 : a->drive_count;
    ib_motor_init(&config->gear.motor, config->gear.loss, &a->drive.motor);
    a->drive.motors = config->gear.count;
    a->drive.reduction = config->gear.reduction;
    a->drive.lost = 1 - config->gear.efficiency;
    a->drive.gained = 1 / config->gear.efficiency - 1;
    bool places = false; // something has a place that stops could bound
    for (int j = 0; j < a->joint_count; j++) places |= a->mechanism.ports.joint[j].position > 0;
    for (int i = 0; i < 2 && !places; i++) a->config.travel[i] = i ? INFINITY : -INFINITY;
    for (int i = 0; i < 2; i++) {
        double slack = SLACK * (1 + fabs(a->config.travel[i]));
        a->travel[i] = a->config.travel[i] + (i ? slack : -slack);
    }
    a->stops = isfinite(a->config.travel[0]) || a->config.brake > 0 || a->config.dry_friction > 0;
}

static int take(int *end, int count)
{
    int at = *end;
    *end += count;
    return at;
}

void ib_actuator_lay_out(ib_Actuator *a, ib_Places *places)
{
    const ib_MechanismPorts *ports = &a->mechanism.ports;
    int *end = &places->states;
    a->state = take(end, ports->states);
    for (int j = 0; j < a->joint_count; j++) {
        const ib_Joint *joint = &ports->joint[j];
        a->speed[j] = a->state + joint->speed - 1;
        // A wheel's angle is no state of the plant, but somebody may want to see it turn.
        a->position[j] = joint->position ? a->state + joint->position - 1 : take(end, 1);
        a->mode[j] = a->stops && joint->stops ? take(end, 1) : -1;
    }
    bool implicit = a->config.current == IB_WINDING_IMPLICIT && a->bridges > 0;
    a->current = implicit ? take(end, a->drive_count) : -1;
    a->chambers = a->config.piston.on ? take(end, IB_PISTON_STATES) : -1;
    a->jolted = a->mechanism.kind->jolt ? take(end, 2) : -1;
    a->count = a->jolted < 0 ? -1 : a->jolted + 1;
    a->books = take(end, IB_ACTUATOR_BOOKS);
    a->states = *end - a->state;
    a->command = take(&places->inputs, a->drive_count);
    a->gain = take(&places->inputs, a->drive_count);
    a->brake = a->config.brake > 0 ? take(&places->inputs, 1) : -1;
    a->jolt = a->jolted < 0 ? -1 : take(&places->inputs, 1);
    a->guard = places->guards;
    for (int j = 0; j < a->joint_count; j++) places->guards += a->mode[j] >= 0;
    a->bridge = take(&places->bridges, a->bridges);
}

// Where the piston stands.
static ib_PistonPlace piston_at(const ib_Actuator *a, const double *x)
{
    ib_PistonPlace place;
    a->mechanism.kind->piston(&a->memory, x + a->state, &place);
    return place;
}

void ib_actuator_reset(const ib_Actuator *a, double working, double *x)
{
    for (int j = 0; j < a->joint_count; j++) {
        x[a->position[j]] = a->config.position[j];
        x[a->speed[j]] = a->config.velocity[j];
        if (a->mode[j] < 0 || a->config.velocity[j] != 0) continue;
        // At a stop it stands, until something takes it away.
        if (a->config.position[j] == a->config.travel[0]) x[a->mode[j]] = IB_JOINT_LOW;
        if (a->config.position[j] == a->config.travel[1]) x[a->mode[j]] = IB_JOINT_HIGH;
    }
    if (a->chambers >= 0)
        ib_piston_reset(&a->cylinder, working, piston_at(a, x).at, x + a->chambers);
}

#define PISTON_PRESSURE 1e6 ///< the most that a cylinder is taken to be under, for its steps [Pa]

// Radians of the shaft for a unit of the joint's way:  w = shafts(v = 1)
static double shaft_per_way(const ib_Actuator *a)
{
    double x[IB_STATES_MAX] = {0}, w[IB_MECHANISM_DRIVES];
    x[a->mechanism.ports.joint[0].speed - 1] = 1;
    a->mechanism.kind->shafts(&a->mechanism.model, x, w);
    return w[0];
}

// What of a second its fastest part may take: the winding with the battery behind it, L/(R + N Rb),
// the motors that brake their own load, 1/(drag mobility), and what swings on a spring.
// A mass between two cushions of air, and its valves: plant/cylinder.h.
static double piston_resolution(const ib_Actuator *a)
{
    double x[IB_STATES_MAX] = {0}, M[2][2], shortest = INFINITY;
    ib_CylinderModel cylinder = a->cylinder;
    for (int i = 0; i < 2; i++) { // at both ends; the load that the piston feels there
        ib_PistonPlace place;
        x[a->mechanism.ports.joint[0].position - 1] = a->config.travel[i];
        a->mechanism.kind->piston(&a->memory, x, &place);
        a->mechanism.kind->mobility(&a->mechanism.model, x, M);
        double per_shaft = a->mechanism.ports.joint[0].turns ? 1 : shaft_per_way(a);
        cylinder.per_load = M[0][0] * place.ratio * place.ratio * per_shaft * per_shaft;
        shortest = fmin(shortest, ib_cylinder_resolution(&cylinder, PISTON_PRESSURE));
    }
    return shortest;
}

double ib_actuator_resolution(const ib_Actuator *a, double resistance)
{
    if (a->chambers >= 0) return piston_resolution(a);
    const ib_MechanismPorts *ports = &a->mechanism.ports;
    ib_StateSpace plant = ib_state_space_default(ports->states, ports->inputs, ports->outputs);
    double shortest = INFINITY;
    if (a->current >= 0) {
        double R = a->drive.motor.R + a->drive.motors * a->drive_count * resistance;
        shortest = a->config.inductance / R / 8;
    }
    a->mechanism.kind->jacobian(&a->mechanism.model, ports->rest.x, ports->rest.u, &plant);
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
        double rate = fmax(own, 2 * sqrt(spring));
        if (rate > 0) shortest = fmin(shortest, 0.5 / rate);
    }
    return isfinite(shortest) ? shortest : 0;
}

// --------------------------------------------------------------------------------------- the bus

void ib_actuator_bridges(const ib_Actuator *a, const ib_PowerModel *power, const double *x,
                         const double *input, bool on, ib_Bridge *bridge)
{
    const ib_ActuatorDrive *drive = &a->drive;
    double w[IB_MECHANISM_DRIVES];
    if (a->bridges == 0) return;
    a->mechanism.kind->shafts(&a->mechanism.model, x + a->state, w);
    for (int i = 0; i < a->bridges; i++) {
        double command = input[a->command + i];
        bool coasts = a->config.neutral == IB_ACTUATOR_COASTS && (!on || command == 0);
        bridge[a->bridge + i] =
            (ib_Bridge){.duty = on ? ib_power_duty(command) : 0,
                        .emf = drive->motor.Ke * drive->reduction * w[i],
                        .count = drive->motors,
                        .R = drive->motor.R,
                        .per_R = drive->motor.per_R,
                        .stator = a->config.current_limit,
                        .supply = a->config.supply_limit,
                        .current = a->current < 0 ? 0 : x[a->current + i],
                        .given = a->current >= 0,
                        .open = coasts || !ib_power_reaches(power, x, a->bridge + i)};
    }
}

bool ib_actuator_settle_currents(const ib_Actuator *a, const ib_Bridge *bridge, bool fed, double *x)
{
    bool changed = false;
    for (int i = 0; a->current >= 0 && i < a->drive_count; i++) {
        double *current = &x[a->current + i];
        if ((fed && !bridge[a->bridge + i].open) || *current == 0) continue;
        x[a->books + IB_ACTUATOR_COPPER] +=
            0.5 * a->drive.motors * a->config.inductance * *current * *current;
        *current = 0;
        changed = true;
    }
    return changed;
}

// ----------------------------------------------------------------------------------------- motion

// Everything at one instant.
typedef struct Now {
    double g;
    ib_PistonNow piston;                ///< where a cylinder moves it
    double piston_speed;                ///< [m/s]
    double w[IB_MECHANISM_DRIVES];      ///< of the shafts [rad/s]
    double torque[IB_MECHANISM_DRIVES]; ///< on them [N m]
    double loss, scaled, gear;  ///< powers lost in motors, to a disturbance, in the gear [W]
    double rate[IB_STATES_MAX]; ///< of the plant's states
    double level;               ///< of dry friction and brake [N], [N m]
    double mobility[IB_MECHANISM_JOINTS][IB_MECHANISM_JOINTS];
    double hold[IB_MECHANISM_JOINTS]; ///< what keeps a joint that stands where it is [N], [N m]
} Now;

static int mode_of(const ib_Actuator *a, const double *x, int joint)
{
    return a->mode[joint] < 0 ? IB_JOINT_FREE : (int)x[a->mode[joint]];
}

static bool stands(int mode)
{
    return mode >= IB_JOINT_LOW && mode <= IB_JOINT_HELD;
}

// Torque of a cylinder:  T = (F - drag) r
static void push_shaft(const ib_Actuator *a, const double *x, const double *input, Now *now)
{
    ib_PistonPlace place = piston_at(a, x);
    now->piston_speed = place.ratio * now->w[0];
    now->piston = ib_piston_now(&a->cylinder, place.at, now->piston_speed, x + a->chambers);
    double whole = now->piston.force * input[a->gain];
    now->scaled = (now->piston.force - whole) * now->piston_speed;
    now->torque[0] = (whole - now->piston.drag) * place.ratio;
}

// Torques of motors and gears:  T = N G (Kt I - loss) e
static void drive_shafts(const ib_Actuator *a, const double *x, const double *input,
                         const ib_PowerNow *power, Now *now)
{
    const ib_ActuatorDrive *d = &a->drive;
    now->loss = now->scaled = now->gear = 0;
    a->mechanism.kind->shafts(&a->mechanism.model, x + a->state, now->w);
    if (a->chambers >= 0) {
        push_shaft(a, x, input, now);
        return;
    }
    for (int i = 0; i < a->drive_count; i++) {
        double speed = d->reduction * now->w[i], loss = ib_motor_loss(&d->motor, speed);
        double whole = d->motor.Kt * power->bus.bridge[a->bridge + i].current - loss;
        double T = whole * input[a->gain + i], P = T * speed;
        double change = ib_gear_change(d->lost, d->gained, P, speed);
        now->torque[i] = d->motors * d->reduction * T * (1 + change);
        now->loss += d->motors * loss * speed;
        now->scaled += d->motors * (whole - T) * speed;
        now->gear -= d->motors * P * change;
    }
}

// Forces that keep the joints of `standing` at rest:  M_ss F_s = -a_s,  then  a += M F
static void hold_joints(const ib_Actuator *a, const bool standing[2], Now *now)
{
    const ib_Joint *joint = a->mechanism.ports.joint;
    double *rate = now->rate, (*M)[IB_MECHANISM_JOINTS] = now->mobility;
    double F[2] = {0, 0}, *first = &rate[joint[0].speed - 1], *second = NULL;
    if (a->joint_count > 1) second = &rate[joint[1].speed - 1];
    if (standing[0] && standing[1]) {
        double det = M[0][0] * M[1][1] - M[0][1] * M[1][0];
        F[0] = -(M[1][1] * *first - M[0][1] * *second) / det;
        F[1] = -(M[0][0] * *second - M[1][0] * *first) / det;
    } else if (standing[0]) {
        F[0] = -*first / M[0][0];
        if (second) *second += M[1][0] * F[0];
    } else if (standing[1]) {
        F[1] = -*second / M[1][1];
        *first += M[0][1] * F[1];
    }
    for (int j = 0; j < a->joint_count; j++) {
        now->hold[j] = F[j];
        if (!standing[j]) continue;
        rate[joint[j].speed - 1] = 0;
        if (joint[j].position) rate[joint[j].position - 1] = 0;
    }
}

// Dry friction and brake, where a joint slides, and what holds those that stand.
static void rub(const ib_Actuator *a, const double *x, const double *input, Now *now)
{
    bool standing[2] = {false, false}, any = false;
    bool on = a->brake >= 0 && input[a->brake] > 0.5;
    now->level = a->config.dry_friction + (on ? a->config.brake : 0);
    now->hold[0] = now->hold[1] = 0;
    if (!a->stops) return;
    a->mechanism.kind->mobility(&a->mechanism.model, x + a->state, now->mobility);
    for (int j = 0; j < a->joint_count; j++) {
        int mode = mode_of(a, x, j);
        double F = mode == IB_JOINT_FORWARD    ? -now->level
                   : mode == IB_JOINT_BACKWARD ? now->level
                                               : 0;
        standing[j] = stands(mode);
        any |= standing[j];
        for (int i = 0; F != 0 && i < a->joint_count; i++)
            now->rate[a->mechanism.ports.joint[i].speed - 1] += now->mobility[i][j] * F;
    }
    if (any) hold_joints(a, standing, now);
}

static double gravity_of(const ib_Actuator *a, double field)
{
    return a->own_gravity ? a->mechanism.ports.gravity : field;
}

static void look_at(const ib_Actuator *a, const double *x, const double *input, const ib_Feed *feed,
                    Now *now)
{
    const ib_Mechanism *m = &a->mechanism;
    now->g = gravity_of(a, feed->gravity);
    drive_shafts(a, x, input, feed->power, now);
    m->kind->rate(&m->model, x + a->state, now->torque, now->g, now->rate);
    rub(a, x, input, now);
}

// The book:  sum n u I = copper + conversion + loss + gear + sum T w + d/dt (n L I^2/2)
static void book(const ib_Actuator *a, const double *x, const ib_PowerNow *power, const Now *now,
                 double *dx)
{
    const ib_ActuatorDrive *d = &a->drive;
    double electric = 0, copper = 0, conversion = 0, *e = dx + a->books;
    ib_MechanismEnergy energy;
    for (int i = 0; i < a->bridges; i++) {
        const ib_BridgeResult *r = &power->bus.bridge[a->bridge + i];
        electric += d->motors * power->bus.voltage * r->drawn;
        copper += d->motors * d->motor.R * r->current * r->current;
        conversion +=
            d->motors * ib_motor_conversion(&d->motor, r->current, d->reduction * now->w[i]);
    }
    a->mechanism.kind->energy(&a->mechanism.model, x + a->state, now->g, &energy);
    double friction = energy.friction;
    if (a->chambers >= 0) {
        electric = now->piston.force * now->piston_speed;
        friction += now->piston.drag * now->piston_speed;
    }
    for (int j = 0; j < a->joint_count; j++) {
        int mode = mode_of(a, x, j);
        double v = x[a->speed[j]];
        if (mode == IB_JOINT_FORWARD) friction += now->level * v;
        if (mode == IB_JOINT_BACKWARD) friction -= now->level * v;
    }
    e[IB_ACTUATOR_ELECTRIC] = electric;
    e[IB_ACTUATOR_COPPER] = copper;
    e[IB_ACTUATOR_CONVERSION] = conversion;
    e[IB_ACTUATOR_LOSS] = now->loss + now->scaled;
    e[IB_ACTUATOR_GEAR] = now->gear;
    e[IB_ACTUATOR_FRICTION] = friction;
    e[IB_ACTUATOR_STOP] = e[IB_ACTUATOR_GIVEN] = 0;
}

void ib_actuator_rate(const ib_Actuator *a, const double *x, const double *input,
                      const ib_Feed *feed, double *dx, ib_AirDraw *draw)
{
    const ib_MechanismPorts *ports = &a->mechanism.ports;
    const ib_PowerNow *power = feed->power;
    Now now;
    look_at(a, x, input, feed, &now);
    if (a->chambers >= 0) {
        ib_AirDraw own = ib_piston_rate(&a->cylinder, piston_at(a, x).at, x + a->chambers,
                                        &feed->air, input[a->command] > 0.5, dx + a->chambers);
        draw->taken += own.taken;
        draw->vented += own.vented;
    }
    for (int i = 0; i < ports->states; i++) dx[a->state + i] = now.rate[i];
    for (int j = 0; j < a->joint_count; j++) {
        if (!ports->joint[j].position) dx[a->position[j]] = x[a->speed[j]];
        if (a->mode[j] >= 0) dx[a->mode[j]] = 0;
    }
    for (int i = 0; a->current >= 0 && i < a->drive_count; i++) {
        const ib_BridgeResult *r = &power->bus.bridge[a->bridge + i];
        double speed = a->drive.reduction * now.w[i];
        // A bridge that is open, or that nothing feeds, has no current that could change.
        bool idle = power->E <= 0 ||
                    (r->drawn == 0 && r->current == 0 && r->volts == a->drive.motor.Ke * speed);
        dx[a->current + i] = idle ? 0
                                  : ib_motor_current_rate(&a->drive.motor, a->config.inductance,
                                                          r->volts, x[a->current + i], speed);
    }
    if (a->jolted >= 0) dx[a->jolted] = dx[a->count] = 0;
    book(a, x, power, &now, dx);
}

// ------------------------------------------------------------------------------------------- modes

// Positive as long as the mode stays: how far from a stop [m], how fast it slides [m/s], or what a
// stop or friction could still hold [N]; only the sign has a meaning.
static double margin(const ib_Actuator *a, const double *x, int j, const Now *now)
{
    int mode = mode_of(a, x, j);
    double v = x[a->speed[j]], hold = now->hold[j];
    if (mode == IB_JOINT_LOW) return hold + now->level + STICK;
    if (mode == IB_JOINT_HIGH) return now->level - hold + STICK;
    if (mode == IB_JOINT_HELD) return now->level + STICK - fabs(hold);
    double left = INFINITY;
    if (isfinite(a->travel[0]) && a->mechanism.ports.joint[j].position) {
        double at = x[a->position[j]];
        left = fmin(at - a->travel[0], a->travel[1] - at);
    }
    if (mode == IB_JOINT_FORWARD) left = fmin(left, v + CREEP);
    if (mode == IB_JOINT_BACKWARD) left = fmin(left, CREEP - v);
    return left == INFINITY ? 1 : left;
}

void ib_actuator_guards(const ib_Actuator *a, const double *x, const double *input,
                        const ib_Feed *feed, double *guards)
{
    Now now;
    if (!a->stops) return;
    look_at(a, x, input, feed, &now);
    for (int j = 0, at = a->guard; j < a->joint_count; j++)
        if (a->mode[j] >= 0) guards[at++] = margin(a, x, j, &now);
}

static double stored(const ib_Actuator *a, const double *x, double g)
{
    ib_MechanismEnergy e;
    a->mechanism.kind->energy(&a->mechanism.model, x + a->state, g, &e);
    return e.kinetic + e.potential;
}

// Which mode a joint that moves is in.
static int moving_mode(double v, double level)
{
    if (level == 0) return IB_JOINT_FREE;
    return v > 0 ? IB_JOINT_FORWARD : v < 0 ? IB_JOINT_BACKWARD : IB_JOINT_HELD;
}

// A stop takes all speed of its joint; what the others feel of the blow goes by the mobility:
//   v_i -= M_ij/M_jj v_j
// One that stands at a stop of its own and is pressed into it stays; otherwise the blow sets it
// moving, since neither a stop that it leaves nor friction can resist one.
static void strike(const ib_Actuator *a, int j, const Now *now, double *x)
{
    double before = stored(a, x, now->g), v = x[a->speed[j]];
    for (int i = 0; i < a->joint_count; i++) {
        int mode = mode_of(a, x, i);
        double push = i == j ? 0 : -now->mobility[i][j] / now->mobility[j][j] * v;
        bool stays = (mode == IB_JOINT_LOW && push <= 0) || (mode == IB_JOINT_HIGH && push >= 0);
        if (push == 0 || stays) continue;
        x[a->speed[i]] += push;
        if (stands(mode)) x[a->mode[i]] = moving_mode(push, now->level);
    }
    x[a->speed[j]] = 0;
    x[a->books + IB_ACTUATOR_STOP] += before - stored(a, x, now->g);
}

// A joint that stood lets go in the direction in which it was pressed.
static int released_mode(double hold, double level)
{
    if (level == 0) return IB_JOINT_FREE;
    return hold < 0 ? IB_JOINT_FORWARD : IB_JOINT_BACKWARD;
}

// At a stop, towards it, or beyond it?
static int stop_reached(const ib_Actuator *a, const double *x, int j)
{
    double at = x[a->position[j]], v = x[a->speed[j]];
    if (!a->mechanism.ports.joint[j].position || isinf(a->travel[0])) return 0;
    if (at <= a->travel[0] || (at <= a->config.travel[0] && v < 0)) return IB_JOINT_LOW;
    if (at >= a->travel[1] || (at >= a->config.travel[1] && v > 0)) return IB_JOINT_HIGH;
    return 0;
}

static bool settle_joint(const ib_Actuator *a, int j, const Now *now, double *x)
{
    int mode = mode_of(a, x, j), next = mode;
    if (stands(mode)) {
        // A brake that was let go holds nothing, at whatever force.
        bool loose = mode == IB_JOINT_HELD && now->level == 0;
        if (loose || margin(a, x, j, now) <= 0) next = released_mode(now->hold[j], now->level);
    } else if (stop_reached(a, x, j)) {
        next = stop_reached(a, x, j);
        strike(a, j, now, x);
        x[a->position[j]] = a->config.travel[next == IB_JOINT_HIGH];
    } else if ((mode == IB_JOINT_FREE) != (now->level == 0)) {
        next = moving_mode(x[a->speed[j]], now->level); // the brake was switched
    } else if (margin(a, x, j, now) <= 0) {
        x[a->speed[j]] = 0; // the slide has ended, within CREEP
        next = IB_JOINT_HELD;
    }
    if (next == mode) return false;
    x[a->mode[j]] = next;
    return true;
}

// A ball passes when the input goes on.
static bool settle_jolt(const ib_Actuator *a, const double *input, double g, double *x)
{
    bool on = input[a->jolt] > 0.5, was = x[a->jolted] > 0.5;
    if (on == was) return false;
    x[a->jolted] = on;
    if (!on) return true;
    double before = stored(a, x, g);
    a->mechanism.kind->jolt(&a->mechanism.model, x + a->state);
    x[a->books + IB_ACTUATOR_GIVEN] += before - stored(a, x, g);
    x[a->count] += 1;
    return true;
}

bool ib_actuator_settle(const ib_Actuator *a, const double *input, const ib_Feed *feed, double *x)
{
    Now now;
    bool changed = false;
    if (a->jolt >= 0) changed = settle_jolt(a, input, gravity_of(a, feed->gravity), x);
    if (!a->stops) return changed;
    look_at(a, x, input, feed, &now);
    for (int j = 0; j < a->joint_count && !changed; j++)
        if (a->mode[j] >= 0) changed = settle_joint(a, j, &now, x);
    return changed;
}

// ------------------------------------------------------------------------------------------ cargo

double ib_actuator_air(const ib_Actuator *a, const double *x)
{
    return a->chambers < 0 ? 0 : x[a->chambers + IB_PISTON_CAP] + x[a->chambers + IB_PISTON_ROD];
}

void ib_actuator_cargo(const ib_Actuator *a, const double *x, ib_Cargo *cargo)
{
    const ib_Mechanism *m = &a->mechanism;
    double own[3] = {0, 0, 0}, mass = m->ports.mass;
    if (mass == 0) return;
    if (m->kind->centre) m->kind->centre(&m->model, x + a->state, own);
    cargo->mass += mass;
    cargo->x += mass * (a->config.place[0] + own[0]);
    cargo->y += mass * (a->config.place[1] + own[1]);
    cargo->z += mass * (a->config.place[2] + own[2]);
}

// ------------------------------------------------------------------------------------------
// signals

enum { J_POSITION, J_VELOCITY, J_SIGNALS };
enum { D_VOLTAGE, D_CURRENT, D_TORQUE, D_SIGNALS }; ///< of motors
enum { P_CAP, P_ROD, P_FORCE };                     ///< of a cylinder, as many
enum {
    A_SUPPLY,
    A_KINETIC,
    A_POTENTIAL,
    A_MAGNETIC,
    A_BOOKS,
    A_ERROR = A_BOOKS + IB_ACTUATOR_BOOKS,
    A_SIGNALS,
};

static const ib_SignalDef way[J_SIGNALS] = {{"position", "m", "how far it has moved", 1e6},
                                            {"velocity", "m/s", "its speed", 1e4}};
static const ib_SignalDef angle[J_SIGNALS] = {{"position", "rad", "its angle, continuous", 1e9},
                                              {"velocity", "rad/s", "its rate", 1e6}};
static const ib_SignalDef drive[D_SIGNALS] = {
    {"voltage", "V", "at the terminals of a motor", 0},
    {"current", "A", "in the winding of a motor", 1e5},
    {"torque", "N*m", "of its motors, behind the gear", 0},
};
static const ib_SignalDef piston[D_SIGNALS] = {
    [P_CAP] = {"pressure.cap", "Pa", "in the chamber that extends, absolute", 0},
    [P_ROD] = {"pressure.rod", "Pa", "in the chamber that retracts, absolute", 0},
    [P_FORCE] = {"force", "N", "of the air on the piston, out is positive", 0},
};
static const ib_SignalDef given_by_air = {"energy.air", "J", "given by the air so far", 1e15};
static const ib_SignalDef mode_signal = {
    "mode", "1", "0 free, 1 at the low stop, 2 at the high stop, 3 held, 4 and 5 it slides", 0};
static const ib_SignalDef balls = {"balls", "1", "balls that have passed so far", 0};
static const ib_SignalDef whole[A_SIGNALS] = {
    [A_SUPPLY] = {"supply", "A", "drawn from the bus by all its motors; negative: fed back", 0},
    [A_KINETIC] = {"energy.kinetic", "J", "of what moves, rotors included", 0},
    [A_POTENTIAL] = {"energy.potential", "J", "of weights and springs, 0 at position 0", 0},
    [A_MAGNETIC] = {"energy.magnetic", "J", "held by the windings' inductance", 0},
    [A_BOOKS + IB_ACTUATOR_ELECTRIC] = {"energy.electric", "J", "taken from the bus so far", 1e15},
    [A_BOOKS + IB_ACTUATOR_COPPER] = {"energy.copper", "J", "lost in the windings so far", 0},
    [A_BOOKS + IB_ACTUATOR_CONVERSION] =
        {"energy.conversion", "J",
         "lost between electrical and mechanical power so far: Ke is not Kt", 0},
    [A_BOOKS +
        IB_ACTUATOR_LOSS] = {"energy.loss", "J", "lost to the motors' loss torque so far", 0},
    [A_BOOKS + IB_ACTUATOR_GEAR] = {"energy.gear", "J", "lost in the gear so far", 0},
    [A_BOOKS + IB_ACTUATOR_FRICTION] = {"energy.friction", "J",
                                        "lost in bearings, guides and the brake so far", 0},
    [A_BOOKS + IB_ACTUATOR_STOP] = {"energy.stop", "J", "lost at the stops so far", 0},
    [A_BOOKS + IB_ACTUATOR_GIVEN] = {"energy.given", "J", "given to balls so far", 0},
    [A_ERROR] = {"energy.error", "J",
                 "what its book is off by: electric and what it began with - all the others", 0},
};

int ib_actuator_signal_count(const ib_Actuator *a)
{
    int modes = 0;
    for (int j = 0; j < a->joint_count; j++) modes += a->mode[j] >= 0;
    return a->joint_count * J_SIGNALS + a->drive_count * D_SIGNALS + modes + (a->count >= 0) +
           A_SIGNALS;
}

// "lift", or "lift.left" of several.
static const char *prefix_of(const ib_Actuator *a, const char *part, bool several, ib_Arena *arena)
{
    return several ? ib_arena_format(arena, "%s.%s", a->name, part) : a->name;
}

bool ib_actuator_signals(ib_Actuator *a, ib_SignalTable *table)
{
    const ib_MechanismPorts *ports = &a->mechanism.ports;
    int good = 0;
    a->signal = table->count;
    for (int j = 0; j < a->joint_count; j++) {
        const ib_Joint *joint = &ports->joint[j];
        const char *prefix = prefix_of(a, joint->name, joint->name != NULL, table->arena);
        if (!prefix) return false;
        good |= ib_signals_add(table, prefix, joint->turns ? angle : way, J_SIGNALS);
        if (a->mode[j] >= 0) good |= ib_signals_add(table, prefix, &mode_signal, 1);
    }
    for (int i = 0; i < a->drive_count; i++) {
        const char *prefix = prefix_of(a, ports->input[i].name, a->drive_count > 1, table->arena);
        if (!prefix) return false;
        good |= ib_signals_add(table, prefix, a->chambers < 0 ? drive : piston, D_SIGNALS);
    }
    if (a->count >= 0) good |= ib_signals_add(table, a->name, &balls, 1);
    ib_SignalDef own[A_SIGNALS];
    memcpy(own, whole, sizeof own);
    if (a->chambers >= 0) own[A_BOOKS + IB_ACTUATOR_ELECTRIC] = given_by_air;
    good |= ib_signals_add(table, a->name, own, A_SIGNALS);
    return good >= 0;
}

// Where its signals begin: joints with their modes, drives, balls, the whole.
typedef struct Layout {
    int joint[IB_MECHANISM_JOINTS], drive, balls, whole;
} Layout;

static Layout lay_out_signals(const ib_Actuator *a)
{
    Layout l;
    int at = a->signal;
    for (int j = 0; j < a->joint_count; j++) {
        l.joint[j] = at;
        at += J_SIGNALS + (a->mode[j] >= 0);
    }
    l.drive = at;
    l.balls = at + a->drive_count * D_SIGNALS;
    l.whole = l.balls + (a->count >= 0);
    return l;
}

void ib_actuator_shown(const ib_Actuator *a, int *shown)
{
    Layout l = lay_out_signals(a);
    for (int j = 0; j < a->joint_count; j++) {
        shown[a->position[j]] = l.joint[j] + J_POSITION;
        shown[a->speed[j]] = l.joint[j] + J_VELOCITY;
        if (a->mode[j] >= 0) shown[a->mode[j]] = l.joint[j] + J_SIGNALS;
    }
    for (int i = 0; a->current >= 0 && i < a->drive_count; i++)
        shown[a->current + i] = l.drive + i * D_SIGNALS + D_CURRENT;
    for (int i = 0; i < IB_ACTUATOR_BOOKS; i++) shown[a->books + i] = l.whole + A_BOOKS + i;
    if (a->count >= 0) shown[a->count] = l.balls;
}

// -------------------------------------------------------------------------------------- the book

static double magnetic(const ib_Actuator *a, const double *x)
{
    double sum = 0;
    for (int i = 0; a->current >= 0 && i < a->drive_count; i++)
        sum += x[a->current + i] * x[a->current + i];
    return 0.5 * a->drive.motors * a->config.inductance * sum;
}

// What it has begun with.
static double begun(const ib_Actuator *a, double g)
{
    const ib_MechanismPorts *ports = &a->mechanism.ports;
    double x[IB_STATES_MAX] = {0};
    ib_MechanismEnergy e;
    for (int j = 0; j < a->joint_count; j++) {
        if (ports->joint[j].position) x[ports->joint[j].position - 1] = a->config.position[j];
        x[ports->joint[j].speed - 1] = a->config.velocity[j];
    }
    a->mechanism.kind->energy(&a->mechanism.model, x, g, &e);
    return e.kinetic + e.potential;
}

double ib_actuator_accounted(const ib_Actuator *a, const double *x, double gravity)
{
    double g = gravity_of(a, gravity);
    double sum = stored(a, x, g) + magnetic(a, x) - begun(a, g);
    for (int i = IB_ACTUATOR_COPPER; i < IB_ACTUATOR_BOOKS; i++) sum += x[a->books + i];
    return sum;
}

void ib_actuator_output(const ib_Actuator *a, const double *x, const double *input,
                        const ib_Feed *feed, double *signals)
{
    Layout l = lay_out_signals(a);
    ib_MechanismEnergy energy;
    Now now;
    double *y = signals + l.whole;
    look_at(a, x, input, feed, &now);
    for (int j = 0; j < a->joint_count; j++) {
        signals[l.joint[j] + J_POSITION] = x[a->position[j]];
        signals[l.joint[j] + J_VELOCITY] = x[a->speed[j]];
        if (a->mode[j] >= 0) signals[l.joint[j] + J_SIGNALS] = x[a->mode[j]];
    }
    y[A_SUPPLY] = 0;
    if (a->chambers >= 0) {
        double *own = signals + l.drive;
        own[P_CAP] = now.piston.cap;
        own[P_ROD] = now.piston.rod;
        own[P_FORCE] = now.piston.force;
    }
    for (int i = 0; i < a->bridges; i++) {
        const ib_BridgeResult *r = &feed->power->bus.bridge[a->bridge + i];
        double *own = signals + l.drive + i * D_SIGNALS;
        own[D_VOLTAGE] = r->volts;
        own[D_CURRENT] = r->current;
        own[D_TORQUE] = now.torque[i];
        y[A_SUPPLY] += a->drive.motors * r->drawn;
    }
    if (a->count >= 0) signals[l.balls] = x[a->count];
    a->mechanism.kind->energy(&a->mechanism.model, x + a->state, now.g, &energy);
    y[A_KINETIC] = energy.kinetic;
    y[A_POTENTIAL] = energy.potential;
    y[A_MAGNETIC] = magnetic(a, x);
    for (int i = 0; i < IB_ACTUATOR_BOOKS; i++) y[A_BOOKS + i] = x[a->books + i];
    y[A_ERROR] = x[a->books] - ib_actuator_accounted(a, x, feed->gravity);
}
