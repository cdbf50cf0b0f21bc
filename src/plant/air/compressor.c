// plant/air/compressor.c: the table of a compressor, checked and cut into straight lines.
#include "plant/air/compressor.h"

#include "base/extreme.h"

#include <stdbool.h>

const ib_TableDef ib_compressor_delivery = {3, {"Pa", "m^3/s", "A"}, 2};

// ------------------------------------------------------------------------------------------- check

static ib_Status check_curve(const char *name, const ib_CompressorCurve *curve, ib_Error *error)
{
    const ib_Table *points = &curve->points;
    if (points->count < 2)
        return ib_error_set(error, IB_BAD_INPUT,
                            "compressor.%s.points: expected 2 rows or more, got %d", name,
                            points->count);
    for (int i = 0; i < points->count; i++)
        if (!(points->y[0][i] >= 0) || !(points->y[1][i] >= 0))
            return ib_error_set(error, IB_BAD_INPUT,
                                "compressor.%s.points: expected flow and current of 0 or more, got "
                                "%g m^3/s and %g A in row %d",
                                name, points->y[0][i], points->y[1][i], i + 1);
    return IB_OK;
}

ib_Status ib_compressor_check(const ib_CompressorConfig *config, ib_Error *error)
{
    ib_Status status = check_curve("low", &config->low, error);
    if (status == IB_OK && config->high.points.count > 0)
        status = check_curve("high", &config->high, error);
    if (status != IB_OK) return status;
    if (config->high.points.count > 0 && !(config->high.voltage > config->low.voltage))
        return ib_error_set(error, IB_BAD_INPUT,
                            "compressor.high.voltage: expected more than compressor.low.voltage "
                            "(%g V), got %g V",
                            config->low.voltage, config->high.voltage);
    if (!(config->cutoff <= config->low.voltage))
        return ib_error_set(error, IB_BAD_INPUT,
                            "compressor.cutoff: expected more than 0 V and at most "
                            "compressor.low.voltage (%g V), got %g V",
                            config->low.voltage, config->cutoff);
    return IB_OK;
}

// -------------------------------------------------------------------------------------------- init

// All pressures at which one of the curves has a corner, in order, each once.
static int merge_corners(const ib_Table *low, const ib_Table *high, double *x)
{
    int count = 0, i = 0, j = 0;
    while (i < low->count || j < high->count) {
        double a = i < low->count ? low->x[i] : INFINITY;
        double b = j < high->count ? high->x[j] : INFINITY;
        i += a <= b;
        j += b <= a;
        x[count++] = a < b ? a : b;
    }
    return count;
}

// The straight line of one column from `from` to `to`.
static void fit(const ib_Table *table, int column, double from, double to, double *value,
                double *slope)
{
    *value = ib_table_linear(table, column, from);
    *slope = to > from ? (ib_table_linear(table, column, to) - *value) / (to - from) : 0;
}

static double largest_flow(double most, const ib_Table *table)
{
    for (int i = 0; i < table->count; i++) most = ib_max(most, table->y[0][i]);
    return most;
}

void ib_compressor_init(const ib_CompressorConfig *config, ib_CompressorModel *compressor)
{
    const ib_Table *curve[2] = {&config->low.points, &config->high.points};
    bool single = curve[1]->count == 0;
    double x[2 * IB_TABLE_ROWS];
    IB_ASSERT(config->low.points.count >= 2);
    int corners = merge_corners(curve[0], curve[1], x);
    if (single) curve[1] = curve[0];

    *compressor = (ib_CompressorModel){
        .count = corners + 1,
        .low = config->low.voltage,
        .per_span = single ? 0 : 1 / (config->high.voltage - config->low.voltage),
        .knee = single ? config->cutoff : config->low.voltage,
        .cutoff = config->cutoff,
        .flow_most = largest_flow(largest_flow(0, curve[0]), curve[1]),
    };
    // Line 0 is level below the first corner, the last one level above the last corner.
    for (int i = 0; i < compressor->count; i++) {
        ib_CompressorLine *line = &compressor->line[i];
        double from = x[i > 0 ? i - 1 : 0], to = x[i < corners ? i : corners - 1];
        line->from = from;
        for (int k = 0; k < 2; k++) {
            fit(curve[k], 0, from, to, &line->flow[k], &line->flow_slope[k]);
            fit(curve[k], 1, from, to, &line->current[k], &line->current_slope[k]);
        }
        compressor->edge[i] = i > 0 ? from : -INFINITY;
    }
    compressor->edge[compressor->count] = INFINITY;
}
