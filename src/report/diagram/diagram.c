#include "report/diagram/diagram_inside.h"

#include "base/extreme.h"
#include "base/maths.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Pixels. y points down here and up in the field: screen y = CENTRE_Y - field y.
enum {
    WIDTH = 1050,
    HEIGHT = 600,
    CENTRE_X = 330,
    CENTRE_Y = 310,
    BODY = 230,      // twice the reach of the robot from its origin
    LONGEST = 145,   // of all force arrows
    SHORTEST = 7,    // a shorter arrow is listed only
    VELOCITY = 85,   // length of the velocity arrow, for any speed
    SLOPE = 60,      // the arrow of a slope's acceleration, likewise
    MARK = 7,        // radius of the centre of mass
    LABEL_HIGH = 20, // a line of text
    FONT = 17,
};

static const char *const frame_colour = "#7a7a7a";
static const char *const outline_colour = "#55606a";
static const char *const drive_colours[] = {"#d55e00", "#0072b2", "#b4528a", "#4d4d4d", "#a86f00"};
enum { FORCE_COLOURS = sizeof drive_colours / sizeof drive_colours[0] };

typedef struct Point {
    double x, y; // pixels, y down
} Point;

// The drawn boxes: a label needs a place beside them, and nearer to its own arrow's tip than
// to another's.
typedef struct Boxes {
    int count;
    struct Box {
        double left, top, right, bottom;
    } items[1024];
    int tip_count;
    Point tips[IB_DIAGRAM_MAX_FORCES + 9]; // of all forces, four others, four axes and the centre
} Boxes;

// ------------------------------------------------------------------------------------------ values

int ib__diagram_force_count(const ib_Diagram *diagram)
{
    int count = diagram->ports->force_count;
    return count < IB_DIAGRAM_MAX_FORCES ? count : IB_DIAGRAM_MAX_FORCES;
}

double ib__diagram_size(double x, double y)
{
    double size = sqrt(x * x + y * y);
    return isfinite(size) ? size : 0;
}

static double push_size(const ib_Diagram *diagram)
{
    return diagram->disturbed ? ib__diagram_size(diagram->push_x, diagram->push_y) : 0;
}

static double contact_size(const ib_Diagram *diagram)
{
    return ib__diagram_size(diagram->contact_x, diagram->contact_y);
}

static double slope_size(const ib_Diagram *diagram)
{
    return diagram->disturbed ? ib__diagram_size(diagram->slope_x, diagram->slope_y) : 0;
}

static double force_size(const ib_Diagram *diagram, int index)
{
    double x, y;
    ib_diagram_force(diagram, index, &x, &y);
    return ib__diagram_size(x, y);
}

#define NOTHING 1e-9 ///< forces of which none is larger are rounding, of a robot that stands [N]

double ib__diagram_largest(const ib_Diagram *diagram)
{
    double largest = ib_max(push_size(diagram), contact_size(diagram));
    for (int i = 0; i < ib__diagram_force_count(diagram); i++)
        largest = ib_max(largest, force_size(diagram, i));
    return largest < NOTHING ? 0 : largest;
}

const char *ib__diagram_colour(const ib_Diagram *diagram, int index)
{
    const ib_ForceDef *forces = diagram->ports->forces;
    int colour = 0;
    for (int i = 0; i <= index; i++) {
        int first = 0;
        while (strcmp(forces[first].label, forces[i].label) != 0) first++;
        if (i == index && first < index) return ib__diagram_colour(diagram, first);
        if (first == i && i < index) colour++;
    }
    return drive_colours[colour % FORCE_COLOURS];
}

// ----------------------------------------------------------------------------------------- drawing

static Point body_point(const ib_Diagram *diagram, double scale, double x, double y)
{
    double s, c;
    ib_sincos(diagram->heading, &s, &c);
    return (Point){CENTRE_X + scale * (c * x - s * y), CENTRE_Y - scale * (s * x + c * y)};
}

