// Robots on legs, loose bodies, walls and obstacles in one world of MuJoCo's: what touches what,
// and what stays as it was.
#include "scenario/run_rig.h"

#include "sim/geometry.h"
#include "sim/linearise/variant.h"
#include "sim/shared_world.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LEGS "kind: quadruped, preset: light-quadruped, drive: servo, contact: {cone: elliptic}"
#define SLIPPERY                                                                                   \
    "kind: quadruped, preset: light-quadruped, drive: servo, contact: {cone: elliptic, "           \
    "foot_friction: 0.1, ground_friction: 0.1}"
#define WATCHER "  watcher: {" LEGS ", start: {x: -5 m}}\n"

static double seen(Run *run, const char *name)
{
    int index = ib_signals_find(&run->scenario->model->signals, name);
    if (index < 0) print_message("no signal %s\n", name);
    assert_true(index >= 0);
    ib_sim_sample(run->sim, run->signals);
    return run->signals[index];
}

static void advance(Run *run, double seconds)
{
    ib_Error error;
    ib_Status status = ib_sim_advance(run->sim, ib_time_from_seconds(seconds), &error);
    if (status != IB_OK) print_message("%s\n", error.text);
    assert_int_equal(status, IB_OK);
}

// --------------------------------------------------------------------------------- who has a world

// Goal: a robot on legs alone on an empty field has no shared world, as one whose like start inside
// it, for comparison; a second robot apart, on wheels too, a wall, an obstacle or a moving element
// make one, `contact: false` does not. Method: the model.
static void a_world_is_shared_where_something_can_be_touched(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int members;
    } rows[] = {
        {"robot: {" LEGS "}\n", 0},
        {"robots: {a: {" LEGS "}, b: {" LEGS "}}\n", 0},
        {"robots: {a: {" LEGS "}, b: {" LEGS ", start: {x: 3 m}}}\n", 2},
        {"robots: {a: {" LEGS "}, b: {" LEGS ", start: {x: 3 m}}}\nfield: {contact: false}\n", 0},
        {"robot: {" LEGS "}\nfield: {walls: {length: 4 m, width: 4 m}, origin: [2 m, 2 m]}\n", 1},
        {"robot: {" LEGS "}\nfield: {elements: {post: {disc: [2 m, 0 m], radius: 5 cm}}}\n", 1},
        {"robot: {" LEGS "}\nfield: {elements: {gate: {box: [2 m, 0 m], move: {x: [[0 s, 0 m], "
         "[1 s, 1 m]]}}}}\n",
         1},
        {"robots: {a: {" LEGS "}, t: {kind: roomba, start: {x: 3 m}, inputs: {left: 1 N, right: 1 "
         "N}}}\n",
         1},
        {"robot: {" LEGS "}\nfield: {bodies: {crate: {kind: box, start: {x: 2 m}}}}\n", 2},
        {"robots: {t: {kind: roomba, inputs: {left: 1 N, right: 1 N}}, crate: {kind: box, start: "
         "{x: 2 m}}}\n",
         0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[600];
        Run run;
        snprintf(text, sizeof text, "%srun: {duration: 10 ms}\n", rows[i].text);
        open_run(&run, "%s", text);
        assert_int_equal(run.scenario->model->shared_count, rows[i].members);
        close_run(&run);
    }
}

// Goal: a robot whose world is shared moves as one that is alone, while it touches nothing else.
// Method: all signals of one that lets itself down on its legs, alone and beside another one and a
// box: two orders of the same sums, and contacts of 1e4 N/m, leave 1e-9 of each value's size.
static void members_that_do_not_touch_move_as_if_alone(void **state)
{
    (void)state;
    Run alone, beside;
    const char *own = "  a: {" LEGS ", terrain: {kind: block, x: 0.1 m, width: 3 m}}\n";
    char text[800];
    snprintf(text, sizeof text, "robots:\n%srun: {duration: 0.3 s}\n", own);
    open_run(&alone, "%s", text);
    snprintf(text, sizeof text,
             "robots:\n  b: {" LEGS ", gravity: 9.7 m/s^2, start: {x: 4 m}}\n%s  crate: {kind: "
             "box, start: {y: 3 m}}\nrun: {duration: 0.3 s}\n",
             own);
    open_run(&beside, "%s", text);
    advance(&alone, 0.3);
    advance(&beside, 0.3);
    const ib_SignalTable *table = &alone.scenario->model->signals;
    for (int i = 0; i < table->count; i++) {
        double is = seen(&alone, table->items[i].name);
        assert_close(seen(&beside, table->items[i].name), is, 1e-9 * fmax(1, fabs(is)));
    }
    close_run(&alone);
    close_run(&beside);
}

