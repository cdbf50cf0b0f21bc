#include "control/leg/stance.h"

#include "base/extreme.h"
#include "base/matrix.h"

#include <string.h>

// (1 + c J J')^-1 w, symmetric.
static bool ease_of(const ib_StanceFoot *foot, double cost, double ease[9])
{
    double H[9], JT[9];
    int pivot[3];
    ib_matrix_transpose(3, 3, foot->jacobian, JT);
    ib_matrix_multiply(3, 3, 3, foot->jacobian, JT, H);
    ib_matrix_identity(3, ease);
    for (int i = 0; i < 9; i++) H[i] = ease[i] + cost * H[i];
    if (ib_matrix_factor(3, H, pivot) != 0) return false;
    ib_matrix_solve_columns(3, 3, H, pivot, ease);
    for (int i = 0; i < 9; i++) ease[i] *= foot->load;
    return true;
}

// G = [1; p x], 6 x 3.
static void wrench_of(const double p[3], double G[18])
{
    const double rows[18] = {1, 0,     0,    0,    1, 0,     0,     0,    1,
                             0, -p[2], p[1], p[2], 0, -p[0], -p[1], p[0], 0};
    memcpy(G, rows, sizeof rows);
}

// No pull, and no more along the ground than friction holds.
static void clip(double friction, const double up[3], double force[3])
{
    double into = force[0] * up[0] + force[1] * up[1] + force[2] * up[2], along[3], length = 0;
    for (int k = 0; k < 3; k++) along[k] = force[k] - into * up[k];
    for (int k = 0; k < 3; k++) length += along[k] * along[k];
    length = sqrt(length);
    into = ib_max(into, 0);
    double part = length > friction * into ? friction * into / length : 1;
    for (int k = 0; k < 3; k++) force[k] = into * up[k] + part * along[k];
}

void ib_stance_share(const ib_StanceConfig *config, const ib_StanceFoot *feet, int count,
                     const double force[3], const double moment[3], const double up[3],
                     double (*forces)[3])
{
    double sum[36] = {0}, ease[IB_LEG_LEGS][9], G[IB_LEG_LEGS][18];
    double b[6] = {force[0], force[1], force[2], moment[0], moment[1], moment[2]};
    int pivot[6];
    memset(forces, 0, (size_t)count * sizeof *forces);
    for (int i = 0; i < count; i++) {
        double GT[18], GH[18], part[36];
        if (!(feet[i].load > 0) || !ease_of(&feet[i], config->torque_cost, ease[i])) continue;
        wrench_of(feet[i].place, G[i]);
        ib_matrix_transpose(6, 3, G[i], GT);
        ib_matrix_multiply(6, 3, 3, G[i], ease[i], GH);
        ib_matrix_multiply(6, 3, 6, GH, GT, part);
        ib_matrix_add(6, 6, sum, 1, part, sum);
    }
    for (int i = 0; i < 3; i++) sum[7 * i] += 1e-9;
    for (int i = 3; i < 6; i++) sum[7 * i] += config->slack + 1e-9;
    if (ib_matrix_factor(6, sum, pivot) != 0) return;
    ib_matrix_solve(6, sum, pivot, b);
    for (int i = 0; i < count; i++) {
        double wanted[3];
        if (!(feet[i].load > 0)) continue;
        for (int k = 0; k < 3; k++) {
            wanted[k] = 0;
            for (int j = 0; j < 6; j++) wanted[k] += G[i][3 * j + k] * b[j];
        }
        ib_matrix_multiply(3, 3, 1, ease[i], wanted, forces[i]);
        clip(config->friction, up, forces[i]);
    }
}

bool ib_stance_felt(const double jacobian[9], const double torque[3], const double free[3],
                    double force[3])
{
    double JT[9];
    int pivot[3];
    ib_matrix_transpose(3, 3, jacobian, JT);
    for (int k = 0; k < 3; k++) force[k] = free[k] - torque[k];
    if (ib_matrix_factor(3, JT, pivot) != 0) return false;
    ib_matrix_solve(3, JT, pivot, force);
    return true;
}
