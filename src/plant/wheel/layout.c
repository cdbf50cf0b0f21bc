#include "plant/wheel/layout.h"

#include "base/extreme.h"
#include "base/maths.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Twists here are (u, n, L w) [m/s], L the farthest wheel's distance, so that all three compare.

#define NOTHING 1e-9 ///< a row of length 1 with a smaller rest beyond others is dependent on them
#define ALONG   1e-6 ///< less of a direction of length 1 is not worth a word

// Independent rows of length 1, at right angles to each other.
typedef struct Span {
    int count;
    double row[3][3];
} Span;

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Removes a vector's part in the span, twice, so that rounding does not accumulate. Returns
// its length.
static double leave(const Span *span, double v[3])
{
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < span->count; i++) {
            double part = dot(span->row[i], v);
            for (int k = 0; k < 3; k++) v[k] -= part * span->row[i][k];
        }
    return sqrt(dot(v, v));
}

static void add(Span *span, const double row[3])
{
    double v[3] = {row[0], row[1], row[2]}, size = sqrt(dot(row, row));
    double rest = leave(span, v);
    if (span->count == 3 || !(rest > NOTHING * size)) return;
    for (int k = 0; k < 3; k++) span->row[span->count][k] = v[k] / rest;
    span->count++;
}

// All that is at right angles to the span.
static Span complement(const Span *span)
{
    Span whole = *span, rest = {0};
    while (whole.count < 3) {
        double best[3] = {0}, most = -1;
        for (int i = 0; i < 3; i++) {
            double v[3] = {i == 0, i == 1, i == 2}, size = leave(&whole, v);
            if (!(size > most)) continue;
            most = size;
            for (int k = 0; k < 3; k++) best[k] = v[k] / size;
        }
        memcpy(rest.row[rest.count++], best, sizeof best);
        memcpy(whole.row[whole.count++], best, sizeof best);
    }
    return rest;
}

// -------------------------------------------------------------------------------------- kinematics

static double reach(const ib_LayoutConfig *config)
{
    double most = 0;
    for (int i = 0; i < config->count; i++) {
        double x = config->wheels[i].x, y = config->wheels[i].y;
        most = ib_max(most, sqrt(x * x + y * y));
    }
    return most > 0 ? most : 1;
}

// Row for the velocity of the wheel's place along (x, y) by the robot's twist.
static void row_along(const ib_LayoutWheel *wheel, double along_x, double along_y, double row[3])
{
    row[0] = along_x;
    row[1] = along_y;
    row[2] = wheel->x * along_y - wheel->y * along_x;
}

static bool has_rollers(const ib_LayoutWheel *wheel)
{
    return wheel->roller < INFINITY;
}

// Omega of a wheel that does not slip, for u, n, w = 1.
static void find_turn(const ib_LayoutWheel *wheel, double turn[3])
{
    double ex, ey, fx, fy;
    ib_sincos(wheel->direction, &ey, &ex);
    if (has_rollers(wheel))
        ib_sincos(wheel->direction + wheel->roller, &fy, &fx);
    else
        fx = -ey, fy = ex;
    double along = fy * ex - fx * ey; // g . e, the sine of the roller's angle
    row_along(wheel, fy, -fx, turn);
    for (int k = 0; k < 3; k++) turn[k] /= 0.5 * wheel->diameter * along;
}

// The same of a rim: the mean of its wheels, where these differ.
static void find_rim_turn(const ib_LayoutConfig *config, int rim, ib_LayoutModel *layout)
{
    double first[3], sum[3] = {0};
    int count = 0;
    bool differ = false;
    find_turn(&config->wheels[layout->first[rim]], first);
    for (int i = 0; i < config->count; i++) {
        double own[3];
        if (layout->rim[i] != rim) continue;
        find_turn(&config->wheels[i], own);
        for (int k = 0; k < 3; k++) {
            sum[k] += own[k];
            differ |= own[k] != first[k];
        }
        count++;
    }
    for (int k = 0; k < 3; k++) layout->turn[rim][k] = differ ? sum[k] / count : first[k];
}

