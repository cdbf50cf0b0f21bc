#include "plant/wheel/sides_now.h"

#include "base/extreme.h"

#include <math.h>

void ib_sides_init(const ib_WheelConfig *wheels, const ib_DrivetrainConfig *drive_,
                   double half_track, ib_Sides *s)
{
    ib_DrivetrainConfig drive = *drive_;
    memset(s, 0, sizeof *s);
    drive.wheel_inertia = wheels->inertia_per_side;
    ib_drivetrain_init(&drive, &s->drive);
    ib_wheel_init(wheels, half_track, &s->wheel);
    s->law = wheels->model;
    s->slips = s->law >= IB_WHEEL_FRICTION_CIRCLE;
    s->resists = wheels->tyre.rolling_resistance > 0;
    s->gear = s->speed = s->bristles = -1;
}

// Motors that are geared to the floor brake the body within
//   tau = M R r^2/(2 N G^2 Kt Ke), turning with I/W^2 in the place of M              [reference B7]
// and side friction within M/K. Half of the shortest is followed to 1e-5 of a transient.
static double geared_resolution(const ib_Sides *s, double mass, double inertia, double motors)
{
    double W = s->wheel.half_track, side = s->wheel.config.side_friction;
    double G = ib_max(s->drive.reduction[0], s->drive.reduction[1]) * s->drive.per_radius;
    double tau = ib_min(mass, inertia / (W * W)) / (2 * G * G * motors);
    if (s->law == IB_WHEEL_VISCOUS && side > 0) tau = ib_min(tau, mass / side);
    return 0.5 * tau;
}

double ib_sides_resolution(const ib_Sides *s, double mass, double inertia, double heaviest,
                           double motors)
{
    if (!s->slips) return geared_resolution(s, mass, inertia, motors);
    double least = ib_min(s->drive.inertia[0], s->drive.inertia[1]);
    ib_WheelCarried carried = {mass, inertia, heaviest * 9.80665, least, s->drive.radius};
    double own = ib_wheel_resolution(&s->wheel, &carried);
    // The motors brake their own wheels: N G^2 Kt Ke/(R J).
    double G = ib_max(s->drive.reduction[0], s->drive.reduction[1]);
    double brake = 1 / (G * G * motors / least);
    return own > 0 ? ib_min(own, brake) : brake;
}

// ------------------------------------------------------------------------------------ declarations

const ib_SignalDef ib_side_motor_signals[IB_MOTOR_SIGNALS] = {
    [IB_MOTOR_VOLTAGE] = {"voltage", "V", "voltage at the terminals of a motor", 0,
                          IB_MEANS(.role = IB_ROLE_MOTOR_VOLTAGE)},
    [IB_MOTOR_CURRENT] = {"current", "A", "current in the winding of a motor", 1e4,
                          IB_MEANS(.headline = 3)},
    [IB_MOTOR_SUPPLY] =
        {"supply", "A", "current drawn from the bus by the motors of this side; negative: fed back",
         0, IB_MEANS(.role = IB_ROLE_LOAD)},
    [IB_MOTOR_TORQUE] = {"torque", "N*m", "torque of a motor at its shaft", 0},
    [IB_MOTOR_SPEED] = {"speed", "rad/s", "speed of a motor at its shaft", 0,
                        IB_MEANS(.shown = "rpm")},
};

const ib_SignalDef ib_side_signals[IB_SIDE_SIGNALS] = {
    [IB_SIDE_SPEED] = {"speed", "rad/s", "angular speed of the wheels of this side", 1e5,
                       IB_MEANS(.role = IB_ROLE_MOTOR_MOTION, .shown = "rpm")},
    [IB_SIDE_SLIP] = {"slip", "m/s",
                      "mean slip speed of this side's contact patches over the floor", 0,
                      IB_MEANS(.role = IB_ROLE_MOTOR_SLIP)},
    [IB_SIDE_FORCE] = {"force", "N", "force of the floor on the wheels of this side, forward", 0},
};

static const ib_SignalDef across_rows[IB_SIDES_ACROSS] = {
    [IB_SIDES_FRONT] = {"wheel.front.side", "N",
                        "force of the floor on the front wheels, to the left", 0},
    [IB_SIDES_REAR] = {"wheel.rear.side", "N", "force of the floor on the rear wheels, to the left",
                       0},
};

void ib_sides_declare_side(ib_Sides *s, int side, const char *prefix, const char *part,
                           ib_Declarations *d)
{
    s->signal[side] = d->signals.count;
    ib_declare(d, prefix, part, ib_side_signals, IB_SIDE_SIGNALS, NULL);
}

void ib_sides_declare_across(ib_Sides *s, ib_Declarations *d)
{
    s->across = d->signals.count;
    ib_declare(d, "", NULL, across_rows, IB_SIDES_ACROSS, NULL);
}

