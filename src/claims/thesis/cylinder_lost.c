// claims/thesis/cylinder_lost.c: four ways to lose flow near the valve's offset, each fitted to
// Figure 23 [thesis 4.2.3].
//
// A fixed rod, so that the steady pressure P is that without flow; air of one temperature, that of
// the walls:
//   none      A(Vc) switched between Ps and Pe, nothing lost
//   1         the same, and a constant flow is lost
//   2         the same within 0.75 V of the offset, nothing beyond
//   3         four alike edges that overlap by `lap`: A_s q(Ps -> P) = A_e q(P -> Pe). The slope of
//             the edges is a factor on both sides: steady pressures do not tell it
//   4         the input pressure is Figure 23's curve
#include "base/extreme.h"
#include "base/maths.h"
#include "claims/thesis/cylinder.h"
#include "claims/thesis/cylinder_run.h"

#include <math.h>
#include <stdio.h>

static const double Ps = 65 * IB__PSI, Pe = 15.7 * IB__PSI;

// ----------------------------------------------------------------------------------------- methods

typedef struct Bench {
    ib_CylinderRigConfig config;
    ib_ProportionalModel valve; ///< the thesis's
} Bench;

// One of the methods with its parameter: a flow [kg/s] or a lap [V].
static void method_of(const Bench *bench, int method, double parameter, ib_CylinderModel *cylinder)
{
    ib_CylinderConfig air = bench->config.cylinder;
    ib_ProportionalConfig *valve = &air.valve;
    if (method < 3) valve->curve = IB_CURVE_SWITCH;
    if (method == 1) valve->lost = IB_LOST_CONSTANT;
    if (method == 2) valve->lost = IB_LOST_BAND;
    if (method == 3) valve->law = IB_PROPORTIONAL_SPOOL;
    if (method == 3)
        valve->lap = parameter;
    else
        valve->lost_flow = parameter;
    ib_cylinder_init(&air, cylinder);
}

// The pressure without flow in a chamber of the surroundings' temperature, by bisection [psi].
static double steady(const ib_CylinderModel *cylinder, int port, double Vc)
{
    const ib_CylinderSupply supply = {Ps, cylinder->temperature, cylinder->root_temperature};
    ib_CylinderOpening open = ib_cylinder_open(cylinder, Vc, Vc > 0, Ps);
    double low = 0.2 * Pe, high = Ps, air[IB_CYLINDER_STATES];
    for (int i = 0; i < 50; i++) {
        double P = (low + high) / 2;
        const double T = cylinder->temperature;
        ib_cylinder_fill(cylinder, 0.02, (double[]){P, P}, (double[]){T, T}, air);
        ib_CylinderNow now = ib_cylinder_now(cylinder, air, 0.02, 0, &open, &supply);
        double in = now.port[port == IB_PORT_2 ? IB_SIDE_CAP : IB_SIDE_ROD].mass;
        *(in > 0 ? &low : &high) = P;
    }
    return (low + high) / 2 / IB__PSI;
}

// The thesis's curve at Vc [psi].
static double wanted(const Bench *bench, int port, double Vc)
{
    return ib_proportional_open(&bench->valve, port, Vc, Vc > 0, Ps, Pe).pressure / IB__PSI;
}

// Distance from the curve over both ports and all voltages, rms [psi].
static double distance(const Bench *bench, int method, double parameter)
{
    ib_CylinderModel cylinder;
    double sum = 0;
    method_of(bench, method, parameter, &cylinder);
    for (int i = 0; i < IB__LOST_POINTS; i++)
        for (int port = 0; port < IB_PORTS; port++) {
            double Vc = 0.05 * (i - IB__LOST_POINTS / 2);
            double off = steady(&cylinder, port, Vc) - wanted(bench, port, Vc);
            sum += off * off;
        }
    return sqrt(sum / (IB__LOST_POINTS * IB_PORTS));
}

// The parameter with the least distance: a scan, then a finer one around its best.
static double fit(const Bench *bench, int method, double low, double high)
{
    enum { SCAN = 20, PASSES = 4 };
    double best = low, least = INFINITY;
    for (int pass = 0; pass < PASSES; pass++) {
        double apart = (high - low) / SCAN;
        for (int i = 0; i <= SCAN; i++) {
            double parameter = low + apart * i, d = distance(bench, method, parameter);
            if (d < least) least = d, best = parameter;
        }
        low = ib_max(best - apart, low), high = best + apart;
    }
    return best;
}

