// Symbols: s the way along the path [m], ' the slope by s; k its curvature [1/m]; v the speed; h
// the heading. The path is cut into cells of about 1 cm between rows. In each of them the
// acceleration is constant.
#include "control/path/bezier_plan.h"

#include "base/extreme.h"
#include "base/maths.h"
#include "control/path/curve.h"

#include <math.h>
#include <stdlib.h>

#define PI       3.14159265358979323846
#define NEAREST  1e-3 ///< least distance of two waypoints, and of a control point [m]
#define CORNER   0.01 ///< largest corner at a waypoint [rad]
#define SLOWEST  0.01 ///< least |dp/dq|: below it a curve turns back on the spot
#define SPACING  0.01 ///< of two rows, unless the path is too long for that [m]
#define SHARPEST 1.0  ///< largest turn in one cell [rad]
#define APART    0.2  ///< least way for a turn to its direction [m]
#define SAME     1e-6 ///< positions that are taken as one

enum { CELLS = 14000, LEAST_CELLS = 8 };

typedef struct Row {
    double at;      // position
    double s, x, y; // [m]
    double course;  // direction of travel [rad], continuous
    double heading; // [rad], continuous
    double v;       // [m/s]
    double t;       // [s]
} Row;

// A cell, from one row to the next.
typedef struct Cell {
    double way;           // its length [m]
    double k;             // largest |k| in it
    double bend, bending; // h' [1/m] and h'' [1/m^2]
    ib_PlanLimits limits;
    double top; // fastest that the limits allow [m/s]
} Cell;

typedef struct Work {
    const ib_BezierPlan *plan;
    ib_Curve curves[IB_PLAN_WAYPOINTS];
    int count;  // cells; there is one row more
    bool sharp; // a cell turns too far to be a part of a curve
    Row *rows;
    Cell *cells;
} Work;

// ---------------------------------------------------------------------------------------- geometry

static double distance(double x0, double y0, double x1, double y1)
{
    return sqrt((x1 - x0) * (x1 - x0) + (y1 - y0) * (y1 - y0));
}

// p0 … p3 as a polynomial of q = 0 .. L:
//   c1 = 3 (p1 - p0)/L,  c2 = 3 (p0 - 2 p1 + p2)/L^2,  c3 = (p3 - 3 p2 + 3 p1 - p0)/L^3
static void coefficients(double p0, double p1, double p2, double p3, double span, double c[6])
{
    c[0] = p0;
    c[1] = 3 * (p1 - p0) / span;
    c[2] = 3 * (p0 - 2 * p1 + p2) / (span * span);
    c[3] = (p3 - 3 * p2 + 3 * p1 - p0) / (span * span * span);
    c[4] = c[5] = 0;
}

// The curve from a waypoint to the next; L is the length of its control polygon, of which the curve
// is never longer.
static ib_Curve curve_between(const ib_PlanWaypoint *a, const ib_PlanWaypoint *b)
{
    ib_Curve curve;
    curve.span = distance(a->x, a->y, a->after_x, a->after_y) +
                 distance(a->after_x, a->after_y, b->before_x, b->before_y) +
                 distance(b->before_x, b->before_y, b->x, b->y);
    coefficients(a->x, a->after_x, b->before_x, b->x, curve.span, curve.x);
    coefficients(a->y, a->after_y, b->before_y, b->y, curve.span, curve.y);
    return curve;
}

// The angle between the arms of a waypoint in the middle [rad].
static double corner_of(const ib_PlanWaypoint *w)
{
    double ax = w->x - w->before_x, ay = w->y - w->before_y;
    double bx = w->after_x - w->x, by = w->after_y - w->y;
    return fabs(ib_atan2(ax * by - ay * bx, ax * bx + ay * by));
}

