#include "claims/findings_text.h"

#include "base/extreme.h"

#include <math.h>
#include <string.h>

// ------------------------------------------------------------------------------------------- table

enum { WIDTH = 110, CLAIM_WIDTH = 40, NUMBER_WIDTH = 11, UNIT_WIDTH = 7 };

// The number of bytes of `text` that fit into `width` columns without cutting a word.
static int line_length(const char *text, int width)
{
    int length = (int)strlen(text);
    if (length <= width) return length;
    for (int i = width; i > 0; i--)
        if (text[i] == ' ') return i;
    return width;
}

static const char *skip_spaces(const char *text)
{
    while (*text == ' ') text++;
    return text;
}

static void print_wrapped(FILE *file, int indent, const char *text)
{
    while (*text) {
        int length = line_length(text, WIDTH - indent);
        fprintf(file, "%*s%.*s\n", indent, "", length, text);
        text = skip_spaces(text + length);
    }
}

// Prints six digits, or as many as fit.
static void print_number(FILE *file, double value)
{
    char text[32] = "-";
    for (int digits = 6; isfinite(value) && digits > 0; digits--) {
        int length =
            snprintf(text, sizeof text, "%.*g", digits, value == 0 ? 0.0 : value); // no "-0"
        if (length < NUMBER_WIDTH) break;
    }
    fprintf(file, "%*s", NUMBER_WIDTH, text);
}

static void print_values(FILE *file, const ib_Findings *findings, int group, const ib_Claim *claim,
                         const ib_Judgement *judgement)
{
    if (claim->published_unit) {
        fprintf(file, "%*s%*s%*s", NUMBER_WIDTH, claim->published_unit, NUMBER_WIDTH, claim->unit,
                2 * NUMBER_WIDTH, "");
        return;
    }
    print_number(file, judgement->published);
    for (int form = 0; ib_findings_form(findings, group, form); form++)
        print_number(file, findings->values[claim->row].form[form]);
}

static void describe_rule(const ib_Claim *claim, char *text, size_t size)
{
    const ib_ClaimRule *rule = &claim->rule;
    double most = ib_max(rule->below, rule->above);
    if (claim->published_unit)
        snprintf(text, size, "Holds when its dimension is that of %s", claim->made_of);
    else if (isinf(most))
        snprintf(text, size, "Holds when no %s", isinf(rule->below) ? "more" : "less");
    else if (most == 0)
        snprintf(text, size, "Holds when equal");
    else if (rule->below == rule->above)
        snprintf(text, size, "Holds within %.3g", most);
    else
        snprintf(text, size, "Holds up to %.3g %s", most,
                 rule->above > rule->below ? "above" : "below");
    size_t used = strlen(text);
    if (rule->nearly > most)
        snprintf(text + used, size - used, ", approximately within %.3g", rule->nearly);
}

// "Figure 4. Holds within 0.05, approximately within 0.07. Why it is so."
static void print_reason(FILE *file, const ib_Claim *claim)
{
    char rule[120], text[800];
    describe_rule(claim, rule, sizeof rule);
    snprintf(text, sizeof text, "%s. %s.%s%s", claim->where, rule, claim->note[0] ? " " : "",
             claim->note);
    print_wrapped(file, 6, text);
}

static void print_claim(FILE *file, const ib_Findings *findings, int group, const ib_Claim *claim,
                        const ib_Judgement *judgement)
{
    const char *rest = claim->claim;
    int length = line_length(rest, CLAIM_WIDTH);
    fprintf(file, "  %-*.*s", CLAIM_WIDTH, length, rest);
    print_values(file, findings, group, claim, judgement);
    fprintf(file, "  %-*s %s\n", UNIT_WIDTH, claim->published_unit ? "" : claim->unit,
            ib_verdict_name(judgement->verdict));
    for (rest = skip_spaces(rest + length); *rest; rest = skip_spaces(rest + length)) {
        length = line_length(rest, CLAIM_WIDTH - 2);
        fprintf(file, "    %.*s\n", length, rest);
    }
    if (!judgement->ok)
        fprintf(file, "      UNEXPECTED: the verdict should be '%s'\n",
                ib_verdict_name(claim->expected));
    print_reason(file, claim);
}

static void print_heading(FILE *file, const ib_Findings *findings, int index)
{
    const ib_ClaimGroup *group = &findings->groups[index];
    const char *name;
    fprintf(file, "\n%s\n  %-*s%*s", group->title, CLAIM_WIDTH, "claim", NUMBER_WIDTH,
            group->heading);
    for (int form = 0; (name = ib_findings_form(findings, index, form)); form++)
        fprintf(file, "%*s", NUMBER_WIDTH, name);
    fprintf(file, "  %-*s %s\n", UNIT_WIDTH, "unit", "verdict");
}

enum { MAX_COLUMNS = 20, CELL = 40 };

