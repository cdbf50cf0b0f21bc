// Random mechanisms between stops, with friction, brakes and losses, under random voltages: what
// must hold whatever happens.
#include "cmocka_all.h"
#include "robot/bench_rig.h"
#include "spread.h"

typedef struct Joint {
    const char *position, *velocity, *mode;
} Joint;

typedef struct Kind {
    const char *name, *settings, *inputs[2];
    double low, high; // ends of travel that are drawn from
    const char *unit, *force;
    double friction; // the most that is drawn
    Joint joints[2];
} Kind;

static const Kind kinds[] = {
    {"elevator",
     "motors: 2; reduction: 10; mass: 6 kg; friction: 20 N*s/m",
     {"m"},
     0.1,
     0.8,
     "m",
     "N",
     80,
     {{"m.position", "m.velocity", "m.mode"}}},
    {"single_arm",
     "reduction: 60; mass: 3 kg; center: 40 cm",
     {"m"},
     0.2,
     2,
     "rad",
     "N*m",
     15,
     {{"m.position", "m.velocity", "m.mode"}}},
    {"turret",
     "reduction: 40; inertia: 0.2 kg*m^2; friction: 0.1 N*m*s",
     {"m"},
     0.1,
     2,
     "rad",
     "N*m",
     10,
     {{"m.position", "m.velocity", "m.mode"}}},
    {"lift",
     "mass: 15 kg; stiffness: 700 N*m/rad; damping: 4 N*m*s/rad",
     {"m.left", "m.right"},
     0.02,
     0.4,
     "m",
     "N",
     80,
     {{"m.left.position", "m.left.velocity", "m.left.mode"},
      {"m.right.position", "m.right.velocity", "m.right.mode"}}},
    {"two_mass",
     "stiffness: 4 kN/m; damping: 3 N*s/m; mass: 4 kg",
     {"m"},
     0.05,
     0.4,
     "m",
     "N",
     60,
     {{"m.load.position", "m.load.velocity", "m.load.mode"}}},
};
enum { KINDS = sizeof kinds / sizeof *kinds, CASES = IB_ROUNDS(100, 16) };

typedef struct Dice {
    uint64_t stream, index;
} Dice;

static double draw(Dice *dice, double low, double high)
{
    return low + (high - low) * chance_uniform(7, dice->stream, dice->index++);
}

// A mechanism with stops, friction, brake, losses and a neutral by chance, on a battery that sags,
// under voltages that jump or ramp.
static void prepare(const Kind *kind, const Method *method, Dice *dice, double travel[2])
{
    char settings[600];
    static const double etas[] = {1, 0.9, 0.6};
    double low = -draw(dice, kind->low, kind->high), high = draw(dice, kind->low, kind->high);
    travel[0] = low;
    travel[1] = high;
    double dry = draw(dice, 0, 1) < 0.5 ? 0 : draw(dice, 0, kind->friction / 4);
    begin(method, 1);
    rig_set(&rig, "battery.resistance", "20 mohm");
    snprintf(settings, sizeof settings,
             "%s; travel: %.17g %s, %.17g %s; dry_friction: %g %s; brake: %g %s; efficiency: %g; "
             "neutral: %s%s",
             kind->settings, low, kind->unit, high, kind->unit, dry, kind->force,
             draw(dice, 0.1, 1) * kind->friction, kind->force, etas[(int)draw(dice, 0, 3)],
             draw(dice, 0, 1) < 0.5 ? "brake" : "coast",
             draw(dice, 0, 1) < 0.3 ? "; current_limit: 30 A" : "");
    rig_add(&rig, "m", kind->name, settings);
    for (int i = 0; i < 3; i++) {
        const char *input = i == 2 ? "m.brake" : kind->inputs[i];
        Knot knots[8];
        if (!input) continue;
        for (int k = 0; k < 8; k++) {
            double coin = draw(dice, 0, 1), volts = draw(dice, -12, 12);
            knots[k] = (Knot){k * 0.125 + draw(dice, 0, 0.1), i == 2        ? coin < 0.2
                                                              : coin < 0.25 ? 0
                                                                            : volts};
        }
        rig_input(&rig, input, i < 2 && draw(dice, 0, 1) < 0.3, knots, 8);
    }
}

// Of all runs of a kind.
typedef struct Tally {
    double beyond; // the farthest past a stop
    int changes;   // of modes, from step to step
    double jumps;  // most in one run
    double book;   // the largest error of the energy book, over what was taken from the bus
} Tally;

static void look_at(const Joint *joint, const double travel[2], Tally *tally)
{
    double last = 0;
    for (int row = 0; row < rig.rows.count; row++) {
        double at = rig_row(&rig, row, joint->position), v = rig_row(&rig, row, joint->velocity);
        double mode = rig_row(&rig, row, joint->mode);
        tally->beyond = fmax(tally->beyond, fmax(travel[0] - at, at - travel[1]));
        // Rosenbrock's linear system leaves the rounding of its pivots in a rate of zero.
        if (mode >= IB_JOINT_LOW && mode <= IB_JOINT_HELD && !(fabs(v) <= 1e-14))
            fail_msg("%s at %.9g s stands with %g", joint->velocity, rig.rows.t[row], v);
        if (mode == IB_JOINT_LOW) assert_close(at, travel[0], 1e-14);
        if (mode == IB_JOINT_HIGH) assert_close(at, travel[1], 1e-14);
        tally->changes += row > 0 && mode != last;
        last = mode;
    }
}

// `method`: of a fixed step the solver's steps beyond the grid's are jumps; what an adaptive one
// leaves in the book is looked at.
static void look_at_run(const Method *method, Tally *tally)
{
    int64_t steps = ib_sim_solver_counts(rig.sim).steps;
    double worst = 0, flowed = 0, grid = 1e9 / (double)rig.model->step;
    if (fixed(method)) {
        tally->jumps = fmax(tally->jumps, (double)steps - grid);
        return;
    }
    for (int row = 0; row < rig.rows.count; row++) {
        worst = fmax(worst, fabs(rig_row(&rig, row, "energy.error")));
        flowed = fmax(flowed, fabs(rig_row(&rig, row, "m.energy.electric")));
    }
    tally->book = fmax(tally->book, worst / flowed);
}

// Goal: nothing passes a stop at any step, what stands does stand, nothing chatters, and the book
// balances. Method: 100 random machines and scripts a kind, all methods in turn, looked at after
// every step. There are about 10 switches of each input in a run, each good for a few jumps.
static void nothing_passes_a_stop(void **unused)
{
    (void)unused;
    for (int k = 0; k < KINDS; k++) {
        Tally tally = {0, 0, 0, 0};
        Dice dice = {.stream = (uint64_t)k};
        for (int i = 0; i < CASES; i++) {
            Method method = methods[i % METHODS];
            method.tolerance = 1e-9; // what must hold holds with this as well, and sooner
            double travel[2];
            prepare(&kinds[k], &method, &dice, travel);
            rig_run(&rig, 0);
            for (int j = 0; j < 2 && kinds[k].joints[j].position; j++)
                look_at(&kinds[k].joints[j], travel, &tally);
            look_at_run(&method, &tally);
            rig_stop(&rig);
        }
        assert_true(tally.beyond <= 1e-9);
        assert_true(tally.changes > 2 * CASES);
        assert_true(tally.jumps <= 60);
        assert_true(tally.book <= 1e-6);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_passes_a_stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
