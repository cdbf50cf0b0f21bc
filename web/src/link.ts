// link.ts: the socket to the server. It comes back by itself after a loss, keeps one watch list for
// all parts of the page and pairs requests for history with their answers.

import {
    Answer,
    ClientMessage,
    decodeBinary,
    DesignHello,
    Frame,
    Hello,
    HistoryPart,
    LogMessage,
    MAX_HISTORY_SIGNALS,
    MAX_WATCHED,
    ParameterMessage,
    RefusedMessage,
    ServerMessage,
    Status,
    SUBPROTOCOL,
} from "./protocol";

// silent: the socket is open, a run is under way, and yet nothing comes: the server hangs.
// refused: the server answers, but does not let this page in (no or a wrong token).
export type Connection = "connecting" | "open" | "silent" | "lost" | "refused";

export interface Row {
    frame: Frame;
    signals: Int32Array; // frame.values[k] belongs to signal signals[k]
}

interface Events {
    hello: Hello;
    design: DesignHello; // the hello of a design
    answer: Answer;
    status: Status;
    log: LogMessage;
    parameter: ParameterMessage;
    refused: RefusedMessage;
    row: Row;
    connection: Connection;
    silence: number; // [s] since the last word, each second while the server is silent
}

// The past of one signal, as the server sends it.
// The past of one signal. A row tells of the time since the row before it: between which bounds the
// signal was; both are its value where that is not known.
export interface Samples {
    times: Float64Array;
    values: Float32Array;
    low: Float32Array;
    high: Float32Array;
}

interface Request {
    series: Map<number, Samples>;
    answer: (series: Map<number, Samples>) => void;
    timer: number;
}

const RETRY_FIRST_MS = 250;
const RETRY_MOST_MS = 3000;
const HISTORY_TIMEOUT_MS = 10000;
const REFUSAL_TIMEOUT_MS = 3000;
const WATCHDOG_MS = 500;
const SILENCE_MS = 2000; // while it runs, status alone comes five times a second
const WATCH_DELAY_MS = 20; // several panels change their lists at once
const LISTS_KEPT = 4; // frames of an older list may still be under way

type Listener<K extends keyof Events> = (value: Events[K]) => void;

export class Link {
    connection: Connection = "connecting";
    private socket: WebSocket | null = null;
    private listeners = new Map<keyof Events, Set<(value: never) => void>>();
    private retryMs = RETRY_FIRST_MS;
    private owners = new Map<string, { signals: number[]; rate: number }>();
    private lists = new Map<number, Int32Array>();
    private listId = 0;
    private watchTimer = 0;
    private requests = new Map<number, Request>();
    private requestId = 0;
    private heardAt = 0;
    private watchedAt = 0;
    private running = false; // by the last status

    // `base` is the page's own address; its ?token=… goes along.
    constructor(private base: Location | URL) {}

    start(): void {
        this.open();
        setInterval(() => this.listenForSilence(), WATCHDOG_MS);
        // A laptop that wakes up or a phone that comes back should not wait for the next retry.
        addEventListener("online", () => this.hurry());
        document.addEventListener("visibilitychange", () => this.hurry());
    }

    // Returns a function that takes the listener away again.
    on<K extends keyof Events>(type: K, listener: Listener<K>): () => void {
        const set = this.listeners.get(type) ?? new Set();
        this.listeners.set(type, set);
        set.add(listener as (value: never) => void);
        return () => set.delete(listener as (value: never) => void);
    }

    // Also for the page itself: a note for the log takes the same way as the server's.
    emit<K extends keyof Events>(type: K, value: Events[K]): void {
        for (const listener of this.listeners.get(type) ?? []) (listener as Listener<K>)(value);
    }

    // false: there is no connection, nothing was sent.
    send(message: ClientMessage): boolean {
        if (this.socket?.readyState !== WebSocket.OPEN) return false;
        this.socket.send(JSON.stringify(message));
        return true;
    }

    // Each owner ("scene", "charts") replaces its own list; the server gets the union of all.
    watch(owner: string, signals: number[], rate = 60): void {
        if (signals.length > 0) this.owners.set(owner, { signals: [...signals], rate });
        else this.owners.delete(owner);
        if (this.watchTimer) return;
        // The first list goes at once, so that a frame is there when the page is.
        if (this.lists.size === 0) return this.sendWatch();
        this.watchTimer = window.setTimeout(() => this.sendWatch(), WATCH_DELAY_MS);
    }

    // The past of some signals, each thinned to at most `rows` points. Signals the server has
    // nothing of are missing in the answer; a lost connection answers with what has come so far.
    async history(
        signals: number[],
        from: number,
        to: number,
        rows: number,
    ): Promise<Map<number, Samples>> {
        const all = new Map<number, Samples>();
        for (let start = 0; start < signals.length; start += MAX_HISTORY_SIGNALS) {
            const some = signals.slice(start, start + MAX_HISTORY_SIGNALS);
            const part = await this.request(some, from, to, rows);
            for (const [signal, series] of part) all.set(signal, series);
        }
        return all;
    }

    // ---- connection ----------------------------------------------------------------------------

