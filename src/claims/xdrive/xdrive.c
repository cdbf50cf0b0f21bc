// claims/xdrive/xdrive.c: "FTC 12566 Equations", an X-drive's, sentence by sentence and equation by
// equation. The reasons of the expected verdicts are in docs/reference/errata.md#xdrive.
#include "claims/xdrive/xdrive.h"

#include <math.h>
#include <stdio.h>

static const char driving_text[] = "1 Driving";
static const char turning_text[] = "2 Turning";

// Claims judged by the printed law, and by the standard law.
#define AS_PRINTED(what, place, si, rule_, row_, verdict, why)                                     \
    {                                                                                              \
        .claim = (what), .where = (place), .unit = (si), .rule = rule_, .row = (row_),             \
        .form = IB__PRINTED, .expected = IB_VERDICT_##verdict, .note = (why)                       \
    }
#define AS_STANDARD(what, place, si, rule_, row_, verdict, why)                                    \
    {                                                                                              \
        .claim = (what), .where = (place), .unit = (si), .rule = rule_, .row = (row_),             \
        .form = IB__STANDARD, .expected = IB_VERDICT_##verdict, .note = (why)                      \
    }

// ----------------------------------------------------------------------------------------- driving

#define TABLE_POINT(index, x, y, verdict, why)                                                     \
    AS_PRINTED("f(" #x ", " #y ") is that of (10) to (13): largest difference of a motor",         \
               "(" #index "); reference C1", "1", IB_NEAR(0.0, 0, 0),                              \
               IB__XDRIVE_POINT + (index)-1, verdict, why)

static const ib_Claim driving[] = {
    TABLE_POINT(1, 0, 0, HOLDS, ""),
    TABLE_POINT(2, 1, 1, HOLDS, ""),
    TABLE_POINT(3, 1, 0, HOLDS, ""),
    TABLE_POINT(4, 1, -1, HOLDS, ""),
    TABLE_POINT(5, 0, -1, HOLDS, ""),
    TABLE_POINT(6, -1, -1, HOLDS, ""),
    TABLE_POINT(7, -1, 0, HOLDS, ""),
    TABLE_POINT(8, -1, 1, HOLDS, ""),
    TABLE_POINT(9, 0, 1, FALSE, "Motor 4 is 1 by (13), and by symmetry with (5); 0 is printed."),
    AS_PRINTED("(9) drives forward: its turn to the right, as a share of the full one",
               "(9); reference C1", "1", IB_NEAR(0.0, 0, 0), IB__XDRIVE_NINE, FALSE,
               "[1, -1, -1, 0] turns while it drives; [1, -1, -1, 1] does not."),
    AS_PRINTED("(14) to (21) are the slopes of (10) to (13): largest difference", "(14)-(21)", "1",
               IB_NEAR(0.0, 1e-9, 0), IB__XDRIVE_SLOPES, HOLDS,
               "Central differences at 20000 points inside of the half-quadrants."),
    AS_PRINTED("'the partial derivative is always either 1, -1, or 0': how many are not",
               driving_text, "1", IB_NEAR(0.0, 0, 0), IB__XDRIVE_ODD, HOLDS, ""),
    AS_PRINTED("'hence, the derivative is constant': different slopes of motor 4", driving_text,
               "1", IB_NEAR(1.0, 0, 0), IB__XDRIVE_KINDS, FALSE,
               "(1, 0), (0, 1) and (1, 1): constant in a half-quadrant, another one in the next."),
    AS_PRINTED("'will smoothly transition': largest change of an output over 1e-9 of the stick",
               driving_text, "1", IB_NEAR(0.0, 3e-9, 0), IB__XDRIVE_JUMP, HOLDS,
               "It has no jumps. It has corners, at the axes and the diagonals."),
    AS_PRINTED("'the correct direction should be applied': largest error", driving_text, "deg",
               IB_NEAR(0.0, 1e-9, 0), IB__XDRIVE_ERROR, FALSE,
               "Slopes of 1, -1 and 0 do not give a direction: each wheel is cut by itself, at the "
               "larger of |x| and |y|. The standard law cuts all by one number."),
    AS_PRINTED("the largest error of the direction, atan(1/2) - atan(1/3)", "reference C2", "deg",
               IB_NEAR(8.130102354, 5e-10, 0), IB__XDRIVE_ERROR, HOLDS, ""),
    AS_PRINTED("where that is: the stick at atan(1/2), and its mirror images", "reference C2",
               "deg", IB_NEAR(26.565051177, 1e-5, 0), IB__XDRIVE_WORST, HOLDS,
               "A maximum is flat: its place is known to half of the digits."),
    AS_STANDARD("the largest error of the direction under the standard law", "reference C2", "deg",
                IB_NEAR(0.0, 1e-9, 0), IB__XDRIVE_ERROR, HOLDS, ""),
    AS_PRINTED("in the octant 0 <= y <= x it drives with the slope t/(2 - t): largest difference",
               "reference C2", "1", IB_NEAR(0.0, 1e-12, 0), IB__XDRIVE_OCTANT, HOLDS,
               "t = y/x. Always towards the nearest axis."),
    AS_PRINTED("f is [y - x, -x - y, x - y, x + y], each within the larger of |x| and |y|: largest "
               "difference",
               "reference C2", "1", IB_NEAR(0.0, 0, 0), IB__XDRIVE_IDENTITY, HOLDS,
               "401 x 401 sticks, to the bit."),
    AS_PRINTED("x is 'the speed to move right': at (0.5, 0.25), over the commanded one",
               driving_text, "1", IB_NEAR(1.0, 1e-12, 0.05), IB__XDRIVE_SPEED, FALSE,
               "(0.375, 0.125) is driven. The standard law drives (0.5, 0.25)."),
    AS_PRINTED("speed along a diagonal, the stick on its circle", "reference C2", "1",
               IB_NEAR(0.5, 1e-12, 0), IB__XDRIVE_DIAGONAL, HOLDS,
               "Two of four motors rest. Under the standard law it is 0.707."),
};

