#include "report/report.h"

#include "base/extreme.h"
#include "base/signal_text.h"
#include "report/battery_use.h"
#include "report/energy_book.h"
#include "report/events.h"
#include "report/figures.h"
#include "report/html.h"
#include "report/load_use.h"
#include "report/plot/gnuplot.h"
#include "report/routine_log.h"
#include "scenario/scenario.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

ib_Report ib_report_default(void)
{
    return (ib_Report){
        .title = "",
        .file = "",
        .version = "",
        .date = "",
        .solver = "",
        .wall = NAN,
        .diagram_time = NAN,
    };
}

// ----------------------------------------------------------------------------------------- summary

static void count_verdicts(const ib_Report *report, int *failed, int *open)
{
    *failed = *open = 0;
    for (int i = 0; i < report->expectation_count; i++) {
        const ib_ReportExpectation *expectation = &report->expectations[i];
        *open += expectation->open;
        *failed += !expectation->open && !expectation->passed;
    }
}

// The one line of the result.
static void write_verdict(const ib_Report *report, ib_Text *html)
{
    char text[128];
    int count = report->expectation_count, failed, open;
    count_verdicts(report, &failed, &open);
    if (report->error) {
        ib_text_add(html, "<p class=\"verdict bad\">✗ The run ended early: ");
        ib_text_escape(html, report->error);
        ib_text_add(html, "</p>\n");
    }
    if (count == 0) return;
    if (failed && open)
        snprintf(text, sizeof text, "✗ %d of %d expectations failed, %d open", failed, count, open);
    else if (failed)
        snprintf(text, sizeof text, "✗ %d of %d expectation%s failed", failed, count,
                 count == 1 ? "" : "s");
    else if (open)
        snprintf(text, sizeof text, "? %d of %d expectation%s open", open, count,
                 count == 1 ? "" : "s");
    else
        snprintf(text, sizeof text, "✓ %d of %d expectation%s met", count, count,
                 count == 1 ? "" : "s");
    ib__html_element(html,
                     failed ? "p class=\"verdict bad\""
                     : open ? "p class=\"verdict soft\""
                            : "p class=\"verdict good\"",
                     text);
}

// True if a robot shows its forces, or is pushed, or the diagram's absence needs a reason.
static bool has_forces(const ib_Report *report)
{
    bool any = report->no_diagram != NULL;
    for (int i = 0; i < report->robot_count; i++) any |= report->robots[i].ports->force_count > 0;
    for (int i = 0; i < report->signal_count; i++)
        any |= report->signals[i].means.role == IB_ROLE_PUSH_X;
    return any;
}

static void write_header(const ib_Report *report, ib_Text *html)
{
    static const struct {
        const char *id, *name;
        bool (*present)(const ib_Report *report); // NULL: in every report
    } links[] = {
        {"summary", "Summary", NULL},
        {"expectations", "Expectations", NULL},
        {"path", "Path", NULL},
        {"routine", "Routine", ib__routine_present},
        {"forces", "Forces", has_forces},
        {"battery", "Battery", ib__battery_present},
        {"loads", "Loads", ib__loads_present},
        {"energy", "Energy balance", ib__energy_present},
        {"events", "Events", ib__events_present},
        {"plots", "Plots", NULL},
        {"signals", "Signals", NULL},
        {"parameters", "Parameters", NULL},
        {"errata", "Errata", NULL},
        {"messages", "Messages", NULL},
        {"scenario", "Scenario", NULL},
    };
    ib_text_add(html, "<header>\n");
    ib__html_element(html, "h1", report->title[0] ? report->title : "A run");
    const char *const origin[] = {report->file, report->file[0] && report->date[0] ? ", " : "",
                                  report->date, NULL};
    ib__html_line(html, "p class=\"soft\"", origin);
    write_verdict(report, html);
    ib_text_add(html, "<nav>\n");
    for (size_t i = 0; i < sizeof links / sizeof links[0]; i++)
        if (!links[i].present || links[i].present(report))
            ib_text_format(html, "<a href=\"#%s\">%s</a>\n", links[i].id, links[i].name);
    ib_text_add(html, "</nav>\n</header>\n");
}

