// A recording in the browser: it plays, scrubs, and shows what was recorded.
// node test_replay.mjs PROGRAM FOLDER
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { launch, openPage, restingPicture, stateOf, untilState } from "./browser.mjs";
import { serve, stop } from "./program.mjs";
import { Viewer } from "./socket.mjs";
import { assert, near, suite, test, until } from "./suite.mjs";

const [program, folder] = process.argv.slice(2);
const DURATION = 20; // [s] of the showcase
let server, browser, page;

// Rows of the CSV of the same run: a signal at a time.
function recordedAt(csv, time, signal = "pose.x") {
    const [head, ...rows] = csv
        .trim()
        .split("\n")
        .map((line) => line.split(","));
    const column = head.findIndex((name) => name.startsWith(signal));
    const row = rows.find((cells) => Number(cells[0]) >= time - 1e-9);
    return Number(row[column]);
}

async function record() {
    const log = `${folder}/match.wpilog`;
    const csv = `${folder}/match.csv`;
    const args = [
        "run",
        "scenarios/match.yaml",
        "--quiet",
        "--set",
        "expect=[]",
        "--duration",
        `${DURATION} s`,
        "--log",
        log,
        "--csv",
        csv,
    ];
    const made = spawnSync(program, args, { encoding: "utf8", timeout: 120000 });
    assert.equal(made.status, 0, made.stderr);
    return { log, csv: readFileSync(csv, "utf8") };
}

async function scrubbing(csv) {
    await test("a replay loads, plays and draws the robot that the log describes", async () => {
        await untilState(page, "it plays", (s) => s.time > 0.3);
        assert.equal(await page.locator("#mode").textContent(), "Replay");
        assert.deepEqual(page.problems, []);
    });

    await test("the bar seeks to any moment, and the recorded values are shown", async () => {
        await page.keyboard.press(" ");
        await untilState(page, "it is paused", (s) => s.state === "paused");
        const pictures = [];
        for (const time of [15, 5, 10]) {
            await page.locator("#scrub").fill(String(time));
            const state = await untilState(page, "it is there", (s) => Math.abs(s.time - time) < 0.02);
            // A frame is float32, and a row of the log at most one period of recording away (8 m/s, 10 ms)
            near(state.values["pose.x"], recordedAt(csv, state.time), 0.1, `pose.x at ${time} s`);
            pictures.push(await restingPicture(page));
        }
        assert.ok(
            !pictures[0].equals(pictures[1]) && !pictures[1].equals(pictures[2]),
            "the pictures are the same",
        );
    });

    await test("arrow keys go back and on by a tenth of a second", async () => {
        await page.evaluate(() => document.activeElement?.blur());
        const { time } = await stateOf(page);
        await page.keyboard.press("ArrowRight");
        await untilState(page, "it went on", (s) => Math.abs(s.time - time - 0.1) < 0.02);
        await page.keyboard.press("ArrowLeft");
        await untilState(page, "it went back", (s) => Math.abs(s.time - time) < 0.02);
    });

    await test("at its end it stops, and play begins again", async () => {
        await page.locator("#scrub").fill(String(DURATION - 0.3));
        await page.evaluate(() => document.activeElement?.blur());
        await page.keyboard.press(" ");
        await untilState(page, "it has ended", (s) => s.state === "ended");
        await page.keyboard.press(" ");
        await untilState(page, "it plays from the start", (s) => s.state === "running" && s.time < 5);
    });

    await test("the charts show the whole recording", async () => {
        const span = await page.evaluate(async () => {
            const { link, store } = window.ironbird.app;
            const index = store.index("pose.x");
            const { times } = (await link.history([index], 0, 1e9, 500)).get(index);
            return [times[0], times[times.length - 1], times.length];
        });
        near(span[0], 0, 0.1, "first time");
        near(span[1], DURATION, 0.1, "last time");
        assert.ok(span[2] >= 100 && span[2] <= 500, `${span[2]} rows`);
    });

    await test("a recording cannot be driven or changed", async () => {
        const client = await Viewer.connect(server.url);
        for (const message of [
            { type: "drive", robot: 0, values: [] },
            { type: "parameter", index: 0, value: 1 },
        ]) {
            const refused = client.next("refused");
            client.send(message);
            await refused;
        }
        client.destroy();
    });
}

// scenarios/tank_corner.yaml: at 1 s the corner meets the wall at x = 4 m, with 106.03 N s by the closed form.
async function hits() {
    await test("a hit has an arrow at the touching point, and soon it is gone", async () => {
        const log = `${folder}/corner.wpilog`;
        const args = ["run", "scenarios/tank_corner.yaml", "--quiet", "--log", log];
        const made = spawnSync(program, args, { encoding: "utf8", timeout: 120000 });
        assert.equal(made.status, 0, made.stderr);
        const other = await serve(program, ["--log", log, "--port", "0", "--paused"]);
        const view = await openPage(browser, other.url);
        const hitAt = async (time) => {
            await view.locator("#scrub").fill(String(time));
            await untilState(view, "it is there", (s) => Math.abs(s.time - time) < 0.02);
            await restingPicture(view);
            return (await stateOf(view)).scene.arrows.find(({ name }) => name === "J_hit");
        };
        assert.equal(await hitAt(0.5), undefined);
        const hit = await hitAt(1.03);
        near(hit.at[0], 4, 1e-6, "x of the hit"); // float32
        near(hit.vector[0], -106.03, 0.01, "impulse");
        assert.equal(await hitAt(2), undefined);
        assert.deepEqual(view.problems, []);
        await stop(other);
    });
}

