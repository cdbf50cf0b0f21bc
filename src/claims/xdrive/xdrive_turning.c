// claims/xdrive/xdrive_turning.c: values for the claims about (22) to (29): driving and turning.
#include "base/extreme.h"
#include "claims/xdrive/xdrive.h"

#include <math.h>

const ib__XdriveRow ib__xdrive_turns[IB__XDRIVE_TURNS] = {
    {{-1, 0, 1}, {{-1, 1, -1, -1}, {0, 1, -1, -1}, {0, 0, -1, -1}}},
    {{-1, 0, 0.5}, {{0, 1, -1, -1}, {0.5, 1, -1, -1}, {0.333333333, 0.333333333, -1, -1}}},
    {{0, 1, 1}, {{1, -1, -1, -1}, {1, -1, -1, 3}, {0, -1, -1, 0}}},
    {{0.5, 0.5, -0.5},
     {{0.25, -0.25, 0.25, 0.75},
      {0.25, -0.25, 0.25, 0.75},
      {0.333333333, -0.333333333, 0.333333333, 1}}},
    {{1, 1, 1}, {{0, -1, 0, 1}, {0, -1, 0, 1}, {-0.333333333, -1, -0.333333333, 0.333333333}}},
    {{0, 0, 1}, {{-1, -1, -1, -1}, {1, 1, 1, 1}, {-1, -1, -1, -1}}},
    {{0, 0, -0.4}, {{0.4, 0.4, 0.4, 0.4}, {0.4, 0.4, 0.4, 0.4}, {0.4, 0.4, 0.4, 0.4}}},
};

// Sixteen directions: the axes, the diagonals, and one inside each half-quadrant.
static const double directions[16][2] = {
    {1, 0},  {1, 0.5},   {1, 1},   {0.5, 1},   {0, 1},  {-0.5, 1}, {-1, 1}, {-1, 0.5},
    {-1, 0}, {-1, -0.5}, {-1, -1}, {-0.5, -1}, {0, -1}, {0.5, -1}, {1, -1}, {1, -0.5},
};

// The output that a turn with T = 1 adds to a motor under a form: as printed, or the corrected
// law's output less that without a turn.
static double turn_of(int form, int motor, int side, double x, double y)
{
    if (form == IB__PRINTED) return ib_xdrive_turn(motor, side, x, y, NULL);
    ib_XdriveAnswer with, without;
    ib_xdrive_answer(IB_MIXING_CORRECTED, &(ib_Stick){x, y, side == IB_XDRIVE_RIGHT ? 1 : -1},
                     &with);
    ib_xdrive_answer(IB_MIXING_CORRECTED, &(ib_Stick){x, y, 0}, &without);
    return with.output[motor] - without.output[motor];
}

// ---------------------------------------------------------------------------- each of (22) to (29)

// The largest of |f + t T| over 201 x 201 sticks.
static double largest(int form, int motor, int side, double T)
{
    double most = 0;
    for (int n = 0; n < 201 * 201; n++) {
        double x = (n % 201 - 100) / 100.0, y = ((int)(n / 201) - 100) / 100.0;
        double t = turn_of(form, motor, side, x, y);
        most = ib_max(most, fabs(ib_xdrive_drive(motor, x, y) + t * T));
    }
    return most;
}

// The largest jump across a diagonal: next to rest, half way out and in the corner.
static double jump(int form, int motor, int side)
{
    static const double sizes[] = {1e-6, 0.5, 1};
    double most = 0;
    for (int k = 2; k < 16; k += 4)
        for (int n = 0; n < 3; n++) {
            double x = directions[k][0] * sizes[n], y = directions[k][1] * sizes[n], in = 1 - 1e-9;
            double above = turn_of(form, motor, side, x * in, y);
            most = ib_max(most, fabs(above - turn_of(form, motor, side, x, y * in)));
        }
    return most;
}

static int holes(int motor, int side)
{
    int count = 0, used;
    for (int k = 0; k < 16; k++) {
        ib_xdrive_turn(motor, side, directions[k][0], directions[k][1], &used);
        count += used == 0;
    }
    return count;
}

// Half-quadrants in which a turn changes the motor's output, the stick at this size.
static int changed(int form, int motor, int side, double size)
{
    int count = 0;
    for (int k = 1; k < 16; k += 2) {
        double x = directions[k][0] * size, y = directions[k][1] * size;
        count += fabs(turn_of(form, motor, side, x, y)) > 1e-12;
    }
    return count;
}

