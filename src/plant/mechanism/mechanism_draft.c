// plant/mechanism/mechanism_draft.c: the geometry of a mechanism, drawn frame by frame, solid
// by solid.
#include "plant/mechanism/mechanism.h"

#include <stdio.h>
#include <string.h>

const char *ib_draft_name(ib_MechanismDraft *draft, const char *name)
{
    return ib_arena_format(draft->arena, "%s.%s", draft->name, name);
}

ib_FrameDef *ib_draft_frame(ib_MechanismDraft *draft, const char *name)
{
    IB_ASSERT(draft->frame_count < IB_DRAFT_FRAMES);
    ib_FrameDef *frame = &draft->frames[draft->frame_count++];
    *frame = (ib_FrameDef){.name = ib_draft_name(draft, name), .parent = draft->mount};
    return frame;
}

ib_SolidDef *ib_draft_solid(ib_MechanismDraft *draft, const char *name, const char *frame,
                            ib_SolidForm form, uint32_t colour)
{
    IB_ASSERT(draft->solid_count < IB_DRAFT_SOLIDS);
    ib_SolidDef *solid = &draft->solids[draft->solid_count++];
    *solid = (ib_SolidDef){.name = name,
                           .frame = frame ? ib_draft_name(draft, frame) : draft->mount,
                           .form = form,
                           .colour = colour};
    return solid;
}

ib_SolidDef *ib_draft_box(ib_MechanismDraft *draft, const char *name, const char *frame,
                          const double place[3], const double size[3], uint32_t colour)
{
    ib_SolidDef *box = ib_draft_solid(draft, name, frame, IB_SOLID_BOX, colour);
    memcpy(box->place, place, sizeof box->place);
    memcpy(box->size, size, sizeof box->size);
    return box;
}

ib_SolidDef *ib_draft_axle(ib_MechanismDraft *draft, const char *name, const char *frame,
                           double radius, double length, uint32_t colour)
{
    ib_SolidDef *axle = ib_draft_solid(draft, name, frame, IB_SOLID_CYLINDER, colour);
    axle->attitude[2] = IB_SOLID_LYING;
    axle->size[0] = radius;
    axle->size[1] = axle->size[2] = length;
    return axle;
}

ib_TraceDef *ib_draft_trace(ib_MechanismDraft *draft, const char *label)
{
    IB_ASSERT(draft->trace_count < IB_DRAFT_TRACES);
    ib_TraceDef *trace = &draft->traces[draft->trace_count++];
    *trace = (ib_TraceDef){.name = ib_arena_format(draft->arena, "%s: %s", draft->name, label),
                           .frame = draft->mount};
    return trace;
}

void ib_draft_wheel(ib_MechanismDraft *draft, double radius, double length)
{
    ib_FrameDef *frame = ib_draft_frame(draft, "wheel");
    frame->turn[1] = ib_draft_name(draft, "position");
    ib_draft_axle(draft, "wheel", "wheel", radius, length, IB_COLOUR_TYRE);
    ib_draft_box(draft, "spoke", "wheel", (double[3]){0},
                 (double[]){1.8 * radius, 1.04 * length, 0.2 * radius}, IB_COLOUR_LOAD);
}
