// desk/design/design_knobs_turn.c: applies turned knobs: overrides of the file, a trial, and the
// changed blocks as YAML.
#include "base/extreme.h"
#include "base/units.h"
#include "desk/design/design_inside.h"
#include "desk/design/design_knobs.h"
#include "file/yaml.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The overrides of one turn: the caller's own, then those of the knobs.
typedef struct Turn {
    const ib_DesignKnobs *knobs;
    const double *values;
    ib_Arena arena;
    ib_Override *overrides;
    int count, own; ///< the knobs' begin at `own`
    bool short_of_memory;
} Turn;

// --------------------------------------------------------------------------------------- overrides

static void put_number(FILE *file, double value)
{
    char text[40];
    ib_number_format(value, text, sizeof text);
    fputs(text, file);
}

static void put_value(FILE *file, const ib_Knob *knob, double value)
{
    put_number(file, value);
    if (knob->unit[0]) fprintf(file, " %s", knob->unit);
}

// [0.9, 0.8+0.1i, 0.8-0.1i]: from the knob of the first real part on.
static void put_poles(FILE *file, const ib_Knob *first, const double *values, int left)
{
    const char *before = "[";
    for (int i = 0; i + 1 < left && strcmp(first[i].path, first->path) == 0; i += 2) {
        fputs(before, file);
        before = ", ";
        put_number(file, values[i]);
        if (values[i + 1] == 0) continue;
        fputs(values[i + 1] < 0 ? "-" : "+", file);
        put_number(file, fabs(values[i + 1]));
        fputc('i', file);
    }
    fputc(']', file);
}

// Writes rows, or the plain diagonal of a diagonal matrix; one row is a list.
static void put_matrix(FILE *file, int rows, int columns, const double *a)
{
    bool plain = true;
    for (int i = 0; rows > 1 && i < rows * columns; i++)
        plain &= i / columns == i % columns || a[i] == 0;
    int step = rows > 1 && plain ? columns + 1 : 1;
    fputs("[", file);
    for (int i = 0; i < rows * columns; i += step) {
        bool begins = !plain && i % columns == 0;
        fputs(i == 0 ? "" : begins ? "], " : ", ", file);
        if (begins) fputc('[', file);
        put_number(file, a[i]);
    }
    fputs(plain ? "]" : "]]", file);
}

// Writes the file's matrix, scaled, or with the turned elements of its diagonal.
static void put_changed(FILE *file, const ib_Knob *first, const double *values, int left)
{
    double a[IB_STATES_MAX * IB_STATES_MAX];
    int size = first->rows * first->columns;
    double factor = first->role == IB_KNOB_SCALE ? values[0] : 1;
    for (int i = 0; i < size; i++) a[i] = factor * first->matrix[i];
    for (int i = 0; first->role == IB_KNOB_WEIGHT && i < left; i++)
        if (strcmp(first[i].path, first->path) == 0)
            a[first[i].index * (first->columns + 1)] = values[i];
    put_matrix(file, first->rows, first->columns, a);
}

// True if any of the consecutive knobs at this path is turned.
static bool is_turned(const Turn *turn, int at, bool also_always)
{
    const ib_Knob *knobs = turn->knobs->knobs;
    for (int i = at; i < turn->knobs->count && strcmp(knobs[i].path, knobs[at].path) == 0; i++)
        if (turn->values[i] != knobs[i].value || (also_always && knobs[i].always)) return true;
    return false;
}

static bool begins(const Turn *turn, int at)
{
    const ib_Knob *knobs = turn->knobs->knobs;
    return at == 0 || strcmp(knobs[at - 1].path, knobs[at].path) != 0;
}

// Adds a turned knob as an override of the file: the path, and its new value as YAML.
static void add_override(Turn *turn, int at)
{
    const ib_Knob *knob = &turn->knobs->knobs[at];
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    if (!file) {
        turn->short_of_memory = true;
        return;
    }
    if (knob->role == IB_KNOB_POLE)
        put_poles(file, knob, turn->values + at, turn->knobs->count - at);
    else if (knob->role == IB_KNOB_VALUE)
        put_value(file, knob, turn->values[at]);
    else
        put_changed(file, knob, turn->values + at, turn->knobs->count - at);
    bool written = fclose(file) == 0;
    const char *yaml = written ? ib_arena_text_n(&turn->arena, text, size) : NULL;
    free(text);
    if (yaml) turn->overrides[turn->count++] = (ib_Override){knob->path, yaml};
    turn->short_of_memory |= yaml == NULL;
}

// `also_always`: with values missing in the file. False without memory.
static bool make_turn(Turn *turn, const ib_DesignKnobs *knobs, const double *values,
                      bool also_always)
{
    const ib_ScenarioOptions *options = &knobs->options;
    size_t own = (size_t)options->override_count;
    *turn = (Turn){.knobs = knobs, .values = values, .count = (int)own, .own = (int)own};
    turn->overrides =
        ib_arena_array(&turn->arena, own + (size_t)knobs->count + 1, sizeof *turn->overrides);
    if (!turn->overrides) return false;
    if (own) memcpy(turn->overrides, options->overrides, own * sizeof *turn->overrides);
    for (int i = 0; i < knobs->count; i++) {
        bool in_file = knobs->knobs[i].role < IB_KNOB_PUSH;
        if (in_file && begins(turn, i) && is_turned(turn, i, also_always)) add_override(turn, i);
    }
    return !turn->short_of_memory;
}

