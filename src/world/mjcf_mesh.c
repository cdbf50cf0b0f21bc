// world/mjcf_mesh.c: consistency of the arrays of a mesh. MuJoCo 2.2.2 looks up a vertex for each
// corner of a face before it has checked that there is such a vertex, and leaves it to qhull to
// find out that vertices enclose nothing, which prints sixty lines.
#include "base/quote.h"
#include "world/mjcf_inside.h"

#include <math.h>
#include <string.h>

enum {
    LEAST_VERTICES = 4,
    MOST_VERTICES = 5000, ///< of one mesh: a contact may check each of them
    MOST_CLASSES = 64,    ///< of defaults, inside each other
};
static const double most_length = 1e6; ///< of a coordinate [m], so that squares stay floats
static const double flat = 1e-6;       ///< thickness by length: vertices are floats of 7 digits

// ---------------------------------------------------------------------------------------- vertices

// The farthest vertex from the origin of `from`; with a line or a plane through it, from that:
// |p - from|, |(p - from) x unit| and |(p - from) unit| are the distances.
typedef enum Distance { TO_POINT, TO_LINE, TO_PLANE } Distance;

static void cross(const double a[3], const double b[3], double c[3])
{
    for (int i = 0; i < 3; i++)
        c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static double length_of(const double a[3])
{
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

static double farthest(const double *vertices, int count, Distance to, const double unit[3],
                       double found[3])
{
    double most = 0;
    for (int i = 0; i < count; i++) {
        double r[3], across[3], distance = 0;
        for (int k = 0; k < 3; k++) r[k] = vertices[3 * i + k] - vertices[k];
        cross(r, unit, across);
        if (to == TO_POINT) distance = length_of(r);
        if (to == TO_LINE) distance = length_of(across);
        if (to == TO_PLANE) distance = fabs(r[0] * unit[0] + r[1] * unit[1] + r[2] * unit[2]);
        if (!(distance > most)) continue;
        most = distance;
        memcpy(found, r, sizeof r);
    }
    return most;
}

// True if all vertices lie in a plane, on a line or in a point. The thickness is measured across
// the plane through the first vertex, the farthest from it, and the farthest from the line of
// these two.
static bool is_flat(const double *vertices, int count)
{
    double along[3] = {0}, aside[3] = {0}, away[3] = {0}, normal[3];
    double size = farthest(vertices, count, TO_POINT, along, along);
    if (size == 0) return true;
    for (int i = 0; i < 3; i++) along[i] /= size;
    if (farthest(vertices, count, TO_LINE, along, aside) <= flat * size) return true;
    cross(along, aside, normal);
    double area = length_of(normal);
    for (int i = 0; i < 3; i++) normal[i] /= area;
    return farthest(vertices, count, TO_PLANE, normal, away) <= flat * size;
}

static ib_Status read_vertices(const ib_XmlAttribute *vertex, ib_Arena *arena, double **vertices,
                               int *count, ib_Error *error)
{
    const char *at = vertex->value;
    char word[IB_NUMBER_TEXT];
    double *numbers = ib_arena_array(arena, 3 * MOST_VERTICES, sizeof *numbers), value;
    int found = 0;
    if (!numbers) return ib_error_set(error, IB_FAILED, "out of memory for a mesh");
    while (ib__mjcf_next(&at, word)) {
        if (ib_number_read(word, &value, NULL) != IB_OK || !(fabs(value) <= most_length))
            return ib_xml_refuse_value(vertex, error,
                                       "vertex: expected plain numbers of at most %g, got '%s'",
                                       most_length, ib_quote(word).text);
        if (found == 3 * MOST_VERTICES)
            return ib_xml_refuse_value(vertex, error, "vertex: more than %d vertices",
                                       MOST_VERTICES);
        numbers[found++] = value;
    }
    if (found % 3 != 0 || found < 3 * LEAST_VERTICES)
        return ib_xml_refuse_value(vertex, error,
                                   "vertex: expected three numbers for each of at least %d "
                                   "vertices, got %d numbers",
                                   LEAST_VERTICES, found);
    *vertices = numbers;
    *count = found / 3;
    return IB_OK;
}

// ------------------------------------------------------------------------------------------- scale

static bool is_default(const ib_Xml *element)
{
    return element && strcmp(element->name, "default") == 0;
}

// The scale by a class of defaults, NULL: the one around all of them. The last of several counts.
// `above`: the element around it.
static const ib_XmlAttribute *scale_of_class(const ib_Xml *root, const char *name,
                                             const ib_Xml **above)
{
    const ib_XmlAttribute *scale = NULL;
    *above = NULL;
    for (const ib_Xml *e = root; e; e = ib_xml_walk(e)) {
        const ib_XmlAttribute *own = ib_xml_attribute(e, "class");
        bool meant = name ? own && strcmp(own->value, name) == 0 : !is_default(e->parent);
        if (!is_default(e) || !meant) continue;
        *above = e->parent;
        for (const ib_Xml *mesh = ib_xml_child(e, "mesh"); mesh; mesh = ib_xml_next(mesh, "mesh"))
            if (ib_xml_attribute(mesh, "scale")) scale = ib_xml_attribute(mesh, "scale");
    }
    return scale;
}

// The scale of a mesh is its own, or that of its class, or of the class around that.
static void find_scale(const ib_Xml *mesh, double scale[3])
{
    const ib_XmlAttribute *given = ib_xml_attribute(mesh, "scale");
    const ib_XmlAttribute *class = ib_xml_attribute(mesh, "class");
    const char *name = class ? class->value : NULL;
    const ib_Xml *root = mesh, *above = NULL;
    double read[3];
    while (root->parent) root = root->parent;
    for (int i = 0; !given && i < MOST_CLASSES; i++) {
        given = scale_of_class(root, name, &above);
        if (!is_default(above)) break;
        class = is_default(above->parent) ? ib_xml_attribute(above, "class") : NULL;
        name = class ? class->value : NULL;
    }
    // MuJoCo refuses anything but three numbers.
    bool good = given && ib_xml_numbers(given, 3, read, NULL) == IB_OK;
    for (int k = 0; k < 3; k++) scale[k] = good ? read[k] : 1;
}

static ib_Status scale_vertices(const ib_Xml *mesh, double *vertices, int count, ib_Error *error)
{
    double scale[3];
    find_scale(mesh, scale);
    for (int i = 0; i < 3 * count; i++) {
        double size = fabs(vertices[i] * scale[i % 3]);
        if (!(size <= most_length))
            return ib_xml_refuse(mesh, error,
                                 "a coordinate of %g m, a vertex times its scale: expected at most "
                                 "%g m",
                                 size, most_length);
        vertices[i] *= scale[i % 3];
    }
    return IB_OK;
}

// ------------------------------------------------------------------------------------------- faces

static ib_Status check_faces(const ib_XmlAttribute *face, int vertices, ib_Error *error)
{
    const char *at = face->value;
    char word[IB_NUMBER_TEXT];
    int found = 0, corner;
    for (; ib__mjcf_next(&at, word); found++) {
        if (!ib__mjcf_whole(word, &corner) || corner < 0 || corner >= vertices)
            return ib_xml_refuse_value(face, error,
                                       "face: expected whole numbers from 0 to %d, the last "
                                       "vertex, got '%s'",
                                       vertices - 1, ib_quote(word).text);
    }
    if (found % 3 != 0 || found == 0)
        return ib_xml_refuse_value(
            face, error, "face: expected three vertices for each face, got %d numbers", found);
    return IB_OK;
}

ib_Status ib__mjcf_check_mesh(const ib_Xml *mesh, bool seen, ib_Error *error)
{
    const ib_XmlAttribute *vertex = ib_xml_attribute(mesh, "vertex");
    const ib_XmlAttribute *face = ib_xml_attribute(mesh, "face");
    ib_Arena arena = {0};
    double *vertices = NULL;
    int count = 0;
    if (!vertex) // a default for meshes, or one that MuJoCo refuses
        return face ? ib_xml_refuse_value(face, error, "face: there is no vertex") : IB_OK;
    ib_Status status = read_vertices(vertex, &arena, &vertices, &count, error);
    if (status == IB_OK && face) status = check_faces(face, count, error);
    bool solid = !(face && seen);
    if (status == IB_OK && solid && is_flat(vertices, count))
        status = ib_xml_refuse_value(vertex, error,
                                     "vertex: all vertices are in one plane: expected some that "
                                     "enclose a volume");
    if (status == IB_OK) status = scale_vertices(mesh, vertices, count, error);
    if (status == IB_OK && solid && is_flat(vertices, count))
        status = ib_xml_refuse(mesh, error,
                               "its scale brings all vertices into one plane: expected them to "
                               "enclose a volume");
    ib_arena_reset(&arena);
    return status;
}
