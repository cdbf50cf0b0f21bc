// report/plot/plot_frame.c: the size of the picture, and the place of each panel in it.
#include "base/extreme.h"
#include "report/plot/plot_script.h"

#include <math.h>

enum { LEGEND_CHARACTERS = 48 };

// ------------------------------------------------------------------------------------------- sizes

// Panels stand in rows, from left to right.
typedef struct Place {
    int row, column, span;
} Place;

static int columns_of(const ib_Plot *plot)
{
    return plot->panels && plot->columns > 1 ? plot->columns : 1;
}

static Place place_of(const ib_Plot *plot, int index)
{
    Place place = {0};
    for (int i = 0; i <= index; i++) {
        place.column += place.span;
        place.span = plot->panels && plot->panels[i].span > 1 ? plot->panels[i].span : 1;
        if (place.column + place.span <= columns_of(plot)) continue;
        place.column = 0;
        place.row++;
    }
    return place;
}

bool ib__plot_has_own_x(const ib_Plot *plot)
{
    return plot->panels && plot->panels[0].x_name;
}

ib_Canvas ib__canvas(const ib_Plot *plot, int panels)
{
    enum { WIDTH = 1280, ONE_PANEL = 720, MORE = 300, FRAME = 160 };
    int rows = panels > 0 ? place_of(plot, panels - 1).row + 1 : 0;
    ib_Canvas canvas = {.width = plot->width ? plot->width : WIDTH};
    canvas.height = plot->height                       ? plot->height
                    : plot->kind == IB_PLOT_TRAJECTORY ? ib__trajectory_height(plot, canvas.width)
                    : rows <= 1                        ? ONE_PANEL
                                                       : FRAME + MORE * rows;
    // 20 pixels on 1280: legible from the last row of a class.
    canvas.em = ib_min(ib_max(floor(canvas.width / 64.0), 13), 40);
    // Room for two lines of a label, and for 0.999995 or 1e-06 beside them.
    canvas.left = 8.4 * canvas.em;
    canvas.right = 1.6 * canvas.em;
    canvas.top = (plot->title[0] ? 2.6 : 1.0) * canvas.em;
    canvas.bottom = 4.2 * canvas.em;
    canvas.names = IB_NAMES_FLAT;
    return canvas;
}

static void legend_size(const ib_Plot *plot, const ib_Canvas *canvas, const ib_Panel *panel,
                        ib_Frame *frame)
{
    frame->legend_columns = 1;
    frame->legend_rows = 0;
    int longest = 1, count = 0;
    bool points = false;
    for (int i = 0; i < panel->count; i++) {
        const ib_PlotSeries *series = &plot->series[panel->series[i]];
        int width = ib__text_width(series->label);
        if (width > longest) longest = width;
        if (!width) continue;
        points |= count++ == 0 && series->style == IB_PLOT_POINTS;
    }
    bool alone = count < 2 && !points;
    bool spared = alone && plot->kind != IB_PLOT_SPECTRUM && !ib__plot_has_own_x(plot);
    if (plot->kind == IB_PLOT_BOX || spared || count == 0) return;
    if (longest > LEGEND_CHARACTERS) longest = LEGEND_CHARACTERS;
    // gnuplot takes a little more room for a label than is reckoned with; figures have long ones.
    double entry = (0.62 * longest + (panel->given ? 6.4 : 4.5)) * canvas->em;
    int columns = (int)((frame->right - frame->left) / entry);
    frame->legend_columns = columns < 1 ? 1 : columns > count ? count : columns;
    frame->legend_rows = (count + frame->legend_columns - 1) / frame->legend_columns;
}

// Room before a column: for the numbers of y, and where there are any for its names.
static double gap_before(const ib_Plot *plot, const ib_Canvas *canvas, int column)
{
    for (int i = 0; i < plot->panel_count; i++)
        if (place_of(plot, i).column == column && plot->panels[i].name[0]) return canvas->left;
    return 5.4 * canvas->em;
}

