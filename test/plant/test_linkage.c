// test/plant/test_linkage.c: a cylinder that turns a joint, against the reference and by energy.
#include "cmocka_all.h"

#include "plant/linkage.h"
#include "spread.h"

#include <string.h>

#define DEGREE (3.14159265358979323846 / 180)
#define INCH   0.0254

// The table of reference B. Its lengths have 10 digits behind the point (errors of 5e-11 m), its
// offsets 8 in degrees (1e-10 rad), l4 and l5 8 digits (5e-9 m).
typedef struct Row {
    const char *name;
    int form, extension;
    double l1, l2, l3, l4, l5, offset, low, high, stroke; ///< angles in degrees
    double phi1, phi2, g[2], ends[2], peak;               ///< [deg], arms [mm]
} Row;

static const Row table[] = {
    {"alpha",
     IB_LINKAGE_ALPHA,
     IB_LINKAGE_RAISES,
     0.2200,
     0.1715736836,
     0.0511866947,
     0.04809976,
     0.21863249,
     63.60829562,
     -47,
     90,
     3.75 * INCH,
     20.000000,
     96.391704,
     {16.608296, 153.608296},
     {18.7600, 18.7600},
     51.1867},
    {"alpha_text_3.5in",
     IB_LINKAGE_ALPHA,
     IB_LINKAGE_RAISES,
     0.2200,
     0.1748521288,
     0.0477742484,
     0.04489311,
     0.21876864,
     63.93512592,
     -47,
     90,
     3.5 * INCH,
     20.000000,
     96.064874,
     {16.935126, 153.935126},
     {17.5093, 17.5093},
     47.7742},
    {"beta",
     IB_LINKAGE_BETA,
     IB_LINKAGE_RAISES,
     0.1462,
     0.1199129335,
     0.0408068437,
     0.02648145,
     0.05000334,
     110.46219763,
     -67,
     -1,
     1.75 * INCH,
     49.537802,
     20.000000,
     {43.462198, 109.462198},
     {34.2235, 34.2235},
     40.8068},
    {"gamma_balanced",
     IB_LINKAGE_GAMMA,
     IB_LINKAGE_LOWERS,
     0.1650,
     0.1404763818,
     0.0353158746,
     0.11373488,
     0,
     136.42509320,
     17,
     95,
     1.75 * INCH,
     0,
     43.574907,
     {119.425093, 41.425093},
     {27.4456, 27.4456},
     35.3159},
    {"gamma",
     IB_LINKAGE_GAMMA,
     IB_LINKAGE_LOWERS,
     0.1650,
     0.1565311498,
     0.0407079677,
     0.04000000,
     0,
     165.97033460,
     17,
     95,
     1.75 * INCH,
     0,
     14.029665,
     {148.970335, 70.970335},
     {17.2275, 40.5653},
     40.7080},
};
enum { ROWS = sizeof table / sizeof table[0] };

static ib_LinkageConfig config_of(const Row *row)
{
    return (ib_LinkageConfig){.form = IB_LINKAGE_OFFSET,
                              .l1 = row->l1,
                              .l2 = row->l2,
                              .l3 = row->l3,
                              .offset = row->offset * DEGREE,
                              .extension = row->extension,
                              .range = {row->low * DEGREE, row->high * DEGREE},
                              .stroke = row->stroke};
}

static ib_LinkageModel model_of(const ib_LinkageConfig *config)
{
    ib_LinkageModel linkage;
    ib_Error error = {0};
    if (ib_linkage_check(config, &error) != IB_OK) print_error("%s\n", error.text);
    assert_int_equal(ib_linkage_check(config, &error), IB_OK);
    ib_linkage_init(config, &linkage);
    return linkage;
}

static double range_at(const ib_LinkageModel *linkage, double part)
{
    return linkage->range[0] + part * (linkage->range[1] - linkage->range[0]);
}

// --------------------------------------------------------------------------------------- reference

// The stroke spans the range: 0 at one end, all of it at the other; 5e-11 m for each of its sides.
static void strokes_are_the_references(void **state)
{
    (void)state;
    for (int i = 0; i < ROWS; i++) {
        ib_LinkageConfig config = config_of(&table[i]);
        ib_LinkageModel linkage = model_of(&config);
        bool lowers = table[i].extension == IB_LINKAGE_LOWERS;
        double in = linkage.range[lowers], out = linkage.range[!lowers];
        assert_close(ib_linkage_at(&linkage, in).x, 0, 1.5e-10);
        assert_close(ib_linkage_at(&linkage, out).x, table[i].stroke, 1.5e-10);
        assert_close(ib_linkage_angle(&linkage, 0), in, 1e-8);
        assert_close(ib_linkage_angle(&linkage, table[i].stroke), out, 1e-8);
    }
}

