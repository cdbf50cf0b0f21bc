// Addresses as people write them.
#include "cmocka_all.h"

#include "view/address.h"

#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// Goal: what says by itself that only this machine is meant is known, and nothing else is. Method:
// a table; names that are looked up are the server's to judge.
static void local_hosts_are_known_by_their_words(void **state)
{
    (void)state;
    static const struct {
        const char *host;
        bool local;
    } cases[] = {
        {"localhost", true},
        {"LocalHost", true},
        {"127.0.0.1", true},
        {"127.9.8.7", true},
        {"127.1", true},
        {"::1", true},
        {"[::1]", true},
        {"0:0:0:0:0:0:0:1", true},
        {"0.0.0.0", false},
        {"::", false},
        {"[::]", false},
        {"192.168.1.5", false},
        {"desk", false},
        {"127.0.0.1.evil.example", false},
        {"127.evil", false},
        {"localhost.evil.example", false},
        {"[127.0.0.1]", false},
        {"[localhost]", false},
        {"", false},
        {"[]", false},
        {"[::1", false},
        {"::1]", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (ib_address_local(cases[i].host) != cases[i].local) print_error("%s\n", cases[i].host);
        assert_int_equal(ib_address_local(cases[i].host), cases[i].local);
    }
}

// Goal: brackets around an address of IPv6 go, all else stays and is cut. Method: a table.
static void brackets_are_taken_off(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"[::1]", "::1"},
        {"[fe80::12]", "fe80::12"},
        {"::1", "::1"},
        {"desk", "desk"},
        {"", ""},
        {"[]", "[]"},
        {"[127.0.0.1]", "[127.0.0.1]"},
        {"[x]", "[x]"},
        {"[::1", "[::1"},
    };
    char bare[32];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ib_address_bare(cases[i][0], bare, sizeof bare);
        assert_string_equal(bare, cases[i][1]);
    }
    ib_address_bare("a.name.that.is.too.long.for.the.room", bare, 7);
    assert_string_equal(bare, "a.name");
}

// Goal: localhost is loopback by itself, where no hosts file says so. Method: listen at it, in any
// case of letters; the address is 127.0.0.1, and a client gets in there.
static void localhost_is_not_looked_up(void **state)
{
    (void)state;
    static const char *const hosts[] = {"localhost", "LocalHost"};
    ib_Address expected, address;
    assert_true(ib_address_read("127.0.0.1", &expected));
    for (int i = 0; i < 2; i++) {
        int port = 0, fd = -1;
        ib_Error error = {0};
        if (ib_address_listen(hosts[i], &port, &address, &fd, &error)) fail_msg("%s", error.text);
        assert_true(ib_address_equal(&address, &expected));
        struct sockaddr_in there = {.sin_family = AF_INET,
                                    .sin_port = htons((uint16_t)port),
                                    .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
        int client = socket(AF_INET, SOCK_STREAM, 0);
        assert_int_equal(connect(client, (struct sockaddr *)&there, sizeof there), 0);
        close(client);
        close(fd);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(local_hosts_are_known_by_their_words),
        cmocka_unit_test(brackets_are_taken_off),
        cmocka_unit_test(localhost_is_not_looked_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
