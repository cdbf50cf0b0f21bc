// plant/cylinder_led.c: a stiff step of the air in one cylinder whose piston is led.
#include "plant/cylinder_led.h"

#include "base/maths.h"
#include "base/matrix.h"
#include "solver/ros2.h"

#include <string.h>

enum { AIR = IB_CYLINDER_STATES, ROWS = AIR + IB_LED_SUMS };

// A step: what is known of it, and how it opens the ports.
typedef struct Step {
    const ib_CylinderModel *cylinder;
    const ib_CylinderCourse *course;
    double h;
    bool up, moves;          ///< the spool: on which side of its centre; by itself
    ib_CylinderOpening open; ///< where it does not move
} Step;

double ib_led_spool(const ib_CylinderModel *cylinder, const ib_CylinderCourse *course, double t)
{
    double place[2];
    if (cylinder->valve.dynamics == IB_SPOOL_AT_ONCE) return course->command;
    ib_proportional_follow(&cylinder->valve, course->command, 0, t, course->spool, place);
    return place[0];
}

static ib_CylinderOpening open_at(const Step *step, double t)
{
    double s = ib_led_spool(step->cylinder, step->course, t);
    return ib_cylinder_open(step->cylinder, s, step->up, step->course->supply.pressure);
}

// Rates of the air and of all sums at the time t.
static void look(const Step *step, double t, const double *air, double *rate)
{
    const ib_CylinderModel *cylinder = step->cylinder;
    const ib_CylinderCourse *course = step->course;
    const ib_CylinderSupply *supply = &course->supply;
    double v = course->v;
    ib_CylinderOpening open = step->moves ? open_at(step, t) : step->open;
    ib_CylinderNow now = ib_cylinder_now(cylinder, air, course->x + v * t, v, &open, supply);
    double *sums = rate + AIR;
    memcpy(rate, now.rate, sizeof now.rate);
    sums[IB_LED_USED] = now.supplied.mass;
    sums[IB_LED_VENTED] = now.supplied.mass - now.cap_port.mass - now.rod_port.mass;
    sums[IB_LED_LEAKED] = now.leaked.mass;
    sums[IB_LED_E_SUPPLY] = now.supplied.enthalpy;
    sums[IB_LED_E_EXHAUST] = now.supplied.enthalpy - now.cap_port.enthalpy - now.rod_port.enthalpy;
    sums[IB_LED_E_LEAK] = now.leaked.enthalpy;
    sums[IB_LED_WORK] =
        (now.cap.pressure * cylinder->cap.area - now.rod.pressure * cylinder->rod.area) * v;
    sums[IB_LED_HEAT] = now.cap_heat + now.rod_heat;
}

// ---------------------------------------------------------------------------------------- Jacobian

typedef struct Slopes {
    double by_air[ROWS][AIR], by_time[ROWS];
    double lu[AIR * AIR]; ///< factors of I/(h gamma) - J, of the air alone
    int pivot[AIR];
    bool singular;
} Slopes;

// Differences: by the air to one side, over 1e-7 of it; by the time to both sides, over 1e-4 of
// the step, which leaves 1e-8 of its curvature.
static void find_slopes(const Step *step, const double *air, const double *rate, Slopes *slopes)
{
    double y[AIR], ahead[ROWS], behind[ROWS], g = 1 / (step->h * IB_ROS2_GAMMA);
    double d = 1e-4 * step->h;
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
    for (int i = 0; i < AIR; i++)
        for (int j = 0; j < AIR; j++)
            slopes->lu[i * AIR + j] = (i == j ? g : 0) - slopes->by_air[i][j];
    slopes->singular = ib_matrix_factor(AIR, slopes->lu, slopes->pivot) != 0;
}

// A stage's increment in place, from its right-hand side. The sums follow from the air's.
static void solve(const Slopes *slopes, double per_g, double *u)
{
    ib_matrix_solve(AIR, slopes->lu, slopes->pivot, u);
    for (int i = AIR; i < ROWS; i++) {
        for (int j = 0; j < AIR; j++) u[i] += slopes->by_air[i][j] * u[j];
        u[i] *= per_g;
    }
}

// -------------------------------------------------------------------------------------------- step

