#include "robot/roomba/roomba.h"

#include "base/extreme.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

typedef ib_RoombaConfig Config;

// ------------------------------------------------------------------------------------ declarations

static const char *const equations[] = {"corrected", "published", "published-eq3", NULL};

static const ib_Param params[] = {
    IB_LIVE_ROW("mass", "kg", "2.7 kg", 1e-3, 1e4, mass, "mass of the robot"),
    IB_NUMBER_ROW("diameter", "m", "0.33 m", 1e-3, 100, diameter,
                  "diameter of the disc; the wheels stand at its two ends"),
    IB_LIVE_ROW("drag", "N*s^2/m^2", "3.4 N*s^2/m^2", 0, 1e6, drag,
                "coefficient of the quadratic drag along the heading, each wheel"),
    IB_LIVE_ROW("side_drag", "N*s^2/m^2", "1000 N*s^2/m^2", 0, 1e9, side_drag,
                "coefficient of the quadratic drag across the heading, each wheel"),
    IB_LIVE_ROW("max_force", "N", "2.7 N", 1e-6, 1e6, max_force,
                "largest force of a wheel, either way"),
    IB_ROW("equations", IB_PARAM_CHOICE, "1", "corrected", 0, 2, equations, Config, equations,
           "corrected equations, eq. (11)/(14) as printed, or eq. (3) with (9), (10) literally"),
    IB_OUTFIT_ROWS(Config),
};

static const ib_Param start[] = {IB_PLANAR_START_ROWS(offsetof(Config, planar))};

enum {
    S_WHEEL_LEFT,
    S_WHEEL_RIGHT,
    S_DRIVE_LEFT,
    S_DRIVE_RIGHT,
    S_DRAG_LEFT,
    S_DRAG_RIGHT,
    S_SIDE,
    S_SLIP,
    S_KINETIC,
    S_DRIVE_POWER,
    S_DRAG_POWER,
    S_COUNT,
};

static const ib_SignalDef signals[S_COUNT] = {
    [S_WHEEL_LEFT] = {"wheel.left.speed", "m/s", "speed of the left wheel over the floor", 0},
    [S_WHEEL_RIGHT] = {"wheel.right.speed", "m/s", "speed of the right wheel over the floor", 0},
    [S_DRIVE_LEFT] = {"drive.left.force", "N", "force of the left wheel, forward positive", 0,
                      IB_MEANS(.headline = 3)},
    [S_DRIVE_RIGHT] = {"drive.right.force", "N", "force of the right wheel, forward positive", 0,
                       IB_MEANS(.headline = 3)},
    [S_DRAG_LEFT] = {"force.drag.left", "N", "drag force at the left wheel, along the heading", 0},
    [S_DRAG_RIGHT] = {"force.drag.right", "N", "drag force at the right wheel, along the heading",
                      0},
    [S_SIDE] = {"force.side", "N", "drag force across the heading, each wheel", 0},
    [S_SLIP] = {"slip.angle", "rad", "slip angle: course minus heading; 0 below 1 um/s", 0,
                IB_MEANS(.headline = 3, .shown = "deg")},
    [S_KINETIC] = {IB_NAME_ENERGY("kinetic"), "J",
                   "kinetic energy of the body, its rotation included", 0},
    [S_DRIVE_POWER] = {"power.drive", "W", "power of the wheel forces", 0},
    [S_DRAG_POWER] = {"power.drag", "W", "power lost to drag, along and across", 0},
};
static const ib_SignalRows rows = {signals, S_COUNT};

// ----------------------------------------------------------------------------------------- physics

