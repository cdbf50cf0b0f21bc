// link/plugin_check.c: checks the description that a plug-in gives of itself. All its pointers are
// foreign: counts, names and ranges are checked before use.
#include "base/quote.h"
#include "base/units.h"
#include "link/plugin_inside.h"

#include <math.h>
#include <string.h>

// ------------------------------------------------------------------------------------------- names

// True for a dotted lower-case name: parts of letters, digits and underscores, each beginning with
// a letter.
static bool is_name(const char *text)
{
    bool start = true;
    for (const char *c = text; *c; c++) {
        bool letter = *c >= 'a' && *c <= 'z';
        bool inner = (*c >= '0' && *c <= '9') || *c == '_';
        if (*c == '.' ? start : start ? !letter : !(letter || inner)) return false;
        start = *c == '.';
    }
    return !start;
}

static ib_Status check_name(const char *what, int index, const char *name, ib_Error *error)
{
    if (!name)
        return ib_error_set(error, IB_BAD_INPUT, "%s[%d] has no name: expected text, got NULL",
                            what, index);
    if (strnlen(name, IB_PLUGIN_NAME_MAX + 1) > IB_PLUGIN_NAME_MAX)
        return ib_error_set(error, IB_BAD_INPUT, "%s[%d] has a name of more than %d letters: '%s'",
                            what, index, IB_PLUGIN_NAME_MAX,
                            ib_quote_n(name, IB_PLUGIN_NAME_MAX).text);
    if (!is_name(name))
        return ib_error_set(error, IB_BAD_INPUT,
                            "%s[%d] has the name '%s': expected lower-case words, digits and "
                            "underscores, with dots between them, such as goal.speed",
                            what, index, ib_quote(name).text);
    return IB_OK;
}

// True if `text` and `other` have the same name, or one of them is inside the other's map.
static bool collide(const char *text, const char *other, bool maps)
{
    size_t a = strlen(text), b = strlen(other), n = a < b ? a : b;
    if (strncmp(text, other, n) != 0) return false;
    return a == b || (maps && (text[n] == '.' || other[n] == '.'));
}

static ib_Status refuse_twice(const char *what, const char *name, ib_Error *error)
{
    return ib_error_set(error, IB_BAD_INPUT, "%s has '%s' twice: expected each name once", what,
                        name);
}

// A missing sentence is "".
static ib_Status check_sentence(const char *what, const char *name, const char *sentence,
                                ib_Error *error)
{
    if (!sentence || strnlen(sentence, IB_PLUGIN_SENTENCE_MAX + 1) <= IB_PLUGIN_SENTENCE_MAX)
        return IB_OK;
    return ib_error_set(error, IB_BAD_INPUT, "%s '%s' has a sentence of more than %d letters", what,
                        name, IB_PLUGIN_SENTENCE_MAX);
}

// Numbers are exchanged in SI.
static ib_Status check_unit(const char *what, const char *name, const char *unit, ib_Error *error)
{
    double one, nothing;
    ib_Error inner;
    if (!unit)
        return ib_error_set(error, IB_BAD_INPUT,
                            "%s '%s' has no unit: expected one of SI, \"1\" for a plain number",
                            what, name);
    if (strnlen(unit, IB_PLUGIN_NAME_MAX + 1) > IB_PLUGIN_NAME_MAX)
        return ib_error_set(error, IB_BAD_INPUT, "%s '%s' has a unit of more than %d letters", what,
                            name, IB_PLUGIN_NAME_MAX);
    if (ib_units_convert(1, unit, &one, &inner) != IB_OK)
        return ib_error_set(error, IB_BAD_INPUT, "%s '%s' has the unit '%s': %s", what, name,
                            ib_quote(unit).text, inner.text);
    ib_units_convert(0, unit, &nothing, &inner);
    if (one != 1 || nothing != 0)
        return ib_error_set(error, IB_BAD_INPUT,
                            "%s '%s' has the unit '%s', which is not of SI: expected such as m/s, "
                            "rad/s, V, Pa",
                            what, name, ib_quote(unit).text);
    return IB_OK;
}

// ------------------------------------------------------------------------------------------- lists

static ib_Status check_command(const ironbird_plugin_v2 *table, int i, ib_Error *error)
{
    static const char *const taken[] = {"hold", "source"}; // keys of `inputs:` themselves
    const ironbird_command *c = &table->commands[i];
    ib_Status status = check_name("commands", i, c->name, error);
    if (status == IB_OK) status = check_unit("the command", c->name, c->unit, error);
    if (status == IB_OK) status = check_sentence("the command", c->name, c->sentence, error);
    if (status != IB_OK) return status;
    for (int k = 0; k < 2; k++)
        if (collide(c->name, taken[k], true))
            return ib_error_set(error, IB_BAD_INPUT,
                                "the command '%s' has the name of a key of `inputs:`: expected "
                                "another one",
                                c->name);
    for (int k = 0; k < i; k++)
        if (collide(c->name, table->commands[k].name, true))
            return refuse_twice("commands", c->name, error);
    if (!isfinite(c->low) || !isfinite(c->high) || !isfinite(c->neutral) ||
        !(c->low <= c->neutral && c->neutral <= c->high))
        return ib_error_set(error, IB_BAD_INPUT,
                            "the command '%s' has the range %g to %g with neutral %g: expected "
                            "finite numbers, low <= neutral <= high",
                            c->name, c->low, c->high, c->neutral);
    return IB_OK;
}

