#include "verify.h"

#include "base/json.h"
#include "base/units.h"

#include <math.h>
#include <string.h>

static const char *const verdict_names[] = {"holds", "approximately", "does not hold",
                                            "not computed"};

const char *verdict_name(Verdict verdict)
{
    return verdict_names[verdict];
}

// ---------------------------------------------------------------------------------------- verdicts

static Verdict judge_number(const Rule *rule, double published, double computed)
{
    double gap = computed - published;
    if (!isfinite(gap)) return VERDICT_UNKNOWN;
    if (gap >= -rule->below && gap <= rule->above) return VERDICT_HOLDS;
    return fabs(gap) <= rule->nearly ? VERDICT_NEARLY : VERDICT_FALSE;
}

// A printed unit is right when its dimension is that of the quantities it is made of.
static Verdict judge_unit(const Claim *claim)
{
    ib_Dimension printed, wanted, required;
    ib_Error error;
    if (ib_units_dimension(claim->published_unit, &printed, &error) != IB_OK ||
        ib_units_dimension(claim->made_of, &wanted, &error) != IB_OK ||
        ib_units_dimension(claim->unit, &required, &error) != IB_OK ||
        !ib_dimension_equal(wanted, required))
        return VERDICT_UNKNOWN;
    return ib_dimension_equal(printed, wanted) ? VERDICT_HOLDS : VERDICT_FALSE;
}

Judgement claim_judge(const Claim *claim, const Found *found)
{
    const Rule *rule = &claim->rule;
    Judgement judgement = {.published = NAN, .computed = NAN};
    if (claim->published_unit) {
        judgement.verdict = judge_unit(claim);
    } else {
        judgement.published = rule->row > 0 ? found[rule->row].form[rule->form] : rule->published;
        judgement.computed = found[claim->row].form[claim->form];
        judgement.verdict = judge_number(rule, judgement.published, judgement.computed);
    }
    judgement.ok = judgement.verdict == claim->expected;
    return judgement;
}

// ------------------------------------------------------------------------------------------- table

enum { WIDTH = 110, CLAIM_WIDTH = 40, NUMBER_WIDTH = 11, UNIT_WIDTH = 7 };

// How many bytes of `text` fit into `width` columns without cutting a word.
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

// Six digits, or as many as fit.
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

static void print_values(FILE *file, const Document *document, const Claim *claim,
                         const Judgement *judgement, const Found *found)
{
    if (claim->published_unit) {
        fprintf(file, "%*s%*s%*s", NUMBER_WIDTH, claim->published_unit, NUMBER_WIDTH, claim->unit,
                2 * NUMBER_WIDTH, "");
        return;
    }
    print_number(file, judgement->published);
    for (int form = 0; form < VERIFY_FORMS && document->forms[form]; form++)
        print_number(file, found[claim->row].form[form]);
}

