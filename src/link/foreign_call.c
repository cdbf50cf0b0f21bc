#include "link/foreign_call.h"

#include "base/thread.h"

#include <fenv.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

// No other code in this program uses it; profilers take SIGPROF, alarms SIGALRM.
#define HANG_SIGNAL SIGVTALRM

static const struct {
    int number;
    const char *name;
} crashes[] = {
    {SIGSEGV, "a segmentation fault (SIGSEGV)"},
    {SIGBUS, "a bus error (SIGBUS)"},
    {SIGFPE, "a division by zero or another fault of arithmetic (SIGFPE)"},
    {SIGILL, "an illegal instruction (SIGILL)"},
    {SIGABRT, "abort() or a failed assertion (SIGABRT)"},
    {SIGTRAP, "a trap (SIGTRAP)"}, // __builtin_trap() of some machines
    {SIGSYS, "a forbidden system call (SIGSYS)"},
};
enum { CRASHES = sizeof crashes / sizeof crashes[0] };

const char *ib_foreign_signal(int signal)
{
    for (int i = 0; i < CRASHES; i++)
        if (crashes[i].number == signal) return crashes[i].name;
    return "a signal";
}

// --------------------------------------------------------------------------------- what is watched

// One per thread that makes foreign calls; later threads are not watched when all are taken.
enum { WATCHED_MAX = 1024 };

typedef struct Watched {
    atomic_int thread;          // its kernel id; 0: free
    atomic_uint_fast64_t call;  // odd: inside call number call / 2
    _Atomic int64_t limit;      // of the call [ns]
    atomic_uint_fast64_t late;  // the call to leave
    atomic_bool anywhere;       // even outside the foreign code
    _Atomic(const char *) name; // of the foreign code in that call
} Watched;

static Watched watched[WATCHED_MAX];

enum { ALT_STACK = 64 * 1024 };

// Per thread: the jump's target, its stack, and the reason.
typedef struct Current {
    volatile sig_atomic_t inside;
    sigjmp_buf jump;
    ib_ForeignResult result;
    ib_ForeignCode code;
    const char *name;
    Watched *slot; // NULL: not watched
    bool prepared;
    _Alignas(16) char stack[ALT_STACK];
} Current;

static _Thread_local Current current;
static pthread_key_t slot_key;
static struct sigaction previous[CRASHES], previous_pipe;

// ------------------------------------------------------------------------------------ the handlers

// The interrupted thread's program counter; 0: unknown on this machine.
static uintptr_t interrupted_at(const void *context)
{
    const ucontext_t *user = context;
#if defined(__x86_64__)
    return (uintptr_t)user->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    return (uintptr_t)user->uc_mcontext.pc;
#else
    (void)user;
    return 0;
#endif
}

// The signal mask becomes that of the call: another handler may be around this one, such as the
// thread sanitizer's, which blocks all signals.
static void leave(ib_ForeignEnd end, int number, const void *context)
{
    current.inside = 0;
    current.result = (ib_ForeignResult){end, number};
    pthread_sigmask(SIG_SETMASK, &((const ucontext_t *)context)->uc_sigmask, NULL);
    siglongjmp(current.jump, 1);
}

static void on_hang(int number, siginfo_t *info, void *context)
{
    (void)number, (void)info;
    Watched *slot = current.slot;
    if (!current.inside || !slot || atomic_load(&slot->late) != atomic_load(&slot->call)) return;
    uintptr_t at = interrupted_at(context);
    bool own =
        current.code.end == 0 || at == 0 || (at >= current.code.begin && at < current.code.end);
    if (own || atomic_load(&slot->anywhere)) leave(IB_FOREIGN_HUNG, 0, context);
}

static void on_crash(int number, siginfo_t *info, void *context)
{
    if (current.inside) leave(IB_FOREIGN_CRASHED, number, context);
    // Outside a foreign call: restores the default action. A fault recurs by itself; a sent signal,
    // a trap and a system call do not.
    for (int i = 0; i < CRASHES; i++)
        if (crashes[i].number == number) sigaction(number, &previous[i], NULL);
    if (info->si_code <= 0 || number == SIGTRAP || number == SIGSYS) raise(number);
}

