#include "view/hello.h"

#include "base/extreme.h"
#include "base/signal_text.h"
#include "base/utf8.h"
#include "sim/geometry.h"
#include "view/seats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ----------------------------------------------------------------------------------------- writing

// Foreign text may have invalid bytes; a socket carries UTF-8 only.
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

// The unit for people, if it is not the signal's own: shown = SI * factor + offset.
static void put_shown(ib_Json *json, const ib_SignalMeaning *means, const char *unit)
{
    const ib_ShownUnit shown = ib_signal_shown(means, unit);
    if (!unit[0] ? strcmp(shown.unit, "1") == 0 : strcmp(shown.unit, unit) == 0) {
        put_null(json, "shown");
        return;
    }
    ib_json_open(json, "shown", '{');
    put_text(json, "unit", shown.unit);
    ib_json_number(json, "factor", shown.factor);
    ib_json_number(json, "offset", shown.offset);
    ib_json_close(json, '}');
}

// A mode holds its value until it jumps to another: no line joins its samples.
static void put_signal(ib_Json *json, const char *name, const char *unit, const char *sentence,
                       const ib_SignalMeaning *means)
{
    ib_json_open(json, NULL, '{');
    put_text(json, "name", name);
    put_text(json, "unit", unit);
    put_shown(json, means, unit);
    put_text(json, "sentence", sentence);
    ib_json_flag(json, "held", means->mode != NULL);
    ib_json_close(json, '}');
}

static void put_head(ib_Json *json, const char *mode, const char *title, const char *path)
{
    ib_json_text(json, "type", "hello");
    ib_json_integer(json, "version", 1);
    ib_json_text(json, "program", "ironbird " IB_VERSION);
    ib_json_text(json, "mode", mode);
    put_text(json, "title", title);
    put_text(json, "scenario", path);
}

typedef const ib_SignalMeaning *(*MeaningOf)(const void *table, int index);

// The suggested signals: the headlines of the highest rank, few of them. Without any headline: the
// first signals.
static void put_suggested(ib_Json *json, const void *table, int count, MeaningOf means)
{
    enum { MOST = 6, FEW = 2 };
    int given = 0, best = 0;
    for (int i = 0; i < count; i++) {
        int rank = means(table, i)->headline;
        if (rank > 0 && (best == 0 || rank < best)) best = rank;
    }
    ib_json_open(json, "suggested", '[');
    for (int i = 0; best > 0 && i < count && given < MOST; i++) {
        if (means(table, i)->headline != best) continue;
        ib_json_integer(json, NULL, i);
        given++;
    }
    for (int i = 0; best == 0 && i < count && i < FEW; i++) ib_json_integer(json, NULL, i);
    ib_json_close(json, ']');
}

// The entries of a table of signals: those of a model, or the series of a recording.
typedef struct Table {
    const void *items;
    int count;
    const char *(*name)(const void *items, int index);
    MeaningOf means;
} Table;

// The signal with this role of the same loop as `signal`: they share their names up to the last
// dot; -1: none.
static int beside(const Table *table, int signal, ib_SignalRole role)
{
    const char *own = table->name(table->items, signal);
    size_t stem = ib_signal_stem(own);
    for (int i = 0; i < table->count; i++) {
        const char *name = table->name(table->items, i);
        if (table->means(table->items, i)->role == role && ib_signal_stem(name) == stem &&
            strncmp(name, own, stem) == 0)
            return i;
    }
    return -1;
}

// Loops with a sequence of steps: their signals, and words for each step.
static void put_routines(ib_Json *json, const Table *table)
{
    ib_json_open(json, "routines", '[');
    for (int i = 0; i < table->count; i++) {
        const ib_SignalMeaning *means = table->means(table->items, i);
        const char *name = table->name(table->items, i);
        if (means->role != IB_ROLE_STEP || !means->mode) continue;
        char *loop = strndup(name, ib_signal_stem(name));
        ib_json_open(json, NULL, '{');
        put_text(json, "name", loop);
        put_text(json, "robot", means->robot);
        ib_json_integer(json, "step", i);
        ib_json_integer(json, "late", beside(table, i, IB_ROLE_LATE_STEP));
        ib_json_open(json, "words", '[');
        for (int k = 0; k < ib_mode_count(means->mode); k++)
            put_text(json, NULL, ib_mode_meaning(means->mode, k).text);
        ib_json_close(json, ']');
        ib_json_close(json, '}');
        free(loop);
    }
    ib_json_close(json, ']');
}

