// plant/wheel.c: set-up of the wheels. The laws are in the header.
#include "plant/wheel.h"

#include <float.h>

const char *const ib_wheel_models[] = {"rolling", "viscous", "friction_circle", "bristle", NULL};

ib_WheelConfig ib_wheel_default(void)
{
    return (ib_WheelConfig){
        .model = IB_WHEEL_FRICTION_CIRCLE,
        .side_friction = 200.0,
        .mu = 1.0,
        .mu_static = 0.0,
        .slip_speed = 0.1,
        .side_scale = 1.0,
        .contact_half_length = 0.3,
        .inertia_per_side = 0.003,
        .rolling_resistance = 0.0,
        .com_height = 0.0,
        .bristle_deflection = 6e-5,
        .bristle_relax = 0.08,
    };
}

static int below(double value, double limit)
{
    return !(value >= limit && value <= DBL_MAX);
}

ib_Status ib_wheel_check(const ib_WheelConfig *c, ib_Error *error)
{
    const struct {
        const char *key;
        double value, least;
    } fields[] = {
        {"side_friction", c->side_friction, 0.0},
        {"mu", c->mu, 0.0},
        {"slip_speed", c->slip_speed, 1e-6},
        {"side_scale", c->side_scale, 0.0},
        {"contact_half_length", c->contact_half_length, 0.0},
        {"inertia_per_side", c->inertia_per_side, 0.0},
        {"rolling_resistance", c->rolling_resistance, 0.0},
        {"com_height", c->com_height, 0.0},
        {"bristle_deflection", c->bristle_deflection, 1e-9},
        {"bristle_relax", c->bristle_relax, 1e-6},
    };
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        if (below(fields[i].value, fields[i].least))
            return ib_error_set(error, IB_BAD_INPUT, "%s: expected at least %g, got %g",
                                fields[i].key, fields[i].least, fields[i].value);
    }
    if (c->side_scale > 1.0)
        return ib_error_set(error, IB_BAD_INPUT,
                            "side_scale: expected 0 to 1 (a part of mu), got %g", c->side_scale);
    if (c->mu_static != 0.0 && below(c->mu_static, c->mu))
        return ib_error_set(error, IB_BAD_INPUT,
                            "mu_static: expected at least mu = %g (a wheel that holds "
                            "holds more than one that slides), got %g",
                            c->mu, c->mu_static);
    if (c->model == IB_WHEEL_BRISTLE && !(c->mu > 0.0))
        return ib_error_set(error, IB_BAD_INPUT,
                            "mu: the bristle model needs a friction above 0, got %g", c->mu);
    return IB_OK;
}

void ib_wheel_init(const ib_WheelConfig *config, double half_track, ib_WheelModel *model)
{
    IB_ASSERT(half_track > 0.0 && config->slip_speed > 0.0);
    model->config = *config;
    if (config->mu_static == 0.0) model->config.mu_static = 1.2 * config->mu;
    model->half_track = half_track;
    model->per_slip_speed = 1.0 / config->slip_speed;
    model->per_length = config->contact_half_length > 0.0 ? 1.0 / config->contact_half_length : 0.0;
    model->per_track = 1.0 / half_track;
    model->stiffness = model->config.mu_static / config->bristle_deflection;
}

// How fast a slip dies out. At rest, force over load and slip is k = mu/v_s (bristle: its damper,
// mu_static/v_r), and a slip is undone by the wheels, r_w^2/(2 J_side), and by the body, 1/M or,
// turning, (W^2 + a^2)/I:
//   lambda = k weight Y,   Y = r_w^2/(2 J_side) + max(1/M, (W^2 + a^2)/I)
// A bristle also swings with sqrt(sigma_0 weight Y) and, sliding, forgets with sigma_0 v_r/mu.
// RK4 is stable up to h lambda = 2.78. At 1.7 a launch is right to 0.1 mm in 19 m, at 1 to 7 um
// (docs/plant/wheel.md); at 1.1 the book of energy holds to a millionth over a match.
double ib_wheel_resolution(const ib_WheelModel *model, const ib_WheelCarried *carried)
{
    const ib_WheelConfig *c = &model->config;
    if (c->model < IB_WHEEL_FRICTION_CIRCLE) return 0.0;
    double a = c->contact_half_length, W = model->half_track, r = carried->wheel_radius;
    double yield = fmax(1.0 / carried->mass, (W * W + a * a) / carried->inertia) +
                   r * r / (2.0 * carried->side_inertia);
    double loose = carried->weight * yield;
    double fastest = c->mu * model->per_slip_speed * loose;
    if (c->model == IB_WHEEL_BRISTLE) {
        double damper = c->mu_static / c->bristle_relax * loose;
        double swing = sqrt(model->stiffness * loose);
        fastest = fmax(fmax(damper, swing), model->stiffness * c->bristle_relax / c->mu);
    }
    return fastest > 0.0 ? 1.1 / fastest : 0.0;
}
