// world/urdf_write.c: writes the links and joints of a URDF as MJCF. Every number has 17 digits, so
// that MuJoCo reads the same value.
#include "base/extreme.h"
#include "base/maths.h"
#include "base/quote.h"
#include "world/urdf_inside.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void write_numbers(FILE *out, const char *name, const double *values, int count)
{
    fprintf(out, " %s=\"", name);
    for (int i = 0; i < count; i++) fprintf(out, "%s%.17g", i ? " " : "", values[i]);
    fprintf(out, "\"");
}

// A name as an attribute, with XML's own characters as entities.
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
static ib_Status write_colour(FILE *out, const ib__UrdfRobot *robot, const ib_Xml *visual,
                              ib_Error *error)
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
    ib_Status status = ib__urdf_numbers(colour, "rgba", 4, rgba, error);
    for (int i = 0; i < 4; i++) rgba[i] = ib_min(ib_max(rgba[i], 0), 1);
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

// One visual or collision. `touches`: for contacts; `seen`: for display.
static ib_Status write_shape(FILE *out, ib__UrdfRobot *robot, const ib__UrdfLink *link,
                             const ib_Xml *part, bool touches, bool seen, ib_Error *error)
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
    ib_Status status = ib__urdf_origin(part, at, rpy, error);
    if (status != IB_OK) return status;
    if (box) status = ib__urdf_numbers(shape, "size", 3, size, error);
    if (ball || cylinder) status = ib__urdf_needed(shape, "radius", &size[0], error);
    if (status == IB_OK && cylinder) status = ib__urdf_needed(shape, "length", &size[1], error);
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
static ib_Status write_shapes(FILE *out, ib__UrdfRobot *robot, const ib__UrdfLink *link,
                              ib_Error *error)
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

static void write_joint(FILE *out, const ib__UrdfLink *link)
{
    if (link->motion == IB__URDF_WELD) return;
    fprintf(out, "<joint type=\"%s\"", link->motion == IB__URDF_SLIDE ? "slide" : "hinge");
    write_name(out, "name", ib_xml_attribute(link->joint, "name")->value);
    write_numbers(out, "axis", link->axis, 3);
    fprintf(out, " limited=\"%s\"", link->limited ? "true" : "false");
    if (link->limited) write_numbers(out, "range", link->range, 2);
    write_numbers(out, "damping", &link->damping, 1);
    write_numbers(out, "frictionloss", &link->friction, 1);
    fprintf(out, "/>\n");
}

// A link with all that hangs on it, as deep as check_tree allows.
static ib_Status write_link(FILE *out, ib__UrdfRobot *robot, int index, ib_UrdfBase base,
                            ib_Error *error)
{
    const ib__UrdfLink *link = &robot->links[index];
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

static void write_motors(FILE *out, const ib__UrdfRobot *robot)
{
    fprintf(out, "<actuator>\n");
    for (int i = 0; i < robot->count; i++) {
        const ib__UrdfLink *link = &robot->links[i];
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

static ib_Status write_robot(FILE *out, ib__UrdfRobot *robot, ib_UrdfBase base, ib_Error *error)
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

ib_Status ib__urdf_write(ib__UrdfRobot *robot, ib_UrdfBase base, ib_Arena *arena, const char **mjcf,
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
