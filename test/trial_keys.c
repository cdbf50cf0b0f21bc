// test/trial_keys.c: every key that `ironbird list` shows at its default, at the ends of its range
// and just inside, with every choice that stands beside or above it, through `run` or `design`.
// Further cases are pairs of keys of one table, drawn by their number.
#include "key_hosts.h"
#include "trial.h"

#include "file/catalogue.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VALUES = 64, ENDS = 3, SETTINGS = 8, HOSTS = 128, STOP_SECONDS = 1 };

typedef struct Setting {
    char text[256]; ///< "PATH=YAML"
} Setting;

// Words that one key can have.
typedef struct Values {
    int count;
    char text[VALUES][160];
} Values;

// One key at one value beside one choice.
typedef struct Case {
    int count;
    Setting settings[SETTINGS];
} Case;

static struct {
    ib_Arena arena;
    ib_Schema schemas[HOSTS];
    uint64_t cases[HOSTS];      ///< of each host
    uint64_t *key_cases[HOSTS]; ///< of each of its keys
    uint64_t total;
    int hosts;
} all;

// ------------------------------------------------------------------------------------------ values

static void add(Values *values, const char *text)
{
    for (int i = 0; i < values->count; i++)
        if (strcmp(values->text[i], text) == 0) return;
    if (values->count < VALUES)
        snprintf(values->text[values->count++], sizeof values->text[0], "%s", text);
}

static const char *number(double value, const char *unit, char text[64])
{
    bool difference, pure;
    unit = ib_schema_unit(unit, &difference);
    pure = strcmp(unit, "1") == 0;
    snprintf(text, 64, "%.17g%s%s", value, pure ? "" : " ", pure ? "" : unit);
    return text;
}

static void add_number(Values *values, const ib_Param *param, double value)
{
    char text[64];
    if (value >= param->min && value <= param->max) add(values, number(value, param->unit, text));
}

// Both ends, the numbers next to them, and a few that a person might try.
static void add_numbers(Values *values, const ib_Param *param)
{
    add_number(values, param, param->min);
    add_number(values, param, param->max);
    if (param->type == IB_PARAM_COUNT) {
        add_number(values, param, param->min + 1);
        add_number(values, param, param->max - 1);
        return;
    }
    add_number(values, param, nextafter(param->min, param->max));
    add_number(values, param, nextafter(param->max, param->min));
    static const double few[] = {0, 1e-9, 1e-3, 1, 1e3};
    for (size_t i = 0; i < sizeof few / sizeof few[0]; i++) add_number(values, param, few[i]);
}

static void add_pair(Values *values, const ib_Param *param, double low, double high)
{
    char text[160], first[64], second[64];
    snprintf(text, sizeof text, "[%s, %s]", number(low, param->unit, first),
             number(high, param->unit, second));
    add(values, text);
}

static void add_pairs(Values *values, const ib_Param *param)
{
    double min = param->min, max = param->max;
    add_pair(values, param, min, max);
    add_pair(values, param, min, nextafter(min, max));
    add_pair(values, param, nextafter(max, min), max);
    add_pair(values, param, -0.0, 1e-9);
}

// Rows whose x lie far apart and close together, with values at the ends.
static void add_tables(Values *values, const ib_Param *param)
{
    static const double scales[] = {1, 1e-300, 1e150, 1e-6};
    const ib_TableDef *def = param->detail;
    double ends[] = {param->min < param->max ? param->min : -1, param->max};
    if (!(param->min < param->max)) ends[1] = 1e6;
    for (size_t i = 0; i < sizeof scales / sizeof scales[0]; i++) {
        char text[160] = "[", cell[64];
        for (int row = 0; row < def->rows || row < 2; row++) {
            size_t used = strlen(text);
            snprintf(text + used, sizeof text - used, "%s[%s", row ? ", " : "",
                     number(scales[i] * row, def->units[0], cell));
            for (int column = 1; column < def->columns; column++) {
                used = strlen(text);
                snprintf(text + used, sizeof text - used, ", %s",
                         number(ends[(row + column) % 2], def->units[column], cell));
            }
            used = strlen(text);
            snprintf(text + used, sizeof text - used, "]");
        }
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "]");
        if (used < sizeof text - 2) add(values, text);
    }
}

static void add_names(Values *values, const ib_PresetDef *def)
{
    const ib_DataFile *file = def->file ? ib_catalogue_find(ib_data_files, def->file) : NULL;
    const char **names = file ? ib_catalogue_names(file, &all.arena) : NULL;
    for (int i = 0; names && names[i]; i++) add(values, names[i]);
    if (!names) add(values, "{}");
    if (def->off) add(values, "off");
}

static void add_words(Values *values, const char *const *words)
{
    for (int i = 0; words[i]; i++) add(values, words[i]);
}

