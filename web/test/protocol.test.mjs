// Binary messages, byte by byte as docs/view/viewer.md describes them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeBinary } from "../src/protocol.ts";

function bytes(size, fill) {
    const buffer = new ArrayBuffer(size);
    fill(new DataView(buffer));
    return buffer;
}

const frame = (size = 40) =>
    bytes(size, (view) => {
        view.setUint8(0, 1);
        view.setUint8(1, 1);
        view.setUint16(2, 513, true);
        view.setUint32(4, 7, true);
        view.setFloat64(8, 1.25, true);
        if (size < 40) return;
        [0.5, NaN, -1, NaN, 2, NaN].forEach((x, k) => view.setFloat32(16 + 4 * k, x, true));
    });

const history = (rows, size = 16 + 20 * rows) =>
    bytes(size, (view) => {
        view.setUint8(0, 2);
        view.setUint16(2, 9, true);
        view.setUint32(4, 1, true);
        view.setUint32(8, 42, true);
        view.setUint32(12, rows, true);
        if (size !== 56) return;
        view.setFloat64(16, 1, true);
        view.setFloat64(24, 2, true);
        [3, 4, -3, -4, 5, 6].forEach((x, k) => view.setFloat32(32 + 4 * k, x, true));
    });

test("a frame is read field by field, gaps stay gaps", () => {
    const { values, low, high, ...head } = decodeBinary(frame());
    assert.deepEqual(head, { kind: "frame", jump: true, watch: 513, run: 7, time: 1.25 });
    assert.equal(values[0], 0.5);
    assert.ok(Number.isNaN(values[1]));
    assert.deepEqual([low[0], high[0], low.length, high.length], [-1, 2, 2, 2]);
    assert.equal(decodeBinary(frame(16)).values.length, 0);
});

test("a history is read field by field", () => {
    const part = decodeBinary(history(2));
    assert.equal(part.request, 9);
    assert.equal(part.signal, 42);
    assert.equal(part.last, false);
    assert.deepEqual([...part.times], [1, 2]);
    assert.deepEqual([...part.values], [3, 4]);
    assert.deepEqual([...part.low], [-3, -4]);
    assert.deepEqual([...part.high], [5, 6]);
});

test("what is cut off, too long or of another kind is no message", () => {
    for (let size = 0; size < 16; size++) assert.equal(decodeBinary(new ArrayBuffer(size)), null);
    for (const size of [17, 18, 19, 20, 24, 32]) assert.equal(decodeBinary(frame(size)), null);
    for (const size of [16, 40, 55, 57]) assert.equal(decodeBinary(history(2, size)), null);
    assert.equal(decodeBinary(history(0xffffffff, 16)), null);
    assert.equal(decodeBinary(bytes(16, (view) => view.setUint8(0, 3))), null);
});
