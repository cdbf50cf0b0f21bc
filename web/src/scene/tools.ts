// scene/tools.ts: the buttons over the scene: cameras, the body that is followed, what is shown; and
// the legend.

import { App, Values } from "../app";
import { make, segments, Segments, setText } from "../dom";
import { byId } from "../layout";
import { CameraMode } from "./cameras";
import { LegendRow } from "./legend";

const CAMERAS: { value: CameraMode; text: string; title: string; sentence: string }[] = [
    { value: "orbit", text: "Orbit", title: "Turn around a place (1)", sentence: "orbit camera" },
    { value: "top", text: "Top", title: "From above (2)", sentence: "camera from above" },
    { value: "chase", text: "Chase", title: "Behind the robot (3)", sentence: "chasing camera" },
];

type Switch = "trail" | "velocityArrows" | "forceArrows" | "marks" | "ways" | "tints";

export interface Has {
    bodies: string[];
    velocity: boolean;
    force: boolean;
    marks: boolean;
    ways: boolean;
    tints: boolean;
}

export interface ToolActions {
    camera(mode: CameraMode): void; // also for the one in use: then it finds everything again
    body(index: number): void;
    find(): void; // back to the body
}

const TRAIL_SECONDS = [5, 20, 60, 120]; // the server remembers two minutes

function checkbox(app: App, key: Switch, text: string): HTMLElement {
    const box = make("input", { type: "checkbox", id: `show-${key}`, "data-test": `show-${key}` });
    box.checked = app.settings.get(key);
    box.addEventListener("change", () => app.settings.set(key, box.checked));
    app.settings.onChange((changed) => {
        if (changed === key) box.checked = app.settings.get(key);
    });
    return make("label", {}, box, make("span", {}, text));
}

function trailLength(app: App): HTMLElement {
    const select = make("select", { id: "trail-seconds", "data-test": "trail-seconds" });
    for (const seconds of TRAIL_SECONDS) {
        select.append(make("option", { value: seconds }, `${seconds} s`));
    }
    select.value = String(app.settings.get("trailSeconds"));
    // What is stored may be a length that is no longer offered.
    if (select.selectedIndex < 0) {
        select.selectedIndex = TRAIL_SECONDS.length - 1;
        app.settings.set("trailSeconds", Number(select.value));
    }
    select.addEventListener("change", () => app.settings.set("trailSeconds", Number(select.value)));
    return make("label", {}, make("span", {}, "Trail length"), select);
}

function showMenu(app: App, has: Has): HTMLElement {
    const body = make("div", { class: "body" });
    if (has.bodies.length > 0) body.append(checkbox(app, "trail", "Trail"), trailLength(app));
    if (has.velocity) body.append(checkbox(app, "velocityArrows", "Velocity arrows"));
    if (has.force) body.append(checkbox(app, "forceArrows", "Force arrows"));
    if (has.marks) body.append(checkbox(app, "marks", "Centre of mass"));
    if (has.ways) body.append(checkbox(app, "ways", "Planned way"));
    if (has.tints) body.append(checkbox(app, "tints", "Colours by signal"));
    const summary = make("summary", { "data-test": "show-menu" }, "Show");
    const menu = make("details", { class: "menu", id: "show-menu" }, summary, body);
    // As far down as the bar with the time.
    menu.addEventListener("toggle", () => {
        const room = byId("transport").offsetTop - body.getBoundingClientRect().top - 8;
        body.style.maxHeight = `${room}px`;
    });
    // It closes like a menu: on a click elsewhere, and on Escape, wherever the focus is. That key
    // goes on to others: it lets go of the controls as well.
    document.addEventListener("pointerdown", (event) => {
        if (!menu.contains(event.target as Node)) menu.open = false;
    });
    document.addEventListener("keydown", (event) => {
        if (event.key !== "Escape" || !menu.open) return;
        if (menu.contains(document.activeElement)) summary.focus();
        menu.open = false;
    });
    return menu;
}

function bodySelect(names: string[], choose: (index: number) => void): HTMLSelectElement {
    const select = make("select", {
        id: "body",
        "aria-label": "Body to follow",
        title: "Body to follow",
        "data-test": "body",
    });
    names.forEach((name, index) => select.append(make("option", { value: index }, name)));
    select.addEventListener("change", () => choose(Number(select.value)));
    return select;
}

function addKeys(app: App, has: Has, actions: ToolActions): void {
    const group = "View";
    CAMERAS.forEach(({ value, sentence }, index) => {
        const run = () => actions.camera(value);
        app.keys.add({ keys: [String(index + 1)], group, sentence, run });
    });
    app.keys.add({ keys: ["f"], group, sentence: "find the robot again", run: actions.find });
    const toggle = (key: string, name: Switch, sentence: string) =>
        app.keys.add({
            keys: [key],
            group,
            sentence,
            run: () => app.settings.set(name, !app.settings.get(name)),
        });
    if (has.bodies.length > 0) toggle("l", "trail", "trail on or off");
    if (has.velocity) toggle("v", "velocityArrows", "velocity arrows on or off");
    if (has.force) toggle("n", "forceArrows", "force arrows (newtons) on or off");
    if (has.marks) toggle("m", "marks", "centre of mass on or off");
}

export class Tools {
    private cameras: Segments;
    private bodies: HTMLSelectElement | null = null;
    private legendText = "";

    constructor(app: App, has: Has, actions: ToolActions) {
        const mode = app.settings.get("camera");
        const choose = (value: string) => actions.camera(value as CameraMode);
        this.cameras = segments("Camera", "camera", CAMERAS, mode, choose);
        const tools = byId("view-tools");
        tools.append(this.cameras.element);
        if (has.bodies.length > 1) {
            this.bodies = bodySelect(has.bodies, actions.body);
            tools.append(this.bodies);
        }
        tools.append(showMenu(app, has));
        addKeys(app, has, actions);
    }

    showCamera(mode: CameraMode): void {
        this.cameras.choose(mode);
    }

    showBody(index: number): void {
        if (this.bodies) this.bodies.value = String(index);
    }

    showLegend(rows: LegendRow[]): void {
        const text = JSON.stringify(rows);
        if (text === this.legendText) return;
        this.legendText = text;
        byId("legend").hidden = rows.length === 0;
        byId("legend").replaceChildren(
            ...rows.map((row) => {
                const swatch = make("i", { class: row.colour ? "" : "dot" });
                swatch.style.setProperty("--swatch", row.colour);
                return make("span", { class: row.extra ? "extra" : "" }, swatch, row.text);
            }),
        );
    }

    // At a place in the scene [px]; "" takes it away.
    showTip(text: string, x: number, y: number): void {
        const tip = byId("tip");
        tip.hidden = text === "";
        if (tip.hidden) return;
        setText(tip, text);
        const { width, height } = byId("stage").getBoundingClientRect();
        tip.style.left = `${Math.min(x + 14, width - tip.offsetWidth - 4)}px`;
        tip.style.top = `${Math.min(y + 16, height - tip.offsetHeight - 4)}px`;
    }
}

// Settings that change what the scene shows.
export const SHOWN: (keyof Values)[] = [
    "trail",
    "trailSeconds",
    "velocityArrows",
    "forceArrows",
    "marks",
    "ways",
    "tints",
    "people",
];