// Handles a write to a pipe or socket without a reader. In a call it only fails (EPIPE): a jump out
// of it would leave the lock of a stream behind.
static void on_pipe(int number, siginfo_t *info, void *context)
{
    (void)info, (void)context;
    if (current.inside) return;
    sigaction(number, &previous_pipe, NULL);
    raise(number);
}

// Ends the program with the name of the foreign code, its fault, and the exit code of a failed run.
_Noreturn static void end_program(const char *name, const char *does, const char *how)
{
    enum { FAILED = 3 };
    const char *const parts[] = {"ironbird: ", name, does, how, "\n"};
    ssize_t written = 0;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        written += write(STDERR_FILENO, parts[i], strlen(parts[i]));
    _exit(written > 0 ? FAILED : FAILED + 1);
}

// Ends the program after exit() or pthread_exit() inside a call, which no jump can undo. Otherwise
// the run would look successful, or wait for ever for the thread.
static void end_inside(const char *how)
{
    if (current.inside) end_program(current.name, how, " and ended the program");
}

static void on_exit_inside(void)
{
    end_inside(" called exit()");
}

// --------------------------------------------------------------------------------------- the watch

// The age of a call is the number of rounds that found it, not clock time: a stopped process (by a
// debugger, by Ctrl-Z) does not age. A late call is checked often: it may be in its own code only
// at times.
enum { ROUND = 10 * 1000 * 1000, LATE_ROUND = 200 * 1000 }; // [ns]

// Time for which a call that may be left anywhere gets signals: thousands of them [ns].
#define DEAF IB_SECOND

typedef struct Age {
    uint_fast64_t call;
    int64_t time; // spent in the call so far [ns]
} Age;

// True if the call in this slot is late.
static bool watch_one(Watched *slot, Age *age, int64_t round)
{
    int thread = atomic_load(&slot->thread);
    uint_fast64_t call = atomic_load(&slot->call);
    if (thread == 0 || call % 2 == 0 || call != age->call) {
        *age = (Age){call, 0};
        return false;
    }
    int64_t limit = atomic_load(&slot->limit);
    age->time += round;
    if (age->time < limit) return false;
    atomic_store(&slot->anywhere, age->time >= 2 * limit);
    atomic_store(&slot->late, call);
    // The call may have ended since: its handler checks again, and an ended thread is harmless.
    tgkill(getpid(), thread, HANG_SIGNAL);
    // A thread that has blocked the signal never receives it, nor Ctrl-C. No other thread can leave
    // the call for it, and without this end the program would hang silently.
    if (age->time >= 2 * limit + DEAF)
        end_program(atomic_load(&slot->name), " does not return and hears no signal: ",
                    "it is stuck in the system or has blocked them, and the program ends");
    return true;
}

static void *watch(void *unused)
{
    static Age ages[WATCHED_MAX];
    (void)unused;
    for (int64_t round = ROUND;;) {
        bool late = false;
        nanosleep(&(struct timespec){.tv_nsec = (long)round}, NULL);
        for (int i = 0; i < WATCHED_MAX; i++) late |= watch_one(&watched[i], &ages[i], round);
        round = late ? LATE_ROUND : ROUND;
    }
    return NULL;
}

// ---------------------------------------------------------------------------------- once a process

// Frees the slot at the end of a thread, which may be inside a call.
static void free_slot(void *slot)
{
    end_inside(" called pthread_exit()");
    atomic_store(&((Watched *)slot)->thread, 0);
}

static bool start_watch(void)
{
    pthread_t thread;
    return ib_thread_start(&thread, watch, NULL) == 0 && pthread_detach(thread) == 0;
}

