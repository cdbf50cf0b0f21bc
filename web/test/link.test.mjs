// The socket's own order of things, on a socket that is none.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Link } from "../src/link.ts";

class Socket {
    static OPEN = 1;
    readyState = Socket.OPEN;
    sent = [];
    send(text) {
        this.sent.push(JSON.parse(text));
    }
}

test("frames of new signals are asked for before their past, so that nothing is missing between the two", () => {
    globalThis.WebSocket = Socket;
    globalThis.window = globalThis;
    const link = new Link(new URL("http://127.0.0.1:8971/"));
    link.open();
    link.watch("scene", [1]);
    link.watch("charts", [5]); // waits for other panels
    void link.history([5], 0, 1e9, 100);
    const { sent } = link.socket;
    assert.deepEqual(
        sent.map((message) => [message.type, message.signals]),
        [
            ["watch", [1]],
            ["watch", [1, 5]],
            ["history", [5]],
        ],
    );
    link.socket.onclose = null;
    link.finish(1); // its timer would keep this process
});
