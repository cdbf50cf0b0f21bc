// plant/ram_lanes.c: the step of a block of cylinders. docs/plant/ram_lanes.md
//
// Every loop over lanes is straight: nothing in it asks about a lane's data but selections. The
// build compiles this file with vectors (CMakeLists.txt): gcc makes vectors of all of them, for
// NEON and for SSE2, clang 14 of few. The bits are the same.
#include "plant/ram_lanes.h"

#include "solver/rodas.h"
#include "solver/ros2.h"

#include <string.h>

enum { W = IB_LANES, N = IB_LANE_STATES, ROWS = IB_LANE_ROWS, STAGES = 6 };
enum { X, V, MC, UC, MR, UR, WORK, HEAT };

// What has to be known before a loop over lanes: a question inside it would stop the vectors.
typedef struct Law {
    int friction, exponent; ///< ib_FrictionLaw; of Stribeck's curve
    bool warms;             ///< heat passes the walls
    bool led;               ///< somebody else moves the piston
} Law;

// ------------------------------------------------------------------------------------------- rates

typedef struct Chamber {
    double pressure;
    double mass, energy; ///< m' [kg/s]; U' without the piston's work [W]
    double heat;         ///< from the walls, within U' [W]
} Chamber;

// The formulas of plant/ram.h for a port with one way. What does not change within a step stands
// in brackets, so that it is multiplied once.
IB_FORMULA Chamber chamber_now(const ib_RamModel *gas, const ib_RamLanes *b, const ib_RamSide *side,
                               double source, double port, double way, double m, double U,
                               bool warms)
{
    ib_ChamberNow now = ib_chamber_now(gas, ib_ram_volume(side, way), m, U);
    double P = now.pressure;
    ib_QuickMask in = ib_quick_above(source, P);
    double up = ib_quick_pick(in, source, P), down = ib_quick_pick(in, P, source);
    double root = ib_quick_pick(in, b->root_supply, now.root);
    double T = ib_quick_pick(in, b->supply_temperature, now.temperature);
    double size = ib_orifice_ideal_flow(&gas->orifice, port, up, root, down);
    double q = ib_quick_pick(in, size, -size);
    double heat = gas->coefficient * ib_ram_walls(side, way) * (gas->temperature - now.temperature);
    double enthalpy = gas->cp * T * q;
    Chamber c = {P, q, warms ? enthalpy + heat : enthalpy, heat};
    return c;
}

IB_FORMULA ib_RamSide cap_of(const ib_RamLanes *b, int l)
{
    return (ib_RamSide){b->cap_area[l], b->cap_dead[l], b->cap_length[l], b->cap_wall[l],
                        b->cap_faces[l]};
}

IB_FORMULA ib_RamSide rod_of(const ib_RamLanes *b, int l)
{
    return (ib_RamSide){b->rod_area[l], b->rod_dead[l], b->rod_length[l], b->rod_wall[l],
                        b->rod_faces[l]};
}

IB_FORMULA ib_FrictionModel friction_of(const ib_RamLanes *b, int l, Law law)
{
    return (ib_FrictionModel){
        .law = law.friction,
        .coulomb = {b->coulomb[0][l], b->coulomb[1][l]},
        .surplus = {b->surplus[0][l], b->surplus[1][l]},
        .viscous = b->viscous[l],
        .per_sliding = b->per_sliding[l],
        .exponent = law.exponent,
        .whole = law.exponent,
        .steepness = b->steepness[l],
    };
}

IB_FORMULA void rates(const ib_RamLanes *b, Law law, double y[restrict][W], double f[restrict][W])
{
    const ib_RamModel *gas = b->ram[0];
    for (int l = 0; l < W; l++) {
        double x = y[X][l], v = law.led ? y[V][l] : y[V][l] * b->free[l];
        ib_RamSide cap = cap_of(b, l), rod = rod_of(b, l);
        ib_FrictionModel friction = friction_of(b, l, law);
        Chamber c = chamber_now(gas, b, &cap, b->cap_source[l], b->cap_port[l], x, y[MC][l],
                                y[UC][l], law.warms);
        Chamber r = chamber_now(gas, b, &rod, b->rod_source[l], b->rod_port[l], b->stroke[l] - x,
                                y[MR][l], y[UR][l], law.warms);
        double air = c.pressure * cap.area - r.pressure * rod.area;
        if (law.led) {
            f[WORK][l] = air * v;
            f[HEAT][l] = c.heat + r.heat;
        } else {
            double net = air + (b->push[l] - gas->atmosphere * b->shaft[l]) -
                         ib_friction_force(&friction, v, 0, 0);
            f[X][l] = v;
            f[V][l] = net * (b->per_mass[l] * b->free[l]);
        }
        f[MC][l] = c.mass * (1 / IB_RAM_MASS);
        f[UC][l] = c.energy - c.pressure * ((gas->work * cap.area) * v);
        f[MR][l] = r.mass * (1 / IB_RAM_MASS);
        f[UR][l] = r.energy + r.pressure * ((gas->work * rod.area) * v);
    }
}

