#include "study/sweep/sweep_table.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { CELL = 160, COLUMNS = 2 * IB_SWEEP_MAX_MEASURES + IB_SWEEP_MAX_AXES + 2 };

enum { MOST_SEEDS = 40 }; ///< rows that a person reads of seeds alone

typedef enum Part { HEAD = -1, MEAN = -2, SPREAD = -3, LEAST = -4, LARGEST = -5 } Part;

typedef struct Table {
    const ib_Sweep *sweep;
    const ib_SweepPoints *points;
    const ib_SweepBest *best;
    bool single;  ///< a row is one run, not all seeds of a point
    int64_t rows; ///< shown,
    int64_t all;  ///< of so many
    int margins;  ///< expectations that have a column
    int columns;
    int width[COLUMNS];
} Table;

void ib_sweep_number(const ib_SweepColumn *column, double value, bool difference,
                     char text[IB_SIGNAL_NUMBER])
{
    ib_ShownUnit shown = column->shown;
    if (difference) shown.offset = 0;
    ib_signal_number(&shown, value, fabs(value), text);
}

const char *ib_sweep_unit(const ib_SweepColumn *column, char text[64])
{
    const char *unit = ib_signal_unit(&column->shown);
    snprintf(text, 64, unit[0] ? " %s" : "%s", unit);
    return text;
}

// ------------------------------------------------------------------------------------------- cells

// The point, or the run, of a row.
static int64_t index_of(const Table *table, int64_t row)
{
    bool sorted = table->best && table->sweep->plan.axis_count > 0;
    return sorted ? table->best->order[row] : row;
}

// Means and extremes are over the rows of a table of seeds.
static void statistic_cell(const Table *table, Part part, int column, char text[CELL])
{
    static const char *const names[] = {"mean", "sd", "min", "max"};
    char number[IB_SIGNAL_NUMBER];
    if (column < 0) {
        snprintf(text, CELL, "%s", names[MEAN - part]);
        return;
    }
    ib_SweepStatistics s = ib_sweep_points_statistics(table->points, 0, column);
    double value = part == MEAN ? s.mean : part == LEAST ? s.min : s.max;
    if (part == SPREAD) value = s.count > 1 ? s.deviation : NAN;
    bool margin = column < table->sweep->expectation_count;
    ib_sweep_number(&table->sweep->columns[column], value, margin || part == SPREAD, number);
    snprintf(text, CELL, margin ? "%s " : "%s", number);
}

static void value_cell(const Table *table, int64_t row, int column, char text[CELL])
{
    const ib_SweepPoints *points = table->points;
    const ib_SweepColumn *c = &table->sweep->columns[column];
    char number[IB_SIGNAL_NUMBER], spread[IB_SIGNAL_NUMBER];
    int64_t at = index_of(table, row);
    if (table->single) {
        ib_sweep_number(c, points->values[at * points->columns + column], false, text);
        return;
    }
    ib_SweepStatistics s = ib_sweep_points_statistics(points, at, column);
    ib_sweep_number(c, s.mean, false, number);
    ib_sweep_number(c, s.deviation, true, spread);
    snprintf(text, CELL, s.count > 1 ? "%s +- %s" : "%s", number, spread);
}

// The smallest margin of a row.
static void margin_cell(const Table *table, int64_t row, int column, char text[CELL])
{
    const ib_SweepPoints *points = table->points;
    char number[IB_SIGNAL_NUMBER];
    int64_t at = index_of(table, row);
    double least = table->single ? points->values[at * points->columns + column]
                                 : ib_sweep_points_statistics(points, at, column).min;
    ib_sweep_number(&table->sweep->columns[column], least, true, number);
    snprintf(text, CELL, "%s%c", number, least < 0 ? '!' : ' ');
}

static void failed_cell(const Table *table, int64_t row, char text[CELL])
{
    const ib_SweepPoints *points = table->points;
    int64_t at = index_of(table, row);
    if (!table->single && points->seeds > 1)
        snprintf(text, CELL, "%" PRId64 " of %" PRId64, ib_sweep_points_failed(points, at),
                 points->seeds);
    else if (points->failed[at] < 0)
        snprintf(text, CELL, "broke off");
    else
        snprintf(text, CELL, "%d", points->failed[at]);
}

static void axis_cell(const Table *table, int64_t row, int column, char text[CELL])
{
    const ib_SweepPlan *plan = &table->sweep->plan;
    const char *values[IB_SWEEP_MAX_AXES];
    uint64_t seed;
    int64_t at = row < 0 ? 0 : index_of(table, row);
    ib_sweep_values(table->sweep, table->single ? at : at * plan->seed_count, values, &seed);
    if (column < plan->axis_count)
        snprintf(text, CELL, "%s", row < 0 ? plan->axes[column].path : values[column]);
    else if (row < 0)
        snprintf(text, CELL, "seed");
    else
        snprintf(text, CELL, "%" PRIu64, seed);
}

