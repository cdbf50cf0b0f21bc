#include "report/design_tables.h"

#include "report/html.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double two_pi = 6.283185307179586, degrees = 57.29577951308232;

static const char *known(const char *unit)
{
    return unit ? unit : "";
}

static void add_name(ib_Text *html, const char *name)
{
    ib__html_element(html, "td class=\"name\"", name);
}

// A number that may be unbounded.
static void add_bounded(ib_Text *html, double value, const char *unit, const char *unbounded)
{
    if (isfinite(value))
        ib__html_number(html, value, unit);
    else
        ib_text_format(html, "<td class=\"number\">%s</td>", unbounded);
}

// A matrix with names at its rows and over its columns.
static void add_matrix(ib_Text *html, const char *corner, int rows, int columns,
                       const char (*row)[IB_STATE_NAME + 1],
                       const char (*column)[IB_STATE_NAME + 1], const double *a)
{
    char heading[IB_STATES_MAX][IB_STATE_NAME + 2];
    const char *headings[IB_STATES_MAX + 2] = {corner};
    for (int k = 0; k < columns; k++) {
        snprintf(heading[k], sizeof heading[k], "#%s", column[k]);
        headings[1 + k] = heading[k];
    }
    ib__html_table(html, headings);
    for (int i = 0; i < rows; i++) {
        ib_text_add(html, "<tr>");
        add_name(html, row[i]);
        for (int k = 0; k < columns; k++) ib__html_number(html, a[i * columns + k], "");
        ib_text_add(html, "</tr>\n");
    }
    ib__html_table_end(html);
}

// ------------------------------------------------------------------------------------------- plant

static void add_ports(ib_Text *html, const char *kind, int count,
                      const char (*names)[IB_STATE_NAME + 1], const char *const *units,
                      const ib_MechanismPort *ports)
{
    for (int i = 0; i < count; i++) {
        ib_text_add(html, "<tr>");
        ib__html_cell(html, kind);
        add_name(html, names[i]);
        ib_Text unit = {0};
        ib_text_unit(&unit, known(units[i]));
        ib__html_cell(html, unit.bytes ? unit.bytes : "");
        ib_text_destroy(&unit);
        ib__html_cell(html, ports && ports[i].sentence ? ports[i].sentence : "");
        ib_text_add(html, "</tr>\n");
    }
}

static void add_facts(const ib_DesignGear *gear, ib_Text *html)
{
    static const char *const headings[] = {"Of it", "#", "", NULL};
    ib_MechanismFact facts[IB_MECHANISM_FACTS];
    int count = gear->mechanical ? ib_mechanism_facts(&gear->mechanism, facts) : 0;
    if (count == 0) return;
    ib__html_table(html, headings);
    for (int i = 0; i < count; i++) {
        ib_text_add(html, "<tr>");
        add_name(html, facts[i].name);
        ib__html_number(html, facts[i].value, known(facts[i].unit));
        ib__html_cell(html, facts[i].sentence);
        ib_text_add(html, "</tr>\n");
    }
    ib__html_table_end(html);
}

void ib__design_plant_table(const ib_DesignGear *gear, ib_Text *html)
{
    static const char *const headings[] = {"", "Name", "Unit", "What it is", NULL};
    const ib_Design *design = &gear->design;
    const ib_StateSpace *plant = &design->plant;
    const ib_MechanismPorts *ports = gear->mechanical ? &gear->mechanism.ports : NULL;
    const ib_Reach *reach = &design->reach;
    ib_text_add(html, "<p>");
    if (gear->mechanical) ib_text_escape(html, gear->mechanism.kind->sentence);
    ib_text_format(html, "%s%s, %s, %s by itself; sampled every %.6g s.</p>\n",
                   gear->mechanical ? ": " : "",
                   reach->input.full ? "controllable" : "not controllable",
                   reach->output.full ? "observable" : "not observable",
                   reach->stable ? "stable" : "not stable", plant->period);
    if (reach->input.text[0]) ib__html_element(html, "p class=\"bad\"", reach->input.text);
    if (reach->output.text[0]) ib__html_element(html, "p class=\"bad\"", reach->output.text);
    ib__html_table(html, headings);
    add_ports(html, "state", plant->states, plant->state, gear->state_unit,
              ports ? ports->state : NULL);
    add_ports(html, "input", plant->inputs, plant->input, gear->input_unit,
              ports ? ports->input : NULL);
    add_ports(html, "output", plant->outputs, plant->output, gear->output_unit,
              ports ? ports->output : NULL);
    ib__html_table_end(html);
    add_facts(gear, html);
}

