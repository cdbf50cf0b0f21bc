// Claims about what is written in a scenario and does nothing: it is told at its place, and what
// is told does nothing.
#include "cmocka_all.h"

#include "plant/mechanism/mechanism.h"
#include "robot/kind.h"
#include "scenario/scenario.h"
#include "sim/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// ----------------------------------------------------------------------------------------- reading

typedef struct Read {
    ib_Arena arena;
    ib_Scenario *scenario; ///< NULL: it was refused
} Read;

static Read read_text(const char *file, const char *text, const ib_ScenarioOptions *options)
{
    Read read = {0};
    ib_Diagnostics diagnostics = {.arena = &read.arena};
    read.scenario = ib_scenario_read_text(file, text, strlen(text), options, &diagnostics);
    return read;
}

static void drop(Read *read)
{
    ib_scenario_destroy(read->scenario);
    ib_arena_reset(&read->arena);
}

// How many warnings a scenario has under these options; the words are in the first of them.
static int warnings(const char *text, const ib_ScenarioOptions *options, const char *words)
{
    Read read = read_text("t.yaml", text, options);
    assert_non_null(read.scenario);
    int count = read.scenario->yaml.warning_count;
    if (count > 0 && words) assert_non_null(strstr(read.scenario->yaml.warnings[0].text, words));
    drop(&read);
    return count;
}

// Goal: a tolerance beside a solver without one is told, and so is one on the command line; one
// that waits in the file for its solver, since --set has chosen another, is not. Method: each of
// them, and the same with a step and with a longest step.
static void a_choice_further_out_leaves_keys_waiting(void **state)
{
    (void)state;
    static const char fixed[] = "robot: {kind: roomba}\ninputs: {left: 1 N, right: 1 N}\n"
                                "run: {duration: 1 s, step: 1 ms}\n";
    static const char adaptive[] = "robot: {kind: roomba}\ninputs: {left: 1 N, right: 1 N}\n"
                                   "run: {duration: 1 s, solver: dopri5, tolerance: 1e-6}\n";
    static const char capped[] = "robot: {kind: roomba}\ninputs: {left: 1 N, right: 1 N}\n"
                                 "run: {duration: 1 s, solver: dopri5, max_step: 10 ms}\n";
    const ib_Override tolerance = {"run.tolerance", "1e-6"}, cap = {"run.max_step", "10 ms"},
                      rk4 = {"run.solver", "rk4"}, dopri5 = {"run.solver", "dopri5"},
                      whole = {"run", "{duration: 1 s, step: 1 ms, "
                                      "solver: dopri5}"};
    const struct {
        const char *text;
        const ib_Override *override;
        const char *words; ///< of the one warning; NULL: there is none
    } cases[] = {
        {fixed, NULL, NULL},
        {fixed, &tolerance, "run.tolerance: has no effect while solver is rk4"},
        {fixed, &cap, "run.max_step: has no effect while solver is rk4"},
        {fixed, &dopri5, NULL}, // the step waits
        {adaptive, NULL, NULL},
        {adaptive, &rk4, NULL}, // the tolerance waits
        {capped, NULL, NULL},
        {capped, &rk4, NULL}, // the longest step waits
        {adaptive, &whole, "run.step: has no effect while solver is dopri5"},
    };
    for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) {
        ib_ScenarioOptions options = {.overrides = cases[i].override,
                                      .override_count = cases[i].override != NULL};
        int count = warnings(cases[i].text, &options, cases[i].words);
        assert_int_equal(count, cases[i].words != NULL);
    }
}

