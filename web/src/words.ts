// words.ts: how a run stands, in words and figures for people.

import { clamp } from "./numbers";

export const plural = (count: number, noun: string) =>
    `${count} ${noun}${count === 1 ? "" : "s"}`;

// How expectations stand, in words. Most of them are decided at the end only: until then they are
// neither met nor failed.
export function verdicts(expected: number, passed: number, failed: number): string {
    const open = expected - passed - failed;
    const all = plural(expected, "expectation");
    if (open === expected) return `${all} to be decided`;
    if (failed === 0 && open === 0) return `${all} met`;
    const parts = [`${passed} of ${all} met`];
    if (failed > 0) parts.push(`${failed} failed`);
    if (open > 0) parts.push(`${open} to be decided`);
    return parts.join(", ");
}

// With so many decimals that one step of the run is seen: three at 1 ms, two at least.
export function timeText(time: number, step: number): string {
    if (!Number.isFinite(time)) return "-";
    const decimals = step > 0 ? Math.ceil(-Math.log10(step) - 1e-9) : 3;
    return time.toFixed(clamp(decimals, 2, 6));
}
