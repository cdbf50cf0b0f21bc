// plant/air/friction.c: a friction's numbers, checked and prepared; which key acts in which law.
#include "plant/air/friction.h"

#include "base/extreme.h"
#include "base/maths.h"

#include <string.h>

const char *const ib_friction_laws[] = {"none",    "coulomb",   "coulomb_viscous",
                                        "viscous", "saturated", "stribeck",
                                        "lugre",   "smooth",    NULL};
const ib_PresetDef ib_friction_presets = {.file = "frictions"};

ib_FrictionConfig ib_friction_default(void)
{
    return (ib_FrictionConfig){
        .law = IB_FRICTION_STRIBECK,
        .static_force = 20.01699726867225,  // 4.5 lbf
        .coulomb_extend = 13.3446648457815, // 3 lbf
        .coulomb_retract = IB_FRICTION_SAME,
        .viscous = 2.22411080763025, // 0.5 lbf s/m
        .sliding_speed = 0.1,
        .exponent = 5,
        .steepness = 40,
        .saturation_speed = 0.01,
        .stiffness = 1e5,
        .damping = 200,
        .velocity_unit = 1,
        .end_factor = {1, 1},
    };
}

// ---------------------------------------------------------------------------------- terms of a law

#define LAW(name) (1u << IB_FRICTION_##name)

enum {
    STRIBECKS = LAW(STRIBECK) | LAW(LUGRE),
    RAMPS = LAW(SATURATED) | LAW(SMOOTH),
    STATICS = LAW(COULOMB_VISCOUS) | STRIBECKS,
    DRAGGING = STATICS | RAMPS | LAW(VISCOUS),
    DRY = STATICS | RAMPS | LAW(COULOMB),
};

static bool among(int law, unsigned laws)
{
    return laws >> law & 1;
}

static const struct {
    const char *key; ///< behind "friction."
    unsigned laws;
} numbers[] = {
    {"static", STATICS},
    {"coulomb", DRY},
    {"coulomb_retract", DRY},
    {"viscous", DRAGGING},
    {"sliding_speed", STRIBECKS},
    {"exponent", STRIBECKS},
    {"steepness", LAW(STRIBECK)},
    {"saturation_speed", RAMPS},
    {"stiffness", LAW(LUGRE)},
    {"damping", LAW(LUGRE)},
    {"velocity_unit", DRAGGING},
    {"side_coefficient", DRY},
    {"ends.cap", DRY},
    {"ends.rod", DRY},
    {"end_zone", DRY},
};
enum { NUMBERS = sizeof numbers / sizeof numbers[0] };

const char *ib_friction_idle(const ib_FrictionConfig *config, const char *key)
{
    const char prefix[] = "friction.";
    size_t length = sizeof prefix - 1;
    if (strncmp(key, prefix, length) != 0) return NULL;
    key += length;
    for (int i = 0; i < NUMBERS; i++)
        if (strcmp(key, numbers[i].key) == 0 && !among(config->law, numbers[i].laws))
            return "friction.law";
    bool plain = config->end_factor[0] == 1 && config->end_factor[1] == 1;
    if (strcmp(key, "end_zone") == 0 && plain) return "friction.ends.cap";
    return strncmp(key, "ends.", 5) == 0 && config->end_zone == 0 ? "friction.end_zone" : NULL;
}

// ------------------------------------------------------------------------------------------- check

static ib_Status refuse(const char *key, const char *expected, double got, ib_Error *error)
{
    return ib_error_set(error, IB_BAD_INPUT, "friction.%s: expected %s, got %g", key, expected,
                        got);
}

static double retracting(const ib_FrictionConfig *config)
{
    bool same = config->coulomb_retract == IB_FRICTION_SAME;
    return same ? config->coulomb_extend : config->coulomb_retract;
}

ib_Status ib_friction_check(const ib_FrictionConfig *config, ib_Error *error)
{
    for (int i = 0; i < 2; i++)
        if (!(config->end_factor[i] > 0))
            return refuse(i ? "ends.rod" : "ends.cap", "more than 0", config->end_factor[i], error);
    double least = ib_min(config->coulomb_extend, retracting(config));
    double most = ib_max(config->coulomb_extend, retracting(config));
    if (among(config->law, STATICS) && !(config->static_force >= most))
        return ib_error_set(error, IB_BAD_INPUT,
                            "friction.static: expected not less than friction.coulomb (%g N), "
                            "got %g N",
                            most, config->static_force);
    if (config->law == IB_FRICTION_LUGRE && !(least > 0))
        return refuse("coulomb", "more than 0 N, which bends the bristles of law lugre", least,
                      error);
    return IB_OK;
}

// -------------------------------------------------------------------------------------------- init

