#include "control/arm/arm_mpc.h"

#include "base/extreme.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { N = IB_ARM_MPC_STEPS, X = IB_ARM_MPC_STATES };

ib_ArmMpcConfig ib_arm_mpc_default(void)
{
    return (ib_ArmMpcConfig){.steps = 20,
                             .step = 0.015,
                             .rounds = 10,
                             .error = 1,
                             .speed = 1 / (30.0 * 30),
                             .effort = 1 / (100.0 * 100),
                             .end = 1 / (0.22 * 0.22),
                             .end_speed = 1 / (1.4 * 1.4),
                             .push = 1 / (0.007 * 0.007),
                             .keep = 0.02,
                             .most = 12};
}

// ------------------------------------------------------------------------------------------- model

// f(x, u) and its slopes.
static void rate(const ib_ArmPlant *arm, const double *x, const double *u, double f[X],
                 double F[X][X], double G[X][2])
{
    double T[2];
    ib_TwoLinkSlopes slopes;
    for (int i = 0; i < 2; i++) T[i] = arm->gear[i].push * u[i] - arm->gear[i].drag * x[2 + i];
    ib_two_link_slopes(&arm->link, x, x + 2, T, arm->gravity, &slopes);
    memset(F, 0, X * sizeof F[0]);
    memset(G, 0, X * sizeof G[0]);
    for (int i = 0; i < 2; i++) {
        f[i] = x[2 + i];
        f[2 + i] = slopes.a[i];
        F[i][2 + i] = 1;
        for (int j = 0; j < 2; j++) {
            F[2 + i][j] = slopes.a_th[i][j];
            F[2 + i][2 + j] = slopes.a_w[i][j] - slopes.a_T[i][j] * arm->gear[j].drag;
            G[2 + i][j] = slopes.a_T[i][j] * arm->gear[j].push;
        }
    }
}

// One step of the midpoint rule and its slopes: with F1, G1 at x and F2, G2 half a step on,
//   A = 1 + h F2 (1 + h/2 F1),   B = h (G2 + h/2 F2 G1)
static void step(const ib_ArmPlant *arm, double h, const double *x, const double *u, double next[X],
                 double A[X][X], double B[X][2])
{
    double f[X], F1[X][X], G1[X][2], F2[X][X], G2[X][2], half[X];
    rate(arm, x, u, f, F1, G1);
    for (int i = 0; i < X; i++) half[i] = x[i] + 0.5 * h * f[i];
    rate(arm, half, u, f, F2, G2);
    for (int i = 0; i < X; i++) {
        next[i] = x[i] + h * f[i];
        for (int j = 0; j < X; j++) {
            A[i][j] = (i == j) + h * F2[i][j];
            for (int k = 0; k < X; k++) A[i][j] += 0.5 * h * h * F2[i][k] * F1[k][j];
        }
        for (int j = 0; j < 2; j++) {
            B[i][j] = h * G2[i][j];
            for (int k = 0; k < X; k++) B[i][j] += 0.5 * h * h * F2[i][k] * G1[k][j];
        }
    }
}

// -------------------------------------------------------------------------------------------- cost

// Cost of a state, with slope g and curvature H (of the squares, as in the Gauss-Newton method);
// they may be NULL together.
static double state_cost(const ib_ArmMpcConfig *config, const ib_ArmPlant *arm, const double *x,
                         bool end, double g[X], double H[X][X])
{
    double q[X] = {end ? config->end : config->error, 0, end ? config->end_speed : config->speed};
    double cost = 0, s[2], c[2], hand[2] = {0, 0};
    q[1] = q[0], q[3] = q[2];
    if (g) memset(H, 0, X * sizeof H[0]);
    for (int i = 0; i < X; i++) {
        double off = i < 2 ? x[i] - config->goal[i] : x[i];
        cost += q[i] * off * off;
        if (g) g[i] = 2 * q[i] * off, H[i][i] = 2 * q[i];
    }
    for (int i = 0; i < 2; i++) {
        ib_sincos(x[i], &s[i], &c[i]);
        hand[0] += arm->link.length[i] * s[i];
        hand[1] += arm->link.length[i] * c[i];
    }
    for (int k = 0; k < config->discs; k++) {
        double n[2] = {hand[0] - config->place[k][0], hand[1] - config->place[k][1]};
        double apart = sqrt(n[0] * n[0] + n[1] * n[1]);
        double lacks = config->keep - (apart - config->radius[k]), d[2];
        if (!(lacks > 0 && apart > 0)) continue;
        cost += config->push * lacks * lacks;
        for (int i = 0; i < 2; i++)
            d[i] = arm->link.length[i] * (n[0] * c[i] - n[1] * s[i]) / apart;
        for (int i = 0; g && i < 2; i++) {
            g[i] -= 2 * config->push * lacks * d[i];
            for (int j = 0; j < 2; j++) H[i][j] += 2 * config->push * d[i] * d[j];
        }
    }
    return cost;
}

