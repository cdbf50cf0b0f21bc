// test/plant/test_brownout.c: the controller's stages over a history of the bus voltage.
#include "cmocka_all.h"

#include "plant/electric/brownout.h"

#include <string.h>

enum { FINE, DROOP, OFF, BLACK, BOOT, LOW };

static const ib_BrownoutConfig roborio = {
    .droop = 6.8,
    .off = 6.3,
    .on = 7.5,
    .blackout = 4.5,
    .reboot = 4.65,
    .delay = 0.001,
    .hold = 0.02,
    .boot = 20,
};

typedef struct Moment {
    double lasts, voltage; ///< [s], [V]
    int stage;             ///< that is shown at its end
} Moment;

// Lives through a history in steps of 1 ms, taking every change at once, as the simulation does.
static void live(const ib_BrownoutModel *model, const Moment *history, int count)
{
    int stage = FINE;
    double timer = 0;
    for (int i = 0; i < count; i++) {
        int steps = (int)(history[i].lasts * 1000 + 0.5);
        for (int k = 0; k < steps; k++) {
            double V = history[i].voltage;
            for (int n = 0; n < 5 && ib_brownout_margin(model, stage, timer, V) <= 0; n++) {
                int next = ib_brownout_next(model, stage, timer, V);
                assert_int_not_equal(next, stage);
                stage = next;
                timer = 0;
            }
            assert_true(ib_brownout_margin(model, stage, timer, V) > 0);
            timer += 0.001;
        }
        int shown = ib_brownout_shown(stage);
        if (shown != history[i].stage)
            print_error("moment %d (%g V): stage %d, expected %d\n", i, history[i].voltage, shown,
                        history[i].stage);
        assert_int_equal(shown, history[i].stage);
    }
}

// Goal: every edge of the ladder, with its hysteresis. Method: a voltage history with the stage
// that frc-docs' description of the stages gives after each moment.
static void stages_follow_the_voltage(void **state)
{
    (void)state;
    const Moment history[] = {
        {1, 12.5, FINE},    {1, 6.81, FINE}, {1, 6.80, DROOP}, // the servo rail sags
        {1, 6.84, DROOP},                                      // hysteresis of 0.05 V
        {1, 6.86, FINE},                                       //
        {1, 6.31, DROOP},                                      //
        {1, 6.29, OFF},                                        // outputs off
        {1, 7.49, OFF},     // they stay off although 6.3 V and 6.8 V are passed
        {1, 7.51, FINE},    //
        {1, 5.00, OFF},     // straight from fine
        {1, 4.51, OFF},     //
        {1, 4.49, BLACK},   // the controller is down
        {1, 4.60, BLACK},   // hysteresis again
        {1, 4.70, BOOT},    //
        {18, 12, BOOT},     // booting takes 20 s ...
        {1.5, 12, FINE},    // ... from the moment power came back
        {1, 3, BLACK},      // straight from fine
        {5, 12, BOOT},      //
        {1, 4, BLACK},      // power lost while booting
        {19.9, 12, BOOT},   // so it starts anew
        {0.2, 12, FINE},    //
        {1, 4.4, BLACK},    //
        {20.1, 6.0, OFF},   // boots up into a sagging bus: outputs stay off
        {1, 7.6, FINE},     //
        {1, 4.4, BLACK},    //
        {20.1, 6.5, DROOP}, // boots up into a droop
    };
    ib_BrownoutModel model;
    ib_brownout_init(&roborio, &model);
    live(&model, history, (int)(sizeof history / sizeof *history));
}

// Goal: a motor that is cut off lets the voltage jump back at once; outputs stay off for `hold`.
// Method: 10 ms at 12 V after the sag are too short, 15 ms more are enough.
static void outputs_stay_off_for_the_hold_time(void **state)
{
    (void)state;
    const Moment history[] = {
        {0.1, 12, FINE}, {0.001, 6, DROOP}, {0.001, 6, OFF},  {0.010, 12, OFF}, {0.015, 12, FINE},
        {0.002, 6, OFF}, {0.5, 7, OFF},     {0.001, 8, FINE}, // long past the hold time
    };
    ib_BrownoutModel model;
    ib_brownout_init(&roborio, &model);
    live(&model, history, (int)(sizeof history / sizeof *history));
}