// Goal: a shared world of one robot has the bits of the robot alone. Method: one that lets itself
// down on its cylinders, on an empty field and with a post 40 m away: the same states.
static void a_world_of_one_has_the_same_bits(void **state)
{
    (void)state;
    static const char *const fields[] = {
        "", "field: {elements: {post: {disc: [40 m, 0 m], radius: 10 cm}}}\n"};
    Run run[2];
    for (int k = 0; k < 2; k++) {
        open_run(&run[k],
                 "robot: {kind: quadruped, preset: light-quadruped}\n%srun: {duration: "
                 "0.2 s}\n",
                 fields[k]);
        assert_int_equal(run[k].scenario->model->shared_count, k);
        advance(&run[k], 0.2);
    }
    size_t count = (size_t)run[0].scenario->model->robot_state_count;
    assert_int_equal(count, run[1].scenario->model->robot_state_count);
    assert_memory_equal(ib_sim_state(run[0].sim), ib_sim_state(run[1].sim), count * sizeof(double));
    for (int k = 0; k < 2; k++) close_run(&run[k]);
}

// Goal: the order of robots in the file permutes nothing else. Method: two robots and a box that
// one of them has under a foot, in two orders: the same signals under the same names. Contacts are
// solved in another order, to 1e-8 of the largest force: 1e-6 of each value after 0.2 s.
static void the_order_of_robots_does_not_matter(void **state)
{
    (void)state;
    static const char *const robots[] = {
        "  a: {" LEGS ", start: {z: 0.5 m}}\n",
        "  b: {" LEGS ", start: {x: 1.6 m}}\n",
        "  crate: {kind: box, length: 20 cm, width: 20 cm, start: {x: 0.45 m, y: 0.4 m}}\n",
    };
    Run run[2];
    for (int k = 0; k < 2; k++) {
        char text[800];
        snprintf(text, sizeof text, "robots:\n%s%s%srun: {duration: 0.2 s}\n", robots[k ? 2 : 0],
                 robots[1], robots[k ? 0 : 2]);
        open_run(&run[k], "%s", text);
        advance(&run[k], 0.2);
    }
    const ib_SignalTable *table = &run[0].scenario->model->signals;
    assert_int_equal(table->count, run[1].scenario->model->signals.count);
    for (int i = 0; i < table->count; i++) {
        double is = seen(&run[0], table->items[i].name);
        assert_close(seen(&run[1], table->items[i].name), is, 1e-6 * fmax(1, fabs(is)));
    }
    for (int k = 0; k < 2; k++) close_run(&run[k]);
}

// ------------------------------------------------------------------------------------ loose bodies

// Goal: a pushed box slides as its friction says. Method: 2 kg, mu 0.4, 12 N for 0.8 s, on any
// heading: it goes by a t^2/2 with a = (F - mu m g)/m, within 1 %: MuJoCo's contacts open as they
// slide, so that the box hops at 1.7 m/s by millimetres, a few times mu v and the time constant.
static void a_pushed_box_slides_as_its_friction_says(void **state)
{
    (void)state;
    const double a = (12 - 0.4 * 2 * 9.80665) / 2;
    for (int heading = 0; heading <= 45; heading += 45) {
        char text[800];
        Run run;
        snprintf(text, sizeof text,
                 "robots:\n" WATCHER "  crate: {kind: box, mass: 2 kg, mu: 0.4, length: 0.4 m, "
                 "width: 0.4 m, start: {heading: %d deg}}\n"
                 "disturbances: [{at: 0.1 s, for: 1 s, force: 12 N, robot: crate}]\n"
                 "run: {duration: 1 s}\n",
                 heading);
        open_run(&run, "%s", text);
        advance(&run, 0.9);
        assert_close(seen(&run, "crate.pose.x"), 0.5 * a * 0.64, 0.01 * 0.5 * a * 0.64);
        assert_close(seen(&run, "crate.pose.z"), 0.16, 4 * 0.4 * 1.7 * 3e-3); // half of 0.8 x 0.4 m
        close_run(&run);
    }
}