// Goal: tilts are judged by their sum at one time, of one robot. Method: slopes of 1/2, 30 deg, two
// of which are 1, across 0.71, and in turn 0.5; sin 25 + sin 25 = 0.85 (57.7 deg).
static void tilts_of_one_time_are_added_up(void **state)
{
    (void)state;
    static const struct {
        const char *tilts, *words; ///< of the one warning; NULL: there is none
    } cases[] = {
        {"[{tilt: 45 deg}]", NULL},
        {"[{tilt: -45.0001 deg}]", "from 0 s on the floor tilts by 45.0001 deg, which is steeper"},
        {"[{tilt: 30 deg}, {tilt: 29 deg, direction: 90 deg}]", NULL},
        {"[{tilt: 30 deg}, {tilt: 32 deg, direction: 90 deg}]", "the floor tilts by 46.7"},
        {"[{tilt: 25 deg}, {at: 0.5 s, tilt: 25 deg}]",
         "1.tilt: from 0.5 s on the floor tilts by 57.69"},
        {"[{for: 0.5 s, tilt: 40 deg}, {at: 0.5 s, tilt: 40 deg}]", NULL},
        {"[{at: 0.1 s, tilt: 40 deg}, {at: 0.1 s, tilt: -40 deg}, {tilt: 40 deg}]", NULL},
        {"[{tilt: 40 deg, robot: a}, {tilt: 40 deg, robot: b}]", NULL},
        {"[{tilt: 25 deg, robot: b}, {tilt: 25 deg}]", "disturbances.1.tilt: from 0 s on"},
        {"[{tilt: 40 deg}, {for: 2 s, tilt: -80 deg, direction: 180 deg, at: 2 s}]",
         "has no effect"}, // late
    };
    char text[600];
    for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) {
        snprintf(text, sizeof text,
                 "robots: {a: {kind: box}, b: {kind: box, start: {x: 3 m}}}\n"
                 "run: {duration: 1 s}\ndisturbances: %s\n",
                 cases[i].tilts);
        assert_int_equal(warnings(text, NULL, cases[i].words), cases[i].words != NULL);
    }
}

// Goal: a height of the centre of mass is told to be idle on wheels that never slip where it is:
// on a level floor; on one that tilts wheels lift by it. Equations as printed never know loads.
// Method: each base with such wheels on both floors, and whether the run has `lifted`.
static void a_height_acts_where_the_floor_tilts(void **state)
{
    (void)state;
    static const char *const bases[] = {"kind: tank, wheels: {model: rolling",
                                        "kind: tank, wheels: {model: viscous",
                                        "kind: holonomic, preset: x-drive, wheels: {model: rolling",
                                        "kind: tank, equations: published, wheels: {mu: 0.5"};
    for (int i = 0; i < 8; i++) {
        bool tilts = i % 2, published = i / 2 == 3, acts = tilts && !published;
        char text[600];
        snprintf(text, sizeof text,
                 "robot: {%s, com_height: 0.2 m}}\nrun: {duration: 10 ms}\ninputs: {%s}\n%s",
                 bases[i / 2], i / 2 == 2 ? "stick.x: 0" : "left: 0 V, right: 0 V",
                 tilts ? "disturbances: [{tilt: 40 deg}]\n" : "");
        Read read = read_text("t.yaml", text, NULL);
        assert_non_null(read.scenario);
        bool told = false;
        for (int k = 0; k < read.scenario->yaml.warning_count; k++)
            told |=
                strstr(read.scenario->yaml.warnings[k].text, "com_height: has no effect") != NULL;
        assert_int_equal(told, !acts);
        assert_int_equal(ib_signals_find(&read.scenario->model->signals, "lifted") >= 0, acts);
        drop(&read);
    }
}

// Goal: what a robot file says for another choice of the scenario is not told; the same in the
// scenario is. Method: a robot file with bristles, a scenario that takes another law of the wheels.
static void a_robot_file_may_say_more(void **state)
{
    (void)state;
    char folder[] = "/tmp/ib_idle_XXXXXX", robot[64], text[400];
    assert_non_null(mkdtemp(folder));
    snprintf(robot, sizeof robot, "%s/robot.yaml", folder);
    FILE *file = fopen(robot, "w");
    assert_non_null(file);
    fputs("kind: tank\nwheels: {model: bristle, mu: 1, mu_static: 1.5}\n", file);
    assert_int_equal(fclose(file), 0);
    for (int own = 0; own < 2; own++) {
        snprintf(text, sizeof text,
                 "robot: {file: %s, wheels: {model: friction_circle%s}}\n"
                 "inputs: {left: 1 V, right: 1 V}\nrun: {duration: 1 s}\n",
                 robot, own ? ", mu_static: 1.4" : "");
        assert_int_equal(warnings(text, NULL, "wheels.mu_static: has no effect"), own);
    }
    unlink(robot);
    assert_int_equal(rmdir(folder), 0);
}