static void arrow(ib_Text *svg, Point from, Point to, const char *colour, double width)
{
    double dx = to.x - from.x, dy = to.y - from.y, length = sqrt(dx * dx + dy * dy);
    if (!(length > 0)) return;
    double head = ib_min(4.5 * width, 0.6 * length), ux = dx / length, uy = dy / length;
    Point neck = {to.x - head * ux, to.y - head * uy};
    ib_text_format(svg,
                   "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" "
                   "stroke-width=\"%g\"/>\n",
                   from.x, from.y, neck.x, neck.y, colour, width);
    ib_text_format(svg, "<polygon points=\"%.1f,%.1f %.1f,%.1f %.1f,%.1f\" fill=\"%s\"/>\n", to.x,
                   to.y, neck.x - 0.42 * head * uy, neck.y + 0.42 * head * ux,
                   neck.x + 0.42 * head * uy, neck.y - 0.42 * head * ux, colour);
}

void ib__diagram_label(ib_Text *svg, const char *label)
{
    const char *low = strchr(label, '_');
    char head[64];
    snprintf(head, sizeof head, "%.*s", low ? (int)(low - label) : (int)strlen(label), label);
    ib_text_add(svg, "<tspan font-style=\"italic\">");
    ib_text_escape(svg, head);
    ib_text_add(svg, "</tspan>");
    if (!low) return;
    ib_text_add(svg, "<tspan dy=\"4\" font-size=\"13\">");
    ib_text_escape(svg, low + 1);
    ib_text_add(svg, "</tspan><tspan dy=\"-4\"> </tspan>");
}

static bool overlaps(const Boxes *boxes, const struct Box *box)
{
    for (int i = 0; i < boxes->count; i++) {
        const struct Box *other = &boxes->items[i];
        if (box->left < other->right && box->right > other->left && box->top < other->bottom &&
            box->bottom > other->top)
            return true;
    }
    return false;
}

static void remember(Boxes *boxes, struct Box box)
{
    enum { MOST = sizeof boxes->items / sizeof boxes->items[0] };
    if (boxes->count < MOST) boxes->items[boxes->count++] = box;
}

// Reserves the line from `from` to `to`, as a row of small boxes.
static void remember_line(Boxes *boxes, Point from, Point to)
{
    const double half = 5;
    double dx = to.x - from.x, dy = to.y - from.y;
    int pieces = 1 + (int)(sqrt(dx * dx + dy * dy) / (2 * half));
    for (int i = 0; i <= pieces; i++) {
        double x = from.x + dx * i / pieces, y = from.y + dy * i / pieces;
        remember(boxes, (struct Box){x - half, y - half, x + half, y + half});
    }
}

static void remember_arrow(Boxes *boxes, Point from, Point to)
{
    remember_line(boxes, from, to);
    boxes->tips[boxes->tip_count++] = to;
}

static double distance(const struct Box *box, Point point)
{
    double x = ib_max(0, ib_max(box->left - point.x, point.x - box->right));
    double y = ib_max(0, ib_max(box->top - point.y, point.y - box->bottom));
    return sqrt(x * x + y * y);
}

// True if a label in this box is read as that of the arrow which ends at `tip`.
static bool belongs_to(const Boxes *boxes, const struct Box *box, Point tip)
{
    const double slack = 1;
    double own = distance(box, tip) - slack;
    for (int i = 0; i < boxes->tip_count; i++)
        if (distance(box, boxes->tips[i]) < own) return false;
    return true;
}

