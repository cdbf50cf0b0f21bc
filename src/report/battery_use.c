#include "report/battery_use.h"

#include "base/extreme.h"
#include "report/html.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CLOSEST (IB_SECOND / 20) ///< knots less than this apart are one

// -------------------------------------------------------------------------------------- manoeuvres

static int earlier(const void *a_, const void *b_)
{
    ib_Time a = *(const ib_Time *)a_, b = *(const ib_Time *)b_;
    return (a > b) - (a < b);
}

static bool is_command(const ib_ReportRobot *robot, int input)
{
    return robot->ports->inputs[input].role == IB_INPUT_COMMAND;
}

// All knots of the commands strictly inside of (0, end), ascending; how many.
static size_t collect_knots(const ib_ReportRobot *robot, ib_Time end, ib_Arena *arena,
                            ib_Time **knots)
{
    size_t room = 0, count = 0;
    if (!robot->timelines || !robot->ports) return 0;
    for (int i = 0; i < robot->ports->input_count; i++)
        if (is_command(robot, i)) room += (size_t)robot->timelines[i].count;
    *knots = ib_arena_array(arena, room, sizeof **knots);
    if (!*knots) return 0;
    for (int i = 0; i < robot->ports->input_count; i++) {
        const ib_Timeline *timeline = &robot->timelines[i];
        if (!is_command(robot, i)) continue;
        for (int k = 0; k < timeline->count; k++)
            if (timeline->times[k] > 0 && timeline->times[k] < end)
                (*knots)[count++] = timeline->times[k];
    }
    qsort(*knots, count, sizeof **knots, earlier);
    return count;
}

// Leaves out knots too close to the one before, to the start or to the end; how many stay. More
// than a thousand are indistinguishable anyway.
static size_t drop_close(ib_Time *knots, size_t count, ib_Time end)
{
    ib_Time closest = end / 1000 > CLOSEST ? end / 1000 : CLOSEST, last = 0;
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (knots[i] - last < closest || end - knots[i] < closest) continue;
        knots[kept++] = last = knots[i];
    }
    return kept;
}

// Takes out the knot whose two neighbours are nearest to each other.
static void drop_one(ib_Time *knots, size_t count, ib_Time end)
{
    size_t worst = 0;
    ib_Time least = IB_TIME_NEVER;
    for (size_t i = 0; i < count; i++) {
        ib_Time before = i > 0 ? knots[i - 1] : 0, after = i + 1 < count ? knots[i + 1] : end;
        if (after - before >= least) continue;
        least = after - before;
        worst = i;
    }
    for (size_t i = worst; i + 1 < count; i++) knots[i] = knots[i + 1];
}

ib_Manoeuvres ib_manoeuvres(const ib_ReportRobot *robot, ib_Time end)
{
    enum { PARTS = 10 };
    ib_Arena arena = {0};
    ib_Time *knots = NULL;
    ib_Manoeuvres parts = {.from = {0}};
    size_t count = collect_knots(robot, end, &arena, &knots);
    if (count > 0) count = drop_close(knots, count, end);
    for (; count > IB_MANOEUVRES_MOST - 1; count--) drop_one(knots, count, end);
    parts.count = count > 0 ? (int)count + 1 : PARTS;
    for (int i = 1; i < parts.count; i++)
        parts.from[i] = count > 0 ? knots[i - 1] : end / PARTS * i;
    parts.from[parts.count] = end;
    ib_arena_reset(&arena);
    return parts;
}

// --------------------------------------------------------------------------------------------- use

static double change(ib_SeriesSet set, const char *robot, ib_SignalRole role, ib_Time from,
                     ib_Time to)
{
    const ib_LogSeries *series = ib_series_role(set, robot, role);
    return series ? ib_series_value(series, to) - ib_series_value(series, from) : NAN;
}

// The smallest (or largest) value recorded in [from, to); the last sample of all counts, too.
static double extreme(ib_SeriesSet set, const char *robot, ib_SignalRole role, ib_Time from,
                      ib_Time to, bool largest)
{
    const ib_LogSeries *series = ib_series_role(set, robot, role);
    if (!series || series->count == 0) return NAN;
    bool last = to >= series->times[series->count - 1];
    ib_LogSeries part = ib_series_cut(series, from, last ? to : to - 1);
    double found = NAN; // ib_min and ib_max pass over it
    for (int64_t i = 0; i < part.count; i++)
        found = largest ? ib_max(found, part.values[i]) : ib_min(found, part.values[i]);
    return found;
}

ib_BatteryUse ib_battery_use(ib_SeriesSet series, const char *robot, ib_Time from, ib_Time to)
{
    double charge = change(series, robot, IB_ROLE_SUPPLY_USED, from, to);
    return (ib_BatteryUse){
        .charge = charge,
        .mean_current = charge / ib_time_to_seconds(to - from),
        .peak_current = extreme(series, robot, IB_ROLE_SUPPLY_CURRENT, from, to, true),
        .lowest_voltage = extreme(series, robot, IB_ROLE_SUPPLY_VOLTAGE, from, to, false),
        .energy = change(series, robot, IB_ROLE_SUPPLIED, from, to),
    };
}

ib_BatteryTotal ib_battery_total(double used, double charge_start, double charge_end)
{
    double part = charge_start - charge_end;
    return (ib_BatteryTotal){used, part, part > 1e-9 ? charge_end / part : NAN};
}

void ib_battery_describe(const ib_BatteryTotal *total, char *text, size_t size)
{
    double runs = floor(total->left + 1e-9); // nine stays nine, for any rounding of the last digit
    if (!isfinite(runs))
        snprintf(text, size, "%s", "");
    else if (runs < 1)
        snprintf(text, size, "not enough for another such run");
    else if (runs > 999)
        snprintf(text, size, "enough for over 999 more such runs");
    else
        snprintf(text, size, "enough for %.0f more such run%s", runs, runs > 1 ? "s" : "");
}

