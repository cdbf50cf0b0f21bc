// test/plant/test_link.c: masses and inertias of a leg's links, and of bodies known by heart.
#include "cmocka_all.h"

#include "plant/link.h"
#include "spread.h"

#include <string.h>

#define PI 3.14159265358979323846

// Relative, as far as the table goes: 10 digits behind the first.
#define assert_share(got, expected) assert_close(got, expected, 1e-10 * fabs(expected))

// --------------------------------------------------------------------------------------- reference

// The links of the thesis, C.2.1 and C.2.2: diameters and lengths without caps, densities in
// kg/m^3; masses and inertias of reference C.
typedef struct Row {
    double radius, length, density;
    double mass, across, along, coded; ///< Ix = Iy, Iz; Ix as SrLib has it
} Row;
enum { COXA1, COXA2, FEMUR, TIBIA, THORAX, ROWS };
static const Row table[ROWS] = {
    {0.0250, 0.0961, 1200, 0.304970106847, 4.8136801734e-04, 9.0394419869e-05, 1.7904181343e-03},
    {0.0250, 0.0000, 300, 0.019634954085, 4.9087385212e-06, 4.9087385212e-06, 4.9087385212e-06},
    {0.0250, 0.1230, 700, 0.214871847536, 4.7712110486e-04, 6.4284021551e-05, 1.4544816241e-03},
    {0.0075, 0.2550, 2700, 0.126439286830, 7.4209200509e-04, 3.5292664142e-06, 9.6508662349e-04},
    {0.0470, 0.7500, 10000, 56.397263942664, 3.1414075085, 6.1330099906e-02, 3.6667443788},
};

static ib_LinkPart part_of(int row, double x, double z)
{
    const double along_x[3] = {0, 0.5 * PI, 0}; // the part's z axis along x
    ib_LinkPart part = {.form = IB_LINK_CAPSULE,
                        .radius = table[row].radius,
                        .length = table[row].length,
                        .density = table[row].density,
                        .place = {x, 0, z}};
    memcpy(part.attitude, along_x, sizeof along_x);
    return part;
}

static ib_Link link_of(const ib_LinkPart *parts, int count)
{
    ib_Link link;
    ib_Error error = {0};
    ib_link_init(parts, count, &link);
    assert_int_equal(ib_link_check_body(&link, &error), IB_OK);
    return link;
}

static void capsules_are_the_references(void **state)
{
    (void)state;
    for (int i = 0; i < ROWS; i++) {
        ib_LinkPart part = part_of(i, 0, 0);
        memset(part.attitude, 0, sizeof part.attitude);
        ib_Link link = link_of(&part, 1);
        assert_share(link.mass, table[i].mass);
        assert_share(link.inertia[0], table[i].across);
        assert_share(link.inertia[1], table[i].across);
        assert_share(link.inertia[2], table[i].along);
        part.form = IB_LINK_SRLIB_CAPSULE;
        link = link_of(&part, 1);
        assert_share(link.mass, table[i].mass);
        assert_share(link.inertia[0], table[i].coded);
        assert_share(link.inertia[2], table[i].along);
    }
}

// The bodies of the leg in their D-H frames, as the reference composes them: 5e-11 m of the centre,
// 1e-10 of the inertia; what is zero there, to rounding.
static void bodies_are_the_references(void **state)
{
    static const struct {
        double mass, centre[3], inertia[6];
    } bodies[] = {
        {0.324605060932,
         {0.0760095088, 0, 0.0015122187},
         {1.0683269606e-04, 5.4048605938e-04, 5.2895652170e-04, 0, -2.2182830479e-05, 0}},
        {0.214871847536,
         {0.087, 0, 0},
         {6.4284021551e-05, 4.7712110486e-04, 4.7712110486e-04, 0, 0, 0}},
        {0.126439286830,
         {0.152, 0, 0},
         {3.5292664142e-06, 7.4209200509e-04, 7.4209200509e-04, 0, 0, 0}},
        {56.397263942664, {0, 0, 0}, {6.1330099906e-02, 3.1414075085, 3.1414075085, 0, 0, 0}},
    };
    (void)state;
    // Coxa: the second capsule is a ball at the end of the first, d1 = 25 mm above it.
    const ib_LinkPart coxa[2] = {part_of(COXA1, 0.0731, 0), part_of(COXA2, 0.0731 + 0.0481, 0.025)},
                      femur = part_of(FEMUR, 0.087, 0), tibia = part_of(TIBIA, 0.152, 0),
                      thorax = part_of(THORAX, 0, 0);
    const ib_Link links[] = {link_of(coxa, 2), link_of(&femur, 1), link_of(&tibia, 1),
                             link_of(&thorax, 1)};
    for (int i = 0; i < 4; i++) {
        assert_share(links[i].mass, bodies[i].mass);
        for (int k = 0; k < 3; k++) assert_close(links[i].centre[k], bodies[i].centre[k], 5.1e-11);
        for (int k = 0; k < 6; k++)
            assert_close(links[i].inertia[k], bodies[i].inertia[k],
                         1e-10 * fabs(bodies[i].inertia[k]) + 1e-15 * bodies[i].inertia[1]);
    }
    double leg = links[0].mass + links[1].mass + links[2].mass;
    assert_share(leg, 0.665916195298);
    assert_share(4 * leg + links[3].mass, 59.0609287239);
}

