// scene/arrows.ts: velocities and forces as arrows. Each of the two kinds has one scale for all its
// arrows, which follows what happens and is said in the legend: "1 m = 2 m/s".

import { ConeGeometry, CylinderGeometry, Group, Mesh, Vector3 } from "three";
import { themeColour } from "../theme";
import { Frames, Signals } from "./frames";
import { ArrowSpec } from "./geometry";
import { Paint } from "./paint";

export type ArrowKind = ArrowSpec["kind"];

const FADE = 0.997; // per frame: at 60 Hz a peak counts for half after 4 s
const LEAST: Record<ArrowKind, number> = { velocity: 0.05, force: 0.5 }; // [m/s], [N]
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

    constructor(
        private least: number,
        private goal: number, // wanted length of the longest [m]
    ) {}

    see(largest: number): void {
        this.peak = Math.max(largest, this.peak * FADE);
        if (this.peak < this.least) return;
        const length = this.perMetre > 0 ? this.peak / this.perMetre : Infinity;
        if (length > 1.4 * this.goal || length < 0.25 * this.goal) {
            this.perMetre = roundUp(this.peak / this.goal);
        }
    }

    forget(): void {
        this.peak = 0;
    }
}

interface Arrow {
    spec: ArrowSpec;
    signals: number[];
    group: Group;
    shaft: Mesh;
    head: Mesh;
    vector: Vector3; // in its frame, in the quantity's own unit
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
        frames: Frames,
        private signals: Signals,
        private size: number,
    ) {
        const goal = Math.max(1.3 * size, 0.05);
        this.scales = {
            velocity: new Scale(LEAST.velocity, goal),
            force: new Scale(LEAST.force, goal),
        };
        // Forces act inside and below a robot: arrows are drawn over it.
        const paint = () => new Paint("solid", "#000000", { front: true });
        this.materials = { velocity: paint(), force: paint() };
        for (const spec of specs) this.add(spec, frames);
        this.colour();
    }

    colour(): void {
        this.materials.velocity.color.set(themeColour("--scene-velocity"));
        this.materials.force.color.set(themeColour("--scene-force"));
    }

    watched(): number[] {
        return this.arrows.flatMap((arrow) => arrow.signals);
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
        return `${number} ${kind === "velocity" ? "m/s" : kilo ? "kN" : "N"}`;
    }

    forget(): void {
        this.scales.velocity.forget();
        this.scales.force.forget();
    }

    // The newest signals; then `place` draws them, `metresPerPixel` being that of the view.
    update(): void {
        const largest = { velocity: 0, force: 0 };
        for (const arrow of this.arrows) {
            this.measure(arrow);
            const { kind } = arrow.spec;
            largest[kind] = Math.max(largest[kind], arrow.vector.length());
        }
        this.scales.velocity.see(largest.velocity);
        this.scales.force.see(largest.force);
    }

    place(shown: Record<ArrowKind, boolean>, metresPerPixel: number): void {
        const thick = Math.max(0.022 * this.size, THINNEST_PX * metresPerPixel);
        for (const arrow of this.arrows) this.draw(arrow, shown[arrow.spec.kind], thick);
    }

    // For a person who points at one: "velocity 1.23 m/s".
    describe(mesh: Mesh): string {
        const arrow = this.arrows.find((item) => item.shaft === mesh || item.head === mesh);
        if (!arrow) return "";
        const unit = arrow.spec.kind === "velocity" ? "m/s" : "N";
        return `${arrow.spec.name} ${arrow.vector.length().toPrecision(3)} ${unit}`;
    }

    private add(spec: ArrowSpec, frames: Frames): void {
        const material = this.materials[spec.kind];
        const shaft = new Mesh(this.shaftShape, material);
        const head = new Mesh(this.headShape, material);
        const group = new Group();
        group.add(shaft, head);
        group.position.set(...spec.place);
        frames.get(spec.frame).add(group);
        const signals = spec.parts.map((part) => this.signals.index(part.signal));
        this.arrows.push({ spec, signals, group, shaft, head, vector: new Vector3() });
        this.meshes.push(shaft, head);
    }

    private measure(arrow: Arrow): void {
        arrow.vector.set(0, 0, 0);
        arrow.spec.parts.forEach(({ along }, k) => {
            const value = this.signals.value(arrow.signals[k]!);
            if (!Number.isFinite(value)) return;
            arrow.vector.x += value * along[0];
            arrow.vector.y += value * along[1];
            arrow.vector.z += value * along[2];
        });
    }

    private draw(arrow: Arrow, shown: boolean, thick: number): void {
        const { perMetre } = this.scales[arrow.spec.kind];
        const length = perMetre > 0 ? arrow.vector.length() / perMetre : 0;
        arrow.group.visible = shown && length > SHORTEST * this.size;
        if (!arrow.group.visible) return;
        arrow.group.quaternion.setFromUnitVectors(UP, arrow.vector.clone().normalize());
        const headLength = Math.min(0.5 * length, 7 * thick);
        arrow.shaft.scale.set(thick, thick, length - headLength);
        arrow.head.scale.set(3 * thick, 3 * thick, headLength);
        arrow.head.position.z = length - headLength;
    }
}
