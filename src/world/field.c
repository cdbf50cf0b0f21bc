#include "world/field.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

ib_FieldConfig ib_field_default(void)
{
    return (ib_FieldConfig){.restitution = 1, .friction = 0.5, .height = IB_WALL_HEIGHT};
}

void ib_field_rectangle(ib_FieldConfig *field, double x, double y, double length, double width)
{
    const double far_x = x + length, far_y = y + width;
    field->corner_count = 4;
    memcpy(field->corner_x, (double[]){x, far_x, far_x, x}, 4 * sizeof(double));
    memcpy(field->corner_y, (double[]){y, y, far_y, far_y}, 4 * sizeof(double));
}

ib_ElementConfig ib_element_default(const ib_FieldConfig *field)
{
    return (ib_ElementConfig){
        .form = IB_ELEMENT_BOX,
        .length = 1,
        .width = 1,
        .restitution = field->restitution,
        .friction = field->friction,
        .height = field->height,
    };
}

int ib_element_moves(const ib_ElementConfig *element)
{
    int knots = 0;
    for (int i = 0; i < IB_TRACK_COUNT; i++) knots += element->move[i].count;
    return knots > 0;
}

ib_Shape ib_element_shape(const ib_ElementConfig *element)
{
    ib_Shape shape = {0};
    switch (element->form) {
    case IB_ELEMENT_BOX:
        shape = ib_shape_box(element->length, element->width);
        shape.radius = element->radius;
        break;
    case IB_ELEMENT_DISC:
        shape = ib_shape_disc(element->radius);
        break;
    case IB_ELEMENT_POLYGON:
        ib_shape_polygon(element->corner_count, element->corner_x, element->corner_y,
                         element->radius, &shape, NULL);
        break;
    }
    return shape;
}

// True if the perimeter, in its own sense, turns outwards at corner i. sense: 1 counter-clockwise.
static bool is_reflex(const ib_FieldConfig *field, int i, double sense)
{
    int n = field->corner_count, before = (i + n - 1) % n, next = (i + 1) % n;
    const double *x = field->corner_x, *y = field->corner_y;
    return sense * ((x[i] - x[before]) * (y[next] - y[i]) - (y[i] - y[before]) * (x[next] - x[i])) <
           0;
}

// 1: the perimeter goes counter-clockwise; -1: clockwise.
static double sense_of(const ib_FieldConfig *field)
{
    double area = 0;
    int n = field->corner_count;
    for (int i = 0; i < n; i++)
        area += field->corner_x[i] * field->corner_y[(i + 1) % n] -
                field->corner_x[(i + 1) % n] * field->corner_y[i];
    return area > 0 ? 1 : -1;
}

// At an inward corner a wall goes on behind its neighbour, so that a robot's corner in the corner
// of the field meets two faces; at an outward corner it ends, since it would stand in the way. The
// test counts the edges that a line to the right of the point crosses.
bool ib_field_within(const ib_FieldConfig *field, double x, double y)
{
    bool within = field->corner_count == 0;
    for (int i = 0, k = field->corner_count - 1; i < field->corner_count; k = i++) {
        double x0 = field->corner_x[i], y0 = field->corner_y[i];
        double x1 = field->corner_x[k], y1 = field->corner_y[k];
        if ((y0 > y) != (y1 > y) && x < x0 + (x1 - x0) * ((y - y0) / (y1 - y0))) within = !within;
    }
    return within;
}

void ib_field_wall(const ib_FieldConfig *field, int i, double corner_x[4], double corner_y[4])
{
    int next = (i + 1) % field->corner_count;
    double sense = sense_of(field), x = field->corner_x[i], y = field->corner_y[i];
    double dx = field->corner_x[next] - x, dy = field->corner_y[next] - y;
    double length = sqrt(dx * dx + dy * dy), tx = dx / length, ty = dy / length;
    double ox = sense * ty * IB_WALL_THICKNESS, oy = -sense * tx * IB_WALL_THICKNESS;
    double from = is_reflex(field, i, sense) ? 0 : IB_WALL_THICKNESS;
    double to = length + (is_reflex(field, next, sense) ? 0 : IB_WALL_THICKNESS);
    const double along[4] = {-from, to, to, -from}, out[4] = {0, 0, 1, 1};
    for (int k = 0; k < 4; k++) {
        corner_x[k] = along[k] * tx + out[k] * ox;
        corner_y[k] = along[k] * ty + out[k] * oy;
    }
}

// ------------------------------------------------------------------------------------------ checks

