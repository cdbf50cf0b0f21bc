// plant/electric/thermal.h: the temperature of a motor's winding, and its effect on the resistance.
// The derivation is in docs/plant/thermal.md.
//
// Symbols, of one motor: P heat of its winding, R its resistance, R0 that of the data sheet, at T0;
// Tw, Tc, Ta temperatures of winding, case and air; Cw, Cc heat capacities of winding and case;
// Rw, Rc thermal resistances from winding to case and from case to air; a coefficient of copper.
//
//   R = R0 (1 + a (Tw - T0)),   P = R I^2
//   Cw Tw' = P - (Tw - Tc)/Rw,  Cc Tc' = (Tw - Tc)/Rw - (Tc - Ta)/Rc
// One mass, with Cc = 0:  Cw Tw' = P - (Tw - Ta)/(Rw + Rc). Limits: Tw = T0 -> the data sheet's
// motor; P constant -> Tw = Ta + P (Rw + Rc) in the end.
//
// A part of all robots with motors. `drives` groups of equal motors have temperatures of their own:
// the sides of a tank, the rims of a holonomic base, the shafts of a mechanism.
#ifndef IB_PLANT_ELECTRIC_THERMAL_H
#define IB_PLANT_ELECTRIC_THERMAL_H

#include "base/formula.h"
#include "base/schema.h"
#include "base/signal.h"
#include "base/status.h"
#include "plant/declare.h"
#include "plant/electric/motor.h"

#include <stdbool.h>

typedef struct ib_ThermalConfig {
    int on;                  ///< 0: the winding stays as the data sheet has it
    double winding_capacity; ///< Cw [J/K], > 0
    double case_capacity;    ///< Cc [J/K], >= 0; 0: one mass
    double winding_to_case;  ///< Rw [K/W], > 0
    double case_to_air;      ///< Rc [K/W], > 0
    double coefficient;      ///< a [1/K], >= 0
    double reference;        ///< T0 [K], > 0
    double air;              ///< Ta [K], > 0
    double start;            ///< of winding and case [K]; 0: that of the air
    double insulation;       ///< limit of the winding's insulation [K]
} ib_ThermalConfig;

typedef struct ib_ThermalModel {
    double winding, per_winding; ///< Cw [J/K], 1/Cw
    double body, per_body;       ///< Cc [J/K], 1/Cc; 0: there is none
    double inward;               ///< 1/Rw [W/K], or 1/(Rw + Rc) where there is no case
    double outward;              ///< 1/Rc [W/K]; 0: there is no case
    double coefficient;          ///< a [1/K]
    double reference;            ///< T0 [K]
    double air, start;           ///< [K]
    double insulation;           ///< [K]
    double motors;               ///< of each drive
    double last;                 ///< motors of the last drive over those of the others, mostly 1
    int drives;
    int nodes; ///< 1: winding, 2: winding and case
    int state; ///< first of its states in the robot's; -1: off, there are none
    int given; ///< that of the heat given to the air so far
    int heat;  ///< the first signal of its book
} ib_ThermalModel;

ib_Status ib_thermal_check(const ib_ThermalConfig *config, ib_Error *error);

// Sets all but the places of its states; it is off until it is laid out.
void ib_thermal_init(const ib_ThermalConfig *config, ib_ThermalModel *thermal);

// Declares the states, if the config has it on: temperatures of each drive, winding first [K], and
// the heat that all drives have given to the air so far [J]. `motors`: number of those of a drive.
void ib_thermal_declare(const ib_ThermalConfig *config, int drives, double motors,
                        ib_ThermalModel *thermal, ib_Declarations *d);

// Declares the signals of a drive; returns the number of the first one.
int ib_thermal_declare_drive(const ib_ThermalModel *thermal, int drive, const char *prefix,
                             const char *part, ib_Declarations *d);

// Declares the signals of the heat balance.
void ib_thermal_declare_heat(ib_ThermalModel *thermal, const char *prefix, const char *part,
                             ib_Declarations *d);

// Temperatures at the start of a run.
void ib_thermal_reset(const ib_ThermalModel *thermal, double *x);

// Longest step for a fixed-step solver [s] for a winding that may take `power` at T0 [W]; infinite
// if it is off.
double ib_thermal_resolution(const ib_ThermalModel *thermal, double power);

// ---------------------------------------------------------------------------------------- dynamics
//
// x, dx are the robot's whole arrays; all but ib_thermal_on may be called only if it is on.

IB_FORMULA bool ib_thermal_on(const ib_ThermalModel *t)
{
    return t->state >= 0;
}

// Place of a drive's winding temperature in x; that of the case follows.
IB_FORMULA int ib_thermal_at(const ib_ThermalModel *t, int drive)
{
    return t->state + drive * t->nodes;
}

