#include "control/routine/routine_tell.h"

#include <string.h>

// ------------------------------------------------------------------------------------------- count

// Counts the steps inside one, `depth` deep.
static void count_inside(const ib_RoutineStep *steps, int parent, int depth, ib_RoutineTale *tale)
{
    for (int k = steps[parent].child; k >= 0; k = steps[k].next) {
        bool list = steps[parent].kind == IB_STEP_REPEAT && steps[k].kind == IB_STEP_SEQUENCE;
        tale->number[k] = tale->number[parent];
        if (!list) {
            tale->step[tale->count] = k;
            tale->depth[tale->count++] = depth;
            tale->number[k] = tale->count;
        }
        count_inside(steps, k, list ? depth : depth + 1, tale);
    }
}

// ------------------------------------------------------------------------------------------- words

// A meaning for 0, and one for each step: "step 2: drive forward 1 m" and the rest.
static bool make_words(const ib_RoutineStep *steps, const ib_RoutineTale *tale, const char *none,
                       const char *behind, ib_ModeLevel level, ib_Arena *arena, ib_Mode *mode)
{
    ib_ModeMeaning *many = ib_arena_array(arena, (size_t)tale->count + 1, sizeof *many);
    if (!many) return false;
    many[0] = (ib_ModeMeaning){none, IB_MODE_INFO, false};
    for (int i = 0; i < tale->count; i++) {
        const char *label = steps[tale->step[i]].label;
        const char *text =
            ib_arena_format(arena, "step %d: %s%s", i + 1, label ? label : "", behind);
        if (!text) return false;
        many[i + 1] = (ib_ModeMeaning){text, level, false};
    }
    *mode = (ib_Mode){.kind = IB_MODE_STATE, .many = many, .many_count = tale->count + 1};
    return true;
}

ib_Status ib_routine_tale_init(const ib_RoutineStep *steps, int count, ib_Arena *arena,
                               ib_RoutineTale *tale, ib_Error *error)
{
    IB_ASSERT(count >= 1 && count <= IB_ROUTINE_STEPS);
    *tale = (ib_RoutineTale){0};
    count_inside(steps, 0, 0, tale);
    if (make_words(steps, tale, "the routine is over", "", IB_MODE_INFO, arena, &tale->current) &&
        make_words(steps, tale, "no step is late any more", " has no more time", IB_MODE_WARNING,
                   arena, &tale->late))
        return IB_OK;
    return ib_error_set(error, IB_FAILED, "out of memory for the words of a routine");
}

// -------------------------------------------------------------------------------------------- rows

void ib_routine_tell(const ib_RoutineTale *tale, const ib_RoutineConfig *config,
                     const ib_Locomotion *base, const ib_BasePose *pose, const double *state,
                     int index, ib_ControlStep *told)
{
    int place = tale->step[index];
    const ib_RoutineStep *step = &config->steps[place];
    const double *own = ib_routine_step_state(config, state, place);
    const double *move = own + IB_STEP_MOTION;
    *told = (ib_ControlStep){.number = index + 1,
                             .depth = tale->depth[index],
                             .label = step->label ? step->label : "",
                             .line = step->line,
                             .holds = step->child >= 0,
                             .moves = step->kind == IB_STEP_MOVE,
                             .outcome = (ib_StepOutcome)own[IB_STEP_OUTCOME],
                             .began = own[IB_STEP_BEGAN],
                             .missed = {own[IB_STEP_MISSED], own[IB_STEP_MISSED + 1]},
                             .promise = own[IB_STEP_PROMISE]};
    memcpy(told->at, own + IB_STEP_AT, sizeof told->at);
    if (!told->moves) return;
    told->faces = step->move.end != IB_MOVE_ANY_WAY;
    memcpy(told->goal, move + IB_MOVE_GOAL, sizeof told->goal);
    memcpy(told->plan, told->goal, sizeof told->plan);
    if (told->outcome == IB_STEP_RUNS)
        ib_move_reference(&step->move, base, pose, config->period, move, told->plan);
}
