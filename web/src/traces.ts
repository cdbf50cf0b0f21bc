// traces.ts: the samples behind the charts. In a live run they grow with the frames and begin with
// what the server remembers; in a replay they are the whole recording, thinned, and finer where a
// person has zoomed in.

import { App } from "./app";
import { Row } from "./link";
import { Series } from "./series";

const HISTORY_ROWS = 6000;
const DETAIL_ROWS = 3000;

interface Trace {
    series: Series;
    detail: { from: number; to: number; series: Series } | null;
}

export class Traces {
    version = 0; // grows whenever there is something new to draw
    private traces = new Map<number, Trace>();
    private row: { signals: Int32Array; places: [number, Series][] } | null = null;
    private age = 0; // grows when what was there before is of no use any more
    private readonly replay: boolean;

    constructor(private app: App) {
        this.replay = app.hello.mode === "replay";
        app.store.onFrame((row) => this.take(row));
        app.store.onJump((jump) => {
            if (jump === "run" && !this.replay) this.clear();
        });
        // After a lost connection there is a hole; the server's memory fills it.
        app.link.on("hello", (hello) => {
            if (hello === app.hello) return;
            this.clear();
            void this.fetch([...this.traces.keys()]);
        });
    }

    /** Keeps exactly these signals; the past of new ones is fetched. */
    use(signals: number[]): void {
        const wanted = new Set(signals);
        for (const signal of [...this.traces.keys()]) {
            if (!wanted.has(signal)) this.traces.delete(signal);
        }
        const fresh = [...wanted].filter((signal) => !this.traces.has(signal));
        for (const signal of fresh) this.traces.set(signal, { series: new Series(), detail: null });
        this.row = null;
        this.version++;
        this.app.link.watch("charts", [...wanted]);
        if (fresh.length > 0) void this.fetch(fresh);
    }

    /** What to draw of a signal in a view; the finer series where there is one. */
    of(signal: number, from: number, to: number): Series {
        const trace = this.traces.get(signal);
        if (!trace) return new Series(8);
        const detail = trace.detail;
        return detail && detail.from <= from && to <= detail.to ? detail.series : trace.series;
    }

    /** Earliest time of any trace; NaN: there is none yet. */
    start(): number {
        let start = NaN;
        for (const { series } of this.traces.values()) {
            if (series.length > 0 && !(start <= series.times[0]!)) start = series.times[0]!;
        }
        return start;
    }

    /** In a replay: finer samples of from..to. A live series already has all there is. */
    async refine(from: number, to: number): Promise<void> {
        if (!this.replay) return;
        const margin = 0.5 * (to - from);
        const [a, b] = [Math.max(0, from - margin), to + margin];
        const found = await this.app.link.history([...this.traces.keys()], a, b, DETAIL_ROWS);
        for (const [signal, part] of found) {
            const trace = this.traces.get(signal);
            if (!trace) continue;
            const series = new Series();
            series.prepend(part);
            trace.detail = { from: a, to: b, series };
        }
        this.version++;
    }

    private async fetch(signals: number[]): Promise<void> {
        const { age } = this;
        const to = this.replay ? this.app.hello.duration : 1e9;
        const found = await this.app.link.history(signals, 0, to, HISTORY_ROWS);
        if (age !== this.age) return; // of a run that is over
        for (const [signal, part] of found) {
            this.traces.get(signal)?.series.prepend(part);
        }
        this.version++;
    }

    private take(row: Row): void {
        if (this.replay) return;
        this.version++;
        if (this.row?.signals !== row.signals) {
            const places: [number, Series][] = [];
            row.signals.forEach((signal, place) => {
                const trace = this.traces.get(signal);
                if (trace) places.push([place, trace.series]);
            });
            this.row = { signals: row.signals, places };
        }
        const { time, values, low, high } = row.frame;
        for (const [place, series] of this.row.places) {
            series.push(time, values[place]!, low[place]!, high[place]!);
        }
    }

    private clear(): void {
        this.age++;
        for (const trace of this.traces.values()) {
            trace.series.clear();
            trace.detail = null;
        }
        this.version++;
    }
}