static void write_fact(ib_Text *html, const char *name, const char *value)
{
    ib_text_add(html, "<div>");
    ib__html_element(html, "dt", name);
    ib__html_element(html, "dd", value);
    ib_text_add(html, "</div>\n");
}

static void write_counters(const ib_SolverCounts *counters, ib_Text *html)
{
    char text[64];
    snprintf(text, sizeof text, "%" PRId64, counters->evaluations);
    write_fact(html, "rate evaluations", text);
    if (counters->rejected > 0 || counters->jacobians > 0) {
        snprintf(text, sizeof text, "%" PRId64, counters->rejected);
        write_fact(html, "rejected steps", text);
    }
    if (counters->jacobians > 0) {
        snprintf(text, sizeof text, "%" PRId64, counters->jacobians);
        write_fact(html, "Jacobians", text);
    }
}

static void write_summary(const ib_Report *report, ib_Text *html)
{
    char text[128];
    ib__html_section(html, "summary", "Summary");
    ib_text_add(html, "<dl class=\"facts\">\n");
    snprintf(text, sizeof text, "%.9g s", report->duration);
    write_fact(html, "simulated time", text);
    snprintf(text, sizeof text, "%" PRId64, report->steps);
    write_fact(html, "steps", text);
    if (report->wall > 0) {
        double speed = report->duration / report->wall;
        snprintf(text, sizeof text, "%.3g s (%.*f × real time)", report->wall, speed < 10 ? 2 : 0,
                 speed);
        write_fact(html, "computing time", text);
    }
    if (report->solver[0]) write_fact(html, "solver", report->solver);
    if (report->counters && report->counters->evaluations > 0)
        write_counters(report->counters, html);
    for (int i = 0; i < report->robot_count; i++) {
        const ib_ReportRobot *robot = &report->robots[i];
        snprintf(text, sizeof text, "robot%s%.60s", robot->name[0] ? " " : "", robot->name);
        write_fact(html, text, robot->kind->name);
    }
    snprintf(text, sizeof text, "%016" PRIx64, report->hash);
    write_fact(html, "hash of the final state", text);
    snprintf(text, sizeof text, "Ironbird %.60s", report->version);
    write_fact(html, "made by", text);
    ib_text_add(html, "</dl>\n");
    ib__html_section_end(html);
}

static void write_expectations(const ib_Report *report, ib_Text *html)
{
    static const char *const headings[] = {"", "Expectation", "What happened", NULL};
    ib__html_section(html, "expectations", "Expectations");
    if (report->expectation_count == 0)
        ib__html_element(html, "p", "The scenario states no expectations.");
    else {
        ib__html_table(html, headings);
        for (int i = 0; i < report->expectation_count; i++) {
            const ib_ReportExpectation *expectation = &report->expectations[i];
            ib_text_add(html, expectation->open     ? "<tr><td class=\"mark soft\">? open</td>"
                              : expectation->passed ? "<tr><td class=\"mark good\">✓ met</td>"
                                                    : "<tr><td class=\"mark bad\">✗ failed</td>");
            ib__html_cell(html, expectation->text);
            ib__html_cell(html, expectation->explanation ? expectation->explanation : "");
            ib_text_add(html, "</tr>\n");
        }
        ib__html_table_end(html);
    }
    ib__html_section_end(html);
}

// -------------------------------------------------------------------------------------------- path

