// plant/wheel/wheel.c: set-up of the wheels. The laws are in the header.
#include "plant/wheel/wheel.h"

#include "base/extreme.h"

const char *const ib_wheel_models[] = {"rolling", "viscous", "friction_circle", "bristle", NULL};

static ib_TyreConfig tyre_of(const ib_WheelConfig *c)
{
    ib_TyreConfig tyre = c->tyre;
    tyre.law = c->model == IB_WHEEL_BRISTLE ? IB_TYRE_BRISTLE : IB_TYRE_CIRCLE;
    return tyre;
}

ib_Status ib_wheel_check(const ib_WheelConfig *c, ib_Error *error)
{
    ib_TyreConfig tyre = tyre_of(c);
    return ib_tyre_check(&tyre, error);
}

void ib_wheel_init(const ib_WheelConfig *config, double half_track, ib_WheelModel *model)
{
    IB_ASSERT(half_track > 0.0);
    ib_TyreConfig tyre = tyre_of(config);
    ib_tyre_init(&tyre, &model->tyre);
    model->config = *config;
    model->half_track = half_track;
    model->per_length = config->contact_half_length > 0.0 ? 1.0 / config->contact_half_length : 0.0;
    model->per_track = 1.0 / half_track;
}

// A slip is undone by the wheels, r_w^2/(2 J_side), and by the body, 1/M or, turning,
// (W^2 + a^2)/I; ib_tyre_fastest says how fast:
//   loose = weight Y,   Y = r_w^2/(2 J_side) + max(1/M, (W^2 + a^2)/I)
// RK4 is stable up to h lambda = 2.78. At 1.7 a launch is right to 0.1 mm in 19 m, at 1 to 7 um
// (docs/plant/wheel.md); at 1.1 the energy balance holds to a millionth over a match.
double ib_wheel_resolution(const ib_WheelModel *model, const ib_WheelCarried *carried)
{
    const ib_WheelConfig *c = &model->config;
    if (c->model < IB_WHEEL_FRICTION_CIRCLE) return 0.0;
    double a = c->contact_half_length, W = model->half_track, r = carried->wheel_radius;
    double yield = ib_max(1.0 / carried->mass, (W * W + a * a) / carried->inertia) +
                   r * r / (2.0 * carried->side_inertia);
    double fastest = ib_tyre_fastest(&model->tyre, carried->weight * yield);
    return fastest > 0.0 ? 1.1 / fastest : 0.0;
}