static ib_Status check_waypoint(const ib_BezierPlan *plan, int i, ib_Error *error)
{
    const ib_PlanWaypoint *w = &plan->waypoints[i];
    bool first = i == 0, last = i == plan->waypoint_count - 1;
    if (!first && distance(w->x, w->y, w[-1].x, w[-1].y) < NEAREST)
        return ib_error_set(error, IB_BAD_INPUT,
                            "on the spot of the waypoint before: expected 1 mm between them");
    if ((!first && distance(w->x, w->y, w->before_x, w->before_y) < NEAREST) ||
        (!last && distance(w->x, w->y, w->after_x, w->after_y) < NEAREST))
        return ib_error_set(error, IB_BAD_INPUT,
                            "a control point on its waypoint: expected 1 mm between them");
    if (!first && !last && corner_of(w) > CORNER)
        return ib_error_set(error, IB_BAD_INPUT,
                            "a corner of %.3g deg: expected both control points and the waypoint "
                            "in one line",
                            corner_of(w) * 180 / PI);
    return IB_OK;
}

ib_Status ib_bezier_plan_check(const ib_BezierPlan *plan, int *waypoint, ib_Error *error)
{
    double length = 0;
    *waypoint = 0;
    if (plan->waypoint_count < 2 || plan->waypoint_count > IB_PLAN_WAYPOINTS)
        return ib_error_set(error, IB_BAD_INPUT, "expected 2 to %d waypoints, got %d",
                            IB_PLAN_WAYPOINTS, plan->waypoint_count);
    for (int i = 0; i < plan->waypoint_count; i++) {
        *waypoint = i;
        ib_Status status = check_waypoint(plan, i, error);
        if (status) return status;
        if (i == 0) continue;
        ib_Curve curve = curve_between(&plan->waypoints[i - 1], &plan->waypoints[i]);
        length += curve.span;
        if (!(length <= IB_PLAN_LONGEST))
            return ib_error_set(error, IB_BAD_INPUT, "the path to it is longer than %g m",
                                IB_PLAN_LONGEST);
        if (!(ib_curve_pace(&curve) > SLOWEST))
            return ib_error_set(error, IB_BAD_INPUT,
                                "the curve to it turns back on the spot: expected control points "
                                "that lead from one waypoint to the next");
    }
    return IB_OK;
}

// -------------------------------------------------------------------------------------------- rows

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Positions of rows: equally spaced in each curve by its parameter, so that none is longer than
// three times the spacing, and wherever something begins or ends. Returns their number.
static int place_rows(const Work *work, double spacing, double *at)
{
    const ib_BezierPlan *plan = work->plan;
    int last = plan->waypoint_count - 1, count = 0, kept = 0;
    for (int i = 0; i < last; i++) {
        int cells = (int)ceil(work->curves[i].span / spacing);
        if (cells < LEAST_CELLS) cells = LEAST_CELLS;
        for (int k = 0; k < cells; k++) at[count++] = i + (double)k / cells;
    }
    for (int i = 0; i < plan->zone_count; i++) {
        at[count++] = plan->zones[i].from;
        at[count++] = plan->zones[i].to;
    }
    for (int i = 0; i < plan->aim_count; i++) {
        at[count++] = plan->aims[i].from;
        at[count++] = plan->aims[i].to;
    }
    for (int i = 0; i < plan->turn_count; i++) at[count++] = plan->turns[i].at;
    for (int i = 0; i < plan->mark_count; i++) {
        at[count++] = plan->marks[i].at;
        at[count++] = plan->marks[i].until;
    }
    qsort(at, (size_t)count, sizeof *at, by_size);
    for (int i = 0; i < count; i++) {
        bool inside = at[i] >= 0 && at[i] < last - SAME;
        if (inside && (kept == 0 || at[i] - at[kept - 1] > SAME)) at[kept++] = at[i];
    }
    at[kept++] = last;
    return kept;
}

// A point of the curve that a position is on, `at` of it; the curve is that of a cell.
static ib_CurvePoint point_at(const Work *work, int curve, double at)
{
    const ib_Curve *c = &work->curves[curve];
    return ib_curve_point(c, (at - curve) * c->span);
}

// An angle with as many whole turns as bring it nearest to another.
static double nearest(double angle, double to)
{
    return angle + 2 * PI * floor((to - angle) / (2 * PI) + 0.5);
}

static double pace_of(const ib_CurvePoint *p)
{
    return sqrt(p->dx * p->dx + p->dy * p->dy);
}

static ib_PlanLimits limits_at(const ib_BezierPlan *plan, double at)
{
    for (int i = 0; i < plan->zone_count; i++)
        if (plan->zones[i].from <= at && at <= plan->zones[i].to) return plan->zones[i].limits;
    return plan->limits;
}

