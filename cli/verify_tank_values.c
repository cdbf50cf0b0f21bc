// cli/verify_tank_values.c: the program's own runs of RoboSim's robot, corrected and as published.
#include "verify_run.h"
#include "verify_tank.h"

#include "base/maths.h"
#include "robot/tank/tank.h"

#include <math.h>
#include <string.h>

// The robot of reference B7, with what B8 adds.
const char tank_scenario[] =
    "robot: {kind: tank, mass: 60 kg, length: 0.8 m, half_track: 0.3 m,\n"
    "  drive: {motor: cim-robosim, motors_per_side: 2, reduction: 10.71, wheel_diameter: 0.1524 "
    "m,\n"
    "    inductance: 59 uH, loss: none, rotor_inertia: 7.75e-5 kg*m^2},\n"
    "  wheels: {model: viscous, side_friction: 200 N*s/m, mu: 1, slip_speed: 0.1 m/s,\n"
    "    contact_half_length: 0.3 m, inertia_per_side: 0.003 kg*m^2},\n"
    "  battery: {open_circuit: 12 V, resistance: 12 mohm, constant_voltage: true},\n"
    "  background_current: 0.5 A}\n"
    "inputs: {left: 12 V, right: 12 V}\n"
    "run: {duration: 5 s, step: 10 ms, solver: dopri5, tolerance: 1e-12}\n";

static const char *const equations[] = {"corrected", "published"};

// Changes to the scenario, one after the other.
enum { MAX_CHANGES = 8 };
typedef struct Changes {
    ib_Override items[MAX_CHANGES];
    int count;
} Changes;

static void change(Changes *changes, const char *path, const char *yaml)
{
    IB_ASSERT(changes->count < MAX_CHANGES);
    changes->items[changes->count++] = (ib_Override){path, yaml};
}

static Changes as(int form)
{
    Changes changes = {.count = 0};
    change(&changes, "robot.equations", equations[form]);
    return changes;
}

// The values of `signals` at one time.
static ib_Status look(const Changes *changes, double time, const char *const *signals,
                      double *values, ib_Error *error)
{
    VerifyRun run = {
        .scenario = tank_scenario, .signals = signals, .times = &time, .time_count = 1};
    run.overrides = changes->items, run.override_count = changes->count;
    run.values = values;
    return verify_run(&run, error);
}

static ib_Status rates(const Changes *changes, double dx[IB_TANK_FIXED], ib_Error *error)
{
    return verify_rates(tank_scenario, changes->items, changes->count, dx, IB_TANK_FIXED, error);
}

// ------------------------------------------------------------------------------------------- drive

// After 10 s (37 time constants): the terminal speed.
static ib_Status straight(Found *found, int form, ib_Error *error)
{
    static const char *const signals[] = {IB_NAME_VELOCITY_FORWARD, NULL};
    Changes changes = as(form);
    change(&changes, "run.duration", "10 s");
    return look(&changes, 10, signals, &found[TERMINAL].form[form], error);
}

// The force is mass times acceleration at the first instant.
static ib_Status stall(Found *found, int form, ib_Error *error)
{
    static const char *const signals[] = {IB_NAME_DRIVE("left", "current"), IB_NAME_BATTERY_CURRENT,
                                          IB_NAME_BATTERY_VOLTAGE, NULL};
    double dx[IB_TANK_FIXED], values[3];
    Changes sag = as(form), stiff = sag;
    change(&stiff, "robot.battery.resistance", "0 ohm");
    ib_Status status = rates(&sag, dx, error);
    found[SAG_FORCE].form[form] = 60 * dx[IB_TANK_U];
    if (status == IB_OK) status = rates(&stiff, dx, error);
    found[STALL_FORCE].form[form] = 60 * dx[IB_TANK_U];
    if (status == IB_OK) status = look(&sag, 0, signals, values, error);
    found[SAG_CURRENT].form[form] = values[0];
    found[SAG_DRAW].form[form] = values[1];
    found[SAG_VOLTAGE].form[form] = values[2];
    if (form == CORRECTED || status != IB_OK) return status;
    change(&stiff, "robot.drive.reduction", "0.0933706816059757"); // 1/10.71
    status = rates(&stiff, dx, error);
    found[STALL_REDUCTION].form[PUBLISHED] = 60 * dx[IB_TANK_U];
    found[STALL_SHARE].form[PUBLISHED] =
        found[STALL_FORCE].form[PUBLISHED] / found[STALL_FORCE].form[CORRECTED];
    return status;
}

