// ironbird/link.h: everything public of src/link.
#ifndef IRONBIRD_LINK_H
#define IRONBIRD_LINK_H

#include "link/plugin.h"

#endif
