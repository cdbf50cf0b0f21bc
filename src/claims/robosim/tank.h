// claims/robosim/tank.h: the computed values for the claims of RoboSim. Its
// mistakes: docs/reference/errata.md#tank
#ifndef IB_CLAIMS_ROBOSIM_TANK_H
#define IB_CLAIMS_ROBOSIM_TANK_H

#include "claims/document.h"
#include "robot/tank/tank.h"

enum { IB__CORRECTED, IB__PUBLISHED, IB__REFERENCE }; ///< the forms

enum { IB__REFERENCE_TABLES = 9, IB__REFERENCE_TIMES = 5, IB__FILL_LEVELS = 14 };

// The computed values, a row each. [IB__REFERENCE] is a solution from outside of the program.
enum {
    // Drive.
    IB__TERMINAL = IB_NO_ROW + 1, ///< speed [m/s]
    IB__STALL_FORCE,              ///< without sag [N]
    IB__STALL_SHARE,              ///< published over corrected
    IB__STALL_REDUCTION,          ///< published, R read as the reduction [N]
    IB__SAG_FORCE,                ///< at the first instant, with sag
    IB__SAG_CURRENT,              ///< of a motor
    IB__SAG_DRAW,
    IB__SAG_VOLTAGE,
    IB__POWER_RATIO, ///< out of the motors into the robot
    IB__SPIN_RATE,
    IB__ARC_END,    ///< 12 V/6 V: end of the run [s]
    IB__ARC_RATE,   ///< after 1 s
    IB__ARC_RADIUS, ///< after 5 s
    // Battery.
    IB__TURN_DRAW, ///< turn in place after 0.1 s
    IB__TURN_VOLTAGE,
    IB__TURN_ERROR, ///< of the energy balance after 1 s [J]
    IB__TURN_FREE,  ///< energy that the motors get from nowhere in 1 s [J]
    IB__ARC_ENERGY, ///< from the battery's terminals in 5 s [J]
    IB__ARC_ERROR,
    IB__CAPACITY,      ///< time at 17 A [h]
    IB__CAPACITY_HOUR, ///< time at a lead-acid battery's one-hour current [h]
    // Air.
    IB__FILL,        ///< empty to 115 psig [s]
    IB__RECOVERY,    ///< 95 to 115 psig [s]
    IB__COMPRESSION, ///< isothermal power at 100 psig [W]
    IB__TANK_VOLUME, ///< of one tank of the default system [L]
    IB__FILL_TANKS,  ///< to 115 psig with its tanks; published: with tanks of half a litre
    IB__FIRST_MOLES, ///< at one atmosphere [mol]
    IB__GAS_CONSTANT,
    IB__GAS_SHARE,        ///< moles by 7.2 with its r over those by 3.4
    IB__PRESSURE_MOLES,   ///< pressure over moles after 30 s of filling, over that before
    IB__PRESSURE_CURRENT, ///< compressor's current at 120 psig less that at 90 psig
    IB__CAPACITY_AMPERE,  ///< time at 1 A [h]
    // Electricity.
    IB__DROP_RESISTANCE, ///< voltage drop at twice the resistance over that at once
    IB__DROP_CURRENT,    ///< … at twice the current
    IB__TERMINAL_POWER,  ///< energy from the terminals in 1 s over v i t
    IB__COUNTED,         ///< charge of 100 A in 1 s [A h]
    IB__DUTY,            ///< motor's voltage over the battery's at a command of 6 V
    IB__TRIPPED,         ///< battery's voltage after the breaker has tripped
    IB__INTERPOLATED,    ///< command half way between 0 V and 12 V
    IB__ELECTRONS,       ///< of one ampere in a second
    IB__DONUTS,          ///< energy of a mole of them [J]
    IB__EARTH,           ///< energy of the Earth's rotation [J]
    IB__DONUTS_LEFT,     ///< share
    // The primer.
    IB__ATAN_TABLE, ///< largest difference of the printed table from atan2(y, x) [rad]
    IB__ATAN_LEAST, ///< least value [rad]
    IB__ATAN_ORDER, ///< direction of +x [rad]
    IB__ATAN_HALF,  ///< of a half turn, as a number
    IB__STICK,      ///< speed after 1 s of a push of 0.9 mu F_N
    IB__SLIDE,      ///< force of sliding friction over mu F_N
    IB__ROTATION,   ///< T/(I alpha)
    IB__EXTENDED,   ///< inertia with an arm a foot out, over that with the arm in
    IB__DIFFERENCE, ///< error of the backward difference of a way at 5 ms over that at 50 ms
    IB__STEP_SHARE, ///< way after 0.5 s at 50 ms over the exact one
    // The body.
    IB__SIDE_RATIO, ///< side force at 2 m/s over that at 1 m/s
    IB__OMNI,       ///< side force of omni wheels over that of traction wheels
    IB__ARC_TURN,   ///< arc 12 V/6 V: heading after 5 s
    IB__PLATE,      ///< moment of inertia; published: (10.4d)
    IB__BODY_AX,    ///< published: (10.4a) with the program's force
    IB__BODY_AY,
    IB__BODY_ALPHA,
    IB__ROTORS,   ///< kinetic energy with rotors over M v^2/2
    IB__DRAWN,    ///< rate of a turn in place; published: as Figure 12 draws the robot
    IB__HEAD_ON,  ///< velocity after over that before a wall
    IB__CORNER,   ///< yaw rate after a corner's hit
    IB__ABSORBED, ///< kinetic energy after it over that before
    // Kinematics and sums.
    IB__SLIP_REST, ///< side slip at rest
    IB__SLIP_BACK, ///< backwards at 1 m/s, 0.5 m/s to the left
    IB__SUM_SPEED, ///< 1 m/s^2 for 1 s
    IB__SUM_PLACE,
    // The explicit scheme.
    IB__DIVERGED,        ///< the program's own run of (4.2e): its end [s] …
    IB__DIVERGED_SIGNAL, ///< … 1: its error names the current
    IB__STABLE_END,      ///< the same with (4.1c): its end [s] …
    IB__STABLE_SPEED,    ///< … and its speed
    IB__STEP1_CURRENT,   ///< formula by formula
    IB__STEP1_VOLTAGE,
    IB__STEP2_CURRENT,
    IB__STEPS_50MS, ///< until |x| > 1e30 m
    IB__STEPS_1MS,
    IB__RADIUS,          ///< spectral
    IB__LIMIT_PUBLISHED, ///< longest stable step [s]
    IB__LIMIT_CORRECTED,
    IB__LEAST_INDUCTANCE,
    IB__RADIUS_IMPLICIT,
    IB__IMPLICIT_END, ///< all corrected with (4.1c): x at 5 s
    IB__IMPLICIT_HALF,
    IB__IMPLICIT_1MS,
    IB__IMPLICIT_01MS,
    IB__CODE_SPEED, ///< R = 0.3 ohm, L = 20 mH
    IB__CODE_PLACE,
    IB__DERIVED_SPEED, ///< L = 20 mH alone
    IB__DERIVED_PLACE,
    // References.
    IB__FILL_ERROR,
    IB__TABLE_ERROR, ///< one for each table
    IB__TANK_ROWS = IB__TABLE_ERROR + IB__REFERENCE_TABLES,
};

