// plant/wheel/tyre.c: set-up of a tyre. The laws are in the header.
#include "plant/wheel/tyre.h"

#include "base/extreme.h"

ib_Status ib_tyre_check(const ib_TyreConfig *c, ib_Error *error)
{
    if (c->mu_static != 0.0 && !(c->mu_static >= c->mu))
        return ib_error_set(error, IB_BAD_INPUT,
                            "mu_static: expected at least mu = %g (a wheel that holds "
                            "holds more than one that slides), got %g",
                            c->mu, c->mu_static);
    if (c->law == IB_TYRE_BRISTLE && !(c->mu > 0.0))
        return ib_error_set(error, IB_BAD_INPUT,
                            "mu: the bristle model needs a friction above 0, got %g", c->mu);
    return IB_OK;
}

void ib_tyre_init(const ib_TyreConfig *config, ib_TyreModel *model)
{
    IB_ASSERT(config->slip_speed > 0.0 && config->bristle_deflection > 0.0);
    double mu_static = config->mu_static == 0.0 ? 1.2 * config->mu : config->mu_static;
    *model = (ib_TyreModel){
        .law = config->law,
        .mu = config->mu,
        .mu_static = mu_static,
        .slip_speed = config->slip_speed,
        .per_slip_speed = 1.0 / config->slip_speed,
        .rolling_resistance = config->rolling_resistance,
        .bristle_relax = config->bristle_relax,
        .stiffness = mu_static / config->bristle_deflection,
    };
}

// Decay rate of a slip. At rest, force over load and slip is mu/v_s (bristle: its damper,
// mu_static/v_r), and a slip s decays by s' = -Y F, Y the inverse masses of wheels and body:
//   lambda = mu/v_s loose,   loose = weight Y
// A bristle also swings with sqrt(sigma_0 loose) and, sliding, forgets with sigma_0 v_r/mu.
double ib_tyre_fastest(const ib_TyreModel *t, double loose)
{
    if (t->law == IB_TYRE_CIRCLE) return t->mu * t->per_slip_speed * loose;
    double damper = t->mu_static / t->bristle_relax * loose;
    double swing = sqrt(t->stiffness * loose);
    return ib_max(ib_max(damper, swing), t->stiffness * t->bristle_relax / t->mu);
}
