// sim/loop/sense.c: sensors take their samples of the truth.
#include "sim/sim_inside.h"

void ib__sensor_truth(const ib_SensorModel *sensor, const double *signals, double *truth)
{
    int channels = ib_sensor_channels(ib_sensor_kind(sensor->config));
    for (int k = 0; k < channels; k++) truth[k] = signals[sensor[k].truth];
}

bool ib__sim_sense(ib_Sim *sim, double *state)
{
    const ib_Model *model = sim->model;
    bool fresh = false;
    for (int i = 0; i < model->sensor_count; i++) {
        const ib_SensorModel *sensor = &model->sensors[i];
        double truth[IB_SENSOR_CHANNELS];
        if (sensor->config->channel > 0 || sim->time % sensor->config->period != 0) continue;
        if (!fresh) ib__sim_find_truth(sim, state);
        fresh = true;
        ib__sensor_truth(sensor, sim->truth, truth);
        ib_sensor_update(sensor->config, model->config->seed, sensor->stream,
                         sim->time / sensor->config->period, truth, state + sensor->state);
        ib_flush(state + sensor->state, ib_sensor_states(sensor->config));
    }
    if (fresh && model->gather_count > 0) ib__sim_gather(sim, state);
    return fresh;
}