// Arms at both ends and the greatest one, which is l3 where it lies inside the range, to the four
// digits of the table, and their signs.
static void arms_are_the_references(void **state)
{
    (void)state;
    for (int i = 0; i < ROWS; i++) {
        ib_LinkageConfig config = config_of(&table[i]);
        ib_LinkageModel linkage = model_of(&config);
        double sign = table[i].extension == IB_LINKAGE_LOWERS ? -1 : 1, peak = 0;
        for (int end = 0; end < 2; end++) {
            double th = linkage.range[end];
            assert_close(1e3 * ib_linkage_at(&linkage, th).arm, sign * table[i].ends[end], 5.1e-5);
            assert_close((linkage.offset + linkage.sign * th) / DEGREE, table[i].g[end], 5.1e-7);
        }
        for (int k = 0; k <= 100000; k++)
            peak = fmax(peak, fabs(ib_linkage_at(&linkage, range_at(&linkage, k * 1e-5)).arm));
        assert_close(1e3 * peak, table[i].peak, 5.1e-5);
        assert_close(peak, table[i].l3, 1e-9); // flat there: a grid of 1e-5 misses 1e-10 of it
    }
}

// The thesis's l4 and l5 give the same offset, phi1 and phi2: 5e-9 m in 0.04 m, over the slope of
// the arc functions at these angles, are 3e-6 degrees for l5 of alpha near its peak: 83.6 degrees.
static void forms_of_the_thesis_give_the_offset(void **state)
{
    (void)state;
    for (int i = 0; i < ROWS; i++) {
        const Row *row = &table[i];
        ib_LinkageConfig config = config_of(row);
        double offset, sign, phi1 = row->form == IB_LINKAGE_GAMMA ? 0 : acos(row->l4 / row->l3);
        config.form = row->form;
        config.l4 = row->l4;
        config.l5 = row->l5;
        ib_linkage_offset(&config, &offset, &sign);
        assert_close(offset / DEGREE, row->offset, 3e-5);
        assert_close(180 - offset / DEGREE, row->phi1 + row->phi2, 3e-5);
        assert_close(phi1 / DEGREE, row->phi1, 3e-5);
        assert_close(sign, row->extension == IB_LINKAGE_LOWERS ? -1 : 1, 0);
        model_of(&config);
    }
}

// l2, l3 and the offset by the closed form, for the rows with equal arms: 1e-10 m, the digits.
static void closed_form_gives_the_table(void **state)
{
    (void)state;
    for (int i = 0; i < ROWS; i++) {
        if (strcmp(table[i].name, "gamma") == 0) continue;
        ib_LinkageConfig config = config_of(&table[i]);
        ib_Error error;
        config.l2 = config.l3 = config.offset = 0;
        assert_int_equal(ib_linkage_span(&config, &error), IB_OK);
        assert_close(config.l2, table[i].l2, 5.1e-11);
        assert_close(config.l3, table[i].l3, 5.1e-11);
        assert_close(config.offset / DEGREE, table[i].offset, 5.1e-9);
        ib_LinkageModel linkage = model_of(&config);
        double half = 0.5 * (table[i].high - table[i].low) * DEGREE;
        for (int end = 0; end < 2; end++)
            assert_close(fabs(ib_linkage_at(&linkage, linkage.range[end]).arm),
                         config.l3 * cos(half), 1e-15);
    }
}

