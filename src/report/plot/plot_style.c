// report/plot/plot_style.c: the colour and the dashes of a series.
#include "report/plot/plot_script.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The palette of Okabe and Ito (2008), which are distinct for any kind of colour vision, without
// its yellow, which is too pale for a line on white.
static const char *const palette[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                      "#e69f00", "#56b4e9", "#000000"};
enum { COLOURS = IB_PLOT_COLOURS, DASH_TYPES = 5 };
_Static_assert(sizeof palette / sizeof palette[0] == COLOURS, "each place has its colour");

const char *ib__colour(int n)
{
    return palette[(n - 1) % COLOURS];
}

// True if two colours look alike. Red, green and blue count 0 to 255; the colours of robots' names
// (base/geometry.h) are 18 to 94 away from similar ones here, and 100 from the rest.
static bool alike(uint32_t a, uint32_t b)
{
    int square = 0;
    for (int shift = 0; shift < 24; shift += 8) {
        int difference = (int)(a >> shift & 0xff) - (int)(b >> shift & 0xff);
        square += difference * difference;
    }
    return square < 97 * 97;
}

bool ib__colour_is_near(const ib_PlotSeries *series, int n)
{
    return series->named && alike(series->rgb, (uint32_t)strtoul(ib__colour(n) + 1, NULL, 16));
}

// The palette's place for series number `rank` of those without a name: those first that look like
// none of the names in the plot.
static int place_of(const ib_Plot *plot, int rank)
{
    int order[COLOURS], count = 0;
    for (int near = 0; near < 2; near++)
        for (int n = 1; n <= COLOURS; n++) {
            bool taken = false;
            for (int i = 0; i < plot->series_count; i++)
                taken |= ib__colour_is_near(&plot->series[i], n);
            if (taken == near) order[count++] = n;
        }
    return order[rank % COLOURS];
}

// Series before this one that would look like it: of one name and one unit, which share a panel.
static int count_namesakes(const ib_Plot *plot, int index)
{
    const ib_PlotSeries *own = &plot->series[index];
    int count = 0;
    for (int i = 0; i < index; i++) {
        const ib_PlotSeries *other = &plot->series[i];
        count += other->named && other->rgb == own->rgb && strcmp(other->unit, own->unit) == 0;
    }
    return count;
}

ib_SeriesStyle ib__series_style(const ib_Plot *plot, int index)
{
    const ib_PlotSeries *series = &plot->series[index];
    if (series->like > 0) return ib__series_style(plot, series->like - 1);
    if (series->colour == IB_PLOT_GREY) return (ib_SeriesStyle){"#777777", 1};
    ib_SeriesStyle look;
    if (series->named && series->colour == 0) {
        snprintf(look.colour, sizeof look.colour, "#%06x", (unsigned)series->rgb & 0xffffff);
        look.dashes = 1 + count_namesakes(plot, index) % DASH_TYPES;
        return look;
    }
    int rank = series->colour - 1, place = series->colour;
    if (series->colour == 0) {
        rank = 0;
        for (int i = 0; i < index; i++)
            rank += plot->series[i].colour == 0 && !plot->series[i].named;
        place = place_of(plot, rank);
    }
    snprintf(look.colour, sizeof look.colour, "%s", ib__colour(place));
    look.dashes = 1 + rank / COLOURS % DASH_TYPES;
    return look;
}
