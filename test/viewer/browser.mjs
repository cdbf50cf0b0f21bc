// The page in a real browser (chromium, without a screen), and what went wrong in it.
import { createRequire } from "node:module";
import { existsSync } from "node:fs";
import { sleep, until } from "./suite.mjs";

// playwright-core stands with the page's own packages.
const require = createRequire(new URL("../../web/package.json", import.meta.url));
const { chromium } = require("playwright-core");

const PATHS = [
    process.env.CHROMIUM,
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome",
];

export function launch() {
    const executablePath = PATHS.find((path) => path && existsSync(path));
    if (!executablePath) throw new Error("chromium is missing: install Debian's package chromium");
    // WebGL by software, also where there is no GPU; root may not use the sandbox.
    const args = ["--no-sandbox", "--disable-dev-shm-usage", "--enable-unsafe-swiftshader"];
    return chromium.launch({ executablePath, args });
}

export const DESK = { width: 1280, height: 720 };
export const PHONE = { width: 740, height: 360 };

// A page of its own context (its own storage). `problems` collects console errors, exceptions, failed
// requests and answers; `requests` all addresses that were asked for.
export async function openPage(browser, url, { size = DESK, theme = "light", touch = false } = {}) {
    const context = await browser.newContext({
        viewport: size,
        colorScheme: theme,
        hasTouch: touch,
        isMobile: touch,
    });
    const page = await context.newPage();
    page.problems = [];
    page.requests = [];
    page.on("console", (message) => {
        if (message.type() === "error") page.problems.push(message.text());
    });
    page.on("pageerror", (error) => page.problems.push(String(error)));
    page.on("requestfailed", (request) => page.problems.push(`failed: ${request.url()}`));
    page.on("response", (response) => {
        if (response.status() >= 400) page.problems.push(`${response.status()}: ${response.url()}`);
    });
    page.on("request", (request) => page.requests.push(request.url()));
    page.on("websocket", (socket) => page.requests.push(socket.url()));
    await page.goto(String(url));
    // When the first frame of the simulation was on the screen, counted from the navigation [ms].
    page.firstFrame = await page.evaluate(
        () =>
            new Promise((resolve) => {
                const look = () => {
                    if (window.ironbird?.state().frames > 0)
                        requestAnimationFrame(() => resolve(performance.now()));
                    else setTimeout(look, 5);
                };
                look();
            }),
    );
    return page;
}

export const stateOf = (page) => page.evaluate(() => window.ironbird.state());

// Waits until the page's own state fulfils `question`, and returns it.
export function untilState(page, what, question, seconds = 90) {
    return until(
        what,
        async () => {
            const state = await stateOf(page);
            return question(state) ? state : null;
        },
        seconds,
    );
}

export const pictureOf = (page) => page.locator("#scene").screenshot();

// The scene once it stays the same for a second: where nothing moves, the last frame is drawn, and after a while a
// finer one.
export function restingPicture(page) {
    return until("the picture stays the same for a second", async () => {
        const picture = await pictureOf(page);
        await sleep(1);
        return picture.equals(await pictureOf(page)) && picture;
    });
}

// Where something is, once it stands still there: panels slide in and out.
export async function restingBox(locator) {
    let box = null;
    await until(
        "it stands still",
        async () => {
            const before = JSON.stringify(box);
            box = await locator.boundingBox();
            return box && JSON.stringify(box) === before;
        },
        30,
        0.2,
    );
    return box;
}

export async function closePage(page) {
    await page.context().close();
}
