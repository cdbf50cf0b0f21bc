#include "report/design/design_tables.h"

#include "desk/design/design_table.h"
#include "desk/trial/trial_table.h"
#include "report/html.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { COLUMNS = IB_STATES_MAX, HEADING = IB_STATE_NAME + 2 };

static const char *known(const char *unit)
{
    return unit ? unit : "";
}

static void add_name(ib_Text *html, const char *name)
{
    ib__html_element(html, "td class=\"name\"", name);
}

// A table whose first heading is `corner`; the others, which may be empty, stand over numbers.
static void begin_table(ib_Text *html, const char *corner, int count, const char *const *titles,
                        bool capital)
{
    char heading[COLUMNS][HEADING];
    const char *headings[COLUMNS + 2] = {corner};
    for (int k = 0; k < count; k++) {
        snprintf(heading[k], sizeof heading[k], "#%s", titles[k]);
        if (capital) heading[k][1] = (char)toupper((unsigned char)heading[k][1]);
        headings[1 + k] = heading[k];
    }
    ib__html_table(html, headings);
}

// Words as a sentence of its own: a capital first, a full stop at the end.
static void add_sentence(ib_Text *html, const char *words)
{
    ib_text_format(html, "<p class=\"soft\">%c%s.</p>\n", toupper((unsigned char)words[0]),
                   words + 1);
}

// ------------------------------------------------------------------------------------------- facts

// A fact of something whose own unit is `own`. A factor needs no sign here.
static void add_fact(ib_Text *html, const ib_Fact *fact, const void *of, const char *own)
{
    double value = ib_fact_shown(fact, of);
    const char *unit = fact->unit ? fact->unit : own, *otherwise = ib_fact_otherwise(fact);
    if (isfinite(value))
        ib__html_number(html, value, strcmp(unit, "x") == 0 ? "" : unit);
    else
        ib_text_format(html, "<td class=\"number\">%s</td>",
                       strcmp(otherwise, "-") == 0 ? "–" : otherwise);
}

static void add_fact_cells(ib_Text *html, const ib_Fact *table, const void *of)
{
    for (const ib_Fact *fact = table; fact->key; fact++)
        if (fact->title) add_fact(html, fact, of, "");
}

static int find_headings(const ib_Fact *table, const char **titles)
{
    int count = 0;
    for (const ib_Fact *fact = table; fact->key; fact++)
        if (fact->title) titles[count++] = ib_fact_heading(fact);
    return count;
}

// -------------------------------------------------------------------------------------------- rows

// A matrix with names at its rows and over its columns.
static void add_matrix(ib_Text *html, const ib_DesignGear *gear, const ib_DesignRow *row)
{
    ib_DesignSide left = ib_design_side(gear, row->rows), top = ib_design_side(gear, row->columns);
    const double *a = ib_design_row_value(gear, row);
    begin_table(html, ib_design_row_words(gear, row)->label, top.count, top.name, false);
    for (int i = 0; i < left.count; i++) {
        ib_text_add(html, "<tr>");
        add_name(html, left.name[i]);
        for (int k = 0; k < top.count; k++) ib__html_number(html, a[i * top.count + k], "");
        ib_text_add(html, "</tr>\n");
    }
    ib__html_table_end(html);
}

static void add_value(ib_Text *html, const char *name, double value, const char *unit)
{
    ib_text_add(html, "<tr>");
    add_name(html, name);
    ib__html_number(html, value, known(unit));
    ib_text_add(html, "</tr>\n");
}

static void add_deviations(ib_Text *html, const ib_DesignGear *gear, const ib_DesignRow *row)
{
    ib_DesignSide side = ib_design_side(gear, row->rows);
    begin_table(html, "State", 1, &ib_design_row_words(gear, row)->label, false);
    for (int i = 0; i < side.count; i++)
        add_value(html, side.name[i], ib_design_deviation(gear, row, i), side.unit[i]);
    ib__html_table_end(html);
}

