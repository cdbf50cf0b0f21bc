// test/plant/test_patch.c: any number of patches on any rims, and the tank as a case of it.
#include "cmocka_all.h"

#include "plant/wheel/patch.h"
#include "plant/wheel/wheel.h"
#include "roughtop.h"
#include "spread.h"

#include <stdio.h>
#include <string.h>

static const double WEIGHT = 60 * 9.80665, PI = 3.14159265358979323846;

typedef struct Twist {
    double u, n, w;
} Twist;

// Patches, their rims, springs and loads, and all that the law says about them.
typedef struct Floor {
    ib_PatchConfig config;
    ib_PatchModel model;
    ib_PatchRim rims[IB_MAX_PATCHES];
    double load[IB_MAX_PATCHES], z[2 * IB_MAX_PATCHES], dz[2 * IB_MAX_PATCHES];
    ib_PatchSlip slip;
    ib_PatchGrip grip;
    ib_PatchForces forces;
} Floor;

static void floor_init(Floor *f)
{
    ib_patch_init(&f->config, &f->model);
}

static void floor_push(Floor *f, Twist v)
{
    ib_patch_slip(&f->model, f->rims, v.u, v.n, v.w, &f->slip);
    ib_patch_grip(&f->model, f->rims, &f->slip, f->z, f->dz, &f->grip);
    ib_patch_forces(&f->model, f->rims, &f->grip, f->load, &f->forces);
}

// Patches anywhere on rims that roll and slide anywhere; springs bent up to what they hold.
static void random_floor(uint64_t *seed, int law, Floor *f)
{
    memset(f, 0, sizeof *f);
    f->config = (ib_PatchConfig){.tyre = roughtop};
    f->config.tyre.law = law;
    f->config.tyre.mu = spread(seed, 0.1, 2);
    f->config.count = 1 + (int)spread(seed, 0, IB_MAX_PATCHES - 0.001);
    f->config.rim_count = 1 + (int)spread(seed, 0, f->config.count - 0.001);
    double reach = f->config.tyre.bristle_deflection / 1.5;
    for (int i = 0; i < f->config.count; i++) {
        int rim = i < f->config.rim_count ? i : (int)spread(seed, 0, f->config.rim_count - 0.001);
        f->config.place[i] = (ib_PatchPlace){spread(seed, -1, 1), spread(seed, -1, 1), rim};
        f->load[i] = spread(seed, 0, 200);
    }
    for (int i = 0; i < 2 * f->config.count; i++) f->z[i] = spread(seed, -reach, reach);
    for (int i = 0; i < f->config.rim_count; i++) {
        double scale = i % 3 == 0 ? 1 : i % 3 == 1 ? 0 : spread(seed, 0, 1);
        f->rims[i] = ib_patch_rim(spread(seed, -4, 4), spread(seed, -4, 4), scale);
    }
    floor_init(f);
}

// Slips from nothing to a few metres per second, small ones as often as large ones.
static Twist random_motion(uint64_t *seed, Floor *f)
{
    double size = pow(10, spread(seed, -6, 0.7));
    for (int i = 0; i < f->config.rim_count; i++) f->rims[i].speed = spread(seed, -size, size);
    return (Twist){spread(seed, -size, size), spread(seed, -size, size), spread(seed, -size, size)};
}

// --------------------------------------------------------------------------------------- one patch

static Floor one_patch(ib_PatchRim rim)
{
    Floor f = {.config = {.tyre = roughtop}, .rims = {rim}, .load = {100}};
    f.config.count = f.config.rim_count = 1;
    f.config.place[0] = (ib_PatchPlace){0.3, 0.2, 0};
    floor_init(&f);
    return f;
}