// Goal: the delay is counted from V <= off, whenever the droop began, and anew after each rise.
// Method: a delay of 10 ms. A droop of one second does not shorten it; 9 ms below `off` are too
// short, 11 ms are not; two sags of 8 ms with a rise between them are too short, with one of less
// than the hysteresis they are one sag.
static void delay_counts_from_the_voltage_of_off(void **state)
{
    (void)state;
    const Moment history[] = {
        {1, 6.5, DROOP},     {0.009, 6.2, DROOP},  {1, 6.5, DROOP},      // too short
        {0.010, 6.2, DROOP}, {0.001, 6.2, OFF},                          // long enough
        {1, 12, FINE},       {0.008, 6.2, DROOP},  {0.001, 6.36, DROOP}, // anew
        {0.008, 6.2, DROOP}, {1, 12, FINE},                              //
        {0.008, 6.2, DROOP}, {0.001, 6.34, DROOP}, {0.003, 6.2, OFF},    // one sag
        {1, 12, FINE},       {0.010, 2, DROOP},    {0.001, 2, BLACK},    // even where all is gone
    };
    ib_BrownoutModel model;
    ib_BrownoutConfig slow = roborio;
    slow.delay = 0.0095; // between two steps, so that rounding of the timer decides nothing
    ib_brownout_init(&slow, &model);
    live(&model, history, (int)(sizeof history / sizeof *history));
}

// Goal: no stage is left and entered again at one voltage. Method: for every voltage and stage,
// following the changes at a fixed voltage and timers that start at 0 ends within three changes
// (booted into a sag: fine, droop, low).
static void no_voltage_makes_it_flutter(void **state)
{
    (void)state;
    for (int stage = FINE; stage < IB_BROWNOUT_STAGES; stage++) {
        for (double V = 0; V < 14; V += 0.01) {
            int now = stage, changes = 0;
            double timer = 100;
            while (ib_brownout_margin(&roborio, now, timer, V) <= 0) {
                now = ib_brownout_next(&roborio, now, timer, V);
                timer = 0;
                assert_true(++changes <= 3);
            }
            assert_int_equal(ib_brownout_next(&roborio, now, timer, V), now);
        }
    }
}

// Goal: outputs work as long as it is fine or droops. Method: all six stages.
static void outputs_work_until_they_are_off(void **state)
{
    (void)state;
    const bool enabled[] = {true, true, false, false, false, true};
    for (int stage = FINE; stage < IB_BROWNOUT_STAGES; stage++) {
        assert_int_equal(ib_brownout_enabled(stage), enabled[stage]);
        assert_int_equal(ib_brownout_shown(stage), stage == LOW ? DROOP : stage);
    }
}

// Goal: thresholds out of order are refused by name. Method: one at a time.
static void thresholds_out_of_order_are_refused(void **state)
{
    (void)state;
    ib_Error error;
    assert_int_equal(ib_brownout_check(&roborio, &error), IB_OK);
    ib_BrownoutConfig tight = roborio; // roboRIO 2 with its default and the least `on`
    tight.off = 6.75;
    tight.on = 6.85;
    assert_int_equal(ib_brownout_check(&tight, &error), IB_OK);
    ib_BrownoutConfig wrong[8];
    const char *says[] = {"blackout",
                          "reboot",
                          "off",
                          "on: must be above off",
                          "on: must be above droop",
                          "droop: must be at least off",
                          "hold",
                          "boot"};
    for (int i = 0; i < 8; i++) wrong[i] = roborio;
    wrong[0].blackout = 0;
    wrong[1].reboot = 4.5;
    wrong[2].off = 4.4;
    wrong[3].on = 6.3;
    wrong[4].on = 6.82;
    wrong[5].droop = 6.2;
    wrong[6].hold = 0;
    wrong[7].boot = -1;
    for (int i = 0; i < 8; i++) {
        assert_int_equal(ib_brownout_check(&wrong[i], &error), IB_BAD_INPUT);
        assert_non_null(strstr(error.text, says[i]));
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stages_follow_the_voltage),
        cmocka_unit_test(outputs_stay_off_for_the_hold_time),
        cmocka_unit_test(delay_counts_from_the_voltage_of_off),
        cmocka_unit_test(no_voltage_makes_it_flutter),
        cmocka_unit_test(outputs_work_until_they_are_off),
        cmocka_unit_test(thresholds_out_of_order_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
