// report/plot/plot_distribution.c: histograms and box plots: the distribution of a signal's values,
// in any order of time.
#include "report/plot/plot_script.h"
#include "report/statistics.h"

#include <stdio.h>

static ib_Status no_memory(ib_Error *error)
{
    return ib_error_set(error, IB_FAILED, "out of memory for the plot");
}

// --------------------------------------------------------------------------------------- histogram

static void script_histogram(const ib_Plot *plot, const ib_Canvas *canvas, const ib_Panels *panels,
                             int index, const ib_Statistics *statistics, ib_Text *script)
{
    ib_Histogram histogram = ib_histogram(statistics);
    ib_Frame frame = ib__frame(plot, canvas, panels, index);
    ib_Range x = ib__range_empty(), y = {0, 0};
    ib_text_format(script, "$s%d << EOD\n", index);
    for (int i = 0; i < histogram.bins; i++) {
        double centre = histogram.low + (i + 0.5) * histogram.width;
        ib_text_format(script, "%.10g %d\n", centre, histogram.counts[i]);
        x = ib__range_with(x, centre - histogram.width);
        x = ib__range_with(x, centre + histogram.width);
        y = ib__range_with(y, histogram.counts[i]);
    }
    ib_text_add(script, "EOD\n");
    ib__script_frame(canvas, &frame, script);
    ib__script_x_label(canvas, &frame, plot->series[index].label, plot->series[index].unit, script);
    ib__script_y_label(canvas, &frame, "samples", NULL, script);
    if (histogram.bins == 0) {
        ib__script_nothing(script);
        return;
    }

    double step;
    ib_Range ends = ib__range_pad(y, ib__frame_ticks(canvas, &frame), &step);
    if (step < 1) step = 1; // there is no half a sample
    if (plot->log_y)
        ib_text_format(script, "set yrange [0.5:%.10g]\nset ytics auto\n", 2 * y.high);
    else
        ib_text_format(script, "set yrange [0:%.10g]\nset ytics %.10g\n", ends.high, step);
    ib_text_format(script, "set xrange [%.10g:%.10g]\nset boxwidth %.10g\n", x.low, x.high,
                   histogram.width);
    ib_text_format(script,
                   "plot $s%d using 1:2 with boxes fill solid 0.65 border rgb '#ffffff' lc rgb "
                   "'%s' notitle\n",
                   index, ib__series_style(plot, index).colour);
}

ib_Status ib__plot_histogram(const ib_Plot *plot, const ib_Canvas *canvas, const ib_Panels *panels,
                             ib_Text *script, ib_Error *error)
{
    for (int i = 0; i < plot->series_count; i++) {
        ib_Arena arena = {0};
        ib_Statistics statistics;
        bool done = ib_statistics(plot->series[i].y, plot->series[i].count, &arena, &statistics);
        if (done) script_histogram(plot, canvas, panels, i, &statistics, script);
        ib_arena_reset(&arena);
        if (!done) return no_memory(error);
        ib_text_add(script, "unset label 1\n");
    }
    return IB_OK;
}

// ---------------------------------------------------------------------------------------- box plot

// Values beyond the whiskers, at most so many of each side, evenly chosen from outside in.
static void script_outliers(const ib_Statistics *statistics, int place, ib_Text *script)
{
    enum { MOST = 400 };
    int below = 0, above = statistics->count;
    while (below < statistics->count && statistics->sorted[below] < statistics->low) below++;
    while (above > 0 && statistics->sorted[above - 1] > statistics->high) above--;
    int ends[2][2] = {{0, below}, {above, statistics->count}};
    for (int side = 0; side < 2; side++) {
        int from = ends[side][0], count = ends[side][1] - from;
        int shown = count < MOST ? count : MOST;
        for (int i = 0; i < shown; i++) {
            int at = shown < 2 ? from : from + (int)((long long)i * (count - 1) / (shown - 1));
            ib_text_format(script, "%d %.10g\n", place, statistics->sorted[at]);
        }
    }
}

