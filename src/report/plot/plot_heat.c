// report/plot/plot_heat.c: a value for each pair of x and y, as colours.
//
// Cells, scale and legend are one plot as large as the picture; the axes are drawn over it. A row's
// neighbours of one colour are one rectangle, as pictures of many cells would be large otherwise.
#include "base/extreme.h"
#include "report/plot/drawable.h"
#include "report/plot/plot_layers.h"
#include "report/plot/plot_ruler.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    FEW = 12,    // cells along both axes up to which values stand in cells, and numbers of an axis
    LEVELS = 64, // of colour
    LEGEND = 10, // the number of the first `set label` of the legend
};

static const uint32_t no_value = 0xececec;

// ------------------------------------------------------------------------------------------- check

static ib_Status check_axis(const ib_PlotHeatAxis *axis, char name, ib_Error *error)
{
    if (axis->count < 1 || axis->count > IB_PLOT_MAX_CELLS)
        return ib_error_set(error, IB_BAD_INPUT,
                            "%d cells along %c of a heat map: expected 1 to %d", axis->count, name,
                            IB_PLOT_MAX_CELLS);
    if (!axis->numbers && !axis->words)
        return ib_error_set(error, IB_BAD_INPUT, "%c of a heat map has no values", name);
    for (int i = 0; axis->numbers && i < axis->count; i++) {
        const double *at = &axis->numbers[i];
        if (!ib__drawable(*at))
            return ib_error_set(error, IB_BAD_INPUT, "%g cannot be drawn along %c", *at, name);
        if (i > 0 && !(at[-1] < at[0]))
            return ib_error_set(error, IB_BAD_INPUT, "%c of a heat map must ascend: %g follows %g",
                                name, at[0], at[-1]);
    }
    return IB_OK;
}

ib_Status ib__heat_check(const ib_PlotHeat *heat, ib_Error *error)
{
    ib_Status status = check_axis(&heat->x, 'x', error);
    if (status == IB_OK) status = check_axis(&heat->y, 'y', error);
    if (status) return status;
    bool none = heat->best_column == -1 && heat->best_row == -1;
    bool inside = heat->best_column >= 0 && heat->best_column < heat->x.count &&
                  heat->best_row >= 0 && heat->best_row < heat->y.count;
    if (none || inside) return IB_OK;
    return ib_error_set(error, IB_BAD_INPUT, "a heat map of %d x %d cells has no cell %d, %d",
                        heat->x.count, heat->y.count, heat->best_column, heat->best_row);
}

// ----------------------------------------------------------------------------------------- colours

// A colour between two, channel by channel.
static uint32_t mix(uint32_t from, uint32_t to, double part)
{
    uint32_t colour = 0;
    for (int shift = 0; shift < 24; shift += 8) {
        double a = from >> shift & 0xff, b = to >> shift & 0xff;
        colour |= (uint32_t)lround(a + part * (b - a)) << shift;
    }
    return colour;
}

// Viridis of S. van der Walt and N. Smith (2015, CC0), nine of its 256 colours at even distances:
// its lightness rises evenly, for any kind of colour vision and in grey.
static uint32_t level_colour(int level)
{
    static const uint32_t viridis[] = {0x440154, 0x472d7b, 0x3b528b, 0x2c728e, 0x21918c,
                                       0x28ae80, 0x5ec962, 0xaddc30, 0xfde725};
    enum { PARTS = sizeof viridis / sizeof viridis[0] - 1 };
    double place = (double)PARTS * level / (LEVELS - 1);
    int part = place < PARTS ? (int)place : PARTS - 1;
    return mix(viridis[part], viridis[part + 1], place - part);
}

static uint32_t pale(uint32_t colour)
{
    return mix(colour, 0xffffff, 0.6);
}

// The readable one of black and white: relative luminance of 0.18 has one contrast to both (WCAG).
static uint32_t ink_on(uint32_t colour)
{
    static const double weight[] = {0.0722, 0.7152, 0.2126}; // of blue, green, red
    double luminance = 0;
    for (int i = 0; i < 3; i++) luminance += weight[i] * pow((colour >> 8 * i & 0xff) / 255.0, 2.2);
    return luminance > 0.18 ? 0x000000 : 0xffffff;
}

// ------------------------------------------------------------------------------------------- cells

static double value_at(const ib_PlotHeat *heat, int column, int row)
{
    double value = heat->values[row * heat->x.count + column];
    return ib__drawable(value) ? value : NAN;
}

