// robot/quadruped/quadruped_errata.c: mistakes of H. G. Daepp's thesis about its robot on legs.
#include "robot/errata.h"

const ib_Erratum ib_quadruped_errata[] = {
    {"3.1.1", "phi is a rotation of 0 or 90 deg", "+90 and -90 deg, and a height of -8.6 mm",
     "With 90 deg alone right shoulders are 92.4 mm off and point 120 deg away. Right legs are "
     "left ones that were turned: a growing alpha moves right feet forward, left feet backward.",
     "ironbird verify quadruped"},
    {"5.1, C.2.4", "12 + 3 + 3 values are sent", "21 in the listing, 30 are needed",
     "Two layouts, and neither has the twelve rates that 5.2.1 needs.",
     "ironbird verify quadruped"},
    {"5.2.4", "beta goes from -1 to -67 deg; -(-theta)", "from -67 to -1 deg; +theta",
     "C.2.1 has it right.", "ironbird verify quadruped"},
    {"5.2.7 to 5.2.9", "lambda_1 = arcsin(...)", "the angle itself",
     "An arcsine folds angles beyond a right one, by up to 137 deg at alpha. Its sine is taken "
     "again, so that nothing comes of it.",
     "ironbird verify quadruped"},
    {"5.2.8", "sin(beta alpha)", "sin(gamma_beta)", "The sine of no angle.",
     "ironbird verify quadruped"},
    {"5.2.9", "T_gamma = F l1 l3 sin(gamma)/(l2 + x)", "with a minus sign",
     "A linkage neither makes nor loses work, T = F dx/dtheta, and 5.2.6 has the angle fall as the "
     "rod goes out: the joint would turn the other way.",
     "ironbird verify quadruped"},
    {"5.5.2", "a third-order system", "six states a joint",
     "Angle, rate, and mass and energy of the air in two chambers.", "ironbird verify quadruped"},
    {"5.5.2.1", "75 psia are unachievable in simulation, since the supply is at 65 psia",
     "inertia lifts it: gamma's rod side to 78.9 psia, the supply constant",
     "A piston that runs into a chamber whose ports the loop has all but shut makes the pressure "
     "that it takes to stop it: 90.5 psia at alpha, and 69.5 psia in alpha's limit cycle.",
     "ironbird run scenarios/leg_steps.yaml --signals '*.rod.pressure'"},
    {"5.5.2.3", "alpha's stroke is 3.5 in", "3.75 in (C.1.1)",
     "Approximately 2 inches longer than the others' 1.75 in, as the same sentence says.",
     "ironbird list quadrupeds"},
    {"5.5.3", "viscous friction is heavily oscillatory: numerically unstable",
     "the loop's own, at any step",
     "70 N s/m are an eighth of critical damping at gamma. A PID of 3 V/rad leaves 4 deg rms, the "
     "same to 1 % from 1 ms to 0.05 ms; with the rig's gain it rests within 0.16 deg.",
     "ironbird run scenarios/leg_gamma_models.yaml"},
    {"5.5.4", "SrLib's tibia is essentially an exact model, as a thin rod", "26 % above a thin rod",
     "See SrLib below.", "ironbird verify quadruped"},
    {"5.5.4", "inertia is doubtful as the primary source of alpha's error",
     "the cylinders' own masses change it by 38 %",
     "200 g each, an estimate; none of the three models that were compared has them. In 6.4 "
     "inertia is the primary suspect.",
     "ironbird verify quadruped"},
    {"5.5.4", "the femur has 2.7 g/cm^3, the tibia 0.7 g/cm^3", "the other way round",
     "The gamma joint moves the tibia. Leg.cpp and 6.4 have it right.",
     "ironbird verify quadruped"},
    {"5.5.4", "alpha's oscillation might be due to numerical instabilities", "it is the loop's own",
     "A limit cycle of 18 deg rms at 3.4 Hz, the same to 0.03 % at a quarter of the step: a mass "
     "on two springs of air under a loop that is too tight.",
     "ironbird verify quadruped"},
    {"6.3", "delays of 80 ms, as pointed out in 5.6.2", "5.6.2 prints no delay",
     "5.3.2 has 90 and 100 ms.", "ironbird verify quadruped"},
    {"6.4", "reducing the gain margin by 25 %", "the gain; its margin grows by a third", "Words.",
     "ironbird verify quadruped"},
    {"6.6.1", "it may be necessary to use simplified valve and friction models",
     "twelve joints fit: 546 us of a step of 1 ms",
     "A straight line through one joint (37.5 us) and three (130 us).",
     "ironbird verify quadruped"},
    {"Table 3", "viscous friction: -0.0424", "-0.4243", "A digit: its 11.3 % are right.",
     "ironbird verify quadruped"},
    {"C.1.1", "exhaust 24.7 psi (room - measured)", "15.7 psi, as in B.1.1",
     "A sixth of the force: a cylinder pushes 160.7 N instead of 191.1 N (preset: "
     "thesis-leg-c11).",
     "ironbird verify quadruped"},
    {"C.1.1", "Ps + 14.7 %psig", "psia", "A comment: the sum is absolute.",
     "ironbird verify quadruped"},
    {"C.1.1, main.cpp", "g = 9.81 and 9.8 m/s^2", "one of them", "0.1 % of the weight.",
     "ironbird verify quadruped"},
    {"Leg.cpp", "density in g/mm^3", "kg/m^3", "A comment: 2700 g/mm^3 make a tibia of 126 t.",
     "ironbird verify quadruped"},
    {"Leg.cpp", "0.0731, 0.0481, 0.087 m", "h/2 + r = 0.07305 m and 0.0865 m, h/2 = 0.04805 m",
     "Rounded, and kept, since that was simulated: 0.5 mm at the femur.",
     "ironbird verify quadruped"},
    {"Leg.cpp", "the gamma joint at 0.152 m", "the tibia's capsule ends at 0.135 m",
     "17 mm of nothing; kept.", "ironbird verify quadruped"},
    {"Robot.cpp", "thorax of 10 000 kg/m^3: 56.4 kg", "a parameter, 8 kg",
     "Denser than steel. At (0, -34, 80) deg each beta joint holds 34.5 N m, where 50 psig give "
     "7.8 N m: enough for a body of 11.3 kg. It was held in space, so that the question did not "
     "arise; on "
     "its legs it sinks from 327 to 261 mm in 3 s.",
     "ironbird run scenarios/quadruped_stand.yaml --set robot.preset=thesis-quadruped --duration "
     "'4 s' --signals pose.z --set expect=[]"},
    {"Robot.cpp", "the thorax is 0.74 m long where it collides", "0.75 m, where it weighs", "1 cm.",
     "ironbird verify quadruped"},
    {"SrLib", "a capsule's inertia has m r/4, and no 3/8 h r", "m r^2/4, and + 3/8 h r of its caps",
     "I = m_c (h^2/12 + r^2/4) + m_b (2/5 r^2 + h^2/4 + 3/8 h r). The coxa's first part has 3.7 "
     "times its inertia, the femur 3.05 times; joints feel 6 to 9 % too much.",
     "ironbird verify quadruped"},
    {"control loop", "L1 and R1 are both driven by thetaL11 to 13", "each leg has its own",
     "Angles for one, torques for the other.", "ironbird verify quadruped"},
    {0},
};