// ----------------------------------------------------------------------------------------- turning

static const ib_Claim turning[] = {
    IB_CLAIM("'only two touching half-quadrants would be affected': at full stick", turning_text,
             "1", IB_NEAR(2.0, 0, 0), IB__XDRIVE_EDGE, HOLDS,
             "Of the corrected functions. (23) changes four as printed."),
    IB_CLAIM("the same at half stick", turning_text, "1", IB_NEAR(2.0, 0, 0), IB__XDRIVE_INSIDE,
             FALSE,
             "All eight: 1 - m of the turn is everywhere, and turns the robot at rest. "
             "'Need only be altered in order to maintain continuity' is most of it."),
    AS_PRINTED("T is 'the speed to turn right': turn to the right at rest, T = 1", turning_text,
               "1", IB_NEAR(1.0, 0, 0), IB__XDRIVE_RIGHT, FALSE,
               "Right and left are the same [T, T, T, T] at rest: to the left, as motors 1 to 4 "
               "stand here; with other places one of them is wrong as well."),
    AS_PRINTED("the eight functions stay within 1, T a magnitude: how many do", "reference C3", "1",
               IB_NEAR(8.0, 0, 0), IB__XDRIVE_MAGNITUDE, FALSE, "(22), (23) and (28) do not."),
    AS_PRINTED("the same with T below 0 to the left", "reference C3", "1", IB_NEAR(8.0, 0, 0),
               IB__XDRIVE_SIGNED, FALSE,
               "(22), (25), (27), (28) and (29) do not: no sign of T makes all of them right."),
    AS_PRINTED(
        "T is 'the speed to turn right': turn to the right in the corner (1, 1), T = 1",
        turning_text, "1", IB_NEAR(1.0, 0, 0), IB__XDRIVE_CORNER, FALSE,
        "In a corner nothing turns, corrected or not. The standard law gives a third to each."),
    IB_CLAIM("corrected, the outputs of all sticks and turns: the largest", "reference C4", "1",
             IB_NEAR(1.0, 1e-12, 0), IB__XDRIVE_LARGEST, HOLDS, "81 x 81 sticks, 41 turns."),
    IB_CLAIM("corrected, a turn changes along an axis of the stick with at most 2 T",
             "reference C4", "1", IB_NEAR(2.0, 1e-9, 0), IB__XDRIVE_STEEPEST, HOLDS, ""),
    IB_CLAIM("corrected, it still drives where the stick points while it turns: largest error",
             turning_text, "deg", IB_NEAR(0.0, 1e-9, 0), IB__XDRIVE_BEND, FALSE,
             "Full stick to the left and full turn to the right drive backwards to the left. As "
             "printed it may drive the other way altogether."),
    IB_CLAIM("that error, corrected", "reference C4", "deg", IB_NEAR(45, 1e-9, 0), IB__XDRIVE_BEND,
             HOLDS, ""),
    AS_STANDARD("that error, standard", "reference C4", "deg", IB_NEAR(0.0, 1e-9, 0),
                IB__XDRIVE_BEND, HOLDS, "Speed and turn give way together."),
    IB_CLAIM("seven sticks with turns, corrected: largest difference", "reference C4", "1",
             IB_NEAR(0.0, 1e-9, 0), IB__XDRIVE_TABLE, HOLDS, ""),
    AS_PRINTED("seven sticks with turns, as printed: largest difference", "reference C4", "1",
               IB_NEAR(0.0, 1e-9, 0), IB__XDRIVE_TABLE, HOLDS, ""),
    AS_STANDARD("seven sticks with turns, standard: largest difference", "reference C4", "1",
                IB_NEAR(0.0, 1e-9, 0), IB__XDRIVE_TABLE, HOLDS, ""),
};

