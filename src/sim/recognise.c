#include "sim/recognise.h"

#include "plant/air.h"
#include "plant/power.h"
#include "robot/kind.h"
#include "robot/planar.h"
#include "sim/field.h"
#include "sim/model.h"

#include <string.h>

// What parts of robots and the simulation itself show; what is a robot's own stands in its kind.
static const struct {
    const char *prefix;
    const ib_SignalDef *rows;
    int count;
    bool several; ///< the part's name stands behind the prefix: "branch.left.closed"
} parts[] = {
    {"", ib_planar_signals, IB_PLANAR_SIGNALS, false},
    {"", ib_power_signals, IB_POWER_SIGNALS, false},
    {IB_PREFIX_BRANCH, ib_branch_signals, IB_BREAKER_STATES, true},
    {IB_PREFIX_AIR, ib_air_signals, IB_AIR_SIGNALS, false},
    {IB_PREFIX_COMPRESSOR, ib_compressor_signals, IB_COMPRESSOR_SIGNALS, false},
    {IB_PREFIX_CYLINDER, ib_cylinder_signals, IB_CYLINDER_SIGNALS, true},
    {"", ib_path_signals, IB_PATH_SIGNALS, false},
    {"", ib_disturbance_signals, IB_DISTURBANCE_SIGNALS, false},
    {"", ib_contact_signals, IB_CONTACT_SIGNALS, false},
};
enum { PARTS = sizeof parts / sizeof parts[0] };

// A row, and the letters of the name between prefix and row; 0: none.
typedef struct Found {
    const ib_SignalDef *row;
    const char *part;
    size_t part_length;
} Found;

// Does a row say more than its name?
static bool says_something(const ib_SignalMeaning *means)
{
    return means->role != IB_ROLE_NONE || means->headline || means->shown || means->mode ||
           means->binary;
}

// The row with this name; of one of several parts, that which the name ends with behind a dot.
static Found find_row(const ib_SignalDef *rows, int count, bool several, const char *name,
                      const char *unit)
{
    size_t length = strlen(name);
    for (int i = 0; i < count; i++) {
        const ib_SignalDef *row = &rows[i];
        size_t own = row->name ? strlen(row->name) : 0;
        if (own == 0 || own > length || strcmp(row->name, name + length - own) != 0) continue;
        if (unit[0] && strcmp(row->unit, unit) != 0) continue;
        bool fits = several ? length > own + 1 && name[length - own - 1] == '.' : own == length;
        if (fits && says_something(&row->means))
            return (Found){row, name, several ? length - own - 1 : 0};
    }
    return (Found){NULL, NULL, 0};
}

static Found find(const char *name, const char *unit)
{
    Found found = {NULL, NULL, 0};
    for (int i = 0; !found.row && i < PARTS; i++) {
        size_t length = strlen(parts[i].prefix);
        if (length > 0 && (strncmp(name, parts[i].prefix, length) != 0 || name[length] != '.'))
            continue;
        found = find_row(parts[i].rows, parts[i].count, parts[i].several,
                         length > 0 ? name + length + 1 : name, unit);
    }
    for (int i = 0; !found.row && ib_robot_kinds[i]; i++) {
        const ib_SignalRows *rows = ib_robot_kinds[i]->signals;
        if (rows) found = find_row(rows->items, rows->count, false, name, unit);
    }
    return found;
}

bool ib_signal_recognise(const char *name, const char *unit, ib_Arena *arena,
                         ib_SignalMeaning *means)
{
    for (const char *tail = name, *dot; tail; tail = (dot = strchr(tail, '.')) ? dot + 1 : NULL) {
        Found found = find(tail, unit);
        if (!found.row) continue;
        if (ib_role_books(found.row->means.role)) return false;
        ib_SignalMeaning made = found.row->means;
        if (found.part_length > 0)
            made.part = ib_arena_text_n(arena, found.part, found.part_length);
        if (tail > name) made.robot = ib_arena_text_n(arena, name, (size_t)(tail - name) - 1);
        if ((found.part_length > 0 && !made.part) || (tail > name && !made.robot)) return false;
        *means = made;
        return true;
    }
    return false;
}
