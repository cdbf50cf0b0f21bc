// sim/watch/record.c: the samples of a run. All functions work on copies and leave the
// run unchanged.
#include "sim/sim_inside.h"

#include <string.h>

static void give(ib_Sim *sim, ib_Time time, bool step_start, const double *signals)
{
    // Most probes wait for times of their own.
    if (step_start && sim->probes_next != time) {
        for (int i = 0; i < sim->eager_count; i++) {
            ib_Probe *probe = &sim->probes[sim->eager[i]];
            probe->sample(probe->self, time, signals);
        }
        return;
    }
    sim->probes_next = IB_TIME_NEVER;
    for (int i = 0; i < sim->probe_count; i++) {
        ib_Probe *probe = &sim->probes[i];
        bool due = probe->next == time;
        if (due || (step_start && probe->each_step)) {
            ib_Time next = probe->sample(probe->self, time, signals);
            IB_ASSERT(!due || next > time); // or sampling would never end
            if (due) probe->next = next;
        }
        sim->probes_next = ib_time_min(sim->probes_next, probe->next);
    }
}

static void output_within(ib_Sim *sim, const ib__Piece *piece, double t, unsigned parts)
{
    ib__sim_evaluate_at(sim, ib__sim_state_within(sim, piece, t), piece->from + t, parts,
                        sim->look_signals);
}

static void output_start(ib_Sim *sim, const ib__Piece *piece)
{
    output_within(sim, piece, 0, ib__sim_parts_at_start(sim, piece));
}

// True if a probe wants the start of the step.
static bool is_wanted(const ib_Sim *sim, const ib__Piece *piece)
{
    return piece->opens && (sim->eager_count > 0 || sim->probes_next == sim->time);
}

static bool is_jump_wanted(const ib_Sim *sim, const ib__Piece *piece)
{
    return piece->jumped && !piece->opens && sim->each_jump;
}

// Signals at the start of a piece, which watches may have computed already.
static const double *signals_at_start(ib_Sim *sim, const ib__Piece *piece)
{
    if (sim->watch_filter.start_known) return sim->watch_filter.start;
    if (!piece->seen) output_start(sim, piece);
    return sim->look_signals;
}

void ib__sim_record_start(ib_Sim *sim, const ib__Piece *piece)
{
    if (sim->watch_count > 0) ib__watch_filter_open(sim, piece);
    if (!sim->watch_filter.start_known && (is_wanted(sim, piece) || is_jump_wanted(sim, piece)))
        output_start(sim, piece);
}

// Records the state after a jump, for probes of all jumps. Two in one nanosecond have the
// same time.
static void show_jump(ib_Sim *sim, const ib__Piece *piece)
{
    ib_Time time = sim->time + ib_time_from_seconds(piece->from);
    const double *signals = signals_at_start(sim, piece);
    for (int i = 0; i < sim->probe_count; i++)
        if (sim->probes[i].each_jump) sim->probes[i].sample(sim->probes[i].self, time, signals);
}

// Records the state before the jump at the end of the piece, or before the next switch of an input.
static void show_end(ib_Sim *sim, const ib__Piece *piece)
{
    ib_Time time = sim->time + ib_time_from_seconds(piece->from + piece->length);
    output_within(sim, piece, piece->length, sim->watched_parts);
    for (int i = 0; i < sim->probe_count; i++)
        if (sim->probes[i].each_end)
            sim->probes[i].sample(sim->probes[i].self, time, sim->look_signals);
}

static void sample(ib_Sim *sim, const ib__Piece *piece)
{
    if (is_wanted(sim, piece)) give(sim, sim->time, true, signals_at_start(sim, piece));
    if (is_jump_wanted(sim, piece)) show_jump(sim, piece);
    while (sim->probes_next != IB_TIME_NEVER) {
        double t = ib_time_to_seconds(sim->probes_next - sim->time) - piece->from;
        if (t >= piece->length) break;
        output_within(sim, piece, t, IB_PARTS_ALL);
        give(sim, sim->probes_next, false, sim->look_signals);
    }
    if (sim->each_end) show_end(sim, piece);
}

void ib__sim_record(ib_Sim *sim, const ib__Piece *piece)
{
    if (piece->length == 0) return;
    if (sim->watch_count > 0) ib__sim_watch(sim, piece);
    if (sim->probe_count > 0) sample(sim, piece);
}

void ib_sim_sample(ib_Sim *sim, double *signals)
{
    if (sim->begun < 0) {
        ib__sim_read_inputs(sim);
        sim->inputs_until = sim->time; // the first step reads them for itself
    }
    double after = sim->begun < 0 ? 0 : ib_time_to_seconds(sim->time - sim->begun);
    ib__sim_evaluate_at(sim, sim->state, after, IB_PARTS_ALL, signals);
}

void ib_sim_finish(ib_Sim *sim)
{
    // The end is recorded like the start of a step that is not made: on a copy.
    double *state = sim->sample_state;
    memcpy(state, sim->state, (size_t)sim->model->state_count * sizeof *state);
    ib__sim_read_inputs(sim);
    if (sim->begun != sim->time) {
        ib__sim_begin(sim, state, NULL); // an unsettled state is shown unchanged
        bool fresh = ib__sim_sense(sim, state);
        if (ib__sim_control(sim, fresh, state)) ib__sim_settle(sim, 0, state, NULL);
    }
    ib__sim_evaluate_now(sim, state, IB_PARTS_ALL, sim->look_signals);
    for (int i = 0; i < sim->probe_count; i++)
        if (sim->probes[i].at_end) sim->probes[i].next = sim->probes_next = sim->time;
    give(sim, sim->time, true, sim->look_signals);
}
