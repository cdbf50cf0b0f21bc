// plant/wheel/layout.h: the turn of any number of wheels' rims with the robot on them. The
// derivation is in docs/robot/holonomic.md.
//
// A wheel at (x, y) rolls along the unit vector e and slides freely along f, where it has rollers.
// Across f, along g = (f_y, -f_x), it does not slip as long as
//
//   g . v = r Omega (g . e),   v = (u - w y, n + w x)
//
// so that its rim turns with  Omega = (g_x u + g_y n + (x g_y - y g_x) w)/(r g . e). A wheel
// without rollers has f across e, and holds the robot along f as well: f . v = 0. Wheels on one rim
// turn together; a difference of their own speeds holds the robot, too.
//
// Symbols: u, n forward and left velocity of the robot's origin [m/s], w yaw rate [rad/s].
#ifndef IB_PLANT_WHEEL_LAYOUT_H
#define IB_PLANT_WHEEL_LAYOUT_H

#include "base/status.h"
#include "plant/wheel/patch.h"

#include <stdbool.h>

enum { IB_LAYOUT_WHEELS = IB_MAX_PATCHES };

typedef struct ib_LayoutWheel {
    double x, y;      ///< where it stands, robot frame [m]
    double direction; ///< in which it rolls, to the left of the robot's heading [rad]
    double roller;    ///< in which its rim slides freely, to the left of `direction` [rad];
                      ///< INFINITY: it has no rollers
    double diameter;  ///< [m], > 0
    int rim;          ///< it turns with all others of this number; 0: by itself
} ib_LayoutWheel;

typedef struct ib_LayoutConfig {
    int count; ///< of wheels, 1 .. IB_LAYOUT_WHEELS
    ib_LayoutWheel wheels[IB_LAYOUT_WHEELS];
} ib_LayoutConfig;

typedef struct ib_LayoutModel {
    int wheel_count, rim_count;       ///< rims in the order of their first wheels
    int rim[IB_LAYOUT_WHEELS];        ///< of each wheel
    int first[IB_LAYOUT_WHEELS];      ///< wheel of each rim
    double turn[IB_LAYOUT_WHEELS][3]; ///< of each rim: Omega for u, n, w = 1 [1/m, 1/m, 1]
    int hold_count;                   ///< independent rows of `hold`
    double hold[3][3];                ///< row . (u, n, w) = 0, as long as no wheel slips
    double allowed[3][3];             ///< twists that wheels allow which do not slip:
    int allowed_count;                ///< independent ones, 0 .. 3
} ib_LayoutModel;

// Checks that the robot can be driven. The error names the wheel at fault, or the missing
// direction. `rolling`: its wheels never slip.
ib_Status ib_layout_check(const ib_LayoutConfig *config, bool rolling, ib_Error *error);
void ib_layout_init(const ib_LayoutConfig *config, ib_LayoutModel *layout);

#endif
