#include "cli.h"

#include "base/word.h"
#include "plugins.h"
#include "sim/pool.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

// ------------------------------------------------------------------------------------------ common

// The options that many commands take. --json and --quiet have no sentence that is right for all.
static const Option common_table[] = {
    [COMMON_SET] = {"--set", "PATH=YAML", "change the scenario: robot.mass='120 lb' (repeatable)",
                    .example = "robot.mass='3 kg'", .repeatable = true},
    [COMMON_DURATION] = {"--duration", "TIME", "run for this long: '5 s'"},
    [COMMON_SEED] = {"--seed", "N", "seed of all random values"},
    [COMMON_JOBS] = {"--jobs|-j", "N", "number of threads; default: all cores"},
    [COMMON_PLUGINS] = {"--allow-plugins", NULL,
                        "let the scenario load plug-ins: foreign code in this process"},
    [COMMON_JSON] = {"--json", NULL, ""},
    [COMMON_QUIET] = {"--quiet|-q", NULL, ""},
};

// A row with all that it has from the common table. One with a sentence of its own has its own
// example, too.
static Option row_of(const Options *options, int index)
{
    Option row = options->options[index];
    if (row.common == COMMON_NONE) return row;
    const Option *common = &common_table[row.common];
    row.name = common->name;
    row.value = common->value;
    row.repeatable = common->repeatable;
    if (!row.sentence) {
        row.sentence = common->sentence;
        row.example = common->example;
    }
    return row;
}

static bool is_last(const Option *row)
{
    return !row->name && row->common == COMMON_NONE;
}

static bool take_set(const Options *options, const Option *row, const char *value)
{
    CommonOptions *common = options->common;
    int *count = &common->scenario.override_count;
    char *copy = *count < MAX_OVERRIDES ? ib_arena_text(&common->arena, value) : NULL;
    ib_Override *added = &common->overrides[*count];
    if (copy && ib_override_split(copy, added)) {
        common->scenario.overrides = common->overrides;
        for (int i = 0; i < *count; i++) {
            const char *before = common->overrides[i].path;
            if (!ib_override_covers(added->path, before)) continue;
            if (strcmp(added->path, before) == 0)
                bad_usage(options, "--set: %s is there twice", before);
            else
                bad_usage(options, "--set %s would replace what --set %s says: write it first",
                          added->path, before);
            return false;
        }
        (*count)++;
        return true;
    }
    bad_usage(options, "--set: expected PATH=YAML%s%s, got '%s'", row->example ? ", such as " : "",
              row->example ? row->example : "", value);
    return false;
}

static bool take_seed(const Options *options, const char *value)
{
    ib_ScenarioOptions *scenario = &options->common->scenario;
    scenario->has_seed = read_whole(value, 0, UINT64_C(1) << 53, &scenario->seed);
    if (!scenario->has_seed)
        bad_usage(options, "--seed: expected a whole number from 0 to 2^53, got '%s'", value);
    return scenario->has_seed;
}

static bool take_jobs(const Options *options, const char *value)
{
    uint64_t number = 0;
    bool good = read_whole(value, 1, IB_POOL_MAX_THREADS, &number);
    if (!good)
        bad_usage(options, "--jobs: expected a number from 1 to %d, got '%s'", IB_POOL_MAX_THREADS,
                  value);
    options->common->jobs = (int)number;
    return good;
}

static bool take_common(const Options *options, const Option *row, const char *value)
{
    CommonOptions *common = options->common;
    switch (row->common) {
    case COMMON_SET:
        return take_set(options, row, value);
    case COMMON_SEED:
        return take_seed(options, value);
    case COMMON_JOBS:
        return take_jobs(options, value);
    case COMMON_DURATION:
        common->scenario.duration = value;
        return true;
    case COMMON_PLUGINS:
        common->scenario.plugins = plugins_allow();
        return true;
    case COMMON_JSON:
        return common->json = true;
    case COMMON_QUIET:
        return common->quiet = true;
    case COMMON_NONE:
        break;
    }
    return false;
}

void common_destroy(CommonOptions *common)
{
    ib_arena_reset(&common->arena);
}

// ---------------------------------------------------------------------------------------- messages

static void print_help(const Options *options)
{
    printf("usage: ironbird %s %s\n\n%s\n", options->command, options->usage, options->about);
    printf("\noptions:\n");
    for (int i = 0; !is_last(&options->options[i]); i++) {
        Option option = row_of(options, i);
        char left[80];
        const char *bar = strchr(option.name, '|');
        int length = bar ? (int)(bar - option.name) : (int)strlen(option.name);
        snprintf(left, sizeof left, "%s%s%.*s %s", bar ? bar + 1 : "", bar ? ", " : "", length,
                 option.name, option.value ? option.value : "");
        printf("  %-26s %s\n", left, option.sentence);
    }
    printf("  %-26s %s\n", "-h, --help", "print this help");
    printf("\nexample:\n  %s\n", options->example);
}

int bad_usage(const Options *options, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char text[IB_ERROR_TEXT];
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    ib_tell(stderr, "ironbird %s: %s; 'ironbird %s --help' shows how\n", options->command, text,
            options->command);
    return EXIT_BAD_INPUT;
}

