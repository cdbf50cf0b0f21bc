// scene/areas.ts: zones of the field, painted on its floor: a tint, a thin line around it, a name.

import {
    BufferGeometry,
    Float32BufferAttribute,
    Group,
    LineSegments,
    Mesh,
    Shape,
    ShapeGeometry,
} from "three";
import { AreaSpec } from "./geometry";
import { Labels } from "./labels";
import { LAYERS, Paint } from "./paint";

const TINT = 0.16;
const EDGE = 0.8;
const NAME_AT = 0.22; // of its height, from below: what stands in the middle does not cover it

// The middle of the area, from left to right, at this height.
function middle(corners: [number, number][], y: number): number {
    const crossings = corners.flatMap(([x0, y0], k) => {
        const [x1, y1] = corners[(k + 1) % corners.length]!;
        return y0 > y === y1 > y ? [] : [x0 + ((y - y0) / (y1 - y0)) * (x1 - x0)];
    });
    return crossings.length > 0 ? (Math.min(...crossings) + Math.max(...crossings)) / 2 : 0;
}

export class Areas {
    readonly group = new Group();

    constructor(
        specs: AreaSpec[],
        private labels: Labels,
    ) {
        specs.forEach((spec, k) => this.add(spec, k - specs.length));
        this.group.position.setZ(LAYERS.area);
    }

    // Below the lines of the grid, in the order of the table.
    private add({ name, corners, colour }: AreaSpec, order: number): void {
        const outline = new Shape();
        corners.forEach(([x, y], k) => (k ? outline.lineTo(x, y) : outline.moveTo(x, y)));
        const tint = new Paint("glass", colour, { opacity: TINT, fog: true });
        const fill = new Mesh(new ShapeGeometry(outline), tint);
        const places = corners.flatMap(([x, y], k) => {
            const [u, v] = corners[(k + 1) % corners.length]!;
            return [x, y, 0, u, v, 0];
        });
        const lines = new BufferGeometry();
        lines.setAttribute("position", new Float32BufferAttribute(places, 3));
        const edge = new LineSegments(lines, new Paint("line", colour, { opacity: EDGE, fog: true }));
        fill.renderOrder = edge.renderOrder = order - 2;
        this.group.add(fill, edge);
        const heights = corners.map(([, y]) => y);
        const low = Math.min(...heights);
        const at = low + NAME_AT * (Math.max(...heights) - low);
        this.labels.add("zone", name).at.set(middle(corners, at), at, 0);
    }
}
