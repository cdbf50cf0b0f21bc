// design/analysis/analysis_left_out.c: the states that a loop does not feed back,
// and what they do by themselves.
//
// They do not act on those that are fed back, so their poles stay those of the plant. They are
// taken apart into groups whose members act on each other, in a circle: each has poles of its own,
// and a chain of integrators is so many single ones at z = 1 exactly.
#include "design/analysis/analysis_inside.h"

#include <stdio.h>
#include <string.h>

enum { N = IB_STATES_MAX };

#define ON_CIRCLE 1e-9 ///< an eigenvalue so near to the unit circle is on it

// acts[i][j]: state j moves state i, at once or by way of others that are left out.
static void find_paths(const ib_StateSpace *plant, int count, const int *left, bool (*acts)[N])
{
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++)
            acts[i][j] = plant->A[left[i] * plant->states + left[j]] != 0;
    for (int k = 0; k < count; k++)
        for (int i = 0; i < count; i++)
            for (int j = 0; j < count; j++) acts[i][j] |= acts[i][k] && acts[k][j];
}

// The largest |z| of the group of state `first`, and its members;
// 0 where it is not the first of them.
static double group_size(const ib_StateSpace *plant, int count, const int *left, bool (*acts)[N],
                         int first, int *members, int *found)
{
    double a[N * N];
    ib_Complex poles[N];
    *found = 0;
    for (int i = 0; i < count; i++)
        if (i == first || (acts[i][first] && acts[first][i])) members[(*found)++] = left[i];
    if (members[0] != left[first]) return 0;
    for (int i = 0; i < *found; i++)
        for (int j = 0; j < *found; j++)
            a[i * *found + j] = plant->A[members[i] * plant->states + members[j]];
    // What has no poles is not trusted.
    if (ib_eigenvalues(*found, a, poles, NULL) != IB_OK) return INFINITY;
    return ib_complex_size(poles[0]);
}

static void append_names(const ib_StateSpace *plant, int count, const int *states, char *text,
                         size_t size)
{
    for (int i = 0; i < count; i++) {
        size_t length = strlen(text);
        snprintf(text + length, size - length, "%s%s", length ? ", " : "", plant->state[states[i]]);
    }
}

bool ib__analysis_leave_out(const ib_AnalysisConfig *config, ib_Design *design)
{
    const ib_StateSpace *plant = &design->plant;
    bool listed[N] = {0}, acts[N][N];
    int left[N], members[N], count = 0, found;
    double worst = 0;
    char staying[IB_CONTROLLABILITY_TEXT / 2 - 40] = "",
                                               leaving[IB_CONTROLLABILITY_TEXT / 2 - 60] = "";
    if (!config->over) return true;
    for (int i = 0; i < config->over; i++) listed[config->over_state[i]] = true;
    for (int i = 0; i < plant->states; i++)
        if (!listed[i]) left[count++] = i;
    find_paths(plant, count, left, acts);
    for (int i = 0; i < count; i++) {
        double size = group_size(plant, count, left, acts, i, members, &found);
        if (size > 1 + ON_CIRCLE)
            append_names(plant, found, members, leaving, sizeof leaving);
        else if (size > 1 - ON_CIRCLE)
            append_names(plant, found, members, staying, sizeof staying);
        worst = fmax(worst, size);
    }
    char away[sizeof leaving + 80] = "";
    if (leaving[0])
        snprintf(away, sizeof away, "not fed back, and runs away by itself (|z| = %.6g): %s", worst,
                 leaving);
    snprintf(design->left_out, sizeof design->left_out, "%s%s%s%s", away,
             away[0] && staying[0] ? "; " : "", staying[0] ? "positions are not held: " : "",
             staying);
    return !leaving[0];
}
