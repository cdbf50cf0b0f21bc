// Who is let in: every combination of Host, Origin, token, path and method that matters.
#include "cmocka_all.h"

#include "view/admission.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOKEN "0123456789abcdef0123456789abcdef"

static const ib_Admission local = {
    .host = "127.0.0.1", .name = "desk", .port = 8971, .loopback = true};
static const ib_Admission local80 = {
    .host = "127.0.0.1", .name = "desk", .port = 80, .loopback = true};
static const ib_Admission lan = {
    .host = "192.168.1.5", .name = "desk", .port = 8971, .open = true, .token = TOKEN};
static const ib_Admission wide = {
    .host = "0.0.0.0", .name = "desk", .port = 8971, .any = true, .open = true, .token = TOKEN};
static const ib_Admission lan6 = {
    .host = "fe80::12", .name = "desk", .port = 8971, .open = true, .token = TOKEN};
static const ib_Admission named = {
    .host = "desk.lan", .name = "desk", .port = 8971, .open = true, .token = TOKEN};

// The decision on a whole request; `rest` are further header lines.
static int code_of(const ib_Admission *admission, const char *line, const char *host,
                   const char *rest)
{
    static char text[4096];
    int size = snprintf(text, sizeof text, "%s HTTP/1.1\r\n%s%s%s%s\r\n", line,
                        host ? "Host: " : "", host ? host : "", host ? "\r\n" : "", rest);
    ib_Request request;
    if (!ib_request_read(text, (size_t)size, &request)) return 400;
    ib_AdmissionAnswer answer = ib_admission_decide(admission, &request);
    assert_int_equal(answer.kind == IB_ADMISSION_REFUSE, answer.text[0] != '\0');
    assert_int_equal(answer.kind == IB_ADMISSION_PAGE, answer.code == 200);
    assert_int_equal(answer.kind == IB_ADMISSION_SOCKET, answer.code == 101);
    return answer.code;
}

static const char upgrade[] = "Upgrade: websocket\r\nConnection: keep-alive, Upgrade\r\n"
                              "Sec-WebSocket-Version: 13\r\n"
                              "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                              "Sec-WebSocket-Protocol: ironbird.v1\r\n";

// Page and socket must agree: one rule for both.
static bool allowed(const ib_Admission *admission, const char *host, const char *origin)
{
    char rest[2048] = "", both[4096], page[128], socket[128];
    if (origin) snprintf(rest, sizeof rest, "Origin: %s\r\n", origin);
    snprintf(both, sizeof both, "%s%s", rest, upgrade);
    snprintf(page, sizeof page, "GET /%s", admission->open ? "?token=" TOKEN : "");
    snprintf(socket, sizeof socket, "GET /socket%s", admission->open ? "?token=" TOKEN : "");
    int http = code_of(admission, page, host, rest), ws = code_of(admission, socket, host, both);
    assert_int_equal(http == 200, ws == 101);
    assert_int_equal(http != 200, http == 403 || http == 400);
    return http == 200;
}

