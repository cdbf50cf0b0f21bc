// solver/ros2.h: the coefficients of ROS2, a Rosenbrock method of order 2 with two stages.
// Its use is explained in docs/plant/bank.md.
//
// L-stable with gamma = 1 - 1/sqrt(2) [Verwer, Spee, Blom, Hundsdorfer, SIAM J. Sci. Comput. 20
// (1999)]. Written for increments, as solver/rodas.h is:
//
//   (I/(h gamma) - J) u_1 = f(t0, x0) + gamma h f_t
//   (I/(h gamma) - J) u_2 = f(t0 + h, x0 + a u_1) + c u_1/h - gamma h f_t
//   x1 = x0 + b_1 u_1 + b_2 u_2,   a = 1/gamma, c = -2/gamma, b = 3/(2 gamma), 1/(2 gamma)
#ifndef IB_SOLVER_ROS2_H
#define IB_SOLVER_ROS2_H

#define IB_ROS2_GAMMA 0.29289321881345247560
#define IB_ROS2_A     (1 / IB_ROS2_GAMMA)
#define IB_ROS2_C     (-2 / IB_ROS2_GAMMA)
#define IB_ROS2_B1    (1.5 / IB_ROS2_GAMMA)
#define IB_ROS2_B2    (0.5 / IB_ROS2_GAMMA)

#endif
