#include "key_hosts.h"

#include "control/controller.h"
#include "plant/mechanism/mechanism.h"
#include "robot/equipment.h"
#include "robot/kind.h"
#include "scenario/schemas.h"
#include "sensor/sensor.h"
#include "world/terrain.h"

#include <string.h>

// Twenty milliseconds, in which everything moves.
#define RUN "\nrun: {duration: 20 ms}\n"

// A robot of each kind at work, and its start.
#define ROBOT(kind, text)                                                                          \
    {"robot", kind, "robot.", NULL, text RUN},                                                     \
    {                                                                                              \
        "start", kind, "start.", NULL, text RUN                                                    \
    }

// A mechanism on a bench, driven by motors; and at the desk.
#define MECHANISM(kind, keys, input)                                                               \
    {"plant", kind, "robot.mechanisms.m.", NULL,                                                   \
     "robot: {kind: bench, battery: es17-12-match, mechanisms: {m: {kind: " kind keys "}}}\n"      \
     "inputs: {" input "}" RUN},                                                                   \
        {"plant_start", kind, "start.m.", NULL,                                                    \
         "robot: {kind: bench, mechanisms: {m: {kind: " kind keys "}}}\n"                          \
         "inputs: {" input "}" RUN},                                                               \
    {                                                                                              \
        "desk", kind, "plant.", NULL, "plant: {kind: " kind "}\nperiod: 5 ms\n"                    \
    }

#define CYLINDER(keys)                                                                             \
    "robot: {kind: bench, air: frc-charged, mechanisms: {m: {kind: " keys "}}}\n"                  \
    "inputs: {m: on}" RUN

// The rig's cylinder beside an arm on the battery.
#define RAM                                                                                        \
    "robot: {kind: bench, mechanisms: {m: {kind: cylinder}, arm: {kind: single_arm}}}\n"           \
    "inputs: {m.valve: 6 V, arm: 6 V}" RUN

// Motors on a joint of a file.
#define MOTORS                                                                                     \
    "robot: {kind: mjcf, model: ../robots/two_link_arm.urdf, battery: es17-12-match, motors: "     \
    "{shoulder: {reduction: 80}}}\ninputs: {motor.shoulder: 6 V}" RUN

#define LAB                                                                                        \
    "robot: {file: ../robots/cylinder_lab.yaml}\n"                                                 \
    "start: {position: 10 mm, cap: {pressure: 250 kPa}, rod: {pressure: 275 kPa}}\n"               \
    "inputs: {valve.goal: [[0 s, 10 mm], [5 ms, 30 mm]]}" RUN

#define TANK(sensor)                                                                               \
    "robot: {file: ../robots/kitbot.yaml, sensors: {s: {" sensor ", period: 1 ms}}}\n"             \
    "inputs: {left: 8 V, right: 4 V}" RUN

#define STEP(name, keys)                                                                           \
    {                                                                                              \
        "step", name, "control.routine.0." name ".", NULL,                                         \
            "robot: {kind: tank, sensors: {gyro: {kind: gyro, period: 5 ms}}}\n"                   \
            "control: {routine: [{" name ": {" keys "}}]}" RUN                                     \
    }

// Something on the ground beside a robot on legs.
#define GROUND(kind)                                                                               \
    "robot: {kind: quadruped, preset: light-quadruped, drive: servo, terrain: {x: 5 m, "           \
    "kind: " kind "}}" RUN

#define SCENE                                                                                      \
    "robot: {kind: roomba, sensors: {s: {signal: pose.x}}}\n"                                      \
    "start: {x: 0.5 m, y: 0.5 m, velocity: {x: 1 m/s}}\n"                                          \
    "inputs: {left: {wave: sine, amplitude: 2 N, frequency: 50 Hz}, right: {repeat: {every: 20 "   \
    "ms, "                                                                                         \
    "times: 3, timeline: [[0 s, 1 N], [5 ms, 2 N]]}}}\n"                                           \
    "field: {walls: {length: 1.4 m, width: 1.4 m}, elements: {post: {disc: [0.9 m, 0.7 m], "       \
    "radius: 10 cm}}, zones: {z: {box: [0.7 m, 0.7 m]}}, starts: {a: {x: 0.5 m}}}\n"               \
    "disturbances: [{force: 1 N}, {impulse: 0.1 N*s}, {tilt: 5 deg}]" RUN

