// messages.ts: the text log: what has happened, with time, level and kind. It scrolls with the
// newest line unless a person has scrolled up to read.

import { App, readStored, writeStored } from "./app";
import { make, segments } from "./dom";
import { Level, LogItem } from "./protocol";

const MOST = 2000;
const SPARE = 200; // dropped together, so that the list is not rebuilt with every line
const NEAR_END = 24; // pixels

export function levelOf(value: unknown): Level {
    return value === "warning" || value === "error" ? value : "info";
}

// The server counts its clients; a person knows only "you" and the others.
export function addressed(text: string, you: number): string {
    const own = `client ${you}`;
    if (text.startsWith(`${own} drives `)) return `You drive ${text.slice(own.length + 8)}`;
    if (!text.startsWith(`${own}: `)) return text;
    return text.charAt(own.length + 2).toUpperCase() + text.slice(own.length + 3);
}

class Messages {
    private list: HTMLElement;
    private newer: HTMLButtonElement;
    private least: Level;
    private run = 0;
    private following = true;
    private items: LogItem[] = [];

    constructor(
        private app: App,
        element: HTMLElement,
    ) {
        this.least = levelOf(readStored("log.level"));
        this.list = make("div", {
            class: "log-list",
            id: "log-list",
            role: "log",
            tabindex: "0",
            "aria-label": "messages",
            onscroll: () => this.scrolled(),
        });
        this.newer = make(
            "button",
            {
                type: "button",
                class: "log-newer",
                id: "log-newer",
                hidden: true,
                onclick: () => this.toEnd(),
            },
            "newest \u2193",
        );
        element.classList.add("log");
        element.append(this.toolbar(), this.list, this.newer);
        app.link.on("log", ({ items }) => this.add(items));
        app.link.on("refused", ({ text }) => this.add([this.refusal(text)]));
        // The server sends its last lines again after a reconnect.
        app.link.on("hello", (hello) => {
            if (hello !== app.hello) this.clear();
        });
        new ResizeObserver(() => this.following && this.toEnd()).observe(this.list);
        app.probes.log = () => this.items.slice(-50);
        this.showLevel();
    }

    private toolbar(): HTMLElement {
        const options = [
            { value: "info", text: "All" },
            { value: "warning", text: "Warnings" },
            { value: "error", text: "Errors" },
        ];
        const choose = (value: string) => {
            this.least = levelOf(value);
            writeStored("log.level", this.least);
            this.showLevel();
        };
        const clear = make(
            "button",
            { type: "button", id: "log-clear", onclick: () => this.clear() },
            "Clear",
        );
        return make(
            "div",
            { class: "toolbar", role: "toolbar", "aria-label": "log" },
            segments("levels shown", "log-level", options, this.least, choose).element,
            clear,
            ...soundControls(this.app),
        );
    }

    private add(items: readonly LogItem[]): void {
        const lines = document.createDocumentFragment();
        for (const item of items) {
            if (item.run !== this.run) {
                if (this.run !== 0)
                    lines.append(make("div", { class: "log-run" }, `run ${item.run}`));
                this.run = item.run;
            }
            this.items.push(item);
            lines.append(lineOf(item, this.app.hello.you));
        }
        this.list.append(lines);
        if (this.items.length > MOST + SPARE) {
            this.items.splice(0, this.items.length - MOST);
            while (this.list.childElementCount > MOST) this.list.firstElementChild!.remove();
        }
        if (this.following) this.toEnd();
        else this.newer.hidden = false;
    }

    // Only for this list: the panel that asked says it, too.
    private refusal(text: string): LogItem {
        const { run, time } = this.app.store;
        return { time: time || 0, run, level: "warning", kind: "refused", text };
    }

    private clear(): void {
        this.items = [];
        this.run = 0;
        this.list.replaceChildren();
        this.toEnd();
    }

    private showLevel(): void {
        this.list.dataset.least = this.least;
        if (this.following) this.toEnd();
    }

    private scrolled(): void {
        const { scrollTop, scrollHeight, clientHeight } = this.list;
        this.following = scrollTop + clientHeight >= scrollHeight - NEAR_END;
        if (this.following) this.newer.hidden = true;
    }

    private toEnd(): void {
        this.following = true;
        this.newer.hidden = true;
        this.list.scrollTop = this.list.scrollHeight;
    }
}

function lineOf(item: LogItem, you: number): HTMLElement {
    const level = levelOf(item.level);
    const often = item.times && item.times > 1 ? ` (${item.times} times so far)` : "";
    const text = addressed(item.text, you) + often;
    return make(
        "div",
        { class: `log-line ${level}`, "data-test": "log-line", "data-kind": item.kind },
        make("span", { class: "log-time" }, `${item.time.toFixed(3)} s`),
        make("span", { class: "log-kind" }, item.kind),
        make("span", { class: "log-text" }, level === "info" ? "" : `${level}: `, text),
    );
}

function soundControls(app: App): HTMLElement[] {
    const on = make("input", {
        type: "checkbox",
        id: "sound",
        checked: app.settings.get("sound"),
        onchange: () => app.settings.set("sound", on.checked),
    });
    const volume = make("input", {
        type: "range",
        id: "volume",
        min: 0,
        max: 1,
        step: 0.05,
        value: app.settings.get("volume"),
        "aria-label": "volume",
        title: "volume",
        oninput: () => app.settings.set("volume", Number(volume.value)),
    });
    const show = () => {
        on.checked = app.settings.get("sound");
        volume.hidden = !on.checked;
    };
    app.settings.onChange(show);
    show();
    const title = "short sounds for contact, limits, warnings and errors";
    return [make("label", { class: "check", title }, on, "Sounds"), volume];
}

export function mountMessages(app: App, element: HTMLElement): void {
    new Messages(app, element);
}
