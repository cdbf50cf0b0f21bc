#include "control/arm/arm_table.h"

#include "base/extreme.h"
#include "base/matrix.h"

#include <math.h>
#include <string.h>

enum { N = IB_ARM_FED, M = 2 };

// Staying is reached when a step changes S by less than this part of it; the most steps until then.
static const double SETTLED = 1e-10;
enum { LONGEST = 20000 };

// ----------------------------------------------------------------------------------------- riccati

typedef struct Period {
    double A[N * N], B[N * M];
} Period;

// The arm over a period about a place, from the slopes with volts as two more states:
//   e^([A B; 0 0] h) = [A_d B_d; 0 I]
static void linearise(const ib_ArmPlant *arm, const ib_ArmSample *sample, double h, Period *plant)
{
    double x[IB_ARM_X] = {sample->th[0], sample->w[0], sample->th[1], sample->w[1]};
    double A[IB_ARM_XX], Phi[IB_ARM_XX];
    ib_arm_slopes(arm, x, sample->volts, A);
    ib_arm_transition(A, h, Phi);
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) plant->A[i * N + j] = Phi[i * IB_ARM_X + j];
        for (int j = 0; j < M; j++) plant->B[i * M + j] = Phi[i * IB_ARM_X + N + j];
    }
}

// One step back; returns the largest change of S over its largest element.
static double step_back(const Period *plant, const ib_ArmWorth *weights, double S[N * N],
                        double K[M][N])
{
    double SA[N * N], SB[N * M], G[M][M], BSA[M][N];
    ib_matrix_multiply(N, N, N, S, plant->A, SA);
    ib_matrix_multiply(N, N, M, S, plant->B, SB);
    for (int i = 0; i < M; i++) {
        for (int j = 0; j < M; j++) {
            G[i][j] = i == j ? 1 / (weights->volts[i] * weights->volts[i]) : 0;
            for (int k = 0; k < N; k++) G[i][j] += plant->B[k * M + i] * SB[k * M + j];
        }
        for (int j = 0; j < N; j++) {
            BSA[i][j] = 0;
            for (int k = 0; k < N; k++) BSA[i][j] += plant->B[k * M + i] * SA[k * N + j];
        }
    }
    double per = 1 / (G[0][0] * G[1][1] - G[0][1] * G[1][0]);
    for (int j = 0; j < N; j++) {
        K[0][j] = (G[1][1] * BSA[0][j] - G[0][1] * BSA[1][j]) * per;
        K[1][j] = (G[0][0] * BSA[1][j] - G[1][0] * BSA[0][j]) * per;
    }
    double change = 0, most = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= i; j++) {
            const double *limit = i % 2 == 0 ? weights->position : weights->velocity;
            double next = i == j ? 1 / (limit[i / 2] * limit[i / 2]) : 0;
            for (int k = 0; k < N; k++) next += plant->A[k * N + i] * SA[k * N + j];
            for (int k = 0; k < M; k++) next -= BSA[k][i] * K[k][j];
            change = ib_max(change, fabs(next - S[i * N + j]));
            most = ib_max(most, fabs(next));
            S[i * N + j] = S[j * N + i] = next;
        }
    return change / most;
}

// S and K of staying at the sample for ever.
static void settle(const ib_ArmPlant *arm, const ib_ArmSample *sample, const ib_ArmWorth *weights,
                   double period, double S[N * N], double K[M][N])
{
    Period plant;
    linearise(arm, sample, period, &plant);
    memset(S, 0, N * N * sizeof *S);
    for (int i = 0; i < LONGEST; i++)
        if (step_back(&plant, weights, S, K) < SETTLED) return;
}

// ------------------------------------------------------------------------------------------- table

int ib_arm_table_count(double duration, double period, int most)
{
    double rows = ceil(duration / period - 1e-9) + 1;
    return rows > most ? most : rows < 2 ? 2 : (int)rows;
}

void ib_arm_table_make(const ib_ArmPlant *arm, const ib_ArmPath *path, const ib_ArmTiming *timing,
                       const ib_ArmWorth *weights, double period, int count, ib_ArmTableRow *rows,
                       ib_ArmTable *table)
{
    double end = timing->t[path->count - 1], spacing = end / (count - 1), S[N * N], K[M][N];
    int each = (int)ib_max(floor(spacing / period + 0.5), 1), hint = path->count - 2;
    IB_ASSERT(count >= 2);
    *table = (ib_ArmTable){.count = count, .spacing = spacing, .rows = rows};
    // Beyond the end it stands.
    ib_ArmSample sample = ib_arm_sample(arm, path, timing, 2 * end, NULL);
    settle(arm, &sample, weights, period, S, K);
    for (int i = count - 1; i >= 0; i--) {
        bool last = i == count - 1;
        if (!last) {
            Period plant;
            sample = ib_arm_sample(arm, path, timing, i * spacing, &hint);
            linearise(arm, &sample, period, &plant);
            for (int k = 0; k < each; k++) step_back(&plant, weights, S, K);
        }
        for (int k = 0; k < 2; k++) {
            rows[i].th[k] = sample.th[k];
            rows[i].w[k] = sample.w[k];
        }
        memcpy(rows[i].K, K, sizeof K);
    }
}

void ib_arm_table_stand(const ib_ArmPlant *arm, const double th[2], const ib_ArmWorth *weights,
                        double period, ib_ArmTableRow *rows, ib_ArmTable *table)
{
    ib_ArmSample sample = {.th = {th[0], th[1]}};
    double S[N * N];
    ib_arm_volts(arm, sample.th, sample.w, sample.a, sample.volts);
    rows[0] = (ib_ArmTableRow){.th = {th[0], th[1]}};
    settle(arm, &sample, weights, period, S, rows[0].K);
    *table = (ib_ArmTable){.count = 1, .spacing = period, .rows = rows};
}

static void stand(const ib_ArmTableRow *row, ib_ArmReference *reference)
{
    *reference = (ib_ArmReference){.th = {row->th[0], row->th[1]}};
    memcpy(reference->K, row->K, sizeof row->K);
}

// Over x = 0 .. 1 of a spacing h, with d = th1 - th0:
//   th = th0 + x (h w0 + x (3 d - h (2 w0 + w1) + x (h (w0 + w1) - 2 d)))
void ib_arm_table_at(const ib_ArmTable *table, double t, ib_ArmReference *reference)
{
    const ib_ArmTableRow *rows = table->rows;
    double h = table->spacing, place = t / h;
    int last = table->count - 1;
    if (!(place > 0) && last > 0) place = 0;
    if (last == 0 || place >= last) {
        stand(&rows[last], reference);
        return;
    }
    int i = (int)place;
    double x = place - i;
    const ib_ArmTableRow *from = &rows[i], *to = from + 1;
    for (int k = 0; k < 2; k++) {
        double d = to->th[k] - from->th[k], w0 = h * from->w[k], w1 = h * to->w[k];
        double c2 = 3 * d - 2 * w0 - w1, c3 = w0 + w1 - 2 * d;
        reference->th[k] = from->th[k] + x * (w0 + x * (c2 + x * c3));
        reference->w[k] = (w0 + x * (2 * c2 + 3 * x * c3)) / h;
        reference->a[k] = (2 * c2 + 6 * x * c3) / (h * h);
        for (int j = 0; j < N; j++)
            reference->K[k][j] = from->K[k][j] + x * (to->K[k][j] - from->K[k][j]);
    }
}
