// Claims about src/desk/design/design_export.c: a design as files. That the exported code gives the
// same bits is held by test/design/test_export.c and test/run_designs.sh.
#include "desk/design/design_export.h"
#include "desk/desk_rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/ib_analysis_XXXXXX";
static const char *const names[] = {"src/elevator.h",
                                    "src/elevator.c",
                                    "extras/elevator_test.c",
                                    "extras/elevator_plugin.c",
                                    "extras/elevator.json",
                                    "library.properties",
                                    "library.json"};
enum { NAMES = sizeof names / sizeof *names };

static int setup(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static const char *path_of(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static int teardown(void **state)
{
    for (int i = 0; i < NAMES; i++) remove(path_of(names[i]));
    remove(path_of("src"));
    remove(path_of("extras"));
    rig_forget(state);
    return rmdir(folder);
}

// Goal: all files are written, and again over those of before. Method: the elevator, twice.
static void an_export_writes_all_files(void **state)
{
    (void)state;
    ib_DesignFile *design = rig_example("elevator.yaml");
    ib_DesignExported exported;
    ib_Error error;
    for (int turn = 0; turn < 2; turn++) {
        assert_int_equal(ib_design_export(design, folder, false, &exported, &error), IB_OK);
        assert_true(exported.steps >= 200);
        for (int i = 0; i < NAMES; i++) assert_int_equal(access(path_of(names[i]), R_OK), 0);
    }
    ib_design_file_destroy(design);
}

// Goal: a file that is not from here is left alone, and nothing is written, unless forced. Method:
// somebody's own file in the place of each.
static void files_of_others_are_left_alone(void **state)
{
    (void)state;
    ib_DesignFile *design = rig_example("elevator.yaml");
    ib_DesignExported exported;
    ib_Error error;
    for (int i = 0; i < NAMES; i++) {
        for (int k = 0; k < NAMES; k++) remove(path_of(names[k]));
        FILE *file = fopen(path_of(names[i]), "w");
        assert_non_null(file);
        fputs("#define MINE 1\n", file);
        fclose(file);
        assert_int_equal(ib_design_export(design, folder, false, &exported, &error), IB_BAD_INPUT);
        assert_non_null(strstr(error.text, "is there already, and not from here"));
        for (int k = 0; k < NAMES; k++)
            assert_int_equal(access(path_of(names[k]), R_OK) == 0, k == i);
        assert_int_equal(ib_design_export(design, folder, true, &exported, &error), IB_OK);
        for (int k = 0; k < NAMES; k++) assert_int_equal(access(path_of(names[k]), R_OK), 0);
    }
    ib_design_file_destroy(design);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_export_writes_all_files),
        cmocka_unit_test(files_of_others_are_left_alone),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