// The same for a twist whose last part is L w.
static void compare(const double row[3], double length, double out[3])
{
    out[0] = row[0];
    out[1] = row[1];
    out[2] = row[2] / length;
}

static Span span_of_turns(const ib_LayoutModel *layout, double length)
{
    Span span = {0};
    for (int i = 0; i < layout->rim_count; i++) {
        double row[3];
        compare(layout->turn[i], length, row);
        add(&span, row);
    }
    return span;
}

// Constraints by wheels without rollers, and by wheels with another speed than their rim.
static Span span_of_holds(const ib_LayoutConfig *config, const ib_LayoutModel *layout,
                          double length)
{
    Span span = {0};
    for (int i = 0; i < config->count; i++) {
        const ib_LayoutWheel *wheel = &config->wheels[i];
        double row[3], own[3], c, s;
        if (!has_rollers(wheel)) {
            ib_sincos(wheel->direction, &s, &c);
            row_along(wheel, -s, c, own);
            compare(own, length, row);
            add(&span, row);
        }
        find_turn(wheel, own);
        for (int k = 0; k < 3; k++) own[k] -= layout->turn[layout->rim[i]][k];
        for (int k = 0; k < 3; k++) own[k] *= 0.5 * wheel->diameter;
        compare(own, length, row);
        if (sqrt(dot(row, row)) > NOTHING) add(&span, row);
    }
    return span;
}

static void number_rims(const ib_LayoutConfig *config, ib_LayoutModel *layout)
{
    for (int i = 0; i < config->count; i++) {
        int rim = -1, wanted = config->wheels[i].rim;
        for (int k = 0; k < i && wanted > 0; k++)
            if (config->wheels[k].rim == wanted) rim = layout->rim[k];
        if (rim < 0) {
            rim = layout->rim_count++;
            layout->first[rim] = i;
        }
        layout->rim[i] = rim;
    }
}

void ib_layout_init(const ib_LayoutConfig *config, ib_LayoutModel *layout)
{
    memset(layout, 0, sizeof *layout);
    layout->wheel_count = config->count;
    number_rims(config, layout);
    for (int i = 0; i < layout->rim_count; i++) find_rim_turn(config, i, layout);
    double length = reach(config);
    Span holds = span_of_holds(config, layout, length), allowed = complement(&holds);
    layout->hold_count = holds.count;
    layout->allowed_count = allowed.count;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            if (i < holds.count) layout->hold[i][k] = holds.row[i][k] * (k == 2 ? length : 1);
            if (i < allowed.count)
                layout->allowed[i][k] = allowed.row[i][k] / (k == 2 ? length : 1);
        }
}

// ------------------------------------------------------------------------------------------ checks

// "move the robot sideways", "turn the robot" for a motion (u, n, L w); about the instantaneous
// centre, (-n, u)/w, if it is not the robot's middle.
static void name_motion(const double v[3], double length, char *text, size_t size)
{
    double along = sqrt(v[0] * v[0] + v[1] * v[1]);
    double u = fabs(v[0]) > NOTHING ? v[0] : 0, n = fabs(v[1]) > NOTHING ? v[1] : 0;
    if (!(along > ALONG))
        snprintf(text, size, "turn the robot");
    else if (fabs(v[2]) > ALONG)
        snprintf(text, size, "turn the robot about x = %.4g m, y = %.4g m",
                 n == 0 ? 0 : -n * length / v[2], u == 0 ? 0 : u * length / v[2]);
    else if (fabs(v[1]) <= ALONG * along)
        snprintf(text, size, "move the robot forward");
    else if (fabs(v[0]) <= ALONG * along)
        snprintf(text, size, "move the robot sideways");
    else
        snprintf(text, size, "move the robot along %.4g deg",
                 ib_atan2(v[1] / v[0], 1) * 180 / M_PI);
}

