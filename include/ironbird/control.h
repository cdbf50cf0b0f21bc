// ironbird/control.h: everything public of src/control.
#ifndef IRONBIRD_CONTROL_H
#define IRONBIRD_CONTROL_H

#include "control/controller.h"
#include "control/driving/drive_loop.h"
#include "control/driving/heading.h"
#include "control/driving/locomotion.h"
#include "control/driving/mixing.h"
#include "control/driving/stick.h"
#include "control/driving/xdrive.h"
#include "control/feedback/kalman.h"
#include "control/feedback/pid.h"
#include "control/feedback/polytope.h"
#include "control/feedback/state_feedback.h"
#include "control/leg/foot_path.h"
#include "control/leg/leg.h"
#include "control/loop.h"
#include "control/odometry/odometry.h"
#include "control/path/blend.h"
#include "control/path/curve.h"
#include "control/path/follow.h"
#include "control/path/jerk.h"
#include "control/path/path.h"
#include "control/path/profile.h"
#include "control/path/pursuit.h"
#include "control/path/trajectory.h"
#include "control/servo/hold.h"

#endif
