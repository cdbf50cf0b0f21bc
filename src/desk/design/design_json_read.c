// desk/design/design_json_read.c: the loop of a design's JSON, read back. Sizes, numbers and names
// in the file are checked before use.
#include "base/quote.h"
#include "base/units.h"
#include "desk/design/design_json.h"
#include "file/contents.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

typedef struct Reader {
    ib_Error *error;
    bool wrong;
} Reader;

static void refuse(Reader *reader, const char *key, const char *expected)
{
    if (!reader->wrong)
        ib_error_set(reader->error, IB_BAD_INPUT, "loop.%s: expected %s", key, expected);
    reader->wrong = true;
}

// ------------------------------------------------------------------------------------------ values

static double read_number(Reader *reader, const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    if (!json_is_number(value)) refuse(reader, key, "a number");
    return json_is_number(value) ? json_number_value(value) : 0;
}

static bool read_flag(Reader *reader, const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    if (!json_is_boolean(value)) refuse(reader, key, "true or false");
    return json_is_true(value);
}

// A name that fits, or "".
static void copy_name(Reader *reader, const json_t *value, const char *key,
                      char name[IB_STATE_NAME + 1])
{
    const char *text = json_string_value(value);
    if (!text || strlen(text) > IB_STATE_NAME || strlen(text) != json_string_length(value)) {
        refuse(reader, key, "a name of at most 32 characters");
        return;
    }
    memcpy(name, text, strlen(text) + 1);
}

// Returns their number, 1 to `most`; 0: wrong.
static int read_names(Reader *reader, const json_t *object, const char *key, int most,
                      char (*names)[IB_STATE_NAME + 1])
{
    const json_t *list = json_object_get(object, key);
    size_t count = json_array_size(list);
    if (!json_is_array(list) || count < 1 || count > (size_t)most) {
        refuse(reader, key, "a list of names, not too long");
        return 0;
    }
    for (size_t i = 0; i < count; i++) copy_name(reader, json_array_get(list, i), key, names[i]);
    return (int)count;
}

// Units are for people; older files have none.
static void read_units(Reader *reader, const json_t *object, const char *key, int count,
                       char (*units)[IB_UNIT_NAME + 1])
{
    const json_t *list = json_object_get(object, key);
    if (!list) return;
    bool good = json_is_array(list) && json_array_size(list) == (size_t)count;
    for (int i = 0; good && i < count; i++) {
        const char *unit = json_string_value(json_array_get(list, (size_t)i));
        ib_Dimension dimension;
        good = unit && strlen(unit) <= IB_UNIT_NAME &&
               (!unit[0] || ib_units_dimension(unit, &dimension, NULL) == IB_OK);
        if (good) memcpy(units[i], unit, strlen(unit) + 1);
    }
    if (!good) refuse(reader, key, "a unit of SI for each, or an empty text");
}

// Reads a list of exactly `count` numbers; false: it is none.
static bool take_row(const json_t *row, int count, double *a)
{
    bool good = json_is_array(row) && json_array_size(row) == (size_t)count;
    for (int i = 0; good && i < count; i++) {
        const json_t *value = json_array_get(row, (size_t)i);
        good = json_is_number(value);
        if (good) a[i] = json_number_value(value);
    }
    return good;
}

static void read_vector(Reader *reader, const json_t *object, const char *key, int count, double *a)
{
    char expected[60];
    snprintf(expected, sizeof expected, "%d number%s", count, count == 1 ? "" : "s");
    if (!take_row(json_object_get(object, key), count, a)) refuse(reader, key, expected);
}

static void read_matrix(Reader *reader, const json_t *object, const char *key, int rows,
                        int columns, double *a)
{
    const json_t *matrix = json_object_get(object, key);
    char expected[60];
    snprintf(expected, sizeof expected, "%d row%s of %d number%s", rows, rows == 1 ? "" : "s",
             columns, columns == 1 ? "" : "s");
    bool good = json_is_array(matrix) && json_array_size(matrix) == (size_t)rows;
    for (int i = 0; good && i < rows; i++)
        good = take_row(json_array_get(matrix, (size_t)i), columns, a + i * columns);
    if (!good) refuse(reader, key, expected);
}

// A null limit means none.
static void read_limits(Reader *reader, const json_t *object, const char *key, int count,
                        double none, double *limits)
{
    const json_t *list = json_object_get(object, key);
    bool good = json_is_array(list) && json_array_size(list) == (size_t)count;
    for (int i = 0; good && i < count; i++) {
        const json_t *value = json_array_get(list, (size_t)i);
        good = json_is_number(value) || json_is_null(value);
        limits[i] = json_is_number(value) ? json_number_value(value) : none;
    }
    if (!good) refuse(reader, key, "a number or null for each input");
}

// -------------------------------------------------------------------------------------------- loop