// ---------------------------------------------------------------------------------------- Jacobian

// I/(h gamma) - J of every lane, ready for its solutions, g = 1/(h gamma) of the method. Of a
// chamber, in the order cap, rod: m' by x, m, U is mx, mm, mU, and U' by x, v, m, U is Ex, Ev, Em,
// EU. Its own two unknowns are those of D = [g - mm, -mU; -Em, g - EU]:
//   u_m = mm' b_m + mU' b_U,   u_U = Um' b_m + UU' b_U,   D^-1 = [mm', mU'; Um', UU']
//   b_m + mx u_x and b_U + Ex u_x + Ev u_v in the place of b_m and b_U: + (…)x u_x + (…)v u_v
typedef struct Factors {
    double per_g;
    double mm[2][W], mU[2][W], Um[2][W], UU[2][W]; ///< D^-1
    double mx[2][W], mv[2][W], Ux[2][W], Uv[2][W]; ///< what u_x and u_v do to u_m and u_U
    double vU[2][W];                               ///< v' by both U
    double by_x[W];  ///< of what x does to v, through both chambers too, over g
    double pivot[W]; ///< 1 over what is left for v
    // Of led pistons: the work's rate by x and both U, the heat's by x and by m and U of both.
    double Wx[W], WU[2][W], Qx[W], Qm[2][W], QU[2][W];
} Factors;

// What the solution needs of one chamber: i is 0 for the cap side.
IB_FORMULA void keep(const ib_ChamberSlopes *s, double g, double moves, Factors *F, int i, int l)
{
    double gm = g - s->m_m, gU = g - s->U_U, per_det = 1 / (gm * gU - s->m_U * s->U_m);
    double mm = gU * per_det, mU = s->m_U * per_det, Um = s->U_m * per_det, UU = gm * per_det;
    F->mm[i][l] = mm;
    F->mU[i][l] = mU;
    F->Um[i][l] = Um;
    F->UU[i][l] = UU;
    F->mx[i][l] = mm * s->m_x + mU * s->U_x;
    F->mv[i][l] = mU * s->U_v;
    F->Ux[i][l] = Um * s->m_x + UU * s->U_x;
    F->Uv[i][l] = UU * s->U_v;
    F->vU[i][l] = s->P_U * moves;
}

// Likewise of the sums, with the volumes that both sides gain and lose in a second.
IB_FORMULA void keep_sums(const ib_ChamberSlopes *c, const ib_ChamberSlopes *r, double gain,
                          double loss, Factors *F, int l)
{
    F->Wx[l] = c->P_x * gain - r->P_x * loss;
    F->WU[0][l] = c->P_U * gain;
    F->WU[1][l] = -r->P_U * loss;
    F->Qx[l] = c->Q_x + r->Q_x;
    F->Qm[0][l] = c->Q_m;
    F->QU[0][l] = c->Q_U;
    F->Qm[1][l] = r->Q_m;
    F->QU[1][l] = r->Q_U;
}

