#include "desk/trial_run_json.h"

#include <math.h>

static void write_unit(ib_Json *json, const char *unit)
{
    if (unit)
        ib_json_text(json, "unit", unit);
    else
        ib_json_number(json, "unit", NAN);
}

static void write_way(ib_Json *json, const ib_DesignTrials *trials, int state)
{
    const ib_DesignGear *gear = &trials->design->gears[trials->gear];
    ib_Response response = ib_design_trials_response(trials, state);
    ib_json_text(json, "name", gear->design.plant.state[state]);
    write_unit(json, gear->state_unit[state]);
    ib_json_number(json, "start", trials->trial.start[state]);
    ib_json_number(json, "goal", trials->trial.goal[state]);
    ib_json_number(json, "rise", response.rise);
    ib_json_number(json, "overshoot", response.overshoot);
    ib_json_number(json, "settling", response.settling);
    ib_json_number(json, "error", response.error);
    ib_json_number(json, "peak", response.peak);
}

static void write_response(ib_Json *json, const ib_DesignTrials *trials, int state)
{
    ib_json_open(json, NULL, '{');
    write_way(json, trials, state);
    ib_json_close(json, '}');
}

static void write_state(ib_Json *json, const ib_DesignTrials *trials, int state)
{
    ib_DesignFigures figures = ib_design_trials_figures(trials, state);
    ib_json_open(json, NULL, '{');
    write_way(json, trials, state);
    ib_json_number(json, "noise", figures.noise);
    ib_json_number(json, "push", figures.push);
    ib_json_number(json, "left", figures.left);
    ib_json_close(json, '}');
}

static void write_input(ib_Json *json, const ib_DesignTrials *trials, int input)
{
    const ib_DesignGear *gear = &trials->design->gears[trials->gear];
    ib_DesignEffort effort = ib_design_trials_effort(trials, input);
    ib_json_open(json, NULL, '{');
    ib_json_text(json, "name", gear->design.plant.input[input]);
    write_unit(json, gear->input_unit[input]);
    ib_json_number(json, "low", trials->trial.loop->low[input]);
    ib_json_number(json, "high", trials->trial.loop->high[input]);
    ib_json_number(json, "smallest", effort.smallest);
    ib_json_number(json, "largest", effort.largest);
    ib_json_number(json, "saturated", effort.saturated);
    ib_json_close(json, '}');
}

void ib_design_use_json(ib_Json *json, const char *key, const ib_TrialUse *use)
{
    char text[160];
    ib_json_open(json, key, '{');
    ib_json_number(json, "current", use->current);
    ib_json_number(json, "current_limit", use->current_limit);
    ib_json_number(json, "limited", use->limited);
    ib_json_number(json, "supply", use->supply);
    ib_json_number(json, "lowest_voltage", use->lowest);
    ib_json_number(json, "stopped", use->stopped);
    ib_json_open(json, "notes", '[');
    for (int i = 0; ib_design_trials_note(use, i, text, sizeof text); i++)
        ib_json_text(json, NULL, text);
    ib_json_close(json, ']');
    ib_json_close(json, '}');
}

// The undisturbed trial of each gear in figures.
void ib_design_trial_json(ib_Json *json, const char *key, const ib_DesignFile *design)
{
    ib_json_open(json, key, '[');
    for (int i = 0; i < design->gear_count; i++) {
        ib_Arena arena = {0};
        ib_DesignTrials trials;
        ib_Error error;
        ib_json_open(json, NULL, '{');
        ib_json_text(json, "gear", design->gears[i].design.name);
        if (ib_design_trials_quiet(design, i, &arena, &trials, &error) == IB_OK) {
            ib_json_number(json, "duration", trials.trial.duration);
            ib_json_open(json, "states", '[');
            for (int k = 0; k < trials.quiet.states; k++) write_response(json, &trials, k);
            ib_json_close(json, ']');
            ib_json_open(json, "inputs", '[');
            for (int k = 0; k < trials.quiet.inputs; k++) write_input(json, &trials, k);
            ib_json_close(json, ']');
            ib_design_use_json(json, "use", &trials.use);
        } else {
            ib_json_text(json, "error", error.text);
        }
        ib_json_close(json, '}');
        ib_arena_reset(&arena);
    }
    ib_json_close(json, ']');
}

