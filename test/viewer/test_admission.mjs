// No web page but our own drives the robot: Host, Origin, token and path, the same for HTTP and WebSocket.
// node test_admission.mjs PROGRAM
import os from "node:os";
import net from "node:net";
import { serve, stop, findings } from "./program.mjs";
import { request, upgrade, Viewer } from "./socket.mjs";
import { assert, suite, test } from "./suite.mjs";

const program = process.argv[2];
const SCENARIO = "scenarios/drive.yaml";

// Origins that are not http://HOST: the null of a sandboxed frame or a file, other sites, names that begin
// or end like ours, other ports and schemes, other spellings of the same address, broken ones.
const foreignOrigins = (port) => [
    "null",
    "http://evil.example",
    "https://evil.example",
    `http://evil.example:${port}`,
    "file://",
    `http://127.0.0.1.evil.example:${port}`,
    `http://evil-127.0.0.1:${port}`,
    `http://localhost.evil.example:${port}`,
    `http://evillocalhost:${port}`,
    "http://127.0.0.1",
    `http://127.0.0.1:${port + 1}`,
    `http://127.0.0.1:${port}0`,
    `http://127.0.0.1:0${port}`,
    `https://127.0.0.1:${port}`,
    `ws://127.0.0.1:${port}`,
    `HTTP://127.0.0.1:${port}`,
    `http://[::1]:${port}`,
    `http://localhost.:${port}`,
    `http://127.0.0.1.:${port}`,
    `http://127.1:${port}`,
    `http://2130706433:${port}`,
    `http://0x7f000001:${port}`,
    `http://0.0.0.0:${port}`,
    `http://127.0.0.1:${port}/`,
    `http://user@127.0.0.1:${port}`,
    `http://127.0.0.1:${port}@evil.example`,
    `http://127.0.0.1:${port} http://evil.example`,
    `http://127.0.0.1:${port}, http://evil.example`,
    `http://127.0.0.1:${port}\tx`,
    `chrome-extension://abcdef`,
    "",
    "*",
];

// Names that a page under an attacker's name could have pointed at us (DNS rebinding), and other spellings.
const foreignHosts = (port) => [
    "evil.example",
    `evil.example:${port}`,
    `127.0.0.1.evil.example:${port}`,
    `localhost.evil.example:${port}`,
    `evil-localhost:${port}`,
    `0.0.0.0:${port}`,
    `2130706433:${port}`,
    `0x7f000001:${port}`,
    `127.1:${port}`,
    `[::]:${port}`,
    `[::ffff:127.0.0.1]:${port}`,
    "127.0.0.1",
    "localhost",
    `127.0.0.1:${port + 1}`,
    `localhost:0${port}`,
    `localhost.:${port}`,
    `user@127.0.0.1:${port}`,
    `127.0.0.1:${port}:${port}`,
    `127.0.0.1:${port}/`,
    `:${port}`,
    "",
    ",",
    `${os.hostname()}:${port}`,
    `192.168.0.1:${port}`,
];

const endpoints = ["/", "/?token=00", "/socket", "/socket?token=00", "/index.html", "/api", "/socket/", "//"];

// Ways to say "a file above", and files that a careless server would hand out.
function traversals() {
    const ups = [
        "../",
        "..%2f",
        "%2e%2e/",
        "%2e%2e%2f",
        "..%5c",
        "..\\",
        "%252e%252e%252f",
        "..%c0%af",
        "....//",
        ".%00./",
        "..;/",
    ];
    const files = ["etc/passwd", "proc/self/environ", "README.md", "scenarios/drive.yaml"];
    const made = ups.flatMap((up) =>
        files.flatMap((file) => [`/${up.repeat(6)}${file}`, `/x/${up.repeat(8)}${file}`]),
    );
    return [
        ...made,
        "/etc/passwd",
        "//etc/passwd",
        "/./../etc/passwd",
        "/index.html%00.png",
        "/.git/config",
        "/.env",
        "/?file=/etc/passwd",
        "/socket?token=../../etc/passwd",
        "/%2fetc%2fpasswd",
        "/socket/../../etc/passwd",
        "file:///etc/passwd",
        "http://127.0.0.1/etc/passwd",
        "/web/dist/index.html",
        "/%",
        "/%zz",
        "/\u007f",
        "/*",
    ];
}

