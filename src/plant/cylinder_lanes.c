// plant/cylinder_lanes.c: the step of a block of cylinders. docs/plant/cylinder_lanes.md
//
// Every loop over lanes is straight: nothing in it asks about a lane's data but selections. The
// build compiles this file with vectors (CMakeLists.txt): gcc makes vectors of all of them, for
// NEON and for SSE2, clang 14 of few. The bits are the same.
#include "plant/cylinder_lanes.h"

#include "solver/ros2.h"

enum { W = IB_LANES, ROWS = IB_LANE_ROWS };
enum { X, V, MC, UC, MR, UR, WORK, HEAT };

// ------------------------------------------------------------------------------------------- rates

typedef struct Chamber {
    double pressure;
    double mass, energy; ///< m' [kg/s]; U' without the piston's work [W]
    double heat;         ///< from the walls, within U' [W]
} Chamber;

// The formulas of plant/cylinder.h for a port with one way. What does not change within a step stands
// in brackets, so that it is multiplied once.
IB_FORMULA Chamber chamber_now(const ib_CylinderModel *gas, const ib_CylinderLanes *b,
                               const ib_CylinderSide *side, double source, double port, double way,
                               double m, double U, bool warms)
{
    ib_ChamberNow now = ib_chamber_now(gas, ib_cylinder_volume(side, way), m, U);
    double P = now.pressure;
    ib_QuickMask in = ib_quick_above(source, P);
    double up = ib_quick_pick(in, source, P), down = ib_quick_pick(in, P, source);
    double root = ib_quick_pick(in, b->root_supply, now.root);
    double T = ib_quick_pick(in, b->supply_temperature, now.temperature);
    double size = ib_orifice_ideal_flow(&gas->orifice, port, up, root, down);
    double q = ib_quick_pick(in, size, -size);
    double heat =
        gas->coefficient * ib_cylinder_walls(side, way) * (gas->temperature - now.temperature);
    double enthalpy = gas->cp * T * q;
    Chamber c = {P, q, warms ? enthalpy + heat : enthalpy, heat};
    return c;
}

IB_FORMULA ib_CylinderSide cap_of(const ib_CylinderLanes *b, int l)
{
    return (ib_CylinderSide){b->cap_area[l], b->cap_dead[l], b->cap_length[l], b->cap_wall[l],
                             b->cap_faces[l]};
}

IB_FORMULA ib_CylinderSide rod_of(const ib_CylinderLanes *b, int l)
{
    return (ib_CylinderSide){b->rod_area[l], b->rod_dead[l], b->rod_length[l], b->rod_wall[l],
                             b->rod_faces[l]};
}

// `warms`: heat passes the walls, which is known before a loop over lanes, since a question inside
// it would stop the vectors.
IB_FORMULA void rates(const ib_CylinderLanes *b, bool warms, double y[restrict][W],
                      double f[restrict][W])
{
    const ib_CylinderModel *gas = b->cylinder[0];
    for (int l = 0; l < W; l++) {
        double x = y[X][l], v = y[V][l];
        ib_CylinderSide cap = cap_of(b, l), rod = rod_of(b, l);
        Chamber c = chamber_now(gas, b, &cap, b->cap_source[l], b->cap_port[l], x, y[MC][l],
                                y[UC][l], warms);
        Chamber r = chamber_now(gas, b, &rod, b->rod_source[l], b->rod_port[l], b->stroke[l] - x,
                                y[MR][l], y[UR][l], warms);
        f[WORK][l] = (c.pressure * cap.area - r.pressure * rod.area) * v;
        f[HEAT][l] = c.heat + r.heat;
        f[MC][l] = c.mass * (1 / IB_CYLINDER_MASS);
        f[UC][l] = c.energy - c.pressure * ((gas->work * cap.area) * v);
        f[MR][l] = r.mass * (1 / IB_CYLINDER_MASS);
        f[UR][l] = r.energy + r.pressure * ((gas->work * rod.area) * v);
    }
}

// ---------------------------------------------------------------------------------------- Jacobian

// I/(h gamma) - J of every lane, ready for its solutions, g = 1/(h gamma) of the method. Of a
// chamber, in the order cap, rod: m' by x, m, U is mx, mm, mU, and U' by x, m, U is Ex, Em, EU. Its
// own two unknowns are those of D = [g - mm, -mU; -Em, g - EU]:
//   u_m = mm' b_m + mU' b_U,   u_U = Um' b_m + UU' b_U,   D^-1 = [mm', mU'; Um', UU']
//   b_m + mx u_x and b_U + Ex u_x in the place of b_m and b_U: + (…)x u_x
typedef struct Factors {
    double per_g;
    double mm[2][W], mU[2][W], Um[2][W], UU[2][W]; ///< D^-1
    double mx[2][W], Ux[2][W];                     ///< what u_x does to u_m and u_U
    // The work's rate by x and both U, the heat's by x and by m and U of both.
    double Wx[W], WU[2][W], Qx[W], Qm[2][W], QU[2][W];
} Factors;

// What the solution needs of one chamber: i is 0 for the cap side; `push`: the volume that it gains
// in a second.
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
    F->WU[i][l] = s->P_U * push;
    F->Qm[i][l] = s->Q_m;
    F->QU[i][l] = s->Q_U;
}

