#include "view/samples.h"

#include <math.h>
#include <stdbool.h>

static void put(ib_Samples out, int place, ib_Sample sample)
{
    out.times[place] = sample.time;
    out.values[place] = sample.value;
    out.low[place] = sample.low;
    out.high[place] = sample.high;
}

// All numbers among some samples as one, at the place of the last, and their first gap.
typedef struct Merged {
    ib_Sample number, gap;
    bool has_number, has_gap;
} Merged;

static Merged merge(ib_SampleAt at, const void *self, int64_t from, int64_t to)
{
    Merged merged = {0};
    float low = NAN, high = NAN;
    // A single sample has its own bounds. Several that become one begin at the value of the sample
    // before them.
    if (to - from > 1) low = high = at(self, from - 1).value;
    for (int64_t i = from; i < to; i++) {
        ib_Sample sample = at(self, i);
        if (!isfinite(sample.value)) {
            if (!merged.has_gap) merged.gap = sample;
            merged.has_gap = true;
            continue;
        }
        low = fminf(low, sample.low);
        high = fmaxf(high, sample.high);
        merged.number = sample;
        merged.has_number = true;
    }
    merged.number.low = low;
    merged.number.high = high;
    return merged;
}

int ib_samples_thin(ib_SampleAt at, const void *self, int64_t first, int64_t count, int rows,
                    ib_Samples out)
{
    if (count <= 0 || rows < 2) return 0;
    int used = 0;
    put(out, used++, at(self, first));
    // The first sample, and of each bin a number and a gap; with two rows the other one is
    // a number.
    bool gaps = rows > 2;
    int64_t rest = count - 1, bins = count <= rows ? rest : gaps ? (rows - 1) / 2 : 1;
    for (int64_t bin = 0; bin < bins; bin++) {
        int64_t from = first + 1 + rest * bin / bins, to = first + 1 + rest * (bin + 1) / bins;
        Merged merged = merge(at, self, from, to);
        bool gap_first = merged.gap.time < merged.number.time;
        if (merged.has_gap && gaps && gap_first) put(out, used++, merged.gap);
        if (merged.has_number) put(out, used++, merged.number);
        if (merged.has_gap && gaps && !gap_first) put(out, used++, merged.gap);
    }
    return used;
}