async function everywhere(server, headers, allowed) {
    let count = 0;
    for (const path of endpoints) {
        const { status } = await request(server.url, { path, headers });
        assert.ok(allowed.includes(status), `${path} with ${JSON.stringify(headers)}: ${status}`);
        count++;
    }
    return count;
}

async function own(server) {
    const url = server.url;
    const port = Number(url.port);

    await test("the page is served with its protecting headers", async () => {
        const { status, text } = await request(url);
        assert.equal(status, 200);
        for (const line of [
            /cache-control: *no-store/i,
            /x-content-type-options: *nosniff/i,
            /x-frame-options: *deny/i,
            /referrer-policy: *no-referrer/i,
            /content-type: *text\/html; *charset=utf-8/i,
        ])
            assert.match(text, line);
        assert.doesNotMatch(text, /access-control-allow/i);
    });

    await test("our own origin is let in, by HTTP and by WebSocket, as is none at all", async () => {
        for (const host of [`127.0.0.1:${port}`, `localhost:${port}`]) {
            for (const origin of [null, `http://${host}`]) {
                const headers = [["Host", host], ...(origin ? [["Origin", origin]] : [])];
                assert.equal((await request(url, { headers })).status, 200, `${host} ${origin}`);
                (await Viewer.connect(url, { host, origin })).destroy();
            }
        }
    });
}

async function origins(server) {
    const url = server.url;
    const port = Number(url.port);

    await test("a foreign Origin is refused, by HTTP and by WebSocket", async () => {
        let count = 0;
        for (const origin of foreignOrigins(port)) {
            // 400: a header that is no text of HTTP may be refused as such; 0: or closed without a word
            count += await everywhere(
                server,
                [
                    ["Host", url.host],
                    ["Origin", origin],
                ],
                [403, 404, 400],
            );
            const page = await request(url, {
                headers: [
                    ["Host", url.host],
                    ["Origin", origin],
                ],
            });
            assert.equal(page.status, 403, `Origin '${origin}'`);
            const socket = await request(url, upgrade(url, { origin }));
            assert.equal(socket.status, 403, `WebSocket, Origin '${origin}'`);
            count += 2;
        }
        return `${count} requests`;
    });
}

async function hosts(server) {
    const url = server.url;
    const port = Number(url.port);

    await test("a foreign Host is refused, by HTTP and by WebSocket", async () => {
        let count = 0;
        for (const host of foreignHosts(port)) {
            count += await everywhere(server, [["Host", host]], [403, 404, 400]);
            // Its own Origin, as a page under that name would send it
            const page = await request(url, {
                headers: [
                    ["Host", host],
                    ["Origin", `http://${host}`],
                ],
            });
            const socket = await request(url, upgrade(url, { host, origin: `http://${host}` }));
            for (const { status } of [page, socket])
                assert.ok([403, 400].includes(status), `Host '${host}': ${status}`);
            count += 2;
        }
        return `${count} requests`;
    });

    await test("no Host, or two of them, is refused", async () => {
        const twice = [
            ["Host", url.host],
            ["Host", "evil.example"],
        ];
        const socket = upgrade(url);
        socket.headers.splice(1, 0, ["Host", "evil.example"]);
        for (const what of [
            { headers: [] },
            { headers: twice },
            { headers: twice.reverse() },
            upgrade(url, { host: null }),
            socket,
        ]) {
            const { status } = await request(url, what);
            assert.ok([400, 403].includes(status), JSON.stringify(what.headers));
        }
    });
}

async function paths(server) {
    const url = server.url;

    await test("no path leads to a file", async () => {
        const paths = traversals();
        for (const path of paths) {
            const { status, text } = await request(url, { path });
            assert.ok([400, 403, 404].includes(status), `${path}: ${status}`);
            assert.doesNotMatch(text, /root:|kitbot|Ironbird is|PATH=/, path);
        }
        return `${paths.length} paths`;
    });

    await test("only GET and HEAD are answered, and neither changes anything", async () => {
        for (const method of [
            "POST",
            "PUT",
            "DELETE",
            "PATCH",
            "OPTIONS",
            "TRACE",
            "CONNECT",
            "BREW",
            "get",
        ]) {
            const headers = [
                ["Host", url.host],
                ["Content-Length", "0"],
            ];
            const { status } = await request(url, { method, headers });
            assert.ok([400, 403, 404, 405].includes(status), `${method}: ${status}`);
        }
        const head = await request(url, { method: "HEAD" });
        assert.equal(head.status, 200);
        assert.doesNotMatch(head.text, /<html/i);
    });

    await test("a WebSocket without our protocol's name is refused", async () => {
        for (const protocol of [null, "", "chat", "ironbird.v2", "ironbird", "IRONBIRD.V1", "ironbird.v1x"]) {
            const { status } = await request(url, upgrade(url, { protocol }));
            assert.notEqual(status, 101, `protocol '${protocol}'`);
        }
        for (const path of ["/", "/sockets", "/socket/x", "/SOCKET", "/socket%20"]) {
            const { status } = await request(url, upgrade(url, { path }));
            assert.notEqual(status, 101, path);
        }
    });
}

