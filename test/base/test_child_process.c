// Claims about src/base/child_process.c: a child's end is an answer.
#include "base/child_process.h"

#include "cmocka_all.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static ib_Status be_right(void *self, ib_Error *error)
{
    (void)error;
    *(int *)self = 7; // in the child's copy
    fprintf(stderr, "not heard\n");
    return IB_OK;
}

static ib_Status refuse(void *self, ib_Error *error)
{
    (void)self;
    return ib_error_set(error, IB_BAD_INPUT, "3:4: no");
}

static ib_Status die(void *self, ib_Error *error)
{
    (void)self;
    (void)error;
    raise(SIGKILL);
    return IB_OK;
}

// cmocka would go on with the next test in the child: it handles this signal.
static ib_Status fault(void *self, ib_Error *error)
{
    (void)self;
    (void)error;
    raise(SIGSEGV);
    return IB_OK;
}

static ib_Status leave(void *self, ib_Error *error)
{
    (void)self;
    (void)error;
    _exit(5);
}

static ib_Status hang(void *self, ib_Error *error)
{
    (void)error;
    volatile int *count = self;
    while (*count != 0) *count = 1;
    return IB_OK;
}

// Goal: status and words come back; a child that dies, leaves or works for too long is a sentence,
// and nothing that it does is left in its parent. Method: one child for each.
static void a_child_may_die(void **state)
{
    (void)state;
    static const struct {
        ib_ChildWork *work;
        ib_Status status;
        const char *text;
    } cases[] = {
        {be_right, IB_OK, ""},
        {refuse, IB_BAD_INPUT, "3:4: no"},
        {die, IB_BAD_INPUT, "it ended by signal 9 (Killed)"},
        {fault, IB_BAD_INPUT, "it ended by signal 11 (Segmentation fault)"},
        {leave, IB_BAD_INPUT, "it ended with exit code 5"},
        {hang, IB_BAD_INPUT, "it took more than 1 s of processor time"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int value = 1;
        ib_Error error = {0};
        assert_int_equal(ib_child_process(cases[i].work, &value, 1, NULL, &error), cases[i].status);
        assert_string_equal(error.text, cases[i].text);
        assert_int_equal(value, 1);
    }
}

// Goal: a child ends when its parent is told to stop. Method: one that would work for an hour.
static void a_child_is_stopped_with_its_parent(void **state)
{
    (void)state;
    volatile sig_atomic_t stop = SIGINT;
    int value = 1;
    ib_Error error = {0};
    assert_int_equal(ib_child_process(hang, &value, 3600, &stop, &error), IB_INTERRUPTED);
    assert_string_equal(error.text, "it was stopped");
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); // no child is left
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_child_may_die),
                                       cmocka_unit_test(a_child_is_stopped_with_its_parent)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
