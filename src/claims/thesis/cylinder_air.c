// claims/thesis/cylinder_air.c: values for the claims about flow, energy and force [thesis 4.1].
#include "base/extreme.h"
#include "base/maths.h"
#include "claims/thesis/cylinder.h"
#include "claims/thesis/cylinder_run.h"

#include <math.h>

static const double k = 1.4, R = 287, Ts = 298;

// Psi as printed, (4.1.5) and (4.1.6), with a limit between the two [kg/(s m^2)].
static double printed_flux(double Pd, double Pu, double T, double choked_up_to)
{
    double C1 = sqrt(2 * k / (R * (k - 1)));
    double C2 = sqrt(k / (R * ib_pow((k + 1) / 2, (k + 1) / (k - 1))));
    double r = Pd / Pu;
    if (r <= choked_up_to) return C2 * Pu / sqrt(T);
    return C1 * Pu / sqrt(T) * ib_pow(r, 1 / k) * sqrt(1 - ib_pow(r, (k - 1) / k));
}

// The same of the program.
static double flux(const ib_OrificeModel *orifice, double Pd, double Pu)
{
    return ib_orifice_flow(orifice, 1, Pu, sqrt(Ts), Pd);
}

static void orifice_of(bool published, double laminar, ib_OrificeModel *orifice)
{
    ib_OrificeConfig config = ib_orifice_default();
    config.published = published;
    config.laminar = laminar;
    ib_orifice_init(&config, orifice);
}

// ------------------------------------------------------------------------------------------- flows

// Psi(P_d, P_u) at 298 K without a laminar zone, by reference A2.
static double flux_table(const ib_OrificeModel *orifice)
{
    static const double rows[][3] = {
        {99000.000, 100000.0, 48.0979746933},    {90000.000, 100000.0, 144.4976373635},
        {70000.000, 100000.0, 218.2667034770},   {52900.000, 100000.0, 234.1373549408},
        {52828.200, 100000.0, 234.1376199122},   {52800.000, 100000.0, 234.1376199123},
        {30000.000, 100000.0, 234.1376199123},   {108247.732, 448159.4, 1049.3097525730},
        {300000.000, 448159.4, 1001.9109307832},
    };
    double worst = 0;
    for (int i = 0; i < IB_CLAIM_COUNT(rows); i++)
        worst = ib_max(worst, fabs(flux(orifice, rows[i][0], rows[i][1]) / rows[i][2] - 1));
    return worst;
}

static void flows(ib_ClaimValue *found)
{
    const double Ps = 448159.4, P = 300e3, Pe = 108247.732, none = NAN;
    ib_OrificeModel corrected, published;
    orifice_of(false, 0.999999999, &corrected);
    orifice_of(true, 0.999999999, &published);
    // (4.1.2), (4.1.3): P_d = P_supply, P_u = P_chamber; P_d = P_chamber, P_u = P_atmosphere.
    found[IB__FLUX_CHARGING] =
        (ib_ClaimValue){{flux(&corrected, P, Ps), printed_flux(Ps, P, Ts, 0.528), none}};
    found[IB__FLUX_DISCHARGING] =
        (ib_ClaimValue){{flux(&corrected, Pe, P), printed_flux(P, Pe, Ts, 0.528), none}};
    // (4.1.6) is for ratios far below the critical one, (4.1.5) for those above it.
    found[IB__FLUX_BELOW].form[IB__CORRECTED] = flux(&corrected, 50e3, 100e3);
    found[IB__CRITICAL] = (ib_ClaimValue){{corrected.critical, published.critical, none}};
    const ib_OrificeModel *models[] = {&corrected, &published};
    for (int form = IB__CORRECTED; form <= IB__PUBLISHED; form++) {
        double at = models[form]->critical, above = at * (1 + 1e-15);
        while (above <= at) above = at * (1 + 2e-15);
        found[IB__CRITICAL_STEP].form[form] =
            ib_orifice_share(models[form], above) / ib_orifice_share(models[form], at) - 1;
    }
    found[IB__FLUX_TABLE].form[IB__CORRECTED] = flux_table(&corrected);
    found[IB__GAS_C1] =
        (ib_ClaimValue){{sqrt(2 * k / (R * (k - 1))), sqrt(2 * k / (8.314 * (k - 1))), none}};
    found[IB__GAS_MOLAR].form[IB__CORRECTED] = 8.314 / 0.029;
}

