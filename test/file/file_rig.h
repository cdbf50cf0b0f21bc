// test/file/file_rig.h: an arena, a list of mistakes and a reader over them.
#ifndef IB_TEST_FILE_FILE_RIG_H
#define IB_TEST_FILE_FILE_RIG_H

#include "cmocka_all.h"
#include "file/reader.h"
#include "mistakes.h"

typedef struct Rig {
    ib_Arena arena;
    ib_Diagnostics diagnostics;
    ib_Reader reader;
} Rig;

static int setup(void **state)
{
    static Rig rig;
    rig = (Rig){0};
    rig.diagnostics.arena = &rig.arena;
    rig.reader = (ib_Reader){
        .file = "shelf/t.yaml", .arena = &rig.arena, .diagnostics = &rig.diagnostics, .seed = 1};
    *state = &rig;
    return 0;
}

static int teardown(void **state)
{
    Rig *rig = *state;
    ib_arena_reset(&rig->arena);
    return 0;
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

#endif
