// The signal picker, units as people read them, the banner's choice and the throttle of parameters.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { grouped, matched, prefixOf } from "../src/picker.ts";
import { formatted, inUnit, niceStep, plain, shownUnit, signalUnit } from "../src/quantity.ts";
import { tintRows } from "../src/scene/legend.ts";
import { isUrgent, newsAfter, newsOf, newsText, stillStands, subjectOf } from "../src/banner.ts";
import { lineLooks, namedColour, trailColours } from "../src/colours.ts";
import { mayDirect } from "../src/store.ts";
import { timeText, verdicts } from "../src/words.ts";
import { soundOf } from "../src/sound.ts";
import { addressed } from "../src/messages.ts";
import { byPrefix } from "../src/parameters.ts";
import { Throttle } from "../src/throttle.ts";

const signals = [
    { name: "pose.x", unit: "m", sentence: "position, forward from the origin" },
    { name: "drive.left.current", unit: "A", sentence: "current of the left motors" },
    { name: "drive.left.torque", unit: "N*m", sentence: "torque at the left wheels" },
    { name: "battery.current", unit: "A", sentence: "current out of the battery" },
    { name: "time", unit: "s", sentence: "since the start" },
];
const found = (query) =>
    grouped(signals, query)
        .flatMap((g) => g.signals)
        .map((i) => signals[i].name);

test("a query finds by name, by sentence and by unit, in any case", () => {
    assert.deepEqual(found("TORQUE"), ["drive.left.torque"]);
    assert.deepEqual(found("origin"), ["pose.x"]);
    assert.deepEqual(found("n*m"), ["drive.left.torque"]);
    assert.deepEqual(found("no such thing"), []);
});

test("every word of a query has to occur", () => {
    assert.deepEqual(found("current battery"), ["battery.current"]);
    assert.equal(matched(signals[1], "left volt"), 0);
});

test("a hit in the name comes before one in the sentence", () => {
    assert.equal(found("battery")[0], "battery.current");
    assert.ok(matched(signals[1], "drive") > matched(signals[1], "motors"));
});

test("an empty query lists all, grouped by prefix in the order of the table", () => {
    assert.deepEqual(
        grouped(signals, " ").map((g) => g.prefix),
        ["pose", "drive.left", "battery", ""],
    );
    assert.equal(prefixOf("leg.fr.alpha.angle"), "leg.fr.alpha");
});

test("radians become degrees only where wanted and only where they are radians", () => {
    assert.deepEqual(shownUnit("rad/s", true), { text: "deg/s", factor: 180 / Math.PI, offset: 0 });
    assert.deepEqual(shownUnit("rad/s", false), { text: "rad/s", factor: 1, offset: 0 });
    assert.deepEqual(shownUnit("m/s^2", true), { text: "m/s\u00b2", factor: 1, offset: 0 });
    assert.deepEqual(shownUnit("1", true), { text: "", factor: 1, offset: 0 });
});

// One atmosphere is 0 psig, 1 psi is 6894.757 Pa; 60 rpm are 2 pi rad/s.
const PSIG = { unit: "psig", factor: 1 / 6894.757293168, offset: -101325 / 6894.757293168 };
const RPM = { unit: "rpm", factor: 30 / Math.PI, offset: 0 };

test("a signal is shown in the unit that people use for it, or in SI where that is wanted", () => {
    const pressure = { name: "air.pressure", unit: "Pa", shown: PSIG };
    const psig = signalUnit(pressure, true);
    assert.equal(psig.text, "psig");
    assert.ok(Math.abs(inUnit(101325 + 10 * 6894.757293168, psig) - 10) < 1e-9);
    assert.deepEqual(signalUnit(pressure, false), { text: "Pa", factor: 1, offset: 0 });
    const speed = { name: "drive.left.speed", unit: "rad/s", shown: RPM };
    assert.ok(Math.abs(inUnit(2 * Math.PI, signalUnit(speed, true)) - 60) < 1e-9);
    const charge = { name: "battery.used", unit: "A*s", shown: { unit: "A*h", factor: 1 / 3600, offset: 0 } };
    assert.equal(signalUnit(charge, true).text, "A\u00b7h");
    // The program has chosen: without one a signal is shown as it is, an angle too.
    assert.equal(signalUnit({ name: "goal", unit: "rad", shown: null }, true).text, "rad");
    assert.equal(signalUnit({ name: "battery.voltage", unit: "V", shown: null }, true).text, "V");
});

