// study/search/search_region.c: several axes. An even first batch, then a box round its best point
// in which a quadratic model (search_model.h) says where to go next.
//
// The first point of a batch is the model's best one; each further one is its best at a greater
// distance from all others, so that a batch both follows the model and tells it what it does not
// know. The box follows the best point; it grows while that moves far, else it shrinks. When it is
// resolved the next one begins at the next valley of the first batch, and goes on as long as that
// may become the best.
#include "base/extreme.h"
#include "study/search/search_inside.h"
#include "study/search/search_model.h"

#include <math.h>

enum {
    CLOUD = 30,  // points of a cloud, an axis
    CLOUDS = 4,  // each 0.4 as wide as the one before
    REGIONS = 3, // valleys that are looked into
};

static const double FIRST_RADIUS = 0.25, LAST_RADIUS = 1e-3;

static double clamp(double x, double low, double high)
{
    return ib_max(low, ib_min(x, high));
}

// ------------------------------------------------------------------------------------- even points

// Point k of a sequence that fills the unit cube evenly:             [Roberts 2018, R-sequence]
//   u_i = 1/2 + k g^-i mod 1,  i = 1 .. n,   g^(n+1) = g + 1
static double sequence_root(int n)
{
    double g = 2; // Newton's method comes down from here
    for (int k = 0; k < 20; k++) {
        double power = 1;
        for (int i = 0; i < n; i++) power *= g;
        g -= (power * g - g - 1) / ((n + 1) * power - 1);
    }
    return g;
}

static void sequence(int n, double g, int k, double *u)
{
    double step = 1;
    for (int i = 0; i < n; i++) {
        step /= g;
        u[i] = 0.5 + k * step;
        u[i] -= (int)u[i];
    }
}

// The next new points of the sequence. They reach beyond the cube and are clamped, so that some lie
// on its sides.
static void ask_evenly(ib_Search *search, int number, int count)
{
    double x[IB_SEARCH_MOST_VARIABLES], g = sequence_root(search->axis_count);
    for (int k = 1, most = 20 * (search->count + count); count > 0 && k < most; k++) {
        sequence(search->axis_count, g, k, x);
        for (int i = 0; i < search->axis_count; i++) x[i] = clamp(1.2 * x[i] - 0.1, 0, 1);
        ib__Place place = ib__search_place(search, &search->branches[number], x);
        if (ib__search_add(search, number, place)) count--;
    }
}

// ---------------------------------------------------------------------------------- the next batch

// The latest points are the likeliest.
static bool is_near_another(const ib_Search *search, int branch, const double *x, double near)
{
    for (int i = search->count - 1; i >= 0; i--)
        if (search->points[i].branch == branch &&
            ib__search_distance(search->axis_count, x, search->points[i].x) <= near)
            return true;
    return false;
}

// The model's best point in the box, `near` or farther from all others and by `margin` inside of
// what is allowed: the best of a cloud of points, then of smaller ones round the best.
static bool find(const ib_Search *search, int number, const ib__SearchModel *model, double near,
                 double margin, ib__Place *found)
{
    int n = model->n;
    double best_x[IB_SEARCH_MOST_VARIABLES], middle[IB_SEARCH_MOST_VARIABLES], g = sequence_root(n);
    double width = 1.1;
    ib_SearchScore best = {INFINITY, INFINITY};
    for (int i = 0; i < n; i++) best_x[i] = model->centre[i];
    for (int cloud = 0; cloud < CLOUDS; cloud++, width *= 0.4) {
        for (int i = 0; i < n; i++) middle[i] = best_x[i];
        for (int k = 0; k < CLOUD * n; k++) {
            double x[IB_SEARCH_MOST_VARIABLES];
            sequence(n, g, k, x);
            for (int i = 0; i < n; i++) {
                double centre = model->centre[i], reach = model->reach[i];
                x[i] = middle[i] + width * reach * (2 * x[i] - 1);
                x[i] = clamp(x[i], centre - reach, centre + reach);
                x[i] = clamp(x[i], 0, 1);
            }
            ib__Place place = ib__search_place(search, &search->branches[number], x);
            ib_SearchScore score = ib__search_model_at(model, x);
            score.violation = ib_max(score.violation + margin, 0);
            if (!ib_search_better(score, best) || is_near_another(search, number, x, near))
                continue;
            best = score;
            *found = place;
            for (int i = 0; i < n; i++) best_x[i] = x[i];
        }
    }
    return best.violation < INFINITY;
}

// Every second point keeps a margin: it is allowed even if the border is a little off the model's.
// Distances that the box has no room for are halved.
static void ask_near(ib_Search *search, int number)
{
    const ib__Region *region = &search->branches[number].region;
    ib__SearchModel model;
    ib__search_model_fit(&model, search, number, search->points[region->best].x, region->radius);
    double slope = ib__search_model_slope(&model);
    for (int k = 0; k < IB__SEARCH_BATCH; k++) {
        ib__Place place;
        double near = 0.13 * k * region->radius, margin = k % 2 == 1 ? 0.05 * slope : 0;
        bool found = find(search, number, &model, near, margin, &place);
        for (int i = 0; i < 3 && !found; i++) {
            near *= 0.5;
            found = find(search, number, &model, near, margin, &place);
        }
        if (!found) continue;
        ib__SearchPoint *point = ib__search_add(search, number, place);
        if (point) point->expected = ib__search_model_at(&model, point->x).value;
    }
}

