#include "robot/sliding.h"

void ib_sliding_init(const ib_SlidingConfig *config, const ib_EquipmentConfig *equipment,
                     ib_SlidingModel *model)
{
    *model = (ib_SlidingModel){
        .mass = config->mass + equipment->carried,
        .inertia = config->inertia + equipment->carried_inertia,
        .mu = config->mu,
        .per_slip = 1 / config->slip_speed,
        .foot_x = config->foot_x,
        .foot_y = config->foot_y,
    };
    for (int i = 0; i < 4; i++)
        model->feet[i] = (ib_FootDef){i & 1 ? model->foot_x : -model->foot_x,
                                      i & 2 ? model->foot_y : -model->foot_y, 0.25};
    // A spin fades no faster than a slide, since no feet stand outside the radius of gyration;
    // faster, if its load presses on the feet and has no inertia.
    model->fastest = config->mu / config->slip_speed * (model->mass / config->mass);
}

// ---------------------------------------------------------------------------------------- the feet

typedef struct Notes {
    ib_FloorForce floor;
    double load[4]; ///< of the feet [N]
} Notes;

// A quarter of the weight each, and where that is not over the middle or has a height, as on the
// patches of wheels (plant/wheel/weight.h): by the forces over load, along its own axes.
static void find_loads(const ib_SlidingModel *model, const ib_FloorMotion *m,
                       const ib_Weight *weight, double load[4])
{
    double x[4], y[4], kx[4], ky[4];
    for (int i = 0; i < 4; i++) load[i] = 0.25 * weight->force;
    if (!(weight->height > 0) && weight->x == 0 && weight->y == 0) return;
    for (int i = 0; i < 4; i++) {
        ib_Foot foot = ib_sliding_foot(model, m, i);
        double hold = ib_sliding_hold(model, &foot, 1);
        x[i] = model->feet[i].x;
        y[i] = model->feet[i].y;
        kx[i] = -hold * (foot.vx * m->c + foot.vy * m->s);
        ky[i] = -hold * (foot.vy * m->c - foot.vx * m->s);
    }
    ib_weight_loads(weight, 4, x, y, kx, ky, load);
}

static void push(const void *part, void *notes, ib_Wires *w)
{
    Notes *now = notes;
    ib_FloorMotion motion = ib_passive_motion(&w->body);
    find_loads(part, &motion, &w->body.weight, now->load);
    now->floor = ib_sliding_floor(part, &motion, now->load);
    ib_passive_push(&now->floor, &w->body);
}

static void rate(const void *part, const void *notes, ib_Wires *w, double *dx)
{
    (void)w;
    dx[((const ib_SlidingModel *)part)->body.lost] += ((const Notes *)notes)->floor.power;
}

static void output(const void *part, const void *notes, const ib_Wires *w, double *y)
{
    (void)w;
    ib_passive_output(&((const ib_SlidingModel *)part)->body, &((const Notes *)notes)->floor, y);
}

static bool lifts(const void *part, const void *notes, const ib_Wires *w)
{
    (void)part;
    return ib_weight_lifts(&w->body.weight, 4, ((const Notes *)notes)->load);
}

void ib_sliding_build(ib_SlidingModel *model, size_t start, double length, double width,
                      const ib_BumperConfig *bumper, ib_Build *build)
{
    static const ib_PartKind feet = {.name = "feet",
                                     .notes = sizeof(Notes),
                                     .push = push,
                                     .rate = rate,
                                     .output = output,
                                     .lifts = lifts};
    ib_passive_declare(build, model->mass, model->inertia, start, &model->body);
    ib_passive_ports(build, length, width, bumper, model->fastest);
    ib_build_part(build, &feet, model);
}
