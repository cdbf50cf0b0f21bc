#include "control/path/path.h"

#include "base/extreme.h"
#include "base/maths.h"
#include "base/units.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define PI 3.14159265358979323846

// ----------------------------------------------------------------------------------------- reading

enum { WORD_MAX = 96 };

static const char FORMS[] = "'line 2 m', 'circle 1 m left' or 'arc 1 m right 90 deg'";

// Splits `text` at a word that stands alone; false if it is absent.
static bool split_at(const char *text, const char *word, char *before, char *after)
{
    size_t length = strlen(word);
    for (const char *at = strstr(text, word); at; at = strstr(at + 1, word)) {
        bool opens = at > text && at[-1] == ' ';
        bool closes = at[length] == ' ' || at[length] == '\0';
        if (!opens || !closes) continue;
        snprintf(before, WORD_MAX, "%.*s", (int)(at - text - 1), text);
        snprintf(after, WORD_MAX, "%s", at + length + (at[length] == ' '));
        return true;
    }
    return false;
}

// A size with its unit, no less than `least` and no more than `most`.
static ib_Status read_size(const char *text, const char *what, const char *unit, double least,
                           double most, double *value, ib_Error *error)
{
    ib_Error inner = {0};
    if (ib_units_read(text, unit, value, &inner))
        return ib_error_set(error, IB_BAD_INPUT, "%s: %s", what, inner.text);
    if (!(*value >= least && *value <= most))
        return ib_error_set(error, IB_BAD_INPUT, "%s: expected %g %s to %g %s, got '%s'", what,
                            least, unit, most, unit, text);
    return IB_OK;
}

// "circle 1 m left" and "arc 1 m right 90 deg": radius, side and, for an arc, how far round.
static ib_Status read_arc(const char *text, const char *rest, bool full, ib_PathElement *element,
                          ib_Error *error)
{
    char size[WORD_MAX], turn[WORD_MAX];
    double radius, angle = 2 * PI, side = 1;
    if (!split_at(rest, "left", size, turn)) {
        side = -1;
        if (!split_at(rest, "right", size, turn))
            return ib_error_set(error, IB_BAD_INPUT,
                                "expected 'left' or 'right' after the radius, as in %s, got '%s'",
                                FORMS, text);
    }
    ib_Status status = read_size(size, "radius", "m", 1e-3, 1e6, &radius, error);
    if (status) return status;
    if (full && turn[0])
        return ib_error_set(error, IB_BAD_INPUT,
                            "a circle is a full turn: expected nothing after the side, got '%s'; "
                            "for part of one write 'arc 1 m left 90 deg'",
                            turn);
    if (!full && !turn[0])
        return ib_error_set(
            error, IB_BAD_INPUT,
            "the angle of the arc is missing: expected an arc such as 'arc 1 m left 90 deg', "
            "got '%s'",
            text);
    if (!full) {
        status = read_size(turn, "angle of the arc", "rad", 1e-6, 1e4, &angle, error);
        if (status) return status;
    }
    *element = (ib_PathElement){.length = radius * angle, .curvature = side / radius};
    return IB_OK;
}

// One blank between words, none at the ends. False when it does not fit.
static bool tidy(const char *text, char *words)
{
    size_t n = 0;
    for (; *text; text++) {
        bool blank = *text == ' ' || *text == '\t';
        if (blank && (n == 0 || words[n - 1] == ' ')) continue;
        if (n + 1 >= WORD_MAX) return false;
        words[n++] = blank ? ' ' : *text;
    }
    if (n > 0 && words[n - 1] == ' ') n--;
    words[n] = '\0';
    return true;
}

ib_Status ib_path_read(const char *text, ib_PathElement *element, ib_Error *error)
{
    char words[WORD_MAX];
    if (!tidy(text, words))
        return ib_error_set(error, IB_BAD_INPUT, "expected %s, got a text of %zu letters", FORMS,
                            strlen(text));
    if (!strncmp(words, "line ", 5)) {
        *element = (ib_PathElement){0};
        return read_size(words + 5, "length of the line", "m", 1e-6, 1e6, &element->length, error);
    }
    if (!strncmp(words, "circle ", 7)) return read_arc(words, words + 7, true, element, error);
    if (!strncmp(words, "arc ", 4)) return read_arc(words, words + 4, false, element, error);
    return ib_error_set(error, IB_BAD_INPUT, "expected %s, got '%s'", FORMS, words);
}

