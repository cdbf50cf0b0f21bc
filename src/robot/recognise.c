#include "robot/recognise.h"

#include "plant/air.h"
#include "plant/power.h"
#include "robot/kind.h"

#include <string.h>

// Parts that several robots have; what is a robot's own stands in its kind.
static const struct {
    const char *prefix;
    ib_SignalRows rows;
} parts[] = {
    {"", {ib_power_signals, IB_POWER_SIGNALS}},
    {IB_PREFIX_AIR, {ib_air_signals, IB_AIR_SIGNALS}},
    {IB_PREFIX_COMPRESSOR, {ib_compressor_signals, IB_COMPRESSOR_SIGNALS}},
};

// Does a row say more than its name?
static bool says_something(const ib_SignalMeaning *means)
{
    return means->role != IB_ROLE_NONE || means->headline || means->shown || means->mode;
}

static const ib_SignalDef *find_row(const ib_SignalRows *rows, const char *name, const char *unit)
{
    for (int i = 0; i < rows->count; i++) {
        const ib_SignalDef *row = &rows->items[i];
        if (!row->name || strcmp(row->name, name) != 0) continue;
        if (unit[0] && strcmp(row->unit, unit) != 0) continue;
        if (says_something(&row->means)) return row;
    }
    return NULL;
}

static const ib_SignalDef *find(const char *name, const char *unit)
{
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        size_t length = strlen(parts[i].prefix);
        if (length > 0 && (strncmp(name, parts[i].prefix, length) != 0 || name[length] != '.'))
            continue;
        const ib_SignalDef *row =
            find_row(&parts[i].rows, length > 0 ? name + length + 1 : name, unit);
        if (row) return row;
    }
    for (int i = 0; ib_robot_kinds[i]; i++) {
        const ib_SignalRows *rows = ib_robot_kinds[i]->signals;
        const ib_SignalDef *row = rows ? find_row(rows, name, unit) : NULL;
        if (row) return row;
    }
    return NULL;
}

bool ib_robot_recognise(const char *name, const char *unit, ib_SignalMeaning *means, size_t *robot)
{
    for (const char *tail = name, *dot; tail; tail = (dot = strchr(tail, '.')) ? dot + 1 : NULL) {
        const ib_SignalDef *row = find(tail, unit);
        if (!row) continue;
        if (ib_role_books(row->means.role)) return false;
        *means = row->means;
        *robot = tail > name ? (size_t)(tail - name) - 1 : 0;
        return true;
    }
    return false;
}
