#include "control/driving/stick.h"

#include "base/maths.h"

#include <math.h>

const char *const ib_stick_curves[] = {"linear", "squared", "cubed", NULL};

// s/r of control/driving/stick.h.
static double share(double r, double dead_zone, int curve)
{
    if (r >= 1) return 1;
    if (r <= dead_zone) return 0;
    double s = (r - dead_zone) / (1 - dead_zone), power = s;
    for (int i = IB_STICK_LINEAR; i < curve; i++) power *= s;
    return power / r;
}

ib_Stick ib_stick_shaped(const ib_Stick *stick, double dead_zone, int curve)
{
    double x = stick->x, y = stick->y, turn = stick->turn;
    double planar = share(sqrt(x * x + y * y), dead_zone, curve);
    return (ib_Stick){x * planar, y * planar, turn * share(fabs(turn), dead_zone, curve)};
}

ib_Stick ib_stick_in_frame(const ib_Stick *stick, double heading)
{
    double x = stick->x, y = stick->y, s, c;
    ib_sincos(heading, &s, &c);
    return (ib_Stick){x * c + y * s, -x * s + y * c, stick->turn};
}
