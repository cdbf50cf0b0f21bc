// test/plant/test_bank_supply.c: many cylinders on one supply that sags, against conservation and
// the rig on a line under an exact solver.
#include "cmocka_all.h"

#include "air_rig.h"
#include "bank_rig.h"

static Bank bank;

static void make(int count, void (*edit)(ib_BankConfig *config))
{
    ib_CylinderRigConfig rig = rig_config(NULL);
    bank_make(&bank, &rig, count, edit);
}

static double line_pressure(const Bank *b)
{
    return ib_chain_pressure(&b->model.chain, b->state + b->model.supply);
}

static void tank_and_line(ib_BankConfig *config)
{
    config->supply.tank = true;
    config->supply.reservoir.volume = 5e-3;
    config->supply.supply.volume = 1e-4;
    config->supply.supply.area = 2e-5;
}

static void tank_alone(ib_BankConfig *config)
{
    tank_and_line(config);
    config->supply.supply.volume = 0;
}

static void tank_by_differences(ib_BankConfig *config)
{
    tank_and_line(config);
    bank_differences(config);
}

static void pumped(ib_BankConfig *config)
{
    tank_and_line(config);
    config->supply.compressor = true;
    config->supply.compressed = b6_compressor();
    config->supply.voltage = 13.8;
    config->supply.reservoir.leak = 1e-6;
}

// Goal: air that nobody lets in or out stays. Method: twelve walk for 3 s on a tank that is not
// refilled, with line and without, by both Jacobians, and on one with compressor and leak: what is
// in tank, line and chambers, went out and was lost, less what was pumped, is as at the start.
// 70 g in all, 3000 steps of roundings: 1e-14 kg. The tank falls, and below its setting the line.
static void shared_tank_loses_no_air(void **state)
{
    (void)state;
    void (*const edits[])(ib_BankConfig *) = {tank_and_line, tank_alone, tank_by_differences,
                                              pumped};
    for (int k = 0; k < 4; k++) {
        make(12, edits[k]);
        const double *chain = bank.state + bank.model.supply;
        double mass = bank_mass(&bank);
        double full = ib_chain_source(&bank.model.chain, chain);
        for (int t = 0; t < 3000; t++) {
            bank_walk(&bank, 0, 1e-3 * t, 1e-3, 1);
            assert_true(line_pressure(&bank) > 3e5 && line_pressure(&bank) < 4.6e5);
        }
        double all = bank_mass(&bank) + bank_book(&bank, IB_CYLINDER_VENTED) +
                     chain[IB_CHAIN_LOST] - chain[IB_CHAIN_DELIVERED];
        assert_close(all, mass, 1e-14);
        assert_true(ib_chain_source(&bank.model.chain, chain) < 0.9 * full);
        if (k == 3)
            assert_true(chain[IB_CHAIN_DELIVERED] > 1e-4 && chain[IB_CHAIN_LOST] > 1e-6);
        else
            assert_true(chain[IB_CHAIN_ENERGY] == 0);
    }
}

static void thimble(ib_BankConfig *config)
{
    tank_and_line(config);
    config->supply.supply.volume = 1e-6;
}

// Goal: a line that is far smaller than the chambers behind it neither swings nor runs empty.
// Method: a line of 1 mL, twelve valves thrown open at once onto chambers of 25 mL: its pressure
// goes to that of the chambers and comes up with them. It turns three times at most: down at the
// start, up, and once around the setting.
static void thimble_of_a_line_does_not_swing(void **state)
{
    (void)state;
    make(12, thimble);
    double before = line_pressure(&bank), slope = 0;
    int turned = 0;
    for (int k = 0; k < 2000; k++) {
        bank_step(&bank, 10, 0.022, 0.022, 1e-3, 1);
        double now = line_pressure(&bank), step = now - before;
        assert_true(now > 1e5 && now < 449e3);
        if (step * slope < 0 && fabs(step) > 1) turned++;
        if (fabs(step) > 1) slope = step;
        before = now;
    }
    assert_true(turned <= 3);
    assert_close(bank_pressure(&bank, 3, 0, 0.022), line_pressure(&bank), 100);
}