static ib_Status check_surface(double restitution, double friction, ib_Error *error)
{
    if (!(restitution >= 0 && restitution <= 1))
        return ib_error_set(error, IB_BAD_INPUT, "restitution must be 0 to 1, got %g", restitution);
    if (!(friction >= 0 && isfinite(friction)))
        return ib_error_set(error, IB_BAD_INPUT, "friction must be 0 or more, got %g", friction);
    return IB_OK;
}

ib_Status ib_element_check(const ib_ElementConfig *element, ib_Error *error)
{
    ib_Shape shape;
    ib_Status status = check_surface(element->restitution, element->friction, error);
    if (status != IB_OK) return status;
    if (!isfinite(element->x) || !isfinite(element->y) || !isfinite(element->heading))
        return ib_error_set(error, IB_BAD_INPUT, "its place is not finite");
    if (element->form == IB_ELEMENT_BOX && !(element->length > 1e-6 && element->width > 1e-6))
        return ib_error_set(error, IB_BAD_INPUT, "length and width must be positive");
    if (element->form == IB_ELEMENT_DISC && !(element->radius > 0))
        return ib_error_set(error, IB_BAD_INPUT, "radius must be positive");
    if (!(element->radius >= 0))
        return ib_error_set(error, IB_BAD_INPUT, "radius must not be negative");
    if (element->form != IB_ELEMENT_POLYGON) return IB_OK;
    return ib_shape_polygon(element->corner_count, element->corner_x, element->corner_y,
                            element->radius, &shape, error);
}

static double cross(const ib_FieldConfig *field, int i, int j, int k)
{
    const double *x = field->corner_x, *y = field->corner_y;
    return (x[j] - x[i]) * (y[k] - y[i]) - (x[k] - x[i]) * (y[j] - y[i]);
}

static bool edges_cross(const ib_FieldConfig *field, int i, int k)
{
    int n = field->corner_count, ii = (i + 1) % n, kk = (k + 1) % n;
    return cross(field, i, ii, k) * cross(field, i, ii, kk) < 0 &&
           cross(field, k, kk, i) * cross(field, k, kk, ii) < 0;
}

ib_Status ib_perimeter_check(const ib_FieldConfig *field, ib_Error *error)
{
    int n = field->corner_count;
    ib_Status status = check_surface(field->restitution, field->friction, error);
    if (status != IB_OK || n == 0) return status;
    if (n < 3 || n > IB_FIELD_CORNERS)
        return ib_error_set(error, IB_BAD_INPUT, "expected walls with 3 to %d corners, got %d",
                            IB_FIELD_CORNERS, n);
    for (int i = 0; i < n; i++) {
        int next = (i + 1) % n;
        double ex = field->corner_x[next] - field->corner_x[i];
        double ey = field->corner_y[next] - field->corner_y[i];
        if (!(fabs(ex) + fabs(ey) > 1e-6))
            return ib_error_set(error, IB_BAD_INPUT, "a wall from (%g m, %g m) has no length",
                                field->corner_x[i], field->corner_y[i]);
        for (int k = i + 2; k < n; k++)
            if ((k + 1) % n != i && edges_cross(field, i, k))
                return ib_error_set(
                    error, IB_BAD_INPUT, "the walls from (%g m, %g m) and from (%g m, %g m) cross",
                    field->corner_x[i], field->corner_y[i], field->corner_x[k], field->corner_y[k]);
    }
    return IB_OK;
}

ib_Status ib_field_check(const ib_FieldConfig *field, ib_Error *error)
{
    ib_Error inner;
    ib_Status status = ib_perimeter_check(field, error);
    if (status != IB_OK) return status;
    if (field->element_count < 0 || field->element_count + field->corner_count > IB_FIELD_ELEMENTS)
        return ib_error_set(error, IB_BAD_INPUT, "%d elements and walls, at most %d are possible",
                            field->element_count + field->corner_count, IB_FIELD_ELEMENTS);
    for (int i = 0; i < field->element_count; i++) {
        status = ib_element_check(&field->elements[i], &inner);
        if (status != IB_OK)
            return ib_error_set(error, status, "%s: %s", field->elements[i].name, inner.text);
    }
    for (int i = 0; i < field->ridge_count; i++) {
        status = ib_ridge_check(&field->ridges[i], &inner);
        if (status != IB_OK)
            return ib_error_set(error, status, "%s: %s", field->ridges[i].name, inner.text);
    }
    return IB_OK;
}
