// report/session_report.h: one run of a scenario as an HTML report.
#ifndef IB_REPORT_SESSION_REPORT_H
#define IB_REPORT_SESSION_REPORT_H

#include "study/session.h"

// Of a session that kept what a report needs, after its run. On missing plots: report/report.h.
ib_Status ib_session_report_write(const ib_Session *session, const char *path, ib_Error *error);

// Why the free-body diagram that was asked for cannot be drawn; NULL: it can, or nobody asked.
const char *ib_session_no_diagram(const ib_Session *session, ib_Arena *arena);

#endif
