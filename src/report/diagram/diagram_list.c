// report/diagram/diagram_list.c: the list of a free-body diagram.
#include "base/extreme.h"
#include "base/maths.h"
#include "report/diagram/diagram_inside.h"

#include <math.h>
#include <stdio.h>

// Pixels. The last line is above the bar of the scale.
enum {
    TOP = 96,
    BOTTOM = 530,
    PITCH = 27,    // between lines, where there is room
    TIGHTEST = 18, // between lines, where there is none
    T_COLUMN = IB_DIAGRAM_TABLE + 152,
    N_COLUMN = IB_DIAGRAM_TABLE + 252,
    NOTES = IB_DIAGRAM_TABLE + 262,
    OTHERS = 10 // lines that are no force of the robot's own, at most
};

typedef struct Line {
    const char *colour, *label;
    double t, n; // NaN: not known
    bool single; // only t is shown: no vector
    char note[48];
} Line;

typedef struct List {
    const ib_Diagram *diagram;
    double c, s; // of the heading
    int count;
    Line lines[IB_DIAGRAM_MAX_FORCES + OTHERS];
} List;

// Rounding errors become zero, and zero has no sign.
static double clean(double value, double least)
{
    return fabs(value) < least || value == 0 ? 0 : value;
}

// A vector of the field's frame.
static Line *add_vector(List *list, const char *colour, const char *label, double x, double y)
{
    Line *line = &list->lines[list->count++];
    double least = 1e-9 * ib__diagram_size(x, y);
    *line = (Line){colour, label, clean(list->c * x + list->s * y, least),
                   clean(list->c * y - list->s * x, least)};
    return line;
}

static Line *add_number(List *list, const char *colour, const char *label, double value)
{
    Line *line = &list->lines[list->count++];
    *line = (Line){colour, label, value, 0, true};
    return line;
}

static void note(Line *line, const char *text)
{
    snprintf(line->note, sizeof line->note, "%s", text);
}

// ------------------------------------------------------------------------------------------- lines

// The reason for a missing arrow; "": there is one.
static const char *why_not_drawn(double size, double shortest)
{
    if (!isfinite(size)) return "not recorded";
    return size == 0 ? "zero" : size < shortest ? "too small" : "";
}

static void add_forces(List *list, int most, double shortest)
{
    const ib_Diagram *diagram = list->diagram;
    double least = 1e-9 * ib__diagram_largest(diagram);
    for (int i = 0; i < ib__diagram_force_count(diagram) && i < most; i++) {
        double x, y;
        ib_diagram_force(diagram, i, &x, &y);
        Line *line = &list->lines[list->count++];
        *line = (Line){ib__diagram_colour(diagram, i), diagram->ports->forces[i].label,
                       clean(x, least), clean(y, least)};
        note(line, why_not_drawn(clean(sqrt(x * x + y * y), least), shortest));
    }
}

// Adds the torque of a force with `torque` about the origin, about the centre of mass.
static void add_torque(List *list, const char *colour, const char *label, double x, double y,
                       double torque)
{
    const ib_Diagram *d = list->diagram;
    double about = clean(ib__diagram_torque(d, x, y, torque), 1e-9 * ib__diagram_size(x, y));
    if (isfinite(about) && about != 0)
        note(add_number(list, colour, label, about), d->uneven ? "N·m about C" : "N·m");
}

static void add_disturbances(List *list, double shortest)
{
    const ib_Diagram *d = list->diagram;
    Line *line = add_vector(list, IB_DIAGRAM_PUSH, "F_push", d->push_x, d->push_y);
    note(line, why_not_drawn(ib__diagram_size(d->push_x, d->push_y), shortest));
    add_torque(list, IB_DIAGRAM_PUSH, "M_push", d->push_x, d->push_y, d->push_torque);
    line = add_vector(list, IB_DIAGRAM_SLOPE, "a_slope", d->slope_x, d->slope_y);
    note(line, ib__diagram_size(d->slope_x, d->slope_y) > 0 ? "m/s², × mass" : "zero");
}

static void add_contact(List *list)
{
    const ib_Diagram *d = list->diagram;
    add_vector(list, IB_DIAGRAM_CONTACT, "F_contact", d->contact_x, d->contact_y);
    add_torque(list, IB_DIAGRAM_CONTACT, "M_contact", d->contact_x, d->contact_y,
               d->contact_torque);
}