static bool is_barred(const ib_PlotHeat *heat, int column, int row)
{
    return heat->barred && heat->barred[row * heat->x.count + column] &&
           !isnan(value_at(heat, column, row));
}

// The range of all values, or of those that are not barred, which may be of another size.
static ib_Range value_range(const ib_PlotHeat *heat, bool barred_too)
{
    ib_Range range = ib__range_empty();
    for (int row = 0; row < heat->y.count; row++)
        for (int column = 0; column < heat->x.count; column++)
            if (barred_too || !is_barred(heat, column, row))
                range = ib__range_with(range, value_at(heat, column, row));
    return range;
}

// The range that the colours span, and the distance of the scale's ticks.
static ib_Range colour_range(const ib_PlotHeat *heat, int ticks, double *step)
{
    ib_Range range = value_range(heat, false);
    if (!(range.low <= range.high)) range = value_range(heat, true);
    ib_Range padded = ib__range_pad(range, ticks, step);
    bool constant = !(range.high - range.low > 0.5 * (padded.high - padded.low));
    return constant ? padded : range;
}

// Barred values beyond the range have the colour of its end.
static uint32_t cell_colour(const ib_PlotHeat *heat, ib_Range range, int column, int row)
{
    double value = value_at(heat, column, row);
    if (isnan(value)) return no_value;
    double part = (value - range.low) / (range.high - range.low);
    uint32_t colour = level_colour((int)lround(ib_min(ib_max(part, 0), 1) * (LEVELS - 1)));
    return is_barred(heat, column, row) ? pale(colour) : colour;
}

// ------------------------------------------------------------------------------------------ values

// Decimals by which a hundredth of the range shows.
static int count_decimals(ib_Range range)
{
    double decimals = ceil(2 - log10(range.high - range.low));
    return (int)ib_min(ib_max(decimals, 0), 6);
}

// A value in its cell, if there is room; what is neither nothing nor noise is not shown as 0.
static void add_number_in(ib_Layers *layers, ib_Box box, double value, ib_Range range,
                          uint32_t colour, double em)
{
    enum { LONGEST = 8 };
    bool noise = fabs(value) <= 1e-6 * (range.high - range.low);
    char text[400];
    int decimals = count_decimals(range);
    int length = snprintf(text, sizeof text, "%.*f", decimals, value);
    if (length > LONGEST) length = snprintf(text, sizeof text, "%.3g", value);
    if (strtod(text, NULL) == 0) length = snprintf(text, sizeof text, noise ? "0" : "%.2g", value);
    if (box.right - box.left < (0.6 * length + 0.2) * em || box.top - box.bottom < 1.2 * em) return;
    ib_text_format(&layers->numbers, "%g %g \"%s\" 0x%06x\n", (box.left + box.right) / 2,
                   (box.bottom + box.top) / 2, text, (unsigned)ink_on(colour));
}

// A rectangle of one look.
static void add_cell(ib_Layers *layers, ib_Box box, uint32_t colour, bool barred, double em)
{
    double pitch = 0.6 * em;
    ib__layers_add_box(layers, box, colour);
    if (barred) ib__lines_add_hatching(&layers->barred, box, 1, pitch);
    for (int slope = -1; slope <= 1 && colour == no_value; slope += 2)
        ib__lines_add_hatching(&layers->empty, box, slope, pitch);
}

static void add_row(const ib_PlotHeat *heat, const ib_Ruler *x, const ib_Ruler *y, ib_Range range,
                    int row, double em, ib_Layers *layers)
{
    bool few = heat->x.count <= FEW && heat->y.count <= FEW;
    ib_Box box = {0, 0, ib__ruler_border(y, row), ib__ruler_border(y, row + 1)};
    for (int from = 0, to; from < heat->x.count; from = to) {
        uint32_t colour = cell_colour(heat, range, from, row);
        bool barred = is_barred(heat, from, row);
        for (to = from + 1; to < heat->x.count && cell_colour(heat, range, to, row) == colour &&
                            is_barred(heat, to, row) == barred;
             to++)
            continue;
        box.left = ib__ruler_border(x, from);
        box.right = ib__ruler_border(x, to);
        add_cell(layers, box, colour, barred, em);
        for (int column = from; few && column < to && colour != no_value; column++) {
            box.left = ib__ruler_border(x, column);
            box.right = ib__ruler_border(x, column + 1);
            add_number_in(layers, box, value_at(heat, column, row), range, colour, em);
        }
    }
}

