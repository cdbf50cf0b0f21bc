#!/usr/bin/env python3
"""Writes test/scenario/broken/: scenarios that must be refused, and where, and with which words.

Run it in its folder after changing a case; the files are kept beside it. In the texts an @ stands right
before the place at which the mistake must be reported and is taken out; without one the place is 1:1. The
first line of every file says what is expected: "# expect: LINE:COL words".
"""
import pathlib
import shutil

ROBOT = "robot: {kind: roomba}\n"
INPUTS = "inputs: {left: 1 N, right: 1 N}\n"
RUN = "run: {duration: 1 s}\n"
BASE = ROBOT + INPUTS + RUN

cases = []  # (name, bytes with @, words)


def add(name, text, words):
    cases.append((name, text if isinstance(text, bytes) else text.encode(), words))


def robot(rest):
    return INPUTS + RUN + "robot: {kind: roomba, " + rest + "}\n"


def left(value):
    return ROBOT + RUN + "inputs: {right: 1 N, left: " + value + "}\n"


# Every number of the robot and its start, wrong in every way.
numbers = {
    "mass": ("kg", "m", "0", "1e5"),
    "diameter": ("m", "kg", "0", "101"),
    "drag": ("N*s^2/m^2", "N*s/m", "-1", "1e7"),
    "side_drag": ("N*s^2/m^2", "N", "-1", "1e10"),
    "max_force": ("N", "N*m", "0", "1e7"),
}
starts = {
    "x": ("m", "s", "-2e6", "2e6"),
    "y": ("m", "kg", "-2e6", "2e6"),
    "heading": ("rad", "Hz", "-2e4", "2e4"),
    "velocity.x": ("m/s", "m", "-2e3", "2e3"),
    "velocity.y": ("m/s", "m/s^2", "-2e3", "2e3"),
    "velocity.heading": ("rad/s", "Hz", "-2e3", "2e3"),
}


def wrong_numbers(group, table, wrap):
    for key, (unit, other, low, high) in table.items():
        name = group + "_" + key.replace(".", "_") + "_"
        add(name + "bare", wrap(key, "@3"), "a unit is missing")
        add(name + "dimension", wrap(key, "@3 " + other), "expected")
        add(name + "low", wrap(key, "@%s %s" % (low, unit)), "out of range")
        add(name + "high", wrap(key, "@%s %s" % (high, unit)), "out of range")
        add(name + "nan", wrap(key, "@nan " + unit), "plain decimal")
        add(name + "hex", wrap(key, "@0x1F " + unit), "plain decimal")
        add(name + "list", wrap(key, "@[1 %s]" % unit), "got a list")
        add(name + "draw", wrap(key, "@{uniform: [%s %s, %s %s]}" % (high, unit, high, unit)), "out of range")


def in_start(key, value):
    parts = key.split(".")
    inner = parts[-1] + ": " + value
    for part in reversed(parts[:-1]):
        inner = part + ": {" + inner + "}"
    return BASE + "start: {" + inner + "}\n"


wrong_numbers("robot", numbers, lambda key, value: robot(key + ": " + value))
wrong_numbers("start", starts, in_start)

# Top level.
for key, near in [("titel", "title"), ("robto", "robot"), ("runn", "run"), ("expects", "expect"), ("recrod", "record"),
                  ("input", "inputs"), ("feild", "field"), ("disturbance", "disturbances"), ("Title", "title")]:
    add("key_" + key, BASE + "@" + key + ": x\n", "did you mean '%s'" % near)
add("key_far", BASE + "@wombat: 1\n", "unknown key; known here")
add("format_2", BASE + "format: @2\n", "expected 1")
add("format_text", BASE + "format: @one\n", "expected 1")
add("title_list", BASE + "title: @[a, b]\n", "expected a text")
add("missing_robot", INPUTS + RUN, "'robot' is missing")
add("missing_run", ROBOT + INPUTS, "'run' is missing")
add("missing_inputs", ROBOT + RUN, "'inputs.left' is missing")
add("missing_right", ROBOT + RUN + "@inputs: {left: 1 N}\n", "'right' is missing")
add("missing_left", ROBOT + RUN + "@inputs: {right: 1 N}\n", "'left' is missing")
add("missing_duration", ROBOT + INPUTS + "@run: {step: 1 ms}\n", "'duration' is missing")
add("missing_kind", INPUTS + RUN + "@robot: {mass: 3 kg}\n", "'kind' is missing")
add("both_robots", BASE + "@robots: {red: {kind: roomba, inputs: {left: 1 N, right: 1 N}}}\n", "both 'robot' and 'robots'")
add("list_root", "@- robot\n- run\n", "expected a map")
add("scalar_root", "@just some words\n", "expected a map")
add("field_key", BASE + "field: {@wind: 3 m/s}\n", "field.wind: unknown key")
add("field_gravity_bare", BASE + "field: {gravity: @9.81}\n", "a unit is missing")
add("field_gravity_down", BASE + "field: {gravity: @-9.81 m/s^2}\n", "out of range")


def field(value):
    return BASE + "field: " + value + "\n"


def element(value):
    return field("{elements: {post: " + value + "}}")


