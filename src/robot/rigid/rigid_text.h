// robot/rigid/rigid_text.h: the MJCF text of a body that MuJoCo moves, section by section, so that
// it stands alone in a model or beside others (robot/rigid/rigid_group.h). docs/world/mujoco.md
#ifndef IB_ROBOT_RIGID_TEXT_H
#define IB_ROBOT_RIGID_TEXT_H

#include "base/arena.h"
#include "world/terrain.h"

#include <stdio.h>

typedef enum ib_RigidSection {
    IB_RIGID_DEFAULTS,
    IB_RIGID_FLOOR, ///< its plane at height 0, and its terrain
    IB_RIGID_BODIES,
    IB_RIGID_TENDONS,
    IB_RIGID_EQUALITIES,
    IB_RIGID_ACTUATORS,
    IB_RIGID_CONTACTS, ///< bodies that never touch
    IB_RIGID_SECTIONS,
} ib_RigidSection;

// MuJoCo's masks: two geoms touch if the type of one meets the affinity of the other.
typedef struct ib_RigidTouch {
    unsigned type, affinity;
} ib_RigidTouch;

typedef struct ib_RigidText {
    FILE *out;
    const char *prefix;   ///< of its names, and the name of its class; "": it is alone
    ib_RigidTouch own;    ///< of its geoms,
    ib_RigidTouch floor;  ///< of its plane,
    ib_RigidTouch ground; ///< and of its terrain
    ib_TerrainBox *boxes; ///< of the terrain that others have written, IB_TERRAIN_BOXES; NULL
    int box_count;
    bool full; ///< there were more
} ib_RigidText;

// Writes a format in which % is a text, $ a number, @3 an array of three, ' a quotation mark, & the
// prefix, ~ the attribute of its class, if it has one.
void ib_rigid_put(ib_RigidText *text, const char *format, ...);

// The geom's own masks.
void ib_rigid_put_touch(ib_RigidText *text, ib_RigidTouch touch);

// Masks of a body that is alone; `self`: its parts touch each other.
void ib_rigid_text_alone(ib_RigidText *text, bool self);

// False: others have this box, or there is no room for one more.
bool ib_rigid_claim_box(ib_RigidText *text, const ib_TerrainBox *box);

// The text that `write` leaves; NULL without memory.
const char *ib_rigid_compose(void (*write)(const void *of, ib_RigidText *text), const void *of,
                             ib_RigidText *text, ib_Arena *arena);

#endif