// The least and the greatest torque that 191.105 N and -165.902 N can give: 3.6 to 9.8 N m at
// alpha, 6.5 to 7.8 at beta, 3.3 to 7.8 at gamma as the reference says, over range and both signs
// (alpha: 18.76 mm times 191.1 N = 3.585; and so on), to its two digits.
static void torques_at_65_psia_are_the_references(void **state)
{
    static const struct {
        int row;
        double least, most;
    } torques[] = {{0, 3.6, 9.8}, {2, 6.5, 7.8}, {4, 3.3, 7.8}};
    (void)state;
    for (int i = 0; i < 3; i++) {
        ib_LinkageConfig config = config_of(&table[torques[i].row]);
        ib_LinkageModel linkage = model_of(&config);
        double least = INFINITY, most = 0;
        for (int k = 0; k <= 1000; k++) {
            ib_LinkageNow now = ib_linkage_at(&linkage, range_at(&linkage, k * 1e-3));
            least = fmin(least, fabs(ib_linkage_torque(&linkage, &now, 191.105)));
            most = fmax(most, fabs(ib_linkage_torque(&linkage, &now, 191.105)));
        }
        assert_close(least, torques[i].least, 0.051);
        assert_close(most, torques[i].most, 0.051);
    }
}

// ---------------------------------------------------------------------------------------- calculus

// Both derivatives against central differences of x and of the arm, with h = 1e-5: h^2/6 of the
// third derivative (some 0.1 m) is 2e-12, and rounding of x, 1e-17/h, 1e-12.
static void derivatives_are_those_of_the_stroke(void **state)
{
    const double h = 1e-5;
    (void)state;
    for (int i = 0; i < ROWS; i++)
        for (int law = 0; law < 2; law++) {
            ib_LinkageConfig config = config_of(&table[i]);
            config.law = law;
            ib_LinkageModel linkage = model_of(&config);
            for (int k = 0; k <= 100; k++) {
                double th = range_at(&linkage, 0.01 * k);
                ib_LinkageNow a = ib_linkage_at(&linkage, th - h), b = ib_linkage_at(&linkage, th),
                              c = ib_linkage_at(&linkage, th + h);
                assert_close(b.arm, (c.x - a.x) / (2 * h), 2e-11);
                assert_close(b.curve, (c.arm - a.arm) / (2 * h), 1e-9);
            }
        }
}

// Goal: F x' = T th', and x'' is the derivative of x'. Method: a joint that swings as
// th = m + a sin t; x' and x'' against differences of x over time, the power against the product.
static void power_and_acceleration_balance(void **state)
{
    const double h = 1e-4, F = 123;
    (void)state;
    for (int i = 0; i < ROWS; i++) {
        ib_LinkageConfig config = config_of(&table[i]);
        ib_LinkageModel linkage = model_of(&config);
        double m = range_at(&linkage, 0.5), a = 0.4 * (linkage.range[1] - linkage.range[0]);
        for (int k = 0; k < 50; k++) {
            double t = 0.1 * k, x[3];
            for (int j = 0; j < 3; j++)
                x[j] = ib_linkage_at(&linkage, m + a * sin(t + (j - 1) * h)).x;
            ib_LinkageNow now = ib_linkage_at(&linkage, m + a * sin(t));
            double rate = a * cos(t), change = -a * sin(t), v = (x[2] - x[0]) / (2 * h);
            assert_close(now.arm * rate, v, 1e-8); // h^2/6 x'''
            assert_close(now.arm * change + now.curve * rate * rate,
                         (x[2] - 2 * x[1] + x[0]) / (h * h), 3e-7); // 4 * 1e-17/h^2, and h^2/12
            assert_close(ib_linkage_torque(&linkage, &now, F) * rate, F * v, 1e-8 * F);
        }
    }
}

// theta(x(theta)) over the range, for both laws: 1e-13 rad is 1e-17 m over the smallest arm.
static void angle_and_stroke_go_both_ways(void **state)
{
    uint64_t seed = 1;
    (void)state;
    for (int i = 0; i < ROWS; i++)
        for (int law = 0; law < 2; law++) {
            ib_LinkageConfig config = config_of(&table[i]);
            config.law = law;
            ib_LinkageModel linkage = model_of(&config);
            for (int k = 0; k < 10000; k++) {
                double th = range_at(&linkage, spread(&seed, 0, 1));
                double x = ib_linkage_at(&linkage, th).x;
                assert_close(ib_linkage_angle(&linkage, x), th, 1e-13);
                assert_true(x >= -2e-10 && x <= config.stroke + 2e-10);
            }
        }
}

// A rod that is asked beyond the triangle's sides gives the angle of the dead point, and no NaN.
static void rods_too_long_give_the_dead_point(void **state)
{
    (void)state;
    ib_LinkageConfig config = config_of(&table[0]);
    ib_LinkageModel linkage = model_of(&config);
    assert_close(ib_linkage_angle(&linkage, 1), 180 * DEGREE - config.offset, 1e-15);
    assert_close(ib_linkage_angle(&linkage, -1), -config.offset, 1e-15);
}

