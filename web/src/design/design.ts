// design/design.ts: the page of a design: knobs at the left, the response in the middle, poles and numbers
// at the right. Every turn of a knob asks the program for the design anew; what it refuses is said, and the
// last good design stays.

import { Settings } from "../app";
import { make, segments, setText } from "../dom";
import { mountHelp } from "../help";
import { Keys } from "../keys";
import { byId } from "../layout";
import { Link } from "../link";
import { Answer, DesignHello } from "../protocol";
import { nextTheme, onTheme } from "../theme";
import { Asker } from "./asker";
import { Curves } from "./curves";
import { factsOf } from "./facts";
import { mountKnobs } from "./knobs";
import { PolePlane } from "./poles";
import { Values } from "./values";

const MOUSE = [
    ["Drag", "move a slider, or a wanted pole in the plane"],
    ["Point", "at a chart: its values there"],
] as const;

class DesignPage {
    private values: Values;
    private asker: Asker;
    private curves: Curves;
    private plane: PolePlane;
    private knobs: { fill(gear: number): void };
    private good: Answer | null = null; // the last one that was not refused
    private first: (Answer | null)[]; // of each gear, as the file has it
    private refused: string[] = [];
    private latency = NaN; // from the turn of a knob to its picture [ms]

    private refusal = make("div", {
        class: "design-refusal",
        role: "alert",
        "data-test": "refusal",
        hidden: true,
    });
    private facts = make("div", { class: "design-facts" });
    private yaml = make("pre", { class: "design-yaml", tabindex: 0, "data-test": "yaml" });
    private timing = make("output", {
        class: "design-time",
        "data-test": "timing",
        title: "how long the program took to design and run it; how long until it was on the screen",
    });
    private estimates = make("input", { type: "checkbox", id: "estimates" });

    constructor(
        private hello: DesignHello,
        link: Link,
        private settings: Settings,
    ) {
        this.values = new Values(hello.knobs);
        this.first = hello.gears.map(() => null);
        this.asker = new Asker(link, this.values, (answer, at) => this.show(answer, at));
        const charts = make("div", { class: "design-curves" });
        const knobs = make("div", { class: "design-knobs" });
        this.curves = new Curves(hello, charts);
        this.plane = new PolePlane(hello, this.values);
        this.knobs = mountKnobs(hello, this.values, () => this.people, knobs);
        this.build(knobs, charts);
        this.rebuild();
        this.asker.ask();
        // The server may have been away: what is shown may be of before.
        link.on("design", (again) => {
            const text = (said: DesignHello) => JSON.stringify({ ...said, you: 0 });
            if (text(again) !== text(hello)) location.reload();
            else this.asker.again();
        });
        settings.onChange((key) => {
            if (key === "people") this.rebuild();
        });
        onTheme(() => this.curves.recolour());
        this.estimates.addEventListener("change", () => this.draw());
    }

    private get people(): boolean {
        return this.settings.get("people");
    }

    // ---- building ------------------------------------------------------------------------------

    private build(knobs: HTMLElement, charts: HTMLElement): void {
        const page = byId("page");
        page.classList.add("design");
        for (const id of ["bar", "stage", "panel", "transport", "panel-toggle"]) byId(id).hidden = true;
        const estimates = make("label", { class: "check" }, this.estimates, "estimates");
        const bar = make("div", { class: "toolbar design-bar" }, ...this.tools(), estimates);
        bar.append(this.timing);
        const copy = make("section", { class: "facts-part" }, make("h2", {}, "Changed"), this.yaml);
        const left = make("section", { class: "design-left", "aria-label": "Knobs" }, knobs);
        const shown = make("div", { class: "design-shown" });
        const middle = make("section", { class: "design-middle", "aria-label": "Response" });
        middle.append(bar, this.refusal, charts);
        const right = make("section", { class: "design-right", "aria-label": "Poles and numbers" });
        right.append(this.plane.element, this.facts, copy);
        shown.append(middle, right);
        page.append(make("main", { id: "design" }, left, shown));
    }

    private tools(): HTMLElement[] {
        const button = (id: string, text: string, title: string, onclick: () => void) =>
            make("button", { type: "button", id, "data-test": id, title, onclick }, text);
        const tools: HTMLElement[] = [
            button("copy", "Copy as YAML", "the changed blocks of the file (C)", () => void this.copy()),
            button("reset", "Reset all", "back to what the file says (R)", () => this.values.reset()),
        ];
        if (this.hello.gears.length < 2) return tools;
        const options = this.hello.gears.map((name, i) => ({ value: String(i), text: name }));
        const gears = segments("Gear", "gear", options, "0", (value) => this.shift(Number(value)));
        return [gears.element, ...tools];
    }