// Goal: bodies that meet exchange momentum and lose none of it. Method: two balls without weight,
// of 1 and 2 kg, meet off centre: the sum of m v, which is zero, is kept along x and y to 1e-9 of
// what each brings, and both velocities have changed by much.
static void momentum_is_kept_when_two_meet(void **state)
{
    (void)state;
    Run run;
    open_run(
        &run,
        "robots:\n" WATCHER
        "  one: {kind: ball, mass: 1 kg, start: {motion: sliding, velocity: {x: 1 m/s}}}\n"
        "  two: {kind: ball, mass: 2 kg, start: {motion: sliding, x: 0.4 m, y: 5 cm, velocity: "
        "{x: -0.5 m/s}}}\nfield: {gravity: 0 m/s^2}\nrun: {duration: 0.6 s}\n");
    advance(&run, 0.6);
    const char *const axes[] = {"one.velocity.x", "two.velocity.x", "one.velocity.y",
                                "two.velocity.y"};
    double v[4];
    for (int i = 0; i < 4; i++) v[i] = seen(&run, axes[i]);
    assert_close(v[0] + 2 * v[1], 0, 1e-9);
    assert_close(v[2] + 2 * v[3], 0, 1e-9);
    assert_true(v[0] < 0.5 && fabs(v[2]) > 0.05);
    close_run(&run);
}

// Goal: a ball rolls on. Method: it begins to roll and has no resistance: its velocity stays, and
// it turns by v/r about its axis, both within 0.1 %.
static void a_ball_rolls_on(void **state)
{
    (void)state;
    Run run;
    open_run(&run, "robots:\n" WATCHER
                   "  ball: {kind: ball, diameter: 0.2 m, rolling: 0, spinning: 0, start: "
                   "{heading: 40 deg, velocity: {x: 0.6 m/s, y: 0.8 m/s}}}\n"
                   "run: {duration: 0.5 s}\n");
    double sum = 0;
    advance(&run, 0.5);
    assert_close(seen(&run, "ball.velocity.x"), 0.6, 1e-3);
    assert_close(seen(&run, "ball.velocity.y"), 0.8, 1e-3);
    static const char *const rates[] = {"ball.rate.x", "ball.rate.y", "ball.rate.z"};
    for (int i = 0; i < 3; i++) sum += seen(&run, rates[i]) * seen(&run, rates[i]);
    assert_close(sqrt(sum), 10, 1e-2);
    close_run(&run);
}

// Goal: a share's energies are its own. Method: a puck that slides has m v^2/2, and m g z of its
// middle, whatever the others do.
static void energies_are_each_ones_own(void **state)
{
    (void)state;
    Run run;
    open_run(&run, "robots:\n" WATCHER
                   "  puck: {kind: disc, mass: 3 kg, mu: 0, start: {velocity: {x: 2 m/s, heading: "
                   "4 rad/s}}}\nrun: {duration: 0.1 s}\n");
    double kinetic = 0.5 * 3 * 4 + 0.5 * (0.5 * 3 * 0.01) * 16, z = 0.025;
    assert_close(seen(&run, "puck.energy.kinetic"), kinetic, 1e-12);
    assert_close(seen(&run, "puck.energy.potential"), 3 * 9.80665 * z, 1e-12);
    assert_close(seen(&run, "puck.centre.z"), z, 1e-12);
    close_run(&run);
}

// Goal: a loose body begins on the terrain at its place, and stays there. Method: a crate on a
// block of 5 cm, and one on the floor, each half of its height above that, to 1e-6 m of MuJoCo's
// search, and still there after 0.2 s, as far as contacts give way.
static void a_loose_body_begins_on_the_ground_at_its_place(void **state)
{
    (void)state;
    Run run;
    open_run(&run,
             "robots:\n  watcher: {" LEGS ", start: {x: -5 m}, terrain: {kind: block, x: 1 m, "
             "height: 5 cm}}\n  high: {kind: box, start: {x: 1.5 m}}\n  low: {kind: box, "
             "start: {x: 0.5 m}}\nrun: {duration: 0.2 s}\n");
    for (int k = 0; k < 2; k++) {
        assert_close(seen(&run, "high.pose.z"), 0.21, k ? 2e-5 : 1e-6);
        assert_close(seen(&run, "low.pose.z"), 0.16, k ? 2e-5 : 1e-6);
        advance(&run, 0.2);
    }
    close_run(&run);
}

