// plant/air/cylinder_lead.c: a stiff step of the air in one cylinder whose piston is led.
#include "plant/air/cylinder_lead.h"

#include "base/matrix.h"
#include "solver/ros2.h"

#include <string.h>

// Written slopes are those of the first rows, to that of the heat.
enum {
    AIR = IB_CYLINDER_STATES,
    WORK = AIR + IB_CYLINDER_WORK,
    HEAT = AIR + IB_CYLINDER_HEAT,
    WRITTEN,
    ROWS = AIR + IB_CYLINDER_SUMS
};

// A step: its known values, and the openings of the ports.
typedef struct Step {
    const ib_CylinderModel *cylinder;
    const ib_CylinderLed *led;
    double h;
    bool up, moves;          ///< the spool: on which side of its centre; by itself
    ib_CylinderOpening open; ///< where it does not move
} Step;

double ib_cylinder_led_spool(const ib_CylinderLed *led, double t)
{
    const ib_ProportionalModel *valve = &led->cylinder->valve;
    double place[2];
    if (valve->dynamics == IB_SPOOL_AT_ONCE) return led->command;
    ib_proportional_follow(valve, led->command, 0, t, led->spool, place);
    return place[0];
}

static ib_CylinderOpening open_at(const Step *step, double t)
{
    double s = ib_cylinder_led_spool(step->led, t);
    return ib_cylinder_open(step->cylinder, s, step->up, step->led->supply.pressure);
}

// Rates of the air and of all sums at the time t.
static void look(const Step *step, double t, const double *air, double *rate)
{
    const ib_CylinderLed *led = step->led;
    ib_CylinderOpening open = step->moves ? open_at(step, t) : step->open;
    ib_CylinderNow now =
        ib_cylinder_now(step->cylinder, air, led->x + led->v * t, led->v, &open, &led->supply);
    memcpy(rate, now.rate, sizeof now.rate);
    ib_cylinder_pass(step->cylinder, &now, led->v, rate + AIR);
}

// ---------------------------------------------------------------------------------------- Jacobian

typedef struct Slopes {
    double by_air[ROWS][AIR], by_time[ROWS];
    double inverse[AIR][AIR]; ///< of D = I/(h gamma) - J, of the air alone
} Slopes;

// Rates and slopes of the air, of work and heat, in closed form: the flows of the ports follow from
// the air (sum_up). Time enters only by the piston's way: f_t = v df/dx.
static void write_slopes(const Step *step, double *rate, Slopes *slopes)
{
    const ib_CylinderLed *led = step->led;
    double v = led->v, (*by_air)[AIR] = slopes->by_air, *by_time = slopes->by_time;
    rate[WORK] = rate[HEAT] = by_time[WORK] = by_time[HEAT] = 0;
    memset(by_air, 0, WRITTEN * sizeof *by_air);
    for (int i = 0; i < IB_SIDES; i++) {
        int m = 2 * i, U = m + 1;
        ib_ChamberSlopes s =
            ib_chamber_slopes(step->cylinder, i, &step->open, &led->supply, led->x, v, led->air);
        double push = s.area * v;
        rate[m] = s.mass;
        rate[U] = s.energy;
        rate[WORK] += s.pressure * push;
        rate[HEAT] += s.heat;
        by_air[m][m] = s.m_m;
        by_air[m][U] = s.m_U;
        by_air[U][m] = s.U_m;
        by_air[U][U] = s.U_U;
        by_air[WORK][U] = s.P_U * push;
        by_air[HEAT][m] = s.Q_m;
        by_air[HEAT][U] = s.Q_U;
        by_time[m] = s.m_x * v;
        by_time[U] = s.U_x * v;
        by_time[WORK] += s.P_x * push * v;
        by_time[HEAT] += s.Q_x * v;
    }
}

// Differences: by the air to one side, over 1e-7 of it; by the time to both sides, over 1e-4 of
// the step, which leaves 1e-8 of its curvature.
static void find_slopes(const Step *step, double *rate, Slopes *slopes)
{
    const double *air = step->led->air;
    double y[AIR], ahead[ROWS], behind[ROWS], d = 1e-4 * step->h;
    look(step, 0, air, rate);
    for (int j = 0; j < AIR; j++) {
        memcpy(y, air, sizeof y);
        y[j] *= 1 + 1e-7;
        look(step, 0, y, ahead);
        for (int i = 0; i < ROWS; i++)
            slopes->by_air[i][j] = (ahead[i] - rate[i]) / (y[j] - air[j]);
    }
    look(step, d, air, ahead);
    look(step, -d, air, behind);
    for (int i = 0; i < ROWS; i++) slopes->by_time[i] = (ahead[i] - behind[i]) / (2 * d);
}

// A chamber with written slopes knows nothing of the other one: two blocks of two.
static void invert_blocks(double g, Slopes *slopes)
{
    memset(slopes->inverse, 0, sizeof slopes->inverse);
    for (int m = 0, U = 1; m < AIR; m += 2, U += 2) {
        double(*J)[AIR] = slopes->by_air, (*inverse)[AIR] = slopes->inverse;
        double gm = g - J[m][m], gU = g - J[U][U], per = 1 / (gm * gU - J[m][U] * J[U][m]);
        inverse[m][m] = gU * per;
        inverse[m][U] = J[m][U] * per;
        inverse[U][m] = J[U][m] * per;
        inverse[U][U] = gm * per;
    }
}

static bool invert(double g, Slopes *slopes)
{
    double lu[AIR * AIR];
    int pivot[AIR];
    for (int i = 0; i < AIR; i++)
        for (int j = 0; j < AIR; j++) lu[i * AIR + j] = (i == j ? g : 0) - slopes->by_air[i][j];
    if (ib_matrix_factor(AIR, lu, pivot) != 0) return false;
    ib_matrix_identity(AIR, slopes->inverse[0]);
    ib_matrix_solve_columns(AIR, AIR, lu, pivot, slopes->inverse[0]);
    return true;
}

