// view/live_trial_answer.c: a design and its response as JSON.
#include "view/live_trial.h"

#include "base/json.h"
#include "base/utf8.h"
#include "desk/table_json.h"
#include "desk/trial/trial_pair_json.h"
#include "desk/trial/trial_table.h"
#include "sim/pace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { REFUSALS = 5, YAML_TEXT = 16 << 10 };

// ------------------------------------------------------------------------------------------- parts

// Text from a file may have invalid bytes; a socket carries UTF-8 only.
static void put_text(ib_Json *json, const char *key, const char *text)
{
    char *copy = strdup(text ? text : "");
    if (copy) ib_utf8_clean(copy);
    ib_json_text(json, key, copy ? copy : "");
    free(copy);
}

// Six digits suffice for drawing: at most 14 characters a number.
static void put_curve(ib_Json *json, const char *key, int count, int step, const double *values)
{
    ib_json_open(json, key, '[');
    for (int i = 0; i < count; i += step) {
        if (json->comma) fputc(',', json->file);
        if (isfinite(values[i]))
            fprintf(json->file, "%.6g", values[i]);
        else
            fputs("null", json->file);
        json->comma = true;
    }
    ib_json_close(json, ']');
}

static void put_ports(ib_Json *json, const ib_DesignGear *gear, const ib_DesignPort *port)
{
    ib_DesignSide side = ib_design_side(gear, port->axis);
    ib_json_open(json, port->key, '[');
    for (int i = 0; i < side.count; i++) {
        ib_json_open(json, NULL, '{');
        put_text(json, "name", side.name[i]);
        put_text(json, "unit", ib_unit_shown(side.unit[i]));
        ib_json_close(json, '}');
    }
    ib_json_close(json, ']');
}

// ------------------------------------------------------------------------------------------- hello

static void put_knob(ib_Json *json, const ib_Knob *knob)
{
    static const char *const forms[] = {"log", "linear", "re", "im"};
    ib_json_open(json, NULL, '{');
    put_text(json, "path", knob->path);
    put_text(json, "group", knob->group);
    put_text(json, "name", knob->name);
    put_text(json, "unit", knob->unit);
    put_text(json, "sentence", knob->sentence);
    ib_json_text(json, "form", forms[knob->form]);
    ib_json_integer(json, "gear", knob->gear);
    ib_json_number(json, "value", knob->value);
    ib_json_number(json, "low", knob->low);
    ib_json_number(json, "high", knob->high);
    ib_json_close(json, '}');
}

static void put_hello(ib_Json *json, const ib_DesignKnobs *knobs, const char *path)
{
    const ib_DesignFile *design = knobs->first;
    const ib_DesignGear *gear = &design->gears[0];
    ib_json_text(json, "type", "hello");
    ib_json_integer(json, "version", 1);
    ib_json_text(json, "program", "ironbird " IB_VERSION);
    ib_json_text(json, "mode", "design");
    put_text(json, "title", design->yaml.title);
    put_text(json, "scenario", path);
    char text[300];
    ib_trial_bench_describe(design, 0, text, sizeof text);
    put_text(json, "plant", text);
    for (int i = 0; i < 2; i++) put_ports(json, gear, &ib_design_ports[i]); // no outputs
    ib_json_open(json, "gears", '[');
    for (int i = 0; i < design->gear_count; i++) put_text(json, NULL, design->gears[i].config.name);
    ib_json_close(json, ']');
    ib_json_open(json, "knobs", '[');
    for (int i = 0; i < knobs->count; i++) put_knob(json, &knobs->knobs[i]);
    ib_json_close(json, ']');
}

const char *ib_live_trial_hello(const ib_DesignKnobs *knobs, const char *path, ib_Arena *arena)
{
    ib_JsonMemory memory;
    if (!ib_json_memory_open(&memory)) return NULL;
    ib_json_open(&memory.json, NULL, '{');
    put_hello(&memory.json, knobs, path);
    ib_json_close(&memory.json, '}');
    return ib_json_memory_close(&memory, arena);
}

