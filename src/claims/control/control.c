// claims/control/control.c: the claims of FRC 971's "Controls Documentation 2018". The reasons of
// the expected verdicts are in docs/reference/errata.md#control.
#include "claims/control/control.h"

static const char model_text[] = "Summary of state space";
static const char loops_text[] = "Control Loops";
static const char lqr_text[] = "dlqr";
static const char filter_text[] = "Individual Control Loops";
static const char code_text[] = "HybridControlLoop";
static const char polytope_text[] = "Polytopes";
static const char drive_text[] = "The Drivetrain";
static const char zeroing_text[] = "TestLotsOfMovement";
static const char arm_text[] = "Derivation of Arm Dynamics";
static const char passes_text[] = "Arm Control Scheme";

// A claim judged by the literal document.
#define TO_THE_LETTER(what, place, si, rule_, row_, verdict, why)                                  \
    {                                                                                              \
        .claim = (what), .where = (place), .unit = (si), .rule = rule_, .row = (row_),             \
        .form = IB__LETTER, .expected = IB_VERDICT_##verdict, .note = (why)                        \
    }
// The reference has 12 digits of most numbers; 1e-9 is the tolerance of its sheet.
#define REFERENCE_GAP(what, place, row, why)                                                       \
    IB_CLAIM(what, place, "1", IB_NEAR(0.0, 1e-9, 0), row, HOLDS, why)

// ------------------------------------------------------------------------------------- state space

static const ib_Claim model[] = {
    IB_CLAIM("speed constant Kv", "reference D2", "rad/s/V", IB_NEAR(49.7548070083, 5e-11, 0),
             IB__DESK_KV, HOLDS, "From free speed, free current, stall torque, stall current."),
    IB_CLAIM("torque constant Kt", "reference D2", "N*m/A", IB_NEAR(0.012736842105, 5e-13, 0),
             IB__DESK_KT, HOLDS, "With the gears' efficiency of 70 %."),
    IB_CLAIM("resistance", "reference D2", "ohm", IB_NEAR(0.045112781955, 5e-13, 0), IB__DESK_R,
             HOLDS, ""),
    IB_CLAIM("top speed", "reference D2", "m/s", IB_NEAR(5.111558948, 5e-10, 0), IB__DESK_TOP,
             HOLDS, ""),
    IB_CLAIM("modelled from its free speed and current, the motor has that free speed", model_text,
             "rpm", IB_NEAR(5500, 0.5, 275), IB__DESK_FREE, NEARLY,
             "The model has no loss torque, so that it runs free at 0 A and 3.7 % too fast: "
             "`loss: viscous` of the plant mends it."),
    REFERENCE_GAP("A, B of continuous time: largest difference, relative", "reference D2",
                  IB__DESK_SLOPES, ""),
    REFERENCE_GAP("A, B at 5 ms: largest difference, relative", "reference D2", IB__DESK_SAMPLED,
                  ""),
    IB_CLAIM("the sampled model is exact: after 1 s of 12 V and -4 V, relative", loops_text, "1",
             IB_NEAR(0.0, 1e-9, 0), IB__DESK_EXACT, HOLDS,
             "Against RK4 on the mechanism's rates, whose own error is below 1e-12."),
    IB_CLAIM("one side moves, the other does not stay: its speed over the first", drive_text, "1",
             IB_AT_MOST(-0.01), IB__DESK_OTHER, HOLDS,
             "It goes backwards at first: the robot turns about a point inside its track."),
    IB_CLAIM("controllable: modes that no voltage moves", model_text, "1", IB_NEAR(0.0, 0, 0),
             IB__DESK_UNMOVED, HOLDS, ""),
    IB_CLAIM("observable: modes that no encoder shows", model_text, "1", IB_NEAR(0.0, 0, 0),
             IB__DESK_UNSEEN, HOLDS, ""),
    IB_CLAIM("stable: largest magnitude of a closed-loop pole", model_text, "1", IB_AT_MOST(1.0),
             IB__DESK_LOOP, HOLDS, ""),
};