// A stage's increment in place, from its right-hand side. The sums follow from the air's.
static void solve(const Slopes *slopes, int rows, double per_g, double *u)
{
    double b[AIR];
    memcpy(b, u, sizeof b);
    ib_matrix_multiply(AIR, AIR, 1, slopes->inverse[0], b, u);
    for (int i = AIR; i < rows; i++) {
        for (int j = 0; j < AIR; j++) u[i] += slopes->by_air[i][j] * u[j];
        u[i] *= per_g;
    }
}

// -------------------------------------------------------------------------------------------- step

// Sums of flows, with slopes in closed form. Of a flow one way and back again only the net amount
// is known: it counts as one way. The inflow of enthalpy is the difference of energy, work and
// heat, since the method keeps that sum to rounding.
static void sum_up(const Step *step, const double *before, ib_CylinderLed *led, double *sums)
{
    const ib_CylinderModel *c = led->cylinder;
    double in = 0;
    for (int i = 0; i < IB_SIDES; i++) {
        ib_ChamberNow chamber = ib_cylinder_chamber(c, i, led->x, led->air);
        double q = (led->air[2 * i] - before[2 * i]) * IB_CYLINDER_MASS;
        double given = ib__cylinder_supplied(c, &chamber, &step->open.port[i], &led->supply, q);
        double T = given > 0 ? led->supply.temperature : chamber.temperature;
        sums[IB_CYLINDER_USED] += given;
        sums[IB_CYLINDER_VENTED] += given - q;
        sums[IB_CYLINDER_E_SUPPLY] += c->cp * T * given;
        in = in + led->air[2 * i + 1] - before[2 * i + 1];
    }
    in = in + c->work * sums[IB_CYLINDER_WORK] - sums[IB_CYLINDER_HEAT];
    sums[IB_CYLINDER_E_EXHAUST] = sums[IB_CYLINDER_E_SUPPLY] - in;
}

// Advances by h in one step of the method, with sums and place; false: the air is not plausible.
// The spool is on the side of its centre of its mean place. `shut`: its cylinder with
// everything shut.
static bool step_once(const ib_CylinderModel *shut, double h, ib_CylinderLed *led)
{
    bool up = ib_proportional_up(ib_cylinder_led_spool(led, 0.5 * h));
    Step step = {.cylinder = shut ? shut : led->cylinder, .led = led, .h = h, .up = up};
    step.moves = led->cylinder->valve.dynamics != IB_SPOOL_AT_ONCE && !shut;
    step.open = open_at(&step, 0.5 * h);
    for (int i = 0; i < IB_SIDES && shut; i++)
        step.open.port[i] = (ib_PortOpening){.pressure = led->supply.pressure,
                                             .other_pressure = led->cylinder->exhaust};
    bool written = ib_cylinder_has_slopes(led->cylinder) && !step.moves && !shut;
    double u[2][ROWS], place[AIR], next[AIR], sums[IB_CYLINDER_SUMS] = {0},
                                              per_g = h * IB_ROS2_GAMMA;
    int rows = written ? WRITTEN : ROWS;
    Slopes slopes;
    if (written) {
        write_slopes(&step, u[0], &slopes);
        invert_blocks(1 / per_g, &slopes);
    } else {
        find_slopes(&step, u[0], &slopes);
        if (!invert(1 / per_g, &slopes)) return false;
    }
    for (int i = 0; i < rows; i++) u[0][i] += per_g * slopes.by_time[i];
    solve(&slopes, rows, per_g, u[0]);
    for (int i = 0; i < AIR; i++) place[i] = led->air[i] + IB_ROS2_A * u[0][i];
    look(&step, h, place, u[1]);
    for (int i = 0; i < rows; i++) u[1][i] += IB_ROS2_C / h * u[0][i] - per_g * slopes.by_time[i];
    solve(&slopes, rows, per_g, u[1]);
    for (int i = 0; i < AIR; i++)
        next[i] = led->air[i] + (IB_ROS2_B1 * u[0][i] + IB_ROS2_B2 * u[1][i]);
    if (!ib_cylinder_sound(led->air, next)) return false;
    double before[AIR];
    memcpy(before, led->air, sizeof before);
    memcpy(led->air, next, sizeof next);
    led->x += led->v * h;
    for (int i = 0; i < rows - AIR; i++)
        sums[i] = IB_ROS2_B1 * u[0][AIR + i] + IB_ROS2_B2 * u[1][AIR + i];
    if (written) sum_up(&step, before, led, sums);
    for (int i = 0; i < IB_CYLINDER_SUMS; i++) led->sums[i] += sums[i];
    ib_proportional_follow(&led->cylinder->valve, led->command, 0, h, led->spool, led->spool);
    return true;
}

static bool step_parts(const ib_CylinderModel *shut, double h, int parts, ib_CylinderLed *led)
{
    bool sound = true;
    memset(led->sums, 0, sizeof led->sums);
    for (int i = 0; i < parts && sound; i++) sound = step_once(shut, h / parts, led);
    return sound;
}

void ib_cylinder_lead(ib_CylinderLed *led, double h)
{
    const ib_CylinderLed begin = *led;
    for (int parts = 1; parts <= 256; parts *= 4) {
        if (step_parts(NULL, h, parts, led)) return;
        *led = begin;
    }
    ib_CylinderModel shut = *led->cylinder;
    shut.leak_piston = shut.leak_seal = 0;
    step_parts(&shut, h, 256, led);
}
