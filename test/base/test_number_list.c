// Tests of base/number_list.h.
#include "base/number_list.h"

#include "cmocka_all.h"

#include <math.h>
#include <stdio.h>

typedef struct Item {
    char name[IB_NAME_LENGTH + 1];
    double mass;
} Item;

typedef struct Config {
    double length, limit, range[2];
    int count, choice, on, off, items;
    Item item[2];
    bool flag;
    double inside, outside;
    ib_Table table;
} Config;

#define ROW(key, type, detail, field) IB_ROW(key, type, "1", NULL, 0, 9, detail, Config, field, "")

static const char *const words[] = {"red", "green", NULL};
static const ib_Param item_rows[] = {
    IB_ROW("mass", IB_PARAM_NUMBER, "kg", NULL, 0, 9, NULL, Item, mass, "")};
static const ib_Schema item_schema = IB_SCHEMA(item_rows);
static const ib_NamedDef named = {.items = &item_schema,
                                  .offset = offsetof(Config, item) - offsetof(Config, items),
                                  .size = sizeof(Item),
                                  .most = 2};
static const ib_PresetDef preset = {.off = true};
static const ib_TableDef table_def = {.columns = 3, .units = {"1", "1", "1"}, .rows = 1};
static const ib_Param rows[] = {
    ROW("length", IB_PARAM_NUMBER, NULL, length),
    ROW("limit", IB_PARAM_LIMIT, NULL, limit),
    ROW("range", IB_PARAM_PAIR, NULL, range),
    ROW("count", IB_PARAM_COUNT, NULL, count),
    ROW("choice", IB_PARAM_CHOICE, words, choice),
    ROW("flag", IB_PARAM_FLAG, NULL, flag),
    ROW("on", IB_PARAM_PRESET, &preset, on),
    ROW("on.inside", IB_PARAM_NUMBER, NULL, inside),
    ROW("off", IB_PARAM_PRESET, &preset, off),
    ROW("off.outside", IB_PARAM_NUMBER, NULL, outside),
    ROW("items", IB_PARAM_NAMED, &named, items),
    ROW("table", IB_PARAM_TABLE, &table_def, table),
};
static const ib_Schema schema = IB_SCHEMA(rows);

static void assert_number(const ib_NumberList *list, const char *name, double wanted)
{
    const double *value = ib_number_list_find(list, name);
    if (!value) fail_msg("there is no '%s'", name);
    assert_true(*value == wanted);
}

// Goal: every kind of parameter has its number under the key of its file; a part that is off has
// none. Method: one row of each.
static void every_parameter_has_its_number(void **state)
{
    (void)state;
    Config config = {.length = 1.5,
                     .limit = INFINITY,
                     .range = {-2, 3},
                     .count = 7,
                     .choice = 1,
                     .on = 1,
                     .items = 2,
                     .item = {{"lift", 4}, {"arm", 5}},
                     .flag = true,
                     .inside = 6,
                     .outside = 8,
                     .table = {.count = 2, .x = {0, 1}, .y = {{10, 11}, {20, 21}}}};
    ib_Arena arena = {0};
    ib_NumberList list = {.arena = &arena};
    ib_number_list_add_schema(&list, &schema, "robot.", &config);
    assert_number(&list, "robot.length", 1.5);
    assert_number(&list, "robot.limit", INFINITY);
    assert_number(&list, "robot.range.0", -2);
    assert_number(&list, "robot.range.1", 3);
    assert_number(&list, "robot.count", 7);
    assert_number(&list, "robot.choice", 1);
    assert_number(&list, "robot.flag", 1);
    assert_number(&list, "robot.on", 1);
    assert_number(&list, "robot.on.inside", 6);
    assert_number(&list, "robot.off", 0);
    assert_null(ib_number_list_find(&list, "robot.off.outside"));
    assert_number(&list, "robot.items", 2);
    assert_number(&list, "robot.items.lift.mass", 4);
    assert_number(&list, "robot.items.arm.mass", 5);
    assert_number(&list, "robot.table.1.0", 1);
    assert_number(&list, "robot.table.1.2", 21);
    assert_null(list.names[list.count]);
    ib_arena_reset(&arena);
}

// Goal: a list grows as far as it has to and stays NULL-terminated. Method: 1000 numbers, in names
// of three words of which some are empty.
static void a_list_grows(void **state)
{
    (void)state;
    char name[16];
    ib_Arena arena = {0};
    ib_NumberList list = {.arena = &arena};
    for (int i = 0; i < 1000; i++) {
        snprintf(name, sizeof name, "n%d", i);
        ib_number_list_add(&list, i, i % 2 ? "leg" : "", name, i % 3 ? "x" : "");
    }
    assert_int_equal(list.count, 1000);
    assert_number(&list, "n0", 0);
    assert_number(&list, "leg.n1.x", 1);
    assert_number(&list, "n998.x", 998);
    assert_number(&list, "leg.n999", 999);
    assert_null(list.names[1000]);
    assert_false(list.failed);
    ib_arena_reset(&arena);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_parameter_has_its_number),
        cmocka_unit_test(a_list_grows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
