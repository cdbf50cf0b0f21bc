// plant/mechanism/mechanism_draft.c: how a mechanism looks, drawn frame by frame, solid by solid.
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
    ib_SolidDef *wheel = ib_draft_solid(draft, "wheel", "wheel", IB_SOLID_CYLINDER, IB_COLOUR_TYRE);
    wheel->attitude[2] = IB_SOLID_LYING;
    wheel->size[0] = radius;
    wheel->size[1] = wheel->size[2] = length;
    ib_SolidDef *spoke = ib_draft_solid(draft, "spoke", "wheel", IB_SOLID_BOX, IB_COLOUR_LOAD);
    spoke->size[0] = 1.8 * radius;
    spoke->size[1] = 1.04 * length;
    spoke->size[2] = 0.2 * radius;
}
