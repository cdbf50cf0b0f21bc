// The support polygon and its margin, and what of it a recording may say.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Vector3 } from "three";
import { checkGeometry } from "../src/scene/geometry.ts";
import { hullOf, marginOf, Support } from "../src/scene/support.ts";

globalThis.document = { documentElement: {} };
globalThis.getComputedStyle = () => ({ getPropertyValue: () => "#123456" });

const at = (x, y, z = 0) => new Vector3(x, y, z);
const near = (actual, expected) => assert.ok(Math.abs(actual - expected) < 1e-9, `${actual} != ${expected}`);

test("a hull leaves out what lies inside or on an edge, and goes round to the left", () => {
    const points = [at(0, 0), at(2, 1), at(4, 0), at(2, 0), at(4, 3), at(0, 3), at(0, 3)];
    const corners = hullOf(points).map(({ x, y }) => [x, y]);
    assert.deepEqual(corners, [[0, 0], [4, 0], [4, 3], [0, 3]]);
    assert.equal(hullOf([at(1, 1), at(0, 0)]).length, 2);
    assert.deepEqual(hullOf([]), []);
});

// By hand, of the triangle 3, 4, 5: the centre of its inscribed circle is 1 from each side.
test("the margin is the way to the nearest edge, below 0 outside, at most 0 on two feet", () => {
    const triangle = hullOf([at(0, 0), at(4, 0, 0.5), at(0, 3)]);
    near(marginOf(triangle, at(1, 1)).margin, 1);
    const beyond = marginOf(triangle, at(2, -0.5));
    near(beyond.margin, -0.5);
    near(beyond.foot.distanceTo(at(2, 0, 0.25)), 0); // at the height of the edge there
    near(marginOf(hullOf([at(0, 0), at(2, 0)]), at(1, 0.25)).margin, -0.25);
    assert.equal(marginOf([at(0, 0)], at(0, 0)), null);
});

const mark = {
    name: "centre of mass",
    margin: 0.5,
    feet: ["a", "b", "c"].map((foot) => ({ move: [`${foot}.x`, `${foot}.y`, null], radius: 0, load: `${foot}.f` })),
};

function supportOf(values) {
    const names = Object.keys(values);
    const signals = { index: (name) => names.indexOf(name), value: (index) => values[names[index]] };
    const element = { firstElementChild: { textContent: "" }, dataset: {} };
    const labels = { add: () => ({ element, at: new Vector3() }) };
    const [spec] = checkGeometry({ marks: [mark] }, () => true).marks;
    const support = new Support(spec, signals, labels);
    const look = (place, time) => {
        support.update(true, place, time);
        return [element.firstElementChild.textContent, support.standing];
    };
    return look;
}

const STAND = { "a.x": 0, "a.y": 0, "a.f": 20, "b.x": 4, "b.y": 0, "b.f": 20, "c.x": 0, "c.y": 3, "c.f": 20 };

test("feet that carry hold it for as long as contacts chatter, whichever way time goes", () => {
    const values = { ...STAND };
    const look = supportOf(values);
    assert.deepEqual(look(at(1, 1), 5), ["1000 mm", "wide"]);
    assert.deepEqual(look(at(1, 0.25), 5), ["250 mm", "narrow"]);
    assert.deepEqual(look(at(1, -0.25), 5), ["250 mm outside", "outside"]);
    values["c.f"] = 0;
    assert.deepEqual(look(at(1, 1), 5.03), ["1000 mm", "wide"]);
    assert.deepEqual(look(at(1, 1), 5.04), ["1000 mm outside", "outside"]); // of the line from a to b
    assert.deepEqual(look(at(1, 1), 1), ["1000 mm outside", "outside"]);
    values["a.f"] = values["b.f"] = 0;
    assert.deepEqual(look(at(1, 1), 2), ["no support", "outside"]);
});

test("feet of which a signal was not recorded are no support", () => {
    const marks = (has) => checkGeometry({ marks: [mark] }, has).marks;
    assert.equal(marks(() => true)[0].feet.length, 3);
    assert.equal(marks((name) => name !== "c.f")[0].feet.length, 0);
    for (const feet of [3, [{}], [null], [{ ...mark.feet[0], radius: "big" }], Array(33).fill(mark.feet[0])]) {
        assert.equal(checkGeometry({ marks: [{ ...mark, feet }] }, () => true).marks.length, 0);
    }
});
