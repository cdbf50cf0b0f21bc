// report/energy_book.h: sources and uses of the energy in a run, from the signals that have a role
// in an energy balance.
//
// A book:  all given = all stored + all lost + balance.  Its entries share their names up to the
// last dot; a robot has one, and so has each of its mechanisms.
#ifndef IB_REPORT_ENERGY_BOOK_H
#define IB_REPORT_ENERGY_BOOK_H

#include "report/report.h"

enum { IB_ENERGY_MOST = 64 };

typedef struct ib_EnergyEntry {
    const ib_LogSeries *series;
    const char *name; ///< behind the last dot: "copper"
    ib_SignalRole role;
    double value; ///< at the end [J]
    double share; ///< of the energy given; NaN: none was given
} ib_EnergyEntry;

typedef struct ib_EnergyBook {
    int count;                              ///< 0: there is no book
    ib_EnergyEntry entries[IB_ENERGY_MOST]; ///< given, stored, lost; the balance last
    double given;                           ///< sum of the energy given [J]
} ib_EnergyBook;

// Reads the book that a series with the role of a balance belongs to.
ib_EnergyBook ib_energy_book(ib_SeriesSet series, const ib_LogSeries *balance);

// The section of a report. `trouble`: why there can be no plots; NULL: there can.
bool ib__energy_present(const ib_Report *report);
void ib__energy_write(const ib_Report *report, const char *trouble, ib_Text *html);

#endif