// Rates and factors at y.
IB_FORMULA void prepare(const ib_RamLanes *b, Law law, double per_g, double y[restrict][W],
                        double f[restrict][W], Factors *restrict F)
{
    const ib_RamModel *gas = b->ram[0];
    double g = 1 / per_g;
    F->per_g = per_g;
    for (int l = 0; l < W; l++) {
        double x = y[X][l], v = law.led ? y[V][l] : y[V][l] * b->free[l];
        double T0 = b->supply_temperature;
        ib_RamSide cap = cap_of(b, l), rod = rod_of(b, l);
        ib_FrictionModel friction = friction_of(b, l, law);
        ib_ChamberSlopes c = ib_chamber_slopes(gas, &cap, b->cap_source[l], b->cap_port[l], T0,
                                               b->root_supply, 1, x, v, y[MC][l], y[UC][l]);
        ib_ChamberSlopes r =
            ib_chamber_slopes(gas, &rod, b->rod_source[l], b->rod_port[l], T0, b->root_supply, -1,
                              b->stroke[l] - x, v, y[MR][l], y[UR][l]);
        double moves = b->per_mass[l] * b->free[l];
        keep(&c, g, cap.area * moves, F, 0, l);
        keep(&r, g, -rod.area * moves, F, 1, l);
        double air = c.pressure * cap.area - r.pressure * rod.area;
        f[MC][l] = c.mass;
        f[UC][l] = c.energy;
        f[MR][l] = r.mass;
        f[UR][l] = r.energy;
        if (law.led) {
            f[WORK][l] = air * v;
            f[HEAT][l] = c.heat + r.heat;
            keep_sums(&c, &r, cap.area * v, rod.area * v, F, l);
            continue;
        }
        double net = air + (b->push[l] - gas->atmosphere * b->shaft[l]) -
                     ib_friction_force(&friction, v, 0, 0);
        f[X][l] = v;
        f[V][l] = net * moves;
        double vv = -ib_friction_slope(&friction, v, 0, 0) * moves;
        double through_x = (c.P_x * cap.area - r.P_x * rod.area) * moves, through_v = 0;
        for (int i = 0; i < 2; i++) {
            through_x += F->vU[i][l] * F->Ux[i][l];
            through_v += F->vU[i][l] * F->Uv[i][l];
        }
        F->by_x[l] = through_x * F->per_g;
        F->pivot[l] = 1 / (g - vv - b->free[l] * F->by_x[l] - through_v);
    }
}

// Solves for the stage's increment in place: the chambers as if nothing moved, the speed, and what
// the motion adds.
IB_FORMULA void solve(const ib_RamLanes *b, const Factors *restrict F, double u[restrict N][W])
{
    for (int l = 0; l < W; l++) {
        double bx = u[X][l], right = u[V][l] + F->by_x[l] * bx, m[2], U[2];
        for (int i = 0; i < 2; i++) {
            double bm = u[MC + 2 * i][l], bU = u[UC + 2 * i][l];
            m[i] = F->mm[i][l] * bm + F->mU[i][l] * bU;
            U[i] = F->Um[i][l] * bm + F->UU[i][l] * bU;
        }
        right += F->vU[0][l] * U[0] + F->vU[1][l] * U[1];
        double uv = right * F->pivot[l], ux = (bx + b->free[l] * uv) * F->per_g;
        u[X][l] = ux;
        u[V][l] = uv;
        for (int i = 0; i < 2; i++) {
            u[MC + 2 * i][l] = m[i] + (F->mx[i][l] * ux + F->mv[i][l] * uv);
            u[UC + 2 * i][l] = U[i] + (F->Ux[i][l] * ux + F->Uv[i][l] * uv);
        }
    }
}

// ---------------------------------------------------------------------------------------- the step

IB_FORMULA void stage(const ib_RamLanes *b, Law law, int s, double per_h, double y0[restrict][W],
                      double u[restrict STAGES][N][W], double y[restrict N][W],
                      const Factors *restrict F)
{
    for (int i = 0; i < N; i++)
        for (int l = 0; l < W; l++) {
            // The last stage's place is that of the one before, and its increment.
            double sum = s == 5 ? y[i][l] + u[4][i][l] : y0[i][l];
            for (int j = 0; s < 5 && j < s; j++) sum += ib_rodas_a[s][j] * u[j][i][l];
            y[i][l] = sum;
        }
    rates(b, law, y, u[s]);
    for (int i = 0; i < N; i++)
        for (int l = 0; l < W; l++) {
            double sum = 0;
            for (int j = 0; j < s; j++) sum += ib_rodas_c[s][j] * u[j][i][l];
            u[s][i][l] += sum * per_h;
        }
    solve(b, F, u[s]);
}

IB_FORMULA void step_by_law(ib_RamLanes *b, Law law, double h)
{
    Factors F;
    double u[STAGES][N][W], y[N][W], per_h = 1 / h;
    prepare(b, law, h * IB_RODAS_GAMMA, b->y, u[0], &F);
    solve(b, &F, u[0]);
    stage(b, law, 1, per_h, b->y, u, y, &F);
    stage(b, law, 2, per_h, b->y, u, y, &F);
    stage(b, law, 3, per_h, b->y, u, y, &F);
    stage(b, law, 4, per_h, b->y, u, y, &F);
    stage(b, law, 5, per_h, b->y, u, y, &F);
    for (int i = 0; i < N; i++)
        for (int l = 0; l < W; l++) b->y[i][l] = y[i][l] + u[5][i][l];
}