// At 1 m/s: what moves the robot, M u u', over what the four motors give, 4 T w.
static ib_Status power(Found *found, int form, ib_Error *error)
{
    static const char *const signals[] = {IB_NAME_DRIVE("left", "torque"),
                                          IB_NAME_DRIVE("left", "speed"), NULL};
    double dx[IB_TANK_FIXED], values[2];
    Changes changes = as(form);
    change(&changes, "start.velocity.x", "1 m/s");
    ib_Status status = rates(&changes, dx, error);
    if (status == IB_OK) status = look(&changes, 0, signals, values, error);
    found[POWER_RATIO].form[form] = 60 * dx[IB_TANK_U] / (4 * values[0] * values[1]);
    return status;
}

static ib_Status turn(Found *found, int form, ib_Error *error)
{
    static const char *const signals[] = {IB_NAME_YAW_RATE, IB_NAME_BATTERY_CURRENT,
                                          IB_NAME_BATTERY_VOLTAGE, IB_NAME_ENERGY("error"), NULL};
    const double times[] = {0.1, 1, 10};
    double values[3][4];
    Changes changes = as(form);
    change(&changes, "inputs.right", "-12 V");
    change(&changes, "run.duration", "10 s");
    VerifyRun run = {
        .scenario = tank_scenario, .signals = signals, .times = times, .time_count = 3};
    run.overrides = changes.items, run.override_count = changes.count;
    run.values = values[0];
    ib_Status status = verify_run(&run, error);
    found[TURN_DRAW].form[form] = values[0][1];
    found[TURN_VOLTAGE].form[form] = values[0][2];
    found[TURN_ERROR].form[form] = values[1][3];
    found[SPIN_RATE].form[form] = -values[2][0];
    return status;
}

// (9a) of the turn in place sees 0.5 A, hence 11.994 V whatever the motors do. The same voltage
// from an ideal source says what they take.
static ib_Status turn_free(Found *found, ib_Error *error)
{
    static const char *const signals[] = {IB_NAME_ENERGY("battery"), NULL};
    Changes changes = as(CORRECTED);
    change(&changes, "inputs.right", "-12 V");
    change(&changes, "robot.battery.open_circuit", "11.994 V");
    change(&changes, "robot.battery.resistance", "0 ohm");
    change(&changes, "robot.background_current", "0 A");
    return look(&changes, 1, signals, &found[TURN_FREE].form[PUBLISHED], error);
}

// As published, the side friction of (10.3) drives the robot sideways once its heading has passed
// 90 degrees: the run ends early. Its rate jumps there, which fixed steps take as they come.
static ib_Status arc(Found *found, int form, ib_Error *error)
{
    static const char *const signals[] = {IB_NAME_YAW_RATE,
                                          IB_NAME_VELOCITY_FORWARD,
                                          IB_NAME_VELOCITY_LEFT,
                                          IB_NAME_ENERGY("battery"),
                                          IB_NAME_ENERGY("resistance"),
                                          IB_NAME_ENERGY("error"),
                                          NULL};
    const double times[] = {1, 5};
    double v[2][6];
    Changes changes = as(form);
    change(&changes, "inputs.right", "6 V");
    if (form == PUBLISHED) change(&changes, "run", "{duration: 5 s, step: 1 ms, solver: rk4}");
    VerifyRun run = {
        .scenario = tank_scenario, .signals = signals, .times = times, .time_count = 2};
    run.overrides = changes.items, run.override_count = changes.count;
    run.values = v[0];
    ib_Status status = verify_run(&run, error);
    const double *end = v[1];
    found[ARC_END].form[form] = run.end;
    found[ARC_RATE].form[form] = v[0][0];
    found[ARC_ERROR].form[form] = v[0][5];
    found[ARC_RADIUS].form[form] = sqrt(end[1] * end[1] + end[2] * end[2]) / fabs(end[0]);
    found[ARC_ENERGY].form[form] = end[3] - end[4];
    return status;
}

// ------------------------------------------------------------------------------------ battery, air

// A constant current until it is empty, [h].
static ib_Status discharge(const char *battery, const char *current, double *hours, ib_Error *error)
{
    Changes changes = {.count = 0};
    Passage empty = {.signal = IB_NAME_BATTERY_CHARGE, .level = 1e-9};
    change(&changes, "robot.battery", battery);
    change(&changes, "robot.background_current", current);
    change(&changes, "inputs.left", "0 V");
    change(&changes, "inputs.right", "0 V");
    change(&changes, "run", "{duration: 4000 s, step: 1 s}");
    VerifyRun run = {.scenario = tank_scenario, .passages = &empty, .passage_count = 1};
    run.overrides = changes.items, run.override_count = changes.count;
    ib_Status status = verify_run(&run, error);
    *hours = empty.seconds / 3600;
    return status;
}

