#include "desk/figure.h"

#include "base/status.h"

#include <math.h>
#include <string.h>

const ib_Figure *ib_figure_find(const ib_Figure *table, const char *key)
{
    while (table->key && strcmp(table->key, key) != 0) table++;
    IB_ASSERT(table->key);
    return table;
}

double ib_figure_value(const ib_Figure *figure, const void *of)
{
    return *(const double *)((const char *)of + figure->at);
}

double ib_figure_shown(const ib_Figure *figure, const void *of)
{
    double value = ib_figure_value(figure, of);
    if (figure->open && !(value > 0)) return INFINITY;
    return figure->scale != 0 ? figure->scale * value : value;
}

const char *ib_figure_otherwise(const ib_Figure *figure)
{
    return figure->otherwise ? figure->otherwise : "-";
}

const char *ib_unit_shown(const char *unit)
{
    return unit && strcmp(unit, "1") != 0 ? unit : "";
}

const char *ib_figure_heading(const ib_Figure *figure)
{
    return figure->heading ? figure->heading : figure->title;
}
