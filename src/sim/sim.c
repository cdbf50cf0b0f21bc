#include "base/hash.h"
#include "sim/contact/contact.h"
#include "sim/contact/rider.h"
#include "sim/contact/zones.h"
#include "sim/input/disturbance.h"
#include "sim/loop/continuous.h"
#include "sim/loop/failure.h"
#include "sim/sim_inside.h"
#include "sim/watch/signal_part.h"

#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------- creation

static double *doubles(ib_Sim *sim, int count)
{
    return ib_arena_array(&sim->arena, (size_t)count, sizeof(double));
}

static bool allocate(ib_Sim *sim)
{
    const ib_Model *model = sim->model;
    sim->state = doubles(sim, model->state_count);
    sim->next = doubles(sim, model->state_count);
    sim->sample_state = doubles(sim, model->state_count);
    sim->course_state = doubles(sim, model->state_count);
    sim->cut_state = doubles(sim, model->robot_state_count);
    sim->input = doubles(sim, model->input_count);
    sim->slope = doubles(sim, model->input_count);
    sim->ramped_input = doubles(sim, model->input_count);
    sim->own_input = doubles(sim, model->input_count);
    sim->continuous_input = doubles(sim, model->continuous_count > 0 ? model->input_count : 0);
    sim->law_signals = doubles(sim, model->continuous_count > 0 ? model->signals.count : 0);
    sim->rides = ib_arena_array(&sim->arena, (size_t)model->robot_count, sizeof *sim->rides);
    sim->last_zones = ib__zones_create_last(model, &sim->arena);
    sim->looked_at =
        ib_arena_array(&sim->arena, (size_t)model->robot_count, sizeof *sim->looked_at);
    sim->signals = doubles(sim, model->signals.count);
    sim->look_signals = doubles(sim, model->signals.count);
    sim->guards = doubles(sim, model->guard_count);
    sim->end_guards = doubles(sim, model->guard_count);
    sim->events = ib_event_workspace_create(model->guard_count, &sim->arena);
    sim->measurement = doubles(sim, model->most_measurements);
    sim->gathered = doubles(sim, model->most_measurements);
    sim->last_memory = doubles(sim, model->most_memory);
    sim->shown = doubles(sim, model->most_shown);
    sim->last_response = doubles(sim, model->most_outputs);
    sim->troubles =
        ib_arena_array(&sim->arena, (size_t)model->control_count, sizeof *sim->troubles);
    sim->clamps = ib_arena_array(&sim->arena, (size_t)model->input_count, sizeof *sim->clamps);
    sim->clamped = ib_arena_array(&sim->arena, (size_t)model->input_count, sizeof *sim->clamped);
    sim->adaptive = ib_solver_adaptive(model->config->solver.kind);
    sim->solver = ib_solver_create(&model->config->solver, model->robot_state_count, &sim->arena);
    if (!ib__external_create(sim) || !ib__control_create_shown(sim)) return false;
    if (model->world) sim->contacts = ib__contact_create(model, &sim->arena);
    return (sim->contacts || !model->world) && sim->state && sim->next && sim->sample_state &&
           sim->course_state && sim->cut_state && sim->input && sim->slope && sim->ramped_input &&
           sim->signals && sim->look_signals && sim->guards && sim->end_guards && sim->events &&
           sim->own_input && sim->continuous_input && sim->law_signals && sim->rides &&
           sim->looked_at && sim->last_zones && sim->measurement && sim->gathered &&
           sim->last_response && sim->last_memory && sim->shown && sim->troubles && sim->clamps &&
           sim->clamped && sim->solver;
}

ib_Status ib_sim_create(const ib_Model *model, ib_Sim **result, ib_Error *error)
{
    ib_Sim *sim = calloc(1, sizeof *sim);
    if (sim) sim->model = model;
    if (!sim || !allocate(sim)) {
        ib_sim_destroy(sim);
        return ib_error_set(error, IB_FAILED, "out of memory for the simulation");
    }
    sim->sensed_parts = ib__parts_of_sensors(model);
    sim->rider_parts = ib__parts_of_riders(model);
    sim->watched_parts = sim->sensed_parts | sim->rider_parts | IB_PART_OWN;
    ib_sim_reset(sim);
    *result = sim;
    return IB_OK;
}

void ib_sim_destroy(ib_Sim *sim)
{
    if (!sim) return;
    ib_arena_reset(&sim->arena);
    free(sim);
}

