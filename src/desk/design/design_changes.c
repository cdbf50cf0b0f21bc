#include "desk/design/design_changes.h"

#include "base/quote.h"

#include <string.h>

// ---------------------------------------------------------------------------------------- the text

// Adds one KEY=VALUE of the list, `length` characters from `part` on.
static ib_Status add_change(ib_DesignChanges *changes, const char *part, size_t length,
                            ib_Arena *arena, ib_Error *error)
{
    const char *equal = memchr(part, '=', length);
    while (equal > part && *part == ' ') {
        part++;
        length--;
    }
    if (changes->count == IB_DESIGN_CHANGES)
        return ib_error_set(error, IB_BAD_INPUT, "expected at most %d changes", IB_DESIGN_CHANGES);
    char *key = ib_arena_text_n(arena, part, (size_t)(equal - part));
    char *value = ib_arena_text_n(arena, equal + 1, length - (size_t)(equal + 1 - part));
    if (!key || !value) return ib_error_set(error, IB_FAILED, "out of memory");
    if (!key[0] || !value[0])
        return ib_error_set(error, IB_BAD_INPUT, "expected KEY=VALUE, got '%s'",
                            ib_quote_n(part, (int)length).text);
    for (int i = 0; i < changes->count; i++)
        if (ib_override_covers(key, changes->change[i].key))
            return ib_error_set(error, IB_BAD_INPUT, "%s is there twice", changes->change[i].key);
    changes->change[changes->count].key = key;
    changes->change[changes->count++].value = value;
    return IB_OK;
}

// The comma that ends a change: the one before the next part with a '='; NULL: none.
static const char *find_end(const char *text)
{
    for (const char *comma = strchr(text, ','); comma; comma = strchr(comma + 1, ',')) {
        size_t length = strcspn(comma + 1, ",");
        if (memchr(comma + 1, '=', length)) return comma;
    }
    return NULL;
}

ib_Status ib_design_changes_add(ib_DesignChanges *changes, const char *text, ib_Arena *arena,
                                ib_Error *error)
{
    if (!memchr(text, '=', strcspn(text, ",")))
        return ib_error_set(error, IB_BAD_INPUT,
                            "expected changes such as poles=0.9,0.8 or tolerance.x=0.05, got '%s'",
                            ib_quote(text).text);
    for (const char *part = text; part;) {
        const char *end = find_end(part);
        size_t length = end ? (size_t)(end - part) : strlen(part);
        ib_Status status = add_change(changes, part, length, arena, error);
        if (status != IB_OK) return status;
        part = end ? end + 1 : NULL;
    }
    return IB_OK;
}

// --------------------------------------------------------------------------------------- overrides

enum { OVERRIDES = 1024 };

typedef struct Overrides {
    ib_Override item[OVERRIDES];
    int count;
    ib_Arena *arena;
} Overrides;

static void set(Overrides *all, const char *path, const char *yaml)
{
    if (path && yaml && all->count < OVERRIDES) all->item[all->count++] = (ib_Override){path, yaml};
}

static bool begins(const char *key, const char *start)
{
    return strncmp(key, start, strlen(start)) == 0;
}

static bool is_of_trial(const char *key)
{
    return begins(key, "goal.") || begins(key, "start.") || strcmp(key, "duration") == 0;
}

// Sets the same value at the top and in every gear of a schedule, which may have its own.
static void set_everywhere(Overrides *all, const ib_DesignFile *base, const char *path,
                           const char *yaml)
{
    set(all, path, yaml);
    for (int i = 0; base->scheduled && i < base->gear_count; i++)
        set(all, ib_arena_format(all->arena, "schedule.%s.%s", base->gears[i].design.name, path),
            yaml);
}

// The block `lqr` of a gear with poles only, over the same states as before.
static const char *poles_for(ib_Arena *arena, const ib_AnalysisConfig *config, const char *poles)
{
    const char *states = "";
    if (!config->over) return ib_arena_format(arena, "{poles: [%s]}", poles);
    for (int i = 0; i < config->over && states; i++)
        states = ib_arena_format(arena, "%s%s%s", states, i ? ", " : "",
                                 config->plant.state[config->over_state[i]]);
    return states ? ib_arena_format(arena, "{states: [%s], poles: [%s]}", states, poles) : NULL;
}

