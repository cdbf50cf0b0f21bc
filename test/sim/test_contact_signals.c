// What a robot shows of its contacts: places, forces, friction's power, hits; against closed forms.
#include "cmocka_all.h"
#include "sim/yard.h"

enum { SLOTS = 4 };

static const double deg = 0.017453292519943295;
static const double rounding = 1e-9; // of what an exact law gives, against 1 m, 1 N, 1 W or 1 J

// One signal of a slot of a body in a row.
static double slot_row(const Yard *yard, int row, int body, int slot, const char *what)
{
    char name[32];
    snprintf(name, sizeof name, "contact.%d.%s", slot, what);
    return yard_row(yard, row, body, name);
}

static double slot_end(const Yard *yard, int body, int slot, const char *what)
{
    return slot_row(yard, yard->rig.rows.count - 1, body, slot, what);
}

// A slot that no point fills shows 0 everywhere.
static void assert_empty(const Yard *yard, int row, int body, int slot)
{
    static const char *const parts[] = {"x",       "y",       "normal", "friction",
                                        "force.x", "force.y", "power"};
    for (int i = 0; i < 7; i++) assert_true(slot_row(yard, row, body, slot, parts[i]) == 0);
}

// The slots of a body add up to its whole force, and each is made of its normal and its friction.
static void assert_adds_up(const Yard *yard, int row, int body)
{
    int count = (int)yard_row(yard, row, body, "contact.count");
    double x = 0, y = 0, size = yard_row(yard, row, body, "contact.force");
    assert_in_range(count, 0, SLOTS);
    for (int k = 1; k <= SLOTS; k++) {
        double fx = slot_row(yard, row, body, k, "force.x");
        double fy = slot_row(yard, row, body, k, "force.y");
        double normal = slot_row(yard, row, body, k, "normal");
        double friction = slot_row(yard, row, body, k, "friction");
        double own = sqrt(fx * fx + fy * fy);
        if (k > count) {
            assert_empty(yard, row, body, k);
            continue;
        }
        assert_true(normal > 0);
        assert_true(slot_row(yard, row, body, k, "power") >= 0);
        assert_close(sqrt(normal * normal + friction * friction), own, 1e-14 * own);
        size = fmax(size, own);
        x += fx;
        y += fy;
    }
    assert_close(x, yard_row(yard, row, body, "contact.force.x"), 1e-14 * size);
    assert_close(y, yard_row(yard, row, body, "contact.force.y"), 1e-14 * size);
}

// A box of 1 kg, 0.2 x 0.8 m, flush against the wall of friction 1 at x = 4 m, under 100 N.
static void pressed_box(Yard *yard, double speed)
{
    yard_default(yard, 0.1);
    yard_walls(yard, 0, 0, 4, 6, 1);
    yard_box(yard, 1, 0.2, 0.8)->planar = (ib_PlanarConfig){.x = 3.9, .y = 2, .velocity_y = speed};
    yard_press(yard, 0, 100, 0);
    rig_run(&yard->rig, 1e-3);
}

// ------------------------------------------------------------------------------------------ forces

// Goal: a box flush on a wall is pushed at its two corners, by half the force each. Method: 100 N
// at its middle; corners at (4, 2 +- 0.4) m. It stands, and signals are those of a asleep robot.
static void flush_box_has_half_the_force_at_each_corner(void **unused)
{
    (void)unused;
    Yard yard;
    pressed_box(&yard, 0);
    assert_true(yard_end(&yard, 0, "contact.count") == 2);
    for (int k = 1; k <= 2; k++) {
        assert_close(slot_end(&yard, 0, k, "x"), 4, 1e-7); // it may have sunk in by as much
        assert_close(fabs(slot_end(&yard, 0, k, "y") - 2), 0.4, 1e-7);
        assert_close(slot_end(&yard, 0, k, "normal"), 50, 50 * rounding);
        assert_close(slot_end(&yard, 0, k, "force.x"), -50, 50 * rounding);
        assert_close(slot_end(&yard, 0, k, "force.y"), 0, 50 * rounding);
        assert_close(slot_end(&yard, 0, k, "friction"), 0, 50 * rounding);
        assert_close(slot_end(&yard, 0, k, "power"), 0, rounding);
    }
    assert_true(slot_end(&yard, 0, 1, "y") != slot_end(&yard, 0, 2, "y"));
    assert_adds_up(&yard, yard.rig.rows.count - 1, 0);
    rig_stop(&yard.rig);
}

