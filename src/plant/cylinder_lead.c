// plant/cylinder_lead.c: a stiff step of the air in one cylinder whose piston is led.
#include "plant/cylinder_lead.h"

#include "base/matrix.h"
#include "solver/ros2.h"

#include <string.h>

enum { AIR = IB_CYLINDER_STATES, ROWS = AIR + IB_CYLINDER_SUMS };

// A step: what is known of it, and how it opens the ports.
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

// On by h in one step of the method, sums and place included; false: to no air that can be
// believed. The spool is on that side of its centre on which its middle is. `shut`: its cylinder
// with everything shut.
static bool step_once(const ib_CylinderModel *shut, double h, ib_CylinderLed *led)
{
    bool up = ib_proportional_up(ib_cylinder_led_spool(led, 0.5 * h));
    Step step = {.cylinder = shut ? shut : led->cylinder, .led = led, .h = h, .up = up};
    step.moves = led->cylinder->valve.dynamics != IB_SPOOL_AT_ONCE && !shut;
    step.open = open_at(&step, 0.5 * h);
    for (int i = 0; i < IB_SIDES && shut; i++)
        step.open.port[i] = (ib_PortOpening){.pressure = led->supply.pressure,
                                             .other_pressure = led->cylinder->exhaust};
    double u[2][ROWS], place[AIR], next[AIR], per_g = h * IB_ROS2_GAMMA;
    Slopes slopes;
    look(&step, 0, led->air, u[0]);
    find_slopes(&step, led->air, u[0], &slopes);
    if (slopes.singular) return false;
    for (int i = 0; i < ROWS; i++) u[0][i] += per_g * slopes.by_time[i];
    solve(&slopes, per_g, u[0]);
    for (int i = 0; i < AIR; i++) place[i] = led->air[i] + IB_ROS2_A * u[0][i];
    look(&step, h, place, u[1]);
    for (int i = 0; i < ROWS; i++) u[1][i] += IB_ROS2_C / h * u[0][i] - per_g * slopes.by_time[i];
    solve(&slopes, per_g, u[1]);
    for (int i = 0; i < AIR; i++)
        next[i] = led->air[i] + (IB_ROS2_B1 * u[0][i] + IB_ROS2_B2 * u[1][i]);
    if (!ib_cylinder_sound(led->air, next)) return false;
    memcpy(led->air, next, sizeof next);
    for (int i = 0; i < IB_CYLINDER_SUMS; i++)
        led->sums[i] += IB_ROS2_B1 * u[0][AIR + i] + IB_ROS2_B2 * u[1][AIR + i];
    led->x += led->v * h;
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
