// test/sim/geometry_rig.h: what is looked for in a table of how things look, and what all owe.
#ifndef IB_TEST_GEOMETRY_RIG_H
#define IB_TEST_GEOMETRY_RIG_H

#include "cmocka_all.h"
#include "sim/geometry.h"

#include <math.h>
#include <string.h>

static ib_Arena arena;

static inline int forget(void **state)
{
    (void)state;
    ib_arena_reset(&arena);
    return 0;
}

static inline const ib_SolidDef *find_solid(const ib_Geometry *geometry, const char *name)
{
    for (int i = 0; i < geometry->solid_count; i++)
        if (strcmp(geometry->solids[i].name, name) == 0) return &geometry->solids[i];
    fail_msg("no solid '%s'", name);
    return NULL;
}

static inline const ib_ArrowDef *find_arrow(const ib_Geometry *geometry, const char *name)
{
    for (int i = 0; i < geometry->arrow_count; i++)
        if (strcmp(geometry->arrows[i].name, name) == 0) return &geometry->arrows[i];
    return NULL;
}

// ----------------------------------------------------------------------------- what all tables owe

// `unit` NULL: any.
static inline void check_signal(const ib_SignalDef *signals, int count, const char *name,
                                const char *unit)
{
    if (!name) return;
    for (int i = 0; i < count; i++) {
        if (strcmp(signals[i].name, name) != 0) continue;
        if (unit && strcmp(signals[i].unit, unit) != 0)
            fail_msg("%s is in %s, not in %s", name, signals[i].unit, unit);
        return;
    }
    fail_msg("there is no signal '%s'", name);
}

static inline void check_frame_name(const ib_Geometry *geometry, const char *name)
{
    if (name && ib_geometry_frame(geometry, name) < 0) fail_msg("there is no frame '%s'", name);
}

static inline void check_frames(const ib_Geometry *geometry, const ib_SignalDef *signals, int count)
{
    for (int i = 0; i < geometry->frame_count; i++) {
        const ib_FrameDef *frame = &geometry->frames[i];
        assert_int_equal(ib_geometry_frame(geometry, frame->name), i); // names are unique
        if (frame->parent) assert_in_range(ib_geometry_frame(geometry, frame->parent), 0, i - 1);
        for (int k = 0; k < 3; k++) {
            check_signal(signals, count, frame->move[k], "m");
            check_signal(signals, count, frame->turn[k], "rad");
        }
    }
}

static inline void check_solids(const ib_Geometry *geometry, const ib_SignalDef *signals, int count)
{
    static const int sizes[] = {[IB_SOLID_BOX] = 3,
                                [IB_SOLID_CYLINDER] = 2,
                                [IB_SOLID_CAPSULE] = 2,
                                [IB_SOLID_POLYGON] = 1};
    for (int i = 0; i < geometry->solid_count; i++) {
        const ib_SolidDef *solid = &geometry->solids[i];
        assert_true(solid->name && solid->name[0]);
        check_frame_name(geometry, solid->frame);
        for (int k = 0; k < sizes[solid->form]; k++) assert_true(solid->size[k] > 0);
        for (int k = 0; k < 3; k++)
            assert_true(isfinite(solid->place[k]) && isfinite(solid->attitude[k]));
        assert_true(solid->form != IB_SOLID_POLYGON || solid->corner_count >= 3);
        assert_true(solid->colour <= 0xffffff && solid->tint_colour <= 0xffffff);
        assert_true(solid->opacity >= 0 && solid->opacity <= 1);
        check_signal(signals, count, solid->tint, NULL);
        assert_true(!solid->tint || solid->tint_full > 0);
        assert_true(!solid->tint || (solid->tint_label && solid->tint_label[0]));
    }
}

static inline void check_geometry(const ib_Geometry *geometry, const ib_SignalDef *signals,
                                  int count)
{
    assert_non_null(geometry);
    check_frames(geometry, signals, count);
    check_solids(geometry, signals, count);
    for (int i = 0; i < geometry->arrow_count; i++) {
        const ib_ArrowDef *arrow = &geometry->arrows[i];
        static const char *const units[] = {"m/s", "N", "N*s"}; // by kinds
        check_frame_name(geometry, arrow->frame);
        check_signal(signals, count, arrow->since, "s");
        for (int k = 0; k < 3; k++) {
            const double *a = arrow->along[k];
            check_signal(signals, count, arrow->signal[k], units[arrow->kind]);
            check_signal(signals, count, arrow->move[k], "m");
            if (arrow->signal[k]) assert_close(a[0] * a[0] + a[1] * a[1] + a[2] * a[2], 1, 1e-12);
        }
    }
    for (int i = 0; i < geometry->mark_count; i++) {
        const ib_MarkDef *mark = &geometry->marks[i];
        check_frame_name(geometry, mark->frame);
        for (int k = 0; k < 3; k++) check_signal(signals, count, mark->move[k], "m");
        for (int f = 0; f < mark->foot_count; f++) {
            assert_true(mark->feet[f].load && mark->feet[f].radius >= 0);
            check_signal(signals, count, mark->feet[f].load, "N");
            for (int k = 0; k < 3; k++) check_signal(signals, count, mark->feet[f].move[k], "m");
        }
    }
    for (int i = 0; i < geometry->trace_count; i++) {
        const ib_TraceDef *trace = &geometry->traces[i];
        assert_true(trace->name && trace->name[0] && trace->reach >= 0);
        check_frame_name(geometry, trace->frame);
        for (int k = 0; k < 3; k++) check_signal(signals, count, trace->move[k], "m");
    }
}

#endif
