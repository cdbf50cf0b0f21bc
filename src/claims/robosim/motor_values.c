// claims/robosim/motor_values.c: every motor of the data file on the bench, and the CIM of RoboSim.
#include "base/extreme.h"
#include "claims/claim_run.h"
#include "claims/robosim/motor.h"

#include "file/catalogue.h"
#include "robot/motor_bench.h"

#include <math.h>
#include <string.h>

static const double rpm = 9.549296585513721; ///< of one rad/s
static const int losses[IB_CLAIM_FORMS] = {
    [IB__FORM_VISCOUS] = IB_LOSS_VISCOUS,
    [IB__FORM_COULOMB] = IB_LOSS_COULOMB,
    [IB__FORM_NONE] = IB_LOSS_NONE,
};
static const char *const loss_names[IB_CLAIM_FORMS] = {
    [IB__FORM_VISCOUS] = "viscous",
    [IB__FORM_COULOMB] = "coulomb",
    [IB__FORM_NONE] = "none",
};

// ---------------------------------------------------------------------------------------- the data

static ib_Status read_sheet(ib__BenchMotor *motor, ib_Error *error)
{
    char text[300];
    snprintf(text, sizeof text,
             "robot: {kind: motor_bench, motor: {preset: %s, torque_constant: data_sheet}}\n"
             "inputs: {command: 12 V}\nrun: {duration: 1 s}",
             motor->name);
    ib_Scenario *scenario = ib__claim_load(text, NULL, 0, error);
    if (!scenario) return IB_FAILED;
    const ib_MotorBenchConfig *config = scenario->sim.robots[0].config;
    motor->sheet = config->motor;
    motor->rotor_inertia = config->rotor_inertia;
    ib_scenario_destroy(scenario);
    return IB_OK;
}

static const char *remark(const ib_Node *entry, const char *key)
{
    const ib_Node *node = ib_node_get(entry, key);
    return node ? node->text : "";
}

static ib_Status read_motors(ib__MotorBook *book, ib_Arena *arena, ib_Error *error)
{
    ib_Diagnostics diagnostics = {.arena = arena};
    const ib_DataFile *file = ib_catalogue_find(ib_data_files, "motors");
    const ib_Node *root = file ? ib_catalogue_read(file, arena, &diagnostics) : NULL;
    book->motors = ib_arena_array(arena, IB__MAX_MOTORS, sizeof *book->motors);
    if (!root || !book->motors)
        return ib_error_set(error, IB_FAILED, "data/motors.yaml cannot be read");
    ib_Status status = IB_OK;
    for (const ib_Node *entry = root->first; entry && status == IB_OK; entry = entry->next) {
        if (book->count == IB__MAX_MOTORS)
            return ib_error_set(error, IB_FAILED, "more than %d motors", IB__MAX_MOTORS);
        ib__BenchMotor *motor = &book->motors[book->count++];
        motor->name = entry->key;
        motor->source = remark(entry, "source");
        motor->sure = remark(entry, "sure");
        status = read_sheet(motor, error);
    }
    return status;
}

// --------------------------------------------------------------------------------- one motor's run

// The scenario of a bench with a supply of the data sheet's voltage, also for Kt above Ke. The
// flywheel makes the time constant J wf/Ts at least 50 ms.
static double bench_text(const ib__BenchMotor *motor, const char *loss, char *text, size_t size)
{
    double per = motor->sheet.free_speed / motor->sheet.stall_torque, flywheel = 0.05 / per;
    snprintf(
        text, size,
        "robot: {kind: motor_bench, motor: {preset: %s, torque_constant: data_sheet}, inertia: "
        "%.17g kg*m^2, loss: %s, supply: {voltage: %.17g V}}\n",
        motor->name, flywheel, loss, motor->sheet.voltage);
    return (motor->rotor_inertia + flywheel) * per;
}

