// ironbird/sim.h: everything public of src/sim.
#ifndef IRONBIRD_SIM_H
#define IRONBIRD_SIM_H

#include "sim/advice.h"
#include "sim/config.h"
#include "sim/geometry.h"
#include "sim/input/live_input.h"
#include "sim/input/timeline.h"
#include "sim/linearise/linearise.h"
#include "sim/linearise/variant.h"
#include "sim/loop/control.h"
#include "sim/model.h"
#include "sim/pace.h"
#include "sim/pool.h"
#include "sim/run.h"
#include "sim/sim.h"
#include "sim/watch/meter.h"
#include "sim/watch/probe.h"
#include "sim/watch/summary.h"

#endif
