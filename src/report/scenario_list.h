// report/scenario_list.h: what a scenario has, as text: its signals, its bodies.
#ifndef IB_REPORT_SCENARIO_LIST_H
#define IB_REPORT_SCENARIO_LIST_H

#include "scenario/scenario.h"

#include <stdio.h>

// Name, unit and sentence of each signal, a line each.
void ib_scenario_list_signals(const ib_Scenario *scenario, FILE *file);

// The bodies of each robot that MuJoCo moves, as a file that it reads again. IB_BAD_INPUT if the
// scenario has no such robot.
ib_Status ib_scenario_list_mjcf(const ib_Scenario *scenario, FILE *file, ib_Error *error);

#endif
