// design/curves.ts: the response as charts: states with their goals, one chart for each unit, and inputs
// with their limits. Thin lines behind: the response that the file gives as it is.

import uPlot from "uplot";

import { shortNumber } from "../chart";
import { COLOURS } from "../colours";
import { make, setText } from "../dom";
import { padded } from "../plotdata";
import { Curve, DesignHello, PortInfo, Response } from "../protocol";
import { formatted, ShownUnit, shownUnit } from "../quantity";
import { themeColour } from "../theme";
import { unlessRounding } from "./scale";

const AXIS = 58; // pixels for the numbers of the vertical axis
const EXTRAS = 3; // lines beside each: as in the file, wanted or limit, estimated or other limit

type Kind = "state" | "input";

interface Line {
    port: PortInfo;
    kind: Kind;
    index: number; // in its kind
    unit: ShownUnit;
    value: HTMLElement;
}

/** What the response of another period or duration was at these times, on straight lines. */
export function resampled(times: readonly number[], from: readonly number[], curve: Curve): Curve {
    let at = 0;
    return times.map((t) => {
        while (at + 1 < from.length && from[at + 1]! <= t) at++;
        const [a, b] = [curve[at], curve[at + 1]];
        if (a === null || a === undefined || from[at]! > t) return null;
        if (from[at] === t) return a;
        if (b === null || b === undefined) return null;
        return a + ((b - a) * (t - from[at]!)) / (from[at + 1]! - from[at]!);
    });
}

const level = (value: number | null | undefined, count: number, factor: number): Curve =>
    Array.from({ length: count }, () =>
        value === null || value === undefined ? null : value * factor,
    );

class CurveChart {
    readonly element: HTMLElement;
    private host: HTMLElement;
    private legend: HTMLElement;
    private plot: uPlot | null = null;
    private response: Response | null = null;
    private first: Response | null = null;
    private estimates = false;

    constructor(
        private lines: Line[],
        title: string,
    ) {
        this.legend = make("div", { class: "curve-legend" }, make("b", {}, title));
        lines.forEach((line, place) => this.legend.append(this.chip(line, place)));
        this.host = make("div", { class: "chart-plot", "data-test": "curve-plot" });
        const label = `${title}: ${lines.map((line) => line.port.name).join(", ")}`;
        this.element = make("section", { class: "curve", "aria-label": label }, this.legend, this.host);
        new ResizeObserver(() => this.resize()).observe(this.host);
    }

    show(response: Response, first: Response | null, estimates: boolean): void {
        [this.response, this.first, this.estimates] = [response, first, estimates];
        if (!this.plot) this.rebuild();
        else this.plot.setData(this.data() as uPlot.AlignedData);
        this.showValues();
    }

    /** After a change of theme. */
    rebuild(): void {
        this.plot?.destroy();
        this.plot = null;
        if (!this.response) return;
        const series = this.lines.flatMap((line, place) => this.series(line, place));
        const text = themeColour("--plot-text");
        const grid = { stroke: themeColour("--plot-grid"), width: 1 };
        const font = '13px system-ui, "DejaVu Sans", sans-serif';
        const look = { stroke: text, font, grid, ticks: { ...grid, size: 4 } };
        const numbers = (_: uPlot, splits: number[]) => splits.map(shortNumber);
        const seconds = (_: uPlot, splits: number[]) => splits.map((s) => `${shortNumber(s)} s`);
        const unit = this.lines[0]!.unit.text;
        this.plot = new uPlot(
            {
                width: Math.max(this.host.clientWidth, 50),
                height: Math.max(this.host.clientHeight, 50),
                legend: { show: false },
                padding: [8, 24, 0, 0],
                cursor: { y: false, drag: { x: false, y: false }, sync: { key: "design" } },
                scales: {
                    x: { time: false },
                    y: { range: (_, low, high) => padded(low, high) },
                },
                series: [{}, ...series],
                axes: [
                    { ...look, size: 28, gap: 4, space: 60, values: seconds },
                    {
                        ...look,
                        size: AXIS,
                        gap: 4,
                        space: 28,
                        values: numbers,
                        label: unit || " ",
                        labelSize: 18,
                        labelGap: 0,
                        labelFont: font,
                    },
                ],
                hooks: { setCursor: [() => this.showValues()] },
            },
            this.data() as uPlot.AlignedData,
            this.host,
        );
    }

