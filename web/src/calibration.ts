// calibration.ts: the screen on which a controller is measured and assigned: live bars of all axes
// and buttons, the ends and the centre of each axis captured, each function of the profile given to
// an axis or a button. Kept per controller. The robot stays in neutral meanwhile.

import { make, segments, setText } from "./dom";
import { Driver } from "./driver";
import {
    AxisRange,
    currentPad,
    defaultMapping,
    loadMapping,
    Mapping,
    Pad,
    PadReader,
    saveMapping,
    Source,
    sourceKey,
    sourceText,
} from "./gamepad";
import { clamp } from "./numbers";
import { Demand, demandOf, Profile, ProfileFunction, profileOf } from "./profiles";

const LISTEN_TRAVEL = 0.5; // an axis moved this far is the one that is meant

interface Bar {
    element: HTMLElement;
    show(value: number, low: number, high: number): void;
}

// A bar from low to high with a mark at the value.
function createBar(label: string, test: string): Bar {
    const mark = make("div", { class: "cal-mark" });
    const span = make("div", { class: "cal-span" });
    const value = make("output", { class: "drive-number" });
    const place = (v: number) => `${(50 + 50 * clamp(v, -1, 1)).toFixed(1)}%`;
    return {
        element: make(
            "div",
            { class: "cal-row", "data-test": test },
            make("span", {}, label),
            make("div", { class: "cal-bar" }, span, mark),
            value,
        ),
        show(v, low, high) {
            mark.style.left = place(v);
            span.style.left = place(low);
            span.style.right = `calc(100% - ${place(high)})`;
            setText(value, v.toFixed(2));
        },
    };
}

class Calibration {
    private dialog: HTMLDialogElement;
    private mapping: Mapping;
    private profile: Profile;
    private axes: Bar[];
    private buttons: HTMLElement[];
    private tried: (keyof Demand)[]; // what the bars at the end show
    private result: Bar[];
    private reader = new PadReader();
    private assignments = make("div", { class: "cal-assign" });
    private capture: HTMLButtonElement;
    private advice = make("p", { class: "hint", role: "status" });
    private showDeadZone = () => {};
    private capturing = false;
    private before: AxisRange[] = []; // ends as they were when the capture began
    private listening: { fn: ProfileFunction; axes: number[] } | null = null;
    private frame = 0;

    constructor(
        private driver: Driver,
        private pad: Pad,
    ) {
        this.mapping = loadMapping(pad);
        this.profile = driver.profile;
        this.axes = pad.axes.map((_, i) => createBar(`axis ${i}`, `cal-axis-${i}`));
        this.buttons = pad.buttons.map((_, i) => make("span", { class: "cal-button" }, String(i)));
        this.tried = driver.wiring.sideways ? ["throttle", "aside", "turn"] : ["left", "right"];
        this.result = this.tried.map((what) => createBar(what, `cal-${what}`));
        this.capture = make("button", {
            type: "button",
            id: "cal-capture",
            onclick: () => this.toggleCapture(),
        });
        this.dialog = make(
            "dialog",
            { class: "calibration", id: "calibration", "aria-label": "Calibrate the controller" },
            ...this.build(),
        );
        this.dialog.addEventListener("close", () => this.closed());
        this.fillAssignments();
        this.showCapture();
    }

    open(): void {
        this.driver.letGo("calibrating the controller");
        this.driver.paused = true;
        document.body.append(this.dialog);
        this.dialog.showModal();
        this.frame = requestAnimationFrame(() => this.poll());
    }

    // ---- building ------------------------------------------------------------------------------