// Goal: slip, force, torque and power of one patch under 100 N with mu = 1, v_s = 0.1 m/s. Method:
// by hand. At (0.3, 0.2) m with u = 1, n = -0.2, w = 2 the floor goes by with (0.6, 0.4) m/s; a rim
// along x at 0.9 m/s slips by (0.3, -0.4), |s| = 0.5, 5 v_s:
//   tyre     F = 100 tanh 5 (0.6, -0.8), torque = 0.3 Fy - 0.2 Fx = -36 tanh 5, power = 50 tanh 5
//   omni     s across its rollers 0.3: F = 100 tanh 3 (1, 0)
//   mecanum  f = (1, 1)/sqrt 2: s across 0.7/sqrt 2: F = 100 tanh(7/sqrt 2) (1, -1)/sqrt 2
// and the same tyre with a rim along y, at 0.1 m/s: s = (-0.6, -0.3).
static void slip_and_force_by_hand(void **state)
{
    (void)state;
    const Twist v = {1, -0.2, 2};
    const double half = sqrt(0.5);
    Floor f = one_patch((ib_PatchRim){1, 0, 0, 1, .free_scale = 1, .speed = 0.9});
    floor_push(&f, v);
    assert_close(f.slip.across[0], 0.3, 1e-15);
    assert_close(f.slip.along[0], -0.4, 1e-15);
    assert_close(f.forces.fx, 60 * tanh(5), 1e-12);
    assert_close(f.forces.fy, -80 * tanh(5), 1e-12);
    assert_close(f.forces.torque, -36 * tanh(5), 1e-12);
    assert_close(f.forces.power, 50 * tanh(5), 1e-12);
    assert_close(f.forces.rim[0], f.forces.fx, 0);

    f = one_patch((ib_PatchRim){1, 0, 0, 1, .free_scale = 0, .speed = 0.9});
    floor_push(&f, v);
    assert_close(f.forces.fx, 100 * tanh(3), 1e-12);
    assert_close(f.forces.fy, 0, 0);
    assert_close(f.forces.rim[0], 100 * tanh(3), 1e-12);

    f = one_patch((ib_PatchRim){1, 0, half, half, .free_scale = 0, .speed = 0.9});
    floor_push(&f, v);
    assert_close(f.forces.fx, 100 * tanh(7 * half) * half, 1e-12);
    assert_close(f.forces.fy, -100 * tanh(7 * half) * half, 1e-12);
    assert_close(f.forces.rim[0], f.forces.fx, 1e-13);
    assert_close(f.forces.power, 100 * tanh(7 * half) * 0.7 * half, 1e-12);

    f = one_patch((ib_PatchRim){0, 1, -1, 0, .free_scale = 1, .speed = 0.1});
    floor_push(&f, v);
    double size = sqrt(0.45), F = 100 * tanh(10 * size) / size;
    assert_close(f.forces.fx, -0.6 * F, 1e-12);
    assert_close(f.forces.fy, -0.3 * F, 1e-12);
    assert_close(f.forces.rim[0], -0.3 * F, 1e-12);
}

// --------------------------------------------------------------------------------------- any floor

// Goal: the friction circle is never passed, takes power, and takes what rims and body lose.
// Method: random floors and motions; the force of each patch back in its rim's directions lies in
// the ellipse with the half axes mu and free_scale mu, 1e-13 for rounding; F . s >= 0 exactly, and
//   sum of F . s = sum of rim force times speed - fx u - fy n - torque w,   1e-12 of the loads
static void circle_is_never_passed_and_takes_power(void **state)
{
    (void)state;
    uint64_t seed = 1;
    Floor f;
    for (int i = 0; i < 5000; i++) {
        random_floor(&seed, IB_TYRE_CIRCLE, &f);
        Twist v = random_motion(&seed, &f);
        floor_push(&f, v);
        assert_int_equal(ib_patch_state_count(&f.model), 0);
        double lost = -f.forces.fx * v.u - f.forces.fy * v.n - f.forces.torque * v.w, all = 0;
        for (int j = 0; j < f.config.rim_count; j++) lost += f.forces.rim[j] * f.rims[j].speed;
        for (int j = 0; j < f.config.count; j++) {
            const ib_PatchRim *rim = &f.rims[f.config.place[j].rim];
            double kx = f.grip.x[j], ky = f.grip.y[j], scale = rim->free_scale;
            double across = kx * rim->free_y - ky * rim->free_x;
            double along = kx * rim->free_x + ky * rim->free_y;
            double limit = f.config.tyre.mu * (1 + 1e-13);
            assert_true(hypot(kx, ky) <= limit);
            if (scale > 1e-3) assert_true(hypot(across, along / scale) <= limit);
            if (scale == 0) assert_close(along, 0, 1e-15);
            assert_true(f.grip.power[j] >= 0);
            all += f.load[j];
        }
        assert_close(f.forces.power, lost, 1e-12 * all * 10);
    }
}