// ---------------------------------------------------------------------------- pistons that are led

// x is known, and with it what the time does by itself: f_t = v df/dx. The stage's increment of
// the chambers and of the sums, with ux = +-gamma h v of each lane.
IB_FORMULA void solve_led(Law law, const Factors *restrict F, double sign,
                          const double step[restrict W], double u[restrict][W])
{
    for (int l = 0; l < W; l++) {
        double ux = sign * step[l];
        double work = u[WORK][l] + F->Wx[l] * ux, heat = u[HEAT][l] + F->Qx[l] * ux;
        for (int i = 0; i < 2; i++) {
            double bm = u[MC + 2 * i][l], bU = u[UC + 2 * i][l];
            double m = F->mm[i][l] * bm + F->mU[i][l] * bU + F->mx[i][l] * ux;
            double U = F->Um[i][l] * bm + F->UU[i][l] * bU + F->Ux[i][l] * ux;
            u[MC + 2 * i][l] = m;
            u[UC + 2 * i][l] = U;
            work += F->WU[i][l] * U;
            heat += F->Qm[i][l] * m + F->QU[i][l] * U;
        }
        u[WORK][l] = work * F->per_g;
        if (law.warms) u[HEAT][l] = heat * F->per_g;
    }
}

// One step of ROS2 (solver/ros2.h).
IB_FORMULA void lead_by_law(ib_RamLanes *b, Law law, double h)
{
    Factors F;
    double u[2][ROWS][W], y[ROWS][W], ux[W], c_per_h = IB_ROS2_C / h;
    int end = law.warms ? ROWS : HEAT;
    for (int l = 0; l < W; l++) ux[l] = (IB_ROS2_GAMMA * h) * b->y[V][l];
    prepare(b, law, h * IB_ROS2_GAMMA, b->y, u[0], &F);
    solve_led(law, &F, 1, ux, u[0]);
    for (int l = 0; l < W; l++) {
        y[X][l] = b->y[X][l] + h * b->y[V][l];
        y[V][l] = b->y[V][l];
        for (int i = MC; i <= UR; i++) y[i][l] = b->y[i][l] + IB_ROS2_A * u[0][i][l];
    }
    rates(b, law, y, u[1]);
    for (int i = MC; i < end; i++)
        for (int l = 0; l < W; l++) u[1][i][l] += c_per_h * u[0][i][l];
    solve_led(law, &F, -1, ux, u[1]);
    for (int i = MC; i < end; i++)
        for (int l = 0; l < W; l++) b->y[i][l] += IB_ROS2_B1 * u[0][i][l] + IB_ROS2_B2 * u[1][i][l];
    for (int l = 0; l < W; l++) b->y[X][l] = y[X][l];
}

// ------------------------------------------------------------------------------ a step of each law

// A function for each law, since nothing in a loop may ask for it.
#define STEP(name, friction, exponent, warms)                                                      \
    static void name(ib_RamLanes *b, double h)                                                     \
    {                                                                                              \
        step_by_law(b, (Law){friction, exponent, warms, false}, h);                                \
    }
STEP(step_viscous, IB_FRICTION_VISCOUS, 1, false)
STEP(step_first, IB_FRICTION_STRIBECK, 1, false)
STEP(step_second, IB_FRICTION_STRIBECK, 2, false)
STEP(step_fifth, IB_FRICTION_STRIBECK, 5, false)
STEP(step_viscous_warm, IB_FRICTION_VISCOUS, 1, true)
STEP(step_first_warm, IB_FRICTION_STRIBECK, 1, true)
STEP(step_second_warm, IB_FRICTION_STRIBECK, 2, true)
STEP(step_fifth_warm, IB_FRICTION_STRIBECK, 5, true)

static void lead(ib_RamLanes *b, double h)
{
    lead_by_law(b, (Law){IB_FRICTION_NONE, 1, false, true}, h);
}

static void lead_warm(ib_RamLanes *b, double h)
{
    lead_by_law(b, (Law){IB_FRICTION_NONE, 1, true, true}, h);
}

