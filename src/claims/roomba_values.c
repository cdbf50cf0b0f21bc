// claims/roomba_values.c: every value that the claims of the Roomba document refer to.
#include "claims/roomba.h"

#include <math.h>
#include <string.h>

enum { FORMS = IB_CLAIM_FORMS };

static const double two_pi = 6.283185307179586, per_degree = 57.29577951308232;

static const ib__RoombaLeg both_wheels[] = {{0, 2.7, 2.7}};
static const ib__RoombaLeg left_wheel[] = {{0, 2.7, 0}};
static const ib__RoombaLeg schedule[] = {
    {0, 2.7, 2.7}, {2.4, 1.4, 2.7}, {10.6665, 2.7, 2.7}, {11.84589, 0, 0}};

static double speed_of(const double *state)
{
    double vx = state[IB_ROOMBA_VX], vy = state[IB_ROOMBA_VY];
    return sqrt(vx * vx + vy * vy);
}

static double distance_of(const double *state)
{
    double x = state[IB_ROOMBA_X], y = state[IB_ROOMBA_Y];
    return sqrt(x * x + y * y);
}

static ib_RoombaModel documents_robot(int equations)
{
    ib__RoombaRun run = ib__roomba_run_default(equations, NULL, 0, 1);
    ib_RoombaModel model;
    ib_roomba_init(&run.roomba, &model);
    return model;
}

// ---------------------------------------------------------------------------------------- straight

// A start from rest, F on both wheels: v = vt tanh(t/tau), s = vt tau ln cosh(t/tau).
static void straight_closed(ib_ClaimValue *found, double force, double t)
{
    ib_RoombaModel model = documents_robot(IB_ROOMBA_CORRECTED);
    double vt = sqrt(force / model.kd), tau = model.m * vt / (2 * force);
    double cosh = (ib_exp(t / tau) + ib_exp(-t / tau)) / 2;
    found[IB__STRAIGHT_SPEED_CLOSED].form[0] = vt * ib_tanh(t / tau);
    found[IB__STRAIGHT_DISTANCE_CLOSED].form[0] = vt * tau * ib_log(cosh);
}

