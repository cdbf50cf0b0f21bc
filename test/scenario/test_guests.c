// Robots on wheels, robots from files and moving elements of the field in the world of robots on
// legs and of bodies beside them: what they do to each other.
#include "folder.h"
#include "scenario/run_rig.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LEGS    "kind: quadruped, preset: light-quadruped, drive: servo, contact: {cone: elliptic}"
#define WATCHER "  watcher: {" LEGS ", start: {x: -5 m}}\n"
#define BALL    "kind: ball, mass: 2 kg, mu: 0, diameter: 30 cm"
#define CRATE   "kind: box, mass: 2 kg, mu: 0, length: 30 cm, width: 30 cm"
// A disc of 3 kg that is driven for half a second, to 0.8 m/s, and is at 0.2 m then.
#define BOT                                                                                        \
    "  bot: {kind: roomba, mass: 3 kg, drag: 0 N*s^2/m^2, side_drag: 0 N*s^2/m^2, inputs: {hold: " \
    "step, left: [[0 s, 2.4 "                                                                      \
    "N], [0.5 s, 0 N]], right: [[0 s, 2.4 N], [0.5 s, 0 N]]}}\n"
#define WEIGHTLESS "field: {gravity: 0 m/s^2}\n"

static const double bot_speed = 0.8, bot_mass = 3, ball_mass = 2, crate_mass = 2;

// A file of a box of 3 kg on a rail along x, beside a post that is fixed.
static void write_cart(void)
{
    write_file("cart.xml",
               "<mujoco><option timestep='0.001'/><worldbody><geom type='plane' size='5 5 .1'/>"
               "<body pos='0 0 0.35'><geom type='cylinder' size='0.1 0.35' pos='0.5 2 0'/></body>"
               "<body name='cart' pos='0 0 0.2'><joint name='rail' type='slide' axis='1 0 0'/>"
               "<inertial pos='0.05 0.02 0' mass='3' diaginertia='0.1 0.1 0.1'/>"
               "<geom type='box' size='0.1875 0.3 0.15'/></body></worldbody></mujoco>");
}

// -------------------------------------------------------------------------------- robots on wheels

// Goal: a robot on wheels and a loose body exchange momentum and lose none of it, and the robot
// shows the force that the body feels. Method: no weight; the sum of m v is what the drive gave to
// 1e-9 of MuJoCo's search for forces, and the sum of the shown forces over the steps is what either
// lost and won; the ball is faster then, by no more than the softness of MuJoCo's contacts gives
// back, a quarter.
static void momentum_is_kept_between_wheels_and_bodies(void **state)
{
    (void)state;
    Run run;
    double pushed = 0;
    open_run(&run,
             "robots:\n" WATCHER "  ball: {" BALL
             ", start: {motion: sliding, x: 0.6 m}}\n" BOT WEIGHTLESS "run: {duration: 1 s}\n");
    go(&run, 0.55);
    assert_close(see(&run, "bot.velocity.forward"), bot_speed, 1e-12);
    for (int k = 551; k <= 700; k++) {
        pushed += 1e-3 * see(&run, "bot.contact.legs.x");
        go(&run, 1e-3 * k);
    }
    double bot = see(&run, "bot.velocity.forward"), ball = see(&run, "ball.velocity.x");
    assert_close(bot_mass * bot + ball_mass * ball, bot_mass * bot_speed, 1e-9);
    assert_close(pushed, -ball_mass * ball, 1e-9);
    double common = bot_mass * bot_speed / (bot_mass + ball_mass);
    assert_true(ball > common && bot < common && ball - bot < 0.25 * bot_speed);
    assert_close(see(&run, "bot.contact.legs.x"), 0, 0);
    close_run(&run);
}

// Goal: a blow beside the middle turns both, and angular momentum is kept. Method: the crate is hit
// 0.1 m to the left of its middle by a disc, whose torque is that of friction alone: about the
// field's origin the sum of m (x v_y - y v_x) + I w is what it was, to 1 % of the crate's share, as
// the solver's way within a step is not MuJoCo's.
static void a_blow_beside_the_middle_turns_the_body(void **state)
{
    (void)state;
    Run run;
    open_run(&run, "robots:\n" WATCHER "  crate: {" CRATE
                   ", start: {x: 0.6 m, y: -0.1 m}}\n" BOT WEIGHTLESS "run: {duration: 1 s}\n");
    go(&run, 0.7);
    double I = crate_mass * (0.09 + 0.09) / 12, w = see(&run, "crate.velocity.heading");
    double x = see(&run, "crate.pose.x"), y = see(&run, "crate.pose.y");
    double vx = see(&run, "crate.velocity.x"), vy = see(&run, "crate.velocity.y");
    double crate = crate_mass * (x * vy - y * vx) + I * w;
    x = see(&run, "bot.pose.x"), y = see(&run, "bot.pose.y");
    vx = see(&run, "bot.velocity.x"), vy = see(&run, "bot.velocity.y");
    double disc = 0.5 * bot_mass * 0.165 * 0.165 * see(&run, "bot.velocity.heading");
    double bot = bot_mass * (x * vy - y * vx) + disc;
    assert_true(w < -0.5);
    assert_close(crate + bot, 0, 0.01 * fabs(I * w));
    close_run(&run);
}

