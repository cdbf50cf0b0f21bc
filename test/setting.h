// test/setting.h: keys and values as a file has them, for a config that no file fills.
#ifndef IB_TEST_SETTING_H
#define IB_TEST_SETTING_H

#include "cmocka_all.h"

#include "base/schema.h"

// A list of them ends with {NULL, NULL}.
typedef struct Setting {
    const char *key, *text;
} Setting;

// Puts each into the config; fails the test where the schema has no such key or refuses the value.
// A key of names may stand there several times, with one name each.
static inline void put_settings(const ib_Schema *schema, const Setting *settings, void *config)
{
    for (; settings && settings->key; settings++) {
        const ib_Param *param = ib_schema_find(schema, settings->key);
        ib_Error error;
        if (!param) fail_msg("there is no key %s", settings->key);
        if (param->type == IB_PARAM_WORDS) {
            ib_Words *words = (ib_Words *)(void *)((char *)config + param->offset);
            words->items[words->count++] = settings->text;
            continue;
        }
        if (ib_schema_set(param, settings->text, config, &error) != IB_OK)
            fail_msg("%s: %s", settings->key, error.text);
    }
}

#endif
