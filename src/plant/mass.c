#include "plant/mass.h"

#include <string.h>

// Solves a symmetric system of up to three equations, by elimination.
static void solve_small(int count, double a[3][3], double b[3])
{
    for (int i = 0; i < count; i++)
        for (int k = i + 1; k < count; k++) {
            double part = a[k][i] / a[i][i];
            for (int j = i; j < count; j++) a[k][j] -= part * a[i][j];
            b[k] -= part * b[i];
        }
    for (int i = count - 1; i >= 0; i--) {
        for (int k = i + 1; k < count; k++) b[i] -= a[i][k] * b[k];
        b[i] /= a[i][i];
    }
}

void ib_mass_response(const double whole[9], int count, const double (*B)[3], double response[9])
{
    memset(response, 0, 9 * sizeof *response);
    for (int column = 0; column < 3; column++) {
        double a[3][3] = {{0}}, b[3] = {0};
        for (int i = 0; i < count; i++) {
            b[i] = B[i][column];
            for (int j = 0; j < count; j++)
                for (int k = 0; k < 9; k++) a[i][j] += B[i][k / 3] * whole[k] * B[j][k % 3];
        }
        solve_small(count, a, b);
        for (int row = 0; row < 3; row++)
            for (int i = 0; i < count; i++) response[3 * row + column] += B[i][row] * b[i];
    }
}
