// scene/marks.ts: marked points such as a centre of mass, with the place below them on the floor, and
// what they stand on.

import { CylinderGeometry, Group, Mesh, Object3D, Vector3 } from "three";
import { themeColour } from "../theme";
import { Frames, Signals } from "./frames";
import { MarkSpec, Vector } from "./geometry";
import { Label, Labels } from "./labels";
import { Paint } from "./paint";
import { Support } from "./support";

const ON_FLOOR = 0.005; // [m]; a mark below this is its own foot

const PLUMB_PX = 1.5;

interface Mark {
    spec: MarkSpec;
    frame: Object3D;
    signals: Vector; // indices; -1: none
    sign: Label; // a disc in quarters, as on drawings
    foot: Label; // the same place on the floor
    plumb: Mesh; // from one to the other
    support: Support | null; // of one on feet
}

export class Marks {
    readonly group = new Group();
    private marks: Mark[] = [];
    private ink = new Paint("solid", "#000000", { front: true });
    private rod = new CylinderGeometry(1, 1, 1, 6).rotateX(Math.PI / 2).translate(0, 0, 0.5);
    private at = new Vector3();

    constructor(
        specs: MarkSpec[],
        frames: Frames,
        private signals: Signals,
        private labels: Labels,
    ) {
        for (const spec of specs) this.add(spec, frames);
        this.colour();
    }

    get count(): number {
        return this.marks.length;
    }

    colour(): void {
        this.ink.color.set(themeColour("--text"));
        for (const support of this.supports) support.colour();
    }

    get supports(): Support[] {
        return this.marks.flatMap(({ support }) => (support ? [support] : []));
    }

    watched(): number[] {
        const feet = this.supports.flatMap((support) => support.watched());
        return [...this.marks.flatMap((mark) => mark.signals).filter((index) => index >= 0), ...feet];
    }

    // After the frames, at `time` [s] of the run.
    update(shown: boolean, time: number): void {
        this.group.visible = shown;
        for (const mark of this.marks) {
            const { place } = mark.spec;
            const [x, y, z] = mark.signals.map((index) => this.read(index)) as Vector;
            this.at.set(place[0] + x, place[1] + y, place[2] + z);
            mark.frame.localToWorld(this.at);
            mark.sign.at.copy(this.at);
            mark.support?.update(shown, this.at, time);
            const ground = mark.support ? mark.support.text.at.z : 0;
            mark.foot.at.set(this.at.x, this.at.y, ground);
            mark.plumb.position.copy(mark.foot.at);
            mark.plumb.scale.setZ(this.at.z - ground || 1);
            const high = Math.abs(this.at.z - ground) > ON_FLOOR;
            mark.plumb.visible = high;
            mark.foot.visible = shown && high;
            mark.sign.visible = shown;
        }
    }

    // The plumb line is as thick from near and from far.
    place(metresPerPixel: number): void {
        const radius = 0.5 * PLUMB_PX * metresPerPixel;
        for (const { plumb, support } of this.marks) {
            plumb.scale.set(radius, radius, plumb.scale.z);
            support?.place(metresPerPixel);
        }
    }

    private read(index: number): number {
        const value = index < 0 ? 0 : this.signals.value(index);
        return Number.isFinite(value) ? value : 0;
    }

    private add(spec: MarkSpec, frames: Frames): void {
        const index = (name: string | null) => (name === null ? -1 : this.signals.index(name));
        const mark: Mark = {
            spec,
            frame: frames.get(spec.frame),
            signals: spec.move.map(index) as Vector,
            foot: this.labels.add("mark-foot"),
            sign: this.labels.add("mark-sign"),
            plumb: new Mesh(this.rod, this.ink),
            support: spec.feet.length > 0 ? new Support(spec, this.signals, this.labels) : null,
        };
        this.group.add(mark.plumb);
        if (mark.support) this.group.add(mark.support.group);
        this.marks.push(mark);
    }
}