// Both wheels 2.7 N from rest, heading 30 degrees.
static ib_Status straight(ib_ClaimValue *found, int form, ib_Error *error)
{
    ib__RoombaLook look = {.at = 2};
    ib__RoombaCrossing there = {IB_ROOMBA_X, 1.4, true, 0, {0}};
    ib__RoombaRun run = ib__roomba_run_default(form, both_wheels, 1, 2.5);
    run.roomba.planar.heading = 30 / per_degree;
    run.looks = &look, run.look_count = 1;
    run.crossings = &there, run.crossing_count = 1;
    ib_Status status = ib__roomba_run(&run, error);
    double terminal = sqrt(2.7 / run.roomba.drag);
    found[IB__STRAIGHT_X].form[form] = look.state[IB_ROOMBA_X];
    found[IB__STRAIGHT_Y].form[form] = look.state[IB_ROOMBA_Y];
    found[IB__STRAIGHT_YAW_RATE].form[form] = look.state[IB_ROOMBA_W];
    found[IB__STRAIGHT_SPEED].form[form] = speed_of(look.state);
    found[IB__STRAIGHT_SPEED_SHARE].form[form] = speed_of(look.state) / terminal;
    found[IB__STRAIGHT_DISTANCE].form[form] = distance_of(look.state);
    found[IB__STRAIGHT_TIME].form[form] = there.seconds;
    found[IB__STRAIGHT_Y_THEN].form[form] = there.state[IB_ROOMBA_Y];
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
    found[IB__CIRCLE_DISTANCE].form[form] = distance_of(looks[1].state);
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

// With s^2 = 2 (kinetic energy)/m = v^2 + (r w)^2/2 and a drag that only takes energy away:
//   m s s' <= F vl <= F (|v| + r |w|) <= sqrt(3) F s,  hence s <= sqrt(3) (F/m) t
// and the distance is at most (sqrt(3)/2) (F/m) t^2.
static double distance_bound(double force, double mass, double t)
{
    return sqrt(3.0) / 2 * force / mass * t * t;
}

// What 40 s leave of the transient is below 1e-10.
static ib_Status steady(ib_ClaimValue *found, ib_Error *error)
{
    ib__RoombaLook look = {.at = 40};
    ib__RoombaRun run = ib__roomba_run_default(IB_ROOMBA_CORRECTED, left_wheel, 1, 40);
    run.looks = &look, run.look_count = 1;
    ib_Status status = ib__roomba_run(&run, error);
    ib_RoombaModel model = documents_robot(IB_ROOMBA_CORRECTED);
    ib__SteadyCircle root = ib__steady_circle(&model, 2.7, 0);
    double s, c, speed = speed_of(look.state), w = look.state[IB_ROOMBA_W];
    ib_sincos(look.state[IB_ROOMBA_TH], &s, &c);
    double vx = look.state[IB_ROOMBA_VX], vy = look.state[IB_ROOMBA_VY];
    double vt = vx * c + vy * s, vn = vy * c - vx * s;
    found[IB__STEADY_RADIUS].form[0] = speed / fabs(w);
    found[IB__STEADY_SPEED].form[0] = speed;
    found[IB__STEADY_YAW_RATE].form[0] = w;
    found[IB__STEADY_SLIP].form[0] = ib_atan2(vn, vt) * per_degree;
    found[IB__STEADY_RIGHT_WHEEL].form[0] = vt + model.r * w;
    found[IB__STEADY_RADIUS_ROOT].form[0] = root.radius;
    found[IB__STEADY_SPEED_ROOT].form[0] = root.speed;
    found[IB__STEADY_YAW_RATE_ROOT].form[0] = root.w;
    found[IB__STEADY_SLIP_ROOT].form[0] = root.slip * per_degree;
    found[IB__STEADY_RIGHT_WHEEL_ROOT].form[0] = root.vt + model.r * root.w;
    return status;
}

// How the radius of the tight circle nears r as the side drag grows.
static void no_slip(ib_ClaimValue *found)
{
    static const double kn[IB__KN_COUNT] = {1e3, 1e4, 1e5, 1e6, 1e8, 1e10};
    ib_RoombaModel model = documents_robot(IB_ROOMBA_CORRECTED);
    double gap[IB__KN_COUNT];
    for (int i = 0; i < IB__KN_COUNT; i++) {
        model.kn = kn[i];
        found[IB__NO_SLIP_RADIUS + i].form[0] = ib__steady_circle(&model, 2.7, 0).radius;
        gap[i] = model.r - found[IB__NO_SLIP_RADIUS + i].form[0];
    }
    found[IB__NO_SLIP_EXPONENT].form[0] = ib_log(gap[5] / gap[4]) / ib_log(kn[5] / kn[4]);
}

// ---------------------------------------------------------------------------------------- schedule

static ib_Status schedule_legs(ib_ClaimValue *found, int form, ib_Error *error)
{
    ib__RoombaLook looks[] = {{.at = 2.4}, {.at = 10.6665}, {.at = 11.84589}, {.at = 18}};
    // The circle leg's largest and smallest x: vx falls, then rises through zero.
    ib__RoombaCrossing crossings[] = {{IB_ROOMBA_VX, 0, false, 0, {0}},
                                      {IB_ROOMBA_VX, 0, true, 0, {0}}};
    ib__RoombaRun run = ib__roomba_run_default(form, schedule, 4, 18);
    run.looks = looks, run.look_count = 4;
    run.crossings = crossings, run.crossing_count = 2;
    ib_Status status = ib__roomba_run(&run, error);
    const double *ring = looks[1].state, *coast = looks[2].state, *last = looks[3].state;
    found[IB__LEG_X].form[form] = looks[0].state[IB_ROOMBA_X];
    found[IB__LEG_Y].form[form] = looks[0].state[IB_ROOMBA_Y];
    found[IB__LEG_YAW_RATE].form[form] = looks[0].state[IB_ROOMBA_W];
    found[IB__RING_HEADING].form[form] = ring[IB_ROOMBA_TH];
    found[IB__LAST_X].form[form] = last[IB_ROOMBA_X];
    found[IB__LAST_Y].form[form] = last[IB_ROOMBA_Y];
    found[IB__LAST_SPEED].form[form] = speed_of(last);
    found[IB__LAST_HEADING].form[form] = last[IB_ROOMBA_TH];
    if (form != IB_ROOMBA_CORRECTED) return status;
    ib_RoombaModel model = documents_robot(form);
    found[IB__RING_RADIUS].form[form] = speed_of(ring) / ring[IB_ROOMBA_W];
    found[IB__RING_RADIUS_ROOT].form[form] = ib__steady_circle(&model, 1.4, 2.7).radius;
    found[IB__RING_WIDTH].form[form] =
        crossings[0].state[IB_ROOMBA_X] - crossings[1].state[IB_ROOMBA_X];
    // Without force: v = v0/(1 + 2 kd v0 t/m), which never is zero.
    double v0 = speed_of(coast), t = 18 - 11.84589;
    found[IB__LAST_SPEED_CLOSED].form[form] = v0 / (1 + 2 * model.kd * v0 * t / model.m);
    return status;
}

// The first `legs` legs of the schedule, the last one continued, until a state passes a level.
static ib_Status continued(int form, int legs, double duration, ib__RoombaCrossing *crossing,
                           ib__RoombaLook *look, ib_Error *error)
{
    ib__RoombaRun run = ib__roomba_run_default(form, schedule, legs, duration);
    run.crossings = crossing, run.crossing_count = 1;
    run.looks = look, run.look_count = look ? 1 : 0;
    return ib__roomba_run(&run, error);
}

// Each leg of the schedule goes on beyond its end, to see when it gets where the document says.
static ib_Status schedule_continued(ib_ClaimValue *found, int form, ib_Error *error)
{
    ib__RoombaCrossing leg = {IB_ROOMBA_X, 2, true, 0, {0}},
                       ring = {IB_ROOMBA_TH, two_pi, true, 0, {0}},
                       full = {IB_ROOMBA_X, 4, true, 0, {0}};
    ib__RoombaLook look = {.at = 14.3};
    ib_Status status = continued(form, 1, 3, &leg, NULL, error);
    if (status == IB_OK) status = continued(form, 2, 12, &ring, NULL, error);
    if (status == IB_OK) status = continued(form, 3, 15, &full, &look, error);
    found[IB__LEG_TIME].form[form] = leg.seconds;
    found[IB__RING_TIME].form[form] = ring.seconds;
    found[IB__FULL_TIME].form[form] = full.seconds;
    found[IB__FULL_X].form[form] = look.state[IB_ROOMBA_X];
    return status;
}

// ------------------------------------------------------------------------------------ yaw equation

// The yaw acceleration at vt = 0.5 m/s, w = -1 rad/s without force: by each form of the equation,
// as the moment of the two drags about the centre, and as the appendix computes it.
static void yaw_acceleration(ib_ClaimValue *found)
{
    double input[IB_ROOMBA_INPUTS] = {0}, rate[IB_ROOMBA_STATES];
    double state[IB_ROOMBA_STATES] = {[IB_ROOMBA_VX] = 0.5, [IB_ROOMBA_W] = -1};
    for (int i = IB_ROOMBA_GAIN_LEFT; i < IB_ROOMBA_INPUTS; i++) input[i] = 1;
    for (int form = 0; form < FORMS; form++) {
        ib_RoombaModel model = documents_robot(form);
        ib_roomba_rate(&model, state, input, rate);
        found[IB__YAW_ACCELERATION].form[form] = rate[IB_ROOMBA_W];
    }
    // I w' = sum of (px fy - py fx): wheels at py = +r (left), -r (right); drag along x.
    double m = 2.7, r = 0.165, kd = 3.4, vl = 0.5 + r, vr = 0.5 - r;
    double left = -kd * vl * fabs(vl), right = -kd * vr * fabs(vr);
    found[IB__YAW_ACCELERATION_MOMENT].form[0] = (-r * left + r * right) / (m * r * r / 2);
    found[IB__YAW_ACCELERATION_CODE].form[0] =
        (-kd * vr * fabs(vr) + kd * vl * fabs(vl)) / (0.5 * m * r);
    found[IB__RATE_ENTRIES].form[0] = IB_ROOMBA_STATES;
}

// ln(w/w0)/t of a small yaw rate while both wheels run at terminal speed. Linearised: -+ 8 kd vt/m.
static ib_Status yaw_growth(ib_ClaimValue *found, int form, ib_Error *error)
{
    const double w0 = 1e-6, t = 0.5;
    ib__RoombaLook look = {.at = t};
    ib__RoombaRun run = ib__roomba_run_default(form, both_wheels, 1, 1);
    double vt = sqrt(2.7 / run.roomba.drag);
    run.roomba.planar.velocity_x = vt;
    run.roomba.planar.velocity_heading = w0;
    run.looks = &look, run.look_count = 1;
    ib_Status status = ib__roomba_run(&run, error);
    found[IB__YAW_GROWTH].form[form] = ib_log(look.state[IB_ROOMBA_W] / w0) / t;
    found[IB__YAW_GROWTH_CLOSED].form[0] = -8 * run.roomba.drag * vt / run.roomba.mass;
    return status;
}

// ------------------------------------------------------------------------------------------- trust

typedef struct SwitchedInside {
    ib_RoombaModel model;
    double start; ///< of the step [s]
} SwitchedInside;

// The appendix' right-hand side: which force acts is decided by the time, in the middle of a step.
static void switched_rate(const void *context, double t, const double *state, double *rate)
{
    const SwitchedInside *inside = context;
    double input[IB_ROOMBA_INPUTS] = {0};
    for (int i = IB_ROOMBA_GAIN_LEFT; i < IB_ROOMBA_INPUTS; i++) input[i] = 1;
    for (int i = 0; i < 4; i++) {
        if (inside->start + t < schedule[i].from) break;
        input[IB_ROOMBA_LEFT] = schedule[i].left;
        input[IB_ROOMBA_RIGHT] = schedule[i].right;
    }
    ib_roomba_rate(&inside->model, state, input, rate);
}

static double largest_gap(const double *a, const double *b)
{
    double largest = 0;
    for (int i = 0; i < IB_ROOMBA_STATES; i++) largest = fmax(largest, fabs(a[i] - b[i]));
    return largest;
}

// The schedule by RK4 at 1 ms, with its switches tested inside the right-hand side.
static ib_Status switched_inside(double *state, ib_Error *error)
{
    ib_Arena arena = {0};
    const ib_SolverConfig config = {IB_RK4, 1e-9, 1e-9};
    ib_Solver *solver = ib_solver_create(&config, IB_ROOMBA_STATES, &arena);
    if (!solver) return ib_error_set(error, IB_FAILED, "out of memory");
    SwitchedInside inside = {documents_robot(IB_ROOMBA_CORRECTED), 0};
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
    ib__RoombaRun run = ib__roomba_run_default(IB_ROOMBA_CORRECTED, schedule, 4, 18);
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
        if (status == IB_OK) status = schedule_legs(found, form, error);
        if (status == IB_OK) status = schedule_continued(found, form, error);
        if (status == IB_OK) status = yaw_growth(found, form, error);
    }
    if (status == IB_OK) status = steady(found, error);
    if (status == IB_OK) status = rk4_error(found, error);
    straight_closed(found, 2.7, 2);
    found[IB__CIRCLE_BOUND].form[0] = distance_bound(2.7, 2.7, 0.6);
    no_slip(found);
    yaw_acceleration(found);
    return status;
}
