// The store: which frames do not continue the ones before them, and why.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Store } from "../src/store.ts";

// Frames as [run, time, jump flag]; the jumps that the store tells of, with "-" where there is none.
function jumps(mode, frames) {
    const listeners = {};
    const link = { on: (type, listener) => (listeners[type] = listener) };
    const store = new Store({ mode, signals: [{ name: "x" }] }, link);
    let told = "-";
    store.onJump((jump) => (told = jump));
    return frames.map(([run, time, jump = false]) => {
        told = "-";
        const frame = { run, time, jump, values: Float32Array.of(1) };
        listeners.row({ frame, signals: Int32Array.of(0) });
        return told;
    });
}

test("a live run jumps at its first frame and with each new run", () => {
    const frames = [[1, 5], [1, 5.1], [2, 0, true], [2, 0.1], [4, 7]];
    assert.deepEqual(jumps("live", frames), ["first", "-", "run", "-", "run"]);
});

test("a restarted server counts from one again: time that goes back is a new run", () => {
    assert.deepEqual(jumps("live", [[1, 5], [1, 0.2]]), ["first", "run"]);
});

test("in a recording a jump of time is a seek, forward or back", () => {
    const frames = [[1, 0], [1, 9, true], [1, 9.1], [1, 3]];
    assert.deepEqual(jumps("replay", frames), ["first", "seek", "-", "seek"]);
});