typedef void (*Writer)(ib_Json *json, const void *self);

// The output of `write` as one JSON object in `arena`.
static const char *write_object(Writer write, const void *self, ib_Arena *arena)
{
    ib_JsonMemory memory;
    if (!ib_json_memory_open(&memory)) return NULL;
    ib_json_open(&memory.json, NULL, '{');
    write(&memory.json, self);
    ib_json_close(&memory.json, '}');
    return ib_json_memory_close(&memory, arena);
}

// ------------------------------------------------------------------------------------------- model

// 1, 2 or 5 times a power of ten: the nearest one not below (up) or not above the value.
static double round_off(double value, bool up)
{
    static const double steps[] = {1, 2, 5, 10};
    double power = 1;
    while (power < value && power < 1e300) power *= 10;
    while (power > value && power > 1e-300) power /= 10;
    int i = 0;
    if (up)
        while (i < 3 && steps[i] * power < value * (1 - 1e-12)) i++;
    else
        while (i < 3 && steps[i + 1] * power <= value * (1 + 1e-12)) i++;
    return steps[i] * power;
}

ib_ParamRange ib_param_range(double min, double max, double value)
{
    double size = fabs(value);
    bool share = max - min <= 1 && max <= 10 * size && min >= -10 * size;
    if (share || (size == 0 && max - min <= 100)) return (ib_ParamRange){min, max};
    double near = size > 0 ? round_off(size / 5, false) : 0;
    double far = size > 0 ? round_off(3 * size, true) : 1;
    ib_ParamRange range = {ib_max(min, value < 0 ? -far : near),
                           ib_min(max, value < 0 ? -near : far)};
    // The value itself is always within.
    return (ib_ParamRange){ib_min(range.low, value), ib_max(range.high, value)};
}

// True for a value of 0 that means another value, by its sentence: "…; 0: 1.2 mu".
static bool is_stand_in(const ib_Param *param, double value)
{
    return value == 0 &&
           (strncmp(param->sentence, "0: ", 3) == 0 || strstr(param->sentence, " 0: "));
}

const ib_LiveParam *ib_shown_params(const ib_Model *model, ib_Arena *arena, int *count)
{
    int all, used = 0;
    const ib_LiveParam *live = ib_live_params(model, arena, &all);
    ib_LiveParam *params = all > 0 ? ib_arena_array(arena, (size_t)all, sizeof *params) : NULL;
    for (int i = 0; params && i < all; i++) {
        const ib_RobotModel *robot = &model->robots[live[i].robot];
        const char *key = live[i].param->key;
        bool idle = ib_schema_idle(&robot->kind->params, robot->config, key) != NULL;
        if (!idle && !is_stand_in(live[i].param, ib_live_param_value(model, &live[i])))
            params[used++] = live[i];
    }
    *count = used;
    return used > 0 ? params : NULL;
}

static void put_words(ib_Json *json, const char *const *words)
{
    if (!words) {
        put_null(json, "words");
        return;
    }
    ib_json_open(json, "words", '[');
    for (; *words; words++) put_text(json, NULL, *words);
    ib_json_close(json, ']');
}

static const double NO_LIMIT = 1e300; ///< a bound beyond it is none

static void put_input(ib_Json *json, int robot, int index, const ib_InputDef *def)
{
    ib_json_open(json, NULL, '{');
    ib_json_integer(json, "robot", robot);
    ib_json_integer(json, "index", index);
    put_text(json, "name", def->name);
    put_text(json, "unit", def->unit);
    ib_json_number(json, "low", def->low > -NO_LIMIT ? def->low : NAN);
    ib_json_number(json, "high", def->high < NO_LIMIT ? def->high : NAN);
    ib_json_number(json, "neutral", def->neutral);
    put_text(json, "sentence", def->sentence);
    put_words(json, def->words);
    ib_json_flag(json, "held", (def->held && !def->button) || def->kept);
    ib_json_flag(json, "button", def->button);
    ib_json_integer(json, "set", def->set);
    const char *axis = ib_drive_axis_name(def->axis);
    if (axis)
        put_text(json, "axis", axis);
    else
        put_null(json, "axis");
    ib_json_close(json, '}');
}

