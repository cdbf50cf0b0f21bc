// plant/actuator/actuator_motion.c: an actuator at one instant: torques, friction, rates.
#include "plant/actuator/actuator_inside.h"
#include "plant/electric/motor_row_now.h"

#include <math.h>

// ----------------------------------------------------------------------------------------- the bus

void ib_actuator_offer(const ib_Actuator *a, ib_Wires *wires)
{
    double w[IB_MECHANISM_DRIVES];
    if (a->hook.on) ib_actuator_hook(a, wires->x, &wires->hook);
    if (a->motors.count == 0) return;
    ib_mechanism_shafts(&a->mechanism, wires->x + a->state, w);
    for (int i = 0; i < a->motors.count; i++) {
        wires->speed[a->motors.bridge + i] = w[i];
        wires->duty[a->motors.bridge + i] =
            ib_power_share(wires->input[a->command + i], a->share[i]);
    }
    ib__motor_row_offer(&a->motors, wires);
}

// ------------------------------------------------------------------------------------------ motion

// Torque of a cylinder:  T = (F - drag) r
static void push_shaft(const ib_Actuator *a, const ib_Wires *wires, ib__ActuatorNow *now)
{
    const double *x = wires->x;
    double w[IB_MECHANISM_DRIVES];
    ib_PistonPlace place = ib__actuator_piston(a, x);
    ib_mechanism_shafts(&a->mechanism, x + a->state, w);
    now->piston_speed = place.ratio * w[0];
    // A piston that slack takes a little beyond its end has the volume of the end.
    double at = ib_min(ib_max(place.at, 0), a->cylinder.piston.stroke);
    now->piston = ib_air_cylinder_push(&a->cylinder, at, x + a->chambers);
    now->drag = ib_friction_force(&a->cylinder.piston.friction, now->piston_speed, 0, 0);
    double whole = now->piston.force * wires->input[a->motors.gain];
    now->scaled = (now->piston.force - whole) * now->piston_speed;
    now->torque[0] = (whole - now->drag) * place.ratio;
}

// Forces that keep the joints of `standing` at rest:  M_ss F_s = -a_s,  then  a += M F
static void hold_joints(const ib_Actuator *a, const bool standing[2], ib__ActuatorNow *now)
{
    const ib_Joint *joint = a->mechanism.ports.joint;
    double *rate = now->rate, (*M)[IB_MECHANISM_JOINTS] = now->mobility;
    double F[2] = {0, 0}, *first = &rate[joint[0].speed], *second = NULL;
    if (a->joint_count > 1) second = &rate[joint[1].speed];
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
        rate[joint[j].speed] = 0;
        if (!joint[j].unplaced) rate[joint[j].position] = 0;
    }
}

// External forces on the joints:  a += M F
static void push_joints(const ib_Actuator *a, const double *x, const double *input,
                        ib__ActuatorNow *now)
{
    bool pushed = false;
    for (int j = 0; j < a->joint_count; j++) pushed |= input[a->push + j] != 0;
    if (!pushed) return;
    // hang() and sway() follow.
    a->mechanism.kind->mobility(now->model, x + a->state, now->mobility);
    for (int i = 0; i < a->joint_count; i++)
        for (int j = 0; j < a->joint_count; j++)
            now->rate[a->mechanism.ports.joint[i].speed] +=
                now->mobility[i][j] * input[a->push + j];
}

// Dry friction and brake of sliding joints, and holding forces of those at rest.
static void add_friction(const ib_Actuator *a, const double *x, const double *input,
                         ib__ActuatorNow *now)
{
    bool standing[2] = {false, false}, any = false;
    for (int j = 0; j < IB_MECHANISM_JOINTS; j++) {
        bool on = a->brake[j] >= 0 && input[a->brake[j]] > 0.5;
        now->level[j] = a->config.joint[j].dry_friction + (on ? a->config.joint[j].brake : 0);
        now->hold[j] = 0;
    }
    if (!a->stops) return;
    ib__actuator_mobility(a, now, x, now->mobility);
    for (int j = 0; j < a->joint_count; j++) {
        int mode = ib__actuator_mode(a, x, j);
        double F = mode == IB_JOINT_FORWARD    ? -now->level[j]
                   : mode == IB_JOINT_BACKWARD ? now->level[j]
                                               : 0;
        standing[j] = ib__actuator_stands(mode);
        any |= standing[j];
        for (int i = 0; F != 0 && i < a->joint_count; i++)
            now->rate[a->mechanism.ports.joint[i].speed] += now->mobility[i][j] * F;
    }
    if (any) hold_joints(a, standing, now);
}

