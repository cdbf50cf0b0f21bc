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
    profilesFor,
    scaled,
    strafe,
} from "./profiles";
import { DriveAxis, InputInfo } from "./protocol";

const TICK_MS = 20;
const SEAT_GRACE_MS = 600; // status comes 5 times a second: give a new seat time to show
const TAKE_MS = 300; // a seat taken over is ours at the latest then
const PRESS_MS = 200; // a button on the screen is down so long: many periods of a loop

export type DriveState = "none" | "neutral" | "driving" | "taken";
export type Means = "keys" | "gamepad" | "stick";

/** The inputs of one robot: which the profile sets, and the others. */
export interface Wiring {
    main: { input: InputInfo; of: (demand: Demand) => number }[];
    others: InputInfo[];
    drives: boolean; // it has something to drive; otherwise all that it has are other inputs
    sideways: boolean; // it can be asked to move sideways
}

const DEMAND_OF: Record<DriveAxis, (demand: Demand) => number> = {
    left_side: (d) => d.left,
    right_side: (d) => d.right,
    forward: (d) => d.throttle,
    right: (d) => d.aside,
    left: (d) => 0 - d.aside,
    turn_left: (d) => d.turn,
    turn_right: (d) => 0 - d.turn,
};
const SIDES: readonly DriveAxis[] = ["left_side", "right_side"];
const WHOLE: readonly DriveAxis[] = ["forward", "right", "left", "turn_left", "turn_right"];

// By what inputs say that they do: both sides where a robot has them, otherwise the whole of it.
// Inputs of another set exclude the chosen ones, so they are not offered.
export function wiringOf(inputs: readonly InputInfo[], robot: number): Wiring {
    const own = inputs.filter((input) => input.robot === robot);
    const on = (axis: DriveAxis) => own.find((input) => input.axis === axis);
    const axes = SIDES.every(on) ? SIDES : WHOLE;
    const main = axes.flatMap((axis) => {
        const input = on(axis);
        return input ? [{ input, of: DEMAND_OF[axis] }] : [];
    });
    const set = main[0]?.input.set ?? 0;
    const chosen = new Set(main.map((m) => m.input));
    const fits = (input: InputInfo) => input.set === 0 || input.set === set || set === 0;
    return {
        main,
        others: own.filter((input) => !chosen.has(input) && fits(input)),
        drives: main.length > 0,
        sideways: main.some(({ input }) => input.axis === "right" || input.axis === "left"),
    };
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
    profile!: Profile;
    pad: Gamepad | null = null;
    mapping: Mapping | null = null;
    readonly others = new Map<InputInfo, number>(); // values of the other inputs
    readonly keyboard = new Keyboard();
    // The sticks on the screen, while held; the second one turns a robot that moves sideways.
    stick: { up: number; right: number } | null = null;
    turnStick: { right: number } | null = null;
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
        this.suitHands();
        if (this.inputs.length > 0) this.listen();
    }

    // ---- for the panel -------------------------------------------------------------------------

    onChange(listener: () => void): void {
        this.listeners.add(listener);
    }

    robots(): number[] {
        return [...new Set(this.inputs.map((input) => input.robot))];
    }

    /** Is there a robot among them that hands can drive? */
    canDrive(): boolean {
        return this.robots().some((robot) => wiringOf(this.inputs, robot).drives);
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
        this.suitHands();
        this.others.clear();
        this.app.follow(this.app.hello.robots[robot]?.name ?? "");
        this.changed();
    }

    /** The profiles that suit the robot. */
    profiles(): readonly Profile[] {
        return profilesFor(this.wiring.sideways);
    }

    // What is kept is the choice among several; who moves sideways has one profile only.
    chooseProfile(name: ProfileName): void {
        this.profile = profileOf(name, this.profiles());
        if (this.profiles().length > 1) writeStored("drive.profile", name);
        this.changed();
    }

    private suitHands(): void {
        this.profile = profileOf(String(readStored("drive.profile") ?? ""), this.profiles());
        this.keyboard.sideways = this.wiring.sideways;
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

    /** A button: down for a moment. */
    press(input: InputInfo): void {
        this.setOther(input, input.high);
        setTimeout(() => {
            if (this.others.get(input) === input.high) this.setOther(input, input.neutral);
        }, PRESS_MS);
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
        this.stick = this.turnStick = null;
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
        if (!this.wiring.drives || !this.keyboard.down(event)) return;
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
        const pressed = anyButton(this.pad) && this.wiring.drives;
        if (pressed && !this.padWasPressed && !this.paused && document.hasFocus()) {
            this.means = "gamepad";
            this.engage();
        }
        this.padWasPressed = pressed;
    }

    private readDemand(dt: number): Demand {
        const keys = this.keyboard.hands(dt);
        let demand: Demand = NEUTRAL_DEMAND;
        if (this.stick || this.turnStick) {
            this.means = "stick";
            demand = this.screenDemand();
        } else if (this.keyboard.busy()) {
            this.means = "keys";
            demand = this.wiring.sideways
                ? strafe(keys.throttle, keys.aside, keys.steer)
                : arcade(keys.throttle, keys.steer);
        } else if (this.pad && this.mapping) {
            demand = demandOf(
                this.profile.name,
                this.reader.hands(this.pad, this.mapping, this.profile),
            );
            if (Object.values(demand).some((share) => share !== 0)) this.means = "gamepad";
        }
        const k = this.limit;
        return {
            left: k * demand.left,
            right: k * demand.right,
            throttle: k * demand.throttle,
            aside: k * demand.aside,
            turn: k * demand.turn,
        };
    }

    private screenDemand(): Demand {
        const { up, right } = this.stick ?? { up: 0, right: 0 };
        const turn = 0 - (this.turnStick?.right ?? 0);
        return this.wiring.sideways ? strafe(up, right, turn) : arcade(up, 0 - right);
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
