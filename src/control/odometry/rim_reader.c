#include "control/odometry/rim_reader.h"

#include "base/status.h"

#include <string.h>

#define CALM 0.03 ///< in which a sensor's heading is believed [s]

// ------------------------------------------------------------------------------------------ wiring

// Variables of the wiring.
typedef struct Wiring {
    const ib_RimReaderConfig *config;
    const ib_ControlSite *site;
    ib_RimReader *reader;
    ib_OdometryConfig *odometry;
    ib_ControlPin *pins;
} Wiring;

// The signal with this name; NULL: that of the yaw rate.
static const ib_SignalDef *signal_of(const ib_ControlSite *site, const char *name)
{
    for (int i = 0; i < site->signal_count; i++) {
        const ib_SignalDef *signal = &site->signals[i];
        bool same = name ? strcmp(signal->name, name) == 0 : signal->means.role == IB_ROLE_YAW_RATE;
        if (same) return signal;
    }
    return NULL;
}

static bool has_sensor(const ib_ControlSite *site, const char *name)
{
    ib_ControlPin pin;
    ib_Error error;
    return ib_site_sensor(site, "", name, &pin, &error) == IB_OK;
}

// Rims, and the angles of their modules.
static int count_rims(const ib_ControlRims *rims)
{
    return rims->angles ? 2 * rims->count : rims->count;
}

// Sensors of two sides, called so.
static bool are_named(const Wiring *w)
{
    return w->config->named && w->site->rims->count == 2 && !w->site->rims->angles &&
           has_sensor(w->site, "left") && has_sensor(w->site, "right");
}

// Two sides that slip do not determine the turn of the robot: without a gyro the yaw rate is
// sampled ideally, as their rims are. The same holds for sensors without usual names.
static bool reads_yaw_ideally(const Wiring *w)
{
    if (w->config->named) return !are_named(w);
    return w->site->base && w->site->base->slide && !has_sensor(w->site, "gyro");
}

// Number of readings: the rims, and a gyro if one is given or has the usual name.
static int count_readings(const Wiring *w)
{
    int rims = count_rims(w->site->rims), given = w->config->sensors->count;
    if (given > 0) return given == rims ? rims : rims + 1;
    bool turns = w->site->rims->heading || has_sensor(w->site, "gyro") || reads_yaw_ideally(w);
    return turns ? rims + 1 : rims;
}

// Finds reading number `index`: a rim, an angle, or the gyro after them.
static ib_Status find_pin(const Wiring *w, int index, int count, ib_ControlPin *pin,
                          ib_Error *error)
{
    static const char *const usual[] = {"left", "right", "gyro"};
    const ib_ControlRims *rims = w->site->rims;
    const char *name = NULL;
    if (w->config->sensors->count > 0)
        return ib_site_reading(w->site, w->config->sensors, index, count, NULL,
                               "rim, and one for the gyro", pin, error);
    if (are_named(w)) return ib_site_sensor(w->site, "sensors", usual[index], pin, error);
    if (index == count_rims(rims) && rims->heading) {
        *pin = (ib_ControlPin){.name = rims->heading, .unit = "rad", .signal = rims->heading};
        return IB_OK;
    }
    if (index == count_rims(rims) && !reads_yaw_ideally(w))
        return ib_site_sensor(w->site, "sensors", "gyro", pin, error);
    if (index < count_rims(rims))
        name = index < rims->count ? rims->signals[index].name : rims->angles[index - rims->count];
    const ib_SignalDef *signal = signal_of(w->site, name);
    IB_ASSERT(signal || name);
    if (signal) name = signal->name;
    // What the robot does not tell, a loop does: a way.
    *pin = (ib_ControlPin){.name = name, .unit = signal ? signal->unit : "m", .signal = name};
    return IB_OK;
}

// Roll of a rim for each radian of its sensor; 0, with an error, for a sensor of another rim, or
// of none.
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

// A rim is measured in m, m/s, or rad and rad/s of its wheels or motors; all of them alike.
static ib_Status take_rim(const Wiring *w, const ib_ControlPin *pin, int index, ib_Error *error)
{
    bool turns = strncmp(pin->unit, "rad", 3) == 0;
    bool speed = strcmp(pin->unit, turns ? "rad/s" : "m/s") == 0;
    bool way = strcmp(pin->unit, turns ? "rad" : "m") == 0;
    if (!speed && !way)
        return ib_error_set(error, IB_BAD_INPUT,
                            "sensors.%d: '%s' is in %s: expected the way or the speed of a rim, in "
                            "m, m/s, rad or rad/s",
                            index, pin->name, pin->unit);
    if (index > 0 && speed != w->odometry->speeds)
        return ib_error_set(error, IB_BAD_INPUT,
                            "sensors.%d: '%s' is in %s: expected the same as the first rim", index,
                            pin->name, pin->unit);
    double scale = turns ? find_radius(pin, w->site->rims, index, error) : 1;
    w->odometry->speeds = speed;
    w->reader->scale[index] = scale;
    if (pin->step * scale > w->reader->step) w->reader->step = pin->step * scale;
    return scale > 0 ? IB_OK : IB_BAD_INPUT;
}

static ib_Status take_angle(const Wiring *w, const ib_ControlPin *pin, int index, ib_Error *error)
{
    w->reader->scale[index] = 1;
    if (strcmp(pin->unit, "rad") == 0) return IB_OK;
    return ib_error_set(error, IB_BAD_INPUT,
                        "sensors.%d: '%s' is in %s: expected the angle of a module", index,
                        pin->name, pin->unit);
}

