// Takes the pictures of docs/tutorials/autonomous.md: node docs/figures/autonomous.mjs PROGRAM SCENARIO FOLDER
import { closePage, launch, openPage, untilState } from "../../test/viewer/browser.mjs";
import { serve, stop } from "../../test/viewer/program.mjs";
import { sleep } from "../../test/viewer/suite.mjs";

const [program, scenario, folder] = process.argv.slice(2);
const server = await serve(program, [scenario, "--paused", "--speed", "2", "--port", "0"]);
const browser = await launch();
const page = await openPage(browser, server.url, { size: { width: 1280, height: 640 } });
await page.locator("#tab-steps").click();
await page.keyboard.press("2"); // from above
await page.evaluate(() => window.ironbird.app.link.send({ type: "play" }));
await untilState(page, "it is on its way back", (s) => s.time > 11.5, 60);
await page.evaluate(() => window.ironbird.app.link.send({ type: "pause" }));
await untilState(page, "it is paused", (s) => s.state === "paused");
await sleep(2);
await page.screenshot({ path: `${folder}/autonomous_viewer.png` });
await closePage(page);
await browser.close();
process.exit((await stop(server)) === 130 ? 0 : 1);
