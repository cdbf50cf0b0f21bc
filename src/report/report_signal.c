// report/report_signal.c: a signal of the report by what it means.
#include "report/report.h"

#include <string.h>

const ib_ReportSignal *ib__report_role(const ib_Report *report, const char *robot,
                                       ib_SignalRole role)
{
    for (int i = 0; i < report->signal_count; i++) {
        const ib_SignalMeaning *means = &report->signals[i].means;
        if (means->role == role && ib_meaning_is_of(means, robot)) return &report->signals[i];
    }
    return NULL;
}
