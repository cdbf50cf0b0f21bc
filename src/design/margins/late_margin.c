// design/margins/late_margin.c: the delay margin of the inputs of a sampled loop. The derivation is
// in docs/design/margins.md. Symbols: z = e^(i w T) a point of the unit circle, f the part of a
// period and k the whole periods by which an input is late, g a locus: an eigenvalue of G(z, f).
//
// A pole is on the circle if z^-k g(z, f) = -1. The condition |g| = 1 does not depend on k. Steps:
//   for parts f of a period      all w with |g| = 1: crossings
//   at each of them              k(f) = arg(-g) / (w T), a real number, and 2 pi / (w T) more
//   from f to the next one       each crossing goes over into its neighbour; where k(f) passes a
//                                whole number k, a delay of (k + f) T puts a pole on the circle
// and the least of these beyond the latency is the margin: before it no pole can have left. At half
// the sampling rate g is real and w has no neighbour on the other side: there -1 is passed as f
// grows, z^-k g = (-1)^k g. If inputs reach the outputs directly, the loop jumps at each whole
// number of periods, and the poles behind every jump are checked too.
#include "base/extreme.h"
#include "base/maths.h"
#include "design/frequency.h"
#include "design/margins/late_loop.h"

#include <string.h>

enum {
    EVENLY = 8, ///< parts of a period
    EDGES = 3,  ///< and more towards both of its ends, for fast modes
    NODES = EVENLY + 1 + 2 * EDGES,
    CROSSINGS = 24, ///< kept of each part
    HALVINGS = 50,  ///< of a frequency
    TURNS = 60,     ///< of a part of a period
    DEEP = 14,      ///< halvings of the way between two parts
};

#define NEARLY 1e-9 ///< of a period: tolerance of a whole one

typedef struct Crossing {
    int locus;
    bool rising; ///< |g| grows with w
    double w;    ///< [rad/s]
    ib_Complex g;
} Crossing;

typedef struct Node {
    ib__LatePart at;
    int count;
    Crossing crossing[CROSSINGS];
    ib_Complex now[IB_INPUTS_MAX]; ///< the loci at the present frequency
} Node;

typedef struct Search {
    ib__LateLoop loop;
    double period, beyond;  ///< the present latency [periods]
    double best, frequency; ///< least total delay [periods], its frequency [rad/s]
    int points;
    double w[IB__FREQUENCIES];
} Search;

// --------------------------------------------------------------------------------------- crossings

static double over_one(ib_Complex g)
{
    return g.re * g.re + g.im * g.im - 1;
}

// At a pole every locus is large.
static void find_loci(const Search *search, const ib__LatePart *at, double w, ib_Complex *g)
{
    ib_Complex x[IB_OPEN_MAX * IB_INPUTS_MAX], z = ib_frequency_point(search->period, w);
    if (ib__late_solve(&search->loop, z, x))
        ib__late_loci(&search->loop, at, z, x, g);
    else
        for (int i = 0; i < search->loop.count; i++) g[i] = (ib_Complex){1e150, 0};
}

// The frequency of |g| = 1 between a and b, on different sides of it.
static Crossing halve(const Search *search, const ib__LatePart *at, int locus, bool rising,
                      double a, double b)
{
    ib_Complex g[IB_INPUTS_MAX];
    for (int i = 0; i < HALVINGS; i++) {
        double middle = 0.5 * (a + b);
        find_loci(search, at, middle, g);
        if ((over_one(g[locus]) > 0) == rising)
            b = middle;
        else
            a = middle;
    }
    find_loci(search, at, 0.5 * (a + b), g);
    return (Crossing){locus, rising, 0.5 * (a + b), g[locus]};
}

// The same crossing at another part of the period: the nearest one of its direction.
static bool follow(const Search *search, const Crossing *from, const ib__LatePart *at,
                   Crossing *found)
{
    ib_Complex below[IB_INPUTS_MAX], above[IB_INPUTS_MAX];
    double last = M_PI / search->period;
    for (double apart = 1e-6; apart < 1; apart *= 4) {
        double a = from->w * (1 - apart), b = ib_min(from->w * (1 + apart), last);
        find_loci(search, at, a, below);
        find_loci(search, at, b, above);
        bool high = over_one(above[from->locus]) > 0;
        if (high == (over_one(below[from->locus]) > 0) || high != from->rising) continue;
        *found = halve(search, at, from->locus, from->rising, a, b);
        return true;
    }
    return false;
}

static ib_Status make_node(const Search *search, double part, Node *node)
{
    node->count = 0;
    return ib__late_part(&search->loop, part, &node->at, NULL);
}