static void functions(ib_ClaimValue *found, int form)
{
    double edge = 0, inside = 0, magnitude = 0, signs = 0;
    for (int k = 0; k < IB__XDRIVE_FUNCTIONS; k++) {
        int motor = k / 2, side = k % 2;
        ib_ClaimValue *rows = found + IB__XDRIVE_TURN + k * IB__TURN_ROWS;
        double most = largest(form, motor, side, 1);
        rows[IB__TURN_LARGEST].form[form] = most;
        rows[IB__TURN_JUMP].form[form] = jump(form, motor, side);
        rows[IB__TURN_HOLES].form[form] = form == IB__PRINTED ? holes(motor, side) : 0;
        rows[IB__TURN_REST].form[form] = turn_of(form, motor, side, 0, 0);
        edge = ib_max(edge, changed(form, motor, side, 1));
        inside = ib_max(inside, changed(form, motor, side, 0.5));
        magnitude += most <= 1 + 1e-12;
        double T = side == IB_XDRIVE_LEFT ? -1 : 1;
        signs += form == IB__PRINTED && largest(form, motor, side, T) <= 1 + 1e-12;
    }
    found[IB__XDRIVE_EDGE].form[form] = edge;
    found[IB__XDRIVE_INSIDE].form[form] = inside;
    found[IB__XDRIVE_MAGNITUDE].form[form] = magnitude;
    if (form == IB__PRINTED) found[IB__XDRIVE_SIGNED].form[form] = signs;
}

// ------------------------------------------------------------------------------------ all together

// Over 81 x 81 sticks and 41 turns: the largest output, and the largest error of the direction with
// any motion.
static void all_sticks(ib_ClaimValue *found, int form)
{
    double most = 0, bend = 0;
    ib_XdriveAnswer answer;
    for (int n = 0; n < 81 * 81; n++)
        for (int k = -20; k <= 20; k++) {
            ib_Stick stick = {(n % 81 - 40) / 40.0, ((int)(n / 81) - 40) / 40.0, k / 20.0};
            ib_xdrive_answer(ib__xdrive_laws[form], &stick, &answer);
            for (int i = 0; i < IB_XDRIVE_MOTORS; i++) most = ib_max(most, fabs(answer.output[i]));
            if (!isnan(answer.error)) bend = ib_max(bend, fabs(answer.error));
        }
    found[IB__XDRIVE_LARGEST].form[form] = most;
    found[IB__XDRIVE_BEND].form[form] = bend;
}

// The largest slope of the corrected turn along an axis of the stick, at T = 1, between neighbours
// of a grid that has all its borders.
static double steepest(void)
{
    double most = 0, step = 1.0 / 40;
    for (int n = 0; n < 80 * 81; n++)
        for (int k = 0; k < IB__XDRIVE_FUNCTIONS; k++) {
            double x = (n % 80 - 40) * step, y = ((int)(n / 80) - 40) * step;
            double here = turn_of(IB__MENDED, k / 2, k % 2, x, y);
            double there = turn_of(IB__MENDED, k / 2, k % 2, x + step, y);
            most = ib_max(most, fabs(there - here) / step);
        }
    return most;
}

// Reference C4's table has nine digits.
static double table_gap(int form)
{
    double most = 0;
    ib_XdriveAnswer answer;
    for (int n = 0; n < IB__XDRIVE_TURNS; n++) {
        const ib__XdriveRow *row = &ib__xdrive_turns[n];
        ib_xdrive_answer(ib__xdrive_laws[form], &row->stick, &answer);
        for (int i = 0; i < IB_XDRIVE_MOTORS; i++)
            most = ib_max(most, fabs(answer.output[i] - row->outputs[form][i]));
    }
    return most;
}

void ib__xdrive_claims_turning(ib_ClaimValue *found)
{
    ib_XdriveAnswer answer;
    functions(found, IB__MENDED);
    functions(found, IB__PRINTED);
    for (int form = 0; form < 3; form++) {
        all_sticks(found, form);
        found[IB__XDRIVE_TABLE].form[form] = table_gap(form);
        ib_xdrive_answer(ib__xdrive_laws[form], &(ib_Stick){0, 0, 1}, &answer);
        found[IB__XDRIVE_RIGHT].form[form] = answer.turn;
        ib_xdrive_answer(ib__xdrive_laws[form], &(ib_Stick){1, 1, 1}, &answer);
        found[IB__XDRIVE_CORNER].form[form] = answer.turn;
    }
    found[IB__XDRIVE_STEEPEST].form[IB__MENDED] = steepest();
}