static ib_Status check_signal(const ironbird_plugin_v2 *table, int i, ib_Error *error)
{
    const ironbird_signal *s = &table->signals[i];
    ib_Status status = check_name("signals", i, s->name, error);
    if (status == IB_OK) status = check_unit("the signal", s->name, s->unit, error);
    if (status == IB_OK) status = check_sentence("the signal", s->name, s->sentence, error);
    if (status != IB_OK) return status;
    for (int k = 0; k < i; k++)
        if (collide(s->name, table->signals[k].name, false))
            return refuse_twice("signals", s->name, error);
    if (s->state < 0 || s->state >= table->state_count)
        return ib_error_set(error, IB_BAD_INPUT, "the signal '%s' shows state %d: expected 0 to %d",
                            s->name, s->state, table->state_count - 1);
    return IB_OK;
}

static ib_Status check_names(const char *what, const char *const *names, int count, ib_Error *error)
{
    for (int i = 0; i < count; i++) {
        ib_Status status = check_name(what, i, names[i], error);
        if (status != IB_OK) return status;
        for (int k = 0; k < i; k++)
            if (!strcmp(names[i], names[k])) return refuse_twice(what, names[i], error);
    }
    return IB_OK;
}

// ------------------------------------------------------------------------------------------- whole

static ib_Status check_counts(const ironbird_plugin_v2 *table, ib_Error *error)
{
    const struct {
        const char *name;
        int count, most;
        const void *list; // required unless empty
    } lists[] = {
        {"state", table->state_count, IB_PLUGIN_STATES_MAX, table},
        {"command", table->command_count, IB_PLUGIN_COMMANDS_MAX, table->commands},
        {"measurement", table->measurement_count, IB_PLUGIN_MEASUREMENTS_MAX, table->measurements},
        {"output", table->output_count, IB_PLUGIN_OUTPUTS_MAX, table->outputs},
        {"signal", table->signal_count, IB_PLUGIN_SIGNALS_MAX, table->signals},
    };
    for (int i = 0; i < 5; i++) {
        if (lists[i].count < 0 || lists[i].count > lists[i].most)
            return ib_error_set(error, IB_BAD_INPUT, "%s_count is %d: expected 0 to %d",
                                lists[i].name, lists[i].count, lists[i].most);
        if (lists[i].count > 0 && !lists[i].list)
            return ib_error_set(error, IB_BAD_INPUT,
                                "%s_count is %d and %ss is NULL: expected a list of them",
                                lists[i].name, lists[i].count, lists[i].name);
    }
    if (table->output_count == 0)
        return ib_error_set(error, IB_BAD_INPUT,
                            "output_count is 0: expected at least one command of the robot");
    return IB_OK;
}

// With an older or newer program only these two numbers may be read.
static ib_Status check_version(uint32_t abi, uint32_t size, unsigned version, size_t expected,
                               ib_Error *error)
{
    static const char *const names[] = {"IRONBIRD_PLUGIN_ABI", "IRONBIRD_PLUGIN_ABI_2"};
    if (abi != version)
        return ib_error_set(error, IB_BAD_INPUT,
                            "abi is %u: expected %u (%s of this program's ironbird/plugin.h)",
                            (unsigned)abi, version, names[version - 1]);
    if (size != expected)
        return ib_error_set(error, IB_BAD_INPUT,
                            "size is %u: expected %zu (sizeof(ironbird_plugin_v%u))",
                            (unsigned)size, expected, version);
    return IB_OK;
}

// Copies the table, of version 1 field by field.
static ib_Status copy_table(const void *table, unsigned version, ib__PluginTable *copy,
                            ib_Error *error)
{
    *copy = (ib__PluginTable){0};
    if (version == IRONBIRD_PLUGIN_ABI_2) {
        const ironbird_plugin_v2 *given = table;
        ib_Status status = check_version(given->abi, given->size, version, sizeof *given, error);
        if (status == IB_OK) copy->v2 = *given;
        return status;
    }
    const ironbird_plugin_v1 *old = table;
    ib_Status status = check_version(old->abi, old->size, version, sizeof *old, error);
    if (status != IB_OK) return status;
    copy->v2 = (ironbird_plugin_v2){.name = old->name,
                                    .period = old->period,
                                    .state_count = old->state_count,
                                    .command_count = old->command_count,
                                    .measurement_count = old->measurement_count,
                                    .output_count = old->output_count,
                                    .signal_count = old->signal_count,
                                    .commands = old->commands,
                                    .measurements = old->measurements,
                                    .outputs = old->outputs,
                                    .signals = old->signals};
    copy->init_v1 = old->init;
    copy->step_v1 = old->step;
    return IB_OK;
}

ib_Status ib__plugin_check(const void *given, unsigned version, ib__PluginTable *checked,
                           ib_Error *error)
{
    const ironbird_plugin_v2 *table = &checked->v2;
    ib_Status status = copy_table(given, version, checked, error);
    bool init = checked->init_v1 || table->init, step = checked->step_v1 || table->step;
    if (status == IB_OK && (!init || !step))
        status = ib_error_set(error, IB_BAD_INPUT, "%s is NULL: expected a function",
                              init ? "step" : "init");
    if (status == IB_OK && !table->name)
        status = ib_error_set(error, IB_BAD_INPUT, "name is NULL: expected text");
    if (status == IB_OK && strnlen(table->name, IB_PLUGIN_NAME_MAX + 1) > IB_PLUGIN_NAME_MAX)
        status =
            ib_error_set(error, IB_BAD_INPUT, "name has more than %d letters", IB_PLUGIN_NAME_MAX);
    if (status == IB_OK) status = check_counts(table, error);
    for (int i = 0; status == IB_OK && i < table->command_count; i++)
        status = check_command(table, i, error);
    if (status == IB_OK)
        status = check_names("measurements", table->measurements, table->measurement_count, error);
    if (status == IB_OK)
        status = check_names("outputs", table->outputs, table->output_count, error);
    for (int i = 0; status == IB_OK && i < table->signal_count; i++)
        status = check_signal(table, i, error);
    return status;
}
