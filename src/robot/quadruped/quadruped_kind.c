// robot/quadruped/quadruped_kind.c: its keys in a file, and its entry among all kinds.
#include "robot/quadruped/quadruped_inside.h"

#include <stddef.h>
#include <string.h>

typedef ib_QuadrupedConfig Config;

#define PARAM(key, type, unit, fallback, min, max, detail, field, sentence)                        \
    IB_PARAM_ROW(key, type, unit, fallback, min, max, detail, Config, field, false, sentence)
#define NUMBER(key, unit, fallback, min, max, field, sentence)                                     \
    IB_NUMBER_ROW(key, unit, fallback, min, max, field, sentence)
#define CHOICE(key, fallback, words, field, sentence)                                              \
    PARAM(key, IB_PARAM_CHOICE, "1", fallback, 0, 0, words, field, sentence)
#define LIMIT(key, unit, word, min, max, field, sentence)                                          \
    PARAM(key, IB_PARAM_LIMIT, unit, word, min, max, word, field, sentence)

// -------------------------------------------------------------------------------------- parameters

static const char *const leg_words[] = {"all", "front", "fl", "fr", "rl", "rr", NULL};
static const char *const base_words[] = {"free", "fixed", "wheels", NULL};
static const char *const drive_words[] = {"torque", "tendon", "cylinder", "servo",
                                          "direct", "limp",   "motor",    NULL};
static const char *const own_drive_words[] = {"same",   "torque", "tendon", "cylinder", "servo",
                                              "direct", "limp",   "motor",  NULL};
static const char *const inertia_words[] = {"capsule", "srlib", "explicit", "primitives", NULL};
static const char *const cone_words[] = {"pyramid", "elliptic", NULL};
static const char *const friction_words[] = {"cylinder", "joint", NULL};

// A capsule of a link, as SrLib's SetDimension has it: diameter and length without its caps.
#define CAPSULE(key, radius_, length_, density_, part, what)                                       \
    NUMBER(key ".radius", "m", radius_, 1e-4, 10, part.radius, "radius of the " what),             \
        NUMBER(key ".length", "m", length_, 0, 10, part.length,                                    \
               "length of the " what " between the centres of its ends"),                          \
        NUMBER(key ".density", "kg/m^3", density_, 1, 1e5, part.density,                           \
               "density that gives the " what " its mass")
// A link by numbers, in the frame of its joint. The thesis's own, from a drawing, were never
// published: the defaults are those of its capsules.
#define EXPLICIT(key, i, mass_, x_, z_, xx, yy, zz, xz)                                            \
    NUMBER("explicit." key ".mass", "kg", mass_, 0, 1e4, given[i].mass, "mass of the " key),       \
        NUMBER("explicit." key ".x", "m", x_, -10, 10, given[i].centre[0],                         \
               "its centre of mass, along the link"),                                              \
        NUMBER("explicit." key ".y", "m", "0 mm", -10, 10, given[i].centre[1],                     \
               "its centre of mass, across link and axis"),                                        \
        NUMBER("explicit." key ".z", "m", z_, -10, 10, given[i].centre[2],                         \
               "its centre of mass, along the joint's axis"),                                      \
        NUMBER("explicit." key ".xx", "kg*m^2", xx, -1e4, 1e4, given[i].inertia[0],                \
               "its inertia about the centre of mass"),                                            \
        NUMBER("explicit." key ".yy", "kg*m^2", yy, -1e4, 1e4, given[i].inertia[1],                \
               "its inertia about the centre of mass"),                                            \
        NUMBER("explicit." key ".zz", "kg*m^2", zz, -1e4, 1e4, given[i].inertia[2],                \
               "its inertia about the centre of mass"),                                            \
        NUMBER("explicit." key ".xy", "kg*m^2", "0 kg*m^2", -1e4, 1e4, given[i].inertia[3],        \
               "a product of its inertia, -sum m x y"),                                            \
        NUMBER("explicit." key ".xz", "kg*m^2", xz, -1e4, 1e4, given[i].inertia[4],                \
               "a product of its inertia, -sum m x z"),                                            \
        NUMBER("explicit." key ".yz", "kg*m^2", "0 kg*m^2", -1e4, 1e4, given[i].inertia[5],        \
               "a product of its inertia, -sum m y z")
