// Driving: what hands ask for becomes what the sides of a robot get.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
    arcade,
    demandOf,
    NEUTRAL_DEMAND,
    NEUTRAL_HANDS,
    profileOf,
    profilesFor,
    scaled,
    tank,
    wheel,
} from "../src/profiles.ts";
import { boundedInput, wiringOf } from "../src/driver.ts";
import { driveKeys, Keyboard, ramped } from "../src/keyboard.ts";

// Sums and quotients of a few doubles: a few units in the last place.
const near = (actual, expected) =>
    assert.ok(Math.abs(actual - expected) < 1e-12, `${actual} != ${expected}`);
const sides = (demand, left, right) => {
    near(demand.left, left);
    near(demand.right, right);
};

test("arcade adds the turn to one side and takes it from the other", () => {
    sides(arcade(0.5, 0.2), 0.3, 0.7);
    sides(arcade(0, 0.4), -0.4, 0.4); // on the spot, to the left
});

test("no side exceeds full power and the ratio of the sides stays", () => {
    // left = 1 - 0.5 = 0.5, right = 1.5: scaled by 1 / 1.5
    sides(arcade(1, 0.5), 1 / 3, 1);
    sides(tank(2, -1), 1, -0.5);
});

test("the wheel gives the same curve at every speed, backwards too", () => {
    // curvature ~ (right - left) / (right + left) = s
    for (const throttle of [0.1, 0.5, 1, -0.3]) {
        const { left, right } = wheel(throttle, 0.4, false);
        near((right - left) / (right + left), 0.4);
    }
});

test("the wheel turns on the spot only with quick turn held", () => {
    sides(wheel(0, 1, false), 0, 0);
    sides(wheel(0, 1, true), -1, 1);
});

test("a wheel at full lock and full throttle pivots about the inner side", () => {
    // T (1 - s) = 0, T (1 + s) = 2: scaled by 1 / 2
    sides(wheel(1, 1, false), 0, 1);
});

test("throttle and turn say the same as left and right", () => {
    const d = arcade(0.3, -0.2);
    near(d.throttle - d.turn, d.left);
    near(d.throttle + d.turn, d.right);
});

test("untouched hands are neutral in every profile", () => {
    for (const name of ["tank", "arcade", "wheel", "strafe"])
        assert.deepEqual(demandOf(name, NEUTRAL_HANDS), NEUTRAL_DEMAND);
});

test("a controller that reports nonsense gives no power", () => {
    sides(demandOf("tank", { ...NEUTRAL_HANDS, left: NaN, right: Infinity }), 0, 1);
});

test("the brake pedal backs up", () => {
    sides(demandOf("wheel", { ...NEUTRAL_HANDS, brake: 0.5 }), -0.5, -0.5);
});

test("a share of power is measured from neutral to the end on its side", () => {
    const input = { low: -4, high: 12, neutral: 2 };
    near(scaled(0, input), 2);
    near(scaled(1, input), 12);
    near(scaled(-1, input), -4);
    near(scaled(0.5, input), 7);
    near(scaled(9, input), 12);
});

test("who moves sideways gets all three at once, and nothing gives way here", () => {
    const hands = { ...NEUTRAL_HANDS, throttle: 1, aside: -0.5, steer: 2 };
    const { throttle, aside, turn } = demandOf("strafe", hands);
    assert.deepEqual([throttle, aside, turn], [1, -0.5, 1]);
});

test("a robot is offered the profiles that suit it", () => {
    assert.deepEqual(
        profilesFor(true).map((p) => p.name),
        ["strafe"],
    );
    assert.ok(profilesFor(false).every((p) => !p.functions.some((f) => f.key === "aside")));
    assert.equal(profileOf("wheel", profilesFor(true)).name, "strafe");
});

const AXES = { left: "left_side", right: "right_side", throttle: "forward", turn: "turn_left" };
const input = (name, set, robot = 0, axis = AXES[name] ?? null) => ({
    robot,
    name,
    set,
    axis,
    button: false,
    index: 0,
    unit: "V",
    low: -12,
    high: 12,
    neutral: 0,
    sentence: "",
    words: null,
    held: false,
});

