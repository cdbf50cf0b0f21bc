// robot/cylinder_rig/cylinder_rig_errata.c: mistakes of H. G. Daepp's thesis about its cylinder.
#include "robot/errata.h"

const ib_Erratum ib_cylinder_rig_errata[] = {
    {"4.1, 5.5", "a third-order system",
     "six states: x, v, mass and energy of the air of each side",
     "4.1.7 needs the mass; four states with frozen temperatures. What oscillates is a mass "
     "between two springs of air: a pair of poles at 41.5 Hz in mid-stroke.",
     "ironbird verify cylinder"},
    {"4.1.2, 4.1.3", "charging: P_d = P_supply, P_u = P_chamber",
     "the other way round: air flows from u to d",
     "4.1.5 asks for the root of a negative number. The listing of Port_2 puts the higher pressure "
     "upstream.",
     "ironbird verify cylinder"},
    {"4.1.4", "P_cr = 0.528", "(2/(k + 1))^(k/(k - 1)) = 0.5282817877",
     "The unchoked branch is used beyond its maximum: a step of -1.742e-7 of the flow, which an "
     "adaptive solver sees.",
     "ironbird verify cylinder"},
    {"4.1.6", "choked for P_d/P_u << P_cr", "P_d/P_u <= P_cr",
     "Much less leaves no equation between there and P_cr; the listing has a plain else.",
     "ironbird verify cylinder"},
    {"4.1.8", "R is the universal gas constant", "that of air, 287 J/(kg K)",
     "C_1 would be 5.9 times as large. The listing's comment is right: 8.314 over 29 g/mol.",
     "ironbird verify cylinder"},
    {"4.1.10", "the factor kR/cp + 1 with cp = 1012 J/(kg K)", "k",
     "The two agree at cp = kR/(k - 1) = 1004.5 J/(kg K). As printed, 0.06 J of the 8.09 J of work "
     "of a stroke of 1.25 V come from nowhere, and the stroke ends 0.3 ms early.",
     "ironbird run scenarios/cylinder_step.yaml --set robot.equations=corrected --set expect=[]"},
    {"4.1.10", "T, not defined, beside the chamber's of 4.1.7",
     "that of the air which crosses the port: T_s in, the chamber's out",
     "In a chamber of 350 K, which a fast stroke makes, charging would be 17 % too quick. The "
     "listing returns it as T_gas.",
     "ironbird verify cylinder"},
    {"4.1.11", "P_atm A_piston", "P_atm times the rod's cross-section",
     "-49.6 N with an atmosphere everywhere. The sentence below the equation is right.",
     "ironbird verify cylinder"},
    {"4.2.1", "friction holds F_Cyl if F_Cyl < F_C", "if |F_Cyl| <= F_C",
     "Pulled with -10 lbf, a rod that friction holds with 3 lbf stays where it is.",
     "ironbird verify cylinder"},
    {"4.2.1, 4.2.3", "5.25 V within the centred voltage; a centred signal of 0",
     "both are of the un-centred command", "5.25 V do not lie within -5 V to 5 V.",
     "ironbird verify cylinder"},
    {"4.2.2", "LuGre's force has a discontinuity at v = 0", "Stribeck's curve with a sign has one",
     "LuGre's bristles are a state, so that its force does not jump: a law is dismissed for the "
     "fault that it mends.",
     "ironbird run scenarios/cylinder_step.yaml --set robot.friction.law=lugre --set expect=[]"},
    {"4.2.4", "F_S - F_Cyl; F_C sign(v) - C_V v", "F_S sign(F_Cyl); F_C sign(v) + C_V v",
     "Friction pushes: -1.5 lbf against 6 lbf at rest, -2 lbf at 10 m/s. 4.2.6, which was used, "
     "has the signs right.",
     "ironbird verify cylinder"},
    {"4.2.3", "(1) or (2), a constant loss of flow, 'with reasonable accuracy'",
     "(4), Figure 23's pressure at the input; or four edges, those of the exhaust 2.8 times as "
     "wide",
     "Fitted to Figure 23 they are 13.3 psi off, nothing lost 15.4 psi. Four alike edges hold "
     "52.5 psi at the offset whatever their lap or slope, which were searched; it has 24.2 psi.",
     "ironbird verify cylinder"},
    {"4.2.3", "the same pressure change with the ports switched",
     "the areas of B.2 are no mirror images",
     "0.5 V from the offset port 1 takes 0.48 of the time of port 2; with switched ports the same "
     "rod needs 0.72 of the time.",
     "ironbird verify cylinder"},
    {"4.2.3.1", "the fits include the minimum area offset", "they jump there (valve.map: table)",
     "By a factor of 3.2 in port 1 and 1.3 in port 2, with errors up to 50 % and 20 %, all of it "
     "within 0.75 V of the offset, where the loop lives.",
     "ironbird run scenarios/cylinder_step.yaml --set robot.valve.map=table --set expect=[]"},
    {"4.2.6", "F_S = 4.5 lbf is the peak; v has no unit",
     "4.3496 lbf at 0.0574 m/s; m/s is the likelier unit (friction.velocity_unit)",
     "3.3 %: the tanh still rises where the exponential begins to fall. At v = 0 the force is 0, "
     "and the rig's own 0.2 kg pull the rod out with 2.5 mm/s.",
     "ironbird verify cylinder"},
    {"4.3", "time constants of 0.082 s and 0.085 s differ by just 2 %", "by 3.5 %", "Arithmetic.",
     "ironbird verify cylinder"},
    {"4.3.1", "K_0 - A_0 e^(t/tau)", "e^(-t/tau)", "-197 821 instead of 1 after a second.",
     "ironbird verify cylinder"},
    {"4.3.1", "a first order fits the cap's pressure",
     "its position (R^2 of 0.99), not its pressure",
     "The pressure rises, falls while the rod moves and rises again: tau over a window of 5 s is "
     "46 times that over 1 s.",
     "ironbird run scenarios/cylinder_step.yaml"},
    {"5.5.3", "with the linear valve it never reaches a fixed position",
     "it rests within 1 micrometre on the rig, 0.02 deg on a leg",
     "The valve switches between supply and exhaust at every sample, and the air smooths that. "
     "Noise or a coarse converter may have done it; neither is printed.",
     "ironbird verify cylinder"},
    {"5.5.4", "twelve actuator models (one for each leg)", "one for each joint",
     "Four legs have three each.", "ironbird verify cylinder"},
    {"5.5.4, 6.6.3", "ode5 at 1 kHz is accurate, 640 Hz will do", "it is stable up to 0.824 ms",
     "At rest the law's slope over 0.2 kg is an eigenvalue of -4014.5/s; the limit is 3.307 over "
     "it. At 1 ms the rod rests 1.6 mm off and is reported to move with 0.013 m/s, at 640 Hz it "
     "chatters.",
     "ironbird verify cylinder"},
    {"B.1.1", "the cap starts at 14 psi", "at 14.7 psi or more",
     "Below exhaust and atmosphere: air comes in through the exhaust, and 3 ms later nothing of it "
     "is left.",
     "ironbird verify cylinder"},
    {"B.1.1", "exhaust 15.7 psi (room)", "14.7 psi, or the back pressure of a silencer",
     "The valve does not let out into the room.", "ironbird verify cylinder"},
    {"Table 3", "viscous friction: -0.0424, deviation 0.0205", "-0.4243; probably 0.205",
     "A digit: its 11.3 % are right, and the deviations of the others are 5 to 7 %.",
     "ironbird verify cylinder"},
    {0},
};