// A free place for `width` pixels of text near `at`, tried around it in growing rings.
static bool find_place(Boxes *boxes, Point tip, Point at, double width, bool any, Point *place)
{
    enum { RINGS = 14, STEP = 8, DIRECTIONS = 16 };
    const double tau = 6.283185307179586;
    for (int ring = 0; ring < RINGS; ring++) {
        for (int i = 0; i < (ring ? DIRECTIONS : 1); i++) {
            Point centre = {at.x + STEP * ring * ib_cos(tau * i / DIRECTIONS),
                            at.y + STEP * ring * ib_sin(tau * i / DIRECTIONS)};
            centre.x = ib_min(ib_max(centre.x, width / 2 + 4), IB_DIAGRAM_TABLE - 12 - width / 2);
            centre.y = ib_min(ib_max(centre.y, 60), HEIGHT - 30);
            struct Box box = {centre.x - width / 2, centre.y - LABEL_HIGH / 2.0,
                              centre.x + width / 2, centre.y + LABEL_HIGH / 2.0};
            if (overlaps(boxes, &box) || (!any && !belongs_to(boxes, &box, tip))) continue;
            remember(boxes, box);
            *place = centre;
            return true;
        }
    }
    return false;
}

// Labels the arrow from `from` to `to` beyond its tip.
static void draw_label(ib_Text *svg, Boxes *boxes, Point from, Point to, const char *colour,
                       const char *label, const char *value)
{
    double width = 9.0 * (double)(strlen(label) + strlen(value)) + 8;
    double dx = to.x - from.x, dy = to.y - from.y, length = sqrt(dx * dx + dy * dy);
    double ux = dx / length, uy = dy / length;
    double away = 7 + fabs(ux) * width / 2 + fabs(uy) * LABEL_HIGH / 2.0;
    Point beyond = {to.x + away * ux, to.y + away * uy}, at = beyond;
    if (!find_place(boxes, to, beyond, width, false, &at))
        find_place(boxes, to, beyond, width, true, &at);
    // A white rim keeps it legible over lines.
    ib_text_format(svg,
                   "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" fill=\"%s\" "
                   "stroke=\"#ffffff\" stroke-width=\"4\" paint-order=\"stroke\">",
                   at.x, at.y + 6, colour);
    ib__diagram_label(svg, label);
    ib_text_escape(svg, value);
    ib_text_add(svg, "</text>\n");
}

// ------------------------------------------------------------------------------------------- parts

// A colour on its way to white, since arrows and labels lie over it.
static uint32_t pale(uint32_t colour)
{
    uint32_t mixed = 0;
    for (int shift = 0; shift < 24; shift += 8) {
        uint32_t part = (colour >> shift) & 0xff;
        mixed |= (part + (255 - part) * 7 / 10) << shift;
    }
    return mixed;
}

static void draw_body(const ib_Diagram *diagram, double scale, ib_Text *svg)
{
    for (int i = 0; i < diagram->view.count; i++) {
        const ib_TopShape *shape = &diagram->view.shapes[i];
        if (shape->hidden) continue;
        ib_text_add(svg, "<polygon points=\"");
        for (int k = 0; k < shape->count; k++) {
            Point p = body_point(diagram, scale, shape->x[k], shape->y[k]);
            ib_text_format(svg, "%.1f,%.1f ", p.x, p.y);
        }
        ib_text_format(svg, "\" fill=\"#%06x\" stroke=\"%s\" stroke-width=\"1.2\"/>\n",
                       (unsigned)pale(shape->colour), outline_colour);
    }
}

// Pixels per metre at which the whole robot fits around its origin.
static double body_scale(const ib_Diagram *diagram)
{
    const ib_TopView *view = &diagram->view;
    double reach = ib_max(fabs(diagram->centre_x), fabs(diagram->centre_y));
    for (int i = 0; i < view->count; i++)
        for (int k = 0; k < view->shapes[i].count; k++)
            reach = ib_max(reach, ib_max(fabs(view->shapes[i].x[k]), fabs(view->shapes[i].y[k])));
    return reach > 0 ? BODY / (2 * reach) : BODY;
}

// One axis: dashed in the body's frame, whole in the field's.
typedef struct Axis {
    const char *name;
    Point from, to;
    bool body;
} Axis;

enum { AXES = 4 };