// Goal: a blow wakes a robot on wheels that leans on a post at rest. Method: it leans there with
// 0.4 N and friction 0.1, and a ball of 2 kg comes along the face at 1 m/s: both go on, with at
// least half of the ball's momentum.
static void a_blow_wakes_a_robot_at_rest(void **state)
{
    (void)state;
    Run run;
    open_run(
        &run,
        "robots:\n" WATCHER "  ball: {" BALL ", start: {motion: sliding, y: 1 m, velocity: {y: "
        "-1 m/s}}}\n  bot: {kind: roomba, mass: 3 kg, drag: 1 N*s^2/m^2, side_drag: 0 "
        "N*s^2/m^2, inputs: {left: 0.2 N, right: 0.2 N}}\nfield: {elements: {post: {box: [0.27 "
        "m, 0 m], length: 0.2 m, width: 1 m, friction: 0.02, restitution: 0}}}\n"
        "run: {duration: 0.8 s}\n");
    go(&run, 0.6);
    assert_close(see(&run, "bot.contact.force.x"), -0.4, 1e-9);
    assert_close(see(&run, "bot.velocity.y"), 0, 0);
    go(&run, 0.8);
    assert_true(3 * see(&run, "bot.velocity.y") < -1);
    close_run(&run);
}

// Goal: a robot that rests against a wall without friction gives way to a push along it. Method: 3
// kg, held there for half a second by its own wheels, 3 N for 0.1 s along the wall: it goes 5 mm
// under the push and 10 cm/s from there.
static void a_push_along_a_wall_without_friction_moves_a_robot_at_rest(void **state)
{
    (void)state;
    Run run;
    open_run(
        &run,
        "robot: {kind: roomba, mass: 3 kg, drag: 1 N*s^2/m^2, side_drag: 0 N*s^2/m^2}\n"
        "inputs: {left: 0.2 N, right: 0.2 N}\nfield: {elements: {post: {box: [0.27 m, 0 m], "
        "length: 0.2 m, width: 1 m, friction: 0, restitution: 0}}}\ndisturbances: [{at: 0.6 s, "
        "for: 0.1 s, force: 3 N, direction: 90 deg}]\nrun: {duration: 1 s}\n");
    go(&run, 0.6);
    assert_close(see(&run, "contact.force.x"), -0.4, 1e-9);
    go(&run, 1);
    assert_close(see(&run, "pose.y"), 0.005 + 0.1 * 0.3, 1e-6);
    close_run(&run);
}

// Goal: a tank drives into a standing robot on legs, which holds it up or slides; its energy
// balance closes. Method: at 15 % of its voltage, by two methods, whose steps end where the other's
// do: it came 0.6 m/s fast, is slower than 0.1 m/s a second later, and its bumper is at the legs'
// front within 5 cm; the balance is off by less than 1e-3 of the 3 J that the legs took.
static void a_tank_is_held_up_by_legs(void **state)
{
    (void)state;
    static const char *const steps[] = {"1 ms", "0.25 ms"};
    static const double closes[] = {3e-3, 3e-5};
    for (int k = 0; k < 2; k++) {
        Run run;
        open_run(&run,
                 "robots:\n  legs: {" LEGS "}\n  tank: {file: robots/kitbot.yaml, start: {x: -1.5 "
                 "m}, inputs: {throttle: 0.15}}\nrun: {duration: 2 s, solver: rk4, step: %s}\n",
                 steps[k]);
        go(&run, 1);
        assert_true(see(&run, "tank.velocity.forward") > 0.6);
        go(&run, 2);
        assert_true(see(&run, "tank.velocity.forward") < 0.1);
        assert_close(see(&run, "legs.pose.x"), 0.02, 0.02);
        assert_close(see(&run, "tank.contact.legs.x"), -190, 20);
        assert_true(see(&run, "tank.energy.push") < -3);
        assert_close(see(&run, "tank.energy.error"), 0, closes[k]);
        close_run(&run);
    }
}

// --------------------------------------------------------------------------------- robots of files