void ib_actuator_hook(const ib_Actuator *a, const double *x, ib_HookNow *now)
{
    const double *own = x + a->hooked;
    ib_HookMotion at = ib_hook_motion(&a->hook, x, own, x[a->position[0]], x[a->speed[0]]);
    ib_hook_evaluate(&a->hook, &at, own[IB_HOOK_ENGAGED] > 0.5, now);
}

// The robot and its lift, of which the carriage is a part (m: the carriage, J with its rotors):
//   M h" + m v' = Q,       Q = N + U - M g          N of the floor, U on the hook
//   m h" + J v' = F + U                             F: all else that moves the lift
// so that  v' = (F + U - m/M Q)/(J - m^2/M) F has the carriage's weight, -m g. Limits: a light
// carriage, m/M -> 0: v' = (F + U)/J; in free fall, Q = -M g, its weight is 0.
static void hang(const ib_Actuator *a, const ib_Wires *w, ib__ActuatorNow *now)
{
    const ib_HookModel *hook = &a->hook;
    const double *x = w->x;
    double own[IB_MECHANISM_JOINTS][IB_MECHANISM_JOINTS];
    double *rate = &now->rate[a->mechanism.ports.joint[0].speed], M = hook->carrier.mass;
    a->mechanism.kind->mobility(&a->mechanism.model, x + a->state, own);
    ib__actuator_mobility(a, now, x, now->mobility);
    double Q = w->hook.floor + w->hook.up - M * w->gravity;
    *rate = (*rate / own[0][0] + w->hook.up - hook->moved / M * Q) * now->mobility[0][0];
    now->climb_rate = Q / M;
}

// Accelerations of the joints, and back.
static void take_rates(const ib_Actuator *a, const ib__ActuatorNow *now, double rate[2])
{
    for (int j = 0; j < a->joint_count; j++) rate[j] = now->rate[a->mechanism.ports.joint[j].speed];
}

// Acceleration on a base that moves and accelerates, or on a slope (equations in actuator_sway.c):
// B = A0 + k q
static double sway(const ib_Actuator *a, const double *x, const ib_Mount *base,
                   ib__ActuatorNow *now)
{
    double M[IB_MECHANISM_JOINTS][IB_MECHANISM_JOINTS] = {{0}}, rate[IB_MECHANISM_JOINTS] = {0};
    ib__actuator_sway(a, now->model, x, base, &now->sway);
    double begun = base->felt + now->sway.kappa * now->sway.own.q;
    if (begun == 0 && now->sway.kappa == 0) return 0;
    a->mechanism.kind->mobility(now->model, x + a->state, M);
    take_rates(a, now, rate);
    ib__actuator_sway_rates(&now->sway, begun, M, rate);
    for (int j = 0; j < a->joint_count; j++) now->rate[a->mechanism.ports.joint[j].speed] = rate[j];
    return begun;
}

//   A = B - k c . v',   P' = c . v' - q      with the joints' holding forces
static void react(const ib_Actuator *a, double begun, ib__ActuatorNow *now)
{
    const ib__Sway *s = &now->sway;
    double rate[IB_MECHANISM_JOINTS] = {0};
    take_rates(a, now, rate);
    double along = s->own.c[0] * rate[0] + s->own.c[1] * rate[1];
    now->felt = begun - s->kappa * along;
    now->recoil = along - s->own.q;
}

void ib__actuator_glance(const ib_Actuator *a, const ib_Wires *w, ib__ActuatorNow *now)
{
    now->model = ib__actuator_model(a, w->x, &now->loaded);
    now->scaled = 0;
    if (a->chambers >= 0) push_shaft(a, w, now);
    for (int i = 0; i < a->motors.count; i++) now->torque[i] = w->torque[a->motors.bridge + i];
}

void ib__actuator_evaluate(const ib_Actuator *a, const ib_Wires *w, ib__ActuatorNow *now)
{
    const ib_Mechanism *m = &a->mechanism;
    const double *x = w->x, *input = w->input;
    now->g = ib__actuator_pull(a, w);
    ib__actuator_glance(a, w, now);
    m->kind->rate(now->model, x + a->state, now->torque, now->g.down, now->rate);
    push_joints(a, x, input, now);
    if (a->hook.on) hang(a, w, now);
    ib_Mount base = a->config.reaction ? w->mount : (ib_Mount){0};
    base.felt -= now->g.x;
    double begun = sway(a, x, &base, now);
    add_friction(a, x, input, now);
    react(a, begun, now);
    if (a->hook.on) // holding forces of the lift act between it and the robot
        now->climb_rate -=
            a->hook.moved / a->hook.carrier.mass * now->rate[a->mechanism.ports.joint[0].speed];
}

