#include "control/rim_reader.h"

#include "base/status.h"

#include <string.h>

#define CALM 0.03 ///< in which a sensor's heading is believed [s]

// ------------------------------------------------------------------------------------------ wiring

static const ib_SignalDef *signal_of(const ib_ControlSite *site, const char *name)
{
    for (int i = 0; i < site->signal_count; i++)
        if (strcmp(site->signals[i].name, name) == 0) return &site->signals[i];
    return NULL;
}

// What it reads as its number `index`: a rim, or the gyro behind them. Without a list the rims are
// sampled ideally, and a sensor called gyro is read where there is one.
static ib_Status find_pin(const ib_Words *given, const ib_ControlSite *site, int index, int count,
                          ib_ControlPin *pin, ib_Error *error)
{
    if (given->count > 0)
        return ib_site_reading(site, given, index, count, NULL, "rim, and one for the gyro", pin,
                               error);
    if (index == site->rims->count) return ib_site_sensor(site, "sensors", "gyro", pin, error);
    const ib_SignalDef *signal = signal_of(site, site->rims->signals[index].name);
    IB_ASSERT(signal);
    *pin = (ib_ControlPin){.name = signal->name, .unit = signal->unit, .signal = signal->name};
    return IB_OK;
}

// What a rim rolls for each radian that a sensor of it shows; 0, with an error, where it is of
// another rim, or of none.
static double find_radius(const ib_ControlPin *pin, const ib_ControlRims *rims, int index,
                          ib_Error *error)
{
    const char *measured = pin->signal ? pin->signal : pin->name; // or sampled ideally
    for (int i = 0; i < rims->signal_count; i++) {
        const ib_RimSignal *own = &rims->signals[i];
        if (strcmp(own->name, measured) != 0) continue;
        if (own->rim == index) return own->radius;
        ib_error_set(error, IB_BAD_INPUT,
                     "sensors.%d: '%s' measures %s, of motor %d: expected the sensors in the order "
                     "of the motors, here one of motor %d",
                     index, pin->name, own->name, own->rim + 1, index + 1);
        return 0;
    }
    ib_error_set(error, IB_BAD_INPUT,
                 "sensors.%d: '%s' measures %s, which is no wheel: expected %s, or a way or a "
                 "speed in m or m/s",
                 index, pin->name, measured, rims->signals[index].name);
    return 0;
}

static void take_pin(const ib_ControlPin *pin, int index, double period, ib_RimReader *reader)
{
    reader->reads[index] = pin->name;
    reader->gathers[index] = ib_pin_gather(pin, period, IB_GATHER_TRAPEZOID);
}

// A rim is measured in m, m/s, or rad and rad/s of its wheels or motors; all of them alike.
static ib_Status take_rim(const ib_ControlPin *pin, const ib_ControlRims *rims, int index,
                          ib_RimReader *reader, ib_WheelOdometryConfig *odometry, ib_Error *error)
{
    bool turns = strncmp(pin->unit, "rad", 3) == 0;
    bool speed = strcmp(pin->unit, turns ? "rad/s" : "m/s") == 0;
    bool way = strcmp(pin->unit, turns ? "rad" : "m") == 0;
    if (!speed && !way)
        return ib_error_set(error, IB_BAD_INPUT,
                            "sensors.%d: '%s' is in %s: expected the way or the speed of a rim, in "
                            "m, m/s, rad or rad/s",
                            index, pin->name, pin->unit);
    if (index > 0 && speed != odometry->speeds)
        return ib_error_set(error, IB_BAD_INPUT,
                            "sensors.%d: '%s' is in %s: expected the same as the first rim", index,
                            pin->name, pin->unit);
    odometry->speeds = speed;
    reader->scale[index] = turns ? find_radius(pin, rims, index, error) : 1;
    return reader->scale[index] > 0 ? IB_OK : IB_BAD_INPUT;
}

static ib_Status take_gyro(const ib_ControlPin *pin, int index, ib_WheelOdometryConfig *odometry,
                           ib_Error *error)
{
    bool rate = strcmp(pin->unit, "rad/s") == 0, angle = strcmp(pin->unit, "rad") == 0;
    odometry->gyro = rate ? IB_ODOMETRY_BY_RATE : IB_ODOMETRY_BY_HEADING;
    if (angle && pin->period > 0) odometry->calm = CALM;
    if (rate || angle) return IB_OK;
    return ib_error_set(error, IB_BAD_INPUT,
                        "sensors.%d: '%s' is in %s: expected a yaw rate or a heading", index,
                        pin->name, pin->unit);
}

// How many readings there are: the rims, and a gyro where one is given or called so.
static int count_readings(const ib_Words *given, const ib_ControlSite *site)
{
    ib_ControlPin pin;
    ib_Error error;
    int rims = site->rims->count;
    if (given->count > 0) return given->count == rims ? rims : rims + 1;
    return ib_site_sensor(site, "", "gyro", &pin, &error) == IB_OK ? rims + 1 : rims;
}

static ib_Status wire(const ib_Words *given, const ib_ControlSite *site, ib_RimReader *reader,
                      ib_WheelOdometryConfig *odometry, ib_Error *error)
{
    const ib_ControlRims *rims = site->rims;
    int count = count_readings(given, site);
    for (int i = 0; i < count; i++) {
        ib_ControlPin pin;
        ib_Status status = find_pin(given, site, i, count, &pin, error);
        if (status == IB_OK)
            status = i < rims->count ? take_rim(&pin, rims, i, reader, odometry, error)
                                     : take_gyro(&pin, i, odometry, error);
        if (status != IB_OK) return status;
        take_pin(&pin, i, odometry->period, reader);
    }
    reader->gyro = count > rims->count;
    reader->count = count;
    return IB_OK;
}

