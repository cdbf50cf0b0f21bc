// robot/quadruped/quadruped_errata.c: mistakes of the thesis about pneumatic legs.
#include "robot/errata.h"

const ib_Erratum ib_quadruped_errata[] = {
    {"3.1.1", "phi = 0 or 90 deg", "+90 and -90 deg; a height of -8.6 mm is missing",
     "Robot.cpp's frames", NULL},
    {"5.2.9", "T_gamma = F l1 l3 sin g/(l2 + x)", "with a minus sign", "virtual work", NULL},
    {"5.5.2.3", "alpha's stroke 3.5 in", "3.75 in", "C.1.1; 2 in longer than 1.75 in", NULL},
    {"C.1.1", "exhaust 24.7 psi", "15.7 psi, as in chapter 4", "B.1.1", NULL},
    {"SrLib", "capsule: m r/4, no 3/8 h r", "m r^2/4, and + 3/8 h r of the caps",
     "joint inertias 6 to 9 % too large", NULL},
    {"Robot.cpp", "thorax density 10000 kg/m^3: 56.4 kg", "a parameter, 8 kg",
     "50 psig carry 11.3 kg at most", NULL},
    {0},
};
