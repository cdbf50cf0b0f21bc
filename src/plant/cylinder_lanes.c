// plant/cylinder_lanes.c: a step of the air in several cylinders at once.
// The derivation is in docs/plant/cylinder_lead.md.
//
// x and v are known, and what is left falls apart into the two unknowns of each chamber. Every loop
// over lanes is straight: nothing in it asks about a lane's data but selections. The build compiles
// this file with vectors (CMakeLists.txt): gcc makes vectors of all of them, for NEON and for SSE2,
// clang 14 of few. The bits are the same.
#include "plant/cylinder_lead.h"
#include "solver/ros2.h"

#include <string.h>

enum { W = IB_CYLINDER_LANES, AIR = IB_CYLINDER_STATES, WORK = AIR, HEAT, ROWS };

// The cylinders, lane beside lane; `gas`, `T0` and `root0` count for all.
typedef struct Lanes {
    const ib_CylinderModel *gas;
    double T0, root0; ///< of the supply
    double area[IB_SIDES][W], dead[IB_SIDES][W], length[IB_SIDES][W], wall[IB_SIDES][W],
        faces[IB_SIDES][W];
    double source[IB_SIDES][W], port[IB_SIDES][W]; ///< what a port is open to, and how far
    double x[W], v[W], stroke[W];
    double y[ROWS][W]; ///< states of the air; sums of work on the piston and of heat
} Lanes;

IB_FORMULA ib_CylinderSide side_of(const Lanes *b, int i, int l)
{
    return (ib_CylinderSide){b->area[i][l], b->dead[i][l], b->length[i][l], b->wall[i][l],
                             b->faces[i][l]};
}

IB_FORMULA double way_of(const Lanes *b, int i, int l, double x)
{
    return i == IB_SIDE_CAP ? x : b->stroke[l] - x;
}

// (P_c A_c - P_r A_r) v
IB_FORMULA void find_work(const Lanes *b, double P[IB_SIDES][W], double work[restrict W])
{
    for (int l = 0; l < W; l++)
        work[l] = (P[0][l] * b->area[0][l] - P[1][l] * b->area[1][l]) * b->v[l];
}

// ------------------------------------------------------------------------------------------- rates

typedef struct Chamber {
    double pressure;
    double mass, energy; ///< m' [kg/s]; U' without the piston's work [W]
    double heat;         ///< from the walls, within U' [W]
} Chamber;

// The formulas of plant/cylinder.h for a port with one way.
IB_FORMULA Chamber chamber_now(const Lanes *b, const ib_CylinderSide *side, double source,
                               double port, double way, double m, double U, bool warms)
{
    const ib_CylinderModel *gas = b->gas;
    ib_ChamberNow now = ib_chamber_now(gas, ib_cylinder_volume(side, way), m, U);
    double P = now.pressure;
    ib_QuickMask in = ib_quick_above(source, P);
    double up = ib_quick_pick(in, source, P), down = ib_quick_pick(in, P, source);
    double root = ib_quick_pick(in, b->root0, now.root);
    double T = ib_quick_pick(in, b->T0, now.temperature);
    double size = ib_orifice_ideal_flow(&gas->orifice, port, up, root, down);
    double q = ib_quick_pick(in, size, -size);
    double heat =
        gas->coefficient * ib_cylinder_walls(side, way) * (gas->temperature - now.temperature);
    double enthalpy = gas->cp * T * q;
    Chamber c = {P, q, warms ? enthalpy + heat : enthalpy, heat};
    return c;
}

// Rates of one side's air at the places x. `warms`: heat passes the walls, which is known before a
// loop over lanes, as `i` is, since a question inside it would stop the vectors.
IB_FORMULA void side_rates(const Lanes *b, int i, bool warms, const double x[restrict W],
                           double y[restrict][W], double P[restrict][W], double f[restrict][W])
{
    for (int l = 0; l < W; l++) {
        ib_CylinderSide side = side_of(b, i, l);
        Chamber c = chamber_now(b, &side, b->source[i][l], b->port[i][l], way_of(b, i, l, x[l]),
                                y[2 * i][l], y[2 * i + 1][l], warms);
        P[i][l] = c.pressure;
        f[2 * i][l] = c.mass * (1 / IB_CYLINDER_MASS);
        f[2 * i + 1][l] =
            c.energy - c.pressure * ((b->gas->work * side.area) * (i ? -b->v[l] : b->v[l]));
        f[HEAT][l] = (i ? f[HEAT][l] : 0) + c.heat;
    }
}

IB_FORMULA void rates(const Lanes *b, bool warms, const double x[restrict W], double y[restrict][W],
                      double f[restrict][W])
{
    double P[IB_SIDES][W];
    side_rates(b, IB_SIDE_CAP, warms, x, y, P, f);
    side_rates(b, IB_SIDE_ROD, warms, x, y, P, f);
    find_work(b, P, f[WORK]);
}

// ---------------------------------------------------------------------------------------- Jacobian