// Goal: a run that is cut short tells what it leaves out, and runs. Method: knots and a disturbance
// within the file's duration, of which --duration leaves half; one warning a timeline.
static void a_shorter_run_tells_what_it_leaves_out(void **state)
{
    (void)state;
    static const char text[] =
        "robot: {kind: roomba}\n"
        "inputs: {left: [[0 s, 1 N], [2 s, 2 N], [3 s, 0 N]], right: [[0 s, 1 N], [1 s, 2 N]]}\n"
        "disturbances: [{at: 0.5 s, for: 9 s, force: 1 N}, {at: 2 s, impulse: 1 N*s}]\n"
        "run: {duration: 4 s}\n";
    assert_int_equal(warnings(text, NULL, NULL), 0);
    ib_ScenarioOptions shorter = {.duration = "1.5 s"}, even = {.duration = "3 s"};
    assert_int_equal(warnings(text, &shorter, "inputs.left.1: this knot and what follows"), 2);
    assert_int_equal(warnings(text, &even, NULL), 0); // a knot at the very end is no mistake
}

// Goal: nobody is warned of the program's own data, and the user of what is written over them.
// Method: a motor whose Kt is above its Ke, a robot too heavy for its air, a gate that moves after
// the end; then each with a value of the user's own beside it. All are read twice, as a sweep does:
// the second time from the cache of trees.
static void only_what_the_user_wrote_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words; ///< words: of the one warning; NULL: there is none
    } cases[] = {
        {"robot: {kind: motor_bench, motor: neo}\ninputs: {command: 2 V}\n", NULL},
        {"robot: {kind: motor_bench, motor: {preset: neo, rotor_inertia: 1e-5 kg*m^2}}\n"
         "inputs: {command: 2 V}\n",
         NULL},
        {"robot: {kind: motor_bench, motor: {preset: neo, voltage: 12 V}}\n"
         "inputs: {command: 2 V}\n",
         NULL},
        {"robot: {kind: motor_bench, motor: {preset: neo, free_current: 2 A}}\n"
         "inputs: {command: 2 V}\n",
         NULL}, // 1.250 for 1.248
        {"robot: {kind: motor_bench, motor: {preset: neo, free_current: 20 A}}\n"
         "inputs: {command: 2 V}\n",
         "robot.motor: Kt (stall torque over stall current) is 1.5"},
        {"robot: {kind: motor_bench, motor: {preset: cim, free_current: 60 A}}\n"
         "inputs: {command: 2 V}\n",
         "robot.motor: Kt (stall torque over stall current) is 1.5"},
        {"robot: {kind: motor_bench, motor: {preset: neo, torque_constant: data_sheet}}\n"
         "inputs: {command: 2 V}\n",
         "robot.motor: Kt (stall torque over stall current) is 1.248 Ke"},
        {"robot: {kind: quadruped, preset: thesis-quadruped}\n", NULL},
        {"robot: {kind: quadruped, preset: light-quadruped, supply: {pressure: 20 psig}}\n",
         "robot.supply.pressure: to stand, joint fl.beta would have to hold"},
        {"robot: {kind: box}\nstart: {x: 1 m, y: 1 m}\nfield: obstacle-course\n", NULL},
        {"robot: {kind: box}\nstart: {x: 1 m, y: 1 m}\nfield: {preset: obstacle-course, elements: "
         "{gate: {move: {y: [[0 s, 0 m], [4 s, 0 m], [5 s, 1 m]]}}}}\n",
         "field.elements.gate.move.y.2: is after the end of the run"},
    };
    ib_ScenarioOptions options = {.trees = ib_tree_cache_create()};
    for (int k = 0; k < 2 * (int)(sizeof cases / sizeof *cases); k++) {
        char text[400];
        const char *words = cases[k / 2].words;
        snprintf(text, sizeof text, "%srun: {duration: 1 s}\n", cases[k / 2].text);
        assert_int_equal(warnings(text, &options, words), words != NULL);
    }
    ib_tree_cache_destroy(options.trees);
}

// ----------------------------------------------------------------------------------------- physics