// Resistance of the windings of a drive:  R = R0 (1 + a (Tw - T0))
IB_FORMULA double ib_thermal_resistance(const ib_ThermalModel *t, const double *x, int drive,
                                        const ib_MotorModel *cold)
{
    return cold->R * (1 + t->coefficient * (x[ib_thermal_at(t, drive)] - t->reference));
}

// The motor of a drive at its temperature; off: the data sheet's, to the bit.
IB_FORMULA ib_MotorModel ib_thermal_motor_of(const ib_ThermalModel *t, const double *x, int drive,
                                             const ib_MotorModel *cold)
{
    ib_MotorModel warm = *cold;
    if (!ib_thermal_on(t)) return warm;
    warm.R = ib_thermal_resistance(t, x, drive, cold);
    warm.per_R = 1 / warm.R;
    return warm;
}

// Rates of all its states; `power`: heat of the winding of one motor of each drive [W].
void ib_thermal_rate(const ib_ThermalModel *thermal, const double *x, const double *power,
                     double *dx);

// Heat that the winding of one motor takes up at once [J].
void ib_thermal_absorb(const ib_ThermalModel *thermal, int drive, double heat, double *x);

// ----------------------------------------------------------------------------------------- signals

// Signals of each drive, after its name. With one mass there is no case.
enum {
    IB_THERMAL_SIGNAL_WINDING,
    IB_THERMAL_SIGNAL_OVERHEATED,
    IB_THERMAL_SIGNAL_CASE,
    IB_THERMAL_SIGNALS,
};

// The heat balance of all drives:  copper = stored + given + error
enum {
    IB_HEAT_SIGNAL_COPPER,
    IB_HEAT_SIGNAL_STORED,
    IB_HEAT_SIGNAL_GIVEN,
    IB_HEAT_SIGNAL_ERROR,
    IB_HEAT_SIGNALS,
};

extern const ib_SignalDef ib_thermal_signals[IB_THERMAL_SIGNALS];
extern const ib_SignalDef ib_heat_signals[IB_HEAT_SIGNALS];

// Number of signals of each drive; 0 if it is off.
int ib_thermal_signal_count(const ib_ThermalModel *thermal);
void ib_thermal_output(const ib_ThermalModel *thermal, const double *x, int drive, double *signals);

// Fills the heat balance [J], all but its error. `copper`: heat of all windings so far, as in the
// robot's own book.
void ib_heat_output(const ib_ThermalModel *thermal, const double *x, double copper,
                    double *signals);

// -------------------------------------------------------------------------------------- parameters

extern const ib_PresetDef ib_thermal_presets; ///< the entries of data/thermals.yaml

enum { IB_THERMAL_ROW_COUNT = 10 };

// Its rows under a key such as "drive.thermal", for a config struct that holds it in `thermal`.
#define IB_THERMAL_ROWS(key, config, thermal)                                                      \
    IB_ROW(key, IB_PARAM_PRESET, "1", "off", 0, 0, &ib_thermal_presets, config, thermal.on,        \
           "how a motor's winding warms up, and its resistance with it: off, a preset of "         \
           "data/thermals.yaml or a map"),                                                         \
        IB_NUMBER_OF(key ".winding_capacity", "J/K", "60 J/K", 1e-3, 1e6, config,                  \
                     thermal.winding_capacity, "heat that warms one motor's winding by a kelvin"), \
        IB_NUMBER_OF(key ".case_capacity", "J/K", "450 J/K", 0, 1e7, config,                       \
                     thermal.case_capacity,                                                        \
                     "heat that warms its case by a kelvin; 0: the winding is the only mass"),     \
        IB_NUMBER_OF(key ".winding_to_case", "K/W", "1.5 K/W", 1e-3, 1e4, config,                  \
                     thermal.winding_to_case, "thermal resistance from winding to case"),          \
        IB_NUMBER_OF(key ".case_to_air", "K/W", "3 K/W", 1e-3, 1e4, config, thermal.case_to_air,   \
                     "thermal resistance from case to air"),                                       \
        IB_NUMBER_OF(key ".coefficient", "1/K", "0.00393 1/K", 0, 0.01, config,                    \
                     thermal.coefficient,                                                          \
                     "growth of its resistance, as a share of that at `reference`; copper's at "   \
                     "20 degC"),                                                                   \
        IB_NUMBER_OF(key ".reference", "K", "20 degC", 200, 400, config, thermal.reference,        \
                     "temperature at which it has the resistance of the data sheet"),              \
        IB_NUMBER_OF(key ".air", "K", "25 degC", 200, 400, config, thermal.air,                    \
                     "temperature of the air around it"),                                          \
        IB_NUMBER_OF(key ".start", "K", "0 K", 0, 1000, config, thermal.start,                     \
                     "temperature of winding and case at the start; 0 K: that of the air"),        \
        IB_NUMBER_OF(key ".insulation", "K", "155 degC", 250, 1000, config, thermal.insulation,    \
                     "hottest that the winding's insulation bears; hotter, the run is warned of")

#endif
