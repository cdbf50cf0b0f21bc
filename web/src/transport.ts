// transport.ts: time: pause, step, speed, reset, and in a replay any moment of it.

import { App } from "./app";
import { make, setText } from "./dom";
import { byId } from "./layout";
import { Connection } from "./link";
import { clamp } from "./numbers";
import { Status } from "./protocol";
import { mayDirect } from "./store";
import { Throttle } from "./throttle";
import { timeText } from "./words";

// 0 asks for as fast as possible.
const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 5, 10, 0];
const SEEK_SMALL = 0.1; // [s] for one press of an arrow key; with Shift ten times that
const SEEK_EVERY_MS = 40; // while the bar is being dragged
// The program's own answer shows after a round trip; until then, what was asked for is shown.
const SETTLE_MS = 400;

const ICONS = {
    play: "M5 3l13 7-13 7z",
    pause: "M4 3h4v14H4zM12 3h4v14h-4z",
    step: "M4 3l8 7-8 7zM13 3h3v14h-3z",
    reset: "M4 3h3v14H4zM17 3v14L8 10z",
};

const STATES: Partial<Record<Connection, string>> = {
    connecting: "connecting",
    silent: "no answer",
    lost: "no connection",
    refused: "no connection",
};

function icon(name: keyof typeof ICONS): SVGElement {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("viewBox", "0 0 20 20");
    svg.setAttribute("aria-hidden", "true");
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("d", ICONS[name]);
    svg.append(path);
    return svg;
}

function iconButton(id: string, shape: keyof typeof ICONS, label: string, extra = "") {
    const attributes = { id, type: "button", class: `icon ${extra}`.trim(), "data-test": id };
    const button = make("button", attributes, icon(shape));
    button.setAttribute("aria-label", label);
    button.title = label;
    return button;
}

export function speedText(speed: number): string {
    return speed === 0 ? "max" : `${speed}x`;
}

class Transport {
    private play = iconButton("play", "play", "Play (Space)", "play primary");
    private step = iconButton("step", "step", "One step (.)");
    private reset = iconButton("reset", "reset", "Back to the start (Backspace)");
    private speed = make("select", { id: "speed", "aria-label": "Speed", "data-test": "speed" });
    private clock = make("div", { class: "clock", id: "clock", role: "timer", "data-test": "time" });
    private state = make("span", { class: "state", id: "run-state", "data-test": "state" });
    private ratio = make("span", { class: "ratio", id: "ratio", "data-test": "ratio" });
    private bar: HTMLInputElement | HTMLProgressElement;
    private running = false;
    private asked = 0; // when something was last asked for [ms]
    private dragging = false;
    private seeks = new Throttle(SEEK_EVERY_MS, (time: number) => this.sendSeek(time));
    private sought = NaN; // the last time asked for
    private soughtAt = -Infinity;
    private shown = "";
    private leave = true; // this page may turn the run
    private titles = new Map<HTMLButtonElement | HTMLSelectElement, string>(); // then

    constructor(
        private app: App,
        element: HTMLElement,
    ) {
        this.bar = this.replay ? this.scrubBar() : this.progressBar();
        for (const speed of SPEEDS) {
            this.speed.append(make("option", { value: String(speed) }, speedText(speed)));
        }
        this.speed.value = "1";
        this.speed.title = "Speed, as simulated seconds per second ([ and ])";
        this.ratio.title = "Speed reached, as simulated seconds per second";
        const buttons = make("div", { class: "buttons" }, this.reset, this.play, this.step);
        element.append(buttons, this.speed, this.clock, this.bar, this.ratio, this.state);
        for (const control of [this.reset, this.play, this.step, this.speed]) {
            this.titles.set(control, control.title);
        }
        this.play.addEventListener("click", () => this.toggle());
        this.step.addEventListener("click", (event) => this.stepBy(event.shiftKey ? 10 : 1));
        this.reset.addEventListener("click", () => app.link.send({ type: "reset" }));
        this.speed.addEventListener("change", () => this.setSpeed(Number(this.speed.value)));
        app.store.onStatus((status) => this.showStatus(status));
        app.store.onFrame(() => this.showTime(app.store.time));
        app.link.on("connection", () => this.showState());
        this.addKeys();
    }

    private get replay(): boolean {
        return this.app.hello.mode === "replay";
    }

    private get duration(): number {
        return this.app.hello.duration;
    }

    // ---- what is asked for -----------------------------------------------------------------------

    private toggle(): void {
        // At its end a run can only begin again, also where the button has not heard of the end yet.
        const over = this.app.store.status?.state === "ended";
        if (over) {
            if (this.replay) this.app.link.send({ type: "seek", time: 0 });
            else this.app.link.send({ type: "reset" });
        }
        const running = this.running && !over;
        const sent = this.app.link.send({ type: running ? "pause" : "play" });
        if (sent) this.showRunning(!running);
        this.settle();
    }

    private stepBy(count: number): void {
        this.app.link.send({ type: "step", count });
    }

    private setSpeed(value: number): void {
        this.speed.value = String(value);
        this.settle();
        this.app.link.send({ type: "speed", value });
    }

    private shiftSpeed(way: number): void {
        const at = SPEEDS.indexOf(Number(this.speed.value));
        const next = clamp((at < 0 ? 3 : at) + way, 0, SPEEDS.length - 1);
        this.setSpeed(SPEEDS[next]!);
    }

    private seek(time: number): void {
        this.sought = clamp(time, 0, this.duration);
        this.soughtAt = performance.now();
        this.showTime(this.sought);
        this.seeks.push(this.sought);
    }

