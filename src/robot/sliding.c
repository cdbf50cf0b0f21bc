#include "robot/sliding.h"

void ib_sliding_init(const ib_SlidingConfig *config, const ib_OutfitConfig *outfit,
                     ib_SlidingModel *model)
{
    *model = (ib_SlidingModel){
        .mass = config->mass + outfit->carried,
        .inertia = config->inertia + outfit->carried_inertia,
        .mu = config->mu,
        .per_slip = 1 / config->slip_speed,
        .foot_x = config->foot_x,
        .foot_y = config->foot_y,
    };
    for (int i = 0; i < 4; i++)
        model->feet[i] = (ib_FootDef){i & 1 ? model->foot_x : -model->foot_x,
                                      i & 2 ? model->foot_y : -model->foot_y, 0.25};
    // A spin fades no faster than a slide, since no feet stand outside the radius of gyration;
    // faster, where what it carries presses on the feet and has no inertia.
    model->fastest = config->mu / config->slip_speed * (model->mass / config->mass);
}

// ---------------------------------------------------------------------------------------- the feet

static void push(const void *part, void *notes, ib_Wires *w)
{
    ib_FloorForce *floor = notes;
    ib_FloorMotion motion = ib_passive_motion(&w->body);
    *floor = ib_sliding_floor(part, &motion);
    ib_passive_push(floor, &w->body);
}

static void rate(const void *part, const void *notes, ib_Wires *w, double *dx)
{
    (void)w;
    dx[((const ib_SlidingModel *)part)->body.lost] += ((const ib_FloorForce *)notes)->power;
}

static void output(const void *part, const void *notes, const ib_Wires *w, double *y)
{
    (void)w;
    ib_passive_output(&((const ib_SlidingModel *)part)->body, notes, y);
}

void ib_sliding_build(ib_SlidingModel *model, size_t start, double length, double width,
                      const ib_BumperConfig *bumper, ib_Build *build)
{
    static const ib_PartKind feet = {.name = "feet",
                                     .notes = sizeof(ib_FloorForce),
                                     .push = push,
                                     .rate = rate,
                                     .output = output};
    ib_passive_declare(build, model->mass, model->inertia, start, &model->body);
    ib_passive_ports(build, length, width, bumper, model->fastest);
    ib_build_part(build, &feet, model);
}