static void head_cell(const Table *table, int column, char text[CELL])
{
    const char *unit = ib_signal_unit(&table->sweep->columns[column].shown);
    const char *name = table->sweep->columns[column].name;
    bool headline = !table->sweep->asked && strncmp(name, "final ", 6) == 0; // the title says it
    if (column < table->margins)
        snprintf(text, CELL, unit[0] ? "[%d] %s " : "[%d] ", column + 1, unit);
    else
        snprintf(text, CELL, unit[0] ? "%s [%s]" : "%s", name + (headline ? 6 : 0), unit);
}

// Columns: axes, the seed of a run, measures, margins, and what failed.
static void make_cell(const Table *table, int64_t row, int place, char text[CELL])
{
    const ib_SweepPlan *plan = &table->sweep->plan;
    int axes = plan->axis_count + (table->single && plan->has_seeds),
        measures = plan->measure_count;
    int column = place - axes < measures ? ib_sweep_column(table->sweep, place - axes)
                                         : place - axes - measures;
    bool failed = place - axes == measures + table->margins;
    text[0] = '\0';
    if (row < HEAD) {
        if (!failed) statistic_cell(table, (Part)row, place < axes ? -1 : column, text);
    } else if (place < axes) {
        axis_cell(table, row, place, text);
    } else if (failed) {
        if (row < 0)
            snprintf(text, CELL, "failed");
        else
            failed_cell(table, row, text);
    } else if (row < 0) {
        head_cell(table, column, text);
    } else if (column < table->margins) {
        margin_cell(table, row, column, text);
    } else {
        value_cell(table, row, column, text);
    }
}

// ------------------------------------------------------------------------------------------- table

// Rows of statistics come last: they are below 0, as the heading is.
static int64_t first_row(const Table *table)
{
    return table->sweep->plan.axis_count == 0 && table->all > 1 ? LARGEST : HEAD;
}

// Measures the cells of a row; with a file, prints them, without blanks at the end.
static void print_row(Table *table, int64_t row, FILE *file)
{
    char text[CELL];
    int blanks = 0; // not printed yet
    for (int k = 0; k < table->columns; k++) {
        make_cell(table, row, k, text);
        int length = (int)strlen(text), room = table->width[k] - length;
        if (!file && room < 0) table->width[k] = length;
        if (!file) continue;
        while (length > 0 && text[length - 1] == ' ') length--;
        int after = (int)strlen(text) - length + (k + 1 < table->columns ? 2 : 0);
        bool left = k < table->sweep->plan.axis_count;
        if (length > 0) fprintf(file, "%*s%.*s", blanks + (left ? 0 : room), "", length, text);
        blanks = length > 0 ? after + (left ? room : 0) : blanks + after + room;
    }
    if (file) fputc('\n', file);
}

static void print_rows(Table *table, FILE *file)
{
    print_row(table, HEAD, file);
    for (int64_t row = 0; row < table->rows; row++) print_row(table, row, file);
    for (int64_t row = MEAN; row >= first_row(table); row--) print_row(table, row, file);
}

void ib_sweep_table(const ib_Sweep *sweep, const ib_SweepPoints *points, const ib_SweepBest *best,
                    int64_t most, FILE *file)
{
    const ib_SweepPlan *plan = &sweep->plan;
    Table table = {.sweep = sweep, .points = points, .best = best};
    table.single = points->seeds == 1 || plan->axis_count == 0;
    table.all = table.single ? points->count : ib_sweep_points_count(points);
    bool seeds = plan->axis_count == 0;
    if (seeds) most = MOST_SEEDS;
    table.rows = table.all <= most ? table.all : seeds ? 0 : most;
    table.margins = sweep->expectation_count < IB_SWEEP_MAX_MEASURES ? sweep->expectation_count
                                                                     : IB_SWEEP_MAX_MEASURES;
    table.columns = plan->axis_count + (table.single && plan->has_seeds) + plan->measure_count +
                    table.margins + (sweep->expectation_count > 0);
    print_rows(&table, NULL);
    print_rows(&table, file);
    if (table.rows < table.all)
        fprintf(file, "%" PRId64 "%s row%s: --csv FILE has all\n", table.all - table.rows,
                table.rows ? " more" : "", table.all - table.rows == 1 ? "" : "s");
    if (points->lost)
        fprintf(file, "runs behind number %" PRId64 " are not shown\n", points->count);
    fputc('\n', file);
}
