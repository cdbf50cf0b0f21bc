// claims/thesis/cylinder_response.c: values for the claims about responses: steps of the valve,
// steps and sines of the loop, the full model beside simpler ones [thesis 4.3, 4.4, 5.5.3].
#include "base/extreme.h"
#include "base/maths.h"
#include "claims/thesis/cylinder.h"
#include "claims/thesis/cylinder_run.h"

#include <math.h>

static const double stroke = 1.75 * IB__INCH;

// --------------------------------------------------------------------------------------- open loop

// The times at which the rod leaves its stop and meets the other one, after a step of `volts`.
static ib_Status stroke_of(double volts, ib__RigChanges changes, double *release, double *hit,
                           ib_Error *error)
{
    char text[80];
    ib__rig_step(volts, text, sizeof text);
    ib__rig_change(&changes, "inputs.valve", text);
    // The stop's force ends when the rod leaves; a nanometre before the other stop it still moves.
    ib__Passage passages[] = {
        {.signal = IB_NAME_CYLINDER("stop"), .level = 1e-6, .from = 5},
        {.signal = IB_NAME_CYLINDER("position"), .level = stroke - 1e-9, .from = 5}};
    ib__ClaimRun run = {.scenario = ib__rig_open, .passages = passages, .passage_count = 2};
    ib__rig_change(&changes, "run.duration", "7 s");
    run.overrides = changes.items, run.override_count = changes.count;
    ib_Status status = ib__claim_run(&run, error);
    *release = passages[0].seconds, *hit = passages[1].seconds;
    return status;
}

// tau of the cap's pressure over windows of 1 s and of 5 s after the step of 0.75 V.
static ib_Status pressure_fit(ib_ClaimValue *found, ib_Error *error)
{
    static const char *const signals[] = {IB_NAME_CAP("pressure"), NULL};
    ib_Arena arena = {0};
    ib__RigChanges changes = {0};
    ib__RigTrace trace = {.signals = signals, .from = 5, .every = 5e-3, .count = 1001};
    char text[80];
    ib__rig_step(0.75, text, sizeof text);
    ib__rig_change(&changes, "inputs.valve", text);
    ib_Status status = ib__rig_trace(ib__rig_open, &changes, &arena, &trace, error);
    if (status == IB_OK) {
        ib__FirstOrder whole = ib__rig_first_order(trace.column[0], 1001, trace.every);
        ib__FirstOrder begin = ib__rig_first_order(trace.column[0], 201, trace.every);
        found[IB__OPEN_TAU].form[IB__CORRECTED] = whole.tau / begin.tau;
        found[IB__OPEN_SQUARE].form[IB__CORRECTED] = whole.square;
    }
    ib_arena_reset(&arena);
    return status;
}

// The position of the rod 5 s after a step to the offset.
static ib_Status offset_step(ib_ClaimValue *found, ib_Error *error)
{
    static const char *const signals[] = {IB_NAME_CYLINDER("position"), NULL};
    ib_Arena arena = {0};
    ib__RigChanges changes = {0};
    ib__RigTrace trace = {.signals = signals, .from = 10, .every = 1, .count = 1};
    ib__rig_change(&changes, "inputs.valve", "[[0 s, 0 V], [5 s, 5.25 V]]");
    ib_Status status = ib__rig_trace(ib__rig_open, &changes, &arena, &trace, error);
    if (status == IB_OK) found[IB__AT_OFFSET].form[IB__CORRECTED] = 1e3 * trace.column[0][0];
    ib_arena_reset(&arena);
    return status;
}

