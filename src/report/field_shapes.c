#include "report/field_shapes.h"

#include "sim/input/timeline.h"
#include "world/zone.h"

#include <math.h>

// Offset of one coordinate from its place at rest.
static double offset(const ib_FieldTrack *track, ib_Time time)
{
    ib_Timeline timeline = {track->count, track->times, track->values, .linear = true};
    double value = 0, slope;
    ib_timeline_read(&timeline, time, 0, &value, &slope);
    return value;
}

static bool place_shape(const ib_ElementConfig *element, ib_Time time, ib_Arena *arena,
                        ib_PlotShape *shape)
{
    ib_Placed at;
    ib_Shape own = ib_element_shape(element);
    ib_shape_place(&own, element->x + offset(&element->move[IB_TRACK_X], time),
                   element->y + offset(&element->move[IB_TRACK_Y], time),
                   element->heading + offset(&element->move[IB_TRACK_HEADING], time), &at);
    double *x = ib_arena_array(arena, IB_OUTLINE_POINTS, sizeof *x);
    double *y = ib_arena_array(arena, IB_OUTLINE_POINTS, sizeof *y);
    if (!x || !y || at.count == 0) return false;
    *shape = (ib_PlotShape){IB_PLOT_OBSTACLE, x, y, ib_shape_outline(&at, x, y), NULL, 0};
    return true;
}

static bool same_place(const ib_PlotShape *a, const ib_PlotShape *b)
{
    for (int i = 0; i < a->count; i++)
        if (fabs(a->x[i] - b->x[i]) > 1e-6 || fabs(a->y[i] - b->y[i]) > 1e-6) return false;
    return true;
}

// The parts of a ridge, as far as its feet and half as far.
static int add_ridge(const ib_RidgeConfig *config, ib_Arena *arena, ib_PlotShape *shapes)
{
    ib_Ridge ridge;
    int count = 0;
    ib_ridge_init(config, &ridge);
    for (int i = 0; i < 2 * ib_ridge_parts(&ridge); i++) {
        double *x = ib_arena_array(arena, IB_RIDGE_OUTLINE, sizeof *x);
        double *y = ib_arena_array(arena, IB_RIDGE_OUTLINE, sizeof *y);
        double reach = i % 2 ? ridge.half / 2 : ridge.half;
        if (!x || !y) break;
        shapes[count++] = (ib_PlotShape){i % 2 ? IB_PLOT_CREST : IB_PLOT_RIDGE,        x,    y,
                                         ib_ridge_outline(&ridge, i / 2, reach, x, y), NULL, 0};
    }
    return count;
}

const ib_PlotShape *ib__field_shapes(const ib_FieldConfig *field, ib_Time end, ib_Arena *arena,
                                     int *count)
{
    int zones;
    const ib_AreaDef *areas = ib_zone_pictures(field, arena, &zones);
    *count = 0;
    size_t room = 1 + 2 * (size_t)field->element_count + (size_t)zones;
    room += (size_t)field->ridge_count * 2 * (2 * IB_RIDGE_POINTS + 2);
    ib_PlotShape *shapes = ib_arena_array(arena, room, sizeof *shapes);
    if (!shapes) return NULL;
    for (int i = 0; i < zones; i++)
        shapes[(*count)++] =
            (ib_PlotShape){IB_PLOT_ZONE,          areas[i].corner_x, areas[i].corner_y,
                           areas[i].corner_count, areas[i].name,     areas[i].colour};
    for (int i = 0; i < field->ridge_count; i++)
        *count += add_ridge(&field->ridges[i], arena, shapes + *count);
    if (field->corner_count > 0)
        shapes[(*count)++] = (ib_PlotShape){
            IB_PLOT_WALL, field->corner_x, field->corner_y, field->corner_count, NULL, 0};
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
