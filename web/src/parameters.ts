// parameters.ts: the parameters that may change while the run goes on: a slider over the usual
// range, a box for any allowed value. What the server says is what counts: a change shows as taken
// when its echo comes, here and in every other viewer.

import { App } from "./app";
import { dotted, make, setText } from "./dom";
import { prefixOf } from "./picker";
import { ParameterInfo } from "./protocol";
import { niceStep, plain, shownUnit } from "./quantity";
import { Throttle } from "./throttle";

const SEND_EVERY_MS = 50;
const REFUSAL_WINDOW_MS = 2000; // a refusal this soon after a change is about it

class ParameterRow {
    readonly element: HTMLElement;
    private slider: HTMLInputElement;
    private box: HTMLInputElement;
    private reset: HTMLButtonElement;
    private refusal: HTMLElement;
    private throttle: Throttle<number>;
    private factor: number;
    private value: number; // the server's, SI
    sentAt = -Infinity;

    constructor(
        private app: App,
        private index: number,
        private info: ParameterInfo,
    ) {
        const unit = shownUnit(info.unit, app.settings.get("people"));
        const step = niceStep((info.high - info.low) * unit.factor);
        this.factor = unit.factor;
        this.value = info.value;
        this.throttle = new Throttle(SEND_EVERY_MS, (value) => this.send(value));
        const id = `parameter-${info.path}`;
        this.slider = make("input", {
            type: "range",
            id: `${id}-slider`,
            "data-test": `slider-${info.path}`,
            // Steps are counted from the low end: a round one gives round values.
            min: Math.floor((info.low * unit.factor) / step) * step,
            max: info.high * unit.factor,
            step,
            "aria-label": `${info.path}, ${unit.text}`,
            oninput: () => this.ask(Math.max(Number(this.slider.value) / this.factor, info.low)),
        });
        this.box = make("input", {
            type: "number",
            id,
            "data-test": `box-${info.path}`,
            step: "any",
            onchange: () => this.typed(),
        });
        this.reset = make(
            "button",
            {
                type: "button",
                class: "small",
                "data-test": `reset-${info.path}`,
                title: `back to ${plain(info.initial * unit.factor)} ${unit.text}`.trim(),
                "aria-label": `reset ${info.path} to its initial value`,
                onclick: () => this.ask(info.initial),
            },
            "Reset",
        );
        this.refusal = make("p", { class: "parameter-refusal", role: "alert", hidden: true });
        this.element = this.build(id, unit.text);
        this.show(info.value);
    }

    private build(id: string, unit: string): HTMLElement {
        const { info, factor } = this;
        const number = (value: number) => plain(value * factor);
        const initial = `${number(info.initial)} ${unit}`.trim();
        const allowed = [
            Number.isFinite(info.min) ? `at least ${number(info.min)}` : "",
            Number.isFinite(info.max) ? `at most ${number(info.max)}` : "",
        ].filter(Boolean);
        this.box.title = allowed.length > 0 ? `${allowed.join(", ")} ${unit}` : "";
        return make(
            "section",
            { class: "parameter", "data-test": `parameter-${info.path}` },
            make(
                "div",
                { class: "parameter-head" },
                make("label", { for: id, title: info.path }, dotted(lastPart(info.path))),
                this.box,
                make("span", { class: "parameter-unit" }, unit),
                this.reset,
            ),
            make(
                "div",
                { class: "parameter-range" },
                make("span", {}, number(info.low)),
                this.slider,
                make("span", {}, number(info.high)),
            ),
            make("p", { class: "hint" }, `${info.sentence} (initially ${initial})`),
            this.refusal,
        );
    }

    /** The server's word. */
    show(value: number): void {
        this.value = value;
        const shown = value * this.factor;
        // A slider under the finger and a box being typed in are the person's, not the server's.
        if (!this.slider.matches(":active")) this.slider.value = String(shown);
        if (document.activeElement !== this.box) this.box.value = plain(shown);
        const initial = this.info.initial;
        const changed = Math.abs(value - initial) > 1e-6 * Math.abs(initial);
        this.reset.disabled = !changed;
        this.element.classList.toggle("changed", changed);
    }

    refuse(text: string): void {
        this.sentAt = -Infinity;
        this.refusal.hidden = false;
        setText(this.refusal, text);
        this.box.value = plain(this.value * this.factor);
        this.slider.value = String(this.value * this.factor);
    }

    private typed(): void {
        const shown = Number(this.box.value);
        if (this.box.value.trim() === "" || !Number.isFinite(shown)) {
            this.refuse(`${this.info.path}: a number is needed`);
            return;
        }
        this.ask(shown / this.factor);
    }

    private ask(value: number): void {
        this.refusal.hidden = true;
        this.box.value = plain(value * this.factor);
        this.slider.value = String(value * this.factor);
        this.throttle.push(value);
    }

    private send(value: number): void {
        this.sentAt = performance.now();
        if (!this.app.link.send({ type: "parameter", index: this.index, value })) {
            this.refuse("there is no connection: nothing was changed");
        }
    }
}

const lastPart = (path: string) => path.slice(path.lastIndexOf(".") + 1);
const heading = (prefix: string) => make("h2", { class: "parameter-group" }, dotted(prefix));

// Places of the parameters by the prefix of their paths, wherever they stand in the table. Those
// without one come first, below no heading.
export function byPrefix(parameters: readonly { path: string }[]): Map<string, number[]> {
    const groups = new Map<string, number[]>([["", []]]);
    parameters.forEach(({ path }, index) => {
        const prefix = prefixOf(path);
        groups.set(prefix, [...(groups.get(prefix) ?? []), index]);
    });
    return groups;
}

export function mountParameters(app: App, element: HTMLElement): void {
    const list = make("div", { class: "parameters" });
    const rows: ParameterRow[] = [];
    const values = app.hello.parameters.map((parameter) => parameter.value);
    const fill = () => {
        rows.length = 0;
        app.hello.parameters.forEach((info, index) =>
            rows.push(new ParameterRow(app, index, { ...info, value: values[index]! })),
        );
        list.replaceChildren();
        for (const [prefix, members] of byPrefix(app.hello.parameters)) {
            if (prefix !== "") list.append(heading(prefix));
            list.append(...members.map((index) => rows[index]!.element));
        }
        if (rows.length === 0) {
            list.append(make("p", { class: "hint" }, "This run has no parameter that may change."));
        }
    };
    const show = (index: number, value: number) => {
        values[index] = value;
        rows[index]?.show(value);
    };
    element.append(list);
    fill();
    app.settings.onChange((key) => {
        if (key === "people") fill();
    });
    app.link.on("parameter", ({ index, value }) => show(index, value));
    app.link.on("hello", (hello) => hello.parameters.forEach((p, index) => show(index, p.value)));
    // A refusal does not say of what: it is about the parameter asked for last, if just now.
    app.link.on("refused", ({ text }) => {
        const last = rows.reduce<ParameterRow | null>(
            (best, row) => (row.sentAt > (best?.sentAt ?? -Infinity) ? row : best),
            null,
        );
        if (last && performance.now() - last.sentAt < REFUSAL_WINDOW_MS) last.refuse(text);
    });
    app.probes.parameters = () =>
        Object.fromEntries(app.hello.parameters.map((p, index) => [p.path, values[index]]));
}