typedef void StepOfLaw(ib_RamLanes *b, double h);

// By the laws of friction, Stribeck's exponent included, and of heat; NULL: not in lanes.
static StepOfLaw *step_of(const ib_RamModel *ram, const ib_FrictionModel *friction)
{
    bool warms = ram->heat == IB_RAM_WALLS;
    if (friction->law == IB_FRICTION_VISCOUS) return warms ? step_viscous_warm : step_viscous;
    if (friction->law != IB_FRICTION_STRIBECK) return NULL;
    if (friction->whole == 1) return warms ? step_first_warm : step_first;
    if (friction->whole == 2) return warms ? step_second_warm : step_second;
    if (friction->whole == 5) return warms ? step_fifth_warm : step_fifth;
    return NULL;
}

static void step_block(ib_RamLanes *b, double h)
{
    step_of(b->ram[0], b->friction[0])(b, h);
}

// ------------------------------------------------------------------------------------------- stops

// What pushes a lane that stands, outwards [N].
static double net_at_rest(const ib_RamLanes *b, int l)
{
    const ib_RamModel *gas = b->ram[0];
    double x = b->y[X][l], left = b->stroke[l] - x;
    double cap = gas->k1 * b->y[UC][l] / (b->cap_area[l] * x + b->cap_dead[l]);
    double rod = gas->k1 * b->y[UR][l] / (b->rod_area[l] * left + b->rod_dead[l]);
    double force = cap * b->cap_area[l] - rod * b->rod_area[l] - gas->atmosphere * b->shaft[l];
    return force + b->push[l];
}

// Positive as long as a lane goes on as it is: how far from the nearer stop [m], or at a stop the
// force that presses on it [N].
static double margin(const ib_RamLanes *b, int l)
{
    double x = b->y[X][l], left = b->stroke[l] - x;
    if (b->free[l] > 0) return (x < left ? x : left) + 1e-12;
    double net = net_at_rest(b, l);
    return (x < left ? -net : net) + 1e-9;
}

// The states of a block and which of its lanes move.
typedef struct Moment {
    double y[IB_LANE_STATES][W], free[W];
} Moment;

static Moment moment_of(const ib_RamLanes *b)
{
    Moment m;
    memcpy(m.y, b->y, sizeof m.y);
    memcpy(m.free, b->free, sizeof m.free);
    return m;
}

static void go_back(ib_RamLanes *b, const Moment *m)
{
    memcpy(b->y, m->y, sizeof m->y);
    memcpy(b->free, m->free, sizeof m->free);
}

// The margin of a lane t after `begin`, where the block then is.
static double margin_at(ib_RamLanes *b, const Moment *begin, int l, double t)
{
    go_back(b, begin);
    step_block(b, t);
    return margin(b, l);
}

// The instant at which a lane's margin, positive at 0 and not at h, has just turned: false
// position with the older end halved (Illinois).
static double turn(ib_RamLanes *b, const Moment *begin, int l, double h, double at_h)
{
    go_back(b, begin);
    double low = 0, high = h, at_low = margin(b, l), side = 0;
    for (int i = 0; i < 60 && high - low > 1e-13 * h; i++) {
        double t = low + (high - low) * (at_low / (at_low - at_h));
        if (!(t > low && t < high)) t = 0.5 * (low + high);
        double at = margin_at(b, begin, l, t);
        if (at > 0) {
            if (side > 0) at_h *= 0.5;
            low = t, at_low = at, side = 1;
        } else {
            if (side < 0) at_low *= 0.5;
            high = t, at_h = at, side = -1;
        }
    }
    return high;
}

// A lane meets a stop, which takes its speed, or leaves one.
static void meet(ib_RamLanes *b, int l)
{
    bool leaves = b->free[l] == 0, low = b->y[X][l] < 0.5 * b->stroke[l];
    b->free[l] = 1;
    if (leaves) return;
    b->y[X][l] = low ? 0 : b->stroke[l];
    b->y[V][l] = 0;
    double net = net_at_rest(b, l);
    b->free[l] = low ? net > 0 : net < 0;
}