static const ib_Claim lqr[] = {
    TO_THE_LETTER("the comment is a formula: parentheses that are never closed", lqr_text, "1",
                  IB_NEAR(0.0, 0, 0), IB__LQR_OPEN, FALSE,
                  "One. Where it belongs the next two rows say."),
    IB_CLAIM("closed before + Q it is the Riccati equation: residual over P", lqr_text, "1",
             IB_NEAR(0.0, 1e-11, 0), IB__LQR_BEFORE, HOLDS,
             "P = A'PA - (A'PB)(R + B'PB)^-1(B'PA) + Q. The reference's own residual is 3e-12."),
    TO_THE_LETTER("closed behind it, as the line ends: residual over Q", lqr_text, "1",
                  IB_NEAR(0.0, 1e-9, 0), IB__LQR_BEHIND, FALSE, "Q is taken off instead of added."),
    IB_CLAIM("F = (R + B'PB)^-1 B'PA is the gain: difference, relative", lqr_text, "1",
             IB_NEAR(0.0, 1e-10, 0), IB__LQR_FORMULA, HOLDS, ""),
    REFERENCE_GAP("K of q_pos 0.14, q_vel 0.95, 12 V: largest difference, relative",
                  "The Drivetrain; reference D2", IB__LQR_K, ""),
    REFERENCE_GAP("magnitudes of the poles: largest difference, relative",
                  "The Drivetrain; reference D2", IB__LQR_POLES, ""),
    IB_CLAIM("J = sum of x'Qx + u'Ru: of a run, over x'Px", lqr_text, "1", IB_NEAR(1.0, 1e-9, 0),
             IB__LQR_COST, HOLDS, ""),
    IB_CLAIM("'the optimal lqr controller': least extra cost of sixteen others", lqr_text, "1",
             IB_AT_LEAST(0.0), IB__LQR_DEARER, HOLDS,
             "Each element of K 5 % larger and 5 % smaller; the least one hardly matters."),
    IB_CLAIM("step to 1 m with 12 V: largest difference", "reference D2", "SI",
             IB_NEAR(0.0, 1e-9, 0), IB__LQR_STEP, HOLDS, "Place and speed at eight times."),
    IB_CLAIM("'as fast and predictably as possible': time to 1 cm of the goal over the shortest",
             loops_text, "1", IB_NEAR(1.0, 0.05, 0.2), IB__LQR_FASTEST, FALSE,
             "12 V, then -12 V is fastest. LQR weighs speed against effort; predictable it is."),
    IB_CLAIM("too much oscillation increases the time: damping 0.2 over 0.8", loops_text, "1",
             IB_AT_LEAST(1.0), IB__SWING_TIME, HOLDS, "Settling to 2 %, poles at 10 rad/s."),
    IB_CLAIM("too much oscillation wastes energy: sum of u^2, damping 0.2 over 0.8", loops_text,
             "1", IB_AT_LEAST(1.0), IB__SWING_ENERGY, HOLDS, ""),
    IB_CLAIM("an overdamped system is slow: settling, damping 3 over 0.8", loops_text, "1",
             IB_AT_LEAST(1.0), IB__LAZY_TIME, HOLDS, ""),
    TO_THE_LETTER("loops run at 'about 200 Hz': the period of the public code", "RoboRIO; 200 Hz",
                  "1/s", IB_NEAR(200, 0.5, 10), IB__PERIOD_RATE, NEARLY,
                  "It designs for 5.05 ms: 198.02 Hz."),
    TO_THE_LETTER("'approximately every 5 ms' will do: relative change of K by 5.05 ms",
                  "Individual Control Loops; 200 Hz", "1", IB_NEAR(0.0, 0.01, 0.05),
                  IB__PERIOD_GAIN, HOLDS, ""),
};

// ------------------------------------------------------------------------------------------ filter

