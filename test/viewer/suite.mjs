// A runner for tests that share one server: each is a claim, run in order, reported as "ok" or "not ok".
import assert from "node:assert/strict";

export { assert };

let failures = 0;

// The first lines of an error, indented: test/run.sh shows them below the "not ok".
function tell(error) {
    const lines = String(error?.stack ?? error).split("\n");
    for (const line of lines.slice(0, 6)) console.log(`    ${line}`);
}

// Bounds here are for a busy machine: a check waits for what it claims, and takes no longer than that.
export async function test(name, body, seconds = 180) {
    let timer;
    const late = new Promise((_, reject) => {
        timer = setTimeout(() => reject(new Error(`not done within ${seconds} s`)), 1000 * seconds);
    });
    try {
        const remark = await Promise.race([body(), late]);
        console.log(`ok viewer: ${name}${remark ? ` (${remark})` : ""}`);
    } catch (error) {
        failures++;
        console.log(`not ok viewer: ${name}`);
        tell(error);
    } finally {
        clearTimeout(timer);
    }
}

// Runs a whole file's tests and ends the process, whatever they have left open.
export async function suite(body) {
    try {
        await body();
    } catch (error) {
        failures++;
        console.log("not ok viewer: the tests themselves");
        tell(error);
    }
    process.exit(failures === 0 ? 0 : 1);
}

export const sleep = (seconds) => new Promise((resolve) => setTimeout(resolve, 1000 * seconds));

// Waits until `question` answers with something true, and returns that.
export async function until(what, question, seconds = 90, pause = 0.02) {
    const end = performance.now() + 1000 * seconds;
    for (;;) {
        const answer = await question();
        if (answer) return answer;
        if (performance.now() > end) throw new Error(`waited ${seconds} s in vain until ${what}`);
        await sleep(pause);
    }
}

export function near(value, wanted, tolerance, what) {
    const good = Math.abs(value - wanted) <= tolerance; // false for NaN
    assert.ok(good, `${what}: ${value}, expected ${wanted} +- ${tolerance}`);
}
