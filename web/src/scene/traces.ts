// scene/traces.ts: points that leave a line in the air where they have been, such as the hand of an arm:
// a band where it is, a thin dark line over it where it should be.

import { Box3, Group, Vector3 } from "three";
import { TRACE_COLOUR } from "../colours";
import { themeColour } from "../theme";
import { Frames, Signals } from "./frames";
import { TraceSpec } from "./geometry";
import { LegendRow } from "./legend";
import { Trail, TrailStyle } from "./trail";

// Over what is on the floor; what is wanted comes last, so that it is seen on the way that was taken.
const IS: TrailStyle = { spacing: 0.005, width: 6, floor: false, order: 3 };
const WANTED: TrailStyle = { spacing: 0.005, width: 1.5, floor: false, order: 4 };

class Trace {
    readonly trail: Trail;
    readonly signals: number[]; // of its own place; -1: none

    constructor(
        readonly spec: TraceSpec,
        private frames: Frames,
        values: Signals,
    ) {
        this.signals = spec.move.map((name) => (name === null ? -1 : values.index(name)));
        const find = (at: Vector3) => this.frames.get(spec.frame).localToWorld(this.own(at, values));
        this.trail = new Trail(find, TRACE_COLOUR, spec.wanted ? WANTED : IS);
    }

    // In its frame.
    private own(at: Vector3, values: { value(index: number): number }): Vector3 {
        const [x, y, z] = this.signals.map((index, k) => {
            const value = index < 0 ? 0 : values.value(index);
            return this.spec.place[k]! + (Number.isFinite(value) ? value : 0);
        });
        return at.set(x!, y!, z!);
    }

    // What its place in the field depends on.
    depends(): number[] {
        return [...this.signals.filter((index) => index >= 0), ...this.frames.dependsOn(this.spec.frame)];
    }

    placeAt(read: (index: number) => number): Vector3 {
        return this.frames.placeAt(this.spec.frame, read, this.own(new Vector3(), { value: read }));
    }
}

export class Traces {
    readonly group = new Group();
    readonly list: Trace[];

    constructor(
        specs: readonly TraceSpec[],
        private frames: Frames,
        signals: Signals,
    ) {
        this.list = specs.map((spec) => new Trace(spec, frames, signals));
        for (const { trail } of this.list) this.group.add(trail.mesh);
    }

    get trails(): Trail[] {
        return this.list.map(({ trail }) => trail);
    }

    colour(): void {
        for (const { spec, trail } of this.list) {
            if (spec.wanted) trail.mesh.material.color.set(themeColour("--text"));
        }
    }

    watched(): number[] {
        return this.list.flatMap((trace) => trace.signals).filter((index) => index >= 0);
    }

    // All that they may come to, above the floor; empty: not known.
    room(): Box3 {
        const box = new Box3();
        for (const { spec } of this.list) {
            if (!(spec.reach > 0)) continue;
            const { x, y, z } = this.frames.get(spec.frame).getWorldPosition(new Vector3());
            const r = spec.reach;
            box.union(new Box3(new Vector3(x - r, y, Math.max(z - r, 0)), new Vector3(x + r, y, z + r)));
        }
        return box;
    }

    legend(): LegendRow[] {
        return this.list.flatMap(({ spec, trail }) =>
            trail.drawn
                ? [{ colour: spec.wanted ? "var(--text)" : trail.colour, text: spec.name }]
                : [],
        );
    }
}
