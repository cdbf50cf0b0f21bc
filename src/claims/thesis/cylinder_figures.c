// claims/thesis/cylinder_figures.c: Figures 15 to 24 of the thesis: friction and the valve.
#include "claims/report.h"
#include "claims/thesis/cylinder.h"
#include "claims/thesis/cylinder_run.h"

#include <math.h>

enum { POINTS = 401 };

static const double Ps = 65 * IB__PSI, Pe = 15.7 * IB__PSI, stroke = 1.75 * IB__INCH;

// Evenly from one value to another.
static void fill(double *x, double from, double to)
{
    for (int i = 0; i < POINTS; i++) x[i] = from + (to - from) * i / (POINTS - 1);
}

static void draw(const char *title, const ib_PlotSeries *series, int count, const char *x_label,
                 const char *x_unit, ib_Text *html)
{
    ib_Plot plot = ib__claims_plot(title, series, count, 400);
    plot.x_label = x_label, plot.x_unit = x_unit;
    ib__claims_figure(&plot, html);
}

// ---------------------------------------------------------------------------------------- friction

static void draw_friction(ib_Text *html)
{
    static const struct {
        int law;
        double unit, viscous;
        const char *label;
    } laws[] = {{IB_FRICTION_STRIBECK, 1, 0.5 * IB__LBF, "Stribeck-tanh, v in m/s"},
                {IB_FRICTION_STRIBECK, IB__INCH, 0.5 * IB__LBF, "Stribeck-tanh, v in in/s"},
                {IB_FRICTION_VISCOUS, 1, 70, "viscous, 70 N s/m"},
                {IB_FRICTION_COULOMB_VISCOUS, 1, 0.5 * IB__LBF, "Coulomb-viscous (4.2.4)"}};
    enum { LAWS = sizeof laws / sizeof laws[0] };
    double v[POINTS], F[LAWS][POINTS];
    ib_PlotSeries series[LAWS];
    fill(v, -0.25, 0.25);
    for (int k = 0; k < LAWS; k++) {
        ib_FrictionConfig config = ib_friction_default();
        ib_FrictionModel friction;
        config.law = laws[k].law, config.velocity_unit = laws[k].unit;
        config.viscous = laws[k].viscous;
        ib_friction_init(&config, stroke, &friction);
        for (int i = 0; i < POINTS; i++)
            F[k][i] = ib_friction_force(&friction, v[i], stroke / 2, 0) / IB__LBF;
        series[k] = ib__claims_curve(laws[k].label, "lbf", v, F[k], POINTS, k + 1);
    }
    draw("Figure 15: friction over velocity", series, LAWS, "velocity", "m/s", html);
}

// Friction on the way of open-loop steps; at a stop it is 0.
static void draw_step_friction(ib_Text *html)
{
    enum { ROWS = 1651 };
    static const char *const signals[] = {IB_NAME_CYLINDER("friction"), NULL};
    static const double volts[] = {0.75, 1.25, -1.25};
    static const char *const labels[] = {"step of +0.75 V", "step of +1.25 V", "step of -1.25 V"};
    ib_Arena arena = {0};
    ib_PlotSeries series[3];
    ib_Error error;
    for (int k = 0; k < 3; k++) {
        ib__RigChanges changes = {0};
        ib__RigTrace trace = {.signals = signals, .from = 5, .every = 1e-3, .count = ROWS};
        char text[80];
        ib__rig_step(volts[k], text, sizeof text);
        ib__rig_change(&changes, "inputs.valve", text);
        ib__rig_change(&changes, "run.duration", "7 s");
        if (ib__rig_trace(ib__rig_open, &changes, &arena, &trace, &error) != IB_OK) return;
        for (int i = 0; i < ROWS; i++) trace.times[i] -= 5, trace.column[0][i] /= IB__LBF;
        series[k] = ib__claims_curve(labels[k], "lbf", trace.times, trace.column[0], ROWS, k + 1);
    }
    draw("Figure 16: simulated friction during open-loop steps (0 at a stop)", series, 3,
         "time since the step", "s", html);
    ib_arena_reset(&arena);
}

// ------------------------------------------------------------------------------------------- valve

// A fixed rod; the cap through port 2 above the offset, and through port 1 as far below it.
static void draw_offset(ib_Text *html)
{
    static const char *const signals[] = {IB_NAME_CAP("pressure"), NULL};
    static const char *const volts[] = {"6 V", "4.5 V", "5.5 V", "5 V"};
    static const char *const labels[] = {"port 2 at 6.00 V", "port 1 at 4.50 V", "port 2 at 5.50 V",
                                         "port 1 at 5.00 V"};
    ib_Arena arena = {0};
    ib_PlotSeries series[4];
    ib_Error error;
    for (int k = 0; k < 4; k++) {
        ib__RigChanges changes = {0};
        ib__RigTrace trace = {.signals = signals, .every = 5e-3, .count = POINTS};
        ib__rig_change(&changes, "robot.locked", "true");
        ib__rig_change(&changes, "robot.valve.swapped", k % 2 ? "true" : "false");
        ib__rig_change(&changes, "inputs.valve", volts[k]);
        ib__rig_change(&changes, "start", "{position: 0 m, cap: {pressure: 108247.732 Pa}}");
        ib__rig_change(&changes, "run.duration", "2 s");
        if (ib__rig_trace(ib__rig_open, &changes, &arena, &trace, &error) != IB_OK) return;
        for (int i = 0; i < POINTS; i++) trace.column[0][i] /= IB__PSI;
        series[k] = ib__claims_curve(labels[k], "psi", trace.times, trace.column[0], POINTS, k + 1);
    }
    draw("Figure 17: ports switched, voltages mirrored at 5.25 V: same end, other way", series, 4,
         "time", "s", html);
    ib_arena_reset(&arena);
}