// Robots under choices that leave keys without effect.
static const char *const robots[] = {
    "robot: {kind: tank}\ninputs: {left: 9 V, right: [[0 s, 12 V], [0.2 s, -5 V]]}\n",
    "robot: {kind: tank, wheels: {model: rolling}}\ninputs: {left: 9 V, right: 12 V}\n",
    "robot: {kind: tank, wheels: {model: viscous}}\ninputs: {left: 9 V, right: 12 V}\n",
    "robot: {kind: tank, wheels: {model: bristle}}\ninputs: {left: 9 V, right: 12 V}\n",
    ("robot: {kind: tank, breaker: cb185-120, branch_breaker: snap-40, brownout: roborio2, "
     "payload: {mass: 3 kg}, equations: published}\ninputs: {left: 9 V, right: 12 V}\n"),
    "robot: {kind: motor_bench, motor: cim}\ninputs: {command: 12 V}\n",
    "robot: {kind: roomba}\ninputs: {left: 2 N, right: 1 N}\n",
    "robot: {kind: box}\nstart: {velocity: {x: 2 m/s}}\n",
    "robot: {kind: disc}\nstart: {velocity: {x: 2 m/s, heading: 9 rad/s}}\n",
    "robot: {kind: ball}\nstart: {velocity: {x: 2 m/s, heading: 9 rad/s}, motion: sliding}\n",
    "robot: {kind: bench}\n",
};
enum { ROBOTS = sizeof robots / sizeof *robots };

static void take_hash(void *self, const ib_Sim *sim, ib_Status status, const ib_RunResult *end)
{
    (void)end;
    assert_int_equal(status, IB_OK);
    *(uint64_t *)self = ib_sim_hash(sim);
}

static ib_Status attach_nothing(void *self, ib_Sim *sim, ib_Error *error)
{
    (void)self, (void)sim, (void)error;
    return IB_OK;
}

// The hash of a run with one change (or none); false: the change is refused.
static bool run(const char *robot, const ib_Override *change, uint64_t *hash)
{
    char text[600];
    ib_Error error;
    ib_ScenarioOptions options = {.overrides = change, .override_count = change != NULL};
    snprintf(text, sizeof text, "%srun: {duration: 0.3 s, solver: euler}\n", robot);
    Read read = read_text("t.yaml", text, &options);
    bool good = read.scenario != NULL;
    ib_RunPlan plan = {.attach = attach_nothing, .ended = take_hash, .self = hash};
    if (good) plan.model = read.scenario->model;
    if (good) assert_int_equal(ib_run_whole(&plan, &error), IB_OK);
    drop(&read);
    return good;
}

// Another value of a number, within its range, as text; false: it is no number.
static bool other_value(const ib_Param *param, const void *config, char *text, size_t size)
{
    double value;
    char copy[sizeof(double)];
    if (param->type != IB_PARAM_NUMBER) return false;
    memcpy(&value, (const char *)config + param->offset, sizeof value);
    ib_Param own = *param;
    own.offset = 0;
    value = value == 0 ? param->max / 1e3 : value * 1.05 <= param->max ? value * 1.05 : value * 0.9;
    if (ib_schema_set_number(&own, value, copy, NULL) != IB_OK) return false;
    ib_schema_format(&own, copy, text, size);
    return true;
}

// Goal: what is said to have no effect has none. Method: every number of every kind that is idle
// under these choices, changed: the same bits at the end of the run.
static void idle_keys_change_nothing(void **state)
{
    (void)state;
    int tried = 0;
    for (int i = 0; i < ROBOTS; i++) {
        uint64_t before, after;
        assert_true(run(robots[i], NULL, &before));
        char whole[600];
        snprintf(whole, sizeof whole, "%srun: {duration: 0.3 s}\n", robots[i]);
        Read read = read_text("t.yaml", whole, NULL);
        const ib_RobotConfig *robot = &read.scenario->sim.robots[0];
        const ib_Schema *schema = &robot->kind->params;
        for (int k = 0; k < schema->count; k++) {
            char path[100], value[100];
            const ib_Param *param = &schema->params[k];
            const char *because = ib_schema_idle(schema, robot->config, param->key);
            const ib_Param *group = ib_schema_preset(schema, param->key);
            if (!because || !other_value(param, robot->config, value, sizeof value)) continue;
            // Keys below a preset would need all others beside them.
            if (group && group->fallback && strcmp(group->fallback, "off") != 0) continue;
            assert_non_null(ib_schema_find(schema, because));
            snprintf(path, sizeof path, "robot.%s", param->key);
            if (!run(robots[i], &(ib_Override){path, value}, &after)) continue; // out of line
            if (after != before) print_message("%s: %s = %s\n", robots[i], path, value);
            assert_true(after == before);
            tried++;
        }
        drop(&read);
    }
    assert_true(tried >= 100);
}

