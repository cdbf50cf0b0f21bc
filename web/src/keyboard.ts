// keyboard.ts: driving by keys. A key is on or off, a robot is not: what it asks for ramps.

import { KeyBinding, keyIsTaken } from "./keys";
import { Hands } from "./profiles";

// By the place of the key (KeyboardEvent.code), so that WASD is a cross on every layout.
type Codes = Record<string, number>;
const THROTTLE: Codes = { KeyW: 1, ArrowUp: 1, KeyS: -1, ArrowDown: -1 };
const STEER: Codes = { KeyA: 1, ArrowLeft: 1, KeyD: -1, ArrowRight: -1 };
// A robot that moves sideways has two more keys, and A and D move it.
const ASIDE: Codes = { KeyA: -1, KeyD: 1 };
const STEER_BESIDE: Codes = { KeyQ: 1, ArrowLeft: 1, KeyE: -1, ArrowRight: -1 };
const SHIFT = ["ShiftLeft", "ShiftRight"];

const RISE = 4; // per second: a quarter of a second to full power
const FALL = 12; // letting go and turning round are quicker
const TURN_SHARE = 0.6; // of full power: a key has no small turns
const SLOW_SHARE = 0.5; // with Shift

const key = (sentence: string, ...keys: string[]): KeyBinding => ({
    keys,
    group: "Driving",
    sentence,
});
const SLOWER = key("hold: half speed", "Shift");
const AHEAD = [key("forward", "w", "ArrowUp"), key("backward", "s", "ArrowDown")];

/** What the keys do to a robot that moves sideways, or to one that does not. */
export function driveKeys(sideways: boolean): KeyBinding[] {
    return sideways
        ? [
              ...AHEAD,
              key("to the left", "a"),
              key("to the right", "d"),
              key("turn left", "q", "ArrowLeft"),
              key("turn right", "e", "ArrowRight"),
              SLOWER,
          ]
        : [
              ...AHEAD,
              key("turn left", "a", "ArrowLeft"),
              key("turn right", "d", "ArrowRight"),
              SLOWER,
          ];
}

// One step of a ramp of `dt` seconds towards `target`: slowly away from zero, quickly back.
export function ramped(value: number, target: number, dt: number): number {
    const away = target !== 0 && value * target >= 0 && Math.abs(target) > Math.abs(value);
    const most = (away ? RISE : FALL) * dt;
    return Math.abs(target - value) <= most ? target : value + Math.sign(target - value) * most;
}

export class Keyboard {
    private pressed = new Set<string>();
    private throttle = 0;
    private aside = 0;
    private steer = 0;
    private asides: Codes = {};
    private steers = STEER;

    /** Which robot the keys are for: one that moves sideways? */
    set sideways(sideways: boolean) {
        this.clear();
        this.asides = sideways ? ASIDE : {};
        this.steers = sideways ? STEER_BESIDE : STEER;
    }

    /** Takes a key if it is one for driving; true: it was. */
    down(event: KeyboardEvent): boolean {
        const { code } = event;
        if (event.ctrlKey || event.metaKey || event.altKey || keyIsTaken(event)) return false;
        if (SHIFT.includes(code)) this.pressed.add(code);
        if (!this.drives(code)) return false;
        this.pressed.add(code);
        return true;
    }

    up(event: KeyboardEvent): void {
        this.pressed.delete(event.code);
    }

    /** Is any driving key held, or still ramping down? */
    busy(): boolean {
        const held = [...this.pressed].some((code) => this.drives(code));
        return held || this.throttle !== 0 || this.aside !== 0 || this.steer !== 0;
    }

    clear(): void {
        this.pressed.clear();
        this.throttle = 0;
        this.aside = 0;
        this.steer = 0;
    }

    /** What the keys ask for, `dt` seconds after the last time. */
    hands(dt: number): Pick<Hands, "throttle" | "aside" | "steer"> {
        const slow = SHIFT.some((code) => this.pressed.has(code)) ? SLOW_SHARE : 1;
        this.throttle = ramped(this.throttle, slow * this.sum(THROTTLE), dt);
        this.aside = ramped(this.aside, slow * this.sum(this.asides), dt);
        this.steer = ramped(this.steer, slow * TURN_SHARE * this.sum(this.steers), dt);
        return { throttle: this.throttle, aside: this.aside, steer: this.steer };
    }

    private drives(code: string): boolean {
        return code in THROTTLE || code in this.asides || code in this.steers;
    }

    // W and the up arrow together are not twice as fast; W and S together stand still.
    private sum(table: Codes): number {
        const held = Object.keys(table).filter((code) => this.pressed.has(code));
        const signs = new Set(held.map((code) => table[code]!));
        return [...signs].reduce((a, b) => a + b, 0);
    }
}