// Goal: springs keep a book: what the patches take is what wheels and body lose, and at least what
// the springs gain, V' = sum of Fz sigma_0 z . z'. Method: random floors; power balance as above,
// 1e-12 of the loads for rounding; the springs do give back sometimes.
static void bristles_keep_their_book(void **state)
{
    (void)state;
    uint64_t seed = 2;
    double least = 0;
    Floor f;
    for (int i = 0; i < 5000; i++) {
        random_floor(&seed, IB_TYRE_BRISTLE, &f);
        Twist v = random_motion(&seed, &f);
        floor_push(&f, v);
        int n = f.config.count;
        assert_int_equal(ib_patch_state_count(&f.model), 2 * n);
        double lost = -f.forces.fx * v.u - f.forces.fy * v.n - f.forces.torque * v.w;
        double gain = 0, all = 0;
        for (int j = 0; j < f.config.rim_count; j++) lost += f.forces.rim[j] * f.rims[j].speed;
        for (int j = 0; j < n; j++) all += f.load[j];
        for (int j = 0; j < 2 * n; j++)
            gain += f.load[j % n] * f.model.tyre.stiffness * f.z[j] * f.dz[j];
        assert_close(f.forces.power, lost, 1e-12 * all * 20);
        assert_true(f.forces.power - gain >= -1e-12 * all * 20);
        least = fmin(least, f.forces.power);
    }
    assert_true(least < 0);
}

// Goal: the floor has no direction. Method: places, rims and velocities turned by an angle: slips,
// rim forces, power and torque stay, forces turn with them; 1e-11 of the loads (1e-15 of a velocity
// of 5 m/s over v_s, times the load).
static void forces_turn_with_the_robot(void **state)
{
    (void)state;
    uint64_t seed = 3;
    Floor f, g;
    for (int i = 0; i < 2000; i++) {
        random_floor(&seed, i % 2 ? IB_TYRE_BRISTLE : IB_TYRE_CIRCLE, &f);
        Twist v = random_motion(&seed, &f);
        g = f;
        double angle = spread(&seed, -3, 3), c = cos(angle), s = sin(angle), all = 0;
        for (int j = 0; j < f.config.count; j++) {
            const ib_PatchPlace *p = &f.config.place[j];
            g.config.place[j] = (ib_PatchPlace){c * p->x - s * p->y, s * p->x + c * p->y, p->rim};
            all += f.load[j];
        }
        for (int j = 0; j < f.config.rim_count; j++) {
            const ib_PatchRim *r = &f.rims[j];
            g.rims[j].roll_x = c * r->roll_x - s * r->roll_y;
            g.rims[j].roll_y = s * r->roll_x + c * r->roll_y;
            g.rims[j].free_x = c * r->free_x - s * r->free_y;
            g.rims[j].free_y = s * r->free_x + c * r->free_y;
        }
        floor_init(&g);
        floor_push(&f, v);
        floor_push(&g, (Twist){c * v.u - s * v.n, s * v.u + c * v.n, v.w});
        double near = 1e-11 * all;
        assert_close(g.forces.fx, c * f.forces.fx - s * f.forces.fy, near);
        assert_close(g.forces.fy, s * f.forces.fx + c * f.forces.fy, near);
        assert_close(g.forces.torque, f.forces.torque, near);
        assert_close(g.forces.power, f.forces.power, near);
        for (int j = 0; j < f.config.rim_count; j++)
            assert_close(g.forces.rim[j], f.forces.rim[j], near);
    }
}