#define JOINT(key, preset, i)                                                                      \
    IB_LINKAGE_ROWS(key ".linkage", preset, Config, joints[i].linkage),                            \
        NUMBER(key ".damping", "N*m*s/rad", "0 N*m*s/rad", 0, 1e4, joints[i].damping,              \
               "viscous friction of the joint"),                                                   \
        NUMBER(key ".friction", "N*m", "0 N*m", 0, 1e4, joints[i].friction,                        \
               "Coulomb friction of the joint"),                                                   \
        CHOICE(key ".drive", "same", own_drive_words, joints[i].drive,                             \
               "what moves this joint of all legs without a word of their own; same: as `drive` "  \
               "says")
#define DRIVE(key, i)                                                                              \
    CHOICE(key ".drive", "same", own_drive_words, drives[i],                                       \
           "what moves the joints of this leg; same: as their own `drive` or the robot's says")

static const ib_Param params[] = {
    CHOICE("legs", "all", leg_words, legs, "which legs there are"),
    CHOICE("base", "free", base_words, base,
           "the body moves freely, is held where it starts, or has two wheels behind"),
    LIMIT("gravity", "m/s^2", "field", 0, 1e3, gravity, "acceleration of gravity; field: its own"),
    NUMBER("thorax.mass", "kg", "8 kg", 1e-3, 1e4, thorax_mass, "mass of the body without legs"),
    NUMBER("thorax.radius", "m", "47 mm", 1e-3, 10, thorax_radius,
           "radius of the body, a capsule along x"),
    NUMBER("thorax.length", "m", "0.75 m", 0, 100, thorax_length,
           "length of the body between the centres of its ends"),
    NUMBER("shoulder.along", "m", "0.375 m", 0, 100, along, "shoulders forward of the middle"),
    NUMBER("shoulder.across", "m", "46 mm", 0, 100, across, "shoulders beside the middle"),
    NUMBER("shoulder.up", "m", "-8.6 mm", -100, 100, up, "shoulders above the middle"),
    NUMBER("shoulder.tilt", "rad", "30 deg", -3.2, 3.2, tilt,
           "by how much legs point below the horizontal where alpha is 0"),
    NUMBER("leg.a1", "m", "146.2 mm", 0, 10, a1, "from the alpha axis out to the beta axis"),
    NUMBER("leg.d1", "m", "25 mm", -10, 10, d1, "from the shoulder up to the beta axis"),
    NUMBER("leg.a2", "m", "174 mm", 1e-3, 10, a2, "from the beta axis to the gamma axis"),
    NUMBER("leg.a3", "m", "279.5 mm", 1e-3, 10, a3,
           "from the gamma axis to the centre of the foot's round end"),
    CAPSULE("coxa", "25 mm", "96.1 mm", "1200 kg/m^3", coxa, "coxa"),
    NUMBER("coxa.centre", "m", "73.1 mm", -10, 10, coxa_centre, "its centre, from the alpha axis"),
    CAPSULE("hip", "25 mm", "0 mm", "300 kg/m^3", hip, "coxa's second part"),
    CAPSULE("femur", "25 mm", "123 mm", "700 kg/m^3", femur, "femur"),
    NUMBER("femur.centre", "m", "87 mm", -10, 10, femur_centre, "its centre, from the beta axis"),
    CAPSULE("tibia", "7.5 mm", "255 mm", "2700 kg/m^3", tibia, "tibia"),
    NUMBER("tibia.centre", "m", "152 mm", -10, 10, tibia_centre, "its centre, from the gamma axis"),
    CHOICE("inertia", "capsule", inertia_words, inertia,
           "inertias of the links: true capsules, as SrLib computes them, which is wrong, by "
           "numbers, or with a coxa of boxes and cylinders"),
    EXPLICIT("coxa", 0, "0.324605060932 kg", "76.0095088 mm", "1.5122187 mm",
             "1.0683269606e-4 kg*m^2", "5.4048605938e-4 kg*m^2", "5.2895652170e-4 kg*m^2",
             "-2.2182830479e-5 kg*m^2"),
    EXPLICIT("femur", 1, "0.214871847536 kg", "87 mm", "0 mm", "6.4284021551e-5 kg*m^2",
             "4.7712110486e-4 kg*m^2", "4.7712110486e-4 kg*m^2", "0 kg*m^2"),
    EXPLICIT("tibia", 2, "0.126439286830 kg", "152 mm", "0 mm", "3.5292664142e-6 kg*m^2",
             "7.4209200509e-4 kg*m^2", "7.4209200509e-4 kg*m^2", "0 kg*m^2"),
    NUMBER("stance.alpha", "rad", "0 deg", -6.3, 6.3, stance[0],
           "angle of all alpha joints where it stands, unless its start says another one"),
    NUMBER("stance.beta", "rad", "-34 deg", -6.3, 6.3, stance[1], "the same of all beta joints"),
    NUMBER("stance.gamma", "rad", "80 deg", -6.3, 6.3, stance[2], "the same of all gamma joints"),
    JOINT("alpha", "thesis-alpha", IB_LEG_ALPHA),
    JOINT("beta", "thesis-beta", IB_LEG_BETA),
    JOINT("gamma", "thesis-gamma", IB_LEG_GAMMA),
    CHOICE("drive", "torque", drive_words, drive,
           "what moves the joints: cylinders, as torques, as tendons or as bodies; servos; torques "
           "from outside; nothing; motors on a battery"),
    DRIVE("fl", IB_LEG_FL),
    DRIVE("fr", IB_LEG_FR),
    DRIVE("rl", IB_LEG_RL),
    DRIVE("rr", IB_LEG_RR),
    NUMBER("cylinder.barrel_mass", "kg", "0.15 kg", 1e-3, 100, barrel_mass,
           "mass of a cylinder's barrel, where it is a body"),
    NUMBER("cylinder.rod_mass", "kg", "0.05 kg", 1e-3, 100, rod_mass,
           "mass of a cylinder's rod and piston, where it is a body"),
    IB_CYLINDER_ROWS_AT("cylinder.", Config, cylinder),
    IB_FRICTION_ROWS(Config, friction),
    CHOICE("friction_in", "cylinder", friction_words, friction_in,
           "who has the seals' friction: the cylinder with its law, or MuJoCo's joint with its "
           "Coulomb and viscous part"),
    IB_CHAIN_ROWS(Config, supply),
    PARAM("gas_steps", IB_PARAM_COUNT, "1", "1", 1, 1000, NULL, gas_steps,
          "steps of the air within a step of the bodies"),
    IB_JOINT_MOTOR_ROWS(Config, motors),
    NUMBER("motor.rotor_inertia", "kg*m^2", "0 kg*m^2", 0, 1e3, rotor_inertia,
           "moment of inertia of a motor's rotor, which its joint feels by reduction^2"),
    IB_POWER_ROWS(Config, power),
    IB_AIR_ROWS(Config, air),
    NUMBER("servo.stiffness", "N*m/rad", "200 N*m/rad", 0, 1e6, servo_stiffness,
           "torque of a servo for an error"),
    NUMBER("servo.damping", "N*m*s/rad", "2 N*m*s/rad", 0, 1e6, servo_damping,
           "torque of a servo against the rate of its joint"),
    LIMIT("servo.limit", "N*m", "off", 0, 1e6, servo_limit, "largest torque of a servo"),
    NUMBER("contact.foot_friction", "1", "3", 1e-3, 100, foot_friction,
           "coefficient of friction of the tibias; of two that touch the greater counts"),
    LIMIT("contact.body_friction", "1", "same", 1e-3, 100, body_friction,
          "coefficient of friction of the robot's other parts; same: as the tibias'"),
    NUMBER("contact.ground_friction", "1", "5", 1e-3, 100, ground_friction,
           "coefficient of friction of the ground"),
    NUMBER("contact.time", "s", "3 ms", 2e-3, 1, contact_time,
           "time constant with which contacts and stops push apart what overlaps"),
    NUMBER("contact.grip", "1", "0.99", 0.1, 0.9999, contact_grip,
           "how much of an acceleration into a contact is withstood: MuJoCo's impedance"),
    CHOICE(
        "contact.cone", "elliptic", cone_words, contact_cone,
        "friction of a contact: within a cone, or within a pyramid, which loses up to 29 % of it "
        "along diagonals"),
    NUMBER("contact.hold", "1", "10", 1e-3, 1e4, contact_hold,
           "how much stiffer friction is than the contact itself, of a cone: less creeping"),
    PARAM("contact.self", IB_PARAM_FLAG, "1", "false", 0, 1, NULL, contact_self,
          "legs touch each other and the body, but for neighbours at a joint"),
    NUMBER("wheels.radius", "m", "60 mm", 1e-3, 10, wheels.radius, "radius of a wheel"),
    NUMBER("wheels.width", "m", "25 mm", 1e-4, 10, wheels.width, "width of a wheel"),
    NUMBER("wheels.mass", "kg", "0.3 kg", 1e-6, 1e4, wheels.mass, "mass of a wheel"),
    NUMBER("wheels.behind", "m", "0.375 m", -10, 10, wheels.behind,
           "axle behind the middle of the body"),
    NUMBER("wheels.across", "m", "0.2 m", 1e-3, 10, wheels.across,
           "wheels beside the middle of the body"),
    NUMBER("wheels.down", "m", "266.6 mm", -10, 10, wheels.down,
           "axle below the middle of the body; as it is, the body is level in the start's pose"),
    NUMBER("wheels.damping", "N*m*s/rad", "0 N*m*s/rad", 0, 1e4, wheels.damping,
           "viscous friction of a wheel's bearing"),
    NUMBER("wheels.friction", "N*m", "5e-3 N*m", 0, 1e4, wheels.friction,
           "Coulomb friction of a wheel's bearing"),
    IB_TERRAIN_ROWS(Config, terrain),
};