static const ib_Claim filter[] = {
    REFERENCE_GAP("kalmd, Q of 5 ms: largest difference, relative", "Discretize; reference D3",
                  IB__KALMAN_QD, ""),
    IB_CLAIM("kalmd, Q of 5 ms against its integral, relative", "Discretize", "1",
             IB_NEAR(0.0, 1e-12, 0), IB__KALMAN_INTEGRAL, HOLDS, "Simpson's rule, 16 panels."),
    IB_CLAIM("kalmd, R of 5 ms: over R_c/dt", "Discretize", "1", IB_NEAR(1.0, 1e-12, 0),
             IB__KALMAN_RD, HOLDS, "With the dt of the correction that is made, not of another."),
    REFERENCE_GAP("steady gains, filter and predictor: largest difference, relative",
                  "reference D3", IB__KALMAN_GAIN, ""),
    REFERENCE_GAP("poles of the steady filter: largest difference, relative", "reference D3",
                  IB__KALMAN_POLES, ""),
    IB_CLAIM("seven rows with uneven dt: largest difference", "HybridControlLoop; reference D3",
             "SI", IB_NEAR(0.0, 1e-9, 0), IB__KALMAN_TABLE, HOLDS, ""),
    IB_CLAIM("'uses Bayes's rule': covariance after a correction, relative", filter_text, "1",
             IB_NEAR(0.0, 1e-9, 0), IB__KALMAN_BAYES, HOLDS,
             "Information adds up: P^-1 + C'R^-1 C. Two inversions may cost eight digits."),
    IB_CLAIM("'use the sensor readings to reduce the covariance': trace after over before",
             filter_text, "1", IB_AT_MOST(1.0), IB__KALMAN_SMALLER, HOLDS, ""),
    IB_CLAIM("it predicts 'new estimations of process and measurement noise': change, as of P",
             filter_text, "1", IB_EQUATION(IB__DESK, IB__KALMAN_CHANGED, 0.01), IB__KALMAN_LEARNT,
             FALSE, "Q and R go in and stay. Only the covariance of the estimate is updated."),
    IB_CLAIM("the controller minimises the error 'by using a Kalman Filter': left after 2 s",
             filter_text, "m", IB_NEAR(0.0, 0.01, 0.05), IB__FILTER_ALONE, FALSE,
             "The filter alone moves nothing: it is the estimator."),
    IB_CLAIM("the same with feedback of the state and no filter", filter_text, "m",
             IB_NEAR(0.0, 0.01, 0.05), IB__FEEDBACK_ALONE, HOLDS, ""),
    IB_CLAIM("'gyroscopes allow further feedback': variance of the yaw rate with one over without",
             drive_text, "1", IB_AT_MOST(1.0), IB__KALMAN_GYRO, HOLDS,
             "Encoders alone know the yaw rate as the difference of two sides."),
    TO_THE_LETTER("Correct takes U: error of the estimate where U reaches the output", code_text,
                  "1", IB_NEAR(0.0, 1e-6, 0), IB__CORRECT_BIAS, FALSE,
                  "x' = -x + u, y = x + u/2. It takes U and does not use it: y - C x^ - D u."),
    TO_THE_LETTER("P stays symmetric: largest P - P' over P", code_text, "1", IB_NEAR(0.0, 0, 0),
                  IB__CORRECT_SKEW, FALSE,
                  "(I - K C) P rounds differently on each side. The library's form of Joseph is "
                  "symmetric to the bit."),
    TO_THE_LETTER("a measurement with R = 1e-18 P: variance over P R/(P + R)", code_text, "1",
                  IB_NEAR(1.0, 1e-9, 0), IB__CORRECT_SURE, FALSE,
                  "1 - K is 0 in doubles: the filter is certain, and listens no more."),
};

// ---------------------------------------------------------------------------------------- polytope

// The public code's answer (reference D4, last column) against the text's rule.
#define CODE_CASE(index, what, verdict, why)                                                       \
    TO_THE_LETTER("public code: " what, "Polytopes; reference D4", "1", IB_NEAR(0.0, 1e-9, 0),     \
                  IB__GOAL_CASE + (index), verdict, why)

