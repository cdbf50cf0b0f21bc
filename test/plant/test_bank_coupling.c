// test/plant/test_bank_coupling.c: a bank beside whoever moves its pistons: forces, turns, limits.
#include "cmocka_all.h"

#include "bank_rig.h"
#include "solver/solver.h"

static Bank bank, other;

static void make(const char *const *pairs, int count, void (*edit)(ib_BankConfig *config))
{
    ib_CylinderRigConfig rig = rig_config(pairs);
    bank_make(&bank, &rig, count, edit);
}

// ------------------------------------------------------------------------------------------ forces

static void outside(ib_BankConfig *config)
{
    config->friction_outside = true;
}

// Goal: the force of air and seals. Method: by hand. Cap 300 kPa on 5.6077e-4 m^2, rod 200 kPa on
// 71.26 mm^2 less, the atmosphere on those; friction of the thesis's law at 0.3 m/s:
//   (13.3447 + 6.6723 e^-243) tanh(12) + 2.22411 0.3 N
static void force_is_that_of_air_and_seals(void **state)
{
    (void)state;
    double pi = 3.14159265358979324, inch = 0.0254, lbf = 4.4482216152605;
    double piston = pi / 4 * 1.0625 * inch * 1.0625 * inch - 11.25e-6;
    double shaft = pi / 4 * 0.375 * inch * 0.375 * inch;
    double air = 300e3 * piston - 200e3 * (piston - shaft) - 101352.972 * shaft;
    double seals = 3 * lbf + 0.5 * lbf * 0.3; // tanh(12) and e^-243 are 1 and 0 to 1e-10
    double x = 0.02, v = 0.3, force;
    for (int engine = 0; engine < 2; engine++) {
        make(NULL, 1, engine ? outside : NULL);
        ib_bank_fill(&bank.model, 0, x, 300e3, 200e3, bank.state);
        bank_force(&bank.model, bank.state, &x, &v, &force);
        assert_close(force, engine ? air : air - seals, 1e-8);
        ib_BankNow now = ib_bank_evaluate(&bank.model, bank.state, 0, x, v);
        assert_close(now.force, air, 1e-9);
        assert_close(now.friction, engine ? 0 : seals, 1e-8);
        assert_close(now.pressure[IB_SIDE_CAP], 300e3, 1e-8);
        assert_close(now.pressure[IB_SIDE_ROD], 200e3, 1e-8);
    }
    // In the engine a lever of 20 mm makes 13.34 N and 2.224 N s/m into these.
    ib_JointFriction joint = ib_bank_joint(&bank.model, 0, -0.02);
    assert_close(joint.loss, 3 * lbf * 0.02, 1e-12);
    assert_close(joint.damping, 0.5 * lbf * 4e-4, 1e-15);
}

// Goal: the spring and the damper that an engine feels. Method: the spring by a difference of the
// force over 1 um with the valve shut, the damper of the thesis's law at rest: (20.017 N) (40 s/m)
// + 2.224 N s/m; the least mass as the page has it.
static void stiffness_is_that_of_the_force(void **state)
{
    (void)state;
    const char *const shut[] = {"valve.law", "linear", "valve.offset", "0 m^2", NULL};
    make(shut, 1, NULL);
    double x = 0.02, ahead = 0.020001, rest = 0, force[2], h = 1e-3, lbf = 4.4482216152605;
    ib_bank_fill(&bank.model, 0, x, 300e3, 200e3, bank.state);
    BankStiffness s = bank_stiffness(&bank, x, h);
    bank_force(&bank.model, bank.state, &x, &rest, &force[0]);
    bank_step(&bank, 5.25, x, ahead, h, 1);
    bank_force(&bank.model, bank.state, &ahead, &rest, &force[1]);
    assert_close((force[0] - force[1]) / 1e-6, s.spring, 1e-3 * s.spring);
    assert_close(s.damper, 4.5 * lbf * 40 + 0.5 * lbf, 1e-9);
    assert_close(s.least_mass, (h * h * s.spring + 2 * h * s.damper) / 4, 1e-12);
}

// A mass that swings on a shut cylinder by steps of an engine: its largest way from the start.
static double swung(double mass, double h)
{
    double x = 0.022, v = 0.01, force, far = 0, u = 5.25;
    make((const char *[]){"valve.law", "linear", "valve.offset", "0 m^2", "friction.law", "viscous",
                          "friction.viscous", "300 N*s/m", NULL},
         1, NULL);
    ib_bank_fill(&bank.model, 0, x, 300e3, 300e3, bank.state);
    double hold;
    bank_force(&bank.model, bank.state, &x, &(double){0}, &hold);
    for (int k = 0; k < 400 && far < 0.02; k++) {
        bank_force(&bank.model, bank.state, &x, &v, &force);
        v += h * (force - hold) / mass;
        double next = x + h * v;
        ib_BankDrive drive = {&u, &x, &next, h, 1};
        ib_bank_drive(&bank.model, bank.state, &drive, bank.state);
        x = next;
        far = fmax(far, fabs(x - 0.022));
    }
    return far;
}