// ------------------------------------------------------------------------------------------- scale

static ib_Box scale_box(const ib_Canvas *canvas, const ib_Frame *frame)
{
    double left = round(frame->right + 1.2 * canvas->em);
    return (ib_Box){left, left + round(1.2 * canvas->em), frame->bottom, frame->top};
}

static void add_scale(ib_Box box, ib_Layers *layers)
{
    double height = box.top - box.bottom;
    for (int i = 0; i < LEVELS; i++) {
        ib_Box part = {box.left, box.right, round(box.bottom + height * i / LEVELS),
                       round(box.bottom + height * (i + 1) / LEVELS)};
        ib__layers_add_box(layers, part, level_colour(i));
    }
}

static void script_scale(const ib_Plot *plot, const ib_Canvas *canvas, const ib_Frame *frame,
                         ib_Range range, double step, ib_Text *script)
{
    ib_Box box = scale_box(canvas, frame);
    ib_Frame own = {.left = box.left, .right = box.right, .bottom = box.bottom, .top = box.top};
    ib__script_frame(canvas, &own, script);
    ib_text_add(script, "unset label\nunset xtics\nunset ytics\n");
    ib__script_scale_label(canvas, &own, plot->heat->name, plot->heat->unit, script);
    ib_text_format(script, "set xrange [0:1]\nset y2range [%.10g:%.10g]\nset y2tics %.10g\n",
                   range.low, range.high, step);
    ib_text_add(script, "plot NaN axes x1y2 notitle\n");
}

// ------------------------------------------------------------------------------------------ legend

// The words of the legend's entry `index`, at `x`; returns the place of the next.
static double add_entry(const ib_Canvas *canvas, ib_Box *box, int index, double x,
                        const char *words, ib_Text *script)
{
    const int most = 40; // letters
    double em = canvas->em, middle = (box->bottom + box->top) / 2;
    box->left = round(x);
    box->right = round(x + 1.6 * em);
    ib_text_format(script, "set label %d ", LEGEND + index);
    ib__script_quote(script, words, most);
    ib_text_format(script, " at screen %.6f, screen %.6f left\n",
                   (box->right + 0.5 * em) / canvas->width, middle / canvas->height);
    int width = ib__text_width(words);
    return box->right + (2.2 + 0.6 * (width < most ? width : most)) * em;
}

static bool has_barred(const ib_PlotHeat *heat)
{
    for (int i = 0; i < heat->x.count * heat->y.count; i++)
        if (is_barred(heat, i % heat->x.count, i / heat->x.count)) return true;
    return false;
}

static bool has_empty(const ib_PlotHeat *heat)
{
    for (int i = 0; i < heat->x.count * heat->y.count; i++)
        if (isnan(value_at(heat, i % heat->x.count, i / heat->x.count))) return true;
    return false;
}

static void add_legend(const ib_PlotHeat *heat, const ib_Canvas *canvas, const ib_Frame *frame,
                       bool framed, ib_Layers *layers, ib_Text *script)
{
    double em = canvas->em, x = frame->left;
    ib_Box box = {.bottom = round(frame->top + 0.4 * em), .top = round(frame->top + 1.3 * em)};
    if (heat->best_column >= 0) {
        x = add_entry(canvas, &box, 0, x, "best", script);
        ib__layers_add_mark(layers, box, framed, em);
    }
    if (has_barred(heat)) {
        const char *words = heat->barred_name ? heat->barred_name : "not allowed";
        x = add_entry(canvas, &box, 1, x, words, script);
        add_cell(layers, box, pale(level_colour(LEVELS / 2)), true, em);
    }
    if (has_empty(heat)) {
        add_entry(canvas, &box, 2, x, "no value", script);
        add_cell(layers, box, no_value, false, em);
    }
}

// -------------------------------------------------------------------------------------------- axes

// The axes of the map, and what is on them.
typedef struct Axes {
    ib_Frame frame;
    ib_Ruler x, y;
    ib_Ticks x_ticks, y_ticks;
    ib_Names names; // of x
} Axes;

static int longest_word(const ib_PlotHeatAxis *axis)
{
    int longest = 0;
    for (int i = 0; !axis->numbers && i < axis->count; i++) {
        int width = ib__name_width(axis->words[i]);
        if (width > longest) longest = width;
    }
    return longest;
}

