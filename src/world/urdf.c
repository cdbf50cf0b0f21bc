// world/urdf.c: from URDF to MJCF: first the tree of links is understood, then it is written.
#include "world/urdf.h"

#include "base/maths.h"
#include "base/quote.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LINKS = 300, MOST_DEPTH = 80 };

typedef enum Motion { FIXED, HINGE, SLIDE } Motion;

typedef struct Link {
    const ib_Xml *xml;
    const char *name;
    const ib_Xml *joint; ///< to its parent; NULL: it is the root
    int parent;          ///< -1: it is the root
    int depth;           ///< links above it; -1: not known yet
    // Of the inertial, in the link's axes; mass 0: it has none.
    double mass, centre[3], inertia[6]; ///< xx yy zz xy xz yz
    // Of the joint.
    Motion motion;
    double at[3], rpy[3], axis[3], range[2], effort, damping, friction;
    bool limited, driven;
} Link;

typedef struct Robot {
    Link links[MOST_LINKS];
    int count, root;
    const ib_Xml *xml;
    int meshes;            ///< left out
    const char *mesh_link; ///< the first of them
} Robot;

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

// Numbers of an attribute; those that are left out stay as they are.
static ib_Status numbers(const ib_Xml *element, const char *name, int count, double *values,
                         ib_Error *error)
{
    const ib_XmlAttribute *attribute = element ? ib_xml_attribute(element, name) : NULL;
    return attribute ? ib_xml_numbers(attribute, count, values, error) : IB_OK;
}

static ib_Status needed_number(const ib_Xml *element, const char *name, double *value,
                               ib_Error *error)
{
    const char *text;
    ib_Status status = need(element, name, &text, error);
    return status == IB_OK ? numbers(element, name, 1, value, error) : status;
}

static ib_Status read_origin(const ib_Xml *element, double at[3], double rpy[3], ib_Error *error)
{
    const ib_Xml *origin = ib_xml_child(element, "origin");
    memset(at, 0, 3 * sizeof *at);
    memset(rpy, 0, 3 * sizeof *rpy);
    ib_Status status = numbers(origin, "xyz", 3, at, error);
    return status == IB_OK ? numbers(origin, "rpy", 3, rpy, error) : status;
}

static int find_link(const Robot *robot, const char *name)
{
    for (int i = 0; i < robot->count; i++)
        if (strcmp(robot->links[i].name, name) == 0) return i;
    return -1;
}

// R = Rz(yaw) Ry(pitch) Rx(roll), row by row; URDF writes roll pitch yaw.
static void turn_of(const double rpy[3], double R[9])
{
    double sr, cr, sp, cp, sy, cy;
    ib_sincos(rpy[0], &sr, &cr);
    ib_sincos(rpy[1], &sp, &cp);
    ib_sincos(rpy[2], &sy, &cy);
    const double turn[9] = {cy * cp,
                            cy * sp * sr - sy * cr,
                            cy * sp * cr + sy * sr,
                            sy * cp,
                            sy * sp * sr + cy * cr,
                            sy * sp * cr - cy * sr,
                            -sp,
                            cp * sr,
                            cp * cr};
    memcpy(R, turn, sizeof turn);
}

