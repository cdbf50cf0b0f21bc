// claims/roomba/roomba.c: the claims of "Roomba Robot Simulation" (Ritter, Gorasia, Velez, 2008).
// The reasons of the expected verdicts are in docs/robot/roomba.md.
#include "claims/roomba/roomba.h"

// "Just over" a number.
#define JUST_OVER(value, by)                                                                       \
    {                                                                                              \
        value, 0, by, by, IB_NO_ROW, 0                                                             \
    }
// Two independent ways to one number.
#define SECOND_WAY(row, tolerance) IB_EQUATION(IB_ROOMBA_CORRECTED, row, tolerance)

#define TWO_PI 6.283185307179586

// A drag coefficient is a force over a speed squared: N/(m/s)/(m/s).
#define DRAG_UNIT(what, place, printed, verdict, why)                                              \
    IB_UNIT_CLAIM(what, place, printed, "N*s^2/m^2", "N/m*s/m*s", verdict, why)

enum {
    EQ11 = IB_ROOMBA_PUBLISHED,
    EQ3 = IB_ROOMBA_PUBLISHED_EQ3,
};

static const char straight_text[] = "Straight Line Trajectory";
static const char circle_text[] = "Circular Trajectory";
static const char path_text[] = "Inverse Kinematics";

static const ib_Claim straight[] = {
    IB_CLAIM(
        "x after 2 s", straight_text, "m", IB_PRINTED(1.4, 0.1), IB__STRAIGHT_X, FALSE,
        "Closed form: s cos 30 deg with s = vt tau ln cosh(t/tau). Probably read off the tip of "
        "the last arrow."),
    IB_CLAIM("y after 2 s", straight_text, "m", IB_PRINTED(0.8, 0.1), IB__STRAIGHT_Y, HOLDS, ""),
    IB_CLAIM("x is 1.4 m at", straight_text, "s", IB_PRINTED(2.0, 0.1), IB__STRAIGHT_TIME, FALSE,
             "Event location: 6 % later than claimed."),
    IB_CLAIM("y when x is 1.4 m", straight_text, "m", IB_PRINTED(0.8, 0.1), IB__STRAIGHT_Y_THEN,
             HOLDS, ""),
    IB_CLAIM("velocity is constant at the end: share of the terminal speed", straight_text, "1",
             IB_PRINTED(1.0, 0.01), IB__STRAIGHT_SPEED_SHARE, HOLDS,
             "vt = sqrt(F/kd) = 0.891133 m/s."),
    IB_CLAIM("the line is straight: yaw rate after 2 s", straight_text, "rad/s",
             IB_NEAR(0.0, 1e-9, 0), IB__STRAIGHT_YAW_RATE, HOLDS,
             "Eq. (11) makes a torque out of equal drags and spins."),
    IB_CLAIM("the arrows get larger quickly: 95 % of the cruising speed by half of the 2 s",
             straight_text, "s", IB_AT_MOST(1.0), IB__STRAIGHT_CRUISE_TIME, HOLDS,
             "tau artanh 0.95. The curves of Figure 2b are bent for as long."),
    IB_CLAIM("not slowed at all at the end: acceleration after 2 s", straight_text, "m/s^2",
             IB_NEAR(0.0, 0.02, 0.1), IB__STRAIGHT_ACCELERATION, HOLDS,
             "1 % of the 2 m/s^2 at the start counts as none. It is still gaining."),
    IB_CLAIM("it must overcome friction at first: drag over drive at rest, as it is at 2 s",
             straight_text, "1", SECOND_WAY(IB__STRAIGHT_DRAG_END, 0.05), IB__STRAIGHT_DRAG_START,
             FALSE,
             "Drag goes with the square of the speed: none at rest. Inertia makes the start slow; "
             "friction ends the acceleration."),
    IB_CLAIM("it must overcome friction at first: 1 mN on each wheel does not move it in 1 s",
             straight_text, "m/s", IB_NEAR(0.0, 1e-6, 0), IB__STRAIGHT_NUDGE, FALSE,
             "2 F t/m: this friction lets the smallest force through."),
};

