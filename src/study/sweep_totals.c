#include "study/sweep_totals.h"

#include <math.h>
#include <string.h>

// The sums of one signal so far.
typedef struct ib__SweepSum {
    int64_t count;
    double mean, squares, min, max;
} Sum;

bool ib_sweep_totals_init(ib_SweepTotals *totals, ib_SweepShape shape)
{
    *totals = (ib_SweepTotals){.shape = shape};
    totals->sums = ib_arena_array(&totals->arena, (size_t)shape.signals, sizeof(Sum));
    totals->failures =
        ib_arena_array(&totals->arena, (size_t)shape.expectations, sizeof *totals->failures);
    for (int i = 0; totals->sums && i < shape.signals; i++)
        totals->sums[i] = (Sum){.min = NAN, .max = NAN};
    return totals->sums && totals->failures;
}

void ib_sweep_totals_destroy(ib_SweepTotals *totals)
{
    ib_arena_reset(&totals->arena);
}

// Welford: the mean and the sum of squared distances from it, run by run in the order of the list.
static void add_value(Sum *sum, double value)
{
    double distance = value - sum->mean;
    if (isnan(value)) return;
    sum->count++;
    sum->mean += distance / (double)sum->count;
    sum->squares += distance * (value - sum->mean);
    if (!(sum->min <= value)) sum->min = value;
    if (!(sum->max >= value)) sum->max = value;
}

// Without memory for its text a warning counts as one without room.
static void add_warnings(ib_SweepTotals *totals, int64_t index, const char *lines)
{
    bool lost = false;
    for (const char *line = lines; line && *line;) {
        size_t length = strcspn(line, "\n");
        int i = 0, count = totals->warning_count;
        while (i < count && (strncmp(totals->warnings[i].text, line, length) != 0 ||
                             totals->warnings[i].text[length] != '\0'))
            i++;
        if (i == count && count < IB_SWEEP_TOLD) {
            const char *text = ib_arena_text_n(&totals->arena, line, length);
            if (text) totals->warnings[totals->warning_count++] = (ib_SweepTold){text, index, 0};
        }
        if (i < totals->warning_count) totals->warnings[i].count++;
        lost |= i == totals->warning_count;
        line += length + (line[length] == '\n');
    }
    totals->warned += lost;
}

void ib_sweep_totals_add(ib_SweepTotals *totals, int64_t index, const ib_SweepResult *result)
{
    totals->made++;
    totals->begun += result->status != IB_BAD_INPUT;
    if (result->error && totals->error_count++ < IB_SWEEP_TOLD) {
        const char *text = ib_arena_text(&totals->arena, result->error);
        totals->errors[totals->error_count - 1] = (ib_SweepTold){text ? text : "", index, 1};
    }
    add_warnings(totals, index, result->warnings);
    if (result->status != IB_OK) return;
    totals->ended++;
    for (int i = 0; i < totals->shape.signals; i++) add_value(&totals->sums[i], result->final[i]);
    for (int i = 0; i < totals->shape.expectations; i++) {
        if (result->passed[i]) continue;
        if (totals->failures[i].count++ == 0) totals->failures[i].first = index;
    }
}

ib_SweepStatistics ib_sweep_statistics(const ib_SweepTotals *totals, int signal)
{
    const Sum *sum = &totals->sums[signal];
    double spread = sum->count > 1 ? sqrt(sum->squares / (double)(sum->count - 1)) : 0;
    return (ib_SweepStatistics){.count = sum->count,
                                .mean = sum->count ? sum->mean : NAN,
                                .deviation = spread,
                                .min = sum->min,
                                .max = sum->max};
}

bool ib_sweep_totals_broken(const ib_SweepTotals *totals)
{
    for (int i = 0; i < totals->shape.expectations; i++)
        if (totals->failures[i].count > 0) return true;
    return false;
}
