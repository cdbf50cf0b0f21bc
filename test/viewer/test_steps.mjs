// What the page shows of routines: their steps, the one that runs, and the planned way; live and in a recording.
//   node test/viewer/test_steps.mjs PROGRAM FOLDER
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { closePage, DESK, launch, openPage, stateOf, untilState } from "./browser.mjs";
import { serve, stop } from "./program.mjs";
import { assert, near, sleep, suite, test, until } from "./suite.mjs";

const [program, folder] = process.argv.slice(2);
const scenario = `${folder}/steps.yaml`;
const log = `${folder}/steps.wpilog`;

// By hand: the wait ends at 0.4 s, the condition is never met and has no more time at 0.8 s.
writeFileSync(
    scenario,
    `title: Steps <b>on trial</b>
robots:
  red:
    kind: holonomic
    preset: x-drive
    sensors: {gyro: {kind: gyro, period: 10 ms}}
    control:
      period: 20 ms
      routine:
        - wait: 0.4 s
        - until: "sensor.gyro >= 500 deg/s"
          timeout: 0.4 s
        - drive: {forward: 1 m}
        - drive: {left: 50 cm}
run: {duration: 6 s}
`,
);

let server, browser, page;
const ask = (message) => page.evaluate((m) => window.ironbird.app.link.send(m), message);
const rowClass = (step) => page.locator(`[data-test=step-${step}]`).getAttribute("class");

async function live() {
    await test("a tab lists the steps in the words of the file", async () => {
        await page.locator("#tab-steps").click();
        assert.equal(await page.locator("[data-test^=step-]").count(), 4);
        assert.match(await page.locator("[data-test=step-3]").innerText(), /drive/);
        assert.match(await page.locator("#panel-steps h3").innerText(), /red\.control/);
    });
    await test("the step that runs is marked, and said in the scene", async () => {
        await ask({ type: "play" });
        await untilState(page, "the first move runs", (s) => s.steps[0].step === 3);
        await ask({ type: "pause" });
        await untilState(page, "it is paused", (s) => s.state === "paused");
        await sleep(0.3);
        assert.match(await rowClass(3), /now/);
        assert.equal(await page.locator("[aria-current=step]").count(), 1);
        assert.match(await page.locator("[data-test=legend]").innerText(), /step 3: drive/);
    });
    await test("what is done has its time, what had no more time is marked", async () => {
        assert.match(await rowClass(1), /done/);
        assert.match(await rowClass(2), /late/);
        assert.match(await rowClass(4), /^step$/);
        const took = Number.parseFloat(await page.locator("[data-test=step-1] .step-time").innerText());
        near(took, 0.4, 0.05, "the wait"); // a busy machine has no frame for up to 250 ms, 50 ms of the run
        assert.match(await page.locator("[data-test=step-2] .step-time").innerText(), /timed out/);
    });
    await test("the log names the step that had no more time", async () => {
        const state = await stateOf(page);
        const lines = state.log.map(({ level, text }) => `${level}: ${text}`);
        assert.ok(lines.some((line) => /warning: .*step 2: until.*has no more time/.test(line)), lines.join("\n"));
    });
    await test("the planned way is in the scene, and can be switched off", async () => {
        const { scene } = await stateOf(page);
        assert.deepEqual(scene.ways, [{ name: "red planned way", points: 3 }]);
        const legend = page.locator("[data-test=legend]");
        assert.match(await legend.innerText(), /planned way/);
        await page.evaluate(() => window.ironbird.app.settings.set("ways", false));
        await sleep(0.3);
        assert.doesNotMatch(await legend.innerText(), /planned way/);
        await page.evaluate(() => window.ironbird.app.settings.set("ways", true));
    });
    await test("a page that comes later knows what was", async () => {
        const other = await openPage(browser, server.url);
        await other.locator("#tab-steps").click();
        const { steps } = await untilState(other, "it has the past", (s) => s.steps?.[0].seen.length === 3);
        assert.deepEqual(steps[0].seen, [1, 2, 3]);
        assert.deepEqual(steps[0].late, [2]);
        await until("the list shows it, in a pause", async () => (await other.locator(".step.done, .step.late").count()) === 2);
        assert.deepEqual(other.problems, []);
        await closePage(other);
    });
    assert.deepEqual(page.problems, []);
}

async function pictures(name) {
    for (const [theme, size] of [["light", DESK], ["dark", DESK], ["light", { width: 390, height: 780 }]]) {
        const other = await openPage(browser, server.url, { size, theme });
        if (size !== DESK) await other.locator("#panel-toggle").click();
        await other.locator("#tab-steps").click();
        await sleep(1);
        await other.screenshot({ path: `${folder}/steps_${name}_${theme}_${size.width}.png` });
        const wide = await other.evaluate(() => document.documentElement.scrollWidth > innerWidth);
        assert.equal(wide, false, "the page is wider than its window");
        await closePage(other);
    }
}

async function replayed() {
    await test("a recording shows the same steps and the same way, also wound back", async () => {
        const made = spawnSync(program, ["run", scenario, "--log", log, "--quiet"], { encoding: "utf8" });
        assert.equal(made.status, 0, made.stderr);
        const other = await serve(program, ["--log", log, "--port", "0", "--paused"]);
        page = await openPage(browser, other.url);
        await page.locator("#tab-steps").click();
        const at = async (time) => {
            await page.locator("#scrub").fill(String(time));
            await untilState(page, "it is there", (s) => Math.abs(s.time - time) < 0.02);
        };
        await at(5.9);
        const { steps, scene } = await untilState(page, "all are over", (s) => s.steps[0].seen.length === 4);
        assert.equal(steps[0].step, 0);
        assert.deepEqual(scene.ways, [{ name: "red planned way", points: 3 }]);
        await at(0.6);
        await untilState(page, "the second runs", (s) => s.steps[0].step === 2 && s.steps[0].seen.length === 2);
        assert.deepEqual(page.problems, []);
        await stop(other);
    });
}

await suite(async () => {
    server = await serve(program, [scenario, "--paused", "--speed", "0.2", "--port", "0"]);
    browser = await launch();
    page = await openPage(browser, server.url);
    await live();
    await test("it fits in the light, in the dark and on a phone", () => pictures("live"));
    await stop(server);
    await replayed();
    await browser.close();
});
