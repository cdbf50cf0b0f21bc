// scene/past.ts: where things were before this page looked: after a seek, and on opening the page.
// It is computed from the history of the signals that move them.

import { App } from "../app";
import { Samples } from "../link";
import { Vector3 } from "three";
import { countBelow } from "../numbers";
import { Trail } from "./trail";

const ROWS = 1500; // of each signal
const DELAY_MS = 200; // while a person scrubs, only the last place counts

// The value at a time, between the two rows around it.
export function interpolate(samples: Samples, time: number): number {
    const { times, values } = samples;
    const last = times.length - 1;
    if (last < 0) return NaN;
    const after = countBelow(times, times.length, time);
    if (after === 0) return values[0]!;
    if (after > last) return values[last]!;
    const [t0, t1] = [times[after - 1]!, times[after]!];
    const [v0, v1] = [values[after - 1]!, values[after]!];
    return v0 + ((time - t0) / (t1 - t0 || 1)) * (v1 - v0);
}

// A trail, and how its places come from signals.
export interface Course {
    trail: Trail;
    signals: number[];
    placeAt(read: (index: number) => number): Vector3;
}

export class Past {
    private timer = 0;
    private asked = 0;

    constructor(
        private app: App,
        private courses: Course[],
        private changed: () => void,
    ) {}

    // Once things have settled.
    want(): void {
        clearTimeout(this.timer);
        this.timer = window.setTimeout(() => void this.fetch(), DELAY_MS);
    }

    private async fetch(): Promise<void> {
        const { store, link, settings } = this.app;
        const to = store.time;
        const { run } = store;
        const from = Math.max(to - settings.get("trailSeconds"), 0);
        const asked = ++this.asked;
        const signals = [...new Set(this.courses.flatMap((course) => course.signals))];
        if (signals.length === 0 || !(to > from)) return;
        const past = await link.history(signals, from, to, ROWS);
        // Another seek has come meanwhile: its own request is under way.
        if (asked !== this.asked || store.run !== run || past.size < signals.length) return;
        const longest = [...past.values()].reduce((a, b) => (b.times.length > a.times.length ? b : a));
        const times = longest.times.filter((time) => time >= from && time < to);
        for (const { trail, placeAt } of this.courses) {
            const read = (index: number) => interpolate(past.get(index)!, times[row]!);
            let row = 0;
            const path = new Float64Array(4 * times.length);
            for (; row < times.length; row++) {
                const at = placeAt(read);
                path.set([at.x, at.y, at.z, times[row]!], 4 * row);
            }
            trail.prepend(path);
        }
        this.changed();
    }
}
