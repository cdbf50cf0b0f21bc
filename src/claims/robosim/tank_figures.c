// claims/robosim/tank_figures.c: the published robot beside the corrected one: speed, and
// the tanks.
#include "claims/report.h"
#include "claims/robosim/tank.h"
#include "claims/robosim/tank_run.h"

enum { POINTS = 201 };

// One signal under both equations, from 0 to `duration`.
static void draw(const char *scenario, const char *signal, const char *unit, double duration,
                 const char *title, ib_Text *html)
{
    static const char *const labels[] = {"corrected", "published"};
    const char *const signals[] = {signal, NULL};
    double times[POINTS], values[2][POINTS];
    ib_PlotSeries series[2];
    for (int i = 0; i < POINTS; i++) times[i] = duration * i / (POINTS - 1);
    for (int form = IB__CORRECTED; form <= IB__PUBLISHED; form++) {
        const ib_Override equations = {"robot.equations", labels[form]};
        ib__ClaimRun run = {.scenario = scenario, .overrides = &equations, .override_count = 1};
        ib_Error error;
        run.signals = signals, run.times = times, run.time_count = POINTS;
        run.values = values[form];
        if (ib__claim_run(&run, &error) != IB_OK) return;
        series[form] = ib__claims_curve(labels[form], unit, times, values[form], POINTS, form + 1);
    }
    ib_Plot plot = ib__claims_plot(title, series, 2, 420);
    ib__claims_figure(&plot, html);
}

void ib__tank_claims_figures(const ib_Findings *findings, ib_Text *html)
{
    (void)findings;
    draw(ib__tank_claims_scenario, IB_NAME_VELOCITY_FORWARD, "m/s", 2, "Speed at 12 V", html);
    draw("robot: {kind: tank, air: {start: 0 psig, compressor: viair-90c-robosim}}\n"
         "inputs: {left: 0 V, right: 0 V, compressor: on}\n"
         "run: {duration: 40 s, step: 10 ms, solver: dopri5}\n",
         IB_NAME_AIR_PRESSURE, "Pa", 40, "Filling the tanks (absolute pressure)", html);
}
