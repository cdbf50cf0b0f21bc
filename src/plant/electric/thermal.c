#include "plant/electric/thermal.h"

#include "base/extreme.h"

#include <math.h>

const ib_PresetDef ib_thermal_presets = {.file = "thermals", .off = true};

// A winding that is much colder than `reference` would have no resistance left by a straight line.
#define LEAST_SHARE 0.2

// ------------------------------------------------------------------------------------------- model

static double start_of(const ib_ThermalConfig *config)
{
    return config->start > 0 ? config->start : config->air;
}

// The coldest that it can be is the colder of air and start: nothing cools it below.
ib_Status ib_thermal_check(const ib_ThermalConfig *config, ib_Error *error)
{
    if (!config->on) return IB_OK;
    bool starts_coldest = start_of(config) < config->air;
    double coldest = starts_coldest ? start_of(config) : config->air;
    double share = 1 + config->coefficient * (coldest - config->reference);
    if (!(share >= LEAST_SHARE))
        return ib_error_set(error, IB_BAD_INPUT,
                            "%s: at %.4g degC the winding would have %.3g of the data sheet's "
                            "resistance, which is no metal's: expected at least %g",
                            starts_coldest ? "start" : "air", coldest - 273.15, share, LEAST_SHARE);
    return IB_OK;
}

void ib_thermal_init(const ib_ThermalConfig *config, ib_ThermalModel *t)
{
    bool both = config->case_capacity > 0;
    double inward = config->winding_to_case, outward = config->case_to_air;
    *t = (ib_ThermalModel){
        .winding = config->winding_capacity,
        .body = config->case_capacity,
        .per_body = both ? 1 / config->case_capacity : 0,
        .outward = both ? 1 / outward : 0,
        .coefficient = config->coefficient,
        .reference = config->reference,
        .air = config->air,
        .start = start_of(config),
        .insulation = config->insulation,
        .nodes = both ? 2 : 1,
        .state = -1,
    };
    if (!config->on) return;
    t->per_winding = 1 / config->winding_capacity;
    t->inward = 1 / (both ? inward : inward + outward);
}

void ib_thermal_declare(const ib_ThermalConfig *config, int drives, double motors,
                        ib_ThermalModel *t, ib_Declarations *d)
{
    t->drives = drives;
    t->motors = motors;
    t->last = 1;
    if (!config->on || drives == 0) return;
    t->state = 0; // on; its place follows
    ib_declare_states(d, drives * t->nodes, IB_STATE, &t->state);
    ib_declare_states(d, 1, IB_SUM, &t->given);
}

int ib_thermal_declare_drive(const ib_ThermalModel *t, int drive, const char *prefix,
                             const char *part, ib_Declarations *d)
{
    int first = d->signals.count, own = drive * t->nodes;
    ib_declare(d, prefix, part, ib_thermal_signals, ib_thermal_signal_count(t), NULL);
    ib_declare_shown(d, &t->state, own, first + IB_THERMAL_SIGNAL_WINDING);
    if (t->nodes > 1) ib_declare_shown(d, &t->state, own + 1, first + IB_THERMAL_SIGNAL_CASE);
    return first;
}

void ib_thermal_declare_heat(ib_ThermalModel *t, const char *prefix, const char *part,
                             ib_Declarations *d)
{
    t->heat = d->signals.count;
    ib_declare(d, prefix, part, ib_heat_signals, IB_HEAT_SIGNALS, NULL);
    ib_declare_shown(d, &t->given, 0, t->heat + IB_HEAT_SIGNAL_GIVEN);
}

void ib_thermal_reset(const ib_ThermalModel *t, double *x)
{
    if (!ib_thermal_on(t)) return;
    for (int i = 0; i < t->drives * t->nodes; i++) x[t->state + i] = t->start;
    x[t->given] = 0;
}

// The norm of its rows bounds the fastest rate, that of the heat that grows with R included:
//   2/(Rw Cw) + a P0/Cw,   2/(Rw Cc) + 1/(Rc Cc)
double ib_thermal_resolution(const ib_ThermalModel *t, double power)
{
    if (!ib_thermal_on(t)) return INFINITY;
    double winding = (2 * t->inward + t->coefficient * power) * t->per_winding;
    double body = (2 * t->inward + t->outward) * t->per_body;
    return 0.5 / ib_max(winding, body);
}

