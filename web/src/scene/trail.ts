// scene/trail.ts: where something has been: a band that fades with age and is as wide on the screen from
// near and from far. That of a body lies on the floor; that of a point in the air faces the camera.

import {
    BufferAttribute,
    BufferGeometry,
    DynamicDrawUsage,
    Mesh,
    Vector3,
} from "three";
import { clamp } from "../numbers";
import { LAYERS, Paint } from "./paint";

const MAX_POINTS = 4000; // when full, every second one goes, so that a long trail is coarser, not shorter
const STRENGTH = 0.85; // opacity of its newest end

export interface TrailStyle {
    spacing: number; // [m] between two points at first
    width: number; // [px]
    floor: boolean; // it lies there
    order: number; // what is drawn later is above
}

export const ON_FLOOR: TrailStyle = { spacing: 0.02, width: 5, floor: true, order: 1 }; // over the grid

export class Trail {
    readonly mesh: Mesh<BufferGeometry, Paint>;
    private x = new Float32Array(MAX_POINTS);
    private y = new Float32Array(MAX_POINTS);
    private z = new Float32Array(MAX_POINTS);
    private time = new Float64Array(MAX_POINTS);
    private count = 0;
    private spacing: number;
    private at = new Vector3();
    private along = new Vector3();
    private across = new Vector3();

    // `find` says where it is now.
    constructor(
        private find: (at: Vector3) => void,
        readonly colour: string,
        private style = ON_FLOOR,
    ) {
        this.spacing = style.spacing;
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
        this.mesh.renderOrder = style.order;
    }

    // Has it moved at all? Its newest point is always there, and one more.
    get drawn(): boolean {
        return this.count > 2;
    }

    // How much there is of it, and its newest point.
    extent(): { points: number; newest: [number, number, number] } {
        const last = Math.max(this.count - 1, 0);
        return { points: this.count, newest: [this.x[last]!, this.y[last]!, this.z[last]!] };
    }

    clear(): void {
        this.count = 0;
        this.spacing = this.style.spacing;
    }

    // What was before: x, y, z, time of each point, oldest first. It ends where the trail begins.
    prepend(path: Float64Array): void {
        const first = this.count > 0 ? this.time[0]! : Infinity;
        const [x, y, z, time] = this.lists().map((list) => list.slice(0, this.count));
        this.clear();
        for (let k = 0; k < path.length; k += 4) {
            if (path[k + 3]! >= first) break;
            this.addPoint(path[k]!, path[k + 1]!, path[k + 2]!, path[k + 3]!);
        }
        for (let k = 0; k < x!.length; k++) this.addPoint(x![k]!, y![k]!, z![k]!, time![k]!);
    }

    show(shown: boolean): void {
        this.mesh.visible = shown && this.count > 1;
    }

    // After the frames; `seconds` is how long the trail stays.
    add(time: number, seconds: number): void {
        this.find(this.at);
        this.addPoint(this.at.x, this.at.y, this.at.z, time);
        let old = 0;
        while (old < this.count - 1 && this.time[old]! < time - seconds) old++;
        if (old > 0) this.drop(old);
        if (this.count < MAX_POINTS / 4) this.spacing = this.style.spacing;
    }

    private lists(): (Float32Array | Float64Array)[] {
        return [this.x, this.y, this.z, this.time];
    }

    // The newest point goes along until it is far enough from the one before.
    private addPoint(x: number, y: number, height: number, time: number): void {
        const z = this.style.floor ? LAYERS.trail : height;
        const last = this.count - 1;
        const near = last >= 1 && this.distance(last - 1, x, y, z) < this.spacing;
        if (!near && this.count === MAX_POINTS) this.thin();
        const at = near ? last : this.count++;
        this.x[at] = x;
        this.y[at] = y;
        this.z[at] = z;
        this.time[at] = time;
    }

    private distance(k: number, x: number, y: number, z: number): number {
        return Math.hypot(x - this.x[k]!, y - this.y[k]!, z - this.z[k]!);
    }

    private thin(): void {
        this.spacing *= 2;
        const half = this.count >> 1;
        for (const list of this.lists()) {
            for (let k = 0; k < half; k++) list[k] = list[2 * k + 1]!;
        }
        this.count = half;
    }

    private drop(count: number): void {
        for (const array of this.lists()) array.copyWithin(0, count, this.count);
        this.count -= count;
    }

    // Half the band's width across its direction at a point, which its neighbours give; 0 where it has none.
    private spread(k: number, eye: Vector3, half: number): Vector3 {
        const a = Math.max(k - 1, 0);
        const b = Math.min(k + 1, this.count - 1);
        const { along, across, at } = this;
        along.set(this.x[b]! - this.x[a]!, this.y[b]! - this.y[a]!, this.z[b]! - this.z[a]!);
        if (this.style.floor) at.set(0, 0, 1);
        else at.set(eye.x - this.x[k]!, eye.y - this.y[k]!, eye.z - this.z[k]!);
        across.crossVectors(at, along);
        return across.multiplyScalar(half / (across.length() || 1));
    }

    // Each point gives two corners, apart across the way. Older points are fainter.
    write(time: number, seconds: number, metresPerPixel: number, eye: Vector3): void {
        if (!this.mesh.visible) return;
        const { position, fade } = this.mesh.geometry.attributes as Record<
            "position" | "fade",
            BufferAttribute
        >;
        const half = 0.5 * this.style.width * metresPerPixel;
        for (let k = 0; k < this.count; k++) {
            const across = this.spread(k, eye, half);
            const [x, y, z] = [this.x[k]!, this.y[k]!, this.z[k]!];
            const age = clamp((time - this.time[k]!) / seconds, 0, 1);
            position.setXYZ(2 * k, x + across.x, y + across.y, z + across.z);
            position.setXYZ(2 * k + 1, x - across.x, y - across.y, z - across.z);
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