// From rest for 40 time constants: the stall point at the start, the free point at the end.
static ib_Status run_free(ib_ClaimValue *found, ib_ClaimValue *rows, const ib__BenchMotor *motor,
                          int form, ib_Error *error)
{
    static const char *const signals[] = {IB_NAME_MOTOR("speed"), IB_NAME_MOTOR("current"),
                                          IB_NAME_MOTOR("torque"), NULL};
    char text[600];
    double tau = bench_text(motor, loss_names[form], text, sizeof text), values[6];
    double times[2] = {0, ib_time_to_seconds(ib_time_from_seconds(40 * tau))};
    size_t used = strlen(text);
    snprintf(text + used, sizeof text - used,
             "inputs: {command: 12 V}\nrun: {duration: %.9f s, step: 20 ms, solver: dopri5, "
             "tolerance: 1e-12}",
             times[1]);
    ib__ClaimRun run = {.scenario = text, .signals = signals, .times = times, .time_count = 2};
    run.values = values;
    ib_Status status = ib__claim_run(&run, error);
    if (status != IB_OK) return status;
    const ib_MotorConfig *sheet = &motor->sheet;
    const struct {
        int row;
        double got, wanted;
    } gaps[] = {
        {IB__WORST_STALL_CURRENT, values[1], sheet->stall_current},
        {IB__WORST_STALL_TORQUE, values[2], sheet->stall_torque},
        {IB__WORST_SPEED, values[3], sheet->free_speed},
        {IB__WORST_CURRENT, values[4], sheet->free_current},
    };
    for (int i = 0; i < IB_CLAIM_COUNT(gaps); i++) {
        double *worst = &found[gaps[i].row].form[form];
        *worst = ib_max(*worst, fabs(gaps[i].got / gaps[i].wanted - 1));
    }
    rows[IB__MOTOR_SPEED].form[form] = values[3] * rpm;
    rows[IB__MOTOR_CURRENT].form[form] = values[4];
    return IB_OK;
}

// A brake that rises to the stall torque within 200 time constants traces the curve.
static ib_Status run_dynamometer(ib__BenchMotor *motor, ib_Error *error)
{
    static const char *const signals[] = {IB_NAME_MOTOR("speed"),   IB_NAME_MOTOR("torque"),
                                          IB_NAME_MOTOR("current"), IB_NAME_POWER("mechanic"),
                                          IB_NAME_EFFICIENCY,       NULL};
    char text[800];
    double tau = bench_text(motor, "viscous", text, sizeof text), times[IB__CURVE_POINTS];
    double ramp = 200 * tau, values[IB__CURVE_POINTS][5];
    size_t used = strlen(text);
    snprintf(text + used, sizeof text - used,
             "start: {speed: %.17g rad/s}\ninputs: {hold: linear, command: 12 V, brake: [[0 s, 0 "
             "N*m], [%.9f s, %.17g N*m]]}\nrun: {duration: %.9f s, step: 100 ms, solver: dopri5, "
             "tolerance: 1e-9}",
             motor->sheet.free_speed, ramp, motor->sheet.stall_torque, ramp);
    for (int i = 0; i < IB__CURVE_POINTS; i++) times[i] = ramp * i / IB__CURVE_POINTS;
    ib__ClaimRun run = {.scenario = text, .signals = signals, .times = times};
    run.time_count = IB__CURVE_POINTS;
    run.values = values[0];
    ib_Status status = ib__claim_run(&run, error);
    for (int i = 0; i < IB__CURVE_POINTS; i++) {
        motor->speed[i] = values[i][0] * rpm;
        motor->torque[i] = values[i][1];
        motor->current[i] = values[i][2];
        motor->power[i] = values[i][3];
        motor->efficiency[i] = values[i][4];
    }
    return status;
}

// ------------------------------------------------------------------------------------------ curves

static double power_at(const ib_MotorModel *motor, double volts, double w)
{
    return w * ib_motor_torque(motor, ib_motor_current(motor, volts, w), w);
}

static double efficiency_at(const ib_MotorModel *motor, double volts, double w)
{
    double I = ib_motor_current(motor, volts, w);
    return w * ib_motor_torque(motor, I, w) / (volts * I);
}