// ------------------------------------------------------------------------------------------ energy

// A closed chamber from the stop at 44.45 mm to half of its volume, by RK4 on the air's own rates.
static double halved(const ib_CylinderModel *cylinder)
{
    enum { STEPS = 200 };
    ib_CylinderOpening closed = {
        .port = {{.pressure = cylinder->exhaust}, {.pressure = cylinder->exhaust}}};
    const ib_CylinderSupply supply = {448159.4, cylinder->temperature, cylinder->root_temperature};
    double air[IB_CYLINDER_STATES], x0 = cylinder->stroke;
    const ib_CylinderSide *cap = &cylinder->side[IB_SIDE_CAP];
    double x1 = (ib_cylinder_volume(cap, x0) / 2 - cap->dead) / cap->area;
    ib_cylinder_fill(cylinder, x0, (double[]){100e3, 100e3}, (double[]){Ts, Ts}, air);
    double U = air[IB_CYLINDER_CAP_ENERGY], before = U, h = 1.0 / STEPS, v = x1 - x0;
    for (int i = 0; i < STEPS; i++) {
        static const double part[] = {0, 0.5, 0.5, 1}, weight[] = {1, 2, 2, 1};
        double rate = 0, sum = 0;
        for (int stage = 0; stage < 4; stage++) {
            air[IB_CYLINDER_CAP_ENERGY] = U + h * part[stage] * rate;
            ib_CylinderNow now =
                ib_cylinder_now(cylinder, air, x0 + v * h * (i + part[stage]), v, &closed, &supply);
            rate = now.rate[IB_CYLINDER_CAP_ENERGY];
            sum += weight[stage] * rate;
        }
        U += h * sum / 6;
    }
    return U / before * 2; // P is U over V
}

// P' of a charging chamber is proportional to the temperature of the inflow: that of the supply,
// or, with T read as the chamber's, 350 K.
static double crossing(const ib_CylinderModel *cylinder)
{
    const double hot = 350;
    ib_CylinderSupply supply = {448159.4, cylinder->temperature, cylinder->root_temperature};
    ib_CylinderOpening open = {.port = {{supply.pressure, 1e-7, cylinder->exhaust, 0, 0, 1}}};
    double air[IB_CYLINDER_STATES], rates[2];
    ib_cylinder_fill(cylinder, 0.02, (double[]){200e3, 200e3}, (double[]){hot, hot}, air);
    ib_CylinderNow now = ib_cylinder_now(cylinder, air, 0.02, 0, &open, &supply);
    rates[0] = now.rate[IB_CYLINDER_CAP_ENERGY];
    rates[1] = now.rate[IB_CYLINDER_CAP_MASS] * IB_CYLINDER_MASS * cylinder->cp * hot;
    return rates[1] / rates[0];
}

// The step of 1.25 V under both equations: the residual of the cap air's energy balance.
static ib_Status audit(ib_ClaimValue *found, ib_Error *error)
{
    static const char *const signals[] = {IB_NAME_CAP("error"), IB_NAME_CAP("work"), NULL};
    static const char *const equations[] = {"corrected", "published"};
    ib_Arena arena = {0};
    ib_Status status = IB_OK;
    for (int form = IB__CORRECTED; form <= IB__PUBLISHED && status == IB_OK; form++) {
        ib__RigChanges changes = {0};
        ib__RigTrace trace = {.signals = signals, .from = 5, .every = 1, .count = 2};
        ib__rig_change(&changes, "robot.equations", equations[form]);
        ib__rig_change(&changes, "run.duration", "6 s");
        status = ib__rig_trace(ib__rig_open, &changes, &arena, &trace, error);
        if (status != IB_OK) break;
        double made = trace.column[0][1] - trace.column[0][0];
        found[IB__AUDIT].form[form] = made;
        found[IB__AUDIT_SHARE].form[form] = 100 * made / (trace.column[1][1] - trace.column[1][0]);
    }
    ib_arena_reset(&arena);
    return status;
}

