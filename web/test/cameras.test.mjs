// The camera: each way of holding it keeps its own place, and a fitted view shows every body.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Box3, Object3D, Vector3 } from "three";
import { Cameras } from "../src/scene/cameras.ts";

function bodyAt(x, y) {
    const body = new Object3D();
    body.position.set(x, y, 0);
    body.updateMatrixWorld(true);
    return body;
}

function moveTo(body, x, y) {
    body.position.set(x, y, 0);
    body.updateMatrixWorld(true);
}

function cameras(body) {
    const all = new Cameras();
    all.body = body;
    all.resize(800, 600);
    return all;
}

const FIELD = new Box3(new Vector3(0, 0, 0), new Vector3(16, 8, 1));

// Where a point is in the picture: -1 to 1 in both directions is inside.
function shown(all, object) {
    const at = object.getWorldPosition(new Vector3()).project(all.camera);
    return Math.max(Math.abs(at.x), Math.abs(at.y));
}

test("to chase a robot for a while spoils neither orbit nor top", () => {
    const body = bodyAt(2, 2);
    const all = cameras(body);
    all.fit(FIELD, 0.8, false);
    const before = all.target.clone();
    all.setMode("chase");
    moveTo(body, 14, 7);
    all.update();
    assert.deepEqual(all.target.toArray(), [14, 7, 0]);
    for (const mode of ["orbit", "top"]) {
        all.setMode(mode);
        assert.deepEqual(all.target.toArray(), before.toArray(), mode);
    }
});

test("two robots that drive side by side stay in view together", () => {
    const [a, b] = [bodyAt(0, 3), bodyAt(0, -3)];
    const all = cameras(a);
    const box = new Box3(new Vector3(-2, -5, 0), new Vector3(2, 5, 0.5));
    all.fit(box, 0.5, true);
    for (const mode of ["top", "orbit"]) {
        all.setMode(mode);
        for (let x = 0; x <= 40; x += 0.5) {
            moveTo(a, x, 3);
            moveTo(b, x, -3);
            all.update();
            assert.ok(shown(all, a) < 1 && shown(all, b) < 1, `${mode} at ${x} m`);
        }
    }
});

test("seen from near, the robot that is followed stays in view", () => {
    const body = bodyAt(0, 3);
    const all = cameras(body);
    all.fit(new Box3(new Vector3(-2, -5, 0), new Vector3(2, 5, 0.5)), 0.5, true);
    all.setMode("top");
    all.zoom(0.2);
    for (let x = 0; x <= 10; x += 0.5) {
        moveTo(body, x, 3);
        all.update();
        assert.ok(shown(all, body) < 1, `at ${x} m: ${shown(all, body)}`);
    }
});

test("what is to be seen from its side fills the view, upright", () => {
    const all = cameras(null);
    const box = new Box3(new Vector3(-2, 0, 0), new Vector3(2, 0, 3));
    all.fit(box, 0.5, false, true, true);
    const project = (x, z) => new Vector3(x, 0, z).project(all.camera);
    const [low, high, right] = [project(-2, 0), project(-2, 3), project(2, 0)];
    for (const at of [low, high, right]) assert.ok(Math.max(Math.abs(at.x), Math.abs(at.y)) < 1);
    assert.ok(right.x - low.x > 1.4 && high.y - low.y > 1.2, "x to the right, z up, most of the view");
});