static void add_rows(ib_Text *html, const ib_DesignGear *gear, const char *const *keys)
{
    for (; *keys; keys++) {
        const ib_DesignRow *row = ib_design_row(*keys);
        char memory[IB_ROW_SAID];
        if (!ib_design_row_given(gear, row)) continue;
        if (row->form == IB_ROW_MATRIX) add_matrix(html, gear, row);
        if (row->form == IB_ROW_COVARIANCE) add_deviations(html, gear, row);
        if (row->say) add_sentence(html, ib_design_row_say(gear, row, memory));
    }
}

// The words of a row as a paragraph, where it has any.
static void add_words(ib_Text *html, const ib_DesignGear *gear, const char *key, const char *tag)
{
    char memory[IB_ROW_SAID];
    const char *words = ib_design_row_say(gear, ib_design_row(key), memory);
    if (words[0]) ib__html_element(html, tag, words);
}

// The law of a gain, with the minus of print.
static void add_law(ib_Text *html, const ib_DesignGear *gear, const char *key)
{
    const ib_DesignRow *row = ib_design_row(key);
    if (!ib_design_row_given(gear, row)) return;
    const char *minus = strchr(row->law, '-');
    int before = (int)(minus ? minus - row->law : (ptrdiff_t)strlen(row->law));
    ib_text_format(html, "%.*s%s%s", before, row->law, minus ? "−" : "", minus ? minus + 1 : "");
}

// ------------------------------------------------------------------------------------------- plant

static void add_port(ib_Text *html, const ib_DesignGear *gear, const ib_DesignPort *port)
{
    ib_DesignSide side = ib_design_side(gear, port->axis);
    for (int i = 0; i < side.count; i++) {
        ib_Text unit = {0};
        ib_text_add(html, "<tr>");
        ib__html_cell(html, port->kind);
        add_name(html, side.name[i]);
        ib_text_unit(&unit, known(side.unit[i]));
        ib__html_cell(html, unit.bytes ? unit.bytes : "");
        ib_text_destroy(&unit);
        ib__html_cell(html, side.sentence[i] ? side.sentence[i] : "");
        ib_text_add(html, "</tr>\n");
    }
}

// Properties of a mechanism: constants, top speed, holding voltage.
static void add_facts(const ib_DesignGear *gear, ib_Text *html)
{
    static const char *const headings[] = {"Of it", "#", "", NULL};
    ib_MechanismFacts facts = {0};
    if (gear->mechanical) ib_mechanism_facts(&gear->mechanism, &facts);
    if (facts.count == 0) return;
    ib__html_table(html, headings);
    for (int i = 0; i < facts.count; i++) {
        const ib_MechanismFact *fact = &facts.items[i];
        ib_text_add(html, "<tr>");
        add_name(html, fact->name);
        ib__html_number(html, fact->value, known(fact->unit));
        ib__html_cell(html, fact->sentence);
        ib_text_add(html, "</tr>\n");
    }
    ib__html_table_end(html);
}

void ib__design_plant_table(const ib_DesignGear *gear, ib_Text *html)
{
    static const char *const headings[] = {"", "Name", "Unit", "What it is", NULL};
    char memory[IB_ROW_SAID];
    ib_text_add(html, "<p>");
    if (gear->mechanical) ib_text_escape(html, gear->mechanism.kind->sentence);
    ib_text_format(html, "%s%s; sampled every %.6g s.</p>\n", gear->mechanical ? ": " : "",
                   ib_design_row_say(gear, ib_design_row("controllable"), memory),
                   gear->config.period);
    add_words(html, gear, "not_controllable", "p class=\"bad\"");
    add_words(html, gear, "not_observable", "p class=\"bad\"");
    ib__html_table(html, headings);
    for (int i = 0; i < IB_DESIGN_PORTS; i++) add_port(html, gear, &ib_design_ports[i]);
    ib__html_table_end(html);
    add_facts(gear, html);
}