add("field_near", field("@frk"), "did you mean 'frc'?")
add("field_far", field("@wembley"), "there is no field 'wembley'; known: ")
add("field_preset", field("{preset: @obstacle-curse}"), "did you mean 'obstacle-course'?")
add("field_list", field("@[frc]"), "a field's name, or a map")
add("field_file_missing", field("{file: @nowhere.yaml}"), "cannot open")
add("field_restitution", field("{restitution: @1.5}"), "out of range")
add("field_contact", field("{contact: @maybe}"), "true or false")
add("field_origin_alone", field("{@origin: [1 m, 1 m]}"), "no meaning without walls")
add("field_origin_one", field("{walls: {length: 4 m, width: 4 m}, origin: @[1 m]}"), "expected two values")
add("walls_none", field("{@walls: {}}"), "expected length and width, both above 0 m, or a polygon")
add("walls_zero", field("{@walls: {length: 0 m, width: 3 m}}"), "both above 0 m")
add("walls_thin", field("{walls: @{length: 1e-7 m, width: 3 m}}"), "has no length")
add("walls_bare", field("{walls: {length: @4, width: 3 m}}"), "a unit is missing")
add("walls_both", field("{walls: {length: 4 m, width: 4 m, @polygon: [[0 m, 0 m], [1 m, 0 m], [1 m, 1 m]]}}"),
    "beside length and width")
add("walls_two_corners", field("{walls: {polygon: @[[0 m, 0 m], [1 m, 0 m]]}}"), "2 corners: expected 3 to 32")
add("walls_cross", field("{walls: {polygon: @[[-5 m, -5 m], [5 m, 5 m], [5 m, -5 m], [-5 m, 5 m]]}}"), "cross")
# A Roomba has a diameter of 0.34 m.
add("walls_around_robot", ROBOT + INPUTS + RUN + "field: {walls: {length: 4 m, width: 3 m}}\n@start: {x: 0.1 m, y: 1 m}\n",
    "the robot starts inside a wall of the field, 0.0")
add("walls_too_small", INPUTS + RUN + "field: {walls: {length: 20 cm, width: 20 cm}, origin: [10 cm, 10 cm]}\n@" + ROBOT,
    "starts inside a wall of the field")
add("robots_in_wall", RUN + "field: frc\nrobots:\n" + "".join(
    "  %s: {kind: roomba, inputs: {left: 1 N, right: 1 N}, %sstart: {x: %s, y: 2 m}}\n" % x
    for x in [("red", "", "1 m"), ("blue", "@", "16.4 m")]), "blue starts inside a wall of the field")
add("element_around_robot", BASE + "field: {elements: {post: {disc: [1 m, 1 m], radius: 10 cm}}}\n@start: {x: 1.2 m, y: 1 m}\n",
    "the robot starts inside post, 0.0")
add("elements_list", field("{elements: @[post]}"), "a map of elements, each by its name")
add("elements_many", field("{walls: {length: 99 m, width: 99 m}, elements: @{" + ", ".join(
    "e%d: {disc: [9 m, 9 m], radius: 1 cm}" % i for i in range(61)) + "}}"), "61 elements: expected at most 60 beside 4 walls")
add("element_name", field("{elements: {@Post: {disc: [3 m, 0 m], radius: 1 cm}}}"), "cannot name an element")
add("element_scalar", element("@here"), "a map such as {box:")
add("element_key", element("{disc: [3 m, 0 m], @raduis: 1 cm}"), "did you mean 'radius'")
add("element_formless", field("{elements: {@post: {length: 1 m}}}"), "expected one of box: [x, y], disc: [x, y] or polygon")
add("element_two_forms", element("{box: [3 m, 0 m], @disc: [3 m, 0 m]}"), "already 'box'")
add("element_one_value", element("{box: @[3 m]}"), "expected two values")
add("element_no_radius", element("@{disc: [3 m, 0 m]}"), "radius must be positive")
add("element_unit", element("{box: [3 m, @1 s]}"), "expected a length")
add("polygon_concave", element("{polygon: @[[3 m, 1 m], [5 m, 1 m], [4 m, 1.2 m], [4 m, 3 m]]}"), "not convex at (4 m, 3 m)")
add("polygon_line", element("{polygon: @[[3 m, 1 m], [4 m, 1 m], [5 m, 1 m]]}"), "one line")
add("polygon_twice", element("{polygon: @[[3 m, 1 m], [4 m, 1 m], [4 m, 2 m], [3 m, 1 m]]}"), "coincide")
add("polygon_many", element("{polygon: @[" + ", ".join("[%d m, %d m]" % (i, i * i) for i in range(9)) + "]}"), "9 corners")
add("move_key", element("{box: [3 m, 0 m], move: {@z: [[0 s, 1 m]]}}"), "known here: x, y, heading")
add("move_scalar", element("{box: [3 m, 0 m], move: @up}"), "a map such as {x:")
add("move_back", element("{box: [3 m, 0 m], move: {x: [[1 s, 1 m], [@0 s, 2 m]]}}"), "later than the one before")
add("move_unit", element("{box: [3 m, 0 m], move: {x: [[0 s, @1 rad]]}}"), "expected a length")
add("move_knot", element("{box: [3 m, 0 m], move: {heading: [@[0 s]]}}"), "a knot [time, value]")

