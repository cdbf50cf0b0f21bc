// Controllers: dead zones, captured ends, assignments, and what is stored about them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { axial, defaultMapping, mappingFrom, measured, PadReader, radial } from "../src/gamepad.ts";
import { captured } from "../src/calibration.ts";
import { profileOf } from "../src/profiles.ts";

const near = (actual, expected) =>
    assert.ok(Math.abs(actual - expected) < 1e-12, `${actual} != ${expected}`);
const buttons = (count) => Array.from({ length: count }, () => ({ pressed: false, value: 0 }));
const pad = (axes, mapping = "standard") => ({ id: "test", mapping, axes, buttons: buttons(16) });

test("inside the dead zone there is nothing, whatever the direction", () => {
    for (const [x, y] of [
        [0.1, 0],
        [0, -0.1],
        [0.07, 0.07],
    ])
        assert.deepEqual(radial(x, y, 0.1), [0, 0]);
});

test("the dead zone has no step at its edge and reaches full power at the end", () => {
    const [small] = radial(0.1 + 1e-9, 0, 0.1);
    assert.ok(small > 0 && small < 1e-8);
    near(radial(0, 1, 0.1)[1], 1);
    near(axial(0.55, 0.1), 0.5); // half way between 0.1 and 1
    near(axial(-0.55, 0.1), -0.5);
});

test("the dead zone keeps the direction and never exceeds a length of one", () => {
    const [x, y] = radial(0.6, 0.3, 0.2);
    near(y / x, 0.5);
    near(Math.hypot(...radial(1, 1, 0.2)), 1); // the corner of a square stick
});

test("each side of an axis has its own scale", () => {
    const range = { low: -0.5, centre: 0.1, high: 0.9 };
    near(measured(0.1, range, false), 0);
    near(measured(0.9, range, false), 1);
    near(measured(-0.5, range, false), -1);
    near(measured(-0.2, range, false), -0.5);
    near(measured(2, range, false), 1);
});

test("a pedal goes from 0 to 1 over its whole travel", () => {
    const range = { low: -1, centre: -1, high: 1 };
    near(measured(-1, range, true), 0);
    near(measured(0, range, true), 0.5);
    near(measured(1, range, true), 1);
});

test("an axis that was never captured to any width gives nothing", () => {
    const range = { low: 0.2, centre: 0.2, high: 0.2 };
    assert.equal(measured(0.9, range, false), 0);
    assert.equal(measured(0.9, range, true), 0);
});

test("pushing the left stick of a standard pad goes forward, and to the left turns left", () => {
    const reader = new PadReader();
    const forward = pad([0, -1, 0, 0]); // up is negative on a pad
    const left = pad([-1, 0, 0, 0]);
    const mapping = defaultMapping(forward);
    near(reader.hands(forward, mapping, profileOf("arcade")).throttle, 1);
    near(reader.hands(left, mapping, profileOf("arcade")).steer, 1);
});

test("of a robot that moves sideways the left stick is its way, the right one turns it", () => {
    const reader = new PadReader();
    const profile = profileOf("strafe");
    const mapping = defaultMapping(pad([0, 0, 0, 0]));
    const hands = (axes) => reader.hands(pad(axes), mapping, profile);
    near(hands([0, -1, 0, 0]).throttle, 1); // up is negative on a pad
    near(hands([1, 0, 0, 0]).aside, 1);
    near(hands([0, 0, 1, 0]).steer, -1); // to the right
    assert.equal(hands([0, 0, 1, 0]).throttle, 0);
    const { throttle, aside } = hands([-0.6, -0.3, 0, 0]); // the direction stays
    near(throttle / aside, -0.5);
    near(Math.hypot(hands([1, 1, 0, 0]).throttle, hands([1, 1, 0, 0]).aside), 1);
    assert.equal(hands([0.07, 0.07, 0.09, 0]).aside, 0);
});

test("a pedal that has not moved yet gives no power", () => {
    // Until its first event a browser may report 0, which would be half way down.
    const reader = new PadReader();
    const profile = profileOf("wheel");
    const mapping = defaultMapping(pad([0, 0, 0], ""));
    mapping.sources["wheel.accelerator"] = { kind: "axis", index: 2, invert: false };
    assert.equal(reader.hands(pad([0, 0, 0], ""), mapping, profile).accelerator, 0);
    near(reader.hands(pad([0, 0, 1], ""), mapping, profile).accelerator, 1);
});

test("damaged storage falls back to the defaults part by part", () => {
    const p = pad([0, 0, 0, 0]);
    const wanted = defaultMapping(p);
    for (const bad of [
        null,
        7,
        "x",
        [],
        { axes: 3, sources: { "tank.left": { kind: "axis", index: -1 } } },
    ]) {
        assert.deepEqual(mappingFrom(bad, p), wanted);
    }
    assert.equal(mappingFrom({ deadZone: 9 }, p).deadZone, 0.5);
});

test("measuring keeps the old ends of an axis that nobody moved", () => {
    const before = { low: -1, centre: 0, high: 1 };
    assert.deepEqual(captured({ low: 0.01, centre: 0.01, high: 0.02 }, before), before);
    const full = { low: -0.9, centre: 0, high: 0.95 };
    assert.deepEqual(captured(full, before), full);
});

test("what a controller does not have is assigned to nothing, and gives nothing", () => {
    const wheel = { id: "wheel", mapping: "", axes: [0, 0, 0], buttons: buttons(4) };
    const mapping = defaultMapping(wheel);
    assert.deepEqual(mapping.sources["wheel.quick"], { kind: "none", index: 0, invert: false });
    assert.equal(mapping.sources["wheel.accelerator"].kind, "axis");
    const inverted = { ...mapping, sources: { "wheel.quick": { kind: "none", index: 0, invert: true } } };
    assert.equal(new PadReader().hands(wheel, inverted, profileOf("wheel")).quick, false);
    assert.equal(mappingFrom(inverted, wheel).sources["wheel.quick"].kind, "none");
});