// The book, of which the row of motors has its own part (plant/electric/motor_row.h):
//   electric = copper + conversion + loss + gear + sum T w + d/dt (N L I^2/2)
static void book(const ib_Actuator *a, const ib_Wires *w, const ib__ActuatorNow *now, double *dx)
{
    const double *x = w->x;
    double electric = 0, given = 0, *e = dx + a->books;
    // A tilted floor takes this off its weight, whose potential is that of a level one.
    double lighter = now->g.whole - now->g.down, hung = a->hook.carrier.mass;
    ib_MechanismEnergy energy;
    for (int i = 0; i < a->motors.count; i++)
        electric += a->drive[i].motors * w->power.bus.voltage *
                    w->power.bus.bridge[a->motors.bridge + i].drawn;
    a->mechanism.kind->energy(now->model, x + a->state, now->g.whole, &energy);
    double friction = energy.friction;
    if (a->chambers >= 0) {
        electric = now->piston.force * now->piston_speed;
        friction += now->drag * now->piston_speed;
    }
    for (int j = 0; j < a->joint_count; j++) {
        int mode = ib__actuator_mode(a, x, j);
        double v = x[a->speed[j]];
        if (mode == IB_JOINT_FORWARD) friction += now->level[j] * v;
        if (mode == IB_JOINT_BACKWARD) friction -= now->level[j] * v;
        given -= w->input[a->push + j] * v;
        given += (now->felt * now->sway.own.c[j] - lighter * now->sway.own.up[j]) * v;
    }
    if (a->hook.on) given += w->hook.given - lighter * hung * x[a->hooked + IB_HOOK_CLIMB];
    e[IB_ACTUATOR_ELECTRIC] = electric;
    e[IB_ACTUATOR_COPPER] = e[IB_ACTUATOR_CONVERSION] = e[IB_ACTUATOR_GEAR] = 0;
    e[IB_ACTUATOR_LOSS] = now->scaled;
    e[IB_ACTUATOR_FRICTION] = friction;
    e[IB_ACTUATOR_STOP] = 0;
    e[IB_ACTUATOR_GIVEN] = given;
}

void ib_actuator_rate(const ib_Actuator *a, const ib_MotorRowNotes *motors, ib_Wires *w, double *dx)
{
    const ib_MechanismPorts *ports = &a->mechanism.ports;
    const double *x = w->x;
    ib__ActuatorNow now;
    ib__actuator_evaluate(a, w, &now);
    if (a->chambers >= 0) {
        ib_AirDraw own = ib_air_cylinder_rate(&a->cylinder, &now.piston, &w->air,
                                              w->input[a->command] > 0.5, dx + a->chambers);
        w->draw.taken += own.taken;
        w->draw.vented += own.vented;
    }
    for (int i = 0; i < ports->states; i++) dx[a->state + i] = now.rate[i];
    for (int j = 0; j < a->joint_count; j++) {
        if (ports->joint[j].unplaced) dx[a->position[j]] = x[a->speed[j]];
        if (a->mode[j] >= 0) dx[a->mode[j]] = 0;
    }
    if (a->jolted >= 0) dx[a->jolted] = dx[a->count] = 0;
    if (a->held >= 0) dx[a->held] = 0;
    if (a->hook.on) {
        double *own = dx + a->hooked;
        own[IB_HOOK_HEIGHT] = x[a->hooked + IB_HOOK_CLIMB];
        own[IB_HOOK_CLIMB] = now.climb_rate;
        own[IB_HOOK_ENGAGED] = own[IB_HOOK_STRIKING] = own[IB_HOOK_STRUCK] = 0;
        own[IB_HOOK_LOST] = w->hook.lost;
    }
    book(a, w, &now, dx);
    if (a->motors.count > 0) ib__motor_row_rate(&a->motors, motors, w, dx);
}

double ib_actuator_recoil(const ib_Actuator *a, const ib_Wires *w)
{
    ib__ActuatorNow now;
    ib__actuator_evaluate(a, w, &now);
    return now.recoil;
}

// ------------------------------------------------------------------------------------------- cargo

double ib_actuator_air(const ib_Actuator *a, const double *x)
{
    return a->chambers < 0 ? 0 : x[a->chambers] + x[a->chambers + 1];
}

void ib_actuator_cargo(const ib_Actuator *a, const double *x, ib_Cargo *cargo)
{
    const ib_Mechanism *m = &a->mechanism;
    double own[3] = {0, 0, 0}, mass = m->ports.mass;
    ib_MechanismMemory loaded;
    if (mass == 0) return;
    if (m->kind->centre) m->kind->centre(ib__actuator_model(a, x, &loaded), x + a->state, own);
    if (a->held >= 0) {
        double extra = x[a->held] - m->ports.load;
        cargo->extra += extra;
        mass += extra;
    }
    const double *place = a->config.place;
    ib_cargo_add(cargo, mass, place[0] + own[0], place[1] + own[1], place[2] + own[2]);
}