// I/(h gamma) - J of every lane, ready for its solutions, g = 1/(h gamma) of the method. Of a
// chamber m' by x, m, U is mx, mm, mU, and U' by x, m, U is Ex, Em, EU. Its own two unknowns are
// those of D = [g - mm, -mU; -Em, g - EU]:
//   u_m = mm' b_m + mU' b_U,   u_U = Um' b_m + UU' b_U,   D^-1 = [mm', mU'; Um', UU']
//   b_m + mx u_x and b_U + Ex u_x in the place of b_m and b_U: + (…)x u_x
typedef struct Factors {
    double per_g;
    double mm[IB_SIDES][W], mU[IB_SIDES][W], Um[IB_SIDES][W], UU[IB_SIDES][W]; ///< D^-1
    double mx[IB_SIDES][W], Ux[IB_SIDES][W]; ///< what u_x does to u_m and u_U
    // The work's rate by x and both U, the heat's by x and by m and U of both.
    double Wx[W], WU[IB_SIDES][W], Qx[W], Qm[IB_SIDES][W], QU[IB_SIDES][W];
} Factors;

// What the solution needs of one chamber; `push`: the volume that it gains in a second.
IB_FORMULA void keep(const ib_ChamberSlopes *s, double g, double push, Factors *F, int i, int l)
{
    double gm = g - s->m_m, gU = g - s->U_U, per_det = 1 / (gm * gU - s->m_U * s->U_m);
    double mm = gU * per_det, mU = s->m_U * per_det, Um = s->U_m * per_det, UU = gm * per_det;
    F->mm[i][l] = mm;
    F->mU[i][l] = mU;
    F->Um[i][l] = Um;
    F->UU[i][l] = UU;
    F->mx[i][l] = mm * s->m_x + mU * s->U_x;
    F->Ux[i][l] = Um * s->m_x + UU * s->U_x;
    F->Wx[l] = (i ? F->Wx[l] : 0) + s->P_x * push;
    F->WU[i][l] = s->P_U * push;
    F->Qx[l] = (i ? F->Qx[l] : 0) + s->Q_x;
    F->Qm[i][l] = s->Q_m;
    F->QU[i][l] = s->Q_U;
}

// Rates and factors of one side where the lanes are.
IB_FORMULA void side_factors(const Lanes *b, int i, double P[restrict][W], double f[restrict][W],
                             Factors *restrict F)
{
    double g = 1 / F->per_g;
    for (int l = 0; l < W; l++) {
        ib_CylinderSide side = side_of(b, i, l);
        ib_ChamberSlopes s = ib_chamber_slopes(b->gas, &side, b->source[i][l], b->port[i][l], b->T0,
                                               b->root0, i ? -1 : 1, way_of(b, i, l, b->x[l]),
                                               b->v[l], b->y[2 * i][l], b->y[2 * i + 1][l]);
        keep(&s, g, side.area * (i ? -b->v[l] : b->v[l]), F, i, l);
        P[i][l] = s.pressure;
        f[2 * i][l] = s.mass;
        f[2 * i + 1][l] = s.energy;
        f[HEAT][l] = (i ? f[HEAT][l] : 0) + s.heat;
    }
}

IB_FORMULA void prepare(const Lanes *b, double per_g, double f[restrict][W], Factors *restrict F)
{
    double P[IB_SIDES][W];
    F->per_g = per_g;
    side_factors(b, IB_SIDE_CAP, P, f, F);
    side_factors(b, IB_SIDE_ROD, P, f, F);
    find_work(b, P, f[WORK]);
}

// x is known, and with it what the time does by itself: f_t = v df/dx. The stage's increment of
// the chambers and of the sums, with ux = +-gamma h v of each lane.
IB_FORMULA void solve(bool warms, const Factors *restrict F, double sign,
                      const double step[restrict W], double u[restrict][W])
{
    for (int l = 0; l < W; l++) {
        double ux = sign * step[l];
        double work = u[WORK][l] + F->Wx[l] * ux, heat = u[HEAT][l] + F->Qx[l] * ux;
        for (int i = 0; i < IB_SIDES; i++) {
            double bm = u[2 * i][l], bU = u[2 * i + 1][l];
            double m = F->mm[i][l] * bm + F->mU[i][l] * bU + F->mx[i][l] * ux;
            double U = F->Um[i][l] * bm + F->UU[i][l] * bU + F->Ux[i][l] * ux;
            u[2 * i][l] = m;
            u[2 * i + 1][l] = U;
            work += F->WU[i][l] * U;
            heat += F->Qm[i][l] * m + F->QU[i][l] * U;
        }
        u[WORK][l] = work * F->per_g;
        if (warms) u[HEAT][l] = heat * F->per_g;
    }
}

// ---------------------------------------------------------------------------------------- the step

