// The page of a design in a real browser, and what hostile clients say to one.
// node test_design.mjs PROGRAM SANITIZED_PROGRAM
import { closePage, launch, openPage, PHONE, restingBox, stateOf, untilState } from "./browser.mjs";
import { findings, serve, stop } from "./program.mjs";
import { frameBytes, Viewer } from "./socket.mjs";
import { assert, near, suite, test, until } from "./suite.mjs";

const [program, sanitized] = process.argv.slice(2);

// ---- the page ------------------------------------------------------------------------------------

const slider = (page, path) => page.locator(`[data-test="slider-${path}"]`);
const box = (page, path) => page.locator(`[data-test="box-${path}"]`);

async function type(page, path, text) {
    await box(page, path).fill(text);
    await box(page, path).press("Enter");
}

const settled = (page) => untilState(page, "the last turn is answered", (s) => !s.busy);

async function turning(page) {
    await test("a slider moves K, the curves and the table at once", async () => {
        const before = await settled(page);
        assert.equal(before.K.length, 2);
        near(before.K[0][0], 82.3400666636, 1e-9, "K of the file, reference D2");
        const table = await page.locator("[data-test=gains]").textContent();
        // From the key to the picture [ms], the median of forty
        const latency = async (key) => {
            const times = [];
            for (let i = 0; i < 40; i++) {
                const { frames } = await stateOf(page);
                await page.keyboard.press(key);
                times.push((await untilState(page, "it is shown", (s) => s.frames > frames)).latency);
            }
            return times.sort((a, b) => a - b)[times.length / 2];
        };
        await slider(page, "lqr.tolerance.x_left").focus();
        let half = await latency("ArrowLeft");
        const after = await settled(page);
        assert.ok(after.values["lqr.tolerance.x_left"] < 0.1);
        assert.ok(after.K[0][0] > before.K[0][0] + 10, `${before.K[0][0]} to ${after.K[0][0]}`);
        const differs = after.response.x[0].some((x, i) => Math.abs(x - before.response.x[0][i]) > 1e-3);
        assert.ok(differs, "the curve has not changed");
        assert.notEqual(await page.locator("[data-test=gains]").textContent(), table);
        // 50 ms on a desk; four times that and more where all cores are busy, and not every time
        const end = performance.now() + 240_000;
        for (let i = 0; half >= 250 && performance.now() < end; i++)
            half = await latency(i % 2 ? "ArrowLeft" : "ArrowRight");
        assert.ok(half < 250, `${half} ms`);
        return `shown after ${half.toFixed(0)} ms, the median of 40`;
    }, 300);

    await test("an input stays within its limits, and its time there is told", async () => {
        const { response } = await settled(page);
        for (const u of response.u) assert.ok(u.every((volts) => Math.abs(volts) <= 12));
        assert.ok(response.use[0].saturated > 0.05 && response.use[0].peak === 12);
        assert.match(await page.locator("[data-test=margins]").textContent(), /left12\.00 V/);
    });

    await test("a push is seen in the response from half of the time on", async () => {
        const before = (await settled(page)).response;
        await type(page, "push.left", "3");
        const { response } = await settled(page);
        const half = response.t.findIndex((t) => t > response.push_at + 0.2);
        near(response.x[0][100], before.x[0][100], 1e-9, "before it");
        assert.ok(Math.abs(response.x[0][half] - before.x[0][half]) > 1e-3);
    });
}

async function refusing(page) {
    await test("a design that is refused is said in the program's words, and the last good one stays", async () => {
        const good = await settled(page);
        await type(page, "lqr.tolerance.v_left", "-1");
        const state = await untilState(page, "it is refused", (s) => s.refused.length > 0);
        assert.match(state.refused[0], /lqr\.tolerance\.v_left: expected a tolerance/);
        assert.match(await page.locator("[data-test=refusal]").textContent(), /expected a tolerance/);
        assert.deepEqual(state.K, good.K);
        await type(page, "lqr.tolerance.v_left", "0.95");
        await untilState(page, "it is good again", (s) => s.refused.length === 0);
        assert.ok(!(await page.locator("[data-test=refusal]").isVisible()));
    });

    await test("a trial that would take too long is refused before it is run", async () => {
        await type(page, "try.duration", "999");
        const { refused } = await untilState(page, "it is refused", (s) => s.refused.length > 0);
        assert.match(refused[0], /199800 periods: expected 2 to 20000/);
        await page.locator("[data-test='reset-try.duration']").click();
        await untilState(page, "it is good again", (s) => s.refused.length === 0);
    });
}