static void add_default(Values *values, const ib_Param *param)
{
    char text[160];
    const char *fallback = param->fallback;
    if (!fallback || !fallback[0] || param->type == IB_PARAM_TABLE) return;
    bool pair = param->type == IB_PARAM_PAIR || param->type == IB_PARAM_SPAN;
    bool off = strcmp(fallback, "off") == 0;
    snprintf(text, sizeof text, pair && !off ? "[%s]" : "%s", fallback);
    add(values, text);
}

static void values_of(const ib_Param *param, Values *values)
{
    static const char *const flags[] = {"true", "false", NULL};
    values->count = 0;
    add_default(values, param);
    switch (param->type) {
    case IB_PARAM_NUMBER:
    case IB_PARAM_COUNT:
        add_numbers(values, param);
        break;
    case IB_PARAM_LIMIT:
        add_numbers(values, param);
        add(values, ib_schema_off(param));
        break;
    case IB_PARAM_CHOICE:
        add_words(values, param->detail);
        break;
    case IB_PARAM_FLAG:
        add_words(values, flags);
        break;
    case IB_PARAM_SPAN:
        add(values, "off");
        add_pairs(values, param);
        break;
    case IB_PARAM_PAIR:
        add_pairs(values, param);
        break;
    case IB_PARAM_TABLE:
        add_tables(values, param);
        break;
    case IB_PARAM_PRESET:
        add_names(values, param->detail);
        break;
    case IB_PARAM_NAMED:
    case IB_PARAM_WORDS:
    case IB_PARAM_FILE:
        break;
    }
}

// ----------------------------------------------------------------------------------------- choices

// Does `choice` stand beside `key` or above it? A law beside it, the name of its motor.
static bool governs(const ib_Param *choice, const char *key)
{
    const char *dot = strrchr(choice->key, '.');
    size_t length = dot ? (size_t)(dot - choice->key) + 1 : 0;
    if (strcmp(choice->key, key) == 0) return false;
    if (choice->type == IB_PARAM_CHOICE || choice->type == IB_PARAM_FLAG)
        return strncmp(choice->key, key, length) == 0;
    length = strlen(choice->key);
    return choice->type == IB_PARAM_PRESET && strncmp(choice->key, key, length) == 0 &&
           key[length] == '.';
}

// Once a path.
static void set(Case *made, const char *prefix, const char *key, const char *value)
{
    char path[128];
    size_t length = (size_t)snprintf(path, sizeof path, "%s%s=", prefix, key);
    for (int i = 0; i < made->count; i++)
        if (strncmp(made->settings[i].text, path, length) == 0) return;
    if (made->count < SETTINGS)
        snprintf(made->settings[made->count++].text, sizeof made->settings[0].text, "%s%s=%s",
                 prefix, key, value);
}

// The parts that a key is of are on, and have the name that they have by default: beside it one
// value may be changed.
static void turn_on(Case *made, const KeyHost *host, const ib_Schema *schema, const char *key,
                    const ib_Param *but)
{
    static Values names;
    for (int i = 0; i < schema->count; i++) {
        const ib_Param *param = &schema->params[i];
        const ib_PresetDef *def = param->detail;
        if (param == but || param->type != IB_PARAM_PRESET || !governs(param, key)) continue;
        bool off = param->fallback && strcmp(param->fallback, "off") == 0;
        names.count = 0;
        add_names(&names, def);
        if (off)
            set(made, host->prefix, param->key, names.text[0]);
        else if (def->file && param->fallback)
            set(made, host->prefix, param->key, param->fallback);
    }
}

// What a choice can be beside another key: of a data file's parts the first and the last.
static void words_of(const ib_Param *choice, Values *words)
{
    values_of(choice, words);
    const ib_PresetDef *def = choice->detail;
    int others = choice->type == IB_PARAM_PRESET ? def->off : words->count;
    for (int i = 1; words->count > others + 2; words->count--)
        memmove(words->text[i], words->text[i + 1],
                (size_t)(words->count - i - 1) * sizeof words->text[0]);
}

// Makes case `number` of a key; false: it has only so many less than `number` as were taken off.
static bool case_of(const KeyHost *host, const ib_Schema *schema, const ib_Param *param,
                    uint64_t *number, Case *made)
{
    static Values values, words;
    values_of(param, &values);
    for (int i = -1; i < schema->count; i++) {
        const ib_Param *choice = i >= 0 ? &schema->params[i] : NULL;
        if (choice && !governs(choice, param->key)) continue;
        words.count = 1;
        if (choice) words_of(choice, &words);
        // Beside a choice a number is at its default and at its ends.
        bool measured = param->type != IB_PARAM_CHOICE && param->type != IB_PARAM_FLAG;
        if (choice && measured && values.count > ENDS) values.count = ENDS;
        uint64_t cases = (uint64_t)(words.count * values.count);
        if (*number >= cases) {
            *number -= cases;
            continue;
        }
        int word = (int)(*number / (uint64_t)values.count);
        made->count = 0;
        turn_on(made, host, schema, param->key, choice);
        if (choice) set(made, host->prefix, choice->key, words.text[word]);
        set(made, host->prefix, param->key, values.text[*number % (uint64_t)values.count]);
        return true;
    }
    return false;
}

