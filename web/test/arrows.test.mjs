// Arrows at the places that signals say, and those of an instant, which fade.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Arrows } from "../src/scene/arrows.ts";
import { Frames } from "../src/scene/frames.ts";
import { checkGeometry } from "../src/scene/geometry.ts";

globalThis.document = { documentElement: {} };
globalThis.getComputedStyle = () => ({ getPropertyValue: () => "#123456" });

const EVERYTHING = { velocity: true, force: true, impulse: true };
const along = (signal, direction) => ({ signal, along: direction });
const SPECS = [
    {
        name: "F_contact,1",
        frame: null,
        kind: "force",
        place: [0, 0, 0.2],
        move: ["c.x", "c.y", null],
        parts: [along("c.fx", [1, 0, 0]), along("c.fy", [0, 1, 0])],
    },
    {
        name: "J_hit",
        frame: null,
        kind: "impulse",
        place: [0, 0, 0.2],
        move: ["h.x", "h.y", null],
        since: "h.t",
        parts: [along("h.jx", [1, 0, 0])],
    },
];

// A scene of these two, whose signals are `values`; `look(time)` is what is drawn then.
function sceneOf(values, shown = EVERYTHING) {
    const names = Object.keys(values);
    const signals = { index: (name) => names.indexOf(name), value: (index) => values[names[index]] };
    const { arrows: specs, frames: joints } = checkGeometry({ arrows: SPECS }, () => true);
    const frames = new Frames(joints, signals);
    const arrows = new Arrows(specs, frames, signals, 1);
    const look = (time) => {
        arrows.update(time);
        arrows.place(shown, 0.01);
        frames.root.updateMatrixWorld(true);
        return arrows.drawn();
    };
    return { arrows, look, watched: () => arrows.watched(shown).map((index) => names[index]) };
}

const STILL = { "c.x": 0, "c.y": 0, "c.fx": 0, "c.fy": 0, "h.x": 0, "h.y": 0, "h.jx": 0, "h.t": 0 };

test("a force stands where its signals say, and goes when it is none", () => {
    const values = { ...STILL, "c.x": 4, "c.y": 1.5, "c.fx": -30, "c.fy": 40 };
    const { look, arrows } = sceneOf(values);
    assert.deepEqual(look(1), [{ name: "F_contact,1", at: [4, 1.5, 0.2], vector: [-30, 40, 0] }]);
    assert.equal(arrows.describe(arrows.meshes[0]), "F_contact,1 50.0 N");
    Object.assign(values, STILL);
    assert.deepEqual(look(2), []);
});

test("before the first hit there is no arrow of one", () => {
    assert.deepEqual(sceneOf(STILL).look(0), []);
});

test("a hit is seen for 0.3 s of the run, whichever way time goes", () => {
    const { look, arrows } = sceneOf({ ...STILL, "h.x": 2, "h.y": 3, "h.jx": -9, "h.t": 5 });
    const hit = [{ name: "J_hit", at: [2, 3, 0.2], vector: [-9, 0, 0] }];
    assert.deepEqual(look(5), hit);
    const wide = arrows.meshes[0].scale.x;
    assert.deepEqual(look(5.2), hit);
    const ratio = arrows.meshes[0].scale.x / wide; // of 0.3 s a third is left
    assert.ok(Math.abs(ratio - 1 / 3) < 1e-9, `${ratio}`);
    assert.deepEqual(look(5.31), []);
    assert.deepEqual(look(5.1), hit);
});

test("a scale stays while there is nothing to be seen", () => {
    const { look, arrows } = sceneOf({ ...STILL, "h.jx": -9, "h.t": 5 });
    look(5);
    const text = arrows.scaleText("impulse");
    assert.equal(text, "10 N·s"); // 9 N s are 1.3 m at most: 6.9 N s a metre, rounded up
    for (let k = 0; k < 5000; k++) look(6);
    assert.equal(arrows.scaleText("impulse"), text);
});

test("only signals of what is shown are watched, and nothing is made before it is seen", () => {
    const { arrows, look, watched } = sceneOf(STILL, { velocity: true, force: false, impulse: false });
    assert.deepEqual(watched(), []);
    const all = sceneOf(STILL);
    assert.deepEqual(all.watched().sort(), Object.keys(STILL).sort());
    look(0);
    assert.equal(arrows.meshes.length, 0);
});
