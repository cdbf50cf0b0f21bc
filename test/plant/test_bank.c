// test/plant/test_bank.c: the air of cylinders whose pistons somebody else moves, against closed
// forms, the rig under an exact solver, itself with Jacobians by differences, and conservation.
#include "cmocka_all.h"

#include "bank_rig.h"

static Bank bank, other;

// A valve that is shut at its centre, with slopes written out or not.
static const char *const shut[] = {"valve.law", "linear", "valve.offset", "0 m^2", NULL};

static void make(const char *const *pairs, int count, void (*edit)(ib_BankConfig *config))
{
    ib_CylinderRigConfig rig = rig_config(pairs);
    bank_make(&bank, &rig, count, edit);
}

static void start(Bank *b, double x, double cap, double rod)
{
    for (int i = 0; i < b->model.count; i++) ib_bank_fill(&b->model, i, x, cap, rod, b->state);
}

// From one place to another at 0.2 m/s in steps of 1 ms.
static void squeeze(double from, double to, int parts)
{
    int steps = (int)lround(fabs(to - from) / 0.2e-3);
    for (int k = 0; k < steps; k++)
        bank_step(&bank, 5.25, from + (to - from) * k / steps, from + (to - from) * (k + 1) / steps,
                  1e-3, parts);
}

// ------------------------------------------------------------------------------------ closed forms

// Goal: air that cannot get out keeps P V^k. Method: ports shut, the cap side from 32 + 12 mm to
// half of that, slopes written out or not: 2^1.4 = 2.6390158215 (reference A6). A step takes up to
// 0.9 % of the volume, of which a method of order 2 leaves (0.9 %)^3/10 or less in each of 110
// steps, 1e-5; in halves a quarter of it.
static void closed_chamber_keeps_its_adiabate(void **state)
{
    (void)state;
    for (int differences = 0; differences < 2; differences++) {
        double error[2];
        for (int i = 0; i < 2; i++) {
            make(shut, 1, differences ? bank_differences : NULL);
            start(&bank, 0.032, 110e3, 200e3);
            squeeze(0.032, 0.010, 1 + i);
            error[i] = fabs(bank_pressure(&bank, 0, 0, 0.010) / 110e3 - 2.6390158215);
        }
        assert_true(error[0] < 1e-5);
        assert_close(error[0] / error[1], 4, 0.2);
        for (int book = IB_CYLINDER_HEAT; book < IB_CYLINDER_SUMS; book++)
            assert_close(bank_book(&bank, book), 0, 1e-12);
    }
}

// Goal: air that keeps its temperature keeps P V. Method: the isothermal law, to rounding; and
// walls that pass 1e8 W/(m^2 K): 25 W through 3e-3 m^2 are a difference of 8e-5 K, 3e-7
// of T.
static void warm_walls_keep_the_isotherm(void **state)
{
    (void)state;
    const char *const isothermal[] = {"valve.law",  "linear", "valve.offset", "0 m^2", "heat.law",
                                      "isothermal", NULL};
    make(isothermal, 1, NULL);
    start(&bank, 0.032, 110e3, 200e3);
    squeeze(0.032, 0.010, 1);
    assert_close(bank_pressure(&bank, 0, 0, 0.010) / 110e3, 2, 1e-12);

    ib_CylinderRigConfig rig = rig_config(shut);
    rig.cylinder.heat = IB_CYLINDER_WALLS;
    rig.cylinder.coefficient = 1e8;
    bank_make(&bank, &rig, 1, NULL);
    start(&bank, 0.032, 110e3, 200e3);
    squeeze(0.032, 0.010, 1);
    assert_close(bank_pressure(&bank, 0, 0, 0.010) / 110e3, 2, 1e-6);
    // All work on the air went through the walls, but for what 8e-5 K are worth to 5 J of air.
    assert_close(bank_book(&bank, IB_CYLINDER_HEAT), bank_book(&bank, IB_CYLINDER_WORK), 5e-6);
}

