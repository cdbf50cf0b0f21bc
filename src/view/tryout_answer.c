// view/tryout_answer.c: what is said about a design and its response, as JSON.
#include "view/tryout.h"

#include "base/json.h"
#include "base/utf8.h"
#include "design/response.h"
#include "desk/trial_run_json.h"
#include "sim/pace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { REFUSALS = 5, YAML_TEXT = 16 << 10 };

// ------------------------------------------------------------------------------------------- parts

// Text that comes from a file may hold anything; a socket carries UTF-8 only.
static void put_text(ib_Json *json, const char *key, const char *text)
{
    char *copy = strdup(text ? text : "");
    if (copy) ib_utf8_clean(copy);
    ib_json_text(json, key, copy ? copy : "");
    free(copy);
}

static void put_null(ib_Json *json, const char *key)
{
    ib_json_number(json, key, NAN);
}

// Six digits, enough to be drawn: at most 14 characters a number.
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

static void put_vector(ib_Json *json, const char *key, int count, const double *values)
{
    ib_json_open(json, key, '[');
    for (int i = 0; i < count; i++) ib_json_number(json, NULL, values[i]);
    ib_json_close(json, ']');
}

static void put_matrix(ib_Json *json, const char *key, int rows, int columns, const double *a)
{
    ib_json_open(json, key, '[');
    for (int i = 0; i < rows; i++) put_vector(json, NULL, columns, a + i * columns);
    ib_json_close(json, ']');
}