// On by h in one step of the method; `sums` of this step alone. The spool is on that side of its
// centre on which its middle is.
static void step_once(const ib_CylinderModel *cylinder, const ib_CylinderCourse *course, double h,
                      const double *air, double *next, double sums[IB_LED_SUMS])
{
    bool up = ib_proportional_up(ib_led_spool(cylinder, course, 0.5 * h));
    Step step = {.cylinder = cylinder, .course = course, .h = h, .up = up};
    step.moves = cylinder->valve.dynamics != IB_SPOOL_AT_ONCE;
    step.open = open_at(&step, 0.5 * h);
    double u[2][ROWS], place[AIR], per_g = h * IB_ROS2_GAMMA;
    Slopes slopes;
    memset(sums, 0, IB_LED_SUMS * sizeof *sums);
    look(&step, 0, air, u[0]);
    find_slopes(&step, air, u[0], &slopes);
    if (slopes.singular) {
        next[0] = NAN;
        return;
    }
    for (int i = 0; i < ROWS; i++) u[0][i] += per_g * slopes.by_time[i];
    solve(&slopes, per_g, u[0]);
    for (int i = 0; i < AIR; i++) place[i] = air[i] + IB_ROS2_A * u[0][i];
    look(&step, h, place, u[1]);
    for (int i = 0; i < ROWS; i++) u[1][i] += IB_ROS2_C / h * u[0][i] - per_g * slopes.by_time[i];
    solve(&slopes, per_g, u[1]);
    for (int i = 0; i < AIR; i++) next[i] = air[i] + (IB_ROS2_B1 * u[0][i] + IB_ROS2_B2 * u[1][i]);
    for (int i = 0; i < IB_LED_SUMS; i++)
        sums[i] = IB_ROS2_B1 * u[0][AIR + i] + IB_ROS2_B2 * u[1][AIR + i];
}

// ----------------------------------------------------------------------------------- rare troubles

// Where the piston and the spool are t later.
static ib_CylinderCourse later(const ib_CylinderModel *cylinder, const ib_CylinderCourse *course,
                               double t)
{
    ib_CylinderCourse on = *course;
    on.x += course->v * t;
    ib_proportional_follow(&cylinder->valve, course->command, 0, t, course->spool, on.spool);
    return on;
}

// A closed chamber from one volume to another, its energy U at the start: the work it did.
//   adiabatic:   U V^(k - 1) stays,   W = the energy that went
//   isothermal:  U stays,             W = P V ln(V/V0) = (k - 1) U ln(V/V0), which came as heat
static double squeeze(const ib_CylinderModel *cylinder, double from, double to, double *U,
                      double *heat)
{
    if (cylinder->heat == IB_CYLINDER_ISOTHERMAL) {
        double work = cylinder->k1 * *U * ib_log(to / from);
        *heat += cylinder->work * work;
        return work;
    }
    double before = *U;
    *U *= ib_pow(from / to, cylinder->work * cylinder->k1);
    return (before - *U) / cylinder->work;
}

static void shut(const ib_CylinderModel *cylinder, const ib_CylinderCourse *course, double h,
                 const double *air, double *next, double *sums)
{
    double x = course->x, end = x + course->v * h, L = cylinder->stroke;
    memcpy(next, air, AIR * sizeof *air);
    memset(sums, 0, IB_LED_SUMS * sizeof *sums);
    sums[IB_LED_WORK] = squeeze(cylinder, ib_cylinder_volume(&cylinder->cap, x),
                                ib_cylinder_volume(&cylinder->cap, end),
                                &next[IB_CYLINDER_CAP_ENERGY], &sums[IB_LED_HEAT]) +
                        squeeze(cylinder, ib_cylinder_volume(&cylinder->rod, L - x),
                                ib_cylinder_volume(&cylinder->rod, L - end),
                                &next[IB_CYLINDER_ROD_ENERGY], &sums[IB_LED_HEAT]);
}

void ib_led_steps(const ib_CylinderModel *cylinder, const ib_CylinderCourse *course, double h,
                  const double *air, double *next, double sums[IB_LED_SUMS])
{
    double one[IB_LED_SUMS];
    for (int parts = 1; parts <= 256; parts *= 4) {
        ib_CylinderCourse on = *course;
        double before[AIR];
        bool sound = true;
        memcpy(next, air, sizeof before);
        memset(sums, 0, IB_LED_SUMS * sizeof *sums);
        for (int part = 0; part < parts && sound; part++) {
            memcpy(before, next, sizeof before);
            step_once(cylinder, &on, h / parts, before, next, one);
            sound = ib_cylinder_sound(before, next);
            for (int i = 0; i < IB_LED_SUMS; i++) sums[i] += one[i];
            on = later(cylinder, &on, h / parts);
        }
        if (sound) return;
    }
    shut(cylinder, course, h, air, next, sums);
}
