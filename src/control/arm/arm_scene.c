// control/arm/arm_scene.c: distances from discs and limits, of a configuration and of a whole path.
#include "control/arm/arm_scene.h"

#include "base/extreme.h"
#include "base/quote.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    DEPTH = 60, ///< halvings of a stretch at most; 2^-60 of it is below rounding
};

ib_ArmScene ib_arm_scene_default(const ib_TwoLink *arm)
{
    return (ib_ArmScene){.length = {arm->length[0], arm->length[1]},
                         .low = {-INFINITY, -INFINITY},
                         .high = {INFINITY, INFINITY},
                         .elbow_low = -INFINITY,
                         .elbow_high = INFINITY};
}

static ib_Status check_disc(const ib_ArmScene *scene, int k, ib_Error *error)
{
    const ib_ArmDisc *disc = &scene->disc[k];
    if (disc->name[0] == 0)
        return ib_error_set(error, IB_BAD_INPUT, "disc %d has no name: expected one", k + 1);
    for (int i = 0; i < k; i++)
        if (strncmp(scene->disc[i].name, disc->name, sizeof disc->name) == 0)
            return ib_error_set(error, IB_BAD_INPUT,
                                "discs %d and %d are both called '%s': expected different names",
                                i + 1, k + 1, ib_quote(disc->name).text);
    if (!isfinite(disc->place[0]) || !isfinite(disc->place[1]))
        return ib_error_set(error, IB_BAD_INPUT, "disc '%s' is nowhere: expected a finite place",
                            ib_quote(disc->name).text);
    if (!(disc->radius > 0) || !isfinite(disc->radius))
        return ib_error_set(error, IB_BAD_INPUT, "disc '%s' has a radius of %g m: expected > 0",
                            ib_quote(disc->name).text, disc->radius);
    return IB_OK;
}

ib_Status ib_arm_scene_check(const ib_ArmScene *scene, ib_Error *error)
{
    for (int i = 0; i < 2; i++) {
        if (!(scene->length[i] > 0) || !isfinite(scene->length[i]))
            return ib_error_set(error, IB_BAD_INPUT, "link %d is %g m long: expected > 0", i + 1,
                                scene->length[i]);
        if (!(scene->low[i] < scene->high[i]))
            return ib_error_set(error, IB_BAD_INPUT,
                                "joint %d may go from %g to %g rad: expected low < high", i + 1,
                                scene->low[i], scene->high[i]);
    }
    if (!(scene->elbow_low < scene->elbow_high))
        return ib_error_set(error, IB_BAD_INPUT,
                            "the elbow may go from %g to %g rad: expected low < high",
                            scene->elbow_low, scene->elbow_high);
    if (!(scene->radius >= 0) || !isfinite(scene->radius))
        return ib_error_set(error, IB_BAD_INPUT,
                            "what must stay clear has a radius of %g m: expected >= 0",
                            scene->radius);
    if (scene->discs < 0 || scene->discs > IB_ARM_DISCS)
        return ib_error_set(error, IB_BAD_INPUT, "there are %d discs: expected at most %d",
                            scene->discs, IB_ARM_DISCS);
    for (int k = 0; k < scene->discs; k++) {
        ib_Status status = check_disc(scene, k, error);
        if (status != IB_OK) return status;
    }
    return IB_OK;
}

// ----------------------------------------------------------------------------------- configuration

// Places of elbow and hand, and their directions of motion by each angle.
typedef struct Pose {
    double elbow[2], hand[2];
    double by1[2], by2[2]; ///< l1 t(th1), l2 t(th2)
} Pose;

static Pose pose_of(const ib_ArmScene *scene, const double th[2])
{
    double s1, c1, s2, c2, l1 = scene->length[0], l2 = scene->length[1];
    ib_sincos(th[0], &s1, &c1);
    ib_sincos(th[1], &s2, &c2);
    return (Pose){.elbow = {l1 * s1, l1 * c1},
                  .hand = {l1 * s1 + l2 * s2, l1 * c1 + l2 * c2},
                  .by1 = {l1 * c1, -l1 * s1},
                  .by2 = {l2 * c2, -l2 * s2}};
}

// Place along a link, 0 .. 1, nearest to a point.
static double foot_of(const double from[2], const double to[2], const double place[2])
{
    double way[2] = {to[0] - from[0], to[1] - from[1]};
    double along = (place[0] - from[0]) * way[0] + (place[1] - from[1]) * way[1];
    return ib_min(ib_max(along / (way[0] * way[0] + way[1] * way[1]), 0), 1);
}

// A part of the arm beside a disc: the hand, or a link from its near end to its far one.
typedef struct Beside {
    double distance;
    double slope[2];   ///< of the distance, over the angles
    double ends[2][2]; ///< motion of its two ends along n, over the angles
} Beside;