// Goal: a loose body is drawn where it is, tilted as it is. Method: the frame of its look moves and
// turns by all six of its signals, and its crate is around that frame's origin.
static void a_loose_body_is_drawn_in_its_place(void **state)
{
    (void)state;
    static const char *const moves[] = {"crate.pose.x", "crate.pose.y", "crate.pose.z"};
    static const char *const turns[] = {"crate.pose.heading", "crate.pose.pitch",
                                        "crate.pose.roll"};
    Run run;
    open_run(&run, "robots:\n" WATCHER "  crate: {kind: box}\nrun: {duration: 10 ms}\n");
    ib_Arena arena = {0};
    const ib_Geometry *all = ib_model_geometry(run.scenario->model, &arena);
    int frames = 0, solids = 0;
    for (int i = 0; i < all->frame_count; i++) {
        const ib_FrameDef *frame = &all->frames[i];
        if (strcmp(frame->name, "crate.body") != 0) continue;
        frames++;
        for (int k = 0; k < 3; k++) assert_string_equal(frame->move[k], moves[k]);
        for (int k = 0; k < 3; k++) assert_string_equal(frame->turn[k], turns[k]);
    }
    for (int i = 0; i < all->solid_count; i++) {
        const ib_SolidDef *solid = &all->solids[i];
        if (!solid->frame || strcmp(solid->frame, "crate.body") != 0) continue;
        if (solids++ == 0) assert_close(solid->place[2], 0, 1e-15);
    }
    assert_int_equal(frames, 1);
    assert_int_equal(solids, 3);
    ib_arena_reset(&arena);
    close_run(&run);
}

// ----------------------------------------------------------------------------------- walls, others