    private sendSeek(time: number): void {
        this.app.link.send({ type: "seek", time });
    }

    // Presses that follow each other closely add up, whether or not the answer is there yet.
    private seekKey(way: number, event: KeyboardEvent): void {
        const pending = performance.now() - this.soughtAt < 2 * SEEK_EVERY_MS;
        const now = pending ? this.sought : this.app.store.time;
        const change = way * SEEK_SMALL * (event.shiftKey ? 10 : 1);
        if (Number.isFinite(now)) this.seek(now + change);
    }

    // ---- what is shown ---------------------------------------------------------------------------

    private scrubBar(): HTMLInputElement {
        const bar = make("input", {
            id: "scrub",
            type: "range",
            min: "0",
            max: String(this.duration),
            step: "any",
            value: "0",
            "aria-label": "Time in the recording",
            "data-test": "scrub",
        });
        bar.addEventListener("pointerdown", () => (this.dragging = true));
        const release = () => (this.dragging = false);
        bar.addEventListener("pointerup", release);
        bar.addEventListener("pointercancel", release);
        bar.addEventListener("change", release);
        bar.addEventListener("input", () => this.seek(Number(bar.value)));
        // Arrow keys go the same way on the bar as everywhere else.
        bar.addEventListener("keydown", (event) => {
            const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
            if (!way) return;
            event.preventDefault();
            this.seekKey(way, event);
        });
        return bar;
    }

    private progressBar(): HTMLProgressElement {
        const attributes = { id: "progress", "aria-label": "Progress of the run", value: "0" };
        return make("progress", { ...attributes, max: String(this.duration || 1) });
    }

    private showStatus(status: Status): void {
        const settled = performance.now() - this.asked > SETTLE_MS;
        if (settled) {
            this.showRunning(status.state === "running");
            this.showSpeed(status.speed);
        }
        this.showState();
        this.showLeave(mayDirect(status.drivers, this.app.hello.you));
        if (status.state !== "running") this.showTime(status.time);
    }

    private showLeave(leave: boolean): void {
        if (leave === this.leave) return;
        this.leave = leave;
        for (const [control, title] of this.titles) {
            control.disabled = !leave;
            control.title = leave ? title : "Somebody else drives: take the controls to change this";
        }
    }

    // What a server that does not answer was doing last is not what it does now.
    private showState(): void {
        const { link, store } = this.app;
        const state = STATES[link.connection] ?? store.status?.state ?? "";
        setText(this.state, state);
        this.state.dataset.state = STATES[link.connection] ? "gone" : state;
        const ratio = state === "running" ? store.status!.ratio : NaN;
        setText(this.ratio, Number.isFinite(ratio) ? `${ratio.toPrecision(3)}x` : "");
    }

    // While an answer is waited for, no status is shown; then the last one is.
    private settle(): void {
        this.asked = performance.now();
        setTimeout(() => this.catchUp(), SETTLE_MS + 1);
    }

    private catchUp(): void {
        const { status } = this.app.store;
        if (!status || performance.now() - this.asked <= SETTLE_MS) return;
        this.showRunning(status.state === "running");
        this.showSpeed(status.speed);
    }

    private showSpeed(speed: number): void {
        const value = String(speed);
        if (![...this.speed.options].some((option) => option.value === value)) {
            this.speed.append(make("option", { value }, speedText(speed)));
        }
        if (document.activeElement !== this.speed) this.speed.value = value;
    }

    private showRunning(running: boolean): void {
        this.running = running;
        this.play.replaceChildren(icon(running ? "pause" : "play"));
        const title = running ? "Pause (Space)" : "Play (Space)";
        this.titles.set(this.play, title);
        if (this.leave) this.play.title = title;
        this.play.setAttribute("aria-label", title);
    }

    private showTime(time: number): void {
        const { step } = this.app.hello;
        const text = timeText(time, step);
        if (text !== this.shown) {
            this.shown = text;
            this.clock.replaceChildren(text, make("small", {}, " s"));
        }
        if (!this.dragging && Number.isFinite(time)) {
            if (this.bar instanceof HTMLInputElement) this.bar.value = String(time);
            else this.bar.value = Math.min(time, this.duration);
        }
        const of = this.duration > 0 ? `${text} s of ${timeText(this.duration, step)} s` : "";
        if (this.bar.title !== of) this.bar.title = of;
    }

    // ---- keys ------------------------------------------------------------------------------------

    private addKeys(): void {
        const { keys, link } = this.app;
        const group = "Time";
        keys.add(
            { keys: [" "], group, sentence: "pause or play", run: () => this.toggle() },
            { keys: ["."], group, sentence: "one step", repeat: true, run: () => this.stepBy(1) },
            { keys: ["["], group, sentence: "slower", run: () => this.shiftSpeed(-1) },
            { keys: ["]"], group, sentence: "faster, up to max", run: () => this.shiftSpeed(1) },
            {
                keys: ["Backspace"],
                group,
                sentence: "back to the start",
                run: () => link.send({ type: "reset" }),
            },
        );
        if (!this.replay) return;
        const arrow = (key: string, way: number, sentence: string) => ({
            keys: [key],
            group,
            sentence,
            repeat: true,
            run: (event: KeyboardEvent) => this.seekKey(way, event),
        });
        keys.add(
            arrow("ArrowLeft", -1, "0.1 s back; with Shift 1 s"),
            arrow("ArrowRight", 1, "0.1 s on; with Shift 1 s"),
        );
    }
}

export function mountTransport(app: App): void {
    new Transport(app, byId("transport"));
}
