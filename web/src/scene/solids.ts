// scene/solids.ts: boxes, cylinders, capsules and polygons, their colours, and their shadows.

import {
    BoxGeometry,
    BufferGeometry,
    CapsuleGeometry,
    Color,
    CylinderGeometry,
    EdgesGeometry,
    ExtrudeGeometry,
    Group,
    LineSegments,
    Matrix4,
    Mesh,
    Shape,
} from "three";
import { Frames, setPlace, Signals } from "./frames";
import { SolidSpec } from "./geometry";
import { LAYERS, Paint, SUN } from "./paint";

const ROUND = 28; // sides of a circle
const MAX_DRESSED = 300; // solids; more are drawn without edges and shadows, to stay smooth
const EDGE_ANGLE_DEG = 30; // flatter edges are the facets of something round
const FLAT = 0.01; // [m]; what is lower than this throws no shadow

// Shadows are the solids themselves, flattened onto the floor along the light; far cheaper than a
// shadow map without a graphics card. For light from direction (a, b, 1):
//   x' = x - a z,  y' = y - b z,  z' = that of shadows
// They are solid and of one colour, so that two of them are not darker than one.
const FLATTEN = new Matrix4().set(
    1, 0, -SUN[0], 0,
    0, 1, -SUN[1], 0,
    0, 0, 0, LAYERS.shadow,
    0, 0, 0, 1,
);

function shape(spec: SolidSpec): BufferGeometry {
    const [a, b, c] = spec.size;
    switch (spec.form) {
        case "box":
            return new BoxGeometry(a, b, c);
        case "cylinder":
            return new CylinderGeometry(a, a, b, ROUND).rotateX(Math.PI / 2);
        case "capsule":
            return new CapsuleGeometry(a, b, 8, ROUND).rotateX(Math.PI / 2);
        case "polygon": {
            const outline = new Shape();
            spec.corners.forEach(([x, y], k) => (k ? outline.lineTo(x, y) : outline.moveTo(x, y)));
            return new ExtrudeGeometry(outline, { depth: a, bevelEnabled: false, steps: 1 });
        }
    }
}

interface Tinted {
    material: Paint;
    signal: number;
    full: number;
    from: Color;
    to: Color;
}

export class Solids {
    readonly shadows = new Group();
    readonly meshes: Mesh[] = []; // userData.name is for a person who points at one
    private thrown: { mesh: Mesh; shadow: Mesh }[] = [];
    private tinted: Tinted[] = [];
    private shapes = new Map<string, BufferGeometry>();
    private edgePaint = new Paint("line", "#000000", { opacity: 0.35 });
    private shadowPaint = new Paint("solid", "#000000", { fog: true });

    constructor(
        specs: SolidSpec[],
        frames: Frames,
        private signals: Signals,
    ) {
        const dressed = specs.length <= MAX_DRESSED;
        for (const spec of specs) this.add(spec, frames, dressed);
    }

    watched(): number[] {
        return this.tinted.map((item) => item.signal);
    }

    setColours(edge: Color, shadow: Color): void {
        this.edgePaint.color.copy(edge);
        this.shadowPaint.color.copy(shadow);
    }

    // After the frames.
    update(tints: boolean): void {
        for (const { mesh, shadow } of this.thrown) {
            shadow.matrixWorld.multiplyMatrices(FLATTEN, mesh.matrixWorld);
        }
        for (const { material, signal, full, from, to } of this.tinted) {
            const size = Math.abs(this.signals.value(signal)) / full;
            const share = tints && Number.isFinite(size) ? Math.min(size, 1) : 0;
            material.color.lerpColors(from, to, share);
        }
    }

    private add(spec: SolidSpec, frames: Frames, dressed: boolean): void {
        const geometry = this.shape(spec);
        const solid = spec.opacity === 1;
        const look = { lit: true, opacity: spec.opacity };
        const material = new Paint(solid ? "solid" : "glass", spec.colour, look);
        const mesh = new Mesh(geometry, material);
        mesh.userData.name = spec.name;
        setPlace(mesh, spec.place, spec.attitude);
        frames.get(spec.frame).add(mesh);
        this.meshes.push(mesh);
        if (spec.tint) this.addTint(spec, material);
        if (!dressed) return;
        mesh.add(new LineSegments(this.edges(spec, geometry), this.edgePaint));
        if (solid && !(spec.form === "polygon" && spec.size[0] < FLAT)) this.addShadow(mesh);
    }

    private addTint(spec: SolidSpec, material: Paint): void {
        const tint = spec.tint!;
        this.tinted.push({
            material,
            signal: this.signals.index(tint.signal),
            full: tint.full,
            from: new Color(spec.colour),
            to: new Color(tint.colour),
        });
    }

    private addShadow(mesh: Mesh): void {
        const shadow = new Mesh(mesh.geometry, this.shadowPaint);
        shadow.matrixAutoUpdate = false;
        shadow.matrixWorldAutoUpdate = false;
        shadow.frustumCulled = false; // its bounds are not those of the flattened shape
        this.shadows.add(shadow);
        this.thrown.push({ mesh, shadow });
    }

    // Wheels and posts come in many alike copies.
    private shape(spec: SolidSpec): BufferGeometry {
        const key = JSON.stringify([spec.form, spec.size, spec.corners]);
        return this.kept(key, () => shape(spec));
    }

    private edges(spec: SolidSpec, geometry: BufferGeometry): BufferGeometry {
        const key = JSON.stringify(["edges", spec.form, spec.size, spec.corners]);
        return this.kept(key, () => new EdgesGeometry(geometry, EDGE_ANGLE_DEG));
    }

    private kept(key: string, create: () => BufferGeometry): BufferGeometry {
        const known = this.shapes.get(key);
        if (known) return known;
        const made = create();
        this.shapes.set(key, made);
        return made;
    }
}
