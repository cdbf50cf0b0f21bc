// report/report_signal.c: a signal of the report with its meaning and its robot.
#include "report/html.h"
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

bool ib__report_owns(const ib_Report *report, int robot, const char *signal)
{
    if (robot < 0) return ib__report_owner(report, signal) < 0;
    const char *prefix = report->robots[robot].name;
    size_t length = strlen(prefix);
    return length && strncmp(signal, prefix, length) == 0 && signal[length] == '.';
}

int ib__report_owner(const ib_Report *report, const char *signal)
{
    for (int i = 0; i < report->robot_count; i++)
        if (ib__report_owns(report, i, signal)) return i;
    return -1;
}

void ib__report_fold(const ib_Report *report, int robot, const ib_Text *part, ib_Text *html)
{
    html->failed |= part->failed;
    if (part->length == 0) return;
    bool fold = robot >= 0 && report->robot_count > 1;
    if (fold) ib__html_fold(html, report->robots[robot].name, robot == 0);
    ib_text_add(html, part->bytes);
    if (fold) ib__html_fold_end(html);
}