static const ib_Claim circle[] = {
    IB_CLAIM("x after 0.6 s", circle_text, "m", IB_PRINTED(0.9, 0.1), IB__CIRCLE_X, FALSE,
             "A decimal slip, factor 10."),
    IB_CLAIM("y after 0.6 s", circle_text, "m", IB_PRINTED(-0.9, 0.1), IB__CIRCLE_Y, FALSE, ""),
    IB_CLAIM("first maximum of x", circle_text, "m", IB_PRINTED(0.9, 0.1), IB__CIRCLE_TOP_X, FALSE,
             "Event location: vx = 0."),
    IB_CLAIM("y there", circle_text, "m", IB_PRINTED(-0.9, 0.1), IB__CIRCLE_TOP_Y, FALSE, ""),
    IB_CLAIM("time of the first maximum of x", circle_text, "s", IB_PRINTED(0.6, 0.1),
             IB__CIRCLE_TOP_TIME, FALSE, ""),
    IB_CLAIM("first maximum of x, read as 0.09 m", circle_text, "m", IB_NEAR(0.09, 0.005, 0.009),
             IB__CIRCLE_TOP_X, NEARLY, "With the decimal point moved, 'about' is right."),
    IB_CLAIM("y there, read as -0.09 m", circle_text, "m", IB_NEAR(-0.09, 0.005, 0.009),
             IB__CIRCLE_TOP_Y, HOLDS, ""),
    IB_CLAIM("1.27 m from the start in 0.6 s is possible: farthest that any drag allows",
             circle_text, "m", IB_PRINTED(1.2727922061357855, 0.1), IB__CIRCLE_BOUND, FALSE,
             "A drag that only takes energy away keeps the distance below (sqrt(3)/2) (F/m) t^2, "
             "whatever its law."),
    IB_CLAIM("that is the largest x of the whole turn", circle_text, "m",
             SECOND_WAY(IB__CIRCLE_TOP_X, 2e-5), IB__CIRCLE_WHOLE_X, HOLDS,
             "Looked at every 10 ms, which misses a maximum by up to 1.7e-5 m."),
    IB_CLAIM("full turn complete, 'just over 2 s'", circle_text, "s", JUST_OVER(2.0, 0.1),
             IB__CIRCLE_TURN_TIME, HOLDS, "Event location: heading = -2 pi."),
    IB_CLAIM("turning right makes the angle negative: heading after 2 s", "Figure 4", "rad",
             IB_AT_MOST(0.0), IB__CIRCLE_HEADING, HOLDS, ""),
    IB_CLAIM("the speed grows to a constant one: after the turn, over the steady one", circle_text,
             "1", IB_PRINTED(1.0, 0.1), IB__CIRCLE_SPEED_SHARE, HOLDS, ""),
    IB_CLAIM("heading soon linear: yaw rate at 0.5 s over that at 3 s", "Figure 4", "1",
             IB_PRINTED(1.0, 0.1), IB__CIRCLE_YAW_SHARE, HOLDS, ""),
    IB_CLAIM("heading tangent to the circle: slip angle", circle_text, "deg",
             IB_NEAR(0.0, 0.5, 10.0), IB__STEADY_SLIP, NEARLY,
             "The course points 6.7 degrees out of the heading."),
    IB_CLAIM("it can only move forward and rotate: velocity across the heading, tight circle",
             "The Model", "m/s", IB_NEAR(0.0, 0.0016, 0.016), IB__STEADY_SIDE, FALSE,
             "12 % of its speed; 0.5 % counts as none, 5 % as approximately none."),
    IB_CLAIM("k_n makes slip insignificant: radius of the tight circle without slip is r",
             "Constitutive Relationships", "m", IB_PRINTED(0.165, 0.001), IB__STEADY_RADIUS, FALSE,
             "Side slip turns 0.165 m into 0.098 m: the wheel without force rolls backwards."),
};

#define KN_CLAIM(index, text, verdict)                                                             \
    IB_CLAIM("radius of the tight circle, k_n = " text, "Constitutive Relationships", "m",         \
             IB_PRINTED(0.165, 0.001), IB__NO_SLIP_RADIUS + (index), verdict, "")

