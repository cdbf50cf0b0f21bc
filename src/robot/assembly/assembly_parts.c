// robot/assembly/assembly_parts.c: the mechanisms of a robot as loops see them.
#include "robot/assembly/assembly_inside.h"
#include "robot/mechanisms.h"

bool ib__assembly_parts(const ib__Assembly *a, ib_Arena *arena, ib_RobotPorts *ports)
{
    ib_ControlPart *parts = ib_arena_array(arena, (size_t)a->count, sizeof *parts);
    bool good = parts != NULL;
    for (int i = 0; good && i < a->count; i++)
        good = ib_mechanism_name(&a->items[i], ports, arena, &parts[i]);
    ports->part_count = a->count;
    ports->parts = parts;
    return good;
}