async function copying(page) {
    await test("the changed block is copied as YAML, whole, and a reset leaves none", async () => {
        await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
        await type(page, "lqr.tolerance.x_left", "0.05");
        await type(page, "period", "10");
        await settled(page);
        await page.locator("#copy").click();
        await until("it is copied", async () => (await page.locator("#copy").textContent()) === "Copied");
        const text = await page.evaluate(() => navigator.clipboard.readText());
        assert.equal(
            text,
            "period: 0.01 s\nlqr:\n  tolerance: {x_left: 0.05 m, v_left: 0.95 m/s, x_right: 14 cm, " +
                "v_right: 0.95 m/s, left: 12 V, right: 12 V}\n",
        );
        await page.locator("#reset").click();
        const { yaml, K } = await untilState(page, "all is as in the file", (s) => /nothing/.test(s.yaml));
        near(K[0][0], 82.3400666636, 1e-9, `K of the file again: ${yaml}`);
    });
}

async function poles(browser) {
    const server = await serve(program, ["designs/single_arm.yaml", "--port", "0"]);
    const page = await openPage(browser, server.url, { theme: "dark" });

    await test("a pole is dragged, and its other half goes with it", async () => {
        const before = await settled(page);
        const at = await page.locator("[data-test=handle-0]").boundingBox();
        const [x, y] = [at.x + at.width / 2, at.y + at.height / 2];
        await page.mouse.move(x, y);
        await page.mouse.down();
        for (let i = 1; i <= 8; i++) await page.mouse.move(x - 4 * i, y - i);
        await page.mouse.up();
        const { K, poles: found } = await settled(page);
        assert.ok(found[0].re < before.poles[0].re - 0.005, `${before.poles[0].re} to ${found[0].re}`);
        near(found[0].im, -found[1].im, 1e-12, "conjugate");
        assert.notDeepEqual(K, before.K);
    });

    await test("a pole is moved by arrow keys and keeps the focus", async () => {
        const before = await settled(page);
        await page.locator("[data-test=handle-0]").focus();
        for (let i = 0; i < 4; i++) await page.keyboard.press("ArrowLeft");
        const { poles: found } = await settled(page);
        near(found[0].re, before.poles[0].re - 0.02, 1e-9, "four steps of 0.005");
        assert.equal(await page.evaluate(() => document.activeElement.getAttribute("data-handle")), "0");
    });

    await test("a pair becomes two real poles, and the file's own poles come back by a key", async () => {
        await page.getByText("Pair to two real poles").click();
        const { poles: split } = await settled(page);
        assert.ok(split.every((pole) => Math.abs(pole.im) < 1e-6));
        await page.evaluate(() => document.activeElement.blur());
        await page.keyboard.press("r");
        const { poles: back } = await untilState(page, "they are back", (s) => s.poles[0].im !== 0 && !s.busy);
        near(back[0].re, 0.92, 1e-9, "as in the file");
    });

    await test("a latency delays what the plant feels", async () => {
        const { response: before } = await settled(page);
        await type(page, "latency", "40"); // four periods
        const { response } = await settled(page);
        // Until then nothing holds the arm: it sinks where it rose before.
        assert.ok(before.x[0][4] > before.start[0] && response.x[0][4] < response.start[0]);
    });

    assert.deepEqual(page.problems, []);
    await closePage(page);
    await stop(server);
}

async function gears(browser) {
    const server = await serve(program, ["designs/drivetrain_gears.yaml", "--port", "0"]);
    const page = await openPage(browser, server.url, { size: PHONE });
    await test("gears have knobs of their own, also on a phone", async () => {
        const low = await settled(page);
        near(low.values["schedule.low_low.lqr.tolerance.x_left"], 0.12, 0, "of the low gear");
        await page.getByText("high_high").click();
        await slider(page, "schedule.high_high.lqr.tolerance.x_left").waitFor();
        const high = await untilState(page, "it is shown", (s) => !s.busy && s.K[0][0] !== low.K[0][0]);
        near(high.K[0][0], 82.3400666636, 1e-6, "the same plant as in reference D2");
    });
    await test("on a phone held upright the head of a design is as wide as the page, with its title", async () => {
        await page.setViewportSize({ width: 390, height: 844 });
        const head = await restingBox(page.locator("#head"));
        near(head.width, 390, 0.5, "width of the head");
        assert.ok((await page.locator("#title").boundingBox()).width > 80, "the title cannot be read");
    });
    assert.deepEqual(page.problems, []);
    await closePage(page);
    await stop(server);
}

async function refusedAtOnce() {
    await test("a broken design, or an option that has no sense for one, is refused before it is served", async () => {
        const design = ["designs/drivetrain.yaml", "--port", "0"];
        await assert.rejects(serve(program, [...design, "--record", "x.wpilog"]), /ended with 2: .*is a design/);
        await assert.rejects(
            serve(program, [...design, "--set", "lqr.tolerance.v_left=0 m/s"]),
            /ended with 2: --set lqr\.tolerance\.v_left:1:1: lqr\.tolerance\.v_left: expected a tolerance/,
        );
    });
}

