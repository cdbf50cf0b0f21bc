#include "cli.h"

#include "base/word.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static void print_help(const Options *options)
{
    printf("usage: ironbird %s %s\n\n%s\n", options->command, options->usage, options->about);
    printf("\noptions:\n");
    for (const Option *option = options->options; option->name; option++) {
        char left[80];
        const char *bar = strchr(option->name, '|');
        int length = bar ? (int)(bar - option->name) : (int)strlen(option->name);
        snprintf(left, sizeof left, "%s%s%.*s %s", bar ? bar + 1 : "", bar ? ", " : "", length,
                 option->name, option->value ? option->value : "");
        printf("  %-26s %s\n", left, option->sentence);
    }
    printf("  %-26s %s\n", "-h, --help", "print this help");
    printf("\nexample:\n  %s\n", options->example);
}

int bad_usage(const Options *options, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "ironbird %s: ", options->command);
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "; 'ironbird %s --help' shows how\n", options->command);
    va_end(arguments);
    return EXIT_BAD_INPUT;
}

// Is `word` (of `length` characters) the option's name or its alias?
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

static int unknown_option(const Options *options, const char *word, size_t length)
{
    char given[64] = "", known[32][32];
    const char *words[33] = {0};
    snprintf(given, sizeof given, "%.*s", (int)length, word);
    for (int i = 0; i < 32 && options->options[i].name; i++) {
        snprintf(known[i], sizeof known[i], "%.*s", (int)strcspn(options->options[i].name, "|"),
                 options->options[i].name);
        words[i] = known[i];
    }
    const char *near = ib_nearest_word(given, words);
    if (near)
        bad_usage(options, "unknown option '%s'; did you mean '%s'?", given, near);
    else
        bad_usage(options, "unknown option '%s'", given);
    return OPTION_ERROR;
}

int options_next(Options *options, const char **value)
{
    if (options->next == 0) options->next = 1;
    if (options->next >= options->argc) return OPTION_END;
    const char *word = options->argv[options->next++];
    *value = word;
    if (options->only_arguments || word[0] != '-' || !word[1]) return OPTION_ARGUMENT;
    if (strcmp(word, "--") == 0) {
        options->only_arguments = true;
        return options_next(options, value);
    }
    if (strcmp(word, "-h") == 0 || strcmp(word, "--help") == 0) {
        print_help(options);
        return OPTION_HELP;
    }
    // "--name value", or "--name=value"
    size_t length = word[1] == '-' ? strcspn(word, "=") : strlen(word);
    for (int i = 0; options->options[i].name; i++) {
        const Option *option = &options->options[i];
        if (!is_option(option, word, length)) continue;
        bool joined = word[length] == '=';
        *value = joined ? word + length + 1 : NULL;
        if (!option->value) {
            if (!joined) return i;
            bad_usage(options, "%.*s takes no value", (int)length, word);
            return OPTION_ERROR;
        }
        if (!joined && options->next < options->argc) *value = options->argv[options->next++];
        if (*value) return i;
        bad_usage(options, "%s needs a value: %s", word, option->value);
        return OPTION_ERROR;
    }
    return unknown_option(options, word, length);
}
