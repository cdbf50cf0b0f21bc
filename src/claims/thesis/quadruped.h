// claims/thesis/quadruped.h: the computed values for the claims of Daepp's thesis about a robot on
// pneumatic legs. Its mistakes: docs/reference/errata.md#quadruped
#ifndef IB_CLAIMS_THESIS_QUADRUPED_H
#define IB_CLAIMS_THESIS_QUADRUPED_H

#include "claims/document.h"
#include "claims/thesis/cylinder.h"
#include "claims/thesis/cylinder_run.h"
#include "control/leg/crawl_load.h"
#include "robot/quadruped/quadruped.h"

// The forms: of an equation or a number, and of a response, for which the thesis prints no gain.
enum { IB__Q_CORRECTED, IB__Q_PRINTED };
enum { IB__Q_RIG, IB__Q_SLOW, IB__Q_LOOPS };

enum { IB__Q_COXA, IB__Q_HIP, IB__Q_FEMUR, IB__Q_TIBIA, IB__Q_THORAX, IB__Q_BODIES };

enum { IB__Q_TIMES = IB__TABLE_3_ROWS };

// Sources of air, and ways to use it: standing and crawling, each with the thesis's equivalent
// valve and with one that has underlap.
enum { IB__Q_SOURCES = 5, IB__Q_USES = 4 };
extern const char *const ib__q_sources[IB__Q_SOURCES]; ///< entries of data/air_sources.yaml

