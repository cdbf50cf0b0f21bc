// test/plant/test_friction_rows.c: the parameters of a piston's friction in files: defaults, keys
// that do nothing, numbers that cannot be.
#include "plant/friction_rig.h"
#include "setting.h"

#include <string.h>

typedef struct Holder {
    double before;
    ib_FrictionConfig friction;
} Holder;

static const ib_Param rows[] = {IB_FRICTION_ROWS(Holder, friction)};
static const ib_Schema schema = IB_SCHEMA(rows);

// Goal: a file that says nothing has the default, and one Coulomb force serves both ways until
// another is given. Method: the rows' defaults against ib_friction_default, field by field.
static void rows_have_the_default(void **state)
{
    (void)state;
    Holder holder = {0};
    ib_Error error;
    assert_int_equal(schema.count, IB_FRICTION_ROW_COUNT);
    assert_int_equal(ib_schema_default(&schema, &holder, &error), IB_OK);
    ib_FrictionConfig expected = ib_friction_default();
    expected.given = holder.friction.given;
    ib_FrictionModel read = make(holder.friction), model = make(expected);
    assert_memory_equal(&read, &model, sizeof read);

    const Setting both[] = {{"friction.coulomb", "2 lbf"}, {NULL, NULL}};
    put_settings(&schema, both, &holder);
    ib_FrictionModel f = make(holder.friction);
    assert_close(f.coulomb[0], 2 * LBF, 0);
    assert_close(f.coulomb[1], 2 * LBF, 0);
    const Setting retract[] = {{"friction.coulomb_retract", "1 lbf"},
                               {"friction.velocity_unit", "1 in/s"},
                               {"friction.ends.rod", "1.5"},
                               {"friction.end_zone", "5 mm"},
                               {NULL, NULL}};
    put_settings(&schema, retract, &holder);
    f = make(holder.friction);
    assert_close(f.coulomb[0], 2 * LBF, 0);
    assert_close(f.coulomb[1], 1 * LBF, 0);
    assert_close(f.steepness, 40 / 0.0254, 1e-12);
    assert_close(ib_friction_factor(&f, STROKE), 1.5, 0);
}

// Goal: a key that does nothing in a law is named, with what keeps it from acting, and no other.
// Method: every number is doubled; the key is idle just where no force, slope, hold or bristle
// changes, at speeds beside and beyond every bend.
static double everything(const ib_FrictionConfig *config)
{
    ib_FrictionModel f = make(*config);
    double sum = 0;
    for (int i = 0; i < 6; i++) {
        double v = (i % 2 ? -1 : 1) * 0.003 * (1 + 7 * i), x = 0.001 + 0.041 * (i / 2) / 2;
        ib_FrictionBristle b = {0, 0};
        if (ib_friction_bristles(&f)) b = ib_friction_lugre(&f, v, 1e-5, x, 10);
        double other = ib_friction_bristles(&f) ? 0 : ib_friction_force(&f, v, x, 10);
        sum += (i + 1.3) * (1.7 * other + b.force + ib_friction_breakaway(&f, v, x, 10));
    }
    return sum;
}

static void idle_keys_are_those_that_change_nothing(void **state)
{
    (void)state;
    for (int law = 0; law < IB_FRICTION_LAWS; law++) {
        Holder holder = {0};
        ib_Error error;
        assert_int_equal(ib_schema_default(&schema, &holder, &error), IB_OK);
        ib_FrictionConfig *config = &holder.friction;
        config->law = law;
        config->static_force = 100;
        config->coulomb_retract = 20;
        config->side_coefficient = 0.1;
        config->end_factor[0] = config->end_factor[1] = 1.5;
        config->end_zone = 0.005;
        double usual = everything(config);
        for (int i = 2; i < schema.count; i++) {
            double *field = (double *)((char *)&holder + rows[i].offset), kept = *field;
            *field = kept * 1.5;
            bool acts = everything(config) != usual;
            const char *because = ib_friction_idle(config, rows[i].key);
            *field = kept;
            if (acts == (because != NULL)) fail_msg("%s: %s", ib_friction_laws[law], rows[i].key);
            if (because) assert_string_equal(because, "friction.law");
        }
        assert_null(ib_friction_idle(config, "friction.law"));
        assert_null(ib_friction_idle(config, "stroke"));
    }
}

// Goal: ends need a zone, and a zone ends. Method: each without the other.
static void ends_and_their_zone_need_each_other(void **state)
{
    (void)state;
    ib_FrictionConfig config = ib_friction_default();
    config.end_factor[0] = 2;
    assert_string_equal(ib_friction_idle(&config, "friction.ends.cap"), "friction.end_zone");
    config.end_factor[0] = 1;
    config.end_zone = 0.01;
    assert_string_equal(ib_friction_idle(&config, "friction.end_zone"), "friction.ends.cap");
    config.end_factor[1] = 2;
    assert_null(ib_friction_idle(&config, "friction.end_zone"));
    assert_null(ib_friction_idle(&config, "friction.ends.rod"));
}

static void refuses(ib_FrictionConfig config, const char *words)
{
    ib_Error error;
    assert_int_equal(ib_friction_check(&config, &error), IB_BAD_INPUT);
    if (!strstr(error.text, words)) fail_msg("'%s' does not say '%s'", error.text, words);
}

// Goal: what cannot be is refused with its key. Method: one mistake each.
static void refuses_impossible_numbers(void **state)
{
    (void)state;
    ib_FrictionConfig ok = ib_friction_default(), c = ok;
    c.static_force = 13;
    refuses(c, "friction.static: expected not less than friction.coulomb (13.3447 N), got 13 N");
    c = ok, c.coulomb_retract = 21;
    refuses(c, "friction.static: expected not less than friction.coulomb (21 N)");
    c = ok, c.end_factor[1] = 0;
    refuses(c, "friction.ends.rod");
    c = ok, c.law = IB_FRICTION_LUGRE, c.coulomb_extend = 0, c.coulomb_retract = 1;
    refuses(c, "friction.coulomb: expected more than 0 N");
    // F_S does not count where the law has none.
    c = ok, c.law = IB_FRICTION_SATURATED, c.static_force = 0;
    make(c);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_have_the_default),
        cmocka_unit_test(idle_keys_are_those_that_change_nothing),
        cmocka_unit_test(ends_and_their_zone_need_each_other),
        cmocka_unit_test(refuses_impossible_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
