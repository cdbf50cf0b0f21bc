// solver/event.c: the first instant within a step at which a guard changes sign. See docs/solver.md
#include "solver/method.h"

enum {
    PIECES = 9,      // of a step; the dense output is looked at where they meet, 8 times
    MAX_STEPS = 100, // to locate; bisection alone needs 53
};

static const double SOON = 1e-6; // of a step

// A guard is "crossed" at t when it has not the sign it started with.
typedef struct Search {
    ib_Solver *solver;
    const ib_System *system;
    const ib_EventSystem *events;
    const double *x0;
    double h;
    double sign[IB_MAX_GUARDS];          // +1 or -1, as it started; 0: at zero all the time
    int first[IB_MAX_GUARDS];            // where it first has that sign: 0, or later from zero
    double g[PIECES + 1][IB_MAX_GUARDS]; // guards along the dense output
} Search;

// The ends of an interval in which at least one guard changes sign.
typedef struct Bracket {
    double a, b;
    double ga[IB_MAX_GUARDS], gb[IB_MAX_GUARDS];
    uint64_t active;  // guards that count in it
    uint64_t crossed; // those of them that are crossed at b
} Bracket;

static double instant(const Search *search, int piece)
{
    return piece == PIECES ? search->h : search->h * piece / PIECES;
}

// The guards that have had their starting sign by the start of a piece.
static uint64_t active_in(const Search *search, int piece)
{
    uint64_t active = 0;

    for (int i = 0; i < search->events->count; i++) {
        if (search->sign[i] != 0 && search->first[i] < piece) active |= UINT64_C(1) << i;
    }
    return active;
}

static uint64_t crossed(const Search *search, uint64_t active, const double *g)
{
    uint64_t found = 0;

    for (int i = 0; i < search->events->count; i++) {
        if (search->sign[i] * g[i] <= 0) found |= UINT64_C(1) << i;
    }
    return found & active;
}

// Guards at t, by a step of the method itself. Returns those crossed; where it breaks down, none.
static uint64_t restep(const Search *search, double t, uint64_t active, double *g)
{
    double *x = search->solver->probe;

    if (ib_solver_step(search->solver, search->system, t, search->x0, x)) {
        for (int i = 0; i < search->events->count; i++) g[i] = search->sign[i];
        return 0;
    }
    search->events->guard(search->events->context, t, x, g);
    return crossed(search, active, g);
}

// Guards along the dense output, and the sign each of them starts with. Returns 0 when none changes
// it, which is the rule.
static int scan(Search *search)
{
    const ib_EventSystem *events = search->events;
    double *x = search->solver->probe;
    int found = 0;

    events->guard(events->context, 0, search->x0, search->g[0]);
    for (int j = 1; j <= PIECES; j++) {
        ib_solver_dense(search->solver, (double)j / PIECES, x);
        events->guard(events->context, instant(search, j), x, search->g[j]);
    }
    // What starts at exactly zero (a ball that has just left the floor) counts by the sign it takes
    // a millionth of the step later, so that a short hop is not overlooked.
    double soon[IB_MAX_GUARDS];
    ib_solver_dense(search->solver, SOON, x);
    events->guard(events->context, search->h * SOON, x, soon);
    for (int i = 0; i < events->count; i++) {
        double g = search->g[0][i] != 0 ? search->g[0][i] : soon[i];
        int j = 0;
        while (g == 0 && ++j <= PIECES) g = search->g[j][i];
        search->first[i] = j;
        search->sign[i] = g > 0 ? 1 : g < 0 ? -1 : 0;
        for (int k = j + 1; g != 0 && k <= PIECES; k++)
            found |= search->sign[i] * search->g[k][i] <= 0;
    }
    return found;
}

// The first piece in which the method itself confirms what the dense output shows: 0, or 1 and a
// bracket. At the end of the step the two agree to the bit, so that no change is lost there.
static int find_bracket(const Search *search, Bracket *bracket)
{
    for (int j = 1; j <= PIECES; j++) {
        uint64_t active = active_in(search, j);
        if (!crossed(search, active, search->g[j])) continue;
        uint64_t hits = restep(search, instant(search, j), active, bracket->gb);
        if (!hits) continue;

        // The dense output may see it a piece too late: go back to where nothing is crossed.
        for (; j > 1; j--) {
            uint64_t before = active_in(search, j - 1);
            uint64_t earlier = restep(search, instant(search, j - 1), before, bracket->ga);
            if (!earlier) break;
            for (int i = 0; i < search->events->count; i++) bracket->gb[i] = bracket->ga[i];
            active = before;
            hits = earlier;
        }
        if (j == 1) {
            for (int i = 0; i < search->events->count; i++) bracket->ga[i] = search->g[0][i];
        }
        bracket->a = j == 1 ? 0 : instant(search, j - 1);
        bracket->b = instant(search, j);
        bracket->active = active;
        bracket->crossed = hits;
        return 1;
    }
    return 0;
}

// Where the straight lines through both ends meet zero, the earliest of them.
static double secant(const Search *search, const Bracket *bracket)
{
    double earliest = bracket->b;

    for (int i = 0; i < search->events->count; i++) {
        if (!(bracket->crossed >> i & 1)) continue;
        double ga = bracket->ga[i], gb = bracket->gb[i];
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
    double radius = 0.5 * resolution, g[IB_MAX_GUARDS];

    while (radius < span) radius *= 2;
    for (int step = 0; step < MAX_STEPS && bracket->b - bracket->a > resolution; step++) {
        double t = next_guess(search, bracket, span, radius, resolution);
        if (t <= bracket->a || t >= bracket->b) break;
        uint64_t hits = restep(search, t, bracket->active, g);
        double *end = hits ? bracket->gb : bracket->ga;
        for (int i = 0; i < search->events->count; i++) end[i] = g[i];
        if (hits) {
            bracket->b = t;
            bracket->crossed = hits;
        } else {
            bracket->a = t;
        }
        radius *= 0.5;
    }
}

void ib_solver_locate(ib_Solver *solver, const ib_System *system, const ib_EventSystem *events,
                      double h, const double *x0, ib_Event *event, double *x)
{
    Search search;
    Bracket bracket;

    *event = (ib_Event){.index = -1, .t = h};
    if (events->count == 0) return;
    IB_ASSERT(events->count <= IB_MAX_GUARDS && solver->h == h);
    search.solver = solver;
    search.system = system;
    search.events = events;
    search.x0 = x0;
    search.h = h;
    if (!scan(&search)) return;
    if (!find_bracket(&search, &bracket)) {
        // A look that was not confirmed has left its own stages behind.
        if (solver->h != h) ib_solver_step(solver, system, h, x0, solver->again);
        return;
    }
    refine(&search, &bracket);
    ib_solver_step(solver, system, bracket.b, x0, x);
    while (!(bracket.crossed >> ++event->index & 1)) {
    }
    event->t = bracket.b;
    event->rising = search.sign[event->index] < 0;
    event->crossed = bracket.crossed;
}
