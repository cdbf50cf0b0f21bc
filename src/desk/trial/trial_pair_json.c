// desk/trial/trial_pair_json.c: the trials of a design as JSON.
#include "desk/trial/trial_pair_json.h"

#include "desk/table_json.h"
#include "desk/trial/trial_table.h"

// One element of an axis: its name, its unit, and its facts.
static void write_element(ib_Json *json, const ib_DesignSide *side, int index, const ib_Fact *table,
                          const void *of, unsigned told)
{
    ib_json_open(json, NULL, '{');
    ib_json_text(json, "name", side->name[index]);
    ib_json_name(json, "unit", side->unit[index]);
    ib_facts_json(json, table, of, told);
    ib_json_close(json, '}');
}

static void write_elements(ib_Json *json, const ib_TrialPair *trials, unsigned told)
{
    const ib_DesignGear *gear = &trials->design->gears[trials->gear];
    ib_DesignSide states = ib_design_side(gear, IB_AXIS_STATES);
    ib_DesignSide inputs = ib_design_side(gear, IB_AXIS_INPUTS);
    ib_json_open(json, "states", '[');
    for (int i = 0; i < states.count; i++) {
        ib_DesignWay way = ib_design_way(trials, i);
        write_element(json, &states, i, ib_way_facts, &way, told);
    }
    ib_json_close(json, ']');
    ib_json_open(json, "inputs", '[');
    for (int i = 0; i < inputs.count; i++) {
        ib_TrialEffort effort = ib_trial_pair_effort(trials, i);
        write_element(json, &inputs, i, ib_effort_facts, &effort, told);
    }
    ib_json_close(json, ']');
}

void ib_trial_use_json(ib_Json *json, const char *key, const ib_TrialUse *use)
{
    char text[160];
    ib_json_open(json, key, '{');
    ib_facts_json(json, ib_use_facts, use, IB_TOLD_FILE);
    ib_json_open(json, "notes", '[');
    for (int i = 0; ib_trial_use_note(use, i, text, sizeof text); i++)
        ib_json_text(json, NULL, text);
    ib_json_close(json, ']');
    ib_json_close(json, '}');
}

// The undisturbed trial of each gear in numbers.
void ib_trial_summary_json(ib_Json *json, const char *key, const ib_DesignFile *design)
{
    ib_json_open(json, key, '[');
    for (int i = 0; i < design->gear_count; i++) {
        ib_Arena arena = {0};
        ib_TrialPair trials;
        ib_Error error;
        ib_json_open(json, NULL, '{');
        ib_json_text(json, "gear", design->gears[i].design.name);
        if (ib_trial_pair_quiet(design, i, &arena, &trials, &error) == IB_OK) {
            ib_json_number(json, "duration", trials.trial.duration);
            write_elements(json, &trials, IB_TOLD_TRIAL);
            ib_trial_use_json(json, "use", &trials.use);
        } else {
            ib_json_text(json, "error", error.text);
        }
        ib_json_close(json, '}');
        ib_arena_reset(&arena);
    }
    ib_json_close(json, ']');
}

// Writes every n-th value, up to the limit of points.
static void write_row(ib_Json *json, const char *key, int count, const double *values)
{
    int every = (count + IB_TRIAL_CURVE_POINTS - 1) / IB_TRIAL_CURVE_POINTS;
    ib_json_open(json, key, '[');
    for (int i = 0; i < count; i += every) ib_json_number(json, NULL, values[i]);
    ib_json_close(json, ']');
}

static void write_rows(ib_Json *json, const char *key, int rows, int count,
                       const char (*names)[IB_STATE_NAME + 1], const double *values)
{
    ib_json_open(json, key, '{');
    for (int i = 0; i < rows; i++) write_row(json, names[i], count, values + i * count);
    ib_json_close(json, '}');
}

static void write_curves(ib_Json *json, const ib_StateSpace *plant, const ib_TrialCurves *run)
{
    ib_json_name(json, "ended", run->ended);
    write_row(json, "t", run->count, run->t);
    write_rows(json, "x", run->states, run->count, plant->state, run->x);
    write_rows(json, "estimate", run->states, run->count, plant->state, run->guess);
    write_rows(json, "u", run->inputs, run->count, plant->input, run->u);
}

void ib_trial_pair_json(ib_Json *json, const char *key, const ib_TrialPair *trials)
{
    const ib_StateSpace *plant = &trials->design->gears[trials->gear].design.plant;
    ib_json_open(json, key, '{');
    write_elements(json, trials, IB_TOLD_FILE);
    ib_trial_use_json(json, "use", &trials->use);
    ib_json_number(json, "duration", trials->trial.duration);
    ib_json_number(json, "push", trials->trial.push[0]);
    ib_json_number(json, "push_at", trials->trial.push_at);
    write_curves(json, plant, &trials->quiet);
    ib_json_open(json, "disturbed", '{');
    write_curves(json, plant, &trials->disturbed);
    ib_json_close(json, '}');
    ib_json_close(json, '}');
}

// ----------------------------------------------------------------------------------------- a trial

// Writes one gear before and after, in the same trial.
static void write_pair(ib_Json *json, const ib_DesignFile *before, const ib_DesignFile *after,
                       int gear)
{
    ib_Arena arena = {0};
    ib_TrialPair old, new;
    ib_Error error;
    bool compared = before && gear < before->gear_count &&
                    ib_trial_pair_run(before, gear, NULL, &arena, &old, &error) == IB_OK;
    if (compared)
        ib_trial_pair_json(json, "before", &old);
    else
        ib_json_null(json, "before");
    if (ib_trial_pair_run(after, gear, compared ? &old : NULL, &arena, &new, &error) == IB_OK)
        ib_trial_pair_json(json, "after", &new);
    else
        ib_json_null(json, "after");
    ib_arena_reset(&arena);
}

void ib_design_changes_json(ib_Json *json, const char *key, const ib_DesignChanges *changes,
                            const ib_DesignFile *before, const ib_DesignFile *after)
{
    ib_json_open(json, key, '{');
    ib_json_open(json, "changes", '{');
    for (int i = 0; i < changes->count; i++)
        ib_json_text(json, changes->change[i].key, changes->change[i].value);
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