test("a query finds a signal by the unit that people use", () => {
    const pressure = { name: "air.working", unit: "Pa", shown: PSIG, sentence: "behind the regulator" };
    assert.ok(matched(pressure, "psig") > 0);
    assert.ok(matched(pressure, "pa") > 0);
    assert.equal(matched(pressure, "rpm"), 0);
});

test("the scale of a tint is in the unit that people use", () => {
    const tint = { signal: "drive.left.speed", label: "speed", full: 100 * Math.PI, colour: "#f00" };
    const unitOf = () => signalUnit({ name: "drive.left.speed", unit: "rad/s", shown: RPM }, true);
    const [row] = tintRows([{ colour: "#000", tint }], unitOf);
    assert.equal(row.text, "speed: 0 to 3000 rpm");
});

test("numbers have about four digits", () => {
    const cases = [
        [0, "0.000"],
        [1.23456, "1.235"],
        [-12.3456, "-12.35"],
        [123.456, "123.5"],
        [1234.5678, "1235"],
        [1.5e-5, "1.50e-5"],
        [2.5e7, "2.50e+7"],
        [NaN, "\u2013"],
    ];
    for (const [value, text] of cases) assert.equal(formatted(value), text);
    assert.equal(plain(0.1 + 0.2), "0.3");
});

test("a slider's step is a round number, about 200 to the span", () => {
    assert.ok(Math.abs(niceStep(160) - 0.5) < 1e-12);
    for (const span of [1e-4, 0.05, 3, 29, 1e6]) {
        const steps = span / niceStep(span);
        assert.ok(steps >= 199 && steps <= 501, `${span}: ${steps}`);
    }
});

const item = (level, kind, text = "x") => ({ time: 0, run: 1, level, kind, text });

test("the banner shows trips, brownouts, overruns and errors, not everyday contact", () => {
    assert.ok(isUrgent(item("info", "breaker")));
    assert.ok(isUrgent(item("warning", "brownout")));
    assert.ok(isUrgent(item("error", "expectation")));
    assert.ok(!isUrgent(item("info", "expectation")));
    assert.ok(!isUrgent(item("warning", "contact")));
    assert.ok(!isUrgent(item("info", "note")));
});

test("news that differ only in figures are the same news", () => {
    assert.equal(
        newsOf(item("warning", "overrun", "12.5 ms late")),
        newsOf(item("warning", "overrun", "9 ms late")),
    );
    assert.notEqual(
        newsOf(item("warning", "overrun", "late")),
        newsOf(item("error", "overrun", "late")),
    );
});

test("a brownout that flickers is one notice with a count, and what it has come to", () => {
    const stage = (level, text, times) => ({ ...item(level, "brownout", text), signal: 7, times });
    const off = (times) => stage("error", "brownout: outputs off", times);
    const sags = (times) => stage("warning", "brownout: the servo rail sags", times);
    const fine = stage("info", "supply is fine again", 1);
    const other = { ...off(1), signal: 8, text: "blue: brownout: outputs off" };
    const lines = [sags(1), off(1), sags(2), off(2), sags(57), off(58), fine];
    assert.equal(new Set(lines.map(subjectOf)).size, 1);
    assert.notEqual(subjectOf(other), subjectOf(off(1)));
    const texts = [];
    let news;
    for (const line of lines) {
        news = newsAfter(news, line);
        texts.push(newsText(news));
    }
    assert.deepEqual(texts.slice(0, 3), [
        "brownout: the servo rail sags",
        "brownout: outputs off",
        "brownout: outputs off",
    ]);
    assert.deepEqual(news, {
        level: "error",
        text: "brownout: outputs off",
        times: 58,
        now: "supply is fine again",
    });
    assert.equal(texts.at(-1), "brownout: outputs off, 58 times");
    assert.equal(newsAfter(news, off(59)).now, ""); // and again
});

test("a line that is no mode is counted as often as it comes", () => {
    const late = (text) => item("warning", "overrun", text);
    const news = newsAfter(newsAfter(undefined, late("12 steps late")), late("9 steps late"));
    assert.equal(newsText(news), "9 steps late, 2 times");
});

test("each event has at most one sound, an error its own", () => {
    assert.equal(soundOf(item("info", "contact")), "contact");
    assert.equal(soundOf(item("error", "contact")), "error");
    assert.equal(soundOf(item("info", "note")), null);
});