static const ib_Claim slip[] = {
    KN_CLAIM(0, "1e3", FALSE),
    KN_CLAIM(1, "1e4", FALSE),
    KN_CLAIM(2, "1e5", FALSE),
    KN_CLAIM(3, "1e6", FALSE),
    KN_CLAIM(4, "1e8", NEARLY),
    KN_CLAIM(5, "1e10", NEARLY),
    IB_CLAIM(
        "exponent of k_n in r - radius", "docs/robot/roomba.md", "1", IB_NEAR(-0.25, 0.005, 0),
        IB__NO_SLIP_EXPONENT, HOLDS,
        "vr|vr| = m w vn/(2 kd) and vn ~ kn^(-1/2), so vr ~ kn^(-1/4): from 1e8 to 1e10 a fall "
        "by 3.15."),
};

static const ib_Claim path[] = {
    IB_CLAIM("first straight, x at 2.4 s", path_text, "m", IB_PRINTED(2.0, 0.1), IB__LEG_X, FALSE,
             "7 % short."),
    IB_CLAIM("first straight, x is 2 m at", path_text, "s", IB_PRINTED(2.4, 0.1), IB__LEG_TIME,
             FALSE, ""),
    IB_CLAIM("y is zero before the circle", path_text, "m", IB_NEAR(0.0, 0.005, 0.05), IB__LEG_Y,
             HOLDS, ""),
    IB_CLAIM("radius of the circle", path_text, "m", IB_PRINTED(1.0, 0.1), IB__RING_RADIUS, HOLDS,
             "k_n is large enough here: the slip angle is small on a wide circle."),
    IB_CLAIM("width of the circle", path_text, "m", IB_PRINTED(2.0, 0.1), IB__RING_WIDTH, HOLDS,
             ""),
    IB_CLAIM("height of the circle", path_text, "m", IB_PRINTED(2.0, 0.1), IB__RING_HEIGHT, HOLDS,
             "Event location: vy = 0."),
    IB_CLAIM("arrows tangent to the circle: slip angle", path_text, "deg", IB_NEAR(0.0, 0.5, 10.0),
             IB__RING_SLIP, NEARLY, "The course points 2.1 degrees out of the heading, too."),
    IB_CLAIM("counter-clockwise with more force on the right wheel: yaw rate", "Figure 6", "rad/s",
             IB_AT_LEAST(0.0), IB__RING_YAW_RATE, HOLDS, ""),
    IB_CLAIM("returns to where it started the circle: distance at 10.6665 s", path_text, "m",
             IB_NEAR(0.0, 0.005, 0.05), IB__RING_RETURN, FALSE,
             "53 mm off, 46 of them ahead. 'Approximately' would be 5 % of the radius. It cannot "
             "close: it enters the circle too fast and does not yet turn."),
    IB_CLAIM("circle complete: heading at 10.6665 s", path_text, "rad", IB_PRINTED(TWO_PI, 0.1),
             IB__RING_HEADING, NEARLY,
             "6.4 degrees short; the yaw rate that is left makes up for most of it."),
    IB_CLAIM("circle complete at", path_text, "s", IB_PRINTED(10.7, 0.1), IB__RING_TIME, NEARLY,
             "Event location: heading = 2 pi, the circle leg continued."),
    IB_CLAIM("final heading: along x", path_text, "rad", IB_PRINTED(TWO_PI, 0.01), IB__LAST_HEADING,
             NEARLY, "0.96 degrees short."),
    IB_CLAIM("x at 18 s", path_text, "m", IB_PRINTED(4.0, 0.1), IB__LAST_X, HOLDS, ""),
    IB_CLAIM("'2 additional meters' after the circle, until 18 s", path_text, "m",
             IB_PRINTED(2.0, 0.1), IB__LAST_LEG, NEARLY,
             "2.09 m from where the circle leg ends; it is not where the circle began."),
    IB_CLAIM("complete in 'approximately 18 seconds': x is 4 m at", path_text, "s",
             IB_PRINTED(18.0, 1.0), IB__LAST_TIME, HOLDS, "Event location."),
    IB_CLAIM("arrows get smaller at the end: speed at 18 s over that at 11.84589 s", "Figure 5",
             "1", IB_AT_MOST(1.0), IB__LAST_SHARE, HOLDS, ""),
    IB_CLAIM("y is zero after the circle: y at 18 s", path_text, "m", IB_NEAR(0.0, 0.005, 0.05),
             IB__LAST_Y, NEARLY, ""),
    IB_CLAIM("coasts to a stop: speed at 18 s", path_text, "m/s", IB_NEAR(0.0, 0.005, 0.0446),
             IB__LAST_SPEED, FALSE,
             "v = v0/(1 + 2 kd v0 t/m) never is zero; 'approximately' would be 5 % of the terminal "
             "speed."),
    IB_CLAIM("full force to the end: x is 4 m at", path_text, "s", IB_PRINTED(14.3, 0.1),
             IB__FULL_TIME, FALSE,
             "No reading of the sentence gives 14.3 s; 11.84589 + 2.4 = 14.246 is nearest."),
    IB_CLAIM("full force to the end: x at 14.3 s", path_text, "m", IB_PRINTED(4.0, 0.1), IB__FULL_X,
             FALSE, ""),
};