static double input_cost(const ib_ArmMpcConfig *config, const double u[2])
{
    return config->effort * (u[0] * u[0] + u[1] * u[1]);
}

// --------------------------------------------------------------------------------------- recursion

// Effect of a voltage on J at one step: J + l'du + du' Q du/2 + du' P dx.
typedef struct Choice {
    double l[2], Q[2][2], P[2][X];
    double k[2], K[2][X]; ///< du = k + K dx
} Choice;

// The least of J over du, u + du within its limits: by trial of the active ones. Active ones do not
// respond to dx.
static void choose(Choice *choice, const double u[2], double most)
{
    double best = INFINITY;
    const double(*Q)[2] = (const double(*)[2])choice->Q;
    const double *l = choice->l;
    for (int side = 0; side < 9; side++) {
        int at[2] = {side % 3 - 1, side / 3 - 1}; // -1, 1: at that limit; 0: free
        double du[2], det = Q[0][0] * Q[1][1] - Q[0][1] * Q[1][0];
        for (int i = 0; i < 2; i++) du[i] = at[i] * most - u[i];
        if (!at[0] && !at[1]) {
            du[0] = (-l[0] * Q[1][1] + l[1] * Q[0][1]) / det;
            du[1] = (-l[1] * Q[0][0] + l[0] * Q[1][0]) / det;
        } else if (!at[0])
            du[0] = -(l[0] + Q[0][1] * du[1]) / Q[0][0];
        else if (!at[1])
            du[1] = -(l[1] + Q[1][0] * du[0]) / Q[1][1];
        double over = ib_max(fabs(u[0] + du[0]), fabs(u[1] + du[1])) - most, cost = 0;
        if (!(over <= 1e-9 * most)) continue;
        for (int i = 0; i < 2; i++)
            cost += du[i] * (l[i] + 0.5 * (Q[i][0] * du[0] + Q[i][1] * du[1]));
        if (!(cost < best)) continue;
        best = cost;
        memset(choice->K, 0, sizeof choice->K);
        for (int i = 0; i < 2; i++) choice->k[i] = du[i];
        for (int j = 0; j < X; j++) {
            const double p[2] = {choice->P[0][j], choice->P[1][j]};
            if (!at[0] && !at[1]) {
                choice->K[0][j] = (-p[0] * Q[1][1] + p[1] * Q[0][1]) / det;
                choice->K[1][j] = (-p[1] * Q[0][0] + p[0] * Q[1][0]) / det;
            } else if (!at[0])
                choice->K[0][j] = -p[0] / Q[0][0];
            else if (!at[1])
                choice->K[1][j] = -p[1] / Q[1][1];
        }
    }
}

// Cost to go: v, V its slope and curvature.
typedef struct ToGo {
    double v[X], V[X][X];
} ToGo;

//   l = r_u' + B'v,   Q = r_u" + B'V B,   P = B'V A
static void weigh(const ToGo *go, double A[X][X], double B[X][2], const double u[2], double effort,
                  Choice *choice)
{
    for (int i = 0; i < 2; i++) {
        double BV[X];
        choice->l[i] = 2 * effort * u[i];
        for (int j = 0; j < X; j++) {
            choice->l[i] += B[j][i] * go->v[j];
            BV[j] = 0;
            for (int k = 0; k < X; k++) BV[j] += B[k][i] * go->V[k][j];
        }
        for (int j = 0; j < 2; j++) {
            choice->Q[i][j] = i == j ? 2 * effort : 0;
            for (int k = 0; k < X; k++) choice->Q[i][j] += BV[k] * B[k][j];
        }
        for (int j = 0; j < X; j++) {
            choice->P[i][j] = 0;
            for (int k = 0; k < X; k++) choice->P[i][j] += BV[k] * A[k][j];
        }
    }
}