void ib_roomba_init(const Config *config, ib_RoombaModel *model)
{
    double r = config->diameter / 2;
    *model = (ib_RoombaModel){
        .m = config->mass + config->equipment.carried,
        .r = r,
        // A uniform disc [Roomba (7)], and its equipment.
        .inertia = 0.5 * config->mass * r * r + config->equipment.carried_inertia,
        .kd = config->drag,
        .kn = config->side_drag,
        .max_force = config->max_force,
    };
    model->per_mass = 1 / model->m;
    model->per_inertia = 1 / model->inertia;
    // A drag k v|v| on a mass settles at the rate 2 k |v|/m, faster the faster it goes. The
    // published forms blow up by themselves, which is the point of them.
    if (config->equations == IB_ROOMBA_CORRECTED) {
        model->settle_along = 4 * model->kd * ib_max(1 / model->m, r * r / model->inertia);
        model->settle_aside = 4 * model->kn / model->m;
        double V = model->kd > 0 ? sqrt(model->max_force / model->kd) : 0;
        model->settle_own =
            ib_max(model->settle_along * V, V * sqrt(2 * model->kn / (model->m * r))); // 4 kn/m vn
    }
    model->arm = r / model->inertia;
    model->drag_arm_left = -model->arm;
    model->drag_arm_right = +model->arm;
    // (11) adds both drags with the right wheel's sign;
    // (3) with (9), (10) inserted turns both signs.
    if (config->equations == IB_ROOMBA_PUBLISHED) model->drag_arm_left = +model->arm;
    if (config->equations == IB_ROOMBA_PUBLISHED_EQ3) {
        model->drag_arm_left = +model->arm;
        model->drag_arm_right = -model->arm;
    }
}

// Course minus heading; the direction of a crawl below 1 um/s is noise, not slip.
static double slip_angle(const ib_RoombaForces *f)
{
    double speed2 = f->vt * f->vt + f->vn * f->vn;
    return speed2 < 1e-12 ? 0 : ib_atan2(f->vn, f->vt);
}

static void push(const void *part, void *notes, ib_Wires *w)
{
    const ib_RoombaModel *model = part;
    ib_RoombaForces *f = notes;
    *f = ib_roomba_forces(model, w->x, w->input);
    ib_Wrench *force = &w->body.force;
    force->fx += f->left + f->right + f->drag_left + f->drag_right;
    force->fy += 2 * f->side;
    force->torque += (f->right - f->left) * model->r;
    force->torque += model->inertia *
                     (model->drag_arm_right * f->drag_right + model->drag_arm_left * f->drag_left);
}

IB_FORMULA void show(const ib_RoombaModel *model, const ib_RoombaForces *f, double *y)
{
    y += model->signal;
    y[S_WHEEL_LEFT] = f->vl;
    y[S_WHEEL_RIGHT] = f->vr;
    y[S_DRIVE_LEFT] = f->left;
    y[S_DRIVE_RIGHT] = f->right;
    y[S_DRAG_LEFT] = f->drag_left;
    y[S_DRAG_RIGHT] = f->drag_right;
    y[S_SIDE] = f->side;
    y[S_SLIP] = slip_angle(f);
    y[S_DRIVE_POWER] = f->left * f->vl + f->right * f->vr;
    y[S_DRAG_POWER] = -(f->drag_left * f->vl + f->drag_right * f->vr + 2 * f->side * f->vn);
}

static void output(const void *part, const void *notes, const ib_Wires *w, double *y)
{
    (void)w;
    show(part, notes, y);
}

static const ib_PartKind drags = {
    .name = "drags", .notes = sizeof(ib_RoombaForces), .push = push, .output = output};

// Body and drags as one function, for the Roomba alone.
static void own_rate(const void *model, const double *state, const double *input, double *dx,
                     double *guards)
{
    (void)guards; // it has none
    ib_roomba_rate(ib_parts_own(model), state, input, dx);
}

static void own_output(const void *model, const double *state, const double *input, double *y)
{
    const ib_PartsModel *robot = model;
    const ib_RoombaModel *m = robot->own;
    ib_RoombaForces f = ib_roomba_forces(m, state, input);
    double w = state[IB_ROOMBA_W];
    ib_planar_output(&robot->body.planar, state, f.c, f.s, y);
    show(m, &f, y);
    y[robot->body.kinetic] = 0.5 * m->m * (f.vt * f.vt + f.vn * f.vn) + 0.5 * m->inertia * w * w;
}

// ------------------------------------------------------------------------------------------- ports

static void declare_inputs(const ib_RoombaModel *model, ib_Declarations *d)
{
    static const char *const gains[] = {"drive.left.force", "drive.right.force", "force.drag.left",
                                        "force.drag.right", "force.side"};
    double f = model->max_force;
    for (int i = 0; i < 2; i++) {
        ib_InputDef wheel = ib_number_input(
            i ? "right" : "left", "N", i ? "force of the right wheel" : "force of the left wheel",
            -f, f, "max_force");
        wheel.axis = i ? IB_DRIVES_RIGHT_SIDE : IB_DRIVES_LEFT_SIDE;
        wheel.required = true;
        ib_declare_input(d, wheel, NULL);
    }
    for (int i = IB_ROOMBA_GAIN_LEFT; i < IB_ROOMBA_INPUTS; i++)
        ib_declare_input(d, ib_gain_input(gains[i - IB_ROOMBA_GAIN_LEFT]), NULL);
}

