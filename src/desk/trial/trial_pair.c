#include "desk/trial/trial_pair.h"

#include "base/extreme.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ----------------------------------------------------------------------------------------- one run

typedef struct Recorder {
    int room, states, inputs, count;
    double *t, *x, *guess, *u;
} Recorder;

// Records a tick of the trial as a point of the curves, while there is room.
static void record(void *self, const ib_TrialTick *tick)
{
    Recorder *recorder = self;
    int at = recorder->count, room = recorder->room;
    if (at == room) return;
    recorder->t[at] = tick->t;
    for (int i = 0; i < recorder->states; i++) {
        recorder->x[i * room + at] = tick->x[i];
        recorder->guess[i * room + at] = tick->estimate[i];
    }
    for (int i = 0; i < recorder->inputs; i++) recorder->u[i * room + at] = tick->u[i];
    recorder->count++;
}

// Moves the shorter rows of a run that ended early together.
static void close_gaps(int rows, int room, int count, double *a)
{
    for (int i = 1; i < rows && count < room; i++)
        memmove(a + i * count, a + i * room, (size_t)count * sizeof *a);
}

ib_Status ib_trial_record(const ib_DesignFile *design, const ib_Trial *trial, ib_Arena *arena,
                          ib_TrialCurves *result, ib_TrialUse *use, ib_Error *error)
{
    const ib_StateSpace *plant = &design->gears[trial->gear].design.plant;
    int room = (int)floor(trial->duration / trial->loop->period + 0.5) + 1;
    int n = plant->states, m = plant->inputs;
    double *rows = ib_arena_array(arena, (size_t)room, sizeof *rows * (size_t)(1 + 2 * n + m));
    *result = (ib_TrialCurves){.states = n, .inputs = m};
    if (!rows) return ib_error_set(error, IB_FAILED, "out of memory for a trial");
    Recorder recorder = {
        room, n, m, 0, rows, rows + room, rows + room * (1 + n), rows + room * (1 + 2 * n)};
    ib_Status status = ib_trial_bench_run(design, trial, record, &recorder, use, error);
    close_gaps(n, room, recorder.count, recorder.x);
    close_gaps(n, room, recorder.count, recorder.guess);
    close_gaps(m, room, recorder.count, recorder.u);
    *result = (ib_TrialCurves){.count = recorder.count,
                               .states = n,
                               .inputs = m,
                               .t = recorder.t,
                               .x = recorder.x,
                               .guess = recorder.guess,
                               .u = recorder.u};
    if (status != IB_OK) result->ended = ib_arena_text(arena, error->text);
    return status;
}

static ib_Status run(const ib_TrialPair *trials, ib_Arena *arena, ib_TrialCurves *result,
                     ib_TrialUse *use, ib_Error *error)
{
    ib_Error reason = {.text = "it is shorter than a period"};
    ib_Status status = ib_trial_record(trials->design, &trials->trial, arena, result, use, &reason);
    if (status == IB_BAD_INPUT || !result->t) return ib_error_set(error, status, "%s", reason.text);
    if (result->count < 2)
        return ib_error_set(error, IB_FAILED, "the trial ended at once: %s", reason.text);
    return IB_OK;
}

// ----------------------------------------------------------------------------------- what is tried

// The longest settling time of poles that settle.
static double slowest_of(int count, const ib_Complex *poles, double period)
{
    double slowest = 0;
    for (int i = 0; i < count; i++) {
        double settling = ib_pole_shape(poles[i], period).settling;
        if (isfinite(settling)) slowest = ib_max(slowest, settling);
    }
    return slowest;
}

// Without `try:`: the first state with a weight (by poles: the first one) begins one tolerance
// away, and the time is one and a half times that of the slowest pole.
static void choose(const ib_DesignGear *gear, ib_Trial *trial)
{
    const ib_AnalysisConfig *config = &gear->config;
    const ib_Design *design = &gear->design;
    int regulated = config->over ? config->over : config->plant.states;
    int wide = regulated + config->integrals, at = config->over ? config->over_state[0] : 0;
    double away = 1;
    for (int i = regulated - 1; config->feedback == IB_ANALYSIS_BY_WEIGHTS && i >= 0; i--) {
        double weight = config->Q[i * wide + i];
        if (!(weight > 0)) continue;
        at = config->over ? config->over_state[i] : i;
        away = 1 / sqrt(weight);
    }
    trial->start[at] += away;
    double slowest = slowest_of(design->pole_count, design->poles, config->period);
    trial->duration = ib_max(1.5 * slowest, 40 * config->period);
}

