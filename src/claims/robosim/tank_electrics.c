// claims/robosim/tank_electrics.c: values for the claims about voltage, current and their commands.
#include "claims/robosim/tank.h"
#include "claims/robosim/tank_run.h"

// A battery that feeds one constant current; `values`: voltage, chemical energy, energy in its
// resistance and charge used after 1 s.
static ib_Status feed(const char *resistance, const char *current, double values[4],
                      ib_Error *error)
{
    static const char *const signals[] = {IB_NAME_BATTERY_VOLTAGE, IB_NAME_ENERGY("battery"),
                                          IB_NAME_ENERGY("resistance"), IB_NAME_BATTERY_USED, NULL};
    ib__TankChanges changes = ib__tank_claims_as(IB__CORRECTED);
    ib__tank_claims_change(&changes, "inputs", "{left: 0 V, right: 0 V}");
    ib__tank_claims_change(&changes, "robot.battery.resistance", resistance);
    ib__tank_claims_change(&changes, "robot.background_current", current);
    return ib__tank_claims_sample(&changes, 1, signals, values, error);
}

// (3.5.2), (5.1): v = R i, P = v i.
static ib_Status ohm(ib_ClaimValue *found, ib_Error *error)
{
    double once[4], twice[4], double_current[4];
    ib_Status status = feed("12 mohm", "100 A", once, error);
    if (status == IB_OK) status = feed("24 mohm", "100 A", twice, error);
    if (status == IB_OK) status = feed("12 mohm", "200 A", double_current, error);
    if (status != IB_OK) return status;
    double drop = 12 - once[0];
    found[IB__DROP_RESISTANCE].form[IB__CORRECTED] = (12 - twice[0]) / drop;
    found[IB__DROP_CURRENT].form[IB__CORRECTED] = (12 - double_current[0]) / drop;
    found[IB__COUNTED].form[IB__CORRECTED] = once[3] / 3600;
    found[IB__TERMINAL_POWER].form[IB__CORRECTED] = (once[1] - once[2]) / (once[0] * 100 * 1);
    return IB_OK;
}

// (9b): the motors get the battery's voltage times command/12.
static ib_Status duty(ib_ClaimValue *found, ib_Error *error)
{
    static const char *const signals[] = {IB_NAME_DRIVE("left", "voltage"), IB_NAME_BATTERY_VOLTAGE,
                                          NULL};
    double values[2];
    ib__TankChanges changes = ib__tank_claims_as(IB__CORRECTED);
    ib__tank_claims_change(&changes, "inputs", "{left: 6 V, right: 6 V}");
    ib_Status status = ib__tank_claims_sample(&changes, 0.1, signals, values, error);
    found[IB__DUTY].form[IB__CORRECTED] = values[0] / values[1];
    return status;
}

// A breaker that trips within the launch.
static ib_Status trip(ib_ClaimValue *found, ib_Error *error)
{
    static const char *const signals[] = {IB_NAME_BATTERY_VOLTAGE, NULL};
    ib__TankChanges changes = ib__tank_claims_as(IB__CORRECTED);
    ib__tank_claims_change(&changes, "robot.breaker",
                           "{rating: 120 A, trip: [[120 A, 1 s], [240 A, 0.01 s]]}");
    return ib__tank_claims_sample(&changes, 1, signals, &found[IB__TRIPPED].form[IB__CORRECTED],
                                  error);
}

// (13.5): half way between two knots.
static ib_Status interpolate(ib_ClaimValue *found, ib_Error *error)
{
    static const char *const signals[] = {IB_NAME_DRIVE("left", "command"), NULL};
    ib__TankChanges changes = ib__tank_claims_as(IB__CORRECTED);
    ib__tank_claims_change(&changes, "inputs",
                           "{hold: linear, left: [[0 s, 0 V], [1 s, 12 V]], right: 0 V}");
    return ib__tank_claims_sample(&changes, 0.5, signals,
                                  &found[IB__INTERPOLATED].form[IB__CORRECTED], error);
}

// Two asides of section 3, from constants of nature: the electrons of an ampere (3.5.2), and the
// footnote of 3.4 about donuts of 1e6 J.
static void asides(ib_ClaimValue *found)
{
    const double charge = 1.602176634e-19, avogadro = 6.02214076e23;        // SI, exact
    const double earth = 8.0345e37, sidereal = 86164.1, pi = 3.14159265359; // [kg m^2, s]
    double w = 2 * pi / sidereal, rotation = earth * w * w / 2, donuts = avogadro * 1e6;
    found[IB__ELECTRONS].form[IB__CORRECTED] = 1 / charge;
    found[IB__DONUTS].form[IB__CORRECTED] = donuts;
    found[IB__EARTH].form[IB__CORRECTED] = rotation;
    found[IB__DONUTS_LEFT].form[IB__CORRECTED] = 1 - rotation / donuts;
}

ib_Status ib__tank_claims_electrics(ib_ClaimValue *found, ib_Error *error)
{
    asides(found);
    ib_Status status = ohm(found, error);
    if (status == IB_OK) status = duty(found, error);
    if (status == IB_OK) status = trip(found, error);
    if (status == IB_OK) status = interpolate(found, error);
    return status;
}
