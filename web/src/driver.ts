// driver.ts: who drives, and what is sent. While somebody drives, the values go out every 20 ms; a
// lost focus, a hidden page, an unplugged controller, Escape or a lost connection let go at once.
// The server does the same by itself when nothing comes for 100 ms.

import { App, readStored, writeStored } from "./app";
import { anyButton, currentPad, loadMapping, Mapping, PadReader } from "./gamepad";
import { Keyboard } from "./keyboard";
import { clamp } from "./numbers";
import {
    arcade,
    Demand,
    demandOf,
    NEUTRAL_DEMAND,
    Profile,
    profileOf,
    ProfileName,
    scaled,
} from "./profiles";
import { InputInfo } from "./protocol";

const TICK_MS = 20;
const SEAT_GRACE_MS = 600; // status comes 5 times a second: give a new seat time to show
const TAKE_MS = 300; // a seat taken over is ours at the latest then

export type DriveState = "none" | "neutral" | "driving" | "taken";
export type Means = "keys" | "gamepad" | "stick";

/** The inputs of one robot: which the profile sets, and the others. */
export interface Wiring {
    main: { input: InputInfo; of: (demand: Demand) => number }[];
    others: InputInfo[];
}

// left and right where a robot has them, otherwise throttle and turn. Inputs of another set exclude
// the chosen ones, so they are not offered.
export function wiringOf(inputs: readonly InputInfo[], robot: number): Wiring {
    const own = inputs.filter((input) => input.robot === robot);
    const named = (name: string) => own.find((input) => input.name === name);
    const pair = named("left") && named("right") ? ["left", "right"] : ["throttle", "turn"];
    const main = pair.flatMap((name) => {
        const input = named(name);
        return input ? [{ input, of: (d: Demand) => d[name as keyof Demand] }] : [];
    });
    const set = main[0]?.input.set ?? 0;
    const chosen = new Set(main.map((m) => m.input));
    const fits = (input: InputInfo) => input.set === 0 || input.set === set || set === 0;
    return { main, others: own.filter((input) => !chosen.has(input) && fits(input)) };
}

// An input without ends (JSON has no infinity) is driven between -1 and 1 of its unit.
export function boundedInput(input: InputInfo): InputInfo {
    const neutral = Number.isFinite(input.neutral) ? input.neutral : 0;
    const low = Number.isFinite(input.low) ? input.low : neutral - 1;
    const high = Number.isFinite(input.high) ? input.high : neutral + 1;
    return { ...input, neutral, low, high };
}

export class Driver {
    robot: number;
    wiring: Wiring;
    engaged = false;
    paused = false; // while calibrating: the controller moves, the robot does not
    reason = ""; // why it is neutral, for a person
    means: Means = "keys";
    demand: Demand = { ...NEUTRAL_DEMAND };
    limit: number; // share of full power, 0.1 … 1
    profile: Profile;
    pad: Gamepad | null = null;
    mapping: Mapping | null = null;
    readonly others = new Map<InputInfo, number>(); // values of the other inputs
    readonly keyboard = new Keyboard();
    stick: { throttle: number; steer: number } | null = null; // the one on the screen, while held
    private readonly inputs: InputInfo[];
    private reader = new PadReader();
    private listeners = new Set<() => void>();
    private unsent = new Set<InputInfo>();
    private engagedAt = -Infinity;
    private takenAt = -Infinity;
    private tickedAt = 0;
    private padWasPressed = true; // a button that is already down does not start anything

    constructor(private app: App) {
        this.inputs = app.hello.mode === "live" ? app.hello.inputs.map(boundedInput) : [];
        this.robot = this.inputs[0]?.robot ?? 0;
        this.wiring = wiringOf(this.inputs, this.robot);
        this.limit = clamp(Number(readStored("drive.limit") ?? 1) || 1, 0.1, 1);
        this.profile = profileOf(String(readStored("drive.profile") ?? ""));
        if (this.inputs.length > 0) this.listen();
    }

    // ---- for the panel -------------------------------------------------------------------------

    onChange(listener: () => void): void {
        this.listeners.add(listener);
    }

    robots(): number[] {
        return [...new Set(this.inputs.map((input) => input.robot))];
    }

    /** The client that holds the seat, if that is somebody else; 0: it is free, or ours. */
    otherDriver(): number {
        const driver = this.app.store.status?.drivers[this.robot] ?? 0;
        return driver === this.app.hello.you ? 0 : driver;
    }

    state(): DriveState {
        if (this.inputs.length === 0) return "none";
        if (this.engaged) return "driving";
        return this.otherDriver() !== 0 ? "taken" : "neutral";
    }

    chooseRobot(robot: number): void {
        this.letGo("another robot was chosen");
        this.robot = robot;
        this.wiring = wiringOf(this.inputs, robot);
        this.others.clear();
        this.app.follow(this.app.hello.robots[robot]?.name ?? "");
        this.changed();
    }

    chooseProfile(name: ProfileName): void {
        this.profile = profileOf(name);
        writeStored("drive.profile", name);
        this.changed();
    }

    setLimit(limit: number): void {
        this.limit = clamp(limit, 0.1, 1);
        writeStored("drive.limit", this.limit);
    }

    setOther(input: InputInfo, value: number): void {
        if (!this.engage()) return;
        this.others.set(input, value);
        this.unsent.add(input);
        this.changed();
    }

    otherValue(input: InputInfo): number {
        return this.others.get(input) ?? input.neutral;
    }

    reloadMapping(): void {
        this.mapping = this.pad ? loadMapping(this.pad) : null;
        this.reader = new PadReader();
        this.changed();
    }