// Width, height and centre of the path, from the extremes of the position.
static void write_extents(const ib_Report *report, ib_Text *html)
{
    static const char *const headings[] = {"Path",      "#width",      "#height", "#centre x",
                                           "#centre y", "#end (x, y)", NULL};
    bool open = false;
    for (int i = 0; i < report->robot_count; i++) {
        const char *name = report->robots[i].name;
        const ib_ReportSignal *x = ib__report_role(report, name, IB_ROLE_POSE_X);
        const ib_ReportSignal *y = ib__report_role(report, name, IB_ROLE_POSE_Y);
        if (!x || !y) continue;
        if (!open) ib__html_table(html, headings);
        open = true;
        ib_text_add(html, "<tr>");
        ib__html_cell(html, name[0] ? name : "of the robot");
        ib__html_number(html, x->max - x->min, "m");
        ib__html_number(html, y->max - y->min, "m");
        ib__html_number(html, (x->max + x->min) / 2, "m");
        ib__html_number(html, (y->max + y->min) / 2, "m");
        ib_text_format(html, "<td class=\"number\">(%.6g m, %.6g m)</td></tr>\n", x->final,
                       y->final);
    }
    if (open)
        ib__html_table_end(html);
    else
        ib__html_element(html, "p", "No robot of this run has a position in the plane.");
}

static void write_plan(const ib_ReportRobot *robot, ib_Text *html)
{
    static const char *const headings[] = {"Fact", "#value", "What it is", NULL};
    if (robot->fact_count == 0) return;
    char heading[128];
    snprintf(heading, sizeof heading, "Plan%s%.60s", robot->name[0] ? " of " : "", robot->name);
    ib__html_element(html, "h3", heading);
    ib__html_table(html, headings);
    for (int i = 0; i < robot->fact_count; i++) {
        const ib_PlanFact *fact = &robot->facts[i];
        ib_text_add(html, "<tr>");
        ib__html_cell(html, fact->name);
        ib__html_number(html, fact->value, fact->unit);
        ib__html_cell(html, fact->sentence);
        ib_text_add(html, "</tr>\n");
    }
    ib__html_table_end(html);
}

static void write_path(const ib_Report *report, const char *trouble, ib_Text *html)
{
    ib__html_section(html, "path", "Path");
    ib__figures_path(report, trouble, html);
    write_extents(report, html);
    for (int i = 0; i < report->robot_count; i++) write_plan(&report->robots[i], html);
    ib__html_section_end(html);
}

// ------------------------------------------------------------------------------------------ tables

static void write_signal(const ib_ReportSignal *signal, ib_Text *html)
{
    ib_text_add(html, "<tr>");
    ib__html_element(html, "td class=\"name\"", signal->name);
    ib_Text unit = {0};
    const ib_ShownUnit shown = ib_signal_shown(&signal->means, signal->unit);
    ib_text_unit(&unit, ib_signal_unit(&shown));
    ib__html_cell(html, unit.bytes ? unit.bytes : "");
    ib_text_destroy(&unit);
    double size = ib_max(fabs(signal->min), fabs(signal->max));
    const double values[] = {signal->final, signal->min, signal->max};
    for (int k = 0; k < 3; k++) {
        char text[IB_SIGNAL_NUMBER];
        ib_signal_number(&shown, values[k], size, text);
        ib__html_element(html, "td class=\"number\"", text);
    }
    ib_text_add(html, "<td>");
    if (signal->gaps) ib_text_add(html, "<b>not a number at times</b>; ");
    ib_text_escape(html, signal->sentence ? signal->sentence : "");
    ib_text_add(html, "</td></tr>\n");
}

// A table for each robot, and one for signals without a robot; the only robot has that one.
static void write_signals(const ib_Report *report, ib_Text *html)
{
    static const char *const headings[] = {"Signal",   "Unit",       "#final", "#smallest",
                                           "#largest", "What it is", NULL};
    ib__html_section(html, "signals", "Signals");
    for (int robot = -1; robot < report->robot_count; robot++) {
        ib_Text part = {0};
        for (int i = 0; i < report->signal_count; i++) {
            if (!ib__report_owns(report, robot, report->signals[i].name)) continue;
            if (part.length == 0) ib__html_table(&part, headings);
            write_signal(&report->signals[i], &part);
        }
        if (part.length > 0) ib__html_table_end(&part);
        ib__report_fold(report, robot, &part, html);
        ib_text_destroy(&part);
    }
    ib__html_section_end(html);
}

static void write_named(const ib_Param *param, const char *key, const void *config, ib_Text *html);

static const char *default_text(const ib_Param *param)
{
    if (param->type >= IB_PARAM_NAMED && param->type != IB_PARAM_FILE) return "none";
    if (param->fallback) return param->fallback;
    return param->type == IB_PARAM_PRESET ? "on" : "must be given";
}

