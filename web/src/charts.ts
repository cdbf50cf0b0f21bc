// charts.ts: the panel of strip charts. All charts share one time axis: what they follow, hold or
// are zoomed to is decided here, and they are drawn together, at most 20 times a second.

import { App, readStored, writeStored } from "./app";
import { Chart, ChartHost, Range } from "./chart";
import { make, segments, setText } from "./dom";
import { clamp } from "./numbers";
import { openPicker } from "./picker";
import { signalUnit } from "./quantity";
import { onTheme } from "./theme";
import { Traces } from "./traces";

const DRAW_EVERY_MS = 50;
const REFINE_AFTER_MS = 250;
const MOST_CHARTS = 12;
const WINDOWS = ["5", "20", "60", "all"] as const;

interface Stored {
    scenario: string;
    charts: string[][];
    window: string;
}

// Names of one scenario are not those of another; what is stored may be damaged.
function readLayout(scenario: string): Stored | null {
    const stored = readStored("charts") as Stored | null;
    if (stored?.scenario !== scenario || !Array.isArray(stored.charts)) return null;
    const charts = stored.charts.filter(Array.isArray).slice(0, MOST_CHARTS);
    return { scenario, charts, window: String(stored.window) };
}

// Signals of one unit go into one chart, at most four of them, in the order given.
export function arranged(
    suggested: readonly number[],
    unitOf: (signal: number) => string,
): number[][] {
    const charts: number[][] = [];
    for (const signal of suggested) {
        const same = charts.find((c) => c.length < 4 && unitOf(c[0]!) === unitOf(signal));
        if (same) same.push(signal);
        else charts.push([signal]);
    }
    return charts.slice(0, 4);
}

// What a view shows. Live: the last `window` seconds, from 0 at first; "all" from the first sample.
// Replay: all of it, or a window around now.
export function viewOf(
    window: number,
    now: number,
    start: number,
    duration: number,
    replay: boolean,
): Range {
    const time = Number.isFinite(now) ? now : 0;
    if (replay) {
        if (window === Infinity) return [0, Math.max(duration, 1e-3)];
        return [time - 0.7 * window, time + 0.3 * window];
    }
    if (window === Infinity) {
        const from = Number.isFinite(start) ? Math.min(start, time) : 0;
        return [from, Math.max(time, from + 1)];
    }
    const from = Math.max(0, time - window);
    return [from, from + window];
}

class Charts implements ChartHost {
    readonly signals;
    readonly robots;
    readonly step: number;
    readonly seek: ((time: number) => void) | null;
    private traces: Traces;
    private charts: Chart[] = [];
    private made = 0;
    private wide = false; // some chart has two axes
    private window: number;
    private fixed: Range | null = null; // held or zoomed
    private list: HTMLElement;
    private hold: HTMLButtonElement;
    private refineTimer = 0;
    private drawnAt = 0;
    private asked = false;

    constructor(
        private app: App,
        private element: HTMLElement,
    ) {
        this.signals = app.hello.signals;
        this.robots = app.hello.robots.map((robot) => robot.name);
        const replay = app.hello.mode === "replay";
        this.step = replay ? app.hello.step : 0;
        this.seek = replay ? (time) => this.seekTo(time) : null;
        this.traces = new Traces(app);
        this.list = make("div", { class: "chart-list", id: "chart-list" });
        this.hold = make("button", {
            type: "button",
            id: "charts-hold",
            onclick: () => this.zoom(this.fixed ? null : this.view()),
        });
        const layout = readLayout(app.hello.scenario);
        const word = WINDOWS.find((w) => w === layout?.window) ?? (replay ? "all" : "20");
        this.window = word === "all" ? Infinity : Number(word);
        element.classList.add("charts");
        element.append(this.toolbar(word), this.list);
        this.fill(layout);
        this.listen();
    }

    // ---- for the charts ------------------------------------------------------------------------

    people = () => this.app.settings.get("people");
    twoAxes = () => this.wide;
    series = (signal: number, [from, to]: Range) => this.traces.of(signal, from, to);
    value = (signal: number) => this.app.store.value(signal);

    zoom(range: Range | null): void {
        if (range && !(range[1] - range[0] > 1e-4)) return;
        this.fixed = range;
        this.showHold();
        this.ask();
        clearTimeout(this.refineTimer);
        if (range) {
            const [from, to] = range;
            this.refineTimer = window.setTimeout(
                () => void this.traces.refine(from, to).then(() => this.ask()),
                REFINE_AFTER_MS,
            );
        }
    }

    pick(chart: Chart): void {
        openPicker({
            title: `Signals of chart ${chart.number}`,
            signals: this.signals,
            people: this.people(),
            chosen: () => new Set(chart.signals),
            toggle: (signal) => chart.toggle(signal),
        });
    }

    close(chart: Chart): void {
        this.charts = this.charts.filter((c) => c !== chart);
        chart.destroy();
        this.changed();
    }

