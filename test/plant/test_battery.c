// test/plant/test_battery.c: a battery sags, empties and is charged as it should.
#include "cmocka_all.h"

#include "plant/electric/battery.h"
#include "plant/electric/bus.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// An ES17-12 with everything switched on.
static const ib_BatteryConfig es17 = {
    .open_circuit = 13,
    .resistance = 0.012,
    .capacity = 17.2 * 3600,
    .empty = 8,
    .rate_exponent = 1.19,
};

static ib_BatteryModel battery_of(ib_BatteryConfig config)
{
    ib_BatteryModel battery;
    ib_battery_init(&config, &battery);
    return battery;
}

// Goal: terminal values of reference B7 at stall: 7.8653925352 V, 344.55062207 A. Method: battery
// and bus together, four CIMs held still.
static void stall_of_four_cims_sags_as_in_the_reference(void **state)
{
    (void)state;
    ib_BatteryModel battery = battery_of((ib_BatteryConfig){.open_circuit = 12,
                                                            .resistance = 0.012,
                                                            .capacity = 17 * 3600,
                                                            .constant_voltage = true,
                                                            .empty = 8,
                                                            .rate_exponent = 1});
    ib_Bridge cims = {.duty = 1, .count = 2, .stator = INFINITY, .supply = INFINITY};
    cims.R = 12 / 131.227;
    cims.per_R = 1 / cims.R;
    const ib_Bridge bridge[2] = {cims, cims};
    double E = ib_battery_open_circuit(&battery, 0.3);
    ib_Bus bus;
    ib_bus_solve(E, battery.resistance, 0.5, 0, bridge, 2, &bus);
    assert_close(bus.voltage, 7.8653925352, 1e-10);
    assert_close(bus.current, 344.55062207, 1e-8);
    assert_close(bus.bridge[0].current, 86.012655518, 1e-9);
}

// Goal: plain counting of charge, as published in 5.2. Method: the charge used after the first
// row of reference B7, 0.0080039953472 A h of 17, from its mean current.
static void without_rate_effect_charge_is_counted(void **state)
{
    (void)state;
    ib_BatteryModel battery = battery_of(
        (ib_BatteryConfig){.open_circuit = 12, .capacity = 17 * 3600, .rate_exponent = 1});
    double mean = 0.0080039953472 * 3600 / 0.1;
    assert_close(0.1 * ib_battery_charge_rate(&battery, mean), -0.0080039953472 / 17, 1e-15);
    assert_close(ib_battery_charge_rate(&battery, -mean), mean / (17 * 3600), 1e-15);
}

// Goal: at the 20 h rate it lasts 20 h; below it the capacity does not grow. Method: closed form.
static void twenty_hour_rate_lasts_twenty_hours(void **state)
{
    (void)state;
    ib_BatteryModel battery = battery_of(es17);
    double rated = es17.capacity / 72000;
    assert_close(-1 / ib_battery_charge_rate(&battery, rated), 72000, 1e-7);
    assert_close(-1 / ib_battery_charge_rate(&battery, rated / 10), 720000, 1e-6);
}

// Goal: in one hour an ES17-12 gives 62 % of its capacity (60 to 65 % is usual of lead-acid).
// Method: closed form f = 20^(-(k-1)/k); then hold that current for an hour and be empty.
static void one_hour_rate_gives_62_percent(void **state)
{
    (void)state;
    ib_BatteryModel battery = battery_of(es17);
    double fraction = pow(20, -(es17.rate_exponent - 1) / es17.rate_exponent);
    assert_close(fraction, 0.62, 0.001);
    double current = fraction * es17.capacity / 3600;
    assert_close(3600 * ib_battery_charge_rate(&battery, current), -1, 1e-12);
    // RoboSim's "17 A for one hour" is empty after 34 minutes.
    assert_close(-1 / ib_battery_charge_rate(&battery, 17) / 60, 34.4, 0.2);
}

// Goal: the rate effect sets in without a jump and never helps. Method: around the rated current,
// and the effective current over the true one never falls.
static void rate_effect_sets_in_smoothly(void **state)
{
    (void)state;
    ib_BatteryModel battery = battery_of(es17);
    double rated = es17.capacity / 72000, last = 0;
    double below = ib_battery_charge_rate(&battery, rated * (1 - 1e-9));
    double above = ib_battery_charge_rate(&battery, rated * (1 + 1e-9));
    assert_close(above / below, 1, 3e-9);
    for (double I = 0.1; I < 500; I *= 1.1) {
        double ratio = -ib_battery_charge_rate(&battery, I) * es17.capacity / I;
        assert_true(ratio >= last - 1e-14 && ratio >= 1 - 1e-14); // rounding
        last = ratio;
    }
}

// Goal: charging puts back what it carries, no more. Method: current -1 A for an hour.
static void charging_is_counted_plainly(void **state)
{
    (void)state;
    ib_BatteryModel battery = battery_of(es17);
    assert_close(3600 * ib_battery_charge_rate(&battery, -1), 1 / 17.2, 1e-15);
    assert_close(3600 * ib_battery_charge_rate(&battery, -100), 100 / 17.2, 1e-13);
}

