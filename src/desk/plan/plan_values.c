// desk/plan/plan_values.c: values of a plan file: numbers within bounds, pairs, places of the arm.
#include "base/maths.h"
#include "base/quote.h"
#include "base/units.h"
#include "base/word.h"
#include "desk/plan/plan_inside.h"

#include <math.h>
#include <string.h>

static const double TURN = 6.283185307179586; ///< [rad]
static const double FARTHEST = 1e3; ///< of an angle [rad]: larger ones are typing mistakes

bool ib__plan_number(ib_Reader *reader, const ib_Node *node, const char *unit, double low,
                     double high, double *value)
{
    double read;
    if (!ib_read_number(reader, node, unit, false, &read)) return false;
    if (read >= low && read <= high) {
        *value = read;
        return true;
    }
    bool plain = strcmp(unit, "1") == 0;
    ib_wrong_value(reader, node, "expected %g to %g%s%s, got '%s'", low, high, plain ? "" : " ",
                   plain ? "" : unit,
                   node->type == IB_NODE_SCALAR ? ib_quote(node->text).text : "a random value");
    return false;
}

bool ib__plan_both(ib_Reader *reader, const ib_Node *node, const char *unit, double low,
                   double high, const char *example, double values[2])
{
    double read[2];
    if (node->type != IB_NODE_LIST) {
        if (!ib__plan_number(reader, node, unit, low, high, &read[0])) return false;
        values[0] = values[1] = read[0];
        return true;
    }
    if (node->count != 2) {
        ib_wrong_value(reader, node, "expected one value, or one for each joint such as %s, got %d",
                       example, node->count);
        return false;
    }
    bool good = true;
    for (const ib_Node *item = node->first; item; item = item->next)
        good &= ib__plan_number(reader, item, unit, low, high, &read[item->index]);
    if (good) memcpy(values, read, sizeof read);
    return good;
}

int ib__plan_bend(ib_Reader *reader, const ib_Node *node)
{
    static const char *const words[] = {"up", "down", NULL};
    const char *word = ib_read_word(reader, node, words);
    return !word ? 0 : strcmp(word, "up") == 0 ? 1 : -1;
}

// ------------------------------------------------------------------------------------------ places

// The nearest equivalent angle.
static double nearest_turn(double angle, double before)
{
    return angle + TURN * round((before - angle) / TURN);
}

static double distance(const double a[2], const double b[2])
{
    double x = a[0] - b[0], y = a[1] - b[1];
    return sqrt(x * x + y * y);
}

// True if the elbow is up, above the line from the first joint to the hand: the bend with the
// higher elbow, or the more forward one at equal height.
static bool is_up(const ib_TwoLink *arm, const double one[2], const double other[2])
{
    double a[2], b[2];
    ib_two_link_elbow(arm, one, a);
    ib_two_link_elbow(arm, other, b);
    return fabs(a[1] - b[1]) > 1e-9 ? a[1] > b[1] : a[0] >= b[0];
}

// {x: 1 m, z: 50 cm, bend: up}
static bool read_hand(ib__PlanReader *plan, const ib_Node *node, const double *before, int bend,
                      double th[2])
{
    static const char *const keys[] = {"x", "z", "bend", NULL};
    static const char *const axis[] = {"x", "z"};
    ib_Reader *reader = plan->reader;
    const ib_TwoLink *arm = &plan->plan->plan.plant.link;
    const ib_Node *bent = ib_node_get(node, "bend");
    double hand[2], way[2][2], beyond = 0;
    bool good = true;
    ib_check_keys(reader, node, keys);
    for (int i = 0; i < 2; i++) {
        const ib_Node *number = ib_node_get(node, axis[i]);
        if (!number) ib_wrong_gap(reader, node, "'%s' is missing: expected a length", axis[i]);
        good &= number && ib__plan_number(reader, number, "m", -1e3, 1e3, &hand[i]);
    }
    if (bent) bend = ib__plan_bend(reader, bent);
    if (!good || (bent && !bend) || !plan->arm) return false;
    bool reached = ib_two_link_reach(arm, hand, 1, way[0], &beyond);
    if (reached) reached = ib_two_link_reach(arm, hand, -1, way[1], &beyond);
    if (!reached) {
        double l1 = arm->length[0], l2 = arm->length[1];
        ib_wrong_key(reader, node,
                     "out of reach by %.4g m: it is %.4g m from the first joint, expected %.4g m "
                     "to %.4g m",
                     beyond, sqrt(hand[0] * hand[0] + hand[1] * hand[1]), fabs(l1 - l2), l1 + l2);
        return false;
    }
    for (int k = 0; before && k < 2; k++)
        for (int i = 0; i < 2; i++) way[k][i] = nearest_turn(way[k][i], before[i]);
    int up = is_up(arm, way[0], way[1]) ? 0 : 1, chosen = bend < 0 ? 1 - up : up;
    if (!bend && before) chosen = distance(way[1], before) < distance(way[0], before);
    memcpy(th, way[chosen], sizeof way[chosen]);
    return true;
}