// Goal: walls and obstacles of every form stop what meets them, at their faces. Method: pucks of
// radius 0.1 m slide into each; their middles never come nearer than the radius, 2 mm for a soft
// contact, and they do not go on. Over a low one a robot's body floats: nothing touches it.
static void walls_and_obstacles_stop_bodies(void **state)
{
    (void)state;
    static const struct {
        const char *field;
        double face; ///< its x at y = 0
    } rows[] = {
        {"walls: {length: 2 m, width: 20 m}, origin: [1 m, 10 m]", 1},
        {"elements: {e: {box: [1.5 m, 0 m], length: 1 m, width: 1 m}}", 1},
        {"elements: {e: {disc: [1.3 m, 0 m], radius: 0.3 m}}", 1},
        {"elements: {e: {box: [1.5 m, 0 m], length: 0.8 m, width: 0.8 m, radius: 0.1 m}}", 1},
        {"elements: {e: {polygon: [[1 m, -1 m], [2 m, 0 m], [1 m, 1 m]]}}", 1},
        {"elements: {e: {box: [1.5 m, 0 m], length: 1 m, width: 1 m, heading: 90 deg, height: 2 "
         "cm}}",
         1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[800];
        Run run;
        snprintf(text, sizeof text,
                 "robots:\n  watcher: {" LEGS ", start: {y: 5 m}}\n  puck: {kind: disc, mu: 0, "
                 "start: {x: 0.5 m, velocity: {x: 1 m/s}}}\nfield: {%s}\nrun: {duration: 0.6 s}\n",
                 rows[i].field);
        open_run(&run, "%s", text);
        double most = 0;
        for (int k = 1; k <= 60; k++) {
            advance(&run, 0.01 * k);
            most = fmax(most, seen(&run, "puck.pose.x"));
        }
        assert_true(most > rows[i].face - 0.102);
        assert_true(most < rows[i].face - 0.098);
        assert_true(seen(&run, "puck.velocity.x") < 0.2);
        close_run(&run);
    }
}

// Goal: a body on legs leans on a wall, and two robots on each other, with opposite forces. Method:
// robots on ice are pushed against a wall, where the body's round end stays at the face within
// 5 mm, and against another robot, which goes along.
static void legs_lean_on_walls_and_on_each_other(void **state)
{
    (void)state;
    Run run;
    open_run(&run,
             "robot: {" SLIPPERY
             "}\nfield: {elements: {e: {box: [1.6 m, 0 m], length: 1 m, width: 3 "
             "m}}}\ndisturbances: [{at: 0 s, for: 2 s, force: 40 N}]\nrun: {duration: 1 s}\n");
    advance(&run, 1);
    double reach = 0.375 + 0.047; // of the thorax, whose end is round
    assert_true(seen(&run, "pose.x") + reach < 1.1 + 5e-3);
    assert_true(seen(&run, "pose.x") > 0.1);
    close_run(&run);

    open_run(&run, "robots: {a: {" SLIPPERY "}, b: {" SLIPPERY ", start: {x: 1.5 m}}}\n"
                   "disturbances: [{at: 0 s, for: 2 s, force: 40 N, robot: a}]\n"
                   "run: {duration: 1 s}\n");
    advance(&run, 1);
    assert_true(seen(&run, "b.pose.x") > 1.55); // it was pushed
    assert_true(seen(&run, "a.pose.x") < seen(&run, "b.pose.x") - 0.5);
    close_run(&run);
}

// Goal: a start inside a wall, an obstacle or another robot is refused with what is inside of what.
// Method: the messages.
static void starts_inside_something_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } rows[] = {
        {"robot: {" LEGS "}\nfield: {elements: {post: {disc: [0.3 m, 0 m], radius: 5 cm}}}\n",
         "inside post"},
        {"robot: {" LEGS "}\nstart: {x: 1.7 m}\nfield: {walls: {length: 4 m, width: 4 m}, origin: "
         "[2 m, 2 m]}\n",
         "inside a wall of the field"},
        {"robots: {a: {" LEGS "}, crate: {kind: box}}\n", "crate begins with its body"},
        {"robots: {a: {" LEGS "}, b: {" LEGS ", start: {x: 0.2 m}}}\nfield: {elements: {post: "
         "{disc: [5 m, 0 m], radius: 5 cm}}}\n",
         "inside a"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        refuse_run(rows[i].words, "%srun: {duration: 10 ms}\n", rows[i].text);
}

// ----------------------------------------------------------------------------------- the machinery

// Goal: a run goes on from a restored state with the same bits, and a live parameter changes a
// member of a shared world. Method: 50 steps, the state kept; 50 more, twice; then the box's mass
// doubled: its force on the ground follows.
static void a_shared_world_is_restored_and_changed(void **state)
{
    (void)state;
    Run run;
    ib_Error error;
    open_run(&run, "robots:\n" WATCHER "  crate: {kind: box, mass: 2 kg, start: {velocity: {x: 1 "
                   "m/s}}}\nrun: {duration: 1 s}\n");
    const ib_Model *model = run.scenario->model;
    size_t bytes = (size_t)model->state_count * sizeof(double);
    double *kept = ib_arena_array(&run.scenario->yaml.arena, (size_t)model->state_count, 8);
    double *first = ib_arena_array(&run.scenario->yaml.arena, (size_t)model->state_count, 8);
    advance(&run, 0.05);
    memcpy(kept, ib_sim_state(run.sim), bytes);
    ib_Time then = ib_time_from_seconds(0.05);
    advance(&run, 0.1);
    memcpy(first, ib_sim_state(run.sim), bytes);
    ib_sim_restore(run.sim, then, 50, kept);
    seen(&run, "crate.pose.x"); // looking changes nothing
    advance(&run, 0.1);
    assert_memory_equal(first, ib_sim_state(run.sim), bytes);

    int count, mass = -1;
    ib_Arena arena = {0};
    const ib_LiveParam *params = ib_live_params(model, &arena, &count);
    for (int i = 0; i < count; i++)
        if (strcmp(params[i].path, "robots.crate.mass") == 0) mass = i;
    assert_true(mass >= 0);
    const ib_Setting heavier = {&params[mass], 4};
    ib_Variant *variant;
    assert_int_equal(ib_variant_create(model, &heavier, 1, &variant, &error), IB_OK);
    ib_sim_change(run.sim, variant->model);
    advance(&run, 0.3);
    assert_close(seen(&run, "crate.ground.force"), 4 * 9.80665, 0.05);
    close_run(&run);
    ib_variant_destroy(variant);
    ib_arena_reset(&arena);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_world_is_shared_where_something_can_be_touched),
        cmocka_unit_test(members_that_do_not_touch_move_as_if_alone),
        cmocka_unit_test(a_world_of_one_has_the_same_bits),
        cmocka_unit_test(the_order_of_robots_does_not_matter),
        cmocka_unit_test(a_pushed_box_slides_as_its_friction_says),
        cmocka_unit_test(momentum_is_kept_when_two_meet),
        cmocka_unit_test(a_ball_rolls_on),
        cmocka_unit_test(energies_are_each_ones_own),
        cmocka_unit_test(a_loose_body_begins_on_the_ground_at_its_place),
        cmocka_unit_test(a_loose_body_is_drawn_in_its_place),
        cmocka_unit_test(walls_and_obstacles_stop_bodies),
        cmocka_unit_test(legs_lean_on_walls_and_on_each_other),
        cmocka_unit_test(starts_inside_something_are_refused),
        cmocka_unit_test(a_shared_world_is_restored_and_changed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