# Robots.
add("kind_near", INPUTS + RUN + "robot: {kind: @rumba}\n", "did you mean 'roomba'")
add("kind_far", INPUTS + RUN + "robot: {kind: @zeppelin}\n", "there is no kind 'zeppelin'")
add("kind_list", INPUTS + RUN + "robot: {kind: @[roomba]}\n", "a kind of robot")
add("robot_scalar", INPUTS + RUN + "robot: @roomba\n", "expected a map")
add("robot_nothing", INPUTS + RUN + "@robot:\n", "got nothing")
add("robot_key", robot("@masss: 2.7 kg"), "did you mean 'mass'")
add("robot_key_far", robot("@colour: red"), "robot.colour: unknown key")
add("robot_start_inside", robot("@start: {x: 1 m}"), "belongs to the top level")
add("robot_choice", robot("equations: @correct"), "one of corrected, published")
add("robot_unit_unknown", robot("mass: @2.7 stones"), "stones")
add("robot_comma", robot('mass: @"2,7 kg"'), "comma")
add("robot_underscore", robot("mass: @1_000 kg"), "underscore")
add("robot_inf", robot("mass: @.inf kg"), "plain decimal")
add("robot_two_points", robot("mass: @1.2.3 kg"), "point")
add("robot_huge", robot("mass: @1e999 kg"), "mass")
add("robot_file_missing", INPUTS + RUN + "robot: {file: @nowhere.yaml}\n", "cannot open")
add("robot_file_folder", INPUTS + RUN + "robot: {file: @../broken}\n", "a folder")
add("robot_file_device", INPUTS + RUN + "robot: {file: @/dev/zero}\n", "not a plain file")
add("robot_file_itself", INPUTS + RUN + "@robot: {file: robot_file_itself.yaml}\n", "the robot's map itself")
add("robots_name", RUN + "robots: {@Red: {kind: roomba, inputs: {left: 1 N, right: 1 N}}}\n", "cannot name a robot")
add("robots_none", RUN + "robots: @{}\n", "0 robots")
add("robots_list", RUN + "robots: @[roomba]\n", "a map of robots")
add("robots_many", RUN + "robots: @{" + ", ".join("r%d: {kind: roomba}" % i for i in range(65)) + "}\n", "65 robots")
add("robots_inputs", RUN + "robots: {@red: {kind: roomba}}\n", "'left' is missing")
add("robots_start_outside", RUN + "robots: {red: {kind: roomba, inputs: {left: 1 N, right: 1 N}}}\n@start: {x: 1 m}\n",
    "each robot has its own 'start'")
add("start_scalar", BASE + "start: @here\n", "start: expected a map")
add("start_key", BASE + "start: {@z: 1 m}\n", "start.z: unknown key")
add("start_dotted", BASE + "start: {@velocity.x: 1 m/s}\n", "write velocity: {x:")
add("start_flat", BASE + "start: {velocity: @1 m/s}\n", "start.velocity: expected a map")

# Inputs.
add("input_bare", left("@1"), "a unit is missing")
add("input_dimension", left("@1 V"), "expected a force")
add("input_empty", left("@[]"), "an empty timeline")
add("input_flat", left("[@0 s, @1 N]"), "a knot [time, value]")
add("input_short_knot", left("[@[0 s]]"), "got a list of 1")
add("input_long_knot", left("[@[0 s, 1 N, 2 N]]"), "got a list of 3")
add("input_time_bare", left("[[@0, 1 N]]"), "a unit is missing")
add("input_time_negative", left("[[@-1 s, 1 N]]"), "out of range")
add("input_time_late", left("[[@1e8 s, 1 N]]"), "out of range")
add("input_time_equal", left("[[0 s, 1 N], [@0 s, 2 N]]"), "later than the one before")
add("input_time_back", left("[[0 s, 1 N], [2 s, 2 N], [@1 s, 2 N]]"), "later than the one before")
add("input_time_same_ns", left("[[1 s, 1 N], [@1.0000000001 s, 2 N]]"), "later than the one before")
add("input_swapped", left("[[@1 N, 0 s]]"), "expected a time")
add("input_map", left("@{0 s: 1 N}"), "expected a force, got a map")
add("input_source", ROBOT + RUN + "inputs: {source: @keyboard}\n", "one of script, viewer")
add("input_hold", ROBOT + RUN + "inputs: {left: 1 N, right: 1 N, hold: @cubic}\n", "one of step, linear")
add("input_key", ROBOT + RUN + "inputs: {left: 1 N, right: 1 N, @lefft: 1 N}\n", "did you mean 'left'")
add("input_environment", ROBOT + RUN + "inputs: {left: 1 N, right: 1 N, @push.x: 1 N}\n", "unknown key")
add("random_one", left("{uniform: @[1 N]}"), "got 1")
add("random_order", left("{uniform: [2 N, @1 N]}"), "below the lowest")
add("random_sd", left("{normal: [2 N, @-1 N]}"), "standard deviation")
add("random_unit", left("{uniform: [1 N, @2 m]}"), "expected a force")
add("random_law", left("@{poisson: [1 N, 2 N]}"), "uniform or normal")
add("random_two_laws", left("{uniform: [1 N, 2 N], @normal: [1 N, 2 N]}"), "one key")