void ib__design_point_table(const ib_DesignGear *gear, ib_Text *html)
{
    static const char *const headings[] = {"Operating point", "#Value", NULL};
    const ib_DesignRow *parts = ib_design_row("at")->parts; // of states, then of inputs
    if (!ib_design_point_given(gear)) return;
    ib__html_table(html, headings);
    for (int part = 0; part < 2; part++) {
        ib_DesignSide side = ib_design_side(gear, parts[part].rows);
        const double *values = ib_design_row_value(gear, &parts[part]);
        for (int i = 0; i < side.count; i++) add_value(html, side.name[i], values[i], side.unit[i]);
    }
    ib__html_table_end(html);
    add_words(html, gear, "note", "p class=\"soft\"");
}

// ---------------------------------------------------------------------------------------- feedback

static void add_poles(ib_Text *html, const ib_DesignGear *gear, const ib_DesignRow *row)
{
    int count = ib_design_side(gear, row->rows).count;
    for (int i = 0; i < count; i++) {
        ib_DesignPole pole = ib_design_pole(gear, row, i);
        if (pole.im < 0) continue; // the other one of its pair is in the table
        ib_text_add(html, "<tr>");
        ib__html_cell(html, ib_design_row_words(gear, row)->label);
        ib_text_format(html, "<td class=\"number\">%.6g", pole.re);
        if (pole.im > 0) ib_text_format(html, " ± %.6g i", pole.im);
        ib_text_add(html, "</td>");
        add_fact_cells(html, ib_pole_facts, &pole);
        ib_text_add(html, "</tr>\n");
    }
}

void ib__design_poles_table(const ib_DesignGear *gear, ib_Text *html)
{
    static const char *const keys[] = {"plant_poles", "delayed_poles", "poles", "kalman_poles"};
    const char *titles[COLUMNS] = {"Pole (z)"};
    begin_table(html, "Of", 1 + find_headings(ib_pole_facts, titles + 1), titles, true);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (ib_design_row_given(gear, ib_design_row(keys[i])))
            add_poles(html, gear, ib_design_row(keys[i]));
    ib__html_table_end(html);
    add_words(html, gear, "plant_zeros", "p");
}

void ib__design_feedback_table(const ib_DesignGear *gear, ib_Text *html)
{
    static const char *const keys[] = {
        "K", "G", "F", "latency", "riccati_residual", "placement_accuracy", NULL};
    bool stable = gear->design.stable;
    if (!gear->design.feedback) {
        ib__html_element(html, "p", "The file asks for no feedback.");
        return;
    }
    ib_text_add(html, "<p>");
    add_law(html, gear, "K");
    add_law(html, gear, "F");
    add_law(html, gear, "G");
    ib_text_format(html, ". The closed loop is %s.</p>\n",
                   stable ? "stable" : "<b class=\"bad\">not stable</b>");
    add_words(html, gear, "not_held", stable ? "p class=\"soft\"" : "p class=\"bad\"");
    add_rows(html, gear, keys);
}

void ib__design_margins_table(const ib_DesignGear *gear, ib_Text *html)
{
    const ib_Design *design = &gear->design;
    const char *titles[COLUMNS];
    if (!design->feedback) return;
    if (!design->margined || !design->margins.stable) {
        ib__html_element(html, "p class=\"bad\"",
                         design->margined ? "None: the loop is not stable."
                                          : design->unmargined.text);
        return;
    }
    begin_table(html, "At", find_headings(ib_margin_facts, titles), titles, true);
    for (int i = 0; i < design->plant.inputs; i++) {
        ib_text_add(html, "<tr>");
        add_name(html, design->plant.input[i]);
        add_fact_cells(html, ib_margin_facts, &design->margins.input[i]);
        ib_text_add(html, "</tr>\n");
    }
    ib__html_table_end(html);
    if (design->plant.inputs > 1) add_words(html, gear, "delay_margin_together", "p");
}

// ------------------------------------------------------------------------------------------ filter