// Goal: what is pressed together and let go is as before. Method: there and back, ports shut; what
// the way there leaves the way back takes, to the third order: far below the 1e-5 of one way.
static void there_and_back_is_where_it_was(void **state)
{
    (void)state;
    for (int differences = 0; differences < 2; differences++) {
        make(shut, 1, differences ? bank_differences : NULL);
        start(&bank, 0.032, 110e3, 200e3);
        squeeze(0.032, 0.002, 1);
        squeeze(0.002, 0.032, 1);
        assert_close(bank_pressure(&bank, 0, 0, 0.032) / 110e3, 1, 3e-7);
        assert_close(bank_pressure(&bank, 0, 1, 0.032) / 200e3, 1, 3e-7);
        // Nothing that was put in is missing, of 3 J that went in and out.
        assert_close(bank_book(&bank, IB_CYLINDER_WORK), 0, 1e-5);
    }
}

// ------------------------------------------------------------------------------------------- books

// Goal: no air and no energy is made or lost. Method: twelve pistons walk for 2 s, with
// slopes written out, by differences, and with leaks, walls, four edges; what came in, went out and
// is there. In milligrams and joules 2000 steps of roundings of 50 mg and 20 J stay below 1e-10.
// With written slopes the enthalpy let out is what the balance leaves over, so that it is held
// against that of differences instead, which is summed up.
static void books_close_to_rounding(void **state)
{
    (void)state;
    const char *const full[] = {
        "valve.law", "spool", "leak.piston",          "2e-9 m^2", "leak.seal", "1e-9 m^2",
        "heat.law",  "walls", "valve.spool.dynamics", "second",   NULL};
    for (int kind = 0; kind < 3; kind++) {
        make(kind == 2 ? full : NULL, 12, kind ? bank_differences : NULL);
        double mass = bank_mass(&bank), energy = bank_energy(&bank);
        for (int k = 0; k < 2000; k++) bank_walk(&bank, 0, 1e-3 * k, 1e-3, 1);
        double more = bank_mass(&bank) - mass;
        double in = bank_book(&bank, IB_CYLINDER_USED) - bank_book(&bank, IB_CYLINDER_VENTED) -
                    bank_book(&bank, IB_CYLINDER_LEAKED);
        assert_close(in, more, 1e-16);
        assert_true(bank_book(&bank, IB_CYLINDER_USED) > 1e-3);
        double came = bank_book(&bank, IB_CYLINDER_E_SUPPLY) -
                      bank_book(&bank, IB_CYLINDER_E_EXHAUST) -
                      bank_book(&bank, IB_CYLINDER_E_LEAK) - bank_book(&bank, IB_CYLINDER_WORK) +
                      bank_book(&bank, IB_CYLINDER_HEAT);
        assert_close(came, bank_energy(&bank) - energy, 1e-9);
        assert_true(fabs(bank_book(&bank, IB_CYLINDER_WORK)) > 10);
        assert_close(bank.state[bank.model.supply + IB_CHAIN_DELIVERED],
                     bank_book(&bank, IB_CYLINDER_USED), 1e-15);
    }
}

// -------------------------------------------------------------------- slopes written out and found

