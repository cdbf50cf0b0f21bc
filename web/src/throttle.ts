// throttle.ts: sends at once, then at most once in an interval; the last value always goes out.

export class Throttle<T> {
    private timer: ReturnType<typeof setTimeout> | null = null;
    private waiting: { value: T } | null = null;

    constructor(
        private everyMs: number,
        private send: (value: T) => void,
    ) {}

    push(value: T): void {
        if (this.timer !== null) {
            this.waiting = { value };
            return;
        }
        this.send(value);
        this.timer = setTimeout(() => this.next(), this.everyMs);
    }

    private next(): void {
        this.timer = null;
        if (!this.waiting) return;
        const { value } = this.waiting;
        this.waiting = null;
        this.push(value);
    }
}
