// The geometry table from an untrusted recording, and where its frames put things.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Vector3 } from "three";
import { Frames } from "../src/scene/frames.ts";
import { checkGeometry, readGeometry } from "../src/scene/geometry.ts";
import { shownUnit } from "../src/quantity.ts";
import { tintRows, trailRows } from "../src/scene/legend.ts";
import { interpolate } from "../src/scene/past.ts";
import { Traces } from "../src/scene/traces.ts";
import { ON_FLOOR, Trail } from "../src/scene/trail.ts";

const near = (actual, expected) => assert.ok(Math.abs(actual - expected) < 1e-9, `${actual} != ${expected}`);
const box = (more) => ({ name: "b", frame: null, form: "box", size: [1, 2, 3], colour: "#102030", ...more });
const frame = (more) => ({ name: "body", parent: null, body: true, ...more });
const all = () => true;

test("a good table comes through whole and without notes", () => {
    const arrow = { name: "v", frame: "body", kind: "velocity", parts: [{ signal: "s", along: [1, 0, 0] }] };
    const raw = { frames: [frame()], solids: [box({ frame: "body" })], arrows: [arrow], marks: [{ name: "m", frame: null }] };
    const geometry = checkGeometry(raw, all);
    assert.deepEqual(geometry.notes, []);
    assert.equal(geometry.solids.length + geometry.arrows.length + geometry.marks.length, 3);
    assert.deepEqual(geometry.solids[0].place, [0, 0, 0]);
    assert.equal(geometry.solids[0].opacity, 1);
});

test("areas come through, broken ones are left out and noted", () => {
    const corners = [[0, 0], [1, 0], [0, 1]];
    const good = { name: "depot", corners, colour: "#102030" };
    const areas = [good, { ...good, corners: [[0, 0], [1, 0]] }, { ...good, colour: "red" }, { ...good, name: null }];
    const geometry = checkGeometry({ areas }, all);
    assert.deepEqual(geometry.areas, [good]);
    assert.equal(geometry.notes.length, 3);
    assert.deepEqual(checkGeometry({}, all).areas, []);
});

test("a broken solid is left out and noted, the others stay", () => {
    const broken = [
        box({ size: [1, 0, 1] }),
        box({ size: [1, 1] }),
        box({ size: [1, 1, NaN] }),
        box({ size: "big" }),
        box({ form: "sphere" }),
        box({ form: "constructor" }),
        box({ form: "polygon", size: [1], corners: [[0, 0], [1, 1]] }),
        box({ form: "polygon", size: [1], corners: [[0, 0], [1, 1], [1]] }),
        box({ colour: "red" }),
        box({ colour: "#12345g" }),
        box({ place: [0, 0, 1e300] }),
        box({ frame: "nowhere" }),
        box({ name: 7 }),
        box({ tint: { signal: "s", full: 0, colour: "#000000" } }),
        null,
        [],
        "box",
    ];
    const geometry = checkGeometry({ solids: [...broken, box({ name: "good" })] }, all);
    assert.deepEqual(geometry.solids.map((solid) => solid.name), ["good"]);
    assert.equal(geometry.notes.length, broken.length);
});

test("what is no table at all gives an empty scene", () => {
    for (const raw of [null, undefined, 3, "x", [], { frames: 3, solids: {} }]) {
        assert.equal(checkGeometry(raw, all).solids.length, 0);
    }
    const broken = readGeometry({ geometry_text: "{" }, all);
    assert.equal(broken.solids.length, 0);
    assert.equal(broken.notes.length, 1);
});

test("no more than 2000 solids are drawn, and notes are few", () => {
    const many = checkGeometry({ solids: Array.from({ length: 3000 }, () => box()) }, all);
    assert.equal(many.solids.length, 2000);
    const bad = checkGeometry({ solids: Array.from({ length: 3000 }, () => null) }, all);
    assert.ok(bad.notes.length <= 21);
});

test("frames have known parents and new names, so there are no circles", () => {
    const frames = [
        frame({ name: "a", parent: "b" }),
        frame({ name: "b", parent: "b" }),
        frame({ name: "c" }),
        frame({ name: "c" }),
        frame({ name: "d", parent: "c" }),
    ];
    const geometry = checkGeometry({ frames }, all);
    assert.deepEqual(geometry.frames.map((each) => each.name), ["c", "d"]);
    assert.equal(geometry.notes.length, 3);
});