// ------------------------------------------------------------------------------------------ claims

// A run with a fixed rod at 0.35 V above the offset, against the steady pressure found above.
static ib_Status run_one(const Bench *bench, int method, double parameter, double *off,
                         ib_Error *error)
{
    static const char *const signals[] = {IB_NAME_CAP("pressure"), NULL};
    static const char *const rules[] = {"none", "constant", "band", "none", "none"};
    char number[40];
    ib_Arena arena = {0};
    ib__RigChanges changes = {0};
    ib__RigTrace trace = {.signals = signals, .from = 10, .every = 1, .count = 1};
    ib__rig_change(&changes, "robot.locked", "true");
    ib__rig_change(&changes, "robot.heat.law", "isothermal");
    ib__rig_change(&changes, "inputs.valve", "5.6 V");
    ib__rig_change(&changes, "start", "{position: 0 m}"); // a small chamber, soon filled
    snprintf(number, sizeof number, method == 3 ? "%.17g V" : "%.17g kg/s", parameter);
    if (method < 3) {
        ib__rig_change(&changes, "robot.valve.curve", "switch");
        ib__rig_change(&changes, "robot.valve.lost.rule", rules[method]);
        ib__rig_change(&changes, "robot.valve.lost.flow", number);
    } else if (method == 3) {
        ib__rig_change(&changes, "robot.valve.law", "spool");
        ib__rig_change(&changes, "robot.valve.lap", number);
    }
    ib_Status status = ib__rig_trace(ib__rig_open, &changes, &arena, &trace, error);
    ib_CylinderModel cylinder;
    method_of(bench, method, parameter, &cylinder);
    if (status == IB_OK)
        *off = fabs(trace.column[0][0] / IB__PSI - steady(&cylinder, IB_PORT_2, 5.6 - 5.25));
    ib_arena_reset(&arena);
    return status;
}

// The necessary width of the exhaust's edge, over the supply's, for the curve's pressure at
// the offset:
//   A_e/A_s = q(Ps -> P)/q(P -> Pe)
static double edge_ratio(const Bench *bench, const ib_CylinderModel *cylinder)
{
    double P = wanted(bench, IB_PORT_2, 0) * IB__PSI, root = cylinder->root_temperature;
    return ib_orifice_flow(&cylinder->orifice, 1, Ps, root, P) /
           ib_orifice_flow(&cylinder->orifice, 1, P, root, Pe);
}

ib_Status ib__cylinder_claims_lost(ib_ClaimValue *found, ib__LostFlows *lost, ib_Error *error)
{
    Bench bench;
    ib_CylinderModel cylinder;
    ib_Status status = ib__rig_default(&bench.config, error);
    if (status != IB_OK) return status;
    ib_proportional_init(&bench.config.cylinder.valve, &bench.valve);
    double parameters[1 + IB__LOST_METHODS] = {0};
    parameters[1] = fit(&bench, 1, 0, 1e-4);
    parameters[2] = fit(&bench, 2, 0, 1e-4);
    parameters[3] = fit(&bench, 3, 0.05, 2.05);
    for (int method = 0; method <= IB__LOST_METHODS; method++) {
        method_of(&bench, method, parameters[method], &cylinder);
        lost->rms[method] = distance(&bench, method, parameters[method]);
        for (int i = 0; i < IB__LOST_POINTS; i++) {
            lost->Vc[i] = 0.05 * (i - IB__LOST_POINTS / 2);
            lost->pressure[method][i] = steady(&cylinder, IB_PORT_2, lost->Vc[i]);
        }
        if (method == 3)
            found[IB__LOST_CENTRE].form[IB__CORRECTED] = steady(&cylinder, IB_PORT_2, 0);
        if (method == 0) {
            found[IB__LOST_NOTHING].form[IB__CORRECTED] = lost->rms[0];
            continue;
        }
        int index = method - 1;
        found[IB__LOST + index].form[IB__CORRECTED] = lost->rms[method];
        found[IB__LOST_PARAMETER + index].form[IB__CORRECTED] = parameters[method];
        status = run_one(&bench, method, parameters[method],
                         &found[IB__LOST_RUN + index].form[IB__CORRECTED], error);
        if (status != IB_OK) return status;
    }
    found[IB__LOST_RATIO].form[IB__CORRECTED] = edge_ratio(&bench, &cylinder);
    return IB_OK;
}