#define ANGLES(key, i)                                                                             \
    LIMIT(key ".alpha", "rad", "same", -6.3, 6.3, angles[i][0],                                    \
          "angle of this leg's joint; same: as `alpha` says"),                                     \
        LIMIT(key ".beta", "rad", "same", -6.3, 6.3, angles[i][1],                                 \
              "angle of this leg's joint; same: as `beta` says"),                                  \
        LIMIT(key ".gamma", "rad", "same", -6.3, 6.3, angles[i][2],                                \
              "angle of this leg's joint; same: as `gamma` says")

static const ib_Param start[] = {
    NUMBER("x", "m", "0 m", -1e4, 1e4, place[0], "place of the body, field frame"),
    NUMBER("y", "m", "0 m", -1e4, 1e4, place[1], "place of the body, field frame"),
    LIMIT("z", "m", "stand", -1e4, 1e4, place[2],
          "height of the body; stand: such that its lowest foot or wheel touches the ground"),
    NUMBER("heading", "rad", "0 deg", -100, 100, attitude[0], "heading, counter-clockwise"),
    NUMBER("pitch", "rad", "0 deg", -3.2, 3.2, attitude[1], "pitch; positive: the front dips"),
    NUMBER("roll", "rad", "0 deg", -3.2, 3.2, attitude[2], "roll; positive: the right side dips"),
    LIMIT("alpha", "rad", "stance", -6.3, 6.3, pose[0],
          "angle of all alpha joints; stance: as the robot's `stance` says"),
    LIMIT("beta", "rad", "stance", -6.3, 6.3, pose[1],
          "angle of all beta joints; stance: as the robot's `stance` says"),
    LIMIT("gamma", "rad", "stance", -6.3, 6.3, pose[2],
          "angle of all gamma joints; stance: as the robot's `stance` says"),
    ANGLES("fl", IB_LEG_FL),
    ANGLES("fr", IB_LEG_FR),
    ANGLES("rl", IB_LEG_RL),
    ANGLES("rr", IB_LEG_RR),
    LIMIT("cap.pressure", "Pa", "held", 1, 1e8, cap_pressure,
          "pressure on the cap side of all cylinders, absolute; held: such that the joint stands"),
    LIMIT("rod.pressure", "Pa", "held", 1, 1e8, rod_pressure,
          "pressure on the rod side of all cylinders, absolute; held: such that the joint stands"),
};