static void energy(const ib_CylinderRigConfig *config, ib_ClaimValue *found)
{
    for (int form = IB__CORRECTED; form <= IB__PUBLISHED; form++) {
        ib_CylinderConfig air = config->cylinder;
        ib_CylinderModel cylinder;
        air.published = form == IB__PUBLISHED;
        ib_cylinder_init(&air, &cylinder);
        found[IB__FACTOR].form[form] = cylinder.work * (k - 1) + 1;
        found[IB__HALVED].form[form] = halved(&cylinder);
        found[IB__CROSSING].form[form] = form == IB__PUBLISHED ? crossing(&cylinder) : 1;
    }
}

// ------------------------------------------------------------------------------------------- force

static void force(const ib_CylinderRigModel *rig, ib_ClaimValue *found)
{
    const ib_CylinderModel *cylinder = &rig->cylinder;
    double cap = cylinder->side[IB_SIDE_CAP].area, rod = cylinder->side[IB_SIDE_ROD].area;
    const struct {
        double computed, reference;
    } areas[] = {{cap, 5.607752400749e-04},
                 {rod, 4.895195008268e-04},
                 {cylinder->shaft, 7.125573924809e-05}};
    double worst = 0, atmosphere = cylinder->atmosphere;
    for (int i = 0; i < IB_CLAIM_COUNT(areas); i++)
        worst = ib_max(worst, fabs(areas[i].computed / areas[i].reference - 1));
    found[IB__AREAS].form[IB__CORRECTED] = worst;
    found[IB__BALANCE] = (ib_ClaimValue){
        {ib_cylinder_force(cylinder, atmosphere, atmosphere), atmosphere * (cap - rod - cap), NAN}};
    found[IB__ORDER] = (ib_ClaimValue){{rig->mode, 3, NAN}};
    found[IB__ROOM] =
        (ib_ClaimValue){{cylinder->atmosphere / IB__PSI, cylinder->exhaust / IB__PSI, NAN}};
    found[IB__ROOM_LEG] = (ib_ClaimValue){{cylinder->atmosphere / IB__PSI, 24.7, NAN}};
}

// The time for which the initial pressure below the exhaust's is visible.
static ib_Status start(const ib_CylinderRigConfig *config, ib_ClaimValue *found, ib_Error *error)
{
    ib__Passage gone = {.signal = IB_NAME_CAP("pressure"),
                        .level = 0.99 * config->cylinder.exhaust};
    ib__ClaimRun run = {.scenario = ib__rig_open, .passages = &gone, .passage_count = 1};
    const ib_Override shorter = {"run.duration", "1 s"};
    run.overrides = &shorter, run.override_count = 1;
    ib_Status status = ib__claim_run(&run, error);
    found[IB__START_GONE].form[IB__CORRECTED] = gone.seconds;
    found[IB__START_CAP].form[IB__PUBLISHED] = config->pressure[IB_SIDE_CAP] / IB__PSI;
    return status;
}

ib_Status ib__cylinder_claims_air(ib_ClaimValue *found, ib_Error *error)
{
    ib_CylinderRigConfig config;
    ib_CylinderRigModel rig;
    ib_Status status = ib__rig_default(&config, error);
    if (status != IB_OK) return status;
    ib_cylinder_rig_init(&config, &rig);
    flows(found);
    energy(&config, found);
    force(&rig, found);
    status = start(&config, found, error);
    return status == IB_OK ? audit(found, error) : status;
}
