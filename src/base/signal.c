#include "base/signal.h"

#include <string.h>

static int reserve(ib_SignalTable *table, int more)
{
    if (table->count + more <= table->capacity) return 1;
    int capacity = 2 * (table->count + more);
    ib_SignalDef *items = ib_arena_array(table->arena, (size_t)capacity, sizeof *items);
    if (!items) return 0;
    if (table->count) memcpy(items, table->items, (size_t)table->count * sizeof *items);
    table->items = items;
    table->capacity = capacity;
    return 1;
}

// "red.pose.x"; "pose.x" with an empty prefix.
static const char *join(ib_Arena *arena, const char *prefix, const char *name)
{
    size_t before = strlen(prefix), length = strlen(name), dot = before ? 1 : 0;
    char *text = ib_arena_alloc(arena, before + dot + length + 1);
    if (!text) return NULL;
    memcpy(text, prefix, before);
    if (dot) text[before] = '.';
    memcpy(text + before + dot, name, length + 1);
    return text;
}

int ib_signals_add(ib_SignalTable *table, const char *prefix, const ib_SignalDef *signals,
                   int count)
{
    return ib_signals_add_part(table, prefix, NULL, signals, count);
}

int ib_signals_add_part(ib_SignalTable *table, const char *prefix, const char *part,
                        const ib_SignalDef *signals, int count)
{
    int first = table->count;
    if (!reserve(table, count)) return -1;
    for (int i = 0; i < count; i++) {
        ib_SignalDef item = signals[i];
        if (part) item.means.part = part;
        item.name = join(table->arena, prefix, item.name);
        if (!item.name) return -1;
        table->items[table->count++] = item;
    }
    return first;
}

int ib_signals_find(const ib_SignalTable *table, const char *name)
{
    for (int i = 0; i < table->count; i++)
        if (strcmp(table->items[i].name, name) == 0) return i;
    return -1;
}

int ib_signals_role(const ib_SignalTable *table, const char *robot, ib_SignalRole role)
{
    for (int i = 0; i < table->count; i++) {
        const ib_SignalMeaning *means = &table->items[i].means;
        if (means->role == role && ib_meaning_is_of(means, robot)) return i;
    }
    return -1;
}

int ib_signals_match(const char *pattern, const char *name)
{
    // Greedy match with one point of return: the last star takes one character more at
    // each mismatch.
    const char *star = NULL, *resume = NULL;
    while (*name) {
        if (*pattern == '*') {
            star = pattern++;
            resume = name;
        } else if (*pattern == *name) {
            pattern++;
            name++;
        } else if (star) {
            pattern = star + 1;
            name = ++resume;
        } else {
            return 0;
        }
    }
    while (*pattern == '*') pattern++;
    return *pattern == '\0';
}

// ----------------------------------------------------------------------------------------- meaning

static bool same_text(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "") == 0;
}

bool ib_meaning_is_of(const ib_SignalMeaning *means, const char *robot)
{
    return same_text(means->robot, robot);
}

bool ib_meaning_same_part(const ib_SignalMeaning *a, const ib_SignalMeaning *b)
{
    return same_text(a->robot, b->robot) && same_text(a->part, b->part);
}

bool ib_role_gives(ib_SignalRole role)
{
    return role == IB_ROLE_GIVEN || role == IB_ROLE_SUPPLIED;
}

bool ib_role_books(ib_SignalRole role)
{
    return role >= IB_ROLE_GIVEN && role <= IB_ROLE_BALANCE;
}

static const char *const role_names[IB_SIGNAL_ROLES] = {
    [IB_ROLE_NONE] = "",
    [IB_ROLE_GIVEN] = "given",
    [IB_ROLE_SUPPLIED] = "supplied",
    [IB_ROLE_STORED] = "stored",
    [IB_ROLE_LOST] = "lost",
    [IB_ROLE_BALANCE] = "balance",
    [IB_ROLE_SUPPLY_VOLTAGE] = "supply_voltage",
    [IB_ROLE_SUPPLY_CURRENT] = "supply_current",
    [IB_ROLE_SUPPLY_USED] = "supply_used",
    [IB_ROLE_SUPPLY_LEFT] = "supply_left",
    [IB_ROLE_LOAD] = "load",
    [IB_ROLE_POSE_X] = "pose_x",
    [IB_ROLE_POSE_Y] = "pose_y",
    [IB_ROLE_POSE_HEADING] = "pose_heading",
    [IB_ROLE_VELOCITY_X] = "velocity_x",
    [IB_ROLE_VELOCITY_Y] = "velocity_y",
    [IB_ROLE_YAW_RATE] = "yaw_rate",
    [IB_ROLE_POSE_PITCH] = "pose_pitch",
    [IB_ROLE_POSE_ROLL] = "pose_roll",
    [IB_ROLE_RATE_X] = "rate_x",
    [IB_ROLE_RATE_Y] = "rate_y",
    [IB_ROLE_RATE_Z] = "rate_z",
    [IB_ROLE_ACCELERATION_X] = "acceleration_x",
    [IB_ROLE_ACCELERATION_Y] = "acceleration_y",
    [IB_ROLE_ACCELERATION_Z] = "acceleration_z",
    [IB_ROLE_CENTRE_X] = "centre_x",
    [IB_ROLE_CENTRE_Y] = "centre_y",
    [IB_ROLE_PUSH_X] = "push_x",
    [IB_ROLE_PUSH_Y] = "push_y",
    [IB_ROLE_PUSH_TORQUE] = "push_torque",
    [IB_ROLE_SLOPE_X] = "slope_x",
    [IB_ROLE_SLOPE_Y] = "slope_y",
    [IB_ROLE_CONTACT_FORCE] = "contact_force",
    [IB_ROLE_CONTACT_X] = "contact_x",
    [IB_ROLE_CONTACT_Y] = "contact_y",
    [IB_ROLE_CONTACT_TORQUE] = "contact_torque",
    [IB_ROLE_MOTOR_VOLTAGE] = "motor_voltage",
    [IB_ROLE_MOTOR_MOTION] = "motor_motion",
    [IB_ROLE_MOTOR_SLIP] = "motor_slip",
    [IB_ROLE_STEP] = "step",
    [IB_ROLE_LATE_STEP] = "late_step",
    [IB_ROLE_PLAN_X] = "plan_x",
    [IB_ROLE_PLAN_Y] = "plan_y",
    [IB_ROLE_PLAN_HEADING] = "plan_heading",
};

const char *ib_role_name(ib_SignalRole role)
{
    return role_names[role];
}

ib_SignalRole ib_role_find(const char *name)
{
    for (int i = 0; i < IB_SIGNAL_ROLES; i++)
        if (strcmp(role_names[i], name) == 0) return (ib_SignalRole)i;
    return IB_ROLE_NONE;
}

size_t ib_signal_stem(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot ? (size_t)(dot - name) : 0;
}
