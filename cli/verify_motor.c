// cli/verify_motor.c: the data sheets of data/motors.yaml,
// and what RoboSim's section 4 makes of one.
#include "verify_motor.h"

#include <math.h>
#include <string.h>

static const char sheet_text[] = "data/motors.yaml";

// ----------------------------------------------------------------------------------- RoboSim's CIM

static const Claim constants[] = {
    CLAIM("winding R", "4.2; reference B3", "ohm", NEAR(0.091444596005, 5e-13, 0), CIM_R, HOLDS,
          "12 V/131.227 A."),
    CLAIM("torque constant Kt", "4.2b; reference B3", "N*m/A", NEAR(0.018509910308, 5e-13, 0),
          CIM_KT, HOLDS, ""),
    CLAIM("speed constant Ke (Ki)", "4.2d; reference B3", "V*s/rad", NEAR(0.021136315215, 5e-13, 0),
          CIM_KE, HOLDS, ""),
    CLAIM("viscous loss b", "reference B3", "N*m*s", NEAR(8.9876249137e-05, 5e-15, 0), CIM_VISCOUS,
          HOLDS, "Kt If/wf."),
    CLAIM("Coulomb loss T0", "reference B3", "N*m", NEAR(0.049976757832, 5e-13, 0), CIM_COULOMB,
          HOLDS, "Kt If."),
    CLAIM("Ke/Kt", "reference B3", "1", NEAR(1.1418918224, 5e-11, 0), CIM_KE_KT, HOLDS, ""),
    CLAIM("Ke is Kt, as in an ideal machine", "4.2", "1", NEAR(1.0, 0.005, 0.05), CIM_KE_KT, FALSE,
          "12.4 % of the converted power is unaccounted for; the energy book carries it as "
          "conversion."),
};

static const Claim published[] = {
    CLAIM("free speed, loss torque from the free current", "4.2; data sheet", "rpm",
          NEAR(5310, 1e-6, 53.1), CIM_SPEED, HOLDS, "On the bench, after 40 time constants."),
    CLAIM("free current, loss torque from the free current", "4.2; data sheet", "A",
          NEAR(2.7, 1e-9, 0.027), CIM_CURRENT, HOLDS, ""),
    CLAIM("free speed by the published equations", "4.2c, d", "rpm", NEAR(5310, 0.5, 53.1),
          CIM_SPEED_PUBLISHED, FALSE,
          "At a constant speed the torque is 0, hence I = 0 and the speed is V/Ki."),
    CLAIM("free speed by the published equations, as it should come out", "reference B1", "rpm",
          NEAR(5421.55, 0.005, 0), CIM_SPEED_PUBLISHED, HOLDS, ""),
    CLAIM("free current by the published equations", "4.2c, d", "A", NEAR(2.7, 0.05, 0.135),
          CIM_CURRENT_PUBLISHED, FALSE, "No loss torque, no current."),
    CLAIM("stall current of the authors' code, R = 0.3 ohm", "R_m (code)", "A",
          NEAR(131.227, 0.0005, 6.56), CODE_CURRENT, FALSE, "12 V/0.3 ohm = 40 A."),
    CLAIM("stall torque of the authors' code", "R_m (code)", "N*m", NEAR(2.429, 0.0005, 0.12),
          CODE_TORQUE, FALSE, "0.7404 N m: 30 % of the real motor."),
    CLAIM("(4.2e) is stable at 50 ms: its amplification is within 1", "4.2e", "1",
          NEAR(0.0, 1.0, 1.0), AMPLIFICATION, FALSE,
          "Measured on the bench: forward Euler, one step, shaft held. L = 59 uH."),
    CLAIM("amplification of (4.2e) at 50 ms, 1 - Ts R/L", "reference B4", "1",
          NEAR(-76.495, 5e-4, 0), AMPLIFICATION, HOLDS, ""),
    CLAIM("the same by its formula", "reference B4", "1", EQUATION(0, AMPLIFICATION_CLOSED, 1e-9),
          AMPLIFICATION, HOLDS, ""),
    CLAIM("50 ms is a stable step: the longest, 2 L/R", "4.2e", "s", NEAR(0.05, 0.0005, 0.0025),
          LIMIT_STEP, FALSE, ""),
    CLAIM("longest stable step of (4.2e)", "reference B4", "s", NEAR(1.2903988e-3, 5e-11, 0),
          LIMIT_STEP, HOLDS, ""),
    CLAIM("least inductance that is stable at 50 ms", "reference B4", "H", NEAR(2.286e-3, 5e-7, 0),
          LEAST_INDUCTANCE, HOLDS, "A CIM has some 59 uH; the authors' code has 20 mH."),
};

