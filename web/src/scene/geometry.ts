// scene/geometry.ts: the geometry table as the scene uses it, checked. It may come from a recording,
// which anybody can have written: what is broken is left out and noted, nothing is trusted.
// The meaning of the fields: docs/robot/geometry.md

export type Vector = [number, number, number];

export interface FrameSpec {
    name: string;
    parent: string | null; // null: the field
    place: Vector;
    attitude: Vector; // yaw, pitch, roll
    move: (string | null)[]; // signals along x, y, z
    turn: (string | null)[]; // signals of yaw, pitch, roll
    body: boolean;
}

export interface Tint {
    signal: string;
    label: string; // for people: "slip"; "": an older recording has none
    full: number;
    colour: string;
}

export type Form = "box" | "cylinder" | "capsule" | "polygon";

export interface SolidSpec {
    name: string;
    frame: string | null;
    form: Form;
    place: Vector;
    attitude: Vector;
    size: Vector;
    corners: [number, number][];
    colour: string;
    opacity: number;
    tint: Tint | null;
}

export interface ArrowSpec {
    name: string;
    frame: string | null;
    kind: "velocity" | "force" | "impulse";
    place: Vector;
    move: (string | null)[]; // signals added to it
    since: string | null; // signal: when it came; null: it stays
    parts: { signal: string; along: Vector }[];
}

// A foot that may carry: a ball about the place that its signals say.
export interface FootSpec {
    move: (string | null)[];
    radius: number;
    load: string; // signal: the push of the ground on it
}

export interface MarkSpec {
    name: string;
    frame: string | null;
    place: Vector;
    move: (string | null)[];
    feet: FootSpec[]; // what carries it
    margin: number; // wanted of the support polygon
}

// An area of the floor, painted on it.
export interface AreaSpec {
    name: string;
    corners: [number, number][];
    colour: string;
}

export interface WaySpec {
    name: string;
    body: string | null;
    points: [number, number][];
    now: (string | null)[]; // signals: where on it the body should be by now
}

// A point that leaves a line in the air where it has been.
export interface TraceSpec {
    name: string;
    frame: string | null;
    place: Vector;
    move: (string | null)[]; // signals added to it
    reach: number; // it stays as near to the frame's origin [m]; 0: not known
    wanted: boolean; // where it should be, not where it is
}

export interface Geometry {
    frames: FrameSpec[];
    solids: SolidSpec[];
    arrows: ArrowSpec[];
    marks: MarkSpec[];
    areas: AreaSpec[];
    ways: WaySpec[];
    traces: TraceSpec[];
    notes: string[]; // what was left out, for a person
}

const LIMITS = {
    frames: 1000,
    solids: 2000,
    arrows: 1000,
    marks: 200,
    areas: 500,
    ways: 100,
    traces: 50,
};
const MAX_FEET = 32;
const MAX_CORNERS = 500;
const MAX_WAY_POINTS = 5000;
const MAX_COORDINATE = 1e6; // [m]; beyond it single precision shows nothing sensible
const MAX_NOTES = 20;

type Raw = Record<string, unknown>;

// ---- single values: each returns what it was given, or throws what is wrong with it ---------------

function asObject(value: unknown): Raw {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
        throw new Error("is not an object");
    }
    return value as Raw;
}

function asText(value: unknown, what: string): string {
    if (typeof value !== "string" || value.length > 200) throw new Error(`${what} is not a name`);
    return value;
}

function asTextOrNull(value: unknown, what: string): string | null {
    return value === null || value === undefined ? null : asText(value, what);
}

function asNumber(value: unknown, what: string): number {
    if (typeof value !== "number" || !(Math.abs(value) <= MAX_COORDINATE)) {
        throw new Error(`${what} is not a number in range`);
    }
    return value;
}

function asVector(value: unknown, what: string): Vector {
    if (value === undefined || value === null) return [0, 0, 0];
    if (!Array.isArray(value) || value.length !== 3) throw new Error(`${what} is not three numbers`);
    return value.map((item) => asNumber(item, what)) as Vector;
}

function asSignals(value: unknown, what: string): (string | null)[] {
    if (value === undefined || value === null) return [null, null, null];
    if (!Array.isArray(value) || value.length !== 3) throw new Error(`${what} is not three signals`);
    return value.map((item) => asTextOrNull(item, what));
}

function asColour(value: unknown): string {
    if (typeof value !== "string" || !/^#[0-9a-f]{6}$/i.test(value)) {
        throw new Error("its colour is not #rrggbb");
    }
    return value;
}

// ---- items -----------------------------------------------------------------------------------------

function asFrame(raw: Raw): FrameSpec {
    return {
        name: asText(raw.name, "name"),
        parent: asTextOrNull(raw.parent, "parent"),
        place: asVector(raw.place, "place"),
        attitude: asVector(raw.attitude, "attitude"),
        move: asSignals(raw.move, "move"),
        turn: asSignals(raw.turn, "turn"),
        body: raw.body === true,
    };
}