// One lane from `begin` on by h, stop by stop. All lanes of the block take part; only this counts,
// and the others are where they were before.
static void redo(ib_RamLanes *b, const Moment *begin, int l, double h)
{
    Moment end = moment_of(b), from = *begin;
    for (int round = 0; round < 8; round++) {
        double at_h = margin_at(b, &from, l, h);
        if (at_h > 0) break;
        double t = turn(b, &from, l, h, at_h);
        margin_at(b, &from, l, t);
        meet(b, l);
        from = moment_of(b);
        h -= t;
        if (!(h > 0)) break;
    }
    for (int i = 0; i < IB_LANE_STATES; i++) end.y[i][l] = b->y[i][l];
    end.free[l] = b->free[l];
    go_back(b, &end);
}

void ib_lanes_step(ib_RamLanes *lanes, double h, int parts)
{
    for (int part = 0; part < parts; part++) {
        Moment begin = moment_of(lanes);
        step_block(lanes, h / parts);
        for (int l = 0; l < lanes->count; l++)
            if (!(margin(lanes, l) > 0)) redo(lanes, &begin, l, h / parts);
    }
}

void ib_lanes_lead(ib_RamLanes *lanes, double h)
{
    if (lanes->ram[0]->heat == IB_RAM_WALLS)
        lead_warm(lanes, h);
    else
        lead(lanes, h);
}

// ------------------------------------------------------------------------------------------ making

const char *ib_lanes_refuse(const ib_RamModel *ram, const ib_FrictionModel *friction)
{
    if (!ib_ram_has_slopes(ram)) return "its ports, leaks, cushions or heat";
    if (ram->valve.dynamics != IB_SPOOL_AT_ONCE) return "valve.spool.dynamics";
    if (!friction) return NULL;
    if (friction->excess[0] != 0 || friction->excess[1] != 0) return "friction.ends";
    return step_of(ram, friction) ? NULL : "friction.law";
}

static void set_lane(ib_RamLanes *b, int l, const ib_RamModel *ram, const ib_FrictionModel *f,
                     double mass)
{
    b->ram[l] = ram;
    b->friction[l] = f;
    b->cap_area[l] = ram->cap.area;
    b->cap_dead[l] = ram->cap.dead;
    b->cap_length[l] = ram->cap.length;
    b->cap_wall[l] = ram->cap.perimeter;
    b->cap_faces[l] = ram->cap.faces;
    b->rod_area[l] = ram->rod.area;
    b->rod_dead[l] = ram->rod.dead;
    b->rod_length[l] = ram->rod.length;
    b->rod_wall[l] = ram->rod.perimeter;
    b->rod_faces[l] = ram->rod.faces;
    b->stroke[l] = ram->stroke;
    b->shaft[l] = ram->shaft;
    b->mass[l] = mass;
    b->per_mass[l] = 1 / mass;
    for (int i = 0; i < 2; i++) {
        b->coulomb[i][l] = f ? f->coulomb[i] : 0;
        b->surplus[i][l] = f ? f->surplus[i] : 0;
    }
    b->viscous[l] = f ? f->viscous : 0;
    b->per_sliding[l] = f ? f->per_sliding : 0;
    b->steepness[l] = f ? f->steepness : 0;
    b->free[l] = 1;
    b->y[X][l] = 0.5 * ram->stroke;
    b->y[V][l] = 0;
}

int ib_lanes_add(ib_RamLanes *lanes, const ib_RamModel *ram, const ib_FrictionModel *friction,
                 double mass)
{
    int lane = lanes->count++;
    IB_ASSERT(lane < IB_LANES);
    lanes->root_supply = ram->root_temperature;
    lanes->supply_temperature = ram->temperature;
    // Lanes that nobody uses do what the last one does.
    for (int l = lane; l < W; l++) {
        double air[IB_RAM_STATES];
        set_lane(lanes, l, ram, friction, mass);
        ib_ram_fill(ram, lanes->y[X][l], ram->atmosphere, ram->atmosphere, ram->temperature,
                    ram->temperature, air);
        for (int i = 0; i < IB_RAM_STATES; i++) lanes->y[IB_LANE_AIR + i][l] = air[i];
        ib_lanes_open(lanes, l, 0, ram->atmosphere);
    }
    return lane;
}

ib_RamOpening ib_lanes_open(ib_RamLanes *lanes, int lane, double s, double supply)
{
    ib_RamOpening open = ib_ram_open(lanes->ram[lane], s, ib_proportional_up(s), supply);
    lanes->cap_source[lane] = open.cap.pressure;
    lanes->cap_port[lane] = open.cap.area;
    lanes->rod_source[lane] = open.rod.pressure;
    lanes->rod_port[lane] = open.rod.area;
    return open;
}
