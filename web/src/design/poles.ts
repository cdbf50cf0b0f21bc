// design/poles.ts: the z-plane with the poles of plant, loop and filter. Where the file asks for poles, they
// are handles: dragged with the pointer, or moved by arrow keys; the two of a pair go together.

import { make } from "../dom";
import { Answer, DesignHello } from "../protocol";
import { loopPoles } from "./facts";
import { gridOf, marks, Spot, svg, WHOLE, Window, windowAround } from "./plane";
import { rounded } from "./scale";
import { Values } from "./values";

const STEP = 0.005; // of an arrow key; a tenth of it with Shift
const MARK = 0.022; // size of a mark, of the window's half
const HANDLE = 0.055;
const EDGE = 0.999; // a wanted pole stays inside the circle

// One handle: a real pole, or a pair, by the numbers of their knobs.
interface Handle {
    re: number;
    im: number;
    mate: { re: number; im: number } | null; // knobs of the other one of a pair
}

/** The wanted poles of a gear: the upper one of each pair, and the real ones. */
export function handlesOf(hello: DesignHello, values: Values, gear: number): Handle[] {
    const spots = hello.knobs.flatMap((knob, index) =>
        knob.form === "re" && (knob.gear < 0 || knob.gear === gear)
            ? [{ re: index, im: index + 1, used: false }]
            : [],
    );
    return spots.flatMap((spot): Handle[] => {
        if (spot.used) return [];
        spot.used = true;
        const im = values.get(spot.im);
        if (im === 0) return [{ re: spot.re, im: spot.im, mate: null }];
        const mate = spots.find(
            (other) =>
                !other.used &&
                values.get(other.im) === -im &&
                values.get(other.re) === values.get(spot.re),
        );
        if (mate) mate.used = true;
        const own = { re: spot.re, im: spot.im };
        if (!mate) return [{ ...own, mate: null }];
        const other = { re: mate.re, im: mate.im };
        return [im > 0 ? { ...own, mate: other } : { ...other, mate: own }];
    });
}

export class PolePlane {
    readonly element: HTMLElement;
    private picture: SVGElement;
    private layer: SVGElement;
    private list: HTMLElement;
    private window: Window = WHOLE;
    private whole = false;
    private dragged = false;
    private gear = 0;
    private answer: Answer | null = null;

    constructor(
        private hello: DesignHello,
        private values: Values,
    ) {
        this.picture = svg("svg", {
            class: "plane",
            role: "group",
            "aria-label": "poles in the z-plane; the circle is the edge of stability",
            "data-test": "plane",
        });
        this.layer = svg("g");
        this.picture.append(gridOf(), this.layer);
        this.list = make("div", { class: "plane-list" });
        const whole = make("input", {
            type: "checkbox",
            id: "plane-whole",
            onchange: () => {
                this.whole = whole.checked;
                this.draw();
            },
        });
        this.element = make(
            "section",
            { class: "facts-part" },
            make(
                "div",
                { class: "plane-head" },
                make("h2", {}, "Poles in the z-plane"),
                make("label", { class: "check" }, whole, "whole circle"),
            ),
            this.picture as unknown as HTMLElement,
            legend(),
            this.list,
        );
        values.onChange(() => this.draw());
    }

    show(answer: Answer, gear: number): void {
        this.answer = answer;
        this.gear = gear;
        this.draw();
    }

    // ---- drawing -------------------------------------------------------------------------------

    private draw(): void {
        const { answer } = this;
        if (!answer) return;
        const handles = handlesOf(this.hello, this.values, this.gear);
        const wanted = handles.map((handle) => this.spotOf(handle));
        // A window that moves under a pole that is being dragged would drag it on.
        if (!this.dragged) {
            const near = [...loopPoles(answer), ...wanted];
            // The edge of stability is worth seeing.
            if (near.some((spot) => spot.re > 0.6)) near.push({ re: 1, im: 0 });
            this.window = this.whole ? WHOLE : windowAround(near);
        }
        const { re, im, half } = this.window;
        this.picture.setAttribute("viewBox", `${re - half} ${-im - half} ${2 * half} ${2 * half}`);
        const size = MARK * half;
        const focused = document.activeElement?.getAttribute("data-handle") ?? null;
        this.layer.replaceChildren(
            marks(answer.plant_poles ?? [], "plus", "plant", size),
            marks(answer.kalman_poles ?? [], "diamond", "filter", size),
            marks(loopPoles(answer), "cross", "loop", size),
            ...handles.flatMap((handle, i) => this.handleElements(handle, i)),
        );
        if (focused !== null)
            this.layer.querySelector<SVGElement>(`[data-handle="${focused}"]`)?.focus();
        this.fillList(handles);
    }

    private spotOf(handle: Handle): Spot {
        return { re: this.values.get(handle.re), im: this.values.get(handle.im) };
    }

