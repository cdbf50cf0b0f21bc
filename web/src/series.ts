// series.ts: the samples of one signal, bounded. When full, the older half is thinned to half as
// many with its extremes kept, so a run of any length still shows every peak. Times never decrease.

import { countBelow } from "./numbers";

export const SERIES_ROOM = 20000;

export class Series {
    times: Float64Array;
    values: Float32Array;
    length = 0;

    constructor(readonly room: number = SERIES_ROOM) {
        const first = Math.min(room, 1024);
        this.times = new Float64Array(first);
        this.values = new Float32Array(first);
    }

    clear(): void {
        this.length = 0;
    }

    /** Adds a sample; one before the last is left out, one at the same time replaces it. */
    push(time: number, value: number): void {
        const n = this.length;
        if (n > 0 && time <= this.times[n - 1]!) {
            if (time === this.times[n - 1]) {
                this.values[n - 1] = value;
            }
            return;
        }
        if (n >= this.room) {
            this.thinOlderHalf();
        } else if (n >= this.times.length) {
            this.grow(Math.min(this.room, 2 * n));
        }
        this.times[this.length] = time;
        this.values[this.length] = value;
        this.length++;
    }

    /** Puts what was before the first sample in front (history that arrives after live samples). */
    prepend(times: ArrayLike<number>, values: ArrayLike<number>): void {
        const first = this.length > 0 ? this.times[0]! : Infinity;
        let count = Math.min(times.length, values.length);
        while (count > 0 && !(times[count - 1]! < first)) {
            count--;
        }
        const oldTimes = this.times.slice(0, this.length);
        const oldValues = this.values.slice(0, this.length);
        this.length = 0;
        for (let i = 0; i < count; i++) {
            this.push(times[i]!, values[i]!);
        }
        for (let i = 0; i < oldTimes.length; i++) {
            this.push(oldTimes[i]!, oldValues[i]!);
        }
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

    private grow(room: number): void {
        const times = new Float64Array(room);
        const values = new Float32Array(room);
        times.set(this.times.subarray(0, this.length));
        values.set(this.values.subarray(0, this.length));
        this.times = times;
        this.values = values;
    }

    private thinOlderHalf(): void {
        const half = this.length >> 1;
        const kept = thinned(this.times, this.values, 0, half, half >> 1);
        // Kept indices ascend, so moving down in place never overwrites one still needed.
        kept.forEach((from, to) => {
            this.times[to] = this.times[from]!;
            this.values[to] = this.values[from]!;
        });
        this.times.copyWithin(kept.length, half, this.length);
        this.values.copyWithin(kept.length, half, this.length);
        this.length -= half - kept.length;
    }
}

// Indices in [from, to) of at most `room` samples that draw the same outline: the span of time is
// cut into equal parts, each keeps its lowest and its highest sample. First and last stay, and so
// does one gap (a sample that is not finite) per part, so that a hole stays a hole.
export function thinned(
    times: ArrayLike<number>,
    values: ArrayLike<number>,
    from: number,
    to: number,
    room: number,
): number[] {
    const count = to - from;
    if (count <= room || room < 8) {
        return Array.from({ length: Math.min(count, Math.max(room, 0)) }, (_, i) => from + i);
    }
    const parts = Math.floor((room - 2) / 3);
    const start = times[from]!;
    const span = times[to - 1]! - start;
    const kept: number[] = [from];
    let i = from + 1;
    for (let part = 0; part < parts; part++) {
        const end = part === parts - 1 ? Infinity : start + (span * (part + 1)) / parts;
        i = keepPart(times, values, i, to - 1, end, kept);
    }
    kept.push(to - 1);
    return kept;
}

// Keeps the extremes and a gap of the samples from `i` on that lie before `end`; returns the next.
function keepPart(
    times: ArrayLike<number>,
    values: ArrayLike<number>,
    i: number,
    to: number,
    end: number,
    kept: number[],
): number {
    let low = -1;
    let high = -1;
    let gap = -1;
    for (; i < to && times[i]! <= end; i++) {
        const v = values[i]!;
        if (!Number.isFinite(v)) {
            gap = i;
            continue;
        }
        if (low < 0 || v < values[low]!) {
            low = i;
        }
        if (high < 0 || v > values[high]!) {
            high = i;
        }
    }
    const picks = [low, high, gap].filter((k, at, all) => k >= 0 && all.indexOf(k) === at);
    kept.push(...picks.sort((a, b) => a - b));
    return i;
}
