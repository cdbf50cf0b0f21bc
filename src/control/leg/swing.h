// control/leg/swing.h: the place of a foot in the air, in the body's frame. docs/control/walk.md
//
// Over u = 0 .. 1 the foot goes from `from` to `to`, and leaves and meets a ground that passes the
// body at `ground` [m/s] without scraping; m is what the ground passes in the whole swing:
//   p = from + m u + (to - from - m) S(u) + up 64 h u^3 (1 - u)^3,   S of ib_gait_way
// Behind it, the foot is moved with the ground and sinks at an even speed until it touches.
#ifndef IB_CONTROL_SWING_H
#define IB_CONTROL_SWING_H

typedef struct ib_Swing {
    double from[3], to[3]; ///< [m]
    double ground[3];      ///< velocity of the ground in the body's frame [m/s]
    double height;         ///< h [m]
    double duration;       ///< [s]
} ib_Swing;

void ib_swing_at(const ib_Swing *swing, double u, double place[3], double velocity[3]);

#endif