// The place of a function's single maximum between 0 and `high`, by ternary search.
static double top(double (*f)(const ib_MotorModel *, double, double), const ib_MotorModel *motor,
                  double volts, double high)
{
    double low = 0;
    for (int i = 0; i < 120; i++) {
        double a = low + (high - low) / 3, b = high - (high - low) / 3;
        if (f(motor, volts, a) < f(motor, volts, b))
            low = a;
        else
            high = b;
    }
    return (low + high) / 2;
}

// Constants of a motor under one form of its loss, its greatest power and its best efficiency.
static void constants(ib_ClaimValue *rows, const ib__BenchMotor *motor, int form)
{
    ib_MotorModel model;
    double volts = motor->sheet.voltage;
    ib_motor_init(&motor->sheet, losses[form], &model);
    double end = ib_motor_free_speed(&model, volts);
    // Without loss the efficiency grows up to the free speed, at which it is 0/0.
    double power = top(power_at, &model, volts, end);
    double best = top(efficiency_at, &model, volts, end * (1 - 1e-9));
    rows[IB__MOTOR_R].form[form] = model.R;
    rows[IB__MOTOR_KT].form[form] = model.Kt;
    rows[IB__MOTOR_KE].form[form] = model.Ke;
    rows[IB__MOTOR_RATIO].form[form] = model.Kt / model.Ke;
    rows[IB__MOTOR_POWER].form[form] = power_at(&model, volts, power);
    rows[IB__MOTOR_POWER_SPEED].form[form] = power * rpm;
    rows[IB__MOTOR_BEST].form[form] = efficiency_at(&model, volts, best);
    rows[IB__MOTOR_BEST_SPEED].form[form] = best * rpm;
}

static double largest(const double *values, int count)
{
    double most = 0;
    for (int i = 0; i < count; i++) most = ib_max(most, values[i]);
    return most;
}

// With viscous loss everything is a straight line, and with x = w/wf:
//   P = Ts wf x (1 - x),  greatest Ts wf/4;   the efficiency is greatest at x = 1/(1 + sqrt(If/Is))
static void compare_curve(ib_ClaimValue *found, const ib__BenchMotor *motor)
{
    const ib_MotorConfig *m = &motor->sheet;
    double share = m->free_current / m->stall_current, x = 1 / (1 + sqrt(share));
    double full = m->stall_torque * m->free_speed, drawn = 1 - (1 - share) * x;
    double best = full * x * (1 - x) / (m->voltage * m->stall_current * drawn);
    double *power = &found[IB__WORST_POWER].form[IB__FORM_VISCOUS];
    double *efficiency = &found[IB__WORST_BEST].form[IB__FORM_VISCOUS];
    *power = ib_max(*power, fabs(largest(motor->power, IB__CURVE_POINTS) / (full / 4) - 1));
    *efficiency =
        ib_max(*efficiency, fabs(largest(motor->efficiency, IB__CURVE_POINTS) / best - 1));
}

// Every motor of the data file under every form of its loss: by formula, free, and on the brake.
static ib_Status all_motors(ib__MotorBook *book, ib_ClaimValue *found, ib_Error *error)
{
    ib_Status status = IB_OK;
    found[IB__MOTOR_COUNT].form[0] = book->count;
    for (int form = 0; form < IB_CLAIM_FORMS; form++) {
        for (int row = IB__WORST_SPEED; row <= IB__WORST_STALL_CURRENT; row++)
            found[row].form[form] = 0;
        found[IB__ABOVE_ONE].form[form] = 0;
    }
    found[IB__WORST_POWER].form[IB__FORM_VISCOUS] = found[IB__WORST_BEST].form[IB__FORM_VISCOUS] =
        0;
    for (int i = 0; i < book->count && status == IB_OK; i++) {
        ib__BenchMotor *motor = &book->motors[i];
        ib_ClaimValue *rows = found + IB__FIRST_MOTOR + i * IB__MOTOR_ROWS;
        for (int form = 0; form < IB_CLAIM_FORMS && status == IB_OK; form++) {
            constants(rows, motor, form);
            found[IB__ABOVE_ONE].form[form] += rows[IB__MOTOR_BEST].form[form] > 1;
            status = run_free(found, rows, motor, form, error);
        }
        if (status == IB_OK) status = run_dynamometer(motor, error);
        compare_curve(found, motor);
    }
    return status;
}

