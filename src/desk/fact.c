#include "desk/fact.h"

#include "base/status.h"

#include <math.h>
#include <string.h>

const ib_Fact *ib_fact_find(const ib_Fact *table, const char *key)
{
    while (table->key && strcmp(table->key, key) != 0) table++;
    IB_ASSERT(table->key);
    return table;
}

double ib_fact_value(const ib_Fact *fact, const void *of)
{
    return *(const double *)((const char *)of + fact->at);
}

double ib_fact_shown(const ib_Fact *fact, const void *of)
{
    double value = ib_fact_value(fact, of);
    if (fact->open && !(value > 0)) return INFINITY;
    return fact->scale != 0 ? fact->scale * value : value;
}

const char *ib_fact_otherwise(const ib_Fact *fact)
{
    return fact->otherwise ? fact->otherwise : "-";
}

const char *ib_unit_shown(const char *unit)
{
    return unit && strcmp(unit, "1") != 0 ? unit : "";
}

const char *ib_fact_heading(const ib_Fact *fact)
{
    return fact->heading ? fact->heading : fact->title;
}