// --------------------------------------------------------------------------------------- functions

#define ROW(index, what) (IB__XDRIVE_TURN + (index)*IB__TURN_ROWS + (what))
#define FUNCTION(index, place, name, range, range_why, steady, steady_why, whole, whole_why, rest, \
                 side, rest_why)                                                                   \
    AS_PRINTED(name ": f + t stays within 1: the largest", place, "1", IB_NEAR(1.0, 1e-12, 0),     \
               ROW(index, IB__TURN_LARGEST), range, range_why),                                    \
        AS_PRINTED(name " maintains continuity: its largest jump", place, "1",                     \
                   IB_NEAR(0.0, 1e-8, 0), ROW(index, IB__TURN_JUMP), steady, steady_why),          \
        AS_PRINTED(name ": of 16 directions, those without a case", place, "1",                    \
                   IB_NEAR(0.0, 0, 0), ROW(index, IB__TURN_HOLES), whole, whole_why),              \
        AS_PRINTED(name " turns that way at rest: motor, T = 1", place, "1", IB_NEAR(side, 0, 0),  \
                   ROW(index, IB__TURN_REST), rest, rest_why)

static const char sign[] = "(1 - m) T has the wrong sign, if the parts with 2 are right.";

static const ib_Claim functions[] = {
    FUNCTION(0, "(22)", "t_1r", FALSE, "Case 1 must have (1 + x) T.", FALSE,
             "By 2 |y| T on the upper left diagonal.", HOLDS, "", FALSE, -1.0, sign),
    FUNCTION(1, "(23)", "t_1l", FALSE, "Case 1 must have -2 (y + |x|) T: f is -1 there.", FALSE,
             "Case 4 must have (1 + x) T.", FALSE,
             "The upper left diagonal. Case 4 must have -x >= |y|.", HOLDS, 1.0, ""),
    FUNCTION(2, "(24)", "t_2r", HOLDS, "", FALSE, "At the sector that is left out.", FALSE,
             "Case 4 repeats case 2: x > |y| is left out, a quarter of all sticks.", FALSE, -1.0,
             sign),
    FUNCTION(3, "(25)", "t_2l", HOLDS, "", HOLDS, "", HOLDS, "", HOLDS, 1.0, ""),
    FUNCTION(4, "(26)", "t_3r", HOLDS, "", HOLDS, "", HOLDS, "", FALSE, -1.0, sign),
    FUNCTION(5, "(27)", "t_3l", HOLDS, "", FALSE, "At the sector that is left out.", FALSE,
             "Case 4 repeats case 1: -x > |y| is left out, a quarter of all sticks.", HOLDS, 1.0,
             ""),
    FUNCTION(6, "(28)", "t_4r", FALSE, "Case 1 must have -2 (y - |x|) T: f is 1 there.", HOLDS, "",
             HOLDS, "", FALSE, -1.0, sign),
    FUNCTION(7, "(29)", "t_4l", HOLDS, "", HOLDS, "", HOLDS, "", HOLDS, 1.0, ""),
};

// ---------------------------------------------------------------------------------------- the rest

