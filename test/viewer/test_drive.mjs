// Driving: keys, a controller, neutral whenever the driver is lost, seats, parameters, and a recorded run made again.
// node test_drive.mjs PROGRAM FOLDER
import { spawnSync } from "node:child_process";
import { closePage, launch, openPage, PHONE, stateOf, untilState } from "./browser.mjs";
import { serve, stop } from "./program.mjs";
import { Viewer } from "./socket.mjs";
import { assert, near, suite, test, until } from "./suite.mjs";

const [program, folder] = process.argv.slice(2);
const LEFT = "robot.drive.left.command";
const RIGHT = "robot.drive.right.command";
// The promise is 125 ms. A frame comes every 17 ms, so that what is seen may be a frame older than it is.
const NEUTRAL_WITHIN = 0.125 + 0.02; // [s]

let server, browser, page, witness; // `witness` is a second client, which only looks

const driven = () => Math.abs(witness.values[LEFT]) > 0.5;

// How long the robot is still driven [s], in simulated time (1x), after `lose`, which returns the moment of the loss
// by the clock that this machine's programs share [ms].
async function drivenAfter(lose) {
    await until("it is driven", driven);
    const rows = [];
    const look = () => ({
        at: Date.now(),
        time: witness.time,
        driven: witness.values[LEFT] !== 0 || witness.values[RIGHT] !== 0,
    });
    rows.push(look());
    witness.onFrame = () => rows.push(look());
    const lost = await lose();
    const start = rows.filter((row, i) => i === 0 || row.at <= lost).at(-1).time;
    const neutral = await until("it is neutral", () => rows.find((row) => row.time > start && !row.driven));
    witness.onFrame = null;
    const last = Math.max(
        start,
        ...rows.filter((row) => row.driven && row.time < neutral.time).map((row) => row.time),
    );
    return last - start;
}

// `begin` makes somebody drive and returns how they are lost. Other programs may hold the cores meanwhile: the
// first of up to ten losses that is quick enough counts.
async function neutralInTime(begin, end) {
    const times = [];
    do {
        const lose = await begin();
        times.push(await drivenAfter(lose).finally(end));
    } while (times.at(-1) > NEUTRAL_WITHIN && times.length < 10);
    const told = times.map((took) => `${(1000 * took).toFixed(0)} ms`).join(", ");
    assert.ok(times.at(-1) <= NEUTRAL_WITHIN, `driven for ${told} more`);
    return told;
}

// Runs in the page, so that the time is that of the loss and not of the way there.
const loseIn = (what) => page.evaluate(`{ const lost = Date.now(); ${what}; lost }`);

// The server drops a client that reads nothing for 5 s, as a test on a busy machine may: the witness comes back.
async function watch() {
    if (witness.closed) witness = await Viewer.connect(server.url);
}

// By a status that is newer than this call.
async function seatIsFree() {
    await watch();
    witness.state = null;
    return until("the seat is free", () => witness.state?.drivers[0] === 0);
}

async function standUp() {
    await page.keyboard.up("w");
    await page.keyboard.press("Escape");
    await seatIsFree();
}

async function keys() {
    await test("a key drives the robot, and neutral comes when it is let go", async () => {
        const before = (await stateOf(page)).values["robot.pose.x"];
        await page.keyboard.down("w");
        await until("the command is there", () => witness.values[LEFT] > 1 && witness.values[RIGHT] > 1);
        await untilState(page, "the robot moves", (s) => Math.abs(s.values["robot.pose.x"] - before) > 0.05);
        await page.keyboard.up("w");
        await until("it is neutral", () => witness.values[LEFT] === 0 && witness.values[RIGHT] === 0);
    });

    await test("left and right turn it, back drives it back", async () => {
        for (const [key, left, right] of [
            ["a", -1, 1],
            ["d", 1, -1],
            ["s", -1, -1],
            ["ArrowUp", 1, 1],
        ]) {
            await page.keyboard.down(key);
            await until(
                `${key} works`,
                () => left * witness.values[LEFT] > 1 && right * witness.values[RIGHT] > 1,
            );
            await page.keyboard.up(key);
            await until("it is neutral", () => witness.values[LEFT] === 0 && witness.values[RIGHT] === 0);
        }
        await standUp();
    });

    await test("Escape lets go while the key is still down", async () => {
        await page.keyboard.down("w");
        await until("it is driven", driven);
        await page.keyboard.press("Escape");
        await until("it is neutral", () => witness.values[LEFT] === 0);
        await standUp();
    });
}

