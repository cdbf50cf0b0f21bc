// world/pattern.h: the pushes of an island by the right pattern. docs/world.md, "The law"
// Internal to this folder.
#ifndef IB_WORLD_PATTERN_H
#define IB_WORLD_PATTERN_H

#include "world/law.h"

// From the pattern that the contacts have. False: none that obeys the law was found.
bool ib__pattern_search(ib__Law *law);

// The same for a few contacts, from a hundred patterns, where the search above goes in circles.
bool ib__pattern_search_widely(ib__Law *law);

// Pushes of any sign for the pattern at hand, without a search.
void ib__pattern_hold(ib__Law *law);

// The same by the recipe of the pushes last found, of which these are a smooth continuation.
void ib__pattern_follow(ib__Law *law);

// Of contacts that are all bound, where nothing has to be searched.
void ib__pattern_bind(ib__Law *law);

#endif