// ---------------------------------------------------------------------------------------- dynamics

//   Cw Tw' = P - (Tw - Tc)/Rw,   Cc Tc' = (Tw - Tc)/Rw - (Tc - Ta)/Rc
void ib_thermal_rate(const ib_ThermalModel *t, const double *x, const double *power, double *dx)
{
    double given = 0;
    for (int i = 0; i < t->drives; i++) {
        int at = ib_thermal_at(t, i);
        double behind = t->nodes > 1 ? x[at + 1] : t->air;
        double leaves = (x[at] - behind) * t->inward, out = leaves;
        dx[at] = (power[i] - leaves) * t->per_winding;
        if (t->nodes > 1) {
            out = (x[at + 1] - t->air) * t->outward;
            dx[at + 1] = (leaves - out) * t->per_body;
        }
        given += i == t->drives - 1 ? t->last * out : out;
    }
    dx[t->given] = t->motors * given;
}

void ib_thermal_absorb(const ib_ThermalModel *t, int drive, double heat, double *x)
{
    x[ib_thermal_at(t, drive)] += heat * t->per_winding;
}

// ----------------------------------------------------------------------------------------- signals

// Copper melts at 1358 K: beyond that a run has no meaning.
const ib_SignalDef ib_thermal_signals[IB_THERMAL_SIGNALS] = {
    [IB_THERMAL_SIGNAL_WINDING] = {"temperature", "K", "temperature of the winding of a motor",
                                   1358, IB_MEANS(.headline = 3, .shown = "degC")},
    [IB_THERMAL_SIGNAL_OVERHEATED] =
        {"overheated", "1",
         "the winding is hotter than its insulation bears (thermal.insulation): a real motor burns",
         0, IB_MEANS(.binary = true, .warns = true)},
    [IB_THERMAL_SIGNAL_CASE] = {"case_temperature", "K", "temperature of the case of a motor", 1358,
                                IB_MEANS(.shown = "degC")},
};

const ib_SignalDef ib_heat_signals[IB_HEAT_SIGNALS] = {
    [IB_HEAT_SIGNAL_COPPER] = {"heat.copper", "J",
                               "heat that the windings have made so far, as in energy.copper", 0,
                               IB_MEANS(.role = IB_ROLE_GIVEN)},
    [IB_HEAT_SIGNAL_STORED] = {"heat.stored", "J",
                               "heat in windings and cases, more than at the start", 0,
                               IB_MEANS(.role = IB_ROLE_STORED)},
    [IB_HEAT_SIGNAL_GIVEN] = {"heat.given", "J", "heat given to the air by the motors so far", 0,
                              IB_MEANS(.role = IB_ROLE_LOST)},
    [IB_HEAT_SIGNAL_ERROR] = {"heat.error", "J",
                              "error of the heat balance: copper - stored - given", 0,
                              IB_MEANS(.role = IB_ROLE_BALANCE)},
};

int ib_thermal_signal_count(const ib_ThermalModel *t)
{
    if (!ib_thermal_on(t)) return 0;
    return t->nodes > 1 ? IB_THERMAL_SIGNALS : IB_THERMAL_SIGNAL_CASE;
}

void ib_thermal_output(const ib_ThermalModel *t, const double *x, int drive, double *signals)
{
    const double *own = x + ib_thermal_at(t, drive);
    signals[IB_THERMAL_SIGNAL_WINDING] = own[0];
    signals[IB_THERMAL_SIGNAL_OVERHEATED] = own[0] > t->insulation;
    if (t->nodes > 1) signals[IB_THERMAL_SIGNAL_CASE] = own[1];
}

// Heat stored since the start:  N (Cw (Tw - Ts) + Cc (Tc - Ts))
void ib_heat_output(const ib_ThermalModel *t, const double *x, double copper, double *signals)
{
    double stored = 0;
    for (int i = 0; i < t->drives; i++) {
        const double *own = x + ib_thermal_at(t, i);
        double share = i == t->drives - 1 ? t->last : 1;
        stored += share * t->winding * (own[0] - t->start);
        if (t->nodes > 1) stored += share * t->body * (own[1] - t->start);
    }
    signals[IB_HEAT_SIGNAL_COPPER] = copper;
    signals[IB_HEAT_SIGNAL_STORED] = t->motors * stored;
    signals[IB_HEAT_SIGNAL_GIVEN] = x[t->given];
}