static const Claim spin[] = {
    CLAIM("speed at 0.1 s, no inductance: one exponential", "4.1; docs/motor_bench.md", "rad/s",
          EQUATION(0, SPIN_IDEAL_CLOSED, 1e-8), SPIN_IDEAL, HOLDS,
          "wf (1 - e^(-t/tau)), tau = 252 ms."),
    CLAIM("speed at 0.1 s with inductance: two exponentials", "4.1; docs/motor_bench.md", "rad/s",
          EQUATION(0, SPIN_INDUCTIVE_CLOSED, 1e-6), SPIN_INDUCTIVE, HOLDS, "251 ms and 0.647 ms."),
    CLAIM("current at 0.1 s with inductance", "4.1; docs/motor_bench.md", "A",
          EQUATION(0, SPIN_CURRENT_CLOSED, 1e-6), SPIN_CURRENT, HOLDS, ""),
    CLAIM("inductance hardly matters: speed at 0.1 s with over without", "4.1", "1",
          NEAR(1.0, 0.01, 0.05), SPIN_SHARE, HOLDS, ""),
};

// -------------------------------------------------------------------------------------- all motors

static const Claim sheets[] = {
    CLAIM("free speed of every motor on the bench: largest relative difference", sheet_text, "1",
          NEAR(0.0, 1e-9, 0.01), WORST_SPEED, HOLDS,
          "Either loss makes the data sheet's free point exact; without loss a motor runs too "
          "fast."),
    CLAIM("free current: largest relative difference", sheet_text, "1", NEAR(0.0, 1e-8, 0.01),
          WORST_CURRENT, HOLDS, "Without loss there is none: 100 % off."),
    CLAIM("stall torque: largest relative difference", sheet_text, "1", NEAR(0.0, 1e-12, 0.01),
          WORST_STALL_TORQUE, HOLDS, ""),
    CLAIM("stall current: largest relative difference", sheet_text, "1", NEAR(0.0, 1e-12, 0.01),
          WORST_STALL_CURRENT, HOLDS, ""),
    CLAIM("greatest power on the dynamometer against Ts wf/4: largest relative difference",
          "docs/plant/motor.md", "1", NEAR(0.0, 1e-4, 0.01), WORST_POWER, HOLDS,
          "201 points of the curve."),
    CLAIM("best efficiency on the dynamometer against its closed form: largest relative difference",
          "docs/plant/motor.md", "1", NEAR(0.0, 1e-3, 0.01), WORST_BEST, HOLDS, ""),
    CLAIM("no motor is more than 100 % efficient: how many are", "conservation of energy", "1",
          NEAR(0.0, 0.0, 0.0), ABOVE_ONE, HOLDS,
          "With a loss torque none is. Without one, every data sheet with Kt > Ke is."),
};

// One claim for each motor, made after the data file has been read: Kt/Ke at most 1. A data sheet
// that breaks it is expected to where its entry says so ("Kt is 1.25 Ke").
static Claim ratios[MAX_MOTORS];

static const char *const ratio_note =
    "Kt > Ke: more than 100 % efficient without loss. Its entry in the data file says so.";

static ClaimGroup groups[] = {
    {"The CIM of RoboSim 4.2: constants", "reference", constants, COUNT(constants)},
    {"The CIM of RoboSim 4.2: what the document says", "document", published, COUNT(published)},
    {"Section 4.1: the spin-up with and without inductance", "expected", spin, COUNT(spin)},
    {"Every motor of data/motors.yaml", "expected", sheets, COUNT(sheets)},
    {"Kt over Ke: an ideal machine has 1, a real one less", "at most", ratios, 0},
};