// A tenth of the range of the first input, or of its range in the undisturbed run.
static double choose_push(const ib_TrialPair *trials)
{
    const ib_Loop *loop = trials->trial.loop;
    double low = loop->low[0], high = loop->high[0], most = 0;
    if (isfinite(high - low)) return 0.05 * (high - low);
    for (int i = 0; i < trials->quiet.count; i++) most = ib_max(most, fabs(trials->quiet.u[i]));
    return 0.1 * most;
}

// An undisturbed trial: from `try:`, like another one (`like`), or the default for the design.
static ib_Trial make_trial(const ib_DesignFile *design, int gear, const ib_TrialPair *like)
{
    const ib_DesignGear *entry = &design->gears[gear];
    ib_Trial trial = {.loop = design->loop,
                      .gear = gear,
                      .duration = design->trial.duration,
                      .latency = entry->config.latency,
                      .seed = 1,
                      .known_start = true};
    memcpy(trial.start, design->trial.start, sizeof trial.start);
    memcpy(trial.goal, design->trial.goal, sizeof trial.goal);
    if (like) {
        memcpy(trial.start, like->trial.start, sizeof trial.start);
        memcpy(trial.goal, like->trial.goal, sizeof trial.goal);
        trial.duration = like->trial.duration;
    } else if (!design->trial.given) {
        choose(entry, &trial);
    }
    trial.duration = ib_min(trial.duration, (IB_TRIAL_PERIODS_MAX - 1) * design->loop->period);
    return trial;
}

// ------------------------------------------------------------------------------------------- noise

// A loop at its goal: first undisturbed, which is kept, then with noise, for comparison.
typedef struct Calm {
    int states, room, count; ///< room: periods kept
    int skip;                ///< periods until the deviations are stationary
    double *x;               ///< undisturbed, states x room
    double squares[IB_STATES_MAX];
} Calm;

static void keep(void *self, const ib_TrialTick *tick)
{
    Calm *calm = self;
    if (calm->count == calm->room) return;
    memcpy(calm->x + calm->states * calm->count++, tick->x, sizeof(double) * (size_t)calm->states);
}

static void compare(void *self, const ib_TrialTick *tick)
{
    Calm *calm = self;
    int at = calm->count;
    if (at == calm->room) return;
    calm->count++;
    for (int i = 0; at >= calm->skip && i < calm->states; i++) {
        double apart = tick->x[i] - calm->x[calm->states * at + i];
        calm->squares[i] += apart * apart;
    }
}

// Measures for 150 settling times of loop and filter after two until the deviations are stationary:
// the root of the mean square is then good to about 3 %.
static void measure_noise(const ib_TrialPair *trials, ib_Arena *arena, double *noise)
{
    enum { SPREAD = 2, MEASURED = 150, LEAST = 2000, MOST = 40000 };
    const ib_Design *design = &trials->design->gears[trials->gear].design;
    double period = trials->trial.loop->period;
    double slowest = slowest_of(design->pole_count, design->poles, period);
    slowest = ib_max(slowest, slowest_of(design->delayed_count, design->delayed_poles, period));
    if (design->kalman)
        slowest =
            ib_max(slowest, slowest_of(design->estimator.states, design->kalman_poles, period));
    double wanted = ib_min(ib_max((SPREAD + MEASURED) * slowest / period, LEAST), MOST);
    Calm calm = {.states = design->plant.states, .room = (int)wanted};
    calm.skip = (int)ib_min(SPREAD * slowest / period, 0.5 * wanted);
    calm.x = ib_arena_array(arena, (size_t)calm.room, sizeof *calm.x * (size_t)calm.states);
    ib_Trial trial = trials->trial, still;
    memcpy(trial.start, trial.goal, sizeof trial.start);
    trial.duration = calm.room * period;
    trial.push[0] = 0;
    still = trial;
    memset(still.noise, 0, sizeof still.noise);
    ib_Error error;
    if (!calm.x || ib_trial_bench_run(trials->design, &still, keep, &calm, NULL, &error) != IB_OK)
        return;
    calm.count = 0;
    if (ib_trial_bench_run(trials->design, &trial, compare, &calm, NULL, &error) != IB_OK) return;
    for (int i = 0; i < calm.states; i++)
        noise[i] = sqrt(calm.squares[i] / (calm.room - calm.skip));
}

// -------------------------------------------------------------------------------------------- both

static ib_Status run_quiet(const ib_DesignFile *design, int gear, const ib_TrialPair *like,
                           ib_Arena *arena, ib_TrialPair *trials, ib_Error *error)
{
    *trials = (ib_TrialPair){.design = design, .gear = gear, .chosen = !design->trial.given};
    if (!design->loop)
        return ib_error_set(error, IB_BAD_INPUT, "there is no feedback: expected lqr or poles");
    trials->trial = make_trial(design, gear, like);
    return run(trials, arena, &trials->quiet, &trials->use, error);
}