// The geometry of one cell, and of the row behind it. Its length is by Simpson's rule.
static void lay_cell(Work *work, int i)
{
    Row *a = &work->rows[i], *b = &work->rows[i + 1];
    Cell *cell = &work->cells[i];
    double middle = 0.5 * (a->at + b->at);
    int curve = (int)middle;
    ib_CurvePoint p = point_at(work, curve, a->at), m = point_at(work, curve, middle);
    ib_CurvePoint q = point_at(work, curve, b->at);
    double span = (b->at - a->at) * work->curves[curve].span;
    cell->way = span * (pace_of(&p) + 4 * pace_of(&m) + pace_of(&q)) / 6;
    cell->limits = limits_at(work->plan, middle);

    double k0 = ib_curve_curvature(&p), k1 = ib_curve_curvature(&q);
    double turn = ib_atan2(p.dx * q.dy - p.dy * q.dx, p.dx * q.dx + p.dy * q.dy);
    cell->k = ib_max(fabs(k0), fabs(k1));
    work->sharp |= !(fabs(turn) < SHARPEST);
    cell->bend = turn / cell->way; // of a base with sides; others come later
    cell->bending = (k1 - k0) / cell->way;
    if (i == 0) *a = (Row){.at = a->at, .x = p.x, .y = p.y, .course = ib_atan2(p.dy, p.dx)};
    b->s = a->s + cell->way;
    b->x = q.x;
    b->y = q.y;
    b->course = nearest(ib_atan2(q.dy, q.dx), a->course + turn);
}

// ---------------------------------------------------------------------------------------- headings

// The row nearest to a position.
static int row_at(const Work *work, double at)
{
    int low = 0, high = work->count;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (work->rows[middle].at <= at)
            low = middle;
        else
            high = middle;
    }
    return at - work->rows[low].at <= work->rows[high].at - at ? low : high;
}

// The turn from one heading to the next, the shorter way round, over the way L = s1 - s0:
//   h = h0 + d (1 - cos(pi u))/2,   u = (s - s0)/L
//   h' = d pi/(2 L) sin(pi u),   h'' = d pi^2/(2 L^2) cos(pi u)
static void turn_rows(Work *work, int from, int to, double heading)
{
    Row *rows = work->rows;
    double start = rows[from].heading, way = rows[to].s - rows[from].s;
    double d = nearest(heading, start) - start;
    for (int i = from; i < to; i++) {
        double end = PI * (rows[i + 1].s - rows[from].s) / way;
        double middle = end - 0.5 * PI * work->cells[i].way / way;
        rows[i + 1].heading = start + 0.5 * d * (1 - ib_cos(end));
        work->cells[i].bend = 0.5 * d * PI / way * ib_sin(middle);
        work->cells[i].bending = 0.5 * d * PI * PI / (way * way) * ib_cos(middle);
    }
}

// The aim of a cell, or NULL. Between the ends of the path, or another aim's end, and an aim lie
// at least APART, in which the robot turns to it: `ready` is where the next may begin.
static const ib_PlanAim *aim_of(const Work *work, int cell, double ready)
{
    const ib_BezierPlan *plan = work->plan;
    const Row *a = &work->rows[cell], *b = a + 1;
    double at = 0.5 * (a->at + b->at), last = work->rows[work->count].s - APART;
    if (a->s < ready || b->s > last) return NULL;
    for (int i = 0; i < plan->aim_count; i++)
        if (plan->aims[i].from <= at && at <= plan->aims[i].to) return &plan->aims[i];
    return NULL;
}

static double heading_to(const ib_PlanAim *aim, const Row *row)
{
    return ib_atan2(aim->y - row->y, aim->x - row->x) + aim->beside;
}

// The cells of one aim, from a row that points at it already. h'' is from the cells beside; that h'
// jumps where an aim begins or ends is not counted. Returns the row at its end.
static int aim_rows(Work *work, const ib_PlanAim *aim, int from)
{
    Row *rows = work->rows;
    Cell *cells = work->cells;
    int to = from;
    for (; to < work->count && aim_of(work, to, 0) == aim; to++) {
        rows[to + 1].heading = nearest(heading_to(aim, &rows[to + 1]), rows[to].heading);
        cells[to].bend = (rows[to + 1].heading - rows[to].heading) / cells[to].way;
    }
    for (int i = from; i < to; i++) {
        int a = i > from ? i - 1 : i, b = i < to - 1 ? i + 1 : i;
        double apart = 0.5 * (cells[a].way + cells[b].way) + (b - a == 2 ? cells[i].way : 0);
        cells[i].bending = (cells[b].bend - cells[a].bend) / apart;
    }
    return to;
}

