// test/setting.h: keys and values as a file has them, for a config that no file fills.
#ifndef IB_TEST_SETTING_H
#define IB_TEST_SETTING_H

#include "cmocka_all.h"

#include "base/schema.h"

#include <stdio.h>
#include <string.h>

// A list of them ends with {NULL, NULL}.
typedef struct Setting {
    const char *key, *text;
} Setting;

// Where a mechanism has keys of each joint ("joint1.brake"), one without a joint is for both.
static inline bool put_both_joints(const ib_Schema *schema, const Setting *setting, void *config)
{
    ib_Error error;
    for (int joint = 1; joint <= 2; joint++) {
        char key[80];
        snprintf(key, sizeof key, "joint%d.%s", joint, setting->key);
        const ib_Param *param = ib_schema_find(schema, key);
        if (!param) return false;
        if (ib_schema_set(param, setting->text, config, &error) != IB_OK)
            fail_msg("%s: %s", key, error.text);
    }
    return true;
}

// Puts each into the config; fails the test where the schema has no such key or refuses the value.
// A key of names may stand there several times, with one name each.
static inline void put_settings(const ib_Schema *schema, const Setting *settings, void *config)
{
    for (; settings && settings->key; settings++) {
        const ib_Param *param = ib_schema_find(schema, settings->key);
        ib_Error error;
        if (!param && put_both_joints(schema, settings, config)) continue;
        if (!param) fail_msg("there is no key %s", settings->key);
        if (param->type == IB_PARAM_WORDS) {
            ib_Words *words = (ib_Words *)(void *)((char *)config + param->offset);
            words->items[words->count++] = settings->text;
            continue;
        }
        if (param->type == IB_PARAM_FILE) { // the text of the file itself
            ib_FileText *file = (ib_FileText *)(void *)((char *)config + param->offset);
            *file = (ib_FileText){(int)strlen(settings->text), "file", settings->text};
            continue;
        }
        if (ib_schema_set(param, settings->text, config, &error) != IB_OK)
            fail_msg("%s: %s", settings->key, error.text);
    }
}

#endif