    private chip(line: Line, place: number): HTMLElement {
        const chip = make(
            "span",
            { class: "chart-chip" },
            make("span", { class: "chart-colour", "aria-hidden": "true" }),
            make("span", { class: "chart-name" }, line.port.name),
            line.value,
            make("span", { class: "chart-unit" }, line.unit.text),
        );
        chip.style.setProperty("--chip", `var(--plot-${(place % COLOURS) + 1})`);
        return chip;
    }

    // In the order in which they are drawn: what is behind comes first.
    private series(line: Line, place: number): uPlot.Series[] {
        const stroke = themeColour(`--plot-${(place % COLOURS) + 1}`);
        const points = { show: false };
        const limit = line.kind === "input" ? themeColour("--error") : stroke;
        // An input keeps its value for a period; a line to the next one would be a ramp.
        const held = line.kind === "input" && uPlot.paths.stepped;
        const paths = held ? held({ align: 1 }) : undefined;
        return [
            { stroke: `${stroke}66`, width: 1.5, paths, points },
            { stroke: limit, width: 1.25, dash: [7, 5], points },
            line.kind === "input"
                ? { stroke: limit, width: 1.25, dash: [7, 5], points }
                : { stroke, width: 1.25, dash: [2, 3], points },
            { stroke, width: 2.25, paths, points },
        ];
    }

    private data(): unknown[] {
        const { t } = this.response!;
        return [t, ...this.lines.flatMap((line) => this.columns(line))];
    }

    private columns({ kind, index, unit: { factor } }: Line): Curve[] {
        const response = this.response!;
        const { t } = response;
        const scaled = (curve: Curve | undefined): Curve =>
            curve ? curve.map((v) => (v === null ? null : v * factor)) : level(null, t.length, 1);
        const pick = (from: Response) => (kind === "state" ? from.x : from.u)[index];
        const old = this.first && pick(this.first);
        const before = old ? scaled(resampled(t, this.first!.t, old)) : level(null, t.length, 1);
        const use = response.use[index];
        const extras =
            kind === "state"
                ? [
                      level(response.goal[index], t.length, factor),
                      scaled(this.estimates ? response.estimate[index] : undefined),
                  ]
                : [level(use?.low, t.length, factor), level(use?.high, t.length, factor)];
        return [before, ...extras, scaled(pick(response))];
    }

    // At the cursor, otherwise at the end.
    private showValues(): void {
        const at = this.plot?.cursor.idx ?? -1;
        this.lines.forEach((line, place) => {
            const column = this.plot?.data[1 + place * (EXTRAS + 1) + EXTRAS];
            const value = column?.[at >= 0 ? at : column.length - 1];
            const size = Math.max(...[...(column ?? [])].map((v) => Math.abs(v ?? 0)));
            setText(line.value, formatted(unlessRounding(value, size)));
        });
        this.legend.classList.toggle("at-cursor", at >= 0);
    }

    private resize(): void {
        const { clientWidth: width, clientHeight: height } = this.host;
        if (this.plot && width >= 20 && height >= 20) this.plot.setSize({ width, height });
    }
}

export class Curves {
    private charts: CurveChart[] = [];

    constructor(
        private hello: DesignHello,
        private element: HTMLElement,
    ) {}

    /** Also after a change of what units are shown. */
    build(people: boolean): void {
        this.charts = [
            ...this.group(this.hello.states, "state", "States", people),
            ...this.group(this.hello.inputs, "input", "Inputs", people),
        ];
        this.element.replaceChildren(...this.charts.map((chart) => chart.element));
    }

    show(response: Response, first: Response | null, estimates: boolean): void {
        for (const chart of this.charts) chart.show(response, first, estimates);
    }

    recolour(): void {
        for (const chart of this.charts) chart.rebuild();
    }

    // One chart for each unit.
    private group(ports: PortInfo[], kind: Kind, title: string, people: boolean): CurveChart[] {
        const units = new Map<string, Line[]>();
        ports.forEach((port, index) => {
            const unit = shownUnit(port.unit, people);
            const value = make("output", { class: "chart-value", "data-test": `end-${port.name}` });
            const lines = units.get(unit.text) ?? [];
            units.set(unit.text, [...lines, { port, kind, index, unit, value }]);
        });
        return [...units.values()].map((lines) => new CurveChart(lines, title));
    }
}