static void scarce(ib_BankConfig *config)
{
    tank_alone(config);
    config->supply.reservoir.volume = 2e-5;
}

// Goal: an empty tank is no trouble. Method: 20 mL for twelve cylinders, thrown about for 2 s: all
// are numbers, the pressures of tank and chambers meet far below the setting, no air is missing.
static void empty_tank_is_no_trouble(void **state)
{
    (void)state;
    make(12, scarce);
    double mass = bank_mass(&bank);
    for (int k = 0; k < 2000; k++) {
        bank_step(&bank, k / 100 % 2 ? 0 : 10, 0.022, 0.022, 1e-3, 1);
        assert_true(line_pressure(&bank) > 1e4);
        for (int i = 0; i < bank.model.state_count; i++) assert_true(isfinite(bank.state[i]));
    }
    assert_true(line_pressure(&bank) < 1.3e5);
    assert_close(bank_mass(&bank) + bank_book(&bank, IB_CYLINDER_VENTED), mass, 1e-16);
}

// ---------------------------------------------------------------------------------- the rig itself

static double out(double t)
{
    return 5e-3 + 0.25 * t;
}

static double out_speed(double t)
{
    (void)t;
    return 0.25;
}

// Goal: a line sags as the rig's does. Method: one cylinder on a line of 30 mL behind a regulator,
// the piston going out at 0.25 m/s for 120 ms, the valve 1.25 V open; the rig at 1e-10. The
// largest error of the line's pressure, which sags by 20 kPa and more, and of the cap side's:
// below 1 kPa at 1 ms, and at least halved with the step.
static void line_sags_as_that_of_the_rig(void **state)
{
    (void)state;
    const char *const line[] = {
        "supply.volume", "30 mL",   "supply.area",  "2e-7 m^2", "position", "5 mm",
        "cap.pressure",  "250 kPa", "rod.pressure", "250 kPa",  NULL};
    ib_CylinderRigConfig rig = rig_config(line);
    ib_SolverConfig wish = {IB_ROSENBROCK, 1e-10, 0};
    double error[3][2] = {{0}};
    for (int i = 0; i < 3; i++) {
        static Stand stand;
        ib_Arena arena = {0};
        int steps = 120 << i;
        double h = 0.12 / steps, least = 1e9;
        stand_make(&stand, &rig);
        stand.way = out, stand.speed = out_speed;
        ib_Solver *solver = ib_solver_create(&wish, stand.rig.state_count, &arena);
        bank_make(&bank, &rig, 1, NULL);
        ib_bank_fill(&bank.model, 0, 5e-3, 250e3, 250e3, bank.state);
        for (int k = 0; k < steps; k++) {
            double x = out(h * (k + 1));
            stand_step(&stand, solver, 6.5, h);
            bank_step(&bank, 6.5, out(h * k), x, h, 1);
            double exact = ib_supply_pressure(&stand.rig.supply,
                                              stand.state[stand.rig.line_mass] * IB_CYLINDER_MASS);
            double cap =
                ib_cylinder_pressure(&stand.rig.cylinder, IB_SIDE_CAP, x, stand.state + IB_RIG_AIR);
            error[i][0] = fmax(error[i][0], fabs(line_pressure(&bank) - exact));
            error[i][1] = fmax(error[i][1], fabs(bank_pressure(&bank, 0, 0, x) - cap));
            least = fmin(least, exact);
        }
        ib_arena_reset(&arena);
        if (getenv("IB_TABLES"))
            printf("h %.2f ms: line %.3g Pa, cap %.3g Pa; lowest %.6g Pa\n", h * 1e3, error[i][0],
                   error[i][1], least);
        assert_true(least < 448e3 - 20e3);
    }
    for (int q = 0; q < 2; q++) {
        assert_true(error[0][q] < 1e3);
        for (int i = 0; i < 2; i++) assert_true(error[i][q] > 1.8 * error[i + 1][q]);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shared_tank_loses_no_air),
        cmocka_unit_test(thimble_of_a_line_does_not_swing),
        cmocka_unit_test(empty_tank_is_no_trouble),
        cmocka_unit_test(line_sags_as_that_of_the_rig),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