// Goal: the limit that a bank states is where an engine's steps break. Method: a mass on a piston
// with shut valve and much viscous friction, 5 % heavier than the least one: it comes to rest; 5 %
// lighter: it is thrown out.
static void least_mass_is_where_steps_break(void **state)
{
    (void)state;
    swung(1e3, 1e-3);
    BankStiffness s = bank_stiffness(&bank, 0.022, 1e-3);
    assert_true(swung(1.05 * s.least_mass, 1e-3) < 1e-3);
    assert_true(swung(0.95 * s.least_mass, 1e-3) >= 0.02);
}

// ------------------------------------------------------------------------------------------- turns

// Where a mass of 2 kg on a piston is after 60 ms, by turns of bank and engine.
static double turns(const ib_CylinderRigConfig *rig, double volts, double h)
{
    double x = 0.02, v = 0, force, u = volts;
    bank_make(&bank, rig, 1, NULL);
    ib_bank_fill(&bank.model, 0, x, 300e3, 300e3, bank.state);
    for (int k = 0; k < (int)lround(0.06 / h); k++) {
        bank_force(&bank.model, bank.state, &x, &v, &force);
        v += h * (force + rig->piston.mass * 9.81) / rig->piston.mass;
        double next = x + h * v;
        ib_BankDrive drive = {&u, &x, &next, h, 1};
        ib_bank_drive(&bank.model, bank.state, &drive, bank.state);
        x = next;
    }
    return x;
}

static void free_rate(const void *context, double t, const double *x, double *dx)
{
    const void *const *both = context;
    (void)t;
    ib_cylinder_rig_rate(both[0], x, both[1], dx);
}

// Goal: taking turns is right in the limit, at first order. Method: 2 kg on a rod that hangs down,
// three voltages, 60 ms without a stop; the rig's own equations at 1e-10 against turns of 1 ms and
// of halves, quarters and eighths: below 0.1 mm, and halved in the end, within a sixth.
static void turns_converge_at_first_order(void **state)
{
    (void)state;
    ib_CylinderRigConfig rig =
        rig_config((const char *[]){"position", "20 mm", "cap.pressure", "300 kPa", "rod.pressure",
                                    "300 kPa", "mass", "2 kg", NULL});
    ib_SolverConfig wish = {IB_ROSENBROCK, 1e-10, 0};
    for (int i = 0; i < 3; i++) {
        double volts = 5 + 0.5 * i, error[4];
        ib_CylinderRigModel model;
        double exact[64], next[64], input[IB_RIG_INPUTS] = {0}, t = 0, hint = 0, taken;
        ib_cylinder_rig_init(&rig, &model);
        ib_cylinder_rig_reset(&model, exact);
        input[IB_RIG_GAIN] = 1;
        input[IB_RIG_VALVE] = volts;
        while (ib_cylinder_rig_settle(&model, input, exact)) continue;
        const void *const both[] = {&model, input};
        ib_System system = {model.state_count, free_rate, NULL, both, NULL, true};
        ib_Arena arena = {0};
        ib_Solver *solver = ib_solver_create(&wish, model.state_count, &arena);
        while (0.06 - t > 1e-12) {
            ib_SolverCounts counts = {0};
            ib_Error problem;
            assert_int_equal(ib_solver_step_controlled(solver, &system, 0.06 - t, &hint, exact,
                                                       next, &taken, &counts, &problem),
                             IB_OK);
            memcpy(exact, next, sizeof exact);
            t += taken;
        }
        ib_arena_reset(&arena);
        assert_true(exact[IB_RIG_POSITION] > 1e-3 && exact[IB_RIG_POSITION] < 0.043);
        for (int k = 0; k < 4; k++)
            error[k] = fabs(turns(&rig, volts, 1e-3 / (1 << k)) - exact[IB_RIG_POSITION]);
        if (getenv("IB_TABLES"))
            printf("%.2f V: x %.3f mm, errors %.3g %.3g %.3g %.3g um\n", volts,
                   exact[IB_RIG_POSITION] * 1e3, error[0] * 1e6, error[1] * 1e6, error[2] * 1e6,
                   error[3] * 1e6);
        assert_true(error[0] < 100e-6);
        assert_close(error[2] / error[3], 2, 0.33);
    }
}