// Goal: a body of a file is pushed and pushes back, as a loose one would. Method: a ball of 2 kg
// slides into a cart of 3 kg on a rail, whose centre of mass is not its origin: momentum along the
// rail is kept to 1e-8 of the search for forces, and both speeds are within 2 % of those of a ball
// that slides into a loose box of 3 kg, as its middle is not exactly at the ball's height.
static void a_body_of_a_file_is_pushed_as_a_loose_one(void **state)
{
    (void)state;
    static const char loose[] = "kind: box, mass: 3 kg, mu: 0, length: 37.5 cm, width: 60 cm";
    double speed[2][2];
    write_cart();
    for (int k = 0; k < 2; k++) {
        Run run;
        char text[900];
        FolderPath path = in_folder("cart.xml");
        snprintf(text, sizeof text,
                 "robots:\n" WATCHER "  ball: {" BALL ", start: {motion: sliding, x: -0.8 m, "
                 "velocity: {x: 1 m/s}}}\n  cart: {%s%s}\n" WEIGHTLESS "run: {duration: 0.7 s}\n",
                 k ? loose : "kind: mjcf, model: ", k ? "" : path.text);
        open_run(&run, "%s", text);
        go(&run, 0.7);
        speed[k][0] = see(&run, "ball.velocity.x");
        speed[k][1] = see(&run, k ? "cart.velocity.x" : "cart.joint.rail.velocity");
        assert_close(2 * speed[k][0] + 3 * speed[k][1], 2, 1e-8);
        close_run(&run);
    }
    for (int i = 0; i < 2; i++) assert_close(speed[0][i], speed[1][i], 0.02);
}

// Goal: what is fixed in a file stops bodies of others. Method: a puck slides into the post of a
// file, at its face, and does not go on.
static void a_fixed_part_of_a_file_stops_a_body(void **state)
{
    (void)state;
    Run run;
    write_cart();
    open_run(&run,
             "robots:\n" WATCHER "  puck: {kind: disc, mu: 0, start: {y: 2 m, velocity: {x: 1 "
             "m/s}}}\n  cart: {kind: mjcf, model: %s}\nrun: {duration: 0.6 s}\n",
             in_folder("cart.xml").text);
    go(&run, 0.3);
    assert_close(see(&run, "puck.pose.x"), 0.3, 2e-3);
    go(&run, 0.6);
    assert_true(see(&run, "puck.pose.x") < 0.302); // less its radius: the post's face at 0.4 m
    assert_true(see(&run, "puck.velocity.x") < 0.2);
    close_run(&run);
}

// ---------------------------------------------------------------------------------------- elements

// Goal: a moving element carries bodies and robots on legs along. Method: a gate goes 0.6 m at 0.3
// m/s, of every form; the crate's side stays at its face within 2 mm of a soft contact and a hop,
// and a standing robot is where its front meets the gate, within the radius of its round end.
static void a_gate_pushes_what_stands_in_its_way(void **state)
{
    (void)state;
    static const char *const forms[] = {"box: [0 m, 0 m], length: 0.2 m, width: 2 m",
                                        "disc: [0 m, 0 m], radius: 0.1 m",
                                        "polygon: [[-0.1 m, -1 m], [0.1 m, -1 m], [0 m, 1 m]]"};
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        Run run;
        bool slanted = i == 2;
        open_run(&run,
                 "robots:\n" WATCHER "  crate: {kind: box, mass: 2 kg, mu: 0.4, length: 30 cm, "
                 "width: 30 cm, start: {x: 0.35 m}}\nfield: {elements: {gate: {%s, move: {x: "
                 "[[0 s, 0 m], [2 s, 0.6 m]]}}}}\nrun: {duration: 1.6 s}\n",
                 forms[i]);
        for (int k = 1; k <= 3; k++) {
            go(&run, 0.5 * k);
            double face = 0.1 + 0.3 * 0.5 * k, side = see(&run, "crate.pose.x") - 0.15;
            assert_close(see(&run, "field.gate.x"), face - 0.1, 1e-12);
            if (!slanted) assert_close(side, fmax(face, 0.2), 2e-3);
            assert_true(!slanted || side > 0.15 * k - 0.05);
        }
        close_run(&run);
    }
    Run run;
    open_run(&run, "robot: {" LEGS "}\nfield: {elements: {gate: {box: [-1 m, 0 m], length: 0.2 m, "
                   "width: 2 m, move: {x: [[0 s, 0 m], [2 s, 0.8 m]]}}}}\nrun: {duration: 2 s}\n");
    go(&run, 2);
    double front = 0.375 + 0.047; // of the thorax, whose end is round
    assert_close(see(&run, "pose.x") - front, -0.1, 0.047);
    close_run(&run);
}

// ----------------------------------------------------------------------------------- the machinery

