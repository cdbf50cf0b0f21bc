// Tests of data/linkages.yaml: every entry is a linkage that passes its check.
#include "cmocka_all.h"
#include "file/yaml.h"
#include "plant/linkage.h"
#include "scenario/scenario_inside.h"

#include <stdio.h>

typedef struct Holder {
    ib_LinkageConfig linkage;
} Holder;

static const ib_Param rows[] = {IB_LINKAGE_ROWS("joint", "thesis-alpha", Holder, linkage)};
static const ib_Schema schema = {.params = rows, .count = IB_LINKAGE_ROW_COUNT};
static ib_Arena arena;

static int teardown(void **state)
{
    (void)state;
    ib_arena_reset(&arena);
    return 0;
}

// Reads a map such as "joint: thesis-beta"; returns how much the reader had to say.
static int read_linkage(const char *text, Holder *holder, char *said, size_t size)
{
    memset(holder, 0, sizeof *holder);
    ib_Diagnostics diagnostics = {.arena = &arena};
    ib_Reader reader = {
        .file = "t.yaml", .arena = &arena, .diagnostics = &diagnostics, .data = ib_data_files};
    ib_Node *root = ib_yaml_read("t.yaml", text, strlen(text), &arena, &diagnostics);
    if (root) ib_read_schema(&reader, root, &schema, NULL, holder);
    said[0] = '\0';
    for (int i = 0; i < diagnostics.count; i++)
        snprintf(said + strlen(said), size - strlen(said), "%s\n", diagnostics.items[i].text);
    return diagnostics.count;
}

// Goal: every preset can be used, and its stroke spans its range. Method:
// each entry of the file by name; the ends to 2e-10 m, by the digits that it has.
static void every_entry_is_a_linkage(void **state)
{
    (void)state;
    const ib_DataFile *file = ib_catalogue_find(ib_data_files, "linkages");
    const char **names = ib_catalogue_names(file, &arena);
    int count = 0;
    for (; names[count]; count++) {
        Holder holder;
        ib_Error error = {0};
        ib_LinkageModel linkage;
        char text[128], said[1024];
        snprintf(text, sizeof text, "joint: %s\n", names[count]);
        if (read_linkage(text, &holder, said, sizeof said)) fail_msg("%s: %s", text, said);
        assert_int_equal(ib_linkage_check(&holder.linkage, &error), IB_OK);
        ib_linkage_init(&holder.linkage, &linkage);
        double ends[2] = {ib_linkage_at(&linkage, linkage.range[0]).x,
                          ib_linkage_at(&linkage, linkage.range[1]).x};
        assert_close(fmin(ends[0], ends[1]), 0, 2e-10);
        assert_close(fmax(ends[0], ends[1]), linkage.stroke, 2e-10);
    }
    assert_int_equal(count, 5);
}

// A map in the thesis's own form is read, and one that is laid over a preset.
static void maps_are_read_in_every_form(void **state)
{
    Holder holder;
    ib_Error error = {0};
    char said[1024];
    (void)state;
    const char *gamma = "joint: {form: gamma, l1: 0.165 m, l2: 0.1565311498 m, l3: 0.0407079677 m, "
                        "l4: 40 mm, range: [17 deg, 95 deg], stroke: 1.75 in}\n";
    assert_int_equal(read_linkage(gamma, &holder, said, sizeof said), 0);
    assert_int_equal(ib_linkage_check(&holder.linkage, &error), IB_OK);
    assert_int_equal(holder.linkage.form, IB_LINKAGE_GAMMA);

    assert_int_equal(read_linkage("joint: {preset: thesis-beta, range: [-60 deg, -10 deg]}\n",
                                  &holder, said, sizeof said),
                     0);
    assert_close(holder.linkage.range[0], -60 * 3.14159265358979323846 / 180, 1e-15);
    assert_close(holder.linkage.l1, 0.1462, 1e-15);
}

// Goal: a map that names no preset and no l1 changes the default; one with an l1 is a linkage of
// its own, which must say the rest. Method: numbers of thesis-alpha from data/linkages.yaml.
static void a_map_without_lengths_changes_the_default(void **state)
{
    Holder holder;
    char said[1024];
    (void)state;
    if (read_linkage("joint: {law: linear, stroke: 3 in}\n", &holder, said, sizeof said))
        fail_msg("%s", said);
    assert_int_equal(holder.linkage.law, IB_LINKAGE_LINEAR);
    assert_close(holder.linkage.l1, 0.22, 1e-15);
    assert_close(holder.linkage.offset, 63.60829562 * 3.14159265358979323846 / 180, 1e-14);
    assert_close(holder.linkage.stroke, 3 * 0.0254, 1e-15);
    assert_close(holder.linkage.range[1], 3.14159265358979323846 / 2, 1e-15);
    // l2, l3, range and stroke are missing.
    assert_int_equal(read_linkage("joint: {l1: 0.2 m}\n", &holder, said, sizeof said), 4);
    assert_non_null(strstr(said, "'l2' is missing"));
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(every_entry_is_a_linkage, teardown),
        cmocka_unit_test_teardown(maps_are_read_in_every_form, teardown),
        cmocka_unit_test_teardown(a_map_without_lengths_changes_the_default, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
