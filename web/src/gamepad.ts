// gamepad.ts: what a game controller says, as shares of full power: each axis measured between its
// captured ends, dead zones cut out, each function of a profile read from where it was assigned.

import { readStored, writeStored } from "./app";
import { clamp } from "./numbers";
import { Hands, NEUTRAL_HANDS, Profile, ProfileFunction, ProfileName } from "./profiles";

export interface Source {
    kind: "axis" | "button" | "none";
    index: number;
    invert: boolean;
}

export interface AxisRange {
    low: number;
    centre: number;
    high: number;
}

/** How one kind of controller is used; kept in this browser by the controller's id. */
export interface Mapping {
    deadZone: number; // 0 … 0.5
    axes: AxisRange[];
    sources: Record<string, Source>; // by sourceKey(): "wheel.steer"
}

/** The part of the browser's Gamepad that is used here. */
export interface Pad {
    id: string;
    mapping: string;
    axes: readonly number[];
    buttons: readonly { pressed: boolean; value: number }[];
}

export const DEAD_ZONE = 0.1;

export function sourceKey(profile: ProfileName, key: keyof Hands): string {
    return `${profile}.${key}`;
}

// ---- numbers -----------------------------------------------------------------------------------

// Radial dead zone, rescaled: the length r of the stick's deflection becomes
//   0 for r <= d,   (r - d) / (1 - d) beyond,   at most 1,
// its direction stays. No jump at the edge of the zone, full power at the stick's end.
export function radial(x: number, y: number, d: number): [number, number] {
    const r = Math.hypot(x, y);
    if (!(r > d)) return [0, 0];
    const scale = Math.min(1, (r - d) / (1 - d)) / r;
    return [x * scale, y * scale];
}

/** The same for a single axis. */
export function axial(x: number, d: number): number {
    return radial(x, 0, d)[0];
}

// An axis between its ends. Two-sided: -1 … 1 with 0 at the centre, each side on its own scale;
// one-sided (a pedal): 0 … 1 from end to end.
export function measured(raw: number, range: AxisRange, oneSided: boolean): number {
    const { low, centre, high } = range;
    if (!Number.isFinite(raw)) return 0;
    if (oneSided) return high - low > 0.05 ? clamp((raw - low) / (high - low), 0, 1) : 0;
    const side = raw >= centre ? high - centre : centre - low;
    return side > 0.05 ? clamp((raw - centre) / side, -1, 1) : 0;
}

// ---- mappings ----------------------------------------------------------------------------------

const axis = (index: number, invert: boolean): Source => ({ kind: "axis", index, invert });
const button = (index: number): Source => ({ kind: "button", index, invert: false });
const NONE: Source = { kind: "none", index: 0, invert: false };

// Sticks point right and down when positive, robots go left and up: hence the inversions. On the
// standard layout axes 0, 1 are the left stick, 2, 3 the right one, buttons 6, 7 the triggers.
// Wheels have no standard; this is what many do, and the calibration screen is for the rest.
export function defaultMapping(pad: Pad): Mapping {
    const standard = pad.mapping === "standard";
    const sources: Record<string, Source> = {
        "arcade.throttle": axis(1, true),
        "arcade.steer": axis(0, true),
        "tank.left": axis(1, true),
        "tank.right": axis(standard ? 3 : clamp(pad.axes.length - 1, 0, 3), true),
        "wheel.steer": axis(0, true),
        "wheel.accelerator": standard ? button(7) : axis(2, true),
        "wheel.brake": standard ? button(6) : axis(1, true),
        "wheel.quick": button(standard ? 5 : 4),
        "strafe.throttle": axis(1, true),
        "strafe.aside": axis(0, false),
        "strafe.steer": axis(2, true),
    };
    for (const [key, source] of Object.entries(sources)) {
        if (!isThere(source, pad)) sources[key] = NONE;
    }
    const axes = pad.axes.map(() => ({ low: -1, centre: 0, high: 1 }));
    return { deadZone: DEAD_ZONE, axes, sources };
}

function isThere(source: Source, pad: Pad): boolean {
    return source.index < (source.kind === "axis" ? pad.axes : pad.buttons).length;
}

function isSource(value: unknown): value is Source {
    const s = value as Source | null;
    const kind = ["axis", "button", "none"].includes(s?.kind ?? "");
    return kind && Number.isInteger(s!.index) && s!.index >= 0 && typeof s!.invert === "boolean";
}

function isRange(value: unknown): value is AxisRange {
    const r = value as AxisRange | null;
    return [r?.low, r?.centre, r?.high].every((v) => Number.isFinite(v));
}

