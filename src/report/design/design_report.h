// report/design/design_report.h: one HTML file that shows a design: tables, figures, the plant's
// response. Nothing else is needed to read it. docs/design/design.md
#ifndef IB_REPORT_DESIGN_DESIGN_REPORT_H
#define IB_REPORT_DESIGN_DESIGN_REPORT_H

#include "desk/design/design_file.h"
#include "report/text.h"

typedef struct ib_DesignReport {
    const ib_DesignFile *design;
    const char *text;    ///< of the file, shown unchanged; NULL: not at hand
    const char *version; ///< of the program
    const char *date;    ///< when, as it shall be shown
} ib_DesignReport;

// Appends the page to `html`. In place of a failed figure stands the reason. On missing
// plots: report/report.h.
ib_Status ib_design_report_render(const ib_DesignReport *report, ib_Text *html, ib_Error *error);
ib_Status ib_design_report_write(const ib_DesignReport *report, const char *path, ib_Error *error);

#endif
