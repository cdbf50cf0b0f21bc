// scenario/slopes.c: the slopes of the floor by all tilts of a scenario, in the order of time.
#include "base/extreme.h"
#include "base/maths.h"
#include "scenario/scenario_inside.h"

#include <math.h>
#include <stdlib.h>

// Slopes are gravity along the floor in units of gravity; roundings of sums are left out.
#define UPRIGHT_SLOPE  (1 - 1e-9)
#define MODELLED_SLOPE (0.7071067811865476 * (1 + 2e-7)) ///< 45 degrees, to the digits of a warning

// A tilt begins or ends, and with it the slope of the floor changes.
typedef struct Change {
    ib_Time time;
    int robot;           ///< robot on the floor; -1: all
    double x, y;         ///< of the slope, field frame [1]
    int row;             ///< in the file
    const ib_Node *tilt; ///< its place in the file
} Change;

static int compare_changes(const void *left, const void *right)
{
    const Change *a = left, *b = right;
    if (a->time != b->time) return a->time < b->time ? -1 : 1;
    return a->row - b->row;
}

// Lists the changes in the order of time and returns their number. `all` are those of the list,
// one each.
static int list_changes(const ib_Node *list, const ib_Disturbance *all, Change *changes)
{
    int count = 0, row = 0;
    for (const ib_Node *child = list->first; child; child = child->next, row++) {
        const ib_Disturbance *d = &all[row];
        if (d->type != IB_DISTURBANCE_TILT) continue;
        double along = ib_sin(d->size), s, c;
        ib_sincos(d->direction, &s, &c);
        double x = along * c, y = along * s;
        const ib_Node *tilt = ib_node_get(child, "tilt");
        changes[count++] = (Change){d->at, d->robot, x, y, row, tilt};
        changes[count++] = (Change){d->until, d->robot, -x, -y, row, tilt};
    }
    qsort(changes, (size_t)count, sizeof *changes, compare_changes);
    return count;
}

// Up there a robot tips before it slides, which no model of the plane shows; a floor that stands
// upright presses nothing. `change`: the last one of its time. True: there is nothing to say.
static bool judge_slope(ib_Reader *reader, const Change *change, double slope)
{
    double time = ib_time_to_seconds(change->time);
    if (slope >= UPRIGHT_SLOPE)
        ib_wrong_value(reader, change->tilt,
                       "from %g s on all tilts of the floor pull with %.4g of gravity along it: "
                       "expected less than 1, which is a floor that stands upright",
                       time, slope);
    else if (slope > MODELLED_SLOPE)
        ib_warn_value(reader, change->tilt,
                      "from %g s on the floor tilts by %.7g deg, which is steeper than 45 deg: "
                      "that a robot tips over, and that contacts press it off the floor, is no "
                      "longer modelled; it slides, rolls and stays on its wheels",
                      time, ib_atan2(slope, sqrt(1 - slope * slope)) * (180 / M_PI));
    return slope <= MODELLED_SLOPE;
}

void ib__check_slopes(const ib__ScenarioReader *scenario, const ib_Node *list,
                      const ib_SimConfig *config)
{
    ib_Reader *reader = scenario->reader;
    double slopes[IB__MAX_ROBOTS][2] = {{0}};
    bool modelled = true;
    Change *changes = ib_arena_array(reader->arena, 2 * (size_t)list->count, sizeof *changes);
    if (!changes) {
        ib_wrong_value(reader, list, "out of memory");
        return;
    }
    int count = list_changes(list, config->disturbances, changes);
    for (int i = 0; i < count && changes[i].time < scenario->duration; i++) {
        const Change *change = &changes[i];
        bool more = i + 1 < count && changes[i + 1].time == change->time;
        double steepest = 0;
        for (int robot = 0; robot < scenario->robot_count; robot++) {
            double *slope = slopes[robot];
            if (change->robot < 0 || change->robot == robot) {
                slope[0] += change->x;
                slope[1] += change->y;
            }
            steepest = ib_max(steepest, sqrt(slope[0] * slope[0] + slope[1] * slope[1]));
        }
        bool upright = steepest >= UPRIGHT_SLOPE;
        if (!more && (upright || modelled)) modelled = judge_slope(reader, change, steepest);
        if (!more && upright) return;
    }
}