// SA_NODEFER: no signal is blocked when a handler jumps, and none has to be unblocked.
static bool set_handler(int number, void (*handler)(int, siginfo_t *, void *),
                        struct sigaction *before)
{
    struct sigaction now, action = {.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART};
    sigemptyset(&action.sa_mask);
    action.sa_sigaction = handler;
    if (sigaction(number, NULL, &now) != 0) return false;
    if ((now.sa_flags & SA_SIGINFO) && now.sa_sigaction == handler) return true;
    if (before) *before = now;
    return sigaction(number, &action, NULL) == 0;
}

// An ignored SIGPIPE serves foreign code as well.
static bool set_pipe_handler(void)
{
    struct sigaction now;
    if (sigaction(SIGPIPE, NULL, &now) != 0) return false;
    bool ignored = !(now.sa_flags & SA_SIGINFO) && now.sa_handler == SIG_IGN;
    return ignored || set_handler(SIGPIPE, on_pipe, &previous_pipe);
}

static bool started;

static void start(void)
{
    started = pthread_key_create(&slot_key, free_slot) == 0 && atexit(on_exit_inside) == 0 &&
              start_watch();
}

ib_Status ib_foreign_install(ib_Error *error)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_once(&once, start);
    pthread_mutex_lock(&lock);
    bool good = started && set_handler(HANG_SIGNAL, on_hang, NULL) && set_pipe_handler();
    for (int i = 0; i < CRASHES; i++)
        good = good && set_handler(crashes[i].number, on_crash, &previous[i]);
    pthread_mutex_unlock(&lock);
    if (good) return IB_OK;
    return ib_error_set(error, IB_FAILED, "foreign code cannot be guarded on this machine");
}

// ----------------------------------------------------------------------------------- once a thread

static Watched *take_slot(void)
{
    int thread = (int)gettid();
    for (int i = 0; i < WATCHED_MAX; i++) {
        int none = 0;
        if (!atomic_compare_exchange_strong(&watched[i].thread, &none, thread)) continue;
        pthread_setspecific(slot_key, &watched[i]);
        return &watched[i];
    }
    return NULL;
}

// Prepares a stack for the handlers, needed when the thread's own one is full; an existing one (a
// sanitizer's) is kept. A blocked fault would end the program: these signals are unblocked, even in
// a thread that blocks all others.
static void prepare_thread(void)
{
    stack_t before, own = {.ss_sp = current.stack, .ss_size = ALT_STACK};
    if (sigaltstack(NULL, &before) == 0 && (before.ss_flags & SS_DISABLE)) sigaltstack(&own, NULL);
    sigset_t ours;
    sigemptyset(&ours);
    sigaddset(&ours, HANG_SIGNAL);
    for (int i = 0; i < CRASHES; i++) sigaddset(&ours, crashes[i].number);
    pthread_sigmask(SIG_UNBLOCK, &ours, NULL);
    current.slot = take_slot();
    current.prepared = true;
}

// ------------------------------------------------------------------------------------------ a call

// `inside` is set last and cleared first, so that a handler finds all fields ready or none.
static void enter(const ib_ForeignCall *call)
{
    current.code = call->code;
    current.name = call->name;
    current.result = (ib_ForeignResult){IB_FOREIGN_RETURNED, 0};
    if (current.slot) {
        atomic_store(&current.slot->limit, call->limit);
        atomic_store_explicit(&current.slot->name, call->name, memory_order_relaxed);
        atomic_fetch_add(&current.slot->call, 1);
    }
    atomic_signal_fence(memory_order_seq_cst);
    current.inside = 1;
    atomic_signal_fence(memory_order_seq_cst);
}

ib_ForeignResult ib_foreign_call(const ib_ForeignCall *call)
{
    fenv_t environment;
    IB_ASSERT(!current.inside);
    if (!current.prepared) prepare_thread();
    fegetenv(&environment);
    if (sigsetjmp(current.jump, 0) == 0) {
        enter(call);
        call->work(call->context);
        atomic_signal_fence(memory_order_seq_cst);
        current.inside = 0;
        atomic_signal_fence(memory_order_seq_cst);
    }
    if (current.slot) atomic_fetch_add(&current.slot->call, 1);
    fesetenv(&environment);
    return current.result;
}
