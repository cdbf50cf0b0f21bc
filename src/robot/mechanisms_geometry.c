// robot/mechanisms_geometry.c: the geometry of a robot's mechanisms, on the body that carries them.
#include "robot/mechanisms.h"

#include <string.h>

bool ib_mechanisms_geometry(const ib_Mechanisms *m, ib_Arena *arena, ib_RobotPorts *ports)
{
    static const ib_Geometry nothing = {0};
    const ib_Geometry *base = ports->geometry ? ports->geometry : &nothing;
    size_t most = (size_t)m->count;
    ib_FrameDef *frames = ib_arena_array(
        arena, (size_t)base->frame_count + most * (1 + IB_DRAFT_FRAMES), sizeof *frames);
    ib_SolidDef *solids =
        ib_arena_array(arena, (size_t)base->solid_count + most * IB_DRAFT_SOLIDS, sizeof *solids);
    ib_TraceDef *traces =
        ib_arena_array(arena, (size_t)base->trace_count + most * IB_DRAFT_TRACES, sizeof *traces);
    ib_Geometry *geometry = ib_arena_alloc(arena, sizeof *geometry);
    if (!frames || !solids || !traces || !geometry) return false;
    *geometry = *base;
    if (base->frame_count) memcpy(frames, base->frames, (size_t)base->frame_count * sizeof *frames);
    if (base->solid_count) memcpy(solids, base->solids, (size_t)base->solid_count * sizeof *solids);
    if (base->trace_count) memcpy(traces, base->traces, (size_t)base->trace_count * sizeof *traces);
    const char *body = ib_geometry_frame(base, "body") >= 0 ? "body" : NULL;
    for (int i = 0; m->hook >= 0 && body && i < base->frame_count; i++)
        if (strcmp(frames[i].name, body) == 0)
            frames[i].move[2] =
                ib_arena_format(arena, "%s.height", m->items[m->hook].actuator.name);
    for (int i = 0; i < m->count; i++) {
        const ib_Actuator *item = &m->items[i].actuator;
        ib_MechanismDraft draft = {.arena = arena, .name = item->name};
        draft.mount = ports->parts[i].frame;
        frames[geometry->frame_count++] = (ib_FrameDef){
            .name = draft.mount,
            .parent = body,
            .place = {item->config.place[0], item->config.place[1], item->config.place[2]}};
        if (item->mechanism.kind->geometry)
            item->mechanism.kind->geometry(m->items[i].config, &draft);
        for (int k = 0; k < draft.frame_count; k++)
            frames[geometry->frame_count++] = draft.frames[k];
        for (int k = 0; k < draft.solid_count; k++)
            solids[geometry->solid_count++] = draft.solids[k];
        for (int k = 0; k < draft.trace_count; k++)
            traces[geometry->trace_count++] = draft.traces[k];
    }
    geometry->frames = frames;
    geometry->solids = solids;
    geometry->traces = traces;
    ports->geometry = geometry;
    return true;
}
