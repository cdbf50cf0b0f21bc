// world/urdf.c: reads a URDF: links and joints, and whether they are a tree whose parts have mass.
#include "world/urdf_inside.h"

#include "base/geometry.h"
#include "base/quote.h"

#include <string.h>

// ----------------------------------------------------------------------------------------- reading

static ib_Status need(const ib_Xml *element, const char *name, const char **value, ib_Error *error)
{
    const ib_XmlAttribute *attribute = element ? ib_xml_attribute(element, name) : NULL;
    if (!attribute || !attribute->value[0])
        return ib_xml_refuse(element, error, "<%s>: '%s' is missing", ib_quote(element->name).text,
                             name);
    *value = attribute->value;
    return IB_OK;
}

ib_Status ib__urdf_numbers(const ib_Xml *element, const char *name, int count, double *values,
                           ib_Error *error)
{
    const ib_XmlAttribute *attribute = element ? ib_xml_attribute(element, name) : NULL;
    return attribute ? ib_xml_numbers(attribute, count, values, error) : IB_OK;
}

ib_Status ib__urdf_needed(const ib_Xml *element, const char *name, double *value, ib_Error *error)
{
    const char *text = NULL;
    ib_Status status = need(element, name, &text, error);
    return status == IB_OK ? ib__urdf_numbers(element, name, 1, value, error) : status;
}

ib_Status ib__urdf_origin(const ib_Xml *element, double at[3], double rpy[3], ib_Error *error)
{
    const ib_Xml *origin = ib_xml_child(element, "origin");
    memset(at, 0, 3 * sizeof *at);
    memset(rpy, 0, 3 * sizeof *rpy);
    ib_Status status = ib__urdf_numbers(origin, "xyz", 3, at, error);
    return status == IB_OK ? ib__urdf_numbers(origin, "rpy", 3, rpy, error) : status;
}

static int find_link(const ib__UrdfRobot *robot, const char *name)
{
    for (int i = 0; i < robot->count; i++)
        if (strcmp(robot->links[i].name, name) == 0) return i;
    return -1;
}

