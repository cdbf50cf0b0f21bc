// Charts: bounded series that keep their extremes, joined on one time axis, and the views of them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { merged, Series } from "../src/series.ts";
import { joined, outline, padded } from "../src/plotdata.ts";
import { leastSpan } from "../src/quantity.ts";
import { arranged, viewOf } from "../src/charts.ts";
import { clamp, countBelow } from "../src/numbers.ts";

const AS_IT_IS = { factor: 1, offset: 0 };

function filled(count, value, room) {
    const series = new Series(room);
    for (let i = 0; i < count; i++) series.push(i * 0.01, value(i));
    return series;
}
const valuesOf = (series) => [...series.values.subarray(0, series.length)];

const boundsOf = (series) => [
    Math.min(...series.low.subarray(0, series.length)),
    Math.max(...series.high.subarray(0, series.length)),
];

test("a series never exceeds its room and keeps a lonely peak for ever", () => {
    const series = filled(50000, (i) => (i === 137 ? 5 : i === 4321 ? -5 : 0), 1000);
    assert.ok(series.length <= 1000);
    assert.deepEqual(boundsOf(series), [-5, 5]);
});

test("a thinned series still starts and ends where it did, in order", () => {
    const series = filled(5000, Math.sin, 500);
    assert.equal(series.times[0], 0);
    assert.equal(series.times[series.length - 1], 4999 * 0.01);
    for (let i = 1; i < series.length; i++) assert.ok(series.times[i] > series.times[i - 1]);
});

test("thinning keeps a gap a gap, and every bound", () => {
    const times = Float64Array.from({ length: 900 }, (_, i) => i);
    const values = Float32Array.from(times, (t) => (t === 450 ? NaN : 1));
    const low = Float32Array.from(values, (v, i) => (i === 300 ? -7 : v));
    const high = Float32Array.from(values, (v, i) => (i === 301 ? 8 : v));
    const kept = merged({ times, values, low, high }, 0, 900, 90);
    assert.ok(kept.length <= 90);
    assert.deepEqual([kept[0].time, kept.at(-1).time], [0, 899]);
    assert.equal(kept.filter((s) => Number.isNaN(s.value)).length, 1);
    assert.equal(kept.find((s) => s.low === -7).time >= 300, true);
    assert.equal(kept.find((s) => s.high === 8).time >= 301, true);
});

test("bounds of samples that became one begin where the one before them was", () => {
    // A ramp of single samples: nothing is known between them, but between every second one there is a sample.
    const series = filled(100, (i) => i);
    const kept = merged(series, 0, 100, 51);
    for (let k = 1; k < kept.length; k++) {
        assert.equal(kept[k].low, kept[k - 1].value);
        assert.equal(kept[k].high, kept[k].value);
    }
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
    const values = [8, 9, 0, 0];
    series.prepend({ times: [0.8, 0.9, 1.0, 1.1], values, low: values, high: values });
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
    const all = [
        { series: a, unit: AS_IT_IS, held: false, step: 1 },
        { series: b, unit: { factor: 10, offset: 1 }, held: false, step: 1 },
    ];
    const { times, columns } = joined(all, 0, 3, 100);
    assert.deepEqual(times, [0, 1, 2, 3]);
    const [low, high] = [
        [1, undefined, null, 4],
        [undefined, 51, undefined, 61],
    ];
    assert.deepEqual(columns, [low, low, high, high]); // nothing is known between samples: both edges are one
});

const live = { held: false, step: 0 };

// 12 V for a while, then 0 V; the program has looked at every step between two frames.
const switched = (gap) => [
    { time: 0, value: 12, low: 12, high: 12 },
    { time: gap, value: 12, low: 12, high: 12 },
    { time: 2 * gap, value: 0, low: 0, high: 12 },
    { time: 3 * gap, value: 0, low: 0, high: 0 },
];

test("frames far apart are no ramp: where a signal jumped there is a box, elsewhere a level line", () => {
    const corners = outline(switched(1), live);
    // Within the second in which it switched nobody knows when: both edges run level through it.
    const within = corners.filter((c) => c.time >= 1 && c.time <= 2 && c.low !== c.high);
    assert.deepEqual(within, [
        { time: 1, low: 0, high: 12 },
        { time: 2, low: 0, high: 12 },
    ]);
    for (const c of corners) assert.ok([0, 12].includes(c.low) && [0, 12].includes(c.high));
    const level = corners.filter((c) => c.time < 1 || c.time > 2);
    for (const c of level) assert.equal(c.low, c.high);
});

test("frames as near as those of real time are joined, and a peak between them is a stroke", () => {
    assert.deepEqual(
        outline(switched(1 / 60), live).map((c) => [c.low, c.high]),
        [12, 12, 0, 0].map((v) => [v, v]),
    );
    const peak = [
        { time: 0, value: 1, low: 1, high: 1 },
        { time: 0.016, value: 1, low: 1, high: 9 },
    ];
    assert.deepEqual(
        outline(peak, live).map((c) => [c.low, c.high]),
        [
            [1, 1],
            [1, 9],
            [1, 1],
        ],
    );
});

test("a mode keeps its value until the next sample", () => {
    const samples = [
        { time: 0, value: 1, low: 1, high: 1 },
        { time: 0.5, value: 3, low: 3, high: 3 }, // of a recording: nothing is known between
    ];
    assert.deepEqual(
        outline(samples, { held: true, step: 0.01 }).map((c) => [c.time, c.low]),
        [
            [0, 1],
            [0.5, 1],
            [0.5, 3],
        ],
    );
});

test("where nothing is known between two samples, a live run has a gap and a recording keeps the last value", () => {
    const samples = [
        { time: 0, value: 1, low: 1, high: 1 },
        { time: 0.5, value: 3, low: 3, high: 3 },
    ];
    const drawn = (step) => outline(samples, { held: false, step }).map((c) => [c.time, c.low]);
    const [from, to] = [
        [0, 1],
        [0.5, 3],
    ];
    assert.deepEqual(drawn(0), [from, [0.5, NaN], to]);
    assert.deepEqual(drawn(0.01), [from, [0.5, 1], to]); // 50 steps: it writes down changes only
    assert.deepEqual(drawn(0.25), [from, to]); // two steps: neighbours
});

test("what is drawn of a long series is bounded by the pixels", () => {
    const series = filled(20000, Math.sin);
    const { times } = joined([{ series, unit: AS_IT_IS, held: false, step: 0 }], 0, 200, 400);
    // Four samples a pixel at most, of three corners each.
    assert.ok(times.length <= 3 * 1600, `${times.length}`);
});

test("a scale leaves room above and below, also for a flat line", () => {
    const [low, high] = padded(0, 10);
    assert.ok(low < 0 && high > 10);
    const [a, b] = padded(12.6, 12.6);
    assert.ok(a < 12.6 && b > 12.6 && b - a > 1);
    assert.deepEqual(padded(0, 0), [-1, 1]);
    assert.deepEqual(padded(null, null), [-1, 1]);
});

test("an idle battery is no cliff: an axis of volts spans half a volt at least", () => {
    const [low, high] = padded(12.841, 12.845, leastSpan("V"));
    assert.ok(Math.abs(high - low - 0.5) < 1e-12 && Math.abs((low + high) / 2 - 12.843) < 1e-12);
    assert.equal(leastSpan("lightyears"), 0);
    const [a, b] = padded(8, 12, leastSpan("V")); // what moves has no more room than before
    assert.ok(Math.abs(b - a - 1.16 * 4) < 1e-12);
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