// The key here of a cylinder's "orifice.law": "cylinder.orifice.law". Its valve's keys are
// the same.
static const char *cylinder_key(const char *name)
{
    static const ib_Schema schema = IB_SCHEMA(params);
    char key[64];
    snprintf(key, sizeof key, "cylinder.%s", name);
    const ib_Param *param = ib_schema_find(&schema, key);
    return param ? param->key : name;
}

static const char *const motors[] = {"motor", "motors",        "reduction",    "efficiency",
                                     "loss",  "current_limit", "supply_limit", NULL};
static const char *const supplies[] = {"battery",        "background_current", "breaker",
                                       "branch_breaker", "brownout",           NULL};
static const char *const airs[] = {"cylinder", "valve",      "friction",  "friction_in", "supply",
                                   "tank",     "compressor", "gas_steps", NULL};
static const char *const chains[] = {"supply", "tank", "compressor", NULL};
static const char *const lines[] = {"supply.volume", "supply.area", "supply.band",
                                    "supply.relieving", NULL};

// True if it is one of these keys, or below one.
static bool is_of(const char *key, const char *const *keys)
{
    for (; *keys; keys++) {
        size_t length = strlen(*keys);
        if (strncmp(key, *keys, length) == 0 && (key[length] == '\0' || key[length] == '.'))
            return true;
    }
    return false;
}