// Columns of $bN: place, q1, low, high, q3, median, colour; outliers in $oN.
static bool script_boxes(const ib_Plot *plot, const ib_Panel *panel, int index, ib_Text *script,
                         ib_Range *y)
{
    ib_Text outliers = {0};
    ib_Arena arena = {0};
    bool done = true;
    ib_text_format(script, "$b%d << EOD\n", index);
    for (int i = 0; i < panel->count && done; i++) {
        const ib_PlotSeries *series = &plot->series[panel->series[i]];
        ib_Statistics s;
        done = ib_statistics(series->y, series->count, &arena, &s);
        if (!done || s.count == 0) continue;
        const ib_SeriesStyle look = ib__series_style(plot, panel->series[i]);
        ib_text_format(script, "%d %.10g %.10g %.10g %.10g %.10g 0x%s\n", i + 1, s.q1, s.low,
                       s.high, s.q3, s.median, look.colour + 1);
        script_outliers(&s, i + 1, &outliers);
        *y = ib__range_with(ib__range_with(*y, s.min), s.max);
        ib_arena_reset(&arena);
    }
    // A point out of sight keeps the block from being empty, which gnuplot would refuse.
    ib_text_format(script, "EOD\n$o%d << EOD\n-9 0\n%sEOD\n", index,
                   outliers.bytes ? outliers.bytes : "");
    done = done && !outliers.failed;
    ib_arena_reset(&arena);
    ib_text_destroy(&outliers);
    return done;
}

// A place's name on the axis is a format to gnuplot: a % in it is doubled.
static void quote_place(const char *name, ib_Text *script)
{
    ib_Text line = {0}, format = {0};
    ib_text_line(&line, name, 24);
    for (const char *at = line.bytes ? line.bytes : ""; *at; at++)
        ib_text_add_n(&format, *at == '%' ? "%%" : at, *at == '%' ? 2 : 1);
    ib__script_quote(script, format.bytes ? format.bytes : "", 0);
    script->failed |= line.failed || format.failed;
    ib_text_destroy(&line);
    ib_text_destroy(&format);
}

static void script_places(const ib_Plot *plot, const ib_Panel *panel, ib_Text *script)
{
    // Room beside a lonely box keeps it slim.
    double room = panel->count < 3 ? 0.6 + (3 - panel->count) / 2.0 : 0.6;
    ib_text_format(script, "set xrange [%.10g:%.10g]\nset xtics (", 1 - room, panel->count + room);
    for (int i = 0; i < panel->count; i++) {
        if (i > 0) ib_text_add(script, ", ");
        quote_place(plot->series[panel->series[i]].label, script);
        ib_text_format(script, " %d", i + 1);
    }
    ib_text_add(script, ")\nset grid noxtics ytics\n");
}

ib_Status ib__plot_box(const ib_Plot *plot, const ib_Canvas *canvas, const ib_Panels *panels,
                       ib_Text *script, ib_Error *error)
{
    ib_text_add(script, "set boxwidth 0.5\nset style fill solid 0.45 border\n");
    for (int i = 0; i < panels->count; i++) {
        const ib_Panel *panel = &panels->items[i];
        ib_Frame frame = ib__frame(plot, canvas, panels, i);
        ib_Range y = ib__range_empty();
        if (!script_boxes(plot, panel, i, script, &y)) return no_memory(error);
        ib__script_frame(canvas, &frame, script);
        char name[128];
        ib__panel_name(plot, panel, name, sizeof name);
        ib__script_y_label(canvas, &frame, name, panel->unit, script);
        if (!(y.low <= y.high)) {
            ib__script_nothing(script);
            continue;
        }
        script_places(plot, panel, script);
        double step;
        ib_Range ends = ib__range_pad(y, ib__frame_ticks(canvas, &frame), &step);
        if (!plot->log_y)
            ib_text_format(script, "set yrange [%.10g:%.10g]\nset ytics %.10g\n", ends.low,
                           ends.high, step);
        ib_text_format(script,
                       "plot $b%d using 1:2:3:4:5:7 with candlesticks lw 2 lc rgb variable "
                       "notitle whiskerbars 0.5, $b%d using 1:6:6:6:6 with candlesticks lw 3.5 lc "
                       "rgb '#000000' notitle, $o%d using 1:2 with points pt 6 ps 0.5 lc rgb "
                       "'#666666' notitle\nunset label 1\n",
                       i, i, i);
    }
    return IB_OK;
}