static void set_sides(const ib_Plot *plot, const ib_Canvas *canvas, int index, ib_Frame *frame)
{
    Place place = place_of(plot, index);
    int columns = columns_of(plot);
    double gaps = 0, left = 0, right = 0; // all of them, and those before the panel and its end
    for (int column = 1; column < columns; column++) {
        gaps += gap_before(plot, canvas, column);
        if (column <= place.column) left = gaps;
        if (column < place.column + place.span) right = gaps;
    }
    double width = (canvas->width - canvas->left - canvas->right - gaps) / columns;
    frame->left = canvas->left + place.column * width + left;
    frame->right = canvas->left + (place.column + place.span) * width + right;
}

// Between one row and the next: what is below the axes.
static double gap_below(const ib_Plot *plot, const ib_Canvas *canvas)
{
    if (ib__plot_has_own_x(plot)) return canvas->names + 3.2;
    return plot->kind == IB_PLOT_HISTOGRAM ? 4.6
           : plot->kind == IB_PLOT_BOX     ? canvas->names + 1.2
                                           : 1.2;
}

ib_Names ib__words(const ib_PlotPanel *panel, const ib_Canvas *canvas, const ib_Frame *frame)
{
    double places = panel->x_word_count - 1 + 2 * IB_BESIDE_WORDS;
    return ib__names(panel->x_words, panel->x_word_count,
                     (frame->right - frame->left) / places / canvas->em);
}

// What the panels of each row have above and below their axes.
typedef struct Rows {
    int count, legends[IB_PLOT_MAX_PANELS]; ///< lines
    double words[IB_PLOT_MAX_PANELS];       ///< depth of turned words beyond flat names [em]
} Rows;

static Rows find_rows(const ib_Plot *plot, const ib_Canvas *canvas, const ib_Panels *panels)
{
    Rows rows = {0};
    for (int i = 0; i < panels->count; i++) {
        ib_Frame frame = {0};
        const ib_PlotPanel *given = panels->items[i].given;
        int row = place_of(plot, i).row;
        rows.count = row + 1;
        set_sides(plot, canvas, i, &frame);
        legend_size(plot, canvas, &panels->items[i], &frame);
        if (frame.legend_rows > rows.legends[row]) rows.legends[row] = frame.legend_rows;
        if (!given || !given->x_words) continue;
        double depth = ib__words(given, canvas, &frame).depth - IB_NAMES_FLAT;
        rows.words[row] = ib_max(rows.words[row], depth);
    }
    return rows;
}

void ib__words_room(const ib_Plot *plot, const ib_Panels *panels, ib_Canvas *canvas)
{
    Rows rows = find_rows(plot, canvas, panels);
    for (int row = 0; row < rows.count && !plot->height; row++)
        canvas->height += (int)(rows.words[row] * canvas->em);
}

ib_Frame ib__frame(const ib_Plot *plot, const ib_Canvas *canvas, const ib_Panels *panels, int index)
{
    // Every panel gets the same height for its axes; legends and gaps are taken off first.
    const double em = canvas->em, gap = gap_below(plot, canvas) * em;
    Rows rows = find_rows(plot, canvas, panels);
    int own = place_of(plot, index).row, legends_above = 0, legends = 0;
    double words_above = 0, words = 0;
    for (int row = 0; row < rows.count; row++) {
        if (row == own) words_above = words;
        legends += rows.legends[row];
        words += rows.words[row];
        if (row == own) legends_above = legends;
    }
    double room = canvas->height - canvas->top - canvas->bottom - gap * (rows.count - 1);
    double height = ib_max((room - (legends * IB_LEGEND_ROW + words) * em) / rows.count, 2 * em);
    ib_Frame frame = {.words = rows.words[own]};
    set_sides(plot, canvas, index, &frame);
    legend_size(plot, canvas, &panels->items[index], &frame);
    frame.top = canvas->height - canvas->top - own * (height + gap) -
                (legends_above * IB_LEGEND_ROW + words_above) * em;
    frame.bottom = frame.top - height;
    return frame;
}

int ib__frame_ticks(const ib_Canvas *canvas, const ib_Frame *frame)
{
    int ticks = (int)((frame->top - frame->bottom) / (2.6 * canvas->em));
    return ticks < 3 ? 3 : ticks > 8 ? 8 : ticks;
}
