// plant/actuator/actuator_sway.c: a mechanism on a base that moves, and a load that its hand takes:
// what each does to the speeds of all.
//
// Symbols: v speeds of the joints, K = M^-1 their inertia, c and q of ib_MechanismSway; U speed of
// the mount, A how it speeds up, less what a slope does to all alike; k what a unit impulse on the
// mount does to U; m what the hand holds beyond what the base knows of.
//
//   K v' + c A = n,                n: torques, weight, what the joints do to each other
//   A = A0 + k F,                  A0: without the mechanism
//   F = -(c . v' - q) - m A        on the base, by Newton's third law
// so that, with kappa = k/(1 + k m) and B = (A0 + k q)/(1 + k m):
//   A = B - kappa c . v',          (K - kappa c c^T) v' = n - B c
// For impulses the same without q and n. docs/plant/two_link.md
#include "plant/actuator/actuator_inside.h"

#include <string.h>

typedef double Matrix[IB_MECHANISM_JOINTS][IB_MECHANISM_JOINTS];

static double dot(const double a[2], const double b[2])
{
    return a[0] * b[0] + a[1] * b[1];
}

// The inertia, from the mobility.
static void invert(int count, Matrix M, Matrix K)
{
    memset(K, 0, sizeof(Matrix));
    if (count == 1) {
        K[0][0] = 1 / M[0][0];
        return;
    }
    double per = 1 / (M[0][0] * M[1][1] - M[0][1] * M[1][0]);
    K[0][0] = M[1][1] * per;
    K[1][1] = M[0][0] * per;
    K[0][1] = -M[0][1] * per;
    K[1][0] = -M[1][0] * per;
}

// K_ff v_f = p_f  for the joints that are free; the others keep 0.
static void solve_free(Matrix K, const bool free[2], const double p[2], double v[2])
{
    v[0] = v[1] = 0;
    if (free[0] && free[1]) {
        double per = 1 / (K[0][0] * K[1][1] - K[0][1] * K[1][0]);
        v[0] = (K[1][1] * p[0] - K[0][1] * p[1]) * per;
        v[1] = (K[0][0] * p[1] - K[1][0] * p[0]) * per;
    } else if (free[0]) {
        v[0] = p[0] / K[0][0];
    } else if (free[1]) {
        v[1] = p[1] / K[1][1];
    }
}

static void find_free(const ib_Actuator *a, const double *x, bool free[2])
{
    for (int j = 0; j < IB_MECHANISM_JOINTS; j++)
        free[j] = j < a->joint_count && !ib__actuator_stands(ib__actuator_mode(a, x, j));
}

static void find_speeds(const ib_Actuator *a, const double *x, double v[2])
{
    for (int j = 0; j < IB_MECHANISM_JOINTS; j++) v[j] = j < a->joint_count ? x[a->speed[j]] : 0;
}

// ------------------------------------------------------------------------------------- on the base

void ib__actuator_sway(const ib_Actuator *a, const void *model, const double *x,
                       const ib_Mount *base, ib__Sway *s)
{
    *s = (ib__Sway){.whole = 1};
    if (!a->config.reaction) return;
    a->mechanism.kind->sway(model, x + a->state, &s->own);
    s->extra = a->held < 0 ? 0 : x[a->held] - a->mechanism.ports.load;
    s->whole = 1 + base->give * s->extra;
    s->kappa = base->give / s->whole;
}

//   (K - kappa c c^T)^-1 = M + kappa h h^T/(1 - kappa c . h),   h = M c
void ib__actuator_give_way(const ib__Sway *s, Matrix M)
{
    const double *c = s->own.c;
    double h[2] = {0, 0};
    for (int i = 0; i < 2; i++) h[i] = M[i][0] * c[0] + (c[1] != 0 ? M[i][1] * c[1] : 0);
    double per = s->kappa / (1 - s->kappa * dot(c, h));
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) M[i][j] += per * h[i] * h[j];
}