// Finds keys without effect beside the others.
static const char *idle(const void *config_, const char *key)
{
    static const char *const linkages[] = {"alpha.linkage.", "beta.linkage.", "gamma.linkage."};
    const Config *config = config_;
    if (strncmp(key, "air.", 4) == 0) return ib_air_idle(&config->air, key);
    if (is_of(key, motors)) return ib__quadruped_driven(config, IB_DRIVE_MOTOR) ? NULL : "drive";
    if (is_of(key, supplies))
        return ib__quadruped_powered(config) ? ib_power_idle(&config->power, key) : "drive";
    for (int i = 0; i < IB_LEG_JOINTS; i++)
        if (strncmp(key, linkages[i], strlen(linkages[i])) == 0)
            return ib_linkage_idle(&config->joints[i].linkage, key);
    if (strcmp(key, "contact.hold") == 0) return config->contact_cone ? NULL : "contact.cone";
    if (strncmp(key, "wheels.", 7) == 0) return config->base == IB_BASE_WHEELS ? NULL : "base";
    bool numbers = config->inertia == IB_INERTIA_EXPLICIT;
    if (strncmp(key, "explicit.", 9) == 0) return numbers ? NULL : "inertia";
    if (numbers && strstr(key, ".density")) return "inertia";
    if (strncmp(key, "servo.", 6) == 0)
        return ib__quadruped_driven(config, IB_DRIVE_SERVO) ? NULL : "drive";
    if (strstr(key, "barrel_mass") || strstr(key, "rod_mass"))
        return ib__quadruped_driven(config, IB_DRIVE_CYLINDER) ? NULL : "drive";
    if (!is_of(key, airs)) return NULL;
    if (!ib__quadruped_pneumatic(config)) return "drive";
    if (config->air.on && strncmp(key, "supply.", 7) == 0 && is_of(key, lines))
        return ib_supply_idle(&config->supply.supply, key);
    if (config->air.on && is_of(key, chains)) return "air";
    if (strcmp(key, "gas_steps") == 0 || strcmp(key, "friction_in") == 0) return NULL;
    if (strncmp(key, "friction", 8) == 0) return ib_friction_idle(&config->friction, key);
    if (strncmp(key, "cylinder.", 9) != 0 && strncmp(key, "valve.", 6) != 0)
        return ib_chain_idle(&config->supply, key);
    const char *because =
        ib_cylinder_idle(&config->cylinder, strncmp(key, "cylinder.", 9) == 0 ? key + 9 : key);
    return because ? cylinder_key(because) : NULL;
}

// ------------------------------------------------------------------------------------------- table

const ib_RobotKind ib_quadruped_kind = {
    .name = "quadruped",
    .sentence = "legs of three joints on a body, moved by pneumatic cylinders, on a ground",
    .docs = "docs/robot/quadruped.md",
    IB_ROBOT_TABLES(ib_QuadrupedConfig, ib_QuadrupedModel),
    .params.idle = idle,
    .params.presets = "quadrupeds",
    .integrator = &ib_rigid_integrator,
    .shares = true,
    .check = ib_quadruped_check,
    .warn = ib_quadruped_warn,
    .build = ib_quadruped_build,
    .mjcf = ib_rigid_mjcf,
    .errata = ib_quadruped_errata,
};
