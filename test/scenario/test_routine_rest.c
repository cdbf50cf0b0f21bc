// Moves of routines end at rest, on every base: what is done stays done.
#include "scenario/run_rig.h"

#include "base/maths.h"

#include <math.h>

static const char *const bases[] = {"kind: roomba", "kind: tank, wheels: {model: rolling}",
                                    "kind: tank, wheels: {model: rolling}, drive: {neutral: coast}",
                                    "kind: holonomic", "kind: holonomic, drive: {neutral: coast}"};

enum { BASES = sizeof bases / sizeof bases[0], GOES_ANY_WAY = 3 };

// Goal: a move that is done has come to rest within what its step calls near, and the robot is
// still there long after it. Method: every kind of move on every base, those that roll on without
// a command among them, with a gyro of half the loop's period; 6 s, of which the slowest needs 4.
// Near are 2 cm and 2 deg; twice that for what odometry does not see of slipping wheels.
static void a_move_that_is_done_stays_done(void **state)
{
    (void)state;
    static const struct {
        const char *step;
        double x, y, heading; ///< where it ends [m, m, deg]; heading NaN: any
        bool sideways;
    } moves[] = {{"turn: 90 deg", 0, 0, 90, false},
                 {"turn: {to: -45 deg}", 0, 0, -45, false},
                 {"drive: {forward: 1 m}", 1, 0, 0, false},
                 {"drive: {to: [0.5 m, 0.5 m], heading: 90 deg}", 0.5, 0.5, 90, false},
                 {"drive: {left: 50 cm}", 0, 0.5, 0, true},
                 {"follow: {path: [line 1 m]}", 1, 0, 0, false},
                 {"hold: 1 s", 0, 0, 0, false}};
    for (int b = 0; b < BASES; b += IB_ROUNDS(1, 2))
        for (size_t i = 0; i < sizeof moves / sizeof moves[0]; i += IB_ROUNDS(1, 4)) {
            if (moves[i].sideways && b < GOES_ANY_WAY) continue;
            Run run;
            double turn[2];
            open_run(&run,
                     "robot: {%s, sensors: {gyro: {kind: gyro, period: 10 ms}}}\n"
                     "control: {routine: [{%s}, {wait: 0.5 s}], period: 20 ms}\n"
                     "run: {duration: 6 s}\n",
                     bases[b], moves[i].step);
            go(&run, 6);
            ib_sincos(see(&run, "pose.heading") - moves[i].heading * 0.017453292519943295, &turn[0],
                      &turn[1]);
            double away = sqrt(pow(see(&run, "pose.x") - moves[i].x, 2) +
                               pow(see(&run, "pose.y") - moves[i].y, 2)),
                   turned = fabs(ib_atan2(turn[0], turn[1]));
            bool stands = fabs(see(&run, "velocity.heading")) < 1e-3 &&
                          fabs(see(&run, "velocity.forward")) < 1e-3;
            if (!(see(&run, "control.ended") > 0 && away < 0.04 && turned < 0.07 && stands))
                fail_msg("%s, %s: ended %g s, %g m and %g rad off, %g rad/s", bases[b],
                         moves[i].step, see(&run, "control.ended"), away, turned,
                         see(&run, "velocity.heading"));
            close_run(&run);
        }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_move_that_is_done_stays_done),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
