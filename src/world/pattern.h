// world/pattern.h: the pushes of an island by the right pattern. docs/world/world.md, "The law"
// Internal to this folder.
#ifndef IB_WORLD_PATTERN_H
#define IB_WORLD_PATTERN_H

#include "world/law.h"

// Searches from the present pattern of the contacts. False: none was found that obeys the law.
bool ib__pattern_search(ib__Law *law);

// The same for a few contacts, from a hundred patterns, where the search above goes in circles.
bool ib__pattern_search_widely(ib__Law *law);

// Pushes of any sign for the pattern at hand, without a search.
void ib__pattern_hold(ib__Law *law);

// The same by the recipe of the pushes last found, of which these are a smooth continuation.
void ib__pattern_follow(ib__Law *law);

// Solves for contacts that are all bound, without a search.
void ib__pattern_bind(ib__Law *law);

#endif
