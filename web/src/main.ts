// main.ts: puts the page together once the server has said what there is to see.

import { App, Settings } from "./app";
import { mountBanner } from "./banner";
import { mountCharts } from "./charts";
import { mountDrive } from "./drive";
import { mountDesign } from "./design/design";
import { mountHelp, SCENE_MOUSE } from "./help";
import { Keys } from "./keys";
import { byId, mountConnection, mountLayout } from "./layout";
import { Link } from "./link";
import { mountMessages } from "./messages";
import { mountParameters } from "./parameters";
import { Hello, Level } from "./protocol";
import { mountScene } from "./scene/scene";
import { mountSound } from "./sound";
import { mountSteps } from "./steps";
import { Store } from "./store";
import { mountTheme, nextTheme } from "./theme";
import { mountTransport } from "./transport";

const PATIENCE_MS = 500;

function createApp(hello: Hello, link: Link, settings: Settings): App {
    const store = new Store(hello, link);
    // Changes made before this page came are told right after the hello, before there are panels.
    link.on("parameter", ({ index, value }) => {
        const parameter = hello.parameters[index];
        if (parameter) parameter.value = value;
    });
    const note = (level: Level, text: string) => {
        const time = Number.isFinite(store.time) ? store.time : 0;
        const item = { time, run: store.run, level, kind: "note", text };
        link.emit("log", { type: "log", past: false, items: [item] });
    };
    const keys = new Keys(window);
    return { hello, link, store, settings, note, follow: () => {}, keys, probes: {} };
}

// A restarted server may run something else: then the page begins afresh.
function followReconnects(app: App): void {
    // Values of parameters may have been changed by hand; what they can be may not.
    const text = (hello: Hello) => {
        const parameters = hello.parameters.map((parameter) => ({ ...parameter, value: 0 }));
        return JSON.stringify({ ...hello, you: 0, parameters });
    };
    const first = text(app.hello);
    app.link.on("hello", (hello) => {
        if (text(hello) !== first) location.reload();
        app.hello.you = hello.you;
    });
}

// For tests and for the curious at the console.
function expose(app: App): void {
    const state = () => {
        const { hello, store, link } = app;
        const values: Record<string, number> = {};
        hello.signals.forEach((signal, index) => {
            const value = store.value(index);
            if (!Number.isNaN(value)) values[signal.name] = value;
        });
        const probes = Object.entries(app.probes).map(([name, probe]) => [name, probe()]);
        return {
            time: store.time,
            run: store.run,
            state: store.status?.state ?? "unknown",
            connected: link.connection === "open",
            frames: store.frames,
            values,
            ...Object.fromEntries(probes),
        };
    };
    Object.assign(window, { ironbird: { app, state } });
}

// Once, when the first picture is on the screen; a page in the background has none, and waits less.
function afterFirstPicture(run: () => void): void {
    let done = false;
    const once = () => {
        if (!done) run();
        done = true;
    };
    requestAnimationFrame(() => setTimeout(once, 0));
    setTimeout(once, PATIENCE_MS);
}

function mountPanels(app: App): void {
    mountCharts(app, byId("panel-charts"));
    mountDrive(app, byId("panel-drive"));
    mountParameters(app, byId("panel-parameters"));
    mountSteps(app, byId("panel-steps"));
    mountSound(app);
    mountHelp(app.keys, SCENE_MOUSE);
    app.keys.add({
        keys: ["t"],
        group: "Page",
        sentence: "change the theme: system, light, dark",
        run: () => nextTheme(app.settings),
    });
}

// People look at the scene first: it is drawn before the panels are made.
function mountAll(app: App): void {
    mountLayout(app);
    mountTransport(app);
    mountMessages(app, byId("panel-log")); // before the scene, which may have notes for it
    mountBanner(app, byId("banner"));
    mountScene(app);
    afterFirstPicture(() => mountPanels(app));
}

function start(): void {
    const settings = new Settings();
    mountTheme(settings, byId("theme"));
    const link = new Link(location);
    mountConnection(link);
    const off = link.on("hello", (hello) => {
        off();
        const app = createApp(hello, link, settings);
        mountAll(app);
        expose(app);
        followReconnects(app);
    });
    const offDesign = link.on("design", (hello) => {
        offDesign();
        mountDesign(hello, link, settings);
    });
    link.start();
}

start();
