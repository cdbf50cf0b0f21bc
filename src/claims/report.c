#include "claims/report.h"

#include "report/html.h"
#include "report/pending.h"

#include <stdio.h>

enum { MAX_HEADINGS = 16 };

static void write_verdict(ib_Text *html, const ib_Claim *claim, const ib_Judgement *judgement)
{
    ib_text_add(html, judgement->ok ? "<td class=\"mark\">" : "<td class=\"mark bad\">");
    ib_text_add(html, ib_verdict_name(judgement->verdict));
    if (!judgement->ok) ib_text_format(html, "; expected: %s", ib_verdict_name(claim->expected));
    ib_text_add(html, "</td>");
}

static void write_claim(ib_Text *html, const ib_Findings *findings, int group,
                        const ib_Claim *claim, const ib_Judgement *judgement)
{
    ib_text_add(html, "<tr><td>");
    ib_text_escape(html, claim->claim);
    ib_text_add(html, "<br/><span class=\"soft\">");
    ib_text_escape(html, claim->where);
    ib_text_add(html, ". ");
    ib_text_escape(html, claim->note);
    ib_text_add(html, "</span></td>");
    if (claim->published_unit)
        ib__html_cell(html, claim->published_unit);
    else
        ib__html_number(html, judgement->published, "");
    for (int form = 0; ib_findings_form(findings, group, form); form++) {
        if (claim->published_unit)
            ib__html_cell(html, form ? "" : claim->unit);
        else
            ib__html_number(html, findings->values[claim->row].form[form], "");
    }
    ib__html_cell(html, claim->unit);
    write_verdict(html, claim, judgement);
    ib_text_add(html, "</tr>\n");
}

static void write_group(ib_Text *html, const ib_Findings *findings, int index)
{
    const ib_ClaimGroup *group = &findings->groups[index];
    char id[32], headings[2 + IB_CLAIM_FORMS][40];
    const char *row[MAX_HEADINGS] = {"claim"};
    int count = 1;
    snprintf(id, sizeof id, "group%d", index);
    snprintf(headings[0], sizeof headings[0], "#%s", group->heading);
    row[count++] = headings[0];
    const char *name;
    for (int form = 0; (name = ib_findings_form(findings, index, form)); form++) {
        snprintf(headings[1 + form], sizeof headings[0], "#%s", name);
        row[count++] = headings[1 + form];
    }
    row[count++] = "unit";
    row[count++] = "verdict";
    ib__html_section(html, id, group->title);
    ib__html_table(html, row);
    for (int i = 0; i < group->count; i++)
        write_claim(html, findings, index, &group->claims[i], &findings->judgements[index][i]);
    ib__html_table_end(html);
    ib__html_section_end(html);
}

static void write_table(ib_Text *html, const ib_ClaimTable *table, int index,
                        const ib_Findings *findings)
{
    char text[80], id[32];
    snprintf(id, sizeof id, "table%d", index);
    ib__html_section(html, id, table->title);
    ib__html_table(html, table->headings);
    for (int row = 0; table->cell(findings, row, 0, text, sizeof text); row++) {
        ib_text_add(html, "<tr>");
        for (int i = 0; table->headings[i] && table->cell(findings, row, i, text, sizeof text);
             i++) {
            if (table->headings[i][0] == '#')
                ib__html_element(html, "td class=\"number\"", text);
            else
                ib__html_cell(html, text);
        }
        ib_text_add(html, "</tr>\n");
    }
    ib__html_table_end(html);
    ib__html_section_end(html);
}

ib_Status ib_claims_report_write(const ib_Findings *findings, const char *path, ib_Error *error)
{
    const ib_ClaimDocument *document = findings->document;
    int unexpected = findings->unexpected;
    ib_Text html = {0};
    ib__html_begin(&html, document->title);
    ib__html_element(&html, "h1", document->title);
    ib_text_format(&html, "<p class=\"verdict %s\">", unexpected ? "bad" : "good");
    if (unexpected)
        ib_text_format(&html, "%d verdict%s not as expected</p>\n", unexpected,
                       unexpected == 1 ? "" : "s");
    else
        ib_text_add(&html, "every verdict is the expected one</p>\n");
    ib__html_element(&html, "p", document->remark);
    for (int i = 0; document->tables && document->tables[i]; i++)
        write_table(&html, document->tables[i], i, findings);
    for (int i = 0; i < findings->group_count; i++) write_group(&html, findings, i);
    if (document->figures) {
        ib__html_section(&html, "figures", "Figures");
        document->figures(findings, &html);
        ib__html_section_end(&html);
    }
    ib__html_end(&html, error);
    ib_Status status = html.failed ? ib_error_set(error, IB_FAILED, "out of memory for '%s'", path)
                                   : ib_text_write(&html, path, error);
    ib_text_destroy(&html);
    return status;
}

ib_PlotSeries ib__claims_curve(const char *label, const char *unit, const double *x,
                               const double *y, int count, int colour)
{
    return (ib_PlotSeries){
        .label = label, .unit = unit, .x = x, .y = y, .count = count, .colour = colour};
}

ib_Plot ib__claims_plot(const char *title, const ib_PlotSeries *series, int count, int height)
{
    ib_Plot plot = ib_plot_default();
    plot.title = title;
    plot.series = series, plot.series_count = count;
    plot.width = 900, plot.height = height;
    return plot;
}

void ib__claims_figure(const ib_Plot *plot, ib_Text *html)
{
    ib_Text script = {0};
    ib_Error error;
    if (ib_plot_script(plot, IB_PLOT_SVG, &script, &error) == IB_OK) {
        ib_text_add(html, "<figure>");
        ib__pending_add(html, &script, plot->title);
        ib_text_add(html, "</figure>\n");
    } else {
        ib__html_element(html, "p class=\"bad\"", plot->title);
        ib__html_element(html, "p", error.text);
    }
    ib_text_destroy(&script);
}