// The inertia in the link's axes:  I = R I' R^T,  where R turns the inertial's axes into them.
static void turn_inertia(const double rpy[3], double inertia[6])
{
    static const int place[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
    double R[9], turned[6];
    turn_of(rpy, R);
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

static ib_Status read_inertial(Link *link, ib_Error *error)
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
    ib_Status status = needed_number(mass, "value", &link->mass, error);
    if (status == IB_OK) status = read_origin(inertial, link->centre, rpy, error);
    for (int i = 0; status == IB_OK && i < 6; i++)
        status = i < 3 ? needed_number(inertia, names[i], &link->inertia[i], error)
                       : numbers(inertia, names[i], 1, &link->inertia[i], error);
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

static ib_Status read_links(Robot *robot, ib_Error *error)
{
    for (const ib_Xml *xml = ib_xml_child(robot->xml, "link"); xml;
         xml = ib_xml_next(xml, "link")) {
        const char *name;
        ib_Status status = need(xml, "name", &name, error);
        if (status != IB_OK) return status;
        if (find_link(robot, name) >= 0)
            return ib_xml_refuse(xml, error, "there are two links '%s'", ib_quote(name).text);
        if (robot->count == MOST_LINKS)
            return ib_xml_refuse(xml, error, "more than %d links", MOST_LINKS);
        Link *link = &robot->links[robot->count++];
        *link = (Link){.xml = xml, .name = name, .parent = -1, .depth = -1};
        status = read_inertial(link, error);
        if (status != IB_OK) return status;
    }
    if (robot->count > 0) return IB_OK;
    return ib_xml_refuse(robot->xml, error, "a robot without links: expected <link name=\"…\">");
}

// ------------------------------------------------------------------------------------------ joints

static ib_Status read_type(const ib_Xml *joint, Link *link, ib_Error *error)
{
    const char *type;
    ib_Status status = need(joint, "type", &type, error);
    if (status != IB_OK) return status;
    bool fixed = strcmp(type, "fixed") == 0, slide = strcmp(type, "prismatic") == 0;
    bool turns = strcmp(type, "continuous") == 0;
    link->limited = slide || strcmp(type, "revolute") == 0;
    link->motion = fixed ? FIXED : slide ? SLIDE : HINGE;
    if (fixed || turns || link->limited) return IB_OK;
    bool known = strcmp(type, "planar") == 0 || strcmp(type, "floating") == 0;
    return ib_xml_refuse_value(
        ib_xml_attribute(joint, "type"), error,
        "type: expected revolute, continuous, prismatic or fixed, got '%s'%s", ib_quote(type).text,
        known ? "; of a base that floats: robot.base: free" : "");
}

// Effort above 0 is a motor's; of a joint that may turn on and on it need not be said.
static ib_Status read_limit(const ib_Xml *joint, const char *name, Link *link, ib_Error *error)
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
    ib_Status status = numbers(limit, "lower", 1, &link->range[0], error);
    if (status == IB_OK) status = numbers(limit, "upper", 1, &link->range[1], error);
    if (status == IB_OK) status = needed_number(limit, "effort", &link->effort, error);
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

static ib_Status read_motion(const ib_Xml *joint, const char *name, Link *link, ib_Error *error)
{
    const ib_Xml *axis = ib_xml_child(joint, "axis"), *dynamics = ib_xml_child(joint, "dynamics");
    ib_Status status = read_limit(joint, name, link, error);
    link->axis[0] = 1;
    if (status == IB_OK) status = numbers(axis, "xyz", 3, link->axis, error);
    if (status == IB_OK) status = numbers(dynamics, "damping", 1, &link->damping, error);
    if (status == IB_OK) status = numbers(dynamics, "friction", 1, &link->friction, error);
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

static ib_Status read_end(const Robot *robot, const ib_Xml *joint, const char *what, int *link,
                          ib_Error *error)
{
    const ib_Xml *end = ib_xml_child(joint, what);
    const char *name;
    if (!end) return ib_xml_refuse(joint, error, "a joint without <%s link=\"…\"/>", what);
    ib_Status status = need(end, "link", &name, error);
    if (status != IB_OK) return status;
    *link = find_link(robot, name);
    if (*link >= 0) return IB_OK;
    return ib_xml_refuse(end, error, "there is no link '%s'", ib_quote(name).text);
}

static ib_Status read_joint(Robot *robot, const ib_Xml *joint, ib_Error *error)
{
    int parent = -1, child = -1;
    const char *name;
    ib_Status status = need(joint, "name", &name, error);
    if (status == IB_OK) status = read_end(robot, joint, "parent", &parent, error);
    if (status == IB_OK) status = read_end(robot, joint, "child", &child, error);
    if (status != IB_OK) return status;
    Link *link = &robot->links[child];
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
    if (status == IB_OK) status = read_origin(joint, link->at, link->rpy, error);
    if (status == IB_OK && link->motion != FIXED) status = read_motion(joint, name, link, error);
    return status;
}

static ib_Status read_joints(Robot *robot, ib_Error *error)
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

// How many links stand between a link and the root; more than there are: they form a circle.
static int depth_of(const Robot *robot, int i)
{
    int depth = 0;
    for (; robot->links[i].parent >= 0 && depth <= robot->count; depth++)
        i = robot->links[i].parent;
    return depth;
}

static ib_Status check_tree(Robot *robot, ib_Error *error)
{
    robot->root = -1;
    for (int i = 0; i < robot->count; i++) {
        Link *link = &robot->links[i];
        if (link->parent >= 0) continue;
        if (robot->root >= 0)
            return ib_xml_refuse(
                link->xml, error, "links '%s' and '%s' both have no parent: expected one root",
                ib_quote(robot->links[robot->root].name).text, ib_quote(link->name).text);
        robot->root = i;
    }
    for (int i = 0; i < robot->count; i++) {
        Link *link = &robot->links[i];
        link->depth = depth_of(robot, i);
        if (robot->root < 0 || link->depth > robot->count)
            return ib_xml_refuse(link->joint, error,
                                 "link '%s' is in a circle of joints: a robot "
                                 "is a tree",
                                 ib_quote(link->name).text);
        if (link->depth > MOST_DEPTH)
            return ib_xml_refuse(link->xml, error, "more than %d links in a row", MOST_DEPTH);
    }
    return IB_OK;
}

// Mass of a link and of those that are fixed to it.
static double joined_mass(const Robot *robot, int link)
{
    double mass = 0;
    for (int i = 0; i < robot->count; i++) {
        int at = i;
        while (at != link && robot->links[at].parent >= 0 && robot->links[at].motion == FIXED)
            at = robot->links[at].parent;
        if (at == link) mass += robot->links[i].mass;
    }
    return mass;
}

static ib_Status check_masses(const Robot *robot, ib_UrdfBase base, ib_Error *error)
{
    for (int i = 0; i < robot->count; i++) {
        const Link *link = &robot->links[i];
        bool moves = i == robot->root ? base == IB_URDF_FREE : link->motion != FIXED;
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

// ----------------------------------------------------------------------------------------- writing

static void write_numbers(FILE *out, const char *name, const double *values, int count)
{
    fprintf(out, " %s=\"", name);
    for (int i = 0; i < count; i++) fprintf(out, "%s%.17g", i ? " " : "", values[i]);
    fprintf(out, "\"");
}

// A name as an attribute, with what means something in XML written as an entity.
static void write_name(FILE *out, const char *attribute, const char *name)
{
    fprintf(out, " %s=\"", attribute);
    for (; *name; name++) {
        if (strchr("<>&\"'", *name))
            fprintf(out, "&#%d;", *name);
        else
            fputc(*name, out);
    }
    fprintf(out, "\"");
}

// Place and attitude; the quaternion is that of turns about x, y and z by half the angles.
static void write_origin(FILE *out, const double at[3], const double rpy[3])
{
    double s[3], c[3];
    for (int i = 0; i < 3; i++) ib_sincos(0.5 * rpy[i], &s[i], &c[i]);
    const double quaternion[4] = {
        c[0] * c[1] * c[2] + s[0] * s[1] * s[2], s[0] * c[1] * c[2] - c[0] * s[1] * s[2],
        c[0] * s[1] * c[2] + s[0] * c[1] * s[2], c[0] * c[1] * s[2] - s[0] * s[1] * c[2]};
    write_numbers(out, "pos", at, 3);
    write_numbers(out, "quat", quaternion, 4);
}

// The colour of a visual: its own, or that of the material it names.
static ib_Status write_colour(FILE *out, const Robot *robot, const ib_Xml *visual, ib_Error *error)
{
    const ib_Xml *material = ib_xml_child(visual, "material");
    const ib_XmlAttribute *name = material ? ib_xml_attribute(material, "name") : NULL;
    const ib_Xml *colour = material ? ib_xml_child(material, "color") : NULL;
    double rgba[4] = {0.6, 0.65, 0.7, 1};
    for (const ib_Xml *known = ib_xml_child(robot->xml, "material"); !colour && name && known;
         known = ib_xml_next(known, "material")) {
        const ib_XmlAttribute *own = ib_xml_attribute(known, "name");
        if (own && strcmp(own->value, name->value) == 0) colour = ib_xml_child(known, "color");
    }
    ib_Status status = numbers(colour, "rgba", 4, rgba, error);
    for (int i = 0; i < 4; i++) rgba[i] = fmin(fmax(rgba[i], 0), 1);
    write_numbers(out, "rgba", rgba, 4);
    return status;
}

static ib_Status check_size(const ib_Xml *shape, const double *size, int count, ib_Error *error)
{
    for (int i = 0; i < count; i++)
        if (!(size[i] > 0 && size[i] < 1e4))
            return ib_xml_refuse(shape, error, "<%s>: expected sizes above 0 m, got %g",
                                 ib_quote(shape->name).text, size[i]);
    return IB_OK;
}

// One visual or collision. `touches`: it is there for contacts; `seen`: it is shown.
static ib_Status write_shape(FILE *out, Robot *robot, const Link *link, const ib_Xml *part,
                             bool touches, bool seen, ib_Error *error)
{
    const ib_Xml *geometry = ib_xml_child(part, "geometry");
    const ib_Xml *shape = geometry ? geometry->first : NULL;
    double at[3], rpy[3], size[3] = {0};
    if (!shape)
        return ib_xml_refuse(part, error,
                             "<%s> of link '%s': expected <geometry> with a box, "
                             "cylinder, sphere or mesh",
                             part->name, ib_quote(link->name).text);
    if (strcmp(shape->name, "mesh") == 0) {
        if (robot->meshes++ == 0) robot->mesh_link = link->name;
        return IB_OK;
    }
    bool box = strcmp(shape->name, "box") == 0, ball = strcmp(shape->name, "sphere") == 0;
    bool cylinder = strcmp(shape->name, "cylinder") == 0;
    ib_Status status = read_origin(part, at, rpy, error);
    if (status != IB_OK) return status;
    if (box) status = numbers(shape, "size", 3, size, error);
    if (ball || cylinder) status = needed_number(shape, "radius", &size[0], error);
    if (status == IB_OK && cylinder) status = needed_number(shape, "length", &size[1], error);
    if (status != IB_OK) return status;
    if (!box && !ball && !cylinder)
        return ib_xml_refuse(shape, error, "<%s>: expected a box, cylinder, sphere or mesh",
                             ib_quote(shape->name).text);
    status = check_size(shape, size, box ? 3 : cylinder ? 2 : 1, error);
    for (int i = box ? 0 : 1; i < 3; i++) size[i] *= 0.5; // MJCF has halves
    fprintf(out, "<geom type=\"%s\"%s group=\"%d\"", shape->name,
            touches ? "" : " contype=\"0\" conaffinity=\"0\"", seen ? 1 : 3);
    write_numbers(out, "size", size, box ? 3 : cylinder ? 2 : 1);
    write_origin(out, at, rpy);
    if (status == IB_OK) status = write_colour(out, robot, part, error);
    fprintf(out, "/>\n");
    return status;
}

// Shapes to touch and to look at; where there is nothing to look at, those to touch are shown.
static ib_Status write_shapes(FILE *out, Robot *robot, const Link *link, ib_Error *error)
{
    bool visual = false;
    ib_Status status = IB_OK;
    for (const ib_Xml *part = ib_xml_child(link->xml, "visual"); part && status == IB_OK;
         part = ib_xml_next(part, "visual")) {
        int meshes = robot->meshes;
        status = write_shape(out, robot, link, part, false, true, error);
        visual |= robot->meshes == meshes;
    }
    for (const ib_Xml *part = ib_xml_child(link->xml, "collision"); part && status == IB_OK;
         part = ib_xml_next(part, "collision"))
        status = write_shape(out, robot, link, part, true, !visual, error);
    return status;
}

static void write_joint(FILE *out, const Link *link)
{
    if (link->motion == FIXED) return;
    fprintf(out, "<joint type=\"%s\"", link->motion == SLIDE ? "slide" : "hinge");
    write_name(out, "name", ib_xml_attribute(link->joint, "name")->value);
    write_numbers(out, "axis", link->axis, 3);
    fprintf(out, " limited=\"%s\"", link->limited ? "true" : "false");
    if (link->limited) write_numbers(out, "range", link->range, 2);
    write_numbers(out, "damping", &link->damping, 1);
    write_numbers(out, "frictionloss", &link->friction, 1);
    fprintf(out, "/>\n");
}

// A link with all that hangs on it, as deep as check_tree allows.
static ib_Status write_link(FILE *out, Robot *robot, int index, ib_UrdfBase base, ib_Error *error)
{
    const Link *link = &robot->links[index];
    fprintf(out, "<body");
    write_name(out, "name", link->name);
    write_origin(out, link->at, link->rpy);
    fprintf(out, ">\n");
    if (index != robot->root) {
        write_joint(out, link);
    } else if (base == IB_URDF_FREE) {
        fprintf(out, "<freejoint");
        write_name(out, "name", link->name);
        fprintf(out, "/>\n");
    }
    if (link->mass > 0) {
        fprintf(out, "<inertial");
        write_numbers(out, "pos", link->centre, 3);
        write_numbers(out, "mass", &link->mass, 1);
        write_numbers(out, "fullinertia", link->inertia, 6);
        fprintf(out, "/>\n");
    }
    ib_Status status = write_shapes(out, robot, link, error);
    for (int i = 0; i < robot->count && status == IB_OK; i++)
        if (robot->links[i].parent == index) status = write_link(out, robot, i, base, error);
    fprintf(out, "</body>\n");
    return status;
}

static void write_motors(FILE *out, const Robot *robot)
{
    fprintf(out, "<actuator>\n");
    for (int i = 0; i < robot->count; i++) {
        const Link *link = &robot->links[i];
        double range[2] = {-link->effort, link->effort};
        if (!link->driven) continue;
        const char *name = ib_xml_attribute(link->joint, "name")->value;
        fprintf(out, "<motor");
        write_name(out, "name", name);
        write_name(out, "joint", name);
        if (link->effort > 0) {
            fprintf(out, " ctrllimited=\"true\" forcelimited=\"true\"");
            write_numbers(out, "ctrlrange", range, 2);
            write_numbers(out, "forcerange", range, 2);
        }
        fprintf(out, "/>\n");
    }
    fprintf(out, "</actuator>\n");
}

static ib_Status write_robot(FILE *out, Robot *robot, ib_UrdfBase base, ib_Error *error)
{
    const ib_XmlAttribute *name = ib_xml_attribute(robot->xml, "name");
    fprintf(out, "<mujoco");
    write_name(out, "model", name ? name->value : "robot");
    // Geoms weigh nothing: a link has the mass that its <inertial> says, and no other.
    fprintf(out, ">\n<compiler angle=\"radian\" usethread=\"false\" boundmass=\"0\"/>\n"
                 "<option timestep=\"0.001\" gravity=\"0 0 -9.80665\"/>\n"
                 "<default><geom density=\"0\"/></default>\n<worldbody>\n");
    if (base == IB_URDF_FREE)
        fprintf(out, "<geom name=\"floor\" type=\"plane\" size=\"0 0 1\"/>\n");
    ib_Status status = write_link(out, robot, robot->root, base, error);
    fprintf(out, "</worldbody>\n");
    write_motors(out, robot);
    fprintf(out, "</mujoco>\n");
    return status;
}

static ib_Status write_all(Robot *robot, ib_UrdfBase base, ib_Arena *arena, const char **mjcf,
                           ib_Error *error)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (!out) return ib_error_set(error, IB_FAILED, "out of memory for a model");
    ib_Status status = write_robot(out, robot, base, error);
    bool whole = !ferror(out);
    whole &= fclose(out) == 0;
    *mjcf = whole && text ? ib_arena_text_n(arena, text, length) : NULL;
    free(text);
    if (status == IB_OK && !*mjcf)
        return ib_error_set(error, IB_FAILED, "out of memory for a model");
    return status;
}

ib_Status ib_urdf_convert(const ib_Xml *xml, ib_UrdfBase base, ib_Arena *arena, const char **mjcf,
                          const char **left_out, ib_Error *error)
{
    Robot *robot = ib_arena_alloc(arena, sizeof *robot);
    if (!robot) return ib_error_set(error, IB_FAILED, "out of memory for a model");
    robot->xml = xml;
    ib_Status status = read_links(robot, error);
    if (status == IB_OK) status = read_joints(robot, error);
    if (status == IB_OK) status = check_tree(robot, error);
    if (status == IB_OK) status = check_masses(robot, base, error);
    if (status == IB_OK) status = write_all(robot, base, arena, mjcf, error);
    if (status != IB_OK) return status;
    *left_out = "";
    if (robot->meshes == 0) return IB_OK;
    *left_out =
        ib_arena_format(arena, "%d mesh%s left out, of link '%s' first: %s neither seen nor touch",
                        robot->meshes, robot->meshes == 1 ? " is" : "es are",
                        ib_quote(robot->mesh_link).text, robot->meshes == 1 ? "it is" : "they are");
    return *left_out ? IB_OK : ib_error_set(error, IB_FAILED, "out of memory for a model");
}
