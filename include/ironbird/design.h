// ironbird/design.h: everything public of src/design.
#ifndef IRONBIRD_DESIGN_H
#define IRONBIRD_DESIGN_H

#include "design/analysis/analysis.h"
#include "design/augment.h"
#include "design/controllability.h"
#include "design/delay.h"
#include "design/export/export.h"
#include "design/feedforward.h"
#include "design/fit/fit_motor.h"
#include "design/frequency.h"
#include "design/kalman_gain.h"
#include "design/lqr.h"
#include "design/margins/margins.h"
#include "design/placement/placement.h"
#include "design/response.h"
#include "design/riccati/riccati.h"
#include "design/riccati/schur.h"
#include "design/zeros.h"
#include "plant/electric/gearmotor.h"
#include "plant/mechanism/mechanism.h"

#endif