test("a signal that was not recorded leaves things standing", () => {
    const arrow = { name: "v", frame: null, kind: "force", parts: [{ signal: "gone", along: [1, 0, 0] }] };
    const tint = { signal: "gone", full: 1, colour: "#000000" };
    const raw = { frames: [frame({ move: ["gone", null, null] })], solids: [box({ tint })], arrows: [arrow] };
    const geometry = checkGeometry(raw, (name) => name !== "gone");
    assert.deepEqual(geometry.frames[0].move, [null, null, null]);
    assert.equal(geometry.solids[0].tint, null);
    assert.equal(geometry.arrows.length, 0);
});

test("an arrow without its place or its time is left out", () => {
    const arrow = (more) => ({ name: "J", kind: "impulse", parts: [{ signal: "j", along: [1, 0, 0] }], ...more });
    const arrows = [arrow({ move: ["x", "gone", null] }), arrow({ since: "gone" }), arrow({ move: ["x", "y", null], since: "t" })];
    const geometry = checkGeometry({ arrows }, (name) => name !== "gone");
    assert.deepEqual(geometry.arrows.map(({ move, since }) => [move, since]), [[["x", "y", null], "t"]]);
    assert.equal(checkGeometry({ arrows: [arrow({ kind: "torque" })] }, all).notes.length, 1);
});

// By hand: the body is at (1, 2) and heads 90 degrees left, so its x axis is the field's y axis. The
// arm's seat is 0.5 ahead of it, pitched by -90 degrees, which turns the arm's own x axis up; moved
// by 0.3 along it, the tip is at (1, 2 + 0.5, 0.3).
test("a chain of frames puts an arm's tip where it belongs", () => {
    const names = ["x", "y", "heading", "reach"];
    const values = [1, 2, Math.PI / 2, 0.3];
    const signals = { index: (name) => names.indexOf(name), value: (index) => values[index] };
    const specs = checkGeometry(
        {
            frames: [
                frame({ move: ["x", "y", null], turn: ["heading", null, null] }),
                frame({ name: "arm", parent: "body", place: [0.5, 0, 0], attitude: [0, -Math.PI / 2, 0], move: ["reach", null, null] }),
            ],
        },
        all,
    ).frames;
    const frames = new Frames(specs, signals);
    frames.update();
    const drawn = frames.get("arm").matrixWorld.elements.slice(12, 15);
    const computed = frames.placeAt("arm", signals.value).toArray();
    for (const at of [drawn, computed]) [1, 2.5, 0.3].forEach((value, k) => near(at[k], value));
    assert.deepEqual(frames.bodySignals().sort(), [0, 1, 2, 3]);
});

test("a gap in a signal leaves a frame where it was", () => {
    let value = 4;
    const frames = new Frames(checkGeometry({ frames: [frame({ move: ["x", null, null] })] }, all).frames, {
        index: () => 0,
        value: () => value,
    });
    frames.update();
    value = NaN;
    frames.update();
    assert.equal(frames.get("body").position.x, 4);
});

test("the past is interpolated between its rows and held at its ends", () => {
    const series = { times: Float64Array.of(0, 1, 3), values: Float32Array.of(0, 10, 20) };
    near(interpolate(series, 0.5), 5);
    near(interpolate(series, 2), 15);
    near(interpolate(series, -1), 0);
    near(interpolate(series, 9), 20);
    assert.ok(Number.isNaN(interpolate({ times: new Float64Array(0), values: new Float32Array(0) }, 1)));
});

test("the legend has one row for each kind of tint, by its label or by what names share", () => {
    const tint = (signal, more) => box({ tint: { signal, full: 1, colour: "#ff0000", ...more } });
    const solids = checkGeometry(
        {
            solids: [
                box(),
                tint("wheel.left.slip", { label: "slip" }),
                tint("wheel.right.slip", { label: "slip" }),
                tint("motor.current", { label: "current", full: 133.3333 }),
                tint("old.left.slide"),
                tint("old.right.slide"),
            ],
        },
        all,
    ).solids;
    const unitOf = (signal) => shownUnit(signal === "motor.current" ? "A" : "1", true);
    const texts = tintRows(solids, unitOf).map((row) => row.text);
    assert.deepEqual(texts, ["slip: 0 to 1", "current: 0 to 133 A", "old slide: 0 to 1"]);
});