// The areas of a port's ways to supply and exhaust under a law.
static void areas_of(const ib_ProportionalConfig *config, int port, const double *Vc, double *one,
                     double *other)
{
    ib_ProportionalModel valve;
    ib_proportional_init(config, &valve);
    for (int i = 0; i < POINTS; i++) {
        ib_PortOpening open = ib_proportional_open(&valve, port, Vc[i], Vc[i] > 0, Ps, Pe);
        one[i] = 1e6 * open.area;
        if (other) other[i] = 1e6 * open.other_area;
    }
}

static void draw_linear(const ib_ProportionalConfig *rig, ib_Text *html)
{
    double Vc[POINTS], area[2][POINTS];
    ib_ProportionalConfig config = *rig;
    config.law = IB_PROPORTIONAL_LINEAR;
    fill(Vc, -5, 5);
    areas_of(&config, IB_PORT_1, Vc, area[0], NULL);
    areas_of(&config, IB_PORT_2, Vc, area[1], NULL);
    const ib_PlotSeries series[] = {
        ib__claims_curve("rod side, c_d = 0.12", "mm^2", Vc, area[0], POINTS, 1),
        ib__claims_curve("cap side, c_d = 0.09", "mm^2", Vc, area[1], POINTS, 2),
    };
    draw("Figure 18: linear area with an offset area, c_d (2e-6 m^2/V |Vc| + 2e-7 m^2)", series, 2,
         "Vc", "V", html);
}

// Flow of port 2 into a chamber of 40 psi through both of its ways, in litres of air of 1 bar and
// 20 degC.
static void draw_lap(const ib_ProportionalConfig *rig, double lap, const char *title, ib_Text *html)
{
    static const double P = 40 * IB__PSI, root = 17.26267650163207; // of 298 K
    static const double litres = 60e3 * 287 * 293.15 / 100e3;       // in a minute, of 1 kg/s
    double Vc[POINTS], area[2][POINTS], flow[3][POINTS];
    ib_ProportionalConfig config = *rig;
    ib_OrificeConfig orifice_config = ib_orifice_default();
    ib_OrificeModel orifice;
    ib_orifice_init(&orifice_config, &orifice);
    config.law = IB_PROPORTIONAL_SPOOL, config.lap = lap;
    fill(Vc, -1, 1);
    areas_of(&config, IB_PORT_2, Vc, area[0], area[1]); // [mm^2]
    for (int i = 0; i < POINTS; i++) {
        flow[0][i] = litres * 1e-6 * ib_orifice_flow(&orifice, area[0][i], Ps, root, P);
        flow[1][i] = -litres * 1e-6 * ib_orifice_flow(&orifice, area[1][i], P, root, Pe);
        flow[2][i] = flow[0][i] + flow[1][i];
    }
    const ib_PlotSeries series[] = {
        ib__claims_curve("from the supply", "L/min", Vc, flow[0], POINTS, 1),
        ib__claims_curve("to the exhaust", "L/min", Vc, flow[1], POINTS, 2),
        ib__claims_curve("sum", "L/min", Vc, flow[2], POINTS, 3),
    };
    draw(title, series, 3, "Vc", "V", html);
}

// Methods 1 and 2 use the measured areas unchanged; method 3 opens both ways near the offset.
static void draw_areas(const ib_ProportionalConfig *rig, ib_Text *html)
{
    double Vc[POINTS], area[4][POINTS];
    ib_ProportionalConfig spool = *rig, holes = *rig;
    fill(Vc, -1.5, 1.5);
    areas_of(rig, IB_PORT_1, Vc, area[0], NULL);
    areas_of(rig, IB_PORT_2, Vc, area[1], NULL);
    const ib_PlotSeries measured[] = {
        ib__claims_curve("port 1", "mm^2", Vc, area[0], POINTS, 1),
        ib__claims_curve("port 2", "mm^2", Vc, area[1], POINTS, 2),
    };
    draw("Figure 21: areas beside a lost flow, methods (1) and (2): one way at a time", measured, 2,
         "Vc", "V", html);
    spool.law = IB_PROPORTIONAL_SPOOL, spool.lap = 0.2843;
    holes.law = IB_PROPORTIONAL_HOLES, holes.lap = 0.2843;
    areas_of(&spool, IB_PORT_2, Vc, area[0], area[1]);
    areas_of(&holes, IB_PORT_2, Vc, area[2], area[3]);
    const ib_PlotSeries summed[] = {
        ib__claims_curve("edges, to the supply", "mm^2", Vc, area[0], POINTS, 1),
        ib__claims_curve("edges, to the exhaust", "mm^2", Vc, area[1], POINTS, 2),
        ib__claims_curve("five round holes, to the supply", "mm^2", Vc, area[2], POINTS, 3),
        ib__claims_curve("five round holes, to the exhaust", "mm^2", Vc, area[3], POINTS, 4),
    };
    draw("Figure 22: areas of port 2 for summed flows, method (3): both ways near the offset",
         summed, 4, "Vc", "V", html);
}