// ---------------------------------------------------------------------------------- the last batch

// True if the last batch brought next to nothing, and the model knew its values. It cannot know how
// far a border is off: near one, the values in the box must hardly differ, too.
static bool is_resolved(const ib_Search *search, int number)
{
    const ib__Branch *branch = &search->branches[number];
    const ib__Region *region = &branch->region;
    const ib__SearchPoint *best = &search->points[region->best];
    double scale = ib__search_scale(search, number), unknown = 0, spread = 0;
    double gain = ib__search_fall(search->points[region->before].score, best->score);
    bool border = false, allowed = false;
    for (int i = 0; i < search->told; i++) {
        const ib__SearchPoint *point = &search->points[i];
        double distance = ib__search_distance(search->axis_count, best->x, point->x);
        if (point->branch != number) continue;
        if (point->score.violation > 0) {
            border |= distance <= 4 * region->radius;
        } else if (i >= branch->batch) {
            double value = point->score.value;
            allowed = true;
            unknown = ib_max(unknown, fabs(value - point->expected));
            if (distance <= region->radius) spread = ib_max(spread, value - best->score.value);
        }
    }
    return allowed && best->score.violation == 0 && gain <= 3e-4 * scale &&
           unknown <= 3e-3 * scale && (!border || spread <= 2e-2 * scale);
}

// True if the region has the best point, or may have a better one: it lies elsewhere, and one more
// gain like the last would do.
static bool may_win(const ib_Search *search, int number)
{
    const ib__Branch *branch = &search->branches[number];
    const ib__Region *region = &branch->region;
    const ib__SearchPoint *now = &search->points[region->best];
    const ib__SearchPoint *rival = &search->points[branch->best];
    double gain = ib__search_fall(search->points[region->before].score, now->score);
    if (now == rival) return true;
    return ib__search_distance(search->axis_count, now->x, rival->x) > region->radius &&
           ib_search_better(ib__search_fallen(now->score, gain), rival->score);
}

// Moves the box to the best point, and makes it half as wide, plus the way that it went. False:
// the region is done.
static bool follow(ib_Search *search, int number)
{
    const ib__Branch *branch = &search->branches[number];
    ib__Region *region = &search->branches[number].region;
    const ib__SearchPoint *points = search->points;
    region->before = region->best;
    for (int i = branch->batch; i < search->told; i++)
        if (points[i].branch == number &&
            ib_search_better(points[i].score, points[region->best].score))
            region->best = i;
    double way =
        ib__search_distance(search->axis_count, points[region->best].x, points[region->before].x);
    bool resolved = is_resolved(search, number);
    region->radius = ib_min(0.5 * region->radius + way, 0.5);
    return !resolved && may_win(search, number) && region->radius >= LAST_RADIUS;
}

// ------------------------------------------------------------------------------------- the valleys

// True if none of the n + 1 nearest points of the first batch is better.
static bool is_valley(const ib_Search *search, int number, int point)
{
    const ib__Branch *branch = &search->branches[number];
    const ib__SearchPoint *points = search->points;
    int n = search->axis_count, count = 0;
    struct {
        double distance;
        int point;
    } nearest[IB_SEARCH_MOST_VARIABLES + 2];
    for (int i = branch->from; i < branch->to; i++) {
        if (i == point) continue;
        double distance = ib__search_distance(n, points[i].x, points[point].x);
        int at = count < n + 1 ? count++ : count;
        for (; at > 0 && nearest[at - 1].distance > distance; at--) nearest[at] = nearest[at - 1];
        nearest[at].distance = distance;
        nearest[at].point = i;
    }
    for (int i = 0; i < count; i++)
        if (ib_search_better(points[nearest[i].point].score, points[point].score)) return false;
    return points[point].score.violation < INFINITY;
}

// The best valley of the first batch away from the best point, in which no region has begun;
// -1: none.
static int next_valley(const ib_Search *search, int number)
{
    const ib__Branch *branch = &search->branches[number];
    const ib__SearchPoint *points = search->points, *best = &points[branch->best];
    int next = -1;
    for (int i = branch->from; i < branch->to; i++) {
        double distance = ib__search_distance(search->axis_count, points[i].x, best->x);
        if (points[i].begun || distance < FIRST_RADIUS || !is_valley(search, number, i)) continue;
        if (next < 0 || ib_search_better(points[i].score, points[next].score)) next = i;
    }
    return next;
}

static bool begin(ib_Search *search, int number)
{
    ib__Branch *branch = &search->branches[number];
    int regions = branch->region.number;
    int start = regions == 0 ? branch->best : regions < REGIONS ? next_valley(search, number) : -1;
    if (start < 0) return false;
    search->points[start].begun = true;
    branch->region = (ib__Region){regions + 1, start, start, FIRST_RADIUS};
    return true;
}

void ib__search_region(ib_Search *search, int number)
{
    const ib__Branch *branch = &search->branches[number];
    bool goes_on = branch->region.number > 0 && follow(search, number);
    if (branch->to == 0)
        ask_evenly(search, number, branch->first);
    else if (search->points[branch->best].score.violation == INFINITY)
        ask_evenly(search, number, IB__SEARCH_BATCH);
    else if (goes_on || begin(search, number))
        ask_near(search, number);
}
