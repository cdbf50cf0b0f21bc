// control/arm/arm_scene.h: obstacles and limits of an arm of two links, and its distance from them.
// The derivation is in docs/design/arm_search.md.
//
// Obstacles are discs in the plane of the arm, x forward and z up from the first joint. The hand
// alone (its load is beside the plane of the links), or both links, must stay clear.
//
// Symbols: u(th) = (sin th, cos th), t(th) = (cos th, -sin th) its derivative.
//   hand = l1 u(th1) + l2 u(th2),   |d hand| <= l1 |d th1| + l2 |d th2|
// No point of the arm moves further: a configuration that is clear by more than the way to the ends
// of a stretch makes the whole stretch clear. A path is therefore checked everywhere, not only at
// its points.
#ifndef IB_CONTROL_ARM_SCENE_H
#define IB_CONTROL_ARM_SCENE_H

#include "base/status.h"
#include "control/arm/arm_path.h"
#include "plant/two_link.h"

#include <stdbool.h>

enum {
    IB_ARM_DISCS = 16,     ///< most of a scene
    IB_ARM_DISC_NAME = 32, ///< bytes of a disc's name, with its closing NUL
};

typedef struct ib_ArmDisc {
    char name[IB_ARM_DISC_NAME]; ///< not empty
    double place[2];             ///< of its centre: x forward, z up from the first joint [m]
    double radius;               ///< [m], > 0
} ib_ArmDisc;

typedef enum ib_ArmClear {
    IB_ARM_CLEAR_HAND,  ///< a disc about the hand
    IB_ARM_CLEAR_LINKS, ///< both links, rounded at their ends
} ib_ArmClear;

typedef struct ib_ArmScene {
    double length[2];  ///< of the links [m], > 0
    ib_ArmClear clear; ///< parts that must stay clear of the discs
    double radius;     ///< of the hand, or of each link: half its width [m], >= 0
    int discs;
    ib_ArmDisc disc[IB_ARM_DISCS];
    double low[2], high[2];       ///< of the angles [rad]; infinite: no limit
    double elbow_low, elbow_high; ///< of th1 - th2 [rad]; infinite: no limit
} ib_ArmScene;

// No discs, no limits; the hand is a point.
ib_ArmScene ib_arm_scene_default(const ib_TwoLink *arm);

ib_Status ib_arm_scene_check(const ib_ArmScene *scene, ib_Error *error);

// The nearest obstacle or limit.
typedef enum ib_ArmThing {
    IB_ARM_NOTHING,    ///< the scene is empty
    IB_ARM_DISC,       ///< `index`: of the disc
    IB_ARM_LOW,        ///< `index`: of the joint, at its lower limit
    IB_ARM_HIGH,       ///< `index`: of the joint, at its upper limit
    IB_ARM_ELBOW_LOW,  ///< th1 - th2, at its lower limit
    IB_ARM_ELBOW_HIGH, ///< th1 - th2, at its upper limit
} ib_ArmThing;

// Distance and place; negative: inside a disc, or beyond a limit.
typedef struct ib_ArmNear {
    ib_ArmThing thing;
    int index;       ///< of the disc, or of the joint
    double distance; ///< from a disc [m], to a limit [rad]; nothing: +infinity
    double slope[2]; ///< of the distance, over the angles [m/rad], [1]
    double th[2];    ///< where [rad]
    double s;        ///< where on a path [rad]
    int point;       ///< last point of the path before it
    double least;    ///< nowhere on the path is it nearer than that: proven
} ib_ArmNear;

// Distance of one configuration.
ib_ArmNear ib_arm_scene_near(const ib_ArmScene *scene, const double th[2]);
// Distance from one disc; `slope` may be NULL.
double ib_arm_scene_from_disc(const ib_ArmScene *scene, int disc, const double th[2],
                              double slope[2]);

// The nearest of a whole path (as ib_arm_path_at goes between its points), and of the straight line
// between two configurations: `distance` is taken there, and less than `least` is nowhere, which is
// at most IB_ARM_SCENE_EXACT lower.
#define IB_ARM_SCENE_EXACT 1e-5 ///< [m], [rad]
ib_ArmNear ib_arm_scene_along(const ib_ArmScene *scene, const ib_ArmPath *path);
ib_ArmNear ib_arm_scene_line(const ib_ArmScene *scene, const double from[2], const double to[2]);

// True if the line keeps `margin` everywhere, to IB_ARM_SCENE_EXACT. Faster: the distance itself is
// not computed.
bool ib_arm_scene_line_clear(const ib_ArmScene *scene, const double from[2], const double to[2],
                             double margin);
bool ib_arm_scene_path_clear(const ib_ArmScene *scene, const ib_ArmPath *path, double margin);

// IB_BAD_INPUT unless `near` keeps `margin`: names the obstacle, the place and the depth. `what`
// begins the sentence: "the path", "the start".
ib_Status ib_arm_scene_refuse(const ib_ArmScene *scene, const ib_ArmNear *near, double margin,
                              const char *what, ib_Error *error);

#endif
