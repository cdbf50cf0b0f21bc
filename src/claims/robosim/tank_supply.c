// claims/robosim/tank_supply.c: values for the claims about battery and air.
#include "base/extreme.h"
#include "claims/robosim/tank.h"
#include "claims/robosim/tank_run.h"

#include "base/maths.h"

#include <math.h>

// A constant current until it is empty, [h].
static ib_Status discharge(const char *battery, const char *current, double *hours, ib_Error *error)
{
    ib__TankChanges changes = {.count = 0};
    ib__Passage empty = {.signal = IB_NAME_BATTERY_CHARGE, .level = 1e-9};
    ib__tank_claims_change(&changes, "robot.battery", battery);
    ib__tank_claims_change(&changes, "robot.background_current", current);
    ib__tank_claims_change(&changes, "inputs.left", "0 V");
    ib__tank_claims_change(&changes, "inputs.right", "0 V");
    ib__tank_claims_change(&changes, "run", "{duration: 65000 s, step: 100 s, solver: dopri5}");
    ib__ClaimRun run = {.passages = &empty, .passage_count = 1};
    ib_Status status = ib__tank_claims_run(&changes, &run, error);
    *hours = empty.seconds / 3600;
    return status;
}

static ib_Status capacity(ib_ClaimValue *found, int form, ib_Error *error)
{
    const char *battery = form == IB__PUBLISHED ? "es17-12-robosim" : "es17-12";
    ib_Status status = discharge(battery, "17 A", &found[IB__CAPACITY].form[form], error);
    if (status == IB_OK)
        status = discharge(battery, "1 A", &found[IB__CAPACITY_AMPERE].form[form], error);
    if (form == IB__PUBLISHED || status != IB_OK) return status;
    return discharge(battery, "10.75 A", &found[IB__CAPACITY_HOUR].form[form], error); // 62.5 %
}

static const double psi = 6894.757293, atmosphere = 101325;

// psig, and the times at which the tanks reach it: corrected, published.        [reference B6]
static const double fill[IB__FILL_LEVELS][3] = {
    {10, 2.0900016482, 1.5796745085},  {20, 4.4895151623, 2.7766002533},
    {30, 7.0169807984, 3.7163886655},  {40, 9.6875856852, 4.5079545607},
    {50, 12.517608649, 5.2057850418},  {60, 15.528391724, 5.8411716761},
    {70, 18.808698048, 6.4462287229},  {80, 22.369504564, 7.0298929384},
    {90, 26.131971885, 7.5847642278},  {95, 28.102821203, 7.8549553226},
    {100, 30.17225309, 8.1260136914},  {110, 34.58847754, 8.6682393316},
    {115, 36.919900088, 8.9376167558}, {120, 39.318909432, 9.2043170672},
};

#define TANKS(start)                                                                               \
    "{tanks: 2, tank_volume: 0.574 L, temperature: 70 degF, start: " start                         \
    ", compressor: viair-90c-robosim}"

// A system without the key `tanks` has the default ones.
#define TANKS_DEFAULT "{temperature: 70 degF, start: 0 psig, compressor: viair-90c-robosim}"

static ib__TankChanges with_air(int form, const char *air)
{
    ib__TankChanges changes = ib__tank_claims_as(form);
    ib__tank_claims_change(&changes, "robot.air", air);
    ib__tank_claims_change(&changes, "inputs", "{left: 0 V, right: 0 V, compressor: on}");
    ib__tank_claims_change(&changes, "run.duration", "40 s");
    return changes;
}

// Filling empty tanks: the time of each published pressure.
static ib_Status air(ib_ClaimValue *found, int form, ib_Error *error)
{
    ib__Passage passages[IB__FILL_LEVELS];
    ib__TankChanges changes = with_air(form, TANKS("0 psig"));
    for (int i = 0; i < IB__FILL_LEVELS; i++)
        passages[i] =
            (ib__Passage){.signal = IB_NAME_AIR_PRESSURE, .level = atmosphere + fill[i][0] * psi};
    ib__ClaimRun run = {.passages = passages, .passage_count = IB__FILL_LEVELS};
    ib_Status status = ib__tank_claims_run(&changes, &run, error);
    double worst = 0;
    for (int i = 0; i < IB__FILL_LEVELS; i++)
        worst = ib_max(worst, fabs(passages[i].seconds / fill[i][1 + form] - 1));
    found[IB__FILL_ERROR].form[form] = worst;
    found[IB__FILL].form[form] = passages[12].seconds;
    found[IB__RECOVERY].form[form] = passages[12].seconds - passages[9].seconds;
    return status;
}