# Control.
add("control_and_input", ROBOT + RUN + "inputs: {@left: 1 N}\ncontrol: {path: [line 1 m]}\n", "'control' sets this input")
add("control_no_path", ROBOT + RUN + "@control: {mode: inverse}\n", "'path' is missing")
add("control_text", ROBOT + RUN + "control: {path: @line 2 m}\n", "a list such as")
add("control_empty", ROBOT + RUN + "control: {path: @[]}\n", "1 to 64 elements")
add("control_long", ROBOT + RUN + "control: {path: @[" + ", ".join(["line 1 m"] * 65) + "]}\n", "1 to 64 elements")
add("control_element", ROBOT + RUN + "control: {path: [line 1 m, @square 1 m]}\n", "control.path.1")
add("control_bare", ROBOT + RUN + "control: {path: [@line 2]}\n", "unit")
add("control_side", ROBOT + RUN + "control: {path: [@circle 1 m up]}\n", "left")
add("control_negative", ROBOT + RUN + "control: {path: [@line -2 m]}\n", "control.path.0")
# Controllers. The designs are those of the repository.
BENCH = ("robot: {kind: motor_bench, inertia: 0.002 kg*m^2, sensors: {angle: {kind: encoder, signal: motor.angle, counts: 4096}}}\n" + RUN)
DESIGN = "design: ../../../designs/servo.yaml"
SHIFTER = "robot: {file: ../../../robots/shifter.yaml}\n" + RUN
DRIVE = "kind: drive, design: ../../../designs/drive.yaml"
add("loop_no_design", BENCH + "@control: {kind: feedback, sensors: [angle]}\n", "'design' is missing")
add("loop_design_gone", BENCH + "control: {design: @nowhere.json, sensors: [angle], inputs: [command]}\n", "nowhere.json")
add("loop_no_sensors", BENCH.replace("angle:", "shaft:") + "@control: {" + DESIGN + ", inputs: [command]}\n", "'sensors' is missing: expected a list of 1")
add("loop_sensors_many", BENCH + "control: {" + DESIGN + ", sensors: @[angle, speed], inputs: [command]}\n", "expected 1 names")
add("loop_sensor_unknown", BENCH + "control: {" + DESIGN + ", sensors: [@angel], inputs: [command]}\n", "no sensor 'angel'; did you mean 'angle'?")
add("loop_battery_unknown", SHIFTER + "control: {" + DRIVE + ", half_track: 12 in, sensors: [left, right, gyro], battery: @cell}\ninputs: {throttle: 0}\n", "no sensor 'cell'")
add("loop_input_unknown", BENCH + "control: @{" + DESIGN + ", sensors: [angle], inputs: [volts]}\n", "sets 'volts'")
add("loop_and_input", BENCH + "control: {" + DESIGN + ", sensors: [angle], inputs: [command]}\ninputs: {@command: 3 V}\n", "'control' sets this input")
add("loop_goal_unknown", BENCH + "control: {" + DESIGN + ", sensors: [angle], inputs: [command]}\ninputs: {goal: {@angel: 1}}\n", "did you mean 'angle'")
add("loop_kind", BENCH + "control: {kind: @magic, " + DESIGN + ", sensors: [angle], inputs: [command]}\n", "one of feedback, drive")
add("loop_no_velocities", BENCH + "control: {kind: drive, half_track: 1 m, design: @../../../designs/servo.yaml, sensors: [angle]}\n", "v_left")
add("loop_no_track", SHIFTER + "@control: {" + DRIVE + ", sensors: [left, right, gyro]}\ninputs: {throttle: 0}\n", "'half_track' is missing")
add("loop_no_throttle", SHIFTER + "control: {" + DRIVE + ", half_track: 12 in, sensors: [left, right, gyro]}\n", "'inputs.throttle' is missing")
add("loop_gear_unknown", SHIFTER + "control: {" + DRIVE + ", half_track: 12 in, sensors: [left, right, gyro], gears: [low, @top]}\n", "no gear 'top'")
add("loop_left", SHIFTER + "control: {" + DRIVE + ", half_track: 12 in, sensors: [left, right, gyro]}\ninputs: {throttle: 0, @left: 3 V}\n", "'control' sets this input")
add("loop_battery_unit", SHIFTER + "control: {" + DRIVE + ", half_track: 12 in, sensors: [left, right, gyro], battery: @gyro}\ninputs: {throttle: 0}\n", "'sensor.gyro' is in rad/s, but a voltage is in V")
add("loop_battery_two", SHIFTER + "control: {" + DRIVE + ", half_track: 12 in, sensors: [left, right, gyro], battery: @[battery, gyro]}\ninputs: {throttle: 0}\n", "expected one sensor, got 2")
add("path_battery_two", SHIFTER + "control: {path: [line 1 m], battery: @[battery, gyro]}\n", "expected one sensor, got 2")
add("path_battery_unit", SHIFTER + "control: {path: [line 1 m], battery: @gyro}\n", "'sensor.gyro' is in rad/s, but a voltage is in V")
add("path_battery_roomba", "robot: {kind: roomba, sensors: {battery: {signal: velocity.forward}}}\ncontrol: {path: [line 1 m], mode: follow, battery: @battery}\n" + RUN, "no shares of a voltage")
add("loop_sensor_unit", SHIFTER + "control: {" + DRIVE + ", half_track: 12 in, sensors: [@gyro, left, right]}\ninputs: {throttle: 0}\n", "'sensor.gyro' is in rad/s, but x_left is in m")
add("loop_wheel_radius", SHIFTER + "control: {" + DRIVE + ", half_track: 12 in, wheel_radius: 3 in, sensors: [@left, right, gyro]}\ninputs: {throttle: 0}\n", "is in m, but an angle (wheel_radius is given) is in rad")
add("loop_gears_idle", BENCH + "control: {" + DESIGN + ", sensors: [angle], inputs: [command], @gears: [a, b]}\n", "belongs to `kind: drive` only")
add("plugin_shut", BENCH + "control: {plugin: @./x.so}\n", "--allow-plugins")
add("plugin_key", BENCH + "control: {plugin: ./x.so, @speed: 3}\n", "unknown key")
add("plugin_period", BENCH + "control: {plugin: ./x.so, period: @0 s}\n", "1 us to 10 s")
add("control_mode", ROBOT + RUN + "control: {path: [line 2 m], mode: @magic}\n", "one of schedule, inverse")
add("control_end", ROBOT + RUN + "control: {path: [line 2 m], end: @never}\n", "one of stop, coast")
add("control_blend", ROBOT + RUN + "control: {path: [line 2 m], blend: @5}\n", "a unit is missing")
add("control_key", ROBOT + RUN + "control: {path: [line 2 m], @speed: 1 m/s}\n", "control.speed: unknown key")