    private open(): void {
        const scheme = this.base.protocol === "https:" ? "wss:" : "ws:";
        const url = `${scheme}//${this.base.host}/socket${this.base.search}`;
        const socket = new WebSocket(url, SUBPROTOCOL);
        socket.binaryType = "arraybuffer";
        this.socket = socket;
        socket.onmessage = (event) => this.receive(event.data);
        socket.onclose = () => void this.closed(socket);
    }

    private async closed(socket: WebSocket): Promise<void> {
        if (this.socket !== socket) return;
        this.socket = null;
        for (const id of [...this.requests.keys()]) this.finish(id);
        if (this.connection === "open" || this.connection === "silent") this.become("lost");
        const refused = await this.isRefused();
        if (this.socket) return;
        this.become(refused ? "refused" : "lost");
        setTimeout(() => this.hurry(), this.retryMs);
        this.retryMs = Math.min(2 * this.retryMs, RETRY_MOST_MS);
    }

    // A browser does not tell a page why a socket was not opened; the page's own address does.
    // A server that hangs answers neither: then the page goes on trying.
    private async isRefused(): Promise<boolean> {
        const abort = new AbortController();
        const timer = setTimeout(() => abort.abort(), REFUSAL_TIMEOUT_MS);
        const { signal } = abort;
        try {
            const options: RequestInit = { method: "HEAD", cache: "no-store", signal };
            const answer = await fetch(`/${this.base.search}`, options);
            return answer.status === 403;
        } catch {
            return false;
        } finally {
            clearTimeout(timer);
        }
    }

    // A page that was itself asleep has heard nothing either: then the count begins anew.
    private listenForSilence(): void {
        const now = performance.now();
        if (now - this.watchedAt > 3 * WATCHDOG_MS) this.heardAt = now;
        this.watchedAt = now;
        if (!this.running || (this.connection !== "open" && this.connection !== "silent")) return;
        if (now - this.heardAt < SILENCE_MS) return;
        this.become("silent");
        this.emit("silence", Math.floor((now - this.heardAt) / 1000));
    }

    private hurry(): void {
        if (!this.socket && document.visibilityState === "visible") this.open();
    }

    private become(connection: Connection): void {
        if (this.connection === connection) return;
        this.connection = connection;
        this.emit("connection", connection);
    }

    // ---- messages ------------------------------------------------------------------------------

    private receive(data: unknown): void {
        this.heardAt = performance.now();
        if (this.connection === "silent") this.become("open");
        if (data instanceof ArrayBuffer) {
            const message = decodeBinary(data);
            if (message?.kind === "frame") this.receiveFrame(message);
            else if (message?.kind === "history") this.receiveHistory(message);
            return;
        }
        let message: ServerMessage;
        try {
            message = JSON.parse(String(data)) as ServerMessage;
        } catch {
            return; // not ours; the next message may be
        }
        if (message.type === "status") this.running = message.state === "running";
        if (message.type === "hello") this.welcome(message);
        else this.emit(message.type, message as never);
    }

    private welcome(hello: Hello | DesignHello): void {
        this.retryMs = RETRY_FIRST_MS;
        this.running = false;
        this.become("open");
        if (hello.mode === "design") return this.emit("design", hello);
        this.emit("hello", hello);
        this.sendWatch();
    }

    private receiveFrame(frame: Frame): void {
        const signals = this.lists.get(frame.watch);
        if (signals && signals.length === frame.values.length) this.emit("row", { frame, signals });
    }

    private sendWatch(): void {
        clearTimeout(this.watchTimer);
        this.watchTimer = 0;
        const union = new Set<number>();
        let rate = 1;
        for (const owner of this.owners.values()) {
            for (const signal of owner.signals) if (union.size < MAX_WATCHED) union.add(signal);
            rate = Math.max(rate, owner.rate);
        }
        const signals = [...union].sort((a, b) => a - b);
        const id = (this.listId = (this.listId % 0xffff) + 1);
        if (!this.send({ type: "watch", id, signals, rate })) return;
        this.lists.set(id, Int32Array.from(signals));
        for (const old of this.lists.keys()) {
            if (this.lists.size <= LISTS_KEPT) break;
            this.lists.delete(old);
        }
    }

    // ---- history -------------------------------------------------------------------------------

    private request(signals: number[], from: number, to: number, rows: number) {
        // Frames of these signals come first: then none is missing between the past and the present.
        if (this.watchTimer) this.sendWatch();
        return new Promise<Map<number, Samples>>((answer) => {
            const id = (this.requestId = (this.requestId % 0xffff) + 1);
            const series = new Map<number, Samples>();
            if (!this.send({ type: "history", id, signals, from, to, rows })) return answer(series);
            const timer = window.setTimeout(() => this.finish(id), HISTORY_TIMEOUT_MS);
            this.requests.set(id, { series, answer, timer });
        });
    }

    private receiveHistory(part: HistoryPart): void {
        const request = this.requests.get(part.request);
        if (!request) return;
        const { times, values, low, high } = part;
        request.series.set(part.signal, { times, values, low, high });
        if (part.last) this.finish(part.request);
    }

    private finish(id: number): void {
        const request = this.requests.get(id);
        if (!request) return;
        this.requests.delete(id);
        clearTimeout(request.timer);
        request.answer(request.series);
    }
}
