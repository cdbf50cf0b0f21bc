// robot/assembly/assembly.h: a base and the mechanisms that stand on it, as one robot on one bus.
// Its page is docs/parts.md.
//
//   speeds  ->  bus  ->  currents  ->  rates
// Base and mechanisms tell their motors' speeds as bridges, the supply solves the bus for all of
// them at one instant, and each turns its share into rates. The base's states, inputs, signals and
// guards come first and are what they are without mechanisms; those of the mechanisms follow.
//
// What couples them: the bus, and the mechanisms' mass, which the base carries (its inertia as it
// stands at the start), and whose centre counts where its wheels share the weight. That a base
// which speeds up swings an arm, and an arm the base, is left out (docs/parts.md has the figures).
#ifndef IB_ROBOT_ASSEMBLY_H
#define IB_ROBOT_ASSEMBLY_H

#include "robot/kind.h"
#include "robot/outfit.h"

// Puts the mechanisms on a base: `robot` is its base before and the whole afterwards.
ib_Status ib_assembly_init(const ib_OutfitConfig *outfit, ib_Arena *arena, ib_Robot *robot,
                           ib_Error *error);

#endif