static const ib_ForceDef *make_forces(double r, ib_Arena *arena, int *count)
{
    const ib_ForceDef all[] = {
        {"F_l", "drive.left.force", 0, r, 1, 0},     {"F_r", "drive.right.force", 0, -r, 1, 0},
        {"F_drag,l", "force.drag.left", 0, r, 1, 0}, {"F_drag,r", "force.drag.right", 0, -r, 1, 0},
        {"F_n", "force.side", 0, r, 0, 1},           {"F_n", "force.side", 0, -r, 0, 1},
    };
    ib_ForceDef *forces = ib_arena_alloc(arena, sizeof all);
    if (forces) memcpy(forces, all, sizeof all);
    *count = sizeof all / sizeof all[0];
    return forces;
}

// Speeds that the wheels reach by themselves grow slowly and need no more than a stable step:
//   V = sqrt(F/kd) along;  on a curve 2 kn vn^2 = m vt w,  vt w = (vr^2 - vl^2)/(4 r) <= V^2/(4 r)
static double resolution(const ib_RoombaModel *m)
{
    return m->settle_own > 0 ? 2.5 * 0.5 / m->settle_own : 0;
}

// Faster robots were started or pushed so. With a quarter of 1/rate RK4 follows a slide from vn to
// 4e-5 of its length, m/(2 kn) (docs/robot/roomba.md).
static double longest(const void *model, const double *state)
{
    const ib_RoombaModel *m = ib_parts_own(model);
    double c, s, vx = state[IB_ROOMBA_VX], vy = state[IB_ROOMBA_VY];
    ib_sincos(state[IB_ROOMBA_TH], &s, &c);
    double along = fabs(vx * c + vy * s) + m->r * fabs(state[IB_ROOMBA_W]);
    double rate = ib_max(m->settle_along * along, m->settle_aside * fabs(vy * c - vx * s));
    return rate > m->settle_own ? 0.25 / rate : INFINITY;
}

// Signals for odometry; these speeds are in m/s already.
static const ib_RimSignal rims[] = {{"wheel.left.speed", 0, 1}, {"wheel.right.speed", 1, 1}};

static ib_Status build(const void *config_, ib_Build *build, void *model_, ib_Error *error)
{
    const Config *config = config_;
    ib_RoombaModel *model = model_;
    ib_RobotPorts *ports = build->ports;
    ib_roomba_init(config, model);
    declare_inputs(model, build->d);
    ib_build_body(build, false, model->m, model->inertia, offsetof(Config, planar));
    model->signal = build->d->signals.count;
    ib_build_book(build, signals, S_COUNT);
    ib_build_part(build, &drags, model);
    ib_build_own_rate(build, 1, own_rate);
    build->robot->own_output = own_output;
    ib_build_outline(build, config->diameter, config->diameter, &ib_bumper_foam);
    ports->round = true;
    ports->friction = 0.3; // of smooth plastic, an estimate
    ports->resolution = resolution(model);
    ports->forces = make_forces(model->r, build->arena, &ports->force_count);
    ports->geometry = ib__roomba_geometry(config, build->arena);
    ports->rims = ib_rims_of_sides(model->r, rims, 2, build->arena);
    if (!ports->forces || !ports->geometry || !ports->rims)
        return ib_error_set(error, IB_FAILED, "out of memory for the robot's tables");
    return IB_OK;
}

const ib_RobotKind ib_roomba_kind = {
    .name = "roomba",
    .sentence = "a disc with two driven wheels and quadratic drag, in the plane",
    .docs = "docs/robot/roomba.md",
    IB_ROBOT_TABLES(Config, ib_RoombaModel),
    .params.idle = ib_equipment_idle,
    .signals = &rows,
    .carries_equipment = true,
    .build = build,
    .longest = longest,
    .locomotion = ib__roomba_locomotion,
    .errata = ib_roomba_errata,
};
