// test/desk/desk_rig.h: designs read from texts and from designs/, and what was told of them.
#ifndef IB_TEST_DESK_RIG_H
#define IB_TEST_DESK_RIG_H

#include "cmocka_all.h"

#include "desk/design/design_file.h"
#include "desk/design/design_json.h"
#include "mistakes.h"

#include <stdio.h>
#include <string.h>

// A mass with drag, pushed by a voltage: two lines of a file, and its usual loop and filter.
#define RIG_MASS                                                                                   \
    "plant: {A: [[0, 1], [0, -2]], B: [[0], [3]], C: [[1, 0]], D: [[0]], states: [x, v],\n"        \
    "        inputs: [volts], outputs: [x], time: continuous}\n"
#define RIG_LQR    "lqr: {tolerance: {x: 0.14, v: 0.95, volts: 12}}\n"
#define RIG_KALMAN "kalman: {process: [[0.0025, 0], [0, 1]], measurement: [[5e-11]]}\n"

static ib_Arena rig_arena;      ///< of all that a test file reads
static ib_Diagnostics rig_told; ///< of the last reading

// Gives the memory back: at the end of the test file.
static inline int rig_forget(void **state)
{
    (void)state;
    ib_arena_reset(&rig_arena);
    return 0;
}

// Where a reading tells its mistakes and warnings.
static inline ib_Diagnostics *rig_listen(void)
{
    rig_told = (ib_Diagnostics){.arena = &rig_arena};
    return &rig_told;
}

// What was read is there; otherwise the mistakes are printed.
static inline void *rig_there(void *read)
{
    print_mistakes(&rig_told);
    assert_non_null(read);
    return read;
}

// NULL: it was refused.
static inline ib_DesignFile *rig_read(const char *text)
{
    return ib_design_file_read_text("t.yaml", text, strlen(text), NULL, rig_listen());
}

static inline ib_DesignFile *rig_design(const char *text)
{
    return rig_there(rig_read(text));
}

// A path of this memory, which the next call fills anew.
static inline const char *rig_example_path(const char *name)
{
    static char path[500];
    snprintf(path, sizeof path, "%s/designs/%s", IB_SOURCE_DIR, name);
    return path;
}

static inline ib_DesignFile *rig_example(const char *name)
{
    return rig_there(ib_design_file_read(rig_example_path(name), NULL, rig_listen()));
}

// What `ironbird design --json` prints; the caller frees it.
static inline char *rig_json(const ib_DesignFile *file, size_t *length)
{
    char *text = NULL;
    FILE *stream = open_memstream(&text, length);
    assert_non_null(stream);
    ib_design_json_write(file, stream);
    fclose(stream);
    return text;
}

#endif
