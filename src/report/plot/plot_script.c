#include "report/plot/plot_script.h"

#include "base/extreme.h"
#include "base/units.h"
#include "report/plot/drawable.h"
#include "report/plot/thin.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ------------------------------------------------------------------------------------------ ranges

ib_Range ib__range_empty(void)
{
    return (ib_Range){INFINITY, -INFINITY};
}

ib_Range ib__range_with(ib_Range range, double value)
{
    if (!ib__drawable(value)) return range;
    return (ib_Range){ib_min(range.low, value), ib_max(range.high, value)};
}

// The smallest of 1, 2, 5 times a power of ten that is at least `step`.
static double round_step(double step)
{
    double power = 1;
    while (power > step) power /= 10;
    while (power * 10 <= step) power *= 10;
    return step <= power       ? power
           : step <= 2 * power ? 2 * power
           : step <= 5 * power ? 5 * power
                               : 10 * power;
}

ib_Range ib__range_pad(ib_Range range, int ticks, double *step)
{
    const double room = 0.04;
    if (!(range.low <= range.high)) range = (ib_Range){0, 1};
    // A constant gets room around it: the last digits of a rounding error are no picture.
    double size = ib_max(fabs(range.low), fabs(range.high));
    if (range.high - range.low <= 1e-9 * size || size < IB_DRAWN_LEAST) {
        double half = size >= IB_DRAWN_LEAST ? 0.5 * size : 1;
        range = (ib_Range){range.low - half, range.high + half};
    }
    double span = range.high - range.low;
    ib_Range padded = {range.low - room * span, range.high + room * span};
    *step = round_step(span / ticks);
    // A single number is no scale: 0 alone, where -440 to 440 has ticks every 500.
    if (floor(padded.high / *step) - ceil(padded.low / *step) < 1) *step = round_step(*step / 2.5);
    return padded;
}

// ------------------------------------------------------------------------------------------ panels

static void panels_given(const ib_Plot *plot, ib_Panels *panels)
{
    panels->count = plot->panel_count;
    for (int i = 0; i < plot->panel_count; i++)
        panels->items[i] = (ib_Panel){.unit = plot->panels[i].unit, .given = &plot->panels[i]};
    for (int i = 0; i < plot->series_count; i++) {
        ib_Panel *panel = &panels->items[plot->series[i].panel];
        panel->series[panel->count++] = i;
    }
}

bool ib__plot_panels(const ib_Plot *plot, ib_Panels *panels)
{
    panels->count = 0;
    if (plot->panels) {
        panels_given(plot, panels);
        return true;
    }
    for (int i = 0; i < plot->series_count; i++) {
        int at = 0;
        while (at < panels->count && strcmp(panels->items[at].unit, plot->series[i].unit) != 0)
            at++;
        if (at == IB_PLOT_MAX_PANELS) return false;
        if (at == panels->count)
            panels->items[panels->count++] = (ib_Panel){.unit = plot->series[i].unit};
        panels->items[at].series[panels->items[at].count++] = i;
    }
    return true;
}

// Number of leading bytes that two names share and that end before a dot.
static size_t common_prefix(const char *a, const char *b, size_t limit)
{
    size_t same = 0;
    for (size_t i = 0; i < limit && a[i] && a[i] == b[i]; i++)
        if (a[i + 1] == '.' && b[i + 1] == '.') same = i + 1;
    return same;
}

void ib__panel_name(const ib_Plot *plot, const ib_Panel *panel, char *text, size_t size)
{
    if (panel->given) {
        snprintf(text, size, "%s", panel->given->name);
        return;
    }
    // Measured points belong to a curve, whose name counts.
    const char *first = plot->series[panel->series[0]].label;
    size_t shared = strlen(first);
    for (int i = 1; i < panel->count; i++) {
        const char *other = plot->series[panel->series[i]].label;
        if (plot->series[panel->series[i]].style == IB_PLOT_POINTS) continue;
        if (strcmp(first, other) != 0) shared = common_prefix(first, other, shared);
    }
    if (shared > 0) {
        snprintf(text, size, "%.*s", (int)shared, first);
        return;
    }

    // "a force" is called force; a quantity without a name is a value. Torque and energy have one
    // dimension, the unit tells them apart.
    ib_Dimension dimension;
    char words[64] = "";
    if (ib_units_dimension(panel->unit, &dimension, NULL) == IB_OK)
        ib_dimension_describe(dimension, panel->unit, words, sizeof words);
    if (strcmp(panel->unit, "J") == 0) snprintf(words, sizeof words, "an energy");
    const char *space = strchr(words, ' ');
    bool named = space && strncmp(words, "a value", 7) != 0 && strncmp(words, "a pure", 6) != 0;
    snprintf(text, size, "%s", named ? space + 1 : "value");
}

// ------------------------------------------------------------------------------------------ pieces

int ib__text_width(const char *text)
{
    int count = 0;
    for (; *text; text++) count += ((unsigned char)*text & 0xc0) != 0x80;
    return count;
}

enum { TITLE = 1, NOTE, X_LABEL, Y_LABEL, Y_LABEL_2 }; // and plot_curves.c

