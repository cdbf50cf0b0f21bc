// claims/cylinder_times.c: the arithmetic of Table 3 [thesis 5.5.3].
#include "claims/cylinder.h"

#include <math.h>

// A row of the table [1e-5 s], with what is printed of its change and percentage.
typedef struct Row {
    double time, spread, change, part;
} Row;

static const double open_loop = 3.7260, closed_loop = 3.7498;
enum { CONTROLLER, VISCOUS = 3, VALVE, AREA, PRESSURE, ROWS = 12 };
static const Row rows[ROWS] = {
    {3.6819, 0.1793, -0.0441, 1.2},  {3.7606, 0.1914, 0.0108, -0.3},
    {3.7117, 0.1902, -0.0381, 1.0},  {3.3255, 0.0205, -0.0424, 11.3},
    {2.8471, 0.1875, -0.9027, 24.1}, {3.2728, 0.2032, -0.4770, 12.7},
    {3.4525, 0.2237, -0.2973, 7.9},  {3.4584, 0.2243, -0.2914, 7.8},
    {3.7272, 0.2285, -0.0226, 0.6},  {3.6211, 0.2322, -0.1287, 3.4},
    {3.7238, 0.2266, -0.0261, 0.7},  {3.6325, 0.1767, -0.1173, 3.13},
};

void ib__cylinder_claims_times(ib_ClaimValue *found)
{
    double change = 0, part = 0, spread = 0;
    for (int i = 0; i < ROWS; i++) {
        double whole = i == CONTROLLER ? open_loop : closed_loop, less = rows[i].time - whole;
        part = fmax(part, fabs(-100 * less / whole - rows[i].part));
        if (i == VISCOUS) continue;
        change = fmax(change, fabs(less - rows[i].change));
        spread += 100 * rows[i].spread / rows[i].time / (ROWS - 1);
    }
    const Row *viscous = &rows[VISCOUS];
    found[IB__TIMES_CHANGE].form[IB__CORRECTED] = change;
    found[IB__TIMES_PART].form[IB__CORRECTED] = part;
    found[IB__TIMES_VISCOUS] = (ib_ClaimValue){{viscous->time - closed_loop, viscous->change, NAN}};
    found[IB__TIMES_SPREAD].form[IB__PUBLISHED] = 100 * viscous->spread / viscous->time;
    found[IB__TIMES_OTHERS].form[IB__CORRECTED] = spread;
    found[IB__TIMES_VALVE].form[IB__CORRECTED] =
        (rows[AREA].change + rows[PRESSURE].change) / rows[VALVE].change;
    found[IB__TIMES_JOINTS].form[IB__CORRECTED] = 13 / closed_loop;
    found[IB__LEGS].form[IB__CORRECTED] = 12 / 3;
}