# Sensors.
for name, value, words in [
        ("list", "@[gyro]", "a map of sensors"),
        ("name", "{@Gyro: {signal: pose.x}}", "cannot name a sensor"),
        ("scalar", "{gyro: @good}", "expected a map"),
        ("signal_missing", "{@compass: {noise: 1 deg}}", "'signal' is missing"),
        ("signal_near", "{compass: {signal: @pose.headng}}", "did you mean 'pose.heading'"),
        ("signal_far", "{compass: {signal: @magnetic.north}}", "has no signal"),
        ("noise_bare", "{gyro: {noise: @0.1}}", "a unit is missing"),
        ("noise_unit", "{gyro: {noise: @0.1 m/s}}", "expected an angular velocity"),
        ("noise_negative", "{gyro: {noise: @-1 rad/s}}", "out of range"),
        ("range_empty", "{gyro: {range: @[2 rad/s, 1 rad/s]}}", "the range is empty"),
        ("range_one", "{gyro: {range: @[1 rad/s]}}", "two values"),
        ("period_zero", "{gyro: {period: @0 s}}", "out of range"),
        ("period_short", "{gyro: {period: @1 ns}}", "1e-06 s to"),
        ("latency_part", "{gyro: {period: 2 ms, latency: @3 ms}}", "whole number of periods"),
        ("latency_long", "{gyro: {latency: @65 ms}}", "at most 64 periods"),
        ("key", "{gyro: {@drift: 1 rad/s}}", "robot.sensors.gyro.drift: unknown key"),
        ("kind", "{gyro: {kind: @giro, drift: 1 deg/s}}", "one of sampled, encoder, gyro, tap"),
        ("kind_map", "{gyro: {kind: @{gyro: 1}}}", "one of sampled, encoder, gyro, tap"),
        ("encoder_counts", "{@e: {kind: encoder, signal: wheel.left.speed}}", "'counts' is missing"),
        ("encoder_counts_part", "{e: {kind: encoder, signal: pose.heading, counts: @2.5}}", "a whole number"),
        ("encoder_counts_negative", "{e: {kind: encoder, signal: pose.heading, counts: @-4}}", "out of range"),
        ("encoder_twice", "{e: {kind: encoder, signal: pose.x, counts: 4, distance_per_count: @1 mm}}", "either counts"),
        ("encoder_radius", "{e: {kind: encoder, signal: wheel.left.speed, counts: @360}}", "need the radius"),
        ("encoder_radius_idle", "{e: {kind: encoder, signal: pose.x, distance_per_count: 1 mm, radius: @3 cm}}",
         "leave this key out"),
        ("encoder_distance", "{e: {kind: encoder, signal: pose.heading, distance_per_count: @1 mm}}", "needs the radius"),
        ("encoder_signal", "{e: {kind: encoder, signal: @power.drag, counts: 4}}", "expected a signal in rad, m, rad/s or m/s"),
        ("encoder_missed", "{e: {kind: encoder, signal: pose.heading, counts: 4, missed: @1.5}}", "out of range"),
        ("encoder_direction", "{e: {kind: encoder, signal: pose.heading, counts: 4, direction: @back}}",
         "one of forward, reverse"),
        ("encoder_velocity", "{e: {kind: encoder, signal: pose.heading, counts: 4, velocity: @1}}", "true or false"),
        ("encoder_noise", "{e: {kind: encoder, signal: pose.heading, counts: 4, @noise: 1 deg}}", "unknown key"),
        ("encoder_range", "{e: {kind: encoder, signal: pose.heading, counts: 4, @range: [0 deg, 1 deg]}}", "unknown key"),
        ("gyro_signal", "{gyro: {kind: gyro, signal: @velocity.x}}", "an angular velocity"),
        ("gyro_noise_twice", "{gyro: {kind: gyro, noise: 1 deg/s, noise_density: @1 deg/s}}", "given twice"),
        ("gyro_drift_bare", "{gyro: {kind: gyro, drift: @0.1}}", "a unit is missing"),
        ("gyro_drift_unit", "{gyro: {kind: gyro, drift: @1 deg}}", "expected an angular velocity"),
        ("gyro_drift_negative", "{gyro: {kind: gyro, drift: @-1 deg/s}}", "out of range"),
        ("tap_signal", "{@t: {kind: tap}}", "'signal' is missing"),
        ("tap_range", "{t: {kind: tap, signal: power.drag, bits: @10}}", "'range' is missing"),
        ("tap_range_unit", "{t: {kind: tap, signal: power.drag, bits: 10, range: [0 W, @5 V]}}", "expected a power"),
        ("tap_bits", "{t: {kind: tap, signal: power.drag, bits: @33, range: [0 W, 5 W]}}", "out of range"),
        ("tap_filter", "{t: {kind: tap, signal: power.drag, filter: @1 ohm}}", "expected a time"),
        ("tap_noise", "{t: {kind: tap, signal: power.drag, noise: @1 V}}", "expected a power")]:
    add("sensor_" + name, robot("sensors: " + value), words)