// ----------------------------------------------------------------------------------- linear, signs

// Through both ends of the range, with the arm stroke/range: 95.25 mm over 137 degrees are
// 39.835 mm, and the exact triangle is off by as much as it bends.
static void linear_law_is_a_straight_line(void **state)
{
    (void)state;
    for (int i = 0; i < ROWS; i++) {
        ib_LinkageConfig config = config_of(&table[i]), bare = {.law = IB_LINKAGE_LINEAR};
        bool lowers = table[i].extension == IB_LINKAGE_LOWERS;
        bare.extension = config.extension;
        bare.stroke = config.stroke;
        memcpy(bare.range, config.range, sizeof bare.range); // the sides are not needed
        ib_LinkageModel linkage = model_of(&bare);
        double arm = table[i].stroke / ((table[i].high - table[i].low) * DEGREE);
        for (int k = 0; k <= 4; k++) {
            double part = 0.25 * k;
            ib_LinkageNow now = ib_linkage_at(&linkage, range_at(&linkage, part));
            assert_close(now.x, (lowers ? 1 - part : part) * config.stroke, 1e-16);
            assert_close(now.arm, lowers ? -arm : arm, 1e-17);
            assert_close(ib_linkage_torque(&linkage, &now, -2), lowers ? 2 * arm : -2 * arm, 1e-16);
        }
    }
    ib_LinkageConfig alpha = config_of(&table[0]);
    alpha.law = IB_LINKAGE_LINEAR;
    ib_LinkageModel linkage = model_of(&alpha);
    assert_close(ib_linkage_at(&linkage, 0).arm, 0.0398352, 5e-8);
}

// Extension lowers theta of the gamma joint, by virtual work; what is printed has the other sign.
// The signs of alpha and beta are right as printed.
static void published_gamma_turns_the_wrong_way(void **state)
{
    (void)state;
    for (int i = 0; i < ROWS; i++) {
        ib_LinkageConfig config = config_of(&table[i]);
        ib_LinkageModel right = model_of(&config);
        config.published = true;
        ib_LinkageModel printed = model_of(&config);
        ib_LinkageNow now = ib_linkage_at(&right, range_at(&right, 0.3));
        double sine = sin(right.offset + right.sign * range_at(&right, 0.3));
        double formula = table[i].l3 * 100 * table[i].l1 * sine / (table[i].l2 + now.x);
        bool gamma = table[i].form == IB_LINKAGE_GAMMA;
        assert_close(ib_linkage_torque(&printed, &now, 100), formula, 1e-14);
        assert_close(ib_linkage_torque(&right, &now, 100), gamma ? -formula : formula, 1e-14);
    }
}

// Two lengths, a right angle at the joint: L = 5 for sides 3 and 4, sin of the corners 3/5 and 4/5.
static void corners_of_the_triangle_of_three_four_five(void **state)
{
    (void)state;
    ib_LinkageConfig config = {
        .l1 = 4, .l2 = 4.5, .l3 = 3, .offset = 90 * DEGREE, .range = {-0.05, 0.05}, .stroke = 1};
    ib_LinkageModel linkage = model_of(&config);
    ib_LinkageNow now = ib_linkage_at(&linkage, 0);
    ib_LinkageCorners corners = ib_linkage_corners(&linkage, 0);
    assert_close(now.x, 0.5, 1e-15);
    assert_close(now.arm, 12.0 / 5, 1e-15);
    assert_close(now.curve, -12.0 * 12 / 125, 1e-15);
    assert_close(sin(corners.pin), 0.8, 1e-15);
    assert_close(sin(corners.pivot), 0.6, 1e-15);
}

// Goal: T = l3 F sin(lambda_1) is F dx/dth, also past a right angle, and the three angles of the
// triangle are 180 degrees together.
static void corner_at_the_pin_gives_the_arm(void **state)
{
    int obtuse = 0;
    (void)state;
    for (int i = 0; i < ROWS; i++) {
        ib_LinkageConfig config = config_of(&table[i]);
        ib_LinkageModel linkage = model_of(&config);
        for (int k = 0; k <= 100; k++) {
            double th = range_at(&linkage, 0.01 * k), g = linkage.offset + linkage.sign * th;
            ib_LinkageCorners corners = ib_linkage_corners(&linkage, th);
            assert_close(linkage.l3 * sin(corners.pin), fabs(ib_linkage_at(&linkage, th).arm),
                         1e-15);
            assert_close(g + corners.pin + corners.pivot, 180 * DEGREE, 1e-14);
            obtuse += corners.pin > 90 * DEGREE;
        }
    }
    assert_true(obtuse > 50); // an arcsine would have folded these back
}

