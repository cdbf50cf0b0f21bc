// store.ts: the newest value of every watched signal, and how the run stands.

import { Link, Row } from "./link";
import { Frame, Hello, Status } from "./protocol";

// Why a frame does not continue the ones before it: there were none, it is of another run, or a
// recording was wound to another place.
export type Jump = "first" | "run" | "seek";

// Whether this page may turn the run as a whole: everybody while nobody drives, then those who do. It is
// the server's rule (docs/view/viewer.md); here it is only shown.
export function mayDirect(drivers: readonly number[], you: number): boolean {
    return drivers.includes(you) || drivers.every((driver) => driver === 0);
}

export class Store {
    time = NaN; // of the newest frame [s]
    run = 0; // of the newest frame; one more after each reset
    frames = 0; // received so far
    status: Status | null = null;
    private values: Float32Array;
    private indices = new Map<string, number>();
    private frameListeners = new Set<(row: Row) => void>();
    private jumpListeners = new Set<(jump: Jump) => void>();
    private statusListeners = new Set<(status: Status) => void>();

    constructor(
        readonly hello: Hello,
        link: Link,
    ) {
        this.values = new Float32Array(hello.signals.length).fill(NaN);
        hello.signals.forEach((signal, index) => this.indices.set(signal.name, index));
        link.on("row", (row) => this.take(row));
        link.on("status", (status) => {
            this.status = status;
            for (const listener of this.statusListeners) listener(status);
        });
    }

    // NaN: not watched, or nothing has come yet.
    value(signal: number): number {
        return this.values[signal] ?? NaN;
    }

    // -1: there is no signal of this name.
    index(name: string): number {
        return this.indices.get(name) ?? -1;
    }

    // Called once a frame, after `value` shows the new values.
    onFrame(listener: (row: Row) => void): () => void {
        this.frameListeners.add(listener);
        return () => this.frameListeners.delete(listener);
    }

    // Called before `onFrame` when the new frame does not continue the ones before it. What was
    // drawn from them has to go.
    onJump(listener: (jump: Jump) => void): () => void {
        this.jumpListeners.add(listener);
        return () => this.jumpListeners.delete(listener);
    }

    onStatus(listener: (status: Status) => void): () => void {
        this.statusListeners.add(listener);
        if (this.status) listener(this.status);
        return () => this.statusListeners.delete(listener);
    }

    private take(row: Row): void {
        const { frame, signals } = row;
        const jump = this.jumpTo(frame);
        this.time = frame.time;
        this.run = frame.run;
        this.frames += 1;
        for (let k = 0; k < signals.length; k++) this.values[signals[k]!] = frame.values[k]!;
        if (jump) for (const listener of this.jumpListeners) listener(jump);
        for (const listener of this.frameListeners) listener(row);
    }

    // Live, time only ever goes back with a new run, also when a restarted server counts from 1 again.
    private jumpTo(frame: Frame): Jump | null {
        if (this.frames === 0) return "first";
        if (frame.run !== this.run) return "run";
        if (!frame.jump && frame.time >= this.time) return null;
        return this.hello.mode === "replay" ? "seek" : "run";
    }
}