# Disturbances.
for name, value, words in [
        ("map", "@{force: 1 N}", "a list of disturbances"),
        ("scalar", "[@shove]", "expected a map"),
        ("nothing", "[@{at: 1 s}]", "what happens is missing"),
        ("two", "[{force: 1 N, @impulse: 1 N*s}]", "already 'force'"),
        ("bare", "[{force: @1}]", "a unit is missing"),
        ("impulse_unit", "[{impulse: @1 N}]", "expected"),
        ("tilt_steep", "[{tilt: @100 deg}]", "out of range"),
        ("at_negative", "[{at: @-1 s, force: 1 N}]", "out of range"),
        ("for_zero", "[{for: @0 s, force: 1 N}]", "out of range"),
        ("impulse_for", "[{impulse: 1 N*s, @for: 1 s}]", "has no meaning"),
        ("tilt_point", "[{tilt: 1 deg, @point: [0 m, 0 m]}]", "has no meaning"),
        ("scale_alone", "[@{scale: 0.5}]", "what happens is missing"),
        ("signal_alone", "[@{signal: force.side}]", "'scale' is missing"),
        ("signal_unscalable", "[{signal: @pose.x, scale: 2}]", "cannot be scaled"),
        ("signal_no_sensor", "[{signal: @sensor.gyro, scale: 2}]", "cannot be scaled"),
        ("point_one", "[{force: 1 N, point: @[0 m]}]", "two values"),
        ("point_bare", "[{force: 1 N, point: [@0, 1 m]}]", "a unit is missing"),
        ("robot_single", "[{force: 1 N, @robot: red}]", "the only robot has no name"),
        ("key", "[{force: 1 N, @angle: 90 deg}]", "disturbances.0.angle: unknown key")]:
    add("disturbance_" + name, BASE + "disturbances: " + value + "\n", words)

# Run.
for name, value, words in [
        ("scalar", "@5 s", "run: expected a map"),
        ("duration_bare", "{duration: @5}", "a unit is missing"),
        ("duration_zero", "{duration: @0 s}", "out of range"),
        ("duration_negative", "{duration: @-1 s}", "out of range"),
        ("duration_long", "{duration: @1.0001e7 s}", "out of range"),
        ("duration_length", "{duration: @5 m}", "expected a time"),
        ("duration_inf", "{duration: @inf s}", "plain decimal"),
        ("duration_draw", "{duration: @{uniform: [1 s, 2 s]}}", "a fixed value"),
        ("step_long", "{duration: 1 s, step: @2 s}", "at most the duration"),
        ("step_zero", "{duration: 1 s, step: @0 s}", "out of range"),
        ("step_tiny", "{duration: 1 s, step: @0.1 ns}", "out of range"),
        ("step_many", "{duration: 1e7 s, step: @1 us}", "at most 1e10"),
        ("step_negative", "{duration: 1 s, step: @-1000 us}", "got '-1000 us' (-0.001 s)"),
        ("max_step_bare", "{duration: 1 s, solver: dopri5, max_step: @1}", "a unit is missing"),
        ("solver", "{duration: 1 s, solver: @rk44}", "did you mean 'rk4'"),
        ("solver_far", "{duration: 1 s, solver: @magic}", "one of euler, rk4"),
        ("tolerance_large", "{duration: 1 s, tolerance: @1}", "out of range"),
        ("tolerance_small", "{duration: 1 s, tolerance: @1e-20}", "out of range"),
        ("tolerance_unit", "{duration: 1 s, tolerance: @1 m}", "run.tolerance"),
        ("seed_part", "{duration: 1 s, seed: @0.5}", "a whole number"),
        ("seed_negative", "{duration: 1 s, seed: @-1}", "out of range"),
        ("seed_large", "{duration: 1 s, seed: @1e17}", "out of range"),
        ("seed_inexact", "{duration: 1 s, seed: @9007199254740993}", "out of range"),
        ("seed_draw", "{duration: 1 s, seed: @{uniform: [1, 9]}}", "a fixed value"),
        ("seed_word", "{duration: 1 s, seed: @lucky}", "run.seed"),
        ("key", "{duration: 1 s, @setp: 1 ms}", "did you mean 'step'")]:
    add("run_" + name, ROBOT + INPUTS + "run: " + value + "\n", words)

