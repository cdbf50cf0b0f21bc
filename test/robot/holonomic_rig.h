// test/robot/holonomic_rig.h: closed forms of the bases that data/holonomics.yaml has, which their
// runs are held against.
#ifndef IB_TEST_HOLONOMIC_RIG_H
#define IB_TEST_HOLONOMIC_RIG_H

#include "scenario/run_rig.h"

#include "robot/holonomic/holonomic.h"

#define RIG_PI   3.14159265358979323846
#define RIG_INCH 0.0254

// "motor.2.speed", counted from 1.
static inline double see_at(const Run *run, const char *part, int number, const char *what)
{
    char name[64];
    snprintf(name, sizeof name, "%s.%d.%s", part, number, what);
    return see(run, name);
}

// -------------------------------------------------------------------------------------- the motors

// The NeveRest of data/motors.yaml, with viscous loss: V = R I + Ke w, T = Kt I - b w.
typedef struct Motor {
    double R, Kt, Ke, b;
} Motor;

static inline Motor rig_neverest(void)
{
    const double free = 5480 * 2 * RIG_PI / 60;
    Motor m = {.R = 12 / 9.8, .Kt = 0.173 / 9.8};
    m.Ke = (12 - 0.355 * m.R) / free;
    m.b = m.Kt * 0.355 / free;
    return m;
}

// A motion of a base on wheels that never slip, along one axis of the stick: rims turn with
// r Omega = k v, the largest k of them `most`; outputs are k/most, whose squares sum to `squares`.
typedef struct Axis {
    const char *preset, *stick, *velocity;
    double sign; // of that velocity for a positive stick
    double most; // [1], or [m] where it turns
    double squares;
    int wheels; // on each rim that turns
    double reduction, mass;
} Axis;

enum { RIG_AXES = 12 };

static inline const Axis *rig_axes(void)
{
    static Axis axes[RIG_AXES] = {
        {"x-drive", "stick.y", "velocity.forward", 1, 0, 4, 1, 40, 12},
        {"x-drive", "stick.x", "velocity.left", -1, 0, 4, 1, 40, 12},
        {"x-drive", "turn", "velocity.heading", -1, 0, 4, 1, 40, 12},
        {"mecanum", "stick.y", "velocity.forward", 1, 1, 4, 1, 20, 14},
        {"mecanum", "stick.x", "velocity.left", -1, 1, 4, 1, 20, 14},
        {"mecanum", "turn", "velocity.heading", -1, 14 * RIG_INCH, 4, 1, 20, 14},
        {"kiwi", "stick.y", "velocity.forward", 1, 0, 2, 1, 40, 8},
        {"kiwi", "stick.x", "velocity.left", -1, 1, 1.5, 1, 40, 8},
        {"kiwi", "turn", "velocity.heading", -1, 8 * RIG_INCH, 3, 1, 40, 8},
        {"h-drive", "stick.y", "velocity.forward", 1, 1, 2, 2, 40, 12},
        {"h-drive", "stick.x", "velocity.left", -1, 1, 1, 1, 40, 12},
        {"h-drive", "turn", "velocity.heading", -1, 7.5 * RIG_INCH, 2, 2, 40, 12},
    };
    axes[0].most = axes[1].most = sqrt(0.5);
    axes[2].most = 7 * RIG_INCH * sqrt(2);
    axes[6].most = sqrt(0.75);
    return axes;
}

// A battery E behind Rb with a background current, full stick. With w = G most v/r and
// A = E - Rb background:
//   I of a motor = output (A - Ke w)/(R + squares Rb)
//   (M + J most^2 squares/r^2) v' = most G/r squares (Kt (A - Ke w)/(R + squares Rb) - b w)
// so that v = steady (1 - e^(-t/tau)).
typedef struct Rise {
    double steady, tau; // [m/s or rad/s], [s]
} Rise;

static inline Rise rig_rise(const Axis *axis, double E, double Rb, double background)
{
    const Motor m = rig_neverest();
    const double r = 2 * RIG_INCH, side = 18 * RIG_INCH, G = axis->reduction;
    double A = E - Rb * background, R = m.R + axis->squares * Rb, k = axis->most / r;
    double J = axis->wheels * 0.0005 + G * G * 4e-6;
    double turning = axis->mass / 12 * (2 * side * side); // of a plate
    double M = (strcmp(axis->stick, "turn") ? axis->mass : turning) + J * k * k * axis->squares;
    double slope = m.Kt * m.Ke / R + m.b; // torque lost for each rad/s
    return (Rise){m.Kt * A / R / (slope * G * k), M / (k * k * G * G * axis->squares * slope)};
}

#endif
