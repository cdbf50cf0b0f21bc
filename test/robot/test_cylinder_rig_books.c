// test/robot/test_cylinder_rig_books.c: the books of the cylinder rig: air, chambers, energy.
#include "robot/cylinder_stand.h"

static Stand stand;

// Goal: the chamber audit. Method: the reference sheet's A6, 0.0599660955 J made by the printed
// factor in the +1.25 V step, of 8.091425 J of work, and less than 1e-9 J with the corrected one;
// both from 5 s on.
static void audit_finds_what_the_printed_factor_makes(void **unused)
{
    static const double at[] = {5, -1};
    (void)unused;
    for (int published = 0; published < 2; published++) {
        stand_default(&stand, 10);
        if (published) stand_set(&stand, "equations", "published");
        stand_step(&stand, 1.25);
        stand.at = at;
        stand_run(&stand);
        double made = stand_row(&stand, 1, "cap.error") - stand_row(&stand, 0, "cap.error");
        double work = stand_row(&stand, 1, "cap.work") - stand_row(&stand, 0, "cap.work");
        assert_close(made, published ? 0.0599660955 : 0, published ? 1e-8 : 1e-9);
        if (published) assert_close(work, 8.091425, 1e-6);
        stand_stop(&stand);
    }
}

// One run of the books with one key set; the largest energy that passed is about 70 J.
static void assert_books(const char *key, const char *value, const char *also, const char *text)
{
    static const double at[] = {0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, -1};
    stand_default(&stand, 0.5);
    if (key) stand_set(&stand, key, value);
    if (also) stand_set(&stand, also, text);
    stand_input(&stand, IB_RIG_VALVE, false, (Knot[]){{0, 2}, {0.15, 7}, {0.35, 4.8}}, 3);
    stand_input(&stand, IB_RIG_LOAD, false, (Knot[]){{0, 3}, {0.2, -8}}, 2);
    stand.at = at;
    stand_run(&stand);
    for (int i = 0; i < stand.row_count; i++) {
        assert_close(stand_row(&stand, i, "air.error"), 0, 1e-15);
        assert_close(stand_row(&stand, i, "cap.error"), 0, 1e-9);
        assert_close(stand_row(&stand, i, "rod.error"), 0, 1e-9);
        double error = stand_row(&stand, i, "energy.error");
        if (!(fabs(error) <= 1e-6)) fail_msg("%s %s: %g J", key, value, error);
    }
    stand_stop(&stand);
}

// Goal: books close under every law. Method: one run each, rosenbrock at 1e-9; sums of air and of a
// chamber are of the same rates (rounding), the motion's energy is a square (1e-6 J of some 70 J).
static void books_close_under_every_law(void **unused)
{
    static const char *const rows[][4] = {
        {NULL},
        {"valve.law", "linear"},
        {"valve.law", "spool"},
        {"valve.law", "holes"},
        {"valve.map", "table"},
        {"valve.curve", "linear"},
        {"valve.lost.rule", "constant"},
        {"valve.lost.rule", "band"},
        {"valve.spool.dynamics", "first"},
        {"valve.swapped", "true"},
        {"friction.law", "none"},
        {"friction.law", "coulomb"},
        {"friction.law", "coulomb_viscous"},
        {"friction.law", "viscous"},
        {"friction.law", "saturated"},
        {"friction.law", "smooth"},
        {"friction.law", "lugre"},
        {"heat.law", "isothermal"},
        {"heat.law", "walls"},
        {"stops.law", "compliant"},
        {"stops.restitution", "0.6"},
        {"orifice.law", "iso_6358"},
        {"leak.piston", "1e-8 m^2", "leak.seal", "1e-9 m^2"},
        {"cushion.length", "5 mm"},
        {"supply.volume", "50 mL"},
        {"orientation", "30 deg"},
        {"locked", "true"},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_books(rows[i][0], rows[i][1], rows[i][2], rows[i][3]);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(audit_finds_what_the_printed_factor_makes),
        cmocka_unit_test(books_close_under_every_law),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
