#include "report/plot/thin.h"

#include "base/extreme.h"
#include "base/maths.h"
#include "report/plot/drawable.h"

#include <math.h>

static bool drawable(const ib_ThinData *data, int i)
{
    return ib__drawable_point(data->x[i], data->y[i], data->log_x, data->log_y);
}

// First and last; smallest and largest x; the first and the last of the smallest and of the largest
// y, so that the edge of a step stays upright.
enum { KEPT = 8 };

// The indices worth keeping of [from, to), sorted and each once; returns how many.
static int bucket_picks(const ib_ThinData *data, int from, int to, int *picks)
{
    int kept[KEPT], count = 0;
    for (int i = from; i < to; i++) {
        if (!drawable(data, i)) continue;
        if (count == 0)
            for (int k = 0; k < KEPT; k++) kept[k] = i;
        count = KEPT;
        kept[1] = i;
        if (data->x[i] < data->x[kept[2]]) kept[2] = i;
        if (data->x[i] > data->x[kept[3]]) kept[3] = i;
        if (data->y[i] < data->y[kept[4]]) kept[4] = i;
        if (data->y[i] > data->y[kept[5]]) kept[5] = i;
        if (data->y[i] <= data->y[kept[6]]) kept[6] = i;
        if (data->y[i] >= data->y[kept[7]]) kept[7] = i;
    }

    int used = 0;
    for (int k = 0; k < count; k++) {
        int at = used;
        while (at > 0 && picks[at - 1] > kept[k]) at--;
        if (at > 0 && picks[at - 1] == kept[k]) continue;
        for (int j = used; j > at; j--) picks[j] = picks[j - 1];
        picks[at] = kept[k];
        used++;
    }
    return used;
}

// True if a value between two picks breaks the line.
static bool broken(const ib_ThinData *data, int from, int to)
{
    for (int i = from + 1; i < to; i++)
        if (!drawable(data, i)) return true;
    return false;
}

// On a logarithmic x axis the buckets must be even in log x, or the first one would hold all of the
// visible left half. That needs ascending x; 0: not ascending.
static double decades(const ib_ThinData *data, double *first)
{
    double last = 0;
    *first = 0;
    for (int i = 0; i < data->count; i++) {
        if (!drawable(data, i)) continue;
        if (data->x[i] < last) return 0;
        if (*first == 0) *first = data->x[i];
        last = data->x[i];
    }
    return *first > 0 ? ib_log(last / *first) : 0;
}

// The first index at or after `from` that is beyond bucket `b` of `buckets`.
static int bucket_end(const ib_ThinData *data, int from, int b, int buckets, double first,
                      double width)
{
    if (!(width > 0)) return (int)((long long)data->count * (b + 1) / buckets);
    if (b == buckets - 1) return data->count;
    double edge = first * ib_exp(width * (b + 1) / buckets);
    while (from < data->count && (!drawable(data, from) || data->x[from] < edge)) from++;
    return from;
}

int ib_thin(const ib_ThinData *data, int limit, int *picks)
{
    // A bucket gives at most 8 points. A short series is drawn unchanged: buckets of one.
    bool whole = data->count <= limit;
    int buckets = whole ? data->count : limit / KEPT;
    double first = 0, width = data->log_x && !whole ? decades(data, &first) : 0;
    int used = 0, last = -1, from = 0;
    for (int b = 0; b < buckets; b++) {
        int to = bucket_end(data, from, b, buckets, first, width);
        int own[KEPT], count = bucket_picks(data, from, to, own);
        from = to;
        for (int k = 0; k < count; k++) {
            if (last >= 0 && broken(data, last, own[k])) picks[used++] = IB_THIN_GAP;
            picks[used++] = last = own[k];
        }
    }
    return used;
}

// ---------------------------------------------------------------------------------------- straight

// Place of a point, in the units of the axes or of their natural logarithms.
static double place_x(const ib_ThinData *data, int i)
{
    return data->log_x ? ib_log(data->x[i]) : data->x[i];
}

static double place_y(const ib_ThinData *data, int i)
{
    return data->log_y ? ib_log(data->y[i]) : data->y[i];
}

// Slopes of the lines from an anchor (x, y) that pass all points since then closely enough.
typedef struct Cone {
    double x, y;
    double low, high;
} Cone;

static Cone cone_at(const ib_ThinData *data, int i)
{
    return (Cone){place_x(data, i), place_y(data, i), -INFINITY, INFINITY};
}

//   |y_a + s (x_i - x_a) - y_i| <= e   for every point i between:
//   (y_i - e - y_a) / (x_i - x_a) <= s <= (y_i + e - y_a) / (x_i - x_a)
static void cone_narrow(Cone *cone, double x, double y, double tolerance)
{
    double run = x - cone->x;
    double low = run > 0 ? (y - tolerance - cone->y) / run : INFINITY;
    double high = run > 0 ? (y + tolerance - cone->y) / run : -INFINITY;
    cone->low = ib_max(cone->low, low);
    cone->high = ib_min(cone->high, high);
}

int ib_thin_lines(const ib_ThinData *data, double tolerance, int *picks, int count)
{
    // `last` is the latest point, which may turn out to be on the way; -1: the line begins.
    int used = 0, last = -1;
    bool begun = false;
    Cone cone = {0};
    for (int k = 0; k < count; k++) {
        int next = picks[k];
        if (next == IB_THIN_GAP || !begun) {
            if (last >= 0) picks[used++] = last;
            last = -1;
            picks[used++] = next;
            begun = next != IB_THIN_GAP;
            if (begun) cone = cone_at(data, next);
            continue;
        }
        double x = place_x(data, next), y = place_y(data, next);
        double slope = (y - cone.y) / (x - cone.x);
        bool passes =
            last < 0 || (data->x[next] > data->x[last] && slope >= cone.low && slope <= cone.high);
        if (!passes) {
            picks[used++] = last;
            cone = cone_at(data, last);
        }
        cone_narrow(&cone, x, y, tolerance);
        last = next;
    }
    if (last >= 0) picks[used++] = last;
    return used;
}

int ib_thin_steps(const ib_ThinData *data, double tolerance, int *picks, int count)
{
    int used = 0, last = -1, held = -1;
    for (int k = 0; k < count; k++) {
        int next = picks[k];
        bool gap = next == IB_THIN_GAP;
        if (gap && last >= 0) picks[used++] = last;
        bool same =
            !gap && held >= 0 && fabs(place_y(data, next) - place_y(data, held)) <= tolerance;
        if (!same) picks[used++] = next;
        if (!same) held = gap ? -1 : next;
        last = same ? next : -1;
    }
    if (last >= 0) picks[used++] = last;
    return used;
}
