// test/sensor/sensor_rig.h: a sensor without a file: a kind by name,
// the unit of its signal, settings.
#ifndef IB_TEST_SENSOR_RIG_H
#define IB_TEST_SENSOR_RIG_H

#include "sensor/sensor.h"
#include "setting.h"

enum { RIG_ROWS = 32 };

// The kind's defaults and these settings (NULL: none), no range, a sample each ms. A refusal comes
// back with the key at fault, or "".
static inline ib_Status rig_sensor(const char *name, const char *unit, const Setting *settings,
                                   ib_SensorConfig *config, const char **key)
{
    const ib_SensorKind *kind = ib_sensor_kind_find(name);
    ib_Param rows[RIG_ROWS];
    ib_Error error;
    if (!kind) fail_msg("there is no sensor %s", name);
    assert_in_range(kind->params.count, 0, RIG_ROWS);
    *config = (ib_SensorConfig){.kind = kind,
                                .name = "s",
                                .signal = "y",
                                .low = -INFINITY,
                                .high = INFINITY,
                                .period = IB_SECOND / 1000};
    if (ib_sensor_default(kind, config, &error) != IB_OK) fail_msg("%s: %s", name, error.text);
    for (int i = 0; i < kind->params.count; i++) {
        rows[i] = kind->params.params[i];
        if (ib_sensor_has_signals_unit(&rows[i])) rows[i].unit = unit;
    }
    put_settings(&(ib_Schema){.params = rows, .count = kind->params.count}, settings, config);
    return ib_sensor_check(config, unit, key, &error);
}

// Sample number `index` of a sensor that remembers nothing and is not late.
static inline double rig_sample(const ib_SensorConfig *config, int64_t index, double truth)
{
    double state = NAN;
    assert_int_equal(ib_sensor_states(config), 1);
    ib_sensor_update(config, 1, 99, index, &truth, &state);
    return state;
}

#endif