// Rates and factors at y.
IB_FORMULA void prepare(const ib_CylinderLanes *b, double per_g, double y[restrict][W],
                        double f[restrict][W], Factors *restrict F)
{
    const ib_CylinderModel *gas = b->cylinder[0];
    double g = 1 / per_g;
    F->per_g = per_g;
    for (int l = 0; l < W; l++) {
        double x = y[X][l], v = y[V][l], T0 = b->supply_temperature;
        ib_CylinderSide cap = cap_of(b, l), rod = rod_of(b, l);
        double gain = cap.area * v, loss = rod.area * v;
        ib_ChamberSlopes c = ib_chamber_slopes(gas, &cap, b->cap_source[l], b->cap_port[l], T0,
                                               b->root_supply, 1, x, v, y[MC][l], y[UC][l]);
        ib_ChamberSlopes r =
            ib_chamber_slopes(gas, &rod, b->rod_source[l], b->rod_port[l], T0, b->root_supply, -1,
                              b->stroke[l] - x, v, y[MR][l], y[UR][l]);
        keep(&c, g, gain, F, 0, l);
        keep(&r, g, -loss, F, 1, l);
        F->Wx[l] = c.P_x * gain - r.P_x * loss;
        F->Qx[l] = c.Q_x + r.Q_x;
        f[MC][l] = c.mass;
        f[UC][l] = c.energy;
        f[MR][l] = r.mass;
        f[UR][l] = r.energy;
        f[WORK][l] = (c.pressure * cap.area - r.pressure * rod.area) * v;
        f[HEAT][l] = c.heat + r.heat;
    }
}

// x is known, and with it what the time does by itself: f_t = v df/dx. The stage's increment of
// the chambers and of the sums, with ux = +-gamma h v of each lane.
IB_FORMULA void solve(bool warms, const Factors *restrict F, double sign,
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
        if (warms) u[HEAT][l] = heat * F->per_g;
    }
}

// ---------------------------------------------------------------------------------------- the step

// One step of ROS2 (solver/ros2.h).
IB_FORMULA void step(ib_CylinderLanes *b, bool warms, double h)
{
    Factors F;
    double u[2][ROWS][W], y[ROWS][W], ux[W], c_per_h = IB_ROS2_C / h;
    int end = warms ? ROWS : HEAT;
    for (int l = 0; l < W; l++) ux[l] = (IB_ROS2_GAMMA * h) * b->y[V][l];
    prepare(b, h * IB_ROS2_GAMMA, b->y, u[0], &F);
    solve(warms, &F, 1, ux, u[0]);
    for (int l = 0; l < W; l++) {
        y[X][l] = b->y[X][l] + h * b->y[V][l];
        y[V][l] = b->y[V][l];
        for (int i = MC; i <= UR; i++) y[i][l] = b->y[i][l] + IB_ROS2_A * u[0][i][l];
    }
    rates(b, warms, y, u[1]);
    for (int i = MC; i < end; i++)
        for (int l = 0; l < W; l++) u[1][i][l] += c_per_h * u[0][i][l];
    solve(warms, &F, -1, ux, u[1]);
    for (int i = MC; i < end; i++)
        for (int l = 0; l < W; l++) b->y[i][l] += IB_ROS2_B1 * u[0][i][l] + IB_ROS2_B2 * u[1][i][l];
    for (int l = 0; l < W; l++) b->y[X][l] = y[X][l];
}

void ib_lanes_lead(ib_CylinderLanes *lanes, double h)
{
    if (lanes->cylinder[0]->heat == IB_CYLINDER_WALLS)
        step(lanes, true, h);
    else
        step(lanes, false, h);
}

// ------------------------------------------------------------------------------------------ making

bool ib_lanes_run(const ib_CylinderModel *cylinder)
{
    return ib_cylinder_has_slopes(cylinder) && cylinder->valve.dynamics == IB_SPOOL_AT_ONCE;
}

static void set_lane(ib_CylinderLanes *b, int l, const ib_CylinderModel *cylinder)
{
    b->cylinder[l] = cylinder;
    b->cap_area[l] = cylinder->cap.area;
    b->cap_dead[l] = cylinder->cap.dead;
    b->cap_length[l] = cylinder->cap.length;
    b->cap_wall[l] = cylinder->cap.perimeter;
    b->cap_faces[l] = cylinder->cap.faces;
    b->rod_area[l] = cylinder->rod.area;
    b->rod_dead[l] = cylinder->rod.dead;
    b->rod_length[l] = cylinder->rod.length;
    b->rod_wall[l] = cylinder->rod.perimeter;
    b->rod_faces[l] = cylinder->rod.faces;
    b->stroke[l] = cylinder->stroke;
    b->y[X][l] = 0.5 * cylinder->stroke;
    b->y[V][l] = 0;
}

int ib_lanes_add(ib_CylinderLanes *lanes, const ib_CylinderModel *cylinder)
{
    int lane = lanes->count++;
    IB_ASSERT(lane < IB_LANES);
    lanes->root_supply = cylinder->root_temperature;
    lanes->supply_temperature = cylinder->temperature;
    // Lanes that nobody uses do what the last one does.
    for (int l = lane; l < W; l++) {
        double air[IB_CYLINDER_STATES];
        set_lane(lanes, l, cylinder);
        ib_cylinder_fill(cylinder, lanes->y[X][l], cylinder->atmosphere, cylinder->atmosphere,
                         cylinder->temperature, cylinder->temperature, air);
        for (int i = 0; i < IB_CYLINDER_STATES; i++) lanes->y[IB_LANE_AIR + i][l] = air[i];
        ib_lanes_open(lanes, l, 0, cylinder->atmosphere);
    }
    return lane;
}

ib_CylinderOpening ib_lanes_open(ib_CylinderLanes *lanes, int lane, double s, double supply)
{
    ib_CylinderOpening open =
        ib_cylinder_open(lanes->cylinder[lane], s, ib_proportional_up(s), supply);
    lanes->cap_source[lane] = open.cap.pressure;
    lanes->cap_port[lane] = open.cap.area;
    lanes->rod_source[lane] = open.rod.pressure;
    lanes->rod_port[lane] = open.rod.area;
    return open;
}
