// design/values.ts: where all knobs stand, and which of them are not where the file has them.

import { KnobInfo } from "../protocol";

export class Values {
    private now: number[];
    private listeners = new Set<() => void>();

    constructor(private knobs: readonly KnobInfo[]) {
        this.now = knobs.map((knob) => knob.value);
    }

    get(index: number): number {
        return this.now[index]!;
    }

    changed(index: number): boolean {
        return this.now[index] !== this.knobs[index]!.value;
    }

    /** The turned ones, as they are sent. */
    turned(): [number, number][] {
        return this.now.flatMap((value, index): [number, number][] =>
            this.changed(index) ? [[index, value]] : [],
        );
    }

    /** Several at once: the two poles of a pair go together. */
    set(changes: readonly (readonly [number, number])[]): void {
        let any = false;
        for (const [index, value] of changes) {
            any ||= this.now[index] !== value;
            this.now[index] = value;
        }
        if (any) for (const listener of this.listeners) listener();
    }

    reset(): void {
        this.set(this.knobs.map((knob, index) => [index, knob.value]));
    }

    onChange(listener: () => void): void {
        this.listeners.add(listener);
    }
}