ib_Status ib_path_read_waypoint(const char *x, const char *y, const char *heading,
                                ib_Waypoint *waypoint, ib_Error *error)
{
    *waypoint = (ib_Waypoint){.given = true, .headed = heading != NULL};
    ib_Status status = read_size(x, "x of the waypoint", "m", -1e6, 1e6, &waypoint->x, error);
    if (!status) status = read_size(y, "y of the waypoint", "m", -1e6, 1e6, &waypoint->y, error);
    if (!status && heading)
        status = read_size(heading, "heading of the waypoint", "rad", -1e4, 1e4, &waypoint->heading,
                           error);
    return status;
}

bool ib_path_add(ib_PathConfig *path, const ib_Waypoint *waypoint)
{
    if (path->count >= IB_PATH_MAX) return false;
    path->elements[path->count] = (ib_PathElement){0};
    path->waypoints[path->count++] = *waypoint;
    return true;
}

int ib_path_first_waypoint(const ib_PathConfig *path)
{
    for (int i = 0; i < path->count; i++)
        if (path->waypoints[i].given) return i + 1;
    return 0;
}

// ---------------------------------------------------------------------------------------- geometry

double ib_path_length(const ib_PathConfig *path)
{
    double length = 0;
    for (int i = 0; i < path->count; i++) length += path->elements[i].length;
    return length;
}

// An arc of length s ends at the far end of its chord:
//   chord = 2 sin(k s/2)/k,   direction = course + k s/2
// Limits: k = 0 -> chord = s.
ib_PathPoint ib_path_go(ib_PathPoint from, double curvature, double s)
{
    double half = 0.5 * curvature * s, sine, cosine;
    double chord = fabs(half) < 1e-8 ? s : 2 * ib_sin(half) / curvature;
    ib_sincos(from.course + half, &sine, &cosine);
    return (ib_PathPoint){
        .x = from.x + chord * cosine,
        .y = from.y + chord * sine,
        .course = from.course + curvature * s,
        .curvature = curvature,
    };
}

// Place at q along a curve that begins at `from`, with the course there.
static ib_PathPoint curve_place(ib_PathPoint from, const ib_Curve *curve, double q)
{
    ib_CurvePoint p = ib_curve_point(curve, q);
    return (ib_PathPoint){p.x, p.y, from.course, ib_curve_curvature(&p)};
}

static ib_PathPoint curve_go(ib_PathPoint from, const ib_Curve *curve, double q)
{
    from = curve_place(from, curve, q);
    from.course += ib_curve_turn(curve, q);
    return from;
}

ib_PathPoint ib_path_along(const ib_PathConfig *path, int i, ib_PathPoint from, double s)
{
    const ib_Curve *curve = &path->waypoints[i].curve;
    if (path->waypoints[i].given) return curve_go(from, curve, ib_curve_find(curve, s));
    return ib_path_go(from, path->elements[i].curvature, s);
}

ib_PathPoint ib_path_place(const ib_PathConfig *path, int i, ib_PathPoint from, double s)
{
    const ib_Curve *curve = &path->waypoints[i].curve;
    if (path->waypoints[i].given) return curve_place(from, curve, ib_curve_find(curve, s));
    return ib_path_go(from, path->elements[i].curvature, s);
}

ib_PathPoint ib_path_end(const ib_PathConfig *path, int i, ib_PathPoint from)
{
    const ib_Curve *curve = &path->waypoints[i].curve;
    if (path->waypoints[i].given) return curve_go(from, curve, curve->span);
    return ib_path_go(from, path->elements[i].curvature, path->elements[i].length);
}

ib_PathPoint ib_path_point(const ib_PathConfig *path, ib_PathPoint start, double s)
{
    for (int i = 0; i < path->count; i++) {
        const ib_PathElement *e = &path->elements[i];
        if (s < e->length || i == path->count - 1) return ib_path_along(path, i, start, s);
        start = ib_path_end(path, i, start);
        s -= e->length;
    }
    return start;
}

static double line_distance(const ib_PathElement *e, const ib_PathPiece *piece, double x, double y)
{
    double along = (x - piece->x) * piece->cosine + (y - piece->y) * piece->sine;
    along = ib_max(0, ib_min(e->length, along));
    double dx = x - piece->x - along * piece->cosine, dy = y - piece->y - along * piece->sine;
    return sqrt(dx * dx + dy * dy);
}

