// Tests of data/frictions.yaml: every entry is a friction that passes its check.
#include "cmocka_all.h"
#include "file/yaml.h"
#include "mistakes.h"
#include "plant/air/friction.h"
#include "scenario/scenario_inside.h"

#include <stdio.h>

#define LBF 4.4482216152605

typedef struct Holder {
    ib_FrictionConfig friction;
} Holder;

static const char *idle(const void *config, const char *key)
{
    return ib_friction_idle(&((const Holder *)config)->friction, key);
}

static const ib_Param rows[] = {IB_FRICTION_ROWS(Holder, friction)};
static const ib_Schema schema = {.params = rows, .count = IB_FRICTION_ROW_COUNT, .idle = idle};
static ib_Arena arena;

static int teardown(void **state)
{
    (void)state;
    ib_arena_reset(&arena);
    return 0;
}

// Reads a map such as "friction: thesis-viscous", without a word from the reader.
static ib_FrictionConfig read_friction(const char *text)
{
    Holder holder;
    ib_Error error;
    memset(&holder, 0, sizeof holder);
    ib_Diagnostics diagnostics = {.arena = &arena};
    ib_Reader reader = {
        .file = "t.yaml", .arena = &arena, .diagnostics = &diagnostics, .data = ib_data_files};
    ib_Node *root = ib_yaml_read("t.yaml", text, strlen(text), &arena, &diagnostics);
    if (root) ib_read_schema(&reader, root, &schema, NULL, &holder);
    assert_no_mistakes(&diagnostics, text);
    assert_int_equal(ib_friction_check(&holder.friction, &error), IB_OK);
    return holder.friction;
}

// Goal: every preset can be used, and no key of it is idle. Method: each entry of the file by name;
// a warning would be a diagnostic.
static void every_entry_is_a_friction(void **state)
{
    (void)state;
    const ib_DataFile *file = ib_catalogue_find(ib_data_files, "frictions");
    const char **names = ib_catalogue_names(file, &arena);
    int count = 0;
    for (; names[count]; count++) {
        char text[128];
        snprintf(text, sizeof text, "friction: %s\n", names[count]);
        read_friction(text);
    }
    assert_true(count >= 5);
}

// Goal: what is left out is the thesis's law, its entry says the same, and a map is laid over it.
// Method: forces by hand at 1 m/s, far from the bump: F_C + C_V in lbf; 70 N s/m of viscous.
static void names_are_the_thesis_s_laws(void **state)
{
    (void)state;
    ib_FrictionModel f;
    const struct {
        const char *text;
        double force;
    } table[] = {
        {"{}\n", 3.5 * LBF},
        {"friction: thesis-stribeck\n", 3.5 * LBF},
        {"friction: thesis-stribeck-inches\n", (3 + 0.5 / 0.0254) * LBF},
        {"friction: thesis-viscous\n", 70},
        {"friction: thesis-coulomb\n", 3.5 * LBF},
        {"friction: thesis-lugre\n", 3.5 * LBF},
        {"friction: {preset: thesis-stribeck, coulomb: 2 lbf}\n", 2.5 * LBF},
        {"friction: {law: saturated, coulomb: 10 N, viscous: 1 N*s/m}\n", 11},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        ib_FrictionConfig config = read_friction(table[i].text);
        ib_friction_init(&config, 0.04445, &f);
        assert_close(ib_friction_force(&f, 1, 0.02, 0), table[i].force, 1e-13 * table[i].force);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(every_entry_is_a_friction, teardown),
        cmocka_unit_test_teardown(names_are_the_thesis_s_laws, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