// Goal: friction and its power are Coulomb's at each point. Method: the box slides up at 0.5 m/s
// and has 0.2 m/s after 3 ms. Friction, mu N = 100 N downwards at the wall, 0.1 m before the
// middle, would turn it; what holds it against that is the difference of the two pushes,
//   0.4 (N_up - N_down) = 0.1 100   with   N_up + N_down = 100:   62.5 N and 37.5 N
// Downwards is to the left of the normal, which points at the box: positive. It takes 20 W, which
// the book of energy says too.
static void sliding_box_shows_coulomb_at_each_point(void **unused)
{
    (void)unused;
    Yard yard;
    pressed_box(&yard, 0.5);
    int row = 3;
    double power = 0, step = yard.rig.rows.t[4] - yard.rig.rows.t[2];
    assert_close(yard.rig.rows.t[row], 3e-3, 1e-12);
    assert_true(yard_row(&yard, row, 0, "contact.count") == 2);
    for (int k = 1; k <= 2; k++) {
        bool up = slot_row(&yard, row, 0, k, "y") > yard_row(&yard, row, 0, "pose.y");
        double push = up ? 62.5 : 37.5;
        assert_close(slot_row(&yard, row, 0, k, "normal"), push, 1e-6);
        assert_close(slot_row(&yard, row, 0, k, "friction"), push, 1e-6);
        assert_close(slot_row(&yard, row, 0, k, "force.x"), -push, 1e-6);
        assert_close(slot_row(&yard, row, 0, k, "force.y"), -push, 1e-6);
        assert_close(slot_row(&yard, row, 0, k, "power"), 0.2 * push, 1e-6);
        power += slot_row(&yard, row, 0, k, "power");
    }
    // Power falls in a straight line: the mean of two steps is that in their middle.
    double taken = yard_row(&yard, 4, 0, "energy.collision");
    taken -= yard_row(&yard, 2, 0, "energy.collision");
    assert_close(taken / step, power, 1e-6);
    for (int i = 0; i < yard.rig.rows.count; i++) assert_adds_up(&yard, i, 0);
    for (int k = 1; k <= 2; k++) assert_true(slot_end(&yard, 0, k, "power") == 0); // it stands
    rig_stop(&yard.rig);
}

// Goal: what one body does to another comes back from it, at the same place. Method: a box pushes
// another one obliquely over ice, and both turn: at all instants the points agree, and the forces
// are opposite to the last bit.
static void forces_of_two_bodies_are_opposite(void **unused)
{
    (void)unused;
    Yard yard;
    int seen = 0;
    yard_default(&yard, 0.3);
    yard_box(&yard, 1, 0.2, 0.8)->planar = (ib_PlanarConfig){.x = 1, .y = 2};
    yard_box(&yard, 2, 0.4, 0.6)->planar = (ib_PlanarConfig){.x = 1.3, .y = 2.1};
    yard_press(&yard, 0, 20, 6);
    rig_run(&yard.rig, 1e-3);
    for (int i = 0; i < yard.rig.rows.count; i++) {
        int count = (int)yard_row(&yard, i, 0, "contact.count");
        assert_true(yard_row(&yard, i, 1, "contact.count") == count);
        for (int k = 1; k <= count; k++) {
            static const char *const same[] = {"x", "y", "normal", "friction", "power"};
            for (int p = 0; p < 5; p++)
                assert_true(slot_row(&yard, i, 0, k, same[p]) == slot_row(&yard, i, 1, k, same[p]));
            assert_true(slot_row(&yard, i, 0, k, "force.x") ==
                        -slot_row(&yard, i, 1, k, "force.x"));
            assert_true(slot_row(&yard, i, 0, k, "force.y") ==
                        -slot_row(&yard, i, 1, k, "force.y"));
            seen++;
        }
        for (int b = 0; b < 2; b++) assert_adds_up(&yard, i, b);
    }
    assert_true(seen > 100);
    rig_stop(&yard.rig);
}

