// report/field_shapes.h: a field as polygons for a trajectory. Internal to src/report.
#ifndef IB_REPORT_FIELD_SHAPES_H
#define IB_REPORT_FIELD_SHAPES_H

#include "base/arena.h"
#include "report/plot/plot.h"
#include "world/field.h"

// Zones, the perimeter, each element at its place at the start and, if it has moved by then, at
// `end`. `count` is 0 (and the result NULL) for an empty floor and without memory.
const ib_PlotShape *ib__field_shapes(const ib_FieldConfig *field, ib_Time end, ib_Arena *arena,
                                     int *count);

#endif