void ib__design_point_table(const ib_DesignGear *gear, ib_Text *html)
{
    static const char *const headings[] = {"Operating point", "#Value", NULL};
    const ib_AnalysisConfig *config = &gear->config;
    const ib_StateSpace *plant = &config->plant;
    bool any = gear->note != NULL;
    for (int i = 0; i < plant->states; i++) any |= config->x0[i] != 0;
    for (int i = 0; i < plant->inputs; i++) any |= config->u0[i] != 0;
    if (!any) return;
    ib__html_table(html, headings);
    for (int i = 0; i < plant->states + plant->inputs; i++) {
        int k = i - plant->states;
        ib_text_add(html, "<tr>");
        add_name(html, k < 0 ? plant->state[i] : plant->input[k]);
        ib__html_number(html, k < 0 ? config->x0[i] : config->u0[k],
                        known(k < 0 ? gear->state_unit[i] : gear->input_unit[k]));
        ib_text_add(html, "</tr>\n");
    }
    ib__html_table_end(html);
    if (gear->note) ib__html_element(html, "p class=\"soft\"", gear->note);
}

// ---------------------------------------------------------------------------------------- feedback

static void add_poles(ib_Text *html, const char *what, int count, const ib_Complex *poles,
                      double period)
{
    for (int i = 0; i < count; i++) {
        if (poles[i].im < 0) continue; // the other one of its pair is in the table
        ib_PoleShape shape = ib_pole_shape(poles[i], period);
        ib_text_add(html, "<tr>");
        ib__html_cell(html, what);
        ib_text_format(html, "<td class=\"number\">%.6g", poles[i].re);
        if (poles[i].im > 0) ib_text_format(html, " ± %.6g i", poles[i].im);
        ib_text_add(html, "</td>");
        add_bounded(html, shape.frequency / two_pi, "Hz", "–");
        add_bounded(html, shape.damping, "", "–");
        add_bounded(html, shape.settling, "s", "never");
        ib_text_add(html, "</tr>\n");
    }
}

void ib__design_poles_table(const ib_DesignGear *gear, ib_Text *html)
{
    static const char *const headings[] = {"Of",       "#Pole (z)",          "#Frequency",
                                           "#Damping", "#Settles to 2 % in", NULL};
    const ib_Design *design = &gear->design;
    double period = gear->config.period;
    bool late = design->delayed_count > 0;
    ib__html_table(html, headings);
    add_poles(html, "plant", design->plant.states, design->plant_poles, period);
    add_poles(html,
              design->kalman ? "closed loop with its latency and filter"
                             : "closed loop with its latency",
              design->delayed_count, design->delayed_poles, period);
    add_poles(html, late ? "designed for, without latency" : "closed loop", design->pole_count,
              design->poles, period);
    add_poles(html, "Kalman filter", design->kalman ? design->estimator.states : 0,
              design->kalman_poles, period);
    ib__html_table_end(html);
}

static void add_integrals(const ib_DesignGear *gear, ib_Text *html)
{
    const ib_Design *design = &gear->design;
    const ib_StateSpace *plant = &design->plant;
    char names[IB_INTEGRALS_MAX][IB_STATE_NAME + 1] = {{0}};
    for (int i = 0; i < design->integrals; i++)
        for (int k = 0; k < plant->states; k++)
            if (gear->config.Z[i * plant->states + k] != 0)
                memcpy(names[i], plant->state[k], sizeof names[i]);
    add_matrix(html, "G, of the integral of", plant->inputs, design->integrals, plant->input,
               (const char(*)[IB_STATE_NAME + 1]) names, design->G);
}

