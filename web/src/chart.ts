// chart.ts: one strip chart: a legend with names, units and values, and below it the plot. Signals
// of the same unit share a scale; the first unit has its axis at the left, the second at the right,
// any further ones only their values in the legend.

import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";

import { LineLook, lineLooks } from "./colours";
import { make, setText } from "./dom";
import { clamp } from "./numbers";
import { joined, padded } from "./plotdata";
import { SignalInfo } from "./protocol";
import { formatted, inUnit, leastSpan, ShownUnit, signalUnit } from "./quantity";
import { Series } from "./series";
import { themeColour } from "./theme";
import { listenForTouch } from "./touch";

const CLICK_PIXELS = 4; // a shorter drag is a click
const DOUBLE_CLICK_MS = 250;
const AXIS_SIZE = 52; // pixels for the numbers of a vertical axis
const LABEL_SIZE = 18; // and for its unit
const LAST_TICK = 28; // half of "1234.5 s": the last number of the time axis stands at its very end

export type Range = [number, number];

/** What a chart asks of the panel it stands in. */
export interface ChartHost {
    signals: readonly SignalInfo[];
    robots: readonly string[]; // their names
    step: number; // of a recording, between its samples [s]; 0: a live run
    people(): boolean;
    twoAxes(): boolean; // some chart has an axis at the right: all keep room for one
    series(signal: number, range: Range): Series;
    value(signal: number): number;
    zoom(range: Range | null): void; // null: back to following
    seek: ((time: number) => void) | null; // null: a live run
    pick(chart: Chart): void;
    close(chart: Chart): void;
    changed(): void;
}

interface LegendEntry {
    signal: number;
    unit: ShownUnit;
    least: number; // that its axis spans, in that unit
    held: boolean;
    look: LineLook;
    value: HTMLElement;
}

export class Chart {
    readonly element: HTMLElement;
    signals: number[];
    private legend: HTMLElement;
    private host: HTMLElement;
    private marker: HTMLElement;
    private entries: LegendEntry[] = [];
    private plot: uPlot | null = null;
    private range: Range = [0, 1];
    private drawnAs = ""; // what the plot shows now: version and range
    private clickTimer = 0;
    private observer: ResizeObserver;

    constructor(
        private panel: ChartHost,
        signals: number[],
        readonly number: number,
    ) {
        this.signals = [...signals];
        this.legend = make("div", { class: "chart-legend" });
        this.host = make("div", { class: "chart-plot", "data-test": "chart-plot" });
        this.marker = make("div", { class: "chart-now", "aria-hidden": "true" });
        this.element = make(
            "section",
            { class: "chart", "data-test": "chart", "aria-label": `chart ${number}` },
            this.legend,
            this.host,
        );
        this.observer = new ResizeObserver(() => this.resize());
        this.observer.observe(this.host);
        this.rebuild();
    }

    destroy(): void {
        this.observer.disconnect();
        this.plot?.destroy();
        this.element.remove();
    }

    /** Units shown, one scale each. */
    units(): string[] {
        return [...new Set(this.entries.map((entry) => entry.unit.text))];
    }

    toggle(signal: number): void {
        if (this.signals.includes(signal)) this.signals = this.signals.filter((s) => s !== signal);
        else this.signals = [...this.signals, signal];
        this.rebuild();
        this.panel.changed();
    }

    /** After a change of signals, units or theme. */
    rebuild(): void {
        this.plot?.destroy();
        this.plot = null;
        this.drawnAs = "";
        this.fillLegend();
        this.element.classList.toggle("empty", this.signals.length === 0);
        if (this.signals.length > 0) this.createPlot();
    }

    /** Draws what is in `range` if anything has changed since; `now`: where the marker stands. */
    draw(range: Range, version: number, now: number): void {
        this.range = range;
        const as = `${version} ${range[0]} ${range[1]}`;
        if (this.plot && this.host.clientWidth > 0 && as !== this.drawnAs) {
            this.drawnAs = as;
            const all = this.entries.map(({ signal, unit, held }) => {
                const series = this.panel.series(signal, range);
                return { series, unit, held, step: this.panel.step };
            });
            const data = joined(all, range[0], range[1], this.host.clientWidth);
            this.plot.setData([data.times, ...data.columns] as uPlot.AlignedData);
        }
        this.placeMarker(now);
        this.showValues();
    }

    // ---- legend --------------------------------------------------------------------------------

