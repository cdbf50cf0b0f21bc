// design/arm/arm_detour.c: the shortest way for each side of each piece.
#include "design/arm/arm_detour.h"

#include "base/extreme.h"
#include "base/random.h"
#include "design/arm/arm_grid.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SPLITS = 3, ///< largest number of doublings of the corners
    SIDES = 4,  ///< pieces with both sides tried: 2^4 kinds
    WAY = 2048, ///< places of a way on the grid at most
    SEED = 19,
};

static const double TOO_LONG = 3;    ///< of the shortest
static const double SAME = 1e-3;     ///< ways with a smaller difference of length count as
                                     ///< equal [rad]
static const double FIRST = 0.05;    ///< first step of a corner [rad]
static const double LAST = 1e-5;     ///< last one [rad]
static const double OUTWARDS = 0.01; ///< outward step of a corner [rad]

static double apart(const double a[2], const double b[2])
{
    double d[2] = {a[0] - b[0], a[1] - b[1]};
    return sqrt(d[0] * d[0] + d[1] * d[1]);
}

ib_Status ib_arm_errand_check(const ib_ArmScene *scene, const ib_ArmErrand *errand, ib_Error *error)
{
    ib_ArmNear near = ib_arm_scene_near(scene, errand->start);
    ib_Status status = ib_arm_scene_refuse(scene, &near, errand->margin, "the start", error);
    if (status != IB_OK) return status;
    near = ib_arm_scene_near(scene, errand->goal);
    return ib_arm_scene_refuse(scene, &near, errand->margin, "the goal", error);
}

// ------------------------------------------------------------------------------------------- tight

// Places that are moved until their way is as short as possible.
typedef struct Pull {
    const ib_ArmScene *scene;
    const ib_ArmGrid *grid; ///< with walls: of sharp corners
    const ib_ArmWall *walls;
    int wall_count;
    double margin, radius;
    ib_Error *error;
} Pull;

// The length of a way; infinite, if it is blocked or cannot be rounded. A check for blocks takes
// much longer than the length, so a way longer than `most` is not checked.
static double length_of(const Pull *pull, const ib_ArmPlaces *places, double most)
{
    double length = 0;
    if (pull->radius > 0) {
        ib_ArmPoint points[IB_ARM_DETOUR_POINTS];
        ib_ArmPath path = {IB_ARM_DETOUR_POINTS, points};
        if (ib_arm_shape_rounded(places, pull->radius, path.count, points, pull->error) != IB_OK)
            return INFINITY;
        length = points[path.count - 1].s;
        bool clear = length > most || ib_arm_scene_path_clear(pull->scene, &path, pull->margin);
        return clear ? length : INFINITY;
    }
    for (int k = 0; k + 1 < places->count; k++) length += apart(places->th[k], places->th[k + 1]);
    for (int k = 0; k + 1 < places->count && length <= most; k++)
        if (!ib__arm_grid_sees(pull->grid, pull->walls, pull->wall_count, places->th[k],
                               places->th[k + 1]))
            return INFINITY;
    return length;
}

static void leave_out(const ib_ArmPlaces *places, int place, ib_ArmPlaces *fewer)
{
    *fewer = *places;
    fewer->count--;
    for (int k = place; k < fewer->count; k++)
        for (int i = 0; i < 2; i++) fewer->th[k][i] = places->th[k + 1][i];
}

// Moves all corners at once by normal random steps and keeps shorter ways; many failures in a row
// halve the steps. Unneeded corners are left out.
static double tighten(const Pull *pull, ib_ArmPlaces *places)
{
    double best = length_of(pull, places, INFINITY), step = FIRST;
    uint64_t draw = 0;
    for (int failed = 0; step > LAST && places->count > 2;) {
        int freedoms = 2 * (places->count - 2);
        ib_ArmPlaces other = *places;
        for (int k = 1; k + 1 < places->count; k++)
            for (int i = 0; i < 2; i++)
                other.th[k][i] += step * ib_random_normal(SEED, (uint64_t)freedoms, draw++);
        double length = length_of(pull, &other, best);
        if (length < best) {
            best = length;
            *places = other;
            failed = 0;
        } else if (++failed >= 6 * freedoms) {
            step *= 0.5;
            failed = 0;
            for (int k = 1; k + 1 < places->count; k++) {
                leave_out(places, k, &other);
                length = length_of(pull, &other, best + LAST);
                if (length > best + LAST) continue;
                best = length;
                *places = other;
            }
        }
    }
    return best;
}