// The inertia in the link's axes:  I = R I' R^T,  where R turns the inertial's axes into them.
static void turn_inertia(const double rpy[3], double inertia[6])
{
    static const int place[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
    double R[9], turned[6];
    ib_attitude_turn((double[]){rpy[2], rpy[1], rpy[0]}, R); // URDF writes roll pitch yaw
    for (int i = 0; i < 3; i++)
        for (int j = i; j < 3; j++) {
            double sum = 0;
            for (int k = 0; k < 3; k++)
                for (int l = 0; l < 3; l++)
                    sum += R[3 * i + k] * inertia[place[k][l]] * R[3 * j + l];
            turned[place[i][j]] = sum;
        }
    memcpy(inertia, turned, sizeof turned);
}

static ib_Status read_inertial(ib__UrdfLink *link, ib_Error *error)
{
    static const char *const names[6] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
    const ib_Xml *inertial = ib_xml_child(link->xml, "inertial");
    double rpy[3];
    if (!inertial) return IB_OK;
    const ib_Xml *mass = ib_xml_child(inertial, "mass");
    const ib_Xml *inertia = ib_xml_child(inertial, "inertia");
    if (!mass || !inertia)
        return ib_xml_refuse(inertial, error,
                             "<inertial>: expected <mass value=\"…\"/> and "
                             "<inertia ixx=\"…\" …/>");
    ib_Status status = ib__urdf_needed(mass, "value", &link->mass, error);
    if (status == IB_OK) status = ib__urdf_origin(inertial, link->centre, rpy, error);
    for (int i = 0; status == IB_OK && i < 6; i++)
        status = i < 3 ? ib__urdf_needed(inertia, names[i], &link->inertia[i], error)
                       : ib__urdf_numbers(inertia, names[i], 1, &link->inertia[i], error);
    if (status != IB_OK) return status;
    if (!(link->mass > 0))
        return ib_xml_refuse(mass, error, "mass of link '%s': expected more than 0 kg, got %g",
                             ib_quote(link->name).text, link->mass);
    for (int i = 0; i < 3; i++)
        if (!(link->inertia[i] > 0))
            return ib_xml_refuse(inertia, error,
                                 "%s of link '%s': expected more than 0 kg m^2, "
                                 "got %g",
                                 names[i], ib_quote(link->name).text, link->inertia[i]);
    turn_inertia(rpy, link->inertia);
    return IB_OK;
}

static ib_Status read_links(ib__UrdfRobot *robot, ib_Error *error)
{
    for (const ib_Xml *xml = ib_xml_child(robot->xml, "link"); xml;
         xml = ib_xml_next(xml, "link")) {
        const char *name = NULL;
        ib_Status status = need(xml, "name", &name, error);
        if (status != IB_OK) return status;
        if (find_link(robot, name) >= 0)
            return ib_xml_refuse(xml, error, "there are two links '%s'", ib_quote(name).text);
        if (robot->count == IB__URDF_LINKS)
            return ib_xml_refuse(xml, error, "more than %d links", IB__URDF_LINKS);
        ib__UrdfLink *link = &robot->links[robot->count++];
        *link = (ib__UrdfLink){.xml = xml, .name = name, .parent = -1, .depth = -1};
        status = read_inertial(link, error);
        if (status != IB_OK) return status;
    }
    if (robot->count > 0) return IB_OK;
    return ib_xml_refuse(robot->xml, error, "a robot without links: expected <link name=\"…\">");
}

// ------------------------------------------------------------------------------------------ joints

static ib_Status read_type(const ib_Xml *joint, ib__UrdfLink *link, ib_Error *error)
{
    const char *type = NULL;
    ib_Status status = need(joint, "type", &type, error);
    if (status != IB_OK) return status;
    bool fixed = strcmp(type, "fixed") == 0, slide = strcmp(type, "prismatic") == 0;
    bool turns = strcmp(type, "continuous") == 0;
    link->limited = slide || strcmp(type, "revolute") == 0;
    link->motion = fixed ? IB__URDF_WELD : slide ? IB__URDF_SLIDE : IB__URDF_HINGE;
    if (fixed || turns || link->limited) return IB_OK;
    bool known = strcmp(type, "planar") == 0 || strcmp(type, "floating") == 0;
    return ib_xml_refuse_value(
        ib_xml_attribute(joint, "type"), error,
        "type: expected revolute, continuous, prismatic or fixed, got '%s'%s", ib_quote(type).text,
        known ? "; of a base that floats: robot.base: free" : "");
}

// Effort above 0 is a motor's; of a joint that may turn on and on it need not be said.
static ib_Status read_limit(const ib_Xml *joint, const char *name, ib__UrdfLink *link,
                            ib_Error *error)
{
    const ib_Xml *limit = ib_xml_child(joint, "limit");
    link->effort = -1;
    if (!limit && link->limited)
        return ib_xml_refuse(joint, error,
                             "joint '%s': expected <limit lower=\"…\" upper=\"…\" "
                             "effort=\"…\" velocity=\"…\"/>",
                             ib_quote(name).text);
    link->driven = true;
    if (!limit) return IB_OK;
    ib_Status status = ib__urdf_numbers(limit, "lower", 1, &link->range[0], error);
    if (status == IB_OK) status = ib__urdf_numbers(limit, "upper", 1, &link->range[1], error);
    if (status == IB_OK) status = ib__urdf_needed(limit, "effort", &link->effort, error);
    if (status != IB_OK) return status;
    if (link->limited && !(link->range[0] < link->range[1]))
        return ib_xml_refuse(limit, error,
                             "joint '%s': its range is inverted or empty: expected lower < upper, "
                             "got %g and %g",
                             ib_quote(name).text, link->range[0], link->range[1]);
    if (link->effort < 0)
        return ib_xml_refuse(limit, error, "joint '%s': expected an effort of at least 0, got %g",
                             ib_quote(name).text, link->effort);
    link->driven = link->effort > 0;
    return IB_OK;
}

static ib_Status read_motion(const ib_Xml *joint, const char *name, ib__UrdfLink *link,
                             ib_Error *error)
{
    const ib_Xml *axis = ib_xml_child(joint, "axis"), *dynamics = ib_xml_child(joint, "dynamics");
    ib_Status status = read_limit(joint, name, link, error);
    link->axis[0] = 1;
    if (status == IB_OK) status = ib__urdf_numbers(axis, "xyz", 3, link->axis, error);
    if (status == IB_OK) status = ib__urdf_numbers(dynamics, "damping", 1, &link->damping, error);
    if (status == IB_OK) status = ib__urdf_numbers(dynamics, "friction", 1, &link->friction, error);
    if (status != IB_OK) return status;
    const double *a = link->axis;
    if (!(a[0] * a[0] + a[1] * a[1] + a[2] * a[2] > 1e-12))
        return ib_xml_refuse(axis, error, "joint '%s': its axis has no direction",
                             ib_quote(name).text);
    if (link->damping < 0 || link->friction < 0)
        return ib_xml_refuse(dynamics, error,
                             "joint '%s': expected damping and friction of at "
                             "least 0",
                             ib_quote(name).text);
    return IB_OK;
}

static ib_Status read_end(const ib__UrdfRobot *robot, const ib_Xml *joint, const char *what,
                          int *link, ib_Error *error)
{
    const ib_Xml *end = ib_xml_child(joint, what);
    const char *name = NULL;
    if (!end) return ib_xml_refuse(joint, error, "a joint without <%s link=\"…\"/>", what);
    ib_Status status = need(end, "link", &name, error);
    if (status != IB_OK) return status;
    *link = find_link(robot, name);
    if (*link >= 0) return IB_OK;
    return ib_xml_refuse(end, error, "there is no link '%s'", ib_quote(name).text);
}

static ib_Status read_joint(ib__UrdfRobot *robot, const ib_Xml *joint, ib_Error *error)
{
    int parent = -1, child = -1;
    const char *name = NULL;
    ib_Status status = need(joint, "name", &name, error);
    if (status == IB_OK) status = read_end(robot, joint, "parent", &parent, error);
    if (status == IB_OK) status = read_end(robot, joint, "child", &child, error);
    if (status != IB_OK) return status;
    ib__UrdfLink *link = &robot->links[child];
    if (link->joint)
        return ib_xml_refuse(joint, error, "link '%s' has two joints to parents: a robot is a tree",
                             ib_quote(link->name).text);
    link->joint = joint;
    link->parent = parent;
    const ib_Xml *mimic = ib_xml_child(joint, "mimic");
    if (mimic)
        return ib_xml_refuse(mimic, error,
                             "joint '%s' mimics another one, which is not read: "
                             "leave it out, or write MJCF with an <equality>",
                             ib_quote(name).text);
    status = read_type(joint, link, error);
    if (status == IB_OK) status = ib__urdf_origin(joint, link->at, link->rpy, error);
    if (status == IB_OK && link->motion != IB__URDF_WELD)
        status = read_motion(joint, name, link, error);
    return status;
}

static ib_Status read_joints(ib__UrdfRobot *robot, ib_Error *error)
{
    for (const ib_Xml *xml = ib_xml_child(robot->xml, "joint"); xml;
         xml = ib_xml_next(xml, "joint")) {
        ib_Status status = read_joint(robot, xml, error);
        if (status != IB_OK) return status;
        const ib_XmlAttribute *name = ib_xml_attribute(xml, "name");
        for (const ib_Xml *other = ib_xml_child(robot->xml, "joint"); other != xml;
             other = ib_xml_next(other, "joint"))
            if (strcmp(ib_xml_attribute(other, "name")->value, name->value) == 0)
                return ib_xml_refuse_value(name, error, "there are two joints '%s'",
                                           ib_quote(name->value).text);
    }
    return IB_OK;
}

// ------------------------------------------------------------------------------------------ a tree

// Number of links between a link and the root; more than there are: they form a circle.
static int depth_of(const ib__UrdfRobot *robot, int i)
{
    int depth = 0;
    for (; robot->links[i].parent >= 0 && depth <= robot->count; depth++)
        i = robot->links[i].parent;
    return depth;
}

static ib_Status check_tree(ib__UrdfRobot *robot, ib_Error *error)
{
    robot->root = -1;
    for (int i = 0; i < robot->count; i++) {
        ib__UrdfLink *link = &robot->links[i];
        if (link->parent >= 0) continue;
        if (robot->root >= 0)
            return ib_xml_refuse(
                link->xml, error, "links '%s' and '%s' both have no parent: expected one root",
                ib_quote(robot->links[robot->root].name).text, ib_quote(link->name).text);
        robot->root = i;
    }
    for (int i = 0; i < robot->count; i++) {
        ib__UrdfLink *link = &robot->links[i];
        link->depth = depth_of(robot, i);
        if (robot->root < 0 || link->depth > robot->count)
            return ib_xml_refuse(link->joint, error,
                                 "link '%s' is in a circle of joints: a robot "
                                 "is a tree",
                                 ib_quote(link->name).text);
        if (link->depth > IB__URDF_DEPTH)
            return ib_xml_refuse(link->xml, error, "more than %d links in a row", IB__URDF_DEPTH);
    }
    return IB_OK;
}

// Mass of a link and of those that are fixed to it.
static double joined_mass(const ib__UrdfRobot *robot, int link)
{
    double mass = 0;
    for (int i = 0; i < robot->count; i++) {
        int at = i;
        while (at != link && robot->links[at].parent >= 0 &&
               robot->links[at].motion == IB__URDF_WELD)
            at = robot->links[at].parent;
        if (at == link) mass += robot->links[i].mass;
    }
    return mass;
}

static ib_Status check_masses(const ib__UrdfRobot *robot, ib_UrdfBase base, ib_Error *error)
{
    for (int i = 0; i < robot->count; i++) {
        const ib__UrdfLink *link = &robot->links[i];
        bool moves = i == robot->root ? base == IB_URDF_FREE : link->motion != IB__URDF_WELD;
        if (!moves || joined_mass(robot, i) > 0) continue;
        return ib_xml_refuse(
            link->xml, error,
            i == robot->root ? "link '%s' is the base, which is free, and has no mass: expected "
                               "<inertial>, or robot.base: fixed"
                             : "link '%s' moves and has no mass: expected <inertial>",
            ib_quote(link->name).text);
    }
    return IB_OK;
}

// ------------------------------------------------------------------------------------------- whole

// A sentence on the parts left out; "": none.
static ib_Status tell_left_out(const ib__UrdfRobot *robot, ib_Arena *arena, const char **left_out,
                               ib_Error *error)
{
    const char *meshes = "", *block = "";
    const ib_Xml *own = ib_xml_child(robot->xml, "mujoco");
    if (robot->meshes > 0)
        meshes = ib_arena_format(
            arena, "%d mesh%s left out, of link '%s' first: %s neither seen nor touched",
            robot->meshes, robot->meshes == 1 ? " is" : "es are", ib_quote(robot->mesh_link).text,
            robot->meshes == 1 ? "it is" : "they are");
    if (own)
        block = ib_arena_format(arena,
                                "<mujoco> in line %d is left out: what it says of the compiler and "
                                "its options needs a model in MJCF",
                                own->line);
    *left_out = meshes && block
                    ? ib_arena_format(arena, "%s%s%s", meshes, *meshes && *block ? "; " : "", block)
                    : NULL;
    return *left_out ? IB_OK : ib_error_set(error, IB_FAILED, "out of memory for a model");
}

ib_Status ib_urdf_convert(const ib_Xml *xml, ib_UrdfBase base, ib_Arena *arena, const char **mjcf,
                          const char **left_out, ib_Error *error)
{
    ib__UrdfRobot *robot = ib_arena_alloc(arena, sizeof *robot);
    if (!robot) return ib_error_set(error, IB_FAILED, "out of memory for a model");
    robot->xml = xml;
    ib_Status status = read_links(robot, error);
    if (status == IB_OK) status = read_joints(robot, error);
    if (status == IB_OK) status = check_tree(robot, error);
    if (status == IB_OK) status = check_masses(robot, base, error);
    if (status == IB_OK) status = ib__urdf_write(robot, base, arena, mjcf, error);
    return status == IB_OK ? tell_left_out(robot, arena, left_out, error) : status;
}
