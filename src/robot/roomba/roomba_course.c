// robot/roomba/roomba_course.c: forces over time as they will be run.
#include "robot/roomba/roomba_plan.h"

enum { MAX_STEPS = 20000000 }; ///< of the check: some seconds of work

ib_Status ib__roomba_course(const ib__RoombaTask *task, double duration, size_t knots,
                            ib_Arena *arena, ib__RoombaCourse *course, ib_Error *error)
{
    *course = (ib__RoombaCourse){0};
    if (!(duration <= MAX_STEPS * task->step))
        return ib_error_set(error, IB_BAD_INPUT,
                            "path: driving it takes %.3g s; expected at most %.3g s: a shorter "
                            "path or a larger max_force helps",
                            duration, MAX_STEPS * task->step);
    if (knots == 0) return IB_OK;
    course->t = ib_arena_array(arena, knots, sizeof *course->t);
    course->left = ib_arena_array(arena, knots, sizeof *course->left);
    course->right = ib_arena_array(arena, knots, sizeof *course->right);
    if (!course->t || !course->left || !course->right)
        return ib_error_set(error, IB_FAILED, "out of memory for the wheel forces");
    return IB_OK;
}

// Times must rise: of two knots in the same nanosecond the later one counts.
void ib__roomba_knot(ib__RoombaCourse *course, ib_Time t, double left, double right)
{
    if (course->count > 0 && t <= course->t[course->count - 1]) course->count--;
    course->t[course->count] = t;
    course->left[course->count] = left;
    course->right[course->count++] = right;
}
