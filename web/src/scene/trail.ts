// scene/trail.ts: where a body has been: a band on the floor that fades with age and is as wide on
// the screen from near and from far.

import {
    BufferAttribute,
    BufferGeometry,
    DynamicDrawUsage,
    Mesh,
    Object3D,
    Vector3,
} from "three";
import { clamp } from "../numbers";
import { LAYERS, Paint } from "./paint";

const MAX_POINTS = 4000; // when full, every second one goes, so that a long trail is coarser, not shorter
const SPACING = 0.02; // [m] between two points at first
const WIDTH_PX = 5;
const STRENGTH = 0.85; // opacity of its newest end

export class Trail {
    readonly mesh: Mesh<BufferGeometry, Paint>;
    private x = new Float32Array(MAX_POINTS);
    private y = new Float32Array(MAX_POINTS);
    private time = new Float64Array(MAX_POINTS);
    private count = 0;
    private spacing = SPACING;
    private at = new Vector3();

    constructor(
        private body: Object3D,
        readonly colour: string,
    ) {
        const geometry = new BufferGeometry();
        const attribute = (name: string, size: number) => {
            const array = new BufferAttribute(new Float32Array(2 * MAX_POINTS * size), size);
            geometry.setAttribute(name, array.setUsage(DynamicDrawUsage));
        };
        attribute("position", 3);
        attribute("fade", 1);
        const triangles = new Uint16Array(6 * (MAX_POINTS - 1));
        for (let k = 0; k < MAX_POINTS - 1; k++) {
            const a = 2 * k;
            triangles.set([a, a + 1, a + 2, a + 1, a + 3, a + 2], 6 * k);
        }
        geometry.setIndex(new BufferAttribute(triangles, 1));
        const material = new Paint("glass", colour);
        this.mesh = new Mesh(geometry, material);
        this.mesh.frustumCulled = false;
        this.mesh.renderOrder = 1; // over the grid
    }

    // Has the body moved at all? Its newest point is always there, and one more.
    get drawn(): boolean {
        return this.count > 2;
    }

    clear(): void {
        this.count = 0;
        this.spacing = SPACING;
    }

    // What was before: x, y, time of each point, oldest first. It ends where the trail begins.
    prepend(path: Float64Array): void {
        const first = this.count > 0 ? this.time[0]! : Infinity;
        const [x, y, time] = [this.x, this.y, this.time].map((list) => list.slice(0, this.count));
        this.clear();
        for (let k = 0; k < path.length; k += 3) {
            if (path[k + 2]! < first) this.addPoint(path[k]!, path[k + 1]!, path[k + 2]!);
        }
        for (let k = 0; k < x!.length; k++) this.addPoint(x![k]!, y![k]!, time![k]!);
    }

    show(shown: boolean): void {
        this.mesh.visible = shown && this.count > 1;
    }

    // After the frames; `seconds` is how long the trail stays.
    add(time: number, seconds: number): void {
        this.body.getWorldPosition(this.at);
        this.addPoint(this.at.x, this.at.y, time);
        let old = 0;
        while (old < this.count - 1 && this.time[old]! < time - seconds) old++;
        if (old > 0) this.drop(old);
        if (this.count < MAX_POINTS / 4) this.spacing = SPACING;
    }

    // The newest point goes along with the body until it is far enough from the one before.
    private addPoint(x: number, y: number, time: number): void {
        const last = this.count - 1;
        const near =
            last >= 1 && Math.hypot(x - this.x[last - 1]!, y - this.y[last - 1]!) < this.spacing;
        if (!near && this.count === MAX_POINTS) this.thin();
        const at = near ? last : this.count++;
        this.x[at] = x;
        this.y[at] = y;
        this.time[at] = time;
    }

    private thin(): void {
        this.spacing *= 2;
        const half = this.count >> 1;
        for (const list of [this.x, this.y, this.time]) {
            for (let k = 0; k < half; k++) list[k] = list[2 * k + 1]!;
        }
        this.count = half;
    }

    private drop(count: number): void {
        for (const array of [this.x, this.y, this.time]) array.copyWithin(0, count, this.count);
        this.count -= count;
    }

    // Each point gives two corners, apart across the way. Older points are fainter.
    write(time: number, seconds: number, metresPerPixel: number): void {
        if (!this.mesh.visible) return;
        const { position, fade } = this.mesh.geometry.attributes as Record<
            "position" | "fade",
            BufferAttribute
        >;
        const half = 0.5 * WIDTH_PX * metresPerPixel;
        for (let k = 0; k < this.count; k++) {
            // The way's direction at a point, from its neighbours.
            const a = Math.max(k - 1, 0);
            const b = Math.min(k + 1, this.count - 1);
            const dx = this.x[b]! - this.x[a]!;
            const dy = this.y[b]! - this.y[a]!;
            const across = half / (Math.hypot(dx, dy) || 1);
            const [x, y] = [this.x[k]!, this.y[k]!];
            const age = clamp((time - this.time[k]!) / seconds, 0, 1);
            position.setXYZ(2 * k, x - across * dy, y + across * dx, LAYERS.trail);
            position.setXYZ(2 * k + 1, x + across * dy, y - across * dx, LAYERS.trail);
            fade.setX(2 * k, 1 - STRENGTH * (1 - age));
            fade.setX(2 * k + 1, 1 - STRENGTH * (1 - age));
        }
        for (const attribute of [position, fade]) {
            attribute.clearUpdateRanges();
            attribute.addUpdateRange(0, 2 * this.count * attribute.itemSize);
            attribute.needsUpdate = true;
        }
        this.mesh.geometry.setDrawRange(0, 6 * (this.count - 1));
    }
}
