#include "control/steering.h"

#include <math.h>

const char *ib_steering_limit(ib_SteeringLimit limit)
{
    static const char *const nouns[] = {"nothing", "the motors", "the current limit", "the battery",
                                        "the tyres"};
    return nouns[limit];
}

double ib_steering_track(const ib_Steering *steering, double speed, double yaw_rate)
{
    ib_SteerDemand demand;
    steering->demand(steering, &(ib_SteerMotion){.speed = speed, .yaw_rate = yaw_rate}, &demand);
    double track = 0.5 * (demand.rim[1] - demand.rim[0]) / yaw_rate;
    return isfinite(track) && track > 0 ? track : steering->half_track;
}