ib_Status ib__cylinder_claims_open(ib_ClaimValue *found, ib_Error *error)
{
    static const char *const equations[] = {"corrected", "published"};
    ib_Status status = IB_OK;
    for (int form = IB__CORRECTED; form <= IB__PUBLISHED && status == IB_OK; form++) {
        ib__RigChanges changes = {0};
        ib__rig_change(&changes, "robot.equations", equations[form]);
        status = stroke_of(0.75, changes, &found[IB__RELEASE_SLOW].form[form],
                           &found[IB__HIT_SLOW].form[form], error);
        if (status == IB_OK)
            status = stroke_of(1.25, changes, &found[IB__RELEASE_FAST].form[form],
                               &found[IB__HIT_FAST].form[form], error);
    }
    double release, hit, standard = found[IB__HIT_FAST].form[IB__CORRECTED] - 5;
    ib__RigChanges low = {0}, swap = {0};
    ib__rig_change(&low, "robot.supply.pressure", "308195.772 Pa"); // 30 psig, 44.7 psi
    ib__rig_change(&swap, "robot.valve.swapped", "true");
    if (status == IB_OK) status = stroke_of(1.25, low, &release, &hit, error);
    if (status == IB_OK) found[IB__LOW_STROKE].form[IB__CORRECTED] = (hit - 5) / standard;
    // The other ports need the mirror image of the voltage: 1 V below the offset, not above.
    if (status == IB_OK) status = stroke_of(-0.75, swap, &release, &hit, error);
    if (status == IB_OK) found[IB__SWAP_STROKE].form[IB__CORRECTED] = (hit - 5) / standard;
    if (status == IB_OK) status = pressure_fit(found, error);
    return status == IB_OK ? offset_step(found, error) : status;
}

// ------------------------------------------------------------------------------------ the loop: A5

// The step of reference A5 from 10 mm to 30 mm, friction for m/s and for in/s.
static ib_Status one_step(ib_ClaimValue *found, ib_Error *error)
{
    enum { MS = 1001 };
    static const char *const signals[] = {IB_NAME_CYLINDER("position"), NULL};
    ib_Status status = IB_OK;
    for (int form = IB__CORRECTED; form <= IB__PUBLISHED && status == IB_OK; form++) {
        ib_Arena arena = {0};
        ib__RigChanges changes = {0};
        ib__RigTrace trace = {.signals = signals, .from = 2, .every = 1e-3, .count = MS};
        if (form == IB__PUBLISHED) {
            ib__rig_change(&changes, "robot.friction", "thesis-stribeck-inches");
            ib__rig_change(&changes, "control.valve.kp", "143.53 V/m");
            ib__rig_change(&changes, "run.tolerance", "1e-7");
        }
        status = ib__rig_trace(ib__rig_closed, &changes, &arena, &trace, error);
        if (status == IB_OK) {
            const double *x = trace.column[0], goal = 30e-3, way = goal - x[0];
            ib__FirstOrder fit = ib__rig_first_order(x, MS, trace.every);
            int from = 0, to = 0, i;
            double most = x[0];
            for (i = 0; i < MS; i++) {
                most = ib_max(most, x[i]);
                if (!from && x[i] >= x[0] + 0.1 * way) from = i;
                if (!to && x[i] >= x[0] + 0.9 * way) to = i;
            }
            found[IB__TAU].form[form] = fit.tau;
            found[IB__TAU_SQUARE].form[form] = fit.square;
            found[IB__RISE].form[form] = (to - from) * trace.every;
            found[IB__OVERSHOOT].form[form] = 100 * (most - goal) / way;
            found[IB__PLACE_2].form[form] = 1e3 * x[0];
            found[IB__PLACE_3].form[form] = 1e3 * x[MS - 1];
        }
        ib_arena_reset(&arena);
    }
    return status;
}

// -------------------------------------------------------------------------------------- five steps

enum { GRID = 4501, PER_STEP = 750, REST = 150 }; ///< rows 2 ms apart; of a step; of its last 0.3 s

// The taus of the five steps of the full model.
static void five_taus(const double *x, double every, ib_ClaimValue *found)
{
    double sum = 0, squares = 0, least = INFINITY, most = 0;
    for (int i = 0; i < IB__GOAL_STEPS; i++) {
        ib__FirstOrder fit = ib__rig_first_order(x + PER_STEP * (i + 1), 501, every);
        sum += fit.tau, squares += fit.tau * fit.tau;
        least = ib_min(least, fit.square), most = ib_max(most, fit.square);
    }
    double mean = sum / IB__GOAL_STEPS;
    found[IB__TAU_MEAN].form[IB__CORRECTED] = mean;
    found[IB__TAU_SPREAD].form[IB__CORRECTED] =
        sqrt((squares - IB__GOAL_STEPS * mean * mean) / (IB__GOAL_STEPS - 1));
    found[IB__SQUARE_LEAST].form[IB__CORRECTED] = least;
    found[IB__SQUARE_MOST].form[IB__CORRECTED] = most;
}