// Isothermal compression of the flow at 100 psig:  P = n' R T ln(p/p_atm)
static ib_Status compression(ib_ClaimValue *found, int form, ib_Error *error)
{
    static const char *const signals[] = {IB_NAME_AIR_DELIVERED, IB_NAME_AIR_TEMPERATURE, NULL};
    double values[2], p = atmosphere + 100 * psi, t = 1e-3;
    ib__TankChanges changes = with_air(form, TANKS("100 psig"));
    ib_Status status = ib__tank_claims_sample(&changes, t, signals, values, error);
    found[IB__COMPRESSION].form[form] =
        values[0] / t * 8.314462618 * values[1] * ib_log(p / atmosphere);
    return status;
}

// The time until these tanks hold 115 psig, filled from one atmosphere; pressure, air in them and
// its temperature at the start and after 30 s.
static ib_Status fill_time(const char *tanks, double *seconds, double state[6], ib_Error *error)
{
    static const char *const signals[] = {IB_NAME_AIR_PRESSURE, IB_NAME_AIR_STORED,
                                          IB_NAME_AIR_TEMPERATURE, NULL};
    const double times[] = {0, 30};
    ib__Passage full = {.signal = IB_NAME_AIR_PRESSURE, .level = atmosphere + 115 * psi};
    ib__TankChanges changes = with_air(IB__CORRECTED, tanks);
    ib__ClaimRun run = {.signals = signals,
                        .times = times,
                        .time_count = 2,
                        .values = state,
                        .passages = &full,
                        .passage_count = 1};
    ib_Status status = ib__tank_claims_run(&changes, &run, error);
    *seconds = full.seconds;
    return status;
}

// (7): two tanks of half a litre, or as they are sold; (3.4), (7.1): the air of one atmosphere in
// them, and the corresponding gas constant.
static ib_Status tanks(ib_ClaimValue *found, ib_Error *error)
{
    double state[6], half[6], *times = found[IB__FILL_TANKS].form;
    ib_Status status = fill_time(TANKS_DEFAULT, &times[IB__CORRECTED], state, error);
    if (status == IB_OK)
        status = fill_time("{tanks: 2, tank_volume: 0.5 L, temperature: 70 degF, start: 0 psig, "
                           "compressor: viair-90c-robosim}",
                           &times[IB__PUBLISHED], half, error);
    if (status != IB_OK) return status;
    // The half litres are known, so they give R = P V/(n T); and with it the volume of the others.
    double R = half[0] * 2 * 0.5e-3 / (half[1] * half[2]);
    found[IB__GAS_CONSTANT].form[IB__CORRECTED] = R;
    found[IB__TANK_VOLUME].form[IB__CORRECTED] = state[1] * R * state[2] / state[0] / 2 * 1e3;
    found[IB__PRESSURE_MOLES].form[IB__CORRECTED] = state[3] / state[4] / (state[0] / state[1]);
    found[IB__FIRST_MOLES].form[IB__CORRECTED] = state[1];
    found[IB__GAS_SHARE].form[IB__CORRECTED] = R / 8.31;
    return IB_OK;
}

// The compressor's current at a pressure: the battery's current less that of the background.
static ib_Status compressor_current(const char *tanks, double *current, ib_Error *error)
{
    static const char *const signals[] = {IB_NAME_BATTERY_CURRENT, NULL};
    ib__TankChanges changes = with_air(IB__CORRECTED, tanks);
    ib_Status status = ib__tank_claims_sample(&changes, 0, signals, current, error);
    *current -= 0.5;
    return status;
}

// (7.2): the higher the pressure, the more current.
static ib_Status pressure_current(ib_ClaimValue *found, ib_Error *error)
{
    double low = NAN, high = NAN;
    ib_Status status = compressor_current(TANKS("90 psig"), &low, error);
    if (status == IB_OK) status = compressor_current(TANKS("120 psig"), &high, error);
    found[IB__PRESSURE_CURRENT].form[IB__CORRECTED] = high - low;
    return status;
}

ib_Status ib__tank_claims_supply(ib_ClaimValue *found, ib_Error *error)
{
    ib_Status status = IB_OK;
    for (int form = IB__CORRECTED; form <= IB__PUBLISHED && status == IB_OK; form++) {
        status = capacity(found, form, error);
        if (status == IB_OK) status = air(found, form, error);
        if (status == IB_OK) status = compression(found, form, error);
    }
    if (status == IB_OK) status = tanks(found, error);
    if (status == IB_OK) status = pressure_current(found, error);
    return status;
}
