// robot/motor_bench_errata.c: mistakes of RoboSim, section 4.
#include "robot/errata.h"

const ib_Erratum ib_motor_bench_errata[] = {
    {"4.2c, d", "no loss torque", "T = Kt I - b w (loss)",
     "free speed 5421.5 rpm at 0 A instead of 5310 rpm at 2.7 A", NULL},
    {"4.2e", "forward Euler at 50 ms", "4.1c, or the current without lag",
     "amplification -76.5 a step with a real inductance", NULL},
    {"R_m (code)", "0.3 ohm", "0.0914 ohm = 12 V / 131.227 A", "the stall current used for Kt",
     NULL},
    {0},
};