# Record and expect.
for name, value, words in [
        ("every_zero", "record: {every: @0 s}", "out of range"),
        ("every_bare", "record: {every: @10}", "a unit is missing"),
        ("signals_text", "record: {signals: @pose.x}", "a list of patterns"),
        ("signals_empty", "record: {signals: @[]}", "an empty list"),
        ("signals_none", "record: {signals: [@engine.*]}", "matches no signal"),
        ("signals_near", "record: {signals: [pose.x, @pose.yy]}", "did you mean 'pose.y'"),
        ("key", "record: {@often: 10 ms}", "record.often: unknown key"),
        ("expect_text", "expect: @all is well", "a list of sentences"),
        ("expect_signal", 'expect: [@"always: pose.z > 1 m"]', "did you mean"),
        ("expect_unit", 'expect: [@"always: pose.x > 1 kg"]', "expected a length"),
        ("expect_bare", 'expect: [@"always: pose.x > 1"]', "a unit is missing"),
        ("expect_when", 'expect: [@"often: pose.x > 1 m"]', "often"),
        ("expect_time", 'expect: [@"at 2: pose.x > 1 m"]', "unit"),
        ("expect_late", 'expect: [@"at 9 s: pose.x > 1 m"]', "'at 9 s' is after the end of the run, 1 s"),
        ("expect_tolerance", 'expect: [@"at 1 s: pose.x = 1 m"]', "tolerance"),
        ("expect_no_sign", 'expect: [@"at 1 s: pose.x"]', "expectation"),
        ("expect_list", "expect: [@[always]]", "a sentence such as")]:
    add(("record_" if value.startswith("record") else "") + name, BASE + value + "\n", words)

# YAML itself.
add("yaml_empty", "", "empty")
add("yaml_spaces", "   \n\n", "empty")
add("yaml_duplicate", BASE + "@robot: {kind: roomba}\n", "duplicate key 'robot'")
add("yaml_duplicate_nested", robot("mass: 1 kg, @mass: 2 kg"), "duplicate key 'mass'")
add("yaml_anchor", INPUTS + RUN + "robot: @&r {kind: roomba}\n", "anchor")
add("yaml_alias", ROBOT + RUN + "inputs: {left: 1 N, right: @*left}\n", "alias")
add("yaml_tag", INPUTS + RUN + "robot: @!roomba {kind: roomba}\n", "tag")
add("yaml_tag_str", BASE + "title: @!!str x\n", "tag")
add("yaml_merge", INPUTS + RUN + "robot: {@<<: {kind: roomba}}\n", "merge key")
add("yaml_second", BASE + "@---\n" + BASE, "second document")
add("yaml_second_unmarked", BASE + "...\n# the end\n@title: x\n", "second document")
add("yaml_duplicate_hides", ROBOT + "inputs: {left: 1 N, left: 2 N, right: @1}\n" + RUN, "a unit is missing")
add("yaml_anchor_hides", "robot: &r {kind: roomba, mass: @3}\n" + INPUTS + RUN, "a unit is missing")
add("yaml_alias_hides", ROBOT + "inputs: {left: *x, right: @1}\n" + RUN, "a unit is missing")
add("kind_hides_start", INPUTS + RUN + "robot: {kind: rumba}\nstart: {x: @1}\n", "a unit is missing")
add("kind_hides_path", RUN + "robot: {kind: rumba}\ncontrol: {path: [@line 2]}\n", "control.path.0")
add("kind_hides_expect", INPUTS + RUN + 'robot: {kind: rumba}\nexpect: [@"often: x > 1 m"]\n', "says no time")
add("file_hides_times", RUN + "robot: {file: none.yaml}\ninputs: {left: [[1 s, 1 N], [@1 s, 2 N]]}\n", "later than")


# A tank robot: presets, tables, names, words, two ways to drive.
def tank(rest, inputs="left: 1 V, right: 1 V"):
    return RUN + "robot: {kind: tank" + (", " + rest if rest else "") + "}\ninputs: {" + inputs + "}\n"


add("tank_motor_near", tank("drive: {motor: @cimm}"), "there is no motor 'cimm' in data/motors.yaml; did you mean 'cim'?")
add("tank_motor_far", tank("drive: {motor: @hamsterwheel}"), "in data/motors.yaml; known: ")
add("tank_motor_off", tank("drive: {motor: @off}"), "cannot be off")
add("tank_motor_list", tank("drive: {motor: @[cim, neo]}"), "got a list")
add("tank_motor_key", tank("drive: {motor: {preset: cim, @stall_torqe: 2 N*m}}"), "did you mean 'stall_torque'")
add("tank_motor_unit", tank("drive: {motor: {preset: cim, free_speed: @90 Hz}}"), "rpm")
add("tank_motor_preset", tank("drive: {motor: {preset: @nobody}}"), "there is no motor 'nobody'")
add("tank_mass_zero", tank("mass: @0 kg"), "out of range")
add("tank_resistance", tank("battery: {resistance: @-1 mohm}"), "out of range")
add("tank_reduction", tank("drive: {reduction: @0}"), "out of range")
add("tank_limit_word", tank("drive: {current_limit: @none}"), "or off")
add("tank_breaker_near", tank("breaker: @cb185"), "there is no breaker 'cb185'")
add("tank_breaker_row", tank("breaker: {trip: [[120 A, 100 s], @[240 A]]}"), "expected a row [x, y], got a list of 1")
add("tank_breaker_back", tank("breaker: {trip: [[240 A, 100 s], [@120 A, 9 s]]}"), "expected more than the row before it")
add("tank_breaker_cell", tank("breaker: {trip: [[120 A, 100 s], [240 A, @9 A]]}"), "expected a time")
add("tank_breaker_short", tank("breaker: {trip: @[[120 A, 100 s]]}"), "2 to 32 of them, got 1")
add("tank_switch_order", tank("air: {switch: [115 psig, @95 psig]}"), "expected more than the value before it")
add("tank_switch_psi", tank("air: {switch: [@95 psi, 115 psig]}"), "gauge or absolute")
add("tank_switch_one", tank("air: {switch: @[95 psig]}"), "got a list of 1")
add("tank_cylinder_name", tank("air: {cylinders: {@Arm: {bore: 2 cm}}}"), "'Arm' cannot name a cylinder")
add("tank_cylinder_key", tank("air: {cylinders: {arm: {@boer: 2 cm}}}"), "did you mean 'bore'")
add("tank_cylinder_many", tank("air: {cylinders: @{" + ", ".join("c%d: {}" % i for i in range(40)) + "}}"), "got 40")
add("tank_inputs_missing", RUN + "robot: {kind: tank}\n@inputs: {}\n", "'left' is missing: expected a voltage")
add("tank_inputs_half", RUN + "robot: {kind: tank}\n@inputs: {left: 1 V}\n", "'right' is missing")
add("tank_inputs_both", tank("", "left: 1 V, right: 1 V, @throttle: 1"), "'left' is given already")
add("tank_compressor_word", tank("air: {}", "left: 1 V, right: 1 V, compressor: @atuo"), "did you mean 'auto'")
add("tank_solenoid", tank("air: {cylinders: {arm: {}}}", "left: 1 V, right: 1 V, solenoid: {@arn: on}"), "did you mean 'arm'")
add("tank_solenoid_flat", tank("air: {cylinders: {arm: {}}}", "left: 1 V, right: 1 V, @solenoid.arm: on"),
    "write solenoid: {arm:")
