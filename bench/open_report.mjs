// How long a browser takes to open pages, in turns: node bench/open_report.mjs OLD.html NEW.html
// First paint and load are told by the browser; "work" is the processor time of its page until two frames after the
// load are on the screen. Best of nine each, in ms.
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { DESK, launch } from "../test/viewer/browser.mjs";

const ROUNDS = 9;
const pages = process.argv.slice(2);
const best = pages.map(() => ({ paint: Infinity, load: Infinity, work: Infinity }));

const browser = await launch();
for (let round = 0; round < ROUNDS; round++)
    for (const [i, file] of pages.entries()) {
        const context = await browser.newContext({ viewport: DESK });
        const page = await context.newPage();
        const session = await context.newCDPSession(page);
        await session.send("Performance.enable");
        await page.goto(pathToFileURL(resolve(file)).href);
        const told = await page.evaluate(async () => {
            const frame = () => new Promise((done) => requestAnimationFrame(done));
            await frame();
            await frame();
            const paint = performance.getEntriesByName("first-contentful-paint")[0];
            const load = performance.getEntriesByType("navigation")[0];
            return { paint: paint ? paint.startTime : Infinity, load: load.loadEventEnd };
        });
        const { metrics } = await session.send("Performance.getMetrics");
        told.work = 1e3 * metrics.find((metric) => metric.name === "TaskDuration").value;
        for (const key of Object.keys(told)) best[i][key] = Math.min(best[i][key], told[key]);
        await context.close();
    }
await browser.close();
for (const [i, file] of pages.entries()) {
    const { paint, load, work } = best[i];
    console.log(`${file}: paint ${paint.toFixed(0)}, load ${load.toFixed(0)}, work ${work.toFixed(0)} ms`);
}