static void find_axes(const ib_Diagram *diagram, double scale, Axis axes[AXES])
{
    Point corner = {60, HEIGHT - 60}, centre = {CENTRE_X, CENTRE_Y};
    double reach = (BODY / 2.0 + 50) / scale;
    axes[0] = (Axis){"X", corner, {corner.x + 80, corner.y}, false};
    axes[1] = (Axis){"Y", corner, {corner.x, corner.y - 80}, false};
    axes[2] = (Axis){"t", centre, body_point(diagram, scale, reach, 0), true};
    axes[3] = (Axis){"n", centre, body_point(diagram, scale, 0, reach), true};
}

static void draw_axes(const Axis axes[AXES], ib_Text *svg, Boxes *boxes)
{
    for (int i = 0; i < AXES; i++) {
        ib_text_format(svg, "<g%s>\n", axes[i].body ? " stroke-dasharray=\"6 4\"" : "");
        arrow(svg, axes[i].from, axes[i].to, frame_colour, 1.6);
        ib_text_add(svg, "</g>\n");
        remember_arrow(boxes, axes[i].from, axes[i].to);
    }
    ib_text_format(svg, "<circle cx=\"%d\" cy=\"%d\" r=\"4\" fill=\"%s\"/>\n", CENTRE_X, CENTRE_Y,
                   IB_DIAGRAM_INK);
}

// Number of drawn forces before this one with the same point and direction.
static int same_line(const ib_Diagram *diagram, int index, double shortest)
{
    const ib_ForceDef *forces = diagram->ports->forces, *own = &forces[index];
    double x, y, f = force_size(diagram, index);
    ib_diagram_force(diagram, index, &x, &y);
    int count = 0;
    for (int i = 0; i < index; i++) {
        double other_x, other_y, other = force_size(diagram, i);
        if (!(other >= shortest)) continue;
        ib_diagram_force(diagram, i, &other_x, &other_y);
        double dx = forces[i].x - own->x, dy = forces[i].y - own->y;
        double cosine = x / f * (other_x / other) + y / f * (other_y / other);
        if (cosine > 0.98 && dx * dx + dy * dy < 1e-12) count++;
    }
    return count;
}

typedef struct Arrow {
    Point from, to;
    const char *colour, *label;
    char value[32];
} Arrow;

static Arrow force_arrow(const ib_Diagram *diagram, int index, double scale, double per_newton)
{
    const ib_ForceDef *def = &diagram->ports->forces[index];
    double fx, fy, f = force_size(diagram, index);
    ib_diagram_force(diagram, index, &fx, &fy);
    double length = f * per_newton / scale; // in metres of the drawing

    // Arrows on the same line stand side by side.
    double aside = 13.0 / scale * same_line(diagram, index, SHORTEST / per_newton);
    double along_x = fx / f, along_y = fy / f;
    double x = def->x - aside * along_y, y = def->y + aside * along_x;
    Arrow made = {
        .from = body_point(diagram, scale, x, y),
        .to = body_point(diagram, scale, x + length * along_x, y + length * along_y),
        .colour = ib__diagram_colour(diagram, index),
        .label = def->label,
    };
    snprintf(made.value, sizeof made.value, " %.3g N", f);
    return made;
}

// The velocity arrow has one length for any speed, which its label gives; none at rest.
static bool velocity_arrow(const ib_Diagram *diagram, Arrow *made)
{
    double vx = diagram->velocity_x, vy = diagram->velocity_y, v = sqrt(vx * vx + vy * vy);
    if (!(v > 0) || !isfinite(v)) return false;
    *made = (Arrow){
        .from = {CENTRE_X, CENTRE_Y},
        .to = {CENTRE_X + VELOCITY * vx / v, CENTRE_Y - VELOCITY * vy / v},
        .colour = IB_DIAGRAM_VELOCITY,
        .label = "v",
    };
    snprintf(made->value, sizeof made->value, " %.3g m/s", v);
    return true;
}