// A way round a curved obstacle needs more corners: each becomes two, as long as that helps.
static double split(const Pull *pull, ib_ArmPlaces *places, double best)
{
    for (int n = 0; n < SPLITS && 2 * places->count <= IB_ARM_PLACES; n++) {
        ib_ArmPlaces more = {.count = 2 * places->count - 2};
        for (int k = 0; k < more.count; k++) {
            int from = (k + 1) / 2, to = k % 2 ? from - 1 : from + 1; // of a corner, its neighbours
            if (k == 0 || k == more.count - 1) to = from;
            for (int i = 0; i < 2; i++)
                more.th[k][i] =
                    places->th[from][i] + 0.1 * (places->th[to][i] - places->th[from][i]);
        }
        double length = tighten(pull, &more);
        if (!(length < best - SAME)) break;
        best = length;
        *places = more;
    }
    return best;
}

// ------------------------------------------------------------------------------------------- kinds

// Joins each place of a way to the furthest visible one.
static bool straighten(const Pull *pull, double (*way)[2], int count, ib_ArmPlaces *places)
{
    *places = (ib_ArmPlaces){.count = 1, .th = {{way[0][0], way[0][1]}}};
    for (int at = 0; at < count - 1;) {
        int next = count - 1;
        while (next > at + 1 &&
               !ib__arm_grid_sees(pull->grid, pull->walls, pull->wall_count, way[at], way[next]))
            next--;
        if (places->count == IB_ARM_PLACES) return false;
        for (int i = 0; i < 2; i++) places->th[places->count][i] = way[next][i];
        places->count++;
        at = next;
    }
    return true;
}

// The wall from the deepest place of a piece across the line from start to goal, to one side or the
// other, out of the grid.
static ib_ArmWall wall_of(const ib_ArmPiece *piece, const ib_ArmErrand *errand, bool other_side)
{
    double way[2] = {errand->goal[0] - errand->start[0], errand->goal[1] - errand->start[1]};
    double far = (other_side ? -100 : 100) / apart(errand->start, errand->goal);
    return (ib_ArmWall){.from = {piece->deepest[0], piece->deepest[1]},
                        .to = {piece->deepest[0] - way[1] * far, piece->deepest[1] + way[0] * far}};
}

// Sorts the pieces by their distance to the line from start to goal.
static int choose_pieces(const ib_ArmGrid *grid, const ib_ArmErrand *errand, int chosen[SIDES])
{
    double away[IB_ARM_GRID_PIECES];
    int count = 0;
    for (int k = 0; k < grid->pieces; k++) {
        const double *p = grid->piece[k].deepest, *a = errand->start, *b = errand->goal;
        away[k] = apart(a, p) + apart(p, b) - apart(a, b);
    }
    for (; count < SIDES && count < grid->pieces; count++) {
        int best = -1;
        for (int k = 0; k < grid->pieces; k++)
            if (away[k] < INFINITY && (best < 0 || away[k] < away[best])) best = k;
        chosen[count] = best;
        away[best] = INFINITY;
    }
    return count;
}

static int by_length(const void *a, const void *b)
{
    const ib_ArmDetour *one = a, *other = b;
    return (one->length > other->length) - (one->length < other->length);
}

// Adds the shortest way of one kind, unless there is none or it is known already.
static ib_Status add_kind(ib_ArmGrid *grid, const ib_ArmErrand *errand, const ib_ArmWall *walls,
                          int wall_count, ib_Arena *arena, ib_ArmDetour *detours, int *count,
                          ib_Error *error)
{
    Pull pull = {grid->scene, grid, walls, wall_count, errand->margin, 0, error};
    ib_ArmDetour detour = {0};
    double(*way)[2] = ib_arena_array(arena, WAY, sizeof *way);
    if (!way) return ib_error_set(error, IB_FAILED, "no memory for a way of an arm");
    int places = ib__arm_grid_way(grid, walls, wall_count, errand->start, errand->goal, way, WAY);
    if (places == 0 || !straighten(&pull, way, places, &detour.places)) return IB_OK;
    detour.length = split(&pull, &detour.places, tighten(&pull, &detour.places));
    for (int k = 0; k < *count; k++)
        if (fabs(detours[k].length - detour.length) < SAME) return IB_OK;
    detours[(*count)++] = detour;
    return IB_OK;
}

