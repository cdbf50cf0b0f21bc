// base/status.h: status codes and error texts of functions that can fail.
//
// Bad input, files, networks and divergence are an ib_Status with a text in the caller's ib_Error.
// A bug in Ironbird is an IB_ASSERT, which stays on in release builds.
#ifndef IB_BASE_STATUS_H
#define IB_BASE_STATUS_H

#include <stddef.h>

typedef enum ib_Status {
    IB_OK = 0,          ///< done
    IB_BAD_INPUT = 2,   ///< the caller's input is wrong; nothing was run
    IB_FAILED = 3,      ///< failed while running (divergence, a full disk, no memory)
    IB_INTERRUPTED = 4, ///< stopped on request
} ib_Status;

#define IB_ERROR_TEXT 1024

typedef struct ib_Error {
    ib_Status status;
    char text[IB_ERROR_TEXT]; ///< one sentence of plain UTF-8, on one line
} ib_Error;

// Fills `error` (which may be NULL) and returns `status`, so that a function can
// `return ib_error_set(…)`. Control characters, and bytes that are not UTF-8, become question
// marks: a file may be called anything.
ib_Status ib_error_set(ib_Error *error, ib_Status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Puts a key before the error text of a part: `return ib_error_under("motor.", status, error);`
// IB_OK stays as it is.
ib_Status ib_error_under(const char *key, ib_Status status, ib_Error *error);

// Prints the place and the condition, then aborts. Called by IB_ASSERT only.
void ib__assert_failed(const char *what, const char *file, int line) __attribute__((noreturn));

// The same with the caller's words. Called by IB_ASSERT_SAY only.
void ib__assert_failed_say(const char *file, int line, const char *format, ...)
    __attribute__((noreturn, format(printf, 3, 4)));

#define IB_ASSERT(condition)                                                                       \
    ((condition) ? (void)0 : ib__assert_failed(#condition, __FILE__, __LINE__))

// Assertion for a mistake in a table that a programmer adds: the words name the table and
// its fault.
#define IB_ASSERT_SAY(condition, ...)                                                              \
    ((condition) ? (void)0 : ib__assert_failed_say(__FILE__, __LINE__, __VA_ARGS__))

#endif