// Marks data derived from the state for renewal at the next step.
static void forget(ib_Sim *sim)
{
    sim->inputs_until = sim->time;
    sim->begun = -1;
    sim->guards_known = false;
    ib__riders_recall(sim);
    ib__contact_recall(sim);
    ib__control_forget_shown(sim);
    ib__watch_filter_break(sim);
    for (int i = 0; i < sim->watch_count; i++) sim->watches[i].sign = 0;
}

void ib_sim_reset(ib_Sim *sim)
{
    const ib_Model *model = sim->model;
    sim->time = 0;
    sim->steps = 0;
    sim->counts = (ib_SolverCounts){0};
    ib_solver_forget_work(sim->solver);
    ib__health_reset(sim);
    sim->clamp_count = 0;
    for (int i = 0; i < model->control_count; i++)
        sim->troubles[i] = (ib_LoopTrouble){.controller = model->controls[i].controller};
    memset(sim->clamped, 0, (size_t)model->input_count * sizeof *sim->clamped);
    memset(sim->state, 0, (size_t)model->state_count * sizeof *sim->state);
    for (int i = 0; i < model->robot_count; i++) {
        const ib_RobotModel *robot = &model->robots[i];
        robot->kind->reset(robot->config, robot->model, sim->state + robot->state);
    }
    ib__riders_reset(sim);
    ib__sim_reset_control(sim);
    forget(sim); // observers now see no data of an earlier run
    // A sensor has always seen the truth of the start.
    bool begins = ib__control_begins(model);
    if (model->sensor_count + model->continuous_count > 0 || begins) ib__sim_read_inputs(sim);
    if (begins) ib__sim_begin_control(sim);
    if (model->continuous_count > 0) ib__continuous_start(sim);
    if (model->sensor_count > 0)
        ib__sim_evaluate_now(sim, sim->state, sim->sensed_parts, sim->signals);
    for (int i = 0; i < model->sensor_count; i++) {
        const ib_SensorModel *sensor = &model->sensors[i];
        double truth[IB_SENSOR_CHANNELS];
        if (sensor->config->channel > 0) continue;
        ib__sensor_truth(sensor, sim->signals, truth);
        ib_sensor_reset(sensor->config, truth, sim->state + sensor->state);
    }
    forget(sim);
}

void ib_sim_restore(ib_Sim *sim, ib_Time time, int64_t steps, const double *state)
{
    sim->time = time;
    sim->steps = steps;
    ib__step_budget_begin(sim);
    memcpy(sim->state, state, (size_t)sim->model->state_count * sizeof *state);
    memcpy(sim->next, state, (size_t)sim->model->state_count * sizeof *state);
    forget(sim);
}

void ib_sim_change(ib_Sim *sim, const ib_Model *model)
{
    const ib_Model *old = sim->model;
    IB_ASSERT(model->state_count == old->state_count && model->input_count == old->input_count);
    IB_ASSERT(model->signals.count == old->signals.count && model->guard_count == old->guard_count);
    sim->model = model;
    ib__health_choose(sim);
    sim->inputs_until = sim->time; // their limits may be others
    sim->guards_known = false;
    ib__watch_filter_break(sim);
    ib__contact_recall(sim);
    ib__control_forget_shown(sim);
    for (int i = 0; i < model->robot_count; i++) sim->last_zones[i].known = false;
}

// ------------------------------------------------------------------------------------- attachments

// Room for one more item: the array is doubled, the old one stays in the arena.
static void *grow(ib_Sim *sim, void *items, int count, int *room, size_t size)
{
    if (count < *room) return items;
    int larger = *room ? 2 * *room : 16;
    void *more = ib_arena_array(&sim->arena, (size_t)larger, size);
    if (!more) return NULL;
    if (count) memcpy(more, items, (size_t)count * size);
    *room = larger;
    return more;
}

