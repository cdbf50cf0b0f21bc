// colours.ts: which colour a line or a trail has. A robot that is called after a colour has that one, in
// every chart and on the floor; all others take the next of the palette that does not look like it.

// Places in the palette, 1 … 8 (--plot-1 … --plot-8 in charts.css), that look like a colour.
const NEAR: Record<string, number[]> = {
    red: [2, 7],
    orange: [2, 5],
    yellow: [5],
    green: [3],
    cyan: [6],
    blue: [1, 6],
    purple: [4],
    pink: [7, 4],
    brown: [5, 2],
    grey: [8],
};

const OTHER_WORDS: Record<string, string> = {
    gold: "yellow",
    teal: "cyan",
    violet: "purple",
    magenta: "pink",
    gray: "grey",
    silver: "grey",
};

export const COLOURS = 8;

/** The colour that a robot is called after; null: its name is none. */
export function namedColour(robot: string): string | null {
    const word = Object.keys(OTHER_WORDS).includes(robot) ? OTHER_WORDS[robot]! : robot;
    return Object.keys(NEAR).includes(word) ? word : null;
}

// Palette places that look like none of these colours, the others behind them.
function freePlaces(words: readonly (string | null)[]): number[] {
    const near = new Set(words.flatMap((word) => (word ? NEAR[word]! : [])));
    const all = Array.from({ length: COLOURS }, (_, k) => k + 1);
    return [...all.filter((k) => !near.has(k)), ...all.filter((k) => near.has(k))];
}

export interface LineLook {
    colour: string; // a variable of the theme: "--plot-3", "--plot-red"
    dash: number[]; // []: solid; the second line of one robot is dashed, and so on
}

const DASHES = [[], [9, 5], [3, 4], [12, 4, 3, 4]];

/** Looks of lines that stand in one chart; `robots` are the names of all robots there are. */
export function lineLooks(signals: readonly string[], robots: readonly string[]): LineLook[] {
    const words = signals.map((signal) => {
        const robot = robots.find((name) => name !== "" && signal.startsWith(`${name}.`));
        return robot ? namedColour(robot) : null;
    });
    const free = freePlaces(robots.map(namedColour));
    let others = 0;
    return words.map((word, k) => {
        const colour = word ?? String(free[others++ % COLOURS]);
        const before = word ? words.slice(0, k).filter((other) => other === word).length : 0;
        return { colour: `--plot-${colour}`, dash: DASHES[before % DASHES.length]! };
    });
}

// On the floor, legible on both themes. Those of the palette are none of velocities (green), forces or
// slip (orange, red).
const FLOOR: Record<string, string> = {
    red: "#d0342c",
    orange: "#e07a1f",
    yellow: "#d9ab00",
    green: "#2c9a4b",
    cyan: "#0b8fae",
    blue: "#2f7de1",
    purple: "#a13fbd",
    pink: "#d6408f",
    brown: "#8d6e4a",
    grey: "#77828d",
};
const TRAILS = ["blue", "purple", "cyan", "brown"];

/** Of a point that leaves a line in the air. */
export const TRACE_COLOUR = FLOOR.cyan!;

/** Colours of the trails of these bodies. */
export function trailColours(robots: readonly string[]): string[] {
    const words = robots.map(namedColour);
    const free = TRAILS.filter((word) => !words.includes(word));
    let others = 0;
    return words.map((word) => FLOOR[word ?? free[others++ % free.length] ?? "blue"]!);
}