// Goal: what is squeezed is pushed, though the sum of its forces is none. Method: a box between the
// wall and another box under 100 N, both flush: half of it at each of its four corners.
static void squeezed_box_is_pushed_at_four_corners(void **unused)
{
    (void)unused;
    Yard yard;
    yard_default(&yard, 0.1);
    yard_walls(&yard, 0, 0, 4, 6, 0);
    yard_box(&yard, 1, 0.2, 0.8)->planar = (ib_PlanarConfig){.x = 3.7, .y = 2};
    yard_box(&yard, 1, 0.2, 0.8)->planar = (ib_PlanarConfig){.x = 3.9, .y = 2};
    yard_press(&yard, 0, 100, 0);
    rig_run(&yard.rig, 1e-3);
    assert_true(yard_end(&yard, 1, "contact.touching") == 1);
    assert_true(yard_end(&yard, 1, "contact.count") == 4);
    assert_close(yard_end(&yard, 1, "contact.force"), 0, 100 * rounding);
    for (int k = 1; k <= SLOTS; k++) {
        bool wall = k <= 2; // pairs with elements come first
        assert_close(slot_end(&yard, 1, k, "x"), wall ? 4 : 3.8, 1e-6);
        assert_close(slot_end(&yard, 1, k, "force.x"), wall ? -50 : 50, 50 * rounding);
    }
    assert_adds_up(&yard, yard.rig.rows.count - 1, 1);
    rig_stop(&yard.rig);
}

// Goal: where more points push than there are slots, the strongest are shown, in the points' order.
// Method: a beam pressed onto a row of six boxes against the wall, off its middle; what is not
// shown is no stronger than what is, the sum stays that of all, and the boxes come in their order.
static void strongest_points_are_shown_in_their_order(void **unused)
{
    (void)unused;
    Yard yard;
    yard_default(&yard, 0.1);
    yard_walls(&yard, 0, 0, 4, 6, 0);
    yard_box(&yard, 10, 0.2, 5)->planar = (ib_PlanarConfig){.x = 3.7, .y = 3};
    for (int i = 0; i < 6; i++)
        yard_box(&yard, 1, 0.2, 0.4)->planar = (ib_PlanarConfig){.x = 3.9, .y = 1 + 0.8 * i};
    yard_push(&yard, 0, 0, 1e6, 600, 0, 0, 0.3);
    rig_run(&yard.rig, 1e-3);
    double shown = 0, least = INFINITY, before = 0; // before: the box of the last slot
    int count = (int)yard_end(&yard, 0, "contact.count");
    assert_true(count > SLOTS);
    for (int k = 1; k <= SLOTS; k++) {
        double normal = slot_end(&yard, 0, k, "normal");
        double box = floor((slot_end(&yard, 0, k, "y") - 0.6) / 0.8);
        assert_close(slot_end(&yard, 0, k, "x"), 3.8, 1e-6);
        assert_true(box >= before);
        shown += normal;
        least = fmin(least, normal);
        before = box;
    }
    assert_close(yard_end(&yard, 0, "contact.force"), 600, 600 * rounding);
    assert_true(600 - shown <= (count - SLOTS) * least * (1 + rounding));
    rig_stop(&yard.rig);
}

// -------------------------------------------------------------------------------------------- hits

// A box of 3 kg, 0.8 x 0.6 m, that glides at 2 m/s into the wall at x = 4 m and bounces by half.
static void gliding_box(Yard *yard, double heading)
{
    yard_default(yard, 1.5);
    yard_walls(yard, 0, 0, 4, 6, 0);
    yard->field.restitution = 1;
    ib_BoxConfig *box = yard_box(yard, 3, 0.8, 0.6);
    box->bumper.restitution = 0.5;
    box->planar = (ib_PlanarConfig){.x = 2, .y = 3, .velocity_x = 2, .heading = heading};
    rig_run(&yard->rig, 0.01);
}