ib_Status ib__tank_claims_compute(ib_Findings *findings, ib_Error *error);
ib_Status ib__tank_claims_drive(ib_ClaimValue *found, ib_Error *error);  ///< its rows; so do these
ib_Status ib__tank_claims_supply(ib_ClaimValue *found, ib_Error *error); ///< battery and air
ib_Status ib__tank_claims_steps(ib_ClaimValue *found, ib_Error *error);  ///< the explicit scheme
ib_Status ib__tank_claims_primer(ib_ClaimValue *found, ib_Error *error); ///< sections 1 to 3
ib_Status ib__tank_claims_electrics(ib_ClaimValue *found, ib_Error *error);
ib_Status ib__tank_claims_body(ib_ClaimValue *found, ib_Error *error); ///< 10.3c, 10.4, 12
void ib__tank_claims_figures(const ib_Findings *findings, ib_Text *html);

// ------------------------------------------------------------------------------------ literal runs

// The document's loop, formula by formula, in the order of its section 9: the sag of the last step,
// current, torque, force, speed, position. Both sides at 12 V.
typedef struct ib__Literal {
    bool corrected;  ///< geometry of (10.1) and (10.5)
    bool implicit;   ///< (4.1c) instead of (4.2e)
    double Ts, R, L; ///< [s, ohm, H]; R 0: from the data sheet
    double duration; ///< [s]

    // Results.
    double x, v;       ///< at the end [m, m/s]
    double current[2]; ///< after the first and the second step [A]
    double voltage;    ///< of the battery after the first step [V]
    int diverged;      ///< step at which |x| > 1e30 m; 0: none
} ib__Literal;

void ib__literal_run(ib__Literal *literal);

// The factor of one step on the slowest error of current and speed.
double ib__literal_radius(const ib__Literal *literal);

// --------------------------------------------------------------------------------------- reference

typedef struct ib__ReferenceTable {
    bool inductive;
    double right;               ///< command; the left one is 12 V
    bool slips;                 ///< wheels: friction circle (B8), else viscous (B7)
    const char *const *signals; ///< of the columns, NULL-terminated
    const double *values;       ///< a row for each time
} ib__ReferenceTable;

extern const double ib__reference_times[IB__REFERENCE_TIMES];
extern const ib__ReferenceTable ib__reference_tables[IB__REFERENCE_TABLES];

#endif
