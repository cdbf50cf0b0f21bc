// claims/thesis/cylinder_valve.c: values for the claims about the valve [thesis 4.2.1, 4.2.3, B.2].
#include "base/extreme.h"
#include "base/maths.h"
#include "claims/thesis/cylinder.h"
#include "claims/thesis/cylinder_run.h"

#include <math.h>

enum { TRENDS = 17 };

// P1 of Figure 23 from -2 V on, 0.25 V apart; P2(Vc) = P1(-Vc). Reference A1 [psi].
static const double trends[TRENDS] = {
    64.999172968, 64.996021835, 64.980869009, 64.908106679, 64.561066817, 62.957805074,
    56.515327095, 40.350000000, 24.184672905, 17.742194926, 16.138933183, 15.791893321,
    15.719130991, 15.703978165, 15.700827032, 15.700171925, 15.700035740,
};

// Fits of the areas by reference A1: port 1 and 2, Vc <= 0 and Vc > 0.
static const double fits[IB_PORTS][2][5] = {
    {{6.5307870266e-09, 6.3968172792e-08, 1.4896590625e-07, -1.9279139516e-07, 1.4188897369e-08},
     {8.6189318543e-09, -9.5657067329e-08, 2.8989022179e-07, 7.7469799452e-08, 4.3778973626e-09}},
    {{9.4077677205e-09, 9.3496755731e-08, 2.3257595576e-07, -2.2246121059e-07, 1.8682564560e-08},
     {1.3206433010e-08, -1.3024620985e-07, 3.6081938894e-07, -4.3290139303e-08, 1.4178081771e-08}},
};

static ib_PortOpening open_at(const ib_ProportionalModel *valve, int port, double Vc)
{
    return ib_proportional_open(valve, port, Vc, Vc > 0, 65 * IB__PSI, 15.7 * IB__PSI);
}

// ------------------------------------------------------------------------------------------- areas

static void fitted(const ib_ProportionalModel *valve, ib_ClaimValue *found)
{
    double worst = 0;
    for (int port = 0; port < IB_PORTS; port++)
        for (int side = 0; side < 2; side++)
            for (int i = 0; i < 5; i++) {
                double ratio = valve->c[port][side][i] / fits[port][side][i];
                worst = ib_max(worst, fabs(ratio - 1));
                if (port == IB_PORT_2) // the listing has Vc > 0 first
                    found[IB__COEFFICIENT + 5 * !side + i].form[IB__CORRECTED] =
                        valve->c[port][side][i];
            }
    found[IB__COEFFICIENTS_ALL].form[IB__CORRECTED] = worst;
}

static double area(const ib_ProportionalModel *valve, int port, double Vc, bool up)
{
    return ib_proportional_open(valve, port, Vc, up, 65 * IB__PSI, 15.7 * IB__PSI).area;
}

// The largest errors of the fits from their data.
static void fit_errors(const ib_ProportionalConfig *config, const ib_ProportionalModel *valve,
                       ib_ClaimValue *found)
{
    const ib_Table *data = &config->areas;
    int zero = 0;
    double worst[IB_PORTS] = {0}, dip = 0;
    for (int i = 0; i < data->count; i++) {
        if (data->x[i] == 0) zero = i;
        for (int port = 0; port < IB_PORTS && data->x[i] != 0; port++) {
            double fit = area(valve, port, data->x[i], data->x[i] > 0);
            worst[port] = ib_max(worst[port], fabs(fit / data->y[port][i] - 1));
        }
    }
    for (double Vc = 0; Vc < 0.5; Vc += 1e-4)
        if (area(valve, IB_PORT_2, Vc, true) < area(valve, IB_PORT_2, dip, true)) dip = Vc;
    const struct {
        int row;
        double value;
    } values[] = {
        {IB__CENTRE_1, area(valve, IB_PORT_1, 0, false) / area(valve, IB_PORT_1, 0, true)},
        {IB__CENTRE_2, area(valve, IB_PORT_2, 0, false) / area(valve, IB_PORT_2, 0, true)},
        {IB__CENTRE_DATA, area(valve, IB_PORT_1, 0, true) / data->y[IB_PORT_1][zero]},
        {IB__FIT_WORST_1, 100 * worst[IB_PORT_1]},
        {IB__FIT_WORST_2, 100 * worst[IB_PORT_2]},
        {IB__FIT_DIP, dip},
    };
    for (int i = 0; i < IB_CLAIM_COUNT(values); i++)
        found[values[i].row].form[IB__CORRECTED] = values[i].value;
    // The listing's digits, at the end of the data.
    static const double printed[] = {9.4e-9, 9.35e-8, 2.326e-7, -2.225e-7, 1.87e-8};
    double rounded = 0;
    for (int i = 0; i < 5; i++) rounded = rounded * -4.75 + printed[i];
    found[IB__FIT_END].form[IB__PUBLISHED] =
        100 * fabs(rounded / area(valve, IB_PORT_2, -4.75, false) - 1);
}

// --------------------------------------------------------------------------------------- pressures

