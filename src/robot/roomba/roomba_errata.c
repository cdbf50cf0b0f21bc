// robot/roomba/roomba_errata.c: mistakes of "Roomba Robot Simulation".
#include "robot/errata.h"

const ib_Erratum ib_roomba_errata[] = {
    {"(3)", "-F_drag,r + F_drag,l with F_drag = -k v|v|", "+F_drag,r - F_drag,l",
     "negative yaw damping; left 2.7 N alone blows up at 0.4849 s (equations: published-eq3)",
     NULL},
    {"(11), (14)", "v_r|v_r| + v_l|v_l| in the yaw equation", "v_r|v_r| - v_l|v_l|",
     "a straight run spins to -31 rad/s in 2 s (equations: published)", NULL},
    {"k_n, k_drag", "N s^2/m", "N s^2/m^2", "dimension of force over speed squared", NULL},
    {"circle text", "(0.9 m, -0.9 m) at 0.6 s", "(0.0968 m, -0.0891 m) at 0.6917 s",
     "decimal slip; no dissipative law gets further than 0.31 m in 0.6 s", NULL},
    {"straight text", "(1.4 m, 0.8 m) at 2 s", "(1.305 m, 0.754 m)", "closed form", NULL},
    {"straight text", "must overcome friction at first", "no friction at rest: inertia alone",
     "drag goes with the square of the speed; 1 mN moves it", NULL},
    {"first leg", "2 m", "1.8635 m at 2.4 s", "closed form; 2 m takes 2.5532 s", NULL},
    {"circle leg", "returns to where it started", "53 mm off", "it enters faster than it circles",
     NULL},
    {"last leg", "2 m", "2.0895 m", "the circle leg ends ahead of where it began", NULL},
    {"full force", "4 m in 14.3 s", "13.048 s", "event location", NULL},
    {"coasts to a stop", "stops", "0.0602 m/s at 18 s", "v = v0/(1 + 2 kd v0 t/m) never reaches 0",
     NULL},
    {"k_n renders side slip insignificant", "heading tangent to the circle",
     "6.71 deg of slip, radius 0.098 m instead of 0.165 m", "steady state of the tight circle",
     NULL},
    {0},
};