#define YAW_WORDS "yaw acceleration at vt 0.5 m/s, w -1 rad/s, no force"

static const ib_Claim equations[] = {
    IB_CLAIM("(3) with (9), (10): " YAW_WORDS, "(3)", "rad/s^2",
             IB_EQUATION(EQ3, IB__YAW_ACCELERATION, 1e-9), IB__YAW_ACCELERATION, FALSE,
             "Drag is already negative in (9) and (10); (3) turns its sign once more."),
    IB_CLAIM("(11): " YAW_WORDS, "(11), (14)", "rad/s^2",
             IB_EQUATION(EQ11, IB__YAW_ACCELERATION, 1e-9), IB__YAW_ACCELERATION, FALSE,
             "The drags of the two wheels must be subtracted, not added."),
    IB_CLAIM("appendix code: " YAW_WORDS, "Appendix", "rad/s^2",
             SECOND_WAY(IB__YAW_ACCELERATION_CODE, 1e-9), IB__YAW_ACCELERATION, HOLDS,
             "The code has the right sign, and its results are those of the figures."),
    IB_CLAIM("moment of the two drags: " YAW_WORDS, "Figure 1", "rad/s^2",
             SECOND_WAY(IB__YAW_ACCELERATION_MOMENT, 1e-9), IB__YAW_ACCELERATION, HOLDS, ""),
    IB_CLAIM(
        "(3): growth rate of a small yaw rate, straight running", "(3)", "1/s",
        IB_EQUATION(EQ3, IB__YAW_GROWTH, 1e-3), IB__YAW_GROWTH, FALSE,
        "Measured as ln(w/w0)/t. Printed: +8 kd vt/m, a straight line is unstable. Corrected: -8 "
        "kd vt/m."),
    IB_CLAIM(
        "(3): left wheel alone, finite until", "(3)", "s",
        IB_EQUATION(EQ3, IB__CIRCLE_FINITE, 1e-3), IB__CIRCLE_FINITE, FALSE,
        "A pole of the yaw rate: 1/w falls along a straight line, extrapolated to zero. The run "
        "is 3 s long."),
    IB_CLAIM("(11): both wheels, yaw rate after 2 s", "(11), (14)", "rad/s",
             IB_EQUATION(EQ11, IB__STRAIGHT_YAW_RATE, 1e-3), IB__STRAIGHT_YAW_RATE, FALSE, ""),
    IB_CLAIM("(11): left wheel alone, yaw rate after 3 s", "(11), (14)", "rad/s",
             IB_EQUATION(EQ11, IB__CIRCLE_YAW_RATE, 1e-3), IB__CIRCLE_YAW_RATE, FALSE,
             "And growing: there is no steady circle."),
    IB_CLAIM("(11): schedule, yaw rate after 2.4 s", "(11), (14)", "rad/s",
             IB_EQUATION(EQ11, IB__LEG_YAW_RATE, 1e-3), IB__LEG_YAW_RATE, FALSE, ""),
    DRAG_UNIT("unit of k_n", "Constitutive Relationships", "N*s^2/m", FALSE,
              "A force over a speed squared."),
    DRAG_UNIT("unit of k_drag", "Constitutive Relationships", "N*s^2/m", FALSE,
              "A force over a speed squared."),
    DRAG_UNIT("unit in the code's comments", "Appendix", "N*s^2/m^2", HOLDS, "Printed N/(m/s)^2."),
    IB_CLAIM(
        "dX_dt returns a Jacobian: its entries", "Model Verification", "1", IB_NEAR(36.0, 0, 0),
        IB__RATE_ENTRIES, FALSE,
        "It returns the right-hand side, 6 numbers; the Jacobian would be its 6 x 6 derivatives."),
};