test("left and right are driven and the other set is not offered", () => {
    const inputs = [
        input("left", 1),
        input("right", 1),
        input("throttle", 2),
        input("turn", 2),
        input("gear", 0),
    ];
    const { main, others } = wiringOf(inputs, 0);
    assert.deepEqual(
        main.map((m) => m.input.name),
        ["left", "right"],
    );
    assert.deepEqual(
        others.map((i) => i.name),
        ["gear"],
    );
});

test("throttle and turn are driven where there is no left and right", () => {
    const { main } = wiringOf([input("throttle", 2), input("turn", 2)], 0);
    assert.deepEqual(
        main.map((m) => m.of({ left: 1, right: 2, throttle: 3, turn: 4 })),
        [3, 4],
    );
});

test("what is driven follows from what inputs say that they do, not from their names", () => {
    const inputs = [
        input("a", 0, 0, "right"),
        input("b", 0, 0, "forward"),
        input("c", 0, 0, "turn_right"),
        input("left", 0, 0, null),
    ];
    const { main, others, sideways } = wiringOf(inputs, 0);
    const demand = { left: 1, right: 2, throttle: 3, aside: 4, turn: 5 };
    assert.deepEqual(Object.fromEntries(main.map((m) => [m.input.name, m.of(demand)])), {
        b: 3,
        a: 4,
        c: -5,
    });
    assert.deepEqual(others, [inputs[3]]);
    assert.ok(sideways);
    assert.ok(!wiringOf([input("throttle", 2), input("turn", 2)], 0).sideways);
});

test("A and D turn a robot, and move one that goes sideways", () => {
    globalThis.HTMLElement ??= class {}; // what a key asks the page for
    const held = (sideways, code) => {
        const keyboard = new Keyboard();
        keyboard.sideways = sideways;
        keyboard.down({ code, key: "", target: null });
        return keyboard.hands(10);
    };
    assert.deepEqual(held(false, "KeyD"), { throttle: 0, aside: 0, steer: -0.6 });
    assert.deepEqual(held(true, "KeyD"), { throttle: 0, aside: 1, steer: 0 });
    assert.deepEqual(held(true, "KeyA"), { throttle: 0, aside: -1, steer: 0 });
    assert.deepEqual(held(true, "KeyQ"), { throttle: 0, aside: 0, steer: 0.6 });
    assert.deepEqual(held(true, "ArrowRight"), { throttle: 0, aside: 0, steer: -0.6 });
    assert.deepEqual(held(false, "KeyE"), { throttle: 0, aside: 0, steer: 0 }); // no key of it
    assert.ok(driveKeys(true).some((key) => key.keys.includes("e")));
    assert.ok(!driveKeys(false).some((key) => key.keys.includes("e")));
});

test("a robot without a drive has inputs all the same, and nothing for a stick", () => {
    const inputs = [input("valve", 0), input("left", 1, 1), input("right", 1, 1)];
    const { main, others, drives } = wiringOf(inputs, 0);
    assert.deepEqual([main, others, drives], [[], [inputs[0]], false]);
    assert.ok(wiringOf(inputs, 1).drives);
});

test("each robot has its own inputs", () => {
    const inputs = [
        input("left", 1, 0),
        input("right", 1, 0),
        input("left", 1, 1),
        input("right", 1, 1),
    ];
    assert.ok(wiringOf(inputs, 1).main.every((m) => m.input.robot === 1));
});

test("an input without ends is driven between -1 and 1 of its unit", () => {
    const { low, high } = boundedInput({ ...input("left", 1), low: null, high: null });
    assert.deepEqual([low, high], [-1, 1]);
});

test("a key ramps up in a quarter of a second and down faster", () => {
    let value = 0;
    let ticks = 0;
    for (; value < 1; ticks++) value = ramped(value, 1, 0.02);
    assert.equal(ticks, 13); // 0.25 s in steps of 0.02 s
    for (ticks = 0; value !== 0; ticks++) value = ramped(value, 0, 0.02);
    assert.ok(ticks <= 5, `${ticks}`);
});