void ib__design_feedback_table(const ib_DesignGear *gear, ib_Text *html)
{
    const ib_Design *design = &gear->design;
    const ib_AnalysisConfig *config = &gear->config;
    const ib_StateSpace *plant = &design->plant;
    if (!design->feedback) {
        ib__html_element(html, "p", "The file asks for no feedback.");
        return;
    }
    ib_text_format(html, "<p>u = K (goal − state)%s%s. The closed loop is %s.</p>\n",
                   config->feedforward ? " + F (next goal − A goal)" : "",
                   design->integrals ? " − G z" : "",
                   design->stable ? "stable" : "<b class=\"bad\">not stable</b>");
    if (design->left_out[0])
        ib__html_element(html, design->stable ? "p class=\"soft\"" : "p class=\"bad\"",
                         design->left_out);
    add_matrix(html, "K", plant->inputs, plant->states, plant->input, plant->state, design->K);
    if (design->integrals) add_integrals(gear, html);
    if (config->feedforward)
        add_matrix(html, "F", plant->inputs, plant->states, plant->input, plant->state, design->F);
    if (config->latency > 0)
        ib_text_format(html, "<p class=\"soft\">%s for a latency of %.6g s.</p>\n",
                       design->integrals ? "K and G are" : "K is", config->latency);
    if (design->weighted)
        ib_text_format(html,
                       "<p class=\"soft\">Riccati equation: relative residual %.2g, by %s.</p>\n",
                       design->riccati.residual, design->riccati.method);
    else
        ib_text_format(html, "<p class=\"soft\">Poles placed within %.2g.</p>\n",
                       design->placement_accuracy);
}

void ib__design_margins_table(const ib_DesignGear *gear, ib_Text *html)
{
    static const char *const headings[] = {"At",     "#Gain up", "#Gain down", "#Phase",
                                           "#Delay", "#Disk",    NULL};
    const ib_Design *design = &gear->design;
    if (!design->feedback) return;
    if (!design->margined || !design->margins.stable) {
        ib__html_element(html, "p class=\"bad\"",
                         design->margined ? "None: the loop is not stable."
                                          : design->unmargined.text);
        return;
    }
    ib__html_table(html, headings);
    for (int i = 0; i < design->plant.inputs; i++) {
        const ib_Margin *margin = &design->margins.input[i];
        ib_text_add(html, "<tr>");
        add_name(html, design->plant.input[i]);
        add_bounded(html, margin->gain_up, "", "any");
        add_bounded(html, margin->gain_down > 0 ? margin->gain_down : INFINITY, "", "any");
        add_bounded(html, margin->phase * degrees, "deg", "any");
        add_bounded(html, margin->delay * 1e3, "ms", "any");
        add_bounded(html, margin->disk, "", "any");
        ib_text_add(html, "</tr>\n");
    }
    ib__html_table_end(html);
}

// ------------------------------------------------------------------------------------------ filter

void ib__design_filter_table(const ib_DesignGear *gear, ib_Text *html)
{
    const ib_Design *design = &gear->design;
    const ib_StateSpace *plant = &design->estimator;
    static const char *const headings[] = {"State", "#One sigma before a correction", NULL};
    int n = plant->states, real = design->plant.states;
    if (!design->kalman) {
        ib__html_element(html, "p", "The file asks for no filter: the states are measured.");
        return;
    }
    ib__html_element(html, "p", "estimate += M (measured − expected)");
    add_matrix(html, "M", n, plant->outputs, plant->state, plant->output, design->filter_gain);
    ib__html_table(html, headings);
    for (int i = 0; i < n; i++) {
        ib_text_add(html, "<tr>");
        add_name(html, plant->state[i]);
        ib__html_number(html, sqrt(design->covariance[i * n + i]),
                        known(i < real ? gear->state_unit[i] : gear->input_unit[i - real]));
        ib_text_add(html, "</tr>\n");
    }
    ib__html_table_end(html);
    ib_text_format(html, "<p class=\"soft\">Riccati equation: relative residual %.2g, by %s.</p>\n",
                   design->filter_riccati.residual, design->filter_riccati.method);
}

// ---------------------------------------------------------------------------------------- response