// Goal: what is said to keep a key from acting is a key of the same table. Method: the defaults of
// a table, and each word of each of its choices.
static void assert_causes_are_keys(const char *kind, const ib_Schema *schema)
{
    static double config[1 << 16];
    for (int k = -1; k < schema->count; k++) {
        static const char *const as_it_is[] = {"", NULL};
        const ib_Param *choice = k < 0 ? NULL : &schema->params[k];
        if (choice && choice->type != IB_PARAM_CHOICE) continue;
        const char *const *words = choice ? choice->detail : as_it_is;
        for (int w = 0; words[w]; w++) {
            assert_int_equal(ib_read_defaults(schema, config, NULL), IB_OK);
            if (choice) assert_int_equal(ib_schema_set(choice, words[w], config, NULL), IB_OK);
            for (int i = 0; i < schema->count; i++) {
                const char *because = ib_schema_idle(schema, config, schema->params[i].key);
                if (because && !ib_schema_find(schema, because))
                    fail_msg("%s: %s: '%s'", kind, schema->params[i].key, because);
            }
        }
    }
}

static void causes_are_keys(void **state)
{
    (void)state;
    for (int i = 0; ib_robot_kinds[i]; i++)
        assert_causes_are_keys(ib_robot_kinds[i]->name, &ib_robot_kinds[i]->params);
    for (int i = 0; ib_mechanism_kinds[i]; i++)
        assert_causes_are_keys(ib_mechanism_kinds[i]->name, &ib_mechanism_kinds[i]->params);
}

#define ROOMBA(more) "robot: {kind: roomba" more "}\ninputs: {left: 2 N, right: 1 N}\n"
#define BENCH(more)  "robot: {kind: bench" more "}\n"
#define LIFT         ", mechanisms: {m: {kind: elevator}}"
#define TANK(more)   "robot: {kind: tank" more "}\ninputs: {left: 9 V, right: 12 V}\n"

// Goal: a preset is told by its name where it does nothing, and only there; its own keys are told
// beside it. Method: names and maps, from the file and by --set, on robots with and without
// something that draws: told, they leave the run as it is, to the bit; otherwise they do not.
static void presets_that_do_nothing_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *plain, *with; ///< the robot without and with it
        const char *words;        ///< of the one warning; NULL: it acts
    } cases[] = {
        {ROOMBA(""), ROOMBA(", battery: es17-12-match"), "robot.battery: has no effect without"},
        {ROOMBA(""), ROOMBA(", battery: {preset: es17-12-match}"), "robot.battery: has no effect"},
        {ROOMBA(""), ROOMBA(", breaker: cb185-120"), "robot.breaker: has no effect without mech"},
        {ROOMBA(""), ROOMBA(", branch_breaker: snap-40"), "robot.branch_breaker: has no effect"},
        {ROOMBA(""), ROOMBA(", brownout: roborio2"), "robot.brownout: has no effect without mech"},
        {BENCH(""), BENCH(", branch_breaker: snap-40"), "robot.branch_breaker: has no effect"},
        {BENCH(""), BENCH(", battery: {resistance: 1 ohm}"), NULL}, // 0.5 A of its own
        {BENCH(""), BENCH(", battery: es17-12-match"), NULL},
        {BENCH(""), BENCH(", background_current: 2 A"), NULL},
        {BENCH(LIFT), BENCH(LIFT ", brownout: roborio2"), NULL},
        {BENCH(LIFT), BENCH(LIFT ", breaker: cb185-120"), NULL},
        {BENCH(LIFT), BENCH(LIFT ", battery: es17-12-match"), NULL},
        {TANK(""), TANK(", brownout: roborio2"), NULL},
        {TANK(", equations: published"), TANK(", equations: published, brownout: roborio2"),
         "robot.brownout: has no effect while equations is published"},
    };
    for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) {
        char text[400];
        uint64_t before, after;
        snprintf(text, sizeof text, "%srun: {duration: 0.3 s}\n", cases[i].with);
        assert_int_equal(warnings(text, NULL, cases[i].words), cases[i].words != NULL);
        assert_true(run(cases[i].plain, NULL, &before));
        assert_true(run(cases[i].with, NULL, &after));
        if ((before == after) != (cases[i].words != NULL)) fail_msg("%s", cases[i].with);
    }
    // A name and a key beside it; `off` says what is so anyway; a choice further out.
    static const char both[] = ROOMBA(", battery: {preset: es17-12, capacity: 3 A*h}");
    static const char off[] = ROOMBA(", breaker: off, brownout: off");
    static const char printed[] = TANK(", brownout: roborio2");
    char text[400];
    snprintf(text, sizeof text, "%srun: {duration: 0.3 s}\n", both);
    assert_int_equal(warnings(text, NULL, "robot.battery: has no effect"), 2);
    snprintf(text, sizeof text, "%srun: {duration: 0.3 s}\n", off);
    assert_int_equal(warnings(text, NULL, NULL), 0);
    const ib_Override published = {"robot.equations", "published"};
    const ib_ScenarioOptions options = {.overrides = &published, .override_count = 1};
    snprintf(text, sizeof text, "%srun: {duration: 0.3 s}\n", printed);
    assert_int_equal(warnings(text, &options, NULL), 0);
}