// Goal: what cannot be written out is left to differences. Method: one part of the model at a time;
// friction is no affair of the air's.
static void slopes_are_written_where_laws_allow(void **state)
{
    (void)state;
    static const struct {
        const char *pair[3];
        bool written;
    } rows[] = {
        {{"leak.piston", "1e-9 m^2", NULL}, false},
        {{"leak.seal", "1e-9 m^2", NULL}, false},
        {{"cushion.length", "5 mm", NULL}, false},
        {{"heat.law", "isothermal", NULL}, false},
        {{"valve.law", "spool", NULL}, false},
        {{"orifice.law", "iso_6358", NULL}, false},
        {{"valve.lost.rule", "constant", NULL}, false},
        {{"valve.law", "linear", NULL}, true},
        {{"heat.law", "walls", NULL}, true},
        {{"friction.law", "lugre", NULL}, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ib_CylinderRigConfig config = rig_config(rows[i].pair);
        ib_CylinderModel cylinder;
        ib_cylinder_init(&config.cylinder, &cylinder);
        assert_int_equal(ib_cylinder_has_slopes(&cylinder), rows[i].written);
    }
}

// Goal: slopes written out and differences make the same steps. Method: twelve walk for 2 s from
// the atmosphere on, walls passing heat or not. Jacobians by differences are off by 1e-7 and more
// where ports are nearly at rest, which counts as often as the method's own error does; 1e-6 of
// each state. Of the books, what a port passed both ways within a step: 5e-4 of them.
static void both_jacobians_make_the_same_steps(void **state)
{
    (void)state;
    const char *const walls[] = {"heat.law", "walls", NULL};
    for (int warm = 0; warm < 2; warm++) {
        ib_CylinderRigConfig rig = rig_config(warm ? walls : NULL);
        bank_make(&bank, &rig, 12, NULL);
        bank_make(&other, &rig, 12, bank_differences);
        for (int k = 0; k < 2000; k++) {
            bank_walk(&bank, 0, 1e-3 * k, 1e-3, 1);
            bank_walk(&other, 0, 1e-3 * k, 1e-3, 1);
            for (int i = 0; i < 12; i++)
                for (int j = 0; j < IB_CYLINDER_STATES; j++) {
                    int at = bank.model.place[i].air + j;
                    assert_close(bank.state[at] / other.state[at], 1, 1e-6);
                }
        }
        for (int book = 0; book < IB_CYLINDER_SUMS; book++) {
            double size = fabs(bank_book(&other, book)) + 1e-20;
            assert_close(bank_book(&bank, book) / size, bank_book(&other, book) / size, 5e-4);
        }
    }
}

// Goal: with a supply that stays, cylinders know nothing of each other. Method: twelve of three
// kinds in one bank, and each in a bank of its own, to the bit.
static void twelve_are_twelve_times_one(void **state)
{
    (void)state;
    static const char *const kinds[3][5] = {
        {NULL},
        {"bore", "20 mm", "stroke", "50 mm", NULL},
        {"valve.law", "spool", "leak.seal", "1e-9 m^2", NULL},
    };
    ib_CylinderRigConfig rigs[3];
    for (int k = 0; k < 3; k++) rigs[k] = rig_config(kinds[k]);
    make(NULL, 12, NULL);
    for (int i = 0; i < 12; i++) {
        bank.config.cylinders[i] =
            (ib_BankCylinder){rigs[i % 3].cylinder, rigs[i % 3].piston.friction};
    }
    double x[12], volts[12];
    for (int i = 0; i < 12; i++) x[i] = walk(i, 0), volts[i] = 5.25;
    ib_bank_init(&bank.config, &bank.model);
    ib_bank_reset(&bank.model, x, volts, bank.state);
    for (int k = 0; k < 500; k++) bank_walk(&bank, 0, 1e-3 * k, 1e-3, 2);
    for (int i = 0; i < 12; i++) {
        bank_make(&other, &rigs[i % 3], 1, NULL);
        ib_bank_reset(&other.model, &x[i], &volts[i], other.state);
        for (int k = 0; k < 500; k++) bank_walk(&other, i, 1e-3 * k, 1e-3, 2);
        assert_memory_equal(bank.state + bank.model.place[i].air, other.state,
                            IB_CYLINDER_STATES * sizeof(double));
    }
}

// Goal: a step has no memory but the state. Method: into another array and in place, with
// a supply that stays and one that sags, to the bit; what went in is untouched.
static void sagging(ib_BankConfig *config)
{
    config->supply.supply.volume = 5e-4;
    config->supply.tank = true;
}

static void step_is_a_function_of_the_state(void **state)
{
    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        make(NULL, 12, kind ? sagging : NULL);
        for (int k = 0; k < 50; k++) bank_walk(&bank, 0, 1e-3 * k, 1e-3, 1);
        static double before[IB_BANK_MAX_STATES], next[IB_BANK_MAX_STATES];
        double u[12], x0[12], x1[12];
        for (int i = 0; i < 12; i++) {
            u[i] = walk_volts(i, 0.05), x0[i] = walk(i, 0.05), x1[i] = walk(i, 0.051);
        }
        ib_BankDrive drive = {u, x0, x1, 1e-3, 2};
        size_t size = (size_t)bank.model.state_count * sizeof(double);
        memcpy(before, bank.state, size);
        ib_bank_drive(&bank.model, bank.state, &drive, next);
        assert_memory_equal(before, bank.state, size);
        ib_bank_drive(&bank.model, bank.state, &drive, bank.state);
        assert_memory_equal(next, bank.state, size);
    }
}

