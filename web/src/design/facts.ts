// design/facts.ts: the numbers of a design as tables: gains, response, margins, checks.

import { make } from "../dom";
import {
    Answer,
    CheckInfo,
    DesignHello,
    Figures,
    Pole,
    Response,
    RobotUse,
    Use,
} from "../protocol";
import { formatted, shownUnit } from "../quantity";
import { unlessRounding } from "./scale";

const NONE = "\u2013";

const number = (value: number | null | undefined) =>
    value === null || value === undefined ? NONE : formatted(value);
const percent = (share: number | null) => (share === null ? NONE : `${(100 * share).toFixed(1)} %`);
const seconds = (value: number | null) =>
    value === null ? NONE : value < 0.1 ? `${formatted(1000 * value)} ms` : `${formatted(value)} s`;

function table(head: string[], rows: string[][], test: string): HTMLElement {
    const cells = (tag: "th" | "td", texts: string[]) =>
        texts.map((text, place) =>
            make(place === 0 ? "th" : tag, place === 0 ? { scope: "row" } : {}, text),
        );
    const whole = make(
        "table",
        { class: "facts-table", "data-test": test },
        make("thead", {}, make("tr", {}, ...head.map((text) => make("th", { scope: "col" }, text)))),
        make("tbody", {}, ...rows.map((row) => make("tr", {}, ...cells("td", row)))),
    );
    return make("div", { class: "facts-scroll" }, whole);
}

function section(title: string, hint: string, ...content: HTMLElement[]): HTMLElement {
    const head = make("h2", { title: hint }, title);
    return make("section", { class: "facts-part" }, head, ...content);
}

function gains(hello: DesignHello, K: number[][]): HTMLElement {
    const head = ["", ...hello.states.map((state) => state.name)];
    const rows = K.map((row, i) => [hello.inputs[i]?.name ?? "", ...row.map(number)]);
    return section("K", "input = K (goal \u2212 state)", table(head, rows, "gains"));
}

// Of the states that have a way to go.
function figures(hello: DesignHello, response: Response, people: boolean): HTMLElement {
    const rows = response.figures.flatMap((figure: Figures, i) => {
        if (response.start[i] === response.goal[i]) return [];
        const state = hello.states[i]!;
        const unit = shownUnit(state.unit, people);
        const error = unlessRounding(figure.error, figure.peak) * unit.factor;
        return [
            [
                state.name,
                seconds(figure.rise),
                percent(figure.overshoot),
                figure.settling === null ? "not yet" : seconds(figure.settling),
                `${formatted(error)} ${unit.text}`.trim(),
            ],
        ];
    });
    const head = ["", "rise", "overshoot", "settled", "left over"];
    return section("Response", "from 10 % to 90 %; within 2 %", table(head, rows, "figures"));
}

function inputs(hello: DesignHello, all: Use[], answer: Answer): HTMLElement {
    const margins = answer.margins ?? [];
    const rows = all.map((use, i) => {
        const margin = margins[i];
        const gain = margin?.gain_up ?? null;
        const phase = margin?.phase ?? null;
        return [
            hello.inputs[i]?.name ?? "",
            `${number(use.peak)} ${shownUnit(hello.inputs[i]?.unit ?? "", false).text}`.trim(),
            percent(use.saturated),
            gain === null ? (margin ? "any" : NONE) : `\u00d7${gain.toPrecision(3)}`,
            phase === null ? (margin ? "any" : NONE) : `${((180 * phase) / Math.PI).toFixed(1)}\u00b0`,
            margin ? (margin.delay === null ? "any" : seconds(margin.delay)) : NONE,
        ];
    });
    if (rows.length > 1 && margins.length) {
        const together = answer.delay_margin_together ?? null;
        rows.push(["together", "", "", "", "", together === null ? "any" : seconds(together)]);
    }
    const head = ["", "peak", "at limit", "gain", "phase", "delay"];
    const hint = "peak and time at a limit; margins of gain, phase and delay";
    return section("Inputs and margins", hint, table(head, rows, "margins"));
}

function robot(use: RobotUse): HTMLElement {
    const amps = (value: number | null) => (value === null ? NONE : `${formatted(value)} A`);
    const volts = use.lowest_voltage === null ? NONE : `${formatted(use.lowest_voltage)} V`;
    const rows = [
        ["motor", amps(use.current), amps(use.current_limit), percent(use.limited)],
        ["battery", amps(use.supply), volts, ""],
    ];
    if (use.stopped) rows.push(["at a stop", "", "", percent(use.stopped)]);
    const notes = use.notes.map((note) => make("li", { class: "failed" }, note));
    return section(
        "Motors and battery",
        "largest current of a motor, its limit and how long that acts; most that is drawn, lowest voltage",
        table(["", "peak", "limit, lowest", "acts"], rows, "robot"),
        make("ul", { "data-test": "notes" }, ...notes),
    );
}

/** Where the poles of the loop are: with its latency, where it has one. */
export function loopPoles(answer: Answer): Pole[] {
    return (answer.delayed_poles?.length ? answer.delayed_poles : answer.poles) ?? [];
}

function poles(all: Pole[], late: boolean): HTMLElement {
    const upper = all.filter((pole) => pole.im >= 0);
    const rows = upper.map((pole) => [
        pole.im > 0
            ? `${pole.re.toFixed(4)} \u00b1 ${pole.im.toFixed(4)} i`
            : pole.re.toFixed(4),
        pole.frequency === null ? NONE : `${number(pole.frequency / (2 * Math.PI))} Hz`,
        pole.damping === null ? NONE : pole.damping.toFixed(3),
        pole.settling === null ? "never" : seconds(pole.settling),
    ]);
    const head = ["z", "frequency", "damping", "settles"];
    const title = late ? "Poles of the loop, with its latency" : "Poles of the loop";
    return section(title, "what is left after one period", table(head, rows, "poles"));
}

function checks(all: CheckInfo[]): HTMLElement {
    const items = all.map((check) =>
        make(
            "li",
            { class: check.passed ? "passed" : "failed" },
            make("b", {}, check.passed ? "holds" : "fails"),
            ` ${check.name.replace(/_/g, " ")}: ${number(check.found)}, wanted ${number(check.limit)} ` +
                (check.unit === "1" ? "" : check.unit),
        ),
    );
    return section("Checks", "of the file", make("ul", { "data-test": "checks" }, ...items));
}

/** Everything that is said about a design, in numbers. */
export function factsOf(hello: DesignHello, answer: Answer, people: boolean): HTMLElement[] {
    const parts: HTMLElement[] = [];
    const response = answer.response;
    if (answer.K?.length) parts.push(gains(hello, answer.K));
    if (response) parts.push(figures(hello, response, people));
    if (response) parts.push(inputs(hello, response.use, answer));
    if (response && response.robot.current !== null) parts.push(robot(response.robot));
    const late = Boolean(answer.delayed_poles?.length);
    if (answer.poles?.length) parts.push(poles(loopPoles(answer), late));
    if (answer.checks?.length) parts.push(checks(answer.checks));
    return parts;
}