// scenarios/arm_two_discs.yaml: the hand goes from rest at 0.5 s to rest before 1.2 s, and is within 1.5 cm of where it is wanted.
async function hand() {
    await test("the hand of an arm leaves a line where it was, and one where it was wanted", async () => {
        const log = `${folder}/arm.wpilog`;
        const args = ["run", "scenarios/arm_two_discs.yaml", "--quiet", "--log", log];
        const made = spawnSync(program, args, { encoding: "utf8", timeout: 120000 });
        assert.equal(made.status, 0, made.stderr);
        const other = await serve(program, ["--log", log, "--port", "0", "--paused"]);
        const view = await openPage(browser, other.url);
        const tracesAt = async (time) => {
            await view.locator("#scrub").fill(String(time));
            await untilState(view, "it is there", (s) => Math.abs(s.time - time) < 0.02);
            return async () => (await stateOf(view)).scene.traces;
        };
        const later = await tracesAt(1.4);
        const lines = await until("the past has come", async () => {
            const traces = await later();
            return traces.every(({ points }) => points > 20) && traces;
        });
        assert.deepEqual(lines.map(({ name }) => name), ["arm: way of the hand", "arm: wanted way of the hand"]);
        // Both angles are at the goal, 1.3 and 0.9 rad, of links of 1.17475 and 1.06172 m on a joint 1 m up.
        const x = 1.17475 * Math.sin(1.3) + 1.06172 * Math.sin(0.9);
        const z = 1 + 1.17475 * Math.cos(1.3) + 1.06172 * Math.cos(0.9);
        for (const { newest } of lines) {
            near(newest[0], x, 0.015, "x of the hand");
            near(newest[1], 0, 1e-6, "y of the hand"); // float32
            near(newest[2], z, 0.015, "z of the hand");
        }
        const legend = view.locator("[data-test=legend]");
        await until("the legend has both", async () => /way of the hand[^]*wanted way/.test(await legend.innerText()));
        await view.evaluate(() => window.ironbird.app.settings.set("trail", false));
        await until("they are off", async () => !/way of the hand/.test(await legend.innerText()));
        assert.deepEqual(view.problems, []);
        await stop(other);
    });
}

// scenarios/quadruped_crawl.yaml: all feet stand at 0.8 s, rl swings at 1.6 s. Its loop finds its margin by itself, from sensors.
async function support() {
    await test("a robot on legs shows the polygon that it stands on, and its margin", async () => {
        const [log, csv] = [`${folder}/crawl.wpilog`, `${folder}/crawl.csv`];
        const args = ["run", "scenarios/quadruped_crawl.yaml", "--quiet", "--set", "expect=[]"];
        args.push("--duration", "2 s", "--log", log, "--csv", csv);
        const made = spawnSync(program, args, { encoding: "utf8", timeout: 120000 });
        assert.equal(made.status, 0, made.stderr);
        const rows = readFileSync(csv, "utf8");
        const other = await serve(program, ["--log", log, "--port", "0", "--paused"]);
        const view = await openPage(browser, other.url);
        const written = view.locator("#labels .mark-margin span");
        for (const [time, feet] of [[0.8, 4], [1.6, 3]]) {
            await view.locator("#scrub").fill(String(time));
            const there = ({ time: now, scene }) => Math.abs(now - time) < 0.02 && scene.supports[0].corners.length === feet;
            const [found] = (await untilState(view, "it stands on its feet", there)).scene.supports;
            // Noise of 0.05 deg and 0.1 deg under a body 0.4 m high, and a row of 10 ms at 0.1 m/s.
            near(found.margin, recordedAt(rows, time, "control.legs.margin"), 0.005, `margin at ${time} s`);
            assert.equal(found.standing, "wide");
            await until("it is written", async () => (await written.innerText()) === `${(1000 * found.margin).toFixed(0)} mm`);
        }
        assert.equal(await written.isVisible(), true);
        await view.evaluate(() => document.activeElement?.blur());
        await view.keyboard.press("m");
        await until("it is off", async () => !(await written.isVisible()));
        assert.deepEqual(view.problems, []);
        await stop(other);
    });
}

// A log is somebody else's file: what it says about the looks of the robot is not trusted.
async function untrusted(log) {
    await test("a log whose geometry is broken still plays, without errors in the page", async () => {
        const bytes = readFileSync(log);
        const at = bytes.indexOf('"solids"');
        assert.ok(at > 0, "the log has no geometry");
        const broken = `${folder}/broken.wpilog`;
        // As long as before, since the log counts its bytes: names and numbers become nonsense
        const part = bytes.subarray(at, at + 400);
        part.set(
            Buffer.from(
                part
                    .toString("latin1")
                    .replace(/"size"/g, '"sike"')
                    .replace(/0\.\d/g, "9e9")
                    .replace(/"box"/g, '"<b>"'),
                "latin1",
            ),
        );
        writeFileSync(broken, bytes);
        const other = await serve(program, ["--log", broken, "--port", "0"]);
        const view = await openPage(browser, other.url);
        await untilState(view, "it plays", (s) => s.time > 0.3);
        assert.deepEqual(view.problems, []);
        await stop(other);
    });
}

await suite(async () => {
    const { log, csv } = await record();
    server = await serve(program, ["--log", log, "--port", "0"]);
    browser = await launch();
    page = await openPage(browser, server.url);
    await scrubbing(csv);
    assert.equal(await stop(server), 130);
    await hits();
    await hand();
    await support();
    await untrusted(log);
    await browser.close();
});
