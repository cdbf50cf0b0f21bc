// report/energy_book.h: where the energy of a run came from and went to, from the signals energy.*
//
// The book: battery + push + payload = all the others + error. The first three give; each of the
// others holds or has lost something.
#ifndef IB_REPORT_ENERGY_BOOK_H
#define IB_REPORT_ENERGY_BOOK_H

#include "report/report.h"

enum { IB_ENERGY_MOST = 64 };

typedef struct ib_EnergyEntry {
    const ib_LogSeries *series; ///< energy.<name>
    const char *name;           ///< without prefix: "copper"
    double value;               ///< at the end [J]
    double share;               ///< of the energy given; NaN: none was given
    bool gives;                 ///< battery, push, payload
} ib_EnergyEntry;

typedef struct ib_EnergyBook {
    int count;                              ///< 0: there is no book
    ib_EnergyEntry entries[IB_ENERGY_MOST]; ///< those that give, the others, the error last
    double given;                           ///< sum of those that give [J]
} ib_EnergyBook;

// Reads the book of one robot. There is one where energy.battery and energy.error were recorded.
ib_EnergyBook ib_energy_book(ib_SeriesSet series, const char *prefix);

// The section of a report. `trouble`: why there can be no plots; NULL: there can.
bool ib__energy_present(const ib_Report *report);
void ib__energy_write(const ib_Report *report, const char *trouble, ib_Text *html);

#endif
