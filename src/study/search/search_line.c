// study/search/search_line.c: one axis. An even first batch, then ever closer round the best point.
//
// A valley is a point that is no worse than its neighbours; equal neighbours belong to it. If the
// function falls and then rises, as values that end at a border do, too, its least value lies
// between the two points beside the valley. Each batch divides these gaps evenly, so that eight
// points leave a fifth. A second valley is followed as long as it may be the deeper one.
#include "study/search/search_inside.h"

#include "base/extreme.h"

#include <math.h>

// The points of a branch from left to right, with the axis of their places.
typedef struct Line {
    const ib_Search *search;
    int axis, count;
    int *points;
} Line;

// Points `from` to `to` of a line, the best of them equal to each other.
typedef struct Valley {
    int from, to;
} Valley;

static int place_of(const Line *line, int i)
{
    return line->search->points[line->points[i]].place.of[line->axis];
}

static ib_SearchScore score_of(const Line *line, int i)
{
    return line->search->points[line->points[i]].score;
}

static void sort(Line *line, int branch)
{
    const ib_Search *search = line->search;
    for (int i = 0; i < search->told; i++) {
        const ib__SearchPoint *point = &search->points[i];
        int at = line->count;
        if (point->branch != branch) continue;
        for (; at > 0 && place_of(line, at - 1) > point->place.of[line->axis]; at--)
            line->points[at] = line->points[at - 1];
        line->points[at] = i;
        line->count++;
    }
}

// ----------------------------------------------------------------------------------------- valleys

// The rise from the valley to a neighbour; 0: there is none.
static double rise(const Line *line, Valley valley, int neighbour)
{
    if (neighbour < 0 || neighbour >= line->count) return 0;
    return ib__search_fall(score_of(line, neighbour), score_of(line, valley.from));
}

// The deepest that a valley may be: of a kink |x - a| between two points, the lower of them is
// above its ground by at most half its rise to the farther neighbour; a smooth one is flatter.
static bool may_be_better(const Line *line, Valley valley, ib_SearchScore than)
{
    double most = ib_max(rise(line, valley, valley.from - 1), rise(line, valley, valley.to + 1));
    return ib_search_better(ib__search_fallen(score_of(line, valley.from), 0.5 * most), than);
}

// The two best valleys, the best first; returns their number.
static int find_valleys(const Line *line, Valley valleys[2])
{
    int found = 0;
    for (int from = 0, to; from < line->count; from = to + 1) {
        ib_SearchScore low = score_of(line, from);
        for (to = from; to + 1 < line->count; to++) {
            ib_SearchScore next = score_of(line, to + 1);
            if (ib_search_better(next, low) || ib_search_better(low, next)) break;
        }
        if (from > 0 && !ib_search_better(low, score_of(line, from - 1))) continue;
        if (to + 1 < line->count && !ib_search_better(low, score_of(line, to + 1))) continue;
        int at = found;
        while (at > 0 && ib_search_better(low, score_of(line, valleys[at - 1].from))) at--;
        if (at == 2) continue;
        if (at == 0) valleys[1] = valleys[0];
        valleys[at] = (Valley){from, to};
        if (found < 2) found++;
    }
    if (found == 2 && !may_be_better(line, valleys[1], score_of(line, valleys[0].from))) found = 1;
    return found;
}

// True if the last batch brought nothing and the valley is flat, as far as it is allowed.
static bool is_resolved(const Line *line, int number, Valley valley)
{
    const ib__Branch *branch = &line->search->branches[number];
    double scale = ib__search_scale(line->search, number);
    if (branch->before < 0 || score_of(line, valley.from).violation > 0) return false;
    if (ib__search_fall(line->search->points[branch->before].score, score_of(line, valley.from)) >
        1e-4 * scale)
        return false;
    double left = rise(line, valley, valley.from - 1), right = rise(line, valley, valley.to + 1);
    return (left <= 1e-3 * scale || left == INFINITY) &&
           (right <= 1e-3 * scale || right == INFINITY);
}

// ------------------------------------------------------------------------------------------- batch

static void add(ib_Search *search, int branch, int axis, double place)
{
    ib__Place point = search->branches[branch].words;
    point.of[axis] = (int)(place + 0.5);
    ib__search_add(search, branch, point);
}

// Divides the gaps of a valley by `count` points: each goes where the parts are widest.
static void divide(ib_Search *search, int branch, const Line *line, Valley valley, int count)
{
    int first = valley.from > 0 ? valley.from - 1 : 0;
    int end = valley.to + 1 < line->count ? valley.to + 1 : valley.to, *parts = search->parts;
    for (int i = first; i < end; i++) parts[i] = 1;
    for (; count > 0; count--) {
        int widest = -1;
        double width = 1;
        for (int i = first; i < end; i++) {
            double part = (double)(place_of(line, i + 1) - place_of(line, i)) / parts[i];
            if (part > width) width = part, widest = i;
        }
        if (widest < 0) break;
        parts[widest]++;
    }
    for (int i = first; i < end; i++) {
        double left = place_of(line, i), gap = place_of(line, i + 1) - left;
        for (int k = 1; k < parts[i]; k++)
            add(search, branch, line->axis, left + gap * k / parts[i]);
    }
}

void ib__search_line(ib_Search *search, int number)
{
    const ib__Branch *branch = &search->branches[number];
    Line line = {.search = search, .axis = search->axes[0], .points = search->order};
    int last = search->ladders[line.axis].last;
    if (branch->to == 0) {
        for (int i = 0; i < branch->first; i++)
            add(search, number, line.axis,
                branch->first == 1 ? last / 2 : (double)last * i / (branch->first - 1));
        return;
    }
    sort(&line, number);
    Valley valleys[2];
    int found = find_valleys(&line, valleys);
    if (!is_resolved(&line, number, valleys[0]))
        for (int i = 0; i < found; i++)
            divide(search, number, &line, valleys[i], IB__SEARCH_BATCH / found);
}