// Every n-th value, so that there are not too many.
static void write_row(ib_Json *json, const char *key, int count, const double *values)
{
    int stride = (count + IB_DESIGN_CURVE_POINTS - 1) / IB_DESIGN_CURVE_POINTS;
    ib_json_open(json, key, '[');
    for (int i = 0; i < count; i += stride) ib_json_number(json, NULL, values[i]);
    ib_json_close(json, ']');
}

static void write_rows(ib_Json *json, const char *key, int rows, int count,
                       const char (*names)[IB_STATE_NAME + 1], const double *values)
{
    ib_json_open(json, key, '{');
    for (int i = 0; i < rows; i++) write_row(json, names[i], count, values + i * count);
    ib_json_close(json, '}');
}

static void write_curves(ib_Json *json, const ib_StateSpace *plant, const ib_DesignRun *run)
{
    if (run->ended)
        ib_json_text(json, "ended", run->ended);
    else
        ib_json_number(json, "ended", NAN);
    write_row(json, "t", run->count, run->t);
    write_rows(json, "x", run->states, run->count, plant->state, run->x);
    write_rows(json, "estimate", run->states, run->count, plant->state, run->guess);
    write_rows(json, "u", run->inputs, run->count, plant->input, run->u);
}

void ib_design_run_json(ib_Json *json, const char *key, const ib_DesignTrials *trials)
{
    const ib_StateSpace *plant = &trials->design->gears[trials->gear].design.plant;
    ib_json_open(json, key, '{');
    ib_json_open(json, "states", '[');
    for (int i = 0; i < trials->quiet.states; i++) write_state(json, trials, i);
    ib_json_close(json, ']');
    ib_json_open(json, "inputs", '[');
    for (int i = 0; i < trials->quiet.inputs; i++) write_input(json, trials, i);
    ib_json_close(json, ']');
    ib_design_use_json(json, "use", &trials->use);
    ib_json_number(json, "duration", trials->trial.duration);
    ib_json_number(json, "push", trials->trial.push[0]);
    ib_json_number(json, "push_at", trials->trial.push_at);
    write_curves(json, plant, &trials->quiet);
    ib_json_open(json, "disturbed", '{');
    write_curves(json, plant, &trials->disturbed);
    ib_json_close(json, '}');
    ib_json_close(json, '}');
}

// -------------------------------------------------------------------------------------- an attempt

// One gear before and after, in the same trial.
static void write_pair(ib_Json *json, const ib_DesignFile *before, const ib_DesignFile *after,
                       int gear)
{
    ib_Arena arena = {0};
    ib_DesignTrials old, new;
    ib_Error error;
    bool compared = before && gear < before->gear_count &&
                    ib_design_trials_run(before, gear, NULL, &arena, &old, &error) == IB_OK;
    if (compared)
        ib_design_run_json(json, "before", &old);
    else
        ib_json_number(json, "before", NAN);
    if (ib_design_trials_run(after, gear, compared ? &old : NULL, &arena, &new, &error) == IB_OK)
        ib_design_run_json(json, "after", &new);
    else
        ib_json_number(json, "after", NAN);
    ib_arena_reset(&arena);
}

void ib_design_try_json(ib_Json *json, const char *key, const ib_DesignTry *attempt,
                        const ib_DesignFile *before, const ib_DesignFile *after)
{
    ib_json_open(json, key, '{');
    ib_json_open(json, "changes", '{');
    for (int i = 0; i < attempt->count; i++)
        ib_json_text(json, attempt->change[i].key, attempt->change[i].value);
    ib_json_close(json, '}');
    write_pair(json, before, after, 0);
    if (after->scheduled) ib_json_open(json, "gears", '[');
    for (int i = 0; after->scheduled && i < after->gear_count; i++) {
        ib_json_open(json, NULL, '{');
        ib_json_text(json, "name", after->gears[i].design.name);
        write_pair(json, before, after, i);
        ib_json_close(json, '}');
    }
    if (after->scheduled) ib_json_close(json, ']');
    ib_json_close(json, '}');
}