// Goal: a patch does not know its neighbours. Method: the first patch of a random floor alone, on
// its rim alone, has the same grip but for rounding (they share a division), 1e-15 of mu; springs
// to the bit.
static void patches_do_not_know_each_other(void **state)
{
    (void)state;
    uint64_t seed = 4;
    Floor f, one;
    for (int i = 0; i < 2000; i++) {
        random_floor(&seed, i % 2 ? IB_TYRE_BRISTLE : IB_TYRE_CIRCLE, &f);
        Twist v = random_motion(&seed, &f);
        floor_push(&f, v);
        one = f;
        one.config.count = one.config.rim_count = 1;
        one.z[1] = f.z[f.config.count];
        floor_init(&one);
        // Places are known to half a unit in the last place: scaled by another reach.
        one.model.reach_x = f.model.reach_x;
        one.model.reach_y = f.model.reach_y;
        one.model.xi[0] = f.model.xi[0];
        one.model.eta[0] = f.model.eta[0];
        floor_push(&one, v);
        assert_close(one.grip.x[0], f.grip.x[0], 1e-15 * f.config.tyre.mu);
        assert_close(one.grip.y[0], f.grip.y[0], 1e-15 * f.config.tyre.mu);
        if (i % 2 == 0) continue;
        assert_true(one.grip.x[0] == f.grip.x[0]);
        assert_true(one.dz[0] == f.dz[0] && one.dz[1] == f.dz[f.config.count]);
    }
}

// ----------------------------------------------------------------------------- drives with rollers

// Four wheels, each with a rim of its own.
static Floor four_wheels(const ib_PatchPlace *places, const ib_PatchRim *rims)
{
    Floor f = {.config = {.tyre = roughtop}};
    f.config.count = f.config.rim_count = 4;
    for (int i = 0; i < 4; i++) {
        f.config.place[i] = places[i];
        f.config.place[i].rim = i;
        f.rims[i] = rims[i];
        f.load[i] = WEIGHT / 4;
    }
    floor_init(&f);
    return f;
}

// Rounding of the slip, over v_s, times the weight. A rim's speed is a sum of u, n and w R, and the
// slip another one, of the same three turned twice: with a dozen roundings in a row it is known to
// 12 x 2^-53 of their sizes, R = reach.
static void assert_nothing(const Floor *f, Twist v, double reach)
{
    double size = fabs(v.u) + fabs(v.n) + fabs(v.w) * reach;
    double near = 12 * 0x1p-53 * size / f->config.tyre.slip_speed * WEIGHT;
    assert_close(f->forces.fx, 0, near);
    assert_close(f->forces.fy, 0, near);
    assert_close(f->forces.torque, 0, near * reach);
    assert_close(f->forces.power, 0, near * size);
}

// Omni wheels on a circle of radius R at 45, 135, 225 and 315 degrees, each rolling along it.
static Floor x_drive(double R)
{
    ib_PatchPlace places[4];
    ib_PatchRim rims[4];
    for (int i = 0; i < 4; i++) {
        double at = PI / 4 + i * PI / 2;
        places[i] = (ib_PatchPlace){R * cos(at), R * sin(at), 0};
        rims[i] = ib_patch_rim(at + PI / 2, PI / 2, 0);
    }
    return four_wheels(places, rims);
}