// Input pressures, and the results of the other methods.
static void draw_pressures(const ib_Findings *findings, const ib_ProportionalConfig *rig,
                           ib_Text *html)
{
    const ib__LostFlows *lost = &((const ib__CylinderDetails *)findings->details)->lost;
    double Vc[POINTS], P[3][POINTS];
    ib_ProportionalConfig linear = *rig;
    ib_ProportionalModel valves[2];
    linear.curve = IB_CURVE_LINEAR;
    ib_proportional_init(rig, &valves[0]);
    ib_proportional_init(&linear, &valves[1]);
    fill(Vc, -2, 2);
    for (int i = 0; i < POINTS; i++)
        for (int k = 0; k < 3; k++) {
            int port = k == 0 ? IB_PORT_1 : IB_PORT_2;
            ib_PortOpening open =
                ib_proportional_open(&valves[k == 2], port, Vc[i], Vc[i] > 0, Ps, Pe);
            P[k][i] = open.pressure / IB__PSI;
        }
    ib_PlotSeries series[] = {
        ib__claims_curve("port 1, tanh (4.2.7)", "psi", Vc, P[0], POINTS, 1),
        ib__claims_curve("port 2, tanh (4.2.7)", "psi", Vc, P[1], POINTS, 2),
        ib__claims_curve("port 2, piecewise linear", "psi", Vc, P[2], POINTS, 3),
        ib__claims_curve("port 2, method (1)", "psi", lost->Vc, lost->pressure[1], IB__LOST_POINTS,
                         4),
        ib__claims_curve("port 2, method (2)", "psi", lost->Vc, lost->pressure[2], IB__LOST_POINTS,
                         6),
        ib__claims_curve("port 2, method (3)", "psi", lost->Vc, lost->pressure[3], IB__LOST_POINTS,
                         5),
    };
    // (2) is (1) except at the ends of its band: a line between the points of (1).
    series[3].style = series[5].style = IB_PLOT_POINTS;
    draw("Figure 23: input pressures, and steady pressures by other methods", series,
         IB_CLAIM_COUNT(series), "Vc", "V", html);
}

static void draw_equivalent(const ib_ProportionalConfig *rig, ib_Text *html)
{
    double Vc[POINTS], area[2][POINTS], data[2][IB_TABLE_ROWS];
    const ib_Table *table = &rig->areas;
    fill(Vc, -5, 5);
    areas_of(rig, IB_PORT_1, Vc, area[0], NULL);
    areas_of(rig, IB_PORT_2, Vc, area[1], NULL);
    for (int port = 0; port < IB_PORTS; port++)
        for (int i = 0; i < table->count; i++) data[port][i] = 1e6 * table->y[port][i];
    ib_PlotSeries series[] = {
        ib__claims_curve("port 1, fits of degree 4", "mm^2", Vc, area[0], POINTS, 1),
        ib__claims_curve("port 2, fits of degree 4", "mm^2", Vc, area[1], POINTS, 2),
        ib__claims_curve("port 1, data of B.2", "mm^2", table->x, data[0], table->count, 1),
        ib__claims_curve("port 2, data of B.2", "mm^2", table->x, data[1], table->count, 2),
    };
    series[2].style = series[3].style = IB_PLOT_POINTS;
    draw("Figure 24: equivalent areas at 50 psig", series, 4, "Vc", "V", html);
}

void ib__cylinder_claims_figures(const ib_Findings *findings, ib_Text *html)
{
    ib_CylinderRigConfig config;
    ib_Error error;
    if (ib__rig_default(&config, &error) != IB_OK) return;
    const ib_ProportionalConfig *valve = &config.cylinder.valve;
    draw_friction(html);
    draw_step_friction(html);
    draw_offset(html);
    draw_linear(valve, html);
    draw_lap(valve, -0.25, "Figure 19: overlapped spool (0.25 V), port 2 at 40 psi: normal litres",
             html);
    draw_lap(valve, 0.25, "Figure 20: underlapped spool (0.25 V), port 2 at 40 psi: normal litres",
             html);
    draw_areas(valve, html);
    draw_pressures(findings, valve, html);
    draw_equivalent(valve, html);
    ib__cylinder_claims_runs(html);
}
