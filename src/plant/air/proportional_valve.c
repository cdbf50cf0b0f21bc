// plant/air/proportional_valve.c: a proportional valve's numbers, checked and prepared.
#include "plant/air/proportional_valve.h"

#include "base/extreme.h"
#include "base/maths.h"

#include <string.h>

#define PI 3.14159265358979323846

const char *const ib_proportional_laws[] = {"equivalent", "linear", "spool", "holes", NULL};
const char *const ib_proportional_curves[] = {"tanh", "linear", "switch", NULL};
const char *const ib_proportional_maps[] = {"polynomial", "table", NULL};
const char *const ib_lost_flows[] = {"none", "constant", "band", NULL};
const char *const ib_spool_dynamics[] = {"none", "first", "second", NULL};
const char *const ib_proportional_sizes[] = {"area", "C", "Cv", "Kv", "nominal_flow", NULL};
const ib_TableDef ib_proportional_areas = {.columns = 3, .units = {"V", "m^2", "m^2"}, .rows = 10};

// ------------------------------------------------------------------------------------------- check

static int zero_row(const ib_Table *areas)
{
    for (int i = 0; i < areas->count; i++)
        if (areas->x[i] == 0) return i;
    return -1;
}

ib_Status ib_proportional_check(const ib_ProportionalConfig *config, ib_Error *error)
{
    const ib_Table *areas = &config->areas;
    if (config->law == IB_PROPORTIONAL_EQUIVALENT && config->map == IB_MAP_POLYNOMIAL) {
        int zero = zero_row(areas);
        if (zero < 4 || areas->count - zero < 5)
            return ib_error_set(error, IB_BAD_INPUT,
                                "valve.areas: expected a row at 0 V and four or more on each side "
                                "of it, for two fits of degree 4");
    }
    double opening = config->full + config->lap;
    if (config->law == IB_PROPORTIONAL_SPOOL && !(opening > 0))
        return ib_error_set(error, IB_BAD_INPUT,
                            "valve.lap: expected less overlap than valve.full (%g V), got %g V",
                            config->full, config->lap);
    return IB_OK;
}

// -------------------------------------------------------------------------------------------- init

// Householder's reflections on [1 t t^2 t^3 t^4 | y] with t = x/scale, which is well conditioned;
// then the powers of the scale are taken out.
void ib_polynomial_fit(int count, const double *x, const double *y, double c[5])
{
    double a[IB_TABLE_ROWS][6], scale = 0;
    for (int i = 0; i < count; i++) scale = ib_max(scale, fabs(x[i]));
    for (int i = 0; i < count; i++) {
        a[i][0] = 1;
        for (int j = 1; j < 5; j++) a[i][j] = a[i][j - 1] * (x[i] / scale);
        a[i][5] = y[i];
    }
    for (int j = 0; j < 5; j++) {
        double norm = 0;
        for (int i = j; i < count; i++) norm += a[i][j] * a[i][j];
        norm = copysign(sqrt(norm), a[j][j]);
        double head = a[j][j] + norm, per = 1 / (norm * head);
        for (int k = j + 1; k < 6; k++) {
            double dot = head * a[j][k];
            for (int i = j + 1; i < count; i++) dot += a[i][j] * a[i][k];
            dot *= per;
            a[j][k] -= dot * head;
            for (int i = j + 1; i < count; i++) a[i][k] -= dot * a[i][j];
        }
        a[j][j] = -norm;
    }
    double t[5], power = 1;
    for (int j = 4; j >= 0; j--) {
        t[j] = a[j][5];
        for (int k = j + 1; k < 5; k++) t[j] -= a[j][k] * t[k];
        t[j] /= a[j][j];
    }
    for (int j = 0; j < 5; j++) {
        c[4 - j] = t[j] / power;
        power *= scale;
    }
}

