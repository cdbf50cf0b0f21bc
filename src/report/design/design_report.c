#include "report/design/design_report.h"

#include "report/design/design_figures.h"
#include "report/design/design_tables.h"
#include "report/html.h"

#include <stdio.h>

static void write_verdict(const ib_DesignFile *design, ib_Text *html)
{
    char text[80];
    int failed = 0, count = design->check_count;
    for (int i = 0; i < count; i++) failed += !design->checks[i].passed;
    if (count == 0) return;
    if (failed)
        snprintf(text, sizeof text, "✗ %d of %d check%s failed", failed, count,
                 count == 1 ? "" : "s");
    else
        snprintf(text, sizeof text, "✓ %d of %d check%s met", count, count, count == 1 ? "" : "s");
    ib__html_element(html, failed ? "p class=\"verdict bad\"" : "p class=\"verdict good\"", text);
}

static void write_warnings(const ib_DesignFile *design, ib_Text *html)
{
    for (int i = 0; i < design->yaml.warning_count; i++) {
        char text[1024];
        ib_diagnostic_format(&design->yaml.warnings[i], text, sizeof text);
        ib__html_element(html, "p class=\"note\"", text);
    }
}

static void write_header(const ib_DesignReport *report, ib_Text *html)
{
    const ib_DesignFile *design = report->design;
    ib_text_add(html, "<header>\n");
    ib__html_element(html, "h1", design->yaml.title);
    const char *const origin[] = {design->yaml.file, ", ", report->date, ", Ironbird ",
                                  report->version,   NULL};
    ib__html_line(html, "p class=\"soft\"", origin);
    write_verdict(design, html);
    write_warnings(design, html);
    ib_text_add(html, "<nav>\n");
    for (int i = 0; design->scheduled && i < design->gear_count; i++) {
        ib_text_format(html, "<a href=\"#gear%d\">", i);
        ib_text_escape(html, design->gears[i].design.name);
        ib_text_add(html, "</a>\n");
    }
    if (!design->scheduled)
        ib_text_add(html, "<a href=\"#plant0\">Plant</a>\n<a href=\"#response0\">Response</a>\n"
                          "<a href=\"#feedback0\">Feedback</a>\n<a href=\"#poles0\">Poles</a>\n"
                          "<a href=\"#margins0\">Margins</a>\n<a href=\"#weights0\">Weights</a>\n"
                          "<a href=\"#filter0\">Filter</a>\n");
    ib_text_add(html, "<a href=\"#file\">File</a>\n</nav>\n</header>\n");
}

// A section whose id is made unique by the gear.
static void begin(ib_Text *html, const char *id, int gear, const char *heading)
{
    char unique[40];
    snprintf(unique, sizeof unique, "%s%d", id, gear);
    ib__html_section(html, unique, heading);
}

static void write_response(const ib_DesignFile *design, int gear, ib_Arena *arena, ib_Text *html)
{
    ib_TrialPair trials;
    ib_Error error;
    begin(html, "response", gear, "Response");
    if (ib_trial_pair_run(design, gear, NULL, arena, &trials, &error) == IB_OK) {
        ib__design_response_table(&trials, html);
        ib__design_responses(&trials, html);
    } else {
        ib__chart_refuse("Response", error.text, html);
    }
    ib__html_section_end(html);
}

static void write_weights(const ib_DesignGear *entry, int gear, ib_Arena *arena, ib_Text *html)
{
    ib_Error error;
    begin(html, "weights", gear, "What a weight does");
    const ib_WeightSweep *sweep = ib__weight_sweep(entry, arena, &error);
    if (sweep) {
        ib__design_locus(entry, sweep, html);
        ib__design_gains(entry, sweep, html);
    } else {
        ib__chart_refuse("Root locus and gains over a weight", error.text, html);
    }
    ib__html_section_end(html);
}

static void write_gear(const ib_DesignFile *design, int gear, ib_Text *html)
{
    const ib_DesignGear *entry = &design->gears[gear];
    ib_Arena arena = {0};
    if (design->scheduled) {
        ib_text_format(html, "<h1 id=\"gear%d\">Gear ", gear);
        ib_text_escape(html, entry->design.name);
        ib_text_add(html, "</h1>\n");
    }
    begin(html, "plant", gear, "Plant");
    ib__design_plant_table(entry, html);
    ib__design_point_table(entry, html);
    ib__html_section_end(html);
    write_response(design, gear, &arena, html);
    begin(html, "feedback", gear, "Feedback");
    ib__design_feedback_table(entry, html);
    ib__html_section_end(html);
    begin(html, "poles", gear, "Poles");
    ib__design_poles_table(entry, html);
    ib__design_poles(entry, html);
    ib__html_section_end(html);
    begin(html, "margins", gear, "Margins");
    ib__design_margins_table(entry, html);
    ib__design_bode(entry, &arena, html);
    ib__html_section_end(html);
    write_weights(entry, gear, &arena, html);
    begin(html, "filter", gear, "Filter");
    ib__design_filter_table(entry, html);
    ib__design_ellipse(entry, html);
    ib__html_section_end(html);
    ib_arena_reset(&arena);
}

ib_Status ib_design_report_render(const ib_DesignReport *report, ib_Text *html, ib_Error *error)
{
    const ib_DesignFile *design = report->design;
    ib__html_begin(html, design->yaml.title);
    write_header(report, html);
    if (design->check_count) {
        ib__html_section(html, "checks", "Checks");
        ib__design_checks_table(design, html);
        ib__html_section_end(html);
    }
    for (int i = 0; i < design->gear_count; i++) write_gear(design, i, html);
    ib__html_section(html, "file", "File");
    ib__html_element(html, "pre", report->text ? report->text : "The file is not at hand.");
    ib__html_section_end(html);
    ib__html_end(html, error);
    return html->failed ? ib_error_set(error, IB_FAILED, "out of memory for the report") : IB_OK;
}

ib_Status ib_design_report_write(const ib_DesignReport *report, const char *path, ib_Error *error)
{
    ib_Text html = {0};
    ib_Status status = ib_design_report_render(report, &html, error);
    if (status == IB_OK) status = ib_text_write(&html, path, error);
    ib_text_destroy(&html);
    return status;
}
