#include "report/plot/plot_ruler.h"

#include <math.h>
#include <stdio.h>

// Words, and a single number, have places 0.5, 1.5 …
static bool is_even(const ib_PlotHeatAxis *axis)
{
    return !axis->numbers || axis->count == 1;
}

static double border(const ib_PlotHeatAxis *axis, int i)
{
    const double *n = axis->numbers;
    int last = axis->count - 1;
    if (is_even(axis)) return i;
    if (i == 0) return n[0] - (n[1] - n[0]) / 2;
    if (i > last) return n[last] + (n[last] - n[last - 1]) / 2;
    return n[i - 1] + (n[i] - n[i - 1]) / 2;
}

static double place_of(const ib_Ruler *ruler, double value)
{
    double first = border(ruler->axis, 0), last = border(ruler->axis, ruler->axis->count);
    return ruler->from + (value - first) / (last - first) * (ruler->to - ruler->from);
}

double ib__ruler_border(const ib_Ruler *ruler, int i)
{
    return round(place_of(ruler, border(ruler->axis, i)));
}

static void add_number(const ib_Ruler *ruler, double place, double number, ib_Ticks *ticks)
{
    char *text = ticks->texts[ticks->count];
    snprintf(text, sizeof ticks->texts[0], "%g", number);
    ticks->names[ticks->count] = text;
    ticks->places[ticks->count++] = place_of(ruler, place);
}

void ib__ruler_ticks(const ib_Ruler *ruler, int few, int most, ib_Ticks *ticks)
{
    const ib_PlotHeatAxis *axis = ruler->axis;
    ticks->count = 0;
    for (int i = 0; !axis->numbers && i < axis->count; i++) {
        ticks->names[i] = axis->words[i];
        ticks->places[ticks->count++] = place_of(ruler, i + 0.5);
    }
    if (!axis->numbers) return;
    if (axis->count <= few) {
        for (int i = 0; i < axis->count; i++)
            add_number(ruler, is_even(axis) ? i + 0.5 : axis->numbers[i], axis->numbers[i], ticks);
        return;
    }
    double step;
    ib_Range range = {border(axis, 0), border(axis, axis->count)};
    ib__range_pad(range, most, &step);
    for (double k = ceil(range.low / step); k * step <= range.high && ticks->count <= 2 * most; k++)
        add_number(ruler, k * step, k * step, ticks);
}

void ib__ticks_thin(ib_Ticks *ticks, double line, double letter)
{
    int kept = 0;
    for (int i = 0; i < ticks->count; i++) {
        int before = kept - 1;
        double room = line;
        if (kept > 0)
            room += letter * 0.5 *
                    (ib__name_width(ticks->names[i]) + ib__name_width(ticks->names[before]));
        if (kept > 0 && ticks->places[i] - ticks->places[before] < room) continue;
        ticks->names[kept] = ticks->names[i];
        ticks->places[kept++] = ticks->places[i];
    }
    ticks->count = kept;
}
