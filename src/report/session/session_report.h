// report/session/session_report.h: one run of a scenario as an HTML report.
#ifndef IB_REPORT_SESSION_SESSION_REPORT_H
#define IB_REPORT_SESSION_SESSION_REPORT_H

#include "study/session.h"

// Writes the report of a session that kept the data for it, after its run. On missing
// plots: report/report.h.
ib_Status ib_session_report_write(const ib_Session *session, const char *path, ib_Error *error);

// The reason for a missing free-body diagram; NULL: it can be drawn, or was not requested.
const char *ib_session_no_diagram(const ib_Session *session, ib_Arena *arena);

#endif