// ----------------------------------------------------------------------------------------- section

bool ib__battery_present(const ib_Report *report)
{
    for (int i = 0; i < report->robot_count; i++)
        if (ib_series_role(report->series, report->robots[i].name, IB_ROLE_SUPPLY_USED))
            return true;
    return false;
}

// Writes so many digits after the point; a dash if unknown.
static void write_number(ib_Text *html, int digits, double value, const char *unit)
{
    if (isfinite(value))
        ib_text_format(html, "<td class=\"number\">%.*f %s</td>", digits, value, unit);
    else
        ib_text_add(html, "<td class=\"number\">–</td>");
}

static void write_row(ib_Text *html, ib_Time from, ib_Time to, const ib_BatteryUse *use)
{
    write_number(html, 2, ib_time_to_seconds(from), "s");
    write_number(html, 2, ib_time_to_seconds(to), "s");
    write_number(html, 5, use->charge / 3600, "A·h");
    write_number(html, 1, use->mean_current, "A");
    write_number(html, 1, use->peak_current, "A");
    write_number(html, 2, use->lowest_voltage, "V");
    write_number(html, 3, use->energy / 1000, "kJ");
    ib_text_add(html, "</tr>\n");
}

static void write_uses(const ib_Report *report, const ib_ReportRobot *robot, ib_Time end,
                       ib_Text *html)
{
    static const char *const headings[] = {
        "#from",   "#to", "#charge used", "#mean current", "#peak current", "#lowest voltage",
        "#energy", NULL};
    ib_Manoeuvres parts = ib_manoeuvres(robot, end);
    ib__html_table(html, headings);
    for (int i = 0; i < parts.count; i++) {
        ib_Time from = parts.from[i], to = parts.from[i + 1];
        ib_BatteryUse use = ib_battery_use(report->series, robot->name, from, to);
        ib_text_add(html, "<tr>");
        write_row(html, from, to, &use);
    }
    // The run as a whole: its extremes were seen at every step.
    ib_BatteryUse whole = ib_battery_use(report->series, robot->name, 0, end);
    const ib_ReportSignal *current = ib__report_role(report, robot->name, IB_ROLE_SUPPLY_CURRENT);
    const ib_ReportSignal *voltage = ib__report_role(report, robot->name, IB_ROLE_SUPPLY_VOLTAGE);
    if (current) whole.peak_current = current->max;
    if (voltage) whole.lowest_voltage = voltage->min;
    ib_text_add(html, "<tr class=\"total\">");
    write_row(html, 0, end, &whole);
    ib__html_table_end(html);
}

// True if a brownout switched the robot's outputs off.
static bool outputs_went_off(const ib_Report *report, const char *robot)
{
    for (int i = 0; i < report->signal_count; i++) {
        const ib_ReportSignal *signal = &report->signals[i];
        const ib_Mode *mode = signal->means.mode;
        if (!mode || mode->kind != IB_MODE_BROWNOUT || !ib_meaning_is_of(&signal->means, robot))
            continue;
        if (ib_mode_meaning(mode, ib_mode_value(mode, signal->max)).dead) return true;
    }
    return false;
}

static void write_total(const ib_Report *report, const ib_ReportRobot *robot, ib_Time end,
                        ib_Text *html)
{
    const ib_LogSeries *charge = ib_series_role(report->series, robot->name, IB_ROLE_SUPPLY_LEFT);
    double used = change(report->series, robot->name, IB_ROLE_SUPPLY_USED, 0, end);
    double first = charge && charge->count ? charge->values[0] : NAN;
    double last = charge && charge->count ? charge->values[charge->count - 1] : NAN;
    ib_BatteryTotal total = ib_battery_total(used, first, last);
    char left[64];
    ib_battery_describe(&total, left, sizeof left);
    if (outputs_went_off(report, robot->name)) left[0] = '\0'; // such a run is none to repeat
    ib_text_format(html, "<p>Used in all: <strong>%.4g A·h</strong>", total.used / 3600);
    if (isfinite(total.part))
        ib_text_format(html, ", %.3g %% of a full battery; %.3g %% are left", 100 * total.part,
                       100 * last);
    if (left[0])
        ib_text_format(html,
                       ", <strong>%s</strong>. That assumes that each takes the same charge and "
                       "that the last of it can be used; a battery that runs down sags more, and "
                       "slows the robot before it is empty",
                       left);
    ib_text_add(html, ".</p>\n");
}

void ib__battery_write(const ib_Report *report, ib_Text *html)
{
    ib__html_section(html, "battery", "Battery");
    for (int i = 0; i < report->robot_count; i++) {
        const ib_ReportRobot *robot = &report->robots[i];
        const ib_LogSeries *used = ib_series_role(report->series, robot->name, IB_ROLE_SUPPLY_USED);
        if (!used || used->count == 0) continue;
        ib_Time end = used->times[used->count - 1];
        char heading[128];
        snprintf(heading, sizeof heading, "Charge used per manoeuvre%s%.60s",
                 robot->name[0] ? ", " : "", robot->name);
        ib__html_element(html, "h3", heading);
        if (end <= 0) continue;
        write_total(report, robot, end, html);
        write_uses(report, robot, end, html);
    }
    ib__html_element(
        html, "p class=\"soft\"",
        "A manoeuvre is the time from one knot of the commands to the next. Negative "
        "charge went back into the battery; energy is what its chemistry gave. Peak and "
        "lowest of a manoeuvre are those of the recorded samples, in the last line, "
        "which is the whole run, those of all steps.");
    ib__html_section_end(html);
}