// ------------------------------------------------------------------------------------------ limits

// Everything in a bank is a number, and no air is below nothing.
static void assert_sane(const Bank *b)
{
    for (int i = 0; i < b->model.state_count; i++) assert_true(isfinite(b->state[i]));
    for (int i = 0; i < b->model.count; i++)
        for (int k = 0; k < IB_CYLINDER_STATES; k++)
            assert_true(b->state[b->model.place[i].air + k] > 0);
}

// The models that are tried: a law of each kind.
static const char *const models[][7] = {
    {NULL},
    {"heat.law", "walls", NULL},
    {"heat.law", "isothermal", NULL},
    {"valve.law", "linear", NULL},
    {"valve.law", "spool", NULL},
    {"valve.law", "holes", NULL},
    {"orifice.law", "iso_6358", NULL},
    {"leak.piston", "1e-8 m^2", "leak.seal", "1e-8 m^2", NULL},
    {"cushion.length", "8 mm", NULL},
    {"valve.spool.dynamics", "first", NULL},
    {"valve.spool.dynamics", "second", NULL},
    {"friction.law", "lugre", NULL},
    {"valve.lost.rule", "constant", NULL},
    {"valve.law", "linear", "valve.area", "2e-3 m^2", NULL},
    {"valve.law", "spool", "valve.area", "1e-3 m^2", "leak.seal", "1e-4 m^2", NULL},
};
enum { MODELS = sizeof models / sizeof models[0] };

// Goal: nothing breaks a bank. Method: every law, also with valves and leaks of a thousandfold
// size: from the atmosphere, 0.2 s of 0 V; 0.2 s of 10 V; full strokes within one step, there and
// back, with 1 mm beyond the stops, under changing voltages; and 10 s of 0 V. Numbers all the way,
// no pressure of nothing or less, air to rounding.
static void nothing_breaks_a_bank(void **state)
{
    (void)state;
    for (int m = 0; m < MODELS; m++) {
        make(models[m], 2, NULL);
        double stroke = bank.model.cylinder[0].stroke, low = -1e-3, high = stroke + 1e-3;
        double mass = bank_mass(&bank), x = 0.5 * stroke;
        for (int k = 0; k < 400; k++) {
            bank_step(&bank, k < 200 ? 0 : 10, x, x, 1e-3, 1);
            assert_sane(&bank);
        }
        for (int k = 0; k < 100; k++) {
            double to = k % 2 ? low : high;
            bank_step(&bank, k % 7 < 3 ? 0 : k % 7 < 5 ? 10 : 5.25, x, to, 1e-3, 1 + k % 2);
            x = to;
            assert_sane(&bank);
        }
        for (int k = 0; k < 10000; k++) bank_step(&bank, 0, x, x, 1e-3, 1);
        assert_sane(&bank);
        double in = bank_book(&bank, IB_CYLINDER_USED) - bank_book(&bank, IB_CYLINDER_VENTED) -
                    bank_book(&bank, IB_CYLINDER_LEAKED);
        // Roundings of 10 000 steps, each of what passed in all; the more the stiffer the valve.
        double passed = fabs(bank_book(&bank, IB_CYLINDER_USED)) + mass;
        assert_close(in, bank_mass(&bank) - mass, m < 2 ? 1e-16 : 1e-10 * passed);
        // After 10 s of 0 V the cap side is at the exhaust, the rod side at the supply; not where a
        // leak, an edge that is always open or a lost flow keeps it from there.
        if (m < 4)
            assert_close(bank_pressure(&bank, 0, 0, x) / bank.model.cylinder[0].exhaust, 1, 1e-6);
    }
}

// Goal: a piston beyond half of a dead length is one that is there. Method: 50 mm beyond the stop.
static void far_beyond_a_stop_is_half_a_dead_length(void **state)
{
    (void)state;
    make(NULL, 1, NULL);
    ib_CylinderRigConfig rig = rig_config(NULL);
    bank_make(&other, &rig, 1, NULL);
    bank_step(&bank, 5.25, 0.01, -0.05, 1e-3, 1);
    bank_step(&other, 5.25, 0.01, -0.006, 1e-3, 1);
    assert_memory_equal(bank.state, other.state, IB_CYLINDER_STATES * sizeof(double));
    bank_step(&bank, 5.25, -0.05, -0.05, 1e-3, 1);
    assert_sane(&bank);
}

