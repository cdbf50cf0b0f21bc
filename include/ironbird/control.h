// ironbird/control.h: everything public of src/control.
#ifndef IRONBIRD_CONTROL_H
#define IRONBIRD_CONTROL_H

#include "control/blend.h"
#include "control/controller.h"
#include "control/curve.h"
#include "control/drive_loop.h"
#include "control/follow.h"
#include "control/heading.h"
#include "control/hold.h"
#include "control/jerk.h"
#include "control/kalman.h"
#include "control/leg/foot_path.h"
#include "control/leg/leg.h"
#include "control/locomotion.h"
#include "control/loop.h"
#include "control/mixing.h"
#include "control/odometry.h"
#include "control/path.h"
#include "control/pid.h"
#include "control/polytope.h"
#include "control/profile.h"
#include "control/pursuit.h"
#include "control/state_feedback.h"
#include "control/stick.h"
#include "control/trajectory.h"
#include "control/xdrive.h"

#endif