static void put_robots(ib_Json *json, const ib_Model *model)
{
    ib_json_open(json, "robots", '[');
    for (int i = 0; i < model->robot_count; i++) {
        ib_json_open(json, NULL, '{');
        put_text(json, "name", model->robots[i].name);
        put_text(json, "kind", model->robots[i].kind->name);
        ib_json_close(json, '}');
    }
    ib_json_close(json, ']');
    ib_json_open(json, "inputs", '[');
    for (int i = 0; i < model->robot_count; i++)
        for (int k = 0; k < model->robots[i].ports.input_count; k++)
            if (ib_seats_may_drive(model, i, k))
                put_input(json, i, k, &model->robots[i].ports.inputs[k]);
    ib_json_close(json, ']');
}

static void put_parameters(ib_Json *json, const ib_HelloModel *hello)
{
    ib_json_open(json, "parameters", '[');
    for (int i = 0; i < hello->param_count; i++) {
        const ib_LiveParam *own = &hello->params[i];
        double value = ib_live_param_value(hello->scenario->model, own);
        ib_ParamRange range = ib_param_range(own->param->min, own->param->max, value);
        ib_json_open(json, NULL, '{');
        put_text(json, "path", own->path);
        put_text(json, "unit", ib_schema_unit(own->param->unit, NULL));
        ib_json_number(json, "low", range.low);
        ib_json_number(json, "high", range.high);
        ib_json_number(json, "min", own->param->min);
        ib_json_number(json, "max", own->param->max);
        ib_json_number(json, "value", value);
        ib_json_number(json, "initial", value);
        put_text(json, "sentence", own->param->sentence);
        ib_json_close(json, '}');
    }
    ib_json_close(json, ']');
}

static const ib_SignalMeaning *signal_means(const void *table, int index)
{
    return &((const ib_SignalTable *)table)->items[index].means;
}

static const char *signal_name(const void *items, int index)
{
    return ((const ib_SignalTable *)items)->items[index].name;
}

typedef struct ModelParts {
    const ib_HelloModel *hello;
    const ib_Geometry *geometry;
} ModelParts;

static void write_model(ib_Json *json, const void *self)
{
    const ModelParts *parts = self;
    const ib_Scenario *scenario = parts->hello->scenario;
    const ib_SignalTable *signals = &scenario->model->signals;
    put_head(json, "live", scenario->yaml.title, parts->hello->path);
    ib_json_number(json, "duration", ib_time_to_seconds(scenario->sim.duration));
    ib_json_number(json, "step", parts->hello->step);
    ib_json_open(json, "signals", '[');
    for (int i = 0; i < signals->count; i++)
        put_signal(json, signals->items[i].name, signals->items[i].unit, signals->items[i].sentence,
                   &signals->items[i].means);
    ib_json_close(json, ']');
    put_robots(json, scenario->model);
    put_parameters(json, parts->hello);
    ib_geometry_write(parts->geometry, "geometry", json);
    ib_json_open(json, "expectations", '[');
    for (int i = 0; i < scenario->expectation_count; i++)
        put_text(json, NULL, scenario->expectations[i].text);
    ib_json_close(json, ']');
    const Table table = {signals, signals->count, signal_name, signal_means};
    put_routines(json, &table);
    put_suggested(json, signals, signals->count, signal_means);
}

const char *ib_hello_model(const ib_HelloModel *hello, ib_Arena *arena)
{
    ModelParts parts = {hello, ib_model_geometry(hello->scenario->model, arena)};
    return parts.geometry ? write_object(write_model, &parts, arena) : NULL;
}

// --------------------------------------------------------------------------------------------- log

typedef struct LogParts {
    const ib_HelloLog *hello;
    const ib_Log *log;
    ib_Arena *arena;
} LogParts;

static const char *fact(const ib_Log *log, const char *key)
{
    for (int i = 0; i < log->fact_count; i++)
        if (strcmp(log->facts[i].key, key) == 0) return log->facts[i].value;
    return NULL;
}

static const ib_SignalMeaning *series_means(const void *table, int index)
{
    return &((const ib_LogSeries *)table)[index].means;
}

static const char *series_name(const void *items, int index)
{
    return ((const ib_LogSeries *)items)[index].name;
}

