#include "control/leg/support.h"

#include "base/extreme.h"

#include <math.h>

// The line through each pair of feet is an edge if all others lie on one side of it. Inside, the
// margin is the least distance from an edge; outside, the greatest distance beyond one.
double ib_support_margin(double (*feet)[2], int count, const double centre[2])
{
    double margin = INFINITY;
    for (int i = 0; i < count; i++)
        for (int k = i + 1; k < count; k++) {
            double x = feet[k][0] - feet[i][0], y = feet[k][1] - feet[i][1];
            double length = sqrt(x * x + y * y), least = 0, most = 0;
            if (!(length > 0)) continue;
            for (int j = 0; j < count; j++) {
                double beside = x * (feet[j][1] - feet[i][1]) - y * (feet[j][0] - feet[i][0]);
                least = ib_min(least, beside / length);
                most = ib_max(most, beside / length);
            }
            if (least < -1e-9 && most > 1e-9) continue; // a diagonal
            double own = (x * (centre[1] - feet[i][1]) - y * (centre[0] - feet[i][0])) / length;
            if (most <= 1e-9) own = -own;
            if (least >= -1e-9 && most <= 1e-9) own = -fabs(own); // all on a line
            margin = ib_min(margin, own);
        }
    return isinf(margin) ? -1 : margin;
}
