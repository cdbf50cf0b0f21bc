// report/plan_figures.h: pictures of a plan of an arm: its passes, and where its hand goes.
#ifndef IB_REPORT_PLAN_FIGURES_H
#define IB_REPORT_PLAN_FIGURES_H

#include "desk/plan/plan_file.h"

// Speeds along the path after each of the passes, the fastest motion, and its voltages. As SVG into
// a file.
ib_Status ib_plan_figure_passes(const ib_PlanFile *plan, const ib_PlanWay *way, const char *path,
                                ib_Error *error);

// The plane of the arm: obstacles, the way of the hand, links at both ends.
ib_Status ib_plan_figure_scene(const ib_PlanFile *plan, const ib_PlanWay *way, const char *path,
                               ib_Error *error);

#endif
