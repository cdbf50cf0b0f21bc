// scene/ways.ts: where bodies mean to go: dashes on the floor, as wide from near and from far, and a
// ring where each should be by now.

import {
    BufferAttribute,
    BufferGeometry,
    DynamicDrawUsage,
    Group,
    Mesh,
    RingGeometry,
} from "three";
import { themeColour } from "../theme";
import { Signals } from "./frames";
import { WaySpec } from "./geometry";
import { LAYERS, Paint } from "./paint";

const MAX_DASHES = 4000;
const WIDTH_PX = 2.5;
const RING_PX = 7; // its radius
const SHARE = 0.6; // of a dash and its gap together

export interface Dash {
    from: [number, number];
    to: [number, number];
}

/** Dashes along a way, `period` from one to the next [m]; they go on round corners. */
export function dashes(points: readonly [number, number][], period: number): Dash[] {
    const list: Dash[] = [];
    let phase = 0; // how far into the period the next line begins
    for (let k = 1; k < points.length; k++) {
        const [[ax, ay], [bx, by]] = [points[k - 1]!, points[k]!];
        const length = Math.hypot(bx - ax, by - ay);
        const at = (s: number): [number, number] => [
            ax + ((bx - ax) * s) / (length || 1),
            ay + ((by - ay) * s) / (length || 1),
        ];
        for (let s = -phase; s < length; s += period) {
            const [from, to] = [Math.max(s, 0), Math.min(s + SHARE * period, length)];
            if (to > from) list.push({ from: at(from), to: at(to) });
        }
        phase = (phase + length) % period;
    }
    return list;
}

export function lengthOf(points: readonly [number, number][]): number {
    let sum = 0;
    for (let k = 1; k < points.length; k++) {
        sum += Math.hypot(points[k]![0] - points[k - 1]![0], points[k]![1] - points[k - 1]![1]);
    }
    return sum;
}

class Way {
    readonly mesh: Mesh<BufferGeometry, Paint>;
    readonly ring: Mesh;
    readonly signals: number[];
    private list: Dash[];

    constructor(spec: WaySpec, signals: Signals, ink: Paint, period: number) {
        this.signals = spec.now.map((name) => (name === null ? -1 : signals.index(name)));
        this.list = dashes(spec.points, Math.max(period, lengthOf(spec.points) / MAX_DASHES));
        const geometry = new BufferGeometry();
        const corners = new BufferAttribute(new Float32Array(12 * this.list.length), 3);
        geometry.setAttribute("position", corners.setUsage(DynamicDrawUsage));
        const index = this.list.flatMap((_, k) => [0, 1, 2, 1, 3, 2].map((c) => 4 * k + c));
        geometry.setIndex(index);
        this.mesh = new Mesh(geometry, ink);
        this.mesh.frustumCulled = false;
        this.mesh.renderOrder = 2; // over the trail
        this.ring = new Mesh(new RingGeometry(0.6, 1, 24), ink);
        this.ring.renderOrder = 2;
        this.ring.visible = false;
    }

    update(signals: Signals): void {
        const [x, y] = this.signals.map((index) => (index < 0 ? NaN : signals.value(index)));
        this.ring.visible = Number.isFinite(x) && Number.isFinite(y);
        if (this.ring.visible) this.ring.position.set(x!, y!, LAYERS.way);
    }

    place(metresPerPixel: number): void {
        const half = 0.5 * WIDTH_PX * metresPerPixel;
        const position = this.mesh.geometry.attributes.position as BufferAttribute;
        this.list.forEach(({ from, to }, k) => {
            const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
            const across = half / (Math.hypot(dx, dy) || 1);
            const [nx, ny] = [-across * dy, across * dx];
            position.setXYZ(4 * k, from[0] + nx, from[1] + ny, LAYERS.way);
            position.setXYZ(4 * k + 1, from[0] - nx, from[1] - ny, LAYERS.way);
            position.setXYZ(4 * k + 2, to[0] + nx, to[1] + ny, LAYERS.way);
            position.setXYZ(4 * k + 3, to[0] - nx, to[1] - ny, LAYERS.way);
        });
        position.needsUpdate = true;
        const radius = RING_PX * metresPerPixel;
        this.ring.scale.set(radius, radius, 1);
    }
}

export class Ways {
    readonly group = new Group();
    private ink = new Paint("line", "#000000", { opacity: 0.85 });
    private ways: Way[];

    constructor(
        specs: WaySpec[],
        private signals: Signals,
        bodySize: number,
    ) {
        this.ways = specs.map((spec) => new Way(spec, signals, this.ink, 0.25 * bodySize));
        for (const { mesh, ring } of this.ways) this.group.add(mesh, ring);
        this.colour();
    }

    get count(): number {
        return this.ways.length;
    }

    colour(): void {
        this.ink.color.set(themeColour("--text"));
    }

    watched(): number[] {
        return this.ways.flatMap((way) => way.signals).filter((index) => index >= 0);
    }

    update(shown: boolean): void {
        this.group.visible = shown;
        for (const way of this.ways) way.update(this.signals);
    }

    // Dashes and rings are as large from near and from far.
    place(metresPerPixel: number): void {
        if (this.group.visible) for (const way of this.ways) way.place(metresPerPixel);
    }
}
