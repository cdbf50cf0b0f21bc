// claims/control/control_errata.c: mistakes of FRC 971's "Controls Documentation 2018".
#include "claims/control/control.h"

const ib_Erratum ib__control_errata[] = {
    {"Control Loops", "as fast and predictably as possible", "predictably",
     "From rest to 1 m with 12 V it is within 1 cm after 0.87 s; full voltage forward and back "
     "takes 0.61 s. LQR weighs error against effort.",
     "ironbird design designs/drivetrain.yaml"},
    {"HybridControlLoop", "it predicts new estimations of process and measurement noise",
     "Q and R go in; it updates P, the covariance of the estimate",
     "A wrong idea of what is tuned. No line of the code changes Q or R; after the first "
     "correction all but a millionth of the position's variance is gone.",
     "ironbird verify control"},
    {"Control Loops", "the controller minimizes the error by using a Kalman Filter",
     "the filter estimates, the feedback acts",
     "With the filter alone the drivetrain still stands 1 m from its goal after 2 s; with the "
     "feedback alone it is there to 1e-8 m.",
     "ironbird verify control"},
    {"RoboRIO; 200 Hz", "200 Hz, every 5 ms", "the public code designs for 5.05 ms",
     "0.04 % of K: the words are honest.", "ironbird design designs/drivetrain.yaml"},
    {"Summary of state space", "Kv = wf/(V - R If), and no torque for the free current",
     "a loss torque (loss: viscous)",
     "It runs free at 1/(1 - 4.7/133) = 1.037 times its data sheet's speed, at 0 A. The default of "
     "a plant is the document's, so that its gains come out.",
     "ironbird verify control"},
    {"dlqr (comment)", "(A'PB)(R + B'PB)^-1 (B'PA + Q: a parenthesis is never closed",
     "P = A'PA - (A'PB)(R + B'PB)^-1 (B'PA) + Q",
     "Closed where the line ends, Q is taken off: the residual is 2 Q. The code does not read its "
     "comment; its gain F = (R + B'PB)^-1 B'PA is right.",
     "ironbird verify control"},
    {"Correct (code)", "it takes U and does not use it", "y - C x^ - D u",
     "Nothing is lost where D = 0. With x' = -x + u, y = x + u/2 and u = 1 the estimate is wrong "
     "by 0.496 for ever.",
     "ironbird verify control"},
    {"Correct (code)", "P = (I - K C) P", "Joseph's form, (I - K C) P (I - K C)' + K R K'",
     "Rounding makes P unsymmetric, and a measurement 1e18 times better than what was known gives "
     "1 - K = 0: a filter that is certain and listens no more.",
     "ironbird verify control"},
    {"Polytopes", "the solution must fall on the line (where the line crosses the region)",
     "as the text says",
     "The public code returns a dot inside the region that is not on the line, ends of the "
     "segment, "
     "and once a point outside of the region: four of eight cases differ from the text.",
     "ironbird verify control"},
    {"Control Loops", "its expansion as it rotates is an example of linear time-invariant aspects",
     "a belt that stretches is linear", "A wheel grows with the square of its speed.", NULL},
    {"Derivation of Arm Dynamics", "(r1 m1 + l1 m2) s w1^2", "(r1 m1 + l1 m2) g sin(th1)",
     "A free swing of 86 J has 61 J after 1.5 s and 93 J after 3 s.", "ironbird verify control"},
    {"Derivation of Arm Dynamics", "tau_motor has G1 in the back-EMF of both joints",
     "each joint's own G", "1.56 times the drag at the second joint.", "ironbird verify control"},
    {"Derivation of Arm Dynamics", "K3 has no number of motors", "N motors",
     "Half of the torque at the second joint.", "ironbird verify control"},
    {"Derivation of Arm Dynamics", "the rotors' torques are defined and not used",
     "their inertia belongs into K1", "39 % of alpha, 92 % of gamma.", "ironbird verify control"},
    {"Arm Control Scheme", "they find the maximum velocities that can be travelled",
     "the fastest way is what reachability finds",
     "On an arc the passes take 0.5509 s and reachability 0.5389 s: 2.2 % of the time.",
     "ironbird verify control"},
    {0},
};
