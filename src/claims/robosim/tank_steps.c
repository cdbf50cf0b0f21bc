// claims/robosim/tank_steps.c: values for the claims about the explicit scheme.
#include "claims/robosim/tank.h"
#include "claims/robosim/tank_run.h"

#include <string.h>

// `equations: published` at 50 ms with (4.2e), and with (4.1c).
static ib_Status published_steps(ib_ClaimValue *found, ib_Error *error)
{
    static const char *const signals[] = {IB_NAME_VELOCITY_FORWARD, NULL};
    const double time = 5;
    double speed;
    ib_Status status = IB_OK;
    for (int i = 0; i < 2 && status == IB_OK; i++) {
        ib__TankChanges changes = ib__tank_claims_as(IB__PUBLISHED);
        ib__tank_claims_change(&changes, "robot.drive.current", i ? "implicit" : "explicit");
        ib__tank_claims_change(&changes, "run", "{duration: 5 s, step: 50 ms, solver: euler}");
        ib__ClaimRun run = {.signals = signals, .times = &time, .time_count = 1, .values = &speed};
        status = ib__tank_claims_run(&changes, &run, error);
        found[i ? IB__STABLE_END : IB__DIVERGED].form[IB__PUBLISHED] = run.end;
        if (i)
            found[IB__STABLE_SPEED].form[IB__PUBLISHED] = speed;
        else
            found[IB__DIVERGED_SIGNAL].form[IB__PUBLISHED] =
                run.failure.status != IB_OK &&
                strstr(run.failure.text, IB_NAME_DRIVE("left", "current"));
    }
    return status;
}

// The value of Ts, or of L, at which the spectral radius passes 1, by bisection.
static double stability_limit(ib__Literal literal, double *unknown_of(ib__Literal *), double stable,
                              double unstable)
{
    for (int i = 0; i < 100; i++) {
        double middle = (stable + unstable) / 2;
        *unknown_of(&literal) = middle;
        if (ib__literal_radius(&literal) < 1)
            stable = middle;
        else
            unstable = middle;
    }
    return stable;
}

static double *step_of(ib__Literal *literal)
{
    return &literal->Ts;
}

static double *inductance_of(ib__Literal *literal)
{
    return &literal->L;
}

static ib__Literal literal(bool corrected, bool implicit, double Ts, double R, double L,
                           double duration)
{
    ib__Literal l = {.corrected = corrected, .implicit = implicit, .Ts = Ts, .R = R, .L = L};
    l.duration = duration;
    ib__literal_run(&l);
    return l;
}

// The document's literal step: its divergence, and its corrections.
static void literal_steps(ib_ClaimValue *found)
{
    const double L = 59e-6;
    ib__Literal slow = literal(false, false, 0.05, 0, L, 5),
                fast = literal(false, false, 1e-3, 0, L, 5);
    ib__Literal fixed = literal(true, true, 0.05, 0, L, 5),
                right = literal(true, false, 0.05, 0, L, 5);
    ib__Literal code = literal(false, false, 0.05, 0.3, 0.02, 5);
    ib__Literal derived = literal(false, false, 0.05, 0, 0.02, 5);
    const struct {
        int row;
        double value;
    } values[] = {
        {IB__STEP1_CURRENT, slow.current[0]},
        {IB__STEP1_VOLTAGE, slow.voltage},
        {IB__STEP2_CURRENT, slow.current[1]},
        {IB__STEPS_50MS, slow.diverged},
        {IB__STEPS_1MS, fast.diverged},
        {IB__RADIUS, ib__literal_radius(&slow)},
        {IB__LIMIT_PUBLISHED, stability_limit(slow, step_of, 1e-4, 2e-3)},
        {IB__LIMIT_CORRECTED, stability_limit(right, step_of, 1e-4, 2e-3)},
        {IB__LEAST_INDUCTANCE, stability_limit(slow, inductance_of, 0.02, 1e-3)},
        {IB__RADIUS_IMPLICIT, ib__literal_radius(&fixed)},
        {IB__IMPLICIT_END, fixed.x},
        {IB__IMPLICIT_HALF, literal(true, true, 0.05, 0, L, 0.5).x},
        {IB__IMPLICIT_1MS, literal(true, true, 1e-3, 0, L, 5).x},
        {IB__IMPLICIT_01MS, literal(true, true, 1e-4, 0, L, 5).x},
        {IB__CODE_SPEED, code.v},
        {IB__CODE_PLACE, code.x},
        {IB__DERIVED_SPEED, derived.v},
        {IB__DERIVED_PLACE, derived.x},
    };
    for (int i = 0; i < IB_CLAIM_COUNT(values); i++) {
        int row = values[i].row;
        bool corrected =
            row == IB__LIMIT_CORRECTED || (row >= IB__RADIUS_IMPLICIT && row <= IB__IMPLICIT_01MS);
        found[row].form[corrected ? IB__CORRECTED : IB__PUBLISHED] = values[i].value;
    }
}

ib_Status ib__tank_claims_steps(ib_ClaimValue *found, ib_Error *error)
{
    ib_Status status = published_steps(found, error);
    literal_steps(found);
    return status;
}
