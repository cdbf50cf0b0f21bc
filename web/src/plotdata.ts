// plotdata.ts: several series on one time axis, in the form uPlot wants: one column of times and for
// each series two, the lower and the upper edge of what is drawn. They are the same but where a signal
// moved between two samples. `null` is a gap, `undefined` only says that a series has no point of its
// own at that time (uPlot draws on across those).
import { type Conversion, inUnit } from "./quantity";
import { merged, type Sample, type Series } from "./series";

export type Column = (number | null | undefined)[];

export interface PlotData {
    times: number[];
    columns: Column[]; // low and high of the first series, low and high of the second, …
}

/** A corner of what is drawn; not finite: a gap. */
export interface Corner {
    time: number;
    low: number;
    high: number;
}

/** Samples that are further apart than this many seconds are not joined by a line. */
export const JOINED = 0.04;

// Samples to draw for a view from..to: one beyond each edge, so that the line reaches the edge, and no
// more than about two a pixel.
function drawn(series: Series, from: number, to: number, pixels: number): Sample[] {
    const first = Math.max(0, series.countBefore(from) - 1);
    const end = Math.min(series.length, series.countBefore(to) + 2);
    return end > first ? merged(series, first, end, Math.max(64, 4 * pixels)) : [];
}

/** How a series is drawn. */
export interface Manner {
    held: boolean; // a mode: it keeps its value until the next sample
    step: number; // of a recording, between its samples [s]; 0: a live run
}

// What a sample adds to the outline. Where its bounds hold the value before it, it tells of all the time
// between the two. Then, far apart, a box is drawn: the signal was somewhere in there, and a line across
// would be an invention; near each other, a line, and a stroke if it went further than both.
function addCorners(corners: Corner[], before: Sample, sample: Sample, manner: Manner): void {
    const { time, value, low, high } = sample;
    const known = low <= before.value && before.value <= high;
    const ends = [before.value, value];
    if (known && time - before.time > JOINED) {
        corners.push({ time: before.time, low, high }, { time, low, high });
    } else if (manner.held) {
        corners.push({ time, low: before.value, high: before.value });
    } else if (known && (low < Math.min(...ends) || high > Math.max(...ends))) {
        corners.push({ time, low, high });
    } else if (!known) {
        addUnknown(corners, before, sample, manner.step);
    }
}

// Nothing is known of the time between two samples: they are joined by a line if they are neighbours, in a
// recording up to two and a half of its steps apart. Further apart, a recording keeps the last value, as
// its player does (a program that writes down changes only means just that); a live run has a gap.
function addUnknown(corners: Corner[], before: Sample, sample: Sample, step: number): void {
    if (sample.time - before.time <= Math.max(JOINED, 2.5 * step)) return;
    const between = step > 0 ? before.value : NaN;
    corners.push({ time: sample.time, low: between, high: between });
}

export function outline(samples: readonly Sample[], manner: Manner): Corner[] {
    const corners: Corner[] = [];
    samples.forEach((sample, k) => {
        const before = samples[k - 1];
        const { time, value } = sample;
        if (before && Number.isFinite(before.value) && Number.isFinite(value)) {
            addCorners(corners, before, sample, manner);
        }
        corners.push({ time, low: value, high: value });
    });
    return corners;
}

/** A series as it is shown. */
export interface Drawn extends Manner {
    series: Series;
    unit: Conversion;
}

/** Joins what is drawn of all series. */
export function joined(all: readonly Drawn[], from: number, to: number, pixels: number): PlotData {
    const outlines = all.map((d) => outline(drawn(d.series, from, to, pixels), d));
    const at = all.map(() => 0);
    const times: number[] = [];
    const columns: Column[] = all.flatMap(() => [[], []]);
    const shown = (value: number, unit: Conversion) =>
        Number.isFinite(value) ? inUnit(value, unit) : null;
    for (;;) {
        const next = Math.min(...outlines.map((corners, k) => corners[at[k]!]?.time ?? Infinity));
        if (next === Infinity) return { times, columns };
        times.push(next);
        outlines.forEach((corners, k) => {
            const corner = corners[at[k]!];
            const own = corner?.time === next;
            const { unit } = all[k]!;
            columns[2 * k]!.push(own ? shown(corner.low, unit) : undefined);
            columns[2 * k + 1]!.push(own ? shown(corner.high, unit) : undefined);
            if (own) at[k]!++;
        });
    }
}

// Ends of a vertical scale: a tenth of room above and below, and never less than `least` from end to
// end: what an idle signal does in its last digits is no cliff.
export function padded(low: number | null, high: number | null, least = 0): [number, number] {
    if (low === null || high === null || !Number.isFinite(low) || !Number.isFinite(high)) {
        return [-1, 1];
    }
    const size = Math.max(Math.abs(low), Math.abs(high));
    const middle = (low + high) / 2;
    if (high - low < Math.max(size * 1e-4, 1e-9)) {
        const half = Math.max(size > 1e-9 ? size * 0.1 : 1, least / 2);
        return [middle - half, middle + half];
    }
    const half = Math.max(0.58 * (high - low), least / 2);
    return [middle - half, middle + half];
}