// A point whose bearing from the centre is within the arc is nearest to the circle itself, any
// other one to one of the arc's ends.
static double arc_distance(const ib_PathElement *e, const ib_PathPiece *piece, double x, double y)
{
    double dx = x - piece->centre_x, dy = y - piece->centre_y, radius = 1 / fabs(e->curvature);
    double ring = fabs(sqrt(dx * dx + dy * dy) - radius), sweep = e->length / radius;
    if (sweep >= 2 * PI) return ring;

    double ax = piece->x - piece->centre_x, ay = piece->y - piece->centre_y;
    double turned = ib_atan2(ax * dy - ay * dx, ax * dx + ay * dy);
    if (e->curvature < 0) turned = -turned;
    if (turned < 0) turned += 2 * PI;
    if (turned <= sweep) return ring;

    double d0 = (x - piece->x) * (x - piece->x) + (y - piece->y) * (y - piece->y);
    double d1 = (x - piece->to_x) * (x - piece->to_x) + (y - piece->to_y) * (y - piece->to_y);
    return sqrt(ib_min(d0, d1));
}

// Start of the element after i; whole turns of the course do not matter. A curve has its own start.
static ib_PathPoint next_start(const ib_PathConfig *path, int i, ib_PathPoint from)
{
    const ib_Waypoint *w = &path->waypoints[i];
    if (i + 1 == path->count || w[1].given) return from;
    if (!w->given) return ib_path_end(path, i, from);
    ib_CurvePoint p = ib_curve_point(&w->curve, w->curve.span);
    return (ib_PathPoint){.x = p.x, .y = p.y, .course = ib_atan2(p.dy, p.dx)};
}

// The centre of an arc lies 1/k to the left.
static ib_PathPiece lay_one(const ib_PathElement *e, const ib_Waypoint *w, ib_PathPoint start)
{
    ib_PathPiece piece = {.x = start.x, .y = start.y};
    if (w->given) {
        ib_curve_sample(&w->curve, piece.samples);
        return piece;
    }
    ib_sincos(start.course, &piece.sine, &piece.cosine);
    if (e->curvature == 0) return piece;
    ib_PathPoint to = ib_path_go(start, e->curvature, e->length);
    piece.centre_x = start.x - piece.sine / e->curvature;
    piece.centre_y = start.y + piece.cosine / e->curvature;
    piece.to_x = to.x;
    piece.to_y = to.y;
    return piece;
}

void ib_path_lay(const ib_PathConfig *path, ib_PathPoint start, ib_PathPiece *pieces)
{
    for (int i = 0; i < path->count; i++) {
        pieces[i] = lay_one(&path->elements[i], &path->waypoints[i], start);
        start = next_start(path, i, start);
    }
}

// No point of a curve of length L between A and B is nearer to X than (|XA| + |XB| - L)/2, since
// the ways from it to A and to B are at most L together.
static double curve_bound(const ib_Waypoint *w, double length, double x, double y)
{
    double ax = x - w->curve.x[0], ay = y - w->curve.y[0], bx = x - w->x, by = y - w->y;
    return 0.5 * (sqrt(ax * ax + ay * ay) + sqrt(bx * bx + by * by) - length);
}

// Lines and arcs are quick. The curve with the least bound comes first: few others can then
// be nearer.
double ib_path_distance_to(const ib_PathConfig *path, const ib_PathPiece *pieces, double x,
                           double y)
{
    double best = INFINITY, least = INFINITY, bounds[IB_PATH_MAX];
    int first = -1;
    for (int i = 0; i < path->count; i++) {
        const ib_PathElement *e = &path->elements[i];
        const ib_Waypoint *w = &path->waypoints[i];
        bounds[i] = w->given ? curve_bound(w, e->length, x, y) : INFINITY;
        if (bounds[i] < least) least = bounds[first = i];
        if (!w->given)
            best = ib_min(best, e->curvature == 0 ? line_distance(e, &pieces[i], x, y)
                                                  : arc_distance(e, &pieces[i], x, y));
    }
    for (int n = first < 0; n <= path->count; n++) {
        int i = n == 0 ? first : n - 1;
        bool known = !path->waypoints[i].given || (n > 0 && i == first);
        if (known || bounds[i] > best + 1e-9) continue;
        best = ib_min(best, ib_curve_distance(&path->waypoints[i].curve, pieces[i].samples, x, y));
    }
    return best;
}

double ib_path_distance(const ib_PathConfig *path, ib_PathPoint start, double x, double y)
{
    ib_PathPiece pieces[IB_PATH_MAX];
    ib_path_lay(path, start, pieces);
    return ib_path_distance_to(path, pieces, x, y);
}