// ------------------------------------------------------------------------------------------- cases

static void prepare(void)
{
    if (all.hosts) return;
    for (; key_hosts[all.hosts].table && all.hosts < HOSTS; all.hosts++) {
        int h = all.hosts;
        Case made;
        if (!key_host_schema(&key_hosts[h], &all.arena, &all.schemas[h])) abort();
        all.key_cases[h] =
            ib_arena_alloc(&all.arena, (size_t)all.schemas[h].count * sizeof(uint64_t));
        if (!all.key_cases[h]) abort();
        for (int i = 0; i < all.schemas[h].count; i++) {
            uint64_t past = UINT64_MAX;
            case_of(&key_hosts[h], &all.schemas[h], &all.schemas[h].params[i], &past, &made);
            all.key_cases[h][i] = UINT64_MAX - past;
            all.cases[h] += all.key_cases[h][i];
        }
        all.total += 1 + all.cases[h];
    }
}

static uint64_t count(const Bench *bench)
{
    (void)bench;
    prepare();
    return all.total;
}

static uint64_t next(uint64_t *random) // splitmix64
{
    uint64_t z = *random += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

// The host that has this case, and the case.
static int find_case(uint64_t number, Case *made)
{
    for (int h = 0; h < all.hosts; h++) {
        if (number >= all.cases[h]) {
            number -= all.cases[h];
            continue;
        }
        int i = 0;
        while (number >= all.key_cases[h][i]) number -= all.key_cases[h][i++];
        case_of(&key_hosts[h], &all.schemas[h], &all.schemas[h].params[i], &number, made);
        return h;
    }
    return -1;
}

// Two or three keys of one table, each at a value of its own.
static int draw_case(uint64_t number, Case *made)
{
    static Values values;
    uint64_t random = number;
    int h = (int)(next(&random) % (uint64_t)all.hosts);
    const ib_Schema *schema = &all.schemas[h];
    made->count = 0;
    for (uint64_t i = 0, keys = 2 + next(&random) % 2; i < keys && schema->count; i++) {
        const ib_Param *param = &schema->params[next(&random) % (uint64_t)schema->count];
        values_of(param, &values);
        turn_on(made, &key_hosts[h], schema, param->key, NULL);
        if (values.count)
            set(made, key_hosts[h].prefix, param->key,
                values.text[next(&random) % (uint64_t)values.count]);
    }
    return h;
}

static bool write_host(const Bench *bench, const KeyHost *host, char path[TRIAL_PATH])
{
    bench_path(bench, "host.yaml", path);
    FILE *file = fopen(path, "w");
    if (!file) return false;
    fputs(host->text, file);
    return fclose(file) == 0;
}

static bool run(Bench *bench, uint64_t number)
{
    // Neighbours have much in common: a step that has no factor in common with the total spreads
    // any range over all hosts.
    static const uint64_t step = 1000003;
    prepare();
    const char *missing = number == 0 ? key_host_missing() : NULL;
    if (missing) printf("not ok keys: %s has no row in test/key_hosts.c\n", missing);
    Case made = {0};
    char path[TRIAL_PATH];
    const char *words[TRIAL_WORDS + 1] = {"run"};
    uint64_t hosts = (uint64_t)all.hosts;
    int h = number < hosts       ? (int)number // as it is
            : number < all.total ? find_case(number * step % (all.total - hosts), &made)
                                 : draw_case(number, &made);
    if (h < 0 || !write_host(bench, &key_hosts[h], path)) return false;
    const KeyHost *host = &key_hosts[h];
    int used = 1;
    if (strcmp(host->table, "desk") == 0) words[0] = "design";
    words[used++] = path;
    for (int i = 0; i < made.count; i++) {
        words[used++] = "--set";
        words[used++] = made.settings[i].text;
    }
    if (strcmp(words[0], "run") == 0) words[used++] = "--all";
    char subject[64];
    snprintf(subject, sizeof subject, "%s %s", host->table, host->kind);
    Tally *tally = bench_tally(bench, "keys", subject);
    tally->cases++;
    int code = bench_call(bench, tally, number, words, words[0][0] == 'r' ? STOP_SECONDS : 0);
    if (number < hosts && code != 0)
        bench_tell(bench, tally, number, words, "nothing was changed, and it ends with", code);
    return true;
}

const Trial keys_trial = {.name = "keys", .count = count, .run = run};