// Goal: an X-drive in closed form. Method: its wheels roll along e = (-sin a, cos a) at angle a.
// Without slip a rim goes with the speed of its place along e: u cos 45 straight ahead (so that the
// robot is sqrt 2 times as fast as its rims), w R turning in place, e . v + w R for any motion; the
// rest is along the rollers, free, and nothing pushes. With rims that spin ahead each pushes with
// mu Fz along e, together mu weight cos 45 ahead, and a quarter of mu weight a rim.
static void x_drive_follows_its_closed_form(void **state)
{
    (void)state;
    const double R = 0.4, sign[4] = {-1, -1, 1, 1}; // of e's part ahead
    uint64_t seed = 5;
    Floor f = x_drive(R);
    for (int i = 0; i < 4; i++) f.rims[i].speed = sign[i] * 2 * cos(PI / 4);
    floor_push(&f, (Twist){2, 0, 0});
    assert_nothing(&f, (Twist){2, 0, 0}, R);
    for (int i = 0; i < 4; i++) f.rims[i].speed = 3 * R;
    floor_push(&f, (Twist){0, 0, 3});
    assert_nothing(&f, (Twist){0, 0, 3}, R);
    for (int k = 0; k < 100; k++) {
        Twist v = {spread(&seed, -3, 3), spread(&seed, -3, 3), spread(&seed, -3, 3)};
        for (int i = 0; i < 4; i++)
            f.rims[i].speed = v.u * f.rims[i].roll_x + v.n * f.rims[i].roll_y + v.w * R;
        floor_push(&f, v);
        assert_nothing(&f, v, R);
        assert_true(fabs(f.slip.along[0]) + fabs(f.slip.along[1]) > 0);
    }
    // Rims that stand, and a robot that slides along the rollers of the first and third: they let
    // it go, and the other two brake it with mu weight/2.
    for (int i = 0; i < 4; i++) f.rims[i].speed = 0;
    floor_push(&f, (Twist){5 * cos(PI / 4), 5 * sin(PI / 4), 0});
    assert_close(f.forces.rim[0], 0, 1e-13 * WEIGHT);
    assert_close(f.forces.rim[2], 0, 1e-13 * WEIGHT);
    assert_close(hypot(f.forces.fx, f.forces.fy), WEIGHT / 2, 1e-12 * WEIGHT);
    for (int i = 0; i < 4; i++) f.rims[i].speed = sign[i] * 9;
    floor_push(&f, (Twist){0, 0, 0});
    assert_close(f.forces.fx, WEIGHT * cos(PI / 4), 1e-12 * WEIGHT);
    assert_close(f.forces.fy, 0, 1e-12 * WEIGHT);
    assert_close(f.forces.torque, 0, 1e-12 * WEIGHT);
    for (int i = 0; i < 4; i++) assert_close(f.forces.rim[i], sign[i] * WEIGHT / 4, 1e-12 * WEIGHT);
}

// Mecanum wheels at (+-a, +-W): front left, front right, rear left, rear right.
static Floor mecanum(double a, double W)
{
    const ib_PatchPlace places[4] = {{a, W, 0}, {a, -W, 0}, {-a, W, 0}, {-a, -W, 0}};
    const double free[4] = {PI / 4, -PI / 4, -PI / 4, PI / 4};
    ib_PatchRim rims[4];
    for (int i = 0; i < 4; i++) rims[i] = ib_patch_rim(0, free[i], 0);
    return four_wheels(places, rims);
}