static const struct {
    const ib_Admission *admission;
    const char *host;
    bool good;
} host_cases[] = {
    {&local, "127.0.0.1:8971", true},
    {&local, "localhost:8971", true},
    {&local, "LocalHost:8971", true},
    {&local, "[::1]:8971", true},
    {&local80, "127.0.0.1", true},
    {&local80, "127.0.0.1:80", true},
    {&local80, "localhost", true},
    {&local80, "[::1]", true},
    {&local80, "localhost:8971", false},
    {&local, NULL, false},
    {&local, "", false},
    {&local, "127.0.0.1", false},
    {&local, "localhost", false},
    {&local, "[::1]", false},
    {&local, "127.0.0.1:8972", false},
    {&local, "127.0.0.1:80", false},
    {&local, "127.0.0.1:", false},
    {&local, ":8971", false},
    {&local, "127.0.0.1:08971", false},
    {&local, "127.0.0.1:+8971", false},
    {&local, "127.0.0.1: 8971", false},
    {&local, "127.0.0.1:8971 ", true}, // blanks around a value are not part of it
    {&local, "127.0.0.1:8971x", false},
    {&local, "127.0.0.1:74507", false},
    {&local, "127.0.0.1:8971:8971", false},
    {&local, "127.0.0.1:99999999999", false},
    {&local, "localhost.:8971", false},
    {&local, "localhost.evil.example:8971", false},
    {&local, "evil.localhost:8971", false},
    {&local, "xlocalhost:8971", false},
    {&local, "localhosts:8971", false},
    {&local, "evil.example:8971", false},
    {&local, "127.0.0.1.evil.example:8971", false},
    {&local, "127.0.0.1.nip.io:8971", false},
    {&local, "desk:8971", false},
    {&local, "0.0.0.0:8971", false},
    {&local, "0:8971", false},
    {&local, "2130706433:8971", false},
    {&local, "0x7f000001:8971", false},
    {&local, "017700000001:8971", false},
    {&local, "127.1:8971", false},
    {&local, "127.0.0.2:8971", false},
    {&local, "127.0.0.01:8971", false},
    {&local, "127.0.0.1.:8971", false},
    {&local, "192.168.1.5:8971", false},
    {&local, "::1:8971", false},
    {&local, "[::]:8971", false},
    {&local, "[::1:8971", false},
    {&local, "[::1]8971", false},
    {&local, "[0:0:0:0:0:0:0:1]:8971", false},
    {&local, "[::ffff:127.0.0.1]:8971", false},
    {&local, "[::1%lo]:8971", false},
    {&local, "[]:8971", false},
    {&local, "[127.0.0.1]:8971", false},
    {&local, "user@127.0.0.1:8971", false},
    {&local, "127.0.0.1:8971@evil.example", false},
    {&local, "127.0.0.1:8971, evil.example", false},
    {&local, "127.0.0.1:8971/", false},
    {&local, "http://127.0.0.1:8971", false},
    {&local, "127.0.0.1\\:8971", false},
    {&local,
     "\xef\xbd\x8c"
     "ocalhost:8971",
     false},
    {&local, "*", false},
    {&local, "null", false},
    {&lan, "192.168.1.5:8971", true},
    {&lan, "192.168.1.5", false},
    {&lan, "192.168.1.6:8971", false},
    {&lan, "192.168.1.05:8971", false},
    {&lan, "127.0.0.1:8971", false},
    {&lan, "localhost:8971", false},
    {&lan, "desk:8971", false},
    {&lan, "192.168.1.5.nip.io:8971", false},
    {&lan, "3232235781:8971", false},
    {&lan, "evil.example:8971", false},
    {&wide, "192.168.1.5:8971", true},
    {&wide, "127.0.0.1:8971", true},
    {&wide, "localhost:8971", true},
    {&wide, "LocalHost:8971", true},
    {&wide, "[::1]:8971", true},
    {&wide, "localhost:8972", false},
    {&wide, "localhost.evil.example:8971", false},
    {&wide, "10.0.0.1:8971", true},
    {&wide, "[fe80::1]:8971", true},
    {&wide, "desk:8971", true},
    {&wide, "DESK:8971", true},
    {&wide, "desk", false},
    {&wide, "desk.:8971", false},
    {&wide, "desk.evil.example:8971", false},
    {&wide, "desks:8971", false},
    {&wide, "evil.example:8971", false},
    {&wide, "192.168.1.5.nip.io:8971", false},
    {&wide, "fe80::1:8971", false},
    {&wide, "3232235781:8971", false},
    {&wide, "192.168.261:8971", false},
    {&lan6, "[fe80::12]:8971", true},
    {&lan6, "[FE80:0::12]:8971", true},
    {&lan6, "fe80::12:8971", false},
    {&lan6, "[fe80::13]:8971", false},
    {&named, "desk.lan:8971", true},
    {&named, "Desk.LAN:8971", true},
    {&named, "desk:8971", false},
    {&named, "192.168.1.5:8971", false},
    {&named, "desk.lan.evil.example:8971", false},
};

// Goal: Host is a name of this machine with the right port, and nothing that looks like it. Method:
// a table, over HTTP and WebSocket.
static void host_must_be_ours(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof host_cases / sizeof *host_cases; i++) {
        bool good = allowed(host_cases[i].admission, host_cases[i].host, NULL);
        if (good != host_cases[i].good)
            print_error("Host %s\n", host_cases[i].host ? host_cases[i].host : "(none)");
        assert_int_equal(good, host_cases[i].good);
    }
    assert_int_equal(code_of(&local, "GET /", "127.0.0.1:8971", "Host: 127.0.0.1:8971\r\n"), 403);
    assert_int_equal(code_of(&local, "GET /", "127.0.0.1:8971", "hOST: evil.example\r\n"), 403);
}