// ---------------------------------------------------------------------------------- by other means

// A capsule against its own sum over thin discs: h/2 + r on each side, midpoints; the error of
// 20000 of them is below 1e-7.
static void capsule_is_the_sum_of_its_discs(void **state)
{
    const double r = 0.03, h = 0.11, rho = 1000, end = 0.5 * h + r;
    const int n = 20000;
    double mass = 0, across = 0, along = 0, dz = 2 * end / n;
    (void)state;
    for (int i = 0; i < n; i++) {
        double z = -end + (i + 0.5) * dz, cap = fmax(fabs(z) - 0.5 * h, 0);
        double square = r * r - cap * cap, m = rho * PI * square * dz;
        mass += m;
        along += 0.5 * m * square;
        across += m * (0.25 * square + z * z);
    }
    ib_LinkPart part = {.form = IB_LINK_CAPSULE, .radius = r, .length = h, .density = rho};
    ib_Link link = link_of(&part, 1);
    assert_close(link.mass, mass, 1e-7 * mass);
    assert_close(link.inertia[0], across, 1e-7 * across);
    assert_close(link.inertia[2], along, 1e-7 * along);
}

// Limits: no length makes a ball of a capsule, no radius a rod; box and cylinder by the textbook.
static void simple_bodies_are_the_textbooks(void **state)
{
    ib_LinkPart ball = {.form = IB_LINK_CAPSULE, .radius = 0.1, .mass = 2};
    ib_LinkPart rod = {.form = IB_LINK_CAPSULE, .radius = 1e-9, .length = 3, .mass = 2};
    ib_LinkPart sphere = {.form = IB_LINK_CAPSULE, .radius = 0.5, .density = 3};
    ib_LinkPart box = {.form = IB_LINK_BOX, .size = {1, 2, 3}, .density = 2};
    ib_LinkPart cylinder = {.form = IB_LINK_CYLINDER, .radius = 1, .length = 6, .mass = 4};
    (void)state;
    ib_Link link = link_of(&ball, 1);
    for (int i = 0; i < 3; i++) assert_close(link.inertia[i], 0.4 * 2 * 0.01, 1e-17);
    link = link_of(&rod, 1);
    assert_close(link.inertia[0], 2 * 9 / 12.0, 1e-8);
    link = link_of(&sphere, 1);
    assert_close(link.mass, 3 * PI / 6, 1e-15);
    assert_close(link.inertia[1], 0.4 * 0.25 * 3 * PI / 6, 1e-15);
    link = link_of(&box, 1);
    assert_close(link.mass, 12, 0);
    assert_close(link.inertia[0], 13, 1e-14);
    assert_close(link.inertia[1], 10, 1e-14);
    assert_close(link.inertia[2], 5, 1e-14);
    link = link_of(&cylinder, 1);
    assert_close(link.inertia[0], 4 * (3.0 + 0.25), 1e-14);
    assert_close(link.inertia[2], 2, 1e-14);
}