async function losses() {
    for (const [what, script] of [
        ["loses the focus", "dispatchEvent(new Event('blur'))"],
        [
            "is hidden",
            `Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
            document.dispatchEvent(new Event("visibilitychange")); delete document.visibilityState`,
        ],
        // Nothing of the page runs for a while, as in an endless loop; its connection stays open
        ["hangs", "const end = performance.now() + 700; while (performance.now() < end)"],
    ]) {
        await test(`neutral comes in time when the page ${what}`, () =>
            neutralInTime(async () => {
                await page.keyboard.down("w");
                return () => loseIn(script);
            }, standUp),
        );
    }

    await test("neutral comes in time when the page is closed", () =>
        neutralInTime(async () => {
            const other = await openPage(browser, server.url);
            await other.keyboard.down("w");
            return async () => {
                await closePage(other);
                return Date.now();
            };
        }, seatIsFree),
    );

    for (const [what, lose] of [
        ["the connection breaks", (client) => client.destroy()],
        ["the driver falls silent", () => {}],
    ]) {
        await test(`neutral comes in time when ${what}`, async () => {
            let client, timer;
            const begin = async () => {
                client = await Viewer.connect(server.url);
                const inputs = client.hello.inputs.filter((input) => ["left", "right"].includes(input.name));
                const values = inputs.map((input) => [input.index, 0.3 * input.high]);
                const drive = () => client.send({ type: "drive", robot: 0, values });
                timer = setInterval(drive, 20);
                drive();
                return async () => {
                    clearInterval(timer);
                    lose(client);
                    return Date.now();
                };
            };
            return neutralInTime(begin, async () => {
                clearInterval(timer);
                client.destroy();
                await seatIsFree();
            });
        });
    }
}

async function seats() {
    await test("a second driver is refused until it takes over", async () => {
        await untilState(page, "nobody drives", (s) => s.drive.state === "neutral");
        await page.keyboard.down("w");
        await until("it is driven", driven);
        const other = await Viewer.connect(server.url);
        const [input] = other.hello.inputs.filter((i) => i.name === "left");
        other.send({ type: "drive", robot: 0, values: [[input.index, -1]] });
        await until("it is refused", () => other.messages.some((m) => m.type === "refused"));
        await until("the first one still drives", () => witness.values[LEFT] > 0);
        other.send({ type: "take", robot: 0 });
        const timer = setInterval(
            () => other.send({ type: "drive", robot: 0, values: [[input.index, -1]] }),
            20,
        );
        await untilState(page, "the page notices", (s) => s.drive.state !== "driving").finally(() =>
            clearInterval(timer),
        );
        await page.keyboard.up("w");
        other.send({ type: "release", robot: 0 });
        await standUp();
        other.destroy();
    });

    await test("while somebody else drives, a page can neither stop the run nor turn it back", async () => {
        const other = await Viewer.connect(server.url);
        const timer = setInterval(() => other.send({ type: "drive", robot: 0, values: [] }), 20);
        try {
            other.send({ type: "take", robot: 0 });
            const buttons = ["#reset", "#play", "#step", "#speed"].map((name) => page.locator(name));
            const all = (state) => Promise.all(buttons.map((button) => button[state]()));
            await until("its buttons are off", async () => (await all("isDisabled")).every(Boolean));
            const { run } = await stateOf(page);
            await page.keyboard.press("Backspace");
            await page.keyboard.press(" ");
            await untilState(page, "both are refused", (s) => s.log.filter((i) => i.kind === "refused").length >= 2);
            const after = await stateOf(page);
            assert.deepEqual([after.run, after.state], [run, "running"]);
            other.send({ type: "release", robot: 0 });
            clearInterval(timer);
            await until("its buttons are on again", async () => (await all("isEnabled")).every(Boolean));
        } finally {
            clearInterval(timer);
            other.destroy();
        }
    });

    await test("what is not an input of the viewer, or beyond its range, is not driven", async () => {
        const client = await Viewer.connect(server.url);
        for (const values of [
            [[9999, 1]],
            [[-1, 1]],
            [[0.5, 1]],
            [["left", 1]],
            [[client.hello.inputs[0].index, "1"]],
        ]) {
            const refused = client.next("refused");
            client.send({ type: "drive", robot: 0, values });
            await refused;
        }
        await watch();
        const [left] = client.hello.inputs.filter((i) => i.name === "left");
        const drive = () =>
            client.send({ type: "drive", robot: 0, values: [[left.index, 1000 * left.high]] });
        const timer = setInterval(drive, 20);
        const volts = await until("it is driven", () => driven() && witness.values[LEFT]).finally(() =>
            clearInterval(timer),
        );
        assert.ok(Math.abs(volts) <= left.high, `${volts} V`);
        client.send({ type: "release", robot: 0 });
        await seatIsFree();
        client.destroy();
    });
}

