// picker.ts: a searchable list of signals: type a part of the name, the sentence or the unit;
// arrows and Enter, or the mouse, add and take away.

import { dotted, make, setText } from "./dom";
import { clamp } from "./numbers";
import { SignalInfo } from "./protocol";
import { signalUnit } from "./quantity";

const ROWS_SHOWN = 400; // beyond that a person types another letter

export interface Group {
    prefix: string; // "drive.left"; "" for names without a dot
    signals: number[];
}

export function prefixOf(name: string): string {
    const dot = name.lastIndexOf(".");
    return dot < 0 ? "" : name.slice(0, dot);
}

// How well a signal answers the query: every word must occur in its name, sentence or unit.
// 0: not at all; a hit in the name counts more than one in the sentence, at a part's start most.
export function matched(signal: SignalInfo, query: string): number {
    const name = signal.name.toLowerCase();
    const rest = `${signal.sentence} ${signal.unit} ${signal.shown?.unit ?? ""}`.toLowerCase();
    let score = 1;
    for (const word of query.toLowerCase().split(/\s+/)) {
        if (word === "") continue;
        const at = name.indexOf(word);
        if (at >= 0) score += at === 0 || name[at - 1] === "." ? 4 : 2;
        else if (!rest.includes(word)) return 0;
    }
    return score;
}

// The signals that match, grouped by prefix; the group with the best hit first, otherwise in the
// order of the table.
export function grouped(signals: readonly SignalInfo[], query: string): Group[] {
    const groups = new Map<string, Group & { best: number }>();
    signals.forEach((signal, index) => {
        const score = matched(signal, query);
        if (score === 0) return;
        const prefix = prefixOf(signal.name);
        const group = groups.get(prefix) ?? { prefix, signals: [], best: 0 };
        group.signals.push(index);
        group.best = Math.max(group.best, score);
        groups.set(prefix, group);
    });
    return [...groups.values()].sort((a, b) => b.best - a.best);
}

export interface PickerOptions {
    title: string;
    signals: readonly SignalInfo[];
    people: boolean;
    chosen: () => ReadonlySet<number>;
    toggle: (signal: number) => void;
}

class Picker {
    private dialog: HTMLDialogElement;
    private search: HTMLInputElement;
    private list: HTMLElement;
    private count: HTMLElement;
    private order: number[] = []; // signals in the order shown
    private rows = new Map<number, HTMLElement>();
    private active = 0;

    constructor(private options: PickerOptions) {
        this.search = make("input", {
            type: "search",
            id: "picker-search",
            placeholder: "name, description or unit",
            "aria-label": "search signals",
            role: "combobox",
            "aria-expanded": "true",
            "aria-controls": "picker-list",
            autocomplete: "off",
            spellcheck: "false",
            oninput: () => this.fill(),
            onkeydown: (event: KeyboardEvent) => this.press(event),
        });
        this.list = make("div", {
            id: "picker-list",
            class: "picker-list",
            role: "listbox",
            "aria-multiselectable": "true",
            "aria-label": "signals",
        });
        this.count = make("span", { class: "picker-count", role: "status" });
        const done = make(
            "button",
            { type: "button", id: "picker-done", class: "primary" },
            "Done",
        );
        this.dialog = make(
            "dialog",
            { class: "picker", id: "picker", "aria-label": options.title },
            make("header", {}, make("h2", {}, options.title), done),
            this.search,
            this.list,
            make(
                "footer",
                {},
                this.count,
                make("span", { class: "hint" }, "arrows move, Enter adds or removes, Esc closes"),
            ),
        );
        done.addEventListener("click", () => this.dialog.close());
        this.dialog.addEventListener("close", () => this.dialog.remove());
        // A click beside the dialog lands on the dialog itself, as its backdrop.
        this.dialog.addEventListener("click", (event) => {
            if (event.target === this.dialog) this.dialog.close();
        });
    }

    open(): void {
        document.body.append(this.dialog);
        this.fill();
        this.dialog.showModal();
        this.search.focus();
    }

    private fill(): void {
        const { signals } = this.options;
        const groups = grouped(signals, this.search.value);
        const total = groups.reduce((sum, group) => sum + group.signals.length, 0);
        this.order = [];
        this.rows.clear();
        this.list.replaceChildren();
        for (const group of groups) {
            const rest = ROWS_SHOWN - this.order.length;
            if (rest <= 0) break;
            this.list.append(this.groupElement(group, rest));
        }
        const more = total - this.order.length;
        setText(
            this.count,
            total === 0
                ? "no signal matches"
                : `${total} of ${signals.length} signals` +
                      (more > 0 ? ` (${more} not shown: type to narrow)` : ""),
        );
        this.moveTo(0);
    }

    private groupElement(group: Group, most: number): HTMLElement {
        const element = make(
            "div",
            { class: "picker-group", role: "group", "aria-label": group.prefix || "others" },
            make(
                "div",
                { class: "picker-prefix", "aria-hidden": "true" },
                group.prefix || "\u2026",
            ),
        );
        for (const signal of group.signals.slice(0, most)) {
            const row = this.rowElement(signal);
            this.order.push(signal);
            this.rows.set(signal, row);
            element.append(row);
        }
        return element;
    }

    private rowElement(signal: number): HTMLElement {
        const info = this.options.signals[signal]!;
        const unit = signalUnit(info, this.options.people).text;
        return make(
            "div",
            {
                class: "picker-row",
                role: "option",
                id: `picker-row-${signal}`,
                "data-test": `pick-${info.name}`,
                "aria-selected": String(this.options.chosen().has(signal)),
                onclick: () => {
                    this.moveTo(this.order.indexOf(signal));
                    this.toggle(signal);
                },
            },
            make("span", { class: "picker-check", "aria-hidden": "true" }),
            make("span", { class: "picker-name" }, dotted(info.name)),
            make("span", { class: "picker-unit" }, unit),
            make("span", { class: "picker-sentence" }, info.sentence),
        );
    }

    private press(event: KeyboardEvent): void {
        const page = 10;
        const moves: Record<string, number> = {
            ArrowDown: 1,
            ArrowUp: -1,
            PageDown: page,
            PageUp: -page,
        };
        const move = moves[event.key];
        if (move !== undefined) {
            this.moveTo(this.active + move);
        } else if (event.key === "Enter") {
            const signal = this.order[this.active];
            if (signal !== undefined) this.toggle(signal);
        } else if (event.key === "Escape") {
            this.dialog.close(); // a search field would only empty itself at first
        } else {
            return;
        }
        event.preventDefault();
    }

    private moveTo(place: number): void {
        this.rows.get(this.order[this.active]!)?.classList.remove("active");
        this.active = clamp(place, 0, Math.max(this.order.length - 1, 0));
        const row = this.rows.get(this.order[this.active]!);
        row?.classList.add("active");
        row?.scrollIntoView({ block: "nearest" });
        this.search.setAttribute("aria-activedescendant", row?.id ?? "");
    }

    private toggle(signal: number): void {
        this.options.toggle(signal);
        const chosen = this.options.chosen();
        for (const [index, row] of this.rows) {
            row.setAttribute("aria-selected", String(chosen.has(index)));
        }
    }
}

export function openPicker(options: PickerOptions): void {
    new Picker(options).open();
}