// ---------------------------------------------------------------------------------- the rig itself

static double bank_thrust(const Bank *b, double x)
{
    return ib_cylinder_force(&b->model.cylinder[0], bank_pressure(b, 0, 0, x),
                             bank_pressure(b, 0, 1, x));
}

// 5 to 40 mm and on, ever faster: no port turns.
static double rush(double t)
{
    return 5e-3 + 0.2 * t + 1.2 * t * t;
}

static double rush_speed(double t)
{
    return 0.2 + 2.4 * t;
}

// Goal: the air of a step is of order 2, in steps and in parts. Method: 100 ms in which the
// piston goes out faster and faster behind a valve that is 1 V open and no flow turns: the
// largest error of the force, steps of 1, 0.5 and 0.25 ms in 1, 2 and 4 parts. With the steps the
// way between two ends is known better too, so that they count twofold to both; parts are for the
// method alone.
static void error_falls_with_the_square_of_the_step(void **state)
{
    (void)state;
    const char *const begin[] = {"cap.pressure", "250 kPa", "rod.pressure", "250 kPa", "position",
                                 "5 mm",         NULL};
    ib_CylinderRigConfig rig = rig_config(begin);
    ib_SolverConfig wish = {IB_ROSENBROCK, 1e-10, 0};
    ib_Arena arena = {0};
    static Stand stand;
    static double exact[401], error[3][3];
    stand_make(&stand, &rig);
    stand.way = rush, stand.speed = rush_speed;
    ib_Solver *solver = ib_solver_create(&wish, stand.rig.state_count, &arena);
    for (int k = 0; k <= 400; k++) {
        exact[k] = stand_force(&stand);
        stand_step(&stand, solver, 6.25, 0.25e-3);
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            int every = 4 >> i;
            double h = 0.25e-3 * every;
            bank_make(&bank, &rig, 1, NULL);
            start(&bank, 5e-3, 250e3, 250e3);
            for (int k = 0; k < 400; k += every) {
                double t = 0.25e-3 * k;
                bank_step(&bank, 6.25, rush(t), rush(t + h), h, 1 << j);
                double e = fabs(bank_thrust(&bank, rush(t + h)) - exact[k + every]);
                error[i][j] = fmax(error[i][j], e);
            }
            if (getenv("IB_TABLES"))
                printf("h %.2f ms parts %d: %.3g N\n", h * 1e3, 1 << j, error[i][j]);
        }
    ib_arena_reset(&arena);
    assert_true(error[0][0] < 0.02); // of 100 N
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 2; i++) assert_close(error[i][j] / error[i + 1][j], 4, 0.8);
    for (int i = 0; i < 3; i++) assert_true(error[i][1] < error[i][0]);
}

// 10 times the thesis's fastest walk.
static double swing(double t)
{
    return 0.022 + 0.020 * sin(2 * 3.14159265358979 * 6 * t);
}

static double swing_speed(double t)
{
    return 0.020 * 2 * 3.14159265358979 * 6 * cos(2 * 3.14159265358979 * 6 * t);
}

