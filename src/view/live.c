#include "view/live_inside.h"

#include "view/hello.h"
#include "view/worker.h"

#include <stdlib.h>
#include <string.h>

// ------------------------------------------------------------------------------------------ server

// Frees models that the runner no longer uses: those made before the one in use.
static void free_changes(ib_Live *live, uint64_t below)
{
    ib__Change **place = &live->changes;
    while (*place && (*place)->number >= below) place = &(*place)->older;
    ib__Change *change = *place;
    *place = NULL;
    while (change) {
        ib__Change *older = change->older;
        ib_variant_destroy(change->variant);
        free(change);
        change = older;
    }
}

// Each change starts from the newest one, so that none of several pending ones is lost.
static ib_Status prepare(void *self, int parameter, double value, void **data, ib_Error *error)
{
    ib_Live *live = self;
    if (parameter < 0 || parameter >= live->param_count)
        return ib_error_set(error, IB_BAD_INPUT, "there is no parameter %d", parameter);
    free_changes(live, atomic_load_explicit(&live->applied, memory_order_acquire));
    ib__Change *newest = live->changes, *change = calloc(1, sizeof *change);
    if (!change) return ib_error_set(error, IB_FAILED, "out of memory for a changed model");
    const ib_Model *from = newest ? newest->variant->model : live->scenario->model;
    ib_Status status = ib_variant_create(from, &(ib_Setting){&live->params[parameter], value}, 1,
                                         &change->variant, error);
    if (status != IB_OK) {
        free(change);
        return status;
    }
    change->older = newest;
    change->number = newest ? newest->number + 1 : 1;
    change->parameter = parameter;
    change->value = value;
    live->changes = change;
    *data = change;
    return IB_OK;
}

static bool may_drive(void *self, int robot, int index)
{
    const ib_Live *live = self;
    return ib_seats_may_drive(live->scenario->model, robot, index);
}

static bool drivable(void *self, int robot)
{
    const ib_Live *live = self;
    return ib_seats_drivable(live->scenario->model, robot);
}

// ------------------------------------------------------------------------------------------ create

static int count_open(const ib_Model *model)
{
    int count = 0;
    for (int i = 0; i < model->robot_count && i < IB_FEED_ROBOTS; i++)
        for (int k = 0; k < model->robots[i].ports.input_count; k++)
            count += ib_seats_may_drive(model, i, k);
    return count;
}

// The grid of a fixed-step solver; the longest step of an adaptive one would be too long to
// wait for.
static ib_Time grid_of(const ib_SimConfig *config)
{
    bool adaptive = ib_solver_adaptive(config->solver.kind);
    return adaptive ? ib_time_min(config->step, IB_SECOND / 1000) : config->step;
}

// The server's description of the run: its hello, the counts, the inputs that may be set
// from outside.
static ib_Status describe(ib_Live *live, ib_Error *error)
{
    const ib_Model *model = live->scenario->model;
    live->params = ib_shown_params(model, &live->arena, &live->param_count);
    live->changed = ib_arena_array(&live->arena, (size_t)live->param_count + 1, 1);
    ib_HelloModel hello = {.scenario = live->scenario,
                           .path = live->options.scenario,
                           .step = ib_time_to_seconds(live->grid),
                           .params = live->params,
                           .param_count = live->param_count};
    const char *text = ib_hello_model(&hello, &live->arena);
    if (!text || !live->changed)
        return ib_error_set(error, IB_FAILED, "out of memory for the viewer");
    live->source = (ib_ViewSource){.self = live,
                                   .feed = live->feed,
                                   .hello = text,
                                   .signal_count = model->signals.count,
                                   .robot_count = model->robot_count,
                                   .input_count = count_open(model),
                                   .parameter_count = live->param_count,
                                   .duration = ib_time_to_seconds(model->config->duration),
                                   .prepare = live->param_count > 0 ? prepare : NULL,
                                   .may_drive = may_drive,
                                   .drivable = drivable};
    live->driven = live->source.input_count > 0;
    return IB_OK;
}

// Creates everything that outlives a reset: the feed, the inputs, the seats, the status.
static ib_Status make(ib_Live *live, ib_Error *error)
{
    const ib_Model *model = live->scenario->model;
    live->grid = grid_of(model->config);
    ib_Status status = ib_feed_create(model->signals.count, &live->feed, error);
    if (status == IB_OK) status = describe(live, error);
    if (status == IB_OK) status = ib_feed_keep(live->feed, live->param_count, error);
    if (status == IB_OK) status = ib_live_input_init(model, &live->arena, &live->input, error);
    if (status != IB_OK) return status;
    ib_seats_init(&live->seats, model, &live->input);
    live->model = model;
    live->status = (ib_FeedStatus){.state = live->options.paused ? IB_FEED_PAUSED : IB_FEED_RUNNING,
                                   .run = 1,
                                   .speed = live->options.speed};
    ib_feed_set_status(live->feed, &live->status);
    return IB_OK;
}

ib_Status ib_live_create(ib_Scenario *scenario, const ib_LiveOptions *options, ib_Live **result,
                         ib_Error *error)
{
    ib_Live *live = calloc(1, sizeof *live);
    if (!live) return ib_error_set(error, IB_FAILED, "out of memory for the viewer");
    live->scenario = scenario;
    live->options = *options;
    ib_Status status = make(live, error);
    if (status != IB_OK) {
        ib_live_destroy(live);
        return status;
    }
    *result = live;
    return IB_OK;
}

// ---------------------------------------------------------------------------------- start and stop

ib_Status ib_live_start(ib_Live *live, ib_Error *error)
{
    ib_Status status = ib__live_begin(live, error);
    if (status != IB_OK) return status;
    return ib__worker_start(&live->worker, ib__live_loop, live, "the simulation", error);
}

void ib_live_stop(ib_Live *live)
{
    if (!live->worker.started) return;
    atomic_store(&live->stop, true);
    ib__worker_join(&live->worker);
}

ib_ViewSource *ib_live_source(ib_Live *live)
{
    return &live->source;
}

void ib_live_outcome(const ib_Live *live, ib_LiveOutcome *outcome)
{
    const ib_Sim *sim = live->run.sim;
    *outcome = (ib_LiveOutcome){
        .runs = live->status.run,
        .steps = live->steps_before + (sim ? ib_sim_steps(sim) : 0),
        .paced = live->pace.steps,
        .overruns = live->pace.overruns,
        .late_p50 = ib_pace_percentile(&live->pace, 0.5),
        .late_p99 = ib_pace_percentile(&live->pace, 0.99),
        .late_p999 = ib_pace_percentile(&live->pace, 0.999),
        .late_max = ib_pace_max(&live->pace),
        .expectations_failed = live->run.failed,
        .status = live->end_status,
        .error = live->end_error,
        .time = sim ? ib_time_to_seconds(ib_sim_time(sim)) : 0,
        .hash = sim ? ib_sim_hash(sim) : 0,
    };
}

void ib_live_destroy(ib_Live *live)
{
    if (!live) return;
    ib_live_stop(live);
    ib__live_discard(live);
    free_changes(live, UINT64_MAX);
    ib_feed_destroy(live->feed);
    ib_arena_reset(&live->arena);
    free(live);
}
