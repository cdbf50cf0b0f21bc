// report/design/design_figure_plane.c: poles in the z-plane, and how a weight moves them.
//
// A motion with the frequency w and the damping d is sampled every T:
//   z = e^(s T),   s = w (-d + i sqrt(1 - d^2))
// so that d is a spiral into the origin and w a curve around z = 1: the grid to read poles by.
#include "base/extreme.h"
#include "linear/complex.h"
#include "report/design/design_figures.h"

#include <math.h>
#include <stdio.h>

enum { ARC = 181, GRIDS = 40, MOST = 4 * IB_STATES_MAX + IB_EIGEN_MAX };

static const double pi = 3.141592653589793;

// A part of the z-plane with its grid, and points in it.
typedef struct Plane {
    ib_Chart chart;
    double period;
    double grid_x[GRIDS][ARC], grid_y[GRIDS][ARC];
    char grid_name[GRIDS][24];
    int grids;
    double x[MOST], y[MOST]; ///< of the points
    int points;
} Plane;

// -------------------------------------------------------------------------------------------- grid

static bool is_inside(const ib_Chart *chart, double x, double y)
{
    double room = 0.03 * (chart->x_high - chart->x_low);
    return x > chart->x_low + room && x < chart->x_high - 3 * room && y > chart->y_low + room &&
           y < chart->y_high - room;
}

// True if a name of the grid is already near this place.
static bool is_taken(const ib_Chart *chart, double x, double y)
{
    double wide = chart->x_high - chart->x_low, high = chart->y_high - chart->y_low;
    for (int i = 0; i < chart->notes; i++)
        if (fabs(chart->note[i].x - x) < 0.09 * wide && fabs(chart->note[i].y - y) < 0.04 * high)
            return true;
    return false;
}

// Adds the curve in row `grids`, with its name at its highest point, if there is room.
static void add_grid(Plane *plane, const char *name)
{
    int row = plane->grids++, best = -1;
    const double *x = plane->grid_x[row], *y = plane->grid_y[row];
    snprintf(plane->grid_name[row], sizeof plane->grid_name[row], "%s", name);
    ib__chart_curve(
        &plane->chart,
        (ib_PlotSeries){.label = "", .x = x, .y = y, .count = ARC, .style = IB_PLOT_GRID});
    for (int i = 0; name[0] && i < ARC; i++)
        if (is_inside(&plane->chart, x[i], y[i]) && !is_taken(&plane->chart, x[i], y[i]) &&
            (best < 0 || y[i] > y[best]))
            best = i;
    if (best < 0) return;
    ib__chart_note(
        &plane->chart,
        (ib_PlotNote){.text = plane->grid_name[row], .x = x[best], .y = y[best], .quiet = true});
}

// Adds a curve of one damping, w from the Nyquist frequency down to 0; `turn` -1: the lower half.
static void add_damping(Plane *plane, double damping, int turn, const char *name)
{
    if (plane->grids == GRIDS) return;
    double swing = sqrt(1 - damping * damping);
    for (int i = 0; i < ARC; i++) {
        double w = pi * (ARC - 1 - i) / (ARC - 1) / ib_max(swing, 0.2);
        w *= (double)(ARC - 1 - i) / (ARC - 1); // closer together where they are slow
        if (w * swing > pi) w = pi / swing;
        double size = exp(-damping * w);
        plane->grid_x[plane->grids][i] = size * cos(w * swing);
        plane->grid_y[plane->grids][i] = turn * size * sin(w * swing);
    }
    add_grid(plane, name);
}

// Adds a curve of one frequency, damping from 1 (on the real axis) to 0 (on the circle).
static void add_frequency(Plane *plane, double hertz, int turn, const char *name)
{
    double w = 2 * pi * hertz * plane->period;
    if (plane->grids == GRIDS || w > pi) return;
    for (int i = 0; i < ARC; i++) {
        double angle = 0.5 * pi * i / (ARC - 1), size = exp(-w * cos(angle));
        plane->grid_x[plane->grids][i] = size * cos(w * sin(angle));
        plane->grid_y[plane->grids][i] = turn * size * sin(w * sin(angle));
    }
    add_grid(plane, name);
}

