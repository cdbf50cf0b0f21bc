#include "control/arm/arm_linear.h"

#include "base/matrix.h"

#include <string.h>

enum { TERMS = 8 };

// T = push (u + e) - drag w
static void torques(const ib_ArmPlant *arm, const double x[IB_ARM_X], const double u[2],
                    double T[2])
{
    T[0] = arm->gear[0].push * (u[0] + x[IB_ARM_E1]) - arm->gear[0].drag * x[IB_ARM_W1];
    T[1] = arm->gear[1].push * (u[1] + x[IB_ARM_E2]) - arm->gear[1].drag * x[IB_ARM_W2];
}

void ib_arm_plant_rate(const ib_ArmPlant *arm, const double x[IB_ARM_X], const double u[2],
                       double rate[IB_ARM_X])
{
    double th[2] = {x[IB_ARM_TH1], x[IB_ARM_TH2]}, w[2] = {x[IB_ARM_W1], x[IB_ARM_W2]};
    double T[2], a[2];
    torques(arm, x, u, T);
    ib_two_link_forward(&arm->link, th, w, T, arm->gravity, a);
    rate[IB_ARM_TH1] = w[0];
    rate[IB_ARM_W1] = a[0];
    rate[IB_ARM_TH2] = w[1];
    rate[IB_ARM_W2] = a[1];
    rate[IB_ARM_E1] = rate[IB_ARM_E2] = 0;
}

void ib_arm_advance(const ib_ArmPlant *arm, const double u[2], double h, double x[IB_ARM_X])
{
    double k1[IB_ARM_X], k2[IB_ARM_X], k3[IB_ARM_X], k4[IB_ARM_X], at[IB_ARM_X];
    ib_arm_plant_rate(arm, x, u, k1);
    for (int i = 0; i < IB_ARM_X; i++) at[i] = x[i] + 0.5 * h * k1[i];
    ib_arm_plant_rate(arm, at, u, k2);
    for (int i = 0; i < IB_ARM_X; i++) at[i] = x[i] + 0.5 * h * k2[i];
    ib_arm_plant_rate(arm, at, u, k3);
    for (int i = 0; i < IB_ARM_X; i++) at[i] = x[i] + h * k3[i];
    ib_arm_plant_rate(arm, at, u, k4);
    for (int i = 0; i < IB_ARM_X; i++) x[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
}

// dw'/dth, dw'/dw - dw'/dT drag, dw'/dT push
void ib_arm_slopes(const ib_ArmPlant *arm, const double x[IB_ARM_X], const double u[2],
                   double A[IB_ARM_XX])
{
    double th[2] = {x[IB_ARM_TH1], x[IB_ARM_TH2]}, w[2] = {x[IB_ARM_W1], x[IB_ARM_W2]}, T[2];
    ib_TwoLinkSlopes slopes;
    torques(arm, x, u, T);
    ib_two_link_slopes(&arm->link, th, w, T, arm->gravity, &slopes);
    memset(A, 0, IB_ARM_XX * sizeof *A);
    for (int i = 0; i < 2; i++) {
        double *row = A + (2 * i + 1) * IB_ARM_X;
        A[2 * i * IB_ARM_X + 2 * i + 1] = 1;
        for (int j = 0; j < 2; j++) {
            row[2 * j] = slopes.a_th[i][j];
            row[2 * j + 1] = slopes.a_w[i][j] - slopes.a_T[i][j] * arm->gear[j].drag;
            row[IB_ARM_E1 + j] = slopes.a_T[i][j] * arm->gear[j].push;
        }
    }
}

void ib_arm_transition(const double A[IB_ARM_XX], double h, double Phi[IB_ARM_XX])
{
    double product[IB_ARM_XX];
    ib_matrix_identity(IB_ARM_X, Phi);
    for (int k = TERMS; k > 0; k--) {
        ib_matrix_multiply(IB_ARM_X, IB_ARM_X, IB_ARM_X, A, Phi, product);
        for (int i = 0; i < IB_ARM_XX; i++) Phi[i] = product[i] * (h / k);
        for (int i = 0; i < IB_ARM_X; i++) Phi[i * IB_ARM_X + i] += 1;
    }
}