test("a throttle sends the first at once and the last for certain, and not all between", async () => {
    const sent = [];
    const throttle = new Throttle(20, (value) => sent.push(value));
    for (let i = 0; i < 10; i++) throttle.push(i);
    assert.deepEqual(sent, [0]);
    await wait(100); // five times the interval
    assert.deepEqual(sent, [0, 9]);
});

test("parameters are grouped by prefix wherever they stand, those without one first", () => {
    const paths = ["a.b.mass", "c.drag", "a.b.inertia", "gravity"].map((path) => ({ path }));
    assert.deepEqual(
        [...byPrefix(paths)],
        [
            ["", [3]],
            ["a.b", [0, 2]],
            ["c", [1]],
        ],
    );
});

test("a line about this client says you, one about another does not", () => {
    assert.equal(addressed("client 3 drives red", 3), "You drive red");
    assert.equal(addressed("client 31 drives red", 3), "client 31 drives red");
    assert.equal(
        addressed("client 3: no input for 100 ms, controls set to neutral", 3),
        "No input for 100 ms, controls set to neutral",
    );
    assert.equal(addressed("left branch breaker trips", 3), "left branch breaker trips");
});

test("of what was before a page came, only a failure is news to it", () => {
    assert.ok(stillStands(item("error", "failure")));
    for (const kind of ["breaker", "brownout", "overrun", "expectation"])
        assert.ok(!stillStands(item("error", kind)), kind);
});

test("expectations that are not decided yet are not unmet", () => {
    assert.equal(verdicts(5, 0, 0), "5 expectations to be decided");
    assert.equal(verdicts(1, 0, 0), "1 expectation to be decided");
    assert.equal(verdicts(5, 2, 0), "2 of 5 expectations met, 3 to be decided");
    assert.equal(verdicts(5, 2, 1), "2 of 5 expectations met, 1 failed, 2 to be decided");
    assert.equal(verdicts(5, 5, 0), "5 expectations met");
    assert.equal(verdicts(5, 4, 1), "4 of 5 expectations met, 1 failed");
});

test("the clock shows one step of the run", () => {
    assert.equal(timeText(1.234, 0.001), "1.234");
    assert.equal(timeText(1.2345, 0.0005), "1.2345");
    assert.equal(timeText(1.2, 0.1), "1.20");
    assert.equal(timeText(12345.678, 0.001), "12345.678");
    assert.equal(timeText(1, 0), "1.000"); // of a recording that does not say
    assert.equal(timeText(NaN, 0.001), "-");
    for (const step of [1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3, 0.01, 0.02])
        assert.notEqual(timeText(7, step), timeText(7 + step, step), `${step}`);
});

test("who drives may turn the run, and everybody while nobody drives", () => {
    assert.ok(mayDirect([0, 0], 3));
    assert.ok(mayDirect([4, 3], 3));
    assert.ok(!mayDirect([4, 0], 3));
});

const looks = (names, robots) => lineLooks(names, robots).map((look) => look.colour);

test("a robot called after a colour has it, in charts and on the floor", () => {
    assert.deepEqual(looks(["red.pose.x", "blue.pose.x"], ["red", "blue"]), ["--plot-red", "--plot-blue"]);
    assert.deepEqual(looks(["blue.pose.x", "red.pose.x"], ["red", "blue"]), ["--plot-blue", "--plot-red"]);
    assert.equal(namedColour("gray"), "grey");
    for (const name of ["", "robot", "redder", "constructor"]) assert.equal(namedColour(name), null, name);
    const [red, blue] = trailColours(["red", "blue"]);
    assert.match(red, /^#d./);
    assert.match(blue, /^#2.....$/);
});

test("other robots do not take the colour of one that is called after it", () => {
    // 2 and 7 of the palette are orange and crimson: they look like red
    const [red, box] = looks(["red.pose.x", "box.pose.x"], ["red", "box"]);
    assert.equal(red, "--plot-red");
    assert.ok(!["--plot-2", "--plot-7"].includes(box));
    assert.deepEqual(looks(["a", "b"], [""]), ["--plot-1", "--plot-2"]);
    assert.equal(new Set(trailColours(["blue", "box", "other"])).size, 3);
});

test("several lines of one robot differ by their dashes", () => {
    const [x, y] = lineLooks(["red.pose.x", "red.pose.y"], ["red", "blue"]);
    assert.equal(x.colour, y.colour);
    assert.notDeepEqual(x.dash, y.dash);
});