// Both fits have the row at 0 V.
static void fit_areas(const ib_Table *areas, ib_ProportionalModel *valve)
{
    int zero = zero_row(areas);
    for (int port = 0; port < IB_PORTS; port++) {
        ib_polynomial_fit(zero + 1, areas->x, areas->y[port], valve->c[port][0]);
        ib_polynomial_fit(areas->count - zero, areas->x + zero, areas->y[port] + zero,
                          valve->c[port][1]);
    }
}

// A port that is given by its area wide open: a straight line reaches it at the nearer end of the
// command's range, an edge at `full`, holes when all are uncovered.
static void open_wide(const ib_ProportionalConfig *config, int port, ib_ProportionalModel *valve)
{
    double end = ib_min(config->centre, 10 - config->centre);
    bool line = config->law == IB_PROPORTIONAL_LINEAR;
    valve->slope[port] = config->wide / (line ? ib_max(end, 1e-3) : config->full);
    valve->offset[port] = 0;
    valve->hole_area[port] = config->wide;
}

void ib_proportional_init(const ib_ProportionalConfig *config, ib_ProportionalModel *valve)
{
    double low = config->cutoffs[0], high = config->cutoffs[1], radius = 0.5 * config->hole;
    bool tanh_curve = config->curve == IB_CURVE_TANH;
    bool equivalent = config->law == IB_PROPORTIONAL_EQUIVALENT;
    bool turns =
        config->law == IB_PROPORTIONAL_LINEAR || (equivalent && config->curve == IB_CURVE_SWITCH);
    *valve = (ib_ProportionalModel){
        .law = config->law,
        .map = config->map,
        .curve = config->curve,
        .lost = config->lost,
        .dynamics = config->dynamics,
        .port = {config->swapped ? IB_PORT_1 : IB_PORT_2, config->swapped ? IB_PORT_2 : IB_PORT_1},
        .centre = config->centre,
        .areas = config->areas,
        .middle = 0.5 * (low + high),
        .steepness = (tanh_curve ? 2 * PI : 2) / (high - low),
        .least = -config->centre,
        .play = turns ? IB_SPOOL_PLAY : IB_SPOOL_REST,
        .most = 10 - config->centre,
        .full = config->full,
        .lap = config->lap,
        .radius = radius,
        .per_radius = 1 / radius,
        .travel = config->travel,
        .lost_flow = config->lost_flow,
        .lost_band = config->lost_band,
        .w = 2 * PI * config->frequency,
        .zeta = config->damping,
        .pairs = config->law == IB_PROPORTIONAL_SPOOL || config->law == IB_PROPORTIONAL_HOLES,
    };
    if (config->law == IB_PROPORTIONAL_EQUIVALENT && config->map == IB_MAP_POLYNOMIAL)
        fit_areas(&config->areas, valve);
    for (int port = 0; port < IB_PORTS; port++) {
        double cd = config->discharge[port == valve->port[IB_SIDE_CAP] ? IB_SIDE_CAP : IB_SIDE_ROD];
        valve->slope[port] = cd * config->slope;
        valve->offset[port] = cd * config->offset;
        valve->hole_area[port] = cd * config->holes * PI * radius * radius;
        if (config->wide > 0) open_wide(config, port, valve);
    }
}

int ib_proportional_states(const ib_ProportionalModel *valve)
{
    return valve->dynamics == IB_SPOOL_AT_ONCE ? 0 : valve->dynamics == IB_SPOOL_FIRST ? 1 : 2;
}

// e^(-zeta w t) times C and S, which are 1 and 0 at t = 0:
//   zeta < 1:  cos(d t), sin(d t)/d;   zeta = 1:  1, t;   zeta > 1:  cosh(d t), sinh(d t)/d
// with d = w sqrt(|1 - zeta^2|).
static void decay(const ib_ProportionalModel *valve, double t, double *C, double *S)
{
    double fade = valve->zeta * valve->w, rest = 1 - valve->zeta * valve->zeta;
    double d = valve->w * sqrt(fabs(rest)), least = ib_exp(-fade * t);
    if (fabs(rest) < 1e-8) {
        *C = least;
        *S = least * t;
    } else if (rest > 0) {
        ib_sincos(d * t, S, C);
        *C *= least;
        *S *= least / d;
    } else {
        double slow = ib_exp((d - fade) * t), fast = ib_exp(-(d + fade) * t);
        *C = 0.5 * (slow + fast);
        *S = 0.5 * (slow - fast) / d;
    }
}