// The part's points are p_f, f = 0 .. 1, moved by angle 1 by f1 l1 t1 and by angle 2 by f2 l2 t2;
// the nearest has f. n goes from the centre c of the disc to it,
//   d = |p_f - c| - R - r,   d_th1 = f1 n . l1 t1,   d_th2 = f2 n . l2 t2
// The hand is its own ends, f1 = f2 = 1; of the first link f1 = f, f2 = 0; of the second f1 = 1,
// f2 = f.
static Beside beside(const Pose *pose, const ib_ArmDisc *disc, double radius, int link)
{
    const double joint[2] = {0, 0};
    const double *from = link == 1 ? joint : pose->elbow,
                 *to = link == 1 ? pose->elbow : pose->hand;
    double f = link == 0 ? 1 : foot_of(from, to, disc->place), n[2];
    for (int i = 0; i < 2; i++) n[i] = from[i] + f * (to[i] - from[i]) - disc->place[i];
    double apart = sqrt(n[0] * n[0] + n[1] * n[1]);
    double per = apart > 0 ? 1 / apart : 0; // in the centre every way is out
    double by1 = per * (n[0] * pose->by1[0] + n[1] * pose->by1[1]);
    double by2 = link == 1 ? 0 : per * (n[0] * pose->by2[0] + n[1] * pose->by2[1]);
    return (Beside){.distance = apart - disc->radius - radius,
                    .slope = {link == 1 ? f * by1 : by1, f * by2},
                    .ends = {{link == 1 ? 0 : by1, link == 0 ? by2 : 0}, {by1, by2}}};
}

double ib_arm_scene_from_disc(const ib_ArmScene *scene, int disc, const double th[2],
                              double slope[2])
{
    Pose pose = pose_of(scene, th);
    bool links = scene->clear == IB_ARM_CLEAR_LINKS;
    Beside best = beside(&pose, &scene->disc[disc], scene->radius, links ? 2 : 0);
    if (links) {
        Beside first = beside(&pose, &scene->disc[disc], scene->radius, 1);
        if (first.distance < best.distance) best = first;
    }
    if (slope) slope[0] = best.slope[0], slope[1] = best.slope[1];
    return best.distance;
}

// ----------------------------------------------------------------------------------------- stretch

// A stretch of a path: a cubic by its four Bezier points in joint space. It stays within the hull
// of these points, and de Casteljau's rule gives the four of either half.
typedef struct Stretch {
    double b[2][4];    ///< of each angle
    double begin, end; ///< part of the cell
} Stretch;

// Its middle, and where its Bezier points are from there.
typedef struct Middle {
    double th[2];
    double away[4][2];
    double apart[2]; ///< the furthest of them, of each angle
    double moves;    ///< no point of the arm moves further: l1 |d th1| + l2 |d th2| [m]
    double bows;     ///< nor is further from where its slopes lead: (l1 d th1^2 + l2 d th2^2)/2 [m]
} Middle;

static Middle middle_of(const ib_ArmScene *scene, const Stretch *stretch)
{
    Middle at = {0};
    for (int i = 0; i < 2; i++) {
        const double *b = stretch->b[i];
        at.th[i] = 0.125 * (b[0] + 3 * (b[1] + b[2]) + b[3]);
        for (int k = 0; k < 4; k++) {
            at.away[k][i] = b[k] - at.th[i];
            at.apart[i] = ib_max(at.apart[i], fabs(at.away[k][i]));
        }
        at.moves += scene->length[i] * at.apart[i];
        at.bows += 0.5 * scene->length[i] * at.apart[i] * at.apart[i];
    }
    return at;
}

// Bounds the approach of a stretch to a disc beyond that of its middle. The part of the arm that is
// beside the disc lies beyond a line across n, and there is
//   |p_f(th) - c| >= n . (p_f(th) - c) >= |p - c| + n . J_f (th - middle) - bows
// with J_f between those of the part's ends; a linear function is least at a Bezier point.
static double nearer(const Beside *part, const Middle *at)
{
    double least = 0;
    for (int k = 0; k < 4; k++)
        for (int end = 0; end < 2; end++)
            least = ib_min(least, part->ends[end][0] * at->away[k][0] +
                                      part->ends[end][1] * at->away[k][1]);
    return ib_min(at->moves, at->bows - least);
}

// Takes a thing that is at `distance` in the middle and comes nearer by at most `by`.
static void consider(ib_ArmNear *near, ib_ArmThing thing, int index, double distance, double by,
                     const double slope[2])
{
    near->least = ib_min(near->least, distance - by);
    if (!(distance < near->distance)) return;
    near->thing = thing;
    near->index = index;
    near->distance = distance;
    near->slope[0] = slope[0];
    near->slope[1] = slope[1];
}