static ib_Status find_kinds(const ib_ArmScene *scene, const ib_ArmErrand *errand, ib_Arena *arena,
                            ib_ArmDetour *detours, int *count, ib_Error *error)
{
    double low[2], high[2];
    for (int i = 0; i < 2; i++) {
        double a = errand->start[i], b = errand->goal[i];
        low[i] = ib_max(ib_min(a, b) - IB_ARM_DETOUR_ROOM, scene->low[i]);
        high[i] = ib_min(ib_max(a, b) + IB_ARM_DETOUR_ROOM, scene->high[i]);
    }
    ib_ArmGrid grid;
    int chosen[SIDES];
    ib_Status status = ib__arm_grid_init(scene, errand->margin, low, high, arena, &grid, error);
    int pieces = status == IB_OK ? choose_pieces(&grid, errand, chosen) : 0;
    for (int kind = 0; status == IB_OK && kind < 1 << pieces; kind++) {
        ib_ArmWall walls[SIDES];
        for (int k = 0; k < pieces; k++)
            walls[k] = wall_of(&grid.piece[chosen[k]], errand, kind >> k & 1);
        status = add_kind(&grid, errand, walls, pieces, arena, detours, count, error);
    }
    return status;
}

// True if this scene has a way.
static bool leads_through(const ib_ArmScene *scene, const ib_ArmErrand *errand, ib_Arena *arena)
{
    ib_ArmDetour detours[IB_ARM_DETOURS];
    ib_Error unused;
    int count = 0;
    return find_kinds(scene, errand, arena, detours, &count, &unused) == IB_OK && count > 0;
}

static void add_words(char *text, size_t size, const char *words)
{
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%s", used ? ", " : "", words);
}

// Names the obstacles: each disc without which there would be a way, and the limits likewise; if
// removing one does not suffice, the discs on the straight line.
static void name_blockers(const ib_ArmScene *scene, const ib_ArmErrand *errand, ib_Arena *arena,
                          char *text, size_t size)
{
    char name[IB_ARM_DISC_NAME + 2];
    text[0] = '\0';
    for (int alone = 1; alone >= 0 && !text[0]; alone--) {
        ib_ArmScene other = *scene;
        for (int i = 0; i < scene->discs; i++) {
            snprintf(name, sizeof name, "'%s'", scene->disc[i].name);
            other.discs = scene->discs - 1;
            for (int k = 0; k < other.discs; k++) other.disc[k] = scene->disc[k + (k >= i)];
            bool blocks = alone && leads_through(&other, errand, arena);
            if (!alone) {
                other.discs = 1;
                other.disc[0] = scene->disc[i];
                blocks =
                    !ib_arm_scene_line_clear(&other, errand->start, errand->goal, errand->margin);
            }
            if (blocks) add_words(text, size, name);
        }
        other = *scene;
        for (int i = 0; i < 2; i++) other.low[i] = -INFINITY, other.high[i] = INFINITY;
        other.elbow_low = -INFINITY, other.elbow_high = INFINITY;
        if (alone && leads_through(&other, errand, arena))
            add_words(text, size, "the limits of joints and elbow");
    }
}

ib_Status ib_arm_detours_find(const ib_ArmScene *scene, const ib_ArmErrand *errand,
                              ib_ArmDetour detours[IB_ARM_DETOURS], int *count, ib_Error *error)
{
    *count = 0;
    ib_Status status = ib_arm_errand_check(scene, errand, error);
    if (status != IB_OK) return status;
    if (ib_arm_scene_line_clear(scene, errand->start, errand->goal, errand->margin)) {
        detours[0] =
            (ib_ArmDetour){.places.count = 2, .length = apart(errand->start, errand->goal)};
        for (int i = 0; i < 2; i++) {
            detours[0].places.th[0][i] = errand->start[i];
            detours[0].places.th[1][i] = errand->goal[i];
        }
        *count = 1;
        return IB_OK;
    }
    ib_Arena arena = {0};
    char blockers[400] = "";
    status = find_kinds(scene, errand, &arena, detours, count, error);
    if (status == IB_OK && *count == 0)
        name_blockers(scene, errand, &arena, blockers, sizeof blockers);
    ib_arena_reset(&arena);
    if (status != IB_OK) return status;
    if (*count == 0)
        return ib_error_set(error, IB_BAD_INPUT,
                            "there is no way from (%.4g, %.4g) to (%.4g, %.4g) rad within %g rad "
                            "of both: in the way stands %s; expected room to go round",
                            errand->start[0], errand->start[1], errand->goal[0], errand->goal[1],
                            IB_ARM_DETOUR_ROOM,
                            blockers[0] ? blockers : "the obstacles around them");
    qsort(detours, (size_t)*count, sizeof *detours, by_length);
    while (detours[*count - 1].length > TOO_LONG * detours[0].length) --*count;
    return IB_OK;
}

// ------------------------------------------------------------------------------------------- round