static const char *const wrong_origins[] = {
    "null",
    "",
    "*",
    "http://",
    "http://evil.example",
    "https://evil.example",
    "http://evil.example:8971",
    "http://127.0.0.1",
    "http://127.0.0.1:80",
    "http://127.0.0.1:8972",
    "http://127.0.0.1:89710",
    "https://127.0.0.1:8971",
    "HTTP://127.0.0.1:8971",
    "ws://127.0.0.1:8971",
    "file://",
    "127.0.0.1:8971",
    "//127.0.0.1:8971",
    "http:127.0.0.1:8971",
    "http://127.0.0.1:8971/",
    "http://127.0.0.1:8971.evil.example",
    "http://127.0.0.1:8971@evil.example",
    "http://evil.example/http://127.0.0.1:8971",
    "http://user@127.0.0.1:8971",
    "http://127.0.0.1:8971 http://evil.example",
    "http://127.0.0.1:8971, http://evil.example",
    "http://localhost",
    "http://localhost.:8971",
    "http://LOCALHOST:8971",
    "http://localhost.evil.example:8971",
    "http://evil-localhost:8971",
    "http://sub.localhost:8971",
    "http://[::1]",
    "http://::1:8971",
    "http://[::]:8971",
    "http://0.0.0.0:8971",
    "http://2130706433:8971",
    "http://127.0.0.1:08971",
    "http://127.0.0.1%3a8971",
    "http://desk:8971",
    "chrome-extension://abcdefgh",
    "http://xn--lcalhost-54a:8971",
    "http://127.0.0.1:8971\t;",
    "about:blank",
    "data:,",
};

// Goal: Origin is absent or exactly ours. Method: all that came to somebody's mind in the past.
static void origin_must_be_ours_or_absent(void **state)
{
    (void)state;
    static const char *const hosts[] = {"127.0.0.1:8971", "localhost:8971", "[::1]:8971"};
    for (size_t h = 0; h < 3; h++) {
        char own[64];
        snprintf(own, sizeof own, "http://%s", hosts[h]);
        assert_true(allowed(&local, hosts[h], NULL));
        assert_true(allowed(&local, hosts[h], own));
        for (size_t i = 0; i < sizeof wrong_origins / sizeof *wrong_origins; i++) {
            if (allowed(&local, hosts[h], wrong_origins[i]))
                print_error("Origin %s\n", wrong_origins[i]);
            assert_false(allowed(&local, hosts[h], wrong_origins[i]));
        }
        // Another name of ours is another origin all the same.
        for (size_t k = 0; k < 3; k++) {
            snprintf(own, sizeof own, "http://%s", hosts[k]);
            assert_int_equal(allowed(&local, hosts[h], own), k == h);
        }
    }
    assert_int_equal(code_of(&local, "GET /", hosts[0],
                             "Origin: http://127.0.0.1:8971\r\nOrigin: http://evil.example\r\n"),
                     403);
}

// Goal: beyond loopback the token decides, for page and socket. Method: near misses; on loopback
// any token is fine.
static void token_is_needed_beyond_loopback(void **state)
{
    (void)state;
    static const char *const wrong[] = {"",
                                        "?token=",
                                        "?token=0",
                                        ("?token=" TOKEN "0"),
                                        "?token=0123456789abcdef0123456789abcde",
                                        "?token=0123456789ABCDEF0123456789ABCDEF",
                                        "?token=1123456789abcdef0123456789abcdef",
                                        "?token=0123456789abcdef0123456789abcdee",
                                        "?token=%30123456789abcdef0123456789abcde",
                                        ("?token=" TOKEN "&token=" TOKEN),
                                        ("?token=" TOKEN "#"),
                                        ("?token= " TOKEN)};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char line[256];
        snprintf(line, sizeof line, "GET /%s", wrong[i]);
        int http = code_of(&lan, line, "192.168.1.5:8971", "");
        snprintf(line, sizeof line, "GET /socket%s", wrong[i]);
        int ws = code_of(&lan, line, "192.168.1.5:8971", upgrade);
        assert_int_equal(http, ws);
        assert_true(http == 403 || http == 400);
    }
    // Other keys are no addresses at all.
    assert_int_equal(code_of(&lan, "GET /?Token=" TOKEN, "192.168.1.5:8971", ""), 404);
    assert_int_equal(code_of(&lan, "GET /?a=b&token=" TOKEN, "192.168.1.5:8971", ""), 404);
    assert_int_equal(code_of(&lan, "GET /?token=" TOKEN, "192.168.1.5:8971", ""), 200);
    assert_int_equal(code_of(&local, "GET /?token=whatever", "127.0.0.1:8971", ""), 200);

    char a[IB_TOKEN + 1], b[IB_TOKEN + 1];
    assert_true(ib_admission_draw_token(a) && ib_admission_draw_token(b));
    assert_int_equal(strlen(a), IB_TOKEN);
    assert_int_equal(strspn(a, "0123456789abcdef"), IB_TOKEN);
    assert_string_not_equal(a, b);
}

