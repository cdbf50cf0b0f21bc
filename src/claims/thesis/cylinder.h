// claims/thesis/cylinder.h: the computed values for the claims of Daepp's thesis about a pneumatic
// cylinder. Its mistakes: docs/reference/errata.md#cylinder
#ifndef IB_CLAIMS_THESIS_CYLINDER_H
#define IB_CLAIMS_THESIS_CYLINDER_H

#include "claims/claim_run.h"
#include "claims/document.h"
#include "robot/cylinder_rig/cylinder_rig.h"

enum { IB__CORRECTED, IB__PUBLISHED }; ///< the forms

enum {
    IB__FIT_COEFFICIENTS = 10, ///< of port 2 in the listing
    IB__LOST_METHODS = 4,
    IB__LOST_POINTS = 31, ///< voltages from -0.75 V to 0.75 V, 0.05 V apart
    IB__SINES = 3,
    IB__GOAL_STEPS = 5, ///< of the closed loop's series
};

// The loop with the full model, a simpler valve and a simpler friction, a row each.
enum { IB__RIG_FULL, IB__RIG_LINEAR, IB__RIG_VISCOUS, IB__RIGS };

// The computed values, a row each.
enum {
    // Flow and energy.
    IB__FLUX_CHARGING = IB_NO_ROW + 1, ///< Psi into a chamber of 300 kPa [kg/(s m^2)]
    IB__FLUX_DISCHARGING,              ///< Psi out of it
    IB__FLUX_BELOW,    ///< Psi of 100 kPa at a ratio of 0.5, between "<< 0.528" and 0.528
    IB__CRITICAL,      ///< ratio
    IB__CRITICAL_STEP, ///< relative step of Psi there
    IB__FLUX_TABLE,    ///< reference A2: largest difference, relative
    IB__GAS_C1,        ///< published: with the universal gas constant
    IB__GAS_MOLAR,     ///< R of air of 29 g/mol [J/(kg K)]
    IB__FACTOR,        ///< of P V'
    IB__HALVED,        ///< pressure ratio of a closed volume that is halved
    IB__AUDIT,         ///< energy error of the cap's air in a step of 1.25 V [J]
    IB__AUDIT_SHARE,   ///< the same over the work
    IB__CROSSING,      ///< P' of a charged chamber of 350 K, over that with T of the supply
    IB__ORDER,         ///< states
    IB__BALANCE,       ///< force with an atmosphere in both chambers [N]
    IB__AREAS,         ///< reference A1: largest difference, relative
    IB__START_CAP,     ///< pressure in the cap at the start [psi]
    IB__START_GONE,    ///< time until it is within 1 % of the exhaust's [s]
    IB__ROOM,          ///< exhaust [psi]
    IB__ROOM_LEG,      ///< exhaust of the leg [psi]
    // Friction.
    IB__STUCK_PULL,     ///< Coulomb: pulled with -10 lbf at rest [lbf]
    IB__BREAK,          ///< Coulomb-viscous: pushed with 6 lbf at rest [lbf]
    IB__SLIDE_FAST,     ///< the same at 10 m/s [lbf]
    IB__LUGRE_JUMP,     ///< across v = 0, its bristles held [lbf]; published: Stribeck with a sign
    IB__PEAK_FRICTION,  ///< [lbf]
    IB__PEAK_SPEED,     ///< its speed [m/s]
    IB__PEAK_INCHES,    ///< the same of speeds in in/s [in/s]
    IB__REST_FRICTION,  ///< at v = 0 [lbf]
    IB__CREEP,          ///< speed at which it holds 1.96 N [m/s]
    IB__FRICTION_TABLE, ///< reference A3, m/s: largest difference, relative
    IB__FRICTION_TABLE_INCHES, ///< … in/s
    IB__STICTION_OPEN,         ///< largest friction of the step of 0.75 V [lbf]
    // Valve.
    IB__OFFSET_VOLTAGE, ///< voltage of a centred offset of 0.25 V [V]
    IB__OFFSET_CENTRED, ///< range of centred voltages [V]
    IB__OFFSET_START,   ///< centred voltage of an input of 0 V
    IB__OFFSET_STEADY,  ///< pressure change, ports swapped over standard, steady
    IB__OFFSET_RISE,    ///< time to half of it, likewise
    IB__OFFSET_FLOW,    ///< flow at the offset into equal chambers: port 1 over port 2
    IB__COEFFICIENT,    ///< of port 2 as fitted, each
    IB__COEFFICIENTS_END = IB__COEFFICIENT + IB__FIT_COEFFICIENTS - 1,
    IB__COEFFICIENTS_ALL, ///< reference A1: largest difference of 20, relative
    IB__CENTRE_1,         ///< area of port 1 at the centre from below over from above
    IB__CENTRE_2,         ///< … port 2
    IB__CENTRE_DATA,      ///< area of port 1 from above over that measured
    IB__FIT_WORST_1,      ///< largest error of a fit, relative
    IB__FIT_WORST_2,
    IB__FIT_DIP,          ///< voltage of port 2's least area above the centre [V]
    IB__FIT_END,          ///< error due to the printed digits at -4.75 V, relative
    IB__TRENDS,           ///< Figure 23 against reference A1, largest difference [psi]
    IB__TRENDS_STEADY,    ///< fixed rod, port 2 at 0.25 V: steady pressure [psi]
    IB__TRENDS_REACH,     ///< share of the range covered by Figure 23 at 0.75 V
    IB__BALANCED_VOLTAGE, ///< centred voltage without a force [V]
    IB__LOST_NOTHING,     ///< ports that switch, nothing lost: rms distance from Figure 23 [psi]
    IB__LOST,             ///< each method: the same
    IB__LOST_PARAMETER = IB__LOST + IB__LOST_METHODS,     ///< its fitted parameter
    IB__LOST_RUN = IB__LOST_PARAMETER + IB__LOST_METHODS, ///< fixed rod against it [psi]
    IB__LOST_CENTRE =
        IB__LOST_RUN + IB__LOST_METHODS, ///< both ports of four alike edges at the offset [psi]
    IB__LOST_RATIO, ///< exhaust's edge over the supply's that would give Figure 23's [1]
    // Open loop.
    IB__RELEASE_SLOW, ///< step of 0.75 V: time at which it leaves its stop [s]
    IB__RELEASE_FAST, ///< … 1.25 V
    IB__HIT_SLOW,     ///< time at which it meets the other stop [s]
    IB__HIT_FAST,
    IB__OPEN_TAU,    ///< tau of the cap pressure, fitted over 5 s over that over 1 s
    IB__OPEN_SQUARE, ///< R^2 of the fit over 5 s
    IB__AT_OFFSET,   ///< a step to 5.25 V: position of the rod after 5 s [mm]
    IB__LOW_STROKE,  ///< time of the stroke of 1.25 V at 30 psig over that at 50 psig
    IB__SWAP_STROKE, ///< the same, ports swapped over standard
    // Closed loop.
    IB__GROWTH,     ///< (4.3.1) after 1 s, K0 = A0 = 1, tau = 0.082 s
    IB__TAUS,       ///< 0.085 over 0.082, in percent
    IB__TAU,        ///< reference A5 [s]; published: friction for in/s
    IB__TAU_SQUARE, ///< R^2
    IB__RISE,       ///< [s]
    IB__OVERSHOOT,  ///< [%]
    IB__PLACE_2,    ///< x at 2 s [mm]
    IB__PLACE_3,    ///< x at 3 s [mm]
    IB__TAU_MEAN,   ///< of five steps [s]
    IB__TAU_SPREAD, ///< their standard deviation [s]
    IB__SQUARE_LEAST,
    IB__SQUARE_MOST,
    IB__LAG,                             ///< of each sine [s]
    IB__LAG_FIRST = IB__LAG + IB__SINES, ///< of a first order of 0.082 s, slowest sine [s]
    IB__LAG_LEAST,                       ///< lag of which 0.02 s is 25 % [s]
    IB__SLIDING,       ///< rms error of a sine: sliding mode over the loop of reference A5
    IB__SLIDING_ALIKE, ///< … over a PVA with its gains within the layer
    IB__STROKE_SHARE,  ///< 0.052 in of the stroke [%]
    IB__MILLIMETRE,    ///< 0.052 in [mm]
    IB__RMSE_LINEAR,   ///< position with the linear valve less that of the full model [in]
    IB__RMSE_VISCOUS,  ///< … with viscous friction
    IB__RESTLESS,      ///< largest speed in the last 0.3 s of a step, by rig [mm/s]
    IB__SETTLED = IB__RESTLESS + IB__RIGS,     ///< motion in the last 0.3 s, by rig [mm]
    IB__FIRST_MOTION = IB__SETTLED + IB__RIGS, ///< viscous before full [s]
    IB__FILTERED, ///< of the pressure's movement behind the thesis's filter [1]
    IB__LAGGED,   ///< … behind a lag of 1 ms
    // Solver and cost.
    IB__EIGENVALUE, ///< friction at rest, 0.2 kg [1/s]
    IB__LIMIT_ODE5, ///< longest stable step [ms]; published: 1 ms
    IB__LIMIT_RK4,
    IB__LIMIT_EULER,
    IB__LIMIT_LEG,    ///< ode5 with 2.3 kg [ms]
    IB__SPURIOUS,     ///< loop at rest, ode5 at 1 ms: largest reported speed [m/s],
    IB__SPURIOUS_WAY, ///< … distance from the least to the largest x [mm]
    IB__SPURIOUS_OFF, ///< … error of its final position [mm]
    IB__SPURIOUS_640, ///< the same at 640 Hz
    IB__SPURIOUS_640_WAY,
    IB__SPURIOUS_640_OFF,
    IB__SPURIOUS_HALF, ///< … at 0.5 ms
    IB__SPURIOUS_HALF_WAY,
    IB__SPURIOUS_HALF_OFF,
    IB__PERIOD_640,    ///< [s]
    IB__STEPS_VISCOUS, ///< steps of the adaptive solver over those of the full model
    IB__STEPS_LINEAR,
    IB__TIMES_CHANGE,  ///< Table 3: largest difference of a change, viscous left out [1e-5 s]
    IB__TIMES_PART,    ///< largest difference of a percentage [%]
    IB__TIMES_VISCOUS, ///< change with viscous friction [1e-5 s]
    IB__TIMES_SPREAD,  ///< its standard deviation over its time [%]
    IB__TIMES_OTHERS,  ///< mean of the others' [%]
    IB__TIMES_VALVE,   ///< two parts of the valve over the whole
    IB__TIMES_JOINTS,  ///< three joints over one
    IB__LEGS,          ///< of the robot
    IB__CYLINDER_ROWS,
};

