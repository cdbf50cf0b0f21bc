// The parts of the design page that need no page: sliders, values, poles, curves.
import assert from "node:assert/strict";
import test from "node:test";
import { resampled } from "../src/design/curves.ts";
import { dampingLine, windowAround } from "../src/design/plane.ts";
import { handlesOf } from "../src/design/poles.ts";
import { POSITIONS, positionOf, reaching, unlessRounding, valueAt } from "../src/design/scale.ts";
import { Values } from "../src/design/values.ts";

const log = { form: "log", low: 0.0014, high: 14, value: 0.14 };
const linear = { form: "linear", low: -2, high: 2, value: 1 };

test("a logarithmic slider has its value in the middle of two ends a hundredfold away", () => {
    assert.equal(positionOf(log, log, 0.14), POSITIONS / 2);
    assert.equal(valueAt(log, log, POSITIONS / 2), 0.14);
    assert.equal(valueAt(log, log, 0), 0.0014);
    assert.equal(valueAt(log, log, POSITIONS), 14);
    // Equal ways are equal factors: 10^(4/1000) a position, in three digits.
    for (let p = 0; p < POSITIONS; p += 100) {
        const factor = valueAt(log, log, p + 100) / valueAt(log, log, p);
        assert.ok(Math.abs(factor - 10 ** 0.4) < 0.02, `${factor}`);
    }
});

test("a plain slider gives round values, and its ends", () => {
    assert.equal(valueAt(linear, linear, 0), -2);
    assert.equal(valueAt(linear, linear, POSITIONS), 2);
    assert.equal(valueAt(linear, linear, positionOf(linear, linear, 1)), 1);
    assert.equal(valueAt(linear, linear, 501), 0); // steps of 0.02
});

test("a slider reaches what was typed, and a nonsense for a logarithm stays at its end", () => {
    assert.deepEqual(reaching(log, 50), { low: 0.0014, high: 50 });
    assert.deepEqual(reaching(log, -1), { low: 0.0014, high: 14 });
    assert.equal(positionOf(log, reaching(log, -1), -1), 0);
    assert.deepEqual(reaching(linear, -3), { low: -3, high: 2 });
});

test("rounding is shown as nothing, and nothing as no number", () => {
    assert.equal(unlessRounding(1e-9, 1), 0);
    assert.equal(unlessRounding(1e-3, 1), 1e-3);
    assert.ok(Number.isNaN(unlessRounding(null, 1)));
});

test("only what was turned is sent, and a reset sends nothing", () => {
    const values = new Values([log, linear]);
    let changes = 0;
    values.onChange(() => changes++);
    assert.deepEqual(values.turned(), []);
    values.set([[1, 0.5]]);
    assert.deepEqual(values.turned(), [[1, 0.5]]);
    values.set([[1, 0.5]]); // no news
    assert.equal(changes, 1);
    values.reset();
    assert.deepEqual(values.turned(), []);
    assert.equal(changes, 2);
});

test("a curve is carried over to other times on straight lines, and no further than it goes", () => {
    assert.deepEqual(resampled([0, 0.5, 1, 2, 3], [0, 1, 2], [0, 10, 30]), [0, 5, 10, 30, null]);
    assert.deepEqual(resampled([0, 0.5], [0, 1], [1, null]), [1, null]);
});

test("wanted poles are handles: one for a pair, the upper one, and one for a real pole", () => {
    const poles = [0.9, 0, 0.8, -0.1, 0.8, 0.1];
    const knobs = poles.map((value, i) => ({ form: i % 2 ? "im" : "re", gear: 0, value }));
    const handles = handlesOf({ knobs }, new Values(knobs), 0);
    assert.deepEqual(handles, [
        { re: 0, im: 1, mate: null },
        { re: 4, im: 5, mate: { re: 2, im: 3 } },
    ]);
    assert.deepEqual(handlesOf({ knobs }, new Values(knobs), 1), []); // of another gear
});

test("a line of equal damping goes from z = 1 to the negative axis, inside the circle", () => {
    // e^(T s) with s = -d w + i w sqrt(1 - d^2): at the angle pi |z| = e^(-pi d / sqrt(1 - d^2)).
    const line = dampingLine(0.6);
    assert.deepEqual(line[0], { re: 1, im: 0 });
    assert.ok(Math.abs(line.at(-1).re + Math.exp(-Math.PI * 0.75)) < 1e-12);
});

test("the window holds all poles and does not follow every inch", () => {
    const spots = [{ re: 0.92, im: 0.03 }, { re: 0.92, im: -0.03 }, { re: 1, im: 0 }];
    const { re, im, half } = windowAround(spots);
    for (const spot of spots) {
        assert.ok(Math.abs(spot.re - re) < half && Math.abs(spot.im - im) < half);
    }
    const moved = windowAround(spots.map((spot) => ({ ...spot, re: spot.re + 1e-4 })));
    assert.deepEqual(moved, { re, im, half });
    assert.equal(windowAround([]).half, windowAround([{ re: -0.9, im: 0 }, { re: 0.9, im: 0 }]).half);
});
