// Makes the page: web/index.html, web/*.css and web/src/main.ts with all they import become the one
// file web/dist/index.html, which is compiled into the program.
//
//   node web/build.mjs           writes web/dist/index.html
//   node web/build.mjs --check   says whether web/dist/index.html is what the sources give
//   node web/build.mjs --test    runs web/test/*.test.mjs, which may import from ../src/*.ts
//
// The same sources and lock file give the same bytes on every machine.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

const web = dirname(fileURLToPath(import.meta.url));
const target = join(web, "dist", "index.html");
const browsers = ["chrome100", "firefox100", "safari15"];
const bundled = ["three", "uplot"]; // whose code ends up in the page

const read = (...path) => readFileSync(join(web, ...path), "utf8").replaceAll("\r\n", "\n");

function namesIn(folder, ending) {
    const path = join(web, folder);
    if (!existsSync(path)) return [];
    return readdirSync(path)
        .filter((name) => name.endsWith(ending))
        .sort();
}

// The script, and the style sheets that it imports (uPlot's).
async function bundle() {
    const result = await esbuild.build({
        absWorkingDir: web,
        entryPoints: ["src/main.ts"],
        outdir: "dist",
        bundle: true,
        minify: true,
        format: "iife",
        target: "es2020",
        charset: "ascii", // no byte depends on how the page is read
        legalComments: "none", // the licences stand in full at the end of the page
        logLevel: "warning",
        write: false,
    });
    const text = (ending) => result.outputFiles.find((file) => file.path.endsWith(ending))?.text ?? "";
    return { script: text(".js").trim(), imported: text(".css") };
}

// Imported sheets first, so that ours win; then web/*.css in the order of their names.
async function style(imported) {
    const sheets = [imported, ...namesIn(".", ".css").map((name) => read(name))].join("\n");
    const result = await esbuild.transform(sheets, { loader: "css", minify: true, target: browsers });
    return result.code.trim();
}

const sha256 = (text) => `'sha256-${createHash("sha256").update(text, "utf8").digest("base64")}'`;

// Nothing runs that is not in the page, and nothing is fetched but the page's own socket.
function policy(html) {
    const scripts = [...html.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)].map((match) => sha256(match[1]));
    const styles = [...html.matchAll(/<style[^>]*>([\s\S]*?)<\/style>/g)].map((match) => sha256(match[1]));
    return [
        "default-src 'none'",
        `script-src ${scripts.join(" ")}`,
        `style-src-elem ${styles.join(" ")}`,
        "style-src-attr 'unsafe-inline'",
        "img-src data: blob:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
    ].join("; ");
}

function licences() {
    const texts = bundled.map((name) => {
        const { version } = JSON.parse(read("node_modules", name, "package.json"));
        return `${name} ${version}\n\n${read("node_modules", name, "LICENSE").trim()}`;
    });
    return ["This page contains the following works.", ...texts].join("\n\n").replaceAll("--", "- -");
}

// `insert` goes right before the last `mark`; a function as replacement keeps "$&" in scripts as it is.
function before(html, mark, insert) {
    const at = html.lastIndexOf(mark);
    if (at < 0) throw new Error(`web/index.html: there is no ${mark}`);
    return html.slice(0, at) + insert + html.slice(at);
}

async function page() {
    const { script, imported } = await bundle();
    if (/<\/script/i.test(script)) throw new Error("the bundle contains </script: it cannot stand in a page");
    // Comments of the template are for its readers, not for the browser.
    const template = read("index.html").replace(/<!--[\s\S]*?-->\s*/g, "");
    const styled = before(template, "</head>", `<style>${await style(imported)}</style>\n`);
    const whole = before(styled, "</body>", `<script>${script}</script>\n`);
    const meta = `<meta http-equiv="Content-Security-Policy" content="${policy(whole)}">`;
    // Right after <meta charset>, which must be within the first 1024 bytes and above any script.
    const charset = /<meta charset="utf-8"\s*\/?>/i.exec(whole);
    if (!charset) throw new Error('web/index.html: there is no <meta charset="utf-8">');
    const at = charset.index + charset[0].length;
    return `${whole.slice(0, at)}\n${meta}${whole.slice(at).trimEnd()}\n<!--\n${licences()}\n-->\n`;
}

async function check() {
    const wanted = await page();
    if (!existsSync(target)) {
        console.error("web/dist/index.html is missing: make it with `node web/build.mjs`");
        return 1;
    }
    const have = readFileSync(target, "utf8");
    if (have === wanted) return 0;
    let at = 0;
    while (at < have.length && have[at] === wanted[at]) at++;
    console.error(
        `web/dist/index.html is not what its sources give (${have.length} characters, expected ${wanted.length}; ` +
            `the first difference is at ${at}): run \`node web/build.mjs\` and commit the result`,
    );
    return 1;
}

async function test() {
    const names = namesIn("test", ".test.mjs");
    if (names.length === 0) {
        console.error("web/test has no *.test.mjs");
        return 1;
    }
    const folder = join(web, "node_modules", ".cache", "ironbird-test");
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    await esbuild.build({
        absWorkingDir: web,
        entryPoints: names.map((name) => `test/${name}`),
        outdir: folder,
        outExtension: { ".js": ".mjs" },
        bundle: true,
        platform: "node",
        format: "esm",
        target: "node18",
        loader: { ".css": "empty" },
        logLevel: "warning",
    });
    const files = names.map((name) => join(folder, name));
    const result = spawnSync(process.execPath, ["--test", "--test-reporter=tap", ...files], {
        stdio: "inherit",
    });
    return result.status ?? 1;
}

async function build() {
    const html = await page();
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, html);
    console.log(`web/dist/index.html: ${Buffer.byteLength(html)} bytes`);
    return 0;
}

const modes = { "--check": check, "--test": test };
const word = process.argv[2];
if (word !== undefined && !(word in modes)) {
    console.error("usage: node web/build.mjs [--check | --test]");
    process.exit(2);
}
try {
    process.exitCode = await (modes[word] ?? build)();
} catch (error) {
    console.error(`web/build.mjs: ${error.message}`);
    process.exitCode = 1;
}
