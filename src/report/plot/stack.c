#include "report/plot/stack.h"

#include "base/extreme.h"

#include <math.h>

// The largest items, largest first; how many.
static int choose_bands(const ib_StackItem *items, int count, double least,
                        const ib_StackItem **bands)
{
    int chosen = 0;
    for (int i = 0; i < count; i++) {
        const ib_StackItem *item = &items[i];
        if (!(item->weight > least)) continue;
        int at = chosen < IB_STACK_BANDS ? chosen++ : IB_STACK_BANDS;
        for (; at > 0 && bands[at - 1]->weight < item->weight; at--)
            if (at < IB_STACK_BANDS) bands[at] = bands[at - 1];
        if (at < IB_STACK_BANDS) bands[at] = item;
    }
    return chosen;
}

static void add_up(const ib_StackItem *item, int rows, double *sum)
{
    for (int k = 0; k < rows; k++) sum[k] += item->values[k];
}

static ib_PlotSeries area(const ib_PlotSeries *line, const char *label, int colour,
                          const double *top)
{
    ib_PlotSeries made = *line;
    made.label = label;
    made.style = IB_PLOT_AREA;
    made.colour = colour;
    made.y = top;
    return made;
}

int ib__stack_make(const ib_StackItem *items, int count, const ib_PlotSeries *line, ib_Arena *arena,
                   ib_PlotSeries series[IB_STACK_SERIES])
{
    const ib_StackItem *bands[IB_STACK_BANDS];
    int made = 0, rows = line->count;
    double *memory = ib_arena_array(arena, (IB_STACK_BANDS + 1) * (size_t)rows, sizeof *memory);
    if (!memory || rows == 0) return 0;

    // A load below a thousandth of the total gets no band. All together first, then without the
    // smaller ones, then without the next band …
    double all = 0;
    for (int i = 0; i < count; i++) {
        all += items[i].weight;
        add_up(&items[i], rows, memory);
    }
    double least = 1e-3 * ib_max(all, 0), rest = all;
    int chosen = choose_bands(items, count, least, bands);
    for (int b = 0; b < chosen; b++) rest -= bands[b]->weight;
    if (rest > least) series[made++] = area(line, "all others", IB_STACK_BANDS + 1, memory);
    for (int b = chosen - 1; b >= 0; b--) {
        double *top = memory + (size_t)(b + 1) * (size_t)rows;
        for (int k = 0; k <= b; k++) add_up(bands[k], rows, top);
        series[made++] = area(line, bands[b]->label, b + 1, top);
    }
    series[made] = *line;
    series[made++].colour = IB_STACK_BANDS + 2;
    return made;
}