static void add_effort(const ib_DesignTrials *trials, ib_Text *html)
{
    static const char *const headings[] = {"Input", "#Smallest", "#Largest", "#At a limit", NULL};
    const ib_DesignRun *run = &trials->quiet;
    const ib_DesignGear *gear = &trials->design->gears[trials->gear];
    ib__html_table(html, headings);
    for (int i = 0; i < run->inputs; i++) {
        ib_DesignEffort effort = ib_design_trials_effort(trials, i);
        ib_text_add(html, "<tr>");
        add_name(html, gear->design.plant.input[i]);
        ib__html_number(html, effort.smallest, known(gear->input_unit[i]));
        ib__html_number(html, effort.largest, known(gear->input_unit[i]));
        ib_text_format(html, "<td class=\"number\">%.1f %% of the time</td></tr>\n",
                       100 * effort.saturated);
    }
    ib__html_table_end(html);
}

// What the run took of motors and battery, and what acted.
static void add_use(const ib_DesignTrials *trials, ib_Text *html)
{
    static const char *const headings[] = {"Motors and battery", "#undisturbed", NULL};
    ib_DesignUseRow rows[IB_DESIGN_USE_ROWS];
    char text[160];
    int count = ib_design_trials_use(&trials->use, rows);
    if (count == 0) return;
    ib__html_table(html, headings);
    for (int i = 0; i < count; i++) {
        ib_text_add(html, "<tr>");
        ib__html_cell(html, rows[i].name);
        add_bounded(html, rows[i].scale * rows[i].value, rows[i].shown, "–");
        ib_text_add(html, "</tr>\n");
    }
    ib__html_table_end(html);
    for (int i = 0; ib_design_trials_note(&trials->use, i, text, sizeof text); i++)
        ib__html_element(html, "p class=\"note\"", text);
}

// One figure of all states that move: a row.
static void add_figure(ib_Text *html, const char *name, int count, const double *values,
                       const char *const *units, const char *otherwise)
{
    ib_text_add(html, "<tr>");
    ib__html_cell(html, name);
    for (int i = 0; i < count; i++) add_bounded(html, values[i], units[i], otherwise);
    ib_text_add(html, "</tr>\n");
}

enum { FIGURES = 9 };

// Fills one column, in the order of the rows.
static void take_figures(const ib_DesignTrials *trials, int state, int column,
                         double (*values)[IB_STATES_MAX])
{
    ib_DesignFigures figures = ib_design_trials_figures(trials, state);
    const double all[FIGURES] = {trials->trial.start[state],
                                 trials->trial.goal[state],
                                 figures.quiet.rise,
                                 100 * figures.quiet.overshoot,
                                 figures.quiet.settling,
                                 figures.quiet.error,
                                 figures.noise,
                                 figures.push,
                                 figures.left};
    for (int i = 0; i < FIGURES; i++) values[i][column] = all[i];
}

void ib__design_response_table(const ib_DesignTrials *trials, ib_Text *html)
{
    // A unit of NULL: that of the state.
    static const struct {
        const char *name, *unit, *otherwise;
    } rows[FIGURES] = {{"from", NULL, "–"},
                       {"to", NULL, "–"},
                       {"rise time (10 to 90 %)", "s", "never"},
                       {"overshoot", "%", "–"},
                       {"settled (2 %) after", "s", "not yet"},
                       {"error at the end", NULL, "–"},
                       {"the noise moves it by (1 σ)", NULL, "no noise"},
                       {"the push moves it by", NULL, "–"},
                       {"and leaves", NULL, "–"}};
    const ib_DesignGear *gear = &trials->design->gears[trials->gear];
    double values[FIGURES][IB_STATES_MAX];
    char heading[IB_STATES_MAX][IB_STATE_NAME + 2];
    const char *headings[IB_STATES_MAX + 2] = {"State"}, *own[IB_STATES_MAX];
    int count = 0;
    for (int i = 0; i < trials->quiet.states; i++) {
        if (!ib_design_trials_moves(trials, i)) continue;
        take_figures(trials, i, count, values);
        snprintf(heading[count], sizeof heading[count], "#%s", gear->design.plant.state[i]);
        own[count] = known(gear->state_unit[i]);
        headings[1 + count] = heading[count];
        count++;
    }
    ib__html_table(html, headings);
    for (int i = 0; i < FIGURES; i++) {
        const char *units[IB_STATES_MAX];
        for (int k = 0; k < count; k++) units[k] = rows[i].unit ? rows[i].unit : own[k];
        add_figure(html, rows[i].name, count, values[i], units, rows[i].otherwise);
    }
    ib__html_table_end(html);
    add_effort(trials, html);
    add_use(trials, html);
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
