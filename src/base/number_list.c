#include "base/number_list.h"

#include <stdio.h>
#include <string.h>

enum { FIRST_CAPACITY = 256, KEY_LENGTH = 256 };

static bool grow(ib_NumberList *list)
{
    int capacity = list->capacity > 0 ? 2 * list->capacity : FIRST_CAPACITY;
    const char **names = ib_arena_array(list->arena, (size_t)capacity + 1, sizeof *names);
    double *values = ib_arena_array(list->arena, (size_t)capacity, sizeof *values);
    if (!names || !values) return false;
    if (list->count > 0) {
        memcpy(names, list->names, (size_t)list->count * sizeof *names);
        memcpy(values, list->values, (size_t)list->count * sizeof *values);
    }
    list->names = names;
    list->values = values;
    list->capacity = capacity;
    return true;
}

void ib_number_list_add(ib_NumberList *list, double value, const char *group, const char *part,
                        const char *name)
{
    char key[KEY_LENGTH];
    snprintf(key, sizeof key, "%s%s%s%s%s", group, group[0] && part[0] ? "." : "", part,
             name[0] && (group[0] || part[0]) ? "." : "", name);
    const char *copy = ib_arena_text(list->arena, key);
    if (!copy || (list->count == list->capacity && !grow(list))) {
        list->failed = true;
        return;
    }
    list->names[list->count] = copy;
    list->values[list->count++] = value;
}

// Adds `count` doubles as KEY.0, KEY.1 …, or one under the key itself.
static void add_row(ib_NumberList *list, const char *key, const double *values, int count)
{
    char index[16];
    for (int i = 0; i < count; i++) {
        snprintf(index, sizeof index, "%d", i);
        ib_number_list_add(list, values[i], key, "", count > 1 ? index : "");
    }
}

static void add_table(ib_NumberList *list, const ib_Param *param, const char *key,
                      const ib_Table *table)
{
    const ib_TableDef *def = param->detail;
    char row_key[KEY_LENGTH + 16];
    for (int row = 0; row < table->count; row++) {
        double row_values[IB_TABLE_VALUES + 1] = {table->x[row]};
        for (int i = 1; i < def->columns; i++) row_values[i] = table->y[i - 1][row];
        snprintf(row_key, sizeof row_key, "%s.%d", key, row);
        add_row(list, row_key, row_values, def->columns);
    }
}

static void add_items(ib_NumberList *list, const ib_Param *param, const char *key,
                      const char *field, int count)
{
    const ib_NamedDef *named = param->detail;
    char prefix[KEY_LENGTH + IB_NAME_LENGTH + 3];
    for (int i = 0; i < count; i++) {
        const char *item = field + named->offset + (size_t)i * named->size;
        const ib_Schema *schema = named->kinds ? named->kinds->schema(item) : named->items;
        snprintf(prefix, sizeof prefix, "%s.%s.", key, item);
        ib_number_list_add_schema(list, schema, prefix,
                                  named->kinds ? item + named->kinds->config : item);
    }
}

static void add_param(ib_NumberList *list, const ib_Param *param, const char *key,
                      const char *field)
{
    double number[2];
    int whole;
    bool flag;
    switch (param->type) {
    case IB_PARAM_NUMBER:
    case IB_PARAM_LIMIT:
        memcpy(number, field, sizeof *number);
        add_row(list, key, number, 1);
        break;
    case IB_PARAM_PAIR:
    case IB_PARAM_SPAN:
        memcpy(number, field, sizeof number);
        add_row(list, key, number, 2);
        break;
    case IB_PARAM_FLAG:
        memcpy(&flag, field, sizeof flag);
        ib_number_list_add(list, flag, key, "", "");
        break;
    case IB_PARAM_TABLE:
        add_table(list, param, key, (const ib_Table *)(const void *)field);
        break;
    case IB_PARAM_COUNT:
    case IB_PARAM_CHOICE:
    case IB_PARAM_PRESET:
    case IB_PARAM_NAMED:
        memcpy(&whole, field, sizeof whole);
        ib_number_list_add(list, whole, key, "", "");
        if (param->type == IB_PARAM_NAMED) add_items(list, param, key, field, whole);
        break;
    case IB_PARAM_WORDS:
    case IB_PARAM_FILE:
        break;
    }
}

void ib_number_list_add_schema(ib_NumberList *list, const ib_Schema *schema, const char *prefix,
                               const void *config)
{
    char key[KEY_LENGTH];
    for (int i = 0; i < schema->count; i++) {
        const ib_Param *param = &schema->params[i], *part = ib_schema_preset(schema, param->key);
        if (part && !ib_schema_preset_is_on(part, config)) continue;
        snprintf(key, sizeof key, "%s%s", prefix, param->key);
        add_param(list, param, key, (const char *)config + param->offset);
    }
}

const double *ib_number_list_find(const ib_NumberList *list, const char *name)
{
    for (int i = 0; i < list->count; i++)
        if (strcmp(list->names[i], name) == 0) return &list->values[i];
    return NULL;
}
