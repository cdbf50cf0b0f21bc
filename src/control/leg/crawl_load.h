// control/leg/crawl_load.h: the mass of a body that legs can carry: standing on all of them, and at
// rest in every phase of a gait. docs/control/load.md
//
// The body is level. A foot that stands is, from its middle place p in the body's frame,
//
//   x = p + way/2 - stride (phase since it landed),   y = p - width shift(phase),   z = p
//
// (control/leg/gait.h). The feet share the weight of body and legs as a robot that walks has them
// do (control/leg/stance.h): the forces are linear in the body's mass M, and so are the joints'
// torques, T = a + b M, each of which bounds M. A leg that would have to leave the range of a joint
// has it at its end.
#ifndef IB_CONTROL_CRAWL_LOAD_H
#define IB_CONTROL_CRAWL_LOAD_H

#include "control/leg/gait.h"
#include "control/leg/leg_load.h"

typedef struct ib_CrawlConfig {
    ib_Gait gait;
    double stride;      ///< way of the body in a cycle [m], >= 0
    double width;       ///< of its shift to each side [m], >= 0
    double torque_cost; ///< of ib_StanceConfig [1/m^2]; 0: feet push straight up
} ib_CrawlConfig;

// A joint that bounds a mass.
typedef struct ib_CrawlBound {
    double mass;    ///< greatest one of the body [kg]; below 0: none
    int leg, joint; ///< -1: none bounds it, and it is infinite
    double phase;   ///< of the gait
} ib_CrawlBound;

typedef struct ib_CrawlLoad {
    ib_LegLoad leg;       ///< in the pose itself; of several legs the weakest's
    ib_LegLoad least;     ///< the least over the stances of all legs
    ib_CrawlBound stands; ///< on all feet, which push straight up
    ib_CrawlBound crawls; ///< in the worst phase
    double friction;      ///< greatest force along the ground over that into it, of `crawls`
    double height;        ///< of the body's middle above the ground [m]
    bool reaches;         ///< no joint would have to leave its range
} ib_CrawlLoad;

// The crawl of `kind: walk` at 8 cm/s.
ib_CrawlConfig ib_crawl_default(void);

// The loads of a robot whose feet have their middle places where these angles put them, in the
// order of its legs; masses are NaN without four legs. IB_BAD_INPUT without a cylinder.
ib_Status ib_crawl_load(const ib_ControlLegs *legs, const ib_CrawlConfig *config,
                        const double angles[IB_LEGS_JOINTS], ib_CrawlLoad *load, ib_Error *error);

// The same where all legs have the angles th.
ib_Status ib_crawl_load_at(const ib_ControlLegs *legs, const ib_CrawlConfig *config,
                           const double th[IB_LEG_JOINTS], ib_CrawlLoad *load, ib_Error *error);

#endif