void ib__design_filter_table(const ib_DesignGear *gear, ib_Text *html)
{
    static const char *const keys[] = {"kalman_gain", "covariance", "kalman_residual", NULL};
    if (!gear->design.kalman) {
        ib__html_element(html, "p", "The file asks for no filter: the states are measured.");
        return;
    }
    ib_text_add(html, "<p>");
    add_law(html, gear, "kalman_gain");
    ib_text_add(html, "</p>\n");
    add_rows(html, gear, keys);
}

// ---------------------------------------------------------------------------------------- response

static void add_effort(const ib_TrialPair *trials, ib_Text *html)
{
    const ib_DesignGear *gear = &trials->design->gears[trials->gear];
    const char *titles[COLUMNS];
    begin_table(html, "Input", find_headings(ib_effort_facts, titles), titles, true);
    for (int i = 0; i < trials->quiet.inputs; i++) {
        ib_TrialEffort effort = ib_trial_pair_effort(trials, i);
        ib_text_add(html, "<tr>");
        add_name(html, gear->design.plant.input[i]);
        for (const ib_Fact *fact = ib_effort_facts; fact->key; fact++) {
            if (fact->title && !fact->unit)
                add_fact(html, fact, &effort, known(gear->input_unit[i]));
            else if (fact->title) // a share
                ib_text_format(html, "<td class=\"number\">%.1f %% of the time</td>",
                               ib_fact_shown(fact, &effort));
        }
        ib_text_add(html, "</tr>\n");
    }
    ib__html_table_end(html);
}

// Use of motors and battery in the run, and active limits.
static void add_use(const ib_TrialUse *use, ib_Text *html)
{
    static const char *const headings[] = {"Motors and battery", "#undisturbed", NULL};
    char text[160];
    if (isnan(use->current)) return;
    ib__html_table(html, headings);
    for (const ib_Fact *fact = ib_use_facts; fact->key; fact++) {
        if (!ib_design_use_given(use, fact)) continue;
        ib_text_add(html, "<tr>");
        ib__html_cell(html, fact->title);
        add_fact(html, fact, use, "");
        ib_text_add(html, "</tr>\n");
    }
    ib__html_table_end(html);
    for (int i = 0; ib_trial_use_note(use, i, text, sizeof text); i++)
        ib__html_element(html, "p class=\"note\"", text);
}

// One row for each fact, one column for each state that moves.
void ib__design_response_table(const ib_TrialPair *trials, ib_Text *html)
{
    const ib_DesignGear *gear = &trials->design->gears[trials->gear];
    ib_DesignWay ways[IB_STATES_MAX];
    const char *names[IB_STATES_MAX], *own[IB_STATES_MAX];
    int count = 0;
    for (int i = 0; i < trials->quiet.states; i++) {
        if (!ib_trial_pair_moves(trials, i)) continue;
        ways[count] = ib_design_way(trials, i);
        names[count] = gear->design.plant.state[i];
        own[count++] = known(gear->state_unit[i]);
    }
    begin_table(html, "State", count, names, false);
    for (const ib_Fact *fact = ib_way_facts; fact->key; fact++) {
        if (!fact->title) continue;
        ib_text_add(html, "<tr>");
        ib__html_cell(html, ib_fact_heading(fact));
        for (int k = 0; k < count; k++) add_fact(html, fact, &ways[k], own[k]);
        ib_text_add(html, "</tr>\n");
    }
    ib__html_table_end(html);
    add_effort(trials, html);
    add_use(&trials->use, html);
}

void ib__design_checks_table(const ib_DesignFile *design, ib_Text *html)
{
    static const char *const headings[] = {"", "Check", "What was found", NULL};
    ib__html_table(html, headings);
    for (int i = 0; i < design->check_count; i++) {
        const ib_DesignCheck *check = &design->checks[i];
        char text[160];
        ib_design_check_describe(check, text, sizeof text);
        ib_text_add(html, check->passed ? "<tr><td class=\"mark good\">✓ met</td>"
                                        : "<tr><td class=\"mark bad\">✗ failed</td>");
        add_name(html, ib_design_limit_names[check->what]);
        ib__html_cell(html, text);
        ib_text_add(html, "</tr>\n");
    }
    ib__html_table_end(html);
}
