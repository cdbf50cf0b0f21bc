// claims/thesis/cylinder_friction.c: values for the claims about friction [thesis 4.2.2].
#include "base/extreme.h"
#include "base/maths.h"
#include "claims/thesis/cylinder.h"
#include "claims/thesis/cylinder_run.h"

#include <math.h>
#include <string.h>

static const double stroke = 1.75 * IB__INCH;

static void law_of(int law, double unit, ib_FrictionModel *friction)
{
    ib_FrictionConfig config = ib_friction_default();
    config.law = law;
    config.velocity_unit = unit;
    ib_friction_init(&config, stroke, friction);
}

// [lbf], in mid-stroke
static double force(const ib_FrictionModel *friction, double v)
{
    return ib_friction_force(friction, v, stroke / 2, 0) / IB__LBF;
}

// --------------------------------------------------------------------------------------- the curve

// The largest force below `most` [m/s], and its speed.
static double peak(const ib_FrictionModel *friction, double most, double *where)
{
    const double golden = 0.6180339887498949;
    double low = 0, high = most;
    for (int i = 0; i < 100; i++) {
        double a = high - golden * (high - low), b = low + golden * (high - low);
        if (force(friction, a) < force(friction, b))
            low = a;
        else
            high = b;
    }
    *where = (low + high) / 2;
    return force(friction, *where);
}

// By reference A3, m/s and in/s; largest difference, relative.
static void compare(const ib_FrictionModel *metres, const ib_FrictionModel *inches,
                    ib_ClaimValue *found)
{
    static const double rows[][3] = {
        {0.001, 0.1804040614, 4.1367636857}, {0.005, 0.8906888485, 3.0984243282},
        {0.010, 1.7147646309, 3.1968503937}, {0.025, 3.4385586299, 3.4921259843},
        {0.050, 4.3186340946, 3.9842519685}, {0.075, 4.1999398029, 4.4763779528},
        {0.100, 3.5994369557, 4.9685039370}, {0.150, 3.0757185092, 5.9527559055},
        {0.300, 3.1499999998, 8.9055118110}, {1.000, 3.5000000000, 22.6850393701},
    };
    double worst[2] = {0};
    for (int i = 0; i < IB_CLAIM_COUNT(rows); i++) {
        worst[0] = ib_max(worst[0], fabs(force(metres, rows[i][0]) / rows[i][1] - 1));
        worst[1] = ib_max(worst[1], fabs(force(inches, rows[i][0]) / rows[i][2] - 1));
    }
    found[IB__FRICTION_TABLE].form[IB__CORRECTED] = worst[0];
    found[IB__FRICTION_TABLE_INCHES].form[IB__CORRECTED] = worst[1];
}

static void curve(ib_ClaimValue *found)
{
    ib_FrictionModel metres, inches;
    double where, weight = 0.2 * 9.81, low = 0, high = 0.05;
    law_of(IB_FRICTION_STRIBECK, 1, &metres);
    law_of(IB_FRICTION_STRIBECK, IB__INCH, &inches);
    found[IB__PEAK_FRICTION].form[IB__CORRECTED] = peak(&metres, 0.1, &where);
    found[IB__PEAK_SPEED].form[IB__CORRECTED] = where;
    peak(&inches, 0.1 * IB__INCH, &where);
    found[IB__PEAK_INCHES].form[IB__CORRECTED] = where / IB__INCH;
    found[IB__REST_FRICTION].form[IB__CORRECTED] = force(&metres, 0);
    for (int i = 0; i < 100; i++) { // the speed at which the weight is held
        double middle = (low + high) / 2;
        *(force(&metres, middle) * IB__LBF < weight ? &low : &high) = middle;
    }
    found[IB__CREEP].form[IB__CORRECTED] = 1e3 * low;
    compare(&metres, &inches, found);
}

// -------------------------------------------------------------------------------------- other laws

// F_S = 4.5 lbf, F_C = 3 lbf, C_V = 0.5 lbf s/m; F_Cyl in lbf.
static void laws(ib_ClaimValue *found)
{
    const double pull = -10, push = 6, F_S = 4.5, F_C = 3, C_V = 0.5, fast = 10, tiny = 1e-9;
    ib_FrictionModel coulomb, viscous, lugre;
    law_of(IB_FRICTION_COULOMB, 1, &coulomb);
    law_of(IB_FRICTION_COULOMB_VISCOUS, 1, &viscous);
    law_of(IB_FRICTION_LUGRE, 1, &lugre);
    double holds = ib_friction_breakaway(&coulomb, pull, stroke / 2, 0) / IB__LBF;
    double breaks = ib_friction_breakaway(&viscous, push, stroke / 2, 0) / IB__LBF;
    // (4.2.1): F_Cyl if F_Cyl < F_C; (4.2.4): F_S - F_Cyl if |F_Cyl| > F_S, F_C - C_V v if v > 0.
    found[IB__STUCK_PULL] = (ib_ClaimValue){{ib_max(pull, -holds), pull < F_C ? pull : NAN, NAN}};
    found[IB__BREAK] = (ib_ClaimValue){{ib_min(push, breaks), F_S - push, NAN}};
    double slides = ib_friction_sliding(&viscous, fast, 1, stroke / 2, 0) / IB__LBF;
    found[IB__SLIDE_FAST] = (ib_ClaimValue){{slides, F_C - C_V * fast, NAN}};
    // Bristles bent as in steady sliding, v through 0; and Stribeck's curve times sign(v).
    double bent = F_S * IB__LBF / lugre.stiffness;
    ib_FrictionBristle to = ib_friction_lugre(&lugre, tiny, bent, stroke / 2, 0);
    ib_FrictionBristle from = ib_friction_lugre(&lugre, -tiny, bent, stroke / 2, 0);
    double sign = force(&lugre, tiny) - force(&lugre, -tiny);
    found[IB__LUGRE_JUMP] = (ib_ClaimValue){{(to.force - from.force) / IB__LBF, sign, NAN}};
}

// Largest friction on the way of the step of 1.25 V, on a grid of 0.5 ms.
static ib_Status step_friction(ib_ClaimValue *found, ib_Error *error)
{
    static const char *const signals[] = {IB_NAME_CYLINDER("friction"), NULL};
    ib_Arena arena = {0};
    ib__RigChanges changes = {0};
    ib__RigTrace trace = {.signals = signals, .from = 5, .every = 5e-4, .count = 1001};
    ib__rig_change(&changes, "run.duration", "5.5 s");
    ib_Status status = ib__rig_trace(ib__rig_open, &changes, &arena, &trace, error);
    double most = 0;
    for (int i = 0; i < trace.count && status == IB_OK; i++)
        most = ib_max(most, trace.column[0][i]);
    found[IB__STICTION_OPEN].form[IB__CORRECTED] = most / IB__LBF;
    ib_arena_reset(&arena);
    return status;
}

ib_Status ib__cylinder_claims_friction(ib_ClaimValue *found, ib_Error *error)
{
    curve(found);
    laws(found);
    return step_friction(found, error);
}