async function reach(server) {
    const url = server.url;
    const port = Number(url.port);

    await test("by default nobody outside this machine can connect", async () => {
        const addresses = Object.values(os.networkInterfaces()).flat();
        const outside = addresses.filter((a) => !a.internal && a.family === "IPv4").map((a) => a.address);
        for (const address of [...outside, "127.0.0.2"]) {
            const reached = await new Promise((resolve) => {
                const socket = net.connect({ host: address, port });
                socket.on("connect", () => resolve(true));
                socket.on("error", () => resolve(false));
            });
            assert.ok(!reached, `${address}:${port} answers`);
        }
        return `${outside.length} other addresses`;
    });
}

async function opened(server) {
    const url = new URL(server.url);
    url.hostname = "127.0.0.1";
    const right = url.searchParams.get("token");
    const at = (token) => (token === null ? "" : `?token=${token}`);

    await test("--host makes a token of 128 bits", async () => assert.match(right ?? "", /^[0-9a-f]{32}$/));

    await test("with --host, no token or a wrong one is refused, by HTTP and by WebSocket", async () => {
        const flipped = (right[0] === "0" ? "1" : "0") + right.slice(1);
        const wrong = [
            null,
            "",
            "0",
            right.slice(1),
            right.slice(0, -1),
            `${right}0`,
            right.toUpperCase() + "x",
            flipped,
            right.slice(0, 31) + (right[31] === "0" ? "1" : "0"),
            `${right}%00`,
            `${right}&token=${right}`,
        ];
        for (const token of wrong) {
            assert.equal((await request(url, { path: `/${at(token)}` })).status, 403, `token ${token}`);
            const { status } = await request(url, upgrade(url, { path: `/socket${at(token)}` }));
            assert.equal(status, 403, `WebSocket, token ${token}`);
        }
        const { status } = await request(url, { path: `/?Token=${right}` });
        assert.ok([403, 404].includes(status), `Token=: ${status}`);
    });

    await test("with --host and the token the page and the socket are there", async () => {
        assert.equal((await request(url, { path: `/${at(right)}` })).status, 200);
        (await Viewer.connect(url)).destroy();
    });

    await test("with --host, a foreign Origin or Host is refused in spite of the token", async () => {
        for (const origin of foreignOrigins(Number(url.port))) {
            const headers = [
                ["Host", url.host],
                ["Origin", origin],
            ];
            assert.equal((await request(url, { path: `/${at(right)}`, headers })).status, 403, origin);
            assert.equal((await request(url, upgrade(url, { origin }))).status, 403, origin);
        }
        for (const host of [
            "evil.example",
            `evil.example:${url.port}`,
            `localhost.evil.example:${url.port}`,
        ]) {
            const { status } = await request(url, { path: `/${at(right)}`, headers: [["Host", host]] });
            assert.equal(status, 403, host);
            assert.equal((await request(url, upgrade(url, { host }))).status, 403, host);
        }
    });
}

async function ends(server, what) {
    await test(`${what}: nothing for the sanitizers, and Ctrl-C ends it`, async () => {
        assert.equal(await stop(server), 130);
        assert.equal(findings(server), "");
    });
}

await suite(async () => {
    const inside = await serve(program, [SCENARIO, "--port", "0"]);
    for (const part of [own, origins, hosts, paths, reach]) await part(inside);
    await ends(inside, "after all refusals");
    const outside = await serve(program, [SCENARIO, "--port", "0", "--host", "0.0.0.0"]);
    await opened(outside);
    await ends(outside, "with --host");
});