    private handleElements(handle: Handle, place: number): SVGElement[] {
        const { re, im } = this.spotOf(handle);
        const r = HANDLE * this.window.half;
        const words = im === 0 ? `${re}` : `${re} plus or minus ${im} i`;
        const main = svg("circle", {
            cx: re,
            cy: -im,
            r,
            class: "plane-handle",
            tabindex: 0,
            role: "slider",
            "data-handle": place,
            "data-test": `handle-${place}`,
            "aria-label": handle.mate ? "pair of poles: arrow keys move it" : "pole: arrow keys move it",
            "aria-valuemin": -1,
            "aria-valuemax": 1,
            "aria-valuenow": re,
            "aria-valuetext": words,
        });
        main.addEventListener("pointerdown", (event) => this.grab(event, handle));
        main.addEventListener("keydown", (event) => this.press(event, handle));
        if (!handle.mate) return [main];
        return [svg("circle", { cx: re, cy: im, r, class: "plane-handle mate" }), main];
    }

    // ---- moving --------------------------------------------------------------------------------

    private move(handle: Handle, re: number, im: number): void {
        const size = Math.hypot(re, im);
        const shrink = size > EDGE ? EDGE / size : 1;
        const x = rounded(re * shrink, 4);
        // A pair that touches the axis would be two poles at one place: it stays a little apart.
        const y = handle.mate ? Math.max(rounded(Math.abs(im) * shrink, 4), 0.0005) : 0;
        const mate = handle.mate;
        this.values.set([
            [handle.re, x],
            [handle.im, y],
            ...(mate ? ([[mate.re, x], [mate.im, -y]] as const) : []),
        ]);
    }

    // The handle is drawn anew while it moves: the window listens, not the handle.
    private grab(event: Event, handle: Handle): void {
        const down = event as PointerEvent;
        down.preventDefault();
        (down.target as SVGElement).focus();
        this.dragged = true;
        const box = this.picture.getBoundingClientRect();
        const { re, im, half } = this.window;
        const scale = (2 * half) / Math.min(box.width, box.height);
        const moved = (at: PointerEvent) => {
            const x = re + (at.clientX - box.left - box.width / 2) * scale;
            const y = im - (at.clientY - box.top - box.height / 2) * scale;
            this.move(handle, x, y);
        };
        const up = () => {
            removeEventListener("pointermove", moved);
            removeEventListener("pointerup", up);
            removeEventListener("pointercancel", up);
            this.dragged = false;
            this.draw();
        };
        addEventListener("pointermove", moved);
        addEventListener("pointerup", up);
        addEventListener("pointercancel", up);
    }

    private press(event: Event, handle: Handle): void {
        const { key, shiftKey } = event as KeyboardEvent;
        const ways: Record<string, [number, number]> = {
            ArrowLeft: [-1, 0],
            ArrowRight: [1, 0],
            ArrowUp: [0, 1],
            ArrowDown: [0, -1],
        };
        const way = ways[key];
        if (!way) return;
        event.preventDefault();
        const step = shiftKey ? STEP / 10 : STEP;
        const { re, im } = this.spotOf(handle);
        this.move(handle, re + step * way[0], im + step * way[1]);
    }

    // ---- pairs made and split ------------------------------------------------------------------

    // A pair may become two real poles, two real ones a pair.
    private fillList(handles: Handle[]): void {
        const reals = handles.filter((handle) => !handle.mate);
        const buttons = handles.flatMap((handle) => (handle.mate ? [this.splitButton(handle)] : []));
        if (reals.length >= 2) buttons.push(this.joinButton(reals[0]!, reals[1]!));
        const same = this.list.dataset.as === String(buttons.length + 100 * reals.length);
        if (same && handles.length > 0) return; // a button keeps the focus
        this.list.dataset.as = String(buttons.length + 100 * reals.length);
        this.list.replaceChildren(...buttons);
    }

    private splitButton(handle: Handle): HTMLElement {
        const split = () => {
            const { re, im } = this.spotOf(handle);
            const apart = Math.min(Math.max(Math.abs(im), 0.01), EDGE - Math.abs(re));
            this.values.set([
                [handle.re, rounded(re + apart, 4)],
                [handle.im, 0],
                [handle.mate!.re, rounded(re - apart, 4)],
                [handle.mate!.im, 0],
            ]);
        };
        return make("button", { type: "button", class: "small", onclick: split }, "Pair to two real poles");
    }

    private joinButton(a: Handle, b: Handle): HTMLElement {
        const join = () => {
            const [x, y] = [this.values.get(a.re), this.values.get(b.re)];
            const re = rounded((x + y) / 2, 4);
            const im = rounded(Math.max(Math.abs(x - y) / 2, 0.01), 4);
            this.values.set([
                [a.re, re],
                [a.im, im],
                [b.re, re],
                [b.im, -im],
            ]);
        };
        return make("button", { type: "button", class: "small", onclick: join }, "Two real poles to a pair");
    }
}

function legend(): HTMLElement {
    const entry = (kind: string, sign: string, text: string) =>
        make("span", {}, make("b", { class: kind, "aria-hidden": "true" }, sign), ` ${text}`);
    return make(
        "p",
        { class: "plane-legend" },
        entry("loop", "\u00d7", "loop"),
        entry("plant", "+", "plant alone"),
        entry("filter", "\u25c7", "filter"),
    );
}
