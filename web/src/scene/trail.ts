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
import { LAYERS, Paint } from "./paint";

const MAX_POINTS = 2000;
const SPACING = 0.02; // [m] between two points
const WIDTH_PX = 5;
const STRENGTH = 0.85; // opacity of its newest end

// Legible on both themes; several bodies take them in turn.
const COLOURS = ["#2f7de1", "#d9480f", "#2b9348", "#9c36b5"];

export class Trail {
    readonly mesh: Mesh<BufferGeometry, Paint>;
    private x = new Float32Array(MAX_POINTS);
    private y = new Float32Array(MAX_POINTS);
    private time = new Float64Array(MAX_POINTS);
    private count = 0;
    private at = new Vector3();

    constructor(
        private body: Object3D,
        index: number,
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
        const colour = COLOURS[index % COLOURS.length];
        const material = new Paint("glass", colour);
        this.mesh = new Mesh(geometry, material);
        this.mesh.frustumCulled = false;
        this.mesh.renderOrder = 1; // over the grid
    }

    clear(): void {
        this.count = 0;
    }

    // What was before: x, y, time of each point, oldest first. It ends where the trail begins.
    prepend(path: Float64Array): void {
        const first = this.count > 0 ? this.time[0] : Infinity;
        const own = [this.x, this.y, this.time].map((array) => array.slice(0, this.count));
        this.count = 0;
        for (let k = 0; k < path.length; k += 3) {
            if (path[k + 2] < first) this.addPoint(path[k], path[k + 1], path[k + 2]);
        }
        for (let k = 0; k < own[0].length; k++) this.addPoint(own[0][k], own[1][k], own[2][k]);
    }

    show(shown: boolean): void {
        this.mesh.visible = shown && this.count > 1;
    }

    // After the frames; `seconds` is how long the trail stays.
    add(time: number, seconds: number): void {
        this.body.getWorldPosition(this.at);
        this.addPoint(this.at.x, this.at.y, time);
        let old = 0;
        while (old < this.count - 1 && this.time[old] < time - seconds) old++;
        if (old > 0) this.drop(old);
    }

    // The newest point goes along with the body until it is far enough from the one before.
    private addPoint(x: number, y: number, time: number): void {
        const last = this.count - 1;
        const near = last >= 1 && Math.hypot(x - this.x[last - 1], y - this.y[last - 1]) < SPACING;
        if (!near && this.count === MAX_POINTS) this.drop(MAX_POINTS / 20);
        const at = near ? last : this.count++;
        this.x[at] = x;
        this.y[at] = y;
        this.time[at] = time;
    }

    private drop(count: number): void {
        for (const array of [this.x, this.y, this.time]) array.copyWithin(0, count, this.count);
        this.count -= count;
    }

    // Each point gives two corners, apart across the way. Older points are fainter.
    write(time: number, seconds: number, metresPerPixel: number): void {
        if (!this.mesh.visible) return;
        const { position, fade } = this.mesh.geometry.attributes as Record<string, BufferAttribute>;
        const half = 0.5 * WIDTH_PX * metresPerPixel;
        for (let k = 0; k < this.count; k++) {
            // The way's direction at a point, from its neighbours.
            const a = Math.max(k - 1, 0);
            const b = Math.min(k + 1, this.count - 1);
            const dx = this.x[b] - this.x[a];
            const dy = this.y[b] - this.y[a];
            const across = half / (Math.hypot(dx, dy) || 1);
            const age = Math.min(Math.max((time - this.time[k]) / seconds, 0), 1);
            position.setXYZ(2 * k, this.x[k] - across * dy, this.y[k] + across * dx, LAYERS.trail);
            position.setXYZ(2 * k + 1, this.x[k] + across * dy, this.y[k] - across * dx, LAYERS.trail);
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
