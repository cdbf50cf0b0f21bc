// A switch by itself: where it closes and opens, and when.
#include "sensor/contact_switch.h"
#include "sensor_rig.h"

static void make(const Setting *settings, ib_SensorConfig *config, double *state, double truth)
{
    const char *key;
    assert_int_equal(rig_sensor("switch", "N", settings, config, &key), IB_OK);
    assert_string_equal(config->unit, "1");
    ib_sensor_reset(config, &truth, state);
}

// Goal: it closes above `on` and opens below `off`. Method: a force that rises and falls, by hand.
static void it_has_hysteresis(void **unused)
{
    (void)unused;
    static const double force[] = {0, 3, 5, 5.1, 4, 3, 2.9, 4, 6},
                        shown[] = {0, 0, 0, 1, 1, 1, 0, 0, 1};
    ib_SensorConfig config;
    double state[8];
    make((Setting[]){{"on", "5 N"}, {"off", "3 N"}, {NULL, NULL}}, &config, state, 0);
    for (int i = 0; i < 9; i++) {
        ib_sensor_update(&config, 1, 99, i, &force[i], state);
        assert_close(state[0], shown[i], 0);
    }
    make((Setting[]){{"on", "5 N"}, {"off", "3 N"}, {NULL, NULL}}, &config, state, 6);
    assert_close(state[0], 1, 0); // it begins closed
}

// Goal: what is shorter than the debounce is not seen, what lasts is seen that much later. Method:
// 10 ms, samples each millisecond: a gap of 10 samples from 100 on, then one that stays from 200
// on, seen at 210.
static void it_is_debounced(void **unused)
{
    (void)unused;
    ib_SensorConfig config;
    double state[8];
    make((Setting[]){{"on", "5 N"}, {"off", "3 N"}, {"debounce", "10 ms"}, {NULL, NULL}}, &config,
         state, 20);
    for (int i = 0; i < 300; i++) {
        double force = (i >= 100 && i < 110) || i >= 200 ? 0 : 20;
        ib_sensor_update(&config, 1, 99, i, &force, state);
        assert_close(state[0], i < 210, 0);
    }
}

static void switches_that_open_above_are_refused(void **unused)
{
    (void)unused;
    ib_SensorConfig config;
    const char *key;
    const Setting wrong[] = {{"on", "3 N"}, {"off", "5 N"}, {NULL, NULL}};
    assert_int_equal(rig_sensor("switch", "N", wrong, &config, &key), IB_BAD_INPUT);
    assert_string_equal(key, "off");
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_has_hysteresis),
        cmocka_unit_test(it_is_debounced),
        cmocka_unit_test(switches_that_open_above_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