void ib_sides_declare(ib_Sides *s, ib_Declarations *d)
{
    if (s->slips) ib_declare_states(d, 2, IB_STATE, &s->speed);
    for (int i = 0; s->slips && i < 2; i++)
        ib_declare_shown(d, &s->speed, i, s->signal[i] + IB_SIDE_SPEED);
    if (s->law == IB_WHEEL_BRISTLE) ib_declare_states(d, IB_BRISTLE_STATES, IB_STATE, &s->bristles);
    ib_declare_entry(d, "energy.wheels", &s->wheels);
    ib_declare_entry(d, "energy.rotors", &s->rotors);
    ib_declare_entry(d, "energy.tyre", &s->tyre);
}

// ----------------------------------------------------------------------------------------- physics

static void offer(const void *part, void *notes, ib_Wires *w)
{
    const ib_Sides *s = part;
    ib__sides_offer(s, s->law, notes, w);
}

static void push(const void *part, void *notes, ib_Wires *w)
{
    const ib_Sides *s = part;
    ib__sides_slip(s, s->law, notes, w);
    ib__sides_push(s, s->law, notes, w);
}

static void rate(const void *part, const void *notes, ib_Wires *w, double *dx)
{
    const ib_Sides *s = part;
    ib__sides_rate(s, s->law, notes, w, dx);
}

// ------------------------------------------------------------------------------- what is looked at

// Kinetic energies of rotating parts at these speeds.
static void spin_energies(const ib_Sides *s, const double *x, const double speed[2], double *wheels,
                          double *rotors)
{
    double half = 0.5 * (speed[0] * speed[0] + speed[1] * speed[1]);
    *wheels = half * s->drive.wheel_inertia;
    *rotors = half * (s->drive.inertia[ib__sides_gear(s, x)] - s->drive.wheel_inertia);
}

// Lateral floor forces, at the front and at the rear wheels:
//   front + rear = F_y,   a (front - rear) = M - W (right - left)
// Wheels that are geared to the floor have no patches: both halves are equal.
static void output_across(const ib_Sides *s, const ib_SidesNotes *notes, const ib_BodyWires *b,
                          double *y)
{
    const ib_WheelForces *p = &notes->floor;
    double a = s->wheel.config.contact_half_length, side = b->side, twist = 0;
    if (s->slips) side = p->fy;
    if (s->law == IB_WHEEL_VISCOUS) side = ib_wheel_side_force(&s->wheel, b->v.n);
    if (s->slips && a > 0) twist = (p->torque - (p->right - p->left) * s->wheel.half_track) / a;
    y[IB_SIDES_FRONT] = 0.5 * (side + twist);
    y[IB_SIDES_REAR] = 0.5 * (side - twist);
}

static void output(const void *part, const void *notes_, const ib_Wires *w, double *y)
{
    const ib_Sides *s = part;
    const ib_SidesNotes *notes = notes_;
    const ib_WheelForces *p = &notes->floor;
    double wheels, rotors;
    for (int i = 0; i < 2; i++) {
        double *own = y + s->signal[i];
        own[IB_SIDE_SPEED] = s->slips ? w->x[s->speed + i] : notes->rim[i] * s->drive.per_radius;
        own[IB_SIDE_SLIP] = !s->slips ? fabs(w->body.v.n) : i ? p->slip_right : p->slip_left;
        own[IB_SIDE_FORCE] = i ? p->right : p->left;
    }
    output_across(s, notes, &w->body, y + s->across);
    if (!s->slips) return;
    spin_energies(s, w->x, w->x + s->speed, &wheels, &rotors);
    y[s->wheels] += wheels;
    y[s->rotors] += rotors;
}

static bool lifts(const void *part, const void *notes_, const ib_Wires *w)
{
    const ib_Sides *s = part;
    const ib_SidesNotes *notes = notes_;
    double load[IB_WHEEL_PATCHES];
    ib_Weight weight = ib_weight_resting(w);
    if (!s->slips)
        ib_wheel_loads(weight.force, weight.x * s->wheel.per_length, weight.y * s->wheel.per_track,
                       load);
    return ib_weight_lifts(&weight, IB_WHEEL_PATCHES, s->slips ? notes->floor.load : load);
}

// Wheels begin as the body moves.
static void reset(const void *part, const void *config, const ib_Wires *w, double *x)
{
    const ib_Sides *s = part;
    const ib_Twist *v = &w->body.v;
    (void)config;
    for (int i = 0; s->slips && i < 2; i++) {
        double rim = v->u + (i ? 1 : -1) * v->w * s->wheel.half_track;
        x[s->speed + i] = rim * s->drive.per_radius;
    }
}

static double kinetic(const void *part, const ib_Wires *w)
{
    const ib_Sides *s = part;
    double wheels, rotors;
    if (!s->slips) return 0;
    spin_energies(s, w->x, w->x + s->speed, &wheels, &rotors);
    return wheels + rotors;
}

const ib_PartKind ib_sides_part = {
    .name = "sides",
    .notes = sizeof(ib_SidesNotes),
    .reset = reset,
    .offer = offer,
    .push = push,
    .rate = rate,
    .output = output,
    .lifts = lifts,
    .kinetic = kinetic,
};
