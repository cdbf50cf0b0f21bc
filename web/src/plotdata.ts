// plotdata.ts: several series on one time axis, in the form uPlot wants: one column of times and
// for each series one column, `null` where it has a gap and `undefined` where it merely has no
// sample of its own at that time (uPlot draws on across those).
import { thinned, type Series } from "./series";

export type Column = (number | null | undefined)[];

export interface PlotData {
    times: number[];
    columns: Column[];
}

// Indices of a series to draw for a view from..to: one sample beyond each edge, so that the line
// reaches the edge, thinned to about two samples a pixel.
export function drawn(series: Series, from: number, to: number, pixels: number): number[] {
    const first = Math.max(0, series.countBefore(from) - 1);
    const end = Math.min(series.length, series.countBefore(to) + 2);
    if (end <= first) {
        return [];
    }
    return thinned(series.times, series.values, first, end, Math.max(64, 3 * pixels));
}

/** Joins the drawn samples of all series; `factors` turn SI into the unit shown. */
export function joined(
    series: readonly Series[],
    factors: readonly number[],
    from: number,
    to: number,
    pixels: number,
): PlotData {
    const picks = series.map((s) => drawn(s, from, to, pixels));
    const at = series.map(() => 0);
    const times: number[] = [];
    const columns: Column[] = series.map(() => []);
    for (;;) {
        let next = Infinity;
        picks.forEach((pick, k) => {
            if (at[k]! < pick.length) {
                next = Math.min(next, series[k]!.times[pick[at[k]!]!]!);
            }
        });
        if (next === Infinity) {
            return { times, columns };
        }
        times.push(next);
        picks.forEach((pick, k) => {
            const i = pick[at[k]!];
            if (i === undefined || series[k]!.times[i] !== next) {
                columns[k]!.push(undefined);
                return;
            }
            const value = series[k]!.values[i]!;
            columns[k]!.push(Number.isFinite(value) ? value * factors[k]! : null);
            at[k]!++;
        });
    }
}

// Ends of a vertical scale: a tenth of room above and below; a flat line gets a span of its own, so
// that the noise of the last digit does not fill the picture.
export function padded(low: number | null, high: number | null): [number, number] {
    if (low === null || high === null || !Number.isFinite(low) || !Number.isFinite(high)) {
        return [-1, 1];
    }
    const size = Math.max(Math.abs(low), Math.abs(high));
    if (high - low < Math.max(size * 1e-4, 1e-9)) {
        const half = size > 1e-9 ? size * 0.1 : 1;
        return [(low + high) / 2 - half, (low + high) / 2 + half];
    }
    const room = 0.08 * (high - low);
    return [low - room, high + room];
}