// The steady pressures of the methods: by method (none, 1 to 4) and voltage, port 2 [psi].
typedef struct ib__LostFlows {
    double Vc[IB__LOST_POINTS]; ///< [V]
    double pressure[1 + IB__LOST_METHODS][IB__LOST_POINTS];
    double rms[1 + IB__LOST_METHODS]; ///< of both ports
} ib__LostFlows;

// Table 3 with this program's own costs: rows of a simplified model.
enum { IB__COST_ROWS = 6 };

// Further results shown beside the claims.
typedef struct ib__CylinderDetails {
    ib__LostFlows lost;
    double cost[IB__COST_ROWS]; ///< processor time of a simulated millisecond [s], measured
} ib__CylinderDetails;

enum { IB__CYLINDER_TESTS = 5 };
extern const ib_ClaimGroup
    ib__cylinder_tests[IB__CYLINDER_TESTS]; ///< open loop, two closed loops, solver, Table 3
// Each fills its share of the values.
ib_Status ib__cylinder_claims_air(ib_ClaimValue *found, ib_Error *error);
ib_Status ib__cylinder_claims_friction(ib_ClaimValue *found, ib_Error *error);
ib_Status ib__cylinder_claims_valve(ib_ClaimValue *found, ib_Error *error);
ib_Status ib__cylinder_claims_lost(ib_ClaimValue *found, ib__LostFlows *lost, ib_Error *error);
ib_Status ib__cylinder_claims_open(ib_ClaimValue *found, ib_Error *error);
ib_Status ib__cylinder_claims_closed(ib_ClaimValue *found, ib_Error *error);
ib_Status ib__cylinder_claims_solver(ib_ClaimValue *found, ib_Error *error);
void ib__cylinder_claims_times(ib_ClaimValue *found); ///< Table 3

// A row of Table 3 [1e-5 s], with its printed change and percentage. The first is of an open loop,
// the others of a closed one.
typedef struct ib__TimesRow {
    double time, spread, change, part;
} ib__TimesRow;
enum { IB__TABLE_3_ROWS = 12 };
extern const ib__TimesRow ib__table_3[IB__TABLE_3_ROWS];
extern const double ib__table_3_open, ib__table_3_closed; ///< the complete model's

// Measures this program's own costs, in this order; the rows' names, and the thesis's savings [%].
ib_Status ib__cylinder_costs(double cost[IB__COST_ROWS], ib_Error *error);
extern const char *const ib__cylinder_cost_names[IB__COST_ROWS];
extern const double ib__cylinder_cost_thesis[IB__COST_ROWS]; ///< NAN: no such row

// All figures of the page, as HTML.
void ib__cylinder_claims_figures(const ib_Findings *findings, ib_Text *html);

// Those of runs, the thesis's Figures 25 to 31, 46 and 48.
void ib__cylinder_claims_runs(ib_Text *html);

#endif
