// keyboard.ts: driving by keys. A key is on or off, a robot is not: throttle and turn ramp.

import { KeyBinding, keyIsTaken } from "./keys";
import { Hands } from "./profiles";

// By the place of the key (KeyboardEvent.code), so that WASD is a cross on every layout.
const THROTTLE: Record<string, number> = { KeyW: 1, ArrowUp: 1, KeyS: -1, ArrowDown: -1 };
const STEER: Record<string, number> = { KeyA: 1, ArrowLeft: 1, KeyD: -1, ArrowRight: -1 };
const SHIFT = ["ShiftLeft", "ShiftRight"];

const RISE = 4; // per second: a quarter of a second to full power
const FALL = 12; // letting go and turning round are quicker
const TURN_SHARE = 0.6; // of full power: a key has no small turns
const SLOW_SHARE = 0.5; // with Shift

export const DRIVE_KEYS: KeyBinding[] = [
    { keys: ["w", "ArrowUp"], group: "Driving", sentence: "forward" },
    { keys: ["s", "ArrowDown"], group: "Driving", sentence: "backward" },
    { keys: ["a", "ArrowLeft"], group: "Driving", sentence: "turn left" },
    { keys: ["d", "ArrowRight"], group: "Driving", sentence: "turn right" },
    { keys: ["Shift"], group: "Driving", sentence: "hold: half speed" },
];

// One step of a ramp of `dt` seconds towards `target`: slowly away from zero, quickly back.
export function ramped(value: number, target: number, dt: number): number {
    const away = target !== 0 && value * target >= 0 && Math.abs(target) > Math.abs(value);
    const most = (away ? RISE : FALL) * dt;
    return Math.abs(target - value) <= most ? target : value + Math.sign(target - value) * most;
}

export class Keyboard {
    private pressed = new Set<string>();
    private throttle = 0;
    private steer = 0;

    /** Takes a key if it is one for driving; true: it was. */
    down(event: KeyboardEvent): boolean {
        const { code } = event;
        if (event.ctrlKey || event.metaKey || event.altKey || keyIsTaken(event)) return false;
        if (SHIFT.includes(code)) this.pressed.add(code);
        if (!(code in THROTTLE) && !(code in STEER)) return false;
        this.pressed.add(code);
        return true;
    }

    up(event: KeyboardEvent): void {
        this.pressed.delete(event.code);
    }

    /** Is any driving key held, or still ramping down? */
    busy(): boolean {
        const held = [...this.pressed].some((code) => code in THROTTLE || code in STEER);
        return held || this.throttle !== 0 || this.steer !== 0;
    }

    clear(): void {
        this.pressed.clear();
        this.throttle = 0;
        this.steer = 0;
    }

    /** What the keys ask for, `dt` seconds after the last time. */
    hands(dt: number): Pick<Hands, "throttle" | "steer"> {
        const slow = SHIFT.some((code) => this.pressed.has(code)) ? SLOW_SHARE : 1;
        this.throttle = ramped(this.throttle, slow * this.sum(THROTTLE), dt);
        this.steer = ramped(this.steer, slow * TURN_SHARE * this.sum(STEER), dt);
        return { throttle: this.throttle, steer: this.steer };
    }

    // W and the up arrow together are not twice as fast; W and S together stand still.
    private sum(table: Record<string, number>): number {
        const held = Object.keys(table).filter((code) => this.pressed.has(code));
        const signs = new Set(held.map((code) => table[code]!));
        return [...signs].reduce((a, b) => a + b, 0);
    }
}
