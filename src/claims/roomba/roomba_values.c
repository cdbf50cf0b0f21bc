// claims/roomba/roomba_values.c: every value that the claims of the Roomba document refer to.
#include "base/extreme.h"
#include "claims/roomba/roomba.h"

#include <math.h>
#include <string.h>

enum { FORMS = IB_CLAIM_FORMS };

static const double two_pi = 6.283185307179586, per_degree = 57.29577951308232;

static const ib__RoombaLeg both_wheels[] = {{0, 2.7, 2.7}};
static const ib__RoombaLeg left_wheel[] = {{0, 2.7, 0}};
static const double at_rest[IB_ROOMBA_STATES];

// ---------------------------------------------------------------------------------------- straight

// A start from rest, F on both wheels: v = vt tanh(t/tau), s = vt tau ln cosh(t/tau).
static void straight_closed(ib_ClaimValue *found, double force, double t)
{
    ib_RoombaModel model = ib__roomba_document(IB_ROOMBA_CORRECTED);
    double vt = sqrt(force / model.kd), tau = model.m * vt / (2 * force);
    double cosh = (ib_exp(t / tau) + ib_exp(-t / tau)) / 2;
    found[IB__STRAIGHT_SPEED_CLOSED].form[0] = vt * ib_tanh(t / tau);
    found[IB__STRAIGHT_DISTANCE_CLOSED].form[0] = vt * tau * ib_log(cosh);
}

// The share of the drive force taken by the drag at rest and at the end, and the
// remaining acceleration.
static void straight_forces(ib_ClaimValue *found, const double *end)
{
    ib_RoombaModel model = ib__roomba_document(IB_ROOMBA_CORRECTED);
    double input[IB_ROOMBA_INPUTS], rate[IB_ROOMBA_STATES];
    ib__roomba_wheels(2.7, 2.7, input);
    ib_RoombaForces f = ib_roomba_forces(&model, at_rest, input);
    found[IB__STRAIGHT_DRAG_START].form[0] = -(f.drag_left + f.drag_right) / (f.left + f.right);
    f = ib_roomba_forces(&model, end, input);
    found[IB__STRAIGHT_DRAG_END].form[0] = -(f.drag_left + f.drag_right) / (f.left + f.right);
    ib_roomba_rate(&model, end, input, rate);
    found[IB__STRAIGHT_ACCELERATION].form[0] = rate[IB_ROOMBA_VX] * f.c + rate[IB_ROOMBA_VY] * f.s;
}

// Both wheels 2.7 N from rest, heading 30 degrees.
static ib_Status straight(ib_ClaimValue *found, int form, ib_Error *error)
{
    ib__RoombaLook look = {.at = 2};
    ib__RoombaRun run = ib__roomba_run_default(form, both_wheels, 1, 2.5);
    double terminal = sqrt(2.7 / run.roomba.drag);
    ib__RoombaCrossing crossings[] = {
        {IB_ROOMBA_X, 1.4, true, 0, {0}},
        {IB_ROOMBA_VX, 0.95 * terminal * sqrt(0.75), true, 0, {0}}}; // cos 30 degrees
    const ib__RoombaCrossing *there = &crossings[0];
    run.roomba.planar.heading = 30 / per_degree;
    run.looks = &look, run.look_count = 1;
    run.crossings = crossings, run.crossing_count = 2;
    ib_Status status = ib__roomba_run(&run, error);
    found[IB__STRAIGHT_X].form[form] = look.state[IB_ROOMBA_X];
    found[IB__STRAIGHT_Y].form[form] = look.state[IB_ROOMBA_Y];
    found[IB__STRAIGHT_YAW_RATE].form[form] = look.state[IB_ROOMBA_W];
    found[IB__STRAIGHT_SPEED].form[form] = ib__roomba_speed(look.state);
    found[IB__STRAIGHT_SPEED_SHARE].form[form] = ib__roomba_speed(look.state) / terminal;
    found[IB__STRAIGHT_DISTANCE].form[form] = ib__roomba_distance(at_rest, look.state);
    found[IB__STRAIGHT_TIME].form[form] = there->seconds;
    found[IB__STRAIGHT_Y_THEN].form[form] = there->state[IB_ROOMBA_Y];
    found[IB__STRAIGHT_CRUISE_TIME].form[form] = crossings[1].seconds;
    if (form == IB_ROOMBA_CORRECTED) straight_forces(found, look.state);
    return status;
}

// A test for static friction: 1 mN on each wheel.
static ib_Status nudge(ib_ClaimValue *found, ib_Error *error)
{
    static const ib__RoombaLeg little[] = {{0, 1e-3, 1e-3}};
    ib__RoombaLook look = {.at = 1};
    ib__RoombaRun run = ib__roomba_run_default(IB_ROOMBA_CORRECTED, little, 1, 1);
    run.looks = &look, run.look_count = 1;
    ib_Status status = ib__roomba_run(&run, error);
    found[IB__STRAIGHT_NUDGE].form[0] = ib__roomba_speed(look.state);
    return status;
}

// ------------------------------------------------------------------------------------------ circle