// Goal: from 13 V full to 8 V empty, always falling, flat in the middle, held beyond the ends.
// Method: march down; the middle 60 % of the charge must stay within 0.6 V, as resting voltages of
// lead-acid batteries do.
static void open_circuit_voltage_falls_from_13_to_8(void **state)
{
    (void)state;
    ib_BatteryModel battery = battery_of(es17);
    assert_close(ib_battery_open_circuit(&battery, 1), 13, 0);
    assert_close(ib_battery_open_circuit(&battery, 1.2), 13, 0);
    assert_close(ib_battery_open_circuit(&battery, 0), 8, 0);
    assert_close(ib_battery_open_circuit(&battery, -0.5), 8, 0);
    double last = 13;
    for (double q = 0.9999; q > 0; q -= 0.0007) {
        double E = ib_battery_open_circuit(&battery, q);
        assert_true(E < last);
        last = E;
    }
    double high = ib_battery_open_circuit(&battery, 0.8);
    assert_true(high - ib_battery_open_circuit(&battery, 0.2) < 0.66);
}

// Goal: a constant voltage stays. Method: any charge.
static void constant_voltage_stays(void **state)
{
    (void)state;
    ib_BatteryConfig config = es17;
    config.constant_voltage = true;
    ib_BatteryModel battery = battery_of(config);
    for (double q = -1; q < 2; q += 0.1) assert_close(ib_battery_open_circuit(&battery, q), 13, 0);
}

// Goal: a curve of one's own is followed. Method: a straight line, read at its quarter.
static void given_curve_is_followed(void **state)
{
    (void)state;
    ib_BatteryConfig config = es17;
    config.curve = (ib_Table){.count = 2, .x = {0, 1}, .y = {{0, 1}}};
    ib_BatteryModel battery = battery_of(config);
    assert_close(ib_battery_open_circuit(&battery, 0.25), 9.25, 1e-14);
}

// The numbers of a row of a table in a page of docs/, whose first cell is `name`. Returns how many.
static int read_row(const char *page, const char *name, double *numbers, int room)
{
    char line[1024], head[64];
    FILE *file = fopen(page, "r");
    int count = 0;
    assert_non_null(file);
    snprintf(head, sizeof head, "| %s |", name);
    while (count == 0 && fgets(line, sizeof line, file)) {
        if (strncmp(line, head, strlen(head)) != 0) continue;
        for (char *cell = strtok(line + strlen(head), "|\n"); cell && count < room;
             cell = strtok(NULL, "|\n"))
            if (strspn(cell, " ") < strlen(cell)) numbers[count++] = atof(cell);
    }
    fclose(file);
    return count;
}

// Goal: the page shows the curve that is used, every corner of it. Method: its table, read from
// docs/plant/battery.md; 0.0005 V is the last digit shown.
static void page_has_the_curve_in_use(void **state)
{
    (void)state;
    static const char page[] = IB_SOURCE_DIR "/docs/plant/battery.md";
    double charge[IB_TABLE_ROWS], volts[IB_TABLE_ROWS];
    ib_BatteryModel battery = battery_of(es17);
    int count = read_row(page, "charge", charge, IB_TABLE_ROWS);
    assert_int_equal(count, ib_battery_curve().count);
    assert_int_equal(read_row(page, "13 V to 8 V", volts, IB_TABLE_ROWS), count);
    for (int i = 0; i < count; i++) {
        assert_close(charge[i], ib_battery_curve().x[count - 1 - i], 0.0);
        assert_close(ib_battery_open_circuit(&battery, charge[i]), volts[i], 5e-4);
    }
}

// Goal: impossible batteries are refused by name. Method: one wrong number at a time.
static void impossible_batteries_are_refused(void **state)
{
    (void)state;
    ib_Error error;
    assert_int_equal(ib_battery_check(&es17, &error), IB_OK);
    ib_BatteryConfig wrong[3];
    const char *says[] = {"open_circuit (13 V)", "[0, 0]", "must grow"};
    for (int i = 0; i < 3; i++) wrong[i] = es17;
    wrong[0].empty = 14;
    wrong[1].curve = (ib_Table){.count = 2, .x = {0.1, 1}, .y = {{0, 1}}};
    wrong[2].curve = (ib_Table){.count = 4, .x = {0, 0.3, 0.6, 1}, .y = {{0, 0.8, 0.7, 1}}};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(ib_battery_check(&wrong[i], &error), IB_BAD_INPUT);
        assert_non_null(strstr(error.text, says[i]));
    }
}

// Goal: the power by tables is the power. Method: C's own pow over the whole range of currents and
// beyond the tables, for k = 1 .. 2; a handful of roundings is allowed.
static void power_by_tables_is_the_power(void **unused)
{
    (void)unused;
    for (int k = 0; k <= 10; k++) {
        ib_BatteryConfig config = {.open_circuit = 13,
                                   .resistance = 0.01,
                                   .capacity = 61200,
                                   .empty = 8,
                                   .rate_exponent = 1 + 0.1 * k};
        ib_BatteryModel battery;
        ib_battery_init(&config, &battery);
        for (double x = 1; x < 1e6; x *= 1.0037) {
            double right = pow(x, battery.more);
            assert_true(fabs(ib_power(&battery.effect, x) - right) <= 2e-15 * right);
        }
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stall_of_four_cims_sags_as_in_the_reference),
        cmocka_unit_test(without_rate_effect_charge_is_counted),
        cmocka_unit_test(twenty_hour_rate_lasts_twenty_hours),
        cmocka_unit_test(one_hour_rate_gives_62_percent),
        cmocka_unit_test(rate_effect_sets_in_smoothly),
        cmocka_unit_test(charging_is_counted_plainly),
        cmocka_unit_test(open_circuit_voltage_falls_from_13_to_8),
        cmocka_unit_test(constant_voltage_stays),
        cmocka_unit_test(given_curve_is_followed),
        cmocka_unit_test(page_has_the_curve_in_use),
        cmocka_unit_test(impossible_batteries_are_refused),
        cmocka_unit_test(power_by_tables_is_the_power),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