ib_Status ib_trial_pair_quiet(const ib_DesignFile *design, int gear, ib_Arena *arena,
                              ib_TrialPair *trials, ib_Error *error)
{
    return run_quiet(design, gear, NULL, arena, trials, error);
}

ib_Status ib_trial_pair_run(const ib_DesignFile *design, int gear, const ib_TrialPair *like,
                            ib_Arena *arena, ib_TrialPair *trials, ib_Error *error)
{
    const ib_DesignGear *entry = &design->gears[gear];
    const ib_StateSpace *plant = &entry->design.plant;
    int p = plant->outputs;
    ib_Status status = run_quiet(design, gear, like, arena, trials, error);
    if (status != IB_OK) return status;
    ib_Trial *trial = &trials->trial;
    for (int i = 0; entry->design.kalman && i < p; i++) {
        trial->noise[i] = sqrt(entry->design.Rd[i * p + i]);
        trials->noisy |= trial->noise[i] > 0;
    }
    for (int i = 0; i < plant->states; i++) trials->noise[i] = NAN;
    if (trials->noisy) measure_noise(trials, arena, trials->noise);
    trial->push[0] = like ? like->trial.push[0] : choose_push(trials);
    trial->push_at = 0.5 * trial->duration;
    return run(trials, arena, &trials->disturbed, NULL, error);
}

// --------------------------------------------------------------------------------------------- use

bool ib_trial_use_note(const ib_TrialUse *use, int index, char *text, size_t size)
{
    if (use->limited > 0 && index-- == 0) {
        snprintf(text, size, "the current limit of %.4g A acts in %.3g %% of the time",
                 use->current_limit, 100 * use->limited);
        return true;
    }
    if (use->stopped > 0 && index-- == 0) {
        snprintf(text, size, "it is at a stop in %.3g %% of the time", 100 * use->stopped);
        return true;
    }
    // A tenth of 12 V: noticeable for a controller without compensation.
    if (use->lowest < 10.8 && index-- == 0) {
        snprintf(text, size, "the battery sags to %.3g V under %.4g A", use->lowest, use->supply);
        return true;
    }
    if (index < use->event_count && !isnan(use->current)) {
        snprintf(text, size, "at %.4g s %s", use->events[index].t, use->events[index].text);
        return true;
    }
    return false;
}

// ------------------------------------------------------------------------------------------- facts

bool ib_trial_pair_moves(const ib_TrialPair *trials, int state)
{
    return trials->trial.start[state] != trials->trial.goal[state];
}

ib_Response ib_trial_pair_response(const ib_TrialPair *trials, int state)
{
    const ib_TrialCurves *quiet = &trials->quiet;
    return ib_response_find(quiet->count, quiet->t, quiet->x + state * quiet->count,
                            trials->trial.goal[state]);
}

ib_TrialFacts ib_trial_pair_facts(const ib_TrialPair *trials, int state)
{
    const ib_TrialCurves *quiet = &trials->quiet, *disturbed = &trials->disturbed;
    const double *x = quiet->x + state * quiet->count, *t = quiet->t;
    const double *other = disturbed->x + state * disturbed->count;
    int both = quiet->count < disturbed->count ? quiet->count : disturbed->count;
    double push_at = trials->trial.push_at, late = 0.9 * trials->trial.duration;
    double left = 0;
    int last = 0;
    ib_TrialFacts facts = {ib_trial_pair_response(trials, state), trials->noise[state], 0, 0};
    for (int i = 0; i < both; i++) {
        double apart = other[i] - x[i];
        if (t[i] >= push_at) facts.push = ib_max(facts.push, fabs(apart));
        if (t[i] >= late) {
            left += apart;
            last++;
        }
    }
    facts.left = last > 0 ? left / last : NAN;
    return facts;
}

ib_TrialEffort ib_trial_pair_effort(const ib_TrialPair *trials, int input)
{
    const ib_TrialCurves *run = &trials->quiet;
    const ib_Loop *loop = trials->trial.loop;
    const double *u = run->u + input * run->count;
    ib_TrialEffort effort = {loop->low[input], loop->high[input], u[0], u[0], 0, 0};
    for (int i = 1; i < run->count; i++) {
        effort.smallest = ib_min(effort.smallest, u[i]);
        effort.largest = ib_max(effort.largest, u[i]);
    }
    effort.saturated = ib_response_saturated(run->count, u, effort.low, effort.high);
    effort.peak = ib_max(fabs(effort.smallest), fabs(effort.largest));
    return effort;
}
