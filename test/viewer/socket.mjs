// The server spoken to by hand: plain HTTP bytes, and a WebSocket client that can also misbehave.
import { randomBytes } from "node:crypto";
import net from "node:net";
import { until } from "./suite.mjs";

export const PROTOCOL = "ironbird.v1";

const open = (url) => net.connect({ host: url.hostname.replace(/[[\]]/g, ""), port: Number(url.port) });

// Sends bytes on a connection of its own and returns all that comes back until the other side closes, or
// for `seconds`, or until `enough` is in it.
export function exchange(url, bytes, { seconds = 2, enough = null } = {}) {
    return new Promise((resolve) => {
        const socket = open(url);
        let answer = "";
        const done = () => {
            clearTimeout(timer);
            socket.destroy();
            resolve(answer);
        };
        const timer = setTimeout(done, 1000 * seconds);
        socket.on("error", done);
        socket.on("close", done);
        socket.on("connect", () => socket.write(bytes));
        socket.on("data", (data) => {
            answer += data.toString("latin1");
            if (enough && enough.test(answer)) done();
        });
    });
}

// One request with the headers given as [name, value] pairs, as they are; its status, or 0 without answer.
export async function request(
    url,
    { method = "GET", path = "/", headers = [["Host", url.host]], body = "" } = {},
) {
    const lines = [`${method} ${path} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`)];
    const text = await exchange(url, `${lines.join("\r\n")}\r\n\r\n${body}`, {
        seconds: 30,
        enough: /^HTTP\/1.1 \d+[\s\S]*?\r\n\r\n/,
    });
    return { status: Number(/^HTTP\/1.[01] (\d+)/.exec(text)?.[1] ?? 0), text };
}

export function upgrade(
    url,
    { host = url.host, origin = null, protocol = PROTOCOL, path = `/socket${url.search}` } = {},
) {
    const headers = [];
    if (host !== null) headers.push(["Host", host]);
    headers.push(["Upgrade", "websocket"], ["Connection", "Upgrade"]);
    headers.push(["Sec-WebSocket-Key", randomBytes(16).toString("base64")], ["Sec-WebSocket-Version", "13"]);
    if (protocol !== null) headers.push(["Sec-WebSocket-Protocol", protocol]);
    if (origin !== null) headers.push(["Origin", origin]);
    return { path, headers };
}

// One frame as a client sends it; `mask: false` and `length` make it wrong on purpose.
export function frameBytes(
    payload,
    { opcode = 1, fin = true, mask = true, length = null, reserved = 0 } = {},
) {
    const data = Buffer.from(payload);
    const size = length ?? data.length;
    const head = [(fin ? 0x80 : 0) | (reserved << 4) | opcode];
    const bit = mask ? 0x80 : 0;
    let extra = Buffer.alloc(0);
    if (size < 126) head.push(bit | size);
    else if (size < 65536) {
        head.push(bit | 126);
        extra = Buffer.alloc(2);
        extra.writeUInt16BE(size);
    } else {
        head.push(bit | 127);
        extra = Buffer.alloc(8);
        extra.writeBigUInt64BE(BigInt(size));
    }
    if (!mask) return Buffer.concat([Buffer.from(head), extra, data]);
    const key = randomBytes(4);
    const masked = data.map((byte, i) => byte ^ key[i & 3]);
    return Buffer.concat([Buffer.from(head), extra, key, masked]);
}

// A client of the protocol. `values` holds the newest frame by signal name.
export class Viewer {
    static async connect(url, options = {}) {
        const viewer = new Viewer(url, options);
        await until("the handshake is answered", () => viewer.status !== 0 || viewer.closed);
        if (viewer.status !== 101) throw new Error(`handshake refused: ${viewer.status}`);
        if (options.hello !== false) await until("hello has come", () => viewer.hello || viewer.closed);
        return viewer;
    }

