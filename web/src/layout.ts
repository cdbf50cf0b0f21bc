// layout.ts: the page's frame: tabs, the drawer, the head line, and what lies over all of it when
// the connection is gone.

import { App } from "./app";
import { make, setText } from "./dom";
import { Connection, Link } from "./link";
import { Status } from "./protocol";
import { plural, verdicts } from "./words";

export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
    const element = document.getElementById(id);
    if (!element) throw new Error(`index.html has no #${id}`);
    return element as T;
}

// ---- panels --------------------------------------------------------------------------------------

const TABS = ["charts", "drive", "steps", "parameters", "log"] as const;
export type Tab = (typeof TABS)[number];

export function showTab(name: Tab): void {
    for (const tab of TABS) {
        const button = byId(`tab-${tab}`);
        const on = tab === name;
        button.setAttribute("aria-selected", String(on));
        button.tabIndex = on ? 0 : -1;
        byId(`panel-${tab}`).hidden = !on;
    }
    // Charts measure themselves, and something hidden has no size.
    dispatchEvent(new Event("resize"));
}

// Arrow keys go through the tabs, as in every list of tabs.
function walkTabs(event: KeyboardEvent): void {
    const way = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (way === 0) return;
    const shown = TABS.filter((tab) => !byId(`tab-${tab}`).hidden);
    const at = shown.findIndex((tab) => byId(`tab-${tab}`) === event.target);
    const next = shown[(at + way + shown.length) % shown.length]!;
    event.preventDefault();
    showTab(next);
    byId(`tab-${next}`).focus();
}

function mountTabs(app: App): void {
    for (const tab of TABS) {
        byId(`tab-${tab}`).addEventListener("click", () => showTab(tab));
        byId(`tab-${tab}`).addEventListener("keydown", walkTabs);
    }
    byId("tab-drive").hidden = app.hello.inputs.length === 0;
    byId("tab-steps").hidden = app.hello.routines.length === 0;
    byId("tab-parameters").hidden = app.hello.parameters.length === 0;
}

// On a small screen the panels take half of it, so there they start closed.
const small = matchMedia("(max-width: 900px), (max-height: 480px)");

function mountDrawer(app: App): void {
    const button = byId("panel-toggle");
    let open = small.matches ? false : app.settings.get("panel");
    const apply = () => {
        byId("page").classList.toggle("alone", !open);
        button.setAttribute("aria-expanded", String(open));
        button.setAttribute("aria-pressed", String(open));
        dispatchEvent(new Event("resize"));
    };
    const toggle = () => {
        open = !open;
        if (!small.matches) app.settings.set("panel", open);
        apply();
    };
    button.title = "Show or hide the panels (P)";
    button.addEventListener("click", toggle);
    small.addEventListener("change", () => {
        open = small.matches ? false : app.settings.get("panel");
        apply();
    });
    app.keys.add({ keys: ["p"], group: "Page", sentence: "show or hide the panels", run: toggle });
    apply();
}

// A button clicked with the mouse lets go of the focus: Space then pauses, as everywhere else, and
// does not press the same button once more. With the keyboard the focus stays.
function mountFocus(): void {
    document.addEventListener("click", (event) => {
        const button = (event.target as Element | null)?.closest?.("button, summary");
        if (event.detail > 0 && button instanceof HTMLElement) button.blur();
    });
}

// ---- head ----------------------------------------------------------------------------------------

function showFacts(status: Status, expected: number): void {
    const parts: (Node | string)[] = [];
    if (status.recording) parts.push("recording");
    if (expected > 0) {
        const words = verdicts(expected, status.passed, status.failed);
        parts.push(status.failed > 0 ? make("b", {}, words) : words);
    }
    if (status.overruns > 0) parts.push(plural(status.overruns, "overrun"));
    if (status.clients > 1) parts.push(plural(status.clients, "viewer"));
    const joined = parts.flatMap((part, index) => (index > 0 ? [" \u00b7 ", part] : [part]));
    byId("facts").replaceChildren(...joined);
}

export function mountHead(app: App): void {
    const { hello } = app;
    const name = hello.title || hello.scenario || "untitled";
    document.title = `${name} - Ironbird`;
    byId("title").textContent = name;
    byId("title").title = [hello.scenario, hello.program].filter(Boolean).join("\n");
    const mode = byId("mode");
    mode.hidden = false;
    mode.textContent = hello.mode === "replay" ? "Replay" : "Live";
    mode.classList.add(hello.mode === "replay" ? "replay" : "live");
    app.store.onStatus((status) => showFacts(status, hello.expectations.length));
}

export function mountLayout(app: App): void {
    mountTabs(app);
    mountDrawer(app);
    mountFocus();
    mountHead(app);
}

// ---- connection ----------------------------------------------------------------------------------

const WORDS: Record<Connection, string> = {
    connecting: "connecting",
    open: "connected",
    silent: "no word from the server",
    lost: "no connection",
    refused: "not let in",
};

const OVERLAYS: Partial<Record<Connection, [string, string]>> = {
    lost: [
        "Connection lost, trying again",
        "The program may have ended. This page goes on by itself as soon as it is back.",
    ],
    refused: [
        "The server does not let this page in",
        "It was opened to other machines with --host and wants the token that it printed when it " +
            "started.\n\nOpen the whole address from the terminal, with ?token=\u2026 at its end.",
    ],
};

// Works before the first hello, and therefore without an App.
export function mountConnection(link: Link): void {
    const words = byId("connection").querySelector("span")!;
    const show = (connection: Connection) => {
        byId("page").dataset.connection = connection;
        setText(words, WORDS[connection]);
        const texts = OVERLAYS[connection];
        byId("overlay").hidden = !texts;
        if (!texts) return;
        byId("overlay-title").textContent = texts[0];
        byId("overlay-text").textContent = texts[1];
    };
    link.on("connection", show);
    link.on("silence", (seconds) => {
        setText(words, `${WORDS.silent} for ${seconds} s`);
    });
    show(link.connection);
}
