// A fixed step that is too long for a robot is told, of every kind; one that is not is not.
#include "cmocka_all.h"
#include "desk/design/design_loader.h"
#include "robot/roomba/roomba.h"
#include "scenario/given.h"
#include "sim/sim.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// What a run says of its steps: 0 nothing, else the step that would do [s].
typedef struct Said {
    double enough;
    double y; // of a Roomba, at the end [m]
    char what[64];
} Said;

// Runs a scenario with steps of `step` [s], whatever its robots ask for; 0: as they ask.
static Said say(const char *text, double step)
{
    ib_ScenarioOptions options = {.designs = &ib_design_loader};
    ib_Scenario *scenario = given_with("test.yaml", text, &options);
    ib_Error error;
    ib_Sim *sim;
    Said said = {0};
    if (step > 0) scenario->model->step = ib_time_from_seconds(step);
    assert_int_equal(ib_sim_create(scenario->model, &sim, &error), IB_OK);
    ib_sim_advance(sim, scenario->sim.duration, &error); // or until a state is thrown out of bounds
    const ib_UnstableStep *unstable = ib_sim_unstable_step(sim);
    said.y = ib_sim_state(sim)[IB_ROOMBA_Y];
    if (unstable) {
        int signal = scenario->model->state_signal[unstable->state];
        said.enough = unstable->advice.step;
        assert_close(unstable->length, ib_time_to_seconds(scenario->model->step), 0);
        snprintf(said.what, sizeof said.what, "%s",
                 signal < 0 ? "?" : scenario->model->signals.items[signal].name);
    }
    ib_sim_destroy(sim);
    ib_scenario_destroy(scenario);
    return said;
}

#define STILL "inputs: {left: 0 N, right: 0 N}\n"

#define TANK(wheels)                                                                               \
    "robot: {kind: tank, wheels: {model: " wheels "}}\ninputs: {left: 12 V, right: 6 V}\n"         \
    "disturbances: [{at: 1 s, impulse: 100 N*s, direction: 90 deg}]\nrun: {duration: 2 s}\n"

static const struct {
    const char *name, *text;
    double step; // too long by far [s]
} kinds[] = {
    {"roomba",
     "robot: {kind: roomba}\n" STILL
     "disturbances: [{at: 0.1 s, impulse: 8 N*s, direction: 90 deg}, {at: 0 s, signal: force.side, "
     "scale: 18}]\nrun: {duration: 1 s}\n",
     1e-3},
    {"rolling", TANK("rolling"), 0.5},
    {"viscous", TANK("viscous, side_friction: 40000 N*s/m"), 5e-3},
    {"circle", TANK("friction_circle"), 5e-3},
    {"bristle", TANK("bristle"), 5e-3},
    {"arm",
     "robot: {kind: bench, mechanisms: {arm: {kind: single_arm, motor: cim, current: implicit}}}\n"
     "inputs: {arm: 12 V}\nrun: {duration: 2 s}\n",
     10e-3},
    {"box", "robot: {kind: box}\nstart: {velocity: {x: 2 m/s}}\nrun: {duration: 10 s}\n", 20e-3},
    {"disc", "robot: {kind: disc}\nstart: {velocity: {heading: 40 rad/s}}\nrun: {duration: 5 s}\n",
     20e-3},
    {"ball",
     "robot: {kind: ball}\nstart: {velocity: {x: 2 m/s}, motion: sliding}\nrun: {duration: 2 s}\n",
     10e-3},
    {"motor_bench",
     "robot: {kind: motor_bench, motor: cim, inductance: 0.1 mH, current: implicit}\n"
     "inputs: {command: 12 V}\nrun: {duration: 1 s}\n",
     4e-3},
    {"bench",
     "robot: {kind: bench, mechanisms: {wheel: {kind: flywheel, motor: cim, current: implicit}}}\n"
     "inputs: {wheel: 12 V}\nrun: {duration: 2 s}\n",
     10e-3},
    {"two",
     "robots:\n"
     "  calm: {kind: box, start: {x: 5 m}}\n"
     "  fast: {kind: box, slip_speed: 1 mm/s, start: {velocity: {x: 2 m/s}}}\n"
     "run: {duration: 1 s}\n",
     2e-3},
};

// Goal: of every kind of robot, of every law of wheels, of mechanisms and of several robots a step
// that is too long is told, the one that is named is not, and neither is one that the robots divide
// themselves. Method: steps that are up to four times longer than a length that is too long; the
// Roomba is thrown aside, and slides with 18 times the drag that it knows of.
static void steps_that_are_too_long_are_told(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        for (double step = kinds[i].step; step < 5 * kinds[i].step; step *= 2) {
            Said said = say(kinds[i].text, step);
            assert_true(said.enough > 0 && said.enough <= step / 4);
            Said again = say(kinds[i].text, said.enough);
            if (again.enough > 0)
                fail_msg("%s, %g s: %g s is named, and told of %s", kinds[i].name, step,
                         said.enough, again.what);
        }
        if (i > 0) assert_true(say(kinds[i].text, 0).enough == 0);
    }
}

// Goal: a Roomba that is thrown aside divides its step by itself, and is where it should be.
// Method: impulses to 0.5 to 8 m/s, y = m/(2 kn) log(1 + 2 kn v t/m); 1e-4 of m/(2 kn). One step of
// 1 ms was off by 0.6 mm at 2 m/s.
static void a_throw_divides_the_step(void **state)
{
    (void)state;
    for (int i = 1; i <= 16; i++) {
        double speed = 0.5 * i, k = 2000 / 2.7;
        char text[512];
        snprintf(text, sizeof text,
                 "robot: {kind: roomba}\n" STILL
                 "disturbances: [{at: 0.1 s, impulse: %.17g N*s, direction: 90 deg}]\n"
                 "run: {duration: 0.6 s}\n",
                 2.7 * speed);
        Said said = say(text, 0);
        assert_true(said.enough == 0);
        assert_close(said.y, log(1 + k * speed * 0.5) / k, 1e-4 / k);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_that_are_too_long_are_told),
        cmocka_unit_test(a_throw_divides_the_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