async function robots() {
    const other = await serve(program, ["scenarios/drive_two.yaml", "--port", "0"]);
    const driver = await openPage(browser, other.url);
    await driver.locator("#tab-drive").click();
    await test("the robot chosen to drive is the one that the camera follows", async () => {
        assert.equal(await driver.locator("#body option:checked").textContent(), "red");
        await driver.locator("#drive-robot").selectOption({ label: "blue" });
        assert.equal(await driver.locator("#body option:checked").textContent(), "blue");
    });

    await test("the log says you where it means this page", async () => {
        await driver.keyboard.press("w");
        await until("it is said", async () =>
            /You drive blue/.test(await driver.locator("#log-list").textContent()),
        );
        await driver.keyboard.press("Escape");
    });

    await test("arrow keys on a tab change the tab and do not drive", async () => {
        await untilState(driver, "nobody drives", (s) => s.drive.state === "neutral");
        await driver.locator("#tab-drive").focus();
        await driver.keyboard.press("ArrowRight");
        assert.ok(await driver.locator("#panel-parameters").isVisible());
        assert.equal((await stateOf(driver)).drive.state, "neutral");
        await driver.evaluate(() => document.activeElement?.blur());
    });

    await test("a page whose server hangs lets go of the controls", async () => {
        await driver.keyboard.down("w");
        await untilState(driver, "it drives", (s) => s.drive.state === "driving");
        other.child.kill("SIGSTOP");
        await untilState(driver, "it lets go", (s) => s.drive.state !== "driving");
        other.child.kill("SIGCONT");
        await driver.keyboard.up("w");
        await untilState(driver, "it is connected again", (s) => s.connected);
        assert.deepEqual(driver.problems, []);
    });
    await closePage(driver);
    await stop(other);
}

// A controller of the standard layout, as far as the page can tell.
const plugIn = (driver) =>
    driver.evaluate(() => {
        const buttons = Array.from({ length: 16 }, () => ({ pressed: false, value: 0 }));
        const pad = { id: "test pad", index: 0, mapping: "standard", connected: true, axes: [0, 0, 0, 0], buttons };
        window.testPad = pad;
        navigator.getGamepads = () => [{ ...pad, axes: [...pad.axes] }];
        dispatchEvent(new Event("gamepadconnected"));
    });
const pressButton = (driver, pressed) =>
    driver.evaluate((is) => (window.testPad.buttons[0] = { pressed: is, value: is ? 1 : 0 }), pressed);
