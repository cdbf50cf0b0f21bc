// scene/arrows.ts: velocities, forces and impulses as arrows. Each kind has one scale for all its
// arrows, which follows what happens and is said in the legend: "1 m = 2 m/s".

import { ConeGeometry, CylinderGeometry, Group, Mesh, Vector3 } from "three";
import { clamp } from "../numbers";
import { themeColour } from "../theme";
import { Frames, Signals } from "./frames";
import { ArrowSpec, Vector } from "./geometry";
import { Paint } from "./paint";

export type ArrowKind = ArrowSpec["kind"];
export type Shown = Record<ArrowKind, boolean>;

const FADE = 0.997; // per frame: at 60 Hz a peak counts for half after 4 s
const KINDS: ArrowKind[] = ["velocity", "force", "impulse"];
const UNITS: Record<ArrowKind, string> = { velocity: "m/s", force: "N", impulse: "N·s" };
const LEAST: Record<ArrowKind, number> = { velocity: 0.05, force: 0.02, impulse: 0.001 };
const LEAST_SHARE = 1e-3; // of the largest so far: what is smaller has no scale made for it
const SEEN_SECONDS = 0.3; // of the run: so long an arrow of an instant is seen, ever thinner
const LONGEST: Record<ArrowKind, number> = { velocity: 1.3, force: 0.6, impulse: 1.3 }; // wanted, in sizes of a body
const SHORTEST = 0.02; // arrows below this share of the goal are not drawn
const THINNEST_PX = 1.5; // half the thickness of a shaft seen from far
const UP = new Vector3(0, 0, 1);

// The next of 1, 2, 5, 10, 20, 50, … that is not below the value.
function roundUp(value: number): number {
    const decade = 10 ** Math.floor(Math.log10(value));
    return [1, 2, 5, 10].map((digit) => digit * decade).find((step) => step >= value * 0.999)!;
}

// How much one metre of arrow stands for. It changes seldom: only when arrows have become much too
// long or much too short.
class Scale {
    perMetre = 0; // 0: nothing has been seen yet
    private peak = 0;
    private most = 0;

    constructor(
        private least: number,
        private goal: number, // wanted length of the longest [m]
    ) {}

    see(largest: number): void {
        this.peak = Math.max(largest, this.peak * FADE);
        this.most = Math.max(largest, this.most);
        if (this.peak < Math.max(this.least, LEAST_SHARE * this.most)) return;
        const length = this.perMetre > 0 ? this.peak / this.perMetre : Infinity;
        if (length > 1.4 * this.goal || length < 0.25 * this.goal) {
            this.perMetre = roundUp(this.peak / this.goal);
        }
    }

    forget(): void {
        this.peak = this.most = 0;
    }
}

// What is made when an arrow is to be seen for the first time: most of a crowd never are.
interface Shape {
    group: Group;
    shaft: Mesh;
    head: Mesh;
}

interface Arrow {
    spec: ArrowSpec;
    signals: number[];
    move: number[]; // signals of its place along x, y, z; -1: none
    since: number; // signal; -1: it stays
    shape: Shape | null;
    vector: Vector3; // in its frame, in the quantity's own unit
    fresh: number; // 1: it is there; falls to 0 where it fades
}

export class Arrows {
    readonly meshes: Mesh[] = [];
    private arrows: Arrow[] = [];
    private scales: Record<ArrowKind, Scale>;
    private materials: Record<ArrowKind, Paint>;
    private shaftShape = new CylinderGeometry(1, 1, 1, 10).rotateX(Math.PI / 2).translate(0, 0, 0.5);
    private headShape = new ConeGeometry(1, 1, 14).rotateX(Math.PI / 2).translate(0, 0, 0.5);

    // `size`: of a body [m]; arrows are as long and thick as suits it.
    constructor(
        specs: ArrowSpec[],
        private frames: Frames,
        private signals: Signals,
        private size: number,
    ) {
        const scale = (kind: ArrowKind) => new Scale(LEAST[kind], Math.max(LONGEST[kind] * size, 0.05));
        this.scales = { velocity: scale("velocity"), force: scale("force"), impulse: scale("impulse") };
        // Forces act inside and below a robot: arrows are drawn over it.
        const paint = () => new Paint("solid", "#000000", { front: true });
        this.materials = { velocity: paint(), force: paint(), impulse: paint() };
        for (const spec of specs) this.add(spec);
        this.colour();
    }

    colour(): void {
        for (const kind of KINDS) this.materials[kind].color.set(themeColour(`--scene-${kind}`));
    }

    // Only of what is to be seen: of a crowd the signals of all arrows are most of what is sent.
    watched(shown: Shown): number[] {
        return this.arrows
            .filter((arrow) => shown[arrow.spec.kind])
            .flatMap(({ signals, move, since }) => [...signals, ...move, since])
            .filter((index) => index >= 0);
    }