// Frequencies at 1, 2, 5, 10 … Hz that end at the circle within the picture and are not crowded.
static void add_frequencies(Plane *plane)
{
    static const double steps[] = {1, 2, 5};
    double width = plane->chart.x_high - plane->chart.x_low, last = 0;
    double most = ib_min(0.5 / plane->period, width / (2 * pi * plane->period) * 1.5);
    for (int k = 0; k < 36; k++) {
        double hertz = steps[k % 3] * pow(10, k / 3 - 6); // NOLINT: whole decades
        double reach = 2 * pi * hertz * plane->period;
        if (hertz > most || reach < 0.06 * width || reach < 1.6 * last) continue;
        char name[24];
        snprintf(name, sizeof name, "%g Hz", hertz);
        add_frequency(plane, hertz, 1, name);
        add_frequency(plane, hertz, -1, "");
        last = reach;
    }
}

static void add_scale(Plane *plane)
{
    static const double dampings[] = {0, 0.2, 0.4, 0.6, 0.8};
    ib__chart_fill(&plane->chart);
    for (int k = 0; k < 5; k++) {
        char name[24] = "";
        if (k) snprintf(name, sizeof name, "damping %g", dampings[k]);
        add_damping(plane, dampings[k], 1, name);
        add_damping(plane, dampings[k], -1, "");
    }
    add_frequencies(plane);
}

// ------------------------------------------------------------------------------------------ points

static void add_poles(Plane *plane, int count, const ib_Complex *poles, ib_PlotStyle style,
                      int colour, const char *label)
{
    int first = plane->points;
    if (count == 0 || first + count > MOST) return;
    for (int i = 0; i < count; i++) {
        plane->x[first + i] = poles[i].re;
        plane->y[first + i] = poles[i].im;
    }
    plane->points += count;
    ib__chart_curve(&plane->chart, (ib_PlotSeries){.label = label,
                                                   .x = plane->x + first,
                                                   .y = plane->y + first,
                                                   .count = count,
                                                   .style = style,
                                                   .colour = colour});
}

// The rectangle in which a picture shows all of these, at least 0.02 wide,
// twice as wide as high at most.
static void frame_poles(ib_Chart *chart, int count, const double *x, const double *y)
{
    double low = INFINITY, high = -INFINITY, up = 0;
    for (int i = 0; i < count; i++) {
        low = ib_min(low, x[i]);
        high = ib_max(high, x[i]);
        up = ib_max(up, fabs(y[i]));
    }
    double wide = ib_max(ib_max(high - low, 0.02), up), middle = 0.5 * (low + high);
    double half = ib_max(0.65 * wide, 0.5 * (high - low) + 0.15 * wide);
    chart->x_low = middle - half;
    chart->x_high = middle + half;
    chart->y_high = ib_max(1.3 * up, 0.5 * half);
    chart->y_low = -chart->y_high;
}

static Plane empty_plane(const char *title, double period)
{
    Plane plane = {.period = period};
    plane.chart = (ib_Chart){.title = title,
                             .x_name = "real part of z",
                             .equal = true,
                             .x_low = -1.15,
                             .x_high = 1.15,
                             .y_low = -1.1,
                             .y_high = 1.1};
    ib__chart_panel(&plane.chart, "imaginary part of z", NULL);
    return plane;
}

// Poles of plant, filter and closed loop, and the zeros of the plant.
static void add_all(const ib_DesignGear *gear, Plane *plane)
{
    const ib_Design *design = &gear->design;
    add_poles(plane, design->plant.states, design->plant_poles, IB_PLOT_CROSSES, 0, "plant");
    add_poles(plane, design->zero_count, design->plant_zeros, IB_PLOT_CIRCLES, 0,
              "zeros of the plant");
    add_poles(plane, design->kalman ? design->estimator.states : 0, design->kalman_poles,
              IB_PLOT_CROSSES, 2, "Kalman filter");
    add_poles(plane, design->delayed_count, design->delayed_poles, IB_PLOT_CROSSES, 4,
              "closed loop with its latency");
    add_poles(plane, design->pole_count, design->poles, IB_PLOT_CROSSES, 1,
              design->delayed_count ? "closed loop, designed for" : "closed loop");
}