// How many of the three sizes each form has; all of them are above zero.
const SIZES: Record<Form, number> = { box: 3, cylinder: 2, capsule: 2, polygon: 1 };

function asSize(value: unknown, form: Form): Vector {
    if (!Array.isArray(value) || value.length > 3) throw new Error("size is not a list");
    const size: Vector = [0, 0, 0];
    for (let k = 0; k < SIZES[form]; k++) {
        const length = asNumber(value[k], "size");
        if (!(length > 0)) throw new Error("size is not above zero");
        size[k] = length;
    }
    return size;
}

function asPoint(value: unknown): [number, number] {
    if (!Array.isArray(value) || value.length !== 2) throw new Error("a point is not x, y");
    return [asNumber(value[0], "point"), asNumber(value[1], "point")];
}

function asCorners(value: unknown): [number, number][] {
    if (!Array.isArray(value) || value.length < 3 || value.length > MAX_CORNERS) {
        throw new Error(`a polygon needs 3 to ${MAX_CORNERS} corners`);
    }
    return value.map(asPoint);
}

function asTint(value: unknown): Tint | null {
    if (value === undefined || value === null) return null;
    const raw = asObject(value);
    const full = asNumber(raw.full, "tint");
    if (!(full > 0)) throw new Error("its tint is full at zero");
    const label = asTextOrNull(raw.label, "tint") ?? "";
    return { signal: asText(raw.signal, "tint"), label, full, colour: asColour(raw.colour) };
}

function asSolid(raw: Raw): SolidSpec {
    const form = raw.form as Form;
    if (!Object.prototype.hasOwnProperty.call(SIZES, form)) throw new Error("its form is unknown");
    const opacity = raw.opacity === undefined ? 1 : asNumber(raw.opacity, "opacity");
    return {
        name: asText(raw.name, "name"),
        frame: asTextOrNull(raw.frame, "frame"),
        form,
        place: asVector(raw.place, "place"),
        attitude: asVector(raw.attitude, "attitude"),
        size: asSize(raw.size, form),
        corners: form === "polygon" ? asCorners(raw.corners) : [],
        colour: asColour(raw.colour),
        opacity: opacity > 0 && opacity < 1 ? opacity : 1,
        tint: asTint(raw.tint),
    };
}

function asArrow(raw: Raw): ArrowSpec {
    const { kind } = raw;
    if (kind !== "velocity" && kind !== "force" && kind !== "impulse") {
        throw new Error("its kind is unknown");
    }
    if (!Array.isArray(raw.parts) || raw.parts.length < 1 || raw.parts.length > 3) {
        throw new Error("it needs one to three parts");
    }
    return {
        name: asText(raw.name, "name"),
        frame: asTextOrNull(raw.frame, "frame"),
        kind,
        place: asVector(raw.place, "place"),
        move: asSignals(raw.move, "move"),
        since: asTextOrNull(raw.since, "since"),
        parts: raw.parts.map((item) => {
            const part = asObject(item);
            return { signal: asText(part.signal, "signal"), along: asVector(part.along, "along") };
        }),
    };
}

function asPlaced(raw: Raw) {
    return {
        name: asText(raw.name, "name"),
        frame: asTextOrNull(raw.frame, "frame"),
        place: asVector(raw.place, "place"),
        move: asSignals(raw.move, "move"),
    };
}

function asFoot(value: unknown): FootSpec {
    const raw = asObject(value);
    return {
        move: asSignals(raw.move, "move"),
        radius: asNumber(raw.radius, "radius"),
        load: asText(raw.load, "load"),
    };
}

function asMark(raw: Raw): MarkSpec {
    const feet = raw.feet === undefined ? [] : raw.feet;
    if (!Array.isArray(feet) || feet.length > MAX_FEET) throw new Error("its feet are not a list");
    const margin = raw.margin === undefined ? 0 : asNumber(raw.margin, "margin");
    return { ...asPlaced(raw), feet: feet.map(asFoot), margin };
}

function asArea(raw: Raw): AreaSpec {
    return {
        name: asText(raw.name, "name"),
        corners: asCorners(raw.corners),
        colour: asColour(raw.colour),
    };
}

function asWay(raw: Raw): WaySpec {
    const { points, now } = raw;
    if (!Array.isArray(points) || points.length < 2 || points.length > MAX_WAY_POINTS) {
        throw new Error(`a way needs 2 to ${MAX_WAY_POINTS} points`);
    }
    if (!Array.isArray(now) || now.length !== 2) throw new Error("now is not two signals");
    return {
        name: asText(raw.name, "name"),
        body: asTextOrNull(raw.body, "body"),
        points: points.map(asPoint),
        now: now.map((item) => asTextOrNull(item, "now")),
    };
}

function asTrace(raw: Raw): TraceSpec {
    const reach = raw.reach === undefined ? 0 : asNumber(raw.reach, "reach");
    return { ...asPlaced(raw), reach: Math.max(reach, 0), wanted: raw.wanted === true };
}

// ---- the whole -------------------------------------------------------------------------------------

class Checker {
    readonly notes: string[] = [];
    private unsaid = 0;