// All nodes evaluate the loci of each frequency in turn, so that R is found only once for each.
static void find_crossings(const Search *search, Node *nodes, int count)
{
    const double *w = search->w;
    ib_Complex x[IB_OPEN_MAX * IB_INPUTS_MAX], g[IB_INPUTS_MAX];
    for (int k = 0; k < search->points; k++) {
        ib_Complex z = ib_frequency_point(search->period, w[k]);
        bool known = ib__late_solve(&search->loop, z, x);
        for (int i = 0; i < count && known; i++) {
            Node *node = &nodes[i];
            ib__late_loci(&search->loop, &node->at, z, x, g);
            for (int j = 0; k > 0 && j < search->loop.count; j++) {
                bool rising = over_one(g[j]) > 0;
                if (rising == (over_one(node->now[j]) > 0) || node->count == CROSSINGS) continue;
                node->crossing[node->count++] = halve(search, &node->at, j, rising, w[k - 1], w[k]);
            }
            memcpy(node->now, g, sizeof g);
        }
    }
}

// ----------------------------------------------------------------------------------- whole periods

static const double two_pi = 6.283185307179586;

// arg(-g), 0 <= . < 2 pi: the angle by which z^-k must turn g to -1.
static double lag_of(ib_Complex g)
{
    double angle = ib_atan2(-g.im, -g.re);
    return angle < 0 ? angle + two_pi : angle;
}

// k(f) at a crossing, on the branch nearest to `like`.
static double periods_at(const Search *search, const Crossing *at, double like)
{
    double turn = two_pi / (at->w * search->period);
    double k = lag_of(at->g) / (at->w * search->period);
    return k + turn * rint((like - k) / turn);
}

static void note(Search *search, double delay, double w)
{
    if (!(delay > search->beyond + NEARLY && delay < search->best)) return;
    search->best = delay;
    search->frequency = w;
}

// Between two ends of one crossing k(f) passes `whole`: regula falsi with the weight of Illinois.
static void close_in(Search *search, const Crossing *a, double fa, double ka, const Crossing *b,
                     double fb, double kb, double whole)
{
    double va = ka - whole, vb = kb - whole;
    Crossing at = fabs(va) < fabs(vb) ? *a : *b;
    double f = fabs(va) < fabs(vb) ? fa : fb;
    ib__LatePart part;
    for (int i = 0; i < TURNS && va * vb < 0 && fabs(fb - fa) > 1e-12; i++) {
        Crossing found;
        f = fa - va * (fb - fa) / (vb - va);
        if (ib__late_part(&search->loop, f, &part, NULL) != IB_OK) break;
        if (!follow(search, &at, &part, &found)) break;
        double v = periods_at(search, &found, whole) - whole;
        at = found;
        if (fabs(v) < 1e-12) break;
        if ((v > 0) == (va > 0)) {
            fa = f, va = v, vb *= 0.5;
        } else {
            fb = fa, vb = va, fa = f, va = v;
        }
    }
    note(search, whole + f, at.w);
}

// Searches the whole numbers that k(f) passes from a to b, on its first branch beyond the latency.
static void search_between(Search *search, const Crossing *a, double fa, const Crossing *b,
                           double fb)
{
    double turn = two_pi / (a->w * search->period);
    double begin = lag_of(a->g) / (a->w * search->period);
    double least = floor((search->beyond - 1 - begin) / turn);
    for (double more = ib_max(least, -1); more <= ib_max(least, -1) + 3; more++) {
        double ka = begin + more * turn, kb = periods_at(search, b, ka);
        double low = ib_min(ka, kb) - NEARLY, high = ib_max(ka, kb) + NEARLY;
        double first = ib_max(ceil(ib_max(low, search->beyond - ib_max(fa, fb))), 0);
        // The first one found is the least; a second one is tried only if the first was not later.
        for (double k = first; k <= high && k <= first + 1; k++)
            if (k + ib_min(fa, fb) < search->best) close_in(search, a, fa, ka, b, fb, kb, k);
    }
}

// The nearest crossing of another node, or NULL.
static const Crossing *nearest(const Node *node, const Crossing *to)
{
    const Crossing *best = NULL;
    for (int i = 0; i < node->count; i++) {
        const Crossing *c = &node->crossing[i];
        if (c->locus != to->locus || c->rising != to->rising) continue;
        if (!best || fabs(c->w - to->w) < fabs(best->w - to->w)) best = c;
    }
    return best;
}

// The continuation of a crossing from one node to the other; NULL: it ends between them.
static const Crossing *partner(const Node *from, const Node *to, const Crossing *crossing)
{
    const Crossing *there = nearest(to, crossing);
    return there && nearest(from, there) == crossing ? there : NULL;
}

static bool are_near(const Crossing *a, const Crossing *b)
{
    double turned = lag_of(b->g) - lag_of(a->g);
    return fabs(b->w - a->w) < 0.05 * a->w && fabs(turned - two_pi * rint(turned / two_pi)) < 0.5;
}

// True if each crossing of one node continues into a near one of the other.
static bool is_smooth(const Node *a, const Node *b)
{
    for (int i = 0; a->count == b->count && i < a->count; i++) {
        const Crossing *here = &a->crossing[i], *there = partner(a, b, here);
        if (!there) return false;
        if (!are_near(here, there)) return false;
    }
    return a->count == b->count;
}

// True if a delay with a part between these two could be less than the best so far.
static bool is_worthwhile(const Search *search, const Node *a, const Node *b)
{
    double k = ib_max(ceil(search->beyond - b->at.part), 0);
    return k + a->at.part < search->best;
}

