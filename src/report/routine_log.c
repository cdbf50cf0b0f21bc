#include "report/routine_log.h"

#include "report/html.h"

#include <math.h>
#include <stdio.h>

#define DEGREES 57.29577951308232

bool ib__routine_present(const ib_Report *report)
{
    return report->routine_count > 0;
}

// A value shown as zero has no sign.
static double plain(double value, double unit)
{
    return fabs(value) < 0.5 * unit ? 0 : value;
}

// A number with its decimals, or nothing if unknown.
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
        snprintf(text, sizeof text, "%.1f cm, %.1f°", 100 * way, plain(angle * DEGREES, 0.1));
    ib__html_element(html, "td class=\"number\"", text);
}

static void put_place(ib_Text *html, bool known, const double place[3])
{
    char text[80] = "";
    if (known)
        snprintf(text, sizeof text, "(%.3f, %.3f) m, %.1f°", plain(place[0], 1e-3),
                 plain(place[1], 1e-3), plain(place[2] * DEGREES, 0.1));
    ib__html_element(html, "td class=\"number\"", text);
}

// Its words, its line, and which round of a step that repeats it was.
static void put_label(ib_Text *html, const ib_StepRun *run)
{
    const ib_ControlStep *step = &run->step;
    ib_text_format(html, "<td style=\"padding-left:%.1fem\">%d. ", 1.2 * step->depth, step->number);
    ib_text_escape(html, step->label);
    if (step->line > 0) ib_text_format(html, " <span class=\"soft\">line %d</span>", step->line);
    if (run->round > 1) ib_text_format(html, " <span class=\"soft\">(round %d)</span>", run->round);
    ib_text_add(html, "</td>");
}

static void write_step(const ib_StepRun *run, ib_Time end, ib_Text *html)
{
    const ib_ControlStep *step = &run->step;
    bool over = run->ended != IB_TIME_NEVER;
    bool bad = step->outcome == IB_STEP_LATE || step->outcome == IB_STEP_RUNS;
    ib_text_add(html, "<tr>");
    put_label(html, run);
    ib__html_element(html,
                     step->outcome == IB_STEP_DONE ? "td class=\"good\""
                     : bad                         ? "td class=\"bad\""
                                                   : "td class=\"soft\"",
                     ib_step_run_outcome(run));
    put_number(html, 2, run->began != IB_TIME_NEVER ? ib_time_to_seconds(run->began) : (double)NAN);
    put_number(html, 2, ib_step_run_took(run, end));
    put_place(html, over && run->posed, step->at);
    put_miss(html, over && run->posed, run->error, run->error_angle);
    ib_text_add(html, "</tr>\n");
}

static void write_move(const ib_StepRun *run, ib_Time end, ib_Text *html)
{
    const ib_ControlStep *step = &run->step;
    bool over = run->ended != IB_TIME_NEVER;
    ib_text_add(html, "<tr>");
    put_label(html, run);
    put_number(html, 2, step->promise);
    put_number(html, 2, ib_step_run_took(run, end));
    put_miss(html, over, step->missed[0], step->missed[1]);
    put_miss(html, over && run->posed, run->off, run->off_angle);
    put_number(html, 1, 100 * run->most);
    put_number(html, 2,
               run->most_time != IB_TIME_NEVER ? ib_time_to_seconds(run->most_time) : (double)NAN);
    ib_text_add(html, "</tr>\n");
}

static void write_name(const ib_ReportRoutine *routine, ib_Text *html)
{
    if (!routine->robot[0] && !routine->loop[0]) return;
    ib_text_add(html, "<h3>");
    ib_text_escape(html, routine->robot);
    if (routine->robot[0] && routine->loop[0]) ib_text_add(html, ", ");
    ib_text_escape(html, routine->loop);
    ib_text_add(html, "</h3>\n");
}

// All steps, then the errors of moves.
static void write_routine(const ib_ReportRoutine *routine, ib_Time end, ib_Text *html)
{
    static const char *const steps[] = {"Step",      "Outcome", "#from [s]", "#took [s]",
                                        "#odometry", "#error",  NULL};
    static const char *const moves[] = {"Move", "#promised [s]",  "#took [s]", "#missed",
                                        "#off", "#most off [cm]", "#at [s]",   NULL};
    int shown = routine->run_count < IB_ROUTINE_SHOWN ? routine->run_count : IB_ROUTINE_SHOWN;
    int moved = 0;
    write_name(routine, html);
    ib__html_table(html, steps);
    for (int i = 0; i < shown; i++) write_step(&routine->runs[i], end, html);
    ib__html_table_end(html);
    if (routine->run_count > shown)
        ib_text_format(html, "<p>… and %d more.</p>\n", routine->run_count - shown);
    for (int i = 0; i < shown; i++) {
        const ib_StepRun *run = &routine->runs[i];
        if (!run->step.moves || run->began == IB_TIME_NEVER) continue;
        if (moved++ == 0) ib__html_table(html, moves);
        write_move(run, end, html);
    }
    if (moved) ib__html_table_end(html);
}

void ib__routine_write(const ib_Report *report, ib_Text *html)
{
    ib__html_section(html, "routine", "Routine");
    for (int i = 0; i < report->routine_count; i++)
        write_routine(&report->routines[i], ib_time_from_seconds(report->duration), html);
    ib__html_element(
        html, "p class=\"soft\"",
        "Odometry: where the robot took itself to be as the step ended; error: how "
        "far that was from the truth. Of a move, missed: what was left to its goal, by "
        "odometry; off: how far the robot truly was from it; most off: the largest "
        "distance of the robot from where the move had promised it to be at the same "
        "time.");
    ib__html_section_end(html);
}