static void pressures(const ib_CylinderRigModel *rig, ib_ClaimValue *found)
{
    const ib_CylinderModel *cylinder = &rig->cylinder;
    const ib_ProportionalModel *valve = &cylinder->valve;
    double worst = 0, low = -1, high = 1;
    for (int i = 0; i < TRENDS; i++)
        for (int port = 0; port < IB_PORTS; port++) {
            double Vc = (i - 8) * 0.25, P = open_at(valve, port, Vc).pressure / IB__PSI;
            worst = ib_max(worst, fabs(P - trends[port == IB_PORT_1 ? i : TRENDS - 1 - i]));
        }
    found[IB__TRENDS].form[IB__CORRECTED] = worst;
    double at = open_at(valve, IB_PORT_2, 0.75).pressure / IB__PSI;
    found[IB__TRENDS_REACH].form[IB__CORRECTED] = 100 * (at - 15.7) / (65 - 15.7);
    for (int i = 0; i < 60; i++) { // the voltage with steady pressures that carry the mass
        double Vc = (low + high) / 2, cap = open_at(valve, IB_PORT_2, Vc).pressure,
               rod = open_at(valve, IB_PORT_1, Vc).pressure;
        *(ib_cylinder_force(cylinder, cap, rod) + rig->piston.mass * 9.81 < 0 ? &low : &high) = Vc;
    }
    found[IB__BALANCED_VOLTAGE].form[IB__CORRECTED] = low + 0.25;
    found[IB__OFFSET_FLOW].form[IB__CORRECTED] =
        open_at(valve, IB_PORT_1, 0).area / open_at(valve, IB_PORT_2, 0).area;
    found[IB__OFFSET_VOLTAGE].form[IB__CORRECTED] = valve->centre;
    found[IB__OFFSET_CENTRED].form[IB__CORRECTED] = valve->centre - 5;
    found[IB__OFFSET_START].form[IB__CORRECTED] = 0.0 - 5;
}

// Figure 17: the cap fed through port 2 at 0.5 V above the offset, and through port 1 at 0.5 V
// below it, from the exhaust's pressure on.
static ib_Status offset(ib_ClaimValue *found, ib_Error *error)
{
    static const char *const signals[] = {IB_NAME_CAP("pressure"), NULL};
    const double every = 1e-3, first = 15.7 * IB__PSI;
    double change[2], half[2];
    ib_Status status = IB_OK;
    ib_Arena arena = {0};
    for (int i = 0; i < 2 && status == IB_OK; i++) {
        ib__RigChanges changes = {0};
        ib__RigTrace trace = {.signals = signals, .every = every, .count = 3001};
        ib__rig_change(&changes, "robot.locked", "true");
        ib__rig_change(&changes, "robot.valve.swapped", i ? "true" : "false");
        ib__rig_change(&changes, "inputs.valve", i ? "4.75 V" : "5.75 V");
        ib__rig_change(&changes, "start", "{cap: {pressure: 108247.732 Pa}}");
        ib__rig_change(&changes, "run.duration", "3 s");
        status = ib__rig_trace(ib__rig_open, &changes, &arena, &trace, error);
        if (status != IB_OK) break;
        const double *P = trace.column[0];
        change[i] = P[trace.count - 1] - first;
        int k = 1;
        while (k < trace.count - 1 && P[k] - first < change[i] / 2) k++;
        half[i] = every * (k - (P[k] - first - change[i] / 2) / (P[k] - P[k - 1]));
    }
    ib_arena_reset(&arena);
    if (status != IB_OK) return status;
    found[IB__OFFSET_STEADY].form[IB__CORRECTED] = change[1] / change[0];
    found[IB__OFFSET_RISE].form[IB__CORRECTED] = half[1] / half[0];
    return IB_OK;
}

// With a fixed rod the steady pressure is the input's.
static ib_Status steady(ib_ClaimValue *found, ib_Error *error)
{
    static const char *const signals[] = {IB_NAME_CAP("pressure"), NULL};
    ib_Arena arena = {0};
    ib__RigChanges changes = {0};
    ib__RigTrace trace = {.signals = signals, .from = 10, .every = 1, .count = 1};
    ib__rig_change(&changes, "robot.locked", "true");
    ib__rig_change(&changes, "inputs.valve", "5.5 V");
    ib_Status status = ib__rig_trace(ib__rig_open, &changes, &arena, &trace, error);
    if (status == IB_OK)
        found[IB__TRENDS_STEADY].form[IB__CORRECTED] = trace.column[0][0] / IB__PSI;
    ib_arena_reset(&arena);
    return status;
}

ib_Status ib__cylinder_claims_valve(ib_ClaimValue *found, ib_Error *error)
{
    ib_CylinderRigConfig config;
    ib_CylinderRigModel rig;
    ib_Status status = ib__rig_default(&config, error);
    if (status != IB_OK) return status;
    ib_cylinder_rig_init(&config, &rig);
    fitted(&rig.cylinder.valve, found);
    fit_errors(&config.cylinder.valve, &rig.cylinder.valve, found);
    pressures(&rig, found);
    status = offset(found, error);
    return status == IB_OK ? steady(found, error) : status;
}
