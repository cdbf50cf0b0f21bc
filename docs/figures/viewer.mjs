// Takes pictures of the viewer, with docs/img/walk_strip.png: node docs/figures/viewer.mjs PROGRAM RECORDINGS FOLDER
import { existsSync, readFileSync } from "node:fs";
import { DESK, launch, openPage, stateOf, untilState } from "../../test/viewer/browser.mjs";
import { serve, stop } from "../../test/viewer/program.mjs";
import { sleep } from "../../test/viewer/suite.mjs";

const [program, recordings, folder] = process.argv.slice(2);
const MOMENT = 36; // [s]: the robot is under way
// Recordings: a team's robot with its lift up; mechanisms on a bench; an arm that has gone
// round two discs; a robot on four legs, leaning; one leg on its way.
const REPLAYS = [
    { recording: "team_match", moment: 5.6, camera: "3", nearer: 120, name: "team" },
    { recording: "bench_mechanisms", moment: 1.2, camera: "1", nearer: 960, name: "bench" },
    { recording: "arm_two_discs", moment: 0.96, camera: "1", nearer: 240, name: "arm" },
    { recording: "quadruped_stand", moment: 3.14, camera: "1", nearer: 720, name: "quadruped" },
    { recording: "leg_walk", moment: 6.8, camera: "1", nearer: 480, name: "leg" },
];

// The live run stops a little before the moment and goes there by steps, so that every set of pictures
// shows the same scene. What the charts show goes by at little more than real time, where frames are near each
// other and nobody counts steps that a busy machine makes late.
async function runTo(page, moment) {
    const ask = (message) => page.evaluate((m) => window.ironbird.app.link.send(m), message);
    await ask({ type: "speed", value: 5 });
    await ask({ type: "play" });
    await untilState(page, "the charts begin there", (s) => s.time > moment - 21, 60);
    await ask({ type: "speed", value: 1.5 });
    await untilState(page, "it is almost there", (s) => s.time > moment - 0.4, 60);
    await ask({ type: "pause" });
    let { time } = await untilState(page, "it is paused", (s) => s.state === "paused");
    const step = await page.evaluate(() => window.ironbird.app.hello.step);
    for (let left = Math.round((moment - time) / step); left > 0; left -= 30) {
        await ask({ type: "step", count: Math.min(left, 30) });
        const before = time;
        ({ time } = await untilState(page, "it has made these steps", (s) => s.time > before));
    }
    await untilState(page, "it is there", (s) => Math.abs(s.time - moment) < 1e-6);
    await ask({ type: "speed", value: 1 });
    await sleep(2); // charts and scene draw what has come, the scene at last in full sharpness
}

// Messages that have popped up on the way would hide the scene.
async function tidy(page) {
    for (const button of await page.locator("[data-test=dismiss]").all())
        await button.click().catch(() => {});
    await page.mouse.move(5, 5);
    await sleep(0.3);
}

async function picture(page, name) {
    await page.screenshot({ path: `${folder}/viewer_${name}.png` });
    console.log(`docs/img/viewer_${name}.png at ${(await stateOf(page)).time} s`);
}

async function look(page, { theme, size }) {
    await page.setViewportSize(size);
    await page.evaluate((value) => window.ironbird.app.settings.set("theme", value), theme);
    await sleep(1);
}

async function live(browser) {
    const server = await serve(program, ["scenarios/match.yaml", "--port", "0", "--paused"]);
    const page = await openPage(browser, server.url);
    await runTo(page, MOMENT);
    await tidy(page);
    for (const theme of ["light", "dark"]) {
        await look(page, { theme, size: DESK });
        await picture(page, theme);
    }
    await stop(server);
}

// A recording at a moment. camera: its key; nearer: how far a mouse wheel turns.
async function replay(browser, { recording, moment, camera, nearer, name }) {
    const log = `${recordings}/${recording}.wpilog`;
    const server = await serve(program, ["--log", log, "--port", "0", "--paused"]);
    const page = await openPage(browser, server.url);
    await page.keyboard.press(camera);
    await page.mouse.move(420, 350);
    for (let turned = 0; turned < nearer; turned += 240) {
        await page.mouse.wheel(0, -Math.min(240, nearer - turned));
        await sleep(0.1);
    }
    await page.locator("#scrub").fill(String(moment));
    await untilState(page, "it is there", (s) => Math.abs(s.time - moment) < 0.03);
    await page.evaluate(() => document.activeElement.blur());
    await tidy(page);
    await sleep(2);
    await picture(page, name);
    await stop(server);
}

// A loop that is too fierce on one side, beside the file's own.
async function design(browser) {
    const server = await serve(program, ["designs/drivetrain.yaml", "--port", "0"]);
    const page = await openPage(browser, server.url);
    const type = async (path, text) => {
        await page.locator(`[data-test="box-${path}"]`).fill(text);
        await page.locator(`[data-test="box-${path}"]`).press("Enter");
    };
    await type("lqr.tolerance.x_left", "0.02");
    await type("push.right", "2");
    await untilState(page, "it is shown", (s) => !s.busy && s.values["push.right"] === 2);
    await page.evaluate(() => {
        document.activeElement.blur();
        document.querySelector(".design-left").scrollTop = 0;
    });
    await page.mouse.move(5, 5);
    await sleep(0.5);
    await page.screenshot({ path: `${folder}/viewer_design.png` });
    console.log("docs/img/viewer_design.png");
    await stop(server);
}