    private shift(gear: number): void {
        this.asker.gear = gear;
        this.knobs.fill(gear);
        this.asker.ask();
    }

    private rebuild(): void {
        this.knobs.fill(this.asker.gear);
        this.curves.build(this.people);
        this.draw();
    }

    // ---- showing -------------------------------------------------------------------------------

    private show(answer: Answer, turnedAt: number): void {
        this.refused = answer.refused;
        this.refusal.hidden = this.refused.length === 0;
        if (this.refused.length > 0) {
            const rest = this.good ? "The last design that could be made is shown." : "";
            const lines = [...this.refused, rest].map((text) => make("p", {}, text));
            this.refusal.replaceChildren(...lines);
        } else {
            this.good = answer;
            if (this.values.turned().length === 0) this.first[answer.gear] = answer;
            this.draw();
        }
        this.latency = performance.now() - turnedAt;
        setText(
            this.timing,
            `${answer.ms.toFixed(1)} ms, shown in ${this.latency.toFixed(0)} ms`,
        );
    }

    private draw(): void {
        const answer = this.good;
        if (!answer) return;
        const response = answer.response;
        const first = this.first[answer.gear]?.response ?? null;
        const ghost = this.values.turned().length > 0 ? first : null;
        if (response) this.curves.show(response, ghost, this.estimates.checked);
        this.plane.show(answer, answer.gear);
        this.facts.replaceChildren(...this.notes(answer), ...factsOf(this.hello, answer, this.people));
        setText(this.yaml, answer.yaml || "# nothing of the file is changed\n");
    }

    private notes(answer: Answer): HTMLElement[] {
        const notes: string[] = [];
        if (answer.stable === false) notes.push("The loop is not stable.");
        if (answer.response === null) notes.push("There is no feedback: nothing to run.");
        if (answer.response?.ended) notes.push(`The run ended early: ${answer.response.ended}.`);
        return notes.map((text) => make("p", { class: "design-note", role: "status" }, text));
    }

    // ---- actions -------------------------------------------------------------------------------

    // A page that came over plain HTTP from another machine has no clipboard: there the text is marked
    // and copied in the old way.
    async copy(): Promise<void> {
        const text = this.yaml.textContent ?? "";
        let copied = false;
        try {
            await navigator.clipboard.writeText(text);
            copied = true;
        } catch {
            getSelection()?.selectAllChildren(this.yaml);
            copied = document.execCommand("copy");
        }
        setText(byId("copy"), copied ? "Copied" : "Copy the marked text");
        setTimeout(() => setText(byId("copy"), "Copy as YAML"), 1500);
    }

    reset(): void {
        this.values.reset();
    }

    // For tests and for the curious at the console.
    state(): object {
        const { hello, good } = this;
        const values = hello.knobs.map((knob, i) => [knob.path, this.values.get(i)]);
        return {
            frames: this.asker.answers,
            busy: this.asker.busy,
            refused: this.refused,
            latency: this.latency,
            ms: good?.ms,
            K: good?.K,
            poles: good?.poles,
            response: good?.response,
            yaml: this.yaml.textContent,
            values: Object.fromEntries(values),
        };
    }
}

function mountHead(hello: DesignHello): void {
    const name = hello.title || hello.scenario;
    document.title = `${name} - Ironbird`;
    byId("title").textContent = name;
    byId("title").title = [hello.scenario, hello.program].filter(Boolean).join("\n");
    byId("facts").textContent = hello.plant;
    const mode = byId("mode");
    mode.hidden = false;
    mode.textContent = "Design";
    mode.classList.add("replay");
}

export function mountDesign(hello: DesignHello, link: Link, settings: Settings): void {
    mountHead(hello);
    const page = new DesignPage(hello, link, settings);
    const keys = new Keys(window);
    keys.add(
        { keys: ["c"], group: "Design", sentence: "copy the changed blocks as YAML", run: () => void page.copy() },
        { keys: ["r"], group: "Design", sentence: "back to what the file says", run: () => page.reset() },
        {
            keys: ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"],
            group: "Design",
            sentence: "move the slider or the pole that has the focus (a pole with Shift: less)",
        },
        {
            keys: ["t"],
            group: "Page",
            sentence: "change the theme: system, light, dark",
            run: () => nextTheme(settings),
        },
    );
    mountHelp(keys, MOUSE);
    const app = { hello, link, settings };
    const state = () => ({ ...page.state(), connected: link.connection === "open" });
    Object.assign(window, { ironbird: { app, state } });
}
