// ironbird/world.h: everything public of src/world.
#ifndef IRONBIRD_WORLD_H
#define IRONBIRD_WORLD_H

#include "world/field.h"
#include "world/ridge.h"
#include "world/shape.h"
#include "world/world.h"

#endif