ib_DesignFile *ib_design_knobs_turn(const ib_DesignKnobs *knobs, const double *values,
                                    ib_Diagnostics *diagnostics)
{
    Turn turn;
    ib_DesignFile *design = NULL;
    if (make_turn(&turn, knobs, values, true)) {
        ib_ScenarioOptions options = knobs->options;
        options.overrides = turn.overrides;
        options.override_count = turn.count;
        design = ib_design_file_read_text(knobs->file, knobs->text, knobs->length, &options,
                                          diagnostics);
    } else {
        ib_diagnostics_add(diagnostics, (ib_Place){knobs->file, 1, 1}, "out of memory");
    }
    ib_arena_reset(&turn.arena);
    return design;
}

// ------------------------------------------------------------------------------------------- trial

ib_Trial ib_design_knobs_trial(const ib_DesignKnobs *knobs, const double *values,
                               const ib_DesignFile *design, int gear)
{
    const ib_DesignGear *entry = &design->gears[gear];
    int p = entry->design.plant.outputs;
    ib_Trial trial = {.loop = design->loop,
                      .gear = gear,
                      .duration = design->trial.duration,
                      .seed = 1,
                      .push_at = 0.5 * design->trial.duration,
                      .latency = entry->config.latency,
                      .known_start = true};
    memcpy(trial.start, design->trial.start, sizeof trial.start);
    memcpy(trial.goal, design->trial.goal, sizeof trial.goal);
    for (int i = 0; i < knobs->count; i++) {
        const ib_Knob *knob = &knobs->knobs[i];
        if (knob->role == IB_KNOB_PUSH) trial.push[knob->index] = values[i];
        for (int k = 0; knob->role == IB_KNOB_NOISE && entry->design.kalman && k < p; k++)
            trial.noise[k] = ib_max(values[i], 0) * sqrt(entry->design.Rd[k * p + k]);
    }
    return trial;
}

// -------------------------------------------------------------------------------------------- YAML

// Writes a text plain if YAML gives none of it a meaning, else in double quotes.
static void put_scalar(FILE *file, const char *text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                " ./+*^_";
    size_t length = strlen(text), safe = strspn(text, plain);
    // A minus is safe except alone, where it begins an item of a list.
    while (safe < length && text[safe] == '-' && length > 1)
        safe += 1 + strspn(text + safe + 1, plain);
    if (length && safe == length && text[0] != ' ' && text[length - 1] != ' ') {
        fputs(text, file);
        return;
    }
    fputc('"', file);
    for (const char *c = text; *c; c++) {
        if (*c == '"' || *c == '\\') fputc('\\', file);
        if (*c == '\n')
            fputs("\\n", file);
        else
            fputc((unsigned char)*c < ' ' ? ' ' : *c, file);
    }
    fputc('"', file);
}

// Recursion is limited by the levels of a file.
static void put_flow(FILE *file, const ib_Node *node)
{
    if (node->type == IB_NODE_SCALAR) {
        put_scalar(file, node->text);
        return;
    }
    bool map = node->type == IB_NODE_MAP;
    fputc(map ? '{' : '[', file);
    for (const ib_Node *child = node->first; child; child = child->next) {
        if (child != node->first) fputs(", ", file);
        if (map) put_scalar(file, child->key);
        if (map) fputs(": ", file);
        put_flow(file, child);
    }
    fputc(map ? '}' : ']', file);
}

// Writes a map with one entry a line; deeper levels stay on one line.
static void put_block(FILE *file, const ib_Node *node)
{
    fprintf(file, "%s:", node->key);
    if (node->type != IB_NODE_MAP || node->count == 0) {
        fputc(' ', file);
        put_flow(file, node);
        fputc('\n', file);
        return;
    }
    fputc('\n', file);
    for (const ib_Node *child = node->first; child; child = child->next) {
        fputs("  ", file);
        put_scalar(file, child->key);
        fputs(": ", file);
        put_flow(file, child);
        fputc('\n', file);
    }
}

// True if an override of a knob changes this block of the file.
static bool is_touched(const Turn *turn, const char *key)
{
    size_t length = strlen(key);
    for (int i = turn->own; i < turn->count; i++) {
        const char *path = turn->overrides[i].path;
        if (strncmp(path, key, length) == 0 && (path[length] == '.' || !path[length])) return true;
    }
    return false;
}

// The changed blocks of the file as YAML, for a person to copy into the file.
static char *write_blocks(Turn *turn, ib_Arena *arena)
{
    const ib_DesignKnobs *knobs = turn->knobs;
    ib_Diagnostics diagnostics = {.arena = &turn->arena};
    ib_Reader reader = {.file = knobs->file, .arena = &turn->arena, .diagnostics = &diagnostics};
    ib_Node *root =
        ib_yaml_read(knobs->file, knobs->text, knobs->length, &turn->arena, &diagnostics);
    char *text = NULL, *kept = NULL;
    size_t size = 0;
    FILE *file = root ? open_memstream(&text, &size) : NULL;
    if (!file) return NULL;
    ib_apply_overrides(&reader, root, turn->overrides, turn->count);
    // Turned values have the plant's names; the file may have those of signals.
    const ib_Node *schedule = ib_node_get(root, "schedule");
    ib__use_all_names(&reader, root, &knobs->first->gears[0]);
    for (const ib_Node *gear = schedule ? schedule->first : NULL; gear; gear = gear->next)
        ib__use_all_names(&reader, gear, &knobs->first->gears[0]);
    for (const ib_Node *node = root->first; node; node = node->next)
        if (is_touched(turn, node->key)) put_block(file, node);
    if (fclose(file) == 0) kept = ib_arena_text_n(arena, text, size);
    free(text);
    return kept;
}

char *ib_design_knobs_yaml(const ib_DesignKnobs *knobs, const double *values, ib_Arena *arena)
{
    Turn turn;
    char *text = make_turn(&turn, knobs, values, false) ? write_blocks(&turn, arena) : NULL;
    ib_arena_reset(&turn.arena);
    return text;
}