static int unknown_option(const Options *options, const char *word, size_t length)
{
    char given[64] = "", known[32][32];
    const char *words[33] = {0};
    snprintf(given, sizeof given, "%.*s", (int)length, word);
    for (int i = 0; i < 32 && !is_last(&options->options[i]); i++) {
        Option option = row_of(options, i);
        snprintf(known[i], sizeof known[i], "%.*s", (int)strcspn(option.name, "|"), option.name);
        words[i] = known[i];
    }
    bad_usage(options, "unknown option '%s'%s", given, ib_word_hint(';', given, words).text);
    return OPTION_ERROR;
}

// ------------------------------------------------------------------------------------ command line

// True if `word` (of `length` characters) is the option's name or its alias.
static bool is_option(const Option *option, const char *word, size_t length)
{
    for (const char *name = option->name; name;) {
        const char *bar = strchr(name, '|');
        size_t size = bar ? (size_t)(bar - name) : strlen(name);
        if (size == length && strncmp(name, word, length) == 0) return true;
        name = bar ? bar + 1 : NULL;
    }
    return false;
}

// An option that was found, with its value: OPTION_END where it needs no more.
static int deliver(const Options *options, const Option *option, const char *value)
{
    if (option->common != COMMON_NONE)
        return take_common(options, option, value) ? OPTION_END : OPTION_ERROR;
    char *place = (char *)options->request + option->offset;
    if (option->target == TARGET_COMMAND) return option->item;
    if (option->target == TARGET_TEXT)
        memcpy(place, &value, sizeof value);
    else
        *(bool *)place = true;
    return OPTION_END;
}

// A second value would be dropped without notice. A repeated flag is harmless.
static bool is_second(Options *options, int index, const Option *option)
{
    uint64_t bit = UINT64_C(1) << index;
    bool given = (options->given & bit) != 0;
    options->given |= bit;
    return given && option->value && !option->repeatable;
}

// The option in row `index`, which `word` begins with its first `length` characters; its value is
// behind a '=', of one letter right behind it (-j4), or the next word.
static int take_row(Options *options, int index, const char *word, size_t length,
                    const char **value)
{
    Option option = row_of(options, index);
    bool joined = word[length] != '\0';
    *value = joined ? word + length + (word[length] == '=') : NULL;
    if (!option.value) {
        if (!joined) return deliver(options, &option, NULL);
        bad_usage(options, "%.*s takes no value", (int)length, word);
        return OPTION_ERROR;
    }
    if (!joined && options->next < options->argc) *value = options->argv[options->next++];
    if (!*value) {
        bad_usage(options, "%s needs a value: %s", word, option.value);
        return OPTION_ERROR;
    }
    if (!is_second(options, index, &option)) return deliver(options, &option, *value);
    bad_usage(options, "%.*s is there twice: '%s' is one too many", (int)length, word, *value);
    return OPTION_ERROR;
}

// The option that `word` begins.
static int take_option(Options *options, const char *word, const char **value)
{
    bool letter = word[1] != '-';
    size_t length = letter ? 2 : strcspn(word, "="), all = letter ? strlen(word) : length;
    for (int i = 0; !is_last(&options->options[i]); i++) {
        Option option = row_of(options, i);
        IB_ASSERT(i < 64); // options->given has a bit for each
        // One dash too few is not a letter with its value: -output, -quiet.
        bool meant = all == length || (option.value && strncmp(option.name + 1, word, all) != 0);
        if (meant && is_option(&option, word, length))
            return take_row(options, i, word, length, value);
    }
    return unknown_option(options, word, all);
}

int options_next(Options *options, const char **value)
{
    if (options->next == 0) options->next = 1;
    while (options->next < options->argc) {
        const char *word = options->argv[options->next++];
        *value = word;
        if (options->only_arguments || word[0] != '-' || !word[1]) return OPTION_ARGUMENT;
        if (strcmp(word, "--") == 0) {
            options->only_arguments = true;
            continue;
        }
        if (strcmp(word, "-h") == 0 || strcmp(word, "--help") == 0) {
            print_help(options);
            return OPTION_HELP;
        }
        int item = take_option(options, word, value);
        if (item != OPTION_END) return item;
    }
    return OPTION_END;
}

bool options_take(Options *options,
                  bool (*take)(const Options *options, int item, const char *value), int *code)
{
    const char *value;
    for (int item; (item = options_next(options, &value)) != OPTION_END;) {
        *code = item == OPTION_HELP ? EXIT_DONE : EXIT_BAD_INPUT;
        if (item == OPTION_HELP || item == OPTION_ERROR || !take(options, item, value))
            return false;
    }
    *code = EXIT_DONE;
    return true;
}

bool take_only(const Options *options, const char *what, const char *word, const char **taken)
{
    if (*taken) {
        bad_usage(options, "one %s at a time: '%s' is one too many", what, word);
        return false;
    }
    *taken = word;
    return true;
}

bool read_whole(const char *text, uint64_t low, uint64_t high, uint64_t *value)
{
    char *end;
    if (text[0] < '0' || text[0] > '9') return false;
    unsigned long long number = strtoull(text, &end, 10);
    *value = number;
    return !*end && end - text <= 16 && number >= low && number <= high;
}