static void read_gear(Reader *reader, const json_t *object, const ib_StateSpace *names,
                      ib_Loop *loop, ib_LoopGear *gear)
{
    int n = loop->states, m = loop->inputs, p = loop->outputs, q = loop->integrals;
    gear->plant = *names;
    copy_name(reader, json_object_get(object, "name"), "gears.name", gear->name);
    read_matrix(reader, object, "A", n, n, gear->plant.A);
    read_matrix(reader, object, "B", n, m, gear->plant.B);
    read_matrix(reader, object, "C", p, n, gear->plant.C);
    read_matrix(reader, object, "D", p, m, gear->plant.D);
    read_matrix(reader, object, "K", m, n, gear->K);
    read_matrix(reader, object, "F", m, n, gear->F);
    read_matrix(reader, object, "G", m, q, gear->G);
    read_matrix(reader, object, "M", n, p, gear->M);
    read_vector(reader, object, "hold", m, gear->hold);
    read_vector(reader, object, "drift", n, gear->drift);
    read_vector(reader, object, "zero", p, gear->zero);
}

static void read_loop(Reader *reader, const json_t *object, ib_Loop *loop)
{
    ib_StateSpace names = {0};
    copy_name(reader, json_object_get(object, "name"), "name", loop->name);
    loop->period = names.period = read_number(reader, object, "period");
    loop->states = names.states = read_names(reader, object, "states", IB_STATES_MAX, names.state);
    loop->inputs = names.inputs = read_names(reader, object, "inputs", IB_INPUTS_MAX, names.input);
    loop->outputs = names.outputs =
        read_names(reader, object, "outputs", IB_OUTPUTS_MAX, names.output);
    loop->observer = read_flag(reader, object, "observer");
    loop->feedforward = read_flag(reader, object, "feedforward");
    loop->offset = read_flag(reader, object, "offset");
    loop->fade = read_number(reader, object, "fade");
    const json_t *Z = json_object_get(object, "Z"), *gears = json_object_get(object, "gears");
    if (!json_is_array(Z) || json_array_size(Z) > IB_INTEGRALS_MAX)
        refuse(reader, "Z", "a row for each integral, not too many");
    if (!json_is_array(gears) || json_array_size(gears) < 1 ||
        json_array_size(gears) > IB_GEARS_MAX)
        refuse(reader, "gears", "1 to 8 gears");
    if (reader->wrong) return; // the sizes are known below
    loop->integrals = (int)json_array_size(Z);
    loop->gears = (int)json_array_size(gears);
    read_matrix(reader, object, "Z", loop->integrals, loop->states, loop->Z);
    read_vector(reader, object, "start", loop->states, loop->start);
    read_units(reader, object, "state_units", loop->states, loop->state_unit);
    read_units(reader, object, "input_units", loop->inputs, loop->input_unit);
    read_limits(reader, object, "low", loop->inputs, -INFINITY, loop->low);
    read_limits(reader, object, "high", loop->inputs, INFINITY, loop->high);
    // Older files do not have it.
    if (json_object_get(object, "largest"))
        read_vector(reader, object, "largest", loop->inputs, loop->largest);
    for (int i = 0; i < loop->gears; i++)
        read_gear(reader, json_array_get(gears, (size_t)i), &names, loop, &loop->gear[i]);
}

ib_Status ib_design_json_read_text(const char *text, size_t length, ib_Loop *loop, ib_Error *error)
{
    json_error_t mistake;
    Reader reader = {.error = error};
    memset(loop, 0, sizeof *loop);
    if (length > IB_DESIGN_JSON_MAX)
        return ib_error_set(error, IB_BAD_INPUT, "more than %d bytes", IB_DESIGN_JSON_MAX);
    json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &mistake);
    if (!root)
        return ib_error_set(error, IB_BAD_INPUT, "%d:%d: not JSON: %s", mistake.line,
                            mistake.column, ib_quote(mistake.text).text);
    const json_t *object = json_object_get(root, "loop");
    if (!json_is_object(object))
        ib_error_set(error, IB_BAD_INPUT,
                     "there is no loop in it: expected the output of `ironbird design FILE --json` "
                     "for a file with lqr or poles");
    else
        read_loop(&reader, object, loop);
    bool good = json_is_object(object) && !reader.wrong;
    json_decref(root);
    return good ? ib_loop_check(loop, error) : IB_BAD_INPUT;
}

ib_Status ib_design_json_read(const char *path, ib_Loop *loop, ib_Error *error)
{
    ib_Arena arena = {0};
    size_t length = 0;
    ib_Error inner = {.text = ""};
    const char *text = ib_contents_load(path, &arena, &length, &inner);
    ib_Status status = text ? ib_design_json_read_text(text, length, loop, &inner) : IB_BAD_INPUT;
    if (status != IB_OK) ib_error_set(error, status, "%s: %s", path, inner.text);
    ib_arena_reset(&arena);
    return status;
}
