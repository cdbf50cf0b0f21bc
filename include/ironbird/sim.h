// ironbird/sim.h: everything public of src/sim.
#ifndef IRONBIRD_SIM_H
#define IRONBIRD_SIM_H

#include "sim/advice.h"
#include "sim/config.h"
#include "sim/control.h"
#include "sim/geometry.h"
#include "sim/linearise.h"
#include "sim/live_input.h"
#include "sim/meter.h"
#include "sim/model.h"
#include "sim/pace.h"
#include "sim/pool.h"
#include "sim/probe.h"
#include "sim/run.h"
#include "sim/sim.h"
#include "sim/summary.h"
#include "sim/timeline.h"
#include "sim/variant.h"

#endif