const holdSticks = (driver, ...axes) => driver.evaluate((values) => (window.testPad.axes = values), axes);

// A robot that moves sideways, by a controller; its driver looks along -y and it looks along x.
async function sideways() {
    const DIRECTION = "robot.motion.direction"; // to the left of its heading [rad]
    const other = await serve(program, ["scenarios/xdrive_drive.yaml", "--port", "0"]);
    const driver = await openPage(browser, other.url);
    const looker = await Viewer.connect(other.url);
    const speed = () => Math.hypot(looker.values["robot.velocity.x"], looker.values["robot.velocity.y"]);
    const goes = (what, x, y) =>
        until(what, () => {
            const { "robot.velocity.x": vx, "robot.velocity.y": vy } = looker.values;
            return speed() > 0.2 && (vx * x + vy * y) / speed() > 0.98 && `${vx.toFixed(2)}, ${vy.toFixed(2)} m/s`;
        });
    const rest = async () => {
        await holdSticks(driver, 0, 0, 0, 0);
        await until("it stands", () => speed() < 0.02 && Math.abs(looker.values["robot.velocity.heading"]) < 0.02);
    };
    const velocity = ["x", "y", "heading"].map((axis) => `robot.velocity.${axis}`);
    await looker.watch(DIRECTION, ...velocity, "robot.pose.heading", "robot.control.frame");
    await driver.locator("#tab-drive").click();
    await plugIn(driver);

    await test("a button of the controller takes the seat, and its sticks move a robot any way", async () => {
        // A button that is down when the page first sees the controller starts nothing: up and down until it is seen
        let down = true;
        const press = async () => {
            await pressButton(driver, (down = !down));
            return (await stateOf(driver)).drive.state === "driving";
        };
        await until("it drives", press, 90, 0.1);
        await pressButton(driver, false);
        assert.equal((await stateOf(driver)).drive.profile, "strafe");
        await holdSticks(driver, 0, -0.6, 0, 0);
        const ahead = await goes("forward on the stick is where it looks", 1, 0);
        await rest();
        await holdSticks(driver, 0.6, 0, 0, 0);
        await goes("right on the stick is its right", 0, -1);
        await rest();
        const looked = looker.values["robot.pose.heading"];
        await holdSticks(driver, 0, 0, 0.5, 0);
        await until("it turns right", () => looker.values["robot.velocity.heading"] < -0.3);
        // however seldom a busy machine lets anybody look: the next ones need it turned
        await until("it looks elsewhere", () => looker.values["robot.pose.heading"] < looked - 0.7);
        await rest();
        return ahead;
    });

    await test("with one switch forward is away from the driver, wherever the robot looks", async () => {
        await driver.locator('[data-test="input-field_oriented-1"]').click();
        await holdSticks(driver, 0, -0.6, 0, 0);
        const away = await goes("it moves away", 0, -1);
        await rest();
        await holdSticks(driver, 0, 0.6, 0, 0);
        await goes("it comes back", 0, 1);
        await rest();
        return away;
    });

    await test("a button on the page makes where it looks forward, and is up again by itself", async () => {
        // A busy machine may have let it turn all the way round.
        const askew = () => Math.abs(looker.values["robot.control.frame"]) > 0.5;
        await until("it looks elsewhere than its frame", async () => {
            if (askew()) return true;
            await holdSticks(driver, 0, 0, 0.3, 0);
            await until("it turns", askew);
            await rest();
            return askew();
        });
        const button = driver.locator("#input-rezero");
        await button.click();
        await until("it is seen", () => Math.abs(looker.values["robot.control.frame"]) < 0.05);
        await until("it is up", async () => (await button.getAttribute("aria-pressed")) === "false");
        await holdSticks(driver, 0, -0.6, 0, 0);
        await until("it moves where it looks", () => speed() > 0.2 && Math.abs(looker.values[DIRECTION]) < 0.1);
        await rest();
    });

    await test("so it does by keys: A and D move it, Q and E turn it", async () => {
        await driver.keyboard.down("a");
        await until("it moves to its left", () => speed() > 0.2 && Math.abs(looker.values[DIRECTION] - 1.57) < 0.2);
        await driver.keyboard.up("a");
        await rest();
        await driver.keyboard.down("q");
        await until("it turns left", () => looker.values["robot.velocity.heading"] > 0.3);
        await driver.keyboard.up("q");
        await rest();
        assert.deepEqual(driver.problems, []);
    });

    await test("two sticks and what they set have room on a phone, either way", async () => {
        for (const size of [PHONE, { width: 390, height: 844 }]) {
            const phone = await openPage(browser, other.url, { size, touch: true });
            await phone.locator("#panel-toggle").tap();
            await phone.locator("#tab-drive").tap();
            const cut = await phone.locator("#panel-drive").evaluate((panel) => {
                const right = panel.getBoundingClientRect().right;
                const parts = [...panel.querySelectorAll(".stick, .drive-bars > *")];
                return parts.filter((part) => part.getBoundingClientRect().right > right).map((part) => part.className);
            });
            assert.deepEqual(cut, [], `${size.width} x ${size.height}`);
            assert.equal(await phone.locator(".stick:visible").count(), 2);
            await closePage(phone);
        }
    });
    looker.destroy();
    await closePage(driver);
    await stop(other);
}

