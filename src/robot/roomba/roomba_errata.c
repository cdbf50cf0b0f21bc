// robot/roomba/roomba_errata.c: mistakes of "Roomba Robot Simulation" (Ritter, Gorasia, Velez).
#include "robot/errata.h"

const ib_Erratum ib_roomba_errata[] = {
    {"The Model", "it can only move forward and rotate", "it also slides sideways",
     "0.038 of 0.323 m/s in the tight circle: 12 % of its speed.",
     "ironbird run scenarios/roomba_circle.yaml --signals velocity.left"},
    {"(3)", "(F_r - F_l - F_drag,r + F_drag,l) r", "(F_r - F_l + F_drag,r - F_drag,l) r",
     "F_drag = -k v |v| has its sign already. Subtracted once more, drag feeds a turn: a small yaw "
     "rate grows with +8.977/s instead of dying out, and the left wheel alone reaches an infinite "
     "yaw rate at 0.4849 s.",
     "ironbird run scenarios/roomba_circle.yaml --set robot.equations=published-eq3 --set "
     "expect=[] --duration '0.48 s'"},
    {"Constitutive Relationships", "k_n, k_drag in N s^2/m", "N s^2/m^2",
     "They are a force over a speed squared. The comments of the program are right.",
     "ironbird verify roomba"},
    {"Constitutive Relationships",
     "k_n of 1000 is high enough to render the sideways motion "
     "insignificant",
     "it is on the wide circle (1.4 % of its radius), not on the tight one",
     "A radius of 0.098 m instead of 0.165 m: the wheel without force rolls backwards at 0.22 m/s. "
     "Its speed falls with k_n^(-1/4) alone: at k_n = 1e10 the radius is 0.1636 m.",
     "ironbird run scenarios/roomba_circle.yaml --set robot.side_drag='1e6 N*s^2/m^2' --set "
     "expect=[]"},
    {"(11), (14)", "v_r |v_r| + v_l |v_l|", "v_r |v_r| - v_l |v_l|",
     "Two equal drags make a torque: full force on both wheels spins the robot to -31 rad/s in 2 s "
     "(Figure 2 shows a straight line, since the appendix program has the right signs).",
     "ironbird run scenarios/roomba_straight.yaml --set robot.equations=published --set expect=[]"},
    {"Straight Line Trajectory", "at (1.4 m, 0.8 m) after 2 s", "(1.3052 m, 0.7535 m)",
     "Closed form vt tau ln cosh(t/tau); x = 1.4 m is passed at 2.123 s. Probably read off the tip "
     "of the last arrow.",
     "ironbird run scenarios/roomba_straight.yaml"},
    {"Straight Line Trajectory", "must overcome friction during the initial movement",
     "at rest there is no friction: inertia makes the start slow, friction ends the acceleration",
     "Drag goes with the square of the speed: 1 mN on each wheel moves it by 0.74 mm/s in 1 s.",
     "ironbird verify roomba"},
    {"Circular Trajectory", "largest x at (0.9 m, -0.9 m), 0.6 s",
     "(0.0968 m, -0.0891 m), 0.6917 s",
     "A decimal slip. A drag that only takes energy away keeps the distance below (sqrt(3)/2) "
     "(F/m) t^2: 0.31 m in 0.6 s, where 1.27 m is claimed.",
     "ironbird run scenarios/roomba_circle.yaml --at '0.6917 s'"},
    {"Circular Trajectory", "the heading is tangent to the circle at all times",
     "the course points 6.71 deg out of the heading",
     "The slip of the steady tight circle; 2.11 deg in the wide one.", "ironbird verify roomba"},
    {"Inverse Kinematics", "first leg: 2 m in 2.4 s", "1.8635 m", "7 % short; 2 m take 2.5532 s.",
     "ironbird run scenarios/roomba_schedule.yaml --at '2.4 s'"},
    {"Inverse Kinematics", "returns to where it started the circle",
     "53 mm off: from (1.8635 m, 0) to (1.9098 m, 0.0251 m)",
     "It enters the circle with 0.89 m/s and leaves it with 0.76 m/s, so that no switching time "
     "closes it exactly; a computed schedule does.",
     "ironbird run scenarios/roomba_path_schedule.yaml"},
    {"Inverse Kinematics", "circle complete at 10.7 s", "10.8122 s",
     "6.4 deg are left at the switch; the yaw rate makes up for most of them.",
     "ironbird run scenarios/roomba_schedule.yaml --at '10.6665 s'"},
    {"Inverse Kinematics", "2 additional meters", "2.0895 m",
     "From where the circle leg ends, which is not where the circle began.",
     "ironbird run scenarios/roomba_schedule.yaml"},
    {"Inverse Kinematics", "coasts to a stop", "0.0602 m/s at 18 s",
     "v = v0/(1 + 2 kd v0 t/m) never is zero: drag vanishes with the speed.",
     "ironbird run scenarios/roomba_schedule.yaml --at '18 s'"},
    {"Inverse Kinematics", "with full force to the end, 4 m in 14.3 s", "13.048 s",
     "At 14.3 s it is at 5.115 m. No reading of the sentence gives 14.3 s.",
     "ironbird verify roomba"},
    {"Model Verification", "dX_dt returns a Jacobian", "it returns the right-hand side",
     "Six rates; a Jacobian would be their 36 derivatives.", "ironbird verify roomba"},
    {0},
};
