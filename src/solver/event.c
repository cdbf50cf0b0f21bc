// solver/event.c: the first instant within a step at which a guard changes sign.
// See docs/solver/solver.md
#include "solver/method.h"

enum {
    PARTS = 9,       // of a step; the dense output is evaluated at their 8 boundaries
    MAX_STEPS = 100, // for locating; bisection alone needs 53
};

static const double SOON = 1e-6; // of a step

// Arrays of one number a guard.
struct ib_EventWorkspace {
    int count;
    double *sign;                // +1 or -1, as it started; 0: at zero all the time
    int *first;                  // the part at whose start it first has that sign: 0, or later
                                 // from zero
    double *g[PARTS + 1], *soon; // along the dense output
    double *ga, *gb, *look;      // at the ends of a bracket, and between them
    bool *active, *before;       // guards active in a part, and in the one before it
    bool *crossed, *hits;        // those of them that are crossed
};

ib_EventWorkspace *ib_event_workspace_create(int count, ib_Arena *arena)
{
    enum { DOUBLES = PARTS + 6, FLAGS = 4 };
    size_t size = (size_t)count;
    ib_EventWorkspace *workspace = ib_arena_alloc(arena, sizeof *workspace);
    double *doubles = ib_arena_array(arena, DOUBLES * size, sizeof *doubles);
    bool *flags = ib_arena_array(arena, FLAGS * size, sizeof *flags);
    int *first = ib_arena_array(arena, size, sizeof *first);
    if (!workspace || !doubles || !flags || !first) return NULL;
    *workspace = (ib_EventWorkspace){.count = count, .first = first};
    double **numbers[] = {&workspace->sign, &workspace->soon, &workspace->ga, &workspace->gb,
                          &workspace->look};
    for (int i = 0; i < 5; i++) *numbers[i] = doubles + (size_t)i * size;
    for (int i = 0; i <= PARTS; i++) workspace->g[i] = doubles + (size_t)(5 + i) * size;
    bool **sets[FLAGS] = {&workspace->active, &workspace->before, &workspace->crossed,
                          &workspace->hits};
    for (int i = 0; i < FLAGS; i++) *sets[i] = flags + (size_t)i * size;
    return workspace;
}

// A guard is "crossed" at t when it has not the sign it started with.
typedef struct Search {
    ib_Solver *solver;
    const ib_System *system;
    const ib_EventSystem *events;
    ib_EventWorkspace *workspace;
    const double *x0;
    double h;
} Search;

// The ends of an interval in which at least one guard changes sign: those in room->crossed, of
// those that count in it, room->active; the guards at its ends are room->ga and room->gb.
typedef struct Bracket {
    double a, b;
} Bracket;

static double instant(const Search *search, int part)
{
    return part == PARTS ? search->h : search->h * part / PARTS;
}

static void swap_sets(bool **a, bool **b)
{
    bool *kept = *a;
    *a = *b;
    *b = kept;
}

static void swap_numbers(double **a, double **b)
{
    double *kept = *a;
    *a = *b;
    *b = kept;
}

// Marks the guards that have had their starting sign by the start of a part.
static void find_active(const Search *search, int part, bool *active)
{
    const ib_EventWorkspace *workspace = search->workspace;
    for (int i = 0; i < search->events->count; i++)
        active[i] = workspace->sign[i] != 0 && workspace->first[i] < part;
}

// Marks the guards of `active` that are crossed; false: none.
static bool find_crossed(const Search *search, const bool *active, const double *g, bool *crossed)
{
    const double *sign = search->workspace->sign;
    bool any = false;
    for (int i = 0; i < search->events->count; i++) {
        crossed[i] = active[i] && sign[i] * g[i] <= 0;
        any |= crossed[i];
    }
    return any;
}

// Guards at t, by a step of the method itself, and those crossed. A step that fails crosses none.
static bool restep(const Search *search, double t, const bool *active, double *g, bool *crossed)
{
    double *x = search->solver->probe;

    if (ib_solver_step_again(search->solver, search->system, t, x)) {
        for (int i = 0; i < search->events->count; i++) {
            g[i] = search->workspace->sign[i];
            crossed[i] = false;
        }
        return false;
    }
    search->events->guard(search->events->context, t, x, g);
    return find_crossed(search, active, g, crossed);
}

// Guards along the dense output, and the sign each of them starts with. False when none changes it,
// the usual case.
static bool scan(Search *search)
{
    const ib_EventSystem *events = search->events;
    ib_EventWorkspace *workspace = search->workspace;
    double *x = search->solver->probe;
    bool found = false;

    events->guard(events->context, 0, search->x0, workspace->g[0]);
    for (int j = 1; j <= PARTS; j++) {
        ib_solver_dense(search->solver, (double)j / PARTS, x);
        events->guard(events->context, instant(search, j), x, workspace->g[j]);
    }
    // A guard that starts at exactly zero (a ball that has just left the floor) counts by its sign
    // a millionth of the step later, so that a short hop is not missed.
    ib_solver_dense(search->solver, SOON, x);
    events->guard(events->context, search->h * SOON, x, workspace->soon);
    for (int i = 0; i < events->count; i++) {
        double g = workspace->g[0][i] != 0 ? workspace->g[0][i] : workspace->soon[i];
        int j = 0;
        while (g == 0 && ++j <= PARTS) g = workspace->g[j][i];
        workspace->first[i] = j;
        workspace->sign[i] = g > 0 ? 1 : g < 0 ? -1 : 0;
        for (int k = j + 1; g != 0 && k <= PARTS; k++)
            found |= workspace->sign[i] * workspace->g[k][i] <= 0;
    }
    return found;
}

