// All joints of four legs in one loop, without a robot: wiring, goals out of reach, a bus.
#include "cmocka_all.h"
#include "control/controller.h"
#include "legs_rig.h"
#include "setting.h"

#include <math.h>
#include <string.h>

extern const ib_ControllerKind ib_legs_kind;

enum { MOST_STATES = 512, MOST_SIGNALS = 64, MOST_READINGS = 36 };

typedef struct Rig {
    ib_Arena arena;
    LegsNames names;
    ib_ControlLegs legs;
    ib_ControlPin commands[IB_LEGS_JOINTS], sensors[IB_LEGS_JOINTS];
    ib_ControlSite site;
    ib_Controller controller;
    ib_Error error;
    double state[MOST_STATES], signals[MOST_SIGNALS], output[IB_LEGS_JOINTS];
    double goal[IB_LEGS_JOINTS], measured[MOST_READINGS];
    ib_Time now;
} Rig;

// Legs with valves of 0 to 10 V about 5 V; each joint has a sensor, called by its number from the
// last joint on: of the angle, of every second one of the stroke.
static ib_Status try(Rig *rig, const Setting *settings)
{
    static const double pose[3] = {0, -34, 80};
    static const char *const called[] = {"sensor.a", "sensor.b", "sensor.c", "sensor.d",
                                         "sensor.e", "sensor.f", "sensor.g", "sensor.h",
                                         "sensor.i", "sensor.j", "sensor.k", "sensor.l"};
    memset(rig, 0, sizeof *rig);
    rig->legs = legs_told(pose, &rig->names);
    for (int i = 0; i < IB_LEGS_JOINTS; i++) {
        const ib_LegJoint *joint = &rig->legs.joints[IB_LEGS_JOINTS - 1 - i];
        rig->commands[i] = (ib_ControlPin){
            .name = rig->legs.joints[i].command, .unit = "V", .high = 10, .neutral = 5};
        rig->sensors[i] =
            (ib_ControlPin){.name = called[i], .signal = i % 2 ? joint->stroke : joint->angle};
    }
    rig->site = (ib_ControlSite){.loop = "legs",
                                 .legs = &rig->legs,
                                 .command_count = IB_LEGS_JOINTS,
                                 .commands = rig->commands,
                                 .sensor_count = IB_LEGS_JOINTS,
                                 .sensors = rig->sensors};
    void *config = ib_arena_alloc(&rig->arena, ib_legs_kind.config_size);
    assert_non_null(config);
    assert_int_equal(ib_schema_default(&ib_legs_kind.params, config, &rig->error), IB_OK);
    put_settings(&ib_legs_kind.params, settings, config);
    ib_Status status = ib_controller_init(&ib_legs_kind, config, &rig->site, &rig->arena,
                                          &rig->controller, &rig->error);
    if (status != IB_OK) return status;
    const ib_ControlPorts *ports = &rig->controller.ports;
    assert_in_range(ports->state_count, 1, MOST_STATES);
    assert_in_range(ports->signal_count, 1, MOST_SIGNALS);
    assert_in_range(ports->measurement_count, 1, MOST_READINGS);
    ib_controller_reset(&rig->controller, rig->state);
    for (int i = 0; i < ports->command_count; i++) rig->goal[i] = ports->commands[i].neutral;
    return IB_OK;
}

static void open(Rig *rig, const Setting *settings)
{
    if (try(rig, settings) != IB_OK) fail_msg("%s", rig->error.text);
}

static void tick(Rig *rig)
{
    const ib_Controller *c = &rig->controller;
    ib_ControlTick tick = {.time = rig->now, .command = rig->goal, .measurement = rig->measured};
    assert_int_equal(c->kind->step(c->model, &tick, rig->state, rig->output), IB_CONTROL_OK);
    c->kind->show(c->model, rig->goal, rig->state, rig->signals);
    rig->now += c->period;
}

static double see(const Rig *rig, const char *name)
{
    const ib_ControlPorts *ports = &rig->controller.ports;
    for (int i = 0; i < ports->signal_count; i++)
        if (strcmp(ports->signals[i].name, name) == 0) return rig->signals[i];
    fail_msg("no signal %s", name);
    return NAN;
}

static int command(const Rig *rig, const char *name)
{
    const ib_ControlPorts *ports = &rig->controller.ports;
    for (int i = 0; i < ports->command_count; i++)
        if (strcmp(ports->commands[i].name, name) == 0) return i;
    fail_msg("no command %s", name);
    return -1;
}

static const Setting quiet[] = {{"mode", "feet"},
                                {"alpha.kpressure", "0 V/Pa"},
                                {"beta.kpressure", "0 V/Pa"},
                                {"gamma.kpressure", "0 V/Pa"},
                                {NULL, NULL}};

