// report/diagram/diagram_inside.h: declarations shared by the drawing and the list of a free-body
// diagram. Internal to src/report.
#ifndef IB_REPORT_DIAGRAM_DIAGRAM_INSIDE_H
#define IB_REPORT_DIAGRAM_DIAGRAM_INSIDE_H

#include "report/diagram/diagram.h"

#define IB_DIAGRAM_INK      "#1a1a1a"
#define IB_DIAGRAM_VELOCITY "#009e73"
#define IB_DIAGRAM_PUSH     "#5e3c99"
#define IB_DIAGRAM_SLOPE    "#7a4419"
#define IB_DIAGRAM_CONTACT  "#8a1538"

enum { IB_DIAGRAM_TABLE = 660 }; ///< where the list begins, pixels from the left

int ib__diagram_force_count(const ib_Diagram *diagram);

// The largest of all forces [N]; 0: there is none.
double ib__diagram_largest(const ib_Diagram *diagram);

// Forces whose labels differ have different colours; the same label at both wheels is one colour.
const char *ib__diagram_colour(const ib_Diagram *diagram, int index);

// The size of a vector; 0 if unknown.
double ib__diagram_size(double x, double y);

// The torque about the centre of mass of a force, field frame, that has `torque` about the origin.
double ib__diagram_torque(const ib_Diagram *diagram, double x, double y, double torque);

// A label such as F_drag,l: the part after the first underscore is a subscript.
void ib__diagram_label(ib_Text *svg, const char *label);

// The list beside the drawing: every vector in its parts along t and n, with signs, so that columns
// add up to their sum. Vectors below `shortest` [N] were not drawn, and are marked so.
void ib__diagram_list(const ib_Diagram *diagram, double shortest, ib_Text *svg);

#endif
