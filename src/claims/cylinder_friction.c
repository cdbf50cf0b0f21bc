// claims/cylinder_friction.c: what the claims about friction and about the solver's step rest on
// [thesis 4.2.2, 5.5.4, 6.6.3].
#include "base/maths.h"
#include "claims/cylinder.h"
#include "claims/cylinder_run.h"
#include "solver/solver.h"

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

// The largest force below `most` [m/s], and where it is.
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
        worst[0] = fmax(worst[0], fabs(force(metres, rows[i][0]) / rows[i][1] - 1));
        worst[1] = fmax(worst[1], fabs(force(inches, rows[i][0]) / rows[i][2] - 1));
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
    found[IB__STUCK_PULL] = (ib_ClaimValue){{fmax(pull, -holds), pull < F_C ? pull : NAN, NAN}};
    found[IB__BREAK] = (ib_ClaimValue){{fmin(push, breaks), F_S - push, NAN}};
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
    for (int i = 0; i < trace.count && status == IB_OK; i++) most = fmax(most, trace.column[0][i]);
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

// -------------------------------------------------------------------------------------- the solver

// The rig in the loop of reference A5, as one system: what Simulink hands to ode5.
typedef struct Loop {
    ib_CylinderRigModel rig;
    double goal; ///< [m]
} Loop;

enum { MAX_STATES = 64 };

static void drive(const Loop *loop, const double *x, double input[IB_RIG_INPUTS])
{
    double u = 5.25 + 152.93 * (loop->goal - x[IB_RIG_POSITION]) - 5 * x[IB_RIG_VELOCITY];
    memset(input, 0, IB_RIG_INPUTS * sizeof *input);
    input[IB_RIG_VALVE] = fmin(fmax(u, 0), 10);
    input[IB_RIG_GAIN] = 1;
}

// The spool is on the side where its voltage is, at every look.
static void rate(const void *context, double t, const double *x, double *dx)
{
    const Loop *loop = context;
    double state[MAX_STATES], input[IB_RIG_INPUTS];
    (void)t;
    drive(loop, x, input);
    memcpy(state, x, (size_t)loop->rig.state_count * sizeof *state);
    state[loop->rig.mode + IB_RIG_SIDE] = input[IB_RIG_VALVE] > 5.25 ? 1 : -1;
    ib_cylinder_rig_rate(&loop->rig, state, input, dx);
}

// Largest |v| and the way of x in the last half second of 2 s, on the way from 22 mm to 30 mm.
static void at_rest(const ib_CylinderRigConfig *config, double h, double *speed, double *way)
{
    Loop loop = {.goal = 30e-3};
    ib_CylinderRigConfig from = *config;
    from.position = 22e-3, from.cap_pressure = from.rod_pressure = 200e3;
    ib_cylinder_rig_init(&from, &loop.rig);
    int count = loop.rig.state_count, steps = (int)(2 / h);
    IB_ASSERT(count <= MAX_STATES);
    double x[MAX_STATES], next[MAX_STATES], low = INFINITY, high = -INFINITY;
    const ib_System system = {.count = count, .rate = rate, .context = &loop, .steady = true};
    const ib_SolverConfig ode5 = {IB_DOPRI5, 1e-6, 0};
    ib_Arena arena = {0};
    ib_Solver *solver = ib_solver_create(&ode5, count, &arena);
    ib_cylinder_rig_reset(&from, &loop.rig, x);
    *speed = 0;
    for (int i = 0; solver && i < steps; i++) {
        if (ib_solver_step(solver, &system, h, x, next)) break;
        memcpy(x, next, (size_t)count * sizeof *x);
        if (i < steps * 3 / 4) continue;
        *speed = fmax(*speed, fabs(x[IB_RIG_VELOCITY]));
        low = fmin(low, x[IB_RIG_POSITION]), high = fmax(high, x[IB_RIG_POSITION]);
    }
    *way = 1e3 * (high - low);
    ib_arena_reset(&arena);
}

// The longest step with which a method brings v' = -lambda v to rest: by bisection of lambda h.
//   Euler: 1 + z;   RK4: … + z^4/24;   Dormand-Prince, 5th order: … + z^5/120 + z^6/600
static double real_limit(ib_SolverKind kind)
{
    double low = 1, high = 8;
    for (int i = 0; i < 60; i++) {
        double z = -(low + high) / 2, g;
        if (kind == IB_EULER)
            g = 1 + z;
        else if (kind == IB_RK4)
            g = 1 + z * (1 + z / 2 * (1 + z / 3 * (1 + z / 4)));
        else
            g = 1 + z * (1 + z / 2 * (1 + z / 3 * (1 + z / 4 * (1 + z / 5 * (1 + z / 5)))));
        *(fabs(g) < 1 ? &low : &high) = -z;
    }
    return low;
}

ib_Status ib__cylinder_claims_solver(ib_ClaimValue *found, ib_Error *error)
{
    const struct {
        double h;
        int row, form;
    } runs[] = {{1e-3, IB__SPURIOUS, IB__PUBLISHED},
                {1.0 / 640, IB__SPURIOUS_640, IB__PUBLISHED},
                {0.5e-3, IB__SPURIOUS_HALF, IB__CORRECTED}};
    ib_CylinderRigConfig config;
    ib_FrictionModel friction;
    ib_Status status = ib__rig_default(&config, error);
    if (status != IB_OK) return status;
    for (int i = 0; i < IB_CLAIM_COUNT(runs); i++)
        at_rest(&config, runs[i].h, &found[runs[i].row].form[runs[i].form],
                &found[runs[i].row + 1].form[runs[i].form]);
    law_of(IB_FRICTION_STRIBECK, 1, &friction);
    const double v = 1e-9, slope = force(&friction, v) * IB__LBF / v, lambda = slope / config.mass;
    found[IB__EIGENVALUE].form[IB__CORRECTED] = -lambda;
    found[IB__LIMIT_ODE5].form[IB__CORRECTED] = 1e3 * real_limit(IB_DOPRI5) / lambda;
    found[IB__LIMIT_RK4].form[IB__CORRECTED] = 1e3 * real_limit(IB_RK4) / lambda;
    found[IB__LIMIT_EULER].form[IB__CORRECTED] = 1e3 * real_limit(IB_EULER) / lambda;
    found[IB__LIMIT_LEG].form[IB__CORRECTED] = 1e3 * real_limit(IB_DOPRI5) * 2.3 / slope;
    found[IB__PERIOD_640].form[IB__CORRECTED] = 1.0 / 640;
    return IB_OK;
}
