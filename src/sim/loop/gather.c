#include "sim/loop/gather.h"

#include <math.h>

static bool gathers(const ib_ControlModel *control, int measurement)
{
    const ib_ControlPorts *ports = &control->controller->ports;
    return ports->gathers && ports->gathers[measurement] != IB_GATHER_NONE;
}

void ib__gather_lay_out(ib_Model *model, ib_ControlModel *control)
{
    control->gather = model->state_count;
    for (int k = 0; k < control->controller->ports.measurement_count; k++)
        if (gathers(control, k)) model->state_count += IB__GATHER_STATES;
}

ib_Status ib__gather_connect(ib_Model *model, ib_Arena *arena, ib_Error *error)
{
    int total = 0;
    for (int i = 0; i < model->control_count; i++)
        for (int k = 0; k < model->controls[i].controller->ports.measurement_count; k++)
            total += gathers(&model->controls[i], k);
    model->gathers = ib_arena_array(arena, (size_t)total, sizeof *model->gathers);
    if (!model->gathers) return ib_error_set(error, IB_FAILED, "out of memory for a controller");
    for (int i = 0; i < model->control_count; i++) {
        const ib_ControlModel *control = &model->controls[i];
        int state = control->gather;
        for (int k = 0; k < control->controller->ports.measurement_count; k++) {
            if (!gathers(control, k)) continue;
            int sensor = control->measurements[k].sensor;
            IB_ASSERT_SAY(sensor >= 0, "%s gathers what is no sensor", control->controller->label);
            model->gathers[model->gather_count++] =
                (ib_GatherModel){sensor, state, control->controller->ports.gathers[k]};
            state += IB__GATHER_STATES;
        }
    }
    return IB_OK;
}

// Of samples z, h apart:
//   trapezoid   integral += h (z_before + z)/2
//   sum         integral += h z
// A sample that is no number counts as missed: the one before stands in its place.
void ib__sim_gather(ib_Sim *sim, double *state)
{
    const ib_Model *model = sim->model;
    for (int i = 0; i < model->gather_count; i++) {
        const ib_GatherModel *gather = &model->gathers[i];
        const ib_SensorModel *sensor = &model->sensors[gather->sensor];
        if (sim->time % sensor->config->period != 0) continue;
        double *own = state + gather->state, h = ib_time_to_seconds(sensor->config->period);
        double z = state[sensor->state] * sim->input[sensor->gain];
        double before = own[IB__GATHER_NEWEST];
        if (!isfinite(z)) z = before;
        if (sim->time > 0)
            own[IB__GATHER_INTEGRAL] +=
                gather->rule == IB_GATHER_SUM ? h * z : 0.5 * h * (before + z);
        own[IB__GATHER_NEWEST] = z;
    }
}

// A measurement at the end of a period T, from the mean m of this period and m_before of the one
// before it, whose middles lie T apart:
//   trapezoid   m + (m - m_before)/2               exact where the measurement is a ramp
//   sum         m + (m - m_before) (1 - h/T)/2     likewise, of samples h apart
// The mean alone is late by half a period: a robot that turns back would be taken to stand.
static double value_now(double mean, ib_Gather rule, double share, double *before)
{
    double now = mean + 0.5 * (rule == IB_GATHER_SUM ? 1 - share : 1) * (mean - *before);
    *before = mean;
    return now;
}

// At a tick between two samples, the newest one is held until the tick; the next period corrects
// the error of that.
double ib__gather_take(const ib_Sim *sim, const ib_ControlModel *control, int measurement,
                       double *state, double *seen)
{
    if (!gathers(control, measurement)) return NAN;
    double *own = state + control->gather;
    for (int k = 0; k < measurement; k++)
        if (gathers(control, k)) own += IB__GATHER_STATES;
    ib_Time period = control->controller->period;
    ib_Time apart = sim->model->sensors[control->measurements[measurement].sensor].config->period;
    double held = own[IB__GATHER_NEWEST] * ib_time_to_seconds(sim->time % apart);
    double integral = own[IB__GATHER_INTEGRAL] + held;
    own[IB__GATHER_INTEGRAL] = -held;
    if (apart >= period) return integral;
    double T = ib_time_to_seconds(period), *before = &own[IB__GATHER_MEAN];
    if (sim->time == 0) *before = *seen; // no period has passed yet
    *seen = value_now(sim->time > 0 ? integral / T : *seen,
                      control->controller->ports.gathers[measurement],
                      ib_time_to_seconds(apart) / T, before);
    return integral;
}
