#include "control/leg/swing.h"

#include "control/leg/gait.h"

void ib_swing_at(const ib_Swing *s, double u, double place[3], double velocity[3])
{
    double way[3], down = 1 - u;
    ib_gait_way(u, way);
    for (int k = 0; k < 3; k++) {
        double m = s->ground[k] * s->duration, far = s->to[k] - s->from[k] - m;
        place[k] = s->from[k] + m * u + far * way[0];
        velocity[k] = s->ground[k] + far * way[1] / s->duration;
    }
    double bump = 64 * s->height * u * u * down * down;
    place[2] += bump * u * down;
    velocity[2] += 3 * bump * (1 - 2 * u) / s->duration;
}
