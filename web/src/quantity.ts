// quantity.ts: numbers and units as people read them.

import { SignalInfo } from "./protocol";

/** How SI values are shown: shown = SI * factor + offset. */
export interface Conversion {
    factor: number;
    offset: number;
}

export interface ShownUnit extends Conversion {
    text: string; // "deg/s", "m/s²"; "" without a unit
}

export const inUnit = (si: number, { factor, offset }: Conversion) => si * factor + offset;

const written = (unit: string) =>
    unit === "1"
        ? ""
        : unit.replace(/\^2/g, "\u00b2").replace(/\^3/g, "\u00b3").replace(/\*/g, "\u00b7");

// Of what is no signal (parameters, inputs, a design): radians become degrees where that is wanted
// ("rad", "rad/s", "rad*s"), the others stay.
export function shownUnit(unit: string, people: boolean): ShownUnit {
    const angle = people && /^rad(?![a-z])/.test(unit);
    const text = written(angle ? unit.replace(/^rad/, "deg") : unit);
    return { text, factor: angle ? 180 / Math.PI : 1, offset: 0 };
}

// Of a signal: the unit that the program prints and draws it in, which it has chosen, or SI.
export function signalUnit(
    { unit, shown }: Pick<SignalInfo, "unit" | "shown">,
    people: boolean,
): ShownUnit {
    if (!people || !shown) return shownUnit(unit, false);
    return { text: written(shown.unit), factor: shown.factor, offset: shown.offset };
}

// The least that a vertical axis spans [SI], by the unit's name: below it a person sees a cliff where
// there is only a ripple, such as that of an idle battery. Other units have none.
const LEAST_SPANS: Record<string, number> = {
    V: 0.5,
    A: 1,
    W: 1,
    J: 0.1,
    N: 0.5,
    "N*m": 0.05,
    m: 0.01,
    "m/s": 0.02,
    "m/s^2": 0.1,
    rad: Math.PI / 180,
    "rad/s": Math.PI / 180,
    Pa: 1000,
    K: 1,
    "A*s": 1,
};

export function leastSpan(unit: string): number {
    return LEAST_SPANS[unit] ?? 0;
}

// About four significant digits, with a steady number of decimals for each size, so that a running
// number does not jitter.
export function formatted(value: number): string {
    if (!Number.isFinite(value)) return "\u2013";
    const size = Math.abs(value);
    if (size < 1e-9) return "0.000";
    if (size >= 1e5 || size < 1e-3) return value.toExponential(2);
    const decimals = size >= 1000 ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : 3;
    return value.toFixed(decimals);
}

/** For number boxes: seven significant digits, no trailing zeros. */
export function plain(value: number): string {
    return Number.isFinite(value) ? String(Number(value.toPrecision(7))) : "";
}

/** A step for a slider: the span in about 200 steps of 1, 2 or 5 times a power of ten. */
export function niceStep(span: number): number {
    if (!(span > 0) || !Number.isFinite(span)) return 0.01;
    const raw = span / 200;
    const power = 10 ** Math.floor(Math.log10(raw));
    const lead = raw / power;
    return (lead >= 5 ? 5 : lead >= 2 ? 2 : 1) * power;
}