// Pivot and pin as points: turn the pin by th and measure.
static void pins_are_as_far_apart_as_the_rod_says(void **state)
{
    (void)state;
    for (int i = 0; i < ROWS; i++)
        for (int k = 0; k <= 20; k++) {
            ib_LinkageConfig config = config_of(&table[i]);
            ib_LinkageModel linkage = model_of(&config);
            double pivot[2], pin[2], th = range_at(&linkage, 0.05 * k);
            ib_linkage_pins(&linkage, 0.7 * k, pivot, pin);
            double x = cos(th) * pin[0] - sin(th) * pin[1], y = sin(th) * pin[0] + cos(th) * pin[1];
            assert_close(hypot(x - pivot[0], y - pivot[1]) - linkage.l2,
                         ib_linkage_at(&linkage, th).x, 1e-15);
        }
}

// ---------------------------------------------------------------------------------------- refusals

static void assert_refused(const ib_LinkageConfig *config, const char *words)
{
    ib_Error error = {0};
    assert_int_equal(ib_linkage_check(config, &error), IB_BAD_INPUT);
    if (!strstr(error.text, words)) fail_msg("'%s' does not say '%s'", error.text, words);
}

#define REFUSED(field, value, words)                                                               \
    do {                                                                                           \
        ib_LinkageConfig c_ = alpha;                                                               \
        c_.field = (value);                                                                        \
        assert_refused(&c_, words);                                                                \
    } while (0)

static void wrong_geometry_is_refused_by_its_name(void **state)
{
    (void)state;
    ib_LinkageConfig alpha = config_of(&table[0]);
    // The triangle: |0.22 - 0.0512| = 0.1688, 0.22 + 0.0512 = 0.2712.
    REFUSED(l2, 0.09, "l2: 0.09 m between the pins with the rod in leave no room");
    REFUSED(l2, 0.28, "l1 and l3 reach no farther than 0.271187 m");
    REFUSED(l1, 0.4, "bring them no nearer than 0.348813 m");
    // Dead points: with 40 degrees g would be -7 at the lower end, with 95 it would be 185 above.
    REFUSED(offset, 40 * DEGREE, "dead point at -40 deg, inside the range of -47 deg to 90 deg");
    REFUSED(offset, 95 * DEGREE, "dead point at 85 deg, inside");
    REFUSED(offset, 200 * DEGREE, "dead point at -20 deg, inside");
    REFUSED(offset, -100 * DEGREE, "the angle between l1 and l3 is -147 deg");
    // Ends of the stroke.
    REFUSED(l2, 0.173, "stroke: at -47 deg of the joint the rod is in by 1.42");
    REFUSED(stroke, 0.09,
            "stroke: at 90 deg of the joint the rod is out by 95.25 mm, beyond its "
            "stroke of 90 mm");
    REFUSED(range[1], 95 * DEGREE, "stroke: at 95 deg of the joint the rod is out by 96.7");
}

static void wrong_sides_of_the_forms_are_refused(void **state)
{
    (void)state;
    ib_LinkageConfig alpha = config_of(&table[0]);
    alpha.form = IB_LINKAGE_ALPHA;
    alpha.l4 = table[0].l4;
    alpha.l5 = table[0].l5;
    REFUSED(l4, 0.06, "l4: expected 0 m to l3, of which it is a part (0.0511867 m), got 0.06 m");
    REFUSED(l5, 0.23, "l5: expected 0 m to l1, of which it is a part (0.22 m), got 0.23 m");
    REFUSED(form, IB_LINKAGE_BETA, "stroke: at 90 deg"); // 5.2.4's phi2 with the sides of 5.2.2
    ib_LinkageConfig gamma = config_of(&table[4]);
    gamma.form = IB_LINKAGE_GAMMA;
    gamma.l4 = 0.2;
    assert_refused(&gamma, "l4: expected 0 m to l1");
}