// Sizes and ticks; the words below x may be turned, and then the axes end higher.
static void make_axes(const ib_PlotHeat *heat, ib_Canvas *canvas, Axes *axes)
{
    enum { X_TICKS = 10 };
    double em = canvas->em;
    bool legend = heat->best_column >= 0 || has_barred(heat) || has_empty(heat);
    canvas->left = ib_max(canvas->left, (4 + 0.6 * longest_word(&heat->y)) * em);
    canvas->right = 9.6 * em;
    canvas->top += legend ? IB_LEGEND_ROW * em : 0;
    double left = round(canvas->left), right = round(canvas->width - canvas->right);
    axes->x = (ib_Ruler){&heat->x, left, ib_max(right, left + 2 * em)};
    ib__ruler_ticks(&axes->x, FEW, X_TICKS, &axes->x_ticks);
    axes->names = (ib_Names){.stride = 1, .depth = IB_NAMES_FLAT};
    double pitch = (axes->x.to - axes->x.from) / heat->x.count;
    if (heat->x.numbers)
        ib__ticks_thin(&axes->x_ticks, 0.5 * em, 0.6 * em);
    else
        axes->names = ib__names(axes->x_ticks.names, heat->x.count, pitch / em);
    canvas->bottom += (axes->names.depth - IB_NAMES_FLAT) * em;

    double bottom = round(canvas->bottom), top = round(canvas->height - canvas->top);
    axes->y = (ib_Ruler){&heat->y, ib_min(bottom, top - 2 * em), top};
    axes->frame = (ib_Frame){
        .left = axes->x.from, .right = axes->x.to, .bottom = axes->y.from, .top = axes->y.to};
    ib__ruler_ticks(&axes->y, FEW, ib__frame_ticks(canvas, &axes->frame), &axes->y_ticks);
    ib__ticks_thin(&axes->y_ticks, 1.3 * em, 0);
}

static void script_axes(const ib_PlotHeat *heat, const ib_Canvas *canvas, const Axes *axes,
                        ib_Text *script)
{
    const ib_Names beside = {.stride = 1}, *below = &axes->names;
    const ib_Ticks *x = &axes->x_ticks, *y = &axes->y_ticks;
    const ib_Frame *frame = &axes->frame;
    ib_Frame names = *frame;
    names.bottom -= (below->depth - IB_NAMES_FLAT) * canvas->em;
    ib__script_frame(canvas, frame, script);
    ib__script_x_label(canvas, &names, heat->x.name, heat->x.unit, script);
    ib__script_y_label(canvas, frame, heat->y.name, heat->y.unit, script);
    ib__script_names('x', x->names, x->places, x->count, below, script);
    ib__script_names('y', y->names, y->places, y->count, &beside, script);
    ib_text_format(script, "set xrange [%g:%g]\nset yrange [%g:%g]\n", frame->left, frame->right,
                   frame->bottom, frame->top);
}

ib_Status ib__plot_heat(const ib_Plot *plot, const ib_Canvas *canvas, ib_Text *script,
                        ib_Error *error)
{
    (void)error;
    const ib_PlotHeat *heat = plot->heat;
    ib_Canvas own = *canvas;
    Axes axes;
    make_axes(heat, &own, &axes);
    double step;
    ib_Range range = colour_range(heat, ib__frame_ticks(&own, &axes.frame), &step);
    ib_Range all = value_range(heat, true);
    if (!(all.low <= all.high)) {
        script_axes(heat, &own, &axes, script);
        ib__script_nothing(script);
        return IB_OK;
    }

    ib_Layers layers = {0};
    for (int row = 0; row < heat->y.count; row++)
        add_row(heat, &axes.x, &axes.y, range, row, own.em, &layers);
    add_scale(scale_box(&own, &axes.frame), &layers);
    bool framed = false;
    if (heat->best_column >= 0) {
        int column = heat->best_column, row = heat->best_row;
        ib_Box box = {ib__ruler_border(&axes.x, column), ib__ruler_border(&axes.x, column + 1),
                      ib__ruler_border(&axes.y, row), ib__ruler_border(&axes.y, row + 1)};
        framed = ib__box_is_large(box, own.em);
        ib__layers_add_mark(&layers, box, framed, own.em);
    }
    add_legend(heat, &own, &axes.frame, framed, &layers, script);
    ib__layers_script(&layers, &own, script);
    ib__layers_destroy(&layers);
    script_axes(heat, &own, &axes, script);
    ib_text_add(script, "plot NaN notitle\n");
    script_scale(plot, &own, &axes.frame, range, step, script);
    return IB_OK;
}
