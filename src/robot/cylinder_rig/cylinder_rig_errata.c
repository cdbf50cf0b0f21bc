// robot/cylinder_rig/cylinder_rig_errata.c: mistakes of the thesis about a pneumatic cylinder.
#include "robot/errata.h"

const ib_Erratum ib_cylinder_rig_errata[] = {
    {"4.1.2, 4.1.3", "charging: P_d = P_supply", "charging: P_u = P_supply, P_d = P_chamber",
     "the Port_2 listing; the root is imaginary otherwise", NULL},
    {"4.1.4", "critical ratio 0.528", "0.5282817877 = (2/(k + 1))^(k/(k - 1))",
     "the printed one leaves a step of 1.7e-7 in the flow", NULL},
    {"4.1.10", "factor kR/cp + 1 with cp = 1012", "k", "0.06 J are made in a stroke", NULL},
    {"4.1.10", "T undefined", "that of the air which crosses the port", "the listing; first law",
     NULL},
    {"4.1, 5.5", "third order", "six states: x, v and mass and energy of two chambers",
     "4.1.7 needs the mass", NULL},
    {"4.1.11", "A_piston", "cross-section of the rod", "all chambers at one atmosphere give 0 N",
     NULL},
    {"4.2.6", "velocity without a unit", "m/s (friction.velocity_unit)",
     "the step of 1 ms; reference sheet A3", NULL},
    {"4.2.3.1", "fits include the minimum area", "they jump at the centre by a factor of 3.2",
     "reference sheet A1", NULL},
    {"4.3.1", "K0 - A0 e^(t/tau)", "e^(-t/tau)", "growth otherwise", NULL},
    {"B.1.1", "cap starts at 14 psi", "below exhaust and atmosphere", "gone after 0.05 s", NULL},
    {0},
};
