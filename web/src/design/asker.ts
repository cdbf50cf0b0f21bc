// design/asker.ts: asks the server for the design as the knobs stand: one question at a time; what was
// turned meanwhile is asked as soon as the answer is there, so that the newest is always the last.

import { Link } from "../link";
import { Answer } from "../protocol";
import { Values } from "./values";

const PATIENCE_MS = 5000; // an answer that has not come by then never will

export class Asker {
    gear = 0;
    answers = 0;
    private id = 0;
    private waiting = 0; // timer of the question under way; 0: none is
    private turnedAt = 0; // the first turn that the question under way is about
    private staleSince = 0; // the first turn after it; 0: none

    // `show` draws an answer; `turnedAt` is when the first of the turns was made that it shows.
    constructor(
        private link: Link,
        private values: Values,
        private show: (answer: Answer, turnedAt: number) => void,
    ) {
        link.on("answer", (answer) => this.take(answer));
        values.onChange(() => this.ask());
    }

    ask(): void {
        const now = performance.now();
        if (this.waiting) {
            this.staleSince ||= now;
            return;
        }
        this.turnedAt = this.staleSince || now;
        this.staleSince = 0;
        this.id = (this.id + 1) & 0xffff;
        const values = this.values.turned();
        if (!this.link.send({ type: "try", id: this.id, gear: this.gear, values })) return;
        this.waiting = window.setTimeout(() => this.again(), PATIENCE_MS);
    }

    /** After a loss of the connection nothing is under way any more. */
    again(): void {
        clearTimeout(this.waiting);
        this.waiting = 0;
        this.ask();
    }

    get busy(): boolean {
        return this.waiting !== 0;
    }

    private take(answer: Answer): void {
        if (answer.id !== this.id || !this.waiting) return;
        clearTimeout(this.waiting);
        this.waiting = 0;
        this.answers++;
        this.show(answer, this.turnedAt);
        if (this.staleSince) this.ask();
    }
}