    has(kind: ArrowKind): boolean {
        return this.arrows.some((arrow) => arrow.spec.kind === kind);
    }

    // "2 m/s", or nothing before there was an arrow to scale.
    scaleText(kind: ArrowKind): string {
        const { perMetre } = this.scales[kind];
        if (perMetre === 0) return "";
        const kilo = kind === "force" && perMetre >= 1000;
        const number = Number((kilo ? perMetre / 1000 : perMetre).toPrecision(1));
        return `${number} ${kilo ? "k" : ""}${UNITS[kind]}`;
    }

    forget(): void {
        for (const kind of KINDS) this.scales[kind].forget();
    }

    // The newest signals, at `time` [s]; then `place` draws them, `metresPerPixel` being that of the
    // view. Where there is nothing to be seen, the scale stays.
    update(time: number): void {
        const largest = { velocity: 0, force: 0, impulse: 0 };
        for (const arrow of this.arrows) {
            this.measure(arrow, time);
            const { kind } = arrow.spec;
            if (arrow.fresh > 0) largest[kind] = Math.max(largest[kind], arrow.vector.length());
        }
        for (const kind of KINDS) if (largest[kind] > 0) this.scales[kind].see(largest[kind]);
    }

    place(shown: Shown, metresPerPixel: number): void {
        const thick = Math.max(0.015 * this.size, THINNEST_PX * metresPerPixel);
        for (const arrow of this.arrows) this.draw(arrow, shown[arrow.spec.kind], thick);
    }

    // For a person who points at one: "velocity 1.23 m/s".
    describe(mesh: Mesh): string {
        const arrow = this.arrows.find(({ shape }) => shape?.shaft === mesh || shape?.head === mesh);
        if (!arrow) return "";
        const { name, kind } = arrow.spec;
        return `${name} ${arrow.vector.length().toPrecision(3)} ${UNITS[kind]}`;
    }

    // Those that are drawn: where each begins in the field, and its quantity.
    drawn(): { name: string; at: number[]; vector: number[] }[] {
        return this.arrows
            .filter((arrow) => arrow.shape?.group.visible)
            .map(({ spec, shape, vector }) => {
                const at = shape!.group.getWorldPosition(new Vector3()).toArray();
                return { name: spec.name, at, vector: vector.toArray() };
            });
    }

    private add(spec: ArrowSpec): void {
        const index = (name: string | null) => (name === null ? -1 : this.signals.index(name));
        this.arrows.push({
            spec,
            signals: spec.parts.map((part) => index(part.signal)),
            move: spec.move.map(index),
            since: index(spec.since),
            shape: null,
            vector: new Vector3(),
            fresh: 1,
        });
    }

    private make(spec: ArrowSpec): Shape {
        const material = this.materials[spec.kind];
        const shaft = new Mesh(this.shaftShape, material);
        const head = new Mesh(this.headShape, material);
        const group = new Group();
        group.add(shaft, head);
        this.frames.get(spec.frame).add(group);
        this.meshes.push(shaft, head);
        return { group, shaft, head };
    }

    private read(index: number): number {
        const value = index < 0 ? 0 : this.signals.value(index);
        return Number.isFinite(value) ? value : 0;
    }

    private measure(arrow: Arrow, time: number): void {
        arrow.vector.set(0, 0, 0);
        arrow.spec.parts.forEach(({ along }, k) => {
            const value = this.read(arrow.signals[k]!);
            arrow.vector.x += value * along[0];
            arrow.vector.y += value * along[1];
            arrow.vector.z += value * along[2];
        });
        const age = arrow.since < 0 ? 0 : time - this.read(arrow.since);
        arrow.fresh = clamp(1 - age / SEEN_SECONDS, 0, 1);
    }

    private draw(arrow: Arrow, shown: boolean, thick: number): void {
        const { spec, vector, fresh } = arrow;
        const { perMetre } = this.scales[spec.kind];
        const length = perMetre > 0 ? vector.length() / perMetre : 0;
        const visible = shown && fresh > 0 && length > SHORTEST * this.size;
        if (visible) arrow.shape ??= this.make(spec);
        if (!arrow.shape) return;
        const { group, shaft, head } = arrow.shape;
        group.visible = visible;
        if (!visible) return;
        const [x, y, z] = spec.place.map((at, k) => at + this.read(arrow.move[k]!)) as Vector;
        group.position.set(x, y, z);
        group.quaternion.setFromUnitVectors(UP, vector.clone().normalize());
        const headLength = Math.min(0.5 * length, 7 * thick);
        const width = thick * fresh;
        shaft.scale.set(width, width, length - headLength);
        head.scale.set(3 * width, 3 * width, headLength);
        head.position.z = length - headLength;
    }
}