// The motion of a rig at the end of its steps: largest speed, and largest distance.
static void at_rest(const double *x, const double *v, double *speed, double *way)
{
    *speed = *way = 0;
    for (int i = 1; i <= IB__GOAL_STEPS; i++) {
        double low = INFINITY, high = -INFINITY;
        for (int k = PER_STEP * (i + 1) - REST; k < PER_STEP * (i + 1); k++) {
            low = ib_min(low, x[k]), high = ib_max(high, x[k]);
            *speed = ib_max(*speed, 1e3 * fabs(v[k]));
        }
        *way = ib_max(*way, 1e3 * (high - low));
    }
}

// Seconds after the first step until the rod has moved by 0.1 mm.
static double first_motion(const double *x, double every)
{
    int k = PER_STEP;
    while (k < GRID - 1 && x[k] - x[PER_STEP] < 1e-4) k++;
    return every * (k - PER_STEP - (x[k] - x[PER_STEP] - 1e-4) / (x[k] - x[k - 1]));
}

static double rms(const double *a, const double *b)
{
    double sum = 0;
    for (int i = PER_STEP; i < GRID; i++) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum / (GRID - PER_STEP));
}

static ib_Status series(ib_ClaimValue *found, ib_Error *error)
{
    static const char *const signals[] = {IB_NAME_CYLINDER("position"),
                                          IB_NAME_CYLINDER("velocity"), NULL};
    ib_Arena arena = {0};
    ib_Status status = IB_OK;
    ib__RigTrace traces[IB__RIGS];
    for (int rig = 0; rig < IB__RIGS && status == IB_OK; rig++) {
        ib__RigChanges changes = {0};
        traces[rig] = (ib__RigTrace){.signals = signals, .every = 2e-3, .count = GRID};
        ib__rig_simplify(&changes, rig);
        status = ib__rig_trace(ib__rig_series, &changes, &arena, &traces[rig], error);
        if (status == IB_OK)
            at_rest(traces[rig].column[0], traces[rig].column[1],
                    &found[IB__RESTLESS + rig].form[IB__CORRECTED],
                    &found[IB__SETTLED + rig].form[IB__CORRECTED]);
    }
    if (status == IB_OK) {
        const ib__RigTrace *full = &traces[IB__RIG_FULL], *linear = &traces[IB__RIG_LINEAR],
                           *viscous = &traces[IB__RIG_VISCOUS];
        five_taus(full->column[0], full->every, found);
        const struct {
            int row;
            double value;
        } values[] = {
            {IB__RMSE_LINEAR, rms(linear->column[0], full->column[0]) / IB__INCH},
            {IB__RMSE_VISCOUS, rms(viscous->column[0], full->column[0]) / IB__INCH},
            {IB__FIRST_MOTION, first_motion(full->column[0], full->every) -
                                   first_motion(viscous->column[0], viscous->every)},
            {IB__STEPS_LINEAR, (double)linear->steps / (double)full->steps},
            {IB__STEPS_VISCOUS, (double)viscous->steps / (double)full->steps},
        };
        for (int i = 0; i < IB_CLAIM_COUNT(values); i++)
            found[values[i].row].form[IB__CORRECTED] = values[i].value;
    }
    ib_arena_reset(&arena);
    return status;
}

// ------------------------------------------------------------------------------------------- sines

// The lag of the position behind its goal, by the best-fitting sine of the last period.
static ib_Status lags(ib_ClaimValue *found, ib_Error *error)
{
    enum { ROWS = 601 };
    static const char *const signals[] = {IB_NAME_CYLINDER("position"), NULL};
    static const double speeds[IB__SINES] = {1, 3, 5}, periods[IB__SINES] = {1.25, 1.5, 2};
    ib_Status status = IB_OK;
    for (int k = 0; k < IB__SINES && status == IB_OK; k++) {
        ib_Arena arena = {0};
        ib__RigTrace trace = {.signals = signals, .count = ROWS};
        status = ib__rig_sine(speeds[k], periods[k], NULL, &arena, &trace, error);
        double s = 0, c = 0;
        int first = ROWS - 1 - (int)((ROWS - 1) / periods[k] + 0.5);
        for (int i = first; i < ROWS - 1 && status == IB_OK; i++) {
            double phase = speeds[k] * trace.times[i];
            s += trace.column[0][i] * ib_sin(phase), c += trace.column[0][i] * ib_cos(phase);
        }
        found[IB__LAG + k].form[IB__CORRECTED] = ib_atan2(-c, s) / speeds[k];
        ib_arena_reset(&arena);
    }
    found[IB__LAG_FIRST].form[IB__CORRECTED] = ib_atan(0.082);
    found[IB__LAG_LEAST].form[IB__PUBLISHED] = 0.02 / 0.25;
    return status;
}

