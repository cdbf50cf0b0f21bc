#include "sim/contact/partners.h"

#include "base/extreme.h"

#include <math.h>

// Numbers those with a drive among the bodies of the world; how many there are.
static int number_partners(ib_Model *model)
{
    int count = 0;
    for (int i = 0; i < model->robot_count; i++) {
        ib_RobotModel *robot = &model->robots[i];
        robot->partner = robot->body >= 0 && ib_robot_driven(&robot->ports) ? count++ : -1;
    }
    return count;
}

// Signals of one robot: one for each other robot, in their order.
static bool add_signals(ib_Model *model, ib_RobotModel *robot, ib_Arena *arena)
{
    robot->partner_signal = model->signals.count;
    for (int i = 0; i < model->robot_count; i++) {
        const ib_RobotModel *other = &model->robots[i];
        if (other->partner < 0 || other == robot) continue;
        ib_SignalDef signal = {
            ib_arena_format(arena, "contact.with.%s", other->name), "1",
            ib_arena_format(arena, "times that the two, it and %s, have touched", other->name), 0};
        if (!signal.name || !signal.sentence ||
            ib_signals_add(&model->signals, robot->name, &signal, 1) < 0)
            return false;
    }
    return true;
}

ib_Status ib__partners_create(ib_Model *model, ib_Arena *arena, ib_Error *error)
{
    int count = model->world ? number_partners(model) : 0;
    if (count < 2 || count > IB_PARTNERS) return IB_OK;
    model->partner_count = count;
    for (int i = 0; i < model->robot_count; i++)
        if (model->robots[i].partner >= 0 && !add_signals(model, &model->robots[i], arena))
            return ib_error_set(error, IB_FAILED, "out of memory for the contacts");
    return IB_OK;
}

void ib__partners_lay_out(ib_Model *model)
{
    model->partner_state = model->state_count;
    model->state_count += model->partner_count * (model->partner_count - 1) / 2;
}

// The count of partners a and b among the states: (0, 1), (0, 2), …, (1, 2), …
static int count_of(const ib_Model *model, int a, int b)
{
    int low = a < b ? a : b, high = a < b ? b : a;
    return model->partner_state + low * (2 * model->partner_count - low - 1) / 2 + high - low - 1;
}

// The same of two bodies; -1: one of them has no drive, or is none.
static int count_of_bodies(const ib_Model *model, int body, int other)
{
    if (model->partner_count == 0 || other < 0) return -1;
    int a = model->robots[model->body_robots[body]].partner;
    int b = model->robots[model->body_robots[other]].partner;
    return a < 0 || b < 0 ? -1 : count_of(model, a, b);
}

void ib__partners_hit(const ib_Model *model, const ib_PushPoint *points, int count, double *state)
{
    for (int i = 0; i < count; i++) {
        // The points of a pair stand side by side.
        bool same =
            i > 0 && points[i].body == points[i - 1].body && points[i].other == points[i - 1].other;
        int at = same ? -1 : count_of_bodies(model, points[i].body, points[i].other);
        if (at >= 0) state[at] += 1;
    }
}

void ib__partners_rest(const ib_Model *model, const ib_Rests *rests, double *state)
{
    for (int i = 0; model->partner_count > 0 && i < rests->count; i++) {
        ib_Pair pair = ib_world_pair(model->world, rests->items[i].pair);
        int at = count_of_bodies(model, pair.body, pair.other);
        if (at >= 0) state[at] = ib_max(state[at], 1);
    }
}

void ib__partners_output(const ib_Model *model, const double *state, double *signals)
{
    for (int i = 0; model->partner_count > 0 && i < model->robot_count; i++) {
        const ib_RobotModel *robot = &model->robots[i];
        double *y = signals + robot->partner_signal;
        for (int k = 0; robot->partner >= 0 && k < model->partner_count; k++)
            if (k != robot->partner) *y++ = state[count_of(model, robot->partner, k)];
    }
}