static ib_Status capacity(Found *found, int form, ib_Error *error)
{
    const char *battery = form == PUBLISHED ? "es17-12-robosim" : "es17-12";
    ib_Status status = discharge(battery, "17 A", &found[CAPACITY].form[form], error);
    if (form == PUBLISHED || status != IB_OK) return status;
    return discharge(battery, "10.75 A", &found[CAPACITY_HOUR].form[form], error); // 62.5 %
}

static const double psi = 6894.757293, atmosphere = 101325;

// psig, and the times at which the tanks reach it: corrected, published.        [reference B6]
static const double fill[FILL_LEVELS][3] = {
    {10, 2.0900016482, 1.5796745085},  {20, 4.4895151623, 2.7766002533},
    {30, 7.0169807984, 3.7163886655},  {40, 9.6875856852, 4.5079545607},
    {50, 12.517608649, 5.2057850418},  {60, 15.528391724, 5.8411716761},
    {70, 18.808698048, 6.4462287229},  {80, 22.369504564, 7.0298929384},
    {90, 26.131971885, 7.5847642278},  {95, 28.102821203, 7.8549553226},
    {100, 30.17225309, 8.1260136914},  {110, 34.58847754, 8.6682393316},
    {115, 36.919900088, 8.9376167558}, {120, 39.318909432, 9.2043170672},
};

#define TANKS(start)                                                                               \
    "{tanks: 2, tank_volume: 0.574 L, temperature: 70 degF, start: " start                         \
    ", compressor: viair-90c-robosim}"

static Changes with_air(int form, const char *air)
{
    Changes changes = as(form);
    change(&changes, "robot.air", air);
    change(&changes, "inputs", "{left: 0 V, right: 0 V, compressor: on}");
    change(&changes, "run.duration", "40 s");
    return changes;
}

static ib_Status air(Found *found, int form, ib_Error *error)
{
    Passage passages[FILL_LEVELS];
    Changes changes = with_air(form, TANKS("0 psig"));
    for (int i = 0; i < FILL_LEVELS; i++)
        passages[i] =
            (Passage){.signal = IB_NAME_AIR_PRESSURE, .level = atmosphere + fill[i][0] * psi};
    VerifyRun run = {.scenario = tank_scenario, .passages = passages, .passage_count = FILL_LEVELS};
    run.overrides = changes.items, run.override_count = changes.count;
    ib_Status status = verify_run(&run, error);
    double worst = 0;
    for (int i = 0; i < FILL_LEVELS; i++)
        worst = fmax(worst, fabs(passages[i].seconds / fill[i][1 + form] - 1));
    found[FILL_ERROR].form[form] = worst;
    found[FILL].form[form] = passages[12].seconds;
    found[RECOVERY].form[form] = passages[12].seconds - passages[9].seconds;
    return status;
}

// Isothermal compression of what arrives at 100 psig:  P = n' R T ln(p/p_atm)
static ib_Status compression(Found *found, int form, ib_Error *error)
{
    static const char *const signals[] = {IB_NAME_AIR_DELIVERED, IB_NAME_AIR_TEMPERATURE, NULL};
    double values[2], p = atmosphere + 100 * psi, t = 1e-3;
    Changes changes = with_air(form, TANKS("100 psig"));
    ib_Status status = look(&changes, t, signals, values, error);
    found[COMPRESSION].form[form] =
        values[0] / t * 8.314462618 * values[1] * ib_log(p / atmosphere);
    return status;
}

// ----------------------------------------------------------------------------- kinematics and sums

// What (10.3) makes of a velocity, from the side force -K V_perp it leads to.
static ib_Status slip(Found *found, int form, ib_Error *error)
{
    double dx[IB_TANK_FIXED];
    Changes changes = as(form);
    change(&changes, "robot.drive.motors_per_side", "1");
    change(&changes, "start.velocity", "{x: -1 m/s, y: 0.5 m/s}");
    ib_Status status = rates(&changes, dx, error);
    found[SLIP_BACK].form[form] = -60 * dx[IB_TANK_N] / 200;
    return status;
}