static ib_Status check_wheel(const ib_LayoutWheel *wheel, int index, ib_Error *error)
{
    // Rollers along the rolling direction would drive nothing: from 1 degree on it can be built.
    if (has_rollers(wheel) && !(fabs(ib_sin(wheel->roller)) > 0.0174))
        return ib_error_set(error, IB_BAD_INPUT,
                            ".%d.roller: rollers that slide along the rolling direction drive "
                            "nothing: expected an angle of 1 deg or more to it, got %.4g deg",
                            index, wheel->roller * 180 / M_PI);
    return IB_OK;
}

// The key in which two wheels differ that turn together; NULL: in none. A whole turn changes no
// direction, and half of one no roller.
static const char *differing_key(const ib_LayoutWheel *a, const ib_LayoutWheel *b)
{
    double turn = a->direction - b->direction;
    if (fabs(ib_sin(turn)) > NOTHING || ib_cos(turn) < 0) return "direction";
    bool rollers = has_rollers(a), others = has_rollers(b);
    if (rollers != others || (rollers && fabs(ib_sin(a->roller - b->roller)) > NOTHING))
        return "roller";
    return a->diameter != b->diameter ? "diameter" : NULL;
}

static ib_Status check_rim(const ib_LayoutConfig *config, int index, ib_Error *error)
{
    const ib_LayoutWheel *own = &config->wheels[index];
    for (int i = 0; i < index && own->rim != 0; i++) {
        if (own->rim != config->wheels[i].rim) continue;
        const char *key = differing_key(own, &config->wheels[i]);
        if (key)
            return ib_error_set(error, IB_BAD_INPUT,
                                ".%d.%s: wheels that turn together, on rim %d, are alike: expected "
                                "the %s of at.%d",
                                index, key, own->rim, key, i);
    }
    return IB_OK;
}

// Chooses the clearest for the message among impossible motions.
static void choose_motion(const Span *motions, double motion[3])
{
    static const double plain[3][3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
    for (int i = 0; i < 3; i++) {
        double rest[3] = {plain[i][0], plain[i][1], plain[i][2]};
        memcpy(motion, plain[i], sizeof plain[i]);
        if (leave(motions, rest) < ALONG) return;
    }
    memcpy(motion, motions->row[0], sizeof motions->row[0]);
}

static ib_Status refuse(const Span *motions, double length, const char *why, ib_Error *error)
{
    double motion[3];
    char text[100];
    choose_motion(motions, motion);
    name_motion(motion, length, text, sizeof text);
    return ib_error_set(error, IB_BAD_INPUT, ": the wheels cannot %s%s", text, why);
}

// A motion neither driven nor held is missing; held ones must let the robot drive on and turn.
ib_Status ib_layout_check(const ib_LayoutConfig *config, bool rolling, ib_Error *error)
{
    ib_Status status = IB_OK;
    for (int i = 0; i < config->count && status == IB_OK; i++) {
        status = check_wheel(&config->wheels[i], i, error);
        if (status == IB_OK) status = check_rim(config, i, error);
    }
    if (status != IB_OK) return status;
    ib_LayoutModel layout;
    ib_layout_init(config, &layout);
    double length = reach(config);
    Span turns = span_of_turns(&layout, length), holds = span_of_holds(config, &layout, length);
    Span undriven = complement(&turns), both = turns;
    for (int i = 0; i < holds.count; i++) add(&both, holds.row[i]);
    Span missing = complement(&both);
    if (missing.count > 0)
        return refuse(&missing, length, ": expected wheels that roll, or hold, in that direction",
                      error);
    bool turning = undriven.count == 1 && fabs(undriven.row[0][2]) > 0.5;
    if (undriven.count > 1 || turning)
        return refuse(&undriven, length,
                      ", they only hold it: expected wheels that drive in another direction",
                      error);
    // Wheels that never slip do not yield: of held motions only undriven ones are allowed.
    bool held = holds.count > 1 || (holds.count == 1 && undriven.count == 0);
    if (!rolling || !held) return IB_OK;
    return refuse(&holds, length,
                  ": some hold it, and wheels that never slip cannot give way: expected rollers, "
                  "or another model of the wheels",
                  error);
}