    private fillLegend(): void {
        this.entries = [];
        const chips = make("div", { class: "chart-chips" });
        const names = this.signals.map((signal) => this.panel.signals[signal]!.name);
        const looks = lineLooks(names, this.panel.robots);
        this.signals.forEach((signal, place) => chips.append(this.chip(signal, looks[place]!)));
        if (this.signals.length === 0) {
            chips.append(make("span", { class: "chart-hint" }, "no signal yet"));
        }
        const add = make(
            "button",
            {
                type: "button",
                class: "small",
                "data-test": "chart-add-signal",
                "aria-label": `add a signal to chart ${this.number}`,
                onclick: () => this.panel.pick(this),
            },
            "+",
            make("span", { class: "wide-only" }, " signal"),
        );
        const close = make(
            "button",
            {
                type: "button",
                class: "small quiet",
                "data-test": "chart-close",
                title: "close this chart",
                "aria-label": `close chart ${this.number}`,
                onclick: () => this.panel.close(this),
            },
            "\u00d7",
        );
        this.legend.replaceChildren(chips, make("span", { class: "chart-buttons" }, add, close));
    }

    private chip(signal: number, look: LineLook): HTMLElement {
        const info = this.panel.signals[signal]!;
        const unit = signalUnit(info, this.panel.people());
        const value = make("output", { class: "chart-value", "data-test": `value-${info.name}` });
        const least = leastSpan(info.unit) * unit.factor;
        this.entries.push({ signal, unit, least, held: info.held, look, value });
        const chip = make(
            "span",
            { class: "chart-chip", title: info.sentence, "data-test": `chip-${info.name}` },
            make("span", { class: "chart-colour", "aria-hidden": "true" }),
            make("span", { class: "chart-name" }, info.name),
            value,
            make("span", { class: "chart-unit" }, unit.text),
            make(
                "button",
                {
                    type: "button",
                    class: "small quiet",
                    title: `remove ${info.name}`,
                    "aria-label": `remove ${info.name}`,
                    onclick: () => this.toggle(signal),
                },
                "\u00d7",
            ),
        );
        chip.style.setProperty("--chip", `var(${look.colour})`);
        chip.classList.toggle("dashed", look.dash.length > 0);
        return chip;
    }

    // At the cursor while there is one, otherwise now.
    private showValues(): void {
        const left = this.plot?.cursor.left ?? -1;
        const time = this.plot && left >= 0 ? this.plot.posToVal(left, "x") : NaN;
        this.legend.classList.toggle("at-cursor", time === time);
        for (const { signal, unit, value } of this.entries) {
            const si =
                time === time
                    ? this.panel.series(signal, this.range).nearest(time)
                    : this.panel.value(signal);
            setText(value, formatted(inUnit(si, unit)));
        }
    }

    // ---- plot ----------------------------------------------------------------------------------

    private createPlot(): void {
        const units = this.units();
        const scales: uPlot.Scales = { x: { time: false, range: () => this.range } };
        for (const unit of units) {
            const { least } = this.entries.find((entry) => entry.unit.text === unit)!;
            scales[`y:${unit}`] = { range: (_, low, high) => padded(low, high, least) };
        }
        const series = this.entries.flatMap((entry) => edges(entry));
        const bands = this.entries.map((entry, place) => ({
            series: [2 * place + 2, 2 * place + 1] as [number, number],
            fill: `${themeColour(entry.look.colour)}59`,
        }));
        const plot = new uPlot(
            {
                width: Math.max(this.host.clientWidth, 50),
                height: Math.max(this.host.clientHeight, 50),
                legend: { show: false },
                padding: [8, this.rightRoom(units.length), 0, 0],
                cursor: this.cursorOptions(),
                scales,
                series: [{}, ...series],
                bands,
                axes: this.axes(units),
                hooks: {
                    setSelect: [(u) => this.selected(u)],
                    setCursor: [() => this.showValues()],
                },
            },
            [[], ...series.map(() => [])] as unknown as uPlot.AlignedData,
            this.host,
        );
        plot.over.append(this.marker);
        plot.over.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
        plot.over.addEventListener("dblclick", () => this.doubleClicked());
        this.listenForClicks(plot.over);
        this.listenForFingers(plot);
        this.plot = plot;
    }

    // The same time stands at the same place in all charts.
    private rightRoom(axes: number): number {
        if (axes > 1) return 0;
        return this.panel.twoAxes() ? AXIS_SIZE + LABEL_SIZE : LAST_TICK;
    }

    private cursorOptions(): uPlot.Cursor {
        const moves = (type: string) => type === "mousemove" || type === "mouseleave";
        return {
            y: false,
            drag: { x: true, y: false, setScale: false, dist: CLICK_PIXELS },
            sync: { key: "charts", scales: ["x", null], filters: { pub: moves, sub: moves } },
            bind: { dblclick: () => null }, // uPlot's own would only show all of what it has
            points: { size: 7 },
        };
    }

