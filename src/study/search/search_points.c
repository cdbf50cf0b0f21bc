#include "study/search/search_inside.h"

#include "base/extreme.h"

#include <math.h>
#include <stdlib.h>

// ------------------------------------------------------------------------------------------ scores

bool ib_search_better(ib_SearchScore one, ib_SearchScore other)
{
    if (one.violation > 0 || other.violation > 0) return one.violation < other.violation;
    return one.value < other.value;
}

ib_SearchScore ib__search_tidy(ib_SearchScore score)
{
    bool allowed = score.violation == 0 && isfinite(score.value);
    if (!allowed && !(score.violation > 0)) score.violation = INFINITY;
    return score;
}

double ib__search_fall(ib_SearchScore from, ib_SearchScore to)
{
    if (to.violation > 0) return from.violation - to.violation;
    return from.violation > 0 ? INFINITY : from.value - to.value;
}

ib_SearchScore ib__search_fallen(ib_SearchScore score, double fall)
{
    if (score.violation > 0) return (ib_SearchScore){ib_max(score.violation - fall, 0), -INFINITY};
    return (ib_SearchScore){0, score.value - fall};
}

static int compare(const void *one, const void *other)
{
    double a = *(const double *)one, b = *(const double *)other;
    return (a > b) - (a < b);
}

double ib__search_scale(const ib_Search *search, int branch)
{
    double values[IB__SEARCH_FIRST];
    int count = 0;
    for (int i = search->branches[branch].from; i < search->branches[branch].to; i++)
        if (search->points[i].score.violation == 0) values[count++] = search->points[i].score.value;
    if (count == 0) return 0;
    qsort(values, (size_t)count, sizeof *values, compare);
    return values[count / 2] - values[0];
}

// ------------------------------------------------------------------------------------------ places

// number / 10^decimals, rounded once, so that it is the double of its decimals.
static double decimal(double number, int decimals)
{
    double power = 1;
    for (int i = 0; i < abs(decimals); i++) power *= 10;
    return decimals > 0 ? number / power : number * power;
}

ib__Ladder ib__search_ladder(const ib_SearchVariable *variable)
{
    if (variable->choices > 0) return (ib__Ladder){.last = variable->choices - 1};
    double finest = 1e-4 * (variable->high - variable->low);
    ib__Ladder ladder = {0};
    while (decimal(1, ladder.decimals) > finest) ladder.decimals++;
    while (decimal(1, ladder.decimals - 1) <= finest) ladder.decimals--;
    double step = decimal(1, ladder.decimals);
    ladder.first = floor(variable->low / step);
    ladder.last = (int)(ceil(variable->high / step) - ladder.first);
    return ladder;
}

static double value_of(const ib_SearchVariable *variable, const ib__Ladder *ladder, int place)
{
    if (variable->choices > 0) return place;
    if (place == 0) return variable->low;
    if (place == ladder->last) return variable->high;
    return decimal(ladder->first + place, ladder->decimals);
}

static double fraction(const ib_Search *search, const ib__Place *place, int axis)
{
    int variable = search->axes[axis];
    return (double)place->of[variable] / search->ladders[variable].last;
}

ib__Place ib__search_place(const ib_Search *search, const ib__Branch *branch, double *x)
{
    ib__Place place = branch->words;
    for (int k = 0; k < search->axis_count; k++) {
        int variable = search->axes[k];
        place.of[variable] = (int)(x[k] * search->ladders[variable].last + 0.5);
        x[k] = fraction(search, &place, k);
    }
    return place;
}

double ib__search_distance(int n, const double *x, const double *y)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = ib_max(most, fabs(x[i] - y[i]));
    return most;
}

static bool same(const ib_Search *search, const ib__Place *one, const ib__Place *other)
{
    for (int i = 0; i < search->variable_count; i++)
        if (one->of[i] != other->of[i]) return false;
    return true;
}

ib__SearchPoint *ib__search_add(ib_Search *search, int branch, ib__Place place)
{
    if (search->count == search->most) return NULL;
    for (int i = 0; i < search->count; i++)
        if (same(search, &search->points[i].place, &place)) return NULL;
    ib__SearchPoint *point = &search->points[search->count++];
    *point = (ib__SearchPoint){.place = place, .branch = branch};
    for (int i = 0; i < search->variable_count; i++)
        point->values[i] = value_of(&search->variables[i], &search->ladders[i], place.of[i]);
    for (int k = 0; k < search->axis_count; k++) point->x[k] = fraction(search, &place, k);
    return point;
}