// Goal: no path but the two leads anywhere. Method: traversals, plain and encoded, and odd forms.
static void other_paths_lead_nowhere(void **state)
{
    (void)state;
    static const char *const paths[] = {"/index.html",
                                        "/favicon.ico",
                                        "//",
                                        "/.",
                                        "/./",
                                        "/..",
                                        "/../",
                                        "/../../etc/passwd",
                                        "/%2e",
                                        "/%2e%2e/",
                                        "/%2e%2e%2fetc%2fpasswd",
                                        "/..%2f",
                                        "/..%5c",
                                        "/..\\",
                                        "/%252e%252e/",
                                        "/%c0%ae%c0%ae/",
                                        "/....//",
                                        "/;/",
                                        "/;x",
                                        "/%00",
                                        "/%2f",
                                        "/%73ocket",
                                        "/socket/",
                                        "/socket/..",
                                        "/Socket",
                                        "/SOCKET",
                                        "//socket",
                                        "/socket%20",
                                        "/socket;x",
                                        "/socket#",
                                        "/#",
                                        "/?",
                                        "/?x",
                                        "/?token",
                                        "/socket?",
                                        "/socket?x=1",
                                        "*",
                                        "127.0.0.1:8971",
                                        "http://127.0.0.1:8971/",
                                        "http://127.0.0.1:8971/socket",
                                        "file:///etc/passwd",
                                        "index.html",
                                        "/proc/self/environ",
                                        "/web/dist/index.html",
                                        "/~root",
                                        "/?tokens=1",
                                        "\\",
                                        "/\\"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        char line[256];
        snprintf(line, sizeof line, "GET %s", paths[i]);
        int http = code_of(&local, line, "127.0.0.1:8971", "");
        if (http != 404) print_error("%s: %d\n", line, http);
        assert_int_equal(http, 404);
        assert_int_equal(code_of(&local, line, "127.0.0.1:8971", upgrade), 404);
    }
    assert_int_equal(code_of(&local, "GET /", "127.0.0.1:8971", upgrade), 404);
    assert_int_equal(code_of(&local, "GET /socket", "127.0.0.1:8971", ""), 404);
    assert_int_equal(code_of(&local, "HEAD /socket", "127.0.0.1:8971", upgrade), 404);
    // An upgrade to something else is not taken up, as HTTP allows.
    assert_int_equal(code_of(&local, "GET /", "127.0.0.1:8971", "Upgrade: h2c\r\n"), 200);
}

// Goal: only GET and HEAD. Method: the others, known and unknown, whatever the path.
static void other_methods_are_refused(void **state)
{
    (void)state;
    static const char *const methods[] = {"POST",  "PUT",   "DELETE",  "OPTIONS",
                                          "PATCH", "TRACE", "CONNECT", "PROPFIND",
                                          "get",   "GETS",  "X"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        char line[64];
        snprintf(line, sizeof line, "%s /", methods[i]);
        assert_int_equal(code_of(&local, line, "127.0.0.1:8971", ""), 405);
        assert_int_equal(code_of(&local, line, "127.0.0.1:8971", upgrade), 405);
    }
    assert_int_equal(code_of(&local, "HEAD /", "127.0.0.1:8971", ""), 200);
    // Strangers do not even learn that.
    assert_int_equal(code_of(&local, "POST /", "evil.example", ""), 403);
}