// The intersection of the lines a b and c d, if beyond b and before c.
static bool meet(const double a[2], const double b[2], const double c[2], const double d[2],
                 double at[2])
{
    double p[2] = {b[0] - a[0], b[1] - a[1]}, q[2] = {d[0] - c[0], d[1] - c[1]};
    double cross = p[0] * q[1] - p[1] * q[0], r[2] = {c[0] - a[0], c[1] - a[1]};
    if (!(fabs(cross) > 1e-3 * apart(a, b) * apart(c, d))) return false;
    double on_p = (r[0] * q[1] - r[1] * q[0]) / cross, on_q = (r[0] * p[1] - r[1] * p[0]) / cross;
    if (!(on_p >= 1 && on_q <= 0)) return false;
    for (int i = 0; i < 2; i++) at[i] = a[i] + on_p * p[i];
    return true;
}

// Merges the two corners nearest to each other. False: fewer than two.
static bool merge(ib_ArmPlaces *places)
{
    int first = 0;
    double least = INFINITY, at[2];
    for (int k = 1; k + 2 < places->count; k++) {
        double length = apart(places->th[k], places->th[k + 1]);
        if (length < least) least = length, first = k;
    }
    if (first == 0) return false;
    if (!meet(places->th[first - 1], places->th[first], places->th[first + 1],
              places->th[first + 2], at))
        for (int i = 0; i < 2; i++) at[i] = 0.5 * (places->th[first][i] + places->th[first + 1][i]);
    ib_ArmPlaces fewer;
    leave_out(places, first + 1, &fewer);
    for (int i = 0; i < 2; i++) fewer.th[first][i] = at[i];
    *places = fewer;
    return true;
}

// Moves each corner away from the side to which it turns.
static void push_out(ib_ArmPlaces *places)
{
    ib_ArmPlaces old = *places;
    for (int k = 1; k + 1 < places->count; k++) {
        const double *a = old.th[k - 1], *b = old.th[k], *c = old.th[k + 1];
        double out[2], in = apart(a, b), on = apart(b, c), size = 0;
        for (int i = 0; i < 2; i++) {
            out[i] = (b[i] - a[i]) / in - (c[i] - b[i]) / on;
            size += out[i] * out[i];
        }
        for (int i = 0; i < 2 && size > 1e-12; i++)
            places->th[k][i] += OUTWARDS * out[i] / sqrt(size);
    }
}

// Moves corners outwards until the way is clear; returns the shortest of all numbers of corners.
static double round_with(const Pull *pull, const ib_ArmPlaces *sharp, ib_ArmPlaces *best)
{
    double least = INFINITY;
    ib_ArmPlaces start = *sharp;
    do {
        ib_ArmPlaces places = start;
        int pushes = (int)(IB_ARM_DETOUR_ROOM / OUTWARDS);
        while (pushes > 0 && isinf(length_of(pull, &places, INFINITY))) {
            push_out(&places);
            pushes--;
        }
        double length = pushes > 0 ? tighten(pull, &places) : INFINITY;
        if (length < least) {
            least = length;
            *best = places;
        }
    } while (merge(&start));
    return least;
}

ib_Status ib_arm_detour_round(const ib_ArmScene *scene, const ib_ArmErrand *errand,
                              const ib_ArmDetour *sharp, double radius, ib_ArmDetour *rounded,
                              ib_Error *error)
{
    ib_Error unused;
    Pull pull = {.scene = scene, .margin = errand->margin, .error = &unused};
    IB_ASSERT(radius > 0);
    *rounded = *sharp;
    for (double part = 1; part > 0.1; part *= 0.9) {
        pull.radius = part * radius;
        rounded->length = round_with(&pull, &sharp->places, &rounded->places);
        rounded->radius = pull.radius;
        if (rounded->length < INFINITY) return IB_OK;
    }
    return ib_error_set(error, IB_BAD_INPUT,
                        "the corners of a detour of %.4g rad cannot be rounded, not even by "
                        "%.2g rad: expected more room between the obstacles",
                        sharp->length, pull.radius);
}

ib_Status ib_arm_detour_fine(const ib_ArmDetour *detour, ib_ArmWorkspace *workspace,
                             ib_Error *error)
{
    if (detour->places.count == 2)
        return ib_arm_path_straight(detour->places.th[0], detour->places.th[1], workspace->count,
                                    workspace->points, error);
    if (!(detour->radius > 0))
        return ib_error_set(error, IB_BAD_INPUT,
                            "a detour with sharp corners is no way for a planner: round it first");
    return ib_arm_shape_rounded_fine(&detour->places, detour->radius, workspace, error);
}

ib_Status ib_arm_detour_path(const ib_ArmDetour *detour, int count, ib_ArmPoint *points,
                             ib_Error *error)
{
    ib_ArmWorkspace workspace = {count, count, points};
    return ib_arm_detour_fine(detour, &workspace, error);
}