// Goal: surfaces that nothing meets are told, each once, and walls and elements, which are still
// seen, are not. Method: with and without contact, in the field and in an element; by --set, and
// the choice by --set.
static void surfaces_that_nothing_meets_are_told(void **state)
{
    (void)state;
    static const char tail[] = "robot: {kind: roomba}\nstart: {x: 1 m, y: 1 m}\n"
                               "inputs: {left: 2 N, right: 1 N}\nrun: {duration: 0.3 s}\n";
    const ib_Override ghosts = {"field.contact", "false"}, friction = {"field.friction", "0.1"};
    static const struct {
        const char *field;
        int count, by_contact, by_friction; ///< as it is, with these two
        const char *words;
    } cases[] = {
        {"{walls: {length: 8 m, width: 4 m}, restitution: 0.4}", 0, 0, 0, NULL},
        {"{contact: false, walls: {length: 8 m, width: 4 m}}", 0, 0, 1, NULL},
        {"{contact: false, restitution: 0.4, walls: {length: 8 m, width: 4 m}}", 1, 0, 2,
         "field.restitution: has no effect while contact is false"},
        {"{contact: false, restitution: 0.4}", 1, 0, 2,
         "field.restitution: has no effect while contact is false"},
        {"{contact: false, elements: {a: {disc: [2 m, 0 m], radius: 5 cm, friction: 0.1}}}", 1, 0,
         2, "field.elements.a.friction: has no effect while contact is false"},
        {"{elements: {a: {disc: [2 m, 0 m], radius: 5 cm, friction: 0.1}}}", 0, 0, 0, NULL},
        {"{preset: frc, contact: false}", 0, 0, 1, NULL},
    };
    for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) {
        const ib_ScenarioOptions by[] = {{.overrides = &ghosts, .override_count = 1},
                                         {.overrides = &friction, .override_count = 1}};
        char text[400];
        snprintf(text, sizeof text, "field: %s\n%s", cases[i].field, tail);
        assert_int_equal(warnings(text, NULL, cases[i].words), cases[i].count);
        assert_int_equal(warnings(text, &by[0], NULL), cases[i].by_contact);
        assert_int_equal(warnings(text, &by[1], NULL), cases[i].by_friction);
    }
}

// ------------------------------------------------------------------------------------------- loops

#define ARM        "robot: {kind: bench, mechanisms: {m: {kind: single_arm}}}\n"
#define STEPS      "inputs: {m.goal: [[0 s, 1 rad], [0.4 s, 0 rad]]}\nrun: {duration: 0.8 s}\n"
#define PID(gains) ARM "control: {m: {kind: pid, kp: 10 V/rad" gains "}}\n" STEPS
#define PROFILED(gains)                                                                            \
    ARM "control: {m: {kind: profiled, velocity: 2 rad/s, acceleration: 10 rad/s^2, kp: 10 "       \
        "V/rad" gains "}}\n" STEPS
#define KI ", ki: 300 V/(rad*s)" // so much that it runs into its limit
#define KD ", kd: 1 V*s/rad"

// Where the arm is in the end, and how fast. A loop may remember what nobody asks for.
static void take_motion(void *self, const ib_Sim *sim, ib_Status status, const ib_RunResult *end)
{
    (void)end;
    assert_int_equal(status, IB_OK);
    memcpy(self, ib_sim_state(sim), 2 * sizeof(double));
}

