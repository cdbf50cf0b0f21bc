// scenario/wave.c: `{wave: sine, mean: 22 mm, amplitude: 10 mm, angular_frequency: 5 rad/s}`, an
// input that goes up and down.
#include "sim/input/wave.h"
#include "base/quote.h"
#include "scenario/scenario_inside.h"
#include "scenario/schemas.h"

#include <string.h>

#define PI 3.14159265358979323846

typedef struct Config {
    int shape;
    double frequency, angular_frequency, period; ///< one of them; the others 0
    double phase;                                ///< [rad]
    double start, end, ramp, growth;
} Config;

static const char *const shapes[] = {"sine", "square", "triangle", "trapezoid", "chirp", NULL};
static const char *const rates[] = {"frequency", "angular_frequency", "period", NULL};

#define RATE(key, unit, least, most, field, sentence)                                              \
    IB_PARAM_ROW(key, IB_PARAM_NUMBER, unit, "0 " unit, least, most, rates, Config, field, false,  \
                 sentence)
#define NUMBER(key, unit, fallback, min, max, field, sentence)                                     \
    IB_NUMBER_ROW(key, unit, fallback, min, max, field, sentence)

static const ib_Param params[] = {
    {"wave", IB_PARAM_CHOICE, "1", NULL, 0, 0, shapes, offsetof(Config, shape), false,
     "its shape; each begins at the mean and goes up, a square begins high"},
    RATE("frequency", "Hz", 0, IB_WAVE_MOST, frequency,
         "cycles in a second; of a chirp at its start"),
    RATE("angular_frequency", "rad/s", 0, 2 * PI * IB_WAVE_MOST, angular_frequency,
         "the same as an angle in a second"),
    RATE("period", "s", 0, 1e9, period, "the same as the time of a cycle"),
    NUMBER("phase", "rad", "0 deg", -1e6, 1e6, phase, "how far it is in its cycle at its start"),
    NUMBER("start", "s", "0 s", 0, 1e7, start, "before it stands where it starts"),
    IB_PARAM_ROW("end", IB_PARAM_LIMIT, "s", "never", 0, 1e7, "never", Config, end, false,
                 "from then on it stays where it is; a chirp needs one"),
    NUMBER("ramp", "s", "0 s", 0, 1e9, ramp, "time of each flank of a trapezoid"),
    NUMBER("growth", "1", "10", 1e-6, 1e6, growth,
           "frequency of a chirp at its end, in those of its start"),
};

static const char *idle(const void *config_, const char *key)
{
    const Config *config = config_;
    if (strcmp(key, "ramp") == 0) return config->shape == IB_WAVE_TRAPEZOID ? NULL : "wave";
    if (strcmp(key, "growth") == 0) return config->shape == IB_WAVE_CHIRP ? NULL : "wave";
    return NULL;
}

const ib_Schema ib_wave_schema = {
    .params = params, .count = sizeof params / sizeof params[0], .idle = idle};

bool ib__node_is_wave(const ib_Node *node)
{
    return node->type == IB_NODE_MAP && ib_node_get(node, "wave");
}

// Mean and amplitude, in the unit of the input.
static bool read_sizes(ib_Reader *reader, const ib_Node *node, const ib_InputDef *input,
                       ib_Wave *wave)
{
    const ib_Node *mean = ib_node_get(node, "mean"), *size = ib_node_get(node, "amplitude");
    bool good = !mean || ib_read_number(reader, mean, input->unit, false, &wave->mean);
    if (!size)
        ib_wrong_gap(reader, node, "'amplitude' is missing: expected half of its height, %s",
                     "in the unit of the input");
    return good && size && ib_read_number(reader, size, input->unit, true, &wave->amplitude);
}

static ib_Time time_of(double seconds)
{
    return seconds > 1e7 ? IB_TIME_NEVER : ib_time_from_seconds(seconds);
}

// A mistake that `error` begins with the key of, at that key's value or else at the map.
static void refuse(ib_Reader *reader, const ib_Node *node, const ib_Error *error)
{
    size_t length = strcspn(error->text, ":");
    const ib_Node *at = NULL;
    for (const ib_Node *child = node->first; child && !at; child = child->next)
        if (strlen(child->key) == length && strncmp(child->key, error->text, length) == 0)
            at = child;
    for (int i = 0; rates[i] && !at && strncmp(error->text, rates[0], length) == 0; i++)
        at = ib_node_get(node, rates[i]);
    if (at)
        ib_wrong_value(reader, at, "%s", error->text + length + 2);
    else
        ib_wrong_gap(reader, node, "%s", error->text);
}

// A square is the one that switches, and needs a number to switch to.
static bool check_input(ib_Reader *reader, const ib_Node *node, const ib_InputDef *input,
                        const Config *config)
{
    const ib_Node *shape = ib_node_get(node, "wave");
    if (input->words)
        ib_wrong_value(reader, shape,
                       "'%s' has words, no waves: expected a timeline [[time, %s], …]", input->name,
                       input->words[0]);
    else if (input->held && config->shape != IB_WAVE_SQUARE)
        ib_wrong_value(reader, shape, "'%s' never ramps: expected a square, got '%s'", input->name,
                       ib_quote(shape->text).text);
    return !input->words && (!input->held || config->shape == IB_WAVE_SQUARE);
}

void ib__read_wave(ib_Reader *reader, const ib_Node *node, const ib_InputDef *input,
                   ib_Timeline *timeline)
{
    static const char *const others[] = {"mean", "amplitude", NULL};
    Config config;
    ib_Error error;
    int before = ib_diagnostics_seen(reader->diagnostics);
    ib_Wave *wave = ib_arena_array(reader->arena, 1, sizeof *wave);
    ib_Time *start = ib_arena_array(reader->arena, 1, sizeof *start);
    double *first = ib_arena_array(reader->arena, 1, sizeof *first), slope;
    if (!wave || !start || !first) {
        ib_wrong_value(reader, node, "out of memory");
        return;
    }
    ib_read_schema(reader, node, &ib_wave_schema, others, &config);
    bool sized = read_sizes(reader, node, input, wave);
    if (ib_diagnostics_seen(reader->diagnostics) != before || !sized || node->refused) return;
    if (!check_input(reader, node, input, &config)) return;
    wave->shape = (ib_WaveShape)config.shape;
    wave->frequency = config.frequency + config.angular_frequency / (2 * PI) +
                      (config.period > 0 ? 1 / config.period : 0);
    wave->phase = config.phase / (2 * PI);
    wave->ramp = config.ramp;
    wave->growth = config.growth;
    wave->start = time_of(config.start);
    wave->end = time_of(config.end);
    bool timed =
        ib_node_get(node, rates[0]) || ib_node_get(node, rates[1]) || ib_node_get(node, rates[2]);
    if (!timed) {
        ib_wrong_gap(reader, node,
                     "'frequency' is missing: expected it in Hz, angular_frequency in rad/s, or "
                     "period in s");
    } else if (ib_wave_check(wave, &error) != IB_OK) {
        refuse(reader, node, &error);
    } else {
        ib_wave_read(wave, wave->start, first, &slope);
        *start = wave->start;
        *timeline = (ib_Timeline){.count = 1, .times = start, .values = first, .wave = wave};
    }
}