// Goal: composition, turns and Steiner together. Method: a box cut in two along a skew direction
// in a turned frame is the whole box.
static void two_halves_are_the_whole(void **state)
{
    const double attitude[3] = {0.3, -0.7, 1.1};
    ib_LinkPart whole = {.form = IB_LINK_BOX, .size = {0.4, 0.2, 0.3}, .density = 500}, half[2];
    (void)state;
    memcpy(whole.attitude, attitude, sizeof attitude);
    whole.place[1] = 2;
    // The x axis of Rz(yaw) Ry(pitch) Rx(roll), by hand: (cy cp, sy cp, -sp).
    double axis[3] = {cos(0.3) * cos(-0.7), sin(0.3) * cos(-0.7), -sin(-0.7)};
    for (int i = 0; i < 2; i++) {
        half[i] = whole;
        half[i].size[0] = 0.2;
        for (int k = 0; k < 3; k++) half[i].place[k] += (i ? 0.1 : -0.1) * axis[k];
    }
    ib_Link one = link_of(&whole, 1), two = link_of(half, 2);
    assert_close(two.mass, one.mass, 1e-14);
    for (int k = 0; k < 3; k++) assert_close(two.centre[k], one.centre[k], 1e-15);
    for (int k = 0; k < 6; k++) assert_close(two.inertia[k], one.inertia[k], 1e-15);
}

// ---------------------------------------------------------------------------------------- refusals

static void assert_refused(const ib_Link *link, const char *words)
{
    ib_Error error = {0};
    assert_int_equal(ib_link_check_body(link, &error), IB_BAD_INPUT);
    if (!strstr(error.text, words)) fail_msg("'%s' does not say '%s'", error.text, words);
}

static void wrong_bodies_are_refused_by_name(void **state)
{
    const struct {
        ib_Link link;
        const char *words;
    } rows[] = {
        {{.inertia = {1, 1, 1}}, "mass: expected more than 0 kg, got 0 kg"},
        {{.mass = NAN, .inertia = {1, 1, 1}}, "mass: expected more than 0 kg"},
        {{.mass = 1}, "inertia: its least principal moment is 0"},
        {{.mass = 1, .inertia = {1, 1, 1, 1.5}},
         "inertia: its least principal moment is -0.5 kg*m^2"},
        {{.mass = 1, .inertia = {1, 1, 2.1}},
         "inertia: principal moments of 2.1, 1 and 1 kg*m^2 are those of no body"},
        {{.mass = 1, .inertia = {1, INFINITY, 1}}, "inertia: expected six numbers"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_refused(&rows[i].link, rows[i].words);
    ib_Error error;
    ib_Link flat = {.mass = 1, .inertia = {1, 1, 2}};
    assert_int_equal(ib_link_check_body(&flat, &error), IB_OK); // a disc without thickness
}

// Goal: what cannot be is seen however the body is turned. Method: a disc whose greatest moment is
// a millionth below the sum of the others, and one where it is as much above, in random attitudes;
// the turn is R diag R^T by hand, some 50 roundings of 1e-16 each.
static void turned_bodies_are_looked_at_along_their_own_axes(void **state)
{
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    uint64_t seed = 3;
    (void)state;
    for (int n = 0; n < 1000; n++) {
        double a[3], m[3] = {1, 1, n % 2 ? 2 - 1e-6 : 2 + 1e-6};
        for (int k = 0; k < 3; k++) a[k] = 3 * spread_signed(&seed);
        double cy = cos(a[0]), sy = sin(a[0]), cp = cos(a[1]), sp = sin(a[1]), cr = cos(a[2]);
        double sr = sin(a[2]);
        const double R[3][3] = {{cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr},
                                {sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr},
                                {-sp, cp * sr, cp * cr}};
        ib_Link link = {.mass = 1};
        for (int k = 0; k < 6; k++)
            for (int j = 0; j < 3; j++) link.inertia[k] += R[row[k]][j] * m[j] * R[column[k]][j];
        ib_Error error;
        if (n % 2)
            assert_int_equal(ib_link_check_body(&link, &error), IB_OK);
        else
            assert_refused(&link, "are those of no body");
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(capsules_are_the_references),
        cmocka_unit_test(bodies_are_the_references),
        cmocka_unit_test(capsule_is_the_sum_of_its_discs),
        cmocka_unit_test(simple_bodies_are_the_textbooks),
        cmocka_unit_test(two_halves_are_the_whole),
        cmocka_unit_test(wrong_bodies_are_refused_by_name),
        cmocka_unit_test(turned_bodies_are_looked_at_along_their_own_axes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