// The computed values, a row each; "+ 3": alpha, beta, gamma.
enum {
    // Frames.
    IB__Q_SHOULDER = IB_NO_ROW + 1, ///< (3.1.1) from Robot.cpp, farthest of four [mm]
    IB__Q_SHOULDER_TURN,            ///< … direction of the leg [deg]
    IB__Q_SHOULDER_LEVEL,           ///< (3.1.1) with phi as meant and no height [mm]
    IB__Q_FEET_CODE,                ///< the program's feet from Leg.cpp's and Robot.cpp's,
                                    ///< farthest [m]
    IB__Q_FEET_TABLE,               ///< … from Table 1's [m]
    IB__Q_FEET_SHEET,               ///< … from reference C's [m]
    IB__Q_FEET_BACK,                ///< angles recomputed from the feet, largest error [deg]
    IB__Q_A1,                       ///< sides of the leg by the listing [m]
    IB__Q_A2,
    IB__Q_A3,
    IB__Q_TIP,
    IB__Q_COXA_END,  ///< from the middle of a capsule to its end [mm]
    IB__Q_COXA_HALF, ///< … to the centre of its cap [mm]
    IB__Q_FEMUR_END,
    IB__Q_TIBIA_END,
    IB__Q_THORAX_LENGTH,               ///< [m]
    IB__Q_SPAN,                        ///< of each joint's range [deg], + 3
    IB__Q_LOW = IB__Q_SPAN + 3,        ///< its lower end [deg], + 3
    IB__Q_ZERO = IB__Q_LOW + 3,        ///< distance of 0 outside it [deg], + 3
    IB__Q_LEFT_RIGHT = IB__Q_ZERO + 3, ///< forward motion of a foot with alpha, left over right
    // Masses and inertias.
    IB__Q_MASS,                                ///< of each body [kg]
    IB__Q_ACROSS = IB__Q_MASS + IB__Q_BODIES,  ///< inertia across it [kg m^2]; printed: SrLib's
    IB__Q_ALONG = IB__Q_ACROSS + IB__Q_BODIES, ///< … along it
    IB__Q_LEG_MASS = IB__Q_ALONG + IB__Q_BODIES,
    IB__Q_ROBOT_MASS,
    IB__Q_THORAX_DENSITY,                        ///< [kg/m^3]
    IB__Q_FEMUR_DENSITY,                         ///< [g/cm^3]
    IB__Q_TIBIA_DENSITY,                         ///< …
    IB__Q_COXA_DENSITY,                          ///< the greater of its two parts'
    IB__Q_DENSITY_UNIT,                          ///< 2700, in kg/m^3; printed: taken as g/mm^3
    IB__Q_THIN_ROD,                              ///< SrLib's tibia over a thin rod
    IB__Q_FELT_SRLIB,                            ///< joint inertia, against true capsules [%], + 3
    IB__Q_FELT_PARTS = IB__Q_FELT_SRLIB + 3,     ///< … a coxa of boxes and cylinders, + 3
    IB__Q_FELT_CYLINDERS = IB__Q_FELT_PARTS + 3, ///< … with the bodies of the cylinders, + 3
    // Linkages.
    IB__Q_ANGLE_OFF =
        IB__Q_FELT_CYLINDERS + 3,           ///< (5.2.2) and its like from the true angle [deg], + 3
    IB__Q_STROKE_OFF = IB__Q_ANGLE_OFF + 3, ///< (5.2.1) … from the distance of the pins [mm], + 3
    IB__Q_SPEED_OFF = IB__Q_STROKE_OFF + 3, ///< its second line from the derivative [mm/rad], + 3
    IB__Q_TORQUE = IB__Q_SPEED_OFF + 3,     ///< (5.2.7) … over F dx/dtheta, worst, + 3
    IB__Q_LAMBDA = IB__Q_TORQUE + 3,        ///< lambda_1 from the corner at the pin [deg], + 3
    IB__Q_END = IB__Q_LAMBDA + 3,           ///< stroke at both ends of the range [in], + 6
    IB__Q_ARM = IB__Q_END + 6,              ///< arm at both ends, and the longest [mm], + 9
    IB__Q_LINEAR = IB__Q_ARM + 9,           ///< error of an angle by a straight line [deg], + 3
    IB__Q_LINEAR_TORQUE = IB__Q_LINEAR + 3, ///< torque of that line over the true, worst, + 3
    IB__Q_GAMMA_L4 = IB__Q_LINEAR_TORQUE + 3, ///< l4 for equal arms at gamma [mm]
    IB__Q_LONGER,                             ///< alpha's stroke less the others' [in]
    IB__Q_ALPHA_STROKE,                       ///< [in]
    // Loads.
    IB__Q_HOLD,                     ///< holding torques of the robot as coded [N m], + 3
    IB__Q_AIR = IB__Q_HOLD + 3,     ///< … a leg in the air, + 3
    IB__Q_BETA_HAS = IB__Q_AIR + 3, ///< torque of beta's cylinder there [N m]
    IB__Q_NEEDED,                   ///< sufficient supply [psi above 14.7]
    IB__Q_MASS_MOST,                ///< largest robot mass that it holds [kg]
    IB__Q_THORAX_MOST,              ///< … body without its legs
    IB__Q_FORCE_OUT, ///< greatest forces of a cylinder [N]; printed: exhaust of C.1.1
    IB__Q_FORCE_IN,
    IB__Q_SUPPLY,  ///< absolute [psi]; printed: as if the sum were gauge
    IB__Q_GRAVITY, ///< [m/s^2]
    IB__Q_PSI,     ///< [Pa]
    // Poses.
    IB__Q_LIFTS,                     ///< load of a leg in three poses [N], + 3
    IB__Q_STANDS = IB__Q_LIFTS + 3,  ///< body that stands in the start's pose, that walks in [kg]
    IB__Q_CRAWLS = IB__Q_STANDS + 2, ///< … that crawls, + 2
    // The air that it carries.
    IB__Q_USE = IB__Q_CRAWLS + 2,                             ///< mean flow [g/s], + 4
    IB__Q_HOURS = IB__Q_USE + IB__Q_USES,                     ///< of each source, + 4 each
    IB__Q_CARRIED = IB__Q_HOURS + IB__Q_SOURCES * IB__Q_USES, ///< body with each source [kg]
    // Messages and computing times: arithmetic.
    IB__Q_SENT = IB__Q_CARRIED + IB__Q_SOURCES, ///< values of a message; printed: of the listing
    IB__Q_NEEDS,                                ///< values needed by the twelve models
    IB__Q_FILLED,                               ///< joints' values filled by the listing
    IB__Q_COMMANDS,                             ///< joints with a command of their own, of twelve
    IB__Q_PAUSE_AT,                             ///< [s]
    IB__Q_PAUSE,                                ///< [ms]
    IB__Q_RENDERING,                            ///< share of the time [%]
    IB__Q_TIME_CHANGE, ///< Table 3: change [1e-5 s], each; printed: as printed
    IB__Q_TIME_PART = IB__Q_TIME_CHANGE + IB__Q_TIMES, ///< … percentage
    IB__Q_TOOLS = IB__Q_TIME_PART + IB__Q_TIMES,       ///< four tools over their block
    IB__Q_TWELVE,                                      ///< twelve joints, of a step of 1 ms [%]
    // Arithmetic of 5.5.2.
    IB__Q_SHARE_STEPS,     ///< 2.6 deg of gamma's range [%]
    IB__Q_SHARE_OVERSHOOT, ///< 5 deg of it [%]
    IB__Q_SHARE_BETA,      ///< 4 deg of beta's [%]
    IB__Q_LAG_GAP,         ///< 0.15 s against 0.2 s [%]
    IB__Q_LAG_GAP_BETA,    ///< 0.16 s against 0.2 s [%]
    IB__Q_GAIN_MARGIN,     ///< of a gain cut by 25 % over that before
    // Responses; the forms are loops.
    IB__Q_EXTENDED,  ///< rods out at 10 V: time of the last one [s]
    IB__Q_LAG_GAMMA, ///< of sines [s]: of 5 rad/s, and of 3 rad/s with the slow loop
    IB__Q_LAG_BETA,
    IB__Q_SHRINK_GAMMA, ///< response over goal
    IB__Q_SHRINK_BETA,
    IB__Q_RISE_LEAST, ///< of gamma's steps [s]
    IB__Q_RISE_MOST,
    IB__Q_BETA_RISE,  ///< mean rise of beta's steps over that of gamma's
    IB__Q_STATES,     ///< of a joint with its cylinder
    IB__Q_ROD_STEPS,  ///< highest rod pressure of gamma's steps [psi]
    IB__Q_ROD_GAMMA,  ///< … of gamma, thrown to its end
    IB__Q_ROD_ALPHA,  ///< … of alpha's limit cycle
    IB__Q_SLOWER_640, ///< gamma's sine at 640 Hz from that at 1 kHz, rms [deg]
    IB__Q_LATER,      ///< lag added by 4 ms of network [s]
    IB__Q_LINE,       ///< gamma's sine on a line behind a regulator, rms [deg]
    // Alpha and the whole leg.
    IB__Q_CYCLE,      ///< alpha's steps at full gain: rms about its mean [deg]
    IB__Q_CYCLE_RATE, ///< … its frequency [Hz]
    IB__Q_CYCLE_FINE, ///< … rms at a quarter of the step, over that
    IB__Q_CYCLE_LESS, ///< … at 75 % of the gain [deg]
    IB__Q_WALK_FULL,  ///< walking, alpha at full gain: rms error of each joint [deg], + 3
    IB__Q_WALK_LESS = IB__Q_WALK_FULL + 3,  ///< … at 75 %, + 3
    IB__Q_WALK_CYCLE = IB__Q_WALK_LESS + 3, ///< alpha at rest behind it: rms about its mean [deg]
    IB__Q_WALK_CALM,                        ///< … at 75 %
    // Simpler models of the gamma joint.
    IB__Q_END_FULL,     ///< motion in the last 0.3 s of a step, largest of three [deg]
    IB__Q_END_LINEAR,   ///< … linear valve
    IB__Q_END_VISCOUS,  ///< … viscous friction
    IB__Q_VISCOUS_FINE, ///< viscous at a quarter of the step from that at 1 ms, rms [deg]
    IB__Q_LINEAR_FROM,  ///< position with the linear valve from the full model's, rms [deg]
    IB__Q_VISCOUS_FROM, ///< … viscous friction
    IB__Q_ROWS,
};