    constructor(private hasSignal: (name: string) => boolean) {}

    note(text: string): void {
        if (this.notes.length < MAX_NOTES) this.notes.push(`Geometry: ${text}`);
        else this.unsaid += 1;
    }

    // Good items of a list; the others are noted.
    list<T>(raw: unknown, key: keyof typeof LIMITS, read: (item: Raw) => T): T[] {
        if (raw === undefined || raw === null) return [];
        if (!Array.isArray(raw)) {
            this.note(`${key} is not a list and was left out.`);
            return [];
        }
        if (raw.length > LIMITS[key]) {
            this.note(`${raw.length} ${key}; only the first ${LIMITS[key]} are drawn.`);
        }
        const good: T[] = [];
        raw.slice(0, LIMITS[key]).forEach((item: unknown, index) => {
            try {
                good.push(read(asObject(item)));
            } catch (error) {
                this.note(`${key}[${index}] was left out: ${(error as Error).message}.`);
            }
        });
        return good;
    }

    // A recording need not hold every signal; what would move by a missing one stands still.
    signals(names: (string | null)[], owner: string): (string | null)[] {
        return names.map((name) => {
            if (name === null || this.hasSignal(name)) return name;
            this.note(`"${owner}" stands still: there is no signal ${name}.`);
            return null;
        });
    }

    finish(): string[] {
        if (this.unsaid > 0) this.notes.push(`Geometry: ${this.unsaid} more remarks.`);
        return this.notes;
    }

    // A frame's parent comes before it, and its name is new; so there are no circles.
    frames(list: FrameSpec[]): FrameSpec[] {
        const known = new Set<string>();
        return list.filter((frame) => {
            const orphan = frame.parent !== null && !known.has(frame.parent);
            if (orphan || known.has(frame.name)) {
                const why = orphan ? `its parent "${frame.parent}" is unknown` : "its name is taken";
                this.note(`frame "${frame.name}" was left out: ${why}.`);
                return false;
            }
            known.add(frame.name);
            frame.move = this.signals(frame.move, frame.name);
            frame.turn = this.signals(frame.turn, frame.name);
            return true;
        });
    }

    placed<T extends { name: string; frame: string | null }>(list: T[], frames: FrameSpec[]): T[] {
        const known = new Set(frames.map((frame) => frame.name));
        return list.filter((item) => {
            if (item.frame === null || known.has(item.frame)) return true;
            this.note(`"${item.name}" was left out: its frame "${item.frame}" is unknown.`);
            return false;
        });
    }
}

export function checkGeometry(raw: unknown, hasSignal: (name: string) => boolean): Geometry {
    const checker = new Checker(hasSignal);
    const whole = typeof raw === "object" && raw !== null ? (raw as Raw) : {};
    const frames = checker.frames(checker.list(whole.frames, "frames", asFrame));
    const solids = checker.placed(checker.list(whole.solids, "solids", asSolid), frames);
    const arrows = checker.placed(checker.list(whole.arrows, "arrows", asArrow), frames);
    const marks = checker.placed(checker.list(whole.marks, "marks", asMark), frames);
    const areas = checker.list(whole.areas, "areas", asArea);
    for (const solid of solids) {
        if (solid.tint && !hasSignal(solid.tint.signal)) solid.tint = null;
    }
    for (const arrow of arrows) {
        arrow.parts = arrow.parts.filter((part) => hasSignal(part.signal));
    }
    for (const mark of marks) {
        mark.move = checker.signals(mark.move, mark.name);
        // A polygon of some of the feet would say something wrong.
        const needed = mark.feet.flatMap(({ move, load }) => [...move, load]);
        if (!needed.every((name) => name === null || hasSignal(name))) mark.feet = [];
    }
    const ways = checker.list(whole.ways, "ways", asWay);
    // Half a place is none.
    for (const way of ways) {
        if (!way.now.every((name) => name !== null && hasSignal(name))) way.now = [null, null];
    }
    // Half a place is none here, too.
    const traces = checker
        .placed(checker.list(whole.traces, "traces", asTrace), frames)
        .filter(({ move }) => move.every((name) => name === null || hasSignal(name)));
    // Without its place or its time an arrow would say something wrong.
    const shown = arrows.filter(({ parts, move, since }) => {
        const needed = [...move, since].filter((name) => name !== null);
        return parts.length > 0 && needed.every(hasSignal);
    });
    return { frames, solids, arrows: shown, marks, areas, ways, traces, notes: checker.finish() };
}

// From a hello: an object, or the text of one from a recording.
export function readGeometry(
    hello: { geometry?: unknown; geometry_text?: string },
    hasSignal: (name: string) => boolean,
): Geometry {
    if (typeof hello.geometry_text !== "string") return checkGeometry(hello.geometry, hasSignal);
    try {
        return checkGeometry(JSON.parse(hello.geometry_text), hasSignal);
    } catch {
        const empty = checkGeometry({}, hasSignal);
        return { ...empty, notes: ["Geometry: the recording's text of it is broken."] };
    }
}