test("each of several trails has a row with its robot's name", () => {
    const [red, blue] = [{ name: "red", colour: "#1" }, { name: "blue", colour: "#2" }];
    assert.deepEqual(trailRows([red], true, 20).map((row) => row.text), ["trail: 20 s"]);
    assert.deepEqual(trailRows([red, blue], false, 20).map((row) => row.text), ["trail of red", "trail of blue"]);
});

const trace = (more) => ({ name: "way", frame: "mount", move: ["x", null, "z"], reach: 2, ...more });
const mount = { name: "mount", parent: null, place: [3, 0, 1], attitude: [Math.PI / 2, 0, 0] };

test("a trace without its frame or one of its signals is left out", () => {
    const raw = {
        frames: [mount],
        traces: [trace(), trace({ name: 7 }), trace({ frame: "nowhere" }), trace({ move: ["x", null, "gone"] })],
    };
    const geometry = checkGeometry(raw, (name) => name !== "gone");
    const whole = { ...trace(), place: [0, 0, 0], wanted: false };
    assert.deepEqual(geometry.traces, [whole]);
    assert.equal(geometry.notes.length, 2);
    assert.deepEqual(checkGeometry({}, all).traces, []);
});

test("a trace goes where its frame and its signals put it, now and in the past", () => {
    const values = { x: 0.5, z: 1.25 };
    const names = Object.keys(values);
    const signals = { index: (name) => names.indexOf(name), value: (index) => values[names[index]] };
    const table = checkGeometry({ frames: [mount], traces: [trace(), trace({ wanted: true })] }, all);
    const frames = new Frames(table.frames, signals);
    frames.update();
    const traces = new Traces(table.traces, frames, signals);
    const [is, wanted] = traces.list;
    is.trail.add(0, 10);
    // Yawed by a quarter, what is forward there is left in the field.
    const computed = is.placeAt((index) => signals.value(index)).toArray();
    for (const at of [is.trail.extent().newest, computed]) {
        [3, 0.5, 2.25].forEach((value, k) => assert.ok(Math.abs(at[k] - value) < 1e-6, `${at}`));
    }
    assert.deepEqual(is.depends(), [0, 1]);
    assert.ok(wanted.trail.mesh.renderOrder > is.trail.mesh.renderOrder, "what is wanted is seen");
    // Of a sphere of 2 m around a point 1 m up, what is above the floor.
    const { min, max } = traces.room();
    assert.deepEqual([min.x, max.x, min.z, max.z], [1, 5, 0, 3]);
});

test("lines in the air have rows of the legend once they are drawn", () => {
    const values = [0, 0];
    const signals = { index: (name) => ["x", "z"].indexOf(name), value: (index) => values[index] };
    const table = checkGeometry({ frames: [mount], traces: [trace({ name: "arm: way of the hand" })] }, all);
    const traces = new Traces(table.traces, new Frames(table.frames, signals), signals);
    assert.deepEqual(traces.legend(), []);
    for (let k = 0; k < 5; k++) {
        values[0] = 0.1 * k;
        traces.trails[0].add(k, 10);
    }
    assert.deepEqual(traces.legend().map((row) => row.text), ["arm: way of the hand"]);
    assert.equal(traces.trails[0].extent().points, 5);
});

test("a line in the air is as wide on the screen from everywhere, one on the floor lies there", () => {
    const at = new Vector3();
    const spread = (style, eye) => {
        const trail = new Trail((point) => point.copy(at), "#102030", style);
        for (let k = 0; k < 3; k++) trail.add(k, 10, at.set(0.1 * k, 0, 1));
        trail.show(true);
        trail.write(2, 10, 0.01, eye);
        const corners = trail.mesh.geometry.attributes.position;
        const [a, b] = [2, 3].map((k) => new Vector3().fromBufferAttribute(corners, k));
        return { a, across: b.sub(a) };
    };
    const air = { spacing: 0.005, width: 4, floor: false, order: 3 };
    // Along x and seen along y it spreads along z; seen from above, along y; 4 px of 1 cm.
    const side = spread(air, new Vector3(0.1, -50, 1)).across;
    assert.ok(Math.abs(Math.abs(side.z) - 0.04) < 1e-6 && Math.abs(side.y) < 1e-6);
    const above = spread(air, new Vector3(0.1, 0, 50)).across;
    assert.ok(Math.abs(Math.abs(above.y) - 0.04) < 1e-6 && Math.abs(above.z) < 1e-6);
    const floor = spread(ON_FLOOR, new Vector3(0.1, -50, 1));
    assert.ok(floor.a.z < 0.01 && Math.abs(floor.across.z) < 1e-9);
});
