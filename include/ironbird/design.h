// ironbird/design.h: everything public of src/design.
#ifndef IRONBIRD_DESIGN_H
#define IRONBIRD_DESIGN_H

#include "design/discretise.h"
#include "design/eigen.h"
#include "design/exponential.h"
#include "design/state_space.h"

#endif