// Goal: a mecanum drive in closed form. Method: with k = -1, 1, 1, -1 (front left and rear right
// backward, to go to the left), a rim that goes with
//   u + k n + d (a + W) w,   d = -1 on the left, 1 on the right
// slips along its rollers only, and nothing pushes. Rims that spin ahead push across their rollers
// with mu Fz each: ahead mu weight cos 45 in all, sideways nothing in all, and a rim feels its part
// ahead. Rims that spin as for the left push as hard to the left.
static void mecanum_follows_its_closed_form(void **state)
{
    (void)state;
    const double a = 0.25, W = 0.3, k[4] = {-1, 1, 1, -1}, d[4] = {-1, 1, -1, 1};
    uint64_t seed = 6;
    Floor f = mecanum(a, W);
    for (int i = 0; i < 200; i++) {
        Twist v = {spread(&seed, -3, 3), spread(&seed, -3, 3), spread(&seed, -3, 3)};
        for (int j = 0; j < 4; j++) f.rims[j].speed = v.u + k[j] * v.n + d[j] * (a + W) * v.w;
        floor_push(&f, v);
        assert_nothing(&f, v, a + W);
    }
    const double each = WEIGHT / 4 * cos(PI / 4), near = 1e-12 * WEIGHT;
    for (int left = 0; left < 2; left++) {
        for (int j = 0; j < 4; j++) f.rims[j].speed = left ? 9 * k[j] : 9;
        floor_push(&f, (Twist){0, 0, 0});
        assert_close(f.forces.fx, left ? 0 : 4 * each, near);
        assert_close(f.forces.fy, left ? 4 * each : 0, near);
        assert_close(f.forces.torque, 0, near);
        for (int j = 0; j < 4; j++) assert_close(f.forces.rim[j], left ? k[j] * each : each, near);
    }
    for (int j = 0; j < 4; j++) f.rims[j].speed = 9 * d[j];
    floor_push(&f, (Twist){0, 0, 0});
    assert_close(f.forces.torque, 4 * each * (a + W), near);
}

// ---------------------------------------------------------------------------------------- the tank

// The same four patches on two rims for both ways.
static Floor tank_floor(const ib_WheelConfig *c, double W)
{
    double a = c->contact_half_length;
    Floor f = {.config = {.tyre = c->tyre}};
    f.config.tyre.law = c->model == IB_WHEEL_BRISTLE ? IB_TYRE_BRISTLE : IB_TYRE_CIRCLE;
    f.config.count = 4;
    f.config.rim_count = 2;
    const ib_PatchPlace places[4] = {{a, W, 0}, {-a, W, 0}, {a, -W, 1}, {-a, -W, 1}};
    memcpy(f.config.place, places, sizeof places);
    for (int i = 0; i < 2; i++) f.rims[i] = (ib_PatchRim){1, 0, 0, 1, .free_scale = c->side_scale};
    floor_init(&f);
    return f;
}

static ib_WheelConfig random_wheels(uint64_t *seed, int model)
{
    ib_WheelConfig c = roughtop_wheels();
    c.model = model;
    c.tyre.mu = spread(seed, 0.1, 2);
    c.tyre.slip_speed = spread(seed, 0.02, 0.3);
    c.side_scale = spread(seed, 0, 3) > 1 ? 1 : spread(seed, 0, 1);
    c.contact_half_length = spread(seed, 0, 9) > 1 ? spread(seed, 0.05, 0.5) : 0;
    return c;
}

// Goal: the tank's fast path is the plain law to the bit. Method: 20 000 random wheels, motions,
// springs, centres of mass and heights, half of them plain; the fast path's own loads go into the
// plain law. Forces, torque, rim forces and rates are equal as numbers (0 and -0 are). Power and
// mean slip are summed in another order (the fast path adds forces before it multiplies by their
// common slip): 4 units in the last place of the sum of sizes.
static void the_tank_is_a_case_to_the_bit(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (int i = 0; i < 20000; i++) {
        int model = i % 2 ? IB_WHEEL_BRISTLE : IB_WHEEL_FRICTION_CIRCLE;
        double W = spread(&seed, 0.05, 0.5), dz[8];
        ib_WheelConfig config = random_wheels(&seed, model);
        ib_WheelModel wheels;
        ib_wheel_init(&config, W, &wheels);
        Floor f = tank_floor(&config, W);
        Twist v = random_motion(&seed, &f);
        for (int j = 0; j < 8; j++) f.z[j] = spread(&seed, -6e-5, 6e-5);
        ib_Weight weight = {spread(&seed, 50, 800), 0, 0, 0};
        if (i % 4 > 1) {
            weight.x = spread(&seed, -0.1, 0.1);
            weight.y = spread(&seed, -0.1, 0.1);
            weight.height = spread(&seed, 0, 0.2);
        }
        double left = f.rims[0].speed, right = f.rims[1].speed;
        ib_WheelForces p =
            i % 2 ? ib_wheel_bristle(&wheels, v.u, v.n, v.w, left, right, &weight, f.z, dz)
                  : ib_wheel_friction_circle(&wheels, v.u, v.n, v.w, left, right, &weight);
        memcpy(f.load, p.load, sizeof p.load);
        floor_push(&f, v);
        assert_true(f.forces.fx == p.fx && f.forces.fy == p.fy);
        assert_true(f.forces.torque == p.torque);
        assert_true(f.forces.rim[0] == p.left && f.forces.rim[1] == p.right);
        for (int j = 0; i % 2 && j < 8; j++) assert_true(f.dz[j] == dz[j]);
        double sizes = 0, ulp = 0x1p-52;
        for (int j = 0; j < 4; j++)
            sizes += p.load[j] *
                     (fabs(f.grip.x[j] * f.slip.across[j]) + fabs(f.grip.y[j] * f.slip.along[j]));
        assert_close(f.forces.power, p.power, 4 * ulp * sizes);
    }
}