    private build(): HTMLElement[] {
        const save = make(
            "button",
            { type: "button", id: "cal-save", class: "primary", onclick: () => this.save() },
            "Save",
        );
        const cancel = make(
            "button",
            { type: "button", id: "cal-cancel", onclick: () => this.dialog.close() },
            "Cancel",
        );
        const reset = make(
            "button",
            { type: "button", id: "cal-reset", onclick: () => this.reset() },
            "Defaults",
        );
        return [
            make("header", {}, make("h2", {}, "Calibrate the controller"), reset, cancel, save),
            make("p", { class: "hint" }, this.pad.id),
            make(
                "div",
                { class: "cal-columns" },
                make(
                    "section",
                    {},
                    make("h3", {}, "1. Measure"),
                    make("div", { class: "cal-capture" }, this.capture),
                    this.advice,
                    ...this.axes.map((bar) => bar.element),
                    make("div", { class: "cal-buttons", "aria-label": "buttons" }, ...this.buttons),
                ),
                make(
                    "section",
                    {},
                    make("h3", {}, "2. Assign"),
                    this.profileChoice(),
                    this.assignments,
                    this.deadZoneChoice(),
                    make("h3", {}, "3. Try"),
                    ...this.result.map((bar) => bar.element),
                ),
            ),
        ];
    }

    private profileChoice(): HTMLElement {
        const options = this.driver
            .profiles()
            .map((p) => ({ value: p.name, text: p.label, title: p.sentence }));
        return segments("profile", "cal-profile", options, this.profile.name, (name) => {
            this.profile = profileOf(name);
            this.listening = null;
            this.fillAssignments();
        }).element;
    }

    private deadZoneChoice(): HTMLElement {
        const value = make("output", { class: "drive-number" });
        const slider = make("input", {
            type: "range",
            id: "cal-dead-zone",
            min: 0,
            max: 0.5,
            step: 0.01,
            oninput: () => {
                this.mapping.deadZone = Number(slider.value);
                this.showDeadZone();
            },
        });
        this.showDeadZone = () => {
            slider.value = String(this.mapping.deadZone);
            setText(value, `${Math.round(100 * this.mapping.deadZone)} %`);
        };
        this.showDeadZone();
        return make(
            "label",
            { class: "input-row" },
            make("span", { class: "input-name" }, "dead zone"),
            slider,
            value,
        );
    }

    private fillAssignments(): void {
        this.assignments.replaceChildren(
            ...this.profile.functions.map((fn) => this.assignment(fn)),
        );
    }

    private assignment(fn: ProfileFunction): HTMLElement {
        const key = sourceKey(this.profile.name, fn.key);
        const source = this.mapping.sources[key]!;
        const select = make("select", {
            "aria-label": `${fn.label}: axis or button`,
            "data-test": `assign-${fn.key}`,
            onchange: () => {
                const [kind, index] = select.value.split(" ");
                this.assign(fn, { ...source, kind: kind as Source["kind"], index: Number(index) });
            },
        });
        const standard = this.pad.mapping === "standard";
        select.append(make("option", { value: "none 0" }, "none"));
        const offer = (kind: Source["kind"], count: number) => {
            for (let index = 0; index < count; index++) {
                const text = sourceText({ kind, index, invert: false }, standard);
                select.append(make("option", { value: `${kind} ${index}` }, text));
            }
        };
        offer("axis", this.pad.axes.length);
        offer("button", this.pad.buttons.length);
        select.value = `${source.kind} ${source.index}`;
        if (select.selectedIndex < 0) select.value = "none 0"; // of a controller that had more
        const invert = make("input", {
            type: "checkbox",
            "data-test": `invert-${fn.key}`,
            checked: source.invert,
            onchange: () => this.assign(fn, { ...source, invert: invert.checked }),
        });
        const waiting = this.listening?.fn.key === fn.key;
        const listen = make(
            "button",
            {
                type: "button",
                class: "small",
                "data-test": `listen-${fn.key}`,
                "aria-pressed": String(waiting),
                onclick: () => this.listen(waiting ? null : fn),
            },
            waiting ? "move it now" : "Listen",
        );
        return make(
            "div",
            { class: "cal-function" },
            make("span", {}, fn.label),
            select,
            make("label", { class: "check" }, invert, "invert"),
            listen,
        );
    }

