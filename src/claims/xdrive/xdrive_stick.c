#include "claims/xdrive/xdrive_stick.h"

#include "base/extreme.h"
#include "base/maths.h"

#include <math.h>

static const double degrees_per_radian = 57.29577951308232;

// The direction of (x, y); NAN for no motion within rounding.
static double direction(double x, double y)
{
    return fabs(x) + fabs(y) > 1e-12 ? ib_atan2(y, x) * degrees_per_radian : NAN;
}

void ib_xdrive_answer(int law, const ib_Stick *stick, ib_XdriveAnswer *answer)
{
    const ib_MixingConfig config = {.law = law};
    double cut[IB_XDRIVE_MOTORS];
    ib_MixingModel model;
    ib_Status status = ib_mixing_init(&config, IB_XDRIVE_MOTORS, ib_xdrive_roll, &model, NULL);
    IB_ASSERT(status == IB_OK);
    ib_mixing_outputs(&model, stick, answer->output);
    for (int i = 0; i < IB_XDRIVE_MOTORS; i++) cut[i] = ib_min(ib_max(answer->output[i], -1), 1);
    ib_Stick motion = ib_xdrive_motion(cut);
    double across = stick->x * motion.y - stick->y * motion.x;
    double along = stick->x * motion.x + stick->y * motion.y;
    answer->commanded = direction(stick->x, stick->y);
    answer->driven = direction(motion.x, motion.y);
    answer->error = isnan(answer->driven) ? NAN : direction(along, across);
    answer->speed = sqrt(motion.x * motion.x + motion.y * motion.y);
    answer->turn = motion.turn;
    answer->undefined = ib_mixing_undefined(&model, stick);
}
