// Addresses as people write them.
#include "cmocka_all.h"

#include "view/address.h"

#include <string.h>

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(local_hosts_are_known_by_their_words),
        cmocka_unit_test(brackets_are_taken_off),
    };
    return cmocka_run_group_tests_name("view/address", tests, NULL, NULL);
}