// Forces F with the torque M act like F alone on the line of the points p with p x F = M, of which
//   p = M (F_y, -F_x)/F^2
// is nearest to the centre. False: too small to be seen, like any other force.
static bool line_arrow(double fx, double fy, double torque, double scale, double per_newton,
                       Arrow *made)
{
    double f = ib__diagram_size(fx, fy);
    if (!(f * per_newton >= SHORTEST)) return false;
    double arm = torque / f;
    if (!(fabs(arm) * scale <= 0.75 * BODY)) arm = 0;
    made->from = (Point){CENTRE_X + scale * arm * fy / f, CENTRE_Y + scale * arm * fx / f};
    made->to = (Point){made->from.x + per_newton * fx, made->from.y - per_newton * fy};
    snprintf(made->value, sizeof made->value, " %.3g N", f);
    return true;
}

static bool push_arrow(const ib_Diagram *diagram, double scale, double per_newton, Arrow *made)
{
    *made = (Arrow){.colour = IB_DIAGRAM_PUSH, .label = "F_push"};
    return diagram->disturbed && line_arrow(diagram->push_x, diagram->push_y, diagram->push_torque,
                                            scale, per_newton, made);
}

static bool contact_arrow(const ib_Diagram *diagram, double scale, double per_newton, Arrow *made)
{
    *made = (Arrow){.colour = IB_DIAGRAM_CONTACT, .label = "F_contact"};
    return line_arrow(diagram->contact_x, diagram->contact_y, diagram->contact_torque, scale,
                      per_newton, made);
}

static Point mass_centre(const ib_Diagram *diagram, double scale)
{
    return body_point(diagram, scale, diagram->centre_x, diagram->centre_y);
}

// A slope pulls at the centre of mass with its acceleration times a mass that only the robot's kind
// knows: an arrow of one length, like the velocity's.
static bool slope_arrow(const ib_Diagram *diagram, double scale, Arrow *made)
{
    Point from = mass_centre(diagram, scale);
    double ax = diagram->slope_x, ay = diagram->slope_y, a = slope_size(diagram);
    if (!(a > 0)) return false;
    *made = (Arrow){
        .from = from,
        .to = {from.x + SLOPE * ax / a, from.y - SLOPE * ay / a},
        .colour = IB_DIAGRAM_SLOPE,
        .label = "a_slope",
    };
    snprintf(made->value, sizeof made->value, " %.3g m/s²", a);
    return true;
}

// The centre of mass: a disc with two black quarters, above the arrows.
static void draw_centre(Point at, ib_Text *svg)
{
    ib_text_format(svg,
                   "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%d\" fill=\"#ffffff\" stroke=\"%s\" "
                   "stroke-width=\"1.6\"/>\n",
                   at.x, at.y, MARK, IB_DIAGRAM_INK);
    ib_text_format(
        svg, "<path d=\"M%.1f %.1fv-%da%d %d 0 0 1 %d %dh-%da%d %d 0 0 0 %d %dz\" fill=\"%s\"/>\n",
        at.x, at.y, MARK, MARK, MARK, MARK, MARK, 2 * MARK, MARK, MARK, MARK, MARK, IB_DIAGRAM_INK);
}

