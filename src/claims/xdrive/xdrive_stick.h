// claims/xdrive/xdrive_stick.h: the result of each law of control/driving/mixing.h for one stick on
// an X-drive.
#ifndef IB_CLAIMS_XDRIVE_STICK_H
#define IB_CLAIMS_XDRIVE_STICK_H

#include "control/driving/mixing.h"
#include "control/driving/xdrive.h"

// Directions are counted from the right, counter-clockwise, -180 .. 180 [deg]; NAN: none.
typedef struct ib_XdriveAnswer {
    double output[IB_XDRIVE_MOTORS]; ///< of the law, -1 .. 1; of the published one -3 .. 3
    double commanded, driven;        ///< directions of stick and motion [deg]
    double error;                    ///< driven less commanded, -180 .. 180 [deg]
    double speed;                    ///< of the motion, as a share of full stick along an axis
    double turn;                     ///< to the right, as a share of full turn
    bool undefined;                  ///< no case of the published law holds for one of the motors
} ib_XdriveAnswer;

// `law`: IB_MIXING_STANDARD … The motion is that of the outputs, cut to -1 .. 1 by the bridges.
void ib_xdrive_answer(int law, const ib_Stick *stick, ib_XdriveAnswer *answer);

#endif