add("tank_check_value", tank("brownout: {off: @1 V}"), "robot.brownout.off: must be above blackout")
add("tank_check_preset", tank("@brownout: {preset: roborio1, blackout: 7 V}"), "robot.brownout: brownout.reboot: must be above blackout")
add("yaml_tab", "robot:\n@\tkind: roomba\n" + INPUTS + RUN, "tab")
add("yaml_unclosed_map", INPUTS + RUN + "robot: {kind: roomba\n@", "not YAML")
add("yaml_unclosed_list", ROBOT + RUN + "inputs: {left: [[0 s, 1 N], right: 1 N@}\n", "begins at 4:34")
add("yaml_unclosed_quote", BASE + 'title: "@no end\n', "not YAML")
add("yaml_two_colons", BASE + "title: a@: b\n", "not YAML")
add("yaml_at_sign", BASE + "title: @" + "\\x40" + "home\n", "not YAML")
add("yaml_backtick", BASE + "title: @`x`\n", "not YAML")
add("yaml_list_in_map", BASE + "@- item\n", "not YAML")
add("yaml_bad_escape", BASE + 'title: "@\\q"\n', "not YAML")
add("yaml_list_key", BASE + "@[a, b]: c\n", "as a key")
add("yaml_map_key", BASE + "? @{a: b}\n: c\n", "as a key")
add("yaml_empty_key", BASE + '@"": c\n', "empty key")
add("bytes_nul", (BASE + "title: a@").encode() + b"\0b\n", "0x00")
add("bytes_latin1", (BASE + "title: caf@").encode() + b"\xe9\n", "not UTF-8")
add("bytes_overlong", (BASE + "title: @").encode() + b"\xc0\xaf\n", "not UTF-8")
add("bytes_surrogate", (BASE + "title: @").encode() + b"\xed\xa0\x80\n", "not UTF-8")
add("bytes_cut", (BASE + "title: @").encode() + b"\xe2\x82", "not UTF-8")
add("bytes_escape", (BASE + "title: @").encode() + b"\x1b[2J\n", "control character")
add("bytes_utf16", b"@\xff\xfe" + "robot: 1\n".encode("utf-16-le"), "not UTF-8")
add("bytes_random", b"@" + bytes((i * 167 + 129) % 256 for i in range(2000)), "not UTF-8")
add("bomb_lists", "[" * 64 + "@" + "[" * 5000, "64 maps and lists")
add("bomb_maps", "{a: " * 64 + "@" + "{a: " * 5000, "64 maps and lists")
add("bomb_dashes", "- " * 64 + "@" + "- " * 5000 + "x\n", "64 maps and lists")
add("bomb_nodes", "[" + "x," * 99999 + "@x," + "x," * 1000 + "]\n", "100000 keys and values")
add("bomb_keys", "".join("k%d: 1\n" % i for i in range(1000)) + "@k1000: 1\n", "1000 keys")
add("bomb_value", "title: @" + "x" * 65537 + "\n", "64 KiB")
add("bomb_size", "#" * 64 + "\n" + ("#" * 63 + "\n") * 16384, "1 MiB")
add("bomb_aliases", "a: @&a [x, x, x]\n" + "".join(
    "%s: &%s [*%s, *%s, *%s]\n" % (b, b, a, a, a) for a, b in zip("abcdefgh", "bcdefghi")), "anchor")


def build(text, words):
    mark = text.find(b"@")
    line, column = 1, 1
    if mark >= 0:
        before = text[:mark]
        line = before.count(b"\n") + 2
        column = len(before[before.rfind(b"\n") + 1:]) + 1
    body = text.replace(b"@", b"").replace(b"\\x40", b"@")
    place = "%d:%d" % (line, column)
    return ("# expect: %s %s\n" % (place, words)).encode() + body


def main():
    folder = pathlib.Path(__file__).resolve().parent / "broken"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    names = set()
    for name, text, words in cases:
        assert name not in names, name
        names.add(name)
        (folder / (name + ".yaml")).write_bytes(build(text, words))
    print(len(cases), "broken scenarios")


main()
