// design/analysis/analysis_left_out.c: the stability of the states that a loop does not feed back.
//
// They do not act on those that are fed back, so their poles stay those of the plant. They are
// split into groups of mutually coupled states (strongly connected components): each has poles of
// its own, and a chain of integrators is so many single ones at exactly z = 1.
#include "base/extreme.h"
#include "design/analysis/analysis_inside.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { N = IB_STATES_MAX };

#define ON_CIRCLE 1e-9 ///< eigenvalues as near to the unit circle count as on it

// acts[i][j]: state j acts on state i, directly or through others that are left out.
static void find_paths(const ib_StateSpace *plant, int count, const int *left, bool (*acts)[N])
{
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++)
            acts[i][j] = plant->A[left[i] * plant->states + left[j]] != 0;
    for (int k = 0; k < count; k++)
        for (int i = 0; i < count; i++)
            for (int j = 0; j < count; j++) acts[i][j] |= acts[i][k] && acts[k][j];
}

// The largest |z| of the group of state `first`, and its members; 0 if it is not their first.
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
    // Without poles the group counts as unstable.
    if (ib_eigenvalues(*found, a, poles, NULL) != IB_OK) return INFINITY;
    return ib_complex_size(poles[0]);
}

static void append(char *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void append(char *text, const char *format, ...)
{
    size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    int more = vsnprintf(text + used, IB_LEFT_OUT_TEXT - used, format, arguments);
    va_end(arguments);
    IB_ASSERT(more >= 0 && used + (size_t)more < IB_LEFT_OUT_TEXT); // the text has room for
                                                                    // all names
}

// A list of states, in the order of their groups.
typedef struct States {
    int count, state[N];
} States;

static void add(States *states, int count, const int *more)
{
    memcpy(states->state + states->count, more, (size_t)count * sizeof *more);
    states->count += count;
}

static void append_names(const ib_StateSpace *plant, const States *states, char *text)
{
    for (int i = 0; i < states->count; i++)
        append(text, "%s%s", i ? ", " : "", plant->state[states->state[i]]);
}

bool ib__analysis_leave_out(const ib_AnalysisConfig *config, ib_Design *design)
{
    const ib_StateSpace *plant = &design->plant;
    bool listed[N] = {0}, acts[N][N];
    int left[N], members[N], count = 0, found;
    double worst = 0;
    States staying = {0}, leaving = {0};
    if (!config->over) return true;
    for (int i = 0; i < config->over; i++) listed[config->over_state[i]] = true;
    for (int i = 0; i < plant->states; i++)
        if (!listed[i]) left[count++] = i;
    find_paths(plant, count, left, acts);
    for (int i = 0; i < count; i++) {
        double size = group_size(plant, count, left, acts, i, members, &found);
        if (size > 1 - ON_CIRCLE) add(size > 1 + ON_CIRCLE ? &leaving : &staying, found, members);
        worst = ib_max(worst, size);
    }
    char *text = design->left_out;
    text[0] = '\0';
    if (leaving.count) append(text, "not fed back, and runs away by itself (|z| = %.6g): ", worst);
    append_names(plant, &leaving, text);
    if (staying.count) append(text, "%spositions are not held: ", leaving.count ? "; " : "");
    append_names(plant, &staying, text);
    return !leaving.count;
}
