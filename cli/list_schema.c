// cli/list_schema.c: the rows of a schema, for `ironbird list`.
#include "list_schema.h"

#include "base/units.h"

#include <stdio.h>
#include <string.h>

// A default time that is the longest allowed one stands for no limit at all.
static bool is_endless(const ib_Param *param)
{
    double seconds;
    return param->type == IB_PARAM_NUMBER && strcmp(param->unit, "s") == 0 &&
           ib_units_read(param->fallback, "s", &seconds, NULL) == IB_OK && seconds >= param->max;
}

// "0 psig 0.9 cfm, 115 psig 0.3 cfm" as a file has it: [[0 psig, 0.9 cfm], [115 psig, 0.3 cfm]]
static void print_rows(const char *text)
{
    printf("[[");
    for (bool row = true; *text; text++) {
        bool number = strchr("+-.0123456789", text[1]) != NULL && text[1];
        if (*text == ',')
            printf("], [");
        else if (*text != ' ' || !row)
            printf("%s%c", *text == ' ' && number ? "," : "", *text);
        row = *text == ',';
    }
    printf("]]");
}

// A key of a preset that is named by default has the value of that name: "of cim".
static const char *default_name(const ib_Schema *schema, const ib_Param *param)
{
    const ib_Param *preset = ib_schema_preset(schema, param->key);
    const char *name = preset ? preset->fallback : NULL;
    return name && name[0] && strcmp(name, "off") != 0 ? name : NULL;
}

static void print_default(const ib_Schema *schema, const ib_Param *param)
{
    const char *text = param->fallback, *name = default_name(schema, param);
    if (name) {
        const ib_PresetDef *def = ib_schema_preset(schema, param->key)->detail;
        printf("that of %s", name);
        if (text && def->own) printf("; in a map with its own %s %s", def->own, text);
        if (text && !def->own) printf("; in a map without it %s", text);
        return;
    }
    if (param->type == IB_PARAM_NAMED || param->type == IB_PARAM_WORDS || (text && !text[0]))
        printf("none");
    else if (!text && param->type == IB_PARAM_PRESET)
        printf("on, as its keys say");
    else if (!text)
        printf("none, must be given");
    else if (is_endless(param))
        printf("%s", strcmp(param->key, "for") == 0 ? "to the end" : "none");
    else if (param->type == IB_PARAM_PAIR)
        printf("[%s]", text);
    else if (param->type == IB_PARAM_TABLE)
        print_rows(text);
    else
        printf("%s", text);
}

// Letters of the longest key, those of named items included, 24 at least.
static int key_width(const ib_Schema *schema, int prefix)
{
    int width = 24;
    for (int i = 0; i < schema->count; i++) {
        const ib_Param *param = &schema->params[i];
        const ib_NamedDef *named = param->detail;
        int own = prefix + (int)strlen(param->key);
        int inner = param->type == IB_PARAM_NAMED && named->items
                        ? key_width(named->items, own + (int)strlen(".NAME."))
                        : 0;
        if (own > width) width = own;
        if (inner > width) width = inner;
    }
    return width;
}

// Items of several kinds are listed elsewhere.
static void list_kinds(const ib_KindedDef *kinds, int width)
{
    printf("  %-*s   kinds:", width, "");
    for (int i = 0; kinds->name(i); i++) printf("%s %s", i ? "," : "", kinds->name(i));
    printf(" ('ironbird list plant KIND' has their keys)\n");
}

// Names hold schemas of their own: deep as the tables are.
static void list_params(const ib_Schema *schema, const char *prefix, int width)
{
    for (int i = 0; i < schema->count; i++) {
        const ib_Param *param = &schema->params[i];
        const ib_NamedDef *named = param->detail;
        char key[96], deeper[104], expected[256];
        snprintf(key, sizeof key, "%s%s", prefix, param->key);
        ib_schema_expected(param, expected, sizeof expected);
        printf("  %-*s %s\n", width, key, param->sentence);
        printf("  %-*s   %s; default ", width, "", expected);
        print_default(schema, param);
        printf("%s\n", param->live ? "; may change while running" : "");
        if (param->type != IB_PARAM_NAMED) continue;
        if (!named->items) {
            list_kinds(named->kinds, width);
            continue;
        }
        const char *item = named->single ? "" : named->listed ? "NUMBER." : "NAME.";
        snprintf(deeper, sizeof deeper, "%s.%s", key, item);
        list_params(named->items, deeper, width);
    }
}

void list_schema(const ib_Schema *schema)
{
    int width = key_width(schema, 0);
    if (schema->presets)
        printf("  %-*s all of it, by name; what is written beside it wins\n"
               "  %-*s   a name from data/%s.yaml; default none\n",
               width, "preset", width, "", schema->presets);
    list_params(schema, "", width);
}

int list_wider(int width, const char *name)
{
    int own = (int)strlen(name);
    return own > width ? own : width;
}