// --------------------------------------------------------------------------------------- RoboSim's

static const ib__BenchMotor *find_motor(const ib__MotorBook *book, const char *name)
{
    for (int i = 0; i < book->count; i++)
        if (strcmp(book->motors[i].name, name) == 0) return &book->motors[i];
    return NULL;
}

// The CIM of section 4.2, from the rows of all motors; the authors' code has another resistance.
static ib_Status cim(const ib__MotorBook *book, ib_ClaimValue *found, ib_Error *error)
{
    const ib__BenchMotor *motor = find_motor(book, "cim-robosim");
    if (!motor) return ib_error_set(error, IB_FAILED, "data/motors.yaml has no cim-robosim");
    const ib_ClaimValue *rows = found + IB__FIRST_MOTOR + (motor - book->motors) * IB__MOTOR_ROWS;
    ib_MotorModel viscous, coulomb;
    ib_motor_init(&motor->sheet, IB_LOSS_VISCOUS, &viscous);
    ib_motor_init(&motor->sheet, IB_LOSS_COULOMB, &coulomb);
    found[IB__CIM_R].form[0] = viscous.R;
    found[IB__CIM_KT].form[0] = viscous.Kt;
    found[IB__CIM_KE].form[0] = viscous.Ke;
    found[IB__CIM_KE_KT].form[0] = viscous.Ke / viscous.Kt;
    found[IB__CIM_VISCOUS].form[0] = viscous.viscous;
    found[IB__CIM_COULOMB].form[0] = coulomb.coulomb;
    found[IB__CIM_SPEED] = rows[IB__MOTOR_SPEED];
    found[IB__CIM_CURRENT] = rows[IB__MOTOR_CURRENT];
    found[IB__CIM_SPEED_PUBLISHED].form[0] = rows[IB__MOTOR_SPEED].form[IB__FORM_NONE];
    found[IB__CIM_CURRENT_PUBLISHED].form[0] = rows[IB__MOTOR_CURRENT].form[IB__FORM_NONE];
    found[IB__CODE_CURRENT].form[0] = 12 / 0.3; // R = 0.3 ohm
    found[IB__CODE_TORQUE].form[0] = viscous.Kt * 12 / 0.3;
    return IB_OK;
}

// (4.2e) on the bench, the shaft held by a heavy flywheel: I - V/R is multiplied by 1 - Ts R/L in
// every step.
static ib_Status explicit_steps(ib_ClaimValue *found, ib_Error *error)
{
    static const char text[] =
        "robot: {kind: motor_bench, motor: cim-robosim, inertia: 1e6 kg*m^2, current: explicit, "
        "inductance: 59 uH}\n"
        "inputs: {command: 12 V}\nrun: {duration: 50 ms, step: 50 ms, solver: euler}";
    static const char *const signals[] = {IB_NAME_MOTOR("current"), NULL};
    const double times[] = {0, 0.05}, Ts = 0.05, R = found[IB__CIM_R].form[0], L = 59e-6;
    double values[2];
    ib__ClaimRun run = {.scenario = text, .signals = signals, .times = times, .time_count = 2};
    run.values = values;
    ib_Status status = ib__claim_run(&run, error);
    double settled = 12 / R, factor = (values[1] - settled) / (values[0] - settled);
    found[IB__AMPLIFICATION].form[0] = factor;
    found[IB__AMPLIFICATION_CLOSED].form[0] = 1 - Ts * R / L;
    found[IB__LIMIT_STEP].form[0] = 2 * Ts / (1 - factor);
    found[IB__LEAST_INDUCTANCE].form[0] = Ts * R / 2;
    return status;
}

