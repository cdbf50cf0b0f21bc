// scene/floor.ts: the floor, a metre grid on it, and what the lines stand for.

import {
    Box3,
    BufferGeometry,
    CircleGeometry,
    Float32BufferAttribute,
    Group,
    LineSegments,
    Mesh,
    PlaneGeometry,
    Vector3,
} from "three";
import { themeColour } from "../theme";
import { Label, Labels } from "./labels";
import { LAYERS, Paint } from "./paint";

const HALF_LINES = 60; // to each side of the middle
const FARTHEST_STEP = 1000;
const STEPS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, FARTHEST_STEP]; // [m] between lines
const PIECES = 24; // of each line
const LABELS = 10; // to each side
const LABEL_PX = 60; // the least distance of two labels on the screen
const LINE_PX = 26; // and of two lines

// Every how many lines one is strong: at round metres.
function strongEvery(step: number): number {
    return String(step).includes("5") ? 2 : step === 0.1 ? 10 : 5;
}

function lines(step: number, strong: boolean): BufferGeometry {
    const places: number[] = [];
    const reach = HALF_LINES * step;
    for (let k = -HALF_LINES; k <= HALF_LINES; k++) {
        if ((k % strongEvery(step) === 0) !== strong) continue;
        // In pieces: a renderer without a graphics card loses lines that begin far behind the camera.
        for (let piece = 0; piece < PIECES; piece++) {
            const from = -reach + (2 * reach * piece) / PIECES;
            const to = -reach + (2 * reach * (piece + 1)) / PIECES;
            places.push(k * step, from, 0, k * step, to, 0);
            places.push(from, k * step, 0, to, k * step, 0);
        }
    }
    return new BufferGeometry().setAttribute("position", new Float32BufferAttribute(places, 3));
}

const least = (wanted: number) => STEPS.find((step) => step >= wanted) ?? FARTHEST_STEP;

export class Floor {
    readonly group = new Group();
    private ground: Mesh<BufferGeometry, Paint>;
    private carpet: Mesh<BufferGeometry, Paint>;
    private weak: LineSegments<BufferGeometry, Paint>;
    private strong: LineSegments<BufferGeometry, Paint>;
    private placed: Label[] = [];
    private step = 0;
    private labelled = "";
    private edge: Box3 | null = null; // of the field, for the labels

    // `field`: what stands still; if it is of a field's size, its ground is shown as the field.
    constructor(
        field: Box3,
        private labels: Labels,
    ) {
        this.ground = new Mesh(new CircleGeometry(1, 48), new Paint("solid", "#000000", { fog: true }));
        const size = field.getSize(new Vector3());
        this.carpet = new Mesh(new PlaneGeometry(1, 1), new Paint("solid", "#000000", { fog: true }));
        this.carpet.visible = !field.isEmpty() && Math.min(size.x, size.y) > 1;
        if (this.carpet.visible) this.edge = field;
        this.carpet.scale.set(size.x || 1, size.y || 1, 1);
        field.getCenter(this.carpet.position).setZ(LAYERS.carpet);
        const ink = () => new Paint("line", "#000000", { fog: true });
        this.weak = new LineSegments(new BufferGeometry(), ink());
        this.strong = new LineSegments(new BufferGeometry(), ink());
        this.weak.renderOrder = -2;
        this.strong.renderOrder = -1;
        for (const item of [this.ground, this.weak, this.strong]) item.frustumCulled = false;
        this.group.add(this.ground, this.carpet, this.weak, this.strong);
        this.colour();
    }

    colour(): void {
        this.ground.material.color.set(themeColour("--scene-floor"));
        this.carpet.material.color.set(themeColour("--scene-carpet"));
        this.weak.material.color.set(themeColour("--scene-grid"));
        this.strong.material.color.set(themeColour("--scene-grid-strong"));
    }

    // What shadows fall on.
    get shade(): string {
        return themeColour(this.edge ? "--scene-carpet" : "--scene-floor");
    }

    // The floor has no end: grid and ground go along with what is looked at. `metre` is the length
    // of one metre there on the screen [px], `slope` how much shorter it is away from the camera.
    // Returns how far from there the grid is to be seen.
    update(target: Vector3, metre: number, slope: number): number {
        const step = least(LINE_PX / (metre * slope));
        if (step !== this.step) {
            this.step = step;
            this.weak.geometry.dispose();
            this.strong.geometry.dispose();
            this.weak.geometry = lines(step, false);
            this.strong.geometry = lines(step, true);
        }
        const snap = step * strongEvery(step);
        const x = Math.round(target.x / snap) * snap;
        const y = Math.round(target.y / snap) * snap;
        this.weak.position.set(x, y, LAYERS.grid);
        this.strong.position.set(x, y, LAYERS.grid);
        this.ground.position.set(target.x, target.y, LAYERS.ground);
        this.ground.scale.setScalar(3 * HALF_LINES * step);
        this.placeLabels(target, least(LABEL_PX / metre));
        return 0.9 * HALF_LINES * step;
    }

    // Metres along two edges of the field, or along both axes near what is looked at.
    private placeLabels(target: Vector3, step: number): void {
        const { edge } = this;
        const middle = edge ? edge.getCenter(new Vector3()) : target;
        const x = Math.round(middle.x / step);
        const y = Math.round(middle.y / step);
        const key = `${step} ${x} ${y}`;
        if (key === this.labelled) return;
        this.labelled = key;
        for (const label of this.placed.splice(0)) this.labels.remove(label);
        for (let k = -LABELS; k <= LABELS; k++) {
            const alongX = (x + k) * step;
            const alongY = (y + k) * step;
            if (!edge || (alongX >= edge.min.x && alongX <= edge.max.x)) {
                this.addLabel("metres below", alongX, step).at.set(alongX, edge?.min.y ?? 0, 0);
            }
            if (!edge || (alongY >= edge.min.y && alongY <= edge.max.y)) {
                this.addLabel("metres beside", alongY, step).at.set(edge?.min.x ?? 0, alongY, 0);
            }
        }
    }

    private addLabel(name: string, metres: number, step: number): Label {
        const number = metres.toFixed(step < 1 ? 1 : 0);
        const label = this.labels.add(name, Math.abs(metres) < step / 2 ? "0" : `${number} m`);
        this.placed.push(label);
        return label;
    }
}
