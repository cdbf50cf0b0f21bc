#include "world/mujoco_library.h"

#include "base/stop.h"
#include "world/mujoco.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

_Static_assert(mjVERSION_HEADER == 222, "the models are written and tested for MuJoCo 2.2.2");

enum { LOOK = 64 };                             ///< weight of the calls between two checks
static const int64_t patience = 3000000000;     ///< with one call [ns] of processor time
static const int64_t until_stopped = 300000000; ///< with one when the run is to stop

ib__MujocoLibrary ib__mujoco;
_Thread_local ib__MujocoGuard *ib__mujoco_guard;
static const volatile sig_atomic_t *stop_flag; ///< NULL: never stopped

// ---------------------------------------------------------------------------------------- failures

static void on_error(const char *text)
{
    ib__MujocoGuard *guard = ib__mujoco_guard;
    if (!guard) abort(); // a call of ours without a guard
    snprintf(guard->text, sizeof guard->text, "%s", text);
    longjmp(guard->leave, 1);
}

// Warnings are counted in mjData, where they are looked up after each call.
static void on_warning(const char *text)
{
    (void)text;
}

// ------------------------------------------------------------------------------------------- watch

void ib_mujoco_heed(const volatile sig_atomic_t *stop)
{
    __atomic_store_n(&stop_flag, stop, __ATOMIC_RELAXED);
}

const volatile sig_atomic_t *ib__mujoco_stop(void)
{
    return __atomic_load_n(&stop_flag, __ATOMIC_RELAXED);
}

static bool is_stopped(void)
{
    return ib_is_stopped(ib__mujoco_stop());
}

// Looks at the clock now and then. While MuJoCo compiles, its own handler takes the error and
// cleans up.
static void watch(int weight)
{
    ib__MujocoGuard *guard = ib__mujoco_guard;
    struct timespec time;
    if (!guard || (guard->calls += weight) < LOOK) return;
    guard->calls = 0;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    int64_t now = (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
    if (guard->began == 0) guard->began = now;
    if (now - guard->began <= (is_stopped() ? until_stopped : patience)) return;
    guard->late = true;
    ib__mujoco.mju_error("it took too long");
}

// Asked for the time at the beginning and the end of each stage of a step.
static mjtNum on_time(void)
{
    watch(1);
    return 0;
}

// MuJoCo's collision function of two geoms by their types, before it was replaced by ours.
static mjfCollision collide[mjNGEOMTYPES][mjNGEOMTYPES];

static int on_collision(const mjModel *m, const mjData *d, mjContact *contacts, int first,
                        int second, mjtNum margin)
{
    int one = m->geom_type[first], other = m->geom_type[second];
    watch(one == mjGEOM_HFIELD ? LOOK : LOOK / 16);
    return collide[one][other](m, d, contacts, first, second, margin);
}

// ----------------------------------------------------------------------------------------- opening

static void watch_collisions(mjfCollision table[mjNGEOMTYPES][mjNGEOMTYPES])
{
    memcpy(collide, table, sizeof collide);
    for (int i = 0; i < mjNGEOMTYPES; i++)
        for (int k = 0; k < mjNGEOMTYPES; k++)
            if (table[i][k] && (i == mjGEOM_HFIELD || k == mjGEOM_MESH)) table[i][k] = on_collision;
}

static void open_mujoco(void)
{
    void *library = dlopen("libmujoco.so.2.2.2", RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    bool complete = true;
#define MUJOCO_LOOK_UP(name)                                                                       \
    {                                                                                              \
        /* POSIX promises that these bits are those of the function. */                            \
        void *symbol = dlsym(library, #name);                                                      \
        memcpy(&ib__mujoco.name, &symbol, sizeof symbol);                                          \
        complete &= symbol != NULL;                                                                \
    }
    MUJOCO_FUNCTIONS(MUJOCO_LOOK_UP)
    void (**error)(const char *) = dlsym(library, "mju_user_error");
    void (**warning)(const char *) = dlsym(library, "mju_user_warning");
    mjfTime *clock = dlsym(library, "mjcb_time");
    void *collisions = dlsym(library, "mjCOLLISIONFUNC");
    ib__mujoco.complete = complete && error && warning && clock && collisions;
    if (!ib__mujoco.complete) return;
    *error = on_error;
    *warning = on_warning;
    *clock = on_time;
    watch_collisions(collisions);
}

ib_Status ib__mujoco_open(ib_Error *error)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, open_mujoco);
    if (ib__mujoco.complete) return IB_OK;
    return ib_error_set(error, IB_FAILED,
                        "MuJoCo 2.2.2 is not there, which moves legs: install libmujoco2.2.2");
}

ib_Status ib__mujoco_late(const char *what, ib_Status status, ib_Error *error)
{
    if (is_stopped()) return ib_error_set(error, IB_INTERRUPTED, "stopped in %s", what);
    return ib_error_set(error, status,
                        "MuJoCo has worked on %s for more than %g s and was stopped: expected "
                        "fewer or simpler bodies, contacts and actuators",
                        what, 1e-9 * (double)patience);
}
