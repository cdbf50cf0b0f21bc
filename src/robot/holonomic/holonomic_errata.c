// robot/holonomic/holonomic_errata.c: mistakes of "FTC 12566 Equations" (T. M. Silva).
#include "robot/errata.h"

const ib_Erratum ib_holonomic_errata[] = {
    {"(9)", "f(0, 1) = [1, -1, -1, 0]", "[1, -1, -1, 1]",
     "By (13) motor 4 gets max(0, 1), and (9) should be minus (5). With the 0 the robot drives "
     "forward on three wheels and turns to the right with a quarter of the full rate.",
     "ironbird verify xdrive"},
    {"(14) to (21), text", "slopes of 1, -1 and 0, so that the direction is right",
     "one factor for all four outputs (mixing: standard)",
     "A motion has its direction by the ratio of its outputs. Each cut by itself at max(|x|, |y|), "
     "they have another: up to 8.130102354 deg off; a stick at 26.565 deg drives at 18.435 deg.",
     "ironbird verify xdrive --stick 1,0.5,0"},
    {"1 Driving", "the first input value is the speed to move right",
     "it is where the outputs are not cut", "At (0.5, 0.25) the robot moves with (0.375, 0.125).",
     "ironbird verify xdrive --stick 0.5,0.25,0"},
    {"2 Turning", "only two touching half-quadrants are affected by a turn",
     "at full stick alone; else all eight",
     "The part (1 - m) T, which turns a robot that stands, is in all of them.",
     "ironbird verify xdrive --stick 0.5,0,0.5"},
    {"(22) case 1", "(1 + y) T", "(1 + x) T",
     "An output of 3, and a jump of 2 |y| T on the upper left diagonal.", "ironbird verify xdrive"},
    {"(22), (24), (26), (28)", "+(1 - m) T", "-(1 - m) T",
     "At rest right and left are the same, [T, T, T, T].", "ironbird verify xdrive --stick 0,0,1"},
    {"(23) case 1", "2 (y + |x|) T", "-2 (y + |x|) T", "An output of -3.",
     "ironbird verify xdrive"},
    {"(23) case 4", "(1 + y) T for -x > |y|", "(1 + x) T for -x >= |y|",
     "A jump of 2, and a diagonal that no case has.", "ironbird verify xdrive --stick=-1,1,-1"},
    {"(24) case 4", "-x > |y|", "x > |y|",
     "It repeats case 2: a quarter of all sticks is without a case.",
     "ironbird verify xdrive --stick 1,0.5,1"},
    {"(27) case 4", "y > |x|", "-x > |y|",
     "It repeats case 1: a quarter of all sticks is without a case.",
     "ironbird verify xdrive --stick=-1,0,-1"},
    {"(28) case 1", "2 (y - |x|) T", "-2 (y - |x|) T", "An output of 3.",
     "ironbird verify xdrive --stick 0,1,1"},
    {"2 Turning", "T is the speed to turn right", "what is left beside the driving",
     "Also corrected, nothing turns in a corner of the stick, and the path bends by up to 45 deg.",
     "ironbird verify xdrive --stick=-1,0,1"},
    {"(31)", "an integral from 0 to t over t", "over another letter", "Notation.", NULL},
    {"(32), text", "a higher D corresponds to less deceleration", "to more",
     "D d(pt - pc)/dt = -D v is a brake. Past its goal with 1 m/s down a slope of 5 deg a robot "
     "brakes 6.2 times as hard with D = 8/s as with 2/s, and goes 55 % as far.",
     "ironbird verify xdrive"},
    {"(33), text", "the sum was up to ten orders of magnitude off", "2.7 orders at most",
     "300 deg/s for a whole match of 150 s are 500 quarter turns. The sum itself is right; ten "
     "orders take a wrong unit.",
     "ironbird verify xdrive"},
    {"(34)", "atan2(x, y) + a", "atan2(y, x) - a",
     "C, Java and Python take y first: forward becomes right for a robot that has not turned. Read "
     "as the angle of (x, y), the stick turns with the robot instead of back.",
     "ironbird verify xdrive"},
    {0},
};