static void describe_rule(const Claim *claim, char *text, size_t size)
{
    const Rule *rule = &claim->rule;
    double most = fmax(rule->below, rule->above);
    if (claim->published_unit)
        snprintf(text, size, "Holds when its dimension is that of %s", claim->made_of);
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
static void print_reason(FILE *file, const Claim *claim)
{
    char rule[120], text[800];
    describe_rule(claim, rule, sizeof rule);
    snprintf(text, sizeof text, "%s. %s.%s%s", claim->where, rule, claim->note[0] ? " " : "",
             claim->note);
    print_wrapped(file, 6, text);
}

static void print_claim(FILE *file, const Document *document, const Claim *claim,
                        const Judgement *judgement, const Found *found)
{
    const char *rest = claim->claim;
    int length = line_length(rest, CLAIM_WIDTH);
    fprintf(file, "  %-*.*s", CLAIM_WIDTH, length, rest);
    print_values(file, document, claim, judgement, found);
    fprintf(file, "  %-*s %s\n", UNIT_WIDTH, claim->published_unit ? "" : claim->unit,
            verdict_names[judgement->verdict]);
    for (rest = skip_spaces(rest + length); *rest; rest = skip_spaces(rest + length)) {
        length = line_length(rest, CLAIM_WIDTH - 2);
        fprintf(file, "    %.*s\n", length, rest);
    }
    if (!judgement->ok)
        fprintf(file, "      UNEXPECTED: the verdict should be '%s'\n",
                verdict_names[claim->expected]);
    print_reason(file, claim);
}

static void print_heading(FILE *file, const Document *document, const ClaimGroup *group)
{
    fprintf(file, "\n%s\n  %-*s%*s", group->title, CLAIM_WIDTH, "claim", NUMBER_WIDTH,
            group->heading);
    for (int form = 0; form < VERIFY_FORMS && document->forms[form]; form++)
        fprintf(file, "%*s", NUMBER_WIDTH, document->forms[form]);
    fprintf(file, "  %-*s %s\n", UNIT_WIDTH, "unit", "verdict");
}

enum { MAX_COLUMNS = 20, CELL = 40 };

// Columns as wide as what is in them.
static void print_table(FILE *file, const SideTable *table, const Found *found)
{
    int width[MAX_COLUMNS] = {0}, columns = 0, length;
    char text[CELL];
    for (; table->headings[columns] && columns < MAX_COLUMNS; columns++)
        width[columns] = (int)strlen(table->headings[columns]);
    for (int row = 0; table->cell(found, row, 0, text, sizeof text); row++)
        for (int i = 0; i < columns && table->cell(found, row, i, text, sizeof text); i++)
            if ((length = (int)strlen(text)) > width[i]) width[i] = length;
    fprintf(file, "\n%s\n ", table->title);
    for (int i = 0; i < columns; i++) {
        const char *heading = table->headings[i];
        bool number = heading[0] == '#';
        fprintf(file, " %*s", number ? width[i] : -width[i], heading + number);
    }
    for (int row = 0; table->cell(found, row, 0, text, sizeof text); row++) {
        fprintf(file, "\n ");
        for (int i = 0; i < columns && table->cell(found, row, i, text, sizeof text); i++) {
            int last = i == columns - 1 ? 0 : width[i];
            fprintf(file, " %*s", table->headings[i][0] == '#' ? width[i] : -last, text);
        }
    }
    fputc('\n', file);
}

int document_print(const Document *document, const Found *found, FILE *file)
{
    int counts[4] = {0}, unexpected = 0;
    fprintf(file, "%s\n", document->title);
    if (document->table) print_table(file, document->table, found);
    for (int i = 0; i < document->group_count; i++) {
        const ClaimGroup *group = &document->groups[i];
        print_heading(file, document, group);
        for (int k = 0; k < group->count; k++) {
            Judgement judgement = claim_judge(&group->claims[k], found);
            print_claim(file, document, &group->claims[k], &judgement, found);
            counts[judgement.verdict]++;
            unexpected += !judgement.ok;
        }
    }
    fputc('\n', file);
    print_wrapped(file, 0, document->remark);
    fprintf(file, "\n%d claims: %d hold, %d approximately, %d do not hold",
            counts[0] + counts[1] + counts[2] + counts[3], counts[VERDICT_HOLDS],
            counts[VERDICT_NEARLY], counts[VERDICT_FALSE]);
    if (counts[VERDICT_UNKNOWN]) fprintf(file, ", %d not computed", counts[VERDICT_UNKNOWN]);
    if (unexpected)
        fprintf(file, "; %d UNEXPECTED\n", unexpected);
    else
        fprintf(file, "; every verdict is the expected one\n");
    return unexpected;
}

// -------------------------------------------------------------------------------------------- JSON

static void json_claim(ib_Json *json, const Document *document, const Claim *claim,
                       const Judgement *judgement, const Found *found)
{
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
    ib_json_text(json, "verdict", verdict_names[judgement->verdict]);
    ib_json_text(json, "expected_verdict", verdict_names[claim->expected]);
    ib_json_flag(json, "ok", judgement->ok);
    ib_json_text(json, "note", claim->note);
    if (!claim->published_unit) {
        ib_json_open(json, "rule", '{');
        ib_json_number(json, "below", claim->rule.below);
        ib_json_number(json, "above", claim->rule.above);
        ib_json_number(json, "nearly", claim->rule.nearly);
        ib_json_close(json, '}');
        ib_json_open(json, "forms", '{');
        for (int form = 0; form < VERIFY_FORMS && document->forms[form]; form++)
            ib_json_number(json, document->forms[form], found[claim->row].form[form]);
        ib_json_close(json, '}');
    }
    ib_json_close(json, '}');
}

int document_print_json(const Document *document, const Found *found, FILE *file)
{
    ib_Json json = {.file = file};
    int unexpected = 0;
    ib_json_open(&json, NULL, '[');
    for (int i = 0; i < document->group_count; i++) {
        for (int k = 0; k < document->groups[i].count; k++) {
            const Claim *claim = &document->groups[i].claims[k];
            Judgement judgement = claim_judge(claim, found);
            json_claim(&json, document, claim, &judgement, found);
            unexpected += !judgement.ok;
        }
    }
    ib_json_close(&json, ']');
    fputc('\n', file);
    return unexpected;
}