// Goal: a foot's goal out of reach puts each joint as near as its range lets it, and is counted;
// other legs stay. Method: a foot 3 cm up in its shoulder's frame, then 3 m, for 5 ticks: alpha
// goes on, beta would have to rise to nearly 90 degrees, and gamma to stretch out.
static void a_goal_out_of_reach_is_counted_and_clamped(void **state)
{
    (void)state;
    static const Setting shouldered[] = {{"mode", "feet"},
                                         {"frame", "shoulder"},
                                         {"alpha.kpressure", "0 V/Pa"},
                                         {"beta.kpressure", "0 V/Pa"},
                                         {"gamma.kpressure", "0 V/Pa"},
                                         {NULL, NULL}};
    Rig rig;
    open(&rig, shouldered);
    double(*range)[2] = rig.legs.leg_model.range;
    int z = command(&rig, "legs.goal.fr.z");
    double up = rig.goal[z] + 0.03;
    rig.goal[z] = up;
    tick(&rig);
    double alpha = see(&rig, "fr.alpha.goal"), other = see(&rig, "rl.beta.goal");
    double beta = see(&rig, "fr.beta.goal");
    assert_true(beta < -34 * LIMB_DEGREE - 0.05); // a negative beta lifts the knee
    assert_close(other, -34 * LIMB_DEGREE, 1e-9);
    assert_close(see(&rig, "unreached"), 0, 0);
    rig.goal[z] = 3;
    for (int i = 0; i < 5; i++) tick(&rig);
    assert_close(see(&rig, "unreached"), 5, 0);
    assert_close(see(&rig, "fr.alpha.goal"), alpha, 1e-12);
    assert_close(see(&rig, "fr.beta.goal"), range[IB_LEG_BETA][0], 0);
    assert_close(see(&rig, "fr.gamma.goal"), range[IB_LEG_GAMMA][0], 0);
    assert_close(see(&rig, "rl.beta.goal"), other, 0);
    rig.goal[z] = up;
    tick(&rig);
    assert_close(see(&rig, "fr.beta.goal"), beta, 0);
    assert_close(see(&rig, "unreached"), 5, 0);
    ib_arena_reset(&rig.arena);
}

// Goal: sensors are found by what they measure, in whatever order they are named. Method: twelve in
// another order, of strokes and of angles: what is read as number i shows joint i, and the error of
// a joint at its goal is 0 (1e-9 rad: a stroke's way back).
static void sensors_are_found_by_what_they_measure(void **state)
{
    (void)state;
    Rig rig;
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"};
    Setting settings[20] = {{NULL, NULL}};
    memcpy(settings, quiet, sizeof quiet);
    for (int i = 0; i < IB_LEGS_JOINTS; i++) settings[4 + i] = (Setting){"sensors", names[i]};
    open(&rig, settings);
    const ib_ControlPorts *ports = &rig.controller.ports;
    assert_int_equal(ports->measurement_count, IB_LEGS_JOINTS);
    for (int i = 0; i < IB_LEGS_JOINTS; i++) {
        int sensor = IB_LEGS_JOINTS - 1 - i;
        const ib_LegJoint *joint = &rig.legs.joints[i];
        assert_string_equal(ports->measurements[i], rig.sensors[sensor].name);
        rig.measured[i] =
            sensor % 2 ? ib_linkage_at(&joint->linkage, joint->start).x : joint->start;
    }
    tick(&rig);
    assert_close(see(&rig, "fl.alpha.error"), 0, 1e-9);
    assert_close(see(&rig, "rr.gamma.error"), 0, 1e-9);
    assert_close(see(&rig, "rr.foot.error"), 0, 1e-9);
    for (int i = 0; i < IB_LEGS_JOINTS; i++) assert_close(rig.output[i], 5, 1e-6);
    ib_arena_reset(&rig.arena);
}

// Goal: what cannot be wired is refused by its key. Method: a joint without a sensor, a sensor that
// is none, pressures that are angles, a leg that is none, a robot without legs.
static void what_cannot_be_wired_is_refused(void **state)
{
    (void)state;
    static const struct {
        Setting settings[4];
        const char *words;
    } rows[] = {
        {{{"sensors", "a"}, {"sensors", "b"}, {NULL, NULL}},
         "sensors: none of them measures leg.fl.alpha.angle"},
        {{{"sensors", "nose"}, {NULL, NULL}}, "sensors: the robot has no sensor 'nose'"},
        {{{"pressures", "a"}, {"pressures", "b"}, {NULL, NULL}},
         "pressures.0: 'a' measures leg.rr.gamma.angle"},
        {{{"mode", "foot_path"}, {"foot_path.length", "2 m"}, {NULL, NULL}}, "foot_path: "},
    };
    Rig rig;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(try(&rig, rows[i].settings), IB_BAD_INPUT);
        if (strncmp(rig.error.text, rows[i].words, strlen(rows[i].words)) != 0)
            fail_msg("'%s' instead of '%s'", rig.error.text, rows[i].words);
        ib_arena_reset(&rig.arena);
    }
}

// Goal: goals arrive with the messages of a bus, and stay where one is lost. Method: a goal that
// grows every millisecond, messages every 10 ms: what a joint holds is at most 10 ms old and
// changes every 10 ms; with half of them lost it changes less often, by a binomial number of 100
// within five deviations (5 each); with all of them lost never.
static void goals_arrive_with_the_bus(void **state)
{
    (void)state;
    static const char *const losses[] = {"0", "0.5", "1"};
    static const int least[] = {100, 25, 0}, most[] = {100, 75, 0};
    for (int run = 0; run < 3; run++) {
        Rig rig;
        const Setting settings[] = {
            {"mode", "angles"}, {"bus.period", "10 ms"}, {"bus.loss", losses[run]}, {NULL, NULL}};
        open(&rig, settings);
        int at = command(&rig, "legs.goal.fr.alpha"), changes = 0;
        double before = 0;
        for (int i = 0; i < 1000; i++) {
            rig.goal[at] = 1e-3 * (i + 1);
            tick(&rig);
            double held = see(&rig, "fr.alpha.goal");
            if (held != before) {
                assert_int_equal(i % 10, 0);
                assert_close(held, rig.goal[at], 0);
                changes++;
            }
            before = held;
        }
        assert_in_range(changes, least[run], most[run]);
        ib_arena_reset(&rig.arena);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_goal_out_of_reach_is_counted_and_clamped),
        cmocka_unit_test(sensors_are_found_by_what_they_measure),
        cmocka_unit_test(what_cannot_be_wired_is_refused),
        cmocka_unit_test(goals_arrive_with_the_bus),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