// The transient of a ramp decays, e = s - (Vc - lag):
//   first:   lag = ramp/w,          e = e0 e^(-w t)
//   second:  lag = 2 zeta ramp/w,   e = e0 C + (e0' + zeta w e0) S,
//                                   e' = e0' C - (w^2 e0 + zeta w e0') S
void ib_proportional_follow(const ib_ProportionalModel *valve, double command, double ramp,
                            double t, const double *spool, double *next)
{
    double w = valve->w, at_end = command + ramp * t;
    if (valve->dynamics == IB_SPOOL_FIRST) {
        double lag = ramp / w;
        next[0] = at_end - lag + (spool[0] - command + lag) * ib_exp(-w * t);
    }
    if (valve->dynamics == IB_SPOOL_SECOND) {
        double C, S, lag = 2 * valve->zeta * ramp / w, fade = valve->zeta * w;
        double e = spool[0] - command + lag, rate = spool[1] - ramp;
        decay(valve, t, &C, &S);
        next[0] = at_end - lag + e * C + (rate + fade * e) * S;
        next[1] = ramp + rate * C - (w * w * e + fade * rate) * S;
    }
}

// The part of a circle's area below a chord at the depth d = 1 - c radii:
//   (acos(c) - c sqrt(1 - c^2))/pi
double ib__proportional_segment(double depth)
{
    double c = 1 - depth, s = sqrt(ib_max(depth * (2 - depth), 0));
    return (ib_atan2(s, c) - c * s) / PI;
}

// -------------------------------------------------------------------------------------- parameters

const char *ib_proportional_idle(const ib_ProportionalConfig *config, const char *key)
{
    static const struct {
        const char *key;
        unsigned laws; ///< those with which it acts, a bit each
    } rows[] = {
        {"valve.areas", 1},
        {"valve.map", 1},
        {"valve.curve", 1},
        {"valve.cutoffs", 1},
        {"valve.slope", 2 | 4},
        {"valve.offset", 2},
        {"valve.discharge.rod", 14},
        {"valve.discharge.cap", 14},
        {"valve.lap", 4 | 8},
        {"valve.full", 4},
        {"valve.holes", 8},
        {"valve.hole", 8},
        {"valve.travel", 8},
        {"valve.lost.rule", 1 | 2},
        {"valve.area", 14},
        {"valve.C", 14},
        {"valve.Cv", 14},
        {"valve.Kv", 14},
        {"valve.nominal_flow", 14},
    };
    static const char *const replaced[] = {"valve.slope", "valve.offset", "valve.discharge.rod",
                                           "valve.discharge.cap"};
    bool sized = config->wide > 0 || config->C > 0 || config->Cv > 0 || config->Kv > 0 ||
                 config->nominal_flow > 0;
    for (int i = 0; i < 4 && sized; i++)
        if (strcmp(key, replaced[i]) == 0) return "valve.area";
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(key, rows[i].key) == 0)
            return rows[i].laws >> config->law & 1 ? NULL : "valve.law";
    bool none = config->lost == IB_LOST_NONE, band = config->lost == IB_LOST_BAND;
    if (strcmp(key, "valve.lost.flow") == 0) return none ? "valve.lost.rule" : NULL;
    if (strcmp(key, "valve.lost.band") == 0) return band ? NULL : "valve.lost.rule";
    if (strcmp(key, "valve.spool.frequency") == 0)
        return config->dynamics == IB_SPOOL_AT_ONCE ? "valve.spool.dynamics" : NULL;
    if (strcmp(key, "valve.spool.damping") == 0)
        return config->dynamics == IB_SPOOL_SECOND ? NULL : "valve.spool.dynamics";
    return NULL;
}