// The nearest at the middle of a stretch, and in `least` of all of it.
static ib_ArmNear near_of(const ib_ArmScene *scene, const Middle *at)
{
    const double *th = at->th;
    ib_ArmNear near = {.distance = INFINITY, .least = INFINITY, .th = {th[0], th[1]}};
    bool links = scene->clear == IB_ARM_CLEAR_LINKS;
    if (scene->discs > 0) {
        Pose pose = pose_of(scene, th);
        for (int k = 0; k < scene->discs; k++)
            for (int link = links ? 1 : 0; link <= (links ? 2 : 0); link++) {
                Beside part = beside(&pose, &scene->disc[k], scene->radius, link);
                consider(&near, IB_ARM_DISC, k, part.distance, nearer(&part, at), part.slope);
            }
    }
    for (int i = 0; i < 2; i++) {
        const double up[2] = {i == 0, i == 1}, down[2] = {-up[0], -up[1]};
        consider(&near, IB_ARM_LOW, i, th[i] - scene->low[i], at->apart[i], up);
        consider(&near, IB_ARM_HIGH, i, scene->high[i] - th[i], at->apart[i], down);
    }
    const double open[2] = {1, -1}, close[2] = {-1, 1};
    double elbow = th[0] - th[1], both = at->apart[0] + at->apart[1];
    consider(&near, IB_ARM_ELBOW_LOW, 0, elbow - scene->elbow_low, both, open);
    consider(&near, IB_ARM_ELBOW_HIGH, 0, scene->elbow_high - elbow, both, close);
    return near;
}

ib_ArmNear ib_arm_scene_near(const ib_ArmScene *scene, const double th[2])
{
    const Middle here = {.th = {th[0], th[1]}};
    return near_of(scene, &here);
}

// ------------------------------------------------------------------------------------------- paths

static void halve(const Stretch *whole, Stretch *left, Stretch *right)
{
    for (int i = 0; i < 2; i++) {
        const double *b = whole->b[i];
        double b01 = 0.5 * (b[0] + b[1]), b12 = 0.5 * (b[1] + b[2]), b23 = 0.5 * (b[2] + b[3]);
        double b012 = 0.5 * (b01 + b12), b123 = 0.5 * (b12 + b23), middle = 0.5 * (b012 + b123);
        double first[4] = {b[0], b01, b012, middle}, second[4] = {middle, b123, b23, b[3]};
        memcpy(left->b[i], first, sizeof first);
        memcpy(right->b[i], second, sizeof second);
    }
    double half = 0.5 * (whole->begin + whole->end);
    left->begin = whole->begin, left->end = half;
    right->begin = half, right->end = whole->end;
}

// Finds the nearest place in a stretch. Parts that cannot be nearer than the known one, less the
// tolerance, are skipped; the rest is halved until they can be. With `enough` > -infinity parts
// with that distance are skipped, too, and the first without it ends the search.
static void look(const ib_ArmScene *scene, const Stretch *cell, int point, double length,
                 double enough, ib_ArmNear *best)
{
    Stretch stack[DEPTH + 1];
    int height = 0;
    double fine = enough > -INFINITY ? enough : INFINITY;
    stack[height++] = *cell;
    while (height > 0 && best->distance >= enough) {
        Stretch now = stack[--height];
        Middle at = middle_of(scene, &now);
        ib_ArmNear near = near_of(scene, &at);
        double least = near.least;
        if (near.distance < best->distance) {
            near.least = best->least;
            near.point = point;
            near.s = 0.5 * (now.begin + now.end) * length;
            *best = near;
        }
        if (least >= ib_min(best->distance - IB_ARM_SCENE_EXACT, fine) || height >= DEPTH) {
            best->least = ib_min(best->least, least);
            continue;
        }
        halve(&now, &stack[height + 1], &stack[height]);
        height += 2;
    }
}

static ib_ArmNear blank(void)
{
    return (ib_ArmNear){.distance = INFINITY, .least = INFINITY};
}

static Stretch line_between(const double from[2], const double to[2])
{
    Stretch line = {.begin = 0, .end = 1};
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 4; k++) line.b[i][k] = from[i] + (to[i] - from[i]) * k / 3.0;
    return line;
}

ib_ArmNear ib_arm_scene_line(const ib_ArmScene *scene, const double from[2], const double to[2])
{
    ib_ArmNear best = blank();
    Stretch line = line_between(from, to);
    double way[2] = {to[0] - from[0], to[1] - from[1]};
    look(scene, &line, 0, sqrt(way[0] * way[0] + way[1] * way[1]), -INFINITY, &best);
    return best;
}

bool ib_arm_scene_line_clear(const ib_ArmScene *scene, const double from[2], const double to[2],
                             double margin)
{
    ib_ArmNear best = blank();
    Stretch line = line_between(from, to);
    look(scene, &line, 0, 1, margin, &best);
    return best.distance >= margin;
}

