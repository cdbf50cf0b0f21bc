// test/world/stage.h: a world with its room and the pairs that rest, for tests that look at
// single instants.
#ifndef IB_TEST_WORLD_STAGE_H
#define IB_TEST_WORLD_STAGE_H

#include "cmocka_all.h"
#include "world/world.h"

typedef struct Stage {
    ib_Arena arena;
    ib_World *world;
    ib_WorldWorkspace *workspace;
    ib_Rests rests;
} Stage;

static inline void stage_set(Stage *stage, const ib_FieldConfig *field, const ib_BodyConfig *bodies,
                             int count)
{
    ib_Error error;
    *stage = (Stage){0};
    if (ib_world_create(field, bodies, count, &stage->arena, &stage->world, &error) != IB_OK)
        fail_msg("%s", error.text);
    stage->workspace = ib_world_workspace_create(stage->world, &stage->arena);
    stage->rests.items =
        ib_arena_array(&stage->arena, (size_t)stage->world->rest_room, sizeof *stage->rests.items);
    assert_true(stage->workspace && stage->rests.items);
}

static inline void stage_end(Stage *stage)
{
    ib_arena_reset(&stage->arena);
}

static inline bool stage_rests(const Stage *stage, int pair)
{
    for (int i = 0; i < stage->rests.count; i++)
        if (stage->rests.items[i].pair == pair) return true;
    return false;
}

// Bodies that were put where they are.
static inline void stage_hit(Stage *stage, const ib_BodyState *bodies, const double *inverse_mass,
                             ib_Impact *impact)
{
    ib_world_workspace_reset(stage->workspace);
    ib_world_impact(stage->world, stage->workspace, bodies, NULL, inverse_mass,
                    (ib_Slow){IB_REST_SPEED, IB_REST_SPEED}, &stage->rests, impact);
}

static inline ib_FirstContact stage_meet(Stage *stage, const ib_Course *course)
{
    ib_world_workspace_reset(stage->workspace);
    return ib_world_first_contact(stage->world, stage->workspace, &stage->rests, course);
}

#endif
