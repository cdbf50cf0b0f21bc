#include "control/edge.h"

#include <math.h>
#include <stddef.h>

enum { PROBES = 6 };

// What is known so far: all up to `good` is allowed, from `bad` on nothing is.
typedef struct Known {
    const ib_Edge *edge;
    double good, bad;
    double x[2], f[2]; // the last two questions and their answers, the newest first
} Known;

static void ask(Known *known, double x)
{
    double f = known->edge->excess(known->edge->context, x);
    known->x[1] = known->x[0], known->f[1] = known->f[0];
    known->x[0] = x, known->f[0] = f;
    if (f > 0)
        known->bad = x;
    else
        known->good = x;
}

static bool is_allowed(Known *known, double x)
{
    if (x > known->good && x < known->bad) ask(known, x);
    return x <= known->good;
}

// Where halving ends: between these two. With an aim, as if all up to it were allowed.
typedef struct Cell {
    double low, high;
} Cell;

static Cell halve(Known *known, const double *aim)
{
    const ib_Edge *edge = known->edge;
    Cell cell = {edge->low, edge->high};
    for (int n = 0; n < IB_EDGE_HALVINGS; n++) {
        bool far = edge->by_ratio && cell.high > 4 * cell.low;
        double middle = far ? sqrt(cell.high * cell.low) : 0.5 * (cell.high + cell.low);
        if (aim ? middle <= *aim : is_allowed(known, middle))
            cell.low = middle;
        else
            cell.high = middle;
    }
    return cell;
}

// Where the line through the last two answers, or of the slope of before, has no excess.
static double aim_again(Known *known)
{
    double slope = (known->f[0] - known->f[1]) / (known->x[0] - known->x[1]);
    if (slope > 0 && isfinite(slope)) *known->edge->slope = slope;
    return known->x[0] - known->f[0] / *known->edge->slope;
}

// Asks at both sides of the cell in which the edge should be, until it is there.
static void approach(Known *known, double aim)
{
    const ib_Edge *edge = known->edge;
    for (int n = 0; n < PROBES && aim > edge->low && aim < edge->high; n++) {
        Cell cell = halve(known, &aim);
        bool allowed = is_allowed(known, cell.low);
        // The first answer says more than the guess.
        double better = n == 0 ? aim_again(known) : aim;
        bool stays = better >= cell.low && better < cell.high;
        if (stays && allowed && !is_allowed(known, cell.high)) return;
        aim = stays ? aim_again(known) : better;
    }
}

double ib_edge_find(const ib_Edge *edge)
{
    Known known = {edge, edge->sure ? edge->low : -1, INFINITY, {NAN, NAN}, {NAN, NAN}};
    approach(&known, edge->guess);
    if (is_allowed(&known, edge->high)) return edge->high;
    if (!is_allowed(&known, edge->low)) return -1;
    Cell cell = halve(&known, NULL);
    aim_again(&known);
    if (cell.high < known.bad) ask(&known, cell.high);
    return cell.low;
}
