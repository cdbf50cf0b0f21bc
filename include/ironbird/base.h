// ironbird/base.h: everything public of src/base.
#ifndef IRONBIRD_BASE_H
#define IRONBIRD_BASE_H

#include "base/arena.h"
#include "base/clock.h"
#include "base/geometry.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/maths.h"
#include "base/matrix.h"
#include "base/mode.h"
#include "base/quick.h"
#include "base/random.h"
#include "base/schema.h"
#include "base/signal.h"
#include "base/signal_text.h"
#include "base/status.h"
#include "base/table.h"
#include "base/units.h"
#include "base/word.h"

#endif