ib_Status ib_rim_reader_init(const ib_Words *sensors, const ib_ControlSite *site,
                             const ib_WheelOdometryConfig *odometry, ib_RimReader *reader,
                             ib_Error *error)
{
    ib_WheelOdometryConfig own = *odometry;
    *reader = (ib_RimReader){0};
    if (!site->rims)
        return ib_error_set(error, IB_BAD_INPUT,
                            "the base does not tell how its wheels turn with it: expected one "
                            "such as kind: holonomic");
    own.count = site->rims->count;
    own.hold_count = site->rims->hold_count;
    memcpy(own.rows, site->rims->rows, (size_t)own.count * sizeof *own.rows);
    memcpy(own.holds, site->rims->holds, sizeof own.holds);
    ib_Status status = wire(sensors, site, reader, &own, error);
    return status == IB_OK ? ib_wheel_odometry_init(&own, &reader->odometry, error) : status;
}

// ------------------------------------------------------------------------------------- free wheels

static ib_Status take_free(const ib_Words *tracking, const ib_ControlSite *site, int index,
                           ib_RimReader *reader, ib_WheelOdometryConfig *odometry, ib_Error *error)
{
    ib_ControlPin pin;
    ib_Status status = ib_site_sensor(site, "tracking", tracking->items[index], &pin, error);
    if (status != IB_OK) return status;
    bool speed = strcmp(pin.unit, "m/s") == 0;
    if (!speed && strcmp(pin.unit, "m") != 0)
        return ib_error_set(error, IB_BAD_INPUT,
                            "tracking: '%s' is in %s: expected a way or a speed, in m or m/s",
                            pin.name, pin.unit);
    if (index > 0 && speed != odometry->speeds)
        return ib_error_set(error, IB_BAD_INPUT,
                            "tracking: '%s' is in %s: expected the same as the first", pin.name,
                            pin.unit);
    odometry->speeds = speed;
    reader->scale[index] = 1;
    take_pin(&pin, index, odometry->period, reader);
    return IB_OK;
}

ib_Status ib_rim_reader_init_free(const ib_Words *tracking, const ib_Words *sensors,
                                  const ib_ControlSite *site,
                                  const ib_WheelOdometryConfig *odometry, ib_RimReader *reader,
                                  ib_Error *error)
{
    ib_WheelOdometryConfig own = *odometry;
    ib_ControlPin gyro;
    *reader = (ib_RimReader){.gyro = true, .count = 3};
    own.count = 2;
    own.rows[0] = (ib_WheelRow){.forward = 1};
    own.rows[1] = (ib_WheelRow){.left = 1};
    if (tracking->count != 2)
        return ib_error_set(error, IB_BAD_INPUT,
                            "tracking: %d sensor%s: expected two, of a free wheel that rolls ahead "
                            "and of one that rolls to the left",
                            tracking->count, tracking->count == 1 ? "" : "s");
    if (sensors->count > 1)
        return ib_error_set(error, IB_BAD_INPUT,
                            "sensors: %d of them: expected a gyro alone beside 'tracking', whose "
                            "wheels stand for the rims",
                            sensors->count);
    for (int i = 0; i < 2; i++) {
        ib_Status status = take_free(tracking, site, i, reader, &own, error);
        if (status != IB_OK) return status;
    }
    const char *name = sensors->count > 0 ? sensors->items[0] : "gyro";
    ib_Status status = ib_site_sensor(site, "sensors", name, &gyro, error);
    if (status == IB_OK) status = take_gyro(&gyro, 2, &own, error);
    if (status == IB_OK) take_pin(&gyro, 2, own.period, reader);
    return status == IB_OK ? ib_wheel_odometry_init(&own, &reader->odometry, error) : status;
}

// -------------------------------------------------------------------------------------- one period

void ib_rim_reader_step(const ib_RimReader *reader, const double *measurement, const double *sum,
                        double *state)
{
    int count = reader->odometry.config.count;
    double rim[IB_WHEEL_ODOMETRY_RIMS], sums[IB_RIM_READINGS];
    for (int i = 0; i < count; i++) rim[i] = reader->scale[i] * measurement[i];
    for (int i = 0; i < count; i++) sums[i] = sum ? reader->scale[i] * sum[i] : NAN;
    sums[count] = sum && reader->gyro ? sum[count] : NAN;
    ib_wheel_odometry_step(&reader->odometry, rim, reader->gyro ? measurement[count] : 0, sums,
                           state);
}

void ib_rim_reader_show(const double *state, double *shown)
{
    shown[IB_RIM_X] = state[IB_ODOMETRY_X];
    shown[IB_RIM_Y] = state[IB_ODOMETRY_Y];
    shown[IB_RIM_HEADING] = state[IB_ODOMETRY_HEADING];
    shown[IB_RIM_FORWARD] = state[IB_ODOMETRY_FORWARD];
    shown[IB_RIM_LEFT] = state[IB_ODOMETRY_LEFT];
    shown[IB_RIM_YAW_RATE] = state[IB_ODOMETRY_YAW_RATE];
}
