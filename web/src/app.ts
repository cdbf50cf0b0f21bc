// app.ts: what every part of the page shares.

import { Keys } from "./keys";
import { Link } from "./link";
import { Hello, Level } from "./protocol";
import { Store } from "./store";

export interface App {
    hello: Hello; // of the first connection; `you` follows a reconnect
    link: Link;
    store: Store;
    settings: Settings;
    keys: Keys;
    // A line for the log from the page itself.
    note(level: Level, text: string): void;
    // The camera goes along with this robot; the scene, where there is one, puts its own here.
    follow(robot: string): void;
    // For tests: each part may add what it wants to be seen; ironbird.state() has it under its name.
    probes: Record<string, () => unknown>;
}

// What a person has chosen; kept in this browser. A new choice is one line here.
const DEFAULTS = {
    theme: "system" as "system" | "light" | "dark",
    sound: false,
    volume: 0.5,
    people: true, // units that people use (deg, rpm, psig), not SI
    camera: "orbit" as "orbit" | "top" | "chase",
    trail: true,
    trailSeconds: 20,
    velocityArrows: true,
    forceArrows: true,
    marks: true, // centre of mass
    tints: true, // colours by signal: slip, current
    ways: true, // where bodies mean to go
    panel: true, // the column at the right
};

export type Values = typeof DEFAULTS;

const PREFIX = "ironbird.";

export class Settings {
    private values: Values = { ...DEFAULTS };
    private listeners = new Set<(key: keyof Values) => void>();

    constructor() {
        for (const key of Object.keys(DEFAULTS) as (keyof Values)[]) this.load(key);
    }

    get<K extends keyof Values>(key: K): Values[K] {
        return this.values[key];
    }

    set<K extends keyof Values>(key: K, value: Values[K]): void {
        if (this.values[key] === value) return;
        this.values[key] = value;
        writeStored(key, value);
        for (const listener of this.listeners) listener(key);
    }

    onChange(listener: (key: keyof Values) => void): () => void {
        this.listeners.add(listener);
        return () => this.listeners.delete(listener);
    }

    // What is stored may be of another version: a value of the wrong type is dropped.
    private load<K extends keyof Values>(key: K): void {
        const value = readStored(key);
        if (typeof value === typeof DEFAULTS[key]) this.values[key] = value as Values[K];
    }
}

// A browser may forbid storage; the page works without.
export function readStored(key: string): unknown {
    try {
        return JSON.parse(localStorage.getItem(PREFIX + key) ?? "null");
    } catch {
        return null;
    }
}

export function writeStored(key: string, value: unknown): void {
    try {
        localStorage.setItem(PREFIX + key, JSON.stringify(value));
    } catch {
        // Not kept, then.
    }
}
