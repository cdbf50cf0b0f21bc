// design/scale.ts: from the position of a slider to the value of a knob and back, and how a knob's
// numbers are shown.

import { KnobInfo } from "../protocol";
import { niceStep, ShownUnit, shownUnit } from "../quantity";

export const POSITIONS = 1000; // of a slider: 0 to this

const DIGITS = 3; // of a value that comes from a slider
const SHORT = 0.2; // [s] up to here milliseconds are easier to read

/** Rounded to so many significant digits. */
export function rounded(value: number, digits: number): number {
    return Number(value.toPrecision(digits));
}

/** What is a millionth of the size of things is shown as 0; NaN where there is no value. */
export function unlessRounding(value: number | null | undefined, size: number | null): number {
    if (value === null || value === undefined) return NaN;
    return Math.abs(value) < 1e-6 * Math.abs(size ?? 0) ? 0 : value;
}

export interface Range {
    low: number;
    high: number;
}

// log:     value = low (high / low)^(position / POSITIONS)
// linear:  value = low + (high - low) position / POSITIONS, in round steps
export function valueAt(info: KnobInfo, range: Range, position: number): number {
    const share = position / POSITIONS;
    const { low, high } = range;
    if (info.form === "log") return rounded(low * (high / low) ** share, DIGITS);
    const step = niceStep(high - low);
    const value = Math.round((low + (high - low) * share) / step) * step;
    return rounded(Math.min(Math.max(value, low), high), 6);
}

export function positionOf(info: KnobInfo, range: Range, value: number): number {
    const { low, high } = range;
    const log = info.form === "log";
    if (log && !(value > 0)) return 0;
    const share = log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
    return Math.round(POSITIONS * Math.min(Math.max(share, 0), 1));
}

/** A slider that reaches the value, whatever was typed. */
export function reaching(info: KnobInfo, value: number): Range {
    const positive = info.form !== "log" || value > 0;
    return {
        low: positive ? Math.min(info.low, value) : info.low,
        high: Math.max(info.high, value),
    };
}

export function knobUnit(info: KnobInfo, people: boolean): ShownUnit {
    if (info.unit === "s" && info.high <= SHORT) return { text: "ms", factor: 1000, offset: 0 };
    return shownUnit(info.unit, people);
}
