// scene/legend.ts: what the colours of the scene stand for, as rows for a person.

import { RoutineInfo } from "../protocol";
import { inUnit, ShownUnit } from "../quantity";
import { MarkSpec, SolidSpec, Tint } from "./geometry";

export interface LegendRow {
    colour: string; // "": the sign of a centre of mass
    text: string;
    extra?: boolean; // left out on a small screen
}

// What several names have in common: "wheel.left.slip" and "wheel.right.slip" are "wheel slip".
function sharedWords(names: string[]): string {
    const [first = [], ...others] = names.map((name) => name.split(/[. ]+/));
    const shared = first.filter((word) => others.every((list) => list.includes(word)));
    return shared.join(" ") || names[0] || "";
}

// One row for each kind of tint: slip of four wheels is one, a motor's current another. Those without
// a label are of one kind if they have the same scale.
export function tintRows(
    solids: readonly SolidSpec[],
    unitOf: (signal: string) => ShownUnit,
): LegendRow[] {
    const kinds = new Map<string, { colour: string; tint: Tint; names: string[] }>();
    for (const { colour, tint } of solids) {
        if (!tint) continue;
        const key = JSON.stringify([tint.label, tint.full, unitOf(tint.signal).text]);
        const kind = kinds.get(key) ?? { colour, tint, names: [] };
        kind.names.push(tint.signal);
        kinds.set(key, kind);
    }
    return [...kinds.values()].map(({ colour, tint, names }) => ({
        colour: `linear-gradient(90deg, ${colour}, ${tint.colour})`,
        text: `${tint.label || sharedWords(names)}: ${spanText(tint.full, unitOf(tint.signal))}`,
        extra: true,
    }));
}

function spanText(full: number, unit: ShownUnit): string {
    const [from, to] = [0, full].map((si) => String(Number(inUnit(si, unit).toPrecision(3))));
    return `${from} to ${to} ${unit.text}`.trim();
}

export function trailRows(
    trails: readonly { name: string; colour: string }[],
    alone: boolean, // there is one body only
    seconds: number,
): LegendRow[] {
    return trails.map(({ name, colour }) => ({
        colour,
        text: alone ? `trail: ${seconds} s` : `trail of ${name}`,
        extra: true,
    }));
}

// What every routine does now.
export function stepRows(
    routines: readonly RoutineInfo[],
    value: (signal: number) => number,
): LegendRow[] {
    return routines.flatMap(({ robot, step, words }) => {
        const text = words[value(step)];
        const whose = robot && routines.length > 1 ? `${robot}: ` : "";
        return text === undefined ? [] : [{ colour: "var(--accent)", text: whose + text }];
    });
}

export function wayRow(): LegendRow {
    const dash = "repeating-linear-gradient(90deg, var(--text) 0 5px, transparent 5px 8px)";
    return { colour: dash, text: "planned way", extra: true };
}

export function markRow(marks: readonly MarkSpec[]): LegendRow {
    return { colour: "", text: sharedWords(marks.map((mark) => mark.name)), extra: true };
}

// What the colours of support polygons mean.
export function supportRows(marks: readonly MarkSpec[]): LegendRow[] {
    const first = marks.find((mark) => mark.feet.length > 0);
    if (!first) return [];
    const thirds = ["wide", "narrow", "outside"].map((word, k) => `var(--scene-${word}) ${33 * k}% ${33 * k + 34}%`);
    const colour = `linear-gradient(90deg, ${thirds.join(", ")})`;
    const text = `support polygon: margin ${(1000 * first.margin).toFixed(0)} mm or more, less, outside`;
    return [{ colour, text, extra: true }];
}
