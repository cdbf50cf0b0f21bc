// claims/robosim/motor.c: the claims about data sheets of data/motors.yaml, and about the motor of
// RoboSim's section 4.
#include "claims/robosim/motor.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char sheet_text[] = "data/motors.yaml";

// ----------------------------------------------------------------------------------- RoboSim's CIM

static const ib_Claim constants[] = {
    IB_CLAIM("winding R", "4.2; reference B3", "ohm", IB_NEAR(0.091444596005, 5e-13, 0), IB__CIM_R,
             HOLDS, "12 V/131.227 A."),
    IB_CLAIM("torque constant Kt", "4.2b; reference B3", "N*m/A", IB_NEAR(0.018509910308, 5e-13, 0),
             IB__CIM_KT, HOLDS, ""),
    IB_CLAIM("speed constant Ke (Ki)", "4.2d; reference B3", "V*s/rad",
             IB_NEAR(0.021136315215, 5e-13, 0), IB__CIM_KE, HOLDS, ""),
    IB_CLAIM("viscous loss b", "reference B3", "N*m*s", IB_NEAR(8.9876249137e-05, 5e-15, 0),
             IB__CIM_VISCOUS, HOLDS, "Kt If/wf."),
    IB_CLAIM("Coulomb loss T0", "reference B3", "N*m", IB_NEAR(0.049976757832, 5e-13, 0),
             IB__CIM_COULOMB, HOLDS, "Kt If."),
    IB_CLAIM("Ke/Kt", "reference B3", "1", IB_NEAR(1.1418918224, 5e-11, 0), IB__CIM_KE_KT, HOLDS,
             ""),
    IB_CLAIM("Ke is Kt, as in an ideal machine", "4.2", "1", IB_NEAR(1.0, 0.005, 0.05),
             IB__CIM_KE_KT, FALSE,
             "12.4 % of the converted power is unaccounted for; the energy balance carries it as "
             "conversion."),
};

static const ib_Claim published[] = {
    IB_CLAIM("free speed, loss torque from the free current", "4.2; data sheet", "rpm",
             IB_NEAR(5310, 1e-6, 53.1), IB__CIM_SPEED, HOLDS,
             "On the bench, after 40 time constants."),
    IB_CLAIM("free current, loss torque from the free current", "4.2; data sheet", "A",
             IB_NEAR(2.7, 1e-9, 0.027), IB__CIM_CURRENT, HOLDS, ""),
    IB_CLAIM("free speed by the published equations", "4.2c, d", "rpm", IB_NEAR(5310, 0.5, 53.1),
             IB__CIM_SPEED_PUBLISHED, FALSE,
             "At a constant speed the torque is 0, hence I = 0 and the speed is V/Ki."),
    IB_CLAIM("free speed by the published equations, as it should come out", "reference B1", "rpm",
             IB_NEAR(5421.55, 0.005, 0), IB__CIM_SPEED_PUBLISHED, HOLDS, ""),
    IB_CLAIM("free current by the published equations", "4.2c, d", "A", IB_NEAR(2.7, 0.05, 0.135),
             IB__CIM_CURRENT_PUBLISHED, FALSE, "No loss torque, no current."),
    IB_CLAIM("stall current of the authors' code, R = 0.3 ohm", "R_m (code)", "A",
             IB_NEAR(131.227, 0.0005, 6.56), IB__CODE_CURRENT, FALSE, "12 V/0.3 ohm = 40 A."),
    IB_CLAIM("stall torque of the authors' code", "R_m (code)", "N*m", IB_NEAR(2.429, 0.0005, 0.12),
             IB__CODE_TORQUE, FALSE, "0.7404 N m: 30 % of the real motor."),
    IB_CLAIM("(4.2e) is stable at 50 ms: its amplification is within 1", "4.2e", "1",
             IB_NEAR(0.0, 1.0, 1.0), IB__AMPLIFICATION, FALSE,
             "Measured on the bench: forward Euler, one step, shaft held. L = 59 uH."),
    IB_CLAIM("amplification of (4.2e) at 50 ms, 1 - Ts R/L", "reference B4", "1",
             IB_NEAR(-76.495, 5e-4, 0), IB__AMPLIFICATION, HOLDS, ""),
    IB_CLAIM("the same by its formula", "reference B4", "1",
             IB_EQUATION(0, IB__AMPLIFICATION_CLOSED, 1e-9), IB__AMPLIFICATION, HOLDS, ""),
    IB_CLAIM("50 ms is a stable step: the longest, 2 L/R", "4.2e", "s",
             IB_NEAR(0.05, 0.0005, 0.0025), IB__LIMIT_STEP, FALSE, ""),
    IB_CLAIM("longest stable step of (4.2e)", "reference B4", "s", IB_NEAR(1.2903988e-3, 5e-11, 0),
             IB__LIMIT_STEP, HOLDS, ""),
    IB_CLAIM("least inductance that is stable at 50 ms", "reference B4", "H",
             IB_NEAR(2.286e-3, 5e-7, 0), IB__LEAST_INDUCTANCE, HOLDS,
             "A CIM has some 59 uH; the authors' code has 20 mH."),
};