// A cylinder on a bench: a valve of 0 to 10 V that stands at 5.25 V, and nothing to drive.
async function undriven() {
    const other = await serve(program, ["scenarios/cylinder_hand.yaml", "--port", "0"]);
    const hand = await openPage(browser, other.url);
    const looker = await Viewer.connect(other.url);
    await looker.watch("valve.voltage");
    await hand.locator("#tab-drive").click();

    await test("a robot without a drive has sliders for its inputs, and no stick", async () => {
        assert.equal(await hand.locator(".stick:visible, #drive-limit:visible, #drive-map:visible").count(), 0);
        assert.match(await hand.locator("#drive-state").innerText(), /No drive/);
        assert.match(await hand.locator("#drive-why").innerText(), /set its inputs below/);
        const valve = hand.locator("#input-valve");
        assert.deepEqual([await valve.getAttribute("min"), await valve.getAttribute("max")], ["0", "10"]);
        await valve.fill("8");
        await until("the valve follows its slider", () => looker.values["valve.voltage"] === 8);
        assert.equal((await stateOf(hand)).drive.state, "driving");
        await hand.keyboard.press("Escape");
        await until("it is let go", () => looker.values["valve.voltage"] === 5.25);
    });

    await test("keys for driving do nothing to it", async () => {
        await hand.evaluate(() => document.activeElement?.blur());
        await hand.keyboard.down("w");
        // A key takes the seat before the page hears of the next one, which opens the list of keys
        await hand.keyboard.press("?");
        await hand.locator("dialog[open]").waitFor();
        assert.equal((await stateOf(hand)).drive.state, "neutral");
        assert.equal(await hand.locator("dialog[open]").getByText("turn left").count(), 0);
        await hand.keyboard.up("w");
        assert.deepEqual(hand.problems, []);
    });
    looker.destroy();
    await closePage(hand);
    await stop(other);
}

