// cli/verify_tank.h: what is computed for the claims of RoboSim.
// docs/robosim_errata.md says where each goes wrong.
#ifndef IB_CLI_VERIFY_TANK_H
#define IB_CLI_VERIFY_TANK_H

#include "robot/tank/tank.h"
#include "verify.h"

enum { CORRECTED, PUBLISHED, REFERENCE }; ///< the forms

enum { REFERENCE_TABLES = 9, REFERENCE_TIMES = 5, FILL_LEVELS = 14 };

// The computed values, a row each. [REFERENCE] is a solution from outside of the program.
enum {
    NO_ROW,
    // Drive.
    TERMINAL,        ///< speed [m/s]
    STALL_FORCE,     ///< without sag [N]
    STALL_SHARE,     ///< published over corrected
    STALL_REDUCTION, ///< published, R read as the reduction [N]
    SAG_FORCE,       ///< at the first instant, with sag
    SAG_CURRENT,     ///< of a motor
    SAG_DRAW,
    SAG_VOLTAGE,
    POWER_RATIO, ///< out of the motors into the robot
    SPIN_RATE,
    ARC_END,    ///< 12 V/6 V: how far the run comes [s]
    ARC_RATE,   ///< after 1 s
    ARC_RADIUS, ///< after 5 s
    // Battery.
    TURN_DRAW, ///< turn in place after 0.1 s
    TURN_VOLTAGE,
    TURN_ERROR, ///< of the energy book after 1 s [J]
    TURN_FREE,  ///< what the motors get out of nothing in 1 s [J]
    ARC_ENERGY, ///< from the battery's terminals in 5 s [J]
    ARC_ERROR,
    CAPACITY,      ///< time at 17 A [h]
    CAPACITY_HOUR, ///< time at the current that a lead-acid battery gives for one hour [h]
    // Air.
    FILL,        ///< empty to 115 psig [s]
    RECOVERY,    ///< 95 to 115 psig [s]
    COMPRESSION, ///< isothermal power at 100 psig [W]
    // Kinematics and sums.
    SLIP_REST, ///< side slip at rest
    SLIP_BACK, ///< backwards at 1 m/s, 0.5 m/s to the left
    SUM_SPEED, ///< 1 m/s^2 for 1 s
    SUM_PLACE,
    // The explicit scheme.
    DIVERGED,        ///< the program's own run of (4.2e): when it ends [s] …
    DIVERGED_SIGNAL, ///< … and whether it names the current
    STABLE_END,      ///< the same with (4.1c): when it ends [s] …
    STABLE_SPEED,    ///< … and how fast it is
    STEP1_CURRENT,   ///< formula by formula
    STEP1_VOLTAGE,
    STEP2_CURRENT,
    STEPS_50MS, ///< until |x| > 1e30 m
    STEPS_1MS,
    RADIUS,          ///< spectral
    LIMIT_PUBLISHED, ///< longest stable step [s]
    LIMIT_CORRECTED,
    LEAST_INDUCTANCE,
    RADIUS_IMPLICIT,
    IMPLICIT_END, ///< all corrected with (4.1c): x at 5 s
    IMPLICIT_HALF,
    IMPLICIT_1MS,
    IMPLICIT_01MS,
    CODE_SPEED, ///< R = 0.3 ohm, L = 20 mH
    CODE_PLACE,
    DERIVED_SPEED, ///< L = 20 mH alone
    DERIVED_PLACE,
    // References.
    FILL_ERROR,
    TABLE_ERROR, ///< one for each table
    TANK_ROWS = TABLE_ERROR + REFERENCE_TABLES,
};

// The robot of reference B7, both sides at 12 V.
extern const char tank_scenario[];

ib_Status tank_compute(Found *found, ib_Error *error);
void tank_figures(const Found *found, ib_Text *html);

// ------------------------------------------------------------------------------------ literal runs

// The document's loop, formula by formula, in the order of its section 9: the sag of the last step,
// current, torque, force, speed, place. Both sides at 12 V.
typedef struct Literal {
    bool corrected;  ///< geometry of (10.1) and (10.5)
    bool implicit;   ///< (4.1c) instead of (4.2e)
    double Ts, R, L; ///< [s, ohm, H]; R 0: from the data sheet
    double duration; ///< [s]

    // Results.
    double x, v;       ///< at the end [m, m/s]
    double current[2]; ///< after the first and the second step [A]
    double voltage;    ///< of the battery after the first step [V]
    int diverged;      ///< step at which |x| > 1e30 m; 0: it did not
} Literal;

void literal_run(Literal *literal);

// How much one step multiplies the slowest error of current and speed by.
double literal_radius(const Literal *literal);

// --------------------------------------------------------------------------------------- reference

typedef struct ReferenceTable {
    bool inductive;
    double right;               ///< command; the left one is 12 V
    bool slips;                 ///< wheels: friction circle (B8), else viscous (B7)
    const char *const *signals; ///< of the columns, NULL-terminated
    const double *values;       ///< a row for each time
} ReferenceTable;

extern const double reference_times[REFERENCE_TIMES];
extern const ReferenceTable reference_tables[REFERENCE_TABLES];

#endif