// {theta1: 0.3 rad, theta2: -0.5 rad}
static bool read_angles(ib_Reader *reader, const ib_Node *node, double th[2])
{
    static const char *const keys[] = {"theta1", "theta2", NULL};
    bool good = true;
    ib_check_keys(reader, node, keys);
    for (int i = 0; i < 2; i++) {
        const ib_Node *number = ib_node_get(node, keys[i]);
        if (!number) ib_wrong_gap(reader, node, "'%s' is missing: expected an angle", keys[i]);
        good &= number && ib__plan_number(reader, number, "rad", -FARTHEST, FARTHEST, &th[i]);
    }
    return good;
}

// A goal by its name.
static bool find_goal(ib__PlanReader *plan, const ib_Node *node, int *goal, double th[2])
{
    const char *names[IB_ARM_GOALS + 1] = {0};
    for (int i = 0; i < plan->goal_count; i++) {
        names[i] = plan->goals[i].name;
        if (strcmp(names[i], node->text) != 0) continue;
        *goal = i;
        memcpy(th, plan->goals[i].th, sizeof plan->goals[i].th);
        return true;
    }
    // Its mistakes were reported at its place.
    const ib_Node *goals = ib_node_get(plan->root, "goals");
    if (goals && (goals->type != IB_NODE_MAP || goals->count > IB_ARM_GOALS ||
                  ib_node_get(goals, node->text)))
        return false;
    ib_WordHint hint = ib_word_hint(';', node->text, names);
    ib_wrong_value(plan->reader, node,
                   "there is no goal '%s'%s%s expected one of `goals:`, or a place such as "
                   "[0.3 rad, -0.5 rad]",
                   ib_quote(node->text).text, hint.text, hint.text[0] ? " Otherwise" : ";");
    return false;
}

// [1 m, 50 cm], meant as a place of the hand.
static bool is_of_lengths(const ib_Node *list)
{
    double length;
    for (const ib_Node *item = list->first; item; item = item->next)
        if (item->type == IB_NODE_SCALAR && ib_units_read(item->text, "m", &length, NULL) == IB_OK)
            return true;
    return false;
}

bool ib__plan_place(ib__PlanReader *plan, const ib_Node *node, const double *before, int bend,
                    int *goal, double th[2])
{
    static const char example[] = "[0.3 rad, -0.5 rad]";
    ib_Reader *reader = plan->reader;
    if (goal) *goal = -1;
    if (goal && node->type == IB_NODE_SCALAR && node->text[0])
        return find_goal(plan, node, goal, th);
    if (node->type == IB_NODE_MAP) {
        bool hand = ib_node_get(node, "x") || ib_node_get(node, "z");
        return hand ? read_hand(plan, node, before, bend, th) : read_angles(reader, node, th);
    }
    if (!ib_check_list(reader, node,
                       "a place: angles such as [0.3 rad, -0.5 rad], or {x: 1 m, z: 50 cm}"))
        return false;
    if (is_of_lengths(node)) {
        ib_wrong_value(reader, node,
                       "a list is two angles such as %s; a place of the hand is a map such as "
                       "{x: 1 m, z: 50 cm}",
                       example);
        return false;
    }
    if (node->count == 2)
        return ib__plan_both(reader, node, "rad", -FARTHEST, FARTHEST, example, th);
    ib_wrong_value(reader, node, "expected two angles such as %s, got a list of %d", example,
                   node->count);
    return false;
}
