// robot/mjcf/mjcf_kind.c: the keys of a scenario about it, and its entry among all kinds.
#include "robot/mjcf/mjcf.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef ib_MjcfConfig Config;

#define LIMIT(key, unit, min, max, field, sentence)                                                \
    IB_ROW(key, IB_PARAM_LIMIT, unit, "file", min, max, "file", Config, field, sentence)

static const char *const base_words[] = {"fixed", "free", NULL};
static const char *const gravity_words[] = {"file", "field", NULL};

static const ib_Param of_motor[] = {
    IB_JOINT_MOTOR_ROWS(ib_MjcfMotors, own),
    IB_NUMBER_OF("motor.rotor_inertia", "kg*m^2", "0 kg*m^2", 0, 1e3, ib_MjcfMotors, rotor_inertia,
                 "rotor inertia of the data sheet; only the file's `armature` counts"),
};

static const ib_Schema motor_schema = IB_SCHEMA(of_motor);

static const ib_NamedDef motor_list = {
    .items = &motor_schema,
    .offset = offsetof(Config, motors) - offsetof(Config, motor_count),
    .size = sizeof(ib_MjcfMotors),
    .most = IB_JOINTS_MAX,
};

static const ib_Param params[] = {
    IB_ROW("model", IB_PARAM_FILE, "1", NULL, 0, 0, "an MJCF or URDF file", Config, model,
           "the file that describes it, of at most 1 MiB"),
    IB_CHOICE_OF("base", "fixed", base_words, Config, base,
                 "a URDF's root link is held where it is, or moves freely over a floor"),
    IB_CHOICE_OF("gravity", "file", gravity_words, Config, gravity,
                 "whose gravity: the file's, of a URDF 9.80665 m/s^2 downwards, or the field's"),
    IB_ROW("motors", IB_PARAM_NAMED, "1", NULL, 0, IB_JOINTS_MAX, &motor_list, Config, motor_count,
           "hinges of the file, by name, that motors on a battery turn"),
    IB_POWER_ROWS(Config, power),
};

#define OF_JOINT(key, unit, field, sentence)                                                       \
    IB_ROW(key, IB_PARAM_LIMIT, unit, "file", -1e5, 1e5, "file", ib_MjcfStart, field, sentence)

static const ib_Param of_joint[] = {
    OF_JOINT("angle", "rad", angle, "of a hinge"),
    OF_JOINT("position", "m", position, "of a slide"),
    OF_JOINT("velocity", "rad/s", velocity, "of a hinge"),
    OF_JOINT("speed", "m/s", speed, "of a slide"),
};

static const ib_Schema joint_schema = IB_SCHEMA(of_joint);

static const ib_NamedDef joint_list = {
    .items = &joint_schema,
    .offset = offsetof(Config, starts) - offsetof(Config, start_count),
    .size = sizeof(ib_MjcfStart),
    .most = IB_MJCF_STARTS,
};

static const ib_Param start[] = {
    LIMIT("x", "m", -1e4, 1e4, place[0], "place of the first free body, field frame"),
    LIMIT("y", "m", -1e4, 1e4, place[1], "place of the first free body, field frame"),
    LIMIT("z", "m", -1e4, 1e4, place[2],
          "height of the first free body; a URDF's stands on the floor where none is given"),
    LIMIT("heading", "rad", -100, 100, attitude[0], "its heading, counter-clockwise"),
    LIMIT("pitch", "rad", -3.2, 3.2, attitude[1], "its pitch; positive: the front dips"),
    LIMIT("roll", "rad", -3.2, 3.2, attitude[2], "its roll; positive: the right side dips"),
    IB_ROW("joints", IB_PARAM_NAMED, "1", NULL, 0, IB_MJCF_STARTS, &joint_list, Config, start_count,
           "joints by name, where they do not start as the file's first keyframe has them"),
};

// A URDF's tree, for checks without compiling it; NULL: no URDF.
static const ib_Xml *read_urdf(const Config *config, ib_Arena *arena)
{
    const ib_Xml *root = NULL;
    if (config->model.length == 0) return NULL;
    if (ib_xml_read(config->model.text, (size_t)config->model.length, arena, &root, NULL) != IB_OK)
        return NULL;
    return strcmp(root->name, "robot") == 0 ? root : NULL;
}

static const char *idle(const void *config, const char *key)
{
    ib_Arena arena = {0};
    const Config *own = config;
    if (ib_equipment_feeds(key))
        return own->motor_count > 0 ? ib_power_idle(&own->power, key) : "motors";
    if (strcmp(key, "base") != 0) return NULL;
    const char *because = read_urdf(config, &arena) ? NULL : "model";
    ib_arena_reset(&arena);
    return because;
}

// True if the MJCF of a URDF has a shape with contact, beside the floor.
static bool can_touch(const char *mjcf, ib_Arena *arena)
{
    const ib_Xml *root = NULL;
    if (ib_xml_read(mjcf, strlen(mjcf), arena, &root, NULL) != IB_OK) return true;
    for (const ib_Xml *e = ib_xml_child(root, "worldbody"); e; e = ib_xml_walk(e)) {
        bool shape = strcmp(e->name, "geom") == 0 && strcmp(e->parent->name, "body") == 0;
        if (shape && !ib_xml_attribute(e, "contype")) return true;
    }
    return false;
}

// Warns of parts of a URDF left out, and of a floor that cannot hold it.
static bool warn(const void *config_, int index, char *text, size_t size)
{
    const Config *config = config_;
    ib_Arena arena = {0};
    const char *mjcf, *left_out = "";
    if (index > 1) return false;
    const ib_Xml *root = read_urdf(config, &arena);
    bool fine = root && ib_urdf_convert(root, config->base ? IB_URDF_FREE : IB_URDF_FIXED, &arena,
                                        &mjcf, &left_out, NULL) == IB_OK;
    text[0] = '\0';
    if (index == 0 && fine && left_out[0]) snprintf(text, size, "model: %s", left_out);
    if (index == 1 && fine && config->base && !can_touch(mjcf, &arena))
        snprintf(text, size,
                 "base: nothing of it can touch the floor, and it falls through: give its links a "
                 "<collision> with a box, cylinder or sphere");
    ib_arena_reset(&arena);
    return true;
}

// ------------------------------------------------------------------------------------------- table

const ib_RobotKind ib_mjcf_kind = {
    .name = "mjcf",
    .sentence = "a robot that an MJCF or URDF file describes, moved by MuJoCo",
    .docs = "docs/world/mujoco.md",
    IB_ROBOT_TABLES(ib_MjcfConfig, ib_MjcfModel),
    .params.idle = idle,
    .integrator = &ib_rigid_integrator,
    .warn = warn,
    .build = ib_mjcf_build,
    .mjcf = ib_rigid_mjcf,
};