static const ib_Claim loops[] = {
    IB_CLAIM(
        "'a higher D value corresponds to less deceleration': downhill with 1 m/s, 8/s over "
        "2/s",
        "3 PID, (32)", "1", IB_AT_MOST(1.0), IB__XDRIVE_BRAKE, FALSE,
        "D d(p_t - p_c)/dt is -D v: it brakes, and more of it brakes more. 5 degrees, per kg."),
    IB_CLAIM("the same: way beyond the goal, 8/s over 2/s", "3 PID, (32)", "1", IB_AT_LEAST(1.0),
             IB__XDRIVE_STOP, FALSE, "Past the goal with 1 m/s, P = 25/s^2."),
    IB_CLAIM("the same, of the largest deceleration in a step from rest", "3 PID, (32)", "1",
             IB_AT_MOST(1.0), IB__XDRIVE_PEAK, HOLDS,
             "So read it holds: with more D it never becomes as fast."),
    IB_CLAIM("'useful ... downhill ... to stop in a relatively short distance': 8/s over none",
             "3 PID, (32)", "1", IB_AT_MOST(1.0), IB__XDRIVE_DOWNHILL, HOLDS,
             "Which more deceleration does, and less would not."),
    IB_CLAIM("'very little power ... not be enough to overcome friction': error of P after 1 m",
             "3 PID, (31)", "m", IB_AT_LEAST(0.01), IB__XDRIVE_SHORT, HOLDS,
             "P = 25/s^2, D = 8/s, friction 1 N/kg: it may stop anywhere within 4 cm."),
    IB_CLAIM("the integral is used 'to overcome friction': error with I = 20/s^3", "3 PID, (31)",
             "m", IB_NEAR(0.0, 0.001, 0.01), IB__XDRIVE_ARRIVES, HOLDS, "After 10 s."),
    AS_PRINTED("(33) is the angle: error after 90 degrees, from rest to rest", "4 Gyro, (33)",
               "deg", IB_NEAR(0.0, 0.001, 0.1), IB__XDRIVE_SUM, HOLDS, "Every 20 ms, in 1 s."),
    AS_PRINTED("(33) in the middle of that turn: ahead by x dt/2", "4 Gyro, (33)", "deg",
               IB_NEAR(1.8, 0.001, 0.01), IB__XDRIVE_LEAD, HOLDS,
               "180 deg/s. Sums of trapezoids have no such error."),
    AS_PRINTED("the sum was 'up to ten orders of magnitude off': most that a bad rate can do",
               "4 Gyro, (33)", "1", IB_NEAR(10, 0.5, 1), IB__XDRIVE_ORDERS, FALSE,
               "300 deg/s, the end of its range, for all of a match of 150 s, over a turn of 90 "
               "degrees. Ten take a wrong unit (ns for s are nine), or a turn of nearly 0."),
    AS_PRINTED("(34), the robot as it started: forward of the stick's forward", "4.1, (34)", "1",
               IB_NEAR(1.0, 1e-12, 0), IB__XDRIVE_AHEAD, FALSE,
               "atan2(x, y) of C and Java has y first: forward becomes right."),
    AS_PRINTED("(34), a quarter turned to the left: right of the stick's forward", "4.1, (34)", "1",
               IB_NEAR(1.0, 1e-12, 0), IB__XDRIVE_QUARTER, FALSE,
               "Away from the driver is then to the robot's right."),
    AS_PRINTED("the same where atan2(x, y) means the angle of (x, y)", "4.1, (34)", "1",
               IB_NEAR(1.0, 1e-12, 0), IB__XDRIVE_MEANT, FALSE,
               "+a turns the stick with the robot instead of back."),
    AS_PRINTED("the same, and a counted clockwise", "4.1, (34)", "1", IB_NEAR(1.0, 1e-12, 0),
               IB__XDRIVE_CLOCKWISE, HOLDS, "'The amount the robot has turned' has no sign."),
    AS_PRINTED("(34) keeps how far the stick is: largest difference", "4.1, (34)", "1",
               IB_NEAR(0.0, 1e-12, 0), IB__XDRIVE_LENGTH, HOLDS, ""),
    IB_CLAIM("six sticks in their frames, corrected: largest difference", "reference C5", "1",
             IB_NEAR(0.0, 1e-10, 0), IB__XDRIVE_FRAME, HOLDS, ""),
    AS_PRINTED("six sticks in their frames, as printed: largest difference", "reference C5", "1",
               IB_NEAR(0.0, 1e-10, 0), IB__XDRIVE_FRAME, HOLDS, ""),
    IB_CLAIM("'requires no turns': turn on the way left and forward, in seconds of full turn",
             "6.1", "s", IB_NEAR(0.0, 1e-12, 0), IB__XDRIVE_ROUTE, HOLDS,
             "For a holonomic robot. A tank would turn twice to unhook to the left."),
    IB_CLAIM("'drives slightly to the left': ahead over left", "6.1", "1", IB_NEAR(0.0, 1e-12, 0),
             IB__XDRIVE_SIDEWAYS, HOLDS, ""),
    AS_PRINTED("the same route where forward is what (9) has", "6.1, (9)", "s",
               IB_NEAR(0.0, 1e-12, 0), IB__XDRIVE_ROUTE_9, FALSE,
               "Half a second of full turn, in two seconds."),
};

