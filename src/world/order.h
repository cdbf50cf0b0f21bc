// world/order.h: the order in which the bodies of an island are eliminated.
// docs/world/world.md, "Many" Internal to this folder.
#ifndef IB_WORLD_ORDER_H
#define IB_WORLD_ORDER_H

#include "world/law.h"

// Finds the places of all bodies, and the first block of each row of the law's system. `room`: 2
// contact_count + 2 body_count + 1 integers.
void ib__order_find(ib__Law *law, int *room);

#endif