static void put_ports(ib_Json *json, const char *key, int count,
                      const char (*names)[IB_STATE_NAME + 1], const char *const *units)
{
    ib_json_open(json, key, '[');
    for (int i = 0; i < count; i++) {
        const char *unit = units[i] && strcmp(units[i], "1") != 0 ? units[i] : "";
        ib_json_open(json, NULL, '{');
        put_text(json, "name", names[i]);
        put_text(json, "unit", unit);
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
    const ib_StateSpace *plant = &gear->config.plant;
    ib_json_text(json, "type", "hello");
    ib_json_integer(json, "version", 1);
    ib_json_text(json, "program", "ironbird " IB_VERSION);
    ib_json_text(json, "mode", "design");
    put_text(json, "title", design->title);
    put_text(json, "scenario", path);
    char text[300];
    ib_design_bench_describe(design, 0, text, sizeof text);
    put_text(json, "plant", text);
    put_ports(json, "states", plant->states, plant->state, gear->state_unit);
    put_ports(json, "inputs", plant->inputs, plant->input, gear->input_unit);
    ib_json_open(json, "gears", '[');
    for (int i = 0; i < design->gear_count; i++) put_text(json, NULL, design->gears[i].config.name);
    ib_json_close(json, ']');
    ib_json_open(json, "knobs", '[');
    for (int i = 0; i < knobs->count; i++) put_knob(json, &knobs->knobs[i]);
    ib_json_close(json, ']');
}

const char *ib_tryout_hello(const ib_DesignKnobs *knobs, const char *path, ib_Arena *arena)
{
    ib_JsonMemory memory;
    if (!ib_json_memory_open(&memory)) return NULL;
    ib_json_open(&memory.json, NULL, '{');
    put_hello(&memory.json, knobs, path);
    ib_json_close(&memory.json, '}');
    return ib_json_memory_close(&memory, arena);
}

// ---------------------------------------------------------------------------------------- a design

static void put_poles(ib_Json *json, const char *key, int count, const ib_Complex *poles,
                      double period)
{
    ib_json_open(json, key, '[');
    for (int i = 0; i < count; i++) {
        ib_PoleShape shape = ib_pole_shape(poles[i], period);
        ib_json_open(json, NULL, '{');
        ib_json_number(json, "re", poles[i].re);
        ib_json_number(json, "im", poles[i].im);
        ib_json_number(json, "frequency", shape.frequency);
        ib_json_number(json, "damping", shape.damping);
        ib_json_number(json, "settling", shape.settling);
        ib_json_close(json, '}');
    }
    ib_json_close(json, ']');
}

static void put_margins(ib_Json *json, const ib_Design *design)
{
    ib_json_open(json, "margins", '[');
    for (int i = 0; design->margined && i < design->plant.inputs; i++) {
        const ib_Margin *margin = &design->margins.input[i];
        ib_json_open(json, NULL, '{');
        put_text(json, "input", design->plant.input[i]);
        ib_json_number(json, "gain_up", margin->gain_up);
        ib_json_number(json, "gain_down", margin->gain_down);
        ib_json_number(json, "phase", margin->phase);
        ib_json_number(json, "delay", margin->delay);
        ib_json_number(json, "disk", margin->disk);
        ib_json_close(json, '}');
    }
    ib_json_close(json, ']');
}

static void put_checks(ib_Json *json, const ib_DesignFile *file)
{
    ib_json_open(json, "checks", '[');
    for (int i = 0; i < file->check_count; i++) {
        const ib_DesignCheck *check = &file->checks[i];
        ib_json_open(json, NULL, '{');
        ib_json_text(json, "name", ib_design_limit_names[check->what]);
        ib_json_text(json, "unit", ib_design_limit_units[check->what]);
        ib_json_number(json, "limit", check->limit);
        ib_json_number(json, "found", check->found);
        ib_json_flag(json, "passed", check->passed);
        ib_json_close(json, '}');
    }
    ib_json_close(json, ']');
}

static void put_design(ib_Json *json, const ib_DesignFile *file, int gear)
{
    const ib_Design *design = &file->gears[gear].design;
    double period = file->gears[gear].config.period;
    int n = design->plant.states, m = design->plant.inputs;
    ib_json_number(json, "period", period);
    ib_json_flag(json, "stable", design->stable);
    put_matrix(json, "K", design->feedback ? m : 0, n, design->K);
    put_poles(json, "poles", design->pole_count, design->poles, period);
    put_poles(json, "delayed_poles", design->delayed_count, design->delayed_poles, period);
    put_poles(json, "plant_poles", n, design->plant_poles, period);
    put_poles(json, "kalman_poles", design->kalman ? design->estimator.states : 0,
              design->kalman_poles, period);
    put_margins(json, design);
    put_checks(json, file);
}

// ------------------------------------------------------------------------------------ its response

// One row for each state, each estimate and each input.
typedef struct Record {
    int room, count, states, inputs;
    double *t, *x, *guess, *u;
    ib_TrialUse use;
} Record;

static void record_tick(void *self, const ib_TrialTick *tick)
{
    Record *record = self;
    int at = record->count, room = record->room;
    if (at == room) return;
    record->t[at] = tick->t;
    for (int i = 0; i < record->states; i++) {
        record->x[i * room + at] = tick->x[i];
        record->guess[i * room + at] = tick->estimate[i];
    }
    for (int i = 0; i < record->inputs; i++) record->u[i * room + at] = tick->u[i];
    record->count++;
}

static void put_figures(ib_Json *json, const Record *record, const ib_Trial *trial)
{
    ib_json_open(json, "figures", '[');
    for (int i = 0; i < record->states; i++) {
        ib_Response response = ib_response_find(record->count, record->t,
                                                record->x + i * record->room, trial->goal[i]);
        ib_json_open(json, NULL, '{');
        ib_json_number(json, "rise", response.rise);
        ib_json_number(json, "overshoot", response.overshoot);
        ib_json_number(json, "settling", response.settling);
        ib_json_number(json, "error", response.error);
        ib_json_number(json, "peak", response.peak);
        ib_json_close(json, '}');
    }
    ib_json_close(json, ']');
    ib_json_open(json, "use", '[');
    for (int i = 0; i < record->inputs; i++) {
        const double *u = record->u + i * record->room;
        double peak = 0, low = trial->loop->low[i], high = trial->loop->high[i];
        for (int k = 0; k < record->count; k++) peak = fmax(peak, fabs(u[k]));
        ib_json_open(json, NULL, '{');
        ib_json_number(json, "peak", peak);
        ib_json_number(json, "saturated", ib_response_saturated(record->count, u, low, high));
        ib_json_number(json, "low", low);
        ib_json_number(json, "high", high);
        ib_json_close(json, '}');
    }
    ib_json_close(json, ']');
}

static void put_rows(ib_Json *json, const char *key, int rows, const Record *record, int step,
                     const double *values)
{
    ib_json_open(json, key, '[');
    for (int i = 0; i < rows; i++)
        put_curve(json, NULL, record->count, step, values + i * record->room);
    ib_json_close(json, ']');
}

static void put_response(ib_Json *json, const Record *record, const ib_Trial *trial,
                         const char *ended)
{
    int step = (record->count + IB_TRYOUT_POINTS - 1) / IB_TRYOUT_POINTS;
    ib_json_open(json, "response", '{');
    put_curve(json, "t", record->count, step, record->t);
    put_rows(json, "x", record->states, record, step, record->x);
    put_rows(json, "estimate", trial->loop->observer ? record->states : 0, record, step,
             record->guess);
    put_rows(json, "u", record->inputs, record, step, record->u);
    put_vector(json, "start", record->states, trial->start);
    put_vector(json, "goal", record->states, trial->goal);
    ib_json_number(json, "push_at", trial->push_at);
    put_figures(json, record, trial);
    ib_design_use_json(json, "robot", &record->use);
    if (ended)
        put_text(json, "ended", ended);
    else
        put_null(json, "ended");
    ib_json_close(json, '}');
}

// -------------------------------------------------------------------------------------- an attempt

// Why there is no design, or no trial of it.
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

// False, with the reason, where it cannot be run.
static bool run_trial(const ib_DesignFile *design, const ib_Trial *trial, Record *record,
                      const char **ended, Refusals *refusals, ib_Arena *arena)
{
    double periods = floor(trial->duration / trial->loop->period + 0.5);
    if (!(periods >= 2 && periods <= IB_TRYOUT_PERIODS)) {
        refuse(refusals, ib_arena_format(arena,
                                         "the trial would have %.9g periods: expected 2 to %d; "
                                         "change its duration or the period",
                                         periods, IB_TRYOUT_PERIODS));
        return false;
    }
    int room = (int)periods + 1, n = design->gears[trial->gear].design.plant.states,
        m = trial->loop->inputs;
    double *rows = ib_arena_array(arena, (size_t)room, sizeof *rows * (size_t)(1 + 2 * n + m));
    if (!rows) {
        refuse(refusals, "out of memory for a trial");
        return false;
    }
    *record = (Record){.room = room,
                       .states = n,
                       .inputs = m,
                       .t = rows,
                       .x = rows + room,
                       .guess = rows + room * (1 + n),
                       .u = rows + room * (1 + 2 * n)};
    ib_Error error = {0};
    if (ib_design_bench_run(design, trial, record_tick, record, &record->use, &error))
        *ended = ib_arena_text(arena, error.text);
    if (record->count >= 2) return true;
    refuse(refusals, *ended ? *ended : "the trial ended at once");
    return false;
}

static void put_yaml(ib_Json *json, const ib_TryoutTask *task, ib_Arena *arena)
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

static void put_attempt(ib_Json *json, const ib_TryoutTask *task, ib_Arena *arena)
{
    ib_Diagnostics diagnostics = {.arena = arena};
    Refusals refusals = {0};
    Record record = {0};
    const char *ended = NULL;
    int64_t begin = ib_wall_now();
    ib_DesignFile *design = ib_design_knobs_turn(task->knobs, task->values, &diagnostics);
    bool run = false;
    ib_Trial trial = {0};
    if (!design) refuse_all(&refusals, &diagnostics);
    if (design && design->loop) {
        trial = ib_design_knobs_trial(task->knobs, task->values, design, task->gear);
        trial.give_up = task->give_up;
        trial.give_up_self = task->give_up_self;
        run = run_trial(design, &trial, &record, &ended, &refusals, arena);
    }
    ib_json_number(json, "ms", 1e-6 * (double)(ib_wall_now() - begin));
    put_refusals(json, &refusals);
    if (design && refusals.count == 0) {
        put_design(json, design, task->gear);
        put_yaml(json, task, arena);
        if (run)
            put_response(json, &record, &trial, ended);
        else
            put_null(json, "response");
    }
    ib_design_file_destroy(design);
}

// The head of every answer; what comes after it is written by `put_attempt`.
static void begin(ib_Json *json, const ib_TryoutTask *task)
{
    ib_json_open(json, NULL, '{');
    ib_json_text(json, "type", "answer");
    ib_json_integer(json, "id", task->id);
    ib_json_integer(json, "gear", task->gear);
}

// Sizes are bounded, but by more than fits where every number is long: then it is refused.
static const char *refuse_long(const ib_TryoutTask *task, ib_Arena *arena)
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

const char *ib_tryout_answer(const ib_TryoutTask *task, ib_Arena *arena)
{
    ib_JsonMemory memory;
    if (!ib_json_memory_open(&memory)) return NULL;
    begin(&memory.json, task);
    put_attempt(&memory.json, task, arena);
    ib_json_close(&memory.json, '}');
    const char *text = ib_json_memory_close(&memory, arena);
    return text && strlen(text) > IB_ANSWER_TEXT ? refuse_long(task, arena) : text;
}