const KeyHost key_hosts[] = {
    ROBOT("roomba", "robot: {kind: roomba}\ninputs: {left: 2 N, right: 1 N}"),
    ROBOT("tank", "robot: {kind: tank, battery: es17-12-match}\ninputs: {left: 9 V, right: 6 V}"),
    ROBOT("holonomic", "robot: {kind: holonomic, preset: x-drive}\n"
                       "inputs: {stick.x: 0.5, stick.y: 0.7, turn: 0.2}"),
    ROBOT("swerve", "robot: {kind: swerve, battery: es17-12-match}\n"
                    "inputs: {module.1.drive: 0.5, module.2.steer: 3 V}"),
    {"wheel", "", "robot.wheels.at.1.", NULL,
     "robot: {kind: holonomic, preset: x-drive}\ninputs: {stick.y: 0.7}" RUN},
    ROBOT("box", "robot: {kind: box}\nstart: {velocity: {x: 1 m/s, heading: 1 rad/s}}"),
    ROBOT("disc", "robot: {kind: disc}\nstart: {velocity: {x: 1 m/s, heading: 1 rad/s}}"),
    ROBOT("ball", "robot: {kind: ball}"),
    ROBOT("bench", "robot: {kind: bench, battery: es17-12-match, air: frc-charged, mechanisms: "
                   "{m: {kind: elevator}}}\ninputs: {m: 6 V}"),
    {"cylinder", "", "robot.air.cylinders.c.", NULL,
     "robot: {kind: bench, air: {preset: frc-charged, cylinders: {c: {}}}}\n"
     "inputs: {solenoid.c: on}" RUN},
    ROBOT("motor_bench", "robot: {kind: motor_bench}\ninputs: {command: 6 V, brake: 0.1 N*m}"),
    ROBOT("cylinder_rig", "robot: {kind: cylinder_rig}\ninputs: {valve: 6 V}"),
    ROBOT("quadruped", "robot: {kind: quadruped, preset: light-quadruped}"),
    ROBOT("mjcf", "robot: {kind: mjcf, model: ../robots/two_link_arm.urdf}\n"
                  "start: {joints: {shoulder: {angle: -60 deg}}}"),
    {"joint", "", "start.joints.shoulder.", NULL,
     "robot: {kind: mjcf, model: ../robots/two_link_arm.urdf}\n"
     "start: {joints: {shoulder: {angle: -60 deg}}}" RUN},
    {"motor", "", "robot.motors.shoulder.", NULL, MOTORS},
    {"robot", "mjcf", "robot.", NULL, MOTORS},

    MECHANISM("elevator", ", travel: [0 m, 1 m]", "m: 6 V"),
    MECHANISM("flywheel", "", "m: 6 V"),
    MECHANISM("single_arm", ", travel: [-60 deg, 60 deg]", "m: 6 V"),
    MECHANISM("arm", "", "m.volts1: 6 V, m.volts2: 6 V"),
    MECHANISM("turret", ", travel: [-60 deg, 60 deg]", "m: 6 V"),
    MECHANISM("lift", ", travel: [0 m, 1 m]", "m.left: 6 V, m.right: 6 V"),
    MECHANISM("two_mass", ", travel: [-1 m, 1 m]", "m: 6 V"),
    MECHANISM("shooter", "", "m: 6 V, m.ball: on"),
    MECHANISM("roller", "", "m: 6 V"),
    {"plant", "cylinder", "robot.mechanisms.m.", NULL, RAM},
    {"plant_start", "cylinder", "start.m.", NULL, RAM},
    {"desk", "drivetrain", "plant.", NULL, "plant: {kind: drivetrain}\nperiod: 5 ms\n"},
    {"plant", "elevator", "robot.mechanisms.m.", NULL,
     CYLINDER("elevator, cylinder: {bore: 1 in, stroke: 20 cm}")},
    {"plant", "single_arm", "robot.mechanisms.m.", NULL,
     CYLINDER("single_arm, cylinder: {bore: 1 in, stroke: 10 cm}")},

    {"sensor", "sampled", "robot.sensors.s.", "m", TANK("kind: sampled, signal: pose.x")},
    {"sensor", "encoder", "robot.sensors.s.", "rad",
     TANK("kind: encoder, signal: wheel.left.speed, counts: 1440")},
    {"sensor", "gyro", "robot.sensors.s.", "rad/s", TANK("kind: gyro")},
    {"sensor", "analog_gyro", "robot.sensors.s.", "rad/s", TANK("kind: analog_gyro")},
    {"sensor", "tap", "robot.sensors.s.", "V",
     TANK("kind: tap, signal: battery.voltage, range: [0 V, 16 V]")},
    {"sensor", "transducer", "robot.sensors.s.", "V",
     TANK("kind: transducer, signal: battery.voltage, range: [0 V, 16 V]")},
    {"sensor", "imu", "robot.sensors.s.", "rad",
     "robot: {kind: quadruped, preset: light-quadruped, drive: servo, sensors: {s: {kind: "
     "imu}}}" RUN},
    {"sensor", "switch", "robot.sensors.s.", "V",
     TANK("kind: switch, signal: battery.voltage, on: 12 V, off: 11 V")},

    {"controller", "feedback", "control.", "rad V",
     "robot: {kind: motor_bench, motor: cim-robosim, inertia: 0.002 kg*m^2, sensors: {angle: "
     "{kind: encoder, signal: motor.angle, counts: 4096, period: 5 ms}}}\ncontrol: {design: "
     "../designs/servo.yaml, sensors: [angle], inputs: [command]}\ninputs: {goal: {angle: 1 "
     "rad}}" RUN},
    {"controller", "drive", "control.", "m V",
     "robot: {file: ../robots/shifter.yaml}\ncontrol: {kind: drive, design: ../designs/drive.yaml, "
     "sensors: [left, right, gyro], battery: battery, half_track: 12 in, radius: 0.8 m}\n"
     "inputs: {throttle: 0.5, turn: 0.4, gear: first}" RUN},
    {"controller", "pid", "control.", "m 1",
     "robot: {kind: tank}\ncontrol: {kind: pid, sensors: pose.x, inputs: throttle, kp: 0.5 1/m, "
     "period: 1 ms}\ninputs: {goal: 1 m, turn: 0}" RUN},
    {"controller", "profiled", "control.turn.", "rad 1",
     "robot: {kind: tank}\ncontrol: {turn: {kind: profiled, sensors: pose.heading, inputs: turn, "
     "kp: 10 1/rad, velocity: 22 deg/s, acceleration: 40 deg/s^2}}\ninputs: {throttle: 0, "
     "turn.goal: 1 rad}" RUN},
    {"controller", "pva", "control.valve.", "m V",
     "control: {valve: {kind: pva, sensors: place, inputs: valve, period: 1 ms, kp: 250 V/m, "
     "pressures: [cap, rod]}}\n" LAB},
    {"controller", "sliding_mode", "control.valve.", "m V",
     "control: {valve: {kind: sliding_mode, sensors: place, inputs: valve, period: 1 ms, "
     "frequency: 140 rad/s, gain: 1.5 V, layer: 5 mm}}\n" LAB},
    {"controller", "impedance", "control.valve.", "m V",
     "control: {valve: {kind: impedance, sensors: place, inputs: valve, period: 1 ms, pressures: "
     "[cap, rod], area: {cap: 5.6e-4 m^2, rod: 4.9e-4 m^2}, stiffness: 16 N/mm, damping: 100 "
     "N*s/m, gain: 0.015 V/N, flow: 3 V*s/m}}\n" LAB},
    {"controller", "legs", "control.legs.", "rad V",
     "robot: {kind: quadruped, preset: light-quadruped}\ncontrol: {legs: {kind: legs, mode: "
     "stand}}" RUN},
    {"controller", "walk", "control.legs.", "rad V",
     "robot: {kind: quadruped, preset: light-quadruped}\ncontrol: {legs: {kind: walk}}" RUN},
    {"controller", "path", "control.", "m V",
     "robot: {file: ../robots/kitbot.yaml}\ncontrol: {path: [line 2 m, circle 1 m left], speed: "
     "1 m/s}" RUN},
    {"controller", "arm_path", "control.arm.", "rad V",
     "robot: {kind: bench, mechanisms: {arm: {kind: arm}}}\ncontrol: {arm: {kind: arm_path, plan: "
     "../plans/arm_goals.yaml}}\ninputs: {arm.goal: shelf}" RUN},
    {"controller", "arm_mpc", "control.arm.", "rad V",
     "robot: {kind: bench, mechanisms: {arm: {kind: arm}}}\ncontrol: {arm: {kind: arm_mpc, plan: "
     "../plans/arm_path_a.yaml}}\ninputs: {arm.goal: end}" RUN},
    {"controller", "field_oriented", "control.", "rad 1",
     "robot: {kind: holonomic, preset: x-drive, sensors: {gyro: {kind: gyro, period: 5 ms}}}\n"
     "control: {kind: field_oriented, sensors: gyro, period: 5 ms}\ninputs: {field_oriented: on, "
     "stick.y: 0.4}" RUN},
    {"controller", "odometry", "control.odometry.", "m V",
     "robot: {kind: tank}\ncontrol: {odometry: {kind: odometry, sensors: [wheel.left.speed, "
     "wheel.right.speed, velocity.heading], period: 5 ms}}\ninputs: {throttle: 1}" RUN},
    {"controller", "heading", "control.h.", "rad V",
     "robot: {kind: tank, sensors: {gyro: {kind: gyro, period: 5 ms}}}\n"
     "control: {h: {kind: heading, sensors: gyro, period: 5 ms}}\ninputs: {left: 9 V, right: 1 "
     "V}" RUN},
    {"controller", "routine", "control.", "m V",
     "robot: {kind: tank, sensors: {gyro: {kind: gyro, period: 5 ms}}}\ncontrol: {routine: "
     "[{drive: {forward: 1 m}}]}" RUN},
    {"controller", "driver", "control.", "m V",
     "robot: {kind: holonomic, preset: x-drive}\ncontrol: {kind: driver, path: [[1 m, 1 m], [2 m, "
     "1 m, 0 deg]], sensors: [pose.x, pose.y, pose.heading], period: 20 ms, speed: 0.4 m/s}" RUN},
    STEP("drive", "forward: 1 m"),
    STEP("turn", "by: 90 deg"),
    STEP("follow", "path: [line 1 m]"),
    STEP("hold", "for: 1 s"),

    {"terrain", "ramp", "robot.terrain.", NULL, GROUND("ramp")},
    {"terrain", "steps", "robot.terrain.", NULL, GROUND("steps")},
    {"terrain", "block", "robot.terrain.", NULL, GROUND("block")},
    {"terrain", "hills", "robot.terrain.", NULL, GROUND("hills, rows: 3, columns: 3")},

    {"scene", "run", "run.", NULL, SCENE},
    {"scene", "record", "record.", NULL, SCENE},
    {"scene", "field", "field.", NULL, SCENE},
    {"scene", "zone", "field.zones.z.", NULL, SCENE},
    {"scene", "start", "field.starts.a.", NULL, SCENE},
    {"scene", "inputs", "inputs.", NULL, SCENE},
    {"scene", "wave", "inputs.left.", NULL, SCENE},
    {"scene", "repeat", "inputs.right.repeat.", NULL, SCENE},
    {"scene", "wall", "field.walls.", NULL, SCENE},
    {"scene", "element", "field.elements.post.", NULL, SCENE},
    {"scene", "path", "control.", NULL,
     "robot: {kind: roomba}\ncontrol: {path: [line 1 m, arc 50 cm left 90 deg]}" RUN},
    {"scene", "disturbance", "disturbances.0.", NULL, SCENE},
    {"scene", "disturbance", "disturbances.1.", NULL, SCENE},
    {"scene", "disturbance", "disturbances.2.", NULL, SCENE},
    {"scene", "sensor", "robot.sensors.s.", NULL, SCENE},
    {0},
};

