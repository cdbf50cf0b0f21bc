// plant/actuator/actuator_sway.c: a mechanism on a moving base, and a load taken by its hand: their
// effect on all speeds.
//
// Symbols: v speeds of the joints, K = M^-1 their inertia, c and q of ib_MechanismSway; U speed of
// the mount, A acceleration of its mass with the base, less the slope's share; k the change of U by
// a unit impulse on the mount, with all loads of the base.
//
//   K v' + c A = n,                n: torques, weight, coupling of the joints
//   A = A0 - k P',                 A0: without the motion in the base,   P' = c . v' - q
// so that, with B = A0 + k q:
//   A = B - k c . v',              (K - k c c^T) v' = n - B c
// For impulses the same without q and n. Without `reaction` k = 0, and A is a slope's alone. The
// derivation is in docs/plant/two_link.md.
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
    *s = (ib__Sway){.kappa = a->config.reaction ? base->give : 0};
    if (a->mechanism.kind->sway) a->mechanism.kind->sway(model, x + a->state, &s->own);
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

// Converts v' on a fixed base, K^-1 n, to that on a moving one.
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
    ib_MechanismSway own = {0};
    if (!a->mechanism.kind->sway) return 0;
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
    double p[2];
    for (int i = 0; i < 2; i++) {
        p[i] = -jump * s.own.c[i];
        for (int j = 0; j < 2; j++) K[i][j] -= s.kappa * s.own.c[i] * s.own.c[j];
    }
    solve_free(K, free, p, change);
    return -dot(s.own.c, change);
}

// ---------------------------------------------------------------------------------------- the load

// The new load was at rest: the momenta of all moving joints, and that along the base's way, are
// conserved; U and k: of the base with the hand's new load, if all momentum in it had become
// its own:
//   K_new v' + c_new U' = K v + c U0,     U' = U - k c_new . v'
// Limit: a base that does not feel it, k = U = U0 = 0:  K_new v' = K v.
static void grip(const ib_Actuator *a, const ib_Mount *now, const ib_Mount *then, double mass,
                 double *x)
{
    const ib_MechanismKind *kind = a->mechanism.kind;
    ib_MechanismMemory before, after;
    const void *old = ib__actuator_model(a, x, &before), *new = &after;
    Matrix M = {{0}}, K_old, K_new;
    ib__Sway s_old, s_new;
    double v[2], p[2], next[2], feels = a->config.reaction;
    bool free[2];
    kind->carry(&a->mechanism.model, mass, &after);
    find_free(a, x, free);
    find_speeds(a, x, v);
    kind->mobility(old, x + a->state, M);
    invert(a->joint_count, M, K_old);
    ib__actuator_sway(a, old, x, now, &s_old);
    kind->mobility(new, x + a->state, M);
    invert(a->joint_count, M, K_new);
    ib__actuator_sway(a, new, x, then, &s_new);
    for (int i = 0; i < 2; i++) {
        p[i] =
            dot(K_old[i], v) + feels * (s_old.own.c[i] * now->speed - s_new.own.c[i] * then->speed);
        for (int j = 0; j < 2; j++) K_new[i][j] -= s_new.kappa * s_new.own.c[i] * s_new.own.c[j];
    }
    solve_free(K_new, free, p, next);
    for (int j = 0; j < a->joint_count; j++)
        if (free[j]) x[a->speed[j]] = next[j];
}

bool ib__actuator_settle_load(const ib_Actuator *a, double mass, const ib_Mount *base,
                              const ib_Wires *w, double *x)
{
    if (x[a->held] == mass) return false;
    double g = ib_gravity_now(w).whole, before = ib__actuator_stored(a, x, g);
    // A released load flies on with its present speed.
    if (mass > x[a->held]) grip(a, &w->mount, base, mass, x);
    x[a->held] = mass;
    x[a->books + IB_ACTUATOR_GIVEN] += before - ib__actuator_stored(a, x, g);
    return true;
}
