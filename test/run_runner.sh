#!/bin/sh
# The runner of the unit tests (test/runner.c) on a folder made for it, with a test that fails and one that dies: sh test/run_runner.sh.
# Prints "ok" and "not ok" lines.
cd "$(dirname "$0")/.." || exit 1
out=${IB_SCRATCH:-build/test-output/runner}
unset SEED
rm -rf "$out" && mkdir -p "$out"
cat > "$out/good.c" << 'END'
#include "cmocka_all.h"
static void holds(void **state) { (void)state; }
static void holds_too(void **state) { (void)state; }
int ib_test_good(void);
int ib_test_good(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(holds), cmocka_unit_test(holds_too)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
END
cat > "$out/bad.c" << 'END'
#include "cmocka_all.h"
#include "runner.h"
#include <stdlib.h>
static void fails(void **state) { (void)state; assert_int_equal(1, 2); }
static void dies(void **state) { (void)state; abort(); }
static void comes_later(void **state) { (void)state; }
int ib_test_good(void);
static int ib_test_bad(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(fails), cmocka_unit_test(dies), cmocka_unit_test(comes_later)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
const ib_TestGroup ib_test_groups[] = {{"tank/good", ib_test_good}, {"bad", ib_test_bad}, {0}};
END
cc -std=c17 -D_GNU_SOURCE -Itest test/runner.c "$out/good.c" "$out/bad.c" -lcmocka -lm -o "$out/folder" || exit 1

# expect NAME LINES ARGUMENTS…: what test/run_units.sh makes of it, "ok" and "not ok" lines joined by commas
expect() {
    name=$1 lines=$2
    shift 2
    got=$(sh test/run_units.sh "$out/folder" "$@" 2>&1 | grep -E '^(not )?ok ' | tr '\n' ',')
    if [ "$got" = "$lines" ]; then echo "ok runner: $name"; else echo "not ok runner: $name: $got"; fi
}
expect "a noun's tests" "ok tank/good/holds,ok tank/good/holds_too," tank/good
expect "all nouns of a subfolder" "ok tank/good/holds,ok tank/good/holds_too," tank
expect "one test by its name" "ok tank/good/holds_too," holds_too
expect "tests by a pattern" "ok tank/good/holds,ok tank/good/holds_too,ok bad/comes_later," 'holds*' 'comes_*'
expect "a test that fails" "ok tank/good/holds,not ok bad/fails, with SEED=0," fails holds
expect "the test that was running when it died" "not ok bad/fails, with SEED=0,not ok bad/dies: died in it, with SEED=0," bad
export SEED=7
expect "a failure says the seed" "not ok bad/fails, with SEED=7," fails
export SEED=4294967295
expect "a seed of 32 bits" "not ok bad/fails, with SEED=4294967295," fails
export SEED=4294967296
expect "a seed of more" "not ok the run as a whole: exit code 2," holds
export SEED=
expect "an empty seed is none" "ok tank/good/holds,not ok bad/fails, with SEED=0," holds fails
export SEED=seven
expect "a seed that is no number" "not ok the run as a whole: exit code 2," holds
unset SEED
expect "a name that is not there" "ok tank/good/holds,not ok the run as a whole: exit code 1," holds nothing
list=$("$out/folder" --list | tr '\n' ',')
wanted=tank/good/holds,tank/good/holds_too,bad/fails,bad/dies,bad/comes_later,
if [ "$list" = "$wanted" ]; then echo "ok runner: --list"; else echo "not ok runner: --list: $list"; fi
