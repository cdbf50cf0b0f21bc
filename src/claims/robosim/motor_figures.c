// claims/robosim/motor_figures.c: each motor's curves beside the points of its data sheet, and
// the spin-up.
#include "claims/report.h"
#include "claims/robosim/motor.h"

#include <stdio.h>

// Two series: the bench's curve, and the two points of the data sheet.
static void pair(ib_PlotSeries *series, const char *label, const char *unit, const double *x,
                 const double *y, const double *at, const double *points)
{
    series[0] = ib__claims_curve(label, unit, x, y, IB__CURVE_POINTS, 1);
    series[1] = ib__claims_curve("data sheet", unit, at, points, 2, 2);
    series[1].style = IB_PLOT_POINTS;
}

static void draw_motor(const ib__BenchMotor *motor, ib_Text *html)
{
    const ib_MotorConfig *m = &motor->sheet;
    const double at[] = {0, m->free_speed * 9.549296585513721};
    const double torque[] = {m->stall_torque, 0}, current[] = {m->stall_current, m->free_current};
    const double none[] = {0, 0};
    char title[160];
    ib_PlotSeries series[8];
    pair(series, "torque", "N*m", motor->speed, motor->torque, at, torque);
    pair(series + 2, "current", "A", motor->speed, motor->current, at, current);
    pair(series + 4, "power", "W", motor->speed, motor->power, at, none);
    pair(series + 6, "efficiency", "1", motor->speed, motor->efficiency, at, none);
    snprintf(title, sizeof title, "%s at %g V", motor->name, m->voltage);
    ib_Plot plot = ib__claims_plot(title, series, 8, 760);
    plot.x_label = "speed", plot.x_unit = "rpm";
    ib__claims_figure(&plot, html);
}

// The first 12 ms of the current, and the whole of both: two figures.
static void draw_spin(const ib__SpinUp *spin, int points, const char *title, ib_Text *html)
{
    ib_PlotSeries series[4];
    static const char *const labels[2][2] = {{"current, L = 0", "current, L = 59 uH"},
                                             {"speed, L = 0", "speed, L = 59 uH"}};
    for (int i = 0; i < 2; i++) {
        series[i] =
            ib__claims_curve(labels[0][i], "A", spin->time, spin->current[i], points, i + 1);
        series[2 + i] =
            ib__claims_curve(labels[1][i], "rad/s", spin->time, spin->speed[i], points, i + 1);
    }
    ib_Plot plot = ib__claims_plot(title, series, 4, 560);
    ib__claims_figure(&plot, html);
}

void ib__motor_claims_figures(const ib_Findings *findings, ib_Text *html)
{
    const ib__MotorBook *book = findings->details;
    draw_spin(&book->spin, 121, "Spin-up of a CIM: the first 12 ms", html);
    draw_spin(&book->spin, IB__SPIN_POINTS, "Spin-up of a CIM: until it runs", html);
    for (int i = 0; i < book->count; i++) draw_motor(&book->motors[i], html);
}