    changed(): void {
        const wide = this.charts.some((chart) => chart.units().length > 1);
        if (wide !== this.wide) {
            this.wide = wide;
            for (const chart of this.charts) chart.rebuild();
        }
        this.traces.use(this.charts.flatMap((chart) => chart.signals));
        this.ask();
        const names = (chart: Chart) => chart.signals.map((signal) => this.signals[signal]!.name);
        const stored: Stored = {
            scenario: this.app.hello.scenario,
            charts: this.charts.map(names),
            window: this.window === Infinity ? "all" : String(this.window),
        };
        writeStored("charts", stored);
    }

    probe() {
        return {
            view: this.view(),
            held: this.fixed !== null,
            charts: this.charts.map((chart) => ({
                signals: chart.signals.map((signal) => this.signals[signal]!.name),
                points: chart.signals.map((s) => this.traces.of(s, 0, Infinity).length),
            })),
        };
    }

    // ---- panel ---------------------------------------------------------------------------------

    private toolbar(word: string): HTMLElement {
        const options = WINDOWS.map((w) => ({ value: w, text: w === "all" ? "all" : `${w} s` }));
        const choose = (value: string) => {
            this.window = value === "all" ? Infinity : Number(value);
            this.changed();
            this.zoom(null);
        };
        const si = make("input", {
            type: "checkbox",
            id: "charts-si",
            checked: !this.people(),
            onchange: () => this.app.settings.set("people", !si.checked),
        });
        const title = "SI units (rad, Pa, K) in place of those that people use (deg, psig, degC)";
        return make(
            "div",
            { class: "toolbar", role: "toolbar", "aria-label": "charts" },
            make(
                "button",
                { type: "button", id: "charts-add", onclick: () => this.addAndPick() },
                "+ Chart",
            ),
            segments("length of time shown", "charts-window", options, word, choose).element,
            this.hold,
            make("label", { class: "check", title }, si, "SI"),
        );
    }

    private fill(layout: Stored | null): void {
        const unit = (signal: number) => signalUnit(this.signals[signal]!, this.people()).text;
        const known = (signal: number) => signal >= 0 && signal < this.signals.length;
        const charts =
            layout?.charts.map((names) =>
                names.map((n) => this.app.store.index(n)).filter(known),
            ) ?? arranged(this.app.hello.suggested.filter(known), unit);
        for (const signals of charts) this.add(signals);
        this.showHold();
        this.changed();
    }

    private listen(): void {
        this.app.store.onFrame(() => this.ask());
        this.app.store.onJump((jump) => {
            // What a zoomed view of an earlier run showed is gone.
            if (jump === "run" && !this.seek && this.fixed) this.zoom(null);
        });
        const rebuild = () => {
            for (const chart of this.charts) chart.rebuild();
            this.ask();
        };
        this.app.settings.onChange((key) => {
            if (key !== "people") return;
            rebuild();
            this.changed(); // there may be more axes, or fewer
        });
        onTheme(rebuild);
        new ResizeObserver(() => this.ask()).observe(this.element);
        this.app.probes.charts = () => this.probe();
    }

    private add(signals: number[]): Chart {
        this.made++;
        const chart = new Chart(this, signals, this.made);
        this.charts.push(chart);
        this.list.append(chart.element);
        return chart;
    }

    private addAndPick(): void {
        if (this.charts.length >= MOST_CHARTS) {
            this.app.note("warning", `there are ${MOST_CHARTS} charts already: close one first`);
            return;
        }
        const chart = this.add([]);
        this.changed();
        chart.element.scrollIntoView({ block: "nearest" });
        this.pick(chart);
    }

    private seekTo(time: number): void {
        const { duration } = this.app.hello;
        this.app.link.send({ type: "seek", time: clamp(time, 0, duration) });
    }

    // ---- drawing -------------------------------------------------------------------------------

    private view(): Range {
        if (this.fixed) return this.fixed;
        const { duration, mode } = this.app.hello;
        const { time } = this.app.store;
        return viewOf(this.window, time, this.traces.start(), duration, mode === "replay");
    }

    private showHold(): void {
        setText(this.hold, this.fixed ? "Follow" : "Hold");
        this.hold.setAttribute("aria-pressed", String(this.fixed !== null));
        this.hold.title = this.fixed
            ? "show what happens now again (or double-click a chart)"
            : "keep what is shown while the run goes on";
    }

    // However many frames come, one drawing is under way at a time.
    private ask(): void {
        if (this.asked) return;
        this.asked = true;
        const wait = Math.max(0, this.drawnAt + DRAW_EVERY_MS - performance.now());
        setTimeout(() => requestAnimationFrame(() => this.draw()), wait);
    }

    private draw(): void {
        this.asked = false;
        this.drawnAt = performance.now();
        if (this.element.offsetParent === null) return; // its tab is not the one shown
        const range = this.view();
        // In a replay a frame moves only the marker; the traces stay as they are.
        for (const chart of this.charts)
            chart.draw(range, this.traces.version, this.app.store.time);
    }
}

export function mountCharts(app: App, element: HTMLElement): void {
    new Charts(app, element);
}
