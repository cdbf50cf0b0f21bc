// control/driving/mixing.h: a driver's stick as the outputs of any number of wheels' motors.
// Derivation, pictures, limits: docs/control/mixing.md
//
//   standard    m = C (x, y, turn),   outputs m/max(1, max|m|)        any wheels; direction kept
//   published   (10) to (13) plus (22) to (29) of FTC 12566 as printed            an X-drive only
//   corrected   the same with their mistakes mended                               an X-drive only
//
// C comes from the wheels: a row says how a motor turns for a robot that moves as the stick says,
// and each column is scaled so that its largest element is 1, so that full stick on one axis alone
// is a full output of a motor.
#ifndef IB_CONTROL_DRIVING_MIXING_H
#define IB_CONTROL_DRIVING_MIXING_H

#include "base/status.h"
#include "control/driving/stick.h"

#include <stdbool.h>

enum { IB_MIXING_STANDARD, IB_MIXING_PUBLISHED, IB_MIXING_CORRECTED };
enum { IB_MIXING_MOTORS = 16 }; ///< at most

extern const char *const ib_mixing_laws[]; ///< NULL-terminated, in the order of the enum

typedef struct ib_MixingConfig {
    int law;          ///< IB_MIXING_STANDARD …
    double dead_zone; ///< of the stick, and of its turn by itself [1], 0 .. below 1
    int curve;        ///< IB_STICK_LINEAR …
} ib_MixingConfig;

// Immutable, shared by threads.
typedef struct ib_MixingModel {
    ib_MixingConfig config;
    int count;                          ///< of motors
    bool shaped;                        ///< has a dead zone or a curve
    double column[3][IB_MIXING_MOTORS]; ///< C: for stick x, stick y, turn to the right [1]
} ib_MixingModel;

// The standard law, no dead zone, a linear curve.
ib_MixingConfig ib_mixing_default(void);
ib_Status ib_mixing_check(const ib_MixingConfig *config, ib_Error *error);

// After a check. roll[i]: how fast motor i turns for a robot that moves forward with 1 m/s, moves
// to the left with 1 m/s, turns left with 1 rad/s, all in one unit: the rows of the inverse
// kinematics. An axis that no motor moves along is a column of zeros and does nothing. The laws for
// an X-drive refuse any other layout, with an error that begins with "mixing: ".
ib_Status ib_mixing_init(const ib_MixingConfig *config, int count, const double (*roll)[3],
                         ib_MixingModel *model, ib_Error *error);

// `count` outputs, within -1 .. 1 (the corrected law to a rounding). Those of the published law are
// as printed, up to 3, for the bridges to cut, and without a turn outside of its cases. A stick
// beyond -1 .. 1 is first scaled back to it in its direction.
void ib_mixing_outputs(const ib_MixingModel *model, const ib_Stick *stick, double *output);

// True if the published law has no case for this stick. Never for the other laws.
bool ib_mixing_undefined(const ib_MixingModel *model, const ib_Stick *stick);

#endif