// The motion of a run with one change; the words are those of its only warning, NULL: it has none.
static void move(const char *text, const ib_Override *change, const char *words, double motion[2])
{
    ib_Error error;
    ib_ScenarioOptions options = {.overrides = change, .override_count = change != NULL};
    assert_int_equal(warnings(text, &options, words), words != NULL);
    Read read = read_text("t.yaml", text, &options);
    ib_RunPlan plan = {.model = read.scenario->model, .ended = take_motion, .self = motion};
    assert_int_equal(ib_run_whole(&plan, &error), IB_OK);
    drop(&read);
}

// Goal: a key of a loop is told where it does nothing, and only there. Method: the same key beside
// other gains; told, it leaves the motion as it is, to the bit, otherwise not.
static void loops_tell_keys_that_do_nothing(void **state)
{
    (void)state;
    const struct {
        const char *text, *key, *value;
        const char *words; ///< NULL: it acts
    } cases[] = {
        {PID(""), "integral_limit", "1 V", "has no effect while ki is 0 V/(rad*s)"},
        {PID(""), "tracking_time", "1 s", "has no effect while ki is 0 V/(rad*s)"},
        {PID(KI), "integral_limit", "1 V", NULL},
        {PID(KI), "tracking_time", "1 s", NULL},
        {PID(KI ", integral_limit: 1 V"), "ki", "200 V/(rad*s)", NULL},
        {PID(", integral_limit: 0 V" KI), "ki", "200 V/(rad*s)", "while integral_limit is 0 V"},
        {PID(KI), "filter_time", "50 ms", "has no effect while kd is 0 V*s/rad"},
        {PID(KD), "filter_time", "50 ms", NULL},
        {PID(KI), "fade_time", "2 s", "has no effect here: time constant"},
        {PROFILED(KI), "fade_time", "2 s", "has no effect here: time constant"},
        {PID(""), "feedforward.static", "1 V", "kind pid wants none"},
        {PID(""), "feedforward.velocity", "1 V*s/rad", "kind pid wants none"},
        {PID(""), "feedforward.acceleration", "1 V*s^2/rad", "kind pid wants none"},
        {PID(""), "feedforward.constant", "1 V", NULL},
        {PROFILED(""), "feedforward.static", "1 V", NULL},
        {PROFILED(""), "feedforward.velocity", "1 V*s/rad", NULL},
        {PROFILED(""), "feedforward.acceleration", "1 V*s^2/rad", NULL},
        {PROFILED(""), "integral_limit", "1 V", "has no effect while ki is 0 V/(rad*s)"},
        {PROFILED(""), "filter_time", "50 ms", "has no effect while kd is 0 V*s/rad"},
    };
    for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) {
        double before[2], after[2];
        char path[64];
        snprintf(path, sizeof path, "control.m.%s", cases[i].key);
        bool told = strstr(cases[i].text, "integral_limit: 0") != NULL; // without the change, too
        move(cases[i].text, NULL, told ? cases[i].words : NULL, before);
        move(cases[i].text, &(ib_Override){path, cases[i].value}, cases[i].words, after);
        bool same = memcmp(before, after, sizeof before) == 0;
        if (same != (cases[i].words != NULL)) fail_msg("%s: %s", cases[i].text, path);
    }
}

// Goal: a rotor that does not count is told, of each mechanism. Method: a heavier one beside
// `rotors`: the same motion where it is told, another one where it is not.
static void rotors_that_do_not_count_are_told(void **state)
{
    (void)state;
    static const char head[] = "robot: {kind: bench, mechanisms: {m: {kind: ";
    static const char tail[] = ", motor: {preset: cim, rotor_inertia: 775 g*cm^2}}}}\n"
                               "inputs: {m: 3 V}\nrun: {duration: 0.3 s}\n";
    static const char *const kinds[] = {"elevator", "single_arm", "turret", "two_mass"};
    const ib_Override heavier = {"robot.mechanisms.m.motor.rotor_inertia", "900 g*cm^2"};
    for (int i = 0; i < 4; i++) {
        for (int counts = 0; counts < 2; counts++) {
            char text[400];
            double before[2], after[2];
            const char *words =
                counts ? NULL : "motor.rotor_inertia: has no effect while rotors is false";
            snprintf(text, sizeof text, "%s%s, rotors: %s%s", head, kinds[i],
                     counts ? "true" : "false", tail);
            move(text, NULL, words, before);
            move(text, &heavier, words, after);
            assert_true((memcmp(before, after, sizeof before) == 0) == !counts);
        }
    }
}

