// report/diagram/diagram.h: a free-body diagram: the robot from above with every force that acts
// on it.
//
// Drawn by hand as SVG, since every distance in it means something: arrows to one scale, the body's
// t-n frame turned by its heading, the field's X-Y frame beside it.
#ifndef IB_REPORT_DIAGRAM_DIAGRAM_H
#define IB_REPORT_DIAGRAM_DIAGRAM_H

#include "report/text.h"
#include "report/top_view.h"
#include "robot/kind.h"

enum { IB_DIAGRAM_MAX_FORCES = 32 };

typedef struct ib_Diagram {
    const char *title;                    ///< "": none
    double time;                          ///< shown beside the title [s]; NaN: not shown
    const ib_RobotPorts *ports;           ///< its forces
    ib_TopView view;                      ///< the robot, in its own frame
    double forces[IB_DIAGRAM_MAX_FORCES]; ///< of each of the ports' forces, along it [N]
    double sides[IB_DIAGRAM_MAX_FORCES];  ///< and its part to the left of that [N]
    double heading;                       ///< [rad]
    bool uneven;                          ///< it carries masses off its middle, and
    double centre_x, centre_y;            ///< has its centre of mass here, its own frame [m]
    double velocity_x, velocity_y;        ///< field frame [m/s]
    bool disturbed;                       ///< the scenario has disturbances: those below are known
    double push_x, push_y;                ///< sum of the pushes, field frame [N]
    double push_torque;                   ///< of the pushes about the origin [N m]
    double slope_x, slope_y;              ///< gravity along a tilted floor, field frame [m/s^2]
    double contact_x, contact_y;          ///< sum of the forces of contacts, field frame [N]
    double contact_torque;                ///< of them about the origin [N m]; NaN: not known
} ib_Diagram;

// One of the ports' forces, both of its parts together, in the robot's frame [N]. NaN: not known.
void ib_diagram_force(const ib_Diagram *diagram, int index, double *x, double *y);

// All forces of a diagram together, but for a slope's, which needs the mass: with it they are mass
// times acceleration of the centre of mass. Their torque about that is inertia times angular
// acceleration, where the torque of contacts is known and nothing moves in the robot.
typedef struct ib_DiagramSum {
    double x, y;   ///< field frame [N]
    double torque; ///< about the centre of mass [N m]
} ib_DiagramSum;

ib_DiagramSum ib_diagram_sum(const ib_Diagram *diagram);

// Source of values: a signal by its whole name, or a robot's signal by its role. NaN: none.
typedef struct ib_DiagramSource {
    ib_SignalLookup named;
    double (*of_role)(const void *self, const char *robot, ib_SignalRole role);
    const void *self;
} ib_DiagramSource;

// Fills the values from signals, those of disturbances too where there are any; `robot` is its name
// ("" for none). The view is made in `arena`.
ib_Diagram ib_diagram_from(const ib_RobotPorts *ports, const char *robot,
                           const ib_DiagramSource *source, ib_Arena *arena);

// Appends one <svg> element. Forces that are zero or too short to see are listed, not drawn. All
// pushes together are one arrow on their common line of action, which the torque gives, and so are
// all contacts; where that is too far outside of the robot, the arrow is at the centre, and the
// list has the torque.
void ib_diagram_draw(const ib_Diagram *diagram, ib_Text *svg);

#endif