// Draws the plane as it stands; the figures' pointers are into it.
void ib__design_poles(const ib_DesignGear *gear, ib_Text *html)
{
    double period = gear->config.period;
    Plane plane = empty_plane("Poles and zeros", period);
    add_all(gear, &plane);
    for (int i = 0; i < plane.points; i++) { // points outside widen the picture, to a limit
        double size = ib_min(1.1 * ib_max(fabs(plane.x[i]), fabs(plane.y[i])), 4);
        if (size <= 1.1) continue;
        plane.chart.x_high = plane.chart.y_high = ib_max(plane.chart.x_high, size);
        plane.chart.x_low = plane.chart.y_low = ib_min(plane.chart.x_low, -size);
    }
    add_scale(&plane);
    ib__chart_draw(&plane.chart,
                   "Each cross is a motion: z is what is left of it after one period. Inside of "
                   "the circle it dies out, the faster the nearer to 0; on the real axis it does "
                   "not swing. Grey: curves of equal damping and of equal frequency.",
                   html);

    Plane close = empty_plane("Poles and zeros, close up", period);
    int near = 1;
    double x[MOST + 1] = {1}, y[MOST + 1] = {0}; // z = 1 itself is always in it
    for (int i = 0; i < plane.points; i++) {
        if (hypot(plane.x[i] - 1, plane.y[i]) > 0.45) continue;
        x[near] = plane.x[i];
        y[near++] = plane.y[i];
    }
    if (near < 3) return;
    frame_poles(&close.chart, near, x, y);
    if (close.chart.x_high - close.chart.x_low > 0.8) return;
    add_all(gear, &close);
    add_scale(&close);
    ib__chart_draw(&close.chart,
                   "The same near z = 1, where the slow motions are: those that one sees.", html);
}

// ------------------------------------------------------------------------------------------- locus

typedef struct Locus {
    Plane plane;
    double x[2][IB_SWEEP_POINTS * IB_STATES_MAX], y[2][IB_SWEEP_POINTS * IB_STATES_MAX];
    int count[2]; ///< of looser and of tighter tolerances
} Locus;

static void add_locus(Locus *locus, const ib_WeightSweep *sweep)
{
    for (int i = 0; i < IB_SWEEP_POINTS; i++) {
        int half = i > IB_SWEEP_POINTS / 2;
        for (int k = 0; sweep->found[i] && k < sweep->poles; k++) {
            locus->x[half][locus->count[half]] = sweep->pole[i][k].re;
            locus->y[half][locus->count[half]++] = sweep->pole[i][k].im;
        }
    }
}

void ib__design_locus(const ib_DesignGear *gear, const ib_WeightSweep *sweep, ib_Text *html)
{
    static const char *const labels[] = {"looser", "tighter"};
    char title[120], caption[400];
    snprintf(title, sizeof title, "Root locus over the tolerance of %s", sweep->name);
    Locus locus = {.plane = empty_plane(title, gear->config.period)};
    ib_Chart *chart = &locus.plane.chart;
    add_locus(&locus, sweep);
    double x[2 * IB_SWEEP_POINTS * IB_STATES_MAX], y[2 * IB_SWEEP_POINTS * IB_STATES_MAX];
    int all = 0;
    for (int half = 0; half < 2; half++)
        for (int i = 0; i < locus.count[half]; i++) {
            x[all] = locus.x[half][i];
            y[all++] = locus.y[half][i];
        }
    frame_poles(chart, all, x, y);
    for (int half = 0; half < 2; half++)
        ib__chart_curve(chart, (ib_PlotSeries){.label = labels[half],
                                               .x = locus.x[half],
                                               .y = locus.y[half],
                                               .count = locus.count[half],
                                               .style = IB_PLOT_SPECKS,
                                               .colour = half ? 2 : 6});
    add_poles(&locus.plane, gear->design.pole_count, gear->design.poles, IB_PLOT_CROSSES, 7,
              "as designed");
    add_scale(&locus.plane);
    const char *unit = sweep->unit ? sweep->unit : "", *space = unit[0] ? " " : "";
    snprintf(caption, sizeof caption,
             "Where the poles of the closed loop go when the tolerance of %s goes from %.3g%s%s to "
             "%.3g%s%s: its weight from a thousandth to a thousand times the one in the file. All "
             "other weights stay.",
             sweep->name, sweep->tolerance[0], space, unit, sweep->tolerance[IB_SWEEP_POINTS - 1],
             space, unit);
    ib__chart_draw(chart, caption, html);
}
