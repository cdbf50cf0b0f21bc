// link/foreign_call.h: calls foreign code so that a crash or a hang ends the call, not the program.
// Its limits are in docs/control/plugin.md.
//
// A crash (SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS) inside the call jumps out of
// it, from a stack of its own, so that endless recursion is caught as well. A watching thread sends
// a signal to a call that does not return, which jumps out of it likewise; a call that blocks the
// signal ends the program, with its name on stderr and exit code 3. SIGPIPE does nothing inside the
// call. Calls may be made by many threads at once. Neither costs a system call per call.
#ifndef IB_LINK_FOREIGN_CALL_H
#define IB_LINK_FOREIGN_CALL_H

#include "base/clock.h"
#include "base/status.h"

#include <stdbool.h>

typedef enum ib_ForeignEnd {
    IB_FOREIGN_RETURNED,
    IB_FOREIGN_HUNG,    ///< had not returned after `limit`
    IB_FOREIGN_CRASHED, ///< by `signal`
} ib_ForeignEnd;

typedef struct ib_ForeignResult {
    ib_ForeignEnd end;
    int signal; ///< SIGSEGV, …; 0: none
} ib_ForeignResult;

// The address range of the foreign code. A hung call is left inside that range, if possible, since
// then it holds no lock of the C library; after another limit it is left anywhere.
typedef struct ib_ForeignCode {
    uintptr_t begin, end; ///< both 0: unknown
} ib_ForeignCode;

typedef struct ib_ForeignCall {
    const char
        *name; ///< of the foreign code, for a message if it ends the program; valid during the call
    void (*work)(void *context);
    void *context;
    ib_ForeignCode code;
    ib_Time limit; ///< of the wall clock while this process runs (not while it is stopped), > 0
} ib_ForeignCall;

// Starts the watching thread, once in a process, and installs the signal handlers, each time: a
// library may have replaced them since.
ib_Status ib_foreign_install(ib_Error *error);

// Calls work(context). After a crash or a hang the call's resources are lost: memory, locks, open
// files. The floating-point environment is restored in any case. Calls cannot be nested.
ib_ForeignResult ib_foreign_call(const ib_ForeignCall *call);

// "a segmentation fault (SIGSEGV)"
const char *ib_foreign_signal(int signal);

#endif