// Damaged or missing parts of what is stored are filled from the default.
export function mappingFrom(stored: unknown, pad: Pad): Mapping {
    const mapping = defaultMapping(pad);
    const given = stored as Partial<Mapping> | null;
    if (!given || typeof given !== "object") return mapping;
    if (Number.isFinite(given.deadZone)) mapping.deadZone = clamp(given.deadZone!, 0, 0.5);
    mapping.axes = mapping.axes.map((range, i) =>
        isRange(given.axes?.[i]) ? given.axes![i]! : range,
    );
    for (const key of Object.keys(mapping.sources)) {
        const source = given.sources?.[key];
        if (isSource(source)) mapping.sources[key] = source;
    }
    return mapping;
}

export const loadMapping = (pad: Pad) => mappingFrom(readStored(`gamepad.${pad.id}`), pad);
export const saveMapping = (pad: Pad, mapping: Mapping) =>
    writeStored(`gamepad.${pad.id}`, mapping);

/** "left stick up/down", "button 7": what to look for on the controller. */
export function sourceText(source: Source, standard: boolean): string {
    const axes = [
        "left stick \u2194",
        "left stick \u2195",
        "right stick \u2194",
        "right stick \u2195",
    ];
    const buttons = [
        "A",
        "B",
        "X",
        "Y",
        "left bumper",
        "right bumper",
        "left trigger",
        "right trigger",
    ];
    if (source.kind === "none") return "none";
    const names = standard ? (source.kind === "axis" ? axes : buttons) : [];
    return names[source.index] ?? `${source.kind} ${source.index}`;
}

// ---- reading -----------------------------------------------------------------------------------

// Some browsers report 0 for an axis until it has moved for the first time; for a pedal, whose rest
// is at an end, that would be half power. A one-sided axis counts only once it has moved.
export class PadReader {
    private first: number[] = [];
    private moved = new Set<number>();

    hands(pad: Pad, mapping: Mapping, profile: Profile): Hands {
        this.observe(pad);
        const hands: Hands = { ...NEUTRAL_HANDS };
        for (const fn of profile.functions) {
            const source = mapping.sources[sourceKey(profile.name, fn.key)];
            if (!source) continue;
            const value = this.read(pad, mapping, source, fn);
            if (fn.key === "quick") hands.quick = value > 0.5;
            else hands[fn.key] = fn.oneSided ? axial(value, mapping.deadZone / 2) : value;
        }
        return withDeadZone(hands, mapping, profile);
    }

    private observe(pad: Pad): void {
        pad.axes.forEach((value, i) => {
            this.first[i] ??= value;
            if (Math.abs(value - this.first[i]!) > 0.02) this.moved.add(i);
        });
    }

    private read(pad: Pad, mapping: Mapping, source: Source, fn: ProfileFunction): number {
        if (source.kind === "none") return 0;
        if (source.kind === "button") {
            const value = pad.buttons[source.index]?.value ?? 0;
            return source.invert ? 1 - value : value;
        }
        const range = mapping.axes[source.index];
        if (!range) return 0;
        const oneSided = fn.oneSided || fn.button;
        if (oneSided && !this.moved.has(source.index)) return 0;
        const value = measured(pad.axes[source.index] ?? NaN, range, oneSided);
        return source.invert ? (oneSided ? 1 - value : -value) : value;
    }
}

// Throttle and turn on one stick share a round dead zone, and so do the two ways of a robot that
// moves sideways; other axes have their own.
function withDeadZone(hands: Hands, mapping: Mapping, profile: Profile): Hands {
    const d = mapping.deadZone;
    const of = (key: keyof Hands) => mapping.sources[sourceKey(profile.name, key)];
    const stick = (s: Source | undefined) => (s?.kind === "axis" ? s.index >> 1 : -1);
    if (profile.name === "arcade" && stick(of("throttle")) === stick(of("steer"))) {
        [hands.throttle, hands.steer] = radial(hands.throttle, hands.steer, d);
        return hands;
    }
    hands.left = axial(hands.left, d);
    hands.right = axial(hands.right, d);
    [hands.throttle, hands.aside] = radial(hands.throttle, hands.aside, d);
    hands.steer = axial(hands.steer, d);
    return hands;
}

/** The controller to use: the one plugged in first that is still there. */
export function currentPad(): Gamepad | null {
    const pads = navigator.getGamepads?.() ?? [];
    return [...pads].find((pad) => pad?.connected) ?? null;
}

export function anyButton(pad: Pad): boolean {
    return pad.buttons.some((b) => b.pressed);
}