static const ib_Claim spin[] = {
    IB_CLAIM("speed at 0.1 s, no inductance: one exponential", "4.1; docs/robot/motor_bench.md",
             "rad/s", IB_EQUATION(0, IB__SPIN_IDEAL_CLOSED, 1e-8), IB__SPIN_IDEAL, HOLDS,
             "wf (1 - e^(-t/tau)), tau = 252 ms."),
    IB_CLAIM("speed at 0.1 s with inductance: two exponentials", "4.1; docs/robot/motor_bench.md",
             "rad/s", IB_EQUATION(0, IB__SPIN_INDUCTIVE_CLOSED, 1e-6), IB__SPIN_INDUCTIVE, HOLDS,
             "251 ms and 0.647 ms."),
    IB_CLAIM("current at 0.1 s with inductance", "4.1; docs/robot/motor_bench.md", "A",
             IB_EQUATION(0, IB__SPIN_CURRENT_CLOSED, 1e-6), IB__SPIN_CURRENT, HOLDS, ""),
    IB_CLAIM("inductance hardly matters: speed at 0.1 s with over without", "4.1", "1",
             IB_NEAR(1.0, 0.01, 0.05), IB__SPIN_SHARE, HOLDS, ""),
    IB_CLAIM("'little current flows at first due to the inductance': after 0.1 ms, over the most",
             "4.1", "1", IB_AT_MOST(0.2), IB__SPIN_FIRST, HOLDS, "L/R is 0.65 ms."),
    IB_CLAIM("'soon it is the back EMF' that limits the current: after 0.492 s, over the most",
             "4.1", "1", IB_AT_MOST(0.2), IB__SPIN_LAST, HOLDS,
             "The rest is the free current and the end of the spin-up."),
};

// -------------------------------------------------------------------------------------- all motors

static const ib_Claim sheets[] = {
    IB_CLAIM("free speed of every motor on the bench: largest relative difference", sheet_text, "1",
             IB_NEAR(0.0, 1e-9, 0.01), IB__WORST_SPEED, HOLDS,
             "Either loss makes the data sheet's free point exact; without loss a motor runs too "
             "fast."),
    IB_CLAIM("free current: largest relative difference", sheet_text, "1", IB_NEAR(0.0, 1e-8, 0.01),
             IB__WORST_CURRENT, HOLDS, "Without loss there is none: 100 % off."),
    IB_CLAIM("stall torque: largest relative difference", sheet_text, "1",
             IB_NEAR(0.0, 1e-12, 0.01), IB__WORST_STALL_TORQUE, HOLDS, ""),
    IB_CLAIM("stall current: largest relative difference", sheet_text, "1",
             IB_NEAR(0.0, 1e-12, 0.01), IB__WORST_STALL_CURRENT, HOLDS, ""),
    IB_CLAIM("greatest power on the dynamometer against Ts wf/4: largest relative difference",
             "docs/plant/motor.md", "1", IB_NEAR(0.0, 1e-4, 0.01), IB__WORST_POWER, HOLDS,
             "201 points of the curve."),
    IB_CLAIM(
        "best efficiency on the dynamometer against its closed form: largest relative difference",
        "docs/plant/motor.md", "1", IB_NEAR(0.0, 1e-3, 0.01), IB__WORST_BEST, HOLDS, ""),
    IB_CLAIM("no motor is more than 100 % efficient: how many are", "conservation of energy", "1",
             IB_NEAR(0.0, 0.0, 0.0), IB__ABOVE_ONE, HOLDS,
             "With a loss torque none is. Without one, every data sheet with Kt > Ke is."),
};

static const ib_ClaimGroup groups[] = {
    IB_CLAIM_GROUP("The CIM of RoboSim 4.2: constants", "reference", constants),
    IB_CLAIM_GROUP("The CIM of RoboSim 4.2: the document's numbers", "document", published),
    IB_CLAIM_GROUP("Section 4.1: the spin-up with and without inductance", "expected", spin),
    IB_CLAIM_GROUP("Every motor of data/motors.yaml", "expected", sheets),
};

