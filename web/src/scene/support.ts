// scene/support.ts: what a body on feet stands on: the convex hull of the feet that carry, drawn at their
// heights, and the margin: how far the plumb foot of its centre of mass is inside of it, to the nearest edge.

import { BufferAttribute, BufferGeometry, DynamicDrawUsage, Group, Mesh, Vector3 } from "three";
import { setText } from "../dom";
import { clamp } from "../numbers";
import { themeColour } from "../theme";
import { Signals } from "./frames";
import { FootSpec, MarkSpec, Vector } from "./geometry";
import { Label, Labels } from "./labels";
import { LAYERS, Paint } from "./paint";

const LEAST_LOAD = 1; // [N] of a foot that carries
const HELD_SECONDS = 0.035; // of the run: contacts chatter
const EDGE_PX = 3;
const MOST_EDGES = 33; // of the hull, and the way to the nearest

export type Standing = "wide" | "narrow" | "outside";

/** The convex hull seen from above, counter-clockwise: of two points both, of one that. */
export function hullOf(points: readonly Vector3[]): Vector3[] {
    const sorted = [...points].sort((a, b) => a.x - b.x || a.y - b.y);
    const half = (list: Vector3[]) => {
        const chain: Vector3[] = [];
        for (const p of list) {
            for (;;) {
                const [a, b] = chain.slice(-2);
                if (!a || !b || (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x) > 0) break;
                chain.pop();
            }
            chain.push(p);
        }
        return chain.slice(0, -1);
    };
    return sorted.length < 2 ? sorted : [...half(sorted), ...half(sorted.reverse())];
}

/** How far a point is inside of a hull, and the edge it is nearest to or farthest beyond; null: no edge. */
export function marginOf(hull: readonly Vector3[], at: Vector3): { margin: number; foot: Vector3 } | null {
    let best: { margin: number; foot: Vector3 } | null = null;
    for (const [k, a] of hull.entries()) {
        const b = hull[(k + 1) % hull.length]!;
        const [dx, dy] = [b.x - a.x, b.y - a.y];
        const length = Math.hypot(dx, dy);
        if (!(length > 0)) continue;
        const margin = (dx * (at.y - a.y) - dy * (at.x - a.x)) / length;
        if (best && best.margin <= margin) continue;
        const along = (dx * (at.x - a.x) + dy * (at.y - a.y)) / length ** 2;
        best = { margin, foot: new Vector3().lerpVectors(a, b, clamp(along, 0, 1)) };
    }
    return best;
}

interface Foot {
    spec: FootSpec;
    move: Vector; // signals; -1: none
    load: number;
    carried: number; // when it last did [s]
}

export class Support {
    readonly group = new Group();
    readonly text: Label;
    margin = NaN; // [m]; NaN: no two feet carry
    corners: Vector3[] = [];
    standing: Standing = "outside";
    private feet: Foot[];
    private fill = new Paint("glass", "#000000", { opacity: 0.28 });
    private line = new Paint("line", "#000000");
    private area = new Mesh(new BufferGeometry(), this.fill);
    private edges = new Mesh(new BufferGeometry(), this.line);
    private way: Vector3[] = []; // from the plumb foot to the nearest edge

    constructor(
        readonly spec: MarkSpec,
        private signals: Signals,
        labels: Labels,
    ) {
        const index = (name: string | null) => (name === null ? -1 : signals.index(name));
        this.feet = spec.feet.map((foot) => ({
            spec: foot,
            move: foot.move.map(index) as Vector,
            load: index(foot.load),
            carried: NaN,
        }));
        const room = (mesh: Mesh, points: number) => {
            const places = new BufferAttribute(new Float32Array(3 * points), 3);
            mesh.geometry.setAttribute("position", places.setUsage(DynamicDrawUsage));
            mesh.frustumCulled = false;
            mesh.renderOrder = 2;
            this.group.add(mesh);
        };
        const fan = this.feet.flatMap((_, k) => [0, k, k + 1]);
        this.area.geometry.setIndex(fan.slice(3, 3 * (this.feet.length - 1)));
        room(this.area, this.feet.length);
        const quads = Array.from({ length: MOST_EDGES }, (_, k) => [0, 1, 2, 1, 3, 2].map((c) => 4 * k + c));
        this.edges.geometry.setIndex(quads.flat());
        room(this.edges, 4 * MOST_EDGES);
        this.text = labels.add("mark-margin");
    }

    watched(): number[] {
        return this.feet.flatMap(({ move, load }) => [...move, load]).filter((index) => index >= 0);
    }

    colour(): void {
        const colour = themeColour(`--scene-${this.standing}`);
        this.fill.color.set(colour);
        this.line.color.set(colour);
    }

    /** With the mark at this place of the field, at `time` [s] of the run. */
    update(shown: boolean, at: Vector3, time: number): void {
        this.corners = hullOf(this.feet.filter((foot) => this.carries(foot, time)).map((foot) => this.placeOf(foot)));
        const found = marginOf(this.corners, at);
        this.margin = found ? found.margin : NaN;
        this.standing = !(this.margin >= 0) ? "outside" : this.margin < this.spec.margin ? "narrow" : "wide";
        this.colour();
        const plumb = new Vector3(at.x, at.y, found ? found.foot.z : 0);
        this.way = found ? [plumb, found.foot] : [];
        const places = this.area.geometry.attributes.position as BufferAttribute;
        this.corners.forEach((p, k) => places.setXYZ(k, p.x, p.y, p.z));
        places.needsUpdate = true;
        this.area.geometry.setDrawRange(0, 3 * Math.max(this.corners.length - 2, 0));
        this.group.visible = this.text.visible = shown;
        this.text.at.copy(plumb);
        const mm = `${Math.abs(1000 * this.margin).toFixed(0)} mm`;
        setText(this.text.element.firstElementChild!, !found ? "no support" : this.margin < 0 ? `${mm} outside` : mm);
        this.text.element.dataset.standing = this.standing;
    }

    /** Lines are as wide from near and from far. */
    place(metresPerPixel: number): void {
        const places = this.edges.geometry.attributes.position as BufferAttribute;
        const closed = this.corners.map((a, k) => [a, this.corners[(k + 1) % this.corners.length]!]);
        const lines = [...(closed.length > 1 ? closed : []), ...(this.way.length > 0 ? [this.way] : [])];
        lines.forEach(([a, b], k) => {
            const [dx, dy] = [b!.x - a!.x, b!.y - a!.y];
            const across = (0.5 * EDGE_PX * metresPerPixel) / (Math.hypot(dx, dy) || 1);
            [a!, b!].forEach((p, end) => {
                places.setXYZ(4 * k + 2 * end, p.x - across * dy, p.y + across * dx, p.z);
                places.setXYZ(4 * k + 2 * end + 1, p.x + across * dy, p.y - across * dx, p.z);
            });
        });
        places.needsUpdate = true;
        this.edges.geometry.setDrawRange(0, 6 * lines.length);
    }

    private read(index: number): number {
        const value = index < 0 ? 0 : this.signals.value(index);
        return Number.isFinite(value) ? value : 0;
    }

    private carries(foot: Foot, time: number): boolean {
        if (this.read(foot.load) > LEAST_LOAD) foot.carried = time;
        return Math.abs(time - foot.carried) <= HELD_SECONDS;
    }

    // Where it touches, a little above the ground.
    private placeOf({ spec, move }: Foot): Vector3 {
        const [x, y, z] = move.map((index) => this.read(index)) as Vector;
        return new Vector3(x, y, z - spec.radius + LAYERS.way);
    }
}