// True if these two characters must be separated. gnuplot passes "&#…" and "]]>" to SVG unchanged,
// where one is a character by its number and the other is not allowed in a text.
static bool must_part(const char *at)
{
    return (at[0] == '&' && at[1] == '#') || (at[0] == ']' && at[1] == '>');
}

// U+FFFE and U+FFFF are no characters of XML.
static bool is_alien(const char *at)
{
    return strncmp(at, "\xef\xbf\xbe", 3) == 0 || strncmp(at, "\xef\xbf\xbf", 3) == 0;
}

void ib__script_quote(ib_Text *script, const char *words, int limit)
{
    const char *joiner = "\xe2\x81\xa0"; // U+2060, which is not seen
    ib_Text line = {0};
    ib_text_line(&line, words, limit);
    const char *start = line.bytes ? line.bytes : "";
    ib_text_add(script, "'");
    for (const char *at = start; *at; at++) {
        // In single quotes only the quote itself is special, and it is doubled; but gnuplot (5.4)
        // sees no text in it after another quote. A back quote runs a command elsewhere, and is
        // removed, too.
        if (*at == '\'' && (at == start || at[-1] == '\'')) ib_text_add(script, joiner);
        if (*at == '\'')
            ib_text_add(script, "''");
        else if (*at == '`')
            ib_text_add(script, "´");
        else if (is_alien(at))
            ib_text_add(script, "?");
        else
            ib_text_add_n(script, at, 1);
        if (must_part(at)) ib_text_add(script, joiner);
        if (is_alien(at)) at += 2;
    }
    ib_text_add(script, "'");
    script->failed |= line.failed;
    ib_text_destroy(&line);
}

// `set label` number `id`, centred at a place given in pixels, turned for a y axis: as much of the
// name as there is room for, and all of the ending.
static void put_label(const ib_Canvas *canvas, int id, double x, double y, const char *name,
                      int room, const char *ending, ib_Text *script)
{
    ib_Text label = {0};
    ib_text_line(&label, name, room < 8 ? 8 : room);
    ib_text_add(&label, ending);
    ib_text_format(script, "set label %d ", id);
    ib__script_quote(script, label.bytes ? label.bytes : "", 0);
    ib_text_format(script, " at screen %.6f, screen %.6f center%s\n", x / canvas->width,
                   y / canvas->height, id == X_LABEL ? "" : " rotate by 90");
    script->failed |= label.failed;
    ib_text_destroy(&label);
}

// " [m/s]"; "" without a unit.
static const char *put_ending(const char *unit, ib_Text *ending)
{
    if (!unit) return "";
    ib_text_add(ending, " [");
    ib_text_unit(ending, unit);
    ib_text_add(ending, "]");
    return ending->bytes ? ending->bytes : "";
}

// The place to break a name so that the longer of its lines, the second with `more` letters behind
// it, is as short as possible: after a dot, an underscore or a blank; 0: nowhere.
static size_t part_name(const char *name, int more)
{
    int whole = ib__text_width(name), shortest = whole + more;
    size_t best = 0;
    for (size_t i = 1; name[i - 1] && name[i]; i++) {
        if (!strchr("._ ", name[i - 1])) continue;
        int second = ib__text_width(name + i) + more, first = whole - ib__text_width(name + i);
        int longest = first > second ? first : second;
        if (longest >= shortest) continue;
        shortest = longest;
        best = i;
    }
    return best;
}

// Letters are about 0.6 em wide.
static int room_for(const ib_Canvas *canvas, double length)
{
    return (int)(length / (0.6 * canvas->em));
}

void ib__script_x_label(const ib_Canvas *canvas, const ib_Frame *frame, const char *name,
                        const char *unit, ib_Text *script)
{
    ib_Text text = {0};
    const char *ending = put_ending(unit, &text);
    int room = room_for(canvas, frame->right - frame->left) - ib__text_width(ending);
    put_label(canvas, X_LABEL, (frame->left + frame->right) / 2, frame->bottom - 3.3 * canvas->em,
              name, room, ending, script);
    script->failed |= text.failed;
    ib_text_destroy(&text);
}

// A name that is longer than its panel is high stands in two lines, in a strip of 2.8 em from x on.
static void put_side_label(const ib_Canvas *canvas, const ib_Frame *frame, double x,
                           const char *name, const char *unit, ib_Text *script)
{
    ib_Text text = {0}, first = {0};
    const char *ending = put_ending(unit, &text);
    int all = room_for(canvas, frame->top - frame->bottom + 2 * canvas->em);
    int more = ib__text_width(ending);
    double middle = (frame->bottom + frame->top) / 2;
    size_t parted = ib__text_width(name) + more > all ? part_name(name, more) : 0;
    if (parted) {
        ib_text_add_n(&first, name, parted);
        put_label(canvas, Y_LABEL, x + 0.8 * canvas->em, middle, first.bytes ? first.bytes : "",
                  all, "", script);
        put_label(canvas, Y_LABEL_2, x + 2.0 * canvas->em, middle, name + parted, all - more,
                  ending, script);
    } else {
        put_label(canvas, Y_LABEL, x + 1.2 * canvas->em, middle, name, all - more, ending, script);
        ib_text_format(script, "unset label %d\n", Y_LABEL_2);
    }
    script->failed |= first.failed || text.failed;
    ib_text_destroy(&first);
    ib_text_destroy(&text);
}