// A robot that goes sideways, by a controller, seen from the driver's side: away and a little to the right, while it turns;
// then the stick goes to the left, and the picture has the forces of that. As above, nobody counts late steps.
async function strafe(browser) {
    const server = await serve(program, ["scenarios/xdrive_drive.yaml", "--port", "0", "--paused"]);
    const page = await openPage(browser, server.url);
    await page.locator("#tab-drive").click();
    await page.evaluate(() => {
        const buttons = Array.from({ length: 16 }, () => ({ pressed: false, value: 0 }));
        const pad = { id: "Gamepad", index: 0, mapping: "standard", connected: true, axes: [0, 0, 0, 0], buttons };
        window.figurePad = pad;
        navigator.getGamepads = () => [{ ...pad, axes: [...pad.axes] }];
        dispatchEvent(new Event("gamepadconnected"));
    });
    await page.keyboard.press("2");
    await page.locator('[data-test="input-field_oriented-1"]').click();
    const push = (axes) => page.evaluate((value) => (window.figurePad.axes = value), axes);
    const ask = (message) => page.evaluate((m) => window.ironbird.app.link.send(m), message);
    await push([0.3, -0.6, 0.25, 0]);
    await ask({ type: "speed", value: 1.5 });
    await ask({ type: "play" });
    await untilState(page, "it is on its way", (s) => s.values["robot.pose.y"] < 0.4);
    await push([-0.6, -0.6, 0.25, 0]);
    await untilState(page, "its wheels push", (s) => Math.abs(s.values["robot.wheel.1.force"]) > 5);
    await ask({ type: "pause" });
    await untilState(page, "it is paused", (s) => s.state === "paused");
    await ask({ type: "speed", value: 1 });
    await sleep(2);
    await tidy(page);
    await picture(page, "xdrive");
    await stop(server);
}

// A strip of frames of a robot on legs, seen from its side, at the moments that docs/figures/walk.sh has found; the scene
// alone, frames side by side on a page of their own.
async function strip(browser, name, nearer) {
    const server = await serve(program, ["--log", `${recordings}/${name}.wpilog`, "--port", "0", "--paused"]);
    const page = await openPage(browser, server.url);
    await page.evaluate(() => {
        const sheet = new CSSStyleSheet(); // its policy takes no other
        sheet.replaceSync("#legend, #view-tools, #labels .metres { display: none !important }");
        document.adoptedStyleSheets = [sheet];
    });
    for (const key of ["trail", "forceArrows"]) {
        await page.evaluate((name) => window.ironbird.app.settings.set(name, false), key);
    }
    const { x, y, width, height } = await page.locator("#scene").boundingBox();
    const [middle, centre] = [x + width / 2, y + height / 2];
    await page.mouse.move(middle, centre);
    await page.mouse.down();
    await page.mouse.move(middle - 50, centre - 45, { steps: 5 });
    await page.mouse.up();
    for (let turned = 0; turned < nearer; turned++) await page.mouse.wheel(0, -240);
    const [wide, high] = [400, 240];
    const frames = readFileSync(`${recordings}/${name}_frames`, "utf8").trim().split("\n");
    const figures = [];
    for (const frame of frames) {
        const [time, ...words] = frame.split(" ");
        await page.locator("#scrub").fill(time);
        await untilState(page, "it is there", (s) => Math.abs(s.time - time) < 0.03);
        await page.mouse.move(5, 5);
        await sleep(2);
        const sign = await page.locator(".mark-sign span").boundingBox();
        const clip = { x: sign.x - wide / 2, y: sign.y - 0.36 * high, width: wide, height: high };
        const png = (await page.screenshot({ clip })).toString("base64");
        const after = (time - frames[0].split(" ")[0]).toFixed(2);
        figures.push(`<figure><img src="data:image/png;base64,${png}">${after} s: ${words.join(" ")}</figure>`);
    }
    const style = `body { margin: 0; display: grid; grid-template-columns: repeat(3, ${wide}px); gap: 6px; background: #fff }
        figure { margin: 0; font: 17px sans-serif; text-align: center } img { display: block; margin-bottom: 3px }`;
    const sheet = await page.context().newPage();
    await sheet.setContent(`<style>${style}</style>${figures.join("")}`);
    await sheet.setViewportSize({ width: 3 * wide + 12, height: (figures.length / 3) * (high + 26) + 6 });
    await sheet.screenshot({ path: `${folder}/${name}_strip.png` });
    console.log(`docs/img/${name}_strip.png, ${figures.length} frames`);
    await stop(server);
}

const browser = await launch();
await live(browser);
await strafe(browser);
for (const one of REPLAYS) await replay(browser, one);
for (const [name, nearer] of [["walk", 4], ["rise", 2]]) // all.sh makes them before
    if (existsSync(`${recordings}/${name}_frames`)) await strip(browser, name, nearer);
await design(browser);
await browser.close();
