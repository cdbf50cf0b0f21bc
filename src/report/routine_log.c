#include "report/routine_log.h"

#include "report/html.h"

#include <math.h>
#include <stdio.h>

#define DEGREES 57.29577951308232

bool ib__routine_present(const ib_Report *report)
{
    return report->routine_count > 0;
}

// A number with its decimals, or nothing where it is not known.
static void put_number(ib_Text *html, int decimals, double value)
{
    char text[48] = "";
    if (isfinite(value)) snprintf(text, sizeof text, "%.*f", decimals, value);
    ib__html_element(html, "td class=\"number\"", text);
}

// "5.2 cm, 0.3°"
static void put_miss(ib_Text *html, bool known, double way, double angle)
{
    char text[64] = "";
    if (known && isfinite(way) && isfinite(angle))
        snprintf(text, sizeof text, "%.1f cm, %.1f°", 100 * way, angle * DEGREES);
    ib__html_element(html, "td class=\"number\"", text);
}

static void put_place(ib_Text *html, bool known, const double place[3])
{
    char text[80] = "";
    if (known)
        snprintf(text, sizeof text, "(%.3f m, %.3f m), %.1f°", place[0], place[1],
                 place[2] * DEGREES);
    ib__html_element(html, "td class=\"number\"", text);
}

// "2nd time" of a step that repeats.
static void put_label(ib_Text *html, const ib_StepRun *run)
{
    const ib_ControlStep *step = &run->step;
    ib_text_format(html, "<td style=\"padding-left:%.1fem\">", 0.6 + 1.2 * step->depth);
    ib_text_escape(html, step->label);
    if (run->round > 1) ib_text_format(html, " <span class=\"soft\">(round %d)</span>", run->round);
    ib_text_add(html, "</td>");
}

static void write_run(const ib_StepRun *run, ib_Time end, ib_Text *html)
{
    const ib_ControlStep *step = &run->step;
    bool began = run->began != IB_TIME_NEVER, over = run->ended != IB_TIME_NEVER;
    bool moved = over && step->moves;
    bool bad = step->outcome == IB_STEP_LATE || step->outcome == IB_STEP_RUNS;
    double none = (double)NAN;
    ib_text_format(html, "<tr><td class=\"number\">%d</td>", step->number);
    put_label(html, run);
    if (step->line > 0)
        ib_text_format(html, "<td class=\"number\">%d</td>", step->line);
    else
        ib_text_add(html, "<td></td>");
    ib__html_element(html,
                     step->outcome == IB_STEP_DONE ? "td class=\"good\""
                     : bad                         ? "td class=\"bad\""
                                                   : "td class=\"soft\"",
                     ib_step_run_outcome(run));
    put_number(html, 2, began ? ib_time_to_seconds(run->began) : none);
    put_number(html, 2, ib_step_run_took(run, end));
    put_number(html, 2, began && step->moves ? step->promise : none);
    put_place(html, over && run->posed, step->at);
    put_miss(html, moved, step->missed[0], step->missed[1]);
    put_miss(html, over && run->posed, run->astray, run->astray_angle);
    put_miss(html, moved && run->posed, run->off, run->off_angle);
    put_number(html, 1, step->moves ? 100 * run->most : none);
    ib_text_add(html, "</tr>\n");
}

static void write_routine(const ib_ReportRoutine *routine, ib_Time end, ib_Text *html)
{
    static const char *const headings[] = {
        "#step",     "What",      "#line",         "Outcome",
        "#from [s]", "#took [s]", "#promised [s]", "#where it took itself to be",
        "#missed",   "#astray",   "#off",          "#most off [cm]",
        NULL};
    bool named = routine->robot[0] || routine->loop[0];
    if (named) {
        ib_text_add(html, "<h3>");
        ib_text_escape(html, routine->robot);
        if (routine->robot[0] && routine->loop[0]) ib_text_add(html, ", ");
        ib_text_escape(html, routine->loop);
        ib_text_add(html, "</h3>\n");
    }
    ib__html_table(html, headings);
    for (int i = 0; i < routine->run_count && i < IB_ROUTINE_SHOWN; i++)
        write_run(&routine->runs[i], end, html);
    ib__html_table_end(html);
    if (routine->run_count > IB_ROUTINE_SHOWN)
        ib_text_format(html, "<p>… and %d more.</p>\n", routine->run_count - IB_ROUTINE_SHOWN);
}

void ib__routine_write(const ib_Report *report, ib_Text *html)
{
    ib__html_section(html, "routine", "Routine");
    for (int i = 0; i < report->routine_count; i++)
        write_routine(&report->routines[i], ib_time_from_seconds(report->duration), html);
    ib__html_element(html, "p class=\"soft\"",
                     "Missed: what was left to the goal as the step ended, by the robot's own "
                     "odometry. Astray: how far its odometry was from the truth then. Off: how far "
                     "the robot truly was from the goal. Most off: the largest distance of the "
                     "robot from where the move had promised it to be at the same time.");
    ib__html_section_end(html);
}