// From v' on a base that stands, K^-1 n, to that on one that moves.
void ib__actuator_sway_rates(const ib__Sway *s, double begun, Matrix M, double a[2])
{
    const double *c = s->own.c;
    double h[2];
    for (int i = 0; i < 2; i++) h[i] = M[i][0] * c[0] + M[i][1] * c[1];
    double pull = s->kappa * (dot(c, a) - begun * dot(c, h)) / (1 - s->kappa * dot(c, h));
    for (int i = 0; i < 2; i++) a[i] += (pull - begun) * h[i];
}

double ib_actuator_momentum(const ib_Actuator *a, const double *x, const double *v)
{
    ib_MechanismMemory loaded;
    ib_MechanismSway own;
    a->mechanism.kind->sway(ib__actuator_model(a, x, &loaded), x + a->state, &own);
    return dot(own.c, v);
}

double ib_actuator_shake(const ib_Actuator *a, const double *x, const ib_Mount *base, double jump,
                         double change[IB_MECHANISM_JOINTS])
{
    ib_MechanismMemory loaded;
    const void *model = ib__actuator_model(a, x, &loaded);
    Matrix M = {{0}}, K;
    bool free[2];
    ib__Sway s;
    ib__actuator_sway(a, model, x, base, &s);
    a->mechanism.kind->mobility(model, x + a->state, M);
    invert(a->joint_count, M, K);
    find_free(a, x, free);
    double B = jump / s.whole, p[2];
    for (int i = 0; i < 2; i++) {
        p[i] = -B * s.own.c[i];
        for (int j = 0; j < 2; j++) K[i][j] -= s.kappa * s.own.c[i] * s.own.c[j];
    }
    solve_free(K, free, p, change);
    double dU = B - s.kappa * dot(s.own.c, change);
    return -dot(s.own.c, change) - s.extra * dU;
}

// ---------------------------------------------------------------------------------------- the load

// What joins the hand was at rest: the momenta of all joints that move, and that along the base's
// way, are those of before:
//   K_new v' + c_new U' = K v + c U,     U' = U - k (c_new . v' + m_new U' - c . v - m U)
// Limit: a base that does not feel it, k = U = 0:  K_new v' = K v.
static double grip(const ib_Actuator *a, const ib_Mount *base, double mass, double *x)
{
    const ib_MechanismKind *kind = a->mechanism.kind;
    ib_MechanismMemory before, after;
    const void *old = ib__actuator_model(a, x, &before), *new = &after;
    Matrix M = {{0}}, K_old, K_new;
    ib__Sway s_old, s_new;
    double v[2], p[2], then[2];
    bool free[2];
    kind->carry(&a->mechanism.model, mass, &after);
    find_free(a, x, free);
    find_speeds(a, x, v);
    kind->mobility(old, x + a->state, M);
    invert(a->joint_count, M, K_old);
    ib__actuator_sway(a, old, x, base, &s_old);
    x[a->held] = mass;
    kind->mobility(new, x + a->state, M);
    invert(a->joint_count, M, K_new);
    ib__actuator_sway(a, new, x, base, &s_new);

    double U = base->speed, k = base->give, was = dot(s_old.own.c, v);
    double B = (U * s_old.whole + k * was) / s_new.whole;
    for (int i = 0; i < 2; i++) {
        p[i] = dot(K_old[i], v) + s_old.own.c[i] * U - s_new.own.c[i] * B;
        for (int j = 0; j < 2; j++) K_new[i][j] -= s_new.kappa * s_new.own.c[i] * s_new.own.c[j];
    }
    solve_free(K_new, free, p, then);
    for (int j = 0; j < a->joint_count; j++)
        if (free[j]) x[a->speed[j]] = then[j];
    double is = dot(s_new.own.c, then), after_U = B - s_new.kappa * is;
    return was + s_old.extra * U - is - s_new.extra * after_U;
}

bool ib__actuator_settle_load(const ib_Actuator *a, double mass, const ib_Wires *w, double *x,
                              double *kick)
{
    if (x[a->held] == mass) return false;
    double before = ib__actuator_stored(a, x, w->gravity);
    // What is let go flies on with the speed that it has.
    if (mass > x[a->held]) *kick += grip(a, &w->mount, mass, x);
    x[a->held] = mass;
    x[a->books + IB_ACTUATOR_GIVEN] += before - ib__actuator_stored(a, x, w->gravity);
    return true;
}
