// world/mujoco_library.h: MuJoCo's library, opened once, and the guard under which it is called.
// Internal to the files that know MuJoCo's header.
//
// MuJoCo reports a failure by calling mju_user_error and expects not to come back. Ours leaves by
// longjmp to the call that is guarded on this thread. While it works it calls us back, in every
// stage of a step and for each contact of a mesh or a height field: so a call that works for too
// long is ended as a failure. These are set once, for the whole process, and no other callback of
// MuJoCo's is: they are shared by all simulations.
#ifndef IB_WORLD_MUJOCO_LIBRARY_H
#define IB_WORLD_MUJOCO_LIBRARY_H

#include "base/status.h"

#include <mujoco/mujoco.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

// The functions that are used, by name.
#define MUJOCO_FUNCTIONS(F)                                                                        \
    F(mj_defaultVFS)                                                                               \
    F(mj_makeEmptyFileVFS)                                                                         \
    F(mj_findFileVFS)                                                                              \
    F(mj_deleteVFS)                                                                                \
    F(mj_loadXML)                                                                                  \
    F(mj_deleteModel)                                                                              \
    F(mj_makeData)                                                                                 \
    F(mj_deleteData)                                                                               \
    F(mj_name2id)                                                                                  \
    F(mj_id2name)                                                                                  \
    F(mj_step1)                                                                                    \
    F(mj_fwdActuation)                                                                             \
    F(mj_fwdAcceleration)                                                                          \
    F(mj_fwdConstraint)                                                                            \
    F(mj_checkAcc)                                                                                 \
    F(mj_Euler)                                                                                    \
    F(mj_RungeKutta)                                                                               \
    F(mj_step2)                                                                                    \
    F(mj_kinematics)                                                                               \
    F(mj_comPos)                                                                                   \
    F(mj_tendon)                                                                                   \
    F(mj_fullM)                                                                                    \
    F(mj_energyPos)                                                                                \
    F(mj_energyVel)                                                                                \
    F(mj_contactForce)                                                                             \
    F(mj_getTotalmass)                                                                             \
    F(mju_error)

#define IB__MUJOCO_POINTER(name) __typeof__(&name) name;
typedef struct ib__MujocoLibrary {
    MUJOCO_FUNCTIONS(IB__MUJOCO_POINTER)
    bool complete;
} ib__MujocoLibrary;

extern ib__MujocoLibrary ib__mujoco;

// Opens it where that has not been done.
ib_Status ib__mujoco_open(ib_Error *error);

typedef struct ib__MujocoGuard {
    jmp_buf leave;
    char text[512]; ///< MuJoCo's message
    int calls;      ///< back to us, by their weight, since the last look at the clock
    int64_t began;  ///< processor time of this thread at the first look [ns]; 0: there was none
    bool late;      ///< it was ended, since it worked for too long
} ib__MujocoGuard;

extern _Thread_local ib__MujocoGuard *ib__mujoco_guard; ///< of the call on this thread; NULL: none

// The failure of a call that was ended: stopped, or too long. `what`: the object of its work.
const volatile sig_atomic_t *ib__mujoco_stop(void); ///< of ib_mujoco_heed
ib_Status ib__mujoco_late(const char *what, ib_Status status, ib_Error *error);

#endif