static const ib_Claim goals[] = {
    IB_CLAIM("the program's answers to eight cases: largest distance from the reference",
             "Polytopes; reference D4", "1", IB_NEAR(0.0, 1e-12, 0), IB__GOAL_ANSWER, HOLDS,
             "On the line, or told to be off it, as they should."),
    IB_CLAIM("the solution lies inside the region: largest distance from it", polytope_text, "1",
             IB_NEAR(0.0, 1e-12, 0), IB__GOAL_OUTSIDE, HOLDS,
             "The public code leaves it by 3: it ignores sides parallel to the line."),
    IB_CLAIM("where the line crosses the region, the solution is on it: largest distance",
             polytope_text, "1", IB_NEAR(0.0, 1e-12, 0), IB__GOAL_OFF, HOLDS, ""),
    TO_THE_LETTER("also of a dot inside the region: the public code's distance from the line",
                  polytope_text, "1", IB_NEAR(0.0, 1e-9, 0), IB__GOAL_INSIDE, FALSE,
                  "Box of +-12, line x = y, dot (3, 0). It returns the dot as it is."),
    CODE_CASE(0, "dot inside and on the line", HOLDS, ""),
    CODE_CASE(1, "line misses the box: nearest corner", HOLDS, ""),
    CODE_CASE(2, "line through one corner", HOLDS, ""),
    CODE_CASE(3, "line parallel to a side and outside", FALSE, "(12, 15), outside of the box."),
    CODE_CASE(4, "line along a side", FALSE, "An end of the segment, not the nearest point."),
    CODE_CASE(5, "foot of the dot inside the segment", FALSE,
              "(12, 12) instead of (6.5, 6.5): the nearer end."),
    CODE_CASE(6, "horizontal line", HOLDS, ""),
    CODE_CASE(7, "line misses the box, K short", FALSE,
              "Corners are compared with w where w/|K| is meant: the opposite corner."),
    IB_CLAIM("'the problem does generalize to n dimensions': distance, in three", polytope_text,
             "1", IB_NEAR(0.0, 1e-12, 0), IB__GOAL_SPACE, HOLDS, "(6.5, 6.5, 5) by hand."),
    IB_CLAIM("a turn of constant radius at full throttle: radius over the one asked for",
             drive_text, "1", IB_NEAR(1.0, 1e-12, 0), IB__GOAL_RADIUS, HOLDS, ""),
    IB_CLAIM(
        "'all while sending out voltages which are physically possible': speed over that asked for",
        drive_text, "1", IB_AT_MOST(1.0), IB__GOAL_SPEED, HOLDS,
        "From rest 12 V give little of it: the speed gives way, not the radius."),
};

// ----------------------------------------------------------------------------------------- zeroing

#define MOVE(index, place)                                                                         \
    TO_THE_LETTER("position after a move to " #place, zeroing_text, "1", IB_NEAR(place, 0.001, 0), \
                  IB__ZERO_POSITION + (index), HOLDS, "")

static const ib_Claim zeroing[] = {
    TO_THE_LETTER("'300 samples are sufficient': position before the first pulse", zeroing_text,
                  "1", IB_NEAR(3.6, 0.2, 0), IB__ZERO_FILTERED, HOLDS,
                  "kAcceptableUnzeroedError is not printed; the public code has 0.2. Noise of a "
                  "third of the index distance, mean of 30."),
    MOVE(0, 4.01),
    MOVE(1, 4.99),
    MOVE(2, 3.99),
    MOVE(3, 3.01),
    MOVE(4, 13.55),
    TO_THE_LETTER("samples until zeroed, a pulse in each", "reference D5", "1", IB_NEAR(30, 0, 0),
                  IB__ZERO_SAMPLES, HOLDS, "The mean must be full."),
    TO_THE_LETTER("a slip of 0.6 of the distance is told", "reference D5", "1", IB_NEAR(1.0, 0, 0),
                  IB__ZERO_SLIP, HOLDS, "The offset moves by 0.4: above 0.3."),
};

// --------------------------------------------------------------------------------------------- arm