// All arrows first, so that no label lands on one; those of the axes are small and find a place.
static void draw_arrows(const ib_Diagram *diagram, double scale, double per_newton, ib_Text *svg)
{
    Boxes boxes = {0};
    Axis axes[AXES];
    find_axes(diagram, scale, axes);
    draw_axes(axes, svg, &boxes);
    Arrow arrows[IB_DIAGRAM_MAX_FORCES + 4];
    int count = 0;
    if (velocity_arrow(diagram, &arrows[count])) count++;
    if (slope_arrow(diagram, scale, &arrows[count])) count++;
    if (push_arrow(diagram, scale, per_newton, &arrows[count])) count++;
    if (contact_arrow(diagram, scale, per_newton, &arrows[count])) count++;
    for (int i = 0; i < ib__diagram_force_count(diagram); i++)
        if (force_size(diagram, i) * per_newton >= SHORTEST)
            arrows[count++] = force_arrow(diagram, i, scale, per_newton);

    for (int i = 0; i < count; i++) {
        const Arrow *a = &arrows[i];
        ib_text_format(svg, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"%s\"/>\n", a->from.x,
                       a->from.y, a->colour);
        arrow(svg, a->from, a->to, a->colour, 3.2);
        remember_arrow(&boxes, a->from, a->to);
    }
    Point centre = mass_centre(diagram, scale), below = {centre.x, centre.y + MARK};
    if (diagram->uneven) {
        draw_centre(centre, svg);
        remember_arrow(&boxes, centre, below);
        draw_label(svg, &boxes, centre, below, IB_DIAGRAM_INK, "C", "");
    }
    for (int i = 0; i < AXES; i++)
        draw_label(svg, &boxes, axes[i].from, axes[i].to, frame_colour, axes[i].name, "");
    for (int i = 0; i < count; i++)
        draw_label(svg, &boxes, arrows[i].from, arrows[i].to, arrows[i].colour, arrows[i].label,
                   arrows[i].value);
}

// ----------------------------------------------------------------------------------------- diagram

// The scale of the arrows: a bar of a round number of newtons.
static void draw_scale(double per_newton, ib_Text *svg)
{
    double newtons = 1;
    while (newtons * per_newton > LONGEST) newtons /= 10;
    while (newtons * per_newton * 10 <= LONGEST) newtons *= 10;
    if (newtons * per_newton * 5 <= LONGEST)
        newtons *= 5;
    else if (newtons * per_newton * 2 <= LONGEST)
        newtons *= 2;
    int y = HEIGHT - 46;
    double end = IB_DIAGRAM_TABLE + newtons * per_newton;
    ib_text_format(svg,
                   "<path d=\"M%d %dv10M%d %dH%.1fM%.1f %dv10\" stroke=\"%s\" stroke-width=\"2\" "
                   "fill=\"none\"/>\n",
                   IB_DIAGRAM_TABLE, y - 5, IB_DIAGRAM_TABLE, y, end, end, y - 5, IB_DIAGRAM_INK);
    ib_text_format(svg, "<text x=\"%.1f\" y=\"%d\" fill=\"%s\">%g N</text>\n", end + 12, y + 6,
                   IB_DIAGRAM_INK, newtons);
}

static void draw_title(const ib_Diagram *diagram, ib_Text *svg)
{
    ib_text_format(svg, "<text x=\"24\" y=\"36\" font-size=\"21\" font-weight=\"600\" fill=\"%s\">",
                   IB_DIAGRAM_INK);
    ib_text_escape(svg, diagram->title[0] ? diagram->title : "Forces on the robot");
    if (isfinite(diagram->time)) ib_text_format(svg, " at %.6g s", diagram->time);
    ib_text_add(svg, "</text>\n");
}

void ib_diagram_draw(const ib_Diagram *diagram, ib_Text *svg)
{
    double scale = body_scale(diagram); // [px/m]
    double largest = ib__diagram_largest(diagram);
    double per_newton = largest > 0 ? LONGEST / largest : 1;
    ib_text_format(svg,
                   "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
                   "viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"free-body diagram\" "
                   "font-family=\"sans-serif\" font-size=\"%d\">\n"
                   "<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n",
                   WIDTH, HEIGHT, WIDTH, HEIGHT, FONT, WIDTH, HEIGHT);
    draw_title(diagram, svg);
    draw_body(diagram, scale, svg);
    draw_arrows(diagram, scale, per_newton, svg);
    ib__diagram_list(diagram, SHORTEST / per_newton, svg);
    if (largest > 0) draw_scale(per_newton, svg);
    ib_text_add(svg, "</svg>\n");
}