async function parameters() {
    await test("a parameter's slider changes the plant, and shows in other viewers", async () => {
        await watch();
        const { path, value, high } = witness.hello.parameters[0];
        await page.locator("#tab-parameters").click();
        const slider = page.locator(`[data-test="slider-${path}"]`);
        const echo = witness.next("parameter");
        await slider.focus();
        await slider.press("End");
        const { index, value: changed } = await echo;
        assert.equal(index, 0);
        near(changed, high, 0.01 * high, path); // the slider has steps of its own
        await untilState(page, "the page has it", (s) => s.parameters[path] === changed);
        const other = await openPage(browser, server.url);
        await untilState(other, "a new page has it", (s) => s.parameters[path] === changed);
        await closePage(other);
        witness.send({ type: "parameter", index: 0, value });
        await untilState(page, "a change elsewhere shows here", (s) => s.parameters[path] === value);
    });

    await test("a heavier robot speeds up more slowly", async () => {
        await watch();
        const index = witness.hello.parameters.findIndex((p) => /mass$/.test(p.path));
        const mass = witness.hello.parameters[index];
        // The same command from rest after a reset, with the mass and with three times it: how far in 0.5 s
        const run = async (value) => {
            const { run: before } = witness;
            witness.send({ type: "reset" });
            await until("a new run is there", () => witness.run > before && witness.time > 0.05);
            witness.send({ type: "parameter", index, value });
            const inputs = witness.hello.inputs.filter((input) => ["left", "right"].includes(input.name));
            const values = inputs.map((input) => [input.index, 0.3 * input.high]);
            const start = {
                time: witness.time,
                x: witness.values["robot.pose.x"],
                y: witness.values["robot.pose.y"],
            };
            const timer = setInterval(() => witness.send({ type: "drive", robot: 0, values }), 20);
            await until("half a second has passed", () => witness.time > start.time + 0.5).finally(() =>
                clearInterval(timer),
            );
            return Math.hypot(
                witness.values["robot.pose.x"] - start.x,
                witness.values["robot.pose.y"] - start.y,
            );
        };
        // A machine that is too busy for a word every 125 ms drives by fits and starts: then once more
        return until("the heavy one is slower", async () => {
            const light = await run(mass.value);
            const heavy = await run(Math.min(3 * mass.value, mass.max));
            return light > 0.02 && heavy < 0.8 * light && `${light.toFixed(3)} m and ${heavy.toFixed(3)} m`;
        });
    });
}

async function recording() {
    await test("a recorded run with a change of a parameter, run again, ends in the same state", async () => {
        const file = `${folder}/drive.wpilog`;
        const recorded = await serve(program, [
            "scenarios/drive.yaml",
            "--port",
            "0",
            "--duration",
            "40 s",
            "--speed",
            "0.2",
            "--paused",
            "--record",
            file,
        ]);
        const driver = await openPage(browser, recorded.url);
        const begin = await stateOf(driver);
        await driver.locator("#tab-parameters").click();
        const slider = driver.locator("[data-test^=slider-]").first();
        await slider.focus();
        await driver.keyboard.down("w");
        await driver.evaluate(() => window.ironbird.app.link.send({ type: "play" }));
        await untilState(
            driver,
            "it drives",
            (s) => s.values["robot.pose.x"] > begin.values["robot.pose.x"] + 0.1,
        );
        for (let i = 0; i < 3; i++) await slider.press("PageUp");
        await driver.keyboard.down("a");
        await untilState(driver, "it turns", (s) => s.values["robot.pose.heading"] > 0.1);
        await driver.keyboard.up("a");
        await driver.keyboard.up("w");
        await driver.evaluate(() => window.ironbird.app.link.send({ type: "speed", value: 100 }));
        const end = await untilState(driver, "the run ends", (s) => s.state === "ended");
        assert.notDeepEqual(end.parameters, begin.parameters, "no parameter was changed");
        await closePage(driver);
        assert.equal(await stop(recorded), 130);
        const again = spawnSync(program, ["replay", file], { encoding: "utf8", timeout: 120000 });
        assert.equal(again.status, 0, `${again.stdout}${again.stderr}`);
    });
}

await suite(async () => {
    server = await serve(program, ["scenarios/drive.yaml", "--port", "0"]);
    browser = await launch();
    page = await openPage(browser, server.url);
    witness = await Viewer.connect(server.url);
    await witness.watch(LEFT, RIGHT, "robot.pose.x", "robot.pose.y");
    await keys();
    await losses();
    await seats();
    await robots();
    await sideways();
    await undriven();
    await parameters();
    await test("all the while the page had no errors", async () => assert.deepEqual(page.problems, []));
    await stop(server);
    await recording();
    await browser.close();
});
