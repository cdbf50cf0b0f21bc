#include "desk/plan/plan_csv.h"

#include "base/output.h"
#include "record/csv.h"

#include <stdio.h>

static void put(FILE *file, double value, char end)
{
    char text[IB_CSV_NUMBER];
    ib_csv_number(value, text);
    fprintf(file, "%s%c", text, end);
}

// Writes the row of a point, with the acceleration of the cell that begins there.
static void write_row(const ib_PlanFile *plan, const ib_PlanWay *way, int i, FILE *file)
{
    const ib_ArmTiming *timing = &way->best->timing;
    int last = way->path.count - 1, hint = i < last ? i : last - 1;
    double hand[2];
    ib_ArmSample at = ib_arm_sample(&plan->plan.plant, &way->path, timing, timing->t[i], &hint);
    ib_two_link_hand(&plan->plan.plant.link, at.th, hand);
    put(file, timing->t[i], ',');
    put(file, way->path.points[i].s, ',');
    put(file, timing->v[i], ',');
    for (int k = 0; k < 2; k++) {
        put(file, at.th[k], ',');
        put(file, at.w[k], ',');
        put(file, at.a[k], ',');
        put(file, at.volts[k], ',');
    }
    put(file, hand[0], ',');
    put(file, hand[1], '\n');
}

ib_Status ib_plan_csv_write(const ib_PlanFile *plan, const ib_PlanWay *way, const char *path,
                            ib_Error *error)
{
    FILE *file;
    ib_Status status = ib_output_begin(path, &file, error);
    if (status != IB_OK) return status;
    fprintf(file, IB_CSV_TIME ",s [rad],v [rad/s]");
    for (int k = 1; k <= 2; k++)
        fprintf(file, ",theta%d [rad],omega%d [rad/s],alpha%d [rad/s^2],volts%d [V]", k, k, k, k);
    fprintf(file, ",hand.x [m],hand.z [m]\n");
    for (int i = 0; i < way->path.count; i++) write_row(plan, way, i, file);
    return ib_output_end(file, path, error);
}

ib_Status ib_plan_rows_write(const ib_PlanWay *way, const char *path, ib_Error *error)
{
    FILE *file;
    ib_Status status = ib_output_begin(path, &file, error);
    if (status != IB_OK) return status;
    fputs("theta1 [rad],omega1,alpha1 [1/rad],theta2 [rad],omega2,alpha2 [1/rad]\n", file);
    for (int i = 0; i < way->path.count; i++) {
        const ib_ArmPoint *at = &way->path.points[i];
        for (int k = 0; k < 2; k++) {
            put(file, at->th[k], ',');
            put(file, at->way[k], ',');
            put(file, at->bend[k], k ? '\n' : ',');
        }
    }
    return ib_output_end(file, path, error);
}
