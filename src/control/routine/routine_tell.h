// control/routine/routine_tell.h: the report of a routine: numbers, labels and results of its
// steps. docs/control/routine.md, "What it tells"
#ifndef IB_CONTROL_ROUTINE_ROUTINE_TELL_H
#define IB_CONTROL_ROUTINE_ROUTINE_TELL_H

#include "base/mode.h"
#include "control/controller.h"

// Steps are counted from 1 in the order of the file; the whole is none of them, nor is the list
// inside one that repeats.
typedef struct ib_RoutineTale {
    int count;                    ///< of reported steps
    int step[IB_ROUTINE_STEPS];   ///< of each of them: its place in the tree
    int depth[IB_ROUTINE_STEPS];  ///< of each of them: 0, or inside how many others
    int number[IB_ROUTINE_STEPS]; ///< of each place: its number; of an unreported one, that of the
                                  ///< one around it, 0: none
    ib_Mode current;              ///< "step 2: drive forward 1 m"; 0: none
    ib_Mode late;                 ///< "step 2: … has no more time"; 0: none
} ib_RoutineTale;

// The words are in `arena`, the labels stay the steps'.
ib_Status ib_routine_tale_init(const ib_RoutineStep *steps, int count, ib_Arena *arena,
                               ib_RoutineTale *tale, ib_Error *error);

// Number `index`, 0 .. count - 1, of the reported ones, by the state. `base` may be NULL where
// nothing moves.
void ib_routine_tell(const ib_RoutineTale *tale, const ib_RoutineConfig *config,
                     const ib_Locomotion *base, const ib_BasePose *pose, const double *state,
                     int index, ib_ControlStep *told);

#endif