static inline void ib__quadruped_put(ib_ClaimValue *found, int row, double value)
{
    found[row].form[0] = value;
}

// ------------------------------------------------------------------------------------------- bench

// A robot from a scenario.
typedef struct ib__LegBench {
    ib_Scenario *scenario;
    const ib_QuadrupedConfig *config;
    const ib_RobotModel *robot;
    const ib_QuadrupedModel *model;
} ib__LegBench;

extern const char ib__leg_text[]; ///< the leg of the validation alone
ib_Status ib__leg_bench(const char *text, const ib_Override *overrides, int count,
                        ib__LegBench *bench, ib_Error *error);
void ib__leg_bench_end(ib__LegBench *bench);

// The loop of every response: the rig's (reference A5) through the linkage, in V/m and V s/m of the
// rod. The thesis prints no gain.
extern const double ib__leg_gain[IB__Q_LOOPS];
extern const double ib__leg_damping;
double ib__leg_longest(const ib_LinkageModel *linkage); ///< arm of its range [m]

// A test of one joint under that loop, the other two at their ends with their valves wide
// open [5.5.2].
typedef struct ib__LegTest {
    int joint;
    double gain;          ///< [V/m]
    double start;         ///< of the joint [deg]
    const char *goal;     ///< value of its goal in a scenario
    const double *others; ///< start of the joints [deg]; NULL: the other two at their ends
    double duration;      ///< [s]
    const char *step;     ///< of the run
    ib__RigChanges changes;
} ib__LegTest;