    private axes(units: string[]): uPlot.Axis[] {
        const text = themeColour("--plot-text");
        const grid = { stroke: themeColour("--plot-grid"), width: 1 };
        const font = '12px system-ui, "DejaVu Sans", sans-serif';
        const look = { stroke: text, font, grid, ticks: { ...grid, size: 4 } };
        const seconds = (_: uPlot, splits: number[]) => splits.map((s) => `${shortNumber(s)} s`);
        const numbers = (_: uPlot, splits: number[]) => splits.map(shortNumber);
        const y = units.slice(0, 2).map((unit, place) => ({
            ...look,
            scale: `y:${unit}`,
            side: place === 0 ? 3 : 1,
            size: AXIS_SIZE,
            gap: 4,
            space: 28,
            values: numbers,
            grid: place === 0 ? grid : { show: false },
            label: unit || " ", // without one the room stays, so that the axes line up
            labelSize: LABEL_SIZE,
            labelGap: 0,
            labelFont: font,
        }));
        return [{ ...look, scale: "x", size: 26, gap: 4, space: 60, values: seconds }, ...y];
    }

    private resize(): void {
        const { clientWidth: width, clientHeight: height } = this.host;
        if (!this.plot || width < 20 || height < 20) return;
        this.plot.setSize({ width, height });
        this.drawnAs = "";
    }

    private placeMarker(now: number): void {
        const inside = this.plot !== null && now >= this.range[0] && now <= this.range[1];
        this.marker.hidden = !inside || this.panel.seek === null;
        if (this.plot && !this.marker.hidden) {
            this.marker.style.transform = `translateX(${this.plot.valToPos(now, "x")}px)`;
        }
    }

    // ---- zoom and seek -------------------------------------------------------------------------

    private selected(plot: uPlot): void {
        const { left, width } = plot.select;
        if (width < CLICK_PIXELS) return;
        const range: Range = [plot.posToVal(left, "x"), plot.posToVal(left + width, "x")];
        plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
        this.panel.zoom(range);
    }

    // A finger selects as the mouse does.
    private listenForFingers(plot: uPlot): void {
        const show = (from: number, to: number, done: boolean) => {
            const [left, width] = [Math.min(from, to), Math.abs(to - from)];
            plot.setSelect({ left, top: 0, width, height: plot.over.clientHeight }, done);
        };
        listenForTouch(plot.over, {
            span: (from, to) => show(from, to, false),
            done: (from, to) => show(from, to, true),
            cancel: () => show(0, 0, false),
            doubleTap: () => this.doubleClicked(),
        });
    }

    // The time under the pointer stays where it is.
    private wheel(event: WheelEvent): void {
        if (!this.plot) return;
        event.preventDefault();
        const [from, to] = this.range;
        const box = this.plot.over.getBoundingClientRect();
        const at = from + ((event.clientX - box.left) / box.width) * (to - from);
        const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
        const factor = Math.exp(clamp(event.deltaY * lines * 0.002, -0.5, 0.5));
        this.panel.zoom([at - (at - from) * factor, at + (to - at) * factor]);
    }

    // A double click begins with a click: that waits until it is clear which of the two it is.
    private listenForClicks(over: HTMLElement): void {
        let downAt = NaN;
        over.addEventListener("mousedown", (event) => (downAt = event.clientX));
        over.addEventListener("click", (event) => {
            if (!this.panel.seek || Math.abs(event.clientX - downAt) >= CLICK_PIXELS) return;
            const time = this.plot!.posToVal(
                event.clientX - over.getBoundingClientRect().left,
                "x",
            );
            clearTimeout(this.clickTimer);
            this.clickTimer = window.setTimeout(() => this.panel.seek?.(time), DOUBLE_CLICK_MS);
        });
    }

    private doubleClicked(): void {
        clearTimeout(this.clickTimer);
        this.panel.zoom(null);
    }
}

// The lower and the upper edge of what is drawn of a signal; between them it is filled.
function edges({ unit, look }: LegendEntry): uPlot.Series[] {
    const edge = {
        scale: `y:${unit.text}`,
        stroke: themeColour(look.colour),
        dash: look.dash,
        width: 1.75,
        points: { show: false },
    };
    return [edge, { ...edge }];
}

// Labels of an axis: as short as they can be without losing a digit that matters.
export function shortNumber(value: number): string {
    const size = Math.abs(value);
    if (size !== 0 && (size >= 1e5 || size < 1e-3))
        return value.toExponential(1).replace("e+", "e");
    return String(Number(value.toPrecision(6)));
}