// Goal: loads of patches that slip are the tank's, weight transfer and all, on four wheels, on
// three, on two (it would tip) and on one. Method: random wheels, on which nothing tips before it
// slides; 1e-11 of the weight.
static void transfer_is_the_tanks(void **state)
{
    (void)state;
    uint64_t seed = 8;
    int on[5] = {0};
    for (int i = 0; i < 20000; i++) {
        double W = spread(&seed, 0.2, 0.5), load[4];
        ib_WheelConfig config = random_wheels(&seed, IB_WHEEL_FRICTION_CIRCLE);
        config.contact_half_length = spread(&seed, 0.2, 0.5);
        config.tyre.mu = spread(&seed, 0.1, 0.9);
        ib_WheelModel wheels;
        ib_wheel_init(&config, W, &wheels);
        Floor f = tank_floor(&config, W);
        Twist v = random_motion(&seed, &f);
        double far = i % 2 ? 0.1 : 0.5;
        ib_Weight weight = {WEIGHT, spread(&seed, -far, far), spread(&seed, -far, far),
                            spread(&seed, 0, 0.2)};
        ib_WheelForces p = ib_wheel_friction_circle(&wheels, v.u, v.n, v.w, f.rims[0].speed,
                                                    f.rims[1].speed, &weight);
        floor_push(&f, v);
        ib_patch_loads(&f.model, &f.grip, &weight, load);
        int carry = 0;
        for (int j = 0; j < 4; j++) {
            carry += p.load[j] > 1e-12 * WEIGHT;
            assert_close(load[j], p.load[j], 1e-11 * WEIGHT);
        }
        on[carry]++;
    }
    printf("  %d on four wheels, %d on three, %d on two, %d on one\n", on[4], on[3], on[2], on[1]);
    for (int i = 1; i < 5; i++) assert_true(on[i] > 100);
    Floor f = x_drive(0.4);
    ib_Weight weight = {.force = WEIGHT};
    ib_patch_loads(&f.model, NULL, &weight, f.load);
    for (int i = 0; i < 4; i++) assert_close(f.load[i], WEIGHT / 4, 1e-13 * WEIGHT);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slip_and_force_by_hand),
        cmocka_unit_test(circle_is_never_passed_and_takes_power),
        cmocka_unit_test(bristles_keep_their_book),
        cmocka_unit_test(forces_turn_with_the_robot),
        cmocka_unit_test(patches_do_not_know_each_other),
        cmocka_unit_test(x_drive_follows_its_closed_form),
        cmocka_unit_test(mecanum_follows_its_closed_form),
        cmocka_unit_test(the_tank_is_a_case_to_the_bit),
        cmocka_unit_test(transfer_is_the_tanks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