static Stretch cell_between(const ib_ArmPoint *a, const ib_ArmPoint *b)
{
    Stretch cell = {.begin = 0, .end = 1};
    double third = (b->s - a->s) / 3;
    for (int i = 0; i < 2; i++) {
        double bezier[4] = {a->th[i], a->th[i] + third * a->way[i], b->th[i] - third * b->way[i],
                            b->th[i]};
        memcpy(cell.b[i], bezier, sizeof bezier);
    }
    return cell;
}

bool ib_arm_scene_path_clear(const ib_ArmScene *scene, const ib_ArmPath *path, double margin)
{
    ib_ArmNear best = blank();
    for (int k = 0; k + 1 < path->count && best.distance >= margin; k++) {
        Stretch cell = cell_between(&path->points[k], &path->points[k + 1]);
        look(scene, &cell, k, 1, margin, &best);
    }
    return best.distance >= margin;
}

ib_ArmNear ib_arm_scene_along(const ib_ArmScene *scene, const ib_ArmPath *path)
{
    ib_ArmNear best = blank();
    // The points come first: they decide which of the rest can be skipped.
    for (int k = 0; k < path->count; k++) {
        ib_ArmNear near = ib_arm_scene_near(scene, path->points[k].th);
        if (!(near.distance < best.distance)) continue;
        best = near;
        best.s = path->points[k].s;
        best.point = k;
    }
    best.least = best.distance;
    for (int k = 0; k + 1 < path->count; k++) {
        const ib_ArmPoint *a = &path->points[k], *b = a + 1;
        Stretch cell = cell_between(a, b);
        double known = best.distance;
        look(scene, &cell, k, b->s - a->s, -INFINITY, &best);
        if (best.distance < known) best.s += a->s;
    }
    return best;
}

// ------------------------------------------------------------------------------------------- words

// "s = 0.5 rad" between two words; nothing at the begin of a path, which may be none.
typedef struct Where {
    char text[32];
} Where;

static Where where_on(const ib_ArmNear *near, const char *before, const char *behind)
{
    Where where = {""};
    if (near->s > 0)
        snprintf(where.text, sizeof where.text, "%ss = %.4g rad%s", before, near->s, behind);
    return where;
}

static ib_Status refuse_disc(const ib_ArmScene *scene, const ib_ArmNear *near, double margin,
                             const char *what, ib_Error *error)
{
    char beyond[48] = "";
    Pose pose = pose_of(scene, near->th);
    if (margin > 0) snprintf(beyond, sizeof beyond, " with a margin of %.4g m", margin);
    return ib_error_set(
        error, IB_BAD_INPUT,
        "%s %s obstacle '%s' by %.4g m at %stheta1 = %.4g rad, theta2 = %.4g rad (hand at "
        "x = %.4g m, z = %.4g m): expected the %s to stay outside%s",
        what, near->distance < 0 ? "is inside of" : "comes near to",
        ib_quote(scene->disc[near->index].name).text, fabs(near->distance),
        where_on(near, "", ", ").text, near->th[0], near->th[1], pose.hand[0], pose.hand[1],
        scene->clear == IB_ARM_CLEAR_HAND ? "hand" : "links", beyond);
}

ib_Status ib_arm_scene_refuse(const ib_ArmScene *scene, const ib_ArmNear *near, double margin,
                              const char *what, ib_Error *error)
{
    if (near->distance >= margin) return IB_OK;
    const char *which = near->index == 0 ? "first" : "second";
    const double *th = near->th;
    bool low = near->thing == IB_ARM_LOW || near->thing == IB_ARM_ELBOW_LOW;
    const char *side = low ? "at least" : "at most";
    switch (near->thing) {
    case IB_ARM_DISC:
        return refuse_disc(scene, near, margin, what, error);
    case IB_ARM_LOW:
    case IB_ARM_HIGH:
        return ib_error_set(
            error, IB_BAD_INPUT, "%s takes the %s joint to %.4g rad%s: expected %s %.4g rad", what,
            which, th[near->index], where_on(near, " at ", "").text, side,
            low ? scene->low[near->index] + margin : scene->high[near->index] - margin);
    case IB_ARM_ELBOW_LOW:
    case IB_ARM_ELBOW_HIGH:
        return ib_error_set(
            error, IB_BAD_INPUT,
            "%s takes the elbow, theta1 - theta2, to %.4g rad%s: expected %s %.4g rad", what,
            th[0] - th[1], where_on(near, " at ", "").text, side,
            low ? scene->elbow_low + margin : scene->elbow_high - margin);
    case IB_ARM_NOTHING:
        break;
    }
    return IB_OK;
}