void ib__script_y_label(const ib_Canvas *canvas, const ib_Frame *frame, const char *name,
                        const char *unit, ib_Text *script)
{
    if (name[0])
        put_side_label(canvas, frame, frame->left - canvas->left, name, unit, script);
    else
        ib_text_format(script, "unset label %d\nunset label %d\n", Y_LABEL, Y_LABEL_2);
}

void ib__script_scale_label(const ib_Canvas *canvas, const ib_Frame *frame, const char *name,
                            const char *unit, ib_Text *script)
{
    put_side_label(canvas, frame, canvas->width - 2.8 * canvas->em, name, unit, script);
}

void ib__script_begin(const ib_Plot *plot, ib_PlotFormat format, const ib_Canvas *canvas,
                      ib_Text *script)
{
    ib_text_add(script, "set encoding utf8\n");
    ib_text_format(script, "set terminal %s size %d,%d font 'sans-serif,%g' background '#ffffff'",
                   format == IB_PLOT_SVG ? "svg" : "pngcairo", canvas->width, canvas->height,
                   format == IB_PLOT_SVG ? canvas->em : 0.75 * canvas->em); // pngcairo: in points
    // pngcairo's points are about half as large as SVG's.
    ib_text_format(script, "%s rounded noenhanced\n",
                   format == IB_PLOT_SVG ? "" : " pointscale 1.8");
    ib_text_add(script, "set border 3 lw 1.2 lc rgb '#444444'\n" IB_TICKS_LOOK
                        "set grid back lt 1 lw 1 lc rgb '#dedede'\n"
                        "set format '%g'\n"
                        "set mxtics 1\nset mytics 1\n");
    if (plot->log_x) ib_text_add(script, "set logscale x\n");
    if (plot->log_y) ib_text_add(script, "set logscale y\n");
    if (plot->title[0]) {
        // As much of the title as fits; its letters are about 0.7 em wide at this size.
        int limit = (int)(canvas->width / (0.7 * canvas->em));
        ib_text_add(script, "set label 1 ");
        ib__script_quote(script, plot->title, limit);
        ib_text_format(script, " at screen 0.5, screen %.6f center font ',%g' front\n",
                       1 - 1.3 * canvas->em / canvas->height,
                       1.15 * (format == IB_PLOT_SVG ? canvas->em : 0.75 * canvas->em));
    }
    ib_text_add(script, "set multiplot\n");
}

void ib__script_frame(const ib_Canvas *canvas, const ib_Frame *frame, ib_Text *script)
{
    double w = canvas->width, h = canvas->height;
    ib_text_format(script, "set lmargin at screen %.6f\nset rmargin at screen %.6f\n",
                   frame->left / w, frame->right / w);
    ib_text_format(script, "set bmargin at screen %.6f\nset tmargin at screen %.6f\n",
                   frame->bottom / h, frame->top / h);
    if (frame->legend_rows == 0) {
        ib_text_add(script, "unset key\n");
        return;
    }
    double top = frame->top + (IB_LEGEND_ROW * frame->legend_rows + 0.2) * canvas->em;
    ib_text_format(script,
                   "set key at screen %.6f, screen %.6f left top Left reverse horizontal samplen 2 "
                   "spacing 1.0 maxcols %d maxrows %d\n",
                   frame->left / w, top / h, frame->legend_columns, frame->legend_rows);
}

bool ib__script_data(const ib_Plot *plot, const ib_PlotSeries *series, int index, double tolerance,
                     ib_Text *script)
{
    ib_ThinData data = {series->x, series->y, series->count, plot->log_x, plot->log_y};
    int *picks = malloc(2 * (size_t)plot->max_points * sizeof *picks);
    if (!picks) {
        script->failed = true;
        return false;
    }
    // A blank line breaks the curve.
    int count = ib_thin(&data, plot->max_points, picks);
    if (tolerance >= 0 && series->style == IB_PLOT_STEPS)
        count = ib_thin_steps(&data, tolerance, picks, count);
    else if (tolerance >= 0 && (series->style == IB_PLOT_LINE || series->style == IB_PLOT_AREA))
        count = ib_thin_lines(&data, tolerance, picks, count);
    ib_text_format(script, "$s%d << EOD\n", index);
    for (int i = 0; i < count; i++) {
        if (picks[i] == IB_THIN_GAP)
            ib_text_add(script, "\n");
        else
            ib_text_format(script, "%.10g %.10g\n", series->x[picks[i]], series->y[picks[i]]);
    }
    ib_text_add(script, "EOD\n");
    free(picks);
    return count > 0;
}

void ib__script_nothing(ib_Text *script)
{
    ib_text_add(script, "unset key\nunset logscale\nset xrange [0:1]\nset yrange [0:1]\n"
                        "set label 2 'no values to show' at graph 0.5, graph 0.5 center\n"
                        "plot NaN notitle\nunset label 2\n");
}