static const ib_Claim arm[] = {
    IB_CLAIM("K1, K2, K3, K4 at three points: accelerations, largest difference", "reference D1",
             "rad/s^2", IB_NEAR(0.0, 1e-9, 0), IB__ARM_RATE, HOLDS,
             "K1 and K2 are right as printed; gravity as below."),
    IB_CLAIM("free swing from (0.5, -0.8) rad: after 1 s, largest difference", "reference D1", "SI",
             IB_NEAR(0.0, 1e-6, 0), IB__ARM_SWING, HOLDS, "Chaotic: compared up to 1 s."),
    IB_CLAIM("nothing drives it, its energy stays: after 1.5 s, gravity (r1 m1 + l1 m2) g sin th1",
             arm_text, "J", IB_NEAR(85.587162961, 1e-8, 0), IB__ARM_MIDST, HOLDS, ""),
    IB_CLAIM("the same after 3 s", arm_text, "J", IB_NEAR(85.587162961, 1e-8, 0), IB__ARM_LAST,
             HOLDS, ""),
    TO_THE_LETTER("with row 1 of gravity as printed, (r1 m1 + l1 m2) s th1'^2: after 1.5 s",
                  arm_text, "J", IB_NEAR(85.587162961, 1e-8, 0.1), IB__ARM_MIDST, FALSE,
                  "No g in it, and a rate: gravity would pull only on moving links. Within 3 s the "
                  "energy is 60.6 J to 94.1 J."),
    TO_THE_LETTER("the same after 3 s", arm_text, "J", IB_NEAR(85.587162961, 1e-8, 0.1),
                  IB__ARM_LAST, FALSE, "Energy comes and goes."),
    TO_THE_LETTER("tau_motor has G1 for both joints: of the second, over K4", arm_text, "1",
                  IB_NEAR(1.0, 1e-9, 0.05), IB__ARM_DRAG, FALSE,
                  "K4 itself has G2 squared. With G1 the back-EMF would be that of another gear."),
    TO_THE_LETTER("K3 has no number of motors: of the second, over that of its two", arm_text, "1",
                  IB_NEAR(1.0, 1e-9, 0.05), IB__ARM_PUSH, FALSE,
                  "The public code has two distal motors, and so have its numbers."),
    TO_THE_LETTER("th'' = K1^-1 (tau - K2 th') leaves the rotor torques out: share of alpha",
                  arm_text, "1", IB_NEAR(0.0, 0.01, 0.05), IB__ARM_ROTOR1, FALSE,
                  "140^2 of a MiniCIM's rotor, 3.2026 kg m^2. Defined, and never used: it belongs "
                  "into K1."),
    TO_THE_LETTER("the same of the second joint: share of gamma", arm_text, "1",
                  IB_NEAR(0.0, 0.01, 0.05), IB__ARM_ROTOR2, FALSE,
                  "2 times 90^2 of one, 2.6471 kg m^2: nearly as much as the link."),
    IB_CLAIM("an arc of 1.8 rad in joint space, 12 V: its fastest motion", "reference D6", "s",
             IB_NEAR(0.538877742, 1e-5, 0), IB__ARM_TIME, HOLDS,
             "By reachability: back-EMF and all, within 12 V everywhere."),
    TO_THE_LETTER("the same by the three passes", "reference D6", "s", IB_NEAR(0.550916, 5e-5, 0),
                  IB__ARM_TIME, HOLDS, "Curvature, backward, forward, in 2000 cells."),
    TO_THE_LETTER("the passes find \"the maximum velocities\" within 12 V: they take longer by",
                  passes_text, "1", IB_NEAR(0.0, 1e-3, 0.01), IB__ARM_SLOWER, FALSE,
                  "The curvature pass wants every speed to be one that can be kept. One that is "
                  "passed through while braking may be higher: 2.2 % of the time."),
};

static const ib_ClaimGroup groups[] = {
    IB_CLAIM_GROUP("State space: the drivetrain of 2016 at the desk", "document", model),
    IB_CLAIM_GROUP("LQR, poles, period", "document", lqr),
    IB_CLAIM_GROUP("Kalman filter", "document", filter),
    IB_CLAIM_GROUP("Polytopes", "document", goals),
    IB_CLAIM_GROUP("Zeroing: the document's unit test, noise without chance", "document", zeroing),
    IB_CLAIM_GROUP("The arm of two links", "document", arm),
};

static ib_Status compute(ib_Findings *findings, ib_Error *error)
{
    ib_ClaimValue *found = findings->values;
    ib_Status status = ib__control_claims_desk(found, error);
    if (status == IB_OK) status = ib__control_claims_lqr(found, error);
    if (status == IB_OK) status = ib__control_claims_kalman(found, error);
    if (status == IB_OK) status = ib__control_claims_goal(found, error);
    ib__control_claims_zeroing(found);
    if (status == IB_OK) status = ib__control_claims_arm(found, error);
    return status;
}

const ib_ClaimDocument ib_control_claims = {
    .name = "control",
    .title = "Controls Documentation 2018 (FRC 971, Spartan Robotics)",
    .forms = {"Ironbird", "to letter"},
    .remark = "Ironbird: results of the desk and the library. to letter: the document's own code "
              "or words, formula by formula (of polytopes: the result of the team's published "
              "code). A claim about the letter is judged by that column, all others by the first. "
              "The effect of each mistake: docs/reference/errata.md#control",
    .errata = ib__control_errata,
    .groups = groups,
    .group_count = IB_CLAIM_COUNT(groups),
    .row_count = IB__CONTROL_ROWS,
    .compute = compute,
};