// Two crossings that end between the nodes do so together, where |g| just touches 1: k(f) continues
// from one to the other.
static void search_folds(Search *search, const Node *node, const Node *other)
{
    const Crossing *open = NULL;
    for (int i = 0; i < node->count; i++) {
        const Crossing *here = &node->crossing[i];
        if (partner(node, other, here)) continue;
        if (open && open->rising != here->rising && are_near(open, here))
            search_between(search, open, node->at.part, here, node->at.part);
        open = here;
    }
}

// -------------------------------------------------------------------------- half the sampling rate

// det(G + sign I), real at half the sampling rate: its sign changes when a locus passes -sign.
static double determinant(int count, const ib_Complex *g, double sign)
{
    ib_Complex product = {1, 0};
    for (int i = 0; i < count; i++)
        product = ib_complex_multiply(product, (ib_Complex){g[i].re + sign, g[i].im});
    return product.re;
}

// (-1)^k g = -1 at a part of a period between two nodes: g = -1 for an even k, 1 for an odd one.
// The nodes hold their loci of this frequency, the last.
static void search_half_rate(Search *search, const Node *a, const Node *b, double sign)
{
    double w = M_PI / search->period, fa = a->at.part, fb = b->at.part;
    int count = search->loop.count;
    ib_Complex g[IB_INPUTS_MAX];
    ib__LatePart part;
    bool above = determinant(count, a->now, sign) > 0;
    if (above == (determinant(count, b->now, sign) > 0)) return;
    for (int i = 0; i < HALVINGS; i++) {
        double middle = 0.5 * (fa + fb);
        if (ib__late_part(&search->loop, middle, &part, NULL) != IB_OK) return;
        find_loci(search, &part, w, g);
        if ((determinant(count, g, sign) > 0) == above)
            fa = middle;
        else
            fb = middle;
    }
    double k = sign > 0 ? 0 : 1, f = 0.5 * (fa + fb);
    k += 2 * ib_max(ceil((search->beyond - f - k) / 2), 0);
    note(search, k + f, w);
}

// ------------------------------------------------------------------------------- parts of a period

// Searches between two parts of a period by halving, until the crossings move only a little. This
// also brackets begins and ends of crossings, to 2^-DEEP of the interval. At half the sampling rate
// each crossing of -1 begins or ends one: if two loci meet, become real and part again, both may
// pass it between two parts.
static void search_pair(Search *search, const Node *a, const Node *b, int deep)
{
    if (!is_worthwhile(search, a, b)) return;
    if (deep > 0 && !is_smooth(a, b)) {
        Node middle;
        if (make_node(search, 0.5 * (a->at.part + b->at.part), &middle) != IB_OK) return;
        find_crossings(search, &middle, 1);
        search_pair(search, a, &middle, deep - 1);
        search_pair(search, &middle, b, deep - 1);
        return;
    }
    for (int i = 0; i < a->count; i++) {
        const Crossing *there = partner(a, b, &a->crossing[i]);
        if (there) search_between(search, &a->crossing[i], a->at.part, there, b->at.part);
    }
    search_folds(search, a, b);
    search_folds(search, b, a);
    search_half_rate(search, a, b, 1);
    search_half_rate(search, a, b, -1);
}

// ------------------------------------------------------------------------------------------- jumps

// The first whole number of periods behind which the loop is unstable, or not known to be stable.
static void search_jumps(Search *search)
{
    bool stable = true;
    for (int k = (int)floor(search->beyond) + 1; k < search->best; k++)
        if (ib__late_is_stable(&search->loop, k, &stable, NULL) != IB_OK || !stable)
            note(search, k, 0);
}

// ------------------------------------------------------------------------------------------ margin

// The parts of the nodes: even, with halvings towards both ends.
static double node_part(int i)
{
    if (2 * i > NODES) return 1 - node_part(NODES - 1 - i);
    if (i > EDGES) return (double)(i - EDGES) / EVENLY;
    return i == 0 ? 0 : ldexp(1.0 / EVENLY, i - EDGES - 1);
}

ib_Status ib__late_margin(const ib__LoopParts *parts, int input, ib_Complex *poles, int count,
                          double *delay, double *frequency, ib_Error *error)
{
    Node node[NODES];
    Search search = {
        .period = parts->period, .beyond = parts->latency / parts->period, .best = INFINITY};
    ib_Status status = ib__late_make(parts, input, &search.loop, poles + count, error);
    for (int i = 0; status == IB_OK && i < NODES; i++)
        status = make_node(&search, node_part(i), &node[i]);
    if (status != IB_OK) return status;
    search.points =
        ib__margins_frequencies(parts->period, poles, count + search.loop.states, search.w);
    find_crossings(&search, node, NODES);
    for (int i = 0; i + 1 < NODES; i++) search_pair(&search, &node[i], &node[i + 1], DEEP);
    if (ib__late_is_direct(&search.loop, &node[0].at)) search_jumps(&search);
    *delay = (search.best - search.beyond) * parts->period;
    *frequency = isfinite(search.best) ? search.frequency : 0;
    return IB_OK;
}