// Prints columns as wide as their contents.
static void print_table(FILE *file, const ib_ClaimTable *table, const ib_Findings *findings)
{
    int width[MAX_COLUMNS] = {0}, columns = 0, length;
    char text[CELL];
    for (; table->headings[columns] && columns < MAX_COLUMNS; columns++)
        width[columns] = (int)strlen(table->headings[columns]);
    for (int row = 0; table->cell(findings, row, 0, text, sizeof text); row++)
        for (int i = 0; i < columns && table->cell(findings, row, i, text, sizeof text); i++)
            if ((length = (int)strlen(text)) > width[i]) width[i] = length;
    fprintf(file, "\n%s\n ", table->title);
    for (int i = 0; i < columns; i++) {
        const char *heading = table->headings[i];
        bool number = heading[0] == '#';
        fprintf(file, " %*s", number ? width[i] : -width[i], heading + number);
    }
    for (int row = 0; table->cell(findings, row, 0, text, sizeof text); row++) {
        fprintf(file, "\n ");
        for (int i = 0; i < columns && table->cell(findings, row, i, text, sizeof text); i++) {
            int last = i == columns - 1 ? 0 : width[i];
            fprintf(file, " %*s", table->headings[i][0] == '#' ? width[i] : -last, text);
        }
    }
    fputc('\n', file);
}

static void print_counts(FILE *file, const ib_Findings *findings)
{
    const int *counts = findings->counts;
    int all = 0;
    for (int i = 0; i < IB_VERDICTS; i++) all += counts[i];
    fprintf(file, "\n%d claims: %d hold, %d approximately, %d do not hold", all,
            counts[IB_VERDICT_HOLDS], counts[IB_VERDICT_NEARLY], counts[IB_VERDICT_FALSE]);
    if (counts[IB_VERDICT_UNKNOWN]) fprintf(file, ", %d not computed", counts[IB_VERDICT_UNKNOWN]);
    if (findings->unexpected)
        fprintf(file, "; %d UNEXPECTED\n", findings->unexpected);
    else
        fprintf(file, "; every verdict is the expected one\n");
}

void ib_findings_text(const ib_Findings *findings, FILE *file)
{
    const ib_ClaimDocument *document = findings->document;
    fprintf(file, "%s\n", document->title);
    for (int i = 0; document->tables && document->tables[i]; i++)
        print_table(file, document->tables[i], findings);
    for (int i = 0; i < findings->group_count; i++) {
        const ib_ClaimGroup *group = &findings->groups[i];
        print_heading(file, findings, i);
        for (int k = 0; k < group->count; k++)
            print_claim(file, findings, i, &group->claims[k], &findings->judgements[i][k]);
    }
    fputc('\n', file);
    print_wrapped(file, 0, document->remark);
    print_counts(file, findings);
}

// -------------------------------------------------------------------------------------------- JSON

static void json_claim(ib_Json *json, const ib_Findings *findings, int group, const ib_Claim *claim,
                       const ib_Judgement *judgement)
{
    const char *name;
    ib_json_open(json, NULL, '{');
    ib_json_text(json, "claim", claim->claim);
    ib_json_text(json, "where", claim->where);
    if (claim->published_unit) {
        ib_json_text(json, "published", claim->published_unit);
        ib_json_text(json, "computed", claim->unit);
    } else {
        ib_json_number(json, "published", judgement->published);
        ib_json_number(json, "computed", judgement->computed);
    }
    ib_json_text(json, "unit", claim->unit);
    ib_json_text(json, "verdict", ib_verdict_name(judgement->verdict));
    ib_json_text(json, "expected_verdict", ib_verdict_name(claim->expected));
    ib_json_flag(json, "ok", judgement->ok);
    ib_json_text(json, "note", claim->note);
    if (!claim->published_unit) {
        ib_json_open(json, "rule", '{');
        ib_json_number(json, "below", claim->rule.below);
        ib_json_number(json, "above", claim->rule.above);
        ib_json_number(json, "nearly", claim->rule.nearly);
        ib_json_close(json, '}');
        ib_json_open(json, "forms", '{');
        for (int form = 0; (name = ib_findings_form(findings, group, form)); form++)
            ib_json_number(json, name, findings->values[claim->row].form[form]);
        ib_json_close(json, '}');
    }
    ib_json_close(json, '}');
}

void ib_findings_json(const ib_Findings *findings, FILE *file)
{
    ib_Json json = {.file = file};
    ib_json_open(&json, NULL, '[');
    for (int i = 0; i < findings->group_count; i++)
        for (int k = 0; k < findings->groups[i].count; k++)
            json_claim(&json, findings, i, &findings->groups[i].claims[k],
                       &findings->judgements[i][k]);
    ib_json_close(&json, ']');
    fputc('\n', file);
}

// ------------------------------------------------------------------------------------------ errata

void ib_errata_text(const ib_ClaimDocument *document, FILE *file)
{
    fprintf(file, "%s: %s\n", document->name, document->title);
    for (const ib_Erratum *erratum = document->errata; erratum->where; erratum++) {
        fprintf(file, "\nwhere:   %s\nprinted: %s\nright:   %s\ncosts:   %s\n", erratum->where,
                erratum->published, erratum->corrected, erratum->evidence);
        if (erratum->see) fprintf(file, "see:     %s\n", erratum->see);
    }
}

void ib_errata_json(const ib_ClaimDocument *document, ib_Json *json)
{
    ib_json_open(json, NULL, '{');
    ib_json_text(json, "document", document->name);
    ib_json_text(json, "title", document->title);
    ib_json_open(json, "errata", '[');
    for (const ib_Erratum *erratum = document->errata; erratum->where; erratum++) {
        ib_json_open(json, NULL, '{');
        ib_json_text(json, "where", erratum->where);
        ib_json_text(json, "printed", erratum->published);
        ib_json_text(json, "right", erratum->corrected);
        ib_json_text(json, "costs", erratum->evidence);
        if (erratum->see) ib_json_text(json, "see", erratum->see);
        ib_json_close(json, '}');
    }
    ib_json_close(json, ']');
    ib_json_close(json, '}');
}
