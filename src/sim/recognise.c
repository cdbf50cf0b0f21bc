#include "sim/recognise.h"

#include "plant/air/air.h"
#include "plant/electric/motor_row.h"
#include "plant/electric/power.h"
#include "plant/wheel/rims.h"
#include "plant/wheel/sides.h"
#include "plant/wheel/swerve.h"
#include "robot/kind.h"
#include "robot/planar.h"
#include "sim/contact/field.h"
#include "sim/model.h"

#include <string.h>

// The name of one of several parts stands behind the prefix, "branch.left.closed", and is its name
// with the prefix if that distinguishes it, "steer.1". The last word of a prefix is the part's name
// where there is one of it, "drive.left.current".
enum { ONE, SEVERAL, SEVERAL_WHOLE, NAMED };

typedef struct Rows {
    const char *prefix;
    const ib_SignalDef *rows;
    int count, parts; ///< ONE …
} Rows;

// Declarations of parts of robots and of the simulation itself; those of one robot alone stand in
// its kind.
static const Rows parts[] = {
    {"", ib_planar_signals, IB_PLANAR_SIGNALS, ONE},
    {"", ib_power_signals, IB_POWER_SIGNALS, ONE},
    {IB_PREFIX_BRANCH, ib_branch_signals, IB_BREAKER_STATES, SEVERAL},
    {IB_PREFIX_AIR, ib_air_signals, IB_AIR_SIGNALS, ONE},
    {IB_PREFIX_COMPRESSOR, ib_compressor_signals, IB_COMPRESSOR_SIGNALS, ONE},
    {IB_PREFIX_CYLINDER, ib_cylinder_signals, IB_CYLINDER_SIGNALS, SEVERAL},
    {"", ib_path_signals, IB_PATH_SIGNALS, ONE},
    {"", ib_disturbance_signals, IB_DISTURBANCE_SIGNALS, ONE},
    {"", ib_contact_signals, IB_CONTACT_SIGNALS, ONE},
};

// Rows of bases with any wheels. A kind that has such a name means its own.
static const Rows bases[] = {
    {"drive.left", ib_side_motor_signals, IB_MOTOR_SIGNALS, NAMED},
    {"drive.right", ib_side_motor_signals, IB_MOTOR_SIGNALS, NAMED},
    {"wheel.left", ib_side_signals, IB_SIDE_SIGNALS, NAMED},
    {"wheel.right", ib_side_signals, IB_SIDE_SIGNALS, NAMED},
    {"motor", ib_motor_row_signals, IB_MOTOR_SIGNALS, SEVERAL},
    {"steer", ib_motor_row_signals, IB_MOTOR_SIGNALS, SEVERAL_WHOLE},
    {"wheel", ib_wheel_signals, IB_WHEEL_SIGNALS, SEVERAL},
    {"module", ib_swerve_signals, IB_SWERVE_SIGNALS, SEVERAL},
};

// A row, and the letters of the name between prefix and row; 0: none.
typedef struct Found {
    const ib_SignalDef *row;
    const char *part;
    size_t part_length;
} Found;

// True if a row has more than a name.
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

static Found find_part(const Rows *rows, size_t count, const char *name, const char *unit)
{
    Found found = {NULL, NULL, 0};
    for (size_t i = 0; !found.row && i < count; i++) {
        size_t length = strlen(rows[i].prefix), before = length > 0 ? length + 1 : 0;
        if (length > 0 && (strncmp(name, rows[i].prefix, length) != 0 || name[length] != '.'))
            continue;
        bool several = rows[i].parts == SEVERAL || rows[i].parts == SEVERAL_WHOLE;
        found = find_row(rows[i].rows, rows[i].count, several, name + before, unit);
        if (found.row && rows[i].parts == NAMED) {
            found.part = strrchr(rows[i].prefix, '.') + 1;
            found.part_length = strlen(found.part);
        }
        if (!found.row || rows[i].parts != SEVERAL_WHOLE) continue;
        found.part = name;
        found.part_length += before;
    }
    return found;
}

static Found find(const char *name, const char *unit)
{
    Found found = find_part(parts, sizeof parts / sizeof *parts, name, unit);
    for (int i = 0; !found.row && ib_robot_kinds[i]; i++) {
        const ib_SignalRows *rows = ib_robot_kinds[i]->signals;
        if (rows) found = find_row(rows->items, rows->count, false, name, unit);
    }
    return found.row ? found : find_part(bases, sizeof bases / sizeof *bases, name, unit);
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
