// report/plot/plot_distribution.c: histograms and box plots: the distribution of a signal's values,
// in any order of time.
#include "base/extreme.h"
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

// What a panel has: boxes of two values or more, dots of one, which has no quartiles.
typedef struct Contents {
    bool boxes, dots;
    ib_Range y;
} Contents;

// Columns of $bN: place, q1, low, high, q3, median, colour; outliers in $oN; dots in $dN: place,
// value, colour.
static bool script_boxes(const ib_Plot *plot, const ib_Panel *panel, int index, ib_Text *script,
                         Contents *contents)
{
    ib_Text outliers = {0}, dots = {0};
    ib_Arena arena = {0};
    bool done = true;
    ib_text_format(script, "$b%d << EOD\n", index);
    for (int i = 0; i < panel->count && done; i++) {
        const ib_PlotSeries *series = &plot->series[panel->series[i]];
        ib_Statistics s;
        done = ib_statistics(series->y, series->count, &arena, &s);
        if (!done || s.count == 0) continue;
        const ib_SeriesStyle look = ib__series_style(plot, panel->series[i]);
        contents->y = ib__range_with(ib__range_with(contents->y, s.min), s.max);
        if (s.count == 1) {
            ib_text_format(&dots, "%d %.10g 0x%s\n", i + 1, s.median, look.colour + 1);
            contents->dots = true;
            continue;
        }
        ib_text_format(script, "%d %.10g %.10g %.10g %.10g %.10g 0x%s\n", i + 1, s.q1, s.low,
                       s.high, s.q3, s.median, look.colour + 1);
        script_outliers(&s, i + 1, &outliers);
        contents->boxes = true;
        ib_arena_reset(&arena);
    }
    // A point out of sight keeps the block from being empty, which gnuplot would refuse.
    ib_text_format(script, "EOD\n$o%d << EOD\n-9 0\n%sEOD\n", index,
                   outliers.bytes ? outliers.bytes : "");
    if (contents->dots) ib_text_format(script, "$d%d << EOD\n%sEOD\n", index, dots.bytes);
    done = done && !outliers.failed && !dots.failed;
    ib_arena_reset(&arena);
    ib_text_destroy(&outliers);
    ib_text_destroy(&dots);
    return done;
}

static void script_plot(const Contents *contents, int index, ib_Text *script)
{
    ib_text_add(script, "plot ");
    if (contents->boxes)
        ib_text_format(script,
                       "$b%d using 1:2:3:4:5:7 with candlesticks lw 2 lc rgb variable "
                       "notitle whiskerbars 0.5, $b%d using 1:6:6:6:6 with candlesticks lw 3.5 lc "
                       "rgb '#000000' notitle, $o%d using 1:2 with points pt 6 ps 0.5 lc rgb "
                       "'#666666' notitle",
                       index, index, index);
    if (contents->dots)
        ib_text_format(script, "%s$d%d using 1:2:3 with points pt 7 ps 1.2 lc rgb variable notitle",
                       contents->boxes ? ", " : "", index);
    ib_text_add(script, "\nunset label 1\n");
}

// Room beside the outermost boxes; beside a lonely one it keeps it slim.
static double room_beside(int count)
{
    return count < 3 ? 0.6 + (3 - count) / 2.0 : 0.6;
}

// The names below the boxes of a panel, and how they look.
static ib_Names box_names(const ib_Plot *plot, const ib_Canvas *canvas, const ib_Panel *panel,
                          const char **names)
{
    for (int i = 0; i < panel->count; i++) names[i] = plot->series[panel->series[i]].label;
    double width = canvas->width - canvas->left - canvas->right;
    double places = panel->count - 1 + 2 * room_beside(panel->count);
    return ib__names(names, panel->count, width / places / canvas->em);
}

void ib__box_room(const ib_Plot *plot, const ib_Panels *panels, ib_Canvas *canvas)
{
    const char *names[IB_PLOT_MAX_SERIES];
    for (int i = 0; i < panels->count; i++) {
        ib_Names look = box_names(plot, canvas, &panels->items[i], names);
        canvas->names = ib_max(canvas->names, look.depth);
    }
    double more = canvas->names - IB_NAMES_FLAT;
    if (!plot->height && panels->count > 1)
        canvas->height += (int)(more * canvas->em) * panels->count;
    canvas->bottom = ib_max(canvas->bottom, (canvas->names + 0.6) * canvas->em);
}

static void script_places(const ib_Plot *plot, const ib_Canvas *canvas, const ib_Panel *panel,
                          ib_Text *script)
{
    const char *names[IB_PLOT_MAX_SERIES];
    ib_Names look = box_names(plot, canvas, panel, names);
    double room = room_beside(panel->count), places[IB_PLOT_MAX_SERIES];
    for (int i = 0; i < panel->count; i++) places[i] = i + 1;
    ib_text_format(script, "set xrange [%.10g:%.10g]\n", 1 - room, panel->count + room);
    ib__script_names('x', names, places, panel->count, &look, script);
    ib_text_add(script, "set grid noxtics ytics\n");
}

ib_Status ib__plot_box(const ib_Plot *plot, const ib_Canvas *canvas, const ib_Panels *panels,
                       ib_Text *script, ib_Error *error)
{
    ib_text_add(script, "set boxwidth 0.5\nset style fill solid 0.45 border\n");
    for (int i = 0; i < panels->count; i++) {
        const ib_Panel *panel = &panels->items[i];
        ib_Frame frame = ib__frame(plot, canvas, panels, i);
        Contents contents = {.y = ib__range_empty()};
        if (!script_boxes(plot, panel, i, script, &contents)) return no_memory(error);
        ib_Range y = contents.y;
        ib__script_frame(canvas, &frame, script);
        char name[128];
        ib__panel_name(plot, panel, name, sizeof name);
        ib__script_y_label(canvas, &frame, name, panel->unit, script);
        if (!(y.low <= y.high)) {
            ib__script_nothing(script);
            continue;
        }
        script_places(plot, canvas, panel, script);
        double step;
        ib_Range ends = ib__range_pad(y, ib__frame_ticks(canvas, &frame), &step);
        if (!plot->log_y)
            ib_text_format(script, "set yrange [%.10g:%.10g]\nset ytics %.10g\n", ends.low,
                           ends.high, step);
        script_plot(&contents, i, script);
    }
    return IB_OK;
}