// Goal: heads that are not plainly right are no requests. Method: smuggling forms; then every cut
// and every flipped bit of a proper head in memory of its size: read or not, never beyond.
static void heads_are_read_strictly(void **state)
{
    (void)state;
    static const char *const wrong[] = {"GET / HTTP/1.1\nHost: a\n\n",
                                        "GET / HTTP/1.1\r\nHost: a\n\r\n\r\n",
                                        "GET / HTTP/1.1\r\nHost : a\r\n\r\n",
                                        "GET / HTTP/1.1\r\n Host: a\r\n\r\n",
                                        "GET / HTTP/1.1\r\nHost: a\r\n b\r\n\r\n",
                                        "GET / HTTP/1.1\r\nHost\r\n\r\n",
                                        "GET / HTTP/1.1\r\n: a\r\n\r\n",
                                        "GET / HTTP/1.1\r\nHost: a\rb\r\n\r\n",
                                        "GET / HTTP/1.1\r\nHost: a\x01\r\n\r\n",
                                        "GET / HTTP/1.1\r\nHost: a\x7f\r\n\r\n",
                                        "GET /\tx HTTP/1.1\r\n\r\n",
                                        "GET  / HTTP/1.1\r\n\r\n",
                                        "GET / HTTP/1.1 \r\n\r\n",
                                        " GET / HTTP/1.1\r\n\r\n",
                                        "\r\nGET / HTTP/1.1\r\n\r\n",
                                        "GET / HTTP/0.9\r\n\r\n",
                                        "GET / HTTP/1.2\r\n\r\n",
                                        "GET / http/1.1\r\n\r\n",
                                        "GET /\r\n\r\n",
                                        "GET\r\n\r\n",
                                        "G\xc3T / HTTP/1.1\r\n\r\n",
                                        "GET /\xc3 HTTP/1.1\r\n\r\n",
                                        "\r\n\r\n",
                                        "\r\n\r\n\r\n"};
    ib_Request request;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(ib_request_read(wrong[i], strlen(wrong[i]), &request));
    assert_false(ib_request_read("GET / HTTP/1.1\r\nA: \0\r\n\r\n", 24, &request));

    char text[1024];
    size_t size =
        (size_t)snprintf(text, sizeof text,
                         "GET /socket?token=" TOKEN " HTTP/1.1\r\nHost: 192.168.1.5:8971\r\n"
                         "Origin: http://192.168.1.5:8971\r\n%s\r\n",
                         upgrade);
    assert_true(ib_request_read(text, size, &request));
    assert_int_equal(ib_admission_decide(&lan, &request).code, 101);
    assert_int_equal(ib_request_end(text, size, 0), size);
    for (size_t cut = 0; cut < size; cut++) {
        char *part = malloc(cut + 1);
        memcpy(part, text, cut);
        assert_int_equal(ib_request_end(part, cut, cut / 2), 0);
        assert_false(ib_request_read(part, cut, &request));
        // Wherever it was looked at before, the end is found.
        assert_int_equal(ib_request_end(text, size, cut), size);
        free(part);
    }
    char *flipped = malloc(size);
    for (size_t bit = 0; bit < 8 * size; bit++) {
        memcpy(flipped, text, size);
        flipped[bit / 8] = (char)(flipped[bit / 8] ^ 1 << bit % 8);
        if (!ib_request_read(flipped, size, &request)) continue;
        ib_AdmissionAnswer answer = ib_admission_decide(&lan, &request);
        // The token, the host and the origin bear no flipped bit (but for the case of their names).
        size_t at = bit / 8;
        if (at >= 18 && at < 18 + IB_TOKEN) assert_int_equal(answer.code, 403);
    }
    free(flipped);
}

// Goal: what is handed on holds nothing of the client but its key. Method: odd requests.
static void upgrade_is_in_our_own_words(void **state)
{
    (void)state;
    char text[2048], out[512];
    int size = snprintf(text, sizeof text, "GET /socket HTTP/1.1\r\nX-Evil: 1\r\nHost: a\r\n%s\r\n",
                        upgrade);
    ib_Request request;
    assert_true(ib_request_read(text, (size_t)size, &request));
    size_t length = ib_request_upgrade(&request, out, sizeof out);
    assert_int_equal(length, strlen(out));
    assert_null(strstr(out, "Evil"));
    assert_non_null(strstr(out, "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"));
    assert_string_equal(out + length - 4, "\r\n\r\n");

    static const char *const keys[] = {"",
                                       "dGhlIHNhbXBsZSBub25jZQ=",
                                       "dGhlIHNhbXBsZSBub25jZQ===",
                                       "dGhlIHNhbXBsZSBub25jZ===",
                                       "dGhlIHNhbXBsZSBub25j\tQ==",
                                       "dGhlIHNhbXBsZSBub25jZ,=="};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        char rest[512];
        snprintf(rest, sizeof rest,
                 "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                 "Sec-WebSocket-Protocol: ironbird.v1\r\nSec-WebSocket-Key: %s\r\n",
                 keys[i]);
        assert_int_equal(code_of(&local, "GET /socket", "127.0.0.1:8971", rest), 400);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(host_must_be_ours),
        cmocka_unit_test(origin_must_be_ours_or_absent),
        cmocka_unit_test(token_is_needed_beyond_loopback),
        cmocka_unit_test(other_paths_lead_nowhere),
        cmocka_unit_test(other_methods_are_refused),
        cmocka_unit_test(heads_are_read_strictly),
        cmocka_unit_test(upgrade_is_in_our_own_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
