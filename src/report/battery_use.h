// report/battery_use.h: the charge used by each manoeuvre, and the number of such runs in
// a battery.
//
// A manoeuvre is the time between two knots of a robot's command timelines. All figures come from
// the signals that have the roles of a supply.
#ifndef IB_REPORT_BATTERY_USE_H
#define IB_REPORT_BATTERY_USE_H

#include "report/report.h"

enum { IB_MANOEUVRES_MOST = 20 };

// Times that divide a run into manoeuvres: from[0] = 0, …, from[count] = its end.
typedef struct ib_Manoeuvres {
    int count; ///< 1 .. IB_MANOEUVRES_MOST
    ib_Time from[IB_MANOEUVRES_MOST + 1];
} ib_Manoeuvres;

// Knots of the commands, those less than 50 ms after another one left out; of too many, those
// between the shortest neighbours are dropped. Without a knot inside: ten equal parts. `end` > 0.
// Without memory: likewise.
ib_Manoeuvres ib_manoeuvres(const ib_ReportRobot *robot, ib_Time end);

typedef struct ib_BatteryUse {
    double charge;         ///< that left the battery [A s]
    double mean_current;   ///< charge over time [A]
    double peak_current;   ///< largest recorded [A]
    double lowest_voltage; ///< recorded [V]
    double energy;         ///< given by its chemistry [J]
} ib_BatteryUse;           // NaN: not recorded

// Use of the battery from `from` until just before `to`, the start of the next manoeuvre.
ib_BatteryUse ib_battery_use(ib_SeriesSet series, const char *robot, ib_Time from, ib_Time to);

typedef struct ib_BatteryTotal {
    double used; ///< [A s]
    double part; ///< of a full battery
    double left; ///< runs like this one that the rest of the charge is enough for; NaN: the run
                 ///< took no charge
} ib_BatteryTotal;

// Total from the charge (1: full) at the start and at the end: left = end / (start - end).
ib_BatteryTotal ib_battery_total(double used, double charge_start, double charge_end);

// "enough for 19 more such runs", "not enough for another such run"; "" where `left` is not known.
void ib_battery_describe(const ib_BatteryTotal *total, char *text, size_t size);

// The section of a report; nothing where no robot has a battery.
bool ib__battery_present(const ib_Report *report);
void ib__battery_write(const ib_Report *report, ib_Text *html);

#endif