// (1.3b): n + 1 samples for n intervals, twice. The program: a box under a constant force.
static ib_Status sums(Found *found, ib_Error *error)
{
    static const char text[] =
        "robot: {kind: box, mass: 5 kg, mu: 0}\n"
        "disturbances: [{at: 0 s, for: 2 s, force: 5 N, direction: 0 deg}]\nrun: {duration: 1 s}";
    static const char *const signals[] = {IB_NAME_VELOCITY_X, IB_NAME_POSE_X, NULL};
    double time = 1, values[2], v = 0, x = 0;
    VerifyRun run = {.scenario = text, .signals = signals, .times = &time, .time_count = 1};
    run.values = values;
    ib_Status status = verify_run(&run, error);
    for (int n = 0; n <= 20; n++) {
        v += 0.05;
        x += v * 0.05;
    }
    found[SUM_SPEED].form[CORRECTED] = values[0];
    found[SUM_PLACE].form[CORRECTED] = values[1];
    found[SUM_SPEED].form[PUBLISHED] = v;
    found[SUM_PLACE].form[PUBLISHED] = x;
    return status;
}

// --------------------------------------------------------------------------------- explicit scheme

// `equations: published` at 50 ms with (4.2e), and with (4.1c).
static ib_Status published_steps(Found *found, ib_Error *error)
{
    static const char *const signals[] = {IB_NAME_VELOCITY_FORWARD, NULL};
    const double time = 5;
    double speed;
    ib_Status status = IB_OK;
    for (int i = 0; i < 2 && status == IB_OK; i++) {
        Changes changes = as(PUBLISHED);
        change(&changes, "robot.drive.current", i ? "implicit" : "explicit");
        change(&changes, "run", "{duration: 5 s, step: 50 ms, solver: euler}");
        VerifyRun run = {
            .scenario = tank_scenario, .signals = signals, .times = &time, .time_count = 1};
        run.overrides = changes.items, run.override_count = changes.count;
        run.values = &speed;
        status = verify_run(&run, error);
        found[i ? STABLE_END : DIVERGED].form[PUBLISHED] = run.end;
        if (i)
            found[STABLE_SPEED].form[PUBLISHED] = speed;
        else
            found[DIVERGED_SIGNAL].form[PUBLISHED] =
                run.failure.status != IB_OK &&
                strstr(run.failure.text, IB_NAME_DRIVE("left", "current"));
    }
    return status;
}

// Where the spectral radius passes 1: by bisection of Ts, or of L.
static double stability_limit(Literal literal, double *unknown_of(Literal *), double stable,
                              double unstable)
{
    for (int i = 0; i < 100; i++) {
        double middle = (stable + unstable) / 2;
        *unknown_of(&literal) = middle;
        if (literal_radius(&literal) < 1)
            stable = middle;
        else
            unstable = middle;
    }
    return stable;
}

static double *step_of(Literal *literal)
{
    return &literal->Ts;
}

static double *inductance_of(Literal *literal)
{
    return &literal->L;
}

static Literal literal(bool corrected, bool implicit, double Ts, double R, double L,
                       double duration)
{
    Literal l = {.corrected = corrected, .implicit = implicit, .Ts = Ts, .R = R, .L = L};
    l.duration = duration;
    literal_run(&l);
    return l;
}

static void literal_steps(Found *found)
{
    const double L = 59e-6;
    Literal slow = literal(false, false, 0.05, 0, L, 5),
            fast = literal(false, false, 1e-3, 0, L, 5);
    Literal fixed = literal(true, true, 0.05, 0, L, 5), right = literal(true, false, 0.05, 0, L, 5);
    Literal code = literal(false, false, 0.05, 0.3, 0.02, 5);
    Literal derived = literal(false, false, 0.05, 0, 0.02, 5);
    const struct {
        int row;
        double value;
    } values[] = {
        {STEP1_CURRENT, slow.current[0]},
        {STEP1_VOLTAGE, slow.voltage},
        {STEP2_CURRENT, slow.current[1]},
        {STEPS_50MS, slow.diverged},
        {STEPS_1MS, fast.diverged},
        {RADIUS, literal_radius(&slow)},
        {LIMIT_PUBLISHED, stability_limit(slow, step_of, 1e-4, 2e-3)},
        {LIMIT_CORRECTED, stability_limit(right, step_of, 1e-4, 2e-3)},
        {LEAST_INDUCTANCE, stability_limit(slow, inductance_of, 0.02, 1e-3)},
        {RADIUS_IMPLICIT, literal_radius(&fixed)},
        {IMPLICIT_END, fixed.x},
        {IMPLICIT_HALF, literal(true, true, 0.05, 0, L, 0.5).x},
        {IMPLICIT_1MS, literal(true, true, 1e-3, 0, L, 5).x},
        {IMPLICIT_01MS, literal(true, true, 1e-4, 0, L, 5).x},
        {CODE_SPEED, code.v},
        {CODE_PLACE, code.x},
        {DERIVED_SPEED, derived.v},
        {DERIVED_PLACE, derived.x},
    };
    for (int i = 0; i < COUNT(values); i++) {
        int row = values[i].row;
        bool corrected = row == LIMIT_CORRECTED || (row >= RADIUS_IMPLICIT && row <= IMPLICIT_01MS);
        found[row].form[corrected ? CORRECTED : PUBLISHED] = values[i].value;
    }
}