// Rows of one schema; a value that is not the default stands out. A part that is off shows only
// that; a named part (an arm, a claw) has rows of its own.
static void write_schema(const ib_Schema *schema, const char *prefix, const void *config,
                         const void *plain, ib_Text *html)
{
    for (int i = 0; i < schema->count; i++) {
        const ib_Param *param = &schema->params[i];
        const ib_Param *part = ib_schema_preset(schema, param->key);
        char key[128], value[512], usual[512] = "";
        if (part && !ib_schema_preset_is_on(part, config)) continue;
        snprintf(key, sizeof key, "%s%s", prefix, param->key);
        ib_schema_format(param, config, value, sizeof value);
        bool usable = param->fallback || param->type >= IB_PARAM_PRESET;
        if (usable && plain) ib_schema_format(param, plain, usual, sizeof usual);
        bool changed = strcmp(value, usual) != 0;
        ib_text_add(html, changed ? "<tr class=\"changed\">" : "<tr>");
        ib__html_element(html, "td class=\"name\"", key);
        ib__html_element(html, "td class=\"value\"", value);
        ib__html_cell(html, default_text(param));
        ib__html_cell(html, param->sentence);
        ib_text_add(html, "</tr>\n");
        if (param->type == IB_PARAM_NAMED) write_named(param, key, config, html);
    }
}

// A map of things that have names, such as mechanisms, has "key.name." before each parameter.
static void write_named(const ib_Param *param, const char *key, const void *config, ib_Text *html)
{
    const ib_NamedDef *named = param->detail;
    int count;
    memcpy(&count, (const char *)config + param->offset, sizeof count);
    for (int i = 0; i < count; i++) {
        const char *item =
            (const char *)config + param->offset + named->offset + (size_t)i * named->size;
        char prefix[256];
        snprintf(prefix, sizeof prefix, "%s.%s%s", key, item, item[0] ? "." : "");
        const ib_Schema *schema = named->kinds ? named->kinds->schema(item) : named->items;
        void *plain = calloc(1, named->size);
        if (plain) ib_read_defaults(schema, plain, NULL);
        write_schema(schema, prefix, named->kinds ? item + named->kinds->config : item, plain,
                     html);
        free(plain);
    }
}

static void write_robot(const ib_ReportRobot *robot, ib_Text *html)
{
    static const char *const headings[] = {"Key", "Value", "Default", "What it is", NULL};
    ib_text_add(html, "<h3>");
    ib_text_escape(html, robot->name);
    ib_text_add(html, robot->name[0] ? ", a " : "A ");
    ib_text_escape(html, robot->kind->name);
    ib_text_add(html, ": ");
    ib_text_escape(html, robot->kind->sentence);
    ib_text_add(html, "</h3>\n");
    if (!robot->config) return;
    void *plain = calloc(1, robot->kind->config_size);
    if (plain) {
        ib_read_defaults(&robot->kind->params, plain, NULL);
        ib_read_defaults(&robot->kind->start, plain, NULL);
    }
    ib__html_table(html, headings);
    write_schema(&robot->kind->params, "", robot->config, plain, html);
    write_schema(&robot->kind->start, "start.", robot->config, plain, html);
    ib__html_table_end(html);
    free(plain);
}

static void write_parameters(const ib_Report *report, ib_Text *html)
{
    ib__html_section(html, "parameters", "Parameters");
    for (int i = 0; i < report->robot_count; i++) {
        ib_Text part = {0};
        write_robot(&report->robots[i], &part);
        ib__report_fold(report, i, &part, html);
        ib_text_destroy(&part);
    }
    ib__html_element(html, "p class=\"soft\"", "Values in bold are not the default.");
    ib__html_section_end(html);
}

static bool kind_seen(const ib_Report *report, int index)
{
    for (int i = 0; i < index; i++)
        if (report->robots[i].kind == report->robots[index].kind) return true;
    return false;
}