static ib_Status circle(ib_ClaimValue *found, int form, ib_Error *error)
{
    ib__RoombaLook looks[] = {{.at = 0.5}, {.at = 0.6}, {.at = 3}};
    ib__RoombaCrossing crossings[] = {{IB_ROOMBA_VX, 0, false, 0, {0}},
                                      {IB_ROOMBA_TH, -two_pi, false, 0, {0}}};
    ib__RoombaRun run = ib__roomba_run_default(form, left_wheel, 1, 3);
    run.looks = looks, run.look_count = 3;
    run.crossings = crossings, run.crossing_count = 2;
    ib_Status status = ib__roomba_run(&run, error);
    found[IB__CIRCLE_X].form[form] = looks[1].state[IB_ROOMBA_X];
    found[IB__CIRCLE_Y].form[form] = looks[1].state[IB_ROOMBA_Y];
    found[IB__CIRCLE_DISTANCE].form[form] = ib__roomba_distance(at_rest, looks[1].state);
    found[IB__CIRCLE_YAW_RATE].form[form] = looks[2].state[IB_ROOMBA_W];
    found[IB__CIRCLE_YAW_SHARE].form[form] =
        looks[0].state[IB_ROOMBA_W] / looks[2].state[IB_ROOMBA_W];
    found[IB__CIRCLE_TOP_TIME].form[form] = crossings[0].seconds;
    found[IB__CIRCLE_TOP_X].form[form] = crossings[0].state[IB_ROOMBA_X];
    found[IB__CIRCLE_TOP_Y].form[form] = crossings[0].state[IB_ROOMBA_Y];
    found[IB__CIRCLE_TURN_TIME].form[form] = crossings[1].seconds;
    found[IB__CIRCLE_FINITE].form[form] = run.finite;
    return status;
}

// The whole turn of the left wheel alone, sampled every 10 ms.
static ib_Status whole_turn(ib_ClaimValue *found, ib_Error *error)
{
    enum { LOOKS = 208 };
    ib__RoombaLook looks[LOOKS];
    double largest = 0;
    for (int i = 0; i < LOOKS; i++) looks[i] = (ib__RoombaLook){.at = 0.01 * i};
    ib__RoombaRun run = ib__roomba_run_default(IB_ROOMBA_CORRECTED, left_wheel, 1, 2.1);
    run.looks = looks, run.look_count = LOOKS;
    ib_Status status = ib__roomba_run(&run, error);
    for (int i = 0; i < LOOKS; i++) largest = ib_max(largest, looks[i].state[IB_ROOMBA_X]);
    found[IB__CIRCLE_WHOLE_X].form[0] = largest;
    found[IB__CIRCLE_HEADING].form[0] = looks[200].state[IB_ROOMBA_TH];
    ib_RoombaModel model = ib__roomba_document(IB_ROOMBA_CORRECTED);
    found[IB__CIRCLE_SPEED_SHARE].form[0] =
        ib__roomba_speed(looks[LOOKS - 1].state) / ib__steady_circle(&model, 2.7, 0).speed;
    return status;
}

// With s^2 = 2 (kinetic energy)/m = v^2 + (r w)^2/2 and a drag that only takes energy away:
//   m s s' <= F vl <= F (|v| + r |w|) <= sqrt(3) F s,  hence s <= sqrt(3) (F/m) t
// and the distance is at most (sqrt(3)/2) (F/m) t^2.
static double distance_bound(double force, double mass, double t)
{
    return sqrt(3.0) / 2 * force / mass * t * t;
}

// After 40 s the transient is below 1e-10.
static ib_Status steady(ib_ClaimValue *found, ib_Error *error)
{
    ib__RoombaLook look = {.at = 40};
    ib__RoombaRun run = ib__roomba_run_default(IB_ROOMBA_CORRECTED, left_wheel, 1, 40);
    run.looks = &look, run.look_count = 1;
    ib_Status status = ib__roomba_run(&run, error);
    ib_RoombaModel model = ib__roomba_document(IB_ROOMBA_CORRECTED);
    ib__SteadyCircle root = ib__steady_circle(&model, 2.7, 0);
    double speed = ib__roomba_speed(look.state), w = look.state[IB_ROOMBA_W];
    double input[IB_ROOMBA_INPUTS];
    ib__roomba_wheels(2.7, 0, input);
    ib_RoombaForces f = ib_roomba_forces(&model, look.state, input);
    found[IB__STEADY_RADIUS].form[0] = speed / fabs(w);
    found[IB__STEADY_SPEED].form[0] = speed;
    found[IB__STEADY_YAW_RATE].form[0] = w;
    found[IB__STEADY_SLIP].form[0] = ib__roomba_slip(look.state);
    found[IB__STEADY_SIDE].form[0] = f.vn;
    found[IB__STEADY_RIGHT_WHEEL].form[0] = f.vr;
    found[IB__STEADY_RADIUS_ROOT].form[0] = root.radius;
    found[IB__STEADY_SPEED_ROOT].form[0] = root.speed;
    found[IB__STEADY_YAW_RATE_ROOT].form[0] = root.w;
    found[IB__STEADY_SLIP_ROOT].form[0] = root.slip * per_degree;
    found[IB__STEADY_RIGHT_WHEEL_ROOT].form[0] = root.vt + model.r * root.w;
    return status;
}