// Newton's law; L: angular momentum about C. Friction of a body without wheels has a torque without
// a visible force. A residual of a millionth of the largest force is that of the contact solver.
static void add_sums(List *list)
{
    const ib_Diagram *d = list->diagram;
    ib_DiagramSum sum = ib_diagram_sum(d);
    double least = 1e-6 * ib__diagram_largest(d);
    double reach = ib__diagram_size(d->centre_x, d->centre_y);
    bool floor = false;
    for (int i = 0; i < ib__diagram_force_count(d); i++) {
        const ib_ForceDef *force = &d->ports->forces[i];
        reach = ib_max(reach, ib__diagram_size(force->x, force->y));
        floor |= force->in_field;
    }
    bool slope = d->disturbed && ib__diagram_size(d->slope_x, d->slope_y) > 0;
    bool touches = ib__diagram_size(d->contact_x, d->contact_y) > 0;
    bool unknown = touches && !isfinite(d->contact_torque);
    Line *line = add_vector(list, "none", "ΣF", sum.x, sum.y);
    line->t = clean(line->t, least);
    line->n = clean(line->n, least);
    note(line, slope ? "+ m a(slope)" : d->uneven ? "= m a of C" : "= m a");
    line = add_number(list, "none", d->uneven ? "ΣM_C" : "ΣM", clean(sum.torque, least * reach));
    note(line, unknown     ? "N·m, no contacts"
               : floor     ? "N·m + M(floor)"
               : d->uneven ? "N·m = dL/dt"
                           : "N·m = I α");
}

// The heading as a compass shows it, and how often it has gone round.
static void add_heading(List *list)
{
    double degrees = list->diagram->heading * (180 / 3.14159265358979323846);
    // Half a turn is none, to either side, for any rounding.
    double turns = copysign(ceil((fabs(degrees) - 180) / 360 - 1e-9), degrees);
    double rest = degrees - 360 * turns;
    Line *line = add_number(list, "none", "θ", clean(round(100 * rest) / 100, 0.005));
    if (turns == 0)
        note(line, "deg, heading");
    else
        snprintf(line->note, sizeof line->note, "deg %+.6g turn%s", turns,
                 fabs(turns) == 1 ? "" : "s");
}

static void add_motion(List *list)
{
    const ib_Diagram *d = list->diagram;
    if (d->uneven) {
        Line *line = &list->lines[list->count++];
        *line = (Line){IB_DIAGRAM_INK, "C", clean(d->centre_x, 1e-9), clean(d->centre_y, 1e-9)};
        note(line, "m, centre of mass");
    }
    double vx = d->velocity_x, vy = d->velocity_y, v = sqrt(vx * vx + vy * vy);
    Line *line = add_vector(list, IB_DIAGRAM_VELOCITY, "v", vx, vy);
    note(line, v == 0 ? "at rest" : "m/s");
    add_heading(list);
}

// ----------------------------------------------------------------------------------------- drawing

static void draw_number(double value, int right, double y, ib_Text *svg)
{
    ib_text_format(svg, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\" fill=\"%s\">", right, y,
                   IB_DIAGRAM_INK);
    if (isfinite(value))
        ib_text_format(svg, "%.4g</text>\n", value);
    else
        ib_text_add(svg, "–</text>\n");
}

static void draw_line(const Line *line, double y, ib_Text *svg)
{
    ib_text_format(svg, "<rect x=\"%d\" y=\"%.1f\" width=\"12\" height=\"12\" fill=\"%s\"/>\n",
                   IB_DIAGRAM_TABLE, y - 11, line->colour);
    ib_text_format(svg, "<text x=\"%d\" y=\"%.1f\" fill=\"%s\">", IB_DIAGRAM_TABLE + 22, y,
                   IB_DIAGRAM_INK);
    ib__diagram_label(svg, line->label);
    ib_text_add(svg, "</text>\n");
    draw_number(line->t, T_COLUMN, y, svg);
    if (!line->single) draw_number(line->n, N_COLUMN, y, svg);
    ib_text_format(svg, "<text x=\"%d\" y=\"%.1f\" font-size=\"13\" fill=\"#666666\">%s</text>\n",
                   NOTES, y, line->note);
}

static void draw_heading(const char *axis, int right, ib_Text *svg)
{
    ib_text_format(svg,
                   "<text x=\"%d\" y=\"%d\" text-anchor=\"end\" font-size=\"14\" "
                   "fill=\"#666666\"><tspan font-style=\"italic\">%s</tspan> [N]</text>\n",
                   right, TOP - PITCH, axis);
}

void ib__diagram_list(const ib_Diagram *diagram, double shortest, ib_Text *svg)
{
    List list = {.diagram = diagram};
    ib_sincos(diagram->heading, &list.s, &list.c);
    add_forces(&list, (BOTTOM - TOP) / TIGHTEST + 1 - OTHERS, shortest);
    if (diagram->disturbed) add_disturbances(&list, shortest);
    if (ib__diagram_size(diagram->contact_x, diagram->contact_y) > 0) add_contact(&list);
    add_sums(&list);
    add_motion(&list);
    draw_heading("t", T_COLUMN, svg);
    draw_heading("n", N_COLUMN, svg);
    double pitch = ib_min(PITCH, (double)(BOTTOM - TOP) / (list.count - 1));
    for (int i = 0; i < list.count; i++) draw_line(&list.lines[i], TOP + pitch * i, svg);
}
