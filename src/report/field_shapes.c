#include "report/field_shapes.h"

#include "base/maths.h"
#include "sim/timeline.h"

#include <math.h>

enum { ARC = 8 }; // lines for a quarter of a circle

static ib_Shape element_shape(const ib_ElementConfig *element)
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

// How far one coordinate is from its place at rest.
static double offset(const ib_FieldTrack *track, ib_Time time)
{
    ib_Timeline timeline = {track->count, track->times, track->values, .linear = true};
    double value = 0, slope;
    ib_timeline_read(&timeline, time, 0, &value, &slope);
    return value;
}

// The outline as a polygon: the corners as they are, or rounded by an arc from the normal of one
// edge to that of the next.
static bool place_shape(const ib_ElementConfig *element, ib_Time time, ib_Arena *arena,
                        ib_PlotShape *shape)
{
    const double tau = 6.283185307179586;
    ib_Placed at;
    ib_Shape own = element_shape(element);
    ib_shape_place(&own, element->x + offset(&element->move[IB_TRACK_X], time),
                   element->y + offset(&element->move[IB_TRACK_Y], time),
                   element->heading + offset(&element->move[IB_TRACK_HEADING], time), &at);
    int points = at.count == 1 ? 4 * ARC + 1 : at.radius > 0 ? ARC + 1 : 1;
    double *x = ib_arena_array(arena, (size_t)(at.count * points), sizeof *x);
    double *y = ib_arena_array(arena, (size_t)(at.count * points), sizeof *y);
    if (!x || !y || at.count == 0) return false;
    for (int i = 0; i < at.count; i++) {
        int before = (i + at.count - 1) % at.count;
        double from = ib_atan2(at.ny[before], at.nx[before]);
        double turn = ib_atan2(at.ny[i], at.nx[i]) - from;
        if (at.count == 1)
            turn = tau;
        else if (turn < 0)
            turn += tau;
        for (int k = 0; k < points; k++) {
            double angle = from + (points > 1 ? turn * k / (points - 1) : 0), s, c;
            ib_sincos(angle, &s, &c);
            x[i * points + k] = at.x[i] + at.radius * c;
            y[i * points + k] = at.y[i] + at.radius * s;
        }
    }
    *shape = (ib_PlotShape){IB_PLOT_OBSTACLE, x, y, at.count * points};
    return true;
}

static bool same_place(const ib_PlotShape *a, const ib_PlotShape *b)
{
    for (int i = 0; i < a->count; i++)
        if (fabs(a->x[i] - b->x[i]) > 1e-6 || fabs(a->y[i] - b->y[i]) > 1e-6) return false;
    return true;
}

const ib_PlotShape *ib__field_shapes(const ib_FieldConfig *field, ib_Time end, ib_Arena *arena,
                                     int *count)
{
    *count = 0;
    size_t room = 1 + 2 * (size_t)field->element_count;
    ib_PlotShape *shapes = ib_arena_array(arena, room, sizeof *shapes);
    if (!shapes) return NULL;
    if (field->corner_count > 0)
        shapes[(*count)++] =
            (ib_PlotShape){IB_PLOT_WALL, field->corner_x, field->corner_y, field->corner_count};
    for (int i = 0; i < field->element_count; i++) {
        const ib_ElementConfig *element = &field->elements[i];
        ib_PlotShape start, later;
        if (!place_shape(element, 0, arena, &start)) continue;
        shapes[(*count)++] = start;
        if (!ib_element_moves(element) || !place_shape(element, end, arena, &later)) continue;
        later.form = IB_PLOT_MOVED;
        if (!same_place(&start, &later)) shapes[(*count)++] = later;
    }
    return *count > 0 ? shapes : NULL;
}
