// Charts: bounded series that keep their extremes, joined on one time axis, and the views of them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Series, thinned } from "../src/series.ts";
import { joined, padded } from "../src/plotdata.ts";
import { arranged, viewOf } from "../src/charts.ts";
import { clamp, countBelow } from "../src/numbers.ts";

function filled(count, value, room) {
    const series = new Series(room);
    for (let i = 0; i < count; i++) series.push(i * 0.01, value(i));
    return series;
}
const valuesOf = (series) => [...series.values.subarray(0, series.length)];

test("a series never exceeds its room and keeps a lonely peak for ever", () => {
    const series = filled(50000, (i) => (i === 137 ? 5 : i === 4321 ? -5 : 0), 1000);
    assert.ok(series.length <= 1000);
    assert.equal(Math.max(...valuesOf(series)), 5);
    assert.equal(Math.min(...valuesOf(series)), -5);
});

test("a thinned series still starts and ends where it did, in order", () => {
    const series = filled(5000, Math.sin, 500);
    assert.equal(series.times[0], 0);
    assert.equal(series.times[series.length - 1], 4999 * 0.01);
    for (let i = 1; i < series.length; i++) assert.ok(series.times[i] > series.times[i - 1]);
});

test("thinning keeps a gap a gap", () => {
    const times = Float64Array.from({ length: 900 }, (_, i) => i);
    const values = Float32Array.from(times, (t) => (t === 450 ? NaN : 1));
    const kept = thinned(times, values, 0, 900, 90);
    assert.ok(kept.length <= 90);
    assert.ok(kept.includes(450));
});

test("a sample in the past is left out and one at the same time replaces", () => {
    const series = filled(3, (i) => i);
    series.push(0.005, 9);
    series.push(0.02, 7);
    assert.deepEqual(valuesOf(series), [0, 1, 7]);
});

test("history that arrives late goes in front of the live samples, without doubles", () => {
    const series = new Series();
    series.push(1.0, 10);
    series.push(1.1, 11);
    series.prepend([0.8, 0.9, 1.0, 1.1], [8, 9, 0, 0]);
    assert.deepEqual(valuesOf(series), [8, 9, 10, 11]);
});

test("the nearest sample answers the cursor", () => {
    const series = filled(100, (i) => i);
    assert.equal(series.nearest(0.503), 50);
    assert.equal(series.nearest(-1), 0);
    assert.equal(series.nearest(99), 99);
    assert.ok(Number.isNaN(new Series().nearest(0)));
});

test("series with different times are joined: undefined where one has no sample, null in a gap", () => {
    const a = new Series();
    const b = new Series();
    for (const [t, v] of [
        [0, 1],
        [2, NaN],
        [3, 4],
    ])
        a.push(t, v);
    for (const [t, v] of [
        [1, 5],
        [3, 6],
    ])
        b.push(t, v);
    const { times, columns } = joined([a, b], [1, 10], 0, 3, 100);
    assert.deepEqual(times, [0, 1, 2, 3]);
    assert.deepEqual(columns, [
        [1, undefined, null, 4],
        [undefined, 50, undefined, 60],
    ]);
});

test("what is drawn of a long series is bounded by the pixels", () => {
    const series = filled(20000, Math.sin);
    const { times } = joined([series], [1], 0, 200, 400);
    assert.ok(times.length <= 1200, `${times.length}`);
});

test("a scale leaves room above and below, also for a flat line", () => {
    const [low, high] = padded(0, 10);
    assert.ok(low < 0 && high > 10);
    const [a, b] = padded(12.6, 12.6);
    assert.ok(a < 12.6 && b > 12.6 && b - a > 1);
    assert.deepEqual(padded(0, 0), [-1, 1]);
    assert.deepEqual(padded(null, null), [-1, 1]);
});

test("a live view begins at zero, then follows", () => {
    assert.deepEqual(viewOf(20, 5, 0, 150, false), [0, 20]);
    assert.deepEqual(viewOf(20, 50, 0, 150, false), [30, 50]);
    assert.deepEqual(viewOf(Infinity, 50, 3, 150, false), [3, 50]);
});

test("a replay shows all of it, wherever one is", () => {
    assert.deepEqual(viewOf(Infinity, 7, NaN, 60, true), [0, 60]);
});

test("suggested signals of one unit share a chart", () => {
    const units = ["m/s", "V", "m/s", "A"];
    assert.deepEqual(
        arranged([0, 1, 2, 3], (s) => units[s]),
        [[0, 2], [1], [3]],
    );
});

test("a place in an ordered list is found at its ends, between and among equals", () => {
    const list = [1, 2, 2, 5];
    for (const [value, count] of [[0, 0], [1, 0], [2, 1], [3, 3], [5, 3], [9, 4]])
        assert.equal(countBelow(list, 4, value), count, `${value}`);
    assert.equal(countBelow(list, 2, 9), 2);
    assert.deepEqual([clamp(-2, 0, 1), clamp(0.5, 0, 1), clamp(2, 0, 1), clamp(NaN, -1, 1)], [0, 0.5, 1, 0]);
});