// The next row at which the heading is known: that of an aim's beginning, of a turn, or the end.
static int next_known(const Work *work, int from, double ready, double *heading,
                      const ib_PlanAim **aim)
{
    const ib_BezierPlan *plan = work->plan;
    int to = work->count;
    *heading = plan->end_heading;
    for (int i = 0; i < plan->turn_count; i++) {
        int row = row_at(work, plan->turns[i].at);
        if (row <= from || row >= to) continue; // of two at one place the first counts
        to = row;
        *heading = plan->turns[i].heading;
    }
    for (int i = from; i <= to && i < work->count; i++) {
        *aim = aim_of(work, i, ready);
        if (!*aim) continue;
        *heading = heading_to(*aim, &work->rows[i]);
        return i;
    }
    return to;
}

// Headings of a base that goes in any direction.
static void lay_free_headings(Work *work)
{
    double ready = APART;
    work->rows[0].heading = work->plan->start_heading;
    for (int from = 0; from < work->count;) {
        const ib_PlanAim *aim = NULL;
        double heading;
        int to = next_known(work, from, ready, &heading, &aim);
        turn_rows(work, from, to, heading);
        from = aim ? aim_rows(work, aim, to) : to;
        if (aim) ready = work->rows[from].s + APART;
    }
}

static void lay_headings(Work *work)
{
    double back = work->plan->backwards ? PI : 0;
    if (work->plan->base == IB_PLANNED_ANY_DIRECTION)
        lay_free_headings(work);
    else
        for (int i = 0; i <= work->count; i++) work->rows[i].heading = work->rows[i].course + back;
}

// ------------------------------------------------------------------------------------------ speeds

// Largest speed in a cell:
//   v <= V,  v^2 |k| <= A,  v |h'| <= W,  v^2 |h''| <= W'
static double top_of(const Cell *cell)
{
    const ib_PlanLimits *limits = &cell->limits;
    double top = limits->speed;
    if (cell->k > 0) top = ib_min(top, sqrt(limits->acceleration / cell->k));
    if (cell->bend != 0) top = ib_min(top, limits->yaw_rate / fabs(cell->bend));
    if (cell->bending != 0) top = ib_min(top, sqrt(limits->yaw_quicker / fabs(cell->bending)));
    return top;
}

// The speed at the other end of a cell, faster by the largest acceleration a:
//   a <= A,   |h'| a + |h''| v^2 <= W'
static double faster(const Cell *cell, double v)
{
    double a = cell->limits.acceleration;
    if (cell->bend != 0) {
        double left = cell->limits.yaw_quicker - fabs(cell->bending) * v * v;
        a = ib_min(a, ib_max(0, left) / fabs(cell->bend));
    }
    return sqrt(v * v + 2 * a * cell->way);
}

// The largest speeds that can be reached from the start, and from which the end can be reached.
static void lay_speeds(Work *work)
{
    int n = work->count;
    Row *rows = work->rows;
    for (int i = 0; i < n; i++) work->cells[i].top = top_of(&work->cells[i]);
    for (int i = 0; i <= n; i++) {
        double before = i > 0 ? work->cells[i - 1].top : work->plan->start_speed;
        double after = i < n ? work->cells[i].top : work->plan->end_speed;
        rows[i].v = ib_min(before, after);
    }
    for (int i = 0; i < n; i++)
        rows[i + 1].v = ib_min(rows[i + 1].v, faster(&work->cells[i], rows[i].v));
    for (int i = n; i-- > 0;) rows[i].v = ib_min(rows[i].v, faster(&work->cells[i], rows[i + 1].v));
    for (int i = 0; i < n; i++)
        rows[i + 1].t = rows[i].t + 2 * work->cells[i].way / (rows[i].v + rows[i + 1].v);
}

// -------------------------------------------------------------------------------------- the result