// Goal: a hit is at the corner that meets, when it meets, and its impulse is the change of
// momentum. Method: a box with its heading 30 degrees off the wall's normal, without friction.
static void corner_hit_shows_its_place_and_impulse(void **unused)
{
    (void)unused;
    Yard yard;
    gliding_box(&yard, 30 * deg);
    // The corner with the largest x: the front right one, (0.4, -0.3), turned.
    double rx = 0.4 * cos(30 * deg) + 0.3 * sin(30 * deg);
    double ry = 0.4 * sin(30 * deg) - 0.3 * cos(30 * deg);
    assert_true(yard_row(&yard, 0, 0, "contact.hit.time") == 0);
    assert_true(yard_end(&yard, 0, "contact.hits") == 1);
    // The corner stops 1 nm before the wall.
    assert_close(yard_end(&yard, 0, "contact.hit.x"), 4, 1e-8);
    assert_close(yard_end(&yard, 0, "contact.hit.y"), 3 + ry, 1e-8);
    assert_close(yard_end(&yard, 0, "contact.hit.time"), (4 - rx - 2) / 2, 1e-8);
    assert_close(yard_end(&yard, 0, "contact.hit.impulse.x"),
                 3 * (yard_end(&yard, 0, "velocity.x") - 2), rounding);
    assert_close(yard_end(&yard, 0, "contact.hit.impulse.y"), 0, rounding);
    assert_close(yard_end(&yard, 0, "contact.impulse"),
                 -yard_end(&yard, 0, "contact.hit.impulse.x"), rounding);
    assert_close(yard_end(&yard, 0, "contact.hit.taken"), yard_end(&yard, 0, "energy.collision"),
                 rounding);
    rig_stop(&yard.rig);
}

// Goal: a flush hit is in the middle of its two corners. Method: the same box head-on; it keeps
// half its speed: 3 kg 3 m/s, and loses 3/4 of 6 J.
static void flush_hit_is_in_the_middle(void **unused)
{
    (void)unused;
    Yard yard;
    gliding_box(&yard, 0);
    assert_close(yard_end(&yard, 0, "contact.hit.x"), 4, 1e-8);
    assert_close(yard_end(&yard, 0, "contact.hit.y"), 3, 1e-8);
    assert_close(yard_end(&yard, 0, "contact.hit.time"), 0.8, 1e-8);
    assert_close(yard_end(&yard, 0, "contact.hit.impulse.x"), -9, rounding);
    assert_close(yard_end(&yard, 0, "contact.hit.taken"), 4.5, rounding);
    rig_stop(&yard.rig);
}

// Goal: a hit between two is one place and two opposite impulses, and what one got the other has
// given. Method: 2 kg at 1 m/s into 1 kg that stands, without bounce: j = 2/3 N s; 1 J - 4/9 J are
// taken from the first, 2/9 J come to the second, 1/3 J are gone.
static void hit_of_two_bodies_is_opposite(void **unused)
{
    (void)unused;
    Yard yard;
    yard_default(&yard, 0.5);
    yard_box(&yard, 2, 0.4, 0.6)->planar = (ib_PlanarConfig){.x = 1, .y = 2, .velocity_x = 1};
    yard_box(&yard, 1, 0.2, 0.6)->planar = (ib_PlanarConfig){.x = 1.5, .y = 2};
    rig_run(&yard.rig, 0.01);
    for (int b = 0; b < 2; b++) {
        assert_close(yard_end(&yard, b, "contact.hit.x"), 1.4, 1e-8);
        assert_close(yard_end(&yard, b, "contact.hit.y"), 2, 1e-8);
        assert_close(yard_end(&yard, b, "contact.hit.time"), 0.2, 1e-8);
        assert_close(yard_end(&yard, b, "contact.hit.impulse.x"), b ? 2 / 3.0 : -2 / 3.0, rounding);
    }
    assert_close(yard_end(&yard, 0, "contact.hit.taken"), 5 / 9.0, rounding);
    assert_close(yard_end(&yard, 1, "contact.hit.taken"), -2 / 9.0, rounding);
    rig_stop(&yard.rig);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flush_box_has_half_the_force_at_each_corner),
        cmocka_unit_test(sliding_box_shows_coulomb_at_each_point),
        cmocka_unit_test(forces_of_two_bodies_are_opposite),
        cmocka_unit_test(squeezed_box_is_pushed_at_four_corners),
        cmocka_unit_test(strongest_points_are_shown_in_their_order),
        cmocka_unit_test(corner_hit_shows_its_place_and_impulse),
        cmocka_unit_test(flush_hit_is_in_the_middle),
        cmocka_unit_test(hit_of_two_bodies_is_opposite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
