#include "report/plot/plot.h"

#include "report/plot/drawable.h"
#include "report/plot/gnuplot.h"
#include "report/plot/plot_script.h"
#include "report/spectrum.h"

#include <string.h>
#include <strings.h>

ib_Plot ib_plot_default(void)
{
    return (ib_Plot){
        .title = "",
        .kind = IB_PLOT_CURVES,
        .x_label = "time",
        .x_unit = "s",
        .max_points = 4000,
    };
}

ib_Status ib_plot_check(const ib_Plot *plot, ib_Error *error)
{
    enum { SMALLEST = 200, LARGEST = 8000, FEWEST_POINTS = 100 };
    bool heat = plot->kind == IB_PLOT_HEAT;
    if (heat ? !plot->heat : plot->series_count < 1)
        return ib_error_set(error, IB_BAD_INPUT, "nothing to plot");
    if (plot->series_count > IB_PLOT_MAX_SERIES)
        return ib_error_set(error, IB_BAD_INPUT,
                            "%d signals in one plot: nobody could read more than %d",
                            plot->series_count, IB_PLOT_MAX_SERIES);
    int sizes[] = {plot->width, plot->height};
    for (int i = 0; i < 2; i++)
        if (sizes[i] != 0 && (sizes[i] < SMALLEST || sizes[i] > LARGEST))
            return ib_error_set(error, IB_BAD_INPUT,
                                "a picture of %d pixels: expected %d to %d for width and height",
                                sizes[i], SMALLEST, LARGEST);
    if (plot->max_points < FEWEST_POINTS)
        return ib_error_set(error, IB_BAD_INPUT, "expected at least %d points a series",
                            FEWEST_POINTS);
    for (int i = 0; plot->panels && i < plot->panel_count; i++)
        if (plot->panels[i].x_word_count > IB_PLOT_MAX_CELLS)
            return ib_error_set(error, IB_BAD_INPUT, "expected at most %d words on an axis",
                                IB_PLOT_MAX_CELLS);
    bool plane = plot->kind == IB_PLOT_TRAJECTORY;
    if ((plane || heat) && (plot->log_x || plot->log_y))
        return ib_error_set(error, IB_BAD_INPUT, "a %s has no logarithmic axes",
                            heat ? "heat map" : "trajectory");
    return heat ? ib__heat_check(plot->heat, error) : IB_OK;
}

bool ib_plot_shows(const ib_Plot *plot, int index)
{
    const ib_PlotSeries *series = &plot->series[index];
    for (int i = 0; i < series->count; i++)
        if (ib__drawable_point(series->x[i], series->y[i], plot->log_x, plot->log_y)) return true;
    return series->count == 0;
}

ib_Status ib_plot_format(const char *path, ib_PlotFormat *format, ib_Error *error)
{
    const char *dot = strrchr(path, '.');
    if (dot && strcasecmp(dot, ".svg") == 0)
        *format = IB_PLOT_SVG;
    else if (dot && strcasecmp(dot, ".png") == 0)
        *format = IB_PLOT_PNG;
    else
        return ib_error_set(error, IB_BAD_INPUT,
                            "'%s': a picture's name must end in .svg or .png; for a pipe, make one "
                            "with such a name: mkfifo x.svg",
                            path);
    return IB_OK;
}

// ------------------------------------------------------------------------------------------ script

// A panel for each series, of any unit.
static bool panels_by_series(const ib_Plot *plot, ib_Panels *panels)
{
    if (plot->series_count > IB_PLOT_MAX_PANELS) return false;
    panels->count = plot->series_count;
    for (int i = 0; i < plot->series_count; i++)
        panels->items[i] = (ib_Panel){.series = {i}, .count = 1, .unit = plot->series[i].unit};
    return true;
}

