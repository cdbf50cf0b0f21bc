#include "study/sweep/sweep_totals.h"

#include <string.h>

bool ib_sweep_totals_init(ib_SweepTotals *totals, ib_SweepShape shape)
{
    *totals = (ib_SweepTotals){.shape = shape};
    totals->sums = ib_arena_array(&totals->arena, (size_t)shape.columns, sizeof *totals->sums);
    totals->failures =
        ib_arena_array(&totals->arena, (size_t)shape.expectations, sizeof *totals->failures);
    for (int i = 0; totals->sums && i < shape.columns; i++) totals->sums[i] = ib_sweep_sum();
    return totals->sums && totals->failures;
}

void ib_sweep_totals_destroy(ib_SweepTotals *totals)
{
    ib_arena_reset(&totals->arena);
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
    for (int i = 0; i < totals->shape.columns; i++)
        ib_sweep_sum_add(&totals->sums[i], result->values[i]);
    bool broken = false;
    for (int i = 0; i < totals->shape.expectations; i++) {
        if (result->passed[i]) continue;
        broken = true;
        if (totals->failures[i].count++ == 0) totals->failures[i].first = index;
    }
    if (broken && totals->broken < IB_SWEEP_TOLD) totals->broken_runs[totals->broken] = index;
    totals->broken += broken;
}

ib_SweepStatistics ib_sweep_statistics(const ib_SweepTotals *totals, int column)
{
    return ib_sweep_sum_statistics(&totals->sums[column]);
}