// ------------------------------------------------------------------------------------------ tables

static const struct {
    const char *kind;
    const ib_Schema *schema;
} scenes[] = {
    {"run", &ib_run_schema},
    {"record", &ib_record_schema},
    {"field", &ib_field_schema},
    {"zone", &ib_zone_schema},
    {"start", &ib_start_schema},
    {"inputs", &ib_inputs_schema},
    {"repeat", &ib_repeat_schema},
    {"wall", &ib_wall_schema},
    {"element", &ib_element_schema},
    {"wave", &ib_wave_schema},
    {"path", &ib_control_schema},
    {"sensor", &ib_sensor_schema},
    {"disturbance", &ib_disturbance_schema},
};

// The keys of one item of a named list.
static const ib_Schema *items_of(const ib_Schema *schema, const char *key)
{
    const ib_Param *param = ib_schema_find(schema, key);
    return param ? ((const ib_NamedDef *)param->detail)->items : NULL;
}

static const ib_Schema *find_scene(const char *table, const char *kind)
{
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++)
        if (strcmp(table, "scene") == 0 && strcmp(kind, scenes[i].kind) == 0)
            return scenes[i].schema;
    for (const ib_RoutineWord *word = ib_routine_words; word->name; word++)
        if (strcmp(table, "step") == 0 && strcmp(kind, word->name) == 0) return word->schema;
    if (strcmp(table, "terrain") == 0) return ib_terrain_pieces.items;
    if (strcmp(table, "wheel") == 0)
        return items_of(&ib_robot_kind_find("holonomic")->params, "wheels.at");
    if (strcmp(table, "cylinder") == 0)
        return items_of(&ib_robot_kind_find("bench")->params, "air.cylinders");
    if (strcmp(table, "motor") == 0) return items_of(&ib_robot_kind_find("mjcf")->params, "motors");
    if (strcmp(table, "joint") == 0) return items_of(&ib_robot_kind_find("mjcf")->start, "joints");
    return NULL;
}

