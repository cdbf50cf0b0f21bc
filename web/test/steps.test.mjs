// Steps of routines as they come, what the scene says of them, and the dashes of a planned way.
import assert from "node:assert/strict";
import { test } from "node:test";
import { checkGeometry } from "../src/scene/geometry.ts";
import { stepRows } from "../src/scene/legend.ts";
import { dashes, lengthOf } from "../src/scene/ways.ts";
import { StepTrack } from "../src/steps.ts";

const near = (actual, expected, most = 1e-9) =>
    assert.ok(Math.abs(actual - expected) <= most, `${actual} != ${expected}`);

test("a step runs from its first value to that of the next one", () => {
    const track = new StepTrack();
    [[0, 1], [0.5, 1], [1, 2], [2, 0], [3, 0]].forEach(([time, step]) => track.take(time, step, 0));
    assert.deepEqual(track.runs, [{ step: 1, from: 0, to: 1 }, { step: 2, from: 1, to: 2 }]);
    assert.equal(track.step, 0);
    assert.equal(track.last(3), undefined);
});

test("rounds are runs of their own, and the last one counts", () => {
    const track = new StepTrack();
    [1, 2, 1, 2].forEach((step, time) => track.take(time, step, 0));
    assert.equal(track.runs.length, 4);
    assert.equal(track.last(1).from, 2);
    assert.ok(Number.isNaN(track.last(2).to));
});

test("the past comes from both signals, what is not a number is no step", () => {
    const track = new StepTrack();
    const samples = (values) => ({ times: values.map((_, k) => k), values });
    track.load(samples([NaN, 1, 1, 2, 0]), samples([0, 0, 0, 1, 1]));
    assert.deepEqual(track.runs.map(({ step }) => step), [1, 2]);
    assert.deepEqual([...track.late], [1]);
    track.clear();
    assert.deepEqual([track.runs, [...track.late]], [[], []]);
});

test("the scene says what every routine does, whose only where there are several", () => {
    const routine = (robot, step) => ({ name: `${robot}.control`, robot, step, late: -1, words: ["over", "step 1: go"] });
    const value = (signal) => [1, 0, NaN][signal];
    assert.deepEqual(stepRows([routine("red", 0)], value).map(({ text }) => text), ["step 1: go"]);
    const both = stepRows([routine("red", 0), routine("blue", 1), routine("green", 2)], value);
    assert.deepEqual(both.map(({ text }) => text), ["red: step 1: go", "blue: over"]);
});

test("dashes are 0.6 of the way, also round corners", () => {
    const way = [[0, 0], [1, 0], [1, 0.7], [1, 0.7], [0, 0.7]];
    near(lengthOf(way), 2.7);
    const list = dashes(way, 0.3);
    const sum = list.reduce((all, { from, to }) => all + Math.hypot(to[0] - from[0], to[1] - from[1]), 0);
    near(sum, 0.6 * 2.7, 1e-9);
    near(list[0].to[0], 0.18);
    assert.ok(list.every(({ from, to }) => from[0] === to[0] || from[1] === to[1]));
});

test("a broken way is left out, half a place of now is none", () => {
    const way = (more) => ({ name: "w", body: null, points: [[0, 0], [1, 1]], now: ["a", "b"], ...more });
    const broken = [way({ points: [[0, 0]] }), way({ points: [[0, 0], [1]] }), way({ now: "x" }), way({ points: [[0, 0], [1, 1e9]] })];
    const geometry = checkGeometry({ ways: [way(), way({ name: "half" }), ...broken] }, (name) => name === "a");
    assert.deepEqual(geometry.ways.map(({ name, now }) => [name, now]), [["w", [null, null]], ["half", [null, null]]]);
    assert.equal(geometry.notes.length, broken.length);
    assert.deepEqual(checkGeometry({ ways: [way()] }, () => true).ways[0].now, ["a", "b"]);
});
