// Starts `ironbird serve` and ends it.
import { spawn } from "node:child_process";

const running = new Set();
process.on("exit", () => running.forEach((child) => child.kill("SIGKILL")));

// serve(PROGRAM, ARGUMENTS): resolves once the program has printed its address. ASan ends a program on
// its first finding with a code of its own, so that a finding cannot look like an orderly end. Its search for
// leaks at the end takes seconds (4 s on arm64), so that it is asked for only where it matters.
export function serve(program, args, { leaks = false, seconds = 60 } = {}) {
    const options = `exitcode=99:detect_leaks=${leaks ? 1 : 0}`;
    const child = spawn(program, ["serve", ...args], {
        stdio: ["ignore", "pipe", "pipe"],
        env: { ...process.env, ASAN_OPTIONS: options, UBSAN_OPTIONS: "print_stacktrace=1" },
    });
    running.add(child);
    const server = { child, stdout: "", stderr: "", code: null };
    server.ended = new Promise((resolve) => {
        child.on("close", (code, signal) => {
            running.delete(child);
            server.code = code ?? signal;
            resolve(server.code);
        });
    });
    return new Promise((resolve, reject) => {
        const timer = setTimeout(
            () => reject(new Error(`no address printed within ${seconds} s`)),
            1000 * seconds,
        );
        // With --json standard output is for the summary alone, and the address is told on the other one.
        const take = (stream) => (bytes) => {
            server[stream] += bytes;
            const found = /(http:\/\/\S+\/(\?token=\w+)?)\s/.exec(server[stream]);
            if (!found || server.url) return;
            clearTimeout(timer);
            server.url = new URL(found[1]);
            resolve(server);
        };
        child.stdout.on("data", take("stdout"));
        child.stderr.on("data", take("stderr"));
        server.ended.then((code) =>
            reject(new Error(`ended with ${code}: ${server.stderr || server.stdout}`)),
        );
    });
}

// Ctrl-C; the exit code, or null if it had to be killed.
export async function stop(server, seconds = 60) {
    server.child.kill("SIGINT");
    const late = new Promise((resolve) => setTimeout(resolve, 1000 * seconds, null));
    const code = await Promise.race([server.ended, late]);
    if (code === null) server.child.kill("SIGKILL");
    return code;
}

// What a sanitizer has said, if anything.
export function findings(server) {
    return /^.*(ERROR: \w+Sanitizer|runtime error:)[\s\S]{0,1500}/m.exec(server.stderr)?.[0] ?? "";
}