static ib_Status script_kind(const ib_Plot *plot, ib_PlotFormat format, ib_Text *script,
                             ib_Error *error)
{
    ib_Panels panels = {0};
    bool each = plot->kind == IB_PLOT_HISTOGRAM;
    bool fits = plot->kind == IB_PLOT_TRAJECTORY || plot->kind == IB_PLOT_HEAT ||
                (each ? panels_by_series(plot, &panels) : ib__plot_panels(plot, &panels));
    if (!fits)
        return ib_error_set(error, IB_BAD_INPUT, "more than %d panels in one plot: %s",
                            IB_PLOT_MAX_PANELS,
                            each ? "choose fewer signals" : "choose signals of fewer units");

    ib_Canvas canvas = ib__canvas(plot, panels.count);
    if (plot->kind == IB_PLOT_BOX) ib__box_room(plot, &panels, &canvas);
    if (ib__plot_has_own_x(plot)) ib__words_room(plot, &panels, &canvas);
    ib__script_begin(plot, format, &canvas, script);
    switch (plot->kind) {
    case IB_PLOT_CURVES:
    case IB_PLOT_SPECTRUM:
        return ib__plot_curves(plot, &canvas, &panels, script, error);
    case IB_PLOT_TRAJECTORY:
        return ib__plot_trajectory(plot, &canvas, script, error);
    case IB_PLOT_HISTOGRAM:
        return ib__plot_histogram(plot, &canvas, &panels, script, error);
    case IB_PLOT_BOX:
        return ib__plot_box(plot, &canvas, &panels, script, error);
    case IB_PLOT_HEAT:
        return ib__plot_heat(plot, &canvas, script, error);
    }
    return IB_OK;
}

// A spectrum is a plot of curves over frequency: this makes them, and leaves out 0 Hz, where the
// mean would dwarf everything.
static ib_Status make_spectra(const ib_Plot *plot, ib_Arena *arena, ib_PlotSeries *series,
                              ib_Error *error)
{
    for (int i = 0; i < plot->series_count; i++) {
        const ib_PlotSeries *from = &plot->series[i];
        ib_Spectrum spectrum;
        ib_Error reason;
        ib_Status status =
            ib_spectrum(from->x, from->y, from->count, IB_WINDOW_HANN, arena, &spectrum, &reason);
        if (status) return ib_error_set(error, status, "%s: %s", from->label, reason.text);
        series[i] = *from;
        series[i].x = spectrum.frequency + 1;
        series[i].y = spectrum.amplitude + 1;
        series[i].count = spectrum.count - 1;
    }
    return IB_OK;
}

ib_Status ib_plot_script(const ib_Plot *plot, ib_PlotFormat format, ib_Text *script,
                         ib_Error *error)
{
    ib_Status status = ib_plot_check(plot, error);
    if (status) return status;
    ib_Arena arena = {0};
    ib_Plot changed = *plot;
    ib_PlotSeries series[IB_PLOT_MAX_SERIES];
    if (plot->kind == IB_PLOT_SPECTRUM) {
        status = make_spectra(plot, &arena, series, error);
        changed.series = series;
        changed.x_label = "frequency";
        changed.x_unit = "Hz";
    }
    if (status == IB_OK) status = script_kind(&changed, format, script, error);
    ib_arena_reset(&arena);
    if (status == IB_OK && script->failed)
        status = ib_error_set(error, IB_FAILED, "out of memory for the plot");
    return status;
}

ib_Status ib_plot_render(const ib_Plot *plot, ib_PlotFormat format, ib_Text *picture,
                         ib_Error *error)
{
    ib_Text script = {0};
    ib_Status status = ib_plot_script(plot, format, &script, error);
    if (status == IB_OK) status = ib_gnuplot_run(&script, picture, error);
    ib_text_destroy(&script);
    return status;
}

ib_Status ib_plot_write(const ib_Plot *plot, const char *path, ib_Error *error)
{
    ib_PlotFormat format = IB_PLOT_SVG;
    ib_Status status = ib_plot_format(path, &format, error);
    if (status) return status;
    ib_Text picture = {0};
    status = ib_plot_render(plot, format, &picture, error);
    if (status == IB_OK) status = ib_text_write(&picture, path, error);
    ib_text_destroy(&picture);
    return status;
}