static ib_Status take_gyro(const ib_ControlPin *pin, int index, ib_OdometryConfig *odometry,
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

static ib_Status wire_rims(const Wiring *w, ib_Error *error)
{
    const ib_ControlRims *rims = w->site->rims;
    ib_OdometryConfig *odometry = w->odometry;
    if (!rims)
        return ib_error_set(error, IB_BAD_INPUT,
                            "the base does not tell how its wheels turn with it: expected one "
                            "such as kind: holonomic");
    odometry->count = rims->count;
    odometry->angled = rims->angles != NULL;
    odometry->hold_count = rims->hold_count;
    memcpy(odometry->rows, rims->rows, (size_t)count_rims(rims) * sizeof *rims->rows);
    memcpy(odometry->holds, rims->holds, sizeof rims->holds);
    int count = count_readings(w), measured = count_rims(rims);
    for (int i = 0; i < count; i++) {
        ib_Status status = find_pin(w, i, count, &w->pins[i], error);
        if (status == IB_OK)
            status = i < rims->count ? take_rim(w, &w->pins[i], i, error)
                     : i < measured  ? take_angle(w, &w->pins[i], i, error)
                                     : take_gyro(&w->pins[i], i, odometry, error);
        if (status != IB_OK) return status;
    }
    w->reader->rims = rims->count;
    w->reader->gyro = count > measured;
    w->reader->count = count;
    w->reader->ideal = w->config->sensors->count == 0 && !are_named(w) && !rims->heading;
    return IB_OK;
}

// ------------------------------------------------------------------------------------- free wheels

static ib_Status take_free(const Wiring *w, int index, ib_Error *error)
{
    ib_ControlPin *pin = &w->pins[index];
    ib_Status status =
        ib_site_sensor(w->site, "tracking", w->config->tracking->items[index], pin, error);
    if (status != IB_OK) return status;
    bool speed = strcmp(pin->unit, "m/s") == 0;
    if (!speed && strcmp(pin->unit, "m") != 0)
        return ib_error_set(error, IB_BAD_INPUT,
                            "tracking: '%s' is in %s: expected a way or a speed, in m or m/s",
                            pin->name, pin->unit);
    if (index > 0 && speed != w->odometry->speeds)
        return ib_error_set(error, IB_BAD_INPUT,
                            "tracking: '%s' is in %s: expected the same as the first", pin->name,
                            pin->unit);
    w->odometry->speeds = speed;
    w->reader->scale[index] = 1;
    return IB_OK;
}

static ib_Status wire_free(const Wiring *w, ib_Error *error)
{
    const ib_Words *tracking = w->config->tracking, *sensors = w->config->sensors;
    *w->reader = (ib_RimReader){.rims = 2, .gyro = true, .count = 3};
    w->odometry->count = 2;
    w->odometry->rows[0] = (ib_WheelRow){.forward = 1};
    w->odometry->rows[1] = (ib_WheelRow){.left = 1};
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
        ib_Status status = take_free(w, i, error);
        if (status != IB_OK) return status;
    }
    const char *name = sensors->count > 0 ? sensors->items[0] : "gyro";
    ib_Status status = ib_site_sensor(w->site, "sensors", name, &w->pins[2], error);
    return status == IB_OK ? take_gyro(&w->pins[2], 2, w->odometry, error) : status;
}

// ------------------------------------------------------------------------------------------ making

ib_Status ib_rim_reader_wire(const ib_RimReaderConfig *config, const ib_ControlSite *site,
                             ib_RimReader *reader, ib_OdometryConfig *odometry,
                             ib_ControlPin pins[IB_RIM_READINGS], ib_Error *error)
{
    const Wiring wiring = {config, site, reader, odometry, pins};
    *reader = (ib_RimReader){0};
    odometry->gyro = IB_ODOMETRY_BY_RIMS;
    bool free = config->tracking && config->tracking->count > 0;
    ib_Status status = free ? wire_free(&wiring, error) : wire_rims(&wiring, error);
    for (int i = 0; status == IB_OK && i < reader->count; i++) reader->reads[i] = pins[i].name;
    return status;
}

void ib_rim_reader_gather(const ib_ControlPin *pins, double period, ib_RimReader *reader)
{
    for (int i = 0; i < reader->count; i++)
        reader->gathers[i] = ib_pin_gather(&pins[i], period, IB_GATHER_TRAPEZOID);
}

ib_Status ib_rim_reader_init(const ib_RimReaderConfig *config, const ib_ControlSite *site,
                             const ib_OdometryConfig *odometry, ib_RimReader *reader,
                             ib_OdometryModel *model, ib_Error *error)
{
    ib_OdometryConfig own = *odometry;
    ib_ControlPin pins[IB_RIM_READINGS];
    ib_Status status = ib_rim_reader_wire(config, site, reader, &own, pins, error);
    if (status != IB_OK) return status;
    ib_rim_reader_gather(pins, own.period, reader);
    return ib_odometry_init(&own, model, error);
}

// -------------------------------------------------------------------------------------- one period

void ib_rim_reader_step(const ib_RimReader *reader, const ib_OdometryModel *odometry,
                        const double *measurement, const double *sum, double *state)
{
    double rim[IB_RIM_READINGS], sums[IB_RIM_READINGS];
    int gyro = reader->count - 1;
    for (int i = 0; i < reader->count - reader->gyro; i++)
        rim[i] = reader->scale[i] * measurement[i];
    for (int i = 0; i < reader->rims; i++) sums[i] = sum ? reader->scale[i] * sum[i] : NAN;
    sums[reader->rims] = sum && reader->gyro ? sum[gyro] : NAN;
    ib_odometry_step(odometry, rim, reader->gyro ? measurement[gyro] : 0, sums, state);
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
