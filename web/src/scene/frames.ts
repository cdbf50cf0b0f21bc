// scene/frames.ts: the tree of frames, moved by signals.
//   parent <- translate(place) <- turn(attitude) <- translate(move) <- turn(turn) <- this frame
// An attitude is yaw about z, then pitch about the new y, then roll about the new x: R = Rz Ry Rx.

import { Euler, Group, Matrix4, Object3D, Quaternion, Vector3 } from "three";
import { FrameSpec, Vector } from "./geometry";

// What a part of the scene reads its signals by.
export interface Signals {
    index(name: string): number;
    value(index: number): number;
}

export function setPlace(object: Object3D, place: Vector, attitude: Vector): void {
    object.position.set(place[0], place[1], place[2]);
    object.rotation.set(attitude[2], attitude[1], attitude[0], "ZYX");
}

interface Joint {
    parent: string | null;
    seat: Group;
    object: Group;
    move: Vector; // signal indices; -1: none
    turn: Vector;
    still: boolean; // no signal moves it
}

export class Frames {
    readonly root = new Group(); // the field
    readonly bodies: { name: string; object: Object3D }[] = [];
    private joints = new Map<string, Joint>();

    constructor(
        specs: FrameSpec[],
        private signals: Signals,
    ) {
        for (const spec of specs) this.add(spec);
    }

    get(name: string | null): Object3D {
        return (name === null ? this.root : this.joints.get(name)?.object) ?? this.root;
    }

    watched(): number[] {
        return [...this.joints.keys()].flatMap((name) => this.signalsOf(name));
    }

    // What the place of a frame depends on.
    dependsOn(name: string | null): number[] {
        return this.chain(name).flatMap((each) => this.signalsOf(each));
    }

    // What the places of all bodies depend on.
    bodySignals(): number[] {
        return [...new Set(this.bodies.flatMap((body) => this.dependsOn(body.name)))];
    }

    // Where a point of a frame, its origin if none is given, is in the field if signals are as `read` says.
    placeAt(name: string | null, read: (index: number) => number, point = new Vector3()): Vector3 {
        const at = point.clone();
        const own = new Matrix4();
        const value = (index: number) => (index < 0 ? 0 : read(index));
        for (const each of this.chain(name)) {
            const { seat, move, turn } = this.joints.get(each)!;
            const [x, y, z] = move.map(value);
            const [yaw, pitch, roll] = turn.map(value);
            const turned = new Quaternion().setFromEuler(new Euler(roll, pitch, yaw, "ZYX"));
            own.compose(new Vector3(x, y, z), turned, new Vector3(1, 1, 1));
            at.applyMatrix4(own).applyMatrix4(seat.matrix);
        }
        return at;
    }

    update(): void {
        for (const { object, move, turn, still } of this.joints.values()) {
            if (still) continue;
            object.position.set(
                this.read(move[0], object.position.x),
                this.read(move[1], object.position.y),
                this.read(move[2], object.position.z),
            );
            const { x, y, z } = object.rotation;
            const [yaw, pitch, roll] = turn;
            object.rotation.set(this.read(roll, x), this.read(pitch, y), this.read(yaw, z), "ZYX");
        }
        this.root.updateMatrixWorld(true);
    }

    // A gap in a signal leaves things where they were.
    private read(index: number, before: number): number {
        if (index < 0) return 0;
        const value = this.signals.value(index);
        return Number.isFinite(value) ? value : before;
    }

    private add(spec: FrameSpec): void {
        const seat = new Group();
        setPlace(seat, spec.place, spec.attitude);
        seat.updateMatrix();
        const object = new Group();
        seat.add(object);
        this.get(spec.parent).add(seat);
        if (spec.body) this.bodies.push({ name: spec.name, object });
        const indices = (names: (string | null)[]) =>
            names.map((name) => (name === null ? -1 : this.signals.index(name))) as Vector;
        const move = indices(spec.move);
        const turn = indices(spec.turn);
        const still = [...move, ...turn].every((index) => index < 0);
        this.joints.set(spec.name, { parent: spec.parent, seat, object, move, turn, still });
    }

    private signalsOf(name: string): number[] {
        const { move, turn } = this.joints.get(name)!;
        return [...move, ...turn].filter((index) => index >= 0);
    }

    // The frame, its parent, and so on up to the field.
    private chain(name: string | null): string[] {
        const names: string[] = [];
        for (let at = name; at !== null; ) {
            names.push(at);
            at = this.joints.get(at)!.parent;
        }
        return names;
    }
}
