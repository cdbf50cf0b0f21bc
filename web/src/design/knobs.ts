// design/knobs.ts: one line for each knob: its name, a slider, a box for any value, and a way back to what
// the file says. Poles are not here: they are moved in the plane (poles.ts).

import { dotted, make } from "../dom";
import { DesignHello, KnobInfo } from "../protocol";
import { plain } from "../quantity";
import { knobUnit, POSITIONS, positionOf, reaching, valueAt } from "./scale";
import { Values } from "./values";

class KnobRow {
    readonly element: HTMLElement;
    private slider: HTMLInputElement;
    private box: HTMLInputElement;
    private reset: HTMLButtonElement;
    private factor: number;
    private unit: string;

    constructor(
        private values: Values,
        private index: number,
        private info: KnobInfo,
        people: boolean,
    ) {
        const unit = knobUnit(info, people);
        this.factor = unit.factor;
        this.unit = unit.text;
        const id = `knob-${info.path}`;
        this.slider = make("input", {
            type: "range",
            "data-test": `slider-${info.path}`,
            min: 0,
            max: POSITIONS,
            step: 1,
            "aria-label": `${info.group}: ${info.name}`,
            oninput: () => this.slid(),
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
                class: "small quiet knob-reset",
                "data-test": `reset-${info.path}`,
                title: `back to ${plain(info.value * this.factor)} ${this.unit}`.trim(),
                "aria-label": `${info.name}: back to what the file says`,
                onclick: () => values.set([[index, info.value]]),
            },
            "\u21ba",
        );
        this.element = make(
            "div",
            { class: "knob", "data-test": `knob-${info.path}`, title: info.sentence },
            make("label", { for: id }, dotted(info.name)),
            this.slider,
            this.box,
            make("span", { class: "knob-unit" }, this.unit),
            this.reset,
        );
        this.show();
    }

    /** What the values say now. */
    show(): void {
        const value = this.values.get(this.index);
        const text = plain(value * this.factor);
        const position = positionOf(this.info, reaching(this.info, value), value);
        if (document.activeElement !== this.box) this.box.value = text;
        if (!this.slider.matches(":active")) this.slider.value = String(position);
        this.slider.setAttribute("aria-valuetext", `${text} ${this.unit}`.trim());
        const changed = this.values.changed(this.index);
        this.reset.disabled = !changed;
        this.element.classList.toggle("changed", changed);
    }

    private slid(): void {
        const range = reaching(this.info, this.values.get(this.index));
        const value = valueAt(this.info, range, Number(this.slider.value));
        this.values.set([[this.index, value]]);
    }

    private typed(): void {
        const shown = Number(this.box.value);
        if (this.box.value.trim() === "" || !Number.isFinite(shown)) {
            this.box.value = plain(this.values.get(this.index) * this.factor);
            return;
        }
        // Through text, so that 0.1 ms is 0.0001 s and not 0.00010000000000000001.
        this.values.set([[this.index, Number((shown / this.factor).toPrecision(12))]]);
    }
}

/** Headings with their knobs, those of one gear and those of all. */
export function mountKnobs(
    hello: DesignHello,
    values: Values,
    people: () => boolean,
    element: HTMLElement,
): { fill(gear: number): void } {
    let rows: KnobRow[] = [];
    const fill = (gear: number) => {
        const groups = new Map<string, HTMLElement>();
        rows = [];
        hello.knobs.forEach((info, index) => {
            const shown = info.gear < 0 || info.gear === gear;
            if (!shown || info.form === "re" || info.form === "im") return;
            const row = new KnobRow(values, index, info, people());
            const group =
                groups.get(info.group) ??
                make("details", { class: "knobs", open: true }, make("summary", {}, info.group));
            groups.set(info.group, group);
            group.append(row.element);
            rows.push(row);
        });
        element.replaceChildren(...groups.values());
    };
    values.onChange(() => rows.forEach((row) => row.show()));
    return { fill };
}