// Each printed equation at one state with motion in all directions: th 0.7, x' 0.4, y' -0.3, th'
// 1.2, Fl 1.1 N, Fr -2.3 N. The same numbers in another order of operations: only rounding
// may differ.
#define PRINTED(what, place, si, row)                                                              \
    IB_CLAIM(what, place, si, SECOND_WAY((row) + 1, 1e-12), row, HOLDS, "")

static const ib_Claim laws[] = {
    PRINTED("x'', sum of forces", "(1)", "m/s^2", IB__EQUATION_AX),
    PRINTED("y'', sum of forces", "(2)", "m/s^2", IB__EQUATION_AY),
    PRINTED("velocity across the heading", "(4)", "m/s", IB__EQUATION_VN),
    PRINTED("speed of the left wheel", "(5)", "m/s", IB__EQUATION_VL),
    PRINTED("speed of the right wheel", "(6)", "m/s", IB__EQUATION_VR),
    PRINTED("moment of inertia", "(7)", "kg*m^2", IB__EQUATION_INERTIA),
    PRINTED("force across the heading, each wheel", "(8)", "N", IB__EQUATION_SIDE),
    PRINTED("drag of the right wheel", "(9)", "N", IB__EQUATION_DRAG_RIGHT),
    PRINTED("drag of the left wheel", "(10)", "N", IB__EQUATION_DRAG_LEFT),
    IB_CLAIM("x'', final form", "(12), (14)", "m/s^2", SECOND_WAY(IB__EQUATION_AX_12, 1e-12),
             IB__EQUATION_AX, HOLDS, ""),
    IB_CLAIM("y'', final form", "(13), (14)", "m/s^2", SECOND_WAY(IB__EQUATION_AY_13, 1e-12),
             IB__EQUATION_AY, HOLDS, ""),
    IB_CLAIM("x'' of the code", "Appendix", "m/s^2", SECOND_WAY(IB__EQUATION_AX_CODE, 1e-12),
             IB__EQUATION_AX, HOLDS, "Its Fnorm has the other sign, and so has its place."),
    IB_CLAIM("y'' of the code", "Appendix", "m/s^2", SECOND_WAY(IB__EQUATION_AY_CODE, 1e-12),
             IB__EQUATION_AY, HOLDS, ""),
    IB_CLAIM("the bars let a drag act against the motion: its largest power, both ways",
             "(8)-(10), text", "W", IB_AT_MOST(0.0), IB__EQUATION_POWER, HOLDS, ""),
    IB_CLAIM("F_n is the same at each wheel, hence the factor 2: left over right", "(1), (2), text",
             "1", IB_NEAR(1.0, 1e-12, 0), IB__EQUATION_SIDES, HOLDS,
             "Both wheels stand on the axle: turning adds nothing across the heading."),
};