static void write_errata(const ib_Report *report, ib_Text *html)
{
    static const char *const headings[] = {"Where",    "Published", "Corrected",
                                           "Evidence", "See",       NULL};
    ib__html_section(html, "errata", "Errata of the source");
    int shown = 0;
    for (int i = 0; i < report->robot_count; i++) {
        const ib_RobotKind *kind = report->robots[i].kind;
        if (!kind->errata || kind_seen(report, i)) continue;
        if (shown++ == 0)
            ib__html_element(html, "p",
                             "The source that this robot comes from has these mistakes. Ironbird "
                             "computes the corrected form unless the parameters above say "
                             "otherwise.");
        ib__html_table(html, headings);
        for (const ib_Erratum *erratum = kind->errata; erratum->where; erratum++) {
            ib_text_add(html, "<tr>");
            ib__html_cell(html, erratum->where);
            ib__html_cell(html, erratum->published);
            ib__html_cell(html, erratum->corrected);
            ib__html_cell(html, erratum->evidence);
            ib__html_cell(html, erratum->see ? erratum->see : "");
            ib_text_add(html, "</tr>\n");
        }
        ib__html_table_end(html);
    }
    if (shown == 0) ib__html_element(html, "p", "None are known for this robot.");
    ib__html_section_end(html);
}

// -------------------------------------------------------------------------------------------- page

static void write_messages(const ib_Report *report, ib_Text *html)
{
    ib__html_section(html, "messages", "Messages");
    if (report->messages && report->messages[0]) {
        ib_text_add(html, "<ul>\n");
        for (int i = 0; report->messages[i]; i++) ib__html_element(html, "li", report->messages[i]);
        ib_text_add(html, "</ul>\n");
    } else
        ib__html_element(html, "p", "The run raised no warnings.");
    ib__html_section_end(html);
}

static void write_scenario(const ib_Report *report, ib_Text *html)
{
    ib__html_section(html, "scenario", "Scenario");
    if (report->text) {
        ib_text_add(html, "<pre>");
        ib_text_escape(html, report->text);
        ib_text_add(html, "</pre>\n");
    } else
        ib__html_element(html, "p", "The text of the scenario is not at hand.");
    ib__html_section_end(html);
}

ib_Status ib_report_render(const ib_Report *report, ib_Text *html, ib_Error *error)
{
    // Asked once: without gnuplot no plot is tried.
    ib_Error reason;
    const char *trouble = ib_gnuplot_check(&reason) == IB_OK ? NULL : reason.text;
    ib__html_begin(html, report->title[0] ? report->title : "Ironbird run");
    write_header(report, html);
    ib_text_add(html, "<main>\n");
    write_summary(report, html);
    write_expectations(report, html);
    write_path(report, trouble, html);
    if (ib__routine_present(report)) ib__routine_write(report, html);
    if (has_forces(report)) {
        ib__html_section(html, "forces", "Forces");
        ib__figures_forces(report, html);
        ib__html_section_end(html);
    }
    if (ib__battery_present(report)) ib__battery_write(report, html);
    if (ib__loads_present(report)) ib__loads_write(report, trouble, html);
    if (ib__energy_present(report)) ib__energy_write(report, trouble, html);
    if (ib__events_present(report)) ib__events_write(report, html);
    ib__html_section(html, "plots", "Plots");
    ib__figures_signals(report, trouble, html);
    ib__html_section_end(html);
    write_signals(report, html);
    write_parameters(report, html);
    write_errata(report, html);
    write_messages(report, html);
    write_scenario(report, html);
    ib_text_add(html, "</main>\n");
    ib__html_end(html, error);
    if (trouble && error)
        snprintf(error->text, sizeof error->text, "there are no plots: %.200s", trouble);
    if (html->failed) return ib_error_set(error, IB_FAILED, "out of memory for the report");
    return IB_OK;
}

ib_Status ib_report_write(const ib_Report *report, const char *path, ib_Error *error)
{
    ib_Text html = {0};
    ib_Status status = ib_report_render(report, &html, error);
    if (status == IB_OK) status = ib_text_write(&html, path, error);
    ib_text_destroy(&html);
    return status;
}
