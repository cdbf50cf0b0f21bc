// claims/thesis/cylinder_times.c: the arithmetic of Table 3, and the same table of this program
// [thesis 5.5.3].
#include "base/extreme.h"
#include "claims/thesis/cylinder.h"
#include "claims/thesis/cylinder_run.h"

#include <math.h>
#include <stdio.h>

const double ib__table_3_open = 3.7260, ib__table_3_closed = 3.7498;
enum { CONTROLLER, VISCOUS = 3, VALVE, AREA, PRESSURE };
const ib__TimesRow ib__table_3[IB__TABLE_3_ROWS] = {
    {3.6819, 0.1793, -0.0441, 1.2},  {3.7606, 0.1914, 0.0108, -0.3},
    {3.7117, 0.1902, -0.0381, 1.0},  {3.3255, 0.0205, -0.0424, 11.3},
    {2.8471, 0.1875, -0.9027, 24.1}, {3.2728, 0.2032, -0.4770, 12.7},
    {3.4525, 0.2237, -0.2973, 7.9},  {3.4584, 0.2243, -0.2914, 7.8},
    {3.7272, 0.2285, -0.0226, 0.6},  {3.6211, 0.2322, -0.1287, 3.4},
    {3.7238, 0.2266, -0.0261, 0.7},  {3.6325, 0.1767, -0.1173, 3.13},
};

void ib__cylinder_claims_times(ib_ClaimValue *found)
{
    const ib__TimesRow *rows = ib__table_3;
    double change = 0, part = 0, spread = 0;
    for (int i = 0; i < IB__TABLE_3_ROWS; i++) {
        double whole = i == CONTROLLER ? ib__table_3_open : ib__table_3_closed,
               less = rows[i].time - whole;
        part = ib_max(part, fabs(-100 * less / whole - rows[i].part));
        if (i == VISCOUS) continue;
        change = ib_max(change, fabs(less - rows[i].change));
        spread += 100 * rows[i].spread / rows[i].time / (IB__TABLE_3_ROWS - 1);
    }
    const ib__TimesRow *viscous = &rows[VISCOUS];
    found[IB__TIMES_CHANGE].form[IB__CORRECTED] = change;
    found[IB__TIMES_PART].form[IB__CORRECTED] = part;
    found[IB__TIMES_VISCOUS] =
        (ib_ClaimValue){{viscous->time - ib__table_3_closed, viscous->change, NAN}};
    found[IB__TIMES_SPREAD].form[IB__PUBLISHED] = 100 * viscous->spread / viscous->time;
    found[IB__TIMES_OTHERS].form[IB__CORRECTED] = spread;
    found[IB__TIMES_VALVE].form[IB__CORRECTED] =
        (rows[AREA].change + rows[PRESSURE].change) / rows[VALVE].change;
    found[IB__TIMES_JOINTS].form[IB__CORRECTED] = 13 / ib__table_3_closed;
    found[IB__LEGS].form[IB__CORRECTED] = 12 / 3;
}

// ----------------------------------------------------------------------------------- our own costs

// Areas that are linear from the centre to both ends.
static const char straight[] =
    "[[-5 V, 1.2e-6 m^2, 1.2e-6 m^2], [-4 V, 9.6e-7 m^2, 9.6e-7 m^2], "
    "[-3 V, 7.2e-7 m^2, 7.2e-7 m^2], [-2 V, 4.8e-7 m^2, 4.8e-7 m^2], "
    "[-1 V, 2.4e-7 m^2, 2.4e-7 m^2], [0 V, 2e-8 m^2, 2e-8 m^2], [1 V, 2.4e-7 m^2, 2.4e-7 m^2], "
    "[2 V, 4.8e-7 m^2, 4.8e-7 m^2], [3 V, 7.2e-7 m^2, 7.2e-7 m^2], "
    "[4 V, 9.6e-7 m^2, 9.6e-7 m^2], [5 V, 1.2e-6 m^2, 1.2e-6 m^2]]";

static const ib_Override simpler[IB__COST_ROWS][2] = {
    {{NULL, NULL}},
    {{"robot.friction", "thesis-viscous"}},
    {{"robot.valve.law", "linear"}},
    {{"robot.valve.areas", straight}, {"robot.valve.map", "table"}},
    {{"robot.valve.curve", "switch"}},
    {{"robot.friction", "thesis-viscous"}, {"robot.valve.law", "linear"}},
};
const char *const ib__cylinder_cost_names[IB__COST_ROWS] = {
    "complete model",
    "viscous friction, not Stribeck-tanh",
    "simple valve: linear, fixed pressures",
    "its area alone: straight lines, a table",
    "its pressures alone: a switch",
    "simple valve and viscous friction",
};
const double ib__cylinder_cost_thesis[IB__COST_ROWS] = {NAN, 11.3, 24.1, 12.7, 7.9, NAN};

// Records the loop's output on a sine of 3 rad/s, a knot a millisecond. Every model gets it as
// input, so that none has the cost of a loop, or a valve that switches more often than another.
static char *record(ib_Arena *arena, ib_Error *error)
{
    enum { KNOTS = 500, SIZE = 40 * KNOTS };
    static const char *const signals[] = {IB__CYLINDER_OUTPUT, NULL};
    ib__RigTrace trace = {.signals = signals, .count = KNOTS};
    char *text = ib_arena_array(arena, SIZE, 1);
    if (!text) return NULL;
    if (ib__rig_sine(3, 0.001 * (KNOTS - 1) * 3 / 6.283185307179586, NULL, arena, &trace, error) !=
        IB_OK)
        return NULL;
    int used = snprintf(text, SIZE, "[");
    for (int i = 0; i < KNOTS; i++)
        used += snprintf(text + used, (size_t)(SIZE - used), "%s[%d ms, %.6f V]", i ? ", " : "", i,
                         trace.column[0][i]);
    snprintf(text + used, (size_t)(SIZE - used), "]");
    return text;
}

// Four steps a millisecond suffice for each of them: the same number of evaluations of every model.
// The cost is the least of several rounds, in which the rows take turns: other programs only add
// to it.
ib_Status ib__cylinder_costs(double cost[IB__COST_ROWS], ib_Error *error)
{
    enum { ROUNDS = 5 };
    static const char rig[] =
        "robot: {kind: cylinder_rig, preset: thesis-50psig}\n"
        "start: {position: 22.225 mm, cap: {pressure: 200 kPa}, rod: {pressure: 200 kPa}}\n"
        "run: {duration: 0.5 s, solver: stiff, step: 0.25 ms}\n";
    ib_Arena arena = {0};
    const char *commands = record(&arena, error);
    ib_Status status = commands ? IB_OK : IB_FAILED;
    for (int i = 0; i < ROUNDS * IB__COST_ROWS && status == IB_OK; i++) {
        int row = i % IB__COST_ROWS;
        ib__RigChanges changes = {0};
        ib__rig_change(&changes, "inputs.valve", commands);
        for (int k = 0; k < 2 && simpler[row][k].path; k++)
            ib__rig_change(&changes, simpler[row][k].path, simpler[row][k].yaml);
        ib__ClaimRun run = {
            .scenario = rig, .overrides = changes.items, .override_count = changes.count};
        status = ib__claim_run(&run, error);
        if (i < IB__COST_ROWS || run.seconds / 500 < cost[row]) cost[row] = run.seconds / 500;
    }
    ib_arena_reset(&arena);
    return status;
}