    constructor(url, options) {
        this.status = 0;
        this.closed = false;
        this.hello = null;
        this.state = null; // the newest `status`
        this.messages = []; // all others
        this.frames = 0;
        this.time = NaN;
        this.run = 0;
        this.values = {};
        this.high = {}; // the largest since the frame before
        this.history = [];
        this.onFrame = null;
        this.watched = [];
        this.buffer = Buffer.alloc(0);
        this.parts = [];
        this.socket = open(url);
        this.socket.on("error", () => (this.closed = true));
        this.socket.on("close", () => (this.closed = true));
        this.socket.on("data", (data) => this.take(data));
        const { path, headers } = upgrade(url, options);
        const lines = [`GET ${path} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`)];
        this.socket.on("connect", () => this.socket.write(`${lines.join("\r\n")}\r\n\r\n`));
    }

    take(data) {
        this.buffer = Buffer.concat([this.buffer, data]);
        if (this.status === 0) {
            const end = this.buffer.indexOf("\r\n\r\n");
            if (end < 0) return;
            this.status = Number(/^HTTP\/1.1 (\d+)/.exec(this.buffer.toString("latin1", 0, end))?.[1] ?? -1);
            this.buffer = this.buffer.subarray(end + 4);
        }
        if (this.status === 101) while (this.takeFrame());
    }

    takeFrame() {
        const b = this.buffer;
        if (b.length < 2) return false;
        let size = b[1] & 127;
        let at = 2;
        if (size === 126) [size, at] = b.length < 4 ? [Infinity, 4] : [b.readUInt16BE(2), 4];
        else if (size === 127)
            [size, at] = b.length < 10 ? [Infinity, 10] : [Number(b.readBigUInt64BE(2)), 10];
        if (b.length < at + size) return false;
        const opcode = b[0] & 15;
        if (opcode < 8) this.parts.push(b.subarray(at, at + size));
        if (opcode === 1 || opcode === 2) this.kind = opcode;
        if (opcode === 8) this.destroy(); // the server ends it, and waits for us to hang up
        if (opcode === 9) this.raw(frameBytes(b.subarray(at, at + size), { opcode: 10 }));
        if (opcode < 8 && b[0] & 0x80) {
            const whole = Buffer.concat(this.parts);
            this.parts = [];
            if (this.kind === 1) this.text(JSON.parse(whole.toString("utf8")));
            else this.binary(whole);
        }
        this.buffer = b.subarray(at + size);
        return true;
    }

    text(message) {
        if (message.type === "hello") this.hello = message;
        else if (message.type === "status") this.state = message;
        else this.messages.push(message);
    }

    binary(b) {
        if (b[0] === 1) {
            this.frames++;
            this.run = b.readUInt32LE(4);
            this.time = b.readDoubleLE(8);
            const count = this.watched.length;
            if (b.length === 16 + 12 * count)
                this.watched.forEach((name, i) => {
                    this.values[name] = b.readFloatLE(16 + 4 * i);
                    this.high[name] = b.readFloatLE(16 + 4 * (2 * count + i));
                });
            this.onFrame?.(this);
        } else if (b[0] === 2) {
            const rows = b.readUInt32LE(12);
            const times = Array.from({ length: rows }, (_, i) => b.readDoubleLE(16 + 8 * i));
            const values = Array.from({ length: rows }, (_, i) => b.readFloatLE(16 + 8 * rows + 4 * i));
            this.history.push({
                last: (b[1] & 1) !== 0,
                request: b.readUInt16LE(2),
                signal: b.readUInt32LE(8),
                times,
                values,
            });
        }
    }

    raw(bytes) {
        if (!this.closed) this.socket.write(bytes);
    }

    send(message) {
        this.raw(frameBytes(JSON.stringify(message)));
    }

    index(name) {
        const index = this.hello.signals.findIndex((signal) => signal.name === name);
        if (index < 0) throw new Error(`there is no signal ${name}`);
        return index;
    }

    async watch(...names) {
        this.watched = names;
        this.values = {};
        this.id = ((this.id ?? 0) + 1) & 0xffff;
        this.send({ type: "watch", id: this.id, signals: names.map((name) => this.index(name)), rate: 60 });
        await until("the first frame has come", () => names.every((name) => name in this.values));
    }

    // The next message of a type after those that have been there when called.
    async next(type, seconds = 90) {
        const from = this.messages.length;
        return until(
            `a message '${type}' comes`,
            () => this.messages.slice(from).find((m) => m.type === type),
            seconds,
        );
    }

    destroy() {
        this.closed = true;
        this.socket.destroy();
    }
}
