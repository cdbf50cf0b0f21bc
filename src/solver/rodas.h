// solver/rodas.h: the coefficients of RODAS, a Rosenbrock method of orders 4 and 3.
// Its page is docs/solver/solver.md.
//
// Six stages, L-stable and stiffly accurate [Hairer, Wanner, Solving ODEs II, IV.7 and VI.4]. The
// coefficients are the published ones of the authors' code (first method).
//
//   (I/(h gamma) - J) u_s = f(x0 + sum_j a_sj u_j) + sum_j c_sj u_j/h + gamma_s h f_t
//   x1 = x0 + sum_j a_6j u_j + u_6
#ifndef IB_SOLVER_RODAS_H
#define IB_SOLVER_RODAS_H

#define IB_RODAS_GAMMA 0.25

static const double ib_rodas_a[6][5] = {
    {0},
    {1.544},
    {0.9466785280815826, 0.2557011698983284},
    {3.314825187068521, 2.896124015972201, 0.9986419139977817},
    {1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950},
    {1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950, 1},
};

static const double ib_rodas_c[6][5] = {
    {0},
    {-5.6688},
    {-2.430093356833875, -0.2063599157091915},
    {-0.1073529058151375, -9.594562251023355, -20.47028614809616},
    {7.496443313967647, -10.24680431464352, -33.99990352819905, 11.70890893206160},
    {8.083246795921522, -7.981132988064893, -31.52159432874371, 16.31930543123136,
     -6.058818238834054},
};

#endif
