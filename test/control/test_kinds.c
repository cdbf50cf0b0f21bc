// The tables of all kinds of controllers: what a reader counts on.
#include "cmocka_all.h"
#include "control/controller_rig.h"
#include "refusal.h"

#include <stdio.h>
#include <string.h>

// Goal: every kind's defaults can be read, whatever it measures and sets, and it says what it is.
// Method: each table with several pairs of units.
static void each_kind_has_defaults_that_can_be_read(void **unused)
{
    (void)unused;
    static const char *const pairs[][2] = {{"rad", "V"}, {"m/s", "1"}, {"1", "N*m"}, {"Pa", "A"}};
    for (int i = 0; ib_controller_kinds[i]; i++) {
        const ib_ControllerKind *kind = ib_controller_kinds[i];
        assert_true(kind->name && kind->sentence && kind->docs && kind->init && kind->step);
        assert_ptr_equal(ib_controller_kind_find(kind->name), kind);
        for (int k = 0; k < 4; k++) {
            ib_Arena arena = {0};
            ib_Error error;
            ib_Schema params;
            void *config = ib_arena_alloc(&arena, kind->config_size);
            assert_true(ib_controller_params(kind, pairs[k][0], pairs[k][1], &arena, &params));
            if (ib_schema_default(&params, config, &error) != IB_OK)
                fail_msg("%s: %s", kind->name, error.text);
            ib_arena_reset(&arena);
        }
    }
    assert_null(ib_controller_kind_find("wish"));
}

// Goal: the page that a kind names is there. Method: open it.
static void each_kind_has_its_page(void **unused)
{
    (void)unused;
    for (int i = 0; ib_controller_kinds[i]; i++) {
        char path[256];
        snprintf(path, sizeof path, "%s/%s", IB_SOURCE_DIR, ib_controller_kinds[i]->docs);
        FILE *page = fopen(path, "r");
        if (!page) fail_msg("%s is missing", ib_controller_kinds[i]->docs);
        fclose(page);
    }
}

// -------------------------------------------------------------------------------- what is left out

static const ib_Param wiring[] = {IB_WIRING_ROWS, IB_PERIOD_ROW};

static ib_Status init(const void *config, const ib_ControlSite *site, ib_Arena *arena, void *model,
                      ib_ControlPorts *ports, ib_Error *error)
{
    (void)config, (void)site, (void)arena, (void)model, (void)error;
    ports->state_count = 3;
    return IB_OK;
}

static ib_ControlStatus step(const void *model, const ib_ControlTick *tick, double *state,
                             double *output)
{
    (void)model, (void)tick;
    output[0] = state[0] + state[1] + state[2];
    return IB_CONTROL_OK;
}

static const ib_ControllerKind bare = {.name = "bare",
                                       .params = {wiring, sizeof wiring / sizeof wiring[0]},
                                       .config_size = sizeof(ib_WiringConfig),
                                       .model_size = 1,
                                       .init = init,
                                       .step = step};

static void make_one_without_a_step(void)
{
    ib_ControllerKind kind = bare;
    ControllerRig rig;
    kind.step = NULL;
    rig_try(&rig, &kind, "rad", "V", 12, NULL);
}

// Goal: a kind without reset and show starts from zeros and shows nothing; one without a step says
// so by name. Method: a kind with nothing but init and step, and one without that.
static void what_is_left_out_means_none_or_is_named(void **unused)
{
    (void)unused;
    ControllerRig rig;
    rig_open(&rig, &bare, "rad", "V", 12, NULL);
    for (int i = 0; i < 3; i++) rig.state[i] = NAN;
    ib_controller_reset(&rig.controller, rig.state);
    assert_close(rig_step(&rig, 0, 0), 0, 0);
    rig_close(&rig);
    assert_aborts(make_one_without_a_step, "the table of the controller 'bare' has no .step");
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kind_has_defaults_that_can_be_read),
        cmocka_unit_test(each_kind_has_its_page),
        cmocka_unit_test(what_is_left_out_means_none_or_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
