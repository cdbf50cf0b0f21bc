// test/scenario/blind_loops.h: loops that see no truth.
#ifndef IB_TEST_BLIND_LOOPS_H
#define IB_TEST_BLIND_LOOPS_H

#include "cmocka_all.h"
#include "sim/model.h"

#include <math.h>
#include <string.h>

// Puts sensor.dark, which is NaN, in the place of every signal that a loop samples ideally; returns
// how many there were.
static inline int blind_loops(ib_Model *model)
{
    int dark = -1, count = 0;
    for (int i = 0; i < model->sensor_count; i++)
        if (strcmp(model->sensors[i].config->name, "dark") == 0) dark = i;
    assert_true(dark >= 0);
    ((ib_SensorConfig *)model->sensors[dark].config)->bias = NAN;
    for (int i = 0; i < model->control_count; i++) {
        ib_ControlModel *loop = &model->controls[i];
        ib_Reading *readings = (ib_Reading *)loop->measurements;
        for (int k = 0; k < loop->controller->ports.measurement_count; k++) {
            if (readings[k].signal < 0) continue;
            readings[k] = (ib_Reading){dark, -1, -1};
            count++;
        }
    }
    return count;
}

#endif