//   v <- g + A'v + K'(l + Q k) + P'k,     V <- H + A'V A + K'(P + Q K) + P'K
// `here` has g and H and becomes the cost to go from here.
static void hand_back(const ToGo *go, double A[X][X], const Choice *choice, ToGo *here)
{
    double low[2], LOW[2][X];
    for (int m = 0; m < 2; m++) {
        const double *Q = choice->Q[m];
        low[m] = choice->l[m] + Q[0] * choice->k[0] + Q[1] * choice->k[1];
        for (int j = 0; j < X; j++)
            LOW[m][j] = choice->P[m][j] + Q[0] * choice->K[0][j] + Q[1] * choice->K[1][j];
    }
    for (int i = 0; i < X; i++) {
        double AV[X];
        for (int k = 0; k < X; k++) {
            here->v[i] += A[k][i] * go->v[k];
            AV[k] = 0;
            for (int m = 0; m < X; m++) AV[k] += A[m][i] * go->V[m][k];
        }
        for (int m = 0; m < 2; m++)
            here->v[i] += choice->K[m][i] * low[m] + choice->P[m][i] * choice->k[m];
        for (int j = 0; j < X; j++) {
            for (int k = 0; k < X; k++) here->V[i][j] += AV[k] * A[k][j];
            for (int m = 0; m < 2; m++)
                here->V[i][j] += choice->K[m][i] * LOW[m][j] + choice->P[m][i] * choice->K[m][j];
        }
    }
}

// Backward pass, from the end of the horizon to its begin: the change at each step.
static void backwards(const ib_ArmMpcConfig *config, const ib_ArmPlant *arm, const ib_ArmMpc *mpc,
                      Choice *choices)
{
    double A[X][X], B[X][2], next[X];
    ToGo go, here;
    state_cost(config, arm, mpc->x[config->steps], true, go.v, go.V);
    for (int n = config->steps - 1; n >= 0; n--) {
        step(arm, config->step, mpc->x[n], mpc->u[n], next, A, B);
        state_cost(config, arm, mpc->x[n], false, here.v, here.V);
        weigh(&go, A, B, mpc->u[n], config->effort, &choices[n]);
        choose(&choices[n], mpc->u[n], config->most);
        hand_back(&go, A, &choices[n], &here);
        go = here;
    }
}

// Forward pass: the plan with `part` of the chosen change, from the same state.
static void forwards(const ib_ArmMpcConfig *config, const ib_ArmPlant *arm, const ib_ArmMpc *mpc,
                     const Choice *choices, double part, ib_ArmMpc *next)
{
    double A[X][X], B[X][2];
    memcpy(next->x[0], mpc->x[0], sizeof next->x[0]);
    next->cost = 0;
    for (int n = 0; n < config->steps; n++) {
        for (int i = 0; i < 2; i++) {
            double u = mpc->u[n][i];
            if (choices) {
                u += part * choices[n].k[i];
                for (int j = 0; j < X; j++)
                    u += choices[n].K[i][j] * (next->x[n][j] - mpc->x[n][j]);
            }
            next->u[n][i] = ib_min(ib_max(u, -config->most), config->most);
        }
        next->cost +=
            state_cost(config, arm, next->x[n], false, NULL, NULL) + input_cost(config, next->u[n]);
        step(arm, config->step, next->x[n], next->u[n], next->x[n + 1], A, B);
    }
    next->cost += state_cost(config, arm, next->x[config->steps], true, NULL, NULL);
}

// -------------------------------------------------------------------------------------------- tick

void ib_arm_mpc_reset(const ib_ArmPlant *arm, const double x[X], ib_ArmMpc *mpc)
{
    const double still[2] = {0, 0};
    *mpc = (ib_ArmMpc){0};
    for (int n = 0; n < N; n++) ib_arm_volts(arm, x, still, still, mpc->u[n]);
}

void ib_arm_mpc_update(const ib_ArmMpcConfig *config, const ib_ArmPlant *arm, const double x[X],
                       ib_ArmMpc *mpc, double volts[2])
{
    Choice choices[N];
    ib_ArmMpc next = *mpc;
    // The last plan, moved on by a step, from where the arm really is.
    memmove(mpc->u[0], mpc->u[1], (size_t)(config->steps - 1) * sizeof mpc->u[0]);
    memcpy(mpc->x[0], x, sizeof mpc->x[0]);
    forwards(config, arm, mpc, NULL, 0, &next);
    *mpc = next;
    for (int round = 0; round < config->rounds; round++) {
        bool better = false;
        backwards(config, arm, mpc, choices);
        for (double part = 1; part > 1e-3 && !better; part *= 0.5) {
            forwards(config, arm, mpc, choices, part, &next);
            better = next.cost < mpc->cost;
        }
        if (!better) break;
        *mpc = next;
    }
    for (int i = 0; i < 2; i++) volts[i] = mpc->u[0][i];
}