// -------------------------------------------------------------------------------------- references

enum { MOST_COLUMNS = 16 };

// The largest difference from a table, relative where a value is above 1.
static ib_Status table(Found *found, int index, ib_Error *error)
{
    const ReferenceTable *reference = &reference_tables[index];
    double values[REFERENCE_TIMES * MOST_COLUMNS], worst = 0;
    char right[24];
    int columns = 0;
    Changes changes = as(CORRECTED);
    snprintf(right, sizeof right, "%g V", reference->right);
    change(&changes, "inputs.right", right);
    if (reference->inductive) change(&changes, "robot.drive.current", "implicit");
    if (reference->slips) change(&changes, "robot.wheels.model", "friction_circle");
    VerifyRun run = {
        .scenario = tank_scenario, .signals = reference->signals, .times = reference_times};
    run.overrides = changes.items, run.override_count = changes.count;
    run.time_count = REFERENCE_TIMES;
    run.values = values;
    ib_Status status = verify_run(&run, error);
    while (reference->signals[columns]) columns++;
    for (int i = 0; i < REFERENCE_TIMES * columns; i++) {
        double per_unit = strcmp(reference->signals[i % columns], IB_NAME_BATTERY_USED) ? 1 : 3600;
        double wanted = reference->values[i], gap = fabs(values[i] / per_unit - wanted);
        worst = fmax(worst, gap / fmax(1, fabs(wanted)));
    }
    found[TABLE_ERROR + index].form[CORRECTED] = worst;
    return status;
}

// Solutions from outside of the program, to stand beside its own.
static void references(Found *found)
{
    const struct {
        int row;
        double value;
    } values[] = {
        {TERMINAL, 4.0373859548},
        {STALL_FORCE, 1365.5952756},
        {SAG_FORCE, 895.07857389},
        {SAG_CURRENT, 86.012655518},
        {SAG_DRAW, 344.55062207},
        {SAG_VOLTAGE, 7.8653925352},
        {POWER_RATIO, 1},
        {SPIN_RATE, 13.457953183},
        {ARC_RATE, -3.091928195},
        {ARC_RADIUS, 0.8150925180},
        {TURN_DRAW, 218.93544964},
        {TURN_VOLTAGE, 9.3727746044},
        {ARC_ENERGY, 4911.7},
        {FILL, 36.919900088},
        {RECOVERY, 8.8170788847},
        {COMPRESSION, 38.32},
        {SLIP_REST, 0},
        {SLIP_BACK, 0.5},
        {SUM_SPEED, 1},
        {SUM_PLACE, 0.5},
        {TURN_ERROR, 0},
        {ARC_ERROR, 0},

    };
    for (int i = 0; i < COUNT(values); i++) found[values[i].row].form[REFERENCE] = values[i].value;
}

ib_Status tank_compute(Found *found, ib_Error *error)
{
    static ib_Status (*const both[])(Found *, int, ib_Error *) = {
        straight, stall, power, turn, arc, capacity, air, compression, slip};
    ib_Status status = IB_OK;
    for (int i = 0; i < COUNT(both); i++)
        for (int form = CORRECTED; form <= PUBLISHED && status == IB_OK; form++)
            status = both[i](found, form, error);
    if (status == IB_OK) status = turn_free(found, error);
    if (status == IB_OK) status = sums(found, error);
    if (status == IB_OK) status = published_steps(found, error);
    for (int i = 0; i < REFERENCE_TABLES && status == IB_OK; i++) status = table(found, i, error);
    literal_steps(found);
    references(found);
    found[SLIP_REST].form[CORRECTED] = 0;
    found[SLIP_REST].form[PUBLISHED] = NAN; // atan2(0/0)
    return status;
}