    /** Starts to drive; false: somebody else does, or there is nothing to drive. */
    engage(): boolean {
        if (this.engaged) return true;
        if (this.state() !== "neutral" || this.paused || this.app.link.connection !== "open")
            return false;
        this.engaged = true;
        this.reason = "";
        this.engagedAt = this.tickedAt = performance.now();
        this.changed();
        this.tick();
        return true;
    }

    takeOver(): void {
        if (!this.app.link.send({ type: "take", robot: this.robot })) return;
        this.engaged = true;
        this.reason = "";
        this.engagedAt = this.takenAt = this.tickedAt = performance.now();
        this.changed();
    }

    letGo(reason: string, tell = true): void {
        this.keyboard.clear();
        this.stick = null;
        if (!this.engaged) return;
        this.engaged = false;
        this.reason = reason;
        this.demand = { ...NEUTRAL_DEMAND };
        for (const input of [...this.others.keys()]) if (!input.held) this.others.delete(input);
        if (tell) this.app.link.send({ type: "release", robot: this.robot });
        this.changed();
    }

    // ---- events --------------------------------------------------------------------------------

    private listen(): void {
        addEventListener("keydown", (event) => this.keyDown(event));
        addEventListener("keyup", (event) => this.keyboard.up(event));
        addEventListener("blur", () => this.letGo("the page lost the focus"));
        addEventListener("pagehide", () => this.letGo("the page was left"));
        document.addEventListener("visibilitychange", () => {
            if (document.visibilityState === "hidden") this.letGo("the page was hidden");
        });
        addEventListener("gamepadconnected", () => this.findPad());
        addEventListener("gamepaddisconnected", () => this.findPad());
        this.app.link.on("connection", (connection) => {
            // A server that only hangs hears of it when it wakes up.
            const silent = connection === "silent";
            if (silent) this.letGo("the server does not answer");
            else if (connection !== "open") this.letGo("the connection was lost", false);
            this.changed();
        });
        this.app.store.onStatus(() => this.checkSeat());
        // A new run begins with every switch at its neutral.
        this.app.store.onJump((jump) => {
            if (jump === "run") this.others.clear();
        });
        this.app.link.on("refused", ({ text }) => {
            if (text.includes("somebody else drives"))
                this.letGo("somebody else has taken over", false);
        });
        setInterval(() => this.tick(), TICK_MS);
        this.findPad();
    }

    private keyDown(event: KeyboardEvent): void {
        if (event.defaultPrevented || this.paused || document.querySelector("dialog[open]")) return;
        if (!this.keyboard.down(event)) return;
        event.preventDefault();
        if (event.repeat && !this.engaged) return; // held since before it was let go
        this.means = "keys";
        this.engage();
    }

    private findPad(): void {
        const pad = currentPad();
        if (this.pad && pad?.index !== this.pad.index && this.means === "gamepad") {
            this.letGo("the controller was unplugged");
        }
        this.pad = pad;
        this.padWasPressed = true;
        this.reloadMapping();
    }

    // Another client has taken over: nothing to release any more.
    private checkSeat(): void {
        const settled = performance.now() - this.engagedAt > SEAT_GRACE_MS;
        if (this.engaged && settled && this.otherDriver() !== 0) {
            this.letGo("somebody else has taken over", false);
        }
        this.changed();
    }

    private changed(): void {
        for (const listener of this.listeners) listener();
    }

    // ---- every 20 ms ---------------------------------------------------------------------------

    private tick(): void {
        const now = performance.now();
        const dt = clamp((now - this.tickedAt) / 1000, 0, 0.1);
        this.tickedAt = now;
        this.pollPad();
        if (!this.engaged) return;
        this.demand = this.readDemand(dt);
        this.send();
        this.changed();
    }

    // Browsers hand out a fresh snapshot on each call; the old one does not change.
    private pollPad(): void {
        if (!this.pad) return;
        this.pad = currentPad();
        if (!this.pad) return this.findPad();
        const pressed = anyButton(this.pad);
        if (pressed && !this.padWasPressed && !this.paused && document.hasFocus()) {
            this.means = "gamepad";
            this.engage();
        }
        this.padWasPressed = pressed;
    }

    private readDemand(dt: number): Demand {
        const keys = this.keyboard.hands(dt);
        let demand: Demand = NEUTRAL_DEMAND;
        if (this.stick) {
            this.means = "stick";
            demand = arcade(this.stick.throttle, this.stick.steer);
        } else if (this.keyboard.busy()) {
            this.means = "keys";
            demand = arcade(keys.throttle, keys.steer);
        } else if (this.pad && this.mapping) {
            demand = demandOf(
                this.profile.name,
                this.reader.hands(this.pad, this.mapping, this.profile),
            );
            if (demand.left !== 0 || demand.right !== 0) this.means = "gamepad";
        }
        const { left, right, throttle, turn } = demand;
        const k = this.limit;
        return { left: k * left, right: k * right, throttle: k * throttle, turn: k * turn };
    }

    // What is not held is repeated, in case the server has gone to neutral in between; a switch is
    // sent once when it changes.
    private send(): void {
        // The one before us may still have the seat for a moment.
        const taking = performance.now() - this.takenAt < TAKE_MS;
        if (taking && this.otherDriver() !== 0) return;
        const values: [number, number][] = this.wiring.main.map(({ input, of }) => [
            input.index,
            rounded(scaled(of(this.demand), input)),
        ]);
        for (const [input, value] of this.others) {
            if (!input.held || this.unsent.has(input)) values.push([input.index, rounded(value)]);
        }
        this.unsent.clear();
        this.app.link.send({ type: "drive", robot: this.robot, values });
    }
}

function rounded(value: number): number {
    return Math.round(value * 1e6) / 1e6;
}