// One step of ROS2 (solver/ros2.h).
IB_FORMULA void step(Lanes *b, bool warms, double h)
{
    Factors F;
    double u[2][ROWS][W], y[ROWS][W], x[W], ux[W], c_per_h = IB_ROS2_C / h;
    int end = warms ? ROWS : HEAT;
    for (int l = 0; l < W; l++) {
        ux[l] = (IB_ROS2_GAMMA * h) * b->v[l];
        x[l] = b->x[l] + h * b->v[l];
    }
    prepare(b, h * IB_ROS2_GAMMA, u[0], &F);
    solve(warms, &F, 1, ux, u[0]);
    for (int i = 0; i < AIR; i++)
        for (int l = 0; l < W; l++) y[i][l] = b->y[i][l] + IB_ROS2_A * u[0][i][l];
    rates(b, warms, x, y, u[1]);
    for (int i = 0; i < end; i++)
        for (int l = 0; l < W; l++) u[1][i][l] += c_per_h * u[0][i][l];
    solve(warms, &F, -1, ux, u[1]);
    for (int i = 0; i < end; i++)
        for (int l = 0; l < W; l++) b->y[i][l] += IB_ROS2_B1 * u[0][i][l] + IB_ROS2_B2 * u[1][i][l];
    for (int l = 0; l < W; l++) b->x[l] = x[l];
}

// --------------------------------------------------------------------------------- into lanes, out

static ib_CylinderOpening fill_lane(const ib_CylinderLed *led, int l, Lanes *b)
{
    const ib_CylinderModel *c = led->cylinder;
    ib_CylinderOpening open =
        ib_cylinder_open(c, led->command, ib_proportional_up(led->command), led->supply.pressure);
    for (int i = 0; i < IB_SIDES; i++) {
        b->area[i][l] = c->side[i].area;
        b->dead[i][l] = c->side[i].dead;
        b->length[i][l] = c->side[i].length;
        b->wall[i][l] = c->side[i].perimeter;
        b->faces[i][l] = c->side[i].faces;
        b->source[i][l] = open.port[i].pressure;
        b->port[i][l] = open.port[i].area;
    }
    for (int i = 0; i < AIR; i++) b->y[i][l] = led->air[i];
    b->y[WORK][l] = b->y[HEAT][l] = 0;
    b->stroke[l] = c->stroke;
    b->x[l] = led->x;
    b->v[l] = led->v;
    return open;
}

// What a lane's supply gave of the air that came through its ports; what passed one way and back
// again counts as what was left of it. All enthalpy that came in is what energy, work and heat
// leave over: the method keeps that sum to rounding.
static void sum_up(const Lanes *b, int l, const ib_CylinderOpening *open, const double *after,
                   ib_CylinderLed *led)
{
    const ib_CylinderModel *c = led->cylinder;
    double *sums = led->sums, in = 0;
    memset(sums, 0, sizeof led->sums);
    for (int i = 0; i < IB_SIDES; i++) {
        ib_ChamberNow chamber = ib_cylinder_chamber(c, i, b->x[l], after);
        double q = (after[2 * i] - led->air[2 * i]) * IB_CYLINDER_MASS;
        double given = ib__cylinder_supplied(c, &chamber, &open->port[i], &led->supply, q);
        double T = given > 0 ? led->supply.temperature : chamber.temperature;
        sums[IB_CYLINDER_USED] += given;
        sums[IB_CYLINDER_VENTED] += given - q;
        sums[IB_CYLINDER_E_SUPPLY] += c->cp * T * given;
        in = in + after[2 * i + 1] - led->air[2 * i + 1];
    }
    sums[IB_CYLINDER_WORK] = b->y[WORK][l];
    sums[IB_CYLINDER_HEAT] = b->y[HEAT][l];
    in = in + c->work * sums[IB_CYLINDER_WORK] - sums[IB_CYLINDER_HEAT];
    sums[IB_CYLINDER_E_EXHAUST] = sums[IB_CYLINDER_E_SUPPLY] - in;
}

void ib_cylinder_lead_lanes(ib_CylinderLed *led, int count, double h)
{
    Lanes b = {
        .gas = led[0].cylinder, .T0 = led[0].supply.temperature, .root0 = led[0].supply.root};
    ib_CylinderOpening open[W];
    // A lane that nobody uses does what the last one does.
    for (int l = 0; l < W; l++) open[l] = fill_lane(&led[l < count ? l : count - 1], l, &b);
    if (b.gas->heat == IB_CYLINDER_WALLS)
        step(&b, true, h);
    else
        step(&b, false, h);
    for (int l = 0; l < count; l++) {
        double after[AIR];
        for (int i = 0; i < AIR; i++) after[i] = b.y[i][l];
        if (!ib_cylinder_sound(led[l].air, after)) {
            ib_cylinder_lead(&led[l], h);
            continue;
        }
        sum_up(&b, l, &open[l], after, &led[l]);
        memcpy(led[l].air, after, sizeof after);
    }
}

bool ib_cylinder_has_lane(const ib_CylinderModel *c)
{
    return ib_cylinder_has_slopes(c) && c->valve.dynamics == IB_SPOOL_AT_ONCE;
}

bool ib_cylinder_fits_lane(const ib_CylinderModel *c, const ib_CylinderModel *other)
{
    const ib_OrificeModel *x = &c->orifice, *y = &other->orifice;
    return c->heat == other->heat && c->coefficient == other->coefficient &&
           c->work == other->work && x->choked == y->choked && x->critical == y->critical &&
           x->laminar == y->laminar;
}