ib_Status ib_sim_probe(ib_Sim *sim, ib_Probe probe, ib_Error *error)
{
    ib_Probe *more =
        grow(sim, sim->probes, sim->probe_count, &sim->probe_room, sizeof *sim->probes);
    bool grown = more != sim->probes;
    int *eager = sim->eager;
    if (more && grown) eager = ib_arena_array(&sim->arena, (size_t)sim->probe_room, sizeof *eager);
    if (!more || !eager) return ib_error_set(error, IB_FAILED, "out of memory for an observer");
    if (grown && sim->eager_count > 0)
        memcpy(eager, sim->eager, (size_t)sim->eager_count * sizeof *eager);
    sim->probes = more;
    sim->eager = eager;
    if (sim->probe_count == 0) sim->probes_next = IB_TIME_NEVER;
    sim->probes_next = ib_time_min(sim->probes_next, probe.next);
    if (probe.each_step) sim->eager[sim->eager_count++] = sim->probe_count;
    sim->each_jump |= probe.each_jump;
    sim->each_end |= probe.each_end;
    if (probe.each_step || probe.each_jump || probe.each_end)
        sim->watched_parts |= IB_PARTS_ALL & ~probe.spares;
    sim->probes[sim->probe_count++] = probe;
    return IB_OK;
}

// The robot whose own output has the only signal of a watch; -1: none.
static int robot_of(const ib_Model *model, const ib_Watch *watch)
{
    int signal = watch->signal - 1;
    for (int i = 0; i < model->robot_count; i++) {
        const ib_RobotModel *robot = &model->robots[i];
        if (signal >= robot->signal && signal < robot->signal + robot->ports.signal_count) return i;
    }
    return -1;
}

ib_Status ib_sim_watch(ib_Sim *sim, ib_Watch watch, ib_Error *error)
{
    struct ib__Watched *more =
        grow(sim, sim->watches, sim->watch_count, &sim->watch_room, sizeof *sim->watches);
    if (!more) return ib_error_set(error, IB_FAILED, "out of memory for a watch");
    bool grown = more != sim->watches;
    sim->watches = more;
    if (grown) sim->watch_margins = doubles(sim, sim->watch_room * (IB__WATCH_PARTS + 1));
    if (!sim->watch_margins || !ib__watch_filter_create(sim))
        return ib_error_set(error, IB_FAILED, "out of memory for a watch");
    unsigned parts = watch.signal > 0 ? ib_signal_part(sim->model, watch.signal - 1) : IB_PARTS_ALL;
    sim->watches[sim->watch_count++] =
        (struct ib__Watched){.watch = watch, .robot = robot_of(sim->model, &watch), .parts = parts};
    sim->watched_parts |= parts;
    return IB_OK;
}

void ib_sim_connect(ib_Sim *sim, ib_InputSource source)
{
    IB_ASSERT(sim->source_count < IB_MAX_SOURCES);
    sim->sources[sim->source_count++] = source;
    sim->live |= source.live;
    sim->inputs_until = sim->time;
}

void ib_sim_detach(ib_Sim *sim)
{
    sim->probe_count = sim->eager_count = sim->watch_count = sim->source_count = 0;
    sim->each_jump = sim->each_end = sim->live = false;
    sim->watched_parts = sim->sensed_parts | sim->rider_parts | IB_PART_OWN;
    sim->watch_filter.start_known = false; // or a new watch would get data of earlier ones
    sim->probes_next = IB_TIME_NEVER;
}

// --------------------------------------------------------------------------------------- questions

const ib_Model *ib_sim_model(const ib_Sim *sim)
{
    return sim->model;
}

bool ib_sim_done(const ib_Sim *sim)
{
    return sim->time >= sim->model->config->duration;
}

ib_Time ib_sim_time(const ib_Sim *sim)
{
    return sim->time;
}

int64_t ib_sim_steps(const ib_Sim *sim)
{
    return sim->steps;
}

const double *ib_sim_state(const ib_Sim *sim)
{
    return sim->state;
}

ib_SolverCounts ib_sim_solver_counts(const ib_Sim *sim)
{
    ib_SolverCounts counts = sim->counts;
    ib_SolverWork work = ib_solver_work(sim->solver);
    counts.evaluations = work.evaluations;
    counts.jacobians = work.jacobians;
    return counts;
}

const ib_Clamp *ib_sim_clamps(const ib_Sim *sim, int *count)
{
    *count = sim->clamp_count;
    return sim->clamps;
}

const ib_LoopTrouble *ib_sim_troubles(const ib_Sim *sim, int *count)
{
    *count = sim->model->control_count;
    return sim->troubles;
}

uint64_t ib_sim_hash(const ib_Sim *sim)
{
    uint64_t hash = ib_hash_word(IB_HASH_START, (uint64_t)sim->time);
    return ib__failure_hash(sim, hash);
}
