// report/load_use.h: the loads of a robot's supply: current, charge and energy of each.
//
// Loads are the signals of that role; at every instant they add up to the supply's current.
#ifndef IB_REPORT_LOAD_USE_H
#define IB_REPORT_LOAD_USE_H

#include "report/report.h"

enum { IB_LOADS_MOST = 64 };

typedef struct ib_LoadUse {
    const ib_LogSeries *series;
    char name[64]; ///< of the load: "drive.left", without the robot's
    double peak;   ///< largest current [A]
    double mean;   ///< [A]
    ib_LoadSum sum;
} ib_LoadUse;

// The loads of a robot that were recorded, by charge, largest first: as they were metered at every
// step, or else between the recorded samples. Returns how many.
int ib_load_uses(const ib_Report *report, const char *robot, ib_LoadUse uses[IB_LOADS_MOST]);

// The section of a report. `trouble`: why there can be no plots; NULL: there can.
bool ib__loads_present(const ib_Report *report);
void ib__loads_write(const ib_Report *report, const char *trouble, ib_Text *html);

// Means over time in equal windows, of straight lines between samples that need not be even: they
// are dense where something switches. x ascends, its ends differ.
void ib__window_means(const double *x, const double *y, int count, int windows, double *means);

#endif