// ---------------------------------------------------------------------------------------- a design

static void put_design(ib_Json *json, const ib_DesignFile *file, int gear)
{
    static const char *const keys[] = {"stable",      "K",
                                       "poles",       "delayed_poles",
                                       "plant_poles", "kalman_poles",
                                       "margins",     "delay_margin_together"};
    const ib_DesignGear *entry = &file->gears[gear];
    ib_json_number(json, "period", entry->config.period);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        ib_row_json(json, entry, ib_design_row(keys[i]), IB_TOLD_PAGE);
    ib_checks_json(json, file, IB_TOLD_PAGE);
}

// ------------------------------------------------------------------------------------ its response

static void put_facts(ib_Json *json, const ib_TrialPair *trials)
{
    static const char *const keys[] = {"peak", "saturated", "low", "high"};
    ib_json_open(json, "figures", '[');
    for (int i = 0; i < trials->quiet.states; i++) {
        ib_DesignWay way = ib_design_way(trials, i);
        ib_json_open(json, NULL, '{');
        ib_facts_json(json, ib_way_facts, &way, IB_TOLD_PAGE);
        ib_json_close(json, '}');
    }
    ib_json_close(json, ']');
    ib_json_open(json, "use", '[');
    for (int i = 0; i < trials->quiet.inputs; i++) {
        ib_TrialEffort effort = ib_trial_pair_effort(trials, i);
        ib_json_open(json, NULL, '{');
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
            ib_fact_json(json, ib_fact_find(ib_effort_facts, keys[k]), &effort);
        ib_json_close(json, '}');
    }
    ib_json_close(json, ']');
}

static void put_rows(ib_Json *json, const char *key, int rows, int count, int step,
                     const double *values)
{
    ib_json_open(json, key, '[');
    for (int i = 0; i < rows; i++) put_curve(json, NULL, count, step, values + i * count);
    ib_json_close(json, ']');
}

static void put_response(ib_Json *json, const ib_TrialPair *trials)
{
    const ib_TrialCurves *run = &trials->quiet;
    const ib_Trial *trial = &trials->trial;
    int count = run->count, step = (count + IB_LIVE_TRIAL_POINTS - 1) / IB_LIVE_TRIAL_POINTS;
    ib_json_open(json, "response", '{');
    put_curve(json, "t", count, step, run->t);
    put_rows(json, "x", run->states, count, step, run->x);
    put_rows(json, "estimate", trial->loop->observer ? run->states : 0, count, step, run->guess);
    put_rows(json, "u", run->inputs, count, step, run->u);
    ib_json_vector(json, "start", run->states, trial->start);
    ib_json_vector(json, "goal", run->states, trial->goal);
    ib_json_number(json, "push_at", trial->push_at);
    put_facts(json, trials);
    ib_trial_use_json(json, "robot", &trials->use);
    if (run->ended)
        put_text(json, "ended", run->ended);
    else
        ib_json_null(json, "ended");
    ib_json_close(json, '}');
}

// ----------------------------------------------------------------------------------------- a trial

// The reasons why there is no design, or no trial of it.
typedef struct Refusals {
    int count;
    const char *text[REFUSALS];
} Refusals;

static void refuse(Refusals *refusals, const char *text)
{
    if (refusals->count < REFUSALS && text) refusals->text[refusals->count++] = text;
}

static void refuse_all(Refusals *refusals, const ib_Diagnostics *diagnostics)
{
    for (int i = 0; i < diagnostics->count; i++) refuse(refusals, diagnostics->items[i].text);
}