static const ib_ClaimGroup groups[] = {
    IB_CLAIM_GROUP("Driving: the table, (10) to (21)", "document", driving),
    IB_CLAIM_GROUP("Turning", "document", turning),
    IB_CLAIM_GROUP("Turning: (22) to (29), one by one", "document", functions),
    IB_CLAIM_GROUP("Loops, gyro, the driver's frame, route 6.1", "document", loops),
};

static ib_Status compute(ib_Findings *findings, ib_Error *error)
{
    (void)error; // nothing can fail
    ib__xdrive_claims_driving(findings->values);
    ib__xdrive_claims_turning(findings->values);
    ib__xdrive_claims_control(findings->values);
    return IB_OK;
}

// ------------------------------------------------------------------------------------------- table

static const char *const headings[] = {"eq.",       "stick x, y, turn", "table", "published",
                                       "corrected", "standard",         NULL};

static void write_outputs(const double *output, char *text, size_t size)
{
    size_t used = 0;
    for (int i = 0; i < IB_XDRIVE_MOTORS && used < size; i++) {
        double value = fabs(output[i]) < 1e-12 ? 0 : output[i]; // no "-0"
        used += (size_t)snprintf(text + used, size - used, i ? ", %.4g" : "%.4g", value);
    }
}

// A row of the table is a stick: one of (1) to (9), then those of reference C4.
static bool cell(const ib_Findings *findings, int row, int column, char *text, size_t size)
{
    (void)findings; // the laws are evaluated again
    static const int laws[] = {IB_MIXING_PUBLISHED, IB_MIXING_CORRECTED, IB_MIXING_STANDARD};
    if (row >= IB__XDRIVE_POINTS + IB__XDRIVE_TURNS) return false;
    bool printed = row < IB__XDRIVE_POINTS;
    const ib__XdriveRow *point =
        printed ? &ib__xdrive_points[row] : &ib__xdrive_turns[row - IB__XDRIVE_POINTS];
    const ib_Stick *stick = &point->stick;
    ib_XdriveAnswer answer;
    text[0] = 0;
    if (column == 0 && printed)
        snprintf(text, size, "(%d)", row + 1);
    else if (column == 1)
        snprintf(text, size, "%g, %g, %g", stick->x, stick->y, stick->turn);
    else if (column == 2 && printed)
        write_outputs(point->outputs[IB__PRINTED], text, size);
    else if (column > 2) {
        ib_xdrive_answer(laws[column - 3], stick, &answer);
        write_outputs(answer.output, text, size);
    }
    return true;
}

static const ib_ClaimTable table = {
    "Outputs of motors 1 to 4 (front right, front left, back left, back right; all forward turn "
    "the robot left)\nat the table's points and with turns to the right (below 0: to the left)",
    headings,
    cell,
};

const ib_ClaimDocument ib_xdrive_claims = {
    .name = "xdrive",
    .title = "FTC 12566 Equations (Aztechs Robotics, 2019): an X-drive",
    .forms = {[IB__MENDED] = "corrected", [IB__PRINTED] = "published", [IB__STANDARD] = "standard"},
    .remark =
        "The columns are the laws of mixing, and else the right value and the "
        "printed one. A claim about an equation as printed is judged by that column, one about "
        "the standard law by the last, all others by the first. The effect of each mistake: "
        "docs/reference/errata.md#xdrive. Any other stick: ironbird verify xdrive --stick x,y,turn",
    .errata = ib_holonomic_errata,
    .groups = groups,
    .group_count = IB_CLAIM_COUNT(groups),
    .row_count = IB__XDRIVE_ROWS,
    .compute = compute,
    .tables = (const ib_ClaimTable *const[]){&table, NULL},
    .figures = ib__xdrive_claims_figures,
};
