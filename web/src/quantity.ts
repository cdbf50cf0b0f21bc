// quantity.ts: numbers and units as people read them.

export interface ShownUnit {
    text: string; // "deg/s", "m/s²"; "" without a unit
    factor: number; // shown value = factor * SI value
}

// Radians become degrees where a person wants that: "rad", "rad/s", "V*s/rad".
export function shownUnit(unit: string, degrees: boolean): ShownUnit {
    let factor = 1;
    let text = unit === "1" ? "" : unit;
    if (degrees && /^rad(?![a-z])/.test(text)) {
        factor = 180 / Math.PI;
        text = text.replace(/^rad/, "deg");
    }
    text = text.replace(/\^2/g, "\u00b2").replace(/\^3/g, "\u00b3").replace(/\*/g, "\u00b7");
    return { text, factor };
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