// Goal: under the worst of commands the air is far better than what it is told. Method: 6 Hz over
// nearly the whole stroke, the valve thrown from end to end every 110 ms, 1 ms in one part,
// against the rig at 1e-10. The engine holds a force over a step; by its end it is off by what the
// force changed, which is the yardstick: the largest error below a tenth of the largest change,
// and the mean square likewise. The books of air and energy within 2e-3: ports turn dozens of
// times, and what they passed both ways within a step counts as what is left of it.
static void error_is_far_below_that_of_held_forces(void **state)
{
    (void)state;
    static const double volts[] = {0, 10, 4.2, 6.6, 5.25, 8, 2, 5.8};
    const char *const begin[] = {
        "position",      "22 mm", "cap.pressure", "101352.972 Pa", "rod.pressure",
        "101352.972 Pa", NULL};
    ib_CylinderRigConfig rig = rig_config(begin);
    ib_SolverConfig wish = {IB_ROSENBROCK, 1e-10, 0};
    ib_Arena arena = {0};
    static Stand stand;
    stand_make(&stand, &rig);
    stand.way = swing, stand.speed = swing_speed;
    ib_Solver *solver = ib_solver_create(&wish, stand.rig.state_count, &arena);
    for (int parts = 1; parts <= 4; parts *= 2) {
        stand_make(&stand, &rig);
        stand.way = swing, stand.speed = swing_speed;
        bank_make(&bank, &rig, 1, NULL);
        start(&bank, 0.022, bank.model.cylinder[0].atmosphere, bank.model.cylinder[0].atmosphere);
        double worst = 0, squares = 0, change = 0, changes = 0, held = stand_force(&stand);
        for (int k = 0; k < 1000; k++) {
            double t = 1e-3 * k, u = volts[k / 110 % 8];
            stand_step(&stand, solver, u, 1e-3);
            bank_step(&bank, u, swing(t), swing(t + 1e-3), 1e-3, parts);
            double exact = stand_force(&stand), e = bank_thrust(&bank, swing(t + 1e-3)) - exact;
            worst = fmax(worst, fabs(e)), squares += e * e;
            change = fmax(change, fabs(exact - held)), changes += (exact - held) * (exact - held);
            held = exact;
        }
        if (getenv("IB_TABLES"))
            printf("parts %d: error %.3g N, rms %.3g; change in a step %.3g N, rms %.3g\n", parts,
                   worst, sqrt(squares / 1000), change, sqrt(changes / 1000));
        assert_true(worst < 0.1 * change && squares < 0.01 * changes);
        const double *sums = stand.state;
        if (getenv("IB_TABLES"))
            printf("  books: used %.2e vented %.2e exhaust %.2e work %.2e\n",
                   bank_book(&bank, IB_CYLINDER_USED) / sums[stand.rig.at[IB_RIG_USED]] - 1,
                   bank_book(&bank, IB_CYLINDER_VENTED) / sums[stand.rig.at[IB_RIG_VENTED]] - 1,
                   bank_book(&bank, IB_CYLINDER_E_EXHAUST) / sums[stand.rig.at[IB_RIG_E_EXHAUST]] -
                       1,
                   bank_book(&bank, IB_CYLINDER_WORK) / (sums[stand.rig.at[IB_RIG_CAP_WORK]] +
                                                         sums[stand.rig.at[IB_RIG_ROD_WORK]]) -
                       1);
        assert_close(bank_book(&bank, IB_CYLINDER_USED) / sums[stand.rig.at[IB_RIG_USED]], 1, 2e-3);
        assert_close(bank_book(&bank, IB_CYLINDER_VENTED) / sums[stand.rig.at[IB_RIG_VENTED]], 1,
                     2e-3);
        assert_close(bank_book(&bank, IB_CYLINDER_E_EXHAUST) / sums[stand.rig.at[IB_RIG_E_EXHAUST]],
                     1, 2e-3);
        assert_close(bank_book(&bank, IB_CYLINDER_WORK) / (sums[stand.rig.at[IB_RIG_CAP_WORK]] +
                                                           sums[stand.rig.at[IB_RIG_ROD_WORK]]),
                     1, 2e-3);
    }
    ib_arena_reset(&arena);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_chamber_keeps_its_adiabate),
        cmocka_unit_test(warm_walls_keep_the_isotherm),
        cmocka_unit_test(there_and_back_is_where_it_was),
        cmocka_unit_test(books_close_to_rounding),
        cmocka_unit_test(slopes_are_written_where_laws_allow),
        cmocka_unit_test(both_jacobians_make_the_same_steps),
        cmocka_unit_test(twelve_are_twelve_times_one),
        cmocka_unit_test(step_is_a_function_of_the_state),
        cmocka_unit_test(error_falls_with_the_square_of_the_step),
        ib_plain_test(error_is_far_below_that_of_held_forces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