    // ---- doing ---------------------------------------------------------------------------------

    private assign(fn: ProfileFunction, source: Source): void {
        this.mapping.sources[sourceKey(this.profile.name, fn.key)] = source;
        this.listening = null;
        this.fillAssignments();
    }

    private listen(fn: ProfileFunction | null): void {
        this.listening = fn ? { fn, axes: [...this.pad.axes] } : null;
        this.fillAssignments();
    }

    // Starting takes the present place of every axis as its centre; then the ends widen as they are
    // reached. An axis that nobody moved keeps what it had.
    private toggleCapture(): void {
        this.capturing = !this.capturing;
        if (this.capturing) {
            this.before = this.mapping.axes;
            this.mapping.axes = this.pad.axes.map((v) => ({ low: v, centre: v, high: v }));
        } else {
            this.mapping.axes = this.mapping.axes.map((range, i) =>
                captured(range, this.before[i]!),
            );
        }
        this.showCapture();
    }

    private showCapture(): void {
        setText(this.capture, this.capturing ? "Finish" : "Start measuring");
        this.capture.setAttribute("aria-pressed", String(this.capturing));
        setText(
            this.advice,
            this.capturing
                ? "Move every stick, wheel and pedal to both of its ends, then press Finish."
                : "Let go of everything, then press Start: that is the centre.",
        );
    }

    private reset(): void {
        this.mapping = defaultMapping(this.pad);
        this.capturing = false;
        this.fillAssignments();
        this.showDeadZone();
        this.showCapture();
    }

    private save(): void {
        if (this.capturing) this.toggleCapture();
        saveMapping(this.pad, this.mapping);
        this.driver.chooseProfile(this.profile.name);
        this.dialog.close();
    }

    private closed(): void {
        cancelAnimationFrame(this.frame);
        this.dialog.remove();
        this.driver.paused = false;
        this.driver.reloadMapping();
    }

    // ---- every picture -------------------------------------------------------------------------

    private poll(): void {
        const pad = currentPad();
        if (!pad || pad.id !== this.pad.id) return this.dialog.close(); // unplugged
        this.pad = pad;
        this.frame = requestAnimationFrame(() => this.poll());
        pad.axes.forEach((v, i) => {
            const range = this.mapping.axes[i];
            if (!range) return;
            if (this.capturing) {
                range.low = Math.min(range.low, v);
                range.high = Math.max(range.high, v);
            }
            this.axes[i]?.show(v, range.low, range.high);
        });
        pad.buttons.forEach((b, i) => this.buttons[i]?.classList.toggle("on", b.pressed));
        this.hear();
        const hands = this.reader.hands(pad, this.mapping, this.profile);
        const demand = demandOf(this.profile.name, hands);
        this.tried.forEach((what, i) => {
            const share = demand[what];
            this.result[i]!.show(share, Math.min(0, share), Math.max(0, share));
        });
    }

    // While listening: the axis that moves or the button that is pressed is the one.
    private hear(): void {
        const { listening, pad } = this;
        if (!listening) return;
        const { fn } = listening;
        const old = this.mapping.sources[sourceKey(this.profile.name, fn.key)]!;
        const pressed = pad.buttons.findIndex((b) => b.pressed);
        const axis = pad.axes.findIndex((v, i) => Math.abs(v - listening.axes[i]!) > LISTEN_TRAVEL);
        if (axis >= 0) {
            this.assign(fn, { kind: "axis", index: axis, invert: old.invert });
        } else if (pressed >= 0 && (fn.button || fn.oneSided)) {
            this.assign(fn, { kind: "button", index: pressed, invert: false });
        }
    }
}

/** What was measured, unless the axis was not moved far enough to tell. */
export function captured(measured: AxisRange, before: AxisRange): AxisRange {
    return measured.high - measured.low > 0.3 ? measured : before;
}

export function openCalibration(driver: Driver): void {
    if (driver.pad) new Calibration(driver, driver.pad).open();
}