// One claim for each motor, made after the data file has been read: Kt/Ke at most 1. A violation is
// expected if the entry of the data sheet states it ("Kt is 1.25 Ke").
static ib_Status add_ratios(ib_Findings *findings, ib_Error *error)
{
    static const char note[] =
        "Kt > Ke: more than 100 % efficient without loss. Its entry in the data file says so; a "
        "robot takes Ke for its Kt.";
    const ib__MotorBook *book = findings->details;
    ib_Claim *ratios = ib_arena_array(&findings->arena, (size_t)book->count, sizeof *ratios);
    if (!ratios) return ib_error_set(error, IB_FAILED, "out of memory");
    for (int i = 0; i < book->count; i++) {
        const ib__BenchMotor *motor = &book->motors[i];
        bool known = strstr(motor->sure, "Kt is 1.") != NULL;
        ratios[i] = (ib_Claim){.claim = motor->name,
                               .where = motor->source,
                               .unit = "1",
                               .rule = {1, 1, 0, 0, 0, 0},
                               .row = IB__FIRST_MOTOR + i * IB__MOTOR_ROWS + IB__MOTOR_RATIO,
                               .expected = known ? IB_VERDICT_FALSE : IB_VERDICT_HOLDS,
                               .note = known ? note : ""};
    }
    findings->groups[findings->group_count++] = (ib_ClaimGroup){
        "Kt over Ke: an ideal machine has 1, a real one less", "at most", ratios, book->count};
    return IB_OK;
}

static ib_Status compute(ib_Findings *findings, ib_Error *error)
{
    ib_Status status = ib__motor_claims_compute(findings, error);
    return status == IB_OK ? add_ratios(findings, error) : status;
}

// ------------------------------------------------------------------------------------------- table

static const char *const headings[] = {
    "motor",    "#R mohm", "#Kt",  "#Ke",      "#Kt/Ke",   "#rpm",  "#viscous",
    "#coulomb", "#none",   "#A",   "#viscous", "#coulomb", "#none", "#max W",
    "#rpm",     "#best %", "#rpm", "remark",   NULL,
};

// A row of the table is a motor: its constants, then data sheet and bench side by side.
static bool cell(const ib_Findings *findings, int row, int column, char *text, size_t size)
{
    const ib__MotorBook *book = findings->details;
    if (row >= book->count) return false;
    const ib__BenchMotor *motor = &book->motors[row];
    const ib_ClaimValue *rows = findings->values + IB__FIRST_MOTOR + row * IB__MOTOR_ROWS;
    const double *speed = rows[IB__MOTOR_SPEED].form, *current = rows[IB__MOTOR_CURRENT].form;
    const double values[] = {
        NAN,
        rows[IB__MOTOR_R].form[0] * 1e3,
        rows[IB__MOTOR_KT].form[0],
        rows[IB__MOTOR_KE].form[0],
        rows[IB__MOTOR_RATIO].form[0],
        motor->sheet.free_speed * 9.549296585513721,
        speed[IB__FORM_VISCOUS],
        speed[IB__FORM_COULOMB],
        speed[IB__FORM_NONE],
        motor->sheet.free_current,
        current[IB__FORM_VISCOUS],
        current[IB__FORM_COULOMB],
        fabs(current[IB__FORM_NONE]) < 1e-6 ? 0 : current[IB__FORM_NONE],
        rows[IB__MOTOR_POWER].form[IB__FORM_VISCOUS],
        rows[IB__MOTOR_POWER_SPEED].form[IB__FORM_VISCOUS],
        rows[IB__MOTOR_BEST].form[IB__FORM_VISCOUS] * 100,
        rows[IB__MOTOR_BEST_SPEED].form[IB__FORM_VISCOUS],
    };
    bool over = rows[IB__MOTOR_RATIO].form[0] > 1;
    if (column == 0)
        snprintf(text, size, "%s", motor->name);
    else if (column < IB_CLAIM_COUNT(values))
        snprintf(text, size, "%.*g", column < 5 ? 4 : 6, values[column]);
    else
        snprintf(text, size, "%s", over ? "Kt > Ke: over 100 % without loss" : "");
    return true;
}

static const ib_ClaimTable table = {
    "Every motor of data/motors.yaml at its own voltage: constants, free speed and current of the "
    "data sheet\nand on the bench with each loss, greatest power and best efficiency with viscous "
    "loss",
    headings,
    cell,
};

const ib_ClaimDocument ib_motor_claims = {
    .name = "motor",
    .title = "Motors: every data sheet on the bench, and section 4 of RoboSim",
    .forms =
        {[IB__FORM_VISCOUS] = "viscous", [IB__FORM_COULOMB] = "coulomb", [IB__FORM_NONE] = "none"},
    .remark =
        "The columns are the loss torques that the free current may stand for (viscous is "
        "the default, none is as published). Where a value does not depend on the loss, it "
        "stands in the first one. Derivations: docs/plant/motor.md, docs/robot/motor_bench.md",
    .errata = ib_motor_bench_errata,
    .groups = groups,
    .group_count = IB_CLAIM_COUNT(groups),
    .row_count = IB__ALL_ROWS,
    .compute = compute,
    .tables = (const ib_ClaimTable *const[]){&table, NULL},
    .figures = ib__motor_claims_figures,
};
