// report/design/design_tables.h: the tables of a design's report. Internal to src/report.
#ifndef IB_REPORT_DESIGN_DESIGN_TABLES_H
#define IB_REPORT_DESIGN_DESIGN_TABLES_H

#include "desk/trial/trial_pair.h"
#include "report/text.h"

void ib__design_plant_table(const ib_DesignGear *gear, ib_Text *html);
void ib__design_point_table(const ib_DesignGear *gear, ib_Text *html); ///< nothing at the origin
void ib__design_feedback_table(const ib_DesignGear *gear, ib_Text *html);
void ib__design_poles_table(const ib_DesignGear *gear, ib_Text *html);
void ib__design_margins_table(const ib_DesignGear *gear, ib_Text *html);
void ib__design_filter_table(const ib_DesignGear *gear, ib_Text *html);
void ib__design_response_table(const ib_TrialPair *trials, ib_Text *html);
void ib__design_checks_table(const ib_DesignFile *design, ib_Text *html);

#endif
