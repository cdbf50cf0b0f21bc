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

// The index of the supply with this voltage, a new one if there is none; -1: no voltage.
static int find_supply(ib_Meter *meter, int voltage)
{
    int k = 0;
    if (voltage < 0) return -1;
    while (k < meter->supply_count && meter->supplies[k].voltage != voltage) k++;
    if (k == meter->supply_count)
        meter->supplies[meter->supply_count++] = (ib_MeterSupply){voltage, INFINITY};
    return k;
}

ib_Status ib_meter_create(const ib_SignalTable *signals, bool sums, ib_Arena *arena,
                          ib_Meter **result, ib_Error *error)
{
    ib_Meter *meter = ib_arena_alloc(arena, sizeof *meter);
    ib_MeterItem *items = ib_arena_array(arena, (size_t)signals->count, sizeof *items);
    ib_MeterSupply *supplies = ib_arena_array(arena, (size_t)signals->count, sizeof *supplies);
    if (!meter || !items || !supplies)
        return ib_error_set(error, IB_FAILED, "out of memory for the loads");
    *meter = (ib_Meter){.items = items, .supplies = supplies, .sums = sums, .time = IB_TIME_NEVER};
    for (int i = 0; i < signals->count; i++) {
        const ib_SignalMeaning *means = &signals->items[i].means;
        if (means->role != IB_ROLE_LOAD && means->role != IB_ROLE_SUPPLY_CURRENT) continue;
        int voltage = ib_signals_role(signals, means->robot, IB_ROLE_SUPPLY_VOLTAGE);
        items[meter->count++] = (ib_MeterItem){.signal = i, .supply = find_supply(meter, voltage)};
    }
    *result = meter;
    return IB_OK;
}

static void find_lowest(ib_Meter *meter, const double *signals)
{
    for (int k = 0; k < meter->supply_count; k++) {
        ib_MeterSupply *supply = &meter->supplies[k];
        if (!(signals[supply->voltage] < supply->lowest)) continue;
        supply->lowest = signals[supply->voltage];
        for (int i = 0; i < meter->count; i++)
            if (meter->items[i].supply == k)
                meter->items[i].at_lowest = signals[meter->items[i].signal];
    }
}

static ib_Time sample(void *self, ib_Time time, const double *signals)
{
    ib_Meter *meter = self;
    bool first = meter->time == IB_TIME_NEVER;
    find_lowest(meter, signals);
    if (!meter->sums) return IB_TIME_NEVER;
    double seconds = first ? 0 : ib_time_to_seconds(time - meter->time);
    for (int i = 0; i < meter->count; i++) {
        ib_MeterItem *item = &meter->items[i];
        double now = signals[item->signal];
        double volts =
            item->supply < 0 ? (double)NAN : signals[meter->supplies[item->supply].voltage];
        if (!first) ib_load_add(&item->sum, item->last, now, item->last_volts, volts, seconds);
        item->last = now;
        item->last_volts = volts;
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