// True if a gear has the block `lqr`; files with poles alone, or without feedback, use `poles`.
static bool has_lqr(const ib_DesignGear *gear)
{
    return gear->config.feedback != IB_ANALYSIS_NO_FEEDBACK && !gear->poles_alone;
}

// Replaces the weights or poles of every gear. The top of the file gets the same key, or neither if
// the gears differ: a file cannot have both.
static void set_poles(Overrides *all, const ib_DesignFile *base, const char *poles)
{
    const ib_DesignGear *gears = base->gears;
    const char *list = ib_arena_format(all->arena, "[%s]", poles);
    bool lqr = has_lqr(&gears[0]), alike = true;
    for (int i = 1; i < base->gear_count; i++) alike &= has_lqr(&gears[i]) == lqr;
    if (!base->scheduled)
        set(all, lqr ? "lqr" : "poles",
            lqr ? poles_for(all->arena, &gears[0].config, poles) : list);
    else if (alike)
        set(all, lqr ? "lqr" : "poles",
            lqr ? ib_arena_format(all->arena, "{poles: [%s]}", poles) : list);
    for (int i = 0; base->scheduled && i < base->gear_count; i++) {
        bool own = has_lqr(&gears[i]);
        set(all,
            ib_arena_format(all->arena, "schedule.%s.%s", gears[i].design.name,
                            own ? "lqr" : "poles"),
            own ? poles_for(all->arena, &gears[i].config, poles) : list);
    }
}

static void set_trial(const ib_DesignChanges *changes, Overrides *all)
{
    for (int i = 0; i < changes->count; i++)
        if (is_of_trial(changes->change[i].key))
            set(all, ib_arena_format(all->arena, "try.%s", changes->change[i].key),
                changes->change[i].value);
}

// Returns their number.
static int set_design(const ib_DesignChanges *changes, const ib_DesignFile *base, Overrides *all)
{
    int count = 0;
    for (int i = 0; i < changes->count; i++) {
        const char *key = changes->change[i].key, *value = changes->change[i].value;
        if (is_of_trial(key)) continue;
        count++;
        if (strcmp(key, "poles") == 0)
            set_poles(all, base, value);
        else if (begins(key, "tolerance."))
            set_everywhere(all, base, ib_arena_format(all->arena, "lqr.%s", key), value);
        else
            set(all, key, value);
    }
    return count;
}

// ----------------------------------------------------------------------------------------- reading

static ib_DesignFile *read_with(const Overrides *all, const char *file,
                                const ib_ScenarioOptions *options, ib_Diagnostics *diagnostics)
{
    ib_ScenarioOptions changed = *options;
    changed.overrides = all->item;
    changed.override_count = all->count;
    return ib_design_file_read(file, &changed, diagnostics);
}

bool ib_design_changes_read(const ib_DesignChanges *changes, const char *file,
                            const ib_ScenarioOptions *options, ib_Diagnostics *diagnostics,
                            ib_DesignFile **before, ib_DesignFile **after)
{
    *before = *after = NULL;
    Overrides *all = ib_arena_alloc(diagnostics->arena, sizeof *all);
    if (!all) {
        ib_diagnostics_add(diagnostics, (ib_Place){file, 1, 1}, "out of memory");
        return false;
    }
    all->arena = diagnostics->arena;
    for (int i = 0; i < options->override_count; i++)
        set(all, options->overrides[i].path, options->overrides[i].yaml);
    set_trial(changes, all);
    *after = read_with(all, file, options, diagnostics);
    if (!*after || set_design(changes, *after, all) == 0) return *after != NULL;
    *before = *after;
    *after = read_with(all, file, options, diagnostics);
    if (*after) return true;
    ib_design_file_destroy(*before);
    *before = NULL;
    return false;
}
