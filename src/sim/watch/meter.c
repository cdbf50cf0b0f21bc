#include "sim/watch/meter.h"

#include "base/extreme.h"

#include <math.h>

// A current that changes its sign is fed back on one side of its zero only. The integral of a
// product of two lines: Simpson's rule is exact for it.
void ib_load_add(ib_LoadSum *sum, double from, double to, double volts_from, double volts_to,
                 double seconds)
{
    double low = ib_min(from, to), high = ib_max(from, to);
    sum->charge += 0.5 * (from + to) * seconds;
    if (high <= 0)
        sum->fed_back -= 0.5 * (from + to) * seconds;
    else if (low < 0)
        sum->fed_back += 0.5 * low * low / (high - low) * seconds;
    double middle = 0.25 * (from + to) * (volts_from + volts_to);
    sum->energy += (from * volts_from + 4 * middle + to * volts_to) * seconds / 6;
}

ib_Status ib_meter_create(const ib_SignalTable *signals, ib_Arena *arena, ib_Meter **result,
                          ib_Error *error)
{
    ib_Meter *meter = ib_arena_alloc(arena, sizeof *meter);
    ib_MeterItem *items = ib_arena_array(arena, (size_t)signals->count, sizeof *items);
    if (!meter || !items) return ib_error_set(error, IB_FAILED, "out of memory for the loads");
    *meter = (ib_Meter){.items = items, .time = IB_TIME_NEVER};
    for (int i = 0; i < signals->count; i++) {
        const ib_SignalMeaning *means = &signals->items[i].means;
        if (means->role != IB_ROLE_LOAD && means->role != IB_ROLE_SUPPLY_CURRENT) continue;
        int voltage = ib_signals_role(signals, means->robot, IB_ROLE_SUPPLY_VOLTAGE);
        items[meter->count++] =
            (ib_MeterItem){.signal = i, .voltage = voltage, .lowest_volts = INFINITY};
    }
    *result = meter;
    return IB_OK;
}

static ib_Time sample(void *self, ib_Time time, const double *signals)
{
    ib_Meter *meter = self;
    bool first = meter->time == IB_TIME_NEVER;
    double seconds = first ? 0 : ib_time_to_seconds(time - meter->time);
    for (int i = 0; i < meter->count; i++) {
        ib_MeterItem *item = &meter->items[i];
        double now = signals[item->signal];
        double volts = item->voltage < 0 ? (double)NAN : signals[item->voltage];
        if (!first) ib_load_add(&item->sum, item->last, now, item->last_volts, volts, seconds);
        item->last = now;
        item->last_volts = volts;
        if (!(volts < item->lowest_volts)) continue;
        item->lowest_volts = volts;
        item->at_lowest = now;
    }
    meter->time = time;
    return IB_TIME_NEVER;
}

ib_Probe ib_meter_probe(ib_Meter *meter)
{
    return (ib_Probe){.self = meter,
                      .next = IB_TIME_NEVER,
                      .each_step = true,
                      .sample = sample,
                      .spares = IB_PARTS_ALL & ~(unsigned)IB_PART_OWN};
}