// The keys of a loop or a sensor, with the units of the host in place of Y and U.
static bool with_units(const KeyHost *host, ib_Arena *arena, ib_Schema *schema)
{
    const char *gap = strchr(host->units, ' ');
    char measured[16];
    snprintf(measured, sizeof measured, "%.*s",
             (int)(gap ? gap - host->units : (long)strlen(host->units)), host->units);
    if (strcmp(host->table, "controller") == 0) {
        const ib_ControllerKind *kind = ib_controller_kind_find(host->kind);
        return kind && ib_controller_params(kind, measured, gap + 1, arena, schema);
    }
    const ib_SensorKind *kind = ib_sensor_kind_find(host->kind);
    ib_Param *rows = kind ? ib_arena_alloc(arena, (size_t)kind->params.count * sizeof *rows) : NULL;
    for (int i = 0; rows && i < kind->params.count; i++) {
        rows[i] = kind->params.params[i];
        if (ib_sensor_has_signals_unit(&rows[i])) rows[i].unit = host->units;
    }
    if (rows) *schema = (ib_Schema){.params = rows, .count = kind->params.count};
    return rows != NULL;
}

bool key_host_schema(const KeyHost *host, ib_Arena *arena, ib_Schema *schema)
{
    const ib_RobotKind *robot = ib_robot_kind_find(host->kind);
    const ib_MechanismKind *mechanism = ib_equipment_kind_find(host->kind);
    const ib_Schema *scene = find_scene(host->table, host->kind);
    if (host->units) return with_units(host, arena, schema);
    if (strcmp(host->table, "robot") == 0 && robot)
        *schema = robot->params;
    else if (strcmp(host->table, "start") == 0 && robot)
        *schema = robot->start;
    else if (strcmp(host->table, "plant") == 0 && mechanism)
        *schema = mechanism->params;
    else if (strcmp(host->table, "plant_start") == 0 && mechanism)
        *schema = mechanism->start;
    else if (strcmp(host->table, "desk") == 0 && mechanism)
        *schema = ib_mechanism_desk_schema(mechanism);
    else if (scene)
        *schema = *scene;
    else
        return false;
    return true;
}