static const ib_Claim trust[] = {
    IB_CLAIM("straight: distance after 2 s", "vt tau ln cosh(t/tau)", "m",
             SECOND_WAY(IB__STRAIGHT_DISTANCE_CLOSED, 1e-9), IB__STRAIGHT_DISTANCE, HOLDS, ""),
    IB_CLAIM("straight: speed after 2 s", "vt tanh(t/tau)", "m/s",
             SECOND_WAY(IB__STRAIGHT_SPEED_CLOSED, 1e-9), IB__STRAIGHT_SPEED, HOLDS, ""),
    IB_CLAIM("coast: speed at 18 s", "v0/(1 + 2 kd v0 t/m)", "m/s",
             SECOND_WAY(IB__LAST_SPEED_CLOSED, 1e-5), IB__LAST_SPEED, HOLDS,
             "The closed form knows nothing of the little slip that the circle left."),
    IB_CLAIM("tight circle: radius", "Root of the equilibrium", "m",
             SECOND_WAY(IB__STEADY_RADIUS_ROOT, 1e-9), IB__STEADY_RADIUS, HOLDS, ""),
    IB_CLAIM("tight circle: speed", "Root of the equilibrium", "m/s",
             SECOND_WAY(IB__STEADY_SPEED_ROOT, 1e-9), IB__STEADY_SPEED, HOLDS, ""),
    IB_CLAIM("tight circle: yaw rate", "Root of the equilibrium", "rad/s",
             SECOND_WAY(IB__STEADY_YAW_RATE_ROOT, 1e-9), IB__STEADY_YAW_RATE, HOLDS, ""),
    IB_CLAIM("tight circle: slip angle", "Root of the equilibrium", "deg",
             SECOND_WAY(IB__STEADY_SLIP_ROOT, 1e-7), IB__STEADY_SLIP, HOLDS, ""),
    IB_CLAIM("tight circle: speed of the right wheel", "Root of the equilibrium", "m/s",
             SECOND_WAY(IB__STEADY_RIGHT_WHEEL_ROOT, 1e-9), IB__STEADY_RIGHT_WHEEL, HOLDS,
             "Backwards."),
    IB_CLAIM("wide circle: radius", "Root of the equilibrium", "m",
             SECOND_WAY(IB__RING_RADIUS_ROOT, 1e-9), IB__RING_RADIUS, HOLDS, ""),
    IB_CLAIM("yaw damping at terminal speed", "-8 kd vt/m", "1/s",
             SECOND_WAY(IB__YAW_GROWTH_CLOSED, 1e-3), IB__YAW_GROWTH, HOLDS, ""),
    IB_CLAIM("schedule: error of RK4 at 1 ms, steps cut at the switches", "dopri5 at 1e-12", "SI",
             IB_NEAR(0.0, 1e-9, 0), IB__RK4_ERROR, HOLDS, "Largest over the states at 18 s."),
    IB_CLAIM("schedule: error of RK4 at 1 ms, switches inside the right-hand side",
             "dopri5 at 1e-12", "SI", IB_NEAR(0.0, 1e-6, 0), IB__RK4_ERROR_INSIDE, FALSE,
             "A step across a switch is only first order: why a step must be cut there."),
};

static const ib_ClaimGroup groups[] = {
    IB_CLAIM_GROUP("STRAIGHT LINE: 2.7 N on both wheels, from rest, heading 30 degrees (Figure 2)",
                   "document", straight),
    IB_CLAIM_GROUP("CIRCLE: 2.7 N on the left wheel alone, from rest (Figures 3, 4)", "document",
                   circle),
    IB_CLAIM_GROUP("HOW LARGE k_n WOULD HAVE TO BE: the same circle, root of the equilibrium",
                   "no slip", slip),
    IB_CLAIM_GROUP("SCHEDULE: line, circle, line, coast (Figures 5, 6)", "document", path),
    IB_CLAIM_GROUP("YAW EQUATIONS AND UNITS AS PRINTED, beside the corrected ones", "printed",
                   equations),
    IB_CLAIM_GROUP("THE OTHER EQUATIONS AS PRINTED, at a state in which everything moves",
                   "printed", laws),
    IB_CLAIM_GROUP("TWO WAYS TO EACH NUMBER: accuracy of the computed values", "other way", trust),
};

const ib_ClaimDocument ib_roomba_claims = {
    .name = "roomba",
    .title = "Roomba Robot Simulation (Ritter, Gorasia, Velez; 21 November 2008)",
    .forms = {"corrected", "eq. (11)", "eq. (3)"},
    .remark = "corrected: I th'' = (Fr - Fl + F_drag,r - F_drag,l) r. eq. (11): the yaw equation "
              "as printed in (11) and (14), drags added. eq. (3): (3) as printed with (9) and (10) "
              "inserted. A '-': the run blew up before, or the value means nothing there. The "
              "verdict compares the first column with 'corrected'. "
              "Derivations: docs/robot/roomba.md",
    .errata = ib_roomba_errata,
    .groups = groups,
    .group_count = IB_CLAIM_COUNT(groups),
    .row_count = IB__ROOMBA_ROWS,
    .compute = ib__roomba_claims_compute,
};