// Closed forms at 0.1 s of the spin-up with J = 1.1e-3 kg m^2: docs/robot/motor_bench.md
static void spin_closed(ib_ClaimValue *found)
{
    double R = found[IB__CIM_R].form[0], Kt = found[IB__CIM_KT].form[0],
           Ke = found[IB__CIM_KE].form[0];
    double b = found[IB__CIM_VISCOUS].form[0], J = 1.1e-3, L = 59e-6, t = 0.1;
    double wf = 5310 / rpm, tau = J * R / (Kt * Ke + R * b);
    double p = R / L + b / J, q = (R * b + Kt * Ke) / (L * J);
    double s2 = -(p + sqrt(p * p - 4 * q)) / 2, s1 = q / s2, A = wf / (s1 - s2);
    double e1 = ib_exp(s1 * t), e2 = ib_exp(s2 * t), w = wf + A * (s2 * e1 - s1 * e2);
    found[IB__SPIN_IDEAL_CLOSED].form[0] = wf * (1 - ib_exp(-t / tau));
    found[IB__SPIN_INDUCTIVE_CLOSED].form[0] = w;
    found[IB__SPIN_CURRENT_CLOSED].form[0] = (J * A * s1 * s2 * (e1 - e2) + b * w) / Kt;
}

// Section 4.1's story, with points close together at the beginning.
static ib_Status spin_up(ib__MotorBook *book, ib_ClaimValue *found, ib_Error *error)
{
    static const char text[] =
        "robot: {kind: motor_bench, motor: cim-robosim, inertia: 7.42e-4 kg*m^2, inductance: 59 "
        "uH}\ninputs: {command: 12 V}\nrun: {duration: 1.2 s, step: 50 us}";
    static const char *const signals[] = {IB_NAME_MOTOR("speed"), IB_NAME_MOTOR("current"), NULL};
    ib__SpinUp *spin = &book->spin;
    double values[2 * IB__SPIN_POINTS];
    ib_Status status = IB_OK;
    int tenth = 0;
    for (int i = 0; i < IB__SPIN_POINTS; i++) {
        spin->time[i] = i <= 120 ? i * 1e-4 : 0.012 + (i - 120) * 4e-3;
        if (fabs(spin->time[i] - 0.1) < 1e-9) tenth = i;
    }
    for (int i = 0; i < 2 && status == IB_OK; i++) {
        const ib_Override with = {"robot.current", i ? "implicit" : "quasi_static"};
        ib__ClaimRun run = {.scenario = text, .overrides = &with, .override_count = 1};
        run.signals = signals, run.times = spin->time, run.time_count = IB__SPIN_POINTS;
        run.values = values;
        status = ib__claim_run(&run, error);
        for (int k = 0; k < IB__SPIN_POINTS; k++) {
            spin->speed[i][k] = values[2 * k];
            spin->current[i][k] = values[2 * k + 1];
        }
    }
    found[IB__SPIN_IDEAL].form[0] = spin->speed[0][tenth];
    found[IB__SPIN_INDUCTIVE].form[0] = spin->speed[1][tenth];
    found[IB__SPIN_CURRENT].form[0] = spin->current[1][tenth];
    found[IB__SPIN_SHARE].form[0] = spin->speed[1][tenth] / spin->speed[0][tenth];
    double most = 0;
    for (int k = 0; k < IB__SPIN_POINTS; k++) most = ib_max(most, spin->current[1][k]);
    found[IB__SPIN_FIRST].form[0] = spin->current[1][1] / most;
    found[IB__SPIN_LAST].form[0] = spin->current[1][IB__SPIN_POINTS - 1] / most;
    spin_closed(found);
    return status;
}

ib_Status ib__motor_claims_compute(ib_Findings *findings, ib_Error *error)
{
    ib_ClaimValue *found = findings->values;
    ib__MotorBook *book = ib_arena_alloc(&findings->arena, sizeof *book);
    if (!book) return ib_error_set(error, IB_FAILED, "out of memory");
    findings->details = book;
    ib_Status status = read_motors(book, &findings->arena, error);
    if (status == IB_OK) status = all_motors(book, found, error);
    if (status == IB_OK) status = cim(book, found, error);
    if (status == IB_OK) status = explicit_steps(found, error);
    if (status == IB_OK) status = spin_up(book, found, error);
    return status;
}