static bool has_host(const char *table, const char *kind)
{
    for (const KeyHost *host = key_hosts; host->table; host++)
        if (strcmp(host->table, table) == 0 && strcmp(host->kind, kind) == 0) return true;
    return false;
}

const char *key_host_missing(void)
{
    for (int i = 0; ib_robot_kinds[i]; i++)
        if (!has_host("robot", ib_robot_kinds[i]->name)) return ib_robot_kinds[i]->name;
    for (int i = 0; ib_mechanism_kinds[i]; i++)
        if (!has_host("desk", ib_mechanism_kinds[i]->name)) return ib_mechanism_kinds[i]->name;
    const char *(*mounted)(int) = ib_equipment_mechanisms.kinds->name;
    for (int i = 0; mounted(i); i++)
        if (!has_host("plant", mounted(i))) return mounted(i);
    for (int i = 0; ib_sensor_kinds[i]; i++)
        if (!has_host("sensor", ib_sensor_kinds[i]->name)) return ib_sensor_kinds[i]->name;
    for (int i = 0; ib_controller_kinds[i]; i++)
        if (!has_host("controller", ib_controller_kinds[i]->name))
            return ib_controller_kinds[i]->name;
    for (const ib_RoutineWord *word = ib_routine_words; word->name; word++)
        if (word->schema && !has_host("step", word->name)) return word->name;
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++)
        if (!has_host("scene", scenes[i].kind)) return scenes[i].kind;
    return NULL;
}
