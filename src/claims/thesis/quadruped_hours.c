// claims/thesis/quadruped_hours.c: how long a robot walks on the air that it carries, for each
// source [thesis 1.1]. docs/plant/air_source.md
#include "base/extreme.h"
#include "claims/thesis/quadruped.h"

#include <stdio.h>

const char *const ib__q_sources[IB__Q_SOURCES] = {"bottle", "compressor", "monopropellant",
                                                  "free-piston-compressor", "free-piston-stirling"};

// Mean use of air: standing for 1.5 s, crawling for a cycle of 2.5 s [kg/s].
static ib_Status use_of(const char *law, bool crawls, double *flow, ib_Error *error)
{
    static const char *const signals[] = {IB_NAME_AIR_USED, NULL};
    const double times[] = {crawls ? 2.5 : 1.5, crawls ? 5 : 3};
    double used[2];
    char text[400];
    snprintf(text, sizeof text,
             "robot: {kind: quadruped, preset: walking-quadruped, valve: {law: %s}, "
             "air: {source: bottle, regulator: 448159.4 Pa}}\n"
             "control: {legs: {kind: walk, gait: crawl}}\n"
             "inputs: {legs.goal.velocity.forward: %s}\nrun: {duration: %g s, step: 1 ms}\n",
             law, crawls ? "8 cm/s" : "0 m/s", times[1]);
    ib__ClaimRun run = {
        .scenario = text, .signals = signals, .times = times, .time_count = 2, .values = used};
    ib_Status status = ib__claim_run(&run, error);
    if (status == IB_OK && run.failure.status != IB_OK) {
        *error = run.failure;
        status = run.failure.status;
    }
    *flow = (used[1] - used[0]) / (times[1] - times[0]);
    return status;
}

// Air that a source can give at its regulator's setting [kg], and its greatest flow [kg/s].
static double air_of(const ib_AirConfig *air, double *most)
{
    const ib_AirSourceConfig *source = &air->source;
    double T = air->temperature, setting = air->regulator.setting;
    ib_AirSourceModel model;
    ib_air_source_init(source, T, setting, source->volume, &model);
    *most = model.bottle ? INFINITY : IB_AIR_MASS * model.flow;
    if (model.bottle)
        return IB_AIR_MASS * ib_gas_moles(source->pressure - setting, T, source->volume);
    return source->energy / (model.work * ib_air_source_rise(setting));
}

static ib_Status hours_of(int i, const double flow[IB__Q_USES], ib_ClaimValue *found,
                          ib_Error *error)
{
    char text[300];
    ib__LegBench bench;
    snprintf(text, sizeof text,
             "robot: {kind: quadruped, preset: walking-quadruped, air: {source: %s, regulator: "
             "448159.4 Pa}}\nrun: {duration: 1 s, step: 1 ms}\n",
             ib__q_sources[i]);
    ib_Status status = ib__leg_bench(text, NULL, 0, &bench, error);
    if (status != IB_OK) return status;
    const ib_AirConfig *air = &bench.config->air;
    double most, has = air_of(air, &most);
    for (int k = 0; k < IB__Q_USES; k++)
        ib__quadruped_put(found, IB__Q_HOURS + IB__Q_USES * i + k,
                          flow[k] <= most ? ib_min(has / flow[k], IB_AIR_SOURCE_FOREVER) / 3600
                                          : 0);
    ib__quadruped_put(found, IB__Q_CARRIED + i, bench.robot->ports.legs->mass);
    ib__leg_bench_end(&bench);
    return IB_OK;
}

ib_Status ib__quadruped_claims_hours(ib_ClaimValue *found, ib_Error *error)
{
    static const char *const laws[] = {"equivalent", "spool"};
    double flow[IB__Q_USES];
    ib_Status status = IB_OK;
    for (int k = 0; k < IB__Q_USES && status == IB_OK; k++) {
        status = use_of(laws[k % 2], k / 2, &flow[k], error);
        ib__quadruped_put(found, IB__Q_USE + k, 1e3 * flow[k]);
    }
    for (int i = 0; i < IB__Q_SOURCES && status == IB_OK; i++)
        status = hours_of(i, flow, found, error);
    return status;
}