// The rms error of a sine of 3 rad/s in its last period: by the loop of reference A5, by a sliding
// mode with a layer of 1 mm, and by the PVA with this one's gains within its layer.
static ib_Status sliding(ib_ClaimValue *found, ib_Error *error)
{
    enum { ROWS = 401 };
#define OF                                                                                         \
    "sensors: cylinder.position, velocity: cylinder.velocity, inputs: valve, "                     \
    "acceleration: cylinder.acceleration, offset: 5.25 V, period: 1 ms, "
    static const char *const signals[] = {IB_NAME_CYLINDER("position"), IB__CYLINDER_GOAL, NULL};
    static const char *const controls[] = {
        NULL, "{kind: sliding_mode, " OF "gain: 2 V, layer: 1 mm, frequency: 150 rad/s}",
        "{kind: pva, " OF "kp: 2000 V/m, kv: 26.666666666666668 V*s/m, "
        "ka: 0.08888888888888889 V*s^2/m}"};
#undef OF
    double error_of[3];
    ib_Status status = IB_OK;
    for (int k = 0; k < 3 && status == IB_OK; k++) {
        ib_Arena arena = {0};
        ib__RigTrace trace = {.signals = signals, .count = ROWS};
        status = ib__rig_sine(3, 2, controls[k], &arena, &trace, error);
        double sum = 0;
        for (int i = ROWS / 2; i < ROWS && status == IB_OK; i++) {
            double off = trace.column[1][i] - trace.column[0][i];
            sum += off * off;
        }
        error_of[k] = sqrt(sum);
        ib_arena_reset(&arena);
    }
    if (status != IB_OK) return status;
    found[IB__SLIDING].form[IB__CORRECTED] = error_of[1] / error_of[0];
    found[IB__SLIDING_ALIKE].form[IB__CORRECTED] = error_of[1] / error_of[2];
    return IB_OK;
}

// ---------------------------------------------------------------------------------------- pressure

// The share of the cap pressure's movement in the loop behind a sensor's lag, and behind the filter
// of A.3: mean square of its differences over 10 ms.
static ib_Status filtered(ib_ClaimValue *found, ib_Error *error)
{
    enum { ROWS = 751 };
    static const char *const signals[] = {IB_NAME_CAP("pressure"), "sensor.lagged",
                                          "sensor.smoothed", NULL};
    ib_Arena arena = {0};
    ib__RigChanges changes = {0};
    ib__RigTrace trace = {.signals = signals, .from = 1.5, .every = 2e-3, .count = ROWS};
    ib__rig_change(&changes, "robot.sensors", ib__rig_sensors);
    ib__rig_change(&changes, "run.duration", "3 s");
    ib_Status status = ib__rig_trace(ib__rig_series, &changes, &arena, &trace, error);
    double moves[3] = {0};
    for (int k = 0; k < 3 && status == IB_OK; k++)
        for (int i = 5; i < ROWS; i++) {
            double d = trace.column[k][i] - trace.column[k][i - 5];
            moves[k] += d * d;
        }
    found[IB__LAGGED].form[IB__CORRECTED] = sqrt(moves[1] / moves[0]);
    found[IB__FILTERED].form[IB__CORRECTED] = sqrt(moves[2] / moves[0]);
    ib_arena_reset(&arena);
    return status;
}

ib_Status ib__cylinder_claims_closed(ib_ClaimValue *found, ib_Error *error)
{
    // (4.3.1) after 1 s, its exponent as printed and as meant.
    double tau = 0.082;
    found[IB__GROWTH] = (ib_ClaimValue){{1 - ib_exp(-1 / tau), 1 - ib_exp(1 / tau), NAN}};
    found[IB__TAUS].form[IB__CORRECTED] = 100 * (0.085 - tau) / 0.085;
    found[IB__STROKE_SHARE].form[IB__CORRECTED] = 100 * 0.052 / 1.75;
    found[IB__MILLIMETRE].form[IB__CORRECTED] = 0.052 * 25.4;
    ib_Status status = one_step(found, error);
    if (status == IB_OK) status = series(found, error);
    if (status == IB_OK) status = lags(found, error);
    if (status == IB_OK) status = sliding(found, error);
    return status == IB_OK ? filtered(found, error) : status;
}