// ----------------------------------------------------------------------------------------- sensors

// Goal: no key of a sensor is without effect, so that nothing has to be told. Method: each of each
// kind beside what it needs, changed: another hash, and no warning.
static void keys_of_sensors_act(void **state)
{
    (void)state;
    static const struct {
        const char *sensor, *key, *value;
    } cases[] = {
        {"signal: m.position", "period", "7 ms"},
        {"signal: m.position", "latency", "5 ms"},
        {"signal: m.position", "scale", "1.01"},
        {"signal: m.position", "noise", "0.01 rad"},
        {"signal: m.position", "bias", "0.01 rad"},
        {"signal: m.position", "quantum", "0.01 rad"},
        {"signal: m.position", "range", "[-0.01 rad, 0.01 rad]"},
        {"kind: encoder, signal: m.position, counts: 1024", "counts", "2048"},
        {"kind: encoder, signal: m.position, counts: 1024", "radius", "5 cm"},
        {"kind: encoder, signal: m.position, counts: 1024", "missed", "0.1"},
        {"kind: encoder, signal: m.position, counts: 1024", "direction", "reverse"},
        {"kind: encoder, signal: m.position, counts: 1024", "velocity", "true"},
        {"kind: encoder, signal: m.velocity, distance_per_count: 1 mm, radius: 5 cm",
         "distance_per_count", "2 mm"},
        {"kind: gyro, signal: m.velocity", "scale", "1.01"},
        {"kind: gyro, signal: m.velocity", "noise", "0.01 rad/s"},
        {"kind: gyro, signal: m.velocity", "noise_density", "0.01 rad/s"},
        {"kind: gyro, signal: m.velocity", "bias", "0.01 rad/s"},
        {"kind: gyro, signal: m.velocity", "drift", "0.01 rad/s"},
        {"kind: gyro, signal: m.velocity", "quantum", "0.01 rad/s"},
        {"kind: gyro, signal: m.velocity", "range", "[-0.01 rad/s, 0.01 rad/s]"},
        {"kind: tap, signal: m.position, range: [-1 rad, 1 rad]", "bits", "8"},
        {"kind: tap, signal: m.position, range: [-1 rad, 1 rad], bits: 8", "range",
         "[-2 rad, 2 rad]"},
        {"kind: tap, signal: m.position", "filter", "20 ms"},
        {"kind: tap, signal: m.position", "scale", "1.01"},
        {"kind: tap, signal: m.position", "noise", "0.01 rad"},
        {"kind: tap, signal: m.position", "bias", "0.01 rad"},
    };
    for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) {
        char text[400], whole[500], path[64];
        uint64_t before, after;
        snprintf(text, sizeof text,
                 "robot: {kind: bench, mechanisms: {m: {kind: single_arm}}, sensors: {s: {%s%s}}}\n"
                 "inputs: {m: 3 V}\n",
                 cases[i].sensor, strcmp(cases[i].key, "period") ? ", period: 5 ms" : "");
        snprintf(path, sizeof path, "robot.sensors.s.%s", cases[i].key);
        const ib_Override change = {path, cases[i].value};
        const ib_ScenarioOptions options = {.overrides = &change, .override_count = 1};
        snprintf(whole, sizeof whole, "%srun: {duration: 0.3 s}\n", text);
        assert_int_equal(warnings(whole, &options, NULL), 0);
        assert_true(run(text, NULL, &before));
        assert_true(run(text, &change, &after));
        if (before == after) fail_msg("%s: %s", cases[i].sensor, path);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_choice_further_out_leaves_keys_waiting),
        cmocka_unit_test(a_robot_file_may_say_more),
        cmocka_unit_test(tilts_of_one_time_are_added_up),
        cmocka_unit_test(a_height_acts_where_the_floor_tilts),
        cmocka_unit_test(a_shorter_run_tells_what_it_leaves_out),
        cmocka_unit_test(only_what_the_user_wrote_is_told),
        cmocka_unit_test(idle_keys_change_nothing),
        cmocka_unit_test(causes_are_keys),
        cmocka_unit_test(presets_that_do_nothing_are_told),
        cmocka_unit_test(surfaces_that_nothing_meets_are_told),
        cmocka_unit_test(loops_tell_keys_that_do_nothing),
        cmocka_unit_test(rotors_that_do_not_count_are_told),
        cmocka_unit_test(keys_of_sensors_act),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