// The name of a robot's signal of this role in a recording; NULL: none.
static const char *name_of(const ib_Log *log, const char *robot, ib_SignalRole role)
{
    for (int i = 0; i < log->series_count; i++) {
        const ib_LogSeries *series = &log->series[i];
        if (series->means.role == role && ib_meaning_is_of(&series->means, robot))
            return series->name;
    }
    return NULL;
}

static void put_log_robots(ib_Json *json, const ib_Log *log)
{
    ib_json_open(json, "robots", '[');
    for (int i = 0; i < log->series_count; i++) {
        if (log->series[i].means.role != IB_ROLE_POSE_X) continue;
        ib_json_open(json, NULL, '{');
        put_text(json, "name", log->series[i].means.robot);
        ib_json_text(json, "kind", "");
        ib_json_close(json, '}');
    }
    ib_json_close(json, ']');
}

// The geometry of a recording without one: a block with a nose for every pose.
static void put_plain_geometry(ib_Json *json, const LogParts *parts)
{
    static const double nose_x[] = {0.1, 0.3, 0.1}, nose_y[] = {0.15, 0, -0.15};
    size_t most = (size_t)parts->log->series_count + 1;
    ib_FrameDef *frames = ib_arena_array(parts->arena, most, sizeof *frames);
    ib_SolidDef *solids = ib_arena_array(parts->arena, 2 * most, sizeof *solids);
    ib_Geometry geometry = {.frames = frames, .solids = solids};
    for (int i = 0; frames && solids && i < parts->log->series_count; i++) {
        const ib_LogSeries *x = &parts->log->series[i];
        if (x->means.role != IB_ROLE_POSE_X) continue;
        const char *robot = x->means.robot ? x->means.robot : "";
        const char *frame = ib_arena_format(parts->arena, "%s%sbody", robot, robot[0] ? "." : "");
        if (!frame) return;
        frames[geometry.frame_count++] =
            (ib_FrameDef){.name = frame,
                          .move = {x->name, name_of(parts->log, robot, IB_ROLE_POSE_Y), NULL},
                          .turn = {name_of(parts->log, robot, IB_ROLE_POSE_HEADING), NULL, NULL},
                          .body = true};
        solids[geometry.solid_count++] = (ib_SolidDef){.name = "robot",
                                                       .frame = frame,
                                                       .form = IB_SOLID_BOX,
                                                       .place = {0, 0, 0.1},
                                                       .size = {0.7, 0.6, 0.2},
                                                       .colour = 0x6b7c93};
        solids[geometry.solid_count++] = (ib_SolidDef){.name = "front",
                                                       .frame = frame,
                                                       .form = IB_SOLID_POLYGON,
                                                       .place = {0, 0, 0.2},
                                                       .size = {0.02, 0, 0},
                                                       .corner_count = 3,
                                                       .corner_x = nose_x,
                                                       .corner_y = nose_y,
                                                       .colour = 0xf2b134};
    }
    ib_geometry_write(&geometry, "geometry", json);
}

static void write_log(ib_Json *json, const void *self)
{
    const LogParts *parts = self;
    const ib_Log *log = parts->log;
    const char *title = fact(log, "title"), *geometry = fact(log, "geometry");
    put_head(json, "replay", title ? title : parts->hello->path, parts->hello->path);
    ib_json_number(json, "duration", parts->hello->duration);
    ib_json_number(json, "step", parts->hello->step);
    ib_json_open(json, "signals", '[');
    for (int i = 0; i < log->series_count; i++)
        put_signal(json, log->series[i].name, log->series[i].unit, log->series[i].sentence,
                   &log->series[i].means);
    ib_json_close(json, ']');
    put_log_robots(json, log);
    static const char *const none[] = {"inputs", "parameters", "expectations"};
    for (int i = 0; i < 3; i++) {
        ib_json_open(json, none[i], '[');
        ib_json_close(json, ']');
    }
    if (geometry)
        put_text(json, "geometry_text", geometry);
    else
        put_plain_geometry(json, parts);
    const Table table = {log->series, log->series_count, series_name, series_means};
    put_routines(json, &table);
    put_suggested(json, log->series, log->series_count, series_means);
}

const char *ib_hello_log(const ib_HelloLog *hello, ib_Arena *arena)
{
    LogParts parts = {hello, hello->log, arena};
    return write_object(write_log, &parts, arena);
}
