// series.ts: the samples of one signal, bounded. Each has the bounds of the signal since the sample
// before it. When full, the older half is made to half as many, whose bounds hold all of theirs, so a
// run of any length still shows every peak. Times never decrease.

import { countBelow } from "./numbers";

export const SERIES_ROOM = 20000;

export interface Sample {
    time: number;
    value: number; // not finite: a gap
    low: number; // since the sample before, or `value` itself where that is not known
    high: number;
}

/** Samples as they come over the socket. */
export interface Columns {
    times: ArrayLike<number>;
    values: ArrayLike<number>;
    low: ArrayLike<number>;
    high: ArrayLike<number>;
}

export class Series implements Columns {
    times: Float64Array;
    values: Float32Array;
    low: Float32Array;
    high: Float32Array;
    length = 0;

    constructor(readonly room: number = SERIES_ROOM) {
        const first = Math.min(room, 1024);
        this.times = new Float64Array(first);
        this.values = new Float32Array(first);
        this.low = new Float32Array(first);
        this.high = new Float32Array(first);
    }

    clear(): void {
        this.length = 0;
    }

    /** Adds a sample; one before the last is left out, one at the same time replaces it. */
    push(time: number, value: number, low = value, high = value): void {
        const n = this.length;
        if (n > 0 && time <= this.times[n - 1]!) {
            if (time === this.times[n - 1]) {
                low = Math.min(low, this.low[n - 1]!);
                high = Math.max(high, this.high[n - 1]!);
                this.put(n - 1, { time, value, low, high });
            }
            return;
        }
        if (n >= this.room) {
            this.thinOlderHalf();
        } else if (n >= this.times.length) {
            this.grow(Math.min(this.room, 2 * n));
        }
        this.put(this.length, { time, value, low, high });
        this.length++;
    }

    /** Puts what was before the first sample in front (history that arrives after live samples). */
    prepend(past: Columns): void {
        const first = this.length > 0 ? this.times[0]! : Infinity;
        const own = Array.from({ length: this.length }, (_, i) => sampleOf(this, i));
        this.length = 0;
        for (let i = 0; i < past.times.length && past.times[i]! < first; i++) {
            const { time, value, low, high } = sampleOf(past, i);
            this.push(time, value, low, high);
        }
        for (const { time, value, low, high } of own) this.push(time, value, low, high);
    }

    /** How many samples have a time below `time`. */
    countBefore(time: number): number {
        return countBelow(this.times, this.length, time);
    }

    /** Value at the sample nearest to `time`; NaN when there is none. */
    nearest(time: number): number {
        if (this.length === 0) {
            return NaN;
        }
        const after = Math.min(this.countBefore(time), this.length - 1);
        const before = Math.max(after - 1, 0);
        const nearer =
            Math.abs(this.times[after]! - time) < Math.abs(this.times[before]! - time)
                ? after
                : before;
        return this.values[nearer]!;
    }

    private put(place: number, sample: Sample): void {
        this.times[place] = sample.time;
        this.values[place] = sample.value;
        this.low[place] = sample.low;
        this.high[place] = sample.high;
    }

    private grow(room: number): void {
        const longer = (old: Float32Array) => {
            const grown = new Float32Array(room);
            grown.set(old.subarray(0, this.length));
            return grown;
        };
        const times = new Float64Array(room);
        times.set(this.times.subarray(0, this.length));
        this.times = times;
        this.values = longer(this.values);
        this.low = longer(this.low);
        this.high = longer(this.high);
    }

    private thinOlderHalf(): void {
        const half = this.length >> 1;
        const kept = merged(this, 0, half, half >> 1);
        kept.forEach((sample, place) => this.put(place, sample));
        for (const list of [this.times, this.values, this.low, this.high]) {
            list.copyWithin(kept.length, half, this.length);
        }
        this.length -= half - kept.length;
    }
}

function sampleOf(columns: Columns, i: number): Sample {
    return {
        time: columns.times[i]!,
        value: columns.values[i]!,
        low: columns.low[i]!,
        high: columns.high[i]!,
    };
}

// The samples from .. to - 1 as at most `room`: the first as it is, then the span of time in equal
// parts, of each the last value with the bounds of all of them, and one gap (a sample that is not
// finite), so that a hole stays a hole.
export function merged(columns: Columns, from: number, to: number, room: number): Sample[] {
    const count = to - from;
    if (count <= room || room < 8) {
        const length = Math.min(count, Math.max(room, 0));
        return Array.from({ length }, (_, i) => sampleOf(columns, from + i));
    }
    const parts = Math.floor((room - 1) / 2);
    const start = columns.times[from]!;
    const span = columns.times[to - 1]! - start;
    const kept: Sample[] = [sampleOf(columns, from)];
    let i = from + 1;
    for (let part = 0; part < parts; part++) {
        const end = part === parts - 1 ? Infinity : start + (span * (part + 1)) / parts;
        const first = i;
        while (i < to && columns.times[i]! <= end) i++;
        kept.push(...mergedPart(columns, first, i));
    }
    return kept;
}

// A single sample says itself what it knows of the time before it; several begin where the one before
// them was.
function mergedPart(columns: Columns, from: number, to: number): Sample[] {
    if (to - from < 2) return from < to ? [sampleOf(columns, from)] : [];
    const before = columns.values[from - 1]!;
    let [low, high] = Number.isFinite(before) ? [before, before] : [Infinity, -Infinity];
    let number: Sample | null = null;
    let gap: Sample | null = null;
    for (let i = from; i < to; i++) {
        const sample = sampleOf(columns, i);
        if (!Number.isFinite(sample.value)) {
            gap ??= sample;
            continue;
        }
        low = Math.min(low, sample.low);
        high = Math.max(high, sample.high);
        number = { ...sample, low, high };
    }
    const both = [gap, number].filter((sample) => sample !== null);
    return both.sort((a, b) => a.time - b.time);
}
