// claims/xdrive/xdrive_figures.c: driven against commanded direction, and the effect of D on
// a slope.
#include "claims/report.h"
#include "claims/xdrive/xdrive.h"

#include <math.h>

enum { POINTS = 361, STOPS = 41 };

static const double degree = 0.017453292519943295;

static void draw_direction(ib_Text *html)
{
    double commanded[POINTS], error[2][POINTS];
    ib_XdriveAnswer answer;
    for (int k = 0; k < POINTS; k++) {
        commanded[k] = k;
        ib_Stick stick = {cos(k * degree), sin(k * degree), 0};
        for (int i = 0; i < 2; i++) {
            ib_xdrive_answer(i ? IB_MIXING_STANDARD : IB_MIXING_PUBLISHED, &stick, &answer);
            error[i][k] = answer.error;
        }
    }
    const ib_PlotSeries series[] = {
        ib__claims_curve("(10) to (13)", "deg", commanded, error[0], POINTS, 2),
        ib__claims_curve("standard", "deg", commanded, error[1], POINTS, 1),
    };
    ib_Plot plot = ib__claims_plot("Driven less commanded direction, counted from the right",
                                   series, IB_CLAIM_COUNT(series), 420);
    plot.x_label = "commanded direction", plot.x_unit = "deg";
    ib__claims_figure(&plot, html);
}

static void draw_stop(ib_Text *html)
{
    double D[STOPS], stop[STOPS];
    for (int k = 0; k < STOPS; k++) {
        D[k] = k * 0.5;
        stop[k] = ib__xdrive_overshoot(D[k]);
    }
    const ib_PlotSeries series[] = {
        ib__claims_curve("way beyond the goal", "m", D, stop, STOPS, 1)};
    ib_Plot plot = ib__claims_plot(
        "Past its goal with 1 m/s, down a slope of 5 degrees, P = 25/s^2", series, 1, 380);
    plot.x_label = "D", plot.x_unit = "1/s";
    ib__claims_figure(&plot, html);
}

void ib__xdrive_claims_figures(const ib_Findings *findings, ib_Text *html)
{
    (void)findings; // the figures need only the laws
    draw_direction(html);
    draw_stop(html);
}
