// robot/holonomic/holonomic_errata.c: mistakes of "FTC 12566 Equations".
#include "robot/errata.h"

const ib_Erratum ib_holonomic_errata[] = {
    {"(9)", "f4 = 0", "f4 = 1", "its own (13), and minus (5)", NULL},
    {"(14) to (21), text", "slopes of 1, -1, 0 give the right direction", "mixing: standard",
     "up to 8.130102354 deg wrong", NULL},
    {"(22) case 1", "(1 + y) T", "(1 + x) T", "a jump of 2", NULL},
    {"(22), (24), (26), (28)", "+(1 - m) T", "-(1 - m) T", "left and right are the same at rest",
     NULL},
    {"(23) cases 1 and 4", "2 (y + |x|) T; (1 + y) T", "-2 (y + |x|) T; (1 + x) T, -x >= |y|",
     "outputs down to -3, a jump of 2, a diagonal that no case has", NULL},
    {"(24) case 4", "-x > |y|", "x > |y|", "never reached; a sector without a case", NULL},
    {"(27) case 4", "y > |x|", "-x > |y|", "never reached; a sector without a case", NULL},
    {"(28) case 1", "2 (y - |x|) T", "-2 (y - |x|) T", "an output of 3", NULL},
    {"(34)", "atan2(x, y) + a", "atan2(y, x) - a", "forward becomes right", NULL},
    {"3, text", "a higher D means less deceleration", "more", "D d(pt - pc)/dt = -D v", NULL},
    {0},
};