// Goal: a spool moves while the air does. Method: spools of first and second order (light,
// critical and heavy damping) on the way from 5.25 V to 6.25 V and up in stairs of 40 mV, 30 ms;
// against its rates by Euler's method in steps of 10 ns, whose error is below 1e-5 V.
static void spool_follows_its_voltage(void **state)
{
    (void)state;
    const char *const damping[] = {"0.3", "1", "3"};
    for (int i = 0; i < 4; i++) {
        make((const char *[]){"valve.spool.dynamics", i ? "second" : "first", "valve.spool.damping",
                              i ? damping[i - 1] : "1", NULL},
             1, NULL);
        const ib_ProportionalModel *valve = &bank.model.cylinder[0].valve;
        double spool[2] = {0, 0}, rate[2] = {0, 0}, u, stair = 0.04, x = 0.02;
        for (int k = 0; k < 30; k++) {
            u = 6.25 + stair * k;
            ib_BankDrive drive = {&u, &x, &x, 1e-3, 1 + k % 3};
            ib_bank_drive(&bank.model, bank.state, &drive, bank.state);
        }
        for (int k = 0; k < 3000000; k++) {
            ib_proportional_rate(valve, 1 + stair * (k / 100000), spool, rate);
            spool[0] += 1e-8 * rate[0], spool[1] += 1e-8 * rate[1];
        }
        assert_close(bank.state[bank.model.place[0].spool], spool[0], 1e-5);
    }
}

// Goal: bristles bend as their law says. Method: 20 ms at 0.05 m/s, forth and back, in steps
// of 1 ms, against the law's own rate by Euler's method in steps of 20 ns: 1e-6 of the 0.2 mm
// they bend.
static void bristles_bend_with_the_piston(void **state)
{
    (void)state;
    make((const char *[]){"friction.law", "lugre", NULL}, 1, NULL);
    double z = 0, x = 0.02;
    for (int k = 0; k < 20; k++) {
        double v = k < 12 ? 0.05 : -0.03;
        bank_step(&bank, 5.25, x, x + 1e-3 * v, 1e-3, 1);
        for (int i = 0; i < 50000; i++)
            z += 2e-8 * ib_friction_lugre(&bank.model.friction[0], v, z, x, 0).rate;
        x += 1e-3 * v;
        assert_close(bank.state[bank.model.place[0].bristle], z, 1e-9);
    }
}

// ---------------------------------------------------------------------------------------- refusals

static void assert_refused(const ib_BankConfig *config, const char *words)
{
    ib_Error error = {0};
    assert_int_equal(ib_bank_check(config, &error), IB_BAD_INPUT);
    if (!strstr(error.text, words)) fail_msg("'%s' does not say '%s'", error.text, words);
}

// Goal: what a bank cannot be is said. Method: one mistake at a time.
static void bad_banks_are_refused(void **state)
{
    (void)state;
    make(NULL, 3, NULL);
    ib_BankConfig good = bank.config, bad = good;
    bad.count = 0;
    assert_refused(&bad, "expected 1 to 24");
    bad = good, bad.cylinders[2].cylinder.temperature = 290;
    assert_refused(&bad, "cylinders[2]: gas_constant, temperature");
    bad = good, bad.cylinders[1].cylinder.rod = 1;
    assert_refused(&bad, "cylinders[1]: rod");
    bad = good, bad.cylinders[1].friction.law = IB_FRICTION_COULOMB;
    assert_refused(&bad, "leave it to the engine");
    bad.friction_outside = true;
    ib_Error error;
    assert_int_equal(ib_bank_check(&bad, &error), IB_OK);
    bad = good, bad.cylinders[0].cylinder.exhaust = 1e6;
    assert_refused(&bad, "exhaust");
    bad = good, bad.supply.compressor = true;
    assert_refused(&bad, "nowhere to pump to");
    bad = good, bad.supply.tank = true, bad.supply.reservoir.relief = 1e5;
    assert_refused(&bad, "tank.relief");
    bad = good, bad.supply.supply.volume = 1e-3, bad.supply.supply.source = 2e5;
    assert_refused(&bad, "supply.source");
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(force_is_that_of_air_and_seals),
        cmocka_unit_test(stiffness_is_that_of_the_force),
        cmocka_unit_test(least_mass_is_where_steps_break),
        cmocka_unit_test(turns_converge_at_first_order),
        cmocka_unit_test(nothing_breaks_a_bank),
        cmocka_unit_test(far_beyond_a_stop_is_half_a_dead_length),
        cmocka_unit_test(spool_follows_its_voltage),
        cmocka_unit_test(bristles_bend_with_the_piston),
        cmocka_unit_test(bad_banks_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