static ib_Status compute(Found *found, ib_Error *error)
{
    ib_Status status = motor_compute(found, error);
    const MotorBook *book = motor_book();
    for (int i = 0; i < book->count; i++) {
        const BenchMotor *motor = &book->motors[i];
        bool known = strstr(motor->sure, "Kt is 1.") != NULL;
        ratios[i] = (Claim){.claim = motor->name,
                            .where = motor->source,
                            .unit = "1",
                            .rule = {1, 1, 0, 0, 0, 0},
                            .row = FIRST_MOTOR + i * MOTOR_ROWS + MOTOR_RATIO,
                            .expected = known ? VERDICT_FALSE : VERDICT_HOLDS,
                            .note = known ? ratio_note : ""};
    }
    groups[COUNT(groups) - 1].count = book->count;
    return status;
}

// ------------------------------------------------------------------------------------------- table

static const char *const headings[] = {
    "motor",    "#R mohm", "#Kt",  "#Ke",      "#Kt/Ke",   "#rpm",  "#viscous",
    "#coulomb", "#none",   "#A",   "#viscous", "#coulomb", "#none", "#max W",
    "#rpm",     "#best %", "#rpm", "remark",   NULL,
};

static bool cell(const Found *found, int row, int column, char *text, size_t size)
{
    const MotorBook *book = motor_book();
    if (row >= book->count) return false;
    const BenchMotor *motor = &book->motors[row];
    const Found *rows = found + FIRST_MOTOR + row * MOTOR_ROWS;
    const double *speed = rows[MOTOR_SPEED].form, *current = rows[MOTOR_CURRENT].form;
    const double values[] = {
        NAN,
        rows[MOTOR_R].form[0] * 1e3,
        rows[MOTOR_KT].form[0],
        rows[MOTOR_KE].form[0],
        rows[MOTOR_RATIO].form[0],
        motor->sheet.free_speed * 9.549296585513721,
        speed[LOSS_VISCOUS],
        speed[LOSS_COULOMB],
        speed[LOSS_NONE],
        motor->sheet.free_current,
        current[LOSS_VISCOUS],
        current[LOSS_COULOMB],
        fabs(current[LOSS_NONE]) < 1e-6 ? 0 : current[LOSS_NONE],
        rows[MOTOR_POWER].form[LOSS_VISCOUS],
        rows[MOTOR_POWER_SPEED].form[LOSS_VISCOUS],
        rows[MOTOR_BEST].form[LOSS_VISCOUS] * 100,
        rows[MOTOR_BEST_SPEED].form[LOSS_VISCOUS],
    };
    bool over = rows[MOTOR_RATIO].form[0] > 1;
    if (column == 0)
        snprintf(text, size, "%s", motor->name);
    else if (column < COUNT(values))
        snprintf(text, size, "%.*g", column < 5 ? 4 : 6, values[column]);
    else
        snprintf(text, size, "%s", over ? "Kt > Ke: over 100 % without loss" : "");
    return true;
}

static const SideTable table = {
    "Every motor of data/motors.yaml at its own voltage: constants, free speed and current of the "
    "data sheet\nand on the bench with each loss, greatest power and best efficiency with viscous "
    "loss",
    headings,
    cell,
};

const Document motor_document = {
    .name = "motor",
    .title = "Motors: every data sheet on the bench, and section 4 of RoboSim",
    .forms = {[LOSS_VISCOUS] = "viscous", [LOSS_COULOMB] = "coulomb", [LOSS_NONE] = "none"},
    .remark = "The columns are the loss torques that the free current may stand for (viscous is "
              "the default, none is as published). Where a value does not depend on the loss, it "
              "stands in the first one. Derivations: docs/plant/motor.md, docs/motor_bench.md",
    .groups = groups,
    .group_count = COUNT(groups),
    .row_count = ALL_ROWS,
    .compute = compute,
    .table = &table,
    .figures = motor_figures,
};
