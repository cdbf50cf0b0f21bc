// desk/design/design_polytope.c: `polytope: {H: …, k: …, line: {K: [1, -1], w: 0}, dot: [5, 5]}`
#include "desk/design/design_inside.h"

// One row [1, -1] with one number, or several rows with a list of numbers.
static bool read_line(ib_Reader *reader, const ib_Node *map, int axes, ib_DesignPolytope *goal)
{
    static const char *const keys[] = {"K", "w", NULL};
    if (!ib_check_map(reader, map, "a map such as {K: [1, -1], w: 0}")) return false;
    ib_check_keys(reader, map, keys);
    const ib_Node *K = ib_node_get(map, "K"), *w = ib_node_get(map, "w");
    const char *gap = "'%s' is missing: expected {K: [1, -1], w: 0}, the points with K q = w";
    if (!K) ib_wrong_gap(reader, map, gap, "K");
    if (!w) ib_wrong_gap(reader, map, gap, "w");
    if (!K || !w) return false;
    bool single = K->first && K->first->type == IB_NODE_SCALAR, good;
    if (single) {
        good = ib__read_vector(reader, K, axes, IB_POLYTOPE_AXES, "as H has columns", goal->K) > 0;
        goal->lines = 1;
    } else {
        ib__Shape shape = {-1, axes, IB_POLYTOPE_AXES, IB_POLYTOPE_AXES, NULL, "as H has columns"};
        good = ib__read_matrix(reader, K, &shape, goal->K);
        goal->lines = shape.rows;
    }
    bool known = good || single || K->type == IB_NODE_LIST; // the form of `w` is known
    if (w->type == IB_NODE_SCALAR && (single || goal->lines == 1 || !known))
        return ib__read_plain_number(reader, w, goal->w) && good;
    return ib__read_vector(reader, w, good ? goal->lines : -1, IB_POLYTOPE_AXES, "as K has rows",
                           goal->w) > 0 &&
           good;
}

// Region, line and dot as given; `axes` is fixed by H.
static bool read_goal(ib_Reader *reader, const ib_Node *map, ib_DesignPolytope *goal)
{
    const ib_Node *H = ib_node_get(map, "H"), *k = ib_node_get(map, "k");
    const ib_Node *line = ib_node_get(map, "line"), *dot = ib_node_get(map, "dot");
    const char *gap = "'%s' is missing: expected the region H q <= k and the dot to bring into it";
    ib__Shape shape = {-1, -1, IB_POLYTOPE_SIDES, IB_POLYTOPE_AXES, NULL, "as the row above"};
    if (!H) ib_wrong_gap(reader, map, gap, "H");
    if (!k) ib_wrong_gap(reader, map, gap, "k");
    if (!dot) ib_wrong_gap(reader, map, gap, "dot");
    bool good = H && k && dot;
    bool region = H && ib__read_matrix(reader, H, &shape, goal->H);
    int sides = region ? shape.rows : -1, axes = region ? shape.columns : -1;
    if (k)
        good &= ib__read_vector(reader, k, sides, IB_POLYTOPE_SIDES, "as H has rows", goal->k) > 0;
    if (dot)
        good &=
            ib__read_vector(reader, dot, axes, IB_POLYTOPE_AXES, "as H has columns", goal->dot) > 0;
    if (line) good &= read_line(reader, line, axes, goal);
    goal->sides = sides;
    goal->axes = axes;
    return good && region;
}

void ib__read_design_polytope(ib__DesignReader *design)
{
    static const char *const keys[] = {"H", "k", "line", "dot", NULL};
    ib_Reader *reader = design->reader;
    ib_DesignPolytope *goal = &design->gear->polytope;
    const ib_Node *map = ib_node_get(design->root, "polytope");
    if (!map || !ib_check_map(reader, map, "a map with H, k, line and dot")) return;
    ib_check_keys(reader, map, keys);
    if (!read_goal(reader, map, goal)) return;
    bool plane = goal->axes == 2 && goal->lines == 1;
    ib_PolytopeOutcome outcome =
        plane ? ib_polytope2_coerce(goal->sides, goal->H, goal->k, goal->K, goal->w[0], goal->dot,
                                    goal->answer)
              : ib_polytope_coerce(goal->axes, goal->sides, goal->H, goal->k, goal->lines, goal->K,
                                   goal->w, goal->dot, goal->answer);
    goal->given = outcome == IB_POLYTOPE_OK || outcome == IB_POLYTOPE_OFF_LINE;
    goal->on_line = outcome == IB_POLYTOPE_OK;
    const ib_Node *line = ib_node_get(map, "line");
    if (!goal->given)
        ib_wrong_key(reader, outcome == IB_POLYTOPE_NO_LINE && line ? line : map, "%s",
                     ib_polytope_outcome_text(outcome));
}