// Constants for speeds in another unit are turned into those for m/s:  w = v/unit
//   C_V w = (C_V/unit) v,   w/v_S = v/(unit v_S),   k w = (k/unit) v
void ib_friction_init(const ib_FrictionConfig *config, double stroke, ib_FrictionModel *friction)
{
    double unit = config->velocity_unit, saturation = config->saturation_speed * unit;
    bool dry = among(config->law, DRY), statics = among(config->law, STATICS);
    bool sticks = config->law == IB_FRICTION_COULOMB || statics;
    bool holds = sticks && config->law != IB_FRICTION_STRIBECK;
    bool is_whole = config->exponent <= 15 && config->exponent == floor(config->exponent);
    // An end's zone ends at the other end.
    double zone = ib_min(config->end_zone, stroke);

    *friction = (ib_FrictionModel){
        .law = config->law,
        .viscous = among(config->law, DRAGGING) ? config->viscous / unit : 0,
        .per_sliding = 1 / (config->sliding_speed * unit),
        .exponent = config->exponent,
        .whole = is_whole ? (int)config->exponent : 0,
        .steepness = config->steepness / unit,
        .per_saturation = 1 / saturation,
        .saturation = saturation,
        .stiffness = config->stiffness,
        .damping = config->damping,
        .side = dry ? config->side_coefficient : 0,
        .per_zone = zone > 0 ? 1 / zone : 0,
        .stroke = stroke,
    };
    for (int i = 0; i < 2; i++) {
        double coulomb = i ? retracting(config) : config->coulomb_extend;
        double most = statics ? config->static_force : coulomb;
        friction->coulomb[i] = dry ? coulomb : 0;
        friction->surplus[i] = dry ? most - coulomb : 0;
        friction->hold[i] = holds ? most : 0;
        friction->excess[i] = zone > 0 ? config->end_factor[i] - 1 : 0;
    }
}

bool ib_friction_sticks(const ib_FrictionModel *friction)
{
    return friction->law == IB_FRICTION_COULOMB || friction->law == IB_FRICTION_COULOMB_VISCOUS;
}

bool ib_friction_bristles(const ib_FrictionModel *friction)
{
    return friction->law == IB_FRICTION_LUGRE;
}

// The solution of z' = v - a z, a = sigma_0 |v|/g, for constant v:
//   z = z0 e^(-a t) + v t (1 - e^(-a t))/(a t)
double ib_friction_bend(const ib_FrictionModel *f, double v, double z, double x, double side,
                        double t)
{
    double w = f->stiffness * fabs(v) * t / ib__friction_curve(f, v, x, side), left = ib_exp(-w);
    double mean = w < 1e-5 ? 1 - 0.5 * w : (1 - left) / w;
    return z * left + v * t * mean;
}

// ------------------------------------------------------------------------------------------- steps

// The ends count with the larger factor.
static double largest_factor(const ib_FrictionModel *f)
{
    return ib_max(1, ib_max(1 + f->excess[0], 1 + f->excess[1]));
}

double ib_friction_steepest(const ib_FrictionModel *f, double side)
{
    double high = largest_factor(f), slope = f->viscous;
    double coulomb = ib_max(f->coulomb[0], f->coulomb[1]) + f->side * side;
    double hold = ib_max(f->coulomb[0] + f->surplus[0], f->coulomb[1] + f->surplus[1]);
    if (f->law == IB_FRICTION_STRIBECK) slope += high * (hold + f->side * side) * f->steepness;
    if (f->law == IB_FRICTION_SATURATED || f->law == IB_FRICTION_SMOOTH)
        slope += high * coulomb * f->per_saturation;
    if (f->law == IB_FRICTION_LUGRE) slope += f->damping;
    return slope;
}

// Time scales, each at its worst: F_S at the end with the larger factor.
//   a function of v:  mu = (dF/dv at rest)/m
//   bristles:         mu = (sigma_1 + C_V)/m, w = sqrt(sigma_0/m), and they are dragged along with
//                     sigma_0 |v|/g, g at least F_C at the end with the smaller factor
// RK4 is stable up to 2.785 on the real axis; with 0.3 rad a step the phase of a swing is right
// within 1e-4.
double ib_friction_resolution(const ib_FrictionModel *f, double mass, double speed, double side)
{
    double low = ib_min(1, ib_min(1 + f->excess[0], 1 + f->excess[1]));
    double least = ib_min(f->coulomb[0], f->coulomb[1]) + f->side * side;
    double slope = ib_friction_steepest(f, side), drag = 0, swing = 0;
    if (f->law == IB_FRICTION_LUGRE) {
        drag = f->stiffness * speed / (low * least);
        swing = sqrt(f->stiffness / mass);
    }
    return ib_min(2.5 / (ib_max(slope / mass, drag) + swing), 0.3 / swing);
}