static void impossible_spans_are_refused(void **state)
{
    const struct {
        double l1, low, high, stroke;
        const char *words;
    } rows[] = {
        {0.2, -90, 91, 0.05, "range: 181 deg are more than a cylinder turns"},
        {0.05, -30, 30, 0.05, "l1: 0.05 m leave no room for a cylinder with a stroke of 0.05 m"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ib_Error error = {0};
        ib_LinkageConfig config = {.l1 = rows[i].l1,
                                   .range = {rows[i].low * DEGREE, rows[i].high * DEGREE},
                                   .stroke = rows[i].stroke};
        assert_int_equal(ib_linkage_span(&config, &error), IB_BAD_INPUT);
        if (!strstr(error.text, rows[i].words))
            fail_msg("'%s' does not say '%s'", error.text, rows[i].words);
    }
}

// Random spans that are granted are linkages that pass every check.
static void granted_spans_pass_the_check(void **state)
{
    uint64_t seed = 7;
    int granted = 0;
    (void)state;
    for (int i = 0; i < 10000; i++) {
        ib_Error error;
        double low = spread(&seed, -2, 1);
        ib_LinkageConfig config = {.l1 = spread(&seed, 0.05, 0.5),
                                   .range = {low, low + spread(&seed, 0.1, 3.2)},
                                   .extension = spread(&seed, 0, 1) < 0.5,
                                   .stroke = spread(&seed, 0.01, 0.2)};
        if (ib_linkage_span(&config, &error) != IB_OK) continue;
        granted++;
        model_of(&config);
    }
    assert_true(granted > 1000 && granted < 9999);
}

// Which key acts in which law and form.
static void idle_keys_say_why(void **state)
{
    const struct {
        int law, form;
        const char *key, *by;
    } rows[] = {
        {IB_LINKAGE_EXACT, IB_LINKAGE_OFFSET, "l1", NULL},
        {IB_LINKAGE_EXACT, IB_LINKAGE_OFFSET, "offset", NULL},
        {IB_LINKAGE_EXACT, IB_LINKAGE_OFFSET, "l4", "form"},
        {IB_LINKAGE_EXACT, IB_LINKAGE_ALPHA, "extension", "form"},
        {IB_LINKAGE_EXACT, IB_LINKAGE_BETA, "l5", NULL},
        {IB_LINKAGE_EXACT, IB_LINKAGE_GAMMA, "l4", NULL},
        {IB_LINKAGE_EXACT, IB_LINKAGE_GAMMA, "l5", "form"},
        {IB_LINKAGE_LINEAR, IB_LINKAGE_OFFSET, "l3", "law"},
        {IB_LINKAGE_LINEAR, IB_LINKAGE_OFFSET, "offset", "law"},
        {IB_LINKAGE_LINEAR, IB_LINKAGE_OFFSET, "extension", NULL},
        {IB_LINKAGE_LINEAR, IB_LINKAGE_OFFSET, "stroke", NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ib_LinkageConfig config = {.law = rows[i].law, .form = rows[i].form};
        const char *by = ib_linkage_idle(&config, rows[i].key);
        if (rows[i].by) assert_non_null(by);
        if (by) assert_string_equal(by, rows[i].by ? rows[i].by : "acts");
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strokes_are_the_references),
        cmocka_unit_test(arms_are_the_references),
        cmocka_unit_test(forms_of_the_thesis_give_the_offset),
        cmocka_unit_test(closed_form_gives_the_table),
        cmocka_unit_test(torques_at_65_psia_are_the_references),
        cmocka_unit_test(derivatives_are_those_of_the_stroke),
        cmocka_unit_test(power_and_acceleration_balance),
        cmocka_unit_test(angle_and_stroke_go_both_ways),
        cmocka_unit_test(rods_too_long_give_the_dead_point),
        cmocka_unit_test(linear_law_is_a_straight_line),
        cmocka_unit_test(published_gamma_turns_the_wrong_way),
        cmocka_unit_test(corners_of_the_triangle_of_three_four_five),
        cmocka_unit_test(corner_at_the_pin_gives_the_arm),
        cmocka_unit_test(pins_are_as_far_apart_as_the_rod_says),
        cmocka_unit_test(wrong_geometry_is_refused_by_its_name),
        cmocka_unit_test(wrong_sides_of_the_forms_are_refused),
        cmocka_unit_test(impossible_spans_are_refused),
        cmocka_unit_test(granted_spans_pass_the_check),
        cmocka_unit_test(idle_keys_say_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