// The first part in which the method itself confirms what the dense output shows, as a bracket. At
// the end of the step the two agree to the bit, so that no change is lost there.
static bool find_bracket(const Search *search, Bracket *bracket)
{
    ib_EventWorkspace *workspace = search->workspace;
    for (int j = 1; j <= PARTS; j++) {
        find_active(search, j, workspace->active);
        if (!find_crossed(search, workspace->active, workspace->g[j], workspace->crossed)) continue;
        if (!restep(search, instant(search, j), workspace->active, workspace->gb,
                    workspace->crossed))
            continue;

        // The dense output may see it a part too late: go back to where nothing is crossed.
        for (; j > 1; j--) {
            find_active(search, j - 1, workspace->before);
            if (!restep(search, instant(search, j - 1), workspace->before, workspace->ga,
                        workspace->hits))
                break;
            swap_numbers(&workspace->ga, &workspace->gb);
            swap_sets(&workspace->active, &workspace->before);
            swap_sets(&workspace->crossed, &workspace->hits);
        }
        if (j == 1)
            for (int i = 0; i < search->events->count; i++) workspace->ga[i] = workspace->g[0][i];
        bracket->a = j == 1 ? 0 : instant(search, j - 1);
        bracket->b = instant(search, j);
        return true;
    }
    return false;
}

// The earliest zero of the straight lines through both ends.
static double secant(const Search *search, const Bracket *bracket)
{
    double earliest = bracket->b;

    for (int i = 0; i < search->events->count; i++) {
        if (!search->workspace->crossed[i]) continue;
        double ga = search->workspace->ga[i], gb = search->workspace->gb[i];
        double t = bracket->a + (bracket->b - bracket->a) * (ga / (ga - gb));
        if (t < earliest) earliest = t;
    }
    return earliest;
}

// The ITP method [Oliveira, Takahashi 2020; k1 = 0.2/span, k2 = 2]: the secant's guess, moved a
// little towards the middle (so that both ends close in) and never farther from it than keeps the
// number of steps near that of bisection.
static double next_guess(const Search *search, const Bracket *bracket, double span, double radius,
                         double resolution)
{
    double a = bracket->a, b = bracket->b, width = b - a, middle = a + 0.5 * width;
    double t = secant(search, bracket), side = middle >= t ? 1 : -1;
    double shift = 0.2 * width * width / span, reach = radius - 0.5 * width;

    t = shift <= fabs(middle - t) ? t + side * shift : middle;
    if (!(fabs(t - middle) <= reach)) t = middle - side * reach;
    if (t < a + resolution) t = a + resolution;
    if (t > b - resolution) t = b - resolution;
    return t > a && t < b ? t : middle;
}

// Closes the bracket to one last bit of h, or until no double is left inside.
static void refine(const Search *search, Bracket *bracket)
{
    double resolution = search->h * DBL_EPSILON * 0.5, span = bracket->b - bracket->a;
    ib_EventWorkspace *workspace = search->workspace;
    double radius = 0.5 * resolution;

    while (radius < span) radius *= 2;
    for (int step = 0; step < MAX_STEPS && bracket->b - bracket->a > resolution; step++) {
        double t = next_guess(search, bracket, span, radius, resolution);
        if (t <= bracket->a || t >= bracket->b) break;
        if (restep(search, t, workspace->active, workspace->look, workspace->hits)) {
            bracket->b = t;
            swap_numbers(&workspace->gb, &workspace->look);
            swap_sets(&workspace->crossed, &workspace->hits);
        } else {
            bracket->a = t;
            swap_numbers(&workspace->ga, &workspace->look);
        }
        radius *= 0.5;
    }
}

void ib_solver_locate(ib_Solver *solver, const ib_System *system, const ib_EventSystem *events,
                      double h, const double *x0, ib_Event *event, double *x)
{
    Search search = {solver, system, events, events->workspace, x0, h};
    Bracket bracket;

    *event = (ib_Event){.index = -1, .t = h};
    if (events->count == 0) return;
    IB_ASSERT(events->workspace && events->count <= events->workspace->count && solver->h == h &&
              solver->x0 == x0);
    if (!scan(&search)) return;
    if (!find_bracket(&search, &bracket)) {
        // An unconfirmed evaluation has left its own stages behind.
        if (solver->h != h) ib_solver_step_again(solver, system, h, solver->again);
        return;
    }
    refine(&search, &bracket);
    ib_solver_step_again(solver, system, bracket.b, x);
    event->crossed = events->workspace->crossed;
    while (!event->crossed[++event->index]) {
    }
    event->t = bracket.b;
    event->rising = events->workspace->sign[event->index] < 0;
}