// The yaw rate at a row: of the cells beside it, by their lengths.
static double bend_at(const Work *work, int i)
{
    int n = work->count;
    const Cell *a = &work->cells[i > 0 ? i - 1 : 0], *b = &work->cells[i < n ? i : n - 1];
    return (a->bend * b->way + b->bend * a->way) / (a->way + b->way);
}

static ib_PlannedSample *make_samples(const Work *work, ib_Arena *arena)
{
    ib_PlannedSample *samples = ib_arena_array(arena, (size_t)work->count + 1, sizeof *samples);
    for (int i = 0; samples && i <= work->count; i++) {
        const Row *row = &work->rows[i];
        double c, s;
        ib_sincos(row->course, &s, &c);
        samples[i] = (ib_PlannedSample){.t = row->t,
                                        .x = row->x,
                                        .y = row->y,
                                        .heading = row->heading,
                                        .vx = row->v * c,
                                        .vy = row->v * s,
                                        .yaw_rate = row->v * bend_at(work, i)};
    }
    return samples;
}

static ib_PlannedEvent *make_events(const Work *work, ib_Arena *arena)
{
    const ib_BezierPlan *plan = work->plan;
    ib_PlannedEvent *events = ib_arena_array(arena, (size_t)plan->mark_count + 1, sizeof *events);
    for (int i = 0; events && i < plan->mark_count; i++) {
        const ib_PlanMark *mark = &plan->marks[i];
        events[i] = (ib_PlannedEvent){.t = work->rows[row_at(work, mark->at)].t,
                                      .until = work->rows[row_at(work, mark->until)].t,
                                      .name = mark->name};
    }
    return events;
}

static ib_Status plan_with(Work *work, ib_Arena *scratch, ib_Arena *arena, ib_PlannedPath *path,
                           ib_Error *error)
{
    const ib_BezierPlan *plan = work->plan;
    double length = 0;
    for (int i = 0; i + 1 < plan->waypoint_count; i++) {
        work->curves[i] = curve_between(&plan->waypoints[i], &plan->waypoints[i + 1]);
        length += work->curves[i].span;
    }
    size_t room = CELLS + (LEAST_CELLS + 1) * IB_PLAN_WAYPOINTS + 2 * (size_t)plan->zone_count +
                  2 * (size_t)plan->aim_count + (size_t)plan->turn_count +
                  2 * (size_t)plan->mark_count + 1;
    double *at = ib_arena_array(scratch, room, sizeof *at);
    work->rows = ib_arena_array(scratch, room, sizeof *work->rows);
    work->cells = ib_arena_array(scratch, room, sizeof *work->cells);
    if (!at || !work->rows || !work->cells) return ib_error_set(error, IB_FAILED, "out of memory");
    work->count = place_rows(work, ib_max(SPACING, length / CELLS), at) - 1;
    for (int i = 0; i <= work->count; i++) work->rows[i].at = at[i];
    for (int i = 0; i < work->count; i++) lay_cell(work, i);
    if (work->sharp)
        return ib_error_set(error, IB_BAD_INPUT,
                            "the path turns by more than %g rad within %g m: expected curves",
                            SHARPEST, 3 * SPACING);
    lay_headings(work);
    lay_speeds(work);

    ib_PlannedSample *samples = make_samples(work, arena);
    ib_PlannedEvent *events = make_events(work, arena);
    if (!samples || !events) return ib_error_set(error, IB_FAILED, "out of memory");
    ib_Status status = ib_planned_init(plan->base, samples, work->count + 1, path, error);
    if (status) return status;
    path->events = events;
    path->event_count = plan->mark_count;
    return IB_OK;
}

ib_Status ib_bezier_plan(const ib_BezierPlan *plan, ib_Arena *arena, ib_PlannedPath *path,
                         ib_Error *error)
{
    int waypoint;
    *path = (ib_PlannedPath){0};
    ib_Status status = ib_bezier_plan_check(plan, &waypoint, error);
    if (status) return status;
    ib_Arena scratch = {0};
    Work *work = ib_arena_alloc(&scratch, sizeof *work);
    if (!work) return ib_error_set(error, IB_FAILED, "out of memory");
    work->plan = plan;
    status = plan_with(work, &scratch, arena, path, error);
    ib_arena_reset(&scratch);
    return status;
}
