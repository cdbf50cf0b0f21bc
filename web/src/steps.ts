// steps.ts: what routines do: the list of their steps, the one that runs marked, how long each took. It
// knows no step: words and signals are in the hello.

import { App } from "./app";
import { make, setText } from "./dom";
import { Samples } from "./link";
import { RoutineInfo } from "./protocol";

const ROWS = 4000; // of the past

/** One time that a step ran: from when to when [s]; `to` NaN: it still runs. */
export interface StepRun {
    step: number;
    from: number;
    to: number;
}

/** The steps of a routine as they come, from the values of its two signals. */
export class StepTrack {
    runs: StepRun[] = [];
    late = new Set<number>();
    step = NaN; // that runs; 0: none

    clear(): void {
        this.runs = [];
        this.late.clear();
        this.step = NaN;
    }

    take(time: number, step: number, late: number): void {
        if (late > 0) this.late.add(late);
        if (!Number.isFinite(step) || step === this.step) return;
        const last = this.runs[this.runs.length - 1];
        if (last && Number.isNaN(last.to)) last.to = time;
        this.step = step;
        if (step > 0) this.runs.push({ step, from: time, to: NaN });
    }

    /** What was before: the rows of both signals, in order of time. */
    load(step: Samples, late: Samples | undefined): void {
        for (let k = 0; k < step.times.length; k++) {
            this.take(step.times[k]!, step.values[k]!, late?.values[k] ?? 0);
        }
    }

    /** Its last run; undefined: it has not been seen to run. */
    last(step: number): StepRun | undefined {
        return this.runs.filter((run) => run.step === step).pop();
    }
}

// "step 2: drive forward 1 m" is number 2 of a list.
function withoutNumber(words: string): string {
    return words.replace(/^step \d+: /, "");
}

class Row {
    readonly element: HTMLElement;
    private time = make("span", { class: "step-time" });

    constructor(
        private number: number,
        words: string,
    ) {
        this.element = make(
            "li",
            { class: "step", "data-test": `step-${number}` },
            make("span", { class: "step-number" }, String(number)),
            make("span", { class: "step-words" }, withoutNumber(words)),
            this.time,
        );
    }

    show(track: StepTrack, now: number): void {
        const run = track.last(this.number);
        const runs = track.step === this.number;
        const late = !runs && track.late.has(this.number);
        this.element.className = `step ${runs ? "now" : late ? "late" : run ? "done" : ""}`.trim();
        if (runs) this.element.setAttribute("aria-current", "step");
        else this.element.removeAttribute("aria-current");
        const took = run ? (Number.isNaN(run.to) ? now : run.to) - run.from : NaN;
        const often = track.runs.filter((other) => other.step === this.number).length;
        const rounds = often > 1 ? `${often} \u00d7 \u00b7 ` : "";
        setText(this.time, run ? `${late ? "timed out \u00b7 " : ""}${rounds}${took.toFixed(2)} s` : "");
        this.element.title = run ? `from ${run.from.toFixed(2)} s` : "";
    }
}

class Routine {
    readonly element: HTMLElement;
    readonly track = new StepTrack();
    private rows: Row[];
    private state = make("p", { class: "hint step-state", role: "status" });

    constructor(
        private app: App,
        readonly info: RoutineInfo,
    ) {
        this.rows = info.words.slice(1).map((words, k) => new Row(k + 1, words));
        const list = make("ol", { class: "step-list" }, ...this.rows.map((row) => row.element));
        const name = make("h3", {}, info.name);
        this.element = make("section", { class: "routine", "data-test": `routine-${info.name}` });
        this.element.append(name, this.state, list);
    }

    take(): void {
        const { store } = this.app;
        const late = this.info.late < 0 ? 0 : store.value(this.info.late);
        const before = this.track.step;
        this.track.take(store.time, store.value(this.info.step), late);
        if (before !== this.track.step) this.reveal();
    }

    show(): void {
        setText(this.state, this.info.words[this.track.step] ?? "");
        for (const row of this.rows) row.show(this.track, this.app.store.time);
    }

    // The one that runs is in view, unless a person does not look at the list.
    private reveal(): void {
        const row = this.rows[this.track.step - 1]?.element;
        if (row && row.offsetParent) row.scrollIntoView({ block: "nearest" });
    }
}

class Steps {
    private routines: Routine[];
    private asked = 0;
    private stale = true;

    constructor(
        private app: App,
        private element: HTMLElement,
    ) {
        const { hello, link, store } = app;
        this.routines = hello.routines.map((info) => new Routine(app, info));
        element.classList.add("steps");
        element.append(...this.routines.map((routine) => routine.element));
        link.watch("steps", this.signals());
        store.onJump((jump) => {
            for (const { track } of this.routines) track.clear();
            if (jump !== "run") void this.fetch();
        });
        store.onFrame(() => this.receive());
        addEventListener("resize", () => this.draw()); // also when the tab is opened, in a pause
        app.probes.steps = () =>
            this.routines.map(({ info, track }) => ({
                name: info.name,
                step: track.step,
                seen: [...new Set(track.runs.map((run) => run.step))],
                late: [...track.late],
            }));
        if (store.frames > 0) void this.fetch();
    }

    private signals(): number[] {
        const all = this.routines.flatMap(({ info }) => [info.step, info.late]);
        return all.filter((signal) => signal >= 0);
    }

    // What was before this page looked, or before the place to which a recording was wound.
    private async fetch(): Promise<void> {
        const { link, store } = this.app;
        const asked = ++this.asked;
        const { run, time } = store;
        const past = await link.history(this.signals(), 0, time, ROWS);
        if (asked !== this.asked || run !== store.run) return;
        for (const { info, track } of this.routines) {
            const step = past.get(info.step);
            if (!step) continue;
            track.clear();
            track.load(step, past.get(info.late));
        }
        this.receive();
    }

    private receive(): void {
        for (const routine of this.routines) routine.take();
        this.draw();
    }

    private draw(): void {
        if (!this.stale || this.element.hidden) return;
        this.stale = false;
        requestAnimationFrame(() => {
            this.stale = true;
            for (const routine of this.routines) routine.show();
        });
    }
}

export function mountSteps(app: App, element: HTMLElement): void {
    if (app.hello.routines.length > 0) new Steps(app, element);
}