enum { IB__LEG_ANGLE, IB__LEG_CAP, IB__LEG_ROD, IB__LEG_COLUMNS }; ///< of a test: [deg], [psi]

// Runs a test; its trace has times from `from` on, `every` apart, to the end, and these columns.
ib_Status ib__leg_test(const ib__LegBench *bench, const ib__LegTest *test, double from,
                       double every, ib_Arena *arena, ib__RigTrace *trace, ib_Error *error);

// The rms of a column about its mean, and the number of its full oscillations about it.
double ib__leg_rms(const double *y, int count);
double ib__leg_frequency(const double *y, int count, double every);

// Angles of two tests from each other, rms over the times that both have [deg].
double ib__leg_apart(const ib__RigTrace *a, const ib__RigTrace *b);

// Phase [rad] and amplitude of the fundamental of a column, whose times begin at `from`, against
// sin(w t).
double ib__leg_fundamental(const double *y, int count, double from, double every, double w,
                           double *amplitude);

// One of the steps below, from a trace that begins at 0 s.
typedef struct ib__LegStep {
    double rise; ///< from 10 % to 90 % of the step [s]; NAN: never
    double rest; ///< motion in the last 0.3 s [deg]
} ib__LegStep;

ib__LegStep ib__leg_step(const ib__RigTrace *trace, const double *goals, int index);

// --------------------------------------------------------------------------------------- responses

// Further results, shown and drawn beside the claims.
typedef struct ib__QuadrupedDetails {
    ib__RigTrace sine[2];       ///< gamma and beta, 5 rad/s, the rig's gain
    ib__RigTrace steps[3];      ///< gamma's: full model, linear valve, viscous friction
    ib__RigTrace slow_steps[2]; ///< gamma and beta, the slow loop
    ib__RigTrace alpha[2];      ///< its steps: full gain, 75 %
    ib__RigTrace walk[2];       ///< angles of all three: full gain, 75 %
} ib__QuadrupedDetails;

// The goals of the steps: an angle from each time on, the first from 0 s [deg]; every 1.5 s from
// 0.5 s on.
enum { IB__LEG_STEPS = 5 };
extern const double ib__gamma_steps[1 + IB__LEG_STEPS], ib__beta_steps[1 + IB__LEG_STEPS],
    ib__alpha_steps[2];
extern const double ib__leg_step_first, ib__leg_step_every;

// Groups beyond those of the document's own file.
enum { IB__QUADRUPED_TESTS = 5 };
extern const ib_ClaimGroup ib__quadruped_tests[IB__QUADRUPED_TESTS];

// Each fills its share of the values.
ib_Status ib__quadruped_claims_links(const ib__LegBench *bench, ib_ClaimValue *found,
                                     ib_Error *error);
ib_Status ib__quadruped_claims_linkages(const ib__LegBench *bench, ib_ClaimValue *found,
                                        ib_Error *error);
ib_Status ib__quadruped_claims_hours(ib_ClaimValue *found, ib_Error *error);
void ib__quadruped_claims_times(const ib__LegBench *bench, ib_ClaimValue *found);
ib_Status ib__quadruped_claims_sines(const ib__LegBench *leg, ib_ClaimValue *found,
                                     ib__QuadrupedDetails *details, ib_Arena *arena,
                                     ib_Error *error);
ib_Status ib__quadruped_claims_steps(const ib__LegBench *leg, ib_ClaimValue *found,
                                     ib__QuadrupedDetails *details, ib_Arena *arena,
                                     ib_Error *error);
ib_Status ib__quadruped_claims_alpha(const ib__LegBench *leg, ib_ClaimValue *found,
                                     ib__QuadrupedDetails *details, ib_Arena *arena,
                                     ib_Error *error);

void ib__quadruped_claims_figures(const ib_Findings *findings, ib_Text *html);

#endif
