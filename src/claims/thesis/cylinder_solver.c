// claims/thesis/cylinder_solver.c: values for the claims about the solver's step [thesis
// 5.5.4, 6.6.3].
#include "base/extreme.h"
#include "claims/thesis/cylinder.h"
#include "claims/thesis/cylinder_run.h"
#include "solver/solver.h"

#include <math.h>
#include <string.h>

// ----------------------------------------------------------------------------------------- at rest

// The rig in the loop of reference A5, as one system, as Simulink gives it to ode5. Its stops are
// located, but not the valve's passage through its centre, as in a block diagram.
// docs/solver/solver_review.md has the same question and the same numbers.
typedef struct Loop {
    ib_CylinderRigModel rig;
    double goal; ///< [m]
    ib_Solver *solver;
    ib_EventWorkspace *workspace;
} Loop;

enum { MAX_STATES = 64 };

static void drive(const Loop *loop, const double *x, double input[IB_RIG_INPUTS])
{
    double u = 5.25 + 152.93 * (loop->goal - x[IB_RIG_POSITION]) - 5 * x[IB_RIG_VELOCITY];
    memset(input, 0, IB_RIG_INPUTS * sizeof *input);
    input[IB_RIG_VALVE] = ib_min(ib_max(u, 0), 10);
    input[IB_RIG_GAIN] = 1;
}

// The spool is on the side of its voltage, at every evaluation.
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

static void guard(const void *context, double t, const double *x, double *guards)
{
    const Loop *loop = context;
    double input[IB_RIG_INPUTS];
    (void)t;
    drive(loop, x, input);
    ib_cylinder_rig_guard(&loop->rig, x, input, guards);
    guards[IB_RIG_GUARD_SPOOL] = 1;
}

// Settles modes that follow from each other, as at the end of the stroke.
static void settle(const Loop *loop, double *x)
{
    double input[IB_RIG_INPUTS];
    drive(loop, x, input);
    for (int i = 0; i < 100 && ib_cylinder_rig_settle(&loop->rig, input, x); i++)
        drive(loop, x, input);
}

// One step of h, in pieces if a stop is met or left. False: the result is not finite.
static bool advance(const Loop *loop, double h, double *x)
{
    const ib_System system = {
        .count = loop->rig.state_count, .rate = rate, .context = loop, .steady = true};
    const ib_EventSystem events = {IB_RIG_GUARDS, guard, loop, loop->workspace};
    size_t size = (size_t)loop->rig.state_count * sizeof *x;
    double left = h, next[MAX_STATES], hit[MAX_STATES];
    for (int i = 0; left > 1e-13 && i < 1000; i++) {
        ib_Event event = {.index = -1};
        if (ib_solver_step(loop->solver, &system, left, x, next)) return false;
        ib_solver_locate(loop->solver, &system, &events, left, x, &event, hit);
        bool cut = event.index >= 0;
        memcpy(x, cut ? hit : next, size);
        if (!cut) return true;
        settle(loop, x);
        left -= event.t;
    }
    return true;
}

typedef struct Rest {
    double speed, way, place; ///< largest |v| [m/s], from the least to the largest x, last x [mm]
} Rest;

// The result of ode5 from 4 s to 5 s: from the start of the rig to 10 mm, from 2 s on to 30 mm.
static Rest at_rest(const ib_CylinderRigConfig *config, double h)
{
    Loop loop = {.goal = 10e-3};
    Rest found = {0};
    double x[MAX_STATES], low = INFINITY, high = -INFINITY;
    const ib_SolverConfig ode5 = {IB_DOPRI5, 1e-6, 0};
    ib_Arena arena = {0};
    ib_cylinder_rig_init(config, &loop.rig);
    IB_ASSERT(loop.rig.state_count <= MAX_STATES);
    loop.solver = ib_solver_create(&ode5, loop.rig.state_count, &arena);
    loop.workspace = ib_event_workspace_create(IB_RIG_GUARDS, &arena);
    int steps = loop.solver && loop.workspace ? (int)lround(5 / h) : 0;
    ib_cylinder_rig_reset(&loop.rig, x);
    settle(&loop, x);
    for (int i = 0; i < steps; i++) {
        double t = i * h;
        if (t > 2 - 1e-9) loop.goal = 30e-3;
        if (!advance(&loop, h, x)) break;
        if (t < 4) continue;
        found.speed = ib_max(found.speed, fabs(x[IB_RIG_VELOCITY]));
        low = ib_min(low, x[IB_RIG_POSITION]), high = ib_max(high, x[IB_RIG_POSITION]);
    }
    found.way = 1e3 * (high - low);
    found.place = 1e3 * x[IB_RIG_POSITION];
    ib_arena_reset(&arena);
    return found;
}

// The true position of the rod at 5 s [mm].
static ib_Status true_place(double *place, ib_Error *error)
{
    static const char *const signals[] = {IB_NAME_CYLINDER("position"), NULL};
    ib_Arena arena = {0};
    ib__RigChanges changes = {0};
    ib__RigTrace trace = {.signals = signals, .from = 5, .every = 1, .count = 1};
    ib__rig_change(&changes, "robot.equations", "corrected");
    ib__rig_change(&changes, "run.duration", "5 s");
    ib_Status status = ib__rig_trace(ib__rig_closed, &changes, &arena, &trace, error);
    if (status == IB_OK) *place = 1e3 * trace.column[0][0];
    ib_arena_reset(&arena);
    return status;
}

// --------------------------------------------------------------------------------------- stability

// The longest stable step of a method for v' = -lambda v, by bisection of lambda h.
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
    ib_CylinderRigModel rig;
    double place = NAN;
    ib_Status status = ib__rig_default(&config, error);
    if (status == IB_OK) status = true_place(&place, error);
    if (status != IB_OK) return status;
    for (int i = 0; i < IB_CLAIM_COUNT(runs); i++) {
        Rest rest = at_rest(&config, runs[i].h);
        const double values[] = {rest.speed, rest.way, rest.place - place};
        for (int k = 0; k < 3; k++) found[runs[i].row + k].form[runs[i].form] = values[k];
    }
    ib_cylinder_rig_init(&config, &rig);
    double slope = ib_friction_slope(&rig.piston.friction, 0, 0, 0),
           lambda = slope / config.piston.mass;
    found[IB__EIGENVALUE].form[IB__CORRECTED] = -lambda;
    found[IB__LIMIT_ODE5].form[IB__CORRECTED] = 1e3 * real_limit(IB_DOPRI5) / lambda;
    found[IB__LIMIT_RK4].form[IB__CORRECTED] = 1e3 * real_limit(IB_RK4) / lambda;
    found[IB__LIMIT_EULER].form[IB__CORRECTED] = 1e3 * real_limit(IB_EULER) / lambda;
    found[IB__LIMIT_LEG].form[IB__CORRECTED] = 1e3 * real_limit(IB_DOPRI5) * 2.3 / slope;
    found[IB__PERIOD_640].form[IB__CORRECTED] = 1.0 / 640;
    return IB_OK;
}
