#include "desk/design/design_text.h"

#include "desk/table_text.h"
#include "desk/trial/trial_text.h"

enum { LABEL = IB_TEXT_LABEL };

// The printed rows of a gear, in this order; a design without the first row of a block has none
// of it.
static const char *const of_plant[] = {"controllable", "not_controllable", "not_observable",
                                       "plant_poles",  "plant_zeros",      NULL};
static const char *const of_feedback[] = {"K",
                                          "G",
                                          "latency",
                                          "F",
                                          "stable",
                                          "not_held",
                                          "delayed_poles",
                                          "poles",
                                          "riccati_residual",
                                          "placement_accuracy",
                                          NULL};
static const char *const of_filter[] = {"kalman_gain", "kalman_poles", "covariance",
                                        "kalman_residual", NULL};

static void print_block(FILE *file, const ib_DesignGear *gear, const char *const *keys)
{
    if (!ib_design_row_given(gear, ib_design_row(keys[0]))) return;
    fputc('\n', file);
    ib_rows_text(file, gear, keys);
}

static void print_ports(FILE *file, const ib_DesignGear *gear, const ib_DesignPort *port)
{
    ib_DesignSide side = ib_design_side(gear, port->axis);
    fprintf(file, "  %-*s", LABEL, port->key);
    for (int i = 0; i < side.count; i++) {
        const char *unit = ib_unit_shown(side.unit[i]);
        fprintf(file, "%s%s%s%s%s", i ? ", " : " ", side.name[i], unit[0] ? " [" : "", unit,
                unit[0] ? "]" : "");
    }
    fputc('\n', file);
}

static void print_facts(FILE *file, const ib_DesignGear *gear)
{
    ib_MechanismFacts facts;
    if (!gear->mechanical) return;
    ib_mechanism_facts(&gear->mechanism, &facts);
    for (int i = 0; i < facts.count; i++)
        fprintf(file, "  %-*s %.6g %s: %s\n", LABEL, facts.items[i].name, facts.items[i].value,
                ib_unit_shown(facts.items[i].unit), facts.items[i].sentence);
}

static void print_plant(FILE *file, const ib_DesignGear *gear)
{
    fprintf(file, "plant%s%s, every %.6g s%s\n", gear->mechanical ? ": " : "",
            gear->mechanical ? gear->mechanism.kind->sentence : "", gear->config.period,
            gear->config.hold == IB_HOLD_TUSTIN ? ", sampled by Tustin" : "");
    for (int i = 0; i < IB_DESIGN_PORTS; i++) print_ports(file, gear, &ib_design_ports[i]);
    print_facts(file, gear);
    ib_rows_text(file, gear, of_plant);
}

static void print_values(FILE *file, const ib_DesignSide *side, const double *values, char end)
{
    for (int i = 0; i < side->count; i++)
        fprintf(file, " %s = %.6g %s%c", side->name[i], values[i], ib_unit_shown(side->unit[i]),
                i + 1 < side->count ? ',' : end);
}

static void print_point(FILE *file, const ib_DesignGear *gear)
{
    ib_DesignSide states = ib_design_side(gear, IB_AXIS_STATES);
    ib_DesignSide inputs = ib_design_side(gear, IB_AXIS_INPUTS);
    if (!ib_design_point_given(gear)) return;
    fprintf(file, "\noperating point: the gains below are of deviations from it\n ");
    print_values(file, &states, gear->config.x0, ',');
    print_values(file, &inputs, gear->config.u0, '\n');
    ib_row_text(file, gear, ib_design_row("note"));
}

static void print_margins(FILE *file, const ib_DesignGear *gear)
{
    const ib_Design *design = &gear->design;
    char memory[IB_ROW_SAID];
    static const ib_TextColumn columns[] = {{12, 4}, {0}};
    if (!design->feedback) return;
    if (!design->margined || !design->margins.stable) {
        fprintf(file, "margins: %s\n",
                design->margined ? "none, the loop is not stable" : design->unmargined.text);
        return;
    }
    fprintf(file, "margins: how much more or less of an input the loop stands\n  %-*s", LABEL, "");
    ib_facts_text(file, ib_margin_facts, NULL, columns);
    for (int i = 0; i < design->plant.inputs; i++) {
        fprintf(file, "  %-*s", LABEL, design->plant.input[i]);
        ib_facts_text(file, ib_margin_facts, &design->margins.input[i], columns);
    }
    if (design->plant.inputs > 1)
        fprintf(file, "  %s\n",
                ib_design_row_say(gear, ib_design_row("delay_margin_together"), memory));
}

static void print_polytope(FILE *file, const ib_DesignGear *gear)
{
    const ib_DesignRow *row = ib_design_row("polytope");
    char memory[IB_ROW_SAID];
    if (ib_design_row_given(gear, row))
        fprintf(file, "\npolytope: %s\n", ib_design_row_say(gear, row, memory));
}

// ------------------------------------------------------------------------------------------ checks

static void print_checks(const ib_DesignFile *design, FILE *file)
{
    if (design->check_count) fprintf(file, "\nchecks\n");
    for (int i = 0; i < design->check_count; i++) {
        const ib_DesignCheck *check = &design->checks[i];
        char text[160];
        ib_design_check_describe(check, text, sizeof text);
        fprintf(file, "  %-*s %s %s\n", LABEL, ib_design_limit_names[check->what],
                check->passed ? "passed:" : "FAILED:", text);
    }
}

int ib_design_text_failed(const ib_DesignFile *design, FILE *file)
{
    int failed = 0;
    for (int i = 0; i < design->check_count; i++) {
        const ib_DesignCheck *check = &design->checks[i];
        char text[160];
        if (check->passed) continue;
        ib_design_check_describe(check, text, sizeof text);
        fprintf(file, "%s:%d:%d: check.%s: %s\n", check->place.file, check->place.line,
                check->place.column, ib_design_limit_names[check->what], text);
        failed++;
    }
    return failed;
}

void ib_design_text(const ib_DesignFile *design, FILE *file)
{
    fprintf(file, "%s\n", design->yaml.title);
    for (int i = 0; i < design->gear_count; i++) {
        const ib_DesignGear *gear = &design->gears[i];
        fputc('\n', file);
        if (design->scheduled) fprintf(file, "gear %s\n", gear->design.name);
        print_plant(file, gear);
        print_point(file, gear);
        print_block(file, gear, of_feedback);
        print_margins(file, gear);
        print_block(file, gear, of_filter);
        ib_trial_text_brief(design, i, file);
    }
    print_polytope(file, &design->gears[0]);
    print_checks(design, file);
}