// Runs the requested trial, with its own push and noise only. False, with the reason, if it cannot
// be run.
static bool run_trial(ib_TrialPair *trials, Refusals *refusals, ib_Arena *arena)
{
    const ib_Trial *trial = &trials->trial;
    double periods = floor(trial->duration / trial->loop->period + 0.5);
    if (!(periods >= 2 && periods <= IB_LIVE_TRIAL_PERIODS)) {
        refuse(refusals, ib_arena_format(arena,
                                         "the trial would have %.9g periods: expected 2 to %d; "
                                         "change its duration or the period",
                                         periods, IB_LIVE_TRIAL_PERIODS));
        return false;
    }
    ib_Error error = {.text = "the trial ended at once"};
    ib_trial_record(trials->design, trial, arena, &trials->quiet, &trials->use, &error);
    if (trials->quiet.count >= 2) return true;
    refuse(refusals, ib_arena_text(arena, error.text));
    return false;
}

static void put_yaml(ib_Json *json, const ib_LiveTrialTask *task, ib_Arena *arena)
{
    const char *yaml = ib_design_knobs_yaml(task->knobs, task->values, arena);
    bool fits = yaml && strlen(yaml) <= YAML_TEXT;
    put_text(json, "yaml", fits ? yaml : "# the changed block is too long to be shown\n");
}

static void put_refusals(ib_Json *json, const Refusals *refusals)
{
    ib_json_open(json, "refused", '[');
    for (int i = 0; i < refusals->count; i++) put_text(json, NULL, refusals->text[i]);
    ib_json_close(json, ']');
}

static void put_trial(ib_Json *json, const ib_LiveTrialTask *task, ib_Arena *arena)
{
    ib_Diagnostics diagnostics = {.arena = arena};
    Refusals refusals = {0};
    int64_t begin = ib_wall_now();
    ib_DesignFile *design = ib_design_knobs_turn(task->knobs, task->values, &diagnostics);
    bool run = false;
    ib_TrialPair trials = {.design = design, .gear = task->gear};
    if (!design) refuse_all(&refusals, &diagnostics);
    if (design && design->loop) {
        trials.trial = ib_design_knobs_trial(task->knobs, task->values, design, task->gear);
        trials.trial.give_up = task->give_up;
        trials.trial.give_up_self = task->give_up_self;
        run = run_trial(&trials, &refusals, arena);
    }
    ib_json_number(json, "ms", 1e-6 * (double)(ib_wall_now() - begin));
    put_refusals(json, &refusals);
    if (design && refusals.count == 0) {
        put_design(json, design, task->gear);
        put_yaml(json, task, arena);
        if (run)
            put_response(json, &trials);
        else
            ib_json_null(json, "response");
    }
    ib_design_file_destroy(design);
}

// The head of every answer; `put_trial` writes the rest.
static void begin(ib_Json *json, const ib_LiveTrialTask *task)
{
    ib_json_open(json, NULL, '{');
    ib_json_text(json, "type", "answer");
    ib_json_integer(json, "id", task->id);
    ib_json_integer(json, "gear", task->gear);
}

// Refuses an answer beyond its limit, which long numbers can cause.
static const char *refuse_long(const ib_LiveTrialTask *task, ib_Arena *arena)
{
    ib_JsonMemory memory;
    Refusals refusals = {1, {"the answer is too long to be sent"}};
    if (!ib_json_memory_open(&memory)) return NULL;
    begin(&memory.json, task);
    ib_json_number(&memory.json, "ms", 0);
    put_refusals(&memory.json, &refusals);
    ib_json_close(&memory.json, '}');
    return ib_json_memory_close(&memory, arena);
}

const char *ib_live_trial_answer(const ib_LiveTrialTask *task, ib_Arena *arena)
{
    ib_JsonMemory memory;
    if (!ib_json_memory_open(&memory)) return NULL;
    begin(&memory.json, task);
    put_trial(&memory.json, task, arena);
    ib_json_close(&memory.json, '}');
    const char *text = ib_json_memory_close(&memory, arena);
    return text && strlen(text) > IB_ANSWER_TEXT ? refuse_long(task, arena) : text;
}