// Goal: who meets nobody is told to, and who starts inside another is refused or let through.
// Method: the number of guests' signals of a model, and the messages.
static void starts_are_refused_or_let_through(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool meets;
    } rows[] = {
        {"robots: {a: {" LEGS "}, t: {kind: roomba, start: {x: 2 m}, inputs: {source: viewer}}}\n",
         true},
        {"robots: {a: {" LEGS "}, t: {kind: roomba, inputs: {source: viewer}, diameter: 1.2 m}}\n",
         false},
        {"robots: {a: {" LEGS "}, t: {kind: roomba, start: {x: 2 m}, inputs: {source: "
         "viewer}}}\nfield: {contact: false}\n",
         false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        Run run;
        open_run(&run, "%srun: {duration: 10 ms}\n", rows[i].text);
        int at = ib_signals_find(&run.scenario->model->signals, "t.contact.legs.x");
        assert_int_equal(at >= 0, rows[i].meets);
        go(&run, 0.01);
        close_run(&run);
    }
    refuse_run("t begins with its outline",
               "robots: {a: {" LEGS "}, t: {kind: roomba, inputs: {source: viewer}, diameter: 1.2 "
               "m}}\nfield: {elements: {post: {disc: [5 m, 0 m], radius: 5 cm}}}\n"
               "run: {duration: 10 ms}\n");
    write_cart();
    refuse_run("c begins with its cart",
               "robots: {a: {" LEGS ", start: {x: -5 m}}, c: {kind: mjcf, model: %s}}\nfield: "
               "{elements: {post: {disc: [0.2 m, 0 m], radius: 5 cm}}}\nrun: {duration: 10 ms}\n",
               in_folder("cart.xml").text);
    refuse_run("crate begins with its body",
               "robots:\n" WATCHER "  crate: {" CRATE "}\nfield: {elements: {gate: {box: [0 m, 0 "
               "m], move: {x: [[0 s, 0 m], [2 s, 0.6 m]]}}}}\nrun: {duration: 10 ms}\n");
}

// Goal: a run with guests goes on from a restored state with the same bits, looked at or not.
// Method: a disc, a cart of a file and a gate are all in contact with crates; 60 steps on from
// there, twice, the second time from the state alone and with looks between.
static void a_run_with_guests_is_restored(void **state)
{
    (void)state;
    Run run;
    write_cart();
    open_run(&run,
             "robots:\n" WATCHER "  one: {" CRATE ", start: {x: 3.2 m}}\n  two: {" CRATE
             ", start: {x: -0.36 m, velocity: {x: 1 m/s}}}\n  bot: {kind: roomba, mass: 3 kg, "
             "start: {x: 2.88 m}, inputs: {left: 2 N, right: 1 N}}\n  cart: {kind: mjcf, model: "
             "%s}\nfield: {elements: {gate: {box: [3.5 m, 0 m], length: 0.2 m, width: 1 m, move: "
             "{x: [[0 s, 0 m], [1 s, -0.5 m]]}}}}\nrun: {duration: 0.2 s}\n",
             in_folder("cart.xml").text);
    const ib_Model *model = run.scenario->model;
    size_t count = (size_t)model->state_count;
    double *kept = ib_arena_array(&run.scenario->yaml.arena, count, sizeof *kept);
    double *first = ib_arena_array(&run.scenario->yaml.arena, count, sizeof *first);
    go(&run, 0.12);
    assert_true(see(&run, "cart.joint.rail.velocity") > 0.1);
    ib_Time then = ib_time_from_seconds(0.12);
    memcpy(kept, ib_sim_state(run.sim), count * sizeof *kept);
    go(&run, 0.18);
    memcpy(first, ib_sim_state(run.sim), count * sizeof *first);
    ib_sim_restore(run.sim, then, 120, kept);
    for (int k = 1; k <= 60; k++) go(&run, 0.12 + 1e-3 * k);
    assert_memory_equal(first, ib_sim_state(run.sim), count * sizeof *first);
    close_run(&run);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(momentum_is_kept_between_wheels_and_bodies),
        cmocka_unit_test(a_blow_beside_the_middle_turns_the_body),
        cmocka_unit_test(a_blow_wakes_a_robot_at_rest),
        cmocka_unit_test(a_push_along_a_wall_without_friction_moves_a_robot_at_rest),
        cmocka_unit_test(a_tank_is_held_up_by_legs),
        cmocka_unit_test_setup_teardown(a_body_of_a_file_is_pushed_as_a_loose_one, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(a_fixed_part_of_a_file_stops_a_body, make_folder,
                                        remove_folder),
        cmocka_unit_test(a_gate_pushes_what_stands_in_its_way),
        cmocka_unit_test_setup_teardown(starts_are_refused_or_let_through, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(a_run_with_guests_is_restored, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