async function inBrowser() {
    const browser = await launch();
    const server = await serve(program, ["designs/drivetrain.yaml", "--port", "0"]);
    const page = await openPage(browser, server.url);
    await turning(page);
    await refusing(page);
    await copying(page);
    await test("the design page has no errors and asks for nothing but itself", async () => {
        assert.deepEqual(page.problems, []);
        assert.ok(page.requests.every((url) => new URL(url).host === server.url.host));
    });
    await closePage(page);
    await stop(server);
    await poles(browser);
    await gears(browser);
    await browser.close();
}

// ---- hostile clients -----------------------------------------------------------------------------

const wrong = [
    { type: "try" },
    { type: "try", id: 1 },
    { type: "try", id: -1, values: [] },
    { type: "try", id: 1, values: {} },
    { type: "try", id: 1, values: [[0]] },
    { type: "try", id: 1, values: [[0, 1, 2]] },
    { type: "try", id: 1, values: [[-1, 1]] },
    { type: "try", id: 1, values: [[18, 1]] },
    { type: "try", id: 1, values: [[2 ** 40, 1]] },
    { type: "try", id: 1, values: [[0.5, 1]] },
    { type: "try", id: 1, values: [["0", 1]] },
    { type: "try", id: 1, values: [[0, "1"]] },
    { type: "try", id: 1, values: [[0, null]] },
    { type: "try", id: 1, values: [[0, 1], [0, 2]] },
    { type: "try", id: 1, values: Array.from({ length: 5000 }, (_, i) => [i, 1]) },
    { type: "try", id: 1, gear: 1, values: [] },
    { type: "try", id: 1, gear: -1, values: [] },
    { type: "try", id: 1, values: [], set: "plant.robot=/etc/passwd" },
    { type: "play" },
    { type: "drive", robot: 0, values: [] },
];

async function hostile() {
    const server = await serve(sanitized, ["designs/drivetrain.yaml", "--port", "0"], { leaks: true });

    await test("what is no proper attempt is refused, each time with a sentence", async () => {
        for (const message of wrong) {
            const viewer = await Viewer.connect(server.url);
            const answer = viewer.next("refused");
            viewer.send(message);
            assert.ok((await answer).text.length > 10, JSON.stringify(message).slice(0, 80));
            viewer.destroy();
        }
        return `${wrong.length} messages`;
    });

    await test("numbers without sense are refused by the design, not by a crash", async () => {
        const viewer = await Viewer.connect(server.url);
        const count = viewer.hello.knobs.length;
        for (const value of [0, -1, 1e-300, 1e300, -1e300, 5e-324]) {
            for (let knob = 0; knob < count; knob++) {
                const answer = viewer.next("answer");
                viewer.send({ type: "try", id: knob, values: [[knob, value]] });
                const { refused, response } = await answer;
                assert.ok(refused.length > 0 || response, `${viewer.hello.knobs[knob].path} = ${value}`);
            }
        }
        viewer.destroy();
        return `${6 * count} attempts`;
    }, 300);

    await test("of a thousand attempts at once the last one is answered, and soon", async () => {
        const viewer = await Viewer.connect(server.url);
        const asked = Array.from({ length: 1000 }, (_, i) =>
            frameBytes(JSON.stringify({ type: "try", id: i, values: [[0, 0.1 + i * 1e-4]] })),
        );
        const start = performance.now();
        viewer.raw(Buffer.concat(asked));
        const last = () => viewer.messages.some((m) => m.type === "answer" && m.id === 999);
        await until("the last one is answered", last);
        const answers = viewer.messages.filter((m) => m.type === "answer").length;
        assert.ok(answers < 500, `${answers} answers`); // most were overtaken
        viewer.destroy();
        return `${answers} answers in ${(performance.now() - start).toFixed(0)} ms`;
    });

    await test("who goes with an attempt under way leaves nothing behind", async () => {
        for (let i = 0; i < 20; i++) {
            const viewer = await Viewer.connect(server.url);
            viewer.send({ type: "try", id: 1, values: [] });
            viewer.destroy();
        }
        const viewer = await Viewer.connect(server.url);
        const answer = viewer.next("answer");
        viewer.send({ type: "try", id: 7, values: [] });
        assert.equal((await answer).id, 7);
        viewer.destroy();
        assert.equal(await stop(server, 120), 130);
        assert.equal(findings(server), "");
    });
}

await suite(async () => {
    await refusedAtOnce();
    await inBrowser();
    if (sanitized) await hostile();
});
