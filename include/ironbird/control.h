// ironbird/control.h: everything public of src/control.
#ifndef IRONBIRD_CONTROL_H
#define IRONBIRD_CONTROL_H

#include "control/blend.h"
#include "control/path.h"

#endif
