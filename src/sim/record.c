// sim/record.c: what a run shows. Everything here works on copies and leaves the run as it was.
#include "base/maths.h"
#include "sim/inside.h"

#include <string.h>

// ----------------------------------------------------------------------------------------- signals

static void output_disturbances(const ib_RobotModel *robot, const double *input, double *signals)
{
    const double *own = input + robot->input;
    double *y = signals + robot->disturbance_signal;
    double s = 0, c = 1;
    if (robot->heading_signal >= 0) ib_sincos(signals[robot->heading_signal], &s, &c);
    y[0] = own[IB_PUSH_X];
    y[1] = own[IB_PUSH_Y];
    y[2] = ib_push_torque(own, c, s);
    y[3] = input[robot->impulse];
    y[4] = input[robot->impulse + 1];
    y[5] = own[IB_SLOPE_X];
    y[6] = own[IB_SLOPE_Y];
    for (int i = 0; i < robot->scaled_count; i++) y[7 + i] = own[robot->scaled[i]];
}

void ib__sim_output(const ib_Sim *sim, const double *state, const double *input, double *signals)
{
    const ib_Model *model = sim->model;
    for (int i = 0; i < model->robot_count; i++) {
        const ib_RobotModel *robot = &model->robots[i];
        robot->kind->output(robot->model, state + robot->state, input + robot->input,
                            signals + robot->signal);
        if (robot->path_signal >= 0)
            signals[robot->path_signal] = ib_path_distance(
                robot->path, robot->path_start, signals[robot->x_signal], signals[robot->y_signal]);
        if (robot->disturbance_signal >= 0) output_disturbances(robot, input, signals);
    }
    for (int i = 0; i < model->sensor_count; i++) {
        const ib_SensorModel *sensor = &model->sensors[i];
        signals[sensor->signal] = state[sensor->state] * input[sensor->gain];
    }
}

// ----------------------------------------------------------------------------------------- samples

static void give(ib_Sim *sim, ib_Time time, bool step_start, const double *signals)
{
    sim->observers_next = IB_TIME_NEVER;
    for (int i = 0; i < sim->observer_count; i++) {
        ib_Observer *observer = &sim->observers[i];
        bool due = observer->next == time;
        if (due || (step_start && observer->each_step)) {
            ib_Time next = observer->sample(observer->self, time, signals);
            if (due) observer->next = next;
        }
        sim->observers_next = ib_time_min(sim->observers_next, observer->next);
    }
}

// Signals `t` seconds into the piece, where its start gives no answer: a step of the method from
// there.
static void output_within(ib_Sim *sim, const ib__Piece *piece, double t, double *signals)
{
    const double *state = piece->start;
    if (t > 0) {
        ib_System system = ib__sim_system(sim);
        memcpy(sim->sample_state, piece->start, (size_t)sim->model->state_count * sizeof *state);
        ib_solver_step(sim->solver, &system, t, piece->start, sim->sample_state);
        state = sim->sample_state;
    }
    ib__sim_output(sim, state, ib__sim_input_at(sim, piece->from + t), signals);
}

static void sample(ib_Sim *sim, const ib__Piece *piece)
{
    if (piece->opens && (sim->each_step || sim->observers_next == sim->time)) {
        output_within(sim, piece, 0, sim->look_signals);
        give(sim, sim->time, true, sim->look_signals);
    }
    while (sim->observers_next != IB_TIME_NEVER) {
        double t = ib_time_to_seconds(sim->observers_next - sim->time) - piece->from;
        if (t >= piece->length) break;
        output_within(sim, piece, t, sim->look_signals);
        give(sim, sim->observers_next, false, sim->look_signals);
    }
}

// ----------------------------------------------------------------------------------------- watches

typedef struct Margin {
    ib_Sim *sim;
    const ib_Watch *watch;
} Margin;

static void margin_at(const void *context, double t, const double *state, double *g)
{
    const Margin *margin = context;
    ib_Sim *sim = margin->sim;
    // Guards see the robots' states only; sensors are held during a step and come from its start.
    size_t front = (size_t)sim->model->robot_state_count, all = (size_t)sim->model->state_count;
    double *whole = sim->watch_state;
    memcpy(whole, state, front * sizeof *whole);
    memcpy(whole + front, sim->state + front, (all - front) * sizeof *whole);
    ib__sim_output(sim, whole, ib__sim_input_at(sim, sim->piece_from + t), sim->look_signals);
    g[0] = margin->watch->margin(margin->watch->self, sim->look_signals);
}

// Reports where the margin of one watch changes sign within the piece.
static void watch(ib_Sim *sim, const ib__Piece *piece, int index)
{
    struct ib__Watched *watched = &sim->watches[index];
    const ib_Watch *w = &watched->watch;
    Margin context = {sim, w};
    double start, end;
    margin_at(&context, 0, piece->start, &start);
    // A switch of an input or a jump may change the sign between two pieces.
    if (watched->sign != 0 && (start < 0) != (watched->sign < 0))
        w->crossed(w->self, ib_time_to_seconds(sim->time) + piece->from, sim->look_signals,
                   start >= 0);
    margin_at(&context, piece->length, piece->end, &end);
    watched->sign = end < 0 ? -1 : +1;

    // A long adaptive step may hide a pair of changes; a fixed step is short by choice.
    bool changes = (start < 0) != (end < 0);
    if (!changes && !ib_solver_adaptive(sim->model->config->solver.kind)) return;
    ib_System system = ib__sim_system(sim);
    ib_EventSystem events = {1, margin_at, &context};
    ib_Event event;
    ib_solver_step(sim->solver, &system, piece->length, piece->start, sim->sample_state);
    ib_solver_locate(sim->solver, &system, &events, piece->length, piece->start, &event,
                     sim->sample_state);
    if (event.index < 0) return;
    double g;
    margin_at(&context, event.t, sim->sample_state, &g);
    // A margin that only touches zero in between has not changed sides.
    if (changes || event.rising == (g >= 0))
        w->crossed(w->self, ib_time_to_seconds(sim->time) + (piece->from + event.t),
                   sim->look_signals, event.rising);
}

void ib__sim_record(ib_Sim *sim, const ib__Piece *piece)
{
    for (int i = 0; i < sim->watch_count; i++) watch(sim, piece, i);
    if (sim->observer_count > 0) sample(sim, piece);
}

void ib_sim_finish(ib_Sim *sim)
{
    ib__sim_read_inputs(sim);
    ib__sim_output(sim, sim->state, sim->input, sim->look_signals);
    give(sim, sim->time, true, sim->look_signals);
}