// The radius of the tight circle, which approaches r as the side drag grows.
static void no_slip(ib_ClaimValue *found)
{
    static const double kn[IB__KN_COUNT] = {1e3, 1e4, 1e5, 1e6, 1e8, 1e10};
    ib_RoombaModel model = ib__roomba_document(IB_ROOMBA_CORRECTED);
    double gap[IB__KN_COUNT];
    for (int i = 0; i < IB__KN_COUNT; i++) {
        model.kn = kn[i];
        found[IB__NO_SLIP_RADIUS + i].form[0] = ib__steady_circle(&model, 2.7, 0).radius;
        gap[i] = model.r - found[IB__NO_SLIP_RADIUS + i].form[0];
    }
    found[IB__NO_SLIP_EXPONENT].form[0] = ib_log(gap[5] / gap[4]) / ib_log(kn[5] / kn[4]);
}

// ------------------------------------------------------------------------------------------- trust

typedef struct SwitchedInside {
    ib_RoombaModel model;
    double start; ///< of the step [s]
} SwitchedInside;

// The appendix' right-hand side: the time decides the force, in the middle of a step.
static void switched_rate(const void *context, double t, const double *state, double *rate)
{
    const SwitchedInside *inside = context;
    double input[IB_ROOMBA_INPUTS];
    const ib__RoombaLeg *leg = ib__roomba_legs;
    for (int i = 1; i < IB__ROOMBA_LEGS; i++)
        if (inside->start + t >= ib__roomba_legs[i].from) leg = &ib__roomba_legs[i];
    ib__roomba_wheels(leg->left, leg->right, input);
    ib_roomba_rate(&inside->model, state, input, rate);
}

static double largest_gap(const double *a, const double *b)
{
    double largest = 0;
    for (int i = 0; i < IB_ROOMBA_STATES; i++) largest = ib_max(largest, fabs(a[i] - b[i]));
    return largest;
}

// The schedule by RK4 at 1 ms, with its switches tested inside the right-hand side.
static ib_Status switched_inside(double *state, ib_Error *error)
{
    ib_Arena arena = {0};
    const ib_SolverConfig config = {IB_RK4, 1e-9, 1e-9};
    ib_Solver *solver = ib_solver_create(&config, IB_ROOMBA_STATES, &arena);
    if (!solver) return ib_error_set(error, IB_FAILED, "out of memory");
    SwitchedInside inside = {ib__roomba_document(IB_ROOMBA_CORRECTED), 0};
    ib_System system = {IB_ROOMBA_STATES, switched_rate, NULL, &inside};
    double next[IB_ROOMBA_STATES];
    for (int i = 0; i < 18000; i++) {
        inside.start = i * 1e-3;
        ib_solver_step(solver, &system, 1e-3, state, next);
        memcpy(state, next, sizeof next);
    }
    ib_arena_reset(&arena);
    return IB_OK;
}

// The schedule's state at 18 s by RK4 at 1 ms, twice, against dopri5 at 1e-12.
static ib_Status rk4_error(ib_ClaimValue *found, ib_Error *error)
{
    ib__RoombaLook fine = {.at = 18}, rk4 = {.at = 18};
    double inside[IB_ROOMBA_STATES] = {0};
    ib__RoombaRun run =
        ib__roomba_run_default(IB_ROOMBA_CORRECTED, ib__roomba_legs, IB__ROOMBA_LEGS, 18);
    run.looks = &fine, run.look_count = 1;
    ib_Status status = ib__roomba_run(&run, error);
    run.solver.kind = IB_RK4;
    run.step = 1e-3;
    run.looks = &rk4;
    if (status == IB_OK) status = ib__roomba_run(&run, error);
    if (status == IB_OK) status = switched_inside(inside, error);
    found[IB__RK4_ERROR].form[0] = largest_gap(rk4.state, fine.state);
    found[IB__RK4_ERROR_INSIDE].form[0] = largest_gap(inside, fine.state);
    return status;
}

ib_Status ib__roomba_claims_compute(ib_Findings *findings, ib_Error *error)
{
    ib_ClaimValue *found = findings->values;
    ib_Status status = IB_OK;
    for (int form = 0; form < FORMS && status == IB_OK; form++) {
        status = straight(found, form, error);
        if (status == IB_OK) status = circle(found, form, error);
        if (status == IB_OK) status = ib__roomba_claims_schedule(found, form, error);
        if (status == IB_OK) status = ib__roomba_claims_yaw_growth(found, form, error);
    }
    if (status == IB_OK) status = nudge(found, error);
    if (status == IB_OK) status = whole_turn(found, error);
    if (status == IB_OK) status = steady(found, error);
    if (status == IB_OK) status = rk4_error(found, error);
    straight_closed(found, 2.7, 2);
    found[IB__CIRCLE_BOUND].form[0] = distance_bound(2.7, 2.7, 0.6);
    no_slip(found);
    ib__roomba_claims_equations(found);
    return status;
}
